//! The codelets of the transform, with their reductions, and the tables of its substitutions.

use super::{BLOCK, INPUTS, PRIME, root_of_two};
use crate::algorithm::codelet::dft::{self, rader_back, rader_forward};
use crate::algorithm::codelet::place::{Bounds, NOTHING, reductions, widest, without};
use crate::algorithm::codelet::run::{Code, Schedule};
use crate::algorithm::codelet::{Codelet, POINTS};
use crate::algorithm::network::{Aligned, Twiddle};
use crate::algorithm::plan::KEEP_ALL;
use crate::bound::Bound;
use crate::number::{inverse, power, root_of_unity};
use crate::reduce::montgomery::{Factor, bound_any};
use ringsmith_simd::Step;

/// The codelets, in the order in which they run.
pub(super) const SEVENTEEN: usize = 0;
pub(super) const SIX: usize = 1;
pub(super) const SIX_BACK: usize = 2;
pub(super) const SEVENTEEN_BACK: usize = 3;
const CODELETS: usize = 4;

/// Every lane.
const LANE: Bound = Bound::symmetric(i16::MAX as i64);

/// The transform modulo `Q`. `CLEAR` leaves a reduction out.
pub(super) struct Plan<const Q: i64, const CLEAR: usize = KEEP_ALL>;

impl<const Q: i64, const CLEAR: usize> Plan<Q, CLEAR> {
    /// A root of unity of order 17.
    const OMEGA: i64 = root_of_unity(PRIME as u64, Q);
    /// One of order 3.
    const ETA: i64 = root_of_unity(3, Q);
    /// A square root of 2.
    pub(super) const SIGMA: i64 = match root_of_two(Q) {
        Some(root) => root,
        None => panic!("2 is no square"),
    };

    const fn plain(i: usize) -> Codelet {
        match i {
            SEVENTEEN => rader_forward(Self::OMEGA, Q, INPUTS),
            SIX => dft::dft(BLOCK, Q - Self::ETA, Q, &[true; POINTS]),
            SIX_BACK => dft::dft(BLOCK, inverse(Q - Self::ETA, Q), Q, &[true; POINTS]),
            _ => rader_back(Self::OMEGA, Q),
        }
    }

    /// Where the inputs of a codelet lie: those of 17 points are centred, before those of six is a product by a constant.
    const fn input(i: usize) -> Bound {
        match i {
            SEVENTEEN | SEVENTEEN_BACK => Bound::centred(Q),
            _ => bound_any(LANE, Q),
        }
    }

    const fn inputs(i: usize) -> Bounds {
        let (mut inputs, mut k) = ([NOTHING; POINTS], 0);
        while k < match i {
            SEVENTEEN => INPUTS,
            SIX | SIX_BACK => BLOCK,
            _ => POINTS,
        } {
            inputs[k] = Self::input(i);
            k += 1;
        }
        inputs
    }

    const fn placed(step: Step, i: usize) -> Codelet {
        let inputs = Self::inputs(i);
        let placed = Self::plain(i).place(step, &inputs, LANE.high);
        placed.codelet.drop_needless(step, &inputs, LANE)
    }

    const fn whole(step: Step) -> [Codelet; CODELETS] {
        let (mut codelets, mut i) = ([Codelet::new(Q); CODELETS], 0);
        while i < CODELETS {
            codelets[i] = Self::placed(step, i);
            i += 1;
        }
        codelets
    }

    const WHOLE: [[Codelet; CODELETS]; 2] = [Self::whole(Step::Sign), Self::whole(Step::Barrett)];
    const SIGN: [Codelet; CODELETS] = without(Plan::<Q>::WHOLE[0], CLEAR);
    const BARRETT: [Codelet; CODELETS] = without(Plan::<Q>::WHOLE[1], CLEAR);

    /// How many reductions each plan has: the cases of the test of the proof.
    pub(super) const COUNTS: [usize; 2] =
        [reductions(&Plan::<Q>::WHOLE[0]), reductions(&Plan::<Q>::WHOLE[1])];

    /// Whether every lane of the codelets holds every value, on any CPU.
    pub(super) const HOLDS: bool = {
        let (mut holds, mut i) = (true, 0);
        while i < CODELETS {
            let inputs = Self::inputs(i);
            let outputs = [
                Self::SIGN[i].outputs_of(Step::Sign, &inputs),
                Self::BARRETT[i].outputs_of(Step::Barrett, &inputs),
            ];
            holds = holds
                && matches!(&outputs[0], Some(x) if widest(x, Self::SIGN[i].points).within(LANE))
                && matches!(&outputs[1], Some(x) if widest(x, Self::BARRETT[i].points).within(LANE));
            i += 1;
        }
        holds
    };

    /// `w^14`, the factor of `x` for `k` = 1: its 96th power is `w`.
    const TURN: i64 = {
        let mut s = 0;
        while 16 * BLOCK * s % PRIME != 1 {
            s += 1;
        }
        power(Self::OMEGA, s as u64, Q)
    };

    /// The factors of row `r` of the element of `k`, `at[k - 1][r]`, forward and backwards.
    pub(super) const ROWS: [[[Factor; BLOCK]; POINTS]; 2] = {
        let mut table = [[[Factor::new(1, Q); BLOCK]; POINTS]; 2];
        let mut i = 0;
        while i < POINTS * BLOCK {
            let (k, r) = (i / BLOCK, i % BLOCK);
            let z = power(Self::TURN, (16 * (k + 1) * r) as u64, Q);
            (table[0][k][r], table[1][k][r]) = (Factor::new(z, Q), Factor::new(inverse(z, Q), Q));
            i += 1;
        }
        table
    };

    /// The factors of coefficient `l` of the problems of `m`, one for each lane `k - 1`: `16 m + l`.
    const fn lanes(back: bool) -> [Twiddle; POINTS * BLOCK] {
        // Undone at the end: 17 and 6 points, two splits, and the factor of the products.
        let scale = power(2, 16, Q) * inverse((2 * PRIME * BLOCK) as i64, Q) % Q;
        let (mut table, mut i) = ([[[0; 16]; 2]; POINTS * BLOCK], 0);
        while i < POINTS * BLOCK {
            let (m, l) = (i / POINTS, i % POINTS);
            let mut lane = 0;
            while lane < 16 {
                let turn =
                    power(Self::TURN, ((lane + 1) * l) as u64, Q) * power(Self::ETA, (m * l) as u64, Q) % Q;
                let z = if back { inverse(turn, Q) * scale % Q } else { turn };
                let factor = Factor::new(z, Q);
                (table[i][0][lane], table[i][1][lane]) = (factor.z, factor.zq);
                lane += 1;
            }
            i += 1;
        }
        table
    }

    /// The table forward.
    pub(super) const LANES: Aligned<[Twiddle; POINTS * BLOCK]> = Aligned(Self::lanes(false));
    /// The table backwards.
    pub(super) const LANES_BACK: Aligned<[Twiddle; POINTS * BLOCK]> = Aligned(Self::lanes(true));
}

/// Codelet `I`, for [`run`](crate::algorithm::codelet::run::run).
pub(super) struct Nth<const Q: i64, const CLEAR: usize, const I: usize>;

impl<const Q: i64, const CLEAR: usize, const I: usize> Code for Nth<Q, CLEAR, I> {
    const SIGN: Schedule = Schedule::of(&Plan::<Q, CLEAR>::SIGN[I]);
    const BARRETT: Schedule = Schedule::of(&Plan::<Q, CLEAR>::BARRETT[I]);
}
