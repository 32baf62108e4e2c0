//! NTRU: keys, ciphertexts, and what is made of them, in every set.

use super::Case;
use super::ntru_prime::{Any, cases};
use ringsmith::ntru::{
    Ntruhps2048509, Ntruhps2048677, Ntruhps4096821, Ntruhps40961229, Ntruhrss701, Ntruhrss1373,
    ntruhps2048509, ntruhps2048677, ntruhps4096821, ntruhps40961229, ntruhrss701, ntruhrss1373,
};

/// The cases. Instructions are counted of one set of each system.
pub(super) fn all() -> Vec<Case> {
    [
        cases::<Ntruhps2048509, Any>(&ntruhps2048509::SCHEME, false),
        cases::<Ntruhps2048677, Any>(&ntruhps2048677::SCHEME, true),
        cases::<Ntruhps4096821, Any>(&ntruhps4096821::SCHEME, false),
        cases::<Ntruhps40961229, Any>(&ntruhps40961229::SCHEME, false),
        cases::<Ntruhrss701, Any>(&ntruhrss701::SCHEME, true),
        cases::<Ntruhrss1373, Any>(&ntruhrss1373::SCHEME, false),
    ]
    .into_iter()
    .flatten()
    .collect()
}
