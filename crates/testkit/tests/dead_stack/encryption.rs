//! The same of public-key encryption.

use crate::scene::{Finding, Scene, Secret, random, recording};
use ringsmith::ntruencrypt::*;
use ringsmith::pke::{DecryptionKey, Message, PkeSet, PublicKeyEncryption};
use ringsmith::scheme::encryption_by_name;
use ringsmith::set::Bytes;
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::hint::black_box;

/// A pair of keys and a ciphertext.
struct Example {
    scheme: &'static PublicKeyEncryption,
    cpu: Cpu,
    public: Vec<u8>,
    private: Vec<u8>,
    message: Vec<u8>,
    ciphertext: Vec<u8>,
    /// One that nobody made.
    foreign: Vec<u8>,
}

/// What a hash of SHA-256 makes of the bytes for a key and for a message: what is hashed with a counter.
fn hashed(
    scheme: &PublicKeyEncryption,
    key: &[u8],
    message: &[u8],
    drawn: &[u8],
    public: &[u8],
) -> Vec<Secret> {
    let of_key = [("the hash of a key's seed", Sha256::digest(&key[..key.len() / 2]).to_vec())];
    // The identifier is behind two bytes of a public key, and half of a seed is hashed with a message; where
    // a key has none, the identifier is known.
    let of_message = public.len().checked_sub(scheme.ciphertext).map(|header| {
        let identifier = if header == 0 { &[0, 7, 0x39] } else { &public[2..5] };
        let text = [identifier, message, drawn, &public[header..][..key.len() / 4]].concat();
        ("the hash of a message", Sha256::digest(text).to_vec())
    });
    of_key.into_iter().chain(of_message).collect()
}

/// The first sixteen coefficients of trits, as they are in memory, where many are not 0.
fn trits(scheme: &PublicKeyEncryption, secret: &[u8]) -> Option<Secret> {
    let digit = |i: usize| i16::from(secret[i / 5]) / 3_i16.pow((i % 5) as u32) % 3;
    let first: Vec<_> = (0..16).map(|i| (digit(i) + 1) % 3 - 1).collect();
    let are_many = first.iter().filter(|x| **x != 0).count() > 6;
    let has_trits = ["ees401ep1", "ees449ep1", "ees677ep1", "ees653ep1", "ees853ep1"].contains(&scheme.name);
    (are_many && (has_trits || scheme.name.starts_with("ntruprime739")))
        .then(|| ("coefficients", first.iter().flat_map(|x| x.to_ne_bytes()).collect()))
}

impl Example {
    /// With all that is secret of it.
    fn new<S: PkeSet>(cpu: Cpu) -> (Self, Scene) {
        let scheme = encryption_by_name(S::NAME).expect("every set is listed");
        let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
        let (mut ciphertext, mut message) = (vec![0; scheme.ciphertext], vec![0; scheme.message]);
        Random::new(3).fill(&mut message);
        let (mut seeds, mut drawn) = (vec![], vec![]);
        (scheme.generate)(cpu, &mut recording(random(cpu, 1), &mut seeds), &mut public, &mut private)
            .expect("lengths");
        (scheme.encrypt)(cpu, &public, &message, &mut recording(random(cpu, 2), &mut drawn), &mut ciphertext)
            .expect("a key");
        let mut foreign = ciphertext.clone();
        foreign[0] ^= 1;

        let secret = match scheme.name.starts_with("libntru") {
            true => private[..private.len() - public.len()].to_vec(),
            false => private[public.len()..].to_vec(),
        };
        let mut secrets = hashed(scheme, &seeds, &message, &drawn, &public);
        secrets.extend(trits(scheme, &secret));
        secrets.extend([
            ("the encoded secret", secret),
            ("what is drawn for a key", seeds),
            ("what is drawn for a message", drawn.clone()),
            ("the message", message.clone()),
            ("the message", [&drawn[..], &[message.len() as u8], &message].concat()),
        ]);
        let scene = Scene::new(scheme.name, &secrets, &[&public, &ciphertext, &foreign]);
        (Example { scheme, cpu, public, private, message, ciphertext, foreign }, scene)
    }

    /// The operations on bytes.
    fn on_bytes(&self, scene: &mut Scene) {
        let (Example { scheme, cpu, .. }, mut found) = (self, vec![0; self.scheme.message]);
        let (mut public, mut private) = (self.public.clone(), self.private.clone());
        let mut ciphertext = self.ciphertext.clone();
        scene.look("generate", || {
            (scheme.generate)(*cpu, &mut random(*cpu, 1), &mut public, &mut private).expect("lengths");
        });
        scene.look("public_key_of", || {
            (scheme.public_key_of)(*cpu, &private, &mut public).expect("a key");
        });
        scene.look("encrypt", || {
            let rng = &mut random(*cpu, 2);
            (scheme.encrypt)(*cpu, &public, &self.message, rng, &mut ciphertext).expect("a key");
        });
        for ciphertext in [&self.ciphertext, &self.foreign] {
            scene.look("decrypt", || {
                _ = black_box((scheme.decrypt)(*cpu, &private, ciphertext, &mut found));
            });
        }
        if let Some(import) = scheme.import {
            scene.look("import", || import(*cpu, &self.private, &mut private).expect("a key"));
        }
    }

    /// The operations by types.
    fn by_types<S: PkeSet>(&self, scene: &mut Scene) {
        type Key<S> = DecryptionKey<S>;
        let (cpu, private) = (self.cpu, S::PrivateBytes::of(&self.private).expect("lengths"));
        let mut key = Key::<S>::from_bytes_boxed_on(cpu, private).expect("a key");
        let (mut bytes, mut message) = (S::PrivateBytes::ZERO, Message::empty());
        for ciphertext in [&self.ciphertext, &self.foreign] {
            let ciphertext = S::CiphertextBytes::of(ciphertext).expect("lengths");
            scene.look("DecryptionKey::decrypt_into", || {
                _ = black_box(key.decrypt_into(ciphertext, &mut message));
            });
            scene.look("DecryptionKey::decrypt", || _ = black_box(&key.decrypt(ciphertext)));
        }
        scene.look("EncryptionKey::encrypt", || {
            black_box(&key.encryption_key().encrypt(&self.message, &mut random(cpu, 2)));
        });
        scene.look("to_bytes_into", || key.to_bytes_into(&mut bytes));
        scene.look("to_bytes", || _ = black_box(&key.to_bytes()));
        scene.look("generate_into", || key.generate_into(&mut random(cpu, 1)));
        scene
            .look("generate_boxed", || _ = black_box(&Key::<S>::generate_boxed_on(cpu, &mut random(cpu, 1))));
        scene.look("generate by value", || _ = black_box(&Key::<S>::generate_on(cpu, &mut random(cpu, 1))));
        scene.look("try_generate", || {
            black_box(&Key::<S>::try_generate_on(cpu, &mut random(cpu, 1)));
        });
        scene.look("from_bytes_boxed", || _ = black_box(&Key::<S>::from_bytes_boxed_on(cpu, private)));
        scene.look("from_bytes", || _ = black_box(&Key::<S>::from_bytes_on(cpu, private)));
    }
}

fn of<S: PkeSet>(cpu: Cpu) -> BTreeSet<Finding> {
    let (example, mut scene) = Example::new::<S>(cpu);
    example.on_bytes(&mut scene);
    example.by_types::<S>(&mut scene);
    scene.found
}

/// Every set.
pub(crate) const SETS: [fn(Cpu) -> BTreeSet<Finding>; 40] = [
    of::<Ees401ep1>,
    of::<Ees449ep1>,
    of::<Ees677ep1>,
    of::<Ees1087ep2>,
    of::<Ees541ep1>,
    of::<Ees613ep1>,
    of::<Ees887ep1>,
    of::<Ees1171ep1>,
    of::<Ees659ep1>,
    of::<Ees761ep1>,
    of::<Ees1087ep1>,
    of::<Ees1499ep1>,
    of::<Ees401ep2>,
    of::<Ees439ep1>,
    of::<Ees593ep1>,
    of::<Ees743ep1>,
    of::<Ees443ep1>,
    of::<Ees587ep1>,
    of::<Ees653ep1>,
    of::<Ees853ep1>,
    of::<libntru::Ees401ep1>,
    of::<libntru::Ees449ep1>,
    of::<libntru::Ees677ep1>,
    of::<libntru::Ees1087ep2>,
    of::<libntru::Ees541ep1>,
    of::<libntru::Ees613ep1>,
    of::<libntru::Ees887ep1>,
    of::<libntru::Ees1171ep1>,
    of::<libntru::Ees659ep1>,
    of::<libntru::Ees761ep1>,
    of::<libntru::Ees1087ep1>,
    of::<libntru::Ees1499ep1>,
    of::<libntru::Ees401ep2>,
    of::<libntru::Ees439ep1>,
    of::<libntru::Ees593ep1>,
    of::<libntru::Ees743ep1>,
    of::<libntru::Ees443ep1>,
    of::<libntru::Ees587ep1>,
    of::<ntruprime739::X998>,
    of::<ntruprime739::Radix>,
];
