//! Rader's transform of 17 points, Bruun's splits and Karatsuba: the paper's product for NTRU Prime 761.
//!
//! # The map
//! 1. With `y = x^96`, `Z_q[x]/(1 + y + y^2 + ... + y^16)` holds products of 1521 coefficients. 17 divides
//!    `q - 1`: with `w` of order 17 it splits into the rings modulo `x^96 - w^k`, `k` = 1 to 16. That is a
//!    transform of 17 points without the point of `k = 0`, of 8 inputs forward; by Rader it is a cyclic
//!    convolution of 16 points, here across rows, so nothing is permuted. Backwards the missing value is
//!    minus a sum of the others, because a polynomial of 16 coefficients in `y` has no `y^16`.
//! 2. `96 14 = 1` modulo 17 but for the factor, `96 14 = 79 17 + 1`: `x = w^(14 k) x'` makes `x'^96 - 1` of
//!    each. A transform of `3 x 2` points across its six rows leaves `x'^16 - z^m` with `z = -e` of order 6,
//!    `e` of order 3, and `x' = e^m x''` makes `x''^16 - (-1)^m` of that.
//! 3. For each `m` the 16 rows of `k` = 1 to 16 are transposed: then each lane has one problem of size 16,
//!    whatever `k` is. The factors of both substitutions are a table of one row for each coefficient.
//! 4. `x^16 - 1 = (x^8 - 1)(x^8 + 1)`, and after Bruun `x^16 + 1 = (x^8 + s x^4 + 1)(x^8 - s x^4 + 1)` with
//!    `s^2 = 2`: modulo these `x^12 = x^4 + s` and `x^12 = x^4 - s`, so the split takes products by `s` of
//!    two of the four quarters.
//! 5. Products of 8 coefficients by three layers of Karatsuba (27 products for 64), reduced by the trinomial.
//! 6. All of it backwards, and `x^761 = x + 1` in one pass with the last reduction.
//!
//! # Conditions
//! `x^n - x - 1` with `2 n - 1 <= 1536`, a prime `q` of which `q - 1` is a multiple of `6 17 = 102`, and
//! modulo which 2 has a square root.
//!
//! # Bounds
//! In: centred; out: centred. The codelets are placed for what they are given;
//! [`PROOF`](Rader::PROOF) replays them, and follows the splits and the products.
//!
//! # Source
//! V. Hwang, C.-T. Liu, B.-Y. Yang: Algorithmic views of vectorized polynomial multipliers: NTRU Prime
//! (eprint 2023/604), section 4; C. M. Rader, 1968; G. Bruun, 1978. Deviations: the transposes stand between
//! the transform of six points and the splits, and the convolution of 16 points is cut by Toeplitz matrices.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! let mut x = [0i16; 761];
//! x[760] = 1;
//! let x = Poly::<NtruPrime761>::new(&x).unwrap();
//! let rader = multiplier(Cpu::detect(), Route::Rader)?;
//! // x^1520 = x^759 x^761 = x^760 + x^759
//! assert_eq!(rader.multiply(&x, &x, &mut rader.scratch()).centred()[758..], [0, 1, 1]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

mod eight;
mod pieces;
mod plan;
mod transform;

use super::choice::{Any, Operand, Shrink};
use super::convolution::{Convolution, fold};
use super::tree::roots_serve;
use crate::bound::{Bound, hold};
use crate::memory::{Room, Rows, Workspace};
use crate::multiply::{Multiply, Product};
use crate::reduce::barrett;
use crate::reduce::residues::Odd;
use crate::ring::{Ring, Shape};
use crate::route::Route;
use crate::why_not::WhyNot;
use pieces::Products;
use plan::{Plans, Tables};
use ringsmith_simd::{Row, Run};
use transform::{Gather, Merge, Split, Spread};

/// Points of the transform of 17 that are kept, lanes of a row, and coefficients of a problem.
const POINTS: usize = 16;
/// The prime of Rader's transform.
const PRIME: usize = POINTS + 1;
/// Rows of an element modulo `x^96 - w^k`.
const BLOCK: usize = 6;
/// Rows of a transform.
const ROWS: usize = POINTS * BLOCK;
/// Blocks of an operand.
const INPUTS: usize = POINTS / 2;
/// Coefficients that a product may have.
const MAX: usize = 16 * ROWS;

/// Rows of memory that a product takes: the product, and two transforms.
pub const SCRATCH: usize = 3 * ROWS;

/// A square root of 2 modulo a prime; `None` where there is none.
const fn root_of_two(q: i64) -> Option<i64> {
    let mut x = 1;
    while x < q {
        if x * x % q == 2 {
            return Some(x);
        }
        x += 1;
    }
    None
}

/// The conditions. Where products hold, `q` is small enough for codelets to be placed.
pub(crate) const fn serves(q: i64, n: usize, shape: Shape) -> Result<(), WhyNot> {
    if !matches!(shape, Shape::PrimeTrinomial) {
        return Err(WhyNot::Shape { needs: Shape::PrimeTrinomial });
    }
    if 2 * n - 1 > MAX {
        return Err(WhyNot::Length { max: MAX });
    }
    if let Err(why) = roots_serve(q, PRIME * BLOCK) {
        return Err(why);
    }
    match root_of_two(q) {
        Some(_) if barrett::serves(q) && pieces::hold(q) && plan::hold(q) => Ok(()),
        Some(_) => Err(WhyNot::Bounds),
        None => Err(WhyNot::RootOfTwo),
    }
}

/// The product modulo `Q` of operands of `OPERAND` rows.
pub struct Rader<const Q: i64, const OPERAND: usize>;

impl<const Q: i64, const OPERAND: usize> Rader<Q, OPERAND> {
    /// The plans that the kernels read and the proof replays.
    pub const PLANS: Plans = Tables::<Q>::PLANS;

    /// Whether no lane of the transform overflows with these plans, on any CPU.
    pub const fn holds(plans: &Plans) -> bool {
        plans.hold()
    }

    /// Proves at compile time that no lane overflows on any CPU.
    pub const PROOF: () = {
        assert!(OPERAND <= INPUTS * BLOCK, "more rows than a transform has");
        assert!(pieces::hold(Q), "overflow: a lane of a product");
        assert!(Self::holds(&Self::PLANS), "overflow: a lane of the transform");
    };

    fn forward(cpu: impl Run, from: &[Row; OPERAND], to: &mut [Row; ROWS]) {
        cpu.run(Spread::<Q, OPERAND> { from, to });
        cpu.run(Split::<Q> { x: to });
    }

    /// `out` of the transform in `x`, which is spoilt, and that in `y`.
    fn pointwise_and_inverse(cpu: impl Run, x: &mut [Row; ROWS], y: &[Row; ROWS], out: &mut [Row; ROWS]) {
        let work = out.first_chunk_mut().expect(ROOM);
        cpu.run(Products::<Q> { a: x, b: y, work });
        cpu.run(Merge::<Q> { x });
        cpu.run(Gather::<Q> { x, out });
        debug_assert!(hold(out.as_flattened(), Bound::centred(Q)));
    }
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for two transforms";

impl<const Q: i64, const OPERAND: usize> Convolution<OPERAND> for Rader<Q, OPERAND> {
    type Residues = Odd<Q>;
    type Last = Shrink;
    const ROUTE: Route = Route::Rader;
    const INPUT: Bound = Bound::centred(Q);
    const LENGTH: usize = MAX;
    const OUT: usize = ROWS;
    const SCRATCH: usize = 2 * ROWS;
    const PROOF: () = Self::PROOF;

    fn product<B: Operand>(
        cpu: impl Run,
        [a, b]: [&[Row; OPERAND]; 2],
        out: &mut [Row],
        scratch: &mut [Row],
    ) {
        let (x, rest) = scratch.split_first_chunk_mut().expect(ROOM);
        let y = rest.first_chunk_mut().expect(ROOM);
        Self::forward(cpu, a, x);
        Self::forward(cpu, b, y);
        Self::pointwise_and_inverse(cpu, x, y, out.first_chunk_mut().expect(ROOM));
    }
}

impl<R: Ring<Coeffs = Rows<OPERAND>>, const Q: i64, const OPERAND: usize> Multiply<R> for Rader<Q, OPERAND> {
    const ROUTE: Route = Route::Rader;
    const CHECK: () = {
        assert!(R::Q == Q && R::N.div_ceil(16) == OPERAND && serves(R::Q, R::N, R::SHAPE).is_ok());
        let () = Self::PROOF;
    };
    const SCRATCH: Room = Room::rows(SCRATCH);
    const PREPARED: Room = Room::rows(ROWS);

    fn multiply(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        b: &Rows<OPERAND>,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        <Self as Product<R>>::product::<Any<R>>(cpu, &a.0, &b.0, &mut out.0, scratch.parts_mut().0);
    }

    fn prepare(cpu: impl Run, b: &Rows<OPERAND>, prepared: &mut R::Prepared, _: &mut R::Scratch) {
        Self::forward(cpu, &b.0, prepared.parts_mut().0.first_chunk_mut().expect(ROOM));
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        prepared: &R::Prepared,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let (product, rest) = scratch.parts_mut().0.split_first_chunk_mut().expect(ROOM);
        let x = rest.first_chunk_mut().expect(ROOM);
        Self::forward(cpu, &a.0, x);
        Self::pointwise_and_inverse(cpu, x, prepared.parts().0.first_chunk().expect(ROOM), product);
        fold::<R, _, Shrink, OPERAND>(cpu, Odd::<Q>, product, &mut out.0);
    }
}
