//! Passes: one to three layers of a transform in one walk over memory.
//!
//! # The map
//! A block of `K d` rows holds a polynomial modulo `x^m - r` of a node. A pass of `log2 K` layers takes rows
//! `i`, `i + d`, .., `i + (K - 1) d` together, so that each is loaded and stored once. Forward it leaves the
//! remainders of the node's `K` descendants; backward it makes the polynomial of them, times `K`.
//!
//! # Bounds
//! `bounds`: forward a layer widens by `2 p`; backward row 0 is the only one that must be reduced.

use crate::arithmetic::{Factors, Lanes, Prime};
use crate::memory::Line;
use ringsmith_simd::{Factor, WordLanes};

/// The factors of a node and its descendants, `s` of layer `t` at `2^t + s`; there is none at 0.
pub(crate) type Descendants<W, const K: usize> = [Factors<W>; K];

/// Reads them from the table.
#[inline(always)]
pub(crate) fn descendants<W: WordLanes, const K: usize>(
    l: Lanes<W>,
    nodes: &[Factor],
    node: usize,
) -> Descendants<W, K> {
    let mut factors = [l.splat([0; 2]); K];
    let mut width = 1;
    while width < K {
        let mut s = 0;
        while s < width {
            factors[width + s] = l.splat(nodes[node * width + s]);
            s += 1;
        }
        width *= 2;
    }
    factors
}

/// `log2 K` layers on `K` rows.
#[inline(always)]
pub(crate) fn layers<W: WordLanes, const K: usize>(
    l: Lanes<W>,
    x: &mut [W::Words; K],
    factors: &Descendants<W, K>,
) {
    let mut width = 1;
    while width < K {
        let half = K / (2 * width);
        let mut i = 0;
        while i < K / 2 {
            let (s, at) = (i / half, i / half * 2 * half + i % half);
            [x[at], x[at + half]] = l.butterfly(x[at], x[at + half], factors[width + s]);
            i += 1;
        }
        width *= 2;
    }
}

/// The same layers backward, and row 0 reduced.
#[inline(always)]
pub(crate) fn layers_back<W: WordLanes, const K: usize>(
    l: Lanes<W>,
    prime: &Prime,
    x: &mut [W::Words; K],
    factors: &Descendants<W, K>,
) {
    let offset = l.offset(prime);
    let mut width = K / 2;
    while width > 0 {
        let half = K / (2 * width);
        let mut i = 0;
        while i < K / 2 {
            let (s, at) = (i / half, i / half * 2 * half + i % half);
            [x[at], x[at + half]] = l.butterfly_back(x[at], x[at + half], factors[width + s], offset);
            i += 1;
        }
        width /= 2;
    }
    x[0] = l.reduce(x[0], l.splat(prime.one));
}

/// No rows.
const fn none<'a>() -> &'a mut [Line] {
    &mut []
}

/// The `K` parts of a block, of which each has so many rows.
#[inline(always)]
fn parts<const K: usize>(block: &mut [Line]) -> ([&mut [Line]; K], usize) {
    let (size, mut rest, mut r) = (block.len() / K, block, 0);
    let mut parts = [const { none() }; K];
    while r < K {
        let (part, after) = rest.split_at_mut(size);
        (parts[r], rest, r) = (part, after, r + 1);
    }
    (parts, size)
}

/// Applies `f` to the rows that belong together.
#[inline(always)]
fn each_row<W: WordLanes, const K: usize>(w: W, block: &mut [Line], f: impl Fn(&mut [W::Words; K])) {
    let (parts, size) = parts::<K>(block);
    let mut i = 0;
    while i < size {
        let (mut x, mut r) = ([w.splat_words(0); K], 0);
        while r < K {
            x[r] = w.load_words(&parts[r][i].0);
            r += 1;
        }
        f(&mut x);
        r = 0;
        while r < K {
            w.store_words(&mut parts[r][i].0, x[r]);
            r += 1;
        }
        i += 1;
    }
}

/// A pass forward.
#[inline(always)]
pub(crate) fn pass<W: WordLanes, const K: usize>(
    l: Lanes<W>,
    nodes: &[Factor],
    block: &mut [Line],
    node: usize,
) {
    let factors = descendants::<W, K>(l, nodes, node);
    each_row::<W, K>(
        l.w,
        block,
        #[inline(always)]
        |x| layers(l, x, &factors),
    );
}

/// A pass backward.
#[inline(always)]
pub(crate) fn pass_back<W: WordLanes, const K: usize>(
    l: Lanes<W>,
    prime: &Prime,
    nodes: &[Factor],
    block: &mut [Line],
    node: usize,
) {
    let factors = descendants::<W, K>(l, nodes, node);
    each_row::<W, K>(
        l.w,
        block,
        #[inline(always)]
        |x| layers_back(l, prime, x, &factors),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::VALUE;
    use crate::bounds::{INPUT, LAYERS, PASS, START};
    use crate::kernels::{Body, MakeFactor, OnWords};
    use core::array::from_fn;
    use ringsmith_oracle::Random;
    use ringsmith_simd::{Cpu, WideRow};

    /// Three layers on eight rows, forward or backward.
    struct Layers<'a>(&'a Prime, &'a [Factor; 8], [WideRow; 8], bool);

    impl Body for Layers<'_> {
        type Out = [WideRow; 8];
        #[inline(always)]
        fn run<W: WordLanes>(self, w: W) -> [WideRow; 8] {
            let Layers(prime, factors, mut rows, back) = self;
            let l = Lanes::new(w, prime);
            let factors = factors.map(|factor| l.splat(factor));
            let mut x = rows.map(|row| w.load_words(&row));
            if back {
                layers_back(l, prime, &mut x, &factors)
            } else {
                layers(l, &mut x, &factors)
            }
            rows.iter_mut().zip(x).for_each(|(row, x)| w.store_words(row, x));
            rows.map(|row| row.map(|x| x & VALUE))
        }
    }

    /// What they are, modulo `p`.
    fn definition(mut x: [u64; 8], w: &[u64; 8], p: u64, back: bool) -> [u64; 8] {
        let times = |a: u128, b: u64| a * u128::from(b) % u128::from(p);
        for width in if back { [4, 2, 1] } else { [1, 2, 4] } {
            let half = 4 / width;
            for i in 0..4 {
                let (s, at) = (i / half, i / half * 2 * half + i % half);
                let (a, b) = (u128::from(x[at] % p), u128::from(x[at + half] % p));
                let (w, p) = (w[width + s], u128::from(p));
                let (sum, difference) =
                    if back { (a + b, times(a + p - b, w)) } else { (a + times(b, w), a + p - times(b, w)) };
                (x[at], x[at + half]) = ((sum % p) as u64, (difference % p) as u64);
            }
        }
        x
    }

    /// Protects: the bounds, by rows that are the least and the greatest which a pass may be given, in all
    /// combinations: the last pass forward before values are renewed, and any pass backward.
    #[test]
    fn passes_of_the_worst_rows() {
        let (mut random, before) = (Random::new(1), 2 * u64::from(LAYERS - PASS));
        for p in [3, 12289, 1_073_479_681, 70_368_740_769_793] {
            let forward =
                ((START - before) * p, (START + 2 + before) * p - 1, (START + 2 + 2 * u64::from(LAYERS)) * p);
            for (back, (least, greatest, limit)) in [(false, forward), (true, (0, INPUT * p - 1, INPUT * p))]
            {
                for block in 0..32 {
                    let w: [u64; 8] = from_fn(|i| if i % 4 == block % 4 { p - 1 } else { random.word() % p });
                    let x: [WideRow; 8] = from_fn(|row| {
                        from_fn(|lane| if (8 * block + lane) >> row & 1 == 0 { least } else { greatest })
                    });
                    for cpu in Cpu::available() {
                        let prime = Prime::new(p, cpu.run(OnWords(MakeFactor)));
                        let got = cpu.run(OnWords(Layers(&prime, &w.map(|w| prime.factor(w)), x, back)));
                        for lane in 0..8 {
                            let expected = definition(x.map(|row| row[lane]), &w, p, back);
                            let got = got.map(|row| row[lane]);
                            assert!(got.iter().all(|x| *x < limit), "{cpu:?} modulo {p}: {got:?}");
                            assert_eq!(got.map(|x| x % p), expected, "{cpu:?} modulo {p}");
                        }
                    }
                }
            }
        }
    }
}
