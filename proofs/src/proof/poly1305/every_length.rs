// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Scalar Poly1305, every length: induction over the blocks.
//!
//! A function is cut at its loop's head, where the loop ends, and for parts at the head of the outer loop as well.  Head(H, n) is
//! a set of states at the head: n blocks are still to come, 1 at least; the three words of h are any that are H modulo 2^130 - 5,
//! within the bound; what else the loop needs is as the entry left it, and so is memory; all other registers may hold anything.
//! End(H) is the same at the end.
//!
//! Claim: from Head(H, n) the code comes to End(H'), where H' is what becomes of H by these n blocks.
//!
//! Turn.  From Head(H, n), n > 1, it comes to Head(H', n - 1), where H' is what becomes of H by the first of them.
//!
//! Last turn.  From Head(H, 1) it comes to End(H').
//!
//! So a proof of a block is one of all blocks.  What is left is code that is run once: from the entry to Head(h, n), and from
//! End(H) to the return, where it is shown that these very words of h are stored, or that the tag is the one of these.
use super::*;

/// Of a call, in bytes or blocks.  An end of the message farther away is no address.
const LONGEST: i64 = 1 << 58;

pub fn jobs() -> Vec<Job> {
    let mut jobs = vec![];
    for row in ROWS {
        for pad in [0, 1] {
            let parts = whole(move |image| prove_blocks(image, row, pad));
            jobs.push(Job { function: function("blocks", row), case: format!("pad {pad}"), lengths: "every length".into(), parts });
        }
        for name in ["parts", "whole"] {
            let parts = whole(move |image| prove_parts(image, name, row));
            let case = format!("1..{MOST_PARTS} parts");
            jobs.push(Job { function: function(name, row), case, lengths: "every length".into(), parts });
        }
    }
    jobs
}

/// A function under proof
struct Induction<'a> {
    call: Call<'a>,
    field: Field,
    /// The text: no run sees more than a block of it.
    blocks: u32,
    pad: u64,
    /// Where h is at the head, in registers
    h: [usize; 3],
    /// The registers that keep what they hold from the entry to the end of the loops, or that are known otherwise
    kept: Vec<usize>,
    most_h2: u128,
    proofs: usize,
}

type Words = [[Bit; 64]; 3];

impl Induction<'_> {
    /// From a state to where it is to come
    fn run(&mut self, state: &State, lengths: Interval, from: u64, to: u64) -> Result<()> {
        let m = &mut self.call.m;
        m.restore(state);
        m.lengths = lengths;
        m.stop = Stop::At(to);
        m.resume(self.call.image, from)?.ok_or("returned too early")?;
        self.proofs += 1;
        Ok(())
    }

    /// The states that differ from this one in h, which may be any, and in registers of which nothing is said, which may be
    /// anything
    fn any(&mut self, known: &State) -> (State, Words) {
        let m = &mut self.call.m;
        let mut state = known.clone();
        for r in (0..16).filter(|r| !self.kept.contains(r)) {
            state.regs[r] = Word::Bits(Box::new(m.domain.vars("any", 64).try_into().unwrap()));
        }
        let h = [u64::MAX.into(), u64::MAX.into(), self.most_h2].map(|most| widened(&m.domain.number("h", most)));
        for (&register, word) in self.h.iter().zip(&h) {
            state.regs[register] = Word::Bits(Box::new(*word));
        }
        (state, h)
    }

    /// Now all is as in this state, but for h and registers of which nothing is said.
    fn check_kept(&self, want: &State) -> Result<()> {
        let m = &self.call.m;
        if let Some(r) = self.kept.iter().find(|&&r| m.regs[r] != want.regs[r]) {
            return Err(format!("in the loop, register {r} is {:?} instead of {:?}", m.regs[*r], want.regs[*r]));
        }
        for (region, (bytes, pointers)) in m.regions.iter().zip(&want.regions) {
            if (&region.bytes, &region.pointers) != (bytes, pointers) {
                return Err(format!("in the loop, {} is written to", region.name));
            }
        }
        Ok(())
    }

    fn h_now(&self) -> Result<Words> {
        let mut words = [[0; 64]; 3];
        for (word, &register) in words.iter_mut().zip(&self.h) {
            *word = self.call.m.bits_of(&self.call.m.regs[register])?;
        }
        Ok(words)
    }

    fn check_same_h(&self, h: &Words) -> Result<()> {
        same(&self.call.m, &self.h_now()?.concat(), &h.concat(), "h")
    }

    /// One block: from the head in such a state to the head again, or to the end of the loop
    fn turn(&mut self, state: &State, lengths: Interval, head: u64, to: u64, want: &State) -> Result<()> {
        let (state, h) = self.any(state);
        self.run(&state, lengths, head, to)?;
        self.check_kept(want)?;
        let before = number(&self.field, &self.call.m.domain, &h)?;
        let block = self.call.m.bytes(self.blocks, 0, BLOCK_LEN);
        let after = spec::blocks(&self.field, &self.call.m.domain, before, &block, self.pad)?;
        let h = self.h_now()?;
        check(&mut self.field, &self.call.m.domain, &h, &after, self.most_h2, "h after a block")
    }
}

fn every(least: i64, step: i64) -> Interval {
    Interval { least, most: LONGEST, step }
}

/// The state with other registers
fn with(state: &State, registers: &[(usize, Word)]) -> State {
    let mut state = state.clone();
    for (register, word) in registers {
        state.regs[*register] = word.clone();
    }
    state
}

// ---- Blocks ----

/// In lc_poly1305_blocks_<row>
mod in_blocks {
    use super::*;
    pub fn h(row: &str) -> [usize; 3] {
        [if row == "bmi2" { RAX } else { 10 }, R8, R9]
    }
    pub const MSG: usize = RSI;
    pub const LIMIT: usize = 13;
    /// state, msg, pad, s1, the limit, and those that nobody may change
    pub const KEPT: [usize; 8] = [RDI, MSG, RCX, 12, LIMIT, RSP, 14, 15];
}

fn prove_blocks(image: &Image, row: &str, pad: u64) -> Result<usize> {
    use in_blocks::*;
    let function = function("blocks", row);
    let mut call = Call::new(image, &function);
    let state = call.m.region("state", STATE_SIZE, true, 16);
    let msg = call.m.region("msg", BLOCK_LEN, false, 1);
    let field = Accumulator::new(&mut call.m, state, 0)?.field;
    let (head, end) = loops(image, &function)?[0];
    call.pointer(state);
    call.pointer(msg);
    call.argument(Word::Length(0));
    call.number(pad);
    let before = call.m.save();
    call.m.lengths = every(BLOCK_LEN as i64, BLOCK_LEN as i64);
    call.m.stop = Stop::At(head);
    call.enter()?.ok_or("no loop")?;
    let entered = call.m.save();
    let mut this = Induction { call, field, blocks: msg, pad, h: h(row), kept: KEPT.into(), most_h2: MOST_H2, proofs: 1 };
    let (begin, after) = (Word::Pointer(msg, 0), Word::Pointer(msg, BLOCK_LEN as i64));
    this.check_kept(&with(&entered, &[(MSG, begin), (LIMIT, Word::End(msg, 0))]))?;
    this.check_same_h(&words(&this.call.m, state, STATE_H))?;

    // X, a multiple of 16, is how many bytes are left, of which one block is seen.
    let turned = with(&entered, &[(MSG, after.clone())]);
    this.turn(&entered, every(2 * BLOCK_LEN as i64, BLOCK_LEN as i64), head, head, &turned)?;
    let (last, ended) = (with(&entered, &[(LIMIT, after.clone())]), with(&turned, &[(LIMIT, after)]));
    this.turn(&last, Interval::one(BLOCK_LEN as i64, BLOCK_LEN as i64), head, end, &ended)?;
    let (ended, h) = this.any(&ended);
    this.call.m.restore(&ended);
    this.call.expect(state, STATE_H, &h.concat(), "h");
    this.return_from(end, &before)?;
    Ok(this.proofs)
}

impl Induction<'_> {
    /// From the end of the loops to the return, where all is as expected and otherwise as it was before the call
    fn return_from(&mut self, end: u64, before: &State) -> Result<()> {
        self.call.m.stop = Stop::Never;
        self.call.m.resume(self.call.image, end)?;
        self.proofs += 1;
        self.call.check(before)
    }
}

/// A function's loops: head and end, the inner ones first
fn loops(image: &Image, function: &str) -> Result<Vec<(u64, u64)>> {
    let code = image.instructions(function)?;
    let back = code.iter().filter(|i| i.is_jcc_short_or_near() && i.near_branch_target() <= i.ip());
    Ok(back.map(|i| (i.near_branch_target(), i.next_ip())).collect())
}

// ---- Parts ----

/// In lc_poly1305_parts_<row> and lc_poly1305_whole_<row>
mod in_parts {
    use super::*;
    pub const H: [usize; 3] = H_REGISTERS;
    pub const PART: usize = RSI;
    pub const PARTS_END: usize = 11;
    pub const BLOCK: usize = 3;
    pub const NUM_BLOCKS: usize = 5;
    /// state or tag, the parts, s1, the key, and the stack
    pub const KEPT: [usize; 6] = [RDI, PART, PARTS_END, 14, 15, RSP];
}

/// For each number of parts: each has any number of blocks, X, which may be 0.  All of them are at the same place: nobody writes
/// there.
fn prove_parts(image: &Image, name: &str, row: &str) -> Result<usize> {
    (1..=MOST_PARTS).map(|num_parts| prove_num_parts(image, name, row, num_parts)).sum()
}

fn prove_num_parts(image: &Image, name: &str, row: &str, num_parts: usize) -> Result<usize> {
    use in_parts::*;
    let function = function(name, row);
    let mut call = Call::new(image, &function);
    call.m.domain.integers = true;
    let blocks = call.m.region("blocks", BLOCK_LEN, false, 1);
    let parts = call.m.region("parts", PART_SIZE * num_parts, false, 8);
    for i in 0..num_parts {
        call.m.poke_ptr(parts, (PART_SIZE * i) as i64, Word::Pointer(blocks, 0));
        call.m.poke_ptr(parts, (PART_SIZE * i + PART_NUM) as i64, Word::Length(0));
    }
    let whole = name == "whole";
    let (field, result, s) =
        if whole { pass_whole(&mut call, parts, num_parts)? } else { pass_state(&mut call, parts, num_parts)? };
    let (head, block_end, part_head, end) = match loops(image, &function)?[..] {
        [(head, block_end), (part_head, end)] => (head, block_end, part_head, end),
        _ => return Err("not two loops".into()),
    };
    let before = call.m.save();
    call.m.stop = Stop::At(part_head);
    call.enter()?.ok_or("no loop")?;
    let entered = call.m.save();
    let most_h2 = if whole { spec::MOST_H2 } else { MOST_H2 };
    let mut this = Induction { call, field, blocks, pad: 1, h: H, kept: KEPT.into(), most_h2, proofs: 1 };
    let part = |i: usize| (PART, Word::Pointer(parts, (PART_SIZE * i) as i64));
    this.check_kept(&with(&entered, &[part(0), (PARTS_END, part(num_parts).1)]))?;
    this.check_same_h(&if whole { [[0; 64]; 3] } else { words(&this.call.m, result, STATE_H) })?;

    for i in 0..num_parts {
        let (at_part, at_next) = (with(&entered, &[part(i)]), with(&entered, &[part(i + 1)]));
        let at_block = |n: i64, left| with(&at_next, &[(BLOCK, Word::Pointer(blocks, BLOCK_LEN as i64 * n)), (NUM_BLOCKS, left)]);
        // From the head of a part: to its blocks, or if there are none, to where they end
        let (any, h) = this.any(&at_part);
        this.run(&any, Interval::one(0, 1), part_head, block_end)?;
        this.check_kept(&at_next)?;
        this.check_same_h(&h)?;
        this.kept.extend([BLOCK, NUM_BLOCKS]);
        this.run(&any, every(1, 1), part_head, head)?;
        this.check_kept(&at_block(0, Word::Length(-1)))?;
        this.check_same_h(&h)?;
        // The blocks: X are left after this one.
        this.turn(&at_block(0, Word::Length(0)), every(1, 1), head, head, &at_block(1, Word::Length(-1)))?;
        this.turn(&at_block(0, Word::Number(0)), Interval::one(0, 1), head, block_end, &at_block(1, Word::Number(!0)))?;
        this.kept.truncate(KEPT.len());
        // The next part, or the end
        let (any, h) = this.any(&at_next);
        this.run(&any, every(0, 1), block_end, if i + 1 < num_parts { part_head } else { end })?;
        this.check_kept(&at_next)?;
        this.check_same_h(&h)?;
    }
    let (ended, h) = this.any(&with(&entered, &[part(num_parts)]));
    this.call.m.restore(&ended);
    let expected = if whole { spec::tag(&mut this.call.m.domain, [&h[0], &h[1], &h[2]], &s)? } else { h.concat() };
    this.call.expect(result, 0, &expected, "what comes of h");
    this.return_from(end, &before)?;
    Ok(this.proofs)
}

/// The arguments of lc_poly1305_parts_<row>; gives r, and the region of the state.
fn pass_state(call: &mut Call, parts: u32, num_parts: usize) -> Result<(Field, u32, Vec<Bit>)> {
    let state = call.m.region("state", STATE_SIZE, true, 16);
    call.pointer(state);
    call.pointer(parts);
    call.number(num_parts as u64);
    Ok((Accumulator::new(&mut call.m, state, 0)?.field, state, vec![]))
}

/// The arguments of lc_poly1305_whole_<row>; gives r, the region of the tag, and s.
fn pass_whole(call: &mut Call, parts: u32, num_parts: usize) -> Result<(Field, u32, Vec<Bit>)> {
    let tag = call.m.region("tag", TAG_LEN, true, 8);
    call.pointer(tag);
    call.pointer(parts);
    call.number(num_parts as u64);
    let (field, s) = pass_key(call)?;
    Ok((field, tag, s))
}
