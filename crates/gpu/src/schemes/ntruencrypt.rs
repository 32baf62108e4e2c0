//! NTRUEncrypt.

use super::{BatchError, MEMORY, OneKey, ROUND, places, room};
use crate::{Array, Batch, Blinding, Cyclic, Device, GpuError, Operand, Output};
use rand_core::CryptoRng;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator,
    ParallelIterator,
};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
use ringsmith_kem::pke::{DecryptionError, DecryptionKey, EncryptionKey, MessageTooLong, PkeSet};
use ringsmith_kem::set::Bytes;
use ringsmith_ntruencrypt::halves::{Decryption, Encryption, Halves, Opened, Sealing};
use zeroize::Zeroizing;

/// A ciphertext of a set.
type Ciphertext<S> = <S as PkeSet>::CiphertextBytes;

/// What is in a ciphertext: the message, cleared on drop, or that it was not made for the key.
pub type Decrypted = Result<Zeroizing<Vec<u8>>, DecryptionError>;

/// Draws the random bytes of a message, whose number it is told, by one call for each time.
type DrawOf<'a> = dyn FnMut(usize, &mut [u8]) + 'a;

/// A message of a round: references alone, so that no copy of a secret is left where it moves from.
struct Message<'a, S: Halves> {
    at: usize,
    sealing: &'a mut Sealing,
    out: &'a mut Ciphertext<S>,
}

impl<'a, S: Halves> Message<'a, S> {
    fn of((at, (sealing, out)): (usize, (&'a mut Sealing, &'a mut Ciphertext<S>))) -> Self {
        Message { at, sealing, out }
    }

    /// Writes the ciphertext; gives the message back where it must begin again.
    fn finish(self, key: &Encryption<S>, product: &[u16]) -> Option<Self> {
        let is_done = key.finish(self.sealing, product, self.out.as_mut());
        (!is_done).then_some(self)
    }
}

/// Where the polynomials that blind messages are made, by hashing. Ciphertexts are the same either way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sampling {
    /// On all cores of the host.
    #[default]
    Host,
    /// On the device, where they stay: the host uploads seeds. For the sets of EESS#1 and its draft.
    Device,
}

/// A public key on a device, for batches of messages.
pub struct Encryptions<S: Halves> {
    pub(super) key: Encryption<S>,
    pub(super) by: OneKey<Cyclic>,
    /// For the polynomials that blind messages, where the device makes them.
    blinding: Option<Batch<Blinding>>,
}

/// Products of a round: those that blind its messages.
type Products = Zeroizing<Vec<u16>>;

/// The products of a set whose ring the device has.
fn products<S: Halves>(device: &Device, key: &Encryption<S>) -> Result<OneKey<Cyclic>, GpuError> {
    let numbers = S::NUMBERS;
    if numbers.q != 1 << numbers.bits {
        return Err(GpuError::Route {
            what: "encryptions on a GPU are in rings modulo x^n - 1 and 2^k, and this set's is another",
        });
    }
    OneKey::new(device, Cyclic::new(numbers.n, numbers.bits as u32)?, |h| key.key(h))
}

impl<S: Halves> Encryptions<S> {
    /// Uploads a key.
    ///
    /// # Errors
    /// Where the device has no room or no kernel, or the set's ring is a field.
    pub fn new(device: &Device, key: &EncryptionKey<S>) -> Result<Self, BatchError> {
        Self::new_by(device, key, Sampling::Host)
    }

    /// The same with a choice of where the polynomials that blind messages are made.
    ///
    /// # Errors
    /// The same, and where the device does not make it for the set.
    pub fn new_by(device: &Device, key: &EncryptionKey<S>, sampling: Sampling) -> Result<Self, BatchError> {
        let key = Encryption::read(key.cpu(), key.to_bytes().as_ref())?;
        let by = products(device, &key)?;
        let blinding = match sampling {
            Sampling::Host => None,
            Sampling::Device => Some(Batch::new(device, Blinding::new(&S::NUMBERS)?, MEMORY)?),
        };
        Ok(Encryptions { key, by, blinding })
    }

    /// Makes those polynomials on the device, of so many blocks of each stream, for tests. With fewer than
    /// the set's, more messages are the host's.
    #[doc(hidden)]
    pub fn with_blocks(self, device: &Device, blocks: usize) -> Result<Self, BatchError> {
        let blinding = Blinding::new(&S::NUMBERS)?.with_blocks(blocks);
        Ok(Encryptions { blinding: Some(Batch::new(device, blinding, MEMORY)?), ..self })
    }

    /// Encrypts messages, each to its place. Draws random bytes for all messages in their order, then for
    /// those of which others must be drawn, and so on.
    ///
    /// # Errors
    /// Where a message is too long, there are not as many places, or the device fails. Then all places are 0.
    pub fn encrypt(
        &mut self,
        messages: &[impl AsRef<[u8]> + Sync],
        rng: &mut (impl CryptoRng + ?Sized),
        out: &mut [Ciphertext<S>],
    ) -> Result<(), BatchError> {
        self.encrypt_by(messages, |_, bytes| rng.fill_bytes(bytes), out)
    }

    /// The same with the random bytes of a message, whose number it is told, from `draw`: one call each time
    /// that they are drawn.
    ///
    /// # Errors
    /// The same.
    pub fn encrypt_by(
        &mut self,
        messages: &[impl AsRef<[u8]> + Sync],
        mut draw: impl FnMut(usize, &mut [u8]),
        out: &mut [Ciphertext<S>],
    ) -> Result<(), BatchError> {
        out.fill(Bytes::ZERO);
        places(messages.len(), out.len())?;
        let most = <<S as PkeSet>::MessageBytes as Bytes>::LEN;
        if let Some(index) = messages.iter().position(|message| message.as_ref().len() > most) {
            let why = MessageTooLong { most, given: messages[index].as_ref().len() };
            return Err(BatchError::Message { index, why });
        }
        let mut rounds = messages.chunks(ROUND).zip(out.chunks_mut(ROUND)).enumerate();
        let done = rounds.try_for_each(|(round, (messages, out))| {
            self.round(messages, &mut |at, bytes| draw(round * ROUND + at, bytes), out)
        });
        if done.is_err() {
            out.fill(Bytes::ZERO);
        }
        Ok(done?)
    }

    fn round(
        &mut self,
        messages: &[impl AsRef<[u8]> + Sync],
        draw: &mut DrawOf<'_>,
        out: &mut [Ciphertext<S>],
    ) -> Result<(), GpuError> {
        let n = self.by.n;
        let mut sealings: Vec<_> = messages.iter().map(|_| Sealing::blank::<S>()).collect();
        sealings.iter_mut().zip(messages).for_each(|(sealing, message)| sealing.take(message.as_ref()));
        let mut rest: Vec<_> = sealings.iter_mut().zip(out).enumerate().map(Message::<S>::of).collect();
        while !rest.is_empty() {
            rest.iter_mut().for_each(|message| draw(message.at, message.sealing.random_mut()));
            let sealings: Vec<&Sealing> = rest.iter().map(|message| &*message.sealing).collect();
            let products = self.products(&sealings)?;
            let (key, pairs) = (&self.key, rest.into_par_iter().zip(products.par_chunks_exact(n)));
            rest = pairs.filter_map(|(message, product)| message.finish(key, product)).collect();
        }
        Ok(())
    }

    /// The products that blind messages.
    pub(super) fn products(&mut self, sealings: &[&Sealing]) -> Result<Products, GpuError> {
        let mut products = room(self.by.n * sealings.len())?;
        match self.blinding.take() {
            None => self.by_host(sealings, &mut products)?,
            Some(mut blinding) => {
                let done = self.by_device(&mut blinding, sealings, &mut products);
                self.blinding = Some(blinding);
                done?;
            }
        }
        Ok(products)
    }

    /// What blinds messages, made by the host.
    pub(super) fn small(&self, sealings: &[&Sealing]) -> Result<Zeroizing<Vec<i8>>, GpuError> {
        let (n, key, mut small) = (self.by.n, &self.key, room(self.by.n * sealings.len())?);
        let places = sealings.par_iter().zip(small.par_chunks_exact_mut(n));
        places.for_each(|(sealing, r)| key.begin(sealing, r));
        Ok(small)
    }

    fn by_host(&mut self, sealings: &[&Sealing], products: &mut [u16]) -> Result<(), GpuError> {
        let small = self.small(sealings)?;
        self.by.multiply(&small, products)
    }

    fn by_device(
        &mut self,
        blinding: &mut Batch<Blinding>,
        sealings: &[&Sealing],
        products: &mut [u16],
    ) -> Result<(), GpuError> {
        let (n, seeds) = (self.by.n, seeds(&self.key, blinding.ring(), sealings)?);
        let mut small = blinding.room(sealings.len())?;
        let (bytes, blocks) = (Operand::Host(&seeds.bytes[..]), Operand::Host(&seeds.blocks[..]));
        blinding.multiply(&bytes, &blocks, Output::Device(&mut small))?;
        let key = Operand::OneOnDevice(&self.by.key);
        self.by.batch.multiply(&key, &Operand::Device(&small), Output::Host(products))?;
        // Whether the device hashed enough for a message is public: where it did not, `r` is 0.
        let is_none = |product: &[u16]| product.iter().fold(0, |any, x| any | x) == 0;
        let all = products.chunks_exact(n).zip(sealings).enumerate();
        let (places, again): (Vec<usize>, Vec<&Sealing>) =
            all.filter(|(_, (product, _))| is_none(product)).map(|(at, (_, sealing))| (at, *sealing)).unzip();
        if again.is_empty() {
            return Ok(());
        }
        let mut found = room(n * again.len())?;
        self.by_host(&again, &mut found)?;
        for (at, product) in places.into_iter().zip(found.chunks_exact(n)) {
            products[n * at..][..n].copy_from_slice(product);
        }
        Ok(())
    }
}

/// Seeds of a round, as [`Blinding`] takes them.
pub(super) struct Seeds {
    pub(super) bytes: Zeroizing<Vec<i8>>,
    pub(super) blocks: Zeroizing<Vec<i8>>,
}

/// Those of messages.
pub(super) fn seeds<S: Halves>(
    key: &Encryption<S>,
    blinding: &Blinding,
    sealings: &[&Sealing],
) -> Result<Seeds, GpuError> {
    let each = blinding.seed_bytes();
    let (mut bytes, mut blocks) = (room(each * sealings.len())?, room(sealings.len())?);
    let places = sealings.par_iter().zip(bytes.par_chunks_exact_mut(each)).zip(&mut blocks[..]);
    places.for_each(|((sealing, bytes), blocks)| *blocks = key.seed(sealing, bytes) as i8);
    Ok(Seeds { bytes, blocks })
}

/// A private key on a device, for batches of ciphertexts.
pub struct Decryptions<S: Halves> {
    key: Decryption<S>,
    pub(super) by: OneKey<Cyclic>,
    pub(super) f: Array<i8>,
}

impl<S: Halves> Decryptions<S> {
    /// Uploads a key.
    ///
    /// # Errors
    /// Where the device has no room or no kernel, or the set's ring is a field.
    pub fn new(device: &Device, key: &DecryptionKey<S>) -> Result<Self, BatchError> {
        let bytes = key.to_bytes();
        let key = Decryption::read(key.encryption_key().cpu(), bytes.as_ref())?;
        let mut by = products(device, key.public())?;
        let mut f = room(by.n)?;
        key.key(&mut f);
        let f = by.batch.upload_second(&f)?;
        Ok(Decryptions { key, by, f })
    }

    /// Decrypts ciphertexts. For one that was not made for the key there is an error in its place.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn decrypt(&mut self, ciphertexts: &[Ciphertext<S>]) -> Result<Vec<Decrypted>, BatchError> {
        let mut out = Vec::new();
        out.try_reserve_exact(ciphertexts.len())
            .map_err(|_| GpuError::OutOfMemory { bytes: ciphertexts.len() * size_of::<Decrypted>() })?;
        for round in ciphertexts.chunks(ROUND) {
            out.extend(self.round(round)?);
        }
        Ok(out)
    }

    fn round(&mut self, ciphertexts: &[Ciphertext<S>]) -> Result<Vec<Decrypted>, GpuError> {
        let (n, count, key) = (self.by.n, ciphertexts.len(), &self.key);
        let mut under_way: Vec<_> = ciphertexts.iter().map(|_| Opened::<S>::blank()).collect();
        let (mut small, mut products, mut e) = (room(n * count)?, room(n * count)?, room(n * count)?);
        let begin = |((ciphertext, opened), e): ((&Ciphertext<S>, _), &mut [u16])| {
            key.begin(ciphertext.as_ref(), opened, e);
        };
        ciphertexts.par_iter().zip(&mut under_way).zip(e.par_chunks_exact_mut(n)).for_each(begin);
        let f = Operand::OneOnDevice(&self.f);
        self.by.batch.multiply(&Operand::Host(&e), &f, Output::Host(&mut products))?;
        let unmask = |((opened, product), r): ((_, &[u16]), &mut [i8])| key.unmask(opened, product, r);
        let halves = products.par_chunks_exact(n).zip(small.par_chunks_exact_mut(n));
        under_way
            .par_iter_mut()
            .zip(halves)
            .map(|(opened, (product, r))| ((opened, product), r))
            .for_each(unmask);
        self.by.multiply(&small, &mut products)?;
        let finish = |(opened, product): (_, &[u16])| message(key, opened, product);
        Ok(under_way.par_iter_mut().zip(products.par_chunks_exact(n)).map(finish).collect())
    }
}

/// The message of a ciphertext, in memory that is cleared.
fn message<S: Halves>(key: &Decryption<S>, opened: &mut Opened<S>, product: &[u16]) -> Decrypted {
    let mut message = Zeroizing::new(vec![0; S::NUMBERS.message]);
    let length = key.finish(opened, product, &mut message)?;
    message.truncate(length);
    Ok(message)
}
