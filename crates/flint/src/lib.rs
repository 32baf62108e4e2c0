//! FLINT's products in `Z_q[x]/(f)`, of `nmod_poly`, by its C functions. For the benchmarks alone; no part of
//! the library.
//!
//! FLINT is not here: `FLINT_PREFIX` names the folder where it is installed, when this crate is compiled.
//! The C code, `products.c`, is what a user of FLINT writes who multiplies often: a product by
//! `_nmod_poly_mul`, folded by `_nmod_vec_add` and `_nmod_vec_sub` where `f` has few terms; else one of the
//! two divisions of `Division`. It is compiled as FLINT is, for this machine's CPU.
//!
//! Without the feature `code` there is nothing here, and no C compiler is needed.
#![cfg(feature = "code")]

use std::error::Error;
use std::ffi::{CStr, c_char, c_int};
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The modulus polynomial.
#[derive(Clone, Copy, Debug)]
pub enum Modulus<'a> {
    /// `x^n - 1`.
    Cyclic(usize),
    /// `x^n + 1`.
    Negacyclic(usize),
    /// `x^n - x - 1`.
    Trinomial(usize),
    /// The polynomial with these coefficients below `q`, the constant term first, and 1 last.
    Dense(&'a [u64], Division),
}

/// How a product is divided by a polynomial with many terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Division {
    /// `_nmod_poly_mulmod_preinv`, by the inverse of the opposite polynomial.
    Inverse,
    /// `_nmod_poly_divrem_precomp` of `fft_small`, by transforms of the polynomial and of that inverse.
    Transforms,
}

/// Why there is no ring, no element or no product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlintError {
    /// `q` is below 2 or above `2^63`, or the degree below 2 or above `2^20`.
    Size,
    /// A coefficient is not below `q`, or the last one of the modulus polynomial not 1.
    Range,
    /// The number of coefficients is not the degree, or the element one of another ring.
    Length,
    /// This FLINT does not divide so, or there is no memory.
    Refused,
}

impl fmt::Display for FlintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FlintError::Size => "the modulus or the degree does not serve",
            FlintError::Range => "a coefficient is out of range",
            FlintError::Length => "the lengths or rings do not agree",
            FlintError::Refused => "this FLINT does not divide so, or there is no memory",
        })
    }
}

impl Error for FlintError {}

/// `struct ringsmith_flint_ring` of `products.c`.
#[repr(C)]
struct Raw {
    _private: [u8; 0],
    /// FLINT keeps caches for each thread.
    _stays: PhantomData<*mut ()>,
}

// As `products.c` has them; the numbers of bits are asserted there.
unsafe extern "C" {
    fn ringsmith_flint_version() -> *const c_char;
    fn ringsmith_flint_library() -> *const c_char;
    fn ringsmith_flint_has_fft_small() -> c_int;
    fn ringsmith_flint_new(q: u64, n: i64, way: c_int, f: *const u64) -> *mut Raw;
    fn ringsmith_flint_free(ring: *mut Raw);
    fn ringsmith_flint_product(ring: *mut Raw, out: *mut u64, a: *const u64, b: *const u64) -> c_int;
}

/// The version, as `3.6.0`.
pub fn version() -> String {
    // SAFETY: the function takes nothing, and gives a constant text of the library that ends with 0.
    unsafe { CStr::from_ptr(ringsmith_flint_version()) }.to_string_lossy().into_owned()
}

/// The file that the library was loaded from.
pub fn library() -> String {
    // SAFETY: the function takes nothing, and gives a text that ends with 0 and stays as long as the library
    // does: until the program ends, as it is linked.
    unsafe { CStr::from_ptr(ringsmith_flint_library()) }.to_string_lossy().into_owned()
}

/// Whether FLINT was built with `fft_small`, its transforms of doubles.
pub fn has_fft_small() -> bool {
    // SAFETY: the function takes nothing, and gives a constant.
    unsafe { ringsmith_flint_has_fft_small() != 0 }
}

/// A ring, and the memory that products take.
pub struct Ring {
    raw: NonNull<Raw>,
    q: u64,
    n: usize,
}

/// An element whose coefficients are known to be below `q`.
#[derive(Clone, Debug)]
pub struct Element {
    q: u64,
    coefficients: Vec<u64>,
}

impl Modulus<'_> {
    /// The degree, the number that `products.c` has, and the coefficients where they are asked for.
    fn parts(&self) -> (usize, c_int, Option<&[u64]>) {
        match *self {
            Modulus::Cyclic(n) => (n, 0, None),
            Modulus::Negacyclic(n) => (n, 1, None),
            Modulus::Trinomial(n) => (n, 2, None),
            Modulus::Dense(f, Division::Inverse) => (f.len().saturating_sub(1), 3, Some(f)),
            Modulus::Dense(f, Division::Transforms) => (f.len().saturating_sub(1), 4, Some(f)),
        }
    }
}

impl Ring {
    /// The ring.
    ///
    /// # Errors
    /// Where `q` or the polynomial does not serve, this FLINT does not divide so, or there is no memory.
    pub fn new(q: u64, modulus: Modulus) -> Result<Self, FlintError> {
        let (n, way, f) = modulus.parts();
        if !(2..=1 << 63).contains(&q) || !(2..=1 << 20).contains(&n) {
            return Err(FlintError::Size);
        }
        if f.is_some_and(|f| f.last() != Some(&1) || f.iter().any(|x| *x >= q)) {
            return Err(FlintError::Range);
        }
        let f = f.map_or(std::ptr::null(), <[u64]>::as_ptr);
        // SAFETY: q and n are in the range that was checked. Ways 3 and 4 read n + 1 coefficients behind `f`,
        // which are those of the slice, below q, with 1 last; the others read none.
        let raw = unsafe { ringsmith_flint_new(q, n as i64, way, f) };
        NonNull::new(raw).map(|raw| Ring { raw, q, n }).ok_or(FlintError::Refused)
    }

    /// The element with these coefficients, the constant term first.
    ///
    /// # Errors
    /// Where they are not `n`, or one is not below `q`.
    pub fn element(&self, coefficients: &[u64]) -> Result<Element, FlintError> {
        if coefficients.len() != self.n {
            return Err(FlintError::Length);
        }
        if coefficients.iter().any(|x| *x >= self.q) {
            return Err(FlintError::Range);
        }
        Ok(Element { q: self.q, coefficients: coefficients.to_vec() })
    }

    /// Writes the coefficients of `a b` to `out`.
    ///
    /// # Errors
    /// Where an element is one of a ring with another degree or `q`, `out` has another length, or FLINT
    /// refuses.
    pub fn product(&mut self, a: &Element, b: &Element, out: &mut [u64]) -> Result<(), FlintError> {
        let serves = |x: &Element| x.q == self.q && x.coefficients.len() == self.n;
        if !serves(a) || !serves(b) || out.len() != self.n {
            return Err(FlintError::Length);
        }
        let (a, b) = (a.coefficients.as_ptr(), b.coefficients.as_ptr());
        // SAFETY: the ring lives and is borrowed alone. The function reads n coefficients, below q, behind
        // `a` and behind `b`, and writes n behind `out`, which overlaps neither.
        let done = unsafe { ringsmith_flint_product(self.raw.as_ptr(), out.as_mut_ptr(), a, b) };
        if done == 0 { Err(FlintError::Refused) } else { Ok(()) }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // SAFETY: the pointer is one that `ringsmith_flint_new` gave, and is freed once.
        unsafe { ringsmith_flint_free(self.raw.as_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith_oracle::{Random, integer_product};

    /// The definition: long division.
    fn expected(q: u64, f: &[i128], a: &[u64], b: &[u64]) -> Vec<u64> {
        let wide = |a: &[u64]| a.iter().map(|x| i128::from(*x)).collect::<Vec<_>>();
        let mut c = integer_product(&wide(a), &wide(b));
        for top in (a.len()..c.len()).rev() {
            let leading = c[top].rem_euclid(i128::from(q));
            let from = top + 1 - f.len();
            f.iter().zip(&mut c[from..]).for_each(|(f, c)| *c -= leading * f);
        }
        c.iter().take(a.len()).map(|x| x.rem_euclid(i128::from(q)) as u64).collect()
    }

    /// All coefficients of `f`.
    fn coefficients(modulus: Modulus) -> Vec<i128> {
        let (n, way, f) = modulus.parts();
        let sparse = |low: &[i128]| {
            let mut f = vec![0; n + 1];
            f[..low.len()].copy_from_slice(low);
            f[n] = 1;
            f
        };
        match (way, f) {
            (_, Some(f)) => f.iter().map(|x| i128::from(*x)).collect(),
            (0, _) => sparse(&[-1]),
            (1, _) => sparse(&[1]),
            _ => sparse(&[-1, -1]),
        }
    }

    /// Protects: the C code computes what is measured.
    #[test]
    fn as_the_definition() {
        for (q, n) in [(3, 64), (257, 2), (4096, 67), (12289, 256)] {
            let mut random = Random::new(q);
            let [a, b, mut f] = [n, n, n + 1].map(|n| (0..n).map(|_| random.word() % q).collect::<Vec<_>>());
            f[n] = 1;
            let divisions = [Division::Inverse, Division::Transforms].map(|by| Modulus::Dense(&f, by));
            let few = [Modulus::Cyclic(n), Modulus::Negacyclic(n), Modulus::Trinomial(n)];
            for modulus in few.into_iter().chain(divisions) {
                let mut ring = match Ring::new(q, modulus) {
                    Err(FlintError::Refused) if !has_fft_small() => continue,
                    ring => ring.unwrap(),
                };
                let mut out = vec![0; n];
                ring.product(&ring.element(&a).unwrap(), &ring.element(&b).unwrap(), &mut out).unwrap();
                assert_eq!(out, expected(q, &coefficients(modulus), &a, &b), "{q} {modulus:?}");
            }
        }
    }

    /// Protects: what would be read or written past its end, or is above `q`, is refused.
    #[test]
    fn refuses() {
        let refused = |q, modulus| Ring::new(q, modulus).err();
        assert_eq!(refused(1, Modulus::Cyclic(8)), Some(FlintError::Size));
        assert_eq!(refused(5, Modulus::Cyclic(1)), Some(FlintError::Size));
        assert_eq!(refused(5, Modulus::Dense(&[], Division::Inverse)), Some(FlintError::Size));
        assert_eq!(refused(5, Modulus::Dense(&[5, 0, 1], Division::Inverse)), Some(FlintError::Range));
        assert_eq!(refused(5, Modulus::Dense(&[1, 0, 2], Division::Inverse)), Some(FlintError::Range));
        let mut ring = Ring::new(5, Modulus::Cyclic(2)).unwrap();
        assert_eq!(ring.element(&[5, 0]).err(), Some(FlintError::Range));
        assert_eq!(ring.element(&[1]).err(), Some(FlintError::Length));
        let other = Ring::new(7, Modulus::Cyclic(2)).unwrap().element(&[6, 6]).unwrap();
        let own = ring.element(&[1, 1]).unwrap();
        assert_eq!(ring.product(&own, &other, &mut [0; 2]), Err(FlintError::Length));
        assert_eq!(ring.product(&own, &own, &mut [0; 1]), Err(FlintError::Length));
    }
}
