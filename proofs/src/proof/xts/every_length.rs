// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! XTS at every length of a unit or of a piece, by induction: see induction.rs.
use super::*;
use crate::induction::*;

/// LC_XTS_MAX_LEN
const MAX_LEN: i64 = 1 << 24;

/// The loop of groups.  The parameter is the tweak of the next block.
pub struct Groups {
    text: Text,
    function: Function,
    key: u32,
    tweak: u32,
    tweak_schedule: Vec<Bit>,
    data_schedule: Vec<Bit>,
    how: u32,
    /// Length modulo 16
    tail: i64,
}

pub(super) fn job(function: &Function, key: &str, effort: Effort) -> Job {
    let this = function.clone();
    let tails = tails(effort);
    Job {
        function: function.name.clone(),
        case: format!("{key}, a unit or a piece"),
        lengths: tails_text(&tails),
        parts: whole(move |image| {
            let mut proofs = 0;
            for how in [0, RETURN_TWEAK, ENCRYPTED, RETURN_TWEAK | ENCRYPTED] {
                for &tail in &tails {
                    proofs += prove(image, &this, how, tail).map_err(|e| format!("how = {how}, length = {tail} mod 16: {e}"))?;
                }
            }
            Ok(proofs)
        }),
    }
}

fn prove(image: &Image, function: &Function, how: u32, tail: i64) -> Result<usize> {
    let (mut call, groups) = looping(image, function, how, tail);
    every_length(&mut call, &groups)
}

pub fn looping<'a>(image: &'a Image, function: &Function, how: u32, tail: i64) -> (Call<'a>, Groups) {
    let mut call = Call::new(image, &function.name);
    let key = call.m.region("key", KEY_SIZE, false, 16);
    call.m.poke(key, KEY_ROUNDS, function.rounds as u64, 4);
    let text = Text::new(&mut call, function.in_place);
    let tweak = call.m.region("tweak", 16, how & RETURN_TWEAK != 0, 1);
    let (tweak_schedule, data_schedule) = schedules(&call.m, function, key);
    let function = function.clone();
    (call, Groups { text, function, key, tweak, tweak_schedule, data_schedule, how, tail })
}

impl Groups {
    fn arguments(&self, call: &mut Call, done: usize, length: Word, how: u32) {
        let (dst, src) = self.text.at(done);
        call.pointer(self.key);
        call.argument(dst);
        call.argument(src);
        call.argument(length);
        call.pointer(self.tweak);
        call.number_32(how);
    }

    /// Output, and the tweak after it
    fn unit(&self, call: &mut Call, tweak: &[Bit], text: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
        let (schedule, rounds, decrypt) = (&self.data_schedule[..], self.function.rounds, self.function.decrypt);
        xts::unit(&mut call.m.domain, &xts::DataKey { schedule, rounds, decrypt }, tweak, text)
    }
}

/// The least X before a group.  Units that come to the loop may be longer: 512-bit code has short ones done by 256-bit code, or, if
/// they end by stealing, two vectors by two.  If it encrypts, and has 512 or 128 bits, a group may have the block with which
/// stealing begins; but with 128 bits not the only group of a unit.
pub(super) fn least_claim(function: &Function, tail: i64, group: i64) -> i64 {
    group + if tail > 0 && (function.decrypt || group == 128) { 16 } else { 0 }
}

impl Looping for Groups {
    fn lengths(&self) -> Interval {
        Interval { least: 16, most: MAX_LEN - if self.tail > 0 { 16 } else { 0 }, step: 16 }
    }

    fn residue(&self) -> i64 {
        self.tail
    }

    fn least_claim(&self, _looped: Interval, group: i64) -> i64 {
        least_claim(&self.function, self.tail, group)
    }

    fn text(&self) -> &Text {
        &self.text
    }

    fn first(&self, call: &mut Call, length: Word) -> Vec<Bit> {
        self.arguments(call, 0, length, self.how);
        let tweak = call.m.bytes(self.tweak, 0, 16);
        match self.how & ENCRYPTED {
            0 => xts::first_tweak(&mut call.m.domain, &self.tweak_schedule, self.function.rounds, &tweak),
            _ => tweak,
        }
    }

    fn enter(&self, call: &mut Call, tweak: &[Bit], done: usize, length: Word) {
        call.m.poke_bits(self.tweak, 0, tweak);
        self.arguments(call, done, length, self.how | ENCRYPTED);
    }

    fn next(&self, call: &mut Call, tweak: &[Bit], text: &[Bit]) -> Vec<Bit> {
        self.unit(call, tweak, text).1
    }

    fn output(&self, call: &mut Call, tweak: &[Bit], text: &[Bit]) -> Vec<Bit> {
        self.unit(call, tweak, text).0
    }

    fn may_leave(&self, call: &mut Call, tweak: &[Bit], _text: &[Bit]) {
        call.may_leave(Place::LowVectors, tweak)
    }

    fn expect(&self, call: &mut Call, tweak: &[Bit], text: &[Bit]) {
        if self.how & RETURN_TWEAK == 0 {
            return;
        }
        if self.tail == 0 {
            let next = self.next(call, tweak, text);
            call.expect(self.tweak, 0, &next, "the tweak returned");
        } else {
            call.expect_anything(self.tweak, 0, 16);
        }
    }
}
