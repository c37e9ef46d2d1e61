# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
AEADs and XTS by lanecrypt.

Bytes-like is whatever has a contiguous buffer: bytes, bytearray, memoryview, array.array, NumPy's arrays.  Objects are keys; they
don't change, so threads may share them, and calls for 4096 bytes or more, and those for many messages, run while other threads do.
Errors: TypeError and ValueError say what is wrong with an argument; InvalidTag: a message isn't what was sealed.
"""
from collections.abc import Sequence
from typing import final, type_check_only

from typing_extensions import Buffer, Self  # type checkers have it; nothing imports this file

__all__ = ["AESGCM", "AESXTS", "ChaCha20Poly1305", "InvalidTag", "XChaCha20Poly1305", "__version__"]
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
