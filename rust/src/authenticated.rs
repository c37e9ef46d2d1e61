// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
use core::ffi::{c_char, CStr};
use core::marker::PhantomData;
use core::{fmt, ptr};

use aead::array::Array;
use aead::consts::{U12, U16, U24, U32};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};

use crate::{sys, Error};

macro_rules! item {
    ($(#[$doc:meta])* $name:ident, $tag:ty, $to_ptr:ident) => {
        $(#[$doc])*
        #[repr(transparent)]
        pub struct $name<'a> {
            item: sys::Item,
            borrowed: PhantomData<(&'a mut [u8], &'a [u8])>,
        }

        impl<'a> $name<'a> {
            /// `text`: a `&mut [u8]`, which is worked on in place, or an [`InOutBuf`] of what is read and what is written.
            pub fn new(nonce: &'a [u8; 12], aad: &'a [u8], text: impl Into<InOutBuf<'a, 'a, u8>>, tag: $tag) -> Self {
                let text = text.into();
                let len = text.len();
                let (src, dst) = text.into_raw();
                Self {
                    item: sys::Item {
                        dst,
                        tag: tag.$to_ptr() as *mut u8, // which open_many() only reads
                        src,
                        len,
                        aad: aad.as_ptr(),
                        aad_len: aad.len(),
                        nonce: nonce.as_ptr(),
                        status: Error::State as _,
                    },
                    borrowed: PhantomData,
                }
            }

            /// What became of this message; [`Error::State`] before the call.
            pub fn result(&self) -> Result<(), Error> {
                Error::check(self.item.status)
            }
        }

        // SAFETY: its pointers stand for the references that new() got, which may go to other threads.
        unsafe impl Send for $name<'_> {}
        // SAFETY: a shared one can only be asked for its result.
        unsafe impl Sync for $name<'_> {}
    };
}

item!(
    /// A message for `seal_many`.  The tag is written.
    ///
    /// It borrows what it names, so no text can be in two of them:
    ///
    /// ```compile_fail,E0499
    /// use lanecrypt::SealItem;
    /// let (mut text, mut tags) = ([0; 64], [[0; 16]; 2]);
    /// let [tag, other] = &mut tags;
    /// let items = [SealItem::new(&[1; 12], b"", &mut text[..], tag), SealItem::new(&[2; 12], b"", &mut text[..], other)];
    /// ```
    SealItem,
    &'a mut [u8; 16],
    as_mut_ptr
);
item!(
    /// A message for `open_many`.  Where the tag is wrong, the text becomes zeros.
    OpenItem,
    &'a [u8; 16],
    as_ptr
);

macro_rules! authenticated {
    ($(#[$doc:meta])* $name:ident: $storage:ident, $mode:literal, $max_len:expr, key $key_size:ident, nonce $nonce_size:ident,
     $init:ident, $impl_name:ident, $wipe:ident, $seal:ident, $open:ident) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(sys::$storage);

        impl $name {
            /// For [`implementations`](crate::implementations).
            pub const MODE: &'static CStr = $mode;
            /// Bytes of the longest text.
            pub const MAX_LEN: u64 = $max_len;

            /// No key yet: for [`set`](Self::set) only
            pub(crate) const NONE: Self = Self(sys::$storage::ZERO);

            /// Makes the key in its place, so that no copy of it is left elsewhere.
            pub(crate) fn set(&mut self, name: *const c_char, key: &[u8]) -> Result<(), Error> {
                if key.len() != Self::key_size() {
                    return Err(Error::KeyLen);
                }
                // SAFETY: the key has the size of the core's structure, and the length is that of what is read.
                Error::check(unsafe { sys::$init(&mut self.0, name, key.as_ptr(), key.len()) })
            }

            fn init(name: *const c_char, key: &[u8]) -> Result<Self, Error> {
                let mut new = Self::NONE;
                new.set(name, key)?;
                Ok(new)
            }

            /// [`KeyInit::new`] without its panic.
            ///
            /// Errors: [`Error::KeyLen`], [`Error::Env`].
            pub fn try_new(key: &[u8]) -> Result<Self, Error> {
                Self::init(ptr::null(), key)
            }

            /// [`try_new`](Self::try_new), by the implementation of that name.
            ///
            /// Errors: those of `try_new`, and [`Error::Implementation`].
            pub fn with_implementation(name: &CStr, key: &[u8]) -> Result<Self, Error> {
                Self::init(name.as_ptr(), key)
            }

            /// The name of the implementation that this key is for.
            pub fn implementation(&self) -> &'static CStr {
                // SAFETY: a constant string
                unsafe { CStr::from_ptr(sys::$impl_name(&self.0)) }
            }
        }

        impl KeySizeUser for $name {
            type KeySize = $key_size;
        }

        impl KeyInit for $name {
            /// Panics if `LANECRYPT_DISABLE` or `LANECRYPT_IMPL` in the environment can't be followed.
            fn new(key: &Key<Self>) -> Self {
                match Self::try_new(key) {
                    Ok(new) => new,
                    Err(error) => panic!("lanecrypt: {error}"),
                }
            }
        }

        impl AeadCore for $name {
            type NonceSize = $nonce_size;
            type TagSize = U16;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        impl AeadInOut for $name {
            fn encrypt_inout_detached(
                &self, nonce: &Nonce<Self>, associated_data: &[u8], buffer: InOutBuf<'_, '_, u8>,
            ) -> aead::Result<Tag<Self>> {
                let mut tag = Array::default();
                let len = buffer.len();
                let (src, dst) = buffer.into_raw();
                // SAFETY: lengths are those of what is read and written; src and dst are the same or apart, as InOutBuf promises.
                Error::check(unsafe {
                    sys::$seal(
                        &self.0, dst, tag.as_mut_ptr(), tag.len(), src, len, associated_data.as_ptr(), associated_data.len(),
                        nonce.as_ptr(), nonce.len(),
                    )
                })?;
                Ok(tag)
            }

            /// If this fails, what `buffer` writes to holds zeros; in place, the ciphertext is lost.
            fn decrypt_inout_detached(
                &self, nonce: &Nonce<Self>, associated_data: &[u8], buffer: InOutBuf<'_, '_, u8>, tag: &Tag<Self>,
            ) -> aead::Result<()> {
                let len = buffer.len();
                let (src, dst) = buffer.into_raw();
                // SAFETY: as above
                Error::check(unsafe {
                    sys::$open(
                        &self.0, dst, src, len, tag.as_ptr(), tag.len(), associated_data.as_ptr(), associated_data.len(),
                        nonce.as_ptr(), nonce.len(),
                    )
                })?;
                Ok(())
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: it writes zeros to all of the key.
                unsafe { sys::$wipe(&mut self.0) }
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.implementation().to_str().unwrap_or_default())
            }
        }
    };
}

macro_rules! many {
    ($name:ident, $seal_many:ident, $open_many:ident) => {
        impl $name {
            /// Seals many messages in one call.  Each has a result of its own; returned is the first error of these.
            pub fn seal_many(&self, items: &mut [SealItem<'_>]) -> Result<(), Error> {
                // SAFETY: an item is what the core takes; its references are alive, and what is written belongs to nobody else.
                Error::check(unsafe { sys::$seal_many(&self.0, items.as_mut_ptr().cast(), items.len()) })
            }

            /// Opens many messages in one call.  Each has a result of its own; returned is the first error of these.
            pub fn open_many(&self, items: &mut [OpenItem<'_>]) -> Result<(), Error> {
                // SAFETY: as above; tags are only read.
                Error::check(unsafe { sys::$open_many(&self.0, items.as_mut_ptr().cast(), items.len()) })
            }
        }
    };
}

macro_rules! gcm {
    ($name:ident, $bits:literal, $key_size:ident) => {
        authenticated!(
            #[doc = concat!("AES-GCM (NIST SP 800-38D) with a key of ", $bits, " bits.")]
            ///
            /// **Never** use a nonce twice under one key: count them, or draw them for at most 2^32 messages a key.
            $name: GcmKey, c"gcm", (1 << 36) - 32, key $key_size, nonce U12,
            lc_gcm_init_impl, lc_gcm_impl_name, lc_gcm_wipe, lc_gcm_seal, lc_gcm_open
        );
        many!($name, lc_gcm_seal_many, lc_gcm_open_many);
    };
}
gcm!(Aes128Gcm, "128", U16);
gcm!(Aes192Gcm, "192", U24);
gcm!(Aes256Gcm, "256", U32);

authenticated!(
    /// ChaCha20-Poly1305 (RFC 8439).
    ///
    /// **Never** use a nonce twice under one key: count them.
    ChaCha20Poly1305: ChaChaKey, c"chacha20-poly1305", (1 << 38) - 64, key U32, nonce U12,
    lc_chacha20poly1305_init_impl, lc_chacha20poly1305_impl_name, lc_chacha20poly1305_wipe,
    lc_chacha20poly1305_seal, lc_chacha20poly1305_open
);
many!(ChaCha20Poly1305, lc_chacha20poly1305_seal_many, lc_chacha20poly1305_open_many);

authenticated!(
    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03): nonces of 24 bytes, so random ones don't repeat.
    XChaCha20Poly1305: ChaChaKey, c"chacha20-poly1305", (1 << 38) - 64, key U32, nonce U24,
    lc_chacha20poly1305_init_impl, lc_chacha20poly1305_impl_name, lc_chacha20poly1305_wipe,
    lc_xchacha20poly1305_seal, lc_xchacha20poly1305_open
);
