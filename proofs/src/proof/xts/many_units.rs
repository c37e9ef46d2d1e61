// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! XTS over any number of units of any length, by induction.
//!
//! # Heads
//!
//! There are three places of which something is claimed:
//!
//!   between   a unit has been done, and something is left
//!   unit      it is known how long the next unit is, and what is its first tweak
//!   group     in a unit, before each of its groups
//!
//! A state at one of them depends on what is left of the unit and after it, on the tweak that comes next, on the batch (the first
//! tweaks of units to come, which were encrypted at once), on how many of these have been used, and on the iv with which the next
//! batch begins (struct Position).  The claim is that whoever is there does with the text what the standard says, and returns as
//! it should.  That a tweak of the batch is that of an iv is no part of it: batches may hold anything.
//!
//! The states are found by running the code, as in induction.rs: between units, it is the one to which the entry leads with the
//! ivs of the next batch, but for the batch and the number of used tweaks, which are put into struct lc_xts_units; the others are
//! those to which that leads.  What is live is found by comparing, too: if it is too little or too much, a step fails.
//!
//! # Steps
//!
//! The entry leads to `between` with nothing done and a batch of the first units' tweaks.  From each head the function returns,
//! having done what it should, or comes to a head having done some text as it should, and there it is in a state for which there
//! is a claim.  Each step does some text, but from `between` to `unit`, and from there to `group`.  So all text gets done.
//!
//! # Lengths
//!
//! There are three unknown lengths.  X, an interval that is cut as in induction.rs, is what is left of the unit.  The length of a
//! unit and what is left after this one are amounts: the code asks only which of them is more, and whether anything is left.  So
//! they are proved in each order that there is.  Between units X is the length of the unit that comes; in a unit, nothing needs to
//! be known of a unit's length but when another one begins among the rounds of a group.  That one is as long as this one has been,
//! which is X or more.
use super::*;
use crate::induction::*;
use std::cmp::Ordering;

/// LC_XTS_MAX_LEN
const MAX_LEN: i64 = 1 << 24;
/// Entries of struct lc_xts_units' `tweak`
const MAX_BATCH: usize = 16;

const UNIT_LEN: Word = Word::Amount(Amount::Unit);
const LEFT: Word = Word::Amount(Amount::Left);
const LEFT_LESS: Word = Word::Amount(Amount::LeftLess);
const NOTHING: Word = Word::Number(0);
/// X
const WHOLE: Word = Word::Length(0);

/// All lengths of a unit
const LENGTHS: Interval = Interval { least: 16, most: MAX_LEN, step: 1 };

/// What a state at a head depends on, besides X
#[derive(Clone)]
struct Position {
    /// The next tweak of the unit, if in one
    tweak: Vec<Bit>,
    /// struct lc_xts_units' index: 16 for each used tweak of the batch
    index: Vec<Bit>,
    /// Another batch has been made since the beginning of the step.
    other_batch: bool,
    /// Bytes after this unit
    left: Word,
}

/// A place in the code of which there is a claim, and what is live there
struct Head {
    address: u64,
    live: Live,
}

/// They are found in this order, so these are their places in Proof::heads.  From GROUP on, there is one for each length modulo 16.
const BETWEEN: usize = 0;
const UNIT: usize = 1;
const GROUP: usize = 2;

struct Proof<'a> {
    call: Call<'a>,
    function: Function,
    text: Text,
    key: u32,
    units: u32,
    tweak_schedule: Vec<Bit>,
    data_schedule: Vec<Bit>,
    begin: State,
    /// What the entry leads to between units: with any first iv, and with the one that comes a batch later
    entered: Vec<State>,
    /// Any batch, and the one that is made after it
    batches: [Vec<Vec<Bit>>; 2],
    /// Bytes of a group
    group_len: usize,
    heads: Vec<Head>,
    /// Any values, for what isn't live
    dead: State,
    /// No comparison has changed what is live since all proofs were begun.
    is_settled: bool,
    proofs: usize,
}

pub(super) fn job(function: &Function, key: &str, effort: Effort) -> Job {
    let this = function.clone();
    let tails = tails(effort);
    Job {
        function: function.name.clone(),
        case: format!("{key}, units"),
        lengths: format!("{}, every number", tails_text(&tails)),
        parts: whole(move |image| prove(image, &this, &tails)),
    }
}

/// Units of lengths that are one of `tails` modulo 16
pub fn prove(image: &Image, function: &Function, tails: &[i64]) -> Result<usize> {
    let mut proof = Proof::new(image, function);
    proof.find_between()?;
    proof.find_unit()?;
    (0..16).try_for_each(|tail| proof.find_group(tail))?;
    while !proof.prove_all(tails)? {}
    Ok(proof.proofs)
}

impl<'a> Proof<'a> {
    fn new(image: &'a Image, function: &Function) -> Proof<'a> {
        let mut call = Call::new(image, &function.name);
        let key = call.m.region("key", KEY_SIZE, false, 16);
        call.m.poke(key, KEY_ROUNDS, function.rounds as u64, 4);
        let units = call.m.region("units", UNITS_SIZE, true, 16);
        call.m.poke_ptr(units, UNITS_LEN as i64, UNIT_LEN);
        let text = Text::new(&mut call, function.in_place);
        let (tweak_schedule, data_schedule) = schedules(&call.m, function, key);
        let begin = call.m.save();
        let dead = Live::agreeing(&begin, &begin, |region| text.is_in(region)).any(&mut call.m.domain);
        Proof {
            call,
            function: function.clone(),
            text,
            key,
            units,
            tweak_schedule,
            data_schedule,
            begin,
            entered: vec![],
            batches: [vec![], vec![]],
            group_len: 0,
            heads: vec![],
            dead,
            is_settled: true,
            proofs: 0,
        }
    }

    // ---- Runs ----

    /// All is as in that state.  There is so much text, and this order of amounts.
    fn prepare(&mut self, state: &State, lengths: Interval, text_len: usize, ascending: &[Word]) {
        self.call.again();
        self.call.m.restore(&numbers_if_one(lengths, state));
        self.call.m.lengths = lengths;
        self.call.m.ascending = ascending.to_vec();
        self.text.open(&mut self.call.m, 0, text_len);
    }

    /// Go on from a head to that stop.  What was there before, and where it is.
    fn go(&mut self, head: usize, stop: Stop) -> Result<(State, Option<u64>)> {
        let before = self.call.m.save();
        self.call.m.stop = stop;
        let stopped = self.call.m.resume(self.call.image, self.heads[head].address)?;
        Ok((before, stopped))
    }

    /// Enter the function with units of that length and the first of those ivs, and go to that stop.
    fn enter(&mut self, unit: Word, ivs: &[Vec<Bit>], stop: Stop) -> Result<(State, u64)> {
        for (i, iv) in ivs[..4].iter().enumerate() {
            self.call.m.poke_bits(self.units, UNITS_IV + 16 * i, iv);
        }
        for (i, step) in steps(&mut self.call.m.domain).iter().enumerate() {
            self.call.m.poke_bits(self.units, UNITS_STEP + 16 * i, step);
            self.call.m.poke(self.units, UNITS_STEP + 16 * i + 8, 0, 8);
        }
        self.call.m.poke_ptr(self.units, UNITS_LEN as i64, unit);
        let (dst, src) = self.text.at(0);
        self.call.pointer(self.key);
        self.call.argument(dst);
        self.call.argument(src);
        self.call.argument(LEFT);
        self.call.pointer(self.units);
        self.call.number_32(UNITS);
        let before = self.call.m.save();
        self.call.m.stop = stop;
        let stopped = self.call.enter()?;
        Ok((before, stopped.ok_or("returned")?))
    }

    /// Since `before`, so much text has become what the standard says, and nothing else has been written to that counts.
    fn check(&mut self, before: &State, tweak: &[Bit], done: usize) -> Result<()> {
        if done > 0 {
            let output = self.crypt(tweak, done).0;
            self.call.expect(self.text.dst, 0, &output, "dst");
        }
        self.call.expect_anything(self.units, UNITS_INDEX, 4);
        self.call.expect_anything(self.units, UNITS_IV, UNITS_STEP - UNITS_IV);
        self.call.expect_anything(self.units, UNITS_TWEAK, UNITS_SIZE - UNITS_TWEAK);
        self.call.check_memory(before)
    }

    /// Output for so much text, and the tweak after it
    fn crypt(&mut self, tweak: &[Bit], len: usize) -> (Vec<Bit>, Vec<Bit>) {
        let (schedule, rounds, decrypt) = (&self.data_schedule[..], self.function.rounds, self.function.decrypt);
        xts::unit(&mut self.call.m.domain, &xts::DataKey { schedule, rounds, decrypt }, tweak, &self.text.input_of(len))
    }

    /// A state at a head, in which so much text has been done, has to be the one for which there is a claim.  Where they differ,
    /// nothing is live: then the claim is for more states, and all has to be proved again.
    fn compare(&mut self, head: usize, mut came: State, mut claimed: State, left: &Word, done: usize) {
        if *left == NOTHING {
            // Nobody needs the struct any more.
            came.regions[self.units as usize] = claimed.regions[self.units as usize].clone();
        }
        self.move_text(&mut claimed, done as i64);
        let live = self.heads[head].live.and(&self.agreeing(&came, &claimed));
        self.is_settled &= live == self.heads[head].live;
        self.heads[head].live = live
    }

    // ---- States ----

    /// The text is so many bytes further.
    fn move_text(&self, state: &mut State, by: i64) {
        for word in state.regs.iter_mut() {
            match word {
                Word::Pointer(region, offset) if self.text.is_in(*region as usize) => *offset += by,
                _ => {}
            }
        }
    }

    fn set_unit(&self, state: &mut State, unit: Word) {
        state.regions[self.units as usize].1.insert(UNITS_LEN as i64, unit);
    }

    fn forget_dead(&self, head: usize, state: &mut State) {
        self.heads[head].live.replace_others(state, &self.dead)
    }

    fn anywhere(&mut self, left: Word) -> Position {
        let (tweak, index) = (self.call.m.domain.named("tweak", 128), self.call.m.domain.named("index", 32));
        Position { tweak, index, other_batch: false, left }
    }

    /// The beginning of a unit for which tweak number i of a batch was taken
    fn with_tweak(&self, i: usize, left: Word) -> Position {
        let [batch, _] = &self.batches;
        let used = (i + 1) % batch.len();
        Position { tweak: batch[i].clone(), index: spec::num(16 * used as u64, 32), other_batch: used == 0, left }
    }

    /// The state between units
    fn between(&self, at: &Position) -> State {
        let mut state = renamed(self.entered[at.other_batch as usize].clone(), &LEFT, &at.left);
        let bytes = &mut state.regions[self.units as usize].0;
        let batch = self.batches[at.other_batch as usize].concat();
        for (offset, bits) in [(UNITS_INDEX, &at.index), (UNITS_TWEAK, &batch)] {
            for (byte, bits) in bytes[offset..].iter_mut().zip(bits.chunks(8)) {
                byte.copy_from_slice(bits)
            }
        }
        state
    }

    /// The state in which a unit of X bytes begins: what comes of the first tweak of a batch, with other contents of the struct
    fn unit(&mut self, at: &Position) -> Result<State> {
        let mut state = self.between(&Position { index: spec::num(0, 32), other_batch: false, left: LEFT, ..at.clone() });
        self.forget_dead(BETWEEN, &mut state);
        self.set_unit(&mut state, WHOLE);
        self.prepare(&state, LENGTHS, 0, &[WHOLE, LEFT]);
        self.call.m.poke_bits(self.units, UNITS_TWEAK, &at.tweak);
        self.go(BETWEEN, Stop::At(self.heads[UNIT].address))?.1.ok_or("doesn't come to a unit")?;
        let mut state = renamed(self.call.m.save(), &LEFT_LESS, &at.left);
        state.regions[self.units as usize] = self.between(at).regions.swap_remove(self.units as usize);
        Ok(state)
    }

    /// A unit of X + more bytes begins
    fn unit_of(&mut self, at: &Position, more: i64) -> Result<State> {
        let mut state = self.unit(at)?;
        self.forget_dead(UNIT, &mut state);
        for word in &mut state.regs {
            if let Word::Length(o) = word {
                *o += more
            }
        }
        Ok(state)
    }

    /// The state before groups of a unit of which X + tail - less bytes are left
    fn group(&mut self, at: &Position, tail: i64, less: usize) -> Result<State> {
        let state = self.unit_of(at, tail - less as i64)?;
        self.prepare(&state, upper_half(lengths(tail)), WINDOW, &[]);
        self.go(UNIT, Stop::At(self.heads[group_head(tail)].address))?.1.ok_or("doesn't come to a group")?;
        Ok(self.call.m.save())
    }

    // ---- Heads ----

    /// Between units: where the code goes because something is left, when a unit has been done
    fn find_between(&mut self) -> Result<()> {
        let begin = self.begin.clone();
        let ivs = ivs(&mut self.call.m.domain, 2 * MAX_BATCH + 4);
        self.prepare(&begin, LENGTHS, 16, &[Word::Number(16), LEFT]);
        let (_, address) = self.enter(Word::Number(16), &ivs, Stop::ByAmount)?;
        self.add_head(address);
        let entered = self.enter_between(&ivs)?;
        self.entered.push(entered);
        let mut tweaks = vec![];
        for iv in &ivs {
            tweaks.push(xts::first_tweak(&mut self.call.m.domain, &self.tweak_schedule, self.function.rounds, iv));
        }
        let (first, _) = &self.entered[0].regions[self.units as usize];
        let is_in_batch = |(i, tweak): &(usize, &Vec<Bit>)| first[UNITS_TWEAK + 16 * i..][..16].concat() == **tweak;
        let batch_len = tweaks[..MAX_BATCH].iter().enumerate().take_while(is_in_batch).count();
        if batch_len == 0 || first[UNITS_INDEX..UNITS_INDEX + 4].concat() != spec::num(0, 32) {
            return Err("the entry doesn't lead to a batch of the first tweaks".into());
        }
        let entered = self.enter_between(&ivs[batch_len..])?;
        self.entered.push(entered);
        let any = self.call.m.domain.named("batch", 128 * batch_len).chunks(128).map(|tweak| tweak.to_vec()).collect();
        self.batches = [any, tweaks[batch_len..2 * batch_len].to_vec()];
        Ok(())
    }

    /// The state between units to which the entry leads with these ivs
    fn enter_between(&mut self, ivs: &[Vec<Bit>]) -> Result<State> {
        let begin = self.begin.clone();
        self.prepare(&begin, LENGTHS, 0, &[]);
        let head = Stop::At(self.heads[BETWEEN].address);
        let (before, _) = self.enter(UNIT_LEN, ivs, head)?;
        // The first time there is no batch yet.  It makes one and comes again.
        self.go(BETWEEN, head)?.1.ok_or("returned")?;
        self.check(&before, &[], 0)?;
        Ok(self.call.m.save())
    }

    /// A unit's beginning: where the code first goes back
    fn find_unit(&mut self) -> Result<()> {
        let (address, _) = self.begin_unit(0, Ordering::Greater, Stop::GoingBack)?;
        self.add_head(address);
        Ok(())
    }

    /// The loop in units of that length modulo 16
    fn find_group(&mut self, tail: i64) -> Result<()> {
        let at = self.anywhere(LEFT);
        let great = upper_half(lengths(tail));
        let state = self.unit_of(&at, tail)?;
        self.prepare(&state, great, WINDOW, &[]);
        let address = self.go(UNIT, Stop::AtLoop)?.1.ok_or("no loop in a unit")?;
        self.add_head(address);
        // A second turn says how much text it does.
        let state = self.group(&at, tail, 0)?;
        self.prepare(&state, great, WINDOW, &[]);
        self.go(group_head(tail), Stop::At(address))?.1.ok_or("the loop has no second turn")?;
        let turned = self.call.m.save();
        let (_, done) = self.text.progress(&state, &turned).ok_or("a turn doesn't move on")?;
        self.group_len = done;
        Ok(())
    }

    /// All is live until a comparison says that it isn't.
    fn add_head(&mut self, address: u64) {
        let live = self.agreeing(&self.begin, &self.begin);
        self.heads.push(Head { address, live })
    }

    fn agreeing(&self, a: &State, b: &State) -> Live {
        Live::agreeing(a, b, |region| self.text.is_in(region))
    }

    // ---- Steps ----

    /// From between units to the next one, X bytes, of which tweak number i of the batch is the first.  What is left begins with
    /// it, and compares like that with the length of a unit.
    fn begin_unit(&mut self, i: usize, order: Ordering, stop: Stop) -> Result<(u64, State)> {
        let (unit, left, ascending) = match order {
            Ordering::Less => (UNIT_LEN, WHOLE, vec![WHOLE, UNIT_LEN]),
            Ordering::Equal => (WHOLE, WHOLE, vec![]),
            Ordering::Greater => (WHOLE, LEFT, vec![WHOLE, LEFT]),
        };
        let at = Position { index: spec::num(16 * i as u64, 32), ..self.anywhere(left) };
        let mut state = self.between(&at);
        self.forget_dead(BETWEEN, &mut state);
        self.set_unit(&mut state, unit);
        self.prepare(&state, LENGTHS, 0, &ascending);
        let (before, stopped) = self.go(BETWEEN, stop)?;
        self.check(&before, &[], 0)?;
        let mut came = self.call.m.save();
        self.set_unit(&mut came, UNIT_LEN);
        Ok((stopped.ok_or("returned though something is left")?, came))
    }

    /// False: by then less is live than in the beginning.  All is to be proved again.
    fn prove_all(&mut self, tails: &[i64]) -> Result<bool> {
        self.proofs = 0;
        self.is_settled = true;
        self.prove_between()?;
        for &tail in tails {
            if self.is_settled {
                self.prove_units(tail).map_err(|e| format!("length = {tail} mod 16: {e}"))?;
            }
        }
        Ok(self.is_settled)
    }

    fn prove_between(&mut self) -> Result<()> {
        for i in 0..self.batches[0].len() {
            for (order, left) in [(Ordering::Less, NOTHING), (Ordering::Equal, NOTHING), (Ordering::Greater, LEFT_LESS)] {
                let step = |proof: &mut Self| -> Result<()> {
                    let (_, came) = proof.begin_unit(i, order, Stop::At(proof.heads[UNIT].address))?;
                    let claimed = proof.unit(&proof.with_tweak(i, left.clone()))?;
                    proof.compare(UNIT, came, claimed, &left, 0);
                    Ok(())
                };
                step(self).map_err(|e| format!("unit {i} of a batch, what is left is {order:?}: {e}"))?;
                self.proofs += 1;
            }
        }
        Ok(())
    }

    /// Units of each length that is `tail` modulo 16, the last one or another
    fn prove_units(&mut self, tail: i64) -> Result<()> {
        let mut looped = vec![];
        for left in [NOTHING, LEFT] {
            let mut pieces = vec![];
            self.cover(lengths(tail), tail, |proof, lengths| {
                if proof.begins(lengths, tail, &left)? {
                    pieces.push(lengths)
                }
                Ok(())
            })?;
            looped.push(joined(pieces)?);
        }
        if looped[0] != looped[1] || looped[0].most != lengths(tail).most {
            return Err(format!("{looped:?} come to the loop"));
        }
        // A unit that comes to the loop may be longer than what a turn leaves of another one.
        let claimed = Interval { least: every_length::least_claim(&self.function, tail, self.group_len as i64), ..looped[0] };
        if claimed.least > looped[0].least {
            return Err(format!("{looped:?} come to the loop"));
        }
        for left in [NOTHING, LEFT] {
            self.cover(claimed, tail, |proof, lengths| proof.turns(claimed, lengths, tail, &left))?;
        }
        Ok(())
    }

    fn cover(&mut self, all: Interval, tail: i64, prove: impl FnMut(&mut Self, Interval) -> Result<()>) -> Result<()> {
        self.proofs += cover(self, |proof| &mut proof.call.m, all, tail, prove)?;
        Ok(())
    }

    /// From a unit's beginning.  Does it come to its groups?
    fn begins(&mut self, lengths: Interval, tail: i64, left: &Word) -> Result<bool> {
        let at = self.anywhere(left.clone());
        let state = self.unit_of(&at, tail)?;
        let (before, stopped) = self.go_on(UNIT, &state, lengths, tail, &[])?;
        if stopped != Some(self.heads[group_head(tail)].address) {
            self.unit_done(lengths, tail, &at, &before, stopped)?;
            return Ok(false);
        }
        self.check(&before, &[], 0)?;
        let came = self.call.m.save();
        let claimed = self.group(&at, tail, 0)?;
        self.compare(group_head(tail), came, numbers_if_one(lengths, &claimed), left, 0);
        Ok(true)
    }

    /// From before a group, where there is a claim for so many X
    fn turns(&mut self, claimed: Interval, lengths: Interval, tail: i64, left: &Word) -> Result<()> {
        let at = self.anywhere(left.clone());
        match self.turn(claimed, lengths, tail, &at, &[]) {
            Err(_) if lengths.count() == 1 && *left == LEFT => {
                // It needs to know whether this was a batch's last tweak, and whether another whole unit is left.
                for i in 0..self.batches[0].len() {
                    for (left, ascending) in [(LEFT, vec![LEFT, UNIT_LEN]), (UNIT_LEN, vec![]), (LEFT, vec![UNIT_LEN, LEFT])] {
                        let at = Position { index: spec::num(16 * i as u64, 32), left, ..at.clone() };
                        self.turn(claimed, lengths, tail, &at, &ascending)?;
                        self.proofs += 1;
                    }
                }
                Ok(())
            }
            result => result,
        }
    }

    fn turn(&mut self, claimed: Interval, lengths: Interval, tail: i64, at: &Position, ascending: &[Word]) -> Result<()> {
        let head = group_head(tail);
        let mut state = self.group(at, tail, 0)?;
        self.forget_dead(head, &mut state);
        let (before, stopped) = self.go_on(head, &state, lengths, tail, ascending)?;
        if stopped != Some(self.heads[head].address) {
            return self.unit_done(lengths, tail, at, &before, stopped);
        }
        let group_len = self.group_len;
        self.check(&before, &at.tweak, group_len)?;
        let came = self.call.m.save();
        if lengths.least - group_len as i64 >= claimed.least {
            let tweak = self.crypt(&at.tweak, group_len).1;
            let claimed = self.group(&Position { tweak, ..at.clone() }, tail, group_len)?;
            self.compare(head, came, numbers_if_one(lengths, &claimed), &at.left, group_len);
            return Ok(());
        }
        // The next unit has begun, a whole one: it has as many bytes as this one has had, and no tail.
        let index = self.call.m.domain.constant(&at.index).ok_or("a unit begins with any tweak of a batch")?;
        if lengths != Interval::one(group_len as i64, 16) || tail > 0 {
            return Err("a unit begins before the end of another".into());
        }
        let left = if at.left == UNIT_LEN { NOTHING } else { LEFT_LESS };
        let claimed = self.group(&self.with_tweak(index as usize / 16, left.clone()), 0, 0)?;
        self.compare(head, came, renamed(claimed, &WHOLE, &UNIT_LEN), &left, group_len);
        Ok(())
    }

    /// From a head in a unit to one of the other heads, or to the return
    fn go_on(
        &mut self,
        head: usize,
        state: &State,
        lengths: Interval,
        tail: i64,
        ascending: &[Word],
    ) -> Result<(State, Option<u64>)> {
        self.prepare(state, lengths, WINDOW.min((lengths.least + tail) as usize), ascending);
        self.go(head, Stop::AtOneOf([self.heads[BETWEEN].address, self.heads[group_head(tail)].address]))
    }

    /// X + tail bytes, which were what was left of the unit, have been done.
    fn unit_done(&mut self, lengths: Interval, tail: i64, at: &Position, before: &State, stopped: Option<u64>) -> Result<()> {
        if lengths.count() > 1 {
            return Err("a unit has been done".into());
        }
        if stopped.is_none() != (at.left == NOTHING) {
            return Err("returned though something is left, or went on though nothing is".into());
        }
        let len = (lengths.least + tail) as usize;
        self.check(before, &at.tweak, len)?;
        if stopped.is_some() {
            self.compare(BETWEEN, self.call.m.save(), self.between(at), &at.left, len)
        }
        Ok(())
    }
}

fn group_head(tail: i64) -> usize {
    GROUP + tail as usize
}

/// X for units of that length modulo 16
fn lengths(tail: i64) -> Interval {
    Interval { least: 16, most: MAX_LEN - if tail > 0 { 16 } else { 0 }, step: 16 }
}

/// That state with another number in the place of `old`
fn renamed(mut state: State, old: &Word, new: &Word) -> State {
    state.regs.iter_mut().filter(|word| *word == old).for_each(|word| *word = new.clone());
    state
}
