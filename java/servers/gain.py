#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
gain.py JDK JAR [SERVER...]: the CPU time that HTTPS servers take for a request, by SunJCE and by our provider (the agent).

run.sh comes before it; curl asks, over one connection.  A figure is microseconds of CPU of the server's JVM for a request, all of
it: TLS, HTTP, the kernel's part.  First for the first 100 requests, with the JIT's threads; then after a warm-up, without them.

JVMs with the same options differ, by what the JIT made of them and which was first.  So there are several pairs of new JVMs, with
another order each time, and within a pair they answer in turns.  Printed are medians, and of the ratios also the range.
"""
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = {"short": (15000, 3000), "long": (1000, 100)}  # requests for the warm-up, and in a round
FIRST = 100
SUITES = "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"  # the latter isn't in Netty's list, and Jetty has it
PAIRS, ROUNDS = 5, 4
WHO = "SunJCE", "Lanecrypt"


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


def measure_pair(jdk, jar, server, suite, page, is_odd):
    """Of each provider: the figures for the first requests and for later ones."""
    warm_up, requests = PAGES[page]
    options = {"SunJCE": [], "Lanecrypt": [f"-javaagent:{jar}=required"]}
    jvms = {}
    try:
        for who in WHO[::-1 if is_odd else 1]:
            jvms[who] = Jvm(jdk, server, 18443 + len(jvms), options[who])
        for jvm in jvms.values():
            jvm.wait()
        first = {who: jvm.ask(page, suite, FIRST, True) for who, jvm in jvms.items()}
        for jvm in jvms.values():
            jvm.ask(page, suite, warm_up)
        rounds = [{who: jvm.ask(page, suite, requests) for who, jvm in jvms.items()} for _ in range(ROUNDS)]
    finally:
        for jvm in jvms.values():
            jvm.process.kill()
            jvm.process.wait()
    return {who: (first[who], statistics.median(r[who] for r in rounds)) for who in WHO}


def measure(jdk, jar, server, suite):
    for page in PAGES:
        pairs = [measure_pair(jdk, jar, server, suite, page, i % 2 == 1) for i in range(PAIRS)]
        for when, name in enumerate(("first", "later")):
            a, b = (statistics.median(pair[who][when] for pair in pairs) for who in WHO)
            ratios = sorted(pair["Lanecrypt"][when] / pair["SunJCE"][when] for pair in pairs)
            print(f"{server:7s} {suite:29s} {page:5s} {name} {a:8.1f} {b:8.1f}  {statistics.median(ratios):.2f}"
                  f" ({ratios[0]:.2f} to {ratios[-1]:.2f})", flush=True)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    jdk, jar, *servers = sys.argv[1:]
    for suite in SUITES:
        for server in servers or (["jetty", "tomcat", "netty"] if "AES" in suite else ["jetty"]):
            measure(os.path.realpath(jdk), os.path.realpath(jar), server, suite)


if __name__ == "__main__":
    main()
