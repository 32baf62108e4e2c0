//! Matrices of lanes.

use crate::{Simd, each};

/// Transposes 8 x 8 lanes of 32 bits.
#[inline(always)]
pub fn transpose32<S: Simd>(s: S, x: [S::I32; 8]) -> [S::I32; 8] {
    let a: [_; 4] = each(
        #[inline(always)]
        |j| s.zip32::<1>(x[2 * j], x[2 * j + 1]),
    );
    let upper = [s.zip32::<2>(a[0].0, a[1].0), s.zip32::<2>(a[0].1, a[1].1)];
    let lower = [s.zip32::<2>(a[2].0, a[3].0), s.zip32::<2>(a[2].1, a[3].1)];
    let (c0, c1) = (s.zip32::<4>(upper[0].0, lower[0].0), s.zip32::<4>(upper[0].1, lower[0].1));
    let (c2, c3) = (s.zip32::<4>(upper[1].0, lower[1].0), s.zip32::<4>(upper[1].1, lower[1].1));
    [c0.0, c1.0, c2.0, c3.0, c0.1, c1.1, c2.1, c3.1]
}
