// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
use core::ffi::{c_int, CStr};
use core::fmt;

use crate::sys;

/// Why a call has failed.  Nothing was written then, except that a text that isn't authentic is replaced by zeros.  If it was one
/// of many messages, the others are done.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
#[repr(i32)]
pub enum Error {
    /// The key has a length that this cipher doesn't have.
    KeyLen = -1,
    /// The text, the associated data, a data unit or a sector is too long or too short.
    Len = -2,
    /// The tag is wrong: the message isn't what was sealed.
    Auth = -5,
    /// The two halves of a key for XTS are equal, which the standard forbids.
    WeakKey = -6,
    /// There is no implementation of that name, or this CPU can't run it.
    Implementation = -7,
    /// No call has done this item yet.
    State = -8,
    /// The environment variable `LANECRYPT_DISABLE` or `LANECRYPT_IMPL` has a name in it that can't be used.
    Env = -9,
    /// The key is for decryption only.
    DecryptOnly = -10,
}

impl Error {
    /// The status that a function of the core has returned.
    pub(crate) fn check(status: c_int) -> Result<(), Error> {
        use Error::*;
        if status == 0 {
            return Ok(());
        }
        Err([KeyLen, Len, Auth, WeakKey, Implementation, State, Env, DecryptOnly]
            .into_iter()
            .find(|error| *error as c_int == status)
            .expect("a status that these functions don't have"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: a constant string, for any number
        f.write_str(unsafe { CStr::from_ptr(sys::lc_strerror(*self as c_int)) }.to_str().unwrap_or("error"))
    }
}

impl core::error::Error for Error {}

impl From<Error> for aead::Error {
    fn from(_: Error) -> Self {
        aead::Error
    }
}
