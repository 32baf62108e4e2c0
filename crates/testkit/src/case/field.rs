//! What the fields of NTRU Prime have besides products: inverses, the test whether there is one, and the
//! sorting of numbers, as many as elements are drawn from.

use super::Case;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined, publish, publish_space, secret, secret_small};
use ringsmith_oracle::Random;
use ringsmith_ring::inverse::{Inverses, InversesMod3, Inversion, Invertible};
use ringsmith_ring::sort::{ROWS, blocks, sort};
use ringsmith_ring::{Coefficients, Multiplier, Ring};
use ringsmith_routes::ntru_prime::BySteps;
use ringsmith_routes::rings::{
    NtruPrime653, NtruPrime739, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// Blocks of the largest ring.
const MAX: usize = blocks(1277);

fn inverse<R: Inverses>(cpu: Cpu, seed: u64, way: Inversion<R>) {
    let (a, mut out) = (secret::<R>(&mut Random::new(seed)), R::Coeffs::ZERO);
    let exists = observed(|| way(cpu, a.coeffs(), &mut out));
    make_defined(black_box(&mut [exists.to_u8()]));
    publish(black_box(&mut out));
}

/// Some of the secrets have an inverse, some not.
fn inverse_mod_3<R: InversesMod3>(cpu: Cpu, seed: u64) {
    let (a, mut out) = (secret_small::<R>(&mut Random::new(seed)), R::Coeffs::ZERO);
    let exists = observed(|| R::inverse_mod_3_into(cpu, a.coeffs(), &mut out));
    make_defined(black_box(&mut [exists.to_u8()]));
    publish(black_box(&mut out));
}

fn invertible_mod_3<R: InversesMod3>(cpu: Cpu, seed: u64) {
    let (a, by) = (secret_small::<R>(&mut Random::new(seed)), Multiplier::new_on(cpu));
    let mut scratch = by.scratch();
    let test = Invertible::<R>::new(by, &mut scratch);
    let exists = observed(|| test.test(a.coeffs(), &mut scratch));
    make_defined(black_box(&mut [exists.to_u8()]));
    publish_space(&mut scratch);
}

/// As many numbers as a ring of this degree sorts, in whole blocks.
pub(super) fn sorting(cpu: Cpu, seed: u64, degree: usize) {
    let (mut random, mut all) = (Random::new(seed), [[[0; 8]; ROWS]; MAX]);
    let all = &mut all[..blocks(degree)];
    let words = all.as_flattened_mut().as_flattened_mut();
    words.iter_mut().for_each(|word| *word = random.word() as i32);
    make_undefined(words);
    observed(|| sort(cpu, all));
    make_defined(black_box(all.as_flattened_mut().as_flattened_mut()));
}

fn case<R: Ring>(name: &str, run: impl Fn(Cpu, u64) + 'static) -> Case {
    Case { name: format!("{} {name}", R::NAME), counted: false, run: Box::new(run) }
}

fn modulo_q<R: BySteps>() -> [Case; 2] {
    [
        case::<R>("inverse", |cpu, seed| inverse::<R>(cpu, seed, R::inverse_into)),
        case::<R>("inverse-by-steps", |cpu, seed| inverse::<R>(cpu, seed, R::inverse_by_steps)),
    ]
}

fn of<R: BySteps + InversesMod3>() -> Vec<Case> {
    let others = [
        case::<R>("inverse-mod-3", inverse_mod_3::<R>),
        case::<R>("invertible-mod-3", invertible_mod_3::<R>),
        case::<R>("sort", |cpu, seed| sorting(cpu, seed, R::N)),
    ];
    modulo_q::<R>().into_iter().chain(others).collect()
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    let fields = [
        of::<NtruPrime653>(),
        of::<NtruPrime761>(),
        of::<NtruPrime857>(),
        of::<NtruPrime953>(),
        of::<NtruPrime1013>(),
        of::<NtruPrime1277>(),
    ];
    fields.into_iter().flatten().chain(modulo_q::<NtruPrime739>()).collect()
}
