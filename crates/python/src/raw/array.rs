//! Arrays as slices.

use super::ufunc::int_of;
use crate::convert::Word;
use numpy::npyffi::{
    NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE, PY_ARRAY_API, PyArray_CheckExact,
    PyArray_Descr_fields, PyArrayObject, PyArrayObject_fields, npy_intp,
};
use pyo3::prelude::*;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// The fields of an array.
fn fields<'a>(array: &'a Bound<'_, PyAny>) -> &'a PyArrayObject_fields {
    // SAFETY: callers know that this is an array, whose fields live as long as it; nobody changes them while
    // the thread is attached.
    unsafe { &(*array.as_ptr().cast::<PyArrayObject>()).fields }
}

/// Whether an object is an array, of no subclass.
fn is_array(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the object is alive, and the thread attached.
    unsafe { PyArray_CheckExact(object.py(), object.as_ptr()) != 0 }
}

/// The dimensions of an array.
pub(crate) fn dimensions<'a>(array: &'a Bound<'_, PyAny>) -> &'a [npy_intp] {
    let of = fields(array);
    match usize::try_from(of.nd) {
        // SAFETY: an array with `nd` dimensions has so many numbers there.
        Ok(nd) if nd > 0 => unsafe { from_raw_parts(of.dimensions, nd) },
        _ => &[],
    }
}

/// Whether an object is an array of numbers of this type in the machine's order, aligned and without gaps,
/// whose last dimension is `n`; `written` where it must be writeable.
pub(crate) fn fitting<T: Word>(object: &Bound<'_, PyAny>, n: usize, written: bool) -> bool {
    if !is_array(object) {
        return false;
    }
    let needs = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | if written { NPY_ARRAY_WRITEABLE } else { 0 };
    let of = fields(object);
    // SAFETY: every array has a `dtype`, whose first fields are these in every version of NumPy.
    let descr = unsafe { &(*of.descr.cast::<Descr>()).fields };
    let is_native = matches!(descr.byteorder as u8, b'=' | b'|');
    of.flags & needs == needs
        && int_of(descr.type_num) == Some(T::INT)
        // Of arrays without numbers NumPy says that they are aligned wherever they are.
        && of.data.cast::<T>().is_aligned()
        && is_native
        && dimensions(object).last().is_some_and(|last| *last as usize == n)
}

/// The first fields of a `dtype`.
#[repr(C)]
struct Descr {
    ob_base: pyo3::ffi::PyObject,
    fields: PyArray_Descr_fields,
}

/// How many numbers an array has.
fn length(array: &Bound<'_, PyAny>) -> usize {
    dimensions(array).iter().map(|d| *d as usize).product()
}

/// The numbers of an array that [is fitting](fitting), which is asked again.
pub(crate) fn slice<'a, T: Word>(array: &'a Bound<'_, PyAny>, n: usize) -> Option<&'a [T]> {
    // SAFETY: it has so many numbers of this type there, aligned and without gaps, as long as it lives.
    fitting::<T>(array, n, false).then(|| unsafe { from_raw_parts(fields(array).data.cast(), length(array)) })
}

/// The same, to be written. The caller has asked whether it [overlaps](overlap) another.
#[allow(clippy::mut_from_ref, reason = "an array is shared, as objects of Python's are")]
pub(crate) fn slice_mut<'a, T: Word>(array: &'a Bound<'_, PyAny>, n: usize) -> Option<&'a mut [T]> {
    let data = || fields(array).data.cast();
    // SAFETY: as above; it is writeable, and no other slice that is in use is of this memory.
    fitting::<T>(array, n, true).then(|| unsafe { from_raw_parts_mut(data(), length(array)) })
}

/// Whether two arrays without gaps have memory in common.
pub(crate) fn overlap<T: Word>(a: &[T], b: &[T]) -> bool {
    let (a, b) = (a.as_ptr_range(), b.as_ptr_range());
    a.start < b.end && b.start < a.end
}

/// An array with the dimensions of another, of any numbers: memory that NumPy gives has some bytes, of which
/// each row is written before it is read.
pub(crate) fn new_like<'py, T: Word>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (py, of) = (array.py(), fields(array));
    let descr = numpy::dtype::<T>(py).into_ptr().cast();
    // SAFETY: the dimensions are an array's; the reference to the `dtype` is given away.
    unsafe {
        let made = PY_ARRAY_API.PyArray_Empty(py, of.nd, of.dimensions, descr, 0);
        Bound::from_owned_ptr_or_err(py, made)
    }
}
