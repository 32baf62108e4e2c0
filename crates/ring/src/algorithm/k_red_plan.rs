//! Where the K-RED transforms reduce, and the powers of `k` that this leaves: all derived at compile time.
//!
//! Every butterfly multiplies by a table entry scaled by `k^-1` and reduces the product by K-RED, which cancels it. Sums are left
//! to grow. At a *reduced layer* the other operand gets a K-RED too and the product a second one (K-RED-2x), so both carry one
//! factor `k` more. [`Plan32::exponent`] counts these factors; the last layer of the inverse takes them off.
//!
//! Bounds are exact intervals: per block and twiddle in the forward transform, one for all slots in the inverse. The width of a
//! product is part of the plan: with 64-bit products the product itself cannot overflow, but `K-RED` of it must fit 32 bits;
//! with 32-bit products `|a S| < 2^31` binds earlier.

use crate::bound::Bound;
use crate::number::{bit_reverse, centred, inverse, power};
use crate::reduce::barrett;
use crate::reduce::k_red::Form;
use crate::route::Placement;

/// What a plan is for.
#[derive(Clone, Copy)]
pub struct Problem32 {
    /// The modulus, `k 2^m +- 1`.
    pub q: i64,
    /// `log2 n`.
    pub layers: usize,
    /// Bits of a product: 32 or 64.
    pub width: u32,
    /// The root of unity of order `2 n`.
    pub psi: i64,
}

/// The additional reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan32 {
    /// Whether forward layer `l` is reduced.
    pub forward: [bool; 10],
    /// How many K-REDs each operand of a product in the domain gets first.
    pub operands: u32,
    /// Whether the product gets K-RED-2x twice (the paper's), rather than K-RED twice.
    pub product_2x: bool,
    /// Whether inverse layer `l` is reduced; the last one is not.
    pub inverse: [bool; 10],
    /// How many K-REDs bring a result into 16 bits.
    pub tail: u32,
}

impl Problem32 {
    const fn form(&self) -> Form {
        Form::of(self.q)
    }

    /// `psi^(bitrev i) k^-1`, or with the inverse of `psi`; centred.
    pub const fn twiddle(&self, i: usize, inverted: bool) -> i64 {
        let exponent = bit_reverse(i, self.layers as u32) as u64;
        let order = 2u64 << self.layers;
        let exponent = if inverted { order - exponent } else { exponent };
        let unscale = inverse(self.form().k, self.q);
        centred(power(self.psi, exponent, self.q) * unscale, self.q)
    }

    /// `c0 = n^-1 k^-exponent` and `c1 = c0 psi^(-n/2)`: what the last layer multiplies sums and differences by.
    pub const fn last(&self, exponent: u32) -> [i64; 2] {
        let unscale = power(inverse(self.form().k, self.q), exponent as u64, self.q);
        let c0 = inverse(1 << self.layers, self.q) * unscale % self.q;
        let turn = power(inverse(self.psi, self.q), 1 << (self.layers - 1), self.q);
        [centred(c0, self.q), centred(c0 * turn, self.q)]
    }

    /// `K-RED` or `K-RED-2x` of a product, or `None` where the product or the result overflows.
    const fn reduce_product(&self, product: Bound, twice: bool) -> Option<Bound> {
        let m = self.form().m;
        let held = if self.width == 32 { product.fits(32) } else { product.shift_right(m).fits(32) };
        let out = if twice { self.form().bound_2x(product) } else { self.form().bound(product) };
        if held && out.fits(32) { Some(out) } else { None }
    }

    const fn forward_butterfly(&self, a: Bound, node: usize, reduced: bool) -> Option<Bound> {
        let kept = if reduced { self.form().bound(a) } else { a };
        match self.reduce_product(a.scale(self.twiddle(node, false)), reduced) {
            Some(product) => {
                let out = kept.add(product).join(kept.sub(product));
                if out.fits(32) { Some(out) } else { None }
            }
            None => None,
        }
    }

    /// The widest bound after a forward layer, all blocks from `a`, or `None` where one overflows.
    const fn forward_layer(&self, a: Bound, layer: usize, reduced: bool) -> Option<Bound> {
        let (mut out, mut block): (Option<Bound>, usize) = (None, 0);
        while block < 1 << layer {
            match (self.forward_butterfly(a, (1 << layer) + block, reduced), out) {
                (Some(b), Some(o)) => out = Some(o.join(b)),
                (Some(b), None) => out = Some(b),
                (None, _) => return None,
            }
            block += 1;
        }
        out
    }

    const fn inverse_layer(&self, a: Bound, reduced: bool) -> Option<Bound> {
        let (sum, difference) = (a.add(a), a.sub(a));
        if !sum.fits(32) || !difference.fits(32) {
            return None;
        }
        let kept = if reduced { self.form().bound(sum) } else { sum };
        match self.reduce_product(difference.mul(Bound::canonical(self.q)), reduced) {
            Some(product) => Some(kept.join(product)),
            None => None,
        }
    }

    const fn last_layer(&self, a: Bound) -> Option<Bound> {
        let both = a.add(a).join(a.sub(a));
        if !both.fits(32) {
            return None;
        }
        self.reduce_product(both.mul(Bound::canonical(self.q)), false)
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

impl Plan32 {
    /// The paper's placement: m = 128 forward, m = 32 inverse, two K-RED-2x after the product.
    pub const fn paper(problem: &Problem32) -> Plan32 {
        let mut plan =
            Plan32 { forward: [false; 10], operands: 0, product_2x: true, inverse: [false; 10], tail: 2 };
        plan.forward[7] = true;
        plan.inverse[problem.layers - 5] = true;
        plan
    }

    /// The analysis' own: each layer is reduced as late as the bounds allow, forward and inverse.
    pub const fn analysis(problem: &Problem32) -> Plan32 {
        let mut plan =
            Plan32 { forward: [false; 10], operands: 0, product_2x: false, inverse: [false; 10], tail: 0 };
        plan.forward = place(problem, false, Bound::canonical(problem.q), problem.layers);
        let Some(out) = plan.forward_bound(problem) else {
            panic!("a forward layer overflows wherever it is reduced")
        };
        while plan.products_bound(problem, out).is_none() {
            plan.operands += 1;
            assert!(plan.operands < 4, "products in the domain overflow whatever is reduced");
        }
        let Some(entering) = plan.products_bound(problem, out) else { panic!("just found") };
        plan.inverse = place(problem, true, entering, problem.layers - 1);
        while !plan.holds(problem) {
            plan.tail += 1;
            assert!(plan.tail < 4, "the results do not fit 16 bits whatever is reduced");
        }
        plan
    }

    /// The plan of a placement.
    pub const fn of(problem: &Problem32, placement: Placement) -> Plan32 {
        match placement {
            Placement::Paper => Plan32::paper(problem),
            Placement::Analysis => Plan32::analysis(problem),
        }
    }

    /// Where the forward transform's results lie, or `None` where a lane overflows.
    pub const fn forward_bound(&self, problem: &Problem32) -> Option<Bound> {
        let (mut bound, mut layer) = (Bound::canonical(problem.q), 0);
        while layer < problem.layers {
            match problem.forward_layer(bound, layer, self.forward[layer]) {
                Some(out) => bound = out,
                None => return None,
            }
            layer += 1;
        }
        Some(bound)
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

    /// Whether every lane holds every value, and the results lie where the exact reduction centres them: the proof.
    pub const fn holds(&self, problem: &Problem32) -> bool {
        match self.result_bound(problem) {
            Some(result) => {
                let end = problem.k_red_times(result, self.tail);
                end.fits(16) && end.magnitude() <= barrett::exact_limit(problem.q)
            }
            None => false,
        }
    }

    /// Where the results of the last layer lie, or `None` where a lane overflows.
    const fn result_bound(&self, problem: &Problem32) -> Option<Bound> {
        let Some(out) = self.forward_bound(problem) else { return None };
        let Some(mut bound) = self.products_bound(problem, out) else { return None };
        let mut layer = 0;
        while layer + 1 < problem.layers {
            match problem.inverse_layer(bound, self.inverse[layer]) {
                Some(next) => bound = next,
                None => return None,
            }
            layer += 1;
        }
        problem.last_layer(bound)
    }

    /// The power of `k` that one forward transform leaves.
    pub const fn forward_exponent(&self) -> u32 {
        count(&self.forward)
    }

    /// The power of `k` that two forward transforms, a product in the domain and the inverse leave, the last layer's own K-RED
    /// included and the tail not.
    pub const fn exponent(&self) -> u32 {
        let product = if self.product_2x { 4 } else { 2 };
        2 * (self.forward_exponent() + self.operands) + product + count(&self.inverse) + 1
    }

    /// How many reductions are planned.
    pub const fn count(&self) -> u32 {
        count(&self.forward) + count(&self.inverse)
    }

    /// The plan with reduction `i` left out (the layers of the forward transform first).
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

/// Reduced layers, each as late as possible: a layer is reduced where the next one would overflow otherwise.
const fn place(problem: &Problem32, inverse: bool, input: Bound, layers: usize) -> [bool; 10] {
    let (mut reduced, mut bound, mut layer) = ([false; 10], input, 0);
    while layer < layers {
        let plain = step(problem, inverse, bound, layer, false);
        let next = match plain {
            Some(out) if layer + 1 == layers => inverse && problem.last_layer(out).is_none(),
            Some(out) => step(problem, inverse, out, layer + 1, false).is_none(),
            None => true,
        };
        // Where the next layer overflows unreduced, it may still hold reduced: then that is later, and as good.
        let later = match plain {
            Some(out) => layer + 1 < layers && step(problem, inverse, out, layer + 1, true).is_some(),
            None => false,
        };
        reduced[layer] = next && !later;
        match step(problem, inverse, bound, layer, reduced[layer]) {
            Some(out) => bound = out,
            None => panic!("a layer overflows wherever it is reduced"),
        }
        layer += 1;
    }
    reduced
}

const fn step(problem: &Problem32, inverse: bool, a: Bound, layer: usize, reduced: bool) -> Option<Bound> {
    if inverse { problem.inverse_layer(a, reduced) } else { problem.forward_layer(a, layer, reduced) }
}
