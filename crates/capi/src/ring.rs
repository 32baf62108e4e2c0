//! Rings `Z_q[x]/(f)`: any modulus q from 2 to 2^62, prime or not, and any monic f of degree n from 1 to
//! 65536.
//!
//! An element is an array of n coefficients in `[0, q)`, the constant term first, of integers of 16, 32 or 64
//! bits, of which q - 1 must be one.

use crate::Error;
use crate::engine::{self, Engine, Word};
use crate::error::{answer, guarded};
use crate::memory::{In, Out, Own, handed, taken};
use crate::text::{borrowed, write};
use std::ffi::c_char;

/// A ring. It never changes, and any number of threads may use it at once.
pub struct Ring(Engine);

/// A second factor that is multiplied by often, in the form that products take. It never changes, and
/// outlives its ring: another ring of the same text takes it, too.
pub struct Factor(engine::Factor);

/// Makes a ring of a text, as in `Z_4591[x]/(x^761-x-1)`. To be given to `ringsmith_ring_free`.
/// `RINGSMITH_ERROR_EXPRESSION` where the text is none: then `*position`, if it is not null, is where in it
/// something is wrong, in bytes from its start. `RINGSMITH_ERROR_UNSUPPORTED` where the library was built
/// without rings.
///
/// # Safety
/// The text is null or ends with a zero; the other pointers are null, or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_new(
    ring: *mut *mut Ring,
    text: *const c_char,
    position: *mut usize,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { make(ring, text, None, position) })
}

/// The same for products whose second factor is small: its coefficients are from `-bound` to `bound`, where
/// -1 is q - 1. Such products are faster. The bound is from 1 to q/2, or it is `RINGSMITH_ERROR_RANGE`.
///
/// # Safety
/// As of `ringsmith_ring_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_new_small(
    ring: *mut *mut Ring,
    text: *const c_char,
    bound: u64,
    position: *mut usize,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { make(ring, text, Some(bound), position) })
}

/// Frees a ring. A null pointer is left alone.
///
/// # Safety
/// The pointer is null, or at a ring that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_free(ring: *mut Ring) {
    guarded(|| {
        // SAFETY: by the contract.
        unsafe { taken(ring) };
        Ok(())
    });
}

/// The number of coefficients of an element, n; 0 for a null pointer.
///
/// # Safety
/// The pointer is null, or at a ring.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_degree(ring: *const Ring) -> usize {
    // SAFETY: by the contract.
    answer(0, || Some(unsafe { used(ring) }.ok()?.0.degree()))
}

/// The modulus of the coefficients, q; 0 for a null pointer.
///
/// # Safety
/// The pointer is null, or at a ring.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_modulus(ring: *const Ring) -> u64 {
    // SAFETY: by the contract.
    answer(0, || Some(unsafe { used(ring) }.ok()?.0.modulus()))
}

/// Writes how products are computed, and in a second line why that is exact, as text with a zero behind it.
/// `*needed`, if it is not null, is how many bytes that takes: written whether there is room or not. The text
/// may be null, with no room, to ask for that alone. `RINGSMITH_ERROR_LENGTH` where there is less room.
///
/// # Safety
/// The first pointer is at a ring, or null; the second is null or valid for writes of so many bytes, the last
/// is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_plan(
    ring: *const Ring,
    text: *mut c_char,
    room: usize,
    needed: *mut usize,
) -> Error {
    guarded(|| {
        // SAFETY: by the contract.
        let plan = unsafe { used(ring) }?.0.plan()?;
        // SAFETY: by the contract.
        if let Ok(needed) = unsafe { Out::new(needed, 1) } {
            needed.write(&[plan.len() + 1]);
        }
        if text.is_null() {
            return if room == 0 { Ok(()) } else { Err(Error::NullPointer) };
        }
        // SAFETY: by the contract.
        write(&plan, unsafe { Out::new(text.cast(), room) }?)
    })
}

/// Writes a product of two elements of n coefficients of 16 bits.
///
/// # Safety
/// The first pointer is at a ring; the others are valid for n coefficients: the second for writes, the others
/// for reads. All may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_multiply_u16(
    ring: *const Ring,
    product: *mut u16,
    a: *const u16,
    b: *const u16,
    n: usize,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { multiply(ring, product, [a, b], n) })
}

/// Writes a product of two elements of n coefficients of 32 bits.
///
/// # Safety
/// As of `ringsmith_ring_multiply_u16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_multiply_u32(
    ring: *const Ring,
    product: *mut u32,
    a: *const u32,
    b: *const u32,
    n: usize,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { multiply(ring, product, [a, b], n) })
}

/// Writes a product of two elements of n coefficients of 64 bits.
///
/// # Safety
/// As of `ringsmith_ring_multiply_u16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_multiply_u64(
    ring: *const Ring,
    product: *mut u64,
    a: *const u64,
    b: *const u64,
    n: usize,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { multiply(ring, product, [a, b], n) })
}

/// Prepares a second factor of n coefficients of 16 bits, to multiply by it often. To be given to
/// `ringsmith_factor_free`.
///
/// # Safety
/// The first pointer is null or valid for a write, the second null or at a ring, the third null or valid for
/// reads of n coefficients.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_prepare_u16(
    factor: *mut *mut Factor,
    ring: *const Ring,
    b: *const u16,
    n: usize,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { prepare(factor, ring, b, n) })
}

/// Prepares a second factor of n coefficients of 32 bits.
///
/// # Safety
/// As of `ringsmith_ring_prepare_u16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_prepare_u32(
    factor: *mut *mut Factor,
    ring: *const Ring,
    b: *const u32,
    n: usize,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { prepare(factor, ring, b, n) })
}

/// Prepares a second factor of n coefficients of 64 bits.
///
/// # Safety
/// As of `ringsmith_ring_prepare_u16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_prepare_u64(
    factor: *mut *mut Factor,
    ring: *const Ring,
    b: *const u64,
    n: usize,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { prepare(factor, ring, b, n) })
}

/// Frees a factor. A null pointer is left alone.
///
/// # Safety
/// The pointer is null, or at a factor that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_factor_free(factor: *mut Factor) {
    guarded(|| {
        // SAFETY: by the contract.
        unsafe { taken(factor) };
        Ok(())
    });
}

/// Writes a product of an element of n coefficients of 16 bits by a prepared factor, of whichever integers
/// that was.
///
/// # Safety
/// The first pointer is at a ring, the last at a factor; the others are valid for n coefficients: the second
/// for writes, the third for reads. All may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_multiply_prepared_u16(
    ring: *const Ring,
    product: *mut u16,
    a: *const u16,
    n: usize,
    b: *const Factor,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { multiply_prepared(ring, product, a, n, b) })
}

/// Writes a product of an element of n coefficients of 32 bits by a prepared factor.
///
/// # Safety
/// As of `ringsmith_ring_multiply_prepared_u16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_multiply_prepared_u32(
    ring: *const Ring,
    product: *mut u32,
    a: *const u32,
    n: usize,
    b: *const Factor,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { multiply_prepared(ring, product, a, n, b) })
}

/// Writes a product of an element of n coefficients of 64 bits by a prepared factor.
///
/// # Safety
/// As of `ringsmith_ring_multiply_prepared_u16`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ringsmith_ring_multiply_prepared_u64(
    ring: *const Ring,
    product: *mut u64,
    a: *const u64,
    n: usize,
    b: *const Factor,
) -> Error {
    // SAFETY: by the contract.
    guarded(|| unsafe { multiply_prepared(ring, product, a, n, b) })
}

/// What a handle is at.
///
/// # Safety
/// The pointer is null, or from [`handed`] and not yet taken back for as long as this is used.
unsafe fn used<'a, T>(handle: *const T) -> Result<&'a T, Error> {
    // SAFETY: by the contract.
    unsafe { handle.as_ref() }.ok_or(Error::NullPointer)
}

/// # Safety
/// As of [`ringsmith_ring_new`].
unsafe fn make(
    ring: *mut *mut Ring,
    text: *const c_char,
    bound: Option<u64>,
    position: *mut usize,
) -> Result<(), Error> {
    // SAFETY: by the contract.
    let (out, text) = unsafe { (Out::new(ring, 1)?, borrowed(text)?) };
    let mut at = 0;
    let engine = Engine::new(text, bound, &mut at).inspect_err(|why| {
        // SAFETY: by the contract.
        if let (Error::Expression, Ok(position)) = (why, unsafe { Out::new(position, 1) }) {
            position.write(&[at]);
        }
    })?;
    out.write(&[handed(Ring(engine))?]);
    Ok(())
}

/// # Safety
/// As of [`ringsmith_ring_multiply_u16`].
unsafe fn multiply<T: Word + Copy + Default>(
    ring: *const Ring,
    product: *mut T,
    [a, b]: [*const T; 2],
    n: usize,
) -> Result<(), Error> {
    // SAFETY: by the contract.
    let (Ring(engine), out) = unsafe { (used(ring)?, Out::new(product, n)?) };
    let out = out.of(engine.degree())?;
    // SAFETY: by the contract.
    let [a, b] = unsafe { [In::new(a, n)?, In::new(b, n)?] };
    let (a, b, mut made) = (a.read()?, b.read()?, Own::zero(n)?);
    engine.multiply(&a, &b, &mut made)?;
    out.write(&made);
    Ok(())
}

/// # Safety
/// As of [`ringsmith_ring_prepare_u16`].
unsafe fn prepare<T: Word + Copy + Default>(
    factor: *mut *mut Factor,
    ring: *const Ring,
    b: *const T,
    n: usize,
) -> Result<(), Error> {
    // SAFETY: by the contract.
    let (out, Ring(engine), b) = unsafe { (Out::new(factor, 1)?, used(ring)?, In::new(b, n)?) };
    let made = engine.prepare(&b.of(engine.degree())?.read()?)?;
    out.write(&[handed(Factor(made))?]);
    Ok(())
}

/// # Safety
/// As of [`ringsmith_ring_multiply_prepared_u16`].
unsafe fn multiply_prepared<T: Word + Copy + Default>(
    ring: *const Ring,
    product: *mut T,
    a: *const T,
    n: usize,
    b: *const Factor,
) -> Result<(), Error> {
    // SAFETY: by the contract.
    let (Ring(engine), out) = unsafe { (used(ring)?, Out::new(product, n)?) };
    let out = out.of(engine.degree())?;
    // SAFETY: by the contract.
    let (a, Factor(b)) = unsafe { (In::new(a, n)?, used(b)?) };
    let (a, mut made) = (a.read()?, Own::zero(n)?);
    engine.multiply_prepared(&a, b, &mut made)?;
    out.write(&made);
    Ok(())
}
