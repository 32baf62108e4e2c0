//! How many products a second a device computes.

use crate::{
    Array, Batch, Cyclic, Device, Element, GpuError, NtruPrime, Operand, Output, Ring, Shared, Short,
    Transform, Word,
};
use std::time::{Duration, Instant};

/// Products a second in one ring.
#[derive(Clone, PartialEq, Debug)]
pub struct Rate {
    /// The ring, and what is one for all.
    pub ring: &'static str,
    /// The kernel.
    pub kernel: &'static str,
    /// Products of a batch.
    pub batch: usize,
    /// Products a second, of operands that are on the device to products that stay there.
    pub on_device: f64,
    /// From the host to the host.
    pub from_host: f64,
}

/// How much is done for each rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Coefficients of a batch.
    pub coefficients: usize,
    /// Bytes of a batch's memory, as [`Batch::new`] takes them.
    pub memory: usize,
    /// How long a batch is repeated.
    pub time: Duration,
}

impl Default for Effort {
    /// Batches of `2^26` coefficients, so `2^16` products of 1024.
    fn default() -> Self {
        Effort { coefficients: 1 << 26, memory: 256 << 20, time: Duration::from_millis(300) }
    }
}

/// A ring of which rates are told, and how its products are defined.
struct Sample {
    ring: &'static str,
    q: u32,
    /// What `x^n` is: 1, -1, or `x + 1`: its coefficients of 1 and `x`.
    power: (i64, i64),
    /// The least coefficient of a second operand, and how many different ones there are.
    second: (i64, u32),
    /// Whether one first operand is for all.
    one: bool,
    /// Whether second operands are prepared; what is from the host are the first ones, then.
    prepared: bool,
}

impl Sample {
    const fn negacyclic(ring: &'static str, q: u32) -> Self {
        Sample { ring, q, power: (-1, 0), second: (0, q), one: false, prepared: false }
    }

    const fn cyclic(ring: &'static str, q: u32, one: bool) -> Self {
        Sample { ring, q, power: (1, 0), second: (-1, 3), one, prepared: false }
    }
}

/// Numbers that look random, the same ones each time.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new() -> Self {
        Numbers(1)
    }

    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Below a bound.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u32
    }
}

/// In the place of randomness, for what is measured and never used.
#[cfg(any(feature = "ntru", feature = "ntru-prime", feature = "ntruencrypt"))]
mod in_place_of_randomness {
    use super::Numbers;
    use core::convert::Infallible;
    use rand_core::{TryCryptoRng, TryRng};

    impl TryRng for Numbers {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok((self.word() >> 32) as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.word())
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            for bytes in out.chunks_mut(8) {
                bytes.copy_from_slice(&self.word().to_le_bytes()[..bytes.len()]);
            }
            Ok(())
        }
    }

    impl TryCryptoRng for Numbers {}
}

/// One coefficient of a product by the definition.
fn coefficient(sample: &Sample, a: &[i64], b: &[i64], at: usize) -> i64 {
    let (n, q) = (a.len(), i64::from(sample.q));
    // Coefficient `k` of the product of integers.
    let sum = |k: usize| {
        let terms = (k.saturating_sub(n - 1)..n.min(k + 1)).map(|i| a[i] * b[k - i] % q);
        terms.fold(0, |sum, term| (sum + term) % q)
    };
    // `x^(n + at - 1)` is `x^(at - 1)` and `x^at`, each times its coefficient.
    let by_x = if at > 0 { sum(n + at - 1) } else { 0 };
    (sum(at) + sample.power.0 * sum(n + at) + sample.power.1 * by_x).rem_euclid(q)
}

/// Products a second of a batch that is done for some time, and at least once.
fn per_second(
    time: Duration,
    products: usize,
    mut batch: impl FnMut() -> Result<(), GpuError>,
) -> Result<f64, GpuError> {
    let (start, mut batches) = (Instant::now(), 0);
    while batches == 0 || start.elapsed() < time {
        batch()?;
        batches += 1;
    }
    Ok((batches * products) as f64 / start.elapsed().as_secs_f64())
}

/// The last polynomial.
fn last<T: Copy + Into<i64>>(all: &[T], n: usize) -> Vec<i64> {
    all[all.len() - n..].iter().map(|x| (*x).into()).collect()
}

/// The operands and products of a batch, of the host.
struct Held<R: Ring> {
    a: Vec<R::A>,
    b: Vec<R::B>,
    c: Vec<R::C>,
}

impl<R: Ring> Held<R>
where
    R::A: TryFrom<i64> + Into<i64>,
    R::B: TryFrom<i64> + Into<i64>,
    R::C: Into<i64>,
{
    fn new(sample: &Sample, n: usize, products: usize) -> Self {
        let mut numbers = Numbers::new();
        let firsts = if sample.one { 1 } else { products };
        let (least, count) = sample.second;
        let a = (0..n * firsts).map(|_| element(i64::from(numbers.below(sample.q)))).collect();
        let b = (0..n * products).map(|_| element(least + i64::from(numbers.below(count)))).collect();
        Held { a, b, c: vec![R::C::default(); n * products] }
    }

    /// Some coefficients of the last product must be those of the definition.
    fn check(&self, sample: &Sample, n: usize) -> Result<(), GpuError> {
        let (a, b, c) = (last(&self.a, n), last(&self.b, n), last(&self.c, n));
        let right = |at: usize| coefficient(sample, &a, &b, at) == c[at];
        match (0..n).step_by(n / 32).chain([n - 1]).all(right) {
            true => Ok(()),
            false => Err(GpuError::Wrong { ring: sample.ring }),
        }
    }
}

/// A number as an element, which holds it.
fn element<T: Element + TryFrom<i64>>(number: i64) -> T {
    T::try_from(number).unwrap_or_default()
}

/// One polynomial for all products, or as many as there are.
fn first<'a, T>(sample: &Sample, array: &'a Array<T>) -> Operand<'a, T> {
    if sample.one { Operand::OneOnDevice(array) } else { Operand::Device(array) }
}

/// The rate of one ring; `None` where the device is too old for it.
fn rate<R: Ring>(device: &Device, ring: R, sample: &Sample, effort: &Effort) -> Result<Option<Rate>, GpuError>
where
    R::A: TryFrom<i64> + Into<i64>,
    R::B: TryFrom<i64> + Into<i64>,
    R::C: Into<i64>,
{
    let shared = if sample.one { Shared::First } else { Shared::None };
    let n = ring.lengths().c;
    let count = (effort.coefficients / n).max(1);
    let choice = match sample.prepared {
        true => ring.choose_prepared(device.info()),
        false => ring.choose_for(device.info(), shared, count),
    };
    let kernel = match choice {
        Err(GpuError::TooOld { .. }) => return Ok(None),
        choice => choice?.kernel.name,
    };
    let mut held = Held::<R>::new(sample, n, count);
    let mut batch = Batch::new(device, ring, effort.memory)?;
    let on_device = on_device(&mut batch, &mut held, sample, (count, effort.time))?;
    held.check(sample, n)?;
    held.c.fill(R::C::default());
    let prepared = sample.prepared.then(|| batch.prepare(&held.b)).transpose()?;
    let from_host = per_second(effort.time, count, || {
        let a = if sample.one { Operand::One(&held.a) } else { Operand::Host(&held.a) };
        let b = prepared.as_ref().map_or(Operand::Host(&held.b), Operand::Prepared);
        batch.multiply(&a, &b, Output::Host(&mut held.c))
    })?;
    held.check(sample, n)?;
    Ok(Some(Rate { ring: sample.ring, kernel, batch: count, on_device, from_host }))
}

/// The rate of operands that stay on the device; the products are downloaded at the end.
fn on_device<R: Ring>(
    batch: &mut Batch<R>,
    held: &mut Held<R>,
    sample: &Sample,
    (count, time): (usize, Duration),
) -> Result<f64, GpuError> {
    let (a, b) = (batch.upload_first(&held.a)?, batch.upload_second(&held.b)?);
    let mut c = batch.room(count)?;
    let prepared = sample.prepared.then(|| batch.prepare_array(&b)).transpose()?;
    let second = || prepared.as_ref().map_or(Operand::Device(&b), Operand::Prepared);
    let mut all = || batch.multiply(&first(sample, &a), &second(), Output::Device(&mut c));
    // The first may have to load kernels, or to compile them.
    all()?;
    let rate = per_second(time, count, all)?;
    batch.download(&c, &mut held.c)?;
    Ok(rate)
}

/// The rates of a device: negacyclic products of 1024, 2048 and 4096 coefficients, also by prepared operands,
/// distinct pairs of NTRU's ring by a small operand, also by transforms, and by any, one key for all messages
/// of NTRUEncrypt's, and distinct pairs of NTRU Prime's. What takes tensor cores is left out where there are
/// none.
///
/// # Errors
/// [`GpuError::Wrong`] where a product is not as defined; what else goes wrong with a device.
pub fn rates(device: &Device, effort: &Effort) -> Result<Vec<Rate>, GpuError> {
    // 998244353 - 1 is a multiple of 8192.
    const P: u32 = 998_244_353;
    let word = |n: usize| Word::new(n, P.into());
    let short = Sample::negacyclic("Z_12289[x]/(x^1024+1)", 12289);
    let words = [
        (1024, Sample::negacyclic("Z_998244353[x]/(x^1024+1)", P)),
        (2048, Sample::negacyclic("Z_998244353[x]/(x^2048+1)", P)),
        (4096, Sample::negacyclic("Z_998244353[x]/(x^4096+1)", P)),
    ];
    let pairs = Sample::cyclic("Z_8192[x]/(x^701-1)", 1 << 13, false);
    let wide =
        Sample { second: (0, 1 << 13), ..Sample::cyclic("Z_8192[x]/(x^701-1), any two", 1 << 13, false) };
    let key = Sample::cyclic("Z_2048[x]/(x^401-1), one key", 1 << 11, true);
    let prime = Sample { power: (1, 1), ..Sample::cyclic("Z_4591[x]/(x^761-x-1)", 4591, false) };
    let mut rates = vec![rate(device, Short::new(12289)?, &short, effort)?];
    for (n, sample) in words {
        rates.push(rate(device, word(n)?, &sample, effort)?);
        rates.push(rate(device, word(n)?, &Sample { prepared: true, ..sample }, effort)?);
    }
    rates.push(rate(device, Cyclic::new(701, 13)?, &pairs, effort)?);
    rates.push(rate(device, Transform::new(701, 13)?, &pairs, effort)?);
    rates.push(rate(device, Cyclic::wide(701, 13)?, &wide, effort)?);
    rates.push(rate(device, Cyclic::new(401, 11)?, &key, effort)?);
    rates.push(rate(device, NtruPrime::new(761, 4591)?, &prime, effort)?);
    Ok(rates.into_iter().flatten().collect())
}
