// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The module loaded and unloaded again and again, and what it leaves behind.  A program of its own, because OpenSSL gives each load
// a number for its errors, of which there are 128, and then begins to mix them up.
#include "evp_support.h"

#include <atomic>
#include <dirent.h>
#include <thread>

static size_t entries(const char *folder)
{
    DIR *dir = opendir(folder);
    size_t n = 0;

    if (!dir)
        return 0;
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

TEST(Module, LoadAndUnload)
{
    Random random(40);
    size_t files = 0, threads = 0;

    for (int i = 0; i < 200; i++) {
        Library library(true);
        const Cipher &cipher = ciphers[static_cast<size_t>(i) % ciphers.size()];
        EvpMessage m = random_message(random, cipher, 100, 5), expected = m;

        ASSERT_TRUE(same(crypt(Library::stock(), cipher, &expected, true), crypt(library, cipher, &m, true)));
        ASSERT_TRUE(same(expected.tag, m.tag));
        if (i == 10) { // the first ones open what OpenSSL itself keeps open
            files = entries("/proc/self/fd");
            threads = entries("/proc/self/task");
        }
    }
    EXPECT_EQ(entries("/proc/self/fd"), files);
    EXPECT_EQ(entries("/proc/self/task"), threads);
}

// A cipher keeps the provider, and a context the cipher.
TEST(Module, ContextOutlivesProvider)
{
    Random random(41);
    EvpMessage m = random_message(random, ciphers[0], 40), expected = m;
    Ctx ctx = new_ctx();
    Bytes out(40);
    int n;
    OSSL_LIB_CTX *libctx = OSSL_LIB_CTX_new();
    OSSL_PROVIDER *provider = load_module(libctx);

    ASSERT_TRUE(provider) << errors();
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(libctx, ciphers[0].name, nullptr);
    ASSERT_TRUE(cipher) << errors();
    ASSERT_EQ(EVP_CipherInit_ex2(ctx.get(), cipher, m.key.data(), m.iv.data(), 1, nullptr), 1) << errors();
    EVP_CIPHER_free(cipher);
    OSSL_PROVIDER_unload(provider);
    EXPECT_EQ(update(ctx, out.data(), &n, m.text.data(), 40), 1);
    EXPECT_TRUE(same(crypt(Library::stock(), ciphers[0], &expected, true), out));
    ctx.reset();
    OSSL_LIB_CTX_free(libctx);
}

// Library contexts that come and go in threads
TEST(Module, LoadInThreads)
{
    std::atomic<int> wrong{ 0 };
    std::vector<std::thread> threads;

    for (uint64_t t = 0; t < 6; t++)
        threads.emplace_back([&, t] {
            Random random(200 + t);

            for (size_t i = 0; i < 20; i++)
                try {
                    Library library(true);
                    EvpMessage m = random_message(random, ciphers[(t + i) % ciphers.size()], 64);

                    crypt(library, ciphers[(t + i) % ciphers.size()], &m, true);
                } catch (...) {
                    wrong++;
                }
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0);
}
