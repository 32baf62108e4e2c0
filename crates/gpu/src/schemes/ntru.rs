//! NTRU.

use super::encapsulation::{Cut, Encapsulating};
use super::{BatchError, OneKey};
use crate::{Cyclic, Device};
use rand_core::CryptoRng;
use ringsmith_kem::keys::EncapsulationKey;
use ringsmith_kem::set::{Bytes, KemSet, SharedKey};
use ringsmith_ntru::halves::{Begun, Encapsulation, Halves};

impl<S: Halves> Cut for Encapsulation<S> {
    type Begun = Begun<S>;
    const RANDOM: usize = <<S as KemSet>::Randomness as Bytes>::LEN;

    fn blank() -> Self::Begun {
        Begun::blank()
    }
    fn begin(&self, random: &[u8], begun: &mut Self::Begun, shared: &mut SharedKey, r: &mut [i8]) {
        Encapsulation::begin(self, random, begun, shared, r);
    }
    fn finish(&self, begun: &Self::Begun, product: &[u16], out: &mut [u8], _: &mut SharedKey) {
        Encapsulation::finish(self, begun, product, out);
    }
}

/// A public key of NTRU on a device, for batches of ciphertexts.
pub struct Encapsulations<S: Halves>(pub(super) Encapsulating<Encapsulation<S>, Cyclic>);

impl<S: Halves> Encapsulations<S> {
    /// Uploads a key.
    ///
    /// # Errors
    /// Where the device has no room or no kernel.
    pub fn new(device: &Device, key: &EncapsulationKey<S>) -> Result<Self, BatchError> {
        let key = Encapsulation::read(key.cpu(), key.to_bytes().as_ref());
        let by = OneKey::new(device, Cyclic::new(S::DEGREE, S::BITS)?, |h| key.key(h))?;
        Ok(Encapsulations(Encapsulating { key, by }))
    }

    /// Makes ciphertexts, and the shared key in each. Draws the randomness of each by one call, in their
    /// order.
    ///
    /// # Errors
    /// Where there are not as many places for keys as for ciphertexts, or the device fails. Then all of both
    /// are 0.
    pub fn encapsulate(
        &mut self,
        rng: &mut (impl CryptoRng + ?Sized),
        ciphertexts: &mut [<S as KemSet>::CiphertextBytes],
        shared: &mut [SharedKey],
    ) -> Result<(), BatchError> {
        self.0.run(rng, ciphertexts, shared)
    }
}
