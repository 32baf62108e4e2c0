//! What the planner knows of a ring's methods, as data.

use crate::engine::Core;
use crate::{error, routes};
use pyo3::prelude::*;
use ringsmith::Cpu;
use ringsmith::any::{Candidates, Costs, WhyNot};

/// The methods of a ring, as `ringsmith.Plan` has them.
#[pyclass(module = "ringsmith._ringsmith", frozen, get_all)]
pub(crate) struct Plan {
    /// How products are computed.
    route: String,
    /// Why that is exact.
    argument: String,
    /// The primes that products are computed modulo.
    primes: Vec<u64>,
    /// The name of the compiled route that computes products, if one does.
    compiled: Option<String>,
    /// The routes that are compiled for the ring, the planner's choice first.
    routes: Vec<String>,
    /// The ring's methods and the cycles of the core that each is predicted to take, the fastest first.
    methods: Vec<(String, f64)>,
    /// What does not serve, and why.
    refused: Vec<(String, String)>,
}

/// The plan of a ring.
pub(crate) fn of(core: &Core, cpu: Cpu) -> PyResult<Plan> {
    let (ring, of) = (core.ring(), core.expression());
    let candidates = Candidates::new(cpu, of.q, &of.f, ring.operands(), &Costs::of(cpu));
    let candidates = candidates.map_err(error::of_ring)?;
    let route = ring.route();
    let mut methods: Vec<_> = candidates.iter().map(|of| (of.method().to_string(), of.cycles())).collect();
    let whole = routes::whole(cpu, of, ring.operands()).ok();
    methods.extend(whole.and_then(|by| Some((by.route().to_string(), by.predicted_cycles()?))));
    methods.sort_by(|(_, x), (_, y)| x.total_cmp(y));
    let refused = candidates.refused().filter(|refused| refused.why() != WhyNot::Fewer);
    Ok(Plan {
        route: route.to_string(),
        argument: route.argument().to_string(),
        primes: route.primes().collect(),
        compiled: route.compiled_name().map(str::to_string),
        routes: routes::compiled_routes(of, cpu),
        methods,
        refused: refused.map(|of| (of.to_string(), of.why().to_string())).collect(),
    })
}
