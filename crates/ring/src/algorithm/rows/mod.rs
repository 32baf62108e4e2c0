//! Transforms across rows: lanes are never touched, so there is no shuffle and no transpose.
//!
//! `y = x^L` for rows, or super-rows, of `L` coefficients: a transform in `y` adds and subtracts whole rows
//! and multiplies them by constants. It leaves residues modulo `x^L - w`, whose products (`base.rs`) are made
//! by pairwise multiply-add.
//! * [`negacyclic`]: modulo `y^r + 1` with `r` a power of two, for rings of that form.
//! * [`cyclic`]: modulo `y^r - 1` with any smooth `r` that divides `q - 1`, for rings whose product is folded
//!   afterwards.

pub(super) mod base;
pub mod cyclic;
pub mod halves;
pub mod negacyclic;

pub use cyclic::RowsCyclic;
pub use negacyclic::RowTransform;
