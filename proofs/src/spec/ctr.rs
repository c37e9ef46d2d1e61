// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Counter mode, SP 800-38A, section 6.5, with the standard incrementing function of its appendix B.1.
use super::*;

/// Counter i is the iv plus i, in the low 64 bits, big-endian.  (That they don't wrap before the last block is the caller's part
/// of the contract, so there is no carry into the high ones.)
pub fn counter(domain: &mut Domain, iv: &[Bit], i: usize) -> Vec<Bit> {
    let (high, low) = iv.split_at(64);
    let count = domain.add(&bswap(low), &num(i as u64, 64));
    [high, &bswap(&count)].concat()
}

/// The text xored with the key stream, which is the encrypted counters
pub fn ctr(domain: &mut Domain, schedule: &[Bit], rounds: usize, iv: &[Bit], text: &[Bit]) -> Vec<Bit> {
    let mut out = vec![];
    for (i, part) in text.chunks(128).enumerate() {
        let counter = counter(domain, iv, i);
        let stream = cipher(domain, schedule, rounds, &counter, false);
        out.extend(xorw(domain, part, &stream));
    }
    out
}

/// SP 800-38A, F.5.1, F.5.3 and F.5.5: all but the last blocks, and the last cut short
pub fn known_answers() -> Result<(), String> {
    let mut domain = Domain::new();
    let plaintext = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fb";
    for (key, ciphertext) in [
        (
            "2b7e151628aed2a6abf7158809cf4f3c",
            "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e5b4f",
        ),
        (
            "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
            "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e941e36b26bd1ebc670d1bd",
        ),
        (
            "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
            "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c52b0930daa23de94ce870",
        ),
    ] {
        let (enc, _, rounds) = aes::schedules(&mut domain, key);
        let out = ctr(&mut domain, &enc, rounds, &hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), &hex(plaintext));
        known_answer(&mut domain, "SP 800-38A, F.5", &out, ciphertext)?;
    }
    Ok(())
}

#[test]
fn examples() {
    known_answers().unwrap()
}
