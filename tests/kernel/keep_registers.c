/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * keep_registers SECONDS: fill the xmm registers, wait, and look whether all are still the same, for that long.  Exit status 1 if
 * not.
 * Kernel code that uses vector registers without asking for them destroys those of whatever program was running, and nothing else
 * tells.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    static const uint8_t pattern[16] __attribute__((aligned(16))) = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);

    do {
        unsigned long rounds = 1000000;
        unsigned equal;

        /* All sixteen must be equal to the pattern in all bytes. */
        __asm__ volatile(".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"
                         "movdqa %[pattern], %%xmm\\i\n\t"
                         ".endr\n"
                         "1:\n\t"
                         "dec %[rounds]\n\t"
                         "jnz 1b\n\t"
                         "pcmpeqb %[pattern], %%xmm0\n\t"
                         ".irp i, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"
                         "pcmpeqb %[pattern], %%xmm\\i\n\t"
                         "pand %%xmm\\i, %%xmm0\n\t"
                         ".endr\n\t"
                         "pmovmskb %%xmm0, %[equal]"
                         : [rounds] "+r"(rounds), [equal] "=r"(equal)
                         : [pattern] "m"(pattern)
                         : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                           "xmm12", "xmm13", "xmm14", "xmm15");
        if (equal != 0xffff) {
            puts("keep_registers: a vector register has changed");
            return 1;
        }
    } while (time(NULL) < end);
    return 0;
}
