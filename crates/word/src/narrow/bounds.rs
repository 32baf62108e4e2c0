//! How large lanes of 32 bits get, for every prime below `2^30`: in multiples of `p`, proved by the compiler.
//!
//! # What is needed
//! A lane is a number in `[-2^31, 2^31)`. Since `p < 2^PRIME_BITS`, a lane of at most `LIMIT p` in absolute
//! value, where `LIMIT = 2^(31 - PRIME_BITS)`, is one.
//!
//! * **Products.** A constant is at most `p / 2`, and `p / 2^32 < 2^(PRIME_BITS - 32)`: a sum of products by
//!   constants, of lanes of at most `b p` together, is at most `b p^2 / 2`, and reduced at most
//!   `(1/2 + b 2^(PRIME_BITS - 33)) p`.
//! * **A step** takes `p` off where a lane is positive, and adds it where it is negative: `2 p` becomes `p`.
//! * **Forward**, lanes are at most `LIMIT p`, **backward** at most `p`, before and after every butterfly.
//!
//! Fractions of `p` are counted in `UNIT`s; all divisions below are exact.

/// The bits of a lane's absolute value.
const LANE_BITS: u32 = 31;
/// Moduli are below `2^PRIME_BITS`.
pub(crate) const PRIME_BITS: u32 = 30;
/// `p` in units.
const UNIT: u32 = 64;
/// The greatest lane.
const LIMIT: u32 = UNIT << (LANE_BITS - PRIME_BITS);

/// A reduced sum of products by constants, of lanes of so much together.
const fn product(lanes: u32) -> u32 {
    let by = 1 << (LANE_BITS + 2 - PRIME_BITS);
    assert!(lanes.is_multiple_of(by), "a fraction of a unit");
    UNIT / 2 + lanes / by
}

/// A lane after a step.
const fn step(lane: u32) -> u32 {
    assert!(lane <= 2 * UNIT, "one step is too few");
    UNIT
}

/// What a butterfly makes of lanes forward.
const fn butterfly(lane: u32) -> u32 {
    step(lane) + product(lane)
}

/// What two layers at once make of lanes forward: `a +- t`, stepped, and `+- u`.
const fn quad(lane: u32) -> u32 {
    let middle = step(lane) + product(lane);
    assert!(middle <= LIMIT, "the middle of two layers");
    step(middle) + product(2 * lane)
}

/// What two layers at once make of lanes backward: a sum of two sums, and the sum of two products of
/// differences.
const fn quad_back(lane: u32) -> u32 {
    let sum = step(2 * lane);
    assert!(2 * lane <= LIMIT && 2 * sum <= LIMIT, "sums and differences backward");
    let (sum, one, two) = (step(2 * sum), product(2 * sum), product(2 * 2 * lane));
    let greater = if one > two { one } else { two };
    if sum > greater { sum } else { greater }
}

const _: () = {
    assert!(butterfly(LIMIT) <= LIMIT && quad(LIMIT) <= LIMIT, "forward");
    assert!(2 * UNIT <= LIMIT && step(2 * UNIT) <= UNIT && product(2 * UNIT) <= UNIT, "a butterfly backward");
    assert!(quad_back(UNIT) <= UNIT, "two layers backward");
    // The product of two lanes is at most LIMIT / UNIT times what that of one and a constant of p is, twice
    // what it is by a constant of p / 2.
    assert!(step(product(2 * LIMIT / UNIT * LIMIT)) <= UNIT, "products of values");
    // A sum may be a transform as it is.
    assert!(step(step(LIMIT) + UNIT) <= UNIT, "sums of products");
};
