//! What the tables of S. Akleylek and Z. Yuece Tok (2014) have, on an NVIDIA GPU: products of their rings by
//! each route, and encryptions whose products are there.
//!
//! A row is measured twice ([`ON_GPU`]): with operands that are on the GPU and results that stay there, and
//! with all copies. The last product of a batch is compared with the CPU's, and so is every ciphertext.

mod encryptions;
mod products;

use crate::measurement::Measurement;
use crate::paper::ON_GPU;
use crate::{Id, RINGSMITH};
use ringsmith_gpu::{Batch, Device, Element, GpuError, Operand, Output, Ring, Shared};
use ringsmith_probe::{CANARY_CYCLES, Kind};
use std::time::{Duration, Instant};

/// How much is done for each row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Coefficients of a batch of products.
    pub coefficients: usize,
    /// Messages of a batch of encryptions.
    pub messages: usize,
    /// Bytes of a batch's memory, as [`Batch::new`] takes them.
    pub memory: usize,
    /// How long a batch is repeated.
    pub time: Duration,
}

impl Effort {
    /// Batches of `2^24` coefficients, and of 1000 messages, as the paper has them.
    pub fn per_row(time: Duration) -> Self {
        Effort { coefficients: 1 << 24, messages: 1000, memory: 256 << 20, time }
    }
}

/// Seconds of one operation: on the GPU, and with copies.
type Seconds = [f64; 2];

/// Measures a row: none where the GPU has no kernel for it.
type Run = Box<dyn Fn(&Device, &Effort) -> Result<Option<Seconds>, GpuError>>;

/// A row that can be measured.
struct Job {
    suite: &'static str,
    subject: &'static str,
    operation: &'static str,
    route: &'static str,
    run: Run,
}

impl Job {
    fn id(&self, cpu: &str) -> Id {
        Id::new(self.suite, self.subject, self.operation, RINGSMITH, cpu, self.route)
    }

    /// A row of the table.
    fn measurement(&self, cpu: &str, seconds: f64) -> Measurement {
        let Id { suite, subject, operation, implementation, cpu, route } = self.id(cpu);
        let nanoseconds = 1e9 * seconds;
        Measurement {
            suite,
            subject,
            operation,
            implementation,
            cpu,
            route,
            cycles_min: nanoseconds,
            cycles_median: nanoseconds,
            cycles_mean: None,
            instructions: None,
            ns_min: nanoseconds,
            counter: Kind::Nanoseconds.name().into(),
            // A GPU has no chain of additions: its cycles are nanoseconds.
            canary: CANARY_CYCLES as f64,
        }
    }
}

/// The rows of an [`Id`] that is wanted. What the GPU has no kernel for is left out.
///
/// # Errors
/// [`GpuError::Wrong`] where a product or a ciphertext is not the CPU's; what else goes wrong with a GPU.
pub fn measure(
    device: &Device,
    effort: &Effort,
    wanted: &dyn Fn(&Id) -> bool,
) -> Result<Vec<Measurement>, GpuError> {
    let mut rows = Vec::new();
    let jobs = products::jobs().into_iter().chain(encryptions::jobs());
    for job in jobs.filter(|job| wanted(&job.id(ON_GPU[0]))) {
        if let Some(seconds) = (job.run)(device, effort)? {
            let pairs = ON_GPU.into_iter().zip(seconds);
            rows.extend(pairs.map(|(cpu, seconds)| job.measurement(cpu, seconds)));
        }
    }
    Ok(rows)
}

/// What the figures are of, in one line.
///
/// # Errors
/// As the driver's.
pub fn header(device: &Device) -> Result<String, GpuError> {
    let (info, free) = (device.info(), device.free_memory()?);
    let (major, minor) = info.capability;
    Ok(format!("gpu      {}, compute capability {major}.{minor}, {} MiB free\n", info.name, free >> 20))
}

/// None where a device has no kernel, or too little shared memory for it.
fn kernel_of<R: Ring>(device: &Device, ring: &R) -> Result<Option<&'static str>, GpuError> {
    match ring.choose(device.info(), Shared::None) {
        Err(GpuError::TooOld { .. } | GpuError::Route { .. }) => Ok(None),
        choice => Ok(Some(choice?.kernel.name)),
    }
}

/// The operands of a batch.
struct Operands<R: Ring> {
    a: Vec<R::A>,
    b: Vec<R::B>,
}

/// Seconds of a product in a batch, whose last product must be the one that is expected.
fn timed<R: Ring>(
    device: &Device,
    ring: R,
    held: &Operands<R>,
    expected: &[R::C],
    effort: &Effort,
) -> Result<Option<Seconds>, GpuError>
where
    R::C: PartialEq,
{
    let Some(kernel) = kernel_of(device, &ring)? else { return Ok(None) };
    let lengths = ring.lengths();
    let count = held.a.len() / lengths.a;
    let mut batch = Batch::new(device, ring, effort.memory)?;
    let mut products = vec![R::C::default(); count * lengths.c];
    let (a, b) = (batch.upload_first(&held.a)?, batch.upload_second(&held.b)?);
    let mut room = batch.room(count)?;
    let on_device = repeated(effort.time, || {
        batch.multiply(&Operand::Device(&a), &Operand::Device(&b), Output::Device(&mut room))
    })?;
    batch.download(&room, &mut products)?;
    check(&products, expected, kernel)?;
    products.fill(R::C::default());
    let with_copies = repeated(effort.time, || {
        batch.multiply(&Operand::Host(&held.a), &Operand::Host(&held.b), Output::Host(&mut products))
    })?;
    check(&products, expected, kernel)?;
    Ok(Some([on_device, with_copies].map(|seconds| seconds / count as f64)))
}

/// The last of these must be what is expected.
fn check<T: Element + PartialEq>(all: &[T], expected: &[T], what: &'static str) -> Result<(), GpuError> {
    if all.ends_with(expected) { Ok(()) } else { Err(GpuError::Wrong { ring: what }) }
}

/// Seconds of something that is done for some time, at least once, after a first time that may have to load
/// kernels.
fn repeated(time: Duration, mut once: impl FnMut() -> Result<(), GpuError>) -> Result<f64, GpuError> {
    once()?;
    let (start, mut times) = (Instant::now(), 0);
    while times == 0 || start.elapsed() < time {
        once()?;
        times += 1;
    }
    Ok(start.elapsed().as_secs_f64() / f64::from(times))
}
