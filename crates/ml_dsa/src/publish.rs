//! What ML-DSA publishes of what it computed from secrets: all of it is named here, with the reason.
//!
//! Nothing else may decide a branch or an address: not `s1`, `s2`, `t0`, `K`, `rho'`, `rho''`, `y`, `w0`, nor
//! `z` and `r0` of rejected attempts.

use ringsmith_kem::declassify::publish;

/// The seed of the matrix: a part of the public key.
pub(crate) fn matrix_seed(rho: &mut [u8; 32]) {
    publish(rho);
}

/// A part of the public key that is complete.
pub(crate) fn public_key(bytes: &mut [u8]) {
    publish(bytes);
}

/// Which nibbles of a block the sampler of `s1` and `s2` accepts. It tells nothing of the values of those
/// that it accepts: they are independent of it, because all nibbles are.
pub(crate) fn acceptance(accepted: &mut [i16]) {
    publish(accepted);
}

/// A signature's challenge, of attempts that are rejected later, too: in the model of the random oracle it is
/// a random string, which `w1` does not follow from (Dilithium, round 3, section 5.5).
pub(crate) fn challenge(ctilde: &mut [u8]) {
    publish(ctilde);
}

/// Whether a test rejects an attempt by an element, and so which element is the first that does: the
/// probability does not depend on the private key (ibid., section 4). Which sign the coefficient has stays
/// secret.
pub(crate) fn rejected(mask: i32) -> bool {
    let mut byte = [(mask & 1) as u8];
    publish(&mut byte);
    byte[0] != 0
}

/// A signature that is accepted: its `z` and its hints.
pub(crate) fn signature(bytes: &mut [u8]) {
    publish(bytes);
}

/// Whether a private key that is read is one: who gives another learns that it is none.
pub(crate) fn invalid(mask: i32) -> bool {
    rejected(mask)
}
