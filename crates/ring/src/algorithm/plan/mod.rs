//! Where a transform reduces: found and proved at compile time.
//!
//! A [`Plan`] is a table of codes. [`Plan::find`] builds one: walking through the layers it puts the cheapest
//! reduction that keeps every lane in 16 bits, then takes away each one that turns out not to be needed.
//! [`Plan::forward_bound`] and [`Plan::inverse_bound`] replay a plan with interval arithmetic and return
//! `None` where a lane overflows. The kernels read the very constant that the proof replays.
//!
//! # Forward (Cooley-Tukey): `(a, b) -> (r(a) + z b, r(a) - z b)`
//! Every value of a block has the same bound, so there is one code per layer, for the operand that is not
//! multiplied; the product is reduced by its Montgomery step. Bounds are kept per block, from the actual
//! twiddles.
//!
//! # Inverse (Gentleman-Sande): `(a, b) -> (r(a) + r(b), z (r(a) - r(b)))`
//! Sums grow, products don't; so there is one code per layer and register of a pass, and one per register at
//! its end.
//!
//! # In and out
//! In: centred coefficients, or whatever bound is stated. Out: what the replay says.

mod problem;
mod products;
mod replay;
mod search;

pub(super) use problem::{PassForm, Problem, Split};
pub(super) use products::ProductRule;
pub(in crate::algorithm) use search::{cheapest_pair, cost, threshold};

use crate::bound::Bound;
use crate::reduce::barrett;
use crate::reduce::residues::{Odd, OddResidues};
use problem::MAX_BLOCKS;
use replay::{forward_layer, pass_bound, widest};
use ringsmith_simd::{LazyReduction, Simd};

/// Leaves a value as it is.
pub(super) const NONE: u8 = 0;
/// This CPU's cheapest small reduction.
pub(super) const STEP: u8 = 1;
/// One-word Barrett.
pub(super) const BARRETT: u8 = 2;

/// Applies a code.
#[inline(always)]
pub(crate) fn reduce<S: Simd, const Q: i64>(s: S, code: u8, a: S::I16) -> S::I16 {
    reduce_in::<S, Odd<Q>>(s, code, a)
}

/// The same in an arithmetic.
#[inline(always)]
pub(crate) fn reduce_in<S: Simd, M: OddResidues>(s: S, code: u8, a: S::I16) -> S::I16 {
    match code {
        NONE => a,
        STEP => M::step(s, a),
        _ => M::barrett(s, a),
    }
}

/// Where a value lies after a code.
const fn reduce_bound(step: LazyReduction, code: u8, a: Bound, q: i64) -> Bound {
    match code {
        NONE => a,
        STEP => barrett::step_bound(step, a, q),
        _ => barrett::bound(a, q),
    }
}

/// One pass of an inverse transform over registers: codes before each layer and at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    /// `layers[l][i]`: before the layer of distance `2^l`, for register `i`.
    pub layers: [[u8; 16]; 4],
    /// After the last layer.
    pub end: [u8; 16],
}

impl Pass {
    /// Code `k` of the 80: those of the layers, then those at the end.
    const fn code(&mut self, k: usize) -> &mut u8 {
        if k < 64 { &mut self.layers[k / 16][k % 16] } else { &mut self.end[k - 64] }
    }
}

const EMPTY: Pass = Pass { layers: [[NONE; 16]; 4], end: [NONE; 16] };

/// The reductions of a transform and its inverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Before forward layer `l`, for the operand that is not multiplied.
    pub forward: [u8; 10],
    /// On the values that enter products in the domain.
    pub domain: u8,
    /// The inverse transform.
    pub inverse: [Pass; 3],
}

impl Plan {
    /// Whether every lane holds every value: the proof.
    pub const fn holds(&self, problem: &Problem, step: LazyReduction, rule: ProductRule) -> bool {
        match self.products_bound(problem, step, rule) {
            Some(products) => self.inverse_holds(problem, step, products),
            None => false,
        }
    }

    /// Whether the inverse holds, and its results lie where the exact reduction centres them.
    const fn inverse_holds(&self, problem: &Problem, step: LazyReduction, products: Bound) -> bool {
        self.inverse_holds_from(problem, step, 0, products)
    }

    /// The same from a pass on, for what enters that.
    const fn inverse_holds_from(
        &self,
        problem: &Problem,
        step: LazyReduction,
        first: usize,
        input: Bound,
    ) -> bool {
        match self.inverse_bound_from(problem, step, first, input) {
            Some(out) => out.magnitude() <= barrett::exact_limit(problem.q),
            None => false,
        }
    }

    /// Where the forward transform's results lie, or `None` where a lane overflows.
    pub const fn forward_bound(&self, problem: &Problem, step: LazyReduction) -> Option<Bound> {
        self.forward_bound_after(problem, step, problem.layers)
    }

    /// Where values lie after so many forward layers, or `None` where a lane overflows.
    pub const fn forward_bound_after(
        &self,
        problem: &Problem,
        step: LazyReduction,
        layers: usize,
    ) -> Option<Bound> {
        let mut blocks = [problem.input; MAX_BLOCKS];
        let mut layer = 0;
        while layer < layers {
            if !forward_layer(problem, step, layer, self.forward[layer], &mut blocks) {
                return None;
            }
            layer += 1;
        }
        Some(widest(&blocks, 1 << layers))
    }

    /// Where the domain's products lie, or `None` where something overflows before them or in them.
    const fn products_bound(
        &self,
        problem: &Problem,
        step: LazyReduction,
        rule: ProductRule,
    ) -> Option<Bound> {
        match self.forward_bound(problem, step) {
            Some(out) => rule.bound(problem.q, reduce_bound(step, self.domain, out, problem.q)),
            None => None,
        }
    }

    /// Where the inverse transform's results lie before they are centred, or `None` where a lane overflows.
    pub const fn inverse_bound(
        &self,
        problem: &Problem,
        step: LazyReduction,
        products: Bound,
    ) -> Option<Bound> {
        self.inverse_bound_from(problem, step, 0, products)
    }

    /// Where results lie before they are centred, of products of two transformed operands; `None` where a
    /// lane overflows.
    pub const fn result_bound(
        &self,
        problem: &Problem,
        step: LazyReduction,
        rule: ProductRule,
    ) -> Option<Bound> {
        match self.products_bound(problem, step, rule) {
            Some(products) => self.inverse_bound(problem, step, products),
            None => None,
        }
    }

    /// The same from a pass on, for what enters that.
    const fn inverse_bound_from(
        &self,
        problem: &Problem,
        step: LazyReduction,
        first: usize,
        input: Bound,
    ) -> Option<Bound> {
        let (mut pass, mut bound) = (first, input);
        while pass < 3 {
            match pass_bound(problem, step, &self.inverse[pass], pass, bound) {
                Some(out) => bound = out,
                None => return None,
            }
            pass += 1;
        }
        Some(bound)
    }

    /// How many reductions are planned.
    pub const fn count(&self) -> usize {
        let (_, counted) = self.clear(usize::MAX);
        counted
    }

    /// The plan without reduction `i`. Tests build it and check that the proof rejects it.
    pub const fn without(&self, i: usize) -> Plan {
        self.clear(i).0
    }

    const fn clear(&self, i: usize) -> (Plan, usize) {
        let (mut plan, mut seen, mut k) = (*self, 0, 0);
        while k < 10 {
            (plan.forward[k], seen) = clear_one(plan.forward[k], seen, i);
            k += 1;
        }
        (plan.domain, seen) = clear_one(plan.domain, seen, i);
        let mut pass = 0;
        while pass < 3 {
            k = 0;
            while k < 80 {
                let code = plan.inverse[pass].code(k);
                (*code, seen) = clear_one(*code, seen, i);
                k += 1;
            }
            pass += 1;
        }
        (plan, seen)
    }
}

/// Clears `code` if it is the `i`-th that is set; counts those that are.
const fn clear_one(code: u8, seen: usize, i: usize) -> (u8, usize) {
    if code == NONE { (code, seen) } else { (if seen == i { NONE } else { code }, seen + 1) }
}

/// The plans of a transform for both kinds of CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plans {
    /// For CPUs that prefer the sign step.
    pub sign: Plan,
    /// For CPUs that prefer Barrett.
    pub barrett: Plan,
}

impl Plans {
    /// The cheapest plans found.
    pub const fn find(problem: &Problem, rule: ProductRule) -> Plans {
        Plans {
            sign: Plan::find(problem, LazyReduction::Sign, rule),
            barrett: Plan::find(problem, LazyReduction::Barrett, rule),
        }
    }

    /// The plans with reduction `i` of each left out.
    pub const fn without(&self, i: usize) -> Plans {
        Plans { sign: self.sign.without(i), barrett: self.barrett.without(i) }
    }

    /// The plan of the CPUs with this token.
    pub const fn of<S: Simd>(&self) -> &Plan {
        match S::STEP {
            LazyReduction::Sign => &self.sign,
            LazyReduction::Barrett => &self.barrett,
        }
    }

    /// The number of reductions: the test of the proof leaves each of them out once.
    pub const fn counts(&self) -> [usize; 2] {
        [self.sign.count(), self.barrett.count()]
    }

    /// Whether every lane holds every value on any CPU: the proof.
    pub const fn hold(&self, problem: &Problem, rule: ProductRule) -> bool {
        self.sign.holds(problem, LazyReduction::Sign, rule)
            && self.barrett.holds(problem, LazyReduction::Barrett, rule)
    }

    /// Where the forward transform's results lie on any CPU, or `None` where a lane overflows.
    pub const fn forward_bound(&self, problem: &Problem) -> Option<Bound> {
        let sign = self.sign.forward_bound(problem, LazyReduction::Sign);
        let barrett = self.barrett.forward_bound(problem, LazyReduction::Barrett);
        match (sign, barrett) {
            (Some(sign), Some(barrett)) => Some(sign.join(barrett)),
            _ => None,
        }
    }

    /// The bound of the products that the inverse accepts, on any CPU.
    pub const fn products_taken(&self, problem: &Problem, rule: ProductRule) -> Bound {
        let sign = self.sign.products_bound(problem, LazyReduction::Sign, rule);
        let barrett = self.barrett.products_bound(problem, LazyReduction::Barrett, rule);
        match (sign, barrett) {
            // Neither holds the other's ends alone: what both take is what they have in common.
            (Some(sign), Some(barrett)) if sign.within(barrett) => sign,
            (Some(sign), Some(barrett)) if barrett.within(sign) => barrett,
            _ => panic!("overflow: a product in the domain"),
        }
    }

    /// Whether the inverse accepts `values` on any CPU: whether they lie within the bound that it was planned
    /// for.
    pub const fn inverse_takes(&self, problem: &Problem, rule: ProductRule, values: Bound) -> bool {
        let sign = self.sign.products_bound(problem, LazyReduction::Sign, rule);
        let barrett = self.barrett.products_bound(problem, LazyReduction::Barrett, rule);
        match (sign, barrett) {
            (Some(sign), Some(barrett)) => values.within(sign) && values.within(barrett),
            _ => false,
        }
    }
}
