/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * An option ROM that starts a Linux kernel.  The disk has nothing but the kernel, as it is after decompression, and after it the
 * initramfs.  A boot loader, and the kernel's own decompression, would take minutes in an emulator this slow.
 *
 * Needs: the files vmlinuz and command_line, and the symbols ENTRY (where the kernel begins), and in bytes KERNEL_SIZE (whole
 * sectors), INITRAMFS_SIZE and MEMORY.
 */
        .set    ROM, 0xd0000            /* where this is */
        .set    KERNEL, 0x1000000       /* where the kernel is, and wants to be */
        .set    INITRAMFS, 0x8000000    /* where the initramfs is put */
        .set    TABLES, 0x70000         /* three pages */

        .text
rom:    .byte   0x55, 0xaa, (end - rom) / 512
        .code16
        cli
        inb     $0x92, %al              /* address line 20 */
        orb     $2, %al
        outb    %al, $0x92
        lgdtl   %cs:gdt_pointer - rom
        movl    %cr0, %eax
        orb     $1, %al
        movl    %eax, %cr0
        ljmpl   $0x08, $ROM + protected - rom

        .code32
protected:
        movw    $0x18, %ax
        movw    %ax, %ds
        movw    %ax, %es
        movw    %ax, %ss
        movl    $TABLES, %esp
        cld
        xorl    %eax, %eax              /* page tables: the first GiB is where it is, in pages of 2 MiB */
        movl    $TABLES, %edi
        movl    $0xc00, %ecx
        rep stosl
        movl    $TABLES + 0x1003, TABLES
        movl    $TABLES + 0x2003, TABLES + 0x1000
        movl    $TABLES + 0x2000, %edi
        movl    $0x83, %eax
1:      movl    %eax, (%edi)
        addl    $8, %edi
        addl    $0x200000, %eax
        cmpl    $0x40000083, %eax
        jne     1b
        xorl    %ebx, %ebx
        movl    $KERNEL, %edi
        movl    $KERNEL_SIZE / 512, %ebp
        call    read_disk
        movl    $INITRAMFS, %edi
        movl    $(INITRAMFS_SIZE + 511) / 512, %ebp
        call    read_disk
        movl    $0x20, %eax             /* PAE */
        movl    %eax, %cr4
        movl    $TABLES, %eax
        movl    %eax, %cr3
        movl    $0xc0000080, %ecx       /* EFER: long mode */
        rdmsr
        btsl    $8, %eax
        wrmsr
        movl    $0x80000011, %eax
        movl    %eax, %cr0
        ljmpl   $0x10, $ROM + long - rom

/* ebp sectors from sector ebx on, to edi */
read_disk:
        movl    $256, %esi              /* at once */
        cmpl    %esi, %ebp
        cmovbl  %ebp, %esi
        movw    $0x1f2, %dx
        movl    %esi, %eax
        outb    %al, %dx
        incl    %edx
        movl    %ebx, %eax
        outb    %al, %dx
        incl    %edx
        movb    %ah, %al
        outb    %al, %dx
        incl    %edx
        shrl    $16, %eax
        outb    %al, %dx
        incl    %edx
        movb    $0xe0, %al
        outb    %al, %dx
        incl    %edx
        movb    $0x20, %al              /* read sectors */
        outb    %al, %dx
        addl    %esi, %ebx
        subl    %esi, %ebp
2:      movw    $0x1f7, %dx
3:      inb     %dx, %al
        andb    $0x88, %al              /* busy, has data */
        cmpb    $0x08, %al
        jne     3b
        movw    $0x1f0, %dx
        movl    $128, %ecx
        rep insl
        decl    %esi
        jnz     2b
        testl   %ebp, %ebp
        jnz     read_disk
        ret

        .code64
long:   movl    $ROM + params - rom, %esi
        movl    $ENTRY, %eax
        jmp     *%rax

        .balign 8
gdt:    .quad   0
        .quad   0x00cf9b000000ffff      /* 0x08: 32-bit code */
        .quad   0x00af9b000000ffff      /* 0x10: 64-bit code, as the kernel wants it */
        .quad   0x00cf93000000ffff      /* 0x18: data */
gdt_pointer:
        .word   gdt_pointer - gdt - 1
        .long   ROM + gdt - rom

command_line:
        .incbin "command_line"
        .byte   0

        .macro  region from, to, type
        .quad   \from, \to - (\from)
        .long   \type
        .endm

        /* struct boot_params: the header of the vmlinuz, and what it leaves to the loader */
        .balign 16
params: .zero   0x1e8
        .byte   4                       /* 0x1e8: regions at 0x2d0 */
        .zero   8
        .incbin "vmlinuz", 0x1f1, 0x1f
        .byte   0xff                    /* 0x210: a loader without a number */
        .incbin "vmlinuz", 0x211, 7
        .long   INITRAMFS, INITRAMFS_SIZE     /* 0x218 */
        .incbin "vmlinuz", 0x220, 8
        .long   ROM + command_line - rom        /* 0x228 */
        .incbin "vmlinuz", 0x22c, 0x40
        .zero   0x2d0 - (. - params)
        region  0, 0x9f000, 1
        region  0xe0000, 0x100000, 2
        region  0x100000, (MEMORY-0x10000), 1
        region  (MEMORY-0x10000), MEMORY, 3     /* ACPI tables of the BIOS */
        .zero   0x1000 - (. - params)
        .zero   511 - (. - rom) % 512
        .byte   0                       /* makes the sum of all bytes 0 */
end:
