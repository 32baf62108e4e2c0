//! Two rows, or two pairs of rows, at once, each in a vector of its own.
//!
//! The last six layers go over two blocks side by side where there are registers for them: twice as many
//! operations that don't wait for one another. A block alone waits for its products: with AVX-512 a transform
//! of 1024 took 1.2 times as long. Lanes with quotients, whose vectors hold two rows (`Lanes::FOUR`), take
//! four blocks side by side.

use crate::lanes::{Arithmetic, CrossLines, Factor, FactorLines, Kind, Lanes, Line, TwoRows};
use ringsmith_simd::each;

/// The lanes of two rows.
#[derive(Clone, Copy)]
pub(crate) struct Pair<L>(pub(crate) L);

/// The vectors of one row.
#[inline(always)]
pub(crate) fn side<T: Copy>(x: [[T; 2]; 8], of: usize) -> [T; 8] {
    each(
        #[inline(always)]
        |i: usize| x[i][of],
    )
}

impl<L: Arithmetic> Arithmetic for Pair<L> {
    type Vector = [L::Vector; 2];
    type Factors = [L::Factors; 2];
    type Cross = [L::Cross; 2];
    type Operand = [L::Operand; 2];

    #[inline(always)]
    fn butterfly(self, a: Self::Vector, b: Self::Vector, w: Self::Factors) -> [Self::Vector; 2] {
        let ([a, b], [c, d]) = (self.0.butterfly(a[0], b[0], w[0]), self.0.butterfly(a[1], b[1], w[1]));
        [[a, c], [b, d]]
    }
    #[inline(always)]
    fn butterfly_back(self, a: Self::Vector, b: Self::Vector, w: Self::Factors) -> [Self::Vector; 2] {
        let first = self.0.butterfly_back(a[0], b[0], w[0]);
        let second = self.0.butterfly_back(a[1], b[1], w[1]);
        [[first[0], second[0]], [first[1], second[1]]]
    }
    #[inline(always)]
    fn two_sums(self, x: Self::Vector) -> Self::Vector {
        [self.0.two_sums(x[0]), self.0.two_sums(x[1])]
    }
    #[inline(always)]
    fn end_back(self, x: Self::Vector) -> Self::Vector {
        [self.0.end_back(x[0]), self.0.end_back(x[1])]
    }
    #[inline(always)]
    fn end_sum(self, x: Self::Vector) -> Self::Vector {
        [self.0.end_sum(x[0]), self.0.end_sum(x[1])]
    }
    #[inline(always)]
    fn transpose(self, x: [Self::Vector; 8]) -> [Self::Vector; 8] {
        let (a, b) = (self.0.transpose(side(x, 0)), self.0.transpose(side(x, 1)));
        each(
            #[inline(always)]
            |i: usize| [a[i], b[i]],
        )
    }
    #[inline(always)]
    fn renew(self, x: Self::Vector) -> Self::Vector {
        [self.0.renew(x[0]), self.0.renew(x[1])]
    }
    #[inline(always)]
    fn renew_before_tail(self, x: Self::Vector) -> Self::Vector {
        [self.0.renew_before_tail(x[0]), self.0.renew_before_tail(x[1])]
    }
    #[inline(always)]
    fn reduce(self, x: Self::Vector) -> Self::Vector {
        [self.0.reduce(x[0]), self.0.reduce(x[1])]
    }
    #[inline(always)]
    fn scale(self, x: Self::Vector, w: Self::Factors) -> Self::Vector {
        [self.0.scale(x[0], w[0]), self.0.scale(x[1], w[1])]
    }
    #[inline(always)]
    fn operand(self, x: Self::Vector) -> Self::Operand {
        [self.0.operand(x[0]), self.0.operand(x[1])]
    }
    #[inline(always)]
    fn product(self, a: Self::Vector, b: Self::Operand) -> Self::Vector {
        [self.0.product(a[0], b[0]), self.0.product(a[1], b[1])]
    }
}

impl<L: Lanes> TwoRows<L> for Pair<L> {
    const ONE_VECTOR: bool = false;

    #[inline(always)]
    fn load_apart(self, lines: [&Line<L>; 2]) -> Self::Vector {
        [self.0.load(lines[0], 0), self.0.load(lines[1], 0)]
    }
    #[inline(always)]
    fn store_apart(self, lines: [&mut Line<L>; 2], x: Self::Vector) {
        let [first, second] = lines;
        self.0.store(first, 0, x[0]);
        self.0.store(second, 0, x[1]);
    }
    #[inline(always)]
    fn load_together(self, lines: &[Line<L>; 2]) -> Self::Vector {
        self.load_apart([&lines[0], &lines[1]])
    }
    #[inline(always)]
    fn store_together(self, lines: &mut [Line<L>; 2], x: Self::Vector) {
        let [first, second] = lines;
        self.store_apart([first, second], x);
    }
    #[inline(always)]
    fn splat(self, factors: [Factor<L>; 2]) -> Self::Factors {
        [self.0.splat(factors[0]), self.0.splat(factors[1])]
    }
    #[inline(always)]
    fn splat_cross(self, cross: [<L::Kind as Kind>::Cross; 2]) -> Self::Cross {
        [self.0.splat_cross(cross[0]), self.0.splat_cross(cross[1])]
    }
    #[inline(always)]
    fn load_factors(self, lines: [&FactorLines<L>; 2]) -> Self::Factors {
        [self.0.load_factors(lines[0], 0), self.0.load_factors(lines[1], 0)]
    }
    #[inline(always)]
    fn load_cross(self, lines: [&CrossLines<L>; 2]) -> Self::Cross {
        [self.0.load_cross(lines[0], 0), self.0.load_cross(lines[1], 0)]
    }
    #[inline(always)]
    fn load_operands(self, lines: &[Line<L>; 2]) -> Self::Operand {
        [self.0.load_operand(&lines[..1], 0), self.0.load_operand(&lines[1..], 0)]
    }
}
