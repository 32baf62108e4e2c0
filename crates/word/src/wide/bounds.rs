//! How large lanes get, for every prime below `2^PRIME_BITS`: in multiples of `p`, proved by the compiler.
//!
//! # What is needed
//! A lane is a number in `[0, 2^52)`, its low 52 bits; what stands above is of no meaning. Since
//! `p < 2^PRIME_BITS`, a value of up to `LIMIT p` is one, where `LIMIT = 2^(52 - PRIME_BITS)`.
//!
//! * **Forward.** A layer makes `a + t` and `a - t` of `a` and `b`, where `t` is in `(-p, p)` for every `b`.
//!   So it widens the interval by `p` on both sides. Values start within `p` of `START p`, the middle, which
//!   leaves room for `LAYERS` layers: 31 below `2^46`, more than there are; 3 below `2^49`, as many as a pass
//!   has; one below `2^50`. In the second case every pass *renews* its values first: reduces them and adds
//!   what puts them into the middle. In the third every layer renews `a`, as `b` may be anything.
//! * **Backward.** A pass is up to three layers on up to eight rows of values below `INPUT p`. A layer makes
//!   `a + b`, and a product of `a - b + OFFSET p`, below `2 p`. The first row takes sums alone and is reduced
//!   at the end; any other row is a product and then takes up to two sums. Below `2^49` there is room for two
//!   sums: rows that have taken two are reduced before a third, and all that took one in the last layer are
//!   reduced at the end. Below `2^50` every sum is reduced.
//! * **Full lanes.** Below `2^51` `LIMIT` is 2: one step of `2 p` takes every sum and every difference of two
//!   values back below `2 p`. It compares whole lanes, which hold `4 p`.
//! * **Products.** A factor below `p` or `2 p` and one below `LIMIT p` have a Montgomery product below
//!   `2 p` or `3 p`.
//!
//! # At set-up
//! A ring is left with three inequalities: `p < 2^PRIME_BITS`, `n <= MAX_DEGREE`, and that `p` is prime with
//! the roots that it needs.

use crate::bounds::{MAX_LAYERS, PASS};

/// The bits of a lane that count.
pub(crate) const LANE_BITS: u32 = 52;
/// A product by a constant, made positive, and what is reduced, is less.
const REDUCED: u64 = 2;
/// The rows of the widest pass.
const ROWS: usize = 1 << PASS;

/// The bounds for primes below `2^PRIME_BITS`.
pub(crate) struct Bounds<const PRIME_BITS: u32>;

impl<const PRIME_BITS: u32> Bounds<PRIME_BITS> {
    /// What a lane holds, in multiples of `p`.
    pub(crate) const LIMIT: u64 = 1 << (LANE_BITS - PRIME_BITS);
    /// Where values start: in the middle.
    pub(crate) const START: u64 = Self::LIMIT / 2;
    /// How many layers forward need no reduction.
    pub(crate) const LAYERS: u32 = (Self::START - REDUCED / 2) as u32;
    /// Whether values are reduced on the way: where there is no room for all layers at once.
    pub(crate) const TIGHT: bool = Self::LAYERS < MAX_LAYERS;
    /// Whether passes reduce their values: where there is room for the layers of one.
    pub(crate) const EACH_PASS: bool = Self::TIGHT && Self::LAYERS >= PASS;
    /// Whether layers do, each: where there is no such room.
    pub(crate) const EACH_LAYER: bool = Self::LAYERS < PASS;
    /// Whether there is no room for one layer: then they reduce both of their results.
    pub(crate) const FULL: bool = Self::LAYERS == 0;
    /// What goes into a pass backward is less.
    pub(crate) const INPUT: u64 = if Self::TIGHT { REDUCED } else { Self::LIMIT >> PASS };
    /// What is added before a number is subtracted backward, no less than any of them; the step of full
    /// lanes.
    pub(crate) const OFFSET: u64 = if Self::FULL { REDUCED } else { Self::LIMIT / 2 };
    /// The second factor of a product is less.
    const OPERAND: u64 = if Self::TIGHT { 1 } else { REDUCED };

    /// Whether lanes hold every value of so many layers forward.
    const fn forward_fits(layers: u32) -> bool {
        let reach = REDUCED / 2 + layers as u64;
        reach <= Self::START && Self::START + reach <= Self::LIMIT
    }

    /// Whether lanes hold every value of a pass of so many layers backward, and what goes out may go into
    /// another.
    const fn backward_fits(layers: u32) -> bool {
        let (mut x, mut layer) = ([Self::INPUT; ROWS], 0);
        while layer < layers {
            let (width, mut i) = (1 << layer, 0);
            while i < 1 << layers {
                if i & width == 0 {
                    let (a, b) = (x[i], x[i + width]);
                    // A difference, the offset added, is neither negative nor too large.
                    if b > Self::OFFSET || a + Self::OFFSET > Self::LIMIT || a + b > Self::LIMIT {
                        return false;
                    }
                    let two_sums = Self::EACH_PASS && layers == PASS && layer == 1 && i & 1 == 0;
                    (x[i], x[i + width]) =
                        (if Self::EACH_LAYER || two_sums { REDUCED } else { a + b }, REDUCED);
                }
                i += 1;
            }
            layer += 1;
        }
        // Reduced are the first row, or all that took a sum last.
        let (mut i, mut fits) = (if Self::TIGHT { 1 << (layers - 1) } else { 1 }, REDUCED <= Self::INPUT);
        while i < 1 << layers {
            (fits, i) = (fits && x[i] <= Self::INPUT, i + 1);
        }
        fits
    }

    /// Whether lanes that are full hold a reduced value, and one step of `OFFSET p` takes the sum of two and
    /// their difference, `OFFSET p` added, back to such. Whole lanes are compared, which have 64 bits.
    const fn full_fits() -> bool {
        let greatest = if Self::OFFSET > REDUCED { REDUCED + Self::OFFSET } else { 2 * REDUCED };
        let holds = 1 << (u64::BITS - 1 - PRIME_BITS);
        REDUCED <= Self::LIMIT
            && REDUCED <= Self::OFFSET
            && greatest - Self::OFFSET <= REDUCED
            && greatest <= holds
            && Self::START + REDUCED / 2 <= Self::LIMIT
    }

    /// What there is to prove.
    const PROOF: () = {
        if Self::FULL {
            assert!(Self::full_fits(), "full lanes");
        } else {
            let longest = Self::LAYERS;
            assert!(Self::forward_fits(longest) && !Self::forward_fits(longest + 1), "layers forward");
            assert!(
                Self::backward_fits(1) && Self::backward_fits(2) && Self::backward_fits(PASS),
                "backward"
            );
        }
        // `floor(a b / 2^52) < OPERAND p` for factors below `OPERAND p` and `LIMIT p <= 2^52`; `p` is added.
        let product = Self::OPERAND + 1;
        assert!(product <= Self::INPUT, "products");
        // A reduced sum with a product added, itself reduced where values are; full lanes take a step.
        let room = if Self::TIGHT { Self::LIMIT } else { Self::INPUT };
        assert!(Self::FULL || REDUCED + product <= room, "sums of products");
    };
}

const _: () = (Bounds::<46>::PROOF, Bounds::<49>::PROOF, Bounds::<50>::PROOF, Bounds::<51>::PROOF).0;
