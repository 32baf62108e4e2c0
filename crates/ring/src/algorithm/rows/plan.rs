//! The reductions of a row transform, in the codelets that it is made of.

use super::geometry::Geometry;
use crate::algorithm::codelet::place::{Bounds, NOTHING, widest};
use crate::algorithm::codelet::{Codelet, POINTS};
use crate::algorithm::plan::threshold;
use crate::bound::Bound;
use crate::reduce::{barrett, montgomery};
use ringsmith_simd::Step;

/// The codelets of a row transform with their reductions, for one kind of CPU, and what each pass promises the next.
#[derive(Clone, Copy)]
pub struct Codelets {
    /// The first pass forward, column by column.
    pub columns: [Codelet; POINTS],
    /// Where each column leaves its points.
    pub after_columns: Bounds,
    /// The second pass of the first operand.
    pub first: Codelet,
    /// Where it leaves its points.
    pub after_first: Bound,
    /// The second pass of the second operand.
    pub second: Codelet,
    /// The first pass backwards.
    pub back: Codelet,
    /// Where it leaves its points.
    pub after_back: Bound,
    /// The second pass backwards.
    pub last: Codelet,
}

/// The limits that are tried for what leaves a pass: the least, and the whole lane.
const LIMITS: [usize; 2] = [0, 4];

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

/// Whether a codelet keeps its lanes and its promise.
const fn keeps(codelet: &Codelet, step: Step, inputs: &Bounds, promised: Bound) -> bool {
    match codelet.widest_of(step, inputs) {
        Some(outputs) => outputs.within(promised),
        None => false,
    }
}

/// Every lane.
const LANE: Bound = Bound::symmetric(i16::MAX as i64);

impl Codelets {
    /// Whether every lane holds every value: the proof. Each codelet for what the one before it promises.
    const fn hold(&self, geometry: &Geometry, step: Step) -> bool {
        let (inputs, columns) = ([Bound::centred(geometry.q); POINTS], &self.after_columns);
        let mut c = 0;
        while c < geometry.b {
            if !keeps(&self.columns[c], step, &inputs, columns[c]) {
                return false;
            }
            c += 1;
        }
        let Some(products) = products_bound(geometry, self.after_first) else { return false };
        keeps(&self.first, step, columns, self.after_first)
            && keeps(&self.second, step, columns, LANE)
            && keeps(&self.back, step, &[products; POINTS], self.after_back)
            && keeps(&self.last, step, &[self.after_back; POINTS], Bound::symmetric(last_limit(geometry.q)))
    }

    /// Without the reductions without which that is so all the same.
    const fn drop_needless(mut self, geometry: &Geometry, step: Step) -> Codelets {
        let (inputs, columns) = ([Bound::centred(geometry.q); POINTS], &self.after_columns);
        let mut c = 0;
        while c < geometry.b {
            self.columns[c] = self.columns[c].drop_needless(step, &inputs, columns[c]);
            c += 1;
        }
        let Some(products) = products_bound(geometry, self.after_first) else {
            panic!("overflow: a base product")
        };
        self.first = self.first.drop_needless(step, columns, self.after_first);
        self.second = self.second.drop_needless(step, columns, LANE);
        self.back = self.back.drop_needless(step, &[products; POINTS], self.after_back);
        let limit = Bound::symmetric(last_limit(geometry.q));
        self.last = self.last.drop_needless(step, &[self.after_back; POINTS], limit);
        self
    }

    /// The cheapest found, from codelets without reductions.
    const fn find(&self, geometry: &Geometry, step: Step) -> Codelets {
        let (mut best, mut least, mut i) = (*self, u32::MAX, 0);
        while i < LIMITS.len() {
            let (mut plan, forward) = self.with_columns(geometry, step, threshold(geometry.q, LIMITS[i]));
            let second = self.second.place(step, &plan.after_columns, i64::MAX);
            plan.second = second.codelet;
            let (plan, backward) = plan.with_inverse(self, geometry, step);
            let price = forward + geometry.a as u32 * second.price + backward;
            if price < least {
                (best, least) = (plan, price);
            }
            i += 1;
        }
        best.drop_needless(geometry, step)
    }

    /// With columns whose outputs are up to `limit`, and what their reductions cost.
    const fn with_columns(mut self, geometry: &Geometry, step: Step, limit: i64) -> (Codelets, u32) {
        let inputs = [Bound::centred(geometry.q); POINTS];
        let (mut price, mut c) = (0, 0);
        while c < geometry.b {
            let placed = self.columns[c].place(step, &inputs, limit);
            self.columns[c] = placed.codelet;
            self.after_columns[c] = widest(&placed.outputs, geometry.a);
            price += 2 * placed.price;
            c += 1;
        }
        (self, price)
    }

    /// With everything behind the columns of the first operand, and what its reductions cost: first operands as large as base
    /// products take, or small ones, which make smaller products.
    const fn with_inverse(self, plain: &Codelets, geometry: &Geometry, step: Step) -> (Codelets, u32) {
        let (largest, small) = (first_limit(geometry), threshold(geometry.q, 0));
        let (mut best, mut least, mut i) = (self, u32::MAX, 0);
        while i < 2 * LIMITS.len() {
            let limit = if i < LIMITS.len() || largest < small { largest } else { small };
            let first = plain.first.place(step, &self.after_columns, limit);
            let after_first = widest(&first.outputs, geometry.b);
            let Some(products) = products_bound(geometry, after_first) else {
                panic!("overflow: a base product")
            };
            let limit = threshold(geometry.q, LIMITS[i % LIMITS.len()]);
            let back = plain.back.place(step, &[products; POINTS], limit);
            let after_back = widest(&back.outputs, geometry.b);
            let last = plain.last.place(step, &[after_back; POINTS], last_limit(geometry.q));
            let price = geometry.a as u32 * (first.price + back.price) + geometry.b as u32 * last.price;
            if price < least {
                (best.first, best.back, best.last) = (first.codelet, back.codelet, last.codelet);
                (best.after_first, best.after_back, least) = (after_first, after_back, price);
            }
            i += 1;
        }
        (best, least)
    }

    /// Codelet `i`, columns first.
    const fn get(&self, geometry: &Geometry, i: usize) -> &Codelet {
        if i < geometry.b {
            return &self.columns[i];
        }
        match i - geometry.b {
            0 => &self.first,
            1 => &self.second,
            2 => &self.back,
            _ => &self.last,
        }
    }

    const fn set(&mut self, geometry: &Geometry, i: usize, codelet: Codelet) {
        if i < geometry.b {
            self.columns[i] = codelet;
            return;
        }
        match i - geometry.b {
            0 => self.first = codelet,
            1 => self.second = codelet,
            2 => self.back = codelet,
            _ => self.last = codelet,
        }
    }

    const fn count(&self, geometry: &Geometry) -> usize {
        let (mut count, mut i) = (0, 0);
        while i < geometry.b + 4 {
            count += self.get(geometry, i).count().reductions;
            i += 1;
        }
        count
    }

    const fn without(&self, geometry: &Geometry, left_out: usize) -> Codelets {
        let (mut plan, mut seen, mut i) = (*self, 0, 0);
        while i < geometry.b + 4 {
            let codelet = self.get(geometry, i);
            let count = codelet.count().reductions;
            if left_out >= seen && left_out - seen < count {
                plan.set(geometry, i, codelet.without(left_out - seen));
            }
            seen += count;
            i += 1;
        }
        plan
    }
}

impl Geometry {
    /// The codelets without reductions.
    const fn codelets(&self) -> Codelets {
        let (mut columns, mut c) = ([Codelet::new(self.q); POINTS], 0);
        while c < self.b {
            columns[c] = self.column(c);
            c += 1;
        }
        Codelets {
            columns,
            after_columns: [NOTHING; POINTS],
            first: self.second(),
            after_first: NOTHING,
            second: self.second(),
            back: self.back(),
            after_back: NOTHING,
            last: self.last(),
        }
    }
}

/// The codelets for both kinds of CPU.
#[derive(Clone, Copy)]
pub struct Plans {
    /// For CPUs that prefer the sign step.
    pub sign: Codelets,
    /// For CPUs that prefer Barrett.
    pub barrett: Codelets,
    geometry: Geometry,
}

impl Plans {
    /// The cheapest plans found.
    pub const fn find(geometry: &Geometry) -> Plans {
        let plain = geometry.codelets();
        Plans {
            sign: plain.find(geometry, Step::Sign),
            barrett: plain.find(geometry, Step::Barrett),
            geometry: *geometry,
        }
    }

    /// The plans with reduction `i` of each left out.
    pub const fn without(&self, i: usize) -> Plans {
        Plans {
            sign: self.sign.without(&self.geometry, i),
            barrett: self.barrett.without(&self.geometry, i),
            geometry: self.geometry,
        }
    }

    /// How many reductions they have: the cases of the test of the proof.
    pub const fn counts(&self) -> [usize; 2] {
        [self.sign.count(&self.geometry), self.barrett.count(&self.geometry)]
    }

    /// Whether every lane holds every value on any CPU: the proof.
    pub const fn hold(&self, geometry: &Geometry) -> bool {
        self.sign.hold(geometry, Step::Sign) && self.barrett.hold(geometry, Step::Barrett)
    }
}
