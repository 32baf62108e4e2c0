//! Running a codelet on a token.
//!
//! Every operation is a function of its own, instantiated with the operation as a constant and inlined, so
//! that what the compiler sees is the straight line. Values live in slots that are used again when nothing
//! needs them any more: as many as are alive at once.

use super::{Codelet, LONGEST, Op, POINTS, ZERO};
use crate::algorithm::plan;
use crate::reduce::montgomery::Factor;
use crate::reduce::residues::OddResidues;
use core::marker::PhantomData;
use ringsmith_simd::{LazyReduction, Simd, each};

/// The greatest number of values that are alive at once.
const SLOTS: usize = 48;

/// What a codelet multiplies and reduces with: constants of the compiler, or values from a table.
pub(in crate::algorithm) trait Constants: Copy {
    /// `a z`, for the constant `factor`, or for the one at place `at` of a table.
    fn scale<S: Simd>(self, s: S, a: S::I16, factor: Factor, at: u8) -> S::I16;
    /// `a` after a code of the planner's.
    fn reduce<S: Simd>(self, s: S, code: u8, a: S::I16) -> S::I16;
}

/// Constants of the compiler, modulo a number that is a type.
#[derive(Clone, Copy)]
struct Fixed<M>(PhantomData<M>);

impl<M: OddResidues> Constants for Fixed<M> {
    #[inline(always)]
    fn scale<S: Simd>(self, s: S, a: S::I16, factor: Factor, _: u8) -> S::I16 {
        M::BY.scale(s, a, factor)
    }
    #[inline(always)]
    fn reduce<S: Simd>(self, s: S, code: u8, a: S::I16) -> S::I16 {
        plan::reduce_in::<S, M>(s, code, a)
    }
}

/// The greatest number of factors that codelets with a table have.
pub(in crate::algorithm) const FACTORS: usize = 112;

/// The factors of codelets modulo a number.
#[derive(Clone, Copy)]
pub(in crate::algorithm) struct Factors {
    pub(in crate::algorithm) list: [Factor; FACTORS],
    pub(in crate::algorithm) len: usize,
}

/// The greatest number of products by constants in a codelet that has a table.
const PRODUCTS: usize = 48;

/// For each product by a constant of a codelet, in their order, the place of the constant in a table.
pub(in crate::algorithm) type Places = [u8; PRODUCTS];

impl Factors {
    /// None yet.
    pub(in crate::algorithm) const NONE: Factors =
        Factors { list: [Factor { z: 0, zq: 0 }; FACTORS], len: 0 };

    const fn push(&mut self, factor: Factor) {
        self.list[self.len] = factor;
        self.len += 1;
    }

    /// The place of those factors that are `a` here and `b` in `other`; they are appended where they are not
    /// there. Two numbers tell factors apart that are equal modulo one of them by accident.
    const fn place(&mut self, other: &mut Factors, a: Factor, b: Factor) -> usize {
        let mut at = 0;
        while at < self.len && (self.list[at].z != a.z || other.list[at].z != b.z) {
            at += 1;
        }
        if at == self.len {
            self.push(a);
            other.push(b);
        }
        at
    }
}

impl Codelet {
    /// The places of its factors in the tables `of`, modulo two numbers: `other` is the codelet modulo the
    /// second.
    pub(in crate::algorithm) const fn places(&self, other: &Codelet, of: &mut [Factors; 2]) -> Places {
        assert!(self.len == other.len, "another codelet modulo another number");
        let ([own, others], mut places, mut n, mut i) = (of, [0; PRODUCTS], 0, 0);
        while i < self.len {
            if let (Op::Scale(_, a), Op::Scale(_, b)) = (self.ops[i], other.ops[i]) {
                places[n] = own.place(others, a, b) as u8;
                n += 1;
            }
            i += 1;
        }
        places
    }

    /// Writes its factors to their places in a table.
    pub(in crate::algorithm) const fn tabulate(&self, places: &Places, table: &mut Factors) {
        let (mut n, mut i) = (0, 0);
        while i < self.len {
            if let Op::Scale(_, factor) = self.ops[i] {
                let there = &mut table.list[places[n] as usize];
                assert!(there.z == 0 || there.z == factor.z, "factors that are equal by accident");
                *there = factor;
                n += 1;
            }
            i += 1;
        }
    }

    /// The same codelet with its reductions modulo another number, with the factors of a table.
    pub(in crate::algorithm) const fn modulo(
        mut self,
        like: &Codelet,
        places: &Places,
        table: &Factors,
    ) -> Codelet {
        (self.q, self.exact, self.error) = (like.q, like.exact, 0);
        let (mut n, mut i) = (0, 0);
        while i < self.len {
            if let Op::Scale(a, _) = self.ops[i] {
                self.ops[i] = Op::Scale(a, table.list[places[n] as usize]);
                n += 1;
            }
            i += 1;
        }
        self
    }
}

/// An operation on slots.
#[derive(Clone, Copy)]
pub(in crate::algorithm) struct Move {
    op: Op,
    to: u8,
    /// Where the factor of a product stands in a table.
    factor: u8,
}

/// A codelet with its values in slots.
pub(in crate::algorithm) struct Schedule {
    moves: [Move; LONGEST],
    len: usize,
    points: usize,
    outputs: [u8; POINTS],
}

impl Schedule {
    /// Slots for the values of a codelet.
    pub(in crate::algorithm) const fn of(codelet: &Codelet) -> Schedule {
        let last = last_uses(codelet);
        let mut schedule = Schedule {
            moves: [Move { op: Op::Input(0), to: 0, factor: 0 }; LONGEST],
            len: codelet.len,
            points: codelet.points,
            outputs: [0; POINTS],
        };
        let (mut slot, mut taken, mut i) = ([0; LONGEST], [false; SLOTS], 0);
        while i < codelet.len {
            let op = codelet.ops[i];
            let operands = operands(op);
            let moved = match op {
                Op::Input(k) => Op::Input(k),
                Op::Add(a, b) => Op::Add(slot_of(&slot, a), slot_of(&slot, b)),
                Op::Sub(a, b) => Op::Sub(slot_of(&slot, a), slot_of(&slot, b)),
                Op::Scale(a, factor) => Op::Scale(slot_of(&slot, a), factor),
                Op::Reduce(a, code) => Op::Reduce(slot_of(&slot, a), code),
            };
            let mut k = 0;
            while k < 2 {
                if operands[k] != ZERO && last[operands[k] as usize] == i {
                    taken[slot[operands[k] as usize] as usize] = false;
                }
                k += 1;
            }
            let mut free = 0;
            while taken[free] {
                free += 1;
            }
            taken[free] = true;
            slot[i] = free as u8;
            schedule.moves[i] = Move { op: moved, to: free as u8, factor: 0 };
            i += 1;
        }
        i = 0;
        while i < codelet.points {
            schedule.outputs[i] = slot[codelet.outputs[i] as usize];
            i += 1;
        }
        schedule
    }

    /// The same with the places of its factors in a table.
    pub(in crate::algorithm) const fn with_table(codelet: &Codelet, places: &Places) -> Schedule {
        let (mut schedule, mut n, mut i) = (Schedule::of(codelet), 0, 0);
        while i < schedule.len {
            if let Op::Scale(..) = schedule.moves[i].op {
                schedule.moves[i].factor = places[n];
                n += 1;
            }
            i += 1;
        }
        schedule
    }
}

const fn slot_of(slots: &[u8; LONGEST], value: u8) -> u8 {
    if value == ZERO { ZERO } else { slots[value as usize] }
}

const fn operands(op: Op) -> [u8; 2] {
    match op {
        Op::Input(_) => [ZERO; 2],
        Op::Add(a, b) | Op::Sub(a, b) => [a, b],
        Op::Scale(a, _) | Op::Reduce(a, _) => [a, ZERO],
    }
}

/// The operation that needs each value last; outputs are needed for ever.
const fn last_uses(codelet: &Codelet) -> [usize; LONGEST] {
    let (mut last, mut i) = ([0; LONGEST], 0);
    while i < codelet.len {
        let operands = operands(codelet.ops[i]);
        let mut k = 0;
        while k < 2 {
            if operands[k] != ZERO {
                last[operands[k] as usize] = i;
            }
            k += 1;
        }
        i += 1;
    }
    i = 0;
    while i < codelet.points {
        last[codelet.outputs[i] as usize] = LONGEST;
        i += 1;
    }
    last
}

/// Schedules for both kinds of CPU, as a type.
pub(in crate::algorithm) trait Code {
    /// For CPUs that prefer the sign step.
    const SIGN: Schedule;
    /// For CPUs that prefer Barrett.
    const BARRETT: Schedule;
}

/// The schedule of the CPUs with this token.
const fn schedule<S: Simd, C: Code>() -> Schedule {
    match S::STEP {
        LazyReduction::Sign => C::SIGN,
        LazyReduction::Barrett => C::BARRETT,
    }
}

/// How many operations the schedule has.
const fn len<S: Simd, C: Code>() -> usize {
    schedule::<S, C>().len
}

/// Operation `I`, where there is one.
#[inline(always)]
fn one<S: Simd, C: Code, M: Constants, const I: usize>(
    s: S,
    by: M,
    slots: &mut [S::I16; SLOTS],
    input: &[S::I16; POINTS],
) {
    let this = const {
        let schedule = schedule::<S, C>();
        if I < schedule.len { Some(schedule.moves[I]) } else { None }
    };
    let Some(Move { op, to, factor }) = this else { return };
    slots[to as usize] = match op {
        Op::Input(i) => input[i as usize],
        Op::Add(a, b) => s.add(slots[a as usize], slots[b as usize]),
        Op::Sub(ZERO, b) => s.sub(s.splat(0), slots[b as usize]),
        Op::Sub(a, b) => s.sub(slots[a as usize], slots[b as usize]),
        Op::Scale(a, z) => by.scale(s, slots[a as usize], z, factor),
        Op::Reduce(a, code) => by.reduce(s, code, slots[a as usize]),
    };
    s.keep_scalar(&mut slots[to as usize]);
}

/// The outputs of a codelet for its inputs.
#[inline(always)]
pub(in crate::algorithm) fn run<S: Simd, C: Code, M: OddResidues>(
    s: S,
    input: [S::I16; POINTS],
) -> [S::I16; POINTS] {
    run_by::<S, C, _>(s, Fixed::<M>(PhantomData), input)
}

/// The same with constants from anywhere.
#[inline(always)]
pub(in crate::algorithm) fn run_by<S: Simd, C: Code, M: Constants>(
    s: S,
    by: M,
    input: [S::I16; POINTS],
) -> [S::I16; POINTS] {
    s.in_parts(
        const { schedule::<S, C>().points },
        input,
        #[inline(always)]
        |input| straight::<S, C, M>(s, by, input),
    )
}

/// All operations, one after the other.
#[inline(always)]
fn straight<S: Simd, C: Code, M: Constants>(s: S, by: M, input: [S::I16; POINTS]) -> [S::I16; POINTS] {
    s.outlined(
        #[inline(always)]
        || {
            let mut slots = [s.splat(0); SLOTS];
            macro_rules! sixteen {
                // Where there are operations left: what is not there is not compiled.
                ($($first:literal)*) => { $( if const { $first < len::<S, C>() } {
                    one::<S, C, M, { $first }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 1 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 2 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 3 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 4 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 5 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 6 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 7 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 8 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 9 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 10 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 11 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 12 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 13 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 14 }>(s, by, &mut slots, &input);
                    one::<S, C, M, { $first + 15 }>(s, by, &mut slots, &input);
                } )* };
            }
            sixteen!(0 16 32 48 64 80 96 112 128 144 160 176 192 208 224 240);
            let outputs = const { schedule::<S, C>().outputs };
            each(
                #[inline(always)]
                |i| slots[outputs[i] as usize],
            )
        },
    )
}
