// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The environment, and the first use by many threads at once.  The library reads the environment once, so each case has a process
// of its own: this program forks before it has used the library at all.  That is why these tests aren't in test_select.cc, and
// why nothing in this file may call the library outside of in_child().
#include <atomic>
#include <functional>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "lanecrypt/chacha20poly1305.h"
#include "lanecrypt/ctr.h"
#include "lanecrypt/xts.h"
#include "support.h"

struct Environment {
    const char *disable, *impl; // NULL: not set
};

// What `body` returns in a child process with that environment; "crash" or the like if it doesn't get there.
static std::string in_child(const Environment &env, const std::function<std::string()> &body)
{
    std::string text;
    char buffer[4096];
    ssize_t n;
    int fds[2], status;
    pid_t child;

    if (pipe(fds) != 0 || (child = fork()) < 0)
        return "no pipe or no process";
    if (child == 0) {
        unsetenv("LANECRYPT_DISABLE");
        unsetenv("LANECRYPT_IMPL");
        if (env.disable)
            setenv("LANECRYPT_DISABLE", env.disable, 1);
        if (env.impl)
            setenv("LANECRYPT_IMPL", env.impl, 1);
        text = body();
        _exit(write(fds[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    close(fds[1]);
    while ((n = read(fds[0], buffer, sizeof(buffer))) > 0)
        text.append(buffer, static_cast<size_t>(n));
    close(fds[0]);
    if (waitpid(child, &status, 0) != child || status != 0)
        return "crash after: " + text;
    return text;
}

// One line: what an init does, what it selects, and what lc_env_problem() says.
static std::string outcome()
{
    Bytes raw = Random(1).bytes(64);
    lc_xts_key key;
    int status = lc_xts_init(&key, raw.data(), raw.size());
    int by_name = lc_xts_init_impl(&key, "xts-aes-portable", raw.data(), raw.size()); // suffers from a bad environment too
    const char *problem = lc_env_problem();
    std::string text = lc_strerror(status), selected = "none";

    if (by_name != status)
        return std::string("by name: ") + lc_strerror(by_name);
    for (const lc_impl_info &impl : implementations("xts"))
        if (impl.selected)
            selected = selected == "none" ? impl.name : selected + " and " + impl.name;
    if (status == LC_OK && (lc_xts_init(&key, raw.data(), raw.size()) != LC_OK || selected != lc_xts_impl_name(&key)))
        return "two answers: " + selected + " and " + lc_xts_impl_name(&key);
    return text + "; " + selected + "; " + (problem ? problem : "no problem");
}

static const char bad[] = "LANECRYPT_DISABLE or LANECRYPT_IMPL has a name that is unknown or that this CPU can't run";

TEST(Environment, NothingSet)
{
    std::string plain = in_child({ nullptr, nullptr }, outcome),
                best = in_child({ nullptr, nullptr }, [] {
                    for (const lc_impl_info &impl : implementations("xts"))
                        if (impl.preferred_here)
                            return std::string(impl.name);
                    return std::string("none");
                });

    EXPECT_EQ(plain, "success; " + best + "; no problem");
    EXPECT_EQ(in_child({ "", "" }, outcome), plain);
    EXPECT_EQ(in_child({ "", nullptr }, outcome), plain);
    EXPECT_EQ(in_child({ nullptr, "" }, outcome), plain);
}

TEST(Environment, DisableSubtractsExactlyThat)
{
    std::string names = in_child({ nullptr, nullptr }, [] { return feature_names(lc_cpu_features_detected()); });

    EXPECT_EQ(in_child({ nullptr, nullptr }, [] { return feature_names(lc_cpu_features()); }), names);
    for (int i = 0; i < 64; i++) {
        std::string name = in_child({ nullptr, nullptr }, [i] {
            const char *n = lc_cpu_feature_name(UINT64_C(1) << i);
            return std::string(n ? n : "");
        });

        if (name.empty())
            continue;
        EXPECT_EQ(in_child({ name.c_str(), nullptr },
                           [i] {
                               uint64_t lost = lc_cpu_features_detected() & ~lc_cpu_features();
                               uint64_t gained = lc_cpu_features() & ~lc_cpu_features_detected();
                               bool had = lc_cpu_features_detected() >> i & 1;

                               return gained == 0 && lost == (had ? UINT64_C(1) << i : 0) ? "fine" : feature_names(lost | gained);
                           }),
                  "fine")
            << name;
    }
}

TEST(Environment, DisableEverything)
{
    std::string all = in_child({ nullptr, nullptr }, [] {
        std::string list;

        for (int i = 63; i >= 0; i--)
            if (lc_cpu_feature_name(UINT64_C(1) << i))
                list += std::string(list.empty() ? "" : ",") + lc_cpu_feature_name(UINT64_C(1) << i);
        return list;
    });

    EXPECT_EQ(in_child({ all.c_str(), nullptr }, outcome), "success; xts-aes-portable; no problem");
    EXPECT_EQ(in_child({ all.c_str(), nullptr }, [] { return feature_names(lc_cpu_features()); }), "");
    // and no row that needs anything can be had by name then
    EXPECT_EQ(in_child({ all.c_str(), nullptr },
                       [] {
                           Bytes raw = Random(1).bytes(64);
                           std::string had;
                           lc_xts_key key;

                           for (const lc_impl_info &impl : implementations("xts"))
                               if (lc_xts_init_impl(&key, impl.name, raw.data(), raw.size()) == LC_OK)
                                   had += impl.name;
                           return had;
                       }),
              "xts-aes-portable");
}

TEST(Environment, ImplPicksTheRow)
{
    std::string count = in_child({ nullptr, nullptr }, [] { return std::to_string(lc_impl_count("xts")); });

    for (size_t i = 0; i < std::stoul(count); i++) {
        std::string name = in_child({ nullptr, nullptr }, [i] { return std::string(implementations("xts")[i].name); });
        std::string runs = in_child({ nullptr, nullptr }, [i] { return std::to_string(implementations("xts")[i].runs_here); });
        std::string needs = in_child({ nullptr, nullptr }, [i] { return std::to_string(implementations("xts")[i].needs); });
        std::string list = "xts=" + name;

        if (runs == "1")
            EXPECT_EQ(in_child({ nullptr, list.c_str() }, outcome), "success; " + name + "; no problem");
        else // it can't be switched on
            EXPECT_EQ(in_child({ nullptr, list.c_str() }, outcome), bad + ("; none; " + list));
        if (needs != "0") { // a row whose features LANECRYPT_DISABLE takes away is impossible too
            std::string feature = in_child({ nullptr, nullptr }, [i] {
                uint64_t bits = implementations("xts")[i].needs;
                return std::string(lc_cpu_feature_name(bits & -bits));
            });
            EXPECT_EQ(in_child({ feature.c_str(), list.c_str() }, outcome), bad + ("; none; " + list));
        }
    }
}

// What is said of one mode changes no other one; what is wrong in it stops all.
TEST(Environment, EachModeByItself)
{
    auto selected = [] {
        Bytes raw = Random(1).bytes(64);
        lc_ctr_key ctr;
        lc_xts_key xts;
        int ctr_status = lc_ctr_init(&ctr, raw.data(), 32), xts_status = lc_xts_init(&xts, raw.data(), 64);

        return std::string(ctr_status == LC_OK ? lc_ctr_impl_name(&ctr) : lc_strerror(ctr_status)) + "; " +
               (xts_status == LC_OK ? lc_xts_impl_name(&xts) : lc_strerror(xts_status));
    };
    std::string plain = in_child({ nullptr, nullptr }, selected);
    std::string ctr = plain.substr(0, plain.find("; ")), xts = plain.substr(plain.find("; ") + 2);

    EXPECT_EQ(in_child({ nullptr, "ctr=ctr-aes-portable" }, selected), "ctr-aes-portable; " + xts);
    EXPECT_EQ(in_child({ nullptr, "xts=xts-aes-portable" }, selected), ctr + "; xts-aes-portable");
    EXPECT_EQ(in_child({ nullptr, "ctr=ctr-aes-portable,xts=xts-aes-portable" }, selected), "ctr-aes-portable; xts-aes-portable");
    for (const char *list : { "ctr=xts-aes-portable", "xts=nonsense", "ctr=nonsense" })
        EXPECT_EQ(in_child({ nullptr, list }, selected), std::string(bad) + "; " + bad);
}

// Poly1305 and ChaCha20 have functions without a key, which take what was settled on; and refuse as an init would.
TEST(Environment, FunctionsWithoutKey)
{
    auto selected = [] {
        Bytes raw = Random(1).bytes(32), data(16, 0x5a), tag(16, 0x5a);
        lc_poly1305_state poly;
        lc_chacha20_key chacha;
        lc_chacha20poly1305_key aead;
        std::string names;

        if (lc_poly1305_start(&poly, raw.data()) == LC_OK && lc_chacha20_init(&chacha, raw.data(), 32) == LC_OK &&
            lc_chacha20poly1305_init(&aead, raw.data(), 32) == LC_OK)
            names = std::string(lc_poly1305_impl_name(&poly)) + ", " + lc_chacha20_impl_name(&chacha) + ", " +
                    lc_chacha20poly1305_impl_name(&aead);
        int poly_status = lc_poly1305(tag.data(), data.data(), 16, raw.data());
        int chacha_status = lc_chacha20_xor(data.data(), data.data(), 16, raw.data(), raw.data(), 0);
        if (all_bytes(data.data(), 16, 0x5a) != (chacha_status != LC_OK) ||
            all_bytes(tag.data(), 16, 0x5a) != (poly_status != LC_OK))
            return std::string("written although refused, or not written");
        return names + "; " + lc_strerror(poly_status) + "; " + lc_strerror(chacha_status);
    };
    const std::string portable = "poly1305-portable, chacha20-portable, chacha20-poly1305-portable";
    const char *const list = "chacha20-poly1305=chacha20-poly1305-portable,poly1305=poly1305-portable,chacha20=chacha20-portable";

    EXPECT_EQ(in_child({ nullptr, list }, selected), portable + "; success; success");
    EXPECT_EQ(in_child({ nullptr, "chacha20=poly1305-portable" }, selected), std::string("; ") + bad + "; " + bad);
}

TEST(Environment, WhatCantBeFollowedIsAnError)
{
    static const struct {
        Environment env;
        const char *problem;
    } cases[] = {
        { { "nonsense", nullptr }, "nonsense" },
        { { ",", nullptr }, "," },
        { { "NONSENSE", "xts=xts-aes-portable" }, "NONSENSE" },
        { { "nonsense,more", nullptr }, "nonsense,more" },
        { { nullptr, "nonsense" }, "nonsense" },
        { { nullptr, "xts" }, "xts" },
        { { nullptr, "xts=" }, "xts=" },
        { { nullptr, "xts=nonsense" }, "xts=nonsense" },
        { { nullptr, "nonsense=xts-aes-portable" }, "nonsense=xts-aes-portable" },
        { { nullptr, "xts-aes-portable" }, "xts-aes-portable" },
        { { nullptr, "xts=xts-aes-portable," }, "," },
        { { nullptr, "xts=xts-aes-portable,nonsense" }, "nonsense" },
        { { "", "nonsense" }, "nonsense" },
        { { "nonsense", "more-nonsense" }, "nonsense" },
    };

    for (const auto &c : cases)
        EXPECT_EQ(in_child(c.env, outcome), bad + ("; none; " + std::string(c.problem)))
            << (c.env.disable ? c.env.disable : "") << " / " << (c.env.impl ? c.env.impl : "");
}

TEST(Environment, IsReadOnce)
{
    EXPECT_EQ(in_child({ nullptr, nullptr },
                       [] {
                           std::string before = outcome();
                           uint64_t features = lc_cpu_features();
                           Bytes raw = Random(1).bytes(64);
                           lc_xts_key key;

                           setenv("LANECRYPT_DISABLE", "nonsense", 1);
                           setenv("LANECRYPT_IMPL", "nonsense", 1);
                           if (lc_cpu_features() != features || lc_xts_init(&key, raw.data(), raw.size()) != LC_OK)
                               return std::string("read again");
                           return before.substr(0, 7);
                       }),
              "success");
}

// All threads wait for one another, then use the library for the first time: each has to get the answer that one thread alone
// gets.  The thread sanitizer's build (preset tsan) watches this.
TEST(FirstUse, ByManyThreadsAtOnce)
{
    std::string alone = in_child({ nullptr, nullptr }, [] { return outcome() + feature_names(lc_cpu_features()); });

    for (int round = 0; round < 20; round++)
        ASSERT_EQ(in_child({ nullptr, nullptr },
                           [&alone] {
                               static const int num_threads = 16;
                               std::vector<std::string> answers(num_threads);
                               std::vector<std::thread> threads;
                               std::atomic<int> waiting(num_threads);

                               for (int i = 0; i < num_threads; i++)
                                   threads.emplace_back([i, &answers, &waiting] {
                                       waiting--;
                                       while (waiting > 0)
                                           std::this_thread::yield();
                                       answers[i] = outcome() + feature_names(lc_cpu_features());
                                   });
                               for (std::thread &t : threads)
                                   t.join();
                               for (const std::string &a : answers)
                                   if (a != alone)
                                       return a;
                               return std::string("all agree");
                           }),
                  "all agree");
}
