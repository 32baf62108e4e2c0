//! What signatures decode but for signatures: keys, contexts.

use super::same_everywhere;
use ringsmith::encoding::{EncodedSet, read_signing_key, read_verifying_key};
use ringsmith::ml_dsa::{Context, MlDsa44, MlDsa65, MlDsa87};
use ringsmith::pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding};
use ringsmith::set::Bytes;
use ringsmith::signature::{SigningKey, VerifyingKey};
use ringsmith_simd::Cpu;

/// What is signed.
pub(super) const MESSAGE: &[u8] = b"a message of any length";

/// A set, with what must hold of bytes of any length.
struct Set {
    /// Bytes of a private key in its long form.
    length: usize,
    seeds: fn() -> Seeds,
    public_key: fn(&[u8]),
    private_key: fn(&[u8]),
    long_key: fn(&[u8]),
}

/// Bytes that are whole.
struct Seeds {
    public: Vec<Vec<u8>>,
    private: Vec<Vec<u8>>,
    long_key: Vec<u8>,
}

static SETS: [Set; 3] = [of::<MlDsa44>(), of::<MlDsa65>(), of::<MlDsa87>()];

const fn of<S: EncodedSet>() -> Set {
    Set {
        length: S::SigningBytes::LEN,
        seeds: seeds::<S>,
        public_key: public_key_of::<S>,
        private_key: private_key_of::<S>,
        long_key: long_key_of::<S>,
    }
}

/// The bytes, cut or filled up to a length.
pub(super) fn fitted(bytes: &[u8], length: usize) -> Vec<u8> {
    let mut fitted = bytes.to_vec();
    fitted.resize(length, 0);
    fitted
}

/// Always the same key.
pub(super) fn key<S: EncodedSet>(cpu: Cpu) -> SigningKey<S> {
    SigningKey::from_seed_on(cpu, &[6; 32])
}

fn seeds<S: EncodedSet>() -> Seeds {
    let key = key::<S>(Cpu::detect());
    let long = SigningKey::<S>::from_bytes(&key.to_bytes()).expect("its own");
    let public = key.verifying_key();
    let private = [&key, &long].into_iter().flat_map(|key| {
        let pem = key.to_pkcs8_pem(LineEnding::LF).expect("a short key").as_bytes().to_vec();
        [key.to_pkcs8_der().expect("a short key").as_bytes().to_vec(), pem]
    });
    Seeds {
        public: vec![
            public.to_public_key_der().expect("a short key").into_vec(),
            public.to_public_key_pem(LineEnding::LF).expect("a short key").into_bytes(),
        ],
        private: private.collect(),
        long_key: (*key.to_bytes()).as_ref().to_vec(),
    }
}

pub(super) fn public_keys() -> Vec<Vec<u8>> {
    SETS.iter().flat_map(|set| (set.seeds)().public).collect()
}

pub(super) fn private_keys() -> Vec<Vec<u8>> {
    SETS.iter().flat_map(|set| (set.seeds)().private).collect()
}

pub(super) fn long_keys() -> Vec<Vec<u8>> {
    SETS.iter().map(|set| (set.seeds)().long_key).collect()
}

pub(super) fn contexts() -> Vec<Vec<u8>> {
    [1, 2, 254, 255, 256, 257, 511, 512].into_iter().map(|length| vec![7; length]).collect()
}

/// Public keys in files: what is read is written as it was, and verifies nothing without a panic.
pub(super) fn public_key(bytes: &[u8]) {
    SETS.iter().for_each(|set| (set.public_key)(bytes));
}

fn public_key_of<S: EncodedSet>(bytes: &[u8]) {
    let Ok(key) = read_verifying_key::<S>(Cpu::detect(), bytes) else { return };
    let der = key.to_public_key_der().expect("a key that was read");
    let again = read_verifying_key::<S>(Cpu::detect(), der.as_bytes()).expect("a key that was written");
    assert!(again == key);
    let verified = same_everywhere(|cpu| {
        let key = VerifyingKey::<S>::from_bytes_on(cpu, &key.to_bytes());
        key.verify(Context::EMPTY, MESSAGE, S::SignatureBytes::ZERO.as_ref()).is_ok()
    });
    assert!(!verified);
}

/// Private keys in files: what is read is written, and is the same key.
pub(super) fn private_key(bytes: &[u8]) {
    SETS.iter().for_each(|set| (set.private_key)(bytes));
}

fn private_key_of<S: EncodedSet>(bytes: &[u8]) {
    let Ok(key) = read_signing_key::<S>(Cpu::detect(), bytes) else { return };
    let der = key.to_pkcs8_der().expect("a key that was read");
    let again = read_signing_key::<S>(Cpu::detect(), der.as_bytes()).expect("a key that was written");
    assert!(again.to_bytes() == key.to_bytes() && again.to_seed() == key.to_seed());
    assert!(again.to_pkcs8_der().expect("a key that was read").as_bytes() == der.as_bytes());
}

/// Private keys in their long form: what is taken is the key, byte for byte, and its signatures verify.
pub(super) fn long_key(bytes: &[u8]) {
    let distance = |set: &&Set| set.length.abs_diff(bytes.len());
    let set = SETS.iter().min_by_key(distance).expect("there are sets");
    (set.long_key)(&fitted(bytes, set.length));
}

fn long_key_of<S: EncodedSet>(bytes: &[u8]) {
    let bytes = S::SigningBytes::of(bytes).expect("the length");
    let signed = same_everywhere(|cpu| {
        let key = SigningKey::<S>::from_bytes_on(cpu, bytes).ok()?;
        assert!((*key.to_bytes()).as_ref() == bytes.as_ref());
        let signature = key.sign_deterministic(Context::EMPTY, MESSAGE).expect("a key that was read");
        let verified = key.verifying_key().verify(Context::EMPTY, MESSAGE, signature.as_ref());
        assert!(verified.is_ok());
        Some(signature.as_ref().to_vec())
    });
    // Another key than ours can't be found by chance, but for `K`, which is any bytes.
    let own = key::<S>(Cpu::detect()).to_bytes();
    let (own, bytes) = ((*own).as_ref(), bytes.as_ref());
    assert_eq!(signed.is_some(), own[..32] == bytes[..32] && own[64..] == bytes[64..]);
}

/// Contexts of any length: those of 255 bytes at most sign, and only the same one verifies.
pub(super) fn context(bytes: &[u8]) {
    let Ok(context) = Context::new(bytes) else {
        assert!(bytes.len() > 255);
        return;
    };
    assert!(bytes.len() <= 255 && context.as_bytes() == bytes);
    let key = key::<MlDsa44>(Cpu::detect());
    let signature = key.sign_deterministic(context, MESSAGE).expect("a key");
    let verify = |context, message: &[u8]| key.verifying_key().verify(context, message, &signature).is_ok();
    assert!(verify(context, MESSAGE));
    let longer = [bytes, b"\0"].concat();
    Context::new(&longer).into_iter().for_each(|other| assert!(!verify(other, MESSAGE)));
    // A context and a message are not another context and another message.
    if let Some((last, shorter)) = bytes.split_last() {
        let shorter = Context::new(shorter).expect("a shorter one");
        assert!(!verify(shorter, MESSAGE) && !verify(shorter, &[&[*last], MESSAGE].concat()));
    }
}
