# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
AEADs, XTS, public keys and hash functions by lanecrypt.

Bytes-like is whatever has a contiguous buffer: bytes, bytearray, memoryview, array.array, NumPy's arrays.  Objects are keys; they
don't change, so threads may share them, and calls for 4096 bytes or more, and those for many messages, run while other threads do.
Errors: TypeError and ValueError say what is wrong with an argument; InvalidTag: a message isn't what was sealed.
"""
from collections.abc import Sequence
from typing import Literal, final, type_check_only

from typing_extensions import Buffer, Self  # type checkers have it; nothing imports this file

__all__ = ["AESGCM", "AESXTS", "ChaCha20Poly1305", "Ed25519PrivateKey", "Ed25519PublicKey", "InvalidTag", "P256PrivateKey",
           "P256PublicKey", "P384PrivateKey", "P384PublicKey", "RSAPrivateKey", "RSAPublicKey", "SM2PrivateKey", "SM2PublicKey",
           "X25519PrivateKey", "XChaCha20Poly1305", "__version__", "sha256_many", "sha256_many_into", "sha384_many",
           "sha384_many_into", "sha512_many", "sha512_many_into", "sm2_z", "sm3_many", "sm3_many_into"]
__version__: str

class InvalidTag(Exception): ...

@type_check_only
class _Aead:
    @property
    def implementation(self) -> str:
        """The name of the code that this CPU got, such as "gcm-aes-vaes-avx512-512"."""

    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None) -> bytes:
        """The ciphertext and, after it, the tag of 16 bytes.  Never use a nonce twice with one key."""

    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None) -> bytes:
        """The text of what encrypt() has made.  Raises InvalidTag if it isn't that."""

    def encrypt_into(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer) -> int:
        """encrypt() into a buffer of exactly len(data) + 16 bytes, which may begin where data does.  Returns that number."""

    def decrypt_into(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None, buf: Buffer) -> int:
        """decrypt() into a buffer of exactly len(data) - 16 bytes, which may begin where data does; it has zeros if that fails."""

    def seal_many(self, nonces: Buffer | Sequence[Buffer], messages: Sequence[Buffer],
                  associated_data: Buffer | Sequence[Buffer | None] | None = None) -> list[bytes]:
        """
        encrypt() of many messages.  nonces: one for each, 12 bytes (XChaCha20Poly1305: 24), in a sequence or next to each other in
        a buffer.  associated_data: one for all, or a sequence of as many.
        """

    def open_many(self, nonces: Buffer | Sequence[Buffer], messages: Sequence[Buffer],
                  associated_data: Buffer | Sequence[Buffer | None] | None = None) -> list[bytes | None]:
        """decrypt() of many messages: None in place of each that isn't what was sealed.  Doesn't raise InvalidTag."""

    def seal_many_into(self, nonces: Buffer | Sequence[Buffer], data: Buffer, offsets: Buffer, out: Buffer,
                       associated_data: Buffer | Sequence[Buffer | None] | None = None) -> int:
        """
        seal_many() of data[offsets[i]:offsets[i + 1]] for each i.  Message i goes to out[offsets[i] + 16 * i:offsets[i + 1] + 16 *
        (i + 1)], with its tag.  offsets: 64-bit integers, as array.array("Q") or NumPy's uint64 have, one more than messages; they
        begin with 0 and never go down.  Returns how many bytes of out were written.  out overlaps nothing that is read.
        """

    def open_many_into(self, nonces: Buffer | Sequence[Buffer], data: Buffer, offsets: Buffer, out: Buffer,
                       associated_data: Buffer | Sequence[Buffer | None] | None = None) -> bytes:
        """
        The other way: data is what seal_many_into() has made, and offsets are those of the texts, which are written to
        out[offsets[i]:offsets[i + 1]].  Returns a byte for each message: 1, or 0 where it isn't what was sealed; then its part of
        out has zeros.
        """

@final
class AESGCM(_Aead):
    """AES-GCM (NIST SP 800-38D).  Nonces have 12 bytes; encrypt() and decrypt() take 8 to 128."""

    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def generate_key(bit_length: int) -> bytes: ...

@final
class ChaCha20Poly1305(_Aead):
    """ChaCha20-Poly1305 (RFC 8439).  Nonces have 12 bytes."""

    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def generate_key() -> bytes: ...

@final
class XChaCha20Poly1305(_Aead):
    """XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03).  Nonces have 24 bytes, so random ones don't repeat."""

    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def generate_key() -> bytes: ...

@final
class AESXTS:
    """
    AES-XTS (IEEE 1619, NIST SP 800-38E), for storage that has no room for a tag: changes aren't detected.  The key has 32, 48 or 64
    bytes, data key and tweak key, which must differ.
    """

    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def generate_key(bit_length: int) -> bytes:
        """bit_length: of AES, so the key has twice as many."""

    @property
    def implementation(self) -> str: ...
    def encrypt(self, tweak: Buffer, data: Buffer) -> bytes:
        """One data unit of 16 bytes to 16 MiB; tweak: 16 bytes."""

    def decrypt(self, tweak: Buffer, data: Buffer) -> bytes: ...
    def encrypt_sectors(self, first: int, data: Buffer, sector_size: int) -> bytes:
        """Sectors whose tweaks are their numbers from `first` on, in little-endian order, as dm-crypt's plain64 has them."""

    def decrypt_sectors(self, first: int, data: Buffer, sector_size: int) -> bytes: ...

# Public keys.  A call for many takes one key for all, or a sequence with one for each.  It computes while other threads run, and
# several at once where the CPU can.  Bytes that come from others and can't be right, such as a signature of another length, are no
# error: their result is False, or None.

@type_check_only
class _PublicKey:
    @property
    def implementation(self) -> str: ...

@type_check_only
class _PrivateKey(_PublicKey):
    def public_bytes(self) -> bytes:
        """The public key: on P-256 and P-384, 4, x and y (65 or 97 bytes); of Ed25519 and X25519 32 bytes."""

@final
class P256PrivateKey(_PrivateKey):
    """The number, 32 bytes, big-endian; from cryptography's keys: private_numbers().private_value.to_bytes(32)."""

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def sign_many(keys: P256PrivateKey | Sequence[P256PrivateKey], digests: Sequence[Buffer], der: bool = False) -> list[bytes]:
        """
        ECDSA.  digests: 1 to 64 bytes each, made by a hash function; of more than the number has, the first count.  Signatures are
        r and s, big-endian, 64 bytes; with der, they are DER, as cryptography and OpenSSL have them.
        """

    @staticmethod
    def exchange_many(keys: P256PrivateKey | Sequence[P256PrivateKey], peers: Sequence[Buffer]) -> list[bytes | None]:
        """
        ECDH.  peers: public keys, 65 or 33 bytes each.  The secrets are x of the common points, 32 bytes each; None in place of
        each whose peer is no public key.  Derive keys from them.
        """

@final
class P256PublicKey(_PublicKey):
    """4, x and y: 65 bytes; or 2 or 3, and x: 33 bytes (X962 in cryptography)."""

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def verify_many(keys: P256PublicKey | Sequence[P256PublicKey], signatures: Sequence[Buffer], digests: Sequence[Buffer],
                    der: bool = False) -> list[bool]:
        """ECDSA: which signatures are right?  Arguments as of sign_many()."""

@final
class P384PrivateKey(_PrivateKey):
    """As P256PrivateKey, with 48 bytes."""

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def sign_many(keys: P384PrivateKey | Sequence[P384PrivateKey], digests: Sequence[Buffer], der: bool = False) -> list[bytes]:
        """Signatures have 96 bytes, or are DER."""

    @staticmethod
    def exchange_many(keys: P384PrivateKey | Sequence[P384PrivateKey], peers: Sequence[Buffer]) -> list[bytes | None]:
        """Public keys have 97 or 49 bytes, secrets 48."""

@final
class P384PublicKey(_PublicKey):
    """As P256PublicKey, with 97 or 49 bytes."""

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def verify_many(keys: P384PublicKey | Sequence[P384PublicKey], signatures: Sequence[Buffer], digests: Sequence[Buffer],
                    der: bool = False) -> list[bool]: ...

@final
class Ed25519PrivateKey(_PrivateKey):
    """32 bytes: what RFC 8032 calls the private key, and private_bytes_raw() gives in cryptography."""

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def sign_many(keys: Ed25519PrivateKey | Sequence[Ed25519PrivateKey], messages: Sequence[Buffer]) -> list[bytes]:
        """Signatures of messages of any lengths, 64 bytes each.  ValueError: a message has changed meanwhile."""

@final
class Ed25519PublicKey(_PublicKey):
    """32 bytes."""

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def verify_many(keys: Ed25519PublicKey | Sequence[Ed25519PublicKey], signatures: Sequence[Buffer],
                    messages: Sequence[Buffer]) -> list[bool]:
        """Which signatures are right?"""

@final
class X25519PrivateKey(_PrivateKey):
    """32 random bytes."""

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def exchange_many(keys: X25519PrivateKey | Sequence[X25519PrivateKey], peers: Sequence[Buffer]) -> list[bytes | None]:
        """
        The secrets that are shared with the owners of these public keys, 32 bytes each.  None in place of each whose peer hasn't 32
        bytes, or has small order, where the secret would be 0.  Derive keys from them.
        """

@final
class SM2PrivateKey(_PrivateKey):
    """The number, 32 bytes, big-endian, 1 to the order - 2."""

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def sign_many(keys: SM2PrivateKey | Sequence[SM2PrivateKey], digests: Sequence[Buffer], der: bool = False) -> list[bytes]:
        """
        SM2 (GB/T 32918.2).  digests: 32 bytes each, SM3 of the signer's z and the message: sm3_many([z + m for m in messages]),
        with z = sm2_z(key.public_bytes()).  Signatures are r and s, 64 bytes, or DER.
        """

@final
class SM2PublicKey(_PublicKey):
    """4, x and y: 65 bytes; or 2 or 3, and x: 33 bytes."""

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def verify_many(keys: SM2PublicKey | Sequence[SM2PublicKey], signatures: Sequence[Buffer], digests: Sequence[Buffer],
                    der: bool = False) -> list[bool]:
        """Which signatures are right?  Arguments as of sign_many()."""

def sm2_z(public_key: Buffer, identity: Buffer = b"1234567812345678") -> bytes:
    """What SM2 hashes before a message: 32 bytes, of the signer's public key (65 or 33 bytes) and identity (up to 8191 bytes)."""

@final
class RSAPrivateKey(_PublicKey):
    """
    A key of 2048, 3072 or 4096 bits, with two primes; data: DER of PKCS #1 (RSAPrivateKey) or PKCS #8 (PrivateKeyInfo).  Nothing
    here decrypts a key that is encrypted.
    """

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def from_pem(data: Buffer, /) -> RSAPrivateKey:
        """The first PRIVATE KEY of the text, or if there is none, RSA PRIVATE KEY."""

    def public_key(self) -> RSAPublicKey: ...
    @staticmethod
    def sign_many(keys: RSAPrivateKey | Sequence[RSAPrivateKey], digests: Sequence[Buffer],
                  padding: Literal["pkcs1v15", "pss"]) -> list[bytes]:
        """
        Signatures of digests by SHA-256, SHA-384 or SHA-512, as their lengths say, 32, 48 or 64 bytes.  PSS: MGF1 has the same hash
        function; salts are random, and as long as the digest.
        """

    @staticmethod
    def decrypt_many(keys: RSAPrivateKey | Sequence[RSAPrivateKey], ciphertexts: Sequence[Buffer],
                     hash: Literal["sha256", "sha384", "sha512"], label: Buffer | None = None) -> list[bytes | None]:
        """
        OAEP: the messages; None in place of each that is no ciphertext for this key, hash function and label.  MGF1 has the same
        hash function.  Don't tell whoever sends many ciphertexts which of them were right.
        """

@final
class RSAPublicKey(_PublicKey):
    """A key of 2048, 3072 or 4096 bits; data: DER of PKCS #1 (RSAPublicKey) or X.509 (SubjectPublicKeyInfo)."""

    def __new__(cls, data: Buffer) -> Self: ...
    @staticmethod
    def from_pem(data: Buffer, /) -> RSAPublicKey:
        """The first PUBLIC KEY of the text, or if there is none, RSA PUBLIC KEY."""

    @staticmethod
    def verify_many(keys: RSAPublicKey | Sequence[RSAPublicKey], signatures: Sequence[Buffer], digests: Sequence[Buffer],
                    padding: Literal["pkcs1v15", "pss"], salt_length: int | None = None) -> list[bool]:
        """
        Which signatures are right?  digests: of SHA-256, SHA-384 or SHA-512, as their lengths say, 32, 48 or 64 bytes.  PSS: MGF1
        has the same hash function; salt_length: bytes of the salt, None: as many as the digest has.
        """

    @staticmethod
    def encrypt_many(keys: RSAPublicKey | Sequence[RSAPublicKey], messages: Sequence[Buffer],
                     hash: Literal["sha256", "sha384", "sha512"], label: Buffer | None = None) -> list[bytes]:
        """
        OAEP.  A message has at most as many bytes as the modulus less 2 and less two digests: 190 with 2048 bits and SHA-256; else
        ValueError.  label: one for all.
        """

# Hash functions: the digests of many messages, which share the CPU's vectors.  If lengths differ much, put the longest first.
# <hash>_many_into() has messages and digests in a buffer each: message i is data[offsets[i]:offsets[i + 1]], with offsets as
# seal_many_into() has them, and its digest goes to out[i * n:(i + 1) * n], where n is the digest's length.  Returns how many bytes
# of out were written.  out doesn't overlap data.

def sha256_many(messages: Sequence[Buffer]) -> list[bytes]: ...
def sha256_many_into(data: Buffer, offsets: Buffer, out: Buffer) -> int: ...
def sha384_many(messages: Sequence[Buffer]) -> list[bytes]: ...
def sha384_many_into(data: Buffer, offsets: Buffer, out: Buffer) -> int: ...
def sha512_many(messages: Sequence[Buffer]) -> list[bytes]: ...
def sha512_many_into(data: Buffer, offsets: Buffer, out: Buffer) -> int: ...
def sm3_many(messages: Sequence[Buffer]) -> list[bytes]: ...
def sm3_many_into(data: Buffer, offsets: Buffer, out: Buffer) -> int: ...
