// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Bytes of the core's keys; fewer where pointers have 32 bits.  build.rs reads this file too, and layout.c compares it with the
// headers.
pub const GCM_KEY: usize = 944;
pub const CHACHA20POLY1305_KEY: usize = 48;
pub const XTS_KEY: usize = 736;
