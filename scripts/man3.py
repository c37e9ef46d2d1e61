#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
Section 3 of the manual, made of the headers: man3.py FOLDER PAGE HEADER...

Writes FOLDER/lc_gcm.3 for gcm.h, in mdoc(7), and one file for each of its functions that refers to it.  What a header says of
itself is the description; each comment before functions, types or macros is a subsection.  The date is that of PAGE, another one
of the manual.
"""
import os
import re
import sys
import textwrap

COLUMNS = 126  # of a comment's text: where the headers' lines are broken


def split(header):
    """The header as pairs of a comment's lines and the code after it.  Code without a comment belongs to the one before it."""
    text = re.sub(r"(?s)\A/\* SPDX.*?\*/\n", "", header)
    text = re.sub(r'(?ms)^#ifdef __cplusplus\n(extern "C" {|})\n#endif\n', "", text)
    text = re.sub(r"(?m)^#(ifndef|define) LANECRYPT_\w+_H\n|^#include .*\n|^#endif\n\Z", "", text)
    pairs = []
    for comment, code in re.findall(r"(?s)(?:^|(?<=\n))/\*[ \n](.*?)\*/[ \n](.*?)(?=\n/\*[ \n]|\Z)", text):
        lines = [re.sub(r"^ \*( |$)", "", line).rstrip() for line in comment.rstrip(" \n").split("\n")]
        pairs.append((lines, code.strip("\n")))
    return pairs


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def plain(text):
    """A line of text for roff: nothing of it is an instruction."""
    text = text.replace("\\", "\\e")
    return "\\&" + text if text.startswith((".", "'")) else text


def literal(lines):
    return [".Bd -literal -compact"] + [plain(line) or "\\&" for line in lines] + [".Ed"]


ITEM = re.compile(r" {2,3}((?![ -])\S.{0,40}?)(?: {2,}(?=\S)|$(?<=  LC_OK))")  # "  term  text"


def formatted(lines):
    """A comment's text: paragraphs, lists of terms with what they mean, and what has to stay as it is."""
    out, i = [], 0
    while i < len(lines):
        if ITEM.match(lines[i]):  # its lines are those that begin in the text's column or after it
            begin, longest = len(out), 0
            while i < len(lines) and (item := ITEM.match(lines[i])):
                longest = max(longest, len(item[1]))
                text = lines[i][item.end():]
                i += 1
                while i < len(lines) and lines[i].startswith(" " * item.end()) and not ITEM.match(lines[i]):
                    text += " " + lines[i].strip()
                    i += 1
                out += [".It " + " ".join(term(word) for word in item[1].split())] + sentences(text)
            out.insert(begin, f".Bl -tag -width {min(longest, 20)}n -compact")
            out.append(".El")
        elif lines[i].startswith("  "):
            block = []
            while i < len(lines) and (lines[i].startswith("  ") or not lines[i]):
                block.append(lines[i])
                i += 1
            while not block[-1]:
                block.pop()
                i -= 1
            out += literal(textwrap.dedent("\n".join(block)).split("\n"))
        elif not lines[i]:
            out.append(".Pp")
            i += 1
        else:
            text = lines[i]
            # A line was broken on purpose if the next one begins with the names of what it is about, or if it ends a sentence and
            # the next word would have fitted into it.
            while (i + 1 < len(lines) and lines[i + 1] and not lines[i + 1].startswith("  ")
                   and not (lines[i][-1] in ".:;" and (re.match(r"[\w<>, ]+(\(\))?: ", lines[i + 1])
                            or len(lines[i]) + 1 + len(lines[i + 1].split()[0]) <= COLUMNS))):
                i += 1
                text += " " + lines[i]
            i += 1
            out += sentences(text)
            if i < len(lines) and lines[i] and not lines[i].startswith("  "):
                out.append(".br")
    return out


def term(word):
    """A word of an argument of .It, where short ones may be names of macros."""
    return "\\&" + word.replace("\\", "\\e").replace('"', '\\(dq')


def sentences(text):
    return [plain(sentence) for sentence in text and re.split(r"(?<=[^.][.?!])  ?(?=[A-Z])", text)]


FUNCTION = re.compile(r"LC_API\s+(?:LC_MUST_CHECK\s+)?([^;{}]*?)(\w+)\(([^;{}]*)\);")


def prototype(function):
    kind, name, arguments = (re.sub(r"\s+", " ", part).strip() for part in function)
    return [f'.Ft "{kind}"', f".Fo {name}"] + [f'.Fa "{argument}"' for argument in arguments.split(", ")] + [".Fc"]


def public(code):
    """The rest of the code, without functions and private members."""
    code = re.sub(r"(?ms)^#if .*?^#endif$|^#pragma [^\n]*|^LC_AES_INLINE .*?^}$", "", FUNCTION.sub("", code))
    code = re.sub(r"(?s) \{(?=[^}]*/\* private)[^}]*\}", " { /* private */ }", code)
    code = re.sub(r"(?m)^struct \w+;\n?", "", code)
    return re.sub(r"\n{2,}", "\n", code).strip("\n")


def page(name, path, date):
    header = read(path)
    (about, rest), *pairs = split(header)
    functions = FUNCTION.findall(header)
    names = [function[1] for function in functions]
    title = " ".join(about[:about.index("")] if "" in about else about).split(". ")[0].rstrip(".")
    out = [f'.\\" Made of {os.path.basename(path)} by man3.py', f".Dd {date}", f".Dt {name.upper()} 3", ".Os lanecrypt", ".Sh NAME"]
    listed = names or [name]
    out += [f".Nm {n} ," for n in listed[:-1]] + [f".Nm {listed[-1]}", f".Nd {plain(title)}"]
    out += [".Sh LIBRARY", "lanecrypt (liblanecrypt, \\-llanecrypt)", ".Sh SYNOPSIS", f".In lanecrypt/{os.path.basename(path)}"]
    if public(rest):
        out += literal(public(rest).split("\n"))
    for function in functions:
        out += prototype(function)
    out += [".Sh DESCRIPTION"] + formatted(about)
    for comment, code in pairs:
        inside = [function[1] for function in FUNCTION.findall(code)]
        if comment[0].startswith("private:") or not inside and not public(code):
            continue
        text = "\n".join(comment)
        if inside:
            text = re.sub(r"\A[\w, ]+: ([a-z]+\b)?", lambda first: (first[1] or "").capitalize(), text)
        types = re.findall(r"(?m)^((?:struct|enum) \w+)(?= \{)|^#define (\w+)", code)
        heading = ", ".join(inside) or ", ".join(a or b for a, b in types[:3])
        out += [f".Ss {heading}"]
        if public(code):
            out += literal(public(code).split("\n")) + [".Pp"]
        out += formatted(text.split("\n"))
    out += [".Sh SEE ALSO"] + ([".Xr lanecrypt 3"] if name != "lanecrypt" else [".Xr lanecrypt 1"])
    return names, "\n".join(out) + "\n"


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    folder, headers = sys.argv[1], sys.argv[3:]
    date = re.search(r"(?m)^\.Dd (.*)", read(sys.argv[2]))[1]
    os.makedirs(folder, exist_ok=True)
    for path in headers:
        base = os.path.basename(path)[:-2]
        name = base if base == "lanecrypt" else "lc_" + base
        names, text = page(name, path, date)
        for file, content in [(name, text)] + [(n, f".so man3/{name}.3\n") for n in names if n != name]:
            with open(os.path.join(folder, file + ".3"), "w", encoding="utf-8") as f:
                f.write(content)


main()
