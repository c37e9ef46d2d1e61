// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! TLS by rustls: each suite, between lanecrypt's provider and the one that it is made of, ring's, or aws-lc-rs'.
use std::io::Write;
use std::process::Command;

use rustls::crypto::cipher::{
    AeadKey, InboundOpaqueMessage, Iv, MessageDecrypter, MessageEncrypter, OutboundChunks, OutboundPlainMessage,
    Tls12AeadAlgorithm, Tls13AeadAlgorithm, UnsupportedOperationError,
};
use rustls::crypto::{CipherSuiteCommon, CryptoProvider};
use rustls::{
    CipherSuite, Connection, ConnectionTrafficSecrets, ContentType, Error, ProtocolVersion, SupportedCipherSuite, Tls12CipherSuite,
    Tls13CipherSuite,
};

mod tls;
use tls::{give, handshake, is_tls13, send, take};

/// The providers to compare with
fn theirs() -> Vec<CryptoProvider> {
    vec![
        rustls::crypto::ring::default_provider(),
        #[cfg(feature = "_aws-lc-rs")]
        rustls::crypto::aws_lc_rs::default_provider(),
    ]
}

fn ours(base: &CryptoProvider) -> CryptoProvider {
    lanecrypt::rustls::provider(base.clone()).unwrap()
}

/// Bytes of every value
fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + i / 256) as u8).collect()
}

// ---- Connections ----

#[test]
fn handshakes() {
    let mut num = 0;
    for theirs in theirs() {
        let ours = ours(&theirs);
        for suite in 0..theirs.cipher_suites.len() {
            for (client, server) in [(&ours, &theirs), (&theirs, &ours), (&ours, &ours)] {
                let [mut client, mut server] = handshake(client, server, suite);
                for len in [1, 2, 100, 1420, 16384, 16385, 100_000] {
                    assert_eq!(send(&mut client, &mut server, &text(len)), text(len));
                    assert_eq!(send(&mut server, &mut client, &text(len)), text(len));
                }
                let _ =
                    server.writer().write_vectored(&[&b"in "[..], b"", b"three ", b"parts"].map(std::io::IoSlice::new)).unwrap();
                assert_eq!(give(&mut client, &take(&mut server)).unwrap(), b"in three parts");
                client.send_close_notify();
                let sent = take(&mut client);
                server.read_tls(&mut &sent[..]).unwrap();
                assert!(server.process_new_packets().unwrap().peer_has_closed());
                num += 1;
            }
        }
    }
    assert_eq!(num % 27, 0);
}

/// A record that is changed on its way ends the connection.
#[test]
fn tampered_connections() {
    let theirs = &theirs()[0];
    let ours = ours(theirs);
    for suite in 0..theirs.cipher_suites.len() {
        for (client, server) in [(&ours, theirs), (theirs, &ours)] {
            for from in [0, 1] {
                let mut both = handshake(client, server, suite);
                both[from].writer().write_all(&text(1000)).unwrap();
                let mut sent = take(&mut both[from]);
                sent[500] ^= 1;
                assert_eq!(give(&mut both[1 - from], &sent), Err(Error::DecryptError));
                // So says the alert.
                let alert = take(&mut both[1 - from]);
                assert!(matches!(give(&mut both[from], &alert), Err(Error::AlertReceived(_))));
            }
        }
    }
}

#[test]
fn key_updates() {
    let theirs = &theirs()[0];
    let ours = ours(theirs);
    for suite in (0..theirs.cipher_suites.len()).filter(|suite| is_tls13(&theirs.cipher_suites[*suite])) {
        for (client, server) in [(&ours, theirs), (theirs, &ours)] {
            let [mut client, mut server] = handshake(client, server, suite);
            for round in 1..6 {
                client.refresh_traffic_keys().unwrap();
                assert_eq!(send(&mut client, &mut server, &text(round)), text(round));
                server.refresh_traffic_keys().unwrap();
                assert_eq!(send(&mut server, &mut client, &text(round)), text(round));
            }
        }
    }
}

/// An algorithm that none of our connections may use
struct Forbidden;
impl Tls13AeadAlgorithm for Forbidden {
    fn encrypter(&self, _: AeadKey, _: Iv) -> Box<dyn MessageEncrypter> {
        unreachable!()
    }
    fn decrypter(&self, _: AeadKey, _: Iv) -> Box<dyn MessageDecrypter> {
        unreachable!()
    }
    fn key_len(&self) -> usize {
        unreachable!()
    }
    fn extract_keys(&self, _: AeadKey, _: Iv) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        unreachable!()
    }
}
impl Tls12AeadAlgorithm for Forbidden {
    fn encrypter(&self, _: AeadKey, _: &[u8], _: &[u8]) -> Box<dyn MessageEncrypter> {
        unreachable!()
    }
    fn decrypter(&self, _: AeadKey, _: &[u8]) -> Box<dyn MessageDecrypter> {
        unreachable!()
    }
    fn key_block_shape(&self) -> rustls::crypto::cipher::KeyBlockShape {
        unreachable!()
    }
    fn extract_keys(&self, _: AeadKey, _: &[u8], _: &[u8]) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        unreachable!()
    }
}

/// `base`, with another limit and without its ciphers
fn limited(base: &CryptoProvider, limit: u64) -> CryptoProvider {
    let mut limited = base.clone();
    for suite in &mut limited.cipher_suites {
        *suite = match *suite {
            SupportedCipherSuite::Tls13(suite) => {
                let common = CipherSuiteCommon { confidentiality_limit: limit, ..suite.common };
                SupportedCipherSuite::Tls13(Box::leak(Box::new(Tls13CipherSuite { common, aead_alg: &Forbidden, ..*suite })))
            }
            SupportedCipherSuite::Tls12(suite) => {
                let common = CipherSuiteCommon { confidentiality_limit: limit, ..suite.common };
                SupportedCipherSuite::Tls12(Box::leak(Box::new(Tls12CipherSuite { common, aead_alg: &Forbidden, ..*suite })))
            }
        };
    }
    limited
}

/// After as many records as a suite allows, TLS 1.3 takes other keys, and TLS 1.2 ends.
#[test]
fn limits() {
    const LIMIT: usize = 8;
    let theirs = &theirs()[0];
    let ours = ours(&limited(theirs, LIMIT as u64));
    for suite in 0..theirs.cipher_suites.len() {
        let [mut client, mut server] = handshake(&ours, theirs, suite);
        let (mut num_records, mut num_bytes) = (0, 0);
        for i in 0..100 {
            client.writer().write_all(&[i; 50]).unwrap();
            let sent = take(&mut client);
            num_bytes += sent.len();
            num_records += (give(&mut server, &sent).unwrap() == [i; 50]) as usize;
        }
        if is_tls13(&theirs.cipher_suites[suite]) {
            assert_eq!(num_records, 100);
            // The header, the text or the message KeyUpdate, its type, the tag
            let num_updates = (num_bytes - 100 * (5 + 50 + 1 + 16)) / (5 + 5 + 1 + 16);
            assert!((100 / LIMIT..=100 / (LIMIT - 2)).contains(&num_updates), "{num_updates} new keys");
        } else {
            // One was the handshake's.
            assert_eq!(num_records, LIMIT - 1);
            assert!(server.process_new_packets().unwrap().peer_has_closed());
        }
    }
}

// ---- Records ----

type Key = (AeadKey, Iv);

fn parts(secrets: (u64, ConnectionTrafficSecrets)) -> Key {
    match secrets.1 {
        ConnectionTrafficSecrets::Aes128Gcm { key, iv }
        | ConnectionTrafficSecrets::Aes256Gcm { key, iv }
        | ConnectionTrafficSecrets::Chacha20Poly1305 { key, iv } => (key, iv),
        _ => unreachable!(),
    }
}

fn variant(secrets: &ConnectionTrafficSecrets) -> &'static str {
    match secrets {
        ConnectionTrafficSecrets::Aes128Gcm { .. } => "AES_128_GCM",
        ConnectionTrafficSecrets::Aes256Gcm { .. } => "AES_256_GCM",
        ConnectionTrafficSecrets::Chacha20Poly1305 { .. } => "CHACHA20_POLY1305",
        _ => unreachable!(),
    }
}

fn encrypter(suite: &SupportedCipherSuite, (key, iv): Key) -> Box<dyn MessageEncrypter> {
    match suite {
        SupportedCipherSuite::Tls13(suite) => suite.aead_alg.encrypter(key, iv),
        SupportedCipherSuite::Tls12(suite) => {
            let (fixed, explicit) = iv.as_ref().split_at(suite.aead_alg.key_block_shape().fixed_iv_len);
            suite.aead_alg.encrypter(key, fixed, explicit)
        }
    }
}

fn decrypter(suite: &SupportedCipherSuite, (key, iv): Key) -> Box<dyn MessageDecrypter> {
    match suite {
        SupportedCipherSuite::Tls13(suite) => suite.aead_alg.decrypter(key, iv),
        SupportedCipherSuite::Tls12(suite) => {
            suite.aead_alg.decrypter(key, &iv.as_ref()[..suite.aead_alg.key_block_shape().fixed_iv_len])
        }
    }
}

/// Two directions of a connection between ours and theirs: from ours to theirs, and back.  A suite's index; whether ours was the
/// client.
fn directions(
    ours: &CryptoProvider,
    theirs: &CryptoProvider,
    suite: usize,
    is_client: bool,
) -> [(Box<dyn MessageEncrypter>, Box<dyn MessageDecrypter>); 2] {
    let (our_end, their_end) = if is_client {
        let [client, server] = handshake(ours, theirs, suite);
        (client, server)
    } else {
        let [client, server] = handshake(theirs, ours, suite);
        (server, client)
    };
    let extract = |connection: Connection| connection.dangerous_extract_secrets().unwrap();
    let (our_keys, their_keys) = (extract(our_end), extract(their_end));
    let name = theirs.cipher_suites[suite].suite();
    for (ours, theirs) in [(&our_keys.tx, &their_keys.rx), (&our_keys.rx, &their_keys.tx)] {
        assert_eq!(ours.0, theirs.0);
        assert_eq!(variant(&ours.1), variant(&theirs.1));
        assert!(name.as_str().unwrap().contains(variant(&ours.1)));
    }
    let (our_suite, their_suite) = (&ours.cipher_suites[suite], &theirs.cipher_suites[suite]);
    // Both ends have extracted the same.  A key of our end goes to their code, and the other way round.
    let (our_tx, our_rx) = (parts(our_keys.tx), parts(our_keys.rx));
    let (their_tx, their_rx) = (parts(their_keys.tx), parts(their_keys.rx));
    for (ours, theirs) in [(&our_tx, &their_rx), (&our_rx, &their_tx)] {
        assert_eq!((ours.0.as_ref(), ours.1.as_ref()), (theirs.0.as_ref(), theirs.1.as_ref()));
    }
    // The nonces that TLS 1.2 sends are those that whoever gets the keys will go on with.
    let first = their_rx.1.as_ref()[4..].to_vec();
    let mut our_encrypter = encrypter(our_suite, their_rx);
    if !is_tls13(our_suite) && name.as_str().unwrap().contains("GCM") {
        assert!(seal(&mut *our_encrypter, ContentType::ApplicationData, OutboundChunks::new_empty(), 0)
            .payload
            .starts_with(&first));
    }
    [(our_encrypter, decrypter(their_suite, our_tx)), (encrypter(their_suite, our_rx), decrypter(our_suite, their_tx))]
}

struct Record {
    typ: ContentType,
    version: ProtocolVersion,
    payload: Vec<u8>,
}

fn seal(encrypter: &mut dyn MessageEncrypter, typ: ContentType, payload: OutboundChunks<'_>, seq: u64) -> Record {
    let len = encrypter.encrypted_payload_len(payload.len());
    let sealed = encrypter.encrypt(OutboundPlainMessage { typ, version: ProtocolVersion::TLSv1_2, payload }, seq).unwrap();
    assert_eq!(sealed.payload.as_ref().len(), len);
    Record { typ: sealed.typ, version: sealed.version, payload: sealed.payload.as_ref().to_vec() }
}

fn open(decrypter: &mut dyn MessageDecrypter, record: &mut Record, seq: u64) -> Result<(ContentType, Vec<u8>), Error> {
    let message = InboundOpaqueMessage::new(record.typ, record.version, &mut record.payload);
    decrypter.decrypt(message, seq).map(|message| (message.typ, message.payload.to_vec()))
}

/// Beside ring's records only: aws-lc-rs' encrypters take each sequence number once.
fn for_each_suite(test: impl Fn(&SupportedCipherSuite, [(Box<dyn MessageEncrypter>, Box<dyn MessageDecrypter>); 2])) {
    let theirs = &theirs()[0];
    let ours = ours(theirs);
    for (index, suite) in theirs.cipher_suites.iter().enumerate() {
        for is_client in [true, false] {
            test(suite, directions(&ours, theirs, index, is_client));
        }
    }
}

#[test]
fn records() {
    for_each_suite(|suite, directions| {
        for (mut encrypter, mut decrypter) in directions {
            let lens = (0..=300).chain((301..16384).step_by(997)).chain([1023, 1024, 4096, 16383, 16384]);
            for (i, len) in lens.enumerate() {
                let text = text(len);
                let seq = [0, 1, 255, 256, 1 << 32, u64::MAX - 1][i % 6].max(i as u64);
                let typ = [ContentType::ApplicationData, ContentType::Handshake, ContentType::Alert][i % 3];
                let (a, b) = text.split_at(len / 3);
                let chunks = [a, &[], b];
                let chunks = if i % 2 == 0 { OutboundChunks::Single(&text) } else { OutboundChunks::new(&chunks) };
                let mut record = seal(&mut *encrypter, typ, chunks, seq);
                assert_eq!(record.typ, if is_tls13(suite) { ContentType::ApplicationData } else { typ });
                assert_eq!(record.version, ProtocolVersion::TLSv1_2);
                assert_eq!(open(&mut *decrypter, &mut record, seq), Ok((typ, text)), "{suite:?}, {len} bytes");
            }
        }
    });
}

#[test]
fn tampered_records() {
    for_each_suite(|suite, [_, (mut encrypter, mut decrypter)]| {
        const TYPE: ContentType = ContentType::ApplicationData;
        let text = text(20);
        let mut sealed = || seal(&mut *encrypter, TYPE, text[..].into(), 5);
        let mut check = |mut record: Record, seq: u64| {
            assert_eq!(open(&mut *decrypter, &mut record, seq), Err(Error::DecryptError));
            record
        };
        let len = sealed().payload.len();
        for bit in 0..8 * len {
            let mut record = sealed();
            record.payload[bit / 8] ^= 1 << (bit % 8);
            let record = check(record, 5);
            // No text is left of it.
            let start = if is_tls13(suite) { 0 } else { len - text.len() - 16 };
            assert!(record.payload[start..len - 16].iter().all(|byte| *byte == 0));
        }
        for short in 0..len {
            let mut record = sealed();
            record.payload.truncate(short);
            check(record, 5);
        }
        let mut record = sealed();
        record.payload.push(0);
        check(record, 5);
        for seq in [4, 6, 5 + (1 << 32), 0, u64::MAX] {
            check(sealed(), seq);
        }
        if !is_tls13(suite) {
            check(Record { typ: ContentType::Handshake, ..sealed() }, 5);
            check(Record { version: ProtocolVersion::TLSv1_1, ..sealed() }, 5);
        }
        // And the key is as it was.
        assert_eq!(open(&mut *decrypter, &mut sealed(), 5), Ok((TYPE, text.clone())));
    });
}

/// Texts of more than 2^14 bytes, and TLS 1.3's padding
#[test]
fn inner_lengths() {
    for_each_suite(|suite, [_, (mut encrypter, mut decrypter)]| {
        let mut go = |typ: ContentType, text: &[u8]| {
            let mut record = seal(&mut *encrypter, typ, text.into(), 0);
            open(&mut *decrypter, &mut record, 0)
        };
        let data = ContentType::ApplicationData;
        assert_eq!(go(data, &text(16385)), Err(Error::PeerSentOversizedRecord));
        assert_eq!(go(data, &text(60000)), Err(Error::PeerSentOversizedRecord));
        if is_tls13(suite) {
            // Text, type and zeros; what the encrypter appends is the last zero
            let zero = ContentType::from(0);
            assert_eq!(go(zero, b"text\x17\0\0"), Ok((data, b"text".to_vec())));
            assert_eq!(go(zero, b"\x16"), Ok((ContentType::Handshake, vec![])));
            assert!(matches!(go(zero, &[0; 100]), Err(Error::PeerMisbehaved(_))));
            assert!(matches!(go(zero, b""), Err(Error::PeerMisbehaved(_))));
        }
    });
}

// ---- The provider ----

#[test]
fn the_rest_is_theirs() {
    for theirs in theirs() {
        let ours = ours(&theirs);
        assert_eq!(ours.cipher_suites, theirs.cipher_suites);
        assert_eq!(ours.cipher_suites.len(), 9);
        for (ours, theirs) in ours.cipher_suites.iter().zip(&theirs.cipher_suites) {
            let is_gcm = ours.suite().as_str().unwrap().contains("GCM");
            let limit = if is_gcm { 1 << 24 } else { u64::MAX };
            match (ours, theirs) {
                (SupportedCipherSuite::Tls13(ours), SupportedCipherSuite::Tls13(theirs)) => {
                    assert_eq!([ours.common.confidentiality_limit, theirs.common.confidentiality_limit], [limit; 2]);
                    assert_eq!(ours.aead_alg.key_len(), theirs.aead_alg.key_len());
                    assert!(ours.quic.is_some());
                }
                (SupportedCipherSuite::Tls12(ours), SupportedCipherSuite::Tls12(theirs)) => {
                    assert_eq!([ours.common.confidentiality_limit, theirs.common.confidentiality_limit], [limit; 2]);
                    assert_eq!(ours.sign, theirs.sign);
                }
                _ => panic!("{ours:?} is of another version"),
            }
            assert!(!ours.fips());
        }
        let names = |provider: &CryptoProvider| provider.kx_groups.iter().map(|group| group.name()).collect::<Vec<_>>();
        assert_eq!(names(&ours), names(&theirs));
        assert!(!ours.fips());
    }
}

/// Suites that were made once are taken again; so are ours, and those that have another cipher.
#[test]
fn suites_are_made_once() {
    let mut base = theirs().remove(0);
    let SupportedCipherSuite::Tls13(known) = base.cipher_suites[0] else { panic!() };
    let common = CipherSuiteCommon { suite: CipherSuite::TLS13_AES_128_CCM_SHA256, ..known.common };
    base.cipher_suites.push(SupportedCipherSuite::Tls13(Box::leak(Box::new(Tls13CipherSuite { common, ..*known }))));
    let places = |provider: &CryptoProvider| -> Vec<usize> {
        let place = |suite: &SupportedCipherSuite| match suite {
            SupportedCipherSuite::Tls13(suite) => *suite as *const _ as usize,
            SupportedCipherSuite::Tls12(suite) => *suite as *const _ as usize,
        };
        provider.cipher_suites.iter().map(place).collect()
    };
    let first = ours(&base);
    assert_eq!(places(&ours(&base)), places(&first));
    assert_eq!(places(&ours(&first)), places(&first));
    let (base, first) = (places(&base), places(&first));
    assert_eq!(base[9], first[9]);
    assert!((0..9).all(|i| base[i] != first[i]));
}

/// The environment is read once a process, so each case has one of its own.
#[test]
fn environment() {
    for value in ["gcm=none", "chacha20-poly1305=none", "gcm=gcm-aes-portable"] {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "environment_child", "--ignored"])
            .env("LANECRYPT_IMPL", value)
            .status()
            .unwrap();
        assert!(child.success(), "{value}");
    }
}

#[test]
#[ignore = "environment() runs it"]
fn environment_child() {
    let result = lanecrypt::rustls::provider(theirs().remove(0));
    if std::env::var("LANECRYPT_IMPL").unwrap().ends_with("none") {
        assert_eq!(result.err(), Some(lanecrypt::Error::Env));
    } else {
        assert!(result.is_ok());
    }
}
