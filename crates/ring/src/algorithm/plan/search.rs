//! Looking for the cheapest plan.
//!
//! # Forward
//! At each layer the first code that keeps all blocks in their lanes.
//!
//! # Inverse
//! Each butterfly gets the cheapest pair of codes with which both of its results fit. What leaves a pass is reduced above a
//! limit; several limits are tried.
//!
//! # Then
//! each reduction is left out for good without which all bounds still hold.

use super::problem::MAX_BLOCKS;
use super::replay::{forward_layer, inverse_butterfly, leaving_bound, widest};
use super::{BARRETT, EMPTY, NONE, Pass, Plan, Problem, Products, STEP, reduce_bound};
use crate::bound::Bound;
use crate::reduce::barrett;
use ringsmith_simd::Step;

/// What a code costs, in instructions of the CPUs that prefer `step`.
pub(in crate::algorithm) const fn cost(step: Step, code: u8) -> u32 {
    match (step, code) {
        (_, NONE) => 0,
        (Step::Sign, STEP) => 2,
        (Step::Sign, _) => 3,
        // Both codes are the same reduction here: the first is as good.
        (Step::Barrett, STEP) => 4,
        (Step::Barrett, _) => 5,
    }
}

impl Plan {
    /// The cheapest plan found for a CPU that prefers `step`, with `products` giving the bound of what enters the inverse from the
    /// bound of what enters the domain's products, or `None` where those would overflow.
    pub const fn find(problem: &Problem, step: Step, rule: Products) -> Plan {
        let mut plan = Plan { forward: [NONE; 10], domain: NONE, inverse: [EMPTY; 3] };
        let out = plan.fill_forward(problem, step);
        loop {
            match rule.bound(problem.q, reduce_bound(step, plan.domain, out, problem.q)) {
                Some(products) => {
                    plan.find_inverse(problem, step, products);
                    break;
                }
                None => plan.domain += 1,
            }
            assert!(plan.domain <= BARRETT, "the products in the domain overflow whatever is reduced");
        }
        plan.drop_needless(problem, step, rule)
    }

    /// Greedy: at each layer the first code that keeps all blocks in their lanes.
    const fn fill_forward(&mut self, problem: &Problem, step: Step) -> Bound {
        let mut blocks = [problem.input; MAX_BLOCKS];
        let mut layer = 0;
        while layer < problem.layers {
            while !forward_layer(problem, step, layer, self.forward[layer], &mut blocks) {
                self.forward[layer] += 1;
                assert!(self.forward[layer] <= BARRETT, "a forward layer overflows whatever is reduced");
            }
            layer += 1;
        }
        widest(&blocks, 1 << problem.layers)
    }

    /// Tries several thresholds for the values that leave a pass and keeps the cheapest plan.
    const fn find_inverse(&mut self, problem: &Problem, step: Step, products: Bound) {
        // A pass that is not there has no threshold to try.
        let tries = if problem.passes[0].registers == 0 { 1 } else { THRESHOLDS };
        let (mut best, mut first) = (u32::MAX, 0);
        while first < tries {
            let mut second = 0;
            while second < THRESHOLDS {
                let limits = [
                    threshold(problem.q, first),
                    threshold(problem.q, second),
                    barrett::exact_limit(problem.q),
                ];
                let (passes, price) = greedy_inverse(problem, step, products, limits);
                if price < best {
                    best = price;
                    self.inverse = passes;
                }
                second += 1;
            }
            first += 1;
        }
        assert!(best < u32::MAX, "an inverse layer overflows whatever is reduced");
    }

    /// Takes away every reduction without which all bounds still hold. The inverse is replayed by itself where the forward
    /// transform is the same: replays of all blocks are what planning costs.
    const fn drop_needless(self, problem: &Problem, step: Step, rule: Products) -> Plan {
        let (mut plan, mut i) = (self, 0);
        while i < plan.count_forward() {
            let fewer = plan.without(i);
            if fewer.holds(problem, step, rule) {
                plan = fewer;
            } else {
                i += 1;
            }
        }
        let Some(products) = plan.products_bound(problem, step, rule) else {
            panic!("the plan just found overflows")
        };
        while i < plan.count() {
            let fewer = plan.without(i);
            if fewer.inverse_holds(problem, step, products) {
                plan = fewer;
            } else {
                i += 1;
            }
        }
        plan
    }
}

const THRESHOLDS: usize = 5;

/// The least limit that is tried: half the modulus, below which no reduction goes, and an eighth of that for the error of Barrett's quotient of
/// one word. A guess, which decides what is tried and not what is proved.
const fn least_limit(q: i64) -> i64 {
    q / 2 + q / 16
}

/// The `i`-th limit tried for values that leave a pass: half a modulus up to the whole lane.
pub(in crate::algorithm) const fn threshold(q: i64, i: usize) -> i64 {
    let least = least_limit(q);
    least + (32767 - least) * i as i64 / (THRESHOLDS as i64 - 1)
}

/// All passes, each butterfly with the cheapest pair of codes that fits, and values above `limits[pass]` reduced at the end of
/// a pass. Returns the price too, `u32::MAX` where nothing fits.
const fn greedy_inverse(
    problem: &Problem,
    step: Step,
    products: Bound,
    limits: [i64; 3],
) -> ([Pass; 3], u32) {
    let (mut passes, mut price, mut bound, mut pass) = ([EMPTY; 3], 0u32, products, 0);
    while pass < 3 {
        let form = problem.passes[pass];
        if form.registers > 0 {
            let (codes, out, cost) = greedy_pass(problem, step, pass, bound, limits[pass]);
            if cost == u32::MAX {
                return (passes, u32::MAX);
            }
            (passes[pass], bound) = (codes, out);
            price += cost * (16 / form.registers as u32);
        }
        pass += 1;
    }
    (passes, price)
}

const fn greedy_pass(
    problem: &Problem,
    step: Step,
    pass: usize,
    input: Bound,
    limit: i64,
) -> (Pass, Bound, u32) {
    let (form, q) = (problem.passes[pass], problem.q);
    let (mut codes, mut bounds, mut price) = (EMPTY, [input; 16], 0);
    let mut layer = form.first;
    while (1 << layer) < form.registers {
        let mut i = 0;
        while i < form.registers {
            if i & (1 << layer) == 0 {
                let j = i + (1 << layer);
                let Some((x, y)) = cheapest_pair(reduced(step, bounds[i], q), reduced(step, bounds[j], q))
                else {
                    return (codes, input, u32::MAX);
                };
                (codes.layers[layer][i], codes.layers[layer][j]) = (x, y);
                price += cost(step, x) + cost(step, y);
                let (a, b) = (reduce_bound(step, x, bounds[i], q), reduce_bound(step, y, bounds[j], q));
                if let Some((sum, product)) = inverse_butterfly(q, a, b) {
                    (bounds[i], bounds[j]) = (sum, product);
                }
            }
            i += 1;
        }
        layer += 1;
    }
    let mut i = 0;
    while i < form.registers {
        if leaving_bound(problem, pass, i, bounds[i]).magnitude() > limit {
            let after = reduce_bound(step, STEP, bounds[i], q);
            codes.end[i] = if after.magnitude() <= limit { STEP } else { BARRETT };
            bounds[i] = reduce_bound(step, codes.end[i], bounds[i], q);
            price += cost(step, codes.end[i]);
        }
        bounds[i] = leaving_bound(problem, pass, i, bounds[i]);
        i += 1;
    }
    (codes, widest(&bounds, form.registers), price)
}

/// The cheapest codes with which both results of a butterfly fit: the pairs in the order of their price. `a` and `b` are bounds by code.
pub(in crate::algorithm) const fn cheapest_pair(a: [Bound; 3], b: [Bound; 3]) -> Option<(u8, u8)> {
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
        if x.add(y).fits(16) && x.sub(y).fits(16) {
            return Some(PAIRS[i]);
        }
        i += 1;
    }
    None
}

/// Where a value lies after each code.
const fn reduced(step: Step, a: Bound, q: i64) -> [Bound; 3] {
    [a, reduce_bound(step, STEP, a, q), reduce_bound(step, BARRETT, a, q)]
}
