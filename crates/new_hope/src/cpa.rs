//! Key encapsulation secure against chosen plaintexts alone: the submission's section 1.2.2, without what
//! makes it secure against chosen ciphertexts. A private key serves one ciphertext.

use super::kem::SharedKey;
use super::parameters::Parameters;
use super::pke;
use super::way::Way;
use ringsmith_hash::Shake256;
use ringsmith_kem::secret::SecretBytes;
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// A public key, expanded.
#[derive(Clone)]
pub(super) struct Public<const ROWS: usize> {
    pub(super) way: Way<ROWS>,
    pub(super) key: pke::Public<ROWS>,
}

/// The shared key of a message.
fn shared_key(cpu: Cpu, message: &[u8; 32]) -> SharedKey {
    let mut shared = [0; 32];
    Shake256::new(cpu).absorb(message).reader().squeeze(&mut shared);
    shared
}

impl<const ROWS: usize> Public<ROWS> {
    /// Room for a key; all operations with it go this way.
    pub(super) fn blank(way: Way<ROWS>) -> Self {
        Public { way, key: pke::Public::blank() }
    }

    /// Reads a key: any bytes are one.
    pub(super) fn read<P: Parameters<ROWS>>(&mut self, bytes: &[u8]) {
        self.key.read::<P>(self.way.cpu, bytes, &mut []);
    }

    /// Both, one after the other.
    pub(super) fn read_and_encapsulate<P: Parameters<ROWS>>(
        &mut self,
        bytes: &[u8],
        random: &[u8; 32],
        ciphertext: &mut [u8],
    ) -> SharedKey {
        self.read::<P>(bytes);
        self.encapsulate::<P>(random, ciphertext)
    }

    pub(super) fn cpu(&self) -> Cpu {
        self.way.cpu
    }

    /// A ciphertext of 32 random bytes, and its shared key.
    pub(super) fn encapsulate<P: Parameters<ROWS>>(
        &self,
        random: &[u8; 32],
        ciphertext: &mut [u8],
    ) -> SharedKey {
        let (mut message, mut coin) = (SecretBytes::<32>::zero(), SecretBytes::<32>::zero());
        let mut reader = Shake256::new(self.cpu()).absorb(P::PREFIXES[1]).absorb(random).reader();
        reader.squeeze(message.as_mut());
        reader.squeeze(coin.as_mut());
        pke::encrypt::<P, ROWS>(self.way, &self.key, &message, &coin, ciphertext);
        shared_key(self.cpu(), &message)
    }
}

/// The shared key in a ciphertext, whatever it is.
pub(super) fn decapsulate<P: Parameters<ROWS>, const ROWS: usize>(
    way: Way<ROWS>,
    secret: &pke::Secret<ROWS>,
    ciphertext: &[u8],
) -> SharedKey {
    let mut message = Zeroizing::new([0; 32]);
    pke::decrypt::<P, ROWS>(way, secret, ciphertext, &mut message);
    shared_key(way.cpu, &message)
}
