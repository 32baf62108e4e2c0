//! The row transform modulo `y^r - 1`: the fastest product where `f` is no binomial and `q` has roots of unity of some smooth order.
//!
//! # The map
//! `y = x^L` with `L = 16 w` coefficients in a super-row, `w` rows of 16. A product of two polynomials of degree below `n` has `2 n - 1`
//! coefficients; `Z_q[x]/(x^(r L) - 1)` holds `r L` of them. `r` divides `q - 1`: a cyclic transform of length `r` across super-rows
//! leaves residues modulo `x^L - W^k`, and lanes are never touched: no shuffle, no transpose.
//! 1. `r = A B` with coprime factors: `B` transforms of `A` points, then `A` of `B` (Good and Thomas: no twiddles between them), each a
//!    [`codelet`](crate::algorithm::codelet) in registers. Super-rows of the operands that are not there (more than half) are zero:
//!    the compiler takes them away.
//! 2. Base products modulo `x^L - W^k` by pairwise multiply-add on 32-bit sums ([`convolution`](crate::algorithm::convolution)).
//! 3. The transform backwards.
//! 4. Where `2 n - 1 > r L`, the coefficients that wrapped, `d_t = sum_(i + j = r L + t) a_i b_j`, are computed directly, taken off at
//!    the bottom and put where they belong: few, for a good choice of `r` and `L`.
//! 5. `x^n = x + 1`, and the exact reduction, in one pass.
//!
//! # Conditions
//! `x^n - x - 1`, an odd prime `q`, and a number of rows `w r` with `r` a divisor of `q - 1` that is a product of two coprime numbers for
//! which there is a codelet.
//!
//! # Bounds
//! In: centred; out: centred. Reductions in codelets are placed by the bounds of their inputs, separately for each column of the first
//! pass; [`PROOF`](RowsCyclic::PROOF) replays all of them, the base products, the wrapped coefficients and the last sum.
//!
//! # Source
//! Ringsmith's own; its parts are Good and Thomas' and Rader's. D. J. Bernstein, B. B. Brumley, M.-S. Chen, N. Tuveri (OpenSSLNTRU,
//! eprint 2021/826) multiply modulo two auxiliary primes; V. Hwang, C.-T. Liu, B.-Y. Yang (eprint 2023/604) modulo `q` itself by Rader and
//! Bruun.
//!
//! ```
//! use ringsmith_ring::{Multiplier, Poly, Route, rings::NtruPrime761};
//! use ringsmith_simd::Cpu;
//!
//! let a = Poly::<NtruPrime761>::new(&[2295i16; 761]).unwrap();
//! let b = Poly::new(&[-2295i16; 761]).unwrap();
//! let rows = Multiplier::with_route(Cpu::detect(), Route::Rows)?;
//! let slow = Multiplier::with_route(Cpu::detect(), Route::Schoolbook)?;
//! let mut scratch = rows.scratch();
//! assert_eq!(rows.multiply(&a, &b, &mut scratch).centred(), slow.multiply(&a, &b, &mut scratch).centred());
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::geometry::Geometry;
use super::plan::{self, Codelets, Plans};
use crate::algorithm::codelet::POINTS;
use crate::algorithm::codelet::run::{Code, Schedule, run};
use crate::algorithm::network::Aligned;
use crate::algorithm::plan::KEEP_ALL;
use crate::bound::Bound;
use crate::multiplier::Multiply;
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor};
use crate::ring::{Ring, Rows, Shape, Workspace};
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Cpu, Kernel, Row, Simd, each};

/// Rows that a byte addresses: the product before it is reduced by `f`. A byte needs no check.
const PRODUCT: usize = 256;
/// Rows for the coefficients of the second operand that wrap, and one more.
const TOP: usize = 8;

/// The greatest number of rows whose transform the memory holds.
pub(crate) const MOST_ROWS: usize = PRODUCT - TOP;
/// The greatest number of rows of a product that may wrap; even.
pub(crate) const MOST_WRAPPED: usize = TOP - 2;

/// Rows of memory that a product takes beside its result.
pub(crate) const fn scratch(rows: usize, pairs: usize) -> usize {
    rows + prepared(pairs) + PRODUCT
}

/// Rows of memory that a prepared operand takes.
pub(crate) const fn prepared(pairs: usize) -> usize {
    2 * pairs + TOP
}

/// The row transform modulo `Q` on `ROWS` rows for operands of `OPERAND` rows, with `PAIRS` windows of two rows. `CLEAR` leaves a planned reduction out (see
/// [`plan`](crate::algorithm::plan)).
pub struct RowsCyclic<
    const Q: i64,
    const OPERAND: usize,
    const ROWS: usize,
    const PAIRS: usize,
    const CLEAR: usize = KEEP_ALL,
>;

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize, const CLEAR: usize>
    RowsCyclic<Q, OPERAND, ROWS, PAIRS, CLEAR>
{
    /// How the rows are cut.
    pub const GEOMETRY: Geometry = Geometry::of(Q, OPERAND, ROWS);
    const A: usize = Self::GEOMETRY.a;
    const B: usize = Self::GEOMETRY.b;
    const WIDTH: usize = Self::GEOMETRY.width;
    /// The plans that the kernels read and the proof replays.
    pub const PLANS: Plans = RowsCyclic::<Q, OPERAND, ROWS, PAIRS>::WHOLE.without(CLEAR);
    const WHOLE: Plans = Plans::find(&Self::GEOMETRY);
    /// Evaluating this proves that no lane overflows, on any CPU.
    pub const PROOF: () = assert!(
        Self::PLANS.hold(&RowsCyclic::<Q, OPERAND, ROWS, PAIRS>::GEOMETRY),
        "overflow: a lane of the row transform"
    );

    /// `2^16 / r`: undoes the sum over the transform and the Montgomery step of the base products.
    const SCALE: i64 = Self::GEOMETRY.scale();
    /// `W^k` times the scale, `(z, z)` and `(zq, zq)`, for the super-rows in their order in memory.
    const TURNS: Aligned<[[[i16; 2]; 2]; ROWS]> = {
        let (mut turns, mut k) = ([[[0; 2]; 2]; ROWS], 0);
        while k < Self::A * Self::B {
            let f = Factor::new(Self::GEOMETRY.root(k) * Self::SCALE % Q, Q);
            turns[k] = [[f.z; 2], [f.zq; 2]];
            k += 1;
        }
        Aligned(turns)
    };
    /// The first row of the super-row that point `r` of column `c` of the inverse transform is.
    const PLACES: [[u8; POINTS]; POINTS] = {
        let (mut places, mut c) = ([[0; POINTS]; POINTS], 0);
        while c < Self::B {
            let mut r = 0;
            while r < Self::A {
                places[c][r] = (Self::WIDTH * Self::GEOMETRY.place(r, c)) as u8;
                r += 1;
            }
            c += 1;
        }
        places
    };
}

macro_rules! code {
    ($(#[$doc:meta])* $name:ident $(<const $c:ident>)?, |$plan:ident| $codelet:expr) => {
        $(#[$doc])*
        struct $name<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize, const CLEAR: usize $(, const $c: usize)?>;
        impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize, const CLEAR: usize $(, const $c: usize)?> Code
            for $name<Q, OPERAND, ROWS, PAIRS, CLEAR $(, $c)?>
        {
            const SIGN: Schedule = {
                let $plan: &Codelets = &RowsCyclic::<Q, OPERAND, ROWS, PAIRS, CLEAR>::PLANS.sign;
                Schedule::of($codelet)
            };
            const BARRETT: Schedule = {
                let $plan: &Codelets = &RowsCyclic::<Q, OPERAND, ROWS, PAIRS, CLEAR>::PLANS.barrett;
                Schedule::of($codelet)
            };
        }
    };
}
code! { /** Column `C` forward. */ Column<const C>, |plan| &plan.columns[C] }
code! { /** The second pass of the first operand. */ First, |plan| &plan.first }
code! { /** The second pass of the second operand. */ Second, |plan| &plan.second }
code! { /** The first pass backwards. */ Back, |plan| &plan.back }
code! { /** The second pass backwards. */ Last, |plan| &plan.last }

/// The first pass forward: a codelet for each column.
struct Columns<
    'a,
    const Q: i64,
    const OPERAND: usize,
    const ROWS: usize,
    const PAIRS: usize,
    const CLEAR: usize,
> {
    input: &'a [Row; OPERAND],
    out: &'a mut [Row; ROWS],
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize, const CLEAR: usize>
    Columns<'_, Q, OPERAND, ROWS, PAIRS, CLEAR>
{
    #[inline(always)]
    fn column<S: Simd, const C: usize>(&mut self, s: S) {
        let geometry = const { RowsCyclic::<Q, OPERAND, ROWS, PAIRS, CLEAR>::GEOMETRY };
        if C >= geometry.b {
            return;
        }
        let mut j = 0;
        while j < geometry.width {
            let places = const { Self::places::<C>() };
            let x: [_; POINTS] = each(
                #[inline(always)]
                |r| if places[r] + j < OPERAND { s.load(&self.input[places[r] + j]) } else { s.splat(0) },
            );
            let y = run::<S, Column<Q, OPERAND, ROWS, PAIRS, CLEAR, C>, Q>(s, x);
            let mut r = 0;
            while r < geometry.a {
                s.store(&mut self.out[(geometry.b * r + C) * geometry.width + j], y[r]);
                r += 1;
            }
            j += 1;
        }
    }

    /// The first rows of the super-rows of column `C`.
    const fn places<const C: usize>() -> [usize; POINTS] {
        let geometry = RowsCyclic::<Q, OPERAND, ROWS, PAIRS, CLEAR>::GEOMETRY;
        let (mut places, mut r) = ([OPERAND; POINTS], 0);
        while r < geometry.a && C < geometry.b {
            places[r] = geometry.width * geometry.place(r, C);
            r += 1;
        }
        places
    }
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize, const CLEAR: usize> Kernel
    for Columns<'_, Q, OPERAND, ROWS, PAIRS, CLEAR>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        macro_rules! columns { ($($c:literal)*) => { $( self.column::<S, $c>(s); )* }; }
        columns!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    }
}

/// Loads `n` rows, `step` apart; zeroes behind them.
#[inline(always)]
fn gather<S: Simd, const ROWS: usize>(
    s: S,
    rows: &[Row; ROWS],
    at: usize,
    step: usize,
    n: usize,
) -> [S::I16; POINTS] {
    each(
        #[inline(always)]
        |i| if i < n { s.load(&rows[at + step * i]) } else { s.splat(0) },
    )
}

/// Row `i` of point `p` of a pass with so many points and super-rows of `width` rows begins here, as does its distance to the next.
#[inline(always)]
const fn row_of(b: usize, width: usize, i: usize) -> usize {
    b * width * (i / width) + i % width
}

/// The second pass of the first operand, in place; pairs are swapped for the base products.
struct FirstRows<
    'a,
    const Q: i64,
    const OPERAND: usize,
    const ROWS: usize,
    const PAIRS: usize,
    const CLEAR: usize,
> {
    rows: &'a mut [Row; ROWS],
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize, const CLEAR: usize> Kernel
    for FirstRows<'_, Q, OPERAND, ROWS, PAIRS, CLEAR>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Geometry { a, b, width, .. } = const { RowsCyclic::<Q, OPERAND, ROWS, PAIRS, CLEAR>::GEOMETRY };
        let mut i = 0;
        while i < a * width {
            let at = row_of(b, width, i);
            let y = run::<S, First<Q, OPERAND, ROWS, PAIRS, CLEAR>, Q>(s, gather(s, self.rows, at, width, b));
            let mut c = 0;
            while c < b {
                s.store(&mut self.rows[at + width * c], s.swap_pairs(y[c]));
                c += 1;
            }
            i += 1;
        }
    }
}

/// The second pass of the second operand: the windows `[W^k b | b]`.
struct SecondRows<
    'a,
    const Q: i64,
    const OPERAND: usize,
    const ROWS: usize,
    const PAIRS: usize,
    const CLEAR: usize,
> {
    rows: &'a [Row; ROWS],
    windows: &'a mut [[Row; 2]; PAIRS],
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize, const CLEAR: usize>
    SecondRows<'_, Q, OPERAND, ROWS, PAIRS, CLEAR>
{
    /// Row `J` of all super-rows.
    #[inline(always)]
    fn rows<S: Simd, const J: usize>(&mut self, s: S) {
        let Geometry { a, b, width, .. } = const { RowsCyclic::<Q, OPERAND, ROWS, PAIRS, CLEAR>::GEOMETRY };
        if J >= width {
            return;
        }
        let turns = const { &RowsCyclic::<Q, OPERAND, ROWS, PAIRS, CLEAR>::TURNS.0 };
        let scale = const { Factor::new(RowsCyclic::<Q, OPERAND, ROWS, PAIRS, CLEAR>::SCALE, Q) };
        let q = s.splat(Q as i16);
        let mut r = 0;
        while r < a {
            let x = gather(s, self.rows, b * width * r + J, width, b);
            let y = run::<S, Second<Q, OPERAND, ROWS, PAIRS, CLEAR>, Q>(s, x);
            let mut c = 0;
            while c < b {
                let turn = &turns[b * r + c];
                let turned = s.mul_mont(y[c], s.splat_pair(&turn[0]), s.splat_pair(&turn[1]), q);
                let first = (2 * width - 1) * (b * r + c);
                put(s, self.windows, first, 2 * width, J, turned);
                put(s, self.windows, first, 2 * width, J + width, montgomery::scale::<S, Q>(s, y[c], scale));
                c += 1;
            }
            r += 1;
        }
    }
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize, const CLEAR: usize> Kernel
    for SecondRows<'_, Q, OPERAND, ROWS, PAIRS, CLEAR>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        self.rows::<S, 0>(s);
        self.rows::<S, 1>(s);
        self.rows::<S, 2>(s);
    }
}

/// Row `j` of so many, in the windows of two neighbours that begin at `first`.
#[inline(always)]
fn put<S: Simd, const PAIRS: usize>(
    s: S,
    windows: &mut [[Row; 2]; PAIRS],
    first: usize,
    rows: usize,
    j: usize,
    row: S::I16,
) {
    if j > 0 {
        s.store(&mut windows[first + j - 1][1], row);
    }
    if j + 1 < rows {
        s.store(&mut windows[first + j][0], row);
    }
}

/// The products modulo `x^L - W^k`, in place.
struct BaseProducts<'a, const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize> {
    a: &'a mut [Row; ROWS],
    windows: &'a [[Row; 2]; PAIRS],
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize> Kernel
    for BaseProducts<'_, Q, OPERAND, ROWS, PAIRS>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        match const { RowsCyclic::<Q, OPERAND, ROWS, PAIRS>::GEOMETRY.width } {
            1 => self.one_by_one::<S>(s),
            2 => self.wide::<S, 2, 3>(s),
            _ => self.wide::<S, 3, 5>(s),
        }
    }
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize>
    BaseProducts<'_, Q, OPERAND, ROWS, PAIRS>
{
    /// Super-rows of one row: two products at a time, each by itself.
    #[inline(always)]
    fn one_by_one<S: Simd>(self, s: S) {
        let (a, windows) = (self.a.as_chunks_mut::<2>().0, self.windows.as_chunks::<2>().0);
        for (a, windows) in a.iter_mut().zip(windows) {
            let (mut x, mut y) = ([s.acc_zero(); 2], [s.acc_zero(); 2]);
            s.madd_windows(&mut x, &a[0], &windows[0]);
            s.madd_windows(&mut y, &a[1], &windows[1]);
            s.store(&mut a[0], reduced::<S, Q>(s, x));
            s.store(&mut a[1], reduced::<S, Q>(s, y));
        }
    }

    /// Row `i` of a first operand is multiplied by the windows of all rows of the result at once.
    #[inline(always)]
    fn wide<S: Simd, const WIDTH: usize, const WINDOWS: usize>(self, s: S) {
        let (a, windows) = (self.a.as_chunks_mut::<WIDTH>().0, self.windows.as_chunks::<WINDOWS>().0);
        for (a, windows) in a.iter_mut().zip(windows) {
            let (mut sums, mut i) = ([[s.acc_zero(); 2]; WIDTH], 0);
            while i < WIDTH {
                let these: &[[Row; 2]; WIDTH] =
                    windows[WIDTH - 1 - i..].first_chunk().expect("as many windows");
                s.madd_windows_n(&mut sums, &a[i], these);
                i += 1;
            }
            let mut t = 0;
            while t < WIDTH {
                s.store(&mut a[t], reduced::<S, Q>(s, sums[t]));
                t += 1;
            }
        }
    }
}

/// A row of sums, reduced.
#[inline(always)]
fn reduced<S: Simd, const Q: i64>(s: S, sums: [S::Acc; 2]) -> S::I16 {
    let (low, high) = s.even_odd(sums[0], sums[1]);
    montgomery::reduce_wide::<S, Q>(s, low, high)
}

/// The transform backwards; spoils its input.
struct Backward<
    'a,
    const Q: i64,
    const OPERAND: usize,
    const ROWS: usize,
    const PAIRS: usize,
    const CLEAR: usize,
> {
    rows: &'a mut [Row; ROWS],
    out: &'a mut [Row; PRODUCT],
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize, const CLEAR: usize> Kernel
    for Backward<'_, Q, OPERAND, ROWS, PAIRS, CLEAR>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Geometry { a, b, width, .. } = const { RowsCyclic::<Q, OPERAND, ROWS, PAIRS, CLEAR>::GEOMETRY };
        let places = const { &RowsCyclic::<Q, OPERAND, ROWS, PAIRS, CLEAR>::PLACES };
        let mut i = 0;
        while i < a * width {
            let at = row_of(b, width, i);
            let y = run::<S, Back<Q, OPERAND, ROWS, PAIRS, CLEAR>, Q>(s, gather(s, self.rows, at, width, b));
            let mut c = 0;
            while c < b {
                s.store(&mut self.rows[at + width * c], y[c]);
                c += 1;
            }
            i += 1;
        }
        i = 0;
        while i < b * width {
            let x = gather(s, self.rows, i, b * width, a);
            let y = run::<S, Last<Q, OPERAND, ROWS, PAIRS, CLEAR>, Q>(s, x);
            let mut r = 0;
            while r < a {
                let place = places[i / width][r].wrapping_add((i % width) as u8);
                s.store(&mut self.out[place as usize], y[r]);
                r += 1;
            }
            i += 1;
        }
    }
}

/// The coefficients that wrapped: computed, taken off, and put behind the others.
struct Unwrap<'a, R, const Q: i64, const OPERAND: usize, const ROWS: usize> {
    a: &'a [Row; OPERAND],
    top: &'a [Row; TOP],
    out: &'a mut [Row; PRODUCT],
    ring: PhantomData<R>,
}

/// Rows of the operands whose products wrap begin here.
const fn top_row(n: usize, operand: usize, rows: usize) -> usize {
    if 16 * rows >= 2 * n - 1 { operand } else { (16 * rows - (n - 1)) / 16 }
}

/// Whether the coefficients that wrapped are right on any CPU: their sums hold so many rows of products of centred coefficients, and
/// they are no larger than those that the last sum was planned for.
const fn wrapped_hold(q: i64, rows: usize) -> bool {
    let sum = Bound::centred(q).mul(Bound::centred(q)).mirrored().scale(16 * rows as i64);
    let wrapped = montgomery::bound_wide(sum, q);
    sum.fits(32) && wrapped.fits(16) && plan::wrapped_fit(q, montgomery::bound_any(wrapped, q))
}

/// Copies the rows of the second operand whose products wrap.
fn copy_top<R: Ring, const OPERAND: usize, const ROWS: usize>(b: &[Row; OPERAND], top: &mut [Row; TOP]) {
    *top = [[0; 16]; TOP];
    let from = &b[const { top_row(R::N, OPERAND, ROWS) }..];
    top[..from.len()].copy_from_slice(from);
}

impl<R: Ring, const Q: i64, const OPERAND: usize, const ROWS: usize> Kernel
    for Unwrap<'_, R, Q, OPERAND, ROWS>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let first = const { top_row(R::N, OPERAND, ROWS) };
        let (count, shift) = (OPERAND - first, ROWS - 2 * first);
        let unit = const { Factor::new(1 << 16, Q) };
        let mut a = [[0; 16]; TOP];
        let mut i = 0;
        while i < count {
            s.store(&mut a[i], s.swap_pairs(s.load(&self.a[first + i])));
            i += 1;
        }
        let mut m = 0;
        while m + shift < 2 * count {
            let (mut sums, mut i) = ([s.acc_zero(); 2], m + shift - count);
            while i < count {
                let two: &[Row; 2] = self.top[m + shift - i - 1..].first_chunk().expect("two rows a window");
                s.madd_windows(&mut sums, &a[i], two);
                i += 1;
            }
            let wrapped = montgomery::scale::<S, Q>(s, reduced::<S, Q>(s, sums), unit);
            let plain = s.sub(s.load(&self.out[m]), wrapped);
            s.store(&mut self.out[m], plain);
            s.store(&mut self.out[ROWS + m], wrapped);
            m += 1;
        }
    }
}

/// `x^n = x + 1`, and centred.
struct Fold<'a, R, const Q: i64, const OPERAND: usize> {
    product: &'a [Row; PRODUCT],
    out: &'a mut [Row; OPERAND],
    ring: PhantomData<R>,
}

/// The sixteen words from `16 row + at` on.
#[inline(always)]
fn words<S: Simd>(s: S, rows: &[Row; PRODUCT], at: usize) -> S::I16 {
    s.load(rows.as_flattened()[at..].first_chunk().expect("a row inside the product"))
}

impl<R: Ring, const Q: i64, const OPERAND: usize> Fold<'_, R, Q, OPERAND> {
    #[inline(always)]
    fn row<S: Simd>(&mut self, s: S, i: usize, mask: [Option<&Row>; 2]) {
        let (plain, above) = (s.load(&self.product[i]), words(s, self.product, 16 * i + R::N));
        let mut below = words(s, self.product, 16 * i + R::N - 1);
        if let Some(mask) = mask[0] {
            below = s.and(below, s.load(mask));
        }
        let mut sum = barrett::exact::<S, Q>(s, s.add(plain, s.add(above, below)));
        if let Some(mask) = mask[1] {
            sum = s.and(sum, s.load(mask));
        }
        s.store(&mut self.out[i], sum);
    }
}

/// All ones in the lanes from `low` to below `high`.
const fn lanes(low: usize, high: usize) -> Row {
    let (mut row, mut lane) = ([0; 16], low);
    while lane < high {
        row[lane] = -1;
        lane += 1;
    }
    row
}

impl<R: Ring, const Q: i64, const OPERAND: usize> Kernel for Fold<'_, R, Q, OPERAND> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let (first, last) = const { (&lanes(1, 16), &lanes(0, R::N - 16 * (OPERAND - 1))) };
        self.row(s, 0, [Some(first), None]);
        let mut i = 1;
        while i < OPERAND - 1 {
            self.row(s, i, [None, None]);
            i += 1;
        }
        self.row(s, OPERAND - 1, [None, Some(last)]);
    }
}

/// The parts of the scratch memory: a transform, the windows of the second operand and its top, the product.
struct Parts<'a, const ROWS: usize> {
    rows: &'a mut [Row; ROWS],
    second: &'a mut [Row],
    product: &'a mut [Row; PRODUCT],
}

/// What every memory of a ring holds: its `CHECK` could not prove it, its tests multiply by every route.
const ROOM: &str = "memory for the row transform";

fn parts<const ROWS: usize>(rows: &mut [Row]) -> Parts<'_, ROWS> {
    let (product, rest) = rows.split_first_chunk_mut().expect(ROOM);
    let (rows, second) = rest.split_first_chunk_mut().expect(ROOM);
    Parts { rows, second, product }
}

fn windows<const PAIRS: usize>(rows: &[Row]) -> (&[[Row; 2]; PAIRS], &[Row; TOP]) {
    let (windows, rest) = rows.split_at(2 * PAIRS);
    (windows.as_chunks().0.first_chunk().expect(ROOM), rest.first_chunk().expect(ROOM))
}

fn windows_mut<const PAIRS: usize>(rows: &mut [Row]) -> (&mut [[Row; 2]; PAIRS], &mut [Row; TOP]) {
    let (windows, rest) = rows.split_at_mut(2 * PAIRS);
    (windows.as_chunks_mut().0.first_chunk_mut().expect(ROOM), rest.first_chunk_mut().expect(ROOM))
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize, const CLEAR: usize>
    RowsCyclic<Q, OPERAND, ROWS, PAIRS, CLEAR>
{
    fn second<R: Ring>(cpu: Cpu, b: &Rows<OPERAND>, rows: &mut [Row; ROWS], second: &mut [Row]) {
        let (windows, top) = windows_mut::<PAIRS>(second);
        cpu.run(Columns::<Q, OPERAND, ROWS, PAIRS, CLEAR> { input: &b.0, out: rows });
        cpu.run(SecondRows::<Q, OPERAND, ROWS, PAIRS, CLEAR> { rows, windows });
        copy_top::<R, OPERAND, ROWS>(&b.0, top);
    }

    fn finish<R: Ring>(
        cpu: Cpu,
        a: &Rows<OPERAND>,
        second: &[Row],
        out: &mut Rows<OPERAND>,
        rows: &mut [Row; ROWS],
        product: &mut [Row; PRODUCT],
    ) {
        let (windows, top) = windows::<PAIRS>(second);
        cpu.run(Columns::<Q, OPERAND, ROWS, PAIRS, CLEAR> { input: &a.0, out: rows });
        cpu.run(FirstRows::<Q, OPERAND, ROWS, PAIRS, CLEAR> { rows });
        cpu.run(BaseProducts::<Q, OPERAND, ROWS, PAIRS> { a: rows, windows });
        cpu.run(Backward::<Q, OPERAND, ROWS, PAIRS, CLEAR> { rows, out: product });
        if const { top_row(R::N, OPERAND, ROWS) < OPERAND } {
            cpu.run(Unwrap::<R, Q, OPERAND, ROWS> { a: &a.0, top, out: product, ring: PhantomData });
        }
        cpu.run(Fold::<R, Q, OPERAND> { product, out: &mut out.0, ring: PhantomData });
    }
}

impl<
    R: Ring<Coeffs = Rows<OPERAND>>,
    const Q: i64,
    const OPERAND: usize,
    const ROWS: usize,
    const PAIRS: usize,
    const CLEAR: usize,
> Multiply<R> for RowsCyclic<Q, OPERAND, ROWS, PAIRS, CLEAR>
{
    const ROUTE: Route = Route::Rows;
    const IN: Bound = Bound::centred(Q);
    const OUT: Bound = Bound::centred(Q);
    const CHECK: () = {
        assert!(R::Q == Q && R::N.div_ceil(16) == OPERAND && matches!(R::SHAPE, Shape::PrimeTrinomial));
        assert!(PAIRS == Self::A * Self::B * (2 * Self::WIDTH - 1));
        let wrapped = OPERAND - top_row(R::N, OPERAND, ROWS);
        assert!(wrapped < TOP && ROWS + TOP <= PRODUCT);
        assert!(wrapped_hold(Q, wrapped), "overflow: a coefficient that wrapped");
        let () = Self::PROOF;
    };

    fn multiply(
        cpu: Cpu,
        a: &Rows<OPERAND>,
        b: &Rows<OPERAND>,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let Parts { rows, second, product } = parts::<ROWS>(scratch.parts_mut().0);
        Self::second::<R>(cpu, b, rows, second);
        Self::finish::<R>(cpu, a, second, out, rows, product);
    }

    fn prepare(cpu: Cpu, b: &Rows<OPERAND>, prepared: &mut R::Prepared, scratch: &mut R::Scratch) {
        let rows = parts::<ROWS>(scratch.parts_mut().0).rows;
        Self::second::<R>(cpu, b, rows, prepared.parts_mut().0);
    }

    fn multiply_prepared(
        cpu: Cpu,
        a: &Rows<OPERAND>,
        prepared: &R::Prepared,
        out: &mut Rows<OPERAND>,
        scratch: &mut R::Scratch,
    ) {
        let Parts { rows, product, .. } = parts::<ROWS>(scratch.parts_mut().0);
        Self::finish::<R>(cpu, a, prepared.parts().0, out, rows, product);
    }
}
