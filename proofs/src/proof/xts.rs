// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! lc_aes_xts_{encrypt,decrypt}_<row>(key, dst, src, len, tweak, how), contract in src/xts_internal.h and src/x86/aes_xts.S.
pub mod every_length;
pub mod many_units;
use super::*;
use crate::spec::{self, xts};

/// struct lc_xts_key
const KEY_TWEAK: usize = 0;
const KEY_ENC: usize = 240;
const KEY_ROUNDS: usize = 480;
const KEY_DEC: usize = 496;
const KEY_SIZE: usize = 736;
const SCHEDULE_SIZE: usize = 240;

/// struct lc_xts_units
const UNITS_LEN: usize = 16;
const UNITS_INDEX: usize = 24;
const UNITS_IV: usize = 32;
const UNITS_STEP: usize = 96;
const UNITS_TWEAK: usize = 144;
const UNITS_SIZE: usize = 400;

/// enum lc_xts_how
pub const RETURN_TWEAK: u32 = 1;
const ENCRYPTED: u32 = 2;
const UNITS: u32 = 4;

/// One data unit, or a piece of it
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub len: usize,
    pub how: u32,
}

/// Several data units, the last of which may be shorter
#[derive(Clone, Copy, Debug)]
pub struct Units {
    pub unit_len: usize,
    pub len: usize,
}

/// What all proofs of a job have in common
#[derive(Clone)]
pub struct Function {
    pub name: String,
    pub decrypt: bool,
    pub rounds: usize,
    pub in_place: bool,
}

pub fn jobs(image: &Image, effort: Effort, jobs: &mut Vec<Job>) {
    for (direction, decrypt) in [("encrypt", false), ("decrypt", true)] {
        let prefix = format!("lc_aes_xts_{direction}_");
        for row in rows(image, &prefix) {
            for (key_len, rounds) in spec::AES_ROUNDS {
                for in_place in [false, true] {
                    let function = Function { name: format!("{prefix}{row}"), decrypt, rounds, in_place };
                    let key = format!("AES-{}{}", 8 * key_len, if in_place { ", in place" } else { "" });
                    // All that a key's length decides is which rounds are done, and in place the order of loads and stores is
                    // another.
                    let usual = key_len == 32 && !in_place;
                    jobs.push(units_job(
                        &function,
                        &key,
                        match effort {
                            Effort::All if usual => all_units(),
                            Effort::Quick if !usual => few_units(),
                            _ => quick_units(),
                        },
                    ));
                    jobs.push(pieces_job(
                        &function,
                        &key,
                        match effort {
                            Effort::All => pieces(&(16..=1100).collect::<Vec<_>>(), &quick_lens()),
                            Effort::Quick if usual => pieces(&quick_lens(), &FEW_LENS),
                            Effort::Quick => pieces(&FEW_LENS, &FEW_LENS),
                        },
                    ));
                    if effort == Effort::All || usual {
                        jobs.push(every_length::job(&function, &key, effort));
                    }
                    if usual || effort == Effort::All && key_len == 16 && in_place {
                        jobs.push(many_units::job(&function, &key, effort));
                    }
                }
            }
        }
    }
}

/// Lengths modulo 16 of the proofs by induction.  In quick ones a whole number of blocks, and one that steals: which lengths go
/// ahead, and are run one by one, takes most of the time of all sixteen.
fn tails(effort: Effort) -> Vec<i64> {
    match effort {
        Effort::All => (0..16).collect(),
        Effort::Quick => vec![0, 11],
    }
}

fn tails_text(tails: &[i64]) -> String {
    match tails.len() {
        16 => "every length".into(),
        _ => format!("lengths {tails:?} mod 16"),
    }
}

fn pieces_job(function: &Function, key: &str, pieces: Vec<Piece>) -> Job {
    let this = function.clone();
    Job {
        function: function.name.clone(),
        case: format!("{key}, a unit or a piece"),
        lengths: lengths(&pieces.iter().map(|piece| piece.len).collect::<Vec<_>>()),
        parts: parts(pieces, move |image, domain, piece| prove_piece(image, domain, &this, piece)),
    }
}

fn units_job(function: &Function, key: &str, cases: Vec<Units>) -> Job {
    let this = function.clone();
    Job {
        function: function.name.clone(),
        case: format!("{key}, units"),
        lengths: lengths(&cases.iter().map(|case| case.len).collect::<Vec<_>>()),
        parts: parts(cases, move |image, domain, case| prove_units(image, domain, &this, case)),
    }
}

/// A unit, and the last piece of one, of each length in `lens`; the other two combinations at `other_lens`; and no data, only a
/// tweak.
fn pieces(lens: &[usize], other_lens: &[usize]) -> Vec<Piece> {
    let mut pieces = vec![];
    for (how, lens) in [(0, lens), (RETURN_TWEAK, other_lens), (ENCRYPTED, other_lens), (RETURN_TWEAK | ENCRYPTED, lens)] {
        if how & RETURN_TWEAK != 0 {
            pieces.push(Piece { len: 0, how });
        }
        pieces.extend(lens.iter().map(|&len| Piece { len, how }));
    }
    pieces
}

/// Single blocks, vectors, a group with a part of a vector after it, and a group with vectors; with stealing and without
const FEW_LENS: [usize; 7] = [16, 31, 64, 112, 300, 416, 463];

/// Lengths that take every path, whatever the row.  A row's loop does groups of 16 blocks at most, then come vectors, a part of
/// one, and single blocks.  So each number of blocks up to two groups and a part is taken, with a tail and without; and each
/// tail.
fn quick_lens() -> Vec<usize> {
    let mut lens = vec![];
    for blocks in 1..=35 {
        lens.push(16 * blocks);
        lens.push(16 * blocks + 1 + 7 * blocks % 15);
    }
    lens.extend(1 + 16..16 + 16);
    lens.sort_unstable();
    lens.dedup();
    lens
}

fn few_units() -> Vec<Units> {
    [(16, 5), (29, 5), (256, 3)].iter().map(|&(unit_len, num)| Units { unit_len, len: unit_len * num }).collect()
}

/// The ivs of 4, 8 or 16 units are encrypted at once, in a place that depends on whether units are multiples of a group (of 4, 8
/// or 16 blocks).  So: two such batches and the beginning of a third, of units that are a group for any row, for some rows, or
/// for none; with stealing in each unit; and with a last unit that is shorter.
fn quick_units() -> Vec<Units> {
    let mut cases = vec![Units { unit_len: 512, len: 40 }, Units { unit_len: 512, len: 256 }];
    for (unit_len, num_units, last) in
        [(16, 33, 16), (29, 33, 16), (64, 10, 16), (128, 10, 24), (256, 18, 255), (272, 3, 64), (300, 3, 16)]
    {
        cases.push(Units { unit_len, len: unit_len * num_units });
        cases.push(Units { unit_len, len: unit_len * (num_units - 1) + last });
    }
    cases
}

/// Besides: each number of units, and each length of the last one.
fn all_units() -> Vec<Units> {
    let mut cases = quick_units();
    for unit_len in [16, 31, 32, 48, 64, 65, 80] {
        cases.extend((1..=33).map(|num_units| Units { unit_len, len: unit_len * num_units }));
    }
    for unit_len in [128, 130, 192, 256] {
        cases.extend((1..=18).map(|num_units| Units { unit_len, len: unit_len * num_units }));
    }
    for unit_len in [64, 256] {
        cases.extend((16..unit_len).map(|last| Units { unit_len, len: 2 * unit_len + last }));
    }
    cases.extend([512, 520, 1100].map(|unit_len| Units { unit_len, len: 3 * unit_len }));
    cases
}

/// The call with its first four arguments
fn call_with_text<'a>(image: &'a Image, domain: Domain, function: &Function, len: usize) -> (Call<'a>, u32, u32, u32) {
    let mut call = Call::with(domain, image, &function.name);
    let key = call.m.region("key", KEY_SIZE, false, 16);
    call.m.poke(key, KEY_ROUNDS, function.rounds as u64, 4);
    let (src, dst) = call.text(len, function.in_place);
    call.pointer(key);
    call.pointer(dst);
    call.pointer(src);
    call.number(len as u64);
    (call, key, src, dst)
}

pub fn prove_piece(image: &Image, domain: Domain, function: &Function, piece: &Piece) -> Result<Machine> {
    let (mut call, key, src, dst) = call_with_text(image, domain, function, piece.len);
    let tweak = call.m.region("tweak", 16, piece.how & RETURN_TWEAK != 0, 1);
    call.pointer(tweak);
    call.number_32(piece.how);

    let (tweak_schedule, data_schedule) = schedules(&call.m, function, key);
    let data_key = xts::DataKey { schedule: &data_schedule, rounds: function.rounds, decrypt: function.decrypt };
    let (iv, text) = (call.m.bytes(tweak, 0, 16), call.m.bytes(src, 0, piece.len));
    let first = match piece.how & ENCRYPTED {
        0 => xts::first_tweak(&mut call.m.domain, &tweak_schedule, function.rounds, &iv),
        _ => iv,
    };
    let (out, next) = xts::unit(&mut call.m.domain, &data_key, &first, &text);
    call.expect(dst, 0, &out, "dst");
    call.may_leave(Place::LowVectors, &first);
    if piece.how & RETURN_TWEAK != 0 {
        if piece.len % 16 == 0 {
            call.expect(tweak, 0, &next, "the tweak returned");
        } else {
            call.expect_anything(tweak, 0, 16);
        }
    }
    call.run()?;
    Ok(call.m)
}

/// The schedule for tweaks, and that for data
fn schedules(machine: &Machine, function: &Function, key: u32) -> (Vec<Bit>, Vec<Bit>) {
    let data = if function.decrypt { KEY_DEC } else { KEY_ENC };
    (machine.bytes(key, KEY_TWEAK, SCHEDULE_SIZE), machine.bytes(key, data, SCHEDULE_SIZE))
}

pub fn prove_units(image: &Image, domain: Domain, function: &Function, case: &Units) -> Result<Machine> {
    let (mut call, key, src, dst) = call_with_text(image, domain, function, case.len);
    let units = call.m.region("units", UNITS_SIZE, true, 16);
    call.pointer(units);
    call.number_32(UNITS);
    call.m.poke(units, UNITS_LEN, case.unit_len as u64, 8);
    let ivs = ivs(&mut call.m.domain, 4 + (case.len / case.unit_len + 16) / 16 * 16);
    for (i, iv) in ivs[..4].iter().enumerate() {
        call.m.poke_bits(units, UNITS_IV + 16 * i, iv);
    }
    for (i, step) in steps(&mut call.m.domain).iter().enumerate() {
        call.m.poke_bits(units, UNITS_STEP + 16 * i, step);
        call.m.poke(units, UNITS_STEP + 16 * i + 8, 0, 8);
    }

    let (tweak_schedule, data_schedule) = schedules(&call.m, function, key);
    let data_key = xts::DataKey { schedule: &data_schedule, rounds: function.rounds, decrypt: function.decrypt };
    let text = call.m.bytes(src, 0, case.len);
    let mut out = vec![];
    for (unit, iv) in text.chunks(8 * case.unit_len).zip(&ivs) {
        let first = xts::first_tweak(&mut call.m.domain, &tweak_schedule, function.rounds, iv);
        out.extend(xts::unit(&mut call.m.domain, &data_key, &first, unit).0);
    }
    call.expect(dst, 0, &out, "dst");
    for name in IV_VARIABLES {
        let variables = call.m.domain.named(name, 64);
        call.public(&variables);
    }
    for iv in &ivs {
        let first = xts::first_tweak(&mut call.m.domain, &tweak_schedule, function.rounds, iv);
        call.may_leave(Place::LowVectors, &first);
    }
    call.expect_anything(units, UNITS_INDEX, 4);
    call.expect_anything(units, UNITS_IV, UNITS_STEP - UNITS_IV);
    call.expect_anything(units, UNITS_TWEAK, UNITS_SIZE - UNITS_TWEAK);
    call.run()?;

    // The caller wipes the tweaks.  So there may be none where it doesn't.
    for i in 0..4 {
        let left = call.m.bytes(units, UNITS_IV + 16 * i, 16);
        if !ivs.contains(&left) {
            return Err(format!("iv {i} in struct lc_xts_units isn't one of a later unit"));
        }
    }
    let index = call.m.bytes(units, UNITS_INDEX, 4);
    call.m.domain.constant(&index).ok_or("the index in struct lc_xts_units isn't a number")?;
    Ok(call.m)
}

/// What ivs are made of
const IV_VARIABLES: [&str; 3] = ["iv's high half", "iv's low half", "step"];

/// The ivs of that many units: the low half of each is `step` more than that of the one before.
fn ivs(domain: &mut Domain, num: usize) -> Vec<Vec<Bit>> {
    let [high, mut low, step] = IV_VARIABLES.map(|name| domain.named(name, 64));
    let mut ivs = vec![];
    for _ in 0..num {
        ivs.push([&low[..], &high[..]].concat());
        low = domain.add(&low, &step);
    }
    ivs
}

/// step, 2 * step, 4 * step
fn steps(domain: &mut Domain) -> [Vec<Bit>; 3] {
    let step = domain.named("step", 64);
    let twice = domain.twice(&step);
    let four_times = domain.twice(&twice);
    [step, twice, four_times]
}
