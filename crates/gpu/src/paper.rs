//! The routes that S. Akleylek and Z. Yuece Tok measured on a GPU (2014), in rings modulo `x^n - 1` and
//! `2^k`: interleaved Montgomery multiplication in their form and the original one, and fast convolution.
//! Those modulo `x^n + 1` and a prime are [`WordBy`](crate::WordBy)'s.

use crate::GpuError;
use crate::driver::Info;
use crate::kernels::{Kernel, Module};
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};
use crate::window::PublicTernary;

/// The form of interleaved Montgomery multiplication.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The authors' own: `M' = 1` is not multiplied by, and the result's factor is an index.
    Proposed,
    /// With products by `M` and `M'`, and a second pass that undoes the factor.
    Original,
    /// The same without that pass: the product times `x^(-w s)`, with `s` steps of `w` coefficients.
    OriginalUnfinished,
}

/// `struct InterleavedParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct InterleavedParams {
    pub(crate) of: Operands,
    pub(crate) quotient: u64,
    pub(crate) n: u32,
    pub(crate) modulus: u32,
    pub(crate) steps: u32,
    pub(crate) rotation: u32,
}

/// The lengths of a step that there are kernels for.
pub(crate) const WORDS: [usize; 5] = [1, 8, 16, 32, 64];

/// A step's length as an index of [`WORDS`].
pub(crate) fn index_of_word(word: usize, n: usize) -> Result<usize, GpuError> {
    let found = WORDS.iter().position(|of| *of == word && word <= n);
    found.ok_or(GpuError::Route {
        what: "a step takes 1, 8, 16, 32 or 64 coefficients, and no more than there are",
    })
}

impl Form {
    /// Words of shared memory that a product of `n` coefficients takes in steps of `word`.
    pub(crate) fn shared_words(self, n: usize, word: usize) -> usize {
        let both = 2 * n + 3 * word + word * n.div_ceil(word);
        if self == Form::Proposed { both } else { both + n + 6 * word }
    }

    /// The rotation of the second pass, as the kernels take it.
    pub(crate) fn rotation(self, n: usize, word: usize) -> u32 {
        match self {
            Form::Original => (2 * word * n.div_ceil(word) % n) as u32,
            Form::Proposed | Form::OriginalUnfinished => u32::MAX,
        }
    }
}

/// Products of any two elements of `Z_(2^k)[x]/(x^n - 1)` by interleaved Montgomery multiplication.
pub struct Interleaved {
    n: usize,
    bits: u32,
    word: usize,
    form: Form,
    name: &'static str,
}

/// Whether there are kernels for a ring.
pub(crate) fn check(n: usize, bits: u32) -> Result<(), GpuError> {
    let serves = (32..=1536).contains(&n) && (1..=14).contains(&bits);
    if serves { Ok(()) } else { Err(GpuError::Cyclic { n, bits }) }
}

impl Interleaved {
    /// In steps of `word` coefficients: 1, 8, 16, 32 or 64.
    ///
    /// # Errors
    /// Where the ring or the step does not serve.
    pub fn new(n: usize, bits: u32, word: usize, form: Form) -> Result<Self, GpuError> {
        check(n, bits)?;
        let at = index_of_word(word, n)?;
        let names = match form {
            Form::Proposed => ["proposed_1", "proposed_8", "proposed_16", "proposed_32", "proposed_64"],
            _ => ["original_1", "original_8", "original_16", "original_32", "original_64"],
        };
        Ok(Interleaved { n, bits, word, form, name: names[at] })
    }
}

// SAFETY: `kernels/interleaved.cuh` reads and writes n coefficients, in the shared memory that `Form` counts.
// A thread has up to three coefficients, and room for four.
unsafe impl Ring for Interleaved {
    type A = u16;
    type B = u16;
    type C = u16;

    fn lengths(&self) -> Lengths {
        Lengths { a: self.n, b: self.n, c: self.n }
    }
    fn bounds(&self) -> (u32, u32) {
        (1 << self.bits, 1 << self.bits)
    }
    fn choose(&self, _: &Info, _: Shared) -> Result<Choice, GpuError> {
        Ok(Choice {
            kernel: Kernel { name: self.name, module: Module::Interleaved },
            threads: self.n.next_multiple_of(32).min(512) as u32,
            products: 1,
            parts: 1,
            shared: 4 * self.form.shared_words(self.n, self.word),
            why: "as asked for: a route of a paper, to be compared with",
        })
    }
    fn table(&self) -> &[u32] {
        &[]
    }
    fn params(&self, of: Operands) -> Params {
        let (n, modulus, steps) = (self.n as u32, (1 << self.bits) - 1, self.n.div_ceil(self.word) as u32);
        let rotation = self.form.rotation(self.n, self.word);
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(InterleavedParams { of, quotient: 0, n, modulus, steps, rotation }) }
    }
}

/// `struct SparseParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct SparseParams {
    of: Operands,
    n: u32,
    mask: u32,
    plus: u32,
    minus: u32,
}

/// Products in `Z_(2^k)[x]/(x^n - 1)` by a ternary element that anybody may know: its places are addresses.
/// The second operand is the places of its coefficients 1, and then of those that are -1.
pub struct Sparse {
    n: usize,
    bits: u32,
    plus: usize,
    minus: usize,
}

impl Sparse {
    /// With so many coefficients 1 and -1.
    ///
    /// # Errors
    /// Where the ring does not serve, there is no place, or there are more places than coefficients.
    pub fn new(n: usize, bits: u32, plus: usize, minus: usize) -> Result<Self, GpuError> {
        check(n, bits)?;
        if !(1..=n).contains(&plus.saturating_add(minus)) {
            return Err(GpuError::Route {
                what: "a ternary element has one place to as many as coefficients",
            });
        }
        Ok(Sparse { n, bits, plus, minus })
    }

    /// The second operand of a product by a polynomial: its places.
    ///
    /// # Errors
    /// Where it is of another degree, or has other numbers of coefficients 1 and -1.
    pub fn operand(&self, polynomial: &PublicTernary) -> Result<Vec<u16>, GpuError> {
        if polynomial.degree() != self.n {
            return Err(GpuError::Length { needs: self.n, has: polynomial.degree() });
        }
        let mut places = Vec::new();
        for (of, needs) in [(1, self.plus), (-1, self.minus)] {
            let before = places.len();
            places.extend(polynomial.places(of));
            if places.len() - before != needs {
                return Err(GpuError::Length { needs, has: places.len() - before });
            }
        }
        Ok(places)
    }
}

// SAFETY: the kernel reads n coefficients and all places, of which it takes none for more than n - 1; it has
// h twice and the places in shared memory.
unsafe impl Ring for Sparse {
    type A = u16;
    type B = u16;
    type C = u16;

    fn lengths(&self) -> Lengths {
        Lengths { a: self.n, b: self.plus + self.minus, c: self.n }
    }
    fn bounds(&self) -> (u32, u32) {
        (1 << self.bits, self.n as u32)
    }
    fn choose(&self, _: &Info, _: Shared) -> Result<Choice, GpuError> {
        Ok(Choice {
            kernel: Kernel { name: "sparse", module: Module::Cyclic },
            threads: 256,
            products: 1,
            parts: 1,
            shared: 4 * (2 * self.n + self.plus + self.minus),
            why: "as asked for: fast convolution by a public operand",
        })
    }
    fn table(&self) -> &[u32] {
        &[]
    }
    fn params(&self, of: Operands) -> Params {
        let (n, mask) = (self.n as u32, (1 << self.bits) - 1);
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(SparseParams { of, n, mask, plus: self.plus as u32, minus: self.minus as u32 }) }
    }
}
