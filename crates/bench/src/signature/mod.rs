//! The suite of signatures: ML-DSA, from encoded bytes to encoded bytes.
//!
//! | operation | what is measured |
//! |---|---|
//! | `keygen` | a new key pair, written, the private key in its long form |
//! | `sign` | a signature with a private key as the library keeps it |
//! | `verify` | a public key, read and used once |
//! | `sign-prepared`, `verify-prepared` | the same with keys of which the library keeps more than bytes |
//!
//! How often signing starts again depends on key, message and randomness. So `sign` goes through a fixed
//! [list] of keys and messages, with randomness zero: every library that allows that does the same attempts,
//! and has the same signatures, which is [checked](crate::check) before anything is measured. Each signature
//! of the list is timed by itself, many times. Of the least times of all of them the row has the least, which
//! is one of a first attempt, the median and the mean.
//!
//! A library that draws the randomness itself is [`HEDGED`]: its row has least, median and mean of all the
//! times.

mod checks;
pub mod list;

use crate::RINGSMITH;
use crate::case::{Case, Id};
use crate::kem::{Done, Refused};
use list::{LENGTH, SETS, Set};
use ringsmith::ml_dsa::{MlDsa44, MlDsa65, MlDsa87};
use ringsmith::set::Bytes as _;
use ringsmith::signature::{
    Context, PreparedSet, PreparedSigningKey, PreparedVerifyingKey, SEED_BYTES, SignatureScheme,
    SignatureSet, SigningKey, VerifyingKey,
};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::hint::black_box;
use std::marker::PhantomData;

/// The suite's name in [`Id::suite`].
pub const SUITE: &str = "signature";
/// [`Id::route`] of signing with randomness zero.
pub const DETERMINISTIC: &str = "deterministic";
/// [`Id::route`] of signing with randomness of the library's own.
pub const HEDGED: &str = "hedged";
/// [`Id::operation`] of a new key pair.
pub const KEYGEN: &str = "keygen";
/// [`Id::operation`] of the signatures of the list.
pub const SIGN: &str = "sign";
/// [`Id::operation`] of a public key, read and used once.
pub const VERIFY: &str = "verify";
/// [`Id::operation`] of the signatures of the list with prepared keys.
pub const SIGN_PREPARED: &str = "sign-prepared";
/// [`Id::operation`] of a prepared public key.
pub const VERIFY_PREPARED: &str = "verify-prepared";

/// The seed of keys that are made while measuring.
const SEED: u64 = 1;

/// A signature scheme as a library offers it. Bytes are encoded as the standard says and have its lengths;
/// there is no context.
pub trait Sign: Copy + 'static {
    /// A private key as the library keeps it: its bytes, or what it makes of them when they are read, if
    /// that is little.
    type Private: 'static;
    /// Writes a new key pair, the private key in its long form.
    fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done;
    /// Reads a private key in its long form.
    fn read(self, private: &[u8]) -> Result<Self::Private, Refused>;
    /// Writes the signature of a message with randomness zero, or the library's own.
    fn sign(self, key: &Self::Private, message: &[u8], signature: &mut [u8]) -> Done;
    /// Reads a public key and verifies a signature.
    fn verify(self, public: &[u8], message: &[u8], signature: &[u8]) -> Done;
}

/// A signature scheme in a library that keeps what follows from a key: the matrix, transforms, or both.
pub trait PrepareSign: Copy + 'static {
    /// A public key, ready for use.
    type Public: 'static;
    /// A private key, ready for use.
    type Private: 'static;
    /// Reads a public key.
    fn read_public(self, bytes: &[u8]) -> Result<Self::Public, Refused>;
    /// Reads a private key in its long form.
    fn read_private(self, bytes: &[u8]) -> Result<Self::Private, Refused>;
    /// Writes the signature of a message with randomness zero.
    fn sign(key: &Self::Private, message: &[u8], signature: &mut [u8]) -> Done;
    /// Verifies a signature.
    fn verify(key: &Self::Public, message: &[u8], signature: &[u8]) -> Done;
}

/// What all rows of an implementation of a set have in common.
#[derive(Clone, Copy)]
pub struct Names {
    /// What is implemented.
    pub set: &'static Set,
    /// By which library.
    pub implementation: &'static str,
    /// With which instructions.
    pub cpu: &'static str,
    /// [`DETERMINISTIC`] or [`HEDGED`].
    pub route: &'static str,
}

impl Names {
    fn id(&self, operation: &str) -> Id {
        Id::new(SUITE, self.set.name, operation, self.implementation, self.cpu, self.route)
    }

    fn is_hedged(&self) -> bool {
        self.route == HEDGED
    }
}

/// `keygen`, `sign`, `verify`.
pub fn cases(names: Names, scheme: impl Sign) -> Vec<Case> {
    let (set, alike) = (names.set, !names.is_hedged());
    vec![
        Case::new(names.id(KEYGEN), move || generate(set, scheme))
            .checked(move || checks::keys(names, scheme)),
        Case::of_list(names.id(SIGN), LENGTH, alike, move || sign(set, scheme))
            .checked(move || checks::signatures(names, scheme)),
        Case::new(names.id(VERIFY), move || verify(set, scheme))
            .checked(move || checks::verifying(names, scheme)),
    ]
}

/// `sign-prepared`, `verify-prepared`.
pub fn prepared_cases(names: Names, scheme: impl PrepareSign) -> Vec<Case> {
    let set = names.set;
    let checked = checks::Prepared(scheme);
    vec![
        Case::of_list(names.id(SIGN_PREPARED), LENGTH, true, move || sign_prepared(set, scheme))
            .checked(move || checks::signatures(names, checked)),
        Case::new(names.id(VERIFY_PREPARED), move || verify_prepared(set, scheme))
            .checked(move || checks::verifying(names, checked)),
    ]
}

/// Every operation of every set on the given CPUs.
pub fn signature_cases(cpus: &[Cpu]) -> Vec<Case> {
    let of_set = |set: &'static Set| cpus.iter().flat_map(move |&cpu| (set.cases)(set, cpu));
    SETS.iter().flat_map(of_set).collect()
}

/// Those of a set of ours.
pub(crate) fn of_ours<S: PreparedSet>(set: &'static Set, cpu: Cpu) -> Vec<Case> {
    let names = Names { set, implementation: RINGSMITH, cpu: cpu.name(), route: DETERMINISTIC };
    let scheme = Ours::<S>::on(cpu);
    cases(names, scheme).into_iter().chain(prepared_cases(names, scheme)).collect()
}

/// The operands are keys and signatures by construction.
fn done<T>(result: Result<T, Refused>) -> T {
    result.unwrap_or_else(|Refused| unreachable!("the operands are encoded as the standard says"))
}

fn generate(set: &'static Set, scheme: impl Sign) -> impl FnMut() {
    let (mut rng, mut public, mut private) = (Random::new(SEED), vec![0; set.public], vec![0; set.private]);
    move || done(scheme.generate(&mut rng, black_box(&mut public), black_box(&mut private)))
}

fn sign<K: Sign>(set: &'static Set, scheme: K) -> impl FnMut(usize) {
    let list = set.list();
    let keys: Vec<_> = list.iter().map(|entry| done(scheme.read(&entry.private))).collect();
    let mut signature = vec![0; set.signature];
    move |i| done(scheme.sign(black_box(&keys[i]), black_box(&list[i].message), black_box(&mut signature)))
}

fn verify(set: &'static Set, scheme: impl Sign) -> impl FnMut() {
    let entry = &set.list()[0];
    move || {
        let (public, message) = (black_box(&entry.public), black_box(&entry.message));
        done(scheme.verify(public, message, black_box(&entry.signature)));
    }
}

fn sign_prepared<K: PrepareSign>(set: &'static Set, scheme: K) -> impl FnMut(usize) {
    let list = set.list();
    let keys: Vec<_> = list.iter().map(|entry| done(scheme.read_private(&entry.private))).collect();
    let mut signature = vec![0; set.signature];
    move |i| done(K::sign(black_box(&keys[i]), black_box(&list[i].message), black_box(&mut signature)))
}

fn verify_prepared<K: PrepareSign>(set: &'static Set, scheme: K) -> impl FnMut() {
    let entry = &set.list()[0];
    let key = done(scheme.read_public(&entry.public));
    move || done(K::verify(black_box(&key), black_box(&entry.message), black_box(&entry.signature)))
}

/// A set of ours. A private key is its bytes, with the public key and its hash.
pub(crate) struct Ours<S> {
    cpu: Cpu,
    set: PhantomData<S>,
}

impl<S> Clone for Ours<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Ours<S> {}

impl<S> Ours<S> {
    pub(crate) fn on(cpu: Cpu) -> Self {
        Ours { cpu, set: PhantomData }
    }
}

impl<S: SignatureSet> Sign for Ours<S> {
    type Private = SigningKey<S>;

    fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
        let mut seed = [0; SEED_BYTES];
        rng.fill(&mut seed);
        let made = (const { SignatureScheme::of::<S>() }.expand)(self.cpu, &seed, public, private);
        made.map_err(|_| Refused)
    }

    fn read(self, private: &[u8]) -> Result<Self::Private, Refused> {
        let bytes = S::SigningBytes::of(private).ok_or(Refused)?;
        SigningKey::from_bytes_on(self.cpu, bytes).map_err(|_| Refused)
    }

    fn sign(self, key: &Self::Private, message: &[u8], signature: &mut [u8]) -> Done {
        let made = key.sign_deterministic(Context::EMPTY, message).map_err(|_| Refused)?;
        signature.copy_from_slice(made.as_ref());
        Ok(())
    }

    fn verify(self, public: &[u8], message: &[u8], signature: &[u8]) -> Done {
        let bytes = S::VerifyingBytes::of(public).ok_or(Refused)?;
        let key = VerifyingKey::<S>::from_bytes_on(self.cpu, bytes);
        key.verify(Context::EMPTY, message, signature).map_err(|_| Refused)
    }
}

/// The matrix, the transforms and the small factors are kept.
impl<S: PreparedSet> PrepareSign for Ours<S> {
    type Public = Box<PreparedVerifyingKey<S>>;
    type Private = Box<PreparedSigningKey<S>>;

    fn read_public(self, bytes: &[u8]) -> Result<Self::Public, Refused> {
        let bytes = S::VerifyingBytes::of(bytes).ok_or(Refused)?;
        Ok(Box::new(PreparedVerifyingKey::new(&VerifyingKey::from_bytes_on(self.cpu, bytes))))
    }

    fn read_private(self, bytes: &[u8]) -> Result<<Self as PrepareSign>::Private, Refused> {
        Ok(Box::new(PreparedSigningKey::new(&self.read(bytes)?)))
    }

    fn sign(key: &<Self as PrepareSign>::Private, message: &[u8], signature: &mut [u8]) -> Done {
        let made = key.sign_deterministic(Context::EMPTY, message).map_err(|_| Refused)?;
        signature.copy_from_slice(made.as_ref());
        Ok(())
    }

    fn verify(key: &Self::Public, message: &[u8], signature: &[u8]) -> Done {
        key.verify(Context::EMPTY, message, signature).map_err(|_| Refused)
    }
}

/// The sets with what a [`Set`] has of each.
macro_rules! sets {
    ($($set:ty, $start:literal, $c:literal, $bits:literal, $l:literal, $beta:literal, $mean:literal;)*) => {
        [$(Set {
            name: <$set as SignatureSet>::NAME,
            public: size_of::<<$set as SignatureSet>::VerifyingBytes>(),
            private: size_of::<<$set as SignatureSet>::SigningBytes>(),
            signature: size_of::<<$set as SignatureSet>::SignatureBytes>(),
            expected_attempts: $mean,
            start: $start,
            shape: list::Shape { challenge: $c, mask_bits: $bits, rows: $l, beta: $beta },
            entry: list::entry::<$set>,
            verify: list::verify::<$set>,
            cases: of_ours::<$set>,
            entries: std::sync::OnceLock::new(),
        }),*]
    };
}

/// The numbers of FIPS 204, table 1; the mean of attempts is that of table 1, to three digits.
pub(crate) static ALL: [Set; 3] = sets! {
    MlDsa44, 19, 32, 18, 4, 78, 4.26;
    MlDsa65, 363, 48, 20, 5, 196, 5.10;
    MlDsa87, 22, 64, 20, 7, 120, 3.85;
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: what is measured is the scheme: on every backend signatures are those of the list, and are
    /// verified.
    #[test]
    fn ours_passes_the_checks() {
        for cpu in Cpu::available() {
            crate::check(&signature_cases(&[cpu])).unwrap();
        }
    }
}
