# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
AEADs and XTS by lanecrypt: one message a call, as the package cryptography has it, or many; public keys, many operations a call.
__init__.pyi documents all.
"""
from ._lanecrypt import (AESGCM, AESXTS, ChaCha20Poly1305, Ed25519PrivateKey, Ed25519PublicKey, InvalidTag, P256PrivateKey,
                         P256PublicKey, P384PrivateKey, P384PublicKey, RSAPublicKey, X25519PrivateKey, XChaCha20Poly1305,
                         __version__)

__all__ = ["AESGCM", "AESXTS", "ChaCha20Poly1305", "Ed25519PrivateKey", "Ed25519PublicKey", "InvalidTag", "P256PrivateKey",
           "P256PublicKey", "P384PrivateKey", "P384PublicKey", "RSAPublicKey", "X25519PrivateKey", "XChaCha20Poly1305",
           "__version__"]
