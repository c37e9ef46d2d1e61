// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! x86-64 over symbolic bits: the state, and running from an entry to a return.  scalar.rs and vector.rs model the instructions,
//! memory.rs has the rules of access, form.rs says which instructions share a model, and ../cpu_check.rs compares it with a CPU.
pub mod form;
mod length;
mod memory;
mod scalar;
mod vector;
use crate::checked::{checked, Property};
use crate::domain::*;
use crate::image::Image;
use iced_x86::*;
pub use length::{Amount, Interval};
pub use memory::Region;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

pub type V = [Bit; 512];
/// What a general register holds
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    Number(u64),
    /// Into a region: its number, and an offset
    Pointer(u32, i64),
    /// What may depend on data
    Bits(Box<[Bit; 64]>),
    /// X + o, where X is a public number of which an interval is known (length.rs)
    Length(i64),
    /// A pointer into a region, X + o after its beginning
    End(u32, i64),
    /// A public number of which Machine::ascending knows all that is known
    Amount(Amount),
}
/// The flags that code decides by.  None: unknown, or undefined, or dependent on data; code that decides by it ends with an error.
#[derive(Clone, Copy, Default)]
pub struct Flags {
    pub z: Option<bool>,
    pub c: Option<bool>,
    pub s: Option<bool>,
    pub o: Option<bool>,
    /// z and c where they depend on data, for instructions that compute with them in constant time
    pub zsym: Option<Bit>,
    pub csym: Option<Bit>,
    /// They say how a length compares.
    pub by_length: bool,
    /// They say how an amount compares.
    pub by_amount: bool,
}

pub struct Machine {
    /// What X may be in Word::Length
    pub lengths: Interval,
    /// From this X on the last comparison of a length has another outcome.
    pub cut: Option<i64>,
    /// Where that comparison is
    pub compared_at: u64,
    /// Word::Length(o), for one o, as code gets it that puts a length into a vector: bits that may be those of any number
    pub length_as_data: Option<(i64, [Bit; 64])>,
    /// Public numbers above 0, each more than the one before it: amounts, and what they are compared with
    pub ascending: Vec<Word>,
    pub stop: Stop,
    /// Stop::At holds only where a register has this.
    pub stop_if: Vec<(usize, Word)>,
    /// Coming to this address counts as a return: what follows is proved elsewhere.
    pub end: Option<u64>,
    /// Addresses of code, and a region without bytes: a pointer there may be prefetched from, but nothing is read or written.
    pub code: Option<(Range<u64>, u32)>,
    /// The address of the instruction that is executed
    pub at: u64,
    /// What the registers that belong to the caller held at the entry
    callers: Vec<Word>,
    pub domain: Domain,
    pub regs: Vec<Word>,
    pub vectors: Vec<V>,
    pub masks: Vec<[Bit; 64]>,
    pub flags: Flags,
    pub regions: Vec<Region>,
    /// Something was written above the low 128 bits of vector registers 0 to 15, and VZEROUPPER hasn't been executed since.  To
    /// the CPU it makes no difference whether that is zero.
    pub upper_in_use: bool,
    /// Variables that were made on the way and are public
    pub public: Vec<Bit>,
    /// Vectors of more than 128 bits have been used: in this run, or perhaps before it if it began inside of the function
    wide: bool,
    /// The same in any run
    ever_wide: bool,
}
/// Registers and memory, to go back to
#[derive(Clone)]
pub struct State {
    pub regs: Vec<Word>,
    pub vectors: Vec<V>,
    pub masks: Vec<[Bit; 64]>,
    /// Bytes and pointers of each region
    pub regions: Vec<Contents>,
    pub upper_in_use: bool,
}
pub type Contents = (Vec<[Bit; 8]>, FxHashMap<i64, Word>);
pub type Result<T> = std::result::Result<T, String>;

/// Where the next instruction is.
pub enum Next {
    After,
    At(u64),
}

/// Where a run ends, besides at a return.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    Never,
    /// When it comes to this address
    At(u64),
    /// When it comes to one of these
    AtOneOf([u64; 2]),
    /// When it goes back because of a length: at the head of a loop
    AtLoop,
    /// When it jumps back to where it has been: at the head of a loop that is left in the middle
    AtTurn,
    /// When it first goes back, for whatever reason
    GoingBack,
    /// When it goes somewhere because of an amount
    ByAmount,
}

/// Registers that belong to the caller
const CALLERS: [usize; 7] = [3, RSP, 5, 12, 13, 14, 15];

pub fn bits(x: u64) -> [Bit; 64] {
    std::array::from_fn(|i| (x >> i & 1) as u32)
}
pub fn reg_index(r: Register) -> usize {
    r.full_register() as usize - Register::RAX as usize
}
/// The name of the region with the stack
pub const STACK: &str = "stack";
/// Instructions of one run.  Wrong code may go on for ever.
const MAX_STEPS: u64 = 300_000;

pub const RAX: usize = 0;
pub const RCX: usize = 1;
pub const RDX: usize = 2;
pub const RSP: usize = 4;
pub const RSI: usize = 6;
pub const RDI: usize = 7;
pub const R8: usize = 8;
pub const R9: usize = 9;

/// Whether a memory operand has to be aligned to its size: all of 16 bytes with legacy encoding but moves that say otherwise; with
/// VEX and EVEX only moves that say so.
fn needs_alignment(i: &Instruction) -> bool {
    use Mnemonic::*;
    match i.mnemonic() {
        Movdqu | Movups | Movupd | Lddqu => false,
        Vmovdqa | Vmovdqa32 | Vmovdqa64 | Vmovaps | Vmovapd | Vmovntdq | Vmovntdqa | Vmovntps | Vmovntpd => true,
        _ => i.code().encoding() == EncodingKind::Legacy && i.memory_size().size() == 16,
    }
}

impl Machine {
    pub fn new() -> Machine {
        Machine::with(Domain::new())
    }
    /// With a domain that may have been another machine's.  The variables are the same again: in any one machine they are all
    /// different.
    pub fn with(mut domain: Domain) -> Machine {
        domain.names.begin_call();
        let vectors = (0..32).map(|i| domain.named(&format!("zmm{i}"), 512).try_into().unwrap()).collect();
        let regs = (0..16).map(|i| Word::Bits(Box::new(domain.named(&format!("gpr{i}"), 64).try_into().unwrap()))).collect();
        let masks = (0..8).map(|i| domain.named(&format!("k{i}"), 64).try_into().unwrap()).collect();
        Machine {
            lengths: Interval::one(0, 1),
            cut: None,
            compared_at: 0,
            length_as_data: None,
            ascending: vec![],
            stop: Stop::Never,
            stop_if: vec![],
            end: None,
            code: None,
            at: 0,
            callers: vec![],
            domain,
            regs,
            vectors,
            masks,
            flags: Default::default(),
            regions: vec![],
            upper_in_use: false,
            public: vec![],
            wide: false,
            ever_wide: false,
        }
    }
    pub fn save(&self) -> State {
        let regions = self.regions.iter().map(|r| (r.bytes.clone(), r.pointers.clone())).collect();
        State {
            regs: self.regs.clone(),
            vectors: self.vectors.clone(),
            masks: self.masks.clone(),
            regions,
            upper_in_use: self.upper_in_use,
        }
    }
    pub fn restore(&mut self, s: &State) {
        self.regs = s.regs.clone();
        self.vectors = s.vectors.clone();
        self.masks = s.masks.clone();
        self.upper_in_use = s.upper_in_use;
        for (region, (bytes, pointers)) in self.regions.iter_mut().zip(&s.regions) {
            region.bytes = bytes.clone();
            region.pointers = pointers.clone();
        }
        self.flags = Flags::default()
    }
    /// One instruction.
    pub fn step(&mut self, i: &Instruction) -> Result<Next> {
        let foreign = |r: Register| r.is_mm() || r.is_segment_register();
        if (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Register && foreign(i.op_register(n))) {
            return Err("register".into());
        }
        if i.has_lock_prefix() || i.has_rep_prefix() && i.mnemonic() != Mnemonic::Ret {
            return Err("prefix".into());
        }
        if form::has_memory(i) && needs_alignment(i) {
            self.check_aligned(i, i.memory_size().size())?
        }
        if let Some(next) = self.step_scalar(i)? {
            return Ok(next);
        }
        if self.step_vector(i)? {
            return Ok(Next::After);
        }
        Err(format!("no model: {:?}", i.code()))
    }

    /// From a function's entry until it returns: None; or until it comes to self.stop: where that is.
    pub fn run(&mut self, image: &Image, entry: u64) -> Result<Option<u64>> {
        self.callers = CALLERS.iter().map(|&r| self.regs[r].clone()).collect();
        self.wide = false;
        self.go_on(image, entry)
    }

    /// The same from somewhere inside of a function that has been entered by run()
    pub fn resume(&mut self, image: &Image, ip: u64) -> Result<Option<u64>> {
        self.wide = self.ever_wide;
        self.go_on(image, ip)
    }

    fn go_on(&mut self, image: &Image, mut ip: u64) -> Result<Option<u64>> {
        let mut been = FxHashSet::default();
        for _ in 0..MAX_STEPS {
            if self.end == Some(ip) {
                return Ok(None);
            }
            self.at = ip;
            been.insert(ip);
            let i = image.instruction(ip)?;
            checked(Property::ConstantTime); // of what has been executed: there is no model of anything else
            if i.mnemonic() == Mnemonic::Ret {
                return self.check_return().map(|()| None);
            }
            self.wide |= (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Register && i.op_register(n).size() > 16);
            self.ever_wide |= self.wide;
            let next = match self.step(&i) {
                Ok(Next::At(target)) => target,
                Ok(Next::After) => i.next_ip(),
                Err(e) => return Err(format!("{ip:x} {}: {e}", image.text_of(&i))),
            };
            let branches = i.is_jcc_short_or_near() && next != i.next_ip();
            let stops = match self.stop {
                Stop::Never => false,
                Stop::At(address) => next == address && self.stop_if.iter().all(|(register, word)| self.regs[*register] == *word),
                Stop::AtOneOf(addresses) => addresses.contains(&next),
                Stop::AtLoop => next <= ip && branches && self.flags.by_length,
                Stop::AtTurn => i.is_jmp_short_or_near() && been.contains(&next),
                Stop::GoingBack => next <= ip,
                Stop::ByAmount => branches && self.flags.by_amount,
            };
            if stops {
                return Ok(Some(next));
            }
            ip = next;
        }
        Err("too many steps".into())
    }

    /// What a function owes its caller: registers, among them the stack pointer, and upper halves of ymm0 .. ymm15 that are zero
    /// if it has used any, as after vzeroupper.  The direction flag, MXCSR and the x87 registers need no check: no form that
    /// changes them has a model.
    fn check_return(&self) -> Result<()> {
        if let Some(n) = (0..CALLERS.len()).find(|&n| self.regs[CALLERS[n]] != self.callers[n]) {
            return Err(format!("register {} not restored", CALLERS[n]));
        }
        match self.vectors[..16].iter().position(|vector| self.wide && vector[128..].iter().any(|&bit| bit != 0)) {
            Some(n) => Err(format!("the upper half of ymm{n} isn't zero at the return")),
            None => {
                checked(Property::Convention);
                Ok(())
            }
        }
    }
}
