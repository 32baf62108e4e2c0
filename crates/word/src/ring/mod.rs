//! A ring: how it is made, its lanes, and its polynomials. What is done with them: `operations`.

use crate::balanced::Balanced;
use crate::bounds::{MAX_DEGREE, PRIME_BITS};
use crate::element::{Form, Identity, Polynomial};
#[cfg(feature = "k-red")]
use crate::k_red::{self, KRed};
use crate::kind::form;
use crate::long::Long;
#[cfg(ringsmith_internals)]
use crate::narrow;
use crate::narrow::Narrow;
use crate::plan::Plan;
use crate::quotient::Quotients;
use crate::wide::{self, Wide};
use crate::{WordError, number};
use core::fmt;
use ringsmith_simd::Cpu;
pub use shape::Shape;

/// Polynomials modulo `x^n + 1` or `x^n - 1` and a prime `p`: the tables of the transforms, and the
/// operations.
///
/// # The transform
/// The values of a polynomial at the roots of `x^n + 1`, the odd powers of [`root`](WordRing::root), or of
/// `x^n - 1`, all its powers. [`values`](WordRing::values) has them in *bit-reversed order*: with `r(i)` the
/// `log2 n` bits of `i` reversed, value `i` is that at `root^(2 r(i) + 1)`, or at `root^r(i)`; of every shape
/// at `root^(o r(i) + k)`, with its [`order`](Shape::order) `o` and [`exponent`](Shape::exponent) `k`. A
/// [`Transformed`](crate::Transformed) keeps them in an order of its own.
///
/// # Errors
/// Every operation says [`WordError::OtherRing`] of an operand that was made by a ring with another degree,
/// prime or shape, or on a CPU with other lanes. Rings with the same ones share operands.
///
/// # Constant time
/// In the coefficients; see the page of the crate.
pub struct WordRing {
    cpu: Cpu,
    ring: Identity,
    root: u64,
    lanes: Lanes,
}

/// The root of unity of a ring that there is.
fn root(shape: Shape, n: usize, p: u64) -> Result<u64, WordError> {
    if !n.is_power_of_two() || !(2..=MAX_DEGREE).contains(&n) {
        return Err(WordError::Degree { n });
    }
    if p >> PRIME_BITS != 0 {
        return Err(WordError::TooLarge { p, bits: PRIME_BITS });
    }
    if !number::is_odd_prime(p) {
        return Err(WordError::NotPrime { p });
    }
    number::root(n * shape.order(), p)
}

/// The tables, of any kind.
enum Lanes {
    /// Of 64 bits that hold numbers of 52, for primes that leave room for a whole transform.
    Wide(Plan<Wide<{ wide::ROOMY_BITS }>>),
    /// The same for greater ones, which leave room for a pass.
    Tight(Plan<Wide<{ wide::TIGHT_BITS }>>),
    /// The same for greater ones, which leave room for a layer.
    Tighter(Plan<Wide<{ wide::TIGHTER_BITS }>>),
    /// The same for the greatest, which leave none.
    Full(Plan<Wide<{ wide::PRIME_BITS }>>),
    /// Doubles.
    Balanced(Plan<Balanced>),
    /// Of 64 bits that hold numbers of 64.
    Long(Plan<Long>),
    /// Of 32 bits.
    Narrow(Plan<Narrow>),
    /// Of 32 bits, whose constants have quotients.
    Quotient(Plan<Quotients>),
    /// Of 32 bits, reduced by K-RED.
    #[cfg(feature = "k-red")]
    KRed(Plan<KRed>),
}

/// Does something with a ring's plan, whichever kind it is.
macro_rules! with {
    ($ring:expr, |$plan:ident| $body:expr) => {
        match &$ring.lanes {
            Lanes::Wide($plan) => $body,
            Lanes::Tight($plan) => $body,
            Lanes::Tighter($plan) => $body,
            Lanes::Full($plan) => $body,
            Lanes::Balanced($plan) => $body,
            Lanes::Long($plan) => $body,
            Lanes::Narrow($plan) => $body,
            Lanes::Quotient($plan) => $body,
            #[cfg(feature = "k-red")]
            Lanes::KRed($plan) => $body,
        }
    };
}

mod operations;
mod shape;

impl WordRing {
    /// The ring modulo `x^n + 1` and `p`, on the best backend of this machine.
    ///
    /// `n` is a power of two from 2 to `2^17`; `p` a prime below `2^62`, and 1 modulo `2 n`.
    ///
    /// # Errors
    /// Where `n` or `p` does not serve, or there is no memory.
    ///
    /// ```
    /// use ringsmith_word::{WordError, WordRing};
    /// assert!(WordRing::new(4096, 49_201_153).is_ok());
    /// let error = WordRing::new(4096, 12289).unwrap_err();
    /// assert_eq!(error, WordError::Roots { p: 12289, order: 8192 });
    /// assert_eq!(WordRing::new(1000, 49_201_153).unwrap_err(), WordError::Degree { n: 1000 });
    /// ```
    pub fn new(n: usize, p: u64) -> Result<Self, WordError> {
        Self::new_on(Cpu::detect(), Shape::Negacyclic, n, p)
    }

    /// The ring modulo `x^n - 1` and `p`, on the best backend of this machine.
    ///
    /// `n` is a power of two from 2 to `2^17`; `p` an odd prime below `2^62`, and 1 modulo `n`.
    ///
    /// # Errors
    /// Where `n` or `p` does not serve, or there is no memory.
    pub fn cyclic(n: usize, p: u64) -> Result<Self, WordError> {
        Self::new_on(Cpu::detect(), Shape::Cyclic, n, p)
    }

    /// A ring on a backend.
    ///
    /// # Errors
    /// As [`new`](WordRing::new) and [`cyclic`](WordRing::cyclic).
    pub fn new_on(cpu: Cpu, shape: Shape, n: usize, p: u64) -> Result<Self, WordError> {
        let root = root(shape, n, p)?;
        Self::of(cpu, Identity { form: form(cpu, n, p), shape, n, p }, root)
    }

    /// A ring that there is, with the lanes of a form that serves its prime.
    fn of(cpu: Cpu, ring: Identity, root: u64) -> Result<Self, WordError> {
        let p = ring.p;
        let lanes = match ring.form {
            Form::Narrow => Lanes::Narrow(Plan::new(cpu, ring, root)?),
            Form::Quotient => Lanes::Quotient(Plan::new(cpu, ring, root)?),
            Form::Balanced => Lanes::Balanced(Plan::new(cpu, ring, root)?),
            Form::Long => Lanes::Long(Plan::new(cpu, ring, root)?),
            Form::Wide if p >> wide::ROOMY_BITS == 0 => Lanes::Wide(Plan::new(cpu, ring, root)?),
            Form::Wide if p >> wide::TIGHT_BITS == 0 => Lanes::Tight(Plan::new(cpu, ring, root)?),
            Form::Wide if p >> wide::TIGHTER_BITS == 0 => Lanes::Tighter(Plan::new(cpu, ring, root)?),
            Form::Wide => Lanes::Full(Plan::new(cpu, ring, root)?),
            #[cfg(feature = "k-red")]
            Form::KRed => Lanes::KRed(Plan::new(cpu, ring, root)?),
        };
        Ok(WordRing { cpu, ring, root, lanes })
    }

    /// A ring on a backend whose products K-RED reduces (P. Longa, M. Naehrig, CANS 2016), two steps in a
    /// row: a route that is measured, beside [`new_on`](WordRing::new_on), which is faster on vectors. `p` is
    /// a prime below `2^26` and 1 modulo `2^14`. Its operands are its own.
    ///
    /// # Errors
    /// As [`new`](WordRing::new) and [`cyclic`](WordRing::cyclic), and [`WordError::KRed`].
    ///
    /// ```
    /// use ringsmith_simd::Cpu;
    /// use ringsmith_word::{Shape, WordError, WordRing};
    /// let by_k_red = |p| WordRing::by_k_red(Cpu::detect(), Shape::Negacyclic, 4096, p);
    /// assert!(by_k_red(49_201_153).is_ok());
    /// assert_eq!(by_k_red(1_073_479_681).unwrap_err(), WordError::KRed { p: 1_073_479_681 });
    /// ```
    #[cfg(feature = "k-red")]
    pub fn by_k_red(cpu: Cpu, shape: Shape, n: usize, p: u64) -> Result<Self, WordError> {
        let root = root(shape, n, p)?;
        if !k_red::serves(p) {
            return Err(WordError::KRed { p });
        }
        Self::of(cpu, Identity { form: Form::KRed, shape, n, p }, root)
    }

    /// A ring on a backend whose products Montgomery's reduction in lanes of 32 bits reduces, of whatever
    /// degree: [`new_on`](WordRing::new_on) has such lanes on some backends for long polynomials alone, and
    /// tools look at short ones. `p` is a prime below `2^30`. Its operands are its own.
    ///
    /// # Errors
    /// As [`new`](WordRing::new) and [`cyclic`](WordRing::cyclic), and [`WordError::TooLarge`].
    #[cfg(ringsmith_internals)]
    pub fn by_montgomery(cpu: Cpu, shape: Shape, n: usize, p: u64) -> Result<Self, WordError> {
        Self::in_32_bits(cpu, Identity { form: Form::Narrow, shape, n, p })
    }

    /// The same in lanes of 32 bits whose constants have quotients, on backends that compute 16 of them at
    /// once and in plain Rust.
    ///
    /// # Errors
    /// As [`by_montgomery`](WordRing::by_montgomery), and [`WordError::OtherRing`] on other backends.
    #[cfg(ringsmith_internals)]
    pub fn by_quotients(cpu: Cpu, shape: Shape, n: usize, p: u64) -> Result<Self, WordError> {
        Self::in_32_bits(cpu, Identity { form: Form::Quotient, shape, n, p })
    }

    /// A ring in lanes of 32 bits.
    #[cfg(ringsmith_internals)]
    fn in_32_bits(cpu: Cpu, ring: Identity) -> Result<Self, WordError> {
        let (p, bits) = (ring.p, narrow::PRIME_BITS);
        let root = root(ring.shape, ring.n, p)?;
        if p >> bits != 0 { Err(WordError::TooLarge { p, bits }) } else { Self::of(cpu, ring, root) }
    }

    /// How many coefficients a polynomial has.
    pub fn degree(&self) -> usize {
        self.ring.n
    }

    /// The modulus of the coefficients.
    pub fn prime(&self) -> u64 {
        self.ring.p
    }

    /// The polynomial that polynomials are taken modulo.
    pub fn shape(&self) -> Shape {
        self.ring.shape
    }

    /// The backend that it runs on.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// The root of unity that the order of the values is told by: of order `2 n` modulo `x^n + 1`, of order
    /// `n` modulo `x^n - 1`.
    pub fn root(&self) -> u64 {
        self.root
    }

    /// The polynomial of these `n` coefficients in `[0, p)`, the constant term first.
    ///
    /// # Errors
    /// Where there are more or fewer, one is not below `p`, or there is no memory.
    pub fn polynomial(&self, coefficients: &[u64]) -> Result<Polynomial, WordError> {
        self.ring.check_length(coefficients.len())?;
        let mut polynomial = self.unset()?;
        self.set(&mut polynomial, coefficients)?;
        Ok(polynomial)
    }

    /// Other coefficients for a polynomial, in its memory.
    ///
    /// # Errors
    /// Where there are more or fewer than `n`, or one is not below `p`: then the polynomial is 0.
    pub fn set(&self, polynomial: &mut Polynomial, coefficients: &[u64]) -> Result<(), WordError> {
        self.ring.check(polynomial.ring)?;
        self.ring.check_length(coefficients.len())?;
        with!(self, |plan| plan.set(&mut polynomial.rows, coefficients))
    }

    /// Other coefficients for a polynomial, in its memory, chunk by chunk: long ones need none beside.
    /// `fill` writes the first `count` of them, and zeroes where a chunk goes on behind those. It is told
    /// which coefficient a chunk begins with, and gets `room`, or as much of it as a chunk has. All others
    /// are 0.
    ///
    /// # Errors
    /// Where `count` is greater than `n`, `room` has fewer than 8 places, or a coefficient is not below `p`:
    /// then the polynomial is 0.
    ///
    /// ```
    /// use ringsmith_word::WordRing;
    ///
    /// let ring = WordRing::new(1024, 12289)?;
    /// let mut a = ring.polynomial(&[1; 1024])?;
    /// ring.set_by(&mut a, 512, &mut [0; 128], |first, chunk| chunk.fill(first as u64))?;
    /// assert_eq!(a.coefficients().nth(400), Some(384));
    /// assert_eq!(a.coefficients().nth(512), Some(0));
    /// # Ok::<(), ringsmith_word::WordError>(())
    /// ```
    pub fn set_by(
        &self,
        a: &mut Polynomial,
        count: usize,
        room: &mut [u64],
        fill: impl FnMut(usize, &mut [u64]),
    ) -> Result<(), WordError> {
        self.ring.check(a.ring)?;
        if count > self.ring.n {
            return Err(WordError::Length { needs: self.ring.n, has: count });
        }
        with!(self, |plan| plan.set_by(&mut a.rows, count, room, fill))
    }

    /// Writes the coefficients of a polynomial, in `[0, p)`, the constant term first.
    ///
    /// # Errors
    /// Where the polynomial is of another ring, or `out` has not `n` places.
    pub fn coefficients(&self, a: &Polynomial, out: &mut [u64]) -> Result<(), WordError> {
        self.ring.check(a.ring)?;
        self.ring.check_length(out.len())?;
        with!(self, |plan| plan.coefficients(&a.rows, out))
    }

    /// A polynomial, to be set.
    pub(crate) fn unset(&self) -> Result<Polynomial, WordError> {
        Ok(Polynomial { ring: self.ring, rows: with!(self, |plan| plan.rows())? })
    }

    /// Other coefficients for a part of a polynomial, from coefficient `at` on. It begins and ends where rows
    /// do.
    pub(crate) fn set_part(&self, a: &mut Polynomial, at: usize, part: &[u64]) -> Result<(), WordError> {
        with!(self, |plan| plan.set_part(&mut a.rows, at, part))
    }

    /// Writes coefficients of a part of a polynomial, in `[0, p)`, from coefficient `at` on. Its ends are
    /// multiples of 8.
    ///
    /// # Errors
    /// Where the polynomial is of another ring, or has no such part.
    pub fn coefficients_part(&self, a: &Polynomial, at: usize, out: &mut [u64]) -> Result<(), WordError> {
        self.ring.check(a.ring)?;
        let (n, per_row) = (self.ring.n, self.ring.per_row());
        if (at | out.len()) & (per_row - 1) != 0 || out.len() > n.saturating_sub(at) {
            return Err(WordError::Length { needs: n.saturating_sub(at), has: out.len() });
        }
        with!(self, |plan| plan.coefficients_part(&a.rows, at, out))
    }

    /// Whether an operand is of this ring.
    pub(crate) fn check(&self, operand: Identity) -> Result<(), WordError> {
        self.ring.check(operand)
    }
}

impl fmt::Debug for WordRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Z_{}[x]/(", self.ring.p)?;
        self.ring.shape.write(f, self.ring.n)?;
        write!(f, ") on {:?}", self.cpu)
    }
}
