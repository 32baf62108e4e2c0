//! How a ring computes its products.

use crate::exact::{Bounds, Exact};
use crate::packed::Packing;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// How products are computed, and why that is exact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Route {
    transforms: Option<Transforms>,
    dense: bool,
    /// The name of a compiled ring's route.
    compiled: Option<String>,
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
    primes: Vec<u64>,
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

impl Route {
    pub(crate) fn new(exact: Option<&Exact>, end: End, dense: bool) -> Self {
        let transforms = exact.map(|exact| Transforms {
            primes: exact.primes().collect(),
            length: exact.length(),
            end,
            bounds: exact.bounds(),
            bits: exact.bits(),
            packed: exact.packing().map(Packing::numbers),
        });
        Route { transforms, dense, compiled: None }
    }

    /// By a compiled ring.
    pub(crate) fn compiled(name: String) -> Self {
        Route { transforms: None, dense: false, compiled: Some(name) }
    }

    /// The name of the compiled ring's route, where that computes products.
    pub fn compiled_name(&self) -> Option<&str> {
        self.compiled.as_deref()
    }

    /// Why a product is exact, with its numbers: a sentence.
    pub fn argument(&self) -> impl fmt::Display + '_ {
        Argument(self)
    }

    /// The primes that products are computed modulo: none by the definition or a compiled ring, `q` itself by
    /// direct transforms.
    pub fn primes(&self) -> impl Iterator<Item = u64> + '_ {
        self.transforms.iter().flat_map(|of| of.primes.iter().copied())
    }
}

/// Why a product is exact.
struct Argument<'a>(&'a Route);

impl fmt::Display for Argument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.compiled.is_some() {
            return f.write_str("the compiler proves the bounds of the ring's kernels");
        }
        let Some(of) = &self.0.transforms else { return f.write_str("every sum is reduced modulo q") };
        let Bounds { q, small, terms, .. } = of.bounds;
        if of.primes == [q] {
            return write!(f, "q is a prime, and q - 1 a multiple of what the roots of unity need");
        }
        if let Some(packed) = of.packed {
            return packed.fmt(f, &of.primes);
        }
        write!(f, "a coefficient over the integers has at most {terms} products of ")?;
        match small {
            None => f.write_str("two numbers below q")?,
            Some(bound) => write!(f, "a number below q and one of at most {bound}")?,
        }
        let signs = if of.bounds.signed() { ", of both signs" } else { "" };
        write!(f, "{signs}: {} bits; the primes hold {}", of.bounds.bits(), of.bits)
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
        if let Some(name) = &self.compiled {
            return write!(f, "compiled, {name}");
        }
        match &self.transforms {
            None => f.write_str("schoolbook")?,
            Some(of) if of.primes == [of.bounds.q] => write!(f, "ntt modulo q, length {}", of.length)?,
            Some(of) => {
                let count = of.primes.len();
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
