// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! GCM with AAD of every length from 17 or 49 bytes on, by induction: see induction.rs.  (Less AAD may be hashed together with
//! the text, and such calls are proved one by one.)
//!
//! The AAD is hashed before the code looks at the text's length for the first time.  That place is the joint of two proofs.  Here
//! it is proved that a call with AAD comes to it in the same state as a call without, except that the hash is another: that
//! before the call, and AAD after it.  What else differs in registers, and msg's members for the AAD, the other proof, that of
//! the text, forgets at the joint.  All it knows of these registers is which bits are public, AAD for instance; others have to be
//! gone when the function returns.  Until the joint nothing is known of the text's length and its pointers, so it is the same for
//! all of them.
use super::*;
use crate::induction::*;

/// LC_GCM_MAX_AAD_LEN
const MAX_LEN: i64 = (1 << 61) - 1;

/// Where the text begins
pub struct Joint {
    pub address: u64,
    /// What calls with and without AAD have in common there; not the hash
    pub live: Live,
    /// What is public there, after AAD or without
    pub clean: Vec<Vec<bool>>,
    /// Vector and lane of the hash so far
    pub hash: (usize, usize),
}

impl Joint {
    /// It is where a call without AAD can't go on if the length isn't known.  What calls have in common is seen by those with some
    /// AAD.
    pub fn find(image: &Image, function: &str) -> Result<Joint> {
        let mut call = Call::new(image, function);
        let batches = Batches::new(&mut call, true, 0);
        let begin = call.m.save();
        batches.pass(&mut call, 0, Word::Number(0));
        if call.enter().is_ok() {
            return Err("a call without AAD doesn't need the text's length".into());
        }
        let (address, without) = (call.m.at, call.m.save());
        let hash = place_of(&without, &spec::bswap(&batches.hash))?;
        call.m.end = Some(address);
        let mut clean = call.clean(&without);
        let mut live: Option<Live> = None;
        for len in SOME_AAD {
            call.m.restore(&begin);
            call.again();
            batches.pass(&mut call, 0, Word::Number(len));
            call.enter()?;
            let with = call.m.save();
            clean = both_clean(&clean, &call.clean(&with));
            let agreeing = Live::agreeing(&without, &with, |region| region == batches.aad.src as usize);
            live = Some(match live {
                Some(live) => live.and(&agreeing),
                None => agreeing,
            });
        }
        let live = live.ok_or("no AAD")?.without_bytes(batches.msg, MSG_AAD, 16).without_lane(hash);
        if live.num_dead_bytes() != 16 {
            return Err("after AAD, memory is another".into());
        }
        Ok(Joint { address, live, clean, hash })
    }

    /// From the entry to the end of a call without AAD, all other arguments having been passed; here it forgets.
    pub fn run_through(&self, call: &mut Call, msg: u32) -> Result<Option<u64>> {
        let aad = call.m.bytes(msg, MSG_AAD, 16);
        call.m.poke_bits(msg, MSG_AAD, &[0; 128]);
        self.run_to(call)?;
        let known = call.m.save();
        let mut state = known.clone();
        self.live.forget_registers(&mut state, &mut call.m.domain);
        let public = clean_bits(&call.m, &self.clean, &known, &state);
        call.m.public.extend(public.iter().flat_map(|(_, bits)| bits));
        let (vector, lane) = self.hash;
        let at = 128 * lane..128 * (lane + 1);
        state.vectors[vector][at.clone()].copy_from_slice(&call.m.vectors[vector][at]);
        call.m.restore(&state);
        call.m.poke_bits(msg, MSG_AAD, &aad);
        call.m.end = None;
        call.m.resume(call.image, self.address)
    }

    /// From the entry to here, all arguments having been passed
    fn run_to(&self, call: &mut Call) -> Result<()> {
        call.m.end = Some(self.address);
        match call.enter()? {
            None => Ok(()),
            Some(at) => Err(format!("stopped at {at:x} before the text")),
        }
    }
}

/// A batch or two (of 288, 304 or 576 bytes), some with a block more or four, and some with a part of one
const SOME_AAD: [u64; 6] = [304, 576, 592, 608, 620, 640];

/// The loop of batches
struct Batches {
    aad: Text,
    joint: Option<Rc<Joint>>,
    powers: Rc<Powers>,
    last: bool,
    key: u32,
    msg: u32,
    /// Nothing is known of the text.
    dst_src_len: [Vec<Bit>; 3],
    /// The hash before the call
    hash: Vec<Bit>,
    /// Length modulo 16
    tail: i64,
    /// AAD of up to so many bytes is hashed together with the text.
    kept: i64,
    /// A batch has whole blocks; a part of one that is left is a batch of its own.
    by_blocks: bool,
}

pub fn job(function: String, effort: Effort) -> Job {
    Job {
        function: function.clone(),
        case: "AAD".into(),
        lengths: format!("every length from {} on", kept(&function) + 1),
        parts: whole(move |image| {
            let mut proofs = 0;
            let joint = Rc::new(Joint::find(image, &function)?);
            for last in [true, false] {
                // What isn't everything has no end, and ends that are loaded in different ways.
                for tail in (0..16).filter(|tail| effort == Effort::All || (last && matches!(tail, 0 | 1 | 3 | 6 | 13))) {
                    let mut call = Call::new(image, &function);
                    let mut batches = Batches::new(&mut call, last, tail);
                    batches.joint = Some(joint.clone());
                    proofs += every_length(&mut call, &batches).map_err(|e| format!("{tail} mod 16: {e}"))?;
                }
            }
            Ok(proofs)
        }),
    }
}

/// What a row hashes together with a piece of text: at most a block of AAD, or what leaves a lane of a vector free
pub fn kept(function: &str) -> i64 {
    if function.contains("avx512_512") {
        48
    } else {
        16
    }
}

impl Batches {
    fn new(call: &mut Call, last: bool, tail: i64) -> Batches {
        let (key, powers) = key_region(&mut call.m, &call.function.clone(), 14);
        let aad = Text::input(call, "aad");
        let bits = call.m.regions[aad.src as usize].bytes.concat();
        call.public(&bits);
        let msg = call.m.region("msg", MSG_SIZE, true, 16);
        let hash = call.m.bytes(msg, MSG_HASH, 16);
        let dst_src_len = ["dst", "src", "len"].map(|name| call.m.domain.vars(name, 64));
        let (kept, by_blocks) = (kept(&call.function), is_by_blocks(&call.function));
        Batches { aad, joint: None, powers, last, key, msg, dst_src_len, hash, tail, kept, by_blocks }
    }

    fn pass(&self, call: &mut Call, done: usize, length: Word) {
        match length {
            Word::Number(length) => call.m.poke(self.msg, MSG_AAD_LEN, length, 8),
            length => call.m.poke_ptr(self.msg, MSG_AAD_LEN as i64, length),
        }
        call.m.poke_ptr(self.msg, MSG_AAD as i64, self.aad.at(done).1);
        call.pointer(self.key);
        for bits in &self.dst_src_len {
            call.argument(Word::Bits(Box::new(bits.clone().try_into().unwrap())));
        }
        call.pointer(self.msg);
        call.number_32(self.last as u32);
    }
}

impl Looping for Batches {
    fn lengths(&self) -> Interval {
        let least = if self.tail > 0 { self.kept } else { self.kept + 16 };
        Interval { least, most: (MAX_LEN - self.tail) & -16, step: 16 }
    }

    fn residue(&self) -> i64 {
        self.tail
    }

    fn claims(&self) -> Option<Claims> {
        let least = if self.tail > 0 && !self.by_blocks { 0 } else { 16 };
        let lengths = Interval { least, ..self.lengths() };
        Some(Claims { lengths, some: 16, period: 16 })
    }

    fn text(&self) -> &Text {
        &self.aad
    }

    fn start(&self, call: &mut Call) -> Result<Option<u64>> {
        call.m.end = self.joint.as_ref().map(|joint| joint.address);
        call.enter()
    }

    fn first(&self, call: &mut Call, length: Word) -> Vec<Bit> {
        self.pass(call, 0, length);
        self.hash.clone()
    }

    /// The parameter is the hash so far.
    fn enter(&self, call: &mut Call, hash: &[Bit], done: usize, length: Word) {
        call.m.poke_bits(self.msg, MSG_HASH, hash);
        self.pass(call, done, length);
    }

    /// In the loop the hash is carried by a register, and this one isn't used any more.
    fn next(&self, _call: &mut Call, hash: &[Bit], _text: &[Bit]) -> Vec<Bit> {
        hash.to_vec()
    }

    fn output(&self, _call: &mut Call, _hash: &[Bit], text: &[Bit]) -> Vec<Bit> {
        text.to_vec()
    }

    fn carried(&self, _call: &mut Call, hash: &[Bit], _begun: &[Bit]) -> Vec<Vec<Bit>> {
        vec![spec::bswap(hash)]
    }

    fn begin(&self, call: &mut Call, _hash: &[Bit], _text: &[Bit]) {
        call.m.domain.names.begin_call();
    }

    /// The text's proof takes for a secret what differs after AAD.
    fn check_leftovers(&self, _call: &mut Call, _before: &State) -> Result<()> {
        Ok(())
    }

    fn check_carried(
        &self,
        call: &mut Call,
        hash: &[Bit],
        before: Option<&[Vec<Bit>]>,
        text: &[Bit],
        after: &[Vec<Bit>],
    ) -> Result<()> {
        let before = before.map_or(hash.to_vec(), |before| spec::bswap(&before[0]));
        let before = [(spec::gcm::polynomial(&before), 0)];
        let blocks = spec::gcm::hashed_blocks(text, &[], None);
        is_ghash(&call.m.domain, &self.powers, &before, &blocks, &[(after[0].clone(), 0)], false)
    }

    /// The text begins.
    fn check_returned(&self, call: &mut Call, hash: &[Bit], carried: Option<&[Vec<Bit>]>, text: &[Bit]) -> Result<()> {
        let joint = self.joint.as_ref().ok_or("no joint")?;
        let with = call.m.save();
        self.check_carried(call, hash, carried, text, &lanes_at(&with, &[joint.hash]))?;
        call.again();
        self.enter(call, hash, 0, Word::Number(0));
        call.check_clean(&joint.clean, &with)?;
        joint.run_to(call)?;
        joint.live.compare(&call.m, &with, &call.m.save())?;
        // From here on it is a call without AAD, of which the text's proof has these.
        checked(Property::Convention);
        checked(Property::Wiping);
        Ok(())
    }
}
