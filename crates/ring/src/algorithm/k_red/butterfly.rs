//! Layers on eight registers of 32-bit lanes: butterflies, pairs of layers merged, and the up to three layers
//! of a pass.
//!
//! Single layers are the paper's: `(a, b) -> (a + z b, a - z b)`, backwards `(a + b, z (a - b))`. Pairs
//! compute what two layers would, with sums of two products under one reduction: see [`plan`](super::plan).

use super::{KRedTransform, Reductions, Twiddle};
use crate::reduce::k_red::KRed;
use ringsmith_simd::{Simd, each};

/// Eight registers.
type Eight<S> = [<S as ringsmith_simd::I32Lanes>::I32; 8];

impl<const Q: i64, const ROWS: usize, const WIDE: usize, P: Reductions> KRedTransform<Q, ROWS, WIDE, P> {
    /// The K-RED of a product of the plan's width.
    #[inline(always)]
    pub(super) fn product<S: Simd>(s: S, a: S::I32, b: S::I32, twice: bool) -> S::I32 {
        match (P::BY_PAPER, twice) {
            (true, false) => KRed::<Q>::reduce_product(s, a, b),
            (true, true) => KRed::<Q>::reduce_2x_product(s, a, b),
            (false, false) => KRed::<Q>::reduce(s, s.mul_lo32(a, b)),
            (false, true) => KRed::<Q>::reduce_2x(s, s.mul_lo32(a, b)),
        }
    }

    /// The inputs of a step: reduced first where the analysis says so.
    #[inline(always)]
    fn inputs<S: Simd>(s: S, x: &mut Eight<S>, reduced: bool) {
        if reduced && !P::BY_PAPER {
            *x = each(
                #[inline(always)]
                |i| KRed::<Q>::reduce(s, x[i]),
            );
        }
    }

    /// Forward butterflies of distance `D`; `z[i]` is the twiddle of butterfly `i`.
    #[inline(always)]
    fn forward_layer<S: Simd, const D: usize>(s: S, x: &mut Eight<S>, z: [S::I32; 4], reduced: bool) {
        Self::inputs(s, x, reduced);
        let (low, twice) = (const { lower::<D>() }, reduced && P::BY_PAPER);
        let v: [_; 4] = each(
            #[inline(always)]
            |i| Self::product(s, x[low[i] + D], z[i], twice),
        );
        let u: [_; 4] = each(
            #[inline(always)]
            |i| keep_or_reduce::<S, Q>(s, x[low[i]], twice),
        );
        let mut i = 0;
        while i < 4 {
            x[low[i]] = s.add32(u[i], v[i]);
            x[low[i] + D] = s.sub32(u[i], v[i]);
            i += 1;
        }
    }

    /// Inverse butterflies of distance `D`.
    #[inline(always)]
    fn inverse_layer<S: Simd, const D: usize>(s: S, x: &mut Eight<S>, z: [S::I32; 4], reduced: bool) {
        Self::inputs(s, x, reduced);
        let (low, twice) = (const { lower::<D>() }, reduced && P::BY_PAPER);
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
            |i| Self::product(s, difference[i], z[i], twice),
        );
        let u: [_; 4] = each(
            #[inline(always)]
            |i| keep_or_reduce::<S, Q>(s, sum[i], twice),
        );
        let mut i = 0;
        while i < 4 {
            x[low[i]] = u[i];
            x[low[i] + D] = v[i];
            i += 1;
        }
    }

    /// The forward layers of distance 4 and 2 at once, from node `i` of a table.
    #[inline(always)]
    fn forward_pair<S: Simd>(s: S, x: &mut Eight<S>, table: &[Twiddle], i: usize, reduced: bool) {
        Self::inputs(s, x, reduced);
        let [z, w, wz, v, vz] = Self::three(s, table, i);
        let mut j = 0;
        while j < 2 {
            let [a, b, c, d] = [x[j], x[j + 2], x[j + 4], x[j + 6]];
            let twisted = KRed::<Q>::reduce(s, s.mul_lo32(c, z));
            let sum = KRed::<Q>::reduce(s, s.add32(s.mul_lo32(b, w), s.mul_lo32(d, wz)));
            let difference = KRed::<Q>::reduce(s, s.sub32(s.mul_lo32(b, v), s.mul_lo32(d, vz)));
            let (a, c) = (s.add32(a, twisted), s.sub32(a, twisted));
            (x[j], x[j + 2]) = (s.add32(a, sum), s.sub32(a, sum));
            (x[j + 4], x[j + 6]) = (s.add32(c, difference), s.sub32(c, difference));
            j += 1;
        }
    }

    /// The inverse layers of distance 2 and 4 at once, by twiddles in the order of [`three`](Self::three);
    /// `one` is a factor for the sums of all four, if any.
    #[inline(always)]
    fn inverse_pair<S: Simd>(s: S, x: &mut Eight<S>, twiddles: [S::I32; 5], one: Option<S::I32>) {
        let [z, w, wz, v, vz] = twiddles;
        let mut j = 0;
        while j < 2 {
            let [a, c] = [s.add32(x[j], x[j + 2]), s.add32(x[j + 4], x[j + 6])];
            let [b, d] = [s.sub32(x[j], x[j + 2]), s.sub32(x[j + 4], x[j + 6])];
            let sum = s.add32(a, c);
            x[j] = match one {
                Some(one) => KRed::<Q>::reduce(s, s.mul_lo32(sum, one)),
                None => sum,
            };
            x[j + 4] = KRed::<Q>::reduce(s, s.mul_lo32(s.sub32(a, c), z));
            x[j + 2] = KRed::<Q>::reduce(s, s.add32(s.mul_lo32(b, w), s.mul_lo32(d, v)));
            x[j + 6] = KRed::<Q>::reduce(s, s.sub32(s.mul_lo32(b, wz), s.mul_lo32(d, vz)));
            j += 1;
        }
    }

    /// The last layer of all, distance 4: sums and differences times constants.
    #[inline(always)]
    fn last_layer<S: Simd>(s: S, x: &mut Eight<S>) {
        let c: [_; 2] = each(
            #[inline(always)]
            |j| s.splat32(const { Self::LAST }[j] as i32),
        );
        let sum: [_; 4] = each(
            #[inline(always)]
            |i| Self::product(s, s.add32(x[i], x[i + 4]), c[0], false),
        );
        let difference: [_; 4] = each(
            #[inline(always)]
            |i| Self::product(s, s.sub32(x[i], x[i + 4]), c[1], false),
        );
        let mut i = 0;
        while i < 4 {
            x[i] = sum[i];
            x[i + 4] = difference[i];
            i += 1;
        }
    }

    /// The last two layers of all, distances 2 and 4, at once: constants, one for the sums too, in place of
    /// twiddles.
    #[inline(always)]
    fn last_pair<S: Simd>(s: S, x: &mut Eight<S>) {
        let [one, z, w, v, wz, vz]: [_; 6] = each(
            #[inline(always)]
            |j| s.splat32(const { Self::LAST }[j] as i32),
        );
        Self::inverse_pair(s, x, [z, w, wz, v, vz], Some(one));
    }

    /// Twiddles of two nodes of the layer of distance 2, for its four butterflies.
    #[inline(always)]
    fn two<S: Simd>(s: S, table: &[Twiddle], i: usize) -> [S::I32; 4] {
        each(
            #[inline(always)]
            |j| s.load32(&table[i + j / 2][0]),
        )
    }

    /// Twiddles of a node and its two children, for a pair of layers; each child's with the same times its
    /// parent's.
    #[inline(always)]
    fn three<S: Simd>(s: S, table: &[Twiddle], i: usize) -> [S::I32; 5] {
        let [node, left, right] = [&table[i], &table[2 * i], &table[2 * i + 1]];
        [s.load32(&node[0]), s.load32(&left[0]), s.load32(&left[1]), s.load32(&right[0]), s.load32(&right[1])]
    }

    /// Twiddles of four nodes of the layer of distance 1.
    #[inline(always)]
    fn four<S: Simd>(s: S, table: &[Twiddle], i: usize) -> [S::I32; 4] {
        each(
            #[inline(always)]
            |j| s.load32(&table[i + j][0]),
        )
    }

    /// Up to three layers from node `i` of a table in heap order, the first two merged by the analysis;
    /// `reduced[l]` for layer `l`.
    #[inline(always)]
    pub(super) fn forward_network<S: Simd, const LAYERS: usize>(
        s: S,
        x: &mut Eight<S>,
        table: &[Twiddle],
        i: usize,
        reduced: [bool; 3],
    ) {
        if LAYERS > 1 && !P::BY_PAPER {
            Self::forward_pair(s, x, table, i, reduced[0]);
        } else {
            Self::forward_layer::<S, 4>(s, x, [s.load32(&table[i][0]); 4], reduced[0]);
            if LAYERS > 1 {
                Self::forward_layer::<S, 2>(s, x, Self::two(s, table, 2 * i), reduced[1]);
            }
        }
        if LAYERS > 2 {
            Self::forward_layer::<S, 1>(s, x, Self::four(s, table, 4 * i), reduced[2]);
        }
    }

    /// The same layers backwards, `reduced[l]` for layer `l` of the inverse.
    #[inline(always)]
    pub(super) fn inverse_network<S: Simd, const LAYERS: usize>(
        s: S,
        x: &mut Eight<S>,
        table: &[Twiddle],
        i: usize,
        reduced: [bool; 3],
    ) {
        let [first, second, third] = reduced;
        if LAYERS > 2 {
            Self::inverse_layer::<S, 1>(s, x, Self::four(s, table, 4 * i), first);
        }
        if LAYERS > 1 && !P::BY_PAPER {
            Self::inputs(s, x, second);
            Self::inverse_pair(s, x, Self::three(s, table, i), None);
            return;
        }
        if LAYERS > 1 {
            Self::inverse_layer::<S, 2>(s, x, Self::two(s, table, 2 * i), second);
        }
        Self::inverse_layer::<S, 4>(s, x, [s.load32(&table[i][0]); 4], third);
    }

    /// The last one or two layers of the transform backwards.
    #[inline(always)]
    pub(super) fn last_network<S: Simd, const LAYERS: usize>(
        s: S,
        x: &mut Eight<S>,
        table: &[Twiddle],
        reduced: [bool; 3],
    ) {
        if LAYERS > 1 && !P::BY_PAPER {
            Self::last_pair(s, x);
            return;
        }
        if LAYERS > 1 {
            Self::inverse_layer::<S, 2>(s, x, Self::two(s, table, 2), reduced[1]);
        }
        Self::last_layer(s, x);
    }
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
