// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Public keys in jobs of libcrypto's (ASYNC_start_job()): operations done together, jobs that never go on, fork, threads.
#include <atomic>
#include <chrono>
#include <dirent.h>
#include <dlfcn.h>
#include <functional>
#include <openssl/async.h>
#include <openssl/rsa.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "public_support.h"

// What a program has of a job: it resumes it when one of its descriptors is ready.
struct Job {
    ASYNC_JOB *job = nullptr;
    ASYNC_WAIT_CTX *wait = ASYNC_WAIT_CTX_new();
    std::function<void()> work;
    bool is_done = false, has_paused = false;

    explicit Job(std::function<void()> w) : work(std::move(w)) {}
    ~Job() { ASYNC_WAIT_CTX_free(wait); }
    Job(const Job &) = delete;
    Job &operator=(const Job &) = delete;

    void go()
    {
        Job *self = this;
        int ret;

        switch (ASYNC_start_job(
            &job, wait, &ret, [](void *arg) { return (*static_cast<Job **>(arg))->work(), 1; }, &self, sizeof(self))) {
        case ASYNC_FINISH: is_done = true; break;
        case ASYNC_PAUSE: has_paused = true; break;
        default: ADD_FAILURE() << "ASYNC_start_job(): " << errors();
        }
    }
    std::vector<int> fds() const
    {
        size_t num = 0;
        std::vector<int> all(16);

        if (!ASYNC_WAIT_CTX_get_all_fds(wait, nullptr, &num) || num > all.size())
            ADD_FAILURE();
        ASYNC_WAIT_CTX_get_all_fds(wait, all.data(), &num);
        all.resize(num);
        return all;
    }
    bool is_ready() const
    {
        for (int fd : fds()) {
            pollfd p = { fd, POLLIN, 0 };

            if (poll(&p, 1, 0) == 1)
                return true;
        }
        return false;
    }
};
using Jobs = std::vector<std::unique_ptr<Job>>;

// An event loop: each turn resumes those that were ready when it began.  Answers how many turns it took.
static int run(const Jobs &jobs, int patience = 0) // how often to look again when nothing is ready
{
    for (int turns = 0;; turns++) {
        std::vector<Job *> ready;
        bool all_done = true;

        for (const auto &job : jobs) {
            all_done = all_done && job->is_done;
            if (!job->is_done && job->is_ready())
                ready.push_back(job.get());
        }
        if (all_done)
            return turns;
        if (ready.empty() && patience-- > 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            continue;
        }
        if (ready.empty()) {
            ADD_FAILURE() << "everything waits, and nothing is ready";
            return -1;
        }
        for (Job *job : ready)
            job->go();
    }
}

static size_t open_files()
{
    DIR *dir = opendir("/proc/self/fd");
    size_t n = 0;

    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

// ---- What is done in a job: one operation, whose result is checked by the default provider ----

struct Operation {
    std::string name;
    KeyKind kind;
    int padding; /* RSA's; 0: that of PKCS #1 signatures */
    size_t len;  /* of the message */

    bool decrypts() const
    {
        return padding == RSA_PKCS1_OAEP_PADDING || padding == RSA_PKCS1_WITH_TLS_PADDING || padding == RSA_NO_PADDING;
    }
};

static const std::vector<Operation> operations = {
    { "P256Sign", { "EC", "P-256", "SHA256" }, 0, 20 },
    { "P384Sign", { "EC", "P-384", "SHA384" }, 0, 20 },
    { "Ed25519Sign", { "ED25519", "", nullptr }, 0, 100 },
    { "RsaPkcs1", { "RSA", "2048", "SHA256" }, 0, 20 },
    { "RsaPss", { "RSA", "2048", "SHA256" }, RSA_PKCS1_PSS_PADDING, 20 },
    { "RsaPss3072", { "RSA", "3072", "SHA512" }, RSA_PKCS1_PSS_PADDING, 20 },
    { "RsaOaep", { "RSA", "2048", "" }, RSA_PKCS1_OAEP_PADDING, 20 },
    { "RsaTls3072", { "RSA", "3072", "" }, RSA_PKCS1_WITH_TLS_PADDING, 48 },
    { "RsaNoPadding", { "RSA", "2048", "" }, RSA_NO_PADDING, 256 },
    { "RsaNoHash", { "RSA", "2048", "" }, RSA_PKCS1_PADDING, 36 },
    { "P256Exchange", { "EC", "P-256", "" }, 0, 0 },
    { "P384Exchange", { "EC", "P-384", "" }, 0, 0 },
    { "Sm2Sign", { "SM2", "", "SM3" }, 0, 20 },
    { "X25519", { "X25519", "", nullptr }, 0, 0 },
};

static bool pss(EVP_PKEY_CTX *ctx)
{
    return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
           EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1;
}

static Bytes message_of(const Operation &op, size_t number)
{
    Bytes message(op.len, static_cast<uint8_t>(number));

    if (op.padding == RSA_PKCS1_WITH_TLS_PADDING) // the version
        message[0] = message[1] = 3;
    else if (op.padding == RSA_NO_PADDING) // below n
        message[0] = 0;
    return message;
}

static bool set_padding(const Operation &op, EVP_PKEY_CTX *ctx)
{
    unsigned version = 0x303;
    OSSL_PARAM params[] = { OSSL_PARAM_construct_uint("tls-client-version", &version), OSSL_PARAM_construct_end() };

    return EVP_PKEY_CTX_set_rsa_padding(ctx, op.padding) == 1 &&
           (op.padding != RSA_PKCS1_WITH_TLS_PADDING || EVP_PKEY_CTX_set_params(ctx, params) == 1);
}

static Bytes encrypt(const Operation &op, const Bytes &message)
{
    KeyCtx e(EVP_PKEY_CTX_new_from_pkey(stock(), key_of(op.kind).get(), nullptr));
    int padding = op.padding == RSA_PKCS1_WITH_TLS_PADDING ? RSA_PKCS1_PADDING : op.padding;
    Bytes ct(512);
    size_t len = ct.size();

    if (EVP_PKEY_encrypt_init(e.get()) != 1 || EVP_PKEY_CTX_set_rsa_padding(e.get(), padding) != 1 ||
        EVP_PKEY_encrypt(e.get(), ct.data(), &len, message.data(), message.size()) != 1)
        throw std::runtime_error("encrypt: " + errors());
    ct.resize(len);
    return ct;
}

// EVP_PKEY_decrypt(), or EVP_PKEY_sign() without a hash function
static Bytes operate(const Operation &op, const Key &key, const Bytes &in)
{
    KeyCtx d(EVP_PKEY_CTX_new_from_pkey(public_keys(), key.get(), nullptr));
    Bytes out(512);
    size_t len = out.size();

    if ((op.decrypts() ? EVP_PKEY_decrypt_init(d.get()) : EVP_PKEY_sign_init(d.get())) != 1 || !set_padding(op, d.get()) ||
        (op.decrypts() ? EVP_PKEY_decrypt(d.get(), out.data(), &len, in.data(), in.size())
                       : EVP_PKEY_sign(d.get(), out.data(), &len, in.data(), in.size())) != 1)
        return {};
    out.resize(len);
    return out;
}

// A closure that has all it needs; its result goes to where `result` points.
static std::function<void()> work(const Operation &op, size_t number, const std::shared_ptr<Bytes> &result)
{
    size_t which = op.kind.algorithm == "RSA" ? 0 : number % 3;
    auto key = std::make_shared<Key>(in_context(key_of(op.kind, which), public_keys()));
    auto peer = op.len ? nullptr : std::make_shared<Key>(in_context(key_of(op.kind, (which + 1) % 3), public_keys(), true));
    const Bytes message = message_of(op, number), ct = op.decrypts() ? encrypt(op, message) : message;

    if (peer)
        return [=] { *result = derive(public_keys(), *key, *peer); };
    if (op.decrypts() || op.padding == RSA_PKCS1_PADDING)
        return [=] { *result = operate(op, *key, ct); };
    return [=] { *result = sign(public_keys(), *key, op.kind.hash, message, false, op.padding ? pss : Set()); };
}

static bool is_right(const Operation &op, size_t number, const Bytes &result)
{
    size_t which = op.kind.algorithm == "RSA" ? 0 : number % 3;
    const Key &key = key_of(op.kind, which);

    if (!op.len)
        return result == derive(stock(), key, key_of(op.kind, (which + 1) % 3));
    const Bytes message = message_of(op, number);

    if (op.decrypts())
        return result == message;
    if (op.padding == RSA_PKCS1_PADDING) {
        KeyCtx v(EVP_PKEY_CTX_new_from_pkey(stock(), key.get(), nullptr));

        return EVP_PKEY_verify_init(v.get()) == 1 &&
               EVP_PKEY_verify(v.get(), result.data(), result.size(), message.data(), message.size()) == 1;
    }
    return verify(stock(), key, op.kind.hash, message, result, false, op.padding ? pss : Set()) == 1;
}

class EachOperation : public ::testing::TestWithParam<Operation> {
protected:
    const Operation op = GetParam();
};
static std::string test_name(const ::testing::TestParamInfo<Operation> &operation)
{
    return operation.param.name;
}
INSTANTIATE_TEST_SUITE_P(Operation, EachOperation, ::testing::ValuesIn(operations), test_name);

// Implementations for one operation at a time have no use for jobs, but they pause as well: what is tested is the same.
TEST_P(EachOperation, Together)
{
    const size_t before = open_files();

    for (size_t num : { 1, 2, 7, 8, 9, 20 }) {
        Jobs jobs;
        std::vector<std::shared_ptr<Bytes>> results;
        size_t paused = 0;

        for (size_t i = 0; i < num; i++) {
            results.push_back(std::make_shared<Bytes>());
            jobs.push_back(std::make_unique<Job>(work(op, i, results[i])));
        }
        for (const auto &job : jobs) {
            job->go();
            paused += !job->is_done;
        }
        EXPECT_EQ(paused, num - num / 8); // the one that makes eight doesn't
        int turns = run(jobs);
        EXPECT_LE(turns, 2); // nobody waits for longer than one turn, and another one to be told
        for (size_t i = 0; i < num; i++) {
            EXPECT_TRUE(is_right(op, i, *results[i])) << num << " " << i;
            EXPECT_EQ(jobs[i]->fds().size(), jobs[i]->has_paused ? 1u : 0u); // of others programs know nothing
        }
        // Once more in the same wait contexts: those that have a descriptor keep it.
        for (const auto &job : jobs) {
            job->is_done = false;
            job->job = nullptr;
            job->go();
        }
        run(jobs);
        for (size_t i = 0; i < num; i++)
            EXPECT_TRUE(is_right(op, i, *results[i]));
    }
    EXPECT_EQ(open_files(), before);
}

// Different operations don't wait for each other's batches, and all are done.
TEST(Jobs, Mixed)
{
    Jobs jobs;
    std::vector<std::shared_ptr<Bytes>> results;

    for (size_t i = 0; i < 40; i++) {
        results.push_back(std::make_shared<Bytes>());
        jobs.push_back(std::make_unique<Job>(work(operations[i % operations.size()], i, results[i])));
        jobs[i]->go();
    }
    EXPECT_LE(run(jobs), 2);
    for (size_t i = 0; i < 40; i++)
        EXPECT_TRUE(is_right(operations[i % operations.size()], i, *results[i]));
}

// Programs that resume everything without looking at descriptors
TEST(Jobs, ResumedAtRandom)
{
    Random random(3);
    Jobs jobs;
    std::vector<std::shared_ptr<Bytes>> results;

    for (size_t i = 0; i < 30; i++) {
        results.push_back(std::make_shared<Bytes>());
        jobs.push_back(std::make_unique<Job>(work(operations[i % 3 * 4], i, results[i])));
        jobs[i]->go();
        Job *any = jobs[random.below(i + 1)].get();
        if (!any->is_done)
            any->go();
    }
    run(jobs);
    for (size_t i = 0; i < 30; i++)
        EXPECT_TRUE(is_right(operations[i % 3 * 4], i, *results[i]));
}

// libcrypto can forbid pauses: then a job does what waits, at once.
TEST(Jobs, Blocked)
{
    auto result = std::make_shared<Bytes>();
    auto inner = work(operations[0], 1, result);
    Job job([&] {
        ASYNC_block_pause();
        inner();
        ASYNC_unblock_pause();
    });

    job.go();
    EXPECT_TRUE(job.is_done);
    EXPECT_TRUE(is_right(operations[0], 1, *result));
}

// A program that has a callback isn't one that polls: it gets its result at once.
TEST(Jobs, Callback)
{
    auto result = std::make_shared<Bytes>();
    Job job(work(operations[0], 1, result));

    ASYNC_WAIT_CTX_set_callback(job.wait, [](void *) { return 1; }, nullptr);
    job.go();
    EXPECT_TRUE(job.is_done);
    EXPECT_TRUE(job.fds().empty());
    EXPECT_TRUE(is_right(operations[0], 1, *result));
}

// libcrypto can't free a job that is paused, so in a process of its own
static void in_child(const std::function<bool()> &test)
{
    fflush(stdout);
    pid_t child = fork();
    int status = -1;

    if (child == 0) {
        alarm(60);
        _exit(test() && !::testing::Test::HasFailure() ? 0 : 1);
    }
    ASSERT_GT(child, 0);
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

// Clients that go away: the wait context ends while the job is paused.  Its descriptor is closed, whose number somebody else gets;
// the others are done, and nothing is written there.
TEST(Jobs, Abandoned)
{
    in_child([] {
        for (int round = 0; round < 20; round++) {
            Jobs jobs;
            std::vector<std::shared_ptr<Bytes>> results;
            std::vector<int> pipes;
            const size_t before = open_files();
            int ends[2];

            for (size_t i = 0; i < 7; i++) {
                results.push_back(std::make_shared<Bytes>());
                jobs.push_back(std::make_unique<Job>(work(operations[0], i, results[i])));
                jobs[i]->go();
            }
            for (size_t i : { 5, 3, 0 }) {
                jobs[i]->work = nullptr; // what the job has of it is never used
                jobs.erase(jobs.begin() + static_cast<long>(i));
                results.erase(results.begin() + static_cast<long>(i));
            }
            // whatever has the numbers now
            while (pipes.size() < 6 && pipe(ends) == 0)
                pipes.insert(pipes.end(), ends, ends + 2);
            if (round % 2) { // then another one has to be the first
                EXPECT_TRUE(jobs[0]->is_ready());
            } else { // new ones make it eight
                for (size_t i = 7; i < 11; i++) {
                    results.push_back(std::make_shared<Bytes>());
                    jobs.push_back(std::make_unique<Job>(work(operations[0], i, results.back())));
                    jobs.back()->go();
                }
                EXPECT_TRUE(jobs.back()->is_done);
            }
            run(jobs);
            static const size_t numbers[] = { 1, 2, 4, 6, 7, 8, 9, 10 };
            for (size_t i = 0; i < jobs.size(); i++)
                EXPECT_TRUE(is_right(operations[0], numbers[i], *results[i])) << i;
            for (size_t i = 0; i < pipes.size(); i += 2) {
                pollfd p = { pipes[i], POLLIN, 0 };

                EXPECT_EQ(poll(&p, 1, 0), 0) << "something was written to a descriptor of somebody else";
                close(pipes[i]);
                close(pipes[i + 1]);
            }
            jobs.clear();
            EXPECT_EQ(open_files(), before);
        }
        return true;
    });
}

// What an abandoned job had is lost, so after some thousands of them no job pauses any more.  Those that did go on.
TEST(Jobs, AbandonedAgainAndAgain)
{
    in_child([] {
        auto result = std::make_shared<Bytes>(), last_result = std::make_shared<Bytes>();
        Job first(work(operations[0], 0, result));
        const auto doit = work(operations[4], 0, std::make_shared<Bytes>());
        const size_t before = open_files();
        size_t num = 0;

        first.go();
        for (; num < 10000; num++) {
            Job job(doit);

            job.go();
            if (job.is_done)
                break;
        }
        EXPECT_GE(num, 1000u);
        EXPECT_LT(num, 10000u);
        for (const Operation &op : operations) {
            Job last(work(op, 3, last_result));

            last.go();
            EXPECT_TRUE(last.is_done);
            EXPECT_TRUE(last.fds().empty());
            EXPECT_TRUE(is_right(op, 3, *last_result));
        }
        EXPECT_FALSE(first.is_done);
        first.go();
        EXPECT_TRUE(first.is_done);
        EXPECT_TRUE(is_right(operations[0], 0, *result));
        return open_files() == before + 1;
    });
}

// Two jobs with one wait context, which has one descriptor, for one job: the second one doesn't wait.  So nothing is left in the
// queue when the wait context ends.
TEST(Jobs, OneWaitContext)
{
    in_child([] {
        auto result = std::make_shared<Bytes>(), second_result = std::make_shared<Bytes>(), last_result = std::make_shared<Bytes>();
        auto first = std::make_unique<Job>(work(operations[0], 0, result));
        Job second(work(operations[0], 1, second_result)), last(work(operations[0], 2, last_result));

        ASYNC_WAIT_CTX_free(second.wait);
        second.wait = first->wait;
        first->go();
        second.go();
        EXPECT_FALSE(first->is_done);
        EXPECT_TRUE(second.is_done);
        EXPECT_TRUE(is_right(operations[0], 1, *second_result));
        second.wait = nullptr;
        first.reset();
        last.go();
        EXPECT_TRUE(last.is_ready());
        last.go();
        EXPECT_TRUE(last.is_done);
        EXPECT_TRUE(is_right(operations[0], 2, *last_result));
        return true;
    });
}

// No memory for another stack: jobs' own ones are too small for the core, so the default provider does it.  What is below such a
// stack is still as it was.
TEST(Jobs, NoStack)
{
    if (dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init"))
        GTEST_SKIP() << "sanitizers need memory themselves";
    for (const Operation &op : operations) {
        key_of(op.kind);
        in_child([&] {
            auto result = std::make_shared<Bytes>();
            auto doit = work(op, 0, result);
            const rlimit none = { 1, 1 };
            std::vector<Bytes> fill, below;

            for (size_t i = 0; i < 50; i++)
                fill.emplace_back(32768 + 256 * i); // so that what comes next has room at the end of the heap only
            below.emplace_back(120000, uint8_t(0xa5));
            ASYNC_init_thread(1, 1);
            fill.clear();
            Job job(doit);
            setrlimit(RLIMIT_AS, &none);
            job.go();
            EXPECT_TRUE(job.is_done);
            EXPECT_TRUE(below[0] == Bytes(120000, uint8_t(0xa5))) << op.name;
            EXPECT_TRUE(is_right(op, 0, *result)) << op.name;
            return true;
        });
    }
}

// Results that are there, and never fetched
TEST(Jobs, AbandonedWhenDone)
{
    in_child([] {
        Jobs jobs;
        const size_t before = open_files();

        for (size_t i = 0; i < 8; i++) {
            jobs.push_back(std::make_unique<Job>(work(operations[0], i, std::make_shared<Bytes>())));
            jobs[i]->go();
        }
        EXPECT_TRUE(jobs[7]->is_done);
        jobs.clear();
        return open_files() == before;
    });
}

// A child has its own queues.  What waits in the parent goes on there, whatever the child does with its copy.
TEST(Jobs, Fork)
{
    Jobs jobs;
    std::vector<std::shared_ptr<Bytes>> results;

    for (size_t i = 0; i < 3; i++) {
        results.push_back(std::make_shared<Bytes>());
        jobs.push_back(std::make_unique<Job>(work(operations[0], i, results[i])));
        jobs[i]->go();
    }
    in_child([&] {
        Jobs own;
        std::vector<std::shared_ptr<Bytes>> own_results;

        for (size_t i = 0; i < 8; i++) {
            own_results.push_back(std::make_shared<Bytes>());
            own.push_back(std::make_unique<Job>(work(operations[0], i, own_results[i])));
            own[i]->go();
        }
        run(own);
        for (size_t i = 0; i < 8; i++)
            EXPECT_TRUE(is_right(operations[0], i, *own_results[i]));
        jobs[1]->go(); // alone
        EXPECT_TRUE(jobs[1]->is_done);
        EXPECT_TRUE(is_right(operations[0], 1, *results[1]));
        jobs.clear();
        return true;
    });
    EXPECT_LE(run(jobs), 2);
    for (size_t i = 0; i < 3; i++)
        EXPECT_TRUE(is_right(operations[0], i, *results[i]));
}

// A thread that ends while its jobs wait, which nobody can resume any more: libcrypto can't, in another thread.  But that can free
// what they belonged to, also while others are done together with them.
TEST(Jobs, OtherThread)
{
    in_child([] {
        const size_t before = open_files();

        for (int round = 0; round < 10; round++) {
            Jobs jobs, others;
            std::vector<std::shared_ptr<Bytes>> results;
            std::atomic<bool> wait{ true };

            for (size_t i = 0; i < 7; i++) {
                results.push_back(std::make_shared<Bytes>());
                (i < 4 ? jobs : others).push_back(std::make_unique<Job>(work(operations[4], i, results[i])));
            }
            std::thread thread([&] {
                for (const auto &job : jobs)
                    job->go();
                for (const auto &job : others)
                    job->go();
                wait = false;
                if (round % 2)
                    run(others, 5000); // the first one to go on is among those that go
            });
            while (wait)
                std::this_thread::yield();
            std::this_thread::sleep_for(std::chrono::microseconds(100 * round));
            jobs.clear();
            thread.join();
            for (size_t i = 4; i < 7 && round % 2; i++)
                EXPECT_TRUE(is_right(operations[4], i, *results[i]));
        }
        return open_files() == before;
    });
}

// Threads, each with its jobs, and with keys of all
TEST(Jobs, Threads)
{
    std::vector<std::thread> threads;
    std::atomic<int> wrong{ 0 };

    for (size_t t = 0; t < 4; t++)
        threads.emplace_back([&, t] {
            for (size_t round = 0; round < 5; round++) {
                Jobs jobs;
                std::vector<std::shared_ptr<Bytes>> results;
                const Operation &op = operations[(t + round) % 2 ? 0 : operations.size() - 1];

                for (size_t i = 0; i < 3 * t + 5; i++) {
                    results.push_back(std::make_shared<Bytes>());
                    jobs.push_back(std::make_unique<Job>(work(op, i, results[i])));
                    jobs[i]->go();
                }
                run(jobs);
                for (size_t i = 0; i < jobs.size(); i++)
                    wrong += !is_right(op, i, *results[i]);
            }
            ASYNC_cleanup_thread();
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(wrong, 0);
}

// A key that changes while a signature waits: that is still one of the key as it was, or none.
TEST(Jobs, KeyGoes)
{
    const KeyKind p256 = operations[0].kind;
    auto key = std::make_shared<Key>(in_context(key_of(p256), public_keys()));
    auto result = std::make_shared<Bytes>();
    Job job([=] { *result = sign(public_keys(), *key, "SHA256", Bytes(20, 1)); });

    job.go();
    ASSERT_FALSE(job.is_done);
    key->reset(); // what signs has the key
    job.go();
    EXPECT_TRUE(job.is_done);
    EXPECT_EQ(verify(stock(), key_of(p256), "SHA256", Bytes(20, 1), *result), 1);
}
