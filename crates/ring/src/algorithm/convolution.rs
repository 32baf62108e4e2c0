//! Whole products, and the reduction by `f` that makes them products of a ring.
//!
//! # The map
//! A [`Convolution`] is an algorithm for `c = a b` for polynomials in rows of 16, with `2 n` coefficients. A
//! ring's product is that and `c` modulo `f`: every convolution of residues of the ring is a [`Product`].
//! The plainest convolution, which others end in, is below: pairwise multiply-adds on rows.
//!
//! # Row times row
//!
//! `c[16 k + t] = sum_i sum_p a_i[2p] b[16 (k-i) + t - 2p] + a_i[2p+1] b[16 (k-i) + t - 2p - 1]`. For even
//! `t` the two factors of `b` are a pair of lanes of the 16 words that begin at place `16 - 2p - 1` of the
//! window (row `k-i-1`, row `k-i`), for odd `t` of the words one place later. So with the pairs of `a_i`
//! swapped, one multiply-add per parity and `p` serves 16 products, and even and odd sums are joined at the
//! end: `n^2 / 16` multiply-adds for a whole product.
//!
//! # Conditions
//! Any number of rows; a power of two as modulus, or an odd one of which a row of products fits 32 bits
//! (`serves`).
//!
//! # Bounds
//! In: centred; out: centred. 32-bit sums hold so many rows of products before they must be reduced:
//! [`rows_per_sum`] computes how many from the bounds of the operands, at compile time.
//!
//! # Reduction by `f`
//! `x^n` is `1`, `-1`, `x^(n/2) - 1` or `x + 1`: at most two terms fold onto each coefficient. The words from
//! `n` on are read where they are, at whatever offset; coefficient `2 n - 1` of a product is zero.
//!
//! # Source
//! Ringsmith's own: the schoolbook product, in the order that pairwise multiply-adds take. Deviation: none of
//! the products of two rows is reduced by itself.
//!
//! ```
//! use ringsmith_ring::algorithm::convolution::rows_per_sum;
//! use ringsmith_ring::bound::Bound;
//! use ringsmith_ring::residues::Modulus;
//!
//! // NTRU Prime 761: of 48 rows of products a sum holds 21, and all of them where one operand is ternary.
//! let (modulus, centred) = (Modulus::Odd(4591), Bound::centred(4591));
//! assert_eq!(rows_per_sum(modulus, centred, centred, 48), 21);
//! assert_eq!(rows_per_sum(modulus, centred, Bound::symmetric(1), 48), 48);
//! ```

use super::choice::{LastStep, Operand};
use crate::bound::Bound;
use crate::memory::Rows;
use crate::multiply::Product;
use crate::reduce::barrett;
use crate::reduce::residues::{Arithmetic, Modulus, OddResidues, Residues};
use crate::ring::{Ring, Shape};
use crate::route::Route;
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// Products of polynomials of `OPERAND` rows, without a reduction by `f`. Constant time.
pub trait Convolution<const OPERAND: usize> {
    /// What the coefficients are.
    type Residues: Residues;
    /// How those of a product are centred.
    type Last: LastStep;
    /// The route of products in a ring by it alone.
    const ROUTE: Route;
    /// Where coefficients of operands may lie.
    const INPUT: Bound = <Self::Residues as Residues>::MODULUS.operand();
    /// How many coefficients a product may have.
    const LENGTH: usize = 32 * OPERAND;
    /// How many low bits of the product are right where words wrap.
    const BITS: u32 = 16;
    /// Rows of memory for a product; the coefficients stand in the first ones.
    const OUT: usize = 2 * OPERAND;
    /// Rows of memory beside that.
    const SCRATCH: usize;
    /// Proves at compile time that no lane overflows.
    const PROOF: ();

    /// `out = a b`, with coefficients as small as [`Arithmetic::shrink`] makes them. The coefficients of `b`
    /// are of the kind `B`.
    fn product<B: Operand>(
        cpu: impl Run,
        operands: [&[Row; OPERAND]; 2],
        out: &mut [Row],
        scratch: &mut [Row],
    );

    /// The same for operands whose rows from `used` on are zero. Only the first `2 used` rows of `out` are
    /// valid.
    fn product_of<B: Operand>(
        cpu: impl Run,
        used: usize,
        operands: [&[Row; OPERAND]; 2],
        out: &mut [Row],
        scratch: &mut [Row],
    ) {
        let _ = used;
        Self::product::<B>(cpu, operands, out, scratch);
    }
}

/// Products modulo `x^n + 1` with `n = 16 ROWS`, of centred coefficients modulo a prime. Constant time.
pub trait NegacyclicProduct<const ROWS: usize> {
    /// What the coefficients are.
    type Residues: OddResidues;
    /// The degree of the residues that its transform leaves.
    const BASE: usize;
    /// Proves at compile time that no lane overflows.
    const PROOF: ();
    /// `a = a b`, centred; spoils `b`.
    fn multiply(cpu: impl Run, a: &mut [Row; ROWS], b: &mut [Row; ROWS], memory: &mut [Row; ROWS]);
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for a whole product";

impl<R: Ring<Coeffs = Rows<OPERAND>>, C: Convolution<OPERAND>, const OPERAND: usize> Product<R> for C {
    const ROUTE: Route = C::ROUTE;
    const CHECK: () = {
        let ((), modulus) = (C::PROOF, <C::Residues as Residues>::MODULUS);
        assert!(modulus.serves(R::Q) && R::Q <= modulus.greatest(C::BITS), "residues of another ring");
        assert!(R::N.div_ceil(16) == OPERAND && 2 * R::N - 1 <= C::LENGTH, "a product is too long");
        assert!(Bound::centred(R::Q).within(C::INPUT), "operands are too large");
        assert!(folds(R::Q).is_ok(), "overflow: three residues, or a result that is not centred");
    };
    const SCRATCH: usize = C::OUT + C::SCRATCH;

    fn product<B: Operand>(cpu: impl Run, a: &[Row], b: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        let ((c, scratch), by) = (scratch.split_at_mut(C::OUT), C::Residues::modulo(R::Q));
        C::product::<B>(cpu, [a, b].map(|rows| rows.first_chunk().expect(ROOM)), c, scratch);
        fold::<R, _, C::Last, OPERAND>(cpu, by, c, out);
    }
}

/// The conditions of the reduction by any `f`: `q` is odd or a power of two; three residues fit a lane, and
/// end centred.
pub(crate) const fn folds(q: i64) -> Result<Modulus, WhyNot> {
    let Some(modulus) = Modulus::of(q) else { return Err(WhyNot::Even) };
    match modulus {
        Modulus::Odd(q) if !barrett::serves(q) => Err(WhyNot::Bounds),
        _ if !modulus.hold(modulus.shrunk().scale(3).mirrored()) => Err(WhyNot::Bounds),
        _ if !modulus.finish_is_centred() => Err(WhyNot::Bounds),
        _ => Ok(modulus),
    }
}

/// The conditions of products by sums of rows: those of the reduction, and that a row of products of shrunk
/// residues fits a sum.
pub(crate) const fn serves(q: i64) -> Result<(), WhyNot> {
    match folds(q) {
        Ok(modulus) if rows_per_sum(modulus, modulus.operand(), modulus.operand(), 1) == 0 => {
            Err(WhyNot::Bounds)
        }
        Ok(_) => Ok(()),
        Err(why) => Err(why),
    }
}

/// How many rows of products one 32-bit sum may hold, for centred `a` and `b` within their bounds, such that
/// the reduced sum can be added to a shrunk residue; at most `rows`. 0 where one row is too many.
pub const fn rows_per_sum(modulus: Modulus, a: Bound, b: Bound, rows: usize) -> usize {
    let mut count = rows;
    while count > 0 {
        let sum = a.mul(b).mirrored().scale(16 * count as i64);
        if let Some(reduced) = modulus.reduce_wide(sum)
            && modulus.hold(reduced.add(modulus.shrunk()))
        {
            break;
        }
        count -= 1;
    }
    count
}

/// A whole product, in one kernel: a call for each row would read and write the stack, which stalls where
/// that lies like the rows in their pages.
struct Whole<'a, M> {
    by: M,
    a: &'a [Row],
    b: &'a [Row],
    /// Room for `a` as it is multiplied by, mostly with the lanes of each pair swapped.
    swapped: &'a mut [Row],
    /// Room for the windows: `b` between two rows of zeroes.
    padded: &'a mut [Row],
    /// Rows per 32-bit sum.
    rows_per_sum: usize,
    out: &'a mut [Row],
}

impl<M: Residues> Kernel for Whole<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (rows, columns) = (self.a.len(), self.b.len());
        s.begin_products(16 * rows, 1);
        for (out, a) in self.swapped.iter_mut().zip(self.a) {
            s.store(out, self.by.operand(s, s.load(a)));
        }
        pad(s, self.b, self.padded);
        for (k, out) in self.out.iter_mut().enumerate().take(rows + columns) {
            // Window d = k - i is rows d and d + 1 of `padded`, 0 <= d <= columns.
            let (first, last) = (k.saturating_sub(columns), k.min(rows - 1));
            let a = self.swapped.get(first..=last).unwrap_or_default();
            let windows = self.padded.get(k - last..k - first + 2).unwrap_or_default();
            s.store(out, product_row(s, self.by, a, windows, self.rows_per_sum));
        }
    }
}

/// `out = b` between two rows of zeroes.
#[inline(always)]
fn pad<S: Simd>(s: S, b: &[Row], out: &mut [Row]) {
    let Some((first, rest)) = out.split_first_mut() else { return };
    s.store(first, s.splat(0));
    for (out, b) in rest.iter_mut().zip(b) {
        s.store(out, s.load(b));
    }
    if let Some(last) = rest.get_mut(b.len()) {
        s.store(last, s.splat(0));
    }
}

/// One row of a product: `sum_i a_i window_(k-i)`; `a`, of rows with swapped pairs, ascends while the
/// windows, one more, descend.
#[inline(always)]
fn product_row<S: Simd, M: Residues>(
    s: S,
    by: M,
    mut a: &[Row],
    mut windows: &[Row],
    rows_per_sum: usize,
) -> S::I16 {
    let mut total = s.splat(0);
    let (mut sums, mut held) = ([s.acc_zero(); 2], 0);
    while let (Some((row, more)), Some(window)) = (a.split_first(), windows.last_chunk::<2>()) {
        by.mac(s, &mut sums, row, window);
        held += 1;
        if held == rows_per_sum || more.is_empty() {
            total = by.shrink(s, s.add(total, by.sums(s, sums)));
            (sums, held) = ([s.acc_zero(); 2], 0);
        }
        a = more;
        let Some((_, fewer)) = windows.split_last() else { break };
        windows = fewer;
    }
    total
}

/// The whole product `c = a b`, `2 n` coefficients, as residues that are shrunk; a factor `2^-16` is
/// left where the modulus is odd.
pub(crate) fn product<M: Residues>(
    cpu: impl Run,
    by: M,
    rows_per_sum: usize,
    a: &[Row],
    b: &[Row],
    c: &mut [Row],
    scratch: &mut [Row],
) {
    let (padded, scratch) = scratch.split_at_mut(b.len() + 2);
    let swapped = &mut scratch[..a.len()];
    cpu.run(Whole { by, a, b, swapped, padded, rows_per_sum, out: c });
}

/// Rows of scratch memory that a product of operands of so many rows each takes.
pub(crate) const fn product_scratch(rows: usize) -> usize {
    2 * rows + 2
}

/// The greater one.
pub(crate) const fn greater(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

/// The lesser one.
pub(crate) const fn lesser(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// A product modulo the `f` of `R`, centred.
struct Fold<'a, R, M, L, const OPERAND: usize> {
    by: M,
    product: &'a [[Row; OPERAND]; 2],
    out: &'a mut [Row; OPERAND],
    parameters: PhantomData<(R, L)>,
}

/// Reduces a product by the `f` of `R`, and centres it by `L`.
#[inline]
pub(crate) fn fold<R: Ring, M: Arithmetic, L: LastStep, const OPERAND: usize>(
    cpu: impl Run,
    by: M,
    product: &[Row],
    out: &mut [Row],
) {
    let product = product.as_chunks().0.first_chunk().expect(ROOM);
    let out = out.first_chunk_mut().expect(ROOM);
    cpu.run(Fold::<R, M, L, OPERAND> { by, product, out, parameters: PhantomData });
}

/// All ones in the lanes from `low` to below `high`.
const fn lanes(low: usize, high: usize) -> Row {
    let (mut row, mut lane) = ([0; 16], low);
    while lane < high {
        row[lane] = -1;
        lane += 1;
    }
    row
}

impl<R: Ring, M: Arithmetic, L: LastStep, const OPERAND: usize> Fold<'_, R, M, L, OPERAND> {
    /// Rows below this one are below `x^(n/2)`, where that matters.
    const MIDDLE: usize = if matches!(R::SHAPE, Shape::HalfTrinomial) {
        assert!(R::N.is_multiple_of(32), "a row has both halves");
        R::N / 32
    } else {
        OPERAND
    };

    /// The sixteen words of the product from `at` on.
    #[inline(always)]
    fn words<S: Simd>(&self, s: S, at: usize) -> S::I16 {
        s.load(self.product.as_flattened().as_flattened()[at..].first_chunk().expect("a row of the product"))
    }

    /// Row `i`, of the lower half or not; `below` has zeroes where no coefficient is below, and `last` where
    /// there is none.
    #[inline(always)]
    fn row<S: Simd>(&mut self, s: S, i: usize, lower: bool, [below, last]: [Option<&Row>; 2]) {
        let (at, masked) = (16 * i, |x, mask: Option<&Row>| mask.map_or(x, |mask| s.and(x, s.load(mask))));
        let plain = self.words(s, at);
        let sum = match R::SHAPE {
            Shape::Cyclic => s.add(plain, self.words(s, at + R::N)),
            Shape::Negacyclic => s.sub(plain, self.words(s, at + R::N)),
            Shape::PrimeTrinomial => {
                let (above, one) = (self.words(s, at + R::N), self.words(s, at + R::N - 1));
                s.add(plain, s.add(above, masked(one, below)))
            }
            Shape::HalfTrinomial if lower => {
                s.sub(plain, s.add(self.words(s, at + R::N), self.words(s, at + R::N + R::N / 2)))
            }
            Shape::HalfTrinomial => s.add(plain, self.words(s, at + R::N / 2)),
        };
        s.store(&mut self.out[i], masked(L::centre(s, self.by, sum), last));
    }
}

impl<R: Ring, M: Arithmetic, L: LastStep, const OPERAND: usize> Kernel for Fold<'_, R, M, L, OPERAND> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (first, last) = const { (&lanes(1, 16), &lanes(0, R::N - 16 * (OPERAND - 1))) };
        self.row(s, 0, true, [Some(first), None]);
        let mut i = 1;
        while i < OPERAND - 1 && i < const { Self::MIDDLE } {
            self.row(s, i, true, [None, None]);
            i += 1;
        }
        while i < OPERAND - 1 {
            self.row(s, i, false, [None, None]);
            i += 1;
        }
        self.row(s, OPERAND - 1, false, [None, Some(last)]);
    }
}
