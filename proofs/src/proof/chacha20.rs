// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! lc_chacha20_rows_<row>(run, dst, src, len, apart), lc_chacha20_columns_<row>(run, num_passes, hash) and
//! lc_chacha20_block_<row>(run), contracts in src/x86/chacha20_run.h; lc_chacha20_apply_<row>(dst, src, keystream, num_blocks).
pub mod columns;
use super::*;
use crate::proof::poly1305::Accumulator;
use crate::spec::{
    chacha20::{self, BLOCK},
    xorw,
};

/// struct lc_chacha20_run.  chacha20.S has the same names.
const RUN_WORDS: usize = 0;
const RUN_DST: usize = 88;
const RUN_SRC: usize = 96;
const RUN_HASHED: usize = 104;
const RUN_APART: usize = 112;
const RUN_ROUNDS: usize = 116;
const RUN_SINGLE: usize = 128;
const RUN_POLY: usize = 144;
pub const RUN_H: usize = 144;
const RUN_R: usize = 168;
const RUN_IV: usize = RUN_WORDS + 48;
const RUN_IVS: usize = 640;
const RUN_FIRST: usize = 896;
const RUN_LAST: usize = 960;
const RUN_SPILL: usize = 960;
const RUN_MORE: usize = 1088;
const RUN_SIZE: usize = 1600;
const H_LEN: usize = RUN_R - RUN_H;
const SPILL_LEN: usize = RUN_MORE - RUN_SPILL;
const BLOCK_LEN: usize = BLOCK / 8;

/// What an implementation's line in the library's table says of it.  The code in C goes by the same line.
#[derive(Clone)]
pub struct Shape {
    row: String,
    /// Bytes
    vector: usize,
    /// Blocks in a pass of columns
    blocks: usize,
    /// Can a pass have less of its last four blocks?
    masks: bool,
    /// Bytes that rows take at most
    rows_len: usize,
    /// Blocks in each of the two chains that Poly1305 has in a pass of columns, m
    chain: usize,
}

impl Shape {
    /// Bytes of a pass of columns
    fn pass_len(&self) -> usize {
        BLOCK_LEN * self.blocks
    }

    /// Bytes that Poly1305 takes beside it
    fn hash_len(&self) -> usize {
        2 * 16 * self.chain
    }
}

const TUNING: &str = include_str!("../../../src/x86/chacha20_tuning.h");

/// SHAPE(symbol, vl, code, hash_blocks, hash_turns, most_sets, ...)
pub fn shape(row: &str) -> Shape {
    let line = TUNING.lines().filter_map(|line| line.strip_prefix("SHAPE(")).find(|line| line.starts_with(&format!("{row},")));
    let fields: Vec<&str> = line.unwrap_or_else(|| panic!("chacha20_tuning.h has no {row}")).split(',').map(str::trim).collect();
    let number = |i: usize| fields[i].parse::<usize>().unwrap();
    let vector = number(1);
    Shape {
        row: row.into(),
        vector,
        blocks: vector / 4,
        masks: fields[2] == "EVEX",
        rows_len: 4 * vector * number(5),
        chain: number(3) * number(4) / 2,
    }
}

pub fn jobs(image: &Image, effort: Effort, jobs: &mut Vec<Job>) {
    for row in rows(image, "lc_chacha20_rows_") {
        for apart in First::ALL {
            for in_place in [false, true] {
                if apart != First::Beside || shape(&row).vector == 64 {
                    jobs.push(rows_job(shape(&row), effort, apart, in_place));
                }
            }
        }
        if shape(&row).vector <= 32 {
            jobs.push(hash_rows_job(shape(&row), effort));
        }
    }
    for row in rows(image, "lc_chacha20_columns_") {
        columns::push_jobs(&shape(&row), effort, jobs);
    }
    for row in rows(image, "lc_chacha20_apply_") {
        for in_place in [false, true] {
            let row = row.clone();
            jobs.push(Job {
                function: format!("lc_chacha20_apply_{row}"),
                case: case("key stream made ahead", false, in_place),
                lengths: format!("1..{MOST_AHEAD} blocks"),
                parts: whole(move |image| {
                    (1..=MOST_AHEAD).try_for_each(|num_blocks| prove_apply(image, &row, num_blocks, in_place).map(drop))?;
                    Ok(MOST_AHEAD)
                }),
            });
        }
    }
    for row in rows(image, "lc_chacha20_block_") {
        jobs.push(Job {
            function: format!("lc_chacha20_block_{row}"),
            case: "a block".into(),
            lengths: "every block".into(),
            parts: whole(move |image| prove_block(image, Domain::new(), &row).map(|_| 1)),
        });
    }
}

/// Where does the first block go?
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum First {
    Text = 0,
    Apart = 1,
    /// Apart, by general registers
    Beside = 2,
}

impl First {
    const ALL: [First; 3] = [First::Text, First::Apart, First::Beside];
}

fn case(what: &str, apart: bool, in_place: bool) -> String {
    format!("{what}{}{}", if apart { ", first block apart" } else { "" }, if in_place { ", in place" } else { "" })
}

/// Blocks that a stream has room for, LC_CHACHA20_AHEAD_LEN
const MOST_AHEAD: usize = 16;

/// dst = src ^ keystream.  Not even text may be left in a register: else nothing would say that the vector is wiped.
fn prove_apply(image: &Image, row: &str, num_blocks: usize, in_place: bool) -> Result<Machine> {
    let (mut call, len) = (Call::new(image, &format!("lc_chacha20_apply_{row}")), BLOCK_LEN * num_blocks);
    let (src, dst) = call.buffers(len, in_place);
    let keystream = call.m.region("keystream", len, false, 1);
    let [text, stream] = [src, keystream].map(|region| call.m.bytes(region, 0, len));
    let out = xorw(&mut call.m.domain, &text, &stream);
    call.expect(dst, 0, &out, "dst");
    for region in [dst, src, keystream] {
        call.pointer(region)
    }
    call.number(num_blocks as u64);
    call.run()?;
    Ok(call.m)
}

/// struct lc_chacha20_run, of which nothing is known
fn run_region(call: &mut Call) -> u32 {
    let run = call.m.region("run", RUN_SIZE, true, 64);
    for (offset, len) in [(RUN_IV, 16), (RUN_HASHED, 8), (RUN_IVS, 256)] {
        let iv = call.m.bytes(run, offset, len);
        call.public(&iv);
    }
    run
}

// ---- A block ----

pub fn prove_block(image: &Image, domain: Domain, row: &str) -> Result<Machine> {
    let mut call = Call::with(domain, image, &format!("lc_chacha20_block_{row}"));
    let run = run_region(&mut call);
    call.pointer(run);
    let state = call.m.bytes(run, RUN_WORDS, BLOCK_LEN);
    let stream = chacha20::encrypt(&mut call.m.domain, &state, &[0; BLOCK]);
    call.expect(run, RUN_MORE, &stream, "run->more");
    call.expect_wiped(run, RUN_SINGLE, 16);
    call.expect_wiped(run, RUN_ROUNDS, 4);
    call.run()?;
    Ok(call.m)
}

// ---- Rows ----

/// Odd, so that all remainders of vectors, words and blocks are met.  The longest is taken as well: it alone ends with the last
/// set.
const QUICK_STEP: usize = 7;

fn rows_job(shape: Shape, effort: Effort, first: First, in_place: bool) -> Job {
    let (what, least, most) = match first {
        First::Text => ("rows", 1, shape.rows_len),
        First::Apart => ("rows", 0, shape.rows_len - BLOCK_LEN),
        First::Beside => ("rows and a block", 4 * shape.vector + 1, 8 * shape.vector),
    };
    let step = if effort == Effort::All { 1 } else { QUICK_STEP };
    Job {
        function: format!("lc_chacha20_rows_{}", shape.row),
        case: case(what, first != First::Text, in_place),
        lengths: if step == 1 { format!("every length, {least}..{most}") } else { format!("{least}..{most}, every {step}th") },
        parts: parts((least..most).step_by(step).chain([most]), move |image, domain, &len| {
            prove_rows(image, domain, &shape, len, first, in_place, 0)
        }),
    }
}

/// With 1 to 10 times four blocks of Poly1305 beside them, or two with vectors of 128 bits, all in turn; with all ten, lengths on
/// both sides of what one set does
fn hash_rows_job(shape: Shape, effort: Effort) -> Job {
    let step = if effort == Effort::All { 1 } else { 3 * QUICK_STEP };
    let (set, most) = (4 * shape.vector, 8 * shape.vector);
    Job {
        function: format!("lc_chacha20_rows_{}", shape.row),
        case: "rows and Poly1305".into(),
        lengths: if step == 1 { format!("every length, 1..{most}") } else { format!("1..{most}, every {step}th") },
        parts: parts(
            (1..most).step_by(step).enumerate().map(|(i, len)| (len, 1 + i % 10)).chain([set, set + 1, most].map(|len| (len, 10))),
            move |image, domain, &(len, times)| prove_rows(image, domain, &shape, len, First::Text, len % 2 == 0, times),
        ),
    }
}

pub fn prove_rows(
    image: &Image,
    domain: Domain,
    shape: &Shape,
    len: usize,
    first: First,
    in_place: bool,
    hash: usize,
) -> Result<Machine> {
    let mut call = Call::with(domain, image, &format!("lc_chacha20_rows_{}", shape.row));
    let run = run_region(&mut call);
    let (src, dst) = call.text(len, in_place);
    call.pointer(run);
    call.pointer(dst);
    call.pointer(src);
    call.number(len as u64);
    call.number_32(first as u32 + 256 * hash as u32);
    let mut accumulator = None;
    let hash_len = 2 * shape.vector * hash;
    let hashed = call.m.region("hashed", hash_len.max(1), false, 1);
    let hashed_bytes = call.m.bytes(hashed, 0, hash_len);
    if hash > 0 {
        let accumulator = accumulator.insert(Accumulator::new(&mut call.m, run, RUN_POLY)?);
        accumulator.put_s1_and_rm(&mut call.m, shape.chain as u32)?;
        call.m.poke_ptr(run, RUN_HASHED as i64, Word::Pointer(hashed, 0));
        call.expect_pointer(run, RUN_HASHED, Word::Pointer(hashed, hash_len as i64), "run->hashed");
        call.expect_anything(run, RUN_H, H_LEN);
    }

    // The first block that is apart is the key stream itself: that of zeros.
    let first_len = if first == First::Text { 0 } else { BLOCK };
    let mut text = vec![0; first_len];
    text.extend(call.m.bytes(src, 0, len));
    let state = call.m.bytes(run, RUN_WORDS, BLOCK_LEN);
    let out = chacha20::encrypt(&mut call.m.domain, &state, &text);
    let (stream, out) = out.split_at(first_len);
    call.expect(run, RUN_FIRST, stream, "run->first");
    call.expect(dst, 0, out, "dst");
    if first == First::Beside {
        call.expect_wiped(run, RUN_SINGLE, 16);
        call.expect_wiped(run, RUN_APART, 8); // RUN_ROUNDS, too
        for (offset, region) in [(RUN_DST, dst), (RUN_SRC, src)] {
            call.expect_pointer(run, offset, Word::Pointer(region, 0), "run->dst, run->src");
        }
    }

    // What doesn't fill a vector is in run->last, too, where zeros fill it.
    let part = len % shape.vector;
    if part > 0 {
        let mut last = out[8 * (len - part)..].to_vec();
        last.resize(8 * shape.vector, 0);
        call.expect(run, RUN_LAST, &last, "run->last");
    }
    let kept = if part > 0 { shape.vector } else { 0 };
    call.expect_wiped(run, RUN_SPILL + kept, SPILL_LEN - kept);
    call.run()?;
    if let Some(mut accumulator) = accumulator {
        let want = accumulator.after(&call.m, &hashed_bytes, 1)?;
        accumulator.check(&call.m, &want)?;
    }
    match call.m.regs[RAX] {
        Word::Number(result) if result as u32 as usize == part => Ok(call.m),
        _ => Err(format!("result {:?} instead of {part}", call.m.regs[RAX])),
    }
}
