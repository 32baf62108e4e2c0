//! The transform of 1024 coefficients modulo `x^1024 + 1` and 12289 on doubles, by K-RED in their form: what
//! P. Longa and M. Naehrig (CANS 2016, section 5.1) expected to take as long as integers.
//!
//! # The map
//! `p = 12289 = k 2^M + 1` with `k = 3` and `M = 12`. Of an integer `C` below `2^53`, which a double is,
//! `C_1` is the integer next to `C / 2^M`, and `C_0 = C - C_1 2^M`; then `k C_0 - C_1` is `k C` modulo `p`.
//! To round is to add `3/2 2^52` and to take it off again. All else is exact, fused or not.
//!
//! Twiddles are centred and carry `1 / k`, so that a reduced product is the product. Seven layers work
//! between rows of eight numbers; then a transpose of eight rows puts the nodes into lanes, for three more.
//! It is not undone: value `8 l + s` of a block stands in lane `l` of row `s`. Rows are the bits of doubles,
//! as the transpose takes them; the compiler makes vectors of the arithmetic.
//!
//! # Bounds
//! A value of at most `b` makes a product of at most `k 2^(M-1) + 1 + 3/2 b`, as a twiddle is at most
//! `3/2 2^M`. So ten layers, which the compiler adds up, reach `2^28`, and products `2^41`: no other
//! reduction is needed. Two at the end leave values of at most `p`, times `k^2`, which a product takes off
//! with its `1 / n`.

use ringsmith_simd::{Kernel, Simd, WideRow, each};
use ringsmith_word::WordRing;
use std::array::from_fn;

/// The modulus.
pub(crate) const PRIME: u64 = 12289;
/// The degree.
pub(crate) const DEGREE: usize = 1024;
/// `PRIME = K 2^M + 1`.
const K: u64 = 3;
const M: u32 = 12;
const LAYERS: u32 = DEGREE.ilog2();
/// `2^M`.
const RADIX: f64 = (1 << M) as f64;
/// Where a unit is the last bit of a double, for numbers of either sign.
const UNITS: f64 = 1.5 * (1_u64 << 52) as f64;
/// Rows of a polynomial, and layers between them.
const ROWS: usize = DEGREE / 8;
const ROW_LAYERS: u32 = ROWS.ilog2();

const _: () = {
    assert!(PRIME == (K << M) + 1);
    let (mut most, mut layer) = (PRIME, 0);
    while layer < LAYERS {
        assert!(most * PRIME / 2 < 1 << 50, "products are exact, and are rounded");
        (most, layer) = (most + (K << (M - 1)) + 1 + 3 * most / 2 + 1, layer + 1);
    }
    assert!(most < 1 << 28);
};

/// A polynomial or its values.
pub(crate) type Rows = [WideRow; ROWS];

/// The twiddles.
pub(crate) struct Transform {
    /// By node.
    nodes: Vec<f64>,
    /// By block of eight rows, in its last three layers: those of one row, two, then four.
    tails: Vec<[WideRow; 7]>,
}

impl Transform {
    /// With the root of a ring, whose order of values is that of these.
    pub(crate) fn new(ring: &WordRing) -> Self {
        let nodes: Vec<f64> =
            by_node(ring.root()).into_iter().map(|w| centred(w * inverse(K) % PRIME)).collect();
        let tail = |block: usize| {
            from_fn(|i: usize| {
                let (layer, s) = ((i + 1).ilog2(), i + 1 - (1 << (i + 1).ilog2()));
                from_fn(|lane| nodes[((ROWS + 8 * block + lane) << layer) + s].to_bits())
            })
        };
        Transform { tails: (0..ROWS / 8).map(tail).collect(), nodes }
    }

    /// Coefficients in `[0, p)` as they are taken.
    pub(crate) fn rows(coefficients: &[u64]) -> Rows {
        from_fn(|row| from_fn(|lane| centred(coefficients[8 * row + lane]).to_bits()))
    }

    /// Coefficients to values, times `k^2`, of at most `p`.
    pub(crate) fn forward<'a>(&'a self, rows: &'a mut Rows) -> impl Kernel<Out = ()> + 'a {
        Forward { transform: self, rows }
    }
}

/// The number next to 0.
fn centred(x: u64) -> f64 {
    if 2 * x > PRIME { x as f64 - PRIME as f64 } else { x as f64 }
}

/// `a^exponent`.
fn power(a: u64, exponent: u64) -> u64 {
    (0..exponent).fold(1, |power, _| power * a % PRIME)
}

/// `1 / a`.
fn inverse(a: u64) -> u64 {
    power(a, PRIME - 2)
}

/// The twiddles by node of the tree whose root is `x^n + 1`, at 1.
fn by_node(root: u64) -> Vec<u64> {
    let mut table = vec![1];
    while table.len() < DEGREE {
        let step = power(root, (DEGREE / 2 / table.len()) as u64);
        table.extend_from_within(..);
        let first = table.len() / 2;
        table[first..].iter_mut().for_each(|w| *w = *w * step % PRIME);
    }
    table
}

/// A transform as a kernel.
struct Forward<'a> {
    transform: &'a Transform,
    rows: &'a mut Rows,
}

impl Kernel for Forward<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        // Where the backend asks for fused multiply-adds, or every CPU of the target has them.
        if const { S::ABOVE_BASELINE || cfg!(target_arch = "aarch64") } {
            self.layers::<S, Fused>(s);
        } else {
            self.layers::<S, Apart>(s);
        }
    }
}

impl Forward<'_> {
    /// All layers.
    #[inline(always)]
    fn layers<S: Simd, M: MultiplyAdd>(self, s: S) {
        let Transform { nodes, tails } = self.transform;
        let mut layer = 0;
        while layer < ROW_LAYERS {
            for (block, w) in self.rows.chunks_exact_mut(ROWS >> layer).zip(&nodes[1 << layer..]) {
                let (low, high) = block.split_at_mut(ROWS >> layer >> 1);
                let w = [w.to_bits(); 8];
                // By few rows, as compilers make vectors of a column where a loop is long.
                for (low, high) in low.chunks_mut(8).zip(high.chunks_mut(8)) {
                    butterflies::<M>(low, high, &w);
                }
            }
            layer += 1;
        }
        for (rows, w) in self.rows.as_chunks_mut::<8>().0.iter_mut().zip(tails) {
            tail::<S, M>(s, rows, w);
        }
    }
}

/// The last three layers of eight rows, and two reductions.
#[inline(always)]
fn tail<S: Simd, M: MultiplyAdd>(s: S, rows: &mut [WideRow; 8], w: &[WideRow; 7]) {
    s.transpose_rows(rows);
    let mut width = 1;
    while width < 8 {
        for (block, w) in rows.chunks_exact_mut(8 / width).zip(&w[width - 1..]) {
            let (low, high) = block.split_at_mut(4 / width);
            butterflies::<M>(low, high, w);
        }
        width *= 2;
    }
    for row in rows {
        *row = each(
            #[inline(always)]
            |i| k_red::<M>(k_red::<M>(f64::from_bits(row[i]))).to_bits(),
        );
    }
}

/// A butterfly of each two rows.
#[inline(always)]
fn butterflies<M: MultiplyAdd>(low: &mut [WideRow], high: &mut [WideRow], w: &WideRow) {
    for (a, b) in low.iter_mut().zip(high) {
        butterfly::<M>(a, b, w);
    }
}

/// `a + w b` and `a - w b`.
#[inline(always)]
fn butterfly<M: MultiplyAdd>(a: &mut WideRow, b: &mut WideRow, w: &WideRow) {
    let t: [f64; 8] = each(
        #[inline(always)]
        |i| k_red::<M>(f64::from_bits(b[i]) * f64::from_bits(w[i])),
    );
    let sums: [WideRow; 2] = [
        each(
            #[inline(always)]
            |i| (f64::from_bits(a[i]) + t[i]).to_bits(),
        ),
        each(
            #[inline(always)]
            |i| (f64::from_bits(a[i]) - t[i]).to_bits(),
        ),
    ];
    [*a, *b] = sums;
}

/// How `a b + c` is computed; either is exact here, but where it is to be rounded to an integer.
trait MultiplyAdd {
    /// `a b + c`.
    fn multiply_add(a: f64, b: f64, c: f64) -> f64;
}

/// Rounded once, by an instruction.
struct Fused;
/// Rounded twice.
struct Apart;

impl MultiplyAdd for Fused {
    #[inline(always)]
    fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

impl MultiplyAdd for Apart {
    #[inline(always)]
    fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// K-RED.
#[inline(always)]
fn k_red<M: MultiplyAdd>(c: f64) -> f64 {
    let high = M::multiply_add(c, 1.0 / RADIX, UNITS) - UNITS;
    let low = M::multiply_add(-RADIX, high, c);
    M::multiply_add(K as f64, low, -high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_oracle::Random;
    use ringsmith_simd::Cpu;

    /// Protects: the values on doubles are those of integers, times `k^2` and no greater than `p`, of random
    /// and of the worst polynomials, fused and not.
    #[test]
    fn equal_to_integers() {
        let (ring, mut random) = (WordRing::new(DEGREE, PRIME).unwrap(), Random::new(3));
        let transform = Transform::new(&ring);
        let worst = [0, 1].map(|sign| vec![PRIME / 2 + sign; DEGREE]);
        let some: Vec<u64> = (0..DEGREE).map(|_| random.word() % PRIME).collect();
        for a in worst.into_iter().chain([some]) {
            let mut values = vec![0; DEGREE];
            ring.values(ring.forward(ring.polynomial(&a).unwrap()).unwrap(), &mut values).unwrap();
            for cpu in Cpu::available() {
                let mut rows = Transform::rows(&a);
                cpu.run(transform.forward(&mut rows));
                for (i, value) in values.iter().enumerate() {
                    let x = f64::from_bits(rows[i / 64 * 8 + i % 8][i / 8 % 8]);
                    assert!(x.abs() <= PRIME as f64, "{x} on {cpu:?}");
                    let got = (x as i64).rem_euclid(PRIME as i64) as u64;
                    assert_eq!(got, value * K * K % PRIME, "{x} on {cpu:?}");
                }
            }
        }
    }
}
