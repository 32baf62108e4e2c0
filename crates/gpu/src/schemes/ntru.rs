//! NTRU.

use super::{BatchError, OneKey, ROUND, places, room};
use crate::{Device, GpuError};
use rand_core::CryptoRng;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
use ringsmith_kem::keys::EncapsulationKey;
use ringsmith_kem::set::{Bytes, KemSet, SharedKey};
use ringsmith_ntru::halves::{Begun, Encapsulation, Halves};

/// A ciphertext of a set.
type Ciphertext<S> = <S as KemSet>::CiphertextBytes;

/// A public key on a device, for batches of ciphertexts.
pub struct Encapsulations<S: Halves> {
    key: Encapsulation<S>,
    pub(super) by: OneKey,
}

impl<S: Halves> Encapsulations<S> {
    /// Uploads a key.
    ///
    /// # Errors
    /// Where the device has no room or no kernel.
    pub fn new(device: &Device, key: &EncapsulationKey<S>) -> Result<Self, BatchError> {
        let key = Encapsulation::read(key.cpu(), key.to_bytes().as_ref());
        let by = OneKey::new(device, S::DEGREE, S::BITS, |h| key.key(h))?;
        Ok(Encapsulations { key, by })
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
        ciphertexts: &mut [Ciphertext<S>],
        shared: &mut [SharedKey],
    ) -> Result<(), BatchError> {
        let clear = |ciphertexts: &mut [Ciphertext<S>], shared: &mut [SharedKey]| {
            ciphertexts.fill(Bytes::ZERO);
            shared.iter_mut().for_each(|key| *key = SharedKey::zero());
        };
        clear(ciphertexts, shared);
        places(ciphertexts.len(), shared.len())?;
        let mut rounds = ciphertexts.chunks_mut(ROUND).zip(shared.chunks_mut(ROUND));
        let done = rounds.try_for_each(|(ciphertexts, shared)| self.round(rng, ciphertexts, shared));
        if done.is_err() {
            clear(ciphertexts, shared);
        }
        Ok(done?)
    }

    fn round(
        &mut self,
        rng: &mut (impl CryptoRng + ?Sized),
        ciphertexts: &mut [Ciphertext<S>],
        shared: &mut [SharedKey],
    ) -> Result<(), GpuError> {
        let (n, count, bytes) = (self.by.n, shared.len(), <S as KemSet>::Randomness::LEN);
        let key = &self.key;
        let mut random = room(bytes * count)?;
        random.chunks_exact_mut(bytes).for_each(|bytes| rng.fill_bytes(bytes));
        let mut under_way: Vec<_> = shared.iter().map(|_| Begun::<S>::blank()).collect();
        let (mut small, mut products) = (room(n * count)?, room(n * count)?);
        let places = under_way.par_iter_mut().zip(shared).zip(small.par_chunks_exact_mut(n));
        places
            .zip(random.par_chunks_exact(bytes))
            .for_each(|(((begun, shared), r), random)| key.begin(random, begun, shared, r));
        self.by.multiply(&small, &mut products)?;
        let made = ciphertexts.par_iter_mut().zip(&under_way).zip(products.par_chunks_exact(n));
        made.for_each(|((out, begun), product)| key.finish(begun, product, out.as_mut()));
        Ok(())
    }
}
