//! Every route to a product in Ringsmith's rings, and the list of the rings.
//!
//! A ring lists the routes that its planner chooses from ([`Routes::PLANNED`]). The others, the papers' most
//! of all, are here: for experiments, comparisons and tables. Who multiplies needs none of them.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{entries, multiplier, rings::NewHope1024};
//! use ringsmith_simd::Cpu;
//!
//! let a = Poly::<NewHope1024>::new(&[1i16; 1024]).unwrap();
//! let expected = multiplier(Cpu::detect(), Route::Schoolbook)?;
//! let expected = expected.multiply(&a, &a, &mut expected.scratch());
//! for entry in entries::<NewHope1024>() {
//!     let by = multiplier(Cpu::detect(), entry.route())?;
//!     assert_eq!(by.multiply(&a, &a, &mut by.scratch()).centred(), expected.centred(), "{}", entry.route());
//! }
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```
//!
//! # What there is
//! | module | rings |
//! |---|---|
//! | [`ml_kem`] | ML-KEM's |
//! | [`new_hope`] | NewHope's and NewHope-Compact's; their domains, and the key exchanges, by each route |
//! | [`ntru_prime`] | the fields of NTRU Prime, and of NTRUEncrypt's scheme over one |
//! | [`ntru`] | those of NTRU, modulo `x^n - 1` and a power of two |
//!
//! Constant time and free of overflow as all of the library: the compiler proves each entry here.
#![no_std]
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "tables, plans and their proofs are computed by the compiler")]

pub mod ml_kem;
pub mod new_hope;
pub mod ntru;
pub mod ntru_prime;

use ringsmith_ring::{Entry, Multiplier, Route, Routes, WhyNot};
use ringsmith_simd::Cpu;

/// The named rings.
pub mod rings {
    pub use ringsmith_cyclic::rings::*;
    pub use ringsmith_ml_kem::rings::MlKem;
    pub use ringsmith_new_hope::rings::{
        Compact512, Compact768, Compact1024, NewHope256, NewHope512, NewHope1024,
    };
    pub use ringsmith_ntru_prime::rings::{
        NtruPrime653, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
    };
    pub use ringsmith_ntruencrypt::rings::NtruPrime739;
}

/// A ring, of which every route is compiled.
pub trait EveryRoute: Routes {
    /// The routes that are not in [`Routes::PLANNED`].
    const OTHERS: &'static [Entry<Self>];
}

/// Every route that is compiled for `R`, the planner's choice first.
pub fn entries<R: EveryRoute>() -> impl Iterator<Item = &'static Entry<R>> + Clone {
    R::PLANNED.iter().chain(R::OTHERS)
}

/// Multiplies in `R` on `cpu` by a route.
///
/// # Errors
/// Where the route does not serve the ring, or is not compiled for it.
pub fn multiplier<R: EveryRoute>(cpu: Cpu, route: Route) -> Result<Multiplier<R>, WhyNot> {
    Ok(Multiplier::by_on(cpu, route.find(entries::<R>())?))
}

/// What is done with a ring whose type is only known by name.
pub trait Visitor {
    /// Called with each ring as a type.
    fn visit<R: EveryRoute>(&mut self);
}

/// Calls the visitor with every named ring, in the order of the tables. To add one, see `docs/add-a-ring.md`.
pub fn visit_all(visitor: &mut impl Visitor) {
    visitor.visit::<rings::NewHope1024>();
    visitor.visit::<rings::NewHope512>();
    visitor.visit::<rings::NewHope256>();
    visitor.visit::<rings::MlKem>();
    visitor.visit::<rings::Compact512>();
    visitor.visit::<rings::Compact1024>();
    visitor.visit::<rings::Compact768>();
    visitor.visit::<rings::NtruPrime653>();
    visitor.visit::<rings::NtruPrime739>();
    visitor.visit::<rings::NtruPrime761>();
    visitor.visit::<rings::NtruPrime857>();
    visitor.visit::<rings::NtruPrime953>();
    visitor.visit::<rings::NtruPrime1013>();
    visitor.visit::<rings::NtruPrime1277>();
    ntru::visit_all(visitor);
}
