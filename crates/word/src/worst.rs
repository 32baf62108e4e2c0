//! Lanes of 64 bits as bad as their contract allows, for tests: every product by a factor is the one farther
//! from 0 of those that it may be, and a value that is no number of 52 bits, or of 64, is a panic.

use crate::lanes::{Body, RunBody};
use crate::long::{self, Lanes64, Long};
use crate::wide::{self, Lanes52, Wide};
use core::array::from_fn;
use ringsmith_simd::{Factor, WideRow, WordLanes};

/// The token, of lanes that hold numbers of so many bits.
#[derive(Clone, Copy)]
pub(crate) struct Worst<const LANE_BITS: u32>;

/// Eight numbers, which do not wrap.
type Lanes = [i128; 8];

/// The constant itself.
pub(crate) fn factor(w: u64, _: u64) -> Factor {
    [w, 0]
}

impl<const PRIME_BITS: u32> RunBody<Wide<PRIME_BITS>> for Worst<{ wide::LANE_BITS }> {
    fn run_body<B: Body<Wide<PRIME_BITS>>>(self, prime: &wide::Prime, body: B) -> B::Out {
        body.run(Lanes52::new(self, prime))
    }
}

impl RunBody<Long> for Worst<{ u64::BITS }> {
    fn run_body<B: Body<Long>>(self, prime: &long::Prime, body: B) -> B::Out {
        if prime.is_lazy() {
            body.run(Lanes64::<Self, { long::LAZY_BITS }>::new(self, prime))
        } else {
            body.run(Lanes64::<Self, { long::PRIME_BITS }>::new(self, prime))
        }
    }
}

impl<const LANE_BITS: u32> Worst<LANE_BITS> {
    /// A number that must be a value.
    fn value(x: i128) -> i128 {
        assert!((0..1 << LANE_BITS).contains(&x), "a lane overflows: {x}");
        x
    }

    /// The halves of the product of two values, the high one first.
    fn halves(a: i128, b: i128) -> [i128; 2] {
        let product = Self::value(a) as u128 * Self::value(b) as u128;
        [(product >> LANE_BITS) as i128, (product % (1 << LANE_BITS)) as i128]
    }
}

impl<const LANE_BITS: u32> WordLanes for Worst<LANE_BITS> {
    type Words = Lanes;
    const PIECES: usize = 1;
    type Prime = i128;

    fn splat_words(self, x: u64) -> Lanes {
        [x.into(); 8]
    }
    fn load_words(self, row: &WideRow, _: usize) -> Lanes {
        row.map(i128::from)
    }
    fn store_words(self, row: &mut WideRow, _: usize, v: Lanes) {
        *row = v.map(|x| Self::value(x) as u64);
    }
    fn add_words(self, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| a[i] + b[i])
    }
    fn sub_words(self, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| a[i] - b[i])
    }
    fn or_words(self, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| a[i] | b[i])
    }
    fn and_words(self, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| a[i] & b[i])
    }
    fn top_words(self, a: Lanes) -> Lanes {
        a.map(|a| a >> 48)
    }
    fn madd_low32(self, c: Lanes, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| c[i] + i128::from(a[i] as u32) * i128::from(b[i] as u32))
    }
    fn sub_if_words(self, a: Lanes, b: Lanes) -> Lanes {
        let lane = |a, b| {
            // Whole lanes are compared.
            assert!((0..1 << u64::BITS).contains(&a), "a lane overflows: {a}");
            assert!((0..=1 << 63).contains(&b) && a < b + (1 << 63), "{a} and {b} are not in the contract");
            if a >= b { a - b } else { a }
        };
        from_fn(|i| lane(a[i], b[i]))
    }
    fn madd_low52(self, c: Lanes, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| c[i] + Self::halves(a[i], b[i])[1])
    }
    fn madd_high52(self, c: Lanes, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| c[i] + Self::halves(a[i], b[i])[0])
    }
    fn prime52(self, p: u64) -> i128 {
        p.into()
    }
    fn factor52(w: u64, p: u64) -> Factor {
        factor(w, p)
    }
    fn madd_factor52(self, c: Lanes, b: Lanes, [w, _]: [Lanes; 2], p: i128) -> Lanes {
        from_fn(|i| {
            let t = Self::value(b[i]) * w[i] % p;
            c[i] + if 0 < t && 2 * t < p { t - p } else { t }
        })
    }
    fn around52(self, k: u64, _: u64) -> Lanes {
        [k.into(); 8]
    }
    fn reduce52(self, a: Lanes, _: [Lanes; 2], k: Lanes, p: i128) -> Lanes {
        // The one farther from the middle.
        from_fn(|i| {
            let t = Self::value(a[i]) % p;
            k[i] * p + if 0 < t && 2 * t < p { t - p } else { t }
        })
    }
    type LongPrime = i128;

    fn low64(self, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| Self::halves(a[i], b[i])[1])
    }
    fn high64(self, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| Self::halves(a[i], b[i])[0])
    }
    fn prime64(self, p: u64) -> i128 {
        p.into()
    }
    fn times64(self, b: Lanes, [w, _]: [Lanes; 2], p: i128) -> Lanes {
        from_fn(|i| Self::value(b[i]) * w[i] % p + 3 * p)
    }
    fn transpose_words(self, x: [Lanes; 8]) -> [Lanes; 8] {
        from_fn(|i| x.map(|of| of[i]))
    }
}
