// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! GHASH in machine code: names for what is multiplied, and how a register's lane is read as a sum of blocks times powers of H.
//!
//! A product without carries is expanded: each bit is a sum of products of one atom of either factor.  A hash so far is a sum of
//! thousands of those, and multiplied by a power once more it would be a sum of millions.  So before it is multiplied, it gets a
//! *name*: 128 new atoms.  (A name says nothing new, it only abbreviates.  So a wrong choice may make a proof fail, never succeed.)
//! Three questions arise.
//!
//! *When does a factor need a name?*  When one of its bits has many atoms, after all known names have been used: the sum of a
//! named lane's halves, as Karatsuba's way multiplies it, needs none.  For that, each named bit has a *pivot*, an atom of its own
//! in what it abbreviates.  Where a pivot turns up in a sum, the named bit may be in it, and is put in for what it abbreviates.
//!
//! *What is it that gets the name?*  The whole lane, as it is what means something; but if the lane is the sum of another lane's
//! halves, then that other lane.  A lane may also have such sums of two lanes, one in each half.  Then each half is seen to by
//! itself: if a block's sum stands beside that of a long lane, it needs no name, and the lane that it stands in gets none.
//!
//! *What does the lane mean?*  It is a polynomial of degree up to 127, and it should be a sum of blocks, named lanes among
//! them, times powers of H.  Which ones, is read off from the products in its bits: block 3's bits times H^5's bits mean block 3 *
//! H^5.  All bits that this sum should have, by the textbook's multiplication, are compared with those that are there.  So nothing
//! prescribes in which order blocks are hashed, and how they are grouped.
use crate::domain::*;
use crate::machine::*;
use crate::spec::gcm::{bit_of_coefficient, times_x};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// Factors' bits may have as many atoms: blocks with others added to them, and powers times constants, have.
const MAX_ATOMS: usize = 8;
/// How many tiles (see Domain) are looked through for pivots, at most: those of a few blocks
const MAX_TILES: usize = 64;
/// How many names are tried to make a bit short: it may be the sum of a few named ones.
const MAX_TRIES: usize = 6;

/// What Names knows of a pivot: the bit that was named, its name, and when that was
#[derive(Clone, Copy)]
struct Rule {
    meaning: Bit,
    name: Bit,
    number: usize,
}
#[derive(Clone)]
struct NamedLane {
    names: Rc<[Bit]>,
    rules: Rc<[(u32, Rule)]>,
    in_use: bool,
}
#[derive(Clone, Default)]
pub struct Names {
    rules: FxHashMap<u32, Rule>,
    lanes: FxHashMap<Rc<[Bit]>, NamedLane>,
    /// Those of the key, which calls have in common
    pub powers: Option<Rc<Powers>>,
    /// Has each lane a meaning?  So it is where powers are made: half of one may be short, but products have to be of names.
    pub whole_lanes: bool,
}
impl Names {
    /// Another call begins.  The same lanes will have the same names, but those that are only similar to lanes of another call
    /// shall not be made of their names.  The names of blocks are kept.
    pub fn begin_call(&mut self) {
        self.rules.retain(|&pivot, _| pivot < FIRST_AND);
        for lane in self.lanes.values_mut() {
            lane.in_use = false
        }
    }
}

impl Domain {
    /// A block of ciphertext, whose bits are sums of three, gets names once and for all: each of its bits has an atom of its own,
    /// the last AES round's.
    pub fn name_block(&mut self, block: &[Bit]) -> Vec<Bit> {
        let known: Vec<Bit> = block.iter().map(|&bit| self.use_names(bit)).collect();
        if known.iter().all(|&bit| self.form(bit).len() <= 1) {
            return known;
        }
        let names = self.node(Op::Name, block, 128, "");
        for (&meaning, &name) in block.iter().zip(&names) {
            let pivot = self.form(meaning).iter().copied().find(|&atom| self.is_last_round(atom));
            if let Some(pivot) = pivot {
                self.names.rules.insert(pivot, Rule { meaning, name, number: 0 });
            }
        }
        block.iter().map(|&bit| self.use_names(bit)).collect()
    }
    fn is_last_round(&self, atom: u32) -> bool {
        match self.atom(atom) {
            Atom::Bit(node, _) => self.nodes[node as usize].op == Op::SBox,
            _ => false,
        }
    }

    fn name_lane(&mut self, lane: &[Bit]) -> Vec<Bit> {
        if !self.names.lanes.contains_key(lane) {
            let named = self.new_names(lane);
            self.names.lanes.insert(lane.into(), named);
        }
        let Names { rules, lanes, .. } = &mut self.names;
        let named = lanes.get_mut(lane).unwrap();
        if !named.in_use {
            named.in_use = true;
            let number = rules.len();
            for (i, &(pivot, rule)) in named.rules.iter().enumerate() {
                rules.entry(pivot).or_insert(Rule { number: number + i, ..rule });
            }
        }
        named.names.to_vec()
    }
    fn new_names(&mut self, lane: &[Bit]) -> NamedLane {
        let mut names = self.node(Op::Name, lane, 128, "");
        let mut rules: Vec<(u32, Rule)> = vec![];
        for (i, pivot) in self.pivots(lane).into_iter().enumerate() {
            match pivot {
                Some(pivot) => rules.push((pivot, Rule { meaning: lane[i], name: names[i], number: 0 })),
                None if lane[i] < 2 => names[i] = lane[i],
                None => (),
            }
        }
        NamedLane { names: names.into(), rules: rules.into(), in_use: false }
    }
    /// For each bit of a lane a product in it, which no other bit has if there is such a one: those of low degrees are in one only.
    fn pivots(&self, lane: &[Bit]) -> Vec<Option<u32>> {
        let products = |&bit: &Bit| self.form(bit).split_at(self.form(bit).partition_point(|&atom| atom < FIRST_AND)).1;
        let mut pivots: Vec<Option<u32>> = vec![None; 128];
        for tile in self.last_tiles(lane).into_iter().rev() {
            if pivots.iter().all(|pivot| pivot.is_some()) {
                break;
            }
            let in_tile = |bit: &Bit| {
                let products = products(bit);
                let begin = products.partition_point(|atom| atom >> TILE_BITS < tile);
                let end = products.partition_point(|atom| atom >> TILE_BITS <= tile);
                &products[begin..end]
            };
            let mut counts = vec![0u8; 1 << TILE_BITS];
            let place = |atom: u32| atom as usize & ((1 << TILE_BITS) - 1);
            lane.iter().flat_map(in_tile).for_each(|&atom| counts[place(atom)] += 1);
            for (pivot, bit) in pivots.iter_mut().zip(lane) {
                *pivot = pivot.or_else(|| in_tile(bit).iter().copied().find(|&atom| counts[place(atom)] == 1))
            }
        }
        pivots.into_iter().zip(lane).map(|(pivot, bit)| pivot.or_else(|| products(bit).last().copied())).collect()
    }
    /// A few of the tiles that a lane's products are of.  None of its bits has products from all of them, but these together do.
    fn last_tiles(&self, lane: &[Bit]) -> Vec<u32> {
        let forms = [0, 31, 63, 64, 95, 127].map(|i| self.form(lane[i]));
        let mut tiles: Vec<u32> =
            forms.iter().flat_map(|form| form.iter()).filter(|atom| **atom >= FIRST_AND).map(|atom| atom >> TILE_BITS).collect();
        tiles.sort_unstable();
        tiles.dedup();
        tiles.split_off(tiles.len().saturating_sub(MAX_TILES))
    }

    /// The bit by names, if that makes it short
    fn use_names(&mut self, bit: Bit) -> Bit {
        let mut short = bit;
        for _ in 0..MAX_TRIES {
            if self.form(short).len() <= 1 {
                break;
            }
            let rules = self.form(short).iter().filter_map(|atom| self.names.rules.get(atom));
            let Rule { meaning, name, .. } = match rules.max_by_key(|rule| rule.number) {
                Some(rule) => *rule,
                None => break,
            };
            short = self.xor(short, meaning);
            short = self.xor(short, name);
        }
        if self.is_short(short) {
            short
        } else {
            bit
        }
    }
    fn use_names_in(&mut self, bits: &[Bit]) -> Option<Vec<Bit>> {
        bits.iter()
            .map(|&bit| {
                let short = self.use_names(bit);
                Some(short).filter(|&short| self.is_short(short))
            })
            .collect()
    }
    /// May a factor have this bit?
    fn is_short(&self, bit: Bit) -> bool {
        let form = self.form(bit);
        form.len() <= MAX_ATOMS && form.last().map_or(true, |&atom| atom < FIRST_AND)
    }

    /// sum = a + b?
    fn is_sum(&self, sum: Bit, a: Bit, b: Bit) -> bool {
        let (sum, a, b) = (self.form(sum), self.form(a), self.form(b));
        let (mut at_sum, mut at_a, mut at_b) = (0, 0, 0);
        loop {
            let heads = [sum.get(at_sum), a.get(at_a), b.get(at_b)];
            let first = match heads.iter().flatten().min() {
                Some(first) => **first,
                None => return true,
            };
            let found = heads.map(|head| head == Some(&first));
            if found[0] ^ found[1] ^ found[2] {
                return false;
            }
            at_sum += found[0] as usize;
            at_a += found[1] as usize;
            at_b += found[2] as usize;
        }
    }
}

impl Domain {
    /// What products have a lane's bits as
    pub fn as_factor(&mut self, lane: &[Bit]) -> Vec<Bit> {
        if self.names.lanes.contains_key(lane) {
            return self.name_lane(lane);
        }
        lane.iter().map(|&bit| self.use_names(bit)).collect()
    }
}

impl Machine {
    /// The product without carries of half of a lane, the upper one or not, and half of another lane
    pub fn product(&mut self, a: (&[Bit], bool), b: (&[Bit], bool)) -> Vec<Bit> {
        let [half_a, half_b] = [a, b].map(|(lane, upper)| if upper { &lane[64..] } else { &lane[..64] });
        if [half_a, half_b].iter().any(|half| self.domain.constant(half).is_some()) {
            return self.domain.clmul(half_a, half_b);
        }
        let (a, b) = (self.factor(a.0, a.1), self.factor(b.0, b.1));
        self.domain.clmul(&a, &b)
    }
    /// Half of a lane as a factor, by names
    fn factor(&mut self, lane: &[Bit], upper: bool) -> Vec<Bit> {
        let range = if upper { 64..128 } else { 0..64 };
        let half = &lane[range.clone()];
        if self.domain.names.lanes.contains_key(lane) {
            return self.domain.name_lane(lane)[range].to_vec();
        }
        if let Some(short) = self.domain.use_names_in(lane) {
            return short[range].to_vec();
        }
        let sum_of = self.lane_with_halves_of_sum(half);
        if let Some(halves) = &sum_of {
            self.domain.name_lane(halves);
        }
        if sum_of.is_some() || !self.domain.names.whole_lanes {
            if let Some(short) = self.domain.use_names_in(half) {
                return short;
            }
        }
        self.domain.name_lane(lane)[range].to_vec()
    }
    fn lane_with_halves_of_sum(&self, sum: &[Bit]) -> Option<Vec<Bit>> {
        let mut lanes = self.vectors.iter().flat_map(|vector| vector.chunks(128));
        lanes.find(|lane| (0..64).all(|i| self.domain.is_sum(sum[i], lane[i], lane[64 + i]))).map(|lane| lane.to_vec())
    }
}

/// For one power of H: [j][i - FIRST_SHIFT] has the coefficient of x^j in x^i * H^e, as a set of the power's variables.
struct Table {
    products: Vec<[u128; NUM_SHIFTED]>,
    /// How many of those there are for i
    sizes: [u32; NUM_SHIFTED],
}
/// A lane may be x^-1 .. x times what it should be, and a named one too.
const SHIFTS: [i32; 3] = [0, -1, 1];
const FIRST_SHIFT: i32 = -2;
const NUM_SHIFTED: usize = 128 + 4;

/// The powers of H that a key has
pub struct Powers {
    tables: Vec<Table>,
    /// Which variable of which power an atom is.  The constant 1 is variable 0 of H^0.
    variables: FxHashMap<u32, (usize, u32)>,
    /// What has_diagonal() was asked, and its answers
    diagonals: RefCell<FxHashMap<(u32, u32, i32, u32, usize), bool>>,
}
/// A tile of half of a block and half of a power
#[derive(Clone, Copy)]
struct Halves {
    block: usize,
    /// Bit u of the half is the block's coefficient of x^(first - u).
    first: i32,
    e: usize,
    /// The first atom of the power's half, and how its bytes are swapped (see Tile)
    power: u32,
    swap: u32,
}
impl Powers {
    /// H^1, .. as polynomials, each over (up to 128) variables of its own
    pub fn new(domain: &mut Domain, powers: &[Vec<Bit>]) -> Powers {
        let mut result = Powers { tables: vec![], variables: FxHashMap::default(), diagonals: RefCell::default() };
        let mut one = vec![0; 128];
        one[0] = 1;
        result.add(domain, &one);
        for power in powers {
            result.add(domain, power)
        }
        result
    }
    fn add(&mut self, domain: &mut Domain, power: &[Bit]) {
        let e = self.tables.len();
        let atoms: FxHashSet<u32> = power.iter().flat_map(|&bit| domain.form(bit)).copied().collect();
        assert!(atoms.len() <= 128);
        for (k, &atom) in atoms.iter().enumerate() {
            assert!(self.variables.insert(atom, (e, k as u32)).is_none(), "powers have no variables in common")
        }
        let mut table = Table { products: vec![[0; NUM_SHIFTED]; 128], sizes: [0; NUM_SHIFTED] };
        let mut product = power.to_vec();
        for _ in FIRST_SHIFT..0 {
            product = over_x(domain, &product)
        }
        for row in 0..NUM_SHIFTED {
            for (j, &bit) in product.iter().enumerate() {
                let set = domain.form(bit).iter().fold(0, |set, atom| set | 1 << self.variables[atom].1);
                table.products[j][row] = set;
                table.sizes[row] += u128::count_ones(set)
            }
            product = times_x(domain, &product)
        }
        self.tables.push(table)
    }
    /// Are all products on diagonal k in the coefficient of x^j, if bit u of the block's half is row - u of the power's table?
    fn has_diagonal(&self, halves: &Halves, row: i32, k: u32, j: usize) -> bool {
        let key = (halves.power, halves.swap, row, k, j);
        *self.diagonals.borrow_mut().entry(key).or_insert_with(|| {
            (k.saturating_sub(63)..=k.min(63)).all(|u| {
                let variable = self.variables.get(&(halves.power | (k - u) ^ halves.swap));
                let row = (row - u as i32) as usize;
                variable.map_or(false, |&(e, i)| e == halves.e && self.tables[e].products[j][row] >> i & 1 == 1)
            })
        })
    }
}
/// v * x^-1: that what has been x^0 becomes x^-1 = x^127 + x^6 + x + 1
pub fn over_x(domain: &mut Domain, v: &[Bit]) -> Vec<Bit> {
    let mut quotient = v[1..].to_vec();
    quotient.push(v[0]);
    for i in [0, 1, 6] {
        quotient[i] = domain.xor(quotient[i], v[0])
    }
    quotient
}

/// A sum of blocks times powers of H: pairs of a block's number and an exponent.  As 1 + 1 = 0, a pair is in it or not.
pub type Terms = FxHashSet<(usize, usize)>;

/// sum += terms
pub fn add_terms(sum: &mut Terms, terms: impl IntoIterator<Item = (usize, usize)>) {
    for term in terms {
        if !sum.insert(term) {
            sum.remove(&term);
        }
    }
}

/// What a lane was found to be: terms * x^shift
#[derive(Clone)]
pub struct Sum {
    pub terms: Terms,
    /// The order of bytes is that in memory; or else they are reversed, so that the highest bit is x^0.
    pub in_memory_order: bool,
    pub shift: i32,
}

/// A block, or a named lane
struct Block {
    name: String,
    /// Coefficients that aren't 0
    present: Vec<usize>,
    shift: i32,
    /// What a named lane is the sum of; None: a block
    terms: Option<Terms>,
}
/// What an atom is
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Unknown,
    /// A block's coefficient
    Block(u32, u8),
    /// A power's variable
    Power(u8, u8),
}

/// The blocks of one proof, and what is known of lanes.
pub struct Reader<'a> {
    powers: &'a Powers,
    blocks: Vec<Block>,
    public_blocks: Vec<(usize, Vec<usize>)>,
    places: Vec<Place>,
    /// What half_of_block() has found
    halves: RefCell<FxHashMap<(u32, u32), (usize, i32)>>,
}
impl<'a> Reader<'a> {
    pub fn new(domain: &Domain, powers: &'a Powers) -> Reader<'a> {
        let mut places = vec![Place::Unknown; domain.atoms.len()];
        for (&atom, &(e, k)) in &powers.variables {
            places[atom as usize] = Place::Power(e as u8, k as u8)
        }
        Reader { powers, blocks: vec![], public_blocks: vec![], places, halves: RefCell::default() }
    }
    /// A polynomial that is hashed.  Its bits are variables, or all are public.  The answer is its number.
    pub fn block(&mut self, domain: &Domain, name: &str, polynomial: &[Bit]) -> Result<usize> {
        let number = self.blocks.len();
        let present: Vec<usize> = (0..128).filter(|&i| polynomial[i] != 0).collect();
        if polynomial.iter().all(|&bit| bit < 2) {
            self.public_blocks.push((number, present.clone()))
        } else {
            for &i in &present {
                match domain.form(polynomial[i]) {
                    [atom] if self.places[*atom as usize] == Place::Unknown => {
                        self.places[*atom as usize] = Place::Block(number as u32, i as u8)
                    }
                    _ => return Err(format!("{name}: x^{i}'s coefficient is {}", domain.show(polynomial[i]))),
                }
            }
        }
        self.blocks.push(Block { name: name.into(), present, shift: 0, terms: None });
        Ok(number)
    }
    pub fn show(&self, terms: &Terms) -> String {
        let mut sorted: Vec<_> = terms.iter().collect();
        sorted.sort();
        sorted.iter().map(|(block, e)| format!("{} * H^{e}", self.blocks[*block].name)).collect::<Vec<_>>().join(" + ")
    }

    /// What the lane is the sum of, down to blocks
    pub fn read(&mut self, domain: &Domain, lane: &[Bit]) -> Result<Sum> {
        self.read_names_in(domain, lane)?;
        let mut error = String::new();
        for shift in SHIFTS {
            for in_memory_order in [true, false] {
                match self.read_as(domain, lane, in_memory_order, shift) {
                    Ok(terms) => return Ok(Sum { terms: self.down_to_blocks(&terms), in_memory_order, shift }),
                    Err(e) => error = format!("{error}\n    {e} (x^{shift}, memory's order: {in_memory_order})"),
                }
            }
        }
        Err(format!("a lane is no sum of blocks times powers of H:{error}"))
    }
    fn down_to_blocks(&self, terms: &Terms) -> Terms {
        let mut result = Terms::default();
        for &(block, e) in terms {
            match &self.blocks[block].terms {
                Some(inner) => add_terms(&mut result, inner.iter().map(|&(block, inner_e)| (block, inner_e + e))),
                None => add_terms(&mut result, [(block, e)]),
            }
        }
        result
    }
    /// Named lanes that occur in this one are read first.
    fn read_names_in(&mut self, domain: &Domain, lane: &[Bit]) -> Result<()> {
        for &bit in lane {
            let (single, products) = single_and_products(domain, bit);
            for &atom in single {
                self.read_name(domain, atom)?
            }
            for run in Runs(products) {
                // (A lane's atoms fill two groups of 64: one of the group's is enough.)
                let (p, q) = domain.tile_and_place(run[0]).0.groups;
                self.read_name(domain, p)?;
                self.read_name(domain, q)?
            }
        }
        Ok(())
    }
    fn read_name(&mut self, domain: &Domain, atom: u32) -> Result<()> {
        let node = match domain.atom(atom) {
            Atom::Bit(node, _) => &domain.nodes[node as usize],
            _ => return Ok(()),
        };
        if node.op != Op::Name || node.n != 128 {
            return Ok(());
        }
        if (node.first..node.first + node.n).any(|atom| self.places[atom as usize] != Place::Unknown) {
            return Ok(());
        }
        let Sum { terms, in_memory_order, shift } = self.read(domain, &node.args)?;
        let number = self.blocks.len();
        let mut present = vec![];
        for i in 0..128 {
            let bit = bit_in_lane(i, in_memory_order);
            if node.args[bit] != 0 {
                present.push(i);
                self.places[node.first as usize + bit] = Place::Block(number as u32, i as u8)
            }
        }
        self.blocks.push(Block { name: format!("lane {number}"), present, shift, terms: Some(terms) });
        Ok(())
    }

    /// The lane, taken as x^shift times a sum, in terms of blocks and named lanes
    fn read_as(&self, domain: &Domain, lane: &[Bit], in_memory_order: bool, shift: i32) -> Result<Terms> {
        let num_powers = self.powers.tables.len();
        let mut counts = vec![0u32; self.blocks.len() * num_powers];
        let mut public: Vec<Option<Box<[u128; 128]>>> = vec![None; num_powers];
        for j in 0..128 {
            let (single, products) = single_and_products(domain, lane[bit_in_lane(j, in_memory_order)]);
            let single = self.by_block_names(domain, single);
            let mut count = |counts: &mut [u32], p: u32, q: u32| {
                let what = || format!("{}*{}", domain.show_atom(p), domain.show_atom(q));
                let (block, i, e, k) = match (self.place(p), self.place(q)) {
                    (Place::Block(block, i), Place::Power(e, k)) | (Place::Power(e, k), Place::Block(block, i)) => (block, i, e, k),
                    // (The constant 1 is p here.)
                    (Place::Power(0, _), Place::Power(e, k)) => {
                        public[e as usize].get_or_insert_with(|| Box::new([0; 128]))[j] |= 1 << k;
                        return Ok(());
                    }
                    _ => return Err(format!("x^{j} has {}", what())),
                };
                let row = i as i32 + shift - self.blocks[block as usize].shift - FIRST_SHIFT;
                if self.powers.tables[e as usize].products[j][row as usize] >> k & 1 == 0 {
                    return Err(format!("x^{j} has {}, and shouldn't", what()));
                }
                counts[block as usize * num_powers + e as usize] += 1;
                Ok(())
            };
            for atom in single {
                count(&mut counts, 0, atom)?
            }
            for run in Runs(products) {
                let tile = domain.tile_and_place(run[0]).0;
                let diagonals = run.iter().map(|&atom| tile.diagonal(domain.tile_and_place(atom).1)).collect::<Option<Vec<u32>>>();
                if let (Some(diagonals), Some(halves)) = (diagonals, self.halves(tile)) {
                    let row = halves.first + shift - self.blocks[halves.block].shift - FIRST_SHIFT;
                    for k in diagonals {
                        if !self.powers.has_diagonal(&halves, row, k, j) {
                            let name = &self.blocks[halves.block].name;
                            return Err(format!("x^{j} has products of {name} and H^{}, and shouldn't", halves.e));
                        }
                        counts[halves.block * num_powers + halves.e] += k.min(126 - k) + 1
                    }
                    continue;
                }
                // Bit n of [m]: the product of the groups' atoms m and n
                let (mut present, (p, q)) = ([0u64; 64], tile.groups);
                let mut toggle = |place: u32| present[place as usize >> 6] ^= 1 << (place & 63);
                for &atom in run {
                    let (_, place) = domain.tile_and_place(atom);
                    match tile.diagonal(place) {
                        Some(k) => tile.places(k).for_each(&mut toggle),
                        None => toggle(place),
                    }
                }
                for (m, &row) in present.iter().enumerate() {
                    let mut left = row;
                    while left != 0 {
                        count(&mut counts, p | m as u32, q | left.trailing_zeros())?;
                        left &= left - 1
                    }
                }
            }
        }
        let mut terms = Terms::default();
        for (number, &count) in counts.iter().enumerate() {
            let (block, e) = (number / num_powers, number % num_powers);
            if count != 0 {
                // As all that is there should be, and nothing is there twice, only the number may be wrong.
                if count != self.expected_count(block, e, shift) {
                    return Err(format!(
                        "{} * H^{e} isn't complete: {count} of {}",
                        self.blocks[block].name,
                        self.expected_count(block, e, shift)
                    ));
                }
                terms.insert((block, e));
            }
        }
        for (e, sets) in public.iter().enumerate() {
            if let Some(sets) = sets {
                terms.insert((self.public_block(sets, e, shift)?, e));
            }
        }
        Ok(terms)
    }
    fn place(&self, atom: u32) -> Place {
        self.places.get(atom as usize).copied().unwrap_or(Place::Unknown)
    }
    /// The halves whose products a tile has, if all bits of the block's are there
    fn halves(&self, tile: &Tile) -> Option<Halves> {
        let ((p, q), (swap_p, swap_q)) = (tile.groups, tile.swaps?);
        let (block, block_swap, power, swap) =
            if matches!(self.place(p), Place::Power(..)) { (q, swap_q, p, swap_p) } else { (p, swap_p, q, swap_q) };
        let e = match self.place(power) {
            Place::Power(e, _) => e as usize,
            _ => return None,
        };
        let (block, first) = self.half_of_block(block, block_swap)?;
        Some(Halves { block, first, e, power, swap })
    }
    /// The block's number and the coefficient that bit 0 is of
    fn half_of_block(&self, group: u32, swap: u32) -> Option<(usize, i32)> {
        if let Some(half) = self.halves.borrow().get(&(group, swap)) {
            return Some(*half);
        }
        let (block, first) = match self.place(group | swap) {
            Place::Block(block, first) => (block, first),
            _ => return None,
        };
        if (0..64).any(|u| first < u || self.place(group | u as u32 ^ swap) != Place::Block(block, first - u)) {
            return None;
        }
        let half = (block as usize, first as i32);
        self.halves.borrow_mut().insert((group, swap), half);
        Some(half)
    }
    fn expected_count(&self, block: usize, e: usize, shift: i32) -> u32 {
        let block = &self.blocks[block];
        let row = |i: usize| (i as i32 + shift - block.shift - FIRST_SHIFT) as usize;
        block.present.iter().map(|&i| self.powers.tables[e].sizes[row(i)]).sum()
    }
    /// Which public block times H^e are these sums of the power's variables?
    fn public_block(&self, sets: &[u128; 128], e: usize, shift: i32) -> Result<usize> {
        let rows = &self.powers.tables[e].products;
        let is_it = |present: &[usize]| {
            let row = |i: &usize| (*i as i32 + shift - FIRST_SHIFT) as usize;
            (0..128).all(|j| present.iter().fold(0, |sum, i| sum ^ rows[j][row(i)]) == sets[j])
        };
        let found = self.public_blocks.iter().find(|(_, present)| is_it(present));
        found.map(|(number, _)| *number).ok_or_else(|| format!("no public block times H^{e}"))
    }
    /// These atoms, but named blocks (no lanes) by their names
    fn by_block_names(&self, domain: &Domain, single: &[u32]) -> Vec<u32> {
        let mut result = single.to_vec();
        for rule in single.iter().filter_map(|atom| domain.names.rules.get(atom)) {
            for &atom in domain.form(rule.meaning).iter().chain(domain.form(rule.name)) {
                match result.iter().position(|&other| other == atom) {
                    Some(found) => {
                        result.swap_remove(found);
                    }
                    None => result.push(atom),
                }
            }
        }
        result
    }
}
/// The bit's atoms that are no products, and those that are
fn single_and_products(domain: &Domain, bit: Bit) -> (&[u32], &[u32]) {
    let form = domain.form(bit);
    form.split_at(form.partition_point(|&atom| atom < FIRST_AND))
}
/// Sorted products, cut into runs of the same tile
struct Runs<'a>(&'a [u32]);
impl<'a> Iterator for Runs<'a> {
    type Item = &'a [u32];
    fn next(&mut self) -> Option<&'a [u32]> {
        let tile = self.0.first()? >> TILE_BITS;
        let (run, rest) = self.0.split_at(self.0.partition_point(|atom| atom >> TILE_BITS == tile));
        self.0 = rest;
        Some(run)
    }
}
fn bit_in_lane(coefficient: usize, in_memory_order: bool) -> usize {
    if in_memory_order {
        bit_of_coefficient(coefficient)
    } else {
        127 - coefficient
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::gcm::multiply;

    /// The sum of two blocks times H^2 and H, in the lane's order; the first block has so many coefficients.
    fn hash(domain: &mut Domain, present: usize) -> (Rc<Powers>, Vec<Vec<Bit>>, Vec<Bit>) {
        // In a lane x^0 is the highest bit.
        let mut polynomial = |name: &str| domain.vars(name, 128).into_iter().rev().collect::<Vec<Bit>>();
        let powers = vec![polynomial("H"), polynomial("H^2")];
        let mut blocks = vec![polynomial("a"), polynomial("b")];
        blocks[0][present..].fill(0);
        let mut sum = vec![0; 128];
        for (block, power) in blocks.iter().zip(powers.iter().rev()) {
            // (That makes their tiles.)
            let lanes = [block, power].map(|polynomial| polynomial.iter().rev().copied().collect::<Vec<Bit>>());
            for half in [&lanes[0][..64], &lanes[0][64..]] {
                domain.clmul(half, &lanes[1][..64]);
                domain.clmul(half, &lanes[1][64..]);
            }
            let product = multiply(domain, block, power);
            sum = sum.iter().zip(&product).map(|(&x, &y)| domain.xor(x, y)).collect();
        }
        sum.reverse();
        (Rc::new(Powers::new(domain, &powers)), blocks, sum)
    }

    fn read(domain: &Domain, powers: &Powers, blocks: &[Vec<Bit>], lane: &[Bit]) -> Result<Sum> {
        let mut reader = Reader::new(domain, powers);
        for block in blocks {
            reader.block(domain, "block", block)?;
        }
        reader.read(domain, lane)
    }

    #[test]
    fn sums_of_products_are_read() {
        for present in [1, 64, 100, 128] {
            let mut domain = Domain::new();
            let (powers, blocks, lane) = hash(&mut domain, present);
            let sum = read(&domain, &powers, &blocks, &lane).unwrap();
            assert_eq!((sum.terms, sum.in_memory_order, sum.shift), ([(0, 2), (1, 1)].into_iter().collect(), false, 0));
        }
    }

    #[test]
    fn other_sums_are_refused() {
        for present in [1, 128] {
            let mut domain = Domain::new();
            let (powers, blocks, lane) = hash(&mut domain, present);
            let refused = |domain: &Domain, lane: &[Bit]| read(domain, &powers, &blocks, lane).is_err();
            for bit in [0, 1, 63, 64, 100, 127] {
                let mut other = lane.clone();
                other.swap(bit, (bit + 1) % 128);
                assert!(refused(&domain, &other), "bit {bit} and the next one");
                // An atom less: a diagonal, if all is there
                let (&last, rest) = domain.form(lane[bit]).split_last().unwrap();
                let (last, rest) = (last, rest.to_vec());
                other = lane.clone();
                other[bit] = domain.intern(&rest);
                assert!(refused(&domain, &other), "bit {bit} without {}", domain.show_atom(last));
                let product = domain.and(blocks[1][5], blocks[1][6]);
                other[bit] = domain.xor(lane[bit], product);
                assert!(refused(&domain, &other), "bit {bit} with another product");
            }
        }
    }
}
