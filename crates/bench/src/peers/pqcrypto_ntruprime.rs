//! `pqcrypto-ntruprime`: PQClean's NTRU Prime in C behind a Rust interface, and its vector code, which is the submission's.
//!
//! With its feature `avx2` (ours: `peers-ntru-prime`) it asks at run time for AVX2; without it (ours: `peers-portable` alone) it is portable code,
//! which the compiler may use the baseline's vectors for.
//!
//! | operation | what is called | checks |
//! |---|---|---|
//! | `keygen` | `keypair` | there are none |
//! | `encapsulate` | `PublicKey::from_bytes`, `encapsulate` | length |
//! | `decapsulate` | `SecretKey::from_bytes`, `Ciphertext::from_bytes`, `decapsulate` | lengths |
//!
//! Randomness is the operating system's and no choice of the caller, as many bytes at a call as an element is made of: `keygen` has three
//! such calls, or more, `encapsulate` one. The rows `randomness` say what that costs.
//!
//! It allocates nothing and clears nothing. To build it takes a C compiler.

use crate::case::Case;
use crate::kem::{Done, Kem, Names, Refused, UNCHECKED, cases as kem_cases};
use crate::kem::{element_randomness_case, randomness_case};
use pqcrypto_traits::kem::{Ciphertext as _, PublicKey as _, SecretKey as _, SharedSecret as _};
use ringsmith_oracle::Random;
use ringsmith_schemes::ntru_prime as ours;

/// Its name.
pub(crate) const NAME: &str = "pqcrypto-ntruprime";
/// Name and version.
pub(crate) const VERSION: &str = "pqcrypto-ntruprime 0.1.6";

/// What it runs on this machine.
pub(crate) fn cpu() -> &'static str {
    #[cfg(all(feature = "peers-ntru-prime", target_arch = "x86_64"))]
    if std::arch::is_x86_feature_detected!("avx2") {
        return "avx2";
    }
    "scalar"
}

fn random(bytes: &mut [u8]) {
    getrandom::fill(bytes).unwrap_or_else(|_| unreachable!("a system without entropy"));
}

/// Each parameter set is a module with types of its own.
macro_rules! sets {
    ($($set:ident $name:ident)*) => {
        $(
            #[derive(Clone, Copy)]
            struct $name;

            impl Kem for $name {
                fn generate(self, _: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
                    let (made, secret) = pqcrypto_ntruprime::$set::keypair();
                    public.copy_from_slice(made.as_bytes());
                    private.copy_from_slice(secret.as_bytes());
                    Ok(())
                }

                fn encapsulate(
                    self,
                    public: &[u8],
                    _: &mut Random,
                    ciphertext: &mut [u8],
                    shared: &mut [u8],
                ) -> Done {
                    let key = pqcrypto_ntruprime::$set::PublicKey::from_bytes(public).map_err(|_| Refused)?;
                    let (secret, made) = pqcrypto_ntruprime::$set::encapsulate(&key);
                    ciphertext.copy_from_slice(made.as_bytes());
                    shared.copy_from_slice(secret.as_bytes());
                    Ok(())
                }

                fn decapsulate(self, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Done {
                    use pqcrypto_ntruprime::$set::{Ciphertext, SecretKey};
                    let key = SecretKey::from_bytes(private).map_err(|_| Refused)?;
                    let ciphertext = Ciphertext::from_bytes(ciphertext).map_err(|_| Refused)?;
                    shared.copy_from_slice(pqcrypto_ntruprime::$set::decapsulate(&ciphertext, &key).as_bytes());
                    Ok(())
                }
            }
        )*

        /// All parameter sets, and the randomness.
        pub(crate) fn cases() -> Vec<Case> {
            let names = |scheme| Names { scheme, implementation: VERSION, cpu: cpu(), route: UNCHECKED };
            let sets = [$(kem_cases(names(&ours::$set::SCHEME), $name)),*];
            let randomness = [
                randomness_case(VERSION, "any", "getrandom", random),
                element_randomness_case(VERSION, "any", "getrandom", random),
            ];
            sets.into_iter().flatten().chain(randomness).collect()
        }

        /// Protects: the peer computes what we compute, so that the times may be compared; and what this page says of its checks.
        #[cfg(test)]
        #[test]
        fn all_sets_are_as_ours() {
            $(
                crate::kem::laws::same_shared_keys(&ours::$set::SCHEME, $name);
                assert_eq!(crate::kem::laws::checks(&ours::$set::SCHEME, $name), [false; 2]);
            )*
        }
    };
}

sets! {
    sntrup653 Sntrup653
    sntrup761 Sntrup761
    sntrup857 Sntrup857
    sntrup953 Sntrup953
    sntrup1013 Sntrup1013
    sntrup1277 Sntrup1277
    ntrulpr653 Ntrulpr653
    ntrulpr761 Ntrulpr761
    ntrulpr857 Ntrulpr857
    ntrulpr953 Ntrulpr953
    ntrulpr1013 Ntrulpr1013
    ntrulpr1277 Ntrulpr1277
}
