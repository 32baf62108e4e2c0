//! The product by its definition: every coefficient by every coefficient.

use crate::zq::Zq;

/// Adds the `2 n - 1` coefficients of `a b` to a sum, or begins it.
pub(crate) fn add_product(zq: Zq, a: &[u64], b: &[u64], sum: &mut [u64], begin: bool) {
    if begin {
        sum.fill(0);
    }
    for (i, x) in a.iter().enumerate() {
        for (sum, y) in sum[i..].iter_mut().zip(b) {
            *sum = zq.add(*sum, zq.product(*x, *y));
        }
    }
}
