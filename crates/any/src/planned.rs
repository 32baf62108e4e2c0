//! Rings by the method that the model chooses, or by one that is named.

use crate::compiled::{Kernels, Table};
use crate::cost::{Candidates, Costs, Division, Facts, How, Method, Transforms, Work, divisions};
use crate::divisor::Divisor;
use crate::error::{MAX_BITS, MAX_DEGREE};
use crate::exact::Exact;
use crate::memory::reserve;
use crate::ring::Engine;
use crate::zq::Zq;
use crate::{Operands, Polynomial, Ring, RingError};
use alloc::vec::Vec;
use ringsmith_simd::Cpu;

/// The terms of a monic `f` below `x^n` that are not 0 modulo `q`, once both serve.
pub(crate) fn low_terms(q: u64, f: &Polynomial) -> Result<Vec<(usize, u64)>, RingError> {
    if !(2..=1 << MAX_BITS).contains(&q) {
        return Err(RingError::Modulus { q });
    }
    let n = f.degree();
    if !(1..=MAX_DEGREE).contains(&n) {
        return Err(RingError::Degree { n });
    }
    let coefficient = |c: i128| c.rem_euclid(i128::from(q)) as u64;
    if f.terms().next().map(|(_, leading)| coefficient(leading)) != Some(1) {
        return Err(RingError::NotMonic);
    }
    let mut low = reserve(f.terms().count())?;
    low.extend(f.terms().skip(1).map(|(i, c)| (i, coefficient(c))).filter(|(_, c)| *c != 0));
    Ok(low)
}

/// Does something with what is known of a ring, once `q`, `f` and the operands serve.
pub(crate) fn with_facts<T>(
    cpu: Cpu,
    q: u64,
    f: &Polynomial,
    operands: Operands,
    then: impl FnOnce(&Facts<'_>) -> Result<T, RingError>,
) -> Result<T, RingError> {
    let low = low_terms(q, f)?;
    operands.check(q)?;
    then(&Facts::new(cpu, Zq::new(q), f.degree(), &low, operands)?)
}

impl Ring {
    /// As [`with_compiled`](Ring::with_compiled), by the model with other costs, such as those that were
    /// fitted on this machine.
    ///
    /// # Errors
    /// As [`new_on`](Ring::new_on).
    pub fn with_costs(
        cpu: Cpu,
        q: u64,
        f: &Polynomial,
        operands: Operands,
        table: Table<'_>,
        costs: &Costs,
    ) -> Result<Self, RingError> {
        with_facts(cpu, q, f, operands, |facts| Self::of_table(facts, f, table, costs))
    }

    /// The same by a method of [`Candidates`], whichever it is.
    ///
    /// # Errors
    /// As [`new_on`](Ring::new_on), and [`RingError::Method`] where the ring has no such method.
    pub fn by(
        cpu: Cpu,
        q: u64,
        f: &Polynomial,
        operands: Operands,
        method: &Method,
    ) -> Result<Self, RingError> {
        with_facts(cpu, q, f, operands, |facts| match facts.admit(method.0) {
            true => Self::by_method(facts, f, *method),
            false => Err(RingError::Method),
        })
    }

    /// The same by the fastest whole products of a table, even where a ring of the table or a method is
    /// faster; the costs predict its [cycles](Ring::predicted_cycles).
    ///
    /// # Errors
    /// As [`new_on`](Ring::new_on), and [`RingError::Method`] where no products of the table are exact.
    pub fn by_products(
        cpu: Cpu,
        q: u64,
        f: &Polynomial,
        operands: Operands,
        table: Table<'_>,
        costs: &Costs,
    ) -> Result<Self, RingError> {
        with_facts(cpu, q, f, operands, |facts| {
            let whole = Kernels::whole(table, cpu, (q, facts.n), operands);
            let (kernels, product) = whole.ok_or(RingError::Method)?;
            let (division, around) = Self::shortest_division(facts, costs)?;
            Self::of_parts(facts, f, Engine::Rows { kernels, predicted: product + around }, division)
        })
    }

    /// How a whole product is divided, and about how many cycles that and all around takes.
    fn shortest_division(facts: &Facts<'_>, costs: &Costs) -> Result<(Division, f64), RingError> {
        let known = |division| (division, costs.cycles(&Work::of_division(facts, division)));
        let all = divisions(facts, costs)?.into_iter().map(known);
        Ok(all.min_by(|(_, x), (_, y)| x.total_cmp(y)).unwrap_or_else(|| known(Division::Terms)))
    }

    /// By a ring of a table; else by its whole products or a method, whichever is faster.
    fn of_table(
        facts: &Facts<'_>,
        f: &Polynomial,
        table: Table<'_>,
        costs: &Costs,
    ) -> Result<Self, RingError> {
        let Facts { cpu, n, low, operands, .. } = *facts;
        let of = (facts.q(), n);
        if let Some(kernels) = Kernels::find(table, cpu, of, low) {
            let (division, _) = Self::shortest_division(facts, costs)?;
            return Self::of_parts(facts, f, Engine::Compiled(kernels), division);
        }
        let candidates = Candidates::of(facts, costs)?;
        let best = candidates.iter().next().ok_or(RingError::Method)?;
        if let Some((kernels, product)) = Kernels::whole(table, cpu, of, operands) {
            let (division, around) = Self::shortest_division(facts, costs)?;
            let predicted = product + around;
            if predicted < best.cycles() {
                return Self::of_parts(facts, f, Engine::Rows { kernels, predicted }, division);
            }
        }
        Self::by_method(facts, f, best.method())
    }

    /// By one that serves.
    fn by_method(facts: &Facts<'_>, f: &Polynomial, Method(how): Method) -> Result<Self, RingError> {
        let division = how.division().unwrap_or(Division::Terms);
        Self::of_parts(facts, f, Engine::by(facts, how)?, division)
    }

    pub(crate) fn of_parts(
        facts: &Facts<'_>,
        f: &Polynomial,
        engine: Engine,
        division: Division,
    ) -> Result<Self, RingError> {
        let Facts { cpu, zq, operands, .. } = *facts;
        let product = if let Engine::Whole(exact) = &engine { Some(exact) } else { None };
        let divisor = Divisor::by(facts, division, product)?;
        Ok(Ring { cpu, zq, f: f.copy()?, operands, engine, divisor })
    }
}

impl Engine {
    /// By a method that serves.
    pub(crate) fn by(facts: &Facts<'_>, how: How) -> Result<Self, RingError> {
        let exact = |by: Transforms, bounds, fold| {
            let exact = Exact::by(facts.cpu, by, bounds, fold)?;
            if !by.packed {
                return Ok(exact);
            }
            facts.packing(by.moduli).map(|packing| exact.packed(packing)).ok_or(RingError::Method)
        };
        match how {
            How::Schoolbook { .. } => Ok(Engine::Schoolbook),
            How::Wrapped { by } => exact(by, facts.shortest_bounds(), None).map(Engine::Wrapped),
            How::Folded { by } => {
                let fold = facts.fold.as_ref().ok_or(RingError::Method)?;
                let bounds = fold.bounds(facts.bounds(false)).ok_or(RingError::Method)?;
                exact(by, bounds, Some(fold)).map(Engine::Folded)
            }
            How::Whole { by, .. } => exact(by, facts.bounds(false), None).map(Engine::Whole),
        }
    }
}
