//! The reductions of a row transform, in the codelets that it is made of.

use super::geometry::{BACK, CODELETS, COLUMNS, FIRST, Geometry, LAST, SECOND};
use crate::algorithm::codelet::place::{Bounds, NOTHING, reductions, widest, without};
use crate::algorithm::codelet::{Codelet, POINTS};
use crate::algorithm::plan::threshold;
use crate::bound::Bound;
use crate::reduce::{barrett, montgomery};
use ringsmith_simd::Step;

/// The codelets of a row transform with their reductions, for one kind of CPU, and where each promises to leave its points.
#[derive(Clone, Copy)]
pub struct Plan {
    pub(super) codelets: [Codelet; CODELETS],
    promises: [Bound; CODELETS],
}

/// Every lane.
const LANE: Bound = Bound::symmetric(i16::MAX as i64);

/// Where second operands of base products lie: any lane after a Montgomery product.
const fn second_bound(q: i64) -> Bound {
    montgomery::bound_any(Bound::symmetric(i16::MAX as i64), q)
}

/// Where base products of a first operand in `a` lie, or `None` where their sums overflow.
const fn products_bound(geometry: &Geometry, a: Bound) -> Option<Bound> {
    let sum = a.mul(second_bound(geometry.q)).mirrored().scale(16 * geometry.width as i64);
    let out = montgomery::bound_wide(sum, geometry.q);
    if sum.fits(32) && out.fits(16) { Some(out) } else { None }
}

/// The greatest first operand of base products that overflow nothing.
const fn first_limit(geometry: &Geometry) -> i64 {
    let (mut low, mut high) = (0, 1 << 15);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if products_bound(geometry, Bound::symmetric(middle)).is_some() {
            low = middle
        } else {
            high = middle
        }
    }
    low
}

/// The greatest coefficient of a product such that three of them and one that wrapped are centred exactly.
const fn last_limit(q: i64) -> i64 {
    (barrett::exact_limit(q) - 1 - second_bound(q).magnitude()) / 3
}

/// Whether coefficients that wrapped, or none, are as small as [`last_limit`] takes for granted: one is taken off a coefficient, and up to
/// two of them stand where others would.
pub(super) const fn wrapped_fit(q: i64, wrapped: Bound) -> bool {
    wrapped.within(second_bound(q)) && second_bound(q).magnitude() <= last_limit(q)
}

impl Plan {
    /// No reductions, and no promises.
    const fn new(geometry: &Geometry) -> Plan {
        let (mut codelets, mut i) = ([Codelet::new(geometry.q); CODELETS], 0);
        while i < CODELETS {
            codelets[i] = geometry.codelet(i);
            i += 1;
        }
        Plan { codelets, promises: [NOTHING; CODELETS] }
    }

    /// Where the inputs of codelet `i` lie by what those before it promise, or `None` where base products overflow.
    const fn inputs(&self, geometry: &Geometry, i: usize) -> Option<Bounds> {
        match i {
            FIRST | SECOND => {
                let (mut inputs, mut c) = ([NOTHING; POINTS], 0);
                while c < geometry.b {
                    inputs[c] = self.promises[COLUMNS + c];
                    c += 1;
                }
                Some(inputs)
            }
            BACK => match products_bound(geometry, self.promises[FIRST]) {
                Some(products) => Some([products; POINTS]),
                None => None,
            },
            LAST => Some([self.promises[BACK]; POINTS]),
            _ => Some([Bound::centred(geometry.q); POINTS]),
        }
    }

    /// Whether every lane holds every value: the proof. Each codelet keeps its lanes and its promise for what those before it promise.
    const fn hold(&self, geometry: &Geometry, step: Step) -> bool {
        let mut i = 0;
        while i < COLUMNS + geometry.b {
            let Some(inputs) = self.inputs(geometry, i) else { return false };
            match self.codelets[i].widest_of(step, &inputs) {
                Some(outputs) if outputs.within(self.promises[i]) => i += 1,
                _ => return false,
            }
        }
        self.promises[LAST].magnitude() <= last_limit(geometry.q)
    }

    /// Gives codelet `i` the reductions with which what it leaves is at most `limit`; what they cost.
    const fn place(&mut self, plain: &Plan, geometry: &Geometry, step: Step, i: usize, limit: i64) -> u32 {
        let Some(inputs) = self.inputs(geometry, i) else { panic!("overflow: a base product") };
        let placed = plain.codelets[i].place(step, &inputs, limit);
        self.codelets[i] = placed.codelet;
        self.promises[i] = match i {
            SECOND => LANE,
            LAST => Bound::symmetric(limit),
            _ => widest(&placed.outputs, placed.codelet.points),
        };
        geometry.runs(i) as u32 * placed.price
    }

    /// The forward transforms but for the second pass of the first operand, with columns up to `limit`.
    const fn forward(&mut self, plain: &Plan, geometry: &Geometry, step: Step, limit: i64) -> u32 {
        let (mut price, mut c) = (0, 0);
        while c < geometry.b {
            price += self.place(plain, geometry, step, COLUMNS + c, limit);
            c += 1;
        }
        price + self.place(plain, geometry, step, SECOND, LANE.high)
    }

    /// What is behind that: first operands and the first pass backwards are up to the limits.
    const fn backward(
        &mut self,
        plain: &Plan,
        geometry: &Geometry,
        step: Step,
        first: i64,
        back: i64,
    ) -> u32 {
        self.place(plain, geometry, step, FIRST, first)
            + self.place(plain, geometry, step, BACK, back)
            + self.place(plain, geometry, step, LAST, last_limit(geometry.q))
    }

    /// Whether the sum of two base products, each reduced, is within what the first pass backwards takes.
    const fn sums_hold(&self, geometry: &Geometry) -> bool {
        match products_bound(geometry, self.promises[FIRST]) {
            Some(products) => barrett::bound(products, geometry.q).scale(2).within(products),
            None => false,
        }
    }

    /// The cheapest found. What leaves a pass is as small as can be, or as large as a lane; first operands are as large as base products
    /// take, or as small as can be, which makes smaller products.
    const fn find(geometry: &Geometry, step: Step) -> Plan {
        let (plain, largest) = (Plan::new(geometry), first_limit(geometry));
        let (limits, small) = ([threshold(geometry.q, 0), LANE.high], threshold(geometry.q, 0));
        let firsts = [largest, if small < largest { small } else { largest }];
        let (mut best, mut least, mut i) = (plain, u32::MAX, 0);
        while i < 2 {
            let (mut plan, mut k) = (plain, 0);
            let forward = plan.forward(&plain, geometry, step, limits[i]);
            while k < 4 {
                let price = forward + plan.backward(&plain, geometry, step, firsts[k / 2], limits[k % 2]);
                if price < least {
                    (best, least) = (plan, price);
                }
                k += 1;
            }
            i += 1;
        }
        best.drop_needless(geometry, step)
    }

    /// Without the reductions without which everything holds all the same.
    const fn drop_needless(mut self, geometry: &Geometry, step: Step) -> Plan {
        let mut i = 0;
        while i < COLUMNS + geometry.b {
            let Some(inputs) = self.inputs(geometry, i) else { panic!("overflow: a base product") };
            self.codelets[i] = self.codelets[i].drop_needless(step, &inputs, self.promises[i]);
            i += 1;
        }
        self
    }
}

/// The plans for both kinds of CPU.
#[derive(Clone, Copy)]
pub struct Plans {
    /// For CPUs that prefer the sign step.
    pub sign: Plan,
    /// For CPUs that prefer Barrett.
    pub barrett: Plan,
}

impl Plans {
    /// The cheapest plans found.
    pub const fn find(geometry: &Geometry) -> Plans {
        Plans { sign: Plan::find(geometry, Step::Sign), barrett: Plan::find(geometry, Step::Barrett) }
    }

    /// The plans with reduction `i` of each left out.
    pub const fn without(&self, i: usize) -> Plans {
        Plans {
            sign: Plan { codelets: without(self.sign.codelets, i), ..self.sign },
            barrett: Plan { codelets: without(self.barrett.codelets, i), ..self.barrett },
        }
    }

    /// How many reductions they have: the cases of the test of the proof.
    pub const fn counts(&self) -> [usize; 2] {
        [reductions(&self.sign.codelets), reductions(&self.barrett.codelets)]
    }

    /// Whether every lane holds every value on any CPU: the proof.
    pub const fn hold(&self, geometry: &Geometry) -> bool {
        self.sign.hold(geometry, Step::Sign) && self.barrett.hold(geometry, Step::Barrett)
    }

    /// Whether two base products, each reduced, can be summed, and sums are taken backwards as one base product is.
    pub(super) const fn sums_hold(&self, geometry: &Geometry) -> bool {
        self.sign.sums_hold(geometry) && self.barrett.sums_hold(geometry)
    }
}
