#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
speed_table.py RESULT.json...

Tables for docs/speed.md of what `lanecrypt speed --json RESULT.json --peer PEER` has written: one table for each algorithm and
direction, a column for each size, a row for each implementation and peer.  There may be several peers, each in runs of its own,
and several runs of each: a figure is the median of its runs.  "By the best": our time by that of the best peer, from samples that
took turns with it.
"""
import collections
import json
import statistics
import sys


def load(paths):
    """(alg, op) -> size -> "impl" or "peer" -> name -> figures"""
    tables = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for path in paths:
        with open(path, encoding="utf-8") as f:
            result = json.load(f)
        for row in result["rows"]:
            size = f"{row['batch']} x {row['size']}" if row["batch"] > 1 else str(row["size"])
            cell = tables[row["alg"], "" if row["alg"] in result["one_op"] else row["op"]]
            cell[size]["impl", row["impl"]].append(row["cycles"] / row["batch"])
            for peer in row["peers"]:
                name = f"{peer['name']} {peer['version']}"
                cell[size]["peer", name].append(peer["ns"] * row["cycles"] / row["ns"] / row["batch"])
                cell[size]["ratio", row["impl"], name].append(1 / peer["ratio"])
    return tables


def best_ratio(cell, impl):
    ratios = [statistics.median(v) for key, v in cell.items() if key[:2] == ("ratio", impl)]
    return f"{max(ratios):.2f}" if ratios else ""


def print_table(alg, op, table):
    sizes = list(table)
    names = list(dict.fromkeys(key for cell in table.values() for key in cell if key[0] != "ratio"))
    impls = [name for kind, name in names if kind == "impl"]
    print(f"| {alg.upper()}{', opening' if op == 'open' else ''} | {' | '.join(sizes)} |")
    print("| --- " * (len(sizes) + 1) + "|")

    def line(title, values):
        print(f"| {title} | {' | '.join(values)} |")

    for key in sorted(names, key=lambda key: key[0] == "peer"):
        line(f"`{key[1]}`" if key[0] == "impl" else key[1],
             [f"{statistics.median(cell[key]):.0f}" if key in cell else "" for cell in table.values()])
    if any(key[0] == "peer" for key in names):
        for impl in impls:
            line("by the best of these" if len(impls) == 1 else f"`{impl}` by the best of these",
                 [best_ratio(cell, impl) for cell in table.values()])
    print()


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    for (alg, op), table in load(sys.argv[1:]).items():
        print_table(alg, op, table)


if __name__ == "__main__":
    main()
