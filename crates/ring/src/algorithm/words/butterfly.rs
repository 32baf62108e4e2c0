//! Layers on registers: one at a time, or a pair.

use super::tables::Pair;
use ringsmith_simd::Simd;

/// A layer forward: `a + z b` and `a - z b`.
#[inline(always)]
pub(super) fn forward<S: Simd>(s: S, [a, b]: [S::I32; 2], z: [S::I32; 2], q: S::I32) -> [S::I32; 2] {
    let product = s.times32(b, z, q);
    [s.add32(a, product), s.sub32(a, product)]
}

/// A layer backward: `a + b` and `z (a - b)`.
#[inline(always)]
pub(super) fn backward<S: Simd>(s: S, [a, b]: [S::I32; 2], z: [S::I32; 2], q: S::I32) -> [S::I32; 2] {
    [s.add32(a, b), s.times32(s.sub32(a, b), z, q)]
}

/// Two layers forward.
#[inline(always)]
pub(super) fn pair_forward<S: Simd>(s: S, x: [S::I32; 4], z: &Pair<S::I32>, q: S::I32) -> [S::I32; 4] {
    let [a, c] = forward(s, [x[0], x[2]], z.node, q);
    let b = s.times_sum32([x[1], x[3]], [z.children[0], z.crosses[0]], q);
    let d = s.times_sum32([x[1], x[3]], [z.children[1], z.crosses[1]], q);
    [s.add32(a, b), s.sub32(a, b), s.add32(c, d), s.sub32(c, d)]
}

/// Two layers backward: the sum of all, which is not reduced, and three products.
#[inline(always)]
pub(super) fn pair_backward<S: Simd>(s: S, x: [S::I32; 4], z: &Pair<S::I32>, q: S::I32) -> [S::I32; 4] {
    let (sums, differences) =
        ([s.add32(x[0], x[1]), s.add32(x[2], x[3])], [s.sub32(x[0], x[1]), s.sub32(x[2], x[3])]);
    let [a, c] = backward(s, sums, z.node, q);
    let b = s.times_sum32(differences, z.children, q);
    let d = s.times_sum32(differences, z.crosses, q);
    [a, b, c, d]
}
