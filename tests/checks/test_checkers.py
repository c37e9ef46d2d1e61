#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
Negative controls of check_instructions.py and check_constant_time.py: each piece of assembly here breaks one rule, and the checker
has to say so; the good ones have to pass.  A checker that stops seeing things would otherwise look like clean code.
"""
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
import check_constant_time  # noqa: E402
import check_instructions  # noqa: E402

CC = os.environ.get("CC", "cc")

FUNCTION = """
    .section .rodata.test, "a"
.Ltable: .zero 256
    .text
    .type {name}, @function
{name}:
{body}
    .size {name}, . - {name}
{behind}
"""
STACK_NOTE = '    .section .note.GNU-stack, "", @progbits\n'


def source(impl, body, behind="", begin="    endbr64\n", end="    ret\n", note=STACK_NOTE, function="lc_aes_xts_encrypt"):
    body = begin + "".join(f"    {line.strip()}\n" for line in body.split(";")) + end
    return FUNCTION.format(name=f"{function}_{impl}", body=body, behind=behind.replace(";", "\n")) + note


def ctr(impl, body):
    return source(impl, body, function="lc_aes_ctr")


def gcm(impl, body, function="lc_aes_gcm_encrypt", **parts):
    return source(impl, body, function=function, **parts)


def other(impl, body):
    name = f"lc_aes_gcm_encrypt_{impl}"
    return f".type {name}, @function; {name}: {body}; ret; .size {name}, . - {name}"


def poly(body, function="lc_poly1305_blocks"):
    return source("avx512_ifma", body, function=function)


def p256(body, inner, behind=""):
    """A function and one that it may call"""
    return source("bmi2_avx2", body, f".type inner, @function; inner: {inner}; ret; .size inner, . - inner; {behind}",
                  function="lc_p256_mul")


P256_SQR = """.type lc_p256_sqr_bmi2_avx2, @function; lc_p256_sqr_bmi2_avx2: 1: endbr64; ret
    .size lc_p256_sqr_bmi2_avx2, . - lc_p256_sqr_bmi2_avx2"""


def many(body):
    return gcm("vaes_avx512_512", body, "lc_aes_gcm_many")


# What it is; the assembly; what check_instructions.py has to say (None: nothing)
INSTRUCTIONS = [
    ("good legacy SSE", source("aesni", "movdqu (%rdx), %xmm0; pxor %xmm1, %xmm0; movdqu %xmm0, (%rsi)"), None),
    ("good EVEX", source("vaes_avx512_512", "vmovdqu64 (%rdx), %zmm16; vpternlogd $0x96, %zmm1, %zmm2, %zmm16; vzeroupper"), None),
    ("unknown function", source("aesni_new", "nop"), "isn't in allowed_instructions"),
    ("AVX in legacy code", source("aesni", "vpxor %xmm0, %xmm1, %xmm2"), "may not use .* class vex xmm"),
    ("SSE4.1 in SSSE3 code", source("aesni", "pextrd $1, %xmm0, %eax"), r"not in \[class legacy xmm"),
    ("MMX", source("aesni", "paddq %mm0, %mm1"), "no assembly here needs %mm0"),
    ("legacy SSE in AVX code", source("aesni_avx", "pxor %xmm0, %xmm1"), "may not use .* class legacy xmm"),
    ("ymm in AVX code", source("aesni_avx", "vpxor %ymm0, %ymm1, %ymm1; vzeroupper"), "may not use .* class vex ymm"),
    ("AVX2 in AVX code", source("aesni_avx", "vpsllvq %xmm0, %xmm1, %xmm1"), r"not in \[class vex xmm"),
    ("EVEX in AVX2 code", source("vaes_avx2", "vpxord %xmm0, %xmm1, %xmm1"), "may not use .* class evex xmm"),
    ("AVX-IFMA in AVX2 code", source("vaes_avx2", ".byte 0xc4, 0xe2, 0xf5, 0xb4, 0xc1; vzeroupper"), r"vpmadd52luq .*not in"),
    ("EVEX by register", source("vaes_avx2", "vpaddq %ymm16, %ymm1, %ymm1; vzeroupper"), "may not use .* class evex ymm"),
    ("mask in AVX2 code", source("vaes_avx2", "kmovd %eax, %k1"), "may not use .* class vex mask"),
    ("legacy SSE in AVX2 code", source("vaes_avx2", "movdqa %xmm0, %xmm1"), "may not use .* class legacy xmm"),
    ("zmm in 256-bit code", source("vaes_avx512_256", "vpxord %zmm0, %zmm1, %zmm1; vzeroupper"), "may not use .* class evex zmm"),
    ("AVX512DQ", source("vaes_avx512_512", "vinserti64x2 $1, %xmm0, %zmm1, %zmm1; vzeroupper"), r"not in \[class evex zmm"),
    ("BMI2", source("vaes_avx2", "shlx %rax, %rcx, %rdx"), r"not in \[class vex general"),
    ("good: features of GCM", gcm("vaes_avx512_256", "bzhi %rax, %rcx, %rdx; vpclmulqdq $0x11, %xmm0, %xmm1, %xmm1"), None),
    ("BMI2 in CTR", ctr("vaes_avx2", "bzhi %rax, %rcx, %rdx"), r"not in \[class vex general"),
    ("BMI2 in GCM's AVX2", gcm("vaes_avx2", "bzhi %rax, %rcx, %rdx"), r"not in \[class vex general"),
    ("PCLMULQDQ in GCM", gcm("aesni", "pclmulqdq $0x00, %xmm0, %xmm1"), None),
    ("PCLMULQDQ in XTS", source("aesni", "pclmulqdq $0x00, %xmm0, %xmm1"), r"not in \[class legacy xmm"),
    ("VPCLMULQDQ in CTR", ctr("vaes_avx2", "vpclmulqdq $0x00, %ymm0, %ymm1, %ymm1; vzeroupper"), r"not in \[class vex ymm"),
    ("VPCLMULQDQ in GCM's AVX", gcm("aesni_avx", "vpclmulqdq $0x00, %ymm0, %ymm1, %ymm1; vzeroupper"), "class vex ymm"),
    ("SSE4.1 in GCM", gcm("aesni", "pinsrd $1, %eax, %xmm0"), r"not in \[class legacy xmm"),
    ("AVX in GCM's powers", gcm("pclmul", "vpxor %xmm0, %xmm1, %xmm1", "lc_aes_gcm_powers"), "may not use .* class vex xmm"),
    ("AVX512DQ in many", many("vpmullq %zmm0, %zmm1, %zmm1; vzeroupper"), r"not in \[class evex zmm"),
    ("many not enclosed", "lc_aes_gcm_many_begin:\nlc_aes_gcm_many_end:\n" + many("nop"), "outside of lc_aes_gcm_many_begin"),
    ("push", source("aesni", "push %rax"), "not in"),
    ("red zone", source("aesni", "mov %rax, -8(%rsp)"), "%rsp belongs to the caller"),
    ("callee-saved register", source("aesni", "xor %r12d, %r12d"), "%r12d belongs to the caller"),
    ("its low byte", source("aesni", "mov $1, %bl"), "%bl belongs to the caller"),
    ("segment register", source("aesni", "mov %fs:0x28, %rax"), "needs %fs"),
    ("call", source("aesni", "call other"), "not in"),
    ("good: call", p256("call inner", "mov 8(%rdi), %rax; jmp 1f; 1: mov %rax, (%rdi)"), None),
    ("call of another file's", p256("call other", "nop"), "leaves its function"),
    ("call past the entry", p256("call 1f", "nop; 1: nop"), "leaves its function"),
    ("call of what calls", p256("call inner", "call inner"), "leaves its function"),
    ("call of what jumps out", p256("call inner", "jbe 1f", "1: nop"), "leaves its function"),
    ("call of what pushes", p256("call inner", "push %rbx; pop %rbx"), "has the return address"),
    ("call of what needs more", p256("call inner", "vpxord %xmm0, %xmm1, %xmm1"), "may not use .* class evex xmm"),
    ("call of what uses upper halves", p256("call inner", "vpxor %ymm0, %ymm1, %ymm1"), "without vzeroupper"),
    ("call of what uses a callee-saved register", p256("call inner", "xor %ebx, %ebx"), "%ebx belongs to the caller"),
    ("call of what pops the caller's stack", p256("call inner", "test %rdi, %rdi; jz 1f; ret $8; 1:"), "takes the caller's stack"),
    ("call of what jumps to another function", p256("call inner", "jbe 1f", behind=P256_SQR), "leaves its function"),
    ("call of what C calls, too", p256("call 1f; call inner", "nop", behind=".globl lc_p256_sqr_bmi2_avx2; " + P256_SQR),
     "leaves its function"),
    ("call of what is outside the labels", "lc_p256_bmi2_avx2_begin:\n" + p256("call inner", "nop").replace(
        ".type inner", "lc_p256_bmi2_avx2_end:\n.type inner"), "outside of lc_p256_bmi2_avx2_begin"),
    ("inner function that nobody calls", p256("nop", "nop"), "isn't in allowed_instructions"),
    ("tail call", source("aesni", "jmp other", end=""), "not a direct jump"),
    ("indirect jump", source("aesni", "jmp *%rax", end=""), "not a direct jump"),
    ("jump out", source("aesni", "jmp 1f", behind="1: nop"), "leaves its function"),
    ("no ret", source("aesni", "nop", end=""), "leaves its function"),
    ("good: tail call", gcm("vaes_avx512_512", "jbe 1f", behind=other("vaes_avx512_256", "1: endbr64")), None),
    ("tail call of what needs more", gcm("vaes_avx512_256", "jbe 1f", behind=other("vaes_avx512_512", "1: endbr64")), "leaves its"),
    ("tail call past the entry", gcm("vaes_avx512_512", "jbe 1f", behind=other("vaes_avx512_256", "endbr64; 1:")), "leaves its"),
    ("tail call and no ret", gcm("vaes_avx512_512", "jbe 1f", behind=other("vaes_avx512_256", "1: endbr64"), end=""), "leaves its"),
    ("tail call with upper halves in use", gcm("vaes_avx512_512", "vpxord %zmm0, %zmm1, %zmm2; jmp 1f", end="",
                                               behind=other("vaes_avx512_256", "1: endbr64")), "without vzeroupper"),
    ("ret that pops", source("aesni", "nop", end="    ret $8\n"), "takes the caller's stack"),
    ("div", source("aesni", "div %ecx"), "not in"),
    ("string instruction", source("aesni", "rep movsb"), "not in"),
    ("std", source("aesni", "std"), "not in"),
    ("no endbr64", source("aesni", "nop", begin=""), "doesn't begin with endbr64"),
    ("no vzeroupper", source("vaes_avx2", "vpxor %ymm0, %ymm1, %ymm1"), "without vzeroupper"),
    ("no vzeroupper on one path",
     source("vaes_avx2", "vmovdqu (%rdx), %ymm0; test %ecx, %ecx; jb 1f; vzeroupper; 1:"), "without vzeroupper"),
    ("code outside", source("aesni", "nop", behind="xor %eax, %eax"), "outside all functions"),
    ("absolute address", source("aesni", "mov $.Ltable, %eax"), "relocation R_X86_64_32"),
    ("writable data", source("aesni", "nop", behind=".data;.quad 0"), r"\.data is writable"),
    ("writable bss", source("aesni", "nop", behind=".bss;.zero 8"), r"\.bss is writable"),
    ("no stack note", source("aesni", "nop", note=""), "GNU-stack is missing"),
    ("executable stack", source("aesni", "nop", note='.section .note.GNU-stack, "x", @progbits\n'), "missing or executable"),
    ("not enclosed",
     "lc_aes_xts_aesni_begin:\nlc_aes_xts_aesni_end:\n" + source("aesni", "nop"), "outside of lc_aes_xts_aesni_begin"),
    ("another's code enclosed", "lc_aes_xts_aesni_begin:\n" + source("aesni_avx", "nop", behind="lc_aes_xts_aesni_end:"),
     "inside of lc_aes_xts_aesni_begin"),
]

# The same for check_constant_time.py.  Arguments: rdi key, rsi dst, rdx src, rcx length, r8 tweak or units, r9 how.
AVX512 = "vaes_avx512_512"
CONSTANT_TIME = [
    ("good: branches on the length",
     source("aesni", "cmp $16, %rcx; jb 1f; movdqu (%rdx,%rcx), %xmm0; movdqu %xmm0, (%rsi); 1:"), None),
    ("good: rounds", source("aesni", "add $0x100, %rdi; cmpl $12, 480-0x100(%rdi); jb 1f; 1:"), None),
    ("good: units", source("aesni", "mov 24(%r8), %eax; movdqu 144(%r8,%rax), %xmm0; cmp 16(%r8), %rcx; ja 1f; 1:"), None),
    ("good: next iv", source(AVX512, "vmovdqu64 32(%r8), %zmm0; vpaddq %zmm0, %zmm0, %zmm1; vmovdqu64 %zmm1, 32(%r8)"), None),
    ("good: mask of the length",
     source(AVX512, "kmovd %ecx, %k1; vmovdqu64 (%rdx), %zmm0{%k1}{z}; vpcompressq %zmm0, %zmm1{%k1}{z}"), None),
    ("good: xor with itself",
     source("aesni", "movdqu (%rdx), %xmm0; pxor %xmm0, %xmm0; movq %xmm0, %rax; test %eax, %eax; je 1f; 1:"), None),
    ("unknown function", FUNCTION.format(name="lc_new", body="ret", behind=""), "has no contract"),
    ("branch on data", source("aesni", "cmpb $0, (%rdx); je 1f; 1:"), "depends on flags"),
    ("branch on data, in a register", source("aesni", "mov (%rdx), %rax; and $1, %eax; jz 1f; 1:"), "depends on flags"),
    ("branch on a key", source("aesni", "mov 240(%rdi), %eax; test %eax, %eax; js 1f; 1:"), "depends on flags"),
    ("branch behind the rounds", source("aesni", "cmpl $0, 724(%rdi); jb 1f; 1:"), "depends on flags"),
    ("branch on a tweak", source("aesni", "mov 8(%r8), %rax; shl $1, %rax; jc 1f; 1:"), "depends on flags"),
    ("branch, key at an unknown offset", source("aesni", "add %rcx, %rdi; cmpl $0, 480(%rdi); je 1f; 1:"), "depends on flags"),
    ("flags from before a shift",
     source("aesni", "mov (%rdx), %rax; test %rax, %rax; shl %cl, %r9d; je 1f; 1:"), "depends on flags"),
    ("secret on one path only",
     source("aesni", "xor %eax, %eax; cmp $1, %ecx; je 1f; mov (%rdx), %eax; 1: test %eax, %eax; je 2f; 2:"),
     "depends on flags"),
    ("secret in a loop only", source("aesni", "xor %eax, %eax; 1: test %eax, %eax; je 2f; mov (%rdx), %eax; dec %ecx; jnz 1b; 2:"),
     "depends on flags"),
    ("cmov", source("aesni", "mov (%rdx), %rax; test %rax, %rax; cmovz %rcx, %r9; test %r9, %r9; je 1f; 1:"), "depends on flags"),
    ("pointer by cmov", source("aesni", "mov (%rdx), %rax; test %rax, %rax; mov %rdx, %r9; cmovz %rsi, %r9; mov (%r9), %rax"),
     "part of the address"),
    ("setcc", source("aesni", "mov (%rdx), %rax; test %rax, %rax; setz %cl; test %cl, %cl; je 1f; 1:"), "depends on flags"),
    ("adc", source("aesni", "mov (%rdx), %rax; add %rax, %rax; adc %rcx, %rcx; test %rcx, %rcx; je 1f; 1:"), "depends on flags"),
    ("carry of adc", source("aesni", "mov (%rdx), %rax; add %rax, %rax; adc $0, %rcx; jc 1f; 1:"), "depends on flags"),
    ("table", source("aesni", "movzbl (%rdx), %eax; lea .Ltable(%rip), %r11; movzbl (%r11,%rax), %eax"), "part of the address"),
    ("table of words",
     source("aesni", "movzwl (%rdx), %eax; lea .Ltable(%rip), %r11; mov (%r11,%rax), %eax"), "part of the address"),
    ("table, by mov",
     source("aesni", "mov (%rdx), %al; and $255, %eax; lea .Ltable(%rip), %r11; mov (%r11,%rax), %al"), "part of the address"),
    ("address from a vector",
     source("aesni", "movdqu (%rdx), %xmm0; movq %xmm0, %rax; movdqu (%rsi,%rax), %xmm1"), "part of the address"),
    ("store address", source("aesni", "mov 3(%rdx), %rax; mov %ecx, (%rsi,%rax)"), "part of the address"),
    ("pmovmskb", source("aesni", "movdqu (%rdx), %xmm0; pmovmskb %xmm0, %eax; test %eax, %eax; je 1f; 1:"), "depends on flags"),
    ("ptest", source("aesni", "ptest %xmm0, %xmm0"), "isn't modelled, or not allowed"),
    ("vptest", source("vaes_avx2", "vptest %ymm0, %ymm0"), "isn't modelled, or not allowed"),
    ("good: kortest", source(AVX512, "kmovd %r9d, %k1; kortestw %k1, %k1; jnz 1f; 1:"), None),
    ("kortest", source(AVX512, "mov (%rdx), %eax; kmovd %eax, %k1; kortestw %k1, %k1; jnz 1f; 1:"), "depends on flags"),
    ("bzhi",
     source(AVX512, "mov (%rdx), %rax; mov $-1, %rcx; bzhi %rax, %rcx, %rcx; kmovq %rcx, %k1; vmovdqu8 (%rsi), %zmm0{%k1}{z}"),
     "secret mask"),
    ("flags of bzhi", source(AVX512, "mov (%rdx), %rax; bzhi %rcx, %rax, %rax; jz 1f; 1:"), "depends on flags"),
    ("mask of a comparison", source(AVX512, "vpcmpltq %zmm0, %zmm1, %k1"), "isn't modelled, or not allowed"),
    ("mask of data", source(AVX512, "mov (%rdx), %eax; kmovd %eax, %k1; vmovdqu64 (%rdx), %zmm0{%k1}{z}"), "secret mask"),
    ("store under a mask of data",
     source(AVX512, "mov (%rdx), %eax; kmovd %eax, %k1; vmovdqu64 %zmm0, (%rsi){%k1}"), "secret mask"),
    ("vpcompress of data", source(AVX512, "mov (%rdx), %eax; kmovd %eax, %k1; vpcompressq %zmm0, %zmm1{%k1}{z}"), "secret mask"),
    ("mask back in a register", source(AVX512, "mov (%rdx), %eax; kmovd %eax, %k1; kmovd %k1, %r9d; bt $1, %r9d; jc 1f; 1:"),
     "depends on flags"),
    ("gather", source("vaes_avx2", "vpgatherqq %ymm0, (%rsi,%ymm1), %ymm2"), "isn't modelled, or not allowed"),
    ("secret shift count", source("aesni", "mov (%rdx), %ecx; shl %cl, %r9d"), "secret count"),
    ("div", source("aesni", "mov (%rdx), %eax; div %ecx"), "isn't modelled"),
    ("floating point", source("aesni", "divps %xmm0, %xmm1"), "isn't modelled"),
    ("pdep", source("vaes_avx2", "pdep %rax, %rcx, %r9"), "isn't modelled"),
    ("secret to a public field", source("aesni", "mov (%rdx), %eax; mov %eax, 24(%r8)"), "stored in a public field"),
    ("secret across a public field", source("aesni", "movdqu (%rdx), %xmm0; movdqu %xmm0, 8(%r8)"), "stored in a public field"),
    ("secret to units at an unknown offset",
     source("aesni", "movdqu (%rdx), %xmm0; movdqu %xmm0, (%r8,%rcx)"), "stored in a public field"),
    ("legacy SSE keeps its destination", source("aesni", "movdqu (%rdx), %xmm0; paddq 32(%r8), %xmm0; movdqu %xmm0, 32(%r8)"),
     "stored in a public field"),
    ("and so does vpternlog",
     source(AVX512, "vmovdqu64 (%rdx), %zmm0; vmovdqu64 32(%r8), %zmm1; vpternlogd $0x96, %zmm1, %zmm1, %zmm0; "
            "vmovdqu64 %zmm0, 32(%r8)"), "stored in a public field"),
    ("merged vector", source(AVX512, "vmovdqu64 (%rdx), %zmm0; vmovdqu64 32(%r8), %zmm0{%k1}; vmovdqu64 %zmm0, 32(%r8)"),
     "stored in a public field"),
    ("good: CTR",
     ctr("aesni", "mov 240(%rdi), %eax; test %eax, %eax; js 1f; movdqu (%r8), %xmm0; movdqu %xmm0, (%rsi,%rcx); 1:"), None),
    ("branch on a key of CTR", ctr("aesni", "cmpl $0, 236(%rdi); je 1f; 1:"), "depends on flags"),
    ("branch where XTS has its rounds", ctr("aesni", "cmpl $0, 480(%rdi); je 1f; 1:"), "depends on flags"),
    ("branch on a counter", ctr("aesni", "mov 8(%r8), %rax; add %rcx, %rax; jc 1f; 1:"), "depends on flags"),
    ("mask of CTR's data",
     ctr(AVX512, "mov (%rdx), %rax; kmovq %rax, %k1; vmovdqu8 %zmm0, (%rsi){%k1}"), "secret mask"),
    ("good: GCM", gcm("aesni", "mov 240(%rdi), %eax; test %eax, %eax; js 1f; mov (%r8), %rax; mov 8(%r8), %r10; test %r10, %r10; "
                      "jz 1f; movdqu -16(%rax,%r10), %xmm0; movdqu %xmm0, 32(%r8); 1: movd 64(%r8), %xmm1; movd %xmm1, %eax; "
                      "test %eax, %eax; jz 1f; 1:"), None),
    ("branch on GCM's round keys", gcm("aesni", "cmpl $0, 236(%rdi); je 1f; 1:"), "depends on flags"),
    ("branch on a power", gcm("aesni", "cmpl $0, 256(%rdi); je 1f; 1:"), "depends on flags"),
    ("branch on the AAD", gcm("aesni", "mov (%r8), %rax; cmpb $0, (%rax); je 1f; 1:"), "depends on flags"),
    ("branch on the hash", gcm("aesni", "mov 32(%r8), %rax; test %rax, %rax; je 1f; 1:"), "depends on flags"),
    ("branch on J0", gcm("aesni", "mov 24(%r8), %rax; shr $32, %rax; jc 1f; 1:"), "depends on flags"),
    ("table of GHASH", gcm("aesni", "mov 32(%r8), %rax; and $0xf0, %eax; movdqu 256(%rdi,%rax), %xmm0"), "part of the address"),
    ("mask of the hash", gcm(AVX512, "mov 32(%r8), %rax; kmovq %rax, %k1; vmovdqu8 %zmm0, (%rsi){%k1}"), "secret mask"),
    ("hash to the lengths", gcm("aesni", "movdqu 32(%r8), %xmm0; movdqu %xmm0, 48(%r8)"), "stored in a public field"),
    ("half a pointer to the AAD", gcm("aesni", "mov (%r8), %eax; mov (%rax), %eax"), "part of a pointer"),
    ("good: powers", gcm("pclmul", "lea 528(%rdi), %rdx; 1: movdqa %xmm0, (%rdx); sub $16, %rdx; cmp %rdi, %rdx; jne 1b",
                         "lc_aes_gcm_powers"), None),
    ("powers to the rounds", gcm("pclmul", "movdqa %xmm0, 240(%rdi)", "lc_aes_gcm_powers"), "stored in a public field"),
    ("good: powers by an index", gcm("pclmul", "mov 240(%rdi), %eax; movdqa %xmm0, 256(%rdi,%rax)", "lc_aes_gcm_powers"), None),
    ("powers from an unknown place", gcm("pclmul", "mov 240(%rdi), %eax; movdqa %xmm0, 224(%rdi,%rax)", "lc_aes_gcm_powers"),
     "stored in a public field"),
    ("branch on H", gcm("pclmul", "mov 528(%rdi), %rax; shr $1, %rax; jc 1f; 1:", "lc_aes_gcm_powers"), "depends on flags"),
    ("good: many", many("mov 24(%rsi), %rax; mov 24(%rax), %rcx; test %rcx, %rcx; jz 1f; mov 16(%rax), %r10; mov 0(%rax), %r11; "
                        "vmovdqu (%r10,%rcx), %xmm0; vmovdqu %xmm0, (%r11,%rcx); 1: mov 8(%rax), %rax; vmovdqu %xmm0, (%rax)"),
     None),
    ("branch on an item's text", many("mov 8(%rsi), %rax; mov 16(%rax), %r10; cmpb $0, (%r10); je 1f; 1:"), "depends on flags"),
    ("branch on an item's AAD", many("mov 8(%rsi), %rax; mov 32(%rax), %r10; cmpb $0, (%r10); je 1f; 1:"), "depends on flags"),
    ("branch on an item's nonce", many("mov 8(%rsi), %rax; mov 48(%rax), %r10; cmpb $0, (%r10); je 1f; 1:"), "depends on flags"),
    ("branch on an item's tag", many("mov 8(%rsi), %rax; mov 8(%rax), %r10; cmpb $0, (%r10); je 1f; 1:"), "depends on flags"),
    ("branch on a comparison of tags", many("vpcmpneqq %zmm0, %zmm1, %k1; kmovd %k1, %eax; test %eax, %eax; je 1f; 1:"),
     "depends on flags"),
    ("text to an item", many("mov (%rsi), %rax; mov 16(%rax), %r10; mov (%r10), %r10; mov %r10, 56(%rax)"),
     "stored in a public field"),
    ("address of unknown origin", source("aesni", "mov (%rcx), %eax"), "no knowing"),
    ("good: two origins", source("aesni", "mov %rsi, %rax; cmp $1, %ecx; je 1f; mov %rdi, %rax; 1: movdqu (%rax), %xmm0"), None),
    ("branch on what has two origins",
     source("aesni", "mov %rsi, %rax; cmp $1, %ecx; je 1f; mov %rdi, %rax; 1: mov 480(%rax), %eax; test %eax, %eax; je 2f; 2:"),
     "depends on flags"),
    ("secret stored in one of two", source("aesni", "mov %rsi, %rax; cmp $1, %ecx; je 1f; mov %rdi, %rax; 1: movdqu %xmm0, (%rax)"),
     "may be stored in a public field"),
    ("address with two origins, one of them secret",
     source("aesni", "mov %rsi, %rax; cmp $1, %ecx; je 1f; mov (%rdi), %rax; 1: movdqu (%rax), %xmm0"), "part of the address"),
    ("good: one of two texts", source("aesni", "mov %rsi, %rax; cmp $1, %ecx; je 1f; mov %rdx, %rax; 1: mov (%rax), %eax"), None),
    ("branch on one of two texts",
     source("aesni", "mov %rsi, %rax; cmp $1, %ecx; je 1f; mov %rdx, %rax; 1: mov (%rax), %eax; test %eax, %eax; je 2f; 2:"),
     "depends on flags"),
    ("pointer cut in half", source("aesni", "mov %edx, %eax; mov (%rax), %eax"), "no knowing"),
    ("indirect jump", source("aesni", "jmp *%rax", end=""), "not a direct jump"),
    ("call", source("aesni", "call other"), "leaves the function"),
    ("good: call", p256("call inner", "mov (%rsi), %rax; mov %rax, (%rdi)"), None),
    ("call of what branches on a secret", p256("call inner", "mov (%rsi), %rax; test %rax, %rax; jz 1f; 1: nop"),
     "flags that a secret"),
    ("call of what loads a secret", p256("mov %rdi, %rcx; call inner; mov (%rcx), %rdx", "mov (%rsi), %rcx"),
     "part of the address"),
    ("good: Poly1305", poly("push %rbx; mov (%rsi), %rdx; mulx 24(%rdi), %rax, %rbx; add %rbx, (%rdi); adc $0, %rax; "
                            "imul %rdx, %rax; "
                            "shrd $2, %rax, %rbx; mov %rax, 8(%rdi); cmpl $4, 84(%rdi); jb 1f; lea 96(%rdi), %rax; "
                            "mov %rbx, (%rax,%rcx); 1: pop %rbx"), None),
    ("branch on half a product", poly("mov (%rsi), %rdx; mulx %rcx, %rax, %r8; test %r8, %r8; je 1f; 1:"), "depends on flags"),
    ("branch on the other half", poly("mov (%rsi), %rdx; mulx %rcx, %rax, %r8; test %rax, %rax; je 1f; 1:"), "depends on flags"),
    ("branch on half a product by mul", poly("mov (%rsi), %rax; mulq 24(%rdi); test %rax, %rax; je 1f; 1:"), "depends on flags"),
    ("branch on its other half", poly("mov (%rsi), %rax; mulq 24(%rdi); test %rdx, %rdx; je 1f; 1:"), "depends on flags"),
    ("branch on a product", poly("mov (%rsi), %rax; imul %rcx, %rax; je 1f; 1:"), "depends on flags"),
    ("branch on a double shift", poly("mov (%rsi), %rax; shrd $2, %rax, %rcx; test %rcx, %rcx; je 1f; 1:"), "depends on flags"),
    ("branch on a rotated register", poly("mov (%rsi), %rax; rcr %rax; test %rax, %rax; je 1f; 1:"), "depends on flags"),
    ("branch on what was rotated out", poly("mov (%rsi), %rax; rcr %rax; jc 1f; 1:"), "depends on flags"),
    ("branch on a rotation", poly("vmovdqu (%rsi), %ymm0; vprold $2, %ymm0, %ymm1; vmovd %xmm1, %eax; test %eax, %eax; je 1f; 1:"),
     "depends on flags"),
    ("branch on what was pushed", poly("mov (%rsi), %rax; push %rax; pop %rcx; test %rcx, %rcx; je 1f; 1:"), "depends on flags"),
    ("pushed on one path only", poly("test %rcx, %rcx; je 1f; push %rcx; 1: pop %rcx"), "no knowing what is on the stack"),
    ("left on the stack", poly("push %rcx"), "returns with something"),
    ("popped too much", poly("pop %rcx"), "no knowing what is on the stack"),
    ("sum to the number of powers", poly("mov (%rdi), %rax; mov %eax, 84(%rdi)"), "stored in a public field"),
    ("good: parts", poly("1: mov (%rsi), %rax; mov 8(%rsi), %rcx; mov (%rax), %rax; add $16, %rsi; dec %rdx; jnz 1b; "
                         "test %rcx, %rcx; "
                         "je 2f; 2:", "lc_poly1305_parts"), None),
    ("branch on a part's block", poly("mov (%rsi), %rax; cmpb $0, (%rax); je 1f; 1:", "lc_poly1305_parts"), "depends on flags"),
    ("good: columns", poly("mov 88(%rdi), %rax; mov 96(%rdi), %rcx; mov (%rcx,%rsi), %r8; mov %r8, (%rax); "
                           "mov %r8, 960(%rdi,%rsi); "
                           "cmpl $0, 112(%rdi); je 1f; lea 896(%rdi), %rcx; 1: mov (%rcx), %rax", "lc_chacha20_columns"), None),
    ("branch on a word", poly("cmpl $0, 16(%rdi); je 1f; 1:", "lc_chacha20_columns"), "depends on flags"),
    ("text to an unknown place", poly("mov 96(%rdi), %rcx; mov (%rcx), %r8; mov %r8, 88(%rdi,%rsi)", "lc_chacha20_columns"),
     "stored in a public field"),
    ("good: prefetch", source("aesni", "prefetcht0 64(%rdx,%rcx)"), None),
    ("good: prefetch of code", source("aesni", "prefetcht0 1f(%rip); 1: nop"), None),
    ("good: prefetch of lines of code", source("aesni", "lea 1f(%rip), %rax; prefetcht0 64(%rax); 1: nop"), None),
    ("branch on code", source("aesni", "lea 1f(%rip), %rax; cmpb $0, (%rax); je 1f; 1: nop"), "depends on flags"),
    ("load from code", source("aesni", "movzbl 1f(%rip), %eax; 1: nop"), "not to .rodata"),
    ("prefetch of a table", source("aesni", "movzbl (%rdx), %eax; lea .Ltable(%rip), %r11; prefetcht0 (%r11,%rax)"),
     "part of the address"),
    ("good: a pointer on one path, a number on another",
     source("aesni", "mov %rcx, %rax; lea .Ltable(%rip), %r10; test %r9d, %r9d; jz 1f; jmp 2f; 1: xchg %rax, %r10; "
            "2: movdqu (%rax), %xmm0; movdqu (%r10), %xmm1"), None),
    ("a number as an address", source("aesni", "mov %rcx, %rax; movdqu (%rax), %xmm0"), "no knowing which object"),
    ("dead code", source("aesni", "jmp 1f; xor %eax, %eax; 1:"), "not reached"),
    ("leaves", source("aesni", "nop", end=""), "leaves the function"),
]


def run(checker, path):
    """
    Exit status and output of the checker's program.  It is called here, as Python would take longer to start for each piece of
    assembly than it takes to check; check_instructions.py collects in what has to be empty for each.
    """
    check_instructions.errors.clear()
    check_instructions.used.clear()
    sys.argv = [checker.__file__, path]
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            status = checker.main()
        except (Exception, SystemExit):  # no judgement at all
            status = 2
            traceback.print_exc(file=output)
    return status, output.getvalue()


def main():
    wrong = 0
    for checker, cases in ((check_instructions, INSTRUCTIONS), (check_constant_time, CONSTANT_TIME)):
        for what, text, expected in cases:
            with tempfile.TemporaryDirectory() as directory:
                path = os.path.join(directory, "test.o")
                subprocess.run([CC, "-c", "-x", "assembler", "-", "-o", path], input=text, text=True, check=True)
                status, output = run(checker, path)
            good = status == 0 if expected is None else status == 1 and re.search(expected, output)
            if not good:
                print(f"{checker.__name__}: {what}: expected {expected!r}, got status {status}:\n{output}{text}")
                wrong += 1
    print(f"{len(INSTRUCTIONS) + len(CONSTANT_TIME)} pieces of assembly, {wrong} misjudged")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
