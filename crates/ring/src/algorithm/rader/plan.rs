//! The codelets of the transform, with their reductions, and the tables of its substitutions.

use super::{BLOCK, INPUTS, PRIME, root_of_two};
use crate::algorithm::codelet::chain::{Chain, LANE, NOWHERE, Source, Sources, scaled_lane};
use crate::algorithm::codelet::dft::{self, rader_back, rader_forward};
use crate::algorithm::codelet::run::{Code, Schedule};
use crate::algorithm::codelet::{Codelet, POINTS};
use crate::algorithm::network::{Aligned, Twiddle};
use crate::bound::Bound;
use crate::number::{inverse, power, root_of_unity};
use crate::reduce::montgomery::Factor;
use ringsmith_simd::LazyReduction;

/// The codelets, in the order in which they run.
pub(super) const SEVENTEEN: usize = 0;
pub(super) const SIX: usize = 1;
pub(super) const SIX_BACK: usize = 2;
pub(super) const SEVENTEEN_BACK: usize = 3;
const CODELETS: usize = 4;

/// A root of unity of order 17.
const fn omega(q: i64) -> i64 {
    root_of_unity(PRIME as u64, q)
}

/// One of order 3.
const fn eta(q: i64) -> i64 {
    root_of_unity(3, q)
}

/// Codelet `i` without its reductions.
const fn plain(q: i64, i: usize) -> Codelet {
    match i {
        SEVENTEEN => rader_forward(omega(q), q, INPUTS),
        SIX => dft::dft(BLOCK, q - eta(q), q, &[true; POINTS]),
        SIX_BACK => dft::dft(BLOCK, inverse(q - eta(q), q), q, &[true; POINTS]),
        _ => rader_back(omega(q), q),
    }
}

/// Whether row `r` of an element is multiplied by a factor: that of row 0 is 1.
pub(super) const fn is_twisted(r: usize) -> bool {
    r > 0
}

/// Where the inputs of codelet `i` come from: operands and products are centred; between 17 points and six,
/// rows are multiplied by their factors, but for the first; before the way back every row is multiplied by a
/// table.
const fn sources(q: i64, i: usize) -> Sources {
    let (mut sources, mut k) = (NOWHERE, 0);
    while k < POINTS {
        sources[k] = match i {
            SEVENTEEN if k < INPUTS => Source::Outside(Bound::centred(q)),
            SIX if k < BLOCK && is_twisted(k) => Source::Scaled(SEVENTEEN),
            SIX if k < BLOCK => Source::Left(SEVENTEEN),
            SIX_BACK if k < BLOCK => Source::Outside(scaled_lane(q)),
            SEVENTEEN_BACK => Source::Outside(Bound::centred(q)),
            _ => sources[k],
        };
        k += 1;
    }
    sources
}

/// The codelets with their reductions, for one kind of CPU.
const fn find(q: i64, step: LazyReduction) -> Chain<CODELETS> {
    let (mut codelets, mut from, mut i) = ([Codelet::new(q); CODELETS], [NOWHERE; CODELETS], 0);
    while i < CODELETS {
        (codelets[i], from[i]) = (plain(q, i), sources(q, i));
        i += 1;
    }
    let mut chain = Chain::new(codelets, from);
    // Six points take what seventeen leave; what the others leave is reduced.
    chain.place_closely(step, SEVENTEEN, LANE.high);
    i = SIX;
    while i < CODELETS {
        chain.place(step, i, LANE.high);
        i += 1;
    }
    chain.drop_needless(step)
}

/// The plans for both kinds of CPU.
#[derive(Clone, Copy)]
pub struct Plans {
    sign: Chain<CODELETS>,
    barrett: Chain<CODELETS>,
}

impl Plans {
    const fn find(q: i64) -> Plans {
        Plans { sign: find(q, LazyReduction::Sign), barrett: find(q, LazyReduction::Barrett) }
    }

    /// The plans with reduction `i` of each left out.
    pub const fn without(&self, i: usize) -> Plans {
        Plans { sign: self.sign.without(i), barrett: self.barrett.without(i) }
    }

    /// The number of reductions: the test of the proof leaves each of them out once.
    pub const fn counts(&self) -> [usize; 2] {
        [self.sign.count(), self.barrett.count()]
    }

    /// Whether every lane of the codelets holds every value, on any CPU.
    pub(super) const fn hold(&self) -> bool {
        self.sign.holds(LazyReduction::Sign) && self.barrett.holds(LazyReduction::Barrett)
    }
}

/// Whether there are plans modulo `q`, in which every lane of the codelets holds every value on any CPU.
pub(super) const fn hold(q: i64) -> bool {
    Plans::find(q).hold()
}

/// The constants of the transform modulo `Q`.
pub(super) struct Tables<const Q: i64>;

impl<const Q: i64> Tables<Q> {
    const OMEGA: i64 = omega(Q);
    const ETA: i64 = eta(Q);
    /// A square root of 2.
    pub(super) const SIGMA: i64 = match root_of_two(Q) {
        Some(root) => root,
        None => panic!("2 is no square"),
    };

    /// The plans that the kernels read and the proof replays.
    pub(super) const PLANS: Plans = Plans::find(Q);

    /// `w^14`, the factor of `x` for `k` = 1: its 96th power is `w`.
    const TWIST: i64 = {
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
            let z = power(Self::TWIST, (16 * (k + 1) * r) as u64, Q);
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
                let twist =
                    power(Self::TWIST, ((lane + 1) * l) as u64, Q) * power(Self::ETA, (m * l) as u64, Q) % Q;
                let z = if back { inverse(twist, Q) * scale % Q } else { twist };
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
pub(super) struct Nth<const Q: i64, const I: usize>;

impl<const Q: i64, const I: usize> Code for Nth<Q, I> {
    const SIGN: Schedule = Schedule::of(&Tables::<Q>::PLANS.sign.codelets[I]);
    const BARRETT: Schedule = Schedule::of(&Tables::<Q>::PLANS.barrett.codelets[I]);
}
