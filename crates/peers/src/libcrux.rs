//! `libcrux-ml-kem`: ML-KEM in Rust, of which much is verified formally.
//!
//! It picks its instructions itself: AVX2 or NEON where present, or portable Rust. Nothing is said to the
//! compiler about the CPU, as in any program that asks at run time.
//!
//! | operation | what is called | checks of FIPS 203, section 7 |
//! |---|---|---|
//! | `keygen` | `generate_key_pair` | there are none |
//! | `encapsulate`, `checked` | `validate_public_key`, `encapsulate` | length (the type), modulus |
//! | `encapsulate`, `unchecked` | `encapsulate` | length (the type) |
//! | `decapsulate`, `checked` | `validate_private_key`, `decapsulate` | lengths (the types), hash |
//! | `decapsulate`, `unchecked` | `decapsulate` | lengths (the types) |
//! | `encapsulate-prepared` | `unpacked::encapsulate` | those of `checked`, when the key was read |
//! | `decapsulate-prepared` | `unpacked::decapsulate` | those of `checked`, when the key was read |
//!
//! Its manual leaves the calls of `validate_...` to the user, as what the standard asks for before the other
//! call: hence both rows. They run portable code on every CPU. It clears no memory.
//!
//! Randomness is an argument; it is drawn here, from the generator that ours draws from.

use libcrux_ml_kem::{mlkem512, mlkem768, mlkem1024};
use ringsmith::ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::scheme::Scheme;
use ringsmith_bench::Case;
use ringsmith_bench::kem::{
    CHECKED, Done, KEYGEN, Kem, Names, Prepare, Refused, UNCHECKED, cases as kem_cases, prepared_cases,
};
use ringsmith_oracle::Random;

/// Name and version.
pub(crate) const VERSION: &str = "libcrux-ml-kem 0.0.11";

/// All parameter sets.
pub(crate) fn cases() -> Vec<Case> {
    [
        of_set(&ml_kem_512::SCHEME, MlKem512::<true>, MlKem512::<false>),
        of_set(&ml_kem_768::SCHEME, MlKem768::<true>, MlKem768::<false>),
        of_set(&ml_kem_1024::SCHEME, MlKem1024::<true>, MlKem1024::<false>),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn of_set(scheme: &'static Scheme, checked: impl Kem + Prepare, unchecked: impl Kem) -> Vec<Case> {
    let cpu = crate::vector_cpu();
    let names = |route| Names { scheme, implementation: VERSION, cpu, route };
    let mut bare = kem_cases(names(UNCHECKED), unchecked);
    // A new key has nothing to check.
    bare.retain(|case| case.id().operation != KEYGEN);
    // Unpacked keys are types of the vector code, which does not ask again whether the CPU has it.
    let unpacked = if cpu == "scalar" { Vec::new() } else { prepared_cases(names(CHECKED), checked) };
    [kem_cases(names(CHECKED), checked), bare, unpacked].into_iter().flatten().collect()
}

/// Each parameter set is a module with types of its own; `CHECKED` says whether keys are validated.
macro_rules! parameter_set {
    ($name:ident, $module:ident, $public:ident, $private:ident, $ciphertext:ident) => {
        #[derive(Clone, Copy)]
        struct $name<const CHECKED: bool>;

        impl<const CHECKED: bool> Kem for $name<CHECKED> {
            fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
                let keys = $module::generate_key_pair(rng.bytes());
                public.copy_from_slice(keys.pk());
                private.copy_from_slice(keys.sk());
                Ok(())
            }

            fn encapsulate(
                self,
                public: &[u8],
                rng: &mut Random,
                ciphertext: &mut [u8],
                shared: &mut [u8],
            ) -> Done {
                let key = $module::$public::try_from(public).map_err(|_| Refused)?;
                if CHECKED && !$module::validate_public_key(&key) {
                    return Err(Refused);
                }
                let (made, secret) = $module::encapsulate(&key, rng.bytes());
                ciphertext.copy_from_slice(made.as_ref());
                shared.copy_from_slice(&secret);
                Ok(())
            }

            fn decapsulate(self, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Done {
                let key = $module::$private::try_from(private).map_err(|_| Refused)?;
                let ciphertext = $module::$ciphertext::try_from(ciphertext).map_err(|_| Refused)?;
                if CHECKED && !$module::validate_private_key(&key, &ciphertext) {
                    return Err(Refused);
                }
                shared.copy_from_slice(&$module::decapsulate(&key, &ciphertext));
                Ok(())
            }
        }

        impl Prepare for $name<true> {
            type Public = unpacked::$module::Public;
            type Private = unpacked::$module::Private;

            fn read_public(self, bytes: &[u8]) -> Result<Self::Public, Refused> {
                let (key, mut unpacked) = (bytes.try_into().map_err(|_| Refused)?, Self::Public::default());
                if !$module::validate_public_key(&key) {
                    return Err(Refused);
                }
                unpacked::$module::unpacked_public_key(&key, &mut unpacked);
                Ok(unpacked)
            }

            fn read_private(self, bytes: &[u8]) -> Result<Self::Private, Refused> {
                let (key, mut unpacked) = (bytes.try_into().map_err(|_| Refused)?, Self::Private::default());
                if !$module::validate_private_key(&key, &Default::default()) {
                    return Err(Refused);
                }
                unpacked::$module::key_pair_from_private_mut(&key, &mut unpacked);
                Ok(unpacked)
            }

            fn encapsulate(key: &Self::Public, rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) {
                let (made, secret) = unpacked::$module::encapsulate(key, rng.bytes());
                ciphertext.copy_from_slice(made.as_ref());
                shared.copy_from_slice(&secret);
            }

            fn decapsulate(key: &Self::Private, ciphertext: &[u8], shared: &mut [u8]) {
                let ciphertext = ciphertext
                    .try_into()
                    .unwrap_or_else(|_| unreachable!("the operand is of the scheme's length"));
                shared.copy_from_slice(&unpacked::$module::decapsulate(key, &ciphertext));
            }
        }
    };
}

parameter_set!(MlKem512, mlkem512, MlKem512PublicKey, MlKem512PrivateKey, MlKem512Ciphertext);
parameter_set!(MlKem768, mlkem768, MlKem768PublicKey, MlKem768PrivateKey, MlKem768Ciphertext);
parameter_set!(MlKem1024, mlkem1024, MlKem1024PublicKey, MlKem1024PrivateKey, MlKem1024Ciphertext);

/// The unpacked keys of the vector code of this kind of machine.
mod unpacked {
    macro_rules! vector_code {
        ($module:ident, $public:ident, $private:ident) => {
            pub(super) mod $module {
                #[cfg(target_arch = "x86_64")]
                pub(crate) use libcrux_ml_kem::$module::avx2::unpacked::*;
                #[cfg(target_arch = "aarch64")]
                pub(crate) use libcrux_ml_kem::$module::neon::unpacked::*;
                #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
                pub(crate) use libcrux_ml_kem::$module::portable::unpacked::*;

                pub(crate) type Public = $public;
                pub(crate) type Private = $private;
            }
        };
    }

    vector_code!(mlkem512, MlKem512PublicKeyUnpacked, MlKem512KeyPairUnpacked);
    vector_code!(mlkem768, MlKem768PublicKeyUnpacked, MlKem768KeyPairUnpacked);
    vector_code!(mlkem1024, MlKem1024PublicKeyUnpacked, MlKem1024KeyPairUnpacked);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_bench::kem::laws;

    fn same_as_ours(scheme: &'static Scheme, checked: impl Kem + Prepare, unchecked: impl Kem) {
        laws::same_bytes(scheme, checked);
        laws::same_shared_keys(scheme, checked);
        laws::same_bytes(scheme, unchecked);
        assert_eq!(laws::checks(scheme, checked), [true; 2], "{}", scheme.name);
        assert_eq!(laws::checks(scheme, unchecked), [false; 2], "{}", scheme.name);
        if crate::vector_cpu() != "scalar" {
            laws::same_prepared(scheme, checked);
        }
    }

    /// Protects: the peer computes what we compute, so that the times may be compared; and what this page
    /// says of its checks.
    #[test]
    fn all_sets_are_as_ours() {
        same_as_ours(&ml_kem_512::SCHEME, MlKem512::<true>, MlKem512::<false>);
        same_as_ours(&ml_kem_768::SCHEME, MlKem768::<true>, MlKem768::<false>);
        same_as_ours(&ml_kem_1024::SCHEME, MlKem1024::<true>, MlKem1024::<false>);
    }
}
