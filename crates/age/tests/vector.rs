//! The test vectors of `sntrup761x25519` in docs/files.md, against the library, and step by step against the
//! parts that it names.

use age::Identity as _;
use age::secrecy::ExposeSecret;
use age_core::format::Stanza;
use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit};
use hkdf::Hkdf;
use rand_core::{TryCryptoRng, TryRng};
use ringsmith::Cpu;
use ringsmith::hash::{RATE_256, Reader, Shake256};
use ringsmith::ntru_prime::sntrup761;
use ringsmith_age::{Identity, Kind, PLUGIN, Recipient};
use ringsmith_oracle::unhex;
use sha2::Sha256;
use std::convert::Infallible;
use x25519_dalek::{PublicKey, StaticSecret};

const DOCUMENT: &str = include_str!("../../../docs/files.md");
/// What stands before the vectors' blocks.
const HEADING: &str = "### Test vectors";

/// One of the document's vectors: its block, as lines.
struct Vector(&'static str);

impl Vector {
    fn all() -> [Vector; 2] {
        let (_, section) = DOCUMENT.split_once(HEADING).expect("a heading");
        let blocks: Vec<&str> = section.split("```text").skip(1).collect();
        let block = |text: &'static str| Vector(text.split("```").next().expect("a block"));
        blocks.into_iter().map(block).collect::<Vec<_>>().try_into().ok().expect("two vectors")
    }

    /// A value: what follows its name, with the lines that are indented below.
    fn value(&self, name: &str) -> String {
        let named = |line: &&str| line.split_once(':').is_none_or(|line| line.0 != name);
        let mut lines = self.0.lines().skip_while(named);
        let first = lines.next().and_then(|line| line.split_once(':')).expect(name).1;
        let more = lines.take_while(|line| line.starts_with(' '));
        std::iter::once(first).chain(more).map(str::trim).collect()
    }

    fn hex<const N: usize>(&self, name: &str) -> [u8; N] {
        unhex(&self.value(name))
    }

    fn base64(&self, name: &str) -> Vec<u8> {
        BASE64_STANDARD_NO_PAD.decode(self.value(name)).expect(name)
    }
}

/// What keys are drawn from.
struct Stream(Reader<RATE_256>);

impl TryRng for Stream {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("keys are drawn in bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("keys are drawn in bytes")
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.squeeze(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Stream {}

/// Protects: the document: its keys and its stanzas are those of the library, on every CPU; each stanza is
/// for its own identity alone.
#[test]
fn of_the_library() {
    for cpu in Cpu::available() {
        for (i, vector) in Vector::all().iter().enumerate() {
            let identity = Identity::parse_on(cpu, &vector.value("identity")).expect("an identity");
            assert_eq!(identity.kind(), Kind::Sntrup761X25519);
            let seed = [&[2][..], &vector.hex::<32>("seed")].concat();
            let of_seed = Identity::from_plugin_on(cpu, PLUGIN, &seed).expect("an identity");
            assert_eq!((*of_seed.to_text()).clone(), vector.value("identity"));
            assert_eq!(identity.to_recipient().to_string(), vector.value("recipient"));
            assert_eq!(Recipient::parse_on(cpu, &vector.value("recipient")), Ok(identity.to_recipient()));
            for (j, other) in Vector::all().iter().enumerate() {
                let opened = identity.unwrap_stanza(&stanza(other));
                assert_eq!(opened.is_some(), i == j);
                let Some(opened) = opened else { continue };
                assert_eq!(*opened.expect("a stanza").expose_secret(), vector.hex("file key"));
            }
        }
    }
}

fn stanza(vector: &Vector) -> Stanza {
    Stanza { tag: "sntrup761x25519".into(), args: vec![vector.value("ENC")], body: vector.base64("body") }
}

/// Protects: the derivation is the document's: each step that it names gives the value that it shows.
#[test]
fn step_by_step() {
    for vector in Vector::all() {
        let label = b"ringsmith/age/v1/sntrup761x25519/seed";
        let seed = vector.hex::<32>("seed");
        let mut stream = Stream(Shake256::new().absorb(label).absorb(&seed).reader());
        let mut scalar = [0; 32];
        stream.0.squeeze(&mut scalar);
        assert_eq!(scalar, vector.hex("scalar"));
        let scalar = StaticSecret::from(scalar);
        let lattice = sntrup761::DecapsulationKey::generate(&mut stream);
        unwrapped(&vector, &scalar, &lattice);
    }
}

/// The second half: from both private keys to the file's key.
fn unwrapped(vector: &Vector, scalar: &StaticSecret, lattice: &sntrup761::DecapsulationKey) {
    let enc = vector.base64("ENC");
    let (ciphertext, share) = enc.split_first_chunk().expect("a ciphertext");
    let share: [u8; 32] = share.try_into().expect("a share");
    let k = *lattice.decapsulate(ciphertext).as_bytes();
    let x = scalar.diffie_hellman(&PublicKey::from(share));
    assert_eq!((k, *x.as_bytes()), (vector.hex("k"), vector.hex("x")));

    let info = [
        &b"ringsmith/age/v1/sntrup761x25519/wrap"[..],
        &enc[..],
        &lattice.encapsulation_key().to_bytes(),
        &PublicKey::from(scalar).to_bytes(),
    ];
    let mut key = [0; 32];
    Hkdf::<Sha256>::new(None, &[k, *x.as_bytes()].concat()).expand(&info.concat(), &mut key).expect("short");
    assert_eq!(key, vector.hex("wrap key"));
    let cipher = ChaCha20Poly1305::new(&key.into());
    let mut body = vector.base64("body");
    let (opened, tag) = body.split_first_chunk_mut::<16>().expect("a file's key");
    let tag: [u8; 16] = (&*tag).try_into().expect("a tag");
    let nonce = [0; 12].into();
    cipher
        .decrypt_inout_detached(&nonce, &[], opened.as_mut_slice().into(), &tag.into())
        .expect("of this key");
    assert_eq!(*opened, vector.hex("file key"));
}
