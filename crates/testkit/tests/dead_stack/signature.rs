//! The same of signatures: keys, and what an attempt computes with.

use crate::scene::{Finding, Scene, Secret, random, recording};
use ringsmith::encoding;
use ringsmith::ml_dsa::{Context, MlDsa44, MlDsa65, MlDsa87, PreparedSet};
use ringsmith::pkcs8::{AssociatedOid, DecodePrivateKey, EncodePrivateKey};
use ringsmith::scheme::signature_by_name;
use ringsmith::set::Bytes;
use ringsmith::signature::{Mu, PreparedSigningKey, SignatureScheme, SigningKey};
use ringsmith_hash::Shake256;
use ringsmith_simd::Cpu;
use std::collections::BTreeSet;
use std::hint::black_box;

/// What says where a set's secrets are, and in how many bits: FIPS 204, table 1.
#[derive(Clone, Copy)]
struct Facts {
    k: usize,
    l: usize,
    eta: i32,
    /// Of a coefficient of the secret.
    bits: usize,
    /// The same of the mask, whose coefficients are at most `2^(mask_bits - 1)`.
    mask_bits: usize,
    /// Bytes of the challenge's hash.
    ctilde: usize,
    beta: i32,
}

/// The randomness of signatures.
const RND: u64 = 2;
/// What is signed.
const MU: [u8; 64] = [5; 64];
/// Coefficients of an element.
const N: usize = 256;
/// Coefficients that are looked for: whoever keeps more keeps these.
const FIRST: usize = 16;

/// So many bytes of a hash.
fn hash(cpu: Cpu, parts: &[&[u8]], bytes: usize) -> Vec<u8> {
    let mut out = vec![0; bytes];
    parts.iter().fold(Shake256::new_on(cpu), |hash, part| hash.absorb(part)).reader().squeeze(&mut out);
    out
}

/// The first coefficients of an encoded element: each is `top` less a number of so many bits.
fn unpack(encoded: &[u8], bits: usize, top: i32) -> Vec<i32> {
    let bit = |at: usize| i32::from(encoded[at / 8] >> (at % 8) & 1);
    (0..FIRST).map(|i| top - (0..bits).map(|b| bit(i * bits + b) << b).sum::<i32>()).collect()
}

/// Coefficients as they are in memory: as words of 32 bits, and of 16 where they are small.
fn in_memory(what: &'static str, coefficients: &[i32]) -> Vec<Secret> {
    let words = coefficients.iter().flat_map(|x| x.to_ne_bytes()).collect();
    let halves: Option<Vec<_>> = coefficients.iter().map(|x| i16::try_from(*x).ok()).collect();
    let halves = halves.map(|halves| (what, halves.iter().flat_map(|x| x.to_ne_bytes()).collect()));
    halves.into_iter().chain([(what, words)]).collect()
}

impl Facts {
    /// What follows from a seed, and what a private key says of it.
    fn of_key(&self, cpu: Cpu, seed: &[u8], private: &[u8]) -> Vec<Secret> {
        let expanded = hash(cpu, &[seed, &[self.k as u8, self.l as u8]], 128);
        let (secret, t0) = private[128..].split_at((self.k + self.l) * 32 * self.bits);
        let mut secrets = vec![
            ("what is drawn for a key", seed.to_vec()),
            ("the seed of the secret", expanded[32..96].to_vec()),
            ("K", expanded[96..].to_vec()),
            ("the encoded secret", secret.to_vec()),
            ("the encoded secret", t0.to_vec()),
        ];
        let elements = secret.chunks(32 * self.bits).map(|bytes| unpack(bytes, self.bits, self.eta));
        secrets.extend(elements.flat_map(|first| in_memory("coefficients", &first)));
        let elements = t0.chunks(32 * 13).map(|bytes| unpack(bytes, 13, 1 << 12));
        secrets.extend(elements.flat_map(|first| in_memory("coefficients", &first)));
        secrets
    }

    /// The element of the mask or of the response that is encoded in so many bytes.
    fn element(&self, encoded: &[u8]) -> Vec<i32> {
        unpack(encoded, self.mask_bits, 1 << (self.mask_bits - 1))
    }

    /// What a signature is made of, up to the attempt that succeeded: of this randomness.
    fn of_signature(&self, cpu: Cpu, private: &[u8], rnd: &[u8], signature: &[u8]) -> Vec<Secret> {
        let seed = hash(cpu, &[&private[32..64], rnd, &MU], 64);
        let bytes = N / 8 * self.mask_bits;
        let mask = |i: u16| hash(cpu, &[&seed, &i.to_le_bytes()], bytes);
        let response: Vec<_> = signature[self.ctilde..].chunks(bytes).take(self.l).collect();
        // All elements of the accepted attempt are near the masks.
        let is_near = |first: u16| {
            response.iter().zip(first..).all(|(z, i)| {
                let pairs = self.element(z).into_iter().zip(self.element(&mask(i)));
                pairs.map(|(z, y)| (z - y).abs()).all(|product| product <= self.beta)
            })
        };
        let accepted = (0..u16::MAX).step_by(self.l).find(|first| is_near(*first)).expect("an attempt");
        let mut secrets = vec![("the seed of the masks", seed.clone())];
        // More masks are sampled than are taken.
        for i in 0..accepted + 2 * self.l as u16 + 8 {
            secrets.extend(in_memory("a mask", &self.element(&mask(i))));
            secrets.push(("an encoded mask", mask(i)));
        }
        for (z, i) in response.iter().zip(accepted..) {
            let pairs = self.element(z).into_iter().zip(self.element(&mask(i)));
            secrets.extend(in_memory("c s1", &pairs.map(|(z, y)| z - y).collect::<Vec<_>>()));
        }
        secrets
    }
}

/// A pair of keys of a set.
struct Example {
    scheme: &'static SignatureScheme,
    cpu: Cpu,
    public: Vec<u8>,
    private: Vec<u8>,
    seed: Vec<u8>,
}

impl Example {
    /// With all that is secret of it, and of signatures with randomness and without.
    fn new<S: PreparedSet>(cpu: Cpu, facts: Facts) -> (Self, Scene) {
        let scheme = signature_by_name(S::NAME).expect("every set is listed");
        let (mut seed, mut rnd) = (vec![], vec![]);
        let key = SigningKey::<S>::generate_on(cpu, &mut recording(random(cpu, 1), &mut seed));
        let (private, public) = (key.to_bytes(), key.verifying_key().to_bytes());
        let (private, public) = ((*private).as_ref().to_vec(), public.as_ref().to_vec());
        let mu = Mu::from_bytes(MU);
        let hedged = key.sign_mu(&mut recording(random(cpu, RND), &mut rnd), &mu).expect("a signature");
        let same = key.sign_mu_deterministic(&mu).expect("a signature");
        let mut secrets = facts.of_key(cpu, &seed, &private);
        secrets.extend(facts.of_signature(cpu, &private, &rnd, hedged.as_ref()));
        secrets.extend(facts.of_signature(cpu, &private, &[0; 32], same.as_ref()));
        secrets.push(("what is drawn for a signature", rnd));
        let scene = Scene::new(scheme.name, &secrets, &[&public, hedged.as_ref(), same.as_ref()]);
        (Example { scheme, cpu, public, private, seed }, scene)
    }

    /// The operations on bytes.
    fn on_bytes(&self, scene: &mut Scene) {
        let (Example { scheme, cpu, .. }, mu) = (self, Mu::from_bytes(MU));
        let (mut public, mut private) = (self.public.clone(), self.private.clone());
        let mut signature = vec![0; scheme.signature];
        scene.look("expand", || {
            (scheme.expand)(*cpu, &self.seed, &mut public, &mut private).expect("a seed");
        });
        scene.look("public_key_of", || {
            (scheme.public_key_of)(*cpu, &private, &mut public).expect("a key");
        });
        scene.look("sign", || {
            let rng = &mut random(*cpu, RND);
            (scheme.sign)(*cpu, &private, &mu, rng, &mut signature).expect("a signature");
        });
        scene.look("sign_deterministic", || {
            (scheme.sign_deterministic)(*cpu, &private, &mu, &mut signature).expect("a signature");
        });
    }

    /// The key by its type.
    fn key<S: PreparedSet>(&self) -> Box<SigningKey<S>> {
        let mut key = SigningKey::<S>::generate_boxed_on(self.cpu, &mut random(self.cpu, 3));
        key.generate_into(&mut random(self.cpu, 1));
        key
    }

    /// Keys by their type.
    fn keys<S: PreparedSet>(&self, scene: &mut Scene) {
        type Key<S> = SigningKey<S>;
        let (cpu, mut key) = (self.cpu, self.key::<S>());
        let (seed, private) = (
            self.seed[..].try_into().expect("lengths"),
            S::SigningBytes::of(&self.private).expect("lengths"),
        );
        scene.look("generate_into", || key.generate_into(&mut random(cpu, 1)));
        scene
            .look("generate_boxed", || _ = black_box(&Key::<S>::generate_boxed_on(cpu, &mut random(cpu, 1))));
        scene.look("generate by value", || _ = black_box(&Key::<S>::generate_on(cpu, &mut random(cpu, 1))));
        scene.look("try_generate", || {
            black_box(&Key::<S>::try_generate_on(cpu, &mut random(cpu, 1)).is_ok());
        });
        scene.look("from_seed_boxed", || _ = black_box(&Key::<S>::from_seed_boxed_on(cpu, seed)));
        scene.look("from_bytes_boxed", || _ = black_box(&Key::<S>::from_bytes_boxed_on(cpu, private)));
        scene.look("from_seed", || _ = black_box(&Key::<S>::from_seed_on(cpu, seed)));
        scene.look("from_bytes", || _ = black_box(&Key::<S>::from_bytes_on(cpu, private).is_ok()));
        scene.look("to_seed", || _ = black_box(&key.to_seed()));
        scene.look("to_bytes", || _ = black_box(&key.to_bytes()));
    }

    /// Signing by types.
    fn sign<S: PreparedSet>(&self, scene: &mut Scene) {
        let (cpu, key, mu) = (self.cpu, self.key::<S>(), Mu::from_bytes(MU));
        let mut signature = S::SignatureBytes::ZERO;
        let mut prepared = PreparedSigningKey::new_boxed(&SigningKey::<S>::from_seed_on(cpu, &[4; 32]));
        scene.look("PreparedSigningKey::prepare_into", || prepared.prepare_into(&key));
        scene.look("PreparedSigningKey::new_boxed", || _ = black_box(&PreparedSigningKey::new_boxed(&key)));
        scene.look("PreparedSigningKey::new", || _ = black_box(&PreparedSigningKey::new(&key)));
        scene.look("SigningKey::sign", || {
            black_box(&key.sign_mu(&mut random(cpu, RND), &mu).is_ok());
        });
        scene.look("SigningKey::sign", || {
            black_box(&key.sign_mu_deterministic(&mu).is_ok());
        });
        scene.look("SigningKey::sign", || {
            black_box(&key.sign_deterministic(Context::EMPTY, b"a message").is_ok());
        });
        scene.look("SigningKey::try_sign_mu_into", || {
            black_box(&key.try_sign_mu_into(&mut random(cpu, RND), &mu, &mut signature).is_ok());
        });
        scene.look("PreparedSigningKey::sign", || {
            black_box(&prepared.sign_mu(&mut random(cpu, RND), &mu).is_ok());
        });
        scene.look("PreparedSigningKey::sign", || {
            black_box(&prepared.sign_mu_deterministic(&mu).is_ok());
        });
        scene.look("PreparedSigningKey::try_sign_mu_into", || {
            black_box(&prepared.try_sign_mu_into(&mut random(cpu, RND), &mu, &mut signature).is_ok());
        });
    }

    /// Files.
    fn files<S: PreparedSet + AssociatedOid>(&self, scene: &mut Scene) {
        let key = self.key::<S>();
        let files = [&self.seed, &self.private].map(|form| self.scheme.private_key_to_der(self.cpu, form));
        for (form, file) in [&self.seed, &self.private].into_iter().zip(files) {
            let file = file.expect("a key");
            scene.look("private_key_to_der", || {
                _ = black_box(&self.scheme.private_key_to_der(self.cpu, form))
            });
            scene.look("read_any_signing_key", || {
                black_box(&encoding::read_any_signing_key(self.cpu, file.as_bytes(), None).is_ok());
            });
            scene.look("from_pkcs8_der", || {
                black_box(&SigningKey::<S>::from_pkcs8_der(file.as_bytes()).is_ok());
            });
        }
        scene.look("to_pkcs8_der", || _ = black_box(&key.to_pkcs8_der()));
    }
}

fn of<S: PreparedSet + AssociatedOid>(cpu: Cpu, facts: Facts) -> BTreeSet<Finding> {
    let (example, mut scene) = Example::new::<S>(cpu, facts);
    example.on_bytes(&mut scene);
    example.keys::<S>(&mut scene);
    example.sign::<S>(&mut scene);
    example.files::<S>(&mut scene);
    scene.found
}

/// Every set.
pub(crate) const SETS: [fn(Cpu) -> BTreeSet<Finding>; 3] = [
    |cpu| of::<MlDsa44>(cpu, Facts { k: 4, l: 4, eta: 2, bits: 3, mask_bits: 18, ctilde: 32, beta: 78 }),
    |cpu| of::<MlDsa65>(cpu, Facts { k: 6, l: 5, eta: 4, bits: 4, mask_bits: 20, ctilde: 48, beta: 196 }),
    |cpu| of::<MlDsa87>(cpu, Facts { k: 8, l: 7, eta: 2, bits: 3, mask_bits: 20, ctilde: 64, beta: 120 }),
];
