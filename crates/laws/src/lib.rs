//! Rings and elements that are drawn, by the crate `proptest`: its cases shrink to small ones where a law
//! fails. The laws are in `tests`. They ask for no definition of a product, and so hold at any size.
//!
//! This is a crate of its own, as tests on emulated machines would compile `proptest` for each of them.
#![forbid(unsafe_code)]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use ringsmith_any::{Candidates, Costs, Operands, Polynomial, Ring};
use ringsmith_oracle::MODULI;
use ringsmith_probe::Seed;
use ringsmith_simd::Cpu;
use std::fmt;

/// Primes and powers of primes, modulo which there are inverses.
const POWERS: [u64; 10] = [
    2,
    3,
    2048,
    4591,
    12289,
    12289 * 12289,
    4_052_555_153_018_976_267,
    70_368_744_067_073,
    (1 << 61) - 1,
    1 << 62,
];

/// The bits of the greatest modulus, `2^62`, but for that one itself.
const BITS: u32 = 62;

/// Degrees at and around powers of two and halfway between them.
const DEGREES: [usize; 24] = [
    63, 64, 65, 95, 96, 97, 127, 128, 129, 191, 192, 193, 255, 256, 257, 383, 384, 385, 511, 512, 513, 1023,
    1024, 1025,
];

/// A ring that was drawn, and how it multiplies.
#[derive(Clone)]
pub struct Drawn {
    q: u64,
    f: Polynomial,
    cpu: Cpu,
    /// The place of its method among those that serve; `None` for the one that the ring chooses.
    method: Option<Index>,
}

impl Drawn {
    /// The modulus.
    pub fn modulus(&self) -> u64 {
        self.q
    }

    /// The degree.
    pub fn degree(&self) -> usize {
        self.f.degree()
    }

    /// The modulus polynomial.
    pub fn polynomial(&self) -> &Polynomial {
        &self.f
    }

    /// The ring, for these operands.
    ///
    /// # Panics
    /// Where there is none: every law fails then.
    pub fn ring(&self, operands: Operands) -> Ring {
        let Drawn { q, f, cpu, method } = self;
        let made = match method {
            None => Ring::new_on(*cpu, *q, f, operands),
            Some(index) => Candidates::new(*cpu, *q, f, operands, &Costs::of(*cpu)).and_then(|all| {
                let methods: Vec<_> = all.iter().map(|candidate| candidate.method()).collect();
                Ring::by(*cpu, *q, f, operands, &methods[index.index(methods.len())])
            }),
        };
        made.unwrap_or_else(|why| panic!("{self:?}: {why}"))
    }

    /// Elements: random ones, the greatest, and powers of `x`.
    pub fn element(&self) -> impl Strategy<Value = Vec<u64>> + use<> {
        let (q, n) = (self.q, self.degree());
        let term = move |place, x| (0..n).map(|i| if i == place { x } else { 0 }).collect();
        prop_oneof![
            6 => vec(0..q, n),
            1 => Just(vec![q - 1; n]),
            1 => (0..n, 0..q).prop_map(move |(place, x)| term(place, x)),
        ]
    }

    /// Elements whose coefficients are at most `bound` in absolute value.
    pub fn small_element(&self, bound: u64) -> impl Strategy<Value = Vec<u64>> + use<> {
        let q = self.q;
        vec(
            (0..=bound, any::<bool>()).prop_map(move |(x, minus)| if minus { (q - x) % q } else { x }),
            self.degree(),
        )
    }
}

/// As it can be given to the command `ringsmith`.
impl fmt::Debug for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Z_{}[x]/({}) on {:?}", self.q, self.f, self.cpu)?;
        self.method.map_or(Ok(()), |index| write!(f, " by method {index:?}"))
    }
}

/// Moduli from 2 to `2^62`: of each number of bits as often as of any other, and edges.
fn moduli() -> impl Strategy<Value = u64> {
    let of_bits = |bits: u32| (1_u64 << (bits - 1)).max(2)..1 << bits;
    prop_oneof![1 => 2..20_u64, 2 => select(&MODULI[..]), 2 => (2..=BITS).prop_flat_map(of_bits)]
}

/// Degrees to 1025, small ones more often.
fn degrees() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 1..=20_usize, 4 => 20..=150_usize, 2 => select(&DEGREES[..]), 1 => 150..=700_usize]
}

/// Modulus polynomials of a degree: the usual ones, one whose remainders over the integers grow as `2^n`,
/// some of few terms, and dense ones.
fn polynomials(q: u64, n: usize) -> impl Strategy<Value = Polynomial> {
    let few = move |low: Vec<(usize, u64)>| {
        let mut f = vec![0; n + 1];
        f[n] = 1;
        low.iter().for_each(|(exponent, x)| f[*exponent] = (f[*exponent] + x) % q);
        f
    };
    let (minus, one) = (q - 1, 1 % n);
    let named = vec![
        vec![(0, minus)],
        vec![(0, 1)],
        vec![(one, minus), (0, minus)],
        vec![(n - 1, (q - 2) % q), (0, minus)],
    ];
    prop_oneof![
        2 => select(named).prop_map(few),
        2 => vec((0..n, 0..q), 0..5).prop_map(few),
        1 => vec((n - n.min(30)..n, 0..q), 1..5).prop_map(few),
        2 => vec(0..q, n).prop_map(|mut f| {
            f.push(1);
            f
        }),
    ]
    .prop_map(|f| Polynomial::dense(&f).expect("a degree that serves"))
}

fn drawn(
    moduli: impl Strategy<Value = u64>,
    degrees: impl Strategy<Value = usize>,
) -> impl Strategy<Value = Drawn> {
    let cpus: Vec<Cpu> = Cpu::available().collect();
    (moduli, degrees, select(cpus), any::<Option<Index>>())
        .prop_flat_map(|(q, n, cpu, method)| polynomials(q, n).prop_map(move |f| Drawn { q, f, cpu, method }))
}

/// Rings of every kind, on every backend, by every method.
pub fn rings() -> impl Strategy<Value = Drawn> {
    drawn(moduli(), degrees())
}

/// Rings that have inverses.
pub fn rings_with_inverses() -> impl Strategy<Value = Drawn> {
    drawn(select(&POWERS[..]), 1..=60_usize)
}

/// Whether a law holds of all that is drawn, so many times.
///
/// Nothing is written where it does not: proptest would keep the case in a file beside the source. What
/// failed once becomes a test of its own.
///
/// # Panics
/// Where it does not hold: with the smallest case that was found, and the command that draws the same again.
pub fn holds<S: Strategy>(
    command: &'static str,
    cases: u32,
    strategy: S,
    law: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let seed = Seed::new(command);
    let rng_seed = RngSeed::Fixed(seed.value());
    let config = Config { cases, rng_seed, failure_persistence: None, ..Config::default() };
    match TestRunner::new(config).run(&strategy, law) {
        Ok(()) => {}
        Err(TestError::Fail(why, case)) => panic!("{why}\nof {case:?}"),
        Err(TestError::Abort(why)) => panic!("nothing was shown: {why}"),
    }
}
