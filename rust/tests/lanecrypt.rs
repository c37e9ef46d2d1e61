// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! The crate by published vectors, and each implementation that runs here against RustCrypto's crates.
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::process::Command;

use aead::array::typenum::Unsigned;
use aead::consts::{U12, U16};
use aead::inout::InOutBuf;
use aead::{Aead, AeadCore, AeadInOut, KeyInit, Nonce, Payload};
use aes::cipher::array::Array;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser};
use lanecrypt::{implementations, AesXts, Error, OpenItem, SealItem};
use lanecrypt::{Aes128Gcm, Aes192Gcm, Aes256Gcm, ChaCha20Poly1305, XChaCha20Poly1305};

/// Bytes for tests, always the same (xorshift64*)
struct Bytes(u64);
impl Bytes {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32
    }
    fn vec(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }
    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.vec(N).try_into().unwrap()
    }
}

fn hex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

/// Lengths at which code takes other paths, and some that are long
fn lens() -> impl Iterator<Item = usize> {
    (0..=80).chain([95, 96, 127, 128, 129, 191, 255, 256, 257, 500, 511, 512, 513, 1000, 1023, 1025, 2048, 4095, 4097, 20001])
}

// ---- Published vectors ----

fn vector<T: KeyInit + Aead>(key: &str, nonce: &str, aad: &str, text: &[u8], sealed: &str) {
    let cipher = T::new_from_slice(&hex(key)).unwrap();
    let nonce = Nonce::<T>::try_from(&hex(nonce)[..]).unwrap();
    let aad = &hex(aad)[..];
    assert_eq!(cipher.encrypt(&nonce, Payload { msg: text, aad }).unwrap(), hex(sealed));
    assert_eq!(cipher.decrypt(&nonce, Payload { msg: &hex(sealed), aad }).unwrap(), text);
}

const GCM_TEXT: &str =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657\
         ba637b39";
const GCM_AAD: &str = "feedfacedeadbeeffeedfacedeadbeefabaddad2";

/// McGrew and Viega, test cases 4, 10 and 16
#[test]
fn gcm_vectors() {
    vector::<Aes128Gcm>(
        "feffe9928665731c6d6a8f9467308308",
        "cafebabefacedbaddecaf888",
        GCM_AAD,
        &hex(GCM_TEXT),
        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac97\
         3d58e0915bc94fbc3221a5db94fae95ae7121a47",
    );
    vector::<Aes192Gcm>(
        "feffe9928665731c6d6a8f9467308308feffe9928665731c",
        "cafebabefacedbaddecaf888",
        GCM_AAD,
        &hex(GCM_TEXT),
        "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9\
         ccda27102519498e80f1478f37ba55bd6d27618c",
    );
    vector::<Aes256Gcm>(
        "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
        "cafebabefacedbaddecaf888",
        GCM_AAD,
        &hex(GCM_TEXT),
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0a\
         bcc9f66276fc6ece0f4e1768cddf8853bb2d551b",
    );
}

const SUNSCREEN: &[u8] =
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";

/// RFC 8439, 2.8.2; draft-irtf-cfrg-xchacha-03, A.3.1
#[test]
fn chacha20poly1305_vectors() {
    const KEY: &str = "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f";
    const AAD: &str = "50515253c0c1c2c3c4c5c6c7";
    vector::<ChaCha20Poly1305>(
        KEY,
        "070000004041424344454647",
        AAD,
        SUNSCREEN,
        "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b29\
         05d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b\
         61161ae10b594f09e26a7e902ecbd0600691",
    );
    vector::<XChaCha20Poly1305>(
        KEY,
        "404142434445464748494a4b4c4d4e4f5051525354555657",
        AAD,
        SUNSCREEN,
        "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216\
         cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13\
         b52ec0875924c1c7987947deafd8780acf49",
    );
}

/// IEEE 1619-2018, annex B, vector 2
#[test]
fn xts_vectors() {
    let key = AesXts::new(&hex("1111111111111111111111111111111122222222222222222222222222222222")).unwrap();
    let mut data = [0x44; 32];
    key.encrypt_sectors(&mut data[..], 32, 0x3333333333, 1).unwrap();
    assert_eq!(data[..], hex("c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"));
    key.decrypt(&hex("33333333330000000000000000000000").try_into().unwrap(), &mut data[..]).unwrap();
    assert_eq!(data, [0x44; 32]);
}

// ---- Against RustCrypto ----

type With<T> = fn(&CStr, &[u8]) -> Result<T, Error>;

fn compare<Ours, Theirs>(mode: &CStr, with: With<Ours>, implementation_of: fn(&Ours) -> &'static CStr)
where
    Ours: Aead + AeadInOut + KeyInit + Sync,
    Theirs: Aead + KeyInit,
{
    let mut num = 0;
    for implementation in implementations(mode).filter(|i| i.runs_here) {
        let mut bytes = Bytes(1);
        for len in lens() {
            let key = bytes.vec(Ours::key_size());
            let ours = with(implementation.name, &key).unwrap();
            assert_eq!(implementation_of(&ours), implementation.name);
            let theirs = Theirs::new_from_slice(&key).unwrap();
            let nonce = bytes.vec(<Ours as AeadCore>::NonceSize::USIZE);
            let our_nonce = Nonce::<Ours>::try_from(&nonce[..]).unwrap();
            let aad_len = bytes.next() as usize % 40;
            let (aad, msg) = (&bytes.vec(aad_len)[..], &bytes.vec(len)[..]);
            let sealed = theirs.encrypt(&Nonce::<Theirs>::try_from(&nonce[..]).unwrap(), Payload { msg, aad }).unwrap();
            assert_eq!(ours.encrypt(&our_nonce, Payload { msg, aad }).unwrap(), sealed, "{implementation:?}, {len} bytes");
            assert_eq!(ours.decrypt(&our_nonce, Payload { msg: &sealed, aad }).unwrap(), msg);

            // From one buffer into another
            let mut out = vec![0; len];
            let tag = ours.encrypt_inout_detached(&our_nonce, aad, InOutBuf::new(msg, &mut out).unwrap()).unwrap();
            assert_eq!([&out[..], &tag[..]].concat(), sealed);
            let mut back = vec![1; len];
            ours.decrypt_inout_detached(&our_nonce, aad, InOutBuf::new(&out, &mut back).unwrap(), &tag).unwrap();
            assert_eq!(back, msg);

            // In place, what was changed
            let mut changed = sealed.clone();
            changed[bytes.next() as usize % sealed.len()] ^= 1 << (bytes.next() % 8);
            let result = AeadInOut::decrypt_in_place(&ours, &our_nonce, aad, &mut changed);
            assert_eq!(result, Err(aead::Error));
            assert_eq!(changed[..len], vec![0; len], "{implementation:?}: the text of what isn't authentic");
            assert!(ours.decrypt(&our_nonce, Payload { msg: &sealed, aad: &[aad, &[0][..]].concat() }).is_err());
            assert!(ours.decrypt(&our_nonce, Payload { msg: &sealed[..15], aad }).is_err());
        }
        num += 1;
    }
    assert!(num > 0);
    assert_eq!(implementations(mode).filter(|i| i.selected).count(), 1);
    assert!(matches!(with(c"none", &vec![0; Ours::key_size()]), Err(Error::Implementation)));
}

#[test]
fn same_as_aes_gcm() {
    use aes_gcm::{aes, AesGcm};
    compare::<_, aes_gcm::Aes128Gcm>(Aes128Gcm::MODE, Aes128Gcm::with_implementation, Aes128Gcm::implementation);
    compare::<_, AesGcm<aes::Aes192, U12>>(Aes192Gcm::MODE, Aes192Gcm::with_implementation, Aes192Gcm::implementation);
    compare::<_, aes_gcm::Aes256Gcm>(Aes256Gcm::MODE, Aes256Gcm::with_implementation, Aes256Gcm::implementation);
}

#[test]
fn same_as_chacha20poly1305() {
    use chacha20poly1305 as theirs;
    type Ours = ChaCha20Poly1305;
    compare::<_, theirs::ChaCha20Poly1305>(Ours::MODE, Ours::with_implementation, Ours::implementation);
    type OursX = XChaCha20Poly1305;
    compare::<_, theirs::XChaCha20Poly1305>(OursX::MODE, OursX::with_implementation, OursX::implementation);
}

fn compare_xts<C>(key_len: usize)
where
    C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
{
    for implementation in implementations(AesXts::MODE).filter(|i| i.runs_here) {
        let mut bytes = Bytes(2);
        for len in lens().filter(|len| *len >= AesXts::MIN_LEN) {
            let key = bytes.vec(key_len);
            let iv = bytes.array();
            let text = bytes.vec(len);
            let ours = AesXts::with_implementation(implementation.name, &key).unwrap();
            let half = |k: &[u8]| C::new(&Array::try_from(k).unwrap());
            let theirs = xts_mode::Xts128::new(half(&key[..key_len / 2]), half(&key[key_len / 2..]));
            let mut expected = text.clone();
            theirs.encrypt_sector(&mut expected, iv.into());
            let mut data = text.clone();
            ours.encrypt(&iv, &mut data[..]).unwrap();
            assert_eq!(data, expected, "{implementation:?}, {len} bytes");
            let mut back = vec![0; len];
            ours.decrypt(&iv, InOutBuf::new(&data[..], &mut back[..]).unwrap()).unwrap();
            assert_eq!(back, text);

            // The last sector may be shorter.
            if len >= 200 && len % 160 >= 16 {
                let mut expected = text.clone();
                for (i, sector) in expected.chunks_mut(160).enumerate() {
                    theirs.encrypt_sector(sector, (5 + 8 * i as u128).to_le_bytes().into());
                }
                let mut data = text.clone();
                ours.encrypt_sectors(&mut data[..], 160, 5, 8).unwrap();
                assert_eq!(data, expected);
                AesXts::for_decryption(&key).unwrap().decrypt_sectors(&mut data[..], 160, 5, 8).unwrap();
                assert_eq!(data, text);
            }
        }
    }
}

#[test]
fn same_as_xts_mode() {
    compare_xts::<aes::Aes128>(32);
    compare_xts::<aes::Aes192>(48);
    compare_xts::<aes::Aes256>(64);
}

// ---- Many messages ----

macro_rules! many {
    ($test:ident, $type:ident) => {
        #[test]
        fn $test() {
            for implementation in implementations($type::MODE).filter(|i| i.runs_here) {
                let mut bytes = Bytes(3);
                let key = $type::with_implementation(implementation.name, &bytes.vec(32)).unwrap();
                let texts: Vec<_> = lens().map(|len| bytes.vec(len)).collect();
                let nonces: Vec<[u8; 12]> = texts.iter().map(|_| bytes.array()).collect();
                let aads: Vec<_> = (0..texts.len()).map(|i| bytes.vec(i % 21)).collect();
                let mut outs: Vec<_> = texts.iter().map(|text| vec![0; text.len()]).collect();
                let mut tags = vec![[0; 16]; texts.len()];

                let mut items: Vec<_> = (outs.iter_mut().zip(&mut tags).enumerate())
                    .map(|(i, (out, tag))| SealItem::new(&nonces[i], &aads[i], InOutBuf::new(&texts[i], out).unwrap(), tag))
                    .collect();
                assert!(items.iter().all(|item| item.result() == Err(Error::State)));
                key.seal_many(&mut items).unwrap();
                assert!(items.iter().all(|item| item.result().is_ok()));
                for (i, text) in texts.iter().enumerate() {
                    let expected = key.encrypt(&nonces[i].into(), Payload { msg: text, aad: &aads[i] }).unwrap();
                    assert_eq!([&outs[i][..], &tags[i]].concat(), expected, "{implementation:?}");
                }

                // In place, and two of them are wrong.
                let wrong = [7, 90];
                for i in wrong {
                    tags[i][15] ^= 128;
                }
                let mut items: Vec<_> =
                    (0..).zip(&mut outs).map(|(i, out)| OpenItem::new(&nonces[i], &aads[i], &mut out[..], &tags[i])).collect();
                assert_eq!(key.open_many(&mut items), Err(Error::Auth));
                for (i, item) in items.iter().enumerate() {
                    assert_eq!(item.result(), if wrong.contains(&i) { Err(Error::Auth) } else { Ok(()) });
                }
                for (i, text) in texts.iter().enumerate() {
                    assert_eq!(outs[i], if wrong.contains(&i) { vec![0; text.len()] } else { text.clone() });
                }
                assert_eq!(key.seal_many(&mut []), Ok(()));
                assert_eq!(key.open_many(&mut []), Ok(()));
            }
        }
    };
}
many!(many_gcm, Aes256Gcm);
many!(many_chacha20poly1305, ChaCha20Poly1305);

// ---- Errors, keys ----

#[test]
fn errors() {
    for len in (0..70).filter(|len| *len != 32) {
        assert_eq!(Aes256Gcm::try_new(&vec![1; len]).err(), Some(Error::KeyLen));
        assert_eq!(ChaCha20Poly1305::try_new(&vec![1; len]).err(), Some(Error::KeyLen));
        assert!(XChaCha20Poly1305::new_from_slice(&vec![1; len]).is_err());
    }
    // Not another of GCM's
    assert_eq!(Aes128Gcm::try_new(&[1; 32]).err(), Some(Error::KeyLen));
    assert_eq!(AesXts::new(&[1; 33]).err(), Some(Error::KeyLen));
    assert_eq!(AesXts::new(&[1; 64]).err(), Some(Error::WeakKey));
    let key = AesXts::for_decryption(&[1; 64]).unwrap();
    assert_eq!(key.encrypt(&[0; 16], &mut [0; 16][..]), Err(Error::DecryptOnly));
    assert_eq!(key.encrypt_sectors(&mut [0; 16][..], 16, 0, 1), Err(Error::DecryptOnly));
    assert_eq!(key.decrypt(&[0; 16], &mut [0; 15][..]), Err(Error::Len));
    assert_eq!(key.decrypt_sectors(&mut [0; 40][..], 32, 0, 1), Err(Error::Len));
    key.decrypt(&[0; 16], &mut [0; 16][..]).unwrap();
    assert!(Error::Auth.to_string().starts_with("authentication failed"));
    assert_eq!(
        format!("{:?}", Aes256Gcm::with_implementation(c"gcm-aes-portable", &[1; 32]).unwrap()),
        "Aes256Gcm(gcm-aes-portable)"
    );
}

/// What is dropped is zeros, also of a clone.
#[test]
fn keys_are_wiped() {
    fn check<T: Clone>(key: T) {
        let mut place = MaybeUninit::<T>::zeroed();
        let bytes = |place: &MaybeUninit<T>| -> Vec<u8> {
            // SAFETY: they were zeros before the key came, which has no padding.
            unsafe { std::slice::from_raw_parts(place.as_ptr().cast::<u8>(), size_of::<T>()) }.to_vec()
        };
        place.write(key.clone());
        assert!(bytes(&place).iter().any(|byte| *byte != 0));
        // SAFETY: there is a key.
        unsafe { place.assume_init_drop() };
        assert!(bytes(&place).iter().all(|byte| *byte == 0));
    }
    check(Aes128Gcm::new(&[1; 16].into()));
    check(Aes256Gcm::new(&[1; 32].into()));
    check(ChaCha20Poly1305::new(&[1; 32].into()));
    check(XChaCha20Poly1305::new(&[1; 32].into()));
    check(AesXts::for_decryption(&[1; 32]).unwrap());
}

#[test]
fn threads_share_keys() {
    fn is_send_and_sync<T: Send + Sync>(_: &T) {}
    let (gcm, xts) = (Aes256Gcm::new(&[1; 32].into()), AesXts::for_decryption(&[1; 32]).unwrap());
    is_send_and_sync(&xts);
    let expected = gcm.encrypt(&[2; 12].into(), &b"text"[..]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(gcm.encrypt(&[2; 12].into(), &b"text"[..]).unwrap(), expected));
        }
    });
}

/// The environment is read once a process, so each case has one of its own.
#[test]
fn environment() {
    for (value, expected) in
        [("gcm=gcm-aes-portable", "gcm-aes-portable"), ("gcm=none", "error"), ("sha256=sha256-portable", "error")]
    {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "environment_child", "--ignored", "--nocapture"])
            .env("LANECRYPT_IMPL", value)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success(), "{said}");
        assert!(said.contains(&format!("<{expected}>")), "{value}: {said}");
    }
}

#[test]
#[ignore = "environment() runs it"]
fn environment_child() {
    match Aes128Gcm::try_new(&[0; 16]) {
        Ok(key) => println!("<{}>", key.implementation().to_str().unwrap()),
        Err(error) => {
            assert_eq!(error, Error::Env);
            assert!(std::panic::catch_unwind(|| Aes128Gcm::new(&[0; 16].into())).is_err());
            println!("<error>");
        }
    }
}
