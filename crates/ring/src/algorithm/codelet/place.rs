//! Where a codelet reduces: placed by the compiler, and proved by replaying.
//!
//! A walk along the operations keeps the interval of every result. Where a sum or a difference would leave
//! its lane, the cheapest pair of codes (none, this CPU's small step, Barrett; see
//! [`plan`](crate::algorithm::plan)) that keeps it is put before it; a reduced value stays reduced for
//! whatever follows. Outputs above a limit are reduced at the end. Inputs above another limit are reduced at
//! the beginning: one reduction there may save several later, so both ways are tried and the cheaper one is
//! kept.

use super::{Codelet, LONGEST, Op, POINTS, ZERO};
use crate::algorithm::plan::{BARRETT, NONE, STEP, cheapest_pair, cost};
use crate::bound::Bound;
use crate::reduce::montgomery::Factor;
use crate::reduce::{barrett, montgomery, sign};
use ringsmith_simd::LazyReduction;

/// The limit above which inputs are reduced at the beginning, where that is tried: half the modulus, and a
/// quarter of that, which a product by a constant leaves of a centred value. A guess, which decides what is
/// tried and not what is proved.
const fn small_input(q: i64) -> i64 {
    q / 2 + q / 8
}

/// Intervals of the inputs or the outputs.
pub type Bounds = [Bound; POINTS];

/// The bound of an input that does not exist: zero.
pub const NOTHING: Bound = Bound::new(0, 0);

/// Where the results of a codelet lie, and, at the place of the operand that is zero, zero.
type Results = [Bound; LONGEST + 1];

/// Where the operations of a codelet are in another; zero stays zero.
type Places = [u8; LONGEST + 1];

/// A codelet with its reductions.
#[derive(Clone, Copy)]
pub struct Placed {
    /// The codelet.
    pub codelet: Codelet,
    /// Where its outputs lie.
    pub outputs: Bounds,
    /// What its reductions cost, in instructions.
    pub price: u32,
}

impl Placed {
    /// With more reductions at the end, such that outputs are at most `limit` in absolute value.
    const fn shortened(mut self, step: LazyReduction, limit: i64) -> Placed {
        let mut i = 0;
        while i < self.codelet.points {
            if self.outputs[i].magnitude() > limit {
                let from = self.codelet.outputs[i];
                let (code, bound) = self.codelet.shortest(step, self.outputs[i], limit);
                let at = self.codelet.push(Op::Reduce(from, code));
                self.price += cost(step, code);
                let mut k = i;
                while k < self.codelet.points {
                    // A value may be several outputs.
                    if self.codelet.outputs[k] == from {
                        (self.codelet.outputs[k], self.outputs[k]) = (at, bound);
                    }
                    k += 1;
                }
            }
            i += 1;
        }
        self
    }
}

/// A codelet that is being copied with its reductions.
struct Walk {
    step: LazyReduction,
    out: Codelet,
    /// Where the result of each operation of the copy lies.
    bounds: Results,
    /// Where each operation of the original is in the copy, reduced if that was needed.
    now: Places,
    price: u32,
}

impl Walk {
    /// Where a value of the original lies.
    const fn bound(&self, original: u8) -> Bound {
        self.bounds[self.now[original as usize] as usize]
    }

    const fn push(&mut self, op: Op, bound: Bound) -> u8 {
        let at = self.out.push(op);
        self.bounds[at as usize] = bound;
        at
    }

    /// Reduces a value for good, to where the code leaves it.
    const fn reduce(&mut self, original: u8, code: u8, bound: Bound) {
        if code != NONE && original != ZERO {
            let op = Op::Reduce(self.now[original as usize], code);
            self.now[original as usize] = self.push(op, bound);
            self.price += cost(self.step, code);
        }
    }

    /// Reduces a value that is greater than `limit` in absolute value, by the cheapest code.
    const fn shorten(&mut self, original: u8, limit: i64) {
        let bound = self.bound(original);
        if bound.magnitude() > limit {
            let (code, bound) = self.out.shortest(self.step, bound, limit);
            self.reduce(original, code, bound);
        }
    }

    /// Reduces two values by the cheapest pair of codes after which their sum and their difference fit a
    /// lane. Returns the bounds of both.
    const fn make_room(&mut self, a: u8, b: u8) -> (Bound, Bound) {
        let (x, y) = (self.out.reduced(self.step, self.bound(a)), self.out.reduced(self.step, self.bound(b)));
        let Some((first, second)) = cheapest_pair(&x, &y) else {
            panic!("overflow: a sum overflows whatever is reduced")
        };
        self.reduce(a, first, x[first as usize]);
        self.reduce(b, second, y[second as usize]);
        (self.bound(a), self.bound(b))
    }

    /// Copies an operation, with reductions before it where it needs some. What most operations take is
    /// written out; see [`Bound`].
    const fn copy(&mut self, original: usize, op: Op, inputs: &Bounds) {
        const LIMIT: i64 = i16::MAX as i64;
        let (op, bound) = match op {
            Op::Input(i) => (op, inputs[i as usize]),
            Op::Add(a, b) | Op::Sub(a, b) => {
                let (mut x, mut y) =
                    (self.bounds[self.now[a as usize] as usize], self.bounds[self.now[b as usize] as usize]);
                let Bound { low, high } = x;
                if low + y.low < -LIMIT
                    || high + y.high > LIMIT
                    || low - y.high < -LIMIT
                    || high - y.low > LIMIT
                {
                    (x, y) = self.make_room(a, b);
                }
                let (a, b) = (self.now[a as usize], self.now[b as usize]);
                if let Op::Add(..) = op {
                    (Op::Add(a, b), Bound { low: x.low + y.low, high: x.high + y.high })
                } else {
                    (Op::Sub(a, b), Bound { low: x.low - y.high, high: x.high - y.low })
                }
            }
            Op::Scale(a, factor) => {
                let a = self.now[a as usize];
                let bound = self.out.scaled(self.bounds[a as usize], factor);
                (Op::Scale(a, factor), bound)
            }
            Op::Reduce(..) => panic!("a codelet that has its reductions"),
        };
        let at = self.out.len;
        assert!(at < LONGEST, "a codelet that is too long");
        (self.out.ops[at], self.out.len, self.bounds[at], self.now[original]) = (op, at + 1, bound, at as u8);
    }
}

impl Codelet {
    /// Where a value lies after a code.
    const fn after(&self, step: LazyReduction, code: u8, a: Bound) -> Bound {
        match (code, step) {
            (NONE, _) => a,
            _ if self.error > 0 => Bound::symmetric(self.q / 2 + ((a.magnitude() * self.error) >> 15) + 1),
            (STEP, LazyReduction::Sign) => sign::bound(a, self.q),
            _ => barrett::bound_to(a, self.q, self.exact),
        }
    }

    /// Where a value lies after a product by a constant.
    const fn scaled(&self, a: Bound, factor: Factor) -> Bound {
        match self.error {
            0 => montgomery::bound_scaled(a, factor.z, self.q),
            _ => montgomery::bound_any(a, self.q),
        }
    }

    /// The cheapest code that brings a value to `limit`, and where it lies then.
    const fn shortest(&self, step: LazyReduction, a: Bound, limit: i64) -> (u8, Bound) {
        let bound = self.after(step, STEP, a);
        if bound.magnitude() <= limit { (STEP, bound) } else { (BARRETT, self.after(step, BARRETT, a)) }
    }

    /// Where a value lies after each code.
    const fn reduced(&self, step: LazyReduction, a: Bound) -> [Bound; 3] {
        [a, self.after(step, STEP, a), self.after(step, BARRETT, a)]
    }

    /// Adds reductions, so that for `inputs` no lane overflows on a CPU that prefers `step`, and outputs are
    /// at most `limit` in absolute value.
    pub const fn place(&self, step: LazyReduction, inputs: &Bounds, limit: i64) -> Placed {
        let few = self.place_with(step, inputs, i64::MAX, u32::MAX).shortened(step, limit);
        let limit_in = small_input(self.q);
        if few.price == 0 || widest(inputs, POINTS).magnitude() <= limit_in {
            return few;
        }
        let all = self.place_with(step, inputs, limit_in, few.price);
        if all.price >= few.price {
            return few;
        }
        let all = all.shortened(step, limit);
        if all.price < few.price { all } else { few }
    }

    /// The same with inputs of at most `limit_in`, and any outputs. Ends early, with a codelet that computes
    /// nothing, at the price `most`.
    const fn place_with(
        &self,
        step: LazyReduction,
        inputs: &Bounds,
        limit_in: i64,
        max_price: u32,
    ) -> Placed {
        let (bounds, now) = ([NOTHING; LONGEST + 1], [ZERO; LONGEST + 1]);
        let mut walk = Walk { step, out: self.another(), bounds, now, price: 0 };
        let mut i = 0;
        while i < self.len && walk.price < max_price {
            walk.copy(i, self.ops[i], inputs);
            if let Op::Input(_) = self.ops[i] {
                walk.shorten(i as u8, limit_in);
            }
            i += 1;
        }
        let mut outputs = [NOTHING; POINTS];
        i = 0;
        while i < self.points {
            let value = self.outputs[i];
            (walk.out.outputs[i], outputs[i]) = (walk.now[value as usize], walk.bound(value));
            i += 1;
        }
        walk.out.points = self.points;
        Placed { codelet: walk.out, outputs, price: walk.price }
    }

    /// Where the outputs lie for `inputs`, or `None` where a lane overflows: the proof, which trusts nothing
    /// of the above.
    pub const fn outputs_of(&self, step: LazyReduction, inputs: &Bounds) -> Option<Bounds> {
        let mut bounds = [NOTHING; LONGEST + 1];
        if !self.keep_lanes(step, inputs, &mut bounds, 0) {
            return None;
        }
        let (mut outputs, mut i) = ([NOTHING; POINTS], 0);
        while i < self.points {
            outputs[i] = bounds[self.outputs[i] as usize];
            i += 1;
        }
        Some(outputs)
    }

    /// Whether the operations from `first` on keep their lanes, and where their results lie; `bounds` has
    /// those before.
    const fn keep_lanes(
        &self,
        step: LazyReduction,
        inputs: &Bounds,
        bounds: &mut Results,
        first: usize,
    ) -> bool {
        let mut i = first;
        while i < self.len {
            bounds[i] = self.result(step, i, inputs, bounds);
            if !bounds[i].fits(16) {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Where the result of operation `i` lies, from those before it.
    const fn result(&self, step: LazyReduction, i: usize, inputs: &Bounds, bounds: &Results) -> Bound {
        match self.ops[i] {
            Op::Input(k) => inputs[k as usize],
            Op::Add(a, b) => bounds[a as usize].add(bounds[b as usize]),
            Op::Sub(a, b) => bounds[a as usize].sub(bounds[b as usize]),
            Op::Scale(a, factor) => self.scaled(bounds[a as usize], factor),
            Op::Reduce(a, code) => self.after(step, code, bounds[a as usize]),
        }
    }

    /// Whether all outputs lie within `promised`.
    const fn keeps(&self, promised: Bound, bounds: &Results) -> bool {
        let mut i = 0;
        while i < self.points {
            if !bounds[self.outputs[i] as usize].within(promised) {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Where all outputs lie for `inputs`, or `None` where a lane overflows.
    pub const fn widest_of(&self, step: LazyReduction, inputs: &Bounds) -> Option<Bound> {
        match self.outputs_of(step, inputs) {
            Some(outputs) => Some(widest(&outputs, self.points)),
            None => None,
        }
    }

    /// Removes every reduction without which no lane overflows and the outputs still lie within `promised`.
    /// Only those of inputs can be: others were placed where something overflowed. What lies before a
    /// reduction that is tried is walked through once.
    pub const fn drop_needless(mut self, step: LazyReduction, inputs: &Bounds, promised: Bound) -> Codelet {
        let (mut bounds, mut walked, mut k) = ([NOTHING; LONGEST + 1], 0, 0);
        let mut dropped = false;
        while k < self.len {
            if let Op::Reduce(a, _) = self.ops[k]
                && let Op::Input(_) = self.ops[a as usize]
            {
                while walked < k {
                    bounds[walked] = self.result(step, walked, inputs, &bounds);
                    walked += 1;
                }
                let op = self.ops[k];
                self.ops[k] = Op::Reduce(a, NONE);
                if self.keep_lanes(step, inputs, &mut bounds, k) && self.keeps(promised, &bounds) {
                    dropped = true;
                } else {
                    self.ops[k] = op;
                }
            }
            k += 1;
        }
        if dropped { self.shortened() } else { self }
    }

    /// The codelet without reduction `i`. Tests build it and check that the proof rejects it.
    pub const fn without(mut self, i: usize) -> Codelet {
        let (mut seen, mut k) = (0, 0);
        while k < self.len {
            if let Op::Reduce(a, _) = self.ops[k] {
                if seen == i {
                    self.ops[k] = Op::Reduce(a, NONE);
                }
                seen += 1;
            }
            k += 1;
        }
        self.shortened()
    }

    /// Without the reductions that do nothing.
    const fn shortened(&self) -> Codelet {
        let (mut out, mut now, mut k) = (self.another(), [ZERO; LONGEST + 1], 0);
        while k < self.len {
            now[k] = match self.ops[k] {
                Op::Reduce(a, NONE) => now[a as usize],
                op => out.push(renamed(op, &now)),
            };
            k += 1;
        }
        k = 0;
        while k < self.points {
            out.outputs[k] = now[self.outputs[k] as usize];
            k += 1;
        }
        out.points = self.points;
        out
    }
}

/// How many reductions all of these have.
pub const fn reductions<const N: usize>(codelets: &[Codelet; N]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < N {
        count += codelets[i].count().reductions;
        i += 1;
    }
    count
}

/// Codelets with one of their reductions left out, counted through all of them.
pub const fn without<const N: usize>(mut codelets: [Codelet; N], left_out: usize) -> [Codelet; N] {
    let (mut seen, mut i) = (0, 0);
    while i < N {
        let count = codelets[i].count().reductions;
        if seen <= left_out && left_out - seen < count {
            codelets[i] = codelets[i].without(left_out - seen);
        }
        seen += count;
        i += 1;
    }
    codelets
}

/// The operation with its operands' new numbers.
const fn renamed(op: Op, now: &Places) -> Op {
    match op {
        Op::Input(i) => Op::Input(i),
        Op::Add(a, b) => Op::Add(now[a as usize], now[b as usize]),
        Op::Sub(a, b) => Op::Sub(now[a as usize], now[b as usize]),
        Op::Scale(a, factor) => Op::Scale(now[a as usize], factor),
        Op::Reduce(a, code) => Op::Reduce(now[a as usize], code),
    }
}

/// The interval of all of the first `points`.
pub const fn widest(bounds: &Bounds, points: usize) -> Bound {
    let (mut out, mut i) = (bounds[0], 1);
    while i < points {
        out = out.join(bounds[i]);
        i += 1;
    }
    out
}
