# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""AEADs and XTS by lanecrypt: one message a call, as the package cryptography has it, or many.  __init__.pyi documents all."""
from ._lanecrypt import AESGCM, AESXTS, ChaCha20Poly1305, InvalidTag, XChaCha20Poly1305, __version__

__all__ = ["AESGCM", "AESXTS", "ChaCha20Poly1305", "InvalidTag", "XChaCha20Poly1305", "__version__"]
