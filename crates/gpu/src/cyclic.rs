//! Rings modulo `x^n - 1` and `2^k`: NTRU's and NTRUEncrypt's. The kernels' page (`kernels/cyclic.cuh`) has
//! the mathematics.

use crate::driver::Info;
use crate::kernels::Module;
use crate::matrices::{CyclicRoute, Kernels};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};
use crate::{Element, GpuError};
use core::marker::PhantomData;

/// `struct CyclicParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct CyclicParams {
    of: Operands,
    n: u32,
    mask: u32,
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for i8 {}
    impl Sealed for u16 {}
}

/// What coefficients of a second operand are: `i8` or `u16`.
pub trait Factor: Element + sealed::Sealed {
    /// Limbs of seven bits that a kernel has of one.
    const LIMBS: usize;
}

impl Factor for i8 {
    const LIMBS: usize = 1;
}

impl Factor for u16 {
    const LIMBS: usize = 2;
}

/// `Z_(2^k)[x]/(x^n - 1)`, `32 <= n <= 1536` and `1 <= k <= 14`: products of an element with coefficients in
/// `[0, 2^k)` by a small one with coefficients from -128 to 127 ([`Cyclic::new`]), or by one with
/// coefficients in `[0, 2^k)`, too ([`Cyclic::wide`]).
pub struct Cyclic<B = i8> {
    n: usize,
    bits: u32,
    route: Option<CyclicRoute>,
    second: PhantomData<B>,
}

/// By a small operand.
const SMALL: Kernels = Kernels {
    module: Module::Cyclic,
    pairs: &[(2, "pair_512"), (3, "pair_768"), (4, "pair_1024"), (5, "pair_1280"), (6, "pair_1536")],
    one_key: "one_key",
    one_key_parts: "one_key_parts",
    schoolbook: "school",
    limbs: (2, i8::LIMBS),
    message: i8::LIMBS,
    turned: 0,
    one_key_until: 1024,
    why: "tensor cores: a warp has a pair as one matrix product",
};

/// By one that is as large as the first.
const WIDE: Kernels = Kernels {
    module: Module::Cyclic,
    pairs: &[
        (2, "wide_pair_512"),
        (3, "wide_pair_768"),
        (4, "wide_pair_1024"),
        (5, "wide_pair_1280"),
        (6, "wide_pair_1536"),
    ],
    one_key: "wide_one_key",
    one_key_parts: "wide_one_key_parts",
    schoolbook: "wide_school",
    limbs: (2, u16::LIMBS),
    message: u16::LIMBS,
    one_key_until: 512,
    why: "tensor cores: a warp has a pair as one matrix product, of three products of limbs",
    ..SMALL
};

impl Cyclic {
    /// The ring of a degree and a power of two, for products by a small operand.
    ///
    /// # Errors
    /// Where they don't serve.
    pub fn new(n: usize, bits: u32) -> Result<Self, GpuError> {
        Self::of(n, bits)
    }
}

impl Cyclic<u16> {
    /// The ring of a degree and a power of two, for products of any two elements.
    ///
    /// # Errors
    /// Where they don't serve.
    ///
    /// ```
    /// let ring = ringsmith_gpu::Cyclic::wide(701, 13);
    /// assert!(ring.is_ok());
    /// ```
    pub fn wide(n: usize, bits: u32) -> Result<Self, GpuError> {
        Self::of(n, bits)
    }
}

impl<B: Factor> Cyclic<B> {
    fn of(n: usize, bits: u32) -> Result<Self, GpuError> {
        if !(32..=1536).contains(&n) || !(1..=14).contains(&bits) {
            return Err(GpuError::Cyclic { n, bits });
        }
        Ok(Cyclic { n, bits, route: None, second: PhantomData })
    }

    /// With a route that is not chosen, but given.
    pub fn by(self, route: CyclicRoute) -> Self {
        Cyclic { route: Some(route), ..self }
    }

    const fn is_wide() -> bool {
        B::LIMBS > 1
    }
}

// SAFETY: `kernels/cyclic.cuh` reads and writes up to four elements at once, and rows are a multiple of 8.
// What shared memory it uses is counted by the same formulas. A factor is one of the two that it is compiled
// for.
unsafe impl<B: Factor> Ring for Cyclic<B> {
    type A = u16;
    type B = B;
    type C = u16;

    fn lengths(&self) -> Lengths {
        Lengths { a: self.n, b: self.n, c: self.n }
    }
    fn bounds(&self) -> (u32, u32) {
        (1 << self.bits, if Self::is_wide() { 1 << self.bits } else { u32::MAX })
    }
    fn choose(&self, info: &Info, shared: Shared) -> Result<Choice, GpuError> {
        self.choose_for(info, shared, usize::MAX)
    }
    fn choose_for(&self, info: &Info, shared: Shared, count: usize) -> Result<Choice, GpuError> {
        let kernels = if Self::is_wide() { &WIDE } else { &SMALL };
        kernels.choose(self.n, self.route, info, (shared, count))
    }
    fn table(&self) -> &[u32] {
        &[]
    }
    fn params(&self, of: Operands) -> Params {
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(CyclicParams { of, n: self.n as u32, mask: (1 << self.bits) - 1 }) }
    }
}
