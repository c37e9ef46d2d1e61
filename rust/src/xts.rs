// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
use core::ffi::{c_char, c_int, CStr};
use core::{fmt, ptr};

use aead::inout::InOutBuf;

use crate::{sys, Error};

/// AES-XTS (IEEE 1619, NIST SP 800-38E), the mode of disk encryption.
///
/// It does **not** detect changes: an attacker who can write the ciphertext can garble any 16 bytes of the plaintext unnoticed.
/// Use it only for storage that has no room for a tag, and each pair of key and iv for one data unit only.
///
/// `data` is a `&mut [u8]`, which is worked on in place, or an [`InOutBuf`] of what is read and what is written.
///
/// ```
/// # fn main() -> Result<(), lanecrypt::Error> {
/// let key = lanecrypt::AesXts::new(&core::array::from_fn::<u8, 64, _>(|i| i as u8))?;
/// let mut sectors = [7; 4096];
/// key.encrypt_sectors(&mut sectors[..], 512, 1000, 1)?; // sectors 1000 to 1007
/// key.decrypt_sectors(&mut sectors[512..1024], 512, 1001, 1)?;
/// assert_eq!(sectors[512..1024], [7; 512]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct AesXts(sys::XtsKey);

type Init = unsafe extern "C" fn(*mut sys::XtsKey, *const c_char, *const u8, usize) -> c_int;
type Crypt = unsafe extern "C" fn(*const sys::XtsKey, *mut u8, *const u8, usize, *const u8) -> c_int;
type CryptSectors = unsafe extern "C" fn(*const sys::XtsKey, *mut u8, *const u8, usize, usize, u64, u64) -> c_int;

impl AesXts {
    /// For [`implementations`](crate::implementations).
    pub const MODE: &'static CStr = c"xts";
    /// Bytes of the shortest data unit.
    pub const MIN_LEN: usize = 16;
    /// Bytes of the longest data unit.
    pub const MAX_LEN: usize = 16 << 20;

    fn init(function: Init, name: *const c_char, key: &[u8]) -> Result<Self, Error> {
        let mut new = Self(sys::XtsKey::ZERO);
        // SAFETY: the key has the size of the core's structure, and the length is that of what is read.
        Error::check(unsafe { function(&mut new.0, name, key.as_ptr(), key.len()) })?;
        Ok(new)
    }

    /// Data key and tweak key, 32 bytes together (AES-128), 48 (AES-192) or 64 (AES-256).
    ///
    /// Errors: [`Error::KeyLen`]; [`Error::WeakKey`] if the two are equal; [`Error::Env`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::init(sys::lc_xts_init_impl, ptr::null(), key)
    }

    /// A key that only decrypts.  Its halves may be equal: for data from the time before that was forbidden.
    ///
    /// Errors: [`Error::KeyLen`], [`Error::Env`].
    pub fn for_decryption(key: &[u8]) -> Result<Self, Error> {
        Self::init(sys::lc_xts_init_decrypt_impl, ptr::null(), key)
    }

    /// [`new`](Self::new), by the implementation of that name.
    ///
    /// Errors: those of `new`, and [`Error::Implementation`].
    pub fn with_implementation(name: &CStr, key: &[u8]) -> Result<Self, Error> {
        Self::init(sys::lc_xts_init_impl, name.as_ptr(), key)
    }

    /// The name of the implementation that this key is for.
    pub fn implementation(&self) -> &'static CStr {
        // SAFETY: a constant string
        unsafe { CStr::from_ptr(sys::lc_xts_impl_name(&self.0)) }
    }

    fn crypt(&self, function: Crypt, iv: &[u8; 16], data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let len = data.len();
        let (src, dst) = data.into_raw();
        // SAFETY: both have len bytes and are the same or apart, as InOutBuf promises.
        Error::check(unsafe { function(&self.0, dst, src, len, iv.as_ptr()) })
    }

    /// Encrypts one data unit of [`MIN_LEN`](Self::MIN_LEN) to [`MAX_LEN`](Self::MAX_LEN) bytes.
    ///
    /// Errors: [`Error::Len`], [`Error::DecryptOnly`].
    pub fn encrypt<'i, 'o>(&self, iv: &[u8; 16], data: impl Into<InOutBuf<'i, 'o, u8>>) -> Result<(), Error> {
        self.crypt(sys::lc_xts_encrypt, iv, data.into())
    }

    /// The way back.
    ///
    /// Errors: [`Error::Len`].
    pub fn decrypt<'i, 'o>(&self, iv: &[u8; 16], data: impl Into<InOutBuf<'i, 'o, u8>>) -> Result<(), Error> {
        self.crypt(sys::lc_xts_decrypt, iv, data.into())
    }

    fn crypt_sectors(
        &self,
        function: CryptSectors,
        data: InOutBuf<'_, '_, u8>,
        sector_len: usize,
        first: u64,
        step: u64,
    ) -> Result<(), Error> {
        let len = data.len();
        let (src, dst) = data.into_raw();
        // SAFETY: as in crypt()
        Error::check(unsafe { function(&self.0, dst, src, len, sector_len, first, step) })
    }

    /// Encrypts many data units of `sector_len` bytes in one call, which for small ones is much faster than a call for each.
    ///
    /// The iv of unit i is `first + i * step` (mod 2^64) in little-endian order, and zeros: dm-crypt's plain64.  The last unit may
    /// be shorter than the others, but not than [`MIN_LEN`](Self::MIN_LEN).
    ///
    /// Errors: [`Error::Len`], [`Error::DecryptOnly`].
    pub fn encrypt_sectors<'i, 'o>(
        &self,
        data: impl Into<InOutBuf<'i, 'o, u8>>,
        sector_len: usize,
        first: u64,
        step: u64,
    ) -> Result<(), Error> {
        self.crypt_sectors(sys::lc_xts_encrypt_sectors, data.into(), sector_len, first, step)
    }

    /// The way back.
    ///
    /// Errors: [`Error::Len`].
    pub fn decrypt_sectors<'i, 'o>(
        &self,
        data: impl Into<InOutBuf<'i, 'o, u8>>,
        sector_len: usize,
        first: u64,
        step: u64,
    ) -> Result<(), Error> {
        self.crypt_sectors(sys::lc_xts_decrypt_sectors, data.into(), sector_len, first, step)
    }
}

impl Drop for AesXts {
    fn drop(&mut self) {
        // SAFETY: it writes zeros to all of the key.
        unsafe { sys::lc_xts_wipe(&mut self.0) }
    }
}

impl fmt::Debug for AesXts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AesXts({})", self.implementation().to_str().unwrap_or_default())
    }
}
