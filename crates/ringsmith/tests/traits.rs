//! The traits of the crate `kem`: generic code gets what the types' own functions give, and what another
//! library gives.

mod shared;

use kem::{
    Decapsulate, Decapsulator, Encapsulate, FromSeed, Generate, Kem, KeyExport, KeyInit, TryDecapsulate,
    TryKeyInit,
};
use rand_core::{TryCryptoRng, TryRng};
use ringsmith::kem;
use ringsmith::ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::new_hope::{cca_512, cca_1024, compact_512, compact_768, compact_1024};
use ringsmith::ntru_prime::{sntrup653, sntrup761, sntrup857, sntrup953, sntrup1013, sntrup1277};
use ringsmith_oracle::{Generator, Random};

/// What a run made: the seed, the public key, the ciphertext, the shared key.
type Run = [Vec<u8>; 4];

/// Generates, encapsulates and decapsulates, and does the latter with exported keys too.
#[inline(never)]
fn run<K>(random: &mut Random) -> Run
where
    K: Kem,
    K::DecapsulationKey: Decapsulate + KeyInit + KeyExport,
{
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
fn refuse<K>(random: &mut Random)
where
    K: Kem,
    K::DecapsulationKey: Decapsulate + KeyInit + KeyExport,
{
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
    macro_rules! check {
        ($set:ident, $marker:ident) => {{
            let from_traits = run::<$set::$marker>(&mut Random::new(1));
            let mut random = Random::new(1);
            let key = $set::DecapsulationKey::generate(&mut random);
            let (ciphertext, shared) = key.encapsulation_key().encapsulate(&mut random);
            let seed = key.to_seed().expect("a generated key has a seed");
            let own = [
                seed.to_vec(),
                key.encapsulation_key().to_bytes().to_vec(),
                ciphertext.to_vec(),
                shared.to_vec(),
            ];
            assert_eq!(from_traits, own, stringify!($set));
            assert_eq!(from_traits, run::<ml_kem::$marker>(&mut Random::new(1)));
        }};
    }
    for_each_set!(check);
}

/// Protects: no panic on a slice of another length.
#[test]
fn bad_slices_are_refused() {
    macro_rules! check {
        ($set:ident, $marker:ident) => {
            refuse::<$set::$marker>(&mut Random::new(2))
        };
    }
    for_each_set!(check);
}

/// Protects: a private key without a seed decapsulates by the traits, and is no key that they could export.
#[test]
fn a_key_without_a_seed() {
    macro_rules! check {
        ($set:ident, $marker:ident) => {{
            let mut random = Random::new(3);
            let seeded = $set::SeededKey::generate_from_rng(&mut random);
            let (ciphertext, shared) =
                Encapsulate::encapsulate_with_rng(seeded.encapsulation_key(), &mut random);
            // The type that it derefs to has functions of the same names: these are its own, on arrays.
            let expanded = $set::DecapsulationKey::from_bytes(&(*seeded).to_bytes()).expect("a key");
            assert!(expanded.to_seed().is_none());
            assert_eq!(Decapsulate::decapsulate(&expanded, &ciphertext), shared);
            assert!($set::SeededKey::of(expanded).is_none());
            let key = seeded.into_key();
            assert_eq!(key.decapsulate(ciphertext.as_ref()), *shared);
            assert!($set::SeededKey::of(key).is_some());
        }};
    }
    for_each_set!(check);
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
    let failed = ml_kem_768::SeededKey::try_generate_from_rng(&mut Failing::at(0));
    assert!(matches!(failed, Err(Failure)));
}

/// Protects: the same of Streamlined NTRU Prime, whose keys take several draws: at whichever of them it
/// fails.
#[test]
fn a_generator_that_fails_late() {
    fn check<K: Generate>(
        own: impl Fn(&mut Generator<&mut dyn FnMut(&mut [u8])>) -> Vec<u8>,
        bytes: impl Fn(K) -> Vec<u8>,
    ) {
        let (mut random, mut draws) = (Random::new(5), 0);
        let mut count = |out: &mut [u8]| {
            random.fill(out);
            draws += 1;
        };
        let expected = own(&mut Generator(&mut count));
        assert!(draws >= 3, "two elements, and what a rejected ciphertext's key is made of");
        for draw in 0..draws {
            let failed = K::try_generate_from_rng(&mut Failing::at(draw));
            assert!(matches!(failed, Err(Failure)), "draw {draw}");
        }
        let key = K::try_generate_from_rng(&mut Failing::at(draws)).expect("it has not failed");
        assert!(bytes(key) == expected);
    }
    macro_rules! sets {
        ($($set:ident)*) => {$(
            check::<$set::DecapsulationKey>(
                |rng| $set::DecapsulationKey::generate(rng).to_bytes().to_vec(),
                |key| key.to_bytes().to_vec(),
            );
        )*};
    }
    sets!(sntrup653 sntrup761 sntrup857 sntrup953 sntrup1013 sntrup1277);
}

/// A private key, its public key, a ciphertext and its shared key, by the traits; of schemes whose private
/// keys have no seed.
#[inline(never)]
fn unseeded<K>(random: &mut Random) -> Run
where
    K: Kem,
    K::DecapsulationKey: Decapsulate + KeyExport,
{
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
    macro_rules! sets {
        ($($set:ident $marker:ident)*) => {$({
            let random = &mut Random::new(1);
            let key = $set::DecapsulationKey::generate(random);
            let (ciphertext, shared) = key.encapsulation_key().encapsulate(random);
            let public = key.encapsulation_key().to_bytes();
            let own = [key.to_bytes().to_vec(), public.to_vec(), ciphertext.to_vec(), shared.to_vec()];
            assert_eq!(unseeded::<$set::$marker>(&mut Random::new(1)), own, stringify!($set));
        })*};
    }
    sets!(
        cca_512 NewHopeCca512 cca_1024 NewHopeCca1024
        compact_512 NewHopeCompact512 compact_768 NewHopeCompact768 compact_1024 NewHopeCompact1024
    );
    sets!(sntrup653 Sntrup653 sntrup761 Sntrup761 sntrup857 Sntrup857);
    sets!(sntrup953 Sntrup953 sntrup1013 Sntrup1013 sntrup1277 Sntrup1277);
}
