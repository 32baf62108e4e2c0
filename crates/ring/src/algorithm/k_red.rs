//! The transform in 32-bit lanes with K-RED, the reduction of Longa and Naehrig.
//!
//! # The map
//! The complete negacyclic transform, forward by Cooley-Tukey, inverse by Gentleman-Sande, as in their Algorithms 1 to 4. A
//! butterfly's product is reduced by [`K-RED`](crate::reduce::k_red), which multiplies by `k`; the tables are scaled by `k^-1`.
//! Sums grow; at the layers that the [`Plan32`] names both operands are reduced once more.
//!
//! * `k-red-paper`: the paper's own placement, m = 128 forward and m = 32 inverse, with 64-bit products. Proved safe.
//! * `k-red`: the placement that the compile-time analysis finds for 32-bit products, which is what vector units do best.
//!
//! # The domain
//! A factor `k^s` with `s` = [`Plan32::forward_exponent`]. Rows hold 8 coefficients; the last three layers run on 8 x 8 tiles
//! transposed in registers, so slot (row `8 t + c`, lane `l`) holds what the standard in-place transform leaves at place
//! `8 (8 t + l) + c`.
//!
//! # Bounds and conditions
//! In: centred; out: centred. `q = k 2^m +- 1` prime with `m >= 8`, roots of unity of order `2 n`, `n` = 256, 512, 1024.
//!
//! # Deviations
//! Twiddles are centred, the root of unity is the smallest one rather than 1945, and results are centred by two K-REDs and a
//! 16-bit reduction instead of conditional subtractions. None changes a product.
//!
//! # Source
//! P. Longa, M. Naehrig: Speeding up the Number Theoretic Transform for Faster Ideal Lattice-Based Cryptography, CANS 2016,
//! section 3, Algorithms 3 and 4.
//!
//! ```
//! use ringsmith_ring::{Multiplier, Placement, Poly, Route, rings::NewHope1024};
//! use ringsmith_simd::Cpu;
//!
//! let a = Poly::<NewHope1024>::new(&[1i16; 1024]).unwrap();
//! let k_red = Multiplier::with_route(Cpu::detect(), Route::KRed(Placement::Paper))?;
//! let c = k_red.multiply(&a, &a, &mut k_red.scratch());
//! assert_eq!(c.centred()[1023], 1024); // 1024 ways to make x^1023
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::k_red_plan::{Plan32, Problem32};
use crate::bound::{Bound, hold};
use crate::multiplier::{Multiply, Transform};
use crate::number::{inverse, power, root_of_unity};
use crate::reduce::barrett;
use crate::reduce::k_red::KRed;
use crate::reduce::montgomery::{self, Factor};
use crate::reduce::residue;
use crate::ring::{Ring, Rows, Shape, Workspace};
use crate::route::{Placement, Route};
use ringsmith_simd::{Cpu, Kernel, Row, Row32, Simd, each};

/// The placements as a const parameter.
pub const ANALYSIS: bool = false;
/// The paper's placement.
pub const PAPER: bool = true;

/// The K-RED transform modulo `Q` of `16 ROWS = 8 WIDE` coefficients, placed by the paper or by the analysis.
pub struct KRedTransform<
    const Q: i64,
    const ROWS: usize,
    const WIDE: usize,
    const BY_PAPER: bool,
    const CLEAR: usize = { usize::MAX },
>;

#[repr(C, align(64))]
struct Aligned<T>(T);

impl<const Q: i64, const ROWS: usize, const WIDE: usize, const BY_PAPER: bool, const CLEAR: usize>
    KRedTransform<Q, ROWS, WIDE, BY_PAPER, CLEAR>
{
    const PLACEMENT: Placement = if BY_PAPER { Placement::Paper } else { Placement::Analysis };
    const PROBLEM: Problem32 = Problem32 {
        q: Q,
        layers: WIDE.trailing_zeros() as usize + 3,
        width: if BY_PAPER { 64 } else { 32 },
        psi: root_of_unity(16 * WIDE as u64, Q),
    };
    /// The plan that the kernels read and the proof replays.
    pub const PLAN: Plan32 = Plan32::of(&Self::PROBLEM, Self::PLACEMENT).without(CLEAR);
    /// Evaluating this proves that no lane overflows.
    pub const PROOF: () = {
        assert!(WIDE == 2 * ROWS && (WIDE == 32 || WIDE == 64 || WIDE == 128));
        assert!(Self::PLAN.holds(&Self::PROBLEM), "overflow: a lane of the K-RED transform");
        assert!(residue::finish_is_centred(Q), "the results of the last product are not centred");
    };
    /// `c0` and `c1`; the paper's leave the tail's powers of `k` to a last product, ours take them off as well.
    const LAST: [i64; 2] =
        Self::PROBLEM.last(Self::PLAN.exponent() + if BY_PAPER { 0 } else { Self::PLAN.tail });
    const UNTAIL: Factor = Factor::new(power(inverse(KRed::<Q>::FORM.k, Q), Self::PLAN.tail as u64, Q), Q);
    const FORWARD: Aligned<[Row32; WIDE]> = Aligned(Self::rows(false));
    const INVERSE: Aligned<[Row32; WIDE]> = Aligned(Self::rows(true));
    const FORWARD_LANES: Aligned<[Row32; WIDE]> = Aligned(Self::lanes(false));
    const INVERSE_LANES: Aligned<[Row32; WIDE]> = Aligned(Self::lanes(true));

    /// Twiddles of the layers across rows in heap order, the same in every lane.
    const fn rows(inverted: bool) -> [Row32; WIDE] {
        let (mut table, mut i) = ([[0; 8]; WIDE], 1);
        while i < WIDE {
            table[i] = [Self::PROBLEM.twiddle(i, inverted) as i32; 8];
            i += 1;
        }
        table
    }

    /// Twiddles of the last three layers: tile `t`, node `j` of its seven at `8 t + j`, one problem per lane.
    const fn lanes(inverted: bool) -> [Row32; WIDE] {
        let (mut table, mut i) = ([[0; 8]; WIDE], 0);
        while i < WIDE {
            let (tile, node, mut lane) = (i / 8, i % 8, 0);
            while lane < 8 && node > 0 {
                let layer = node.ilog2();
                let problem = WIDE + 8 * tile + lane;
                table[i][lane] =
                    Self::PROBLEM.twiddle((problem << layer) + node - (1 << layer), inverted) as i32;
                lane += 1;
            }
            i += 1;
        }
        table
    }

    /// The K-RED of a product of the plan's width.
    #[inline(always)]
    fn product<S: Simd>(s: S, a: S::I32, b: S::I32, twice: bool) -> S::I32 {
        match (BY_PAPER, twice) {
            (true, false) => KRed::<Q>::reduce_product(s, a, b),
            (true, true) => KRed::<Q>::reduce_2x_product(s, a, b),
            (false, false) => KRed::<Q>::reduce(s, s.mul_lo32(a, b)),
            (false, true) => KRed::<Q>::reduce_2x(s, s.mul_lo32(a, b)),
        }
    }

    /// Forward butterflies of distance `D` on eight registers; `z[i]` is the twiddle of butterfly `i`.
    #[inline(always)]
    fn forward_layer<S: Simd, const D: usize>(s: S, x: &mut [S::I32; 8], z: [S::I32; 4], reduced: bool) {
        let low = const { lower::<D>() };
        let v: [_; 4] = each(
            #[inline(always)]
            |i| Self::product(s, x[low[i] + D], z[i], reduced),
        );
        let u: [_; 4] = each(
            #[inline(always)]
            |i| keep_or_reduce::<S, Q>(s, x[low[i]], reduced),
        );
        let mut i = 0;
        while i < 4 {
            x[low[i]] = s.add32(u[i], v[i]);
            x[low[i] + D] = s.sub32(u[i], v[i]);
            i += 1;
        }
    }

    /// Inverse butterflies of distance `D` on eight registers.
    #[inline(always)]
    fn inverse_layer<S: Simd, const D: usize>(s: S, x: &mut [S::I32; 8], z: [S::I32; 4], reduced: bool) {
        let low = const { lower::<D>() };
        let sum: [_; 4] = each(
            #[inline(always)]
            |i| s.add32(x[low[i]], x[low[i] + D]),
        );
        let difference: [_; 4] = each(
            #[inline(always)]
            |i| s.sub32(x[low[i]], x[low[i] + D]),
        );
        let v: [_; 4] = each(
            #[inline(always)]
            |i| Self::product(s, difference[i], z[i], reduced),
        );
        let u: [_; 4] = each(
            #[inline(always)]
            |i| keep_or_reduce::<S, Q>(s, sum[i], reduced),
        );
        let mut i = 0;
        while i < 4 {
            x[low[i]] = u[i];
            x[low[i] + D] = v[i];
            i += 1;
        }
    }

    /// The last layer of all, distance 4: sums times `c0`, differences times `c1`.
    #[inline(always)]
    fn last_layer<S: Simd>(s: S, x: &mut [S::I32; 8]) {
        let [c0, c1] = const { Self::LAST };
        let (c0, c1) = (s.splat32(c0 as i32), s.splat32(c1 as i32));
        let sum: [_; 4] = each(
            #[inline(always)]
            |i| Self::product(s, s.add32(x[i], x[i + 4]), c0, false),
        );
        let difference: [_; 4] = each(
            #[inline(always)]
            |i| Self::product(s, s.sub32(x[i], x[i + 4]), c1, false),
        );
        let mut i = 0;
        while i < 4 {
            x[i] = sum[i];
            x[i + 4] = difference[i];
            i += 1;
        }
    }

    /// Up to three layers from node `i` of a table in heap order; `reduced[l]` for layer `l`.
    #[inline(always)]
    fn forward_network<S: Simd, const LAYERS: usize>(
        s: S,
        x: &mut [S::I32; 8],
        table: &[Row32],
        i: usize,
        reduced: [bool; 3],
    ) {
        Self::forward_layer::<S, 4>(s, x, [s.load32(&table[i]); 4], reduced[0]);
        if LAYERS > 1 {
            let z: [_; 2] = each(
                #[inline(always)]
                |j| s.load32(&table[2 * i + j]),
            );
            Self::forward_layer::<S, 2>(s, x, [z[0], z[0], z[1], z[1]], reduced[1]);
        }
        if LAYERS > 2 {
            let z = each(
                #[inline(always)]
                |j| s.load32(&table[4 * i + j]),
            );
            Self::forward_layer::<S, 1>(s, x, z, reduced[2]);
        }
    }

    /// The same layers backwards; `LAST` where the top one is the last of the transform.
    #[inline(always)]
    fn inverse_network<S: Simd, const LAYERS: usize, const LAST: bool>(
        s: S,
        x: &mut [S::I32; 8],
        table: &[Row32],
        i: usize,
        reduced: [bool; 3],
    ) {
        if LAYERS > 2 {
            let z = each(
                #[inline(always)]
                |j| s.load32(&table[4 * i + j]),
            );
            Self::inverse_layer::<S, 1>(s, x, z, reduced[0]);
        }
        if LAYERS > 1 {
            let z: [_; 2] = each(
                #[inline(always)]
                |j| s.load32(&table[2 * i + j]),
            );
            Self::inverse_layer::<S, 2>(s, x, [z[0], z[0], z[1], z[1]], reduced[1]);
        }
        if LAST {
            Self::last_layer(s, x);
        } else {
            Self::inverse_layer::<S, 4>(s, x, [s.load32(&table[i]); 4], reduced[2]);
        }
    }

    /// Three forward layers' codes.
    const fn forward_codes(first: usize) -> [bool; 3] {
        let f = Self::PLAN.forward;
        [f[first], f[first + 1], f[first + 2]]
    }

    /// Three inverse layers' codes, `first` counted from the beginning of the inverse.
    const fn inverse_codes(first: usize) -> [bool; 3] {
        let f = Self::PLAN.inverse;
        [f[first], f[first + 1], f[first + 2]]
    }

    /// Layers before the pass over rows eight apart: one for 128 rows, none for fewer.
    const FIRST: usize = if WIDE == 128 { 1 } else { 0 };
    /// Layers of the pass over rows eight apart.
    const MIDDLE: usize = if WIDE == 32 { 2 } else { 3 };
}

/// The lower operand of each of the four butterflies of distance `D`.
const fn lower<const D: usize>() -> [usize; 4] {
    match D {
        4 => [0, 1, 2, 3],
        2 => [0, 1, 4, 5],
        _ => [0, 2, 4, 6],
    }
}

#[inline(always)]
fn keep_or_reduce<S: Simd, const Q: i64>(s: S, x: S::I32, reduced: bool) -> S::I32 {
    if reduced { KRed::<Q>::reduce(s, x) } else { x }
}

/// Register `r` of column group `i` is row `i + r mod p + apart (r / p)`, `p` columns side by side.
#[inline(always)]
fn column<const LAYERS: usize>(i: usize, r: usize, apart: usize) -> usize {
    let columns = 8 >> LAYERS;
    i + r % columns + apart * (r / columns)
}

/// Transposes 8 x 8 lanes.
#[inline(always)]
fn transpose8<S: Simd>(s: S, x: [S::I32; 8]) -> [S::I32; 8] {
    let a: [_; 4] = each(
        #[inline(always)]
        |j| s.zip32::<1>(x[2 * j], x[2 * j + 1]),
    );
    let upper = [s.zip32::<2>(a[0].0, a[1].0), s.zip32::<2>(a[0].1, a[1].1)];
    let lower = [s.zip32::<2>(a[2].0, a[3].0), s.zip32::<2>(a[2].1, a[3].1)];
    let (c0, c1) = (s.zip32::<4>(upper[0].0, lower[0].0), s.zip32::<4>(upper[0].1, lower[0].1));
    let (c2, c3) = (s.zip32::<4>(upper[1].0, lower[1].0), s.zip32::<4>(upper[1].1, lower[1].1));
    [c0.0, c1.0, c2.0, c3.0, c0.1, c1.1, c2.1, c3.1]
}

/// A kernel of one transform: the parameters, and what it works on.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* } |$self:ident, $s:ident| $body:block) => {
        $(#[$doc])*
        struct $name<'a, const Q: i64, const ROWS: usize, const WIDE: usize, const BY_PAPER: bool, const CLEAR: usize> {
            $($field: $type),*
        }
        impl<const Q: i64, const ROWS: usize, const WIDE: usize, const BY_PAPER: bool, const CLEAR: usize> Kernel
            for $name<'_, Q, ROWS, WIDE, BY_PAPER, CLEAR>
        {
            type Out = ();
            #[inline(always)]
            fn run<S: Simd>($self, $s: S) $body
        }
    };
}

kernel! {
    /// Into the domain.
    Forward { input: &'a [Row; ROWS], out: &'a mut [Row32; WIDE] } |self, s| {
        KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::forward_first(s, self.input, self.out);
        match WIDE {
            32 => KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::forward_middle::<S, 2>(s, self.out),
            _ => KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::forward_middle::<S, 3>(s, self.out),
        }
        KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::forward_tiles(s, self.out);
    }
}

kernel! {
    /// `a = a b`, slot by slot.
    Pointwise { a: &'a mut [Row32; WIDE], b: &'a [Row32; WIDE] } |self, s| {
        let plan = const { KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::PLAN };
        for (a, b) in self.a.iter_mut().zip(self.b) {
            let (mut x, mut y) = (s.load32(a), s.load32(b));
            let mut i = 0;
            while i < plan.operands {
                (x, y) = (KRed::<Q>::reduce(s, x), KRed::<Q>::reduce(s, y));
                i += 1;
            }
            let product =
                KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::product(s, x, y, plan.product_2x);
            let reduced = if plan.product_2x {
                KRed::<Q>::reduce_2x(s, product)
            } else {
                KRed::<Q>::reduce(s, product)
            };
            s.store32(a, reduced);
        }
    }
}

kernel! {
    /// Out of the domain, to centred coefficients; spoils its input.
    Inverse { domain: &'a mut [Row32; WIDE], out: &'a mut [Row; ROWS] } |self, s| {
        KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::inverse_tiles(s, self.domain);
        match WIDE {
            128 => {
                KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::inverse_middle::<S, 3, false>(s, self.domain);
                KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::inverse_first(s, self.domain, self.out);
            }
            64 => {
                KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::inverse_middle::<S, 3, true>(s, self.domain);
                KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::narrow_all(s, self.domain, self.out);
            }
            _ => {
                KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::inverse_middle::<S, 2, true>(s, self.domain);
                KRedTransform::<Q, ROWS, WIDE, BY_PAPER, CLEAR>::narrow_all(s, self.domain, self.out);
            }
        }
    }
}

impl<const Q: i64, const ROWS: usize, const WIDE: usize, const BY_PAPER: bool, const CLEAR: usize>
    KRedTransform<Q, ROWS, WIDE, BY_PAPER, CLEAR>
{
    fn into_domain(cpu: Cpu, input: &[Row; ROWS], out: &mut [Row32; WIDE]) {
        cpu.run(Forward::<Q, ROWS, WIDE, BY_PAPER, CLEAR> { input, out });
        debug_assert!(
            Self::PLAN.forward_bound(&Self::PROBLEM).is_some_and(|bound| hold(out.as_flattened(), bound)),
            "a lane left the bound of the forward transform"
        );
    }

    /// Widens the input; for 128 rows with the first layer at once.
    #[inline(always)]
    fn forward_first<S: Simd>(s: S, input: &[Row; ROWS], out: &mut [Row32; WIDE]) {
        let table = const { &Self::FORWARD.0 };
        let reduced = const { Self::forward_codes(0) };
        let (mut i, half) = (0, WIDE / 2);
        while WIDE == 128 && i < half {
            let wide = each::<_, 4>(
                #[inline(always)]
                |j| s.widen(s.load(&input[i / 2 + j % 2 + j / 2 * (half / 2)])),
            );
            let mut x = each(
                #[inline(always)]
                |r| if r % 2 == 0 { wide[r / 2].0 } else { wide[r / 2].1 },
            );
            Self::forward_network::<S, 1>(s, &mut x, table, 1, reduced);
            let mut r = 0;
            while r < 8 {
                s.store32(&mut out[column::<1>(i, r, half)], x[r]);
                r += 1;
            }
            i += 4;
        }
        while WIDE < 128 && i < WIDE {
            let (low, high) = s.widen(s.load(&input[i / 2]));
            s.store32(&mut out[i], low);
            s.store32(&mut out[i + 1], high);
            i += 2;
        }
    }

    /// Layers over rows eight apart.
    #[inline(always)]
    fn forward_middle<S: Simd, const LAYERS: usize>(s: S, rows: &mut [Row32; WIDE]) {
        if LAYERS != Self::MIDDLE {
            return; // an arm of a match that no one takes
        }
        let table = const { &Self::FORWARD.0 };
        let reduced = const { Self::forward_codes(Self::FIRST) };
        let mut block = 0;
        while block < 1 << Self::FIRST {
            let mut i = 0;
            while i < 8 {
                let at = (8 << LAYERS) * block + i;
                let mut x = each(
                    #[inline(always)]
                    |r| s.load32(&rows[column::<LAYERS>(at, r, 8)]),
                );
                Self::forward_network::<S, LAYERS>(s, &mut x, table, (1 << Self::FIRST) + block, reduced);
                let mut r = 0;
                while r < 8 {
                    s.store32(&mut rows[column::<LAYERS>(at, r, 8)], x[r]);
                    r += 1;
                }
                i += 8 >> LAYERS;
            }
            block += 1;
        }
    }

    /// Six layers on eight neighbouring rows: three across, a transpose, three inside.
    #[inline(always)]
    fn forward_tiles<S: Simd>(s: S, rows: &mut [Row32; WIDE]) {
        let (table, lanes) = (const { &Self::FORWARD.0 }, const { &Self::FORWARD_LANES.0 });
        let across = const { Self::forward_codes(Self::FIRST + Self::MIDDLE) };
        let inside = const { Self::forward_codes(Self::FIRST + Self::MIDDLE + 3) };
        let (tiles, tables) = (rows.as_chunks_mut::<8>().0, lanes.as_chunks::<8>().0);
        for (t, (tile, lanes)) in tiles.iter_mut().zip(tables).enumerate() {
            let mut x = each(
                #[inline(always)]
                |r| s.load32(&tile[r]),
            );
            Self::forward_network::<S, 3>(s, &mut x, table, WIDE / 8 + t, across);
            let mut x = transpose8(s, x);
            Self::forward_network::<S, 3>(s, &mut x, lanes, 1, inside);
            let mut r = 0;
            while r < 8 {
                s.store32(&mut tile[r], x[r]);
                r += 1;
            }
        }
    }

    /// The six layers of the tiles backwards.
    #[inline(always)]
    fn inverse_tiles<S: Simd>(s: S, rows: &mut [Row32; WIDE]) {
        let (table, lanes) = (const { &Self::INVERSE.0 }, const { &Self::INVERSE_LANES.0 });
        let (inside, across) = (const { Self::inverse_codes(0) }, const { Self::inverse_codes(3) });
        let (tiles, tables) = (rows.as_chunks_mut::<8>().0, lanes.as_chunks::<8>().0);
        for (t, (tile, lanes)) in tiles.iter_mut().zip(tables).enumerate() {
            let mut x = each(
                #[inline(always)]
                |r| s.load32(&tile[r]),
            );
            Self::inverse_network::<S, 3, false>(s, &mut x, lanes, 1, inside);
            let mut x = transpose8(s, x);
            Self::inverse_network::<S, 3, false>(s, &mut x, table, WIDE / 8 + t, across);
            let mut r = 0;
            while r < 8 {
                s.store32(&mut tile[r], x[r]);
                r += 1;
            }
        }
    }

    /// Layers over rows eight apart backwards.
    #[inline(always)]
    fn inverse_middle<S: Simd, const LAYERS: usize, const LAST: bool>(s: S, rows: &mut [Row32; WIDE]) {
        if LAYERS != Self::MIDDLE {
            return; // an arm of a match that no one takes
        }
        let table = const { &Self::INVERSE.0 };
        let reduced = const { Self::inverse_codes(6 + Self::MIDDLE - 3) };
        let mut block = 0;
        while block < 1 << Self::FIRST {
            let mut i = 0;
            while i < 8 {
                let at = (8 << LAYERS) * block + i;
                let mut x = each(
                    #[inline(always)]
                    |r| s.load32(&rows[column::<LAYERS>(at, r, 8)]),
                );
                let node = (1 << Self::FIRST) + block;
                Self::inverse_network::<S, LAYERS, LAST>(s, &mut x, table, node, reduced);
                let mut r = 0;
                while r < 8 {
                    s.store32(&mut rows[column::<LAYERS>(at, r, 8)], x[r]);
                    r += 1;
                }
                i += 8 >> LAYERS;
            }
            block += 1;
        }
    }

    /// The last layer of 128 rows, narrowed and centred at once.
    #[inline(always)]
    fn inverse_first<S: Simd>(s: S, rows: &[Row32; WIDE], out: &mut [Row; ROWS]) {
        let (mut i, half) = (0, WIDE / 2);
        while i < half {
            let mut x = each(
                #[inline(always)]
                |r| s.load32(&rows[column::<1>(i, r, half)]),
            );
            Self::last_layer(s, &mut x);
            let mut j = 0;
            while j < 4 {
                let row = i / 2 + j % 2 + j / 2 * (half / 2);
                s.store(&mut out[row], Self::centre(s, x[2 * j], x[2 * j + 1]));
                j += 1;
            }
            i += 4;
        }
    }

    #[inline(always)]
    fn narrow_all<S: Simd>(s: S, rows: &[Row32; WIDE], out: &mut [Row; ROWS]) {
        for (pair, out) in rows.as_chunks::<2>().0.iter().zip(out) {
            s.store(out, Self::centre(s, s.load32(&pair[0]), s.load32(&pair[1])));
        }
    }

    /// Two rows of results as one row of centred coefficients.
    #[inline(always)]
    fn centre<S: Simd>(s: S, mut low: S::I32, mut high: S::I32) -> S::I16 {
        let mut i = 0;
        while i < const { Self::PLAN.tail } {
            (low, high) = (KRed::<Q>::reduce(s, low), KRed::<Q>::reduce(s, high));
            i += 1;
        }
        let x = s.narrow(low, high);
        let x = if BY_PAPER { montgomery::scale::<S, Q>(s, x, const { Self::UNTAIL }) } else { x };
        barrett::exact::<S, Q>(s, x)
    }
}

fn domain<const WIDE: usize>(rows: &[Row32]) -> &[Row32; WIDE] {
    rows.first_chunk().expect("memory for the domain")
}

fn domain_mut<const WIDE: usize>(rows: &mut [Row32]) -> &mut [Row32; WIDE] {
    rows.first_chunk_mut().expect("memory for the domain")
}

impl<R, const Q: i64, const ROWS: usize, const WIDE: usize, const BY_PAPER: bool, const CLEAR: usize>
    Multiply<R> for KRedTransform<Q, ROWS, WIDE, BY_PAPER, CLEAR>
where
    R: Ring<Coeffs = Rows<ROWS>>,
{
    const ROUTE: Route = Route::KRed(Self::PLACEMENT);
    const IN: Bound = Bound::canonical(Q);
    const OUT: Bound = Bound::canonical(Q);
    const CHECK: () = {
        assert!(R::Q == Q && R::N == 8 * WIDE && matches!(R::SHAPE, Shape::Negacyclic));
        let () = Self::PROOF;
    };

    fn multiply(cpu: Cpu, a: &Rows<ROWS>, b: &Rows<ROWS>, out: &mut Rows<ROWS>, scratch: &mut R::Scratch) {
        let (x, y) = scratch.parts_mut().1.split_at_mut(WIDE);
        let (x, y) = (domain_mut(x), domain_mut(y));
        Self::into_domain(cpu, &a.0, x);
        Self::into_domain(cpu, &b.0, y);
        cpu.run(Pointwise::<Q, ROWS, WIDE, BY_PAPER, CLEAR> { a: x, b: y });
        cpu.run(Inverse::<Q, ROWS, WIDE, BY_PAPER, CLEAR> { domain: x, out: &mut out.0 });
    }

    fn prepare(cpu: Cpu, b: &Rows<ROWS>, prepared: &mut R::Prepared, _: &mut R::Scratch) {
        <Self as Transform<R>>::forward(cpu, b, prepared);
    }

    fn multiply_prepared(
        cpu: Cpu,
        a: &Rows<ROWS>,
        prepared: &R::Prepared,
        out: &mut Rows<ROWS>,
        scratch: &mut R::Scratch,
    ) {
        let x = domain_mut(scratch.parts_mut().1);
        Self::into_domain(cpu, &a.0, x);
        cpu.run(Pointwise::<Q, ROWS, WIDE, BY_PAPER, CLEAR> { a: x, b: domain(prepared.parts().1) });
        cpu.run(Inverse::<Q, ROWS, WIDE, BY_PAPER, CLEAR> { domain: x, out: &mut out.0 });
    }
}

impl<R, const Q: i64, const ROWS: usize, const WIDE: usize, const BY_PAPER: bool, const CLEAR: usize>
    Transform<R> for KRedTransform<Q, ROWS, WIDE, BY_PAPER, CLEAR>
where
    R: Ring<Coeffs = Rows<ROWS>>,
{
    fn forward(cpu: Cpu, a: &Rows<ROWS>, out: &mut R::Prepared) {
        cpu.run(Forward::<Q, ROWS, WIDE, BY_PAPER, CLEAR> {
            input: &a.0,
            out: domain_mut(out.parts_mut().1),
        });
    }

    fn pointwise(cpu: Cpu, a: &mut R::Prepared, b: &R::Prepared) {
        let (a, b) = (domain_mut(a.parts_mut().1), domain(b.parts().1));
        cpu.run(Pointwise::<Q, ROWS, WIDE, BY_PAPER, CLEAR> { a, b });
    }

    fn inverse(cpu: Cpu, a: &mut R::Prepared, out: &mut Rows<ROWS>) {
        cpu.run(Inverse::<Q, ROWS, WIDE, BY_PAPER, CLEAR> {
            domain: domain_mut(a.parts_mut().1),
            out: &mut out.0,
        });
    }
}
