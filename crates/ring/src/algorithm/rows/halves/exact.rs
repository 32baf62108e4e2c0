//! From products modulo primes to the product modulo `x^n - 1` and a power of two.

use super::field::Numbers;
use crate::algorithm::size_class::lanes_below;
use crate::bound::Bound;
use crate::number::inverse;
use crate::reduce::montgomery::{Factor, bound_scaled};
use crate::reduce::residues::{Arithmetic, Wrapping};
use core::hint::black_box;
use ringsmith_simd::{Kernel, Row, Simd, each};

/// What takes digits apart: values, so that one kernel serves all primes.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    primes: [i64; 3],
    /// `1 / p_1` modulo `p_2` and modulo `p_3`, `1 / p_2` modulo `p_3`.
    factors: [Factor; 3],
}

impl Digits {
    /// Of three primes.
    pub(super) const fn of(primes: [i64; 3]) -> Digits {
        let [p1, p2, p3] = primes;
        let (second, third) = (Factor::new(inverse(p1 % p2, p2), p2), Factor::new(inverse(p1 % p3, p3), p3));
        Digits { primes, factors: [second, third, Factor::new(inverse(p2 % p3, p3), p3)] }
    }

    /// As the kernel loads them.
    pub(super) const fn table(&self) -> Table {
        let ([p1, p2, p3], [x, y, z]) = (self.primes, &self.factors);
        Table {
            numbers: [[p1 as i16; 16], [p2 as i16; 16], [p3 as i16; 16], [(p1 * p2) as i16; 16]],
            factors: [x.rows(), y.rows(), z.rows()],
        }
    }

    /// Whether the integer whose digits `x_1`, `u_2` (and `u_3`) are is the product, for coefficients of
    /// which none is greater than `most`, and residues modulo each prime, folded, within `x`. The integer
    /// and the product agree modulo all primes: they are equal where they are closer to each other than the
    /// primes' product is great. No residue is canonical.
    pub(super) const fn hold(&self, count: usize, most: i64, x: [Bound; 3]) -> bool {
        let [p1, p2, p3] = self.primes;
        let distinct = p1 != p2 && p1 != p3 && p2 != p3;
        let difference = x[1].sub(x[0]);
        let second = bound_scaled(difference, self.factors[0].z, p2);
        let other = x[2].sub(x[0]);
        let step = bound_scaled(other, self.factors[1].z, p3).sub(second);
        let third = bound_scaled(step, self.factors[2].z, p3);
        let two = most + x[0].magnitude() + p1 * second.magnitude();
        let held = match count {
            2 => two < p1 * p2,
            _ => other.fits(16) && step.fits(16) && two + p1 * p2 * third.magnitude() < p1 * p2 * p3,
        };
        distinct && held && x[0].fits(16) && x[1].fits(16) && x[2].fits(16) && difference.fits(16)
    }
}

/// The same in every lane, as the kernel loads them.
#[repr(align(64))]
pub(super) struct Table {
    /// The primes, the first of which is a weight, and the product of the first two.
    numbers: [Row; 4],
    factors: [[Row; 2]; 3],
}

/// The product by one prime, which holds it.
pub(super) struct Alone<'a> {
    pub(super) numbers: &'a Numbers,
    pub(super) n: usize,
    pub(super) product: &'a [i16],
    pub(super) out: &'a mut [Row],
}

impl Kernel for Alone<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Alone { numbers, n, product, out } = self;
        let (rows, folded) = (rows_of(product), rows_of(&product[n..]));
        let whole = n / 16;
        for (i, out) in out.iter_mut().enumerate() {
            if i > whole {
                s.store(out, s.splat(0));
                continue;
            }
            let x = numbers.centre(s, s.add(s.load(&rows[i]), s.load(&folded[i])));
            s.store(out, if i < whole { x } else { s.and(x, s.load(lanes_below(n % 16))) });
        }
    }
}

/// The product by two primes, or by three.
pub(super) struct Join<'a, const COUNT: usize> {
    pub(super) by: Wrapping,
    pub(super) n: usize,
    pub(super) table: &'a Table,
    pub(super) products: [&'a [i16]; COUNT],
    pub(super) out: &'a mut [Row],
}

impl Table {
    /// `a` times factor `i`, modulo prime `q`.
    #[inline(always)]
    pub(super) fn scale<S: Simd>(&self, s: S, a: S::I16, i: usize, q: usize) -> S::I16 {
        let [z, zq] = &self.factors[i];
        s.mul_mont(a, s.load(z), s.load(zq), s.load(&self.numbers[q]))
    }
}

/// Sixteen coefficients of each product and those `n` behind them, folded and joined in words that wrap.
#[inline(always)]
fn join<S: Simd, const COUNT: usize>(s: S, table: &Table, rows: [[&Row; 2]; COUNT]) -> S::I16 {
    let folded: [S::I16; COUNT] = each(
        #[inline(always)]
        |i| s.add(s.load(rows[i][0]), s.load(rows[i][1])),
    );
    let x = folded[0];
    let second = table.scale(s, s.sub(folded[1], x), 0, 1);
    let two = s.add(x, s.mul_lo(second, s.load(&table.numbers[0])));
    if const { COUNT < 3 } {
        return two;
    }
    let other = table.scale(s, s.sub(folded[COUNT - 1], x), 1, 2);
    let third = table.scale(s, s.sub(other, second), 2, 2);
    s.add(two, s.mul_lo(third, s.load(&table.numbers[3])))
}

impl<const COUNT: usize> Kernel for Join<'_, COUNT> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Join { by, n, table, products, out } = self;
        let rows = products.map(|product| [rows_of(product), rows_of(&product[n..])]);
        let (whole, rest) = out.split_at_mut(n / 16);
        for (i, out) in whole.iter_mut().enumerate() {
            s.store(out, by.finish(s, join(s, black_box(table), row(&rows, i))));
        }
        // What is behind the last coefficient is zero.
        rest.fill([0; 16]);
        if let Some(last) = rest.first_mut().filter(|_| !n.is_multiple_of(16)) {
            let joined = by.finish(s, join(s, table, row(&rows, n / 16)));
            s.store(last, s.and(joined, s.load(lanes_below(n % 16))));
        }
    }
}

/// Row `i` of each product, and of what is folded onto it.
#[inline(always)]
fn row<'a, const COUNT: usize>(rows: &[[&'a [Row]; 2]; COUNT], i: usize) -> [[&'a Row; 2]; COUNT] {
    each(
        #[inline(always)]
        |k| [&rows[k][0][i], &rows[k][1][i]],
    )
}

/// Whole rows.
#[inline(always)]
fn rows_of(product: &[i16]) -> &[Row] {
    product.as_chunks().0
}

/// The coefficients that wrapped, from `length` on: computed in words that wrap, taken off where they stand
/// and added where they belong.
pub(super) struct Unwrap<'a> {
    pub(super) by: Wrapping,
    pub(super) n: usize,
    pub(super) length: usize,
    /// The last rows of the first operand, their pairs swapped: those whose products wrap.
    pub(super) swapped: &'a [Row],
    /// The same of the second operand, and a row of zeroes.
    pub(super) second: &'a [Row],
    pub(super) out: &'a mut [Row],
}

impl Unwrap<'_> {
    /// Row `m` of those that wrapped: `first` and `last`, rows of the operands, end `m` rows before the end.
    #[inline(always)]
    fn wrapped<S: Simd>(&self, s: S, m: usize) -> S::I16 {
        let (mut sums, count) = ([s.acc_zero(); 2], self.swapped.len());
        for (i, row) in self.swapped.iter().enumerate().skip(m) {
            let two = self.second[m + count - i - 1..].first_chunk().expect("two rows a window");
            s.madd_windows(&mut sums, row, two);
        }
        s.even_odd(sums[0], sums[1]).0
    }

    /// `change` added to the coefficients from `at` on.
    #[inline(always)]
    fn add<S: Simd>(&mut self, s: S, at: usize, change: S::I16) {
        let words = self.out.as_flattened_mut();
        if let Some(place) = words[at..].first_chunk_mut() {
            s.store(place, self.by.finish(s, s.add(s.load(place), change)));
            return;
        }
        // Fewer than sixteen are left: what would be behind them is zero.
        let mut row = [0; 16];
        s.store(&mut row, change);
        for (word, change) in words[at..].iter_mut().zip(row) {
            *word = self.by.finish_word(word.wrapping_add(change));
        }
    }
}

impl Kernel for Unwrap<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        s.begin_products(16, self.swapped.len() * (self.swapped.len() + 1) / 2);
        for m in 0..self.swapped.len() {
            let wrapped = self.wrapped(s, m);
            self.add(s, 16 * m, s.sub(s.splat(0), wrapped));
            self.add(s, 16 * m + self.length - self.n, wrapped);
        }
    }
}
