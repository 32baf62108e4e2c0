//! Rings modulo `x^n - 1` and `2^k` by transforms modulo a prime: what the routes of
//! [`Cyclic`](crate::Cyclic) are compared with. `kernels/transform.cuh` tells how.

use crate::driver::Info;
use crate::kernels::{Kernel, Module};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};
use crate::word::NttParams;
use crate::{GpuError, Word};

/// `struct TransformParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct TransformParams {
    ntt: NttParams,
    n: u32,
    half: u32,
}

/// The prime: below `2^26`, and 1 modulo twice the length of every transform.
const P: u64 = 49_201_153;

/// Second operands' coefficients are from -2 to 1: this is the bound of that.
const SMALL: u32 = 2;

/// The kernels and the lengths of their transforms.
const KERNELS: [(usize, &str); 3] =
    [(1024, "transform_1024"), (2048, "transform_2048"), (4096, "transform_4096")];

/// `Z_(2^k)[x]/(x^n - 1)`: products of an element with coefficients in `[0, 2^k)` by one with coefficients
/// -1, 0 and 1 (and -2), by a transform of at least `2 n` coefficients modulo one prime.
/// [`Cyclic`](crate::Cyclic) is the same by tensor cores.
pub struct Transform {
    n: usize,
    bits: u32,
    kernel: &'static str,
    word: Word,
}

impl Transform {
    /// The ring of a degree and a power of two.
    ///
    /// # Errors
    /// Where they don't serve, or a coefficient of a product could be beyond what the prime holds.
    ///
    /// ```
    /// use ringsmith_gpu::Transform;
    /// assert!(Transform::new(701, 13).is_ok());
    /// // 1536 * 2^14 is more than half of the prime.
    /// assert!(Transform::new(1536, 14).is_err());
    /// ```
    pub fn new(n: usize, bits: u32) -> Result<Self, GpuError> {
        if !(32..=1536).contains(&n) || !(1..=14).contains(&bits) {
            return Err(GpuError::Cyclic { n, bits });
        }
        if (n as u64) << bits >= P / 2 {
            return Err(GpuError::Route {
                what: "coefficients of a product are beyond what the prime holds",
            });
        }
        let fits = |(length, _): &&(usize, _)| 2 * n <= *length;
        let (length, kernel) = KERNELS.iter().find(fits).copied().unwrap_or(KERNELS[2]);
        Ok(Transform { n, bits, kernel, word: Word::new(length, P)? })
    }
}

// SAFETY: `kernels/transform.cuh` reads n coefficients of each operand and the table of `Word`, writes n, and
// has the shared memory of the kernels of `Word`.
unsafe impl Ring for Transform {
    type A = u16;
    type B = i8;
    type C = u16;

    fn lengths(&self) -> Lengths {
        Lengths { a: self.n, b: self.n, c: self.n }
    }
    fn bounds(&self) -> (u32, u32) {
        (1 << self.bits, SMALL)
    }
    fn choose(&self, info: &Info, shared: Shared) -> Result<Choice, GpuError> {
        let kernel = Kernel { name: self.kernel, module: Module::Transform };
        let why = "a transform of twice the length, to be compared with tensor cores";
        Ok(Choice { kernel, why, ..self.word.choose(info, shared)? })
    }
    fn table(&self) -> &[u32] {
        self.word.table()
    }
    fn params(&self, of: Operands) -> Params {
        let (ntt, n, half) = (self.word.ntt_params(of), self.n as u32, self.bits - 1);
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(TransformParams { ntt, n, half }) }
    }
}
