//! Twiddles, as the kernels load them: constants of `(q, n)` and the backend's [`Quotient`].

use super::WordNtt;
use crate::number::{bit_reverse, centred, inverse, power, transform_root};
use ringsmith_simd::{I32Lanes, ProductLanes, Quotient, Row32, Simd};

/// A factor in all lanes: see [`Quotient`].
type Factor = [i32; 2];
/// A factor in each lane.
type Factors = [Row32; 2];

/// The factors of a pair of layers: of the node `w`, of its children `v` and `v'`, and `v w` and `-v' w`.
pub(super) struct Pair<V> {
    pub(super) node: [V; 2],
    pub(super) children: [[V; 2]; 2],
    pub(super) crosses: [[V; 2]; 2],
}

/// Twiddles of one direction; at the beginning of a cache line.
#[repr(C, align(64))]
pub(super) struct Table<const ROWS: usize> {
    /// Across rows, in heap order: of the node, and times its parent's, negative for second children.
    nodes: [[Factor; 2]; ROWS],
    /// Inside tiles, of a problem a lane: node 1, nodes 2 and 3, their products with node 1, nodes 4 to 7; as
    /// many as there are tiles count.
    tiles: [[Factors; 9]; ROWS],
    /// `2^32 / n`, which the inverse takes.
    scale: Factor,
}

impl<const ROWS: usize> Table<ROWS> {
    /// Of a node across rows.
    #[inline(always)]
    pub(super) fn node<S: Simd>(&self, s: S, node: usize) -> [S::I32; 2] {
        splat(s, &self.nodes[node][0])
    }

    /// Of a node across rows and its children.
    #[inline(always)]
    pub(super) fn pair<S: Simd>(&self, s: S, node: usize) -> Pair<S::I32> {
        let [first, second] = [&self.nodes[2 * node], &self.nodes[2 * node + 1]];
        Pair {
            node: self.node(s, node),
            children: [splat(s, &first[0]), splat(s, &second[0])],
            crosses: [splat(s, &first[1]), splat(s, &second[1])],
        }
    }

    /// Of the first two layers inside a tile.
    #[inline(always)]
    pub(super) fn pair_inside<S: Simd>(&self, s: S, tile: usize) -> Pair<S::I32> {
        let at = &self.tiles[tile];
        Pair {
            node: load(s, &at[0]),
            children: [load(s, &at[1]), load(s, &at[2])],
            crosses: [load(s, &at[3]), load(s, &at[4])],
        }
    }

    /// Of node `4 + i` inside a tile.
    #[inline(always)]
    pub(super) fn inside<S: Simd>(&self, s: S, tile: usize, i: usize) -> [S::I32; 2] {
        load(s, &self.tiles[tile][5 + i])
    }

    /// `2^32 / n`.
    #[inline(always)]
    pub(super) fn scale<S: Simd>(&self, s: S) -> [S::I32; 2] {
        splat(s, &self.scale)
    }
}

#[inline(always)]
fn splat<S: I32Lanes>(s: S, factor: &Factor) -> [S::I32; 2] {
    [s.splat32(factor[0]), s.splat32(factor[1])]
}

#[inline(always)]
fn load<S: I32Lanes>(s: S, factors: &Factors) -> [S::I32; 2] {
    [s.load32(&factors[0]), s.load32(&factors[1])]
}

impl<const Q: i64, const ROWS: usize> WordNtt<Q, ROWS> {
    /// Of a backend.
    #[inline(always)]
    pub(super) fn forward_table<S: ProductLanes>() -> &'static Table<ROWS> {
        match S::QUOTIENT {
            Quotient::Floor => const { &Self::table(Quotient::Floor, false) },
            Quotient::Rounded => const { &Self::table(Quotient::Rounded, false) },
        }
    }

    /// The same of the inverse.
    #[inline(always)]
    pub(super) fn inverse_table<S: ProductLanes>() -> &'static Table<ROWS> {
        match S::QUOTIENT {
            Quotient::Floor => const { &Self::table(Quotient::Floor, true) },
            Quotient::Rounded => const { &Self::table(Quotient::Rounded, true) },
        }
    }

    /// The twiddle of a node of the whole tree, or its inverse.
    const fn twiddle(node: usize, inverted: bool) -> i64 {
        let order = 2 * Self::DEGREE;
        let exponent = bit_reverse(node, Self::DEGREE.trailing_zeros());
        let exponent = if inverted { order - exponent } else { exponent };
        power(Self::ROOT, exponent as u64, Q)
    }

    /// The root of unity: the smallest of its order, which FIPS 204 has too.
    const ROOT: i64 = transform_root(2 * Self::DEGREE as u64, Q);
    /// `2^32 / n`: off goes the factor of products, and the sum over the layers.
    pub(super) const SCALE: i64 = inverse(Self::DEGREE as i64, Q) * ((1 << 32) % Q) % Q;

    /// The centred representative.
    pub(super) const fn constant(z: i64) -> i64 {
        centred(z, Q)
    }

    const fn factor(quotient: Quotient, z: i64) -> Factor {
        quotient.factor(Self::constant(z), Q)
    }

    /// The twiddle of a node, and that times its parent's, negative for second children; times a scale.
    pub(super) const fn constants(node: usize, inverted: bool, scale: i64) -> [i64; 2] {
        let z = Self::twiddle(node, inverted) * scale % Q;
        let cross = z * Self::twiddle(node / 2, inverted) % Q;
        let cross = if node.is_multiple_of(2) { cross } else { -cross };
        [Self::constant(z), Self::constant(cross)]
    }

    /// Their factors.
    const fn family(quotient: Quotient, node: usize, inverted: bool, scale: i64) -> [Factor; 2] {
        let [z, cross] = Self::constants(node, inverted, scale);
        [quotient.factor(z, Q), quotient.factor(cross, Q)]
    }

    const fn table(quotient: Quotient, inverted: bool) -> Table<ROWS> {
        let mut table = Table {
            nodes: [[[0; 2]; 2]; ROWS],
            tiles: [[[[0; 8]; 2]; 9]; ROWS],
            scale: Self::factor(quotient, Self::SCALE),
        };
        let mut node = 1;
        while node < ROWS {
            // The last layers of the inverse, which are the first forward, have the scale.
            let scale = if inverted && node < 4 { Self::SCALE } else { 1 };
            table.nodes[node] = Self::family(quotient, node, inverted, scale);
            node += 1;
        }
        let mut tile = 0;
        while tile < ROWS / 8 {
            table.tiles[tile] = Self::tile(quotient, tile, inverted);
            tile += 1;
        }
        table
    }

    /// The factors inside a tile: lane `l` has the problem of row `8 tile + l`.
    const fn tile(quotient: Quotient, tile: usize, inverted: bool) -> [Factors; 9] {
        let (mut factors, mut lane) = ([[[0; 8]; 2]; 9], 0);
        while lane < 8 {
            let (row, mut node) = (ROWS + 8 * tile + lane, 1);
            while node < 8 {
                let layer = (node as u32).ilog2();
                let of = (row << layer) + node - (1 << layer);
                let [plain, cross] = Self::family(quotient, of, inverted, 1);
                let at = if node < 4 { node - 1 } else { node + 1 };
                factors[at] = put(factors[at], lane, plain);
                if node == 2 || node == 3 {
                    factors[node + 1] = put(factors[node + 1], lane, cross);
                }
                node += 1;
            }
            lane += 1;
        }
        factors
    }
}

/// The factors with another in a lane.
const fn put(mut factors: Factors, lane: usize, factor: Factor) -> Factors {
    factors[0][lane] = factor[0];
    factors[1][lane] = factor[1];
    factors
}
