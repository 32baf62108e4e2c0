//! The hash of NTRU Prime: the first half of SHA-512 of a byte, which says what for, and what follows it.

use ringsmith_hash::Sha512;
use zeroize::Zeroizing;

/// Bytes of hashes, of keys and of seeds.
pub(super) const BYTES: usize = 32;

/// What is hashed: the byte in front (round 3, section 3.6).
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// The shared key of a ciphertext: 1, or 0 of one that is rejected, which is a secret.
    Session(u8),
    /// The end of a ciphertext.
    Confirm,
    /// A short element.
    Element,
    /// A public key.
    PublicKey,
    /// The seed of a short element.
    Seed,
}

/// The hash of two parts, one behind the other. Constant time, in the byte of a session too.
pub(super) fn hash_into(by: &mut Sha512, purpose: Purpose, parts: [&[u8]; 2], out: &mut [u8; BYTES]) {
    let byte = match purpose {
        Purpose::Session(accepted) => accepted,
        Purpose::Confirm => 2,
        Purpose::Element => 3,
        Purpose::PublicKey => 4,
        Purpose::Seed => 5,
    };
    let digest = Zeroizing::new(by.digest(&[&[byte], parts[0], parts[1]]));
    out.copy_from_slice(&digest[..BYTES]);
}

/// The hash of a public key.
pub(super) fn public_hash(by: &mut Sha512, key: &[u8]) -> [u8; BYTES] {
    let mut out = [0; BYTES];
    hash_into(by, Purpose::PublicKey, [key, &[]], &mut out);
    out
}
