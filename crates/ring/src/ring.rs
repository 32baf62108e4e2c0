//! Rings, their elements, and the memory that a multiplication works in.
//!
//! An element is a [`Poly`]: `n` centred representatives (`|x| <= q/2`), in rows of 16 and padded with zeros
//! to whole rows. A ring is a type, so that every table, plan and bound of its algorithms is a constant of
//! that type.

use crate::bound::{Bound, hold};
use crate::multiplier::Entry;
use core::fmt;
use ringsmith_simd::{Row, Row32};
use zeroize::{Zeroize, Zeroizing};

pub(crate) use ringsmith_simd::wipe;

/// The form of the modulus polynomial of degree `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// `x^n - 1`.
    Cyclic,
    /// `x^n + 1`.
    Negacyclic,
    /// `x^n - x^(n/2) + 1`.
    HalfTrinomial,
    /// `x^n - x - 1`.
    PrimeTrinomial,
}

impl Shape {
    /// How `f` of degree `n` is written, as in `x^1024+1`.
    pub const fn display(self, n: usize) -> ShapeOf {
        ShapeOf(self, n)
    }
}

/// Writes a modulus polynomial; made by [`Shape::display`].
#[derive(Clone, Copy)]
pub struct ShapeOf(Shape, usize);

impl fmt::Display for ShapeOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.1;
        match self.0 {
            Shape::Cyclic => write!(f, "x^{n}-1"),
            Shape::Negacyclic => write!(f, "x^{n}+1"),
            Shape::HalfTrinomial => write!(f, "x^{n}-x^{}+1", n / 2),
            Shape::PrimeTrinomial => write!(f, "x^{n}-x-1"),
        }
    }
}

/// `Z_q[x]/(f)` as a type.
pub trait Ring: Copy + Send + Sync + 'static {
    /// The modulus of the coefficients, below `2^15`.
    const Q: i64;
    /// The degree of `f`.
    const N: usize;
    /// The form of `f`.
    const SHAPE: Shape;
    /// The ring's stable id, as in `Z_12289[x]/(x^1024+1)`.
    const NAME: &'static str;
    /// The largest absolute value of a coefficient of a [`Small`] element: the widest noise of the schemes in
    /// this ring.
    const SMALL: i16;
    /// Coefficients in rows: [`Rows`] of `ceil(n / 16)`.
    type Coeffs: Coefficients;
    /// Memory for a multiplication by any route, compiled here or elsewhere.
    type Scratch: Workspace;
    /// Memory for a transformed operand of any route.
    type Prepared: Workspace;
    /// The routes that the planner chooses from, its choice first; others are compiled elsewhere. A reference
    /// to a `static`, so that kernels are compiled, and their plans found, once: in the crate that names the
    /// ring.
    const ROUTES: &'static [Entry<Self>];
    /// Evaluating this proves the bounds of all routes; a family does so in one named line per ring.
    const CHECK: () = assert!(!Self::ROUTES.is_empty(), "a ring without a route");
}

/// Rows of scratch memory that serve every route of a ring of `rows` rows whose degree is no prime.
pub const fn scratch(rows: usize) -> usize {
    8 * rows + 16
}

/// Rows of 16 coefficients, aligned to cache lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Rows<const N: usize>(pub [Row; N]);

/// Rows of 8 coefficients of 32 bits, aligned to cache lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Rows32<const N: usize>(pub [Row32; N]);

impl<const N: usize> Zeroize for Rows<N> {
    fn zeroize(&mut self) {
        wipe(self.0.as_flattened_mut());
    }
}

impl<const N: usize> Zeroize for Rows32<N> {
    fn zeroize(&mut self) {
        wipe(self.0.as_flattened_mut());
    }
}

/// Storage of `n` coefficients in rows.
pub trait Coefficients: Copy + Zeroize + Send + Sync + 'static {
    /// All zero.
    fn zero() -> Self;
    /// The rows.
    fn rows(&self) -> &[Row];
    /// The rows, to write.
    fn rows_mut(&mut self) -> &mut [Row];
}

impl<const N: usize> Coefficients for Rows<N> {
    fn zero() -> Self {
        Rows([[0; 16]; N])
    }
    fn rows(&self) -> &[Row] {
        &self.0
    }
    fn rows_mut(&mut self) -> &mut [Row] {
        &mut self.0
    }
}

/// How much memory there is, or is needed: rows of 16-bit and of 32-bit coefficients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Rows of 16-bit coefficients.
    pub rows: usize,
    /// Rows of 32-bit coefficients.
    pub wide: usize,
}

impl Room {
    /// Rows of 16-bit coefficients.
    pub const fn rows(rows: usize) -> Room {
        Room { rows, wide: 0 }
    }

    /// Whether there is as much as is needed.
    pub const fn holds(self, needed: Room) -> bool {
        needed.rows <= self.rows && needed.wide <= self.wide
    }
}

/// Memory of a fixed size that is cleared when it is dropped.
pub trait Workspace: Send + Sync + 'static {
    /// How much there is.
    const ROOM: Room;
    /// All zero.
    fn new() -> Self;
    /// The 16-bit part and the 32-bit part.
    fn parts(&self) -> (&[Row], &[Row32]);
    /// The 16-bit part and the 32-bit part, to write.
    fn parts_mut(&mut self) -> (&mut [Row], &mut [Row32]);
}

/// `A` rows of 16-bit and `B` rows of 32-bit coefficients; cleared on drop, because operands may be secret.
#[repr(C, align(64))]
pub struct Space<const A: usize, const B: usize> {
    rows: Zeroizing<Rows<A>>,
    wide: Zeroizing<Rows32<B>>,
}

impl<const A: usize, const B: usize> Workspace for Space<A, B> {
    const ROOM: Room = Room { rows: A, wide: B };

    fn new() -> Self {
        Space { rows: Zeroizing::new(Rows([[0; 16]; A])), wide: Zeroizing::new(Rows32([[0; 8]; B])) }
    }
    fn parts(&self) -> (&[Row], &[Row32]) {
        (&self.rows.0, &self.wide.0)
    }
    fn parts_mut(&mut self) -> (&mut [Row], &mut [Row32]) {
        (&mut self.rows.0, &mut self.wide.0)
    }
}

/// An element of a ring: `n` centred coefficients.
///
/// Holds whatever it is given, public or secret; so it has no `Debug`, and [`Zeroize`] clears it.
#[derive(Clone, Copy)]
pub struct Poly<R: Ring> {
    pub(crate) coeffs: R::Coeffs,
}

/// An element whose coefficients are at most [`Ring::SMALL`] in absolute value: noise, or a ternary secret.
#[derive(Clone, Copy)]
pub struct Small<R: Ring> {
    pub(crate) coeffs: R::Coeffs,
}

/// Coefficients that are no element of the ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PolyError {
    /// Not `n` coefficients.
    Length {
        /// How many the ring has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A coefficient outside the accepted range.
    Range {
        /// Its index.
        index: usize,
        /// The least value accepted.
        low: i64,
        /// The greatest value accepted.
        high: i64,
    },
}

impl fmt::Display for PolyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PolyError::Length { expected, given } => {
                write!(f, "{given} coefficients where the ring has {expected}")
            }
            PolyError::Range { index, low, high } => {
                write!(f, "coefficient {index} is out of range: {low} to {high} are accepted")
            }
        }
    }
}

impl core::error::Error for PolyError {}

/// Copies checked coefficients into rows; `accept` gives the stored representative. Looks at every
/// coefficient whatever it finds; which one is out of range is no secret, the values are not looked at
/// otherwise.
fn fill<R: Ring, T: Copy + Into<i64>>(values: &[T], low: i64, high: i64) -> Result<R::Coeffs, PolyError> {
    if values.len() != R::N {
        return Err(PolyError::Length { expected: R::N, given: values.len() });
    }
    let mut coeffs = R::Coeffs::zero();
    let mut bad = None;
    for (index, (to, from)) in coeffs.rows_mut().as_flattened_mut().iter_mut().zip(values).enumerate() {
        let x: i64 = (*from).into();
        if !(low..=high).contains(&x) && bad.is_none() {
            bad = Some(PolyError::Range { index, low, high });
        }
        // Centred without a branch: -1 (all ones) where x exceeds the largest centred representative.
        // Wrapping, for the sake of values that are refused anyway.
        let above = ((R::Q - 1) / 2).wrapping_sub(x) >> 63;
        *to = x.wrapping_sub(above & R::Q) as i16;
    }
    bad.map_or(Ok(coeffs), Err)
}

impl<R: Ring> Poly<R> {
    /// The zero polynomial.
    pub fn zero() -> Self {
        Poly { coeffs: R::Coeffs::zero() }
    }

    /// From `n` coefficients, the constant term first: canonical (`0` to `q - 1`), centred (from `-q/2`), or
    /// a mixture.
    ///
    /// # Errors
    /// [`PolyError::Length`], or [`PolyError::Range`] with the first offending index.
    pub fn new<T: Copy + Into<i64>>(values: &[T]) -> Result<Self, PolyError> {
        Ok(Poly { coeffs: fill::<R, T>(values, -(R::Q / 2), R::Q - 1)? })
    }

    /// The `n` coefficients, centred.
    pub fn centred(&self) -> &[i16] {
        &self.coeffs.rows().as_flattened()[..R::N]
    }

    /// Coefficient `i` in `[0, q)`; constant time in the coefficients.
    pub fn canonical(&self) -> impl Iterator<Item = i16> + '_ {
        self.centred().iter().map(|x| x + ((x >> 15) & R::Q as i16))
    }

    /// Whether every coefficient is centred: an invariant, checked by debug builds.
    pub(crate) fn is_centred(&self) -> bool {
        hold(self.centred(), Bound::centred(R::Q))
    }

    /// The rows, padded with zeros.
    pub fn rows(&self) -> &R::Coeffs {
        &self.coeffs
    }
}

impl<R: Ring> Small<R> {
    /// From `n` coefficients of absolute value at most [`Ring::SMALL`].
    ///
    /// # Errors
    /// [`PolyError::Length`], or [`PolyError::Range`] with the first offending index.
    pub fn new<T: Copy + Into<i64>>(values: &[T]) -> Result<Self, PolyError> {
        let bound = R::SMALL as i64;
        Ok(Small { coeffs: fill::<R, T>(values, -bound, bound)? })
    }

    /// The same element, its bound forgotten.
    pub fn widen(&self) -> Poly<R> {
        Poly { coeffs: self.coeffs }
    }

    /// The `n` coefficients.
    pub fn centred(&self) -> &[i16] {
        &self.coeffs.rows().as_flattened()[..R::N]
    }
}

impl<R: Ring> Zeroize for Poly<R> {
    fn zeroize(&mut self) {
        self.coeffs.zeroize();
    }
}

impl<R: Ring> Zeroize for Small<R> {
    fn zeroize(&mut self) {
        self.coeffs.zeroize();
    }
}
