//! Products modulo `x^n - 1` by Toeplitz matrices: for powers of two.
//!
//! # The map
//! `c = a b` modulo `x^n - 1` is `c_i = sum_j t_(i-j) a_j` with `t_d = b_(d mod n)`: a vector times a matrix
//! whose entries depend on `i - j` alone. The matrix has `2 N` of them, `N >= n`: `b` twice, one behind the
//! other. That is the whole reduction by `x^n - 1`, and nothing overlaps that would have to be added.
//!
//! With `m` parts of the vector the matrix has `2 m - 1` blocks `T_(1-m), ..., T_(m-1)`, which are Toeplitz
//! matrices too. Where a product of `m` parts is `C (E a * E b)` with the values `E` at `2 m - 1` points and
//! Lagrange's matrix `C` ([Toom and Cook](super::toom_cook)), the product of matrix and vector is the
//! transposed
//!
//! ```text
//! T a = E' (C' T * E a),      E a at the points, the parts of a backwards
//! ```
//!
//! [Karatsuba](super::karatsuba)'s for `m = 2`, at 0, 1 and infinity; his in one iteration has
//! `m (m + 1) / 2` products and no denominators. Each of the three maps is one kernel, which takes all parts
//! of a row at once. Where parts are rows, the last two and the products between them are one kernel, too.
//! * The matrix side, `C' T`: numerators are integers, and the odd parts of denominators have inverses modulo
//!   `2^16`. Numerators have factors in common, which are applied once. It depends on `b` alone, so it is
//!   done once where `b` is prepared.
//! * The vector side and the sums at the end: small constants.
//! * What is left of the denominators is one power of two, by which the sums are shifted at last: as many
//!   bits are lost as by the product of polynomials, and all of them there.
//!
//! Blocks of a few rows are multiplied by every entry, in windows
//! ([`convolution`](crate::algorithm::convolution)): on NEON a window times one lane of the vector in one
//! instruction with its sum, elsewhere by pairs, which are spread by loads. The vector's lanes are swapped
//! for these before anything else: the maps take each lane alone, so they need not know.
//!
//! # Conditions
//! A power of two, `x^n - 1`; rows that are a multiple of the parts; bits left above the modulus.
//!
//! # Bounds
//! In: centred; out: centred. Words wrap.
//!
//! # Source
//! S. Winograd, 1980, for the transposition; for NTRU: H.-T. Chen, Y.-H. Chung, V. Hwang, C.-T. Liu,
//! B.-Y. Yang (eprint 2023/541). Deviation: matrices are computed by Lagrange, not written down.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NtruHps677};
//! use ringsmith_simd::Cpu;
//!
//! let mut x = [0i16; 677];
//! x[676] = -1024;
//! let x = Poly::<NtruHps677>::new(&x).unwrap();
//! let toeplitz = multiplier(Cpu::detect(), "toeplitz:5/3/3".parse::<Route>().unwrap())?;
//! // x^1352 = x^675, and 2^20 is 0.
//! assert_eq!(toeplitz.multiply(&x, &x, &mut toeplitz.scratch()).centred(), [0; 677]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

mod bilinear;
mod cut;
mod kept;
mod steps;

use super::size_class::{self, lanes_below, stands};
use super::toom_cook::{POINTS, loss};
use crate::memory::{Room, Rows, Workspace};
use crate::multiply::Multiply;
use crate::reduce::residues::{Arithmetic, Modulus, Residues, Wrapping};
use crate::ring::{Ring, Shape};
use crate::route::{Parts, Route};
use crate::why_not::WhyNot;
pub use bilinear::{AtPoints, Bilinear, InPairs};
use core::marker::PhantomData;
pub use cut::Cut;
pub use kept::Kept;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// Products of Toeplitz matrices of `ROWS` rows of 16 by vectors of as many, any number of them. Constant
/// time.
pub trait Matrix<const ROWS: usize> {
    /// Into how many parts it is cut, and these.
    const PARTS: Parts;
    /// How many low bits of the product are right.
    const BITS: u32;
    /// How many products of a row by a row there are.
    const PRODUCTS: usize;
    /// Rows of memory for the matrix side.
    const PREPARED: usize;
    /// Whether the matrix side is the entries as they are.
    const IS_PLAIN: bool = false;
    /// Whether maps and products are parts of one kernel where others cut the matrix out: to begin a kernel
    /// costs as much as those of a few rows.
    const SHORT: bool = false;
    /// Rows of memory beside that for each of the matrices.
    const EACH: usize;
    /// The same for any number of them.
    const FIXED: usize;
    /// Rows of memory for the product of a matrix that serves once.
    const ONCE: usize = Self::PREPARED + Self::EACH + Self::FIXED;

    /// The matrix side of `2 ROWS` rows of entries each, `t_d` being word `16 ROWS + d`.
    fn prepare(cpu: impl Run, entries: &[Row], prepared: &mut [Row], scratch: &mut [Row]);
    /// The matrices times vectors, in the place of these. Vectors come as
    /// [`word_operand`](ringsmith_simd::I16Lanes::word_operand) has their rows; products are in order.
    fn apply(cpu: impl Run, prepared: &[Row], vectors: &mut [Row], scratch: &mut [Row]);
    /// A matrix of such entries, which serves once, times a vector, in the place of this. It may take less
    /// memory than the matrix side.
    fn multiply(cpu: impl Run, entries: &[Row], vector: &mut [Row], scratch: &mut [Row]) {
        let (prepared, rest) = scratch.split_at_mut(Self::PREPARED);
        Self::prepare(cpu, entries, prepared, rest);
        Self::apply(cpu, prepared, vector, rest);
    }
}

/// Every entry times every coefficient.
pub struct Block<const ROWS: usize>;

/// Blocks times vectors.
struct Every<'a, const ROWS: usize> {
    /// Two of each block.
    entries: &'a [[Row; ROWS]],
    vectors: &'a mut [[Row; ROWS]],
}

/// A row of a block times a vector: its entries, in windows.
#[inline(always)]
fn block_row<S: Simd, const ROWS: usize>(s: S, entries: &[Row], vector: &[Row; ROWS]) -> S::I16 {
    let mut sums = [s.acc_zero(); 2];
    // The last row meets the first window.
    for (row, two) in vector.iter().rev().zip(entries.windows(2)) {
        s.mac_words(&mut sums, row, two.first_chunk().expect("two rows a window"));
    }
    s.word_sums(sums)
}

impl<const ROWS: usize> Kernel for Every<'_, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Every { entries, vectors } = self;
        s.begin_products(16 * ROWS, vectors.len());
        for (block, vector) in entries.as_chunks::<2>().0.iter().zip(vectors) {
            let mut product = [s.splat(0); ROWS];
            for (out, entries) in product.iter_mut().zip(block.as_flattened().windows(ROWS + 1)) {
                *out = block_row(s, entries, vector);
            }
            for (out, row) in vector.iter_mut().zip(product) {
                s.store(out, row);
            }
        }
    }
}

impl<const ROWS: usize> Matrix<ROWS> for Block<ROWS> {
    const PARTS: Parts = Parts::NONE;
    const BITS: u32 = 16;
    const PRODUCTS: usize = ROWS * ROWS;
    const PREPARED: usize = 2 * ROWS;
    const IS_PLAIN: bool = true;
    const EACH: usize = 0;
    const FIXED: usize = 0;

    fn prepare(_: impl Run, entries: &[Row], prepared: &mut [Row], _: &mut [Row]) {
        prepared.copy_from_slice(entries);
    }

    fn apply(cpu: impl Run, prepared: &[Row], vectors: &mut [Row], _: &mut [Row]) {
        let (entries, vectors) = (prepared.as_chunks().0, vectors.as_chunks_mut().0);
        cpu.run(Every::<ROWS> { entries, vectors });
    }
}

/// The conditions of so many parts in parts: no part of zeroes, and bits above the modulus.
pub(crate) const fn serves(q: i64, n: usize, shape: Shape, parts: Parts) -> Result<(), WhyNot> {
    let (Some(Modulus::Wrapping), Some(_)) = (Modulus::of(q), size_class::of(n)) else {
        return Err(WhyNot::Wrapping);
    };
    if !matches!(shape, Shape::Cyclic) {
        return Err(WhyNot::Shape { needs: Shape::Cyclic });
    }
    let (mut all, mut lost, mut i) = (1, 0, 0);
    while i < parts.depth() {
        let (count, in_pairs) = (parts.count(i), parts.in_pairs(i));
        let products = if in_pairs { count * (count + 1) / 2 } else { 2 * count - 1 };
        if count < 2 || products > POINTS {
            return Err(WhyNot::Points);
        }
        lost += if in_pairs { 0 } else { loss(count) };
        (all, i) = (all * count, i + 1);
    }
    // Operands are as long as they must be for parts of whole rows.
    let rows = n.div_ceil(16);
    let length = rows.next_multiple_of(all);
    if parts.depth() > 0 && length - length / parts.count(0) >= rows {
        return Err(WhyNot::Rows { rows });
    }
    if q.ilog2() + lost > 16 { Err(WhyNot::Bits { lost }) } else { Ok(()) }
}

/// Products in a ring by a matrix of its second operand, with `LENGTH` rows where elements have `OPERAND`.
pub struct Toeplitz<C, const LENGTH: usize, const OPERAND: usize>(PhantomData<C>);

/// A vector as it is multiplied by, with zeroes behind it. Maps act on each lane alone: an order of lanes
/// before them is the same after them.
struct Operand<'a> {
    a: &'a [Row],
    out: &'a mut [Row],
}

impl Kernel for Operand<'_> {
    type Out = ();
    const SPILLS: bool = false;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let (front, behind) = self.out.split_at_mut(self.a.len().min(self.out.len()));
        for (out, row) in front.iter_mut().zip(self.a) {
            s.store(out, s.word_operand(s.load(row)));
        }
        behind.fill([0; 16]);
    }
}

/// The coefficients of a product, centred; zeroes behind them.
struct Centre<'a> {
    by: Wrapping,
    n: usize,
    product: &'a [Row],
    out: &'a mut [Row],
}

impl Kernel for Centre<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Centre { by, n, product, out } = self;
        let (whole, rest) = out.split_at_mut(n / 16);
        for (out, row) in whole.iter_mut().zip(product) {
            s.store(out, by.finish(s, s.load(row)));
        }
        rest.fill([0; 16]);
        if let (Some(last), Some(row)) = (rest.first_mut(), product.get(n / 16)) {
            s.store(last, s.and(by.finish(s, s.load(row)), s.load(lanes_below(n % 16))));
        }
    }
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for a matrix";

impl<C: Matrix<LENGTH>, const LENGTH: usize, const OPERAND: usize> Toeplitz<C, LENGTH, OPERAND> {
    /// Rows of memory: for a product, and for a prepared operand.
    pub const MEMORY: [usize; 2] = {
        let (once, many) =
            (2 * LENGTH + LENGTH.next_multiple_of(2) + C::ONCE, 2 * LENGTH + C::EACH + C::FIXED);
        [if once > many { once } else { many }, C::PREPARED]
    };

    /// The entries of the matrix: the coefficients twice.
    fn entries(n: usize, b: &[Row], entries: &mut [Row]) {
        let (first, second) = entries.as_flattened_mut().split_at_mut(16 * LENGTH);
        let (before, first) = first.split_at_mut(16 * LENGTH - n);
        let (second, behind) = second.split_at_mut(n);
        for copy in [first, second] {
            copy.copy_from_slice(&b.as_flattened()[..n]);
        }
        for zeroes in [before, behind] {
            zeroes.fill(0);
        }
    }
}

impl<R: Ring<Coeffs = Rows<OPERAND>>, C: Matrix<LENGTH>, const LENGTH: usize, const OPERAND: usize>
    Multiply<R> for Toeplitz<C, LENGTH, OPERAND>
{
    const ROUTE: Route = Route::Toeplitz { parts: C::PARTS };
    const CHECK: () = {
        assert!(Wrapping::MODULUS.serves(R::Q) && R::Q <= 1 << C::BITS, "more bits are lost than are left");
        assert!(stands::<R>(OPERAND) && stands::<R>(LENGTH), "rows of another ring");
    };
    const SCRATCH: Room = Room::rows(Self::MEMORY[0]);
    const PREPARED: Room = Room::rows(Self::MEMORY[1]);

    fn multiply(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        b: &Rows<OPERAND>,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        // What is behind the vector begins with a line of the cache.
        let length = const { LENGTH.next_multiple_of(2) };
        let (vector, rest) = scratch.parts_mut().0.split_at_mut_checked(length).expect(ROOM);
        let (vector, (entries, rest)) = (&mut vector[..LENGTH], rest.split_at_mut(2 * LENGTH));
        Self::entries(R::N, &b.0, entries);
        cpu.run(Operand { a: &a.0, out: vector });
        C::multiply(cpu, entries, vector, rest);
        cpu.run(Centre { by: Wrapping::modulo(R::Q), n: R::N, product: vector, out: &mut out.0 });
    }

    fn prepare(cpu: impl Run, b: &Rows<OPERAND>, prepared: &mut R::Prepared, scratch: &mut R::Scratch) {
        let (entries, rest) = scratch.parts_mut().0.split_at_mut(2 * LENGTH);
        Self::entries(R::N, &b.0, entries);
        C::prepare(cpu, entries, &mut prepared.parts_mut().0[..C::PREPARED], rest);
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        prepared: &R::Prepared,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let (vector, rest) = scratch.parts_mut().0.split_at_mut(LENGTH);
        cpu.run(Operand { a: &a.0, out: vector });
        C::apply(cpu, &prepared.parts().0[..C::PREPARED], vector, rest);
        cpu.run(Centre { by: Wrapping::modulo(R::Q), n: R::N, product: vector, out: &mut out.0 });
    }
}
