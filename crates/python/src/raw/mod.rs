//! NumPy's arrays and universal functions through its C interface, for which the crate `numpy` has no safe
//! form: the only module with unsafe code.
//!
//! # What makes it sound
//! * An array's fields are read while a reference to it is held and the thread is attached to Python. As
//!   NumPy asks of all threads, none reshapes or resizes an array in place while another one calls us with
//!   it.
//! * Slices are of arrays that NumPy says are aligned, contiguous and of the slice's type, or of memory that
//!   a loop was given. No other thread may write to operands meanwhile. Our own calls see to it of each other
//!   ([`crate::busy`]); as in every loop of NumPy's, whoever shares an array with other functions does.
//! * A universal function owns what its loops read (`PyUFuncObject.obj`).
#![allow(unsafe_code, reason = "the C interface of NumPy")]

mod array;
mod loops;
mod ufunc;

pub(crate) use array::{dimensions, fitting, memory, new_like, overlap, slice, slice_mut};
pub(crate) use loops::{Int, Job, refused, with_threads};
pub(crate) use ufunc::ufunc;
