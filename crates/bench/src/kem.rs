//! The suite of the schemes: key encapsulation, from encoded bytes to encoded bytes.
//!
//! `keygen` writes both keys. `encapsulate` reads a public key and checks it, `decapsulate` a private key:
//! nothing is kept from one run to the next. `encapsulate-prepared` and `decapsulate-prepared` are the same
//! with a key that was read before. All implementations get the same keys, and their randomness from the same
//! generator in memory, where they take any.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use rand_core::Rng;
use ringsmith::ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::new_hope::{cca_512, cca_1024, compact_512, compact_768, compact_1024};
use ringsmith::ntru_prime::{
    ntrulpr653, ntrulpr761, ntrulpr857, ntrulpr953, ntrulpr1013, ntrulpr1277, sntrup653, sntrup761,
    sntrup857, sntrup953, sntrup1013, sntrup1277,
};
use ringsmith::scheme::{ALL, InvalidKey, Scheme};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// The suite's name in [`Id::suite`].
pub const SUITE: &str = "kem";
/// [`Id::route`] of an operation with all checks that its standard asks for.
pub const CHECKED: &str = "checked";
/// [`Id::route`] of an operation that checks lengths alone.
pub const UNCHECKED: &str = "unchecked";
/// [`Id::operation`] of a new key pair.
pub const KEYGEN: &str = "keygen";
/// [`Id::operation`] of a public key, read and used once.
pub const ENCAPSULATE: &str = "encapsulate";
/// [`Id::operation`] of a private key, read and used once.
pub const DECAPSULATE: &str = "decapsulate";
/// [`Id::subject`] of the randomness alone, which a reader may take off the operations that draw it.
pub const RANDOMNESS: &str = "randomness";
/// [`Id::operation`] of the randomness of an encapsulation.
const RANDOM_32: &str = "32 bytes";
/// [`Id::operation`] of that of an element of degree 761, in 32 bits a coefficient.
const RANDOM_3044: &str = "3044 bytes";

/// The seed of keys and of what is drawn while measuring.
const SEED: u64 = 1;

/// The bytes are no key, or no ciphertext.
#[derive(Debug)]
pub struct Refused;

/// Whether an operation took place.
pub type Done = Result<(), Refused>;

/// A scheme as a library offers it. Bytes are encoded as the standard says and have its lengths.
pub trait Kem: Copy + 'static {
    /// Writes a new key pair.
    fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done;
    /// Reads a public key; writes a ciphertext and its shared key.
    fn encapsulate(self, public: &[u8], rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) -> Done;
    /// Reads a private key; writes the shared key of a ciphertext.
    fn decapsulate(self, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Done;
}

/// A scheme in a library that has keys to be read once and used many times.
pub trait Prepare: Copy + 'static {
    /// A public key, ready for use.
    type Public: 'static;
    /// A private key, ready for use.
    type Private: 'static;
    /// Reads a public key, with all checks.
    fn read_public(self, bytes: &[u8]) -> Result<Self::Public, Refused>;
    /// Reads a private key, with all checks.
    fn read_private(self, bytes: &[u8]) -> Result<Self::Private, Refused>;
    /// Writes a ciphertext and its shared key.
    fn encapsulate(key: &Self::Public, rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]);
    /// Writes the shared key of a ciphertext.
    fn decapsulate(key: &Self::Private, ciphertext: &[u8], shared: &mut [u8]);
}

/// What all rows of an implementation of a scheme have in common.
#[derive(Clone, Copy)]
pub struct Names {
    /// What is implemented.
    pub scheme: &'static Scheme,
    /// By which library.
    pub implementation: &'static str,
    /// With which instructions.
    pub cpu: &'static str,
    /// [`CHECKED`] or [`UNCHECKED`].
    pub route: &'static str,
}

impl Names {
    fn ours(scheme: &'static Scheme, cpu: Cpu) -> Self {
        Names { scheme, implementation: RINGSMITH, cpu: cpu.name(), route: CHECKED }
    }

    fn id(&self, operation: &str) -> Id {
        Id::new(SUITE, self.scheme.name, operation, self.implementation, self.cpu, self.route)
    }
}

/// A library as tables and plots call it: where a peer checked nothing, that too.
pub fn label(implementation: &str, cpu: &str, route: &str) -> String {
    let unchecked = if route == UNCHECKED { ", unchecked" } else { "" };
    format!("{implementation}{unchecked} ({cpu})")
}

/// `keygen`, `encapsulate`, `decapsulate`.
pub fn cases(names: Names, kem: impl Kem) -> Vec<Case> {
    let scheme = names.scheme;
    vec![
        Case::new(names.id(KEYGEN), move || generate(scheme, kem)),
        Case::new(names.id(ENCAPSULATE), move || encapsulate(scheme, kem)),
        Case::new(names.id(DECAPSULATE), move || decapsulate(scheme, kem)),
    ]
}

/// `encapsulate-prepared`, `decapsulate-prepared`.
pub fn prepared_cases(names: Names, kem: impl Prepare) -> Vec<Case> {
    let scheme = names.scheme;
    vec![
        Case::new(names.id("encapsulate-prepared"), move || encapsulate_prepared(scheme, kem)),
        Case::new(names.id("decapsulate-prepared"), move || decapsulate_prepared(scheme, kem)),
    ]
}

/// `32 bytes` of randomness.
pub fn randomness_case(
    implementation: &str,
    cpu: &str,
    route: &str,
    draw: impl FnMut(&mut [u8]) + Clone + 'static,
) -> Case {
    drawn::<32>(Id::new(SUITE, RANDOMNESS, RANDOM_32, implementation, cpu, route), draw)
}

fn drawn<const BYTES: usize>(id: Id, draw: impl FnMut(&mut [u8]) + Clone + 'static) -> Case {
    Case::new(id, move || {
        let (mut draw, mut bytes) = (draw.clone(), [0; BYTES]);
        move || draw(black_box(&mut bytes))
    })
}

/// Every operation of every scheme on the given CPUs, and the randomness that they get.
pub fn kem_cases(cpus: &[Cpu]) -> Vec<Case> {
    let schemes = ALL.iter().flat_map(|&scheme| {
        cpus.iter().map(move |&cpu| cases(Names::ours(scheme, cpu), Ours { scheme, cpu }))
    });
    let prepared = cpus.iter().flat_map(|&cpu| {
        [
            prepared_cases(Names::ours(&ml_kem_512::SCHEME, cpu), MlKem512(cpu)),
            prepared_cases(Names::ours(&ml_kem_768::SCHEME, cpu), MlKem768(cpu)),
            prepared_cases(Names::ours(&ml_kem_1024::SCHEME, cpu), MlKem1024(cpu)),
            prepared_cases(Names::ours(&cca_512::SCHEME, cpu), Cca512(cpu)),
            prepared_cases(Names::ours(&cca_1024::SCHEME, cpu), Cca1024(cpu)),
            prepared_cases(Names::ours(&compact_512::SCHEME, cpu), Compact512(cpu)),
            prepared_cases(Names::ours(&compact_768::SCHEME, cpu), Compact768(cpu)),
            prepared_cases(Names::ours(&compact_1024::SCHEME, cpu), Compact1024(cpu)),
        ]
    });
    let fields = cpus.iter().flat_map(|&cpu| field_cases(cpu));
    let mut rng = Random::new(SEED);
    let draw = move |bytes: &mut [u8]| rng.fill_bytes(bytes);
    let generator = [
        randomness_case(RINGSMITH, "any", "splitmix64", draw.clone()),
        drawn::<3044>(Id::new(SUITE, RANDOMNESS, RANDOM_3044, RINGSMITH, "any", "splitmix64"), draw),
    ];
    schemes.chain(prepared).flatten().chain(fields).chain(generator).collect()
}

/// Memory for the bytes of a scheme.
struct Bytes {
    public: Vec<u8>,
    private: Vec<u8>,
    ciphertext: Vec<u8>,
    shared: Vec<u8>,
}

impl Bytes {
    fn zero(scheme: &Scheme) -> Self {
        Bytes {
            public: vec![0; scheme.public_key],
            private: vec![0; scheme.private_key],
            ciphertext: vec![0; scheme.ciphertext],
            shared: vec![0; scheme.shared_key],
        }
    }

    /// The keys that all implementations get, and a ciphertext for them.
    fn operands(scheme: &'static Scheme) -> Self {
        let (mut rng, mut bytes) = (Random::new(SEED), Self::zero(scheme));
        let ours = Ours { scheme, cpu: Cpu::detect() };
        done(ours.generate(&mut rng, &mut bytes.public, &mut bytes.private));
        done(ours.encapsulate(&bytes.public, &mut rng, &mut bytes.ciphertext, &mut bytes.shared));
        bytes
    }
}

/// The operands are keys and ciphertexts by construction.
fn done<T>(result: Result<T, Refused>) -> T {
    result.unwrap_or_else(|Refused| unreachable!("the operands are encoded as the standard says"))
}

fn generate(scheme: &'static Scheme, kem: impl Kem) -> impl FnMut() {
    let (mut rng, mut to) = (Random::new(SEED), Bytes::zero(scheme));
    move || done(kem.generate(&mut rng, black_box(&mut to.public), black_box(&mut to.private)))
}

fn encapsulate(scheme: &'static Scheme, kem: impl Kem) -> impl FnMut() {
    let (mut rng, from, mut to) = (Random::new(SEED), Bytes::operands(scheme), Bytes::zero(scheme));
    move || {
        let (ciphertext, shared) = (black_box(&mut to.ciphertext), black_box(&mut to.shared));
        done(kem.encapsulate(black_box(&from.public), &mut rng, ciphertext, shared));
    }
}

fn decapsulate(scheme: &'static Scheme, kem: impl Kem) -> impl FnMut() {
    let (from, mut to) = (Bytes::operands(scheme), Bytes::zero(scheme));
    move || {
        let (private, ciphertext) = (black_box(&from.private), black_box(&from.ciphertext));
        done(kem.decapsulate(private, ciphertext, black_box(&mut to.shared)));
    }
}

fn encapsulate_prepared<K: Prepare>(scheme: &'static Scheme, kem: K) -> impl FnMut() {
    let (mut rng, mut to) = (Random::new(SEED), Bytes::zero(scheme));
    let key = done(kem.read_public(&Bytes::operands(scheme).public));
    move || {
        let (ciphertext, shared) = (black_box(&mut to.ciphertext), black_box(&mut to.shared));
        K::encapsulate(black_box(&key), &mut rng, ciphertext, shared);
    }
}

fn decapsulate_prepared<K: Prepare>(scheme: &'static Scheme, kem: K) -> impl FnMut() {
    let (from, mut to) = (Bytes::operands(scheme), Bytes::zero(scheme));
    let key = done(kem.read_private(&from.private));
    move || K::decapsulate(black_box(&key), black_box(&from.ciphertext), black_box(&mut to.shared))
}

/// A scheme of ours, by its functions on bytes.
#[derive(Clone, Copy)]
struct Ours {
    scheme: &'static Scheme,
    cpu: Cpu,
}

impl Kem for Ours {
    fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
        (self.scheme.generate)(self.cpu, rng, public, private).map_err(|_| Refused)
    }

    fn encapsulate(self, public: &[u8], rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) -> Done {
        (self.scheme.encapsulate)(self.cpu, public, rng, ciphertext, shared).map_err(|_| Refused)
    }

    fn decapsulate(self, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Done {
        (self.scheme.decapsulate)(self.cpu, private, ciphertext, shared).map_err(|_| Refused)
    }
}

/// The types of expanded keys have no trait in common; what stands behind `public` and `private` makes
/// a result of what reading a key returns.
macro_rules! expanded_keys {
    ($set:ident, $name:ident, public $public:expr) => {
        #[derive(Clone, Copy)]
        struct $name(Cpu);

        impl Prepare for $name {
            type Public = $set::EncapsulationKey;
            type Private = $set::DecapsulationKey;

            fn read_public(self, bytes: &[u8]) -> Result<Self::Public, Refused> {
                let bytes = bytes.try_into().map_err(|_| Refused)?;
                $public($set::EncapsulationKey::from_bytes(self.0, bytes))
            }

            fn read_private(self, bytes: &[u8]) -> Result<Self::Private, Refused> {
                let bytes = bytes.try_into().map_err(|_| Refused)?;
                checked($set::DecapsulationKey::from_bytes(self.0, bytes))
            }

            fn encapsulate(key: &Self::Public, rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) {
                let made = key.encapsulate(rng);
                ciphertext.copy_from_slice(&made.0);
                shared.copy_from_slice(&made.1);
            }

            fn decapsulate(key: &Self::Private, ciphertext: &[u8], shared: &mut [u8]) {
                let ciphertext = done(ciphertext.try_into().map_err(|_| Refused));
                shared.copy_from_slice(&key.decapsulate(ciphertext));
            }
        }
    };
}

/// What a checked key is read as.
fn checked<T>(key: Result<T, InvalidKey>) -> Result<T, Refused> {
    key.map_err(|InvalidKey| Refused)
}

expanded_keys!(ml_kem_512, MlKem512, public checked);
expanded_keys!(ml_kem_768, MlKem768, public checked);
expanded_keys!(ml_kem_1024, MlKem1024, public checked);
expanded_keys!(cca_512, Cca512, public Ok);
expanded_keys!(cca_1024, Cca1024, public Ok);
expanded_keys!(compact_512, Compact512, public Ok);
expanded_keys!(compact_768, Compact768, public Ok);
expanded_keys!(compact_1024, Compact1024, public Ok);
/// NTRU Prime: prepared keys of all sets, and keys of Streamlined NTRU Prime many at a time.
macro_rules! fields {
    (streamlined $($batch:ident $batch_name:ident)*; lprime $($set:ident $name:ident)*) => {
        $(expanded_keys!($batch, $batch_name, public Ok);)*
        $(expanded_keys!($set, $name, public Ok);)*

        /// What NTRU Prime has beside the operations of all schemes.
        fn field_cases(cpu: Cpu) -> Vec<Case> {
            let prepared = [
                $(prepared_cases(Names::ours(&$batch::SCHEME, cpu), $batch_name(cpu)),)*
                $(prepared_cases(Names::ours(&$set::SCHEME, cpu), $name(cpu)),)*
            ];
            let batches = [$(batch_case(&$batch::SCHEME, cpu, |cpu, rng, public, private| {
                // Not on the stack: of the greatest set they are most of a megabyte.
                let mut keys = Vec::with_capacity(BATCH);
                keys.resize_with(BATCH, || None);
                $batch::DecapsulationKey::generate_batch(cpu, rng, &mut keys);
                for key in keys.into_iter().flatten() {
                    public.copy_from_slice(&key.encapsulation_key().to_bytes());
                    private.copy_from_slice(key.to_bytes().as_slice());
                }
            })),*];
            prepared.into_iter().flatten().chain(batches).collect()
        }

        #[cfg(test)]
        fn prepared_fields_obey_the_laws() {
            $(laws::same_prepared(&$batch::SCHEME, $batch_name(Cpu::detect()));)*
            $(laws::same_prepared(&$set::SCHEME, $name(Cpu::detect()));)*
        }
    };
}

fields! {
    streamlined
        sntrup653 Sntrup653
        sntrup761 Sntrup761
        sntrup857 Sntrup857
        sntrup953 Sntrup953
        sntrup1013 Sntrup1013
        sntrup1277 Sntrup1277;
    lprime
        ntrulpr653 Ntrulpr653
        ntrulpr761 Ntrulpr761
        ntrulpr857 Ntrulpr857
        ntrulpr953 Ntrulpr953
        ntrulpr1013 Ntrulpr1013
        ntrulpr1277 Ntrulpr1277
}

/// Keys that [`KEYGEN_BATCH`] makes at a time.
const BATCH: usize = 32;
/// [`Id::operation`] of one of 32 key pairs that are made together, written as `keygen` writes one.
pub const KEYGEN_BATCH: &str = "keygen-batch-32";

/// `keygen-batch-32`.
fn batch_case(
    scheme: &'static Scheme,
    cpu: Cpu,
    generate: fn(Cpu, &mut Random, &mut [u8], &mut [u8]),
) -> Case {
    Case::of_many(Names::ours(scheme, cpu).id(KEYGEN_BATCH), BATCH, move || {
        let (mut rng, mut to) = (Random::new(SEED), Bytes::zero(scheme));
        move || generate(cpu, &mut rng, black_box(&mut to.public), black_box(&mut to.private))
    })
}

/// What a peer must share with ours for their times to be comparable: each function panics where it does not.
pub mod laws {
    use super::*;

    /// A private key, ours and theirs, decapsulates what the other encapsulated to its public key.
    pub fn same_shared_keys(scheme: &'static Scheme, theirs: impl Kem) {
        let ours = Ours { scheme, cpu: Cpu::detect() };
        exchange(scheme, ours, theirs);
        exchange(scheme, theirs, ours);
    }

    fn exchange(scheme: &Scheme, alice: impl Kem, bob: impl Kem) {
        let (mut rng, mut bytes) = (Random::new(SEED), Bytes::zero(scheme));
        alice.generate(&mut rng, &mut bytes.public, &mut bytes.private).unwrap();
        bob.encapsulate(&bytes.public, &mut rng, &mut bytes.ciphertext, &mut bytes.shared).unwrap();
        let mut shared = vec![0; scheme.shared_key];
        alice.decapsulate(&bytes.private, &bytes.ciphertext, &mut shared).unwrap();
        assert_eq!(shared, bytes.shared);
        // And what nobody made: the key of the rejection.
        bytes.ciphertext[0] ^= 1;
        alice.decapsulate(&bytes.private, &bytes.ciphertext, &mut shared).unwrap();
        bob.decapsulate(&bytes.private, &bytes.ciphertext, &mut bytes.shared).unwrap();
        assert_eq!(shared, bytes.shared);
    }

    /// The same seeds give the same bytes.
    pub fn same_bytes(scheme: &'static Scheme, theirs: impl Kem) {
        let expected = Bytes::operands(scheme);
        let (mut rng, mut bytes) = (Random::new(SEED), Bytes::zero(scheme));
        theirs.generate(&mut rng, &mut bytes.public, &mut bytes.private).unwrap();
        theirs.encapsulate(&bytes.public, &mut rng, &mut bytes.ciphertext, &mut bytes.shared).unwrap();
        assert!(bytes.public == expected.public && bytes.private == expected.private);
        assert!(bytes.ciphertext == expected.ciphertext && bytes.shared == expected.shared);
    }

    /// Prepared keys compute what keys from bytes do.
    pub fn same_prepared<K: Prepare>(scheme: &'static Scheme, kem: K) {
        let (expected, mut bytes) = (Bytes::operands(scheme), Bytes::zero(scheme));
        let mut rng = Random::new(SEED);
        let ours = Ours { scheme, cpu: Cpu::detect() };
        // What the keys were made of has been drawn.
        ours.generate(&mut rng, &mut bytes.public, &mut bytes.private).unwrap();
        let public = kem.read_public(&expected.public).unwrap();
        K::encapsulate(&public, &mut rng, &mut bytes.ciphertext, &mut bytes.shared);
        assert!(bytes.ciphertext == expected.ciphertext && bytes.shared == expected.shared);
        bytes.shared.fill(0);
        K::decapsulate(&kem.read_private(&expected.private).unwrap(), &bytes.ciphertext, &mut bytes.shared);
        assert!(bytes.shared == expected.shared);
    }

    /// Whether a public key with a coefficient that is not below the modulus is refused, and a private key
    /// with a wrong hash.
    pub fn checks(scheme: &'static Scheme, kem: impl Kem) -> [bool; 2] {
        let (mut from, mut to) = (Bytes::operands(scheme), Bytes::zero(scheme));
        from.public[..2].fill(0xff);
        // The hash of the public key stands before the last 32 bytes; in NTRU Prime's keys it is these.
        let is_last = scheme.source.starts_with("NTRU Prime");
        let hash = from.private.len() - if is_last { 32 } else { 64 };
        from.private[hash] ^= 1;
        let mut rng = Random::new(SEED);
        [
            kem.encapsulate(&from.public, &mut rng, &mut to.ciphertext, &mut to.shared).is_err(),
            kem.decapsulate(&from.private, &from.ciphertext, &mut to.shared).is_err(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::try_all;
    use ringsmith::scheme::Status;

    /// Protects: every operation of every scheme and CPU of this machine runs, and is listed once.
    #[test]
    fn every_case_runs() {
        let cpus: Vec<_> = Cpu::available().collect();
        let cases = kem_cases(&cpus);
        // Each key of a set without CCA serves once: it is not prepared.
        let prepared = ALL.iter().filter(|scheme| scheme.cca).count();
        assert_eq!(cases.len(), (3 * ALL.len() + 2 * prepared + 6) * cpus.len() + 2);
        try_all(cases);
    }

    /// Protects: what is measured is the scheme: an operation with all checks, and prepared keys that compute
    /// the same.
    #[test]
    fn ours_obeys_the_laws() {
        for &scheme in ALL {
            let ours = Ours { scheme, cpu: Cpu::detect() };
            laws::same_shared_keys(scheme, ours);
            laws::same_bytes(scheme, ours);
            let standard = scheme.status == Status::Standard;
            // NTRU Prime asks for no check.
            let expected =
                [standard, scheme.public_key_of.is_some() && !scheme.source.starts_with("NTRU Prime")];
            assert_eq!(laws::checks(scheme, ours), expected, "{}", scheme.name);
        }
        laws::same_prepared(&ml_kem_512::SCHEME, MlKem512(Cpu::detect()));
        laws::same_prepared(&ml_kem_768::SCHEME, MlKem768(Cpu::detect()));
        laws::same_prepared(&ml_kem_1024::SCHEME, MlKem1024(Cpu::detect()));
        laws::same_prepared(&cca_512::SCHEME, Cca512(Cpu::detect()));
        laws::same_prepared(&cca_1024::SCHEME, Cca1024(Cpu::detect()));
        laws::same_prepared(&compact_512::SCHEME, Compact512(Cpu::detect()));
        laws::same_prepared(&compact_768::SCHEME, Compact768(Cpu::detect()));
        laws::same_prepared(&compact_1024::SCHEME, Compact1024(Cpu::detect()));
        prepared_fields_obey_the_laws();
    }
}
