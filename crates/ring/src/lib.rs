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
pub mod inverse;
pub mod multiplier;
pub mod number;
pub mod reduce;
pub mod ring;
pub mod route;
pub mod sort;

pub use multiplier::{
    Entry, Multiplier, Multiply, OtherRoute, Planner, Prepared, Product, Transform, TransformEntry,
};
pub use ring::{Coefficients, Poly, PolyError, Ring, Room, Rows, Rows32, Shape, Small, Space, Workspace};
pub use route::{Inner, Placement, Route, UnknownRoute, WhyNot};
