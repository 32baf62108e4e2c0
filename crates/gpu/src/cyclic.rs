//! Rings modulo `x^n - 1` and `2^k`: NTRU's and NTRUEncrypt's. The kernels' page (`kernels/cyclic.cuh`) has
//! the mathematics.

use crate::GpuError;
use crate::driver::Info;
use crate::kernels::{Kernel, Module};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};

/// `struct CyclicParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct CyclicParams {
    of: Operands,
    n: u32,
    mask: u32,
}

/// How products of a small operand are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CyclicRoute {
    /// Each pair as a matrix product on tensor cores.
    Pairs,
    /// All messages by one key as one matrix product on tensor cores. The first operand must be one for all.
    OneKey,
    /// By 32-bit integers.
    Schoolbook,
}

/// `Z_(2^k)[x]/(x^n - 1)`, `32 <= n <= 1536` and `1 <= k <= 14`: products of an element with coefficients in
/// `[0, 2^k)` by a small one with coefficients from -128 to 127.
pub struct Cyclic {
    n: usize,
    bits: u32,
    route: Option<CyclicRoute>,
}

/// The least GPU with products of bytes on tensor cores in this form.
const TENSOR: (u32, u32) = (8, 0);

/// A kernel of this module.
const fn kernel(name: &'static str) -> Kernel {
    Kernel { name, module: Module::Cyclic }
}

/// The pair kernels: 256 coefficients for each number of tiles.
const PAIRS: [(usize, &str); 5] =
    [(2, "pair_512"), (3, "pair_768"), (4, "pair_1024"), (5, "pair_1280"), (6, "pair_1536")];

/// Words from one shifted array to the next: 8 more than a multiple of 32, for the banks.
fn stride(words: usize) -> usize {
    words.next_multiple_of(32) + 8
}

/// Rows of one key's matrix product that a warp has: fewer messages leave some of them empty.
const MESSAGES: usize = 32;

/// Degrees up to which one key's kernel has the better count; above, pairs have less to set up.
const ONE_KEY: usize = 1024;

impl Cyclic {
    /// The ring of a degree and a power of two.
    ///
    /// # Errors
    /// Where they don't serve.
    pub fn new(n: usize, bits: u32) -> Result<Self, GpuError> {
        if !(32..=1536).contains(&n) || !(1..=14).contains(&bits) {
            return Err(GpuError::Cyclic { n, bits });
        }
        Ok(Cyclic { n, bits, route: None })
    }

    /// With a route that is not chosen, but given.
    pub fn by(self, route: CyclicRoute) -> Self {
        Cyclic { route: Some(route), ..self }
    }

    fn pairs(&self, why: &'static str) -> Choice {
        let fits = |(tiles, _): &&(usize, _)| self.n <= 256 * tiles;
        let (tiles, name) = PAIRS.iter().find(fits).copied().unwrap_or(PAIRS[4]);
        let columns = 8 * tiles;
        let words = 8 * stride(8 * columns + 12) + 2 * columns * 12;
        Choice { kernel: kernel(name), threads: 32, products: 1, shared: 4 * words, why }
    }

    fn one_key(&self, why: &'static str) -> Choice {
        let (steps, groups, warps) = (self.n.div_ceil(32), self.n.div_ceil(64), 2);
        let words = 8 * stride(16 * groups + 8 * steps + 1) + warps * 32 * (8 * steps + 4);
        let threads = 32 * warps as u32;
        Choice { kernel: kernel("one_key"), threads, products: threads, shared: 4 * words, why }
    }

    fn schoolbook(&self, why: &'static str) -> Choice {
        let threads = self.n.div_ceil(8).next_multiple_of(32) as u32;
        Choice { kernel: kernel("school"), threads, products: 1, shared: 4 * (3 * self.n + 8), why }
    }
}

// SAFETY: `kernels/cyclic.cuh` reads and writes up to four elements at once, and rows are a multiple of 8.
// What shared memory it uses is counted by the same formulas.
unsafe impl Ring for Cyclic {
    type A = u16;
    type B = i8;
    type C = u16;

    fn lengths(&self) -> Lengths {
        Lengths { a: self.n, b: self.n, c: self.n }
    }
    fn bounds(&self) -> (u32, u32) {
        (1 << self.bits, u32::MAX)
    }
    fn choose(&self, info: &Info, shared: Shared) -> Result<Choice, GpuError> {
        self.choose_for(info, shared, usize::MAX)
    }
    fn choose_for(&self, info: &Info, shared: Shared, count: usize) -> Result<Choice, GpuError> {
        let one = self.one_key("tensor cores: all messages by one key are one matrix product");
        let is_one = matches!(shared, Shared::First | Shared::Both);
        let given = "as asked for";
        match self.route {
            Some(CyclicRoute::Schoolbook) => Ok(self.schoolbook(given)),
            Some(_) if info.capability < TENSOR => Err(GpuError::TooOld { capability: info.capability }),
            Some(CyclicRoute::Pairs) => Ok(self.pairs(given)),
            Some(CyclicRoute::OneKey) if !is_one => {
                Err(GpuError::Route { what: "products by one key need a first operand that is one for all" })
            }
            Some(CyclicRoute::OneKey) if one.shared > info.shared => Err(GpuError::Route {
                what: "products by one key of so many coefficients need more shared memory than the GPU has",
            }),
            Some(CyclicRoute::OneKey) => Ok(Choice { why: given, ..one }),
            None if info.capability < TENSOR => {
                Ok(self.schoolbook("integers: the GPU has no tensor cores that multiply these bytes"))
            }
            None if is_one && self.n <= ONE_KEY && one.shared <= info.shared => match count < MESSAGES {
                true => Ok(self.pairs(
                    "tensor cores: by one key a warp takes 32 messages, and of fewer each has a warp",
                )),
                false => Ok(one),
            },
            None => Ok(self.pairs("tensor cores: a warp has a pair as one matrix product")),
        }
    }
    fn table(&self) -> &[u32] {
        &[]
    }
    fn params(&self, of: Operands) -> Params {
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(CyclicParams { of, n: self.n as u32, mask: (1 << self.bits) - 1 }) }
    }
}
