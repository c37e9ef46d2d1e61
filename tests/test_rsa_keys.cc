// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// RSA keys: from numbers and from DER, and what isn't one.
#include "rsa_support.h"

namespace {

// DER, made the simple way
Bytes element(uint8_t tag, const Bytes &contents)
{
    const size_t len = contents.size();
    Bytes der(1, tag);

    if (len >= 0x80)
        der.push_back(len < 0x100 ? 0x81 : 0x82);
    if (len >= 0x100)
        der.push_back(static_cast<uint8_t>(len >> 8));
    der.push_back(static_cast<uint8_t>(len));
    der.insert(der.end(), contents.begin(), contents.end());
    return der;
}

Bytes join(const std::vector<Bytes> &parts)
{
    Bytes all;

    for (const Bytes &part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

Bytes integer(Bytes number)
{
    while (number.size() > 1 && number[0] == 0)
        number.erase(number.begin());
    if (number.empty() || number[0] & 0x80)
        number.insert(number.begin(), 0);
    return element(2, number);
}

const Bytes algorithm = from_hex("300d06092a864886f70d0101010500"), version = { 2, 1, 0 };

// The eight numbers of a key in bench/rsa_keys.h: n, e, d, p, q, dp, dq, 1/q
struct Numbers {
    std::vector<Bytes> of;

    explicit Numbers(size_t key)
    {
        const Bytes der = key_der(key);

        for (size_t at = 7; at < der.size();) { // after the SEQUENCE's head and the version
            size_t len = der[at + 1], head = 2;

            if (len & 0x80) {
                head += len & 0x7f;
                len = len == 0x81 ? der[at + 2] : static_cast<size_t>(der[at + 2] << 8 | der[at + 3]);
            }
            const auto begin = der.begin() + static_cast<ptrdiff_t>(at + head);
            of.emplace_back(begin, begin + static_cast<ptrdiff_t>(len));
            at += head + len;
        }
    }
    lc_rsa_numbers pointers() const
    {
        return { of[0].data(), of[1].data(), of[3].data(), of[4].data(), of[5].data(), of[6].data(), of[7].data(),
                 of[0].size(), of[1].size(), of[3].size(), of[4].size(), of[5].size(), of[6].size(), of[7].size() };
    }
    std::vector<Bytes> integers() const
    {
        std::vector<Bytes> all;

        for (const Bytes &number : of)
            all.push_back(integer(number));
        return all;
    }
    Bytes private_der() const { return element(0x30, join({ version, join(integers()) })); }
    Bytes public_der() const { return element(0x30, join({ integer(of[0]), integer(of[1]) })); }
};

Bytes pkcs8(const Bytes &key)
{
    return element(0x30, join({ version, algorithm, element(4, key) }));
}

Bytes spki(const Bytes &key)
{
    return element(0x30, join({ algorithm, element(3, join({ { 0 }, key })) }));
}

int init(const std::string &impl, const Numbers &numbers)
{
    const lc_rsa_numbers pointers = numbers.pointers();
    lc_rsa_key key;
    memset(&key, 0xa5, sizeof(key));
    const Bytes before = bytes_of(key);
    const int status = lc_rsa_init_impl(&key, impl.c_str(), &pointers);

    EXPECT_EQ(bytes_of(key) == before, status != LC_OK);
    return status;
}

int init_der(const std::string &impl, const Bytes &der)
{
    lc_rsa_key key;
    const Bytes exactly = der; // AddressSanitizer sees a byte more

    return lc_rsa_init_der_impl(&key, impl.c_str(), exactly.data(), exactly.size());
}

int public_init_der(const std::string &impl, const Bytes &der)
{
    lc_rsa_public_key key;
    const Bytes exactly = der;

    return lc_rsa_public_init_der_impl(&key, impl.c_str(), exactly.data(), exactly.size());
}

int public_init(const std::string &impl, const Bytes &n, const Bytes &e)
{
    lc_rsa_public_key key;

    return lc_rsa_public_init_impl(&key, impl.c_str(), n.data(), n.size(), e.data(), e.size());
}

// a + b, as numbers of a's length
Bytes plus(const Bytes &a, const Bytes &b)
{
    Bytes sum = a;
    unsigned carry = 0;

    for (size_t i = 0; i < a.size(); i++) {
        carry += a[a.size() - 1 - i] + (i < b.size() ? b[b.size() - 1 - i] : 0u);
        sum[a.size() - 1 - i] = static_cast<uint8_t>(carry);
        carry >>= 8;
    }
    return sum;
}

const size_t lens[] = { 256, 256, 384, 384, 512, 512 };

// Numbers that belong together, but with p of 1032 and q of 1016 bits; and with p = a product of two primes.  d is 1.
/* clang-format off */
const char *const unequal_hex =
    "308203a30201000282010100b0d806fca2ed2b69d01d9984ab2ce530e4810347d3098f6b33ae17ffe6c7ee9c4885e90f63f7ccf314c5fe10a86ec48e"
    "72c509ca39a34611741f69cadca0a376af3665eaf92e52cc8f231f21ca74323b8b759b1450dde9ead4d9c9e5e7dd22f4f7bd9f37a349ec06dec378c1"
    "f3b6dad5424ec73fc9d6c68f059e2b31c3f4a24251a9f8b0dab352b6fc1f0f85f3b2a9e36795cc84b49726847fe06a138c75c77498d77c26353c0b36"
    "f767d8886df1acf7adfed7f3ee3bf7f8a154a8517f1e693e3dceb489c3a49ec2124910e5135bb3d46a6abcad00da2af36c70b52b6fd2e01627416c4b"
    "eed7032fb5087e6e01a07c4e701c31cd461be1e4c44c3029a50ac2a7020301000102010102818200c95b69e4f5b8d9172ece336c3c6cce1095861c95"
    "844ef7b0a40405bd3701d6c08a5c9f0b82be099269cc2d7dae7035571a3274cc80c6ca5c9aefcc7c510ae8a52e2b2b9831e32e8a241c9b4ae6c0253a"
    "5bb8225b354c703da02f17f2b2ee61c843029fe45b2f2fa24c8669d2fd68fde7e8360cfa8f469eb6416aecae0d7f269f5702818000e0d5a459cb29f4"
    "256446db51d4637b9764d73ca727db6ed8ac53457f448eaa82921a4bddf04f5e4ae2ef464bd826f9e36a901f8c848e981f9d36cf49fb7359e1be50d5"
    "edaeb2d8d2142cb45f3f0a11d19e3666a8a8753a79a736c6ae850e3f84e075168c164663a9aecb4b6b403d90591a195dcdf5f8f95512e34cd818f531"
    "0281815c68bc9f9c79d9ffbeb6597939fe0150311f1c6d2e0c83b6287fc41683712f9aaba53844b31afe0f98c860b446632ec7abb92e4b506a6b22b6"
    "e488a721166d90a9309cd03b4cf4e5e70ecde241263baf9dba52e22302d29c25b0974006084b0dfa5af1007f2c97a2d795f469256d92e1647bb1d727"
    "fc1408b6db188604a1af1aff028180009cb48b5e8279f54ef27b6875ba60b44daadd51caf7bebb9d8d4e64cbf58eb24d5b63b4a935cb3bdf5a188798"
    "69499135ee9a11433148e9c26f233a8b4814f7fa9d595e21d1779a23a2281e779c4a7a6ceda6e11a807f648852019dad19d3fa75b4b42748f0659325"
    "3b4d3a7dc042a88f51df883ffb46d311769eb27a93baa102818164b53a01c75e00f2420b67225a4a938ff0b4363e9c7b4295e8161f1580c8b9030821"
    "77cafae006a7d15c6eacace1a7736ea26e540e47a16bf245babd2c9c46eaba950689f300dea4030cdb6aa9912df8dcfd35c194fdb8f00b5e0341f0fd"
    "f27bca01c188898907464508cb485c08d91a465e624077ef5460240d3504b62d3253b7";
const char *const composite_hex =
    "308203a1020100028201010095ac42aae22941034fb149a07c4af7768b94abddc9d946dc85973e1781fb44aaf41f8d7d853c0149ab5205dddd8782d3"
    "35156ac94dad0b1645e4f9ebee1ec9c477cb6ea5884f84cc2b96de390fc8f7c638bf963624bc8bf733e772ef4a9138743f582d27d8bc4d670445aa03"
    "cf1fce604e14a12e92b8e63d19ffd272d5ce18f308d8cd295e831ef9d1ac88b5bddea56c0fc043ed10c0f0b5cc22199f55f3148df75ca073644a43ea"
    "3441bd92d61d91071b36c5048832ddda6d6f4fb0db341616bec9aec0b5cc9ffb6187512e992dadfe2e6241aeee1ac77df8621f1220e91048b24241f3"
    "f197dee54bdb6bc10906006e1fdc009b29c2ade504ff437eb16a2cf3020301000102010102818100976d6fad329fdc0237cccba38fe119214112430b"
    "2e102db8dd8b7cfe7be0e3873bd69bff73623b29333fd09b301d06d33a80d4fa34ed69f8eedc7eaec8aaf375cb02bc15dd5fff2058c4b3917d1466e2"
    "a642c3e1e161416716ca91040082c21fdeff64eac3f58c9109015a8b517060e39eb58398823eb20c3f1fe78935b7e54902818100fd08a2179f4723f8"
    "8fea67bcdcd14525490c67e43a3b31d152f37896c002a89df14ca8d92f481033a046d0be3f93851e36f877f7986aad6df46ec56a286ec16cdd070011"
    "41198dfc5fae5700ab7de993d5ce8af9bc407eda755502d1ac9bbb079d4af19117878502c282f688bec2299baee439fcaaa190b487c4b3fe4b2a4c5b"
    "0281800e240211c2707b3319d2de1160163d2a85d116c1ac838641852ec9755a4c1df33afb47860b5858fdf7f3359fc8566d94bc19dbc9a1b7a9f5bd"
    "188a1bf8513e7af9823fde2ad614150935152fb8e676d523818899475ab5a8d2d007cabfe1760f53dbb5a8d6b3cf749bcaac91e601008b40fee25313"
    "969739dd8b352bf300414102818046fcaf0cd5808dd4e3fb2d134d17e0c02f182de55778d7e713d07e5a3c9002621d1a169ca7a91df27ddaa0215f90"
    "b15de2aa1e6df5f2a7a91b54204a4201a07e3c1c04a6d28eaac8ccc70a5d83bf1552863f25ba1e5831be74005f84175ab143d79af8de6dad75616ad4"
    "76f9b21aa2b5ac8116cb8dcb39df8bdf6167cc0a97d5028180707d2d1db8a8c4498d314c565ee57b37bab8cd63494df5eecaf90d41215a16651b2ba9"
    "2cca0b532650a6a26226d9e58e845fba03ea199eda9b282989b8ff6f7a4b2d6ac59d9b036a5534c3f7e70760128dfe72311409e5fcf72551449286cc"
    "804ce42312811c05c852803f08ca217c2985dc16fb494bc0608b6fe386aa6e38c1";
// p is just above 2^1023, and q just below 2^1024.
const char *const far_apart_hex =
    "308203a10201000282010100800000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000044e7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    "fffffffffffffffffffffffffffffffffffffffffffffffffffe26450203010001020101028181008000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000048302818100ffffffffffffffff"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff97"
    "0281806cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6c"
    "c3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6cc3933c6c"
    "c3933c6cc3933c6cc397110281805a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35"
    "a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35"
    "a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5ca5a35a5a5028180690cd395926447a8a71001b23165deb6f690cd395926447a8a71001b23165deb6f690c"
    "d395926447a8a71001b23165deb6f690cd395926447a8a71001b23165deb6f690cd395926447a8a71001b23165deb6f690cd395926447a8a71001b23"
    "165deb6f690cd395926447a8a71001b23165deb6f690cd395926447a8a71001ed7";
/* clang-format on */

} // namespace

// All forms give the same key.
TEST_P(Rsa, Forms)
{
    for (size_t i = 0; i < RSA_NUM_KEYS; i++) {
        Numbers numbers(i);
        static lc_rsa_key a, b;
        static lc_rsa_public_key p, q;
        const Bytes der = numbers.private_der(), wrapped = pkcs8(der), public_der = numbers.public_der(), info = spki(public_der);

        EXPECT_EQ(der, key_der(i));
        ASSERT_EQ(lc_rsa_init_der_impl(&a, impl.name, der.data(), der.size()), LC_OK);
        EXPECT_STREQ(lc_rsa_impl_name(&a), impl.name);
        EXPECT_EQ(lc_rsa_len(&a), lens[i]);
        ASSERT_EQ(lc_rsa_init_der_impl(&b, impl.name, wrapped.data(), wrapped.size()), LC_OK);
        EXPECT_EQ(bytes_of(a), bytes_of(b));
        numbers.of[2] = { 1 }; // d isn't looked at
        for (Bytes &number : numbers.of)
            number.insert(number.begin(), i, 0);
        const lc_rsa_numbers pointers = numbers.pointers();
        ASSERT_EQ(lc_rsa_init_impl(&b, impl.name, &pointers), LC_OK);
        EXPECT_EQ(bytes_of(a), bytes_of(b));

        ASSERT_EQ(lc_rsa_public_init_der_impl(&p, impl.name, public_der.data(), public_der.size()), LC_OK);
        EXPECT_STREQ(lc_rsa_public_impl_name(&p), impl.name);
        EXPECT_EQ(lc_rsa_public_len(&p), lens[i]);
        ASSERT_EQ(lc_rsa_public_init_der_impl(&q, impl.name, info.data(), info.size()), LC_OK);
        EXPECT_EQ(bytes_of(p), bytes_of(q));
        ASSERT_EQ(lc_rsa_public_init_impl(&q, impl.name, numbers.of[0].data(), numbers.of[0].size(), numbers.of[1].data(),
                                          numbers.of[1].size()),
                  LC_OK);
        EXPECT_EQ(bytes_of(p), bytes_of(q));
        lc_rsa_get_public(&a, &q);
        EXPECT_EQ(bytes_of(p), bytes_of(q));
    }
}

// The functions without a name take what was selected.
TEST(RsaKeys, Selected)
{
    const Numbers numbers(0);
    const lc_rsa_numbers pointers = numbers.pointers();
    const Bytes der = key_der(0), public_der = numbers.public_der();
    lc_rsa_key a, b;
    lc_rsa_public_key p, q;

    ASSERT_EQ(lc_rsa_init(&a, &pointers), LC_OK);
    ASSERT_EQ(lc_rsa_init_der(&b, der.data(), der.size()), LC_OK);
    EXPECT_EQ(bytes_of(a), bytes_of(b));
    ASSERT_EQ(lc_rsa_public_init(&p, numbers.of[0].data(), numbers.of[0].size(), numbers.of[1].data(), 3), LC_OK);
    ASSERT_EQ(lc_rsa_public_init_der(&q, public_der.data(), public_der.size()), LC_OK);
    EXPECT_EQ(bytes_of(p), bytes_of(q));
}

TEST_P(Rsa, PublicNumbers)
{
    const Bytes n = Numbers(0).of[0], e = { 1, 0, 1 };
    Bytes other = n;

    EXPECT_EQ(public_init(impl.name, n, e), LC_OK);
    EXPECT_EQ(public_init(impl.name, n, { 0, 0, 3 }), LC_OK);
    EXPECT_EQ(public_init(impl.name, n, Bytes(32, 0xff)), LC_OK);
    for (const Bytes &bad : { Bytes(), Bytes{ 0 }, Bytes{ 1 }, Bytes{ 2 }, Bytes{ 1, 0, 0 }, join({ { 1 }, Bytes(32, 1) }) })
        EXPECT_EQ(public_init(impl.name, n, bad), LC_ERR_KEY) << bad.size();
    other.back() &= 0xfe;
    EXPECT_EQ(public_init(impl.name, other, e), LC_ERR_KEY);
    for (size_t len : { 0, 1, 64, 128, 255, 257, 320, 383, 385, 511, 513, 1024 })
        EXPECT_EQ(public_init(impl.name, Bytes(len, 0xff), e), LC_ERR_KEY_LEN) << len;
    for (size_t len : { 257, 385, 513 }) { // a bit too many, too few
        other.assign(len, 0xff);
        other[0] = 0x01;
        EXPECT_EQ(public_init(impl.name, other, e), LC_ERR_KEY_LEN) << len;
        other[0] = 0;
        EXPECT_EQ(public_init(impl.name, other, e), LC_OK) << len;
        other[1] = 0x7f;
        EXPECT_EQ(public_init(impl.name, other, e), LC_ERR_KEY_LEN) << len;
    }
    EXPECT_EQ(public_init("rsa-none", n, e), LC_ERR_IMPL);
}

// Numbers that don't belong together; each is refused by itself.
TEST_P(Rsa, PrivateNumbers)
{
    enum { N, E, D, P, Q, DP, DQ, QINV };

    for (size_t i = 0; i < RSA_NUM_KEYS; i++) {
        const Numbers good(i);
        Numbers bad = good;

        EXPECT_EQ(init(impl.name, good), LC_OK);
        for (int which : { N, E, P, Q, DP, DQ, QINV })
            for (size_t bit : { size_t{ 1 }, 4 * good.of[static_cast<size_t>(which)].size() }) {
                Bytes &number = (bad = good).of[static_cast<size_t>(which)];

                number[number.size() - 1 - bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
                EXPECT_NE(init(impl.name, bad), LC_OK) << which << ", bit " << bit;
            }
        for (int which : { P, Q, DP, DQ, QINV }) {
            (bad = good).of[static_cast<size_t>(which)].assign(lens[i] / 2, 0);
            EXPECT_EQ(init(impl.name, bad), LC_ERR_KEY) << which;
            (bad = good).of[static_cast<size_t>(which)].clear();
            EXPECT_EQ(init(impl.name, bad), LC_ERR_KEY) << which;
            Bytes &number = (bad = good).of[static_cast<size_t>(which)]; // a word too many
            number.insert(number.begin(), lens[i] / 2 + 8 - number.size(), 0);
            EXPECT_EQ(init(impl.name, bad), LC_OK) << which;
            number[7] = 1;
            EXPECT_EQ(init(impl.name, bad), LC_ERR_KEY) << which;
        }
        std::swap((bad = good).of[P], bad.of[Q]);
        EXPECT_EQ(init(impl.name, bad), LC_ERR_KEY);
        std::swap(bad.of[DP], bad.of[DQ]); // then 1/q is still the other one's
        EXPECT_EQ(init(impl.name, bad), LC_ERR_KEY);
        // congruent ones, if they still fit
        for (int which : { DP, DQ, QINV }) {
            Bytes &number = (bad = good).of[static_cast<size_t>(which)];

            number.insert(number.begin(), lens[i] / 2 + 1 - number.size(), 0);
            number = plus(number, good.of[which == DQ ? Q : P]);
            if (which != QINV) // modulo p - 1
                number = plus(number, Bytes(number.size(), 0xff));
            EXPECT_EQ(init(impl.name, bad), LC_ERR_KEY) << which;
        }
        // another e, for which the exponents aren't
        (bad = good).of[E] = { 0, 17 };
        EXPECT_EQ(init(impl.name, bad), LC_ERR_KEY);
    }
}

TEST_P(Rsa, UnequalPrimes)
{
    EXPECT_EQ(init_der(impl.name, from_hex(unequal_hex)), LC_ERR_KEY);
}

// That isn't seen when the key is made, but signatures are wrong, and so is what is decrypted.
TEST_P(Rsa, CompositePrime)
{
    const Bytes der = from_hex(composite_hex), digest(32, 1);
    Bytes sig(256, 0xa5);
    lc_rsa_key key;

    ASSERT_EQ(lc_rsa_init_der_impl(&key, impl.name, der.data(), der.size()), LC_OK);
    EXPECT_EQ(lc_rsa_pkcs1_sign(&key, sig.data(), LC_RSA_SHA256, digest.data()), LC_ERR_FAULT);
    EXPECT_TRUE(all_bytes(sig.data(), sig.size(), 0xa5));
    lc_rsa_public_key public_key;
    Bytes ct(256);
    size_t len = 7;
    lc_rsa_get_public(&key, &public_key);
    must(lc_rsa_oaep_encrypt(&public_key, ct.data(), LC_RSA_SHA256, digest.data(), 32, nullptr, 0), "lc_rsa_oaep_encrypt");
    EXPECT_EQ(lc_rsa_oaep_decrypt(&key, sig.data(), &len, LC_RSA_SHA256, ct.data(), 256, nullptr, 0), LC_ERR_FAULT);
    EXPECT_TRUE(all_bytes(sig.data(), sig.size(), 0xa5));
    EXPECT_EQ(len, 7u);
}

// q is almost 2p: half of what comes modulo q is above p.
TEST_P(Rsa, PrimesFarApart)
{
    const Bytes der = from_hex(far_apart_hex);
    lc_rsa_public_key public_key;
    lc_rsa_key key;

    ASSERT_EQ(lc_rsa_init_der_impl(&key, impl.name, der.data(), der.size()), LC_OK);
    lc_rsa_get_public(&key, &public_key);
    for (uint8_t i = 0; i < 8; i++) {
        const Bytes digest(32, i);

        EXPECT_EQ(verify(&public_key, PKCS1, sign(&key, PKCS1, LC_RSA_SHA256, digest), LC_RSA_SHA256, digest, 0), LC_OK);
        Bytes ct(256), msg(190);
        size_t len = 0;
        must(lc_rsa_oaep_encrypt(&public_key, ct.data(), LC_RSA_SHA256, digest.data(), 32, nullptr, 0), "lc_rsa_oaep_encrypt");
        EXPECT_EQ(lc_rsa_oaep_decrypt(&key, msg.data(), &len, LC_RSA_SHA256, ct.data(), 256, nullptr, 0), LC_OK);
        msg.resize(len);
        EXPECT_EQ(msg, digest);
    }
}

// Every prefix, every byte more, and changes in the heads and in what comes of them
TEST_P(Rsa, DerPrivate)
{
    const Bytes der = key_der(0), wrapped = pkcs8(der);
    const Numbers numbers(0);
    const size_t d_at = 7 + 4 + 257 + 5 + 4; // where the contents of d begin; with 256 or 257 bytes

    EXPECT_EQ(init_der(impl.name, wrapped), LC_OK);
    for (const Bytes &good : { der, wrapped }) {
        Bytes longer = good;

        for (size_t len = 0; len < good.size(); len++)
            ASSERT_EQ(init_der(impl.name, Bytes(good.begin(), good.begin() + static_cast<ptrdiff_t>(len))), LC_ERR_KEY) << len;
        longer.push_back(0);
        EXPECT_EQ(init_der(impl.name, longer), LC_ERR_KEY);
    }
    for (size_t at = 0; at < der.size(); at += at < 20 ? 1 : 23) {
        Bytes bad = der;

        bad[at] ^= 0x10;
        if (at < d_at || at >= d_at + 256) {
            EXPECT_NE(init_der(impl.name, bad), LC_OK) << at;
        }
    }
    for (size_t at = 0; at < wrapped.size() - der.size() + 8; at++)
        for (uint8_t change : { 1, 2, 0x40, 0x80 }) {
            Bytes bad = wrapped;

            bad[at] ^= change;
            EXPECT_NE(init_der(impl.name, bad), LC_OK) << at;
        }
    // More than two primes; version 1 of PKCS #8; attributes; a number that is missing, or negative, or has a zero too many
    std::vector<Bytes> all = numbers.integers();
    EXPECT_EQ(init_der(impl.name, element(0x30, join({ { 2, 1, 1 }, join(all), element(0x30, {}) }))), LC_ERR_KEY);
    EXPECT_EQ(init_der(impl.name, element(0x30, join({ version, join(all), element(0x30, {}) }))), LC_ERR_KEY);
    EXPECT_EQ(init_der(impl.name, element(0x30, join({ { 2, 1, 1 }, algorithm, element(4, der) }))), LC_ERR_KEY);
    EXPECT_EQ(init_der(impl.name, element(0x30, join({ version, algorithm, element(4, der), { 0xa0, 0 } }))), LC_ERR_KEY);
    for (size_t i = 0; i < 8; i++) {
        std::vector<Bytes> other = all;

        other.erase(other.begin() + static_cast<ptrdiff_t>(i));
        EXPECT_EQ(init_der(impl.name, element(0x30, join({ version, join(other) }))), LC_ERR_KEY);
        other = all;
        other[i] = element(2, join({ { 0, 0 }, numbers.of[i] }));
        EXPECT_EQ(init_der(impl.name, element(0x30, join({ version, join(other) }))), LC_ERR_KEY);
        other[i] = element(2, Bytes(numbers.of[i].size(), 0x81));
        EXPECT_EQ(init_der(impl.name, element(0x30, join({ version, join(other) }))), LC_ERR_KEY);
        other[i] = element(2, {});
        EXPECT_EQ(init_der(impl.name, element(0x30, join({ version, join(other) }))), LC_ERR_KEY);
    }
}

TEST_P(Rsa, DerPublic)
{
    const Bytes der = Numbers(0).public_der(), info = spki(der);

    for (const Bytes &good : { der, info }) {
        Bytes longer = good;

        EXPECT_EQ(public_init_der(impl.name, good), LC_OK);
        for (size_t len = 0; len < good.size(); len++)
            ASSERT_EQ(public_init_der(impl.name, Bytes(good.begin(), good.begin() + static_cast<ptrdiff_t>(len))), LC_ERR_KEY);
        longer.push_back(0);
        EXPECT_EQ(public_init_der(impl.name, longer), LC_ERR_KEY);
        for (size_t at = 0; at < good.size() - 5 - 256; at++) // e is 5 bytes, and n 256
            for (uint8_t change : { 1, 2, 0x40, 0x80 }) {
                Bytes bad = good;

                bad[at] ^= change;
                EXPECT_NE(public_init_der(impl.name, bad), LC_OK) << at;
            }
    }
    // A length that isn't in its shortest form, and an indefinite one
    EXPECT_EQ(public_init_der(impl.name, join({ { 0x30, 0x83, 0, 1, 10 }, Bytes(der.begin() + 4, der.end()) })), LC_ERR_KEY);
    EXPECT_EQ(public_init_der(impl.name, element(0x30, join({ integer(Numbers(0).of[0]), { 2, 0x81, 3, 1, 0, 1 } }))), LC_ERR_KEY);
    EXPECT_EQ(public_init_der(impl.name, join({ { 0x30, 0x80 }, Bytes(der.begin() + 4, der.end()), { 0, 0 } })), LC_ERR_KEY);
    EXPECT_EQ(public_init_der(impl.name, { 0x30, 0x84, 0xff, 0xff, 0xff, 0xff }), LC_ERR_KEY);
    EXPECT_EQ(public_init_der(impl.name, { 0x30, 0x83, 0xff, 0xff, 0xff }), LC_ERR_KEY);
    // A private key isn't a public one, nor the other way
    EXPECT_EQ(public_init_der(impl.name, key_der(0)), LC_ERR_KEY);
    EXPECT_EQ(init_der(impl.name, der), LC_ERR_KEY);
    EXPECT_EQ(init_der(impl.name, info), LC_ERR_KEY);
}
