# shellcheck shell=sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# What the run.sh of the examples below have in common; they read this file, with a directory for all that is
# kept in $CACHE, and what is being shown in $what.
#
# Everything is kept in the cache; nothing is installed, the system's apt is left as it is, and root is not needed.  An entry of the
# cache is made under another name and renamed when it is whole; builds go on where they were.

: "${CACHE:?}" "${what:?}"
MIRROR=http://deb.debian.org/debian
KEYS=/usr/share/keyrings/debian-archive-keyring.gpg

say() {
    echo "run.sh: $*" >&2
}

cannot() {
    echo "SKIPPED $what: $*" >&2
    exit 77
}

# quietly LOG COMMAND...: its output into a file, which is shown if it fails
quietly() {
    log=$1
    shift
    "$@" >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        say "failed: $*; see $log"
        exit 1
    }
}

need_programs() {
    for needed; do
        command -v "$needed" >/dev/null || cannot "no program '$needed'"
    done
}

# ---- The cache ----

# lock_cache: wait for other runs
lock_cache() {
    mkdir -p "$CACHE"
    exec 9>"$CACHE/lock"
    flock -n 9 || {
        say "waiting for another run that has $CACHE"
        flock 9
    }
}

# new_entry: an empty directory, $new, in which `tree` is to be made
new_entry() {
    rm -rf "$CACHE"/.new.*
    new=$(mktemp -d "$CACHE/.new.XXXXXX")
}

# keep NAME: `tree` is whole.
keep() {
    mkdir -p "$(dirname "$1")"
    mv -T "$new/tree" "$1"
    rm -rf "$new"
}

# ---- Debian's packages, by an apt of our own ----

# need_debian: what the functions below need
need_debian() {
    need_programs apt-get dpkg-source dpkg-deb flock
    [ -r "$KEYS" ] || cannot "no $KEYS (Debian: debian-archive-keyring)"
}

# apt_get NAME..., apt_cache NAME...: with the state in apt/NAME
apt_get() {
    name=$1
    shift
    LC_ALL=C APT_CONFIG=$CACHE/apt/$name/apt.conf apt-get -q "$@"
}

apt_cache() {
    name=$1
    shift
    LC_ALL=C APT_CONFIG=$CACHE/apt/$name/apt.conf apt-cache "$@"
}

# apt_update NAME TYPE ARCHITECTURE SUITE: the lists, whose signature apt checks.  False if they can't be had.
apt_update() {
    state=$CACHE/apt/$1
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
    : >"$state/status"
    echo "$2 [signed-by=$KEYS] $MIRROR $4 main" >"$state/sources.list"
    cat >"$state/apt.conf" <<END
Dir::State "$state";
Dir::State::status "$state/status";
Dir::Cache "$state/cache";
Dir::Etc::SourceList "$state/sources.list";
Dir::Etc::SourceParts "/dev/null";
APT::Architecture "$3";
APT::Architectures { "$3"; };
APT::Sandbox::User "";
Acquire::Languages "none";
END
    apt_get "$1" update --error-on=any >"$state/log" 2>&1
}

reason() {
    grep -m 1 '^E:' "$1" || echo "see $1"
}

# unpacked NAME ARCHITECTURE PACKAGE...: $root has these packages of apt_update's NAME.  False if they can't be had: a mirror may
# list what it hasn't.
unpacked() {
    root=$CACHE/$1/$2
    name=$1-$2
    say "fetching packages for $2"
    shift 2
    new_entry
    (cd "$new" && apt_get "$name" download "$@" >"$CACHE/apt/$name/log" 2>&1) || return 1
    for deb in "$new"/*.deb; do
        dpkg-deb -x "$deb" "$new/tree" || return 1
    done
    for dir in lib lib64; do # as in a system: most packages have /lib itself
        [ ! -d "$new/tree/usr/$dir" ] || [ -d "$new/tree/$dir" ] || ln -s "usr/$dir" "$new/tree/$dir"
    done
    keep "$root"
}
