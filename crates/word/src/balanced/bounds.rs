//! How large lanes get, for every prime below `2^49`: in fractions of `p`, proved by the compiler.
//!
//! # What is needed
//! A lane is an integer of at most `2^52` in absolute value. Since `p < 2^PRIME_BITS`, a lane of at most
//! `LIMIT p`, where `LIMIT = 2^(52 - PRIME_BITS)`, is one. A product by a constant of a lane of at most `b p`
//! is at most `(1/2 + b / 64) p`, as `b p 2^-55 < b / 64`.
//!
//! * **Forward.** A layer makes `a + t` and `a - t`, and adds that to what lanes are at most. Coefficients
//!   are at most `p`. There is room for the eleven layers before the last six; then values are reduced.
//! * **Backward.** A pass is up to three layers on up to eight rows of values of at most `p`. A layer makes
//!   `a + b`, and a product of `a - b`. Rows that took a sum in the last layer are reduced at the end.
//!   In the last pass all are multiplied by `1 / n` instead.
//! * **Products** of values take a factor of at most `4 p` and a reduced one, and are less than `p`.
//!
//! Fractions of `p` are counted in `UNIT`s, and rounded up.

use crate::bounds::{MAX_LAYERS, PASS};

/// The bits of a lane's absolute value.
const LANE_BITS: u32 = 52;
/// Moduli are below `2^PRIME_BITS`.
pub(crate) const PRIME_BITS: u32 = 49;
/// `p` in units.
const UNIT: u32 = 4096;
/// The greatest lane.
const LIMIT: u32 = UNIT << (LANE_BITS - PRIME_BITS);
/// What is reduced: `(p + 1) / 2`, and `p >= 3`.
const REDUCED: u32 = (2 * UNIT).div_ceil(3);
/// Coefficients, and what goes into a pass backward.
const INPUT: u32 = UNIT;
/// A factor of a product of values.
const FACTOR: u32 = 4 * UNIT;
/// The layers of a block's tail.
const TAIL: u32 = 2 * PASS;
/// The rows of the widest pass.
const ROWS: usize = 1 << PASS;

/// A product by a constant, of a lane of so much.
const fn product(lane: u32) -> u32 {
    assert!(lane <= LIMIT, "a lane overflows");
    UNIT / 2 + lane.div_ceil(64)
}

/// Lanes after so many layers forward.
const fn forward(mut lane: u32, layers: u32) -> u32 {
    let mut layer = 0;
    while layer < layers {
        (lane, layer) = (lane + product(lane), layer + 1);
    }
    lane
}

/// Whether a pass of so many layers backward makes what may go into another.
const fn backward_fits(layers: u32) -> bool {
    let (mut x, mut layer) = ([INPUT; ROWS], 0);
    while layer < layers {
        let (width, mut i) = (1 << layer, 0);
        while i < 1 << layers {
            if i & width == 0 {
                let sum = x[i] + x[i + width];
                (x[i], x[i + width]) = (sum, product(sum));
            }
            i += 1;
        }
        layer += 1;
    }
    let (mut i, mut fits) = (0, REDUCED <= INPUT);
    while i < 1 << layers {
        let took_a_sum = i < 1 << (layers - 1);
        fits = fits && if took_a_sum { x[i] <= LIMIT } else { x[i] <= INPUT };
        i += 1;
    }
    fits
}

const _: () = {
    assert!(forward(INPUT, MAX_LAYERS - TAIL) <= LIMIT, "layers before the last");
    // Without a tail there are fewer layers than it has.
    assert!(forward(REDUCED, TAIL) <= FACTOR && forward(INPUT, TAIL - 1) <= FACTOR, "the last layers");
    assert!(backward_fits(1) && backward_fits(2) && backward_fits(PASS), "a pass backward");
    // A product of values is less than p; 1 / n makes coefficients; a sum and a product are reduced.
    assert!(UNIT <= INPUT && product(LIMIT) < UNIT && FACTOR + UNIT <= LIMIT, "products");
};
