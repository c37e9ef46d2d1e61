// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! The standards, over the same terms, written on their own.
pub mod aes;
pub mod chacha20;
pub mod ctr;
pub mod gcm;
pub mod poly1305;
pub mod xts;
use crate::domain::*;
pub use aes::{cipher, AES_ROUNDS};
pub use ctr::ctr;

pub fn xorw(c: &mut Domain, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    a.iter().zip(b).map(|(&x, &y)| c.xor(x, y)).collect()
}

pub fn bswap(w: &[Bit]) -> Vec<Bit> {
    w.chunks(8).rev().flatten().copied().collect()
}
pub fn num(x: u64, n: usize) -> Vec<Bit> {
    (0..n).map(|i| (x >> i & 1) as u32).collect()
}

/// The bits of a standard's example
pub fn hex(digits: &str) -> Vec<Bit> {
    let byte = |i| u64::from_str_radix(&digits[i..i + 2], 16).unwrap();
    (0..digits.len()).step_by(2).flat_map(|i| num(byte(i), 8)).collect()
}

/// Bits whose value is known have the value that a standard's example says.
pub fn known_answer(domain: &mut Domain, example: &str, bits: &[Bit], digits: &str) -> Result<(), String> {
    let got: String = bits.chunks(8).map(|byte| format!("{:02x}", domain.eval_word(byte))).collect();
    if got == digits {
        Ok(())
    } else {
        Err(format!("{example}: {got} instead of {digits}"))
    }
}

/// The standards' own examples.  A proof is worth no more than the definition that it compares with.
pub fn known_answers() -> Result<(), String> {
    aes::known_answers()?;
    ctr::known_answers()?;
    poly1305::known_answers()?;
    xts::known_answers()?;
    gcm::known_answers()?;
    chacha20::known_answers()
}
