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
//! [Karatsuba](super::karatsuba)'s for `m = 2`, at 0, 1 and infinity.
//! * The matrix side, `C' T`: numerators are integers, and the odd parts of denominators have inverses modulo
//!   `2^16`. It depends on `b` alone, so it is done once where `b` is prepared.
//! * The vector side and the sums at the end: small constants.
//! * What is left of the denominators is one power of two, by which the sums are shifted at last: as many
//!   bits are lost as by the product of polynomials, and all of them there.
//!
//! Blocks of a few rows are multiplied by every entry, in windows
//! ([`convolution`](crate::algorithm::convolution)): on NEON a window times one lane of the vector in one
//! instruction with its sum, elsewhere by pairs, which are spread by loads.
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

use super::size_class::{self, lanes_below, stands};
use super::toom_cook::{ALL, POINTS, lagrange, loss, twos};
use crate::memory::{Room, Rows, Workspace};
use crate::multiply::Multiply;
use crate::number::inverse_mod_word;
use crate::reduce::residues::{Arithmetic, Modulus, Residues, Wrapping};
use crate::ring::{Ring, Shape};
use crate::route::{Parts, Route};
use crate::why_not::WhyNot;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// Products of Toeplitz matrices of `ROWS` rows of 16 by vectors of as many. Constant time.
pub trait Matrix<const ROWS: usize> {
    /// Into how many parts it is cut, and these.
    const PARTS: Parts;
    /// How many low bits of the product are right.
    const BITS: u32;
    /// Rows of memory for the matrix side.
    const PREPARED: usize;
    /// Rows of memory beside that.
    const SCRATCH: usize;

    /// The matrix side of `2 ROWS` rows of entries, `t_d` being word `16 ROWS + d`.
    fn prepare(cpu: impl Run, entries: &[Row], prepared: &mut [Row], scratch: &mut [Row]);
    /// The matrix times a vector.
    fn apply(cpu: impl Run, prepared: &[Row], vector: &[Row], out: &mut [Row], scratch: &mut [Row]);
}

/// Every entry times every coefficient.
pub struct Block<const ROWS: usize>;

/// A block times a vector.
struct Every<'a> {
    entries: &'a [Row],
    vector: &'a [Row],
    /// Room for the vector as it is multiplied by.
    operand: &'a mut [Row],
    out: &'a mut [Row],
}

impl Kernel for Every<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let rows = self.vector.len();
        s.begin_products(16 * rows, 1);
        for (out, row) in self.operand.iter_mut().zip(self.vector) {
            s.store(out, s.word_operand(s.load(row)));
        }
        for (i, out) in self.out.iter_mut().enumerate() {
            let mut sums = [s.acc_zero(); 2];
            // Row `j` of the vector meets the diagonals about `16 (i - j)`.
            let windows = self.entries.get(i..=i + rows).unwrap_or_default();
            for (row, two) in self.operand.iter().rev().zip(windows.windows(2)) {
                s.mac_words(&mut sums, row, two.first_chunk().expect("two rows a window"));
            }
            s.store(out, s.word_sums(sums));
        }
    }
}

impl<const ROWS: usize> Matrix<ROWS> for Block<ROWS> {
    const PARTS: Parts = Parts::NONE;
    const BITS: u32 = 16;
    const PREPARED: usize = 2 * ROWS;
    const SCRATCH: usize = ROWS;

    fn prepare(_: impl Run, entries: &[Row], prepared: &mut [Row], _: &mut [Row]) {
        prepared.copy_from_slice(entries);
    }

    fn apply(cpu: impl Run, prepared: &[Row], vector: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        cpu.run(Every { entries: prepared, vector, operand: &mut scratch[..ROWS], out });
    }
}

/// `ROWS / PART` parts, whose products are by `I`.
pub struct Cut<I, const ROWS: usize, const PART: usize> {
    inner: PhantomData<I>,
}

/// Constants of so many parts.
struct Table {
    /// The multiple of block `j` in the matrix of point `i`: `matrix[i][j]`.
    matrix: [[i16; POINTS]; POINTS],
    /// The multiple of part `k` of the vector at point `i`, and of the product of point `i` in part `k` of
    /// the result.
    powers: [[i16; POINTS]; POINTS],
}

/// `p^i q^(k - 1 - i)` for point `i` of `k` parts.
const fn power(point: [i64; 2], k: usize, i: usize) -> i64 {
    let (mut power, mut n) = (1, 0);
    while n < k - 1 {
        power *= if n < i { point[0] } else { point[1] };
        n += 1;
    }
    power
}

/// The constants: those of the matrix are numerators, times what the denominator leaves of `2^loss`.
const fn table(parts: usize) -> Table {
    let (count, lagrange) = (2 * parts - 1, lagrange(2 * parts - 1));
    let mut table = Table { matrix: [[0; POINTS]; POINTS], powers: [[0; POINTS]; POINTS] };
    let mut i = 0;
    while i < count {
        let bottom = lagrange.denominators[i];
        let scale = inverse_mod_word(bottom >> twos(bottom)) as i64 * (1 << (loss(parts) - twos(bottom)));
        let mut j = 0;
        while j < count {
            table.matrix[i][j] = (lagrange.numerators[j][i] * scale) as i16;
            if j < parts {
                table.powers[i][j] = power(ALL[i], parts, j) as i16;
            }
            j += 1;
        }
        i += 1;
    }
    table
}

/// The sum of `count` pieces, each times a constant, shifted.
struct Combine<'a> {
    /// Pieces begin so many rows one after the other; those of a matrix overlap.
    step: usize,
    pieces: &'a [Row],
    count: usize,
    constants: [i16; POINTS],
    /// Whether the constants are for the pieces from the last on.
    backwards: bool,
    shift: u32,
    out: &'a mut [Row],
}

impl Kernel for Combine<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.out.fill([0; 16]);
        for (k, constant) in self.constants.into_iter().enumerate().take(self.count) {
            // Constants are public.
            if constant == 0 {
                continue;
            }
            let at = if self.backwards { self.count - 1 - k } else { k };
            let (constant, piece) = (s.splat(constant), &self.pieces[at * self.step..]);
            for (out, row) in self.out.iter_mut().zip(piece) {
                s.store(out, s.add(s.load(out), s.mul_lo(s.load(row), constant)));
            }
        }
        for out in self.out.iter_mut() {
            s.store(out, Wrapping::BY.divide(s, s.load(out), self.shift));
        }
    }
}

impl<I: Matrix<PART>, const ROWS: usize, const PART: usize> Cut<I, ROWS, PART> {
    /// Parts.
    const COUNT: usize = ROWS / PART;
    /// Points.
    const VALUES: usize = 2 * Self::COUNT - 1;
    const TABLE: Table = table(Self::COUNT);

    /// `C' T`, of point `i`.
    fn matrix(cpu: impl Run, i: usize, entries: &[Row], out: &mut [Row]) {
        let constants = const { &Self::TABLE }.matrix[i];
        let (pieces, count) = (entries, Self::VALUES);
        cpu.run(Combine { step: PART, pieces, count, constants, backwards: false, shift: 0, out });
    }

    /// `E a` at point `i`, the parts of `a` backwards.
    fn value(cpu: impl Run, i: usize, pieces: &[Row], out: &mut [Row]) {
        let constants = const { &Self::TABLE }.powers[i];
        let count = Self::COUNT;
        cpu.run(Combine { step: PART, pieces, count, constants, backwards: true, shift: 0, out });
    }

    /// Part `k` of the result.
    fn part(cpu: impl Run, k: usize, pieces: &[Row], out: &mut [Row]) {
        let constants = const { &Self::TABLE }.powers.map(|powers| powers[k]);
        let (count, shift) = (Self::VALUES, loss(Self::COUNT));
        cpu.run(Combine { step: PART, pieces, count, constants, backwards: false, shift, out });
    }
}

impl<I: Matrix<PART>, const ROWS: usize, const PART: usize> Matrix<ROWS> for Cut<I, ROWS, PART> {
    const PARTS: Parts = I::PARTS.inside(Self::COUNT);
    const BITS: u32 = {
        assert!(
            ROWS.is_multiple_of(PART) && Self::COUNT >= 2 && Self::VALUES <= POINTS,
            "parts of other rows"
        );
        I::BITS - loss(Self::COUNT)
    };
    const PREPARED: usize = Self::VALUES * I::PREPARED;
    const SCRATCH: usize = (2 + Self::VALUES) * PART + I::SCRATCH;

    fn prepare(cpu: impl Run, entries: &[Row], prepared: &mut [Row], scratch: &mut [Row]) {
        let (block, rest) = scratch.split_at_mut(2 * PART);
        for (i, prepared) in prepared.chunks_exact_mut(I::PREPARED).enumerate() {
            Self::matrix(cpu, i, entries, block);
            I::prepare(cpu, block, prepared, rest);
        }
    }

    fn apply(cpu: impl Run, prepared: &[Row], vector: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        let (value, rest) = scratch.split_at_mut(PART);
        let (products, rest) = rest.split_at_mut(Self::VALUES * PART);
        let all = prepared.chunks_exact(I::PREPARED).zip(products.chunks_exact_mut(PART));
        for (i, (prepared, product)) in all.enumerate() {
            Self::value(cpu, i, vector, value);
            I::apply(cpu, prepared, value, product, rest);
        }
        for (k, out) in out.chunks_exact_mut(PART).enumerate() {
            Self::part(cpu, k, products, out);
        }
    }
}

/// The conditions of so many parts in parts: rows that can be cut so, and bits above the modulus.
pub(crate) const fn serves(q: i64, n: usize, shape: Shape, parts: Parts) -> Result<(), WhyNot> {
    let (Some(Modulus::Wrapping), Some(class)) = (Modulus::of(q), size_class::of(n)) else {
        return Err(WhyNot::Wrapping);
    };
    if !matches!(shape, Shape::Cyclic) {
        return Err(WhyNot::Shape { needs: Shape::Cyclic });
    }
    let (mut rows, mut lost, mut i) = (class.rows, 0, 0);
    while i < parts.depth() {
        let count = parts.count(i);
        if count < 2 || 2 * count - 1 > POINTS {
            return Err(WhyNot::Points);
        }
        if !rows.is_multiple_of(count) {
            return Err(WhyNot::Rows { rows });
        }
        (rows, lost, i) = (rows / count, lost + loss(count), i + 1);
    }
    if q.ilog2() + lost > 16 { Err(WhyNot::Bits { lost }) } else { Ok(()) }
}

/// Products in a ring by a matrix of its second operand.
pub struct Toeplitz<C, const OPERAND: usize>(PhantomData<C>);

/// The coefficients, centred; zeroes behind them.
struct Centre<'a> {
    by: Wrapping,
    n: usize,
    rows: &'a mut [Row],
}

impl Kernel for Centre<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (i, row) in self.rows.iter_mut().enumerate() {
            let mask = s.load(lanes_below(self.n.saturating_sub(16 * i).min(16)));
            s.store(row, s.and(self.by.finish(s, s.load(row)), mask));
        }
    }
}

/// What every memory of a ring holds: making an [`Entry`](crate::Entry) proves it.
const ROOM: &str = "memory for a matrix";

impl<C: Matrix<OPERAND>, const OPERAND: usize> Toeplitz<C, OPERAND> {
    /// The matrix side: the entries are the coefficients twice.
    fn matrix(cpu: impl Run, n: usize, b: &[Row], prepared: &mut [Row], scratch: &mut [Row]) {
        let (entries, rest) = scratch.split_at_mut(2 * OPERAND);
        let (words, b) = (entries.as_flattened_mut(), &b.as_flattened()[..n]);
        words.fill(0);
        let middle = 16 * OPERAND;
        words[middle - n..middle].copy_from_slice(b);
        words[middle..middle + n].copy_from_slice(b);
        C::prepare(cpu, entries, &mut prepared[..C::PREPARED], rest);
    }

    fn apply<R: Ring>(cpu: impl Run, prepared: &[Row], a: &[Row], out: &mut [Row], scratch: &mut [Row]) {
        C::apply(cpu, &prepared[..C::PREPARED], a, out, scratch);
        cpu.run(Centre { by: Wrapping::modulo(R::Q), n: R::N, rows: out });
    }
}

impl<R: Ring<Coeffs = Rows<OPERAND>>, C: Matrix<OPERAND>, const OPERAND: usize> Multiply<R>
    for Toeplitz<C, OPERAND>
{
    const ROUTE: Route = Route::Toeplitz { parts: C::PARTS };
    const CHECK: () = {
        assert!(Wrapping::MODULUS.serves(R::Q) && R::Q <= 1 << C::BITS, "more bits are lost than are left");
        assert!(stands::<R>(OPERAND), "rows of another ring");
    };
    const SCRATCH: Room = Room::rows(2 * OPERAND + C::PREPARED + C::SCRATCH);
    const PREPARED: Room = Room::rows(C::PREPARED);

    fn multiply(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        b: &Rows<OPERAND>,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let (prepared, rest) = scratch.parts_mut().0.split_at_mut_checked(C::PREPARED).expect(ROOM);
        Self::matrix(cpu, R::N, &b.0, prepared, rest);
        Self::apply::<R>(cpu, prepared, &a.0, &mut out.0, rest);
    }

    fn prepare(cpu: impl Run, b: &Rows<OPERAND>, prepared: &mut R::Prepared, scratch: &mut R::Scratch) {
        Self::matrix(cpu, R::N, &b.0, prepared.parts_mut().0, scratch.parts_mut().0);
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &Rows<OPERAND>,
        prepared: &R::Prepared,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        Self::apply::<R>(cpu, prepared.parts().0, &a.0, &mut out.0, scratch.parts_mut().0);
    }
}
