//! Whole products modulo a number that is known at run time, by the transforms of the size classes.

use crate::class;
use ringsmith_ring::algorithm::rows::halves::{Exact, Primes};
use ringsmith_simd::{Cpu, Row};

/// Memory that a product is given is the one that [`Products`] says.
const ROOM: &str = "memory for a whole product";

/// Prepares an operand, in memory: [`Products::prepare`].
type Prepare = fn(Cpu, &Target, &mut [Row], &mut [Row], &mut [Row]);
/// Multiplies, in memory: [`Products::multiply`].
type Multiply = fn(Cpu, &Target, &mut [Row], &[Row], &mut [Row], &mut [Row]);

/// The transforms of a class modulo three primes: products of two polynomials of up to
/// [`degree`](Products::degree) coefficients in `[0, q)`, whole, for any `q` that they
/// [hold](Products::hold).
pub struct Products {
    degree: usize,
    rows: usize,
    points: usize,
    primes: [i64; 3],
    memory: [usize; 2],
    holds: fn(i64, usize, i64) -> bool,
    prepare: Prepare,
    multiply: Multiply,
}

pub use class::PRODUCTS as ALL;
pub use ringsmith_ring::algorithm::rows::halves::Target;

impl Products {
    /// Those by the primes of a class.
    pub(crate) const fn of<P: Primes<ROWS>, const OPERAND: usize, const ROWS: usize>() -> Self {
        let () = <Exact<P, OPERAND, ROWS>>::WHOLE;
        Products {
            degree: <Exact<P, OPERAND, ROWS>>::WHOLE_DEGREE,
            rows: OPERAND,
            points: ROWS,
            primes: <Exact<P, OPERAND, ROWS>>::PRIMES,
            memory: <Exact<P, OPERAND, ROWS>>::WHOLE_MEMORY,
            holds: <Exact<P, OPERAND, ROWS>>::holds_whole,
            prepare: |cpu, target, b, seconds, memory| {
                let b = b.first_chunk_mut().expect(ROOM);
                <Exact<P, OPERAND, ROWS>>::prepare_whole(cpu, target, b, seconds, memory);
            },
            multiply: |cpu, target, a, seconds, out, memory| {
                let a = a.first_chunk_mut().expect(ROOM);
                <Exact<P, OPERAND, ROWS>>::multiply_whole(cpu, target, a, seconds, out, memory);
            },
        }
    }

    /// The greatest number of coefficients of an operand.
    pub const fn degree(&self) -> usize {
        self.degree
    }

    /// Points of a transform.
    pub const fn points(&self) -> usize {
        self.points
    }

    /// The primes.
    pub const fn primes(&self) -> [i64; 3] {
        self.primes
    }

    /// Rows of an operand. A product has twice as many, of which the first `2 n - 1` coefficients count.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Rows of memory for a product, and of a prepared operand.
    pub const fn memory(&self) -> [usize; 2] {
        self.memory
    }

    /// Whether products of `n` coefficients modulo `q`, from 3 to `2^14`, are held, the second factor's
    /// from `-most` to `most`, which is `q / 2` for any.
    pub fn hold(&self, q: i64, n: usize, most: i64) -> bool {
        (self.holds)(q, n, most)
    }

    /// What takes products modulo `q`, from 3 to `2^14`.
    pub const fn target(&self, q: i64) -> Option<Target> {
        Target::new(q, self.primes)
    }

    /// Prepares a second operand in `[0, q)`, whose rows are used up.
    ///
    /// # Panics
    /// Where memory is too small.
    pub fn prepare(
        &self,
        cpu: Cpu,
        target: &Target,
        b: &mut [Row],
        prepared: &mut [Row],
        memory: &mut [Row],
    ) {
        (self.prepare)(cpu, target, b, prepared, memory);
    }

    /// The product in `[0, q)` of an operand in `[0, q)`, whose rows are used up, by a prepared one: as many
    /// rows as there is room for, up to twice those of an operand.
    ///
    /// # Panics
    /// Where memory is too small.
    pub fn multiply(
        &self,
        cpu: Cpu,
        target: &Target,
        a: &mut [Row],
        prepared: &[Row],
        out: &mut [Row],
        memory: &mut [Row],
    ) {
        (self.multiply)(cpu, target, a, prepared, out, memory);
    }
}
