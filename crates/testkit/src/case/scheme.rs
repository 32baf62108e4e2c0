//! Schemes: what they compute from secrets. What they publish on the way they declare themselves
//! (`crates/simd/src/declassify.rs`), each time with the reason.
//!
//! The seed of the matrix is the same for all secrets: it is public, and its rejection sampling takes the
//! time that it takes.

use super::Case;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined, secret_bytes};
use ringsmith::keys::{DecapsulationKey, EncapsulationKey, SecretKey};
use ringsmith::ml_kem::{MlKem512, MlKem768, MlKem1024, ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::new_hope::{
    Exchange, Form, NewHopeCca512, NewHopeCca1024, NewHopeCompact512, NewHopeCompact768, NewHopeCompact1024,
    NewHopeCpa512, NewHopeCpa1024, OFFER_BYTES, RESPONSE_BYTES, adps::Adps, cca_512, cca_1024, compact_512,
    compact_768, compact_1024, cpa_512, cpa_1024, longa_naehrig::LongaNaehrig,
};
use ringsmith::pkcs8::LineEnding;
use ringsmith::pkcs8::der::asn1::OctetStringRef;
use ringsmith::pkcs8::spki::AlgorithmIdentifier;
use ringsmith::pkcs8::{
    AssociatedOid, DecodePrivateKey, EncodePrivateKey, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument,
};
use ringsmith::scheme::Scheme;
use ringsmith::set::{Bytes, CcaSet, CpaSet, InnerSeedSet, KemSet, Keys, SeedSet};
use ringsmith::{hpke, ssh, x_wing};
use ringsmith_oracle::{Generator, Random};
use ringsmith_simd::Cpu;
use std::hint::black_box;
use zeroize::Zeroizing;

/// The seed of the matrix.
const RHO: [u8; 32] = [7; 32];

/// A PKCS #8 of a private key in both of its forms, which the library reads and does not write.
pub(super) fn both_forms(oid: ObjectIdentifier, seed: &[u8], private: &[u8]) -> SecretDocument {
    let long = |tag: u8, length: usize| [tag, 0x82, (length >> 8) as u8, length as u8];
    let octets = [&[0x04, seed.len() as u8], seed, &long(0x04, private.len()), private].concat();
    let sequence = [&long(0x30, octets.len())[..], &octets].concat();
    let algorithm = AlgorithmIdentifier { oid, parameters: None };
    let key = OctetStringRef::new(&sequence).expect("a short string");
    SecretDocument::try_from(PrivateKeyInfoRef::new(algorithm, key)).expect("a short document")
}

/// A case of a scheme.
pub(super) fn case(scheme: &Scheme, name: &str, counted: bool, run: fn(Cpu, u64)) -> Case {
    Case::new(format!("{} {name}", scheme.name), counted, run)
}

/// A new pair of keys.
struct Pair<S: KemSet> {
    private: S::Private,
    public: S::Public,
    bytes: S::PublicBytes,
}

impl<S: InnerSeedSet> Pair<S> {
    fn blank(cpu: Cpu) -> Self {
        let way = S::planned(cpu);
        Pair { private: S::blank_private(way), public: S::blank_public(way), bytes: S::PublicBytes::ZERO }
    }

    /// Makes it of the seeds of what is public, of the noise, and of rejected ciphertexts.
    fn fill(&mut self, seeds: [&[u8; 32]; 3]) {
        let Pair { private, public, bytes } = self;
        S::expand_inner(Keys { private, public, bytes }, seeds);
    }

    /// The private key's bytes.
    fn written(&self) -> Zeroizing<S::PrivateBytes> {
        let (Pair { private, public, bytes }, mut out) = (self, Zeroizing::new(S::PrivateBytes::ZERO));
        S::write_private(Keys { private, public, bytes }, &mut out);
        out
    }
}

/// Secret bytes of an array type.
pub(super) fn secret_of<B: Bytes>(random: &mut Random) -> B {
    let mut bytes = B::ZERO;
    random.fill(bytes.as_mut());
    make_undefined(bytes.as_mut());
    bytes
}

/// A new private key's bytes, whose matrix is the same for all secrets.
fn secret_bytes_of<S: InnerSeedSet>(cpu: Cpu, random: &mut Random) -> Zeroizing<S::PrivateBytes> {
    let (sigma, z, mut made) = (secret_bytes(random), secret_bytes(random), Pair::<S>::blank(cpu));
    made.fill([&RHO, &sigma, &z]);
    made.written()
}

/// The same as a key.
fn secret_key<S: CcaSet + InnerSeedSet>(cpu: Cpu, random: &mut Random) -> DecapsulationKey<S> {
    DecapsulationKey::<S>::from_bytes_on(cpu, &secret_bytes_of::<S>(cpu, random)).expect("a key")
}

/// A ciphertext that nobody made.
fn foreign<S: KemSet>() -> S::CiphertextBytes {
    let mut ciphertext = S::CiphertextBytes::ZERO;
    ciphertext.as_mut().fill(5);
    ciphertext
}

/// What every scheme does with new keys and public keys.
fn public_cases<S: InnerSeedSet>(scheme: &Scheme) -> Vec<Case> {
    let case = |name: &str, counted, run| case(scheme, name, counted, run);
    vec![
        case("generate", true, |cpu, seed| {
            let mut random = Random::new(seed);
            let (sigma, z) = (secret_bytes(&mut random), secret_bytes(&mut random));
            let mut made = Pair::<S>::blank(cpu);
            observed(|| made.fill([&RHO, &sigma, &z]));
            make_defined(black_box((*made.written()).as_mut()));
        }),
        case("encapsulate", true, |cpu, seed| {
            let mut made = Pair::<S>::blank(cpu);
            made.fill([&RHO; 3]);
            let key = EncapsulationKey::<S>::from_bytes_on(cpu, &made.bytes).expect("a key");
            let m = secret_of(&mut Random::new(seed));
            let (mut ciphertext, mut shared) = observed(|| key.encapsulate_deterministic(&m));
            make_defined(black_box(ciphertext.as_mut()));
            make_defined(black_box(shared.as_mut_bytes()));
        }),
    ]
}

/// What schemes with implicit rejection do with private keys.
fn private_cases<S: CcaSet + InnerSeedSet>(scheme: &Scheme) -> Vec<Case> {
    let case = |name: &str, counted, run| case(scheme, name, counted, run);
    vec![
        case("decapsulate", true, |cpu, seed| {
            let mut random = Random::new(seed);
            let key: DecapsulationKey<S> = secret_key(cpu, &mut random);
            let (mut ciphertext, _) =
                key.encapsulation_key().encapsulate_deterministic(&secret_of(&mut random));
            make_defined(ciphertext.as_mut());
            make_defined(black_box(observed(|| key.decapsulate(&ciphertext)).as_mut_bytes()));
        }),
        case("decapsulate rejected", false, |cpu, seed| {
            let key: DecapsulationKey<S> = secret_key(cpu, &mut Random::new(seed));
            let ciphertext = foreign::<S>();
            make_defined(black_box(observed(|| key.decapsulate(&ciphertext)).as_mut_bytes()));
        }),
        case("read a private key and decapsulate", false, |cpu, seed| {
            let bytes = secret_bytes_of::<S>(cpu, &mut Random::new(seed));
            let ciphertext = foreign::<S>();
            let mut shared = observed(|| {
                DecapsulationKey::<S>::from_bytes_on(cpu, &bytes).map(|key| key.decapsulate(&ciphertext))
            });
            shared.iter_mut().for_each(|shared| make_defined(black_box(shared.as_mut_bytes())));
        }),
    ]
}

/// The same without implicit rejection, and with private keys that hold nothing to check.
fn cpa_cases<S: CpaSet + InnerSeedSet>(scheme: &Scheme) -> Vec<Case> {
    vec![case(scheme, "read a private key and decapsulate", true, |cpu, seed| {
        let bytes = secret_bytes_of::<S>(cpu, &mut Random::new(seed));
        let ciphertext = foreign::<S>();
        let shared = || SecretKey::<S>::from_bytes_on(cpu, &bytes).decapsulate(&ciphertext);
        make_defined(black_box(observed(shared).as_mut_bytes()));
    })]
}

/// Key exchanges: each step, with the secret of the first as the type holds it and as bytes.
fn exchange_cases<F: Form>() -> Vec<Case> {
    let case =
        |name: &str, counted, run: fn(Cpu, u64)| Case::new(format!("{} {name}", F::NAME), counted, run);
    // The cipher asks for the CPU's features when it is first called.
    fn exchange<F: Form>(cpu: Cpu) -> (Exchange<F>, [u8; OFFER_BYTES]) {
        let exchange = Exchange::new_on(cpu);
        (exchange, exchange.offer_deterministic(&RHO, &RHO).1)
    }
    vec![
        case("offer", true, |cpu, seed| {
            let ((exchange, _), noise) = (exchange::<F>(cpu), secret_bytes(&mut Random::new(seed)));
            let (alice, mut offer) = observed(|| exchange.offer_deterministic(&RHO, &noise));
            make_defined(black_box(&mut offer));
            make_defined(black_box(alice.into_bytes().as_mut_slice()));
        }),
        case("respond", true, |cpu, seed| {
            let ((exchange, offer), noise) = (exchange::<F>(cpu), secret_bytes(&mut Random::new(seed)));
            let (mut response, mut key) = observed(|| exchange.respond_deterministic(&noise, &offer));
            make_defined(black_box(&mut response));
            make_defined(black_box(key.as_mut_bytes()));
        }),
        case("finish", true, |cpu, seed| {
            let (exchange, noise) = (Exchange::<F>::new_on(cpu), secret_bytes(&mut Random::new(seed)));
            let (alice, _) = exchange.offer_deterministic(&RHO, &noise);
            make_defined(black_box(observed(|| alice.finish(&[5; RESPONSE_BYTES])).as_mut_bytes()));
        }),
        case("read a secret and finish", false, |cpu, seed| {
            let (exchange, noise) = (Exchange::<F>::new_on(cpu), secret_bytes(&mut Random::new(seed)));
            let secret = exchange.offer_deterministic(&RHO, &noise).0.into_bytes();
            let finish =
                || exchange.read_offer(secret.as_slice()).map(|alice| alice.finish(&[5; RESPONSE_BYTES]));
            observed(finish).iter_mut().for_each(|key| make_defined(black_box(key.as_mut_bytes())));
        }),
    ]
}

/// Keys as files.
fn pkcs8_cases<S: SeedSet<Seed = [u8; 64]> + InnerSeedSet + AssociatedOid>(scheme: &Scheme) -> Vec<Case> {
    let case = |name: &str, run| case(scheme, name, false, run);
    vec![
        // Takes no CPU backend, and allocates nothing.
        case("read a private key in PKCS #8", |cpu, seed| {
            let document = secret_key::<S>(cpu, &mut Random::new(seed)).to_pkcs8_der();
            let document = document.expect("a key has an encoding");
            let key = observed(|| DecapsulationKey::<S>::from_pkcs8_der(document.as_bytes()));
            make_defined(black_box((*key.expect("a key that was written").to_bytes()).as_mut()));
        }),
        // As text and back; the case before has what is within. (Base64 makes four letters of three
        // bytes, so a tool that follows secrets takes the lengths of DER beside a key for secrets too.)
        case("write and read a private key in PEM", |cpu, seed| {
            let key = secret_key::<S>(cpu, &mut Random::new(seed)).to_pkcs8_der();
            let key = key.expect("a key has an encoding");
            let read = || {
                let text = key.to_pem("PRIVATE KEY", LineEnding::LF).expect("a short key");
                SecretDocument::from_pem(&text).expect("its own text").1
            };
            // Once before, so that the allocator's lists are what they are for the next secret.
            drop(black_box(read()));
            let read = observed(read);
            make_defined(black_box(&mut read.as_bytes().to_vec()));
        }),
        // The seed gives the matrix, so half of it is the same for all secrets; a tool that follows
        // secrets follows it too.
        case("read a private key in PKCS #8 with its seed", |_, seed| {
            let mut seeds = [[0; 32], secret_bytes(&mut Random::new(seed))];
            make_undefined(&mut seeds[0]);
            let seed: &[u8; 64] = seeds.as_flattened().first_chunk().expect("64 bytes");
            let private = DecapsulationKey::<S>::from_seed(seed).to_bytes();
            let document = both_forms(S::OID, seed, (*private).as_ref());
            let key = observed(|| DecapsulationKey::<S>::from_pkcs8_der(document.as_bytes()));
            make_defined(black_box((*key.expect("forms of one key").to_bytes()).as_mut()));
        }),
    ]
}

/// X-Wing, and encryption with it. Its seed gives the matrix too, so it is the same for all secrets; a tool
/// that follows secrets follows it.
fn x_wing_cases() -> Vec<Case> {
    fn key(cpu: Cpu) -> x_wing::DecapsulationKey {
        let mut seed = [3; x_wing::DK_BYTES];
        make_undefined(&mut seed);
        x_wing::DecapsulationKey::from_bytes_on(cpu, &seed)
    }
    fn public_key(cpu: Cpu) -> x_wing::EncapsulationKey {
        x_wing::DecapsulationKey::from_bytes_on(cpu, &[3; x_wing::DK_BYTES]).encapsulation_key()
    }
    let case = |name: &str, run: fn(Cpu, u64)| Case::new(name.into(), false, run);
    vec![
        case("X-Wing generate", |cpu, _| {
            let key = observed(|| key(cpu));
            make_defined(black_box(&mut key.encapsulation_key().to_bytes()));
        }),
        case("X-Wing encapsulate", |cpu, seed| {
            let (key, randomness) = (public_key(cpu), secret_bytes(&mut Random::new(seed)));
            let (mut ciphertext, mut shared) = observed(|| key.encapsulate_deterministic(&randomness));
            make_defined(black_box(&mut ciphertext));
            make_defined(black_box(shared.as_mut_bytes()));
        }),
        case("X-Wing decapsulate", |cpu, _| {
            let key = key(cpu);
            make_defined(black_box(observed(|| key.decapsulate(&[5; x_wing::CT_BYTES])).as_mut_bytes()));
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
        ssh::Client::new_on(
            cpu,
            &mut Generator(|bytes: &mut [u8]| {
                random.fill(bytes);
                make_undefined(bytes);
            }),
        )
    }
    let case = |name: &str, run: fn(Cpu, u64)| Case::new(name.into(), false, run);
    vec![
        case("SSH respond", |cpu, seed| {
            let mut init = ssh::Client::new_on(cpu, &mut Random::new(0)).init();
            make_defined(&mut init);
            let mut random = Random::new(seed);
            let mut rng = Generator(|bytes: &mut [u8]| {
                random.fill(bytes);
                make_undefined(bytes);
            });
            let (mut reply, secret) =
                observed(|| ssh::respond_on(cpu, &init, &mut rng)).expect("a good point");
            make_defined(black_box(&mut reply));
            make_defined(black_box(secret.string().as_mut_slice()));
        }),
        case("SSH finish", |cpu, seed| {
            let client = client(cpu, seed);
            let mut init = client.init();
            make_defined(&mut init);
            let (reply, _) = ssh::respond_on(cpu, &init, &mut Random::new(0)).expect("a good point");
            let secret = observed(|| client.finish(&reply)).expect("a good point");
            make_defined(black_box(secret.string().as_mut_slice()));
        }),
    ]
}

/// The cases of a set whose private keys serve many ciphertexts.
fn cca<S: CcaSet + InnerSeedSet>(scheme: &Scheme) -> Vec<Case> {
    let mut cases = public_cases::<S>(scheme);
    cases.extend(private_cases::<S>(scheme));
    cases
}

/// Of one whose private keys serve one.
fn cpa<S: CpaSet + InnerSeedSet>(scheme: &Scheme) -> Vec<Case> {
    let mut cases = public_cases::<S>(scheme);
    cases.extend(cpa_cases::<S>(scheme));
    cases
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    [
        cca::<MlKem512>(&ml_kem_512::SCHEME),
        cca::<MlKem768>(&ml_kem_768::SCHEME),
        cca::<MlKem1024>(&ml_kem_1024::SCHEME),
        cca::<NewHopeCca512>(&cca_512::SCHEME),
        cca::<NewHopeCca1024>(&cca_1024::SCHEME),
        cca::<NewHopeCompact512>(&compact_512::SCHEME),
        cca::<NewHopeCompact768>(&compact_768::SCHEME),
        cca::<NewHopeCompact1024>(&compact_1024::SCHEME),
        cpa::<NewHopeCpa512>(&cpa_512::SCHEME),
        cpa::<NewHopeCpa1024>(&cpa_1024::SCHEME),
        pkcs8_cases::<MlKem512>(&ml_kem_512::SCHEME),
        pkcs8_cases::<MlKem768>(&ml_kem_768::SCHEME),
        pkcs8_cases::<MlKem1024>(&ml_kem_1024::SCHEME),
        exchange_cases::<Adps>(),
        exchange_cases::<LongaNaehrig>(),
        x_wing_cases(),
        ssh_cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
