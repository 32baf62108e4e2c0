//! The parameters in which the sets differ.

use super::codec::Coding;
use ringsmith_kem::set::Bytes;
use ringsmith_ring::{Ordered, PlainOrder, Rows};

/// How noise is made of random bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Noise {
    /// `k = 8`: 64 coefficients of 128 bytes.
    Eight,
    /// `k = 2`: 256 coefficients of 128 bytes.
    Two,
}

/// What sets of several degrees have in common.
pub struct Rules {
    /// Where they are defined.
    pub source: &'static str,
    /// Whether words stand for signed numbers where the public polynomial is sampled.
    pub signed: bool,
    /// The noise.
    pub noise: Noise,
    /// What stands before `a s` and before `e` where they are sent, see
    /// [`masked`](super::domain::masked).
    pub factors: Option<[i64; 2]>,
    /// Whether the reference writes `q` for 0, so that ciphertexts with it are understood.
    pub writes_q: bool,
    /// What stands before the message of each hash: of the seeds of a key, of the message of a ciphertext, of
    /// what is derived from it.
    pub prefixes: [&'static [u8]; 3],
}

/// A parameter set, whose elements have `ROWS` rows.
pub trait Parameters<const ROWS: usize>: 'static {
    /// Its name.
    const NAME: &'static str;
    /// What it has in common with others.
    const RULES: Rules;
    /// Its ring.
    type Ring: Ordered<Self::Order, Coeffs = Rows<ROWS>>;
    /// The order in which values are sent.
    type Order: PlainOrder;
    /// How coefficients are sent.
    type Numbers: Coding;
    /// A public key.
    type PublicBytes: Bytes;
    /// A private key.
    type PrivateBytes: Bytes;
    /// A ciphertext.
    type CiphertextBytes: Bytes;
}
