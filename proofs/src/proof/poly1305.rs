// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Poly1305 in general registers, with mulx and with mul: lc_poly1305_blocks_<row>, contract in src/poly1305_internal.h;
//! lc_poly1305_parts_<row>, lc_poly1305_whole_<row> and lc_poly1305_power_x86_64, contracts in src/x86/chacha20_run.h.
//!
//! The accumulator that a call leaves isn't one number but any of those that are the same modulo p = 2^130 - 5.  So the proof is
//! that it is congruent to what RFC 8439 says (residue.rs), and within the bound that the next call relies on.
mod every_length;
use super::*;
use crate::integers::widened;
use crate::residue::*;
use crate::spec::poly1305 as spec;

/// struct lc_poly1305_state
pub const STATE_H: usize = 0;
pub const STATE_R: usize = 24;
pub const STATE_BLOCK: usize = 64;
pub const STATE_SIZE: usize = 480;
const H_SIZE: usize = 24;
/// The most that h[2] may be, before and after a call
pub const MOST_H2: u128 = 7;

/// struct lc_poly1305_part
const PART_NUM: usize = 8;
const PART_SIZE: usize = 16;
/// As many parts as callers in the library have at most
const MOST_PARTS: usize = 6;

/// struct lc_chacha20_run
const RUN_S1: usize = 120;
const RUN_R: usize = 168;
const RUN_RM: usize = 64;
const RUN_SIZE: usize = 1600;

const BLOCK_LEN: usize = 16;
const KEY_LEN: usize = 32;
const TAG_LEN: usize = 16;
const ROWS: [&str; 2] = ["x86_64", "bmi2"];
const POWER: &str = "lc_poly1305_power_x86_64";

fn function(name: &str, row: &str) -> String {
    format!("lc_poly1305_{name}_{row}")
}

pub fn jobs(image: &Image, effort: Effort, jobs: &mut Vec<Job>) {
    let (longest, most_parts) = if effort == Effort::All { (1104, MOST_PARTS) } else { (320, 3) };
    let mut job = |function: String, case: &str, lengths: String, parts: Vec<Part>| {
        if image.functions.contains_key(&function) {
            jobs.push(Job { function, case: case.into(), lengths, parts })
        }
    };
    for row in ROWS {
        for pad in [0, 1] {
            let messages = (BLOCK_LEN..=longest).step_by(BLOCK_LEN).map(Message::Elsewhere).chain([Message::InState]);
            let parts = parts(messages, move |image, domain, &message| prove_blocks(image, domain, row, message, pad));
            job(function("blocks", row), &format!("pad {pad}"), format!("16, 32 .. {longest}"), parts);
        }
        for (name, prove) in [("parts", prove_parts as ProveParts), ("whole", prove_whole)] {
            let lists = lists_of_parts(longest / BLOCK_LEN, most_parts);
            let parts = parts(lists, move |image, domain, list| prove(image, domain, row, list));
            job(function(name, row), "parts", format!("0, 16 .. {longest}"), parts);
        }
    }
    let parts = parts(2..=8, move |image, domain, &n| prove_power(image, domain, n));
    job(POWER.into(), "r^m", "n = 2..8".into(), parts);
    jobs.extend(every_length::jobs().into_iter().filter(|job| image.functions.contains_key(&job.function)));
}

// ---- What a state holds ----

/// A machine whose additions are those of numbers, and in a state, h and r, as the contract has them
pub struct Accumulator {
    pub field: Field,
    pub before: Polynomial,
    region: u32,
    at: usize,
}

impl Accumulator {
    /// The state at that place of a region gets any h and r.
    pub fn new(m: &mut Machine, region: u32, at: usize) -> Result<Accumulator> {
        m.domain.integers = true;
        let mut field = Field::default();
        let h = [u64::MAX.into(), u64::MAX.into(), MOST_H2].map(|most| widened(&m.domain.number("h", most)));
        m.poke_bits(region, at + STATE_H, &h.concat());
        let before = number(&field, &m.domain, &h)?;
        put_r(m, &mut field, region, at + STATE_R)?;
        Ok(Accumulator { field, before, region, at })
    }

    /// s1 = r1 + r1 / 4 and rm = r^m, as lc_poly1305_power_x86_64 leaves them in struct lc_chacha20_run
    pub fn put_s1_and_rm(&mut self, m: &mut Machine, exponent: u32) -> Result<()> {
        let s1 = s1(m, self.region);
        m.poke_bits(self.region, RUN_S1, &s1);
        let rm = [u64::MAX.into(), u64::MAX.into(), MOST_H2].map(|most| widened(&m.domain.number("r^m", most)));
        m.poke_bits(self.region, RUN_RM, &rm.concat());
        declare(&mut self.field, &m.domain, &rm, exponent)
    }

    /// What h has to be after so much more of the message
    pub fn after(&self, m: &Machine, msg: &[Bit], pad: u64) -> Result<Polynomial> {
        spec::blocks(&self.field, &m.domain, self.before.clone(), msg, pad)
    }

    /// The state has this h, and within its bound.
    pub fn check(&mut self, m: &Machine, want: &Polynomial) -> Result<()> {
        let h = words(m, self.region, self.at + STATE_H);
        check(&mut self.field, &m.domain, &h, want, MOST_H2, "h")
    }
}

/// r, clamped: r1 is a multiple of 4.  From now on r means this.
fn put_r(m: &mut Machine, field: &mut Field, region: u32, at: usize) -> Result<()> {
    let r0 = widened(&m.domain.number("r0", 0x0ffffffc0fffffff));
    let r1 = widened(&[&[0, 0], &m.domain.number("r1 / 4", 0x0ffffffc0ffffffc >> 2)[..]].concat());
    m.poke_bits(region, at, &[r0, r1].concat());
    field.declare(&m.domain, &[(0, &r0), (64, &r1)], 1)
}

fn words(m: &Machine, region: u32, at: usize) -> [[Bit; 64]; 3] {
    std::array::from_fn(|i| widened(&m.bytes(region, at + 8 * i, 8)))
}

fn number(field: &Field, domain: &Domain, words: &[[Bit; 64]; 3]) -> Result<Polynomial> {
    field.number(domain, &[(0, &words[0]), (64, &words[1]), (128, &words[2])])
}

/// From now on these words are r^exponent.
fn declare(field: &mut Field, domain: &Domain, words: &[[Bit; 64]; 3], exponent: u32) -> Result<()> {
    field.declare(domain, &[(0, &words[0]), (64, &words[1]), (128, &words[2])], exponent)
}

fn check(field: &mut Field, domain: &Domain, words: &[[Bit; 64]; 3], want: &Polynomial, most_h2: u128, what: &str) -> Result<()> {
    let got = number(field, domain, words)?;
    field.congruent(domain, &got, want, what)?;
    match domain.bound(&words[2]) {
        most if most > most_h2 => Err(format!("the upper word of {what} may be {most}")),
        _ => Ok(()),
    }
}

// ---- Blocks ----

/// The message lies elsewhere, or it is the block that the state keeps because it wasn't whole.
#[derive(Clone, Copy, Debug)]
pub enum Message {
    Elsewhere(usize),
    InState,
}

pub fn prove_blocks(image: &Image, domain: Domain, row: &str, message: Message, pad: u64) -> Result<Machine> {
    let mut call = Call::with(domain, image, &function("blocks", row));
    let state = call.m.region("state", STATE_SIZE, true, 16);
    let mut accumulator = Accumulator::new(&mut call.m, state, 0)?;
    let (region, at, len) = match message {
        Message::Elsewhere(len) => (call.m.region("msg", len, false, 1), 0, len),
        Message::InState => (state, STATE_BLOCK, BLOCK_LEN),
    };
    call.pointer(state);
    call.argument(Word::Pointer(region, at as i64));
    call.number(len as u64);
    call.number(pad);
    call.expect_anything(state, STATE_H, H_SIZE);
    call.run()?;
    let want = accumulator.after(&call.m, &call.m.bytes(region, at, len), pad)?;
    accumulator.check(&call.m, &want)?;
    Ok(call.m)
}

// ---- Parts ----

/// How many blocks each part has
pub type List = Vec<usize>;
type ProveParts = fn(&Image, Domain, &str, &List) -> Result<Machine>;

/// One part of up to so many blocks; and lists with parts that are empty, one block or more
fn lists_of_parts(most_blocks: usize, most_parts: usize) -> Vec<List> {
    let mut lists: Vec<List> = (0..=most_blocks).map(|num| vec![num]).collect();
    for num_parts in 2..=most_parts {
        for choice in 0..3usize.pow(num_parts as u32) {
            lists.push((0..num_parts as u32).map(|i| choice / 3usize.pow(i) % 3).collect());
        }
    }
    lists
}

/// The argument parts, and num_parts; gives all blocks.
fn pass_parts(call: &mut Call, list: &List) -> Vec<Bit> {
    let parts = call.m.region("parts", PART_SIZE * list.len(), false, 8);
    let mut text = vec![];
    for (i, &num) in list.iter().enumerate() {
        let len = BLOCK_LEN * num;
        let blocks = call.m.region(&format!("blocks {i}"), len, false, 1);
        text.extend(call.m.bytes(blocks, 0, len));
        call.m.poke_ptr(parts, (PART_SIZE * i) as i64, Word::Pointer(blocks, 0));
        call.m.poke(parts, PART_SIZE * i + PART_NUM, num as u64, 8);
    }
    call.pointer(parts);
    call.number(list.len() as u64);
    text
}

pub fn prove_parts(image: &Image, domain: Domain, row: &str, list: &List) -> Result<Machine> {
    let mut call = Call::with(domain, image, &function("parts", row));
    let state = call.m.region("state", STATE_SIZE, true, 16);
    let mut accumulator = Accumulator::new(&mut call.m, state, 0)?;
    call.pointer(state);
    let text = pass_parts(&mut call, list);
    call.expect_anything(state, STATE_H, H_SIZE);
    call.run()?;
    let want = accumulator.after(&call.m, &text, 1)?;
    accumulator.check(&call.m, &want)?;
    Ok(call.m)
}

// ---- A whole message ----

/// Where the function below has what it multiplies.  (Other registers couldn't be congruent to what that should be.)
const H_REGISTERS: [usize; 3] = [8, 9, 10];

/// The tag is one number, and not just congruent to one.  So there are two steps: at the end of the loops registers hold an h
/// that is congruent to what it should be; and the tag is bit by bit what the standard makes of this h.
pub fn prove_whole(image: &Image, domain: Domain, row: &str, list: &List) -> Result<Machine> {
    let function = function("whole", row);
    let mut call = Call::with(domain, image, &function);
    call.m.domain.integers = true;
    let tag = call.m.region("tag", TAG_LEN, true, 8);
    call.pointer(tag);
    let text = pass_parts(&mut call, list);
    let (mut field, s) = pass_key(&mut call)?;

    let before = call.m.save();
    let end = end_of_loops(image, &function)?;
    call.m.stop = Stop::At(end);
    call.enter()?.ok_or("returned in a loop")?;
    let mut h = [[0; 64]; 3];
    for (word, &register) in h.iter_mut().zip(&H_REGISTERS) {
        *word = call.m.bits_of(&call.m.regs[register])?;
    }
    let want = spec::blocks(&field, &call.m.domain, Polynomial::default(), &text, 1)?;
    check(&mut field, &call.m.domain, &h, &want, spec::MOST_H2, "h")?;

    let want = spec::tag(&mut call.m.domain, [&h[0], &h[1], &h[2]], &s)?;
    call.expect(tag, 0, &want, "tag");
    call.m.stop = Stop::Never;
    call.m.resume(image, end)?;
    call.check(&before)?;
    Ok(call.m)
}

/// The argument key, of which r is to be clamped; gives r and s.
fn pass_key(call: &mut Call) -> Result<(Field, Vec<Bit>)> {
    let key = call.m.region("key", KEY_LEN, true, 1);
    call.pointer(key);
    let (r, s) = (call.m.bytes(key, 0, KEY_LEN / 2), call.m.bytes(key, KEY_LEN / 2, KEY_LEN / 2));
    let r = spec::clamp(&r);
    call.expect(key, 0, &r, "r");
    let mut field = Field::default();
    field.declare(&call.m.domain, &[(0, &r)], 1)?;
    Ok((field, s))
}

/// What comes after the function's last branch back
fn end_of_loops(image: &Image, function: &str) -> Result<u64> {
    let back = |i: &&iced_x86::Instruction| i.is_jcc_short_or_near() && i.near_branch_target() <= i.ip();
    Ok(image.instructions(function)?.iter().rev().find(back).ok_or("no loop")?.next_ip())
}

// ---- r^m ----

/// r1 + r1 / 4
fn s1(m: &mut Machine, run: u32) -> [Bit; 64] {
    let r1 = m.bytes(run, RUN_R + 8, 8);
    widened(&m.domain.plus(&[&r1, &r1[2..]]))
}

/// x
const POWER_REGISTERS: [usize; 3] = [8, 9, 14];

/// m = 2 * (2^n - 1).  Each turn of the loop but the last makes x^2 * r of x.  If these products were all put into each other, they
/// would have more terms than there is room for.  So at the head, x is shown to be r^(2^i - 1), and then is declared to be that.
pub fn prove_power(image: &Image, domain: Domain, n: u32) -> Result<Machine> {
    let mut call = Call::with(domain, image, POWER);
    call.m.domain.integers = true;
    let mut field = Field::default();
    let run = call.m.region("run", RUN_SIZE, true, 64);
    put_r(&mut call.m, &mut field, run, RUN_R)?;
    call.pointer(run);
    call.number_32(n);
    let s1 = s1(&mut call.m, run);
    call.expect(run, RUN_S1, &s1, "s1");
    call.expect_anything(run, RUN_RM, H_SIZE);

    let before = call.m.save();
    let head = head_of_loop(image, POWER)?;
    call.m.stop = Stop::At(head);
    let mut stopped = call.enter()?;
    for i in 1..=n {
        stopped.ok_or("too few turns")?;
        let mut x = [[0; 64]; 3];
        for (word, &register) in x.iter_mut().zip(&POWER_REGISTERS) {
            *word = call.m.bits_of(&call.m.regs[register])?;
        }
        let exponent = (1 << i) - 1;
        check(&mut field, &call.m.domain, &x, &Polynomial::power_of_r(exponent), MOST_H2, &format!("r^{exponent}"))?;
        declare(&mut field, &call.m.domain, &x, exponent)?;
        stopped = call.m.resume(image, head)?;
    }
    if stopped.is_some() {
        return Err("too many turns".into());
    }
    let rm = words(&call.m, run, RUN_RM);
    check(&mut field, &call.m.domain, &rm, &Polynomial::power_of_r(2 * ((1 << n) - 1)), MOST_H2, "r^m")?;
    call.check(&before)?;
    Ok(call.m)
}

/// Where the function's only branch back leads to
fn head_of_loop(image: &Image, function: &str) -> Result<u64> {
    let back = |i: &&iced_x86::Instruction| i.is_jmp_short_or_near() && i.near_branch_target() <= i.ip();
    Ok(image.instructions(function)?.iter().find(back).ok_or("no loop")?.near_branch_target())
}
