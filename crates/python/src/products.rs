//! What a ring does with arrays.
//!
//! Arrays of the ring's own type without gaps take a path of their own, past NumPy's machinery; all others
//! its universal functions.

use crate::busy::{Memory, Use};
use crate::convert::{Word, add, in_range, sub};
use crate::engine::{Operation, Width};
use crate::raw::{self, Job, dimensions, new_like, overlap, slice, slice_mut, with_threads};
use crate::ring::{JOBS, Prepared, Ring};
use crate::{error, threads};
use numpy::PyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use ringsmith::Cpu;
use ringsmith::any::RingError;

/// Does something with the type of a width's elements.
macro_rules! with_width {
    ($width:expr, $type:ident => $do:expr) => {
        match $width {
            Width::Two => {
                type $type = u16;
                $do
            }
            Width::Four => {
                type $type = u32;
                $do
            }
            Width::Eight => {
                type $type = u64;
                $do
            }
        }
    };
}

pub(crate) use with_width;

impl Ring {
    /// Runs without Python's lock, unless that takes longer than it is worth: to give the lock back and to
    /// take it again is a tenth of a microsecond, and a short product by the planner's method in 16-bit rows
    /// one or two. Other threads wait for no more than those.
    fn detached<T: Send>(&self, py: Python<'_>, coefficients: usize, action: impl FnOnce() -> T + Send) -> T {
        let short = match (&self.route, self.core.width()) {
            (None, Width::Two) => 2048,
            _ => 256,
        };
        if coefficients < short { action() } else { py.detach(action) }
    }

    /// An operation on two arrays.
    pub(crate) fn binary<'py>(
        &self,
        operation: Operation,
        operands: [&Bound<'py, PyAny>; 2],
        out: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let direct =
            with_width!(self.core.width(), T => self.direct::<T>(operation, operands, out, threads)?);
        match direct {
            Some(done) => Ok(done),
            None => {
                let [a, b] = operands;
                if operation == Operation::Mul
                    && let Ok(b) = b.cast::<Prepared>()
                {
                    return self.by_prepared(a, b, out, threads);
                }
                let name = JOBS.iter().find(|(_, job)| *job == Job::Binary(operation));
                self.call(a.py(), name.map_or("mul", |(name, _)| name), &operands, out, threads)
            }
        }
    }

    /// The result, where operands are arrays of the ring's type, without gaps and of the same shape.
    fn direct<'py, T: Word>(
        &self,
        operation: Operation,
        [a, b]: [&Bound<'py, PyAny>; 2],
        out: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, n) = (a.py(), self.core.degree());
        let (Some(x), Some(y)) = (slice::<T>(a, n), slice::<T>(b, n)) else { return Ok(None) };
        if dimensions(a) != dimensions(b) {
            return Ok(None);
        }
        let (result, written) = match out {
            None => (new_like::<T>(a)?, 0..0),
            Some(out) => match slice::<T>(out, n) {
                Some(z) if dimensions(a) == dimensions(out) && !overlap(x, z) && !overlap(y, z) => {
                    (out.clone(), memory(z))
                }
                _ => return Ok(None),
            },
        };
        let _use = Use::of([memory(x), memory(y)], written)?;
        let Some(z) = slice_mut::<T>(&result, n) else { return Ok(None) };
        let done = self.detached(py, x.len(), || self.rows(operation, [x, y], z, threads));
        done.map_err(|why| raw::refused(&self.core, why))?;
        Ok(Some(result))
    }

    /// An operation on elements that stand one after the other.
    fn rows<T: Word>(
        &self,
        operation: Operation,
        [a, b]: [&[T]; 2],
        out: &mut [T],
        threads: usize,
    ) -> Result<(), RingError> {
        let n = self.core.degree();
        match operation {
            Operation::Mul => self.in_parts(a, out, threads, |range, a, out| {
                self.core.products(a, &b[range.start * n..range.end * n], out)
            }),
            Operation::Add => self.elementwise(add::<T>, [a, b], out),
            Operation::Sub => self.elementwise(sub::<T>, [a, b], out),
        }
    }

    /// Sums or differences, once all coefficients were looked at.
    fn elementwise<T: Word>(
        &self,
        by: fn(Cpu, u64, [&[T]; 2], &mut [T]),
        [a, b]: [&[T]; 2],
        out: &mut [T],
    ) -> Result<(), RingError> {
        let (n, q) = (self.core.degree(), self.core.modulus());
        for ((a, b), out) in a.chunks_exact(n).zip(b.chunks_exact(n)).zip(out.chunks_exact_mut(n)) {
            if !(in_range(self.cpu, q, a) && in_range(self.cpu, q, b)) {
                return Err(RingError::Range);
            }
            by(self.cpu, q, [a, b], out);
        }
        Ok(())
    }

    /// Does something with parts of elements, each on a thread.
    fn in_parts<T: Word>(
        &self,
        a: &[T],
        out: &mut [T],
        threads: usize,
        part: impl Fn(std::ops::Range<usize>, &[T], &mut [T]) -> Result<(), RingError> + Sync,
    ) -> Result<(), RingError> {
        let n = self.core.degree();
        let (rows, threads) = (a.len() / n, threads::count(threads));
        if threads <= 1 || rows <= 1 {
            return part(0..rows, a, out);
        }
        let length = rows.div_ceil(threads);
        let places: Vec<_> = out.chunks_mut(length * n).map(std::sync::Mutex::new).collect();
        threads::parts(places.len(), places.len(), |range| {
            range.into_iter().try_for_each(|i| {
                let mut out = places[i].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let range = i * length..(i * length + out.len() / n);
                part(range.clone(), &a[range.start * n..range.end * n], &mut out)
            })
        })
    }

    /// Products by a prepared factor.
    fn by_prepared<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, Prepared>,
        out: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let b = &b.get().factor;
        with_width!(self.core.width(), T => {
            let n = self.core.degree();
            let a = if raw::fitting::<T>(a, n, false) { a.clone() } else { self.own_array(a)? };
            let by = |a: &[T], z: &mut [T]| {
                self.in_parts(a, z, threads, |_, a, z| self.core.products_prepared(a, b, z))
            };
            let made = self.unary::<T>(&a, by)?;
            match out {
                None => Ok(made),
                Some(out) => self.call(a.py(), "canonical", &[&made], Some(out), 1),
            }
        })
    }

    /// Coefficients in `[0, q)`, in an array of NumPy's own without gaps: objects that have universal
    /// functions of their own give anything.
    pub(crate) fn own_array<'py>(&self, a: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let canonical = self.canonical(a, None)?;
        a.py().import("numpy")?.call_method1("ascontiguousarray", (canonical,))
    }

    /// What is made of elements that stand one after the other.
    pub(crate) fn unary<'py, T: Word>(
        &self,
        a: &Bound<'py, PyAny>,
        by: impl FnOnce(&[T], &mut [T]) -> Result<(), RingError> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n = self.core.degree();
        let x = slice::<T>(a, n).ok_or_else(|| error::of_ring(self.length(a)))?;
        let _use = Use::of([memory(x), 0..0], 0..0)?;
        let result = new_like::<T>(a)?;
        let z = slice_mut::<T>(&result, n).ok_or_else(|| error::of_ring(RingError::Memory))?;
        let done = a.py().detach(|| by(x, z));
        done.map_err(|why| raw::refused(&self.core, why))?;
        Ok(result)
    }

    pub(crate) fn remainders_of<'py, T: Word>(&self, c: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let n = self.core.degree();
        let [rows, length] = match dimensions(c) {
            [rows, length] => [*rows as usize, *length as usize],
            _ => return Err(error::of_ring(RingError::Length { needs: 2 * n - 1, has: 0 })),
        };
        let of = slice::<T>(c, length).ok_or_else(|| error::of_ring(self.length(c)))?;
        let result = PyArray2::<T>::zeros(c.py(), [rows, n], false).into_any();
        let z = slice_mut::<T>(&result, n).ok_or_else(|| error::of_ring(RingError::Memory))?;
        let each = |(c, out): (&[T], &mut [T])| self.core.remainder(c, out);
        let done =
            c.py().detach(|| of.chunks_exact(length.max(1)).zip(z.chunks_exact_mut(n)).try_for_each(each));
        done.map_err(|why| raw::refused(&self.core, why))?;
        Ok(result)
    }

    /// The error of an array that has another last dimension.
    pub(crate) fn length(&self, a: &Bound<'_, PyAny>) -> RingError {
        let has = dimensions(a).last().map_or(0, |last| *last as usize);
        RingError::Length { needs: self.core.degree(), has }
    }

    /// Calls a universal function.
    pub(crate) fn call<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        operands: &[&Bound<'py, PyAny>],
        out: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let operands = operands.iter().map(|of| operand(of)).collect::<PyResult<Vec<_>>>()?;
        let options = PyDict::new(py);
        if let Some(out) = out {
            self.holds(out)?;
            options.set_item("out", out)?;
        }
        let of = |array: Option<&Bound<'py, PyAny>>| array.and_then(raw::memory).unwrap_or(0..0);
        let _use = Use::of([of(operands.first()), of(operands.get(1))], of(out))?;
        let (function, operands) = (self.ufunc(py, name)?, PyTuple::new(py, operands)?);
        with_threads(threads::count(threads), || function.call(operands, Some(&options)))
    }

    /// Refuses an array whose integers do not hold q - 1: NumPy would cut coefficients off.
    fn holds(&self, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let dtype = out.getattr("dtype")?;
        let kind: String = dtype.getattr("kind")?.extract()?;
        let size: u32 = dtype.getattr("itemsize")?.extract()?;
        let bits = match kind.as_str() {
            "i" => 8 * size - 1,
            "u" => 8 * size,
            _ => return Err(PyTypeError::new_err(format!("out is an array of {dtype}, not of integers"))),
        };
        if bits < 64 && (self.core.modulus() - 1) >> bits != 0 {
            let q = self.core.modulus();
            return Err(PyTypeError::new_err(format!(
                "out is an array of {dtype}, which do not hold {}",
                q - 1
            )));
        }
        Ok(())
    }
}

/// The memory of a slice.
fn memory<T>(of: &[T]) -> Memory {
    let range = of.as_ptr_range();
    range.start.addr()..range.end.addr()
}

/// An operand as NumPy takes it: an array, or an object that has universal functions of its own. Integers of
/// any other object must be such that NumPy finds a type for them.
fn operand<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let array = match object.getattr_opt("__array_ufunc__")? {
        Some(function) if !function.is_none() => object.clone(),
        _ => py.import("numpy")?.call_method1("asarray", (object,))?,
    };
    let Ok(kind) = array.getattr("dtype").and_then(|dtype| dtype.getattr("kind")?.extract::<String>()) else {
        return Ok(array);
    };
    match kind.as_str() {
        "i" | "u" => Ok(array),
        "O" => Err(PyTypeError::new_err(
            "an array of objects is not one of coefficients: `reduce` makes coefficients of integers of any \
             size",
        )),
        _ => {
            let dtype = array.getattr("dtype")?;
            Err(PyTypeError::new_err(format!("an array of {dtype} is not one of integers")))
        }
    }
}
