// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * lanecrypt_bench_requests.ko: what requests cost through the kernel's crypto API in both directions, and setting a key.
 *
 * As in bench_main.c, insmod measures, prints a table and fails with -EAGAIN.  Figures are cycles, the lower quarter of batches
 * that were not disturbed; all drivers and sizes take turns.  Ciphers and sealing work in place, opening from one buffer to
 * another.  AEADs have 13 bytes of associated data in an entry of their own, as in TLS 1.2, or IPsec's 8 and the iv.  Drivers of
 * the same algorithm have to write the same bytes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <crypto/aead.h>
#include <crypto/skcipher.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/timex.h>

static char *drivers = "gcm(aes)+rfc7539(chacha20,poly1305)";
module_param(drivers, charp, 0);
MODULE_PARM_DESC(drivers, "names of drivers or algorithms, separated by plus signs");
static uint rounds = 200;
module_param(rounds, uint, 0);
MODULE_PARM_DESC(rounds, "batches of each thing measured");
static bool pages;
module_param(pages, bool, 0);
MODULE_PARM_DESC(pages, "an entry for each page of text, as sendfile() gives; else text and tag are one");

enum { ENCRYPT, DECRYPT, SET_KEY, NUM_OPS };
enum { NUM_SIZES = 10, MAX_DRIVERS = 16, MAX_ROUNDS = 1000, TAG_LEN = 16, MAX_LEN = 16384 };
static const unsigned int sizes[NUM_SIZES] = { 16, 64, 128, 256, 512, 1024, 1420, 4096, 8192, MAX_LEN };
static const char *const op_names[NUM_OPS] = { "encrypt", "decrypt", "set key" };

static u64 rdtsc_fenced(void)
{
    u32 lo, hi;

    asm volatile("lfence; rdtsc; lfence" : "=a"(lo), "=d"(hi) : : "memory");
    return (u64)hi << 32 | lo;
}

/* 1000 dependent multiplies, 3 cycles each */
static u64 chain(void)
{
    u64 begin = rdtsc_fenced(), x = 3;
    unsigned int n = 100;

    asm volatile("1: .rept 10\n\timul %0, %0\n\t.endr\n\tdec %1\n\tjnz 1b" : "+r"(x), "+r"(n));
    return rdtsc_fenced() - begin;
}

struct samples {
    u32 *cycles, num;
};
struct subject {
    char name[CRYPTO_MAX_ALG_NAME];
    const char *algorithm;
    struct crypto_skcipher *cipher[2]; /* the second for set_key; or */
    struct crypto_aead *aead[2];
    struct skcipher_request *cipher_req;
    struct aead_request *aead_req;
    unsigned int key_len, aad_len;
    u8 *sealed[NUM_SIZES]; /* an encrypted text and its tag */
    struct samples samples[NUM_OPS][NUM_SIZES];
};
static struct subject subjects[MAX_DRIVERS];
static unsigned int num_subjects;
static u8 *text, aad[20], key[64], iv[16];

static int by_value(const void *a, const void *b)
{
    return (int)(*(const u32 *)a > *(const u32 *)b) - (int)(*(const u32 *)a < *(const u32 *)b);
}

/* sg: num_entries entries and the end, for the associated data, and len bytes at p */
static void fill(struct scatterlist *sg, unsigned int num_entries, unsigned int aad_len, u8 *p, unsigned int len)
{
    unsigned int num = 0;

    sg_init_table(sg, num_entries);
    if (aad_len)
        sg_set_buf(&sg[num++], aad, aad_len);
    for (unsigned int at = 0; at < len;) {
        unsigned int part = pages ? min(len - at, (unsigned int)PAGE_SIZE) : len;

        sg_set_buf(&sg[num++], p + at, part);
        at += part;
    }
    sg_mark_end(&sg[num - 1]);
}

static int request(struct subject *s, unsigned int op, unsigned int n)
{
    int err = 0;

    for (unsigned int i = 0; i < n && !err; i++) {
        if (op == SET_KEY) {
            key[0] = i;
            err = s->aead[1] ? crypto_aead_setkey(s->aead[1], key, s->key_len)
                             : crypto_skcipher_setkey(s->cipher[1], key, s->key_len);
        } else if (s->aead_req) {
            err = op == ENCRYPT ? crypto_aead_encrypt(s->aead_req) : crypto_aead_decrypt(s->aead_req);
        } else {
            /* written before each request, as disk encryption does: some drivers change it */
            WRITE_ONCE(*(u64 *)iv, i);
            WRITE_ONCE(*(u64 *)(iv + 8), 0);
            err = op == ENCRYPT ? crypto_skcipher_encrypt(s->cipher_req) : crypto_skcipher_decrypt(s->cipher_req);
        }
    }
    return err;
}

/* n requests; the cycles of each times 256, or 0 if the batch was disturbed */
static int batch(struct subject *s, unsigned int op, unsigned int size, unsigned int n, u32 *cycles)
{
    enum { NUM_ENTRIES = 1 + MAX_LEN / 4096 + 2 };
    struct scatterlist src[NUM_ENTRIES], dst[NUM_ENTRIES];
    unsigned int len = sizes[size], tag_len = s->aead_req ? TAG_LEN : 0;
    bool to_other = op == DECRYPT && s->aead_req;
    u64 before, after, begin, time;
    int err;

    fill(dst, NUM_ENTRIES, s->aad_len, text, to_other ? len : len + tag_len);
    if (to_other)
        fill(src, NUM_ENTRIES, s->aad_len, s->sealed[size], len + tag_len);
    if (s->aead_req)
        aead_request_set_crypt(s->aead_req, to_other ? src : dst, dst, op == DECRYPT ? len + TAG_LEN : len, iv);
    else
        skcipher_request_set_crypt(s->cipher_req, dst, dst, len, iv);
    if (s->aead_req)
        aead_request_set_ad(s->aead_req, s->aad_len);
    before = chain();
    begin = rdtsc_fenced();
    err = request(s, op, n);
    time = rdtsc_fenced() - begin;
    after = chain();
    *cycles = max(before, after) > min(before, after) * 102 / 100 ? 0 : (u32)(time * 6000 / ((before + after) * n));
    return err;
}

/* sealed[size], and that all drivers of an algorithm make the same of the same text and open it again */
static int check(struct subject *s, unsigned int size)
{
    unsigned int len = sizes[size] + (s->aead_req ? TAG_LEN : 0);
    u32 cycles;
    int err;

    s->sealed[size] = kmalloc(MAX_LEN + TAG_LEN, GFP_KERNEL);
    if (!s->sealed[size])
        return -ENOMEM; /* nothing is freed: the machine ends here */
    memset(iv, 0, sizeof(iv));
    memset(text, 'a', sizes[size]);
    err = batch(s, ENCRYPT, size, 1, &cycles);
    memcpy(s->sealed[size], text, len);
    if (!err)
        err = batch(s, DECRYPT, size, 1, &cycles);
    if (!err && memchr_inv(text, 'a', sizes[size])) {
        pr_err("%s: %u bytes don't come back\n", s->name, sizes[size]);
        return -EIO;
    }
    for (struct subject *other = subjects; other < s && !err; other++)
        if (strcmp(other->algorithm, s->algorithm) == 0 && memcmp(other->sealed[size], s->sealed[size], len) != 0) {
            pr_err("%s and %s differ, %u bytes\n", other->name, s->name, sizes[size]);
            return -EIO;
        }
    return err;
}

static int __init set_up(struct subject *s, const char *name)
{
    const bool ipsec = strstr(name, "rfc4106"), xts = strstr(name, "xts");

    strscpy(s->name, name, sizeof(s->name));
    s->key_len = ipsec ? 36 : xts ? 64 : 32;
    for (int i = 0; i < 2; i++) {
        s->aead[i] = crypto_alloc_aead(name, 0, 0);
        if (IS_ERR(s->aead[i])) {
            s->aead[i] = NULL;
            s->cipher[i] = crypto_alloc_skcipher(name, 0, 0);
            if (IS_ERR(s->cipher[i])) {
                pr_err("%s: %ld\n", name, PTR_ERR(s->cipher[i]));
                return -EINVAL;
            }
            crypto_skcipher_setkey(s->cipher[i], key, s->key_len);
        } else {
            crypto_aead_setauthsize(s->aead[i], TAG_LEN);
            crypto_aead_setkey(s->aead[i], key, s->key_len);
        }
    }
    if (s->aead[0]) {
        s->aad_len = ipsec ? 16 : 13;
        s->algorithm = crypto_aead_alg(s->aead[0])->base.cra_name;
        s->aead_req = aead_request_alloc(s->aead[0], GFP_KERNEL);
    } else {
        s->algorithm = crypto_skcipher_alg(s->cipher[0])->base.cra_name;
        s->cipher_req = skcipher_request_alloc(s->cipher[0], GFP_KERNEL);
    }
    if (!s->aead_req && !s->cipher_req)
        return -ENOMEM;
    for (unsigned int op = 0; op < NUM_OPS; op++)
        for (unsigned int i = 0; i < NUM_SIZES; i++) {
            s->samples[op][i].cycles = kmalloc_array(MAX_ROUNDS, sizeof(u32), GFP_KERNEL);
            if (!s->samples[op][i].cycles)
                return -ENOMEM;
        }
    return 0;
}

static int __init measure(void)
{
    int err;

    for (unsigned int i = 0; i < num_subjects; i++)
        for (unsigned int size = 0; size < NUM_SIZES; size++) {
            err = check(&subjects[i], size);
            if (err)
                return err;
        }
    for (unsigned int r = 0; r < rounds; r++)
        for (unsigned int op = 0; op < NUM_OPS; op++)
            for (unsigned int size = 0; size < (op == SET_KEY ? 1 : NUM_SIZES); size++)
                for (unsigned int i = 0; i < num_subjects; i++) {
                    struct samples *samples = &subjects[i].samples[op][size];
                    u32 *cycles = &samples->cycles[samples->num];

                    err = batch(&subjects[i], op, size, op == SET_KEY ? 20 : 20000 / (sizes[size] + 400) + 4, cycles);
                    if (err)
                        return err;
                    samples->num += *cycles != 0;
                }
    return 0;
}

static int __init bench_init(void)
{
    unsigned int num_kept = 0;
    char *list = kstrdup(drivers, GFP_KERNEL), *word;
    int err = 0;

    rounds = min(rounds, (uint)MAX_ROUNDS);
    text = (u8 *)__get_free_pages(GFP_KERNEL, 3);
    if (!text)
        return -ENOMEM;
    for (unsigned int i = 0; i < sizeof(key); i++)
        key[i] = i;
    while (!err && (word = strsep(&list, "+")) && num_subjects < MAX_DRIVERS)
        err = set_up(&subjects[num_subjects++], word);
    if (!err)
        err = measure();
    if (err) {
        pr_err("a request failed: %d\n", err);
        return err;
    }
    pr_info("cycles a request; bytes:");
    for (unsigned int i = 0; i < NUM_SIZES; i++)
        pr_cont(" %u", sizes[i]);
    pr_cont("\n");
    for (unsigned int op = 0; op < NUM_OPS; op++)
        for (unsigned int i = 0; i < num_subjects; i++) {
            const struct subject *s = &subjects[i];

            pr_info("%s %s:", s->aead[0] ? crypto_aead_driver_name(s->aead[0]) : crypto_skcipher_driver_name(s->cipher[0]),
                    op_names[op]);
            for (unsigned int size = 0; size < (op == SET_KEY ? 1 : NUM_SIZES); size++) {
                const struct samples *samples = &s->samples[op][size];

                num_kept += samples->num;
                sort(samples->cycles, samples->num, sizeof(u32), by_value, NULL);
                pr_cont(" %u", samples->num ? samples->cycles[samples->num / 4] : 0);
            }
            pr_cont("\n");
        }
    pr_info("%u of %u batches were undisturbed\n", num_kept, num_subjects * (2 * NUM_SIZES + 1) * rounds);
    return -EAGAIN;
}
module_init(bench_init);
MODULE_DESCRIPTION("measures requests");
MODULE_LICENSE("Dual BSD/GPL");
