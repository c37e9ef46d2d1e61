// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! GCM at every length, by induction: see induction.rs.
//!
//! What is carried from turn to turn is a hash in parts: lanes A[0] .. A[g - 1], of which the hash so far is
//!
//!      A[0] * H^g + A[1] * H^(g - 1) + .. + A[g - 1] * H
//!
//! That is so after a first group: A[i] is its block i, and the hash before is added to A[0].  So it is known which lanes they are,
//! and which power each has.  Then they may be anything.  A turn and an exit have to make of them what GHASH makes of that sum.
//!
//! Calls with AAD of any length come to the text as a call without AAD does.  So that this is enough, such a call forgets there
//! what is different for them: see every_aad_length.rs.
use super::every_aad_length::Joint;
use super::*;
use crate::induction::*;

/// LC_GCM_MAX_LEN
const MAX_LEN: i64 = (1 << 36) - 32;

/// The loop of groups.  Parameters are J0 and num_done.
pub struct Groups {
    lengths: Interval,
    /// What is added to them
    tail: i64,
    vector_len: Option<i64>,
    text: Rc<Text>,
    joint: Rc<Joint>,
    case: Case,
    key: u32,
    aad: u32,
    msg: u32,
    keys: Vec<Bit>,
    powers: Rc<Powers>,
}

/// Texts with AAD of `case` and those other lengths
pub(super) fn job(function: String, case: Case, others: Vec<usize>) -> Job {
    let place = if case.in_place { ", in place" } else { "" };
    let how = if case.last { "whole messages" } else { "streams" };
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

/// A row with EVEX takes groups of four vectors, of so many bytes.  It does first what isn't a whole number of groups: so each
/// length modulo a group has a proof of its own.
fn vector_len(function: &str) -> Option<i64> {
    match function {
        _ if function.ends_with("avx512_512") => Some(64),
        _ if function.ends_with("avx512_256") => Some(32),
        _ => None,
    }
}

fn prove(image: &Image, function: &str, case: Case, others: &[usize]) -> Result<usize> {
    let mut proofs = 0;
    for (lengths, tail) in classes(function, case) {
        let (mut call, first, others) = loops(image, function, case, others, lengths, tail)?;
        proofs += every_length_of_calls(&mut call, &first, &others).map_err(|e| format!("{tail} mod {}: {e}", lengths.step))?;
    }
    Ok(proofs)
}

/// All lengths, in classes that have a proof each: an interval, and what is added to it
pub fn classes(function: &str, case: Case) -> Vec<(Interval, i64)> {
    let step = if case.last { 1 } else { 16 };
    match vector_len(function) {
        Some(len) => {
            let group = 4 * len;
            let class = |tail: i64| (Interval { least: 0, most: (MAX_LEN - tail) & -group, step: group }, tail);
            (0..group).step_by(step as usize).map(class).collect()
        }
        None => vec![(Interval { least: 0, most: MAX_LEN, step }, 0)],
    }
}

/// A call with AAD as in `case`, and such calls with AAD of other lengths
pub fn loops<'a>(
    image: &'a Image,
    function: &str,
    case: Case,
    others: &[usize],
    lengths: Interval,
    tail: i64,
) -> Result<(Call<'a>, Groups, Vec<Groups>)> {
    let mut call = Call::new(image, function);
    let (key, powers) = key_region(&mut call.m, function, case.rounds);
    let text = Rc::new(Text::new(&mut call, case.in_place));
    let joint = Rc::new(Joint::find(image, function)?);
    let msg = call.m.region("msg", MSG_SIZE, true, 8);
    let keys = call.m.bytes(key, 0, 240);
    let vector_len = vector_len(function);
    let mut groups = |aad_len: usize| {
        let aad = call.m.region(&format!("aad of {aad_len} bytes"), aad_len, false, 1);
        let (text, joint, case, keys, powers) =
            (text.clone(), joint.clone(), Case { aad_len, ..case }, keys.clone(), powers.clone());
        Groups { lengths, tail, vector_len, text, joint, case, key, aad, msg, keys, powers }
    };
    let (first, others) = (groups(case.aad_len), others.iter().map(|&aad_len| groups(aad_len)).collect());
    Ok((call, first, others))
}

impl Groups {
    fn arguments(&self, call: &mut Call, done: usize, length: Word) {
        let (dst, src) = self.text.at(done);
        call.pointer(self.key);
        call.argument(dst);
        call.argument(src);
        call.argument(length);
        call.pointer(self.msg);
        call.number_32(self.case.last as u32);
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
        let lengths = spec::bswap(&call.m.bytes(self.msg, MSG_NUM_BITS, 16));
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
            Some(lanes) => weighted(lanes).map(|(lane, weight)| (lane.iter().rev().copied().collect(), weight)).collect(),
            None => vec![(spec::gcm::polynomial(&self.first_hash(call)), 0)],
        }
    }

    /// The variables that are msg->hash when the function is called
    fn first_hash(&self, call: &Call) -> Vec<Bit> {
        call.m.domain.known("msg")[8 * MSG_HASH..8 * MSG_HASH + 128].to_vec()
    }
}

/// Lanes with their exponents of H
fn weighted(lanes: &[Vec<Bit>]) -> impl Iterator<Item = (&Vec<Bit>, usize)> {
    lanes.iter().enumerate().map(move |(i, lane)| (lane, lanes.len() - i))
}

impl Looping for Groups {
    fn lengths(&self) -> Interval {
        self.lengths
    }

    fn residue(&self) -> i64 {
        self.tail
    }

    /// With EVEX, the loop is entered with more than eight vectors, but goes on while there are more than four after the head,
    /// which does one to four.
    fn least_left(&self) -> Option<i64> {
        let vector = self.vector_len?;
        let head = (self.tail + 4 * vector - 1) / vector % 4 + 1;
        (0..4).map(|n| n * 4 * vector).find(|x| x + self.tail - head * vector > 4 * vector)
    }

    /// With EVEX: TO_HASH0 to TO_HASH3.  After a head of fewer vectors the first ones are 0.
    fn carried_at(&self) -> Option<Vec<(usize, usize)>> {
        let lanes = self.vector_len? as usize / 16;
        Some((0..4 * lanes).map(|i| (4 + i / lanes, i % lanes)).collect())
    }

    fn text(&self) -> &Text {
        &self.text
    }

    fn start(&self, call: &mut Call) -> Result<Option<u64>> {
        if call.m.regions[self.msg as usize].pointers.is_empty() {
            self.joint.run_through(call, self.msg)
        } else {
            call.enter()
        }
    }

    fn first(&self, call: &mut Call, length: Word) -> Vec<Bit> {
        if self.case.aad_len > 0 {
            point_to_aad(&mut call.m, self.msg, self.aad, self.case.aad_len);
        }
        self.arguments(call, 0, length);
        [call.m.bytes(self.msg, MSG_J0, 16), call.m.bytes(self.msg, MSG_NUM_DONE, 4)].concat()
    }

    fn enter(&self, call: &mut Call, parameters: &[Bit], done: usize, length: Word) {
        call.m.poke_bits(self.msg, MSG_J0, &parameters[..128]);
        call.m.poke_bits(self.msg, MSG_NUM_DONE, &parameters[128..]);
        call.m.poke_bits(self.msg, MSG_HASH, &[0; 128]);
        self.arguments(call, done, length)
    }

    fn next(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) -> Vec<Bit> {
        let (j0, done) = parameters.split_at(128);
        let done = call.m.domain.add(done, &spec::num(text.len() as u64 / 128, 32));
        [j0, &done].concat()
    }

    fn output(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) -> Vec<Bit> {
        let (j0, done) = parameters.split_at(128);
        spec::gcm::gctr(&mut call.m.domain, &self.keys, self.case.rounds, j0, done, text)
    }

    fn expect(&self, call: &mut Call, _parameters: &[Bit], _text: &[Bit]) {
        call.expect_anything(self.msg, MSG_HASH, 16)
    }

    fn begin(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) {
        call.m.domain.names.begin_call();
        self.blocks(call, parameters, false, text, false);
    }

    fn may_leave(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) {
        let (j0, done) = parameters.split_at(128);
        let aad = call.m.bytes(self.aad, 0, self.case.aad_len);
        let num_bits = call.m.bytes(self.msg, MSG_NUM_BITS, 16);
        for bits in [&aad[..], &num_bits, done] {
            call.public(bits)
        }
        let len = text.len() / 8;
        may_leave_stream(call, &self.keys, self.case.rounds, j0, done, len, len)
    }

    fn carried(&self, call: &mut Call, parameters: &[Bit], begun: &[Bit]) -> Vec<Vec<Bit>> {
        let ciphertext = self.ciphertext(call, parameters, begun);
        ciphertext.chunks(128).map(spec::bswap).collect()
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
        let after: Vec<Part> = weighted(after).map(|(lane, weight)| (lane.clone(), weight)).collect();
        is_ghash(&call.m.domain, &self.powers, &before, &blocks, &after, false)
    }

    fn check_returned(&self, call: &mut Call, parameters: &[Bit], carried: Option<&[Vec<Bit>]>, text: &[Bit]) -> Result<()> {
        let blocks = self.blocks(call, parameters, carried.is_none(), text, true);
        let before = self.hash_before(call, carried);
        let mut result = call.m.bytes(self.msg, MSG_HASH, 16);
        if self.case.last {
            let stream = spec::cipher(&mut call.m.domain, &self.keys, self.case.rounds, &parameters[..128], false);
            result = spec::xorw(&mut call.m.domain, &result, &stream)
        }
        is_ghash(&call.m.domain, &self.powers, &before, &blocks, &[(result, 0)], true)
    }
}
