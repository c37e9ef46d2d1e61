// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Memory: regions of bytes, and the rules of access to them.
//!
//! A region is an object that the contract names: a buffer, a key, a table, the stack.  An address is a region and an offset, and
//! an access outside of it is an error, whatever may lie next to it.  So are
//!
//! - a store to what is only to be read, such as constants,
//! - an access below the stack pointer, and to the return address and the caller's stack after it, which are in no region,
//! - an address that depends on data, or has no region,
//! - a wrong alignment, where the instruction wants one.
//!
//! A pointer in memory stays a pointer: who loads all of its 8 bytes gets it back.  Who loads a part of it gets variables that
//! nobody knows.  A store to a part of it leaves no pointer there.
use super::*;

pub struct Region {
    pub name: String,
    pub bytes: Vec<[Bit; 8]>,
    /// Words that aren't bits, by their offsets
    pub pointers: FxHashMap<i64, Word>,
    pub writable: bool,
    /// Address 0 is aligned to that.
    pub align: u64,
    /// The offset that the first byte has: 0, or its address in the image for read-only data of that
    pub base: i64,
}

/// Region and offset
pub type Address = (u32, i64);

#[derive(Clone, Copy, PartialEq)]
enum Access {
    Load,
    Store,
}

impl Machine {
    /// A region of variables that nothing else has
    pub fn region(&mut self, name: &str, len: usize, writable: bool, align: u64) -> u32 {
        assert!(self.regions.iter().all(|region| region.name != name), "two regions {name}");
        let variables = self.domain.named(name, 8 * len);
        let bytes = variables.chunks(8).map(|byte| byte.try_into().unwrap()).collect();
        self.add_region(Region { name: name.into(), bytes, pointers: Default::default(), writable, align, base: 0 })
    }

    /// Read-only data
    pub fn region_of(&mut self, name: &str, data: &[u8], base: i64, align: u64) -> u32 {
        let bytes = data.iter().map(|&byte| bits(byte.into())[..8].try_into().unwrap()).collect();
        self.add_region(Region { name: name.into(), bytes, pointers: Default::default(), writable: false, align, base })
    }

    fn add_region(&mut self, region: Region) -> u32 {
        self.regions.push(region);
        self.regions.len() as u32 - 1
    }

    // What a call begins with, before any instruction: no rules

    pub fn poke(&mut self, region: u32, offset: usize, number: u64, len: usize) {
        self.poke_bits(region, offset, &bits(number)[..8 * len])
    }

    pub fn poke_ptr(&mut self, region: u32, offset: i64, word: Word) {
        self.regions[region as usize].pointers.insert(offset, word);
    }

    pub fn poke_bits(&mut self, region: u32, offset: usize, bits: &[Bit]) {
        for (byte, bits) in self.regions[region as usize].bytes[offset..].iter_mut().zip(bits.chunks(8)) {
            byte.copy_from_slice(bits)
        }
    }

    pub fn bytes(&self, region: u32, offset: usize, len: usize) -> Vec<Bit> {
        self.regions[region as usize].bytes[offset..offset + len].concat()
    }

    // Accesses of instructions

    /// The index of an access' first byte, if it follows the rules
    fn check(&self, (number, offset): Address, len: usize, access: Access) -> Result<usize> {
        let region = self.regions.get(number as usize).ok_or("no such region")?;
        let what = || {
            let access = if access == Access::Load { "load" } else { "store" };
            format!("{access} of {len} bytes at {}{offset:+}", region.name)
        };
        let end = region.base + region.bytes.len() as i64;
        if offset < region.base || offset > end - len as i64 {
            return Err(format!("{} out of bounds ({} bytes)", what(), region.bytes.len()));
        }
        if access == Access::Store && !region.writable {
            return Err(format!("{}, which is read-only", what()));
        }
        match self.regs[RSP] {
            Word::Pointer(stack, top) if stack == number && offset < top => Err(format!("{} below the stack pointer", what())),
            _ => Ok((offset - region.base) as usize),
        }
    }

    pub(super) fn load(&self, at: Address, len: usize) -> Result<Vec<Bit>> {
        let first = self.check(at, len, Access::Load)?;
        Ok(self.regions[at.0 as usize].bytes[first..first + len].concat())
    }

    pub(super) fn store(&mut self, at: Address, bits: &[Bit]) -> Result<()> {
        let len = bits.len() / 8;
        let first = self.check(at, len, Access::Store)?;
        self.regions[at.0 as usize].pointers.retain(|&pointer, _| pointer + 8 <= at.1 || at.1 + len as i64 <= pointer);
        self.poke_bits(at.0, first, bits);
        Ok(())
    }

    /// The word of a general register from memory
    pub(super) fn load_word(&self, at: Address, len: usize) -> Result<Word> {
        let loaded = self.load(at, len)?;
        match self.regions[at.0 as usize].pointers.get(&at.1) {
            Some(word) if len == 8 => Ok(word.clone()),
            _ => {
                let mut bits = [0; 64];
                bits[..8 * len].copy_from_slice(&loaded);
                Ok(self.word(bits))
            }
        }
    }

    pub(super) fn store_word(&mut self, at: Address, word: &Word, len: usize) -> Result<()> {
        if matches!(word, Word::Number(_) | Word::Bits(_)) {
            let bits = self.bits_of(word)?;
            return self.store(at, &bits[..8 * len]);
        }
        if len != 8 {
            return Err("a part of a pointer or length is stored".into());
        }
        let unknown = self.domain.vars("pointer's bytes", 64); // to nobody a secret
        self.public.extend(&unknown);
        self.store(at, &unknown)?;
        self.poke_ptr(at.0, at.1, word.clone());
        Ok(())
    }

    // Addresses

    /// A memory operand's
    pub(super) fn addr(&self, i: &Instruction) -> Result<Address> {
        if matches!(i.memory_segment(), Register::FS | Register::GS) {
            return Err("a segment".into());
        }
        if i.memory_base() == Register::RIP {
            return self.constant_at(i.memory_displacement64());
        }
        let mut region = None;
        let mut offset = i.memory_displacement64() as i64;
        for (register, scale) in [(i.memory_base(), 1), (i.memory_index(), i.memory_index_scale() as i64)] {
            if register == Register::None {
                continue;
            }
            if register.size() != 8 {
                return Err("32-bit address".into());
            }
            match &self.regs[reg_index(register)] {
                Word::Number(x) => offset = offset.wrapping_add((*x as i64).wrapping_mul(scale)),
                Word::Pointer(to, x) if scale == 1 && region.is_none() => {
                    region = Some(*to);
                    offset = offset.wrapping_add(*x)
                }
                Word::Pointer(..) => return Err("two pointers in an address".into()),
                Word::Length(_) | Word::End(..) | Word::Amount(_) => return Err("address of unknown length".into()),
                Word::Bits(_) => return Err(format!("CONSTANT TIME: address depends on {register:?}")),
            }
        }
        Ok((region.ok_or("address without a pointer")?, offset))
    }

    /// Where the image's read-only data at that address is
    pub(super) fn constant_at(&self, address: u64) -> Result<Address> {
        let has = |region: &Region| (region.base..region.base + region.bytes.len() as i64).contains(&(address as i64));
        let found = self.regions.iter().position(|region| region.base != 0 && has(region));
        Ok((found.ok_or_else(|| format!("nothing at {address:x}"))? as u32, address as i64))
    }

    pub(super) fn check_aligned(&self, i: &Instruction, align: usize) -> Result<()> {
        let (number, offset) = self.addr(i)?;
        let region = &self.regions[number as usize];
        if offset as u64 % align as u64 != 0 || region.align < align as u64 {
            return Err(format!("alignment of {}{offset:+}", region.name));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    const RET: &[u8] = &[0xc3];
    const LOAD: &[u8] = &[0x48, 0x8b, 0x07]; // mov (%rdi), %rax
    const STORE: &[u8] = &[0x48, 0x89, 0x07]; // mov %rax, (%rdi)
    const STORE_RSI: &[u8] = &[0x48, 0x89, 0x37]; // mov %rsi, (%rdi)
    const LOAD_RDX: &[u8] = &[0x48, 0x8b, 0x17]; // mov (%rdi), %rdx
    const LOAD_BY_RDX: &[u8] = &[0x48, 0x8b, 0x02]; // mov (%rdx), %rax
    const LOAD_YMM: &[u8] = &[0xc5, 0xfe, 0x6f, 0x07]; // vmovdqu (%rdi), %ymm0
    const VZEROUPPER: &[u8] = &[0xc5, 0xf8, 0x77];

    /// That code, and a machine with rdi at that offset of a buffer of 64 bytes, rsi at one that is read-only, and a stack
    fn ready(code: &[&[u8]], offset: i64) -> (Image, Machine) {
        let mut image = Image::of_code(&code.concat());
        image.allowed = image.forms().keys().copied().collect();
        let mut m = Machine::new();
        let buffer = m.region("buffer", 64, true, 16);
        let constants = m.region("constants", 64, false, 16);
        let stack = m.region("stack", 88, true, 16);
        m.code = Some((image.code[0].address..image.code[0].end(), m.region_of("code", &[], 0, 1)));
        m.regs[RDI] = Word::Pointer(buffer, offset);
        m.regs[RSI] = Word::Pointer(constants, offset);
        m.regs[RSP] = Word::Pointer(stack, 88);
        (image, m)
    }

    fn run(code: &[&[u8]], offset: i64) -> std::result::Result<(), String> {
        let (image, mut m) = ready(code, offset);
        m.run(&image, image.function("code").unwrap().address).map(|_| ())
    }

    fn error(code: &[&[u8]], offset: i64, why: &str) {
        let result = run(code, offset);
        assert!(result.as_ref().err().map(|e| e.contains(why)).unwrap_or(false), "{result:?} instead of {why}")
    }

    #[test]
    fn accesses_stay_inside() {
        for access in [LOAD, STORE] {
            run(&[access, RET], 0).unwrap();
            run(&[access, RET], 56).unwrap();
            error(&[access, RET], 57, "out of bounds");
            error(&[access, RET], -1, "out of bounds");
            error(&[access, RET], i64::MAX, "out of bounds");
            error(&[access, RET], i64::MIN, "out of bounds");
        }
        run(&[&[0x48, 0x8b, 0x06], RET], 0).unwrap(); // mov (%rsi), %rax
        error(&[&[0x48, 0x89, 0x06], RET], 0, "read-only"); // mov %rax, (%rsi)
    }

    #[test]
    fn addresses_are_public() {
        error(&[LOAD_BY_RDX, RET], 0, "CONSTANT TIME");
        error(&[&[0x48, 0x8b, 0x04, 0x17], RET], 0, "CONSTANT TIME"); // mov (%rdi,%rdx), %rax
        error(&[&[0x48, 0x8b, 0x04, 0x37], RET], 0, "two pointers"); // mov (%rdi,%rsi), %rax
        error(&[&[0x67, 0x8b, 0x07], RET], 0, "32-bit address"); // mov (%edi), %eax
        error(&[&[0x64, 0x48, 0x8b, 0x07], RET], 0, "segment"); // mov %fs:(%rdi), %rax
    }

    #[test]
    fn code_is_prefetched_only() {
        let lea = &[0x48, 0x8d, 0x05, 0, 0, 0, 0]; // lea 0(%rip), %rax
        let add = &[0x48, 0x83, 0xc0, 0x40]; // add $64, %rax
        run(&[lea, add, &[0x0f, 0x18, 0x08], RET], 0).unwrap(); // prefetcht0 (%rax)
        error(&[lea, &[0x48, 0x8b, 0x00], RET], 0, "out of bounds"); // mov (%rax), %rax
        error(&[lea, &[0x48, 0x89, 0x00], RET], 0, "out of bounds"); // mov %rax, (%rax)
        error(&[&[0x48, 0x8b, 0x05, 0, 0, 0, 0], RET], 0, "nothing at"); // mov 0(%rip), %rax
    }

    #[test]
    fn branches_are_public() {
        error(&[&[0x48, 0x85, 0xc0, 0x74, 0x00], RET], 0, "CONSTANT TIME"); // test %rax, %rax; je
    }

    #[test]
    fn alignment_is_kept() {
        let aligned = &[0x66, 0x0f, 0x6f, 0x07]; // movdqa (%rdi), %xmm0
        let xor = &[0x66, 0x0f, 0xef, 0x07]; // pxor (%rdi), %xmm0
        for access in [aligned, xor] {
            run(&[access, RET], 16).unwrap();
            error(&[access, RET], 8, "alignment");
        }
        run(&[&[0xf3, 0x0f, 0x6f, 0x07], RET], 8).unwrap(); // movdqu
        error(&[&[0x66, 0x0f, 0x7f, 0x07], RET], 8, "alignment"); // movdqa %xmm0, (%rdi)
        error(&[&[0x0f, 0x29, 0x07], RET], 8, "alignment"); // movaps %xmm0, (%rdi)
        error(&[&[0xc5, 0xfd, 0x6f, 0x07], RET], 16, "alignment"); // vmovdqa (%rdi), %ymm0, of a buffer aligned to 16
    }

    #[test]
    fn the_stack_has_ends() {
        let (push, pop) = (&[0x53], &[0x5b]); // %rbx
        run(&[push, pop, RET], 0).unwrap();
        run(&[push, &[0x48, 0x8b, 0x04, 0x24], pop, RET], 0).unwrap(); // mov (%rsp), %rax
        error(&[&[0x48, 0x8b, 0x44, 0x24, 0xf8], RET], 0, "below the stack pointer");
        error(&[&[0x48, 0x89, 0x44, 0x24, 0xf8], RET], 0, "below the stack pointer");
        error(&[push, pop, &[0x48, 0x8b, 0x44, 0x24, 0xf8], RET], 0, "below the stack pointer");
        error(&[&[0x48, 0x8b, 0x04, 0x24], RET], 0, "out of bounds"); // the return address
        error(&[&[0x48, 0x89, 0x04, 0x24], RET], 0, "out of bounds");
        error(&[&[0x48, 0x8b, 0x44, 0x24, 0x08], RET], 0, "out of bounds"); // the caller's
        error(&[push, RET], 0, "not restored");
    }

    #[test]
    fn pointers_stay_pointers_in_memory() {
        run(&[STORE_RSI, LOAD_RDX, LOAD_BY_RDX, RET], 0).unwrap();
        run(&[&[0x56, 0x5a], LOAD_BY_RDX, RET], 0).unwrap(); // push %rsi; pop %rdx
        let part = &[0xc6, 0x47, 0x07, 0x00]; // movb $0, 7(%rdi)
        error(&[STORE_RSI, part, LOAD_RDX, LOAD_BY_RDX, RET], 0, "CONSTANT TIME");
        let elsewhere = &[0x48, 0x8b, 0x57, 0x01]; // mov 1(%rdi), %rdx
        error(&[STORE_RSI, elsewhere, LOAD_BY_RDX, RET], 0, "CONSTANT TIME");
        error(&[&[0x89, 0x37], RET], 0, "part of a pointer"); // mov %esi, (%rdi)
    }

    #[test]
    fn callers_get_back_what_is_theirs() {
        error(&[&[0x48, 0x89, 0xc3], RET], 0, "register 3 not restored"); // mov %rax, %rbx
        error(&[LOAD_YMM, RET], 0, "upper half of ymm0");
        run(&[LOAD_YMM, VZEROUPPER, RET], 0).unwrap();
        // A path of 128 bits leaves upper halves as they were, and that isn't what another path, run before it, must do.
        let wide = [LOAD_YMM, VZEROUPPER, RET];
        let (image, mut m) = ready(&[&wide.concat(), RET], 0);
        m.vectors[0] = [m.domain.vars("used", 1)[0]; 512];
        let (begin, address) = (m.save(), image.function("code").unwrap().address);
        let narrow = address + wide.concat().len() as u64;
        m.run(&image, address).unwrap();
        m.restore(&begin);
        m.run(&image, narrow).unwrap();
        assert!(m.resume(&image, narrow).unwrap_err().contains("upper half of ymm0"));
        error(&[&[0xfd], RET], 0, "no model"); // std
        error(&[&[0x0f, 0xae, 0x17], RET], 0, "no model"); // ldmxcsr (%rdi)
    }
}
