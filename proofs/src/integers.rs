// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Words as integers: sums and products that are exact, and bounds that show that they don't overflow.
//!
//! A sum or product is a node of the domain, with as many bits as its largest value needs, so nothing is lost: its lower 64 bits
//! are what a register gets, and those above are a carry or an upper half.  Shifts, masks and shuffles move bits around, as ever.
//! So a word is made of runs: bits i .. j-1 of some node.  As a number that is floor(node / 2^i) - 2^(j-i) * floor(node / 2^j),
//! which residue.rs makes use of.
use crate::domain::*;

/// Bits of a word that follow each other
pub struct Run {
    /// Where it is in the word
    pub at: usize,
    pub len: usize,
    pub source: Source,
}

pub enum Source {
    /// A bit that is 1
    One,
    /// Bits of a node, from this one on
    Node(u32, usize),
    /// A bit that isn't one of a node's
    Other,
}

fn num_bits(bound: u128) -> usize {
    128 - bound.leading_zeros() as usize
}

impl Domain {
    /// The bits of an unknown number from 0 to `bound`
    pub fn number(&mut self, name: &str, bound: u128) -> Vec<Bit> {
        let bits = self.vars(name, num_bits(bound));
        self.bounds.insert(self.nodes.len() as u32 - 1, bound);
        bits
    }

    /// What a word is made of; zeros are left out.
    pub fn runs(&self, word: &[Bit]) -> Vec<Run> {
        let mut runs: Vec<Run> = vec![];
        for (at, &bit) in word.iter().enumerate() {
            let source = match self.form(bit) {
                [] => continue,
                [0] => Source::One,
                [atom] => match self.atom(*atom) {
                    Atom::Bit(node, i) => Source::Node(node, i as usize),
                    _ => Source::Other,
                },
                _ => Source::Other,
            };
            if let (Some(Run { at: from, len, source: Source::Node(last, first) }), Source::Node(node, i)) =
                (runs.last_mut(), &source)
            {
                if node == last && *first + *len == *i && *from + *len == at {
                    *len += 1;
                    continue;
                }
            }
            runs.push(Run { at, len: 1, source });
        }
        runs
    }

    /// The largest number that a word of up to 64 bits may be
    pub fn bound(&self, word: &[Bit]) -> u128 {
        let largest = |run: &Run| match run.source {
            Source::Node(node, from) if from + run.len == self.nodes[node as usize].n as usize => {
                self.bounds.get(&node).map(|bound| bound >> from).unwrap_or((1 << run.len) - 1)
            }
            _ => (1 << run.len) - 1,
        };
        self.runs(word).iter().map(|run| largest(run) << run.at).sum()
    }

    /// The sum of words of up to 64 bits, with all its bits
    pub fn plus(&mut self, words: &[&[Bit]]) -> Vec<Bit> {
        let mut words: Vec<[Bit; 64]> = words.iter().filter(|w| w.iter().any(|&b| b != 0)).map(|w| widened(w)).collect();
        words.sort_unstable(); // a + b is b + a
        match &words[..] {
            [] => return vec![],
            [word] => return word.to_vec(),
            [a, b] if a.iter().zip(b).all(|(&x, &y)| x == 0 || y == 0) => return a.iter().zip(b).map(|(&x, &y)| x | y).collect(),
            _ => {}
        }
        let bound = words.iter().map(|w| self.bound(w)).sum();
        self.exact(Op::Plus, &words.concat(), bound)
    }

    /// The product of two words of up to 64 bits, with all its bits
    pub fn times(&mut self, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        let mut words = [widened(a), widened(b)];
        words.sort_unstable();
        let bound = self.bound(a) * self.bound(b);
        self.exact(Op::Times, &words.concat(), bound)
    }

    fn exact(&mut self, op: Op, words: &[Bit], bound: u128) -> Vec<Bit> {
        if words.iter().all(|&b| b < 2) {
            let words: Vec<u128> = words.chunks(64).map(|w| self.constant(w).unwrap() as u128).collect();
            let x = if op == Op::Plus { words.iter().sum() } else { words[0] * words[1] };
            return (0..num_bits(x)).map(|i| (x >> i & 1) as Bit).collect();
        }
        let bits = self.node(op, words, num_bits(bound), "");
        if let Some(&bit) = bits.first() {
            if let Atom::Bit(node, _) = self.atom(self.form(bit)[0]) {
                self.bounds.insert(node, bound);
            }
        }
        bits
    }
}

/// The lowest 64 bits of a number
pub fn widened(bits: &[Bit]) -> [Bit; 64] {
    std::array::from_fn(|i| bits.get(i).copied().unwrap_or(0))
}
