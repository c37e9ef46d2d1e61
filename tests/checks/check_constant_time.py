#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
check_constant_time.py OBJECT-or-ARCHIVE...

Does the assembly branch on secrets, or use them as addresses?  Valgrind (check_ct.sh) can't say so for code that it can't decode,
such as AVX-512; this looks at the machine code itself, on all its paths, whether a test would take them or not.

How: each function has a contract (CONTRACTS): what its arguments are.  Starting from it, every register, mask and the flags are
followed through the control-flow graph until nothing changes any more, as public or secret; a general register that holds a
pointer also has the object that it points into, and its offset there if that is one number on all paths.  What is loaded from an
object is secret, unless it lies within one of the object's public fields.  An instruction that isn't modelled is an error, never a
guess.

What it proves, if the contracts are right and the disassembler is: on no path through the function does a secret decide
  - a conditional jump (the flags that it reads are public);
  - the address or the mask of a load or store (gathers and scatters aren't allowed at all);
  - the time of an instruction: shifts by cl have public counts; divisions and floating point aren't modelled, nor are vector
    instructions that set flags (ptest, comis; the flags of kortest are as secret as its masks).  cmov, setcc, adc and
    sbb take the same time for all flags, and secret ones make their result secret;
  - what is stored in a public field.

What it doesn't prove:
  - that addresses stay within their object, or the member in PARTS: an index is taken not to leave the one that its base points
    into.  (What is loaded from an unknown offset counts as secret.)
  - that general registers and masks are written before they are read: what the caller left there counts as public, since paths
    are followed that no call can take, on which it is read.  Vector registers start secret.
  - that legacy SSE and wider code aren't mixed in one function (check_instructions.py does that): a register of 16 bytes is one
    with the wider ones here.
  - that the CPU takes the same time for all data in the instructions listed below.  Intel's list for DOITM has them.
  - anything about speculation, about wiping of secrets, or about compiled code.
"""
import re
import sys

sys.dont_write_bytecode = True
import disassembly  # noqa: E402

# Arguments: registers and what they hold: an object that they point to, or NUMBER, which is public. Pointers are public.
NUMBER = None
CONTRACTS = {
    r"lc_aes_xts_(en|de)crypt_\w+": {"rdi": "key", "rsi": "dst", "rdx": "src", "rcx": NUMBER, "r8": "tweak", "r9": NUMBER},
    r"lc_aes_ctr_\w+": {"rdi": "ctr_key", "rsi": "dst", "rdx": "src", "rcx": NUMBER, "r8": "iv"},
    r"lc_aes_gcm_(en|de)crypt_\w+": {"rdi": "gcm_key", "rsi": "dst", "rdx": "src", "rcx": NUMBER, "r8": "gcm_msg", "r9": NUMBER},
    r"lc_aes_gcm_many_\w+": {"rdi": "gcm_key", "rsi": "items", "rdx": NUMBER},
    r"lc_aes_gcm_empty_\w+": {"rdi": "gcm_key", "rsi": "tag", "rdx": "aad", "rcx": NUMBER, "r8": "nonce", "r9": "tag"},
    r"lc_aes_gcm_powers_\w+": {"rdi": "gcm_key"},
    r"lc_aes_expand_\w+": {"rdi": "enc", "rsi": "dec", "rdx": "raw_key", "rcx": NUMBER},
    r"lc_chacha20_apply_\w+": {"rdi": "dst", "rsi": "src", "rdx": "keystream", "rcx": NUMBER},
    r"lc_chacha20_block_\w+": {"rdi": "run"},
    r"lc_chacha20_columns_\w+": {"rdi": "run", "rsi": NUMBER, "rdx": NUMBER},
    r"lc_chacha20_rows_\w+": {"rdi": "run", "rsi": "dst", "rdx": "src", "rcx": NUMBER, "r8": NUMBER},
    r"lc_poly1305_blocks_\w+": {"rdi": "poly", "rsi": "msg", "rdx": NUMBER, "rcx": NUMBER},
    r"lc_poly1305_power_\w+": {"rdi": "run", "rsi": NUMBER},
    r"lc_poly1305_whole_\w+": {"rdi": "tag", "rsi": "parts", "rdx": NUMBER, "rcx": "raw_key"},
    r"lc_sha(256|512)_blocks_\w+": {"rdi": "hash", "rsi": "msg", "rdx": NUMBER},
    r"lc_sha256_lanes_\w+": {"rdi": "lanes256", "rsi": NUMBER},
    r"lc_sha512_lanes_\w+": {"rdi": "lanes512", "rsi": NUMBER},
    r"lc_sm3_lanes_\w+": {"rdi": "lanes_sm3", "rsi": NUMBER},
    r"lc_(p256|sm2)_mul_(?!add)\w+": {"rdi": "fe", "rsi": "fe", "rdx": "fe"},
    r"lc_p256_mul_add_\w+": {"rdi": "fe", "rsi": "fe", "rdx": "fe", "rcx": "fe", "r8": "fe"},
    r"lc_(p256|sm2)_sqr_\w+": {"rdi": "fe", "rsi": "fe"},
    r"lc_(p256|sm2)_(double|add)_\w+": {"rdi": "lanes", "rsi": NUMBER},
    r"lc_(p256|sm2)_select(_base)?_\w+": {"rdi": "lanes", "rsi": "table"},
    r"lc_p256_load_\w+": {"rdi": "lanes", "rsi": "points"},
    r"lc_p(256|384)_tree_products_\w+": {"rdi": "fe", "rsi": "table", "rdx": "table", "rcx": NUMBER},
    r"lc_p(256|384)_tree_sums_\w+": {"rdi": "lanes", "rsi": "table", "rdx": "table", "rcx": "fe", "r8": NUMBER},
    r"lc_(p256|sm2)_clear_\w+": {"rdi": NUMBER},
    r"lc_25519_mul_\w+": {"rdi": "fe", "rsi": "fe", "rdx": "fe"},
    r"lc_25519_sqr_(avx|bmi2)\w+": {"rdi": "fe", "rsi": "fe", "rdx": NUMBER},
    r"lc_25519_sqr_two_\w+": {"rdi": "fe", "rsi": NUMBER},
    r"lc_25519_rows_\w+": {"rdi": "table", "rsi": "fe"},
    r"lc_25519_take_\w+": {"rdi": "lanes", "rsi": "points"},
    r"lc_25519_sums_\w+": {"rdi": "fe", "rsi": "fe", "rdx": "fe", "rcx": "fe"},
    r"lc_25519_ladder_\w+": {"rdi": "ladder"},
    r"lc_25519_double_\w+": {"rdi": "lanes", "rsi": NUMBER},
    r"lc_25519_add_(affine_)?bmi2\w+": {"rdi": "lanes", "rsi": "fe", "rdx": NUMBER},
    r"lc_25519_select_\w+": {"rdi": "fe", "rsi": "table"},
    r"lc_25519_comb_\w+": {"rdi": "lanes", "rsi": "table", "rdx": NUMBER},
    r"lc_25519_first_\w+": {"rdi": "lanes", "rsi": "table"},
    r"lc_25519_replace_zeros_\w+": {"rdi": "fe", "rsi": "lanes"},
    r"lc_25519_exchange_\w+": {"rdi": "fe", "rsi": "fe", "rdx": NUMBER},
    r"lc_25519_clear_\w+": {"rdi": NUMBER},
    r"lc_wipe_high_vectors": {"rdi": NUMBER},
    r"lc_p384_mul_\w+": {"rdi": "fe", "rsi": "fe", "rdx": "fe"},
    r"lc_p384_sqr_\w+": {"rdi": "fe", "rsi": "fe"},
    r"lc_p384_(double|add)_\w+": {"rdi": "lanes", "rsi": NUMBER},
    r"lc_p384_select(_base)?_\w+": {"rdi": "lanes", "rsi": "table"},
    r"lc_p384_point_\w+": {"rdi": "lanes"},
    r"lc_p384_clear_\w+": {"rdi": NUMBER},
    r"lc_rsa_mul_\w+": {"rdi": "fe", "rsi": "fe", "rdx": "fe", "rcx": "lanes", "r8": NUMBER},
    r"lc_rsa_one_mul_\w+": {"rdi": "fe", "rsi": "fe", "rdx": "fe", "rcx": "one", "r8": NUMBER, "r9": NUMBER},
    r"lc_rsa_select_\w+": {"rdi": "fe", "rsi": "table", "rdx": "fe", "rcx": NUMBER},
    r"lc_poly1305_parts_\w+": {"rdi": "poly", "rsi": "parts", "rdx": NUMBER},
}

# Bytes [begin, end) of objects that are public; all other bytes of all objects are secret.
PUBLIC_FIELDS = {
    "key": [(480, 484)],    # struct lc_xts_key: rounds
    "ctr_key": [(240, 248)],  # lc_ctr_key: rounds, distance.  (The iv is public, but nothing depends on it: no public bytes.)
    "gcm_key": [(240, 244)],  # struct lc_gcm_key: rounds
    "gcm_msg": [(0, 16), (48, 88)],  # struct lc_gcm_msg: aad, aad_len; num_bits, num_done, nonce, tag.  Secret: j0, hash.
    "items": [(0, 8)],      # a pointer, and others
    "item": [(0, 60)],      # struct lc_aead_item: all of it; what its pointers point to is secret, the nonce too
    "tweak": [(16, 144)],   # struct lc_xts_units: unit_len, index, iv, step.  (If it is a uint8_t[16], it has no public bytes.)
    "run": [(88, 120)],     # struct lc_chacha20_run: dst, src, hashed, apart, rounds
    "poly": [(84, 88)],     # struct lc_poly1305_state: num_powers
    "parts": [(0, 16)],     # struct lc_poly1305_part: all of it
    "lanes256": [(768, 832)],    # struct lc_sha256_lanes: data.  Secret: h, w.
    "lanes512": [(1536, 1600)],  # struct lc_sha512_lanes: data
    "lanes_sm3": [(4864, 4992)],  # struct lc_sm3_lanes: data
    "points": [(0, 64)],    # eight pointers
    "one": [(0, 196)],      # struct lc_rsa_one: first, down, up, masks.  Secret: k, m, m_high.
    "rodata": [(float("-inf"), float("inf"))],
}

# Arrays: bytes of an element.  Offsets are those within one.
ARRAYS = {"parts": 16, "items": 8}

# Members that a pointer, once it points there, isn't taken to leave: object -> [(begin, end, name)]
PARTS = {
    "gcm_key": [(256, 944, "gcm_powers")],
    "poly": [(96, 480, "poly_powers")],
    "lanes256": [(256, 768, "lanes_w")],
    "lanes512": [(512, 1536, "lanes_w")],
    "lanes_sm3": [(512, 4864, "lanes_w")],
    "run": [(896, 1600, "run_text")],  # first, last or spill, more
}

# Objects for which this is so of the displacement as well: what disp(pointer, index) can be is in the part that disp(pointer) is
# in.
INDEXED = {"run", "gcm_key"}

# Pointers in public fields: object -> offset -> the object that the pointer there points to.
POINTERS = {
    "gcm_msg": {0: "aad", 72: "nonce", 80: "tag"},
    "items": {0: "item"},
    "item": {0: "dst", 8: "tag", 16: "src", 32: "aad", 48: "nonce"},
    "run": {88: "dst", 96: "src", 104: "hashed"},
    "parts": {0: "msg"},
    "points": dict.fromkeys(range(0, 64, 8), "table"),
    "lanes256": dict.fromkeys(range(768, 832, 8), "msg"),
    "lanes512": dict.fromkeys(range(1536, 1600, 8), "msg"),
    "lanes_sm3": dict.fromkeys(range(4864, 4992, 8), "msg"),
}

# ---- The model of the instructions ----

JUMPS = "a ae b be c e g ge l le na nae nb nbe nc ne ng nge nl nle no np ns nz o p pe po s z".split()
COMPARE = {"cmp", "test"}                       # flags only
BIT_TEST = {"bt"}
BIT_CHANGE = {"btr", "bts", "btc"}
ARITHMETIC = {"add", "sub", "and", "or", "xor"}  # last operand = last op first; flags
SHIFTS = {"shl", "shr", "sar", "rol", "ror"}    # the same, but a count of 0 leaves the flags as they were
UNARY = {"neg": True, "not": False, "inc": True, "dec": True}  # whether they write flags
SHIFTS_X = {"shlx", "shrx", "sarx", "rorx"}          # count, source, destination; no flags
STACK = [f"stack{n}" for n in range(8)]         # what is pushed; nothing else may be on the stack

# Vector instructions, without the v of VEX and EVEX, that take the same time whatever the data, and touch nothing but their
# operands: the last one is written, the others are read.
OBLIVIOUS = set("""
    movdqa movdqu movdqa32 movdqa64 movdqu8 movdqu32 movdqu64 movd movq movhlps movhps movaps movups
    broadcasti128 broadcasti32x4 broadcasti64x2 inserti128 inserti32x4 inserti64x2 inserti64x4 extracti128 extracti32x4 extracti64x4
    pxor pxord pxorq pand pandd pandq pandn por pord porq pternlogd pternlogq
    paddd paddq psubd psubq
    pslld psllq pslldq psllvq psraq psrld psrlq psrldq psrlvq psrad
    pshufb pshufd shufps shufi32x4 shufi64x2 palignr punpcklqdq punpckhqdq punpckldq punpckhdq
    pclmulqdq pclmullqlqdq pclmulhqlqdq pclmullqhqdq pclmulhqhqdq
    pmuludq pmadd52luq pmadd52huq prold pslld psrld
    permd permq permi2q permt2q perm2i128 pblendd pblendmq alignq pbroadcastd pbroadcastq pmovzxbq
    aesenc aesenclast aesdec aesdeclast aesimc sha256rnds2 sha256msg1 sha256msg2 prord prorq
    pcmpeqd pcmpeqq pcmpgtq pcmpneqq ptestmq ptestnmq kxorw kshiftrq kmovb kmovw kmovd kmovq pmovmskb movmskpd movmskps pextrb
    pextrw pextrd pextrq pinsrb pinsrw pinsrd pinsrq
""".split())
# Flags from masks, which may be secret as general registers may be
MASK_TEST = {"kortestb", "kortestw", "kortestd", "kortestq"}
# Like the oblivious ones, but where each element goes depends on the mask: only ever with a public one.
COMPRESSING = {"pcompressd", "pcompressq", "pexpandd", "pexpandq"}
# Legacy ones that write all of their destination; the others read it as well.
LEGACY_WRITE = set("movdqa movdqu movd movq movaps movups pshufd aesimc pmovmskb movmskps pextrb pextrw pextrd pextrq".split())
# VEX and EVEX ones that read their destination as well.
READ_DESTINATION = {"pternlogd", "pternlogq", "pmadd52luq", "pmadd52huq", "permi2q", "permt2q"}
# Bytes that are read or written in memory, if not the width of the widest register.
MEMORY_SIZE = {"broadcasti128": 16, "broadcasti32x4": 16, "broadcasti64x2": 16, "movq": 8, "movhps": 8, "movd": 4,
               "inserti128": 16, "inserti32x4": 16, "inserti64x2": 16, "extracti128": 16, "extracti32x4": 16, "extracti64x4": 32,
               "pinsrb": 1, "pinsrw": 2, "pinsrd": 4, "pinsrq": 8, "pextrb": 1, "pextrw": 2, "pextrd": 4, "pextrq": 8,
               "pbroadcastd": 4, "pbroadcastq": 8, "pmovzxbq": 8}

# ---- Abstract values: (secret, object, offset); object is None for a number, offset None if unknown ----

SECRET, PUBLIC = (True, None, None), (False, None, None)
MIXED = "?"  # points into one object on one path, and into another, or is a number, on another path: what is there is secret
EITHER = "either"  # the same, but nothing in these objects is public, or taken for it


def join(a, b):
    """What is true of both."""
    name = a[1]
    if a[1] != b[1]:
        name = MIXED if {a[1], b[1]} & ({None, MIXED, *PUBLIC_FIELDS} - {"rodata"}) else EITHER
    return (a[0] or b[0], name, a[2] if a[1:] == b[1:] else None)


def public_if(values):
    return SECRET if any(v[0] for v in values) else PUBLIC


class Checker:
    def __init__(self, function, contract, functions=()):
        self.function, self.errors = function, set()
        self.contract, self.entries = contract, {f.address: contract_of(f) for f in functions}
        start = dict.fromkeys((f"v{n}" for n in range(32)), SECRET)
        start.update(dict.fromkeys([*disassembly.GPR.values(), *(f"k{n}" for n in range(8)), "flags"], PUBLIC))
        start.update({r: (False, o, 0 if o else None) for r, o in contract.items()})
        start.update(dict.fromkeys(STACK, PUBLIC), pushed=(False, None, 0))
        self.at = {0: start}  # index of instruction -> state before it

    def error(self, text):
        self.errors.add((self.now.address, f"{self.function.where(self.now)}: {text}"))

    def run(self):
        todo = [0]
        while todo:
            n = todo.pop()
            self.now, self.state = self.function.instructions[n], dict(self.at[n])
            # What was wrong when fewer paths were known: a number then may be MIXED now.
            self.errors = {e for e in self.errors if e[0] != self.now.address}
            self.step()
            for next_n in self.function.successors(n):
                if next_n is None:
                    if not self.goes_on_elsewhere():
                        self.error("leaves the function")
                    continue
                old = self.at.get(next_n)
                new = self.state if old is None else {r: join(v, self.state[r]) for r, v in old.items()}
                if new != old:
                    self.at[next_n] = new
                    todo.append(next_n)
        for n, i in enumerate(self.function.instructions):
            if n not in self.at and i.mnemonic != "nop":
                self.now = i
                self.error("not reached by any path that is known here")
        return [text for _, text in sorted(self.errors)]

    def goes_on_elsewhere(self):
        """Is it a jump to another function of the same contract, with the same arguments?"""
        i = self.now
        return (i.is_jump and i.target != self.function.address and self.entries.get(i.target) == self.contract
                and self.state["pushed"][2] == 0
                and all(self.state[r] == (False, o, 0 if o else None) for r, o in self.contract.items()))

    # -- operands --

    @staticmethod
    def register(operand):
        """Key in the state: GPR by its 64-bit name, v0..v31, k0..k7; None for memory and immediates."""
        match = re.match(r"%(\w+)", operand)
        if not match:
            return None
        name = match[1]
        return disassembly.GPR.get(name) or ("v" + name[3:] if name[1:3] == "mm" else name)

    def is_memory(self, operand):
        return operand[0] not in "%$" and not self.now.is_jump

    def address(self, operand):
        """Abstract value of a memory operand's address; complains if a secret is part of it."""
        match = re.fullmatch(r"(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+)(?:,(\d))?)?\)(\{.*\})*", operand)
        if not match or (match[3] and self.register(match[3])[0] == "v"):
            self.error("this form of address isn't modelled")
            return SECRET
        if match[2] == "%rip":
            if self.now.mnemonic == "lea" and not self.now.relocation:
                return (False, "code", None)  # of this section, to be prefetched: what it has counts as secret
            if not self.now.relocation or not self.now.relocation[1].startswith(".rodata"):
                self.error("relative to rip, but not to .rodata")
            return (False, "rodata", None)
        value = (False, None, int(match[1] or "0", 16))
        if match[2]:
            value = self.add(value, self.state[self.register(match[2])])
        if match[3]:
            if value[1] in INDEXED:
                value = self.part_of(value)
            value = self.add(value, self.state[self.register(match[3])])
        return value

    @staticmethod
    def part_of(value):
        for begin, end, name in PARTS.get(value[1], []) if value[2] is not None else []:
            if begin <= value[2] < end:
                return (value[0], name, value[2] - begin)
        return value

    @staticmethod
    def add(a, b):
        """A sum: pointer + number is a pointer.  Of numbers, only displacements and immediates have a known value (as offset)."""
        secret = a[0] or b[0]
        if a[1] and b[1]:
            return (secret, MIXED, None)
        if a[2] is None or b[2] is None:
            return (secret, a[1] or b[1], None)
        offset = (a[2] + b[2] + 2**63) % 2**64 - 2**63
        name = a[1] or b[1]
        return (secret, name, offset % ARRAYS[name] if name in ARRAYS else offset)

    def access(self, operand, size):
        """Check the address; (object, is the place known to be public, might it be public?)"""
        secret, name, offset = self.address(operand)
        if secret:
            self.error("a secret is part of the address")
        if name is None:
            self.error("no knowing which object that address is in")
        if name in (None, MIXED):
            return False, True
        fields = PUBLIC_FIELDS.get(name, [])
        if offset is None:
            return name == "rodata", bool(fields)
        return (any(begin <= offset and offset + size <= end for begin, end in fields),
                any(begin < offset + size and offset < end for begin, end in fields))

    def size(self, name):
        if name in MEMORY_SIZE:
            return MEMORY_SIZE[name]
        sizes = [{"x": 16, "y": 32, "z": 64}[r[0]] for r in self.now.registers if r[1:3] == "mm"]
        if sizes:
            return max(sizes)
        sizes = [disassembly.gpr_size(o[1:]) for o in self.now.operands if o[1:] in disassembly.GPR]
        return sizes[0] if sizes else {"b": 1, "w": 2, "l": 4}.get(self.now.mnemonic[-1], 8)

    def read(self, operand, size):
        """The value of a source operand."""
        if operand[0] == "$":
            return (False, None, int(operand[1:], 16))
        if self.is_memory(operand):
            public, _ = self.access(operand, size)
            return self.loaded(operand, size) if public else SECRET
        value = self.state[self.register(operand)]
        if operand[1:] in disassembly.GPR and disassembly.gpr_size(operand[1:]) < 8:
            value = (value[0], None, None)  # part of a pointer is a number
        return value

    def loaded(self, operand, size):
        """The value of a public field."""
        _, name, offset = self.address(operand)
        pointers = POINTERS.get(name, {})
        if size == 8 and offset in pointers:
            return (False, pointers[offset], 0)
        if any(offset < at + 8 and at < offset + size for at in pointers) and size < 8:
            self.error("part of a pointer is read")
        return PUBLIC

    def write(self, operand, value, size):
        if self.is_memory(operand):
            _, maybe_public = self.access(operand, size)
            if value[0] and maybe_public:
                self.error("a secret may be stored in a public field")
            return
        r = self.register(operand)
        value = self.part_of(value)
        if r in disassembly.GPR:
            size = disassembly.gpr_size(operand[1:])
            if size < 8 or value[1] is None:
                value = (value[0], None, None)
            if size < 4:  # the rest of the register stays
                value = (value[0] or self.state[r][0], None, None)
        self.state[r] = value

    # -- instructions --

    def need_public_flags(self):
        if self.state["flags"][0]:
            self.error("depends on flags that a secret has set")

    def set_flags(self, values, all_of_them=True):
        self.state["flags"] = public_if(list(values) + ([] if all_of_them else [self.state["flags"]]))

    def step(self):
        i = self.now
        name, operands = i.mnemonic, i.operands
        known = COMPARE | BIT_TEST | BIT_CHANGE | ARITHMETIC | SHIFTS | set(UNARY) | {"mov", "lea"}
        if name not in known and name[:-1] in known and name[-1] in "bwlq":
            name = name[:-1]
        vector = any(self.register(o) and self.register(o)[0] in "vk" for o in operands)
        size = self.size(i.mnemonic.removeprefix("v"))

        if vector:
            self.step_vector(i.mnemonic.removeprefix("v"), operands, size)
        elif name in ("endbr64", "nop", "vzeroall", "vzeroupper", "call"):
            pass  # (what is called follows)
        elif name in ("push", "pop", "ret"):
            self.step_stack(name, operands)
        elif name == "jmp" or name[0] == "j" and name[1:] in JUMPS:
            if i.target is None:
                self.error("not a direct jump to a known place")
            if name != "jmp":
                self.need_public_flags()
        elif name in ("mov", "movabs", "movslq", "movzbl", "movzwl"):
            if name.startswith("movz"):
                size = 1 if name[4] == "b" else 2  # of the source
            if name == "movslq":
                size = 4
            self.write(operands[1], self.read(operands[0], size), size)
        elif name == "xchg":
            if any(self.is_memory(o) for o in operands):
                self.error("an exchange with memory isn't modelled")
                return
            values = [self.read(o, size) for o in operands]
            for operand, value in zip(operands, reversed(values)):
                self.write(operand, value, size)
        elif name == "prefetcht0":
            if "(%rip)" not in operands[0] and self.address(operands[0])[0]:  # relative to rip: code that will be executed
                self.error("a secret is part of the address")
        elif name == "lea":
            self.write(operands[1], self.address(operands[0]), size)
        elif name in COMPARE:
            self.set_flags([self.read(o, size) for o in operands])
        elif name in BIT_TEST | BIT_CHANGE:
            if any(self.is_memory(o) for o in operands):
                self.error("bit tests in memory aren't modelled")
                return
            values = [self.read(o, size) for o in operands]
            self.set_flags(values, all_of_them=False)
            if name in BIT_CHANGE:
                self.write(operands[1], public_if(values), size)
        elif name in ARITHMETIC:
            if name == "xor" and operands[0] == operands[1]:
                self.write(operands[1], PUBLIC, size)
                self.set_flags([])
                return
            a, b = (self.read(o, size) for o in operands)
            self.set_flags([a, b])
            if name == "add":
                result = self.add(a, b)
            elif name == "sub" and not a[1]:
                result = self.add((a[0], None, None if a[2] is None else -a[2]), b)
            else:
                result = public_if([a, b])
            self.write(operands[1], result, size)
        elif name == "bzhi":
            result = public_if([self.read(o, size) for o in operands[:2]])
            self.set_flags([result])
            self.write(operands[2], result, size)
        elif name in SHIFTS:
            values = [self.read(o, size) for o in operands]
            if len(operands) == 2 and values[0][0]:
                self.error("shifts by a secret count")
            self.set_flags(values, all_of_them=False)
            self.write(operands[-1], public_if(values), size)
        elif name in UNARY:
            value = public_if([self.read(operands[0], size)])
            self.write(operands[0], value, size)
            if UNARY[name]:
                self.set_flags([value], all_of_them=name == "neg")
        elif name.startswith("cmov") and name[4:] in JUMPS:
            value = join(*(self.read(o, size) for o in operands))
            self.write(operands[1], SECRET if self.state["flags"][0] else value, size)
        elif name.startswith("set") and name[3:] in JUMPS:
            self.write(operands[0], public_if([self.state["flags"]]), 1)
        elif name == "rcr" and operands[:-1] in ([], ["$1"]):  # by one bit; binutils write the count from 2.41 on
            values = [self.read(operands[-1], size), self.state["flags"]]
            self.set_flags(values)
            self.write(operands[-1], public_if(values), size)
        elif name in ("adc", "sbb"):
            values = [self.read(o, size) for o in operands] + [self.state["flags"]]
            self.set_flags(values)
            self.write(operands[1], public_if(values), size)
        elif name == "mulx":
            values = [self.read(operands[0], size), self.state["rdx"]]
            self.write(operands[1], public_if(values), size)
            self.write(operands[2], public_if(values), size)
        elif name in ("mul", "mulq") and size == 8:
            values = [self.read(operands[0], size), self.state["rax"]]
            self.set_flags(values)
            self.write("%rax", public_if(values), size)
            self.write("%rdx", public_if(values), size)
        elif name == "imul" and len(operands) >= 2:
            values = [self.read(o, size) for o in operands[:2]]
            self.set_flags(values)
            self.write(operands[-1], public_if(values), size)
        elif name in ("shld", "shrd") and len(operands) == 3 and operands[0][0] == "$":
            values = [self.read(o, size) for o in operands[1:]]
            self.set_flags(values)
            self.write(operands[2], public_if(values), size)
        elif name in SHIFTS_X:
            values = [self.read(o, size) for o in operands[:2]]
            if values[0][0]:
                self.error("shifts by a secret count")
            self.write(operands[2], public_if(values), size)
        else:
            self.error("this instruction isn't modelled")

    def step_stack(self, name, operands):
        pushed = self.state["pushed"][2]
        if pushed is None or (name == "pop" and not pushed) or (name == "push" and pushed == len(STACK)):
            self.error("no knowing what is on the stack")
        elif name == "ret":
            if pushed:
                self.error("returns with something on the stack")
        elif self.is_memory(operands[0]):
            self.error("not a register")
        elif name == "push":
            self.state[STACK[pushed]] = self.state[self.register(operands[0])]
            self.state["pushed"] = (False, None, pushed + 1)
        else:
            self.state["pushed"] = (False, None, pushed - 1)
            self.write(operands[0], self.state[STACK[pushed - 1]], 8)
            self.state[STACK[pushed - 1]] = PUBLIC

    def step_vector(self, name, operands, size):
        if name in MASK_TEST:
            self.set_flags([self.read(o, size) for o in operands])
            return
        if name not in OBLIVIOUS | COMPRESSING:
            self.error("this vector instruction isn't modelled, or not allowed: it sets flags, or takes its time from the data")
            return
        sources, destination = operands[:-1], operands[-1]
        plain = [re.sub(r"\{.*", "", o) for o in sources]
        mask = re.search(r"\{%(k\d)\}", " ".join(operands))
        values = [self.read(o, size) for o in plain]
        # r ^ r is 0, whatever r is
        if name in ("pxor", "pxord", "pxorq") and not mask and len(set(plain + [destination])) == 1:
            values = []
        else:
            merges = mask and "{z}" not in destination and not self.is_memory(destination)
            legacy_reads = self.now.coding == "legacy" and name not in LEGACY_WRITE and not self.is_memory(destination)
            if merges or legacy_reads or name in READ_DESTINATION:
                values.append(self.state[self.register(destination)])
        if mask:
            values.append(self.state[mask[1]])
            if values[-1][0] and (name in COMPRESSING or any(self.is_memory(o) for o in operands)):
                self.error("a secret mask decides which memory is touched, or where elements go")
        self.write(re.sub(r"\{.*", "", destination), public_if(values), size)


def contract_of(function):
    found = [c for pattern, c in CONTRACTS.items() if re.fullmatch(pattern, function.name)]
    return found[0] if len(found) == 1 else None


def main():
    errors, num_functions, num_instructions = [], 0, 0
    for path in sys.argv[1:]:
        for o in disassembly.load(path):
            for function in o.functions:
                contract = contract_of(function)
                if not contract or not function.instructions:
                    errors.append(f"{o.name}: {function.name} has no contract here")
                    continue
                errors += Checker(function, contract, o.functions).run()
                num_functions += 1
                num_instructions += len(function.instructions)
    for error in errors:
        print(error)
    print(f"{num_functions} functions, {num_instructions} instructions, {len(errors)} errors")
    return 1 if errors or not num_functions else 0


if __name__ == "__main__":
    sys.exit(main())
