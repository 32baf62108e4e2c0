//! What is measured.

use ringsmith_any::{Polynomial, RingError};
use ringsmith_oracle::Random;

/// Moduli, each with its name.
const MODULI: [(&str, u64); 4] =
    [("257", 257), ("12289", 12289), ("2^31-1", (1 << 31) - 1), ("2^61-1", (1 << 61) - 1)];
const DEGREES: [usize; 3] = [500, 2000, 10000];

/// A ring modulo `x^n + x^(n-gap) + 1`.
#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) q: u64,
    pub(crate) n: usize,
    gap: usize,
    name: &'static str,
}

/// All rings of these gaps; without any, of some gaps from 1 to half of the degree.
pub(crate) fn all(gaps: &[usize]) -> Vec<Point> {
    let mut points = Vec::new();
    for (name, q) in MODULI {
        for n in DEGREES {
            let some = [1, 2, 8, 64, n / 2];
            let gaps = if gaps.is_empty() { &some[..] } else { gaps };
            points.extend(gaps.iter().map(|gap| Point { q, n, gap: *gap, name }));
        }
    }
    points
}

impl Point {
    /// The modulus' name.
    pub(crate) fn q_name(&self) -> &'static str {
        self.name
    }

    /// That of the polynomial.
    pub(crate) fn form_name(&self) -> String {
        format!("d={}", self.gap)
    }

    /// Random coefficients below `q`.
    pub(crate) fn random(&self, seed: u64) -> Vec<u64> {
        let mut random = Random::new(seed);
        (0..self.n).map(|_| random.word() % self.q).collect()
    }

    /// The polynomial.
    pub(crate) fn polynomial(&self) -> Result<Polynomial, RingError> {
        Polynomial::new(&[(self.n, 1), (self.n - self.gap, 1), (0, 1)])
    }
}
