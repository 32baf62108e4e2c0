//! Schemes: what they compute from secrets. What they publish on the way they declare themselves
//! (`crates/kem/src/declassify.rs`), each time with the reason.
//!
//! The seed of the matrix is the same for all secrets: it is public, and its rejection sampling takes the
//! time that it takes.

use super::Case;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined, secret_bytes};
use ringsmith::ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::new_hope::{
    adps, cca_512, cca_1024, compact_512, compact_768, compact_1024, cpa_512, cpa_1024, longa_naehrig,
};
use ringsmith::pkcs8::LineEnding;
use ringsmith::pkcs8::der::asn1::OctetStringRef;
use ringsmith::pkcs8::spki::AlgorithmIdentifier;
use ringsmith::pkcs8::{
    AssociatedOid, DecodePrivateKey, EncodePrivateKey, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument,
};
use ringsmith::scheme::Scheme;
use ringsmith::{hpke, ssh, x_wing};
use ringsmith_oracle::{Generator, Random};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// The seed of the matrix.
const RHO: [u8; 32] = [7; 32];

/// A PKCS #8 of a private key in both of its forms, which the library reads and does not write.
fn both_forms(oid: ObjectIdentifier, seed: &[u8; 64], private: &[u8]) -> SecretDocument {
    let long = |tag: u8, length: usize| [tag, 0x82, (length >> 8) as u8, length as u8];
    let octets = [&[0x04, 64], &seed[..], &long(0x04, private.len()), private].concat();
    let sequence = [&long(0x30, octets.len())[..], &octets].concat();
    let algorithm = AlgorithmIdentifier { oid, parameters: None };
    let key = OctetStringRef::new(&sequence).expect("a short string");
    SecretDocument::try_from(PrivateKeyInfoRef::new(algorithm, key)).expect("a short document")
}

/// A case of a scheme.
pub(super) fn case(scheme: &Scheme, name: &str, counted: bool, run: fn(Cpu, u64)) -> Case {
    Case { name: format!("{} {name}", scheme.name), counted, run: Box::new(run) }
}

/// What every scheme does with new keys and public keys.
macro_rules! public_cases {
    ($set:ident) => {{
        use $set::DecapsulationKey;
        let case = |name: &str, counted, run| case(&$set::SCHEME, name, counted, run);
        vec![
            case("generate", true, |cpu, seed| {
                let mut random = Random::new(seed);
                let (sigma, z) = (secret_bytes(&mut random), secret_bytes(&mut random));
                let key = observed(|| DecapsulationKey::from_inner_seeds(cpu, [&RHO, &sigma, &z]));
                make_defined(black_box(key.to_bytes().as_mut_slice()));
            }),
            case("encapsulate", true, |cpu, seed| {
                let key = DecapsulationKey::from_inner_seeds(cpu, [&RHO; 3]);
                let m = secret_bytes(&mut Random::new(seed));
                let (mut ciphertext, mut shared) =
                    observed(|| key.encapsulation_key().encapsulate_deterministic(&m));
                make_defined(black_box(&mut ciphertext));
                make_defined(black_box(&mut shared));
            }),
        ]
    }};
}

/// What schemes with implicit rejection do with private keys.
macro_rules! private_cases {
    ($set:ident) => {{
        use $set::DecapsulationKey;
        let case = |name: &str, counted, run| case(&$set::SCHEME, name, counted, run);
        vec![
            case("decapsulate", true, |cpu, seed| {
                let mut random = Random::new(seed);
                let (sigma, z) = (secret_bytes(&mut random), secret_bytes(&mut random));
                let key = DecapsulationKey::from_inner_seeds(cpu, [&RHO, &sigma, &z]);
                let (mut ciphertext, _) =
                    key.encapsulation_key().encapsulate_deterministic(&secret_bytes(&mut random));
                make_defined(&mut ciphertext);
                make_defined(black_box(&mut observed(|| key.decapsulate(&ciphertext))));
            }),
            case("decapsulate rejected", false, |cpu, seed| {
                let mut random = Random::new(seed);
                let (sigma, z) = (secret_bytes(&mut random), secret_bytes(&mut random));
                let key = DecapsulationKey::from_inner_seeds(cpu, [&RHO, &sigma, &z]);
                let ciphertext = [5; $set::CT_BYTES];
                make_defined(black_box(&mut observed(|| key.decapsulate(&ciphertext))));
            }),
            case("read a private key and decapsulate", false, |cpu, seed| {
                let mut random = Random::new(seed);
                let (sigma, z) = (secret_bytes(&mut random), secret_bytes(&mut random));
                let bytes = DecapsulationKey::from_inner_seeds(cpu, [&RHO, &sigma, &z]).to_bytes();
                let ciphertext = [5; $set::CT_BYTES];
                let mut shared = observed(|| {
                    DecapsulationKey::from_bytes(cpu, &bytes).map(|key| key.decapsulate(&ciphertext))
                });
                shared.iter_mut().for_each(|shared| make_defined(black_box(shared)));
            }),
        ]
    }};
}

/// The same without implicit rejection, and with private keys that hold nothing to check.
macro_rules! cpa_cases {
    ($set:ident) => {{
        use $set::{DecapsulationKey, SecretKey};
        let case = |name: &str, counted, run| case(&$set::SCHEME, name, counted, run);
        vec![case("read a private key and decapsulate", true, |cpu, seed| {
            let sigma = secret_bytes(&mut Random::new(seed));
            let bytes = DecapsulationKey::from_inner_seeds(cpu, [&RHO, &sigma, &RHO]).to_bytes();
            let ciphertext = [5; $set::CT_BYTES];
            let shared = || SecretKey::from_bytes(cpu, &bytes).decapsulate(&ciphertext);
            make_defined(black_box(&mut observed(shared)));
        })]
    }};
}

/// Key exchanges: each step, with the secret of the first as the type holds it and as bytes.
macro_rules! exchange_cases {
    ($form:ident) => {{
        use $form::Exchange;
        let case = |name: &str, counted, run: fn(Cpu, u64)| Case {
            name: format!("{} {name}", $form::EXCHANGE.name),
            counted,
            run: Box::new(run),
        };
        // The cipher asks for the CPU's features when it is first called.
        fn exchange(cpu: Cpu) -> (Exchange, [u8; $form::OFFER_BYTES]) {
            let exchange = Exchange::new(cpu);
            (exchange, exchange.offer_deterministic(&RHO, &RHO).1)
        }
        vec![
            case("offer", true, |cpu, seed| {
                let ((exchange, _), noise) = (exchange(cpu), secret_bytes(&mut Random::new(seed)));
                let (alice, mut offer) = observed(|| exchange.offer_deterministic(&RHO, &noise));
                make_defined(black_box(&mut offer));
                make_defined(black_box(alice.into_bytes().as_mut_slice()));
            }),
            case("respond", true, |cpu, seed| {
                let ((exchange, offer), noise) = (exchange(cpu), secret_bytes(&mut Random::new(seed)));
                let (mut response, mut key) = observed(|| exchange.respond_deterministic(&noise, &offer));
                make_defined(black_box(&mut response));
                make_defined(black_box(&mut key));
            }),
            case("finish", true, |cpu, seed| {
                let (exchange, noise) = (Exchange::new(cpu), secret_bytes(&mut Random::new(seed)));
                let (alice, _) = exchange.offer_deterministic(&RHO, &noise);
                make_defined(black_box(&mut observed(|| alice.finish(&[5; $form::RESPONSE_BYTES]))));
            }),
            case("read a secret and finish", false, |cpu, seed| {
                let (exchange, noise) = (Exchange::new(cpu), secret_bytes(&mut Random::new(seed)));
                let secret = exchange.offer_deterministic(&RHO, &noise).0.into_bytes();
                let finish = || {
                    exchange
                        .read_offer(secret.as_slice())
                        .map(|alice| alice.finish(&[5; $form::RESPONSE_BYTES]))
                };
                observed(finish).iter_mut().for_each(|key| make_defined(black_box(key)));
            }),
        ]
    }};
}

/// Keys as files.
macro_rules! pkcs8_cases {
    ($set:ident, $type:ident) => {{
        use $set::DecapsulationKey;
        let case = |name: &str, counted, run| case(&$set::SCHEME, name, counted, run);
        vec![
            // Takes no CPU backend, and allocates nothing.
            case("read a private key in PKCS #8", false, |cpu, seed| {
                let mut random = Random::new(seed);
                let (sigma, z) = (secret_bytes(&mut random), secret_bytes(&mut random));
                let document = DecapsulationKey::from_inner_seeds(cpu, [&RHO, &sigma, &z]).to_pkcs8_der();
                let document = document.expect("a key has an encoding");
                let key = observed(|| DecapsulationKey::from_pkcs8_der(document.as_bytes()));
                make_defined(black_box(key.expect("a key that was written").to_bytes().as_mut_slice()));
            }),
            // As text and back; the case before has what is within. (Base64 makes four letters of three
            // bytes, so a tool that follows secrets takes the lengths of DER beside a key for secrets too.)
            case("write and read a private key in PEM", false, |cpu, seed| {
                let mut random = Random::new(seed);
                let (sigma, z) = (secret_bytes(&mut random), secret_bytes(&mut random));
                let key = DecapsulationKey::from_inner_seeds(cpu, [&RHO, &sigma, &z]).to_pkcs8_der();
                let key = key.expect("a key has an encoding");
                let read = observed(|| {
                    let text = key.to_pem("PRIVATE KEY", LineEnding::LF).expect("a short key");
                    SecretDocument::from_pem(&text).expect("its own text").1
                });
                make_defined(black_box(&mut read.as_bytes().to_vec()));
            }),
            // The seed gives the matrix, so half of it is the same for all secrets; a tool that follows
            // secrets follows it too.
            case("read a private key in PKCS #8 with its seed", false, |_, seed| {
                let mut seeds = [[0; 32], secret_bytes(&mut Random::new(seed))];
                make_undefined(&mut seeds[0]);
                let seed: &[u8; 64] = seeds.as_flattened().first_chunk().expect("64 bytes");
                let private = DecapsulationKey::from_seed(Cpu::detect(), seed).to_bytes();
                let document = both_forms(ringsmith::ml_kem::$type::OID, seed, private.as_slice());
                let key = observed(|| DecapsulationKey::from_pkcs8_der(document.as_bytes()));
                make_defined(black_box(key.expect("forms of one key").to_bytes().as_mut_slice()));
            }),
        ]
    }};
}

/// X-Wing, and encryption with it. Its seed gives the matrix too, so it is the same for all secrets; a tool
/// that follows secrets follows it.
fn x_wing_cases() -> Vec<Case> {
    fn key(cpu: Cpu) -> x_wing::DecapsulationKey {
        let mut seed = [3; x_wing::DK_BYTES];
        make_undefined(&mut seed);
        x_wing::DecapsulationKey::from_bytes(cpu, &seed)
    }
    fn public_key(cpu: Cpu) -> x_wing::EncapsulationKey {
        x_wing::DecapsulationKey::from_bytes(cpu, &[3; x_wing::DK_BYTES]).encapsulation_key()
    }
    let case = |name: &str, run: fn(Cpu, u64)| Case { name: name.into(), counted: false, run: Box::new(run) };
    vec![
        case("X-Wing generate", |cpu, _| {
            let key = observed(|| key(cpu));
            make_defined(black_box(&mut key.encapsulation_key().to_bytes()));
        }),
        case("X-Wing encapsulate", |cpu, seed| {
            let (key, randomness) = (public_key(cpu), secret_bytes(&mut Random::new(seed)));
            let (mut ciphertext, mut shared) = observed(|| key.encapsulate_deterministic(&randomness));
            make_defined(black_box(&mut ciphertext));
            make_defined(black_box(&mut shared));
        }),
        case("X-Wing decapsulate", |cpu, _| {
            let key = key(cpu);
            make_defined(black_box(&mut observed(|| key.decapsulate(&[5; x_wing::CT_BYTES]))));
        }),
        case("HPKE seal", |cpu, seed| {
            let (key, mut random) = (public_key(cpu), Random::new(seed));
            let (mut message, randomness): ([u8; 16], _) =
                (secret_bytes(&mut random), secret_bytes(&mut random));
            // Hash and cipher ask for the CPU's features when they are first called.
            let first = hpke::seal_deterministic(&key, b"a case", &mut [0; 16], &[0; 64]);
            black_box(first.expect("a short message"));
            let sealed = observed(|| hpke::seal_deterministic(&key, b"a case", &mut message, &randomness));
            let mut sealed = sealed.expect("a short message");
            make_defined(black_box(&mut sealed.enc));
            make_defined(black_box(&mut sealed.tag));
            make_defined(black_box(&mut message));
        }),
    ]
}

/// SSH's exchange.
fn ssh_cases() -> Vec<Case> {
    fn client(cpu: Cpu, seed: u64) -> ssh::Client {
        let mut random = Random::new(seed);
        ssh::Client::new(
            cpu,
            &mut Generator(|bytes: &mut [u8]| {
                random.fill(bytes);
                make_undefined(bytes);
            }),
        )
    }
    let case = |name: &str, run: fn(Cpu, u64)| Case { name: name.into(), counted: false, run: Box::new(run) };
    vec![
        case("SSH respond", |cpu, seed| {
            let mut init = ssh::Client::new(cpu, &mut Random::new(0)).init();
            make_defined(&mut init);
            let mut random = Random::new(seed);
            let mut rng = Generator(|bytes: &mut [u8]| {
                random.fill(bytes);
                make_undefined(bytes);
            });
            let (mut reply, secret) = observed(|| ssh::respond(cpu, &init, &mut rng)).expect("a good point");
            make_defined(black_box(&mut reply));
            make_defined(black_box(secret.string().as_mut_slice()));
        }),
        case("SSH finish", |cpu, seed| {
            let client = client(cpu, seed);
            let mut init = client.init();
            make_defined(&mut init);
            let (reply, _) = ssh::respond(cpu, &init, &mut Random::new(0)).expect("a good point");
            let secret = observed(|| client.finish(&reply)).expect("a good point");
            make_defined(black_box(secret.string().as_mut_slice()));
        }),
    ]
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    macro_rules! key_cases {
        ($($private:ident $set:ident)*) => {
            [$(public_cases!($set), $private!($set)),*]
        };
    }
    let keys = key_cases!(
        private_cases ml_kem_512
        private_cases ml_kem_768
        private_cases ml_kem_1024
        private_cases cca_512
        private_cases cca_1024
        private_cases compact_512
        private_cases compact_768
        private_cases compact_1024
        cpa_cases cpa_512
        cpa_cases cpa_1024
    );
    let others = [
        pkcs8_cases!(ml_kem_512, MlKem512),
        pkcs8_cases!(ml_kem_768, MlKem768),
        pkcs8_cases!(ml_kem_1024, MlKem1024),
        exchange_cases!(adps),
        exchange_cases!(longa_naehrig),
    ];
    keys.into_iter().chain(others).flatten().chain(x_wing_cases()).chain(ssh_cases()).collect()
}
