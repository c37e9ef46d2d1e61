// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Wiping: what a function may leave in registers and in dead stack, and the check that it leaves nothing else.
//!
//! A bit is a sum of atoms.  Some atoms are public: variables that are declared so, and what is computed from nothing but public
//! bits.  What a register keeps is fine if, public atoms aside, it is a sum of bits that may be left there.  That is linear algebra
//! over GF(2), not a search for keys: a round key that is xored with a bit of the text is found, and so is the sum of two products
//! that nobody thought of.
use crate::checked::{checked, Property};
use crate::domain::*;
use crate::machine::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where something may be left.  Each of these may hold what those after it may, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Vector registers 0 to 15
    LowVectors,
    /// General registers, which handle the last bytes of a text
    General,
    /// Vector registers 16 to 31, masks, dead stack
    Elsewhere,
}

/// What a call may leave.  Whatever isn't declared is a secret.
#[derive(Clone)]
pub struct Leftovers {
    /// The atoms below this one are public,
    callers: u32,
    /// and these are.
    pub public: FxHashSet<u32>,
    pub allowed: Vec<(Place, Vec<Bit>)>,
}

impl Leftovers {
    /// What the caller left in registers and on the stack may stay.  The machine has nothing else so far, and these were the first
    /// variables in its domain.
    pub fn new(m: &Machine) -> Leftovers {
        let stack = m.regions.iter().find(|region| region.name == STACK).expect("a stack");
        let last = m.domain.form(stack.bytes[stack.bytes.len() - 1][7])[0];
        let num_variables = 32 * 512 + 16 * 64 + 8 * 64 + 8 * stack.bytes.len() as u32;
        let first = m.domain.form(m.vectors[0][0])[0];
        assert!(first <= 64 && last - first + 1 == num_variables, "other variables were there before");
        Leftovers { callers: last + 1, public: FxHashSet::default(), allowed: vec![] }
    }

    /// These are public, and so is what is computed from nothing else: they may be left anywhere.  Variables each.
    pub fn public(&mut self, domain: &Domain, variables: &[Bit]) {
        for &bit in variables {
            match domain.form(bit) {
                [] | [0] => {}
                [atom] => {
                    self.public.insert(*atom);
                }
                _ => panic!("public is a sum: {}", domain.show(bit)),
            }
        }
    }

    /// Sums of these may be left there, but not what is computed from them otherwise.
    pub fn allow(&mut self, place: Place, bits: &[Bit]) {
        self.allowed.push((place, bits.to_vec()))
    }

    /// The function has returned.  `before`: the state at the call
    pub fn check(&self, m: &mut Machine, before: &State) -> Result<()> {
        if m.upper_in_use {
            return Err("VZEROUPPER is missing: legacy SSE code is slow after the call".into());
        }
        let (state, before) = (m.save(), kept(m, before));
        self.check_those(m, &state, |n, i, bit| bit > 1 && bit != before[n].bits[i])?;
        checked(Property::Wiping);
        Ok(())
    }

    /// Which bits may be left where they are in this state: for each of `kept`
    pub fn clean(&self, m: &mut Machine, state: &State) -> Vec<Vec<bool>> {
        let (kept, mut known) = (kept(m, state), Known::new(self));
        let mut clean = |place, bits: &[Bit]| bits.iter().map(|&bit| known.may_be_left(&mut m.domain, place, bit)).collect();
        kept.iter().map(|kept| clean(kept.place, &kept.bits)).collect()
    }

    /// May those bits be left where they are?  They are chosen by the number of what is `kept`, their place in it, and themselves.
    pub fn check_those(&self, m: &mut Machine, state: &State, those: impl Fn(usize, usize, Bit) -> bool) -> Result<()> {
        let mut known = Known::new(self);
        for (n, Kept { what, place, bits }) in kept(m, state).into_iter().enumerate() {
            for (i, &bit) in bits.iter().enumerate().filter(|&(i, &bit)| those(n, i, bit)) {
                if !known.may_be_left(&mut m.domain, place, bit) {
                    return Err(format!("WIPING: byte {} of {what} keeps {}", i / 8, m.domain.show(bit)));
                }
            }
        }
        Ok(())
    }

    /// May be left whatever the other one says?
    pub fn includes(&self, domain: &mut Domain, other: &Leftovers) -> bool {
        let mut known = Known::new(self);
        let all = other.allowed.iter().flat_map(|(place, bits)| bits.iter().map(move |&bit| (*place, bit)));
        other.public.iter().all(|&atom| known.is_public(domain, atom))
            && all.into_iter().all(|(place, bit)| known.may_be_left(domain, place, bit))
    }
}

/// What a register or the stack holds
pub struct Kept {
    what: String,
    pub place: Place,
    pub bits: Vec<Bit>,
}

/// All registers, and the stack.  (Pointers and lengths are public, and count as zeros.)
pub fn kept(m: &Machine, state: &State) -> Vec<Kept> {
    let mut all = vec![];
    let mut push = |what: String, place: Place, bits: &[Bit]| all.push(Kept { what, place, bits: bits.to_vec() });
    for (n, vector) in state.vectors.iter().enumerate() {
        let place = if n < 16 { Place::LowVectors } else { Place::Elsewhere };
        push(format!("vector register {n}"), place, vector);
    }
    for (n, mask) in state.masks.iter().enumerate() {
        push(format!("mask {n}"), Place::Elsewhere, mask);
    }
    for (n, word) in state.regs.iter().enumerate() {
        push(format!("general register {n}"), Place::General, &m.bits_of(word).unwrap_or([0; 64]));
    }
    for (_, (bytes, _)) in m.regions.iter().zip(&state.regions).filter(|(region, _)| region.name == STACK) {
        push("the stack".into(), Place::Elsewhere, &bytes.concat());
    }
    all
}

/// What the check has found out so far
struct Known<'a> {
    leftovers: &'a Leftovers,
    /// Whether an atom is public
    public: FxHashMap<u32, bool>,
    /// Bits that may be left, and the strictest place so far
    clean: FxHashMap<Bit, Place>,
    /// The allowed bits in echelon form: a row by its last atom.  Rows are reduced by those before them, the ones for stricter
    /// places being first, so the rows for a place and for stricter ones are by themselves an echelon form of what may be left
    /// there.
    rows: Option<FxHashMap<u32, (Place, Bit)>>,
}

impl Known<'_> {
    fn new(leftovers: &Leftovers) -> Known<'_> {
        Known { leftovers, public: FxHashMap::default(), clean: FxHashMap::default(), rows: None }
    }

    fn may_be_left(&mut self, domain: &mut Domain, place: Place, bit: Bit) -> bool {
        if bit < 2 || self.clean.get(&bit).map(|&strictest| strictest >= place).unwrap_or(false) {
            return true;
        }
        let mut rest = self.secret_part(domain, bit);
        if rest != 0 {
            self.make_rows(domain);
            rest = self.reduce(domain, place, rest)
        }
        if rest == 0 {
            self.clean.insert(bit, place);
        }
        rest == 0
    }

    fn make_rows(&mut self, domain: &mut Domain) {
        if self.rows.is_some() {
            return;
        }
        self.rows = Some(FxHashMap::default());
        for strictest in [Place::Elsewhere, Place::General, Place::LowVectors] {
            for (_, bits) in self.leftovers.allowed.iter().filter(|(place, _)| *place == strictest) {
                for &bit in bits {
                    let secret = self.secret_part(domain, bit);
                    let row = self.reduce(domain, strictest, secret);
                    if let (Some(&last), Some(rows)) = (domain.form(row).last(), &mut self.rows) {
                        rows.insert(last, (strictest, row));
                    }
                }
            }
        }
    }

    /// What is left of a form after the rows for that place and for stricter ones: 0 if it is a sum of them.
    fn reduce(&self, domain: &mut Domain, place: Place, mut form: Bit) -> Bit {
        while let (Some(last), Some(rows)) = (domain.form(form).last(), &self.rows) {
            match rows.get(last) {
                Some(&(strictest, row)) if strictest >= place => form = domain.xor(form, row),
                _ => break,
            }
        }
        form
    }

    fn secret_part(&mut self, domain: &mut Domain, bit: Bit) -> Bit {
        let form = domain.form(bit);
        let secret: Vec<u32> = form.iter().copied().filter(|&atom| !self.is_public(domain, atom)).collect();
        if secret.len() == form.len() {
            bit
        } else {
            domain.intern(&secret)
        }
    }

    fn is_public(&mut self, domain: &Domain, atom: u32) -> bool {
        if atom < self.leftovers.callers || self.leftovers.public.contains(&atom) {
            return true;
        }
        if let Some(&public) = self.public.get(&atom) {
            return public;
        }
        let public = match domain.atom(atom) {
            Atom::One => true,
            Atom::Unused => false,
            Atom::And(a, b) => self.is_public(domain, a) && self.is_public(domain, b),
            Atom::Diagonal(tile, k) => {
                domain.diagonal(tile, k).all(|(a, b)| self.is_public(domain, a) && self.is_public(domain, b))
            }
            Atom::Bit(node, _) => domain.arguments(node).map_or(false, |arguments| {
                arguments.iter().all(|&bit| domain.form(bit).iter().all(|&atom| self.is_public(domain, atom)))
            }),
        };
        self.public.insert(atom, public);
        public
    }
}
