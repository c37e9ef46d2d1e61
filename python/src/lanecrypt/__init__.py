# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
AEADs and XTS by lanecrypt: one message a call, as the package cryptography has it, or many; public keys and hash functions, many
operations a call.
__init__.pyi documents all.
"""
from ._lanecrypt import (AESGCM, AESXTS, ChaCha20Poly1305, Ed25519PrivateKey, Ed25519PublicKey, InvalidTag, P256PrivateKey,
                         P256PublicKey, P384PrivateKey, P384PublicKey, RSAPrivateKey, RSAPublicKey, SM2PrivateKey, SM2PublicKey,
                         X25519PrivateKey, XChaCha20Poly1305, __version__, sha256_many, sha256_many_into, sha384_many,
                         sha384_many_into, sha512_many, sha512_many_into, sm2_z, sm3_many, sm3_many_into)

__all__ = ["AESGCM", "AESXTS", "ChaCha20Poly1305", "Ed25519PrivateKey", "Ed25519PublicKey", "InvalidTag", "P256PrivateKey",
           "P256PublicKey", "P384PrivateKey", "P384PublicKey", "RSAPrivateKey", "RSAPublicKey", "SM2PrivateKey", "SM2PublicKey",
           "X25519PrivateKey", "XChaCha20Poly1305", "__version__", "sha256_many", "sha256_many_into", "sha384_many",
           "sha384_many_into", "sha512_many", "sha512_many_into", "sm2_z", "sm3_many", "sm3_many_into"]
