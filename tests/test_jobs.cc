// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The job manager: every kind against its function for one, orders, ages, cancelling, wrong calls.
#include "lanecrypt/jobs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include "lanecrypt/ecdh.h"
#include "lanecrypt/ecdsa.h"
#include "lanecrypt/ed25519.h"
#include "lanecrypt/rsa.h"
#include "lanecrypt/sha2.h"
#include "lanecrypt/sm2.h"
#include "lanecrypt/sm3.h"
#include "lanecrypt/x25519.h"
#include "support.h"
#include "../bench/rsa_keys.h"

namespace {

enum { NUM_KEYS = 4, MAX_OUT = 512 };

void must(int status, const char *what)
{
    if (status != LC_OK)
        throw std::runtime_error(std::string(what) + ": " + lc_strerror(status));
}

struct Keys {
    lc_ecdsa_p256_key p256[NUM_KEYS];
    lc_ecdsa_p256_public_key p256_public[NUM_KEYS];
    lc_ecdsa_p384_key p384[NUM_KEYS];
    lc_ecdsa_p384_public_key p384_public[NUM_KEYS];
    lc_ecdh_p256_key ecdh_p256[NUM_KEYS];
    lc_ecdh_p384_key ecdh_p384[NUM_KEYS];
    lc_x25519_key x25519[NUM_KEYS];
    lc_ed25519_key ed25519[NUM_KEYS];
    lc_ed25519_public_key ed25519_public[NUM_KEYS];
    lc_sm2_key sm2[NUM_KEYS];
    lc_sm2_public_key sm2_public[NUM_KEYS];
    lc_rsa_key rsa[NUM_KEYS]; /* 2048, 2048, 3072, 4096 bits */
    lc_rsa_public_key rsa_public[NUM_KEYS];
    Bytes p256_raw[NUM_KEYS], p384_raw[NUM_KEYS], x25519_raw[NUM_KEYS]; /* public keys */

    Keys()
    {
        static const size_t rsa_numbers[NUM_KEYS] = { 0, 1, 2, 4 };

        for (size_t i = 0; i < NUM_KEYS; i++) {
            const Bytes raw(48, static_cast<uint8_t>(0x21 + i));
            Bytes der(RSA_MAX_DER_LEN), sm2_raw(65), ed25519_raw(32);

            p256_raw[i].resize(65);
            p384_raw[i].resize(97);
            x25519_raw[i].resize(32);
            must(lc_ecdsa_p256_init(&p256[i], raw.data(), 32), "P-256");
            lc_ecdsa_p256_get_public(&p256[i], p256_raw[i].data());
            must(lc_ecdsa_p256_public_init(&p256_public[i], p256_raw[i].data(), 65), "P-256, public");
            must(lc_ecdsa_p384_init(&p384[i], raw.data(), 48), "P-384");
            lc_ecdsa_p384_get_public(&p384[i], p384_raw[i].data());
            must(lc_ecdsa_p384_public_init(&p384_public[i], p384_raw[i].data(), 97), "P-384, public");
            must(lc_ecdh_p256_init(&ecdh_p256[i], raw.data(), 32), "ECDH, P-256");
            must(lc_ecdh_p384_init(&ecdh_p384[i], raw.data(), 48), "ECDH, P-384");
            must(lc_x25519_init(&x25519[i], raw.data(), 32), "X25519");
            lc_x25519_get_public(&x25519[i], x25519_raw[i].data());
            must(lc_ed25519_init(&ed25519[i], raw.data(), 32), "Ed25519");
            lc_ed25519_get_public(&ed25519[i], ed25519_raw.data());
            must(lc_ed25519_public_init(&ed25519_public[i], ed25519_raw.data(), 32), "Ed25519, public");
            must(lc_sm2_init(&sm2[i], raw.data(), 32), "SM2");
            lc_sm2_get_public(&sm2[i], sm2_raw.data());
            must(lc_sm2_public_init(&sm2_public[i], sm2_raw.data(), 65), "SM2, public");
            must(lc_rsa_init_der(&rsa[i], der.data(), rsa_key_der(der.data(), rsa_numbers[i])), "RSA");
            lc_rsa_get_public(&rsa[i], &rsa_public[i]);
        }
    }
};

const Keys &keys()
{
    static const Keys made;

    return made;
}

// A request as an event loop has it.  job is what comes back from the manager; it is the first member.
struct Request {
    lc_job job;
    lc_job_kind kind;
    size_t queue;          // any numbers that differ between queues
    uint64_t number;       // of the submission
    Bytes in, in2;         // what is signed, or a peer's key, or a signature
    uint8_t out[MAX_OUT];  // filled with 0xa5
    Bytes expected;        // what out begins with; the rest stays
    int status;            // that is expected
    std::function<bool(const uint8_t *)> check; // instead of `expected`, where results differ each time
    size_t out_len;
    size_t oaep_len;       // of a message that was decrypted
    union {
        lc_ecdsa_p256_sign_item p256_sign;
        lc_ecdsa_p256_verify_item p256_verify;
        lc_ecdsa_p384_sign_item p384_sign;
        lc_ecdsa_p384_verify_item p384_verify;
        lc_ecdh_p256_item ecdh_p256;
        lc_ecdh_p256_public_item ecdh_p256_public;
        lc_ecdh_p384_item ecdh_p384;
        lc_ecdh_p384_public_item ecdh_p384_public;
        lc_x25519_item x25519;
        lc_x25519_public_item x25519_public;
        lc_ed25519_sign_item ed25519_sign;
        lc_ed25519_verify_item ed25519_verify;
        lc_sm2_sign_item sm2_sign;
        lc_sm2_verify_item sm2_verify;
        lc_hash_item hash;
        lc_rsa_sign_item rsa_sign;
        lc_rsa_verify_item rsa_verify;
        lc_rsa_encrypt_item rsa_encrypt;
        lc_rsa_decrypt_item rsa_decrypt;
    } item;
};

Request *request_of(lc_job *job)
{
    return reinterpret_cast<Request *>(job);
}

// What is computed ahead for a request, once for each kind, key and `wrong`: the functions for one take their time.
struct Answer {
    Bytes in, in2, expected;
    int status;
};

enum { NUM_WRONG = 2 };

// A digest or message that differs for each
Bytes text_of(size_t kind, size_t key, size_t len)
{
    Bytes text(len);

    for (size_t i = 0; i < len; i++)
        text[i] = static_cast<uint8_t>(kind * 31 + key * 7 + i);
    return text;
}

bool is_random(lc_job_kind kind)
{
    return kind == LC_JOB_ECDSA_P256_SIGN || kind == LC_JOB_ECDSA_P384_SIGN || kind == LC_JOB_SM2_SIGN ||
           kind == LC_JOB_RSA_PSS_SIGN || kind == LC_JOB_RSA_OAEP_ENCRYPT;
}

// The message of a decryption that was right; its length differs for each key.
size_t oaep_len(size_t key)
{
    return 20 + key;
}

// The functions for one.  `wrong` ones fail where that kind can.
Answer make_answer(lc_job_kind kind, size_t k, bool wrong)
{
    const Keys &own = keys();
    const size_t peer = (k + 1) % NUM_KEYS;
    Bytes text = text_of(kind, k, 32), out(MAX_OUT), sig(MAX_OUT);
    const size_t rsa_len = lc_rsa_len(&own.rsa[k]);
    Answer a = { text, {}, {}, LC_OK };
    size_t len = 0;

    switch (kind) {
    case LC_JOB_ECDSA_P256_SIGN:
    case LC_JOB_ECDSA_P256_SIGN_WITH:
        a.in.resize(wrong ? 65 : 32);
        a.status = lc_ecdsa_p256_sign_with(&own.p256[k], out.data(), a.in.data(), a.in.size(), nullptr, 0);
        len = 64;
        break;
    case LC_JOB_ECDSA_P256_VERIFY:
        must(lc_ecdsa_p256_sign_with(&own.p256[k], sig.data(), text.data(), 32, nullptr, 0), "sign");
        sig[5] ^= wrong;
        a.in2 = sig;
        a.status = lc_ecdsa_p256_verify(&own.p256_public[k], sig.data(), text.data(), 32);
        break;
    case LC_JOB_ECDSA_P384_SIGN:
    case LC_JOB_ECDSA_P384_SIGN_WITH:
        a.in.resize(wrong ? 65 : 32);
        a.status = lc_ecdsa_p384_sign_with(&own.p384[k], out.data(), a.in.data(), a.in.size(), nullptr, 0);
        len = 96;
        break;
    case LC_JOB_ECDSA_P384_VERIFY:
        must(lc_ecdsa_p384_sign_with(&own.p384[k], sig.data(), text.data(), 32, nullptr, 0), "sign");
        sig[5] ^= wrong;
        a.in2 = sig;
        a.status = lc_ecdsa_p384_verify(&own.p384_public[k], sig.data(), text.data(), 32);
        break;
    case LC_JOB_ECDH_P256:
        a.in = own.p256_raw[peer];
        a.in[40] ^= wrong;
        a.status = lc_ecdh_p256(&own.ecdh_p256[k], out.data(), a.in.data(), 65);
        len = 32;
        break;
    case LC_JOB_ECDH_P256_PUBLIC:
        lc_ecdh_p256_get_public(&own.ecdh_p256[k], out.data());
        len = 65;
        break;
    case LC_JOB_ECDH_P384:
        a.in = own.p384_raw[peer];
        a.in[40] ^= wrong;
        a.status = lc_ecdh_p384(&own.ecdh_p384[k], out.data(), a.in.data(), 97);
        len = 48;
        break;
    case LC_JOB_ECDH_P384_PUBLIC:
        lc_ecdh_p384_get_public(&own.ecdh_p384[k], out.data());
        len = 97;
        break;
    case LC_JOB_X25519:
        a.in = wrong ? Bytes(32) : own.x25519_raw[peer];
        a.status = lc_x25519(&own.x25519[k], out.data(), a.in.data());
        len = 32;
        break;
    case LC_JOB_X25519_PUBLIC:
        lc_x25519_get_public(&own.x25519[k], out.data());
        len = 32;
        break;
    case LC_JOB_ED25519_SIGN:
        a.status = lc_ed25519_sign(&own.ed25519[k], out.data(), text.data(), 32);
        len = 64;
        break;
    case LC_JOB_ED25519_VERIFY:
        must(lc_ed25519_sign(&own.ed25519[k], sig.data(), text.data(), 32), "sign");
        sig[5] ^= wrong;
        a.in2 = sig;
        a.status = lc_ed25519_verify(&own.ed25519_public[k], sig.data(), text.data(), 32);
        break;
    case LC_JOB_SM2_SIGN:
    case LC_JOB_SM2_SIGN_WITH:
        a.status = lc_sm2_sign_with(&own.sm2[k], out.data(), text.data(), nullptr, 0);
        len = 64;
        break;
    case LC_JOB_SM2_VERIFY:
        must(lc_sm2_sign_with(&own.sm2[k], sig.data(), text.data(), nullptr, 0), "sign");
        sig[5] ^= wrong;
        a.in2 = sig;
        a.status = lc_sm2_verify(&own.sm2_public[k], sig.data(), text.data());
        break;
    case LC_JOB_SHA256: must(lc_sha256(out.data(), text.data(), 32), "hash"), len = 32; break;
    case LC_JOB_SHA384: must(lc_sha384(out.data(), text.data(), 32), "hash"), len = 48; break;
    case LC_JOB_SHA512: must(lc_sha512(out.data(), text.data(), 32), "hash"), len = 64; break;
    case LC_JOB_SM3: must(lc_sm3(out.data(), text.data(), 32), "hash"), len = 32; break;
    case LC_JOB_RSA_PKCS1_SIGN:
        a.status = wrong ? LC_ERR_LEN : lc_rsa_pkcs1_sign(&own.rsa[k], out.data(), LC_RSA_SHA256, text.data());
        len = rsa_len;
        break;
    case LC_JOB_RSA_PSS_SIGN:
    case LC_JOB_RSA_PSS_SIGN_WITH:
        a.status = wrong ? LC_ERR_LEN : lc_rsa_pss_sign_with(&own.rsa[k], out.data(), LC_RSA_SHA256, text.data(), text.data(), 20);
        len = rsa_len;
        break;
    case LC_JOB_RSA_PKCS1_VERIFY:
        must(lc_rsa_pkcs1_sign(&own.rsa[k], sig.data(), LC_RSA_SHA256, text.data()), "sign");
        sig[5] ^= wrong;
        a.in2 = sig;
        a.status = lc_rsa_pkcs1_verify(&own.rsa_public[k], sig.data(), rsa_len, LC_RSA_SHA256, text.data());
        break;
    case LC_JOB_RSA_PSS_VERIFY:
        must(lc_rsa_pss_sign_with(&own.rsa[k], sig.data(), LC_RSA_SHA256, text.data(), text.data(), 20), "sign");
        sig[5] ^= wrong;
        a.in2 = sig;
        a.status = lc_rsa_pss_verify(&own.rsa_public[k], sig.data(), rsa_len, LC_RSA_SHA256, text.data(), 20);
        break;
    case LC_JOB_RSA_OAEP_ENCRYPT:
    case LC_JOB_RSA_OAEP_ENCRYPT_WITH:
        a.status = wrong ? LC_ERR_LEN
                         : lc_rsa_oaep_encrypt_with(&own.rsa_public[k], out.data(), LC_RSA_SHA256, text.data(), oaep_len(k),
                                                    nullptr, 0, text.data());
        len = rsa_len;
        break;
    case LC_JOB_RSA_OAEP_DECRYPT:
        must(lc_rsa_oaep_encrypt_with(&own.rsa_public[k], sig.data(), LC_RSA_SHA256, text.data(), oaep_len(k), text.data(), 5,
                                      text.data()),
             "encrypt");
        sig[5] ^= wrong;
        a.in2 = sig;
        a.status = lc_rsa_oaep_decrypt(&own.rsa[k], out.data(), &len, LC_RSA_SHA256, sig.data(), rsa_len, text.data(), 5);
        if (!wrong && (a.status != LC_OK || len != oaep_len(k) || memcmp(out.data(), text.data(), len) != 0))
            throw std::runtime_error("decrypt");
        len = lc_rsa_oaep_max_len(rsa_len, LC_RSA_SHA256); // zeros behind the message are written, too
        break;
    default: break;
    }
    if (a.status == LC_OK && !is_random(kind))
        a.expected.assign(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(len));
    return a;
}

const Answer &answer(lc_job_kind kind, size_t k, bool wrong)
{
    static std::map<size_t, Answer> made;
    const size_t index = (static_cast<size_t>(kind) * NUM_KEYS + k) * NUM_WRONG + wrong;
    auto found = made.find(index);

    if (found == made.end())
        found = made.emplace(index, make_answer(kind, k, wrong)).first;
    return found->second;
}

std::unique_ptr<Request> make_request(lc_job_kind kind, size_t k, bool wrong = false)
{
    const Keys &own = keys();
    const Answer &a = answer(kind, k, wrong);
    auto r = std::make_unique<Request>();
    Request *p = r.get();
    const uint8_t *in, *in2;
    const size_t rsa_len = lc_rsa_len(&own.rsa[k]);

    r->job = lc_job();
    r->kind = kind;
    r->queue = kind >= LC_JOB_RSA_PKCS1_SIGN ? kind * 10000u + rsa_len : static_cast<size_t>(kind);
    r->in = a.in;
    r->in2 = a.in2;
    r->expected = a.expected;
    r->status = a.status;
    memset(r->out, 0xa5, sizeof(r->out));
    in = r->in.data();
    in2 = r->in2.data();
    /* Calls that take no additional data don't look at it. */
    switch (kind) {
    case LC_JOB_ECDSA_P256_SIGN:
        r->out_len = 64;
        r->check = [p, k](const uint8_t *sig) { return lc_ecdsa_p256_verify(&keys().p256_public[k], sig, p->in.data(), 32) == 0; };
        /* fallthrough */
    case LC_JOB_ECDSA_P256_SIGN_WITH:
        r->item.p256_sign = { &own.p256[k], r->out, in, r->in.size(), nullptr, r->check ? SIZE_MAX : 0, 1 };
        break;
    case LC_JOB_ECDSA_P256_VERIFY: r->item.p256_verify = { &own.p256_public[k], in2, in, 32, 1 }; break;
    case LC_JOB_ECDSA_P384_SIGN:
        r->out_len = 96;
        r->check = [p, k](const uint8_t *sig) { return lc_ecdsa_p384_verify(&keys().p384_public[k], sig, p->in.data(), 32) == 0; };
        /* fallthrough */
    case LC_JOB_ECDSA_P384_SIGN_WITH:
        r->item.p384_sign = { &own.p384[k], r->out, in, r->in.size(), nullptr, r->check ? SIZE_MAX : 0, 1 };
        break;
    case LC_JOB_ECDSA_P384_VERIFY: r->item.p384_verify = { &own.p384_public[k], in2, in, 32, 1 }; break;
    case LC_JOB_ECDH_P256: r->item.ecdh_p256 = { &own.ecdh_p256[k], r->out, in, 65, 1 }; break;
    case LC_JOB_ECDH_P256_PUBLIC: r->item.ecdh_p256_public = { &own.ecdh_p256[k], r->out }; break;
    case LC_JOB_ECDH_P384: r->item.ecdh_p384 = { &own.ecdh_p384[k], r->out, in, 97, 1 }; break;
    case LC_JOB_ECDH_P384_PUBLIC: r->item.ecdh_p384_public = { &own.ecdh_p384[k], r->out }; break;
    case LC_JOB_X25519: r->item.x25519 = { &own.x25519[k], r->out, in, 1 }; break;
    case LC_JOB_X25519_PUBLIC: r->item.x25519_public = { &own.x25519[k], r->out }; break;
    case LC_JOB_ED25519_SIGN: r->item.ed25519_sign = { &own.ed25519[k], r->out, in, 32, 1 }; break;
    case LC_JOB_ED25519_VERIFY: r->item.ed25519_verify = { &own.ed25519_public[k], in2, in, 32, 1 }; break;
    case LC_JOB_SM2_SIGN:
        r->out_len = 64;
        r->check = [p, k](const uint8_t *sig) { return lc_sm2_verify(&keys().sm2_public[k], sig, p->in.data()) == 0; };
        /* fallthrough */
    case LC_JOB_SM2_SIGN_WITH: r->item.sm2_sign = { &own.sm2[k], r->out, in, nullptr, r->check ? SIZE_MAX : 0, 1 }; break;
    case LC_JOB_SM2_VERIFY: r->item.sm2_verify = { &own.sm2_public[k], in2, in, 1 }; break;
    case LC_JOB_SHA256:
    case LC_JOB_SHA384:
    case LC_JOB_SHA512:
    case LC_JOB_SM3: r->item.hash = { r->out, in, 32 }; break;
    case LC_JOB_RSA_PSS_SIGN:
        r->out_len = rsa_len;
        r->check = [p, k, rsa_len](const uint8_t *sig) {
            return lc_rsa_pss_verify(&keys().rsa_public[k], sig, rsa_len, LC_RSA_SHA256, p->in.data(), 32) == LC_OK;
        };
        /* fallthrough */
    case LC_JOB_RSA_PKCS1_SIGN:
    case LC_JOB_RSA_PSS_SIGN_WITH:
        r->item.rsa_sign = { &own.rsa[k], r->out, wrong ? static_cast<lc_rsa_hash>(9) : LC_RSA_SHA256, in, in, 20, 1 };
        break;
    case LC_JOB_RSA_OAEP_ENCRYPT:
        r->out_len = rsa_len;
        r->check = [p, k, rsa_len](const uint8_t *ct) {
            Bytes msg(MAX_OUT);
            size_t len = 0;

            return lc_rsa_oaep_decrypt(&keys().rsa[k], msg.data(), &len, LC_RSA_SHA256, ct, rsa_len, nullptr, 0) == LC_OK &&
                   Bytes(msg.begin(), msg.begin() + static_cast<std::ptrdiff_t>(len)) ==
                       Bytes(p->in.begin(), p->in.begin() + static_cast<std::ptrdiff_t>(oaep_len(k)));
        };
        /* fallthrough */
    case LC_JOB_RSA_OAEP_ENCRYPT_WITH:
        r->item.rsa_encrypt = { &own.rsa_public[k], r->out, LC_RSA_SHA256, in, wrong ? 500 : oaep_len(k), nullptr, 0, in, 1 };
        break;
    case LC_JOB_RSA_OAEP_DECRYPT:
        r->item.rsa_decrypt = { &own.rsa[k], r->out, SIZE_MAX, LC_RSA_SHA256, in2, rsa_len, in, 5, 1 };
        break;
    default: r->item.rsa_verify = { &own.rsa_public[k], in2, rsa_len, LC_RSA_SHA256, in, 20, 1 }; break;
    }
    r->oaep_len = oaep_len(k);
    return r;
}

bool untouched(const Request &r)
{
    return all_bytes(r.out, sizeof(r.out), 0xa5);
}

// Is the result that of the function for one, and is nothing else written?
void expect_right(const Request &r)
{
    SCOPED_TRACE("kind " + std::to_string(r.kind));
    ASSERT_EQ(r.job.status, r.status);
    if (r.check && r.status == LC_OK) {
        EXPECT_TRUE(r.check(r.out));
        EXPECT_TRUE(all_bytes(r.out + r.out_len, sizeof(r.out) - r.out_len, 0xa5));
    } else {
        EXPECT_EQ(Bytes(r.out, r.out + r.expected.size()), r.expected);
        EXPECT_TRUE(all_bytes(r.out + r.expected.size(), sizeof(r.out) - r.expected.size(), 0xa5));
    }
    if (r.kind == LC_JOB_RSA_OAEP_DECRYPT) {
        EXPECT_EQ(r.item.rsa_decrypt.msg_len, r.status == LC_OK ? r.oaep_len : SIZE_MAX);
        EXPECT_EQ(r.item.rsa_decrypt.status, 1);
    }
}

lc_job_kind kind(size_t number)
{
    return static_cast<lc_job_kind>(number);
}

class Jobs : public testing::Test {
protected:
    lc_jobs jobs;
    std::vector<std::unique_ptr<Request>> requests; // that live

    Request *submit(lc_job_kind k, size_t key = 0, bool wrong = false)
    {
        requests.push_back(make_request(k, key, wrong));
        EXPECT_EQ(lc_jobs_submit(&jobs, &requests.back()->job, k, &requests.back()->item), LC_OK);
        return requests.back().get();
    }

    std::vector<Request *> take_all()
    {
        std::vector<Request *> all;

        while (lc_job *job = lc_jobs_completed(&jobs))
            all.push_back(request_of(job));
        return all;
    }
};

} // namespace

// 1 .. 17 (33) jobs under different keys, some of them wrong: results, batches, their order
TEST_F(Jobs, EachKind)
{
    for (size_t k = 0; k < LC_NUM_JOB_KINDS; k++) {
        const size_t batch = lc_jobs_batch(kind(k));

        SCOPED_TRACE("kind " + std::to_string(k));
        ASSERT_EQ(batch, k == LC_JOB_SHA256 || k == LC_JOB_SM3 ? 16u : 8u);
        for (size_t num : { size_t(1), size_t(2), batch - 1, batch, batch + 1, 2 * batch + 1 }) {
            std::vector<Request *> expected;
            size_t done = 0;

            SCOPED_TRACE(num);
            lc_jobs_init(&jobs, SIZE_MAX);
            requests.clear();
            for (size_t i = 0; i < num; i++) {
                /* Keys of RSA of one length, so that they fill batches */
                const size_t key = k < LC_JOB_RSA_PKCS1_SIGN ? i % NUM_KEYS : i % 2;

                EXPECT_EQ(lc_jobs_due(&jobs), i >= batch);
                expected.push_back(submit(kind(k), key, i % 5 == 3));
                EXPECT_EQ(expected.back()->job.status, LC_ERR_STATE);
                EXPECT_EQ(expected.back()->job.item, &expected.back()->item);
            }
            EXPECT_EQ(lc_jobs_completed(&jobs), nullptr);
            while (done < num) {
                const size_t next = std::min(batch, num - done);

                EXPECT_EQ(lc_jobs_waiting(&jobs), num - done);
                EXPECT_EQ(lc_jobs_due(&jobs), num - done >= batch);
                EXPECT_EQ(lc_jobs_oldest(&jobs), &expected[done]->job);
                ASSERT_EQ(lc_jobs_run(&jobs), next);
                done += next;
                for (size_t i = done; i < num; i++) {
                    EXPECT_TRUE(untouched(*expected[i]));
                    EXPECT_EQ(expected[i]->job.status, LC_ERR_STATE);
                }
            }
            EXPECT_EQ(lc_jobs_run(&jobs), 0u);
            EXPECT_EQ(lc_jobs_waiting(&jobs), 0u);
            EXPECT_EQ(lc_jobs_due(&jobs), 0);
            EXPECT_EQ(lc_jobs_oldest(&jobs), nullptr);
            EXPECT_EQ(take_all(), expected);
            for (const Request *r : expected)
                expect_right(*r);
        }
    }
    EXPECT_EQ(lc_jobs_batch(LC_NUM_JOB_KINDS), 0u);
    EXPECT_EQ(lc_jobs_batch(kind(31)), 0u);
}

// The item is read when it is computed, its own status is left alone, and a job may be submitted again.
TEST_F(Jobs, ItemIsOnlyRead)
{
    const Bytes other = text_of(1, 1, 32);
    Request *r;
    Bytes digest(32);

    lc_jobs_init(&jobs, SIZE_MAX);
    r = submit(LC_JOB_ECDSA_P256_VERIFY, 0, true);
    EXPECT_EQ(lc_jobs_flush(&jobs), 1u);
    EXPECT_EQ(r->job.status, LC_ERR_SIGNATURE);
    EXPECT_EQ(r->item.p256_verify.status, 1);
    EXPECT_EQ(take_all(), std::vector<Request *>{ r });
    r = submit(LC_JOB_SHA256);
    r->item.hash.msg = other.data();
    must(lc_sha256(digest.data(), other.data(), 32), "hash");
    EXPECT_EQ(lc_jobs_flush(&jobs), 1u);
    EXPECT_EQ(Bytes(r->out, r->out + 32), digest);
    EXPECT_EQ(take_all(), std::vector<Request *>{ r });
    EXPECT_EQ(lc_jobs_submit(&jobs, &r->job, LC_JOB_SM3, &r->item), LC_OK);
    EXPECT_EQ(r->job.status, LC_ERR_STATE);
    EXPECT_EQ(lc_jobs_flush(&jobs), 1u);
    must(lc_sm3(digest.data(), other.data(), 32), "hash");
    EXPECT_EQ(Bytes(r->out, r->out + 32), digest);
}

TEST_F(Jobs, WrongCalls)
{
    const auto other_request = make_request(LC_JOB_SHA256, 0);
    lc_job *other = &other_request->job;
    lc_jobs second;
    Request *r;

    lc_jobs_init(&jobs, SIZE_MAX);
    lc_jobs_init(&second, SIZE_MAX);
    EXPECT_EQ(lc_jobs_submit(&jobs, other, LC_NUM_JOB_KINDS, &other_request->item), LC_ERR_LEN);
    EXPECT_EQ(lc_jobs_submit(&jobs, other, kind(31), &other_request->item), LC_ERR_LEN);
    EXPECT_EQ(lc_jobs_cancel(&jobs, other), LC_ERR_STATE);
    EXPECT_EQ(lc_jobs_waiting(&jobs), 0u);
    EXPECT_EQ(other->status, 0);

    r = submit(LC_JOB_SHA256);
    for (lc_jobs *to : { &jobs, &second }) {
        EXPECT_EQ(lc_jobs_submit(to, &r->job, LC_JOB_SM3, nullptr), LC_ERR_STATE); /* it waits */
        EXPECT_EQ(lc_jobs_waiting(to), to == &jobs ? 1u : 0u);
    }
    EXPECT_EQ(lc_jobs_cancel(&second, &r->job), LC_ERR_STATE);
    EXPECT_EQ(lc_jobs_flush(&second), 0u);
    EXPECT_EQ(lc_jobs_flush(&jobs), 1u);
    for (lc_jobs *to : { &jobs, &second })
        EXPECT_EQ(lc_jobs_submit(to, &r->job, LC_JOB_SM3, nullptr), LC_ERR_STATE); /* it is completed, and wasn't taken */
    EXPECT_EQ(lc_jobs_cancel(&second, &r->job), LC_ERR_STATE);
    EXPECT_EQ(r->job.status, LC_OK);
    EXPECT_EQ(lc_jobs_completed(&second), nullptr);
    EXPECT_EQ(lc_jobs_completed(&jobs), &r->job);
    expect_right(*r);
    EXPECT_EQ(lc_jobs_cancel(&jobs, &r->job), LC_ERR_STATE); /* it was taken */
    EXPECT_EQ(r->job.status, LC_OK);

    memset(other, 0x5a, sizeof(*other));
    EXPECT_EQ(lc_jobs_submit(&jobs, other, LC_JOB_SHA256, &other_request->item), LC_ERR_STATE);
    EXPECT_TRUE(all_bytes(other, sizeof(*other), 0x5a));
    EXPECT_EQ(lc_jobs_waiting(&jobs), 0u);
}

// A rare kind among full batches of another one
TEST_F(Jobs, Age)
{
    for (size_t max_age : { 0, 1, 20, 64 }) {
        Request *rare;
        size_t after = 0;

        SCOPED_TRACE(max_age);
        lc_jobs_init(&jobs, max_age);
        requests.clear();
        rare = submit(LC_JOB_X25519);
        while (rare->job.status == LC_ERR_STATE && after < 200) {
            EXPECT_EQ(lc_jobs_due(&jobs), after >= max_age || lc_jobs_waiting(&jobs) > 8);
            if (lc_jobs_due(&jobs)) {
                const bool old = after >= max_age;

                EXPECT_EQ(lc_jobs_run(&jobs), old ? 1u : 8u);
                EXPECT_EQ(rare->job.status == LC_OK, old);
            } else {
                submit(LC_JOB_SHA384);
                after++;
            }
        }
        EXPECT_EQ(after, max_age);
    }
}

// Random calls, compared with a model that has one list of all that waits.
TEST_F(Jobs, RandomOrders)
{
    Random random(21);
    static const size_t max_ages[] = { 0, 5, 64, SIZE_MAX };
    size_t num_run = 0;

    for (size_t round = 0; round < 40; round++) {
        const size_t max_age = max_ages[round % 4];
        std::vector<size_t> few; // kinds of this round, so that some batches are full
        std::vector<Request *> waiting, completed;
        uint64_t num_submitted = 0;

        lc_jobs_init(&jobs, max_age);
        requests.clear();
        for (size_t i = 0; i < 5; i++)
            few.push_back(random.below(LC_NUM_JOB_KINDS));
        few.push_back(LC_JOB_SM3);
        const auto in_queue = [&waiting](size_t queue) {
            std::vector<Request *> all;

            for (Request *r : waiting)
                if (r->queue == queue)
                    all.push_back(r);
            return all;
        };
        const auto urgency = [&](const Request *r) {
            const std::vector<Request *> all = in_queue(r->queue);

            return num_submitted - 1 - all[0]->number >= max_age || all.size() >= lc_jobs_batch(r->kind);
        };
        const auto run = [&] { // as lc_jobs_run()
            const Request *next = nullptr;
            std::vector<Request *> batch;

            for (const Request *r : waiting)
                if (!next || urgency(r) > urgency(next))
                    next = r;
            ASSERT_EQ(lc_jobs_due(&jobs), next && urgency(next) > 0);
            if (next)
                batch = in_queue(next->queue);
            if (next && batch.size() > lc_jobs_batch(next->kind))
                batch.resize(lc_jobs_batch(next->kind));
            ASSERT_EQ(lc_jobs_run(&jobs), batch.size());
            num_run += batch.size();
            for (Request *r : batch) {
                waiting.erase(std::find(waiting.begin(), waiting.end(), r));
                completed.push_back(r);
            }
        };

        for (size_t step = 0; step < 120; step++) {
            const size_t action = random.below(20);

            if (action < 13) {
                Request *r =
                    submit(kind(few[random.below(few.size())]), random.below(round % 2 ? NUM_KEYS : 2), random.below(8) == 0);

                r->number = num_submitted++;
                waiting.push_back(r);
            } else if (action < 15) {
                run();
            } else if (action < 16 && !waiting.empty()) {
                auto r = waiting.begin() + static_cast<std::ptrdiff_t>(random.below(waiting.size()));

                EXPECT_EQ(lc_jobs_cancel(&jobs, &(*r)->job), LC_OK);
                EXPECT_EQ((*r)->job.status, LC_ERR_STATE);
                EXPECT_TRUE(untouched(**r));
                memset(static_cast<void *>(&(*r)->item), 0, sizeof((*r)->item)); // read now, that crashes
                waiting.erase(r);
            } else if (action < 17 && !completed.empty()) {
                auto r = completed.begin() + static_cast<std::ptrdiff_t>(random.below(completed.size()));

                EXPECT_EQ(lc_jobs_cancel(&jobs, &(*r)->job), LC_OK);
                EXPECT_EQ((*r)->job.status, LC_ERR_STATE);
                completed.erase(r);
            } else {
                lc_job *job = lc_jobs_completed(&jobs);

                ASSERT_EQ(job, completed.empty() ? nullptr : &completed[0]->job);
                if (job) {
                    expect_right(*completed[0]);
                    completed.erase(completed.begin());
                }
            }
            ASSERT_FALSE(HasFatalFailure());
            EXPECT_EQ(lc_jobs_waiting(&jobs), waiting.size());
            ASSERT_EQ(lc_jobs_oldest(&jobs), waiting.empty() ? nullptr : &waiting[0]->job);
        }
        if (round % 3 == 0) {
            const size_t num = waiting.size();

            ASSERT_EQ(lc_jobs_flush(&jobs), num);
            EXPECT_EQ(take_all().size(), num + completed.size());
            for (const Request *r : waiting)
                expect_right(*r);
        } else {
            while (!waiting.empty()) {
                run();
                ASSERT_FALSE(HasFatalFailure());
            }
            ASSERT_EQ(take_all(), completed);
        }
        for (const Request *r : completed)
            expect_right(*r);
    }
    EXPECT_GT(num_run, 1000u);
}
