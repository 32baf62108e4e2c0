//! What tools and tests see of this crate, and users do not: built with `--cfg ringsmith_internals` only.
//!
//! What happens here is of one thread: tests that run side by side do not meet.

extern crate std;

use crate::codec::{self, Hints};
use crate::publish::Test;
use crate::ring::{N, ZERO, ZERO_WORDS};
use crate::scheme::{Parameters, bytes};
use crate::verify::MOST_CTILDE;
use crate::{MlDsa44, MlDsa65, MlDsa87};
use ringsmith_simd::Cpu;
use std::cell::Cell;
use std::thread_local;

thread_local! {
    static REJECTIONS: [Cell<usize>; Test::ALL.len()] = const { [const { Cell::new(0) }; Test::ALL.len()] };
    static ATTEMPTS: Cell<usize> = const { Cell::new(0) };
    static FIXED: Cell<bool> = const { Cell::new(false) };
    static CHALLENGE: Cell<Option<[u8; MOST_CTILDE]>> = const { Cell::new(None) };
}

/// How many attempts this thread made so far, accepted or rejected.
pub fn attempts() -> usize {
    ATTEMPTS.get()
}

/// How often each test rejected an attempt of this thread: the bound of `z`, that of the low part, that of
/// `c t0`, the number of hints.
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

/// The hash of the challenge that the last verification of this thread computed, with zeros behind it, if
/// there is one that was not taken yet: a verification that ends before has none.
///
/// Of a key whose `t1` is zero it does not depend on the challenge. With this hash in its place, a signature
/// of such a key is valid, whatever its response in its bounds and its hints are.
pub fn take_challenge() -> Option<[u8; MOST_CTILDE]> {
    CHALLENGE.take()
}

/// Notes it.
pub(crate) fn note_challenge(computed: &[u8]) {
    let mut challenge = [0; MOST_CTILDE];
    challenge[..computed.len()].copy_from_slice(computed);
    CHALLENGE.set(Some(challenge));
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
    let (cpu, size, bound) = (Cpu::detect(), bytes(P::MASK_BITS), P::GAMMA1 - P::BETA);
    out.fill(0);
    out[..P::CTILDE].copy_from_slice(&signature[..P::CTILDE]);
    let (response, hints) = signature[P::CTILDE..].split_at(L * size);
    let (to, hints_to) = out[P::CTILDE..].split_at_mut(L * size);
    let (mut poly, mut exceeding) = (ZERO, 0);
    for (encoded, out) in response.chunks_exact(size).zip(to.chunks_exact_mut(size)) {
        exceeding |= codec::unpack_mask(cpu, P::MASK_BITS, encoded, bound, &mut poly);
        codec::pack_mask(cpu, P::MASK_BITS, &poly, out);
    }
    let Some(hints) = Hints::new(P::OMEGA, hints) else { return false };
    let (mut rows, mut masks) = ([[0; N]; K], ZERO_WORDS);
    for (row, ones) in rows.iter_mut().enumerate() {
        hints.set(row, &mut masks);
        ones.iter_mut().zip(masks.0.as_flattened()).for_each(|(one, mask)| *one = u8::from(*mask != 0));
        hints.clear(row, &mut masks);
    }
    codec::pack_hints(P::OMEGA, &rows, hints_to);
    exceeding == 0
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
