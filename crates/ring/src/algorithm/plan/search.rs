//! Looking for the cheapest plan.
//!
//! # Forward
//! At each layer the first code that keeps all blocks in their lanes.
//!
//! # Inverse
//! Each butterfly gets the cheapest pair of codes with which both of its results fit. What leaves a pass is
//! reduced above a limit; several limits are tried.
//!
//! # Then
//! each reduction of the inverse is left out for good without which all bounds still hold. Those of the
//! forward transform are needed as they are: without one of them its own layer overflows.

use super::problem::MAX_BLOCKS;
use super::replay::{
    forward_layer, inverse_butterfly, leaving_bound, pass_bound, pass_bound_from, pass_layer, widest,
};
use super::{BARRETT, EMPTY, NONE, Pass, PassForm, Plan, Problem, ProductRule, STEP, reduce_bound};
use crate::bound::Bound;
use crate::reduce::barrett;
use ringsmith_simd::LazyReduction;

/// What a code costs, in instructions of the CPUs that prefer `step`.
pub(in crate::algorithm) const fn cost(step: LazyReduction, code: u8) -> u32 {
    match (step, code) {
        (_, NONE) => 0,
        (LazyReduction::Sign, STEP) => 2,
        (LazyReduction::Sign, _) => 3,
        // Both codes are the same reduction here: the first is as good.
        (LazyReduction::Barrett, STEP) => 4,
        (LazyReduction::Barrett, _) => 5,
    }
}

impl Plan {
    /// The cheapest plan found for a CPU that prefers `step`, with `products` giving the bound of what enters
    /// the inverse from the bound of what enters the domain's products, or `None` where those would overflow.
    pub const fn find(problem: &Problem, step: LazyReduction, rule: ProductRule) -> Plan {
        let mut plan = Plan { forward: [NONE; 10], domain: NONE, inverse: [EMPTY; 3] };
        let out = plan.fill_forward(problem, step);
        loop {
            match rule.bound(problem.q, reduce_bound(step, plan.domain, out, problem.q)) {
                Some(products) => {
                    plan.find_inverse(problem, step, products);
                    plan.drop_needless(problem, step, products);
                    return plan;
                }
                None => plan.domain += 1,
            }
            assert!(plan.domain <= BARRETT, "the products in the domain overflow whatever is reduced");
        }
    }

    /// Greedy: at each layer the first code that keeps all blocks in their lanes.
    const fn fill_forward(&mut self, problem: &Problem, step: LazyReduction) -> Bound {
        let mut blocks = [problem.input; MAX_BLOCKS];
        let mut layer = 0;
        while layer < problem.layers {
            while !forward_layer(problem, step, layer, self.forward[layer], &mut blocks) {
                self.forward[layer] += 1;
                assert!(self.forward[layer] <= BARRETT, "overflow: a forward layer, whatever is reduced");
            }
            layer += 1;
        }
        widest(&blocks, 1 << problem.layers)
    }

    /// Tries several thresholds for the values that leave a pass and keeps the cheapest plan. What a first
    /// pass leaves is computed once, and what is no cheaper than the best so far is not looked at any
    /// further.
    const fn find_inverse(&mut self, problem: &Problem, step: LazyReduction, products: Bound) {
        // A pass that is not there has no threshold to try.
        let tries = if problem.passes[0].registers == 0 { 1 } else { THRESHOLDS };
        let (mut best, mut i) = (u32::MAX, 0);
        while i < tries {
            let first = greedy_pass(problem, step, 0, products, threshold(problem.q, i));
            let mut k = 0;
            while k < THRESHOLDS && first.price < best {
                let second = greedy_pass(problem, step, 1, first.out, threshold(problem.q, k));
                if first.price.saturating_add(second.price) < best {
                    let third = greedy_pass(problem, step, 2, second.out, barrett::exact_limit(problem.q));
                    let price = (first.price + second.price).saturating_add(third.price);
                    if price < best {
                        best = price;
                        self.inverse = [first.codes, second.codes, third.codes];
                    }
                }
                k += 1;
            }
            i += 1;
        }
        assert!(best < u32::MAX, "overflow: a layer of the inverse, whatever is reduced");
    }

    /// Removes every reduction of the inverse that the bounds do not need.
    const fn drop_needless(&mut self, problem: &Problem, step: LazyReduction, products: Bound) {
        let (mut pass, mut bound) = (0, products);
        while pass < 3 {
            bound = self.drop_needless_in_pass(problem, step, pass, bound);
            pass += 1;
        }
    }

    /// Those of one pass, layer by layer, and at its end; where its results lie then. The passes behind it
    /// hold what is no wider than what they held before.
    const fn drop_needless_in_pass(
        &mut self,
        problem: &Problem,
        step: LazyReduction,
        pass: usize,
        input: Bound,
    ) -> Bound {
        let PassForm { registers, first } = problem.passes[pass];
        let Some(mut out) = pass_bound(problem, step, &self.inverse[pass], pass, input) else {
            panic!("the plan just found overflows")
        };
        let (mut bounds, mut layer) = ([input; 16], first);
        loop {
            let at_end = (1 << layer) >= registers;
            let (codes, mut i) = (if at_end { 64 } else { 16 * layer }, 0);
            while i < registers {
                let code = *self.inverse[pass].code(codes + i);
                if code != NONE {
                    *self.inverse[pass].code(codes + i) = NONE;
                    match pass_bound_from(problem, step, &self.inverse[pass], pass, layer, bounds) {
                        Some(now)
                            if now.within(out) || self.inverse_holds_from(problem, step, pass + 1, now) =>
                        {
                            out = now;
                        }
                        _ => *self.inverse[pass].code(codes + i) = code,
                    }
                }
                i += 1;
            }
            if at_end {
                return out;
            }
            let codes = &self.inverse[pass].layers[layer];
            assert!(pass_layer(problem.q, step, registers, layer, codes, &mut bounds));
            layer += 1;
        }
    }
}

const THRESHOLDS: usize = 5;

/// The least limit that is tried: half the modulus, below which no reduction goes, and an eighth of that for
/// the error of Barrett's quotient of one word. A guess, which decides what is tried and not what is proved.
const fn min_limit(q: i64) -> i64 {
    q / 2 + q / 16
}

/// The `i`-th limit tried for values that leave a pass: half a modulus up to the whole lane.
pub(in crate::algorithm) const fn threshold(q: i64, i: usize) -> i64 {
    let min = min_limit(q);
    min + (32767 - min) * i as i64 / (THRESHOLDS as i64 - 1)
}

/// A pass with its reductions.
struct Greedy {
    codes: Pass,
    /// Where its results lie.
    out: Bound,
    /// What its reductions cost in all of its runs; `u32::MAX` where nothing fits.
    price: u32,
}

/// One pass, each butterfly with the cheapest pair of codes that fits, and values above `limit` reduced at
/// its end.
const fn greedy_pass(
    problem: &Problem,
    step: LazyReduction,
    pass: usize,
    input: Bound,
    limit: i64,
) -> Greedy {
    let (form, q) = (problem.passes[pass], problem.q);
    let mut greedy = Greedy { codes: EMPTY, out: input, price: 0 };
    if form.registers == 0 {
        return greedy;
    }
    let (mut bounds, mut price, mut layer) = ([input; 16], 0, form.first);
    while (1 << layer) < form.registers {
        match greedy_layer(step, form.registers, layer, q, &mut greedy.codes.layers[layer], &mut bounds) {
            Some(more) => price += more,
            None => {
                greedy.price = u32::MAX;
                return greedy;
            }
        }
        layer += 1;
    }
    let mut i = 0;
    while i < form.registers {
        if leaving_bound(problem, pass, i, bounds[i]).magnitude() > limit {
            let after = reduce_bound(step, STEP, bounds[i], q);
            greedy.codes.end[i] = if after.magnitude() <= limit { STEP } else { BARRETT };
            bounds[i] = reduce_bound(step, greedy.codes.end[i], bounds[i], q);
            price += cost(step, greedy.codes.end[i]);
        }
        bounds[i] = leaving_bound(problem, pass, i, bounds[i]);
        i += 1;
    }
    Greedy { out: widest(&bounds, form.registers), price: price * (16 / form.registers as u32), ..greedy }
}

/// One layer of it; what its reductions cost, or `None` where nothing fits.
const fn greedy_layer(
    step: LazyReduction,
    registers: usize,
    layer: usize,
    q: i64,
    codes: &mut [u8; 16],
    bounds: &mut [Bound; 16],
) -> Option<u32> {
    let (distance, mut price, mut i) = (1 << layer, 0, 0);
    while i < registers {
        let j = i + distance;
        // Most butterflies need nothing: then no reduction's bound is computed.
        if i & distance == 0
            && let Some(results) = inverse_butterfly(q, bounds[i], bounds[j])
        {
            (bounds[i], bounds[j]) = results;
        } else if i & distance == 0 {
            let (a, b) = (reduced(step, bounds[i], q), reduced(step, bounds[j], q));
            let Some((x, y)) = cheapest_pair(&a, &b) else { return None };
            let Some(results) = inverse_butterfly(q, a[x as usize], b[y as usize]) else { return None };
            (codes[i], codes[j]) = (x, y);
            (bounds[i], bounds[j]) = results;
            price += cost(step, x) + cost(step, y);
        }
        i += 1;
    }
    Some(price)
}

/// The cheapest codes with which both results of a butterfly fit: the pairs in the order of their price. `a`
/// and `b` are bounds by code.
pub(in crate::algorithm) const fn cheapest_pair(a: &[Bound; 3], b: &[Bound; 3]) -> Option<(u8, u8)> {
    const PAIRS: [(u8, u8); 9] = [
        (NONE, NONE),
        (STEP, NONE),
        (NONE, STEP),
        (BARRETT, NONE),
        (NONE, BARRETT),
        (STEP, STEP),
        (BARRETT, STEP),
        (STEP, BARRETT),
        (BARRETT, BARRETT),
    ];
    let mut i = 0;
    while i < 9 {
        let (x, y) = (a[PAIRS[i].0 as usize], b[PAIRS[i].1 as usize]);
        if x.sum_and_difference_fit(y) {
            return Some(PAIRS[i]);
        }
        i += 1;
    }
    None
}

/// Where a value lies after each code.
const fn reduced(step: LazyReduction, a: Bound, q: i64) -> [Bound; 3] {
    [a, reduce_bound(step, STEP, a, q), reduce_bound(step, BARRETT, a, q)]
}
