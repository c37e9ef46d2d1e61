#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# usage: test_luks.sh PATH-TO-lanecrypt WORKDIR
#
# A LUKS volume that other programs made, opened by `lanecrypt xts`, and one that `lanecrypt xts` made, opened by them.
# mke2fs makes a file system from real files, qemu-img puts it into a LUKS1 volume (with its own AES-XTS), cryptsetup
# gives the volume key. qemu-img knows LUKS1 only, with sectors of 512 bytes; for LUKS2 with 4096 cryptsetup makes the
# header and GRUB, which brings an AES-XTS of its own, reads what we put after it.
# Needs qemu-utils, cryptsetup-bin, e2fsprogs, python3, grub-common (grub-fstest; skipped without); no root and no device mapper.
# WORKDIR is made if need be; about 250 MB are used in it and freed again.
# shellcheck disable=SC2086 # $secret is two words, and the numbering in grub() may be none
set -u
[ $# -eq 2 ] || { echo "usage: $0 PATH-TO-lanecrypt WORKDIR" >&2; exit 2; }
PATH=$PATH:/usr/sbin:/sbin
lanecrypt=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd) || exit 1
mkdir -p "$2" || exit 1
dir=$(mktemp -d "$2/luks.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1

passed=0
ok()
{
    passed=$((passed + 1))
    echo "ok $passed: $*"
}
fail()
{
    echo "FAILED: $*"
    exit 1
}
for program in qemu-img cryptsetup mke2fs e2fsck python3; do
    command -v $program >/dev/null || fail "$program is missing (apt install qemu-utils cryptsetup-bin e2fsprogs python3)"
done

size=$((48 << 20))
secret="--object secret,id=s,data=correct-horse"
printf correct-horse >passphrase

# A file system of some 20 MB of real files.
mkdir tree
find -L /usr/share/doc /usr/include -type f -size -1024k 2>/dev/null | sort | head -n 3000 >list
tar -c -h -T list 2>/dev/null | tar -x -C tree 2>/dev/null
[ "$(find tree -type f | wc -l)" -gt 100 ] || fail "found no files to put into the image"
truncate -s $size ext4.img
mke2fs -q -F -t ext4 -d tree ext4.img || fail "mke2fs"
e2fsck -fn ext4.img >e2fsck.log 2>&1 || fail "e2fsck refuses what mke2fs made"

# luks_field NAME: a number in the header
luks_field() { cryptsetup luksDump "$luks" | sed -n "s/^$1:[[:space:]]*\([0-9]*\).*/\1/p"; }

for cipher in aes-128 aes-256; do
    luks=$cipher.luks
    # qemu-img times 32,768 turns of its key derivation first, and gives up ("Unable to get accurate CPU usage") if the
    # kernel's clock of CPU time has not ticked meanwhile. SHA-256 by its instructions is that fast half of the time;
    # SHA-512 takes twice as long. Try again after all.
    tries=0
    until qemu-img convert -O luks $secret -o "key-secret=s,cipher-alg=$cipher,cipher-mode=xts,ivgen-alg=plain64" \
        -o hash-alg=sha512,iter-time=10 ext4.img $luks 2>convert.log; do
        tries=$((tries + 1))
        [ $tries -lt 20 ] || fail "qemu-img convert -O luks: $(cat convert.log)"
    done
    cryptsetup luksDump $luks | grep -q '^Cipher mode:.*xts-plain64' || fail "$luks is not xts-plain64"
    cryptsetup luksDump --dump-volume-key --volume-key-file $cipher.key --batch-mode --key-file passphrase $luks \
        >/dev/null || fail "cryptsetup luksDump --dump-volume-key"
    offset=$(($(luks_field "Payload offset") * 512))
    [ $(($(stat -c %s $cipher.key) * 8)) -eq "$(luks_field "MK bits")" ] || fail "volume key"
    [ $offset -gt 0 ] || fail "payload offset"

    "$lanecrypt" xts decrypt -q --key-file $cipher.key --offset $offset --length $size $luks plain.img ||
        fail "lanecrypt xts decrypt"
    cmp ext4.img plain.img || fail "$cipher: the decrypted file system differs"
    e2fsck -fn plain.img >e2fsck.log 2>&1 || fail "$cipher: e2fsck: $(cat e2fsck.log)"
    rm plain.img
    "$lanecrypt" xts decrypt -q --luks --key-file passphrase $luks plain.img || fail "lanecrypt xts decrypt --luks"
    head -c $size plain.img | cmp ext4.img || fail "$cipher: --luks: the decrypted file system differs"
    rm plain.img
    ok "$cipher: a LUKS volume made by qemu-img: the file system is back, byte for byte, and e2fsck finds no errors"

    # The other way round: the same header, then our ciphertext; in one go, or in place in the file.
    head -c $offset $luks >ours.luks
    "$lanecrypt" xts encrypt -q --key-file $cipher.key ext4.img payload || fail "lanecrypt xts encrypt"
    cat payload >>ours.luks
    qemu-img compare $secret --image-opts driver=raw,file.filename=ext4.img \
        driver=luks,key-secret=s,file.filename=ours.luks >compare.log 2>&1 || fail "$cipher: $(cat compare.log)"
    qemu-img convert $secret --image-opts driver=luks,key-secret=s,file.filename=ours.luks -O raw back.img ||
        fail "qemu-img convert of our volume"
    cmp ext4.img back.img || fail "$cipher: qemu-img reads something else from our volume"
    e2fsck -fn back.img >e2fsck.log 2>&1 || fail "$cipher: e2fsck: $(cat e2fsck.log)"
    ok "$cipher: a LUKS volume made by us: qemu-img compare and convert give the file system back"

    head -c $offset $luks >inplace.luks
    cat ext4.img >>inplace.luks
    "$lanecrypt" xts encrypt -q --key-file $cipher.key --offset $offset --in-place inplace.luks || fail "--in-place"
    cmp ours.luks inplace.luks || fail "$cipher: --in-place after a header differs"
    ok "$cipher: --in-place after the header: the same"

    # That these comparisons can fail at all: sector numbers off by one.
    "$lanecrypt" xts decrypt -q --key-file $cipher.key --offset $offset --length $size --first-sector 1 $luks \
        wrong.img || fail "lanecrypt xts decrypt"
    cmp -s ext4.img wrong.img && fail "$cipher: --first-sector 1 decrypts as well: cmp proves nothing"
    e2fsck -fn wrong.img >/dev/null 2>&1 && fail "$cipher: e2fsck accepts garbage"
    rm wrong.img payload back.img
    "$lanecrypt" xts encrypt -q --key-file $cipher.key --first-sector 1 ext4.img payload || fail "lanecrypt xts encrypt"
    head -c $offset $luks >ours.luks
    cat payload >>ours.luks
    qemu-img compare $secret --image-opts driver=raw,file.filename=ext4.img \
        driver=luks,key-secret=s,file.filename=ours.luks >/dev/null 2>&1 &&
        fail "$cipher: qemu-img compare accepts garbage"
    ok "$cipher: with sector numbers off by one all of this fails, as it must"
    rm -f payload ours.luks inplace.luks $luks $cipher.key
done

# LUKS2, whose header --luks reads by libcryptsetup: sectors of 4096 bytes, numbered in units of 512.  Nobody has to
# be root, and the volume may be read-only.
luks2_volume()
{
    luks=luks2-volume.img
    rm -f $luks luks2-volume.key
    truncate -s 16M $luks
    cryptsetup luksFormat --batch-mode --type luks2 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --key-file passphrase \
        "$@" $luks || fail "luksFormat $*"
    cryptsetup luksDump --dump-volume-key --volume-key-file luks2-volume.key --batch-mode --key-file passphrase $luks >/dev/null ||
        fail "cryptsetup luksDump --dump-volume-key"
    offset=$(luks_field "	offset")
}
refused()
{
    word=$1
    shift
    setsid "$lanecrypt" xts decrypt -q --luks "$@" out.img 2>refused.log && fail "--luks opens it: $*"
    grep -q "$word" refused.log || fail "--luks $*: $(cat refused.log)"
    [ ! -e out.img ] || fail "--luks $*: there is an out.img"
}
head -c 4M ext4.img >text.img
for sector_size in 512 4096; do
    luks2_volume --cipher aes-xts-plain64 --key-size 512 --sector-size $sector_size --offset 8192
    head -c 4M /dev/zero >>$luks
    truncate -s $((offset + (4 << 20))) $luks
    dd if=text.img of=$luks bs=1M oflag=seek_bytes seek="$offset" conv=notrunc status=none
    "$lanecrypt" xts encrypt -q --key-file luks2-volume.key --offset "$offset" --sector-size $sector_size --iv-512 --in-place \
        $luks || fail "lanecrypt xts encrypt"
    chmod 444 $luks
    "$lanecrypt" xts decrypt -q --luks --key-file - $luks plain.img <passphrase || fail "lanecrypt xts decrypt --luks"
    cmp text.img plain.img || fail "LUKS2, $sector_size: --luks decrypts to something else"
    if [ "$(id -u)" = 0 ] && chmod 711 "$dir" && mkdir -p -m 777 other && cp $luks passphrase other && chmod 444 other/*; then
        "$(command -v setpriv)" --reuid 65534 --regid 65534 --clear-groups "$lanecrypt" xts decrypt -q --luks --key-file \
            other/passphrase other/$luks other/plain.img || fail "--luks needs root"
        cmp text.img other/plain.img || fail "LUKS2, as another user: --luks decrypts to something else"
    fi
    rm -rf plain.img other
    ok "LUKS2 with sectors of $sector_size bytes: --luks"
done
printf wrong >wrong
refused "no key slot opens by this passphrase" --key-file wrong $luks
head -c 9000 /dev/zero >long
refused "more than the 8192 bytes" --key-file long $luks
refused "has no header of LUKS1 or LUKS2" --key-file passphrase text.img
refused "No such file" --key-file passphrase none.img
refused "the header says what" --key-file passphrase --sector-size 512 $luks
refused "the header says what" --key-file passphrase --offset 0 $luks
refused "no terminal" $luks
rm -f $luks
luks2_volume --cipher aes-xts-plain --key-size 256 --offset 8192 # another one may need the kernel for its key slots
refused "its cipher isn't aes-xts-plain64" --key-file passphrase $luks
luks2_volume --cipher aes-xts-plain64 --key-size 512 --offset 8192
rm -f tty.log
# What is typed before the prompt is there would be lost.
(timeout 50 sh -c 'until grep -qs "Passphrase: " tty.log; do sleep 0.1; done'; cat passphrase; echo) |
    timeout 60 script -qec "'$lanecrypt' xts decrypt --luks $luks plain.img" /dev/null >tty.log 2>&1
[ "$(stat -c %s plain.img)" = $((12 << 20)) ] || fail "--luks, passphrase typed: $(cat tty.log)"
# ^C ends it, and what is typed is seen again.
rm plain.img
(sleep 2 && printf '\003' && sleep 1) | timeout 60 script -qec \
    "trap : INT; '$lanecrypt' xts decrypt --luks $luks plain.img; echo status \$?; stty" /dev/null >tty.log 2>&1
grep -q "status 130" tty.log && ! grep -q -e "-echo\>" tty.log && [ ! -e plain.img ] || fail "--luks, ^C: $(cat tty.log)"
for type in luks1 luks2; do
    pbkdf="--pbkdf pbkdf2 --pbkdf-force-iterations 1000"
    truncate -s 16M header.img
    # shellcheck disable=SC2086
    cryptsetup luksFormat --batch-mode --type $type $pbkdf --key-file passphrase --cipher aes-xts-plain64 \
        --key-size 512 --header header.img text.img || fail "luksFormat --header"
    refused "is a detached header" --key-file passphrase header.img
    rm header.img
done

# Headers that libcryptsetup reads, but that xts would follow wrongly
luks2_volume --cipher aes-xts-plain64 --key-size 512 --sector-size 4096 --offset 8192
# header WORD OLD NEW
header()
{
    cp $luks changed.img
    python3 "$here/luks2_header.py" changed.img "$2" "$3" || fail "luks2_header.py"
    [ "$1" ] || return 0
    refused "$1" --key-file passphrase changed.img
}
header "numbers don't begin with 0" '"iv_tweak":"0"' '"iv_tweak":"8"'
header "isn't encrypted, or not only by software" '"type":"crypt"' '"type":"linear"'
header "requirements" '"config":{' '"config":{"requirements":{"mandatory":["none-such"]},'
header "sectors have 2097152 bytes" '"sector_size":4096' '"sector_size":2097152'
header "header says that the data reach past its end" '"size":"dynamic"' '"size":"33554432"'
header "" '"size":"dynamic"' '"size":"1048576"'
"$lanecrypt" xts decrypt -q --luks --key-file passphrase changed.img plain.img || fail "--luks, a segment with an end"
[ "$(stat -c %s plain.img)" = 1048576 ] || fail "--luks, a segment with an end: $(stat -c %s plain.img) bytes"
rm changed.img plain.img
ok "--luks takes a passphrase from a terminal; it refuses wrong ones, other files, options and ciphers"
rm -f $luks text.img

# grub NUMBERING: make a LUKS2 volume with sectors of 4096 bytes, let GRUB copy a file out of it into grub.file.
# GRUB asks for the passphrase on the terminal, in a dialogue that needs a moment to begin.
grub()
{
    rm -f grub.file payload
    head -c $offset luks2.img >ours.luks
    "$lanecrypt" xts encrypt -q --key-file luks2.key --sector-size 4096 $1 ext4.img payload || fail "xts encrypt $1"
    cat payload >>ours.luks
    (sleep 2 && cat passphrase && echo) | timeout 60 script -qec \
        "grub-fstest -C '$PWD/ours.luks' cp '(crypto0)/$file' '$PWD/grub.file'" /dev/null >grub.log 2>&1
    cmp -s grub.file "tree/$file"
}
if command -v grub-fstest >/dev/null; then
    file=$(cd tree && find usr -type f -size +20k | sort | head -n 1)
    truncate -s 40M luks2.img
    cryptsetup luksFormat --batch-mode --type luks2 --cipher aes-xts-plain64 --key-size 512 --sector-size 4096 \
        --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --hash sha256 --key-file passphrase luks2.img || fail "luksFormat"
    cryptsetup luksDump --dump-volume-key --volume-key-file luks2.key --batch-mode --key-file passphrase luks2.img \
        >/dev/null || fail "cryptsetup luksDump --dump-volume-key"
    luks=luks2.img
    offset=$(luks_field "	offset")
    [ "$offset" -gt 0 ] || fail "payload offset"
    grub --iv-512 || fail "GRUB cannot read our LUKS2 volume: $(cat grub.log)"
    ok "LUKS2 with sectors of 4096 bytes, --iv-512: GRUB reads $file from it"
    grub "" && fail "GRUB reads it without --iv-512 too"
    ok "without --iv-512 GRUB reads nothing, as it must"
else
    echo "skipped: LUKS2: no grub-fstest"
fi

echo "$passed passed, 0 failed"
