//! How large lanes get that K-RED reduces: in multiples of `p`, proved by the compiler for every prime
//! `p = k 2^M + 1` with `k < 2^K_BITS` at once.
//!
//! # What is needed
//! A lane is a number in `[-2^31, 2^31)`. Since `p < 2^(K_BITS + M)`, a lane of at most `LIMIT p` in absolute
//! value is one, where `LIMIT = 2^(31 - K_BITS - M)`.
//!
//! * **Products.** Two steps take a sum of products `C` to `k D_0 - D_1` with `D = k C_0 - C_1`, where `X_0`
//!   is in `[0, 2^M)` and `X = X_0 + 2^M X_1`. So `|D| <= p + |C| / 2^M`, and the result is at most
//!   `p + |C| / 2^(2 M)`: `k D_0` is at most `p - 1 - k`, and what is left of `p` pays for the floors. A
//!   constant is at most `p / 2`, and `p / 2^(2 M) < 2^(K_BITS - M)`: a sum of products by constants, of
//!   lanes of at most `b p` together, is reduced at most `(1 + b 2^(K_BITS - M - 1)) p`.
//! * **A step** takes `s p` off where a lane is positive, and adds it where it is negative: `b p` becomes the
//!   greater of `s p` and `(b - s) p`.
//! * **Forward**, lanes are at most `FORWARD p`, **backward** at most `BACKWARD p`, before and after every
//!   butterfly and every two layers.
//!
//! Steps of one lane in four suffice forward, because `p` leaves five bits of a lane and a product is small.
//! They would not if `k` had a bit more, which is proved as well.
//!
//! Fractions of `p` are counted in `UNIT`s; all divisions below are exact.

/// The bits of a lane's absolute value.
const LANE_BITS: u32 = 31;
/// The bits of a word's, which multiplications by `k` take.
const WORD_BITS: u32 = 15;
/// `p - 1` is a multiple of `2^M`.
pub(crate) const M: u32 = 14;
/// `k` is below `2^K_BITS`.
const K_BITS: u32 = 12;
/// Moduli are below `2^PRIME_BITS`.
pub(crate) const PRIME_BITS: u32 = K_BITS + M;
/// `p` in units.
const UNIT: u32 = 64;
/// The greatest step, in multiples of `p`; there are one of half and one of a quarter of it, too.
pub(crate) const STEP: u32 = 8;
/// What lanes are forward, in units.
const FORWARD: u32 = 2 * STEP * UNIT;
/// The same backward.
const BACKWARD: u32 = STEP / 4 * UNIT;

/// A class of primes.
#[derive(Clone, Copy)]
struct Form {
    /// `p - 1` is a multiple of `2^m`.
    m: u32,
    /// The quotient is below `2^k_bits`.
    k_bits: u32,
}

impl Form {
    /// A reduced sum of products by constants, of lanes of so much together.
    const fn product(self, lanes: u32) -> u32 {
        let by = 1 << (self.m + 1 - self.k_bits);
        assert!(lanes.is_multiple_of(by), "a fraction of a unit");
        UNIT + lanes / by
    }

    /// Whether two layers at once leave lanes forward as they are: `a +- t`, of which `a` was stepped, and
    /// `+- u`. A butterfly does less.
    const fn forward_fits(self) -> bool {
        let middle = step(FORWARD, STEP) + self.product(FORWARD);
        middle <= FORWARD && middle + self.product(2 * FORWARD) <= FORWARD
    }

    /// The same backward: two sums, which take two steps, the product of a difference of sums, and the sum of
    /// two products of differences; and a butterfly.
    const fn backward_fits(self) -> bool {
        let sum = step(step(4 * BACKWARD, STEP / 2), STEP / 4);
        let (one, two) = (self.product(4 * BACKWARD), self.product(2 * 2 * BACKWARD));
        sum <= BACKWARD
            && one <= BACKWARD
            && two <= BACKWARD
            && step(2 * BACKWARD, STEP / 4) <= BACKWARD
            && self.product(2 * BACKWARD) <= BACKWARD
    }

    /// Whether products of values go backward after three steps: of a lane forward and one backward, which is
    /// twice as much as a constant for each `p`.
    const fn products_fit(self) -> bool {
        steps(self.product(2 * BACKWARD / UNIT * FORWARD)) <= BACKWARD
    }

    /// Whether lanes hold all that, and the words that `k` is multiplied by are words.
    const fn serves(self) -> bool {
        let limit = UNIT << (LANE_BITS - self.k_bits - self.m);
        let words = self.m <= WORD_BITS && self.k_bits <= WORD_BITS;
        let lanes = FORWARD + BACKWARD <= limit && self.product(2 * BACKWARD / UNIT * FORWARD) <= limit;
        words && lanes && self.forward_fits() && self.backward_fits() && self.products_fit()
    }
}

/// A lane after a step.
const fn step(lane: u32, by: u32) -> u32 {
    let (by, rest) = (by * UNIT, lane.saturating_sub(by * UNIT));
    if rest > by { rest } else { by }
}

/// A lane after all three.
const fn steps(lane: u32) -> u32 {
    step(step(step(lane, STEP), STEP / 2), STEP / 4)
}

const _: () = {
    assert!(Form { m: M, k_bits: K_BITS }.serves(), "the primes that are served");
    assert!(!Form { m: M, k_bits: K_BITS + 1 }.serves(), "a greater k");
    assert!(steps(FORWARD) <= BACKWARD && step(2 * BACKWARD, STEP / 4) <= BACKWARD, "sums of products");
    // Numbers, of at most p, times a constant; and a lane times a constant, as a coefficient.
    assert!(Form { m: M, k_bits: K_BITS }.product(BACKWARD) <= BACKWARD, "coefficients");
    // A lane forward, times 1, is reduced at most p - k + |C| / 2^(2 M), where p < 2^(2 M).
    assert!(PRIME_BITS <= 2 * M && FORWARD / UNIT <= 1 << M, "numbers that are written");
};
