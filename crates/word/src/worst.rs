//! Lanes of 64 bits as bad as their contract allows, for tests: every product by a factor is the one farther
//! from 0 of the two that it may be, and a value that is no number of 52 bits is a panic.

use crate::lanes::{Body, RunBody};
use crate::wide::{LANE_BITS, Lanes52, Prime, Wide};
use core::array::from_fn;
use ringsmith_simd::{Factor, WideRow, WordLanes};

/// The token.
#[derive(Clone, Copy)]
pub(crate) struct Worst;

/// Eight numbers, which do not wrap.
type Lanes = [i128; 8];

impl Worst {
    /// The constant itself.
    pub(crate) fn factor(w: u64, _: u64) -> Factor {
        [w, 0]
    }
}

impl<const PRIME_BITS: u32> RunBody<Wide<PRIME_BITS>> for Worst {
    fn run_body<B: Body<Wide<PRIME_BITS>>>(self, prime: &Prime, body: B) -> B::Out {
        body.run(Lanes52::new(self, prime))
    }
}

/// A number that must be a value.
fn value(x: i128) -> i128 {
    assert!((0..1 << LANE_BITS).contains(&x), "a lane overflows: {x}");
    x
}

impl WordLanes for Worst {
    type Words = Lanes;
    type Prime = i128;

    fn splat_words(self, x: u64) -> Lanes {
        [x.into(); 8]
    }
    fn load_words(self, row: &WideRow) -> Lanes {
        row.map(i128::from)
    }
    fn store_words(self, row: &mut WideRow, v: Lanes) {
        *row = v.map(|x| value(x) as u64);
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
        from_fn(|i| if a[i] >= b[i] { a[i] - b[i] } else { a[i] })
    }
    fn madd_low52(self, c: Lanes, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| c[i] + value(a[i]) * value(b[i]) % (1 << LANE_BITS))
    }
    fn madd_high52(self, c: Lanes, a: Lanes, b: Lanes) -> Lanes {
        from_fn(|i| c[i] + ((value(a[i]) * value(b[i])) >> LANE_BITS))
    }
    fn prime52(self, p: u64) -> i128 {
        p.into()
    }
    fn factor52(w: u64, p: u64) -> Factor {
        Self::factor(w, p)
    }
    fn madd_factor52(self, c: Lanes, b: Lanes, [w, _]: [Lanes; 2], p: i128) -> Lanes {
        from_fn(|i| {
            let t = value(b[i]) * w[i] % p;
            c[i] + if 0 < t && 2 * t < p { t - p } else { t }
        })
    }
    fn around52(self, k: u64, _: u64) -> Lanes {
        [k.into(); 8]
    }
    fn reduce52(self, a: Lanes, _: [Lanes; 2], k: Lanes, p: i128) -> Lanes {
        // The one farther from the middle.
        from_fn(|i| {
            let t = value(a[i]) % p;
            k[i] * p + if 0 < t && 2 * t < p { t - p } else { t }
        })
    }
    fn transpose_words(self, x: [Lanes; 8]) -> [Lanes; 8] {
        from_fn(|i| x.map(|of| of[i]))
    }
}
