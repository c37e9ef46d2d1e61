// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! ChaCha20, RFC 8439.  A state is 16 words of 32 bits, little-endian, so its bits are in the order of memory.
use super::*;

const WORD: usize = 32;
/// Bits in a block, and in a state
pub const BLOCK: usize = 16 * WORD;
/// Where a state has the number of its block
const COUNT: usize = 12;

type Words = Vec<Vec<Bit>>;

fn words(state: &[Bit]) -> Words {
    state.chunks(WORD).map(|word| word.to_vec()).collect()
}

fn rotate_left(word: &mut [Bit], places: usize) {
    word.rotate_right(places); // the least significant bit is first
}

/// 2.1: the quarter round, on the words a, b, c, d of a state
fn quarter_round(domain: &mut Domain, state: &mut Words, [a, b, c, d]: [usize; 4]) {
    for (to, from, mixed, places) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        state[to] = domain.add(&state[to], &state[from]);
        state[mixed] = xorw(domain, &state[mixed], &state[to]);
        rotate_left(&mut state[mixed], places);
    }
}

/// 2.3: inner_block(), a round of columns and one of diagonals
fn double_round(domain: &mut Domain, state: &mut Words) {
    for column in 0..4 {
        quarter_round(domain, state, [column, 4 + column, 8 + column, 12 + column]);
    }
    for first in 0..4 {
        quarter_round(domain, state, [first, 4 + (first + 1) % 4, 8 + (first + 2) % 4, 12 + (first + 3) % 4]);
    }
}

/// 2.3: the block function, from the state that it begins with
pub fn block(domain: &mut Domain, state: &[Bit]) -> Vec<Bit> {
    let first = words(state);
    let mut mixed = first.clone();
    for _ in 0..10 {
        double_round(domain, &mut mixed);
    }
    (0..16).flat_map(|i| domain.add(&mixed[i], &first[i])).collect()
}

/// 2.3: the state of the block that is so many after this one.  Numbers are modulo 2^32.
pub fn blocks_after(domain: &mut Domain, state: &[Bit], blocks: usize) -> Vec<Bit> {
    let mut after = words(state);
    after[COUNT] = domain.add(&after[COUNT], &num(blocks as u64, WORD));
    after.concat()
}

/// 2.4: the text xored with the key stream, which begins with this state's block
pub fn encrypt(domain: &mut Domain, state: &[Bit], text: &[Bit]) -> Vec<Bit> {
    let mut out = vec![];
    for (i, part) in text.chunks(BLOCK).enumerate() {
        let state = blocks_after(domain, state, i);
        let stream = block(domain, &state);
        out.extend(xorw(domain, part, &stream[..part.len()]));
    }
    out
}

/// 2.1.1, 2.3.2, 2.4.2: the examples
pub fn known_answers() -> Result<(), String> {
    const CONSTANTS: &str = "657870616e642033322d62797465206b";
    const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let mut domain = Domain::new();

    let mut four = words(&hex("1111111104030201436f8d9b67452301"));
    quarter_round(&mut domain, &mut four, [0, 1, 2, 3]);
    known_answer(&mut domain, "RFC 8439, 2.1.1", &four.concat(), "f4922aeacef81ccb2e478145bbc48158")?;

    let state = hex(&[CONSTANTS, KEY, "01000000", "000000090000004a00000000"].concat());
    let stream = block(&mut domain, &state);
    let expected = "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e\
                    d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e";
    known_answer(&mut domain, "RFC 8439, 2.3.2", &stream, expected)?;

    let state = hex(&[CONSTANTS, KEY, "01000000", "000000000000004a00000000"].concat());
    let plaintext = "Ladies and Gentlemen of the class of '99: \
                     If I could offer you only one tip for the future, sunscreen would be it.";
    let plaintext: Vec<Bit> = plaintext.bytes().flat_map(|byte| num(byte.into(), 8)).collect();
    let ciphertext = encrypt(&mut domain, &state, &plaintext);
    let expected = "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab\
                    8f593dabcd62b3571639d624e65152ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e\
                    52bc514d16ccf806818ce91ab77937365af90bbf74a35be6b40b8eedf2785e42874d";
    known_answer(&mut domain, "RFC 8439, 2.4.2", &ciphertext, expected)
}

#[test]
fn examples() {
    known_answers().unwrap()
}
