//! The routes that S. Akleylek and Z. Yuece Tok measured on a GPU (2014), in rings modulo `x^n + 1` and a
//! prime: interleaved Montgomery multiplication in their form and the original one, schoolbook, and
//! transforms of doubles.

use crate::GpuError;
use crate::driver::Info;
use crate::fourier;
use crate::kernels::{Kernel, Module};
use crate::paper::{Form, InterleavedParams, index_of_word};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};
use ringsmith_word::WordRing;

/// How products modulo a prime and `x^n + 1` are done, to be compared with [`Word`](crate::Word)'s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PrimeRoute {
    /// All products of coefficients, eight results a thread. For primes below `2^29`.
    Schoolbook,
    /// Interleaved Montgomery multiplication. For primes below `2^29`.
    Interleaved {
        /// Coefficients of a step: 1, 8, 16, 32 or 64.
        word: usize,
        /// The form.
        form: Form,
    },
    /// Complex transforms of doubles, of coefficients in two parts, so that products are exact. For primes
    /// below `2^27`.
    Doubles,
}

/// `Z_p[x]/(x^n + 1)`, `n` = 1024, 2048 or 4096, for a prime that is 1 modulo `2 n`, by a route that is
/// given. Coefficients are in `[0, p)`.
pub struct WordBy {
    n: usize,
    p: u32,
    route: PrimeRoute,
    name: &'static str,
    table: Vec<u32>,
}

/// Kernels have 64-bit sums of 64 products of two coefficients.
const SUM_BITS: u32 = 29;

impl PrimeRoute {
    /// What a prime is below, in bits.
    const fn bits(self) -> u32 {
        match self {
            PrimeRoute::Schoolbook | PrimeRoute::Interleaved { .. } => SUM_BITS,
            PrimeRoute::Doubles => fourier::BITS,
        }
    }

    /// Its kernel's name.
    fn kernel(self, n: usize) -> Result<&'static str, GpuError> {
        const PROPOSED: [&str; 5] = [
            "prime_proposed_1",
            "prime_proposed_8",
            "prime_proposed_16",
            "prime_proposed_32",
            "prime_proposed_64",
        ];
        const ORIGINAL: [&str; 5] = [
            "prime_original_1",
            "prime_original_8",
            "prime_original_16",
            "prime_original_32",
            "prime_original_64",
        ];
        match self {
            PrimeRoute::Schoolbook => Ok("prime_school"),
            PrimeRoute::Doubles => Ok("fourier"),
            PrimeRoute::Interleaved { word, form: Form::Proposed } => Ok(PROPOSED[index_of_word(word, n)?]),
            PrimeRoute::Interleaved { word, .. } => Ok(ORIGINAL[index_of_word(word, n)?]),
        }
    }
}

impl WordBy {
    /// The ring of a degree and a prime, and the route of its products.
    ///
    /// # Errors
    /// Where they don't serve.
    ///
    /// ```
    /// use ringsmith_gpu::{Form, PrimeRoute, WordBy};
    /// let route = PrimeRoute::Interleaved { word: 32, form: Form::Proposed };
    /// assert!(WordBy::new(1024, 49_201_153, route).is_ok());
    /// assert!(WordBy::new(1024, 1_073_479_681, route).is_err());
    /// ```
    pub fn new(n: usize, p: u64, route: PrimeRoute) -> Result<Self, GpuError> {
        if ![1024, 2048, 4096].contains(&n) || p >> 31 != 0 {
            return Err(GpuError::Negacyclic { n, p });
        }
        WordRing::new(n, p)?;
        if p >> route.bits() != 0 {
            return Err(GpuError::Route { what: "this route takes a smaller prime" });
        }
        let table = if route == PrimeRoute::Doubles { fourier::table(n) } else { Vec::new() };
        Ok(WordBy { n, p: p as u32, route, name: route.kernel(n)?, table })
    }

    /// Threads of a block, and words of shared memory.
    fn block(&self) -> (usize, usize) {
        match self.route {
            PrimeRoute::Doubles => (self.n / 8, fourier::shared_words(self.n)),
            PrimeRoute::Schoolbook => (self.n / 8, 3 * self.n),
            PrimeRoute::Interleaved { word, form } => (self.n.min(1024), form.shared_words(self.n, word)),
        }
    }
}

// SAFETY: the kernels read and write n coefficients. Those of `kernels/interleaved.cuh` have the shared
// memory that `Form` counts, and up to four coefficients a thread, for which they have room. Schoolbook has
// 3 n words, and eight coefficients a thread. `kernels/fourier.cuh` has the shared memory that `fourier`
// counts and four points of two coefficients a thread, and reads the n / 2 nodes of its table.
unsafe impl Ring for WordBy {
    type A = u32;
    type B = u32;
    type C = u32;

    fn lengths(&self) -> Lengths {
        Lengths { a: self.n, b: self.n, c: self.n }
    }
    fn bounds(&self) -> (u32, u32) {
        (self.p, self.p)
    }
    fn choose(&self, info: &Info, _: Shared) -> Result<Choice, GpuError> {
        let (threads, words) = self.block();
        if 4 * words > info.shared {
            return Err(GpuError::Route { what: "this route needs more shared memory than the GPU has" });
        }
        let module = if self.route == PrimeRoute::Doubles { Module::Fourier } else { Module::Prime };
        Ok(Choice {
            kernel: Kernel { name: self.name, module },
            threads: threads as u32,
            products: 1,
            parts: 1,
            shared: 4 * words,
            why: "as asked for: a route of a paper, to be compared with",
        })
    }
    fn table(&self) -> &[u32] {
        &self.table
    }
    fn params(&self, of: Operands) -> Params {
        let (steps, rotation) = match self.route {
            PrimeRoute::Doubles => return fourier::params(of, self.n, self.p),
            PrimeRoute::Schoolbook => (0, u32::MAX),
            PrimeRoute::Interleaved { word, form } => ((self.n / word) as u32, form.rotation(self.n, word)),
        };
        // A prime does not divide 2^64, so this is floor(2^64 / p).
        let quotient = u64::MAX / u64::from(self.p);
        let (n, modulus) = (self.n as u32, self.p);
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(InterleavedParams { of, quotient, n, modulus, steps, rotation }) }
    }
}
