//! Where a transform reduces: found and proved at compile time.
//!
//! A [`Plan`] is a table of codes. [`Plan::find`] builds one: walking through the layers it puts the cheapest reduction that
//! keeps every lane in 16 bits, then takes away each one that turns out not to be needed. [`Plan::forward_bound`] and
//! [`Plan::inverse_bound`] replay a plan with interval arithmetic and return `None` where a lane overflows. The
//! kernels read the very constant that the proof replays.
//!
//! # Forward (Cooley-Tukey): `(a, b) -> (r(a) + z b, r(a) - z b)`
//! Every value of a block has the same bound, so there is one code per layer, for the operand that is not multiplied; the
//! product is reduced by its Montgomery step. Bounds are kept per block, from the actual twiddles.
//!
//! # Inverse (Gentleman-Sande): `(a, b) -> (r(a) + r(b), z (r(a) - r(b)))`
//! Sums grow, products don't; so there is one code per layer and register of a pass, and one per register at its end.
//!
//! # In and out
//! In: centred coefficients, or whatever bound is stated. Out: what the replay says.

use crate::bound::Bound;
use crate::number::{bit_reverse, inverse, power, root_of_unity};
use crate::reduce::barrett;
use crate::reduce::montgomery::{self, Factor};
use ringsmith_simd::{Simd, Step};

/// Leaves a value as it is.
pub const NONE: u8 = 0;
/// This CPU's cheapest small reduction.
pub const STEP: u8 = 1;
/// One-word Barrett.
pub const BARRETT: u8 = 2;

/// Clears no reduction: the value of every `CLEAR` parameter but in the tests that show the proof at work.
pub const KEEP_ALL: usize = usize::MAX;

/// Applies a code.
#[inline(always)]
pub(crate) fn reduce<S: Simd, const Q: i64>(s: S, code: u8, a: S::I16) -> S::I16 {
    match code {
        NONE => a,
        STEP => barrett::step::<S, Q>(s, a),
        _ => barrett::reduce::<S, Q>(s, a),
    }
}

/// Where a value lies after a code.
const fn reduce_bound(step: Step, code: u8, a: Bound, q: i64) -> Bound {
    match code {
        NONE => a,
        STEP => barrett::step_bound(step, a, q),
        _ => barrett::bound(a, q),
    }
}

/// What a code costs, in instructions of the CPUs that prefer `step`.
const fn cost(step: Step, code: u8) -> u32 {
    match (step, code) {
        (_, NONE) => 0,
        (Step::Sign, STEP) => 2,
        (Step::Sign, _) => 3,
        // Both codes are the same reduction here: the first is as good.
        (Step::Barrett, STEP) => 4,
        (Step::Barrett, _) => 5,
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

const EMPTY: Pass = Pass { layers: [[NONE; 16]; 4], end: [NONE; 16] };

/// What a pass looks like: registers, and the distances between the two operands of its layers, `2^first .. registers / 2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// How many registers it works on; 0 for a pass that is not there.
    pub registers: usize,
    /// The exponent of the first distance.
    pub first: usize,
}

/// The transform that a plan is for.
#[derive(Clone, Copy)]
pub struct Problem {
    /// The modulus.
    pub q: i64,
    /// How many layers.
    pub layers: usize,
    /// The passes of the inverse transform, in its order.
    pub passes: [Form; 3],
    /// Whether the last layer of the inverse scales both of its results by constants.
    pub scaled: bool,
    /// What the forward transform accepts.
    pub input: Bound,
    /// The root of unity of order `2^(layers + 1)`.
    pub psi: i64,
    /// The twiddle of node `i` of the tree, `1 <= i < 2^layers`, as a Montgomery factor: `psi^bitrev(i) 2^16`, centred.
    pub twiddles: [i16; MAX_BLOCKS],
}

impl Problem {
    /// A transform of so many layers modulo `q` of centred coefficients.
    pub const fn new(q: i64, layers: usize, passes: [Form; 3], scaled: bool) -> Problem {
        let psi = root_of_unity(2 << layers, q);
        let (mut twiddles, mut i) = ([0; MAX_BLOCKS], 1);
        while i < 1 << layers {
            let turn = power(psi, bit_reverse(i, layers as u32) as u64, q);
            twiddles[i] = Factor::new(turn, q).z;
            i += 1;
        }
        Problem { q, layers, passes, scaled, input: Bound::canonical(q), psi, twiddles }
    }

    /// The twiddle of node `i` of the tree, `1 <= i < 2^layers`: `psi^bitrev(i)`, or its inverse.
    pub const fn twiddle(&self, i: usize, inverted: bool) -> Factor {
        let exponent = bit_reverse(i, self.layers as u32) as u64;
        let order = 2u64 << self.layers;
        let exponent = if inverted { order - exponent } else { exponent };
        Factor::new(power(self.psi, exponent, self.q), self.q)
    }

    /// The factors of the last inverse layer: `2^-layers 2^16`, which undoes the sum over the layers and one Montgomery
    /// product in the domain, and the same times the inverse of the first twiddle.
    pub const fn last(&self) -> [Factor; 2] {
        let scale = inverse(1 << self.layers, self.q) * (1 << 16) % self.q;
        let turn = power(self.psi, (2u64 << self.layers) - bit_reverse(1, self.layers as u32) as u64, self.q);
        [Factor::new(scale, self.q), Factor::new(scale * turn, self.q)]
    }
}

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

/// The greatest number of layers that bounds are kept for.
const MAX_BLOCKS: usize = 1024;

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

    /// Whether every lane holds every value: the proof.
    pub const fn holds(&self, problem: &Problem, step: Step, rule: Products) -> bool {
        match self.products_bound(problem, step, rule) {
            Some(products) => self.inverse_holds(problem, step, products),
            None => false,
        }
    }

    /// Whether the inverse holds, and its results lie where the exact reduction centres them.
    const fn inverse_holds(&self, problem: &Problem, step: Step, products: Bound) -> bool {
        match self.inverse_bound(problem, step, products) {
            Some(out) => out.magnitude() <= barrett::exact_limit(problem.q),
            None => false,
        }
    }

    /// Where the forward transform's results lie, or `None` where a lane overflows.
    pub const fn forward_bound(&self, problem: &Problem, step: Step) -> Option<Bound> {
        let mut blocks = [problem.input; MAX_BLOCKS];
        let mut layer = 0;
        while layer < problem.layers {
            if !forward_layer(problem, step, layer, self.forward[layer], &mut blocks) {
                return None;
            }
            layer += 1;
        }
        Some(widest(&blocks, 1 << problem.layers))
    }

    /// Where the domain's products lie, or `None` where something overflows before them or in them.
    const fn products_bound(&self, problem: &Problem, step: Step, rule: Products) -> Option<Bound> {
        match self.forward_bound(problem, step) {
            Some(out) => rule.bound(problem.q, reduce_bound(step, self.domain, out, problem.q)),
            None => None,
        }
    }

    /// Where the inverse transform's results lie before they are centred, or `None` where a lane overflows.
    pub const fn inverse_bound(&self, problem: &Problem, step: Step, products: Bound) -> Option<Bound> {
        let (mut pass, mut bound) = (0, products);
        while pass < 3 {
            match pass_bound(problem, step, &self.inverse[pass], pass, bound) {
                Some(out) => bound = out,
                None => return None,
            }
            pass += 1;
        }
        Some(bound)
    }

    /// How many reductions are planned before the inverse.
    const fn count_forward(&self) -> usize {
        let (mut count, mut k) = (if self.domain == NONE { 0 } else { 1 }, 0);
        while k < 10 {
            count += if self.forward[k] == NONE { 0 } else { 1 };
            k += 1;
        }
        count
    }

    /// How many reductions are planned.
    pub const fn count(&self) -> usize {
        let (_, counted) = self.clear(KEEP_ALL);
        counted
    }

    /// The plan with reduction `i` left out: what the tests of the proof build, and must not get away with.
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
                let code = if k < 64 {
                    &mut plan.inverse[pass].layers[k / 16][k % 16]
                } else {
                    &mut plan.inverse[pass].end[k - 64]
                };
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
    /// The cheapest plans found, without reduction `left_out` of each.
    pub const fn find(problem: &Problem, rule: Products, left_out: usize) -> Plans {
        Plans {
            sign: Plan::find(problem, Step::Sign, rule).without(left_out),
            barrett: Plan::find(problem, Step::Barrett, rule).without(left_out),
        }
    }

    /// The plan of the CPUs with this token.
    pub const fn of<S: Simd>(&self) -> &Plan {
        match S::STEP {
            Step::Sign => &self.sign,
            Step::Barrett => &self.barrett,
        }
    }

    /// How many reductions they have: the cases of the test of the proof.
    pub const fn counts(&self) -> [usize; 2] {
        [self.sign.count(), self.barrett.count()]
    }

    /// Whether every lane holds every value on any CPU: the proof.
    pub const fn hold(&self, problem: &Problem, rule: Products) -> bool {
        self.sign.holds(problem, Step::Sign, rule) && self.barrett.holds(problem, Step::Barrett, rule)
    }

    /// Where the forward transform's results lie on any CPU, or `None` where a lane overflows.
    pub const fn forward_bound(&self, problem: &Problem) -> Option<Bound> {
        let sign = self.sign.forward_bound(problem, Step::Sign);
        let barrett = self.barrett.forward_bound(problem, Step::Barrett);
        match (sign, barrett) {
            (Some(sign), Some(barrett)) => Some(sign.join(barrett)),
            _ => None,
        }
    }

    /// Whether the inverse takes `values` on any CPU: whether they lie within the products that it was planned for.
    pub const fn inverse_takes(&self, problem: &Problem, rule: Products, values: Bound) -> bool {
        let sign = self.sign.products_bound(problem, Step::Sign, rule);
        let barrett = self.barrett.products_bound(problem, Step::Barrett, rule);
        match (sign, barrett) {
            (Some(sign), Some(barrett)) => values.within(sign) && values.within(barrett),
            _ => false,
        }
    }
}

/// What multiplies in the domain, as far as bounds are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Products {
    /// Residues of `degree` coefficients by Montgomery products in 16-bit lanes; both operands as they come.
    Residues {
        /// The degree of the residues.
        degree: usize,
    },
    /// Rows of 16 by pairwise multiply-add on 32-bit sums; the second operand is a Montgomery product.
    Rows,
}

impl Products {
    /// Where products of two operands in `a` lie, or `None` where something overflows.
    pub const fn bound(self, q: i64, a: Bound) -> Option<Bound> {
        match self {
            Products::Residues { degree } => {
                let one = montgomery::bound_wide(a.mul(a), q);
                let mut sum = one;
                let mut terms = 1;
                while terms < degree {
                    sum = sum.add(one);
                    terms += 1;
                }
                // The terms that wrap are summed, turned by x^degree = w, and added to or taken off the others.
                let turned = montgomery::bound_any(sum, q).mirrored();
                let out = if degree == 1 { one } else { sum.add(turned) };
                if sum.fits(16) && out.fits(16) { Some(out) } else { None }
            }
            Products::Rows => {
                let b = montgomery::bound_any(Bound::symmetric(32767), q);
                let sum = a.mul(b).mirrored().scale(16);
                let out = montgomery::bound_wide(sum, q);
                if sum.fits(32) && out.fits(16) { Some(out) } else { None }
            }
        }
    }
}

const THRESHOLDS: usize = 5;

/// The `i`-th limit tried for values that leave a pass: half a modulus up to the whole lane.
const fn threshold(q: i64, i: usize) -> i64 {
    let least = q / 2 + q / 16;
    least + (32767 - least) * i as i64 / (THRESHOLDS as i64 - 1)
}

/// Where both results of a forward butterfly of a block lie.
const fn forward_butterfly(problem: &Problem, step: Step, node: usize, code: u8, a: Bound) -> Bound {
    let product = montgomery::bound_scaled(a, problem.twiddles[node], problem.q);
    let kept = reduce_bound(step, code, a, problem.q);
    kept.add(product).join(kept.sub(product))
}

/// One forward layer on all blocks, in place; `false`, and nothing done, where a lane overflows.
const fn forward_layer(
    problem: &Problem,
    step: Step,
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

const fn widest(bounds: &[Bound], count: usize) -> Bound {
    let (mut out, mut i) = (bounds[0], 1);
    while i < count && i < bounds.len() {
        out = out.join(bounds[i]);
        i += 1;
    }
    out
}

/// A butterfly of the inverse with two codes; `None` where a lane overflows.
const fn inverse_butterfly(q: i64, a: Bound, b: Bound) -> Option<(Bound, Bound)> {
    let (sum, difference) = (a.add(b), a.sub(b));
    if sum.fits(16) && difference.fits(16) { Some((sum, montgomery::bound_any(difference, q))) } else { None }
}

/// Where register `i` lies after a pass, from its bound `a` after the code at the pass' end: sums of the last layer of a
/// scaled transform are multiplied by a constant then (differences had it in their twiddle).
const fn leaving_bound(problem: &Problem, pass: usize, i: usize, a: Bound) -> Bound {
    let sum = 2 * i < problem.passes[pass].registers;
    if problem.scaled && pass == 2 && sum { montgomery::bound_any(a, problem.q) } else { a }
}

/// Replays one pass; `None` where a lane overflows.
const fn pass_bound(problem: &Problem, step: Step, codes: &Pass, pass: usize, input: Bound) -> Option<Bound> {
    let form = problem.passes[pass];
    let mut bounds = [input; 16];
    let mut layer = form.first;
    while (1 << layer) < form.registers {
        let (distance, mut i) = (1 << layer, 0);
        while i < form.registers {
            if i & distance == 0 {
                let j = i + distance;
                let a = reduce_bound(step, codes.layers[layer][i], bounds[i], problem.q);
                let b = reduce_bound(step, codes.layers[layer][j], bounds[j], problem.q);
                match inverse_butterfly(problem.q, a, b) {
                    Some((sum, product)) => (bounds[i], bounds[j]) = (sum, product),
                    None => return None,
                }
            }
            i += 1;
        }
        layer += 1;
    }
    let mut i = 0;
    while i < form.registers {
        let reduced = reduce_bound(step, codes.end[i], bounds[i], problem.q);
        bounds[i] = leaving_bound(problem, pass, i, reduced);
        i += 1;
    }
    Some(widest(&bounds, if form.registers == 0 { 1 } else { form.registers }))
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
                let Some((x, y)) = cheapest_pair(step, bounds[i], bounds[j], q) else {
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

/// The cheapest codes with which both results of a butterfly fit: the pairs in the order of their price.
const fn cheapest_pair(step: Step, a: Bound, b: Bound, q: i64) -> Option<(u8, u8)> {
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
        let (x, y) = PAIRS[i];
        let (a, b) = (reduce_bound(step, x, a, q), reduce_bound(step, y, b, q));
        if a.add(b).fits(16) && a.sub(b).fits(16) {
            return Some((x, y));
        }
        i += 1;
    }
    None
}
