// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Poly1305's numbers modulo 2^130 - 5: polynomials in what isn't known, among it r.
//!
//! An unknown is floor(N / 2^s), where N is a node of the domain, as an integer.  A word is a sum of unknowns (integers.rs).  So
//! each sum and each product, of which N for s = 0 is one, has a definition: a polynomial of degree 1 or 2 in older unknowns.
//! What is cut off by a carry, floor(N / 2^s) for s > 0, has none.  It comes twice, where it was taken away and where it was
//! added.  Modulo 2^130 - 5 both are at the same place, and it vanishes.
//!
//! Two polynomials are congruent if the definitions, the newest ones first, turn them into the same.  All monomials with the newest
//! unknown are treated at once, so what vanishes does so before it is multiplied.
//!
//! Powers of r are words, too.  They are declared: "these words are r^4".  Then one of their unknowns is defined by r^4 and the
//! others.  What comes from r alone is newer than all else in the order above: it has become powers of r before anything is
//! multiplied by it.
use crate::checked::{checked, Property};
use crate::domain::*;
use crate::integers::Source;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{hash_map::Entry, BTreeMap};

/// A number modulo 2^130 - 5, below that, in limbs of 26 bits
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Residue([u64; 5]);

const LIMB: u64 = (1 << 26) - 1;

impl Residue {
    pub const ZERO: Residue = Residue([0; 5]);
    pub const ONE: Residue = Residue([1, 0, 0, 0, 0]);

    /// 2^n
    pub fn power_of_two(n: usize) -> Residue {
        let mut limbs = [0; 5];
        limbs[n % 130 / 26] = 1 << (n % 26);
        (0..n / 130).fold(Residue::reduced(limbs), |x, _| x * Residue::reduced([5, 0, 0, 0, 0]))
    }

    pub fn bits(self) -> Vec<Bit> {
        self.0.iter().flat_map(|limb| (0..26).map(move |i| (limb >> i & 1) as Bit)).collect()
    }

    /// Limbs of up to 60 bits
    fn reduced(mut limbs: [u64; 5]) -> Residue {
        for _ in 0..3 {
            for i in 0..5 {
                let carry = limbs[i] >> 26;
                limbs[i] &= LIMB;
                limbs[(i + 1) % 5] += if i == 4 { 5 * carry } else { carry };
            }
        }
        let modulus = [LIMB - 4, LIMB, LIMB, LIMB, LIMB];
        Residue(if limbs[1..] == modulus[1..] && limbs[0] >= modulus[0] { [limbs[0] - modulus[0], 0, 0, 0, 0] } else { limbs })
    }
}

impl std::ops::Add for Residue {
    type Output = Residue;
    fn add(self, other: Residue) -> Residue {
        Residue::reduced(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl std::ops::Neg for Residue {
    type Output = Residue;
    /// 2 * (2^130 - 5) - x
    fn neg(self) -> Residue {
        Residue::reduced(std::array::from_fn(|i| 2 * (LIMB - if i == 0 { 4 } else { 0 }) - self.0[i]))
    }
}

impl std::ops::Mul for Residue {
    type Output = Residue;
    fn mul(self, other: Residue) -> Residue {
        let mut limbs = [0; 5];
        for i in 0..5 {
            for j in 0..5 {
                limbs[(i + j) % 5] += self.0[i] * other.0[j] * if i + j >= 5 { 5 } else { 1 }
            }
        }
        Residue::reduced(limbs)
    }
}

/// floor(node / 2^shift)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unknown {
    node: u32,
    shift: u32,
}

/// A product of unknowns, which are sorted, and of a power of r
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
struct Monomial {
    exponent: u32,
    unknowns: Vec<Unknown>,
}

impl Monomial {
    fn times(&self, other: &Monomial) -> Monomial {
        let mut unknowns = [&self.unknowns[..], &other.unknowns].concat();
        unknowns.sort_unstable();
        Monomial { exponent: self.exponent + other.exponent, unknowns }
    }
}

#[derive(Clone, Default)]
pub struct Polynomial(FxHashMap<Monomial, Residue>);

/// More than any proof needs.  Wrong code may lead to polynomials that grow without end.
const MAX_TERMS: usize = 1 << 22;

impl Polynomial {
    fn term(exponent: u32, unknowns: Vec<Unknown>, coefficient: Residue) -> Polynomial {
        Polynomial([(Monomial { exponent, unknowns }, coefficient)].into_iter().collect())
    }

    pub fn power_of_r(exponent: u32) -> Polynomial {
        Polynomial::term(exponent, vec![], Residue::ONE)
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Its bits, if it is a constant
    pub fn constant_bits(&self) -> Option<Vec<Bit>> {
        if self.0.keys().any(|monomial| *monomial != Monomial::default()) {
            return None;
        }
        Some(self.0.values().fold(Residue::ZERO, |_, &x| x).bits())
    }

    /// How many monomials there are
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: Residue) {
        match self.0.entry(monomial) {
            Entry::Vacant(entry) => {
                entry.insert(coefficient);
            }
            Entry::Occupied(entry) if *entry.get() == -coefficient => {
                entry.remove();
            }
            Entry::Occupied(mut entry) => {
                let sum = *entry.get() + coefficient;
                entry.insert(sum);
            }
        }
    }

    /// self += factor * other
    pub fn add(&mut self, factor: Residue, other: &Polynomial) {
        for (monomial, &coefficient) in &other.0 {
            self.add_term(monomial.clone(), factor * coefficient)
        }
    }

    pub fn times(&self, other: &Polynomial) -> Polynomial {
        assert!(self.len() * other.len() < MAX_TERMS, "a polynomial is too large");
        let mut product = Polynomial::default();
        for (a, &x) in &self.0 {
            for (b, &y) in &other.0 {
                product.add_term(a.times(b), x * y)
            }
        }
        product
    }
}

/// Numbers modulo 2^130 - 5 made of the domain's words, and what is known of some of them
#[derive(Default)]
pub struct Field {
    /// Nodes that come from r alone: they, or those they are made of, have been declared.
    from_r: FxHashMap<u32, bool>,
    /// Unknowns of declared powers: one by the others, which stay
    powers: FxHashMap<Unknown, Polynomial>,
    stay: FxHashSet<Unknown>,
}

type Result<T> = std::result::Result<T, String>;

impl Field {
    /// The sum of words, each times 2 to the power that goes with it
    pub fn number(&self, domain: &Domain, words: &[(usize, &[Bit])]) -> Result<Polynomial> {
        let mut sum = Polynomial::default();
        for (place, word) in words {
            for run in domain.runs(word) {
                let place = place + run.at;
                match run.source {
                    Source::One => sum.add_term(Monomial::default(), Residue::power_of_two(place)),
                    Source::Other => return Err("a bit that isn't one of a sum or product".into()),
                    Source::Node(node, from) => {
                        let mut add = |shift: usize, coefficient| {
                            let unknowns = vec![Unknown { node, shift: shift as u32 }];
                            sum.add_term(Monomial { exponent: 0, unknowns }, coefficient)
                        };
                        add(from, Residue::power_of_two(place));
                        if from + run.len < domain.nodes[node as usize].n as usize {
                            add(from + run.len, -Residue::power_of_two(place + run.len))
                        }
                    }
                }
            }
        }
        Ok(sum)
    }

    /// From now on that sum of words is r^exponent, as it is known or assumed to be.
    pub fn declare(&mut self, domain: &Domain, words: &[(usize, &[Bit])], exponent: u32) -> Result<()> {
        let sum = self.number(domain, words)?;
        let (pivot, _) = sum.0.iter().find(|&(_, &c)| c == Residue::ONE).ok_or("a power without a first limb")?;
        let pivot = pivot.unknowns[0];
        if self.powers.contains_key(&pivot) {
            return Ok(());
        }
        let mut definition = Polynomial::power_of_r(exponent);
        for (monomial, &coefficient) in &sum.0 {
            let unknown = monomial.unknowns[0];
            self.from_r.insert(unknown.node, true);
            if unknown != pivot {
                self.stay.insert(unknown);
                definition.add_term(monomial.clone(), -coefficient)
            }
        }
        self.powers.insert(pivot, definition);
        Ok(())
    }

    pub fn congruent(&mut self, domain: &Domain, a: &Polynomial, b: &Polynomial, what: &str) -> Result<()> {
        let mut difference = a.clone();
        difference.add(-Residue::ONE, b);
        let difference = self.reduced(domain, difference)?;
        if difference.is_zero() {
            checked(Property::Equality);
            return Ok(());
        }
        Err(format!("{what}: not congruent modulo 2^130 - 5, {} monomials are left", difference.len()))
    }

    /// By definitions, until there is none
    fn reduced(&mut self, domain: &Domain, polynomial: Polynomial) -> Result<Polynomial> {
        let mut done = Polynomial::default();
        let mut waiting: BTreeMap<(bool, Unknown), Polynomial> = BTreeMap::new();
        let mut next = polynomial;
        loop {
            for (monomial, coefficient) in next.0 {
                let defined: Vec<Unknown> = monomial.unknowns.iter().copied().filter(|&u| self.is_defined(domain, u)).collect();
                match defined.into_iter().map(|u| (self.comes_from_r(domain, u.node), u)).max() {
                    None => done.add_term(monomial, coefficient),
                    Some(newest) => waiting.entry(newest).or_default().add_term(monomial, coefficient),
                }
            }
            let ((_, unknown), polynomial) = match waiting.iter().next_back() {
                None => return Ok(done),
                Some((&newest, _)) => (newest, waiting.remove(&newest).unwrap()),
            };
            let definition = self.definition(domain, unknown)?;
            next = Polynomial::default();
            for (mut monomial, coefficient) in polynomial.0 {
                let at = monomial.unknowns.iter().position(|&u| u == unknown).unwrap();
                monomial.unknowns.remove(at);
                for (factor, &x) in &definition.0 {
                    next.add_term(monomial.times(factor), coefficient * x)
                }
            }
        }
    }

    fn is_defined(&self, domain: &Domain, unknown: Unknown) -> bool {
        let operation = matches!(domain.nodes[unknown.node as usize].op, Op::Plus | Op::Times);
        self.powers.contains_key(&unknown) || operation && unknown.shift == 0 && !self.stay.contains(&unknown)
    }

    fn definition(&self, domain: &Domain, unknown: Unknown) -> Result<Polynomial> {
        if let Some(power) = self.powers.get(&unknown) {
            return Ok(power.clone());
        }
        let node = &domain.nodes[unknown.node as usize];
        let words: Vec<&[Bit]> = node.args.chunks(64).collect();
        match node.op {
            Op::Plus => self.number(domain, &words.iter().map(|w| (0, *w)).collect::<Vec<_>>()),
            _ => Ok(self.number(domain, &[(0, words[0])])?.times(&self.number(domain, &[(0, words[1])])?)),
        }
    }

    fn comes_from_r(&mut self, domain: &Domain, node: u32) -> bool {
        if let Some(&known) = self.from_r.get(&node) {
            return known;
        }
        let n = &domain.nodes[node as usize];
        let all = matches!(n.op, Op::Plus | Op::Times)
            && domain.runs(&n.args).iter().all(|run| match run.source {
                Source::One => true,
                Source::Node(node, _) => self.comes_from_r(domain, node),
                Source::Other => false,
            });
        self.from_r.insert(node, all);
        all
    }
}

#[test]
fn arithmetic_modulo_2_130_5() {
    let four = Residue::power_of_two(2);
    let five = four + Residue::ONE;
    let minus_one = -Residue::ONE;
    assert_eq!(Residue::power_of_two(130), five);
    assert_eq!(Residue::power_of_two(65) * Residue::power_of_two(65), five);
    assert_eq!(Residue::power_of_two(260), five * five);
    assert_eq!(minus_one * minus_one, Residue::ONE);
    assert_eq!(minus_one + Residue::ONE, Residue::ZERO);
    assert_eq!(-Residue::ZERO, Residue::ZERO);
    assert_eq!((0..130).fold(Residue::ZERO, |sum, i| sum + Residue::power_of_two(i)), four);
    // 2^130 - 1
}

/// (x + y) * (x + y) = x^2 + 2 x y + y^2 modulo p, where x + y and the products have carries; and another polynomial isn't it.
#[test]
fn congruences() {
    let mut domain = Domain::new();
    let mut field = Field::default();
    let (x, y) = (domain.number("x", u64::MAX.into()), domain.number("y", (1 << 40) - 1));
    let sum = domain.plus(&[&x, &y]);
    let square = domain.times(&sum[..64], &sum[..64]);
    let carry = sum[64..].to_vec();
    let xx = domain.times(&x, &x);
    let (low, high) = xx.split_at(64);
    let number = |words: &[(usize, &[Bit])]| field.number(&domain, words).unwrap();
    let (x, y) = (number(&[(0, &x)]), number(&[(0, &y)]));
    assert!(!x.is_zero() && !y.is_zero());
    let mut want = number(&[(0, low), (64, high)]);
    want.add(Residue::power_of_two(1), &x.times(&y));
    want.add(Residue::ONE, &y.times(&y));
    // The square is of the sum less its carry: s^2 - 2 * 2^64 * s * c + 2^128 c^2 = (s - 2^64 c)^2.
    let (s, c) = (number(&[(0, &sum)]), number(&[(0, &carry)]));
    let mut got = number(&[(0, &square)]);
    got.add(Residue::power_of_two(65), &s.times(&c));
    got.add(-Residue::power_of_two(128), &c.times(&c));
    assert!(field.congruent(&domain, &got, &want, "").is_ok());
    got.add(Residue::ONE, &c);
    assert!(field.congruent(&domain, &got, &want, "").is_err());
}
