//! How often signing attempts: as often as its bounds say, and equally often with every key.
//!
//! An attempt passes the bound of `z` with the probability `((2 (gamma1 - beta) - 1) / (2 gamma1))^(256 l)`,
//! whatever the key and the challenge are: the mask is uniform in `(-gamma1, gamma1]`, and every `z` within
//! the bound has a mask. The low part is as good as uniform in `(-gamma2, gamma2]`, so the same with `gamma2`
//! and `k` holds for it nearly. Their reciprocal product is 4.30, 5.12, 3.87 for the three sets; FIPS 204,
//! table 1, has 4.25, 5.1, 3.85, by an approximation. Hints reject a few more.
//!
//! `RINGSMITH_EXHAUSTIVE` asks for 100,000 signatures of each set.
#![cfg(ringsmith_internals)]

use ringsmith_kem::signature::SigningKey;
use ringsmith_ml_dsa::internals::{attempts, rejections};
use ringsmith_ml_dsa::{MlDsa44, MlDsa65, MlDsa87, Mu, SignatureSet};

/// What decides a set's rejections: `gamma1`, `gamma2`, `beta`, `k`, `l`; and of 10,000 attempts that pass
/// both bounds, how many hints reject, at least and at most: FIPS 204 gives no formula.
struct Bounds {
    gamma1: f64,
    gamma2: f64,
    beta: f64,
    rows: i32,
    columns: i32,
    hints: [f64; 2],
}

const BOUNDS_44: Bounds =
    Bounds { gamma1: 131_072.0, gamma2: 95_232.0, beta: 78.0, rows: 4, columns: 4, hints: [50.0, 400.0] };
const BOUNDS_65: Bounds =
    Bounds { gamma1: 524_288.0, gamma2: 261_888.0, beta: 196.0, rows: 6, columns: 5, hints: [0.0, 150.0] };
const BOUNDS_87: Bounds =
    Bounds { gamma1: 524_288.0, gamma2: 261_888.0, beta: 120.0, rows: 8, columns: 7, hints: [0.0, 200.0] };

impl Bounds {
    /// The probability of passing the bound of `z`, and that of the low part.
    fn probabilities(&self) -> [f64; 2] {
        let of = |bound: f64, polynomials: i32| {
            ((2.0 * (bound - self.beta) - 1.0) / (2.0 * bound)).powi(256 * polynomials)
        };
        [of(self.gamma1, self.columns), of(self.gamma2, self.rows)]
    }
}

/// Standard deviations that a sum may be off: once in some hundred thousand runs.
const DEVIATIONS: f64 = 4.5;

/// Whether `count` of `trials` fits a probability, which itself is right up to a part.
fn fits(count: usize, trials: usize, probability: f64, inexact: f64) -> bool {
    let (mean, trials) = (trials as f64 * probability, trials as f64);
    let deviation = (trials * probability * (1.0 - probability)).sqrt();
    (count as f64 - mean).abs() <= DEVIATIONS * deviation + inexact * mean
}

/// Whether keys that signed equally often attempted equally often: Pearson's statistic of the sums, whose
/// distribution is that of `chi^2`.
fn equal(of_keys: &[usize], signatures: usize) -> bool {
    let (keys, signatures) = (of_keys.len() as f64, signatures as f64);
    let mean = of_keys.iter().sum::<usize>() as f64 / keys;
    let repetitions = mean / signatures;
    let variance = signatures * repetitions * (repetitions - 1.0);
    let statistic: f64 = of_keys.iter().map(|sum| (*sum as f64 - mean).powi(2) / variance).sum();
    (statistic - (keys - 1.0)).abs() <= DEVIATIONS * (2.0 * (keys - 1.0)).sqrt()
}

/// Keys, and signatures of each.
fn amount() -> (u32, u32) {
    if std::env::var_os("RINGSMITH_EXHAUSTIVE").is_some() { (200, 500) } else { (25, 40) }
}

/// Attempts of each key, and in all: attempts, and rejections by each test.
fn measured<S: SignatureSet>() -> (Vec<usize>, usize, [usize; 4]) {
    let ((keys, signatures), (before, first)) = (amount(), (rejections(), attempts()));
    let of_key = |number: u32| {
        let (mut seed, mut mu, before) = ([0; 32], [0; 64], attempts());
        seed[..4].copy_from_slice(&number.to_le_bytes());
        let key = SigningKey::<S>::from_seed(&seed);
        mu[..4].copy_from_slice(&number.to_le_bytes());
        for message in 0..signatures {
            mu[4..8].copy_from_slice(&message.to_le_bytes());
            key.sign_mu_deterministic(&Mu::from_bytes(mu)).expect("a signature");
        }
        attempts() - before
    };
    let of_keys = (0..keys).map(of_key).collect();
    let after = rejections();
    (of_keys, attempts() - first, core::array::from_fn(|i| after[i] - before[i]))
}

fn check<S: SignatureSet>(bounds: &Bounds) {
    let ((keys, signatures), (of_keys, all, [response, low, product, hints])) = (amount(), measured::<S>());
    let [of_response, of_low] = bounds.probabilities();
    let passing = all - response - low;
    println!(
        "{}: {} signatures of {keys} keys: {:.3} attempts each, {:.3} but for hints (computed {:.3}); \
         rejected by z {:.4}, by the low part {:.4}; of {passing} that pass hints reject {hints}, \
         c t0 {product}",
        S::NAME,
        keys * signatures,
        all as f64 / f64::from(keys * signatures),
        all as f64 / passing as f64,
        1.0 / (of_response * of_low),
        response as f64 / all as f64,
        low as f64 / all as f64,
    );
    assert!(fits(passing, all, of_response * of_low, 0.005), "{}: {passing} of {all}", S::NAME);
    // Whichever of the two bounds is looked at first.
    for (count, probability, other) in [(response, of_response, of_low), (low, of_low, of_response)] {
        let [first, second] = [1.0, other].map(|before| before * (1.0 - probability));
        let fits = |probability| fits(count, all, probability, 0.005);
        assert!(fits(first) || fits(second), "{}: {count} of {all}", S::NAME);
    }
    let rate = 10_000.0 * hints as f64 / passing as f64;
    assert!(bounds.hints[0] <= rate && rate <= bounds.hints[1], "{}: hints {rate}", S::NAME);
    assert!(equal(&of_keys, signatures as usize), "{}: keys differ: {of_keys:?}", S::NAME);
    if keys * signatures >= 100_000 {
        let repetitions = all as f64 / passing as f64 * of_response * of_low;
        assert!((repetitions - 1.0).abs() < 0.01, "{}: {repetitions} times what is computed", S::NAME);
    }
}

/// Protects: attempts are as many as the bounds say, and tell nothing of the key.
#[test]
fn attempts_do_not_depend_on_the_key() {
    check::<MlDsa44>(&BOUNDS_44);
    check::<MlDsa65>(&BOUNDS_65);
    check::<MlDsa87>(&BOUNDS_87);
}

/// Protects: the test above can fail: another bound, and a key with a tenth more attempts, are seen.
#[test]
fn other_distributions_are_seen() {
    let [of_response, _] = BOUNDS_44.probabilities();
    let [other, _] = Bounds { beta: 77.0, ..BOUNDS_44 }.probabilities();
    assert!(fits((1e5 * of_response) as usize, 100_000, of_response, 0.0));
    assert!(!fits((4e6 * other) as usize, 4_000_000, of_response, 0.0));
    // Sums that deviate as those of 500 signatures do, and the same where every tenth key has a tenth more.
    let sums = |more: usize| {
        let of = |key: usize| {
            2066 + 168 * usize::from(key.is_multiple_of(2)) + more * usize::from(key.is_multiple_of(10))
        };
        (0..200).map(of).collect::<Vec<_>>()
    };
    assert!(equal(&sums(0), 500));
    assert!(!equal(&sums(215), 500));
}
