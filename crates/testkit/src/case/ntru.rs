//! NTRU: keys, ciphertexts, and what is made of them, in every set; sorting and packing by themselves.

use super::Case;
use super::field::sorting;
use super::ntru_prime::{Any, cases};
use ringsmith::ntru::{
    Ntruhps2048509, Ntruhps2048677, Ntruhps4096821, Ntruhps40961229, Ntruhrss701, Ntruhrss1373,
    ntruhps2048509, ntruhps2048677, ntruhps4096821, ntruhps40961229, ntruhrss701, ntruhrss1373,
};
use ringsmith_simd::Cpu;

/// A case by itself, which is not counted.
fn case(name: String, run: impl Fn(Cpu, u64) + 'static) -> Case {
    Case { name, counted: false, run: Box::new(run) }
}

/// Sorting of as many numbers as an element of the fixed type is drawn from.
fn sorts() -> impl Iterator<Item = Case> {
    [508, 676, 820, 1228]
        .into_iter()
        .map(|count| case(format!("NTRU-{count} sort"), move |cpu, seed| sorting(cpu, seed, count)))
}

#[cfg(ringsmith_internals)]
mod packing {
    //! Elements as bytes, and back.

    use super::{Case, case};
    use crate::observe::observed;
    use crate::operand::{make_defined, publish, secret, secret_small};
    use ringsmith::ntru::internals::{packed, packed_ternary};
    use ringsmith::rings::{NtruHps509, NtruHps677, NtruHps821, NtruHps1229, NtruHrss701, NtruHrss1373};
    use ringsmith::{Poly, Small, ntru::rings::Quotient};
    use ringsmith_oracle::Random;
    use std::hint::black_box;

    /// The most bytes of an element.
    const BYTES: usize = 2401;

    fn of<R: Quotient>() -> [Case; 2] {
        let modulo_q = case(format!("{} pack", R::NAME), |cpu, seed| {
            let (a, mut bytes, mut out) = (secret::<R>(&mut Random::new(seed)), [0; BYTES], Poly::zero());
            let bytes = &mut bytes[..(R::Q.ilog2() as usize * (R::N - 1)).div_ceil(8)];
            observed(|| packed(cpu, &a, bytes, &mut out));
            make_defined(black_box(bytes));
            publish(black_box(out.coeffs_mut()));
        });
        let ternary = case(format!("{} pack-ternary", R::NAME), |cpu, seed| {
            let a = secret_small::<R>(&mut Random::new(seed));
            let (mut bytes, mut out) = ([0; BYTES], Small::zero());
            let bytes = &mut bytes[..(R::N - 1).div_ceil(5)];
            let is_bad = observed(|| packed_ternary(cpu, &a, bytes, &mut out));
            make_defined(black_box(&mut [is_bad]));
            make_defined(black_box(bytes));
            publish(black_box(out.coeffs_mut()));
        });
        [modulo_q, ternary]
    }

    /// The cases.
    pub(super) fn all() -> impl Iterator<Item = Case> {
        let small = [of::<NtruHps509>(), of::<NtruHps677>(), of::<NtruHps821>()];
        let others = [of::<NtruHps1229>(), of::<NtruHrss701>(), of::<NtruHrss1373>()];
        small.into_iter().chain(others).flatten()
    }
}

#[cfg(not(ringsmith_internals))]
mod packing {
    //! It is not seen in such builds.

    pub(super) fn all() -> impl Iterator<Item = super::Case> {
        std::iter::empty()
    }
}

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
    .chain(sorts())
    .chain(packing::all())
    .collect()
}
