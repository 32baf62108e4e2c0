//! Sampling: FIPS 204, section 7.3. Each element is a stream of SHAKE, of which several run at a time
//! ([`run_streams`](ringsmith_hash::run_streams)).
//!
//! | what | by | seed | in |
//! |---|---|---|---|
//! | the matrix | SHAKE128, numbers below `q` | `rho`, public | [`matrix`], [`uniform`] |
//! | `s1`, `s2` | SHAKE256, nibbles | `rho'` | [`secret`] |
//! | masks | SHAKE256, all bits | `rho''` | [`masks`] |
//! | the challenge | SHAKE256, a shuffle | `ctilde`, published | [`ball`] |

mod ball;
mod masks;
mod matrix;
mod secret;
mod uniform;

pub(crate) use ball::in_ball;
pub(crate) use masks::{MaskBytes, Masks};
pub(crate) use matrix::{Matrix, WINDOW};
pub(crate) use secret::Small;

use ringsmith_hash::{Lane, RATE_256};
use ringsmith_kem::secret::SecretBytes;

/// Blocks of an element of the matrix, but for one in a great many, and of a mask.
const BLOCKS: usize = 5;

/// Starts the stream of a secret seed and a number.
#[inline]
fn numbered(lane: &mut Lane<'_>, seed: &[u8; 64], number: u16) {
    let mut with_number = SecretBytes::<66>::zero();
    with_number[..64].copy_from_slice(seed);
    with_number[64..].copy_from_slice(&number.to_le_bytes());
    lane.shake::<RATE_256, 66>(&with_number);
}
