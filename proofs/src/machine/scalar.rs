// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! General registers, flags, branches and the stack.
use super::length::PAGE;
use super::*;
use crate::integers::widened;

fn check_whole(r: Register) -> Result<()> {
    match r {
        Register::AH | Register::BH | Register::CH | Register::DH => Err("the second byte of a register".into()),
        _ => Ok(()),
    }
}

impl Machine {
    // ---- Words and operands ----

    /// A word as data.  Pointers and lengths are none.
    pub fn bits_of(&self, g: &Word) -> Result<[Bit; 64]> {
        match g {
            Word::Number(x) => Ok(bits(*x)),
            Word::Bits(b) => Ok(**b),
            Word::Length(o) => match self.length_as_data {
                Some((p, data)) if p == *o => Ok(data),
                _ => Err("a length as data".into()),
            },
            Word::Pointer(..) | Word::End(..) | Word::Amount(_) => Err("a pointer or an amount as data".into()),
        }
    }

    pub(super) fn word(&self, b: [Bit; 64]) -> Word {
        match self.domain.constant(&b) {
            Some(x) => Word::Number(x),
            None => Word::Bits(Box::new(b)),
        }
    }

    /// The lower n bits
    fn trunc(&self, g: Word, n: usize) -> Result<Word> {
        if n == 64 {
            return Ok(g);
        }
        match g {
            Word::Number(x) => Ok(Word::Number(x & ((1 << n) - 1))),
            Word::Pointer(..) | Word::End(..) => Err("part of a pointer".into()),
            Word::Length(o) if n == 32 && self.fits(o, n) => Ok(Word::Length(o)),
            Word::Length(_) | Word::Amount(_) => Err("part of a length".into()),
            Word::Bits(mut b) => {
                b[n..].fill(0);
                Ok(self.word(*b))
            }
        }
    }

    /// Operand n and its width in bits
    pub(super) fn read(&self, i: &Instruction, n: u32) -> Result<(Word, usize)> {
        match i.op_kind(n) {
            OpKind::Register => {
                let r = i.op_register(n);
                let sz = r.size() * 8;
                check_whole(r)?;
                Ok((self.trunc(self.regs[reg_index(r)].clone(), sz)?, sz))
            }
            OpKind::Memory => {
                let len = i.memory_size().size();
                Ok((self.load_word(self.addr(i)?, len)?, 8 * len))
            }
            _ => {
                let sz = if i.op0_kind() == OpKind::Memory { i.memory_size().size() * 8 } else { i.op0_register().size() * 8 };
                self.trunc(Word::Number(i.immediate(n)), sz.min(64)).map(|g| (g, sz))
            }
        }
    }

    /// To operand n.  A write to 32 bits of a register makes the others 0; one to 8 or 16 leaves them.
    pub(super) fn write(&mut self, i: &Instruction, n: u32, g: Word) -> Result<()> {
        match i.op_kind(n) {
            OpKind::Register => {
                let r = i.op_register(n);
                check_whole(r)?;
                let d = reg_index(r);
                self.regs[d] = match r.size() {
                    8 => g,
                    4 => self.trunc(g, 32)?,
                    s => {
                        let mut o = self.bits_of(&self.regs[d])?;
                        let b = self.bits_of(&g)?;
                        o[..8 * s].copy_from_slice(&b[..8 * s]);
                        self.word(o)
                    }
                };
                Ok(())
            }
            _ => {
                let at = self.addr(i)?;
                self.store_word(at, &g, i.memory_size().size())
            }
        }
    }

    // ---- Results and their flags ----

    /// The flags of a result of n bits: zero and sign, if they are known; all others aren't.
    fn set_zs(&mut self, r: &Word, n: usize) {
        self.flags = Flags::default();
        if let Word::Number(x) = r {
            let x = if n == 64 { *x } else { x & ((1 << n) - 1) };
            self.flags.z = Some(x == 0);
            self.flags.s = Some(x >> (n - 1) & 1 == 1)
        }
        if let Word::Bits(bits) = r {
            let others: Vec<Bit> = bits[..n].iter().copied().filter(|&bit| bit != 0).collect();
            let any = match others[..] {
                [bit] => Some(bit),
                // What a comparison of vectors answers; of other results nobody asks.
                [..] if others.len() <= 8 => Some(self.domain.differ(&others, &[0; 8])),
                _ => None,
            };
            self.flags.zsym = any.map(|any| self.domain.xor(any, 1))
        }
    }

    fn logic(&mut self, a: &Word, b: &Word, n: usize, f: fn(&mut Domain, Bit, Bit) -> Bit) -> Result<Word> {
        let (x, y) = (self.bits_of(a)?, self.bits_of(b)?);
        let r = std::array::from_fn(|i| f(&mut self.domain, x[i], y[i]));
        let r = self.word(r);
        self.set_zs(&r, n);
        self.flags.c = Some(false);
        self.flags.o = Some(false);
        Ok(r)
    }

    /// a + b or a - b, of n bits
    pub(super) fn addsub(&mut self, a: &Word, b: &Word, n: usize, sub: bool) -> Result<Word> {
        let m = if n == 64 { !0 } else { (1u64 << n) - 1 };
        let r = match (a, b) {
            (Word::Number(x), Word::Number(y)) => {
                let r = if sub { x.wrapping_sub(*y) } else { x.wrapping_add(*y) } & m;
                self.set_zs(&Word::Number(r), n);
                let top = |v: u64| v >> (n - 1) & 1 == 1;
                self.flags.c = Some(if sub { x < y } else { r < *x });
                self.flags.o = Some(if sub { top((x ^ y) & (x ^ r)) } else { top(!(x ^ y) & (x ^ r)) });
                return Ok(Word::Number(r));
            }
            (Word::Length(o), Word::Number(y)) | (Word::Number(y), Word::Length(o))
                if n >= 32 && (!sub || matches!(a, Word::Length(_))) =>
            {
                return self.add_to_length(*o, *y, n, sub);
            }
            (Word::Amount(_), _) | (_, Word::Amount(_)) if sub && n == 64 => return Ok(self.subtract_amounts(a, b)),
            (Word::Length(o), Word::Length(p)) if sub && n == 64 && o == p => return Ok(self.subtract_amounts(a, b)),
            (Word::End(..), _) | (_, Word::End(..)) | (Word::Pointer(..), Word::Length(_)) if n == 64 => {
                return self.addsub_end(a, b, sub)
            }
            (Word::Pointer(r, x), Word::Number(y)) if n == 64 => {
                Word::Pointer(*r, if sub { x.wrapping_sub(*y as i64) } else { x.wrapping_add(*y as i64) })
            }
            (Word::Number(y), Word::Pointer(r, x)) if n == 64 && !sub => Word::Pointer(*r, x.wrapping_add(*y as i64)),
            (Word::Pointer(r, x), Word::Pointer(s, y)) if sub && r == s => {
                let (x, y) = (*x, *y);
                self.flags = Flags::default();
                self.flags.z = Some(x == y);
                if x >= -PAGE && y >= -PAGE {
                    self.flags.c = Some(x < y)
                }
                return Ok(Word::Number(x.wrapping_sub(y) as u64));
            }
            _ if !sub && n == 64 && self.domain.integers => return self.add_integers(a, b, 0),
            _ if !sub => {
                let (x, y) = (self.bits_of(a)?, self.bits_of(b)?);
                let v = self.domain.add(&x[..n], &y[..n]);
                let mut o = [0; 64];
                o[..n].copy_from_slice(&v);
                self.word(o)
            }
            _ => return Err(format!("subtraction of {a:?} and {b:?}")),
        };
        self.flags = Flags::default();
        Ok(r)
    }

    /// a + b + carry, and the carry flag
    fn add_integers(&mut self, a: &Word, b: &Word, carry: Bit) -> Result<Word> {
        let (x, y) = (self.bits_of(a)?, self.bits_of(b)?);
        let sum = self.domain.plus(&[&x, &y, &[carry]]);
        self.flags = Flags::default();
        match sum.get(64) {
            None | Some(0) => self.flags.c = Some(false),
            bit => self.flags.csym = bit.copied(),
        }
        Ok(self.word(widened(&sum)))
    }

    /// a * b: the lower and the upper half
    fn multiply_integers(&mut self, a: &Word, b: &Word) -> Result<(Word, Word)> {
        let (x, y) = (self.bits_of(a)?, self.bits_of(b)?);
        let product = self.domain.times(&x, &y);
        Ok((self.word(widened(&product)), self.word(widened(product.get(64..).unwrap_or(&[])))))
    }

    /// The length that operand 0's register holds, all of it
    fn length_in(&self, i: &Instruction) -> Option<Word> {
        let word = (i.op0_kind() == OpKind::Register).then(|| &self.regs[reg_index(i.op0_register())]);
        word.filter(|w| matches!(w, Word::Length(_))).cloned()
    }

    fn flag(&self, f: Option<bool>, n: &str) -> Result<bool> {
        f.ok_or(format!("CONSTANT TIME: flag {n} depends on data"))
    }

    fn cond(&self, c: ConditionCode) -> Result<bool> {
        use ConditionCode as K;
        let f = &self.flags;
        Ok(match c {
            K::e => self.flag(f.z, "Z")?,
            K::ne => !self.flag(f.z, "Z")?,
            K::b => self.flag(f.c, "C")?,
            K::ae => !self.flag(f.c, "C")?,
            K::be => self.flag(f.c, "C")? | self.flag(f.z, "Z")?,
            K::a => !(self.flag(f.c, "C")? | self.flag(f.z, "Z")?),
            K::s => self.flag(f.s, "S")?,
            K::ns => !self.flag(f.s, "S")?,
            K::l => self.flag(f.s, "S")? != self.flag(f.o, "O")?,
            K::ge => self.flag(f.s, "S")? == self.flag(f.o, "O")?,
            _ => return Err(format!("condition {c:?}")),
        })
    }

    // ---- Instructions ----

    fn extend_sign(&mut self, i: &Instruction) -> Result<()> {
        let (word, len) = self.read(i, 1)?;
        let mut bits = self.bits_of(&word)?;
        let sign = bits[len - 1];
        bits[len..].fill(sign);
        let word = self.word(bits);
        self.write(i, 0, word)
    }

    /// The address, which may be a number as well; no flags.
    fn load_address(&mut self, i: &Instruction) -> Result<()> {
        if i.memory_base() == Register::RIP {
            let address = i.memory_displacement64();
            let (region, at) = match &self.code {
                Some((code, region)) if code.contains(&address) => (*region, address as i64),
                _ => self.constant_at(address)?,
            };
            return self.write(i, 0, Word::Pointer(region, at));
        }
        let flags = self.flags;
        let mut sum = Word::Number(i.memory_displacement64());
        for (register, scale) in [(i.memory_base(), 1), (i.memory_index(), i.memory_index_scale())] {
            if register == Register::None {
                continue;
            }
            if register.size() != 8 {
                return Err("32-bit address".into());
            }
            let word = self.regs[reg_index(register)].clone();
            for _ in 0..scale {
                sum = self.addsub(&sum, &word, 64, false)?
            }
        }
        self.flags = flags;
        self.write(i, 0, sum)
    }

    fn add_or_subtract(&mut self, i: &Instruction) -> Result<()> {
        let ((a, len), (b, _)) = (self.read(i, 0)?, self.read(i, 1)?);
        let result = self.addsub(&a, &b, len, i.mnemonic() != Mnemonic::Add)?;
        match i.mnemonic() {
            Mnemonic::Cmp => Ok(()),
            _ => self.write(i, 0, result),
        }
    }

    fn add_with_carry(&mut self, i: &Instruction) -> Result<()> {
        let ((a, _), (b, _)) = (self.read(i, 0)?, self.read(i, 1)?);
        let carry = match (self.flags.c, self.flags.csym) {
            (Some(carry), _) => carry as Bit,
            (None, Some(bit)) => bit,
            _ => return Err("the carry isn't known".into()),
        };
        let sum = self.add_integers(&a, &b, carry)?;
        self.write(i, 0, sum)
    }

    fn multiply_without_flags(&mut self, i: &Instruction) -> Result<()> {
        let (a, b) = (self.regs[RDX].clone(), self.read(i, 2)?.0);
        let (lower, upper) = self.multiply_integers(&a, &b)?;
        self.write(i, 1, lower)?;
        self.write(i, 0, upper)
    }

    /// mul: rdx:rax = rax times the operand.  No flag is of any use.
    fn multiply(&mut self, i: &Instruction) -> Result<()> {
        let (a, b) = (self.regs[RAX].clone(), self.read(i, 0)?.0);
        let (lower, upper) = self.multiply_integers(&a, &b)?;
        self.flags = Flags::default();
        self.regs[RAX] = lower;
        self.regs[RDX] = upper;
        Ok(())
    }

    fn multiply_lower(&mut self, i: &Instruction) -> Result<()> {
        let ((a, _), (b, _)) = (self.read(i, 0)?, self.read(i, 1)?);
        let (lower, _) = self.multiply_integers(&a, &b)?;
        self.flags = Flags::default();
        self.write(i, 0, lower)
    }

    /// inc and dec leave the carry.
    fn count(&mut self, i: &Instruction) -> Result<()> {
        let before = self.flags;
        let (a, len) = self.read(i, 0)?;
        let result = self.addsub(&a, &Word::Number(1), len, i.mnemonic() == Mnemonic::Dec)?;
        self.flags.c = before.c;
        self.flags.csym = before.csym;
        self.write(i, 0, result)
    }

    fn negate(&mut self, i: &Instruction) -> Result<()> {
        let (a, len) = self.read(i, 0)?;
        let result = self.addsub(&Word::Number(0), &a, len, true)?;
        self.write(i, 0, result)
    }

    fn not(&mut self, i: &Instruction) -> Result<()> {
        let flags = self.flags;
        let (a, len) = self.read(i, 0)?;
        let ones = self.trunc(Word::Number(!0), len)?;
        let result = self.logic(&a, &ones, len, Domain::xor)?;
        self.flags = flags;
        self.write(i, 0, result)
    }

    /// and, or, xor, test
    fn combine(&mut self, i: &Instruction, f: fn(&mut Domain, Bit, Bit) -> Bit) -> Result<()> {
        let m = i.mnemonic();
        if m == Mnemonic::Xor && form::same_register(i) {
            let zero = self.logic(&Word::Number(0), &Word::Number(0), 64, f)?; // whatever it holds
            return self.write(i, 0, zero);
        }
        let (mut a, len) = match self.length_in(i) {
            // A mask may leave only bits that are known.
            Some(length) if m == Mnemonic::And => (length, i.op0_register().size() * 8),
            _ => self.read(i, 0)?,
        };
        let (b, _) = self.read(i, 1)?;
        match (&a, &b, m) {
            (Word::Length(o), Word::Length(p), Mnemonic::Test) if o == p => {
                self.compare_length(*o, 0, len);
                return Ok(());
            }
            (Word::Length(o), Word::Number(y), Mnemonic::And | Mnemonic::Test) => {
                a = self.mask_length(*o, *y, len).ok_or("mask of a length")?;
                if let (Word::Length(o), Mnemonic::And) = (&a, m) {
                    self.compare_length(*o, 0, len);
                    return self.write(i, 0, a);
                }
            }
            (Word::Amount(_), _, Mnemonic::Test) if a == b => {
                self.flags = Flags { z: Some(false), by_amount: true, ..Flags::default() };
                return Ok(());
            }
            (Word::Pointer(r, x), Word::Number(y), Mnemonic::Test) if *y < self.constants_align(*r) => a = Word::Number(*x as u64),
            (Word::Pointer(_, x), _, Mnemonic::Test) => {
                // (a pointer to less than a page before a buffer isn't NULL)
                self.flags = Flags { z: (a == b && -PAGE < *x).then_some(false), ..Flags::default() };
                return Ok(());
            }
            _ => {}
        }
        let result = self.logic(&a, &b, len, f)?;
        match m {
            Mnemonic::Test => Ok(()),
            _ => self.write(i, 0, result),
        }
    }

    /// Addresses of constants are known modulo their section's alignment; other regions have none.
    fn constants_align(&self, region: u32) -> u64 {
        let region = &self.regions[region as usize];
        if region.base != 0 {
            region.align
        } else {
            0
        }
    }

    /// An operand that has to be a number: a count
    fn number(&self, i: &Instruction, n: u32) -> Result<usize> {
        match self.read(i, n)?.0 {
            Word::Number(number) => Ok(number as usize),
            _ => Err("CONSTANT TIME: a count depends on data".into()),
        }
    }

    /// shl, shr, sar
    fn shift(&mut self, i: &Instruction) -> Result<()> {
        let m = i.mnemonic();
        let (word, len) = self.read(i, 0)?;
        let count = self.number(i, 1)? & if len == 64 { 63 } else { 31 };
        if count == 0 {
            return self.write(i, 0, word); // the flags stay, but a 32-bit register's upper half doesn't
        }
        let bits = self.bits_of(&word)?;
        let (fill, out) = match m {
            Mnemonic::Shl => (0, len.checked_sub(count).map(|n| bits[n])),
            Mnemonic::Shr => (0, (count <= len).then(|| bits[count - 1])),
            _ => (bits[len - 1], (count <= len).then(|| bits[count - 1])),
        };
        let result = self.word(std::array::from_fn(|j| match m {
            _ if j >= len => 0,
            Mnemonic::Shl => j.checked_sub(count).map_or(0, |from| bits[from]),
            _ if j + count < len => bits[j + count],
            _ => fill,
        }));
        self.set_zs(&result, len);
        self.flags.c = out.filter(|&bit| bit < 2).map(|bit| bit == 1);
        self.write(i, 0, result)
    }

    /// rol by a constant.  Of the flags only carry and overflow are written, and nobody wants to know them.
    fn rotate_left(&mut self, i: &Instruction) -> Result<()> {
        let (word, len) = self.read(i, 0)?;
        let (bits, count) = (self.bits_of(&word)?, i.immediate(1) as usize % len);
        let result = self.word(std::array::from_fn(|j| if j < len { bits[(j + len - count) % len] } else { 0 }));
        self.flags = Flags { z: self.flags.z, zsym: self.flags.zsym, s: self.flags.s, ..Flags::default() };
        self.write(i, 0, result)
    }

    fn shift_without_flags(&mut self, i: &Instruction) -> Result<()> {
        let (word, len) = self.read(i, 1)?;
        let (bits, count) = (self.bits_of(&word)?, self.number(i, 2)? % len);
        let result = if i.mnemonic() == Mnemonic::Shrx {
            self.word(std::array::from_fn(|j| if j + count < len { bits[j + count] } else { 0 }))
        } else {
            self.word(std::array::from_fn(|j| if count <= j && j < len { bits[j - count] } else { 0 }))
        };
        self.write(i, 0, result)
    }

    fn shift_double_right(&mut self, i: &Instruction) -> Result<()> {
        let (lower, upper) = (self.read(i, 0)?.0, self.read(i, 1)?.0);
        let both = [self.bits_of(&lower)?, self.bits_of(&upper)?].concat();
        let count = i.immediate(2) as usize % 64;
        if count > 0 {
            self.flags = Flags::default()
        }
        let result = self.word(both[count..count + 64].try_into().unwrap());
        self.write(i, 0, result)
    }

    /// The lower bits, as many as operand 2 says
    fn zero_high(&mut self, i: &Instruction) -> Result<()> {
        let (word, len) = self.read(i, 1)?;
        let (mut bits, count) = (self.bits_of(&word)?, self.number(i, 2)? & 0xff);
        bits[count.min(len)..].fill(0);
        let result = self.word(bits);
        self.set_zs(&result, len);
        self.flags.c = Some(count >= len);
        self.flags.o = Some(false);
        self.write(i, 0, result)
    }

    /// Moves a bit to the carry, and leaves a 0.  Sign and overflow are undefined, zero stays.
    fn take_bit(&mut self, i: &Instruction) -> Result<()> {
        let len = self.read(i, 0)?.1;
        let (number, bit) = (self.number(i, 0)?, self.number(i, 1)? % len);
        self.flags = Flags { c: Some(number >> bit & 1 == 1), z: self.flags.z, zsym: self.flags.zsym, ..Flags::default() };
        self.write(i, 0, Word::Number((number & !(1 << bit)) as u64))
    }

    fn move_if(&mut self, i: &Instruction) -> Result<()> {
        if let (None, Some(zero), ConditionCode::e | ConditionCode::ne) = (self.flags.z, self.flags.zsym, i.condition_code()) {
            let condition = self.domain.xor(zero, (i.condition_code() == ConditionCode::ne) as Bit);
            let (old, new) = (self.bits_of(&self.read(i, 0)?.0)?, self.bits_of(&self.read(i, 1)?.0)?);
            let chosen = std::array::from_fn(|j| self.domain.select(condition, new[j], old[j]));
            let word = self.word(chosen);
            return self.write(i, 0, word);
        }
        let taken = self.cond(i.condition_code())?;
        let word = [self.read(i, 0)?, self.read(i, 1)?][taken as usize].0.clone();
        self.write(i, 0, word)
    }

    fn push_or_pop(&mut self, i: &Instruction) -> Result<()> {
        let (stack, top) = match self.regs[RSP] {
            Word::Pointer(stack, top) => (stack, top),
            _ => return Err("the stack pointer is none".into()),
        };
        if i.mnemonic() == Mnemonic::Push {
            let (word, _) = self.read(i, 0)?;
            self.regs[RSP] = Word::Pointer(stack, top - 8);
            return self.store_word((stack, top - 8), &word, 8);
        }
        let word = self.load_word((stack, top), 8)?;
        self.regs[RSP] = Word::Pointer(stack, top + 8);
        self.write(i, 0, word)
    }

    /// None: it isn't one of these.
    pub(super) fn step_scalar(&mut self, i: &Instruction) -> Result<Option<Next>> {
        use Mnemonic::*;
        let is_64_bit = i.op0_register().size() == 8;
        match i.mnemonic() {
            Endbr64 | Nop => {}
            // It reads nothing and never faults, but its address has to be public.  Relative to RIP it may be one of code.
            Prefetcht0 => {
                if i.memory_base() != Register::RIP {
                    self.addr(i)?;
                }
            }
            Jmp if i.op0_kind() == OpKind::NearBranch64 => return Ok(Some(Next::At(i.near_branch_target()))),
            _ if i.is_jcc_short_or_near() => {
                if self.cond(i.condition_code())? {
                    return Ok(Some(Next::At(i.near_branch_target())));
                }
            }
            Mov | Movzx => {
                let (word, _) = self.read(i, 1)?;
                self.write(i, 0, word)?
            }
            Xchg if i.op0_kind() == OpKind::Register && i.op1_kind() == OpKind::Register => {
                let (first, second) = (self.read(i, 0)?.0, self.read(i, 1)?.0);
                self.write(i, 0, second)?;
                self.write(i, 1, first)?
            }
            Movsxd | Movsx => self.extend_sign(i)?,
            Lea => self.load_address(i)?,
            Add | Sub | Cmp => self.add_or_subtract(i)?,
            Adc if is_64_bit => self.add_with_carry(i)?,
            Mulx if is_64_bit => self.multiply_without_flags(i)?,
            Mul if is_64_bit || i.memory_size() == MemorySize::UInt64 => self.multiply(i)?,
            Imul if is_64_bit && i.op_count() == 2 => self.multiply_lower(i)?,
            Inc | Dec => self.count(i)?,
            Neg => self.negate(i)?,
            Not => self.not(i)?,
            And | Test => self.combine(i, Domain::and)?,
            Or => self.combine(i, Domain::or)?,
            Xor => self.combine(i, Domain::xor)?,
            Shl | Shr | Sar => self.shift(i)?,
            Rol if i.op1_kind() == OpKind::Immediate8 && i.op0_register().size() == 4 => self.rotate_left(i)?,
            Shlx | Shrx => self.shift_without_flags(i)?,
            Shrd if is_64_bit && i.op2_kind() == OpKind::Immediate8 => self.shift_double_right(i)?,
            Bzhi => self.zero_high(i)?,
            Btr => self.take_bit(i)?,
            Cmove | Cmovne | Cmovb | Cmovae | Cmova | Cmovbe => self.move_if(i)?,
            Push | Pop => self.push_or_pop(i)?,
            _ => return Ok(None),
        }
        Ok(Some(Next::After))
    }
}
