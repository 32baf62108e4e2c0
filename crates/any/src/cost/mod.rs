//! A model of the time that each method takes for a product, and the choice of the fastest.
//!
//! # The model
//! A method does so much work of each [`Kind`]: transforms of a length `S`, sums of digits, terms that are
//! folded. Its time is the sum of all work, each kind times what a unit of it costs:
//!
//! ```text
//! t = sum over engines of T (c_1 S lg S + c_2 S) + c_3 (digits times constants) + c_4 (their sums) + ..
//! ```
//!
//! where `T` is a third of the number of transforms: a product of two elements takes three. The work of a
//! method follows from `q`, `f`, the bounds of the operands and the backend, and no clock is read. What units
//! cost is [`Costs`]: numbers of a machine in cycles of its core, fitted to measured products. They are
//! shipped for each backend; `ringsmith plan --measure` fits them on a machine.
//!
//! # Choice
//! [`Candidates`] lists the methods that a ring has, and why it has no others; [`Ring`](crate::Ring) takes
//! the one that the model says takes the least time. Whichever it is, products are the same.
//!
//! # Source
//! Least squares with costs that are not negative: C. L. Lawson and R. J. Hanson, *Solving least squares
//! problems*, 1974; by coordinates in turn, as few are needed.

mod candidates;
mod costs;
mod facts;
mod fit;
mod method;
mod why_not;
mod work;

pub(crate) use candidates::divisions;
pub use candidates::{Candidate, Candidates, Refused};
pub use costs::Costs;
pub(crate) use facts::Facts;
pub use method::Method;
pub(crate) use method::{Division, How, Moduli, Transforms};
pub use why_not::WhyNot;
pub use work::{Kind, Work};
