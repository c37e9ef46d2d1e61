// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! Compiles the core's ciphers, as CMakeLists.txt does with LANECRYPT_CIPHERS_ONLY.  Needs a C compiler, and GNU as or clang's.
include!("src/sizes.rs");

use std::env;

const CORE: &[&str] = &[
    "aes_bitslice.c",
    "chacha20.c",
    "chacha20_portable.c",
    "chacha20poly1305.c",
    "chacha20poly1305_portable.c",
    "cpu.c",
    "ctr.c",
    "ctr_portable.c",
    "gcm.c",
    "gcm_portable.c",
    "poly1305.c",
    "poly1305_portable.c",
    "rows.c",
    "select.c",
    "status.c",
    "wipe.c",
    "xts.c",
    "xts_portable.c",
];
const X86: &[&str] = &[
    "x86/aes_ctr.S",
    "x86/aes_gcm.S",
    "x86/aes_keys.S",
    "x86/aes_xts.S",
    "x86/chacha20.S",
    "x86/chacha20.c",
    "x86/chacha20poly1305.c",
    "x86/cpu.c",
    "x86/features.c",
    "x86/poly1305.S",
    "x86/wipe.S",
];
const ARM: &[&str] = &["arm/chacha20.c", "arm/chacha20poly1305.c", "arm/cpu.c"];
const ARM_CRYPTO: &[&str] = &["arm/aes_ctr.c", "arm/aes_gcm.c", "arm/aes_keys.c", "arm/aes_xts.c"];

/// As CMakeLists.txt has it.  -O2 also in debug builds: constant time, and what is left on the stack, are checked for that.
fn core() -> cc::Build {
    let mut build = cc::Build::new();
    build
        .include("include")
        .include("src")
        .std("gnu11")
        .opt_level(2)
        .flag("-fvisibility=hidden")
        .flag(format!("-ffile-prefix-map={}=.", env::var("CARGO_MANIFEST_DIR").unwrap()))
        .define("LC_CIPHERS_ONLY", None)
        .warnings(false);
    build
}

fn add(build: &mut cc::Build, files: &[&str]) {
    build.files(files.iter().map(|file| format!("src/{file}")));
}

fn main() {
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=include");
    println!("cargo:rerun-if-changed=rust/build.rs");
    println!("cargo:rerun-if-changed=rust/src/layout.c");
    println!("cargo:rerun-if-changed=rust/src/sizes.rs");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let is_64 = target("POINTER_WIDTH") == "64";
    assert!(target("OS") == "linux", "lanecrypt is for Linux; this target is {}", env::var("TARGET").unwrap());
    assert!(target("ENDIAN") == "little", "lanecrypt's ciphers are for little-endian CPUs");

    let mut build = core();
    add(&mut build, CORE);
    match target("ARCH").as_str() {
        "x86_64" if is_64 => {
            add(&mut build, X86);
            build.flag("-fcf-protection");
            // For some hundred bytes GCC makes "rep stos" and "rep movs", which take 35 cycles more than the C library's functions.
            build.flag_if_supported("-mmemset-strategy=libcall:-1:noalign");
            build.flag_if_supported("-mmemcpy-strategy=libcall:-1:noalign");
        }
        "aarch64" if is_64 => {
            add(&mut build, ARM);
            let mut crypto = core();
            add(&mut crypto, ARM_CRYPTO);
            // Objects, not a library: that would have to be linked after the core's, which needs it
            for object in crypto.flag("-march=armv8-a+crypto").compile_intermediates() {
                build.object(object);
            }
        }
        "powerpc64" => add(&mut build, &["power/cpu.c"]),
        "riscv64" => add(&mut build, &["riscv/cpu.c"]),
        _ => add(&mut build, &["generic_cpu.c"]),
    }
    // Fails if a key has another size than sizes.rs says.
    build.file("rust/src/layout.c");
    for (name, size) in [("GCM_KEY", GCM_KEY), ("CHACHA20POLY1305_KEY", CHACHA20POLY1305_KEY), ("XTS_KEY", XTS_KEY)] {
        build.define(name, size.to_string().as_str());
    }
    build.compile("lanecrypt");
}
