#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
check_docs.py SOURCE_DIR STATIC_LIBRARY

What a machine can check of the pages (*.md):
  - Links within the repository lead to a file, and to a heading that it has.
  - Programs in C compile as they stand, without a warning: blocks marked `c`, and what blocks marked `sh` write to a file NAME.c.
    One with a main() also runs, with exit status 0.
  - README's program is part of one of the examples.
  - README's tables of speed say what docs/speed.md says.
  - Files and folders in `code` exist, if they begin with one of the tree's folders; so do the functions, macros and features that
    begin with lc_, LC_ or LANECRYPT_, and the options that `lanecrypt COMMAND` gets, in `code` or in a block.
  - What `lanecrypt list` prints in docs/ or README has the library's sizes of machine code, to 3 %: assemblers differ by up to
    2.5 %, as Clang 19 exchanges operands where that makes an instruction shorter.
  - README has at most MAX_README_LINES lines.
"""
import os
import platform
import re
import subprocess
import sys
import tempfile

MAX_README_LINES = 130
SPEED_CPU = "AMD EPYC, Zen 4"  # whose figures README has
CC = os.environ.get("CC", "cc")

errors = []


def pages(root):
    """The paths of all pages, below ROOT."""
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", "target") and not name.startswith("build")]
        yield from (os.path.relpath(os.path.join(folder, name), root) for name in sorted(files) if name.endswith(".md"))


def split(text):
    """[(language, text)] of the fenced blocks, and the text without them."""
    blocks, rest, block = [], [], None
    for line in text.splitlines():
        fence = re.fullmatch(r" *```(\w*) *", line)
        if fence and block is None:
            block = (fence[1], [])
        elif fence:
            blocks.append((block[0], "\n".join(block[1]) + "\n"))
            block = None
        elif block is not None:
            block[1].append(line)
        else:
            rest.append(line)
    return blocks, "\n".join(rest)


def anchors(text):
    """The names that GitHub gives to the headings."""
    headings = re.findall(r"^#+ +(.*?) *$", split(text)[1], re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading)).lower().replace(" ", "-") for heading in headings}


def check_links(root, page, text):
    count = 0
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", split(text)[1])):
        if re.match(r"[a-z]+:", link):
            continue  # elsewhere
        count += 1
        path, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(root, os.path.dirname(page), path)) if path else os.path.join(root, page)
        if not os.path.exists(target):
            errors.append(f"{page}: {link}: there is no such file")
        elif anchor and anchor not in anchors(open(target, encoding="utf-8").read()):
            errors.append(f"{page}: {link}: {os.path.relpath(target, root)} has no such heading")
    return count


def tree(root, library):
    """The paths of files and folders, and the words that are in sources or, where macros make them, in the library."""
    symbols = subprocess.run(["nm", library], capture_output=True, text=True, check=True).stdout
    paths, words = set(), set(symbols.split())
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", "target") and not name.startswith("build")]
        for name in folders + files:
            paths.add(os.path.relpath(os.path.join(folder, name), root))
        for name in files:
            if re.search(r"\.([chS]|cc|def|py|sh|txt|rs|java)$", name):
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
                    words.update(re.findall(r"\w+", f.read()))
    return paths, words


def check_names(root, page, text, paths, words):
    folders = {path for path in paths if os.path.isdir(os.path.join(root, path)) and "/" not in path}
    count = 0
    for code in re.findall(r"`([^`\n]+)`", split(text)[1]):
        for path in re.findall(r"(?<![\w/.*<-])([\w.-]+/[\w./-]*\w)(?![\w/.*<{-])", code):
            if path.split("/")[0] in folders and "/target" not in path:  # what a build makes is there
                count += 1
                if path not in paths:
                    errors.append(f"{page}: {path}: there is no such file")
        for word in re.findall(r"(?<![\w<-])(?:lc|LC|LANECRYPT)_\w*[a-zA-Z0-9](?!\w|<|\*|\.\d)", code):
            count += 1
            if word not in words and platform.machine() == "x86_64":  # whose functions the pages name
                errors.append(f"{page}: {word}: no source has it")
    for command, arguments in re.findall(r"\blanecrypt ([a-z][a-z-]+) ([^`\n|>]*)", text):
        source = os.path.join(root, "cli", f"cmd_{command.replace('-', '_')}.c")
        if os.path.exists(source):
            options = re.findall(r"(?<!\S)--([a-z][a-z0-9-]+)", arguments)
            count += len(options)
            known = open(source, encoding="utf-8").read()
            errors.extend(f"{page}: lanecrypt {command} --{name}: there is no such option" for name in options
                          if f'{{ "{name}",' not in known and name != "help")
    return count


def programs(text):
    for language, block in split(text)[0]:
        if language == "c":
            yield block
        elif language == "sh":
            yield from (body for _, body in re.findall(r"^cat >\S+\.c <<'(\w+)'\n(.*?\n)\1$", block, re.M | re.S))


def check_program(root, library, page, program):
    with tempfile.TemporaryDirectory() as work:
        source, binary = os.path.join(work, "page.c"), os.path.join(work, "page")
        with open(source, "w", encoding="utf-8") as f:
            f.write(program)
        has_main = re.search(r"\bmain\(", program)
        # A part of a program may have functions that it doesn't call.
        command = [CC, "-Wall", "-Wextra", "-Werror", "-I", os.path.join(root, "include"), source]
        command += [library, "-o", binary] if has_main else ["-Wno-unused-function", "-fsyntax-only"]
        compiled = subprocess.run(command, capture_output=True, text=True)
        if compiled.returncode:
            errors.append(f"{page}: a program doesn't compile as it stands:\n{compiled.stderr}")
        elif has_main and subprocess.run([binary], capture_output=True).returncode:
            errors.append(f"{page}: a program that is shown there fails")


def check_readme_programs(root, text):
    folder = os.path.join(root, "examples")
    examples = [open(os.path.join(folder, name), encoding="utf-8").read() for name in os.listdir(folder) if name.endswith(".c")]
    for program in programs(text):
        if not any(program in example for example in examples):
            errors.append("README.md: a program is no part of any file in examples/, as it stands")


def sizes(library, include):
    """{implementation: bytes of machine code}"""
    program = """#include <lanecrypt/cpu.h>
#include <stdio.h>
int main(void)
{
    struct lc_impl_info info;
    for (size_t m = 0; lc_mode_name(m); m++)
        for (size_t i = 0; lc_impl_get(lc_mode_name(m), i, &info) == LC_OK; i++)
            printf("%s %zu\\n", info.name, info.text_len);
    return 0;
}
"""
    with tempfile.TemporaryDirectory() as work:
        binary = os.path.join(work, "sizes")
        command = [CC, "-I", include, "-x", "c", "-", "-x", "none", library, "-o", binary]
        subprocess.run(command, input=program, text=True, check=True)
        printed = subprocess.run([binary], capture_output=True, text=True, check=True).stdout
        return {name: int(size) for name, size in (line.split() for line in printed.splitlines())}


def check_sizes(page, text, known):
    shown = re.findall(r"^([a-z0-9-]+) +(?:chosen|runs) +(?:\(\*\) +)?(\d+)  needs ", text, re.M)
    errors.extend(f"{page}: {name}: {size} bytes; the library has {known.get(name)}" for name, size in shown
                  if abs(known.get(name, 0) - int(size)) > 0.03 * int(size))
    return len(shown)


def tables(text):
    """{first cell of the head: {first cell of a row: {head of the column: cell}}}, without emphasis"""
    found = {}
    for table in re.findall(r"(?:^\|.*\n)+", text + "\n", re.M):
        rows = [[cell.strip(" *") for cell in line.strip().strip("|").split("|")] for line in table.splitlines()]
        found[rows[0][0]] = {row[0]: dict(zip(rows[0][1:], row[1:])) for row in rows[2:]}
    return found


def check_speed(readme, speed):
    section = re.search(r"^## %s\n(.*?)(?=^## |\Z)" % re.escape(SPEED_CPU), speed, re.M | re.S)
    full = tables(section[1]) if section else {}
    count = 0
    for head, rows in tables(readme).items():
        mode, is_speed, _ = head.partition(", bytes")
        if not is_speed:
            continue
        if mode not in full:
            errors.append(f"README.md: {mode}: docs/speed.md has no such table for {SPEED_CPU}")
            continue
        labels = list(full[mode])
        ratio = labels.index("ours by the best of these")
        for size in rows["lanecrypt"]:
            expected = {
                "lanecrypt": full[mode][labels[0]][size],
                "best of the others": str(min(int(full[mode][peer][size]) for peer in labels[1:ratio] if full[mode][peer][size])),
                "our time by theirs": full[mode][labels[ratio]][size],
                "OpenSSL 3.0.19 (Debian 12)": full[mode]["OpenSSL 3.0.19, EVP"][size],
            }
            for label, row in rows.items():
                count += 1
                if row[size] != expected.get(label):
                    errors.append(f"README.md: {mode}, {label}, {size} bytes: {row[size]}; docs/speed.md has {expected.get(label)}")
    return count


def main():
    root, library = sys.argv[1:]
    texts = {page: open(os.path.join(root, page), encoding="utf-8").read() for page in pages(root)}
    num_links = sum(check_links(root, page, text) for page, text in texts.items())
    paths, words = tree(root, library)
    num_names = sum(check_names(root, page, text, paths, words) for page, text in texts.items())
    num_sizes = 0
    if platform.machine() == "x86_64":
        known = sizes(library, os.path.join(root, "include"))
        num_sizes = sum(check_sizes(page, text, known) for page, text in texts.items() if page.startswith(("docs/", "README.md")))
        if not num_sizes:
            errors.append("no sizes of machine code were found")
    num_programs = 0
    for page, text in texts.items():
        for program in programs(text):
            check_program(root, library, page, program)
            num_programs += 1
    readme = texts["README.md"]
    check_readme_programs(root, readme)
    num_figures = check_speed(readme, texts["docs/speed.md"])
    if len(readme.splitlines()) > MAX_README_LINES:
        errors.append(f"README.md: {len(readme.splitlines())} lines, and may have {MAX_README_LINES}")
    if not (num_links and num_names and num_programs and num_figures):
        errors.append("no links, names, programs or figures were found: these checks look at the wrong things")
    if errors:
        sys.exit("\n".join(errors))
    print(f"{len(texts)} pages: {num_links} links, {num_names} names, {num_programs} programs, {num_sizes} sizes, "
          f"{num_figures} of README's figures")


main()
