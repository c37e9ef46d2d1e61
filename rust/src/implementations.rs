// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
use core::ffi::CStr;
use core::ptr;

use crate::sys;

/// One implementation of a mode.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Implementation {
    /// Its name, such as "gcm-aes-vaes-avx512-512", for `with_implementation`.
    pub name: &'static CStr,
    /// Can this CPU run it?
    pub runs_here: bool,
    /// Is it what new keys get?
    pub selected: bool,
}

/// The implementations that are compiled in, best first.
///
/// `mode` is what a type has as its `MODE`.  For a name that is none, there is nothing.
pub fn implementations(mode: &CStr) -> impl Iterator<Item = Implementation> + '_ {
    // SAFETY: mode ends with a NUL.
    (0..unsafe { sys::lc_impl_count(mode.as_ptr()) }).map(move |index| {
        let mut info =
            sys::ImplInfo { name: ptr::null(), needs: 0, prefers: 0, runs_here: 0, preferred_here: 0, selected: 0, text_len: 0 };
        // SAFETY: info is the structure that the function fills in.
        let status = unsafe { sys::lc_impl_get(mode.as_ptr(), index, &mut info) };
        assert_eq!(status, 0);
        Implementation {
            // SAFETY: a constant string
            name: unsafe { CStr::from_ptr(info.name) },
            runs_here: info.runs_here != 0,
            selected: info.selected != 0,
        }
    })
}
