// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! `cargo bench --features _aws-lc-rs --bench beside_rustls`: gigabytes a second that a connection of rustls sends and receives on
//! one core, with lanecrypt's records, ring's and aws-lc-rs', in turn in one process; the best of many short runs.  With --test
//! each runs once.  With the feature `rustls` there is no aws-lc-rs.
use std::io::{Read, Write};
use std::time::{Duration, Instant};

use rustls::crypto::CryptoProvider;
use rustls::Connection;

mod tls;
use tls::{handshake, is_tls13};

const LENS: [usize; 3] = [256, 1420, 16384];

/// Sends `num` records of all of `text`: the times that this takes and that receiving takes.
fn time([client, server]: &mut [Connection; 2], text: &mut [u8], num: u32) -> [Duration; 2] {
    let mut sent = Vec::with_capacity(text.len() + 100);
    let mut times = [Duration::ZERO; 2];
    for _ in 0..num {
        sent.clear();
        let start = Instant::now();
        client.writer().write_all(text).unwrap();
        while client.wants_write() {
            client.write_tls(&mut sent).unwrap();
        }
        let half = Instant::now();
        let mut rest = &sent[..];
        while !rest.is_empty() {
            server.read_tls(&mut rest).unwrap();
            server.process_new_packets().unwrap();
        }
        server.reader().read_exact(text).unwrap();
        times[0] += half - start;
        times[1] += half.elapsed();
    }
    times
}

fn main() {
    let runs = if std::env::args().any(|arg| arg == "--test") || cfg!(debug_assertions) { 1 } else { 400 };
    let ring = rustls::crypto::ring::default_provider();
    let ours = lanecrypt::rustls::provider(ring.clone()).unwrap();
    let providers: Vec<(&str, CryptoProvider)> = vec![
        ("lanecrypt", ours),
        ("ring", ring),
        #[cfg(feature = "_aws-lc-rs")]
        ("aws-lc-rs", rustls::crypto::aws_lc_rs::default_provider()),
    ];
    let names: Vec<_> = providers.iter().map(|(name, _)| *name).collect();
    println!("| suite, GB/s | bytes | send: {} | receive: {} |", names.join(" | "), names.join(" | "));
    println!("| --- | --- {}|", "| --- ".repeat(2 * names.len()));
    // The suites have names, as aws-lc-rs has them in another order.
    for suite in providers[0].1.cipher_suites.iter().filter(|suite| is_tls13(suite)) {
        let index = |provider: &CryptoProvider| provider.cipher_suites.iter().position(|other| other == suite).unwrap();
        let mut pairs: Vec<_> = providers.iter().map(|(_, provider)| handshake(provider, provider, index(provider))).collect();
        for len in LENS {
            let mut text = vec![1; len];
            let num = if runs == 1 { 1 } else { 100_000 / (len as u32 + 2000) };
            let mut best = vec![[Duration::MAX; 2]; pairs.len()];
            for _ in 0..runs {
                for (pair, best) in pairs.iter_mut().zip(&mut best) {
                    let times = time(pair, &mut text, num);
                    *best = [best[0].min(times[0]), best[1].min(times[1])];
                }
            }
            let name = suite.suite().as_str().unwrap();
            print!("| {} | {len} |", name.trim_start_matches("TLS13_"));
            for direction in [0, 1] {
                for best in &best {
                    print!(" {:.2} |", len as f64 * f64::from(num) / best[direction].as_nanos() as f64);
                }
            }
            println!();
        }
    }
}
