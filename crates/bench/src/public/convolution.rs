//! Fast convolution: products by a public ternary operand as sums of rotations.
//!
//! # The map
//! `h r = sum_i r_i x^i h` modulo `x^n - 1`, and `x^i h` is `h` rotated by `i` places. With `h` twice,
//! one behind the other, a rotation is the words from `n - i` on: an addition of `n` words for each
//! coefficient of `r` that is not 0, and no product.
//!
//! # The sliding window
//! From coefficient 0 on: what is 0 is skipped; where a coefficient is not, it and the [`WINDOW`]` - 1`
//! behind it are a window, which is a pattern times its first coefficient. A pattern is `1 + d_1 x + ..
//! ` with `d_k` in -1, 0, 1: there are `3^(WINDOW - 1)`. The sums of `h` by all patterns are made first,
//! each by one addition of another, and then a window is one addition of a rotated sum.
//!
//! # Bounds
//! Words wrap; out: centred.
//!
//! # Source
//! Fast convolution: the definition. The window: M.-K. Lee, J. W. Kim, J. E. Song, K. Park (IEICE Trans.
//! Fundamentals E96-A, 2013) as papers name it; its width and patterns are ours.

use super::{Places, Public};
use ringsmith_ring::residues::{Arithmetic, Residues, Wrapping};
use ringsmith_ring::{Coefficients, Poly, Ring, Shape};
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

/// Coefficients in a window.
pub const WINDOW: usize = 3;
/// Patterns that begin with 1.
const PATTERNS: usize = 3_usize.pow(WINDOW as u32 - 1);
/// Words before the first sum: what comes round from the end.
const BEFORE: usize = 16;
/// Rows at a time.
const GROUP: usize = 4;

/// How the list is walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// A coefficient at a time.
    FastConvolution,
    /// A window at a time.
    SlidingWindow,
}

impl Method {
    /// Both.
    pub const ALL: [Method; 2] = [Method::SlidingWindow, Method::FastConvolution];

    /// Its name in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Method::FastConvolution => "fast-convolution",
            Method::SlidingWindow => "sliding-window",
        }
    }
}

/// The memory of products in a ring.
pub struct Walk {
    cpu: Cpu,
    by: Wrapping,
    n: usize,
    /// Sums of `h`, each twice: the first is `h`.
    table: Vec<i16>,
    /// Where rotations begin that are added, and taken off.
    starts: [Vec<usize>; 2],
    /// The coefficients of `r`, and zeroes behind them.
    digits: Vec<i8>,
}

impl Walk {
    /// Of `R`.
    pub fn new<R: Ring>(cpu: Cpu) -> Self {
        const { assert!(matches!(R::SHAPE, Shape::Cyclic) && R::Q.count_ones() == 1) };
        let table = vec![0; BEFORE + PATTERNS * stride(R::N)];
        let digits = vec![0; R::N + WINDOW];
        Walk { cpu, by: Wrapping::modulo(R::Q), n: R::N, table, starts: [vec![], vec![]], digits }
    }

    /// `out = h r`. **Not constant time** in `r`.
    pub fn product<R: Ring>(&mut self, method: Method, h: &Poly<R>, r: &Public<Places>, out: &mut Poly<R>) {
        assert_eq!(self.n, R::N, "the memory of another ring");
        let (first, h) = (&mut self.table[..BEFORE + stride(self.n)], h.centred());
        first[..BEFORE].copy_from_slice(&h[self.n - BEFORE..]);
        for to in first[BEFORE..].chunks_mut(self.n) {
            to.copy_from_slice(&h[..to.len()]);
        }
        self.starts.iter_mut().for_each(Vec::clear);
        match method {
            Method::FastConvolution => self.each_place(r.get()),
            Method::SlidingWindow => {
                self.sum_patterns();
                self.each_window(r.get());
            }
        }
        let (rows, behind) = out.coeffs_mut().rows_mut().split_at_mut(self.n.div_ceil(16));
        behind.fill([0; 16]);
        let starts = self.starts.each_ref().map(Vec::as_slice);
        self.cpu.run(Sum { by: self.by, table: &self.table, starts, out: rows });
        rows.as_flattened_mut()[self.n..].fill(0);
    }

    /// Where `x^i` times the sum of a pattern begins.
    fn start(&self, pattern: usize, i: usize) -> usize {
        BEFORE + pattern * stride(self.n) + self.n - i
    }

    /// The rotations of every coefficient.
    fn each_place(&mut self, r: &Places) {
        let [plus, minus] =
            [&r.plus, &r.minus].map(|places| places.iter().map(|i| self.start(0, *i)).collect());
        self.starts = [plus, minus];
    }

    /// The rotations of every window.
    fn each_window(&mut self, r: &Places) {
        self.digits.fill(0);
        r.plus.iter().for_each(|i| self.digits[*i] = 1);
        r.minus.iter().for_each(|i| self.digits[*i] = -1);
        let mut i = 0;
        while i < self.n {
            let sign = self.digits[i];
            if sign == 0 {
                i += 1;
                continue;
            }
            let behind = &self.digits[i + 1..i + WINDOW];
            let pattern =
                behind.iter().rev().fold(0, |all, d| 3 * all + usize::from((d * sign).rem_euclid(3) as u8));
            let start = self.start(pattern, i);
            self.starts[usize::from(sign < 0)].push(start);
            i += WINDOW;
        }
    }

    /// The sums of all patterns: that without the last coefficient, and `h` rotated by the place of that.
    fn sum_patterns(&mut self) {
        for pattern in 1..PATTERNS {
            let place = pattern.ilog(3);
            let digit = pattern / 3_usize.pow(place);
            let without = pattern - digit * 3_usize.pow(place);
            let (made, to) = self.table.split_at_mut(BEFORE + pattern * stride(self.n));
            let h = &made[BEFORE - 1 - place as usize..];
            let from = &made[BEFORE + without * stride(self.n)..];
            self.cpu.run(Add { subtract: digit == 2, from, h, to: &mut to[..stride(self.n)] });
        }
    }
}

/// Words of a sum, twice, in whole rows.
const fn stride(n: usize) -> usize {
    (2 * n + 16).next_multiple_of(16)
}

/// `to = from + h` or `to = from - h`.
struct Add<'a> {
    subtract: bool,
    from: &'a [i16],
    h: &'a [i16],
    to: &'a mut [i16],
}

impl Kernel for Add<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let terms = self.from.as_chunks::<16>().0.iter().zip(self.h.as_chunks::<16>().0);
        for (to, (a, b)) in self.to.as_chunks_mut::<16>().0.iter_mut().zip(terms) {
            let (a, b) = (s.load(a), s.load(b));
            s.store(to, if self.subtract { s.sub(a, b) } else { s.add(a, b) });
        }
    }
}

/// The sum of rotations, centred.
struct Sum<'a> {
    by: Wrapping,
    table: &'a [i16],
    starts: [&'a [usize]; 2],
    out: &'a mut [Row],
}

impl Sum<'_> {
    /// Rows from `at` on.
    #[inline(always)]
    fn rows<S: Simd, const ROWS: usize>(&self, s: S, at: usize) -> [S::I16; ROWS] {
        let mut sums = [s.splat(0); ROWS];
        let [plus, minus] = self.starts;
        for (starts, subtract) in [(plus, false), (minus, true)] {
            for start in starts {
                let words = self.table.get(start + at..start + at + 16 * ROWS).unwrap_or_default();
                let Some(rows) = words.as_chunks().0.first_chunk::<ROWS>() else { return sums };
                let mut i = 0;
                while i < ROWS {
                    let x = s.load(&rows[i]);
                    sums[i] = if subtract { s.sub(sums[i], x) } else { s.add(sums[i], x) };
                    i += 1;
                }
            }
        }
        each(
            #[inline(always)]
            |i| self.by.finish(s, sums[i]),
        )
    }
}

impl Kernel for Sum<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let out = core::mem::take(&mut self.out);
        let (groups, rest) = out.as_chunks_mut::<GROUP>();
        let mut at = 0;
        for group in groups {
            let sums: [S::I16; GROUP] = self.rows(s, at);
            let mut i = 0;
            while i < GROUP {
                s.store(&mut group[i], sums[i]);
                i += 1;
            }
            at += 16 * GROUP;
        }
        for row in rest {
            let [sum] = self.rows(s, at);
            s.store(row, sum);
            at += 16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_oracle::{self as oracle, Random};
    use ringsmith_routes::rings::{Ees401, Ees449, Ees653, Ees853};

    fn check<R: Ring>(random: &mut Random, weight: i64) {
        let operand: Vec<i64> = (0..R::N).map(|_| random.within(0, R::Q - 1)).collect();
        let r: Vec<i64> = (0..R::N)
            .map(|_| if random.within(1, 100) > weight { 0 } else { 2 * random.within(0, 1) - 1 })
            .collect();
        let places = |x| (0..R::N).filter(|i| r[*i] == x).collect();
        let r_places = Public::declare(Places { plus: places(1), minus: places(-1) });
        let wide = |x: &[i64]| x.iter().map(|x| i128::from(*x)).collect::<Vec<_>>();
        let ring = oracle::Ring::named(R::NAME).unwrap();
        let expected = oracle::product(ring, &wide(&operand), &wide(&r));
        for cpu in Cpu::available() {
            for method in Method::ALL {
                let (mut walk, mut out) = (Walk::new::<R>(cpu), Poly::<R>::zero());
                let h = Poly::new(&operand).unwrap();
                // The second one finds what the first left.
                for _ in 0..2 {
                    walk.product(method, &h, &r_places, &mut out);
                    let product: Vec<i128> = out.canonical().map(i128::from).collect();
                    assert_eq!(product, expected, "{} {} {}", R::NAME, method.name(), cpu.name());
                    assert!(out.coeffs().rows().as_flattened()[R::N..].iter().all(|x| *x == 0));
                }
            }
        }
    }

    /// Protects: both are the product, of sparse and dense operands, and of one that is all ones and
    /// minus ones.
    #[test]
    fn both_are_the_product() {
        let mut random = Random::new(1);
        for weight in [0, 5, 60, 100] {
            check::<Ees401>(&mut random, weight);
            check::<Ees449>(&mut random, weight);
            check::<Ees653>(&mut random, weight);
            check::<Ees853>(&mut random, weight);
        }
    }
}
