//! The list of keys and messages that are signed, equal for all libraries.
//!
//! Entry `i` of a set's list is drawn from the generator with the seed `start + i`: 32 bytes that are the
//! seed of a key, then 64 that are the message. It is signed with randomness zero, so the number of attempts
//! is a fact of the entry. `start` is the first from which 64 entries have the attempts that the standard
//! expects of them on average.
//!
//! # How attempts are counted
//! A signature holds `z = y + c s1`, where `c s1` is at most `beta = tau eta` in absolute value. `y` comes
//! of the private key, `mu` and the number `kappa` of polynomials that the attempts before have used: the
//! first of attempt `a` is `ExpandMask` of `kappa = (a - 1) l`. So the attempt is the one whose first mask is
//! within `beta` of the first polynomial of `z`. Masks are uniform in `2^18` or `2^20` numbers: another one
//! is as near in the first 8 coefficients with probability less than `2^-80`.
//!
//! Source: FIPS 204, algorithms 7, 19 and 34.

use super::ALL;
use crate::case::Case;
use ringsmith::set::Bytes as _;
use ringsmith::signature::{Context, SignatureSet, SigningKey, VerifyingKey};
use ringsmith_hash::Shake256;
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::sync::OnceLock;

/// Entries of a list.
pub const LENGTH: usize = 64;

/// Bytes of a message.
const MESSAGE: usize = 64;

/// A parameter set of ML-DSA.
pub struct Set {
    /// Its name in the standard.
    pub name: &'static str,
    /// Bytes of a public key.
    pub public: usize,
    /// Bytes of a private key in its long form.
    pub private: usize,
    /// Bytes of a signature.
    pub signature: usize,
    /// The mean of attempts of any signature.
    pub expected_attempts: f64,
    /// The first seed of the list.
    pub(super) start: u64,
    pub(super) shape: Shape,
    pub(super) entry: fn(u64, &Shape) -> Entry,
    pub(super) verify: fn(&[u8], &[u8], &[u8]) -> bool,
    pub(super) cases: fn(&'static Set, Cpu) -> Vec<Case>,
    pub(super) entries: OnceLock<Vec<Entry>>,
}

/// Where the first polynomial of `z` stands, and what it is made of.
pub(super) struct Shape {
    /// Bytes of the challenge, behind which `z` begins.
    pub(super) challenge: usize,
    /// Bits of a coefficient of `z`.
    pub(super) mask_bits: usize,
    /// Polynomials of an attempt, `l`.
    pub(super) rows: u16,
    /// The bound of `c s1`.
    pub(super) beta: i32,
}

/// All sets.
pub static SETS: &[Set] = &ALL;

/// A key pair with a message and its signature.
pub struct Entry {
    /// The public key.
    pub public: Vec<u8>,
    /// The private key in its long form.
    pub private: Vec<u8>,
    /// The message.
    pub message: [u8; MESSAGE],
    /// The signature with randomness zero and without a context, by ours.
    pub signature: Vec<u8>,
    /// How many attempts it takes.
    pub attempts: usize,
}

impl Set {
    /// The set of a name.
    pub fn find(name: &str) -> Option<&'static Set> {
        SETS.iter().find(|set| set.name == name)
    }

    /// The list, made at the first call.
    pub fn list(&self) -> &[Entry] {
        let made = || (0..LENGTH as u64).map(|i| (self.entry)(self.start + i, &self.shape)).collect();
        self.entries.get_or_init(made)
    }

    /// The mean of the attempts of the list.
    pub fn attempts(&self) -> f64 {
        self.list().iter().map(|entry| entry.attempts as f64).sum::<f64>() / LENGTH as f64
    }

    /// Whether ours takes a signature for one of a message.
    pub fn verifies(&self, public: &[u8], message: &[u8], signature: &[u8]) -> bool {
        (self.verify)(public, message, signature)
    }
}

/// The entry that is drawn from a seed.
pub(super) fn entry<S: SignatureSet>(seed: u64, shape: &Shape) -> Entry {
    let mut rng = Random::new(seed);
    let key = SigningKey::<S>::from_seed(&rng.bytes());
    let message = rng.bytes();
    let made = key.sign_deterministic(Context::EMPTY, &message);
    let signature = made.unwrap_or_else(|why| unreachable!("{why}")).as_ref().to_vec();
    let private = (*key.to_bytes()).as_ref().to_vec();
    let mut pieces = key.verifying_key().message(Context::EMPTY);
    pieces.update(&message);
    let attempts = shape.attempts(&private, &pieces.finish().to_bytes(), &signature);
    Entry { public: key.verifying_key().to_bytes().as_ref().to_vec(), private, message, signature, attempts }
}

/// Whether a signature without a context is one.
pub(super) fn verify<S: SignatureSet>(public: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let key = S::VerifyingBytes::of(public).map(VerifyingKey::<S>::from_bytes);
    key.is_some_and(|key| key.verify(Context::EMPTY, message, signature).is_ok())
}

/// Coefficients that are compared.
const COMPARED: usize = 8;
/// No signature of the list takes more attempts.
const MOST: u16 = 200;

impl Shape {
    /// The number of attempts of a signature with randomness zero.
    fn attempts(&self, private: &[u8], mu: &[u8; 64], signature: &[u8]) -> usize {
        // A private key is rho, K, and the rest.
        let head = Shake256::new().absorb(&private[32..64]).absorb(&[0; 32]);
        let seed: [u8; 64] = head.absorb(mu).digest();
        let z = self.coefficients(&signature[self.challenge..]);
        let is_near = |attempt: &u16| {
            let kappa = ((attempt - 1) * self.rows).to_le_bytes();
            let mask: [u8; 20] = Shake256::new().absorb(&seed).absorb(&kappa).digest();
            let y = self.coefficients(&mask);
            z.iter().zip(y).all(|(z, y)| (z - y).abs() <= self.beta)
        };
        let attempt = (1..=MOST).find(is_near);
        attempt.unwrap_or_else(|| unreachable!("a signature is one of a mask")).into()
    }

    /// The first coefficients of a packed polynomial, each as what it is subtracted from `gamma1` as.
    fn coefficients(&self, packed: &[u8]) -> [i32; COMPARED] {
        let bit = |at: usize| i32::from(packed[at / 8] >> (at % 8) & 1);
        let bits = self.mask_bits;
        std::array::from_fn(|i| (0..bits).map(|j| bit(bits * i + j) << j).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first seed from which a list has the attempts that the standard expects, and their median; some of
    /// them take one.
    fn first_fair(set: &Set, median: usize) -> u64 {
        let expected = (set.expected_attempts * LENGTH as f64).round() as usize;
        let is_fair = |attempts: &[usize]| {
            let mut sorted = attempts.to_vec();
            sorted.sort_unstable();
            sorted.iter().sum::<usize>() == expected && (sorted[0], sorted[LENGTH / 2]) == (1, median)
        };
        let attempts = |seed: u64| (set.entry)(seed, &set.shape).attempts;
        let mut window: Vec<_> = (0..LENGTH as u64).map(attempts).collect();
        for start in 0.. {
            if is_fair(&window) {
                return start;
            }
            window.remove(0);
            window.push(attempts(start + LENGTH as u64));
        }
        unreachable!("no list is fair")
    }

    /// Protects: the lists are the first fair ones.
    #[test]
    fn attempts_are_as_expected() {
        let starts: Vec<_> =
            SETS.iter().zip([3, 4, 3]).map(|(set, median)| first_fair(set, median)).collect();
        assert_eq!(starts, SETS.iter().map(|set| set.start).collect::<Vec<_>>());
        assert!(SETS.iter().all(|set| (set.attempts() / set.expected_attempts - 1.0).abs() < 0.01));
    }
}
