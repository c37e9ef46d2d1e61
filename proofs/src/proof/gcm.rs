// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! lc_aes_gcm_{encrypt,decrypt}_<row>(key, dst, src, len, msg, how), lc_aes_gcm_empty_<row>(key, tag, aad, aad_len, nonce, given),
//! lc_aes_gcm_powers_<row>(key) and lc_aes_gcm_many_<row>(key, items, decrypt): contracts in src/gcm_internal.h, structures in
//! src/x86/layout.h.
//!
//! The text is compared with the specification's bit by bit.  A hash is read as a sum of blocks times powers of H (see ghash.rs),
//! and what has to be right are the exponents.
pub mod every_aad_length;
pub mod every_length;
use super::*;
use crate::ghash::{add_terms, Powers, Reader, Terms};
use crate::spec;
use std::rc::Rc;

/* struct lc_gcm_key */
const KEY_ROUNDS: usize = 240;
const KEY_POWERS: usize = 256;
/// What there is room for: powers, three blocks of zeros, and what comes after them
const KEY_SIZE: usize = KEY_POWERS + 16 * (36 + 3 + 4);

/// The powers that a row's functions have in the key, in falling order; then three blocks of zeros
fn num_powers(function: &str) -> usize {
    if function.contains("avx512") {
        36
    } else {
        19
    }
}
fn power_at(num_powers: usize, exponent: usize) -> usize {
    KEY_POWERS + 16 * (num_powers - exponent)
}
/// What a row's functions have in the key after the zeros: some powers times x^64; or with 16 registers the sum of the halves of
/// each power, in both halves, and zeros again
fn more_of_powers(domain: &mut Domain, function: &str, mut power: impl FnMut(&mut Domain, usize) -> Vec<Bit>) -> Vec<Bit> {
    let mut more = vec![];
    if !has_32_registers(function) {
        for e in (1..=num_powers(function)).rev() {
            let power = power(domain, e);
            let sum = spec::xorw(domain, &power[..64], &power[64..]);
            more.extend([&sum[..], &sum].concat())
        }
        more.resize(more.len() + 2 * 128, 0)
    } else if function.contains("avx512_512") {
        for e in [16, 12, 8, 4] {
            let power = power(domain, e);
            more.extend(times_x64(domain, &power))
        }
    }
    more
}

/* struct lc_gcm_msg */
const MSG_AAD: usize = 0;
const MSG_AAD_LEN: usize = 8;
const MSG_J0: usize = 16;
const MSG_HASH: usize = 32;
const MSG_NUM_BITS: usize = 48;
const MSG_NUM_DONE: usize = 64;
const MSG_NONCE: usize = 72;
const MSG_TAG: usize = 80;
const MSG_GROUP: usize = 96;
/// After the ciphertext of a group of eight blocks: E(J0), wiped in the end, and the lengths.  See aes_gcm_blocks.h.
const MSG_LONG_J0: usize = MSG_GROUP + 128;
const MSG_LENGTHS: usize = MSG_GROUP + 144;
const MSG_SIZE: usize = MSG_GROUP + 160;
/// .. of a struct lc_gcm_long_msg
const LONG_MSG_SIZE: usize = MSG_SIZE + 96;
/// enum lc_gcm_how
const LAST: u32 = 1;
const FROM_NONCE: u32 = 16;
const PUBLIC: u32 = 64;
const LATE: u32 = 512;

/// A power of H, as the key has it: bytes reversed, so that the highest bit is x^0; times x^-1.
fn from_stored(domain: &mut Domain, stored: &[Bit]) -> Vec<Bit> {
    let over_x: Vec<Bit> = stored.iter().rev().copied().collect();
    spec::gcm::times_x(domain, &over_x)
}

/// x^64 times a power, as the key has both
fn times_x64(domain: &mut Domain, stored: &[Bit]) -> Vec<Bit> {
    let mut product = from_stored(domain, stored);
    for _ in 0..64 - 1 {
        product = spec::gcm::times_x(domain, &product)
    }
    product.reverse();
    product
}

/// The key's region, as the contract has it, and its powers
fn key_region(m: &mut Machine, function: &str, rounds: usize) -> (u32, Rc<Powers>) {
    let (key, n) = (m.region("key", KEY_SIZE, false, 16), num_powers(function));
    m.poke(key, KEY_ROUNDS, rounds as u64, 4);
    m.poke_bits(key, power_at(n, 0), &[0; 3 * 128]);
    let stored: Vec<Vec<Bit>> = (0..=n).map(|e| m.bytes(key, power_at(n, e), 16)).collect();
    let more = more_of_powers(&mut m.domain, function, |_, e| stored[e].clone());
    m.poke_bits(key, power_at(n, 0) + 16 * 3, &more);
    if m.domain.names.powers.is_none() {
        let powers: Vec<Vec<Bit>> = (1..=n)
            .map(|e| {
                let stored = m.bytes(key, power_at(n, e), 16);
                from_stored(&mut m.domain, &stored)
            })
            .collect();
        m.domain.names.powers = Some(Rc::new(Powers::new(&mut m.domain, &powers)));
    }
    (key, m.domain.names.powers.clone().unwrap())
}

#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub decrypt: bool,
    pub rounds: usize,
    pub len: usize,
    pub aad_len: usize,
    pub last: bool,
    /// By LC_GCM_FROM_NONCE, with a nonce of 12 bytes; or else by J0
    pub from_nonce: bool,
    /// By LC_GCM_PUBLIC: how many blocks came before
    pub public_after: Option<u32>,
    /// By LC_GCM_LATE
    pub late: bool,
    pub in_place: bool,
}

impl Case {
    fn is_whole(&self) -> bool {
        self.last && self.from_nonce
    }

    fn how(&self) -> u32 {
        (if self.last { LAST } else { 0 })
            + (if self.from_nonce { FROM_NONCE } else { 0 })
            + self.public_after.map_or(0, |_| PUBLIC)
            + (if self.late { LATE } else { 0 })
    }

    fn msg_size(&self) -> usize {
        if self.late {
            LONG_MSG_SIZE
        } else {
            MSG_SIZE
        }
    }

    /// Where the hash or the tag goes
    fn result_at(&self, msg: u32, tag: u32) -> (u32, usize) {
        if self.is_whole() {
            (tag, 0)
        } else {
            (msg, MSG_HASH)
        }
    }
}

/// A pointer, or NULL if there is nothing at it
fn pointer_or_null(region: u32, len: usize) -> Word {
    if len == 0 {
        Word::Number(0)
    } else {
        Word::Pointer(region, 0)
    }
}

fn point_to_aad(m: &mut Machine, msg: u32, aad: u32, aad_len: usize) {
    match pointer_or_null(aad, aad_len) {
        Word::Number(null) => m.poke(msg, MSG_AAD, null, 8),
        pointer => m.poke_ptr(msg, MSG_AAD as i64, pointer),
    }
    m.poke(msg, MSG_AAD_LEN, aad_len as u64, 8)
}

pub fn prove(image: &Image, domain: Domain, row: &str, case: &Case) -> Result<Machine> {
    let Case { decrypt, rounds, len, aad_len, last, from_nonce, public_after, in_place, .. } = *case;
    let function = format!("lc_aes_gcm_{}_{row}", if decrypt { "decrypt" } else { "encrypt" });
    let mut call = Call::with(domain, image, &function);
    let (key, powers) = key_region(&mut call.m, &function, rounds);
    let (src, dst) = call.text(len, in_place);
    let aad = call.m.region("aad", aad_len, false, 1);
    let msg = call.m.region("msg", case.msg_size(), true, 16);
    let (nonce, tag) = (call.m.region("nonce", 12, false, 1), call.m.region("tag", 16, true, 1));
    point_to_aad(&mut call.m, msg, aad, aad_len);
    if from_nonce {
        call.m.poke_ptr(msg, MSG_NONCE as i64, Word::Pointer(nonce, 0));
        call.m.poke_ptr(msg, MSG_TAG as i64, Word::Pointer(tag, 0));
    }
    if let Some(done) = public_after {
        call.m.poke_bits(msg, MSG_J0 + 12, &spec::bswap(&spec::num(1, 32)));
        call.m.poke(msg, MSG_NUM_DONE, done as u64, 8)
    }
    call.pointer(key);
    call.argument(pointer_or_null(dst, len));
    call.argument(pointer_or_null(src, len));
    call.number(len as u64);
    call.pointer(msg);
    call.number_32(case.how());

    let m = &mut call.m;
    let (keys, text, aad) = (m.bytes(key, 0, 240), m.bytes(src, 0, len), m.bytes(aad, 0, aad_len));
    let (result_in, result_at) = case.result_at(msg, tag);
    let hash = if case.is_whole() { vec![0; 128] } else { m.bytes(msg, MSG_HASH, 16) };
    let (j0, num_bits, num_done) = if from_nonce {
        // J0 is the nonce and a counter of 1 (7.1, step 2).
        let nonce = m.bytes(nonce, 0, 12);
        let lengths = spec::gcm::length_block(aad_len, len);
        ([nonce, spec::bswap(&spec::num(1, 32))].concat(), spec::bswap(&lengths), vec![0; 32])
    } else {
        (m.bytes(msg, MSG_J0, 16), m.bytes(msg, MSG_NUM_BITS, 16), m.bytes(msg, MSG_NUM_DONE, 4))
    };
    let out = spec::gcm::gctr(&mut m.domain, &keys, rounds, &j0, &num_done, &text);
    // The length block's bytes are those of num_bits, reversed.
    let lengths = spec::bswap(&num_bits);
    let ciphertext = if decrypt { &text } else { &out };
    let mut blocks = spec::gcm::hashed_blocks(&aad, ciphertext, if last { Some(&lengths) } else { None });
    for block in &mut blocks {
        *block = m.domain.name_block(block)
    }
    call.expect(dst, 0, &out, "dst");
    call.expect_anything(result_in, result_at, 16);
    if is_by_blocks(&function) {
        if has_loop(&function, len, rounds) {
            // The group before the last one
            let end = (len + 15) / 16 * 16 - GROUP_OF_BLOCKS;
            call.expect(msg, MSG_GROUP, &ciphertext[8 * (end - GROUP_OF_BLOCKS)..8 * end], "the group that is hashed later");
            call.expect(msg, MSG_LONG_J0, &[0; 128], "E(J0)");
            call.expect(msg, MSG_LENGTHS, &kept_lengths(&function, case, &num_bits), "the lengths")
        }
    } else if has_32_registers(&function) {
        if from_nonce && has_loop(&function, len, rounds) {
            expect_msg(&mut call, case, msg, &j0, &num_bits)
        }
    } else {
        if from_nonce {
            expect_msg(&mut call, case, msg, &j0, &num_bits)
        }
        if len > 16 {
            call.expect(msg, MSG_GROUP, &[0; 128], "E(J0)")
        }
    }
    if case.late && has_loop(&function, len, rounds) {
        // The last group of the loop
        let vector = every_length::vector_len(&function) as usize;
        let end = (len + vector - 1) / vector * vector - 4 * vector;
        for at in 0..vector / 4 {
            let from = end - 4 * vector + 16 * at;
            let block = spec::bswap(&out[8 * from..8 * (from + 16)]);
            call.expect(msg, MSG_GROUP + 16 * at, &block, "the group that is hashed later")
        }
    }
    for bits in [&aad, &num_bits, &num_done] {
        call.public(bits)
    }
    if from_nonce || public_after.is_some() {
        call.public(&j0)
    }
    may_leave_stream(&mut call, &keys, rounds, &j0, &num_done, len, len);
    call.run()?;

    let m = &mut call.m;
    let mut result = m.bytes(result_in, result_at, 16);
    if last {
        let stream = spec::cipher(&mut m.domain, &keys, rounds, &j0, false);
        result = spec::xorw(&mut m.domain, &result, &stream)
    }
    let before = [(spec::gcm::polynomial(&hash), 0)];
    is_ghash(&m.domain, &powers, &before, &blocks, &[(result, 0)], true)?;
    Ok(call.m)
}

fn has_32_registers(function: &str) -> bool {
    function.contains("avx512")
}

/// To decrypt from the nonce with AVX-512, texts of up to so many bytes have no loop.
fn open_len(function: &str, rounds: usize) -> usize {
    match every_length::vector_len(function) {
        64 if rounds < 14 || !function.ends_with("_wide") => 1536,
        _ => 4064,
    }
}

/// Is it code of aes_gcm_blocks.h?  Its vectors are blocks, eight in a group.
fn is_by_blocks(function: &str) -> bool {
    every_length::vector_len(function) == 16
}
const GROUP_OF_BLOCKS: usize = 128;

/// The loop takes texts of more than eight vectors, or 16 blocks; with AVX-512 of more than ten, or to decrypt, of more than
/// open_len() bytes.
fn has_loop(function: &str, len: usize, rounds: usize) -> bool {
    let vector = every_length::vector_len(function) as usize;
    len > match function {
        _ if function.contains("decrypt_vaes_avx512") => open_len(function, rounds),
        _ if has_32_registers(function) => 10 * vector,
        _ if is_by_blocks(function) => 2 * GROUP_OF_BLOCKS,
        _ => 8 * vector,
    }
}

/// Does this function know LC_GCM_LATE?
fn knows_late(row: &str) -> bool {
    row == "vaes_avx512_512_karatsuba"
}

/// What doesn't change is kept in struct lc_gcm_msg, by the loop J0 and the lengths, and always by AVX2 the lengths
fn expect_msg(call: &mut Call, case: &Case, msg: u32, j0: &[Bit], num_bits: &[Bit]) {
    if has_32_registers(&call.function) {
        call.expect(msg, MSG_J0, j0, "J0");
    }
    let num_bits = kept_lengths(&call.function, case, num_bits);
    call.expect(msg, MSG_NUM_BITS, &num_bits, "the lengths")
}

/// .. which are 0 if they aren't to be hashed, but by AVX2
fn kept_lengths(function: &str, case: &Case, num_bits: &[Bit]) -> Vec<Bit> {
    if (has_32_registers(function) || is_by_blocks(function)) && !case.last {
        vec![0; 128]
    } else {
        num_bits.to_vec()
    }
}

/// The key stream that a text of `len` bytes has no use for, in lower vectors, up to the end of a vector; or of that in which the
/// `longest` text of several ends
fn may_leave_stream(call: &mut Call, keys: &[Bit], rounds: usize, j0: &[Bit], num_done: &[Bit], len: usize, longest: usize) {
    let (used, end) = (len / 16 * 16, (longest + 63) / 64 * 64);
    let num_done = call.m.domain.add(num_done, &spec::num(used as u64 / 16, 32));
    let stream = spec::gcm::gctr(&mut call.m.domain, keys, rounds, j0, &num_done, &vec![0; 8 * (end - used)]);
    call.may_leave(Place::LowVectors, &stream[8 * (len - used)..])
}

/// A polynomial, or the lane that holds it, and its exponent of H in a sum
type Part = (Vec<Bit>, usize);

/// Does the hash that is the sum of polynomials before the blocks become the one that is the sum of lanes after them?
fn is_ghash(
    domain: &Domain,
    powers: &Powers,
    before: &[Part],
    blocks: &[Vec<Bit>],
    after: &[Part],
    in_memory_order: bool,
) -> Result<()> {
    let mut reader = Reader::new(domain, powers);
    let mut want = Terms::default();
    for (i, (polynomial, weight)) in before.iter().enumerate() {
        let number = reader.block(domain, &format!("hash {i}"), polynomial)?;
        // (A hash or a block of zeros adds nothing.)
        if polynomial.iter().any(|&bit| bit != 0) {
            want.insert((number, weight + spec::gcm::exponent(blocks.len(), 1)));
        }
    }
    for (i, block) in blocks.iter().enumerate() {
        let number = reader.block(domain, &format!("block {}", i + 1), &spec::gcm::polynomial(block))?;
        if block.iter().any(|&bit| bit != 0) {
            want.insert((number, spec::gcm::exponent(blocks.len(), i + 1)));
        }
    }
    let mut got = Terms::default();
    for (lane, weight) in after.iter().filter(|(lane, _)| lane.iter().any(|&bit| bit != 0)) {
        let sum = reader.read(domain, lane)?;
        if sum.in_memory_order != in_memory_order || sum.shift != 0 {
            return Err("the hash has another form than a block".into());
        }
        add_terms(&mut got, sum.terms.iter().map(|(block, e)| (*block, e + weight)));
    }
    if got != want {
        return Err(format!("not GHASH: {} instead of {}", reader.show(&got), reader.show(&want)));
    }
    checked(Property::Equality);
    Ok(())
}

/// A whole message without text, sealed or opened
fn prove_empty(image: &Image, domain: Domain, row: &str, rounds: usize, aad_len: usize, opened: bool) -> Result<Machine> {
    let function = format!("lc_aes_gcm_empty_{row}");
    let mut call = Call::with(domain, image, &function);
    let (key, powers) = key_region(&mut call.m, &function, rounds);
    let (tag, aad) = (call.m.region("tag", 16, !opened, 1), call.m.region("aad", aad_len, false, 1));
    let nonce = call.m.region("nonce", 12, false, 1);
    call.pointer(key);
    call.argument(if opened { Word::Number(0) } else { Word::Pointer(tag, 0) });
    call.argument(pointer_or_null(aad, aad_len));
    call.number(aad_len as u64);
    call.pointer(nonce);
    call.argument(if opened { Word::Pointer(tag, 0) } else { Word::Number(0) });
    call.has_answer = opened;
    let m = &mut call.m;
    let given = m.bytes(tag, 0, 16);
    let (keys, aad, nonce) = (m.bytes(key, 0, 240), m.bytes(aad, 0, aad_len), m.bytes(nonce, 0, 12));
    // J0 is the nonce and a counter of 1 (7.1, step 2).
    let j0 = [nonce, spec::bswap(&spec::num(1, 32))].concat();
    let lengths = spec::gcm::length_block(aad_len, 0);
    let mut blocks = spec::gcm::hashed_blocks(&aad, &[], Some(&lengths));
    for block in &mut blocks {
        *block = m.domain.name_block(block)
    }
    if opened {
        call.public(&given)
    } else {
        call.expect_anything(tag, 0, 16)
    }
    call.public(&aad);
    call.public(&j0);
    call.run()?;

    let m = &mut call.m;
    let answer = m.bits_of(&m.regs[RAX])?;
    let wrong = if opened { answer[0] } else { 0 };
    if (0..32).any(|i| answer[i] != if ERR_AUTH >> i & 1 == 1 { wrong } else { 0 }) {
        return Err("the answer is neither LC_OK nor LC_ERR_AUTH".into());
    }
    let stream = spec::cipher(&mut m.domain, &keys, rounds, &j0, false);
    let tag = if opened {
        // It is wrong if any of its words is, and a word if any of its bits is.
        let words = any_of(m, wrong)?;
        let words = words.into_iter().filter(|&word| word != 0).map(|word| any_of(m, word));
        let differences = words.collect::<Result<Vec<_>>>()?.concat();
        if differences.len() != 128 {
            return Err("not all of the tag is compared".into());
        }
        spec::xorw(&mut m.domain, &differences, &given)
    } else {
        m.bytes(tag, 0, 16)
    };
    let hash = spec::xorw(&mut m.domain, &tag, &stream);
    is_ghash(&m.domain, &powers, &[], &blocks, &[(hash, 0)], true)?;
    Ok(call.m)
}

pub fn prove_powers(image: &Image, row: &str, rounds: usize) -> Result<Machine> {
    let function = format!("lc_aes_gcm_powers_{row}");
    let (mut call, n) = (Call::new(image, &function), num_powers(&function));
    let key = call.m.region("key", KEY_SIZE, true, 16);
    call.m.poke(key, KEY_ROUNDS, rounds as u64, 4);
    call.pointer(key);
    let keys = call.m.bytes(key, 0, 240);
    call.expect_anything(key, KEY_POWERS, 16 * n);
    call.expect(key, power_at(n, 0), &[0; 3 * 128], "zeros after the powers");
    let num_more = more_of_powers(&mut call.m.domain, &function, |_, _| vec![0; 128]).len() / 8;
    call.expect_anything(key, power_at(n, 0) + 16 * 3, num_more);
    let hash_key = spec::cipher(&mut call.m.domain, &keys, rounds, &[0; 128], false);
    call.m.domain.name_block(&hash_key);
    call.m.domain.names.whole_lanes = true;
    call.run()?;

    let domain = &mut call.m.domain;
    let (mut powers, mut factors) = (vec![vec![]], vec![vec![]]);
    let bytes = &call.m.regions[key as usize].bytes;
    for e in 1..=n {
        let stored = bytes[power_at(n, e)..power_at(n, e) + 16].concat();
        powers.push(from_stored(domain, &stored));
        let factor = domain.as_factor(&stored);
        factors.push(from_stored(domain, &factor));
    }
    let stored = |e: usize| bytes[power_at(n, e)..power_at(n, e) + 16].concat();
    let more = more_of_powers(domain, &function, |_, e| stored(e));
    let more_at = power_at(n, 0) + 16 * 3;
    if bytes[more_at..more_at + num_more].concat() != more {
        return Err("what is made of the powers isn't right".into());
    }
    if powers[1] != spec::gcm::polynomial(&hash_key) {
        return Err("H isn't the cipher of a block of zeros".into());
    }
    for e in 2..=n {
        let likely = likely_split(domain, &factors[..e], &powers[e], e);
        let is_product = |a: &usize| spec::gcm::multiply(domain, &factors[*a], &factors[e - a]) == powers[e];
        let mut splits = std::iter::once(likely).chain(1..=e / 2);
        splits.find(is_product).ok_or_else(|| format!("H^{e} is no product of lower powers"))?;
    }
    Ok(call.m)
}
/// The first factor's exponent, by one of the products in H^e.  (A square has none, as there ab + ba = 0.)
fn likely_split(domain: &Domain, factors: &[Vec<Bit>], power: &[Bit], e: usize) -> usize {
    let exponent_of = |atom: u32| (1..factors.len()).find(|&e| factors[e].iter().any(|&bit| domain.form(bit).contains(&atom)));
    match domain.form(power[64]).last() {
        Some(&atom) if atom >= FIRST_AND => {
            let (p, q) = domain.tile_and_place(atom).0.groups;
            exponent_of(p).min(exponent_of(q)).unwrap_or(1)
        }
        _ => e / 2,
    }
}

/* struct lc_aead_item */
const ITEM_DST: i64 = 0;
const ITEM_TAG: i64 = 8;
const ITEM_SRC: i64 = 16;
const ITEM_LEN: usize = 24;
const ITEM_AAD: i64 = 32;
const ITEM_AAD_LEN: usize = 40;
const ITEM_NONCE: i64 = 48;
const ITEM_SIZE: usize = 64;
const MANY_AAD_LEN: usize = 16;
const EMPTY_AAD_LEN: usize = 16;
/// LC_ERR_AUTH
const ERR_AUTH: i32 = -5;

/// How many messages a row takes at once, and up to which length: as many as there are lanes; and blocks as there are powers for
fn num_many(row: &str) -> usize {
    if row.ends_with("_512") {
        4
    } else {
        2
    }
}
fn many_len(row: &str) -> usize {
    (16 * (num_powers(row) - 2)).min(512)
}

/// Of messages that there aren't, the lengths aren't used.
#[derive(Clone, Copy, Debug)]
struct ManyCase {
    decrypt: bool,
    rounds: usize,
    len: [usize; 4],
    aad_len: [usize; 4],
    in_place: bool,
}

/// One of the messages: its tag's region, what came in it, E(J0), and what is hashed
struct Message {
    tag: u32,
    tag_given: Vec<Bit>,
    stream: Vec<Bit>,
    blocks: Vec<Vec<Bit>>,
}

fn prove_many(image: &Image, domain: Domain, row: &str, case: &ManyCase) -> Result<Machine> {
    let function = format!("lc_aes_gcm_many_{row}");
    let mut call = Call::with(domain, image, &function);
    let (key, powers) = key_region(&mut call.m, &function, case.rounds);
    let num = num_many(row);
    let items = call.m.region("items", 8 * num, false, 8);
    let keys = call.m.bytes(key, 0, 240);
    let messages: Vec<Message> = (0..num).map(|i| message(&mut call, items, i, &keys, case)).collect();
    call.pointer(key);
    call.pointer(items);
    call.number_32(case.decrypt as u32);
    call.has_answer = case.decrypt;
    call.run()?;

    let m = &mut call.m;
    let answer = m.bits_of(&m.regs[RAX])?;
    let public_bits = if case.decrypt { 2 * num..32 } else { 0..32 };
    if answer[public_bits].iter().any(|&bit| bit != 0) {
        return Err("the answer has other bits".into());
    }
    for (i, message) in messages.iter().enumerate() {
        let tag = if case.decrypt {
            let mut tag = compared_with(m, answer[2 * i], &message.tag_given[..64])?;
            tag.extend(compared_with(m, answer[2 * i + 1], &message.tag_given[64..])?);
            tag
        } else {
            m.bytes(message.tag, 0, 16)
        };
        let hash = spec::xorw(&mut m.domain, &tag, &message.stream);
        is_ghash(&m.domain, &powers, &[], &message.blocks, &[(hash, 0)], true).map_err(|e| format!("message {i}: {e}"))?;
    }
    Ok(call.m)
}

/// Message i's regions and structure, and what is expected of its text
fn message(call: &mut Call, items: u32, i: usize, keys: &[Bit], case: &ManyCase) -> Message {
    let (len, aad_len) = (case.len[i], case.aad_len[i]);
    let m = &mut call.m;
    let name = |what: &str| format!("{what} of message {i}");
    let src = m.region(&name("src"), len, case.in_place, 1);
    let dst = if case.in_place { src } else { m.region(&name("dst"), len, true, 1) };
    let aad = m.region(&name("aad"), aad_len, false, 1);
    let tag = m.region(&name("tag"), 16, !case.decrypt, 1);
    let nonce = m.region(&name("nonce"), 12, false, 1);
    let item = m.region(&name("item"), ITEM_SIZE, false, 8);
    m.poke_ptr(items, 8 * i as i64, Word::Pointer(item, 0));
    for (at, region, len) in
        [(ITEM_DST, dst, len), (ITEM_SRC, src, len), (ITEM_AAD, aad, aad_len), (ITEM_TAG, tag, 16), (ITEM_NONCE, nonce, 12)]
    {
        match pointer_or_null(region, len) {
            Word::Number(null) => m.poke(item, at as usize, null, 8),
            pointer => m.poke_ptr(item, at, pointer),
        }
    }
    m.poke(item, ITEM_LEN, len as u64, 8);
    m.poke(item, ITEM_AAD_LEN, aad_len as u64, 8);

    let (text, aad, tag_given) = (m.bytes(src, 0, len), m.bytes(aad, 0, aad_len), m.bytes(tag, 0, 16));
    // J0 is the nonce and a counter of 1 (7.1, step 2).
    let mut j0 = m.bytes(nonce, 0, 12);
    j0.extend(spec::bswap(&spec::num(1, 32)));
    let out = spec::gcm::gctr(&mut m.domain, keys, case.rounds, &j0, &[0; 32], &text);
    let lengths = spec::gcm::length_block(aad_len, len);
    let mut blocks = spec::gcm::hashed_blocks(&aad, if case.decrypt { &text } else { &out }, Some(&lengths));
    for block in &mut blocks {
        *block = m.domain.name_block(block)
    }
    let stream = spec::cipher(&mut m.domain, keys, case.rounds, &j0, false);
    call.expect(dst, 0, &out, &name("dst"));
    let nonce = call.m.bytes(nonce, 0, 12);
    call.public(&nonce);
    call.public(&aad);
    call.public(&tag_given);
    call.may_leave(Place::LowVectors, &text);
    call.may_leave(Place::LowVectors, &out);
    // (all messages go on until the longest has ended)
    let longest = case.len.iter().copied().max().unwrap_or(0);
    may_leave_stream(call, keys, case.rounds, &j0, &[0; 32], len, longest);
    if !case.decrypt {
        call.expect_anything(tag, 0, 16)
    }
    Message { tag, tag_given, stream, blocks }
}

/// If the bit says whether something else differs from `given`: that something
fn compared_with(m: &mut Machine, bit: Bit, given: &[Bit]) -> Result<Vec<Bit>> {
    let differences = any_of(m, bit)?;
    Ok(spec::xorw(&mut m.domain, &differences, given))
}

/// If the bit says whether any of others is 1: those
fn any_of(m: &Machine, bit: Bit) -> Result<Vec<Bit>> {
    let node = match m.domain.form(bit) {
        [atom] => m.domain.atom(*atom),
        _ => return Err("an answer is no comparison".into()),
    };
    match node {
        Atom::Bit(node, _) if m.domain.nodes[node as usize].op == Op::AnySet => Ok(m.domain.nodes[node as usize].args.to_vec()),
        _ => Err("an answer is no comparison".into()),
    }
}

/// Which calls are proved, in groups with names
fn cases(decrypt: bool, row: &str, effort: Effort) -> Vec<(&'static str, Vec<Case>)> {
    let all = effort == Effort::All;
    // What isn't everything has each number of blocks, and ends in some of them.
    let some = |len: usize| len <= 33 || len % 16 == 0 || matches!(len % 48, 1 | 47);
    let lengths = |longest: usize| (0..=longest).filter(move |&len| all || some(len));
    let one = |len: usize| Case {
        decrypt,
        rounds: 14,
        len,
        aad_len: 20,
        last: true,
        from_nonce: false,
        public_after: None,
        late: false,
        in_place: false,
    };
    let in_turn = |(n, case): (usize, Case)| Case {
        rounds: spec::AES_ROUNDS[n % 3].1,
        in_place: n / 3 % 2 == 1,
        aad_len: AAD_LENGTHS[n % AAD_LENGTHS.len()],
        ..case
    };
    let mut result: Vec<(&str, Vec<Case>)> = vec![];
    let longest = if all { 1104 } else { 336 };
    // (pieces; each length is below, for whole messages, and every length by an induction)
    let pieces = (0..=longest).filter(|&len| some(len)).map(one);
    result.push(("keys, places and AAD in turn", pieces.enumerate().map(in_turn).collect()));
    if all {
        let streams = (0..=1104).step_by(16).map(|len| Case { last: false, ..one(len) });
        result.push(("streams, in turn", streams.enumerate().map(in_turn).collect()));
    }
    // One batch of the hash, the loop, and counters that carry
    let whole = |len: usize| Case { from_nonce: true, ..one(len) };
    let longest = if all { 1104 } else { 320.max(9 * every_length::vector_len(row) as usize) };
    result.push(("whole, in turn", lengths(longest).map(whole).enumerate().map(in_turn).collect()));
    let first = (16..=longest).step_by(16).map(|len| Case { last: false, ..whole(len) });
    result.push(("from the nonce, in turn", first.enumerate().map(in_turn).collect()));
    // The loop after each head, and what has none up to open_len(); counters carry after 4064 bytes
    let vector = every_length::vector_len(row) as usize;
    let mut opened = [10, 14].map(|rounds| open_len(row, rounds) / vector).to_vec();
    opened.dedup();
    // (1400 bytes that are opened have three batches of the hash.)
    let opened = opened.into_iter().flat_map(|vectors| vectors + 1..vectors + 5);
    let more = if decrypt && has_32_registers(row) { [1400 / vector].into_iter().chain(opened).collect() } else { vec![] };
    let heads = if is_by_blocks(row) { (17..26).chain(vec![34]) } else { (13..17).chain(more) };
    let heads = heads.map(|vectors| vectors * vector - 5);
    let long = if all { vec![2000, 3000, 4000, 4500, 5000, 9000] } else { heads.chain([5000]).collect() };
    result.push(("whole, long", long.into_iter().map(whole).enumerate().map(in_turn).collect()));
    // By AES-256 the longest text that is opened without the loop, and the next one: mostly where counters carry
    if decrypt && has_32_registers(row) {
        let longest = open_len(row, 14);
        let around = [longest, longest + 1].map(|len| Case { rounds: 14, ..whole(len) });
        result.push(("whole, around the last without a loop", around.into()));
    }
    // The loop that hashes late after each head, with a turn and more; where counters carry
    if !decrypt && knows_late(row) {
        let heads = (11..=14).map(|vectors| vectors * vector - 5);
        let late = heads.chain(if all { 705..1100 } else { 1099..1100 }).chain([2048, 5000]);
        let late: Vec<Case> = late.map(|len| Case { late: true, ..whole(len) }).collect();
        let pieces = [768, 1024, 1600, 6400].map(|len| Case { late: true, last: false, ..one(len) });
        result.push(("late, in turn", late.into_iter().chain(pieces).enumerate().map(in_turn).collect()));
    }
    // Public counters: the loop after each head, where the last bytes of its first counters are such that all of them have carried,
    // some, or none, and it carries later
    let public = |n: usize| {
        let (vectors, heads) = if is_by_blocks(row) { (25 + n % 8, 8) } else { (13 + n % 4, 4) };
        let head = (vectors - 1) % heads + 1;
        // The group's first counter comes after J0, the blocks before, and the head
        let first = 256 - vector / 16 * if is_by_blocks(row) { [0, 1, 4, 7, 8, 9, 17] } else { [0, 1, 2, 3, 4, 5, 9] }[n % 7];
        let done = 256 * n + 2 * 256 + first - 2 - head * vector / 16;
        Case { public_after: Some(done as u32), last: n % 2 == 1, ..one(vectors * vector - 5 * (n % 2)) }
    };
    result.push(("public counters, in turn", (0..if all { 84 } else { 5 }).map(public).enumerate().map(in_turn).collect()));
    // (up to 48 bytes of AAD the 512-bit functions leave to those for 256)
    let empty = (0..=if all { 300 } else { 33 }).chain([49, 65, 200]).map(|aad_len| Case { aad_len, ..whole(0) });
    result.push(("whole, each AAD, no text", empty.collect()));
    // AAD and text that together are as many blocks as a batch has powers for, and more
    let most = [(256, 20), (256, 64), (368, 192)];
    result.push(("whole, most in a batch", most.map(|(len, aad_len)| Case { aad_len, ..whole(len) }).into()));
    for (name, len) in [("each AAD, no text", 0), ("each AAD, a text of 23 bytes", 23), ("each AAD, a text of 300 bytes", 300)] {
        if all || len == 23 {
            result.push((name, lengths(300).map(|aad_len| Case { aad_len, ..one(len) }).collect()))
        }
    }
    result
}
/// Which calls are proved at every length, and which other lengths of AAD they may have: up to `kept`, as longer AAD has a proof
/// of its own.  Texts of whole blocks have each of up to 16 bytes, and beyond that where a block begins or ends; other texts, which
/// take longer, a few.
fn every_length_cases(decrypt: bool, row: &str, effort: Effort, kept: i64) -> Vec<(Case, Vec<usize>)> {
    let case = |rounds: usize, aad_len: usize, last: bool, in_place: bool| Case {
        decrypt,
        rounds,
        len: 0,
        aad_len,
        last,
        from_nonce: false,
        public_after: None,
        late: false,
        in_place,
    };
    if effort == Effort::Quick {
        return vec![(case(14, 0, false, true), vec![13])];
    }
    let mut cases = vec![
        (case(14, 0, false, true), (1..=kept as usize).filter(|len| kept == 16 || matches!(len % 16, 0 | 1 | 13 | 15)).collect()),
        (case(10, 16, false, false), vec![]),
        (case(14, 20, true, false), vec![]),
        (Case { from_nonce: true, ..case(12, 0, true, true) }, vec![]),
        (Case { from_nonce: true, ..case(10, 13, true, false) }, vec![]),
        (Case { from_nonce: true, ..case(14, 16, false, true) }, vec![]),
    ];
    if !decrypt && knows_late(row) {
        cases.push((Case { from_nonce: true, late: true, ..case(14, 13, true, false) }, vec![]));
        cases.push((Case { late: true, ..case(10, 0, false, true) }, vec![]))
    }
    cases
}
const AAD_LENGTHS: [usize; 13] = [0, 1, 12, 13, 16, 20, 64, 255, 288, 305, 576, 577, 1200];

/// As n goes from 0 to the longest length, each message has each length.
fn many_cases(row: &str, decrypt: bool, effort: Effort) -> Vec<ManyCase> {
    let (lengths, aad_lengths) = (many_len(row) + 1, MANY_AAD_LEN + 1);
    let step = if effort == Effort::All { 1 } else { 19 };
    let case = |n: usize| ManyCase {
        decrypt,
        rounds: spec::AES_ROUNDS[n % 3].1,
        len: [n, many_len(row) - n, (3 * n + 64) % lengths, 5 * n % lengths],
        aad_len: [n % aad_lengths, (n + 5) % aad_lengths, 2 * n % aad_lengths, (3 * n + 1) % aad_lengths],
        in_place: n / 3 % 2 == 1,
    };
    // The shortest texts of the first message and of the second have loads and stores of their own.
    let short = (1..4).chain(lengths - 4..lengths - 1).filter(|n| n % step != 0);
    (0..lengths).step_by(step).chain(short).map(case).collect()
}

pub fn jobs(image: &Image, effort: Effort, jobs: &mut Vec<Job>) {
    for (name, decrypt) in [("encrypt", false), ("decrypt", true)] {
        for row in rows(image, &format!("lc_aes_gcm_{name}_")) {
            for (what, cases) in cases(decrypt, &row, effort).into_iter().filter(|(_, cases)| !cases.is_empty()) {
                jobs.push(crypt_job(format!("lc_aes_gcm_{name}_{row}"), row.clone(), what, cases))
            }
            jobs.push(every_aad_length::job(format!("lc_aes_gcm_{name}_{row}"), effort));
            for (case, others) in every_length_cases(decrypt, &row, effort, every_aad_length::kept(&row)) {
                jobs.push(every_length::job(format!("lc_aes_gcm_{name}_{row}"), case, others))
            }
        }
    }
    for row in rows(image, "lc_aes_gcm_empty_") {
        for opened in [false, true] {
            let cases = spec::AES_ROUNDS.iter().flat_map(|&(_, rounds)| (0..=EMPTY_AAD_LEN).map(move |aad_len| (rounds, aad_len)));
            let row = row.clone();
            jobs.push(Job {
                function: format!("lc_aes_gcm_empty_{row}"),
                case: if opened { "opened, each AAD" } else { "sealed, each AAD" }.into(),
                lengths: format!("0..{EMPTY_AAD_LEN}"),
                parts: parts(cases, move |image, domain, &(rounds, aad_len)| {
                    prove_empty(image, domain, &row, rounds, aad_len, opened)
                }),
            })
        }
    }
    for row in rows(image, "lc_aes_gcm_powers_") {
        jobs.push(Job {
            function: format!("lc_aes_gcm_powers_{row}"),
            case: "key lengths".into(),
            lengths: format!("H..H^{}", num_powers(&row)),
            parts: parts(if effort == Effort::All { 0..3 } else { 2..3 }, move |image, _, &n| {
                prove_powers(image, &row, spec::AES_ROUNDS[n].1)
            }),
        })
    }
    for row in rows(image, "lc_aes_gcm_many_") {
        for decrypt in [false, true] {
            let row = row.clone();
            jobs.push(Job {
                function: format!("lc_aes_gcm_many_{row}"),
                case: if decrypt { "decrypt" } else { "encrypt" }.into(),
                lengths: format!("0..{}", many_len(&row)),
                parts: parts(many_cases(&row, decrypt, effort), move |image, domain, case| prove_many(image, domain, &row, case)),
            })
        }
    }
}
fn crypt_job(function: String, row: String, what: &str, cases: Vec<Case>) -> Job {
    let lens: Vec<usize> = cases.iter().map(|case| case.len).collect();
    Job {
        function,
        case: what.into(),
        lengths: lengths(&lens),
        parts: parts(cases, move |image, domain, case| prove(image, domain, &row, case)),
    }
}
