//! NumPy's arrays and universal functions through its C interface, for which the crate `numpy` has no safe
//! form: the only module with unsafe code.
//!
//! # What makes it sound
//! * An array's fields are read while a reference to it is held and the thread is attached to Python.
//! * Slices are of arrays that NumPy says are aligned, contiguous and of the slice's type, or of memory that
//!   a loop was given. As in every loop of NumPy's, no other thread may write to operands meanwhile: whoever
//!   shares an array between threads sees to it.
//! * A universal function owns what its loops read (`PyUFuncObject.obj`).
#![allow(unsafe_code, reason = "the C interface of NumPy")]

mod array;
mod loops;
mod ufunc;

pub(crate) use array::{dimensions, fitting, new_like, overlap, slice, slice_mut};
pub(crate) use loops::{Int, Job, refused, with_threads};
pub(crate) use ufunc::ufunc;
