//! Compiled kernels for [`any`](crate::any): a ring that is named at run time is multiplied by the kernels
//! that were compiled for it, where there are some.
//!
//! ```
//! use ringsmith::{Cpu, any::{Operands, Ring}, compiled};
//!
//! // The ring of ML-KEM, which a default feature compiles.
//! let (q, f) = (3329, "x^256+1".parse()?);
//! let ring = Ring::with_compiled(Cpu::detect(), q, &f, Operands::any(), compiled::table())?;
//! assert_eq!(ring.route().to_string(), "compiled, rows");
//!
//! let (mut a, mut b, mut product) = ([0_u16; 256], [0; 256], [0; 256]);
//! (a[255], b[1]) = (1, 1);
//! ring.product(&a, &b, &mut product, &mut ring.room()?)?;
//! assert_eq!(product[0], 3328); // x^256 = -1
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Constant time
//! In all coefficients.

extern crate alloc;

#[cfg(any(feature = "ntru", feature = "ntruencrypt"))]
mod whole;
#[cfg(feature = "ml-dsa")]
mod words;

use crate::{Cpu, Entry, Multiplier, Planner, Poly, Prepared, Ring, Routes, Shape};
use alloc::boxed::Box;
use core::fmt;
use core::iter::zip;
use ringsmith_any::RingError;
use ringsmith_any::compiled::{Compiled, Factor, Multiply, Table, Whole, boxed};
use ringsmith_ring::Coefficients;
use ringsmith_simd::wipe;
#[cfg(any(feature = "ntru", feature = "ntruencrypt"))]
use whole::Class;

/// A ring that is a type, by its planner's route for any operands or by a route that is named: an entry of a
/// table.
pub struct Of<R: Ring>(Option<&'static Entry<R>>);

impl<R: Routes> Of<R> {
    /// The entry, by the planner's route.
    pub const ENTRY: Self = Of(None);

    /// The entry by a route, which need not be one of the planner's: the crate `ringsmith-routes` has them.
    pub const fn by(route: &'static Entry<R>) -> Self {
        Of(Some(route))
    }

    /// What multiplies.
    fn chosen(&self, cpu: Cpu) -> Multiplier<R> {
        self.0.map_or_else(|| Multiplier::new_on(cpu), |entry| Multiplier::by_on(cpu, entry))
    }

    /// `f`.
    const TERMS: &'static [(usize, i64)] = match R::SHAPE {
        Shape::Cyclic => &[(R::N, 1), (0, -1)],
        Shape::Negacyclic => &[(R::N, 1), (0, 1)],
        Shape::HalfTrinomial => &[(R::N, 1), (R::N / 2, -1), (0, 1)],
        Shape::PrimeTrinomial => &[(R::N, 1), (1, -1), (0, -1)],
        _ => panic!("a shape without terms"),
    };
}

impl<R: Routes> Compiled for Of<R> {
    fn modulus(&self) -> u64 {
        R::Q as u64
    }

    fn terms(&self) -> &'static [(usize, i64)] {
        Self::TERMS
    }

    fn route(&self, cpu: Cpu, name: &mut dyn fmt::Write) -> fmt::Result {
        write!(name, "{}", self.0.unwrap_or_else(|| Planner::choose::<R>(cpu)).route())
    }

    fn multiplier(&self, cpu: Cpu) -> Result<Box<dyn Multiply>, RingError> {
        let multiplier = self.chosen(cpu);
        let [a, b, product] = [(); 3].map(|()| Poly::zero());
        let memory = boxed(Memory { a, b, product, scratch: multiplier.scratch() })?;
        Ok(boxed(InMemory { multiplier, memory })?)
    }
}

/// A multiplier, and its memory.
struct InMemory<R: Ring> {
    multiplier: Multiplier<R>,
    memory: Box<[Memory<R>; 1]>,
}

/// The memory of a product; scratch memory clears itself.
struct Memory<R: Ring> {
    a: Poly<R>,
    b: Poly<R>,
    product: Poly<R>,
    scratch: R::Scratch,
}

impl<R: Ring> Drop for Memory<R> {
    fn drop(&mut self) {
        for x in [&mut self.a, &mut self.b, &mut self.product] {
            wipe(x.coeffs_mut().rows_mut());
        }
    }
}

impl<R: Routes> Multiply for InMemory<R> {
    fn product(&mut self, a: &[u16], b: &[u16], out: &mut [u16]) {
        let [Memory { a: x, b: y, product, scratch }] = &mut *self.memory;
        read(a, x);
        read(b, y);
        self.multiplier.multiply_into(x, y, product, scratch);
        write(product, out);
    }

    fn prepare(&mut self, b: &[u16]) -> Result<Factor, RingError> {
        let [Memory { b: y, scratch, .. }] = &mut *self.memory;
        read(b, y);
        let mut prepared = boxed(Prepared::<R>::blank())?;
        self.multiplier.prepare_into(y, &mut prepared[0], scratch);
        Ok(prepared)
    }

    fn product_prepared(&mut self, a: &[u16], b: &Factor, out: &mut [u16]) -> Result<(), RingError> {
        let [Memory { a: x, product, scratch, .. }] = &mut *self.memory;
        let [b] = (**b).downcast_ref::<[Prepared<R>; 1]>().ok_or(RingError::OtherRing)?;
        read(a, x);
        let done = self.multiplier.multiply_prepared_into(x, b, product, scratch);
        done.map_err(|_| RingError::OtherRing)?;
        write(product, out);
        Ok(())
    }
}

/// Coefficients in `[0, q)`, centred.
fn read<R: Ring>(from: &[u16], to: &mut Poly<R>) {
    let (q, half) = (R::Q as i16, (R::Q as i16 - 1) / 2);
    let to = to.coeffs_mut().rows_mut().as_flattened_mut();
    for (to, x) in zip(&mut to[..R::N], from) {
        let x = *x as i16;
        // All ones where x is above the greatest centred number. Nothing wraps, as q is below 2^15.
        let above = half.wrapping_sub(x) >> 15;
        *to = x.wrapping_sub(above & q);
    }
}

/// Centred coefficients, in `[0, q)`.
fn write<R: Ring>(from: &Poly<R>, to: &mut [u16]) {
    zip(to, from.canonical()).for_each(|(to, x)| *to = x as u16);
}

/// The rings of each feature.
macro_rules! rings {
    ($($feature:meta: $($ring:ident)*;)*) => {
        &[$($(#[cfg($feature)] &Of::<crate::rings::$ring>::ENTRY,)*)*]
    };
}

/// The rings of [that module](crate::rings), ML-DSA's, and whole products, as far as features compile them.
pub fn table() -> Table<'static> {
    Table { rings: rings(), words: words(), products: products() }
}

/// Whole products.
fn products() -> &'static [&'static dyn Whole] {
    #[cfg(any(feature = "ntru", feature = "ntruencrypt"))]
    return &[&Class(0), &Class(1), &Class(2), &Class(3), &Class(4), &Class(5)];
    #[cfg(not(any(feature = "ntru", feature = "ntruencrypt")))]
    return &[];
}

/// Rings in lanes of 32 bits.
fn words() -> &'static [&'static dyn Compiled<u32>] {
    #[cfg(feature = "ml-dsa")]
    return &[&words::Words];
    #[cfg(not(feature = "ml-dsa"))]
    return &[];
}

/// Those in lanes of 16.
fn rings() -> &'static [&'static dyn Compiled] {
    rings! {
        feature = "ml-kem": MlKem;
        feature = "new-hope": Compact512 Compact768 Compact1024 NewHope256 NewHope512 NewHope1024;
        feature = "ntru-prime": NtruPrime653 NtruPrime761 NtruPrime857 NtruPrime953 NtruPrime1013
            NtruPrime1277;
        feature = "ntru": NtruHps509 NtruHps821 NtruHps1229 NtruHrss701 NtruHrss1373;
        any(feature = "ntru", feature = "ntruencrypt"): NtruHps677;
        feature = "ntruencrypt": Ees401 Ees439 Ees443 Ees449 Ees541 Ees587 Ees593 Ees613 Ees653 Ees659 Ees743
            Ees761 Ees853 Ees887 Ees1087 Ees1171 Ees1499 NtruPrime739;
    }
}
