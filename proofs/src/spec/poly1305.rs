// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Poly1305, RFC 8439, section 2.5.  Numbers are little-endian, so their bits are in the order of memory.
//!
//! The accumulator is a number modulo p = 2^130 - 5, and a polynomial in what isn't known.  Two ways to compute it are the same if
//! the polynomials are congruent (residue.rs).
use super::*;
use crate::integers::widened;
use crate::residue::*;

const BLOCK: usize = 128;
/// The most that the upper word of h may be for tag(): 7 * 2^128 - 1 is below 2 p.
pub const MOST_H2: u128 = 6;

/// 2.5: r, the first half of the key, of which some bits have to be clear
pub fn clamp(r: &[Bit]) -> Vec<Bit> {
    let mut r = r.to_vec();
    for byte in [3, 7, 11, 15] {
        r[8 * byte + 4..8 * byte + 8].fill(0); // the top four bits
    }
    for byte in [4, 8, 12] {
        r[8 * byte..8 * byte + 2].fill(0); // the bottom two bits
    }
    r
}

/// 2.5.1: for each block, add it with a 1 after it, then multiply by r.  A last block that isn't whole has got its 1 and zeros from
/// the caller, and then pad is 0.
pub fn accumulate(
    field: &Field,
    domain: &Domain,
    h: Polynomial,
    r: &Polynomial,
    msg: &[Bit],
    pad: u64,
) -> Result<Polynomial, String> {
    let mut h = h;
    for block in msg.chunks(BLOCK) {
        h.add(Residue::ONE, &field.number(domain, &[(0, block), (BLOCK, &[pad as Bit])])?);
        h = h.times(r);
    }
    Ok(h)
}

/// The same, where r is called r
pub fn blocks(field: &Field, domain: &Domain, h: Polynomial, msg: &[Bit], pad: u64) -> Result<Polynomial, String> {
    accumulate(field, domain, h, &Polynomial::power_of_r(1), msg, pad)
}

/// 2.5.1, at the end: (h mod p) + s, the lowest 128 bits of it.
///
/// h is in words of 64 bits and isn't reduced, but below 2 p.  So it is p or more just if h + 5 reaches 2^130, and then h - p is
/// h + 5 - 2^130.
pub fn tag(domain: &mut Domain, h: [&[Bit]; 3], s: &[Bit]) -> Result<Vec<Bit>, String> {
    if domain.bound(h[2]) > MOST_H2 {
        return Err("the accumulator may be above 2 * p".into());
    }
    let (plus_5, reaches) = add(domain, &[h[0], h[1], h[2]], &[&num(5, 64), &[], &[]]);
    let above = &reaches[2..3]; // 2^130
    let mut reduced = vec![];
    for i in 0..2 {
        reduced.push((0..64).map(|j| domain.select(above[0], plus_5[i][j], h[i][j])).collect::<Vec<Bit>>());
    }
    let (sum, _) = add(domain, &[&reduced[0], &reduced[1], &[]], &[&s[..64], &s[64..], &[]]);
    Ok(sum.concat())
}

/// The sum of two numbers of three words: two words of it, and the third
fn add(domain: &mut Domain, a: &[&[Bit]; 3], b: &[&[Bit]; 3]) -> (Vec<[Bit; 64]>, [Bit; 64]) {
    let (mut words, mut carry) = (vec![], vec![]);
    for (a, b) in a.iter().zip(b) {
        let sum = domain.plus(&[a, b, &carry]);
        carry = sum.get(64..).unwrap_or(&[]).to_vec();
        words.push(widened(&sum));
    }
    let last = words.pop().unwrap();
    (words, last)
}

/// The whole of 2.5.1 for a message whose bits are known
fn mac(domain: &mut Domain, key: &[Bit], msg: &[Bit]) -> Result<Vec<Bit>, String> {
    let (r, s) = key.split_at(BLOCK);
    let field = Field::default();
    let r = field.number(domain, &[(0, &clamp(r))])?;
    let mut h = Polynomial::default();
    for block in msg.chunks(BLOCK) {
        let mut padded = [block, &[1]].concat();
        padded.resize(BLOCK + 1, 0);
        h = accumulate(&field, domain, h, &r, &padded[..BLOCK], padded[BLOCK].into())?;
    }
    let h = h.constant_bits().ok_or("an unknown message")?;
    tag(domain, [&h[..64], &h[64..128], &h[128..]], s)
}

/// 2.5.2; A.3, where sums and products come to p and beyond; and the last reduction, of which these see only one side
pub fn known_answers() -> Result<(), String> {
    let mut domain = Domain::new();
    let zeros = "00000000000000000000000000000000";
    let two = "02000000000000000000000000000000";
    for (example, r, s, msg, expected) in [
        (
            "2.5.2",
            "85d6be7857556d337f4452fe42d506a8",
            "0103808afb0db2fd4abff6af4149f51b",
            "43727970746f6772617068696320466f72756d2052657365617263682047726f7570",
            "a8061dc1305136c6c22b8baf0c0127a9",
        ),
        ("A.3, 7", two, zeros, "ffffffffffffffffffffffffffffffff", "03000000000000000000000000000000"),
        ("A.3, 8", two, "ffffffffffffffffffffffffffffffff", two, "03000000000000000000000000000000"),
        ("A.3, 9", two, zeros, "fdffffffffffffffffffffffffffffff", "faffffffffffffffffffffffffffffff"),
        (
            "A.3, 10",
            "01000000000000000400000000000000",
            zeros,
            concat!(
                "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000",
                "0000000000000000000000000000000001000000000000000000000000000000"
            ),
            "14000000000000005500000000000000",
        ),
    ] {
        let got = mac(&mut domain, &hex(&[r, s].concat()), &hex(msg))?;
        known_answer(&mut domain, &format!("RFC 8439, {example}"), &got, expected)?;
    }
    let s = "ffffffffffffffffffffffffffffffff";
    for (h, expected) in [
        (["0300000000000000", "0000000000000000", "00"], two), // 3
        (["feffffffffffffff", "ffffffffffffffff", "03"], two), // p + 3
        (["faffffffffffffff", "ffffffffffffffff", "03"], "f9ffffffffffffffffffffffffffffff"), // p - 1
    ] {
        let h = h.map(hex);
        let got = tag(&mut domain, [&h[0], &h[1], &h[2]], &hex(s))?;
        known_answer(&mut domain, "h mod p", &got, expected)?;
    }
    Ok(())
}

#[test]
fn examples() {
    known_answers().unwrap()
}
