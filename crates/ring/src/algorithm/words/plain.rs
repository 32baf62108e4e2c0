//! The transform without vectors: number by number, for backends whose rows are arrays.
//!
//! # How
//! The layers are those of the [module](super), two at a time over the whole element, and the innermost one
//! by itself where their number is odd. Four numbers of a pair, and its five constants, have room in the
//! registers of a CPU; eight lanes of four rows have none.
//!
//! # Products by constants
//! A constant `z` is the fraction `z' = z 2^64 / q`, rounded to the nearest. Of `a z'` the low 64 bits are
//! kept: with `c` the centred residue of `a z`, they are `c 2^64 / q`, with an error of at most `|a| / 2`.
//! Their upper 32 bits times `q` are `c 2^32` with an error below `(1/4 + 1) q`, of two products together
//! below `(1/2 + 1) q`, which is less than `2^31` for `q < 2^30`. So rounding gives `c`: the product is
//! exactly centred. That of two products has one reduction as well.
//!
//! # Bounds
//! A layer adds at most `(q - 1) / 2`, half as much as those of the vector kernels, of which no lane
//! overflows.
//!
//! # Source
//! T. Plantard, *Efficient word size modular arithmetic*, IEEE Transactions on Emerging Topics in Computing
//! 9 (2021); for signed numbers: J. Huang et al., *Improved Plantard arithmetic for lattice-based
//! cryptography*, TCHES 2022(4). Deviations: the constant is rounded to the nearest, so is the result, and
//! two products share a reduction.
//!
//! # Constant time
//! In all coefficients and values, where the CPU's product of 64 bits is.

use super::kernels::Representatives;
use super::{Order, WordNtt};
use ringsmith_simd::Row32;

/// Of a node: its twiddle, and that times its parent's, negative for second children.
type Node = [i64; 2];

/// Nodes in heap order, and `2^32 / n`.
struct Fractions<const ROWS: usize> {
    nodes: [[Node; 8]; ROWS],
    scale: i64,
}

/// `z 2^64 / q` to the nearest, of a centred `z`.
const fn fraction(z: i64, q: i64) -> i64 {
    assert!(q < 1 << 30, "a modulus that leaves fractions room");
    let scaled = (z as i128) << 64;
    (2 * scaled + q as i128).div_euclid(2 * q as i128) as i64
}

impl<const Q: i64, const ROWS: usize> WordNtt<Q, ROWS> {
    const FRACTIONS: Fractions<ROWS> = Self::fractions(false);
    const INVERSE_FRACTIONS: Fractions<ROWS> = Self::fractions(true);

    const fn fractions(inverted: bool) -> Fractions<ROWS> {
        let mut table =
            Fractions { nodes: [[[0; 2]; 8]; ROWS], scale: fraction(Self::constant(Self::SCALE), Q) };
        let mut node = 1;
        while node < Self::DEGREE {
            // The last layers of the inverse, which are the first forward, have the scale.
            let [z, cross] =
                Self::constants(node, inverted, if inverted && node < 4 { Self::SCALE } else { 1 });
            table.nodes[node / 8][node % 8] = [fraction(z, Q), fraction(cross, Q)];
            node += 1;
        }
        table
    }
}

/// A sum of products by fractions, reduced: exactly centred.
#[inline(always)]
fn reduce<const Q: i64>(x: i64) -> i32 {
    (((x >> 32) * Q + (1 << 31)) >> 32) as i32
}

/// A product by a fraction.
#[inline(always)]
fn times<const Q: i64>(a: i32, z: i64) -> i32 {
    reduce::<Q>((a as i64).wrapping_mul(z))
}

/// Two of them, and one reduction.
#[inline(always)]
fn times_sum<const Q: i64>([a, b]: [i32; 2], [z, w]: [i64; 2]) -> i32 {
    reduce::<Q>((a as i64).wrapping_mul(z).wrapping_add((b as i64).wrapping_mul(w)))
}

/// The constants of a pair of layers: of a node, its children, and the products of those with it.
struct Pair {
    node: i64,
    children: [i64; 2],
    crosses: [i64; 2],
}

impl Pair {
    #[inline(always)]
    fn of(nodes: &[Node], node: usize) -> Self {
        let [first, second] = [nodes[2 * node], nodes[2 * node + 1]];
        Pair { node: nodes[node][0], children: [first[0], second[0]], crosses: [first[1], second[1]] }
    }

    /// Both layers forward.
    #[inline(always)]
    fn forward<const Q: i64>(&self, x: [i32; 4]) -> [i32; 4] {
        let t = times::<Q>(x[2], self.node);
        let b = times_sum::<Q>([x[1], x[3]], [self.children[0], self.crosses[0]]);
        let d = times_sum::<Q>([x[1], x[3]], [self.children[1], self.crosses[1]]);
        let (a, c) = (x[0] + t, x[0] - t);
        [a + b, a - b, c + d, c - d]
    }

    /// Both layers backward: the sum of all, which is not reduced, and three products.
    #[inline(always)]
    fn backward<const Q: i64>(&self, x: [i32; 4]) -> [i32; 4] {
        let (sums, differences) = ([x[0] + x[1], x[2] + x[3]], [x[0] - x[1], x[2] - x[3]]);
        let c = times::<Q>(sums[0] - sums[1], self.node);
        let b = times_sum::<Q>(differences, self.children);
        [sums[0] + sums[1], b, c, times_sum::<Q>(differences, self.crosses)]
    }
}

/// Applies `f` to four numbers `step` apart, all over `x`, with the constants of their node.
#[inline(always)]
fn pairs(x: &mut [i32], nodes: &[Node], step: usize, f: impl Fn(&Pair, [i32; 4]) -> [i32; 4]) {
    let first = x.len() / (4 * step);
    for (block, x) in x.chunks_exact_mut(4 * step).enumerate() {
        let pair = Pair::of(nodes, first + block);
        let (a, rest) = x.split_at_mut(step);
        let (b, rest) = rest.split_at_mut(step);
        let (c, d) = rest.split_at_mut(step);
        for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
            [*a, *b, *c, *d] = f(&pair, [*a, *b, *c, *d]);
        }
    }
}

/// Applies `f` to neighbours, with the constant of their node.
#[inline(always)]
fn neighbours(x: &mut [i32], nodes: &[Node], f: impl Fn(i64, [i32; 2]) -> [i32; 2]) {
    let first = x.len() / 2;
    for (pair, node) in x.as_chunks_mut().0.iter_mut().zip(&nodes[first..]) {
        *pair = f(node[0], *pair);
    }
}

/// Whether the innermost layer is by itself: of 512 numbers, of which there are nine.
const fn is_odd(rows: usize) -> bool {
    rows == 64
}

/// Into the domain.
#[inline(always)]
pub(super) fn forward<const Q: i64, const ROWS: usize, O: Order>(
    input: &[Row32; ROWS],
    out: &mut [Row32; ROWS],
) {
    let nodes = const { &WordNtt::<Q, ROWS>::FRACTIONS }.nodes.as_flattened();
    *out = *input;
    let x = out.as_flattened_mut();
    pairs(x, nodes, 2 * ROWS, Pair::forward::<Q>);
    pairs(x, nodes, ROWS / 2, Pair::forward::<Q>);
    pairs(x, nodes, ROWS / 8, Pair::forward::<Q>);
    pairs(x, nodes, ROWS / 32, Pair::forward::<Q>);
    if const { is_odd(ROWS) } {
        neighbours(x, nodes, |z, [a, b]| {
            let t = times::<Q>(b, z);
            [a + t, a - t]
        });
    }
    if O::TILED {
        transpose_tiles(out);
    }
}

/// Out of the domain; spoils its input.
#[inline(always)]
pub(super) fn inverse<const Q: i64, const ROWS: usize, O: Order, P: Representatives>(
    products: &mut [Row32; ROWS],
    out: &mut [Row32; ROWS],
) {
    let table = const { &WordNtt::<Q, ROWS>::INVERSE_FRACTIONS };
    let (nodes, scale) = (table.nodes.as_flattened(), table.scale);
    if O::TILED {
        transpose_tiles(products);
    }
    let x = products.as_flattened_mut();
    if const { is_odd(ROWS) } {
        neighbours(x, nodes, |z, [a, b]| [a + b, times::<Q>(a - b, z)]);
    }
    pairs(x, nodes, ROWS / 32, Pair::backward::<Q>);
    pairs(x, nodes, ROWS / 8, Pair::backward::<Q>);
    pairs(x, nodes, ROWS / 2, Pair::backward::<Q>);
    pairs(x, nodes, 2 * ROWS, |pair, x| {
        let [sum, b, c, d] = pair.backward::<Q>(x);
        // The other three had the scale in their constants.
        [times::<Q>(sum, scale), b, c, d].map(representative::<Q, P>)
    });
    *out = *products;
}

/// The representative of a centred number.
#[inline(always)]
fn representative<const Q: i64, P: Representatives>(x: i32) -> i32 {
    if P::CENTRED {
        return x;
    }
    // The shift is hidden from the compiler, which would make a branch of a question of the sign.
    let sign = *core::hint::black_box(&(i32::BITS - 1));
    x + (x >> sign & Q as i32)
}

/// Standard order to tiled, and back.
fn transpose_tiles<const ROWS: usize>(rows: &mut [Row32; ROWS]) {
    for tile in rows.as_chunks_mut::<8>().0 {
        let from = *tile;
        for (row, lanes) in tile.iter_mut().enumerate() {
            *lanes = from.map(|other| other[row]);
        }
    }
}
