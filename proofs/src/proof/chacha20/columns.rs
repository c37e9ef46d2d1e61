// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! lc_chacha20_columns_<row>(run, num_passes, hash): passes of as many blocks as vectors have words, and what goes on beside them.
use super::*;
use crate::induction::Live;
use crate::proof::poly1305::Accumulator;

/// What is done beside the rounds: the argument `hash`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    Nothing = 0,
    Poly1305 = 1,
    /// Four, or with 256 bits one, in general registers
    Blocks = 2,
    EightBlocks = 3,
    /// The next pass: they go in pairs
    AnotherPass = 4,
    /// Nothing, but words 12 .. 15 of each block are in run->ivs
    Lanes = 5,
    /// The next pass, and a product that nobody uses
    AnotherPassAndProduct = 6,
    /// The same, but of the next pass only the key stream is wanted, elsewhere
    Ahead = 7,
    /// Block 0, by general registers: its key stream goes to run->first, and the text begins with block 1
    First = 8,
}

impl Beside {
    fn is_pair(self) -> bool {
        matches!(self, Beside::AnotherPass | Beside::AnotherPassAndProduct | Beside::Ahead)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub passes: usize,
    pub apart: bool,
    pub in_place: bool,
    pub beside: Beside,
    /// What Poly1305 gets lies this far after the text's beginning; None: elsewhere.
    pub hashed_at: Option<i64>,
    /// So many bytes less than a pass has, 255 at most, or than pairs have, 511 at most
    pub missing: usize,
    /// Is the last block in run->more?
    pub last_apart: bool,
}

/// One to three passes by themselves, and one with each of the things beside it; then any number of passes.
pub(super) fn push_jobs(shape: &Shape, effort: Effort, jobs: &mut Vec<Job>) {
    let mut push = |case: &str, lengths: &str, cases: Vec<Case>| {
        let row = shape.clone();
        jobs.push(Job {
            function: format!("lc_chacha20_columns_{}", shape.row),
            case: case.into(),
            lengths: lengths.into(),
            parts: parts(cases, move |image, domain, case| prove_columns(image, domain, &row, case)),
        })
    };
    let all = |passes: usize, beside: Beside| -> Vec<Case> {
        let places = [(false, false), (false, true), (true, false), (true, true)];
        places
            .into_iter()
            .map(|(apart, in_place)| Case { passes, apart, in_place, beside, hashed_at: None, missing: 0, last_apart: false })
            .collect()
    };
    let most = if effort == Effort::All { 3 } else { 2 };
    let cases = (1..=most).flat_map(|passes| all(passes, Beside::Nothing)).collect();
    push("columns", &format!("1..{most} passes"), cases);
    if shape.vector == 64 {
        let cases = [all(1, Beside::Blocks), all(1, Beside::EightBlocks)].concat();
        push("columns and more blocks", "1 pass", cases);
        let cases = [all(2, Beside::AnotherPass), all(2, Beside::AnotherPassAndProduct)].concat();
        push("columns in pairs", "2 passes", cases);
        push("columns and the next pass's key stream", "2 passes", all(2, Beside::Ahead));
        let len = shape.pass_len();
        push("columns and block 0", "1 pass", all(1, Beside::First).into_iter().filter(|case| !case.apart).collect());
        let cases = parts_of_pass(shape, effort).into_iter().map(|case| Case { beside: Beside::First, apart: false, ..case });
        push("columns and block 0, not all of a pass", &format!("{}..{}", len - 255, len - 1), cases.collect());
        push("columns in pairs, not all", &format!("{}..{}", 2 * len - 511, 2 * len - 1), parts_of_pairs(effort, 2));
        push("columns in pairs, not all", &format!("{}..{}", 4 * len - 511, 4 * len - 1), parts_of_pairs(effort, 4));
    }
    if shape.masks {
        let most = shape.pass_len();
        push("columns, not all of a pass", &format!("{}..{}", most - 255, most - 1), parts_of_pass(shape, effort));
    }
    if shape.vector == 32 {
        push("columns and a block", "1 pass", all(1, Beside::Blocks));
    }
    if !shape.masks {
        let cases = [all(1, Beside::Nothing), all(1, Beside::Poly1305)].concat();
        let cases = cases.into_iter().map(|case| Case { last_apart: true, ..case }).collect();
        push("columns whose last block is apart", "1 pass", cases);
    }
    push("columns of different messages", "1 pass", all(1, Beside::Lanes));
    let cases = (1..=most).flat_map(|passes| all(passes, Beside::Poly1305)).collect();
    push("columns and Poly1305", &format!("1..{most} passes"), cases);
    push("columns and Poly1305 of the text", "1 pass", overlaps(shape));
    for beside in [Beside::Nothing, Beside::Poly1305, Beside::AnotherPass, Beside::AnotherPassAndProduct] {
        for in_place in [false, true] {
            if !beside.is_pair() || shape.vector == 64 {
                jobs.push(any_number_job(shape, beside, in_place))
            }
        }
    }
}

/// Pairs less 1 to 511 bytes, in all places in turn
fn parts_of_pairs(effort: Effort, passes: usize) -> Vec<Case> {
    let some = |missing: &usize| match (passes, effort) {
        (2, Effort::All) => true,
        (2, _) => matches!(missing % 64, 0 | 1 | 63),
        (_, Effort::All) => missing % 17 == 0,
        _ => missing % 255 == 0,
    };
    let case = |missing: usize| Case {
        passes,
        apart: missing / 2 % 2 == 1,
        in_place: missing % 2 == 1,
        beside: if missing / 64 % 2 == 1 { Beside::AnotherPass } else { Beside::AnotherPassAndProduct },
        hashed_at: None,
        missing,
        last_apart: false,
    };
    (1..=511).filter(some).map(case).collect()
}

/// A pass less 1 to 255 bytes, in all places in turn, and with Poly1305 in turn, where the library does so
fn parts_of_pass(shape: &Shape, effort: Effort) -> Vec<Case> {
    let some = |missing: &usize| effort == Effort::All || matches!(missing % 64, 0 | 1 | 63);
    let case = |missing: usize| Case {
        passes: 1,
        apart: missing / 2 % 2 == 1,
        in_place: missing % 2 == 1,
        beside: if shape.vector == 32 && missing / 4 % 2 == 1 { Beside::Poly1305 } else { Beside::Nothing },
        hashed_at: None,
        missing,
        last_apart: false,
    };
    (1..=255).filter(some).map(case).collect()
}

/// Poly1305 takes its blocks before the pass writes anything.  So they may overlap the text in any way; if a store came before a
/// load, the result would be another where these two meet.  Stores are of whole vectors at multiples of their length.
fn overlaps(shape: &Shape) -> Vec<Case> {
    let places = (-(shape.hash_len() as i64)..=shape.pass_len() as i64).step_by(shape.vector.min(32));
    let case = |at| Case {
        passes: 1,
        apart: false,
        in_place: true,
        beside: Beside::Poly1305,
        hashed_at: Some(at),
        missing: 0,
        last_apart: false,
    };
    places.map(case).collect()
}

/// The state of a block of a pass of different messages.  Its last four words are in run->ivs, where the first ones of all blocks
/// come first.
fn lane(run: &[Bit], block: usize) -> Vec<Bit> {
    let bytes = |offset: usize, len: usize| &run[8 * offset..8 * (offset + len)];
    let iv = (0..4).flat_map(|i| bytes(RUN_IVS + 64 * i + 4 * block, 4));
    bytes(RUN_WORDS, 48).iter().chain(iv).copied().collect()
}

/// A call of columns
struct Columns<'a> {
    call: Call<'a>,
    shape: &'a Shape,
    case: &'a Case,
    run: u32,
    src: u32,
    dst: u32,
    /// Where the text begins in these, and its length
    text_at: usize,
    text_len: usize,
    /// What Poly1305 gets: region, and where it begins there
    hashed: Option<(u32, usize)>,
    /// Where the next pass's key stream goes
    ahead: Option<u32>,
    accumulator: Option<Accumulator>,
}

impl<'a> Columns<'a> {
    fn new(image: &'a Image, domain: Domain, shape: &'a Shape, case: &'a Case) -> Result<Columns<'a>> {
        let mut call = Call::with(domain, image, &format!("lc_chacha20_columns_{}", shape.row));
        let run = run_region(&mut call);
        let blocks_apart = case.apart as usize + case.last_apart as usize;
        let text_passes = if case.beside == Beside::Ahead { 1 } else { case.passes };
        let text_len = shape.pass_len() * text_passes - BLOCK_LEN * blocks_apart - case.missing;
        let room = if case.hashed_at.is_some() { shape.hash_len() } else { 0 };
        let (src, dst) = call.text(room + text_len + room, case.in_place);
        call.m.poke_ptr(run, RUN_DST as i64, Word::Pointer(dst, room as i64));
        call.m.poke_ptr(run, RUN_SRC as i64, Word::Pointer(src, room as i64));
        call.m.poke(run, RUN_APART, case.apart as u64 + 2 * case.last_apart as u64, 4);
        let mut columns =
            Columns { call, shape, case, run, src, dst, text_at: room, text_len, hashed: None, ahead: None, accumulator: None };
        if case.beside == Beside::Ahead {
            let ahead = columns.call.m.region("ahead", shape.pass_len(), true, 64);
            columns.call.m.poke_ptr(run, RUN_HASHED as i64, Word::Pointer(ahead, 0));
            columns.ahead = Some(ahead);
        }
        if case.beside == Beside::Poly1305 {
            columns.set_up_poly1305()?;
        }
        Ok(columns)
    }

    /// Any h and clamped r; s1 = r1 + r1 / 4 and any number that is congruent to r^m, as lc_poly1305_power_x86_64 leaves them.
    fn set_up_poly1305(&mut self) -> Result<()> {
        let (m, run) = (&mut self.call.m, self.run);
        let mut accumulator = Accumulator::new(m, run, RUN_POLY)?;
        accumulator.put_s1_and_rm(m, self.shape.chain as u32)?;
        self.accumulator = Some(accumulator);

        let hashed = match self.case.hashed_at {
            None => (m.region("hashed", self.shape.hash_len() * self.case.passes, false, 1), 0),
            Some(at) => (self.src, (self.text_at as i64 + at) as usize),
        };
        m.poke_ptr(run, RUN_HASHED as i64, Word::Pointer(hashed.0, hashed.1 as i64));
        self.hashed = Some(hashed);
        Ok(())
    }

    fn pass_arguments(&mut self, passes: Word) {
        self.call.again();
        self.call.pointer(self.run);
        self.call.argument(passes);
        self.call.number_32(self.case.beside as u32 + 256 * self.case.missing as u32);
    }

    /// What all passes leave of what there was before, but for Poly1305's h.
    fn expect(&mut self, before: &State) {
        let (call, shape, run) = (&mut self.call, self.shape, self.run);
        let bytes = |region: u32, at: usize, len: usize| before.regions[region as usize].0[at..at + len].concat();
        let beside = self.case.beside == Beside::First;
        let first_len = BLOCK_LEN * (self.case.apart || beside) as usize;
        let last_len = BLOCK_LEN * self.case.last_apart as usize;
        let text = [bytes(self.src, self.text_at, self.text_len), bytes(run, RUN_MORE, last_len)].concat();
        let first = if beside { vec![0; BLOCK] } else { bytes(run, RUN_FIRST, first_len) };
        let text = [first, text].concat();
        let before = bytes(run, 0, RUN_SIZE);
        let mut out = vec![];
        for (i, part) in text.chunks(BLOCK).enumerate() {
            let state = match self.case.beside {
                Beside::Lanes => lane(&before, i),
                _ => chacha20::blocks_after(&mut call.m.domain, &before[..BLOCK], i),
            };
            out.extend(chacha20::encrypt(&mut call.m.domain, &state, part));
        }
        let (first, out) = out.split_at(8 * first_len);
        let (out, last) = out.split_at(8 * self.text_len);
        call.expect(run, RUN_FIRST, first, "run->first");
        call.expect(self.dst, self.text_at, out, "dst");
        call.expect(run, RUN_MORE, last, "run->more");
        if self.case.beside != Beside::Lanes {
            let num_blocks = shape.blocks * self.case.passes + beside as usize;
            let state = chacha20::blocks_after(&mut call.m.domain, &before[..BLOCK], num_blocks);
            call.expect(run, RUN_IV, &state[8 * RUN_IV..8 * (RUN_IV + 4)], "run->words");
        }
        let end = (self.text_at + self.text_len + self.case.missing + last_len) as i64;
        let (dst_end, src_end) = match self.ahead {
            Some(ahead) => (Word::Pointer(ahead, shape.pass_len() as i64), Word::Pointer(ahead, shape.pass_len() as i64)),
            None => (Word::Pointer(self.dst, end), Word::Pointer(self.src, end)),
        };
        call.expect_pointer(run, RUN_DST, dst_end, "run->dst");
        call.expect_pointer(run, RUN_SRC, src_end, "run->src");
        if let Some(ahead) = self.ahead {
            let state = chacha20::blocks_after(&mut call.m.domain, &before[..BLOCK], shape.blocks);
            let stream = chacha20::encrypt(&mut call.m.domain, &state, &vec![0; BLOCK * shape.blocks]);
            call.expect(ahead, 0, &stream, "the next pass's key stream");
            call.expect_pointer(run, RUN_HASHED, Word::Pointer(ahead, 0), "run->hashed");
        }
        call.expect(run, RUN_APART, &[0; 32], "run->apart");
        if beside {
            call.expect_wiped(run, RUN_SINGLE, 16);
            call.expect_wiped(run, RUN_ROUNDS, 4);
        } else if shape.vector == 64 {
            call.expect(run, RUN_ROUNDS, &bits(self.case.missing as u64)[..32], "run->missing");
        }
        call.expect_wiped(run, RUN_SPILL, SPILL_LEN);
        if let Some((hashed, at)) = self.hashed {
            let end = (at + shape.hash_len() * self.case.passes) as i64;
            call.expect_pointer(run, RUN_HASHED, Word::Pointer(hashed, end), "run->hashed");
            call.expect_anything(run, RUN_H, H_LEN);
        }
        if self.case.beside.is_pair() {
            call.expect_wiped(run, RUN_MORE, 4 * BLOCK_LEN);
        }
        let more = match self.case.beside {
            Beside::Blocks if shape.vector == 64 => 4,
            Beside::Blocks => 1,
            Beside::EightBlocks => 8,
            _ => return,
        };
        let state = chacha20::blocks_after(&mut call.m.domain, &before[..BLOCK], shape.blocks);
        let stream = chacha20::encrypt(&mut call.m.domain, &state, &vec![0; BLOCK * more]);
        call.expect(run, RUN_MORE, &stream, "run->more");
        if more == 1 {
            call.expect_wiped(run, RUN_SINGLE, 16);
            call.expect_wiped(run, RUN_ROUNDS, 4);
        } else {
            call.expect_anything(run, RUN_MORE + BLOCK_LEN * more, BLOCK_LEN * (8 - more));
        }
    }

    /// The function has returned: has it done all passes?
    fn check(&mut self, before: &State) -> Result<()> {
        self.expect(before);
        self.call.check(before)?;
        if let (Some((region, at)), Some(accumulator)) = (self.hashed, &mut self.accumulator) {
            let bytes = &before.regions[region as usize].0[at..at + self.shape.hash_len() * self.case.passes];
            let want = accumulator.after(&self.call.m, &bytes.concat(), 1)?;
            accumulator.check(&self.call.m, &want)?;
        }
        Ok(())
    }
}

pub fn prove_columns(image: &Image, domain: Domain, shape: &Shape, case: &Case) -> Result<Machine> {
    let mut columns = Columns::new(image, domain, shape, case)?;
    columns.pass_arguments(Word::Number(case.passes as u64));
    let before = columns.call.m.save();
    columns.call.enter()?;
    columns.check(&before)?;
    Ok(columns.call.m)
}

// ---- Any number of passes ----

fn any_number_job(shape: &Shape, beside: Beside, in_place: bool) -> Job {
    let (what, passes) = match beside {
        Beside::Poly1305 => ("columns and Poly1305", 1),
        Beside::AnotherPass => ("columns in pairs", 2),
        Beside::AnotherPassAndProduct => ("columns in pairs, and a product", 2),
        _ => ("columns", 1),
    };
    let shape = shape.clone();
    Job {
        function: format!("lc_chacha20_columns_{}", shape.row),
        case: case(what, false, in_place),
        lengths: "any number of passes".into(),
        parts: whole(move |image| {
            let (mut domain, mut live) = (Domain::new(), None);
            for apart in [false, true] {
                let case = Case { passes, apart, in_place, beside, hashed_at: None, missing: 0, last_apart: false };
                let mut columns = Columns::new(image, domain, &shape, &case)?;
                live = Some(columns.any_number(live)?);
                domain = columns.call.m.domain;
            }
            Ok(2 * PROOFS)
        }),
    }
}

/// Entry, exit, step
const PROOFS: usize = 3;

impl Columns<'_> {
    /// By induction over the loop of passes: n passes are one pass, and then n - 1 passes from what it leaves in run.  (In pairs:
    /// n is even, and one is two.)
    ///
    /// Entry: a call for one pass does what the standard says, and leaves run'.
    ///
    /// Let H(run, n) be the state in which a call with run and n comes to the head of the loop; but only what is live of it, the
    /// rest being fresh variables.  The claim for n: from H(run, n), whatever run is, the function does n passes and returns.
    ///
    /// Exit: from H(run, 1) it does what the standard says of one pass, and returns.
    ///
    /// Step: from H(run, n), where n > 1, it comes to the head again.  The text is as a call for one pass leaves it.  The state is
    /// H(run', n - 1), for which the claim holds.
    ///
    /// What is live is found as in induction.rs: that in which the state after a turn agrees with that after an entry with run' and
    /// n - 1.  It is the same for a first block that is apart, as run' is as if there had been none.
    fn any_number(&mut self, live: Option<Live>) -> Result<Live> {
        let step = self.case.passes as i64;
        let one = Interval::one(step, step);
        let more = Interval { least: 2 * step, most: i64::MAX / self.shape.pass_len() as i64 & -step, step };
        let begin = self.call.m.save();
        let head = self.enter(&begin, more, 0, Stop::AtLoop)?.ok_or("no loop")?;
        let turned = self.call.m.save();

        self.enter(&begin, one, 0, Stop::Never)?;
        self.check(&begin)?;
        let left = self.call.m.save();
        let one_less = State { regions: left.regions.clone(), ..begin.clone() };
        self.enter(&one_less, more, step, Stop::At(head))?.ok_or("doesn't come to the loop")?;
        let next = self.call.m.save();
        let texts = [self.src as usize, self.dst as usize];
        let live = live.unwrap_or_else(|| Live::agreeing(&turned, &next, |region| texts.contains(&region)));

        if self.turn(&begin, one, head, &live)?.is_some() {
            return Err("one pass comes to the loop again".into());
        }
        self.check(&begin)?;

        self.turn(&begin, more, head, &live)?.ok_or("returned too early")?;
        let turned = self.call.m.save();
        for region in texts {
            let (got, want) = (turned.regions[region].0.concat(), left.regions[region].0.concat());
            same(&self.call.m, &got, &want, "text after a turn")?;
        }
        live.compare(&self.call.m, &turned, &next)?;
        Ok(live)
    }

    /// A call for so many passes, from what memory and registers are in a state
    fn enter(&mut self, from: &State, passes: Interval, less: i64, stop: Stop) -> Result<Option<u64>> {
        self.call.m.restore(from);
        self.call.m.lengths = passes;
        self.call.m.stop = stop;
        let number = if passes.count() == 1 { Word::Number((passes.least - less) as u64) } else { Word::Length(-less) };
        self.pass_arguments(number);
        self.call.enter()
    }

    /// From the head, in the state in which such a call comes there: where that ends
    fn turn(&mut self, begin: &State, passes: Interval, head: u64, live: &Live) -> Result<Option<u64>> {
        self.enter(begin, passes, 0, Stop::At(head))?.ok_or("doesn't come to the loop")?;
        let mut state = self.call.m.save();
        live.forget_others(&mut state, &mut self.call.m.domain);
        self.call.m.restore(&state);
        self.call.m.resume(self.call.image, head)
    }
}
