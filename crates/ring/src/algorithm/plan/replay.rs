//! Intervals through butterflies: one layer forward, one pass of the inverse.

use super::problem::MAX_BLOCKS;
use super::{NONE, Pass, Problem, Split, reduce_bound};
use crate::bound::Bound;
use crate::reduce::montgomery;
use ringsmith_simd::LazyReduction;

/// Where both results of a forward butterfly of a block lie.
const fn forward_butterfly(problem: &Problem, step: LazyReduction, node: usize, code: u8, a: Bound) -> Bound {
    let product = montgomery::bound_scaled(a, problem.twiddles[node], problem.q);
    let kept = reduce_bound(step, code, a, problem.q);
    let other = match problem.split {
        // a + (1 - z) b = a + b - z b
        Split::HalfTrinomial if node == 1 => kept.add(a).sub(product),
        _ => kept.sub(product),
    };
    kept.add(product).join(other)
}

/// One forward layer on all blocks, in place; `false`, and nothing done, where a lane overflows.
pub(super) const fn forward_layer(
    problem: &Problem,
    step: LazyReduction,
    layer: usize,
    code: u8,
    blocks: &mut [Bound; MAX_BLOCKS],
) -> bool {
    let (before, nodes) = (*blocks, 1 << layer);
    // Downwards, so that a parent is read before its place is taken by a child.
    let mut block = nodes;
    while block > 0 {
        block -= 1;
        let out = forward_butterfly(problem, step, nodes + block, code, blocks[block]);
        if !out.fits(16) {
            *blocks = before;
            return false;
        }
        (blocks[2 * block], blocks[2 * block + 1]) = (out, out);
    }
    true
}

pub(super) const fn widest(bounds: &[Bound], count: usize) -> Bound {
    let (mut out, mut i) = (bounds[0], 1);
    while i < count && i < bounds.len() {
        out = out.join(bounds[i]);
        i += 1;
    }
    out
}

/// A butterfly of the inverse with two codes; `None` where a lane overflows.
pub(super) const fn inverse_butterfly(q: i64, a: Bound, b: Bound) -> Option<(Bound, Bound)> {
    if a.sum_and_difference_fit(b) { Some((a.add(b), montgomery::bound_any(a.sub(b), q))) } else { None }
}

/// Where register `i` lies after a pass, from its bound `a` after the code at the pass' end: sums of the last
/// layer of a scaled transform are multiplied by a constant then (differences had it in their twiddle).
pub(super) const fn leaving_bound(problem: &Problem, pass: usize, i: usize, a: Bound) -> Bound {
    if pass != 2 || !problem.scaled {
        return a;
    }
    let sum = 2 * i < problem.passes[pass].registers;
    match problem.split {
        Split::Negacyclic => {
            if sum {
                montgomery::bound_any(a, problem.q)
            } else {
                a
            }
        }
        // a = (2 a + b) / 2 - b / 2, and twice b / 2: of any differences
        Split::HalfTrinomial => {
            let any = montgomery::bound_any(Bound::symmetric(1 << 15), problem.q);
            if sum { montgomery::bound_any(a, problem.q).sub(any) } else { any.add(any) }
        }
    }
}

/// Whether register `i` leaves a pass as `b / 2` of a half trinomial: with the bound of a product, whose
/// reduction at the end of the pass would not be one.
const fn is_half(problem: &Problem, pass: usize, i: usize) -> bool {
    let last = problem.scaled && pass == 2 && matches!(problem.split, Split::HalfTrinomial);
    last && 2 * i >= problem.passes[pass].registers
}

/// One layer of a pass, in place; `false` where a lane overflows.
pub(super) const fn pass_layer(
    q: i64,
    step: LazyReduction,
    registers: usize,
    layer: usize,
    codes: &[u8; 16],
    bounds: &mut [Bound; 16],
) -> bool {
    let (distance, mut i) = (1 << layer, 0);
    while i < registers {
        if i & distance == 0 {
            let j = i + distance;
            // Most codes are none: each call that is saved is what a replay costs the compiler.
            let a = if codes[i] == NONE { bounds[i] } else { reduce_bound(step, codes[i], bounds[i], q) };
            let b = if codes[j] == NONE { bounds[j] } else { reduce_bound(step, codes[j], bounds[j], q) };
            match inverse_butterfly(q, a, b) {
                Some((sum, product)) => (bounds[i], bounds[j]) = (sum, product),
                None => return false,
            }
        }
        i += 1;
    }
    true
}

/// Replays one pass; `None` where a lane overflows.
pub(super) const fn pass_bound(
    problem: &Problem,
    step: LazyReduction,
    codes: &Pass,
    pass: usize,
    input: Bound,
) -> Option<Bound> {
    pass_bound_from(problem, step, codes, pass, problem.passes[pass].first, [input; 16])
}

/// The same from a layer on, for what enters that.
pub(super) const fn pass_bound_from(
    problem: &Problem,
    step: LazyReduction,
    codes: &Pass,
    pass: usize,
    first: usize,
    mut bounds: [Bound; 16],
) -> Option<Bound> {
    let (form, mut layer) = (problem.passes[pass], first);
    while (1 << layer) < form.registers {
        if !pass_layer(problem.q, step, form.registers, layer, &codes.layers[layer], &mut bounds) {
            return None;
        }
        layer += 1;
    }
    let mut i = 0;
    while i < form.registers {
        if is_half(problem, pass, i) && codes.end[i] != NONE {
            return None;
        }
        let reduced = reduce_bound(step, codes.end[i], bounds[i], problem.q);
        bounds[i] = leaving_bound(problem, pass, i, reduced);
        i += 1;
    }
    Some(widest(&bounds, if form.registers == 0 { 1 } else { form.registers }))
}
