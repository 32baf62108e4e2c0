//! Universal functions of a ring.

use super::loops::{Entry, Int, Job, Loop, of_numpy};
use crate::convert::Word;
use crate::engine::{Core, Width};
use numpy::PyArrayDescrMethods;
use numpy::npyffi::{NPY_TYPES, PY_UFUNC_API, PyUFuncGenericFunction, PyUFuncObject};
use pyo3::prelude::*;
use std::ffi::{CString, c_char, c_int, c_long, c_void};
use std::sync::Arc;

/// What a function's loops read, which it owns.
#[pyclass(frozen)]
struct Owned {
    functions: Vec<PyUFuncGenericFunction>,
    entries: Vec<Entry>,
    data: Vec<*mut c_void>,
    types: Vec<c_char>,
    name: CString,
    doc: CString,
}

// SAFETY: nobody writes to it, and its pointers are to its own entries, which threads share.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

/// NumPy's types of integers, from the narrowest on.
const TYPES: [(NPY_TYPES, usize, bool); 10] = [
    (NPY_TYPES::NPY_BYTE, 1, true),
    (NPY_TYPES::NPY_UBYTE, 1, false),
    (NPY_TYPES::NPY_SHORT, 2, true),
    (NPY_TYPES::NPY_USHORT, 2, false),
    (NPY_TYPES::NPY_INT, 4, true),
    (NPY_TYPES::NPY_UINT, 4, false),
    (NPY_TYPES::NPY_LONG, size_of::<c_long>(), true),
    (NPY_TYPES::NPY_ULONG, size_of::<c_long>(), false),
    (NPY_TYPES::NPY_LONGLONG, 8, true),
    (NPY_TYPES::NPY_ULONGLONG, 8, false),
];

/// The integers of one of NumPy's types.
pub(super) fn int_of(number: c_int) -> Option<Int> {
    TYPES.into_iter().find(|(known, ..)| *known as c_int == number).map(int)
}

fn int((_, size, signed): (NPY_TYPES, usize, bool)) -> Int {
    match (size, signed) {
        (1, true) => Int::I8,
        (1, false) => Int::U8,
        (2, true) => Int::I16,
        (2, false) => Int::U16,
        (4, true) => Int::I32,
        (4, false) => Int::U32,
        (_, true) => Int::I64,
        (_, false) => Int::U64,
    }
}

impl Job {
    /// The name, the signature, and how many operands there are.
    fn facts(self) -> (&'static str, &'static std::ffi::CStr, c_int) {
        use crate::engine::Operation::{Add, Mul, Sub};
        match self {
            Job::Binary(Mul) => ("mul", c"(n),(n)->(n)", 2),
            Job::Binary(Add) => ("add", c"(n),(n)->(n)", 2),
            Job::Binary(Sub) => ("sub", c"(n),(n)->(n)", 2),
            Job::Canonical => ("canonical", c"(n)->(n)", 1),
            Job::Matmul => ("matmul", c"(m,k,n),(k,p,n)->(m,p,n)", 2),
        }
    }
}

/// The types of operands for which there are loops. NumPy takes the first one to which operands can be cast
/// without loss; no type holds both int64 and uint64, so that these have loops of their own.
fn operands(count: c_int) -> Vec<[(NPY_TYPES, usize, bool); 2]> {
    let same = TYPES.into_iter().map(|of| [of, of]);
    let [signed, unsigned] = [TYPES[8], TYPES[9]];
    let mixed = [[signed, unsigned], [unsigned, signed]];
    same.chain(mixed.into_iter().filter(|_| count == 2)).collect()
}

/// The universal function of a ring that does a job.
pub(crate) fn ufunc(py: Python<'_>, core: &Arc<Core>, job: Job) -> PyResult<Py<PyAny>> {
    match core.width() {
        Width::Two => of_type::<u16>(py, core, job),
        Width::Four => of_type::<u32>(py, core, job),
        Width::Eight => of_type::<u64>(py, core, job),
    }
}

fn of_type<T: Word>(py: Python<'_>, core: &Arc<Core>, job: Job) -> PyResult<Py<PyAny>> {
    let ((name, signature, count), out) = (job.facts(), numpy::dtype::<T>(py).num() as c_char);
    let all = operands(count);
    let types = all
        .iter()
        .flat_map(|of| of.iter().take(count as usize).map(|(number, ..)| *number as c_char).chain([out]));
    let entry = |of: &[_; 2]| Entry { core: core.clone(), job, types: of.map(int) };
    let doc = format!("{name} in {}, elementwise but for the signature's dimensions.", core.expression());
    let owned = Owned {
        functions: vec![Some(of_numpy::<T> as Loop); all.len()],
        entries: all.iter().map(entry).collect(),
        data: Vec::new(),
        types: types.collect(),
        name: CString::new(name)?,
        doc: CString::new(doc)?,
    };
    let data = owned.entries.iter().map(|entry| std::ptr::from_ref(entry).cast_mut().cast()).collect();
    // The entries stay where they are: moving a vector moves no element.
    make(py, Owned { data, ..owned }, signature, count)
}

/// Has NumPy make the function.
fn make(py: Python<'_>, owned: Owned, signature: &std::ffi::CStr, count: c_int) -> PyResult<Py<PyAny>> {
    /// `PyUFunc_None`.
    const NO_IDENTITY: c_int = -1;
    let owned = Py::new(py, owned)?;
    let of = owned.get();
    // SAFETY: all that the function points to is what it owns, which nobody changes; NumPy writes to none of
    // it. The signature is copied.
    unsafe {
        let made = PY_UFUNC_API.PyUFunc_FromFuncAndDataAndSignature(
            py,
            of.functions.as_ptr().cast_mut(),
            of.data.as_ptr().cast_mut(),
            of.types.as_ptr().cast_mut(),
            of.functions.len() as c_int,
            count,
            1,
            NO_IDENTITY,
            of.name.as_ptr(),
            of.doc.as_ptr(),
            0,
            signature.as_ptr(),
        );
        let made = Bound::from_owned_ptr_or_err(py, made)?;
        let object = made.as_ptr().cast::<PyUFuncObject>();
        debug_assert!((*object).fields.obj.is_null());
        (*object).fields.obj = owned.into_ptr();
        Ok(made.unbind())
    }
}
