// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Poly1305 with vectors, every length: induction over the loop that takes two groups of blocks in a turn.  No other loop has many.
//!
//! Head(H, Y) is a set of states at the head of that loop.  Y bytes of the message are still to come, from rsi to rcx: a multiple
//! of a group, and two groups at least; r13 is two groups before rcx.  In the lanes are limbs within bounds, and the lanes, each
//! times its own power of r, add up to H modulo 2^130 - 5.  The state has the powers for two groups, any that its contract
//! allows.  The vectors that the loop doesn't change are what an entry makes of these powers, or what the caller had there if it
//! doesn't use them.  Masks hold what is public.  Memory is as it was when the function was called, besides the caller's
//! registers, which are on the stack or, two of them, where they were.  All other registers may hold anything.
//!
//! Claim: from each state of Head(H, Y) the function returns, having done what a call for the hash H and those Y bytes has to do.
//! What registers held at the head is gone then, whatever it was.
//!
//! Turn.  From Head(H, Y) it returns and has done so, or it comes to Head(H', Y - two groups), where H' is the hash after two
//! groups.
//!
//! Entry.  A call with the powers for two groups returns and has done what it should, or it comes to Head(H, Y), where H is the
//! hash after all but Y bytes.  With less powers it returns, too, or else it has made those powers when it comes to the head.
//! Then all is as if they had been there before: the same call with these powers leads to the same state.
//!
//! Lengths are intervals.  Where the code decides by them, an interval is cut in two, and none is lost but by a proof.
use super::*;
use iced_x86::{Instruction, Register};

/// Of a call's length.  An end of the message farther away is no address.
const LONGEST: i64 = 1 << 60;
/// So much of the message is looked at.
const WINDOW: usize = 4096;
/// An interval of up to so many lengths may be taken one by one.
const MAX_SINGLES: i64 = 64;

const MSG: usize = RSI;
const END: usize = RCX;
const LIMIT: usize = 13;
/// As they were when the function was called, less what is on the stack: the state's pointer, the stack's, r14 and r15
const KEPT: [usize; 4] = [RDI, RSP, 14, 15];

pub(super) fn prove(image: &Image, layout: &'static Layout, num_powers: u32) -> Result<usize> {
    let setup = Setup::new(image, Domain::new(), layout, num_powers, WINDOW)?;
    let begin = setup.call.m.save();
    let code = image.instructions(layout.function)?;
    let has = |i: &Instruction, register| (0..i.op_count()).any(|n| i.op_register(n).full_register() == register);
    let is_used = |v: usize| code.iter().any(|i| has(i, Register::ZMM0 + v as u32));
    let kept = (0..32).filter(|v| layout.kept.contains(v) || !is_used(*v)).collect();
    let mut induction = Induction { setup, image, num_powers, begin, head: 0, kept, proofs: 0 };
    induction.find_head()?;
    let entered = induction.entered(Interval { least: LONGEST / 2, most: LONGEST, step: induction.two_groups() }, 0)?;
    for residue in (0..induction.two_groups()).step_by(16) {
        let shortest = if residue == 0 { induction.two_groups() } else { 0 };
        let lengths = Interval { least: shortest, most: LONGEST, step: induction.two_groups() };
        induction.cover(lengths, |induction, piece| induction.entry(&entered, piece, residue))?;
    }
    if num_powers == 2 * layout.group {
        let head = induction.any_head(&entered);
        let hash = induction.lanes_hash()?;
        let lengths = Interval { least: induction.two_groups(), most: LONGEST, step: induction.two_groups() / 2 };
        induction.cover(lengths, |induction, piece| induction.turn(&head, &hash, piece))?;
    }
    Ok(induction.proofs)
}

struct Induction<'a> {
    setup: Setup<'a>,
    image: &'a Image,
    num_powers: u32,
    /// Before a call, without arguments
    begin: State,
    /// The address of the loop's head
    head: u64,
    /// The vectors that the loop doesn't change
    kept: Vec<usize>,
    proofs: usize,
}

impl Induction<'_> {
    /// In bytes
    fn two_groups(&self) -> i64 {
        32 * self.setup.layout.group as i64
    }

    /// Prove all of an interval: as a whole, or cut to pieces.
    fn cover(&mut self, all: Interval, mut prove: impl FnMut(&mut Self, Interval) -> Result<()>) -> Result<()> {
        self.proofs += all.cover(MAX_SINGLES, 0, |piece| {
            self.setup.call.m.cut = None;
            prove(self, piece).map_err(|error| (error, self.setup.call.m.cut))
        })?;
        Ok(())
    }

    /// A state for lengths of which the least has so many bytes of text
    fn prepare(&mut self, state: &State, lengths: Interval, msg_len: i64) {
        let m = &mut self.setup.call.m;
        m.restore(state);
        m.lengths = lengths;
        m.regions[self.setup.msg.0 as usize].bytes.truncate(msg_len as usize);
    }

    /// The head is where the code first goes back because of a length.
    fn find_head(&mut self) -> Result<()> {
        let lengths = Interval { least: LONGEST / 2, most: LONGEST, step: self.two_groups() };
        self.setup.call.m.stop = Stop::AtLoop;
        self.head = self.call(lengths, 0)?.ok_or("no loop")?;
        Ok(())
    }

    /// A call for X + residue bytes, from the state before it
    fn call(&mut self, lengths: Interval, residue: i64) -> Result<Option<u64>> {
        let begin = self.begin.clone();
        self.call_from(&begin, lengths, residue)
    }

    fn call_from(&mut self, begin: &State, lengths: Interval, residue: i64) -> Result<Option<u64>> {
        self.prepare(begin, lengths, lengths.least + residue);
        self.setup.pass(Word::Length(residue), 1);
        let call = &mut self.setup.call;
        call.enter()
    }

    /// The state at the head after such a call
    fn entered(&mut self, lengths: Interval, residue: i64) -> Result<State> {
        self.setup.call.m.stop = Stop::At(self.head);
        self.call(lengths, residue)?.ok_or("returned")?;
        Ok(self.setup.call.m.save())
    }

    fn entry(&mut self, known: &State, lengths: Interval, residue: i64) -> Result<()> {
        let state = match self.entered(lengths, residue) {
            Err(_) if lengths.count() == 1 => {
                let len = (lengths.least + residue) as usize;
                let setup = Setup::new(self.image, Domain::new(), self.setup.layout, self.num_powers, len)?;
                return super::prove(setup, len, 1).map(|_| ());
            }
            state => state?,
        };
        if self.num_powers == 2 * self.setup.layout.group {
            let before = self.setup.accumulator.before.clone();
            return self.check_head(known, &before, self.setup.layout.first_bounds);
        }
        let Setup { call, accumulator, layout, state: region, .. } = &mut self.setup;
        if check_powers(&mut call.m, &mut accumulator.field, *region, layout)? != 2 * layout.group {
            return Err("at the head, there are no powers for two groups".into());
        }
        let mut begin = self.begin.clone();
        let (had, has) = (&mut begin.regions[*region as usize], &state.regions[*region as usize]);
        had.0[STATE_NUM_POWERS..STATE_NUM_POWERS + 4].copy_from_slice(&has.0[STATE_NUM_POWERS..STATE_NUM_POWERS + 4]);
        had.0[STATE_POWERS..].copy_from_slice(&has.0[STATE_POWERS..]);
        self.call_from(&begin, lengths, residue)?.ok_or("returned")?;
        let again = self.setup.call.m.save();
        let limbs = 0..self.setup.layout.places.len();
        for vector in limbs.chain(self.kept.clone()) {
            let what = format!("vector {vector} at the head, if the powers are known,");
            same(&self.setup.call.m, &again.vectors[vector], &state.vectors[vector], &what)?;
        }
        if KEPT.iter().chain(&[MSG, END, LIMIT]).any(|&r| again.regs[r] != state.regs[r]) || again.regions != state.regions {
            return Err("at the head a register or memory is another if the powers are known".into());
        }
        check_masks(&self.setup.call.m, &state.masks, known)
    }

    /// Is it a state of Head(H, Y) for all these lengths, where H is what becomes of `before` by the message up to rsi?
    fn check_head(&mut self, known: &State, before: &Polynomial, bounds: &[u128]) -> Result<()> {
        let (two_groups, m) = (self.two_groups(), &self.setup.call.m);
        let (at, end) = match (&m.regs[MSG], &m.regs[END]) {
            (&Word::Pointer(msg, at), &Word::End(region, end)) if msg == self.setup.msg.0 && region == msg => (at, end),
            other => return Err(format!("at the head, rsi and rcx are {other:?}")),
        };
        let left = m.lengths.least + end - at;
        if at <= 0 || left < two_groups || left % (two_groups / 2) != 0 || m.lengths.step % (two_groups / 2) != 0 {
            return Err(format!("{left} bytes are left at the head"));
        }
        if m.regs[LIMIT] != Word::End(self.setup.msg.0, end - two_groups) || KEPT.iter().any(|&r| m.regs[r] != known.regs[r]) {
            return Err("at the head, a register is another".into());
        }
        if m.upper_in_use && !known.upper_in_use {
            return Err("at the head, upper halves of vectors are in use".into());
        }
        for &vector in &self.kept {
            same(m, &m.vectors[vector], &known.vectors[vector], &format!("at the head, vector {vector}"))?;
        }
        for (number, region) in m.regions.iter().enumerate().filter(|(number, _)| *number != self.setup.msg.0 as usize) {
            if (&region.bytes, &region.pointers) != (&known.regions[number].0, &known.regions[number].1) {
                return Err(format!("at the head, {} is another", region.name));
            }
        }
        check_masks(m, &m.masks, known)?;
        for (limb, &bound) in bounds.iter().enumerate() {
            let largest = m.vectors[limb].chunks(64).take(self.setup.layout.lanes.len()).map(|lane| m.domain.bound(lane)).max();
            if largest >= Some(bound) {
                return Err(format!("at the head, limb {limb} may be up to {largest:x?}"));
            }
        }
        let (got, want) = (self.lanes_hash()?, self.setup.hash_after(before, at as usize, 1)?);
        self.setup.accumulator.field.congruent(&self.setup.call.m.domain, &got, &want, "the lanes at the head")
    }

    /// The sum of the lanes, each times its power of r
    fn lanes_hash(&self) -> Result<Polynomial> {
        let (m, layout) = (&self.setup.call.m, self.setup.layout);
        let mut sum = Polynomial::default();
        for (lane, &exponent) in layout.lanes.iter().enumerate() {
            let limbs = layout.places.iter().enumerate().map(|(limb, &place)| (place, &m.vectors[limb][64 * lane..64 * lane + 64]));
            let number = self.setup.accumulator.field.number(&m.domain, &limbs.collect::<Vec<_>>())?;
            sum.add(Residue::ONE, &number.times(&Polynomial::power_of_r(exponent)));
        }
        Ok(sum)
    }

    /// All of Head(H, Y) at once, for some H, made of a state that a call has led to; but for rsi, rcx and r13
    fn any_head(&mut self, known: &State) -> State {
        let (layout, m) = (self.setup.layout, &mut self.setup.call.m);
        m.restore(known);
        for r in (0..16).filter(|r| !KEPT.contains(r)) {
            m.regs[r] = Word::Bits(Box::new(m.domain.vars("any", 64).try_into().unwrap()));
        }
        for vector in (0..32).filter(|vector| !self.kept.contains(vector)) {
            m.vectors[vector] = m.domain.vars("any", 512).try_into().unwrap();
        }
        for mask in &mut m.masks {
            *mask = m.domain.vars("any", 64).try_into().unwrap();
        }
        for (limb, bound) in layout.first_bounds.iter().enumerate() {
            for lane in 0..layout.lanes.len() {
                let any = m.domain.number(&format!("limb {limb} of lane {lane}"), bound - 1);
                m.vectors[limb][64 * lane..64 * lane + 64].copy_from_slice(&widened(&any));
            }
        }
        let state = m.save();
        self.setup.call.public(&state.masks.concat());
        state
    }

    fn turn(&mut self, head: &State, hash: &Polynomial, lengths: Interval) -> Result<()> {
        let (msg, single) = (self.setup.msg.0, lengths.count() == 1);
        self.prepare(head, lengths, lengths.least);
        let two_groups = self.two_groups();
        let m = &mut self.setup.call.m;
        let end = |o: i64| if single { Word::Pointer(msg, lengths.least + o) } else { Word::End(msg, o) };
        m.regs[MSG] = Word::Pointer(msg, 0);
        m.regs[END] = end(0);
        m.regs[LIMIT] = end(-two_groups);
        m.stop = if single { Stop::Never } else { Stop::At(self.head) };
        let before = m.save();
        match m.resume(self.image, self.head)? {
            None if single => {
                self.setup.call.check_memory(&before)?;
                self.setup.call.check_leftovers(&self.begin)?;
                self.setup.check_state(hash, lengths.least as usize, 1)
            }
            None => Err("returned".into()),
            Some(_) => self.check_head(&before, hash, self.setup.layout.carried_bounds),
        }
    }
}

/// Masks hold numbers, or what they held in another state, where all that was public.
fn check_masks(m: &Machine, masks: &[[Bit; 64]], known: &State) -> Result<()> {
    let is_public = |(mask, known): (&[Bit; 64], &[Bit; 64])| mask == known || m.domain.constant(mask).is_some();
    match masks.iter().zip(&known.masks).all(is_public) {
        true => Ok(()),
        false => Err("at the head, a mask holds data".into()),
    }
}
