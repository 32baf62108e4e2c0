//! How large lanes get, for every prime below `2^46`: in multiples of `p`, proved by the compiler.
//!
//! # What is needed
//! A lane is a number in `[0, 2^52)`, its low 52 bits; what stands above is of no meaning. Since
//! `p < 2^PRIME_BITS`, a value of up to `LIMIT p` is one, where `LIMIT = 2^(52 - PRIME_BITS)`.
//!
//! * **Forward.** A layer makes `a + t` and `a - t` of `a` and `b`, where `t` is in `[0, 2 p)` for every `b`
//!   ([`times`](super::Lanes52::times)). It widens the interval by `2 p` on both sides. Values
//!   start in `[START p, (START + 2) p)`, which leaves room for `LAYERS` layers; after these, or earlier,
//!   they are renewed: reduced below `2 p`, and `START p` added.
//! * **Backward.** A pass is up to three layers on up to eight rows of values below `INPUT p`. A layer makes
//!   `a + b`, and a product of `a - b + OFFSET p`, below `2 p`. The first row takes sums alone and is reduced
//!   at the end; any other row is a product and then takes up to two sums.
//! * **Products.** A factor below `2 p` and one below `LIMIT p` have a Montgomery product below `3 p`.
//!
//! # At set-up
//! A ring is left with three inequalities: `p < 2^PRIME_BITS`, `n <= MAX_DEGREE`, and that `p` is prime with
//! the roots that it needs.

use crate::bounds::{MAX_LAYERS, PASS};

/// The bits of a lane that count.
pub(crate) const LANE_BITS: u32 = 52;
/// Moduli are below `2^PRIME_BITS`.
pub(crate) const PRIME_BITS: u32 = 46;
/// What a lane holds, in multiples of `p`.
const LIMIT: u64 = 1 << (LANE_BITS - PRIME_BITS);
/// A product by a constant, and what is reduced, is less.
const REDUCED: u64 = 2;
/// How many layers forward need no reduction.
pub(crate) const LAYERS: u32 = ((LIMIT - REDUCED) / (2 * REDUCED)) as u32;
/// Where values start, so that no difference is negative.
pub(crate) const START: u64 = REDUCED * LAYERS as u64;
/// What goes into a pass backward is less.
pub(crate) const INPUT: u64 = LIMIT >> PASS;
/// What is added before a number is subtracted backward: no less than any of them.
pub(crate) const OFFSET: u64 = INPUT << (PASS - 1);

/// The least and the greatest value after so many layers forward.
const fn forward(layers: u32) -> (i64, i64) {
    let widened = (REDUCED * layers as u64) as i64;
    (START as i64 - widened, (START + REDUCED) as i64 + widened)
}

/// Whether lanes hold every value of so many layers forward: a layer widens, so the last is the widest.
const fn forward_fits(layers: u32) -> bool {
    let (low, high) = forward(layers);
    0 <= low && high <= LIMIT as i64
}

/// Whether lanes hold every value of a pass of so many layers backward, and what goes out may go into
/// another.
const fn backward_fits(layers: u32) -> bool {
    let (mut sum, mut layer) = (INPUT, 0);
    while layer < layers {
        // A difference of two sums, the offset added, is neither negative nor too large.
        if sum > OFFSET || sum + OFFSET > LIMIT {
            return false;
        }
        (sum, layer) = (2 * sum, layer + 1);
    }
    // The first row is reduced. A row that was a product in the first layer has been doubled since.
    sum <= LIMIT && REDUCED <= INPUT && REDUCED << (layers - 1) <= INPUT
}

/// `floor(a b / 2^52) < PRODUCT - p` for factors below `2 p` and `LIMIT p`, as `LIMIT p <= 2^52`; `p` is
/// added.
const PRODUCT: u64 = REDUCED + 1;

const _: () = {
    assert!(forward_fits(LAYERS) && !forward_fits(LAYERS + 1), "layers forward");
    assert!(backward_fits(1) && backward_fits(2) && backward_fits(PASS), "a pass backward");
    // Where there are more layers, values are renewed once, after the first pass.
    assert!(MAX_LAYERS <= LAYERS + PASS, "layers after a renewal");
    // Products, and a reduced sum with a product added, go backward.
    assert!(PRODUCT <= INPUT && REDUCED + PRODUCT <= INPUT, "products");
};
