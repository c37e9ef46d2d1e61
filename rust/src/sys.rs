// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! The core's C interface, as far as it is used here; the headers in include/lanecrypt/ say what each function does.
include!("sizes.rs");

use core::ffi::{c_char, c_int};

macro_rules! key {
    ($name:ident, $size:ident) => {
        /// A key: no pointer into itself, so it may be copied and moved.
        #[repr(C, align(16))]
        #[derive(Clone)]
        pub struct $name([u8; $size]);

        // The pointer in it is to a static, constant table, so threads may share it.
        impl $name {
            pub const ZERO: Self = Self([0; $size]);
        }
    };
}
key!(GcmKey, GCM_KEY);
key!(ChaChaKey, CHACHA20POLY1305_KEY);
key!(XtsKey, XTS_KEY);

/// struct lc_aead_item; layout.c compares it.
#[repr(C)]
pub struct Item {
    pub dst: *mut u8,
    pub tag: *mut u8,
    pub src: *const u8,
    pub len: usize,
    pub aad: *const u8,
    pub aad_len: usize,
    pub nonce: *const u8,
    pub status: c_int,
}

/// struct lc_impl_info
#[repr(C)]
pub struct ImplInfo {
    pub name: *const c_char,
    pub needs: u64,
    pub prefers: u64,
    pub runs_here: c_int,
    pub preferred_here: c_int,
    pub selected: c_int,
    pub text_len: usize,
}

macro_rules! aead_functions {
    ($key:ident, $init:ident, $name:ident, $wipe:ident, $seal_many:ident, $open_many:ident
     $(; $seal:ident, $open:ident)+) => {
        extern "C" {
            pub fn $init(key: *mut $key, name: *const c_char, raw: *const u8, raw_len: usize) -> c_int;
            pub fn $name(key: *const $key) -> *const c_char;
            pub fn $wipe(key: *mut $key);
            $(pub fn $seal(
                key: *const $key, dst: *mut u8, tag: *mut u8, tag_len: usize, src: *const u8, len: usize, aad: *const u8,
                aad_len: usize, nonce: *const u8, nonce_len: usize,
            ) -> c_int;
            pub fn $open(
                key: *const $key, dst: *mut u8, src: *const u8, len: usize, tag: *const u8, tag_len: usize, aad: *const u8,
                aad_len: usize, nonce: *const u8, nonce_len: usize,
            ) -> c_int;)+
            pub fn $seal_many(key: *const $key, items: *mut Item, num_items: usize) -> c_int;
            pub fn $open_many(key: *const $key, items: *mut Item, num_items: usize) -> c_int;
        }
    };
}
aead_functions!(
    GcmKey, lc_gcm_init_impl, lc_gcm_impl_name, lc_gcm_wipe, lc_gcm_seal_many, lc_gcm_open_many;
    lc_gcm_seal, lc_gcm_open
);
aead_functions!(
    ChaChaKey, lc_chacha20poly1305_init_impl, lc_chacha20poly1305_impl_name, lc_chacha20poly1305_wipe,
    lc_chacha20poly1305_seal_many, lc_chacha20poly1305_open_many;
    lc_chacha20poly1305_seal, lc_chacha20poly1305_open;
    lc_xchacha20poly1305_seal, lc_xchacha20poly1305_open
);

extern "C" {
    pub fn lc_xts_init_impl(key: *mut XtsKey, name: *const c_char, raw: *const u8, raw_len: usize) -> c_int;
    pub fn lc_xts_init_decrypt_impl(key: *mut XtsKey, name: *const c_char, raw: *const u8, raw_len: usize) -> c_int;
    pub fn lc_xts_impl_name(key: *const XtsKey) -> *const c_char;
    pub fn lc_xts_wipe(key: *mut XtsKey);
    pub fn lc_xts_encrypt(key: *const XtsKey, dst: *mut u8, src: *const u8, len: usize, iv: *const u8) -> c_int;
    pub fn lc_xts_decrypt(key: *const XtsKey, dst: *mut u8, src: *const u8, len: usize, iv: *const u8) -> c_int;
    pub fn lc_xts_encrypt_sectors(
        key: *const XtsKey,
        dst: *mut u8,
        src: *const u8,
        len: usize,
        sector_len: usize,
        first_sector: u64,
        step: u64,
    ) -> c_int;
    pub fn lc_xts_decrypt_sectors(
        key: *const XtsKey,
        dst: *mut u8,
        src: *const u8,
        len: usize,
        sector_len: usize,
        first_sector: u64,
        step: u64,
    ) -> c_int;
    pub fn lc_strerror(status: c_int) -> *const c_char;
    pub fn lc_impl_count(mode: *const c_char) -> usize;
    pub fn lc_impl_get(mode: *const c_char, index: usize, out: *mut ImplInfo) -> c_int;
}
