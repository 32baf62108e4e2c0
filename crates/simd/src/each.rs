//! Arrays by index, inlined for certain.

/// `[f(0), f(1), ..]`: `core::array::from_fn` with the promise that it is inlined, which a kernel depends on.
#[inline(always)]
pub fn each<T: Copy, const K: usize>(f: impl Fn(usize) -> T) -> [T; K] {
    let mut out = [f(0); K];
    let mut j = 1;
    while j < K {
        out[j] = f(j);
        j += 1;
    }
    out
}
