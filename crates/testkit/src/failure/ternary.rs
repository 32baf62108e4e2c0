//! Schemes with ternary polynomials, where decryption fails if a coefficient is too great: NTRUEncrypt.
//!
//! # The sum
//! Decryption computes `f e = 3 g r + (1 + 3 F) m'` modulo `q`, centred, and that modulo 3. It fails only
//! where a coefficient is not less than `q / 2` by itself. The coefficients of `m'` are -1, 0, 1, or in
//! libntru's form 0, 1, 2: then `m' = u + 1 + x + .. + x^(n-1)`, and `F` times that is `F u`, since
//! `F(1) = 0`. So it is in both forms
//!
//! ```text
//! f e = 3 (g r + F u) + m',     |S| >= T = (q / 2 - max m') / 3
//! ```
//!
//! where it fails, `S` being a coefficient of `g r + F u` and `u` one with coefficients -1, 0, 1. No `S` is
//! more than the absolute values of all coefficients of `r` and of `F`: where that is below `T`, decryption
//! never fails.
//!
//! # Its moments, of given `F` and `r`
//! `u` is uniform, and so `E exp(t (F u)_k)` is the product over all coefficients of `F` of
//!
//! ```text
//! m(p, t F_j) = 1 - p + p cosh(t F_j),     p = 2 / 3
//! ```
//!
//! For `g r` it is the same with `r_j` and the part `p` of `g`'s coefficients that are not 0, but for two
//! things. How many these are is given: that one place is among them makes others less likely (negative
//! association: Joag-Dev and Proschan, 1983), so the expectation of the product is at most the product of
//! expectations. And it is given how many of them are 1. What is given costs no more than a factor
//! `1 / P`, where `P` is how likely signs that are thrown one by one come out so.
//!
//! Likewise `m'` is drawn again until each value occurs often enough: a factor of one through the
//! probability that it does.
//!
//! # Of all `F` and `r`
//! Where `F` has given weights, its product of moments is always the same. Where `F = F_1 F_2 + F_3` its
//! coefficients have the exact distribution that follows from the weights, and the product of moments is
//! taken as if they were independent. `r` is of the same form as `F`.
//!
//! Both signs of all `n` coefficients are added up.
//!
//! # Other rings
//! Modulo `x^n - x - 1` a coefficient is the sum of up to two such sums, each with no more terms than modulo
//! `x^n - 1`. `E exp(t (S + S'))` is at most the greater moment of each at `2 t` (Cauchy and Schwarz).
//!
//! # Assumed
//! That hashes and what is drawn are random. Of products, that coefficients of `F` are independent of each
//! other. They are not: that there are `4 d_1 d_2` terms in all, wherever they fall, makes the true moments
//! less. That the moments of keys which are drawn are indeed less, at the very `t` of the bound, is a test.

use super::binomial::Logs;
use super::{Fails, Published, least};
use ringsmith::ntruencrypt::{self, Facts, Flavour, Weights};

/// What a scheme's failures depend on.
#[derive(Clone)]
pub(super) struct Parameters {
    /// The scheme.
    name: &'static str,
    q: i64,
    n: usize,
    /// The weights of `F` and of `r`.
    weights: Weights,
    /// How many coefficients of `g` are 1, and how many are not 0.
    g: [usize; 2],
    /// Fewest coefficients of each value in `m'`.
    fewest: usize,
    /// The greatest coefficient of `m'`.
    greatest: i64,
    /// How many sums a coefficient consists of: modulo `x^n - 1` one.
    folds: usize,
}

impl Parameters {
    const fn of(name: &'static str, facts: &Facts) -> Self {
        let (greatest, folds) = match facts.flavour {
            Flavour::Eess => (1, 1),
            Flavour::Libntru { .. } => (2, 1),
            // Modulo x^n - x - 1.
            Flavour::Bare | Flavour::Radix => (1, 2),
        };
        Parameters {
            name,
            q: facts.q,
            n: facts.n,
            weights: facts.f,
            g: facts.counts_of_g(),
            fewest: facts.least,
            greatest,
            folds,
        }
    }
}

/// The parameters of sets, of their modules.
macro_rules! sets {
    ($($set:ident)*) => { [$(Parameters::of($set::SCHEME.name, &$set::FACTS)),*] };
}

/// EESS#1's sets and the draft's.
pub(super) static EESS: [Parameters; 20] = {
    use ntruencrypt::*;
    sets!(
        ees401ep1 ees449ep1 ees677ep1 ees1087ep2 ees541ep1 ees613ep1 ees887ep1 ees1171ep1 ees659ep1 ees761ep1
        ees1087ep1 ees1499ep1 ees401ep2 ees439ep1 ees593ep1 ees743ep1 ees443ep1 ees587ep1 ees653ep1 ees853ep1
    )
};

/// libntru's sets.
pub(super) static LIBNTRU: [Parameters; 18] = {
    use ntruencrypt::libntru::*;
    sets!(
        ees401ep1 ees449ep1 ees677ep1 ees1087ep2 ees541ep1 ees613ep1 ees887ep1 ees1171ep1 ees659ep1 ees761ep1
        ees1087ep1 ees1499ep1 ees401ep2 ees439ep1 ees593ep1 ees743ep1 ees443ep1 ees587ep1
    )
};

/// The sets over a field.
pub(super) static OVER_A_FIELD: [Parameters; 2] = {
    use ntruencrypt::ntruprime739::*;
    sets!(x998 radix)
};

/// Coefficients of `F`: so many that are independent, and the absolute values of one, with probabilities.
struct Coefficients {
    count: usize,
    values: Vec<(usize, f64)>,
}

impl Coefficients {
    /// The logarithm of the product of their `m(p, t F_j)`.
    fn log_moment(&self, p: f64, t: f64) -> f64 {
        let moment = |x: usize| 1.0 - p + p * (t * x as f64).cosh();
        let mean: f64 = self.values.iter().map(|(x, probability)| probability * moment(*x)).sum();
        self.count as f64 * mean.ln()
    }
}

/// The distribution of the absolute value of a coefficient of `F_1 F_2 + F_3`.
fn of_products(n: usize, [a, b, c]: [usize; 3]) -> Vec<(usize, f64)> {
    let logs = Logs::up_to(n);
    let (mut found, part) = (vec![0.0; 2 * a.min(b) + 2], c as f64 / n as f64);
    // F_1's ones meet so many ones of F_2, and so many that are -1; then those that are -1 meet what is left.
    for (plus, minus, log) in logs.met(a, [b, b, n - 2 * b]) {
        for (minus_plus, plus_minus, rest) in logs.met(a, [b - plus, b - minus, n - 2 * b + plus + minus - a])
        {
            let (product, probability) =
                ((plus + plus_minus).abs_diff(minus + minus_plus), (log + rest).exp());
            found[product] += (1.0 - 2.0 * part) * probability;
            found[product + 1] += part * probability;
            found[product.abs_diff(1)] += part * probability;
        }
    }
    found.into_iter().enumerate().collect()
}

impl Parameters {
    /// How many coefficients of `F` are not 0, where all terms of a product stay apart: the greatest sum of
    /// absolute values.
    fn norm(&self) -> usize {
        match self.weights {
            Weights::Of(weight) => 2 * weight,
            Weights::Product([a, b, c]) => 4 * a * b + 2 * c,
        }
    }

    /// Whether the greatest coefficient that there can be is taken for what it is.
    fn never_fails(&self) -> bool {
        let greatest = 3 * (self.folds * 2 * self.norm()) as i64 + self.greatest;
        2 * greatest < self.q
    }

    /// The limit of the sum.
    fn limit(&self) -> f64 {
        ((self.q as f64 / 2.0 - self.greatest as f64) / 3.0).ceil()
    }

    fn coefficients(&self) -> Coefficients {
        match self.weights {
            Weights::Of(weight) => Coefficients { count: 2 * weight, values: vec![(1, 1.0)] },
            Weights::Product(weights) => Coefficients { count: self.n, values: of_products(self.n, weights) },
        }
    }

    /// The logarithm of what is lost because weights are given.
    fn log_given(&self) -> f64 {
        let (logs, [ones, all]) = (Logs::up_to(self.n), self.g);
        let signs = logs.choose(all, ones) - all as f64 * 2f64.ln();
        let value = |k| logs.choose(self.n, k) - self.n as f64 * 3f64.ln() + (self.n - k) as f64 * 2f64.ln();
        let too_few: f64 = (0..self.fewest).map(|k| value(k).exp()).sum();
        -signs - (1.0 - 3.0 * too_few).ln()
    }

    /// `ln E exp(t S)`, but for what is lost.
    fn log_moment(&self, coefficients: &Coefficients, t: f64) -> f64 {
        let (t, part) = (self.folds as f64 * t, self.g[1] as f64 / self.n as f64);
        coefficients.log_moment(part, t) + coefficients.log_moment(2.0 / 3.0, t)
    }
}

impl Fails for Parameters {
    fn name(&self) -> &'static str {
        self.name
    }

    fn published(&self) -> Published {
        None
    }

    fn failure(&self) -> Option<f64> {
        if self.never_fails() {
            return None;
        }
        let (coefficients, limit) = (self.coefficients(), self.limit());
        let (_, one) = least(|t| self.log_moment(&coefficients, t) - t * limit);
        Some((one + self.log_given() + (2.0 * self.n as f64).ln()) / 2f64.ln())
    }
}

#[cfg(test)]
mod tests;
