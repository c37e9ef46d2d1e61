// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Bits as canonical linear forms over GF(2), and the terms their atoms stand for.
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::rc::Rc;

/// A bit: an interned set of atoms, whose sum it is.  0 is the constant 0, 1 the constant 1 (the set {atom 0}).
pub type Bit = u32;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Var,
    AesEnc,
    AesDec,
    AesDecLast,
    Sum,
    SBox,
    /// The sum of words of 64 bits, as an integer
    Plus,
    /// The product of two words of 64 bits, as an integer
    Times,
    /// Another name for the bits that are its arguments
    Name,
    /// One bit: is any of its arguments 1?
    AnySet,
}

#[derive(Clone, Copy, Debug)]
pub enum Atom {
    One,
    Bit(u32, u32),
    And(u32, u32),
    /// All products on a diagonal of a tile
    Diagonal(u32, u32),
    /// Fills a group of 64
    Unused,
}
/// Atoms from here on are products of two others, or sums of such.
pub const FIRST_AND: u32 = 1 << 31;
/// The bits of a product's number in its tile
pub const TILE_BITS: u32 = 12;

/// The products of a group of 64 atoms with those of another group, 64 * 64 atoms.
///
/// A bit k of a product without carries is the sum of 64 of them: bit u of one word times bit v of the other, u + v = k.  These are
/// a *diagonal*.  Hashes are sums of hundreds of diagonals, and hardly anything else, so each is to be one atom.  As forms have to
/// be unique, it takes the place of one of its products: that in its middle, which is then the diagonal's atom plus the others.
/// So part of a diagonal, where a block isn't whole, never has more than half of its atoms and one.
#[derive(Clone)]
pub struct Tile {
    /// The first atoms of both groups
    pub groups: (u32, u32),
    /// Bit u of a word is the atom u ^ swap of its group: 0, or SWAPPED if its bytes come in the opposite order.
    /// None: the words aren't known, and all atoms are products.
    pub swaps: Option<(u32, u32)>,
}
const SWAPPED: u32 = 64 - 8;

impl Tile {
    /// The diagonal whose atom this place is
    pub fn diagonal(&self, place: u32) -> Option<u32> {
        let (swap_p, swap_q) = self.swaps?;
        let (u, v) = (place >> 6 ^ swap_p, place & 63 ^ swap_q);
        if v == u || v == u + 1 {
            Some(u + v)
        } else {
            None
        }
    }
    /// Where a diagonal's products are
    pub fn places(&self, k: u32) -> impl Iterator<Item = u32> {
        let (swap_p, swap_q) = self.swaps.expect("it has diagonals");
        (k.saturating_sub(63)..=k.min(63)).map(move |u| (u ^ swap_p) << 6 | (k - u) ^ swap_q)
    }
    /// Where the atom of a diagonal is
    fn middle(&self, k: u32) -> u32 {
        let (swap_p, swap_q) = self.swaps.expect("it has diagonals");
        (k / 2 ^ swap_p) << 6 | (k - k / 2) ^ swap_q
    }
    fn factors(&self, place: u32) -> (u32, u32) {
        (self.groups.0 | place >> 6, self.groups.1 | place & 63)
    }
}

#[derive(Clone)]
pub struct Node {
    pub op: Op,
    pub args: Rc<[Bit]>,
    pub first: u32,
    first_bit: Bit,
    pub n: u32,
    pub name: String,
    pub terms: Vec<u32>,
    pub c: u64,
}

#[derive(Clone)]
pub struct Domain {
    arena: Vec<u32>,
    spans: Vec<(usize, u32)>,
    /// Hashes and numbers of all forms but those of one bit of a node, whose numbers follow from the node's
    table: HashTable<(u32, Bit)>,
    cache: Vec<(u32, u32, u32)>,
    pub atoms: Vec<Atom>,
    pub nodes: Vec<Node>,
    /// Hashes and numbers of all nodes but variables
    node_of: HashTable<(u32, u32)>,
    /// Products have atoms from FIRST_AND on.  An atom's number says which tile it is of, and where it is there.
    tiles: Vec<Tile>,
    tile_of: FxHashMap<(u32, u32), u32>,
    /// (group, group, tile) that were looked up lately
    recent_tiles: [(u32, u32, u32); 16],
    /// Products without carries, by their factors
    products: FxHashMap<Rc<[Bit]>, Rc<[Bit]>>,
    pub names: crate::ghash::Names,
    words: FxHashMap<Rc<[Bit]>, u32>, // words that are terms of sums
    word_bits: Vec<Rc<[Bit]>>,
    sums: FxHashMap<(u32, Vec<u32>, u64), u32>, // width, terms, constant -> node
    sum_of: FxHashMap<Rc<[Bit]>, u32>,          // bits -> the node of which they are all
    named: FxHashMap<String, Vec<Bit>>,
    /// Evaluation: an atom's bit, and above it in which evaluation it had that
    vals: Vec<u32>,
    evaluation: u32,
    /// Evaluation: what the variables of these nodes are, bytes in the order of the bits.  All others are random.
    pub given: FxHashMap<u32, Vec<u8>>,
    seed: u64,
    /// Sums of 64 bits are integers (integers.rs), and not what `add` makes of them.
    pub integers: bool,
    /// The largest number that a node's bits may be, if that isn't all ones
    pub bounds: FxHashMap<u32, u128>,
}

/// More than any proof needs.  Wrong code may lead to forms that grow without end.
const MAX_ENTRIES: usize = 1 << 28;
const MAX_ATOMS: usize = 1 << 24;
const MAX_PRODUCTS: usize = 1 << 22;

/// Sums that are remembered: a power of 2
const XOR_CACHE: usize = 1 << 20;

fn hash(s: &[u32]) -> u32 {
    let mut h = FxHasher::default();
    for &x in s {
        h.write_u32(x)
    }
    h.write_u32(s.len() as u32);
    (h.finish() >> 32) as u32
}
/// What a hash table takes bits from at both ends
fn spread(hash: u32) -> u64 {
    (hash as u64).wrapping_mul(0x9e3779b97f4a7c15)
}

impl Domain {
    pub fn new() -> Domain {
        let mut c = Domain {
            arena: vec![],
            spans: vec![],
            table: HashTable::new(),
            cache: vec![(0, 0, 0); XOR_CACHE],
            atoms: vec![Atom::One],
            nodes: vec![],
            node_of: HashTable::new(),
            tiles: vec![],
            tile_of: Default::default(),
            recent_tiles: [(u32::MAX, 0, 0); 16],
            products: Default::default(),
            names: Default::default(),
            words: Default::default(),
            word_bits: vec![],
            sums: Default::default(),
            sum_of: Default::default(),
            named: Default::default(),
            vals: vec![],
            evaluation: 1,
            given: Default::default(),
            seed: 88172645463325252,
            integers: false,
            bounds: Default::default(),
        };
        assert!(c.intern(&[]) == 0 && c.intern(&[0]) == 1);
        c
    }
    pub fn form(&self, b: Bit) -> &[u32] {
        let (s, n) = self.spans[b as usize];
        &self.arena[s..s + n as usize]
    }
    pub fn intern(&mut self, s: &[u32]) -> Bit {
        if let [atom] = *s {
            if let Atom::Bit(node, i) = self.atom(atom) {
                return self.nodes[node as usize].first_bit + i;
            }
        }
        let h = hash(s);
        let found = self.table.find(spread(h), |&(other, i)| other == h && self.form(i) == s);
        if let Some(&(_, i)) = found {
            return i;
        }
        let i = self.push_form(s);
        self.table.insert_unique(spread(h), (h, i), |&(other, _)| spread(other));
        i
    }
    fn push_form(&mut self, s: &[u32]) -> Bit {
        assert!(self.arena.len() < MAX_ENTRIES && self.atoms.len() < MAX_ATOMS, "the forms are too large");
        self.spans.push((self.arena.len(), s.len() as u32));
        self.arena.extend_from_slice(s);
        self.spans.len() as u32 - 1
    }
    pub fn sizes(&self) -> (usize, usize, usize) {
        (self.atoms.len(), self.spans.len(), self.arena.len())
    }
    #[inline]
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        if a == b {
            return 0;
        }
        if a == 0 {
            return b;
        }
        if b == 0 {
            return a;
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        // (Xors of words come bit by bit, and the bits of most words are numbers in a row: they are to find theirs in a row as
        // well.)
        let words = ((a >> 6) as u64) << 32 | (b >> 6) as u64;
        let slot = ((words.wrapping_mul(0x9e3779b97f4a7c15) >> 40) as usize + (a & 63) as usize) & (XOR_CACHE - 1);
        let e = self.cache[slot];
        if e.0 == a && e.1 == b {
            return e.2;
        }
        let mut out = Vec::with_capacity(16);
        {
            let (x, y) = (self.form(a), self.form(b));
            let (mut i, mut j) = (0, 0);
            while i < x.len() && j < y.len() {
                if x[i] < y[j] {
                    out.push(x[i]);
                    i += 1
                } else if x[i] > y[j] {
                    out.push(y[j]);
                    j += 1
                } else {
                    i += 1;
                    j += 1
                }
            }
            out.extend_from_slice(&x[i..]);
            out.extend_from_slice(&y[j..]);
        }
        let r = self.intern(&out);
        self.cache[slot] = (a, b, r);
        r
    }
    /// The sum of the atoms in l, which may repeat
    pub fn sum_atoms(&mut self, l: &mut Vec<u32>) -> Bit {
        l.sort_unstable();
        let mut o = 0;
        let mut i = 0;
        while i < l.len() {
            if i + 1 < l.len() && l[i] == l[i + 1] {
                i += 2
            } else {
                l[o] = l[i];
                o += 1;
                i += 1
            }
        }
        l.truncate(o);
        let v = std::mem::take(l);
        let r = self.intern(&v);
        *l = v;
        l.clear();
        r
    }
    /// The atoms that sum up to p * q go to `l`.
    fn and_atoms(&mut self, p: u32, q: u32, l: &mut Vec<u32>) {
        if p == q || q == 0 {
            return l.push(p);
        }
        if p == 0 {
            return l.push(q);
        }
        let (p, q) = if p < q { (p, q) } else { (q, p) };
        let (number, place) = (self.tile(p >> 6, q >> 6, None), (p & 63) << 6 | q & 63);
        let (tile, first) = (&self.tiles[number as usize], FIRST_AND + (number << TILE_BITS));
        l.push(first + place);
        if let Some(k) = tile.diagonal(place) {
            l.extend(tile.places(k).filter(|&other| other != place).map(|other| first + other))
        }
    }
    /// The tile of two groups, p < q.  `swaps` are for a new one.
    fn tile(&mut self, p: u32, q: u32, swaps: Option<(u32, u32)>) -> u32 {
        let slot = (p & 3) as usize * 4 + (q & 3) as usize;
        let recent = self.recent_tiles[slot];
        if (recent.0, recent.1) == (p, q) {
            return recent.2;
        }
        let next = self.tiles.len() as u32;
        let tile = *self.tile_of.entry((p, q)).or_insert(next);
        if tile == next {
            assert!(next < (u32::MAX - FIRST_AND) >> TILE_BITS, "too many products");
            self.tiles.push(Tile { groups: (p << 6, q << 6), swaps });
        }
        self.recent_tiles[slot] = (p, q, tile);
        tile
    }
    pub fn atom(&self, a: u32) -> Atom {
        if a < FIRST_AND {
            return self.atoms[a as usize];
        }
        let (tile, place) = self.tile_and_place(a);
        match tile.diagonal(place) {
            Some(k) => Atom::Diagonal((a - FIRST_AND) >> TILE_BITS, k),
            None => {
                let (p, q) = tile.factors(place);
                Atom::And(p, q)
            }
        }
    }
    pub fn tile_and_place(&self, product: u32) -> (&Tile, u32) {
        (&self.tiles[((product - FIRST_AND) >> TILE_BITS) as usize], product & ((1 << TILE_BITS) - 1))
    }
    /// The products that a diagonal is the sum of, each as its factors
    pub fn diagonal(&self, tile: u32, k: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let tile = &self.tiles[tile as usize];
        tile.places(k).map(move |place| tile.factors(place))
    }
    /// The products of all atoms of a and b go to `l`
    pub fn and_into(&mut self, a: Bit, b: Bit, l: &mut Vec<u32>) {
        if a == 0 || b == 0 {
            return;
        }
        if a == 1 {
            l.extend_from_slice(self.form(b));
            return;
        }
        if b == 1 {
            l.extend_from_slice(self.form(a));
            return;
        }
        let (x, y) = (self.form(a).to_vec(), self.form(b).to_vec());
        assert!(l.len() + x.len() * y.len() < MAX_PRODUCTS, "a product is too large");
        for &p in &x {
            for &q in &y {
                self.and_atoms(p, q, l)
            }
        }
    }
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        if a == 0 || b == 0 {
            return 0;
        }
        if a == 1 || a == b {
            return b;
        }
        if b == 1 {
            return a;
        }
        let mut l = vec![];
        self.and_into(a, b, &mut l);
        self.sum_atoms(&mut l)
    }
    /// One bit: a != b
    pub fn differ(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let difference: Vec<Bit> = a.iter().zip(b).map(|(&x, &y)| self.xor(x, y)).collect();
        match self.constant(&difference) {
            Some(x) => (x != 0) as Bit,
            None => self.node(Op::AnySet, &difference, 1, "")[0],
        }
    }
    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        let x = self.xor(a, b);
        let y = self.and(a, b);
        self.xor(x, y)
    }
    /// `yes` if the condition is 1, else `no`
    pub fn select(&mut self, condition: Bit, yes: Bit, no: Bit) -> Bit {
        let difference = self.xor(yes, no);
        let change = self.and(condition, difference);
        self.xor(no, change)
    }
    pub fn vars(&mut self, name: &str, n: usize) -> Vec<Bit> {
        self.node(Op::Var, &[], n, name)
    }
    /// The first n variables of that name.  Who asks again gets the same ones, so what has been made of them is found and not made
    /// again: proofs of one function at many lengths share most of their terms.
    pub fn named(&mut self, name: &str, n: usize) -> Vec<Bit> {
        let mut bits = self.named.remove(name).unwrap_or_default();
        if bits.len() < n {
            // Whole words, as a tile should have
            let more = self.new_node(Op::Var, &[], (n - bits.len() + 63) / 64 * 64, name);
            self.nodes[more as usize].c = bits.len() as u64;
            bits.extend(self.node_bits(more));
        }
        let first = bits[..n].to_vec();
        self.named.insert(name.into(), bits);
        first
    }
    /// All variables of that name so far
    pub fn known(&self, name: &str) -> &[Bit] {
        self.named.get(name).map_or(&[], |bits| bits)
    }
    /// The n bits of an uninterpreted function of args
    pub fn node(&mut self, op: Op, args: &[Bit], n: usize, name: &str) -> Vec<Bit> {
        if op == Op::Var {
            let i = self.new_node(op, args, n, name);
            return self.node_bits(i);
        }
        let h = hash(args);
        let is_it = |&(other, i): &(u32, u32)| {
            let node = &self.nodes[i as usize];
            other == h && node.op == op && *node.args == *args
        };
        if let Some(&(_, i)) = self.node_of.find(spread(h), is_it) {
            return self.node_bits(i);
        }
        let i = self.new_node(op, args, n, name);
        self.node_of.insert_unique(spread(h), (h, i), |&(other, _)| spread(other));
        self.node_bits(i)
    }
    /// A round of AES but the last, its key with it: nothing that is proved adds more to a key in between.
    pub fn aes_round(&mut self, op: Op, state: &[Bit], key: &[Bit]) -> Vec<Bit> {
        self.node(op, &[state, key].concat(), state.len(), "")
    }
    fn new_node(&mut self, op: Op, args: &[Bit], n: usize, name: &str) -> u32 {
        // What is multiplied are words, and a tile should have a whole one.
        while n % 64 == 0 && self.atoms.len() % 64 != 0 {
            self.atoms.push(Atom::Unused)
        }
        let i = self.nodes.len() as u32;
        let first = self.atoms.len() as u32;
        let first_bit = self.spans.len() as u32;
        for j in 0..n as u32 {
            self.atoms.push(Atom::Bit(i, j));
            self.push_form(&[first + j]);
        }
        self.nodes.push(Node { op, args: args.into(), first, first_bit, n: n as u32, name: name.into(), terms: vec![], c: 0 });
        i
    }
    fn node_bits(&self, i: u32) -> Vec<Bit> {
        let node = &self.nodes[i as usize];
        (node.first_bit..node.first_bit + node.n).collect()
    }
    /// The node that a bit is of, if it is nothing but that.
    pub fn node_of_bit(&self, b: Bit) -> Option<u32> {
        match *self.form(b) {
            [atom] => match self.atoms[atom as usize] {
                Atom::Bit(node, _) => Some(node),
                _ => None,
            },
            _ => None,
        }
    }
    /// All that a node is computed from; None for variables, which are computed from nothing.
    pub fn arguments(&self, node: u32) -> Option<Vec<Bit>> {
        let node = &self.nodes[node as usize];
        if node.op == Op::Var {
            return None;
        }
        let terms = node.terms.iter().flat_map(|&t| self.word_bits[t as usize].iter().copied());
        Some(node.args.iter().copied().chain(terms).collect())
    }
    pub fn constant(&self, w: &[Bit]) -> Option<u64> {
        let mut r = 0;
        for (i, &b) in w.iter().enumerate() {
            if b > 1 {
                return None;
            }
            r |= (b as u64) << i
        }
        Some(r)
    }
    /// Two's complement addition of words of up to 64 bits: sums of terms in canonical order with one constant.
    pub fn add(&mut self, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        let n = a.len();
        let m = if n == 64 { !0 } else { (1u64 << n) - 1 };
        if a.iter().zip(b).all(|(&x, &y)| x == 0 || y == 0) {
            return a.iter().zip(b).map(|(&x, &y)| x | y).collect();
        }
        let (ca, cb) = (self.constant(a), self.constant(b));
        if let (Some(x), Some(y)) = (ca, cb) {
            return (0..n).map(|i| (x.wrapping_add(y) >> i & 1) as u32).collect();
        }
        if a == b {
            return self.twice(a);
        }
        let ((mut terms, x), (more, y)) = (self.terms_of(a), self.terms_of(b));
        terms.extend(more);
        let mut c = x.wrapping_add(y);
        terms.sort_unstable();
        c &= m;
        // Where all terms end in zeros, the sum ends as the number does.
        let zeros = terms.iter().map(|&term| self.word_bits[term as usize].iter().take_while(|&&bit| bit == 0).count()).min();
        let zeros = zeros.unwrap_or(0);
        let end: Vec<Bit> = (0..zeros).map(|i| (c >> i & 1) as Bit).collect();
        c = c >> zeros << zeros;
        if terms.len() == 1 && c == 0 {
            return [&end, &self.word_bits[terms[0] as usize][zeros..]].concat();
        }
        let k = (n as u32, terms, c);
        if let Some(&i) = self.sums.get(&k) {
            return [end, self.node_bits(i).split_off(zeros)].concat();
        }
        let i = self.new_node(Op::Sum, &[], n, "");
        self.nodes[i as usize].terms = k.1.clone();
        self.nodes[i as usize].c = c;
        self.sums.insert(k, i);
        let rest = self.node_bits(i).split_off(zeros);
        self.sum_of.insert([&vec![0; zeros], &rest[..]].concat().into(), i);
        [end, rest].concat()
    }
    /// A word as terms of a sum and a number
    fn terms_of(&mut self, word: &[Bit]) -> (Vec<u32>, u64) {
        if let Some(number) = self.constant(word) {
            return (vec![], number);
        }
        if let Some(&i) = self.sum_of.get(word) {
            return (self.nodes[i as usize].terms.clone(), self.nodes[i as usize].c);
        }
        if let Some(&term) = self.words.get(word) {
            return (vec![term], 0);
        }
        // A word with bits that are known to be set is one without them, plus a number.
        let set = (0..word.len()).filter(|&i| word[i] == 1).fold(0, |set, i| set | 1 << i);
        if set != 0 {
            let others: Vec<Bit> = word.iter().map(|&bit| if bit == 1 { 0 } else { bit }).collect();
            let (terms, number) = self.terms_of(&others);
            return (terms, number.wrapping_add(set));
        }
        let term = self.word_bits.len() as u32;
        self.words.insert(word.into(), term);
        self.word_bits.push(word.into());
        (vec![term], 0)
    }
    /// A word doubled, whose bits are those of the word and are known to be the sum of two of it as well
    pub fn twice(&mut self, word: &[Bit]) -> Vec<Bit> {
        let shifted: Vec<Bit> = [&[0], &word[..word.len() - 1]].concat();
        if !self.sum_of.contains_key(&shifted[..]) {
            let (terms, c) = self.terms_of(word);
            let node = self.new_node(Op::Sum, &[], word.len(), "");
            self.nodes[node as usize].terms = [&terms[..], &terms[..]].concat();
            self.nodes[node as usize].c = c.wrapping_mul(2);
            self.sum_of.insert(shifted.clone().into(), node);
        }
        shifted
    }
    /// The product without carries.  Factors should have few atoms: see ghash.rs.
    pub fn clmul(&mut self, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        let mut r = vec![0; 128];
        if let Some(k) = self.constant(b) {
            return self.clmul_const(a, k);
        }
        if let Some(k) = self.constant(a) {
            return self.clmul_const(b, k);
        }
        let factors: Rc<[Bit]> = a.iter().chain(b).copied().collect();
        if let Some(product) = self.products.get(&factors) {
            return product.to_vec();
        }
        let words = [a, b].map(|factor| self.words_in(factor));
        let mut tiles = vec![];
        for &(p, swap_p) in &words[0] {
            for &(q, swap_q) in words[1].iter().filter(|(q, _)| *q != p) {
                let (p, q, swaps) = if p < q { (p, q, (swap_p, swap_q)) } else { (q, p, (swap_q, swap_p)) };
                let tile = self.tile(p, q, Some(swaps));
                tiles.push((tile, self.tiles[tile as usize].swaps == Some(swaps)))
            }
        }
        let whole = [a, b].iter().zip(&words).all(|(factor, words)| self.is_sum_of_words(factor, words));
        let mut l = vec![];
        if whole && tiles.len() == words[0].len() * words[1].len() && tiles.iter().all(|(_, fits)| *fits) {
            for k in 0..127 {
                l.extend(tiles.iter().map(|(tile, _)| FIRST_AND + (tile << TILE_BITS) + self.tiles[*tile as usize].middle(k)));
                r[k as usize] = self.sum_atoms(&mut l);
            }
            self.products.insert(factors, r[..].into());
            return r;
        }
        let [a, b] = [a, b].map(|factor| factor.iter().map(|&x| self.form(x).to_vec()).collect::<Vec<_>>());
        for k in 0..127usize {
            for i in k.saturating_sub(63)..=k.min(63) {
                for &p in &a[i] {
                    for &q in &b[k - i] {
                        self.and_atoms(p, q, &mut l)
                    }
                }
            }
            r[k] = self.sum_atoms(&mut l);
        }
        self.products.insert(factors, r[..].into());
        r
    }
    /// Groups of atoms that come bit by bit in a factor of 64 bits, and how their bytes are swapped (see Tile)
    fn words_in(&self, factor: &[Bit]) -> Vec<(u32, u32)> {
        let mut words: Vec<(u32, u32)> = vec![];
        for (i, &bit) in factor.iter().enumerate() {
            for &atom in self.form(bit).iter().filter(|atom| **atom < FIRST_AND) {
                let (group, swap) = (atom >> 6, atom & 63 ^ i as u32);
                if (swap == 0 || swap == SWAPPED) && words.iter().all(|(other, _)| *other != group) && self.is_full(group) {
                    words.push((group, swap))
                }
            }
        }
        words.sort_unstable();
        words
    }
    /// Are all atoms of the group bits?
    fn is_full(&self, group: u32) -> bool {
        let atoms = self.atoms.get((group as usize) << 6..(group as usize + 1) << 6);
        atoms.map_or(false, |atoms| atoms.iter().all(|atom| matches!(atom, Atom::Bit(..))))
    }
    fn is_sum_of_words(&self, factor: &[Bit], words: &[(u32, u32)]) -> bool {
        factor.iter().enumerate().all(|(i, &bit)| {
            let atoms = words.iter().map(|(group, swap)| group << 6 | i as u32 ^ swap);
            self.form(bit).iter().copied().eq(atoms)
        })
    }
    fn clmul_const(&mut self, a: &[Bit], k: u64) -> Vec<Bit> {
        let mut r = vec![0; 128];
        for j in 0..64 {
            if k >> j & 1 == 1 {
                for i in 0..64 {
                    r[i + j] = self.xor(r[i + j], a[i])
                }
            }
        }
        r
    }

    // ---- Evaluation, for random variables ----
    pub fn reset_eval(&mut self, seed: u64) {
        self.evaluation += 1;
        self.seed = seed | 1
    }
    pub fn rnd(&mut self) -> u64 {
        let mut x = self.seed;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.seed = x;
        x.wrapping_mul(0x2545F4914F6CDD1D)
    }
    pub fn eval(&mut self, b: Bit) -> bool {
        let (first, num) = self.spans[b as usize];
        (first..first + num as usize).fold(false, |sum, i| sum ^ self.eval_atom(self.arena[i]))
    }
    pub fn eval_word(&mut self, w: &[Bit]) -> u64 {
        w.iter().enumerate().fold(0, |r, (i, &b)| r | (self.eval(b) as u64) << i)
    }
    fn eval_atom(&mut self, a: u32) -> bool {
        match self.atom(a) {
            Atom::And(p, q) => return self.eval_atom(p) & self.eval_atom(q),
            Atom::Diagonal(tile, k) => {
                let products: Vec<(u32, u32)> = self.diagonal(tile, k).collect();
                return products.into_iter().fold(false, |sum, (p, q)| sum ^ self.eval_atom(p) & self.eval_atom(q));
            }
            _ => (),
        }
        let a = a as usize;
        if self.vals.len() < self.atoms.len() {
            self.vals.resize(self.atoms.len(), 0)
        }
        if self.vals[a] >> 1 == self.evaluation {
            return self.vals[a] & 1 == 1;
        }
        match self.atoms[a] {
            Atom::One => return true,
            Atom::And(..) | Atom::Diagonal(..) | Atom::Unused => unreachable!(),
            Atom::Bit(n, _) => {
                let node = &self.nodes[n as usize];
                let (op, first, len, args, terms, c) =
                    (node.op, node.first as usize, node.n as usize, node.args.clone(), node.terms.clone(), node.c);
                let bits: Vec<u8> = match op {
                    Op::Var if self.given.contains_key(&n) => {
                        let bytes = &self.given[&n];
                        (0..len).map(|i| bytes[i / 8] >> (i % 8) & 1).collect()
                    }
                    Op::Var => (0..len).map(|_| (self.rnd() >> 40 & 1) as u8).collect(),
                    Op::Sum => {
                        let mut s = c;
                        for t in terms {
                            let w = self.word_bits[t as usize].clone();
                            s = s.wrapping_add(self.eval_word(&w))
                        }
                        (0..len).map(|i| (s >> i & 1) as u8).collect()
                    }
                    Op::Plus | Op::Times => {
                        let words: Vec<u128> = args.chunks(64).map(|w| self.eval_word(w) as u128).collect();
                        let x: u128 = if op == Op::Plus { words.iter().sum() } else { words[0] * words[1] };
                        (0..len).map(|i| (x >> i & 1) as u8).collect()
                    }
                    Op::Name => args.iter().map(|&b| self.eval(b) as u8).collect(),
                    Op::AnySet => vec![args.iter().any(|&b| self.eval(b)) as u8],
                    Op::SBox => {
                        let x = self.eval_word(&args);
                        let y = crate::aes::SBOXES.0[x as usize];
                        (0..8).map(|i| y >> i & 1).collect()
                    }
                    Op::AesEnc | Op::AesDec | Op::AesDecLast => {
                        let bytes: Vec<u8> = args.chunks(8).map(|byte| self.eval_word(byte) as u8).collect();
                        let (state, key) = bytes.split_at(16);
                        let state = crate::aes::core(op, state.try_into().expect("a block"));
                        (0..128).map(|i| (state[i / 8] ^ key.get(i / 8).unwrap_or(&0)) >> (i % 8) & 1).collect()
                    }
                };
                for (i, b) in bits.into_iter().enumerate() {
                    self.vals[first + i] = self.evaluation << 1 | b as u32
                }
            }
        }
        self.vals[a] & 1 == 1
    }
    /// A form in words, for messages
    pub fn show(&self, b: Bit) -> String {
        let f = self.form(b);
        let mut s: Vec<String> = f.iter().take(6).map(|&a| self.show_atom(a)).collect();
        if f.len() > 6 {
            s.push(format!("... {} atoms", f.len()))
        }
        if s.is_empty() {
            "0".into()
        } else {
            s.join("+")
        }
    }
    pub fn show_atom(&self, a: u32) -> String {
        match self.atom(a) {
            Atom::One => "1".into(),
            Atom::Unused => unreachable!(),
            Atom::And(p, q) => format!("{}*{}", self.show_atom(p), self.show_atom(q)),
            Atom::Diagonal(tile, k) => {
                let (p, q) = self.diagonal(tile, k).next().expect("a diagonal has products");
                format!("({}*{} + ..)", self.show_atom(p), self.show_atom(q))
            }
            Atom::Bit(n, i) => {
                let d = &self.nodes[n as usize];
                if d.op == Op::Var {
                    format!("{}[{}]", d.name, d.c + i as u64)
                } else {
                    format!("{:?}#{}[{}]", d.op, n, i)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> (Domain, Vec<Vec<Bit>>) {
        let mut domain = Domain::new();
        let words = ["a", "b", "c"].iter().map(|name| domain.vars(name, 32)).collect();
        (domain, words)
    }

    #[test]
    fn sums_of_bits_have_one_form() {
        let (mut d, w) = words();
        let (a, b, c) = (w[0][0], w[1][0], w[2][0]);
        let (ab, bc) = (d.xor(a, b), d.xor(b, c));
        assert_eq!(d.xor(ab, c), d.xor(a, bc));
        assert_eq!(d.xor(a, b), d.xor(b, a));
        assert_eq!((d.xor(ab, b), d.xor(a, a), d.xor(a, 0)), (a, 0, a));
        assert_ne!(d.xor(a, 1), a);
    }

    #[test]
    fn products_of_bits_have_one_form() {
        let (mut d, w) = words();
        let (a, b, c) = (w[0][0], w[1][0], w[2][0]);
        assert_eq!(d.and(a, b), d.and(b, a));
        assert_eq!((d.and(a, a), d.and(a, 0), d.and(1, a)), (a, 0, a));
        let (bc, ab, ac) = (d.xor(b, c), d.and(a, b), d.and(a, c));
        assert_eq!(d.and(a, bc), d.xor(ab, ac));
        let (not_a, not_b) = (d.xor(a, 1), d.xor(b, 1));
        let neither = d.and(not_a, not_b);
        assert_eq!(d.or(a, b), d.xor(neither, 1));
    }

    #[test]
    fn sums_of_words_have_one_form() {
        let (mut d, w) = words();
        let number = |x: u64| (0..32).map(|i| (x >> i & 1) as Bit).collect::<Vec<Bit>>();
        let (ab, bc) = (d.add(&w[0], &w[1]), d.add(&w[1], &w[2]));
        assert_eq!(ab, d.add(&w[1], &w[0]));
        assert_eq!(d.add(&ab, &w[2]), d.add(&w[0], &bc));
        assert_ne!(ab, bc);
        let (more, less) = (d.add(&ab, &number(7)), d.add(&w[1], &number(0xffff_fff9)));
        assert_eq!(d.add(&more, &number(0xffff_fff9)), ab);
        assert_eq!(d.add(&more, &less), {
            let twice = d.add(&w[1], &w[1]);
            d.add(&w[0], &twice)
        });
        assert_eq!(d.add(&w[0], &number(0)), w[0]);
        assert_eq!(d.add(&number(0xffff_ffff), &number(2)), number(1));
    }

    #[test]
    fn evaluation_agrees_with_numbers() {
        let (mut d, w) = words();
        let (sum, product) = (d.add(&w[0], &w[1]), d.clmul(&[&w[0][..], &[0; 32]].concat(), &[&w[1][..], &[0; 32]].concat()));
        let thrice = d.add(&sum, &w[0]);
        for seed in 0..100 {
            d.reset_eval(seed);
            let (a, b) = (d.eval_word(&w[0]) as u32, d.eval_word(&w[1]) as u32);
            assert_eq!(d.eval_word(&sum) as u32, a.wrapping_add(b));
            assert_eq!(d.eval_word(&thrice) as u32, a.wrapping_mul(2).wrapping_add(b));
            let carryless = (0..32).fold(0, |p, i| if b >> i & 1 == 1 { p ^ (a as u64) << i } else { p });
            assert_eq!(d.eval_word(&product[..64]), carryless);
        }
    }

    /// Each bit as the sum of its products, without diagonals if no tile has any yet
    fn product_by_bits(d: &mut Domain, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
        let sum = |d: &mut Domain, k: usize| {
            let indices = k.saturating_sub(63)..=k.min(63);
            let products: Vec<Bit> = indices.map(|i| d.and(a[i], b[k - i])).collect();
            products.into_iter().fold(0, |sum, product| d.xor(sum, product))
        };
        (0..127).map(|k| sum(d, k)).chain([0]).collect()
    }

    #[test]
    fn products_of_words_are_diagonals() {
        let mut d = Domain::new();
        let w: Vec<Vec<Bit>> = ["a", "b", "c", "d", "e"].iter().map(|name| d.vars(name, 64)).collect();
        let swapped = |word: &[Bit]| word.chunks(8).rev().collect::<Vec<_>>().concat();
        let sum = |d: &mut Domain, a: &[Bit], b: &[Bit]| (0..64).map(|i| d.xor(a[i], b[i])).collect::<Vec<Bit>>();
        let size = |d: &Domain, product: &[Bit]| product.iter().map(|&bit| d.form(bit).len()).max().unwrap();
        let part = |n: usize| [&w[0][..n], &vec![0; 64 - n][..]].concat();
        let (ab, cd, bytes) = (sum(&mut d, &w[0], &w[1]), sum(&mut d, &w[2], &w[3]), swapped(&w[4]));
        // By the bits' products first the tile of b and c has no diagonals.
        let before = product_by_bits(&mut d, &w[1], &w[2]);
        for (a, b, most) in [
            (&w[0], &w[2], 1),
            (&w[0], &bytes, 1),
            (&bytes, &w[3], 1),
            (&w[1], &w[2], 64),
            (&ab, &w[3], 2),
            (&ab, &cd, 3 + 64),
            (&part(40), &w[2], 25),
            (&part(7), &bytes, 8),
            (&w[0], &w[0], 1),
        ] {
            let product = d.clmul(a, b);
            assert_eq!(size(&d, &product), most);
            assert_eq!(product, product_by_bits(&mut d, a, b));
            for seed in 0..5 {
                d.reset_eval(seed);
                let (x, y) = (d.eval_word(a), d.eval_word(b));
                let want = (0..64).fold(0, |p, i| if y >> i & 1 == 1 { p ^ (x as u128) << i } else { p });
                assert_eq!(d.eval_word(&product[..64]) as u128 | (d.eval_word(&product[64..]) as u128) << 64, want);
            }
        }
        assert_eq!(before, product_by_bits(&mut d, &w[1], &w[2]));
        // A word in another order than that of the tile is a sum of products, too.
        let (right, other) = (d.clmul(&w[0], &bytes), d.clmul(&w[0], &w[4]));
        assert_eq!((size(&d, &right), other), (1, product_by_bits(&mut d, &w[0], &w[4])));
    }

    #[test]
    fn names_are_atoms_of_the_same_values() {
        let mut d = Domain::new();
        let (a, b) = (d.vars("a", 128), d.vars("b", 128));
        let last_round: Vec<Bit> = a.chunks(8).flat_map(|byte| d.node(Op::SBox, byte, 8, "")).collect();
        let sums: Vec<Bit> = (0..128).map(|i| d.xor(last_round[i], b[i])).collect();
        let names = d.name_block(&sums);
        assert!(names.iter().all(|&name| d.form(name).len() == 1));
        assert_eq!((d.name_block(&sums), d.name_block(&names)), (names.clone(), names.clone()));
        for seed in 0..20 {
            d.reset_eval(seed);
            assert!((0..128).all(|i| d.eval(names[i]) == d.eval(sums[i])));
        }
    }
}
