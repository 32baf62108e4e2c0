//! Codelets: small transforms on registers as straight-line programs, which are data.
//!
//! A [`Codelet`] is a list of sums, differences and products by constants, written down by `const fn`
//! ([`dft`]). Because it is data, one and the same constant
//! * is simplified where inputs are known to be zero (a product's operands fill half of the transform);
//! * gets its reductions placed by the bounds of its inputs, and is replayed to prove that no lane overflows
//!   ([`place`]), by itself or with others that it runs behind ([`chain`]);
//! * has its operations counted;
//! * runs on any CPU (`run`): each operation is a constant of the compiler, so nothing is interpreted.
//!
//! A value is a register and a sign; signs cost nothing, because they turn sums into differences and move
//! into constants.

pub mod chain;
pub mod dft;
pub mod place;
pub(in crate::algorithm) mod run;

use crate::number::canonical;
use crate::reduce::barrett;
use crate::reduce::montgomery::Factor;

/// The greatest number of operations.
pub const LONGEST: usize = 255;
/// The greatest number of inputs, and of outputs.
pub const POINTS: usize = 16;
/// The operand of an operation that is zero.
const ZERO: u8 = u8::MAX;

/// An operation; operands are the numbers of earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// Input `i`.
    Input(u8),
    /// `a + b`.
    Add(u8, u8),
    /// `a - b`; `a` may be zero.
    Sub(u8, u8),
    /// `a z`, a Montgomery product by a constant.
    Scale(u8, Factor),
    /// `a` after a code of the planner's.
    Reduce(u8, u8),
}

/// A value of a codelet: the result of an operation, its sign apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    at: u8,
    minus: bool,
}

impl Value {
    /// Zero.
    pub const ZERO: Value = Value { at: ZERO, minus: false };

    /// Whether it is known to be zero.
    pub const fn is_zero(self) -> bool {
        self.at == ZERO
    }

    /// `-a`.
    pub const fn negated(self) -> Value {
        Value { at: self.at, minus: !self.minus }
    }
}

/// Values of a transform: as many as it has points, zeroes behind them.
pub type Values = [Value; POINTS];

/// A straight-line program modulo `q`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Codelet {
    /// The modulus.
    pub q: i64,
    /// [`barrett::exact_limit`] of the modulus, which takes long to compute.
    pub exact: i64,
    /// For a codelet that serves several moduli up to `q`: the greatest error of a quotient of one word by
    /// any of them, in units of `2^-15`. 0 if the bounds are for this modulus alone.
    pub error: i64,
    /// The operations in their order; only the first [`len`](Codelet::len) count.
    pub ops: [Op; LONGEST],
    /// How many operations there are.
    pub len: usize,
    /// The operations whose results are the outputs, [`points`](Codelet::points) of them.
    pub outputs: [u8; POINTS],
    /// How many outputs there are.
    pub points: usize,
}

impl Codelet {
    /// Nothing yet.
    pub const fn new(q: i64) -> Codelet {
        Codelet::with_limit(q, barrett::exact_limit(q))
    }

    const fn with_limit(q: i64, exact: i64) -> Codelet {
        Codelet {
            q,
            exact,
            error: 0,
            ops: [Op::Input(0); LONGEST],
            len: 0,
            outputs: [ZERO; POINTS],
            points: 0,
        }
    }

    /// Nothing yet, for the same modulus.
    const fn another(&self) -> Codelet {
        Codelet { error: self.error, ..Codelet::with_limit(self.q, self.exact) }
    }

    /// The same codelet with bounds for all moduli up to `q` whose quotients have at most this error.
    pub const fn for_moduli(mut self, error: i64) -> Codelet {
        self.error = error;
        self
    }

    const fn push(&mut self, op: Op) -> u8 {
        assert!(self.len < LONGEST, "a codelet that is too long");
        self.ops[self.len] = op;
        self.len += 1;
        (self.len - 1) as u8
    }

    const fn value(&mut self, op: Op) -> Value {
        Value { at: self.push(op), minus: false }
    }

    /// The inputs, those that are `present`; the others are zero.
    pub const fn inputs(&mut self, points: usize, present: &[bool; POINTS]) -> Values {
        let (mut values, mut i) = ([Value::ZERO; POINTS], 0);
        while i < points {
            if present[i] {
                values[i] = self.value(Op::Input(i as u8));
            }
            i += 1;
        }
        values
    }

    /// `a + b`.
    pub const fn add(&mut self, a: Value, b: Value) -> Value {
        if a.is_zero() {
            return b;
        }
        if b.is_zero() {
            return a;
        }
        match (a.minus, b.minus) {
            (false, false) => self.value(Op::Add(a.at, b.at)),
            (false, true) => self.value(Op::Sub(a.at, b.at)),
            (true, false) => self.value(Op::Sub(b.at, a.at)),
            (true, true) => self.value(Op::Add(a.at, b.at)).negated(),
        }
    }

    /// `a - b`.
    pub const fn sub(&mut self, a: Value, b: Value) -> Value {
        self.add(a, b.negated())
    }

    /// `a z`.
    pub const fn scale(&mut self, a: Value, z: i64) -> Value {
        let z = canonical(if a.minus { -z } else { z }, self.q);
        if a.is_zero() || z == 0 {
            return Value::ZERO;
        }
        if z == 1 || z == self.q - 1 {
            return Value { at: a.at, minus: z != 1 };
        }
        self.value(Op::Scale(a.at, Factor::new(z, self.q)))
    }

    /// `a z` for the constant behind `factor`, which is not 0, 1 or -1.
    const fn scale_by(&mut self, a: Value, factor: Factor) -> Value {
        if a.is_zero() {
            return a;
        }
        self.value(Op::Scale(a.at, if a.minus { factor.negated() } else { factor }))
    }

    /// The program with these outputs.
    pub const fn finish(mut self, points: usize, values: &Values) -> Codelet {
        let mut i = 0;
        while i < points {
            let value = values[i];
            assert!(!value.is_zero(), "an output that is always zero");
            self.outputs[i] = if value.minus { self.push(Op::Sub(ZERO, value.at)) } else { value.at };
            i += 1;
        }
        self.points = points;
        self
    }

    /// The program for inputs of which only the `present` ones are not zero. Operations on zeroes are
    /// removed. This is cheaper than a new program, whose constants would be computed again.
    pub const fn with_inputs(&self, present: &[bool; POINTS]) -> Codelet {
        let (mut out, mut now, mut k) = (self.another(), [Value::ZERO; LONGEST + 1], 0);
        while k < self.len {
            now[k] = match self.ops[k] {
                Op::Input(i) if !present[i as usize] => Value::ZERO,
                Op::Input(i) => out.value(Op::Input(i)),
                Op::Add(a, b) => out.add(now[a as usize], now[b as usize]),
                Op::Sub(a, b) => out.sub(now[a as usize], now[b as usize]),
                Op::Scale(a, factor) => out.scale_by(now[a as usize], factor),
                Op::Reduce(..) => panic!("a codelet that has its reductions"),
            };
            k += 1;
        }
        let (mut values, mut i) = ([Value::ZERO; POINTS], 0);
        while i < self.points {
            values[i] = now[self.outputs[i] as usize];
            i += 1;
        }
        out.finish(self.points, &values)
    }

    /// How many operations of each kind it has.
    pub const fn count(&self) -> Count {
        let (mut count, mut i) = (Count { additions: 0, products: 0, reductions: 0 }, 0);
        while i < self.len {
            match self.ops[i] {
                Op::Add(..) | Op::Sub(..) => count.additions += 1,
                Op::Scale(..) => count.products += 1,
                Op::Reduce(..) => count.reductions += 1,
                Op::Input(_) => (),
            }
            i += 1;
        }
        count
    }
}

/// Operations of a codelet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// Sums and differences.
    pub additions: usize,
    /// Products by constants.
    pub products: usize,
    /// Reductions.
    pub reductions: usize,
}
