// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! GCM at every length, by induction: see induction.rs.
//!
//! What is carried from turn to turn is a hash in parts: lanes A[0] .. A[g - 1], of which the hash so far is
//!
//!      A[0] * H^g + A[1] * H^(g - 1) + .. + A[g - 1] * H
//!
//! That is so after a first group: A[i] is its block i, and the hash before is added to A[0].  So it is known which lanes they are,
//! and which power each has.  Then they may be anything.  A turn and an exit have to make of them what GHASH makes of that sum.
//! With code by blocks (aes_gcm_blocks.h) it is one hash; when a text is encrypted, it waits for a group that is in memory.
//!
//! Calls with AAD of any length come to the text as a call without AAD does.  So that this is enough, such a call forgets there
//! what is different for them: see every_aad_length.rs.
use super::every_aad_length::Joint;
use super::*;
use crate::induction::*;

/* Registers of aes_gcm_body.h and aes_gcm_blocks.h; vectors if there are 32, and if there are 16 */
const DATA0: [usize; 2] = [0, 8];
const TO_HASH0: [usize; 2] = [4, 12];
const BASE: [usize; 2] = [31, 6];
/// Those of vectors 1 to 3, by 512 bits with two sums
const BASES: [usize; 3] = [8, 24, 25];
const N: usize = 10;
/// So far behind the key's begin it is in KEY, if there are 16.
const KEY_AT: i64 = 128;
const NEXT: usize = 11;
const NEXT_LAST: usize = 0;
const HIGH: usize = 11;
const HIGH_LAST: usize = 0;

/// The same of aes_gcm_blocks.h
const HASH: usize = 7;

/// LC_GCM_MAX_LEN
const MAX_LEN: i64 = (1 << 36) - 32;

/// The loop of groups.  Parameters are J0 and num_done; of a whole message the nonce, num_done, and the two lengths.
pub struct Groups {
    lengths: Interval,
    /// What is added to them
    tail: i64,
    vector_len: i64,
    evex: bool,
    by_blocks: bool,
    text: Rc<Text>,
    joint: Rc<Joint>,
    case: Case,
    key: u32,
    aad: u32,
    msg: u32,
    nonce: u32,
    tag: u32,
    keys: Vec<Bit>,
    powers: Rc<Powers>,
}

/// Texts with AAD of `case` and those other lengths
pub(super) fn job(function: String, case: Case, others: Vec<usize>) -> Job {
    let place = if case.in_place { ", in place" } else { "" };
    let how = match case {
        Case { from_nonce: true, last: true, .. } => "LC_GCM_WHOLE",
        Case { from_nonce: true, .. } => "LC_GCM_FROM_NONCE",
        Case { last: true, .. } => "whole messages",
        _ => "streams",
    };
    let how = if case.late { format!("{how}, LC_GCM_LATE") } else { how.into() };
    let aad = match &others[..] {
        [.., most] if others.len() == *most => format!("each AAD up to {most}"),
        [.., most] if others.len() > 4 => format!("some AAD up to {most}"),
        _ => format!("AAD of {}{}", case.aad_len, others.iter().map(|len| format!(" or {len}")).collect::<String>()),
    };
    Job {
        function: function.clone(),
        case: format!("AES-{}{place}, {how}, {aad}", 32 * (case.rounds - 6)),
        lengths: "every length".into(),
        parts: whole(move |image| prove(image, &function, case, &others)),
    }
}

/// Bytes of a vector, of which a group has four, and by blocks eight
pub fn vector_len(function: &str) -> i64 {
    match function {
        _ if function.contains("avx512_512") => 64,
        _ if function.ends_with("avx512_256") || function.ends_with("avx2") => 32,
        _ => 16,
    }
}

/// Vectors of a turn of the loop: a group of four, or two groups with 16 registers
fn turn_vectors(evex: bool) -> i64 {
    if evex {
        4
    } else {
        8
    }
}

/// Vectors that are done before the loop, so that a whole number of turns is left and then a group, whose last vector may be a
/// part: 1 .. `turn`.  By blocks a turn is such a group.  `tail` is the length modulo a turn.
fn head(tail: i64, vector: i64, turn: i64) -> i64 {
    let group = if vector == 16 { turn } else { 4 };
    (tail + 2 * turn * vector - 1 - group * vector) / vector % turn + 1
}

fn prove(image: &Image, function: &str, case: Case, others: &[usize]) -> Result<usize> {
    let mut proofs = 0;
    for classes in classes(function, case) {
        let (mut call, first, others) = loops(image, function, case, others, &classes)?;
        proofs += every_length_of_calls(&mut call, &first, &others)?;
    }
    Ok(proofs)
}

/// An interval of lengths, and what is added to them
type Class = (Interval, i64);

/// All lengths, in classes that come to the loop by ways of their own, and those together that have an induction in common.  That
/// is each length modulo a group; those with the same head come to the same loop.
pub fn classes(function: &str, case: Case) -> Vec<Vec<Class>> {
    let step = if case.last { 1 } else { 16 };
    let vector = vector_len(function);
    let turn = turn_vectors(has_32_registers(function));
    let group = turn * vector;
    // (a call from the nonce that isn't the last one has text)
    let least = |tail: i64| if tail == 0 && case.from_nonce && !case.last { group } else { 0 };
    let class = |tail: i64| (Interval { least: least(tail), most: (MAX_LEN - tail) & -group, step: group }, tail);
    let with_head = |n: i64| {
        // first the one of whole vectors
        let mut tails: Vec<i64> = (0..group).step_by(step as usize).filter(|&tail| head(tail, vector, turn) == n).collect();
        tails.sort_by_key(|tail| tail % vector != 0);
        tails.into_iter().map(class).collect()
    };
    (1..=turn).map(with_head).collect()
}

/// A call of the first class with AAD as in `case`, and the calls of the other classes and with AAD of other lengths
pub fn loops<'a>(
    image: &'a Image,
    function: &str,
    case: Case,
    others: &[usize],
    classes: &[Class],
) -> Result<(Call<'a>, Groups, Vec<Groups>)> {
    let mut call = Call::new(image, function);
    let (key, powers) = key_region(&mut call.m, function, case.rounds);
    let text = Rc::new(Text::new(&mut call, case.in_place));
    let joint = Rc::new(Joint::find(image, function)?);
    let msg = call.m.region("msg", case.msg_size(), true, 16);
    let (nonce, tag) = (call.m.region("nonce", 12, false, 1), call.m.region("tag", 16, true, 1));
    if case.from_nonce {
        call.m.poke_ptr(msg, MSG_NONCE as i64, Word::Pointer(nonce, 0));
        call.m.poke_ptr(msg, MSG_TAG as i64, Word::Pointer(tag, 0));
    }
    let keys = call.m.bytes(key, 0, 240);
    let (vector_len, evex, by_blocks) = (vector_len(function), function.contains("avx512"), is_by_blocks(function));
    let mut groups = vec![];
    for aad_len in std::iter::once(case.aad_len).chain(others.iter().copied()) {
        let aad = call.m.region(&format!("aad of {aad_len} bytes"), aad_len, false, 1);
        groups.extend(classes.iter().map(|&(lengths, tail)| {
            let (text, joint, case, keys, powers) =
                (text.clone(), joint.clone(), Case { aad_len, ..case }, keys.clone(), powers.clone());
            Groups { lengths, tail, vector_len, evex, by_blocks, text, joint, case, key, aad, msg, nonce, tag, keys, powers }
        }));
    }
    let others = groups.split_off(1);
    Ok((call, groups.remove(0), others))
}

/// Constants, by what is in them: their region, and where they are in it
fn constants(call: &Call, table: &[u8], name: &str) -> (u32, i64) {
    let found = call.image.constants.iter().find_map(|section| {
        let at = section.data.windows(table.len()).position(|window| window == table)?;
        Some(section.address as i64 + at as i64)
    });
    let at = found.expect(name);
    let mut regions = call.m.regions.iter();
    let region = regions.position(|r| r.base != 0 && (r.base..r.base + r.bytes.len() as i64).contains(&at));
    (region.expect(name) as u32, at)
}

impl Groups {
    fn arguments(&self, call: &mut Call, done: usize, length: Word) {
        let (dst, src) = self.text.at(done);
        call.pointer(self.key);
        call.argument(dst);
        call.argument(src);
        call.argument(length);
        call.pointer(self.msg);
        call.number_32(self.case.how());
    }

    /// Parameters as J0 and num_done
    fn j0_and_done(&self, parameters: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
        if self.case.from_nonce {
            // J0 is the nonce and a counter of 1 (7.1, step 2).
            ([&parameters[..96], &spec::bswap(&spec::num(1, 32))].concat(), parameters[96..128].to_vec())
        } else {
            (parameters[..128].to_vec(), parameters[128..].to_vec())
        }
    }

    /// The two lengths in bits as little-endian numbers, the text's first: the length block reversed
    fn num_bits(&self, call: &Call, parameters: &[Bit]) -> Vec<Bit> {
        if self.case.from_nonce {
            parameters[128..].chunks(64).flat_map(|bytes| [&[0; 3], &bytes[..61]].concat()).collect()
        } else {
            call.m.bytes(self.msg, MSG_NUM_BITS, 16)
        }
    }

    /// With 32 registers only long texts write J0 and the lengths to msg.  So that all end alike, these are there from the
    /// beginning; that they aren't read before they are written is proved of each length.
    fn keep(&self, call: &mut Call, parameters: &[Bit]) {
        if self.evex {
            let ((j0, _), num_bits) = (self.j0_and_done(parameters), self.num_bits(call, parameters));
            call.m.poke_bits(self.msg, MSG_J0, &j0);
            call.m.poke_bits(self.msg, MSG_NUM_BITS, &kept_lengths(&call.function, &self.case, &num_bits))
        }
    }

    /// The counter at the loop's head when nothing has been done before the call: after J0's, those of the head and of a group
    fn first_counter(&self) -> i64 {
        2 + self.begun() * self.vector_len / 16
    }

    /// Vectors that are done when the code first comes to the loop's head.  If that is the comparison at a turn's end, a turn is
    /// over, or a half of it.
    fn begun(&self) -> i64 {
        let turn = turn_vectors(self.evex);
        let head = head(self.tail, self.vector_len, turn);
        if self.by_blocks {
            // Whole groups have no head; and the first group of a text to be encrypted has no turn.
            return head % turn + if self.case.decrypt { 0 } else { turn };
        }
        head + if self.begins_with_comparison() && head <= 4 { turn } else { 0 }
    }

    /// Which vector register that is
    fn vector(&self, registers: [usize; 2]) -> usize {
        registers[!self.evex as usize]
    }

    /// Has the loop a BASE for each vector, and .Lhigh (aes_gcm_body.h)?
    fn has_bases(&self, call: &Call) -> bool {
        self.vector_len == 64 && !call.function.contains("karatsuba")
    }

    /// .Lhigh
    fn high(&self, call: &Call) -> (u32, i64) {
        let line = |n: usize| [0, 0, 0, (n as u32 & 15) << 28].map(u32::to_le_bytes).concat().repeat(4);
        constants(call, &(0..17).flat_map(line).collect::<Vec<u8>>(), ".Lhigh")
    }

    /// .Lcounters
    fn counters(&self, call: &Call) -> (u32, i64) {
        constants(call, &(0..=255).flat_map(|n| (n as u128).to_be_bytes()).collect::<Vec<u8>>(), ".Lcounters")
    }

    /// Vectors of a group
    fn group(&self) -> i64 {
        if self.by_blocks {
            8
        } else {
            4
        }
    }

    /// What is carried, as a sum: with exponents of H
    fn weighted(&self, lanes: &[Vec<Bit>]) -> Vec<Part> {
        let group = lanes.len() - 1;
        let weight = |(i, lane): (usize, &Vec<Bit>)| match i {
            _ if !self.by_blocks => (lane.clone(), lanes.len() - i),
            0 => (lane.clone(), group),
            _ => (spec::bswap(lane), lanes.len() - i),
        };
        lanes.iter().enumerate().map(weight).collect()
    }

    /// The ciphertext of that text
    fn ciphertext(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) -> Vec<Bit> {
        if self.case.decrypt {
            text.to_vec()
        } else {
            self.output(call, parameters, text)
        }
    }

    /// What is hashed of a text, and of the AAD before it if it is the beginning; with the lengths if it is the end
    fn blocks(&self, call: &mut Call, parameters: &[Bit], begins: bool, text: &[Bit], ends: bool) -> Vec<Vec<Bit>> {
        let ciphertext = self.ciphertext(call, parameters, text);
        let aad = if begins { call.m.bytes(self.aad, 0, self.case.aad_len) } else { vec![] };
        let lengths = spec::bswap(&self.num_bits(call, parameters));
        let lengths = if ends && self.case.last { Some(&lengths[..]) } else { None };
        let mut blocks = spec::gcm::hashed_blocks(&aad, &ciphertext, lengths);
        for block in &mut blocks {
            *block = call.m.domain.name_block(block)
        }
        blocks
    }

    /// The hash before: as a sum of what was carried, or the first call's
    fn hash_before(&self, call: &Call, carried: Option<&[Vec<Bit>]>) -> Vec<Part> {
        match carried {
            Some(lanes) => {
                self.weighted(lanes).into_iter().map(|(lane, weight)| (lane.into_iter().rev().collect(), weight)).collect()
            }
            None if self.case.is_whole() => vec![(vec![0; 128], 0)],
            None => vec![(spec::gcm::polynomial(&self.first_hash(call)), 0)],
        }
    }

    /// The length that is passed, as 64 bits; an unknown one becomes variables.
    fn length_as_data(&self, call: &mut Call, length: &Word) -> Vec<Bit> {
        match length {
            Word::Length(o) => {
                let bits = call.m.domain.named("length", 64);
                call.m.length_as_data = Some((*o, bits.clone().try_into().unwrap()));
                bits
            }
            length => call.m.bits_of(length).unwrap().to_vec(),
        }
    }

    /// The variables that are msg->hash when the function is called
    fn first_hash(&self, call: &Call) -> Vec<Bit> {
        call.m.domain.known("msg")[8 * MSG_HASH..8 * MSG_HASH + 128].to_vec()
    }
}

impl Looping for Groups {
    fn lengths(&self) -> Interval {
        self.lengths
    }

    fn residue(&self) -> i64 {
        self.tail
    }

    /// What comes to the loop's head, and ends in a group, whose last vector has one byte or block at least
    fn claims(&self) -> Option<Claims> {
        let vector = self.vector_len;
        let step = if self.case.last { 1 } else { 16 };
        let turn = if self.case.from_nonce || self.is_left_in_the_middle() { 0 } else { turn_vectors(self.evex) };
        let least = (self.begun() + turn + self.group() - 1) * vector + step - self.tail;
        let period = turn_vectors(self.evex) * vector;
        Some(Claims { lengths: Interval { least, most: MAX_LEN - self.tail, step }, some: vector, period })
    }

    /// TO_HASH0 to TO_HASH3.  After a head of fewer vectors the first ones are 0.  By blocks HASH, and what waits for the next turn
    fn carried_at(&self) -> Option<Vec<Carried>> {
        let lanes = self.vector_len as usize / 16;
        if self.by_blocks {
            let waiting = if self.case.decrypt { 0..0 } else { 0..8 };
            let waiting = waiting.map(|i| Carried::Memory(self.msg, MSG_GROUP + 16 * i));
            return Some(std::iter::once(Carried::Lane(HASH, 0)).chain(waiting).collect());
        }
        let to_hash = self.vector(TO_HASH0);
        let mut carried: Vec<Carried> = (0..4 * lanes).map(|i| Carried::Lane(to_hash + i / lanes, i % lanes)).collect();
        if self.case.late {
            carried.extend((0..4 * lanes).map(|i| Carried::Memory(self.msg, MSG_GROUP + 16 * i)))
        }
        Some(carried)
    }

    fn text(&self) -> &Text {
        &self.text
    }

    fn begins_with_comparison(&self) -> bool {
        self.case.from_nonce && !self.is_left_in_the_middle()
    }

    /// With 512 bits the last group is a turn, too, which ends before its text.
    fn is_left_in_the_middle(&self) -> bool {
        self.vector_len == 64
    }

    /// By AVX2, two groups have a reduction together.  The first of them has powers that are a group higher.
    fn begins_if(&self) -> Vec<(usize, Word)> {
        if self.evex || self.by_blocks {
            vec![]
        } else {
            vec![(N, Word::Pointer(self.key, KEY_AT - 4 * self.vector_len))]
        }
    }

    /// Where the next counters of a call from the nonce are in their table depends on the last byte of those at hand.  It is one of
    /// 256 values by the blocks of a turn, with a turn for each.
    fn parameters_of_turns(&self, any: &[Bit]) -> Vec<Vec<Bit>> {
        if !self.case.from_nonce {
            return vec![any.to_vec()];
        }
        let blocks = turn_vectors(self.evex) * self.vector_len / 16;
        (0..256 / blocks).map(|turn| [&any[..96], &spec::num((blocks * turn) as u64, 8), &any[104..]].concat()).collect()
    }

    /// The counters of a call from the nonce: see "Counters" in aes_gcm_body.h.  They are DATA0 and so on, with the first round key
    /// added; BASE has the upper bytes of the last of them; and NEXT is where the last byte of the first one is in a table of 16
    /// bytes for each: 0 .. 255, or less than 0 if not all of them have the same upper bytes.  By blocks it counts from the table
    /// on.  NEXT_LAST is the last place from which a group's counters are in the table.  J0 and the lengths are in msg; with
    /// 16 registers E(J0).
    fn registers(&self, call: &mut Call, parameters: &[Bit]) -> Registers {
        if !self.case.from_nonce {
            return Registers::default();
        }
        let vector = self.vector_len;
        let group = self.group() * vector / 16;
        let (j0, done) = self.j0_and_done(parameters);
        let domain = &mut call.m.domain;
        let first = self.first_counter();
        let numbers: Vec<Vec<Bit>> = (first..first + group).map(|i| domain.add(&done, &spec::num(i as u64, 32))).collect();
        let block = |domain: &mut Domain, number: &[Bit]| {
            let block = [&j0[..96], &spec::bswap(number)].concat();
            spec::xorw(domain, &block, &self.keys[..128])
        };
        let lanes: Vec<Vec<Bit>> = numbers.iter().map(|number| block(domain, number)).collect();
        let data0 = self.vector(DATA0);
        let mut vectors: Vec<(usize, Vec<Bit>)> =
            lanes.chunks(vector as usize / 16).enumerate().map(|(i, lanes)| (data0 + i, lanes.concat())).collect();
        let lengths = kept_lengths(&call.function, &self.case, &self.num_bits(call, parameters));
        let memory = if self.evex {
            vec![(self.msg, MSG_J0, j0.clone()), (self.msg, MSG_NUM_BITS, lengths)]
        } else {
            let stream = spec::cipher(&mut call.m.domain, &self.keys, self.case.rounds, &j0, false);
            let (stream_at, lengths_at) = if self.by_blocks { (MSG_LONG_J0, MSG_LENGTHS) } else { (MSG_GROUP, MSG_NUM_BITS) };
            vec![(self.msg, stream_at, stream), (self.msg, lengths_at, lengths)]
        };
        if self.has_bases(call) {
            let (region, high) = self.high(call);
            let domain = &mut call.m.domain;
            let last_byte = domain.constant(&numbers[0][..8]);
            let lanes = numbers.iter().map(|number| match last_byte {
                Some(_) => block(domain, &[&number[..4], &[0; 4], &numbers[group as usize - 1][8..]].concat()),
                None => domain.vars("dead", 128),
            });
            let bases: Vec<Vec<Bit>> = lanes.collect();
            let bases = bases.chunks(4).map(|lanes| lanes.concat());
            vectors.extend([self.vector(BASE)].into_iter().chain(BASES).zip(bases));
            let words = match last_byte {
                Some(c) => {
                    let (line, h) = (c as i64 / 16, c as i64 % 16 / 4);
                    let line = if line == 15 { -1 } else { line };
                    let (first, last) = ([0, 0, 0, 32][h as usize], [32, 64, 64, 64][h as usize]);
                    let at = |t: i64| Word::Pointer(region, high + 64 * line + t);
                    vec![(HIGH, at(first)), (HIGH_LAST, at(last - 32))]
                }
                None => {
                    let mut word = || Word::Bits(Box::new(domain.named("next", 64).try_into().unwrap()));
                    vec![(HIGH, word()), (HIGH_LAST, word())]
                }
            };
            return Registers { vectors, words, memory };
        }
        let table = if self.by_blocks { None } else { Some(self.counters(call)) };
        let domain = &mut call.m.domain;
        let (base, next) = match domain.constant(&numbers[0][..8]) {
            Some(last_byte) => {
                let upper = [&[0; 8], &numbers[group as usize - 1][8..]].concat();
                let at = 16 * last_byte as i64;
                let next = if at > 16 * 256 - 16 * group { at - 16 * 256 } else { at };
                let next = match table {
                    Some((region, at)) => Word::Pointer(region, at + next),
                    None => Word::Number(next as u64),
                };
                (block(domain, &upper).repeat(vector as usize / 16), next)
            }
            None => (domain.vars("dead", 8 * vector as usize), Word::Bits(Box::new(domain.named("next", 64).try_into().unwrap()))),
        };
        vectors.push((self.vector(BASE), base));
        let mut words = vec![(NEXT, next)];
        words.extend(table.map(|(region, at)| (NEXT_LAST, Word::Pointer(region, at + 16 * 256 - 16 * group))));
        Registers { vectors, words, memory }
    }

    fn start(&self, call: &mut Call) -> Result<Option<u64>> {
        if !self.case.from_nonce && call.m.regions[self.msg as usize].pointers.is_empty() {
            self.joint.run_through(call, self.msg)
        } else {
            call.enter()
        }
    }

    fn first(&self, call: &mut Call, length: Word) -> Vec<Bit> {
        if self.case.from_nonce || self.case.aad_len > 0 {
            point_to_aad(&mut call.m, self.msg, self.aad, self.case.aad_len);
        }
        self.arguments(call, 0, length.clone());
        if self.case.from_nonce {
            let nonce = call.m.bytes(self.nonce, 0, 12);
            let len = self.length_as_data(call, &length);
            let parameters = [nonce, vec![0; 32], len, spec::num(self.case.aad_len as u64, 64)].concat();
            self.keep(call, &parameters);
            return parameters;
        }
        [call.m.bytes(self.msg, MSG_J0, 16), call.m.bytes(self.msg, MSG_NUM_DONE, 4)].concat()
    }

    fn enter(&self, call: &mut Call, parameters: &[Bit], done: usize, length: Word) {
        if self.case.from_nonce {
            point_to_aad(&mut call.m, self.msg, self.aad, 0);
            call.m.poke_bits(self.nonce, 0, &parameters[..96]);
            call.m.poke_bits(self.msg, MSG_HASH, &[0; 128]);
            self.length_as_data(call, &length);
            self.keep(call, parameters);
            return self.arguments(call, done, length);
        }
        call.m.poke_bits(self.msg, MSG_J0, &parameters[..128]);
        call.m.poke_bits(self.msg, MSG_NUM_DONE, &parameters[128..]);
        call.m.poke_bits(self.msg, MSG_HASH, &[0; 128]);
        self.arguments(call, done, length)
    }

    fn next(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) -> Vec<Bit> {
        let done_at = if self.case.from_nonce { 96 } else { 128 };
        let done = &parameters[done_at..done_at + 32];
        let done = call.m.domain.add(done, &spec::num(text.len() as u64 / 128, 32));
        [&parameters[..done_at], &done, &parameters[done_at + 32..]].concat()
    }

    fn output(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) -> Vec<Bit> {
        let (j0, done) = self.j0_and_done(parameters);
        spec::gcm::gctr(&mut call.m.domain, &self.keys, self.case.rounds, &j0, &done, text)
    }

    fn expect(&self, call: &mut Call, parameters: &[Bit], _text: &[Bit]) {
        if self.by_blocks {
            call.expect_anything(self.msg, MSG_GROUP, MSG_SIZE - MSG_GROUP) // what that is, is proved of each length
        } else if self.case.from_nonce {
            let ((j0, _), num_bits) = (self.j0_and_done(parameters), self.num_bits(call, parameters));
            expect_msg(call, &self.case, self.msg, &j0, &num_bits)
        }
        if !self.evex && !self.by_blocks {
            call.expect_anything(self.msg, MSG_GROUP, 16) // likewise
        }
        let (region, at) = self.case.result_at(self.msg, self.tag);
        call.expect_anything(region, at, 16);
        if self.case.late {
            // What that is, is proved of each length.
            call.expect_anything(self.msg, MSG_GROUP, 4 * self.vector_len as usize)
        }
    }

    fn begin(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) {
        call.m.domain.names.begin_call();
        self.blocks(call, parameters, false, text, false);
    }

    fn may_leave(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) {
        let (j0, done) = self.j0_and_done(parameters);
        let aad = call.m.bytes(self.aad, 0, self.case.aad_len);
        let num_bits = self.num_bits(call, parameters);
        for bits in [&aad, &num_bits, &done] {
            call.public(bits)
        }
        if self.case.from_nonce {
            let next = call.m.domain.named("next", 64);
            call.public(&next);
            call.public(&j0)
        }
        let len = text.len() / 8;
        may_leave_stream(call, &self.keys, self.case.rounds, &j0, &done, len, len)
    }

    fn check_carried(
        &self,
        call: &mut Call,
        parameters: &[Bit],
        before: Option<&[Vec<Bit>]>,
        text: &[Bit],
        after: &[Vec<Bit>],
    ) -> Result<()> {
        let blocks = self.blocks(call, parameters, before.is_none(), text, false);
        let before = self.hash_before(call, before);
        let after = self.weighted(after);
        is_ghash(&call.m.domain, &self.powers, &before, &blocks, &after, false)
    }

    fn check_returned(&self, call: &mut Call, parameters: &[Bit], carried: Option<&[Vec<Bit>]>, text: &[Bit]) -> Result<()> {
        let blocks = self.blocks(call, parameters, carried.is_none(), text, true);
        let before = self.hash_before(call, carried);
        let (region, at) = self.case.result_at(self.msg, self.tag);
        let mut result = call.m.bytes(region, at, 16);
        if self.case.last {
            let (j0, _) = self.j0_and_done(parameters);
            let stream = spec::cipher(&mut call.m.domain, &self.keys, self.case.rounds, &j0, false);
            result = spec::xorw(&mut call.m.domain, &result, &stream)
        }
        is_ghash(&call.m.domain, &self.powers, &before, &blocks, &[(result, 0)], true)
    }
}
