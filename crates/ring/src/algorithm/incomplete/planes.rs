//! Planes in registers: their tables, their layers, and the products of their residues.

use super::PLANE;
use super::parameters::{Arrangement, BaseProduct, Factors};
use crate::algorithm::network::{
    self, Aligned, Lots, Twiddle, family, forward_layer_of_lots, forward4, inverse4, lots, scale4, scatter,
    splat, transpose8, zips8,
};
use crate::algorithm::plan::{self, Pass, PassForm, Plan, Plans, Problem, ProductRule, Split};
use crate::algorithm::{residues, tree};
use crate::bound::Bound;
use crate::reduce::montgomery::Factor;
use core::marker::PhantomData;
use ringsmith_simd::{Row, Simd, each};

/// Layers of the transform.
const LAYERS: usize = 7;

/// What kernels need of planes, whatever their parameters are.
pub(in crate::algorithm) trait Layers {
    /// The degree of the residues: how many planes there are.
    const DEGREE: usize;

    /// The seven layers, from centred coefficients to slots.
    fn forward<S: Simd, const W: usize>(s: S, x: Lots<S::I16, W>) -> Lots<S::I16, W>;
    /// The layers backwards, to centred coefficients.
    fn inverse<S: Simd, const W: usize>(s: S, x: Lots<S::I16, W>) -> Lots<S::I16, W>;
    /// From slots to residues in their order, centred: the way back of the rows, without the layers.
    fn in_order<S: Simd>(s: S, x: [S::I16; 8]) -> [S::I16; 8];
    /// `a = a b 2^-16`, residue by residue; these as `A` says.
    fn multiply<S: Simd, const ROWS: usize, B: BaseProduct, A: Arrangement>(
        s: S,
        a: &mut [Row; ROWS],
        b: &[Row; ROWS],
    );
}

/// The planes of an element modulo `Q`.
pub(in crate::algorithm) struct Planes<const Q: i64, const DEGREE: usize, F> {
    factors: PhantomData<F>,
}

/// The residue of which a slot of a plane holds a coefficient.
pub const fn residue_at(c: usize, lane: usize) -> usize {
    let (half, j) = (lane / 8, lane % 8);
    16 * (4 * half + j % 4) + 8 * (j / 4) + c
}

impl<const Q: i64, const DEGREE: usize, F: Factors> Planes<Q, DEGREE, F> {
    /// Whether the first layer is that of a half trinomial.
    const HALF: bool = matches!(F::SPLIT, Split::HalfTrinomial);
    pub(super) const PROBLEM: Problem = {
        let lanes = PassForm { registers: 8, first: 0 };
        let halves = PassForm { registers: 8, first: 2 };
        Problem::with_split(F::SPLIT, Q, LAYERS, [lanes, halves, lanes], true)
    };
    pub(super) const PRODUCTS: ProductRule = ProductRule::Residues { degree: DEGREE };
    pub(super) const PLANS: Plans = Plans::find(&Self::PROBLEM, Self::PRODUCTS);
    /// Nodes 1 to 7, across rows.
    const FORWARD: Aligned<[Twiddle; 8]> = Aligned(tree::table(&Self::PROBLEM, false));
    const INVERSE: Aligned<[Twiddle; 8]> = Aligned(tree::table(&Self::PROBLEM, true));
    /// The layer between halves: of rows `r` and `r + 4`.
    const FORWARD_HALVES: Aligned<[Twiddle; 4]> = Aligned(Self::halves(false));
    const INVERSE_HALVES: Aligned<[Twiddle; 4]> = Aligned(Self::halves(true));
    /// Nodes 1 to 7 of the problem of each lane.
    const FORWARD_LANES: Aligned<[Twiddle; 8]> = Aligned(Self::lanes(false));
    const INVERSE_LANES: Aligned<[Twiddle; 8]> = Aligned(Self::lanes(true));
    /// `w` of the residues, in the order of the slots.
    const ROOTS: Aligned<[Twiddle; PLANE]> = Aligned(Self::roots(false));
    /// The same in their own order.
    const ROOTS_IN_ORDER: Aligned<[Twiddle; PLANE]> = Aligned(Self::roots(true));

    const fn put(table: &mut Twiddle, lane: usize, factor: Factor) {
        (table[0][lane], table[1][lane]) = (factor.z, factor.zq);
    }

    const fn halves(inverted: bool) -> [Twiddle; 4] {
        let (mut table, mut i) = ([[[0; 16]; 2]; 4], 0);
        while i < 64 {
            let (row, lane) = (i / 16, i % 16);
            let factor = Self::PROBLEM.twiddle(8 + row + lane / 8 * 4, inverted);
            Self::put(&mut table[row], lane, factor);
            i += 1;
        }
        table
    }

    const fn lanes(inverted: bool) -> [Twiddle; 8] {
        let (mut table, mut i) = ([[[0; 16]; 2]; 8], 16usize);
        while i < 128 {
            let (node, lane) = (i / 16, i % 16);
            let (layer, problem) = (node.ilog2(), 16 + residue_at(0, lane) / 8);
            let factor = Self::PROBLEM.twiddle((problem << layer) + node - (1 << layer), inverted);
            Self::put(&mut table[node], lane, factor);
            i += 1;
        }
        table
    }

    const fn roots(in_order: bool) -> [Twiddle; PLANE] {
        let (mut table, mut i) = ([[[0; 16]; 2]; PLANE], 0);
        while i < 16 * PLANE {
            let residue = if in_order { i } else { residue_at(i / 16, i % 16) };
            Self::put(&mut table[i / 16], i % 16, Factor::new(Self::PROBLEM.leaf(residue), Q));
            i += 1;
        }
        table
    }

    pub(super) const fn forward_bound() -> Bound {
        match Self::PLANS.forward_bound(&Self::PROBLEM) {
            Some(bound) => bound,
            None => panic!("overflow: a lane of the transform"),
        }
    }

    /// Where products lie that the inverse takes, on any CPU.
    pub(in crate::algorithm) const fn products_bound() -> Bound {
        Self::PLANS.products_taken(&Self::PROBLEM, Self::PRODUCTS)
    }
}

impl<const Q: i64, const DEGREE: usize, F: Factors> Layers for Planes<Q, DEGREE, F> {
    const DEGREE: usize = DEGREE;

    #[inline(always)]
    fn forward<S: Simd, const W: usize>(s: S, x: Lots<S::I16, W>) -> Lots<S::I16, W> {
        let codes = &Self::plan::<S>().forward;
        let rows = family(const { &Self::FORWARD.0 }, 1);
        let x = if Self::HALF {
            lots(
                x,
                #[inline(always)]
                |x| Self::split(s, x, codes[0]),
            )
        } else {
            forward_layer_of_lots::<S, Q, 4, W>(s, x, &rows, codes[0])
        };
        let x = forward_layer_of_lots::<S, Q, 2, W>(s, x, &rows, codes[1]);
        let x = forward_layer_of_lots::<S, Q, 1, W>(s, x, &rows, codes[2]);
        let x = lots(
            x,
            #[inline(always)]
            |x| zips8::<S, 8, 4>(s, x),
        );
        let x = lots(
            x,
            #[inline(always)]
            |x| {
                let (mut a, mut b) = ([x[0], x[1], x[2], x[3]], [x[4], x[5], x[6], x[7]]);
                let z = load4(s, const { &Self::FORWARD_HALVES.0 });
                forward4::<S, Q>(s, &mut a, &mut b, z, codes[3]);
                transpose8(s, [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]])
            },
        );
        let lanes = family(const { &Self::FORWARD_LANES.0 }, 1);
        let x = forward_layer_of_lots::<S, Q, 4, W>(s, x, &lanes, codes[4]);
        let x = forward_layer_of_lots::<S, Q, 2, W>(s, x, &lanes, codes[5]);
        forward_layer_of_lots::<S, Q, 1, W>(s, x, &lanes, codes[6])
    }

    #[inline(always)]
    fn inverse<S: Simd, const W: usize>(s: S, x: Lots<S::I16, W>) -> Lots<S::I16, W> {
        let [lanes, halves, rows] = &Self::plan::<S>().inverse;
        let table = family(const { &Self::INVERSE_LANES.0 }, 1);
        let x = network::inverse_of_lots::<S, Q, W>(s, x, table, tree::codes8(lanes, 0));
        let x = lots(
            x,
            #[inline(always)]
            |x| {
                let x = transpose8(s, ended::<S, Q>(s, lanes, x));
                let (mut a, mut b) = ([x[0], x[1], x[2], x[3]], [x[4], x[5], x[6], x[7]]);
                let codes = &halves.layers[2];
                let codes =
                    [[codes[0], codes[1], codes[2], codes[3]], [codes[4], codes[5], codes[6], codes[7]]];
                let z = load4(s, const { &Self::INVERSE_HALVES.0 });
                inverse4::<S, Q>(s, &mut a, &mut b, z, codes);
                let x = ended::<S, Q>(s, halves, [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]);
                zips8::<S, 8, 4>(s, x)
            },
        );
        let table = family(const { &Self::INVERSE.0 }, 1);
        let x = network::inverse_of_lots::<S, Q, W>(s, x, table, tree::codes8(rows, 0));
        lots(
            x,
            #[inline(always)]
            |x| residues::centred::<S, Q, 8>(s, &Self::join(s, ended::<S, Q>(s, rows, x))),
        )
    }

    #[inline(always)]
    fn in_order<S: Simd>(s: S, x: [S::I16; 8]) -> [S::I16; 8] {
        residues::centred::<S, Q, 8>(s, &zips8::<S, 8, 4>(s, transpose8(s, x)))
    }

    #[inline(always)]
    fn multiply<S: Simd, const ROWS: usize, B: BaseProduct, A: Arrangement>(
        s: S,
        a: &mut [Row; ROWS],
        b: &[Row; ROWS],
    ) {
        let roots = if A::ORDERED { const { &Self::ROOTS_IN_ORDER.0 } } else { const { &Self::ROOTS.0 } };
        let code = Self::plan::<S>().domain;
        let mut c = 0;
        while c < PLANE {
            let x = operand::<S, Q, ROWS, DEGREE, B>(s, a, c, code);
            let y = operand::<S, Q, ROWS, DEGREE, B>(s, b, c, code);
            scatter(s, a, c, PLANE, B::product::<S, Q, DEGREE>(s, &x, &y, &roots[c]));
            c += 1;
        }
    }
}

impl<const Q: i64, const DEGREE: usize, F: Factors> Planes<Q, DEGREE, F> {
    #[inline(always)]
    fn plan<S: Simd>() -> &'static Plan {
        const { Planes::<Q, DEGREE, F>::PLANS.of::<S>() }
    }

    /// The first layer of a half trinomial.
    #[inline(always)]
    fn split<S: Simd>(s: S, mut x: [S::I16; 8], code: u8) -> [S::I16; 8] {
        let z = splat(s, const { Self::PROBLEM.twiddle(1, false) });
        let product = scale4::<S, Q>(s, [x[4], x[5], x[6], x[7]], [z; 4]);
        let mut j = 0;
        while j < 4 {
            let (a, b) = (plan::reduce::<S, Q>(s, code, x[j]), x[j + 4]);
            x[j] = s.add(a, product[j]);
            x[j + 4] = s.sub(s.add(a, b), product[j]);
            j += 1;
        }
        x
    }

    /// Scales the sums of the last layer; the differences had it in their twiddle. Of a half trinomial, these
    /// are `b / 2` then.
    #[inline(always)]
    fn join<S: Simd>(s: S, x: [S::I16; 8]) -> [S::I16; 8] {
        let scale = splat(s, const { Self::PROBLEM.last()[0] });
        let sums = scale4::<S, Q>(s, [x[0], x[1], x[2], x[3]], [scale; 4]);
        let (mut out, mut j) = (x, 0);
        while j < 4 {
            let half = x[j + 4];
            out[j] = if Self::HALF { s.sub(sums[j], half) } else { sums[j] };
            out[j + 4] = if Self::HALF { s.add(half, half) } else { half };
            j += 1;
        }
        out
    }
}

/// The reductions at the end of a pass.
#[inline(always)]
fn ended<S: Simd, const Q: i64>(s: S, pass: &Pass, x: [S::I16; 8]) -> [S::I16; 8] {
    each(
        #[inline(always)]
        |r| plan::reduce::<S, Q>(s, pass.end[r], x[r]),
    )
}

#[inline(always)]
fn load4<S: Simd>(s: S, table: &[Twiddle; 4]) -> [[S::I16; 2]; 4] {
    each(
        #[inline(always)]
        |r| [s.load(&table[r][0]), s.load(&table[r][1])],
    )
}

/// An operand of products: row `c` of each plane, reduced. Loaded and reduced at once, so that whole
/// registers are not copied.
#[inline(always)]
fn operand<S: Simd, const Q: i64, const ROWS: usize, const DEGREE: usize, B: BaseProduct>(
    s: S,
    rows: &[Row; ROWS],
    c: usize,
    code: u8,
) -> [S::I16; DEGREE] {
    each(
        #[inline(always)]
        |k| B::operand::<S, Q>(s, s.load(&rows[PLANE * k + c]), code),
    )
}
