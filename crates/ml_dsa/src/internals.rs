//! What tools and tests see of this crate, and users do not: built with `--cfg ringsmith_internals` only.
//!
//! What happens here is of one thread: tests that run side by side do not meet.

extern crate std;

use crate::codec;
use crate::publish::Test;
use crate::ring::{N, Poly};
use crate::scheme::{self, Parameters, bytes};
use crate::{MlDsa44, MlDsa65, MlDsa87};
use std::cell::Cell;
use std::thread_local;

thread_local! {
    static REJECTIONS: [Cell<usize>; Test::ALL.len()] = const { [const { Cell::new(0) }; Test::ALL.len()] };
    static ATTEMPTS: Cell<usize> = const { Cell::new(0) };
    static FIXED: Cell<bool> = const { Cell::new(false) };
}

/// How many attempts this thread made so far, accepted or rejected.
pub fn attempts() -> usize {
    ATTEMPTS.get()
}

/// How often each test rejected an attempt of this thread: the bound of `z`, that of the low part, that of
/// `c t0`, the number of hints. The last two look at the same attempts, and both may reject one.
pub fn rejections() -> [usize; Test::ALL.len()] {
    REJECTIONS.with(|counts| core::array::from_fn(|i| counts[i].get()))
}

/// Counts an attempt.
pub(crate) fn count_attempt() {
    ATTEMPTS.set(ATTEMPTS.get() + 1);
}

/// Counts a rejection.
pub(crate) fn count(test: Test) {
    REJECTIONS.with(|counts| {
        let count = &counts[test as usize];
        count.set(count.get() + 1);
    });
}

/// Runs `f`, in which all that is published is the same, whatever the secrets are: for tools that compare
/// traces. Then nothing but secrets can make a trace differ. What comes out is no key and no signature.
pub fn with_fixed_publications<T>(f: impl FnOnce() -> T) -> T {
    FIXED.set(true);
    let out = f();
    FIXED.set(false);
    out
}

/// Fills what is published, where it is fixed. Never inlined: the compiler would look at what is published
/// before it looks whether that is fixed.
#[inline(never)]
pub(crate) fn fix<T: Copy>(published: &mut [T], value: T) {
    if FIXED.get() {
        published.fill(value);
    }
}

/// Sets whose signatures can be taken apart.
pub trait Recode {
    /// Reads the response and the hints of a signature, of the set's length, and writes them as they were
    /// read. Whether verification would go on with them: the hints in their one encoding, the response in
    /// its bounds.
    fn recode(signature: &[u8], out: &mut [u8]) -> bool;
}

fn recode<P: Parameters, const K: usize, const L: usize>(signature: &[u8], out: &mut [u8]) -> bool {
    out.fill(0);
    out[..P::CTILDE].copy_from_slice(&signature[..P::CTILDE]);
    let (response, hints) = signature[P::CTILDE..].split_at(L * bytes(P::MASK_BITS));
    let (mut z, mut rows) = ([Poly::ZERO; L], [[0; N]; K]);
    let valid =
        scheme::unpack_response::<P>(response, &mut z) & codec::unpack_hints(P::OMEGA, hints, &mut rows);
    let (response, hints) = out[P::CTILDE..].split_at_mut(L * bytes(P::MASK_BITS));
    for (z, out) in z.iter().zip(response.chunks_exact_mut(bytes(P::MASK_BITS))) {
        codec::pack_below(P::MASK_BITS, P::GAMMA1, z, out);
    }
    if valid {
        codec::pack_hints(P::OMEGA, &rows, hints);
    }
    valid
}

macro_rules! recode {
    ($($set:ident, $k:literal, $l:literal;)*) => { $(
        impl Recode for $set {
            fn recode(signature: &[u8], out: &mut [u8]) -> bool {
                recode::<$set, $k, $l>(signature, out)
            }
        }
    )* };
}

recode! {
    MlDsa44, 4, 4;
    MlDsa65, 6, 5;
    MlDsa87, 8, 7;
}
