//! Running a codelet on a token.
//!
//! Every operation is a function of its own, instantiated with the operation as a constant and inlined, so
//! that what the compiler sees is the straight line. Values live in slots that are used again when nothing
//! needs them any more: as many as are alive at once.

use super::{Codelet, LONGEST, Op, POINTS, ZERO};
use crate::algorithm::plan;
use crate::reduce::residues::OddResidues;
use ringsmith_simd::{LazyReduction, Simd, each};

/// The greatest number of values that are alive at once.
const SLOTS: usize = 48;

/// An operation on slots.
#[derive(Clone, Copy)]
pub(in crate::algorithm) struct Move {
    op: Op,
    to: u8,
}

/// A codelet with its values in slots.
pub(in crate::algorithm) struct Schedule {
    moves: [Move; LONGEST],
    len: usize,
    outputs: [u8; POINTS],
}

impl Schedule {
    /// Slots for the values of a codelet.
    pub(in crate::algorithm) const fn of(codelet: &Codelet) -> Schedule {
        let last = last_uses(codelet);
        let mut schedule = Schedule {
            moves: [Move { op: Op::Input(0), to: 0 }; LONGEST],
            len: codelet.len,
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
            schedule.moves[i] = Move { op: moved, to: free as u8 };
            i += 1;
        }
        i = 0;
        while i < codelet.points {
            schedule.outputs[i] = slot[codelet.outputs[i] as usize];
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
fn one<S: Simd, C: Code, M: OddResidues, const I: usize>(
    s: S,
    slots: &mut [S::I16; SLOTS],
    input: &[S::I16; POINTS],
) {
    let this = const {
        let schedule = schedule::<S, C>();
        if I < schedule.len { Some(schedule.moves[I]) } else { None }
    };
    let Some(Move { op, to }) = this else { return };
    slots[to as usize] = match op {
        Op::Input(i) => input[i as usize],
        Op::Add(a, b) => s.add(slots[a as usize], slots[b as usize]),
        Op::Sub(ZERO, b) => s.sub(s.splat(0), slots[b as usize]),
        Op::Sub(a, b) => s.sub(slots[a as usize], slots[b as usize]),
        Op::Scale(a, z) => M::BY.scale(s, slots[a as usize], z),
        Op::Reduce(a, code) => plan::reduce_in::<S, M>(s, code, slots[a as usize]),
    };
    s.keep_scalar(&mut slots[to as usize]);
}

/// The outputs of a codelet for its inputs.
#[inline(always)]
pub(in crate::algorithm) fn run<S: Simd, C: Code, M: OddResidues>(
    s: S,
    input: [S::I16; POINTS],
) -> [S::I16; POINTS] {
    s.outlined(
        #[inline(always)]
        || {
            let mut slots = [s.splat(0); SLOTS];
            macro_rules! sixteen {
                // Where there are operations left: what is not there is not compiled.
                ($($first:literal)*) => { $( if const { $first < len::<S, C>() } {
                    one::<S, C, M, { $first }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 1 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 2 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 3 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 4 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 5 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 6 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 7 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 8 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 9 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 10 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 11 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 12 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 13 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 14 }>(s, &mut slots, &input);
                    one::<S, C, M, { $first + 15 }>(s, &mut slots, &input);
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
