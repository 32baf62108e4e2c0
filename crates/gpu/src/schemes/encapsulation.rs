//! Encapsulation in batches, of schemes that are cut at their product.

use super::{BatchError, OfBytes, OneKey, ROUND, places, room};
use crate::GpuError;
use rand_core::CryptoRng;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
use ringsmith_kem::set::{Bytes, SharedKey};

/// A public key of a scheme in halves.
pub(super) trait Cut: Sync {
    /// What is under way of a ciphertext; cleared on drop.
    type Begun: Send + Sync;
    /// Bytes of the randomness of a ciphertext.
    const RANDOM: usize;

    /// Room for one.
    fn blank() -> Self::Begun;
    /// The first half: writes what `h` is multiplied by.
    fn begin(&self, random: &[u8], begun: &mut Self::Begun, shared: &mut SharedKey, r: &mut [i8]);
    /// The second half. One of the two writes the shared key.
    fn finish(&self, begun: &Self::Begun, product: &[u16], out: &mut [u8], shared: &mut SharedKey);
}

/// A key and its products.
pub(super) struct Encapsulating<K, R: OfBytes> {
    pub(super) key: K,
    pub(super) by: OneKey<R>,
}

impl<K: Cut, R: OfBytes> Encapsulating<K, R> {
    /// Fills both lists, or sets them to 0.
    pub(super) fn run<C: Bytes>(
        &mut self,
        rng: &mut (impl CryptoRng + ?Sized),
        ciphertexts: &mut [C],
        shared: &mut [SharedKey],
    ) -> Result<(), BatchError> {
        let clear = |ciphertexts: &mut [C], shared: &mut [SharedKey]| {
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

    fn round<C: Bytes>(
        &mut self,
        rng: &mut (impl CryptoRng + ?Sized),
        ciphertexts: &mut [C],
        shared: &mut [SharedKey],
    ) -> Result<(), GpuError> {
        let (n, count, key) = (self.by.n, shared.len(), &self.key);
        let mut random = room(K::RANDOM * count)?;
        random.chunks_exact_mut(K::RANDOM).for_each(|bytes| rng.fill_bytes(bytes));
        let mut under_way: Vec<_> = shared.iter().map(|_| K::blank()).collect();
        let (mut small, mut products) = (room(n * count)?, room(n * count)?);
        let places = under_way.par_iter_mut().zip(&mut *shared).zip(small.par_chunks_exact_mut(n));
        places
            .zip(random.par_chunks_exact(K::RANDOM))
            .for_each(|(((begun, shared), r), random)| key.begin(random, begun, shared, r));
        self.by.multiply(&small, &mut products)?;
        let places = ciphertexts.par_iter_mut().zip(shared).zip(&under_way);
        places
            .zip(products.par_chunks_exact(n))
            .for_each(|(((out, shared), begun), product)| key.finish(begun, product, out.as_mut(), shared));
        Ok(())
    }
}
