//! The reductions of words to words.

use crate::support::*;
use ringsmith_ring::bound::Bound;
use ringsmith_ring::montgomery::Factor;
use ringsmith_ring::number::centred;
use ringsmith_ring::residues::{Dynamic, Modulus, Odd, Residues, Wrapping};
use ringsmith_ring::{barrett, sign};
use ringsmith_simd::{Cpu, Kernel, Simd};

/// What a backend prefers.
struct Preferences;
impl Kernel for Preferences {
    type Out = (ringsmith_simd::LazyReduction, bool);
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Self::Out {
        (S::STEP, S::HAS_ROUNDED_PRODUCT)
    }
}

/// The sign step takes `q` off the magnitude: congruent, and in every interval around zero its bound is
/// attained, but for the choice at zero.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn sign_step_of_all_words() {
    fn check<const Q: i64>() {
        for cpu in Cpu::available() {
            let results = sweep(cpu, SignStep::<Q>);
            assert_congruent(&results, 1, Q);
            intervals(&results, |a, hull| {
                let slack = slack(sign::bound(a, Q), hull);
                assert!(
                    slack <= 1 || a.low == 0 || a.high == 0,
                    "{a:?}: {slack} too wide, modulo {Q} on {cpu:?}"
                );
            });
        }
    }
    moduli!(check: 251 509 541 1279 2521 3329 3457 4591 7681 12289 20479);
}

/// The one-word Barrett reduction: congruent and within its bound in every interval. Where the CPU rounds
/// products the bound exceeds what is attained by no more than the drift over one period: the last jump lies
/// up to `q` before the end.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn one_word_barrett_of_all_words() {
    fn check<const Q: i64>() {
        let error = (Q * (((1 << 16) / Q + 1) / 2) - (1 << 15)).abs();
        for cpu in Cpu::available() {
            let results = sweep(cpu, OneWord::<Q>);
            assert_congruent(&results, 1, Q);
            let tight = cpu.run(Preferences).1;
            intervals(&results, |a, hull| {
                let slack = slack(barrett::bound(a, Q), hull);
                let drift = ((Q * error) >> 15) + 1;
                let wide = a.low <= -Q && a.high >= Q;
                assert!(!(tight && wide) || slack <= drift, "{a:?}: {slack} too wide, modulo {Q} on {cpu:?}");
            });
        }
    }
    moduli!(check: 251 509 541 1279 2521 3329 3457 4591 7681 12289 20479);
}

/// The step that a plan takes has the bound that the plan was given for this CPU's step.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn step_of_all_words() {
    fn check<const Q: i64>() {
        for cpu in Cpu::available() {
            let (results, step) = (sweep(cpu, Step::<Q>), cpu.run(Preferences).0);
            assert_congruent(&results, 1, Q);
            intervals(&results, |a, hull| {
                assert!(hull.within(barrett::step_bound(step, a, Q)), "{a:?} {Q} {cpu:?}")
            });
        }
    }
    moduli!(check: 3329 3457 4591 7681 12289);
}

/// The exact Barrett reduction is centred up to its limit, and not one further; past it within its bound,
/// which is attained. One modulus for each length that it takes.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn exact_barrett_of_all_words() {
    fn check<const Q: i64>() {
        let limit = barrett::exact_limit(Q);
        for cpu in Cpu::available() {
            let results = sweep(cpu, Exact::<Q>);
            assert_congruent(&results, 1, Q);
            let failed = results.iter().filter(|(a, r)| *r != centred(*a, Q)).map(|(a, _)| a.abs()).min();
            assert_eq!(failed.unwrap_or((1 << 15) + 1), limit + 1, "the limit modulo {Q} on {cpu:?}");
            assert_eq!(
                hull(results.iter().map(|x| x.1)),
                barrett::exact_bound(WORD, Q),
                "modulo {Q} on {cpu:?}"
            );
        }
    }
    moduli!(check: 251 509 541 1279 2521 3329 3457 4591 7681 12289 20479);
}

/// Which moduli have every word reduced to the centre: a change of the quotient's constants shows here.
#[test]
fn limits_of_exact_barrett() {
    assert_eq!([2521, 3329, 4591, 7681].map(barrett::exact_limit), [1 << 15; 4]);
    assert_eq!(barrett::exact_limit(3457), 22470);
    assert_eq!(barrett::exact_limit(12289), 30721);
    assert_eq!(barrett::exact_bound(Bound::symmetric(30721), 12289), Bound::centred(12289));
    assert_eq!(barrett::exact_bound(Bound::symmetric(30722), 12289), Bound::symmetric(6145));
}

/// What every route ends with: `finish` gives the centred representative of every word, with the factor
/// `2^-16` of an odd modulus taken off; `shrink` keeps to its bound.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn residues_of_all_words() {
    fn odd<const Q: i64>() {
        for cpu in Cpu::available() {
            for (a, r) in sweep(cpu, By(Odd::<Q>, Operation::Finish)) {
                assert_eq!(r, centred(a << 16, Q), "finish({a}) modulo {Q} on {cpu:?}");
            }
            let results = sweep(cpu, By(Odd::<Q>, Operation::Shrink));
            assert_congruent(&results, 1, Q);
            assert!(hull(results.iter().map(|x| x.1)).within(Modulus::Odd(Q).shrunk()), "{Q} on {cpu:?}");
        }
    }
    fn power_of_two<const Q: i64>() {
        for cpu in Cpu::available() {
            for (a, r) in sweep(cpu, By(Wrapping::modulo(Q), Operation::Finish)) {
                assert_eq!(r, centred(a, Q), "finish({a}) modulo {Q} on {cpu:?}");
            }
        }
    }
    moduli!(odd: 3329 3457 4591 7681 12289);
    moduli!(power_of_two: 2 256 1024 2048 4096 8192 16384 32768 65536);
}

/// Protects: a number that is a value computes what one that is a type does, to the word.
#[test]
#[cfg_attr(miri, ignore = "all words: minutes under Miri")]
fn numbers_as_values() {
    fn check<const Q: i64, const WIDEST: i64>() {
        let by = Dynamic::<WIDEST>::modulo(Q).expect("a number of this width");
        let operations = [
            Operation::Shrink,
            Operation::Finish,
            Operation::Product(-1234),
            Operation::Scale(Factor::new(5, Q)),
            Operation::FromWide(Q as i16 / 3),
        ];
        for (cpu, operation) in Cpu::available().flat_map(|cpu| operations.map(|operation| (cpu, operation)))
        {
            assert_eq!(
                sweep(cpu, By(by, operation)),
                sweep(cpu, By(Odd::<Q>, operation)),
                "{operation:?} modulo {Q} on {cpu:?}"
            );
        }
    }
    check::<251, 255>();
    check::<3329, 4095>();
    check::<4591, 8191>();
    check::<7177, 8191>();
    check::<12289, 16383>();
    check::<20479, 32767>();
    for q in [127, 4095, 8192, 16385, -4591] {
        assert!(Dynamic::<8191>::modulo(q).is_none(), "{q}");
    }
}
