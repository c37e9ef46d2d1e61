// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Every length: induction over the turns of a function's loop.
//!
//! A function that takes text of any length has a loop, of which each turn takes a group of so many bytes.  Other proofs take the
//! lengths one by one; here all of them are proved that the contract allows.
//!
//! # What is proved
//!
//! Parameters are what a call depends on besides its text: CTR's counter, XTS's tweak.  After some of the text has been done, the
//! rest of it is a text as well, with parameters of its own: the counter of its first block, and so on.  Let H(p, X) be the state
//! in which the function comes from its entry to the head of the loop, when it was called with parameters p and X bytes of text:
//! but only those registers and bytes of it that are live.  The others are fresh variables, and may be anything.
//!
//! (H(p, X) is found by running the code for great X, and is the same for others, with another number in the place of X.)
//!
//! Claim for X: whoever is at the head in state H(p, X), for any p, does with the text, and leaves in memory and in the caller's
//! registers, what the standard says of a call with parameters p and X bytes.  All other registers and dead stack keep only what
//! such a call may leave.
//!
//! Entry.  The function is entered with X bytes.  Either it returns, having done what it should, or it comes to the head in the
//! state H(p, X).  (Some lengths may come to the head in another way: XTS by 512 bits does a vector before it.  With each of these
//! the call is run from its entry to its return, and needs no claim.)
//!
//! Exit.  From H(p, X) the function returns, having done what it should.
//!
//! Step.  From H(p, X) the function comes to the head again.  A group of text has become what the standard says, and nothing else
//! has been written that counts.  The state is the one to which the *entry* leads with X less a group, and with the parameters p'
//! that follow after the group: it is H(p', X - group), in all that is live, for which the claim holds by induction.
//!
//! So no invariant has to be written down, and nobody says which registers are live.  Those are taken as live which agree when a
//! turn is compared with the entry (struct Live).  If that takes too little, an exit or a step depends on a fresh variable and
//! fails; if too much, a step fails.
//!
//! # Where the entry isn't enough
//!
//! Calls need not come to the head with just any p.  A call with a nonce has counters that begin with 1, and what registers have
//! of later ones is no state to which a call leads.  Then some registers of H(p, X) are written down (`registers`).  They replace
//! what the entry put there, and each entry and each turn is compared with them.
//!
//! A turn may have to know bits of p: which branch it takes depends on them.  Then there is a turn for each value that they have
//! (`parameters_of_turns`); the claim is for those p, and it is checked that no entry and no turn comes with others.
//!
//! Several calls may come to the same loop by ways of their own: with other arguments, or with a length that has another residue.
//! One is described first, and has exits and steps proved.  The others need only their entries (`every_length_of_calls`).
//!
//! # What may be left
//!
//! What isn't live is text and output of earlier turns, key stream, products, anything.  An exit may leave the text, but has to
//! wipe the products.  So some of what isn't live is *clean*: it may be left where it is, by the call that is proved.  That is a
//! part of what H(p, X) means.  It is shown whenever a run comes to the head, and is used where one leaves it: a clean bit is a
//! fresh variable, too, but one that may be left there.  One that isn't clean has to be gone in the end.  (Which bits are clean is
//! found as what is live is, by looking at an entry and a turn.)
//!
//! Parameters are public, or may be left, if those of the first call are: what a call with p' may leave for the rest of the text,
//! a call with p may leave for all of it.  This is checked (`goes_on`).
//!
//! # Why no length is left out
//!
//! Lengths are intervals, and begin as all those that the contract allows.  A run is for a whole interval: see machine/length.rs.
//! When a branch isn't the same for all of it, the interval is cut in two, and both parts are still to be proved (`cover`).  When
//! the code needs to know the length itself, which is so after the loop, the interval becomes single lengths.  So the bounds of
//! the short calls, the exits and the steps are found from the code, and are complementary because they come from the same cut.
//! No interval gets lost but by a proof, and in the end the lengths are counted.  The induction needs one more thing: what a step
//! leaves has to be a length for which there is a claim.  Those are the lengths for which the entry comes to the head, or more of
//! them that the family names (`Claims`), so that the entries of other calls come with one, too.
//!
//! Memory has its ends where the least length of the interval has them.  A turn's state is compared with everything in sight,
//! which includes some text after the group; text before it is out of bounds.
use crate::domain::{Bit, Domain};
use crate::leftovers::{kept, Kept, Leftovers, Place};
use crate::machine::*;
use crate::proof::{same, Call};
use std::collections::BTreeMap;

/// A function with a loop, as its family describes it.  Parameters are bits; what they mean is the family's.
pub trait Looping {
    /// The lengths of the contract, as X; X + residue() of them are passed.
    fn lengths(&self) -> Interval;
    fn residue(&self) -> i64 {
        0
    }
    /// None: the X for which the entry comes to the head, and those below them from least_claim() on
    fn claims(&self) -> Option<Claims> {
        None
    }
    /// If a function has other code for some lengths, though a turn of its loop may leave them: the least that it leaves, for a
    /// group of X
    fn least_claim(&self, looped: Interval, _group: i64) -> i64 {
        looped.least
    }
    /// The loop's head is where the length is compared that decides about another turn; or else it is where a turn begins.
    fn begins_with_comparison(&self) -> bool {
        false
    }
    /// A turn always goes on with another one, and the loop is left in the middle of one.
    fn is_left_in_the_middle(&self) -> bool {
        false
    }
    /// If the loop comes to its head several times in a turn, or is another one as well: what registers have there when a
    /// turn begins
    fn begins_if(&self) -> Vec<(usize, Word)> {
        vec![]
    }
    /// Bytes of text for each 1 of length
    fn unit(&self) -> usize {
        1
    }
    fn text(&self) -> &Text;
    /// Pass the arguments of the call that is to be proved, and say which parameters it has.
    fn first(&self, call: &mut Call, length: Word) -> Vec<Bit>;
    /// Pass the arguments as for the rest of a text of which `done` bytes have been done: pointers are text().at(done).
    fn enter(&self, call: &mut Call, parameters: &[Bit], done: usize, length: Word);
    /// The parameters after that text
    fn next(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) -> Vec<Bit>;
    /// What the standard makes of that text
    fn output(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) -> Vec<Bit>;
    /// What a call leaves besides dst, if that is all its text: call.expect()
    fn expect(&self, _call: &mut Call, _parameters: &[Bit], _text: &[Bit]) {}

    /// If a turn has to know bits of the parameters: any parameters, once with each value that these bits may have
    fn parameters_of_turns(&self, any: &[Bit]) -> Vec<Vec<Bit>> {
        vec![any.to_vec()]
    }
    /// What registers have at the head for these parameters, if enter() can't pass just any: a part of what H(p, X) means.
    fn registers(&self, _call: &mut Call, _parameters: &[Bit]) -> Registers {
        Registers::default()
    }

    /// Run the function: its arguments have been passed.
    fn start(&self, call: &mut Call) -> Result<Option<u64>> {
        call.enter()
    }
    /// A run is about to begin that does this text, or some of it.
    fn begin(&self, _call: &mut Call, _parameters: &[Bit], _text: &[Bit]) {}

    /// Say what a call may leave that does this text, besides text and output: call.public(), call.may_leave()
    fn may_leave(&self, _call: &mut Call, _parameters: &[Bit], _text: &[Bit]) {}
    /// The function has returned.  Is what it leaves in registers and dead stack what was said?
    fn check_leftovers(&self, call: &mut Call, before: &State) -> Result<()> {
        call.check_leftovers(before)
    }

    /// Sums that registers carry from turn to turn, and that can't be had as parameters of a call: GCM's hashes.  In the state to
    /// which a call leads that begins with nothing, they are these lanes; it has done so much text before it comes to the head.
    fn carried(&self, _call: &mut Call, _parameters: &[Bit], _begun: &[Bit]) -> Vec<Vec<Bit>> {
        vec![]
    }
    /// Where they are, if that can't be seen from the first ones: some may be 0 there.
    fn carried_at(&self) -> Option<Vec<Carried>> {
        None
    }
    /// Is `after` what the text makes of what was carried before it?  Parameters are those before the text.  None: the first call's
    fn check_carried(
        &self,
        _call: &mut Call,
        _parameters: &[Bit],
        _before: Option<&[Vec<Bit>]>,
        _text: &[Bit],
        _after: &[Vec<Bit>],
    ) -> Result<()> {
        Ok(())
    }
    /// Is what the call has left, besides what was expected, right for what was carried and the text that followed?
    fn check_returned(&self, _call: &mut Call, _parameters: &[Bit], _carried: Option<&[Vec<Bit>]>, _text: &[Bit]) -> Result<()> {
        Ok(())
    }
}

/// The X for which there are claims: of `lengths`, in each `period` from the least on, the first `some`.  For the others a turn has
/// to be right as well, but not an exit, and it may lead anywhere.
#[derive(Clone, Copy)]
pub struct Claims {
    pub lengths: Interval,
    pub some: i64,
    pub period: i64,
}

impl Claims {
    /// The first one from x on
    fn next_from(&self, x: i64) -> i64 {
        match (x - self.lengths.least).rem_euclid(self.period) {
            after if after < self.some => x,
            after => x + self.period - after,
        }
    }

    /// Is this one among them, if it is one?
    fn include_one(&self, lengths: Interval) -> bool {
        lengths.count() > 1 || self.next_from(lengths.least) == lengths.least
    }

    /// Are all of these among them?
    fn include(&self, lengths: Interval) -> bool {
        self.lengths.least <= lengths.least
            && lengths.most <= self.lengths.most
            && (lengths.least - self.lengths.least) % self.lengths.step == 0
            && (lengths.count() == 1 || lengths.step % self.period == 0)
            && self.next_from(lengths.least) == lengths.least
    }
}

/// Registers by their numbers, and what they have, of vectors the lower bits.  And memory by region and offset
#[derive(Default)]
pub struct Registers {
    pub vectors: Vec<(usize, Vec<Bit>)>,
    pub words: Vec<(usize, Word)>,
    pub memory: Vec<(u32, usize, Vec<Bit>)>,
}

impl Registers {
    fn put(&self, state: &mut State) {
        for (register, bits) in &self.vectors {
            state.vectors[*register][..bits.len()].copy_from_slice(bits)
        }
        for (register, word) in &self.words {
            state.regs[*register] = word.clone()
        }
        for (region, at, bits) in &self.memory {
            for (i, byte) in bits.chunks(8).enumerate() {
                state.regions[*region as usize].0[at + i] = byte.try_into().unwrap()
            }
        }
    }

    fn compare(&self, m: &Machine, state: &State) -> Result<()> {
        let mut want = state.clone();
        self.put(&mut want);
        for (register, _) in &self.vectors {
            same(m, &state.vectors[*register], &want.vectors[*register], &format!("at the head, vector {register}"))?
        }
        for (region, at, bits) in &self.memory {
            let got = state.regions[*region as usize].0[*at..at + bits.len() / 8].concat();
            same(m, &got, bits, &format!("at the head, memory {at}"))?
        }
        match self.words.iter().find(|(register, word)| state.regs[*register] != *word) {
            Some((register, word)) => {
                Err(format!("at the head, register {register} is {:?} instead of {word:?}", state.regs[*register]))
            }
            None => Ok(()),
        }
    }
}

/// Input and output: more of them than any run here sees
pub struct Text {
    pub src: u32,
    pub dst: u32,
    src_bytes: Vec<[Bit; 8]>,
    dst_bytes: Vec<[Bit; 8]>,
}

/// What runs see of the text, at most.  It has to be more than two groups and all that is kept back for later.
pub const WINDOW: usize = 4096;
/// An interval of so many lengths is done one by one where the code looks at the length itself.
const MAX_SINGLES: i64 = 2048;
/// Entries of forms that the proofs of an interval's pieces may add before they are forgotten: 64 MB
const MAX_GROWTH: usize = 1 << 24;

impl Text {
    pub fn new(call: &mut Call, in_place: bool) -> Text {
        let (src, dst) = call.buffers(WINDOW, in_place);
        let bytes = |region: u32| call.m.regions[region as usize].bytes.clone();
        Text { src, dst, src_bytes: bytes(src), dst_bytes: bytes(dst) }
    }

    /// Input that is only read: it stays what it is.
    pub fn input(call: &mut Call, name: &str) -> Text {
        let region = call.m.region(name, WINDOW, false, 1);
        let bytes = call.m.regions[region as usize].bytes.clone();
        Text { src: region, dst: region, src_bytes: bytes.clone(), dst_bytes: bytes }
    }

    /// Pointers to dst and src after so many bytes
    pub fn at(&self, done: usize) -> (Word, Word) {
        (Word::Pointer(self.dst, done as i64), Word::Pointer(self.src, done as i64))
    }

    /// The first bits of the input
    pub fn input_of(&self, len: usize) -> Vec<Bit> {
        self.src_bytes[..len].concat()
    }

    fn regions(&self) -> [(u32, &Vec<[Bit; 8]>); 2] {
        [(self.dst, &self.dst_bytes), (self.src, &self.src_bytes)]
    }

    pub fn is_in(&self, region: usize) -> bool {
        region == self.dst as usize || region == self.src as usize
    }

    /// Of all the text, `from` .. `to` is what there is.
    pub fn open(&self, m: &mut Machine, from: usize, to: usize) {
        for (number, bytes) in self.regions() {
            let region = &mut m.regions[number as usize];
            region.base = from as i64;
            region.bytes = bytes[from..to].to_vec();
        }
    }

    /// How far dst had been done before a turn and after it: a register or a structure points there.
    pub fn progress(&self, before: &State, after: &State) -> Option<(usize, usize)> {
        let after = words(after);
        words(before).iter().find_map(|(place, word)| match (word, after.get(place)) {
            (Word::Pointer(r, from), Some(Word::Pointer(s, to))) if [*r, *s] == [self.dst; 2] && from < to => {
                Some((*from as usize, *to as usize))
            }
            _ => None,
        })
    }
}

/// The words of a state by their places: registers, and what is stored in a region, which have their numbers
fn words(state: &State) -> BTreeMap<(Option<usize>, i64), &Word> {
    let registers = state.regs.iter().enumerate().map(|(r, word)| ((None, r as i64), word));
    let mut words: BTreeMap<_, _> = registers.collect();
    for (n, (_, stored)) in state.regions.iter().enumerate() {
        words.extend(stored.iter().map(|(at, word)| ((Some(n), *at), word)));
    }
    words
}

struct Induction<'a, 'b, L: Looping> {
    call: &'b mut Call<'a>,
    looping: &'b L,
    begin: State,
    /// Any parameters
    parameters: Vec<Bit>,
    /// What any call may leave
    leftovers: Leftovers,
    proofs: usize,
}

/// The head of the loop
struct Head {
    address: u64,
    claims: Claims,
    /// What is added to their X
    residue: i64,
    /// H(p, X) for any p
    state: State,
    /// H(p', X - group) for the p' that follow
    next: State,
    /// H(p, X) for the p of the call that is to be proved
    first: State,
    /// Text that has been done when the entry comes to it
    begun: usize,
    /// Text of a turn
    group: usize,
    live: Live,
    /// What is clean: for each of leftovers::kept
    clean: Vec<Vec<bool>>,
    /// What may be left on the way from here, besides the output of a text that has begun: clean bits that aren't live
    may_leave: Vec<(Place, Vec<Bit>)>,
    /// Where sums are carried
    carried: Vec<Carried>,
    /// Any such sums, which are there in `state`
    sums: Vec<Vec<Bit>>,
    /// Memory that has to be as it is here when the function returns; the rest has to be as expected
    before: State,
}

/// Prove the function for every length of its contract.  The call has all its regions, and no arguments yet.
pub fn every_length<L: Looping>(call: &mut Call, looping: &L) -> Result<usize> {
    every_length_of_calls(call, looping, &[])
}

/// The same for other calls as well.  They may differ in what first() passes, and in what they do before they come to the loop;
/// and in their lengths, X + residue(), if there are claims for all of them.
pub fn every_length_of_calls<'b, L: Looping>(call: &'b mut Call, looping: &'b L, others: &'b [L]) -> Result<usize> {
    let begin = call.m.save();
    let parameters = looping.first(call, Word::Length(0));
    let parameters = call.m.domain.named("parameter", parameters.len());
    let leftovers = call.leftovers.clone();
    let mut induction = Induction { call, looping, begin, parameters, leftovers, proofs: 0 };
    let address = induction.find_head()?;
    let mut looped = vec![];
    induction.cover(looping.lengths(), |induction, lengths| {
        let run = induction.run_first(lengths, Stop::At(address))?;
        match run.stopped {
            Some(_) => looped.push(lengths),
            None => induction.returned(lengths, &run.parameters, None, &run.passed)?,
        }
        Ok(())
    })?;
    let looped = joined(looped)?;
    let head = induction.head(address, looped, others)?;
    induction.cover(looped, |induction, lengths| {
        let run = induction.run_first(lengths, Stop::At(address))?;
        run.stopped.ok_or("doesn't come to the loop")?;
        match induction.first_enters(&head, lengths, &run) {
            Err(_) if lengths.count() == 1 && induction.all_is_seen(lengths) => induction.whole_call(lengths),
            result => result,
        }
    })?;
    induction.cover(head.claims.lengths, |induction, lengths| induction.turn(&head, lengths))?;
    let known = induction.call.m.domain.clone();
    for other in others {
        forget_since(&mut induction.call.m, &known); // what the calls before came to
        induction.looping = other;
        induction.cover(other.lengths(), |induction, lengths| {
            let run = induction.run_first(lengths, Stop::At(address))?;
            match run.stopped {
                Some(_) => induction.first_enters(&head, lengths, &run),
                None => induction.returned(lengths, &run.parameters, None, &run.passed),
            }
        })?;
    }
    Ok(induction.proofs)
}

/// The interval of which these are the pieces
pub fn joined(mut pieces: Vec<Interval>) -> Result<Interval> {
    pieces.sort_by_key(|piece| piece.least);
    let (first, last) = (pieces.first().ok_or("no length comes to the loop")?, pieces.last().unwrap());
    if pieces.windows(2).any(|pair| pair[0].most + pair[0].step != pair[1].least) {
        return Err("there is a gap between the lengths that come to the loop".into());
    }
    Ok(Interval { most: last.most, ..*first })
}

/// If the domain has grown much since then, it is again what it was.
fn forget_since(m: &mut Machine, known: &Domain) {
    if m.domain.sizes().2 > known.sizes().2 + MAX_GROWTH {
        m.domain = known.clone();
    }
}

/// Prove all of an interval: as a whole, or cut to pieces.  The number of proofs.  `proof` is what has the machine.
pub fn cover<T>(
    proof: &mut T,
    machine: impl Fn(&mut T) -> &mut Machine,
    all: Interval,
    residue: i64,
    mut prove: impl FnMut(&mut T, Interval) -> Result<()>,
) -> Result<usize> {
    let known = machine(proof).domain.clone();
    all.cover(MAX_SINGLES, residue, |piece| {
        let m = machine(proof);
        forget_since(m, &known); // Nothing of what the pieces before came to is asked for again.
        m.cut = None;
        prove(proof, piece).map_err(|error| (error, machine(proof).cut))
    })
}

impl<'b, L: Looping> Induction<'_, 'b, L> {
    fn cover(&mut self, all: Interval, prove: impl FnMut(&mut Self, Interval) -> Result<()>) -> Result<()> {
        let residue = self.looping.residue();
        self.proofs += cover(self, |induction| &mut induction.call.m, all, residue, prove)?;
        Ok(())
    }

    /// So much text there is for all lengths of the interval, as far as a run may want to see it.
    fn text_len(&self, lengths: Interval) -> usize {
        let least = (lengths.least + self.looping.residue()) as usize;
        least.saturating_mul(self.looping.unit()).min(WINDOW)
    }

    /// Does a run see all the text?
    fn all_is_seen(&self, lengths: Interval) -> bool {
        self.text_len(lengths) < WINDOW
    }

    /// The length that is left of X when so much text has been done
    fn length(&self, lengths: Interval, done: usize) -> Word {
        let less = self.looping.residue() - (done / self.looping.unit()) as i64;
        number_if_one(lengths, &Word::Length(less))
    }

    /// Everything as before the call, for these lengths
    fn prepare(&mut self, lengths: Interval, stop: Stop) {
        self.call.again();
        self.call.m.restore(&self.begin);
        self.call.m.public.clear();
        self.call.m.lengths = lengths;
        self.call.m.stop = stop;
        self.call.m.stop_if = self.looping.begins_if();
        let text_len = self.text_len(lengths);
        self.looping.text().open(&mut self.call.m, 0, text_len);
    }

    /// From the entry, all arguments having been passed
    fn run(&mut self, parameters: Vec<Bit>, done: usize) -> Result<Run> {
        self.begin_text(&parameters, done);
        let passed = self.call.m.save();
        let stopped = self.looping.start(self.call)?;
        Ok(Run { parameters, passed, stopped, state: self.call.m.save() })
    }

    fn begin_text(&mut self, parameters: &[Bit], done: usize) {
        let src = self.looping.text().src as usize;
        let text = self.call.m.regions[src].bytes[done - self.call.m.regions[src].base as usize..].concat();
        self.looping.begin(self.call, parameters, &text);
    }

    /// What may be left by a call with these parameters when it has made that output of so much text
    fn declare(&mut self, parameters: &[Bit], len: usize, output: &[Bit]) {
        self.call.leftovers = self.leftovers.clone();
        let text = self.looping.text().src_bytes[..len].concat();
        self.call.may_leave(Place::General, &text);
        self.call.may_leave(Place::General, output);
        self.looping.may_leave(self.call, parameters, &text);
    }

    /// The same, from the head on
    fn declare_from(&mut self, head: &Head, len: usize, output: &[Bit]) {
        let parameters = self.parameters.clone();
        let begun = self.output(&parameters, head.begun);
        self.declare(&parameters, len, output);
        self.call.may_leave(Place::General, &begun);
        for (place, bits) in &head.may_leave {
            self.call.may_leave(*place, bits);
        }
    }

    /// The output of the first bytes
    fn output(&mut self, parameters: &[Bit], len: usize) -> Vec<Bit> {
        let text = self.looping.text().src_bytes[..len].concat();
        self.looping.output(self.call, parameters, &text)
    }

    /// The call that is to be proved
    fn run_first(&mut self, lengths: Interval, stop: Stop) -> Result<Run> {
        self.prepare(lengths, stop);
        let length = self.length(lengths, 0);
        let parameters = self.looping.first(self.call, length);
        self.run(parameters, 0)
    }

    /// A call with these parameters for the text after `done` bytes, which has to come to the head: H(parameters, X - done)
    fn run_to_head(&mut self, lengths: Interval, parameters: &[Bit], done: usize, head: u64) -> Result<Run> {
        self.prepare(lengths, Stop::At(head));
        let length = self.length(lengths, done);
        self.looping.enter(self.call, parameters, done, length);
        let mut run = self.run(parameters.to_vec(), done)?;
        run.stopped.ok_or("doesn't come to the loop")?;
        self.looping.registers(self.call, parameters).put(&mut run.state);
        self.call.m.restore(&run.state);
        Ok(run)
    }

    /// The head is where the code first goes back because of a length, if that is great; or where a turn begins, if each goes on.
    fn find_head(&mut self) -> Result<u64> {
        let great = upper_half(self.looping.lengths());
        let stop = if self.looping.is_left_in_the_middle() { Stop::AtTurn } else { Stop::AtLoop };
        let turn = self.run_first(great, stop)?.stopped.ok_or("no loop")?;
        Ok(if self.looping.begins_with_comparison() { self.call.m.compared_at } else { turn })
    }

    /// Make the head's state of what the entry leads to, for any parameters.
    fn head(&mut self, address: u64, looped: Interval, others: &'b [L]) -> Result<Head> {
        let turns = self.looping.parameters_of_turns(&self.parameters);
        let great = upper_half(looped);
        let text = self.looping.text();
        let (entered, turned) = self.second_turn(great, &turns[0], address)?;
        let (begun, done) = text.progress(&entered.state, &turned).ok_or("a turn doesn't move on")?;
        let group = done - begun;
        let any = turns[0].clone();
        self.goes_on(&any, group)?;
        let is_text = |region| text.is_in(region);
        let mut clean = self.clean_after(&any, done, &turned);
        let next = self.next(&any, group);
        let next = self.run_to_head(great, &next, group, address)?.state;
        let mut live = Live::agreeing(&turned, &next, is_text);
        let known = self.call.m.domain.clone();
        for other in &turns[1..] {
            forget_since(&mut self.call.m, &known); // all but what is live and clean
            let (_, turned) = self.second_turn(great, other, address)?;
            clean = both_clean(&clean, &self.clean_after(other, done, &turned));
            let next = self.next(other, group);
            let next = self.run_to_head(great, &next, group, address)?.state;
            live = live.and(&Live::agreeing(&turned, &next, is_text));
        }
        let parameters = self.run_first(great, Stop::At(address))?.parameters;
        let first = self.run_to_head(great, &parameters, 0, address)?.state;
        let (this, known) = (self.looping, self.call.m.domain.clone());
        for call in std::iter::once(this).chain(others) {
            forget_since(&mut self.call.m, &known); // all but what is live and clean
            self.looping = call;
            let called = self.run_first(upper_half(call.lengths()), Stop::At(address))?;
            let more = call.residue() - this.residue();
            live = live.and(&Live::agreeing(&called.state, &with_lengths(&first, |o| Word::Length(o + more)), is_text));
            clean = both_clean(&clean, &self.clean_after(&called.parameters, begun, &called.state));
        }
        self.looping = this;
        let mut state = entered.state.clone();
        let begun_text = text.src_bytes[..begun].concat();
        let carried = match self.looping.carried_at() {
            Some(places) => places,
            None => {
                let carried = self.looping.carried(self.call, &any, &begun_text);
                let place = |lane: &Vec<Bit>| place_of(&state, lane).map(|(vector, lane)| Carried::Lane(vector, lane));
                carried.iter().map(place).collect::<Result<Vec<_>>>()?
            }
        };
        let sums: Vec<Vec<Bit>> = carried.iter().map(|_| self.call.m.domain.vars("carried", 128)).collect();
        let live = carried.iter().fold(live, |live, &place| live.without(place));
        live.forget_others(&mut state, &mut self.call.m.domain);
        let may_leave = clean_bits(&self.call.m, &clean, &entered.state, &state);
        for (place, sum) in carried.iter().zip(&sums) {
            place.put(&mut state, sum)
        }
        let mut before = state.clone();
        for (region, (bytes, _)) in before.regions.iter_mut().enumerate() {
            for (i, byte) in bytes.iter_mut().enumerate() {
                let passed = entered.passed.regions[region].0[i];
                if [&entered.state, &turned].iter().any(|state| state.regions[region].0[i] != passed) {
                    *byte = NEVER;
                }
            }
        }
        let least = self.looping.least_claim(looped, (group / self.looping.unit()) as i64);
        let claims = Claims { lengths: Interval { least, ..looped }, some: looped.step, period: looped.step };
        let claims = self.looping.claims().unwrap_or(claims);
        let residue = self.looping.residue();
        Ok(Head { address, claims, residue, state, next, first, begun, group, live, clean, may_leave, carried, sums, before })
    }

    /// A turn after a call with these parameters has come to the head: before it and after it
    fn second_turn(&mut self, lengths: Interval, parameters: &[Bit], head: u64) -> Result<(Run, State)> {
        let entered = self.run_to_head(lengths, parameters, 0, head)?;
        // What is 0 at first and carried later may be anything, lest registers made of it look as if they always were 0.
        let mut state = self.call.m.save();
        for place in self.looping.carried_at().unwrap_or_default() {
            place.put(&mut state, &self.call.m.domain.vars("carried", 128))
        }
        self.call.m.restore(&state);
        self.call.m.resume(self.call.image, head)?.ok_or("the loop has no second turn")?;
        let turned = self.call.m.save();
        Ok((entered, turned))
    }

    /// What is clean when so much text has been done
    fn clean_after(&mut self, parameters: &[Bit], done: usize, state: &State) -> Vec<Vec<bool>> {
        let output = self.output(parameters, done);
        self.declare(parameters, done, &output);
        self.call.clean(state)
    }

    /// After a group, the standard goes on with the parameters that follow as with a call of its own; and so does what may be left.
    fn goes_on(&mut self, parameters: &[Bit], group: usize) -> Result<()> {
        let text = self.looping.text().src_bytes[..2 * group].concat();
        let (first, rest) = text.split_at(text.len() / 2);
        let next = self.next(parameters, group);
        let output = [self.looping.output(self.call, parameters, first), self.looping.output(self.call, &next, rest)].concat();
        let (all, last) = (self.next(parameters, 2 * group), self.looping.next(self.call, &next, rest));
        if self.looping.output(self.call, parameters, &text) != output || all != last {
            return Err("the parameters that follow are no such ones".into());
        }
        self.call.leftovers = self.leftovers.clone();
        self.looping.may_leave(self.call, &next, rest);
        let of_rest = self.call.leftovers.clone();
        self.call.leftovers = self.leftovers.clone();
        self.looping.may_leave(self.call, parameters, &text);
        match self.call.leftovers.includes(&mut self.call.m.domain, &of_rest) {
            true => Ok(()),
            false => Err("the rest of the text may leave what all of it may not".into()),
        }
    }

    /// The parameters after so much text
    fn next(&mut self, parameters: &[Bit], len: usize) -> Vec<Bit> {
        let text = self.looping.text().src_bytes[..len].concat();
        self.looping.next(self.call, parameters, &text)
    }

    /// The call that is to be proved comes to the head as a call with its parameters does.
    fn first_enters(&mut self, head: &Head, lengths: Interval, first: &Run) -> Result<()> {
        // The claim is that for X + more.
        let more = self.looping.residue() - head.residue;
        if !head.claims.include(Interval { least: lengths.least + more, most: lengths.most + more, ..lengths }) {
            return Err("comes to the loop with a length for which nothing is claimed".into());
        }
        self.is_taken_by_a_turn(&first.parameters)?;
        self.is_kept(head, &first.passed, &first.state, "before the loop")?;
        let output = self.output(&first.parameters, head.begun);
        self.declare(&first.parameters, head.begun, &output);
        self.call.check_clean(&head.clean, &first.state)?;
        let begun = self.looping.text().src_bytes[..head.begun].concat();
        self.looping.check_carried(self.call, &first.parameters, None, &begun, &head.carried_in(&first.state))?;
        let registers = self.looping.registers(self.call, &first.parameters);
        registers.compare(&self.call.m, &first.state)?;
        let mut want = with_lengths(&head.first, |o| number_if_one(lengths, &Word::Length(o + more)));
        registers.put(&mut want);
        head.live.compare(&self.call.m, &first.state, &want)
    }

    /// The call that is to be proved, of one length, from its entry to its return
    fn whole_call(&mut self, lengths: Interval) -> Result<()> {
        let run = self.run_first(lengths, Stop::Never)?;
        self.returned(lengths, &run.parameters, None, &run.passed)
    }

    /// A turn for any parameters: a step, proved with each value that bits of the parameters may have, or an exit, for which
    /// nobody needs to know them.
    fn turn(&mut self, head: &Head, lengths: Interval) -> Result<()> {
        if !head.claims.include_one(lengths) {
            return Ok(()); // nobody comes here with that
        }
        let any = self.parameters.clone();
        let mut result = Ok(true);
        for parameters in self.looping.parameters_of_turns(&any) {
            self.parameters = parameters;
            result = self.steps(head, lengths);
            if result != Ok(true) {
                break;
            }
        }
        self.parameters = any;
        if result? || self.looping.parameters_of_turns(&self.parameters) == [&self.parameters[..]] {
            return Ok(());
        }
        match self.steps(head, lengths)? {
            false => Ok(()),
            true => Err("whether a turn is the last depends on parameters".into()),
        }
    }

    /// Are these parameters among those that turns are proved with?
    fn is_taken_by_a_turn(&self, parameters: &[Bit]) -> Result<()> {
        let turns = self.looping.parameters_of_turns(&vec![ANY; parameters.len()]);
        let taken = |turn: &Vec<Bit>| turn.iter().zip(parameters).all(|(known, bit)| *known == ANY || known == bit);
        match turns.iter().any(taken) {
            true => Ok(()),
            false => Err("comes to the head with parameters that no turn is proved with".into()),
        }
    }

    /// A turn: is it a step, and no exit?
    fn steps(&mut self, head: &Head, lengths: Interval) -> Result<bool> {
        let text_len = self.text_len(lengths);
        self.prepare(lengths, Stop::At(head.address));
        self.call.m.restore(&numbers_if_one(lengths, &head.state));
        self.looping.text().open(&mut self.call.m, head.begun, text_len);
        let parameters = self.parameters.clone();
        let mut state = self.call.m.save();
        self.looping.registers(self.call, &parameters).put(&mut state);
        self.call.m.restore(&state);
        let parameters = self.next(&parameters, head.begun);
        self.begin_text(&parameters, head.begun);
        match self.call.m.resume(self.call.image, head.address)? {
            None => self.returned(lengths, &parameters, Some(head), &head.before).map(|()| false),
            Some(_) => self.turned(head, lengths, &parameters).map(|()| true),
        }
    }

    /// A turn ends at the head: it has done a group, and its state is that for what is left.
    fn turned(&mut self, head: &Head, lengths: Interval, parameters: &[Bit]) -> Result<()> {
        let text = self.looping.text();
        let (all, group) = (head.claims, (head.group / self.looping.unit()) as i64);
        if all.next_from(lengths.least) - group < all.lengths.least || head.group % (self.looping.unit() * all.period as usize) != 0
        {
            return Err("after a turn there is a length for which nothing is claimed".into());
        }
        let turned = self.call.m.save();
        let todo = text.src_bytes[head.begun..head.begun + head.group].concat();
        let mut want = self.looping.output(self.call, parameters, &todo);
        self.declare_from(head, head.begun + head.group, &want);
        want.extend(text.dst_bytes[head.begun + head.group..self.text_len(lengths)].concat());
        same(&self.call.m, &turned.regions[text.dst as usize].0.concat(), &want, "dst in a turn")?;
        self.is_kept(head, &head.before, &turned, "in a turn")?;
        self.call.check_clean(&head.clean, &turned)?;
        self.looping.check_carried(self.call, parameters, Some(&head.sums), &todo, &head.carried_in(&turned))?;
        let next = self.next(&self.parameters.clone(), head.group);
        self.is_taken_by_a_turn(&next)?;
        let registers = self.looping.registers(self.call, &next);
        registers.compare(&self.call.m, &turned)?;
        let mut want = numbers_if_one(lengths, &head.next);
        registers.put(&mut want);
        head.live.compare(&self.call.m, &turned, &want)
    }

    /// Memory besides the text that is kept until the loop and in a turn, is it in this run?
    fn is_kept(&self, head: &Head, before: &State, after: &State, when: &str) -> Result<()> {
        for (number, region) in self.call.m.regions.iter().enumerate().filter(|(number, _)| !self.looping.text().is_in(*number)) {
            let bytes = |state: &State| state.regions[number].0.clone();
            let (kept, before, after) = (bytes(&head.before), bytes(before), bytes(after));
            if let Some(i) = (0..kept.len()).find(|&i| kept[i] != NEVER && before[i] != after[i]) {
                return Err(format!("{} is written to at {i} {when}", region.name));
            }
        }
        Ok(())
    }

    /// The function has returned, coming from the head or, if there is none, from the entry.  Memory is to be as before where
    /// nothing else is expected.
    fn returned(&mut self, lengths: Interval, parameters: &[Bit], head: Option<&Head>, before: &State) -> Result<()> {
        if lengths.count() > 1 {
            return Err("returned".into());
        }
        let begun = head.map_or(0, |head| head.begun);
        let (text, text_len) = (self.looping.text(), self.text_len(lengths));
        let todo = text.src_bytes[begun..text_len].concat();
        let output = self.looping.output(self.call, parameters, &todo);
        match head {
            Some(head) => self.declare_from(head, text_len, &output),
            None => self.declare(parameters, text_len, &output),
        }
        self.call.expect(text.dst, 0, &output, "dst");
        self.looping.expect(self.call, parameters, &todo);
        let mut before = before.clone();
        for (region, bytes) in text.regions() {
            before.regions[region as usize].0 = bytes[begun..text_len].to_vec();
        }
        self.call.check_memory(&before)?;
        self.looping.check_leftovers(self.call, &self.begin)?;
        self.looping.check_returned(self.call, parameters, head.map(|head| &head.sums[..]), &todo)
    }
}

/// Where 16 bytes are carried from turn to turn
#[derive(Clone, Copy)]
pub enum Carried {
    /// Vector and lane
    Lane(usize, usize),
    /// Region and offset
    Memory(u32, usize),
}

impl Carried {
    fn put(self, state: &mut State, bits: &[Bit]) {
        match self {
            Carried::Lane(vector, lane) => state.vectors[vector][128 * lane..128 * (lane + 1)].copy_from_slice(bits),
            Carried::Memory(region, at) => {
                for (i, byte) in bits.chunks(8).enumerate() {
                    state.regions[region as usize].0[at + i] = byte.try_into().unwrap()
                }
            }
        }
    }
}

impl Head {
    fn carried_in(&self, state: &State) -> Vec<Vec<Bit>> {
        let bits = |place: &Carried| match *place {
            Carried::Lane(vector, lane) => lanes_at(state, &[(vector, lane)]).remove(0),
            Carried::Memory(region, at) => state.regions[region as usize].0[at..at + 16].concat(),
        };
        self.carried.iter().map(bits).collect()
    }
}

/// The vector and the lane that hold these bits
pub fn place_of(state: &State, bits: &[Bit]) -> Result<(usize, usize)> {
    let places = (0..state.vectors.len()).flat_map(|vector| (0..4).map(move |lane| (vector, lane)));
    let mut found = places.filter(|&place| lanes_at(state, &[place])[0] == bits);
    found.next().ok_or_else(|| "nothing carried is found at the head".into())
}

pub fn lanes_at(state: &State, places: &[(usize, usize)]) -> Vec<Vec<Bit>> {
    places.iter().map(|&(vector, lane)| state.vectors[vector][128 * lane..128 * (lane + 1)].to_vec()).collect()
}

/// A run from the entry: its parameters, what it began with, where it stopped, and with what
struct Run {
    parameters: Vec<Bit>,
    passed: State,
    stopped: Option<u64>,
    state: State,
}

/// In place of a bit of the parameters: any
const ANY: Bit = Bit::MAX;
/// In place of a byte: one that no memory has, so it never is as before.
const NEVER: [Bit; 8] = [Bit::MAX; 8];

fn both(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

pub fn both_clean(a: &[Vec<bool>], b: &[Vec<bool>]) -> Vec<Vec<bool>> {
    a.iter().zip(b).map(|(a, b)| both(a, b)).collect()
}

/// The variables that clean bits have become in a state that forgot what isn't live
pub fn clean_bits(m: &Machine, clean: &[Vec<bool>], before: &State, after: &State) -> Vec<(Place, Vec<Bit>)> {
    let pairs = kept(m, before).into_iter().zip(kept(m, after)).zip(clean);
    let forgotten = |((before, after), clean): ((Kept, Kept), &Vec<bool>)| {
        let bits = (0..clean.len()).filter(|&i| clean[i] && before.bits[i] != after.bits[i]).map(|i| after.bits[i]);
        (after.place, bits.collect())
    };
    pairs.map(forgotten).collect()
}

/// Great lengths, of which it is certain that they have many turns
pub fn upper_half(all: Interval) -> Interval {
    Interval { least: (all.most / 2) & -all.step, ..all }
}

fn number_if_one(lengths: Interval, word: &Word) -> Word {
    match word {
        Word::Length(o) if lengths.count() == 1 => Word::Number((lengths.least + o) as u64),
        other => other.clone(),
    }
}

/// A state in which there are no unknown lengths, if there is only one.
pub fn numbers_if_one(lengths: Interval, state: &State) -> State {
    with_lengths(state, |o| number_if_one(lengths, &Word::Length(o)))
}

/// A state with something else for each Word::Length(o)
fn with_lengths(state: &State, length: impl Fn(i64) -> Word) -> State {
    let mut state = state.clone();
    let stored = state.regions.iter_mut().flat_map(|(_, pointers)| pointers.values_mut());
    for word in state.regs.iter_mut().chain(stored) {
        if let Word::Length(o) = word {
            *word = length(*o)
        }
    }
    state
}

/// Which bits of registers and bytes of memory are live: those that agree in two states that both are H(p', X - group).
#[derive(Clone, PartialEq, Eq)]
pub struct Live {
    regs: Vec<[bool; 64]>,
    vectors: Vec<Vec<bool>>,
    masks: Vec<Vec<bool>>,
    /// Bytes, and offsets of pointers; none of the text, which is compared elsewhere
    regions: Vec<(Vec<bool>, Vec<i64>)>,
    /// Upper halves of vectors may be in use.
    upper_in_use: bool,
}

impl Live {
    /// is_text: is a region part of the text?
    pub fn agreeing(a: &State, b: &State, is_text: impl Fn(usize) -> bool) -> Live {
        fn agree<T: PartialEq>(a: &[T], b: &[T]) -> Vec<bool> {
            a.iter().zip(b).map(|(a, b)| a == b).collect()
        }
        let region = |n: usize| {
            let ((bytes, words), (other_bytes, other_words)) = (&a.regions[n], &b.regions[n]);
            let offsets = words.keys().filter(|at| words.get(at) == other_words.get(at)).copied();
            if is_text(n) {
                (vec![], vec![])
            } else {
                (agree(bytes, other_bytes), offsets.collect())
            }
        };
        Live {
            regs: a.regs.iter().zip(&b.regs).map(|(a, b)| agreeing_bits(a, b)).collect(),
            vectors: a.vectors.iter().zip(&b.vectors).map(|(a, b)| agree(a, b)).collect(),
            masks: a.masks.iter().zip(&b.masks).map(|(a, b)| agree(a, b)).collect(),
            regions: (0..a.regions.len()).map(region).collect(),
            upper_in_use: a.upper_in_use || b.upper_in_use,
        }
    }

    /// Those bytes aren't live.
    pub fn without_bytes(mut self, region: u32, offset: usize, len: usize) -> Live {
        let (bytes, words) = &mut self.regions[region as usize];
        bytes[offset..offset + len].fill(false);
        words.retain(|&at| at < offset as i64 || at >= (offset + len) as i64);
        self
    }

    /// Bytes of memory besides the text that aren't live
    pub fn num_dead_bytes(&self) -> usize {
        self.regions.iter().flat_map(|(bytes, _)| bytes).filter(|live| !**live).count()
    }

    /// What is there isn't live.
    fn without(self, place: Carried) -> Live {
        match place {
            Carried::Lane(vector, lane) => self.without_lane((vector, lane)),
            Carried::Memory(region, at) => self.without_bytes(region, at, 16),
        }
    }

    /// That lane of a vector isn't live.
    pub fn without_lane(mut self, (vector, lane): (usize, usize)) -> Live {
        self.vectors[vector][128 * lane..128 * (lane + 1)].fill(false);
        self
    }

    pub fn and(&self, other: &Live) -> Live {
        let regions = self.regions.iter().zip(&other.regions).map(|((bytes, offsets), (other_bytes, other_offsets))| {
            (both(bytes, other_bytes), offsets.iter().filter(|at| other_offsets.contains(at)).copied().collect())
        });
        Live {
            regs: self.regs.iter().zip(&other.regs).map(|(a, b)| std::array::from_fn(|i| a[i] && b[i])).collect(),
            vectors: self.vectors.iter().zip(&other.vectors).map(|(a, b)| both(a, b)).collect(),
            masks: self.masks.iter().zip(&other.masks).map(|(a, b)| both(a, b)).collect(),
            regions: regions.collect(),
            upper_in_use: self.upper_in_use || other.upper_in_use,
        }
    }

    /// What isn't live becomes fresh variables.
    pub fn forget_others(&self, state: &mut State, domain: &mut Domain) {
        let any = self.any(domain);
        self.replace_others(state, &any)
    }

    pub fn forget_registers(&self, state: &mut State, domain: &mut Domain) {
        let any = State { regions: vec![], ..self.any(domain) };
        self.replace_others(state, &any)
    }

    /// A state of fresh variables
    pub fn any(&self, domain: &mut Domain) -> State {
        fn any<const N: usize>(domain: &mut Domain, len: usize) -> Vec<[Bit; N]> {
            (0..len).map(|_| domain.vars("dead", N).try_into().unwrap()).collect()
        }
        State {
            regs: any(domain, self.regs.len()).into_iter().map(|bits| Word::Bits(Box::new(bits))).collect(),
            vectors: any(domain, self.vectors.len()),
            masks: any(domain, self.masks.len()),
            regions: self.regions.iter().map(|(live, _)| (any(domain, live.len()), Default::default())).collect(),
            upper_in_use: self.upper_in_use,
        }
    }

    /// What isn't live becomes what it is in `other`, if that has it.
    pub fn replace_others(&self, state: &mut State, other: &State) {
        fn replace<T: Copy>(values: &mut [T], live: &[bool], others: &[T]) {
            (0..live.len()).filter(|&i| !live[i]).for_each(|i| values[i] = others[i])
        }
        state.upper_in_use = self.upper_in_use;
        let regs = state.regs.iter_mut().zip(&other.regs).zip(&self.regs);
        for ((word, other), live) in regs.filter(|(_, live)| live.contains(&false)) {
            let mut bits = word_bits(word).unwrap_or([0; 64]);
            replace(&mut bits, live, &word_bits(other).unwrap_or([0; 64]));
            *word = Word::Bits(Box::new(bits));
        }
        for ((vector, other), live) in state.vectors.iter_mut().zip(&other.vectors).zip(&self.vectors) {
            replace(vector, live, other)
        }
        for ((mask, other), live) in state.masks.iter_mut().zip(&other.masks).zip(&self.masks) {
            replace(mask, live, other)
        }
        let regions = state.regions.iter_mut().zip(&other.regions).zip(&self.regions);
        for (((bytes, words), (others, _)), (live, offsets)) in regions.filter(|(_, (live, _))| !live.is_empty()) {
            replace(bytes, live, others);
            words.retain(|at, _| offsets.contains(at))
        }
    }

    /// Do two states agree in what is live?
    pub fn compare(&self, m: &Machine, got: &State, want: &State) -> Result<()> {
        for (r, live) in self.regs.iter().enumerate() {
            let now = agreeing_bits(&got.regs[r], &want.regs[r]);
            if (0..64).any(|i| live[i] && !now[i]) {
                return Err(format!("at the head, register {r} is {:?} instead of {:?}", got.regs[r], want.regs[r]));
            }
        }
        let pick = |bits: &[Bit], live: &[bool]| -> Vec<Bit> {
            bits.iter().zip(live).filter(|(_, live)| **live).map(|(bit, _)| *bit).collect()
        };
        for (r, live) in self.vectors.iter().enumerate() {
            same(m, &pick(&got.vectors[r], live), &pick(&want.vectors[r], live), &format!("at the head, vector {r}"))?;
        }
        for (r, live) in self.masks.iter().enumerate() {
            same(m, &pick(&got.masks[r], live), &pick(&want.masks[r], live), &format!("at the head, mask {r}"))?;
        }
        if got.upper_in_use && !self.upper_in_use {
            return Err("at the head, upper halves of vectors are in use".into());
        }
        for (r, (live, offsets)) in self.regions.iter().enumerate() {
            let ((bytes, words), (wanted, wanted_words)) = (&got.regions[r], &want.regions[r]);
            let differs = (0..live.len()).any(|i| live[i] && bytes[i] != wanted[i]);
            if differs || offsets.iter().any(|at| words.get(at) != wanted_words.get(at)) {
                return Err(format!("at the head, {} is another", m.regions[r].name));
            }
        }
        Ok(())
    }
}

/// A pointer or a length agrees as a whole or not at all.
fn agreeing_bits(a: &Word, b: &Word) -> [bool; 64] {
    match (word_bits(a), word_bits(b)) {
        (Some(a), Some(b)) => std::array::from_fn(|i| a[i] == b[i]),
        _ => [a == b; 64],
    }
}

fn word_bits(word: &Word) -> Option<[Bit; 64]> {
    match word {
        Word::Number(x) => Some(bits(*x)),
        Word::Bits(b) => Some(**b),
        Word::Pointer(..) | Word::Length(_) | Word::End(..) | Word::Amount(_) => None,
    }
}
