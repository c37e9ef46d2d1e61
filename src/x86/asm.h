/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What all the assembly files share: how a function begins and ends, and a thin layer of operand macros that hides the coding
 * (legacy SSE, VEX, EVEX), so that one body gives every implementation.
 *
 * The rules that keep this code usable inside a kernel: no stack but for callers' registers that are saved (no red zone, no
 * realignment), no calls (but of INNER_FUNC, which no kernel gets), no indirect jumps, only rip-relative relocations.  A kernel
 * build defines FUNC, END_FUNC and RETURN to its own macros before it includes this.
 */
#ifndef LC_X86_ASM_H
#define LC_X86_ASM_H

#ifndef FUNC
/* The note that all functions begin with endbr64 and return to where they were called from, whatever options C is compiled with. */
.pushsection .note.gnu.property, "a", @note
    .balign 8
    .long 4, 16, 5 /* bytes of the name and of what follows, NT_GNU_PROPERTY_TYPE_0 */
    .asciz "GNU"
    .long 0xc0000002, 4, 3, 0 /* GNU_PROPERTY_X86_FEATURE_1_AND, bytes: IBT and SHSTK, padding */
.popsection
#define FUNC(name)            \
    .globl name;              \
    .hidden name;             \
    .type name, @function;    \
    .p2align 4;               \
    name:;                    \
    endbr64
#define END_FUNC(name) .size name, . - name
#define RETURN ret
#endif
/* Of several functions of a file, which call it.  It has neither pushes nor calls. */
#define INNER_FUNC(name)      \
    .type name, @function;    \
    .p2align 4;               \
    name:
/* Another one, which is the end of it: there is END_FUNC for both. */
#define INNER_ENTRY(name)     \
    .type name, @function;    \
    name:

/*
 * Two parameters describe an implementation's coding, set by .set before a body is instantiated:
 *
 *   VL     bytes of a vector: 16, 32, 64
 *   CODE   how instructions are coded, one of
 *          SSE    legacy SSE: two operands, memory operands aligned, 16 registers
 *          VEX    three operands, 16 registers
 *          EVEX   three operands, 32 registers, ternary logic and masks (AVX512F, BW and VL)
 *
 * Operands are in AT&T order: sources, then destination.
 */
#define SSE 0
#define VEX 1
#define EVEX 2

/* V0..V31 = the vector registers of VL bytes.  Each body begins with this, then gives them names. */
.macro _set_vectors
.irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
.if VL == 16
    .set V\i, %xmm\i
.elseif VL == 32
    .set V\i, %ymm\i
.else
    .set V\i, %zmm\i
.endif
.endr
.endm

/* A register's name for its role: <name> is vector register `number`, <name>_YMM and <name>_XMM its lower 32 and 16 bytes. */
.macro _name_vector name, number
    .set \name, V\number
    .set \name\()_YMM, %ymm\number
    .set \name\()_XMM, %xmm\number
.endm

/*
 * The instruction or macro `insn` n times, n <= 8, where \i stands for 0 .. n - 1: "_for_each 4, _aes enc, KEY, DATA\i".
 * A macro that uses it must not have a parameter i of its own.
 */
.macro _for_each n, insn:vararg
.irp i, 0,1,2,3,4,5,6,7
.if \i < \n
    \insn
.endif
.endr
.endm

/* p += n, a constant without spaces.  (-128 fits into the 8 bits of a short instruction, and 128 doesn't: so it subtracts -n.) */
.macro _advance n, p
    sub $-(\n), \p
.endm

/* d = s, registers, or memory that is aligned to VL */
.macro _mov s, d
.if CODE == SSE
    movdqa \s, \d
.elseif CODE == VEX
    vmovdqa \s, \d
.else
    vmovdqa64 \s, \d
.endif
.endm

/* d = s, one of them memory of any alignment */
.macro _movu s, d
.if CODE == SSE
    movdqu \s, \d
.elseif CODE == VEX
    vmovdqu \s, \d
.else
    vmovdqu64 \s, \d
.endif
.endm

/*
 * d = 16 bytes at p (a register) + offset, loaded as two halves; d: an xmm register.
 *
 * For ivs and the like: callers write them as two 64-bit words just before the call.  A load of 16 bytes can't be forwarded from
 * two stores that are in flight: it would wait until both are in the cache, about 100 cycles in which one call doesn't overlap with
 * the next.
 */
.macro _load_halves p, d, offset=0
.if CODE == SSE
    movq \offset(\p), \d
    movhps 8+\offset(\p), \d
.else
    vmovq \offset(\p), \d
    vmovhps 8+\offset(\p), \d, \d
.endif
.endm

/*
 * _movu, and _load_lanes below, with memory at disp + base + index.  (As one argument of those, the macro processor would take
 * the operand apart at its commas.)
 */
.macro _load_at disp, base, index, d
    _movu "\disp(\base,\index)", \d
.endm
.macro _store_at s, disp, base, index
    _movu \s, "\disp(\base,\index)"
.endm
.macro _load_lanes_at disp, base, index, d
    _load_lanes "\disp(\base,\index)", \d
.endm
.macro _load_lanes_low_at disp, base, index, d
    _load_lanes_low "\disp(\base,\index)", \d
.endm

/*
 * d = op(a, b), where a may be memory (aligned for SSE).  SSE has only op(a, d): b is copied to d first unless it is d already.
 * (d may not be a, unless it is b as well.)  b and d are compared as text: for one register use one name.
 */
.macro _op3 sse, vex, evex, a, b, d
.if CODE == SSE
  .ifnc \b,\d
    movdqa \b, \d
  .endif
    \sse \a, \d
.elseif CODE == VEX
    \vex \a, \b, \d
.else
    \evex \a, \b, \d
.endif
.endm

.macro _xor a, b, d
    _op3 pxor, vpxor, vpxord, "\a", \b, \d
.endm
.macro _addq a, b, d
    _op3 paddq, vpaddq, vpaddq, \a, \b, \d
.endm
.macro _shufb a, b, d
    _op3 pshufb, vpshufb, vpshufb, \a, \b, \d
.endm

/* d ^= a ^ b */
.macro _xor3 a, b, d
.if CODE == EVEX
    vpternlogd $0x96, \a, \b, \d
.else
    _xor \a, \d, \d
    _xor \b, \d, \d
.endif
.endm

/* One AES round on d: which is enc, enclast, dec, declast; key a register, or memory (aligned for SSE). */
.macro _aes which, key, d
.if CODE == SSE
    aes\which \key, \d
.else
    vaes\which \key, \d, \d
.endif
.endm

/* Every 16-byte lane of d = the 16 bytes at memory s (aligned, if that is the vector). */
.macro _load_lanes s, d
.if VL == 16
    _mov "\s", \d
.elseif CODE == VEX
    vbroadcasti128 \s, \d
.else
    vbroadcasti32x4 \s, \d
.endif
.endm

/* The same for d = V0..V15, with EVEX too by VEX instructions: 256-bit AES-CTR is 9 % faster with them on Zen 4. */
.macro _load_lanes_low s, d
.if VL == 32
    vbroadcasti128 \s, \d
.else
    _load_lanes "\s", \d
.endif
.endm

/*
 * To the function lc_<name>, which has a local label .L<name> as well: clang would leave a jump to a global name to the linker.
 * But in a kernel, whose FUNC may put something before the function, the label may not be its first instruction.
 */
.macro _jump_to jump, name
#ifdef __KERNEL__
    \jump lc_\name
#else
    \jump .L\name
#endif
.endm

/* An instance of a row that a kernel does without: see src/rows.def.  And what other rows have there instead. */
#ifdef LC_SMALL
.macro _not_in_kernel instance:vararg
.endm
.macro _in_kernel insn:vararg
    \insn
.endm
#else
.macro _not_in_kernel instance:vararg
    \instance
.endm
.macro _in_kernel insn:vararg
.endm
#endif

/*
 * An implementation's machine code, between the labels <name>_begin and <name>_end; <name>_text_len, a 32-bit number, is its
 * length. (Pointers into code that begins no function are something that kernels with IBT don't want to see.)
 */
.macro _begin_code name
    .globl \name\()_begin, \name\()_end, \name\()_text_len
    .hidden \name\()_begin, \name\()_end, \name\()_text_len
\name\()_begin:
.endm
.macro _end_code name
\name\()_end:
.pushsection .rodata.lc_text_len, "a", @progbits
    .balign 4
\name\()_text_len:
    .long \name\()_end - \name\()_begin
.popsection
.endm

#endif
