// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#![doc = include_str!("../README.md")]
#![no_std]
#![warn(missing_docs)]

#[cfg(feature = "rustls")]
extern crate std;

mod authenticated;
mod error;
mod implementations;
#[cfg(feature = "rustls")]
#[forbid(unsafe_code)]
pub mod rustls;
mod sys;
mod xts;

pub use aead;
pub use authenticated::{Aes128Gcm, Aes192Gcm, Aes256Gcm, ChaCha20Poly1305, OpenItem, SealItem, XChaCha20Poly1305};
pub use error::Error;
pub use implementations::{implementations, Implementation};
pub use xts::AesXts;
