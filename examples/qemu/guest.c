/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest's program: does instructions of its CPU and says what comes of them.  check.py compares that.
 *
 * A line of input is guest, instruction and operands, with tabs between them.  An operand is b and the bytes of blocks, or n and a
 * number, in hexadecimal digits.  The answer is the result in the same way, or - if this CPU doesn't have the instruction.
 */
#include "../../tests/aes_round/check.h"

static struct operand read_operand(const char *text)
{
    struct operand operand = { .len = 0 };

    if (*text == 'b')
        operand.len = from_hex(operand.bytes, sizeof(operand.bytes), text + 1);
    else
        operand.number = strtoull(text + 1, NULL, 16);
    return operand;
}

int main(void)
{
    char line[1024];

    testing = "guest";
    while (fgets(line, sizeof(line), stdin)) {
        struct operand in[3] = { { .len = 0 } }, out = { .len = 0 };
        const char *guest = strtok(line, "\t\n"), *instruction = strtok(NULL, "\t\n"), *text;
        unsigned n = 0;

        while (n < 3 && (text = strtok(NULL, "\t\n")) != NULL)
            in[n++] = read_operand(text);
        if (!instruction || n == 0)
            fail("not understood: %s", line);
        if (!own_instruction(guest, instruction, in, &out))
            puts("-");
        else if (out.len == 0)
            printf("n%llx\n", (unsigned long long)out.number);
        else {
            putchar('b');
            for (size_t i = 0; i < out.len; i++)
                printf("%02x", out.bytes[i]);
            putchar('\n');
        }
    }
    return 0;
}
