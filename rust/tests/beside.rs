// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! `cargo bench --bench beside`: nanoseconds a call, beside RustCrypto's crates, in turn in one process; the best of many short
//! runs.  With --test, as `cargo test --benches` has it, each runs once.
use std::hint::black_box;
use std::time::Instant;

use aead::{Aead, AeadInOut, KeyInit, Nonce};
use lanecrypt::SealItem;

const LENS: [usize; 5] = [16, 64, 256, 1420, 16384];
const NUM_MANY: usize = 10_000;
const MANY_LEN: usize = 64;

/// Nanoseconds of one of `num` calls
fn time(num: usize, call: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..num {
        call();
    }
    start.elapsed().as_nanos() as f64 / num as f64
}

/// The best of both, which take turns
fn beside(runs: usize, num: usize, ours: &mut dyn FnMut(), theirs: &mut dyn FnMut()) -> (f64, f64) {
    let (mut best, mut best_of_theirs) = (f64::MAX, f64::MAX);
    for _ in 0..runs {
        best = best.min(time(num, ours));
        best_of_theirs = best_of_theirs.min(time(num, theirs));
    }
    (best, best_of_theirs)
}

fn call<T: AeadInOut>(cipher: &T, buf: &mut [u8]) {
    black_box(cipher.encrypt_inout_detached(&Nonce::<T>::default(), b"aad", buf.into()).unwrap());
}

fn single<Ours: AeadInOut + KeyInit, Theirs: AeadInOut + KeyInit>(name: &str, runs: usize) {
    let ours = Ours::new(&Default::default());
    let theirs = Theirs::new(&Default::default());
    for len in LENS {
        let (mut buf, mut buf_of_theirs) = (vec![1; len], vec![1; len]);
        let num = if runs == 1 { 1 } else { 200_000 / (len + 500) };
        let (best, best_of_theirs) = beside(runs, num, &mut || call(&ours, &mut buf), &mut || call(&theirs, &mut buf_of_theirs));
        println!("| {name} | {len} | {best:.0} | {best_of_theirs:.0} | {:.2} |", best / best_of_theirs);
    }
}

fn many(runs: usize) {
    let ours = lanecrypt::ChaCha20Poly1305::new(&[1; 32].into());
    let theirs = chacha20poly1305::ChaCha20Poly1305::new(&[1; 32].into());
    let ours_gcm = lanecrypt::Aes256Gcm::new(&[1; 32].into());
    let theirs_gcm = aes_gcm::Aes256Gcm::new(&[1; 32].into());
    let nonces: Vec<[u8; 12]> = (0..NUM_MANY).map(|i| std::array::from_fn(|at| (i >> (8 * (at % 8))) as u8)).collect();
    let (mut texts, mut tags) = (vec![[1; MANY_LEN]; NUM_MANY], vec![[0; 16]; NUM_MANY]);
    let mut texts_of_theirs = texts.clone();
    let mut go = |name: &str, seal: &dyn Fn(&mut [SealItem<'_>]), one: &dyn Fn(&[u8; 12], &mut [u8])| {
        let (best, best_of_theirs) = beside(
            runs.min(30),
            1,
            &mut || {
                let mut items: Vec<_> = (nonces.iter().zip(&mut texts).zip(&mut tags))
                    .map(|((nonce, text), tag)| SealItem::new(nonce, b"aad", &mut text[..], tag))
                    .collect();
                seal(&mut items);
            },
            &mut || nonces.iter().zip(&mut texts_of_theirs).for_each(|(nonce, text)| one(nonce, &mut text[..])),
        );
        let (best, best_of_theirs) = (best / NUM_MANY as f64, best_of_theirs / NUM_MANY as f64);
        println!("| {name} | {best:.0} | {best_of_theirs:.0} | {:.1} |", best_of_theirs / best);
    };
    go("AES-256-GCM", &|items| ours_gcm.seal_many(items).unwrap(), &|nonce, text| {
        black_box(theirs_gcm.encrypt_inout_detached(nonce.into(), b"aad", text.into()).unwrap());
    });
    go("ChaCha20-Poly1305", &|items| ours.seal_many(items).unwrap(), &|nonce, text| {
        black_box(theirs.encrypt_inout_detached(nonce.into(), b"aad", text.into()).unwrap());
    });
}

fn main() {
    let runs = if std::env::args().any(|arg| arg == "--test") || cfg!(debug_assertions) { 1 } else { 400 };
    let sealed = lanecrypt::Aes256Gcm::new(&[1; 32].into()).encrypt(&[0; 12].into(), &b"text"[..]);
    assert_eq!(sealed, aes_gcm::Aes256Gcm::new(&[1; 32].into()).encrypt(&[0; 12].into(), &b"text"[..]));
    println!("| Cipher | bytes | seal, ns | RustCrypto | ratio |\n| --- | --- | --- | --- | --- |");
    single::<lanecrypt::Aes128Gcm, aes_gcm::Aes128Gcm>("AES-128-GCM", runs);
    single::<lanecrypt::Aes256Gcm, aes_gcm::Aes256Gcm>("AES-256-GCM", runs);
    single::<lanecrypt::ChaCha20Poly1305, chacha20poly1305::ChaCha20Poly1305>("ChaCha20-Poly1305", runs);
    println!("\n| {NUM_MANY} messages of {MANY_LEN} bytes, each | ns | RustCrypto | times |\n| --- | --- | --- | --- |");
    many(runs);
}
