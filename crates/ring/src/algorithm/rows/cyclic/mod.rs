//! The row transform modulo `y^r - 1`: the fastest product where `f` is no binomial and `q` has roots of
//! unity of some smooth order.
//!
//! # The map
//! `y = x^L` with `L = 16 w` coefficients in a super-row, `w` rows of 16. A product of two polynomials of
//! degree below `n` has `2 n - 1` coefficients; `Z_q[x]/(x^(r L) - 1)` holds `r L` of them. `r` divides
//! `q - 1`: a cyclic transform of length `r` across super-rows leaves residues modulo `x^L - W^k`, and lanes
//! are never touched: no shuffle, no transpose.
//! 1. `r = A B` with coprime factors: `B` transforms of `A` points, then `A` of `B` (Good and Thomas: no
//!    twiddles between them), each a codelet in registers. Super-rows of the
//!    operands that are not there (more than half) are zero: the compiler takes them away.
//! 2. Base products modulo `x^L - W^k` by pairwise multiply-add on 32-bit sums
//!    ([`convolution`](crate::algorithm::convolution)).
//! 3. The transform backwards.
//! 4. Where `2 n - 1 > r L`, the coefficients that wrapped, `d_t = sum_(i + j = r L + t) a_i b_j`, are
//!    computed directly, taken off at the bottom and put where they belong: few, for a good choice of `r` and
//!    `L`.
//! 5. `x^n = x + 1`, and the exact reduction, in one pass.
//!
//! # Conditions
//! `x^n - x - 1`, an odd prime `q`, and a number of rows `w r` with `r` a divisor of `q - 1` that is a
//! product of two coprime numbers for which there is a codelet.
//!
//! # Bounds
//! In: centred; out: centred. Reductions in codelets are placed by the bounds of their inputs, separately for
//! each column of the first pass; [`PROOF`](RowsCyclic::PROOF) replays all of them, the base products, the
//! wrapped coefficients and the last sum.
//!
//! # Source
//! Ringsmith's own; its parts are Good and Thomas' and Rader's. D. J. Bernstein, B. B. Brumley, M.-S. Chen,
//! N. Tuveri (OpenSSLNTRU, eprint 2021/826) multiply modulo two auxiliary primes; V. Hwang, C.-T. Liu, B.-Y.
//! Yang (eprint 2023/604) modulo `q` itself by Rader and Bruun.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! let a = Poly::<NtruPrime761>::new(&[2295i16; 761]).unwrap();
//! let b = Poly::new(&[-2295i16; 761]).unwrap();
//! let rows = multiplier(Cpu::detect(), Route::Rows)?;
//! let slow = multiplier(Cpu::detect(), Route::Schoolbook)?;
//! let mut scratch = rows.scratch();
//! assert_eq!(rows.multiply(&a, &b, &mut scratch).centred(), slow.multiply(&a, &b, &mut scratch).centred());
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

mod geometry;
pub(crate) mod matrix;
mod plan;
mod transform;
mod unwrap;

use super::base::{BaseProducts, windows, windows_mut};
use crate::algorithm::choice::{Operand, Shrink};
use crate::algorithm::codelet::POINTS;
use crate::algorithm::codelet::run::run;
use crate::algorithm::convolution::{Convolution, fold};
use crate::algorithm::network::Aligned;
use crate::bound::Bound;
use crate::memory::{Room, Rows, Workspace};
use crate::multiply::Multiply;
use crate::number::is_prime;
use crate::reduce::barrett;
use crate::reduce::centre::Centre;
use crate::reduce::montgomery::Factor;
use crate::reduce::residues::OddResidues;
use crate::ring::{Ring, Shape};
use crate::route::Route;
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use geometry::Geometry;
use plan::Plans;
use ringsmith_simd::{Row, Run, Simd};
use transform::{Backward, Columns, Cyclic, FirstRows, Nth, SecondRows};
use unwrap::{Unwrap, top_row, wrapped_hold};

/// Rows that a byte addresses: the product before it is reduced by `f`. A byte needs no check.
pub(crate) const PRODUCT: usize = 256;
/// Rows for the coefficients of the second operand that wrap, and one more.
const TOP: usize = 12;

/// The greatest number of rows whose transform the memory holds.
pub(crate) const MAX_ROWS: usize = PRODUCT - TOP;
/// The greatest number of rows of a product that may wrap; even.
pub(crate) const MAX_WRAPPED: usize = TOP - 2;

/// How many rows of the operands have products that wrap.
const fn wrapped(n: usize, rows: usize) -> usize {
    n.div_ceil(16) - top_row(n, n.div_ceil(16), rows)
}

/// Whether so many rows hold a product of two polynomials of `n` coefficients: the coefficients that wrap fit
/// in the spare rows, and no other row is added where they are subtracted.
const fn has_room(n: usize, rows: usize) -> bool {
    let operand = n.div_ceil(16);
    operand <= rows
        && TOP <= rows
        && rows + TOP <= PRODUCT
        && wrapped(n, rows) < TOP
        && wrapped(n, rows) < operand
}

/// Whether a transform across so many rows can be used: there must be room for the product, and the bounds
/// must allow a plan.
const fn holds(geometry: &Geometry, n: usize, rows: usize) -> bool {
    is_prime(geometry.q)
        && has_room(n, rows)
        && wrapped_hold(geometry.q, wrapped(n, rows))
        && plan::exist(geometry)
}

/// Whether the plans found for so many rows pass the proof; `None` if a transform across so many rows cannot
/// be used.
#[cfg(ringsmith_internals)]
pub fn found(q: i64, n: usize, rows: usize) -> Option<bool> {
    let geometry = Geometry::find(q, n.div_ceil(16), rows).filter(|geometry| holds(geometry, n, rows))?;
    Some(Plans::find(&geometry).hold(&geometry))
}

/// The conditions of a product modulo `x^n - x - 1`: across some number of rows, all but a few coefficients.
pub(crate) const fn serves(q: i64, n: usize) -> Result<(), WhyNot> {
    if q % 2 == 0 || !is_prime(q) {
        return Err(WhyNot::Modulus);
    }
    if !barrett::serves(q) {
        return Err(WhyNot::Bounds);
    }
    let operand = n.div_ceil(16);
    let (mut rows, mut why) = (operand + 1 + (operand + 1) % 2, WhyNot::Divisor);
    if 2 * operand > rows + MAX_WRAPPED {
        rows = 2 * operand - MAX_WRAPPED;
    }
    while rows <= MAX_ROWS {
        if let Some(geometry) = Geometry::find(q, operand, rows) {
            if holds(&geometry, n, rows) {
                return Ok(());
            }
            why = WhyNot::Bounds;
        }
        rows += 2;
    }
    Err(why)
}

/// Whether whole products of operands of so many rows modulo `p` are had across `rows` rows with so many
/// windows.
pub(in crate::algorithm) const fn convolves(p: i64, operand: usize, rows: usize, windows: usize) -> bool {
    if !barrett::serves(p) || !is_prime(p) || 2 * operand > rows || rows > PRODUCT {
        return false;
    }
    match Geometry::find(p, operand, rows) {
        Some(geometry) => geometry.width == super::base::width(rows, windows) && plan::exist(&geometry),
        None => false,
    }
}

/// Rows of memory that a product takes beside its result.
pub const fn scratch(rows: usize, pairs: usize) -> usize {
    rows + prepared(pairs) + PRODUCT
}

/// Rows of memory that a prepared operand takes.
pub const fn prepared(pairs: usize) -> usize {
    2 * pairs + TOP
}

/// Rows of memory that a whole product takes beside its coefficients.
pub(in crate::algorithm) const fn convolution_scratch(rows: usize, pairs: usize) -> usize {
    rows + if 2 * pairs > PRODUCT { 2 * pairs } else { PRODUCT }
}

/// The row transform of residues `M` on `ROWS` rows for operands of `OPERAND` rows, with `PAIRS` windows of
/// two rows.
#[derive(Clone, Copy)]
pub struct RowsCyclic<M, const OPERAND: usize, const ROWS: usize, const PAIRS: usize> {
    residues: PhantomData<M>,
}

impl<M: OddResidues, const OPERAND: usize, const ROWS: usize, const PAIRS: usize>
    RowsCyclic<M, OPERAND, ROWS, PAIRS>
{
    /// The transform.
    pub const BY: Self = RowsCyclic { residues: PhantomData };
    /// How the rows are cut.
    pub const GEOMETRY: Geometry = Geometry::of(M::Q, OPERAND, ROWS);
    /// The plans that the kernels read and the proof replays.
    pub const PLANS: Plans = Plans::find(&Self::GEOMETRY);

    /// Whether no lane overflows with these plans, on any CPU.
    pub const fn holds(plans: &Plans) -> bool {
        plans.hold(&Self::GEOMETRY)
    }

    /// Proves at compile time that no lane overflows.
    pub const PROOF: () = assert!(Self::holds(&Self::PLANS), "overflow: a lane of the row transform");

    /// `2^16 / r`: undoes the sum over the transform and the Montgomery step of the base products.
    const SCALE: Factor = Factor::new(Self::GEOMETRY.scale(), M::Q);
    /// `W^k` times the scale, `(z, z)` and `(zq, zq)`, for the super-rows in their order in memory.
    const TWISTS: Aligned<[[[i16; 2]; 2]; ROWS]> = {
        let (geometry, mut twists, mut k) = (Self::GEOMETRY, [[[0; 2]; 2]; ROWS], 0);
        while k < geometry.a * geometry.b {
            let f = Factor::new(geometry.root(k) * geometry.scale() % M::Q, M::Q);
            twists[k] = [[f.z; 2], [f.zq; 2]];
            k += 1;
        }
        Aligned(twists)
    };
}

impl<M: OddResidues, const OPERAND: usize, const ROWS: usize, const PAIRS: usize> Cyclic
    for RowsCyclic<M, OPERAND, ROWS, PAIRS>
{
    const GEOMETRY: Geometry = Self::GEOMETRY;
    const PLANS: &'static Plans = &Self::PLANS;

    #[inline(always)]
    fn codelet<S: Simd, const I: usize>(self, s: S, x: [S::I16; POINTS]) -> [S::I16; POINTS] {
        run::<S, Nth<Self, I>, M>(s, x)
    }

    #[inline(always)]
    fn window<S: Simd>(self, s: S, k: usize, b: S::I16) -> [S::I16; 2] {
        let twist = &const { &Self::TWISTS.0 }[k];
        let twisted = s.mul_mont(b, s.splat_pair(&twist[0]), s.splat_pair(&twist[1]), s.splat(M::Q as i16));
        [twisted, M::BY.scale(s, b, const { Self::SCALE })]
    }
}

/// The parts of the scratch memory: a transform, the windows of the second operand and its top, the product.
struct Parts<'a, const ROWS: usize> {
    rows: &'a mut [Row; ROWS],
    second: &'a mut [Row],
    product: &'a mut [Row; PRODUCT],
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for the row transform";

fn parts<const ROWS: usize>(rows: &mut [Row]) -> Parts<'_, ROWS> {
    let (product, rest) = rows.split_first_chunk_mut().expect(ROOM);
    let (rows, second) = rest.split_first_chunk_mut().expect(ROOM);
    Parts { rows, second, product }
}

impl<M: OddResidues, const OPERAND: usize, const ROWS: usize, const PAIRS: usize>
    RowsCyclic<M, OPERAND, ROWS, PAIRS>
{
    fn forward_second<R: Ring>(cpu: impl Run, b: &Rows<OPERAND>, rows: &mut [Row; ROWS], second: &mut [Row]) {
        let (windows, rest) = windows_mut::<PAIRS>(second);
        let top: &mut [Row; TOP] = rest.first_chunk_mut().expect(ROOM);
        cpu.run(Columns { by: Self::BY, input: &b.0, out: rows });
        cpu.run(SecondRows { by: Self::BY, rows, windows });
        *top = [[0; 16]; TOP];
        let wraps = &b.0[const { top_row(R::N, OPERAND, ROWS) }..];
        top[..wraps.len()].copy_from_slice(wraps);
    }

    fn pointwise_and_inverse<R: Ring>(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        second: &[Row],
        out: &mut Rows<OPERAND>,
        rows: &mut [Row; ROWS],
        product: &mut [Row; PRODUCT],
    ) {
        let (windows, top) = (windows(second), second[2 * PAIRS..].first_chunk().expect(ROOM));
        cpu.run(Columns { by: Self::BY, input: &a.0, out: rows });
        cpu.run(FirstRows { by: Self::BY, rows });
        cpu.run(BaseProducts::<_, ROWS, PAIRS> { by: M::BY, rows, windows });
        cpu.run(Backward { by: Self::BY, rows, out: product });
        if const { top_row(R::N, OPERAND, ROWS) < OPERAND } {
            // The transform is no longer needed.
            let swapped = rows.first_chunk_mut().expect(ROOM);
            cpu.run(Unwrap::<R, _, OPERAND, ROWS> {
                by: M::BY,
                a: &a.0,
                top,
                swapped,
                out: product,
                ring: PhantomData,
            });
        }
        fold::<R, _, Shrink, OPERAND>(cpu, M::BY, product, &mut out.0);
    }
}

impl<M: OddResidues, const OPERAND: usize, const ROWS: usize, const PAIRS: usize> Convolution<OPERAND>
    for RowsCyclic<M, OPERAND, ROWS, PAIRS>
{
    type Residues = M;
    type Last = Shrink;
    const ROUTE: Route = Route::Rows;
    const INPUT: Bound = Bound::centred(M::Q);
    const SCRATCH: usize = convolution_scratch(ROWS, PAIRS);
    const PROOF: () = {
        assert!(convolves(M::Q, OPERAND, ROWS, PAIRS), "a product that is too long for so many rows");
        let () = Self::PROOF;
    };

    fn product<B: Operand>(
        cpu: impl Run,
        [a, b]: [&[Row; OPERAND]; 2],
        out: &mut [Row],
        scratch: &mut [Row],
    ) {
        let (rows, rest) = scratch.split_first_chunk_mut::<ROWS>().expect(ROOM);
        let (windows, _) = windows_mut::<PAIRS>(rest);
        cpu.run(Columns { by: Self::BY, input: b, out: rows });
        cpu.run(SecondRows { by: Self::BY, rows, windows });
        cpu.run(Columns { by: Self::BY, input: a, out: rows });
        cpu.run(FirstRows { by: Self::BY, rows });
        cpu.run(BaseProducts::<_, ROWS, PAIRS> { by: M::BY, rows, windows });
        // The windows are no longer needed.
        let product: &mut [Row; PRODUCT] = rest.first_chunk_mut().expect(ROOM);
        cpu.run(Backward { by: Self::BY, rows, out: product });
        let out = &mut out[..2 * OPERAND];
        out.copy_from_slice(&product[..2 * OPERAND]);
        cpu.run(Centre { by: M::BY, rows: out });
    }
}

impl<
    R: Ring<Coeffs = Rows<OPERAND>>,
    M: OddResidues,
    const OPERAND: usize,
    const ROWS: usize,
    const PAIRS: usize,
> Multiply<R> for RowsCyclic<M, OPERAND, ROWS, PAIRS>
{
    const ROUTE: Route = Route::Rows;
    const CHECK: () = {
        assert!(R::Q == M::Q && R::N.div_ceil(16) == OPERAND && matches!(R::SHAPE, Shape::PrimeTrinomial));
        assert!(super::base::width(ROWS, PAIRS) == Self::GEOMETRY.width);
        assert!(holds(&Self::GEOMETRY, R::N, ROWS), "too long, or overflow: a coefficient that wrapped");
        let () = Self::PROOF;
    };
    const SCRATCH: Room = Room::rows(scratch(ROWS, PAIRS));
    const PREPARED: Room = Room::rows(prepared(PAIRS));

    fn multiply(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        b: &Rows<OPERAND>,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let Parts { rows, second, product } = parts::<ROWS>(scratch.parts_mut().0);
        Self::forward_second::<R>(cpu, b, rows, second);
        Self::pointwise_and_inverse::<R>(cpu, a, second, out, rows, product);
    }

    fn prepare(cpu: impl Run, b: &Rows<OPERAND>, prepared: &mut R::Prepared, scratch: &mut R::Scratch) {
        let rows = parts::<ROWS>(scratch.parts_mut().0).rows;
        Self::forward_second::<R>(cpu, b, rows, prepared.parts_mut().0);
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        prepared: &R::Prepared,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let Parts { rows, product, .. } = parts::<ROWS>(scratch.parts_mut().0);
        Self::pointwise_and_inverse::<R>(cpu, a, prepared.parts().0, out, rows, product);
    }
}
