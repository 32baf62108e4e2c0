//! How a ring computes its products.

use crate::compiled::Compilation;
use crate::exact::{Bounds, Exact, PRIMES};
use crate::packed::Packing;
use core::fmt;

/// How products are computed, and why that is exact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    transforms: Option<Transforms>,
    dense: bool,
    compiled: Option<Compilation>,
}

/// How products get below `f`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Transforms wrap around as `f` does.
    Wrapped,
    /// Residues are taken modulo `f`.
    Folded,
    /// Coefficients are divided by `f`.
    Divided,
}

/// Products by transforms.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Transforms {
    /// The primes, and how many there are.
    primes: ([u64; PRIMES.len()], usize),
    length: usize,
    end: End,
    bounds: Bounds,
    /// How many bits a number may have that the primes hold.
    bits: u32,
    packed: Option<Packed>,
}

/// Two coefficients a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Packed {
    /// The base whose digits coefficients of a product are.
    pub(crate) base: u64,
    /// The greatest values of three digits.
    pub(crate) digits: [u64; 3],
    /// The number that has them.
    pub(crate) greatest: u64,
}

/// Primes in an array, and how many there are.
fn listed(primes: impl Iterator<Item = u64>) -> ([u64; PRIMES.len()], usize) {
    primes.zip(0..PRIMES.len()).fold(([0; PRIMES.len()], 0), |(mut list, _), (p, i)| {
        list[i] = p;
        (list, i + 1)
    })
}

impl Transforms {
    fn primes(&self) -> &[u64] {
        let (primes, count) = &self.primes;
        &primes[..*count]
    }
}

impl Route {
    pub(crate) fn new(exact: Option<&Exact>, end: End, dense: bool) -> Self {
        let transforms = exact.map(|exact| Transforms {
            primes: listed(exact.primes()),
            length: exact.length(),
            end,
            bounds: exact.bounds(),
            bits: exact.bits(),
            packed: exact.packing().map(Packing::numbers),
        });
        Route { transforms, dense, compiled: None }
    }

    /// By kernels of a table.
    pub(crate) fn compiled(by: Compilation, dense: bool) -> Self {
        Route { transforms: None, dense, compiled: Some(by) }
    }

    /// The name of the compiled ring's route, where that computes products.
    pub fn compiled_name(&self) -> Option<&str> {
        match &self.compiled {
            Some(Compilation::Ring { name, .. }) => Some(name.text()),
            _ => None,
        }
    }

    /// Whether kernels that were compiled for the ring or for whole products compute products.
    pub fn is_compiled(&self) -> bool {
        self.compiled.is_some()
    }

    /// Whether kernels of 16 bits compute whole products.
    pub fn has_short_lanes(&self) -> bool {
        matches!(self.compiled, Some(Compilation::Whole { .. }))
    }

    /// Why a product is exact, with its numbers: a sentence.
    pub fn argument(&self) -> impl fmt::Display + '_ {
        Argument(self)
    }

    /// The primes that products are computed modulo: none by the definition or a compiled ring, `q` itself by
    /// direct transforms.
    pub fn primes(&self) -> impl Iterator<Item = u64> + '_ {
        let whole = match &self.compiled {
            Some(Compilation::Whole { primes, .. }) => &primes[..],
            _ => &[],
        };
        self.transforms.iter().flat_map(Transforms::primes).chain(whole).copied()
    }
}

/// Why a product is exact.
struct Argument<'a>(&'a Route);

impl fmt::Display for Argument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.compiled {
            Some(Compilation::Ring { argument, .. }) => return f.write_str(argument.text()),
            Some(Compilation::Whole { primes: [p1, p2, p3], terms, most: [a, b] }) => {
                let (double, product) = (2 * terms * a * b, p1 * p2 * p3);
                write!(
                    f,
                    "a coefficient over the integers has at most {terms} products of centred numbers, "
                )?;
                write!(f, "of at most {a} and {b}: twice as much is {double}, ")?;
                return write!(f, "less than {p1} {p2} {p3} = {product}");
            }
            None => {}
        }
        let Some(of) = &self.0.transforms else { return f.write_str("every sum is reduced modulo q") };
        let Bounds { q, terms, .. } = of.bounds;
        if of.primes() == [q] {
            return write!(f, "q is a prime, and q - 1 a multiple of what the roots of unity need");
        }
        if let Some(packed) = of.packed {
            return packed.fmt(f, of.primes());
        }
        write!(f, "a coefficient over the integers has at most {terms} products of ")?;
        match of.bounds.signed_factors() {
            [Some(a), Some(b)] => write!(f, "centred numbers, of at most {a} and {b}")?,
            [_, Some(bound)] => write!(f, "a number below q and one of at most {bound}")?,
            _ => f.write_str("two numbers below q")?,
        }
        let signs = if of.bounds.signed() { ", of both signs" } else { "" };
        match of.bounds.bits() {
            bits if bits <= of.bits => write!(f, "{signs}: {bits} bits; the primes hold {}", of.bits),
            bits => write!(f, "{signs}: fewer values than the product of the primes, both of {bits} bits"),
        }
    }
}

impl Packed {
    /// Why one prime holds three digits.
    fn fmt(self, f: &mut fmt::Formatter<'_>, primes: &[u64]) -> fmt::Result {
        let Packed { base, digits: [x, y, z], greatest } = self;
        write!(
            f,
            "two coefficients a number; a product's are digits in base {base}, of at most {x}, {y} and {z}"
        )?;
        write!(f, ": a number is at most {greatest}")?;
        primes.iter().try_for_each(|p| write!(f, ", less than the prime {p}"))
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.compiled {
            Some(Compilation::Ring { name, .. }) => return write!(f, "compiled, {}", name.text()),
            Some(Compilation::Whole { primes: [p1, p2, p3], .. }) => {
                write!(f, "compiled, rows of 16 bits modulo {p1}, {p2} and {p3}")?;
            }
            None => {}
        }
        match &self.transforms {
            None if self.compiled.is_some() => {}
            None => f.write_str("schoolbook")?,
            Some(of) if of.primes() == [of.bounds.q] => write!(f, "ntt modulo q, length {}", of.length)?,
            Some(of) => {
                let count = of.primes().len();
                let primes = if count == 1 { "prime" } else { "primes" };
                write!(f, "ntt modulo {count} {primes}, length {}", of.length)?;
            }
        }
        if self.transforms.as_ref().is_some_and(|of| of.packed.is_some()) {
            f.write_str(", two coefficients a number")?;
        }
        match &self.transforms {
            Some(Transforms { end: End::Wrapped, .. }) => Ok(()),
            Some(Transforms { end: End::Folded, .. }) => f.write_str(", residues modulo f, term by term"),
            _ if self.dense => f.write_str(", then division by f, two products"),
            _ => f.write_str(", then division by f, term by term"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: primes are listed in order, as many as there are.
    #[test]
    fn primes() {
        for count in 0..=PRIMES.len() {
            let (list, listed) = listed(PRIMES.into_iter().take(count));
            assert_eq!((&list[..listed], listed), (&PRIMES[..count], count));
        }
    }
}
