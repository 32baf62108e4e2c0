//! A ring, and what is done in it.

mod sums;

use crate::compiled::{Factor, Kernels, Room as Narrow, Table};
use crate::cost::Costs;
use crate::divisor::{Between, Divisor};
use crate::exact::{Exact, PreparedExact, Room as Transforms, Source};
use crate::memory::Words;
use crate::range::{check, check_small, read, write};
use crate::route::End;
use crate::schoolbook;
use crate::zq::Zq;
use crate::{Coefficient, Expression, Operands, Polynomial, RingError, Route};
use core::fmt;
use ringsmith_simd::Cpu;

/// `Z_q[x]/(f)`, for a modulus `q` from 2 to `2^62`, prime or not, and a monic `f` of a degree `n` from 1 to
/// 65536.
///
/// An element is a slice of `n` coefficients in `[0, q)`, the constant term first, of `u16`, `u32` or `u64`.
///
/// # Errors
/// Operations refuse operands that have another number of coefficients ([`RingError::Length`]) or one that is
/// not below `q` ([`RingError::Range`]), which is told; not which.
///
/// # Constant time
/// In the coefficients. `q`, `f` and the bounds of operands are public.
pub struct Ring {
    pub(crate) cpu: Cpu,
    pub(crate) zq: Zq,
    pub(crate) f: Polynomial,
    pub(crate) operands: Operands,
    pub(crate) engine: Engine,
    pub(crate) divisor: Divisor,
}

/// How products are computed.
pub(crate) enum Engine {
    /// By the definition.
    Schoolbook,
    /// By transforms of length `n`, which wrap around as `f` does.
    Wrapped(Exact),
    /// By transforms that hold the whole product, of which residues are taken modulo `f`.
    Folded(Exact),
    /// By transforms that hold the whole product.
    Whole(Exact),
    /// By kernels that were compiled for the ring.
    Compiled(Kernels),
    /// By kernels of 16 bits that hold the whole product.
    Rows { kernels: Kernels, predicted: f64 },
}

/// A second factor that is multiplied by often. Cleared when it is dropped.
pub struct Prepared {
    ring: Identity,
    factor: PreparedFactor,
}

/// In the form that an engine takes.
enum PreparedFactor {
    Words(Words),
    Transforms(PreparedExact),
    Compiled(Factor),
}

/// The second factor of a product by transforms.
enum Second<'a> {
    Words(&'a [u64]),
    Prepared(&'a PreparedExact),
}

/// Which ring a prepared factor is of. Rings with the same one share them.
struct Identity {
    cpu: &'static str,
    q: u64,
    f: Polynomial,
    operands: Operands,
}

/// The memory that products take: made once, and cleared when it is dropped.
pub struct Room {
    pub(crate) a: Words,
    pub(crate) b: Words,
    pub(crate) product: Words,
    transforms: Option<Transforms>,
    between: Option<Between>,
    narrow: Option<Narrow>,
}

/// Up to this degree the definition is faster than transforms on every machine.
pub(crate) const SCHOOLBOOK: usize = 16;

impl Ring {
    /// The ring, for products of any two elements.
    ///
    /// # Errors
    /// Where `q`, the degree or the leading coefficient of `f` does not serve, or there is no memory.
    ///
    /// ```
    /// use ringsmith_any::{Ring, RingError};
    ///
    /// let ring = Ring::new(17, &"x^2+1".parse()?)?;
    /// let mut product = [0_u64; 2];
    /// // (1 + x)(1 - x) = 1 - x^2 = 2
    /// ring.product(&[1, 1], &[1, 16], &mut product, &mut ring.room()?)?;
    /// assert_eq!(product, [2, 0]);
    /// assert_eq!(Ring::new(17, &"2x^2+1".parse()?).unwrap_err(), RingError::NotMonic);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(q: u64, f: &Polynomial) -> Result<Self, RingError> {
        Self::new_on(Cpu::detect(), q, f, Operands::any())
    }

    /// The ring of an expression, as in `Z_4591[x]/(x^761-x-1)`, for products of any two elements.
    ///
    /// # Errors
    /// As [`new`](Ring::new).
    pub fn of(expression: &Expression) -> Result<Self, RingError> {
        Self::new(expression.q, &expression.f)
    }

    /// The ring on a backend, for certain operands: small ones take fewer primes, sums may take more.
    ///
    /// # Errors
    /// As [`new`](Ring::new), or where the bounds of the operands do not serve.
    pub fn new_on(cpu: Cpu, q: u64, f: &Polynomial, operands: Operands) -> Result<Self, RingError> {
        Self::with_compiled(cpu, q, f, operands, Table::default())
    }

    /// The same, by the [compiled ring](crate::compiled) of this `q` and `f` where the table has one, or by
    /// its whole products where these are faster. `ringsmith::compiled::table` is a table. Results are the
    /// same with it and without.
    ///
    /// # Errors
    /// As [`new_on`](Ring::new_on).
    pub fn with_compiled(
        cpu: Cpu,
        q: u64,
        f: &Polynomial,
        operands: Operands,
        table: Table<'_>,
    ) -> Result<Self, RingError> {
        Self::with_costs(cpu, q, f, operands, table, &Costs::of(cpu))
    }

    /// How many coefficients an element has.
    pub fn degree(&self) -> usize {
        self.f.degree()
    }

    /// The modulus of the coefficients.
    pub fn modulus(&self) -> u64 {
        self.zq.modulus()
    }

    /// Its arithmetic.
    pub(crate) fn zq(&self) -> Zq {
        self.zq
    }

    /// The modulus polynomial.
    pub fn polynomial(&self) -> &Polynomial {
        &self.f
    }

    /// What is known of the operands.
    pub fn operands(&self) -> Operands {
        self.operands
    }

    /// The backend that it runs on.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// How products are computed, and why that is exact.
    pub fn route(&self) -> Route {
        let dense = matches!(self.divisor, Divisor::Dense(_));
        let (exact, end) = match &self.engine {
            Engine::Schoolbook => (None, End::Divided),
            Engine::Wrapped(exact) => (Some(exact), End::Wrapped),
            Engine::Folded(exact) => (Some(exact), End::Folded),
            Engine::Whole(exact) => (Some(exact), End::Divided),
            Engine::Compiled(kernels) | Engine::Rows { kernels, .. } => {
                return Route::compiled(kernels.route(self.operands), dense);
            }
        };
        Route::new(exact, end, dense)
    }

    /// About how many cycles a product takes as the model says, where whole products of a table compute it.
    /// [`Candidates`](crate::Candidates) says it of methods.
    pub fn predicted_cycles(&self) -> Option<f64> {
        match self.engine {
            Engine::Rows { predicted, .. } => Some(predicted),
            _ => None,
        }
    }

    /// The memory that products take.
    ///
    /// # Errors
    /// Where there is none.
    pub fn room(&self) -> Result<Room, RingError> {
        let n = self.degree();
        let transforms = match &self.engine {
            Engine::Schoolbook | Engine::Compiled(_) | Engine::Rows { .. } => None,
            Engine::Wrapped(exact) | Engine::Folded(exact) | Engine::Whole(exact) => Some(exact.room()?),
        };
        let narrow = match &self.engine {
            Engine::Compiled(kernels) | Engine::Rows { kernels, .. } => Some(kernels.room()?),
            _ => None,
        };
        let between = match &self.divisor {
            Divisor::Sparse(_) => None,
            Divisor::Dense(dense) => Some(dense[0].between()?),
        };
        let (a, b, product) = (Words::zero(n)?, Words::zero(n)?, Words::zero(2 * n - 1)?);
        Ok(Room { a, b, product, transforms, between, narrow })
    }

    /// Writes `a b` to `out`.
    ///
    /// # Errors
    /// Where an operand does not serve, or the room is that of another ring.
    pub fn product<T: Coefficient>(
        &self,
        a: &[T],
        b: &[T],
        out: &mut [T],
        room: &mut Room,
    ) -> Result<(), RingError> {
        if let Engine::Compiled(kernels) = &self.engine {
            return kernels.product(self.operands, [a, b], out, &mut room.narrow);
        }
        if let (Some(a), Some(b), Some(exact)) = (T::as_words(a), T::as_words(b), self.transforms()) {
            self.check(a)?;
            self.check_second(b)?;
            self.multiply_words(exact, a, Second::Words(b), room)?;
        } else {
            self.read(a, &mut room.a)?;
            self.read_second(b, &mut room.b)?;
            self.multiply(room, None)?;
        }
        self.write(room, out)
    }

    /// Makes a second factor to multiply by often.
    ///
    /// # Errors
    /// Where the operand does not serve, or there is no memory.
    pub fn prepare<T: Coefficient>(&self, b: &[T]) -> Result<Prepared, RingError> {
        let mut words = Words::zero(self.degree())?;
        self.read_second(b, &mut words)?;
        let factor = match &self.engine {
            Engine::Schoolbook => PreparedFactor::Words(words),
            Engine::Wrapped(exact) | Engine::Folded(exact) | Engine::Whole(exact) => {
                PreparedFactor::Transforms(exact.prepare(&words, &mut exact.room()?)?)
            }
            Engine::Compiled(kernels) | Engine::Rows { kernels, .. } => {
                PreparedFactor::Compiled(kernels.prepare(&words)?)
            }
        };
        Ok(Prepared { ring: self.identity()?, factor })
    }

    /// Writes `a b` to `out`, by a prepared `b`.
    ///
    /// # Errors
    /// Where an operand does not serve, or it or the room is that of another ring.
    pub fn product_prepared<T: Coefficient>(
        &self,
        a: &[T],
        b: &Prepared,
        out: &mut [T],
        room: &mut Room,
    ) -> Result<(), RingError> {
        if !self.has(&b.ring) {
            return Err(RingError::OtherRing);
        }
        if let (Engine::Compiled(kernels), PreparedFactor::Compiled(b)) = (&self.engine, &b.factor) {
            return kernels.product_prepared(a, b, out, &mut room.narrow);
        }
        if let (Some(a), PreparedFactor::Transforms(b), Some(exact)) =
            (T::as_words(a), &b.factor, self.transforms())
        {
            self.check(a)?;
            self.multiply_words(exact, a, Second::Prepared(b), room)?;
            return self.write(room, out);
        }
        self.read(a, &mut room.a)?;
        match &b.factor {
            PreparedFactor::Words(words) => {
                room.b.copy_from_slice(words);
                self.multiply(room, None)?;
            }
            PreparedFactor::Transforms(b) => self.multiply(room, Some(b))?,
            PreparedFactor::Compiled(b) => self.multiply_rows(room, b)?,
        }
        self.write(room, out)
    }

    /// Writes `a_1 b_1 + a_2 b_2 + ..` to `out`: transforms are summed, and the sum is transformed back once.
    /// A row of a matrix times a vector is one.
    ///
    /// # Errors
    /// Where an operand does not serve, there are more pairs than the ring's operands say
    /// ([`RingError::Operands`]) or none, or the room is that of another ring.
    ///
    /// ```
    /// use ringsmith_any::{Operands, Ring};
    /// use ringsmith_simd::Cpu;
    ///
    /// let ring = Ring::new_on(Cpu::detect(), 3329, &"x^256+1".parse()?, Operands::any().sums(2))?;
    /// let (a, b, mut sum) = ([1_u16; 256], [2_u16; 256], [0_u16; 256]);
    /// ring.sum_of_products(&[(&a, &b), (&b, &a)], &mut sum, &mut ring.room()?)?;
    /// assert_eq!(sum[255], 4 * 256);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sum_of_products<T: Coefficient>(
        &self,
        pairs: &[(&[T], &[T])],
        out: &mut [T],
        room: &mut Room,
    ) -> Result<(), RingError> {
        if pairs.is_empty() || pairs.len() as u64 > self.operands.count() {
            return Err(RingError::Operands);
        }
        for (i, (a, b)) in pairs.iter().enumerate() {
            self.read(a, &mut room.a)?;
            self.read_second(b, &mut room.b)?;
            self.add_product(room, i == 0)?;
        }
        self.end_sum(room)?;
        self.write(room, out)
    }

    /// Writes the remainder of a polynomial of `n` to `2 n - 1` coefficients in `[0, q)` by `f` to `out`.
    ///
    /// # Errors
    /// Where an operand does not serve, or the room is that of another ring.
    pub fn remainder<T: Coefficient>(
        &self,
        c: &[T],
        out: &mut [T],
        room: &mut Room,
    ) -> Result<(), RingError> {
        let (n, longest) = (self.degree(), room.product.len());
        if longest != 2 * n - 1 {
            return Err(RingError::OtherRing);
        }
        if !(n..=longest).contains(&c.len()) {
            return Err(RingError::Length { needs: longest, has: c.len() });
        }
        let (low, high) = room.product.split_at_mut(c.len());
        high.fill(0);
        read(self.cpu, self.modulus(), c, low)?;
        self.divide(room)?;
        self.write(room, out)
    }

    fn identity(&self) -> Result<Identity, RingError> {
        let (cpu, q, f) = (self.cpu.name(), self.modulus(), self.f.copy()?);
        Ok(Identity { cpu, q, f, operands: self.operands })
    }

    /// Whether this is its identity.
    fn has(&self, Identity { cpu, q, f, operands }: &Identity) -> bool {
        (*cpu, *q, f, *operands) == (self.cpu.name(), self.modulus(), &self.f, self.operands)
    }

    /// Coefficients of an element.
    pub(crate) fn read<T: Coefficient>(&self, from: &[T], to: &mut [u64]) -> Result<(), RingError> {
        let needs = self.degree();
        if to.len() != needs {
            return Err(RingError::OtherRing);
        }
        if from.len() != needs {
            return Err(RingError::Length { needs, has: from.len() });
        }
        read(self.cpu, self.modulus(), from, to)
    }

    /// Those of a second factor.
    fn read_second<T: Coefficient>(&self, from: &[T], to: &mut [u64]) -> Result<(), RingError> {
        self.read(from, to)?;
        self.check_bound(to)
    }

    /// Whether words are an element.
    fn check(&self, words: &[u64]) -> Result<(), RingError> {
        let (needs, has) = (self.degree(), words.len());
        if needs == has {
            check(self.cpu, self.modulus(), words)
        } else {
            Err(RingError::Length { needs, has })
        }
    }

    /// Whether they are a second factor.
    fn check_second(&self, words: &[u64]) -> Result<(), RingError> {
        self.check(words)?;
        self.check_bound(words)
    }

    /// Whether an element has the bound of second factors.
    fn check_bound(&self, words: &[u64]) -> Result<(), RingError> {
        let operands = self.operands;
        let bound = if self.packs() { operands.bound() } else { operands.checked_bound() };
        bound.map_or(Ok(()), |bound| check_small(self.cpu, self.modulus(), bound, words))
    }

    /// The transforms that it multiplies by, if it does.
    fn transforms(&self) -> Option<&Exact> {
        match &self.engine {
            Engine::Wrapped(exact) | Engine::Folded(exact) | Engine::Whole(exact) => Some(exact),
            Engine::Schoolbook | Engine::Compiled(_) | Engine::Rows { .. } => None,
        }
    }

    /// Whether two coefficients are one number, whose digits would meet where one is beyond its bound.
    fn packs(&self) -> bool {
        self.transforms().is_some_and(|exact| exact.packing().is_some())
    }

    /// Begins a sum with the product of the room's factors, or adds it.
    fn add_product(&self, room: &mut Room, begin: bool) -> Result<(), RingError> {
        let Room { a, b, product, transforms, narrow, .. } = room;
        match (&self.engine, transforms) {
            (Engine::Compiled(kernels), _) => {
                let sum = &mut product[..self.degree()];
                kernels.add_product(self.zq, [a, b], sum, begin, narrow)?;
            }
            (Engine::Rows { kernels, .. }, _) => {
                kernels.add_product(self.zq, [a, b], &mut product[..], begin, narrow)?
            }
            (Engine::Schoolbook, _) => schoolbook::add_product(self.zq, a, b, product, begin),
            (Engine::Wrapped(exact) | Engine::Folded(exact) | Engine::Whole(exact), Some(transforms)) => {
                exact.add_product(a, b, transforms, begin)?;
            }
            _ => return Err(RingError::OtherRing),
        }
        Ok(())
    }

    /// A sum of products modulo `f`, in the first places of the room for it.
    fn end_sum(&self, room: &mut Room) -> Result<(), RingError> {
        let Room { product, transforms, .. } = &mut *room;
        match (&self.engine, transforms) {
            (Engine::Wrapped(exact) | Engine::Folded(exact), Some(transforms)) => {
                return exact.end_sum(&mut product[..self.degree()], transforms);
            }
            (Engine::Whole(exact), Some(transforms)) => exact.end_sum(product, transforms)?,
            (Engine::Compiled(_), _) => return Ok(()),
            _ => {}
        }
        self.divide(room)
    }

    /// The product of the room's first factor and a prepared one by whole products, likewise.
    fn multiply_rows(&self, room: &mut Room, b: &Factor) -> Result<(), RingError> {
        let Engine::Rows { kernels, .. } = &self.engine else { return Err(RingError::OtherRing) };
        let Room { a, product, narrow, .. } = &mut *room;
        kernels.product_prepared(&a[..], b, &mut product[..], narrow)?;
        self.divide(room)
    }

    /// The product of the room's factors, or of its first one and a prepared one, modulo `f`, in the first
    /// places of the room for it.
    pub(crate) fn multiply(
        &self,
        room: &mut Room,
        prepared: Option<&PreparedExact>,
    ) -> Result<(), RingError> {
        let Room { a, b, product, transforms, narrow, .. } = &mut *room;
        match &self.engine {
            Engine::Compiled(_) | Engine::Rows { .. } if prepared.is_some() => {
                return Err(RingError::OtherRing);
            }
            Engine::Compiled(kernels) => {
                let out = &mut product[..self.degree()];
                return kernels.product(Operands::any(), [&**a, &**b], out, narrow);
            }
            Engine::Rows { kernels, .. } => {
                kernels.product(Operands::any(), [&**a, &**b], &mut product[..], narrow)?;
                return self.divide(room);
            }
            Engine::Schoolbook => {
                schoolbook::add_product(self.zq, a, b, product, true);
                return self.divide(room);
            }
            Engine::Wrapped(exact) | Engine::Folded(exact) | Engine::Whole(exact) => {
                let b = prepared.map_or(Second::Words(b), Second::Prepared);
                self.by_transforms(exact, a, b, product, transforms)?;
            }
        }
        self.divide_whole(room)
    }

    /// A product by transforms: whole, or modulo `f` in the first places.
    fn by_transforms(
        &self,
        exact: &Exact,
        a: &[u64],
        b: Second<'_>,
        product: &mut [u64],
        transforms: &mut Option<Transforms>,
    ) -> Result<(), RingError> {
        let whole = matches!(self.engine, Engine::Whole(_));
        let out = if whole { product } else { &mut product[..self.degree()] };
        let transforms = transforms.as_mut().ok_or(RingError::OtherRing)?;
        match b {
            Second::Words(b) => exact.product(a, b, out, transforms),
            Second::Prepared(b) => exact.product_prepared(Source::Up(a), b, out, transforms),
        }
    }

    /// The same of factors that stay where they are.
    fn multiply_words(
        &self,
        exact: &Exact,
        a: &[u64],
        b: Second<'_>,
        room: &mut Room,
    ) -> Result<(), RingError> {
        let Room { a: of_this_ring, product, transforms, .. } = &mut *room;
        if of_this_ring.len() != self.degree() {
            return Err(RingError::OtherRing);
        }
        self.by_transforms(exact, a, b, product, transforms)?;
        self.divide_whole(room)
    }

    /// The remainder of a whole product, and no other.
    fn divide_whole(&self, room: &mut Room) -> Result<(), RingError> {
        if matches!(self.engine, Engine::Whole(_)) { self.divide(room) } else { Ok(()) }
    }

    /// The remainder of the room's product, in its first places.
    fn divide(&self, room: &mut Room) -> Result<(), RingError> {
        let Room { product, transforms, between, .. } = room;
        let whole = if let Engine::Whole(exact) = &self.engine { Some(exact) } else { None };
        match (&self.divisor, between) {
            (Divisor::Sparse(sparse), _) => sparse.reduce(product),
            (Divisor::Dense(dense), Some(between)) => {
                dense[0].reduce(product, between, whole.zip(transforms.as_mut()))?;
            }
            (Divisor::Dense(_), None) => return Err(RingError::OtherRing),
        }
        Ok(())
    }

    /// The element in the first places of the room's product.
    pub(crate) fn write<T: Coefficient>(&self, room: &Room, out: &mut [T]) -> Result<(), RingError> {
        let needs = self.degree();
        if out.len() != needs {
            return Err(RingError::Length { needs, has: out.len() });
        }
        if self.modulus() - 1 > T::MAX {
            return Err(RingError::Range);
        }
        write(self.cpu, &room.product, out);
        Ok(())
    }
}

impl fmt::Debug for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Z_{}[x]/({}) on {:?}", self.modulus(), self.f, self.cpu)
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prepared { .. }")
    }
}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Room { .. }")
    }
}
