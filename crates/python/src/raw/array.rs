//! Arrays as slices.

use super::ufunc::int_of;
use crate::busy::Memory;
use crate::convert::Word;
use numpy::npyffi::{
    NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE, PY_ARRAY_API, PyArray_Check,
    PyArray_CheckExact, PyArray_Descr_fields, PyArrayObject, PyArrayObject_fields, npy_intp,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// The fields of an object that is an array, of a subclass too.
fn fields<'a>(object: &'a Bound<'_, PyAny>) -> Option<&'a PyArrayObject_fields> {
    // SAFETY: the object is alive, and the thread attached.
    let is_array = unsafe { PyArray_Check(object.py(), object.as_ptr()) != 0 };
    // SAFETY: it is an array, whose fields live as long as it; nobody changes them meanwhile, as the module
    // says.
    is_array.then(|| unsafe { &(*object.as_ptr().cast::<PyArrayObject>()).fields })
}

/// The fields of an object that is an array of no subclass.
fn exact_fields<'a>(object: &'a Bound<'_, PyAny>) -> Option<&'a PyArrayObject_fields> {
    // SAFETY: the object is alive, and the thread attached.
    let is_exact = unsafe { PyArray_CheckExact(object.py(), object.as_ptr()) != 0 };
    // SAFETY: as above.
    is_exact.then(|| unsafe { &(*object.as_ptr().cast::<PyArrayObject>()).fields })
}

/// The dimensions of an array; an object that is none has none.
pub(crate) fn dimensions<'a>(object: &'a Bound<'_, PyAny>) -> &'a [npy_intp] {
    fields(object).map_or(&[][..], dimensions_of)
}

fn dimensions_of(of: &PyArrayObject_fields) -> &[npy_intp] {
    match usize::try_from(of.nd) {
        // SAFETY: an array with `nd` dimensions has so many numbers there.
        Ok(nd) if nd > 0 => unsafe { from_raw_parts(of.dimensions, nd) },
        _ => &[],
    }
}

/// Whether an object is an array of numbers of this type in the machine's order, aligned and without gaps,
/// whose last dimension is `n`; `written` where it must be writeable.
pub(crate) fn fitting<T: Word>(object: &Bound<'_, PyAny>, n: usize, written: bool) -> bool {
    exact_fields(object).is_some_and(|of| fit::<T>(of, n, written))
}

fn fit<T: Word>(of: &PyArrayObject_fields, n: usize, written: bool) -> bool {
    let needs = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | if written { NPY_ARRAY_WRITEABLE } else { 0 };
    // SAFETY: every array has a `dtype`, whose first fields are these in every version of NumPy.
    let descr = unsafe { &(*of.descr.cast::<Descr>()).fields };
    let is_native = matches!(descr.byteorder as u8, b'=' | b'|');
    of.flags & needs == needs
        && int_of(descr.type_num) == Some(T::INT)
        // Of arrays without numbers NumPy says that they are aligned wherever they are.
        && of.data.cast::<T>().is_aligned()
        && is_native
        && dimensions_of(of).last().is_some_and(|last| *last as usize == n)
}

/// The first fields of a `dtype`.
#[repr(C)]
struct Descr {
    ob_base: pyo3::ffi::PyObject,
    fields: PyArray_Descr_fields,
}

/// How many numbers an array has.
fn length(of: &PyArrayObject_fields) -> usize {
    dimensions_of(of).iter().map(|d| *d as usize).product()
}

/// The numbers of an array that [is fitting](fitting), which is asked again.
pub(crate) fn slice<'a, T: Word>(array: &'a Bound<'_, PyAny>, n: usize) -> Option<&'a [T]> {
    let of = exact_fields(array).filter(|of| fit::<T>(of, n, false))?;
    // SAFETY: it has so many numbers of this type there, aligned and without gaps, as long as it lives.
    Some(unsafe { from_raw_parts(of.data.cast(), length(of)) })
}

/// The same, to be written. The caller has asked whether it [overlaps](overlap) another.
#[allow(clippy::mut_from_ref, reason = "an array is shared, as objects of Python's are")]
pub(crate) fn slice_mut<'a, T: Word>(array: &'a Bound<'_, PyAny>, n: usize) -> Option<&'a mut [T]> {
    let of = exact_fields(array).filter(|of| fit::<T>(of, n, true))?;
    // SAFETY: as above; it is writeable, and no other slice that is in use is of this memory.
    Some(unsafe { from_raw_parts_mut(of.data.cast(), length(of)) })
}

/// The memory of an array of integers without gaps, of no subclass.
pub(crate) fn memory(object: &Bound<'_, PyAny>) -> Option<Memory> {
    let of = exact_fields(object).filter(|of| of.flags & NPY_ARRAY_C_CONTIGUOUS != 0)?;
    // SAFETY: every array has a `dtype`, whose first fields are these in every version of NumPy.
    let descr = unsafe { &(*of.descr.cast::<Descr>()).fields };
    let start = of.data.addr();
    Some(start..start + length(of) * int_of(descr.type_num)?.bytes())
}

/// Whether two arrays without gaps have memory in common.
pub(crate) fn overlap<T: Word>(a: &[T], b: &[T]) -> bool {
    let (a, b) = (a.as_ptr_range(), b.as_ptr_range());
    a.start < b.end && b.start < a.end
}

/// An array with the dimensions of another, of any numbers: memory that NumPy gives has some bytes, of which
/// each row is written before it is read.
pub(crate) fn new_like<'py, T: Word>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let of = fields(array).ok_or_else(|| PyTypeError::new_err("what is asked for is an array"))?;
    let descr = numpy::dtype::<T>(py).into_ptr().cast();
    // SAFETY: the dimensions are an array's; the reference to the `dtype` is given away.
    unsafe {
        let made = PY_ARRAY_API.PyArray_Empty(py, of.nd, of.dimensions, descr, 0);
        Bound::from_owned_ptr_or_err(py, made)
    }
}
