//! All values that ML-DSA computes from secrets and makes public, each with the reason why that is safe.
//!
//! Two of them are published elsewhere, in the frame of signatures (`ringsmith_kem`), which has a key in its
//! hands where this crate has bytes:
//! * the hash of the public key, `tr`, which a private key has in its middle: whoever has the public key
//!   computes it (`signature/keys.rs`, `copy_hash`);
//! * whether the two forms of a key in PKCS #8 belong to each other: who gives others learns that they do not
//!   (`encoding/signature.rs`, `read_both`).
//!
//! Nothing else may decide a branch or an address: not `s1`, `s2`, `t0`, `K`, `rho'`, `rho''`, `y`, `w0`, nor
//! `z` and `r0` of rejected attempts.
//!
//! Two kinds of tools look. Valgrind follows secrets, and does not follow what is published. Others compare
//! the traces of many secrets: for them what is published is replaced by constants (`fix`), so that a trace
//! can differ by nothing but secrets.

#[cfg(ringsmith_internals)]
use crate::internals::{count, count_attempt, fix};
use ringsmith_kem::declassify::publish;

/// Leaves what is published as it is.
#[cfg(not(ringsmith_internals))]
#[inline(always)]
fn fix<T>(_: &mut [T], _: T) {}

/// Counts nothing.
#[cfg(not(ringsmith_internals))]
#[inline(always)]
fn count(_: Test) {}

/// Counts nothing.
#[cfg(not(ringsmith_internals))]
#[inline(always)]
fn count_attempt() {}

/// A test that rejects attempts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Test {
    /// The response `z` is too large.
    Response,
    /// The low part of `w - c s2` is too large.
    LowPart,
    /// `c t0` is too large.
    Product,
    /// There are too many hints.
    Hints,
}

#[cfg(ringsmith_internals)]
impl Test {
    /// All of them.
    pub(crate) const ALL: [Test; 4] = [Test::Response, Test::LowPart, Test::Product, Test::Hints];
}

/// The seed of the matrix: a part of the public key.
pub(crate) fn matrix_seed(rho: &mut [u8; 32]) {
    publish(rho);
    fix(rho, 7);
}

/// A part of the public key that is complete.
pub(crate) fn public_key(bytes: &mut [u8]) {
    publish(bytes);
}

/// Which nibbles of a block the sampler of `s1` and `s2` accepts. It tells nothing of the values of those
/// that it accepts: they are independent of it, because all nibbles are.
pub(crate) fn acceptance(accepted: &mut [i16]) {
    publish(accepted);
    fix(accepted, -1);
}

/// A signature's challenge, of attempts that are rejected later, too: in the model of the random oracle it is
/// a random string, which `w1` does not follow from (Dilithium, round 3, section 5.5).
pub(crate) fn challenge(ctilde: &mut [u8]) {
    count_attempt();
    publish(ctilde);
    fix(ctilde, 5);
}

/// Whether a test rejects an attempt by an element, and so which test and which element is the first that
/// does: the probability does not depend on the private key (ibid., section 4). Which coefficient it is stays
/// secret, and so does its sign.
pub(crate) fn rejected(test: Test, mask: i32) -> bool {
    let rejected = decision(mask);
    if rejected {
        count(test);
    }
    rejected
}

/// A signature that is accepted: its `z` and its hints.
pub(crate) fn signature(bytes: &mut [u8]) {
    publish(bytes);
    fix(bytes, 0);
}

/// Whether a private key that is read is one: who gives another learns that it is none.
pub(crate) fn invalid(mask: i32) -> bool {
    decision(mask)
}

/// What a mask says, all of whose bits are the same.
fn decision(mask: i32) -> bool {
    let mut byte = [(mask & 1) as u8];
    publish(&mut byte);
    fix(&mut byte, 0);
    byte[0] != 0
}
