// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! The models against the CPU.  No instruction is executed symbolically unless its form (machine/form.rs) has passed.
//!
//! A step of the model begins with variables in all registers and in memory.  What it leaves is evaluated for random values of
//! these variables, and compared with what the CPU makes of the same values: all vector registers, masks, general registers but
//! rsp, flags that the model claims to know, and memory.  Many models want some operands constant, such as shuffles and counts:
//! each step holds some at numbers, at random, and more if the model refuses.
//!
//! Instructions run with the operands that they have in the library, and with random immediates, too.  Addresses are kept as
//! well, and the registers in them are chosen such that they point into a buffer.  Branches go to a place that notes that it was
//! reached.  push and pop run together with an opposite on memory; ret is what ends all the others, and is compared with nothing.
//!
//! Flags that are undefined, or that no code uses (parity, auxiliary carry), are unknown to the model, so that using them is an
//! error.
use crate::domain::Bit;
use crate::image::Image;
use crate::machine::form::{has_memory, Form};
use crate::machine::*;
use iced_x86::*;
use std::arch::global_asm;
use std::arch::x86_64::__cpuid_count;
use std::collections::BTreeMap;

/// Runs that a form has to pass
const RUNS: usize = 1024;
/// Runs of one symbolic step, if it has variables
const RUNS_OF_A_STEP: usize = 32;
/// Steps after which a form is given up that the model refuses too often
const MAX_STEPS: usize = 4 * RUNS;
/// Instructions of a form with immediates that the library doesn't have: 0, all ones, and random ones
const OTHER_IMMEDIATES: usize = 10;

/// The registers, as run_wide and run_narrow load and store them
#[repr(C, align(64))]
#[derive(Clone, PartialEq)]
struct Registers {
    vectors: [[u8; 64]; 32],
    regs: [u64; 16],
    masks: [u64; 8],
    flags: u64,
}

global_asm!(
    r#"
.macro for_vectors insn, max
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    \insn \i
    .endr
  .if \max == 32
    .irp i, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    \insn \i
    .endr
  .endif
.endm
.macro load_wide i
    vmovdqu64 zmm\i, [rdi + 64*\i]
.endm
.macro store_wide i
    vmovdqu64 [rdi + 64*\i], zmm\i
.endm
.macro load_narrow i
    vmovdqu ymm\i, [rdi + 64*\i]
.endm
.macro store_narrow i
    vmovdqu [rdi + 64*\i], ymm\i
.endm
/* void name(struct registers *, code): loads all registers, calls the code, stores all. */
.macro run_stub name, vectors, load, store
.globl \name
\name:
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    push rsi                        /* [rsp + 8] is the code */
    push rdi                        /* [rsp] are the registers */
    for_vectors \load, \vectors
  .if \vectors == 32
    .irp i, 0,1,2,3,4,5,6,7
    kmovq k\i, [rdi + 2176 + 8*\i]
    .endr
  .endif
    push qword ptr [rdi + 2240]
    popfq
    mov rax, [rdi + 2048]
    mov rcx, [rdi + 2048 + 8]
    mov rdx, [rdi + 2048 + 16]
    mov rbx, [rdi + 2048 + 24]
    mov rbp, [rdi + 2048 + 40]
    mov rsi, [rdi + 2048 + 48]
    mov r8, [rdi + 2048 + 64]
    mov r9, [rdi + 2048 + 72]
    mov r10, [rdi + 2048 + 80]
    mov r11, [rdi + 2048 + 88]
    mov r12, [rdi + 2048 + 96]
    mov r13, [rdi + 2048 + 104]
    mov r14, [rdi + 2048 + 112]
    mov r15, [rdi + 2048 + 120]
    mov rdi, [rdi + 2048 + 56]
    call [rsp + 8]
    xchg rdi, [rsp]
    pushfq
    pop qword ptr [rdi + 2240]
    mov [rdi + 2048], rax
    mov [rdi + 2048 + 8], rcx
    mov [rdi + 2048 + 16], rdx
    mov [rdi + 2048 + 24], rbx
    mov [rdi + 2048 + 40], rbp
    mov [rdi + 2048 + 48], rsi
    mov [rdi + 2048 + 64], r8
    mov [rdi + 2048 + 72], r9
    mov [rdi + 2048 + 80], r10
    mov [rdi + 2048 + 88], r11
    mov [rdi + 2048 + 96], r12
    mov [rdi + 2048 + 104], r13
    mov [rdi + 2048 + 112], r14
    mov [rdi + 2048 + 120], r15
    pop rax
    mov [rdi + 2048 + 56], rax
  .if \vectors == 32
    .irp i, 0,1,2,3,4,5,6,7
    kmovq [rdi + 2176 + 8*\i], k\i
    .endr
  .endif
    for_vectors \store, \vectors
    vzeroupper
    cld
    add rsp, 8
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret
.endm
run_stub lc_prove_run_wide, 32, load_wide, store_wide
run_stub lc_prove_run_narrow, 16, load_narrow, store_narrow
"#
);
extern "C" {
    /// All of it, with AVX512F and BW
    fn lc_prove_run_wide(registers: *mut Registers, code: *const u8);
    /// The lower 256 bits of 16 vectors and no masks, with AVX
    fn lc_prove_run_narrow(registers: *mut Registers, code: *const u8);
    fn mmap(address: *mut u8, len: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
    fn mprotect(address: *mut u8, len: usize, protection: i32) -> i32;
    fn munmap(address: *mut u8, len: usize) -> i32;
}
const READ: i32 = 1;
const WRITE: i32 = 2;
const EXECUTE: i32 = 4;
const PRIVATE_ANONYMOUS: i32 = 0x22;

/// Flags that models know, as bits of rflags
const CARRY: u32 = 0;
const ZERO: u32 = 6;
const SIGN: u32 = 7;
const OVERFLOW: u32 = 11;
const DIRECTION: u32 = 10;

/// What the check says of a form
#[derive(Clone, PartialEq)]
pub enum Verdict {
    /// It passed, in so many runs.
    Passed(usize),
    /// This CPU can't tell, but the one of this name passed it.
    Recorded(String),
    /// This CPU can't tell, and no other has.
    Unknown,
    /// The model knows too little of it.
    Refused(String),
    /// The CPU does something else.
    Wrong(String),
}

impl Verdict {
    pub fn allows(&self) -> bool {
        matches!(self, Verdict::Passed(_) | Verdict::Recorded(_))
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Verdict::Passed(runs) => write!(f, "passed {runs} runs"),
            Verdict::Recorded(cpu) => write!(f, "not here, but passed on {cpu}"),
            Verdict::Unknown => write!(f, "NOT CHECKED: this CPU doesn't have it, and no other is on record"),
            Verdict::Refused(why) => write!(f, "NO MODEL: {why}"),
            Verdict::Wrong(how) => write!(f, "WRONG: {how}"),
        }
    }
}

/// Every form that occurs in the image, checked on all cores
pub fn check(image: &Image) -> BTreeMap<Form, Verdict> {
    let forms: Vec<(Form, Vec<Instruction>)> = image.forms().into_iter().collect();
    let threads = std::thread::available_parallelism().map(|n| n.get()).unwrap_or(1);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let (mut bench, mut verdicts) = (Bench::new(Machine::step), vec![]);
        while let Some((form, instructions)) = forms.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            verdicts.push((*form, verdict(&mut bench, *form, instructions)))
        }
        verdicts
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("the check ended early")).collect()
    })
}

fn verdict(bench: &mut Bench, form: Form, instructions: &[Instruction]) -> Verdict {
    if !has_features(form.code) {
        return match recorded(&form) {
            Some(cpu) => Verdict::Recorded(cpu),
            None => Verdict::Unknown,
        };
    }
    bench.check(instructions)
}

// ---- The record of other CPUs ----

/// Lines of a form, ": ", and the CPU that it passed on
pub const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/forms-checked.txt");
const RECORDED: &str = include_str!("../forms-checked.txt");

fn recorded(form: &Form) -> Option<String> {
    let form = form.to_string();
    RECORDED.lines().filter_map(|line| line.split_once(": ")).find(|(name, _)| *name == form).map(|(_, cpu)| cpu.into())
}

/// The record as it is to be after this check
pub fn record(verdicts: &BTreeMap<Form, Verdict>) -> String {
    let cpu = cpu_name();
    let mut text: String = RECORDED.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    for (form, verdict) in verdicts {
        match verdict {
            Verdict::Passed(_) => text += &format!("{form}: {cpu}\n"),
            Verdict::Recorded(other) => text += &format!("{form}: {other}\n"),
            _ => {}
        }
    }
    text
}

#[allow(unused_unsafe)] // it has been safe only for some years
fn cpuid(leaf: u32) -> [u32; 4] {
    let r = unsafe { __cpuid_count(leaf, 0) };
    [r.eax, r.ebx, r.ecx, r.edx]
}

pub fn cpu_name() -> String {
    let brand: Vec<u8> =
        (0x80000002..=0x80000004).flat_map(cpuid).flat_map(|word| word.to_le_bytes()).filter(|&b| b != 0).collect();
    let version = cpuid(1)[0];
    let (family, model) = ((version >> 8 & 15) + (version >> 20 & 255), version >> 4 & 15 | version >> 12 & 0xf0);
    format!("{}, family {family}, model {model}", String::from_utf8_lossy(&brand).trim())
}

fn has_wide() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
}

/// Whether this CPU can execute it (and the stub, which wants AVX)
fn has_features(code: Code) -> bool {
    let avx = is_x86_feature_detected!("avx");
    let leaf_7 = cpuid(7)[2];
    let has = |feature: &CpuidFeature| match feature {
        CpuidFeature::SSE3 => is_x86_feature_detected!("sse3"),
        CpuidFeature::SSSE3 => is_x86_feature_detected!("ssse3"),
        CpuidFeature::SSE4_1 => is_x86_feature_detected!("sse4.1"),
        CpuidFeature::AES => is_x86_feature_detected!("aes"),
        CpuidFeature::PCLMULQDQ => is_x86_feature_detected!("pclmulqdq"),
        CpuidFeature::AVX => avx,
        CpuidFeature::AVX2 => is_x86_feature_detected!("avx2"),
        CpuidFeature::BMI1 => is_x86_feature_detected!("bmi1"),
        CpuidFeature::BMI2 => is_x86_feature_detected!("bmi2"),
        CpuidFeature::ADX => is_x86_feature_detected!("adx"),
        CpuidFeature::AVX512F => has_wide(),
        CpuidFeature::AVX512BW => has_wide(),
        CpuidFeature::AVX512DQ => is_x86_feature_detected!("avx512dq"),
        CpuidFeature::AVX512VL => is_x86_feature_detected!("avx512vl"),
        CpuidFeature::AVX512_IFMA => is_x86_feature_detected!("avx512ifma"),
        CpuidFeature::AVX512_VBMI => is_x86_feature_detected!("avx512vbmi"),
        CpuidFeature::VAES => leaf_7 >> 9 & 1 == 1,
        CpuidFeature::VPCLMULQDQ => leaf_7 >> 10 & 1 == 1,
        // what each x86-64 has; endbr64 does nothing where it isn't known
        CpuidFeature::INTEL8086 | CpuidFeature::INTEL186 | CpuidFeature::INTEL386 | CpuidFeature::INTEL486 => true,
        CpuidFeature::X64 | CpuidFeature::CMOV | CpuidFeature::SSE | CpuidFeature::SSE2 => true,
        CpuidFeature::CET_IBT | CpuidFeature::MULTIBYTENOP => true,
        _ => false,
    };
    avx && code.cpuid_features().iter().all(has)
}

// ---- Where the CPU executes ----

/// Memory that code is in, and after it the data that it uses
struct Arena {
    memory: *mut u8,
    code_len: usize,
}
const MAX_CODE: usize = 64;
const DATA_LEN: usize = 4096;
const BUFFER_LEN: usize = 256;
/// Offsets in the data; the buffer is followed by what rip-relative operands read, and both are evaluated as one.
const BUFFER: usize = 1024;
const CONSTANTS: usize = BUFFER + BUFFER_LEN;
const CONSTANTS_LEN: usize = 64;
const REACHED: usize = 3072;
const SLOT: usize = 3080;

impl Arena {
    fn new(num: usize) -> Arena {
        let code_len = (num * MAX_CODE + 4095) & !4095;
        let memory = unsafe { mmap(std::ptr::null_mut(), code_len + DATA_LEN, READ | WRITE, PRIVATE_ANONYMOUS, -1, 0) };
        assert!(memory as isize != -1, "no memory");
        Arena { memory, code_len }
    }
    fn code(&self, n: usize) -> u64 {
        self.memory as u64 + (n * MAX_CODE) as u64
    }
    fn data(&self, offset: usize) -> u64 {
        self.memory as u64 + (self.code_len + offset) as u64
    }
    fn write(&self, address: u64, bytes: &[u8]) {
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) }
    }
    fn read(&self, address: u64, len: usize) -> &[u8] {
        unsafe { std::slice::from_raw_parts(address as *const u8, len) }
    }
    fn seal(&self) {
        assert!(unsafe { mprotect(self.memory, self.code_len, READ | EXECUTE) } == 0, "code can't be made executable");
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        unsafe { munmap(self.memory, self.code_len + DATA_LEN) };
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Branch,
    Push,
    Pop,
}

/// An instruction in the arena
struct Trial {
    instruction: Instruction,
    kind: Kind,
    code: u64,
}

impl Trial {
    /// Puts it into place n.  None: it can't be encoded there (a random immediate), or is one of those that aren't run.
    fn new(arena: &Arena, n: usize, mut i: Instruction) -> Option<Trial> {
        let uses_stack = |r: Register| r.full_register() == Register::RSP;
        let code = arena.code(n);
        let kind = match i.flow_control() {
            FlowControl::Next if i.mnemonic() == Mnemonic::Push => Kind::Push,
            FlowControl::Next if i.mnemonic() == Mnemonic::Pop => Kind::Pop,
            FlowControl::Next => Kind::Plain,
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => Kind::Branch,
            _ => return None,
        };
        let stack = (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Register && uses_stack(i.op_register(n)));
        if stack || has_memory(&i) && uses_stack(i.memory_base()) {
            return None;
        }
        let to_slot = |opcode: [u8; 2], at: u64| {
            let distance = (arena.data(SLOT) - (at + 6)) as u32;
            [&opcode[..], &distance.to_le_bytes()].concat()
        };
        let first = if kind == Kind::Pop { to_slot([0xff, 0x35], code) } else { vec![] }; // push
        let place = code + first.len() as u64;
        if i.memory_base() == Register::RIP {
            i.set_memory_displacement64(arena.data(CONSTANTS));
        }
        if kind == Kind::Branch {
            i.set_near_branch64(place + 16);
        }
        let mut encoder = Encoder::new(64);
        encoder.encode(&i, place).ok()?;
        let encoded = encoder.take_buffer();
        let instruction = Decoder::with_ip(64, &encoded, place, DecoderOptions::NONE).decode();
        if Form::of(&instruction) != Form::of(&i) {
            return None;
        }
        let mut bytes = [&first[..], &encoded].concat();
        if kind == Kind::Push {
            bytes.extend(to_slot([0x8f, 0x05], code + bytes.len() as u64)) // pop
        }
        bytes.push(RET);
        if kind == Kind::Branch {
            bytes.resize(16, RET);
            let distance = (arena.data(REACHED) - (place + 16 + 7)) as u32;
            bytes.extend([0xc6, 0x05]); // movb $1, REACHED
            bytes.extend(distance.to_le_bytes());
            bytes.extend([1, RET]);
        }
        arena.write(code, &bytes);
        Some(Trial { instruction, kind, code })
    }
}
const RET: u8 = 0xc3;

/// The same with another immediate, if it has one
fn with_immediate(i: &Instruction, number: u64) -> Option<Instruction> {
    let last = i.op_count().checked_sub(1)?;
    let mut i = *i;
    match i.op_kind(last) {
        OpKind::Immediate8 => i.set_immediate8(number as u8),
        OpKind::Immediate8to32 => i.set_immediate8to32(number as i8 as i32),
        OpKind::Immediate8to64 => i.set_immediate8to64(number as i8 as i64),
        OpKind::Immediate32 => i.set_immediate32(number as u32),
        OpKind::Immediate32to64 => i.set_immediate32to64(number as i32 as i64),
        OpKind::Immediate64 => i.set_immediate64(number),
        _ => return None,
    }
    Some(i)
}

// ---- The model, and both together ----

struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d049bb133111eb);
        x ^ x >> 31
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    /// 64 bits.  One in four is from the ends of the range, or small.
    fn word(&mut self) -> u64 {
        let x = self.next();
        match x >> 59 {
            0 => 0,
            1 => !0,
            2 | 3 => x & 0x7f,
            4 => 1 << (x & 63),
            5 => x & 0x0000_007f_0000_007f,
            6 => x | 0xffff_ffff_0000_0000,
            7 => (1 << (x & 63)) - 1,
            _ => x << 5 ^ x,
        }
    }
}

/// What the CPU begins with, or ends with
#[derive(Clone)]
struct Concrete {
    registers: Registers,
    memory: [u8; MEMORY_LEN],
    /// X of Word::Length
    x: i64,
}
const MEMORY_LEN: usize = BUFFER_LEN + CONSTANTS_LEN;

/// What stays the same in all runs of a step: what is no variable in it, and vectors that it doesn't use
#[derive(Default)]
struct Held {
    vectors: [bool; 32],
    regs: [bool; 16],
    masks: [bool; 8],
    memory: bool,
    /// Carry and zero flag are no variables.
    flags: bool,
    /// Words of vectors are below 2^62, so that integers.rs can show that sums don't overflow.
    bounded: bool,
    /// A register that is a length, what is added to X in it, and what X may be
    length: Option<(usize, i64, Interval)>,
}
const BOUND: u64 = (1 << 62) - 1;

impl Concrete {
    fn new() -> Concrete {
        let registers = Registers { vectors: [[0; 64]; 32], regs: [0; 16], masks: [0; 8], flags: 0 };
        Concrete { registers, memory: [0; MEMORY_LEN], x: 0 }
    }

    fn randomize(&mut self, random: &mut Random, held: &Held) {
        let mut fill = |bytes: &mut [u8]| bytes.chunks_mut(8).for_each(|word| word.copy_from_slice(&random.word().to_le_bytes()));
        let vectors = self.registers.vectors.iter_mut().zip(held.vectors).filter(|(_, held)| !held);
        vectors.for_each(|(vector, _)| fill(vector));
        if !held.memory {
            fill(&mut self.memory)
        }
        for (reg, _) in self.registers.regs.iter_mut().zip(held.regs).filter(|(_, held)| !held) {
            *reg = random.word()
        }
        for (mask, _) in self.registers.masks.iter_mut().zip(held.masks).filter(|(_, held)| !held) {
            *mask = random.word()
        }
        if !held.flags {
            let variable = 1 << CARRY | 1 << ZERO;
            self.registers.flags = self.registers.flags & !variable | random.next() & variable
        }
        if held.bounded {
            for top in self.registers.vectors.iter_mut().flat_map(|vector| vector.chunks_mut(8)) {
                top[7] &= (BOUND >> 56) as u8
            }
        }
        if let Some((reg, offset, interval)) = held.length {
            self.x = interval.least + interval.step * random.below(interval.count() as u64) as i64;
            self.registers.regs[reg] = (self.x + offset) as u64
        }
    }
}

fn bits_of_bytes(bytes: &[u8]) -> impl Iterator<Item = Bit> + '_ {
    bytes.iter().flat_map(|byte| (0..8).map(move |i| (byte >> i & 1) as Bit))
}

/// Where the stack pointer is for push and pop
const STACK_AT: usize = 128;

/// The machine that steps are tried on: all of it is variables at first.
struct Bench {
    machine: Machine,
    begin: State,
    buffer: u32,
    constants: u32,
    /// The variables of rflags
    flags: Vec<Bit>,
    random: Random,
    model: Model,
}
type Model = fn(&mut Machine, &Instruction) -> Result<Next>;

impl Bench {
    fn new(model: Model) -> Bench {
        let mut machine = Machine::new();
        let buffer = machine.region("buffer", BUFFER_LEN, true, 64);
        let constants = machine.region("constants", CONSTANTS_LEN, false, 64);
        let begin = machine.save();
        let flags = machine.domain.named("flags", 64);
        Bench { machine, begin, buffer, constants, flags, random: Random(0), model }
    }

    fn check(&mut self, instructions: &[Instruction]) -> Verdict {
        self.random = Random(instructions[0].ip()); // each time the same
        let arena = Arena::new(instructions.len() + OTHER_IMMEDIATES);
        let mut trials: Vec<Trial> = vec![];
        for i in instructions {
            trials.extend(Trial::new(&arena, trials.len(), *i))
        }
        for n in 0..OTHER_IMMEDIATES {
            let i = instructions[self.random.below(instructions.len() as u64) as usize];
            let i = with_immediate(&i, [0, !0].get(n).copied().unwrap_or_else(|| self.random.word()));
            trials.extend(i.and_then(|i| Trial::new(&arena, trials.len(), i)))
        }
        if instructions.iter().all(|i| i.mnemonic() == Mnemonic::Ret) {
            return Verdict::Passed(0);
        }
        arena.seal();
        self.machine.regions[self.constants as usize].base = arena.data(CONSTANTS) as i64;
        let (mut runs, mut refused) = (0, "it can't be run".to_string());
        for step in 0..MAX_STEPS.min(MAX_STEPS * trials.len()) {
            if runs >= RUNS && step >= trials.len() {
                return Verdict::Passed(runs);
            }
            let trial = &trials[step % trials.len()];
            match self.step(&arena, trial, step % 5) {
                Err(why) => refused = why,
                Ok(Err(how)) => return Verdict::Wrong(format!("{}: {how}", trial.instruction)),
                Ok(Ok(more)) => runs += more,
            }
        }
        Verdict::Refused(refused)
    }

    /// One step of the model and its runs: how many, or what differed.  Err: why the model refuses.
    fn step(&mut self, arena: &Arena, trial: &Trial, least_held: usize) -> Result<Result<usize>> {
        let mut refused = String::new();
        for quarters in least_held..=4 {
            let (mut concrete, held) = self.set_up(arena, trial, quarters)?;
            match (self.model)(&mut self.machine, &trial.instruction) {
                Ok(next) => {
                    let runs = if quarters == 4 { 1 } else { RUNS_OF_A_STEP };
                    for _ in 0..runs {
                        if let Err(how) = self.run(arena, trial, &concrete, &next) {
                            return Ok(Err(how));
                        }
                        concrete.randomize(&mut self.random, &held)
                    }
                    return Ok(Ok(runs));
                }
                Err(why) => refused = why,
            }
        }
        Err(refused)
    }

    /// The state before a step, in which so many quarters of what may be held is.
    fn set_up(&mut self, arena: &Arena, trial: &Trial, quarters: usize) -> Result<(Concrete, Held)> {
        let mut concrete = Concrete::new();
        let mut held = Held { bounded: self.random.below(2) == 0, ..Held::default() };
        self.machine.restore(&self.begin);
        self.machine.domain.integers = self.random.below(2) == 0;
        let mut hold = || self.random.below(4) < quarters as u64;
        let i = &trial.instruction;
        held.vectors = [true; 32];
        let mut vectors = vec![];
        for n in (0..i.op_count()).filter(|&n| i.op_kind(n) == OpKind::Register && i.op_register(n).is_vector_register()) {
            let r = i.op_register(n).number();
            held.vectors[r] = hold();
            vectors.push(r)
        }
        held.regs.fill_with(&mut hold);
        held.masks.fill_with(&mut hold);
        held.memory = has_memory(i) && hold();
        held.flags = hold() || hold();
        concrete.randomize(&mut self.random, &Held { bounded: held.bounded, ..Held::default() });
        for &r in vectors.iter().filter(|_| held.bounded) {
            self.machine.vectors[r].chunks_mut(64).for_each(|word| word[BOUND.count_ones() as usize..].fill(0))
        }
        vectors.retain(|&r| held.vectors[r]);
        self.hold(&concrete, &held, &vectors);
        if quarters < 4 && self.random.below(4) == 0 {
            let reg = [RAX, RCX, RDX, RSI, RDI, R8, R9][self.random.below(7) as usize];
            let at = self.random.below(BUFFER_LEN as u64);
            self.point(arena, &mut concrete, &mut held, reg, at as i64)
        }
        if quarters < 4 && self.random.below(8) == 0 {
            self.measure(&mut concrete, &mut held)
        }
        let plain_lea = i.mnemonic() == Mnemonic::Lea && self.random.below(2) == 0;
        if has_memory(i) && i.mnemonic() != Mnemonic::Nop && i.memory_base() != Register::RIP && !plain_lea {
            self.set_address(arena, &mut concrete, &mut held, i, quarters)?
        }
        if matches!(trial.kind, Kind::Push | Kind::Pop) {
            self.machine.regs[RSP] = Word::Pointer(self.buffer, STACK_AT as i64)
        }
        self.set_flags(&mut concrete, &held);
        Ok((concrete, held))
    }

    fn set_flags(&mut self, concrete: &mut Concrete, held: &Held) {
        concrete.registers.flags = self.random.next() & (1 << CARRY | 1 << ZERO | 1 << SIGN | 1 << OVERFLOW);
        let flag = |bit: u32| Some(concrete.registers.flags >> bit & 1 == 1);
        self.machine.flags = Flags { s: flag(SIGN), o: flag(OVERFLOW), ..Flags::default() };
        if held.flags {
            self.machine.flags.c = flag(CARRY);
            self.machine.flags.z = flag(ZERO)
        } else {
            self.machine.flags.csym = Some(self.flags[CARRY as usize]);
            self.machine.flags.zsym = Some(self.flags[ZERO as usize])
        }
    }

    fn hold(&mut self, concrete: &Concrete, held: &Held, vectors: &[usize]) {
        let m = &mut self.machine;
        for &r in vectors {
            m.vectors[r].iter_mut().zip(bits_of_bytes(&concrete.registers.vectors[r])).for_each(|(to, bit)| *to = bit)
        }
        for r in (0..16).filter(|&r| held.regs[r] && r != RSP) {
            m.regs[r] = Word::Number(concrete.registers.regs[r])
        }
        for r in (0..8).filter(|&r| held.masks[r]) {
            m.masks[r] = bits(concrete.registers.masks[r])
        }
        if held.memory {
            for (region, bytes) in [(self.buffer, &concrete.memory[..BUFFER_LEN]), (self.constants, &concrete.memory[BUFFER_LEN..])]
            {
                for (to, byte) in m.regions[region as usize].bytes.iter_mut().zip(bytes) {
                    *to = std::array::from_fn(|i| (byte >> i & 1) as Bit)
                }
            }
        }
    }

    fn point(&mut self, arena: &Arena, concrete: &mut Concrete, held: &mut Held, reg: usize, at: i64) {
        held.regs[reg] = true;
        concrete.registers.regs[reg] = arena.data(BUFFER).wrapping_add(at as u64);
        self.machine.regs[reg] = Word::Pointer(self.buffer, at)
    }

    /// A register that is a length.  (All of them are far from where the machine would refuse to compare.)
    fn measure(&mut self, concrete: &mut Concrete, held: &mut Held) {
        let reg = [RAX, RCX, RDX, RSI, RDI, R8, R9][self.random.below(7) as usize];
        let step = [1, 16, 64, 512][self.random.below(4) as usize];
        let least = step * self.random.below(40) as i64;
        let interval = Interval { least, most: least + step * self.random.below(8) as i64, step };
        let offset = self.random.below(256) as i64 - 128;
        held.regs[reg] = true;
        held.length = Some((reg, offset, interval));
        self.machine.lengths = interval;
        self.machine.regs[reg] = Word::Length(offset);
        concrete.x = least;
        concrete.registers.regs[reg] = (least + offset) as u64
    }

    /// Registers such that the address is in the buffer
    fn set_address(
        &mut self,
        arena: &Arena,
        concrete: &mut Concrete,
        held: &mut Held,
        i: &Instruction,
        quarters: usize,
    ) -> Result<()> {
        let last = (BUFFER_LEN - 64) as u64;
        let aligned = quarters == 4 || self.random.below(2) == 0;
        let target = if aligned { 64 * self.random.below(last / 64 + 1) } else { self.random.below(last + 1) };
        let mut offset = target as i64 - i.memory_displacement64() as i64;
        let (mut base, mut index) = (i.memory_base(), i.memory_index());
        if base == Register::None || base == index {
            return Err("an address without a base, or twice the same register".into());
        }
        if index != Register::None {
            if i.memory_index_scale() == 1 && self.random.below(2) == 0 {
                std::mem::swap(&mut base, &mut index)
            }
            let number = self.random.below(256) as i64 - 128;
            offset -= number * i.memory_index_scale() as i64;
            let r = reg_index(index);
            held.regs[r] = true;
            concrete.registers.regs[r] = number as u64;
            self.machine.regs[r] = Word::Number(number as u64)
        }
        self.point(arena, concrete, held, reg_index(base), offset);
        held.length = held.length.filter(|length| ![base, index].iter().any(|&r| r != Register::None && reg_index(r) == length.0));
        Ok(())
    }

    /// The CPU's result, and the model's under the same values
    fn run(&mut self, arena: &Arena, trial: &Trial, before: &Concrete, next: &Next) -> Result<()> {
        let after = execute(arena, trial, before);
        self.assign(before);
        let expected = self.expected(arena, trial, before);
        for r in 0..32 {
            let seen = if has_wide() { 64 } else { 32 };
            if (has_wide() || r < 16) && after.registers.vectors[r][..seen] != expected.registers.vectors[r][..seen] {
                return Err(format!("vector register {r}"));
            }
        }
        for r in (0..16).filter(|&r| r != RSP) {
            let (cpu, model) = (after.registers.regs[r], expected.registers.regs[r]);
            if cpu != model {
                return Err(format!("register {r} is {cpu:x} instead of {model:x}"));
            }
        }
        if after.registers.masks != expected.registers.masks {
            return Err("mask".into());
        }
        if let Some(at) = (0..MEMORY_LEN).find(|&at| after.memory[at] != expected.memory[at]) {
            return Err(format!("memory byte {at}"));
        }
        let flags = self.machine.flags;
        for (bit, model) in [(CARRY, flags.c), (ZERO, flags.z), (SIGN, flags.s), (OVERFLOW, flags.o), (DIRECTION, Some(false))] {
            if model.is_some() && model != Some(after.registers.flags >> bit & 1 == 1) {
                return Err(format!("flag in bit {bit}, of {:x}", before.registers.flags));
            }
        }
        let after_bit = |bit: u32| after.registers.flags >> bit & 1 == 1;
        for (bit, model) in [(CARRY, flags.csym), (ZERO, flags.zsym)] {
            if model.is_some() && model.map(|bit| self.machine.domain.eval(bit)) != Some(after_bit(bit)) {
                return Err(format!("flag in bit {bit}, which is a variable"));
            }
        }
        let reached = arena.read(arena.data(REACHED), 1)[0] == 1;
        match next {
            Next::At(target) if reached && *target == trial.instruction.near_branch_target() => Ok(()),
            Next::After if !reached => self.check_stack(arena, trial, before),
            _ => Err("branch".into()),
        }
    }

    /// That the stack pointer moved as it has to, and what was pushed
    fn check_stack(&mut self, arena: &Arena, trial: &Trial, before: &Concrete) -> Result<()> {
        let distance = match trial.kind {
            Kind::Push => -8,
            Kind::Pop => 8,
            _ => return Ok(()),
        };
        if self.machine.regs[RSP] != Word::Pointer(self.buffer, STACK_AT as i64 + distance) {
            return Err("stack pointer".into());
        }
        if trial.kind == Kind::Push {
            let pushed = u64::from_le_bytes(arena.read(arena.data(SLOT), 8).try_into().unwrap());
            let at = STACK_AT - 8;
            let word = match self.machine.regions[self.buffer as usize].pointers.get(&(at as i64)) {
                Some(pointer) => pointer.clone(),
                None => Word::Bits(Box::new(self.machine.bytes(self.buffer, at, 8).try_into().unwrap())),
            };
            if self.value(arena, before.x, &word) != pushed {
                return Err("what is pushed".into());
            }
        }
        Ok(())
    }

    /// Evaluation begins, for these values of the variables.
    fn assign(&mut self, concrete: &Concrete) {
        let domain = &mut self.machine.domain;
        domain.reset_eval(self.random.next());
        let mut give = |bit: Bit, bytes: &[u8]| {
            let node = domain.node_of_bit(bit).expect("not a variable");
            let given = domain.given.entry(node).or_default();
            given.clear();
            given.extend_from_slice(bytes)
        };
        for (vector, bytes) in self.begin.vectors.iter().zip(&concrete.registers.vectors) {
            give(vector[0], bytes)
        }
        for (word, number) in self.begin.regs.iter().zip(concrete.registers.regs) {
            if let Word::Bits(bits) = word {
                give(bits[0], &number.to_le_bytes())
            }
        }
        for (mask, number) in self.begin.masks.iter().zip(concrete.registers.masks) {
            give(mask[0], &number.to_le_bytes())
        }
        give(self.flags[0], &concrete.registers.flags.to_le_bytes());
        give(self.begin.regions[self.buffer as usize].0[0][0], &concrete.memory[..BUFFER_LEN]);
        give(self.begin.regions[self.constants as usize].0[0][0], &concrete.memory[BUFFER_LEN..]);
    }

    /// What the model makes of it.  What is as it was before the step, a variable, is not evaluated.
    fn expected(&mut self, arena: &Arena, trial: &Trial, before: &Concrete) -> Concrete {
        let mut expected = before.clone();
        for r in 0..32 {
            let vector = self.machine.vectors[r];
            if vector != self.begin.vectors[r] {
                for (to, byte) in expected.registers.vectors[r].iter_mut().zip(vector.chunks(8)) {
                    *to = self.machine.domain.eval_word(byte) as u8
                }
            }
        }
        for r in (0..16).filter(|&r| r != RSP) {
            let word = self.machine.regs[r].clone();
            expected.registers.regs[r] = self.value(arena, before.x, &word)
        }
        for r in 0..8 {
            let mask = self.machine.masks[r];
            expected.registers.masks[r] = self.machine.domain.eval_word(&mask)
        }
        if trial.kind == Kind::Push {
            return expected; // what went to the CPU's stack is compared elsewhere
        }
        for at in 0..BUFFER_LEN {
            let byte = self.machine.regions[self.buffer as usize].bytes[at];
            if byte != self.begin.regions[self.buffer as usize].0[at] {
                expected.memory[at] = self.machine.domain.eval_word(&byte) as u8
            }
        }
        for (at, word) in self.machine.regions[self.buffer as usize].pointers.clone() {
            expected.memory[at as usize..at as usize + 8].copy_from_slice(&self.value(arena, before.x, &word).to_le_bytes())
        }
        expected
    }

    fn value(&mut self, arena: &Arena, x: i64, word: &Word) -> u64 {
        match word {
            Word::Number(number) => *number,
            Word::Pointer(region, offset) if *region == self.buffer => arena.data(BUFFER).wrapping_add(*offset as u64),
            Word::Pointer(_, address) => *address as u64,
            Word::Bits(bits) => self.machine.domain.eval_word(&bits[..]),
            Word::Length(offset) => (x + offset) as u64,
            Word::End(_, offset) => arena.data(BUFFER).wrapping_add((x + offset) as u64),
            Word::Amount(_) => unreachable!("no trial begins with an amount"),
        }
    }
}

fn execute(arena: &Arena, trial: &Trial, before: &Concrete) -> Concrete {
    let mut after = before.clone();
    after.registers.flags |= 2;
    arena.write(arena.data(BUFFER), &before.memory);
    arena.write(arena.data(REACHED), &[0]);
    arena.write(arena.data(SLOT), &before.memory[STACK_AT..STACK_AT + 8]);
    let run = if has_wide() { lc_prove_run_wide } else { lc_prove_run_narrow };
    unsafe { run(&mut after.registers, trial.code as *const u8) };
    after.memory.copy_from_slice(arena.read(arena.data(BUFFER), MEMORY_LEN));
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(code: &[u8], model: Model) -> Verdict {
        let image = Image::of_code(code);
        let (form, instructions) = image.forms().into_iter().next().unwrap();
        assert!(has_features(form.code), "this test needs a CPU with {form}");
        Bench::new(model).check(&instructions)
    }

    const VPADDD: &[u8] = &[0xc5, 0xf1, 0xfe, 0xc2]; // %xmm2, %xmm1, %xmm0
    const SHL: &[u8] = &[0xc1, 0xe0, 0x07]; // $7, %eax
    const JB: &[u8] = &[0x72, 0x10];
    const PUSH: &[u8] = &[0x53]; // %rbx
    const ADC: &[u8] = &[0x48, 0x11, 0xd8]; // %rbx, %rax
    const STORE: &[u8] = &[0x48, 0x89, 0x07]; // mov %rax, (%rdi)

    #[test]
    fn right_models_pass() {
        for code in [VPADDD, SHL, JB, PUSH, ADC, STORE] {
            assert!(matches!(judge(code, Machine::step), Verdict::Passed(runs) if runs >= RUNS), "{code:x?}");
        }
    }

    /// Each of these models is right but for one thing.
    #[test]
    fn wrong_models_are_caught() {
        let wrong: [(&[u8], Model); 9] = [
            (VPADDD, |m, i| {
                let upper = m.vectors[0][128..].to_vec();
                let next = m.step(i);
                m.vectors[0][128..].copy_from_slice(&upper); // as legacy SSE would
                next
            }),
            (VPADDD, |m, i| {
                let next = m.step(i);
                m.vectors[0][31] = m.domain.xor(m.vectors[1][31], m.vectors[2][31]); // without the carry
                next
            }),
            (VPADDD, |m, i| {
                let next = m.step(i);
                m.vectors[31][511] = 0;
                next
            }),
            (SHL, |m, i| {
                if i.immediate8() & 31 == 0 {
                    return Ok(Next::After); // leaves the upper half of rax
                }
                m.step(i)
            }),
            (SHL, |m, i| {
                let next = m.step(i);
                m.flags.o = Some(false);
                next
            }),
            (JB, |m, i| {
                m.flags.c = m.flags.z;
                m.step(i)
            }),
            (PUSH, |m, i| {
                m.regs[3] = m.regs[5].clone();
                m.step(i)
            }),
            (ADC, |m, i| {
                m.flags.csym = m.flags.csym.map(|_| 0);
                m.step(i)
            }),
            (STORE, |m, i| {
                let next = m.step(i);
                m.regions[0].bytes[200][0] = 0;
                next
            }),
        ];
        for (n, (code, model)) in wrong.into_iter().enumerate() {
            assert!(matches!(judge(code, model), Verdict::Wrong(_)), "wrong model {n} passed");
        }
    }

    /// MMX has the mnemonic, but not the registers, of what has a model.
    #[test]
    fn forms_without_a_model_are_refused() {
        let mut image = Image::of_code(&[0x0f, 0xfe, 0xc1, RET]); // paddd %mm1, %mm0
        let verdicts = check(&image);
        image.allowed = verdicts.iter().filter(|(_, verdict)| verdict.allows()).map(|(form, _)| *form).collect();
        let refused = Machine::new().run(&image, image.function("code").unwrap().address).unwrap_err();
        assert!(refused.contains("form not checked: Paddd_mm_mmm64"), "{refused}");
    }

    /// Memory or register, masks, and zeroing by "same" are different forms.
    #[test]
    fn forms_are_told_apart() {
        let code = [
            &[0x66, 0x0f, 0xef, 0xc1][..],         // pxor %xmm1, %xmm0
            &[0x66, 0x0f, 0xef, 0xc0],             // pxor %xmm0, %xmm0
            &[0x66, 0x0f, 0xef, 0x07],             // pxor (%rdi), %xmm0
            &[0x62, 0xf1, 0x7d, 0x48, 0xef, 0xc1], // vpxord %zmm1, %zmm0, %zmm0
            &[0x62, 0xf1, 0x7d, 0x49, 0xef, 0xc1], // vpxord %zmm1, %zmm0, %zmm0{%k1}
            &[0x62, 0xf1, 0x7d, 0xc9, 0xef, 0xc1], // vpxord %zmm1, %zmm0, %zmm0{%k1}{z}
            &[0x62, 0xf1, 0x7d, 0x58, 0xef, 0x07], // vpxord (%rdi){1to16}, %zmm0, %zmm0
        ];
        assert_eq!(Image::of_code(&code.concat()).forms().len(), code.len());
    }
}
