# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=dash
# In the guest: what asks the kernel for our algorithms besides dm-crypt: IPsec, TLS in the kernel, fscrypt and SMB.  Each has an
# end that took its driver before our module was loaded, and one that takes ours: so drivers that know nothing of each other have
# to agree.
# Called with the module not loaded; leaves it like that.

# best_of ALGORITHM: the driver that who asks should get
best_of() {
    local best="" driver
    for driver in $EXPECTED; do
        [ "$(algorithm_of "$driver")" != "$1" ] || [ "$(priority_of "$driver")" = 2 ] || best=$driver
    done
    echo "$best"
}

# ---- IPsec: ESP, transport mode, between two network namespaces ----

# busybox's shell would take its own, which is less.
ip() {
    /sbin/ip "$@"
}

RFC4106="rfc4106(gcm(aes))"
RFC7539="rfc7539esp(chacha20,poly1305)"

# associations NAMESPACE: AES-GCM in the network 10.0.0.0/24, ChaCha20-Poly1305 in 10.0.1.0/24
associations() {
    local key=0x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223
    ip -n "$1" xfrm state add src 10.0.0.1 dst 10.0.0.2 proto esp spi 1 mode transport aead "$RFC4106" $key 128 &&
        ip -n "$1" xfrm state add src 10.0.0.2 dst 10.0.0.1 proto esp spi 2 mode transport aead "$RFC4106" $key 128 &&
        ip -n "$1" xfrm state add src 10.0.1.1 dst 10.0.1.2 proto esp spi 3 mode transport aead "$RFC7539" $key 128 &&
        ip -n "$1" xfrm state add src 10.0.1.2 dst 10.0.1.1 proto esp spi 4 mode transport aead "$RFC7539" $key 128
}

# end NAMESPACE DEVICE OWN OTHER: what its addresses end in, and those of the other; nothing but ESP goes between them.
end() {
    local network
    ip -n "$1" link set lo up
    ip -n "$1" link set "$2" up
    for network in 10.0.0 10.0.1; do
        ip -n "$1" addr add "$network.$3/24" dev "$2"
        ip -n "$1" xfrm policy add src "$network.$3" dst "$network.$4" dir out tmpl proto esp mode transport
        ip -n "$1" xfrm policy add src "$network.$4" dst "$network.$3" dir in tmpl proto esp mode transport
    done
}

# copy FROM TO ADDRESS: a file by TCP between namespaces, to that address
copy() {
    local listener
    rm -f /tmp/received
    # Its input must not end before the other's.
    [ -e /tmp/never ] || mkfifo /tmp/never
    ip netns exec "$2" nc -l -p 5000 >/tmp/received <>/tmp/never &
    listener=$!
    sleep 0.5
    ip netns exec "$1" nc -w 30 "$3" 5000 </tmp/sent
    wait $listener
    cmp /tmp/sent /tmp/received
}

# packets SPI FROM TO: how many of this association have come to namespace b, or gone from there
packets() {
    ip -n b -s xfrm state get src "$2" dst "$3" proto esp spi "$1" | sed -n 's/.*(bytes), \([0-9]*\)(packets).*/\1/p' | tail -n 1
}

# sending ADDRESS, arriving ADDRESS: no program loses vector registers while our driver encrypts what it sends, in its system call;
# or decrypts what arrives, in a softirq
sending() {
    ip netns exec b /test/keep_vectors packets "$1" 5001
}

arriving() {
    ip netns exec a /test/keep_vectors arriving va "$1" 5001
}

# ipsec_begin WHAT: loads the module after namespace a has its drivers
ipsec_begin() {
    if ! { ip netns add a && ip netns add b && ip -n a link add va type veth peer name vb netns b; }; then
        fail "$1: two network namespaces"
        return 1
    fi
    end a va 1 2
    end b vb 2 1
    check "$1: associations with the kernel's drivers" associations a
    load "$1" || return
    check "$1: associations with ours" associations b
}

ipsec_end() {
    local tries=0
    ip -n a xfrm state flush
    ip -n b xfrm state flush
    ip netns del a
    ip netns del b
    # What was in flight keeps its association for a moment.
    while [ "$(use_count)" -gt 0 ] && [ $tries -lt 100 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    unload "$1"
}

use_ipsec() {
    local gcm chacha20 gcm_before chacha20_before
    gcm=$(best_of "$RFC4106")
    chacha20=$(best_of "$RFC7539")
    ipsec_begin "IPsec" || return
    same "IPsec: $gcm is used" "$(references "$gcm")" 3
    same "IPsec: $chacha20 is used" "$(references "$chacha20")" 3
    head -c "$1" /dev/urandom >/tmp/sent
    check "IPsec: AES-GCM: ours decrypts" copy a b 10.0.0.2
    check "IPsec: AES-GCM: ours encrypts" copy b a 10.0.0.1
    check "IPsec: ChaCha20-Poly1305: ours decrypts" copy a b 10.0.1.2
    check "IPsec: ChaCha20-Poly1305: ours encrypts" copy b a 10.0.1.1
    check "IPsec: AES-GCM: packets have been encrypted" [ "$(packets 2 10.0.0.2 10.0.0.1)" -gt $(($1 / 65536 + 1)) ]
    check "IPsec: ChaCha20-Poly1305: packets have been encrypted" [ "$(packets 4 10.0.1.2 10.0.1.1)" -gt $(($1 / 65536 + 1)) ]
    if [ -e /test/keep_vectors ]; then
        gcm_before=$(packets 1 10.0.0.1 10.0.0.2)
        chacha20_before=$(packets 3 10.0.1.1 10.0.1.2)
        check "IPsec: AES-GCM in softirqs: programs keep their registers" arriving 10.0.0.2
        check "IPsec: AES-GCM in system calls: programs keep their registers" sending 10.0.0.1
        check "IPsec: ChaCha20-Poly1305 in softirqs: programs keep their registers" arriving 10.0.1.2
        check "IPsec: ChaCha20-Poly1305 in system calls: programs keep their registers" sending 10.0.1.1
        # Each packet has arrived twice.
        check "IPsec: AES-GCM: the packets have arrived" [ "$(packets 1 10.0.0.1 10.0.0.2)" -ge $((gcm_before + 40)) ]
        check "IPsec: ChaCha20-Poly1305: the packets have arrived" \
            [ "$(packets 3 10.0.1.1 10.0.1.2)" -ge $((chacha20_before + 40)) ]
    fi
    ipsec_end "IPsec"
}

# Without kernel_fpu_begin() in one mode: WHAT NETWORK, that of the associations with this mode
use_ipsec_without_fpu() {
    ipsec_begin "$1" || return
    arriving "$2.2"
    same "$1: it's seen that programs lose their registers by softirqs" $? 1
    sending "$2.1"
    same "$1: it's seen that they lose them by sending packets" $? 1
    ipsec_end "$1"
}

# ---- TLS in the kernel ----

use_tls() {
    local status=0 program tries=0
    ip link set lo up
    rm -f /tmp/early /tmp/late
    /test/tls_sockets "$(best_of "gcm(aes)")" "$(best_of "rfc7539(chacha20,poly1305)")" /tmp/early /tmp/late &
    program=$!
    while [ ! -e /tmp/early ] && [ $tries -lt 300 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    load "TLS" || return
    touch /tmp/late
    wait $program || status=$?
    same "TLS 1.2 and 1.3, AES-GCM and ChaCha20-Poly1305, both directions, send() and sendfile()" $status 0
    unload "TLS"
}

# ---- fscrypt ----

encrypted_mount() {
    mount -t ext4 "$1" /mnt && { [ -e /mnt/secret ] || mkdir /mnt/secret; } && /test/encrypted_dir /mnt /mnt/secret
}

use_fscrypt() {
    local driver
    driver=$(best_of "xts(aes)")
    head -c 300001 /dev/urandom >/tmp/sent
    check "fscrypt: make a file system" /sbin/mke2fs -q -F -t ext4 -O encrypt "$1"
    load "fscrypt" || return
    check "fscrypt: an encrypted directory" encrypted_mount "$1"
    cp /tmp/sent /mnt/secret/ours
    sync
    check "fscrypt: $driver is used" [ "$(references "$driver")" -gt 1 ]
    check "fscrypt: unmount" umount /mnt
    unload "fscrypt"
    check "fscrypt: with the kernel's driver" encrypted_mount "$1"
    check "fscrypt: the kernel's driver reads what ours wrote" cmp /tmp/sent /mnt/secret/ours
    cp /tmp/sent /mnt/secret/theirs
    check "fscrypt: unmount again" umount /mnt
    load "fscrypt again" || return
    check "fscrypt: with ours again" encrypted_mount "$1"
    check "fscrypt: ours reads what the kernel's driver wrote" cmp /tmp/sent /mnt/secret/theirs
    check "fscrypt: unmount at last" umount /mnt
    unload "fscrypt again"
}

# ---- SMB 3, encrypted: the kernel's server and the kernel's client ----

smb_mount() {
    mount -t cifs //127.0.0.1/share /mnt -o ip=127.0.0.1,username=user,password=pass,vers=3.1.1,seal,cache=none
}

# smb_copies WHAT: a file through the mount in each direction
smb_copies() {
    rm -f /tmp/share/*
    cp /tmp/sent /mnt/up
    check "$1: the server has what the client wrote" cmp /tmp/sent /tmp/share/up
    cp /tmp/sent /tmp/share/down
    check "$1: the client reads what the server has" cmp /tmp/sent /mnt/down
}

# The server keeps the driver that its first session brought: the kernel's own.
use_smb() {
    local driver server tries=0
    driver=$(best_of "gcm(aes)")
    head -c 1000001 /dev/urandom >/tmp/sent
    ip link set lo up
    mkdir -p /etc/ksmbd /run/lock /tmp/share
    chmod 777 /tmp/share
    printf '%s\n' "[global]" "smb3 encryption = auto" "server min protocol = SMB3_11" "[share]" "path = /tmp/share" \
        "read only = no" >/etc/ksmbd/ksmbd.conf
    # One program with two names; its libraries are beside it.
    ln -s ksmbd.tools /test/ksmbd.adduser
    ln -s ksmbd.tools /test/ksmbd.mountd
    check "SMB: a user" env LD_LIBRARY_PATH=/test /test/ksmbd.adduser -a user -p pass
    LD_LIBRARY_PATH=/test /test/ksmbd.mountd -n &
    server=$!
    while ! grep -q running /sys/class/ksmbd-control/stats && [ $tries -lt 300 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    check "SMB: mount with the kernel's driver" smb_mount
    smb_copies "SMB: with the kernel's driver"
    check "SMB: unmount" umount /mnt
    load "SMB" || return
    check "SMB: mount with ours" smb_mount
    check "SMB: $driver is used" [ "$(references "$driver")" -gt 1 ]
    check "SMB: the share is encrypted" grep -q 'type: DISK.* encrypted' /proc/fs/cifs/DebugData
    smb_copies "SMB: with ours"
    check "SMB: unmount again" umount /mnt
    unload "SMB"
    echo hard >/sys/class/ksmbd-control/kill_server
    kill $server
    wait $server
}
