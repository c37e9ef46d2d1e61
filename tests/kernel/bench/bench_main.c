// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * What AES-XTS costs through the kernel's crypto API, compared with a direct call of the same code.
 *
 * insmod measures, prints a table and fails with -EAGAIN, so that nothing has to be removed.  Figures are cycles a request of
 * the core's own clock: batches of requests are timed with rdtsc, between two chains of dependent multiplies (3 cycles each on
 * Intel and AMD).  All things measured take turns, one batch each, many rounds.  A batch whose two chains differ is dropped: the
 * clock changed, or something else ran.  Printed are the lower quarter and the median; on a shared machine trust the former.
 * Differences and ratios are of it.
 *
 * The iv is written as two 64-bit words (number, 0) before every request, in the direct calls as well, as disk encryption does.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/mm.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/vmalloc.h>
#include <crypto/internal/simd.h>
#include <crypto/internal/skcipher.h>
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>
#include <asm/simd.h>

#define PREFIX "xts-aes-lanecrypt-"

static char *drivers;
module_param(drivers, charp, 0);
MODULE_PARM_DESC(drivers, "driver names, separated by commas (default: all of lanecrypt's for XTS)");
static uint rounds = 600;
module_param(rounds, uint, 0);
MODULE_PARM_DESC(rounds, "batches of each thing measured");
static uint key_len = 64;
module_param(key_len, uint, 0);
MODULE_PARM_DESC(key_len, "32, 48 or 64");
static bool in_place;
module_param(in_place, bool, 0);
MODULE_PARM_DESC(in_place, "encrypt and decrypt in place");
static bool fenced;
module_param(fenced, bool, 0);
MODULE_PARM_DESC(fenced, "LFENCE between requests, so that they don't overlap");

/* ---- The direct call ---- */

/* struct lc_xts_key of include/lanecrypt/xts.h, which needs headers of user space */
struct xts_key {
    u8 tweak[15][16] __aligned(16);
    u8 enc[15][16];
    u32 rounds, reserved;
    const struct impl *impl;
    u8 dec[15][16];
};
static_assert(offsetof(struct xts_key, enc) == 240 && offsetof(struct xts_key, rounds) == 480 &&
              offsetof(struct xts_key, dec) == 496);

typedef void crypt_fn(const struct xts_key *key, u8 *dst, const u8 *src, size_t len, void *tweak, unsigned int how);

asmlinkage void lc_aes_expand_aesni(u8 enc[15][16], u8 (*dec)[16], const u8 *key, size_t key_len);

struct impl {
    const char *name;
    crypt_fn *encrypt, *decrypt;
};

#define ROW_XTS(name, symbol, ...) asmlinkage crypt_fn lc_aes_xts_encrypt_##symbol, lc_aes_xts_decrypt_##symbol;
#define LC_WITHOUT_PORTABLE
#include "rows.def"
static const struct impl impls[] = {
#define ROW_XTS(name, symbol, ...) { name + sizeof("xts-aes-") - 1, lc_aes_xts_encrypt_##symbol, lc_aes_xts_decrypt_##symbol },
#define LC_WITHOUT_PORTABLE
#include "rows.def"
};

/* What the module registers them as, separated by commas. */
static char *all_drivers(void)
{
    static char names[64 * ARRAY_SIZE(impls)];
    size_t i, len = 0;

    for (i = 0; i < ARRAY_SIZE(impls); i++)
        len += scnprintf(names + len, sizeof(names) - len, "%s" PREFIX "%s", i ? "," : "", impls[i].name);
    return names;
}

/* As lc_xts_encrypt() and lc_xts_decrypt() are: a check of the length, and a call through the key's row. */
static noinline __nocfi int direct_encrypt(const struct xts_key *key, u8 *dst, const u8 *src, size_t len, const u8 *iv)
{
    if (len < 16 || len > 16 << 20)
        return -EINVAL;
    key->impl->encrypt(key, dst, src, len, (void *)iv, 0);
    return 0;
}

static noinline __nocfi int direct_decrypt(const struct xts_key *key, u8 *dst, const u8 *src, size_t len, const u8 *iv)
{
    if (len < 16 || len > 16 << 20)
        return -EINVAL;
    key->impl->decrypt(key, dst, src, len, (void *)iv, 0);
    return 0;
}

/* ---- Drivers that do nothing, for the cost of the way there ---- */

static int null_setkey(struct crypto_skcipher *tfm, const u8 *key, unsigned int len)
{
    return 0;
}

static int null_crypt(struct skcipher_request *req)
{
    return 0;
}

static int walk_crypt(struct skcipher_request *req)
{
    struct skcipher_walk walk;
    int err = skcipher_walk_virt(&walk, req, false);

    while (walk.nbytes)
        err = skcipher_walk_done(&walk, walk.nbytes < walk.total ? walk.nbytes % 16 : 0);
    return err;
}

#define NULL_ALG(driver, fn)                                                                                                       \
    { .base.cra_name = driver,                                                                                                     \
      .base.cra_driver_name = driver,                                                                                              \
      .base.cra_blocksize = 16,                                                                                                    \
      .base.cra_priority = 1,                                                                                                      \
      .base.cra_module = THIS_MODULE,                                                                                              \
      .base.cra_flags = CRYPTO_ALG_INTERNAL,                                                                                       \
      .min_keysize = 32,                                                                                                           \
      .max_keysize = 64,                                                                                                           \
      .ivsize = 16,                                                                                                                \
      .setkey = null_setkey,                                                                                                       \
      .encrypt = fn,                                                                                                               \
      .decrypt = fn }
static struct skcipher_alg null_algs[] = { NULL_ALG("lanecrypt-bench-null", null_crypt),
                                           NULL_ALG("lanecrypt-bench-walk", walk_crypt) };

/* ---- What is measured ---- */

/* How a request's bytes lie in memory.  dm-crypt has one entry always; an odd place makes the walk copy the block there. */
static const struct shape {
    const char *name;
    unsigned int len, first, rest; /* bytes of the first entry, and of each of the others */
} shapes[] = {
    { "16", 16, 16 },
    { "512", 512, 512 },
    { "520", 520, 520 },
    { "1024", 1024, 1024 },
    { "4096", 4096, 4096 },
    { "4096=2*2048", 4096, 2048, 2048 },
    { "4096=1237+2859", 4096, 1237, 2859 },
    { "65536=16*4096", 65536, 4096, 4096 },
};
#define NUM_SHAPES ARRAY_SIZE(shapes)
#define MAX_LEN 65536
#define MAX_ENTRIES 16

struct subject {
    char name[CRYPTO_MAX_ALG_NAME];
    struct crypto_skcipher *tfm;
    struct skcipher_request *req;
    struct xts_key *key; /* NULL: not ours, no direct call */
};

struct item;
typedef void run_fn(const struct item *m, unsigned int count);

/* One thing that is timed. */
struct item {
    run_fn *run;
    const struct subject *subject;
    const struct shape *shape;
    struct scatterlist *src, *dst;
    bool decrypt;
    unsigned int count, num_samples, low, median; /* requests in a batch; low, median in 1/100 cycles */
    u32 *samples;
};

enum { DIRECT, API, API_SG, NUM_WAYS };

static struct page *src_pages, *dst_pages;
static struct scatterlist src_sg[NUM_SHAPES][MAX_ENTRIES], dst_sg[NUM_SHAPES][MAX_ENTRIES];
static u64 iv[2] __aligned(16);
static u64 number;
static int any_error;

static void next_iv(void)
{
    if (fenced)
        asm volatile("lfence" : : : "memory");
    WRITE_ONCE(iv[0], number++);
    WRITE_ONCE(iv[1], 0);
}

/* The others below are the same for encryption and decryption but for a branch that always goes the same way. */
static void run_direct(const struct item *m, unsigned int count)
{
    const struct xts_key *key = m->subject->key;
    u8 *dst = sg_virt(m->dst);
    const u8 *src = sg_virt(m->src);
    unsigned int len = m->shape->len;

    kernel_fpu_begin();
    while (count--) {
        next_iv();
        any_error |= m->decrypt ? direct_decrypt(key, dst, src, len, (u8 *)iv) : direct_encrypt(key, dst, src, len, (u8 *)iv);
    }
    kernel_fpu_end();
}

static void run_api(const struct item *m, unsigned int count)
{
    struct skcipher_request *req = m->subject->req;

    while (count--) {
        next_iv();
        skcipher_request_set_crypt(req, m->src, m->dst, m->shape->len, iv);
        any_error |= m->decrypt ? crypto_skcipher_decrypt(req) : crypto_skcipher_encrypt(req);
    }
}

/* As dm-crypt does for each sector. */
static void run_api_sg(const struct item *m, unsigned int count)
{
    struct skcipher_request *req = m->subject->req;

    while (count--) {
        next_iv();
        skcipher_request_set_tfm(req, m->subject->tfm);
        skcipher_request_set_callback(req, CRYPTO_TFM_REQ_MAY_BACKLOG, NULL, NULL);
        sg_init_table(m->src, 1);
        sg_set_page(m->src, src_pages, m->shape->len, 0);
        if (m->dst != m->src) {
            sg_init_table(m->dst, 1);
            sg_set_page(m->dst, dst_pages, m->shape->len, 0);
        }
        skcipher_request_set_crypt(req, m->src, m->dst, m->shape->len, iv);
        any_error |= m->decrypt ? crypto_skcipher_decrypt(req) : crypto_skcipher_encrypt(req);
    }
}

/* Pieces */

static void run_empty(const struct item *m, unsigned int count)
{
    while (count--)
        barrier();
}

static void run_set_crypt(const struct item *m, unsigned int count)
{
    while (count--) {
        next_iv();
        skcipher_request_set_crypt(m->subject->req, m->src, m->dst, m->shape->len, iv);
        barrier();
    }
}

static void run_fpu(const struct item *m, unsigned int count)
{
    while (count--) {
        kernel_fpu_begin();
        barrier();
        kernel_fpu_end();
    }
}

static void run_simd_usable(const struct item *m, unsigned int count)
{
    while (count--) {
        bool usable = crypto_simd_usable();

        OPTIMIZER_HIDE_VAR(usable);
    }
}

static u8 xsave_area[8192] __aligned(64);
static u32 xsave_mask; /* x87, SSE, AVX, AVX-512, as far as the system has turned them on */

static void xsave_init(void)
{
    u32 eax, edx;

    if (!boot_cpu_has(X86_FEATURE_XSAVEC))
        return;
    asm volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    xsave_mask = eax & 0xe7;
}

/* Put something into every register: components in their initial state aren't saved. */
static void dirty_registers(void)
{
    asm volatile("fninit\n\t fld1\n\t pcmpeqd %xmm0, %xmm0");
    if (xsave_mask & 0xe0)
        asm volatile(".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
                     "vpternlogd $0xff, %zmm\\i, %zmm\\i, %zmm\\i\n\t .endr\n\t"
                     ".irp i, 0,1,2,3,4,5,6,7\n\t kxnorw %k\\i, %k\\i, %k\\i\n\t .endr");
    else if (xsave_mask & 4)
        asm volatile(".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n\t"
                     "vpcmpeqd %xmm\\i, %xmm\\i, %xmm\\i\n\t vinsertf128 $1, %xmm\\i, %ymm\\i, %ymm\\i\n\t .endr");
}

static void clean_registers(void)
{
    asm volatile("fninit");
    if (xsave_mask & 0xe0)
        asm volatile(".irp i, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
                     "vpxord %zmm\\i, %zmm\\i, %zmm\\i\n\t .endr\n\t"
                     ".irp i, 0,1,2,3,4,5,6,7\n\t kxorw %k\\i, %k\\i, %k\\i\n\t .endr");
    if (xsave_mask & 4)
        asm volatile("vzeroall");
}

/* What kernel_fpu_begin() always does, apart from counting and flags. */
static void run_mxcsr(const struct item *m, unsigned int count)
{
    u32 mxcsr = 0x1f80;

    while (count--)
        asm volatile("ldmxcsr %0" : : "m"(mxcsr));
}

static void run_xsavec(const struct item *m, unsigned int count)
{
    while (count--)
        asm volatile("xsavec64 %0" : "+m"(xsave_area) : "a"(xsave_mask), "d"(0) : "memory");
}

static void run_xrstor(const struct item *m, unsigned int count)
{
    while (count--)
        asm volatile("xrstor64 %0" : : "m"(xsave_area), "a"(xsave_mask), "d"(0) : "memory");
}

/* ---- Timing ---- */

enum { CHAIN = 2048, LATENCY = 3 };

static u64 ticks(void)
{
    u32 lo, hi;

    asm volatile("lfence\n\t rdtsc\n\t lfence" : "=a"(lo), "=d"(hi) : : "memory");
    return lo | (u64)hi << 32;
}

static u64 chain_ticks(void)
{
    u64 x = 1, turns = CHAIN / 16, start = ticks();

    asm volatile("1: .rept 16\n\t imul %0, %0\n\t .endr\n\t dec %1\n\t jnz 1b" : "+r"(x), "+r"(turns) : : "cc");
    return ticks() - start;
}

/* Not run: take_sample() stores how many ticks 1000 cycles take. */
static void run_clock(const struct item *m, unsigned int count)
{
}

static void take_sample(struct item *m)
{
    bool needs_state = m->run == run_xsavec || m->run == run_xrstor;
    u64 before, after, t;

    if (needs_state) {
        kernel_fpu_begin();
        dirty_registers();
    }
    if (m->run == run_clock) {
        m->samples[m->num_samples++] = chain_ticks() * 100 * 1000 / (CHAIN * LATENCY);
        return;
    }
    m->run(m, m->count / 8 + 2); /* to warm up */
    before = chain_ticks();
    t = ticks();
    m->run(m, m->count);
    t = ticks() - t;
    after = chain_ticks();
    if (needs_state) {
        clean_registers();
        kernel_fpu_end();
    }
    if (max(before, after) * 100 > min(before, after) * 102)
        return;
    m->samples[m->num_samples++] = min(div64_u64(t * CHAIN * LATENCY * 200, (before + after) * m->count), (u64)U32_MAX);
}

static int compare_samples(const void *a, const void *b)
{
    u32 x = *(const u32 *)a, y = *(const u32 *)b;

    return x < y ? -1 : x > y;
}

static void evaluate(struct item *m)
{
    if (!m->num_samples)
        return;
    sort(m->samples, m->num_samples, sizeof(u32), compare_samples, NULL);
    m->low = m->samples[m->num_samples / 4];
    m->median = m->samples[m->num_samples / 2];
}

/* ---- Setting up ---- */

static struct subject *subjects;
static unsigned int num_subjects;
static struct item *items;
static unsigned int num_items;

static void fill_sg(struct scatterlist *sg, const struct shape *shape, struct page *pages)
{
    unsigned int done = 0, i = 0, n = shape->first;

    sg_init_table(sg, 1 + (shape->rest ? (shape->len - shape->first) / shape->rest : 0));
    for (; done < shape->len; done += n, n = shape->rest, i++)
        sg_set_page(&sg[i], pages + done / PAGE_SIZE, n, done % PAGE_SIZE);
}

static int set_up_subject(struct subject *s, const char *name, size_t name_len, u32 type, const u8 *raw)
{
    unsigned int i;
    int err;

    snprintf(s->name, sizeof(s->name), "%.*s", (int)name_len, name);
    /* Drivers that aren't asynchronous only, as their results are expected on return. */
    s->tfm = crypto_alloc_skcipher(s->name, type, type | CRYPTO_ALG_ASYNC);
    if (IS_ERR(s->tfm)) {
        err = PTR_ERR(s->tfm);
        s->tfm = NULL;
        pr_info("%s: not to be had (%d)\n", s->name, err);
        return err;
    }
    err = crypto_skcipher_setkey(s->tfm, raw, key_len);
    if (err)
        return err;
    s->req = skcipher_request_alloc(s->tfm, GFP_KERNEL);
    if (!s->req)
        return -ENOMEM;
    skcipher_request_set_callback(s->req, 0, NULL, NULL);

    for (i = 0; i < ARRAY_SIZE(impls); i++) {
        if (strncmp(s->name, PREFIX, strlen(PREFIX)) || strcmp(s->name + strlen(PREFIX), impls[i].name))
            continue;
        s->key = kzalloc(1024, GFP_KERNEL); /* a power of two, and so aligned to itself */
        if (!s->key)
            return -ENOMEM;
        s->key->impl = &impls[i];
        s->key->rounds = key_len / 8 + 6;
        kernel_fpu_begin();
        lc_aes_expand_aesni(s->key->enc, s->key->dec, raw, key_len / 2);
        lc_aes_expand_aesni(s->key->tweak, NULL, raw + key_len / 2, key_len / 2);
        kernel_fpu_end();
    }
    return 0;
}

static void tear_down(void)
{
    unsigned int i;

    for (i = 0; subjects && i < num_subjects; i++) {
        skcipher_request_free(subjects[i].req);
        crypto_free_skcipher(subjects[i].tfm);
        kfree_sensitive(subjects[i].key);
    }
    for (i = 0; items && i < num_items; i++)
        vfree(items[i].samples);
    kvfree(subjects);
    kvfree(items);
    if (src_pages)
        __free_pages(src_pages, get_order(MAX_LEN));
    if (dst_pages)
        __free_pages(dst_pages, get_order(MAX_LEN));
}

static int add_item(run_fn *run, const struct subject *subject, unsigned int shape, bool decrypt, unsigned int count)
{
    struct item *m = &items[num_items];

    m->run = run;
    m->subject = subject;
    m->shape = &shapes[shape];
    m->src = src_sg[shape];
    m->dst = in_place ? m->src : dst_sg[shape];
    m->decrypt = decrypt;
    m->count = count;
    m->samples = vmalloc(array_size(rounds, sizeof(u32)));
    if (!m->samples)
        return -ENOMEM;
    num_items++;
    return 0;
}

/* The API's result against the direct call's, both directions, before anything is timed. */
static int check(const struct subject *s, unsigned int shape)
{
    unsigned int len = shapes[shape].len;
    u8 *src = page_address(src_pages), *dst = page_address(dst_pages);
    u8 *plain = kmalloc(len, GFP_KERNEL), *expected = kmalloc(len, GFP_KERNEL);
    int err = plain && expected ? 0 : -ENOMEM, decrypt;

    for (decrypt = 0; !err && decrypt < 2; decrypt++) {
        get_random_bytes(plain, len);
        memcpy(src, plain, len);
        memset(dst, 0, len);
        next_iv();
        skcipher_request_set_crypt(s->req, src_sg[shape], in_place ? src_sg[shape] : dst_sg[shape], len, iv);
        err = decrypt ? crypto_skcipher_decrypt(s->req) : crypto_skcipher_encrypt(s->req);
        iv[0] = number - 1; /* the driver may have changed it */
        iv[1] = 0;
        if (!err && s->key) {
            kernel_fpu_begin();
            err = decrypt ? direct_decrypt(s->key, expected, plain, len, (u8 *)iv)
                          : direct_encrypt(s->key, expected, plain, len, (u8 *)iv);
            kernel_fpu_end();
            if (!err && memcmp(expected, in_place ? src : dst, len))
                err = -EBADMSG;
        }
        if (err)
            pr_err("%s, %s bytes, %s: %d\n", s->name, shapes[shape].name, decrypt ? "decryption" : "encryption", err);
    }
    kfree_sensitive(plain);
    kfree_sensitive(expected);
    return err;
}

/* ---- Results ---- */

static const struct item *find(const struct subject *s, unsigned int shape, bool decrypt, run_fn *run)
{
    unsigned int i;

    for (i = 0; i < num_items; i++)
        if (items[i].run == run && items[i].subject == s && items[i].shape == &shapes[shape] && items[i].decrypt == decrypt)
            return &items[i];
    return NULL;
}

static const char *cell(char *buffer, size_t len, const struct item *m)
{
    if (m && m->num_samples)
        snprintf(buffer, len, "%u/%u", (m->low + 50) / 100, (m->median + 50) / 100);
    else
        snprintf(buffer, len, "-");
    return buffer;
}

static void print_piece(const char *name, const struct item *m)
{
    if (m)
        pr_info("%-58s %5u.%u %5u.%u\n", name, m->low / 100, m->low / 10 % 10, m->median / 100, m->median / 10 % 10);
}

static void ratio_text(char *buffer, size_t len, u64 a, u32 b)
{
    unsigned int ratio = div_u64(a * 100, b);

    snprintf(buffer, len, "%u.%02u", ratio / 100, ratio % 100);
}

static void print_requests(const struct subject *s, unsigned int shape, bool decrypt)
{
    const struct item *direct = find(s, shape, decrypt, run_direct), *api = find(s, shape, decrypt, run_api);
    char a[24], b[24], c[24], difference[24] = "-", ratio[24] = "-";

    if (!api)
        return;
    if (direct && direct->low && api->low) {
        snprintf(difference, sizeof(difference), "%d", ((int)api->low - (int)direct->low) / 100);
        ratio_text(ratio, sizeof(ratio), api->low, direct->low);
    }
    pr_info("%-36s %s %-15s %13s %13s %13s %6s %5s\n", s->name, decrypt ? "dec" : "enc", shapes[shape].name,
            cell(a, sizeof(a), direct), cell(b, sizeof(b), api), cell(c, sizeof(c), find(s, shape, decrypt, run_api_sg)),
            difference, ratio);
}

static const struct subject *by_name(const char *name)
{
    unsigned int i;

    for (i = 0; i < num_subjects; i++)
        if (subjects[i].tfm && !strcmp(subjects[i].name, name))
            return &subjects[i];
    return NULL;
}

static void print_speedup(const struct subject *fast, const struct subject *slow, unsigned int shape)
{
    char text[4][16];

    for (int decrypt = 0; decrypt < 2; decrypt++) {
        const struct item *f = find(fast, shape, decrypt, run_api), *s = find(slow, shape, decrypt, run_api);

        if (!f->low)
            return;
        ratio_text(text[2 * decrypt], sizeof(text[0]), s->low, f->low);
        ratio_text(text[2 * decrypt + 1], sizeof(text[0]), s->median, f->median);
    }
    pr_info("%-40s %-15s %13s/%-8s %8s/%s\n", "aesni-avx : vaes-avx512-512, API", shapes[shape].name, text[0], text[1], text[2],
            text[3]);
}

static void print_all(const struct subject *null, const struct subject *walk)
{
    const struct subject *fast = by_name(PREFIX "vaes-avx512-512"), *slow = by_name(PREFIX "aesni-avx");
    unsigned int i, shape, num_kept = 0;

    pr_info("cycles a request, lower quarter / median; AES-%u; %s; requests %s\n", key_len * 4,
            in_place ? "in place" : "source and destination apart", fenced ? "fenced" : "may overlap");
    pr_info("%-36s %s %-15s %13s %13s %13s %6s %5s\n", "driver", "   ", "bytes", "direct", "API", "API, new sg", "API -", "API /");
    for (i = 2; i < num_subjects; i++)
        for (shape = 0; shape < NUM_SHAPES; shape++) {
            print_requests(&subjects[i], shape, false);
            print_requests(&subjects[i], shape, true);
        }
    if (fast && slow) {
        pr_info("%-40s %-15s %22s %17s\n", "ratio of the cycles", "bytes", "enc (low/median)", "dec (low/median)");
        for (shape = 0; shape < NUM_SHAPES; shape++)
            print_speedup(fast, slow, shape);
    }

    pr_info("pieces, cycles, lower quarter, median\n");
    print_piece("an empty loop", find(null, 1, false, run_empty));
    print_piece("new iv, skcipher_request_set_crypt()", find(null, 1, false, run_set_crypt));
    print_piece("the same and a driver that does nothing", find(null, 1, false, run_api));
    print_piece("the same with a new sg", find(null, 1, false, run_api_sg));
    print_piece("a driver that only walks, 512 bytes", find(walk, 1, false, run_api));
    print_piece("a driver that only walks, 4096 bytes", find(walk, 4, false, run_api));
    print_piece("a driver that only walks, 4096 bytes in two entries", find(walk, 5, false, run_api));
    print_piece("a driver that only walks, two entries, odd place", find(walk, 6, false, run_api));
    print_piece("a driver that only walks, 65536 bytes in 16 pages", find(walk, 7, false, run_api));
    print_piece("crypto_simd_usable()", find(null, 1, false, run_simd_usable));
#ifdef CONFIG_UML
    print_piece("kernel_fpu_begin(), kernel_fpu_end(): nothing in UML", find(null, 1, false, run_fpu));
#else
    print_piece("kernel_fpu_begin(), kernel_fpu_end(), nothing to save", find(null, 1, false, run_fpu));
#endif
    print_piece("LDMXCSR", find(null, 1, false, run_mxcsr));
    print_piece("XSAVEC, x87 to AVX-512 in use", find(null, 1, false, run_xsavec));
    print_piece("XRSTOR of that", find(null, 1, false, run_xrstor));

    /* If this is more than in other runs, the clock was slower, or the chain was, and all figures are too small. */
    print_piece("ticks that 1000 cycles take", find(null, 1, false, run_clock));
    for (i = 0; i < num_items; i++)
        num_kept += items[i].num_samples;
    pr_info("%u of %u batches were undisturbed\n", num_kept, num_items * rounds);
}

static int measure(void)
{
    u8 raw[64];
    const char *name;
    unsigned int i, shape, max_items, max_subjects = 2;
    int err, decrypt;

    if (!boot_cpu_has(X86_FEATURE_AES) || !boot_cpu_has(X86_FEATURE_SSSE3))
        return -ENODEV;
    if (!rounds || (key_len != 32 && key_len != 48 && key_len != 64))
        return -EINVAL;
    xsave_init();
    if (!drivers)
        drivers = all_drivers();
    for (name = drivers; *name; name++)
        max_subjects += name == drivers || *name == ',';
    max_items = max_subjects * NUM_SHAPES * 2 * NUM_WAYS + 16;
    subjects = kvcalloc(max_subjects, sizeof(*subjects), GFP_KERNEL);
    items = kvcalloc(max_items, sizeof(*items), GFP_KERNEL);
    src_pages = alloc_pages(GFP_KERNEL, get_order(MAX_LEN));
    dst_pages = alloc_pages(GFP_KERNEL, get_order(MAX_LEN));
    if (!subjects || !items || !src_pages || !dst_pages)
        return -ENOMEM;
    get_random_bytes(raw, sizeof(raw));
    get_random_bytes(page_address(src_pages), MAX_LEN);
    memset(page_address(dst_pages), 0, MAX_LEN);
    for (shape = 0; shape < NUM_SHAPES; shape++) {
        fill_sg(src_sg[shape], &shapes[shape], src_pages);
        fill_sg(dst_sg[shape], &shapes[shape], dst_pages);
    }

    for (i = 0; i < 2; i++) {
        name = null_algs[i].base.cra_name;
        err = set_up_subject(&subjects[num_subjects++], name, strlen(name), CRYPTO_ALG_INTERNAL, raw);
        if (err)
            return err;
    }
    for (name = drivers; *name;) {
        size_t n = strcspn(name, ",");

        if (!set_up_subject(&subjects[num_subjects], name, n, 0, raw))
            num_subjects++;
        else if (subjects[num_subjects].tfm)
            return -EINVAL;
        name += n + (name[n] == ',');
    }
    memzero_explicit(raw, sizeof(raw));

    err = add_item(run_empty, &subjects[0], 1, false, 512) ?:
          add_item(run_set_crypt, &subjects[0], 1, false, 256) ?:
          add_item(run_api, &subjects[0], 1, false, 128) ?:
          add_item(run_api_sg, &subjects[0], 1, false, 128) ?:
          add_item(run_simd_usable, &subjects[0], 1, false, 256) ?:
          add_item(run_fpu, &subjects[0], 1, false, 128) ?:
          add_item(run_mxcsr, &subjects[0], 1, false, 128) ?:
          add_item(run_clock, &subjects[0], 1, false, 1);
    if (!err && xsave_mask) /* in this order, as the latter needs what the former has stored */
        err = add_item(run_xsavec, &subjects[0], 1, false, 32) ?: add_item(run_xrstor, &subjects[0], 1, false, 32);
    for (shape = 1; !err && shape < NUM_SHAPES; shape++)
        err = add_item(run_api, &subjects[1], shape, false, 64);

    /* What is to be compared comes one after the other. */
    for (i = 2; !err && i < num_subjects; i++)
        for (shape = 0; !err && shape < NUM_SHAPES; shape++) {
            unsigned int count = clamp(65536 / shapes[shape].len, 4U, 128U);

            err = check(&subjects[i], shape);
            for (decrypt = 0; !err && decrypt < 2; decrypt++) {
                if (subjects[i].key)
                    err = add_item(run_direct, &subjects[i], shape, decrypt, count);
                if (!err)
                    err = add_item(run_api, &subjects[i], shape, decrypt, count);
                if (!err && !shapes[shape].rest)
                    err = add_item(run_api_sg, &subjects[i], shape, decrypt, count);
            }
        }
    if (err)
        return err;

    for (i = 0; i < rounds; i++) {
        unsigned int j;

        for (j = 0; j < num_items; j++)
            take_sample(&items[j]);
        cond_resched();
    }
    if (any_error) {
        pr_err("requests failed\n");
        return -EIO;
    }
    for (i = 0; i < num_items; i++)
        evaluate(&items[i]);
    print_all(&subjects[0], &subjects[1]);
    return 0;
}

static int __init bench_init(void)
{
    int err = crypto_register_skciphers(null_algs, ARRAY_SIZE(null_algs));

    if (err)
        return err;
    err = measure();
    tear_down();
    crypto_unregister_skciphers(null_algs, ARRAY_SIZE(null_algs));
    return err ?: -EAGAIN;
}
module_init(bench_init);

MODULE_DESCRIPTION("The cost of AES-XTS by the crypto API");
MODULE_LICENSE("Dual BSD/GPL");
