//! `pqcrypto-ntru` and `pqcrypto-ntruprime`: PQClean's NTRU and NTRU Prime in C, portable code and the
//! submissions' for AVX2, by way of `ringsmith-pqclean`. Two sets of NTRU have portable code alone.
//!
//! | operation | what is called | checks |
//! |---|---|---|
//! | `keygen` | `crypto_kem_keypair` | there are none |
//! | `encapsulate` | `crypto_kem_enc` | there are none |
//! | `decapsulate` | `crypto_kem_dec` | there are none |
//!
//! Randomness is the benchmark's, drawn in the same pieces as ours, so the same seeds give the same bytes. By
//! their own Rust interfaces these libraries ask the operating system for it, which its users pay for, and
//! which is no part of what is compared here.
//!
//! They allocate nothing and clear nothing. To build it takes a C compiler. The compiler may use the
//! baseline's vectors for the portable code.

use ringsmith::scheme::{ALL, Scheme};
use ringsmith_bench::Case;
use ringsmith_bench::kem::{CHECKED, Done, Kem, Names, cases as kem_cases};
use ringsmith_oracle::Random;
use ringsmith_pqclean::{Kem as Code, NTRU, NTRU_PRIME, Set};

/// Names and versions.
pub(crate) const VERSIONS: [&str; 2] = ["pqcrypto-ntru 0.5.8", "pqcrypto-ntruprime 0.1.6"];
/// The sets of each.
const SETS: [&[Set]; 2] = [&NTRU, &NTRU_PRIME];

/// A set in one of its implementations.
#[derive(Clone, Copy)]
struct Theirs(Code);

impl Kem for Theirs {
    fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
        self.0.keypair(rng, public, private);
        Ok(())
    }

    fn encapsulate(self, public: &[u8], rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) -> Done {
        self.0.encapsulate(rng, public, ciphertext, shared);
        Ok(())
    }

    fn decapsulate(self, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Done {
        self.0.decapsulate(private, ciphertext, shared);
        Ok(())
    }
}

/// The implementations of a set that this machine runs, by what they run on.
fn codes(set: &Set) -> impl Iterator<Item = (&'static str, Theirs)> {
    let vectors = set.avx2().map(|code| ("avx2", Theirs(code)));
    vectors.into_iter().chain([("scalar", Theirs(set.portable))])
}

/// Ours of the same name.
fn ours(set: &Set) -> &'static Scheme {
    ALL.iter().copied().find(|scheme| scheme.name == set.name).unwrap_or_else(|| unreachable!("{}", set.name))
}

/// All parameter sets.
pub(crate) fn cases() -> Vec<Case> {
    let of_set = |(implementation, set): (&'static str, &Set)| {
        let scheme = ours(set);
        let named = move |(cpu, code)| kem_cases(Names { scheme, implementation, cpu, route: CHECKED }, code);
        codes(set).flat_map(named).collect::<Vec<_>>()
    };
    let sets =
        VERSIONS.into_iter().zip(SETS).flat_map(|(version, sets)| sets.iter().map(move |set| (version, set)));
    sets.flat_map(of_set).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_bench::kem::laws;

    /// Protects: the peer computes what we compute, of the same randomness, so that the times may be
    /// compared; and what this page says of its checks.
    #[test]
    fn all_sets_are_as_ours() {
        for set in SETS.into_iter().flatten() {
            for (_, code) in codes(set) {
                laws::same_bytes(ours(set), code);
                laws::same_shared_keys(ours(set), code);
                assert_eq!(laws::checks(ours(set), code), [false; 2]);
            }
        }
    }
}
