//! The domain of a transform in the order of a standard, where a scheme sends values of it.
//!
//! [`Ntt`](super::ntt::Ntt) leaves its domain as its vectors want it. A scheme that samples or sends in the domain fixes the order:
//!
//! | | residues | order | of |
//! |---|---|---|---|
//! | [`pairs`] | of degree 2 | that of the in-place transform | ML-KEM |
//! | [`complete`] | of degree 1 | that of the exponents of the root of unity | NewHope |

pub mod complete;
pub mod pairs;

use crate::reduce::barrett;
use ringsmith_simd::{Kernel, Row, Simd};

/// `a = a + b` or `a = a - b`, in `[0, q)`.
struct Combine<'a, const Q: i64, const ROWS: usize, const SUBTRACT: bool> {
    a: &'a mut [Row; ROWS],
    b: &'a [Row; ROWS],
}

impl<const Q: i64, const ROWS: usize, const SUBTRACT: bool> Kernel for Combine<'_, Q, ROWS, SUBTRACT> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            let (a, b) = (s.load(&self.a[r]), s.load(&self.b[r]));
            let x = barrett::exact::<S, Q>(s, if SUBTRACT { s.sub(a, b) } else { s.add(a, b) });
            let negative = s.gt(s.splat(0), x);
            s.store(&mut self.a[r], s.add(x, s.and(negative, s.splat(Q as i16))));
            r += 1;
        }
    }
}
