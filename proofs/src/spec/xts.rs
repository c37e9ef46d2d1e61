// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! XTS-AES, IEEE 1619-2018, clause 5, for data units of whole bytes.
use super::*;

const BLOCK: usize = 128;

/// What is done to a data unit's blocks
pub struct DataKey<'a> {
    /// Key1's schedule for the direction
    pub schedule: &'a [Bit],
    pub rounds: usize,
    pub decrypt: bool,
}

/// 5.2, multiplication by the primitive element: bit k of byte i is the coefficient of x^(8 * i + k), and x^128 is
/// x^7 + x^2 + x + 1.
pub fn times_alpha(domain: &mut Domain, tweak: &[Bit]) -> Vec<Bit> {
    let top = tweak[BLOCK - 1];
    (0..BLOCK)
        .map(|i| match i {
            0 => top,
            1 | 2 | 7 => domain.xor(tweak[i - 1], top),
            _ => tweak[i - 1],
        })
        .collect()
}

/// Block 0's tweak: the iv, by Key2
pub fn first_tweak(domain: &mut Domain, schedule: &[Bit], rounds: usize, iv: &[Bit]) -> Vec<Bit> {
    cipher(domain, schedule, rounds, iv, false)
}

/// 5.3.1 and 5.4.1: one block
fn block(domain: &mut Domain, key: &DataKey, tweak: &[Bit], text: &[Bit]) -> Vec<Bit> {
    let masked = xorw(domain, text, tweak);
    let block = cipher(domain, key.schedule, key.rounds, &masked, key.decrypt);
    xorw(domain, &block, tweak)
}

/// 5.3.2 and 5.4.2: a data unit, or a piece of one, from a block on whose tweak is given.  Besides the output, the tweak of the
/// block after the last whole one, from where the unit's next piece goes on.
pub fn unit(domain: &mut Domain, key: &DataKey, tweak: &[Bit], text: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let whole = text.len() / BLOCK * BLOCK;
    let (text, tail) = text.split_at(whole);
    let mut out = vec![];
    let mut tweaks = vec![tweak.to_vec()];
    for (i, text) in text.chunks(BLOCK).enumerate() {
        tweaks.push(times_alpha(domain, &tweaks[i]));
        out.extend(block(domain, key, &tweaks[i], text));
    }
    let next = &tweaks[tweaks.len() - 1];
    if !tail.is_empty() {
        // Stealing: the last whole block becomes the unit's tail and, with the rest of it, another block in its own place.
        let last = &tweaks[tweaks.len() - 2];
        let (first, second) = if key.decrypt { (next, last) } else { (last, next) };
        let stolen = block(domain, key, first, &text[whole - BLOCK..]);
        let filled = [tail, &stolen[tail.len()..]].concat();
        out.truncate(whole - BLOCK);
        out.extend(block(domain, key, second, &filled));
        out.extend_from_slice(&stolen[..tail.len()]);
    }
    (out, next.clone())
}

/// Annex B: whole blocks (vectors 2 and 10) and each length of tail that it has (15 to 18), there and back
pub fn known_answers() -> Result<(), String> {
    const BYTES: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    const FOURS: &str = "4444444444444444444444444444444444444444444444444444444444444444";
    const STEALING: (&str, &str, &str) =
        ("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0", "bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", "9a785634120000000000000000000000");
    let mut domain = Domain::new();
    for ((key1, key2, iv), plaintext, ciphertext) in [
        (
            ("11111111111111111111111111111111", "22222222222222222222222222222222", "33333333330000000000000000000000"),
            FOURS,
            "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0",
        ),
        (
            (
                "2718281828459045235360287471352662497757247093699959574966967627",
                "3141592653589793238462643383279502884197169399375105820974944592",
                "ff000000000000000000000000000000",
            ),
            BYTES,
            "1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b",
        ),
        (STEALING, &BYTES[..34], "6c1625db4671522d3d7599601de7ca09ed"),
        (STEALING, &BYTES[..36], "d069444b7a7e0cab09e24447d24deb1fedbf"),
        (STEALING, &BYTES[..38], "e5df1351c0544ba1350b3363cd8ef4beedbf9d"),
        (STEALING, &BYTES[..40], "9d84c813f719aa2c7be3f66171c7c5c2edbf9dac"),
    ] {
        let (enc, dec, rounds) = aes::schedules(&mut domain, key1);
        let (tweak_schedule, _, _) = aes::schedules(&mut domain, key2);
        let tweak = first_tweak(&mut domain, &tweak_schedule, rounds, &hex(iv));
        for (schedule, decrypt, from, to) in [(&enc, false, plaintext, ciphertext), (&dec, true, ciphertext, plaintext)] {
            let (out, _) = unit(&mut domain, &DataKey { schedule, rounds, decrypt }, &tweak, &hex(from));
            known_answer(&mut domain, "IEEE 1619, annex B", &out, to)?;
        }
    }
    Ok(())
}

#[test]
fn examples() {
    known_answers().unwrap()
}
