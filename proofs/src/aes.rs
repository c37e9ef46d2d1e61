// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! FIPS 197's rounds on bytes: what the uninterpreted functions stand for when expressions are evaluated.
use crate::domain::Op;
const fn mul(mut a: u8, mut b: u8) -> u8 {
    let mut r = 0;
    while b != 0 {
        if b & 1 == 1 {
            r ^= a
        }
        a = a << 1 ^ if a & 0x80 != 0 { 0x1b } else { 0 };
        b >>= 1
    }
    r
}

/// 5.1.1: the inverse, which is x^254, and a linear map
const fn sbox(x: u8) -> u8 {
    let (mut y, mut bit) = (1, 8);
    while bit > 0 {
        bit -= 1;
        y = mul(y, y);
        if 254 >> bit & 1 == 1 {
            y = mul(y, x)
        }
    }
    y ^ y.rotate_left(1) ^ y.rotate_left(2) ^ y.rotate_left(3) ^ y.rotate_left(4) ^ 0x63
}

/// The S-box and its inverse
pub const SBOXES: ([u8; 256], [u8; 256]) = {
    let mut boxes = ([0; 256], [0; 256]);
    let mut i = 0;
    while i < 256 {
        let s = sbox(i as u8);
        boxes.0[i] = s;
        boxes.1[s as usize] = i as u8;
        i += 1
    }
    boxes
};

pub fn core(op: Op, s: [u8; 16]) -> [u8; 16] {
    let (forward, inverse) = &SBOXES;
    let inv = matches!(op, Op::AesDec | Op::AesDecLast);
    let mut x = [0; 16];
    for c in 0..4 {
        for r in 0..4 {
            if inv {
                x[4 * c + r] = inverse[s[4 * ((c + 4 - r) % 4) + r] as usize]
            } else {
                x[4 * c + r] = forward[s[4 * ((c + r) % 4) + r] as usize]
            }
        }
    }
    let k: [u8; 4] = match op {
        Op::AesEnc => [2, 3, 1, 1],
        Op::AesDec => [14, 11, 13, 9],
        _ => return x,
    };
    let mut y = [0; 16];
    for c in 0..4 {
        for r in 0..4 {
            for i in 0..4 {
                y[4 * c + r] ^= mul(k[(i + 4 - r) % 4], x[4 * c + i])
            }
        }
    }
    y
}
