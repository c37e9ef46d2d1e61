// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Mutants of the proofs themselves.  A proof of a sound function gets one thing wrong: what is expected, how large a buffer is,
//! what is public.  Each of these has to make it fail, or something isn't looked at.
use super::*;

/// What is done to a call of lc_aes_ctr_aesni, when all is set up, and a part of what the failure has to say
struct Sabotage {
    what: &'static str,
    error: &'static str,
    change: fn(&mut Call),
}

const ROW: &str = "aesni";
const LEN: usize = 150;
const ROUNDS: usize = 14;

const LEN_ARGUMENT: usize = RCX;

fn region<'a>(call: &'a mut Call, name: &str) -> &'a mut Region {
    call.m.regions.iter_mut().find(|region| region.name == name).expect("a region of that name")
}

fn number(call: &Call, name: &str) -> u32 {
    call.m.regions.iter().position(|region| region.name == name).expect("a region of that name") as u32
}

fn shorten(call: &mut Call, name: &str) {
    region(call, name).bytes.pop();
}

const ALL: [Sabotage; 23] = [
    Sabotage {
        what: "a bit of the output is another",
        error: "dst: byte 77 bit 3",
        change: |call| call.expected[0].2[8 * 77 + 3] ^= 1,
    },
    Sabotage {
        what: "the first bit of the output is another",
        error: "dst: byte 0 bit 0",
        change: |call| call.expected[0].2[0] = 0,
    },
    Sabotage {
        what: "the last bit of the output is another",
        error: "dst: byte 149 bit 7",
        change: |call| call.expected[0].2[8 * LEN - 1] = 1,
    },
    Sabotage {
        what: "two bytes of the output change places",
        error: "dst: byte 20",
        change: |call| call.expected[0].2[160..176].rotate_left(8),
    },
    Sabotage {
        what: "a byte less is expected to be written",
        error: "what is to stay of dst: byte 149",
        change: |call| call.expected[0].2.truncate(8 * LEN - 8),
    },
    Sabotage {
        what: "nothing is expected to be written",
        error: "what is to stay of dst: byte 0",
        change: |call| call.expected.clear(),
    },
    Sabotage {
        what: "something else is expected to be written, too",
        error: "iv: byte 0",
        change: |call| call.expect(number(call, "iv"), 0, &[0; 8], "iv"),
    },
    Sabotage {
        what: "src is a byte shorter",
        error: "load of 2 bytes at src+148 out of bounds",
        change: |call| shorten(call, "src"),
    },
    Sabotage {
        what: "dst is a byte shorter",
        error: "store of 2 bytes at dst+148 out of bounds",
        change: |call| {
            shorten(call, "dst");
            call.expected[0].2.truncate(8 * LEN - 8)
        },
    },
    Sabotage { what: "the iv is a byte shorter", error: "at iv", change: |call| shorten(call, "iv") },
    Sabotage {
        what: "the key ends before the number of rounds",
        error: "at key",
        change: |call| region(call, "key").bytes.truncate(240),
    },
    Sabotage {
        what: "the constants are a byte shorter",
        error: "nothing at",
        change: |call| {
            for region in call.m.regions.iter_mut().filter(|region| region.name.contains("aes_ctr")) {
                region.bytes.truncate(8)
            }
        },
    },
    Sabotage {
        what: "dst may not be written",
        error: "dst+0, which is read-only",
        change: |call| region(call, "dst").writable = false,
    },
    Sabotage { what: "dst and src change places", error: "src+0, which is read-only", change: |call| call.m.regs.swap(RSI, RDX) },
    Sabotage {
        what: "the length is one more",
        error: "out of bounds",
        change: |call| call.m.regs[LEN_ARGUMENT] = Word::Number(LEN as u64 + 1),
    },
    Sabotage {
        what: "the length is one less",
        error: "dst: byte 149",
        change: |call| call.m.regs[LEN_ARGUMENT] = Word::Number(LEN as u64 - 1),
    },
    Sabotage { what: "the key isn't aligned", error: "alignment of key", change: |call| region(call, "key").align = 8 },
    Sabotage {
        what: "the key has other rounds",
        error: "dst: byte 0",
        change: |call| call.m.poke(number(call, "key"), ctr::KEY_ROUNDS, ROUNDS as u64 - 2, 4),
    },
    Sabotage {
        what: "two round keys change places",
        error: "dst: byte 0",
        change: |call| region(call, "key").bytes[..32].rotate_left(16),
    },
    Sabotage {
        what: "the length is a secret",
        error: "subtraction of Bits",
        change: |call| call.m.regs[LEN_ARGUMENT] = call.m.regs[RAX].clone(),
    },
    Sabotage {
        what: "the address of dst is a secret",
        error: "CONSTANT TIME: address depends",
        change: |call| call.m.regs[RSI] = call.m.regs[RAX].clone(),
    },
    Sabotage {
        what: "nothing may be left",
        error: "WIPING",
        change: |call| {
            call.leftovers.allowed.clear();
            call.outputs.clear()
        },
    },
    Sabotage {
        what: "the iv is a secret",
        error: "WIPING: byte 0 of vector register 8",
        change: |call| call.leftovers.public.clear(),
    },
];

/// All of them; how many there were.
pub fn prove_that_proofs_fail(image: &Image) -> Result<usize> {
    let set_up = || ctr::set_up(image, Domain::new(), ROW, ROUNDS, LEN, false);
    set_up().run()?;
    let wrong = |sabotage: &Sabotage| {
        let mut call = set_up();
        (sabotage.change)(&mut call);
        match call.run() {
            Err(e) if e.contains(sabotage.error) => None,
            Err(e) => Some(format!("{}: a proof fails, but says {e}", sabotage.what)),
            Ok(()) => Some(format!("{}: a proof doesn't notice", sabotage.what)),
        }
    };
    let wrong: Vec<String> = ALL.iter().filter_map(wrong).collect();
    if wrong.is_empty() {
        Ok(ALL.len())
    } else {
        Err(wrong.join("\n"))
    }
}
