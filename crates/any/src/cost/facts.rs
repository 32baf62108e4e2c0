//! What is known of a ring before there is one.

use crate::cost::method::{Division, How, Moduli, Transforms};
use crate::divisor::SPARSE;
use crate::exact::Bounds;
use crate::fold::Fold;
use crate::forest::{Length, SHORTEST};
use crate::packed::Packing;
use crate::ring::SCHOOLBOOK;
use crate::zq::Zq;
use crate::{Operands, RingError, WhyNot};
use ringsmith_simd::Cpu;
use ringsmith_word::{Shape, is_prime};

/// A ring, its operands and its backend.
pub(crate) struct Facts<'a> {
    pub(crate) cpu: Cpu,
    pub(crate) zq: Zq,
    pub(crate) n: usize,
    /// The terms of `f` but for the leading one, none of which is 0.
    pub(crate) low: &'a [(usize, u64)],
    pub(crate) operands: Operands,
    /// The remainder over the integers, of a sparse `f`.
    pub(crate) fold: Option<Fold>,
    prime: bool,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(
        cpu: Cpu,
        zq: Zq,
        n: usize,
        low: &'a [(usize, u64)],
        operands: Operands,
    ) -> Result<Self, RingError> {
        let folds = low.len() <= SPARSE && n > SCHOOLBOOK;
        let fold = if folds { Some(Fold::new(zq.modulus(), n, low)?) } else { None };
        Ok(Facts { cpu, zq, n, low, operands, fold, prime: is_prime(zq.modulus()) })
    }

    /// The modulus.
    pub(crate) fn q(&self) -> u64 {
        self.zq.modulus()
    }

    /// How many powers are folded at once.
    pub(crate) fn gap(&self) -> usize {
        self.n - self.low.iter().map(|(exponent, _)| *exponent).max().unwrap_or(0)
    }

    /// How many terms of `f` are 1 or -1, and how many others there are.
    pub(crate) fn terms(&self) -> (f64, f64) {
        let units = self.low.iter().filter(|(_, x)| *x == 1 || *x == self.q() - 1).count();
        (units as f64, (self.low.len() - units) as f64)
    }

    /// The shape of transforms that wrap as `f` does.
    pub(crate) fn wraps(&self) -> Option<Shape> {
        let shape = match self.low {
            [(0, 1)] if self.q() > 2 => Shape::Negacyclic,
            [(0, minus)] if *minus == self.q() - 1 => Shape::Cyclic,
            _ => return None,
        };
        (self.n.is_power_of_two() && self.n >= SHORTEST).then_some(shape)
    }

    /// The bounds of products, by transforms that wrap as `f` does where there are such.
    pub(crate) fn shortest_bounds(&self) -> Bounds {
        self.bounds(self.wraps() == Some(Shape::Negacyclic))
    }

    /// How two coefficients are one number, where one prime holds the digits.
    pub(crate) fn packing(&self, moduli: Moduli) -> Option<Packing> {
        let pack = |p: &u64| Packing::new(self.cpu, self.wraps(), self.n, self.shortest_bounds(), *p);
        match moduli {
            Moduli::Narrow | Moduli::Primes(1) => moduli.primes(&self.q()).first().and_then(pack),
            _ => None,
        }
    }

    /// The lengths that hold products of packed operands.
    pub(crate) fn packed_lengths(&self) -> impl Iterator<Item = Length> + use<> {
        let (n, wraps) = (self.n, self.wraps());
        let wrapping = wraps.map(|shape| Length::wrapping(shape, n / 2));
        let whole = Length::around(n).filter(move |length| wraps.is_none() && length.degree() >= n);
        wrapping.into_iter().chain(whole).filter(|length| length.is_fast())
    }

    /// Whether packed operands have such transforms.
    fn packs(&self, by: Transforms) -> bool {
        self.packing(by.moduli).is_some() && self.packed_lengths().any(|length| length == by.length)
    }

    /// The bounds of products, whose signs differ where they wrap with a minus.
    pub(crate) fn bounds(&self, minus: bool) -> Bounds {
        let terms = self.n as u64 * self.operands.count();
        Bounds { q: self.q(), small: self.operands.bound(), terms, minus, centred: false }
    }

    /// Those of products in a division.
    pub(crate) fn division_bounds(&self) -> Bounds {
        Bounds { q: self.q(), small: None, terms: self.n as u64 + 1, minus: false, centred: false }
    }

    /// Whether products of these bounds and this length are had modulo that.
    pub(crate) fn serves(
        &self,
        moduli: Moduli,
        length: Length,
        bounds: Bounds,
    ) -> Result<Transforms, WhyNot> {
        match moduli {
            Moduli::Q => self.has_roots(length)?,
            Moduli::Narrow => held(moduli, bounds)?,
            Moduli::Primes(1) => held(moduli, bounds)?,
            Moduli::Primes(count) => match held(Moduli::Primes(count - 1), bounds) {
                Ok(()) => return Err(WhyNot::Fewer),
                Err(_) => held(moduli, bounds)?,
            },
        }
        Ok(Transforms { moduli, length, packed: false })
    }

    /// Whether a method is one of this ring.
    pub(crate) fn admit(&self, how: How) -> bool {
        let transforms = match how {
            How::Schoolbook { .. } => true,
            How::Wrapped { by } if by.packed => self.wraps().is_some() && self.packs(by),
            How::Whole { by, .. } if by.packed => self.wraps().is_none() && self.packs(by),
            How::Wrapped { by } => self.wraps().is_some_and(|shape| {
                let minus = shape == Shape::Negacyclic;
                by.length == Length::wrapping(shape, self.n) && self.take(by, self.bounds(minus))
            }),
            How::Folded { by } => {
                let bounds = self.fold.as_ref().and_then(|fold| fold.bounds(self.bounds(false)));
                self.hold(by) && bounds.is_some_and(|bounds| self.take(by, bounds))
            }
            How::Whole { by, .. } => self.hold(by) && self.take(by, self.bounds(false)),
        };
        let division = match how.division() {
            Some(Division::Products { quotients, remainders }) => {
                let bounds = self.division_bounds();
                let whole = remainders.length == Length::power_of_two(self.n);
                self.hold(quotients) && whole && self.take(quotients, bounds) && self.take(remainders, bounds)
            }
            _ => true,
        };
        transforms && division
    }

    /// Whether transforms hold a whole product.
    fn hold(&self, by: Transforms) -> bool {
        Length::around(2 * self.n - 1).any(|length| length == by.length && length.degree() >= 2 * self.n - 1)
    }

    /// Whether they are exact.
    fn take(&self, by: Transforms, bounds: Bounds) -> bool {
        !matches!(self.serves(by.moduli, by.length, bounds), Err(why) if why != WhyNot::Fewer)
    }

    /// Whether `q` is a prime with the roots of unity of a length.
    fn has_roots(&self, length: Length) -> Result<(), WhyNot> {
        let (order, q) = (length.order(), self.q());
        let multiple = (q - 1) & (order as u64 - 1) == 0;
        if self.prime && q > 2 && multiple { Ok(()) } else { Err(WhyNot::Roots { order }) }
    }
}

/// Whether primes hold products.
fn held(moduli: Moduli, bounds: Bounds) -> Result<(), WhyNot> {
    let primes = moduli.primes(&bounds.q);
    let (needs, holds) = (bounds.centred().bits(), crate::exact::bits(primes) - 1);
    bounds.within(primes).map(|_| ()).ok_or(WhyNot::Bits { needs, holds })
}
