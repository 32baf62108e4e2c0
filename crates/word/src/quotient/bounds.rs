//! How large lanes without a sign get, for every prime below `2^30`: in multiples of `p`, proved by the
//! compiler.
//!
//! # What is needed
//! A lane is a number below `2^32`. Since `p < 2^PRIME_BITS`, a lane below `LIMIT p`, where
//! `LIMIT = 2^(32 - PRIME_BITS)`, is one.
//!
//! * **Products by constants** are below `(1 + a / 2^32) p`, so below `2 p` of any lane `a`.
//! * **A step** takes `2 p` off where that leaves nothing negative.
//! * **Products of values** of lanes below `b p` and `c p` are Montgomery's, on numbers with a sign: from
//!   `-p / 2` to `(1/2 + b c p / 2^32) p`. One `p` more makes the negative ones positive.

use crate::narrow::PRIME_BITS;

/// The greatest lane.
const LIMIT: u32 = 1 << (u32::BITS - PRIME_BITS);
/// The greatest lane of a number with a sign.
const SIGNED: u32 = LIMIT / 2;
/// A product by a constant.
const PRODUCT: u32 = 2;
/// What a step leaves.
const STEPPED: u32 = 2;

/// A lane after a step.
const fn step(lane: u32) -> u32 {
    assert!(lane <= 2 * STEPPED, "one step is too few");
    STEPPED
}

/// Twice what Montgomery's product of two lanes is at most.
const fn twice_montgomery(a: u32, b: u32) -> u32 {
    assert!(a <= SIGNED && b <= SIGNED, "numbers with a sign");
    // In multiples of p, p / 2^32 is less than 1 / LIMIT.
    1 + (2 * a * b).div_ceil(LIMIT)
}

const _: () = {
    assert!(step(LIMIT) + PRODUCT <= LIMIT, "forward");
    assert!(PRODUCT <= STEPPED && STEPPED + STEPPED <= LIMIT, "sums and differences backward");
    assert!(twice_montgomery(step(LIMIT), step(LIMIT)) <= 2 * STEPPED, "products of values");
    assert!(step(step(LIMIT) + STEPPED) <= STEPPED, "sums of products");
};
