//! The methods that can multiply in a ring, and the reasons why others cannot.

use crate::cost::facts::Facts;
use crate::cost::{Costs, Division, How, Method, Moduli, Transforms, WhyNot, Work};
use crate::divisor::SPARSE;
use crate::exact::Bounds;
use crate::forest::{Length, SHORTEST};
use crate::memory::reserve;
use crate::planned::with_facts;
use crate::ring::SCHOOLBOOK;
use crate::{Operands, Polynomial, RingError};
use alloc::vec::Vec;
use core::fmt;
use ringsmith_simd::Cpu;
use ringsmith_word::Shape;

/// A method that can multiply in a ring.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    method: Method,
    work: Work,
    cycles: f64,
}

/// A method, or a part of one, that cannot be used for a ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused {
    what: What,
    why: WhyNot,
}

/// What is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Wrapped,
    Folded,
    Whole,
    Packed,
    By(Moduli),
    Length(usize),
}

/// The methods that can multiply in a ring, the fastest first by the model, and the reasons why others
/// cannot.
///
/// ```
/// use ringsmith_any::{Candidates, Costs, Operands, Ring};
/// use ringsmith_simd::Cpu;
///
/// let (cpu, f) = (Cpu::detect(), "x^761-x-1".parse()?);
/// let candidates = Candidates::new(cpu, 4591, &f, Operands::any(), &Costs::of(cpu))?;
/// for candidate in candidates.iter() {
///     println!("{:>12.0} cycles  {}", candidate.cycles(), candidate.method());
/// }
/// for refused in candidates.refused() {
///     println!("not {refused}: {}", refused.why());
/// }
/// // The slowest one.
/// let method = candidates.iter().last().map(|candidate| candidate.method()).unwrap();
/// let ring = Ring::by(cpu, 4591, &f, Operands::any(), &method)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Candidates {
    list: Vec<Candidate>,
    refused: Vec<Refused>,
}

/// Lists the methods of a kind. Each kind of methods has one.
type Family = fn(&Facts<'_>, &Costs, &mut Candidates) -> Result<(), RingError>;
const FAMILIES: [Family; 5] = [schoolbook, wrapped, folded, whole, packed];

impl Candidates {
    /// Those of `Z_q[x]/(f)` on a backend.
    ///
    /// # Errors
    /// As those of [`Ring::new_on`](crate::Ring::new_on).
    pub fn new(
        cpu: Cpu,
        q: u64,
        f: &Polynomial,
        operands: Operands,
        costs: &Costs,
    ) -> Result<Self, RingError> {
        with_facts(cpu, q, f, operands, |facts| Self::of(facts, costs))
    }

    /// Those of a ring that there is.
    pub(crate) fn of(facts: &Facts<'_>, costs: &Costs) -> Result<Self, RingError> {
        let mut candidates = Candidates { list: Vec::new(), refused: Vec::new() };
        FAMILIES.into_iter().try_for_each(|family| family(facts, costs, &mut candidates))?;
        // A stable sort would allocate.
        candidates.list.sort_unstable_by(|x, y| x.cycles.total_cmp(&y.cycles));
        Ok(candidates)
    }

    /// All, the fastest first.
    pub fn iter(&self) -> impl Iterator<Item = &Candidate> + '_ {
        self.list.iter()
    }

    /// What does not serve.
    pub fn refused(&self) -> impl Iterator<Item = &Refused> + '_ {
        self.refused.iter()
    }

    /// The one of a method.
    pub fn find(&self, method: &Method) -> Option<&Candidate> {
        self.list.iter().find(|candidate| candidate.method == *method)
    }

    fn push(&mut self, facts: &Facts<'_>, costs: &Costs, how: How) -> Result<(), RingError> {
        let work = Work::of(facts, how);
        self.list.try_reserve(1).map_err(|_| RingError::Memory)?;
        self.list.push(Candidate { method: Method(how), cycles: costs.cycles(&work), work });
        Ok(())
    }

    /// The same thing is refused once.
    fn refuse(&mut self, what: What, why: WhyNot) -> Result<(), RingError> {
        if !self.refused.iter().any(|known| known.what == what) {
            self.refused.try_reserve(1).map_err(|_| RingError::Memory)?;
            self.refused.push(Refused { what, why });
        }
        Ok(())
    }
}

impl Candidate {
    /// How products are computed.
    pub fn method(&self) -> Method {
        self.method
    }

    /// How much work of each kind a product is.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// How many cycles of the core a product takes, as the model says.
    pub fn cycles(&self) -> f64 {
        self.cycles
    }
}

impl Refused {
    /// The reason.
    pub fn why(&self) -> WhyNot {
        self.why
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            What::Wrapped => f.write_str("wrapped transforms"),
            What::Folded => f.write_str("residues modulo f"),
            What::Whole => f.write_str("transforms of whole products"),
            What::Packed => f.write_str("two coefficients a number"),
            What::By(moduli) => moduli.fmt(f),
            What::Length(length) => write!(f, "length {length}"),
        }
    }
}

/// By the definition.
fn schoolbook(facts: &Facts<'_>, costs: &Costs, to: &mut Candidates) -> Result<(), RingError> {
    divisions(facts, costs)?
        .into_iter()
        .try_for_each(|division| to.push(facts, costs, How::Schoolbook { division }))
}

/// By transforms that wrap as `f` does.
fn wrapped(facts: &Facts<'_>, costs: &Costs, to: &mut Candidates) -> Result<(), RingError> {
    let shape = match facts.wraps() {
        _ if facts.n <= SCHOOLBOOK => return to.refuse(What::Wrapped, SMALL),
        Some(shape) => shape,
        None => return to.refuse(What::Wrapped, WhyNot::Form),
    };
    let (length, bounds) = (Length::wrapping(shape, facts.n), facts.bounds(shape == Shape::Negacyclic));
    for moduli in Moduli::ALL {
        match facts.serves(moduli, length, bounds) {
            Ok(by) => to.push(facts, costs, How::Wrapped { by })?,
            Err(why) => to.refuse(What::By(moduli), why)?,
        }
    }
    Ok(())
}

/// The least degree of transforms.
const SMALL: WhyNot = WhyNot::Small { least: SCHOOLBOOK + 1 };

/// By transforms of whole products, whose residues are taken modulo `f`.
fn folded(facts: &Facts<'_>, costs: &Costs, to: &mut Candidates) -> Result<(), RingError> {
    let has = facts.low.len();
    let fold = match &facts.fold {
        _ if facts.n <= SCHOOLBOOK => return to.refuse(What::Folded, SMALL),
        _ if facts.wraps().is_some() => return to.refuse(What::Folded, WhyNot::Wraps),
        Some(fold) => fold,
        None => return to.refuse(What::Folded, WhyNot::Terms { has, most: SPARSE }),
    };
    let Some(bounds) = fold.bounds(facts.bounds(false)) else {
        return to.refuse(What::Folded, WhyNot::Growth);
    };
    for length in whole_lengths(facts) {
        for moduli in &Moduli::ALL[1..] {
            if let Ok(by) = facts.serves(*moduli, length, bounds) {
                to.push(facts, costs, How::Folded { by })?;
            }
        }
    }
    Ok(())
}

/// By transforms of whole products, which are divided.
fn whole(facts: &Facts<'_>, costs: &Costs, to: &mut Candidates) -> Result<(), RingError> {
    if facts.n <= SCHOOLBOOK {
        return to.refuse(What::Whole, SMALL);
    }
    if facts.wraps().is_some() {
        return to.refuse(What::Whole, WhyNot::Wraps);
    }
    let (divisions, bounds, needs) = (divisions(facts, costs)?, facts.bounds(false), 2 * facts.n - 1);
    for length in Length::around(needs).filter(|length| length.degree() < needs) {
        to.refuse(What::Length(length.degree()), WhyNot::Short { needs })?;
    }
    for length in whole_lengths(facts) {
        for moduli in Moduli::ALL {
            match facts.serves(moduli, length, bounds) {
                Ok(by) => divisions
                    .iter()
                    .try_for_each(|division| to.push(facts, costs, How::Whole { by, division: *division }))?,
                Err(why) => to.refuse(What::By(moduli), why)?,
            }
        }
    }
    Ok(())
}

/// By transforms of half the length, of operands of which two coefficients are one number.
fn packed(facts: &Facts<'_>, costs: &Costs, to: &mut Candidates) -> Result<(), RingError> {
    let fits = |moduli: &Moduli| facts.packing(*moduli).is_some();
    match facts.packed_lengths().next() {
        _ if facts.n <= SCHOOLBOOK => return to.refuse(What::Packed, SMALL),
        _ if !Moduli::ALL.iter().any(fits) => return to.refuse(What::Packed, WhyNot::Digits),
        None => return to.refuse(What::Packed, WhyNot::Small { least: 2 * SHORTEST }),
        Some(_) => {}
    }
    let divisions = divisions(facts, costs)?;
    for length in facts.packed_lengths() {
        for moduli in Moduli::ALL.into_iter().filter(fits) {
            let by = Transforms { moduli, length, packed: true };
            match facts.wraps() {
                Some(_) => to.push(facts, costs, How::Wrapped { by })?,
                None => divisions
                    .iter()
                    .try_for_each(|division| to.push(facts, costs, How::Whole { by, division: *division }))?,
            }
        }
    }
    Ok(())
}

/// The lengths that hold a whole product.
fn whole_lengths(facts: &Facts<'_>) -> impl Iterator<Item = Length> + use<> {
    let needs = 2 * facts.n - 1;
    Length::around(needs).filter(move |length| length.degree() >= needs)
}

/// How products are divided by `f`: term by term, and by products where these may be faster. An `f` of few
/// terms is divided by products only where the model takes that for faster: it can't win elsewhere.
pub(crate) fn divisions(facts: &Facts<'_>, costs: &Costs) -> Result<Vec<Division>, RingError> {
    let mut divisions = reserve(2)?;
    divisions.push(Division::Terms);
    let cycles = |division| costs.cycles(&Work::of_division(facts, division));
    let may_win = |by: &Division| facts.low.len() > SPARSE || cycles(*by) < cycles(Division::Terms);
    divisions.extend(by_products(facts, costs).filter(may_win));
    Ok(divisions)
}

/// The division by the fastest products.
fn by_products(facts: &Facts<'_>, costs: &Costs) -> Option<Division> {
    if facts.n <= SCHOOLBOOK {
        return None;
    }
    let bounds = facts.division_bounds();
    let quotients = fastest(facts, costs, whole_lengths(facts), bounds)?;
    let remainders = fastest(facts, costs, [Length::power_of_two(facts.n)].into_iter(), bounds)?;
    Some(Division::Products { quotients, remainders })
}

/// The fastest transforms of a division.
fn fastest(
    facts: &Facts<'_>,
    costs: &Costs,
    lengths: impl Iterator<Item = Length>,
    bounds: Bounds,
) -> Option<Transforms> {
    let serves =
        |length| Moduli::ALL.into_iter().filter_map(move |moduli| facts.serves(moduli, length, bounds).ok());
    let cycles = |by: &Transforms| costs.cycles(&Work::of(facts, How::Wrapped { by: *by }));
    lengths.flat_map(serves).min_by(|x, y| cycles(x).total_cmp(&cycles(y)))
}
