//! The same of signatures: keys, and what an attempt computes with.

use crate::attempt::{Facts, Key, hash, pack};
use crate::scene::{Finding, Scene, Secret, random, recording};
use ringsmith::encoding;
use ringsmith::ml_dsa::{Context, MlDsa44, MlDsa65, MlDsa87, PreparedSet};
use ringsmith::pkcs8::{AssociatedOid, DecodePrivateKey, EncodePrivateKey};
use ringsmith::scheme::signature_by_name;
use ringsmith::set::Bytes;
use ringsmith::signature::{Mu, PreparedSigningKey, SignatureScheme, SigningKey};
use ringsmith_simd::Cpu;
use std::collections::BTreeSet;
use std::hint::black_box;

/// The randomness of signatures.
const RND: u64 = 2;
/// What is signed.
const MU: [u8; 64] = [5; 64];
/// Coefficients that are looked for: whoever keeps more keeps these.
const FIRST: usize = 16;

/// The first coefficients of elements as they are in memory: as words of 32 bits, and of 16 where they are
/// small.
fn in_memory(what: &'static str, elements: &[Vec<i64>]) -> Vec<Secret> {
    let of = |x: &Vec<i64>| {
        let words = x[..FIRST].iter().flat_map(|x| (*x as i32).to_ne_bytes()).collect();
        let halves: Option<Vec<_>> = x[..FIRST].iter().map(|x| i16::try_from(*x).ok()).collect();
        let halves = halves.map(|halves| (what, halves.iter().flat_map(|x| x.to_ne_bytes()).collect()));
        halves.into_iter().chain([(what, words)])
    };
    elements.iter().flat_map(of).collect()
}

/// What follows from a seed, and what a private key says of it.
fn of_key(facts: Facts, cpu: Cpu, seed: &[u8], private: &[u8]) -> Vec<Secret> {
    let (expanded, key) =
        (hash(cpu, &[seed, &[facts.k as u8, facts.l as u8]], 128), Key::new(facts, cpu, private));
    let mut secrets = vec![
        ("what is drawn for a key", seed.to_vec()),
        ("the seed of the secret", expanded[32..96].to_vec()),
        ("K", expanded[96..].to_vec()),
        ("the encoded secret", private[128..].to_vec()),
    ];
    let elements = [&key.s1, &key.s2, &key.t0];
    secrets.extend(elements.into_iter().flat_map(|x| in_memory("coefficients", x)));
    secrets
}

/// What a signature with this randomness is made of, in each attempt up to the one that succeeded.
fn of_signature(facts: Facts, cpu: Cpu, private: &[u8], rnd: &[u8], signature: &[u8]) -> Vec<Secret> {
    let (seed, key) = (hash(cpu, &[&private[32..64], rnd, &MU], 64), Key::new(facts, cpu, private));
    let mask = |i: u16| hash(cpu, &[&seed, &i.to_le_bytes()], 32 * facts.mask_bits);
    let mut secrets = vec![("the seed of the masks", seed.clone())];
    let (mut first, columns) = (0, facts.l as u16);
    loop {
        let masks: Vec<_> = (first..first + columns).map(mask).collect();
        let attempt = key.attempt(&masks, &MU);
        let accepted = attempt.ctilde == signature[..facts.ctilde];
        secrets.extend(in_memory("a mask", &attempt.mask));
        secrets.extend(in_memory("w", &attempt.w));
        secrets.extend(in_memory("the low part", &attempt.low));
        secrets.extend(in_memory("the low part less c s2", &attempt.rest));
        for products in [&attempt.cs1, &attempt.cs2, &attempt.ct0] {
            secrets.extend(in_memory("a product with the challenge", products));
        }
        if !accepted {
            secrets.extend(in_memory("z of a rejected attempt", &attempt.response));
            let top = 1 << (facts.mask_bits - 1);
            let numbers = |z: &Vec<i64>| z.iter().map(|z| top - z).collect::<Vec<_>>();
            let encoded = attempt.response.iter().map(|z| pack(&numbers(z), facts.mask_bits));
            secrets.extend(encoded.map(|z| ("z of a rejected attempt", z)));
        }
        first += columns;
        if accepted {
            break;
        }
        assert!(first < 1000 * columns, "an attempt has the challenge of the signature");
    }
    // More masks are sampled than are taken.
    let masks = (0..first + columns + 8).map(mask);
    secrets.extend(masks.map(|mask| ("an encoded mask", mask)));
    secrets
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
        let mut secrets = of_key(facts, cpu, &seed, &private);
        secrets.extend(of_signature(facts, cpu, &private, &rnd, hedged.as_ref()));
        secrets.extend(of_signature(facts, cpu, &private, &[0; 32], same.as_ref()));
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

const FACTS_44: Facts = Facts {
    k: 4,
    l: 4,
    eta: 2,
    bits: 3,
    mask_bits: 18,
    ctilde: 32,
    tau: 39,
    gamma2: (8_380_417 - 1) / 88,
    high_bits: 6,
};
const FACTS_65: Facts = Facts {
    k: 6,
    l: 5,
    eta: 4,
    bits: 4,
    mask_bits: 20,
    ctilde: 48,
    tau: 49,
    gamma2: (8_380_417 - 1) / 32,
    high_bits: 4,
};
const FACTS_87: Facts = Facts { k: 8, l: 7, eta: 2, bits: 3, ctilde: 64, tau: 60, ..FACTS_65 };

/// Every set.
pub(crate) const SETS: [fn(Cpu) -> BTreeSet<Finding>; 3] = [
    |cpu| of::<MlDsa44>(cpu, FACTS_44),
    |cpu| of::<MlDsa65>(cpu, FACTS_65),
    |cpu| of::<MlDsa87>(cpu, FACTS_87),
];
