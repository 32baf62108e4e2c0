//! The negacyclic number-theoretic transform in 16-bit lanes, complete or down to residues of degree `d` = 2.
//!
//! # The map
//! With `psi` of order `2 n / d`, `Z_q[x]/(x^n + 1)` splits into the products of `Z_q[x]/(x^d - w)` over all
//! odd powers `w` of `psi`: one layer takes `x^(2m) - r^2` to `x^m - r` and `x^m + r`. Forward by
//! Cooley-Tukey with the twist merged in the twiddles, inverse by Gentleman-Sande with `d / n` and the
//! domain's factor `2^16` merged in the last layer; no pass that only reorders.
//!
//! # The order of the domain
//! Layers down to 16 coefficients act on whole rows (`tree.rs`). Then tiles of 16 rows are transposed on the
//! way, so that each lane holds one problem of size 16 and the rest needs no shuffle. So slot (row
//! `16 t + c`, lane `l`) holds what the standard in-place transform leaves at place `16 (16 t + l) + c`: see
//! [`domain_place`].
//!
//! # Passes
//! One over columns of rows eight apart (1 to 3 layers), one over eight neighbours (3 layers and an 8 x 8
//! transpose in each half while in registers), one over tiles (3 or 4 layers). Fewer passes over memory did
//! not help.
//!
//! # Bounds
//! In: centred; out: what the plans prove, centred after the inverse. Where
//! reductions stand, and which, is the planner's choice for each kind of CPU.
//!
//! # Conditions
//! Negacyclic, `n` = 256, 512 or 1024, `d` = 1 or 2, roots of unity of order `2 n / d` modulo a prime `q`.
//!
//! # Source
//! Merged twiddles: Roy et al., CHES 2014; Poeppelmann, Oder, Gueneysu 2015. Signed Montgomery butterflies:
//! G. Seiler, eprint 2018/039. One problem per lane after a transpose: as in vectorised transforms since; the
//! tiles are Ringsmith's.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::MlKem};
//! use ringsmith_simd::Cpu;
//!
//! let mut x = [0i16; 256];
//! x[1] = 1;
//! let x = Poly::<MlKem>::new(&x).unwrap();
//! let ntt = multiplier(Cpu::detect(), Route::Ntt { base: 2 })?;
//! assert_eq!(ntt.multiply(&x, &x, &mut ntt.scratch()).centred()[..4], [0, 0, 1, 0]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::choice::Sign;
use super::convolution::NegacyclicProduct;
use super::incomplete::{BaseProduct, BySchoolbook};
use super::network::{
    self, Aligned, Twiddle, family, forward4, gather, inverse4, scale4, scatter, splat, transpose8,
};
use super::plan::{self, Pass, PassForm, Plan, Plans, Problem, ProductRule};
use super::{residues, tree};
use crate::bound::{Bound, hold};
use crate::memory::Rows;
use crate::multiply::Transform;
use crate::reduce::barrett;
use crate::reduce::montgomery::Factor;
use crate::reduce::residues::Odd;
use crate::reduce::sum;
use crate::ring::Ring;
use crate::route::Route;
use ringsmith_simd::{Kernel, LazyReduction, Row, Run, Simd, each};

/// The place in the standard transform's output of the slot in `row` and `lane` (see the order of the domain
/// above).
pub const fn domain_place(row: usize, lane: usize) -> usize {
    16 * (row / 16 * 16 + lane) + row % 16
}

/// The transform modulo `Q` on `ROWS` rows down to residues of degree `BASE`.
pub struct Ntt<const Q: i64, const ROWS: usize, const BASE: usize>;

impl<const Q: i64, const ROWS: usize, const BASE: usize> Ntt<Q, ROWS, BASE> {
    /// Layers inside rows.
    const LANE_LAYERS: usize = 4 - BASE.trailing_zeros() as usize;
    const PROBLEM: Problem = {
        let [neighbours, columns] = tree::passes(ROWS);
        let lanes = PassForm { registers: 16, first: 4 - Self::LANE_LAYERS };
        assert!(BASE == 1 || BASE == 2);
        let layers = ROWS.trailing_zeros() as usize + Self::LANE_LAYERS;
        Problem::new(Q, layers, [lanes, neighbours, columns], true)
    };
    const PRODUCTS: ProductRule = ProductRule::Residues { degree: BASE };
    const FORWARD: Aligned<[Twiddle; ROWS]> = Aligned(tree::table(&Self::PROBLEM, false));
    const INVERSE: Aligned<[Twiddle; ROWS]> = Aligned(tree::table(&Self::PROBLEM, true));
    const FORWARD_LANES: Aligned<[Twiddle; ROWS]> = Aligned(Self::lanes(false));
    const INVERSE_LANES: Aligned<[Twiddle; ROWS]> = Aligned(Self::lanes(true));
    const ROOTS: Aligned<[Twiddle; ROWS]> = Aligned(Self::roots());

    /// Twiddles of the layers inside rows: tile `t`, node `j` of its 15 at `16 t + j`, one problem per lane.
    const fn lanes(inverted: bool) -> [Twiddle; ROWS] {
        let mut table = [[[0; 16]; 2]; ROWS];
        let mut i = 0;
        while i < ROWS {
            let (tile, node) = (i / 16, i % 16);
            let mut lane = 0;
            while lane < 16 && node > 0 && node < 1 << Self::LANE_LAYERS {
                // Node `2^l + j` of the tile is, for the problem of row `p`, node `2^l (ROWS + p) + j` of the
                // tree.
                let layer = node.ilog2();
                let problem = ROWS + 16 * tile + lane;
                let factor = Self::PROBLEM.twiddle((problem << layer) + node - (1 << layer), inverted);
                (table[i][0][lane], table[i][1][lane]) = (factor.z, factor.zq);
                lane += 1;
            }
            i += 1;
        }
        table
    }

    /// `w` of the residues modulo `x^BASE - w` in their order, tile by tile, one problem per lane. The rest
    /// stays empty.
    const fn roots() -> [Twiddle; ROWS] {
        let mut table = [[[0; 16]; 2]; ROWS];
        let mut i = 0;
        while i < ROWS / BASE {
            let (tile, residue) = (i * BASE / 16, i % (16 / BASE));
            let mut lane = 0;
            while lane < 16 {
                let leaf = (16 * tile + lane) * (16 / BASE) + residue;
                let factor = Factor::new(Self::PROBLEM.leaf(leaf), Q);
                (table[i][0][lane], table[i][1][lane]) = (factor.z, factor.zq);
                lane += 1;
            }
            i += 1;
        }
        table
    }

    /// The plans that the kernels read and the proof replays.
    pub const PLANS: Plans = Plans::find(&Self::PROBLEM, Self::PRODUCTS);

    /// Where the forward transform's results lie, on any CPU.
    pub const fn forward_bound() -> Bound {
        match Self::PLANS.forward_bound(&Self::PROBLEM) {
            Some(bound) => bound,
            None => panic!("overflow: a lane of the transform"),
        }
    }

    /// Where values lie after so many forward layers of a plan for CPUs that prefer `step`, or `None` where a
    /// lane overflows.
    pub const fn forward_bound_after(plan: &Plan, step: LazyReduction, layers: usize) -> Option<Bound> {
        plan.forward_bound_after(&Self::PROBLEM, step, layers)
    }

    /// Where results of a product lie before they are centred, by a plan for CPUs that prefer `step`; `None`
    /// where a lane overflows.
    pub const fn result_bound(plan: &Plan, step: LazyReduction) -> Option<Bound> {
        plan.result_bound(&Self::PROBLEM, step, Self::PRODUCTS)
    }

    /// Whether the inverse accepts `values` in place of products, on any CPU.
    pub const fn inverse_takes(values: Bound) -> bool {
        Self::PLANS.inverse_takes(&Self::PROBLEM, Self::PRODUCTS, values)
    }

    /// Whether no lane overflows with these plans, on any CPU.
    pub const fn holds(plans: &Plans) -> bool {
        plans.hold(&Self::PROBLEM, Self::PRODUCTS)
    }

    /// Proves at compile time that no lane overflows.
    pub const PROOF: () = assert!(Self::holds(&Self::PLANS), "overflow: a lane of the transform");
}

/// Into the domain.
struct Forward<'a, const Q: i64, const ROWS: usize, const BASE: usize> {
    input: &'a [Row; ROWS],
    out: &'a mut [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize, const BASE: usize> Kernel for Forward<'_, Q, ROWS, BASE> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let table = const { &Ntt::<Q, ROWS, BASE>::FORWARD.0 };
        let lanes = const { &Ntt::<Q, ROWS, BASE>::FORWARD_LANES.0 };
        let plan = const { Ntt::<Q, ROWS, BASE>::PLANS.of::<S>() };
        tree::forward_columns::<S, Q, ROWS>(s, table, plan, self.input, self.out);
        let mut block = 0;
        while block < ROWS / 8 {
            let x = tree::forward_neighbours::<S, Q, ROWS>(s, table, plan, self.out, block);
            tree::store_neighbours(s, self.out, block, transpose8(s, x));
            block += 1;
        }
        let first = const { ROWS.trailing_zeros() as usize };
        let codes =
            [plan.forward[first], plan.forward[first + 1], plan.forward[first + 2], plan.forward[first + 3]];
        let (tiles, tables) = (self.out.as_chunks_mut::<16>().0, lanes.as_chunks::<16>().0);
        for (tile, table) in tiles.iter_mut().zip(tables) {
            forward_tile::<S, Q, BASE>(s, tile, table, codes);
        }
    }
}

/// The layers inside rows, for the 16 problems of a tile.
#[inline(always)]
fn forward_tile<S: Simd, const Q: i64, const BASE: usize>(
    s: S,
    tile: &mut [Row; 16],
    table: &[Twiddle; 16],
    codes: [u8; 4],
) {
    let z = [s.load(&table[1][0]), s.load(&table[1][1])];
    forward_halves::<S, Q, 0>(s, tile, z, codes[0]);
    forward_halves::<S, Q, 4>(s, tile, z, codes[0]);
    let mut half = 0;
    while half < 2 {
        let mut x = gather::<S, 16, 8>(s, tile, 8 * half, 1);
        let codes = [codes[1], codes[2], codes[3]];
        // Nodes 2 and 3, and their children, of the tile's 15.
        match BASE {
            1 => network::forward::<S, Q>(s, 3, &mut x, family(table, 2 + half), codes),
            _ => network::forward::<S, Q>(s, 2, &mut x, family(table, 2 + half), codes),
        }
        scatter(s, tile, 8 * half, 1, x);
        half += 1;
    }
}

/// The layer that joins the halves of rows: four registers of first halves, four of second halves.
#[inline(always)]
fn forward_halves<S: Simd, const Q: i64, const AT: usize>(
    s: S,
    tile: &mut [Row; 16],
    z: [S::I16; 2],
    code: u8,
) {
    let pairs: [_; 4] = each(
        #[inline(always)]
        |j| s.load_zip8(&tile[AT + j], &tile[8 + AT + j]),
    );
    let mut x = each(
        #[inline(always)]
        |j| pairs[j].0,
    );
    let mut y = each(
        #[inline(always)]
        |j| pairs[j].1,
    );
    forward4::<S, Q>(s, &mut x, &mut y, [z; 4], code);
    scatter(s, tile, AT, 1, x);
    scatter(s, tile, 8 + AT, 1, y);
}

/// `a = a b`, residue by residue, with a factor `2^-16`.
struct Pointwise<'a, const Q: i64, const ROWS: usize, const BASE: usize> {
    a: &'a mut [Row; ROWS],
    b: &'a [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize, const BASE: usize> Kernel for Pointwise<'_, Q, ROWS, BASE> {
    type Out = ();
    const SPILLS: bool = false;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let code = const { Ntt::<Q, ROWS, BASE>::PLANS.of::<S>() }.domain;
        let roots = const { &Ntt::<Q, ROWS, BASE>::ROOTS.0 };
        let (a, b) = (self.a.as_chunks_mut::<BASE>().0, self.b.as_chunks::<BASE>().0);
        for ((a, b), root) in a.iter_mut().zip(b).zip(roots) {
            let x = residues::reduced::<S, Q, BASE>(s, code, &gather::<S, BASE, BASE>(s, a, 0, 1));
            let y = residues::reduced::<S, Q, BASE>(s, code, &gather::<S, BASE, BASE>(s, b, 0, 1));
            scatter(s, a, 0, 1, BySchoolbook::product::<S, Q, BASE>(s, &x, &y, root));
        }
    }
}

/// Out of the domain, to centred coefficients; spoils its input.
struct Inverse<'a, const Q: i64, const ROWS: usize, const BASE: usize> {
    domain: &'a mut [Row; ROWS],
    out: &'a mut [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize, const BASE: usize> Kernel for Inverse<'_, Q, ROWS, BASE> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let table = const { &Ntt::<Q, ROWS, BASE>::INVERSE.0 };
        let lanes = const { &Ntt::<Q, ROWS, BASE>::INVERSE_LANES.0 };
        let [first, neighbours, columns] = const { &Ntt::<Q, ROWS, BASE>::PLANS.of::<S>().inverse };
        let (tiles, tables) = (self.domain.as_chunks_mut::<16>().0, lanes.as_chunks::<16>().0);
        for (tile, table) in tiles.iter_mut().zip(tables) {
            inverse_tile::<S, Q, BASE>(s, tile, table, first);
        }
        let mut block = 0;
        while block < ROWS / 8 {
            let x = transpose8(s, gather::<S, ROWS, 8>(s, self.domain, 8 * block, 1));
            let x = tree::inverse_neighbours::<S, Q, ROWS>(s, table, neighbours, block, x);
            tree::store_neighbours(s, self.domain, block, x);
            block += 1;
        }
        // The sums of the last layer still lack the scale; the differences had it in their twiddle.
        let scale = splat(s, const { Ntt::<Q, ROWS, BASE>::PROBLEM.last()[0] });
        tree::inverse_columns::<S, Q, ROWS>(
            s,
            table,
            columns,
            self.domain,
            self.out,
            #[inline(always)]
            |x| {
                let sums = scale4::<S, Q>(s, [x[0], x[1], x[2], x[3]], [scale; 4]);
                let y = [sums[0], sums[1], sums[2], sums[3], x[4], x[5], x[6], x[7]];
                each(
                    #[inline(always)]
                    |r| barrett::exact::<S, Q>(s, y[r]),
                )
            },
        );
    }
}

/// The layers inside rows backwards.
#[inline(always)]
fn inverse_tile<S: Simd, const Q: i64, const BASE: usize>(
    s: S,
    tile: &mut [Row; 16],
    table: &[Twiddle; 16],
    pass: &Pass,
) {
    inverse_sub_tile::<S, Q, BASE, 0>(s, tile, table, pass);
    inverse_sub_tile::<S, Q, BASE, 1>(s, tile, table, pass);
    let z = [s.load(&table[1][0]), s.load(&table[1][1])];
    inverse_halves::<S, Q, 0>(s, tile, z, pass);
    inverse_halves::<S, Q, 4>(s, tile, z, pass);
}

#[inline(always)]
fn inverse_sub_tile<S: Simd, const Q: i64, const BASE: usize, const HALF: usize>(
    s: S,
    tile: &mut [Row; 16],
    table: &[Twiddle; 16],
    pass: &Pass,
) {
    let mut x = gather::<S, 16, 8>(s, tile, 8 * HALF, 1);
    let codes = tree::codes8(pass, 8 * HALF);
    match BASE {
        1 => network::inverse::<S, Q>(s, 3, &mut x, family(table, 2 + HALF), codes),
        _ => network::inverse::<S, Q>(s, 2, &mut x, family(table, 2 + HALF), codes),
    }
    scatter(s, tile, 8 * HALF, 1, x);
}

/// The layer that joins the halves of rows backwards, and the rows as they were.
#[inline(always)]
fn inverse_halves<S: Simd, const Q: i64, const AT: usize>(
    s: S,
    tile: &mut [Row; 16],
    z: [S::I16; 2],
    pass: &Pass,
) {
    let codes = &pass.layers[3];
    let codes = [
        each(
            #[inline(always)]
            |j| codes[AT + j],
        ),
        each(
            #[inline(always)]
            |j| codes[8 + AT + j],
        ),
    ];
    let mut x = gather::<S, 16, 4>(s, tile, AT, 1);
    let mut y = gather::<S, 16, 4>(s, tile, 8 + AT, 1);
    inverse4::<S, Q>(s, &mut x, &mut y, [z; 4], codes);
    let pairs: [_; 4] = each(
        #[inline(always)]
        |j| {
            let x = plan::reduce::<S, Q>(s, pass.end[AT + j], x[j]);
            let y = plan::reduce::<S, Q>(s, pass.end[8 + AT + j], y[j]);
            s.zip::<8>(x, y)
        },
    );
    scatter(
        s,
        tile,
        AT,
        1,
        each::<_, 4>(
            #[inline(always)]
            |j| pairs[j].0,
        ),
    );
    scatter(
        s,
        tile,
        8 + AT,
        1,
        each::<_, 4>(
            #[inline(always)]
            |j| pairs[j].1,
        ),
    );
}

impl<const Q: i64, const ROWS: usize, const BASE: usize> NegacyclicProduct<ROWS> for Ntt<Q, ROWS, BASE> {
    type Residues = Odd<Q>;
    const BASE: usize = BASE;
    const PROOF: () = Self::PROOF;

    fn multiply(cpu: impl Run, a: &mut [Row; ROWS], b: &mut [Row; ROWS], domain: &mut [Row; ROWS]) {
        cpu.run(Forward::<Q, ROWS, BASE> { input: a, out: domain });
        cpu.run(Forward::<Q, ROWS, BASE> { input: b, out: a });
        cpu.run(Pointwise::<Q, ROWS, BASE> { a: domain, b: a });
        cpu.run(Inverse::<Q, ROWS, BASE> { domain, out: a });
    }
}

impl<R: Ring<Coeffs = Rows<ROWS>>, const Q: i64, const ROWS: usize, const BASE: usize> Transform<R>
    for Ntt<Q, ROWS, BASE>
{
    const ROUTE: Route = Route::Ntt { base: BASE };
    const CHECK: () = {
        assert!(R::Q == Q && R::N == 16 * ROWS && tree::serves(R::Q, R::N, R::SHAPE, BASE).is_ok());
        let () = Self::PROOF;
    };
    type Domain = [Row; ROWS];

    fn forward(cpu: impl Run, a: &Rows<ROWS>, out: &mut [Row; ROWS]) {
        cpu.run(Forward::<Q, ROWS, BASE> { input: &a.0, out });
        debug_assert!(
            hold(out.as_flattened(), Self::forward_bound()),
            "a lane left the bound of the forward transform"
        );
    }

    fn pointwise(cpu: impl Run, a: &mut [Row; ROWS], b: &[Row; ROWS]) {
        cpu.run(Pointwise::<Q, ROWS, BASE> { a, b });
    }

    fn sum<G: Sign>(cpu: impl Run, a: &mut [Row; ROWS], b: &[Row; ROWS]) {
        const {
            let products = Self::PLANS.products_taken(&Self::PROBLEM, Self::PRODUCTS);
            assert!(sum::fits(products, Q), "overflow: a sum in the domain");
        };
        sum::centred::<G, Q, ROWS>(cpu, a, b);
    }

    fn inverse(cpu: impl Run, domain: &mut [Row; ROWS], out: &mut Rows<ROWS>) {
        cpu.run(Inverse::<Q, ROWS, BASE> { domain, out: &mut out.0 });
    }
}
