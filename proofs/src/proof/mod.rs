// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! One call of a function: what it gets, what it has to leave, and the check that it did.
pub mod chacha20;
pub mod ctr;
pub mod gcm;
pub mod keys;
pub mod poly1305;
pub mod poly1305_vectors;
pub mod sabotage;
pub mod xts;
use crate::checked::{checked, Property};
use crate::domain::*;
use crate::image::Image;
use crate::leftovers::{Leftovers, Place};
use crate::machine::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How much is proved: what CI has time for, or everything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    Quick,
    All,
}

/// One line of work: proofs of one function that belong together.
pub struct Job {
    pub function: String,
    /// What is special about these calls, in a few words: "AES-256, in place"
    pub case: String,
    /// The lengths, as a reader of the table wants to see them: "1..1100", "every length"
    pub lengths: String,
    /// Proofs that don't depend on each other, as a rule one of each length, short ones first.  Threads share them, and a mutant
    /// gets those that execute what was changed.
    pub parts: Vec<Part>,
}

/// Some of the proofs of a job.  It gets the domain of those before it, which is faster, and gives it back.
pub type Part = Box<dyn Fn(&Image, Domain) -> Result<Proved> + Send + Sync>;

pub struct Proved {
    pub proofs: usize,
    pub domain: Domain,
}

/// A part for each of the cases, of one proof.  `prove` gives its machine.
pub fn parts<T: std::fmt::Debug + Send + Sync + 'static>(
    cases: impl IntoIterator<Item = T>,
    prove: impl Fn(&Image, Domain, &T) -> Result<Machine> + Send + Sync + 'static,
) -> Vec<Part> {
    let prove = Arc::new(prove);
    let part = |case: T| {
        let prove = prove.clone();
        Box::new(move |image: &Image, domain: Domain| match prove(image, domain, &case) {
            Ok(machine) => Ok(Proved { proofs: 1, domain: machine.domain }),
            Err(e) => Err(format!("{case:?}: {e}")),
        }) as Part
    };
    cases.into_iter().map(part).collect()
}

/// One part of several proofs, on a domain of its own.  `prove` says how many.
pub fn whole(prove: impl Fn(&Image) -> Result<usize> + Send + Sync + 'static) -> Vec<Part> {
    vec![Box::new(move |image: &Image, domain: Domain| Ok(Proved { proofs: prove(image)?, domain }))]
}

/// All the work there is.  Each family finds its functions by their names, so a new row needs no line here.
pub fn jobs(image: &Image, effort: Effort) -> Vec<Job> {
    let mut jobs = vec![];
    ctr::jobs(image, effort, &mut jobs);
    xts::jobs(image, effort, &mut jobs);
    gcm::jobs(image, effort, &mut jobs);
    keys::jobs(image, &mut jobs);
    chacha20::jobs(image, effort, &mut jobs);
    poly1305::jobs(image, effort, &mut jobs);
    poly1305_vectors::jobs(image, effort, &mut jobs);
    jobs
}

/// The rows of a function: what its name ends in
pub fn rows(image: &Image, prefix: &str) -> Vec<String> {
    image.functions.keys().filter_map(|f| f.strip_prefix(prefix)).map(String::from).collect()
}

/// Lengths in few words, for the table: "64", "1..1100", or how many there are
pub fn lengths(lens: &[usize]) -> String {
    let all: BTreeSet<usize> = lens.iter().copied().collect();
    let (first, last) = (lens.iter().min().unwrap_or(&0), lens.iter().max().unwrap_or(&0));
    if first == last {
        first.to_string()
    } else if all.len() == last - first + 1 {
        format!("{first}..{last}")
    } else {
        format!("{} up to {last}", all.len())
    }
}

/// A call under proof.  Set up regions and arguments, say what is expected, then run().
pub struct Call<'a> {
    pub m: Machine,
    pub image: &'a Image,
    pub function: String,
    expected: Vec<(u32, usize, Vec<Bit>, String)>,
    expected_pointers: Vec<(u32, usize, Word, String)>,
    scratch: Vec<Scratch>,
    num_arguments: usize,
    pub leftovers: Leftovers,
    /// The regions of the text's output
    outputs: Vec<u32>,
    /// The function returns something in rax.
    pub has_answer: bool,
}

/// Bytes that a function may use for itself
struct Scratch {
    region: u32,
    offset: usize,
    len: usize,
    /// In the end they are zeros or what they were before.
    wiped: bool,
}

const ARGUMENTS: [usize; 6] = [RDI, RSI, RDX, RCX, R8, R9];
/// The stack pointer at the entry, 8 mod 16.  The return address and the caller's stack are after that, and in no region.
const STACK_LEN: usize = 4088;

impl<'a> Call<'a> {
    pub fn new(image: &'a Image, function: &str) -> Call<'a> {
        Call::with(Domain::new(), image, function)
    }

    /// With the domain of a call before, which is faster if it was a similar one.
    pub fn with(domain: Domain, image: &'a Image, function: &str) -> Call<'a> {
        let mut m = Machine::with(domain);
        for section in &image.constants {
            m.region_of(&section.name, &section.data, section.address as i64, section.align);
        }
        let address = image.functions.get(function).map_or(0, |function| function.address);
        if let Some(section) = image.code.iter().find(|section| (section.address..section.end()).contains(&address)) {
            m.code = Some((section.address..section.end(), m.region_of("code", &[], 0, 1)));
        }
        let stack = m.region(STACK, STACK_LEN, true, 16);
        let leftovers = Leftovers::new(&m);
        m.regs[RSP] = Word::Pointer(stack, STACK_LEN as i64);
        Call {
            m,
            image,
            function: function.into(),
            expected: vec![],
            expected_pointers: vec![],
            scratch: vec![],
            num_arguments: 0,
            leftovers,
            outputs: vec![],
            has_answer: false,
        }
    }

    /// These variables are public, as ivs are.  Whatever isn't declared so is a secret.
    pub fn public(&mut self, variables: &[Bit]) {
        self.leftovers.public(&self.m.domain, variables)
    }

    /// These may be left there, and sums of them with each other, with text and with what is public.
    pub fn may_leave(&mut self, place: Place, bits: &[Bit]) {
        self.leftovers.allow(place, bits)
    }

    /// The next argument
    pub fn argument(&mut self, word: Word) {
        self.m.regs[ARGUMENTS[self.num_arguments]] = word;
        self.num_arguments += 1;
    }

    pub fn pointer(&mut self, region: u32) {
        self.argument(Word::Pointer(region, 0))
    }

    pub fn number(&mut self, number: u64) {
        self.argument(Word::Number(number))
    }

    /// One of 32 bits: what is above them in the register can be anything.
    pub fn number_32(&mut self, number: u32) {
        let mut word = bits(number.into());
        let above = self.m.domain.named(&format!("above argument {}", self.num_arguments), 32);
        word[32..].copy_from_slice(&above);
        self.public(&above);
        self.argument(Word::Bits(Box::new(word)))
    }

    /// src and dst; one and the same if it is in place
    pub fn buffers(&mut self, len: usize, in_place: bool) -> (u32, u32) {
        let src = self.m.region("src", len, in_place, 1);
        (src, if in_place { src } else { self.m.region("dst", len, true, 1) })
    }

    /// src and dst, which may be left in general registers and in lower vectors
    pub fn text(&mut self, len: usize, in_place: bool) -> (u32, u32) {
        let (src, dst) = self.buffers(len, in_place);
        let before = self.m.bytes(src, 0, len);
        self.may_leave(Place::General, &before);
        self.outputs.push(dst);
        (src, dst)
    }

    /// After the call those bytes of a region are to be `bits`.  Whatever isn't expected is to be as it was, except dead stack.
    pub fn expect(&mut self, region: u32, offset: usize, bits: &[Bit], what: &str) {
        self.expected.push((region, offset, bits.to_vec(), what.into()))
    }

    /// After the call there is to be a pointer.
    pub fn expect_pointer(&mut self, region: u32, offset: usize, pointer: Word, what: &str) {
        self.expected_pointers.push((region, offset, pointer, what.into()))
    }

    /// The function may use these bytes for itself, but leaves nothing there: zeros, or what was there before.
    pub fn expect_wiped(&mut self, region: u32, offset: usize, len: usize) {
        self.scratch.push(Scratch { region, offset, len, wiped: true })
    }

    /// The function may leave anything in these bytes.
    pub fn expect_anything(&mut self, region: u32, offset: usize, len: usize) {
        self.scratch.push(Scratch { region, offset, len, wiped: false })
    }

    /// Run the function, and check all that it leaves.
    pub fn run(&mut self) -> Result<()> {
        self.spoil();
        let before = self.m.save();
        match self.start()? {
            None => self.check(&before),
            Some(at) => Err(format!("stopped at {at:x}")),
        }
    }

    /// All arguments have been passed: from the entry to where the run ends
    pub fn enter(&mut self) -> Result<Option<u64>> {
        self.spoil();
        self.start()
    }

    fn spoil(&mut self) {
        if let Some(spoil) = self.image.spoil {
            spoil(self)
        }
    }

    fn start(&mut self) -> Result<Option<u64>> {
        let entry = self.image.function(&self.function)?.address;
        self.m.run(self.image, entry)
    }

    /// The function has returned: is all as it has to be?
    pub fn check(&mut self, before: &State) -> Result<()> {
        self.check_memory(before)?;
        self.check_leftovers(before)
    }

    /// The function has returned: does memory hold what was expected, and what it held before?
    pub fn check_memory(&self, before: &State) -> Result<()> {
        let mut memory: Vec<Vec<[Bit; 8]>> = before.regions.iter().map(|(bytes, _)| bytes.clone()).collect();
        for (region, offset, bits, what) in &self.expected {
            let got = self.m.bytes(*region, *offset, bits.len() / 8);
            same(&self.m, &got, bits, what)?;
            for (i, byte) in bits.chunks(8).enumerate() {
                memory[*region as usize][offset + i] = byte.try_into().unwrap();
            }
        }
        for (region, offset, pointer, what) in &self.expected_pointers {
            let got = self.m.regions[*region as usize].pointers.get(&(*offset as i64));
            if got != Some(pointer) {
                return Err(format!("{what}: {got:?} instead of {pointer:?}"));
            }
            memory[*region as usize][*offset..offset + 8]
                .copy_from_slice(&self.m.regions[*region as usize].bytes[*offset..offset + 8]);
        }
        for scratch in &self.scratch {
            let bytes = scratch.offset..scratch.offset + scratch.len;
            let left = &self.m.regions[scratch.region as usize].bytes[bytes.clone()];
            for (want, got) in memory[scratch.region as usize][bytes].iter_mut().zip(left) {
                if !scratch.wiped || *got == [0; 8] {
                    *want = *got
                }
            }
        }
        for (region, bytes) in self.m.regions.iter().zip(&memory).filter(|(region, _)| region.name != STACK) {
            let (got, want): (Vec<Bit>, Vec<Bit>) = (region.bytes.concat(), bytes.concat());
            same(&self.m, &got, &want, &format!("what is to stay of {}", region.name))?;
        }
        checked(Property::Memory);
        if !self.expected.is_empty() {
            checked(Property::Equality)
        }
        Ok(())
    }

    /// The function has returned: what is in registers and in dead stack may be there.
    pub fn check_leftovers(&mut self, before: &State) -> Result<()> {
        for &region in &self.outputs {
            self.leftovers.allow(Place::General, &self.m.regions[region as usize].bytes.concat())
        }
        if let (true, Word::Bits(answer)) = (self.has_answer, &self.m.regs[RAX]) {
            self.leftovers.allow(Place::Elsewhere, &answer[..])
        }
        self.leftovers.public(&self.m.domain, &self.m.public);
        self.leftovers.check(&mut self.m, before)
    }

    /// Which bits of registers and of the stack in a state may be left where they are
    pub fn clean(&mut self, state: &State) -> Vec<Vec<bool>> {
        self.leftovers.public(&self.m.domain, &self.m.public);
        self.leftovers.clean(&mut self.m, state)
    }

    /// Are those bits still such?
    pub fn check_clean(&mut self, clean: &[Vec<bool>], state: &State) -> Result<()> {
        self.leftovers.public(&self.m.domain, &self.m.public);
        self.leftovers.check_those(&mut self.m, state, |n, i, _| clean[n][i])
    }

    /// For another run with other parameters: no arguments yet, nothing expected
    pub fn again(&mut self) {
        self.num_arguments = 0;
        self.expected.clear();
        self.expected_pointers.clear();
        self.scratch.clear();
    }
}

pub fn same(m: &Machine, got: &[Bit], want: &[Bit], what: &str) -> Result<()> {
    if got.len() != want.len() {
        return Err(format!("{what}: {} bits instead of {}", got.len(), want.len()));
    }
    match (0..got.len()).find(|&i| got[i] != want[i]) {
        None => Ok(()),
        Some(i) => {
            let (got, want) = (m.domain.show(got[i]), m.domain.show(want[i]));
            Err(format!("{what}: byte {} bit {}: {got} instead of {want}", i / 8, i % 8))
        }
    }
}
