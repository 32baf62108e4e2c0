//! X25519 as hybrids use it.

use rand_core::CryptoRng;
use ringsmith_kem::declassify::publish;
use ringsmith_kem::secret::SecretBytes;
use x25519_dalek::{PublicKey, SharedSecret, StaticSecret};

/// Bytes of a point and of a scalar.
pub const POINT_BYTES: usize = 32;

/// A scalar of random bytes, drawn by one call.
pub fn scalar(rng: &mut (impl CryptoRng + ?Sized)) -> StaticSecret {
    let mut bytes = SecretBytes::<POINT_BYTES>::zero();
    rng.fill_bytes(&mut *bytes);
    StaticSecret::from(*bytes)
}

/// The shared secret; `None` if the point has small order, because then the secret is zero for every scalar.
/// The time shows which of the two it is; that depends on the public point alone.
pub fn shared(scalar: &StaticSecret, point: &PublicKey) -> Option<SharedSecret> {
    let secret = scalar.diffie_hellman(point);
    let mut contributory = [u8::from(secret.was_contributory())];
    publish(&mut contributory);
    (contributory != [0]).then_some(secret)
}
