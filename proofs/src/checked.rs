// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Which properties the proofs of a thread have checked.  What checks one says so where it has found nothing wrong, so the table of
//! what is proved is made of what was done.
use std::cell::Cell;

#[derive(Clone, Copy)]
pub enum Property {
    Equality,
    Memory,
    ConstantTime,
    Convention,
    Wiping,
}

pub const PROPERTIES: [(Property, &str); 5] = [
    (Property::Equality, "Equality"),
    (Property::Memory, "Memory"),
    (Property::ConstantTime, "Constant time"),
    (Property::Convention, "Convention"),
    (Property::Wiping, "Wiping"),
];

/// A set of them
#[derive(Clone, Copy, Default)]
pub struct Checked(u8);

impl Checked {
    pub fn has(self, property: Property) -> bool {
        self.0 >> property as u8 & 1 == 1
    }
}

thread_local! {
    static CHECKED: Cell<Checked> = Cell::default();
}

pub fn checked(property: Property) {
    CHECKED.with(|all| all.set(Checked(all.get().0 | 1 << property as u8)))
}

/// All since it was asked last
pub fn take() -> Checked {
    CHECKED.with(Cell::take)
}
