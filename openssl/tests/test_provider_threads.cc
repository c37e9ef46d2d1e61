// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Public keys in several threads: operations done together, threads that go away, fork, unloading, faults; and how batches are
// counted.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <map>
#include <mutex>
#include <openssl/provider.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "counters.h"
#include "lanecrypt/cpu.h"
#include "public_support.h"

using Clock = std::chrono::steady_clock;

// The module's calls come here, too: a system that takes any advice and follows none, as QEMU's emulation of programs does
extern "C" int madvise(void *p, size_t len, int advice) noexcept
{
    return getenv("LC_TEST_NO_ADVICE") ? 0 : static_cast<int>(syscall(SYS_madvise, p, len, advice));
}

// And so do its calls for random bytes, in the middle of operations.
static thread_local std::function<void()> *when_random;

extern "C" ssize_t getrandom(void *bytes, size_t len, unsigned flags)
{
    if (when_random)
        (*when_random)();
    return syscall(SYS_getrandom, bytes, len, flags);
}

static OSSL_LIB_CTX *threaded()
{
    static OSSL_LIB_CTX *ctx = context(THREADS_CONF);
    return ctx;
}

// ---- What the module has counted, found as `lanecrypt doctor` does it ----

static const lcp_counters *find_counters(const char *module)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    const lcp_counters *found = nullptr;
    char line[1000], permissions[8] = "";
    unsigned long begin, end;

    while (!found && fgets(line, sizeof(line), maps)) {
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, permissions) != 3 || strncmp(permissions, "rw", 2) != 0 ||
            !strstr(line, module))
            continue;
        Bytes all(end - begin);
        if (pread(memory, all.data(), all.size(), static_cast<off_t>(begin)) != static_cast<ssize_t>(all.size()))
            ADD_FAILURE() << "no memory";
        for (size_t i = 0; i + sizeof(lcp_counters) <= all.size() && !found; i += LCP_COUNTERS_ALIGN)
            if (memcmp(all.data() + i, LCP_COUNTERS_MAGIC, sizeof(LCP_COUNTERS_MAGIC)) == 0)
                found = reinterpret_cast<const lcp_counters *>(begin + i);
    }
    fclose(maps);
    close(memory);
    if (!found)
        ADD_FAILURE() << module << " has no counters";
    return found;
}

struct Counts {
    uint64_t alone = 0, in_jobs = 0, in_threads = 0; // operations
    uint64_t batches = 0, smallest = 0; // of threads
};

static Counts counts(const char *name, const char *module = "/lanecrypt.so")
{
    static std::map<std::string, const lcp_counters *> found; // modules stay where they are
    static std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    const lcp_counters *&c = found[module];
    Counts sum;

    if (!c)
        c = find_counters(module);

    for (size_t i = 0; c && i < LCP_MAX_KINDS; i++) {
        if (strcmp(c->kinds[i].name, name) != 0)
            continue;
        sum.alone = __atomic_load_n(&c->kinds[i].alone, __ATOMIC_RELAXED);
        for (size_t n = LCP_MAX_BATCH; n > 0; n--) {
            uint64_t num = __atomic_load_n(&c->kinds[i].in_threads[n - 1], __ATOMIC_RELAXED);

            sum.in_jobs += n * __atomic_load_n(&c->kinds[i].in_jobs[n - 1], __ATOMIC_RELAXED);
            sum.in_threads += n * num;
            sum.batches += num;
            if (num)
                sum.smallest = n;
        }
    }
    return sum;
}

// ---- Operations ----

struct Operation {
    std::string name;
    const char *mode, *counted_as;
    KeyKind kind;
    size_t enough; // how many are done together; 0: they never are

    std::string impl() const
    {
        lc_impl_info info;

        for (size_t i = 0; lc_impl_get(mode, i, &info) == LC_OK; i++)
            if (info.selected)
                return info.name;
        return "";
    }
    // Where the core does one operation after the other nothing is combined.
    size_t least() const { return impl().find("-avx512ifma") != std::string::npos ? enough : 0; }
    // One RSA signature is the default provider's, if that is as fast.
    bool is_alone_in_core() const { return impl() != "rsa-avx512ifma-256" && impl() != "rsa-portable"; }
};

static const std::vector<Operation> operations = {
    { "Rsa", "rsa", "rsa 2048 PKCS #1", { "RSA", "2048", "SHA256" }, 4 },
    { "Rsa3072", "rsa", "rsa 3072 PKCS #1", { "RSA", "3072", "SHA384" }, 4 },
    { "P256Sign", "ecdsa-p256", "ecdsa P-256", { "EC", "P-256", "SHA256" }, 0 },
    { "Sm2Sign", "sm2", "sm2", { "SM2", "", "SM3" }, 0 },
    { "P256Exchange", "ecdh-p256", "ecdh P-256", { "EC", "P-256", "" }, 6 },
    { "P384Exchange", "ecdh-p384", "ecdh P-384", { "EC", "P-384", "" }, 4 },
    { "X25519", "x25519", "x25519", { "X25519", "", nullptr }, 0 },
};

// The same operation again and again; each thread has other keys, but for RSA's.
class Worker {
public:
    Worker(const Operation &o, size_t n, OSSL_LIB_CTX *c)
        : op(o), number(op.kind.algorithm == "RSA" ? 0 : n % 3), ctx(c), stock_key(key_of(op.kind, number))
    {
        const bool is_exchange = !op.kind.hash || !*op.kind.hash;

        key = in_context(key_of(op.kind, number), ctx);
        if (!is_exchange)
            return;
        peer = in_context(key_of(op.kind, (number + 1) % 3), ctx, true);
        expected = derive(stock(), key_of(op.kind, number), key_of(op.kind, (number + 1) % 3));
    }
    bool once() const
    {
        if (peer)
            return derive(ctx, key, peer) == expected;
        return verify(stock(), stock_key, op.kind.hash, message, sign(ctx, key, op.kind.hash, message)) == 1;
    }

private:
    const Operation &op;
    size_t number;
    OSSL_LIB_CTX *ctx;
    const Key &stock_key; // (key_of() has a lock, which a child may find locked)
    Key key, peer;
    Bytes expected, message = Bytes(20, 7);
};

static std::vector<std::unique_ptr<Worker>> workers(const Operation &op, size_t num, OSSL_LIB_CTX *ctx)
{
    std::vector<std::unique_ptr<Worker>> all;

    for (size_t i = 0; i < num; i++)
        all.push_back(std::make_unique<Worker>(op, i, ctx));
    return all;
}

// All at the same time, until that is so, or seconds have passed.  Answers how many results were wrong.
static std::atomic<uint64_t> num_done;

static int in_threads(const std::vector<std::unique_ptr<Worker>> &all, const std::function<bool()> &is_enough)
{
    std::vector<std::thread> threads;
    std::atomic<int> wrong{ 0 };
    std::atomic<bool> stop{ false };
    const auto end = Clock::now() + std::chrono::seconds(20);

    for (const auto &worker : all)
        threads.emplace_back([&] {
            for (; !stop; num_done++)
                wrong += !worker->once();
        });
    while (!is_enough() && Clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    stop = true;
    for (std::thread &thread : threads)
        thread.join();
    return wrong;
}

static std::function<bool()> after_ms(int ms)
{
    return [ms, end = Clock::time_point()]() mutable {
        if (end == Clock::time_point())
            end = Clock::now() + std::chrono::milliseconds(ms);
        return Clock::now() >= end;
    };
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

// Few threads do their own, at once; many are done together, as many as is worth it; and then few are alone again.
TEST_P(EachOperation, Together)
{
    threaded();
    const Counts begin = counts(op.counted_as);

    EXPECT_EQ(in_threads(workers(op, op.least() ? op.least() - 1 : 8, threaded()), after_ms(100)), 0);
    const Counts few = counts(op.counted_as);
    EXPECT_EQ(few.in_threads, begin.in_threads);
    EXPECT_TRUE(!op.is_alone_in_core() || few.alone > begin.alone);
    EXPECT_EQ(few.in_jobs, 0u);
    if (!op.least())
        return;
    num_done = 0;
    EXPECT_EQ(in_threads(workers(op, 12, threaded()), [&] { return counts(op.counted_as).batches > few.batches + 20; }), 0);
    const Counts many = counts(op.counted_as);
    if (op.is_alone_in_core()) {
        // Nobody has given up, and done it once more.  If a batch's thread gets no CPU for 100 ms, all others of that batch do.
        const uint64_t num_counted = many.alone - few.alone + many.in_threads - few.in_threads;
        EXPECT_GE(num_counted, num_done);
        EXPECT_LE(num_counted, num_done + num_done / 4);
    }
    EXPECT_GT(many.batches, few.batches + 20);
    EXPECT_GE(many.smallest, op.least());

    // The first one still expects others, but not for long; the next ones don't.
    const auto one = workers(op, 1, threaded());
    const auto time = Clock::now();
    EXPECT_TRUE(one[0]->once());
    EXPECT_LT(Clock::now() - time, std::chrono::seconds(5));
    rusage begin_usage, end_usage;
    getrusage(RUSAGE_THREAD, &begin_usage);
    for (int i = 0; i < 5; i++)
        EXPECT_TRUE(one[0]->once());
    getrusage(RUSAGE_THREAD, &end_usage);
    EXPECT_LT(end_usage.ru_nvcsw - begin_usage.ru_nvcsw, 3); // times that it slept
    const Counts last = counts(op.counted_as);
    EXPECT_EQ(last.in_threads, many.in_threads);
    EXPECT_TRUE(!op.is_alone_in_core() || last.alone == many.alone + 6);
}

// Those that sleep are woken when their result is there.  (Otherwise all but one would take as long as one gives others.)
TEST(Threads, Woken)
{
    const auto all = workers(operations[0], 8, threaded());
    const Counts before = counts(operations[0].counted_as);
    std::vector<std::thread> threads;
    std::atomic<uint64_t> num_slow{ 0 };
    std::atomic<bool> stop{ !operations[0].least() };

    for (const auto &worker : all)
        threads.emplace_back([&] {
            while (!stop) {
                const auto time = Clock::now();

                worker->once();
                num_slow += Clock::now() - time >= std::chrono::milliseconds(95);
                stop = stop || counts(operations[0].counted_as).batches > before.batches + 10;
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_LE(num_slow * 2, counts(operations[0].counted_as).in_threads - before.in_threads);
}

// Without the setting nobody waits for others.
TEST(Threads, OffByDefault)
{
    threaded(); // counts
    const Counts before = counts("rsa 2048 PKCS #1");

    EXPECT_EQ(in_threads(workers(operations[0], 12, public_keys()), after_ms(100)), 0);
    EXPECT_EQ(counts("rsa 2048 PKCS #1").batches, before.batches);
}

// Some results of each batch are wrong, and known to be: none of them is seen.
TEST_P(EachOperation, Faults)
{
    OSSL_LIB_CTX *ctx = context(FAULTY_CONF);
    const auto is_enough = [&] { return counts(op.counted_as, "/faulty.so").batches > 10; };

    EXPECT_EQ(in_threads(workers(op, 8, ctx), op.least() ? std::function<bool()>(is_enough) : after_ms(100)), 0);
    EXPECT_TRUE(!op.least() || is_enough());
    OSSL_LIB_CTX_free(ctx);
}

// A child has none of the parent's threads, and waits for none of them; its own ones are done together again.
TEST(Threads, Fork)
{
    if (!operations[0].least() || dlsym(RTLD_DEFAULT, "__asan_init")) // whose malloc() a child can't use if others were in it
        GTEST_SKIP() << "no lanes, or AddressSanitizer";
    const auto all = workers(operations[0], 8, threaded());
    const Counts before = counts(operations[0].counted_as);
    int num_failed = 0;

    EXPECT_EQ(in_threads(all,
                         [&] {
                             static int num;

                             if (counts(operations[0].counted_as).batches < before.batches + 3)
                                 return false;
                             pid_t child = fork();
                             int status = -1;

                             if (child == 0) {
                                 alarm(60);
                                 bool ok = true;
                                 const auto time = Clock::now();

                                 for (int i = 0; i < 3; i++)
                                     ok = all[0]->once() && ok;
                                 ok = ok && Clock::now() - time < std::chrono::seconds(10);
                                 if (num % 5 == 0 && !dlsym(RTLD_DEFAULT, "__tsan_init")) { // which allows no threads there
                                     const Counts own = counts(operations[0].counted_as);

                                     ok = in_threads(all,
                                                     [&] { return counts(operations[0].counted_as).batches > own.batches + 3; }) ==
                                              0 &&
                                          ok;
                                     ok = ok && counts(operations[0].counted_as).batches > own.batches + 3;
                                 }
                                 _exit(ok ? 0 : 1);
                             }
                             waitpid(child, &status, 0);
                             num_failed += status != 0;
                             return ++num == 20;
                         }),
              0);
    EXPECT_EQ(num_failed, 0);
}

// Threads that are cancelled while they wait, or while others wait for them: all others go on.
TEST(Threads, Cancelled)
{
    struct Cancelled {
        pthread_t thread;
        const Worker *worker;
        std::atomic<int> wrong{ 0 };

        static void *run(void *arg)
        {
            auto *self = static_cast<Cancelled *>(arg);

            for (;;) {
                self->wrong += !self->worker->once();
                pthread_testcancel();
            }
            return nullptr;
        }
    };
    const auto all = workers(operations[0], 6, threaded()), others = workers(operations[0], 6, threaded());
    const auto end = Clock::now() + std::chrono::milliseconds(300);

    EXPECT_EQ(in_threads(all,
                         [&] {
                             std::vector<std::unique_ptr<Cancelled>> cancelled;

                             for (const auto &worker : others) {
                                 cancelled.push_back(std::make_unique<Cancelled>());
                                 cancelled.back()->worker = worker.get();
                                 pthread_create(&cancelled.back()->thread, nullptr, Cancelled::run, cancelled.back().get());
                             }
                             std::this_thread::sleep_for(std::chrono::milliseconds(5));
                             for (const auto &c : cancelled)
                                 pthread_cancel(c->thread);
                             for (const auto &c : cancelled) {
                                 pthread_join(c->thread, nullptr);
                                 EXPECT_EQ(c->wrong, 0);
                             }
                             return Clock::now() > end;
                         }),
              0);
}

// An operation out of the middle of another one, as from a signal handler
TEST(Threads, Nested)
{
    const auto outer = workers(operations[2], 1, threaded()), inner = workers(operations[5], 1, threaded());
    const uint64_t before = counts(operations[2].counted_as).alone;
    int num = 0;
    std::function<void()> nest = [&] {
        when_random = nullptr;
        EXPECT_TRUE(inner[0]->once());
        num++;
    };

    when_random = &nest;
    EXPECT_TRUE(outer[0]->once());
    when_random = nullptr;
    EXPECT_EQ(num, static_cast<int>(counts(operations[2].counted_as).alone - before)); // 1, if it is the core's
}

// Batches' stacks have a guard of this length below them.
static size_t num_stacks()
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1000], permissions[8] = "";
    unsigned long begin, end;
    size_t num = 0;

    while (fgets(line, sizeof(line), maps))
        num +=
            sscanf(line, "%lx-%lx %7s", &begin, &end, permissions) == 3 && end - begin == 65536 && strcmp(permissions, "---p") == 0;
    fclose(maps);
    return num;
}

// The last provider that combines threads gives back all that batches had.
TEST(Threads, Unload)
{
    if (!operations[0].least())
        GTEST_SKIP() << "no lanes";
    for (int i = 0; i < 3; i++) {
        const size_t before = num_stacks();
        OSSL_LIB_CTX *ctx = context(FAULTY_CONF); // of this module there is none otherwise
        const Counts first = counts("rsa 2048 PKCS #1", "/faulty.so");

        EXPECT_EQ(in_threads(workers(operations[0], 16, ctx),
                             [&] { return counts("rsa 2048 PKCS #1", "/faulty.so").batches > first.batches + 20; }),
                  0);
        EXPECT_GT(num_stacks(), before);
        OSSL_LIB_CTX_free(ctx);
        EXPECT_EQ(num_stacks(), before);
    }
}

#if defined(__x86_64__) && !defined(LANECRYPT_SANITIZED)
// A thread that is cancelled in the middle of an operation ends as anywhere else: what it has on its own stack is cleaned up.
TEST(Threads, CancelledInOperation)
{
    struct Flag {
        bool *flag;
        ~Flag() { *flag = true; }
    };
    struct Cancelled {
        const Worker *worker;
        bool is_cleaned_up = false;

        static void *run(void *arg)
        {
            auto *self = static_cast<Cancelled *>(arg);
            const Flag flag{ &self->is_cleaned_up };
            std::function<void()> cancel = [] {
                pthread_cancel(pthread_self());
                pthread_testcancel();
            };

            when_random = &cancel;
            self->worker->once();
            cancel(); // if it isn't the core's
            return arg;
        }
    };
    const auto worker = workers(operations[2], 1, threaded());

    for (int i = 0; i < 10; i++) {
        Cancelled cancelled{ worker[0].get() };
        pthread_t thread;
        void *result = nullptr;

        ASSERT_EQ(pthread_create(&thread, nullptr, Cancelled::run, &cancelled), 0);
        pthread_join(thread, &result);
        EXPECT_EQ(result, PTHREAD_CANCELED);
        EXPECT_TRUE(cancelled.is_cleaned_up);
    }
}

// Threads and coroutines may have small stacks, with which the default provider can do: 16 KB of this one are enough for it.
static bool once_on_small_stack(const Operation &operation, void *(*run)(void *worker))
{
    std::vector<std::unique_ptr<Worker>> worker = workers(operation, 1, threaded());
    pthread_attr_t attributes;
    pthread_t thread;
    void *is_right = nullptr;

    if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstacksize(&attributes, 40 * 1024) != 0 ||
        pthread_create(&thread, &attributes, run, worker[0].get()) != 0)
        return false;
    pthread_join(thread, &is_right);
    pthread_attr_destroy(&attributes);
    return is_right != nullptr;
}

static void *once(void *worker)
{
    return static_cast<Worker *>(worker)->once() ? worker : nullptr;
}

TEST(Threads, SmallStacks)
{
    threaded(); // counts
    for (const Operation &operation : operations) {
        const Counts before = counts(operation.counted_as);

        EXPECT_TRUE(once_on_small_stack(operation, once)) << operation.name;
        EXPECT_GE(counts(operation.counted_as).alone, before.alone + operation.is_alone_in_core()) << operation.name;
    }
}

// A thread that may map no memory, by its sandbox, gets no other stack.  On its own the core would have too little room.
static void *once_in_sandbox(void *worker)
{
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    };
    const sock_fprog program = { sizeof(filter) / sizeof(filter[0]), filter };

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return nullptr;
    return once(worker);
}

TEST(Threads, SandboxWithoutMemory)
{
    threaded();
    for (const Operation &operation : operations) {
        const Counts before = counts(operation.counted_as);

        EXPECT_TRUE(once_on_small_stack(operation, once_in_sandbox)) << operation.name;
        EXPECT_EQ(counts(operation.counted_as).alone, before.alone) << operation.name;
    }
}
#endif
