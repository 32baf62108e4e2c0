//! Points of X25519 that are refused.
//!
//! With a point of small order, the secret of X25519 is zeros, whatever the key. And a point can be written
//! as a number that is not reduced, or with its top bit set: it works, but is another text.

use ringsmith_hybrid::curve::{POINT_BYTES, shared};
use x25519_dalek::{PublicKey, StaticSecret};

/// Whether a point is of small order, which does not depend on the scalar.
pub(super) fn is_small(point: &[u8; POINT_BYTES]) -> bool {
    shared(&StaticSecret::from([0; POINT_BYTES]), &PublicKey::from(*point)).is_none()
}

/// Whether a point is written as RFC 7748 writes it: a number below `2^255 - 19`.
fn is_canonical(point: &[u8; POINT_BYTES]) -> bool {
    let [low, middle @ .., high] = point;
    *high < 0x7f || *high == 0x7f && (*low < 0xed || middle.iter().any(|byte| *byte != 0xff))
}

/// Whether a recipient may have this point: one that its identity writes so, and that keeps a secret.
pub(crate) fn is_recipient(point: &[u8; POINT_BYTES]) -> bool {
    is_canonical(point) && !is_small(point)
}
