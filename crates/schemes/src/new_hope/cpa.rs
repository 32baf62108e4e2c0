//! Key encapsulation secure against chosen plaintexts alone: the submission's section 1.2.2, without what makes it secure against
//! chosen ciphertexts. A private key serves one ciphertext.

use super::kem::SharedKey;
use super::parameters::Parameters;
use super::pke::{self, Way};
use crate::secret::SecretBytes;
use ringsmith_hash::Shake256;
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// A public key, expanded.
pub(super) struct Public<P, const ROWS: usize> {
    pub(super) way: Way<P, ROWS>,
    pub(super) key: pke::Public<ROWS>,
}

impl<P, const ROWS: usize> Clone for Public<P, ROWS> {
    fn clone(&self) -> Self {
        Public { way: self.way, key: self.key.clone() }
    }
}

/// The shared key of a message.
fn shared_key(cpu: Cpu, message: &[u8; 32]) -> SharedKey {
    let mut shared = [0; 32];
    Shake256::new(cpu).absorb(message).reader().squeeze(&mut shared);
    shared
}

impl<P: Parameters<ROWS>, const ROWS: usize> Public<P, ROWS> {
    /// Room for a key; the CPU is that of all operations with it.
    pub(super) fn blank(cpu: Cpu) -> Self {
        Public { way: Way::new(cpu), key: pke::Public::blank() }
    }

    /// Reads a key: any bytes are one.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        self.key.read::<P>(self.way.cpu, bytes, &mut []);
    }

    pub(super) fn cpu(&self) -> Cpu {
        self.way.cpu
    }

    /// A ciphertext of 32 random bytes, and its shared key.
    pub(super) fn encapsulate(&self, random: &[u8; 32], ciphertext: &mut [u8]) -> SharedKey {
        let (mut message, mut coin) = (SecretBytes::<32>::zero(), SecretBytes::<32>::zero());
        let mut reader = Shake256::new(self.cpu()).absorb(P::PREFIXES[1]).absorb(random).reader();
        reader.squeeze(message.as_mut());
        reader.squeeze(coin.as_mut());
        pke::encrypt(self.way, &self.key, &message, &coin, ciphertext);
        shared_key(self.cpu(), &message)
    }
}

/// The shared key in a ciphertext, whatever it is.
pub(super) fn decapsulate<P: Parameters<ROWS>, const ROWS: usize>(
    way: Way<P, ROWS>,
    secret: &pke::Secret<ROWS>,
    ciphertext: &[u8],
) -> SharedKey {
    let mut message = Zeroizing::new([0; 32]);
    pke::decrypt(way, secret, ciphertext, &mut message);
    shared_key(way.cpu, &message)
}
