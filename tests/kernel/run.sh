#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# run.sh BUILD_DIR [build] [tcg] [secure] [uml] [bochs] [models]: the tests of the kernel module, all stages or those named.  One
# line a check, then "N passed, N failed, N skipped"; exit status 0 if nothing failed.  What can't be done here is skipped, and
# counted.
#
#   build  lanecrypt.ko for Debian's kernels 6.1 and 6.12, without a warning of the compiler, objtool or modpost; its size.
#   tcg    Debian's kernels, booted in QEMU: the drivers that this CPU should get and no others, priorities, parameters,
#          refusals, dm-crypt there and back against the kernel's own driver and QEMU's LUKS, IPsec, TLS in the kernel, fscrypt
#          and (6.12) SMB against the kernel's own drivers, loading and unloading, and (6.12) that the kernel's self-tests notice
#          when the code is wrong.
#   secure Debian's kernels in QEMU with secure boot, by firmware, shim and GRUB as they are signed: with a key enrolled such as
#          DKMS makes, the module that is signed by it is loaded; unsigned or by another key it's refused.
#   uml    the same as tcg in user-mode Linux, which is a program and runs on this CPU as it is: AVX-512 where there is some.
#          It's built with the fuzz self-tests, which also take SIMD away, so that the fallback is tested.
#   bochs  Debian's newest of these kernels on a Tiger Lake, in Bochs, which is slow: that programs keep their vector and mask
#          registers whatever driver works in their system calls, in softirqs and in dm-crypt, and that it's seen if
#          kernel_fpu_begin() is missing in any mode.
#   models the program `lanecrypt`, of build/ or where LANECRYPT_PROGRAM says, on Bochs' models of CPUs: what it finds, and what
#          it chooses.  LANECRYPT_MODELS names models, or is `all`; else it's two to which the 512-bit policy matters.
#
# QEMU emulates no AVX-512 and no VPCLMULQDQ, and VAES not rightly; in user-mode Linux kernel_fpu_begin() does nothing, there is one
# CPU, and objtool doesn't run; Bochs has everything, and is slow.  Hence all three.
#
# Kernels come by apt-get download and are unpacked in a cache (cache.sh; LANECRYPT_CACHE), never installed.  The first time that is
# 360 MB, and 6 minutes of CPU time for building user-mode Linux.  Needs no root.
#
# Files: fetch_kernel.sh, fetch_ksmbd.sh, fetch_secure.sh, build_uml.sh and uml.config make the cache's entries.  initramfs.sh,
# boot_qemu.sh, boot_secure.sh (with enroll_mok.py), boot_uml.sh and boot_bochs.sh (with bochs_rom.S) run a script in a guest, in
# which guest_init.sh is the first process; guest_main.sh, guest_policy.sh, guest_secure.sh, guest_bochs.sh and guest_models.sh are
# such scripts, guest_drivers.sh and guest_use.sh are what they share.  keep_registers.c, keep_vectors.c, tls_sockets.c and
# encrypted_dir.c are programs for guests.
set -eu

usage() {
    echo "usage: run.sh BUILD_DIR [build] [tcg] [secure] [uml] [bochs] [models]" >&2
    exit 2
}

[ $# -ge 1 ] || usage
mkdir -p "$1"
BUILD=$(cd "$1" && pwd)
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
shift
[ $# -gt 0 ] || set -- build tcg secure uml bochs models
for stage; do
    case $stage in build | tcg | secure | uml | bochs | models) ;; *) usage ;; esac
done

SERIES="6.1 6.12"
NEWEST=${SERIES##* }
# Machine code that stays in memory, in bytes: what XTS needs of it, as if there were nothing else, and all
XTS_OBJECTS="main skcipher_xts aes_bitslice aes_keys aes_xts features xts_portable rows"
XTS_TEXT_LIMIT=27648
TEXT_LIMIT=98304
RESULTS=$BUILD/results
PATH=$PATH:/usr/sbin:/sbin
: >"$RESULTS"
python3 "$ROOT/scripts/rows.py" drivers >"$BUILD/drivers"

# ---- Results ----

result() {
    echo "$*" | tee -a "$RESULTS"
}

ok() {
    result "ok   $*"
}

fail() {
    result "FAIL $*"
}

skipped() {
    result "SKIPPED $1: $2"
}

# show FILE: what there is to see when something failed
show() {
    echo "---- the end of $1:"
    tail -n 40 "$1" | cut -c 1-200
    echo "----"
}

# can WHAT PROGRAM...: are the programs there?
can() {
    what=$1
    shift
    for program; do
        command -v "$program" >/dev/null || {
            skipped "$what" "no program '$program'"
            return 1
        }
    done
}

# obtain WHAT COMMAND...: the command's output into $obtained, or a result that says why not.
obtain() {
    what=$1
    shift
    log=$BUILD/obtain.$(echo "$what" | tr -c 'a-zA-Z0-9.\n' -)
    status=0
    obtained=$("$@" 2>"$log") || status=$?
    case $status in
    0)
        sed -n "s/^using /$what: &/p" "$log"
        return 0
        ;;
    77) skipped "$what" "$(tail -n 1 "$log")" ;;
    *)
        fail "$what: ${2##*/} fails"
        show "$log"
        ;;
    esac
    return 1
}

# ---- Modules ----

# Ways to make the code wrong: NAME, FILE, and a sed expression that has to change something in it.  The name's second word is the
# mode whose drivers are wrong (gcm: also those of rfc4106; chacha20: those of rfc7539 and rfc7539esp).  The kernel's self-tests
# have to find all that are called wrong.  Some are found only by the fuzz tests, in user-mode Linux: they take SIMD away, have
# messages with ciphertext stealing after other blocks, long associated data, both in several pieces, and wrong tags.
wrong_ways() {
    cat <<'WAYS'
wrong-xts-bulk src/x86/aes_xts.S s/\.quad 0x87/.quad 0x86/
wrong-xts-pieces linux/skcipher_xts.c s/how = LC_XTS_ENCRYPTED;/;/
wrong-xts-fallback src/xts_portable.c s/\(0x87 &/(0x86 \&/
wrong-xts-stealing linux/skcipher_xts.c s/(scatterwalk_map_and_copy\(tail, req->src,) bulk_len/\1 0/
wrong-ctr-wrap linux/skcipher_ctr.c s/return \(len - 1\)/return false \&\& (len - 1)/
wrong-ctr-pieces linux/skcipher_ctr.c s/lc_ctr_add\(counter, counter, .*\);/;/
wrong-ctr-fallback src/ctr_portable.c s/lc_ctr_add\(counter, counter, LC_BITSLICE_BLOCKS\)/lc_ctr_add(counter, counter, 1)/
wrong-gcm-bulk src/x86/aes_gcm.S s/\.quad 0xc200000000000000, -1/.quad 0xc300000000000000, -1/
wrong-gcm-pieces linux/aead_gcm.c s/num_done \+= len/num_done += 0 * len/
wrong-gcm-begun linux/aead_gcm.c s/= !p->begun \&\& len/= len/
wrong-gcm-first linux/aead_gcm.c s/^( +)set_up\(msg, p->m\)/\1(void)0/
wrong-gcm-public src/x86/aes_gcm_body.h s/dec NEXT32/inc NEXT32/
wrong-gcm-blocks src/x86/aes_gcm_blocks.h s/add \$1, N32/add $2, N32/
wrong-gcm-fallback src/gcm_portable.c s/ \^ r0 >> 7;/ ^ r0 >> 6;/
wrong-gcm-setkey linux/aead_gcm.c s/\[0\] = 0xc2/[0] = 0xc3/
wrong-gcm-powers linux/gcm_portable.c s/0xe1ULL/0xe0ULL/
wrong-gcm-folded linux/aead_gcm.c s/power\[0\] >> 7;/power[0] >> 6;/
wrong-gcm-halves linux/aead_gcm.c s/= more\[1\] = power/= more[1] = 1 ^ power/
wrong-gcm-aad linux/aead.c s/req->src, aad_done, sizeof\(copy\)/req->src, 0, sizeof(copy)/
wrong-gcm-tag linux/aead.h s/crypto_memneq\(/0 \&\& crypto_memneq(/
wrong-gcm-tagpieces linux/aead.c s/crypto_memneq\(/0 \&\& crypto_memneq(/
wrong-gcm-tagplace linux/aead.h s/tag_follows = .*;/tag_follows = true;/
wrong-rfc4106-aad linux/aead.h s/req->assoclen - IPSEC_IV_LEN/req->assoclen/
wrong-chacha20-bulk src/x86/chacha20_run.h s/0x61707865/0x61707864/
wrong-chacha20-pieces linux/aead_chacha20poly1305.c s/p->first \+ len \/ 64/p->first/
wrong-chacha20-power src/x86/chacha20poly1305.c s/poly\.r\[1\] \/ 4;/poly.r[1] \/ 2;/
wrong-chacha20-fallback src/chacha20_portable.c s/0x61707865/0x61707864/
wrong-chacha20-poly1305 src/poly1305_portable.c s/\(d2 & 3\)/(d2 \& 1)/
wrong-chacha20-aad linux/aead.c s/req->src, aad_done, sizeof\(copy\)/req->src, 0, sizeof(copy)/
wrong-chacha20-tag linux/aead_chacha20poly1305.c s/err = write_or_check_tag\((.*)\);/err = write_or_check_tag(\1) \& 0;/
wrong-chacha20-tagpieces linux/aead.c s/crypto_memneq\(/0 \&\& crypto_memneq(/
wrong-chacha20-tagplace linux/aead.h s/tag_follows = .*;/tag_follows = true;/
wrong-rfc7539esp-aad linux/aead.h s/req->assoclen - IPSEC_IV_LEN/req->assoclen/
no-fpu-xts linux/skcipher_xts.c s/kernel_fpu_(begin|end)\(\);/;/
no-fpu-ctr linux/skcipher_ctr.c s/kernel_fpu_(begin|end)\(\);/;/
no-fpu-gcm linux/aead_gcm.c s/kernel_fpu_(begin|end)\(\);/;/
no-fpu-chacha20 linux/aead_chacha20poly1305.c s/kernel_fpu_(begin|end)\(\);/;/
WAYS
}

# make_module DIR KDIR [MAKE_ARGUMENT...]: DIR/linux/lanecrypt.ko, of the sources in DIR; DIR/log
make_module() (
    dir=$1 kdir=$2
    shift 2
    # Debian's kernels have types (BTF) for modules, whose making needs more programs and helps nobody here.
    make -C "$dir/linux" KDIR="$kdir" CONFIG_DEBUG_INFO_BTF_MODULES= "$@" </dev/null >"$dir/log" 2>&1
)

# copy_sources DIR
copy_sources() {
    rm -rf "$1"
    mkdir -p "$1"
    (cd "$ROOT" && find linux src include -type f \( -name '*.[chS]' -o -name '*.def' -o -name Kbuild -o -name Makefile \) \
        ! -name '*.mod.c' | tar -cf - -T -) | tar -xf - -C "$1"
}

# module WHAT DIR KDIR [MAKE_ARGUMENT...]: DIR/module/linux/lanecrypt.ko, unless it has been made; else a result
module() (
    what=$1 copy=$2/module kdir=$3
    shift 3
    [ ! -e "$copy/linux/lanecrypt.ko" ] || return 0
    copy_sources "$copy"
    make_module "$copy" "$kdir" "$@" || {
        fail "$what: lanecrypt.ko doesn't build"
        show "$copy/log"
        return 1
    }
)

# wrong_modules WHAT DIR WAYS KDIR [MAKE_ARGUMENT...]: DIR/NAME.ko for each name in WAYS
wrong_modules() (
    what=$1 out=$2 ways=$3 kdir=$4 copy=$2/wrong
    shift 4
    # One tree, in which one file at a time is wrong, so that only that one is compiled again.
    copy_sources "$copy"
    wrong_ways | while read -r name file expression; do
        case " $ways " in *" $name "*) ;; *) continue ;; esac
        sed -i -E "$expression" "$copy/$file"
        if cmp -s "$ROOT/$file" "$copy/$file"; then
            fail "$what: $name: '$expression' no longer changes anything in $file"
        elif make_module "$copy" "$kdir" "$@"; then
            mv "$copy/linux/lanecrypt.ko" "$out/$name.ko"
        else
            fail "$what: $name: doesn't build"
            show "$copy/log"
        fi
        cp "$ROOT/$file" "$copy/$file"
    done
)

# kernel WHAT SERIES: fetch_kernel.sh's directory into $obtained, and what building for it needs
kernel() {
    obtain "$1" sh "$HERE/fetch_kernel.sh" "$2" || return 1
    # shellcheck disable=SC2046
    can "$1" make size $(sed -n 's/^CC = .* .*)\(.*\)$/\1/p' "$obtained/headers/.kernelvariables")
}

# ---- Guests ----

# programs DIR NAME...: DIR/NAME, of NAME.c, for any guest
programs() {
    dir=$1
    shift
    for name; do
        gcc -O2 -Wall -Wextra -Werror -static -s -o "$dir/$name" "$HERE/$name.c"
    done
}

# collect WHAT LOG STATUS: the guest's results
collect() {
    text=$2.txt
    tr -d '\r' <"$2" >"$text"
    sed -n -E "s/^@(ok  |FAIL|SKIPPED) /\1 $1: /p" "$text" | tee -a "$RESULTS"
    count=$(grep -cE '^@(ok|FAIL|SKIPPED) ' "$text" || :)
    end=$(sed -n 's/^@end //p' "$text")
    if [ "$end" != "$count" ]; then
        case $3 in
        124 | 137) fail "$1: the guest ran out of time" ;;
        *) fail "$1: the guest stopped before its end (status $3)" ;;
        esac
    fi
    if [ "$end" != "$count" ] || grep -q '^@FAIL' "$text"; then
        show "$text"
    fi
}

make_disks() {
    for disk; do
        rm -f "$disk"
        truncate -s 48M "$disk"
    done
}

# check_image WHAT DISK TEXT: QEMU's own LUKS reads the files that the guest has written, whose sums are in TEXT
check_image() {
    plain=$2.plain
    image=driver=luks,key-secret=pass,file.driver=raw,file.file.driver=file,file.file.filename=$2
    rm -f "$plain"
    printf secret >"$2.pass"
    if ! qemu-img convert --object "secret,id=pass,file=$2.pass" --image-opts "$image" -O raw "$plain" >"$2.log" 2>&1; then
        fail "$1: qemu-img reads the LUKS disk"
        show "$2.log"
        return
    fi
    ok "$1: qemu-img reads the LUKS disk"
    for name in random known other; do
        sum=$(sed -n "s/^@data $name //p" "$3")
        rm -f "$2.file"
        debugfs -R "dump /$name $2.file" "$plain" >"$2.log" 2>&1 || :
        if [ -n "$sum" ] && [ "$(sha256sum <"$2.file" | cut -c 1-64)" = "$sum" ]; then
            ok "$1: qemu-img: /$name is what the guest wrote"
        else
            fail "$1: qemu-img: /$name isn't what the guest wrote"
        fi
    done
    if e2fsck -fn "$plain" >"$2.log" 2>&1; then
        ok "$1: qemu-img: e2fsck finds nothing"
    else
        fail "$1: qemu-img: e2fsck complains"
        show "$2.log"
    fi
    rm -f "$plain" "$2.file" "$2.pass" "$2.log"
}

# text_of FILE: the sum of all .text in what `size -A` has said but that of loading, which is freed
text_of() {
    awk '$1 ~ /^\..*text/ && $1 !~ /rodata/ && $1 != ".init.text" { sum += $2 } END { print sum + 0 }' "$1"
}

# check_text WHAT BYTES LIMIT
check_text() {
    if [ "$2" -gt 0 ] && [ "$2" -le "$3" ]; then
        ok "$1 has $2 bytes, $3 are allowed"
    else
        fail "$1 has $2 bytes, $3 are allowed"
    fi
}

# ---- Stages ----

build_one() {
    what="$1 build" dir=$BUILD/$1
    kernel "$what" "$1" || return 0
    rm -rf "$dir/module"
    module "$what" "$dir" "$obtained/headers" W=1 || return 0
    ok "$what: lanecrypt.ko"
    if grep -iE 'warning|objtool' "$dir/module/log"; then
        fail "$what: no warnings (W=1) of compiler, objtool and modpost"
    else
        ok "$what: no warnings (W=1) of compiler, objtool and modpost"
    fi
    size -A "$dir/module/linux/lanecrypt.ko" >"$dir/size"
    init=$(awk '$1 == ".init.text" { print $2 }' "$dir/size")
    check_text "$what: .text (without .init.text, $init)" "$(text_of "$dir/size")" $TEXT_LIMIT
    for object in $XTS_OBJECTS; do
        size -A "$dir/module/linux/$object.o"
    done >"$dir/size"
    check_text "$what: .text of what XTS needs" "$(text_of "$dir/size")" $XTS_TEXT_LIMIT
}

tcg_one() {
    what="$1 tcg" dir=$BUILD/$1 series=$1
    can "$what" gcc qemu-system-x86_64 qemu-img debugfs e2fsck busybox cryptsetup dmsetup ip mke2fs cpio || return 0
    kernel "$what" "$1" || return 0
    debian=$obtained
    module "$what" "$dir" "$debian/headers" || return 0
    ko=$dir/module/linux/lanecrypt.ko

    # The boot with less of a CPU: without AES, and with AVX that CPUID shows but the kernel doesn't save.
    sh "$HERE/initramfs.sh" "$dir/policy.gz" "$HERE/guest_policy.sh" "$debian/modules" "$ko" "$HERE/guest_drivers.sh" \
        "$BUILD/drivers"
    status=0
    case $1 in
    6.1) policy="$what, noxsave" cpu=max line=noxsave ;;
    *) policy="$what, no AES or SSSE3" cpu=max line=clearcpuid=aes,ssse3 ;;
    esac
    sh "$HERE/boot_qemu.sh" "$debian" "$dir/policy.gz" "$dir/policy.log" 120 $cpu "$line" || status=$?
    collect "$policy" "$dir/policy.log" $status

    # That the self-tests find it, one kernel shows: these take half of the time.
    wrong=no-fpu-xts
    [ "$series" != "$NEWEST" ] || wrong="$wrong wrong-xts-bulk wrong-xts-pieces wrong-ctr-wrap wrong-gcm-bulk wrong-gcm-pieces \
        wrong-chacha20-bulk wrong-chacha20-pieces"
    wrong_modules "$what" "$dir" "$wrong" "$debian/headers"
    programs "$dir" keep_registers keep_vectors tls_sockets encrypted_dir
    # In 6.1 the client doesn't take the server's first encrypted answer, whatever drivers they have.
    set --
    if [ "$series" = 6.12 ] && obtain "$what" sh "$HERE/fetch_ksmbd.sh"; then
        set -- "$obtained"/*
    fi
    sh "$HERE/initramfs.sh" "$dir/main.gz" "$HERE/guest_main.sh" "$debian/modules" "$HERE/guest_drivers.sh" \
        "$HERE/guest_use.sh" "$BUILD/drivers" "$ko" "$dir"/*.ko "$@" \
        "$dir/keep_registers" "$dir/keep_vectors" "$dir/tls_sockets" "$dir/encrypted_dir"
    make_disks "$dir/a.img" "$dir/b.img"
    status=0
    sh "$HERE/boot_qemu.sh" "$debian" "$dir/main.gz" "$dir/main.log" 300 max "" "$dir/a.img" "$dir/b.img" || status=$?
    collect "$what" "$dir/main.log" $status
    check_image "$what" "$dir/a.img" "$dir/main.log.txt"
}

secure_one() {
    what="$1 secure" dir=$BUILD/$1
    can "$what" gcc qemu-system-x86_64 busybox cpio openssl python3 || return 0
    obtain "$what" sh "$HERE/fetch_secure.sh" || return 0
    secure=$obtained
    kernel "$what" "$1" || return 0
    debian=$obtained
    module "$what" "$dir" "$debian/headers" || return 0
    hash=$(sed -n 's/^CONFIG_MODULE_SIG_HASH="\(.*\)"$/\1/p' "$debian/headers/.config")
    strip -g -o "$dir/unsigned" "$dir/module/linux/lanecrypt.ko"
    for key in signed other; do
        # as DKMS makes its own, and signs: by the hash that the kernel was configured with
        openssl req -new -x509 -nodes -days 36500 -subj "/CN=DKMS module signing key" -newkey rsa:2048 -keyout "$dir/$key.key" \
            -outform DER -out "$dir/$key.der" -addext extendedKeyUsage=codeSigning 2>"$dir/$key.log"
        "$debian/headers/scripts/sign-file" "$hash" "$dir/$key.key" "$dir/$key.der" "$dir/unsigned" "$dir/$key"
    done
    PROGRAMS="" sh "$HERE/initramfs.sh" "$dir/secure.gz" "$HERE/guest_secure.sh" - "$dir/unsigned" "$dir/other" "$dir/signed"
    status=0
    sh "$HERE/boot_secure.sh" "$debian" "$secure" "$dir/secure.gz" "$dir/secure.log" 300 "$dir/signed.der" || status=$?
    collect "$what" "$dir/secure.log" $status
}

uml_one() {
    what=uml dir=$BUILD/uml
    can "$what" make qemu-img debugfs e2fsck busybox cryptsetup dmsetup ip mke2fs cpio || return 0
    obtain "$what" sh "$HERE/build_uml.sh" || return 0
    uml=$obtained

    # It needs ptrace, which containers may forbid.
    echo 'ok it runs' >"$dir/hello.sh"
    sh "$HERE/initramfs.sh" "$dir/hello.gz" "$dir/hello.sh" -
    status=0
    sh "$HERE/boot_uml.sh" "$uml" "$dir/hello.gz" "$dir/hello.log" 60 "" || status=$?
    if grep -q "Operation not permitted" "$dir/hello.log" && ! grep -q '^@end' "$dir/hello.log"; then
        skipped "$what" "user-mode Linux may not run here: $(grep -m 1 "Operation not permitted" "$dir/hello.log")"
        return 0
    fi
    collect "$what" "$dir/hello.log" $status

    module "$what" "$dir" "$uml" ARCH=um || return 0
    if grep -i warning "$dir/module/log"; then
        fail "$what: lanecrypt.ko: no warnings"
    else
        ok "$what: lanecrypt.ko: no warnings"
    fi
    wrong_modules "$what" "$dir" "$(wrong_ways | grep -o '^wrong-[^ ]*' | tr '\n' ' ')" "$uml" ARCH=um
    cat /proc/cpuinfo >"$dir/cpuinfo"
    sh "$HERE/initramfs.sh" "$dir/main.gz" "$HERE/guest_main.sh" - "$HERE/guest_drivers.sh" "$BUILD/drivers" "$dir/cpuinfo" \
        "$dir/module/linux/lanecrypt.ko" "$dir"/*.ko
    make_disks "$dir/a.img" "$dir/b.img"
    status=0
    sh "$HERE/boot_uml.sh" "$uml" "$dir/main.gz" "$dir/main.log" 300 "" "$dir/a.img" "$dir/b.img" || status=$?
    collect "$what" "$dir/main.log" $status
    check_image "$what" "$dir/a.img" "$dir/main.log.txt"
}

bochs_one() {
    what="$1 bochs" dir=$BUILD/$1
    can "$what" gcc bochs busybox cryptsetup dmsetup ip mke2fs cpio objcopy xz zstd || return 0
    [ -e /usr/share/bochs/BIOS-bochs-latest ] || {
        skipped "$what" "no BIOS in /usr/share/bochs (Debian: bochsbios)"
        return 0
    }
    kernel "$what" "$1" || return 0
    debian=$obtained
    module "$what" "$dir" "$debian/headers" || return 0
    wrong_modules "$what" "$dir" "no-fpu-xts no-fpu-ctr no-fpu-gcm no-fpu-chacha20" "$debian/headers"
    programs "$dir" keep_vectors tls_sockets
    sh "$HERE/initramfs.sh" "$dir/bochs.gz" "$HERE/guest_bochs.sh" "$debian/modules" "$HERE/guest_drivers.sh" "$HERE/guest_use.sh" \
        "$BUILD/drivers" "$dir/module/linux/lanecrypt.ko" "$dir"/no-fpu-*.ko "$dir/keep_vectors" "$dir/tls_sockets"
    status=0
    sh "$HERE/boot_bochs.sh" "$debian" "$dir/bochs.gz" "$dir/bochs.log" 600 tigerlake cryptomgr.notests || status=$?
    collect "$what" "$dir/bochs.log" $status
}

# Bochs' models, and what the CPUs have of feature_list.h, by their makers' documents
models() {
    haswell="ssse3 sse4.1 aes pclmulqdq avx avx2 bmi2"
    skylake_x="$haswell avx512f avx512bw avx512vl"
    ice_lake="$haswell vpclmulqdq vaes avx512f avx512bw avx512vl avx512ifma gfni sha_ni"
    cat <<END
core2_penryn_t9600 ssse3 sse4.1
corei5_arrandale_m520 ssse3 sse4.1 aes pclmulqdq
corei7_sandy_bridge_2600k ssse3 sse4.1 aes pclmulqdq avx
zambezi ssse3 sse4.1 aes pclmulqdq avx
ryzen $haswell sha_ni
corei7_haswell_4770 $haswell
corei7_skylake_x $skylake_x
corei3_cnl $skylake_x avx512ifma sha_ni
corei7_icelake_u $ice_lake
tigerlake $ice_lake
END
}

model_one() {
    what="model $1" dir=$BUILD/models/$1
    models | sed -n "s/^$1 //p" >"$dir.features"
    [ -s "$dir.features" ] || {
        fail "$what: run.sh doesn't know its features"
        return 0
    }
    python3 "$ROOT/scripts/rows.py" chosen x86 "$(tr ' ' , <"$dir.features")" >"$dir.chosen"
    PROGRAMS="" sh "$HERE/initramfs.sh" "$dir.gz" "$HERE/guest_models.sh" - "$PROGRAM" "$dir.features:features" \
        "$dir.chosen:chosen"
    status=0
    sh "$HERE/boot_bochs.sh" "$debian" "$dir.gz" "$dir.log" 300 "$1" cryptomgr.notests || status=$?
    collect "$what" "$dir.log" $status
    rm -f "$dir.gz"
}

all_models() {
    what=models
    PROGRAM=${LANECRYPT_PROGRAM:-$ROOT/build/cli/lanecrypt}
    can "$what" bochs busybox cpio objcopy xz zstd || return 0
    [ -x "$PROGRAM" ] || {
        skipped "$what" "no program $PROGRAM (./dev build)"
        return 0
    }
    obtain "$what" sh "$HERE/fetch_kernel.sh" 6.1 || return 0
    debian=$obtained
    names=${LANECRYPT_MODELS:-corei7_skylake_x corei7_icelake_u}
    [ "$names" != all ] || names=$(models | cut -d ' ' -f 1)
    # shellcheck disable=SC2086
    set -- $names
    while [ $# -gt 0 ]; do
        # shellcheck disable=SC2086
        at_once model_one $1 ${2-}
        shift $(($# > 1 ? 2 : 1))
    done
}

# at_once FUNCTION NAME...: for all names; one that dies is a failure, whatever it has reported.
at_once() {
    function=$1
    shift
    for job; do
        (
            $function "$job"
            touch "$BUILD/done.$job"
        ) &
    done
    wait
    for job; do
        [ -e "$BUILD/done.$job" ] || fail "$job: $function has died"
        rm -f "$BUILD/done.$job"
    done
}

# Jobs in the background don't hear Ctrl-C.
trap 'trap "" TERM; kill 0; exit 130' INT
for series in $SERIES uml models; do
    rm -rf "${BUILD:?}/$series"
    mkdir -p "$BUILD/$series"
done
for stage; do
    # shellcheck disable=SC2086
    case $stage in
    build) at_once build_one $SERIES ;;
    tcg) at_once tcg_one $SERIES ;;
    secure) at_once secure_one $SERIES ;;
    bochs) at_once bochs_one "$NEWEST" ;;
    uml) at_once uml_one uml ;;
    models) all_models ;;
    esac
done

passed=$(grep -c '^ok ' "$RESULTS" || :)
failed=$(grep -c '^FAIL ' "$RESULTS" || :)
skipped=$(grep -c '^SKIPPED ' "$RESULTS" || :)
[ "$failed" = 0 ] || grep '^FAIL ' "$RESULTS"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
