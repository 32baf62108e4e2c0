//! Intervals that a value is proved to lie in, computed at compile time.
//!
//! An algorithm carries a [`Bound`] through every operation that it performs on a lane. Where the interval
//! would leave the lane the build fails; see `docs/bounds.md`. Intervals, rather than absolute values,
//! because one-sided reductions (K-RED) would lose half the lane otherwise.
//!
//! What searches do most calls few functions: calls are what takes the compiler its time.

/// A closed interval of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
}

/// Whether all lanes lie within a bound: what debug builds check on the data, and the compiler proved.
pub(crate) fn hold<T: Copy + Into<i64>>(lanes: &[T], bound: Bound) -> bool {
    lanes.iter().all(|x| bound.contains((*x).into()))
}

/// `floor(a / 2^k)`.
pub(crate) const fn floor_shift(a: i64, k: u32) -> i64 {
    a >> k
}

const fn min(a: i64, b: i64) -> i64 {
    if a < b { a } else { b }
}
const fn max(a: i64, b: i64) -> i64 {
    if a > b { a } else { b }
}

impl Bound {
    /// `[low, high]`.
    pub const fn new(low: i64, high: i64) -> Self {
        assert!(low <= high, "an empty interval");
        Bound { low, high }
    }
    /// `[-magnitude, magnitude]`.
    pub const fn symmetric(magnitude: i64) -> Self {
        Bound::new(-magnitude, magnitude)
    }
    /// The centred representatives modulo `q`.
    pub const fn centred(q: i64) -> Self {
        Bound::new(-(q / 2), (q - 1) / 2)
    }
    /// The greatest absolute value.
    pub const fn magnitude(self) -> i64 {
        max(-self.low, self.high)
    }
    /// The interval of sums.
    pub const fn add(self, other: Self) -> Self {
        Bound { low: self.low + other.low, high: self.high + other.high }
    }
    /// The interval of differences.
    pub const fn sub(self, other: Self) -> Self {
        Bound { low: self.low - other.high, high: self.high - other.low }
    }
    /// The interval of products.
    pub const fn mul(self, other: Self) -> Self {
        let (a, b) = (self.low * other.low, self.low * other.high);
        let (c, d) = (self.high * other.low, self.high * other.high);
        Bound::new(min(min(a, b), min(c, d)), max(max(a, b), max(c, d)))
    }
    /// The interval of products by the integer `c`.
    pub const fn scale(self, c: i64) -> Self {
        let (low, high) = (self.low * c, self.high * c);
        if c < 0 { Bound { low: high, high: low } } else { Bound { low, high } }
    }
    /// The interval of `floor(x / 2^k)`.
    pub const fn shift_right(self, k: u32) -> Self {
        Bound::new(self.low >> k, self.high >> k)
    }
    /// Whether the sum and the difference fit a lane of 16 bits: [`fits`](Bound::fits) of both.
    pub const fn sum_and_difference_fit(self, other: Self) -> bool {
        const LIMIT: i64 = i16::MAX as i64;
        -LIMIT <= self.low + other.low
            && self.high + other.high <= LIMIT
            && -LIMIT <= self.low - other.high
            && self.high - other.low <= LIMIT
    }
    /// The smallest interval that holds both.
    pub const fn join(self, other: Self) -> Self {
        let low = if self.low < other.low { self.low } else { other.low };
        let high = if self.high > other.high { self.high } else { other.high };
        Bound { low, high }
    }
    /// The interval with its mirror image.
    pub const fn mirrored(self) -> Self {
        Bound::symmetric(self.magnitude())
    }
    /// Whether every value lies in `other`.
    pub const fn within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }
    /// Whether every value fits a lane of `bits` bits; the least value of the lane is kept out, because it
    /// has no negative.
    pub const fn fits(self, bits: u32) -> bool {
        let limit = (1 << (bits - 1)) - 1;
        -limit <= self.low && self.high <= limit
    }
    /// Whether `x` lies inside.
    pub const fn contains(self, x: i64) -> bool {
        self.low <= x && x <= self.high
    }
}
