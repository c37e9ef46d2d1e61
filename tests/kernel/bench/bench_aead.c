// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * lanecrypt_bench_aead.ko: what a request of an AEAD costs through the kernel's crypto API, and setting a key.
 *
 * As in bench_main.c, insmod measures, prints a table and fails with -EAGAIN.  Figures are cycles, the lower quarter of batches
 * that were not disturbed; all drivers and sizes take turns.  A request is encrypted in place, with 13 bytes of associated data in
 * an entry of their own, as in TLS 1.2.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <crypto/aead.h>
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

enum { NUM_SIZES = 10, MAX_DRIVERS = 8, MAX_ROUNDS = 2000, AAD_LEN = 13, TAG_LEN = 16, KEY_COLUMN = NUM_SIZES };
static const unsigned int sizes[NUM_SIZES] = { 16, 64, 128, 256, 512, 1024, 1420, 4096, 8192, 16384 };

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

struct subject {
    char name[CRYPTO_MAX_ALG_NAME];
    struct crypto_aead *tfm[2]; /* the second for set_key */
    struct aead_request *req;
    unsigned int key_len;
    u32 *cycles[NUM_SIZES + 1], num[NUM_SIZES + 1];
};
static struct subject subjects[MAX_DRIVERS];
static unsigned int num_subjects;
static u8 *text, aad[AAD_LEN], key[36], iv[12];

static int by_value(const void *a, const void *b)
{
    return (int)(*(const u32 *)a > *(const u32 *)b) - (int)(*(const u32 *)a < *(const u32 *)b);
}

/* A batch of requests, or of keys */
static int one(struct subject *s, unsigned int column)
{
    unsigned int n = column == KEY_COLUMN ? 20 : 20000 / (sizes[column] + 400) + 4;
    u64 before, after, begin, time;
    int err = 0;

    before = chain();
    begin = rdtsc_fenced();
    for (unsigned int i = 0; i < n && !err; i++) {
        if (column == KEY_COLUMN) {
            key[0] = i;
            err = crypto_aead_setkey(s->tfm[1], key, s->key_len);
        } else {
            iv[0] = i;
            err = crypto_aead_encrypt(s->req);
        }
    }
    time = rdtsc_fenced() - begin;
    after = chain();
    if (err || max(before, after) > min(before, after) * 102 / 100)
        return err;
    s->cycles[column][s->num[column]++] = (u32)(time * 6000 / ((before + after) * n));
    return 0;
}

static int __init measure(struct subject *s, unsigned int column)
{
    struct scatterlist sg[1 + 16384 / 4096 + 2];
    unsigned int num = 1, len = column == KEY_COLUMN ? 0 : sizes[column] + TAG_LEN, at = 0;

    if (column != KEY_COLUMN) {
        sg_init_table(sg, ARRAY_SIZE(sg));
        sg_set_buf(&sg[0], aad, AAD_LEN);
        while (at < len) {
            unsigned int part = pages ? min(len - at, (unsigned int)PAGE_SIZE) : len;

            sg_set_buf(&sg[num++], text + at, part);
            at += part;
        }
        sg_mark_end(&sg[num - 1]);
        aead_request_set_crypt(s->req, sg, sg, sizes[column], iv);
        aead_request_set_ad(s->req, AAD_LEN);
    }
    return one(s, column);
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
    while ((word = strsep(&list, "+")) && num_subjects < MAX_DRIVERS) {
        struct subject *s = &subjects[num_subjects++];

        strscpy(s->name, word, sizeof(s->name));
        s->key_len = 32;
        for (int i = 0; i < 2; i++) {
            s->tfm[i] = crypto_alloc_aead(word, 0, CRYPTO_ALG_ASYNC);
            if (IS_ERR(s->tfm[i])) {
                pr_err("%s: %ld\n", word, PTR_ERR(s->tfm[i]));
                return -EINVAL;
            }
            crypto_aead_setauthsize(s->tfm[i], TAG_LEN);
            crypto_aead_setkey(s->tfm[i], key, s->key_len);
        }
        s->req = aead_request_alloc(s->tfm[0], GFP_KERNEL);
        for (unsigned int c = 0; c <= NUM_SIZES; c++) {
            s->cycles[c] = kmalloc_array(MAX_ROUNDS, sizeof(u32), GFP_KERNEL);
            if (!s->req || !s->cycles[c])
                return -ENOMEM; /* nothing is freed: the machine ends here */
        }
    }
    for (unsigned int r = 0; r < rounds && !err; r++)
        for (unsigned int c = 0; c <= NUM_SIZES && !err; c++)
            for (unsigned int i = 0; i < num_subjects && !err; i++)
                err = measure(&subjects[i], c);
    pr_info("cycles a request; bytes:");
    for (unsigned int c = 0; c < NUM_SIZES; c++)
        pr_cont(" %u", sizes[c]);
    pr_cont(" set_key\n");
    for (unsigned int i = 0; i < num_subjects; i++) {
        struct subject *s = &subjects[i];

        pr_info("%s:", crypto_aead_driver_name(s->tfm[0]));
        for (unsigned int c = 0; c <= NUM_SIZES; c++) {
            num_kept += s->num[c];
            sort(s->cycles[c], s->num[c], sizeof(u32), by_value, NULL);
            pr_cont(" %u", s->num[c] ? s->cycles[c][s->num[c] / 4] : 0);
        }
        pr_cont("\n");
    }
    if (err)
        pr_err("a request failed: %d\n", err);
    pr_info("%u of %u batches were undisturbed\n", num_kept, num_subjects * (NUM_SIZES + 1) * rounds);
    return -EAGAIN;
}
module_init(bench_init);
MODULE_DESCRIPTION("measures requests of AEADs");
MODULE_LICENSE("Dual BSD/GPL");
