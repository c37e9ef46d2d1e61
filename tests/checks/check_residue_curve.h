/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What signatures and ECDH on a curve leave behind: the private key and the nonce, as words and as bytes; the shared secret; each
 * also in Montgomery's form.  check_residue.c includes it for each curve, with CURVE, BITS (ec_names.h), and
 *
 *      SIGNATURES    their mode's name
 *      WITH_LEN      .digest_len = .., if items have it
 *      SIGN          signs many, with memory if it takes any
 *      POOL_LEN      how much that is
 *      MORE_SECRETS  statements that add what else gives away a key
 *      ECDH_MODE     ECDH's name, if the curve has it
 */

static void EC(add_number)(const uint64_t x[WORDS], const struct lc_mod *m)
{
    uint64_t montgomery[WORDS];
    uint8_t bytes[BYTES];

    lc_mod_to_montgomery(montgomery, x, m);
    lc_words_to_bytes(bytes, x, WORDS);
    for (int part = 0; part < BYTES / 16; part++) {
        memcpy(secrets[num_secrets++], x + 2 * part, 16);
        memcpy(secrets[num_secrets++], montgomery + 2 * part, 16);
        memcpy(secrets[num_secrets++], bytes + 16 * part, 16);
    }
}

static int EC(check_signatures)(void)
{
    static struct SIG(key) key;
    static struct SIG(job) job;
    enum { MOST = 33 };
    static uint8_t sigs[MOST][2 * BYTES], workspace[330000], public_raw[2 * BYTES + 1], digest[BYTES], extra[32];
    static struct SIG(sign_item) items[MOST];
    static struct SIG(public_key) public_key;
    static struct SIG(verify_item) checks[MOST];
    struct lc_impl_info info;
    uint64_t d[WORDS];

    for (size_t k = 0; k < BYTES; k++) {
        raw[k] = (uint8_t)(k * 23 + 9);
        digest[k] = (uint8_t)(k * 3 + 1);
        extra[k % sizeof(extra)] = (uint8_t)(k * 5 + 2);
    }
    lc_words_from_bytes(d, raw, WORDS);
    for (size_t i = 0; lc_impl_get(SIGNATURES, i, &info) == LC_OK; i++) {
        if (!info.runs_here)
            continue;
        num_secrets = 0;
        EC(add_number)(d, &EC(n));
        scrub_stack();
        if (SIG(init_impl)(&key, info.name, raw, BYTES) != LC_OK)
            return 1;
        capture();
        look_at_stack(info.name, "init");
        look_for_zeros_of_c(info.name, "init");
        scrub_stack();
        SIG(get_public)(&key, public_raw);
        capture();
        look_at_stack(info.name, "get_public");
        look_for_zeros_of_c(info.name, "get_public");
        if (info.text_len)
            look(info.name, "get_public", "in a register", vectors, sizeof(vectors));
        job = (struct SIG(job)){ .key = &key, .extra_len = sizeof(extra) };
        lc_words_from_bytes(job.e, digest, WORDS);
        memcpy(job.extra, extra, sizeof(extra));
        if (SIG(nonces)(&job, 1) != LC_OK)
            return 1;
        EC(add_number)(job.k, &EC(n));
        MORE_SECRETS
        for (size_t num = 1; num <= MOST; num += num < 9 ? 4 : 24) {
            const size_t workspace_len = num == MOST ? POOL_LEN(&key, num) : 0;
            int status;

            if (workspace_len > sizeof(workspace))
                return 1;
            for (size_t k = 0; k < num; k++)
                items[k] = (struct SIG(sign_item)){ WITH_LEN.key = &key, .sig = sigs[k], .digest = digest, .extra = extra,
                                                    .extra_len = 32 };
            scrub_stack();
            status = SIGN(items, num, workspace, workspace_len);
            capture();
            if (status != LC_OK)
                return 1;
            look_at_stack(info.name, "sign");
            look_for_zeros_of_c(info.name, "sign");
            look(info.name, "sign", "in the workspace", workspace, sizeof(workspace));
            if (SIG(public_init_impl)(&public_key, info.name, public_raw, sizeof(public_raw)) != LC_OK)
                return 1;
            for (size_t k = 0; k < num; k++)
                checks[k] = (struct SIG(verify_item)){ WITH_LEN.key = &public_key, .sig = sigs[k], .digest = digest };
            scrub_stack();
            status = SIG(verify_many)(checks, num);
            capture();
            if (status != LC_OK)
                return 1;
            look_at_stack(info.name, "verify");
            calls++;
        }
    }
    return 0;
}

#ifdef ECDH_MODE
static int EC(check_ecdh)(void)
{
    enum { MOST = 9 };
    static struct ECDH(key) key;
    static struct ECDH(item) items[MOST];
    static struct ECDH(public_item) publics[MOST];
    static uint8_t shared[MOST][BYTES], raws[MOST][2 * BYTES + 1];
    struct lc_impl_info info;
    uint8_t peer[2 * BYTES + 1];
    uint64_t d[WORDS], x[WORDS];

    lc_ec_encode(peer, EC(generator), &EC(p));
    lc_words_from_bytes(d, raw, WORDS);
    for (size_t i = 0; lc_impl_get(ECDH_MODE, i, &info) == LC_OK; i++) {
        if (!info.runs_here)
            continue;
        if (ECDH(init_impl)(&key, info.name, raw, BYTES) != LC_OK ||
            LC_NAME_OF(lc_ecdh_, CURVE, )(&key, dst, peer, sizeof(peer)) != LC_OK)
            return 1;
        num_secrets = 0;
        EC(add_number)(d, &EC(n));
        lc_words_from_bytes(x, dst, WORDS);
        EC(add_number)(x, &EC(p));
        memset(dst, 0, BYTES);
        for (size_t num = 1; num <= MOST; num += 4) {
            int status;

            for (size_t k = 0; k < num; k++) {
                items[k] = (struct ECDH(item)){ .key = &key, .secret = shared[k], .peer = peer, .peer_len = sizeof(peer) };
                publics[k] = (struct ECDH(public_item)){ &key, raws[k] };
            }
            scrub_stack();
            status = ECDH(many)(items, num);
            capture();
            if (status != LC_OK)
                return 1;
            look_at_stack(info.name, "shared");
            look_for_zeros_of_c(info.name, "shared");
            if (info.text_len)
                look(info.name, "shared", "in a register", vectors, sizeof(vectors));
            scrub_stack();
            ECDH(get_public_many)(publics, num);
            capture();
            look_at_stack(info.name, "get_public_many");
            look_for_zeros_of_c(info.name, "get_public_many");
            if (info.text_len)
                look(info.name, "get_public_many", "in a register", vectors, sizeof(vectors));
        }
        calls++;
    }
    return 0;
}
#endif
