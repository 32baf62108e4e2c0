//! Products of polynomials in parts as products of values, and what they make of Toeplitz matrices.
//!
//! `C (E a * E b)` with `m` products for `k` parts: `E` gives a factor of each product, a sum of parts, and
//! `C` the `2 k - 1` parts of the result, sums of products over a power of two. Transposed,
//! `E' (C' T * E a)`: three maps, each of which is sums of pieces times constants ([`Map`]).

use super::steps::{Steps, at_points, scale};
use crate::algorithm::toom_cook::{ALL, POINTS, lagrange, loss};
use core::marker::PhantomData;

/// The most products.
pub(super) const PRODUCTS: usize = POINTS;
/// The most parts.
const PARTS: usize = POINTS.div_ceil(2);

/// Constants of a product in parts.
pub trait Bilinear {
    /// How many parts.
    const PARTS: usize;
    /// How many products.
    const PRODUCTS: usize;
    /// How many bits are lost, which the sums at the end are shifted by.
    const LOSS: u32;
    /// Whether it is Karatsuba's in one iteration where Toom and Cook's has as many parts.
    const IN_PAIRS: bool;
    /// `E`: the multiple of part `k` in the factor of product `i`.
    const FACTORS: [[i16; PARTS]; PRODUCTS];
    /// `2^LOSS C'`: the multiple of block `j` in the matrix of product `i`.
    const MATRICES: [[i16; POINTS]; PRODUCTS];
    /// The sums of pieces that the matrices are: block `j` is pieces `j` and `j + 1`.
    const TABLE: [[i16; TAKEN]; GIVEN] = {
        let (mut table, mut i) = ([[0; TAKEN]; GIVEN], 0);
        while i < Self::PRODUCTS {
            let mut j = 0;
            while j < 2 * Self::PARTS - 1 {
                table[2 * i][j] = Self::MATRICES[i][j];
                table[2 * i + 1][j + 1] = Self::MATRICES[i][j];
                j += 1;
            }
            i += 1;
        }
        table
    };
    /// The same in fewer steps, where there are.
    const STEPS: Steps = Steps::of_table(&Self::TABLE);
}

/// Toom and Cook's product: at points. Of two parts it is Karatsuba's.
pub struct AtPoints<const COUNT: usize>;

/// `p^i q^(k - 1 - i)` for point `i` of `k` parts.
const fn power(point: [i64; 2], k: usize, i: usize) -> i64 {
    let (mut power, mut n) = (1, 0);
    while n < k - 1 {
        power *= if n < i { point[0] } else { point[1] };
        n += 1;
    }
    power
}

impl<const COUNT: usize> Bilinear for AtPoints<COUNT> {
    const PARTS: usize = COUNT;
    const PRODUCTS: usize = 2 * COUNT - 1;
    const LOSS: u32 = loss(COUNT);
    const IN_PAIRS: bool = false;
    const FACTORS: [[i16; PARTS]; PRODUCTS] = {
        let (mut factors, mut i) = ([[0; PARTS]; PRODUCTS], 0);
        while i < Self::PRODUCTS {
            let mut k = 0;
            while k < COUNT {
                factors[i][k] = power(ALL[i], COUNT, k) as i16;
                k += 1;
            }
            i += 1;
        }
        factors
    };
    /// Numerators, times what the odd part of the denominator leaves of `2^LOSS`.
    const MATRICES: [[i16; POINTS]; PRODUCTS] = {
        let (mut matrices, mut i) = ([[0; POINTS]; PRODUCTS], 0);
        let lagrange = lagrange(Self::PRODUCTS);
        while i < Self::PRODUCTS {
            let (scale, mut j) = (scale(lagrange.denominators[i], Self::LOSS), 0);
            while j < Self::PRODUCTS {
                matrices[i][j] = (lagrange.numerators[j][i] * scale) as i16;
                j += 1;
            }
            i += 1;
        }
        matrices
    };
    const STEPS: Steps = {
        let steps = at_points(Self::PRODUCTS, Self::LOSS);
        assert!(steps.are(&Self::TABLE), "steps to other matrices");
        steps
    };
}

/// Karatsuba's product in one iteration: products of parts, and of sums of two. It loses nothing.
pub struct InPairs<const COUNT: usize>;

/// The pairs of so many parts, in their order.
const fn pairs(count: usize) -> ([[usize; 2]; PRODUCTS], usize) {
    let (mut pairs, mut found, mut low) = ([[0; 2]; PRODUCTS], 0, 0);
    while low < count {
        let mut high = low + 1;
        while high < count {
            pairs[found] = [low, high];
            (found, high) = (found + 1, high + 1);
        }
        low += 1;
    }
    (pairs, found)
}

impl<const COUNT: usize> Bilinear for InPairs<COUNT> {
    const PARTS: usize = COUNT;
    const PRODUCTS: usize = COUNT * (COUNT + 1) / 2;
    const LOSS: u32 = 0;
    const IN_PAIRS: bool = true;
    const FACTORS: [[i16; PARTS]; PRODUCTS] = {
        let (mut factors, mut i, (pairs, count)) = ([[0; PARTS]; PRODUCTS], 0, pairs(COUNT));
        while i < COUNT {
            factors[i][i] = 1;
            i += 1;
        }
        while i < COUNT + count {
            let [low, high] = pairs[i - COUNT];
            (factors[i][low], factors[i][high]) = (1, 1);
            i += 1;
        }
        factors
    };
    /// `(a + b) (c + d) - a c - b d`: each pair takes off what both of its parts have.
    const MATRICES: [[i16; POINTS]; PRODUCTS] = {
        let (mut matrices, mut i, (pairs, count)) = ([[0; POINTS]; PRODUCTS], 0, pairs(COUNT));
        while i < count {
            let [low, high] = pairs[i];
            matrices[COUNT + i][low + high] = 1;
            (matrices[low][low + high], matrices[high][low + high]) = (-1, -1);
            i += 1;
        }
        i = 0;
        while i < COUNT {
            matrices[i][2 * i] += 1;
            i += 1;
        }
        matrices
    };
}

/// The most pieces that a [`Map`] takes.
pub(super) const TAKEN: usize = 2 * PARTS;
/// The most pieces that it gives.
pub(super) const GIVEN: usize = 2 * PRODUCTS;

/// Sums of pieces times constants.
pub(super) trait Map {
    /// How many pieces it takes.
    const TAKEN: usize;
    /// How many it gives.
    const GIVEN: usize;
    /// How far the sums are shifted.
    const SHIFT: u32;
    /// The sums.
    const STEPS: Steps;
}

/// `E`, the parts backwards.
pub(super) struct Factors<B>(PhantomData<B>);

impl<B: Bilinear> Map for Factors<B> {
    const TAKEN: usize = B::PARTS;
    const GIVEN: usize = B::PRODUCTS;
    const SHIFT: u32 = 0;
    const STEPS: Steps = {
        let (mut table, mut i) = ([[0; TAKEN]; GIVEN], 0);
        while i < B::PRODUCTS {
            let mut k = 0;
            while k < B::PARTS {
                table[i][B::PARTS - 1 - k] = B::FACTORS[i][k];
                k += 1;
            }
            i += 1;
        }
        Steps::of_table(&table)
    };
}

/// `E'`.
pub(super) struct Results<B>(PhantomData<B>);

impl<B: Bilinear> Map for Results<B> {
    const TAKEN: usize = B::PRODUCTS;
    const GIVEN: usize = B::PARTS;
    const SHIFT: u32 = B::LOSS;
    const STEPS: Steps = {
        let (mut table, mut i) = ([[0; TAKEN]; GIVEN], 0);
        while i < B::PRODUCTS {
            let mut k = 0;
            while k < B::PARTS {
                table[k][i] = B::FACTORS[i][k];
                k += 1;
            }
            i += 1;
        }
        Steps::of_table(&table)
    };
}

/// `C'`.
pub(super) struct Matrices<B>(PhantomData<B>);

impl<B: Bilinear> Map for Matrices<B> {
    const TAKEN: usize = 2 * B::PARTS;
    const GIVEN: usize = 2 * B::PRODUCTS;
    const SHIFT: u32 = 0;
    const STEPS: Steps = B::STEPS;
}
