//! What operations leave on the stack when they have returned, of each secret that they have seen.
//!
//! A secret is looked for as it is drawn, encoded, derived and computed with. A run of 32 bytes of it that is
//! not public is one too many. What vectors hold in registers, and what a kernel keeps of a polynomial beside
//! its first sixteen coefficients, is not seen here.

mod attempt;
mod encryption;
#[path = "../../../ntru/tests/shared/mod.rs"]
mod ntru;
mod scene;
mod signature;

use ringsmith::keys::{DecapsulationKey, EncapsulationKey, OneTimeKey, SecretKey};
use ringsmith::ml_kem::{MlKem512, MlKem768, MlKem1024};
use ringsmith::new_hope::{NewHopeCca512, NewHopeCca1024, NewHopeCompact512, NewHopeCompact768};
use ringsmith::new_hope::{NewHopeCompact1024, NewHopeCpa512, NewHopeCpa1024};
use ringsmith::ntru::{Ntruhps2048509, Ntruhps2048677, Ntruhps4096821, Ntruhps40961229};
use ringsmith::ntru::{Ntruhrss701, Ntruhrss1373};
use ringsmith::ntru_prime::{Ntrulpr653, Ntrulpr761, Ntrulpr857, Ntrulpr953, Ntrulpr1013, Ntrulpr1277};
use ringsmith::ntru_prime::{Sntrup653, Sntrup761, Sntrup857, Sntrup953, Sntrup1013, Sntrup1277};
use ringsmith::pkcs8::{AssociatedOid, DecodePrivateKey, EncodePrivateKey};
use ringsmith::scheme::{ALL, ENCRYPTIONS, EXCHANGES, KeyExchange, SIGNATURES, Scheme};
use ringsmith::set::{Bytes, CcaSet, CpaSet, KemSet, SeedSet, SharedKey};
use ringsmith::{encoding, x_wing};
use ringsmith_hash::{Sha3_256, Sha3_512, Shake256};
use ringsmith_simd::Cpu;
use scene::{Finding, Scene, Secret, random, recording};
use std::collections::BTreeSet;
use std::hint::black_box;

/// The first sixteen coefficients of an encoded element, which has so many bits of each, as they are in
/// memory.
fn coefficients(encoded: &[u8], bits: usize) -> Secret {
    let bit = |at: usize| i16::from(encoded[at / 8] >> (at % 8) & 1);
    let coefficient = |i: usize| (0..bits).map(|b| bit(i * bits + b) << b).sum::<i16>();
    // Two bits are a coefficient and one.
    let less = i16::from(bits == 2);
    ("coefficients", (0..16).flat_map(|i| (coefficient(i) - less).to_ne_bytes()).collect())
}

/// The same of an element of which a byte has five coefficients.
fn trits(encoded: &[u8]) -> Secret {
    let digit = |i: usize| i16::from(encoded[i / 5]) / 3_i16.pow((i % 5) as u32) % 3;
    ("coefficients", (0..16).flat_map(|i| ((digit(i) + 1) % 3 - 1).to_ne_bytes()).collect())
}

/// The parts of an NTRU key, or of a ciphertext: the first sixteen coefficients of each, as in memory.
fn first<const PARTS: usize>(names: [&'static str; PARTS], parts: [&[i128]; PARTS]) -> Vec<Secret> {
    let bytes = |part: &[i128]| part[..16].iter().flat_map(|x| (*x as i16).to_ne_bytes()).collect();
    names.into_iter().zip(parts).map(|(name, part)| (name, bytes(part))).collect()
}

/// The numbers of a set of NTRU.
fn ntru_set(scheme: &Scheme) -> ntru::Set {
    let is_it = |(of, _): &(&Scheme, ntru::Set)| of.name == scheme.name;
    ntru::sets().into_iter().find(is_it).expect("a set of NTRU").1
}

/// What is drawn for a key of NTRU, but for `f`, which the encoded key has.
fn of_ntru_key(scheme: &Scheme, drawn: &[u8]) -> Vec<Secret> {
    let [_, g] = ntru_set(scheme).sample_key(drawn);
    first(["g"], [&g])
}

/// The same for a ciphertext, its lift and its encoding.
fn of_ntru_ciphertext(scheme: &Scheme, drawn: &[u8]) -> Vec<Secret> {
    let set = ntru_set(scheme);
    let [r, m] = set.sample_message(drawn);
    let mut secrets = first(["r", "m", "the lift of m"], [&r, &m, &set.lift(&m)]);
    secrets.extend([("r, encoded", set.encode_ternary(&r)), ("m, encoded", set.encode_ternary(&m))]);
    secrets
}

/// What is secret of a private key.
fn of_private(scheme: &Scheme, private: &[u8], public: &[u8]) -> Vec<Secret> {
    let bits = match scheme.source {
        "NewHope, NIST round 2" => 14,
        "NTRU Prime, NIST round 3" => 2,
        _ => 12,
    };
    let at = private.windows(public.len()).position(|window| window == public).unwrap_or(private.len());
    let first = match scheme.source {
        "NTRU, NIST round 3" => trits(private),
        _ => coefficients(&private[..at], bits),
    };
    let mut secrets = vec![("the encoded secret", private[..at].to_vec()), first];
    if let Some(behind) = private.get(at + public.len()..) {
        // The hash of the public key, and what the key of a rejected ciphertext is made of.
        let z = if bits == 2 { &behind[..behind.len() - 32] } else { &behind[32..] };
        secrets.push(("z", z.to_vec()));
    }
    secrets
}

/// What a scheme makes of the bytes that it draws for a key.
fn of_key(scheme: &Scheme, cpu: Cpu, drawn: &[u8]) -> Vec<Secret> {
    let mut seeds = [[0; 32]; 2];
    match (scheme.source, scheme.cca) {
        ("FIPS 203", _) => {
            let rank = [(scheme.public_key / 384) as u8];
            let hash = Sha3_512::new_on(cpu).absorb(&drawn[..32]).absorb(&rank);
            hash.reader().squeeze(seeds.as_flattened_mut());
        }
        ("NTRU Prime, NIST round 3", _) => return vec![],
        ("NTRU, NIST round 3", _) => return of_ntru_key(scheme, drawn),
        (source, _) => {
            let prefix: &[u8] = if source == "LATINCRYPT 2019" { &[] } else { &[1] };
            Shake256::new_on(cpu)
                .absorb(prefix)
                .absorb(&drawn[..32])
                .reader()
                .squeeze(seeds.as_flattened_mut());
        }
    }
    vec![("the seed of the noise", seeds[1].to_vec())]
}

/// The same for a ciphertext.
fn of_ciphertext(scheme: &Scheme, cpu: Cpu, public: &[u8], drawn: &[u8]) -> Vec<Secret> {
    let mut out = [[0; 32]; 2];
    let shake = |parts: &[&[u8]], out: &mut [u8]| {
        parts.iter().fold(Shake256::new_on(cpu), |hash, part| hash.absorb(part)).reader().squeeze(out);
    };
    match (scheme.source, scheme.cca) {
        ("FIPS 203", _) => {
            let hash: [u8; 32] = Sha3_256::new_on(cpu).absorb(public).digest();
            Sha3_512::new_on(cpu).absorb(drawn).absorb(&hash).reader().squeeze(out.as_flattened_mut());
            vec![("the coin", out[1].to_vec())]
        }
        ("NTRU Prime, NIST round 3", _) => vec![],
        ("NTRU, NIST round 3", _) => of_ntru_ciphertext(scheme, drawn),
        (_, false) => {
            shake(&[&[2], drawn], out.as_flattened_mut());
            vec![("the message", out[0].to_vec()), ("the coin", out[1].to_vec())]
        }
        (source, true) => {
            let [first, second]: [&[u8]; 2] =
                if source == "LATINCRYPT 2019" { [&[]; 2] } else { [&[4], &[8]] };
            let (mut hash, mut message) = ([0; 32], [0; 32]);
            shake(&[public], &mut hash);
            shake(&[first, drawn], &mut message);
            shake(&[second, &message, &hash], out.as_flattened_mut());
            let derived = out.map(|bytes| bytes.to_vec());
            let [key, coin] = derived;
            vec![
                ("the message", message.to_vec()),
                ("what the shared key is made of", key),
                ("the coin", coin),
            ]
        }
    }
}

/// A pair of keys and ciphertexts of a scheme.
struct Example {
    scheme: &'static Scheme,
    cpu: Cpu,
    public: Vec<u8>,
    private: Vec<u8>,
    ciphertext: Vec<u8>,
    /// One that nobody made.
    foreign: Vec<u8>,
    seed: Vec<u8>,
}

impl Example {
    /// With all that is secret of it.
    fn new(scheme: &'static Scheme, cpu: Cpu) -> (Self, Scene) {
        let (mut public, mut private) = (vec![0; scheme.public_key], vec![0; scheme.private_key]);
        let (mut ciphertext, mut shared) = (vec![0; scheme.ciphertext], vec![0; scheme.shared_key]);
        let (mut seed, mut drawn) = (vec![], vec![]);
        (scheme.generate)(cpu, &mut recording(random(cpu, 1), &mut seed), &mut public, &mut private)
            .expect("lengths");
        (scheme.encapsulate)(
            cpu,
            &public,
            &mut recording(random(cpu, 2), &mut drawn),
            &mut ciphertext,
            &mut shared,
        )
        .expect("a key");
        let mut foreign = ciphertext.clone();
        foreign[0] ^= 1;
        let mut rejected = vec![0; scheme.shared_key];
        (scheme.decapsulate)(cpu, &private, &foreign, &mut rejected).expect("a key");

        let mut secrets = of_private(scheme, &private, &public);
        secrets.extend(of_key(scheme, cpu, &seed));
        secrets.extend(of_ciphertext(scheme, cpu, &public, &drawn));
        secrets
            .extend([("what is drawn for a key", seed.clone()), ("what is drawn for a ciphertext", drawn)]);
        secrets.extend([("the shared key", shared), ("the shared key", rejected)]);
        let scene = Scene::new(scheme.name, &secrets, &[&public, &ciphertext, &foreign]);
        (Example { scheme, cpu, public, private, ciphertext, foreign, seed }, scene)
    }

    /// The operations on bytes.
    fn on_bytes(&self, scene: &mut Scene) {
        let (Example { scheme, cpu, .. }, mut shared) = (self, vec![0; self.scheme.shared_key]);
        let (mut public, mut private) = (self.public.clone(), self.private.clone());
        let mut ciphertext = self.ciphertext.clone();
        scene.look("generate", || {
            (scheme.generate)(*cpu, &mut random(*cpu, 1), &mut public, &mut private).expect("lengths");
        });
        if let Some(seed) = &scheme.seed {
            scene.look("expand", || {
                (seed.expand)(*cpu, &self.seed, &mut public, &mut private).expect("a seed");
            });
        }
        if let Some(public_key_of) = scheme.public_key_of {
            scene.look("public_key_of", || public_key_of(*cpu, &private, &mut public).expect("a key"));
        }
        scene.look("encapsulate", || {
            let rng = &mut random(*cpu, 2);
            (scheme.encapsulate)(*cpu, &public, rng, &mut ciphertext, &mut shared).expect("a key");
        });
        for ciphertext in [&self.ciphertext, &self.foreign] {
            scene.look("decapsulate", || {
                (scheme.decapsulate)(*cpu, &private, ciphertext, &mut shared).expect("a key");
            });
        }
    }

    /// The operations of public keys by their type.
    fn public_key<S: KemSet>(&self, scene: &mut Scene) {
        let (cpu, public) = (self.cpu, S::PublicBytes::of(&self.public).expect("lengths"));
        let Ok(key) = EncapsulationKey::<S>::from_bytes_on(cpu, public) else { panic!("no key") };
        let (mut ciphertext, mut shared) = (S::CiphertextBytes::ZERO, SharedKey::zero());
        scene.look("EncapsulationKey::encapsulate_into", || {
            key.encapsulate_into(&mut random(cpu, 2), &mut ciphertext, &mut shared);
        });
        scene.look("EncapsulationKey::encapsulate", || {
            black_box(&key.encapsulate(&mut random(cpu, 2)));
        });
        scene.look("EncapsulationKey::encapsulate_once", || {
            black_box(&EncapsulationKey::<S>::encapsulate_once_on(cpu, public, &mut random(cpu, 2)));
        });
    }

    /// The operations of private keys by their type.
    fn private_key<S: CcaSet>(&self, scene: &mut Scene) {
        type Key<S> = DecapsulationKey<S>;
        let (cpu, private) = (self.cpu, S::PrivateBytes::of(&self.private).expect("lengths"));
        let ciphertexts =
            [&self.ciphertext, &self.foreign].map(|c| S::CiphertextBytes::of(c).expect("lengths"));
        let Ok(mut key) = Key::<S>::from_bytes_boxed_on(cpu, private) else { panic!("no key") };
        let (mut bytes, mut shared) = (S::PrivateBytes::ZERO, SharedKey::zero());
        for ciphertext in ciphertexts {
            scene.look("decapsulate_into", || key.decapsulate_into(ciphertext, &mut shared));
            scene.look("decapsulate by value", || _ = black_box(&key.decapsulate(ciphertext)));
            scene.look("decapsulate_once", || {
                black_box(&Key::<S>::decapsulate_once_on(cpu, private, ciphertext));
            });
        }
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

    /// Those of keys that have a short form, and files.
    fn seeded<S: SeedSet + AssociatedOid>(&self, scene: &mut Scene) {
        type Key<S> = DecapsulationKey<S>;
        let (cpu, seed) = (self.cpu, S::Seed::of(&self.seed).expect("lengths"));
        scene.look("from_seed", || _ = black_box(&Key::<S>::from_seed_on(cpu, seed)));
        let key = Key::<S>::from_seed_on(cpu, seed);
        scene.look("to_seed", || _ = black_box(&key.to_seed()));
        let files = [&self.seed, &self.private].map(|form| self.scheme.private_key_to_der(cpu, form));
        for (form, file) in [&self.seed, &self.private].into_iter().zip(files) {
            let file = file.expect("a key");
            scene.look("private_key_to_der", || _ = black_box(&self.scheme.private_key_to_der(cpu, form)));
            scene.look("read_private_key", || {
                black_box(&encoding::read_private_key(cpu, file.as_bytes(), None));
            });
            scene.look("from_pkcs8_der", || _ = black_box(&Key::<S>::from_pkcs8_der(file.as_bytes())));
        }
        scene.look("to_pkcs8_der", || _ = black_box(&key.to_pkcs8_der()));
    }

    /// Those of keys that serve one ciphertext.
    fn one_time<S: CpaSet>(&self, scene: &mut Scene) {
        let (cpu, private) = (self.cpu, S::PrivateBytes::of(&self.private).expect("lengths"));
        let ciphertext = S::CiphertextBytes::of(&self.ciphertext).expect("lengths");
        let (mut key, mut bytes) =
            (OneTimeKey::<S>::generate_on(cpu, &mut random(cpu, 1)), S::PrivateBytes::ZERO);
        scene.look("OneTimeKey::generate_into", || key.generate_into(&mut random(cpu, 1)));
        scene.look("OneTimeKey::to_bytes_into", || key.to_bytes_into(&mut bytes));
        scene.look("OneTimeKey::to_bytes", || _ = black_box(&key.to_bytes()));
        scene.look("OneTimeKey::generate", || {
            black_box(&OneTimeKey::<S>::generate_on(cpu, &mut random(cpu, 1)));
        });
        scene.look("OneTimeKey::decapsulate", || {
            black_box(&OneTimeKey::<S>::generate_on(cpu, &mut random(cpu, 1)).decapsulate(ciphertext));
        });
        scene.look("SecretKey::decapsulate", || {
            black_box(&SecretKey::<S>::from_bytes_on(cpu, private).decapsulate(ciphertext));
        });
        scene.look("SecretKey::to_bytes", || {
            black_box(&SecretKey::<S>::from_bytes_on(cpu, private).to_bytes());
        });
    }
}

/// Exchanges on bytes.
fn exchange(exchange: &KeyExchange, cpu: Cpu) -> Scene {
    let (mut secret, mut offer) = (vec![0; exchange.secret], vec![0; exchange.offer]);
    let (mut response, mut shared) = (vec![0; exchange.response], vec![0; exchange.shared_key]);
    let (mut drawn, mut drawn_by_bob) = (vec![], vec![]);
    (exchange.make_offer)(cpu, &mut recording(random(cpu, 1), &mut drawn), &mut secret, &mut offer)
        .expect("lengths");
    (exchange.respond)(
        cpu,
        &offer,
        &mut recording(random(cpu, 2), &mut drawn_by_bob),
        &mut response,
        &mut shared,
    )
    .expect("lengths");
    let secrets = [
        ("what is drawn for a key", drawn),
        ("what is drawn for a ciphertext", drawn_by_bob),
        ("the encoded secret", secret.clone()),
        coefficients(&secret, 14),
        ("the shared key", shared.clone()),
    ];
    let mut scene = Scene::new(exchange.name, &secrets, &[&offer, &response]);
    scene.look("make_offer", || {
        (exchange.make_offer)(cpu, &mut random(cpu, 1), &mut secret, &mut offer).expect("lengths");
    });
    scene.look("respond", || {
        let rng = &mut random(cpu, 2);
        (exchange.respond)(cpu, &offer, rng, &mut response, &mut shared).expect("lengths");
    });
    scene.look("finish", || (exchange.finish)(cpu, &secret, &response, &mut shared).expect("lengths"));
    scene
}

/// X-Wing.
fn x_wing(cpu: Cpu) -> Scene {
    let (mut seed, mut drawn) = (vec![], vec![]);
    let key = x_wing::DecapsulationKey::generate_on(cpu, &mut recording(random(cpu, 1), &mut seed));
    let public = key.encapsulation_key();
    let (ciphertext, shared) = public.encapsulate(&mut recording(random(cpu, 2), &mut drawn));
    let mut expanded = vec![0; 96];
    Shake256::new_on(cpu).absorb(&seed).reader().squeeze(&mut expanded);
    let secrets = [
        ("what is drawn for a key", seed),
        ("ML-KEM's seed", expanded[..64].to_vec()),
        ("X25519's scalar", expanded[64..].to_vec()),
        ("what is drawn for a ciphertext", drawn),
        ("the shared key", shared.as_bytes().to_vec()),
    ];
    let mut scene = Scene::new("X-Wing", &secrets, &[&public.to_bytes(), &ciphertext]);
    scene.look("generate", || {
        black_box(&x_wing::DecapsulationKey::generate_on(cpu, &mut random(cpu, 1)));
    });
    scene.look("encapsulate", || _ = black_box(&public.encapsulate(&mut random(cpu, 2))));
    scene.look("decapsulate", || _ = black_box(&key.decapsulate(&ciphertext)));
    scene
}

/// The scene of a set's operations on bytes and by types.
fn of_set<S: KemSet>(cpu: Cpu, more: impl Fn(&Example, &mut Scene)) -> BTreeSet<Finding> {
    let scheme = ALL.iter().find(|scheme| scheme.name == S::NAME).expect("every set is listed");
    let (example, mut scene) = Example::new(scheme, cpu);
    example.on_bytes(&mut scene);
    example.public_key::<S>(&mut scene);
    more(&example, &mut scene);
    scene.found
}

fn of_cca<S: CcaSet>(cpu: Cpu) -> BTreeSet<Finding> {
    of_set::<S>(cpu, Example::private_key::<S>)
}

fn of_cpa<S: CpaSet>(cpu: Cpu) -> BTreeSet<Finding> {
    of_set::<S>(cpu, Example::one_time::<S>)
}

fn of_seeded<S: SeedSet + AssociatedOid>(cpu: Cpu) -> BTreeSet<Finding> {
    of_set::<S>(cpu, |example, scene| {
        example.private_key::<S>(scene);
        example.seeded::<S>(scene);
    })
}

/// Every set.
const SETS: [fn(Cpu) -> BTreeSet<Finding>; 28] = [
    of_seeded::<MlKem512>,
    of_seeded::<MlKem768>,
    of_seeded::<MlKem1024>,
    of_cca::<NewHopeCca512>,
    of_cca::<NewHopeCca1024>,
    of_cca::<NewHopeCompact512>,
    of_cca::<NewHopeCompact768>,
    of_cca::<NewHopeCompact1024>,
    of_cpa::<NewHopeCpa512>,
    of_cpa::<NewHopeCpa1024>,
    of_cca::<Sntrup653>,
    of_cca::<Sntrup761>,
    of_cca::<Sntrup857>,
    of_cca::<Sntrup953>,
    of_cca::<Sntrup1013>,
    of_cca::<Sntrup1277>,
    of_cca::<Ntrulpr653>,
    of_cca::<Ntrulpr761>,
    of_cca::<Ntrulpr857>,
    of_cca::<Ntrulpr953>,
    of_cca::<Ntrulpr1013>,
    of_cca::<Ntrulpr1277>,
    of_cca::<Ntruhps2048509>,
    of_cca::<Ntruhps2048677>,
    of_cca::<Ntruhps4096821>,
    of_cca::<Ntruhps40961229>,
    of_cca::<Ntruhrss701>,
    of_cca::<Ntruhrss1373>,
];

/// The compiler moves what is returned by value from where it was made, and what it leaves there nobody
/// clears: a key, its bytes, and a shared key beside its ciphertext. `_into` and `_boxed` forms are there for
/// who cannot have that. The operations, and what each may leave.
const BY_VALUE: [(&[&str], &[&str]); 4] = [
    (
        &[
            "generate by value",
            "try_generate",
            "from_bytes",
            "from_seed",
            "from_pkcs8_der",
            "OneTimeKey::generate",
            "OneTimeKey::decapsulate",
            "PreparedSigningKey::new",
        ],
        &["coefficients", "the encoded secret", "z", "K", "what is drawn for a key"],
    ),
    (
        &["to_bytes", "OneTimeKey::to_bytes", "SecretKey::to_bytes"],
        &["the encoded secret", "z", "what is drawn for a key"],
    ),
    (&["EncapsulationKey::encapsulate", "EncapsulationKey::encapsulate_once"], &["the shared key"]),
    (&["DecryptionKey::decrypt"], &["the message"]),
];

/// What crates below leave, and which operation of which scheme with it.
const OTHERS: [(&str, &str, &[&str]); 3] = [
    // The key has ML-KEM's in it, and scalars go by value into the crate `x25519-dalek`.
    ("X-Wing", "generate", &["what is drawn for a key", "ML-KEM's seed", "X25519's scalar"]),
    // By value.
    ("X-Wing", "encapsulate", &["the shared key"]),
    ("X-Wing", "decapsulate", &["the shared key"]),
];

/// Whether it is known that an operation leaves a secret.
fn is_known((scheme, operation, what): &Finding) -> bool {
    let by_value = BY_VALUE.iter().any(|(names, left)| names.contains(operation) && left.contains(what));
    let others =
        OTHERS.iter().any(|(of, name, left)| (of, name) == (scheme, operation) && left.contains(what));
    by_value || others
}

/// Protects: nothing is left of a secret, but for what is known to be.
#[test]
#[cfg_attr(debug_assertions, ignore = "variables of such builds live longer, and nobody clears them")]
fn what_is_left() {
    assert_eq!(SETS.len(), ALL.len());
    assert_eq!(encryption::SETS.len(), ENCRYPTIONS.len());
    assert_eq!(signature::SETS.len(), SIGNATURES.len());
    for cpu in Cpu::available() {
        let mut found: Vec<Finding> = SETS.iter().flat_map(|set| set(cpu)).collect();
        found.extend(EXCHANGES.iter().flat_map(|it| exchange(it, cpu).found));
        found.extend(x_wing(cpu).found);
        found.extend(encryption::SETS.iter().flat_map(|set| set(cpu)));
        found.extend(signature::SETS.iter().flat_map(|set| set(cpu)));
        found.retain(|finding| !is_known(finding));
        assert!(found.is_empty(), "{}: {found:#?}", cpu.name());
    }
}

/// Protects: the test above can fail: an operation that keeps a copy of a secret is seen to.
#[test]
#[cfg_attr(debug_assertions, ignore = "AddressSanitizer's builds are such, and keep variables elsewhere")]
fn a_copy_is_seen() {
    let (example, mut scene) = Example::new(ALL[0], Cpu::detect());
    scene.look("nothing", || ());
    assert_eq!(scene.found, BTreeSet::new());
    scene.look("copy", || {
        let mut copy = [0; 64];
        copy.copy_from_slice(&example.seed);
        black_box(&mut copy);
    });
    let copied = (scene.name, "copy", "what is drawn for a key");
    assert!(scene.found.contains(&copied), "{:?}", scene.found);
}
