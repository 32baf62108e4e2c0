//! How large lanes of 64 bits get, for every prime below `2^60`, and for every one below `2^62`: in multiples
//! of `p`, proved by the compiler.
//!
//! # What is needed
//! A lane is a number in `[0, 2^64)`. Where `p < 2^BITS`, a value below `LIMIT p`, with
//! `LIMIT = 2^(64 - BITS)`, is one.
//!
//! * **Products.** A product by a constant is below `TIMES p`, for every lane (`ringsmith_simd::WordLanes`).
//!   Where half of `LIMIT` is less, it takes a *step*: half of `LIMIT p` is taken off, where it is not less.
//!   Then it is below `PRODUCT p`.
//! * **Forward**, values are below `LIMIT p`. A layer makes `a + t` and `a - t + PRODUCT p` of `a` and `b`,
//!   where `a` has taken a step before and `t` is a product. Where `LIMIT` is large enough, the second of two
//!   layers needs none.
//! * **Backward**, values are below `HALF p`. A layer makes `a + b`, which then takes a step, and a product
//!   of `a - b + HALF p`. Where `a` and `b` are products themselves, their sum may need none.
//! * **Products of values.** A factor below `PRODUCT p` and any lane have a Montgomery product below
//!   `(PRODUCT + 1) p`, which may take a step.

/// The bits of a lane.
const LANE_BITS: u32 = u64::BITS;
/// Moduli are below `2^PRIME_BITS`.
pub(crate) const PRIME_BITS: u32 = 62;
/// Below `2^LAZY_BITS` fewer steps are needed.
pub(crate) const LAZY_BITS: u32 = 60;
/// A product by a constant, as tokens make it, is less.
const TIMES: u64 = 4;

/// The bounds for primes below `2^BITS`.
pub(crate) struct Bounds<const BITS: u32>;

impl<const BITS: u32> Bounds<BITS> {
    /// What a lane holds.
    const LIMIT: u64 = 1 << (LANE_BITS - BITS);
    /// What a step takes off; what goes into a layer backward is less.
    pub(crate) const HALF: u64 = Self::LIMIT / 2;
    /// Whether products by constants take a step.
    pub(crate) const STEP: bool = TIMES > Self::HALF;
    /// A product by a constant is less.
    pub(crate) const PRODUCT: u64 = if Self::STEP { step(TIMES, Self::HALF) } else { TIMES };
    /// Whether the second of two layers forward needs no step.
    pub(crate) const TWO_LAYERS: bool = Self::HALF + 2 * Self::PRODUCT <= Self::LIMIT;
    /// Whether a sum of two products needs no step.
    pub(crate) const SUM: bool = 2 * Self::PRODUCT <= Self::HALF;
    /// Whether a product of values needs a step.
    pub(crate) const VALUES: bool = Self::PRODUCT + 1 > Self::HALF;

    /// Whether all this is so.
    const HOLDS: bool = {
        let after = step(Self::LIMIT, Self::HALF);
        assert!(TIMES <= Self::LIMIT, "a product is a lane");
        assert!(after + Self::PRODUCT <= Self::LIMIT, "a layer forward");
        assert!(2 * Self::HALF <= Self::LIMIT && after <= Self::HALF, "a layer backward");
        assert!(Self::PRODUCT <= Self::HALF, "a product may go backward");
        assert!(step(Self::PRODUCT + 1, Self::HALF) <= Self::HALF, "a product of values may go backward");
        // A number that is written takes steps of 2 p and of p.
        assert!(step(step(Self::PRODUCT, 2), 1) == 1, "a number in [0, p)");
        true
    };
}

/// A value below `value p` after a step of `by p`.
const fn step(value: u64, by: u64) -> u64 {
    assert!(value <= 2 * by, "one step is too few");
    if value < by { value } else { by }
}

const _: () = assert!(Bounds::<LAZY_BITS>::HOLDS && Bounds::<PRIME_BITS>::HOLDS, "lanes of 64 bits");
