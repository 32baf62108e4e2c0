//! Matrices in blocks.

use super::bilinear::{Bilinear, Factors, GIVEN, Map, Matrices, PRODUCTS, Results, TAKEN};
use super::steps::{BETWEEN, Sum, VALUES};
use super::{Matrix, ROOM, block_row};
use crate::reduce::residues::{Arithmetic, Residues, Wrapping};
use crate::route::Parts;
use core::array::from_ref;
use core::hint::black_box;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd, Within};

/// A map of groups of pieces, one after the other.
struct Mapped<'a, M, const PART: usize> {
    pieces: &'a [[Row; PART]],
    out: &'a mut [[Row; PART]],
    map: PhantomData<M>,
}

/// `total + constant x`.
#[inline(always)]
fn add_multiple<S: Simd>(s: S, total: S::I16, x: S::I16, constant: i16) -> S::I16 {
    match constant {
        0 => total,
        1 => s.add(total, x),
        -1 => s.sub(total, x),
        _ => s.add(total, s.mul_lo(x, s.splat(constant))),
    }
}

/// A sum of values.
#[inline(always)]
fn sum_of<S: Simd>(s: S, x: &[S::I16; VALUES], sum: &'static Sum) -> S::I16 {
    let (mut total, mut j) = (s.splat(0), 0);
    while j < sum.count {
        let (value, multiple) = sum.terms[j];
        total = add_multiple(s, total, x[value], multiple);
        j += 1;
    }
    add_multiple(s, s.splat(0), total, sum.scale)
}

/// Row `r` of all sums.
#[inline(always)]
fn row<S: Simd, M: Map, const PART: usize>(s: S, pieces: &[[Row; PART]], r: usize, out: &mut [[Row; PART]]) {
    let (mut x, mut j) = ([s.splat(0); VALUES], 0);
    while j < const { M::TAKEN } {
        x[j] = s.load(&pieces[j][r]);
        j += 1;
    }
    macro_rules! sums {
        ($($between:literal)*; $($given:literal)*) => {
            $(if const { $between < M::STEPS.all_between } {
                x[TAKEN + $between] = sum_of(s, &x, const { &M::STEPS.between[$between] });
            })*
            $(if const { $given < M::GIVEN } {
                let sum = sum_of(s, &x, const { &M::STEPS.given[$given] });
                s.store(&mut out[$given][r], Wrapping::BY.divide(s, sum, const { M::SHIFT }));
            })*
        };
    }
    const { assert!(M::GIVEN <= GIVEN && GIVEN == 18 && BETWEEN == 21) };
    sums!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17);
}

impl<M: Map, const PART: usize> Kernel for Mapped<'_, M, PART> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (mut pieces, mut out) = (self.pieces, self.out);
        while let (Some((group, more)), Some((sums, rest))) = (
            pieces.split_at_checked(const { M::TAKEN }),
            core::mem::take(&mut out).split_at_mut_checked(const { M::GIVEN }),
        ) {
            for r in 0..PART {
                row::<S, M, PART>(s, group, r, sums);
            }
            (pieces, out) = (more, rest);
        }
    }
}

/// Runs a map over pieces of `PART` rows.
#[inline(always)]
fn map<M: Map, const PART: usize>(cpu: impl Run, pieces: &[Row], out: &mut [Row]) {
    let (pieces, out) = (pieces.as_chunks().0, out.as_chunks_mut().0);
    cpu.run(Mapped::<M, PART> { pieces, out, map: PhantomData });
}

/// Matrices of a row times vectors: the last cut's factors, products and sums in one.
struct Last<'a, B> {
    /// One for each product.
    matrices: &'a [[Row; 2]],
    vectors: &'a mut [Row],
    /// A row for each product, at most.
    factors: &'a mut [Row; PRODUCTS],
    parameters: PhantomData<B>,
}

/// One vector of [`Last`]. Factors that are parts are read where they stand.
#[inline(always)]
fn product<S: Simd, B: Bilinear>(
    s: S,
    matrices: &[[Row; 2]],
    parts: &mut [Row],
    factors: &mut [Row; PRODUCTS],
) {
    let (mut x, mut y, mut j) = ([s.splat(0); VALUES], [s.splat(0); VALUES], 0);
    while j < const { B::PARTS } {
        x[j] = s.load(&parts[j]);
        j += 1;
    }
    macro_rules! each {
        (|$i:ident| $($at:literal)*: $count:expr, $body:expr) => { $(
            if const { $at < $count } {
                const $i: usize = $at;
                $body;
            }
        )* };
    }
    each!(|I| 0 1 2 3 4 5 6 7 8: B::PRODUCTS, if const { Factors::<B>::STEPS.given[I].alone().is_none() } {
        s.store(&mut factors[I], sum_of(s, &x, const { &Factors::<B>::STEPS.given[I] }));
    });
    // The compiler must not see what was stored, or it spreads pairs by shuffles.
    let factors = black_box(factors);
    each!(|I| 0 1 2 3 4 5 6 7 8: B::PRODUCTS, {
        let factor = match const { Factors::<B>::STEPS.given[I].alone() } {
            Some(part) => &parts[part],
            None => &factors[I],
        };
        y[I] = s.before_next(block_row(s, &matrices[I], from_ref(factor)));
    });
    each!(|I| 0 1 2 3 4: B::PARTS, {
        let sum = sum_of(s, &y, const { &Results::<B>::STEPS.given[I] });
        s.store(&mut parts[I], Wrapping::BY.divide(s, sum, const { B::LOSS }));
    });
}

impl<B: Bilinear> Kernel for Last<'_, B> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Last { mut matrices, mut vectors, factors, .. } = self;
        s.begin_products(16, matrices.len());
        while let (Some((group, more)), Some((parts, rest))) = (
            matrices.split_at_checked(const { B::PRODUCTS }),
            core::mem::take(&mut vectors).split_at_mut_checked(const { B::PARTS }),
        ) {
            product::<S, B>(s, group, parts, factors);
            (matrices, vectors) = (more, rest);
        }
    }
}

/// Matrices of `C` times vectors, as one kernel.
struct Apply<'a, C, const ROWS: usize> {
    prepared: &'a [Row],
    vectors: &'a mut [Row],
    scratch: &'a mut [Row],
    matrix: PhantomData<C>,
}

impl<C: Matrix<ROWS>, const ROWS: usize> Kernel for Apply<'_, C, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        C::apply(Within(s), self.prepared, self.vectors, self.scratch);
    }
}

/// The matrix side of `C`, as one kernel.
struct Prepare<'a, C, const ROWS: usize> {
    entries: &'a [Row],
    prepared: &'a mut [Row],
    scratch: &'a mut [Row],
    matrix: PhantomData<C>,
}

impl<C: Matrix<ROWS>, const ROWS: usize> Kernel for Prepare<'_, C, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        C::prepare(Within(s), self.entries, self.prepared, self.scratch);
    }
}

/// [`Matrix::apply`] of a matrix inside of another.
#[inline(always)]
fn apply<C: Matrix<ROWS>, const ROWS: usize>(
    cpu: impl Run,
    prepared: &[Row],
    vectors: &mut [Row],
    scratch: &mut [Row],
) {
    if const { C::SHORT } {
        cpu.run(Apply::<C, ROWS> { prepared, vectors, scratch, matrix: PhantomData });
    } else {
        C::apply(cpu, prepared, vectors, scratch);
    }
}

/// [`Matrix::prepare`] of a matrix inside of another.
#[inline(always)]
fn prepare<C: Matrix<ROWS>, const ROWS: usize>(
    cpu: impl Run,
    entries: &[Row],
    prepared: &mut [Row],
    scratch: &mut [Row],
) {
    if const { C::SHORT } {
        cpu.run(Prepare::<C, ROWS> { entries, prepared, scratch, matrix: PhantomData });
    } else {
        C::prepare(cpu, entries, prepared, scratch);
    }
}

/// Parts of `PART` rows by `B`, whose products are by `I`.
pub struct Cut<B, I, const ROWS: usize, const PART: usize> {
    parameters: PhantomData<(B, I)>,
}

impl<B: Bilinear, I: Matrix<PART>, const ROWS: usize, const PART: usize> Cut<B, I, ROWS, PART> {
    /// Rows of the matrices of all products.
    const BLOCKS: usize = B::PRODUCTS * 2 * PART;
    /// Rows of their vectors.
    const VECTORS: usize = B::PRODUCTS * PART;
    /// Whether all products are had together: short ones are, since to begin a kernel costs as much as they
    /// do.
    const TOGETHER: bool = PART <= 4;
    /// Whether parts are rows, whose products need no kernel of their own.
    const LAST: bool = I::IS_PLAIN && PART == 1;
    /// Rows of memory for what is inside, of one matrix and of any number.
    const INSIDE: [usize; 2] =
        if Self::TOGETHER { [B::PRODUCTS * I::EACH, I::FIXED] } else { [0, I::EACH + I::FIXED] };
}

impl<B: Bilinear, I: Matrix<PART>, const ROWS: usize, const PART: usize> Matrix<ROWS>
    for Cut<B, I, ROWS, PART>
{
    const PARTS: Parts = I::PARTS.inside(B::PARTS, B::IN_PAIRS);
    const BITS: u32 = {
        assert!(ROWS == B::PARTS * PART && 2 <= B::PARTS && 2 * B::PARTS <= TAKEN, "parts of other rows");
        I::BITS - B::LOSS
    };
    const PRODUCTS: usize = B::PRODUCTS * I::PRODUCTS;
    const PREPARED: usize = B::PRODUCTS * I::PREPARED;
    const SHORT: bool = Self::TOGETHER && !Self::LAST;
    const EACH: usize = if Self::LAST { 0 } else { Self::BLOCKS + Self::INSIDE[0] };
    const FIXED: usize = if Self::LAST { PRODUCTS } else { Self::INSIDE[1] };
    const ONCE: usize = if Self::TOGETHER {
        Self::PREPARED + Self::EACH + Self::FIXED
    } else {
        let inside = match (I::IS_PLAIN, I::SHORT) {
            (true, _) => I::EACH + I::FIXED,
            (_, true) => 2 * I::PREPARED + I::EACH + I::FIXED,
            _ => I::ONCE,
        };
        Self::BLOCKS + Self::VECTORS.next_multiple_of(2) + inside
    };

    /// Short matrices of the parts are prepared one ahead of the products: what is stored just before it is
    /// loaded is waited for. Others are multiplied one by one, in the same memory.
    fn multiply(cpu: impl Run, entries: &[Row], vector: &mut [Row], scratch: &mut [Row]) {
        if const { Self::TOGETHER } {
            let (prepared, rest) = scratch.split_at_mut(Self::PREPARED);
            Self::prepare(cpu, entries, prepared, rest);
            return Self::apply(cpu, prepared, vector, rest);
        }
        let (blocks, rest) = scratch.split_at_mut(Self::BLOCKS);
        let (values, rest) = rest.split_at_mut(const { Self::VECTORS.next_multiple_of(2) });
        let values = &mut values[..Self::VECTORS];
        map::<Matrices<B>, PART>(cpu, entries, blocks);
        map::<Factors<B>, PART>(cpu, vector, values);
        if const { I::IS_PLAIN } {
            let all = blocks.chunks_exact(const { 2 * PART }).zip(values.chunks_exact_mut(PART));
            all.for_each(|(block, value)| apply::<I, PART>(cpu, block, value, rest));
            return map::<Results<B>, PART>(cpu, values, vector);
        }
        if const { !I::SHORT } {
            let all = blocks.chunks_exact(const { 2 * PART }).zip(values.chunks_exact_mut(PART));
            all.for_each(|(block, value)| I::multiply(cpu, block, value, rest));
            return map::<Results<B>, PART>(cpu, values, vector);
        }
        let (mut this, rest) = rest.split_at_mut(I::PREPARED);
        let (mut next, rest) = rest.split_at_mut(I::PREPARED);
        let (first, others) = blocks.split_at(const { 2 * PART });
        prepare::<I, PART>(cpu, first, this, rest);
        let mut others = others.chunks_exact(const { 2 * PART });
        for value in values.chunks_exact_mut(PART) {
            if let Some(block) = others.next() {
                prepare::<I, PART>(cpu, block, next, rest);
            }
            apply::<I, PART>(cpu, this, value, rest);
            core::mem::swap(&mut this, &mut next);
        }
        map::<Results<B>, PART>(cpu, values, vector);
    }

    #[inline(always)]
    fn prepare(cpu: impl Run, entries: &[Row], prepared: &mut [Row], scratch: &mut [Row]) {
        if const { I::IS_PLAIN } {
            return map::<Matrices<B>, PART>(cpu, entries, prepared);
        }
        let (blocks, rest) = scratch.split_at_mut(entries.len() / const { 2 * ROWS } * Self::BLOCKS);
        map::<Matrices<B>, PART>(cpu, entries, blocks);
        if const { Self::TOGETHER } {
            return I::prepare(cpu, blocks, prepared, rest);
        }
        let blocks = blocks.chunks_exact(const { 2 * PART });
        for (block, prepared) in blocks.zip(prepared.chunks_exact_mut(I::PREPARED)) {
            prepare::<I, PART>(cpu, block, prepared, rest);
        }
    }

    #[inline(always)]
    fn apply(cpu: impl Run, prepared: &[Row], vectors: &mut [Row], scratch: &mut [Row]) {
        if const { Self::LAST } {
            let (matrices, factors) = (prepared.as_chunks().0, scratch.first_chunk_mut().expect(ROOM));
            return cpu.run(Last::<B> { matrices, vectors, factors, parameters: PhantomData });
        }
        let (values, rest) = scratch.split_at_mut(vectors.len() / ROWS * Self::VECTORS);
        map::<Factors<B>, PART>(cpu, vectors, values);
        if const { Self::TOGETHER } {
            I::apply(cpu, prepared, values, rest);
        } else {
            let all = prepared.chunks_exact(I::PREPARED).zip(values.chunks_exact_mut(PART));
            all.for_each(|(prepared, value)| apply::<I, PART>(cpu, prepared, value, rest));
        }
        map::<Results<B>, PART>(cpu, values, vectors);
    }
}
