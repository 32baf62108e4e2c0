//! What can go wrong.

use core::fmt;
use ringsmith_word::WordError;

/// Why a batch was not multiplied. Where one is returned, nothing was written that anybody should read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no driver of NVIDIA's on this machine.
    NoDriver,
    /// The driver finds no GPU with this number.
    NoGpu {
        /// The number, from 0 on.
        ordinal: usize,
    },
    /// A GPU, or the host's memory that it reads, has no room.
    OutOfMemory {
        /// How many bytes were asked for.
        bytes: usize,
    },
    /// The GPU stopped answering, or a kernel failed on it: it needs a new process, or is broken.
    Lost,
    /// The GPU is too old for every kernel of this ring.
    TooOld {
        /// The version of what it can compute, as 7.5.
        capability: (u32, u32),
    },
    /// Kernels for this GPU have to be compiled, and NVIDIA's compiler is not there.
    NoCompiler,
    /// NVIDIA's compiler refuses the kernels.
    Compiler {
        /// The end of what it says.
        log: String,
    },
    /// The folder of compiled kernels can't be used.
    Cache {
        /// The folder or file.
        path: String,
        /// Why.
        why: &'static str,
    },
    /// The driver says something that is none of these.
    Driver {
        /// Its number of the error.
        code: u32,
    },
    /// The kernel did what the emulated GPU refuses.
    Kernel {
        /// What.
        what: &'static str,
    },
    /// The prime or the degree does not serve.
    Word(WordError),
    /// A product modulo `x^n - 1` has 32 to 1536 coefficients of 1 to 14 bits.
    Cyclic {
        /// The degree.
        n: usize,
        /// Bits of a coefficient.
        bits: u32,
    },
    /// A product modulo `x^p - x - 1` has 32 to 1279 coefficients below a `q` from 2 to `2^14`, and `p q` is
    /// at most `2^24`.
    NtruPrime {
        /// The degree.
        p: usize,
        /// The modulus.
        q: u32,
    },
    /// Negacyclic products have 1024, 2048 or 4096 coefficients and a prime below `2^31`.
    Negacyclic {
        /// The degree.
        n: usize,
        /// The prime.
        p: u64,
    },
    /// A parameter of a route is none of those that there are.
    Route {
        /// Which are.
        what: &'static str,
    },
    /// An operand has another number of polynomials or coefficients.
    Length {
        /// How many coefficients are needed.
        needs: usize,
        /// How many there are.
        has: usize,
    },
    /// A coefficient is not canonical.
    Range {
        /// What it must be below.
        bound: u32,
    },
    /// A coefficient of a small operand is too large.
    Small {
        /// It must be from minus this to one less than this.
        bound: u32,
    },
    /// A product that was checked is not as defined.
    Wrong {
        /// The ring.
        ring: &'static str,
    },
    /// An operand lies on another device, or is of another ring.
    Foreign,
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuError::NoDriver => f.write_str("there is no NVIDIA driver on this machine"),
            GpuError::NoGpu { ordinal } => write!(f, "the NVIDIA driver finds no GPU number {ordinal}"),
            GpuError::OutOfMemory { bytes } => write!(f, "there is no room for {bytes} bytes on the GPU"),
            GpuError::Lost => f.write_str("the GPU stopped answering: start the program again"),
            GpuError::TooOld { capability: (major, minor) } => {
                write!(f, "the GPU, of compute capability {major}.{minor}, is too old for these products")
            }
            GpuError::NoCompiler => f.write_str(
                "there are no compiled kernels for this GPU, and no NVRTC library that compiles them",
            ),
            GpuError::Compiler { log } => write!(f, "NVRTC does not compile the kernels: {log}"),
            GpuError::Cache { path, why } => write!(f, "compiled kernels can't be kept in {path}: {why}"),
            GpuError::Driver { code } => write!(f, "the NVIDIA driver reports its error {code}"),
            GpuError::Kernel { what } => write!(f, "a kernel was stopped: {what}"),
            GpuError::Wrong { ring } => {
                write!(f, "the GPU computed a wrong product in {ring}: do not use it")
            }
            GpuError::Word(error) => error.fmt(f),
            _ => self.operands(f),
        }
    }
}

impl GpuError {
    /// What is wrong with a ring or an operand.
    fn operands(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuError::Cyclic { n, bits } => write!(
                f,
                "products modulo x^n - 1 have 32 to 1536 coefficients of 1 to 14 bits, not {n} of {bits}"
            ),
            GpuError::Negacyclic { n, p } => write!(
                f,
                "products modulo x^n + 1 have 1024, 2048 or 4096 coefficients and a prime below 2^31, \
                 not {n} and {p}"
            ),
            GpuError::NtruPrime { p, q } => write!(
                f,
                "products modulo x^p - x - 1 have 32 to 1279 coefficients and a modulus q from 2 to 2^14, \
                 with p q at most 2^24, not p = {p} and q = {q}"
            ),
            GpuError::Route { what } => f.write_str(what),
            GpuError::Length { needs, has } => {
                write!(f, "an operand has {has} coefficients where {needs} are needed")
            }
            GpuError::Range { bound } => write!(f, "a coefficient is not in [0, {bound})"),
            GpuError::Small { bound } => write!(f, "a coefficient is not in [-{bound}, {bound})"),
            _ => f.write_str("an operand is of another ring or on another GPU"),
        }
    }
}

impl core::error::Error for GpuError {}

impl From<WordError> for GpuError {
    fn from(error: WordError) -> Self {
        GpuError::Word(error)
    }
}
