//! Inverses of polynomials, by Euclid's algorithm.

use crate::{canonical, inverse};
use alloc::{vec, vec::Vec};

/// Without the zeroes at the top.
fn trimmed(mut a: Vec<i128>) -> Vec<i128> {
    while a.last() == Some(&0) {
        a.pop();
    }
    a
}

/// `a - c x^shift b` modulo `p`, without the zeroes at the top.
fn less_multiple(mut a: Vec<i128>, c: i128, shift: usize, b: &[i128], p: i128) -> Vec<i128> {
    a.resize(a.len().max(shift + b.len()), 0);
    for (i, y) in b.iter().enumerate() {
        a[shift + i] = canonical(a[shift + i] - c * y, p);
    }
    trimmed(a)
}

/// The inverse of `a` modulo a prime `p` and the polynomial `f`, coefficients in `[0, p)`, as many as `f` has
/// less one; `None` where `a` and `f` have a common divisor.
///
/// ```
/// use ringsmith_oracle::inverse_modulo;
///
/// // x x^2 = x^3 = 1 modulo x^3 - 1; and x + 1 divides x^3 - 1 modulo 2.
/// assert_eq!(inverse_modulo(&[0, 1, 0], &[-1, 0, 0, 1], 2), Some(vec![0, 0, 1]));
/// assert_eq!(inverse_modulo(&[1, 1, 0], &[-1, 0, 0, 1], 2), None);
/// ```
pub fn inverse_modulo(a: &[i128], f: &[i128], p: i128) -> Option<Vec<i128>> {
    let reduced = |a: &[i128]| trimmed(a.iter().map(|&x| canonical(x, p)).collect());
    // r = x a and s = y a modulo f.
    let (mut r, mut s, mut x, mut y) = (reduced(f), reduced(a), Vec::new(), vec![1]);
    while !s.is_empty() {
        let unit = inverse(s[s.len() - 1], p)?;
        while r.len() >= s.len() {
            let (c, shift) = (canonical(r[r.len() - 1] * unit, p), r.len() - s.len());
            r = less_multiple(r, c, shift, &s, p);
            x = less_multiple(x, c, shift, &y, p);
        }
        (r, s, x, y) = (s, r, y, x);
    }
    let unit = (r.len() == 1).then(|| inverse(r[0], p))??;
    let mut x: Vec<i128> = x.iter().map(|x| canonical(x * unit, p)).collect();
    x.resize(f.len() - 1, 0);
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Random, integer_product, remainder};

    /// Protects: what is returned is an inverse, as often as there is one. Modulo 3, `x^8 - 1` has factors of
    /// degrees 1, 1, 2, 2, 2, of which 2/3, 2/3, 8/9, 8/9 and 8/9 of all elements are no multiples.
    #[test]
    fn inverses_of_polynomials() {
        let (f, mut random, mut found) = ([-1, 0, 0, 0, 0, 0, 0, 0, 1], Random::new(1), 0);
        for _ in 0..1000 {
            let a: Vec<i128> = (0..8).map(|_| random.within(0, 2).into()).collect();
            if let Some(b) = inverse_modulo(&a, &f, 3) {
                let product = remainder(integer_product(&a, &b), &f).into_iter().map(|x| canonical(x, 3));
                assert!(product.eq([1, 0, 0, 0, 0, 0, 0, 0]));
                found += 1;
            }
        }
        assert!((250..380).contains(&found), "{found}");
    }
}
