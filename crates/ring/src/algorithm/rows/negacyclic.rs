//! The row transform: the fastest product where `q - 1` is a multiple of twice the number of rows.
//!
//! # The map
//! `Z_q[x]/(x^(16 r) + 1)` with `y = x^16` is `Z_q[y]/(y^r + 1)` with coefficients that are rows of 16. A
//! negacyclic transform of length `r` across rows (`tree.rs`) leaves `r` rows, row `k` modulo `x^16 - w_k`;
//! lanes are never touched: no shuffle, no transpose. A base product modulo `x^16 - w` is 16 output
//! coefficients `c_t = sum_(i <= t) a_i b_(t-i) + sum_(i > t) a_i (w b)_(16+t-i)`: the window `[w b | b]` of
//! 32 words and pairwise multiply-adds on 32-bit sums (`base.rs`). Then one Montgomery step, and the
//! transform backwards.
//!
//! # Conditions
//! Negacyclic, `n = 16 r` with `r` = 16, 32 or 64, and roots of unity of order `2 r` modulo `q`.
//!
//! # Bounds
//! In: centred; out: centred. The second operand leaves its transform by a Montgomery product (the scale
//! `1/r` and the factor `2^16` of the later step in one), the first by the reduction that the plan says; see
//! `ProductRule::Rows`.
//!
//! # Source
//! The transform in an extension `y = x^16` is Schoenhage and Nussbaumer's idea with field roots; base
//! products by pairwise multiply-add as in AVX2 code for incomplete transforms. The combination is
//! Ringsmith's own.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NewHope1024};
//! use ringsmith_simd::Cpu;
//!
//! let a = Poly::<NewHope1024>::new(&[6144i16; 1024]).unwrap();
//! let b = Poly::new(&[-6144i16; 1024]).unwrap();
//! let rows = multiplier(Cpu::detect(), Route::Rows)?;
//! let slow = multiplier(Cpu::detect(), Route::Schoolbook)?;
//! let mut scratch = rows.scratch();
//! assert_eq!(rows.multiply(&a, &b, &mut scratch).centred(), slow.multiply(&a, &b, &mut scratch).centred());
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::base::{BaseProducts, windows, windows_mut};
use crate::algorithm::network::{Aligned, Twiddle, gather, scale4};
use crate::algorithm::plan::{self, PassForm, Plans, Problem, ProductRule};
use crate::algorithm::tree;
use crate::memory::{Room, Rows, Workspace};
use crate::multiply::Multiply;
use crate::number::{bit_reverse, inverse, power};
use crate::reduce::barrett;
use crate::reduce::montgomery::Factor;
use crate::reduce::residues::Odd;
use crate::ring::Ring;
use crate::route::Route;
use ringsmith_simd::{Kernel, Row, Run, Simd, each};

/// The row transform modulo `Q` on `ROWS` rows.
pub struct RowTransform<const Q: i64, const ROWS: usize>;

impl<const Q: i64, const ROWS: usize> RowTransform<Q, ROWS> {
    const PROBLEM: Problem = {
        let [neighbours, columns] = tree::passes(ROWS);
        let passes = [PassForm { registers: 0, first: 0 }, neighbours, columns];
        Problem::new(Q, ROWS.trailing_zeros() as usize, passes, false)
    };
    const FORWARD: Aligned<[Twiddle; ROWS]> = Aligned(tree::table(&Self::PROBLEM, false));
    const INVERSE: Aligned<[Twiddle; ROWS]> = Aligned(tree::table(&Self::PROBLEM, true));
    /// `2^16 / ROWS`: undoes the sum over the layers and the Montgomery step of the base products.
    const SCALE: i64 = inverse(ROWS as i64, Q) * (1 << 16) % Q;
    /// `w_k` times the scale, `(z, z)` and `(zq, zq)`.
    const TWISTS: Aligned<[[[i16; 2]; 2]; ROWS]> = {
        let mut twists = [[[0; 2]; 2]; ROWS];
        let mut k = 0;
        while k < ROWS {
            let f = Factor::new(Self::root(k) * Self::SCALE % Q, Q);
            twists[k] = [[f.z; 2], [f.zq; 2]];
            k += 1;
        }
        Aligned(twists)
    };

    /// `w_k`: row `k` holds the residue modulo `y - w_k`. The left child of the last layer's node `i` has
    /// that node's twiddle as its root, the right child the negative.
    const fn root(k: usize) -> i64 {
        let layers = Self::PROBLEM.layers as u32;
        let node = ROWS / 2 + k / 2;
        let w = power(Self::PROBLEM.psi, bit_reverse(node, layers) as u64, Q);
        if k.is_multiple_of(2) { w } else { Q - w }
    }

    /// The plans that the kernels read and the proof replays.
    pub const PLANS: Plans = Plans::find(&Self::PROBLEM, ProductRule::Rows);

    /// Whether no lane overflows with these plans, on any CPU.
    pub const fn holds(plans: &Plans) -> bool {
        plans.hold(&Self::PROBLEM, ProductRule::Rows)
    }

    /// Proves at compile time that no lane overflows.
    pub const PROOF: () = assert!(Self::holds(&Self::PLANS), "overflow: a lane of the row transform");
}

/// The transform of the first operand, its pairs swapped for the base products.
struct ForwardFirst<'a, const Q: i64, const ROWS: usize> {
    input: &'a [Row; ROWS],
    out: &'a mut [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize> Kernel for ForwardFirst<'_, Q, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let table = const { &RowTransform::<Q, ROWS>::FORWARD.0 };
        let plan = const { RowTransform::<Q, ROWS>::PLANS.of::<S>() };
        tree::forward_columns::<S, Q, ROWS>(s, table, plan, self.input, self.out);
        let mut block = 0;
        while block < ROWS / 8 {
            let x = tree::forward_neighbours::<S, Q, ROWS>(s, table, plan, self.out, block);
            let y = each(
                #[inline(always)]
                |j| s.swap_pairs(plan::reduce::<S, Q>(s, plan.domain, x[j])),
            );
            tree::store_neighbours(s, self.out, block, y);
            block += 1;
        }
    }
}

/// The transform of the second operand: the windows `[w b | b]`.
struct ForwardSecond<'a, const Q: i64, const ROWS: usize> {
    input: &'a [Row; ROWS],
    rows: &'a mut [Row; ROWS],
    windows: &'a mut [[Row; 2]; ROWS],
}

impl<const Q: i64, const ROWS: usize> Kernel for ForwardSecond<'_, Q, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let table = const { &RowTransform::<Q, ROWS>::FORWARD.0 };
        let twists = const { &RowTransform::<Q, ROWS>::TWISTS.0 };
        let plan = const { RowTransform::<Q, ROWS>::PLANS.of::<S>() };
        let scale = const { Factor::new(RowTransform::<Q, ROWS>::SCALE, Q) };
        let scale = [s.splat(scale.z), s.splat(scale.zq)];
        tree::forward_columns::<S, Q, ROWS>(s, table, plan, self.input, self.rows);
        let mut block = 0;
        while block < ROWS / 8 {
            let x = tree::forward_neighbours::<S, Q, ROWS>(s, table, plan, self.rows, block);
            let mut h = 0;
            while h < 8 {
                let row = 8 * block + h;
                let x = [x[h], x[h + 1], x[h + 2], x[h + 3]];
                let twist = each(
                    #[inline(always)]
                    |j| {
                        each(
                            #[inline(always)]
                            |i| s.splat_pair(&twists[row + j][i]),
                        )
                    },
                );
                let (plain, twisted) = (scale4::<S, Q>(s, x, [scale; 4]), scale4::<S, Q>(s, x, twist));
                let mut j = 0;
                while j < 4 {
                    let window = &mut self.windows[row + j];
                    s.store(&mut window[0], twisted[j]);
                    s.store(&mut window[1], plain[j]);
                    j += 1;
                }
                h += 4;
            }
            block += 1;
        }
    }
}

/// The transform backwards, to centred coefficients; spoils its input.
struct Backward<'a, const Q: i64, const ROWS: usize> {
    rows: &'a mut [Row; ROWS],
    out: &'a mut [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize> Kernel for Backward<'_, Q, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let table = const { &RowTransform::<Q, ROWS>::INVERSE.0 };
        let [_, neighbours, columns] = const { &RowTransform::<Q, ROWS>::PLANS.of::<S>().inverse };
        let mut block = 0;
        while block < ROWS / 8 {
            let x = gather::<S, ROWS, 8>(s, self.rows, 8 * block, 1);
            let x = tree::inverse_neighbours::<S, Q, ROWS>(s, table, neighbours, block, x);
            tree::store_neighbours(s, self.rows, block, x);
            block += 1;
        }
        tree::inverse_columns::<S, Q, ROWS>(
            s,
            table,
            columns,
            self.rows,
            self.out,
            #[inline(always)]
            |x| {
                each(
                    #[inline(always)]
                    |r| barrett::exact::<S, Q>(s, x[r]),
                )
            },
        );
    }
}

/// The rows of an operand, and then of the products, at the beginning of the scratch memory; the rest of it.
fn parts<const ROWS: usize>(rows: &mut [Row]) -> (&mut [Row; ROWS], &mut [Row]) {
    rows.split_first_chunk_mut().expect("scratch memory of an operand")
}

impl<const Q: i64, const ROWS: usize> RowTransform<Q, ROWS> {
    /// The windows of the second operand; spoils the rows.
    pub(in crate::algorithm) fn forward_second(
        cpu: impl Run,
        b: &Rows<ROWS>,
        rows: &mut [Row; ROWS],
        windows: &mut [[Row; 2]; ROWS],
    ) {
        cpu.run(ForwardSecond::<Q, ROWS> { input: &b.0, rows, windows });
    }

    /// The rows of the first operand, its pairs swapped.
    pub(in crate::algorithm) fn forward_first(cpu: impl Run, a: &Rows<ROWS>, rows: &mut [Row; ROWS]) {
        cpu.run(ForwardFirst::<Q, ROWS> { input: &a.0, out: rows });
    }

    /// The product of operands that are transformed; spoils the first.
    pub(in crate::algorithm) fn multiply_transformed(
        cpu: impl Run,
        rows: &mut [Row; ROWS],
        windows: &[[Row; 2]; ROWS],
        out: &mut Rows<ROWS>,
    ) {
        cpu.run(BaseProducts::<_, ROWS, ROWS> { by: Odd::<Q>, rows, windows });
        cpu.run(Backward::<Q, ROWS> { rows, out: &mut out.0 });
    }

    fn pointwise_and_inverse(
        cpu: impl Run,
        a: &Rows<ROWS>,
        windows: &[[Row; 2]; ROWS],
        out: &mut Rows<ROWS>,
        rows: &mut [Row; ROWS],
    ) {
        Self::forward_first(cpu, a, rows);
        Self::multiply_transformed(cpu, rows, windows, out);
    }
}

impl<R: Ring<Coeffs = Rows<ROWS>>, const Q: i64, const ROWS: usize> Multiply<R> for RowTransform<Q, ROWS> {
    const ROUTE: Route = Route::Rows;
    const CHECK: () = {
        assert!(R::Q == Q && R::N == 16 * ROWS && tree::serves(R::Q, R::N, R::SHAPE, 16).is_ok());
        let () = Self::PROOF;
    };
    const SCRATCH: Room = Room::rows(3 * ROWS);
    const PREPARED: Room = Room::rows(2 * ROWS);

    fn multiply(
        cpu: impl Run,
        a: &Rows<ROWS>,
        b: &Rows<ROWS>,
        out: &mut Rows<ROWS>,
        scratch: &mut R::Scratch,
    ) {
        let (rows, rest) = parts(scratch.parts_mut().0);
        let (windows, _) = windows_mut(rest);
        Self::forward_second(cpu, b, rows, windows);
        Self::pointwise_and_inverse(cpu, a, windows, out, rows);
    }

    fn prepare(cpu: impl Run, b: &Rows<ROWS>, prepared: &mut R::Prepared, scratch: &mut R::Scratch) {
        let (rows, _) = parts(scratch.parts_mut().0);
        Self::forward_second(cpu, b, rows, windows_mut(prepared.parts_mut().0).0);
    }

    fn multiply_prepared(
        cpu: impl Run,
        a: &Rows<ROWS>,
        prepared: &R::Prepared,
        out: &mut Rows<ROWS>,
        scratch: &mut R::Scratch,
    ) {
        let (rows, _) = parts(scratch.parts_mut().0);
        Self::pointwise_and_inverse(cpu, a, windows(prepared.parts().0), out, rows);
    }
}
