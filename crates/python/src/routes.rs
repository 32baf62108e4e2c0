//! How a ring's products are computed, by a name: a route that is compiled for it, or a method that costs are
//! known of.

use crate::error;
use pyo3::prelude::*;
use ringsmith::any::compiled::{Compiled, Table};
use ringsmith::any::{Candidate, Candidates, Costs, Expression, Method, Operands, Ring, RingError};
use ringsmith::compiled::{self, Of};
use ringsmith::{Cpu, Route, WhyNot};
use ringsmith_routes::{EveryRoute, Visitor, entries, visit_all};
use std::sync::{Mutex, PoisonError};

/// How products are computed.
#[derive(Clone, Copy)]
pub(crate) enum Choice {
    /// By what is compiled for the ring, else by the planner's method.
    Planned,
    /// By a route that is compiled for the ring.
    Compiled(&'static dyn Compiled),
    /// By a method.
    By(Method),
    /// By whole products in lanes of 16 bits.
    Whole,
}

impl Choice {
    /// The ring, for operands.
    pub(crate) fn ring(self, cpu: Cpu, of: &Expression, operands: Operands) -> Result<Ring, RingError> {
        let Expression { q, f } = of;
        match self {
            Choice::Planned => Ring::with_compiled(cpu, *q, f, operands, compiled::table()),
            Choice::Compiled(ring) => Ring::with_compiled(cpu, *q, f, operands, alone(&[ring])),
            Choice::By(method) => {
                Ring::by(cpu, *q, f, operands, &method).or_else(|why| planned(cpu, of, operands, why))
            }
            Choice::Whole => whole(cpu, of, operands).or_else(|why| planned(cpu, of, operands, why)),
        }
    }

    /// The choice of a name: a route of the ring's, or how a method begins.
    pub(crate) fn named(cpu: Cpu, of: &Expression, operands: Operands, name: &str) -> PyResult<Self> {
        let Expression { q, f } = of;
        // A ring that there is not has no routes.
        let candidates = Candidates::new(cpu, *q, f, operands, &Costs::of(cpu));
        let candidates = candidates.map_err(|why| error::of_expression(of, why))?;
        let mut find = Find { of, cpu, wanted: name, found: None };
        visit_all(&mut find);
        let begins = |of: &Method| !name.is_empty() && of.to_string().starts_with(name);
        let method = candidates.iter().map(Candidate::method).find(begins).map(Choice::By);
        let whole = whole(cpu, of, operands).ok().filter(|ring| begins_with(ring, name));
        match (find.found, method.or(whole.map(|_| Choice::Whole))) {
            (Some(Ok(ring)), _) => Ok(Choice::Compiled(ring)),
            (_, Some(choice)) => Ok(choice),
            (Some(Err(refused)), None) => Err(error::refused(refused)),
            (None, None) => {
                let all: Vec<_> = candidates.iter().map(|of| of.method().to_string()).collect();
                let all = all.join("; ");
                Err(error::refused(format!("no route of {of} is named '{name}'; it has: {all}")))
            }
        }
    }
}

/// Sums may take more primes than products, or be none of theirs: then the planner chooses.
fn planned(cpu: Cpu, of: &Expression, operands: Operands, why: RingError) -> Result<Ring, RingError> {
    match why {
        RingError::Method => Ring::new_on(cpu, of.q, &of.f, operands),
        why => Err(why),
    }
}

/// Whether the text of a ring's route begins so.
fn begins_with(ring: &Ring, name: &str) -> bool {
    !name.is_empty() && ring.route().to_string().starts_with(name)
}

/// The ring by the fastest whole products in lanes of 16 bits.
pub(crate) fn whole(cpu: Cpu, of: &Expression, operands: Operands) -> Result<Ring, RingError> {
    Ring::by_products(cpu, of.q, &of.f, operands, compiled::table(), &Costs::of(cpu))
}

/// The table of these rings, and nothing else.
fn alone<'a>(rings: &'a [&'static dyn Compiled]) -> Table<'a> {
    Table { rings, ..Table::default() }
}

/// Looks for a ring, and for a route in it.
struct Find<'a> {
    of: &'a Expression,
    cpu: Cpu,
    wanted: &'a str,
    found: Option<Result<&'static dyn Compiled, String>>,
}

/// Whether a named ring is that of an expression.
fn is<R: EveryRoute>(of: &Expression, cpu: Cpu) -> bool {
    of.q == R::Q as u64
        && of.f.degree() == R::N
        && Ring::with_compiled(cpu, of.q, &of.f, Operands::any(), alone(&[&Of::<R>::ENTRY]))
            .is_ok_and(|ring| ring.route().compiled_name().is_some())
}

impl Visitor for Find<'_> {
    fn visit<R: EveryRoute>(&mut self) {
        if self.found.is_none() && is::<R>(self.of, self.cpu) {
            self.found = Some(route::<R>(self.wanted));
        }
    }
}

/// The route of a name, or why there is none.
fn route<R: EveryRoute>(name: &str) -> Result<&'static dyn Compiled, String> {
    let all = || entries::<R>().map(|entry| entry.route().to_string()).collect::<Vec<_>>().join(", ");
    let plain: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    let route: Route = plain.parse().map_err(|_| format!("no route is named '{name}'; it has: {}", all()))?;
    let found: Result<_, WhyNot> = route.find(entries::<R>());
    let entry =
        found.map_err(|why| format!("route {route} does not serve {}: {why}; it has: {}", R::NAME, all()))?;
    Ok(kept(R::NAME, route, || Box::new(Of::<R>::by(entry))))
}

/// What multiplies by a route: made when it is first asked for, and kept as long as the process.
fn kept(ring: &'static str, route: Route, make: impl FnOnce() -> Box<dyn Compiled>) -> &'static dyn Compiled {
    type Known = (&'static str, String, &'static dyn Compiled);
    static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
    let (mut known, name) = (KNOWN.lock().unwrap_or_else(PoisonError::into_inner), route.to_string());
    if let Some((.., kept)) = known.iter().find(|(of, by, _)| (*of, by) == (ring, &name)) {
        return *kept;
    }
    let made: &'static dyn Compiled = Box::leak(make());
    known.push((ring, name, made));
    made
}

/// The routes that are compiled for the ring of an expression, the planner's choice first.
pub(crate) fn compiled_routes(of: &Expression, cpu: Cpu) -> Vec<String> {
    let mut list = List { of, cpu, names: Vec::new() };
    visit_all(&mut list);
    list.names
}

/// Lists routes.
struct List<'a> {
    of: &'a Expression,
    cpu: Cpu,
    names: Vec<String>,
}

impl Visitor for List<'_> {
    fn visit<R: EveryRoute>(&mut self) {
        if self.names.is_empty() && is::<R>(self.of, self.cpu) {
            self.names = entries::<R>().map(|entry| entry.route().to_string()).collect();
        }
    }
}
