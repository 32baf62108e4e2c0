//! Schemes whose keys differ where the error is too great, by its exact distribution: NewHope.
//!
//! # The error
//! A coefficient of it is one of `e s' - e' s + e''` and what compression adds. A bit stands in `c`
//! coefficients, `n / c` apart (of reconciliation four), and is lost only if the absolute values of their
//! errors add up to a limit `T` or more: if for one of the `2^c` choices of signs `y` the sum of `y_i` times
//! the errors does.
//!
//! # Its distribution
//! With `z = x^(n / d)` the ring is one of polynomials in `x` over `Z[z]/(g)` of a small degree `d`, and
//! these `c` coefficients are among the `d` of one element there: a sum of `n / d` products of elements of
//! `Z[z]/(g)` with independent coefficients. So nothing is assumed of how the coefficients depend on each
//! other. For one product `u v` the moments are exact,
//!
//! ```text
//! E exp(t sum y_i (u v)_i) = E_u prod_j m(t w_j(u)),     m(t) = E exp(t psi_k) = ((1 + cosh t) / 2)^k
//! ```
//!
//! `w(u)` being what `v` is multiplied by; the expectation is a sum over all `u`. Then
//! `P(S >= T) <= exp(-t T) E exp(t S)` for every `t` (Chernoff): the least one is taken, over all `y`, and
//! the 256 bits are added up.
//!
//! # Assumed
//! That noise is random, and that what is compressed is uniform modulo `q`.

use super::{Fails, Published, least};

/// The ring of a scheme.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ring {
    /// `x^n + 1`.
    Negacyclic,
    /// `x^n - x^(n/2) + 1`.
    HalfTrinomial,
}

/// How a bit is recovered.
#[derive(Clone, Copy)]
enum Recovery {
    /// From coefficients that were compressed to so many bits: a ciphertext's.
    Compressed(u32),
    /// By reconciliation.
    Reconciled,
}

/// What a scheme's failures depend on.
pub(super) struct Parameters {
    /// The scheme.
    name: &'static str,
    q: i64,
    n: usize,
    ring: Ring,
    /// The noise.
    k: i64,
    recovery: Recovery,
    published: Published,
}

const fn new_hope(name: &'static str, n: usize, published: i64) -> Parameters {
    let published = Some((published, "the submission to NIST"));
    Parameters {
        name,
        q: 12289,
        n,
        ring: Ring::Negacyclic,
        k: 8,
        recovery: Recovery::Compressed(3),
        published,
    }
}

const fn compact(name: &'static str, q: i64, n: usize, ring: Ring, bits: u32) -> Parameters {
    Parameters { name, q, n, ring, k: 2, recovery: Recovery::Compressed(bits), published: None }
}

const fn exchange(name: &'static str, k: i64, published: Published) -> Parameters {
    Parameters {
        name,
        q: 12289,
        n: 1024,
        ring: Ring::Negacyclic,
        k,
        recovery: Recovery::Reconciled,
        published,
    }
}

/// Every such scheme.
pub(super) static ALL: [Parameters; 9] = [
    new_hope("NewHope-CPA-512", 512, -213),
    new_hope("NewHope-CPA-1024", 1024, -216),
    new_hope("NewHope-CCA-512", 512, -213),
    new_hope("NewHope-CCA-1024", 1024, -216),
    compact("NewHope-Compact-512", 3329, 512, Ring::Negacyclic, 3),
    compact("NewHope-Compact-768", 3457, 768, Ring::HalfTrinomial, 4),
    compact("NewHope-Compact-1024", 3329, 1024, Ring::Negacyclic, 4),
    exchange("NewHope-ADPS", 16, Some((-60, "USENIX Security 2016"))),
    exchange("NewHope-Longa-Naehrig", 12, None),
];

/// `x^d` modulo `g`, as the coefficients of the lower powers.
type Relation = &'static [i64];

impl Parameters {
    /// How many coefficients a bit stands in.
    fn copies(&self) -> usize {
        self.n / 256
    }

    /// `z^d` in the small ring.
    fn relation(&self) -> Relation {
        match (self.ring, self.copies()) {
            (Ring::HalfTrinomial, _) => &[-1, 0, 0, 1, 0, 0],
            (Ring::Negacyclic, 2) => &[-1, 0],
            _ => &[-1, 0, 0, 0],
        }
    }

    /// The choices of signs of the copies, in the small ring. The first sign is positive: the others are as
    /// likely as their opposites. Modulo `z^d + 1` a choice is as likely as `z` times it, because multiplying
    /// by `z` changes places and signs alone.
    fn signs(&self) -> Vec<Vec<i64>> {
        let (relation, copies) = (self.relation(), self.copies());
        let (degree, apart) = (relation.len(), relation.len() / copies);
        let mut found: Vec<Vec<i64>> = Vec::new();
        for (first, signs) in
            (0..apart).flat_map(|first| (0..1usize << copies).step_by(2).map(move |signs| (first, signs)))
        {
            let mut y = vec![0; degree];
            (0..copies).for_each(|i| y[first + apart * i] = if signs >> i & 1 == 0 { 1 } else { -1 });
            let turns = if self.ring == Ring::Negacyclic { 2 * degree } else { 1 };
            let mut turned =
                std::iter::successors(Some(y.clone()), |y| Some(times_z(y, relation))).take(turns);
            if !turned.any(|turned| found.contains(&turned)) {
                found.push(y);
            }
        }
        found
    }

    /// The limit of the sum of errors: of a one that is taken for a zero, or of a zero for a one, whichever
    /// is less.
    fn limit(&self) -> i64 {
        let (q, copies) = (self.q, self.copies() as i64);
        match self.recovery {
            Recovery::Compressed(_) => {
                let limit = copies * q / 4;
                limit.min(copies * (q / 2) - limit + 1)
            }
            // Hints of two bits recover what is nearer than 3 q / 4, less two for roundings.
            Recovery::Reconciled => 3 * q / 4 - 2,
        }
    }

    /// What compression adds to each number modulo `q`.
    fn compression(&self) -> Vec<i64> {
        let (Recovery::Compressed(bits), q) = (self.recovery, self.q) else { return vec![0] };
        let values = 1 << bits;
        let error = |x: i64| {
            let compressed = (x * values + q / 2) / q % values;
            let difference = (compressed * q + values / 2) / values - x;
            (difference + q / 2).rem_euclid(q) - q / 2
        };
        (0..q).map(error).collect()
    }

    /// What multiplies each coefficient of `v` in `sum y_i (u v)_i`, up to signs, and how likely: all `u`,
    /// brought together.
    fn factors(&self, y: &[i64]) -> Vec<(Vec<i64>, f64)> {
        let (relation, k) = (self.relation(), self.k);
        let mut found = std::collections::BTreeMap::<Vec<i64>, f64>::new();
        let mut u = vec![-k; relation.len()];
        loop {
            let (mut power, mut w) = (u.clone(), Vec::with_capacity(u.len()));
            for _ in 0..u.len() {
                w.push(power.iter().zip(y).map(|(a, b)| a * b).sum::<i64>().abs());
                power = times_z(&power, relation);
            }
            w.sort_unstable();
            *found.entry(w).or_default() += u.iter().map(|x| binomial(k, *x)).product::<f64>();
            // The next one, as a number with digits from -k to k.
            let Some(place) = u.iter().position(|x| *x < k) else { return found.into_iter().collect() };
            u[..place].fill(-k);
            u[place] += 1;
        }
    }

    /// `ln E exp(t S)` of the sum with these factors.
    fn log_moment(&self, factors: &[(Vec<i64>, f64)], compression: &[i64], t: f64) -> f64 {
        let noise = |t: f64| self.k as f64 * ((1.0 + t.cosh()) / 2.0).ln();
        // Of each factor that occurs, once.
        let greatest = factors.iter().flat_map(|(w, _)| w).max().copied().unwrap_or(0);
        let of_factor: Vec<f64> = (0..=greatest).map(|w| noise(t * w as f64)).collect();
        let product: f64 = factors
            .iter()
            .map(|(w, p)| p * w.iter().map(|w| of_factor[*w as usize]).sum::<f64>().exp())
            .sum();
        let added: f64 = compression.iter().map(|error| (t * *error as f64).exp()).sum();
        let copies = self.copies() as f64;
        2.0 * (self.n / self.relation().len()) as f64 * product.ln()
            + copies * (noise(t) + (added / compression.len() as f64).ln())
    }
}

impl Fails for Parameters {
    fn name(&self) -> &'static str {
        self.name
    }

    fn published(&self) -> Published {
        self.published
    }

    fn failure(&self) -> Option<f64> {
        let (signs, compression, limit) = (self.signs(), self.compression(), self.limit() as f64);
        let choice = |y: &Vec<i64>| {
            let factors = self.factors(y);
            least(|t| self.log_moment(&factors, &compression, t) - t * limit).1
        };
        let worst = signs.iter().map(choice).fold(f64::NEG_INFINITY, f64::max);
        // Every bit, every choice of signs.
        Some(worst / 2f64.ln() + 8.0 + self.copies() as f64)
    }
}

/// `z a`.
fn times_z(a: &[i64], relation: Relation) -> Vec<i64> {
    let (rest, top) = (&a[..a.len() - 1], a[a.len() - 1]);
    let shifted = std::iter::once(&0).chain(rest);
    shifted.zip(relation).map(|(x, r)| x + top * r).collect()
}

/// The probability of `x` in the centred binomial distribution of `k`.
fn binomial(k: i64, x: i64) -> f64 {
    let n = 2 * k;
    (1..=k + x).fold(0.25f64.powi(k as i32), |p, i| p * (n - i + 1) as f64 / i as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the moments, against all values of a small case, summed up one by one.
    #[test]
    fn moments() {
        for (ring, n) in [(Ring::Negacyclic, 512), (Ring::HalfTrinomial, 768)] {
            let small = Parameters { k: 1, n, ..compact("", 3329, n, ring, 3) };
            let (relation, t) = (small.relation(), 0.3);
            let all: Vec<Vec<i64>> = (0..3usize.pow(relation.len() as u32))
                .map(|i| (0..relation.len() as u32).map(|j| (i / 3usize.pow(j) % 3) as i64 - 1).collect())
                .collect();
            let weight = |a: &[i64]| a.iter().map(|x| binomial(1, *x)).product::<f64>();
            for y in small.signs() {
                let sum = |u: &[i64], v: &[i64]| {
                    let (mut product, mut power) = (0, u.to_vec());
                    for x in v {
                        product += x * power.iter().zip(&y).map(|(a, b)| a * b).sum::<i64>();
                        power = times_z(&power, relation);
                    }
                    product as f64
                };
                let each = |u: &Vec<i64>| {
                    all.iter().map(|v| weight(u) * weight(v) * (t * sum(u, v)).exp()).sum::<f64>()
                };
                let direct: f64 = all.iter().map(each).sum();
                let moment: f64 = small
                    .factors(&y)
                    .iter()
                    .map(|(w, p)| p * w.iter().map(|w| (1.0 + (t * *w as f64).cosh()) / 2.0).product::<f64>())
                    .sum();
                assert!((direct / moment - 1.0).abs() < 1e-9, "{y:?}: {direct} {moment}");
            }
        }
    }

    /// Protects: the distribution of noise, and the small rings: `z^3 = -1` where `z^6 - z^3 + 1 = 0` to the
    /// power of three.
    #[test]
    fn parts() {
        assert_eq!([-2, -1, 0, 1, 2].map(|x| binomial(2, x) * 16.0), [1.0, 4.0, 6.0, 4.0, 1.0]);
        let relation = ALL[5].relation();
        let nine = (0..9).fold(vec![1, 0, 0, 0, 0, 0], |a, _| times_z(&a, relation));
        assert_eq!(nine, [-1, 0, 0, 0, 0, 0]);
    }

    /// Protects: what is published holds, and no set fails more often than once in 2^60 keys.
    #[test]
    #[cfg_attr(
        any(miri, not(target_arch = "x86_64")),
        ignore = "minutes where it is emulated; floating point, the same everywhere"
    )]
    fn published_bounds_hold() {
        for parameters in &ALL {
            let published = parameters.published.map_or(-60, |published| published.0);
            let failure = parameters.failure().expect("noise has no end that excludes failures");
            assert!(failure < published as f64, "{}: {failure}", parameters.name);
        }
    }
}
