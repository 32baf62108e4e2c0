//! The kernels of the transform in halves.

use super::field::{Field, Numbers};
use super::plan::{BACK, COLUMNS, FIRST, LAST, Plan, SECOND, Size, TERNARY};
use crate::algorithm::codelet::POINTS;
use crate::algorithm::codelet::run::{Code, Schedule, run_by};
use core::hint::black_box;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Simd, each};

/// A size class: what its kernels are compiled for.
pub trait Class: Copy + Send + Sync + 'static {
    /// The transform.
    const SIZE: Size;
    /// Its codelets: [`Plan::find`] of the size.
    const PLAN: &'static Plan;
    /// How ternary operands are transformed: by a kernel of their own ([`Ternary`]), or as all others
    /// ([`Big`]), which is less code.
    type Small: Kind;
}

/// Codelet `I` of a class.
struct Nth<C, const I: usize>(PhantomData<C>);

impl<C: Class, const I: usize> Code for Nth<C, I> {
    const SIGN: Schedule = Schedule::with_table(&C::PLAN.chain.codelets[I], &C::PLAN.places[I]);
    const BARRETT: Schedule = Self::SIGN;
}

/// The same tables, of which the compiler knows no more: it reads them where they are needed. It would keep
/// factors that it has seen before, sign-extended and in memory.
#[inline(always)]
fn opaque<const ROWS: usize>(field: &Field<ROWS>) -> &Field<ROWS> {
    black_box(field)
}

/// The range of an operand's coefficients.
pub trait Kind: Copy + Send + Sync + 'static {
    /// Multiplies the second half of an eighth of the operand by the power `e` of the root of the halves. `e`
    /// is the number of the eighth modulo the order of that root.
    #[doc(hidden)]
    fn twist<S: Simd, C: Class, const ROWS: usize>(s: S, field: &Field<ROWS>, e: usize, x: S::I16) -> S::I16;
    /// The columns.
    #[doc(hidden)]
    fn column<S: Simd, C: Class, const ROWS: usize>(
        s: S,
        field: &Field<ROWS>,
        x: [S::I16; POINTS],
    ) -> [S::I16; POINTS];
}

/// Any.
#[derive(Clone, Copy)]
pub struct Big;

impl Kind for Big {
    #[inline(always)]
    fn twist<S: Simd, C: Class, const ROWS: usize>(s: S, field: &Field<ROWS>, e: usize, x: S::I16) -> S::I16 {
        match const { C::SIZE.order() } {
            2 => signed(s, e, x),
            _ => field.numbers.scale(s, x, &field.twists[e]),
        }
    }
    #[inline(always)]
    fn column<S: Simd, C: Class, const ROWS: usize>(
        s: S,
        field: &Field<ROWS>,
        x: [S::I16; POINTS],
    ) -> [S::I16; POINTS] {
        run_by::<S, Nth<C, COLUMNS>, _>(s, field, x)
    }
}

/// -1, 0 and 1.
#[derive(Clone, Copy)]
pub struct Ternary;

impl Kind for Ternary {
    #[inline(always)]
    fn twist<S: Simd, C: Class, const ROWS: usize>(s: S, field: &Field<ROWS>, e: usize, x: S::I16) -> S::I16 {
        match const { C::SIZE.order() } {
            2 => signed(s, e, x),
            _ => s.mul_lo(x, s.load(&field.plain[e])),
        }
    }
    #[inline(always)]
    fn column<S: Simd, C: Class, const ROWS: usize>(
        s: S,
        field: &Field<ROWS>,
        x: [S::I16; POINTS],
    ) -> [S::I16; POINTS] {
        run_by::<S, Nth<C, TERNARY>, _>(s, field, x)
    }
}

/// One in the first half, -1 in the second.
const SIGNS: &Row = &[1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1];

/// The second half times `(-1)^e`.
#[inline(always)]
fn signed<S: Simd>(s: S, e: usize, x: S::I16) -> S::I16 {
    if e == 0 { x } else { s.apply_sign(x, s.load(SIGNS)) }
}

/// The columns of an operand, which is loaded in both halves, each in its ring.
pub(super) struct Columns<'a, C, K, const OPERAND: usize, const ROWS: usize> {
    pub(super) field: &'a Field<ROWS>,
    pub(super) input: &'a [Row; OPERAND],
    pub(super) out: &'a mut [Row; ROWS],
    pub(super) class: PhantomData<(C, K)>,
}

impl<C: Class, K: Kind, const OPERAND: usize, const ROWS: usize> Columns<'_, C, K, OPERAND, ROWS> {
    const PLACES: &'static [[u8; POINTS]; POINTS] = &places(&C::SIZE);

    /// Eighth `t` of the operand in both halves.
    #[inline(always)]
    fn input<S: Simd>(&self, s: S, field: &Field<ROWS>, t: usize) -> S::I16 {
        let eighths: &[[i16; 8]] = self.input.as_flattened().as_chunks().0;
        let mut x = s.load_twice(&eighths[t]);
        if t < const { C::SIZE.folded() } {
            x = s.add(x, s.apply_sign(s.load_twice(&eighths[t + ROWS]), s.load(SIGNS)));
            if const { C::SIZE.order() == 2 } {
                x = field.numbers.reduce(s, x);
            }
        }
        K::twist::<S, C, ROWS>(s, field, t % const { C::SIZE.order() }, x)
    }

    /// Point `R` of column `I`, whose place is a constant.
    #[inline(always)]
    fn point<S: Simd, const I: usize, const R: usize>(&self, s: S, field: &Field<ROWS>) -> S::I16 {
        if const { R < C::SIZE.a && C::SIZE.place(R, I) < C::SIZE.present() } {
            self.input(s, field, const { C::SIZE.place(R, I) })
        } else {
            s.splat(0)
        }
    }

    /// Column `I`.
    #[inline(always)]
    fn column<S: Simd, const I: usize>(&mut self, s: S) {
        let field = opaque(self.field);
        macro_rules! points {
            ($($r:literal)*) => { [$(self.point::<S, I, $r>(s, field)),*] };
        }
        let x = points!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        self.store(s, I, K::column::<S, C, ROWS>(s, field, x));
    }

    #[inline(always)]
    fn store<S: Simd>(&mut self, s: S, c: usize, y: [S::I16; POINTS]) {
        let (Size { a, b, .. }, mut r) = (const { C::SIZE }, 0);
        while r < a {
            s.store(&mut self.out[b * r + c], y[r]);
            r += 1;
        }
    }

    /// The columns in a loop, with their places in a table: less code.
    #[inline(always)]
    fn looped<S: Simd>(&mut self, s: S) {
        let (Size { a, b, .. }, present) = const { (C::SIZE, C::SIZE.present()) };
        let mut c = 0;
        while c < b {
            let field = opaque(self.field);
            let x: [_; POINTS] = each(
                #[inline(always)]
                |r| {
                    let t = Self::PLACES[c][r] as usize;
                    if r < a && t < present { self.input(s, field, t) } else { s.splat(0) }
                },
            );
            self.store(s, c, K::column::<S, C, ROWS>(s, field, x));
            c += 1;
        }
    }
}

impl<C: Class, K: Kind, const OPERAND: usize, const ROWS: usize> Kernel for Columns<'_, C, K, OPERAND, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        if const { !C::SIZE.unrolled } {
            return self.looped(s);
        }
        macro_rules! columns {
            ($($i:literal)*) => { $(
                if const { C::SIZE.unrolled && $i < C::SIZE.b } {
                    self.column::<S, $i>(s);
                }
            )* };
        }
        columns!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    }
}

/// Which eighth is point `r` of column `c`: `places[c][r]`.
const fn places(size: &Size) -> [[u8; POINTS]; POINTS] {
    let (mut places, mut c) = ([[0; POINTS]; POINTS], 0);
    while c < size.b {
        let mut r = 0;
        while r < size.a {
            places[c][r] = size.place(r, c) as u8;
            r += 1;
        }
        c += 1;
    }
    places
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

/// Stores `n` rows, one behind the other.
#[inline(always)]
fn scatter<S: Simd, const ROWS: usize>(
    s: S,
    rows: &mut [Row; ROWS],
    at: usize,
    n: usize,
    x: [S::I16; POINTS],
) {
    let mut i = 0;
    while i < n {
        s.store(&mut rows[at + i], x[i]);
        i += 1;
    }
}

/// Swaps the lanes of each pair: what base products take of a first operand.
pub(super) struct Swap<'a, const OPERAND: usize> {
    pub(super) input: &'a [Row; OPERAND],
    pub(super) out: &'a mut [Row; OPERAND],
}

impl<const OPERAND: usize> Kernel for Swap<'_, OPERAND> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (out, row) in self.out.iter_mut().zip(self.input) {
            s.store(out, s.swap_pairs(s.load(row)));
        }
    }
}

/// The rows of the second operand, in place.
pub(super) struct Rows<'a, C, const ROWS: usize> {
    pub(super) field: &'a Field<ROWS>,
    pub(super) rows: &'a mut [Row; ROWS],
    pub(super) class: PhantomData<C>,
}

impl<C: Class, const ROWS: usize> Kernel for Rows<'_, C, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Size { a, b, .. } = const { C::SIZE };
        let mut r = 0;
        while r < a {
            let (field, x) = (opaque(self.field), gather(s, self.rows, b * r, 1, b));
            scatter(s, self.rows, b * r, b, run_by::<S, Nth<C, SECOND>, _>(s, field, x));
            r += 1;
        }
    }
}

/// The rows of the first operand, whose pairs are swapped, the base products, and the rows backwards, in the
/// place of the first operand.
pub(super) struct Middle<'a, C, const ROWS: usize> {
    pub(super) field: &'a Field<ROWS>,
    pub(super) rows: &'a mut [Row; ROWS],
    pub(super) second: &'a [Row; ROWS],
    pub(super) class: PhantomData<C>,
}

impl<C: Class, const ROWS: usize> Kernel for Middle<'_, C, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        // One after the other: each fills the CPU by itself, and would wait for the others row by row.
        self.each::<S, FIRST>(s);
        let mut k = 0;
        while k + 1 < ROWS {
            self.products::<S, 2>(s, k);
            k += 2;
        }
        if k < ROWS {
            self.products::<S, 1>(s, k);
        }
        self.each::<S, BACK>(s);
    }
}

impl<C: Class, const ROWS: usize> Middle<'_, C, ROWS> {
    /// `N` base products side by side.
    #[inline(always)]
    fn products<S: Simd, const N: usize>(&mut self, s: S, k: usize) {
        s.begin_products(8, 2 * N);
        let (field, mut a, mut b) = (opaque(self.field), [s.splat(0); N], [s.splat(0); N]);
        let mut i = 0;
        while i < N {
            (a[i], b[i]) = (s.load(&self.rows[k + i]), s.load(&self.second[k + i]));
            i += 1;
        }
        let roots: &[[Row; 2]; N] = field.roots[k..k + N].first_chunk().expect("roots of all rows");
        let products = products(s, &field.numbers, roots, a, b);
        i = 0;
        while i < N {
            s.store(&mut self.rows[k + i], products[i]);
            i += 1;
        }
    }

    /// Codelet `I` on all rows.
    #[inline(always)]
    fn each<S: Simd, const I: usize>(&mut self, s: S) {
        let Size { a, b, .. } = const { C::SIZE };
        let mut r = 0;
        while r < a {
            let (field, x) = (opaque(self.field), gather(s, self.rows, b * r, 1, b));
            scatter(s, self.rows, b * r, b, run_by::<S, Nth<C, I>, _>(s, field, x));
            r += 1;
        }
    }
}

/// `a b 2^-16` modulo `x^8 - w` in each half, of all side by side.
#[inline(always)]
fn products<S: Simd, const N: usize>(
    s: S,
    numbers: &Numbers,
    w: &[[Row; 2]; N],
    a: [S::I16; N],
    b: [S::I16; N],
) -> [S::I16; N] {
    let (mut z, mut zq, mut i) = (a, a, 0);
    while i < N {
        (z[i], zq[i]) = (s.load(&w[i][0]), s.load(&w[i][1]));
        i += 1;
    }
    let q = s.load(&numbers.q);
    let wrapped = s.mul_mont_n(b, z, zq, q);
    let (mut even, mut odd) = ([s.acc_zero(); N], [s.acc_zero(); N]);
    macro_rules! pairs {
        ($($k:literal)*) => { $(
            let mut i = 0;
            while i < N {
                let pair = s.half_pair::<$k>(a[i]);
                even[i] = s.madd_pairs(even[i], pair, s.half_window::<{ 7 - 2 * $k }>(wrapped[i], b[i]));
                odd[i] = s.madd_pairs(odd[i], pair, s.half_window::<{ 8 - 2 * $k }>(wrapped[i], b[i]));
                i += 1;
            }
        )* };
    }
    pairs!(0 1 2 3);
    let (mut low, mut high, mut i) = (a, a, 0);
    while i < N {
        (low[i], high[i]) = s.even_odd(even[i], odd[i]);
        i += 1;
    }
    i = 0;
    while i < N {
        low[i] = s.mul_hi(s.mul_lo(low[i], s.load(&numbers.inverse)), q);
        high[i] = s.sub(high[i], low[i]);
        i += 1;
    }
    high
}

/// The columns backwards, and the halves joined.
pub(super) struct Back<'a, C, const OPERAND: usize, const ROWS: usize> {
    pub(super) field: &'a Field<ROWS>,
    pub(super) rows: &'a [Row; ROWS],
    /// Room for the halves in their order.
    pub(super) halves: &'a mut [Row; ROWS],
    pub(super) out: &'a mut [[Row; OPERAND]; 2],
    pub(super) class: PhantomData<C>,
}

impl<C: Class, const OPERAND: usize, const ROWS: usize> Back<'_, C, OPERAND, ROWS> {
    const PLACES: &'static [[u8; POINTS]; POINTS] = &places(&C::SIZE);

    #[inline(always)]
    fn columns<S: Simd>(&mut self, s: S) {
        let (Size { a, b, .. }, order) = const { (C::SIZE, C::SIZE.order()) };
        let mut c = 0;
        while c < b {
            let field = opaque(self.field);
            let y = run_by::<S, Nth<C, LAST>, _>(s, field, gather(s, self.rows, c, b, a));
            let mut r = 0;
            while r < a {
                let t = Self::PLACES[c][r] as usize;
                let value = field.numbers.scale(s, y[r], &field.untwists[t % order]);
                s.store(&mut self.halves[t], value);
                r += 1;
            }
            c += 1;
        }
    }

    /// `y^points - 1` and `y^points + 1` to their product: sums, and behind them differences.
    #[inline(always)]
    fn join<S: Simd>(&mut self, s: S) {
        let words = self.out.as_flattened_mut().as_flattened_mut();
        if let Some(rest) = words.get_mut(const { 16 * ROWS }..) {
            rest.fill(0);
        }
        let mut t = 0;
        while t + 1 < ROWS {
            let (x, y) = s.load_zip8(&self.halves[t], &self.halves[t + 1]);
            put(s, words, 8 * t, s.add(x, y));
            put(s, words, 8 * (t + ROWS), s.sub(x, y));
            t += 2;
        }
        if t < ROWS {
            // One is left: what is behind its sum is a difference already.
            let last = &self.halves[t];
            let (x, y) = s.load_zip8(last, last);
            put_half(s, words, 8 * t, s.add(x, y));
            put_half(s, words, 8 * (t + ROWS), s.sub(x, y));
        }
    }
}

/// Sixteen coefficients of the product, where it has room for them: beyond, all are zero.
#[inline(always)]
fn put<S: Simd>(s: S, words: &mut [i16], at: usize, x: S::I16) {
    if let Some(row) = words.get_mut(at..).and_then(<[i16]>::first_chunk_mut) {
        s.store(row, x);
    }
}

/// The lower eight of them.
#[inline(always)]
fn put_half<S: Simd>(s: S, words: &mut [i16], at: usize, x: S::I16) {
    let mut row = [0; 16];
    s.store(&mut row, x);
    if let Some(half) = words.get_mut(at..at + 8) {
        half.copy_from_slice(&row[..8]);
    }
}

impl<C: Class, const OPERAND: usize, const ROWS: usize> Kernel for Back<'_, C, OPERAND, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        self.columns(s);
        self.join(s);
    }
}

/// Where a coefficient of the product lies: two values that the last codelet leaves, times a factor.
pub(super) const fn product_bound(plan: &Plan, q: i64) -> crate::bound::Bound {
    crate::reduce::montgomery::bound_any(plan.last(), q).scale(2)
}
