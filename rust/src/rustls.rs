// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! TLS by [rustls](https://docs.rs/rustls/0.23) 0.23, whose records lanecrypt encrypts and decrypts.  It needs the feature
//! `rustls`, and `std`.
//!
//! [`provider`] takes a provider of rustls, for instance that of ring or of aws-lc-rs, and puts lanecrypt's AES-GCM and
//! ChaCha20-Poly1305 into its cipher suites:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let provider = lanecrypt::rustls::provider(rustls::crypto::ring::default_provider())?;
//! let config = rustls::ClientConfig::builder_with_provider(provider.into()).with_safe_default_protocol_versions()?;
//! # Ok(())
//! # }
//! ```
//!
//! `provider.install_default()` makes it that of the process.  The feature turns on TLS 1.2 in rustls, as rustls' own default
//! does.  A configuration that says `with_protocol_versions(&[&rustls::version::TLS13])` doesn't use it.
use core::marker::PhantomData;
use core::ptr;
use std::boxed::Box;
use std::sync::{Mutex, PoisonError};
use std::vec::Vec;

use ::rustls::crypto::cipher::{
    make_tls12_aad, make_tls13_aad, AeadKey, InboundOpaqueMessage, InboundPlainMessage, Iv, KeyBlockShape, MessageDecrypter,
    MessageEncrypter, Nonce, OutboundOpaqueMessage, OutboundPlainMessage, PrefixedPayload, Tls12AeadAlgorithm, Tls13AeadAlgorithm,
    UnsupportedOperationError,
};
use ::rustls::crypto::CryptoProvider;
use ::rustls::{
    CipherSuite, CipherSuiteCommon, ConnectionTrafficSecrets, ContentType, Error, ProtocolVersion, SupportedCipherSuite,
    Tls12CipherSuite, Tls13CipherSuite,
};
use aead::consts::{U12, U16};
use aead::{AeadCore, AeadInOut, KeySizeUser};

use crate::{Aes128Gcm, Aes256Gcm, ChaCha20Poly1305};

/// `base`, with lanecrypt's ciphers in its suites.
///
/// All else is as `base` has it: which suites there are, their order and limits, hashes, key exchange, signatures, random numbers,
/// QUIC.  A suite of another cipher stays as it is.  What rustls calls FIPS the result isn't.
///
/// A suite that was changed stays in memory, once for each of `base`'s, however often this is called.
///
/// Errors: [`Error::Env`](crate::Error::Env).
pub fn provider(mut base: CryptoProvider) -> Result<CryptoProvider, crate::Error> {
    // Only the environment can make a key of the right length fail.  It's the same for all keys, and better found here than in the
    // midst of a handshake.
    Aes128Gcm::try_new(&[0; 16])?;
    for suite in &mut base.cipher_suites {
        *suite = with_our_cipher(*suite);
    }
    Ok(base)
}

fn with_our_cipher(base: SupportedCipherSuite) -> SupportedCipherSuite {
    /// Pairs of what there was and what became of it
    static MADE: Mutex<Vec<[SupportedCipherSuite; 2]>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some([_, ours]) = made.iter().find(|pair| pair.iter().any(|suite| is_same(suite, &base))) {
        return *ours;
    }
    let Some(ours) = (match base {
        SupportedCipherSuite::Tls13(base) => tls13_with_our_cipher(base),
        SupportedCipherSuite::Tls12(base) => tls12_with_our_cipher(base),
    }) else {
        return base;
    };
    made.push([base, ours]);
    ours
}

/// Not ==, which compares what they are called
fn is_same(a: &SupportedCipherSuite, b: &SupportedCipherSuite) -> bool {
    match (a, b) {
        (SupportedCipherSuite::Tls13(a), SupportedCipherSuite::Tls13(b)) => ptr::eq(*a, *b),
        (SupportedCipherSuite::Tls12(a), SupportedCipherSuite::Tls12(b)) => ptr::eq(*a, *b),
        _ => false,
    }
}

fn tls13_with_our_cipher(base: &Tls13CipherSuite) -> Option<SupportedCipherSuite> {
    let aead_alg: &dyn Tls13AeadAlgorithm = match base.common.suite {
        CipherSuite::TLS13_AES_128_GCM_SHA256 => &Algorithm::<Aes128Gcm>(PhantomData),
        CipherSuite::TLS13_AES_256_GCM_SHA384 => &Algorithm::<Aes256Gcm>(PhantomData),
        CipherSuite::TLS13_CHACHA20_POLY1305_SHA256 => &Algorithm::<ChaCha20Poly1305>(PhantomData),
        _ => return None,
    };
    let ours = Tls13CipherSuite { common: CipherSuiteCommon { ..base.common }, aead_alg, ..*base };
    Some(SupportedCipherSuite::Tls13(Box::leak(Box::new(ours))))
}

fn tls12_with_our_cipher(base: &Tls12CipherSuite) -> Option<SupportedCipherSuite> {
    let aead_alg: &dyn Tls12AeadAlgorithm = match base.common.suite {
        CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 | CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 => {
            &Algorithm::<Aes128Gcm>(PhantomData)
        }
        CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 | CipherSuite::TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 => {
            &Algorithm::<Aes256Gcm>(PhantomData)
        }
        CipherSuite::TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 | CipherSuite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256 => {
            &Algorithm::<ChaCha20Poly1305>(PhantomData)
        }
        _ => return None,
    };
    let ours = Tls12CipherSuite { common: CipherSuiteCommon { ..base.common }, aead_alg, ..*base };
    Some(SupportedCipherSuite::Tls12(Box::leak(Box::new(ours))))
}

const NONCE_LEN: usize = 12;
const TAG_LEN: usize = 16;
/// Of a record's text: RFC 8446, 5.1
const MAX_TEXT_LEN: usize = 1 << 14;

/// What differs between the ciphers
trait Cipher: AeadInOut + AeadCore<NonceSize = U12, TagSize = U16> + KeySizeUser + Send + Sync + Sized + 'static {
    /// Bytes of the nonce that each record of TLS 1.2 begins with: RFC 5288, RFC 7905
    const EXPLICIT_LEN: usize;
    const NONE: Self;
    fn set(&mut self, key: &[u8]) -> Result<(), crate::Error>;
    fn secrets(key: AeadKey, iv: Iv) -> ConnectionTrafficSecrets;
}

macro_rules! cipher {
    ($name:ident, $explicit_len:literal, $secrets:ident) => {
        impl Cipher for $name {
            const EXPLICIT_LEN: usize = $explicit_len;
            const NONE: Self = $name::NONE;
            fn set(&mut self, key: &[u8]) -> Result<(), crate::Error> {
                $name::set(self, ptr::null(), key)
            }
            fn secrets(key: AeadKey, iv: Iv) -> ConnectionTrafficSecrets {
                ConnectionTrafficSecrets::$secrets { key, iv }
            }
        }
    };
}
cipher!(Aes128Gcm, 8, Aes128Gcm);
cipher!(Aes256Gcm, 8, Aes256Gcm);
cipher!(ChaCha20Poly1305, 0, Chacha20Poly1305);

enum Tls13 {}
enum Tls12 {}

/// A key for the records of one direction in TLS of version V
struct Records<C, V> {
    cipher: C,
    iv: Iv,
    version: PhantomData<V>,
}

impl<C: Cipher, V> Records<C, V> {
    /// The key comes to where it stays.
    fn new(key: &AeadKey, iv: Iv) -> Box<Self> {
        let mut new = Box::new(Self { cipher: C::NONE, iv, version: PhantomData });
        new.cipher.set(key.as_ref()).expect("provider() has seen that keys can be made");
        new
    }

    /// Encrypts what is in `payload` after the first `start` bytes, and appends the tag.
    fn seal(&self, nonce: &Nonce, aad: &[u8], payload: &mut PrefixedPayload, start: usize) -> Result<(), Error> {
        let text = &mut payload.as_mut()[start..];
        let tag = self.cipher.encrypt_inout_detached(&nonce.0.into(), aad, text.into()).map_err(|_| Error::EncryptError)?;
        payload.extend_from_slice(&tag);
        Ok(())
    }

    /// Decrypts all of `sealed` but its end, which is the tag, and gives the length of the text.
    fn open(&self, nonce: &Nonce, aad: &[u8], sealed: &mut [u8]) -> Result<usize, Error> {
        let (text, tag) = sealed.split_last_chunk_mut::<TAG_LEN>().ok_or(Error::DecryptError)?;
        let len = text.len();
        let text = text.into();
        self.cipher.decrypt_inout_detached(&nonce.0.into(), aad, text, (&*tag).into()).map_err(|_| Error::DecryptError)?;
        Ok(len)
    }
}

impl<C: Cipher> MessageEncrypter for Records<C, Tls13> {
    fn encrypt(&mut self, msg: OutboundPlainMessage<'_>, seq: u64) -> Result<OutboundOpaqueMessage, Error> {
        let len = self.encrypted_payload_len(msg.payload.len());
        let mut payload = PrefixedPayload::with_capacity(len);
        payload.extend_from_chunks(&msg.payload);
        payload.extend_from_slice(&msg.typ.to_array());
        self.seal(&Nonce::new(&self.iv, seq), &make_tls13_aad(len), &mut payload, 0)?;
        Ok(OutboundOpaqueMessage::new(ContentType::ApplicationData, ProtocolVersion::TLSv1_2, payload))
    }

    fn encrypted_payload_len(&self, payload_len: usize) -> usize {
        payload_len + 1 + TAG_LEN
    }
}

impl<C: Cipher> MessageDecrypter for Records<C, Tls13> {
    fn decrypt<'a>(&mut self, mut msg: InboundOpaqueMessage<'a>, seq: u64) -> Result<InboundPlainMessage<'a>, Error> {
        let aad = make_tls13_aad(msg.payload.len());
        let len = self.open(&Nonce::new(&self.iv, seq), &aad, &mut msg.payload)?;
        msg.payload.truncate(len);
        msg.into_tls13_unpadded_message()
    }
}

impl<C: Cipher> MessageEncrypter for Records<C, Tls12> {
    fn encrypt(&mut self, msg: OutboundPlainMessage<'_>, seq: u64) -> Result<OutboundOpaqueMessage, Error> {
        let nonce = Nonce::new(&self.iv, seq);
        let aad = make_tls12_aad(seq, msg.typ, msg.version, msg.payload.len());
        let mut payload = PrefixedPayload::with_capacity(self.encrypted_payload_len(msg.payload.len()));
        payload.extend_from_slice(&nonce.0[NONCE_LEN - C::EXPLICIT_LEN..]);
        payload.extend_from_chunks(&msg.payload);
        self.seal(&nonce, &aad, &mut payload, C::EXPLICIT_LEN)?;
        Ok(OutboundOpaqueMessage::new(msg.typ, msg.version, payload))
    }

    fn encrypted_payload_len(&self, payload_len: usize) -> usize {
        C::EXPLICIT_LEN + payload_len + TAG_LEN
    }
}

impl<C: Cipher> MessageDecrypter for Records<C, Tls12> {
    fn decrypt<'a>(&mut self, mut msg: InboundOpaqueMessage<'a>, seq: u64) -> Result<InboundPlainMessage<'a>, Error> {
        let len = msg.payload.len().checked_sub(C::EXPLICIT_LEN + TAG_LEN).ok_or(Error::DecryptError)?;
        let aad = make_tls12_aad(seq, msg.typ, msg.version, len);
        let mut nonce = Nonce::new(&self.iv, seq);
        let (explicit, sealed) = msg.payload.split_at_mut(C::EXPLICIT_LEN);
        nonce.0[NONCE_LEN - C::EXPLICIT_LEN..].copy_from_slice(explicit);
        self.open(&nonce, &aad, sealed)?;
        if len > MAX_TEXT_LEN {
            return Err(Error::PeerSentOversizedRecord);
        }
        Ok(msg.into_plain_message_range(C::EXPLICIT_LEN..C::EXPLICIT_LEN + len))
    }
}

/// Makes keys of cipher C.
struct Algorithm<C>(PhantomData<C>);

impl<C: Cipher> Tls13AeadAlgorithm for Algorithm<C> {
    fn encrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageEncrypter> {
        Records::<C, Tls13>::new(&key, iv)
    }

    fn decrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageDecrypter> {
        Records::<C, Tls13>::new(&key, iv)
    }

    fn key_len(&self) -> usize {
        C::key_size()
    }

    fn extract_keys(&self, key: AeadKey, iv: Iv) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        Ok(C::secrets(key, iv))
    }
}

/// TLS 1.2 derives all 12 bytes.  Where a record has explicit ones, ours count from those that were derived.
fn tls12_iv(fixed: &[u8], explicit: &[u8]) -> Iv {
    let mut iv = [0; NONCE_LEN];
    iv[..fixed.len()].copy_from_slice(fixed);
    iv[fixed.len()..].copy_from_slice(explicit);
    iv.into()
}

impl<C: Cipher> Tls12AeadAlgorithm for Algorithm<C> {
    fn encrypter(&self, key: AeadKey, iv: &[u8], extra: &[u8]) -> Box<dyn MessageEncrypter> {
        Records::<C, Tls12>::new(&key, tls12_iv(iv, extra))
    }

    fn decrypter(&self, key: AeadKey, iv: &[u8]) -> Box<dyn MessageDecrypter> {
        Records::<C, Tls12>::new(&key, tls12_iv(iv, &[0; NONCE_LEN][iv.len()..]))
    }

    fn key_block_shape(&self) -> KeyBlockShape {
        KeyBlockShape { enc_key_len: C::key_size(), fixed_iv_len: NONCE_LEN - C::EXPLICIT_LEN, explicit_nonce_len: C::EXPLICIT_LEN }
    }

    fn extract_keys(
        &self,
        key: AeadKey,
        iv: &[u8],
        explicit: &[u8],
    ) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        Ok(C::secrets(key, tls12_iv(iv, explicit)))
    }
}
