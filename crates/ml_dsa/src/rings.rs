//! ML-DSA's ring for its own sake: products in `Z_8380417[x]/(x^256 + 1)`.
//!
//! `a b` is the inverse transform of the products of values: two transforms forward, one pointwise product,
//! one transform backward; a second factor that is kept saves one. The transform is complete, in lanes of 32
//! bits: `ringsmith_ring::algorithm::words` has its mathematics and its bounds.
//!
//! `ringsmith::compiled` lists it among the rings that a ring of run time is computed by. It is no
//! `ringsmith_ring::Ring`, whose coefficients have at most 15 bits.
//!
//! ```
//! use ringsmith_ml_dsa::rings::{Factor, MlDsa, Scratch};
//! use ringsmith_simd::Cpu;
//!
//! let (cpu, mut scratch, mut factor) = (Cpu::detect(), Scratch::ZERO, Factor::ZERO);
//! let (mut a, mut b) = ([0; 256], [0; 256]);
//! (a[255], b[1]) = (1, 1);
//! MlDsa::prepare_into(cpu, &b, &mut factor, &mut scratch);
//! let mut product = [0; 256];
//! MlDsa::multiply_prepared_into(cpu, &a, &factor, &mut product, &mut scratch);
//! assert_eq!(product[0], 8_380_416); // x^256 = -1
//! ```
//!
//! # Constant time
//! In all coefficients.

use crate::ring::{N, Ntt, Poly, Products, Q, Values, ZERO};
use core::iter::zip;
use ringsmith_simd::Cpu;
use zeroize::Zeroize;

/// The ring.
pub struct MlDsa;

/// A second factor that is multiplied by often. Cleared on drop.
pub struct Factor(Values);

impl Factor {
    /// The factor 0, to be overwritten.
    pub const ZERO: Self = Factor(Values::ZERO);
}

impl Drop for Factor {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// The memory that products take. Cleared on drop.
pub struct Scratch {
    element: Poly,
    values: [Values; 2],
    products: Products,
}

impl Scratch {
    /// All zero.
    pub const ZERO: Self = Scratch { element: ZERO, values: [Values::ZERO; 2], products: Products::ZERO };
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.element.zeroize();
        self.values.zeroize();
        self.products.zeroize();
    }
}

impl MlDsa {
    /// The modulus.
    pub const Q: u32 = Q as u32;
    /// The degree.
    pub const N: usize = N;
    /// What the ring is called.
    pub const NAME: &'static str = "Z_8380417[x]/(x^256+1)";

    /// How far from 0 lanes of 32 bits get: forward, from coefficients of at most `q`, and backward. The
    /// compiler proves that none overflows.
    pub const REACH: [u32; 2] = {
        let backward = Ntt::inverse_bounds(Ntt::PRODUCTS);
        [Ntt::VALUES.magnitude() as u32, backward[backward.len() - 1].magnitude() as u32]
    };

    /// Writes `a b`, with coefficients in `[0, q)`; those of `a` and `b` are at most `q`, which debug builds
    /// check.
    pub fn multiply_into(cpu: Cpu, [a, b]: [&[u32; N]; 2], out: &mut [u32; N], scratch: &mut Scratch) {
        let Scratch { element, values: [values, second], products } = scratch;
        forward(cpu, a, element, values);
        forward(cpu, b, element, second);
        backward(cpu, [values, second], products, element, out);
    }

    /// Prepares a second factor, whose coefficients are at most `q`, which debug builds check.
    pub fn prepare_into(cpu: Cpu, b: &[u32; N], factor: &mut Factor, scratch: &mut Scratch) {
        forward(cpu, b, &mut scratch.element, &mut factor.0);
    }

    /// Writes `a b`, by a prepared `b`, as [`multiply_into`](Self::multiply_into) does.
    pub fn multiply_prepared_into(
        cpu: Cpu,
        a: &[u32; N],
        b: &Factor,
        out: &mut [u32; N],
        scratch: &mut Scratch,
    ) {
        let Scratch { element, values: [values, _], products } = scratch;
        forward(cpu, a, element, values);
        backward(cpu, [values, &b.0], products, element, out);
    }
}

/// The values of an element.
fn forward(cpu: Cpu, a: &[u32; N], element: &mut Poly, values: &mut Values) {
    // Of at most 23 bits.
    zip(element.0.as_flattened_mut(), a).for_each(|(to, x)| *to = *x as i32);
    Ntt::forward(cpu, element, values);
}

/// The element whose values are products of these.
fn backward(cpu: Cpu, [a, b]: [&Values; 2], products: &mut Products, element: &mut Poly, out: &mut [u32; N]) {
    Ntt::accumulate(cpu, [a], [b], products);
    Ntt::inverse(cpu, products, element);
    zip(out, element.0.as_flattened()).for_each(|(to, x)| *to = *x as u32);
}
