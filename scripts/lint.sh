#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# ./dev lint: what compilers don't see, in half a minute.  --fix: clang-format lays C and C++ out first.
# Java isn't here, as its builds have javac's -Xlint:all -Werror.
set -eu
cd "$(dirname "$0")/.."

die() {
    echo "dev: lint: $*" >&2
    exit 2
}

case "$*" in '' | --fix) ;; *) die "'$*': --fix or nothing" ;; esac
for program in clang-format-19 shellcheck pyflakes3 pycodestyle; do
    command -v $program >/dev/null || die "there is no $program; ./dev setup test installs it on Debian 12 or later"
done

# Git knows which files are the project's.  Without it, all are that are in no folder of a build.
checkout=$(git rev-parse --git-dir 2>/dev/null) || checkout=

# files PATTERN...: those that are there, committed or not; no name has a space
files() {
    if [ -n "$checkout" ]; then
        git ls-files --cached --others --exclude-standard -- "$@" | sort -u | while IFS= read -r file; do
            [ ! -f "$file" ] || echo "$file"
        done
    else
        find . -path './build*' -prune -o -name target -prune -o -type f -print | sed 's,^\./,,' | sort |
            while IFS= read -r file; do
            # shellcheck disable=SC2254
            for pattern in "${@:-*}"; do
                case $file in $pattern) echo "$file" ;; esac
            done
        done
    fi
}

c_files() {
    files '*.c' '*.h' '*.cc'
}

layout() {
    c_files | xargs -n 20 -P "$(nproc)" clang-format-19 --dry-run -Werror --ferror-limit=3 || {
        echo "./dev lint --fix mends this; what is easier to read by hand goes between /* clang-format off */ and on"
        return 1
    }
}

shell() {
    files | xargs awk 'FNR == 1 && (/^#!.*\/(ba|da|)sh/ || FILENAME ~ /\.sh$/) { print FILENAME }' |
        xargs -n 8 -P "$(nproc)" shellcheck
}

python() {
    status=0
    files '*.py' | xargs pyflakes3 || status=1
    files '*.py' | xargs pycodestyle --max-line-length=132 || status=1
    return $status
}

rust() {
    command -v rustfmt >/dev/null || {
        echo "SKIPPED rust: there is no rustfmt"
        return 0
    }
    files '*.rs' | xargs rustfmt --check --edition 2021 --config-path proofs
}

lines() {
    files | python3 scripts/lint_text.py lines
}

licences() {
    status=0
    files | python3 scripts/lint_text.py licences || status=1
    # Debian 12's doesn't know REUSE.toml; Debian 13's does.
    case $(reuse --version 2>/dev/null | sed -n 's/^reuse, version //p') in
    '') echo "SKIPPED reuse lint: there is no reuse 4 or later" ;;
    *) reuse lint --lines || status=1 ;;
    esac
    return $status
}

# Of the commits that are here since the rule is checked; a clone may be shallow.
commits() {
    [ -n "$checkout" ] || {
        echo "SKIPPED commits: this folder is not a git checkout"
        return 0
    }
    git log --no-merges --since=2026-11-22T20:00:00Z --format='%h %s' | awk '
        { commit = $1; sub(/^[^ ]* /, "") }
        length($0) > 72 { print commit ": " length($0) " columns, more than 72: " $0; status = 1 }
        /\.$/ { print commit ": a full stop: " $0; status = 1 }
        END { if (status) print "docs/conventions.md has the rule for the subjects of commits"; exit status }'
}

[ "$*" != --fix ] || c_files | xargs clang-format-19 -i
failed=
for check in layout shell python rust lines licences commits; do
    start=$(date +%s)
    if $check; then result=ok; else result=FAIL failed="$failed $check"; fi
    echo "lint: $check: $result, $(($(date +%s) - start)) s"
done
[ -z "$failed" ] || { echo "dev: lint:$failed: see above" >&2; exit 1; }
