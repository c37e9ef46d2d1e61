/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * vectors/aes-round.json by the calls that docs/aes-round.md has for each instruction, or by real instructions.  The file has one
 * line for each instruction and for each case (vectors/README.md), so it is read by lines; what isn't understood is an error.
 */
#include "check.h"

#define MAX_OPERANDS 3

/* ---- A guest's instruction by operations ---- */

typedef void call(const ops_t *ops, const struct operand *in, struct operand *out);

#define UNARY(name)                                                                                                                \
    static void call_##name(const ops_t *ops, const struct operand *in, struct operand *out)                                       \
    {                                                                                                                              \
        out->len = 16;                                                                                                             \
        ops->name(out->bytes, in[0].bytes);                                                                                        \
    }
/* One block after the other, each with its key or all with one. */
#define BLOCKS(name)                                                                                                               \
    static void call_##name(const ops_t *ops, const struct operand *in, struct operand *out)                                       \
    {                                                                                                                              \
        out->len = in[0].len;                                                                                                      \
        for (size_t i = 0; i < in[0].len; i += 16)                                                                                 \
            ops->name(out->bytes + i, in[0].bytes + i, in[1].bytes + i % in[1].len);                                               \
    }
/* One block, or more with as many keys, or with one. */
#define KEYED(name)                                                                                                                \
    static void call_##name(const ops_t *ops, const struct operand *in, struct operand *out)                                       \
    {                                                                                                                              \
        out->len = in[0].len;                                                                                                      \
        if (in[0].len == 16)                                                                                                       \
            ops->name(out->bytes, in[0].bytes, in[1].bytes);                                                                       \
        else                                                                                                                       \
            ops->name##_n(out->bytes, in[0].bytes, in[1].bytes, in[0].len / 16, in[1].len == 16 ? 0 : 16);                         \
    }
#define KEYLESS(name)                                                                                                              \
    static void call_##name(const ops_t *ops, const struct operand *in, struct operand *out)                                       \
    {                                                                                                                              \
        out->len = in[0].len;                                                                                                      \
        if (in[0].len == 16)                                                                                                       \
            ops->name(out->bytes, in[0].bytes);                                                                                    \
        else                                                                                                                       \
            ops->name##_n(out->bytes, in[0].bytes, in[0].len / 16);                                                                \
    }
/* The file has POWER's registers most significant byte first; an emulator may have them as numbers on a little-endian host. */
#define POWER(name)                                                                                                                \
    static void call_##name##_rev(const ops_t *ops, const struct operand *in, struct operand *out)                                 \
    {                                                                                                                              \
        uint8_t state[16], key[16], plain[16];                                                                                     \
                                                                                                                                   \
        for (int i = 0; i < 16; i++) {                                                                                             \
            state[i] = in[0].bytes[15 - i];                                                                                        \
            key[i] = in[1].bytes[15 - i];                                                                                          \
        }                                                                                                                          \
        ops->name##_rev(state, state, key);                                                                                        \
        for (int i = 0; i < 16; i++)                                                                                               \
            out->bytes[i] = state[15 - i];                                                                                         \
        out->len = 16;                                                                                                             \
        ops->name(plain, in[0].bytes, in[1].bytes);                                                                                \
        expect_bytes(#name " and " #name "_rev", plain, out->bytes, 16);                                                           \
    }
#define HALVES(name)                                                                                                               \
    static void call_##name(const ops_t *ops, const struct operand *in, struct operand *out)                                       \
    {                                                                                                                              \
        out->number = ops->name(in[0].number, in[1].number);                                                                       \
    }
#define COLUMNS(name)                                                                                                              \
    static void call_##name(const ops_t *ops, const struct operand *in, struct operand *out)                                       \
    {                                                                                                                              \
        out->number = ops->name((uint32_t)in[0].number, (uint32_t)in[1].number, (unsigned)in[2].number);                           \
    }

UNARY(sb)
KEYLESS(mc)
KEYLESS(imc)
KEYED(sb_sr_ak)
KEYED(sb_sr_mc_ak)
KEYED(isb_isr_ak)
KEYED(isb_isr_imc_ak)
KEYED(isb_isr_ak_imc)
KEYED(ak_sb_sr)
KEYED(ak_sb_sr_mc)
KEYED(ak_isb_isr)
KEYED(ak_isb_isr_imc)
BLOCKS(sm4_e4)
BLOCKS(sm4_ekey4)
POWER(sb_sr_ak)
POWER(sb_sr_mc_ak)
POWER(isb_isr_ak)
POWER(isb_isr_ak_imc)
HALVES(aes64_es)
HALVES(aes64_esm)
HALVES(aes64_ds)
HALVES(aes64_dsm)
HALVES(aes64_ks2)
COLUMNS(aes32_esi)
COLUMNS(aes32_esmi)
COLUMNS(aes32_dsi)
COLUMNS(aes32_dsmi)
COLUMNS(sm4_ed)
COLUMNS(sm4_ks)

static void call_keygenassist(const ops_t *ops, const struct operand *in, struct operand *out)
{
    out->len = 16;
    ops->keygenassist(out->bytes, in[0].bytes, (unsigned)in[1].number);
}

static void call_aes64_im(const ops_t *ops, const struct operand *in, struct operand *out)
{
    out->number = ops->aes64_im(in[0].number);
}

static void call_aes64_ks1i(const ops_t *ops, const struct operand *in, struct operand *out)
{
    out->number = ops->aes64_ks1i(in[0].number, (unsigned)in[1].number);
}

/* The key is added and nothing else. */
static void call_add(const ops_t *ops, const struct operand *in, struct operand *out)
{
    (void)ops;
    out->len = in[0].len;
    for (size_t i = 0; i < in[0].len; i++)
        out->bytes[i] = in[0].bytes[i] ^ in[1].bytes[i % in[1].len];
}

static void call_vaeskf1(const ops_t *ops, const struct operand *in, struct operand *out)
{
    out->len = 16;
    ops->vaeskf1(out->bytes, in[0].bytes, (unsigned)in[1].number);
}

static void call_vaeskf2(const ops_t *ops, const struct operand *in, struct operand *out)
{
    out->len = 16;
    ops->vaeskf2(out->bytes, in[0].bytes, in[1].bytes, (unsigned)in[2].number);
}

/* The emulator has SM4's constants: byte i of all is 7 i, most significant one of each word first. */
static void call_vsm4k(const ops_t *ops, const struct operand *in, struct operand *out)
{
    uint8_t ck[16];

    for (unsigned i = 0; i < 16; i++)
        ck[i ^ 3] = (uint8_t)((16 * in[1].number + i) * 7);
    out->len = 16;
    ops->sm4_ekey4(out->bytes, in[0].bytes, ck);
}

/* Names without what follows a blank, which is a vector length. */
static const struct {
    const char *guest, *instruction;
    call *call;
} calls[] = {
    { "x86", "AESENC", call_sb_sr_mc_ak },
    { "x86", "AESENCLAST", call_sb_sr_ak },
    { "x86", "AESDEC", call_isb_isr_imc_ak },
    { "x86", "AESDECLAST", call_isb_isr_ak },
    { "x86", "VAESENC", call_sb_sr_mc_ak },
    { "x86", "VAESENCLAST", call_sb_sr_ak },
    { "x86", "VAESDEC", call_isb_isr_imc_ak },
    { "x86", "VAESDECLAST", call_isb_isr_ak },
    { "x86", "AESIMC", call_imc },
    { "x86", "AESKEYGENASSIST", call_keygenassist },
    { "x86", "VSM4RNDS4", call_sm4_e4 },
    { "x86", "VSM4KEY4", call_sm4_ekey4 },
    { "arm", "AESE", call_ak_sb_sr },
    { "arm", "AESD", call_ak_isb_isr },
    { "arm", "AESMC", call_mc },
    { "arm", "AESIMC", call_imc },
    { "arm", "AESEMC", call_ak_sb_sr_mc },
    { "arm", "AESDIMC", call_ak_isb_isr_imc },
    { "arm", "SM4E", call_sm4_e4 },
    { "arm", "SM4EKEY", call_sm4_ekey4 },
    { "power", "vcipher", call_sb_sr_mc_ak_rev },
    { "power", "vcipherlast", call_sb_sr_ak_rev },
    { "power", "vncipher", call_isb_isr_ak_imc_rev },
    { "power", "vncipherlast", call_isb_isr_ak_rev },
    { "power", "vsbox", call_sb },
    { "riscv", "aes64es", call_aes64_es },
    { "riscv", "aes64esm", call_aes64_esm },
    { "riscv", "aes64ds", call_aes64_ds },
    { "riscv", "aes64dsm", call_aes64_dsm },
    { "riscv", "aes64im", call_aes64_im },
    { "riscv", "aes64ks1i", call_aes64_ks1i },
    { "riscv", "aes64ks2", call_aes64_ks2 },
    { "riscv", "aes32esi", call_aes32_esi },
    { "riscv", "aes32esmi", call_aes32_esmi },
    { "riscv", "aes32dsi", call_aes32_dsi },
    { "riscv", "aes32dsmi", call_aes32_dsmi },
    { "riscv", "sm4ed", call_sm4_ed },
    { "riscv", "sm4ks", call_sm4_ks },
    { "riscv", "vaesem.vv", call_sb_sr_mc_ak },
    { "riscv", "vaesem.vs", call_sb_sr_mc_ak },
    { "riscv", "vaesef.vv", call_sb_sr_ak },
    { "riscv", "vaesef.vs", call_sb_sr_ak },
    { "riscv", "vaesdm.vv", call_isb_isr_ak_imc },
    { "riscv", "vaesdm.vs", call_isb_isr_ak_imc },
    { "riscv", "vaesdf.vv", call_isb_isr_ak },
    { "riscv", "vaesdf.vs", call_isb_isr_ak },
    { "riscv", "vaesz.vs", call_add },
    { "riscv", "vaeskf1.vi", call_vaeskf1 },
    { "riscv", "vaeskf2.vi", call_vaeskf2 },
    { "riscv", "vsm4r.vv", call_sm4_e4 },
    { "riscv", "vsm4r.vs", call_sm4_e4 },
    { "riscv", "vsm4k.vi", call_vsm4k },
};

#define NUM_CALLS (sizeof(calls) / sizeof(calls[0]))

static call *find(const char *guest, const char *instruction)
{
    const size_t len = strcspn(instruction, " ");

    for (size_t i = 0; i < NUM_CALLS; i++)
        if (!strcmp(calls[i].guest, guest) && strlen(calls[i].instruction) == len &&
            !strncmp(calls[i].instruction, instruction, len))
            return calls[i].call;
    fail("no call for the instruction %s of guest %s", instruction, guest);
}

/* ---- The file ---- */

static int starts(const char *line, const char *with)
{
    return !strncmp(line, with, strlen(with));
}

/* The string after `"key": "`, in which there are no escapes. */
static void member(char *value, size_t size, const char *line, const char *key)
{
    char quoted[32];
    const char *found;
    size_t len;

    snprintf(quoted, sizeof(quoted), "\"%s\": \"", key);
    found = strstr(line, quoted);
    if (!found)
        fail("no \"%s\" in %s", key, line);
    found += strlen(quoted);
    len = strcspn(found, "\"");
    if (len >= size)
        fail("\"%s\" is too long in %s", key, line);
    memcpy(value, found, len);
    value[len] = '\0';
}

/* The kinds of the operands: 'b'lock, 'u32' and 'u64', 'i'mmediate; returns how many. */
static unsigned operand_kinds(char kinds[MAX_OPERANDS], const char *line)
{
    const char *p = strstr(line, "\"operands\": [");
    unsigned count = 0;

    if (!p)
        fail("no operands in %s", line);
    for (p = strchr(p, '['); *p != ']'; p = p + 1 + strcspn(p + 1, ",]")) {
        p += strcspn(p, "\"") + 1;
        if (count == MAX_OPERANDS || !strchr("bui", *p))
            fail("operands in %s", line);
        kinds[count++] = *p;
    }
    return count;
}

/* Reads one string of hexadecimal digits; numbers have their most significant digit first. */
static const char *read_operand(struct operand *operand, char kind, const char *text, const char *line)
{
    memset(operand, 0, sizeof(*operand));
    if (*text != '"')
        fail("a string is missing in %s", line);
    text++;
    operand->len = from_hex(operand->bytes, sizeof(operand->bytes), text);
    text += 2 * operand->len;
    if (operand->len == 0 || *text != '"')
        fail("no hexadecimal digits in %s", line);
    if (kind != 'b') {
        if (operand->len > 8)
            fail("a long number in %s", line);
        for (size_t i = 0; i < operand->len; i++)
            operand->number = operand->number << 8 | operand->bytes[i];
        operand->len = 0;
    } else if (operand->len % 16)
        fail("a block that isn't whole in %s", line);
    return text + 1;
}

unsigned check_vectors(const ops_t *ops, const char *path, unsigned *num_instructions)
{
    FILE *f = open_file(path);
    char line[1024], guest[16] = "", instruction[32] = "", kinds[MAX_OPERANDS];
    unsigned num_operands = 0, count = 0;
    int done = 0, ended = 0, here = 0;
    call *c = NULL;

    *num_instructions = 0;
    while (fgets(line, sizeof(line), f)) {
        if (starts(line, "{\"guest\": ")) {
            member(guest, sizeof(guest), line, "guest");
            member(instruction, sizeof(instruction), line, "instruction");
            num_operands = operand_kinds(kinds, line);
            c = find(guest, instruction);
            here = 0;
        } else if (starts(line, "[\"") && c) {
            struct operand in[MAX_OPERANDS], expected, got = { .len = 0 };
            const char *p = line;
            char what[64];

            for (unsigned i = 0; i < num_operands; i++)
                p = read_operand(&in[i], kinds[i], p + 1, line);
            p = read_operand(&expected, kinds[0], p + 1, line);
            if (*p != ']')
                fail("more than operands and a result in %s", line);
            if (ops)
                c(ops, in, &got);
            else if (!own_instruction(guest, instruction, in, &got))
                continue;
            snprintf(what, sizeof(what), "%s: %s", guest, instruction);
            if (got.len != expected.len || got.number != expected.number)
                fail("%s: got %016llx, expected %016llx in %s", what, (unsigned long long)got.number,
                     (unsigned long long)expected.number, line);
            expect_bytes(what, got.bytes, expected.bytes, expected.len);
            count++;
            here++;
        } else if (starts(line, "]}")) {
            *num_instructions += here > 0;
            if (ops && !here)
                fail("%s has no cases", instruction);
            c = NULL;
            done++;
        } else if (starts(line, "]")) {
            ended = 1;
        } else if (!starts(line, "{\n") && !starts(line, "\"") && !starts(line, "}\n")) {
            fail("not understood: %s", line);
        }
    }
    fclose(f);
    if (!ended || done < (int)NUM_CALLS)
        fail("%s is not whole: %d instructions", path, done);
    return count;
}
