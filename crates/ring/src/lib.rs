//! Polynomial multiplication in the rings of lattice cryptography.
//!
//! A [`Ring`] is a type; a [`Poly`] is an element of it; a [`Multiplier`] multiplies by a [`Route`] on a CPU.
//! Everything runs in constant time, allocates nothing, and is proved by the compiler not to overflow: see
//! [`bound`].
#![no_std]
#![forbid(unsafe_code)]
#![allow(long_running_const_eval, reason = "tables, plans and their proofs are computed by the compiler")]

pub mod algorithm;
pub mod bound;
mod catalogue;
mod domain;
mod entry;
pub mod inverse;
mod memory;
mod multiplier;
mod multiply;
pub mod number;
mod poly;
#[allow(unreachable_pub, reason = "tests see all of it")]
mod reduce;
mod ring;
mod route;
pub mod sort;
mod why_not;

pub use algorithm::ordered::pairs::{InPairs, PairRows};
pub use algorithm::ordered::{ByRoot, Exponents, InPlanes, PlainOrder};
pub use domain::{Domain, DomainEntry, Native, Order, Ordered, Values};
pub use entry::{Entry, Routes};
pub use memory::{Coefficients, Room, Rows, Rows32, Space, Workspace, scratch};
pub use multiplier::{Multiplier, OtherRoute, Planner, Prepared, small_products_are_exact};
pub use multiply::{ByProduct, ByTransform, DomainRows, Multiply, Product, Transform};
pub use poly::{Poly, PolyError, Small};
#[cfg(ringsmith_internals)]
pub use reduce::{barrett, k_red, montgomery, sign};
pub use reduce::{residues, three};
pub use ring::{Ring, Shape, ShapeOf};
pub use route::{Inner, Layer, Layers, Montgomery, Parts, Placement, Route, UnknownRoute};
pub use why_not::WhyNot;
