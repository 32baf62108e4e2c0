//! A batch of products in one ring, on the GPU and on the CPU.

use crate::Failure;
use core::iter::zip;
use ringsmith::any::{self, Expression, Operands};
use ringsmith::{Cpu, compiled};
use ringsmith_gpu::{Array, Batch, Device, Element, GpuError, Operand, Output, Ring, Shared, Space};
use ringsmith_oracle::Random;
use std::thread;
use std::time::{Duration, Instant};

/// What the words of a second operand are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Words {
    /// Coefficients.
    Coefficients,
    /// Places: so many are of coefficients 1, the others of -1.
    Places(usize),
    /// Windows of three coefficients, as `SlidingWindow` takes them.
    Windows,
}

/// What the operands of a ring are, and what its products are by the CPU's library.
#[derive(Clone)]
pub struct Sample {
    /// The ring, as the CPU's library takes it.
    pub ring: String,
    /// The least and the greatest coefficient of a first operand.
    pub a: (i64, i64),
    /// The same of a second one.
    pub b: (i64, i64),
    /// What the words of a second operand are.
    pub words: Words,
    /// The GPU's product is the CPU's times `x` to the power of minus this.
    pub turn: usize,
    /// One first operand is for all.
    pub one: bool,
    /// Second operands are prepared, on the device; those from the host are first ones, then.
    pub prepared: bool,
}

impl Sample {
    /// Pairs of a ring, without more.
    pub fn pairs(ring: String, a: (i64, i64), b: (i64, i64)) -> Self {
        Sample { ring, a, b, words: Words::Coefficients, turn: 0, one: false, prepared: false }
    }
}

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Products of a batch.
    pub batch: usize,
    /// Of the operands that look random.
    pub seed: u64,
    /// A batch's memory and streams.
    pub space: Space,
    /// How long each rate is measured; `None` for products alone.
    pub time: Option<Duration>,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The kernel, for operands on the device.
    pub kernel: &'static str,
    /// Blocks that have the same products, each a part of their coefficients.
    pub parts: u32,
    /// Blocks that a processor has at once; `None` where the device was not asked.
    pub resident: Option<u32>,
    /// Whether every product is the CPU's.
    pub right: bool,
    /// Products a second of operands that stay on the device, as the products do; from the host to the host;
    /// and by the CPU's library on all cores. 0 where it was not measured.
    pub rates: [f64; 3],
}

/// What a batch is run by.
type Run = Box<dyn Fn(&Device, &Task) -> Result<Option<Outcome>, Failure> + Send + Sync>;

/// A ring's batches.
pub struct Job {
    /// The ring and what is special of it.
    pub name: String,
    run: Run,
}

impl Job {
    /// Of a ring, which is made for each batch anew.
    pub fn new<R: Ring + 'static>(
        name: String,
        ring: impl Fn() -> Result<R, GpuError> + Send + Sync + 'static,
        sample: Sample,
    ) -> Self
    where
        R::A: TryFrom<i64> + Into<i64>,
        R::B: TryFrom<i64> + Into<i64>,
        R::C: Into<i64>,
    {
        let run = move |device: &Device, task: &Task| perform(device, ring()?, &sample, task);
        Job { name, run: Box::new(run) }
    }

    /// What else the GPU and the CPU do both.
    pub fn by(
        name: String,
        run: impl Fn(&Device, &Task) -> Result<Option<Outcome>, Failure> + Send + Sync + 'static,
    ) -> Self {
        Job { name, run: Box::new(run) }
    }

    /// Does a batch; `None` where the GPU is too old for the ring.
    ///
    /// # Errors
    /// What the GPU and the CPU's library say.
    pub fn run(&self, device: &Device, task: &Task) -> Result<Option<Outcome>, Failure> {
        (self.run)(device, task)
    }
}

/// Polynomials one after the other. Their numbers, without the last `shift` bits, say whether they are the
/// greatest, the least, alternating, one coefficient alone, or random.
fn draw<T: TryFrom<i64>>(
    (low, high): (i64, i64),
    n: usize,
    count: usize,
    random: &mut Random,
    shift: u32,
) -> Vec<T> {
    let element = |number: i64| T::try_from(number).ok();
    let coefficient = |random: &mut Random, kind: usize, i: usize| match kind {
        0 => high,
        1 => low,
        2 if i.is_multiple_of(2) => high,
        2 => low,
        3 if i == n - 1 => high,
        3 => 0.max(low),
        _ => random.within(low, high),
    };
    let mut all = Vec::with_capacity(n * count);
    for number in 0..count {
        let kind = (number >> shift) % KINDS;
        all.extend((0..n).filter_map(|i| element(coefficient(random, kind, i))));
    }
    all
}

/// Kinds of polynomials: the last ones are random.
const KINDS: usize = 8;

/// Operands and products of a batch.
struct Held<R: Ring> {
    n: usize,
    a: Vec<R::A>,
    b: Vec<R::B>,
    c: Vec<R::C>,
    /// By the CPU.
    expected: Vec<u32>,
}

/// A number modulo `q`.
fn modulo(x: i64, q: u64) -> u32 {
    x.rem_euclid(q as i64) as u32
}

/// The element of `n` coefficients that words stand for.
fn dense(words: &[i64], kind: Words, n: usize) -> Vec<i64> {
    let mut element = vec![0; n];
    for (at, word) in words.iter().map(|word| *word as usize).enumerate() {
        match kind {
            Words::Coefficients => element[at] = words[at],
            Words::Places(plus) => element[word] += if at < plus { 1 } else { -1 },
            // A place, of three coefficients a pattern in base 3 behind a 1, and a sign for all.
            Words::Windows => {
                let (place, pattern) = (word % n, word / n);
                let sign = [1, -1, 0][pattern / 9];
                let digits = [1, pattern % 3, pattern / 3 % 3].map(|digit| [0, 1, -1][digit]);
                (0..3).for_each(|i| element[(place + i) % n] += sign * digits[i]);
            }
        }
    }
    element
}

/// The products of a batch by the CPU's library, on as many threads as there are cores.
fn on_all_cores(ring: &any::Ring, a: &[u32], b: &[u32], out: &mut [u32]) -> Result<(), Failure> {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let each = (out.len() / ring.degree()).div_ceil(cores).max(1) * ring.degree();
    let parts = zip(zip(a.chunks(each), b.chunks(each)), out.chunks_mut(each));
    thread::scope(|scope| {
        let part = |((a, b), out)| scope.spawn(move || ring.products(a, b, out));
        let started: Vec<_> = parts.map(part).collect();
        started.into_iter().try_for_each(|thread| match thread.join() {
            Ok(products) => Ok(products?),
            Err(_) => Err("a thread of the CPU ended".into()),
        })
    })
}

impl<R: Ring> Held<R>
where
    R::A: TryFrom<i64> + Into<i64>,
    R::B: TryFrom<i64> + Into<i64>,
    R::C: Into<i64>,
{
    fn new(ring: &R, sample: &Sample, task: &Task) -> Self {
        let (lengths, mut random) = (ring.lengths(), Random::new(task.seed));
        let firsts = if sample.one { 1 } else { task.batch };
        // A key is random; of a batch the kinds of both operands meet in all ways.
        let shift = if sample.one { 0 } else { KINDS.ilog2() };
        let a = match sample.one {
            true => (0..lengths.a)
                .filter_map(|_| R::A::try_from(random.within(sample.a.0, sample.a.1)).ok())
                .collect(),
            false => draw(sample.a, lengths.a, firsts, &mut random, 0),
        };
        let b = draw(sample.b, lengths.b, task.batch, &mut random, shift);
        let c = vec![R::C::default(); lengths.c * task.batch];
        Held { n: lengths.c, a, b, c, expected: vec![0; lengths.c * task.batch] }
    }

    /// Has the CPU's library compute all products on all cores; products a second.
    fn by_cpu(&mut self, sample: &Sample, task: &Task) -> Result<f64, Failure> {
        let Expression { q, f } = sample.ring.parse::<Expression>()?;
        let small = sample.b.0.unsigned_abs().max(sample.b.1.unsigned_abs());
        let operands = if sample.b.0 < 0 { Operands::any().small(small) } else { Operands::any() };
        let operands = if small * 2 > q { Operands::any() } else { operands };
        let ring = any::Ring::with_compiled(Cpu::detect(), q, &f, operands, compiled::table())?;
        let a: Vec<u32> = self.a.iter().map(|x| modulo((*x).into(), q)).collect();
        let a = if sample.one { a.repeat(task.batch) } else { a };
        let wide: Vec<i64> = self.b.iter().map(|x| (*x).into()).collect();
        let each = wide.len() / task.batch.max(1);
        let wide = wide.chunks(each).flat_map(|words| dense(words, sample.words, self.n)).collect::<Vec<_>>();
        let b: Vec<u32> = wide.into_iter().map(|x| modulo(x, q)).collect();
        let start = Instant::now();
        on_all_cores(&ring, &a, &b, &mut self.expected)?;
        Ok(task.batch as f64 / start.elapsed().as_secs_f64())
    }

    /// Whether the GPU's products are the CPU's.
    fn is_right(&self, turn: usize) -> bool {
        let n = self.n;
        let is_equal = |(c, expected): (&[R::C], &[u32])| {
            (0..n).all(|i| c[i].into() == i64::from(expected[(i + turn) % n]))
        };
        zip(self.c.chunks(n), self.expected.chunks(n)).all(is_equal)
    }
}

/// Products a second of a batch that is done for some time, and at least once; 0 where nothing is measured.
fn per_second(task: &Task, mut batch: impl FnMut() -> Result<(), GpuError>) -> Result<f64, GpuError> {
    let Some(time) = task.time else { return Ok(0.) };
    let (start, mut batches) = (Instant::now(), 0);
    while batches == 0 || start.elapsed() < time {
        batch()?;
        batches += 1;
    }
    Ok((batches * task.batch) as f64 / start.elapsed().as_secs_f64())
}

/// One polynomial for all products, or as many as there are.
fn first<'a, T: Element>(sample: &Sample, array: &'a Array<T>) -> Operand<'a, T> {
    if sample.one { Operand::OneOnDevice(array) } else { Operand::Device(array) }
}

/// Operands that stay on the device: the rate, after a batch that may have to load kernels.
fn on_device<R: Ring>(
    batch: &mut Batch<R>,
    held: &mut Held<R>,
    sample: &Sample,
    task: &Task,
) -> Result<f64, GpuError> {
    let (a, b) = (batch.upload_first(&held.a)?, batch.upload_second(&held.b)?);
    let mut c = batch.room(task.batch)?;
    let prepared = sample.prepared.then(|| batch.prepare_array(&b)).transpose()?;
    let second = || prepared.as_ref().map_or(Operand::Device(&b), Operand::Prepared);
    let mut all = || batch.multiply(&first(sample, &a), &second(), Output::Device(&mut c));
    all()?;
    let rate = per_second(task, all)?;
    batch.download(&c, &mut held.c)?;
    Ok(rate)
}

/// From the host to the host.
fn from_host<R: Ring>(
    batch: &mut Batch<R>,
    held: &mut Held<R>,
    sample: &Sample,
    task: &Task,
) -> Result<f64, GpuError> {
    held.c.fill(R::C::default());
    let prepared = sample.prepared.then(|| batch.prepare(&held.b)).transpose()?;
    let mut all = || {
        let a = if sample.one { Operand::One(&held.a) } else { Operand::Host(&held.a) };
        let b = prepared.as_ref().map_or(Operand::Host(&held.b), Operand::Prepared);
        batch.multiply(&a, &b, Output::Host(&mut held.c))
    };
    all()?;
    per_second(task, all)
}

/// A batch on the device, from the host, and by the CPU.
fn perform<R: Ring>(
    device: &Device,
    ring: R,
    sample: &Sample,
    task: &Task,
) -> Result<Option<Outcome>, Failure>
where
    R::A: TryFrom<i64> + Into<i64>,
    R::B: TryFrom<i64> + Into<i64>,
    R::C: Into<i64>,
{
    let shared = if sample.one { Shared::First } else { Shared::None };
    let choice = match sample.prepared {
        true => ring.choose_prepared(device.info()),
        false => ring.choose_for(device.info(), shared, task.batch),
    };
    let choice = match choice {
        Err(GpuError::TooOld { .. }) => return Ok(None),
        choice => choice?,
    };
    let mut held = Held::new(&ring, sample, task);
    let cpu = held.by_cpu(sample, task)?;
    let mut batch = Batch::with(device, ring, &task.space)?;
    let on_device = on_device(&mut batch, &mut held, sample, task)?;
    let right = held.is_right(sample.turn);
    let from_host = from_host(&mut batch, &mut held, sample, task)?;
    let right = right && held.is_right(sample.turn);
    let cpu = if task.time.is_some() { cpu } else { 0. };
    let (kernel, resident) = (choice.kernel.name, Some(batch.resident(&choice)?));
    Ok(Some(Outcome { kernel, parts: choice.parts, resident, right, rates: [on_device, from_host, cpu] }))
}
