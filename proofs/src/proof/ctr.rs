// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! lc_aes_ctr_<row>(key, dst, src, len, iv), contract in src/ctr_internal.h.
use super::*;
use crate::induction::*;
use crate::spec;

const KEY_ROUNDS: usize = 240;
const KEY_DISTANCE: usize = 244;
const KEY_SIZE: usize = 256;
const LONGEST: usize = 1100;

pub fn jobs(image: &Image, effort: Effort, jobs: &mut Vec<Job>) {
    let lens: Vec<usize> = if effort == Effort::All { (1..=LONGEST).collect() } else { quick_lens() };
    for row in rows(image, "lc_aes_ctr_") {
        for (key_len, rounds) in spec::AES_ROUNDS {
            for in_place in [false, true] {
                let (row, lens) = (row.clone(), lens.clone());
                jobs.push(Job {
                    function: format!("lc_aes_ctr_{row}"),
                    case: format!("AES-{}{}", 8 * key_len, if in_place { ", in place" } else { "" }),
                    lengths: lengths(&lens),
                    parts: parts(lens, move |image, domain, &len| prove(image, domain, &row, rounds, len, in_place)),
                });
            }
            if key_len == 32 {
                let (row, lens) = (row.clone(), quick_lens().into_iter().filter(|&len| len >= 16).collect::<Vec<_>>());
                jobs.push(Job {
                    function: format!("lc_aes_ctr_{row}"),
                    case: format!("AES-{}, the iv in dst", 8 * key_len),
                    lengths: lengths(&lens),
                    parts: parts(lens, move |image, domain, &len| prove_iv_in_dst(image, domain, &row, rounds, len)),
                });
            }
            for in_place in [false, true] {
                if effort == Effort::All || key_len == 32 && !in_place {
                    let row = row.clone();
                    jobs.push(Job {
                        function: format!("lc_aes_ctr_{row}"),
                        case: format!("AES-{}{}", 8 * key_len, if in_place { ", in place" } else { "" }),
                        lengths: "every length".into(),
                        parts: whole(move |image| prove_every_length(image, &row, rounds, in_place)),
                    })
                }
            }
        }
    }
}

/// Lengths that take every path, whatever the row: each that is less than two of the widest vectors, so each part of a vector, and
/// then some with each number of vectors left after no, one or two groups.  (A group is 8 vectors of 64 bytes at most.)
fn quick_lens() -> Vec<usize> {
    (1..128).chain((128..LONGEST).step_by(29)).collect()
}

pub fn prove(image: &Image, domain: Domain, row: &str, rounds: usize, len: usize, in_place: bool) -> Result<Machine> {
    let mut call = set_up(image, domain, row, rounds, len, in_place);
    call.run()?;
    Ok(call.m)
}

/// The number of rounds, and what follows from it: round 1's key is in slot 1, too.
pub fn set_rounds(m: &mut Machine, key: u32, rounds: usize) {
    m.poke(key, KEY_ROUNDS, rounds as u64, 4);
    m.poke(key, KEY_DISTANCE, (16 * (rounds as u64 - 2)).wrapping_neg(), 4);
    let first = m.bytes(key, 16 * (15 - rounds), 16);
    m.poke_bits(key, 16, &first)
}

fn set_up<'a>(image: &'a Image, domain: Domain, row: &str, rounds: usize, len: usize, in_place: bool) -> Call<'a> {
    let mut call = Call::with(domain, image, &format!("lc_aes_ctr_{row}"));
    let key = call.m.region("key", KEY_SIZE, false, 16);
    set_rounds(&mut call.m, key, rounds);
    let (src, dst) = call.text(len, in_place);
    let iv = call.m.region("iv", 16, false, 1);
    call.pointer(key);
    call.pointer(dst);
    call.pointer(src);
    call.number(len as u64);
    call.pointer(iv);
    let (keys, text, counter) = (call.m.bytes(key, 0, 240), call.m.bytes(src, 0, len), call.m.bytes(iv, 0, 16));
    let want = spec::ctr(&mut call.m.domain, &keys, rounds, &counter, &text);
    call.expect(dst, 0, &want, "dst");

    may_leave(&mut call, &keys, rounds, &counter, len);
    call
}

/// The counter is public.  Key stream that the text has no use for stays in lower vectors, up to the end of a vector.
fn may_leave(call: &mut Call, keys: &[Bit], rounds: usize, counter: &[Bit], len: usize) {
    call.public(counter);
    let (whole, part) = (len / 64 * 64, len % 64);
    if part > 0 {
        let counter = spec::ctr::counter(&mut call.m.domain, counter, whole / 16);
        let stream = spec::ctr(&mut call.m.domain, keys, rounds, &counter, &[0; 8 * 64]);
        call.may_leave(Place::LowVectors, &stream[8 * part..]);
    }
}

/// The same call with the iv's 16 bytes at the beginning of dst: it has to be read before anything is written.
fn prove_iv_in_dst(image: &Image, domain: Domain, row: &str, rounds: usize, len: usize) -> Result<Machine> {
    let mut call = set_up(image, domain, row, rounds, len, false);
    let (dst, iv) = match (&call.m.regs[RSI], &call.m.regs[R8]) {
        (Word::Pointer(dst, 0), Word::Pointer(iv, 0)) => (*dst, *iv),
        arguments => return Err(format!("dst and iv are {arguments:?}")),
    };
    let counter = call.m.bytes(iv, 0, 16);
    call.m.poke_bits(dst, 0, &counter);
    call.m.regs[R8] = Word::Pointer(dst, 0);
    call.run()?;
    Ok(call.m)
}

/// The loop of groups.  The only parameter is the counter.
pub struct Loop {
    text: Text,
    key: u32,
    iv: u32,
    keys: Vec<Bit>,
    rounds: usize,
}

fn prove_every_length(image: &Image, row: &str, rounds: usize, in_place: bool) -> Result<usize> {
    let (mut call, groups) = looping(image, row, rounds, in_place);
    every_length(&mut call, &groups)
}

pub fn looping<'a>(image: &'a Image, row: &str, rounds: usize, in_place: bool) -> (Call<'a>, Loop) {
    let mut call = Call::new(image, &format!("lc_aes_ctr_{row}"));
    let key = call.m.region("key", KEY_SIZE, false, 16);
    set_rounds(&mut call.m, key, rounds);
    let text = Text::new(&mut call, in_place);
    let iv = call.m.region("iv", 16, false, 1);
    let keys = call.m.bytes(key, 0, 240);
    (call, Loop { text, key, iv, keys, rounds })
}

impl Looping for Loop {
    fn lengths(&self) -> Interval {
        Interval { least: 1, most: i64::MAX, step: 1 }
    }

    fn text(&self) -> &Text {
        &self.text
    }

    fn first(&self, call: &mut Call, length: Word) -> Vec<Bit> {
        let counter = call.m.bytes(self.iv, 0, 16);
        self.enter(call, &counter, 0, length);
        counter
    }

    fn enter(&self, call: &mut Call, counter: &[Bit], done: usize, length: Word) {
        let (dst, src) = self.text.at(done);
        call.m.poke_bits(self.iv, 0, counter);
        call.pointer(self.key);
        call.argument(dst);
        call.argument(src);
        call.argument(length);
        call.pointer(self.iv);
    }

    fn next(&self, call: &mut Call, counter: &[Bit], text: &[Bit]) -> Vec<Bit> {
        spec::ctr::counter(&mut call.m.domain, counter, text.len() / 128)
    }

    fn output(&self, call: &mut Call, counter: &[Bit], text: &[Bit]) -> Vec<Bit> {
        spec::ctr(&mut call.m.domain, &self.keys, self.rounds, counter, text)
    }

    fn may_leave(&self, call: &mut Call, counter: &[Bit], text: &[Bit]) {
        may_leave(call, &self.keys, self.rounds, counter, text.len() / 8)
    }
}
