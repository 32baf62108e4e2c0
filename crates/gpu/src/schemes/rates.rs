//! How long batches of whole encryptions take, beside the library on all cores.

use super::StreamlinedEncapsulations;
use super::encapsulation::{Cut, Encapsulating};
use super::ntruencrypt::{Seeds, seeds};
use super::{BatchError, Decryptions, Encapsulations, Encryptions, MEMORY, OfBytes, OneKey, Sampling};
use crate::rates::Numbers;
use crate::{Batch, Blinding, Device, GpuError, Operand, Output};
use rand_core::Rng;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator,
};
use rayon::slice::ParallelSlice;
use ringsmith_kem::keys::{DecapsulationKey, EncapsulationKey};
use ringsmith_kem::pke::{DecryptionKey, PkeSet};
use ringsmith_kem::set::{Bytes, CcaSet, SharedKey};
use ringsmith_ntru as ntru;
use ringsmith_ntruencrypt as ntruencrypt;
use ringsmith_ntruencrypt::halves::{Halves, Sealing};
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

/// How long it takes to make what blinds the messages of a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlindingTime {
    /// The kernel.
    pub kernel: &'static str,
    /// Of seeds that are on the device to polynomials that stay there.
    pub on_device: Duration,
    /// The same with copies.
    pub with_copies: Duration,
    /// The seeds, on all cores of the host.
    pub seeds: Duration,
    /// All of it on all cores of the host.
    pub host: Duration,
    /// Whether the device makes what the host does.
    pub right: bool,
}

/// Messages that are being encrypted, of all lengths, with their random bytes.
fn sealings<S: Halves>(count: usize, numbers: &mut Numbers) -> Vec<Sealing> {
    let message = |i: usize| {
        let mut sealing = Sealing::blank::<S>();
        sealing.take(&vec![i as u8; i % (S::NUMBERS.message + 1)]);
        numbers.fill_bytes(sealing.random_mut());
        sealing
    };
    (0..count).map(message).collect()
}

/// Times of what blinds messages of a set.
fn blinding<S: Halves>(device: &Device, effort: &Effort) -> Result<BlindingTime, BatchError> {
    let (mut numbers, batch) = (Numbers::new(), effort.batch);
    let key = DecryptionKey::<S>::generate(&mut numbers);
    let by = Encryptions::new(device, key.encryption_key())?;
    let sealings = sealings::<S>(batch, &mut numbers);
    let sealings: Vec<&Sealing> = sealings.iter().collect();
    let expected = by.small(&sealings)?;
    let host = least(effort.time, || by.small(&sealings).map(|_| ()))?;
    let mut made = Batch::new(device, Blinding::new(&S::NUMBERS)?, MEMORY)?;
    let kernel = made.explain(crate::Shared::None)?.kernel.name;
    let Seeds { bytes, blocks } = seeds(&by.key, made.ring(), &sealings)?;
    let seeds = least(effort.time, || seeds(&by.key, made.ring(), &sealings).map(|_| ()))?;
    let mut small = vec![0; expected.len()];
    let (first, second) = (Operand::Host(&bytes[..]), Operand::Host(&blocks[..]));
    let with_copies = least(effort.time, || made.multiply(&first, &second, Output::Host(&mut small)))?;
    // For a few seeds the device hashes too little, and all of `r` is 0.
    let pairs = || small.chunks(by.by.n).zip(expected.chunks(by.by.n)).filter(|(made, right)| made != right);
    let right = pairs().all(|(made, _)| made.iter().all(|x| *x == 0)) && pairs().count() <= 1 + batch / RARE;
    let (first, second) = (made.upload_first(&bytes)?, made.upload_second(&blocks)?);
    let (first, second, mut room) = (Operand::Device(&first), Operand::Device(&second), made.room(batch)?);
    let on_device = least(effort.time, || made.multiply(&first, &second, Output::Device(&mut room)))?;
    Ok(BlindingTime { kernel, on_device, with_copies, seeds, host, right })
}

/// Of fewer than one of so many seeds the device does not hash enough.
const RARE: usize = 1000;

/// Measures what blinds messages of a set.
pub type MeasureBlinding = fn(&Device, &Effort) -> Result<BlindingTime, BatchError>;

/// A set whose messages are blinded.
const fn of_blinding<S: Halves>() -> (&'static str, MeasureBlinding) {
    (<S as PkeSet>::NAME, blinding::<S>)
}

/// Sets by their names: one for each kernel, and others of a paper's table.
pub const BLINDINGS: [(&str, MeasureBlinding); 8] = [
    of_blinding::<ntruencrypt::ees401ep1::Ees401ep1>(),
    of_blinding::<ntruencrypt::ees401ep2::Ees401ep2>(),
    of_blinding::<ntruencrypt::ees653ep1::Ees653ep1>(),
    of_blinding::<ntruencrypt::ees1499ep1::Ees1499ep1>(),
    of_blinding::<ntruencrypt::ees443ep1::Ees443ep1>(),
    of_blinding::<ntruencrypt::ees449ep1::Ees449ep1>(),
    of_blinding::<ntruencrypt::ees853ep1::Ees853ep1>(),
    of_blinding::<ntruencrypt::ees743ep1::Ees743ep1>(),
];

/// How long a batch of encryptions takes, by where the messages' polynomials are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SamplingTime {
    /// The set.
    pub set: &'static str,
    /// Where they are made.
    pub sampling: Sampling,
    /// Messages.
    pub batch: usize,
    /// From messages to ciphertexts, with copies.
    pub whole: Duration,
    /// The sum of its parts without copies: what blinds the messages (on the device after their seeds),
    /// products on the device, and all that follows on the host.
    pub without_copies: Duration,
    /// Threads of the host.
    pub threads: usize,
}

/// Whole encryptions of a set with both kinds of [`Sampling`].
///
/// # Errors
/// [`GpuError::Wrong`] where ciphertexts differ; what else goes wrong with a device.
fn samplings<S: Halves>(device: &Device, effort: &Effort) -> Result<[SamplingTime; 2], BatchError> {
    let (set, mut numbers, batch) = (<S as PkeSet>::NAME, Numbers::new(), effort.batch);
    let key = DecryptionKey::<S>::generate(&mut numbers);
    let messages: Vec<Vec<u8>> = (0..batch).map(|i| vec![i as u8; S::NUMBERS.message]).collect();
    let mut out = [Sampling::Host, Sampling::Device]
        .map(|sampling| (sampling, vec![<S as PkeSet>::CiphertextBytes::ZERO; batch], Duration::ZERO));
    for (sampling, out, whole) in &mut out {
        let mut by = Encryptions::new_by(device, key.encryption_key(), *sampling)?;
        *whole = least(effort.time, || by.encrypt(&messages, &mut Numbers::new(), out))?;
    }
    let blinding = blinding::<S>(device, effort)?;
    let is_opened = |(ciphertext, message): (_, &Vec<u8>)| {
        key.decrypt(ciphertext).is_ok_and(|opened| opened[..] == message[..])
    };
    let is_right = out[0].1.iter().zip(&messages).rev().take(CHECKED).all(is_opened);
    if !is_right || out[0].1 != out[1].1 || !blinding.right {
        return Err(wrong(set));
    }
    let mut by = Encryptions::new(device, key.encryption_key())?;
    let sealings = sealings::<S>(batch, &mut numbers);
    let refs: Vec<&Sealing> = sealings.iter().collect();
    let (products, ciphertexts) = (by.products(&refs)?, &mut out[0].1);
    let end = least_of(effort.time, || {
        let pairs = ciphertexts.par_iter_mut().zip(&sealings).zip(products.par_chunks_exact(by.by.n));
        pairs.for_each(|((out, sealing), product)| _ = by.key.finish(sealing, product, out.as_mut()));
    });
    let Products([_, on_device]) = by.by.time(effort)?;
    let threads = rayon::current_num_threads();
    Ok(out.map(|(sampling, _, whole)| {
        let first = match sampling {
            Sampling::Host => blinding.host,
            Sampling::Device => blinding.seeds + blinding.on_device,
        };
        SamplingTime { set, sampling, batch, whole, without_copies: first + on_device + end, threads }
    }))
}

/// Measures whole encryptions of a set.
pub type MeasureSamplings = fn(&Device, &Effort) -> Result<[SamplingTime; 2], BatchError>;

/// The sets of a paper's table, and one of products.
pub const SAMPLINGS: [MeasureSamplings; 5] = [
    samplings::<ntruencrypt::ees401ep1::Ees401ep1>,
    samplings::<ntruencrypt::ees449ep1::Ees449ep1>,
    samplings::<ntruencrypt::ees653ep1::Ees653ep1>,
    samplings::<ntruencrypt::ees853ep1::Ees853ep1>,
    samplings::<ntruencrypt::ees443ep1::Ees443ep1>,
];
