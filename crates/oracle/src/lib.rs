//! Slow definitions that are obviously right: what every fast algorithm is compared with.
//!
//! Integers are `i128`, nothing is clever, and there is no dependency. A polynomial is a slice of its
//! coefficients, the constant term first.
//!
//! ```
//! use ringsmith_oracle::{Ring, Shape, product};
//!
//! // (1 + x)(1 - x) = 1 - x^2 = 2 in Z_17[x]/(x^2 + 1)
//! let ring = Ring { q: 17, n: 2, shape: Shape::Negacyclic };
//! assert_eq!(product(ring, &[1, 1], &[1, 16]), [2, 0]);
//! ```
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

mod curve;
mod euclid;
mod hex;
mod moduli;
mod random;

pub use curve::small_points;
pub use euclid::inverse_modulo;
pub use hex::{hex, unhex};
pub use moduli::MODULI;
#[cfg(feature = "rand_core")]
pub use random::Generator;
pub use random::Random;

use alloc::{vec, vec::Vec};

/// The form of the modulus polynomial of degree `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `x^n - 1`.
    Cyclic,
    /// `x^n + 1`.
    Negacyclic,
    /// `x^n - x^(n/2) + 1`.
    HalfTrinomial,
    /// `x^n - x - 1`.
    PrimeTrinomial,
}

/// `Z_q[x]/(f)`, `f` of degree `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ring {
    /// The modulus of the coefficients.
    pub q: i128,
    /// The degree of `f`.
    pub n: usize,
    /// The form of `f`.
    pub shape: Shape,
}

impl Ring {
    /// The ring of a name, as in `Z_3329[x]/(x^256+1)`; `None` where it is of none of the forms.
    ///
    /// ```
    /// use ringsmith_oracle::{Ring, Shape};
    ///
    /// let ring = Ring::named("Z_3457[x]/(x^768-x^384+1)");
    /// assert_eq!(ring, Some(Ring { q: 3457, n: 768, shape: Shape::HalfTrinomial }));
    /// ```
    pub fn named(name: &str) -> Option<Ring> {
        let (q, f) = name.strip_prefix("Z_")?.strip_suffix(')')?.split_once("[x]/(x^")?;
        let (n, rest) = f.split_at(f.find(['+', '-'])?);
        let (q, n) = (q.parse().ok()?, n.parse().ok()?);
        let shape = match rest {
            "-1" => Shape::Cyclic,
            "+1" => Shape::Negacyclic,
            "-x-1" => Shape::PrimeTrinomial,
            _ if rest.strip_prefix("-x^")?.strip_suffix("+1")?.parse() == Ok(n / 2) => Shape::HalfTrinomial,
            _ => return None,
        };
        Some(Ring { q, n, shape })
    }

    /// The coefficients of `f`, from the constant term to the leading 1.
    pub fn modulus(self) -> Vec<i128> {
        let mut f = vec![0; self.n + 1];
        f[self.n] = 1;
        match self.shape {
            Shape::Cyclic => f[0] -= 1,
            Shape::Negacyclic => f[0] += 1,
            Shape::HalfTrinomial => {
                f[self.n / 2] -= 1;
                f[0] += 1;
            }
            Shape::PrimeTrinomial => {
                f[1] -= 1;
                f[0] -= 1;
            }
        }
        f
    }
}

/// `x` modulo `q`, in `[0, q)`.
pub fn canonical(x: i128, q: i128) -> i128 {
    x.rem_euclid(q)
}

/// `x` modulo `q`, the representative of least absolute value; of two, the negative one.
pub fn centred(x: i128, q: i128) -> i128 {
    let r = x.rem_euclid(q);
    if 2 * r >= q { r - q } else { r }
}

/// The product of two polynomials over the integers, by its definition.
pub fn integer_product(a: &[i128], b: &[i128]) -> Vec<i128> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut c = vec![0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            c[i + j] += x * y;
        }
    }
    c
}

/// The remainder of `c` divided by the monic `f`, by long division; as long as `f`'s degree.
pub fn remainder(mut c: Vec<i128>, f: &[i128]) -> Vec<i128> {
    let n = f.len() - 1;
    for top in (n..c.len()).rev() {
        let lead = c[top];
        for (i, coefficient) in f.iter().enumerate() {
            c[top - n + i] -= lead * coefficient;
        }
    }
    c.resize(n, 0);
    c
}

/// `a b` in the ring, coefficients in `[0, q)`.
pub fn product(ring: Ring, a: &[i128], b: &[i128]) -> Vec<i128> {
    remainder(integer_product(a, b), &ring.modulus()).into_iter().map(|x| canonical(x, ring.q)).collect()
}

/// `base^exponent mod q`.
pub fn power(base: i128, mut exponent: u64, q: i128) -> i128 {
    let (mut result, mut square) = (1 % q, canonical(base, q));
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % q;
        }
        square = square * square % q;
        exponent >>= 1;
    }
    result
}

/// The value of a polynomial at `x`, by Horner's rule.
pub fn evaluate(a: &[i128], x: i128, q: i128) -> i128 {
    a.iter().rev().fold(0, |value, coefficient| canonical(value * x + coefficient, q))
}

/// The negacyclic transform by its definition: the values at `psi^(2i+1)`, `i < n`, natural order.
pub fn negacyclic_transform(a: &[i128], psi: i128, q: i128) -> Vec<i128> {
    (0..a.len() as u64).map(|i| evaluate(a, power(psi, 2 * i + 1, q), q)).collect()
}

/// `a` modulo `x^d - w`: the residue that an incomplete transform keeps.
pub fn binomial_residue(a: &[i128], d: usize, w: i128, q: i128) -> Vec<i128> {
    let mut residue = vec![0; d];
    let mut scale = 1;
    for block in a.chunks(d) {
        for (r, coefficient) in residue.iter_mut().zip(block) {
            *r = canonical(*r + scale * coefficient, q);
        }
        scale = canonical(scale * w, q);
    }
    residue
}

/// The inverse of `a` modulo a prime `p`, by Euclid's algorithm; `None` for multiples of `p`.
pub fn inverse(a: i128, p: i128) -> Option<i128> {
    let (mut r, mut s, mut x, mut y) = (p, canonical(a, p), 0, 1);
    while s != 0 {
        let quotient = r / s;
        (r, s) = (s, r - quotient * s);
        (x, y) = (y, x - quotient * y);
    }
    (r == 1).then(|| canonical(x, p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reduction_by_each_shape() {
        // x^n in each ring of degree 4: 1, -1, x^2 - 1, x + 1.
        let power_n = |shape| remainder(vec![0, 0, 0, 0, 1], &Ring { q: 17, n: 4, shape }.modulus());
        assert_eq!(power_n(Shape::Cyclic), [1, 0, 0, 0]);
        assert_eq!(power_n(Shape::Negacyclic), [-1, 0, 0, 0]);
        assert_eq!(power_n(Shape::HalfTrinomial), [-1, 0, 1, 0]);
        assert_eq!(power_n(Shape::PrimeTrinomial), [1, 1, 0, 0]);
    }

    #[test]
    fn the_transform_multiplies() {
        // q = 17, n = 4: psi = 2 has order 8.
        let ring = Ring { q: 17, n: 4, shape: Shape::Negacyclic };
        let (a, b) = ([3, 1, 4, 1], [5, 9, 2, 6]);
        let (x, y) = (negacyclic_transform(&a, 2, 17), negacyclic_transform(&b, 2, 17));
        let z: Vec<i128> = x.iter().zip(&y).map(|(x, y)| x * y % 17).collect();
        assert_eq!(z, negacyclic_transform(&product(ring, &a, &b), 2, 17));
    }

    #[test]
    fn inverse_and_power_agree() {
        for a in 1..101 {
            assert_eq!(inverse(a, 101), Some(power(a, 99, 101)));
        }
        assert_eq!(inverse(202, 101), None);
    }

    /// The first words of the published generator for the seeds 0 and 1234567; and every number of an
    /// interval is drawn.
    #[test]
    fn random_numbers() {
        assert_eq!(Random::new(0).word(), 0xe220_a839_7b1d_cdaf);
        let mut random = Random::new(1234567);
        assert_eq!([random.word(), random.word()], [6457827717110365317, 3203168211198807973]);
        let mut seen = [false; 5];
        (0..100).for_each(|_| seen[(random.within(-2, 2) + 2) as usize] = true);
        assert_eq!(seen, [true; 5]);
        // Seeds of 64 bytes and of twice 32 bytes are the same bytes: libraries draw them either way.
        let (mut one, mut two) = (Random::new(5), Random::new(5));
        assert_eq!(one.bytes::<64>(), *[two.bytes::<32>(), two.bytes()].as_flattened());
    }

    #[test]
    fn centred_is_centred() {
        assert_eq!((-9..9).map(|x| centred(x, 5)).max(), Some(2));
        assert_eq!((-9..9).map(|x| centred(x, 8)).min(), Some(-4));
        assert_eq!(centred(4, 8), -4);
    }
}
