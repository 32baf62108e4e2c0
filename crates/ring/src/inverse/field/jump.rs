//! Many steps at a time: a jump.
//!
//! # The map
//! The first `s` coefficients of `f` and `g` decide `s` steps, and those are a matrix of polynomials of
//! degree up to `s`:
//!
//! ```text
//! x^s (f', g') = M (f, g)        (v', r') = M (v, r)
//! ```
//!
//! where what the rest of this module calls `v` is here the true one, times `x`. So a jump is `s` steps on
//! `s` coefficients and on the two columns of `M`, which begin as `(1, 0)` and `(0, 1)`; then both pairs are
//! multiplied by `M`. Those products are the ring's own: the row transform modulo `x^(r L) - 1`
//! (`algorithm::rows::cyclic::matrix`). Of no polynomial are there more than `N + 2` coefficients, which
//! `r L` hold, whatever power of `x` stands before them; so both pairs stay in the domain, and of `f` and `g`
//! the next `s` coefficients alone are read where that power has rotated them to.
//!
//! # Price
//! With `c` for a row of 16 in a step, all of the steps one by one are about `2 N * 3 N / 32` of these; with
//! jumps `2 N * 3 s / 32` and `2 N / s` times eight base products and six transforms.
//!
//! # Source
//! D. J. Bernstein, B.-Y. Yang (eprint 2019/266), section 5. There the matrices are multiplied in a tree.

use super::steps::{Column, Run, State, lanes_bound};
use super::{Quotient, is_zero, modulus, reversed};
use crate::algorithm::rows::RowsCyclic;
use crate::algorithm::rows::cyclic::PRODUCT;
use crate::algorithm::rows::cyclic::matrix::Pair;
use crate::bound::{Bound, hold};
use crate::memory::{Rows, wipe};
use crate::reduce::barrett;
use crate::reduce::centre::Centre;
use crate::reduce::residues::Odd;
use ctutils::Choice;
use ringsmith_simd::{Cpu, Row};

/// Inverses modulo `Q` and `x^N - x - 1` by jumps of `16 JUMP` steps.
pub struct Jumps<const Q: i64, const N: usize, const JUMP: usize>;

/// Rows for the steps of a jump: as many as a product has.
const LEAF: usize = PRODUCT;

/// All memory: cleared on drop.
#[repr(C, align(64))]
struct Memory<const OPERAND: usize, const ROWS: usize, const PAIRS: usize> {
    /// `f` and `g`.
    divided: Pair<PAIRS>,
    /// `v` and `r`.
    multiplied: Pair<PAIRS>,
    matrix: [[Row; ROWS]; 4],
    /// A pair on its way out of the domain.
    out: [[Row; ROWS]; 2],
    operand: [Row; OPERAND],
    product: [Row; PRODUCT],
    leaf: [Row; LEAF],
}

impl<const OPERAND: usize, const ROWS: usize, const PAIRS: usize> Memory<OPERAND, ROWS, PAIRS> {
    fn new() -> Self {
        Memory {
            divided: [[[[0; 16]; 2]; PAIRS]; 2],
            multiplied: [[[[0; 16]; 2]; PAIRS]; 2],
            matrix: [[[0; 16]; ROWS]; 4],
            out: [[[0; 16]; ROWS]; 2],
            operand: [[0; 16]; OPERAND],
            product: [[0; 16]; PRODUCT],
            leaf: [[0; 16]; LEAF],
        }
    }
}

impl<const OPERAND: usize, const ROWS: usize, const PAIRS: usize> Drop for Memory<OPERAND, ROWS, PAIRS> {
    fn drop(&mut self) {
        for pair in [&mut self.divided, &mut self.multiplied] {
            wipe(pair.as_flattened_mut().as_flattened_mut().as_flattened_mut());
        }
        wipe(self.matrix.as_flattened_mut().as_flattened_mut());
        wipe(self.out.as_flattened_mut().as_flattened_mut());
        for rows in [&mut self.operand[..], &mut self.product, &mut self.leaf] {
            wipe(rows.as_flattened_mut());
        }
    }
}

/// The parts of a jump's memory: `f`, and `x g` with a row more; two columns, each `v` between two rows more,
/// and `r`.
struct Leaf<'a> {
    f: &'a mut [Row],
    g: &'a mut [Row],
    columns: [[&'a mut [Row]; 2]; 2],
}

impl<'a> Leaf<'a> {
    fn of<const JUMP: usize>(rows: &'a mut [Row; LEAF]) -> Self {
        let (f, rest) = rows.split_at_mut(JUMP);
        let (g, rest) = rest.split_at_mut(JUMP + 1);
        let (v0, rest) = rest.split_at_mut(JUMP + 2);
        let (v1, rest) = rest.split_at_mut(JUMP + 2);
        let (r0, rest) = rest.split_at_mut(JUMP);
        Leaf { f, g, columns: [[v0, r0], [v1, &mut rest[..JUMP]]] }
    }

    /// The first column begins with `v = 1`, which is `x` times what is in the row before; the second one
    /// with `r = 1`.
    fn begin(&mut self) {
        self.columns.as_flattened_mut().iter_mut().for_each(|rows| rows.fill([0; 16]));
        self.columns[0][0][0][15] = 1;
        self.columns[1][1][0][0] = 1;
    }
}

impl<const Q: i64, const N: usize, const JUMP: usize> Jumps<Q, N, JUMP> {
    /// Proves that no lane overflows, and that the polynomials fit.
    const fn prove<const OPERAND: usize, const ROWS: usize, const PAIRS: usize>() {
        let () = super::DivisionSteps::<Q, N, OPERAND>::PROOF;
        let () = RowsCyclic::<Odd<Q>, OPERAND, ROWS, PAIRS>::MATRIX_PROOF;
        assert!(lanes_bound(Q).magnitude() <= barrett::exact_limit(Q), "an entry is not centred");
        assert!(N + 2 <= 16 * ROWS && JUMP < OPERAND && 6 * JUMP + 5 <= LEAF, "a polynomial does not fit");
    }

    /// `out = 1 / a`, and whether it exists, by matrices of a transform. `a` and `out` are centred. Constant
    /// time. Takes `8 PAIRS + 6 ROWS + OPERAND` rows of 32 bytes of stack, and 512.
    pub fn inverse<const OPERAND: usize, const ROWS: usize, const PAIRS: usize>(
        cpu: Cpu,
        by: RowsCyclic<Odd<Q>, OPERAND, ROWS, PAIRS>,
        a: &Rows<OPERAND>,
        out: &mut Rows<OPERAND>,
    ) -> Choice {
        const { Self::prove::<OPERAND, ROWS, PAIRS>() };
        let mut memory = Memory::<OPERAND, ROWS, PAIRS>::new();
        Self::begin(cpu, by, &a.0, &mut memory);
        let (mut delta, mut done) = (1, 0);
        loop {
            let steps = (2 * N - 1 - done).min(16 * JUMP);
            let end = Self::jump(cpu, by, delta, steps, &mut memory);
            (delta, done) = (end.delta, done + steps);
            let Memory { multiplied, matrix, out: rows, product, .. } = &mut memory;
            by.apply(cpu, matrix, multiplied, rows);
            if done == 2 * N - 1 {
                by.leave(cpu, &mut rows[0], product);
                // Times x.
                cpu.run(Quotient::<Q, N> { f0: end.f0, v: product, first: 1, out: out.0.as_flattened_mut() });
                debug_assert!(hold(out.0.as_flattened(), Bound::centred(Q)));
                return is_zero(delta);
            }
            Self::divide(cpu, by, done / 16, &mut memory);
        }
    }

    /// Both pairs, and the first coefficients of `f` and `g`.
    fn begin<const OPERAND: usize, const ROWS: usize, const PAIRS: usize>(
        cpu: Cpu,
        by: RowsCyclic<Odd<Q>, OPERAND, ROWS, PAIRS>,
        a: &[Row; OPERAND],
        memory: &mut Memory<OPERAND, ROWS, PAIRS>,
    ) {
        let Memory { divided, multiplied, out: [rows, _], operand, leaf, .. } = memory;
        let Leaf { f, g, .. } = Leaf::of::<JUMP>(leaf);
        modulus::<N>(operand.as_flattened_mut());
        f.copy_from_slice(&operand[..JUMP]);
        by.enter(cpu, operand, &mut divided[0], rows);
        operand.fill([0; 16]);
        operand[0][0] = 1;
        by.enter(cpu, operand, &mut multiplied[1], rows);
        reversed::<N>(a, operand.as_flattened_mut());
        g.as_flattened_mut()[1..][..16 * JUMP].copy_from_slice(operand[..JUMP].as_flattened());
        by.enter(cpu, operand, &mut divided[1], rows);
    }

    /// The steps, and their matrix.
    fn jump<const OPERAND: usize, const ROWS: usize, const PAIRS: usize>(
        cpu: Cpu,
        by: RowsCyclic<Odd<Q>, OPERAND, ROWS, PAIRS>,
        delta: i32,
        steps: usize,
        memory: &mut Memory<OPERAND, ROWS, PAIRS>,
    ) -> State {
        let Memory { matrix, operand, leaf, .. } = memory;
        let mut leaf = Leaf::of::<JUMP>(leaf);
        leaf.begin();
        let Leaf { f, g, columns: [[v0, r0], [v1, r1]] } = leaf;
        let columns = [Column { v: &mut v0[..=JUMP], r: r0 }, Column { v: &mut v1[..=JUMP], r: r1 }];
        let end = cpu.run(Run::<Q, 2> { delta, steps, f, g, columns });
        operand.fill([0; 16]);
        for (rows, entry) in matrix.iter_mut().zip([&*v0, v1, r0, r1]) {
            // What begins with v begins with a row more, of which the last word is the first one's.
            let first = 15 * (entry.len() - JUMP) / 2;
            let words = 16 * JUMP + (entry.len() - JUMP) / 2;
            operand[..=JUMP].fill([0; 16]);
            operand.as_flattened_mut()[..words].copy_from_slice(&entry.as_flattened()[first..][..words]);
            cpu.run(Centre { by: Odd::<Q>, rows: &mut operand[..=JUMP] });
            by.entry(cpu, operand, rows);
        }
        end
    }

    /// `f` and `g` times the matrix, and their first coefficients, which `rotated` rows stand before.
    fn divide<const OPERAND: usize, const ROWS: usize, const PAIRS: usize>(
        cpu: Cpu,
        by: RowsCyclic<Odd<Q>, OPERAND, ROWS, PAIRS>,
        rotated: usize,
        memory: &mut Memory<OPERAND, ROWS, PAIRS>,
    ) {
        let Memory { divided, matrix, out, product, leaf, .. } = memory;
        by.apply(cpu, matrix, divided, out);
        let Leaf { f, g, .. } = Leaf::of::<JUMP>(leaf);
        for (rows, words) in out.iter_mut().zip([f.as_flattened_mut(), &mut g.as_flattened_mut()[1..]]) {
            by.leave(cpu, rows, product);
            for (k, row) in words.as_chunks_mut().0.iter_mut().enumerate() {
                *row = product[(rotated + k) % ROWS];
            }
        }
        cpu.run(Centre { by: Odd::<Q>, rows: f });
        cpu.run(Centre { by: Odd::<Q>, rows: g });
    }
}
