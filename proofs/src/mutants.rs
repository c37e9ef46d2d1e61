// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Mutants: the machine code with one thing changed.  Proofs of the function have to fail then.  One that survives is a gap in what
//! is proved, or is equivalent: it does the same by other means.  equivalent-mutants.txt lists these, with reasons.
use crate::image::Image;
use crate::run::{Outcome, Report, Runner, PANICKED};
use iced_x86::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// What is known to survive: function | offset | old -> new | why
const EQUIVALENT: &str = include_str!("../equivalent-mutants.txt");

#[derive(Clone)]
struct Mutant {
    function: String,
    /// The instruction that is changed, or that reads what is changed
    ip: u64,
    /// Where the bytes are that are changed, and what they become
    address: u64,
    bytes: Vec<u8>,
    /// "old -> new"
    text: String,
}

#[derive(PartialEq)]
enum Fate {
    Killed(String),
    Panicked,
    Survived,
}

/// xorshift64*: the same numbers for a seed everywhere
struct Random(u64);

impl Random {
    fn new(seed: u64, name: &str) -> Random {
        let mut hasher = FxHasher::default();
        (seed, name).hash(&mut hasher);
        Random(hasher.finish() | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545f4914f6cdd1d) >> 33) as usize % n
    }
}

/// Where bytes change, and what they become, if an instruction can be changed in that way
type Change = fn(&Image, &Instruction, &mut Random) -> Option<(u64, Vec<u8>)>;
const KINDS: [Change; 7] =
    [other_register, other_immediate, other_displacement, other_constant, dropped, other_condition, other_bit];

/// One of the instruction's registers is another of its kind.
fn other_register(_: &Image, i: &Instruction, random: &mut Random) -> Option<(u64, Vec<u8>)> {
    let registers: Vec<u32> = (0..i.op_count()).filter(|&n| i.op_kind(n) == OpKind::Register).collect();
    let n = *registers.get(random.below(registers.len().max(1)))?;
    let (old, mut changed) = (i.op_register(n), *i);
    let base = if old.is_zmm() {
        Register::ZMM0
    } else if old.is_ymm() {
        Register::YMM0
    } else if old.is_xmm() {
        Register::XMM0
    } else if old.is_gpr64() {
        Register::RAX
    } else if old.is_gpr32() {
        Register::EAX
    } else if old.is_k() {
        Register::K0
    } else {
        return None;
    };
    let many = if old.is_vector_register() {
        32
    } else if old.is_k() {
        8
    } else {
        16
    };
    changed.set_op_register(n, base + random.below(many) as u32);
    encoded(i, &changed)
}

fn other_immediate(image: &Image, i: &Instruction, random: &mut Random) -> Option<(u64, Vec<u8>)> {
    let offsets = constant_offsets(image, i)?;
    other_field(image, i, offsets.immediate_offset(), offsets.immediate_size(), random)
}

fn other_displacement(image: &Image, i: &Instruction, random: &mut Random) -> Option<(u64, Vec<u8>)> {
    let offsets = constant_offsets(image, i)?;
    other_field(image, i, offsets.displacement_offset(), offsets.displacement_size(), random)
}

fn constant_offsets(image: &Image, i: &Instruction) -> Option<ConstantOffsets> {
    let mut decoder = Decoder::with_ip(64, code(image, i)?, i.ip(), DecoderOptions::NONE);
    let instruction = decoder.decode();
    Some(decoder.get_constant_offsets(&instruction))
}

/// A little-endian number among the instruction's bytes is one more, one less, or has another bit.
fn other_field(image: &Image, i: &Instruction, at: usize, size: usize, random: &mut Random) -> Option<(u64, Vec<u8>)> {
    if size == 0 {
        return None;
    }
    let mut bytes = code(image, i)?.to_vec();
    let mut number = [0; 8];
    number[..size].copy_from_slice(&bytes[at..at + size]);
    let number = u64::from_le_bytes(number);
    let number = match random.below(3) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        _ => number ^ 1 << random.below(8 * size),
    };
    bytes[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]);
    Some((i.ip(), bytes))
}

/// A bit of what the instruction reads from a table
fn other_constant(image: &Image, i: &Instruction, random: &mut Random) -> Option<(u64, Vec<u8>)> {
    if !i.is_ip_rel_memory_operand() || i.memory_size().size() == 0 {
        return None;
    }
    let address = i.ip_rel_memory_address() + random.below(i.memory_size().size()) as u64;
    Some((address, vec![image.bytes(address, 1)?[0] ^ 1 << random.below(8)]))
}

fn dropped(_: &Image, i: &Instruction, _: &mut Random) -> Option<(u64, Vec<u8>)> {
    Some((i.ip(), vec![NOP; i.len()]))
}

fn other_condition(_: &Image, i: &Instruction, _: &mut Random) -> Option<(u64, Vec<u8>)> {
    let mut changed = *i;
    changed.negate_condition_code();
    encoded(i, &changed)
}

/// A bit of its code, whatever that makes of it
fn other_bit(image: &Image, i: &Instruction, random: &mut Random) -> Option<(u64, Vec<u8>)> {
    let mut bytes = code(image, i)?.to_vec();
    bytes[random.below(i.len())] ^= 1 << random.below(8);
    Some((i.ip(), bytes))
}

const NOP: u8 = 0x90;

fn code<'a>(image: &'a Image, i: &Instruction) -> Option<&'a [u8]> {
    image.bytes(i.ip(), i.len())
}

/// The changed instruction's code, if it isn't longer than the old one's
fn encoded(old: &Instruction, changed: &Instruction) -> Option<(u64, Vec<u8>)> {
    let mut encoder = Encoder::new(64);
    encoder.encode(changed, old.ip()).ok()?;
    let mut bytes = encoder.take_buffer();
    if bytes.len() > old.len() {
        return None;
    }
    bytes.resize(old.len(), NOP);
    Some((old.ip(), bytes))
}

/// So many different mutants of what these proofs of a function execute, none of them the same code
fn mutants(image: &Image, function: &str, reports: &[&Report], number: usize, seed: u64) -> Vec<Mutant> {
    let is_executed = |ip: u64| reports.iter().flat_map(|r| &r.outcomes).any(|outcome| outcome.executed.contains(&ip));
    let mut instructions = image.instructions(function).unwrap_or_default();
    instructions
        .retain(|i| !matches!(i.mnemonic(), Mnemonic::Nop | Mnemonic::Endbr64 | Mnemonic::Prefetcht0) && is_executed(i.ip()));
    let mut random = Random::new(seed, function);
    let (mut mutants, mut seen) = (vec![], FxHashSet::default());
    for _ in 0..100 * number {
        if mutants.len() == number || instructions.is_empty() {
            break;
        }
        let i = instructions[random.below(instructions.len())];
        let change = KINDS[random.below(KINDS.len())];
        let (address, bytes) = match change(image, &i, &mut random) {
            Some(changed) => changed,
            None => continue,
        };
        let changed = image.with_bytes(address, &bytes);
        let new = changed.instruction(i.ip());
        if new == Ok(i) && address == i.ip() || !seen.insert((address, bytes.clone())) {
            continue;
        }
        let text = if address == i.ip() {
            let new = new.map(|new| changed.text_in(function, &new)).unwrap_or_else(|_| "nothing".into());
            format!("{} -> {new}", image.text_in(function, &i))
        } else {
            format!("{}: byte {} of what it reads -> {:#04x}", image.text_of(&i), address - i.ip_rel_memory_address(), bytes[0])
        };
        mutants.push(Mutant { function: function.into(), ip: i.ip(), address, bytes, text })
    }
    mutants
}

/// The proofs that take the instruction in, also those of another function that has this code in common.  First those that differ
/// most: the one that executes the fewest instructions, then always the one with most that none before it has; then one for each
/// set of them, the smallest set first; then all others.
fn proofs_of<'a>(reports: &'a [Report<'a>], ip: u64) -> Vec<(&'a Report<'a>, usize)> {
    let mut outcomes: Vec<(&Report, usize, &Outcome)> = vec![];
    for report in reports {
        outcomes.extend(report.outcomes.iter().enumerate().map(|(part, outcome)| (report, part, outcome)))
    }
    outcomes.retain(|(_, _, outcome)| outcome.executed.contains(&ip));
    outcomes.sort_by_key(|(_, _, outcome)| outcome.executed.len());
    let mut seen = FxHashSet::default();
    let is_new = |(_, _, outcome): &(&Report, usize, &Outcome)| {
        let mut executed: Vec<u64> = outcome.executed.iter().copied().collect();
        executed.sort_unstable();
        seen.insert(executed)
    };
    let (mut sets, more): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(is_new);
    let (mut first, mut executed, mut next) = (vec![], FxHashSet::default(), 0);
    while next < sets.len() {
        let outcome = sets.remove(next);
        executed.extend(outcome.2.executed.iter().copied());
        first.push(outcome);
        let num_new = |n: &usize| sets[*n].2.executed.difference(&executed).count();
        next = (0..sets.len()).max_by_key(num_new).filter(|n| num_new(n) > 0).unwrap_or(sets.len())
    }
    first.extend(sets);
    first.extend(more);
    first.into_iter().map(|(report, part, _)| (report, part)).collect()
}

fn fate(image: &Image, mutant: &Mutant, reports: &[Report], most_proofs: usize) -> Fate {
    let changed = image.with_bytes(mutant.address, &mutant.bytes);
    let mut runner = Runner::new(&changed);
    for (report, part) in proofs_of(reports, mutant.ip).into_iter().take(most_proofs) {
        match runner.run(report.job, part).proofs {
            Ok(_) => {}
            Err(why) if why.starts_with(PANICKED) => return Fate::Panicked,
            Err(why) => return Fate::Killed(why),
        }
    }
    Fate::Survived
}

/// A line of equivalent-mutants.txt for it, without the reason
fn line(image: &Image, mutant: &Mutant) -> String {
    let offset = mutant.ip - image.functions[&mutant.function].address;
    format!("{} | {offset:#x} | {}", mutant.function, mutant.text)
}

/// Lines of equivalent-mutants.txt about an instruction that isn't there, or no longer: they say nothing of this code.
pub fn stale(image: &Image) -> Vec<String> {
    let is_there = |line: &str| {
        let mut parts = line.split(" | ");
        let (function, offset, change) = (parts.next()?, parts.next()?.strip_prefix("0x")?, parts.next()?);
        let ip = image.functions.get(function)?.address + u64::from_str_radix(offset, 16).ok()?;
        let i = image.instructions(function).ok()?.into_iter().find(|i| i.ip() == ip)?;
        let is_data = change.strip_prefix(&image.text_of(&i)).map_or(false, |rest| rest.starts_with(": byte "));
        let is_code = change.strip_prefix(&image.text_in(function, &i)).map_or(false, |rest| rest.starts_with(" -> "));
        (is_data || is_code).then_some(())
    };
    EQUIVALENT
        .lines()
        .filter(|line| !line.starts_with('#') && is_there(line).is_none())
        .map(|line| format!("equivalent-mutants.txt is about an instruction that isn't there: {line}"))
        .collect()
}

/// How many mutants came to which end
#[derive(Default)]
struct Count {
    killed: usize,
    panicked: usize,
    equivalent: usize,
    alive: usize,
}

/// So many mutants of each of these functions, under at most so many proofs each.  Whether none survived that isn't listed.
pub fn run(image: &Image, reports: &[Report], number: impl Fn(usize, &str) -> usize, seed: u64, most_proofs: usize) -> bool {
    let mut functions: BTreeMap<&str, Vec<&Report>> = BTreeMap::new();
    for report in reports {
        functions.entry(&report.job.function).or_default().push(report)
    }
    let all: Vec<Mutant> = functions
        .iter()
        .enumerate()
        .flat_map(|(n, (function, reports))| mutants(image, function, reports, number(n, function), seed))
        .collect();
    let known: FxHashMap<&str, &str> = EQUIVALENT.lines().filter_map(|line| line.rsplit_once(" | ")).collect();
    let (next, fates) = (AtomicUsize::new(0), Mutex::new(vec![]));
    let worker = |image: &Image| {
        while let Some(mutant) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let fate = fate(image, mutant, reports, most_proofs);
            fates.lock().expect("no panic here").push((mutant, fate));
        }
    };
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map(|n| n.get()).unwrap_or(1) {
            let (image, worker) = (image.clone(), &worker);
            scope.spawn(move || worker(&image));
        }
    });
    std::panic::set_hook(hook);

    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut ok = true;
    for (mutant, fate) in fates.into_inner().expect("no panic here") {
        let (count, line) = (counts.entry(&mutant.function).or_default(), line(image, mutant));
        match (&fate, known.get(&line[..])) {
            (Fate::Survived, Some(_)) => count.equivalent += 1,
            (Fate::Survived, None) => {
                count.alive += 1;
                ok = false;
                println!("FAILED  a mutant survives: {line}")
            }
            (Fate::Panicked, _) => count.panicked += 1,
            (Fate::Killed(_), _) => count.killed += 1,
        }
        if fate != Fate::Survived && known.contains_key(&line[..]) {
            println!("listed as equivalent, but killed: {line}")
        }
    }
    println!("\n| Function | Mutants | Killed | Prover panicked | Equivalent | Alive |\n| --- | --: | --: | --: | --: | --: |");
    for (function, Count { killed, panicked, equivalent, alive }) in counts {
        let sum = killed + panicked + equivalent + alive;
        println!("| `{function}` | {sum} | {killed} | {panicked} | {equivalent} | {alive} |")
    }
    ok
}
