// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Mutants of the proofs themselves.  A proof of a sound function gets one thing wrong: what is expected, how large a buffer is,
//! what is public, or what an induction goes on with.  Each of these has to make it fail, or something isn't looked at.
use super::*;
use crate::induction::{every_length, Carried, Claims, Looping, Registers, Text};

/// What is done to each call of a proof, when all is set up, and a part of what the failure has to say
struct Sabotage {
    what: &'static str,
    error: &'static str,
    change: fn(&mut Call),
}

type Prove = fn(&Image) -> Result<()>;

/// A proof that holds, and what makes it fail
struct Victim {
    what: &'static str,
    prove: Prove,
    all: &'static [Sabotage],
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

const CTR: [Sabotage; 23] = [
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
        change: |call| {
            let key = number(call, "key");
            ctr::set_rounds(&mut call.m, key, ROUNDS - 2)
        },
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
        error: "WIPING: byte 0 of vector register 12",
        change: |call| call.leftovers.public.clear(),
    },
];

const XTS: [Sabotage; 7] = [
    Sabotage { what: "a bit of the output is another", error: "dst: byte 0", change: |call| call.expected[0].2[0] ^= 1 },
    Sabotage {
        what: "the last bytes change places",
        error: "dst: byte 148",
        change: |call| call.expected[0].2[8 * 148..].rotate_left(8),
    },
    Sabotage { what: "the key is too short", error: "at key", change: |call| region(call, "key").bytes.truncate(480) },
    Sabotage { what: "the tweak is shorter", error: "at tweak", change: |call| shorten(call, "tweak") },
    Sabotage { what: "the tweak is encrypted", error: "dst: byte 0", change: |call| call.m.regs[R9] = Word::Number(2) },
    Sabotage { what: "the length is one less", error: "dst: byte", change: |call| call.m.regs[RCX] = Word::Number(149) },
    Sabotage { what: "tweaks may not be left", error: "WIPING", change: |call| call.leftovers.allowed.truncate(1) },
];

const XTS_UNITS: [Sabotage; 4] = [
    Sabotage { what: "two units change places", error: "dst: byte 0", change: |call| call.expected[0].2.rotate_left(8 * 64) },
    Sabotage { what: "units are shorter", error: "dst: byte", change: |call| call.m.poke(number(call, "units"), 16, 48, 8) },
    Sabotage { what: "ivs are wiped", error: "what is to stay of units", change: |call| call.scratch.truncate(1) },
    Sabotage { what: "the structure is read-only", error: "read-only", change: |call| region(call, "units").writable = false },
];

const XTS_MANY_UNITS: [Sabotage; 3] = [
    Sabotage {
        what: "two bytes of an iv change places",
        error: "doesn't lead to a batch of the first tweaks",
        change: |call| region(call, "units").bytes[32..].swap(0, 1),
    },
    Sabotage { what: "the key is too short", error: "at key", change: |call| region(call, "key").bytes.truncate(480) },
    Sabotage { what: "the structure is read-only", error: "read-only", change: |call| region(call, "units").writable = false },
];

const GCM: [Sabotage; 8] = [
    Sabotage { what: "a bit of the output is another", error: "dst: byte 0", change: |call| call.expected[0].2[0] ^= 1 },
    Sabotage {
        what: "two bytes of the AAD change places",
        error: "no sum of blocks",
        change: |call| region(call, "aad").bytes.swap(0, 1),
    },
    Sabotage {
        what: "two powers change places",
        error: "H^",
        change: |call| {
            let key = &mut region(call, "key").bytes;
            key[496..528].rotate_left(16);
            key[848..880].rotate_left(16) // their added halves
        },
    },
    Sabotage {
        what: "the lengths change places",
        error: "no sum of blocks",
        change: |call| region(call, "msg").bytes[48..64].rotate_left(8),
    },
    Sabotage { what: "the message doesn't end", error: "no sum of blocks", change: |call| call.m.regs[R9] = Word::Number(0) },
    Sabotage { what: "the AAD is a byte shorter", error: "at aad", change: |call| shorten(call, "aad") },
    Sabotage { what: "the hash may not be written", error: "read-only", change: |call| region(call, "msg").writable = false },
    Sabotage { what: "the hash is to stay", error: "what is to stay of msg", change: |call| call.scratch.clear() },
];

/// By 256 bits halves of two vectors are added before they are multiplied, so a factor is half of a lane.
const GCM_HALVES: [Sabotage; 3] = [
    Sabotage {
        what: "a power's halves change places",
        error: "no sum of blocks",
        change: |call| region(call, "key").bytes[496..512].rotate_left(8),
    },
    Sabotage {
        what: "the added halves of two powers change places",
        error: "no sum of blocks",
        change: |call| region(call, "key").bytes[848..880].rotate_left(16),
    },
    Sabotage {
        what: "a block's halves change places",
        error: "dst: byte",
        change: |call| call.expected[0].2[..16 * 8].rotate_left(64),
    },
];

const KEYS: [Sabotage; 5] = [
    Sabotage { what: "a bit of the schedule is another", error: "enc: byte 200", change: |call| call.expected[0].2[1600] ^= 1 },
    Sabotage { what: "the schedules change places", error: "enc: byte", change: |call| call.m.regs.swap(RDI, RSI) },
    Sabotage { what: "the key is a byte shorter", error: "at key", change: |call| shorten(call, "key") },
    Sabotage { what: "the key has another length", error: "enc: byte", change: |call| call.m.regs[RCX] = Word::Number(16) },
    Sabotage { what: "dec may not be written", error: "read-only", change: |call| region(call, "dec").writable = false },
];

const CHACHA20: [Sabotage; 6] = [
    Sabotage { what: "a bit of the output is another", error: "dst: byte 0", change: |call| call.expected[1].2[0] ^= 1 },
    Sabotage { what: "the counter is another", error: "byte", change: |call| region(call, "run").bytes.swap(48, 49) },
    Sabotage { what: "no block is apart", error: "byte", change: |call| call.m.regs[R8] = Word::Number(0) },
    Sabotage { what: "src is a byte shorter", error: "at src", change: |call| shorten(call, "src") },
    Sabotage { what: "nothing may be spilled", error: "what is to stay of run", change: |call| call.expected.truncate(2) },
    Sabotage { what: "dst may not be written", error: "read-only", change: |call| region(call, "dst").writable = false },
];

const CHACHA20_POLY1305: [Sabotage; 4] = [
    Sabotage {
        what: "two words of the state change places",
        error: "byte 0",
        change: |call| region(call, "run").bytes[..8].rotate_left(4),
    },
    Sabotage {
        what: "h is another",
        error: "not congruent",
        change: |call| region(call, "run").bytes[chacha20::RUN_H..chacha20::RUN_H + 16].rotate_left(8),
    },
    Sabotage { what: "the hashed text is shorter", error: "at hashed", change: |call| shorten(call, "hashed") },
    Sabotage { what: "there is one pass more", error: "out of bounds", change: |call| call.m.regs[RSI] = Word::Number(2) },
];

const POLY1305: [Sabotage; 5] = [
    Sabotage { what: "there is no pad", error: "not congruent", change: |call| call.m.regs[RCX] = Word::Number(0) },
    Sabotage { what: "h is another", error: "not congruent", change: |call| region(call, "state").bytes[..16].rotate_left(8) },
    Sabotage { what: "the message is a byte shorter", error: "at msg", change: |call| shorten(call, "msg") },
    Sabotage { what: "h is to stay", error: "what is to stay of state", change: |call| call.scratch.clear() },
    Sabotage { what: "the state is read-only", error: "read-only", change: |call| region(call, "state").writable = false },
];

const XTS_LEN: usize = 150;
const VICTIMS: [Victim; 10] = [
    Victim { what: "CTR", prove: |image| ctr::prove(image, Domain::new(), ROW, ROUNDS, LEN, false).map(drop), all: &CTR },
    Victim {
        what: "XTS",
        prove: |image| xts::prove_piece(image, Domain::new(), &xts_function(), &xts::Piece { len: XTS_LEN, how: 0 }).map(drop),
        all: &XTS,
    },
    Victim {
        what: "XTS, units",
        prove: |image| xts::prove_units(image, Domain::new(), &xts_function(), &xts::Units { unit_len: 64, len: 320 }).map(drop),
        all: &XTS_UNITS,
    },
    Victim {
        what: "XTS, units of every number and length",
        prove: |image| xts::many_units::prove(image, &xts_function(), &[0, 5]).map(drop),
        all: &XTS_MANY_UNITS,
    },
    Victim { what: "GCM", prove: |image| gcm::prove(image, Domain::new(), ROW, &GCM_CASE).map(drop), all: &GCM },
    Victim {
        what: "GCM by halves of lanes",
        prove: |image| gcm::prove(image, Domain::new(), "vaes_avx2", &gcm::Case { len: 300, ..GCM_CASE }).map(drop),
        all: &GCM_HALVES,
    },
    Victim {
        what: "key expansion",
        prove: |image| keys::prove(image, "lc_aes_expand_aesni", 32, ROUNDS, true).map(drop),
        all: &KEYS,
    },
    Victim {
        what: "ChaCha20",
        prove: |image| {
            let shape = chacha20::shape("ssse3");
            chacha20::prove_rows(image, Domain::new(), &shape, 100, chacha20::First::Apart, false, 0).map(drop)
        },
        all: &CHACHA20,
    },
    Victim {
        what: "ChaCha20-Poly1305",
        prove: |image| {
            use chacha20::columns::*;
            let case = Case {
                passes: 1,
                apart: false,
                in_place: false,
                beside: Beside::Poly1305,
                hashed_at: None,
                missing: 0,
                last_apart: false,
            };
            prove_columns(image, Domain::new(), &chacha20::shape("avx2"), &case).map(drop)
        },
        all: &CHACHA20_POLY1305,
    },
    Victim {
        what: "Poly1305",
        prove: |image| poly1305::prove_blocks(image, Domain::new(), "bmi2", poly1305::Message::Elsewhere(48), 1).map(drop),
        all: &POLY1305,
    },
];

const GCM_CASE: gcm::Case = gcm::Case {
    decrypt: false,
    rounds: ROUNDS,
    len: 100,
    aad_len: 20,
    last: true,
    from_nonce: false,
    public_after: None,
    late: false,
    in_place: false,
};

fn xts_function() -> xts::Function {
    xts::Function { name: "lc_aes_xts_encrypt_aesni".into(), decrypt: false, rounds: ROUNDS, in_place: false }
}

// ---- Inductions ----

/// What is wrong with an induction's description
#[derive(Clone, Copy, Debug, PartialEq)]
enum Flaw {
    None,
    Residue,
    Unit,
    Parameters,
    Next,
    Output,
    Expected,
    Carried,
    Leftovers,
    Turns,
    Registers,
    Begins,
    TooFewClaims,
    TooManyClaims,
}

/// Every length of a mode: with one flaw at a time, and a part of what the failure has to say
const INDUCTIONS: [(&str, Prover, &[(Flaw, &str)]); 4] = [
    (
        "CTR",
        ctr_flawed,
        &[
            (Flaw::Residue, "dst: byte 127"),
            (Flaw::Unit, "dst: byte 127"),
            (Flaw::Parameters, "dst: byte 0"),
            (Flaw::Next, "parameters that follow"),
            (Flaw::Output, "dst: byte 0"),
            (Flaw::Leftovers, "WIPING"),
        ],
    ),
    (
        "XTS",
        xts_flawed,
        &[(Flaw::Next, "parameters that follow"), (Flaw::Expected, "what is to stay of tweak"), (Flaw::Leftovers, "WIPING")],
    ),
    ("GCM", gcm_flawed, &[(Flaw::Carried, "H^"), (Flaw::Begins, "nothing is claimed")]),
    (
        "GCM by LC_GCM_WHOLE",
        gcm_whole_flawed,
        &[
            (Flaw::Turns, "no turn is proved with"),
            (Flaw::Registers, "at the head, vector 0"),
            (Flaw::TooFewClaims, "nothing is claimed"),
            (Flaw::TooManyClaims, "after a turn"),
        ],
    ),
];

/// The same with set-ups that are wrong
const SPOILED: [Sabotage; 4] = [
    Sabotage { what: "dst is read-only", error: "read-only", change: |call| region(call, "dst").writable = false },
    Sabotage { what: "src and dst change places", error: "read-only", change: |call| call.m.regs.swap(RSI, RDX) },
    Sabotage { what: "the iv is a byte shorter", error: "at iv", change: |call| shorten(call, "iv") },
    Sabotage { what: "src is text that has been done", error: "dst", change: |call| call.m.regs[RDX] = call.m.regs[RSI].clone() },
];

type Prover = fn(&Image, Flaw) -> Result<usize>;

fn ctr_flawed(image: &Image, flaw: Flaw) -> Result<usize> {
    let (mut call, looping) = ctr::looping(image, ROW, ROUNDS, false);
    every_length(&mut call, &Flawed { looping: &looping, flaw })
}

fn xts_flawed(image: &Image, flaw: Flaw) -> Result<usize> {
    let (mut call, looping) = xts::every_length::looping(image, &xts_function(), xts::RETURN_TWEAK, 0);
    every_length(&mut call, &Flawed { looping: &looping, flaw })
}

fn gcm_flawed(image: &Image, flaw: Flaw) -> Result<usize> {
    let case = gcm::Case { aad_len: 0, last: false, ..GCM_CASE };
    let function = "lc_aes_gcm_encrypt_vaes_avx2";
    let classes = &gcm::every_length::classes(function, case)[0];
    let (mut call, looping, _) = gcm::every_length::loops(image, function, case, &[], classes)?;
    every_length(&mut call, &Flawed { looping: &looping, flaw })
}

/// Lengths of whole vectors, for which the loop is the same as for others
fn gcm_whole_flawed(image: &Image, flaw: Flaw) -> Result<usize> {
    let case = gcm::Case { aad_len: 13, from_nonce: true, ..GCM_CASE };
    let function = "lc_aes_gcm_encrypt_vaes_avx512_256";
    let classes = &gcm::every_length::classes(function, case)[0][..1];
    let (mut call, looping, _) = gcm::every_length::loops(image, function, case, &[], classes)?;
    every_length(&mut call, &Flawed { looping: &looping, flaw })
}

struct Flawed<'a> {
    looping: &'a dyn Looping,
    flaw: Flaw,
}

impl Flawed<'_> {
    /// Flaw: a byte less is passed than is thought.
    fn passed(&self, length: Word) -> Word {
        match length {
            Word::Length(o) if self.flaw == Flaw::Residue => Word::Length(o - 1),
            Word::Number(n) if self.flaw == Flaw::Residue => Word::Number(n - 1),
            length => length,
        }
    }
}

impl Looping for Flawed<'_> {
    fn lengths(&self) -> Interval {
        self.looping.lengths()
    }
    fn residue(&self) -> i64 {
        self.looping.residue() + (self.flaw == Flaw::Residue) as i64
    }
    fn claims(&self) -> Option<Claims> {
        let mut claims = self.looping.claims()?;
        match self.flaw {
            Flaw::TooFewClaims => claims.lengths.least += claims.period,
            Flaw::TooManyClaims => claims.some += 1,
            _ => {}
        }
        Some(claims)
    }
    fn begins_with_comparison(&self) -> bool {
        self.looping.begins_with_comparison()
    }
    fn begins_if(&self) -> Vec<(usize, Word)> {
        if self.flaw == Flaw::Begins {
            return vec![];
        }
        self.looping.begins_if()
    }
    fn parameters_of_turns(&self, any: &[Bit]) -> Vec<Vec<Bit>> {
        let mut turns = self.looping.parameters_of_turns(any);
        if self.flaw == Flaw::Turns {
            turns.pop();
        }
        turns
    }
    fn registers(&self, call: &mut Call, parameters: &[Bit]) -> Registers {
        let mut registers = self.looping.registers(call, parameters);
        if self.flaw == Flaw::Registers {
            registers.vectors[0].1.rotate_left(128)
        }
        registers
    }
    fn unit(&self) -> usize {
        self.looping.unit() + (self.flaw == Flaw::Unit) as usize
    }
    fn text(&self) -> &Text {
        self.looping.text()
    }
    fn first(&self, call: &mut Call, length: Word) -> Vec<Bit> {
        let mut parameters = self.looping.first(call, self.passed(length));
        if self.flaw == Flaw::Parameters {
            parameters.rotate_left(8)
        }
        parameters
    }
    fn enter(&self, call: &mut Call, parameters: &[Bit], done: usize, length: Word) {
        self.looping.enter(call, parameters, done, self.passed(length))
    }
    /// Flaw: those of a block less
    fn next(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) -> Vec<Bit> {
        self.looping.next(call, parameters, &text[128 * (self.flaw == Flaw::Next) as usize..])
    }
    fn output(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) -> Vec<Bit> {
        let mut output = self.looping.output(call, parameters, text);
        if self.flaw == Flaw::Output {
            output[0] ^= 1
        }
        output
    }
    fn expect(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) {
        if self.flaw != Flaw::Expected {
            self.looping.expect(call, parameters, text)
        }
    }
    fn start(&self, call: &mut Call) -> Result<Option<u64>> {
        self.looping.start(call)
    }
    fn begin(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) {
        self.looping.begin(call, parameters, text)
    }
    fn may_leave(&self, call: &mut Call, parameters: &[Bit], text: &[Bit]) {
        if self.flaw != Flaw::Leftovers {
            self.looping.may_leave(call, parameters, text)
        }
    }
    fn check_leftovers(&self, call: &mut Call, before: &State) -> Result<()> {
        self.looping.check_leftovers(call, before)
    }
    fn carried_at(&self) -> Option<Vec<Carried>> {
        let mut places = self.looping.carried_at();
        if let (Flaw::Carried, Some([.., a, b])) = (self.flaw, places.as_deref_mut()) {
            std::mem::swap(a, b)
        }
        places
    }
    fn carried(&self, call: &mut Call, parameters: &[Bit], begun: &[Bit]) -> Vec<Vec<Bit>> {
        self.looping.carried(call, parameters, begun)
    }
    fn check_carried(
        &self,
        call: &mut Call,
        parameters: &[Bit],
        before: Option<&[Vec<Bit>]>,
        text: &[Bit],
        after: &[Vec<Bit>],
    ) -> Result<()> {
        self.looping.check_carried(call, parameters, before, text, after)
    }
    fn check_returned(&self, call: &mut Call, parameters: &[Bit], carried: Option<&[Vec<Bit>]>, text: &[Bit]) -> Result<()> {
        self.looping.check_returned(call, parameters, carried, text)
    }
}

/// What a wrong proof has come to: nothing if it fails for the right reason
fn complaint(what: &str, error: &str, result: Result<()>) -> Option<String> {
    match result {
        Err(e) if e.contains(error) => None,
        Err(e) => Some(format!("{what}: a proof fails, but says {e}")),
        Ok(()) => Some(format!("{what}: a proof doesn't notice")),
    }
}

/// All of them; how many there were.
pub fn prove_that_proofs_fail(image: &Image) -> Result<usize> {
    let (mut number, mut wrong) = (0, vec![]);
    let mut spoil = |what: &str, all: &[Sabotage], prove: &dyn Fn(&Image) -> Result<()>| {
        for sabotage in all {
            number += 1;
            let mut spoiled = image.clone();
            spoiled.spoil = Some(sabotage.change);
            wrong.extend(complaint(&format!("{what}, {}", sabotage.what), sabotage.error, prove(&spoiled)));
        }
    };
    for victim in &VICTIMS {
        (victim.prove)(image).map_err(|e| format!("{}, which is sound: {e}", victim.what))?;
        spoil(victim.what, victim.all, &victim.prove);
    }
    spoil("every length of CTR", &SPOILED, &|image| ctr_flawed(image, Flaw::None).map(drop));
    for (what, prove, flaws) in INDUCTIONS {
        prove(image, Flaw::None).map_err(|e| format!("every length of {what}, which is sound: {e}"))?;
        for &(flaw, error) in flaws {
            number += 1;
            wrong.extend(complaint(&format!("every length of {what}, {flaw:?}"), error, prove(image, flaw).map(drop)));
        }
    }
    if wrong.is_empty() {
        Ok(number)
    } else {
        Err(wrong.join("\n"))
    }
}
