//! Signatures by other libraries: ML-DSA.

mod aws_lc_rs;
mod fips204;
mod libcrux;
mod ml_dsa;
#[cfg(feature = "mldsa-native")]
pub(crate) mod mldsa_native;
mod pqclean;

use ringsmith_bench::Case;
use ringsmith_bench::signature::list::Set;

/// Names and versions of those that are peers in signatures alone.
pub(crate) const VERSIONS: [&str; 4] =
    [fips204::VERSION, libcrux::VERSION, ml_dsa::VERSION, pqclean::VERSION];

/// All parameter sets of all.
pub(crate) fn cases() -> Vec<Case> {
    let peers = [
        aws_lc_rs::cases(),
        libcrux::cases(),
        ml_dsa::cases(),
        #[cfg(feature = "mldsa-native")]
        mldsa_native::cases(),
        fips204::cases(),
        pqclean::cases(),
    ];
    peers.into_iter().flatten().collect()
}

/// A parameter set of ours.
fn set(name: &str) -> &'static Set {
    Set::find(name).unwrap_or_else(|| unreachable!("{name}"))
}

#[cfg(test)]
mod tests {
    use ringsmith_bench::signature::list::{Entry, SETS};
    use ringsmith_bench::signature::{Names, Sign, cases};
    use ringsmith_bench::{check, kem::Done, kem::Refused};

    /// Protects: each peer computes what we compute, so that the times may be compared.
    #[test]
    fn all_are_as_ours() {
        assert_eq!(check(&super::cases()), Ok(()));
    }

    /// Signs and verifies as the list has it, but for a bit of signatures, if they are to be wrong.
    #[derive(Clone, Copy)]
    struct Wrong {
        signs: bool,
    }

    fn entry(by: impl Fn(&Entry) -> bool) -> &'static Entry {
        SETS[0].list().iter().find(|entry| by(entry)).expect("it is of the list")
    }

    impl Sign for Wrong {
        type Private = &'static Entry;

        fn generate(self, _: &mut ringsmith_oracle::Random, _: &mut [u8], _: &mut [u8]) -> Done {
            Ok(())
        }

        fn read(self, private: &[u8]) -> Result<Self::Private, Refused> {
            Ok(entry(|entry| entry.private == private))
        }

        fn sign(self, key: &Self::Private, _: &[u8], signature: &mut [u8]) -> Done {
            signature.copy_from_slice(&key.signature);
            signature[0] ^= u8::from(!self.signs);
            Ok(())
        }

        fn verify(self, _: &[u8], _: &[u8], _: &[u8]) -> Done {
            Ok(())
        }
    }

    /// Protects: the checks can fail: keys that are none, signatures that differ, verification that takes
    /// everything.
    #[test]
    fn checks_can_fail() {
        let names = Names { set: &SETS[0], implementation: "a", cpu: "b", route: "deterministic" };
        let said = |signs, case: usize| check(&cases(names, Wrong { signs })[case..=case]);
        assert_eq!(said(true, 0), Err("a (b), ML-DSA-44: a key of the same seed differs from ours".into()));
        assert_eq!(said(true, 1), Ok(()));
        assert_eq!(said(false, 1), Err("a (b), ML-DSA-44: ours refuses a signature of its".into()));
        let taken = "a (b), ML-DSA-44: it takes a signature for another message";
        assert_eq!(said(true, 2), Err(taken.into()));
    }
}
