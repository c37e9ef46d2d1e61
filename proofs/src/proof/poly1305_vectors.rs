// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! lc_poly1305_blocks_<row>(state, msg, len, pad) with vectors, contract in src/poly1305_internal.h.
//!
//! What a call leaves in the state's powers, the next one uses.  So there is a contract about them, too.  num_powers is 0, n or 2
//! n, where a group is n blocks, and never becomes less.  If it is 0, the call has left nothing in powers.  Otherwise there are r
//! .. r^n and, if it is 2 n, r^2n: limbs within bounds, whose sum is congruent to the power.  A call has to do with any such
//! limbs (`put_powers`), and has to leave such limbs (`check_powers`).
//!
//! That no sum overflows its lane is a part of each proof: the machine takes no sum of which it doesn't know that (integers.rs).
mod every_length;
use super::poly1305::{Accumulator, STATE_BLOCK, STATE_H, STATE_SIZE};
use super::*;
use crate::integers::widened;
use crate::residue::*;
use crate::spec;

/// struct lc_poly1305_state; h and r are an Accumulator's.
const STATE_NUM_POWERS: usize = 84;
const STATE_POWERS: usize = 96;
const H_SIZE: usize = 24;
const BLOCK_LEN: usize = 16;

/// A power of r in the state: where each limb is, and 5 times it if that is there, too, in `limb_len` bytes
struct Power {
    exponent: u32,
    limbs: Vec<usize>,
    times_5: Vec<Option<usize>>,
    limb_len: usize,
}

/// How an implementation keeps the powers
struct Layout {
    function: &'static str,
    /// num_powers if there are powers for one group, of so many blocks, and if there are those for two as well
    group: u32,
    /// Where a limb stands in a number, in bits
    places: &'static [usize],
    /// What a limb is below
    bounds: &'static [u128],
    /// As many as num_powers says
    powers: fn(u32) -> Vec<Power>,
    /// In the loop for two groups: of which power of r each lane is to be multiplied by in the end,
    lanes: &'static [u32],
    /// what the lanes' limbs are below, which are in vectors 0, 1 and so on: in the first group, the hash added, and after
    /// carrying, as poly1305.S says ("Bounds"),
    first_bounds: &'static [u128],
    carried_bounds: &'static [u128],
    /// and which vectors don't change.
    kept: &'static [usize],
}

/// The scalar code makes the powers, with h[2] <= 4: the top limb has 24 bits and that.
const AVX2: Layout = Layout {
    function: "lc_poly1305_blocks_avx2",
    group: 4,
    places: &[0, 26, 52, 78, 104],
    bounds: &[1 << 26, 1 << 26, 1 << 26, 1 << 26, 5 << 24],
    powers: |num_powers| {
        let power = |exponent, base: usize, step: usize, limb_len| Power {
            exponent,
            limbs: (0..5).map(|i| base + step * i).collect(),
            times_5: (0..5).map(|i| if i > 0 { Some(base + step * (4 + i)) } else { None }).collect(),
            limb_len,
        };
        let mut powers = vec![];
        if num_powers >= 4 {
            powers.extend(AVX2.lanes.iter().enumerate().map(|(lane, &e)| power(e, STATE_POWERS + 8 * lane, 32, 8)))
        }
        if num_powers >= 8 {
            powers.push(power(8, STATE_POWERS + 288, 4, 4))
        }
        powers
    },
    lanes: &[4, 2, 3, 1],
    first_bounds: &[1 << 28; 5],
    carried_bounds: &[(1 << 26) + (1 << 11); 5],
    kept: &[],
};

/// r .. r^4 are from the scalar code: 40 bits and h[2] <= 4 in the top limb.  The others are carried: 16 and 11 bits are for what
/// that adds.
const IFMA: Layout = Layout {
    function: "lc_poly1305_blocks_avx512_ifma",
    group: 8,
    places: &[0, 44, 88],
    bounds: &[(1 << 44) + (1 << 16), (1 << 44) + (1 << 11), 5 << 40],
    powers: |num_powers| {
        let power = |exponent, base: usize, step: usize| Power {
            exponent,
            limbs: (0..3).map(|i| base + step * i).collect(),
            times_5: vec![None; 3],
            limb_len: 8,
        };
        let mut powers = vec![];
        if num_powers >= 8 {
            powers.extend(IFMA.lanes.iter().enumerate().map(|(lane, &e)| power(e, STATE_POWERS + 8 * lane, 64)))
        }
        if num_powers >= 16 {
            powers.push(power(16, STATE_POWERS + 192, 8))
        }
        powers
    },
    lanes: &[8, 4, 7, 3, 6, 2, 5, 1],
    first_bounds: &[1 << 45, 1 << 45, 10 << 40],
    carried_bounds: &[(1 << 44) + (1 << 16), (1 << 44) + (1 << 11), (1 << 42) + (1 << 11)],
    kept: &[15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
};

pub fn jobs(image: &Image, effort: Effort, jobs: &mut Vec<Job>) {
    let longest = if effort == Effort::All { 1104 } else { 640 };
    for layout in [&AVX2, &IFMA] {
        if !image.functions.contains_key(layout.function) {
            continue;
        }
        for num_powers in [0, layout.group, 2 * layout.group] {
            let mut job = |case: &str, lengths: String, parts: Vec<Part>| {
                let case = format!("{num_powers} powers, {case}");
                jobs.push(Job { function: layout.function.into(), case, lengths, parts })
            };
            for pad in [1, 0] {
                let lengths = (BLOCK_LEN..=longest).step_by(BLOCK_LEN);
                let mut all =
                    parts(lengths, move |image, domain, &len| prove(Setup::new(image, domain, layout, num_powers, len)?, len, pad));
                all.extend(parts(["in the state"], move |image, domain, _| {
                    prove(Setup::in_state(image, domain, layout, num_powers)?, BLOCK_LEN, pad)
                }));
                job(&format!("pad {pad}"), format!("16, 32 .. {longest}"), all);
            }
            job("pad 1", "every length".into(), whole(move |image| every_length::prove(image, layout, num_powers)));
        }
    }
}

fn prove(mut setup: Setup, len: usize, pad: u64) -> Result<Machine> {
    setup.pass(Word::Number(len as u64), pad);
    setup.call.run()?;
    let before = setup.accumulator.before.clone();
    setup.check_state(&before, len, pad)?;
    Ok(setup.call.m)
}

/// A call, and what it is about
struct Setup<'a> {
    call: Call<'a>,
    /// h and r
    accumulator: Accumulator,
    layout: &'static Layout,
    state: u32,
    /// The region of the message, and where it begins there
    msg: (u32, usize),
    /// Before the call
    num_powers: u32,
    powers: Vec<Bit>,
}

impl<'a> Setup<'a> {
    fn new(image: &'a Image, domain: Domain, layout: &'static Layout, num_powers: u32, msg_len: usize) -> Result<Setup<'a>> {
        let mut call = Call::with(domain, image, layout.function);
        let state = call.m.region("state", STATE_SIZE, true, 16);
        let msg = call.m.region("msg", msg_len, false, 1);
        let mut accumulator = Accumulator::new(&mut call.m, state, 0)?;
        put_powers(&mut call.m, &mut accumulator.field, state, layout, num_powers)?;
        let powers = call.m.bytes(state, STATE_POWERS, STATE_SIZE - STATE_POWERS);
        Ok(Setup { call, accumulator, layout, state, msg: (msg, 0), num_powers, powers })
    }

    /// The message is the block that the state keeps because it wasn't whole.
    fn in_state(image: &'a Image, domain: Domain, layout: &'static Layout, num_powers: u32) -> Result<Setup<'a>> {
        let setup = Setup::new(image, domain, layout, num_powers, 0)?;
        Ok(Setup { msg: (setup.state, STATE_BLOCK), ..setup })
    }

    /// The arguments
    fn pass(&mut self, len: Word, pad: u64) {
        self.call.again();
        self.call.pointer(self.state);
        self.call.argument(Word::Pointer(self.msg.0, self.msg.1 as i64));
        self.call.argument(len);
        self.call.number(pad);
        self.call.expect_anything(self.state, STATE_H, H_SIZE);
        self.call.expect_anything(self.state, STATE_NUM_POWERS, 4);
        self.call.expect_anything(self.state, STATE_POWERS, STATE_SIZE - STATE_POWERS);
    }

    /// What becomes of a hash by the first bytes of the message
    fn hash_after(&self, hash: &Polynomial, len: usize, pad: u64) -> Result<Polynomial> {
        let msg = self.call.m.bytes(self.msg.0, self.msg.1, len);
        spec::poly1305::blocks(&self.accumulator.field, &self.call.m.domain, hash.clone(), &msg, pad)
    }

    /// After the call for so many bytes, when the hash was `before`: what of the state may be anything is right.
    fn check_state(&mut self, before: &Polynomial, len: usize, pad: u64) -> Result<()> {
        let num_powers = check_powers(&mut self.call.m, &mut self.accumulator.field, self.state, self.layout)?;
        if num_powers < self.num_powers {
            return Err(format!("num_powers has become {num_powers}"));
        }
        if num_powers == 0 {
            // Then nobody wipes the powers.
            let left = self.call.m.bytes(self.state, STATE_POWERS, STATE_SIZE - STATE_POWERS);
            same(&self.call.m, &left, &self.powers, "powers, though num_powers is 0")?
        }
        let want = self.hash_after(before, len, pad)?;
        self.accumulator.check(&self.call.m, &want)
    }
}

/// num_powers, and powers that an earlier call may have left
fn put_powers(m: &mut Machine, field: &mut Field, state: u32, layout: &Layout, num_powers: u32) -> Result<()> {
    m.poke(state, STATE_NUM_POWERS, num_powers as u64, 4);
    for power in (layout.powers)(num_powers) {
        let mut limbs = vec![];
        for (i, &at) in power.limbs.iter().enumerate() {
            let limb = widened(&m.domain.number(&format!("r^{}, limb {i}", power.exponent), layout.bounds[i] - 1));
            m.poke_bits(state, at, &limb[..8 * power.limb_len]);
            if let Some(at) = power.times_5[i] {
                let times_5 = five_times(&mut m.domain, &limb);
                m.poke_bits(state, at, &times_5[..8 * power.limb_len])
            }
            limbs.push(limb)
        }
        let words: Vec<(usize, &[Bit])> = layout.places.iter().copied().zip(limbs.iter().map(|l| &l[..])).collect();
        field.declare(&m.domain, &words, power.exponent)?
    }
    Ok(())
}

/// num_powers and the powers are as the next call wants them; num_powers
fn check_powers(m: &mut Machine, field: &mut Field, state: u32, layout: &Layout) -> Result<u32> {
    let num_powers = m.domain.constant(&m.bytes(state, STATE_NUM_POWERS, 4)).ok_or("num_powers")? as u32;
    if ![0, layout.group, 2 * layout.group].contains(&num_powers) {
        return Err(format!("num_powers is {num_powers}"));
    }
    let mut powers = (layout.powers)(num_powers);
    powers.sort_by_key(|power| power.exponent);
    for power in powers {
        let name = format!("r^{}", power.exponent);
        let limbs: Vec<[Bit; 64]> = power.limbs.iter().map(|&at| widened(&m.bytes(state, at, power.limb_len))).collect();
        for (i, limb) in limbs.iter().enumerate() {
            if m.domain.bound(limb) >= layout.bounds[i] {
                return Err(format!("{name}, limb {i}: may be up to {:x}", m.domain.bound(limb)));
            }
            if let Some(at) = power.times_5[i] {
                let times_5 = five_times(&mut m.domain, limb);
                same(m, &m.bytes(state, at, power.limb_len), &times_5[..8 * power.limb_len], &format!("{name}, 5 times limb {i}"))?
            }
        }
        let words: Vec<(usize, &[Bit])> = layout.places.iter().copied().zip(limbs.iter().map(|l| &l[..])).collect();
        let got = field.number(&m.domain, &words)?;
        field.congruent(&m.domain, &got, &Polynomial::power_of_r(power.exponent), &name)?;
        field.declare(&m.domain, &words, power.exponent)?
    }
    Ok(num_powers)
}

fn five_times(domain: &mut Domain, limb: &[Bit]) -> [Bit; 64] {
    let times_4 = [&[0, 0], limb].concat();
    widened(&domain.plus(&[limb, &times_4[..64]]))
}
