// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Ed25519: signatures that are verified as one sum.
#include "ed25519_support.h"

namespace {

Number product(const Number &a, const Number &b)
{
    Number r;

    wb_25519_mul_add_l(r.w.data(), a.w.data(), b.w.data(), Number(0).w.data());
    return r;
}

Point base(const Number &k)
{
    wb_25519_item item = {};
    Point p;

    memcpy(item.k, k.w.data(), 32);
    wb_25519_base(lc_impl_count("ed25519") - 1, &item, 1);
    memcpy(p.x.w.data(), item.x, 32);
    memcpy(p.y.w.data(), item.y, 32);
    return p;
}

void put_point(uint64_t words[2][4], const Point &p)
{
    memcpy(words[0], p.x.w.data(), 32);
    memcpy(words[1], p.y.w.data(), 32);
}

// Signatures that are right, under different keys
std::vector<Signature> good_signatures(const std::string &impl, size_t num)
{
    std::vector<Signature> all;

    for (size_t i = 0; i < num; i++) {
        const PrivateKey key("ed25519-portable", Bytes(32, static_cast<uint8_t>(i / 2)));
        const Bytes msg(i * 7 % 600, static_cast<uint8_t>(i));

        all.push_back({ public_key(impl, public_of(key)), msg, sign(key, msg), LC_OK });
    }
    return all;
}

} // namespace

// z and e at their limits, points of any order, in every lane: the sum is known
TEST_P(Ed25519, Sums)
{
    const size_t row = GetParam();
    const std::vector<Point> small = small_points();
    const Number largest_z(UINT64_MAX, UINT64_MAX, 0, 0), two_to_127(0, UINT64_C(1) << 63, 0, 0);
    const std::vector<Number> zs = { 0, 1, 7, 8, 15, 16, largest_z, two_to_127, difference(two_to_127, 1) };
    const std::vector<Number> es = {
        0,
        1,
        7,
        8,
        9,
        difference(L, 1),
        difference(L, 2),
        Number(0, 0, 0, UINT64_C(1) << 60),
        Number(UINT64_C(0x8888888888888888), UINT64_C(0x7777777777777777), UINT64_MAX, 0)
    };
    Random random(5);

    for (size_t num = 1; num <= 20; num++)
        for (int n = 0; n < 3; n++) {
            std::vector<wb_25519_term> terms(num);
            Number b = 0;

            for (wb_25519_term &term : terms) {
                const Number a = random.below(4) ? random_number(random, L) : Number(random.below(2));
                const Number r = random.below(4) ? random_number(random, L) : difference(L, random.below(3));
                Number e = es[random.below(es.size())], z = zs[random.below(zs.size())];

                if (random.below(2))
                    e = random_number(random, L);
                if (random.below(2))
                    z = Number(random.next(), random.next(), 0, 0);
                memcpy(term.e, e.w.data(), 32);
                memcpy(term.z, z.w.data(), 32);
                put_point(term.a, base(a) + small[random.below(8)]);
                put_point(term.r, base(r) + small[random.below(8)]);
                const Number ea = product(a, e), zr = product(z, r);
                wb_25519_mul_add_l(b.w.data(), ea.w.data(), Number(1).w.data(), b.w.data());
                wb_25519_mul_add_l(b.w.data(), zr.w.data(), Number(1).w.data(), b.w.data());
            }
            EXPECT_EQ(wb_25519_sum_is_small(row, terms.data(), num, b.w.data()), 1) << num << " " << n;
            for (const Number &other : { Number(1), difference(L, 1), Number(8), random_number(random, L) }) {
                Number wrong;

                wb_25519_mul_add_l(wrong.w.data(), other.w.data(), Number(1).w.data(), b.w.data());
                EXPECT_EQ(wb_25519_sum_is_small(row, terms.data(), num, wrong.w.data()), 0) << num << " " << n;
            }
        }
}

// Any number; one that is wrong, in every place, and in every way
TEST_P(Ed25519, VerifyBatch)
{
    const std::vector<Signature> good = good_signatures(impl.name, 130), bad = bad_signatures(impl.name);

    EXPECT_EQ(verify_batch({}), LC_OK);
    for (size_t num : { 1, 2, 3, 4, 7, 8, 9, 17, 64, 65, 130 }) {
        std::vector<Signature> batch(good.begin(), good.begin() + static_cast<ptrdiff_t>(num));

        EXPECT_EQ(verify_batch(batch), LC_OK) << num;
        for (size_t i = 0; i < num; i += num > 17 ? 13 : 1) {
            batch[i] = bad[i % bad.size()];
            EXPECT_EQ(verify_batch(batch), LC_ERR_SIGNATURE) << num << " " << i;
            batch[i] = good[i];
        }
    }
    for (const Signature &s : bad)
        EXPECT_EQ(verify_batch({ good[0], good[1], s, good[2] }), LC_ERR_SIGNATURE);
}

// Errors that cancel in a sum without the random numbers
TEST_P(Ed25519, BatchOfErrorsThatCancel)
{
    std::vector<Signature> batch = good_signatures(impl.name, 9);

    for (size_t other = 1; other < 9; other++) {
        std::vector<Signature> changed = batch;
        const auto move_s = [](Signature *s, const Number &by) {
            Number value(Bytes(s->sig.begin() + 32, s->sig.end()));

            wb_25519_mul_add_l(value.w.data(), by.w.data(), Number(1).w.data(), value.w.data());
            memcpy(s->sig.data() + 32, value.w.data(), 32);
        };

        move_s(&changed[0], 5);
        EXPECT_EQ(verify_batch(changed), LC_ERR_SIGNATURE);
        move_s(&changed[other], difference(L, 5));
        EXPECT_EQ(verify_batch(changed), LC_ERR_SIGNATURE);
        // R and S of another message
        changed = batch;
        std::swap(changed[0].sig, changed[other].sig);
        EXPECT_EQ(verify_batch(changed), LC_ERR_SIGNATURE);
    }
}

// A is neutral and S 0, so R has to be of small order: what is right here, but not alone, everybody can make.  R that isn't an
// encoding is wrong, too.
TEST_P(Ed25519, BatchOfSmallOrder)
{
    Bytes neutral(32), minus_one(32, 0xff), above_p(32, 0xff), sign = neutral;

    neutral[0] = sign[0] = 1;
    sign[31] = 0x80;
    minus_one[0] = 0xec;
    above_p[0] = 0xee; // p + 1
    minus_one[31] = above_p[31] = 0x7f;
    const lc_ed25519_public_key key = public_key(impl.name, neutral);
    const auto with_r = [&](Bytes r, int expected) {
        r.resize(64);
        return Signature{ key, Bytes(3), r, expected };
    };
    const Signature right = with_r(neutral, LC_OK), order_2 = with_r(minus_one, LC_ERR_SIGNATURE);

    verify_all({ right, order_2 });
    for (size_t num : { 1, 3, 9 }) {
        EXPECT_EQ(verify_batch(std::vector<Signature>(num, right)), LC_OK);
        EXPECT_EQ(verify_batch(std::vector<Signature>(num, order_2)), LC_OK);
        for (const Bytes &r : { above_p, sign })
            EXPECT_EQ(verify_batch(std::vector<Signature>(num, with_r(r, LC_ERR_SIGNATURE))), LC_ERR_SIGNATURE);
    }
}

// Memory of any size and alignment; nothing beside it is touched (pages that can't be are beside it).
TEST_P(Ed25519, BatchWorkspace)
{
    const std::vector<Signature> good = good_signatures(impl.name, 20);
    std::vector<Signature> wrong = good;
    const size_t one = lc_ed25519_verify_batch_len(&good[0].key, 1), all = lc_ed25519_verify_batch_len(&good[0].key, 20);
    std::vector<lc_ed25519_verify_item> items;

    flip(&wrong[19].msg, 3);
    EXPECT_EQ(lc_ed25519_verify_batch_len(&good[0].key, 0), 0u);
    EXPECT_EQ(lc_ed25519_verify_batch_len(&good[0].key, 64), lc_ed25519_verify_batch_len(&good[0].key, SIZE_MAX));
    EXPECT_LT(lc_ed25519_verify_batch_len(&good[0].key, SIZE_MAX), 210000u);
    for (size_t len : { one, one + 1, one + 65, (one + all) / 2, all - 1, all, all + 63, 2 * all }) {
        EXPECT_EQ(verify_batch(good, len), LC_OK) << len;
        EXPECT_EQ(verify_batch(wrong, len), LC_ERR_SIGNATURE) << len;
    }
    EXPECT_EQ(verify_batch(good, one - 1), LC_ERR_LEN);
    for (const Signature &s : good)
        items.push_back({ &s.key, s.sig.data(), s.msg.data(), s.msg.size(), 0 });
    for (size_t shift = 0; shift < 64; shift++)
        for (size_t num : { 1, 8 }) {
            const size_t len = lc_ed25519_verify_batch_len(&good[0].key, num);
            Bytes memory(len + 128, 0xaa);

            EXPECT_EQ(lc_ed25519_verify_batch(items.data(), num, nullptr, memory.data() + shift, len), LC_OK);
            for (size_t i = 0; i < memory.size(); i++)
                ASSERT_TRUE((i >= shift && i < shift + len) || memory[i] == 0xaa) << shift;
        }
    EXPECT_EQ(lc_ed25519_verify_batch(items.data(), items.size(), nullptr, nullptr, 0), LC_ERR_LEN);
}

// The first key's implementation verifies all.
TEST_P(Ed25519, BatchOfMixedImplementations)
{
    std::vector<Signature> batch = good_signatures(impl.name, 6), others = good_signatures("ed25519-portable", 12);

    batch.insert(batch.end(), others.begin() + 6, others.end());
    EXPECT_EQ(verify_batch(batch), LC_OK);
    // In parts, too, of which the second one begins with another: there is memory for the first key's implementation only.
    for (size_t num : { 1, 2, 3, 6 })
        EXPECT_EQ(verify_batch(batch, lc_ed25519_verify_batch_len(&batch[0].key, num)), LC_OK) << num;
    flip(&batch[11].sig, 300);
    EXPECT_EQ(verify_batch(batch), LC_ERR_SIGNATURE);
}
