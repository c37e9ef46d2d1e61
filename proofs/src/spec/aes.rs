// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! AES and its key expansion, FIPS 197.  The S-box is an uninterpreted function of 8 bits, and a whole middle round one of 128
//! bits: what is proved then holds whatever these functions are, so also for AES's.
use super::*;

/// FIPS 197, table 3: bytes of the key, rounds
pub const AES_ROUNDS: [(usize, usize); 3] = [(16, 10), (24, 12), (32, 14)];

const BLOCK: usize = 128;
const WORD: usize = 32;
/// Slots of a schedule as src/aes.h lays it out
const SLOTS: usize = 15;

/// Where round key i of so many rounds and one more is: the whitening key first, the last round's last, and a gap after the first.
fn slot(i: usize, rounds: usize) -> usize {
    if i == 0 {
        0
    } else {
        SLOTS - 1 - rounds + i
    }
}

fn round_key(schedule: &[Bit], i: usize, rounds: usize) -> &[Bit] {
    &schedule[BLOCK * slot(i, rounds)..][..BLOCK]
}

/// CIPHER() of section 5.1; dec: EQINVCIPHER() of 5.3.5, whose schedule is another one.
pub fn cipher(domain: &mut Domain, schedule: &[Bit], rounds: usize, block: &[Bit], dec: bool) -> Vec<Bit> {
    let mut state = xorw(domain, block, round_key(schedule, 0, rounds));
    for i in 1..rounds {
        state = domain.aes_round(if dec { Op::AesDec } else { Op::AesEnc }, &state, round_key(schedule, i, rounds))
    }
    let last = if dec {
        domain.node(Op::AesDecLast, &state, BLOCK, "")
    } else {
        let substituted = sub_bytes(domain, &state);
        shift_rows(&substituted)
    };
    xorw(domain, &last, round_key(schedule, rounds, rounds))
}

/// SUBBYTES(), 5.1.1, and SUBWORD(): the S-box on each byte
fn sub_bytes(domain: &mut Domain, bytes: &[Bit]) -> Vec<Bit> {
    bytes.chunks(8).flat_map(|byte| domain.node(Op::SBox, byte, 8, "")).collect()
}

/// SHIFTROWS(), 5.1.2.  Byte 4 * column + row is in that column and row; row r moves r places.
fn shift_rows(state: &[Bit]) -> Vec<Bit> {
    let byte = |column: usize, row: usize| &state[8 * (4 * column + row)..][..8];
    (0..16).flat_map(|i| byte((i / 4 + i % 4) % 4, i % 4).to_vec()).collect()
}

/// A byte times a number in AES's field, 4.2: times x is XTIMES(), and a product the sum of those by powers of x.
fn times(domain: &mut Domain, byte: &[Bit], factor: u8) -> Vec<Bit> {
    let mut product = vec![0; 8];
    let mut power = byte.to_vec();
    for i in 0..8 {
        if factor >> i & 1 == 1 {
            product = xorw(domain, &product, &power);
        }
        power = x_times(domain, &power);
    }
    product
}

/// XTIMES(), 4.2.1: x^8 is x^4 + x^3 + x + 1.
fn x_times(domain: &mut Domain, byte: &[Bit]) -> Vec<Bit> {
    let top = byte[7];
    (0..8)
        .map(|i| match i {
            0 => top,
            1 | 3 | 4 => domain.xor(byte[i - 1], top),
            _ => byte[i - 1],
        })
        .collect()
}

/// INVMIXCOLUMNS(), 5.3.3
fn inv_mix_columns(domain: &mut Domain, state: &[Bit]) -> Vec<Bit> {
    let mut mixed = vec![];
    for column in state.chunks(WORD) {
        for row in 0..4 {
            let mut sum = vec![0; 8];
            for (i, byte) in column.chunks(8).enumerate() {
                let product = times(domain, byte, [0x0e, 0x0b, 0x0d, 0x09][(i + 4 - row) % 4]);
                sum = xorw(domain, &sum, &product);
            }
            mixed.extend(sum);
        }
    }
    mixed
}

/// KEYEXPANSION(), 5.2: the round keys one after the other
pub fn key_expansion(domain: &mut Domain, key: &[Bit], rounds: usize) -> Vec<Bit> {
    let num_words = key.len() / WORD;
    let mut words: Vec<Vec<Bit>> = key.chunks(WORD).map(|word| word.to_vec()).collect();
    let mut rcon = num(1, 8);
    for i in num_words..4 * (rounds + 1) {
        let mut word = words[i - 1].clone();
        if i % num_words == 0 {
            word.rotate_left(8);
            word = sub_bytes(domain, &word);
            let sum = xorw(domain, &word[..8], &rcon);
            word[..8].copy_from_slice(&sum);
            rcon = x_times(domain, &rcon);
        } else if num_words > 6 && i % num_words == 4 {
            word = sub_bytes(domain, &word);
        }
        words.push(xorw(domain, &words[i - num_words], &word));
    }
    words.concat()
}

/// KEYEXPANSIONEIC(), 5.3.5, from the other: its round keys from last to first, all but the outer two by INVMIXCOLUMNS()
pub fn inverse_expansion(domain: &mut Domain, round_keys: &[Bit]) -> Vec<Bit> {
    let last = round_keys.len() / BLOCK - 1;
    let mut inverse = vec![];
    for (i, round_key) in round_keys.chunks(BLOCK).rev().enumerate() {
        inverse.extend(if i == 0 || i == last { round_key.to_vec() } else { inv_mix_columns(domain, round_key) });
    }
    inverse
}

/// Round keys as src/aes.h lays them out; unused slots are zeros.
pub fn schedule(round_keys: &[Bit]) -> Vec<Bit> {
    let rounds = round_keys.len() / BLOCK - 1;
    let mut slots = vec![0; BLOCK * SLOTS];
    for (i, round_key) in round_keys.chunks(BLOCK).enumerate() {
        slots[BLOCK * slot(i, rounds)..][..BLOCK].copy_from_slice(round_key);
    }
    slots
}

/// The schedules for both directions from a key's digits, for known answers
pub fn schedules(domain: &mut Domain, key: &str) -> (Vec<Bit>, Vec<Bit>, usize) {
    let rounds = key.len() / 8 + 6;
    let enc = key_expansion(domain, &hex(key), rounds);
    let dec = inverse_expansion(domain, &enc);
    (schedule(&enc), schedule(&dec), rounds)
}

/// Appendices A.1 to A.3: the last round key, which depends on all of them.  C.1 to C.3: a block, there and back.
pub fn known_answers() -> Result<(), String> {
    let mut domain = Domain::new();
    for (key, last) in [
        ("2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6"),
        ("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202"),
        ("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "fe4890d1e6188d0b046df344706c631e"),
    ] {
        let (enc, _, _) = schedules(&mut domain, key);
        known_answer(&mut domain, "FIPS 197, A", &enc[BLOCK * (SLOTS - 1)..], last)?;
    }
    let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let plaintext = "00112233445566778899aabbccddeeff";
    for (key_len, ciphertext) in [
        (16, "69c4e0d86a7b0430d8cdb78070b4c55a"),
        (24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
        (32, "8ea2b7ca516745bfeafc49904b496089"),
    ] {
        let (enc, dec, rounds) = schedules(&mut domain, &key[..2 * key_len]);
        let block = cipher(&mut domain, &enc, rounds, &hex(plaintext), false);
        known_answer(&mut domain, "FIPS 197, C", &block, ciphertext)?;
        let block = cipher(&mut domain, &dec, rounds, &hex(ciphertext), true);
        known_answer(&mut domain, "FIPS 197, C, inverse", &block, plaintext)?;
    }
    Ok(())
}

#[test]
fn examples() {
    known_answers().unwrap()
}
