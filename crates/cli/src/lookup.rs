//! From names to rings, routes and CPUs: strings end here.

use crate::error::Error;
use crate::near::{nearest, plain};
use ringsmith::any::Polynomial;
use ringsmith::compiled::table;
use ringsmith::{Cpu, Multiplier, Ring, Route};
use ringsmith_oracle as oracle;
use ringsmith_routes::{EveryRoute, Visitor, entries, visit_all};

/// What is done in a ring that the user named.
pub(crate) trait Action {
    /// Called with the ring as a type.
    fn run<R: EveryRoute>(&mut self) -> Result<(), Error>;
}

/// Runs the action in the ring of a name; spaces and case don't matter in it.
pub(crate) fn in_ring(name: &str, action: &mut impl Action) -> Result<(), Error> {
    let mut find = Find { wanted: plain(name), action, result: None, names: Vec::new() };
    visit_all(&mut find);
    let Find { result, mut names, .. } = find;
    names.extend(names_of_words());
    result.unwrap_or_else(|| Err(Error::UnknownRing { name: name.into(), near: nearest(name, names) }))
}

struct Find<'a, A> {
    wanted: String,
    action: &'a mut A,
    result: Option<Result<(), Error>>,
    names: Vec<String>,
}

impl<A: Action> Visitor for Find<'_, A> {
    fn visit<R: EveryRoute>(&mut self) {
        if plain(R::NAME) == self.wanted && self.result.is_none() {
            self.result = Some(self.action.run::<R>());
        }
        self.names.push(R::NAME.into());
    }
}

/// The names of the rings that have kernels, but no type: their coefficients take lanes of 32 bits.
pub(crate) fn names_of_words() -> impl Iterator<Item = String> {
    table().words.iter().filter_map(|entry| {
        let f = Polynomial::new(entry.terms()).ok()?;
        Some(format!("Z_{}[x]/({f})", entry.modulus()))
    })
}

/// The route of a name.
pub(crate) fn any_route(name: &str) -> Result<Route, Error> {
    let all = || Route::candidates().map(|route| route.to_string());
    plain(name).parse().map_err(|_| Error::UnknownRoute { name: name.into(), near: nearest(name, all()) })
}

/// The names of all rings.
pub(crate) fn ring_names() -> Vec<String> {
    struct Names(Vec<String>);
    impl Visitor for Names {
        fn visit<R: EveryRoute>(&mut self) {
            self.0.push(R::NAME.into());
        }
    }
    let mut names = Names(Vec::new());
    visit_all(&mut names);
    names.0
}

/// The names of all routes.
pub(crate) fn route_names() -> Vec<String> {
    Route::candidates().map(|route| route.to_string()).collect()
}

/// The multiplier of a route's name, if the route serves `R`.
pub(crate) fn multiplier<R: EveryRoute>(cpu: Cpu, name: &str) -> Result<Multiplier<R>, Error> {
    let route = plain(name).parse::<Route>().map_err(|_| {
        let all = routes::<R>().chain(Route::candidates().map(|route| route.to_string()));
        Error::UnknownRoute { name: name.into(), near: nearest(name, all) }
    })?;
    ringsmith_routes::multiplier(cpu, route).map_err(|why| Error::RouteRefused {
        route,
        ring: R::NAME,
        why,
        instead: routes::<R>().collect(),
    })
}

/// The names of the routes that serve `R`, the planner's choice first.
fn routes<R: EveryRoute>() -> impl Iterator<Item = String> {
    entries::<R>().map(|entry| entry.route().to_string())
}

/// What `RINGSMITH_CPU` names, or the machine's best.
pub(crate) fn cpu() -> Result<Cpu, Error> {
    Cpu::from_env().map_err(|why| {
        let asked = std::env::var_os(CPU).unwrap_or_default();
        Error::Cpu { asked: asked.to_string_lossy().into_owned(), why }
    })
}

/// The one that `RINGSMITH_CPU` names, or all that the machine has.
pub(crate) fn cpus() -> Result<Vec<Cpu>, Error> {
    match std::env::var_os(CPU) {
        Some(_) => Ok(vec![cpu()?]),
        None => Ok(Cpu::available().collect()),
    }
}

/// The environment's variable that names the CPU backend.
const CPU: &str = "RINGSMITH_CPU";

/// The product by the definition, centred.
pub(crate) fn oracle_product<R: Ring>(a: &[i16], b: &[i16]) -> Vec<i16> {
    let wide = |v: &[i16]| v.iter().map(|x| i128::from(*x)).collect::<Vec<_>>();
    let ring = oracle::Ring::named(R::NAME).unwrap_or_else(|| unreachable!("{} is a named ring", R::NAME));
    let (q, product) = (ring.q, oracle::product(ring, &wide(a), &wide(b)));
    product.into_iter().map(|x| oracle::centred(x, q) as i16).collect()
}
