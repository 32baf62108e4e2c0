//! Where the K-RED transforms reduce, and the powers of `k` that this leaves: all derived at compile time.
//!
//! Every butterfly multiplies by a table entry scaled by `k^-1` and reduces the product by K-RED, which
//! cancels it. Sums are left to grow. A *reduced step* brings them back at the price of one more factor `k`
//! in every value: the paper's takes one K-RED of the operand that is not multiplied and K-RED-2x of the
//! product, the analysis' takes one K-RED of each input first. [`Plan32::exponent`] counts these factors; the
//! last layer of the inverse takes them off.
//!
//! # Steps
//! The paper goes layer by layer. The analysis merges layers in pairs where eight registers hold a pair (see
//! [`Problem32::merges`]): of four values `a, b, c, d` and twiddles `z` above, `w` and `v` below,
//!
//! ```text
//! a + z c + (w b + w z d)     a + z c - (w b + w z d)
//! a - z c + (v b - v z d)     a - z c - (v b - v z d)
//! ```
//!
//! so one product more, one reduction less, and half the latency of two layers. The inverse is the transpose
//! of this.
//!
//! # Bounds
//! Exact intervals: per block and twiddle in the forward transform, one for all slots in the inverse. The
//! width of a product is part of the plan: with 64-bit products the product itself cannot overflow, but
//! `K-RED` of it must fit 32 bits; with 32-bit products `|a S| < 2^31` binds earlier, for a pair the sum of
//! two.

use crate::bound::Bound;
use crate::number::{bit_reverse, centred, inverse, power};
use crate::reduce::barrett;
use crate::reduce::k_red::Decomposition;
use crate::route::Placement;

/// What a plan is for.
#[derive(Clone, Copy)]
pub struct Problem32 {
    /// The modulus, `k 2^m +- 1`.
    pub q: i64,
    /// `log2 n`: 8, 9 or 10.
    pub layers: usize,
    /// Bits of a product: 32 or 64.
    pub width: u32,
    /// Whose steps: the paper's, layer by layer, or the analysis', with pairs of layers merged.
    pub placement: Placement,
    /// The root of unity of order `2 n`.
    pub psi: i64,
    /// `k^-1`: what every table entry is scaled by.
    unit: i64,
}

/// The additional reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan32 {
    /// Whether the step that begins with forward layer `l` is reduced.
    pub forward: [bool; 10],
    /// How many K-REDs each operand of a product in the domain gets first.
    pub operands: u32,
    /// Whether the product gets K-RED-2x twice (the paper's), rather than K-RED twice.
    pub product_2x: bool,
    /// Whether the step that begins with inverse layer `l` is reduced; the last one is not.
    pub inverse: [bool; 10],
    /// How many K-REDs bring a result into 16 bits.
    pub tail: u32,
}

impl Problem32 {
    /// The transform of `2^layers` coefficients modulo `q` with a root `psi` of order `2^(layers + 1)` and
    /// products of `width` bits.
    pub const fn new(q: i64, layers: usize, psi: i64, width: u32, placement: Placement) -> Problem32 {
        Problem32 { q, layers, width, placement, psi, unit: inverse(Decomposition::of(q).k, q) }
    }

    const fn form(&self) -> Decomposition {
        Decomposition::of(self.q)
    }

    const fn by_paper(&self) -> bool {
        matches!(self.placement, Placement::Paper)
    }

    /// Whether forward layer `l` and the next one make one step.
    ///
    /// Passes over memory take two layers where that leaves eight for the others, two layers over rows eight
    /// apart, and twice three layers in tiles of eight rows, of which the first two are merged.
    pub const fn merges(&self, l: usize) -> bool {
        let first = self.layers - 8;
        !self.by_paper() && ((first == 2 && l == 0) || l == first || l == first + 2 || l == first + 5)
    }

    /// Layers of the step that begins with forward layer `l`.
    const fn step(&self, l: usize) -> usize {
        1 + self.merges(l) as usize
    }

    /// Layers of the step of the inverse that begins with its layer `l`.
    const fn step_back(&self, l: usize) -> usize {
        1 + (l + 1 < self.layers && self.merges(self.layers - 2 - l)) as usize
    }

    /// `psi^(bitrev i)`, or with the inverse of `psi`: the root of node `i`.
    const fn root(&self, i: usize, inverted: bool) -> i64 {
        let exponent = bit_reverse(i, self.layers as u32) as u64;
        let order = 2u64 << self.layers;
        power(self.psi, if inverted { order - exponent } else { exponent }, self.q)
    }

    /// The table entry of `x`: `x k^-1`, centred.
    const fn entry(&self, x: i64) -> i64 {
        centred(x * self.unit, self.q)
    }

    /// The table entry of node `i`.
    pub const fn twiddle(&self, i: usize, inverted: bool) -> i64 {
        self.entry(self.root(i, inverted))
    }

    /// The table entry of node `i` times its parent: what a pair multiplies its last value by.
    pub const fn crossed(&self, i: usize, inverted: bool) -> i64 {
        self.entry(self.root(i, inverted) * self.root(i / 2, inverted) % self.q)
    }

    /// What the last step of the inverse multiplies by: `c = n^-1 k^-exponent` times 1 and the root of node
    /// 1; then, for a pair, times the roots of nodes 2 and 3, and times these and the root of node 1.
    pub const fn last(&self, exponent: u32) -> [i64; 6] {
        let unscale = power(self.unit, exponent as u64, self.q);
        let c = inverse(1 << self.layers, self.q) * unscale % self.q;
        let [z, w, v] = [self.root(1, true), self.root(2, true), self.root(3, true)];
        let [cw, cv] = [c * w % self.q, c * v % self.q];
        let [cz, cwz, cvz] = [c * z % self.q, cw * z % self.q, cv * z % self.q];
        let (mut out, mut i) = ([c, cz, cw, cv, cwz, cvz], 0);
        while i < 6 {
            out[i] = centred(out[i], self.q);
            i += 1;
        }
        out
    }

    /// `K-RED` or `K-RED-2x` of a product, or `None` where the product or the result overflows.
    const fn reduce_product(&self, product: Bound, twice: bool) -> Option<Bound> {
        let m = self.form().m;
        let held = if self.width == 32 { product.fits(32) } else { product.shift_right(m).fits(32) };
        let out = if twice { self.form().bound_2x(product) } else { self.form().bound(product) };
        if held && out.fits(32) { Some(out) } else { None }
    }

    /// `a + b` and `a - b`, of which one may be without a bound.
    const fn butterfly(&self, a: Bound, b: Option<Bound>) -> Option<Bound> {
        let Some(b) = b else { return None };
        let out = a.add(b).join(a.sub(b));
        if out.fits(32) { Some(out) } else { None }
    }

    /// The inputs of a step that is reduced or not: the analysis takes K-RED of each.
    const fn inputs(&self, a: Bound, reduced: bool) -> Bound {
        if reduced && !self.by_paper() { self.form().bound(a) } else { a }
    }

    const fn forward_single(&self, a: Bound, node: usize, reduced: bool) -> Option<Bound> {
        let a = self.inputs(a, reduced);
        let twice = reduced && self.by_paper();
        let kept = if twice { self.form().bound(a) } else { a };
        self.butterfly(kept, self.reduce_product(a.scale(self.twiddle(node, false)), twice))
    }

    const fn forward_pair(&self, a: Bound, node: usize, reduced: bool) -> Option<Bound> {
        let a = self.inputs(a, reduced);
        let Some(upper) = self.butterfly(a, self.reduce_product(a.scale(self.twiddle(node, false)), false))
        else {
            return None;
        };
        let (left, right) = (2 * node, 2 * node + 1);
        let sum = a.scale(self.twiddle(left, false)).add(a.scale(self.crossed(left, false)));
        let difference = a.scale(self.twiddle(right, false)).sub(a.scale(self.crossed(right, false)));
        widest(
            self.butterfly(upper, self.reduce_product(sum, false)),
            self.butterfly(upper, self.reduce_product(difference, false)),
        )
    }

    /// The widest bound after a forward step, all blocks from `a`, or `None` where one overflows.
    const fn forward_step(&self, a: Bound, layer: usize, reduced: bool) -> Option<Bound> {
        let (mut out, mut node) = (Some(a), 1 << layer);
        while node < 2 << layer {
            let next = match self.step(layer) {
                2 => self.forward_pair(a, node, reduced),
                _ => self.forward_single(a, node, reduced),
            };
            out = if node == 1 << layer { next } else { widest(out, next) };
            node += 1;
        }
        out
    }

    const fn inverse_single(&self, a: Bound, reduced: bool) -> Option<Bound> {
        let a = self.inputs(a, reduced);
        let (sum, difference) = (a.add(a), a.sub(a));
        if !sum.fits(32) || !difference.fits(32) {
            return None;
        }
        let twice = reduced && self.by_paper();
        let kept = if twice { self.form().bound(sum) } else { sum };
        widest(Some(kept), self.reduce_product(difference.mul(Bound::centred(self.q)), twice))
    }

    /// The K-RED of the sum or difference of two products of differences of values within `a`.
    const fn dot(&self, a: Bound) -> Option<Bound> {
        let product = a.sub(a).mul(Bound::centred(self.q));
        if !a.sub(a).fits(32) {
            return None;
        }
        self.reduce_product(product.add(product).join(product.sub(product)), false)
    }

    const fn inverse_pair(&self, a: Bound, reduced: bool) -> Option<Bound> {
        let a = self.inputs(a, reduced);
        let sum = a.add(a);
        let (sums, differences) = (sum.add(sum), sum.sub(sum));
        if !sums.fits(32) || !differences.fits(32) {
            return None;
        }
        let twisted = self.reduce_product(differences.mul(Bound::centred(self.q)), false);
        widest(Some(sums), widest(twisted, self.dot(a)))
    }

    /// The widest bound after a step of the inverse.
    const fn inverse_step(&self, a: Bound, layer: usize, reduced: bool) -> Option<Bound> {
        if self.step_back(layer) == 2 {
            self.inverse_pair(a, reduced)
        } else {
            self.inverse_single(a, reduced)
        }
    }

    /// The results of the last step: every output is a product.
    const fn last_step(&self, a: Bound) -> Option<Bound> {
        let (both, entry) = (a.add(a).join(a.sub(a)), Bound::centred(self.q));
        if !self.merges(0) {
            return if both.fits(32) { self.reduce_product(both.mul(entry), false) } else { None };
        }
        let all = both.add(both).join(both.sub(both));
        if !all.fits(32) {
            return None;
        }
        widest(self.reduce_product(all.mul(entry), false), self.dot(a))
    }

    const fn k_red_times(&self, mut a: Bound, times: u32) -> Bound {
        let mut i = 0;
        while i < times {
            a = self.form().bound(a);
            i += 1;
        }
        a
    }
}

/// The interval that holds both, where there are both.
const fn widest(a: Option<Bound>, b: Option<Bound>) -> Option<Bound> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b)),
        _ => None,
    }
}

impl Plan32 {
    const NONE: Plan32 =
        Plan32 { forward: [false; 10], operands: 0, product_2x: false, inverse: [false; 10], tail: 0 };

    /// The paper's placement: m = 128 forward, m = 32 inverse, two K-RED-2x after the product.
    pub const fn paper(problem: &Problem32) -> Plan32 {
        let mut plan = Plan32 { product_2x: true, tail: 2, ..Plan32::NONE };
        plan.forward[7] = true;
        plan.inverse[problem.layers - 5] = true;
        plan
    }

    /// The analysis' own: a step is reduced where it would overflow otherwise, forward and inverse.
    pub const fn analysis(problem: &Problem32) -> Plan32 {
        let mut plan = Plan32::NONE;
        let Some(out) = plan.place_forward(problem) else {
            panic!("overflow: a forward layer, wherever it is reduced")
        };
        while plan.products_bound(problem, out).is_none() {
            plan.operands += 1;
            assert!(plan.operands < 4, "products in the domain overflow whatever is reduced");
        }
        let Some(entering) = plan.products_bound(problem, out) else { panic!("just found") };
        let Some(result) = plan.place_inverse(problem, entering) else {
            panic!("overflow: a layer of the inverse, wherever it is reduced")
        };
        while !plan.finishes(problem, result) {
            plan.tail += 1;
            assert!(plan.tail < 4, "the results do not fit 16 bits whatever is reduced");
        }
        plan
    }

    /// Reduces each forward step that would overflow otherwise; the bound at the end.
    const fn place_forward(&mut self, problem: &Problem32) -> Option<Bound> {
        let (mut bound, mut layer) = (Bound::centred(problem.q), 0);
        while layer < problem.layers {
            let mut out = problem.forward_step(bound, layer, false);
            if out.is_none() {
                self.forward[layer] = true;
                out = problem.forward_step(bound, layer, true);
            }
            let Some(next) = out else { return None };
            bound = next;
            layer += problem.step(layer);
        }
        Some(bound)
    }

    /// Reduces each step of the inverse after which the next would overflow; the last one is not reduced. The
    /// bound at the end.
    const fn place_inverse(&mut self, problem: &Problem32, mut bound: Bound) -> Option<Bound> {
        let mut layer = 0;
        while layer + problem.step_back(layer) < problem.layers {
            let next = layer + problem.step_back(layer);
            self.inverse[layer] = match problem.inverse_step(bound, layer, false) {
                Some(out) => {
                    next + problem.step_back(next) == problem.layers && problem.last_step(out).is_none()
                }
                None => true,
            };
            match problem.inverse_step(bound, layer, self.inverse[layer]) {
                Some(out) => bound = out,
                None => return None,
            }
            layer = next;
        }
        problem.last_step(bound)
    }

    /// The plan of the problem's placement.
    pub const fn of(problem: &Problem32) -> Plan32 {
        match problem.placement {
            Placement::Paper => Plan32::paper(problem),
            Placement::Analysis => Plan32::analysis(problem),
        }
    }

    /// Where the forward transform's results lie, or `None` where a lane overflows.
    pub const fn forward_bound(&self, problem: &Problem32) -> Option<Bound> {
        self.forward_bound_after(problem, problem.layers)
    }

    /// Where values lie after so many forward layers, or `None` where a lane overflows, or where the two
    /// layers of a pair are not both among them.
    pub const fn forward_bound_after(&self, problem: &Problem32, layers: usize) -> Option<Bound> {
        let (mut bound, mut layer) = (Bound::centred(problem.q), 0);
        while layer < layers {
            match problem.forward_step(bound, layer, self.forward[layer]) {
                Some(out) => bound = out,
                None => return None,
            }
            layer += problem.step(layer);
        }
        if layer == layers { Some(bound) } else { None }
    }

    /// Where the products lie that enter the inverse, of operands within `out`.
    const fn products_bound(&self, problem: &Problem32, out: Bound) -> Option<Bound> {
        let operand = problem.k_red_times(out, self.operands);
        match problem.reduce_product(operand.mul(operand), self.product_2x) {
            Some(once) if self.product_2x => Some(problem.form().bound_2x(once)),
            Some(once) => Some(problem.form().bound(once)),
            None => None,
        }
    }

    /// Whether every lane holds every value, and the results lie where the exact reduction centres them: the
    /// proof.
    pub const fn holds(&self, problem: &Problem32) -> bool {
        match self.result_bound(problem) {
            Some(result) => self.finishes(problem, result),
            None => false,
        }
    }

    /// Whether the tail brings results of the last step to where the exact reduction centres them.
    const fn finishes(&self, problem: &Problem32, result: Bound) -> bool {
        let end = problem.k_red_times(result, self.tail);
        end.fits(16) && end.magnitude() <= barrett::exact_limit(problem.q)
    }

    /// Where the results of the last step lie, or `None` where a lane overflows.
    const fn result_bound(&self, problem: &Problem32) -> Option<Bound> {
        let Some(out) = self.forward_bound(problem) else { return None };
        let Some(mut bound) = self.products_bound(problem, out) else { return None };
        let mut layer = 0;
        while layer + problem.step_back(layer) < problem.layers {
            match problem.inverse_step(bound, layer, self.inverse[layer]) {
                Some(next) => bound = next,
                None => return None,
            }
            layer += problem.step_back(layer);
        }
        problem.last_step(bound)
    }

    /// The power of `k` that one forward transform leaves.
    pub const fn forward_exponent(&self) -> u32 {
        count(&self.forward)
    }

    /// The power of `k` that two forward transforms, a product in the domain and the inverse leave, the last
    /// step's own K-RED included and the tail not.
    pub const fn exponent(&self) -> u32 {
        self.entering_exponent() + count(&self.inverse) + 1
    }

    /// The power of `k` of what enters the inverse: of two forward transforms and a product in the domain.
    pub const fn entering_exponent(&self) -> u32 {
        let product = if self.product_2x { 4 } else { 2 };
        2 * (self.forward_exponent() + self.operands) + product
    }

    /// Where the products lie that enter the inverse, or `None` where a lane overflows.
    pub const fn entering_bound(&self, problem: &Problem32) -> Option<Bound> {
        match self.forward_bound(problem) {
            Some(out) => self.products_bound(problem, out),
            None => None,
        }
    }

    /// How many reductions are planned: of steps, of the operands of a product, of the results.
    pub const fn count(&self) -> u32 {
        count(&self.forward) + count(&self.inverse) + self.operands + self.tail
    }

    /// The plan with reduction `i` left out: the steps of the forward transform first, then those of the
    /// inverse, the operands', the tail's.
    pub const fn without(&self, i: usize) -> Plan32 {
        let (mut plan, mut seen, mut k) = (*self, 0, 0);
        while k < 20 {
            let layer = if k < 10 { &mut plan.forward[k] } else { &mut plan.inverse[k - 10] };
            if *layer {
                *layer = seen != i;
                seen += 1;
            }
            k += 1;
        }
        if seen <= i && i < seen + self.operands as usize {
            plan.operands -= 1;
        } else if seen <= i && i < self.count() as usize {
            plan.tail -= 1;
        }
        plan
    }
}

const fn count(layers: &[bool; 10]) -> u32 {
    let (mut n, mut i) = (0, 0);
    while i < 10 {
        n += layers[i] as u32;
        i += 1;
    }
    n
}
