//! How many instructions a second a GPU issues, of one kind and of two kinds that take turns: what
//! predictions of a kernel's speed begin with.

use crate::driver::Info;
use crate::kernels::{Kernel, Module};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};
use crate::{Batch, Device, GpuError, Operand, Output};
use std::time::{Duration, Instant};

/// A kind of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// The low half of a product, and a sum.
    Multiply,
    /// The high half.
    High,
    /// Both.
    Wide,
    Add,
    Logic,
    /// A product and a sum of doubles.
    Double,
    /// A product of matrices of bytes on tensor cores.
    Matrix,
    /// One of matrices of half precision.
    Half,
}

/// One kind of instructions, or two that take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mix {
    kernel: &'static str,
    kinds: (Kind, Option<Kind>),
}

impl Mix {
    const fn one(kernel: &'static str, kind: Kind) -> Self {
        Mix { kernel, kinds: (kind, None) }
    }
    const fn two(kernel: &'static str, first: Kind, second: Kind) -> Self {
        Mix { kernel, kinds: (first, Some(second)) }
    }

    /// The name of its kernel.
    pub fn name(&self) -> &'static str {
        self.kernel
    }

    fn has(&self, kind: Kind) -> bool {
        self.kinds.0 == kind || self.kinds.1 == Some(kind)
    }
}

/// Each kind alone, and every two.
pub const MIXES: [Mix; 36] = [
    Mix::one("issue_multiply", Kind::Multiply),
    Mix::one("issue_high", Kind::High),
    Mix::one("issue_wide", Kind::Wide),
    Mix::one("issue_add", Kind::Add),
    Mix::one("issue_logic", Kind::Logic),
    Mix::one("issue_double", Kind::Double),
    Mix::one("issue_matrix", Kind::Matrix),
    Mix::one("issue_half", Kind::Half),
    Mix::two("issue_double_wide", Kind::Double, Kind::Wide),
    Mix::two("issue_double_multiply", Kind::Double, Kind::Multiply),
    Mix::two("issue_double_high", Kind::Double, Kind::High),
    Mix::two("issue_double_logic", Kind::Double, Kind::Logic),
    Mix::two("issue_double_add", Kind::Double, Kind::Add),
    Mix::two("issue_wide_multiply", Kind::Wide, Kind::Multiply),
    Mix::two("issue_wide_high", Kind::Wide, Kind::High),
    Mix::two("issue_wide_logic", Kind::Wide, Kind::Logic),
    Mix::two("issue_wide_add", Kind::Wide, Kind::Add),
    Mix::two("issue_multiply_high", Kind::Multiply, Kind::High),
    Mix::two("issue_multiply_logic", Kind::Multiply, Kind::Logic),
    Mix::two("issue_multiply_add", Kind::Multiply, Kind::Add),
    Mix::two("issue_high_logic", Kind::High, Kind::Logic),
    Mix::two("issue_high_add", Kind::High, Kind::Add),
    Mix::two("issue_logic_add", Kind::Logic, Kind::Add),
    Mix::two("issue_matrix_half", Kind::Matrix, Kind::Half),
    Mix::two("issue_matrix_double", Kind::Matrix, Kind::Double),
    Mix::two("issue_matrix_wide", Kind::Matrix, Kind::Wide),
    Mix::two("issue_matrix_multiply", Kind::Matrix, Kind::Multiply),
    Mix::two("issue_matrix_high", Kind::Matrix, Kind::High),
    Mix::two("issue_matrix_logic", Kind::Matrix, Kind::Logic),
    Mix::two("issue_matrix_add", Kind::Matrix, Kind::Add),
    Mix::two("issue_half_double", Kind::Half, Kind::Double),
    Mix::two("issue_half_wide", Kind::Half, Kind::Wide),
    Mix::two("issue_half_multiply", Kind::Half, Kind::Multiply),
    Mix::two("issue_half_high", Kind::Half, Kind::High),
    Mix::two("issue_half_logic", Kind::Half, Kind::Logic),
    Mix::two("issue_half_add", Kind::Half, Kind::Add),
];

/// Values of a thread, threads of a block, and threads of a warp: those of `kernels/issue.cuh`.
const CHAINS: usize = 8;
const THREADS: usize = 256;
const WARP: usize = 32;

/// `struct IssueParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct IssueParams {
    of: Operands,
    steps: u32,
    one: u32,
}

/// A loop of instructions, which a batch runs as if it were a ring: a block is a product.
pub struct Issue {
    mix: Mix,
    steps: u32,
}

/// What a device does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Instructions {
    /// Instructions of a warp a second, on the whole GPU, of all kinds of the mix together.
    pub rate: f64,
    /// Whether every thread computed what it should.
    pub right: bool,
}

impl Issue {
    /// So many steps of a mix; a step has eight instructions of each kind.
    pub fn new(mix: Mix, steps: u32) -> Self {
        Issue { mix, steps }
    }

    /// Measures it: so many blocks of 256 threads, again and again for some time.
    ///
    /// # Errors
    /// What a device says; [`GpuError::TooOld`] where it has no such instructions.
    pub fn measure(self, device: &Device, blocks: usize, time: Duration) -> Result<Instructions, GpuError> {
        let (mix, steps, count) = (self.mix, self.steps, blocks * THREADS);
        let odd = |i: usize| (i as u32).wrapping_mul(0x9e37_79b9) | 1;
        let (a, b): (Vec<u32>, Vec<u32>) = (0..count).map(|i| (i as u32, odd(i))).unzip();
        let mut batch = Batch::new(device, self, 1 << 20)?;
        let (on_a, on_b) = (batch.upload_first(&a)?, batch.upload_second(&b)?);
        let mut on_c = batch.room(blocks)?;
        let mut all =
            || batch.multiply(&Operand::Device(&on_a), &Operand::Device(&on_b), Output::Device(&mut on_c));
        all()?;
        let (start, mut runs) = (Instant::now(), 0);
        while runs == 0 || start.elapsed() < time {
            all()?;
            runs += 1;
        }
        let seconds = start.elapsed().as_secs_f64();
        let kinds = 1 + usize::from(mix.kinds.1.is_some());
        let instructions = runs * (count / WARP) * (steps as usize * CHAINS * kinds);
        let mut c = vec![0; count];
        batch.download(&on_c, &mut c)?;
        let is_right = |i: usize| c[i] == expected(mix, steps, a[i], b[i]);
        let right = (0..count).step_by(count.div_ceil(CHECKED)).all(is_right);
        Ok(Instructions { rate: instructions as f64 / seconds, right })
    }
}

/// How many threads' results are checked, at most.
const CHECKED: usize = 1 << 12;

/// What a thread of a mix computes.
fn expected(mix: Mix, steps: u32, a: u32, b: u32) -> u32 {
    let second = mix.kinds.1.map_or(0, |kind| alone(kind, steps, a, b));
    alone(mix.kinds.0, steps, a, b).wrapping_add(second)
}

/// What a thread of one kind computes.
fn alone(kind: Kind, steps: u32, a: u32, b: u32) -> u32 {
    let (chains, wide) = (CHAINS as u32, |x: u32| u64::from(x));
    match kind {
        Kind::Multiply => words(steps, a, |x, _| x.wrapping_mul(b).wrapping_add(a)),
        Kind::High => words(steps, a, |x, _| (((wide(x) * wide(b)) >> 32) as u32).wrapping_add(a)),
        Kind::Add => words(steps, a, u32::wrapping_add),
        Kind::Logic => words(steps, a, |x, next| (x & b) ^ next),
        Kind::Wide => {
            let step = |x: u64| x.wrapping_add((x >> 32) * wide(b));
            let of = |k| (0..steps).fold(wide(a) << 32 | k, |x, _| step(x));
            let all = (0..CHAINS as u64).map(of).fold(0, u64::wrapping_add);
            (all as u32).wrapping_add((all >> 32) as u32)
        }
        // Each step adds `a` to a number that began as its chain's.
        Kind::Double => {
            let sum = wide(chains) * (wide(chains) - 1) / 2 + wide(steps) * wide(chains) * wide(a);
            sum as u32
        }
        Kind::Matrix => matrices(steps, a, 32),
        Kind::Half => matrices(steps, a, 16),
    }
}

/// Products of matrices with so many columns: of a chain two places are above and two below, where each half
/// of the columns is as `kernels/issue.cuh` says.
fn matrices(steps: u32, a: u32, columns: u32) -> u32 {
    let a_step = columns / 2 * (2 * (1 + 3 * 2) + 2 * (2 + 4 * 2));
    a.wrapping_mul(4).wrapping_add(steps.wrapping_mul(a_step)).wrapping_mul(CHAINS as u32)
}

/// Words, each made of itself and the next one.
fn words(steps: u32, a: u32, next: impl Fn(u32, u32) -> u32) -> u32 {
    let mut x: [u32; CHAINS] = core::array::from_fn(|k| a.wrapping_add(k as u32));
    for _ in 0..steps {
        for k in 0..CHAINS {
            x[k] = next(x[k], x[(k + 1) % CHAINS]);
        }
    }
    x.into_iter().fold(0, u32::wrapping_add)
}

// SAFETY: `kernels/issue.cuh` reads a word of each operand for each of 256 threads, and writes one.
unsafe impl Ring for Issue {
    type A = u32;
    type B = u32;
    type C = u32;

    fn lengths(&self) -> Lengths {
        Lengths { a: THREADS, b: THREADS, c: THREADS }
    }
    fn bounds(&self) -> (u32, u32) {
        (u32::MAX, u32::MAX)
    }
    fn choose(&self, info: &Info, _: Shared) -> Result<Choice, GpuError> {
        if (self.mix.has(Kind::Matrix) || self.mix.has(Kind::Half)) && info.capability < (8, 0) {
            return Err(GpuError::TooOld { capability: info.capability });
        }
        let kernel = Kernel { name: self.mix.kernel, module: Module::Issue };
        let why = "a loop of instructions, to be measured";
        Ok(Choice { kernel, threads: THREADS as u32, products: 1, parts: 1, shared: 0, why })
    }
    fn table(&self) -> &[u32] {
        &[]
    }
    fn params(&self, of: Operands) -> Params {
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(IssueParams { of, steps: self.steps, one: 1 }) }
    }
}
