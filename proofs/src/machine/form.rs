// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! The form of an instruction: all that decides which model it gets.  The check against a CPU (cpu_check.rs) passes or refuses a
//! form as a whole, and no instruction of another form is executed.
use iced_x86::{Code, Instruction, OpKind, Register};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Masking {
    None,
    Merge,
    Zero,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form {
    /// Instruction, encoding, kinds and widths of its operands; but where it may be a register or memory, it doesn't say which.
    pub code: Code,
    memory: bool,
    masking: Masking,
    broadcast: bool,
    /// The last two operands are one register, as in "xor %eax, %eax".
    same_register: bool,
}

impl Form {
    pub fn of(i: &Instruction) -> Form {
        let masking = match (i.op_mask(), i.zeroing_masking()) {
            (Register::None, _) => Masking::None,
            (_, false) => Masking::Merge,
            (_, true) => Masking::Zero,
        };
        Form { code: i.code(), memory: has_memory(i), masking, broadcast: i.is_broadcast(), same_register: same_register(i) }
    }
}

pub fn same_register(i: &Instruction) -> bool {
    let register = |n| if i.op_kind(n) == OpKind::Register { i.op_register(n) } else { Register::None };
    match i.op_count() {
        0 | 1 => false,
        num => register(num - 1) != Register::None && register(num - 1) == register(num - 2),
    }
}

pub fn has_memory(i: &Instruction) -> bool {
    i.op_kinds().any(|kind| kind == OpKind::Memory)
}

/// One word for each property, as in forms-checked.txt
impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{:?}", self.code)?;
        for (has, word) in [
            (self.memory, "memory"),
            (self.masking == Masking::Merge, "merge"),
            (self.masking == Masking::Zero, "zero"),
            (self.broadcast, "broadcast"),
            (self.same_register, "same"),
        ] {
            if has {
                write!(f, " {word}")?
            }
        }
        Ok(())
    }
}
