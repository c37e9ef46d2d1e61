#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Writes what run.sh has measured into a document, between two markers, and a chart beside it.

usage: report.py RESULTS DOCUMENT.md

A figure is the geometric mean over the rounds; ± is half the 95 % confidence interval of that mean (Student's t of the
logarithms). Ratios are taken within a round, where both were measured a few seconds apart.
"""
import json
import math
import pathlib
import statistics
import sys

BEGIN = "<!-- figures: begin; written by java/bench/report.py -->"
END = "<!-- figures: end -->"
OURS = "Lanecrypt"
PROVIDERS = ["SunJCE", "SunJCE, `UseAVX=2`", OURS, "ACCP", "Conscrypt", "BC"]
# of Student's distribution, 97.5 %, by degrees of freedom
T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]
NAMES = {"AesGcm": "GCM", "AesCtr": "CTR", "ChaCha20": "ChaCha20", "ChaCha20Poly1305": "ChaCha20-Poly1305",
         "AES/GCM/NoPadding": "AES-256-GCM"}


DIRECTIONS = {"encrypt": "encrypt", "decrypt": "decrypt", "newCipher": "encrypt with a new Cipher"}


class Figure:
    """Geometric mean and relative error of one value per round; there are two rounds at least."""

    def __init__(self, values):
        logs = [math.log(v) for v in values]
        self.mean = math.exp(statistics.fmean(logs))
        self.error = math.expm1(T[len(logs) - 2] * statistics.stdev(logs) / math.sqrt(len(logs)))

    def __str__(self):
        digits = max(0, 2 - math.floor(math.log10(self.mean)))
        return f"{self.mean:.{digits}f} ±{100 * self.error:.0f} %"

    def ratio(self):
        return f"**{self.mean:.2f}** ±{self.mean * self.error:.2f}"


def ratios(numerators, denominators):
    """Of two dictionaries by round."""
    return Figure([numerators[r] / denominators[r] for r in numerators if r in denominators])


def jdk_name(run):
    return f"{run['vmName'].split()[0]} {run['jdkVersion']}"


def read_jmh(results):
    """{JDK: {(direction, cipher): {provider: {bytes: {round: (operations per ms, bytes allocated per operation)}}}}}"""
    jdks = {}
    for path in sorted(results.glob("*/*.json")):
        for run in json.loads(path.read_text()):
            if ".SealMany." in run["benchmark"]:
                continue
            name, direction = run["benchmark"].split(".")[-2:]
            params = run["params"]
            cipher = NAMES[name]
            if "keyBits" in params:
                cipher = f"AES-{params['keyBits']}-{cipher}"
            provider = params["provider"]
            if "-XX:UseAVX=2" in run["jvmArgs"]:
                provider += ", `UseAVX=2`"
            cell = (run["primaryMetric"]["score"], run["secondaryMetrics"]["gc.alloc.rate.norm"]["score"])
            jdks.setdefault(jdk_name(run), {}).setdefault((direction, cipher), {}).setdefault(provider, {}) \
                .setdefault(int(params["bytes"]), {})[path.parent.name] = cell
    return jdks


def read_many(results):
    """{(JDK, algorithm, bytes): {benchmark: {round: messages per ms}}}"""
    cells = {}
    for path in sorted(results.glob("*/many-*.json")):
        for run in json.loads(path.read_text()):
            params = run["params"]
            cells.setdefault((jdk_name(run), params["algorithm"], params["bytes"]), {}) \
                .setdefault(run["benchmark"].split(".")[-1], {})[path.parent.name] = run["primaryMetric"]["score"]
    return cells


def read_cold(results):
    """{JDK: {(cipher, bytes): {provider: {round: [ms to load; then to finish operations 1, 10, 100, 1000]}}}}"""
    jdks = {}
    for path in sorted(results.glob("*/cold-*.tsv")):
        for line in path.read_text().splitlines():
            jdk, provider, transformation, size, *times = line.split("\t")
            cipher = NAMES.get(transformation, transformation)
            jdks.setdefault(jdk, {}).setdefault((cipher, int(size)), {}) \
                .setdefault(provider, {})[path.parent.name] = [float(t) for t in times]
    return jdks


def speeds(cell):
    return {r: speed for r, (speed, _) in cell.items()}


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"] + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def size_name(size):
    return "1 MiB" if size == 1 << 20 else f"{size >> 10} KiB" if size >= 16384 else str(size)


def throughput_table(ciphers, direction):
    chosen = {cipher: by_provider for (d, cipher), by_provider in ciphers.items() if d == direction}
    lengths = sorted({n for by_provider in chosen.values() for cells in by_provider.values() for n in cells})
    rows = []
    for cipher, by_provider in chosen.items():
        for provider in sorted(by_provider, key=PROVIDERS.index):
            cells = by_provider[provider]
            rows.append([cipher, provider] + [str(Figure(speeds(cells[n]).values())) if n in cells else "" for n in lengths])
        ours = by_provider[OURS]
        for provider in [p for p in PROVIDERS if p in by_provider and p != OURS]:
            theirs = by_provider[provider]
            both = ours.keys() & theirs.keys()
            rows.append([cipher, f"{OURS} / {provider}"]
                        + [ratios(speeds(ours[n]), speeds(theirs[n])).ratio() if n in both else "" for n in lengths])
    return table([f"{DIRECTIONS[direction]}, bytes", ""] + [str(n) for n in lengths], rows)


def allocation_table(ciphers):
    providers = [p for p in PROVIDERS if any(p in by_provider for by_provider in ciphers.values())]
    rows = []
    for (direction, cipher), by_provider in ciphers.items():
        row = [f"{cipher}, {direction}"]
        for provider in providers:
            norms = [norm for cell in by_provider.get(provider, {}).values() for _, norm in cell.values()]
            low, high = (round(min(norms)), round(max(norms))) if norms else (None, None)
            row.append("" if low is None else str(low) if low == high else f"{low} to {high}")
        rows.append(row)
    return table(["bytes allocated an operation"] + providers, rows)


def many_table(cells):
    rows = [[*key, *(str(Figure(cell[how].values())) for how in ("oneByOne", "together")),
             ratios(cell["together"], cell["oneByOne"]).ratio()] for key, cell in cells.items()]
    return table(["", "", "bytes", "Cipher, one by one", "Aead.sealMany", "ratio"], rows)


def cold_table(cells):
    rows = []
    for (cipher, size), by_provider in cells.items():
        name = f"{cipher}, {size_name(size)}"
        for provider in sorted(by_provider, key=PROVIDERS.index):
            rows.append([name, provider] + [str(Figure(column)) for column in zip(*by_provider[provider].values())])
        columns = range(5)
        theirs, ours = ([{r: times[i] for r, times in by_provider[p].items()} for i in columns] for p in ("SunJCE", OURS))
        rows.append([name, f"SunJCE / {OURS}", ""] + [ratios(theirs[i], ours[i]).ratio() for i in columns[1:]])
    return table(["new JVM, ms", "", "to load", "then 1", "10", "100", "1000"], rows)


def chart(jdks, path):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "lanecrypt", "svg.fonttype": "none", "font.size": 9})
    import matplotlib.pyplot as plt
    from matplotlib.ticker import NullLocator

    figure, axes = plt.subplots(1, len(jdks), figsize=(4.4 * len(jdks), 3.6), sharey=True, squeeze=False)
    for axis, (jdk, ciphers) in zip(axes[0], jdks.items()):
        for marker, ((direction, cipher), by_provider) in zip("os^Dv", [c for c in ciphers.items() if c[0][0] == "encrypt"]):
            lengths = sorted(by_provider[OURS])
            points = [ratios(speeds(by_provider[OURS][n]), speeds(by_provider["SunJCE"][n])) for n in lengths]
            errors = [p.mean * p.error for p in points]
            # an error bar that would reach below 0 can't be drawn on a logarithmic axis
            below = [min(e, 0.9 * p.mean) for e, p in zip(errors, points)]
            axis.errorbar(lengths, [p.mean for p in points], [below, errors], label=cipher, marker=marker, markersize=4, capsize=2)
        axis.axhline(1, color="grey", linewidth=0.8)
        axis.set(title=jdk, xlabel="bytes a message", xscale="log", yscale="log", ylim=(0.5, 50))
        measured = sorted({n for by_provider in ciphers.values() for n in by_provider[OURS]})
        axis.set_xticks(measured, [str(n) for n in measured])
        ticks = [0.5, 1, 2, 5, 10, 20, 50]
        axis.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.xaxis.set_minor_locator(NullLocator())
        axis.yaxis.set_minor_locator(NullLocator())
        axis.grid(alpha=0.3)
    axes[0][0].set_ylabel("encryption, times SunJCE's speed")
    axes[0][0].legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: report.py RESULTS DOCUMENT.md")
    results, document = map(pathlib.Path, sys.argv[1:])
    text = document.read_text()
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        sys.exit(f"report.py: {document} must have one line '{BEGIN}' and one '{END}' after it")
    rounds = len(list(results.glob("*/")))
    if rounds < 2:
        sys.exit(f"report.py: {results} has {rounds} rounds; the error needs at least two")
    jdks = read_jmh(results)

    lines = [BEGIN, "", f"{(results / 'cpu').read_text().strip()}; {rounds} rounds.", "",
             f"![Encryption, times SunJCE's speed]({document.stem}.svg)", ""]
    for jdk, ciphers in jdks.items():
        lines += [f"**{jdk}**, thousand operations a second:", ""]
        for direction in [d for d in DIRECTIONS if any(d == key[0] for key in ciphers)]:
            lines += throughput_table(ciphers, direction)
        lines += allocation_table(ciphers)
    lines += ["**32 messages**, thousand messages a second:", ""] + many_table(read_many(results))
    for jdk, cells in read_cold(results).items():
        lines += [f"**{jdk}**, cold:", ""] + cold_table(cells)
    lines.append(END)

    chart(jdks, document.with_suffix(".svg"))
    document.write_text(text[:text.index(BEGIN)] + "\n".join(lines) + text[text.index(END) + len(END):])


main()
