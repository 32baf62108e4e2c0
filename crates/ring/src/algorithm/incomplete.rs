//! The incomplete number-theoretic transform: 128 residues of degree `d` = 4, 6 or 8.
//!
//! # The map
//! With `y = x^d` an element is `d` polynomials in `y` of 128 coefficients each, its planes: plane `k` has the coefficients of
//! `x^(d j + k)`. The ring splits into 128 rings modulo `x^d - w`, by seven layers on each plane by itself; products of the residues
//! mix the planes.
//!
//! `x^n + 1` splits as `y^m - r^2 = (y^(m/2) - r)(y^(m/2) + r)` from `y^128 + 1` on. `x^n - x^(n/2) + 1` has a first layer of its own:
//! with `z` of order 6, `z + z^-1 = 1`, so
//!
//! ```text
//! y^128 - y^64 + 1 = (y^64 - z)(y^64 - (1 - z)),     (a, b) -> (a + z b, a + b - z b)
//! ```
//!
//! one product for two results, as in the other layers.
//!
//! # A plane in registers
//! A plane is eight rows, and stays in eight registers from its first layer to the last (two planes go side by side, since a layer
//! waits for the one before): three layers across rows; a zip of halves
//! and one layer between them; a transpose of 8 x 8 in each half, after which each lane holds one problem of size 8; three layers.
//! So slot (row `8 k + c`, lane `8 h + j`) holds coefficient `k` of residue `16 (4 h + j mod 4) + 8 floor(j / 4) + c`.
//!
//! # The planes
//! Between elements in rows and planes lie zips of 4 or 8 rows (found by a search), for `d = 6` a loop. The order in which NewHope-
//! Compact keeps and sends elements is that of the planes already: [`planar`](super::ordered::planar).
//!
//! # Bounds
//! In: centred; out: what the [`Plans`] proves, centred after the inverse.
//!
//! # Conditions
//! `n = 128 d`, `d` = 4, 6 or 8; negacyclic with roots of unity of order 256, or `x^n - x^(n/2) + 1` with those of order 384, modulo
//! a prime `q`.
//!
//! # Source
//! V. Lyubashevsky, G. Seiler: NTTRU, TCHES 2019 (the first layer of the half trinomial). E. Alkim, Y. A. Bilgin, M. Cenk: Compact and
//! simple RLWE based key encapsulation mechanism, LATINCRYPT 2019, section 3. Planes in registers: Ringsmith's.
//!
//! ```
//! use ringsmith_ring::{Multiplier, Poly, Route, rings::Compact768};
//! use ringsmith_simd::Cpu;
//!
//! // x^767 x = x^768 = x^384 - 1
//! let (mut a, mut b) = ([0i16; 768], [0i16; 768]);
//! (a[767], b[1]) = (1, 1);
//! let (a, b) = (Poly::<Compact768>::new(&a).unwrap(), Poly::new(&b).unwrap());
//! let ntt = Multiplier::with_route(Cpu::detect(), Route::Ntt { base: 6 })?;
//! let c = ntt.multiply(&a, &b, &mut ntt.scratch());
//! assert_eq!((c.centred()[0], c.centred()[384]), (-1, 1));
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::network::{
    self, Aligned, Lots, Twiddle, family, forward_layer_of_lots, forward4, gather, inverse4, lots, scale4,
    scatter, splat, transpose8, zips8,
};
use super::plan::{self, Form, KEEP_ALL, Pass, Plan, Plans, Problem, Products, Split};
use super::{residues, tree};
use crate::bound::{Bound, hold};
use crate::multiplier::Transform;
use crate::reduce::barrett;
use crate::reduce::montgomery::Factor;
use crate::ring::{Ring, Rows, Shape};
use crate::route::Route;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};
use zeroize::Zeroizing;

/// Layers of the transform.
const LAYERS: usize = 7;
/// Rows of a plane.
const PLANE: usize = 8;

/// [`Incomplete`]'s `HALF` for `x^n + 1`.
pub const NEGACYCLIC: bool = false;
/// [`Incomplete`]'s `HALF` for `x^n - x^(n/2) + 1`.
pub const HALF_TRINOMIAL: bool = true;
/// [`Incomplete`]'s `KARATSUBA` for every product of two coefficients.
pub const SCHOOLBOOK: bool = false;
/// [`Incomplete`]'s `KARATSUBA` for one iteration of Karatsuba.
pub const KARATSUBA: bool = true;

/// The transform modulo `Q` on `ROWS` rows down to residues of degree `DEGREE`, and their products. `CLEAR` leaves a planned reduction
/// out (see [`plan`]).
pub struct Incomplete<
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const KARATSUBA: bool,
    const CLEAR: usize = KEEP_ALL,
>;

/// What does not depend on how residues are multiplied.
pub(super) struct Planes<
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const CLEAR: usize,
>;

/// The residue of which a slot of a plane holds a coefficient.
pub const fn residue_at(c: usize, lane: usize) -> usize {
    let (half, j) = (lane / 8, lane % 8);
    16 * (4 * half + j % 4) + 8 * (j / 4) + c
}

impl<const Q: i64, const ROWS: usize, const DEGREE: usize, const HALF: bool, const CLEAR: usize>
    Planes<Q, ROWS, DEGREE, HALF, CLEAR>
{
    const PROBLEM: Problem = {
        let split = if HALF { Split::HalfTrinomial } else { Split::Negacyclic };
        let lanes = Form { registers: 8, first: 0 };
        let halves = Form { registers: 8, first: 2 };
        Problem::with_split(split, Q, LAYERS, [lanes, halves, lanes], true)
    };
    const PRODUCTS: Products = Products::Residues { degree: DEGREE };
    const PLANS: Plans = Planes::<Q, ROWS, DEGREE, HALF, KEEP_ALL>::WHOLE.without(CLEAR);
    const WHOLE: Plans = Plans::find(&Self::PROBLEM, Self::PRODUCTS);
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

    const fn forward_bound() -> Bound {
        match Self::PLANS.forward_bound(&Self::PROBLEM) {
            Some(bound) => bound,
            None => panic!("overflow: a lane of the transform"),
        }
    }

    /// Where products lie that the inverse takes, on any CPU.
    pub(super) const fn products_bound() -> Bound {
        Self::PLANS.products_taken(&Self::PROBLEM, Self::PRODUCTS)
    }
}

impl<
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const KARATSUBA: bool,
    const CLEAR: usize,
> Incomplete<Q, ROWS, DEGREE, HALF, KARATSUBA, CLEAR>
{
    /// The plans that the kernels read and the proof replays.
    pub const PLANS: Plans = Planes::<Q, ROWS, DEGREE, HALF, CLEAR>::PLANS;

    /// Where the forward transform's results lie, on any CPU.
    pub const fn forward_bound() -> Bound {
        Planes::<Q, ROWS, DEGREE, HALF, CLEAR>::forward_bound()
    }

    /// Evaluating this proves that no lane overflows, on any CPU.
    pub const PROOF: () = {
        assert!(ROWS == PLANE * DEGREE && (DEGREE == 4 || DEGREE == 6 || DEGREE == 8));
        let whole = &Planes::<Q, ROWS, DEGREE, HALF, KEEP_ALL>::PROBLEM;
        let rule = Planes::<Q, ROWS, DEGREE, HALF, KEEP_ALL>::PRODUCTS;
        assert!(Self::PLANS.hold(whole, rule), "overflow: a lane of the transform");
        if KARATSUBA {
            let operands = Self::PLANS.forward_bound(whole);
            let operands = match operands {
                Some(operands) => barrett::exact_bound(operands, Q),
                None => panic!("overflow: a lane of the transform"),
            };
            let Some(sums) = residues::karatsuba_bound(Q, DEGREE, operands) else {
                panic!("overflow: a sum of Karatsuba")
            };
            assert!(Self::PLANS.inverse_takes(whole, rule, barrett::bound(sums, Q)), "overflow: the inverse");
        }
    };
}

impl<
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const KARATSUBA: bool,
    const CLEAR: usize,
> Incomplete<Q, ROWS, DEGREE, HALF, KARATSUBA, CLEAR>
{
    /// The product of centred elements in planes, to one in planes with its coefficients centred: both transforms, the products of
    /// residues and the inverse on a token of the caller's, which may count its operations. A user has
    /// [`Multiplier`](crate::Multiplier).
    pub fn product_of_planes<S: Simd>(s: S, a: &[Row; ROWS], b: &[Row; ROWS], out: &mut [Row; ROWS]) {
        let () = Self::PROOF;
        let mut domain = Zeroizing::new([(); 2].map(|()| Rows([[0; 16]; ROWS])));
        let [x, y] = &mut *domain;
        Forward::<Q, ROWS, DEGREE, HALF, false, CLEAR> { planes: a, out: &mut x.0 }.run(s);
        Forward::<Q, ROWS, DEGREE, HALF, false, CLEAR> { planes: b, out: &mut y.0 }.run(s);
        Multiply::<Q, ROWS, DEGREE, HALF, KARATSUBA, false, CLEAR> { a: &mut x.0, b: &y.0 }.run(s);
        Inverse::<Q, ROWS, DEGREE, HALF, false, CLEAR> { domain: &x.0, planes: out }.run(s);
    }
}

/// Into the domain, from planes; `ORDERED`: residues in their order, centred.
pub(super) struct Forward<
    'a,
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const ORDERED: bool,
    const CLEAR: usize,
> {
    pub(super) planes: &'a [Row; ROWS],
    pub(super) out: &'a mut [Row; ROWS],
}

impl<
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const ORDERED: bool,
    const CLEAR: usize,
> Kernel for Forward<'_, Q, ROWS, DEGREE, HALF, ORDERED, CLEAR>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if S::SIDE_BY_SIDE { self.planes::<S, 2>(s) } else { self.planes::<S, 1>(s) }
    }
}

impl<
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const ORDERED: bool,
    const CLEAR: usize,
> Forward<'_, Q, ROWS, DEGREE, HALF, ORDERED, CLEAR>
{
    /// All planes, `W` at a time.
    #[inline(always)]
    fn planes<S: Simd, const W: usize>(self, s: S) {
        let mut plane = 0;
        while plane < DEGREE {
            let x = load_planes::<S, ROWS, W>(s, self.planes, plane);
            let x = Planes::<Q, ROWS, DEGREE, HALF, CLEAR>::forward::<S, W>(s, x);
            let x = lots(
                x,
                #[inline(always)]
                |x| if ORDERED { residues::centred::<S, Q, 8>(s, &in_order(s, x)) } else { x },
            );
            store_planes(s, self.out, plane, x);
            plane += W;
        }
    }
}

#[inline(always)]
fn load_planes<S: Simd, const ROWS: usize, const W: usize>(
    s: S,
    rows: &[Row; ROWS],
    plane: usize,
) -> Lots<S::I16, W> {
    each(
        #[inline(always)]
        |p| gather::<S, ROWS, 8>(s, rows, PLANE * (plane + p), 1),
    )
}

#[inline(always)]
fn store_planes<S: Simd, const ROWS: usize, const W: usize>(
    s: S,
    rows: &mut [Row; ROWS],
    plane: usize,
    x: Lots<S::I16, W>,
) {
    let mut p = 0;
    while p < W {
        scatter(s, rows, PLANE * (plane + p), 1, x[p]);
        p += 1;
    }
}

/// From slots to residues in their order: the way back of the rows, without the layers.
#[inline(always)]
fn in_order<S: Simd>(s: S, x: [S::I16; 8]) -> [S::I16; 8] {
    zips8::<S, 8, 4>(s, transpose8(s, x))
}

impl<const Q: i64, const ROWS: usize, const DEGREE: usize, const HALF: bool, const CLEAR: usize>
    Planes<Q, ROWS, DEGREE, HALF, CLEAR>
{
    #[inline(always)]
    fn plan<S: Simd>() -> &'static Plan {
        const { Planes::<Q, ROWS, DEGREE, HALF, CLEAR>::PLANS.of::<S>() }
    }

    /// The seven layers.
    #[inline(always)]
    fn forward<S: Simd, const W: usize>(s: S, x: Lots<S::I16, W>) -> Lots<S::I16, W> {
        let codes = &Self::plan::<S>().forward;
        let rows = family(const { &Self::FORWARD.0 }, 1);
        let x = if HALF {
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

    /// The layers backwards, to centred coefficients.
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

    /// Scales the sums of the last layer; the differences had it in their twiddle. Of a half trinomial, these are `b / 2` then.
    #[inline(always)]
    fn join<S: Simd>(s: S, x: [S::I16; 8]) -> [S::I16; 8] {
        let scale = splat(s, const { Self::PROBLEM.last()[0] });
        let sums = scale4::<S, Q>(s, [x[0], x[1], x[2], x[3]], [scale; 4]);
        let (mut out, mut j) = (x, 0);
        while j < 4 {
            let half = x[j + 4];
            out[j] = if HALF { s.sub(sums[j], half) } else { sums[j] };
            out[j + 4] = if HALF { s.add(half, half) } else { half };
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

/// `a = a b 2^-16`, residue by residue; `ORDERED`: these in their order.
pub(super) struct Multiply<
    'a,
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const KARATSUBA: bool,
    const ORDERED: bool,
    const CLEAR: usize,
> {
    pub(super) a: &'a mut [Row; ROWS],
    pub(super) b: &'a [Row; ROWS],
}

impl<
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const KARATSUBA: bool,
    const ORDERED: bool,
    const CLEAR: usize,
> Kernel for Multiply<'_, Q, ROWS, DEGREE, HALF, KARATSUBA, ORDERED, CLEAR>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let roots = if ORDERED {
            const { &Planes::<Q, ROWS, DEGREE, HALF, CLEAR>::ROOTS_IN_ORDER.0 }
        } else {
            const { &Planes::<Q, ROWS, DEGREE, HALF, CLEAR>::ROOTS.0 }
        };
        let code = Planes::<Q, ROWS, DEGREE, HALF, CLEAR>::plan::<S>().domain;
        let mut c = 0;
        while c < PLANE {
            let x = operand::<S, Q, ROWS, DEGREE, KARATSUBA>(s, self.a, c, code);
            let y = operand::<S, Q, ROWS, DEGREE, KARATSUBA>(s, self.b, c, code);
            let product: [_; DEGREE] = if KARATSUBA {
                residues::karatsuba::<S, Q, DEGREE>(s, &x, &y, &roots[c])
            } else {
                residues::schoolbook::<S, Q, DEGREE>(s, &x, &y, &roots[c])
            };
            scatter(s, self.a, c, PLANE, product);
            c += 1;
        }
    }
}

/// An operand of products: row `c` of each plane, reduced. Loaded and reduced at once, so that whole registers are not copied.
#[inline(always)]
fn operand<S: Simd, const Q: i64, const ROWS: usize, const DEGREE: usize, const KARATSUBA: bool>(
    s: S,
    rows: &[Row; ROWS],
    c: usize,
    code: u8,
) -> [S::I16; DEGREE] {
    each(
        #[inline(always)]
        |k| {
            let x = s.load(&rows[PLANE * k + c]);
            if KARATSUBA { barrett::exact::<S, Q>(s, x) } else { plan::reduce::<S, Q>(s, code, x) }
        },
    )
}

/// Out of the domain, to planes of centred coefficients.
pub(super) struct Inverse<
    'a,
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const ORDERED: bool,
    const CLEAR: usize,
> {
    pub(super) domain: &'a [Row; ROWS],
    pub(super) planes: &'a mut [Row; ROWS],
}

impl<
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const ORDERED: bool,
    const CLEAR: usize,
> Kernel for Inverse<'_, Q, ROWS, DEGREE, HALF, ORDERED, CLEAR>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if S::SIDE_BY_SIDE { self.planes::<S, 2>(s) } else { self.planes::<S, 1>(s) }
    }
}

impl<
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const ORDERED: bool,
    const CLEAR: usize,
> Inverse<'_, Q, ROWS, DEGREE, HALF, ORDERED, CLEAR>
{
    /// All planes, `W` at a time.
    #[inline(always)]
    fn planes<S: Simd, const W: usize>(self, s: S) {
        let mut plane = 0;
        while plane < DEGREE {
            let x = lots(
                load_planes::<S, ROWS, W>(s, self.domain, plane),
                #[inline(always)]
                |x| if ORDERED { transpose8(s, zips8::<S, 8, 4>(s, x)) } else { x },
            );
            let x = Planes::<Q, ROWS, DEGREE, HALF, CLEAR>::inverse::<S, W>(s, x);
            store_planes(s, self.planes, plane, x);
            plane += W;
        }
    }
}

/// From elements in rows to planes, or back: what `d` rows hold is row `r` of all planes.
struct Interleave<'a, const ROWS: usize, const DEGREE: usize, const BACK: bool> {
    from: &'a [Row; ROWS],
    to: &'a mut [Row; ROWS],
}

impl<const ROWS: usize, const DEGREE: usize, const BACK: bool> Interleave<'_, ROWS, DEGREE, BACK> {
    /// Coefficient by coefficient.
    fn one_by_one(self) {
        let (from, to) = (self.from.as_flattened(), self.to.as_flattened_mut());
        let mut j = 0;
        while j < 16 * PLANE {
            let mut k = 0;
            while k < DEGREE {
                let (element, plane) = (DEGREE * j + k, 16 * PLANE * k + j);
                if BACK {
                    to[element] = from[plane]
                } else {
                    to[plane] = from[element]
                }
                k += 1;
            }
            j += 1;
        }
    }

    /// Eight rows of elements, which for degree 4 are two rows of each plane.
    #[inline(always)]
    fn eight<S: Simd>(self, s: S) {
        // Row i of eight, and of the planes that it belongs to.
        let element = |r: usize, i: usize| 8 * r + i;
        let plane = |r: usize, i: usize| PLANE * (i % DEGREE) + 8 / DEGREE * r + i / DEGREE;
        let mut r = 0;
        while r < ROWS / 8 {
            let x: [_; 8] = each(
                #[inline(always)]
                |i| s.load(&self.from[if BACK { plane(r, i) } else { element(r, i) }]),
            );
            let x = match (DEGREE, BACK) {
                (4, false) => {
                    let x = zips8::<S, 8, 2>(s, zips8::<S, 1, 1>(s, x));
                    zips8::<S, 1, 1>(s, zips8::<S, 1, 2>(s, x))
                }
                (4, true) => zips8::<S, 8, 2>(s, zips8::<S, 2, 2>(s, zips8::<S, 1, 1>(s, x))),
                (_, false) => {
                    let x = zips8::<S, 1, 4>(s, zips8::<S, 8, 4>(s, x));
                    zips8::<S, 2, 1>(s, zips8::<S, 2, 2>(s, x))
                }
                (_, true) => {
                    let x = zips8::<S, 1, 1>(s, zips8::<S, 1, 2>(s, x));
                    zips8::<S, 8, 4>(s, zips8::<S, 4, 4>(s, x))
                }
            };
            let mut i = 0;
            while i < 8 {
                s.store(&mut self.to[if BACK { element(r, i) } else { plane(r, i) }], x[i]);
                i += 1;
            }
            r += 1;
        }
    }
}

impl<const ROWS: usize, const DEGREE: usize, const BACK: bool> Kernel for Interleave<'_, ROWS, DEGREE, BACK> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if DEGREE == 6 { self.one_by_one() } else { self.eight(s) }
    }
}

impl<
    R: Ring<Coeffs = Rows<ROWS>>,
    const Q: i64,
    const ROWS: usize,
    const DEGREE: usize,
    const HALF: bool,
    const KARATSUBA: bool,
    const CLEAR: usize,
> Transform<R> for Incomplete<Q, ROWS, DEGREE, HALF, KARATSUBA, CLEAR>
{
    const ROUTE: Route =
        if KARATSUBA { Route::NttKaratsuba { base: DEGREE } } else { Route::Ntt { base: DEGREE } };
    const IN: Bound = Bound::centred(Q);
    const OUT: Bound = Bound::centred(Q);
    const CHECK: () = {
        let half = matches!(R::SHAPE, Shape::HalfTrinomial);
        let shape = if HALF { half } else { matches!(R::SHAPE, Shape::Negacyclic) };
        assert!(R::Q == Q && R::N == 16 * ROWS && shape);
        let () = Self::PROOF;
    };
    type Domain = [Row; ROWS];

    fn forward(cpu: Cpu, a: &Rows<ROWS>, out: &mut [Row; ROWS]) {
        let mut planes = Zeroizing::new(Rows([[0; 16]; ROWS]));
        cpu.run(Interleave::<ROWS, DEGREE, false> { from: &a.0, to: &mut planes.0 });
        cpu.run(Forward::<Q, ROWS, DEGREE, HALF, false, CLEAR> { planes: &planes.0, out });
        debug_assert!(
            hold(out.as_flattened(), Self::forward_bound()),
            "a lane left the bound of the forward transform"
        );
    }

    fn pointwise(cpu: Cpu, a: &mut [Row; ROWS], b: &[Row; ROWS]) {
        cpu.run(Multiply::<Q, ROWS, DEGREE, HALF, KARATSUBA, false, CLEAR> { a, b });
    }

    fn inverse(cpu: Cpu, domain: &mut [Row; ROWS], out: &mut Rows<ROWS>) {
        let mut planes = Zeroizing::new(Rows([[0; 16]; ROWS]));
        cpu.run(Inverse::<Q, ROWS, DEGREE, HALF, false, CLEAR> { domain, planes: &mut planes.0 });
        cpu.run(Interleave::<ROWS, DEGREE, true> { from: &planes.0, to: &mut out.0 });
    }
}
