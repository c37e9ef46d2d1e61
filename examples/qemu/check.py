#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""check.py VECTORS --have N [--wrong INSTRUCTION]... -- COMMAND...: a guest's instructions against the file of vectors.

COMMAND runs guest.c.  The guest has to have exactly N of the file's instructions, and all cases of them have to come out as the
file has them; of those named by --wrong, "GUEST NAME", at least one has to come out otherwise.
"""
import argparse
import json
import pathlib
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split(":")[0])
    parser.add_argument("vectors", type=pathlib.Path)
    parser.add_argument("--have", type=int, required=True, metavar="N")
    parser.add_argument("--wrong", action="append", default=[], metavar="INSTRUCTION")
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()

    questions, expected = [], []
    for i in json.loads(args.vectors.read_text())["instructions"]:
        kinds = [operand.split()[0] for operand in i["operands"]] + [i["result"].split()[0]]
        for case in i["cases"]:
            # Numbers without zeros in front
            values = ["b" + text if kind == "block" else f"n{int(text, 16):x}" for kind, text in zip(kinds, case)]
            questions.append("\t".join([i["guest"], i["instruction"], *values[:-1]]))
            expected.append((f"{i['guest']} {i['instruction']}", values[-1]))
    run = subprocess.run(args.command, input="\n".join(questions) + "\n", stdout=subprocess.PIPE, text=True)
    answers = run.stdout.splitlines()
    if run.returncode or len(answers) != len(expected):
        sys.exit(f"check.py: {args.command[0]}: exit status {run.returncode}, {len(answers)} answers of {len(expected)}")

    cases, wrong = {}, {}
    for (instruction, result), answer in zip(expected, answers):
        if answer != "-":
            cases[instruction] = cases.get(instruction, 0) + 1
            wrong[instruction] = wrong.get(instruction, 0) + (answer != result)
    found = [name for name, count in wrong.items() if count]
    print(f"{len(cases)} instructions, {sum(cases.values())} cases" +
          "".join(f"; wrong: {name}, {wrong[name]} of {cases[name]}" for name in found))
    if len(cases) != args.have:
        sys.exit(f"check.py: {args.command[0]} should have {args.have} instructions: {', '.join(cases)}")
    if sorted(found) != sorted(args.wrong):
        sys.exit(f"check.py: {args.command[0]}: these should be wrong: {', '.join(args.wrong) or 'none'}")


if __name__ == "__main__":
    main()
