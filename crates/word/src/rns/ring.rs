//! The ring, and what is done in it.

use super::blocks::Blocks;
use super::constants::{Basis, MAX_PRIMES, PRIME_BITS};
use super::element::{Limb, RnsPolynomial, RnsPrepared, RnsTransformed, collect};
use super::parallel::{each, each_pair};
use crate::memory::reserve;
use crate::{Shape, WordError, WordRing};
use alloc::vec::Vec;
use core::fmt;
use ringsmith_simd::Cpu;

/// Polynomials modulo `x^n + 1` or `x^n - 1` and the product `Q` of different primes, of which each is below
/// `2^50` and serves a [`WordRing`].
///
/// Operations are those of [`WordRing`], which they take prime by prime, in the operands' memory.
///
/// ```
/// use ringsmith_word::RnsRing;
///
/// // Q has 76 bits: a coefficient takes two words, the low one first.
/// let ring = RnsRing::new(1024, &[70_368_740_769_793, 1_073_479_681])?;
/// assert_eq!(ring.words(), 2);
/// let mut numbers = [0; 2 * 1024];
/// numbers[1] = 1; // 2^64
/// let a = ring.polynomial(&numbers)?;
/// let b = ring.polynomial_of_small(&[-3; 1024])?; // -3 (1 + x + .. + x^1023)
/// let product = ring.product(a, b)?;
///
/// // Each coefficient is -3 2^64, which is Q - 3 2^64.
/// ring.coefficients(&product, &mut numbers)?;
/// let q = ring.modulus();
/// assert_eq!(numbers[..2], [q[0], q[1] - 3]);
/// assert_eq!(numbers[2046..], [q[0], q[1] - 3]);
/// # Ok::<(), ringsmith_word::WordError>(())
/// ```
///
/// # Coefficients
/// Numbers in `[0, Q)` of [`words`](RnsRing::words) words of 64 bits, the low one first, one coefficient
/// after the other, the constant term first: `n words` words together. Or numbers with a sign of one word
/// ([`polynomial_of_small`](RnsRing::polynomial_of_small)), such as messages and noise.
///
/// # Limbs
/// [`limb(i)`](RnsRing::limb) is the ring of prime `i`, and an operand's limb `i` one of its operands. So all
/// operations of [`WordRing`] are available for a single prime, for example to drop a prime or to convert
/// between primes. Rings that share their first primes share those limbs; [`shortened`](RnsRing::shortened)
/// drops the others.
///
/// # Threads
/// With the feature `rayon`, transforms and products take the primes side by side, on the threads of the pool
/// that they are called in. Results are the same. The pool allocates for itself.
///
/// # Memory
/// That of the limbs, and 30 KiB of stack where numbers of several words are read or written.
///
/// # Errors
/// As [`WordRing`]'s. If an operation refuses an operand that it would change in place, the operand is
/// unchanged.
///
/// # Constant time
/// In the coefficients; see the page of the crate. The primes, how many they are, and `n` are public.
pub struct RnsRing {
    rings: Vec<WordRing>,
    basis: Basis,
}

/// An operand has as many limbs as the ring, of which each is of its prime's ring.
macro_rules! check {
    ($ring:expr; $($operand:expr, $of:ident);*) => {
        $(
            if $operand.0.len() != $ring.rings.len() {
                return Err(WordError::OtherRing);
            }
            for (ring, limb) in $ring.rings.iter().zip(&$operand.0) {
                ring.check(limb.$of()?.ring)?;
            }
        )*
    };
}

impl RnsRing {
    /// The ring modulo `x^n + 1` and the product of these primes, on the best backend of this machine.
    ///
    /// # Errors
    /// Where there are none or more than 64, one is there twice or is not below `2^50`, `n` or one does not
    /// serve ([`WordRing::new`]), or there is no memory.
    ///
    /// ```
    /// use ringsmith_word::{RnsRing, WordError};
    /// assert_eq!(RnsRing::new(64, &[]).unwrap_err(), WordError::Primes { count: 0 });
    /// assert_eq!(RnsRing::new(64, &[257, 641, 257]).unwrap_err(), WordError::Repeated { p: 257 });
    /// ```
    pub fn new(n: usize, primes: &[u64]) -> Result<Self, WordError> {
        Self::new_on(Cpu::detect(), Shape::Negacyclic, n, primes)
    }

    /// The same on a backend, modulo `x^n + 1` or `x^n - 1`.
    ///
    /// # Errors
    /// As [`new`](RnsRing::new).
    pub fn new_on(cpu: Cpu, shape: Shape, n: usize, primes: &[u64]) -> Result<Self, WordError> {
        if !(1..=MAX_PRIMES).contains(&primes.len()) {
            return Err(WordError::Primes { count: primes.len() });
        }
        let mut rings: Vec<WordRing> = reserve(primes.len())?;
        for p in primes {
            if rings.iter().any(|ring| ring.prime() == *p) {
                return Err(WordError::Repeated { p: *p });
            }
            if *p >> PRIME_BITS != 0 {
                return Err(WordError::TooLarge { p: *p, bits: PRIME_BITS });
            }
            rings.push(WordRing::new_on(cpu, shape, n, *p)?);
        }
        Ok(RnsRing { rings, basis: Basis::new(cpu, primes)? })
    }

    /// The ring of prime `i`.
    pub fn limb(&self, i: usize) -> Option<&WordRing> {
        self.rings.get(i)
    }

    /// The rings of all primes, in order.
    pub fn limbs(&self) -> &[WordRing] {
        &self.rings
    }

    /// How many coefficients a polynomial has.
    pub fn degree(&self) -> usize {
        self.rings[0].degree()
    }

    /// The polynomial that polynomials are taken modulo.
    pub fn shape(&self) -> Shape {
        self.rings[0].shape()
    }

    /// The backend that it runs on.
    pub fn cpu(&self) -> Cpu {
        self.rings[0].cpu()
    }

    /// How many words of 64 bits a coefficient takes.
    pub fn words(&self) -> usize {
        self.basis.words
    }

    /// The product of the primes, in as many words, the low one first.
    pub fn modulus(&self) -> &[u64] {
        &self.basis.product
    }

    /// Numbers to residues and back.
    fn blocks(&self) -> Blocks<'_> {
        Blocks { cpu: self.cpu(), n: self.degree(), rings: &self.rings, basis: &self.basis }
    }

    /// Whether these are the words of a polynomial.
    fn check_words(&self, has: usize) -> Result<(), WordError> {
        let needs = self.degree() * self.words();
        if has == needs { Ok(()) } else { Err(WordError::Words { needs, has }) }
    }

    /// Whether these are the coefficients of a polynomial.
    fn check_length(&self, has: usize) -> Result<(), WordError> {
        let needs = self.degree();
        if has == needs { Ok(()) } else { Err(WordError::Length { needs, has }) }
    }

    /// A polynomial, to be set.
    fn unset(&self) -> Result<RnsPolynomial, WordError> {
        Ok(RnsPolynomial(collect(self.rings.len(), |i| Ok(Limb::Polynomial(self.rings[i].unset()?)))?))
    }

    /// The polynomial of these `n` coefficients in `[0, Q)`.
    ///
    /// # Errors
    /// Where there are more or fewer words than `n words`, a number is not below `Q`, or there is no memory.
    pub fn polynomial(&self, numbers: &[u64]) -> Result<RnsPolynomial, WordError> {
        self.check_words(numbers.len())?;
        let mut a = self.unset()?;
        self.set(&mut a, numbers)?;
        Ok(a)
    }

    /// Other coefficients for a polynomial, in its memory.
    ///
    /// # Errors
    /// Where there are more or fewer words than `n words`, or a number is not below `Q`: then the polynomial
    /// is 0.
    pub fn set(&self, a: &mut RnsPolynomial, numbers: &[u64]) -> Result<(), WordError> {
        check!(self; a, polynomial);
        self.check_words(numbers.len())?;
        self.blocks().set(&mut a.0, numbers)
    }

    /// The polynomial of these `n` coefficients with a sign, the constant term first: `x < 0` is `Q - |x|`.
    ///
    /// # Errors
    /// Where there are more or fewer, or there is no memory.
    pub fn polynomial_of_small(&self, numbers: &[i64]) -> Result<RnsPolynomial, WordError> {
        self.check_length(numbers.len())?;
        let mut a = self.unset()?;
        self.set_small(&mut a, numbers)?;
        Ok(a)
    }

    /// Other coefficients with a sign for a polynomial, in its memory.
    ///
    /// # Errors
    /// Where there are more or fewer than `n`.
    pub fn set_small(&self, a: &mut RnsPolynomial, numbers: &[i64]) -> Result<(), WordError> {
        check!(self; a, polynomial);
        self.check_length(numbers.len())?;
        self.blocks().set_small(&mut a.0, Some(numbers))
    }

    /// Writes the coefficients of a polynomial, in `[0, Q)`.
    ///
    /// # Errors
    /// Where the polynomial is of another ring, or `out` has not `n words` places.
    pub fn coefficients(&self, a: &RnsPolynomial, out: &mut [u64]) -> Result<(), WordError> {
        check!(self; a, polynomial);
        self.check_words(out.len())?;
        self.blocks().coefficients(&a.0, out)
    }

    /// A polynomial of a ring whose first primes are this ring's, modulo these alone.
    ///
    /// # Errors
    /// Where the polynomial is of no such ring.
    ///
    /// ```
    /// use ringsmith_word::RnsRing;
    ///
    /// let (long, short) = (RnsRing::new(64, &[257, 641, 769])?, RnsRing::new(64, &[257, 641])?);
    /// let a = long.polynomial(&[200_000; 64])?;
    /// let mut numbers = [0; 64];
    /// short.coefficients(&short.shortened(a)?, &mut numbers)?;
    /// assert_eq!(numbers, [200_000 % (257 * 641); 64]);
    /// # Ok::<(), ringsmith_word::WordError>(())
    /// ```
    pub fn shortened(&self, mut a: RnsPolynomial) -> Result<RnsPolynomial, WordError> {
        a.0.truncate(self.rings.len());
        check!(self; a, polynomial);
        Ok(a)
    }

    /// The transform of a polynomial, in its memory.
    ///
    /// # Errors
    /// Where the polynomial is of another ring.
    pub fn forward(&self, mut a: RnsPolynomial) -> Result<RnsTransformed, WordError> {
        check!(self; a, polynomial);
        each(&mut a.0, |i, limb| {
            *limb = Limb::Transformed(self.rings[i].forward(limb.take_polynomial()?)?);
            Ok(())
        })?;
        Ok(RnsTransformed(a.0))
    }

    /// The polynomial of a transform, in its memory.
    ///
    /// # Errors
    /// Where the operand is of another ring.
    pub fn inverse(&self, mut a: RnsTransformed) -> Result<RnsPolynomial, WordError> {
        check!(self; a, transformed);
        each(&mut a.0, |i, limb| {
            *limb = Limb::Polynomial(self.rings[i].inverse(limb.take_transformed()?)?);
            Ok(())
        })?;
        Ok(RnsPolynomial(a.0))
    }

    /// The transform of 0, to start a sum of products.
    ///
    /// # Errors
    /// Where there is no memory.
    pub fn zero(&self) -> Result<RnsTransformed, WordError> {
        Ok(RnsTransformed(collect(self.rings.len(), |i| Ok(Limb::Transformed(self.rings[i].zero()?)))?))
    }

    /// `a b` of transforms, in the memory of `a`.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn pointwise(&self, a: &mut RnsTransformed, b: &RnsTransformed) -> Result<(), WordError> {
        check!(self; a, transformed; b, transformed);
        each(&mut a.0, |i, a| self.rings[i].pointwise(a.transformed_mut()?, b.0[i].transformed()?))
    }

    /// `a b` of transforms, where `b` is prepared, in the memory of `a`.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn pointwise_prepared(&self, a: &mut RnsTransformed, b: &RnsPrepared) -> Result<(), WordError> {
        check!(self; a, transformed; b, prepared);
        each(&mut a.0, |i, a| self.rings[i].pointwise_prepared(a.transformed_mut()?, b.0[i].prepared()?))
    }

    /// `sum + a b` of transforms, in the memory of the sum.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn accumulate(
        &self,
        sum: &mut RnsTransformed,
        a: &RnsTransformed,
        b: &RnsTransformed,
    ) -> Result<(), WordError> {
        check!(self; sum, transformed; a, transformed; b, transformed);
        each(&mut sum.0, |i, sum| {
            self.rings[i].accumulate(sum.transformed_mut()?, a.0[i].transformed()?, b.0[i].transformed()?)
        })
    }

    /// `sum + a b` of transforms, where `b` is prepared, in the memory of the sum.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn accumulate_prepared(
        &self,
        sum: &mut RnsTransformed,
        a: &RnsTransformed,
        b: &RnsPrepared,
    ) -> Result<(), WordError> {
        check!(self; sum, transformed; a, transformed; b, prepared);
        each(&mut sum.0, |i, sum| {
            let (a, b) = (a.0[i].transformed()?, b.0[i].prepared()?);
            self.rings[i].accumulate_prepared(sum.transformed_mut()?, a, b)
        })
    }

    /// Transforms and prepares a polynomial that many others will be multiplied by.
    ///
    /// # Errors
    /// Where the polynomial is of another ring, or there is no memory.
    pub fn prepare(&self, mut b: RnsPolynomial) -> Result<RnsPrepared, WordError> {
        check!(self; b, polynomial);
        each(&mut b.0, |i, limb| {
            *limb = Limb::Prepared(self.rings[i].prepare(limb.take_polynomial()?)?);
            Ok(())
        })?;
        Ok(RnsPrepared(b.0))
    }

    /// `a b`, in the memory of `a`; that of `b` is used too.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn product(&self, mut a: RnsPolynomial, mut b: RnsPolynomial) -> Result<RnsPolynomial, WordError> {
        check!(self; a, polynomial; b, polynomial);
        each_pair(&mut a.0, &mut b.0, |i, a, b| {
            *a = Limb::Polynomial(self.rings[i].product(a.take_polynomial()?, b.take_polynomial()?)?);
            Ok(())
        })?;
        Ok(a)
    }

    /// Writes `a b` to `out`, with intermediate values in `scratch`. Unlike [`product`](RnsRing::product) it
    /// keeps the operands.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn product_into(
        &self,
        a: &RnsPolynomial,
        b: &RnsPolynomial,
        out: &mut RnsPolynomial,
        scratch: &mut RnsTransformed,
    ) -> Result<(), WordError> {
        check!(self; a, polynomial; b, polynomial; out, polynomial; scratch, transformed);
        each_pair(&mut out.0, &mut scratch.0, |i, out, scratch| {
            let (a, b) = (a.0[i].polynomial()?, b.0[i].polynomial()?);
            self.rings[i].product_into(a, b, out.polynomial_mut()?, scratch.transformed_mut()?)
        })
    }

    /// `a b` by a prepared `b`, in the memory of `a`.
    ///
    /// # Errors
    /// Where an operand is of another ring.
    pub fn product_prepared(
        &self,
        mut a: RnsPolynomial,
        b: &RnsPrepared,
    ) -> Result<RnsPolynomial, WordError> {
        check!(self; a, polynomial; b, prepared);
        each(&mut a.0, |i, a| {
            *a = Limb::Polynomial(self.rings[i].product_prepared(a.take_polynomial()?, b.0[i].prepared()?)?);
            Ok(())
        })?;
        Ok(a)
    }
}

impl fmt::Debug for RnsRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Z_Q[x]/(")?;
        self.shape().write(f, self.degree())?;
        write!(f, "), Q of {} primes, on {:?}", self.rings.len(), self.cpu())
    }
}
