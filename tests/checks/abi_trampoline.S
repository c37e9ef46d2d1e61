/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * void abi_call(struct abi_state *s);
 *
 * Calls s->function with s->args in the registers of the System V ABI (6 integer arguments), from a stack of its own whose every
 * byte is known, with known values in all other general registers, and writes down what it finds afterwards.  check_abi.c has the
 * struct and judges.
 *
 * Until the real stack is back, the only thing here that touches the stack is the call itself.
 */

/* struct abi_state: asserted in check_abi.c */
#define S_FUNCTION 0
#define S_STACK 8       /* rsp at the call */
#define S_ARGS 16
#define S_BEFORE 64     /* rbx, rbp, r12, r13, r14, r15; rax, r10, r11 */
#define S_AFTER 136     /* rbx, rbp, r12, r13, r14, r15; rsp */
#define S_FLAGS 192
#define S_MXCSR 200     /* before, after */
#define S_X87 208       /* fnstenv before, after: 28 bytes each */
#define S_SAVE_VECTORS 264  /* bytes of a vector to save: 0, 32, 64 */
#define S_VECTORS 320   /* vectors 0..15, 64 bytes each */

.text
.globl abi_call
.type abi_call, @function
abi_call:
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rdi, state(%rip)
    mov %rsp, real_stack(%rip)

    stmxcsr S_MXCSR(%rdi)
    fnstenv S_X87(%rdi)
    fldenv S_X87(%rdi)      /* fnstenv masks exceptions */

    mov %rdi, %rax
    cmpl $0, S_SAVE_VECTORS(%rax)
    je 1f
    vzeroupper              /* the caller's duty */
1:  mov S_FUNCTION(%rax), %rbx
    mov %rbx, function(%rip)
    mov S_ARGS+0(%rax), %rdi
    mov S_ARGS+8(%rax), %rsi
    mov S_ARGS+16(%rax), %rdx
    mov S_ARGS+24(%rax), %rcx
    mov S_ARGS+32(%rax), %r8
    mov S_ARGS+40(%rax), %r9
    mov S_BEFORE+0(%rax), %rbx
    mov S_BEFORE+8(%rax), %rbp
    mov S_BEFORE+16(%rax), %r12
    mov S_BEFORE+24(%rax), %r13
    mov S_BEFORE+32(%rax), %r14
    mov S_BEFORE+40(%rax), %r15
    mov S_BEFORE+56(%rax), %r10
    mov S_BEFORE+64(%rax), %r11
    mov S_STACK(%rax), %rsp
    mov S_BEFORE+48(%rax), %rax
    call *function(%rip)

    mov state(%rip), %rax
    mov %rbx, S_AFTER+0(%rax)
    mov %rbp, S_AFTER+8(%rax)
    mov %r12, S_AFTER+16(%rax)
    mov %r13, S_AFTER+24(%rax)
    mov %r14, S_AFTER+32(%rax)
    mov %r15, S_AFTER+40(%rax)
    mov %rsp, S_AFTER+48(%rax)
    mov real_stack(%rip), %rsp
    pushfq
    cld
    pop %rcx
    mov %rcx, S_FLAGS(%rax)
    stmxcsr S_MXCSR+4(%rax)
    fnstenv S_X87+28(%rax)
    fldenv S_X87+28(%rax)

    lea S_VECTORS(%rax), %rcx
    cmpl $32, S_SAVE_VECTORS(%rax)
    jb 2f
    ja 1f
    .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqu %ymm\i, 64*\i(%rcx)
    .endr
    jmp 2f
1:  .irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqu64 %zmm\i, 64*\i(%rcx)
    .endr
2:  cmpl $0, S_SAVE_VECTORS(%rax)
    je 3f
    vzeroupper              /* whatever was found: the C code isn't to suffer from it */
3:  pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret
.size abi_call, . - abi_call

.local state, real_stack, function
.comm state, 8, 8
.comm real_stack, 8, 8
.comm function, 8, 8

.section .note.GNU-stack, "", @progbits
