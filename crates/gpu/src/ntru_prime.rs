//! The rings of NTRU Prime: products modulo `x^p - x - 1`. The kernels' page (`kernels/ntru_prime.cuh`) has
//! the mathematics.

use crate::GpuError;
use crate::driver::Info;
use crate::kernels::Module;
use crate::matrices::{CyclicRoute, Kernels};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};

/// `struct NtruPrimeParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct NtruPrimeParams {
    of: Operands,
    n: u32,
    q: u32,
    one: u32,
    start: u32,
}

/// `Z_q[x]/(x^p - x - 1)`, `32 <= p <= 1279`, `2 <= q <= 2^14` and `p q <= 2^24`, where neither has to be a
/// prime: products of an element with coefficients in `[0, q)` by a small one with coefficients from -128 to
/// 127. [`NtruPrime::SETS`] are those of NTRU Prime.
///
/// A product is one matrix product, with a Toeplitz matrix that reduces by `x^p - x - 1`, too.
pub struct NtruPrime {
    p: usize,
    q: u32,
    route: Option<CyclicRoute>,
}

/// The size of the least coefficient of a small operand.
const LEAST: u64 = 128;

const KERNELS: Kernels = Kernels {
    module: Module::NtruPrime,
    pairs: &[(3, "trinomial_768"), (4, "trinomial_1024"), (5, "trinomial_1280")],
    one_key: "trinomial_one_key",
    one_key_parts: "trinomial_one_key_parts",
    schoolbook: "trinomial_school",
    limbs: (1, 2),
    message: 1,
    turned: 1,
    one_key_until: 1024,
    why: "tensor cores: a warp has a pair as one matrix product, which reduces by x^p - x - 1, too",
};

impl NtruPrime {
    /// `p` and `q` of NTRU Prime's six sizes.
    pub const SETS: [(usize, u32); 6] =
        [(653, 4621), (761, 4591), (857, 5167), (953, 6343), (1013, 7177), (1277, 7879)];

    /// The ring of a degree and a modulus.
    ///
    /// # Errors
    /// Where they don't serve.
    ///
    /// ```
    /// use ringsmith_gpu::{GpuError, NtruPrime};
    /// assert!(NtruPrime::new(761, 4591).is_ok());
    /// assert_eq!(NtruPrime::new(1280, 3).err(), Some(GpuError::NtruPrime { p: 1280, q: 3 }));
    /// ```
    pub fn new(p: usize, q: u32) -> Result<Self, GpuError> {
        let serves = (32..=1279).contains(&p) && (2..=1 << 14).contains(&q);
        if serves && p as u64 * u64::from(q) <= 1 << 24 {
            Ok(NtruPrime { p, q, route: None })
        } else {
            Err(GpuError::NtruPrime { p, q })
        }
    }

    /// With a route that is not chosen, but given.
    pub fn by(self, route: CyclicRoute) -> Self {
        NtruPrime { route: Some(route), ..self }
    }
}

// SAFETY: `kernels/ntru_prime.cuh` reads up to four elements at once of the second operand and writes up to
// two, and rows are a multiple of 8; it reads single elements of the first. What shared memory it uses is
// counted by the same formulas.
unsafe impl Ring for NtruPrime {
    type A = u16;
    type B = i8;
    type C = u16;

    fn lengths(&self) -> Lengths {
        Lengths { a: self.p, b: self.p, c: self.p }
    }
    fn bounds(&self) -> (u32, u32) {
        (self.q, u32::MAX)
    }
    fn choose(&self, info: &Info, shared: Shared) -> Result<Choice, GpuError> {
        self.choose_for(info, shared, usize::MAX)
    }
    fn choose_for(&self, info: &Info, shared: Shared, count: usize) -> Result<Choice, GpuError> {
        KERNELS.choose(self.p, self.route, info, (shared, count))
    }
    fn table(&self) -> &[u32] {
        &[]
    }
    fn params(&self, of: Operands) -> Params {
        let (n, q) = (self.p as u32, u64::from(self.q));
        // About 2^31 at most, since p q <= 2^24.
        let start = (LEAST * self.p as u64 * (q - 1)).next_multiple_of(q) as u32;
        let one = ((1 << 32) / q) as u32;
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(NtruPrimeParams { of, n, q: self.q, one, start }) }
    }
}
