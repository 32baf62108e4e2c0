//! Matrices of polynomials in the domain of the row transform.
//!
//! # The map
//! ```text
//! (x, y) -> (m_00 x + m_01 y, m_10 x + m_11 y)    modulo x^(r L) - 1
//! ```
//! A pair `(x, y)` stays in the domain from one matrix to the next: as the windows of second operands of base
//! products, over `r`. The entries of a matrix are first operands. Where the polynomials are known to have
//! fewer than `r L` coefficients, but for a power of `x` that all are multiplied by, nothing is lost: they
//! are turned round by as much.
//!
//! # Bounds
//! Two base products, each reduced, are summed; the windows of whatever word are as those of any second
//! operand. [`PROOF`](RowsCyclic::MATRIX_PROOF) says that sums fit, and that the way back takes them.

use super::plan::Plans;
use super::transform::{Backward, Columns, FirstRows, SecondRows, put};
use super::{PRODUCT, RowsCyclic};
use crate::algorithm::network::Aligned;
use crate::algorithm::rows::base::{reduced, sums};
use crate::reduce::montgomery::Factor;
use crate::reduce::residues::OddResidues;
use core::marker::PhantomData;
use ringsmith_simd::{Cpu, Kernel, Row, Simd};

/// Two polynomials in the domain.
pub(crate) type Pair<const PAIRS: usize> = [[[Row; 2]; PAIRS]; 2];

impl<M: OddResidues, const OPERAND: usize, const ROWS: usize, const PAIRS: usize>
    RowsCyclic<M, OPERAND, ROWS, PAIRS>
{
    /// Proves at compile time that no lane overflows.
    pub(crate) const MATRIX_PROOF: () = {
        let () = Self::PROOF;
        assert!(Plans::sums_hold(&Self::PLANS, &Self::GEOMETRY), "overflow: a sum of two base products");
    };

    /// An entry of a matrix, of centred coefficients.
    pub(crate) fn entry(self, cpu: Cpu, a: &[Row; OPERAND], rows: &mut [Row; ROWS]) {
        cpu.run(Columns { by: self, input: a, out: rows });
        cpu.run(FirstRows { by: self, rows });
    }

    /// One of a pair, of centred coefficients.
    pub(crate) fn enter(
        self,
        cpu: Cpu,
        b: &[Row; OPERAND],
        windows: &mut [[Row; 2]; PAIRS],
        rows: &mut [Row; ROWS],
    ) {
        cpu.run(Columns { by: self, input: b, out: rows });
        cpu.run(SecondRows { by: self, rows, windows });
    }

    /// The pair times the matrix, in the domain; the same in `out`, ready to [`leave`](Self::leave) it.
    pub(crate) fn apply(
        self,
        cpu: Cpu,
        matrix: &[[Row; ROWS]; 4],
        pair: &mut Pair<PAIRS>,
        out: &mut [[Row; ROWS]; 2],
    ) {
        let () = Self::MATRIX_PROOF;
        cpu.run(Apply::<M, OPERAND, ROWS, PAIRS> { residues: PhantomData, matrix, pair, out });
    }

    /// The coefficients of one of a pair, small enough to be centred exactly; spoils `rows`.
    pub(crate) fn leave(self, cpu: Cpu, rows: &mut [Row; ROWS], out: &mut [Row; PRODUCT]) {
        cpu.run(Backward { by: self, rows, out });
    }

    /// `W^k 2^16` and `2^16`, for the super-rows in their order in memory: what windows are multiplied by,
    /// for the Montgomery step of the base products.
    const AGAIN: Aligned<[[Factor; 2]; ROWS]> = {
        let (geometry, mut factors, mut k) = (Self::GEOMETRY, [[Factor::new(1 << 16, M::Q); 2]; ROWS], 0);
        while k < geometry.a * geometry.b {
            factors[k][0] = Factor::new(geometry.root(k) * (1 << 16) % M::Q, M::Q);
            k += 1;
        }
        Aligned(factors)
    };
}

/// A matrix on a pair.
struct Apply<'a, M, const OPERAND: usize, const ROWS: usize, const PAIRS: usize> {
    residues: PhantomData<M>,
    matrix: &'a [[Row; ROWS]; 4],
    pair: &'a mut Pair<PAIRS>,
    out: &'a mut [[Row; ROWS]; 2],
}

impl<M: OddResidues, const OPERAND: usize, const ROWS: usize, const PAIRS: usize> Kernel
    for Apply<'_, M, OPERAND, ROWS, PAIRS>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        match const { RowsCyclic::<M, OPERAND, ROWS, PAIRS>::GEOMETRY.width } {
            1 => self.super_rows::<S, 1, 1>(s),
            2 => self.super_rows::<S, 2, 3>(s),
            _ => self.super_rows::<S, 3, 5>(s),
        }
    }
}

impl<M: OddResidues, const OPERAND: usize, const ROWS: usize, const PAIRS: usize>
    Apply<'_, M, OPERAND, ROWS, PAIRS>
{
    /// Super-rows of `WIDTH` rows, with `EACH` windows: sums of products first, then windows where the
    /// factors' were.
    #[inline(always)]
    fn super_rows<S: Simd, const WIDTH: usize, const EACH: usize>(mut self, s: S) {
        let mut k = 0;
        while k * WIDTH < ROWS {
            self.sum::<S, WIDTH, EACH>(s, k, 0);
            self.sum::<S, WIDTH, EACH>(s, k, 1);
            self.windows::<S, WIDTH, EACH>(s, k, 0);
            self.windows::<S, WIDTH, EACH>(s, k, 1);
            k += 1;
        }
    }

    /// Super-row `k` of line `i` of the matrix times the pair.
    #[inline(always)]
    fn sum<S: Simd, const WIDTH: usize, const EACH: usize>(&mut self, s: S, k: usize, i: usize) {
        let out: &mut [Row; WIDTH] = self.out[i][k * WIDTH..].first_chunk_mut().expect("a super-row");
        let mut j = 0;
        while j < 2 {
            let row = self.matrix[2 * i + j][k * WIDTH..].first_chunk().expect("a super-row");
            let windows = self.pair[j][k * EACH..].first_chunk().expect("its windows");
            let sums = sums::<S, WIDTH, EACH>(s, row, windows);
            let mut t = 0;
            while t < WIDTH {
                let x = M::barrett(s, reduced(s, M::BY, sums[t]));
                let sum = if j == 0 { x } else { s.add(s.load(&out[t]), x) };
                s.store(&mut out[t], sum);
                t += 1;
            }
            j += 1;
        }
    }

    /// Super-row `k` of the result's line `i` as windows.
    #[inline(always)]
    fn windows<S: Simd, const WIDTH: usize, const EACH: usize>(&mut self, s: S, k: usize, i: usize) {
        let [twist, again] = const { &RowsCyclic::<M, OPERAND, ROWS, PAIRS>::AGAIN.0 }[k];
        let mut t = 0;
        while t < WIDTH {
            let row = s.load(&self.out[i][k * WIDTH + t]);
            let [twisted, plain] = [M::BY.scale(s, row, twist), M::BY.scale(s, row, again)];
            put(s, &mut self.pair[i], k * EACH, 2 * WIDTH, t, twisted);
            put(s, &mut self.pair[i], k * EACH, 2 * WIDTH, t + WIDTH, plain);
            t += 1;
        }
    }
}
