// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! A client and a server of rustls in one process, for rustls.rs and beside_rustls.rs
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::time_provider::TimeProvider;
use rustls::{
    ClientConfig, ClientConnection, Connection, Error, RootCertStore, ServerConfig, ServerConnection, SupportedCipherSuite,
};

const PEM: &[u8] = include_bytes!("rustls.pem");

/// It stands still, at a time when the certificates are valid.
#[derive(Debug)]
struct Clock;
impl TimeProvider for Clock {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(Duration::from_secs(2_000_000_000)))
    }
}

/// `provider` with one suite
fn only(provider: &CryptoProvider, suite: usize) -> Arc<CryptoProvider> {
    Arc::new(CryptoProvider { cipher_suites: vec![provider.cipher_suites[suite]], ..provider.clone() })
}

pub fn is_tls13(suite: &SupportedCipherSuite) -> bool {
    suite.tls13().is_some()
}

/// A handshake by the suite of this index, which both have: the client and the server
pub fn handshake(client: &CryptoProvider, server: &CryptoProvider, suite: usize) -> [Connection; 2] {
    let name = client.cipher_suites[suite].suite();
    let is_rsa = name.as_str().unwrap().contains("_RSA_");
    let certificate = CertificateDer::pem_slice_iter(PEM).nth(is_rsa.into()).unwrap().unwrap();
    let key = PrivateKeyDer::pem_slice_iter(PEM).nth(is_rsa.into()).unwrap().unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let mut config = ClientConfig::builder_with_details(only(client, suite), Arc::new(Clock))
        .with_protocol_versions(&[client.cipher_suites[suite].version()])
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.enable_secret_extraction = true;
    let client = ClientConnection::new(config.into(), "localhost".try_into().unwrap()).unwrap();
    let mut config = ServerConfig::builder_with_details(only(server, suite), Arc::new(Clock))
        .with_protocol_versions(&[server.cipher_suites[suite].version()])
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    config.enable_secret_extraction = true;
    let server = ServerConnection::new(config.into()).unwrap();

    let mut both: [Connection; 2] = [client.into(), server.into()];
    while both.iter().any(|end| end.is_handshaking()) {
        for from in [0, 1] {
            let sent = take(&mut both[from]);
            give(&mut both[1 - from], &sent).unwrap();
        }
    }
    // Tickets
    let sent = take(&mut both[1]);
    give(&mut both[0], &sent).unwrap();
    assert!(both.iter().all(|end| end.negotiated_cipher_suite().unwrap().suite() == name));
    both
}

/// What the connection has to send
pub fn take(from: &mut Connection) -> Vec<u8> {
    let mut sent = Vec::new();
    while from.wants_write() {
        from.write_tls(&mut sent).unwrap();
    }
    sent
}

/// Sends it to the other one, and returns the text.
pub fn give(to: &mut Connection, mut sent: &[u8]) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    while !sent.is_empty() {
        to.read_tls(&mut sent).unwrap();
        let arrived = to.process_new_packets()?.plaintext_bytes_to_read();
        let start = text.len();
        text.resize(start + arrived, 0);
        to.reader().read_exact(&mut text[start..]).unwrap();
    }
    Ok(text)
}

/// Sends a text, and returns what arrives.
#[allow(dead_code)] // in the benchmark
pub fn send(from: &mut Connection, to: &mut Connection, text: &[u8]) -> Vec<u8> {
    let mut arrived = Vec::new();
    // A connection's buffer has a limit.
    for part in text.chunks(40_000) {
        from.writer().write_all(part).unwrap();
        arrived.extend(give(to, &take(from)).unwrap());
    }
    arrived
}
