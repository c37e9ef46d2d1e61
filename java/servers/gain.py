#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
gain.py JDK JAR [SERVER...]: the CPU time that HTTPS servers take for a request, by SunJCE and by our provider (the agent).

run.sh comes before it; curl asks, over one connection.  Two JVMs, one with the agent, answer in turns, so that other work on the
machine hits both.  A figure is microseconds of CPU of the server's JVM for a request, all of it: TLS, HTTP, the kernel's part.  It
is the median of the rounds after a warm-up, without the JIT's threads; and, behind "first", the mean of the first 100 requests
after the start, with them, the median of a few starts.
"""
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = {"short": (15000, 3000), "long": (800, 150)}  # requests for the warm-up, and in a round
FIRST = 100
SUITES = "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
ROUNDS = 5
STARTS = 3


class Jvm:
    def __init__(self, jdk, server, port, options):
        with open(os.path.join(HERE, "target/class-path")) as file:
            classes = f"{HERE}/target/classes:{file.read()}"
        self.port = port
        self.process = subprocess.Popen(
            [f"{jdk}/bin/java", "-Xmx512m", "--enable-native-access=ALL-UNNAMED", *options, "-cp", classes,
             "org.lanecrypt.servers.Https", server, f"{HERE}/target/keys/server.p12", str(port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def cpu(self, with_compilers):
        """Nanoseconds, of the threads that are there."""
        total = 0
        for task in os.scandir(f"/proc/{self.process.pid}/task"):
            with open(f"{task.path}/comm") as comm, open(f"{task.path}/schedstat") as times:
                if with_compilers or "Compiler" not in comm.read():
                    total += int(times.read().split()[0])
        return total

    def ask(self, page, suite, requests, with_compilers=False):
        before = self.cpu(with_compilers)
        curl = subprocess.run(["curl", "-skf", "--tls13-ciphers", suite, "-o", "/dev/null",
                               f"https://localhost:{self.port}/{page}?[1-{requests}]"], check=False)
        if curl.returncode or self.process.poll() is not None:
            sys.exit("gain.py: the server doesn't answer")
        return (self.cpu(with_compilers) - before) / 1e3 / requests

    def wait(self):
        for _ in range(300):
            if self.process.poll() is not None:
                sys.exit("gain.py: the server has ended")
            probe = subprocess.run(["curl", "-sk", "-o", "/dev/null", f"https://localhost:{self.port}/short"], check=False)
            if probe.returncode == 0:
                return
            time.sleep(0.1)
        sys.exit("gain.py: the server doesn't start")


def measure(jdk, jar, server, suite):
    options = {"SunJCE": [], "Lanecrypt": [f"-javaagent:{jar}=required"]}
    first = {page: {who: [] for who in options} for page in PAGES}
    for page in [*PAGES] * STARTS:  # a JVM of its own for each page's first requests
        for who, extra in options.items():
            jvm = Jvm(jdk, server, 18443, extra)
            jvm.wait()
            first[page][who].append(jvm.ask(page, suite, FIRST, True))
            jvm.process.kill()
            jvm.process.wait()
    jvms = {who: Jvm(jdk, server, 18443 + i, extra) for i, (who, extra) in enumerate(options.items())}
    for jvm in jvms.values():
        jvm.wait()
    warm = {page: {who: [] for who in jvms} for page in PAGES}
    for page, (warm_up, requests) in PAGES.items():
        for jvm in jvms.values():
            jvm.ask(page, suite, warm_up)
        for _ in range(ROUNDS):
            for who, jvm in jvms.items():
                warm[page][who].append(jvm.ask(page, suite, requests))
    for jvm in jvms.values():
        jvm.process.kill()
        jvm.process.wait()
    for page in PAGES:
        ratio = statistics.median(b / a for a, b in zip(*(warm[page][who] for who in ("SunJCE", "Lanecrypt"))))
        a, b = (statistics.median(warm[page][who]) for who in ("SunJCE", "Lanecrypt"))
        c, d = (statistics.median(first[page][who]) for who in ("SunJCE", "Lanecrypt"))
        print(f"{server:7s} {suite:29s} {page:5s} {a:8.1f} {b:8.1f} {ratio:6.2f}  first {c:8.1f} {d:8.1f} {d / c:6.2f}", flush=True)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    jdk, jar, *servers = sys.argv[1:]
    for suite in SUITES:
        for server in servers or ["jetty", "tomcat", "netty"]:
            measure(os.path.realpath(jdk), os.path.realpath(jar), server, suite)


if __name__ == "__main__":
    main()
