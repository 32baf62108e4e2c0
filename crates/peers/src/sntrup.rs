//! `sntrup`: Streamlined NTRU Prime in Rust, with vector code.
//!
//! It picks its instructions itself: AVX-512 or AVX2 or NEON where present, or portable Rust.
//!
//! | operation | what is called | checks |
//! |---|---|---|
//! | `keygen` | `generate_key` | there are none |
//! | `encapsulate` | `EncapsulationKey::try_from`, `encapsulate` | length |
//! | `decapsulate` | `DecapsulationKey::try_from`, `decapsulate` | lengths |
//! | `encapsulate-prepared` | `encapsulate` | that of `encapsulate`, when the key was read |
//! | `decapsulate-prepared` | `decapsulate` | those of `decapsulate`, when the key was read |
//!
//! A key object keeps the decoded public key from its first use on. Each operation allocates. Randomness
//! comes from the generator that ours draws from.

use ringsmith::ntru_prime as ours;
use ringsmith::scheme::Scheme;
use ringsmith_bench::Case;
use ringsmith_bench::kem::{CHECKED, Done, Kem, Names, Prepare, Refused, cases as kem_cases, prepared_cases};
use ringsmith_oracle::Random;
use sntrup::{Ciphertext, DecapsulationKey, EncapsulationKey, SntrupKem};
use std::marker::PhantomData;

/// Name and version.
pub(crate) const VERSION: &str = "sntrup 0.4.0";

/// What it runs on this machine.
fn cpu() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        match (has!("avx512f") && has!("avx512bw") && has!("avx512vl"), has!("avx2")) {
            (true, _) => "avx512",
            (_, true) => "avx2",
            _ => "scalar",
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    if cfg!(target_arch = "aarch64") { "neon" } else { "scalar" }
}

/// A parameter set of theirs.
struct Set<P>(PhantomData<P>);

impl<P> Clone for Set<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Set<P> {}

impl<P: sntrup::SntrupParams + 'static> Kem for Set<P> {
    fn generate(self, rng: &mut Random, public: &mut [u8], private: &mut [u8]) -> Done {
        let (made, secret) = SntrupKem::<P>::generate_key(rng);
        public.copy_from_slice(made.as_ref());
        private.copy_from_slice(secret.as_ref());
        Ok(())
    }

    fn encapsulate(self, public: &[u8], rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) -> Done {
        <Self as Prepare>::encapsulate(&self.read_public(public)?, rng, ciphertext, shared);
        Ok(())
    }

    fn decapsulate(self, private: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> Done {
        <Self as Prepare>::decapsulate(&self.read_private(private)?, ciphertext, shared);
        Ok(())
    }
}

impl<P: sntrup::SntrupParams + 'static> Prepare for Set<P> {
    type Public = EncapsulationKey<P>;
    type Private = DecapsulationKey<P>;

    fn read_public(self, bytes: &[u8]) -> Result<Self::Public, Refused> {
        bytes.try_into().map_err(|_| Refused)
    }

    fn read_private(self, bytes: &[u8]) -> Result<Self::Private, Refused> {
        bytes.try_into().map_err(|_| Refused)
    }

    fn encapsulate(key: &Self::Public, rng: &mut Random, ciphertext: &mut [u8], shared: &mut [u8]) {
        let (made, secret) = key.encapsulate(rng);
        ciphertext.copy_from_slice(made.as_ref());
        shared.copy_from_slice(secret.as_ref());
    }

    fn decapsulate(key: &Self::Private, ciphertext: &[u8], shared: &mut [u8]) {
        let ciphertext = Ciphertext::try_from(ciphertext)
            .unwrap_or_else(|_| unreachable!("the operand is of the scheme's length"));
        shared.copy_from_slice(key.decapsulate(&ciphertext).as_ref());
    }
}

fn of_set<P: sntrup::SntrupParams + 'static>(scheme: &'static Scheme) -> Vec<Case> {
    let names = Names { scheme, implementation: VERSION, cpu: cpu(), route: CHECKED };
    let (kem, prepared) = (Set::<P>(PhantomData), Set::<P>(PhantomData));
    [kem_cases(names, kem), prepared_cases(names, prepared)].into_iter().flatten().collect()
}

/// All streamlined sets, each with what it is called here.
macro_rules! sets {
    ($($set:ident $theirs:ident)*) => {
        /// All parameter sets.
        pub(crate) fn cases() -> Vec<Case> {
            [$(of_set::<sntrup::$theirs>(&ours::$set::SCHEME)),*].into_iter().flatten().collect()
        }

        /// Protects: the peer computes what we compute, so that the times may be compared; and what this page
        /// says of its checks.
        #[cfg(test)]
        #[test]
        fn all_sets_are_as_ours() {
            $(
                let kem = Set::<sntrup::$theirs>(PhantomData);
                ringsmith_bench::kem::laws::same_shared_keys(&ours::$set::SCHEME, kem);
                assert_eq!(ringsmith_bench::kem::laws::checks(&ours::$set::SCHEME, kem), [false; 2]);
            )*
        }
    };
}

sets! {
    sntrup653 Sntrup653Params
    sntrup761 Sntrup761Params
    sntrup857 Sntrup857Params
    sntrup953 Sntrup953Params
    sntrup1013 Sntrup1013Params
    sntrup1277 Sntrup1277Params
}
