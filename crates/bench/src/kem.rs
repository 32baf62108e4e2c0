//! The suite of the schemes: key encapsulation, from encoded bytes to encoded bytes.
//!
//! `keygen` writes both keys. `encapsulate` reads a public key and checks it, `decapsulate` a private key:
//! nothing is kept from one run to the next. `encapsulate-prepared` and `decapsulate-prepared` are the same
//! with a key that was read before. All implementations get the same keys, and their randomness from the same
//! generator in memory, where they take any.

use crate::RINGSMITH;
use crate::case::{Case, Id};
use rand_core::Rng;
use ringsmith::keys::{DecapsulationKey, EncapsulationKey};
use ringsmith::ml_kem::{MlKem512, MlKem768, MlKem1024};
use ringsmith::new_hope::{NewHopeCca512, NewHopeCca1024};
use ringsmith::new_hope::{NewHopeCompact512, NewHopeCompact768, NewHopeCompact1024};
use ringsmith::ntru::{Ntruhps2048509, Ntruhps2048677, Ntruhps4096821, Ntruhps40961229};
use ringsmith::ntru::{Ntruhrss701, Ntruhrss1373};
use ringsmith::ntru_prime::{Ntrulpr653, Ntrulpr761, Ntrulpr857, Ntrulpr953, Ntrulpr1013, Ntrulpr1277};
use ringsmith::ntru_prime::{Sntrup653, Sntrup761, Sntrup857, Sntrup953, Sntrup1013, Sntrup1277};
use ringsmith::scheme::{ALL, InvalidKey, Scheme};
use ringsmith::set::{BatchSet, Bytes as _, CcaSet, KemSet};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::hint::black_box;
use std::marker::PhantomData;

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
        let mut prepared = Prepared { cpu, cases: Vec::new() };
        every_set(&mut prepared);
        prepared.cases.into_iter().chain(batch_cases(cpu))
    });
    let mut rng = Random::new(SEED);
    let draw = move |bytes: &mut [u8]| rng.fill_bytes(bytes);
    let generator = [
        randomness_case(RINGSMITH, "any", "splitmix64", draw.clone()),
        drawn::<3044>(Id::new(SUITE, RANDOMNESS, RANDOM_3044, RINGSMITH, "any", "splitmix64"), draw),
    ];
    schemes.flatten().chain(prepared).chain(generator).collect()
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

/// The keys of a set of ours, read once.
#[derive(Clone, Copy)]
struct Expanded<S> {
    cpu: Cpu,
    set: PhantomData<S>,
}

impl<S> Expanded<S> {
    fn on(cpu: Cpu) -> Self {
        Expanded { cpu, set: PhantomData }
    }
}

impl<S: CcaSet + Copy> Prepare for Expanded<S> {
    type Public = EncapsulationKey<S>;
    type Private = DecapsulationKey<S>;

    fn read_public(self, bytes: &[u8]) -> Result<Self::Public, Refused> {
        let bytes = S::PublicBytes::of(bytes).ok_or(Refused)?;
        EncapsulationKey::from_bytes_on(self.cpu, bytes).map_err(|_| Refused)
    }

    fn read_private(self, bytes: &[u8]) -> Result<Self::Private, Refused> {
        let bytes = S::PrivateBytes::of(bytes).ok_or(Refused)?;
        DecapsulationKey::from_bytes_on(self.cpu, bytes).map_err(|InvalidKey| Refused)
    }

    fn encapsulate(key: &Self::Public, rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) {
        let made = key.encapsulate(rng);
        ciphertext.copy_from_slice(made.0.as_ref());
        shared.copy_from_slice(made.1.as_bytes());
    }

    fn decapsulate(key: &Self::Private, ciphertext: &[u8], shared: &mut [u8]) {
        let ciphertext = done(S::CiphertextBytes::of(ciphertext).ok_or(Refused));
        shared.copy_from_slice(key.decapsulate(ciphertext).as_bytes());
    }
}

/// A set in the table of schemes.
fn listed<S: KemSet>() -> &'static Scheme {
    ALL.iter().find(|scheme| scheme.name == S::NAME).expect("every set is listed")
}

/// What is done with every set whose keys serve many times.
trait EachSet {
    fn each<S: CcaSet + Copy>(&mut self);
}

fn every_set(visitor: &mut impl EachSet) {
    visitor.each::<MlKem512>();
    visitor.each::<MlKem768>();
    visitor.each::<MlKem1024>();
    visitor.each::<NewHopeCca512>();
    visitor.each::<NewHopeCca1024>();
    visitor.each::<NewHopeCompact512>();
    visitor.each::<NewHopeCompact768>();
    visitor.each::<NewHopeCompact1024>();
    visitor.each::<Sntrup653>();
    visitor.each::<Sntrup761>();
    visitor.each::<Sntrup857>();
    visitor.each::<Sntrup953>();
    visitor.each::<Sntrup1013>();
    visitor.each::<Sntrup1277>();
    visitor.each::<Ntrulpr653>();
    visitor.each::<Ntrulpr761>();
    visitor.each::<Ntrulpr857>();
    visitor.each::<Ntrulpr953>();
    visitor.each::<Ntrulpr1013>();
    visitor.each::<Ntrulpr1277>();
    visitor.each::<Ntruhps2048509>();
    visitor.each::<Ntruhps2048677>();
    visitor.each::<Ntruhps4096821>();
    visitor.each::<Ntruhps40961229>();
    visitor.each::<Ntruhrss701>();
    visitor.each::<Ntruhrss1373>();
}

/// The operations of all sets with keys that were read before.
struct Prepared {
    cpu: Cpu,
    cases: Vec<Case>,
}

impl EachSet for Prepared {
    fn each<S: CcaSet + Copy>(&mut self) {
        self.cases.extend(prepared_cases(Names::ours(listed::<S>(), self.cpu), Expanded::<S>::on(self.cpu)));
    }
}

/// Keys that [`KEYGEN_BATCH`] makes at a time.
const BATCH: usize = 32;
/// [`Id::operation`] of one of 32 key pairs that are made together, written as `keygen` writes one.
pub const KEYGEN_BATCH: &str = "keygen-batch-32";

/// `keygen-batch-32`.
fn batch_case<S: BatchSet>(cpu: Cpu) -> Case {
    let scheme = listed::<S>();
    Case::of_many(Names::ours(scheme, cpu).id(KEYGEN_BATCH), BATCH, move || {
        let (mut rng, mut to) = (Random::new(SEED), Bytes::zero(scheme));
        move || {
            let (public, private) = (black_box(&mut to.public), black_box(&mut to.private));
            // Not on the stack: of the greatest set they are most of a megabyte.
            let mut keys = Vec::with_capacity(BATCH);
            keys.resize_with(BATCH, || None);
            DecapsulationKey::<S>::generate_batch_on(cpu, &mut rng, &mut keys);
            for key in keys.into_iter().flatten() {
                public.copy_from_slice(key.encapsulation_key().to_bytes().as_ref());
                private.copy_from_slice((*key.to_bytes()).as_ref());
            }
        }
    })
}

/// Of every set that has it.
fn batch_cases(cpu: Cpu) -> [Case; 6] {
    [
        batch_case::<Sntrup653>(cpu),
        batch_case::<Sntrup761>(cpu),
        batch_case::<Sntrup857>(cpu),
        batch_case::<Sntrup953>(cpu),
        batch_case::<Sntrup1013>(cpu),
        batch_case::<Sntrup1277>(cpu),
    ]
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
    use ringsmith::scheme::Status;

    /// Asserts that keys which were read before compute the same.
    struct SamePrepared;

    impl EachSet for SamePrepared {
        fn each<S: CcaSet + Copy>(&mut self) {
            laws::same_prepared(listed::<S>(), Expanded::<S>::on(Cpu::detect()));
        }
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
            // NTRU and NTRU Prime ask for no check.
            let expected = [standard, scheme.public_key_of.is_some() && !scheme.source.starts_with("NTRU")];
            assert_eq!(laws::checks(scheme, ours), expected, "{}", scheme.name);
        }
        every_set(&mut SamePrepared);
    }
}
