//! How long batches of whole encryptions take, beside the library on all cores.

use super::StreamlinedEncapsulations;
use super::encapsulation::{Cut, Encapsulating};
use super::{BatchError, Decryptions, Encapsulations, Encryptions, OfBytes, OneKey};
use crate::rates::Numbers;
use crate::{Device, GpuError, Operand, Output};
use rayon::iter::{
    IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator,
};
use ringsmith_kem::keys::{DecapsulationKey, EncapsulationKey};
use ringsmith_kem::pke::{DecryptionKey, PkeSet};
use ringsmith_kem::set::{Bytes, CcaSet, SharedKey};
use ringsmith_ntru as ntru;
use ringsmith_ntruencrypt as ntruencrypt;
use std::time::{Duration, Instant};

/// How long one batch takes: the least of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BatchTime {
    /// The set.
    pub set: &'static str,
    /// What is done: "encrypt", "decrypt" or "encapsulate".
    pub operation: &'static str,
    /// Messages, or ciphertexts.
    pub batch: usize,
    /// From messages to ciphertexts, or back: all that the host and the device do, with copies.
    pub whole: Duration,
    /// The products alone, with copies.
    pub products: Duration,
    /// The products alone, of operands that are on the device to products that stay there.
    pub on_device: Duration,
    /// The library, without the device, on all cores.
    pub library: Duration,
    /// Threads of the host, in both.
    pub threads: usize,
}

/// How much is done for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Messages of a batch.
    pub batch: usize,
    /// How long a batch is repeated.
    pub time: Duration,
}

impl Default for Effort {
    /// 1000 messages, as papers have it.
    fn default() -> Self {
        Effort { batch: 1000, time: Duration::from_millis(300) }
    }
}

/// The least time of something that is repeated for some time, after a first one that may load kernels.
fn least<E>(time: Duration, mut work: impl FnMut() -> Result<(), E>) -> Result<Duration, E> {
    work()?;
    let (start, mut least) = (Instant::now(), Duration::MAX);
    while least == Duration::MAX || start.elapsed() < time {
        let begin = Instant::now();
        work()?;
        least = least.min(begin.elapsed());
    }
    Ok(least)
}

/// The same of what does not fail.
fn least_of(time: Duration, mut work: impl FnMut()) -> Duration {
    let Ok(least) = least::<core::convert::Infallible>(time, || {
        work();
        Ok(())
    });
    least
}

/// Times of products: with copies, and of what is on the device.
struct Products([Duration; 2]);

impl<R: OfBytes> OneKey<R> {
    /// Of as many ternary operands by the key.
    fn time(&mut self, effort: &Effort) -> Result<Products, GpuError> {
        let mut numbers = Numbers::new();
        let small: Vec<i8> = (0..self.n * effort.batch).map(|_| numbers.below(3) as i8 - 1).collect();
        let mut products = vec![0; small.len()];
        let with_copies = least(effort.time, || self.multiply(&small, &mut products))?;
        let (on_device, mut room) = (self.batch.upload_second(&small)?, self.batch.room(effort.batch)?);
        let (key, many) = (Operand::OneOnDevice(&self.key), Operand::Device(&on_device));
        let all = || self.batch.multiply(&key, &many, Output::Device(&mut room));
        Ok(Products([with_copies, least(effort.time, all)?]))
    }
}

impl<S: ntruencrypt::halves::Halves> Decryptions<S> {
    /// Of both products of as many ciphertexts.
    fn time(&mut self, effort: &Effort) -> Result<Products, GpuError> {
        let (by, mut numbers) = (&mut self.by, Numbers::new());
        let Products([with_copies, on_device]) = by.time(effort)?;
        let bound = 1 << S::NUMBERS.bits;
        let e: Vec<u16> = (0..by.n * effort.batch).map(|_| numbers.below(bound) as u16).collect();
        let (mut products, f) = (vec![0; e.len()], Operand::OneOnDevice(&self.f));
        let first =
            least(effort.time, || by.batch.multiply(&Operand::Host(&e), &f, Output::Host(&mut products)))?;
        let (many, mut room) = (by.batch.upload_first(&e)?, by.batch.room(effort.batch)?);
        let all = || by.batch.multiply(&Operand::Device(&many), &f, Output::Device(&mut room));
        Ok(Products([with_copies + first, on_device + least(effort.time, all)?]))
    }
}

/// A row, of what was measured.
fn row(
    (set, operation): (&'static str, &'static str),
    effort: &Effort,
    [whole, library]: [Duration; 2],
    Products([products, on_device]): Products,
) -> BatchTime {
    let threads = rayon::current_num_threads();
    BatchTime { set, operation, batch: effort.batch, whole, products, on_device, library, threads }
}

/// What was made is not what the library makes.
fn wrong(set: &'static str) -> BatchError {
    BatchError::Gpu(GpuError::Wrong { ring: set })
}

/// Encryption and decryption of messages that are as long as the set has them.
fn encryption<S: ntruencrypt::halves::Halves>(
    device: &Device,
    effort: &Effort,
) -> Result<[BatchTime; 2], BatchError> {
    let (name, mut numbers) = (<S as PkeSet>::NAME, Numbers::new());
    let key = DecryptionKey::<S>::generate(&mut numbers);
    let public = key.encryption_key();
    let messages: Vec<Vec<u8>> = (0..effort.batch).map(|i| vec![i as u8; S::NUMBERS.message]).collect();
    let mut out = vec![<S as PkeSet>::CiphertextBytes::ZERO; effort.batch];
    let mut by = Encryptions::new(device, public)?;
    let whole = least(effort.time, || by.encrypt(&messages, &mut numbers, &mut out))?;
    let is_right = |(ciphertext, message): (_, &Vec<u8>)| {
        key.decrypt(ciphertext).is_ok_and(|opened| opened[..] == message[..])
    };
    if !out.iter().zip(&messages).rev().take(CHECKED).all(is_right) {
        return Err(wrong(name));
    }
    let library = least_of(effort.time, || {
        let pairs = out.par_iter_mut().zip(&messages);
        pairs.for_each_init(Numbers::new, |numbers, (out, message)| {
            *out = public.encrypt(message, numbers).expect("a message that fits");
        });
    });
    let encrypt = row((name, "encrypt"), effort, [whole, library], by.by.time(effort)?);
    let (mut by, mut opened) = (Decryptions::new(device, &key)?, Vec::new());
    let whole = least(effort.time, || by.decrypt(&out).map(|all| opened = all))?;
    let is_right = |(opened, message): (&super::Decrypted, &Vec<u8>)| {
        opened.as_ref().is_ok_and(|opened| opened[..] == message[..])
    };
    if !opened.iter().zip(&messages).all(is_right) {
        return Err(wrong(name));
    }
    let library = least_of(effort.time, || {
        out.par_iter().for_each(|ciphertext| _ = core::hint::black_box(key.decrypt(ciphertext)));
    });
    Ok([encrypt, row((name, "decrypt"), effort, [whole, library], by.time(effort)?)])
}

/// Encapsulation.
fn encapsulation<S: CcaSet, K: Cut, R: OfBytes>(
    make: impl FnOnce(&EncapsulationKey<S>) -> Result<Encapsulating<K, R>, BatchError>,
    effort: &Effort,
) -> Result<BatchTime, BatchError> {
    let mut numbers = Numbers::new();
    let key = DecapsulationKey::<S>::generate(&mut numbers);
    let public = key.encapsulation_key();
    let mut out = vec![S::CiphertextBytes::ZERO; effort.batch];
    let mut shared: Vec<_> = out.iter().map(|_| SharedKey::zero()).collect();
    let mut by = make(public)?;
    let whole = least(effort.time, || by.run(&mut numbers, &mut out, &mut shared))?;
    if !out.iter().zip(&shared).rev().take(CHECKED).all(|(made, key_of)| key.decapsulate(made) == *key_of) {
        return Err(wrong(S::NAME));
    }
    let library = least_of(effort.time, || {
        let pairs = out.par_iter_mut().zip(&mut shared);
        pairs.for_each_init(Numbers::new, |numbers, (out, shared)| {
            public.encapsulate_into(numbers, out, shared);
        });
    });
    Ok(row((S::NAME, "encapsulate"), effort, [whole, library], by.by.time(effort)?))
}

/// How many of a batch are opened by the library.
const CHECKED: usize = 8;

/// Times of the sets of a paper's table (S. Akleylek, Z. Yuece Tok, 2014), of NTRUEncrypt's shortest set of
/// products, of NTRU, and of SSH's size of NTRU Prime.
///
/// # Errors
/// [`GpuError::Wrong`] where what was made can't be opened; what else goes wrong with a device.
pub fn times(device: &Device, effort: &Effort) -> Result<Vec<BatchTime>, BatchError> {
    use ntru::{ntruhps2048677::Ntruhps2048677, ntruhrss701::Ntruhrss701};
    use ntruencrypt::{ees401ep1::Ees401ep1, ees443ep1::Ees443ep1, ees449ep1::Ees449ep1};
    use ntruencrypt::{ees653ep1::Ees653ep1, ees853ep1::Ees853ep1};
    use ringsmith_ntru_prime::sntrup761::Sntrup761;
    let mut all = Vec::new();
    all.extend(encryption::<Ees401ep1>(device, effort)?);
    all.extend(encryption::<Ees449ep1>(device, effort)?);
    all.extend(encryption::<Ees653ep1>(device, effort)?);
    all.extend(encryption::<Ees853ep1>(device, effort)?);
    all.extend(encryption::<Ees443ep1>(device, effort)?);
    let of_677 = |key: &_| Encapsulations::<Ntruhps2048677>::new(device, key).map(|by| by.0);
    all.push(encapsulation(of_677, effort)?);
    let of_701 = |key: &_| Encapsulations::<Ntruhrss701>::new(device, key).map(|by| by.0);
    all.push(encapsulation(of_701, effort)?);
    let of_761 = |key: &_| StreamlinedEncapsulations::<Sntrup761>::new(device, key).map(|by| by.0);
    all.push(encapsulation(of_761, effort)?);
    Ok(all)
}
