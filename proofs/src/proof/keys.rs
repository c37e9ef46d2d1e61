// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! lc_aes_expand_<row>(enc, dec, key, key_len), contract in src/aes.h and src/x86/aes_keys.S.
use super::*;
use crate::spec::{self, aes};

const SCHEDULE_SIZE: usize = 240;

pub fn jobs(image: &Image, jobs: &mut Vec<Job>) {
    for row in rows(image, "lc_aes_expand_") {
        for (key_len, rounds) in spec::AES_ROUNDS {
            for with_dec in [false, true] {
                let function = format!("lc_aes_expand_{row}");
                jobs.push(Job {
                    function: function.clone(),
                    case: format!("AES-{}{}", 8 * key_len, if with_dec { ", both schedules" } else { "" }),
                    lengths: key_len.to_string(),
                    parts: whole(move |image| prove(image, &function, key_len, rounds, with_dec).map(|_| 1)),
                })
            }
        }
    }
}

pub fn prove(image: &Image, function: &str, key_len: usize, rounds: usize, with_dec: bool) -> Result<Machine> {
    let mut call = Call::new(image, function);
    let enc = call.m.region("enc", SCHEDULE_SIZE, true, 16);
    let key = call.m.region("key", key_len, false, 1);
    let raw = call.m.bytes(key, 0, key_len);
    let round_keys = aes::key_expansion(&mut call.m.domain, &raw, rounds);
    call.pointer(enc);
    call.expect(enc, 0, &aes::schedule(&round_keys), "enc");
    if with_dec {
        let dec = call.m.region("dec", SCHEDULE_SIZE, true, 16);
        let inverse = aes::inverse_expansion(&mut call.m.domain, &round_keys);
        call.pointer(dec);
        call.expect(dec, 0, &aes::schedule(&inverse), "dec");
    } else {
        call.number(0); // NULL
    }
    call.pointer(key);
    call.number(key_len as u64);
    call.run()?;
    Ok(call.m)
}
