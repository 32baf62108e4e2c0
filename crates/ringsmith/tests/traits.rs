//! The traits of the crate `kem`: generic code gets what the types' own functions give, and what another
//! library gives.

use kem::{
    Decapsulate, Decapsulator, Encapsulate, FromSeed, Generate, Kem, KeyExport, KeyInit, TryDecapsulate,
    TryKeyInit,
};
use rand_core::{TryCryptoRng, TryRng};
use ringsmith::kem;
use ringsmith::keys::{DecapsulationKey, EncapsulationKey};
use ringsmith::ml_kem::{MlKem512, MlKem768, MlKem1024};
use ringsmith::new_hope::{
    NewHopeCca512, NewHopeCca1024, NewHopeCompact512, NewHopeCompact768, NewHopeCompact1024,
};
use ringsmith::ntru_prime::{Sntrup653, Sntrup761, Sntrup857, Sntrup953, Sntrup1013, Sntrup1277};
use ringsmith::set::{Bytes, CcaSet, SeedSet};
use ringsmith_kem::traits::SeededKey;
use ringsmith_oracle::{Generator, Random};

/// What a run made: the seed, the public key, the ciphertext, the shared key.
type Run = [Vec<u8>; 4];

/// Generates, encapsulates and decapsulates, and does the latter with exported keys too.
#[inline(never)]
fn run<K: Kem<DecapsulationKey: Decapsulate + KeyInit + KeyExport>>(random: &mut Random) -> Run {
    let (private, public) = K::generate_keypair_from_rng(random);
    let (ciphertext, shared) = public.encapsulate_with_rng(random);
    assert_eq!(private.decapsulate(&ciphertext), shared);
    assert_eq!(private.try_decapsulate(&ciphertext), Ok(shared.clone()));
    assert_eq!(private.decapsulate_slice(&ciphertext).ok(), Some(shared.clone()));

    let (seed, bytes) = (private.to_bytes(), public.to_bytes());
    let again = K::DecapsulationKey::new_from_slice(&seed).expect("the length of an exported key");
    assert_eq!(again.decapsulate(&ciphertext), shared);
    assert_eq!(again.to_bytes(), seed);
    assert!(*again.encapsulation_key() == public);
    assert!(K::from_seed(&seed).1 == public);
    let again = K::EncapsulationKey::new_from_slice(&bytes).expect("an exported key");
    assert!(again == public);
    [seed.to_vec(), bytes.to_vec(), ciphertext.to_vec(), shared.to_vec()]
}

/// Refuses what is too short or too long, and a key that is none.
fn refuse<K: Kem<DecapsulationKey: Decapsulate + KeyInit + KeyExport>>(random: &mut Random) {
    let (private, public) = K::generate_keypair_from_rng(random);
    let (ciphertext, _) = public.encapsulate_with_rng(random);
    for bytes in wrong_lengths(&public.to_bytes()) {
        assert!(K::EncapsulationKey::new_from_slice(&bytes).is_err(), "{} bytes", bytes.len());
    }
    for bytes in wrong_lengths(&private.to_bytes()) {
        assert!(K::DecapsulationKey::new_from_slice(&bytes).is_err(), "{} bytes", bytes.len());
    }
    for bytes in wrong_lengths(&ciphertext) {
        assert!(private.decapsulate_slice(&bytes).is_err(), "{} bytes", bytes.len());
    }
    let mut bytes = public.to_bytes();
    bytes.fill(0xff);
    assert!(K::EncapsulationKey::new(&bytes).is_err(), "coefficients above the modulus");
}

fn wrong_lengths(bytes: &[u8]) -> [Vec<u8>; 3] {
    [vec![], bytes[1..].to_vec(), [bytes, &[0]].concat()]
}

/// Protects: the traits against the types' own functions, and against the crate `ml-kem`, with the same
/// generator.
#[test]
fn generic_code_gets_the_same() {
    fn check<S, T>()
    where
        S: SeedSet + Kem<DecapsulationKey: Decapsulate + KeyInit + KeyExport>,
        T: Kem<DecapsulationKey: Decapsulate + KeyInit + KeyExport>,
    {
        let from_traits = run::<S>(&mut Random::new(1));
        let mut random = Random::new(1);
        let key = DecapsulationKey::<S>::generate(&mut random);
        let (ciphertext, shared) = key.encapsulation_key().encapsulate(&mut random);
        let seed = key.to_seed().expect("a generated key has a seed");
        let public = key.encapsulation_key().to_bytes();
        let own = [seed.as_ref(), public.as_ref(), ciphertext.as_ref(), shared.as_ref()].map(<[u8]>::to_vec);
        assert_eq!(from_traits, own, "{}", S::NAME);
        assert_eq!(from_traits, run::<T>(&mut Random::new(1)), "{}", S::NAME);
    }
    check::<MlKem512, ml_kem::MlKem512>();
    check::<MlKem768, ml_kem::MlKem768>();
    check::<MlKem1024, ml_kem::MlKem1024>();
}

/// Protects: no panic on a slice of another length.
#[test]
fn bad_slices_are_refused() {
    refuse::<MlKem512>(&mut Random::new(2));
    refuse::<MlKem768>(&mut Random::new(2));
    refuse::<MlKem1024>(&mut Random::new(2));
}

/// Protects: a private key without a seed decapsulates by the traits, and is no key that they could export.
#[test]
fn a_key_without_a_seed() {
    fn check<S>()
    where
        S: SeedSet + Kem<EncapsulationKey = EncapsulationKey<S>>,
        EncapsulationKey<S>: Encapsulate<Kem = S>,
    {
        let mut random = Random::new(3);
        let seeded = SeededKey::<S>::generate_from_rng(&mut random);
        let (ciphertext, shared) = Encapsulate::encapsulate_with_rng(seeded.encapsulation_key(), &mut random);
        // The type that it derefs to has functions of the same names: these are its own, on arrays.
        let expanded = DecapsulationKey::<S>::from_bytes(&(*seeded).to_bytes()).expect("a key");
        assert!(expanded.to_seed().is_none());
        assert_eq!(Decapsulate::decapsulate(&expanded, &ciphertext), shared);
        assert!(SeededKey::of(expanded).is_none());
        let key = seeded.into_key();
        let own = key.decapsulate(S::CiphertextBytes::of(&ciphertext).expect("its size"));
        assert_eq!(own.as_bytes()[..], shared[..]);
        assert!(SeededKey::of(key).is_some());
    }
    check::<MlKem512>();
    check::<MlKem768>();
    check::<MlKem1024>();
}

/// A generator that fails at a draw, counted from 0.
struct Failing {
    random: Random,
    left: usize,
}

impl Failing {
    fn at(draw: usize) -> Self {
        Failing { random: Random::new(5), left: draw }
    }
}

#[derive(Debug)]
struct Failure;

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no entropy")
    }
}

impl std::error::Error for Failure {}

impl TryRng for Failing {
    type Error = Failure;
    fn try_next_u32(&mut self) -> Result<u32, Failure> {
        rand_core::utils::next_word_via_fill(self)
    }
    fn try_next_u64(&mut self) -> Result<u64, Failure> {
        rand_core::utils::next_word_via_fill(self)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Failure> {
        self.left = self.left.checked_sub(1).ok_or(Failure)?;
        self.random.fill(out);
        Ok(())
    }
}

impl TryCryptoRng for Failing {}

/// Protects: a failing generator makes no key, and its error is handed on.
#[test]
fn a_generator_that_fails() {
    let failed = SeededKey::<MlKem768>::try_generate_from_rng(&mut Failing::at(0));
    assert!(matches!(failed, Err(Failure)));
}

/// Protects: the same of Streamlined NTRU Prime, whose keys take several draws: at whichever of them it
/// fails.
#[test]
fn a_generator_that_fails_late() {
    fn check<S: CcaSet + Kem<DecapsulationKey = DecapsulationKey<S>>>() {
        let (mut random, mut draws) = (Random::new(5), 0);
        let mut count = |out: &mut [u8]| {
            random.fill(out);
            draws += 1;
        };
        let own = DecapsulationKey::<S>::generate(&mut Generator(&mut count));
        assert!(draws >= 3, "two elements, and what a rejected ciphertext's key is made of");
        for draw in 0..draws {
            let failed = DecapsulationKey::<S>::try_generate_from_rng(&mut Failing::at(draw));
            assert!(matches!(failed, Err(Failure)), "{}: draw {draw}", S::NAME);
        }
        let key = DecapsulationKey::<S>::try_generate_from_rng(&mut Failing::at(draws));
        assert!(key.expect("it has not failed").to_bytes() == own.to_bytes(), "{}", S::NAME);
    }
    check::<Sntrup653>();
    check::<Sntrup761>();
    check::<Sntrup857>();
    check::<Sntrup953>();
    check::<Sntrup1013>();
    check::<Sntrup1277>();
}

/// A private key, its public key, a ciphertext and its shared key, by the traits; of schemes whose private
/// keys have no seed.
#[inline(never)]
fn unseeded<K: Kem<DecapsulationKey: Decapsulate + KeyExport>>(random: &mut Random) -> Run {
    let (private, public) = K::generate_keypair_from_rng(random);
    let (ciphertext, shared) = public.encapsulate_with_rng(random);
    assert_eq!(private.decapsulate(&ciphertext), shared);
    assert_eq!(private.try_decapsulate(&ciphertext), Ok(shared.clone()));
    assert_eq!(private.decapsulate_slice(&ciphertext).ok(), Some(shared.clone()));
    for wrong in wrong_lengths(&ciphertext) {
        assert!(private.decapsulate_slice(&wrong).is_err(), "{} bytes", wrong.len());
    }
    assert!(*private.encapsulation_key() == public);
    let bytes = public.to_bytes();
    assert!(K::EncapsulationKey::new(&bytes).expect("an exported key") == public);
    assert!(K::EncapsulationKey::new_from_slice(&bytes).expect("an exported key") == public);
    for wrong in wrong_lengths(&bytes) {
        assert!(K::EncapsulationKey::new_from_slice(&wrong).is_err(), "{} bytes", wrong.len());
    }
    [private.to_bytes().to_vec(), bytes.to_vec(), ciphertext.to_vec(), shared.to_vec()]
}

/// Protects: the same of NewHope and of Streamlined NTRU Prime, whose private keys have no seed: generic code
/// gets what the types' own functions give, with the same generator.
#[test]
fn generic_code_without_seeds() {
    fn check<S: CcaSet + Kem<DecapsulationKey: Decapsulate + KeyExport>>() {
        let random = &mut Random::new(1);
        let key = DecapsulationKey::<S>::generate(random);
        let (ciphertext, shared) = key.encapsulation_key().encapsulate(random);
        let (private, public) = (key.to_bytes(), key.encapsulation_key().to_bytes());
        let own =
            [private.as_ref(), public.as_ref(), ciphertext.as_ref(), shared.as_ref()].map(<[u8]>::to_vec);
        assert_eq!(unseeded::<S>(&mut Random::new(1)), own, "{}", S::NAME);
    }
    check::<NewHopeCca512>();
    check::<NewHopeCca1024>();
    check::<NewHopeCompact512>();
    check::<NewHopeCompact768>();
    check::<NewHopeCompact1024>();
    check::<Sntrup653>();
    check::<Sntrup761>();
    check::<Sntrup857>();
    check::<Sntrup953>();
    check::<Sntrup1013>();
    check::<Sntrup1277>();
}
