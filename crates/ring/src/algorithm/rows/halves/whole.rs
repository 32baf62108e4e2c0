//! Whole products modulo a number that is known at run time, by the transforms of a size class.
//!
//! # The map
//! 1. Coefficients are centred modulo `q`; where these are greater than a class takes, they are centred
//!    modulo each prime.
//! 2. The product modulo each of three primes, of which all `2 n - 1` coefficients are kept.
//! 3. The digits of Garner's theorem, each centred: `x_1`, `u_2` and `u_3` with
//!    `c = x_1 + p_1 u_2 + p_1 p_2 u_3`. Both sides agree modulo `p_1 p_2 p_3`, and neither is greater than
//!    half of that: they are equal.
//! 4. `c` modulo `q`: `x_1 + w_1 u_2 + w_2 u_3`, where the weights are `p_1` and `p_1 p_2` modulo `q`. A
//!    product by a constant `w` is `a w - k q`, with `k` the upper word of `a w'` and
//!    `w' = round(2^16 w / q)`. It is `a w` modulo `q`, and off `[0, q]` by `q |a| / 2^17` at most, as `w'`
//!    is off by a half.
//!
//! `q` may be even: nothing is multiplied by its inverse.
//!
//! # Conditions
//! `3 <= q <= 2^14`; `2 n (q / 2) s < p_1 p_2 p_3`, where no second factor is greater than `s`; a product as
//! long as the transform.
//!
//! # Bounds
//! In: `[0, q)`; out: `[0, q)`. Everything between is proved for all `q` of a class of primes at once
//! ([`Exact::WHOLE`]).
//!
//! # Source
//! Garner, 1959. The product by a constant: V. Shoup's, with signs: H. Becker, V. Hwang, M. J. Kannwischer,
//! B.-Y. Yang, S.-Y. Yang, TCHES 2022 (eprint 2021/986).

use super::exact::Table;
use super::field::Numbers;
use super::transform::{Big, Class, Swap, product_bound};
use super::{Exact, Parts, Primes, ROOM, parts};
use crate::bound::Bound;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// The greatest modulus.
const GREATEST: i64 = 1 << 14;

/// A modulus that is known at run time, and what takes digits modulo three primes to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    q: i16,
    /// Weights of the second and the third digit, each with its quotient.
    weights: [[i16; 2]; 2],
    /// `floor(2^16 / q)`.
    reciprocal: i16,
}

impl Target {
    /// Modulo `q`, from 3 to `2^14`, of digits modulo these primes.
    pub const fn new(q: i64, [p1, p2, _]: [i64; 3]) -> Option<Self> {
        if q < 3 || q > GREATEST {
            return None;
        }
        let weights = [weight(p1, q), weight(p1 * p2, q)];
        Some(Target { q: q as i16, weights, reciprocal: ((1 << 16) / q) as i16 })
    }

    /// The modulus.
    pub const fn modulus(&self) -> i64 {
        self.q as i64
    }
}

/// `w` in `[-q / 2, q / 2)` modulo `q`, and `round(2^16 w / q)`.
const fn weight(w: i64, q: i64) -> [i16; 2] {
    let w = (w + q / 2).rem_euclid(q) - q / 2;
    [w as i16, ((w << 17) + q).div_euclid(2 * q) as i16]
}

/// Numbers in `[0, q)` to centred ones modulo `q`, in place.
pub(super) struct Centre<'a> {
    pub(super) q: i16,
    pub(super) rows: &'a mut [Row],
}

impl Kernel for Centre<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (q, half) = (s.splat(self.q), s.splat(self.q / 2));
        for row in self.rows {
            let x = s.load(row);
            s.store(row, s.sub(x, s.and(q, s.gt(x, half))));
        }
    }
}

/// Centred residues modulo a prime.
struct Reduce<'a> {
    numbers: &'a Numbers,
    from: &'a [Row],
    to: &'a mut [Row],
}

impl Kernel for Reduce<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (to, from) in self.to.iter_mut().zip(self.from) {
            s.store(to, self.numbers.centre(s, s.load(from)));
        }
    }
}

/// Residues modulo three primes to numbers in `[0, q)`.
struct JoinModulo<'a> {
    target: &'a Target,
    table: &'a Table,
    numbers: [&'a Numbers; 3],
    products: [&'a [Row]; 3],
    out: &'a mut [Row],
}

/// The digits.
#[inline(always)]
fn digits<S: Simd>(s: S, table: &Table, numbers: [&Numbers; 3], [x, y, z]: [&Row; 3]) -> [S::I16; 3] {
    let first = numbers[0].centre(s, s.load(x));
    let second = numbers[1].centre(s, table.scale(s, s.sub(s.load(y), first), 0, 1));
    let rest = s.sub(table.scale(s, s.sub(s.load(z), first), 1, 2), second);
    [first, second, numbers[2].centre(s, table.scale(s, rest, 2, 2))]
}

impl Target {
    /// `a w`, in `[0, q]` but for what its quotient is off.
    #[inline(always)]
    fn times<S: Simd>(&self, s: S, a: S::I16, i: usize) -> S::I16 {
        let [w, quotient] = self.weights[i];
        let k = s.mul_hi(a, s.splat(quotient));
        s.sub(s.mul_lo(a, s.splat(w)), s.mul_lo(k, s.splat(self.q)))
    }

    /// A number that a lane holds, in `[0, q)`: its quotient is off by one at most.
    #[inline(always)]
    fn canonical<S: Simd>(&self, s: S, x: S::I16) -> S::I16 {
        let q = s.splat(self.q);
        let x = s.sub(x, s.mul_lo(s.mul_hi(x, s.splat(self.reciprocal)), q));
        let x = s.add(x, s.and(q, s.shift_right::<15>(x)));
        s.sub(x, s.and(q, s.gt(x, s.splat(self.q - 1))))
    }
}

impl Kernel for JoinModulo<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let JoinModulo { target, table, numbers, products: [x, y, z], out } = self;
        let q = s.splat(target.q);
        for (((out, x), y), z) in out.iter_mut().zip(x).zip(y).zip(z) {
            let [first, second, third] = digits(s, table, numbers, [x, y, z]);
            let low = s.add(first, s.sub(target.times(s, second, 0), q));
            s.store(out, target.canonical(s, s.add(low, target.times(s, third, 1))));
        }
    }
}

impl<P: Primes<ROWS>, const OPERAND: usize, const ROWS: usize> Exact<P, OPERAND, ROWS> {
    /// The primes.
    pub const PRIMES: [i64; 3] = [P::FIELDS[0].q, P::FIELDS[1].q, P::FIELDS[2].q];

    /// The greatest degree of operands whose whole product the transform holds, and the rows that it leaves:
    /// of the last one the upper half is not written where there are points beyond it.
    pub const WHOLE_DEGREE: usize = {
        let (points, rows, degree) = (8 * ROWS, 16 * OPERAND - 8, P::Of::SIZE.degree);
        let least = if points < rows { points } else { rows };
        if degree < least { degree } else { least }
    };

    /// Rows of memory for a whole product, and for a prepared operand.
    pub const WHOLE_MEMORY: [usize; 2] = [3 * ROWS + 8 * OPERAND + ROWS, 3 * ROWS];

    /// Proves at compile time that no lane overflows, for every `q` and all operands.
    pub const WHOLE: () = {
        let ([p1, p2, p3], input) = (Self::PRIMES, P::Of::SIZE.input);
        assert!(p1 != p2 && p1 != p3 && p2 != p3, "the same prime twice");
        let mut i = 0;
        while i < 3 {
            let p = Self::PRIMES[i];
            assert!(p / 2 <= input, "operands that are centred modulo a prime are too great");
            let residue = product_bound(P::Of::PLAN, p);
            let centred = Bound::centred(p).mirrored();
            // What `Numbers::centre` takes: all that a lane holds; and digits before they are centred.
            assert!(residue.add(Bound::centred(p1).mirrored()).fits(16), "overflow: a difference");
            assert!(centred.scale(4).add(Bound::centred(p2).mirrored()).fits(16), "overflow: a digit");
            // x_1, a product less q, and another product.
            let off = ((GREATEST * (p / 2)) >> 17) + 1;
            assert!(GREATEST + 2 * off + p1 / 2 < 1 << 15, "overflow: a sum of digits");
            i += 1;
        }
        assert!(P::Of::SIZE.present() <= 2 * OPERAND, "an operand has too few rows");
    };

    /// Whether the transform computes whole products exactly: of `n` coefficients modulo `q`, where no
    /// coefficient of the second operand is greater than `most`.
    pub const fn holds_whole(q: i64, n: usize, most: i64) -> bool {
        let ([p1, p2, p3], terms) = (Self::PRIMES, n as i64);
        // Everything is below 2^63: degrees have 11 bits, coefficients 13.
        n <= Self::WHOLE_DEGREE
            && 3 <= q
            && q <= GREATEST
            && most <= q / 2
            && 2 * terms * (q / 2) * most < p1 * p2 * p3
    }

    /// Centred operands as the transforms modulo a prime take them: where they are too great, reduced.
    fn modulo_prime<'a>(
        cpu: impl Run,
        target: &Target,
        numbers: &Numbers,
        from: &'a [Row; OPERAND],
        to: &'a mut [Row; OPERAND],
    ) -> &'a [Row; OPERAND] {
        if target.modulus() / 2 <= P::Of::SIZE.input {
            return from;
        }
        cpu.run(Reduce { numbers, from, to });
        to
    }

    /// Transforms a second operand with coefficients in `[0, q)`. The operand is centred in place.
    pub fn prepare_whole(
        cpu: impl Run,
        target: &Target,
        b: &mut [Row; OPERAND],
        seconds: &mut [Row],
        memory: &mut [Row],
    ) {
        let () = Self::WHOLE;
        cpu.run(Centre { q: target.q, rows: b });
        let reduced: &mut [Row; OPERAND] = memory.first_chunk_mut().expect(ROOM);
        for (field, rows) in P::FIELDS.iter().zip(seconds.as_chunks_mut().0) {
            let b = Self::modulo_prime(cpu, target, &field.numbers, b, reduced);
            Self::second::<Big>(cpu, field, b, rows);
        }
    }

    /// The whole product of an operand in `[0, q)`, which is centred in its place, and a prepared one, in
    /// `[0, q)`: as many rows as there is room for.
    pub fn multiply_whole(
        cpu: impl Run,
        target: &Target,
        a: &mut [Row; OPERAND],
        seconds: &[Row],
        out: &mut [Row],
        memory: &mut [Row],
    ) {
        let () = Self::WHOLE;
        let (reduced, memory) = memory.split_first_chunk_mut::<OPERAND>().expect(ROOM);
        let Parts { swapped, first, halves, mut products, .. } = parts::<OPERAND, ROWS>(memory);
        cpu.run(Centre { q: target.q, rows: a });
        cpu.run(Swap { input: a, out: swapped });
        let seconds = seconds.as_chunks::<ROWS>().0;
        for ((field, second), product) in P::FIELDS.iter().zip(seconds).zip(&mut products) {
            let a = Self::modulo_prime(cpu, target, &field.numbers, swapped, reduced);
            Self::modulo(cpu, field, a, second, [first, halves], product);
        }
        let products = products.map(|product| product.as_flattened());
        let numbers = [&P::FIELDS[0].numbers, &P::FIELDS[1].numbers, &P::FIELDS[2].numbers];
        cpu.run(JoinModulo { target, table: Self::TABLE, numbers, products, out });
    }
}
