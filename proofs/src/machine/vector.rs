// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Instructions on vector registers and masks.
use super::*;
use crate::integers::widened;

/// An instruction's vectors, in bits
#[derive(Clone, Copy)]
struct Shape {
    width: usize,
    /// What it computes on, and what masks and broadcasts count in
    element: usize,
}

impl Shape {
    fn of(i: &Instruction) -> Shape {
        use Mnemonic::*;
        let element = match i.mnemonic() {
            Vmovdqu8 | Vpshufb => 8,
            Vpxorq | Vpandq | Vporq | Vpternlogq | Vmovdqa64 | Vmovdqu64 | Vpaddq | Paddq | Vpsllq | Vpsrlq | Psllq | Psrlq
            | Vpsllvq | Vpsrlvq | Vpmuludq | Vpmadd52luq | Vpmadd52huq | Vpermq | Vpermi2q | Vpcompressq | Vpexpandq
            | Vpbroadcastq | Vpmovzxbq | Vpunpcklqdq | Vpunpckhqdq | Punpcklqdq | Punpckhqdq | Vextracti64x4 | Vinserti64x4
            | Valignq => 64,
            _ => 32,
        };
        let registers = (0..i.op_count()).filter(|&n| i.op_kind(n) == OpKind::Register).map(|n| i.op_register(n));
        let width = registers.filter(|r| r.is_vector_register()).map(|r| 8 * r.size()).max().unwrap_or(0);
        Shape { width, element }
    }

    /// Where its elements begin
    fn elements(self) -> impl Iterator<Item = usize> {
        (0..self.width).step_by(self.element)
    }

    /// A vector of that width, bit by bit
    fn each_bit(self, bit: impl Fn(usize) -> Bit) -> V {
        std::array::from_fn(|j| if j < self.width { bit(j) } else { 0 })
    }
}

/// One lane of 128 bits, or legacy SSE's and VEX's instructions on xmm registers
const LANE: usize = 128;
const XMM: Shape = Shape { width: LANE, element: 32 };

#[derive(Clone, Copy)]
enum Shift {
    Left,
    Right,
    /// With copies of the sign
    Arithmetic,
    RotateLeft,
}

/// Words of `len` bits, each shifted by its own number of places
fn shifted(vector: &V, shape: Shape, len: usize, how: Shift, counts: &[usize]) -> V {
    shape.each_bit(|j| {
        let (first, bit, count) = (j / len * len, j % len, counts[j / len]);
        match how {
            Shift::Left if bit >= count => vector[j - count],
            Shift::Right if bit + count < len => vector[j + count],
            Shift::Left | Shift::Right => 0,
            Shift::Arithmetic => vector[first + (bit + count).min(len - 1)],
            Shift::RotateLeft => vector[first + (bit + len - count % len) % len],
        }
    })
}

/// A sum that fits into its lane
fn whole_lane(sum: &[Bit]) -> Result<[Bit; 64]> {
    if sum.iter().skip(64).any(|&bit| bit != 0) {
        return Err("a sum may overflow its lane".into());
    }
    Ok(widened(sum))
}

fn immediate(i: &Instruction) -> usize {
    (i.immediate(i.op_count() - 1) & 0xff) as usize
}

fn mask_index(r: Register) -> usize {
    r as usize - Register::K0 as usize
}

fn is_memory(i: &Instruction, n: u32) -> bool {
    i.op_kind(n) == OpKind::Memory
}

impl Machine {
    // ---- Operands ----

    /// Which elements the instruction's mask selects; None: it has no mask.
    fn mask(&self, i: &Instruction, shape: Shape) -> Result<Option<Vec<bool>>> {
        if i.op_mask() == Register::None {
            return Ok(None);
        }
        let mask = &self.masks[mask_index(i.op_mask())][..shape.width / shape.element];
        let selected = mask.iter().map(|&bit| match bit {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err("mask depends on data".to_string()),
        });
        selected.collect::<Result<Vec<bool>>>().map(Some)
    }

    /// Operand n as a vector.  From memory comes only what the mask selects, or one element for all.
    fn source(&self, i: &Instruction, n: u32, shape: Shape) -> Result<V> {
        let Shape { width, element } = shape;
        let mut vector = [0; 512];
        match i.op_kind(n) {
            OpKind::Register if i.op_register(n).is_vector_register() => {
                vector[..width].copy_from_slice(&self.vectors[i.op_register(n).number()][..width])
            }
            OpKind::Register => {
                let (word, len) = self.read(i, n)?;
                vector[..len].copy_from_slice(&self.bits_of(&word)?[..len])
            }
            OpKind::Memory if i.is_broadcast() => {
                let loaded = self.load(self.addr(i)?, element / 8)?;
                vector = shape.each_bit(|j| loaded[j % element])
            }
            OpKind::Memory => match self.mask(i, shape)? {
                None => vector[..width].copy_from_slice(&self.load(self.addr(i)?, width / 8)?),
                Some(mask) => {
                    let (region, offset) = self.addr(i)?;
                    for (first, _) in shape.elements().zip(mask).filter(|(_, selected)| *selected) {
                        let loaded = self.load((region, offset + first as i64 / 8), element / 8)?;
                        vector[first..first + element].copy_from_slice(&loaded)
                    }
                }
            },
            _ => return Err("a vector operand that is an immediate".into()),
        }
        Ok(vector)
    }

    /// The last two operands that aren't immediates, or twice the only one.  Instructions with two operands compute on both (legacy
    /// SSE), or on the second alone.
    fn sources(&self, i: &Instruction, shape: Shape) -> Result<(V, V)> {
        let num = (0..i.op_count()).filter(|&n| matches!(i.op_kind(n), OpKind::Register | OpKind::Memory)).count() as u32;
        Ok((self.source(i, num.saturating_sub(2), shape)?, self.source(i, num - 1, shape)?))
    }

    /// Writes operand 0.  VEX and EVEX make all bits after the vector 0, legacy SSE leaves them.
    fn put(&mut self, i: &Instruction, vector: &V, shape: Shape) -> Result<()> {
        let Shape { width, element } = shape;
        let mask = self.mask(i, shape)?.unwrap_or_else(|| vec![true; width / element]);
        if is_memory(i, 0) {
            let (region, offset) = self.addr(i)?;
            if mask.iter().all(|&selected| selected) {
                return self.store((region, offset), &vector[..width]);
            }
            for (first, _) in shape.elements().zip(mask).filter(|(_, selected)| *selected) {
                self.store((region, offset + first as i64 / 8), &vector[first..first + element])?
            }
            return Ok(());
        }
        let register = i.op0_register().number();
        let old = self.vectors[register];
        self.upper_in_use |= width > LANE && register < 16;
        let mut new = if i.code().encoding() == EncodingKind::Legacy { old } else { [0; 512] };
        new[..width].copy_from_slice(&vector[..width]);
        for (first, _) in shape.elements().zip(mask).filter(|(_, selected)| !selected) {
            let range = first..first + element;
            if i.zeroing_masking() {
                new[range].fill(0)
            } else {
                new[range.clone()].copy_from_slice(&old[range])
            }
        }
        self.vectors[register] = new;
        Ok(())
    }

    /// Operand 0 = bits of the two sources, each as `bit` says for its place
    fn rearrange(&mut self, i: &Instruction, shape: Shape, bit: impl Fn(&V, &V, usize) -> Bit) -> Result<()> {
        let (a, b) = self.sources(i, shape)?;
        self.put(i, &shape.each_bit(|j| bit(&a, &b, j)), shape)
    }

    /// Operand 0 = a function of words of `len` bits of the two sources
    fn each_word<const N: usize>(
        &mut self,
        i: &Instruction,
        shape: Shape,
        f: impl Fn(&mut Machine, &[Bit], &[Bit]) -> Result<[Bit; N]>,
    ) -> Result<()> {
        let (a, b) = self.sources(i, shape)?;
        let mut result = [0; 512];
        for j in (0..shape.width).step_by(N) {
            result[j..j + N].copy_from_slice(&f(self, &a[j..j + N], &b[j..j + N])?)
        }
        self.put(i, &result, shape)
    }

    // ---- Moves ----

    fn move_mask(&mut self, i: &Instruction, len: usize) -> Result<()> {
        let mut mask = if i.op_kind(1) == OpKind::Register && i.op1_register().is_k() {
            self.masks[mask_index(i.op1_register())]
        } else {
            self.bits_of(&self.read(i, 1)?.0)?
        };
        mask[len..].fill(0);
        if i.op0_kind() == OpKind::Register && i.op0_register().is_k() {
            self.masks[mask_index(i.op0_register())] = mask;
            return Ok(());
        }
        let word = self.word(mask);
        self.write(i, 0, word)
    }

    fn shift_mask(&mut self, i: &Instruction) -> Result<()> {
        let mask = self.masks[mask_index(i.op1_register())];
        let count = i.immediate8() as usize;
        let shifted = std::array::from_fn(|j| if j + count < 64 { mask[j + count] } else { 0 });
        self.masks[mask_index(i.op0_register())] = shifted;
        Ok(())
    }

    fn move_vector(&mut self, i: &Instruction, shape: Shape) -> Result<()> {
        let vector = self.source(i, 1, shape)?;
        self.put(i, &vector, shape)
    }

    /// `len` bits to or from an xmm register, of which the rest gets 0
    fn move_word(&mut self, i: &Instruction, len: usize) -> Result<()> {
        let mut vector = [0; 512];
        let loaded = if is_memory(i, 1) { self.load(self.addr(i)?, len / 8)? } else { self.source(i, 1, XMM)?.to_vec() };
        vector[..len].copy_from_slice(&loaded[..len]);
        if i.op0_kind() == OpKind::Register && i.op0_register().is_vector_register() {
            return self.put(i, &vector, XMM);
        }
        let word = self.word(widened(&vector[..64]));
        self.write(i, 0, word)
    }

    fn move_upper_half(&mut self, i: &Instruction) -> Result<()> {
        if is_memory(i, 0) {
            let vector = self.source(i, 1, XMM)?;
            return self.store(self.addr(i)?, &vector[64..128]);
        }
        let mut vector = self.source(i, i.op_count() - 2, XMM)?;
        vector[64..128].copy_from_slice(&self.load(self.addr(i)?, 8)?);
        self.put(i, &vector, XMM)
    }

    fn extract_quad(&mut self, i: &Instruction) -> Result<()> {
        let first = 64 * (immediate(i) & 1);
        let word = self.word(widened(&self.source(i, 1, XMM)?[first..first + 64]));
        self.write(i, 0, word)
    }

    fn insert_word(&mut self, i: &Instruction, len: usize) -> Result<()> {
        let last = i.op_count() - 2; // before the immediate
        let mut vector = self.source(i, last - 1, XMM)?;
        let first = len * (immediate(i) % (LANE / len));
        let word = self.bits_of(&self.read(i, last)?.0)?;
        vector[first..first + len].copy_from_slice(&word[..len]);
        self.put(i, &vector, XMM)
    }

    /// Operand 0 = copies of the first `len` bits of operand 1
    fn broadcast(&mut self, i: &Instruction, shape: Shape, len: usize) -> Result<()> {
        let source = if is_memory(i, 1) { self.load(self.addr(i)?, len / 8)? } else { self.source(i, 1, XMM)?.to_vec() };
        self.put(i, &shape.each_bit(|j| source[j % len]), shape)
    }

    fn insert_part(&mut self, i: &Instruction, shape: Shape, len: usize) -> Result<()> {
        let mut vector = self.source(i, 1, shape)?;
        let part = self.source(i, 2, Shape { width: len, ..shape })?;
        let first = len * (immediate(i) % (shape.width / len));
        vector[first..first + len].copy_from_slice(&part[..len]);
        self.put(i, &vector, shape)
    }

    fn extract_part(&mut self, i: &Instruction, shape: Shape, len: usize) -> Result<()> {
        let from = Shape { width: 8 * i.op1_register().size(), ..shape };
        let vector = self.source(i, 1, from)?;
        let first = len * (immediate(i) % (from.width / len));
        let mut part = [0; 512];
        part[..len].copy_from_slice(&vector[first..first + len]);
        self.put(i, &part, Shape { width: len, ..shape })
    }

    /// Elements that a mask selects get the next ones from memory.  What isn't wanted isn't read.
    fn expand(&mut self, i: &Instruction, shape: Shape) -> Result<()> {
        let mask = self.mask(i, shape)?.ok_or("expand without a mask")?;
        if !is_memory(i, 1) || !i.zeroing_masking() {
            return Err("expand, but not from memory, or not with zeros".into());
        }
        let selected: Vec<usize> = shape.elements().zip(mask).filter(|(_, selected)| *selected).map(|(first, _)| first).collect();
        let packed = self.load(self.addr(i)?, selected.len() * shape.element / 8)?;
        let mut vector = [0; 512];
        for (word, first) in packed.chunks(shape.element).zip(selected) {
            vector[first..first + shape.element].copy_from_slice(word)
        }
        self.put(i, &vector, shape)
    }

    /// The opposite; zeros after them.
    fn compress(&mut self, i: &Instruction, shape: Shape) -> Result<()> {
        let mask = self.mask(i, shape)?.ok_or("compress without a mask")?;
        if is_memory(i, 0) || !i.zeroing_masking() {
            return Err("compress, but not to a register, or not with zeros".into());
        }
        let source = self.source(i, 1, shape)?;
        let selected = shape.elements().zip(mask).filter(|(_, selected)| *selected);
        let packed: Vec<Bit> = selected.flat_map(|(first, _)| source[first..first + shape.element].to_vec()).collect();
        let mut vector = [0; 512];
        vector[..packed.len()].copy_from_slice(&packed);
        let register = i.op0_register().number();
        self.upper_in_use |= shape.width > LANE && register < 16;
        self.vectors[register] = vector;
        Ok(())
    }

    // ---- Logic and arithmetic ----

    fn logic_of_vectors(&mut self, i: &Instruction, shape: Shape, f: fn(&mut Domain, Bit, Bit) -> Bit) -> Result<()> {
        let (a, b) = self.sources(i, shape)?;
        let mut result = [0; 512];
        for j in 0..shape.width {
            result[j] = f(&mut self.domain, a[j], b[j])
        }
        self.put(i, &result, shape)
    }

    /// Any function of three bits: bit 4a + 2b + c of the immediate is f(a, b, c).  Turned into its algebraic normal form, bit n
    /// says whether the product of those of a, b, c that have a 1 in n is a term of f's sum.
    fn ternary_logic(&mut self, i: &Instruction, shape: Shape) -> Result<()> {
        let (a, (b, c)) = (self.source(i, 0, shape)?, self.sources(i, shape)?);
        let mut terms = immediate(i);
        for variable in [1, 2, 4] {
            for n in (0..8).filter(|n| n & variable != 0) {
                terms ^= (terms >> (n ^ variable) & 1) << n
            }
        }
        let mut result = [0; 512];
        for j in 0..shape.width {
            for n in (0..8).filter(|n| terms >> n & 1 == 1) {
                let factors = [(4, a[j]), (2, b[j]), (1, c[j])].into_iter().filter(|(variable, _)| n & variable != 0);
                let product = factors.fold(1, |product, (_, bit)| self.domain.and(product, bit));
                result[j] = self.domain.xor(result[j], product)
            }
        }
        self.put(i, &result, shape)
    }

    fn add_quads(&mut self, a: &[Bit], b: &[Bit]) -> Result<[Bit; 64]> {
        if self.domain.integers {
            whole_lane(&self.domain.plus(&[a, b]))
        } else {
            Ok(widened(&self.domain.add(a, b)))
        }
    }

    /// Operand 0 += the lower or upper 52 bits of products of 52 bits
    fn multiply_add_52(&mut self, i: &Instruction, shape: Shape, upper: bool) -> Result<()> {
        let (sum, (a, b)) = (self.source(i, 0, shape)?, self.sources(i, shape)?);
        let mut result = [0; 512];
        for j in shape.elements() {
            let mut product = self.domain.times(&a[j..j + 52], &b[j..j + 52]);
            product.resize(104, 0);
            let half = if upper { &product[52..] } else { &product[..52] };
            let total = self.domain.plus(&[&sum[j..j + 64], half]);
            result[j..j + 64].copy_from_slice(&whole_lane(&total)?)
        }
        self.put(i, &result, shape)
    }

    fn shift_words(&mut self, i: &Instruction, shape: Shape, how: Shift) -> Result<()> {
        if i.op_kind(i.op_count() - 1) != OpKind::Immediate8 {
            return Err("shift by a register".into());
        }
        let (_, source) = self.sources(i, shape)?;
        let counts = [immediate(i); 16];
        self.put(i, &shifted(&source, shape, shape.element, how, &counts), shape)
    }

    fn shift_lanes(&mut self, i: &Instruction, shape: Shape, how: Shift) -> Result<()> {
        let (_, source) = self.sources(i, shape)?;
        let counts = [8 * immediate(i).min(16); 4];
        self.put(i, &shifted(&source, shape, LANE, how, &counts), shape)
    }

    fn shift_each(&mut self, i: &Instruction, shape: Shape, how: Shift) -> Result<()> {
        let (source, counts) = self.sources(i, shape)?;
        let number = |j: usize| self.domain.constant(&counts[j..j + shape.element]).ok_or("shift count depends on data");
        let counts: Vec<usize> = shape.elements().map(|j| Ok(number(j)?.min(64) as usize)).collect::<Result<_>>()?;
        self.put(i, &shifted(&source, shape, shape.element, how, &counts), shape)
    }

    /// A mask of the quadwords that are equal, or of those that aren't
    fn compare_quads(&mut self, i: &Instruction, shape: Shape) -> Result<()> {
        let not_equal = immediate(i) == 4;
        let (a, b) = self.sources(i, shape)?;
        let mut mask = [0; 64];
        for (n, j) in (0..shape.width).step_by(64).enumerate() {
            let differ = self.domain.differ(&a[j..j + 64], &b[j..j + 64]);
            mask[n] = self.domain.xor(differ, !not_equal as Bit)
        }
        self.masks[mask_index(i.op0_register())] = mask;
        Ok(())
    }

    /// .. to a vector: all bits of an element, or none
    fn equal<const N: usize>(&mut self, i: &Instruction, shape: Shape) -> Result<()> {
        self.each_word::<N>(i, shape, |m, a, b| {
            let differ = m.domain.differ(a, b);
            Ok([m.domain.xor(differ, 1); N])
        })
    }

    /// Each element's sign
    fn move_signs(&mut self, i: &Instruction, shape: Shape, element: usize) -> Result<()> {
        let vector = self.source(i, 1, shape)?;
        let mut signs = [0; 64];
        for (n, j) in (0..shape.width).step_by(element).enumerate() {
            signs[n] = vector[j + element - 1]
        }
        let word = self.word(signs);
        self.write(i, 0, word)
    }

    // ---- Shuffles ----

    /// Of an index, bits 0 to 3 are a place; whether bit 7 makes a zero may depend on data.
    fn shuffle_bytes(&mut self, i: &Instruction, shape: Shape) -> Result<()> {
        let (source, control) = self.sources(i, shape)?;
        let mut result = [0; 512];
        for j in (0..shape.width).step_by(8) {
            let not_zero = self.domain.xor(control[j + 7], 1);
            if not_zero == 0 {
                continue;
            }
            let from = self.domain.constant(&control[j..j + 4]).ok_or("shuffle by data")? as usize;
            let first = j / LANE * LANE + 8 * from;
            for bit in 0..8 {
                result[j + bit] = self.domain.and(not_zero, source[first + bit])
            }
        }
        self.put(i, &result, shape)
    }

    /// Operand 0 has the places to take elements from, in the two others
    fn permute_two(&mut self, i: &Instruction, shape: Shape) -> Result<()> {
        let (places, (a, b)) = (self.source(i, 0, shape)?, self.sources(i, shape)?);
        let num = shape.width / shape.element;
        let mut result = [0; 512];
        for j in shape.elements() {
            let place = self.domain.constant(&places[j..j + shape.element]).ok_or("permutation by data")? as usize % (2 * num);
            let (from, first) = (if place < num { &a } else { &b }, place % num * shape.element);
            result[j..j + shape.element].copy_from_slice(&from[first..first + shape.element])
        }
        self.put(i, &result, shape)
    }

    fn widen_bytes(&mut self, i: &Instruction, shape: Shape) -> Result<()> {
        let len = shape.width / 8;
        let bytes = if is_memory(i, 1) { self.load(self.addr(i)?, len / 8)? } else { self.source(i, 1, XMM)?.to_vec() };
        self.put(i, &shape.each_bit(|j| if j % 64 < 8 { bytes[j / 64 * 8 + j % 64] } else { 0 }), shape)
    }

    // ---- AES, products without carries ----

    fn aes_round(&mut self, i: &Instruction, shape: Shape, op: Op) -> Result<()> {
        self.each_word(i, shape, |m, state, key| {
            Ok::<[Bit; LANE], String>(m.domain.aes_round(op, state, key).try_into().expect("a block"))
        })
    }

    fn last_aes_round(&mut self, i: &Instruction, shape: Shape, round: fn(&mut Machine, &[Bit]) -> Vec<Bit>) -> Result<()> {
        self.each_word(i, shape, |m, state, key| {
            let state = round(m, state);
            Ok::<[Bit; LANE], String>(std::array::from_fn(|j| m.domain.xor(state[j], key[j])))
        })
    }

    /// ShiftRows and SubBytes.  Byte r of a column comes from the column r places on; the S-box is an uninterpreted function, which
    /// is how key expansion, too, can be written over it.
    fn substituted(&mut self, state: &[Bit]) -> Vec<Bit> {
        let from = |byte: usize| 8 * ((byte + 4 * (byte % 4)) % 16);
        (0..16).flat_map(|byte| self.domain.node(Op::SBox, &state[from(byte)..from(byte) + 8], 8, "")).collect()
    }
    /// InvMixColumns on a column: a row's byte is the sum of all four, times 14 (its own), 11, 13 and 9.  Doubled bytes come back
    /// with 0x1b for the bit that leaves them.
    fn inv_mix_column(&mut self, column: &[Bit]) -> [Bit; 32] {
        let mut mixed = [0; 32];
        for from in 0..4 {
            let mut byte: [Bit; 8] = column[8 * from..8 * from + 8].try_into().unwrap();
            for power in 0..4 {
                for (distance, factor) in [14, 9, 13, 11].into_iter().enumerate() {
                    let to = 8 * ((from + distance) % 4);
                    for bit in (0..8).filter(|_| factor >> power & 1 == 1) {
                        mixed[to + bit] = self.domain.xor(mixed[to + bit], byte[bit]);
                    }
                }
                byte = std::array::from_fn(|bit| {
                    let below = if bit == 0 { 0 } else { byte[bit - 1] };
                    self.domain.xor(below, if 0x1b >> bit & 1 == 1 { byte[7] } else { 0 })
                });
            }
        }
        mixed
    }

    fn inv_mix_columns(&mut self, i: &Instruction) -> Result<()> {
        let state = self.source(i, 1, XMM)?;
        let mut mixed = [0; 512];
        for column in (0..LANE).step_by(32) {
            mixed[column..column + 32].copy_from_slice(&self.inv_mix_column(&state[column..column + 32]))
        }
        self.put(i, &mixed, XMM)
    }

    fn carryless_products(&mut self, i: &Instruction, shape: Shape) -> Result<()> {
        let choice = immediate(i);
        let (upper_a, upper_b) = (choice & 1 != 0, choice & 16 != 0);
        self.each_word::<LANE>(i, shape, |m, x, y| Ok(m.product((x, upper_a), (y, upper_b)).try_into().unwrap()))
    }

    fn zero_from(&mut self, bit: usize) {
        self.upper_in_use = false;
        for vector in &mut self.vectors[..16] {
            vector[bit..].fill(0)
        }
    }

    /// false: it isn't one of these.
    pub(super) fn step_vector(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic::*;
        let m = i.mnemonic();
        let shape = Shape::of(i);
        let Shape { width, element } = shape;
        let last = || immediate(i);
        match m {
            Kmovq => self.move_mask(i, 64)?,
            Kmovd => self.move_mask(i, 32)?,
            Kmovw => self.move_mask(i, 16)?,
            Kmovb => self.move_mask(i, 8)?,
            Kshiftrq => self.shift_mask(i)?,
            Movdqa | Movdqu | Vmovdqa | Vmovdqu | Vmovdqa64 | Vmovdqa32 | Vmovdqu64 | Vmovdqu32 | Vmovdqu8 | Movups | Movaps => {
                self.move_vector(i, shape)?
            }
            Movq | Vmovq => self.move_word(i, 64)?,
            Movd | Vmovd => self.move_word(i, 32)?,
            Movhps | Vmovhps => self.move_upper_half(i)?,
            Movhlps => self.rearrange(i, shape, |a, b, j| if j < 64 { b[64 + j] } else { a[j] })?,
            Vpextrq | Pextrq => self.extract_quad(i)?,
            Vpinsrd | Pinsrd => self.insert_word(i, 32)?,
            Vpinsrq => self.insert_word(i, 64)?,
            Vbroadcasti128 | Vbroadcasti32x4 | Vbroadcasti64x2 => self.broadcast(i, shape, LANE)?,
            Vbroadcasti64x4 | Vbroadcasti32x8 => self.broadcast(i, shape, 2 * LANE)?,
            Vpbroadcastd | Vpbroadcastq => self.broadcast(i, shape, element)?,
            Vinserti128 | Vinserti32x4 | Vinserti64x2 => self.insert_part(i, shape, LANE)?,
            Vinserti64x4 => self.insert_part(i, shape, 2 * LANE)?,
            Vextracti128 | Vextracti32x4 | Vextracti64x2 => self.extract_part(i, shape, LANE)?,
            Vextracti64x4 => self.extract_part(i, shape, 2 * LANE)?,
            Vpexpandq => self.expand(i, shape)?,
            Vpcompressq => self.compress(i, shape)?,

            Pxor | Vpxor | Vpxord | Vpxorq => self.logic_of_vectors(i, shape, Domain::xor)?,
            Por | Vpor | Vpord | Vporq => self.logic_of_vectors(i, shape, Domain::or)?,
            Pand | Vpand | Vpandd | Vpandq => self.logic_of_vectors(i, shape, Domain::and)?,
            Pandn | Vpandn => self.logic_of_vectors(i, shape, |domain, a, b| {
                let not_a = domain.xor(a, 1);
                domain.and(not_a, b)
            })?,
            Vpternlogd | Vpternlogq => self.ternary_logic(i, shape)?,

            Paddd | Vpaddd => self.each_word::<32>(i, shape, |m, a, b| Ok(m.domain.add(a, b).try_into().unwrap()))?,
            Paddq | Vpaddq => self.each_word(i, shape, Machine::add_quads)?,
            Vpmuludq => self.each_word(i, shape, |m, a, b| Ok(widened(&m.domain.times(&a[..32], &b[..32]))))?,
            Vpmadd52luq => self.multiply_add_52(i, shape, false)?,
            Vpmadd52huq => self.multiply_add_52(i, shape, true)?,

            Vpcmpq | Vpcmpuq if i.op_mask() == Register::None && matches!(last(), 0 | 4) => self.compare_quads(i, shape)?,
            Pcmpeqd | Vpcmpeqd if i.op0_register().is_vector_register() => self.equal::<32>(i, shape)?,
            Vpcmpeqq if i.op0_register().is_vector_register() => self.equal::<64>(i, shape)?,
            Movmskps | Vmovmskps => self.move_signs(i, shape, 32)?,
            Vmovmskpd => self.move_signs(i, shape, 64)?,

            Pslld | Psllq | Vpslld | Vpsllq => self.shift_words(i, shape, Shift::Left)?,
            Psrld | Psrlq | Vpsrld | Vpsrlq => self.shift_words(i, shape, Shift::Right)?,
            Psrad | Vpsrad => self.shift_words(i, shape, Shift::Arithmetic)?,
            Vprold => self.shift_words(i, shape, Shift::RotateLeft)?,
            Vpsllvq => self.shift_each(i, shape, Shift::Left)?,
            Vpsrlvq => self.shift_each(i, shape, Shift::Right)?,
            Pslldq | Vpslldq => self.shift_lanes(i, shape, Shift::Left)?,
            Psrldq | Vpsrldq => self.shift_lanes(i, shape, Shift::Right)?,

            Pshufb | Vpshufb => self.shuffle_bytes(i, shape)?,
            Pshufd | Vpshufd => {
                let from = |j: usize| j / LANE * LANE + 32 * (last() >> (2 * (j / 32 % 4)) & 3) + j % 32;
                self.rearrange(i, shape, |_, b, j| b[from(j)])?
            }
            Shufps | Vshufps => {
                let from = |j: usize| j / LANE * LANE + 32 * (last() >> (2 * (j / 32 % 4)) & 3) + j % 32;
                self.rearrange(i, shape, |a, b, j| (if j % LANE < 64 { a } else { b })[from(j)])?
            }
            Vshufi32x4 | Vshufi64x2 => {
                let (half, bits) = (width / 2, width / 256); // of the immediate, for each lane
                let from = |j: usize| LANE * (last() >> (bits * (j / LANE)) & (2 * bits - 1)) + j % LANE;
                self.rearrange(i, shape, |a, b, j| (if j < half { a } else { b })[from(j)])?
            }
            Vperm2i128 => self.rearrange(i, shape, |a, b, j| match last() >> (4 * (j / LANE)) & 15 {
                choice if choice & 8 != 0 => 0,
                choice => (if choice & 2 == 0 { a } else { b })[LANE * (choice & 1) + j % LANE],
            })?,
            Punpckldq | Punpcklqdq | Vpunpckldq | Vpunpcklqdq | Punpckhdq | Punpckhqdq | Vpunpckhdq | Vpunpckhqdq => {
                let upper = matches!(m, Punpckhdq | Punpckhqdq | Vpunpckhdq | Vpunpckhqdq);
                let from = |j: usize| {
                    let (lane, bit) = (j / LANE * LANE, j % LANE);
                    lane + if upper { 64 } else { 0 } + bit / (2 * element) * element + bit % element
                };
                self.rearrange(i, shape, |a, b, j| (if j / element % 2 == 0 { a } else { b })[from(j)])?
            }
            Vpermq if i.op_kind(2) == OpKind::Immediate8 => {
                let from = |j: usize| j / 256 * 256 + 64 * (last() >> (2 * (j / 64 % 4)) & 3) + j % 64;
                self.rearrange(i, shape, |_, b, j| b[from(j)])?
            }
            Vpermi2q => self.permute_two(i, shape)?,
            Valignq => {
                let distance = element * (last() % (width / element));
                self.rearrange(i, shape, |a, b, j| if j + distance < width { b[j + distance] } else { a[j + distance - width] })?
            }
            Palignr | Vpalignr => {
                let distance = 8 * last();
                self.rearrange(i, shape, |a, b, j| match (j / LANE * LANE, j % LANE + distance) {
                    (lane, from) if from < LANE => b[lane + from],
                    (lane, from) if from < 2 * LANE => a[lane + from - LANE],
                    _ => 0,
                })?
            }
            Vpblendd => self.rearrange(i, shape, |a, b, j| (if last() >> (j / 32) & 1 == 0 { a } else { b })[j])?,
            Vpmovzxbq => self.widen_bytes(i, shape)?,

            Aesenc | Vaesenc => self.aes_round(i, shape, Op::AesEnc)?,
            Aesenclast | Vaesenclast => self.last_aes_round(i, shape, Machine::substituted)?,
            Aesdec | Vaesdec => self.aes_round(i, shape, Op::AesDec)?,
            Aesdeclast | Vaesdeclast => self.last_aes_round(i, shape, |m, state| m.domain.node(Op::AesDecLast, state, LANE, ""))?,
            Aesimc => self.inv_mix_columns(i)?,
            Pclmulqdq | Vpclmulqdq => self.carryless_products(i, shape)?,

            Vzeroupper => self.zero_from(LANE),
            Vzeroall => self.zero_from(0),
            _ => return Ok(false),
        }
        Ok(true)
    }
}
