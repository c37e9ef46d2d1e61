/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * RSA for x86-64 with AVX-512 IFMA: as many numbers at once as a vector has 64-bit lanes, each lane modulo another one.
 *
 * What is done with these functions is in x86/rsa.c.  They leave secrets in vector registers; lc_rsa_wipe_<impl>() is for that.
 *
 * -- Numbers --------------------------------------------------------------------------------------------------------------------
 *
 * A number has L limbs of 52 bits, L = 20, 30, 40, 60 or 80; limb i of all lanes is in one vector.  With R = 2^(52 L), the modulus
 * m is below R / 2^16: 1024, 1536, 2048, 3072 or 4096 bits.  Numbers needn't be below m.  A product is
 *
 *      (a b + q m) / R,    where q < R makes the sum a multiple of R
 *
 * which is below (A B / 2^16 + 1) m for a < A m and b < B m: with A and B of at most 8 below 1.001 m, and at most m if a = 1.
 *
 * -- Multiplication -------------------------------------------------------------------------------------------------------------
 *
 * Limbs are taken in blocks of ten, which with 20 columns fit into the registers.  Two blocks have 100 products of limbs, 200
 * multiplications for the lower and upper halves, and 20 loads.  A pass is about the columns of one block, pass = 0 .. L / 5 - 1:
 *
 *      all products of blocks i of a and pass - i of b,
 *      all products of blocks i of m and pass - i of q, as far as q is known,
 *      in the lower half of the passes then the next block of q, limb by limb, and its products with the lowest block of m
 *
 * and what is left in the upper ten columns is the lower ten of the next pass.  A column gets up to 4 L products of less than 2^52,
 * and the carry from below: less than 2^61.
 *
 * For a limb of q, q = t k mod 2^52 with k = -1/m mod 2^52 and t the column, so t + q m_0 has zeros in its lower 52 bits.  So the
 * product's lower half isn't needed: what is carried is ceil(t / 2^52), which doesn't wait for q.
 *
 * L^2 products of a and b, L^2 of q and m, and L for q: 4 L^2 multiplications, 1600 for L = 20, 3600 and 6400.
 *
 * Squares: products of different blocks, and of different limbs of a block, are taken once, and their sum is doubled, before the
 * squares of limbs and what comes from the pass before are added: 3 L^2 + L multiplications, 1220 for L = 20, 2730 and 4840.
 *
 * Each limb in turn with all limbs of the other factor and of m, so that every column moves down by one each time, would take a
 * load for each multiplication, and for more than 20 limbs there aren't enough registers.
 */
#include "asm.h"
#include "rsa_columns.h"

/* struct lc_rsa_lanes, asserted in x86/rsa.c */
#define NEG_INVERSE 0
#define HIGH VL
#define Q (11 * VL)
#define M (91 * VL)

#define BLOCK (10 * VL)

.section .rodata.lc_rsa, "a", @progbits
.p2align 3
.Lmask52:
    .quad (1 << 52) - 1
.Lone:
    .quad 1

.text

/* ---- Registers ---- */

#define R       %rdi
#define FACTOR  %rsi
#define FACTOR2 %rdx
#define W       %rcx    /* struct lc_rsa_lanes */
#define LEN     %r8     /* bytes of a number */
#define AT      %rax    /* block i of a factor, or of m .. */
#define AT2     %r11    /* .. and block pass - i of the other one, or of q */
#define LIMIT   %r9     /* what AT stays below */
#define PASS    %r10    /* times BLOCK */
#define M_AT    %rbx    /* where products with m begin: i * BLOCK; then 0 */

/* lc_rsa_select */
#define TABLE   %rsi
#define LEN_ARG %rcx    /* bytes of a number */
#define END     %rdx
#define ENTRY   %rax
#define LEFT    %r8     /* entries */

/* C*: columns.  A*: a block.  L, L2: limbs of another block, in turn. */
.macro _set_registers
    _set_columns
.irp i, 0,1,2,3,4,5,6,7,8,9
    .set A\i, V2\i
.endr
    .set L0, V30
    .set L1, V31
.endm

.macro _load_block base
.irp i, 0,1,2,3,4,5,6,7,8,9
    vmovdqa64 \i*VL(\base), A\i
.endr
.endm

/* ---- Multiplication ---- */

/* Columns += the block A * the block at base */
.macro _multiply_blocks base
.irp i, 0,1,2,3,4,5,6,7,8,9
    vmovdqa64 \i*VL(\base), L0
.irp j, 0,1,2,3,4,5,6,7,8,9
    _column \i+\j, vpmadd52luq A\j, L0
.endr
.irp j, 0,1,2,3,4,5,6,7,8,9
    _column \i+\j+1, vpmadd52huq A\j, L0
.endr
.endr
.endm

/* Columns += the products of different limbs of A, each once */
.macro _different_limbs
.irp i, 0,1,2,3,4,5,6,7,8
.irp j, 1,2,3,4,5,6,7,8,9
.if \j > \i
    _column \i+\j, vpmadd52luq A\j, A\i
.endif
.endr
.irp j, 1,2,3,4,5,6,7,8,9
.if \j > \i
    _column \i+\j+1, vpmadd52huq A\j, A\i
.endif
.endr
.endr
.endm

/*
 * The next ten limbs of q, from the columns 0 to 9, to memory at `to`; columns += q * the lowest block of m, which is A.
 *
 * Limb i clears column t.  The next one waits for the products with m_0 and m_1, for one addition and for its own product, nine
 * cycles.  Meanwhile there are the other 17; the next limb is begun before the last of them.
 */
.macro _reduce to
    _make_q C0, L0
    _reduce_limb 0, C0, C1, L0, L1, \to
    _reduce_limb 1, C1, C2, L1, L0, \to
    _reduce_limb 2, C2, C3, L0, L1, \to
    _reduce_limb 3, C3, C4, L1, L0, \to
    _reduce_limb 4, C4, C5, L0, L1, \to
    _reduce_limb 5, C5, C6, L1, L0, \to
    _reduce_limb 6, C6, C7, L0, L1, \to
    _reduce_limb 7, C7, C8, L1, L0, \to
    _reduce_limb 8, C8, C9, L0, L1, \to
    _reduce_limb 9, C9, C10, L1, L0, \to
.endm
/* q = t k: the lower 52 bits, which are what multiplications take of t */
.macro _make_q t, q
    _zero \q
    vpmadd52luq NEG_INVERSE(W), \t, \q
.endm
.macro _reduce_limb i, t, above, q, next, to
.if VL == 64
    vpaddq .Lmask52(%rip){1to8}, \t, \t
.else
    vpaddq .Lmask52(%rip){1to4}, \t, \t
.endif
    vpsrlq $52, \t, \t
    vpmadd52huq A0, \q, \t              /* to what is carried, not to the column above, which has another product to wait for */
    vpmadd52luq A1, \q, \above
    vmovdqa64 \q, \i*VL(\to)
.irp j, 2,3,4,5,6,7
    _column \i+\j, vpmadd52luq A\j, \q
.endr
    vpaddq \t, \above, \above
.irp j, 8,9
    _column \i+\j, vpmadd52luq A\j, \q
.endr
.irp j, 1,2
    _column \i+\j+1, vpmadd52huq A\j, \q
.endr
.if \i < 9
    _make_q \above, \next
.endif
.irp j, 3,4,5,6,7,8,9
    _column \i+\j+1, vpmadd52huq A\j, \q
.endr
.endm

/* Columns 0 to 9, less what is above 52 bits, to memory at `to`; that is added to the next ones. */
.macro _store_columns to
    vpbroadcastq .Lmask52(%rip), L1
    _store_column 0, C0, C1, \to
    _store_column 1, C1, C2, \to
    _store_column 2, C2, C3, \to
    _store_column 3, C3, C4, \to
    _store_column 4, C4, C5, \to
    _store_column 5, C5, C6, \to
    _store_column 6, C6, C7, \to
    _store_column 7, C7, C8, \to
    _store_column 8, C8, C9, \to
    _store_column 9, C9, C10, \to
.endm
.macro _store_column i, t, above, to
    vpandq L1, \t, L0
    vpsrlq $52, \t, \t
    vmovdqa64 L0, \i*VL(\to)
    vpaddq \t, \above, \above
.endm

/* ---- The functions ---- */

.macro _implementation symbol, vl
    .set VL, \vl
    _set_registers
_begin_code lc_rsa_\symbol

/*
 * void lc_rsa_mul_<impl>(struct lc_rsa_limb *r, const struct lc_rsa_limb *a, const struct lc_rsa_limb *b, struct lc_rsa_lanes *w,
 *                         uint64_t len)
 *
 * r = a * b / R modulo m of each lane, in limbs of 52 bits.  r may be a or b.  If a and b are the same pointer, it's a square.
 * w->m, w->neg_inverse: read; w->q, w->high: written.  len: bytes of a number, VL * L.  All aligned to VL.
 * Time and addresses depend on len and on whether a == b.  Clobbers all vector registers.
 */
FUNC(lc_rsa_mul_\symbol)
    push M_AT
    xor %r10d, %r10d
.irp i, 0,1,2,3,4,5,6,7,8,9
    _zero C\i
    _zero C1\i
    vmovdqa64 C\i, HIGH + \i*VL(W)
.endr
.Lpass_\symbol:
    xor %r11d, %r11d
    lea BLOCK(PASS), AT
    mov LEN, LIMIT
    cmp LEN, AT
    cmovb AT, LIMIT                     /* i is below pass + 1 and L/10, .. */
    sub LEN, AT
    cmovb AT2, AT                       /* .. from 0 on, or from pass + 1 - L/10 */
    mov $BLOCK, M_AT
    cmp M_AT, AT
    cmova AT, M_AT
    mov PASS, AT2
    shr $1, AT2
    cmp FACTOR, FACTOR2
    cmovne LIMIT, AT2                   /* a square: for each i below pass - i */
    lea (FACTOR, AT2), LIMIT
    lea (FACTOR2, PASS), AT2
    sub AT, AT2
    add FACTOR, AT

.Lblocks_\symbol:
    cmp LIMIT, AT
    jae .Lblocks_done_\symbol
    _load_block AT
    _multiply_blocks AT2
    add $BLOCK, AT
    sub $BLOCK, AT2
    jmp .Lblocks_\symbol
.Lblocks_done_\symbol:
    test M_AT, M_AT
    jz .Lsum_\symbol
    cmp FACTOR, FACTOR2
    jne .Lproducts_with_m_\symbol

    /* The square: the products of different limbs are in the columns but for those of the block in the middle, if there is one. */
    cmp AT, AT2
    jne .Ldouble_\symbol
    _load_block AT
    _different_limbs
.Ldouble_\symbol:
.irp i, 0,1,2,3,4,5,6,7,8,9
    vpaddq C\i, C\i, C\i
    vpaddq C1\i, C1\i, C1\i
.endr
    cmp AT, AT2
    jne .Ladd_high_\symbol
.irp i, 0,1,2,3,4,5,6,7,8,9
    _column 2*\i, vpmadd52luq A\i, A\i
    _column 2*\i+1, vpmadd52huq A\i, A\i
.endr
.Ladd_high_\symbol:
.irp i, 0,1,2,3,4,5,6,7,8,9
    vpaddq HIGH + \i*VL(W), C\i, C\i
.endr

.Lproducts_with_m_\symbol:
    lea BLOCK(PASS), AT
    mov LEN, LIMIT
    cmp LEN, AT
    cmovb AT, LIMIT
    lea M(W, LIMIT), LIMIT
    lea M(W, M_AT), AT
    lea Q(W, PASS), AT2
    sub M_AT, AT2
    xor %ebx, %ebx
    jmp .Lblocks_\symbol

.Lsum_\symbol:
    cmp LEN, PASS
    jae .Lresult_\symbol
    lea M(W), AT
    lea Q(W, PASS), AT2
    _load_block AT
    _reduce AT2
    jmp .Lnext_\symbol
.Lresult_\symbol:
    lea (R, PASS), AT
    sub LEN, AT
    _store_columns AT
.Lnext_\symbol:
    cmp FACTOR, FACTOR2
    jne .Lmove_\symbol
.irp i, 0,1,2,3,4,5,6,7,8,9
    vmovdqa64 C1\i, HIGH + \i*VL(W)
    _zero C\i
    _zero C1\i
.endr
    jmp .Lnext_pass_\symbol
.Lmove_\symbol:
.irp i, 0,1,2,3,4,5,6,7,8,9
    vmovdqa64 C1\i, C\i
    _zero C1\i
.endr
.Lnext_pass_\symbol:
    add $BLOCK, PASS
    lea (LEN, LEN), AT
    cmp AT, PASS
    jb .Lpass_\symbol
    pop M_AT
    vzeroupper
    RETURN
END_FUNC(lc_rsa_mul_\symbol)

/*
 * void lc_rsa_select_<impl>(struct lc_rsa_limb *r, const struct lc_rsa_limb *table, const struct lc_rsa_limb *index, uint64_t len)
 *
 * r = the number table[index] in each lane.  The table has 16 numbers of len bytes, a multiple of 5 VL; index < 16.  All of it is
 * read, and no address and no mask depends on the index.  All aligned to VL.
 * Clobbers vector registers 0 to 9, 30 and 31.
 */
FUNC(lc_rsa_select_\symbol)
    .set INDEX, L0
    .set NUMBER, L1
    .set CHOSEN, C9
    .set ONE, C8
    vpbroadcastq .Lone(%rip), ONE
    vmovdqa64 (%rdx), INDEX
    lea (R, LEN_ARG), END
.Lselect_block_\symbol:
    mov TABLE, ENTRY
    mov $16, %r8d
    _zero NUMBER
.irp i, 0,1,2,3,4
    _zero C\i
.endr
.Lselect_entry_\symbol:
    vpxorq INDEX, NUMBER, CHOSEN
    vpaddq ONE, NUMBER, NUMBER
    vpsubq ONE, CHOSEN, CHOSEN
    vpsraq $63, CHOSEN, CHOSEN          /* -1 if they were equal, else 0 */
.irp i, 0,1,2,3,4
    vpternlogq $0xf8, \i*VL(ENTRY), CHOSEN, C\i
.endr
    add LEN_ARG, ENTRY
    dec LEFT
    jnz .Lselect_entry_\symbol
.irp i, 0,1,2,3,4
    vmovdqa64 C\i, \i*VL(R)
.endr
    add $5*VL, TABLE
    add $5*VL, R
    cmp END, R
    jb .Lselect_block_\symbol
    vzeroupper
    RETURN
END_FUNC(lc_rsa_select_\symbol)

_end_code lc_rsa_\symbol
.endm

_implementation avx512ifma_512, 64
_implementation avx512ifma_256, 32

.section .note.GNU-stack, "", @progbits
