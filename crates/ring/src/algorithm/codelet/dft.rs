//! Discrete Fourier transforms of a few points, written down as codelets.
//!
//! # The map
//! `y_k = sum_i w^(i k) x_i` for `w` of order `n` modulo `q`.
//!
//! # How
//! * `n` = 2, 3, 4: one product for 3 (`w^2 = -1 - w`), one for 4.
//! * `n` = 9: three times three with twiddles.
//! * A prime `p` = 5, 7, 13 by Rader: for a generator `g` modulo `p` the values `w^(g^k)` make the sum a
//!   cyclic convolution of length `p - 1`, which splits by symmetry into a cyclic convolution of length
//!   `h = (p - 1)/2` of the sums `x_i + x_(-i)`, and a negacyclic one of the differences. The short
//!   convolutions take 2 and 3 (`h = 2`), 4 and 4 (3), 8 and 13 (6) products by constants.
//! * A product of two coprime numbers by Good and Thomas: no twiddles, only an order.
//!
//! # Conditions
//! A prime `q` with roots of unity of order `n`; for 13 points, of order 3 too. There are codelets of 2 to 15
//! points but 8 and 11, and for 17 points those of [`rader_forward`] and [`rader_back`], which leave one out.
//!
//! # Bounds
//! None: a codelet is an identity modulo `q`. What its lanes hold is [`place`](super::place)'s business.
//!
//! # Source
//! I. J. Good 1958; L. H. Thomas 1963; C. M. Rader 1968; S. Winograd 1978 for the short convolutions.
//! Deviation: symmetry splits Rader's convolution before anything else does, whose parts for 17 points are
//! Toeplitz matrices in halves.
//!
//! ```
//! use ringsmith_ring::algorithm::codelet::{POINTS, dft::dft};
//! use ringsmith_ring::number::root_of_unity;
//!
//! // NTRU Prime 1013 transforms 13 points: 21 products for 144.
//! let codelet = dft(13, root_of_unity(13, 7177), 7177, &[true; POINTS]);
//! assert_eq!(codelet.count().products, 21);
//! ```

use super::{Codelet, POINTS, Value, Values};
use crate::number::{inverse, power};

/// `a^-1 mod n` for small numbers.
const fn inverse_mod(a: usize, n: usize) -> usize {
    let mut x = 0;
    while a * x % n != 1 % n {
        x += 1;
    }
    x
}

/// The number below `a b` that is `r` modulo `a` and `c` modulo `b`, for coprime `a` and `b`.
pub const fn chinese(a: usize, b: usize, r: usize, c: usize) -> usize {
    (b * inverse_mod(b % a, a) * r + a * inverse_mod(a % b, b) * c) % (a * b)
}

/// Whether no number above 1 divides both.
pub(in crate::algorithm) const fn coprime(a: usize, b: usize) -> bool {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

/// A factor of `n` that is coprime to the rest, the least prime power; `n` itself where there is none.
const fn coprime_factor(n: usize) -> usize {
    let mut p = 2;
    while !n.is_multiple_of(p) {
        p += 1;
    }
    let mut factor = 1;
    while n.is_multiple_of(factor * p) {
        factor *= p;
    }
    factor
}

/// Whether there is a codelet of `n` points modulo a prime `q` that has roots of unity of this order. That of
/// 13 points takes those of order 3 besides.
pub const fn exists(n: usize, q: i64) -> bool {
    match n {
        1 | 2 | 3 | 4 | 5 | 7 | 9 => true,
        13 => q % 3 == 1,
        _ => {
            let a = coprime_factor(n);
            a < n && exists(a, q) && exists(n / a, q)
        }
    }
}

/// The codelet of `n` points with the root `w` modulo `q`; inputs that are not `present` are zero.
pub const fn dft(n: usize, w: i64, q: i64, present: &[bool; POINTS]) -> Codelet {
    Codelet::new(q).transform(n, w, present)
}

/// Points 1 to 16 of the transform of 17 points with the root `w` modulo `q`, of which only the first
/// `inputs` are not zero.
pub const fn rader_forward(w: i64, q: i64, inputs: usize) -> Codelet {
    let (mut codelet, mut present, mut i) = (Codelet::new(q), [false; POINTS], 0);
    while i < inputs {
        present[i] = true;
        i += 1;
    }
    let x = codelet.inputs(POINTS, &present);
    let mut rest = [Value::ZERO; POINTS];
    while i > 1 {
        i -= 1;
        rest[i - 1] = x[i];
    }
    let (_, y) = codelet.rader_points(POINTS + 1, w, x[0], &rest, false);
    codelet.finish(POINTS, &y)
}

/// 17 times the polynomial of 16 coefficients that has the given values at `w`, `w^2`, ..., `w^16`, for `w`
/// of order 17 modulo `q`. With `S_i = sum_k X_k w^(-i k)` its coefficients are `S_i - S_16`: what is unknown
/// at 1 is what makes coefficient 16 zero.
pub const fn rader_back(w: i64, q: i64) -> Codelet {
    let mut codelet = Codelet::new(q);
    let x = codelet.inputs(POINTS, &[true; POINTS]);
    let (sum, rest) = codelet.rader_points(POINTS + 1, inverse(w, q), Value::ZERO, &x, true);
    let (mut y, mut i) = ([Value::ZERO; POINTS], 0);
    while i < POINTS {
        let s = if i == 0 { sum } else { rest[i - 1] };
        y[i] = codelet.sub(s, rest[POINTS - 1]);
        i += 1;
    }
    codelet.finish(POINTS, &y)
}

impl Codelet {
    /// [`dft`] behind a program that has no operations yet.
    pub(in crate::algorithm) const fn transform(
        mut self,
        n: usize,
        w: i64,
        present: &[bool; POINTS],
    ) -> Codelet {
        let x = self.inputs(n, present);
        let y = self.dft(n, w, &x);
        self.finish(n, &y)
    }

    /// The transform of the first `n` values with the root `w`.
    const fn dft(&mut self, n: usize, w: i64, x: &Values) -> Values {
        match n {
            1 => *x,
            2 => self.dft2(x),
            3 => self.dft3(w, x),
            4 => self.dft4(w, x),
            9 => self.dft9(w, x),
            5 | 7 | 13 => self.rader(n, w, x),
            _ => self.good_thomas(n, w, x),
        }
    }

    const fn dft2(&mut self, x: &Values) -> Values {
        let mut y = [Value::ZERO; POINTS];
        (y[0], y[1]) = (self.add(x[0], x[1]), self.sub(x[0], x[1]));
        y
    }

    /// `y_1 = x_0 - x_2 + w (x_1 - x_2)`, `y_2 = x_0 - x_1 - w (x_1 - x_2)`.
    const fn dft3(&mut self, w: i64, x: &Values) -> Values {
        let mut y = [Value::ZERO; POINTS];
        let difference = self.sub(x[1], x[2]);
        let twisted = self.scale(difference, w);
        let (sum, one, two) = (self.add(x[1], x[2]), self.sub(x[0], x[2]), self.sub(x[0], x[1]));
        y[0] = self.add(x[0], sum);
        y[1] = self.add(one, twisted);
        y[2] = self.sub(two, twisted);
        y
    }

    const fn dft4(&mut self, w: i64, x: &Values) -> Values {
        let mut y = [Value::ZERO; POINTS];
        let (a, b) = (self.add(x[0], x[2]), self.sub(x[0], x[2]));
        let (c, d) = (self.add(x[1], x[3]), self.sub(x[1], x[3]));
        let twisted = self.scale(d, w);
        (y[0], y[2]) = (self.add(a, c), self.sub(a, c));
        (y[1], y[3]) = (self.add(b, twisted), self.sub(b, twisted));
        y
    }

    const fn dft9(&mut self, w: i64, x: &Values) -> Values {
        let third = power(w, 3, self.q);
        let (mut inner, mut r) = ([[Value::ZERO; POINTS]; 3], 0);
        while r < 3 {
            let mut column = [Value::ZERO; POINTS];
            (column[0], column[1], column[2]) = (x[r], x[r + 3], x[r + 6]);
            inner[r] = self.dft3(third, &column);
            r += 1;
        }
        let (mut y, mut k) = ([Value::ZERO; POINTS], 0);
        while k < 3 {
            let mut row = [Value::ZERO; POINTS];
            r = 0;
            while r < 3 {
                row[r] = self.scale(inner[r][k], power(w, (r * k) as u64, self.q));
                r += 1;
            }
            let out = self.dft3(third, &row);
            (y[k], y[k + 3], y[k + 6]) = (out[0], out[1], out[2]);
            k += 1;
        }
        y
    }

    /// `n = a b`: `b` transforms of `a` points, then `a` of `b`, at the places of the Chinese remainder
    /// theorem.
    const fn good_thomas(&mut self, n: usize, w: i64, x: &Values) -> Values {
        let a = coprime_factor(n);
        let b = n / a;
        assert!(a < n, "no codelet for this number of points");
        // Point (r, c) is at r e + c f, with the idempotents that are 1 modulo a and modulo b; the roots are
        // w^e and w^f.
        let (e, f) = (chinese(a, b, 1, 0), chinese(a, b, 0, 1));
        let (u, v) = (power(w, e as u64, self.q), power(w, f as u64, self.q));
        let (mut inner, mut c) = ([[Value::ZERO; POINTS]; POINTS], 0);
        while c < b {
            let (mut column, mut r) = ([Value::ZERO; POINTS], 0);
            while r < a {
                column[r] = x[(r * e + c * f) % n];
                r += 1;
            }
            inner[c] = self.dft(a, u, &column);
            c += 1;
        }
        let (mut y, mut r) = ([Value::ZERO; POINTS], 0);
        while r < a {
            let (mut row, mut c) = ([Value::ZERO; POINTS], 0);
            while c < b {
                row[c] = inner[c][r];
                c += 1;
            }
            let out = self.dft(b, v, &row);
            c = 0;
            while c < b {
                y[(r * e + c * f) % n] = out[c];
                c += 1;
            }
            r += 1;
        }
        y
    }

    const fn rader(&mut self, p: usize, w: i64, x: &Values) -> Values {
        let (mut rest, mut i) = ([Value::ZERO; POINTS], 1);
        while i < p {
            rest[i - 1] = x[i];
            i += 1;
        }
        let (first, others) = self.rader_points(p, w, x[0], &rest, true);
        let mut y = [Value::ZERO; POINTS];
        y[0] = first;
        while i > 1 {
            i -= 1;
            y[i] = others[i - 1];
        }
        y
    }

    /// Of `x_0` and the others: `y_0`, where it is `wanted`, and the others.
    /// `y_(+-g^m) = x_0 + E_m +- O_m`, `E_m = sum_k s_k C_(m+k)` and `O_m = sum_k d_k S_(m+k)` with the sums
    /// and differences of `x` at `+-g^k`, `C_j = (w^(g^j) + w^(-g^j))/2` and `S_j = (w^(g^j) - w^(-g^j))/2`.
    const fn rader_points(
        &mut self,
        p: usize,
        w: i64,
        x: Value,
        rest: &Values,
        wanted: bool,
    ) -> (Value, Values) {
        let (h, g, half) = ((p - 1) / 2, generator(p), inverse(2, self.q));
        let (mut sums, mut differences) = ([Value::ZERO; POINTS], [Value::ZERO; POINTS]);
        let (mut even, mut odd) = ([0; POINTS], [0; POINTS]);
        let (mut total, mut k) = (Value::ZERO, 0);
        while k < h {
            // Correlations are convolutions of the operand backwards: place k has the index -k.
            let i = power(g as i64, (2 * h - k) as u64, p as i64) as usize;
            sums[k] = self.add(rest[i - 1], rest[p - i - 1]);
            differences[k] = self.sub(rest[i - 1], rest[p - i - 1]);
            if wanted {
                total = self.add(total, sums[k]);
            }
            let root = power(w, power(g as i64, k as u64, p as i64) as u64, self.q);
            let back = inverse(root, self.q);
            (even[k], odd[k]) = ((root + back) * half % self.q, (root - back) * half % self.q);
            k += 1;
        }
        let e = self.cyclic(h, &sums, &even, x);
        let o = self.negacyclic(h, &differences, &odd);
        let (first, mut y) = (self.add(x, total), [Value::ZERO; POINTS]);
        k = 0;
        while k < h {
            let i = power(g as i64, k as u64, p as i64) as usize;
            (y[i - 1], y[p - i - 1]) = (self.add(e[k], o[k]), self.sub(e[k], o[k]));
            k += 1;
        }
        (first, y)
    }

    /// `a c + plus (1 + z + z^2 + ..)` modulo `z^h - 1`, for constants `c`.
    const fn cyclic(&mut self, h: usize, a: &Values, c: &[i64; POINTS], plus: Value) -> Values {
        let mut y = [Value::ZERO; POINTS];
        if h == 1 {
            let product = self.scale(a[0], c[0]);
            y[0] = self.add(plus, product);
            return y;
        }
        if h == 3 {
            return self.cyclic3(a, c, plus);
        }
        // z^h - 1 = (z^(h/2) - 1)(z^(h/2) + 1)
        let (m, half) = (h / 2, inverse(2, self.q));
        let (mut plain, mut twisted) = ([Value::ZERO; POINTS], [Value::ZERO; POINTS]);
        let (mut even, mut odd, mut k) = ([0; POINTS], [0; POINTS], 0);
        while k < m {
            (plain[k], twisted[k]) = (self.add(a[k], a[k + m]), self.sub(a[k], a[k + m]));
            (even[k], odd[k]) = ((c[k] + c[k + m]) * half % self.q, (c[k] - c[k + m]) * half % self.q);
            k += 1;
        }
        let u = self.cyclic(m, &plain, &even, plus);
        let v = self.negacyclic(m, &twisted, &odd);
        k = 0;
        while k < m {
            (y[k], y[k + m]) = (self.add(u[k], v[k]), self.sub(u[k], v[k]));
            k += 1;
        }
        y
    }

    /// With `c` less its mean the result sums to zero, and depends on two differences of `a` by a Toeplitz
    /// matrix.
    const fn cyclic3(&mut self, a: &Values, c: &[i64; POINTS], plus: Value) -> Values {
        let mut y = [Value::ZERO; POINTS];
        let mean = (c[0] + c[1] + c[2]) * inverse(3, self.q) % self.q;
        let two = self.add(a[1], a[2]);
        let three = self.add(a[0], two);
        let scaled = self.scale(three, mean);
        let base = self.add(plus, scaled);
        let pair = [self.sub(a[0], a[2]), self.sub(a[1], a[2])];
        let [r, s] = self.toeplitz(c[0] - mean, c[2] - mean, c[1] - mean, pair);
        let both = self.add(r, s);
        (y[0], y[1], y[2]) = (self.add(base, r), self.add(base, s), self.sub(base, both));
        y
    }

    /// `(d a_0 + u a_1, l a_0 + d a_1)`: three products.
    const fn toeplitz(&mut self, d: i64, u: i64, l: i64, a: [Value; 2]) -> [Value; 2] {
        let sum = self.add(a[0], a[1]);
        let both = self.scale(sum, d);
        let (x, y) = (self.scale(a[1], u - d), self.scale(a[0], l - d));
        [self.add(both, x), self.add(both, y)]
    }

    /// A Toeplitz matrix of `n` rows, a power of two, by a vector, in halves as [`toeplitz`](Self::toeplitz):
    /// place `(i, j)` has the constant `n - 1 + i - j`.
    const fn toeplitz_product(&mut self, n: usize, matrix: &[i64; 2 * POINTS], a: &Values) -> Values {
        let mut y = [Value::ZERO; POINTS];
        if n == 2 {
            [y[0], y[1]] = self.toeplitz(matrix[1], matrix[0], matrix[2], [a[0], a[1]]);
            return y;
        }
        let h = n / 2;
        // The diagonal block, and what is above and below it less that.
        let (mut diagonal, mut above, mut below) = ([0; 2 * POINTS], [0; 2 * POINTS], [0; 2 * POINTS]);
        let mut i = 0;
        while i < 2 * h - 1 {
            diagonal[i] = matrix[i + h];
            (above[i], below[i]) = (matrix[i] - matrix[i + h], matrix[i + n] - matrix[i + h]);
            i += 1;
        }
        let (mut sums, mut second) = ([Value::ZERO; POINTS], [Value::ZERO; POINTS]);
        i = 0;
        while i < h {
            (sums[i], second[i]) = (self.add(a[i], a[h + i]), a[h + i]);
            i += 1;
        }
        let both = self.toeplitz_product(h, &diagonal, &sums);
        let (upper, lower) = (self.toeplitz_product(h, &above, &second), self.toeplitz_product(h, &below, a));
        i = 0;
        while i < h {
            (y[i], y[h + i]) = (self.add(both[i], upper[i]), self.add(both[i], lower[i]));
            i += 1;
        }
        y
    }

    /// `a c` modulo `z^h + 1`, for constants `c`.
    const fn negacyclic(&mut self, h: usize, a: &Values, c: &[i64; POINTS]) -> Values {
        let mut y = [Value::ZERO; POINTS];
        match h {
            1 => y[0] = self.scale(a[0], c[0]),
            2 => [y[0], y[1]] = self.toeplitz(c[0], -c[1], c[1], [a[0], a[1]]),
            3 => {
                // z = -z': cyclic.
                let (mut b, mut d) = (*a, *c);
                (b[1], d[1]) = (a[1].negated(), -c[1]);
                y = self.cyclic(3, &b, &d, Value::ZERO);
                y[1] = y[1].negated();
            }
            6 => y = self.negacyclic6(a, c),
            4 | 8 => {
                let (mut matrix, mut i) = ([0; 2 * POINTS], 0);
                while i < h {
                    (matrix[h - 1 + i], matrix[i]) = (c[i], if i + 1 < h { -c[i + 1] } else { c[0] });
                    i += 1;
                }
                y = self.toeplitz_product(h, &matrix, a);
            }
            _ => panic!("no convolution of this length"),
        }
        y
    }

    /// With `u = z^2 = -v`: transforms of three points in `v` of the even and of the odd coefficients, and
    /// products modulo `z^2 + w^j`.
    const fn negacyclic6(&mut self, a: &Values, c: &[i64; POINTS]) -> Values {
        let q = self.q;
        let w = crate::number::root_of_unity(3, q);
        let (back, third) = (w * w % q, inverse(3, q));
        let (mut x, mut half) = ([[Value::ZERO; POINTS]; 2], 0);
        while half < 2 {
            let mut column = [Value::ZERO; POINTS];
            (column[0], column[1], column[2]) = (a[half], a[half + 2].negated(), a[half + 4]);
            x[half] = self.dft3(w, &column);
            half += 1;
        }
        let (mut products, mut j) = ([[Value::ZERO; POINTS]; 2], 0);
        while j < 3 {
            let (r, s) = (power(w, j, q), power(w, 2 * j, q));
            let e = (c[0] - c[2] * r + c[4] * s) % q * third % q;
            let o = (c[1] - c[3] * r + c[5] * s) % q * third % q;
            let i = j as usize;
            [products[0][i], products[1][i]] = self.toeplitz(e, -o * r % q, o, [x[0][i], x[1][i]]);
            j += 1;
        }
        let mut y = [Value::ZERO; POINTS];
        half = 0;
        while half < 2 {
            let out = self.dft3(back, &products[half]);
            (y[half], y[half + 2], y[half + 4]) = (out[0], out[1].negated(), out[2]);
            half += 1;
        }
        y
    }
}

/// The least generator modulo a small prime.
const fn generator(p: usize) -> usize {
    crate::number::root_of_unity(p as u64 - 1, p as i64) as usize
}
