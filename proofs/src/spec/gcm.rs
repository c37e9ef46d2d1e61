// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! GCM as NIST SP 800-38D has it: blocks as polynomials, GHASH, GCTR.
use super::*;

/// A block as a polynomial (6.3): the coefficients of x^0 .. x^127.  The leftmost bit, the highest of byte 0, is that of x^0.
/// The way back is the same.
pub fn polynomial(block: &[Bit]) -> Vec<Bit> {
    (0..128).map(|i| block[bit_of_coefficient(i)]).collect()
}

/// Where in a block's 16 bytes the coefficient of x^i is; bit 0 is the lowest of byte 0.
pub fn bit_of_coefficient(i: usize) -> usize {
    i / 8 * 8 + 7 - i % 8
}

/// v * x modulo x^128 + x^7 + x^2 + x + 1
pub fn times_x(domain: &mut Domain, v: &[Bit]) -> Vec<Bit> {
    let mut product = vec![v[127]];
    product.extend_from_slice(&v[..127]);
    for i in [1, 2, 7] {
        product[i] = domain.xor(product[i], v[127])
    }
    product
}

/// x * y (6.3, algorithm 1)
pub fn multiply(domain: &mut Domain, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let mut v = y.to_vec();
    let mut atoms = vec![vec![]; 128];
    for &x_i in x {
        for (sum, &v_j) in atoms.iter_mut().zip(&v) {
            domain.and_into(x_i, v_j, sum)
        }
        v = times_x(domain, &v)
    }
    atoms.iter_mut().map(|sum| domain.sum_atoms(sum)).collect()
}

/// What a call hashes: AAD and ciphertext, each padded with zeros to whole blocks, and the block of lengths if it is to follow.
pub fn hashed_blocks(aad: &[Bit], ciphertext: &[Bit], lengths: Option<&[Bit]>) -> Vec<Vec<Bit>> {
    let mut blocks = vec![];
    for part in [aad, ciphertext, lengths.unwrap_or(&[])] {
        for chunk in part.chunks(128) {
            let mut block = chunk.to_vec();
            block.resize(128, 0);
            blocks.push(block)
        }
    }
    blocks
}

/// GHASH (6.4) is Y = (Y + X) * H for one block X after the other.  Multiplied out, of n blocks X[i], i = 1 .. n, and the Y before
/// them, that is
///
///      Y * H^n + X[1] * H^n + X[2] * H^(n - 1) + .. + X[n] * H
///
/// The exponent of X[i] here; Y's is that of X[1].
pub fn exponent(n: usize, i: usize) -> usize {
    n + 1 - i
}

/// GCTR (6.5) from the counter block J0 + done + 1 on, where + counts the last 32 bits (6.2, inc_32)
pub fn gctr(domain: &mut Domain, keys: &[Bit], rounds: usize, j0: &[Bit], done: &[Bit], text: &[Bit]) -> Vec<Bit> {
    let mut out = vec![];
    let first = bswap(&j0[96..]);
    for (i, chunk) in text.chunks(128).enumerate() {
        let blocks = domain.add(done, &num(i as u64 + 1, 32));
        let number = domain.add(&first, &blocks);
        let mut counter = j0[..96].to_vec();
        counter.extend(bswap(&number));
        let stream = cipher(domain, keys, rounds, &counter, false);
        out.extend(xorw(domain, chunk, &stream[..chunk.len()]));
    }
    out
}

/// The block of lengths in bits (7.1, step 5), two big-endian numbers
pub fn length_block(aad_len: usize, len: usize) -> Vec<Bit> {
    [8 * aad_len, 8 * len].iter().flat_map(|&bits| bswap(&num(bits as u64, 64))).collect()
}

/// Known answers, from The Galois/Counter Mode of Operation (McGrew, Viega), test cases 4 and 16
pub fn known_answers() -> std::result::Result<(), String> {
    let text = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
    let aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
    let key = "feffe9928665731c6d6a8f9467308308";
    let cases = [
        (
            key.to_string(),
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e\
             21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
            "5bc94fbc3221a5db94fae95ae7121a47",
        ),
        (
            key.repeat(2),
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
             8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
            "76fc6ece0f4e1768cddf8853bb2d551b",
        ),
    ];
    for (key, ciphertext, tag) in cases {
        let mut domain = Domain::new();
        let (got, got_tag) = seal(&mut domain, &key, "cafebabefacedbaddecaf888", aad, text);
        known_answer(&mut domain, "GCM's ciphertext", &got, ciphertext)?;
        known_answer(&mut domain, "GCM's tag", &got_tag, tag)?;
    }
    Ok(())
}

/// Ciphertext and tag (7.1, algorithm 4); the nonce has 12 bytes.
fn seal(domain: &mut Domain, key: &str, nonce: &str, aad: &str, text: &str) -> (Vec<Bit>, Vec<Bit>) {
    let (keys, _, rounds) = aes::schedules(domain, key);
    let j0 = [hex(nonce), hex("00000001")].concat();
    let hash_key = cipher(domain, &keys, rounds, &[0; 128], false);
    let hash_key = polynomial(&value(domain, &hash_key));
    let ciphertext = gctr(domain, &keys, rounds, &j0, &[0; 32], &hex(text));
    let ciphertext = value(domain, &ciphertext);
    let blocks = hashed_blocks(&hex(aad), &ciphertext, Some(&length_block(aad.len() / 2, text.len() / 2)));

    let mut powers = vec![vec![], hash_key.clone()];
    let mut sum = vec![0; 128];
    for i in (1..=blocks.len()).rev() {
        let e = exponent(blocks.len(), i);
        let product = multiply(domain, &polynomial(&blocks[i - 1]), &powers[e]);
        sum = xorw(domain, &sum, &product);
        powers.push(multiply(domain, &powers[e], &hash_key));
    }
    let stream = cipher(domain, &keys, rounds, &j0, false);
    let tag = xorw(domain, &polynomial(&sum), &stream);
    (ciphertext, tag)
}

/// The bits' values, as nothing in them is unknown
fn value(domain: &mut Domain, bits: &[Bit]) -> Vec<Bit> {
    bits.iter().map(|&bit| domain.eval(bit) as Bit).collect()
}

#[test]
fn examples() {
    known_answers().unwrap()
}
