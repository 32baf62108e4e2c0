//! The class `Ring`: products over NumPy's arrays.
//!
//! Arrays of the ring's own type without gaps take a path of their own, past NumPy's machinery; all others
//! its universal functions.

use crate::convert::{Word, add, in_range, sub};
use crate::engine::{Core, Operation, Width};
use crate::ntt::Ntt;
use crate::plan::{self, Plan};
use crate::raw::{self, Job, dimensions, new_like, overlap, slice, slice_mut, with_threads};
use crate::routes::Choice;
use crate::{error, threads};
use numpy::PyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple};
use ringsmith::Cpu;
use ringsmith::any::{Expression, Operands, Polynomial, Prepared as PreparedFactor, RingError};
use std::sync::Arc;

/// The classes.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Ring>()?;
    module.add_class::<Prepared>()?;
    module.add_class::<Ntt>()?;
    module.add_class::<Plan>()
}

/// A ring Z_q[x]/(f), as its subclass `ringsmith.Ring` has it.
#[pyclass(module = "ringsmith._ringsmith", subclass, frozen)]
pub(crate) struct Ring {
    core: Arc<Core>,
    cpu: Cpu,
    route: Option<String>,
    /// In the order of [`JOBS`].
    functions: [PyOnceLock<Py<PyAny>>; JOBS.len()],
}

/// A second factor that is multiplied by often. Products of any number of elements by it are those of the
/// ring that made it.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct Prepared {
    factor: PreparedFactor,
    /// The ring, as text.
    #[pyo3(get)]
    ring: String,
}

/// The universal functions.
const JOBS: [(&str, Job); 5] = [
    ("mul", Job::Binary(Operation::Mul)),
    ("add", Job::Binary(Operation::Add)),
    ("sub", Job::Binary(Operation::Sub)),
    ("matmul", Job::Matmul),
    ("canonical", Job::Canonical),
];

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

/// Fewer coefficients are computed with before another thread would have taken over.
const DETACHED: usize = 512;

/// Runs without Python's lock, where that is worth it.
fn detached<T: Send>(py: Python<'_>, coefficients: usize, action: impl FnOnce() -> T + Send) -> T {
    if coefficients < DETACHED { action() } else { py.detach(action) }
}

/// What the arguments of a constructor say.
fn expression(text: Option<&str>, q: Option<u64>, f: Option<&Bound<'_, PyAny>>) -> PyResult<Expression> {
    match (text, q, f) {
        (Some(text), None, None) => text.parse().map_err(|why| error::of_text(text, why)),
        (None, Some(q), Some(f)) => Ok(Expression { q, f: polynomial(f)? }),
        _ => Err(PyTypeError::new_err(
            "a ring is made of its text, as in Ring('Z_4591[x]/(x^761-x-1)'), or of q= and f=",
        )),
    }
}

/// A polynomial: text, coefficients by their exponents, or all of them, the constant term first.
fn polynomial(f: &Bound<'_, PyAny>) -> PyResult<Polynomial> {
    if let Ok(text) = f.cast::<PyString>() {
        let text = text.to_str()?;
        return text.parse().map_err(|why| error::of_text(text, why));
    }
    let terms: Vec<(usize, i64)> = match f.cast::<PyDict>() {
        Ok(terms) => terms.iter().map(|(i, c)| Ok((i.extract()?, c.extract()?))).collect::<PyResult<_>>()?,
        Err(_) => {
            let all: PyResult<Vec<i64>> = f.try_iter()?.map(|c| c?.extract()).collect();
            all?.into_iter().enumerate().collect()
        }
    };
    Polynomial::new(&terms).map_err(error::of_ring)
}

/// The machine's best backend, or the one that `RINGSMITH_CPU` names.
fn cpu() -> PyResult<Cpu> {
    Cpu::from_env().map_err(|why| {
        let asked = std::env::var("RINGSMITH_CPU").unwrap_or_default();
        error::refused(format!("RINGSMITH_CPU={asked}: {why}"))
    })
}

#[pymethods]
impl Ring {
    #[new]
    #[pyo3(signature = (expression = None, /, *, q = None, f = None, small = None, route = None))]
    fn new(
        expression: Option<&str>,
        q: Option<u64>,
        f: Option<&Bound<'_, PyAny>>,
        small: Option<u64>,
        route: Option<String>,
    ) -> PyResult<Self> {
        let (of, cpu) = (self::expression(expression, q, f)?, cpu()?);
        let operands = small.map_or(Operands::any(), |bound| Operands::any().small(bound));
        let choice = match &route {
            Some(name) => Choice::named(cpu, &of, operands, name)?,
            None => Choice::Planned,
        };
        let again = of.clone();
        let make = Box::new(move |operands| choice.ring(cpu, &again, operands));
        let core = Core::new(of, operands, make).map_err(error::of_ring)?;
        Ok(Ring { core: Arc::new(core), cpu, route, functions: [const { PyOnceLock::new() }; JOBS.len()] })
    }

    /// The modulus of the coefficients.
    #[getter]
    fn q(&self) -> u64 {
        self.core.modulus()
    }

    /// How many coefficients an element has: the degree of the modulus polynomial.
    #[getter]
    fn n(&self) -> usize {
        self.core.degree()
    }

    /// The terms of the modulus polynomial: its coefficients by their exponents.
    #[getter]
    fn f<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let terms = PyDict::new(py);
        self.core.expression().f.terms().try_for_each(|(exponent, c)| terms.set_item(exponent, c))?;
        Ok(terms)
    }

    /// The ring as text, which `Ring` takes.
    #[getter]
    fn expression(&self) -> String {
        self.core.expression().to_string()
    }

    /// The bound of second factors' coefficients, if they are small.
    #[getter]
    fn small(&self) -> Option<u64> {
        self.core.ring().operands().bound()
    }

    /// The name of the route that was asked for, if one was.
    #[getter]
    fn asked_route(&self) -> Option<&str> {
        self.route.as_deref()
    }

    /// The vector instructions that are used: "avx512", "avx2", "sse2", "neon" or "scalar".
    #[getter]
    fn backend(&self) -> &'static str {
        self.cpu.name()
    }

    /// The type of elements in arrays: the narrowest of uint16, uint32 and uint64 that holds q - 1.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Bound<'py, numpy::PyArrayDescr> {
        with_width!(self.core.width(), T => numpy::dtype::<T>(py))
    }

    /// Products, elementwise over all dimensions but the last.
    #[pyo3(signature = (a, b, /, out = None, *, threads = 1))]
    fn mul<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.binary(Operation::Mul, [a, b], out, threads)
    }

    /// Sums.
    #[pyo3(signature = (a, b, /, out = None, *, threads = 1))]
    fn add<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.binary(Operation::Add, [a, b], out, threads)
    }

    /// Differences.
    #[pyo3(signature = (a, b, /, out = None, *, threads = 1))]
    fn sub<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.binary(Operation::Sub, [a, b], out, threads)
    }

    /// Products of matrices of elements, over all dimensions but the last three.
    #[pyo3(signature = (a, b, /, out = None, *, threads = 1))]
    fn matmul<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.call(a.py(), "matmul", &[a, b], out, threads)
    }

    /// Coefficients in [0, q), of an array of any shape, in an array of the ring's type.
    #[pyo3(signature = (a, /, out = None))]
    fn canonical<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.call(a.py(), "canonical", &[a], out, 1)
    }

    /// The universal function of NumPy's behind "mul", "add", "sub", "matmul" or "canonical".
    fn ufunc<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(place) = JOBS.iter().position(|(known, _)| *known == name) else {
            let all = JOBS.map(|(name, _)| name).join(", ");
            return Err(error::refused(format!("no universal function is named '{name}'; there are: {all}")));
        };
        let made = self.functions[place].get_or_try_init(py, || raw::ufunc(py, &self.core, JOBS[place].1))?;
        Ok(made.bind(py).clone())
    }

    /// Prepares a second factor, one element, to be multiplied by often: `mul` takes it.
    fn prepare(&self, b: &Bound<'_, PyAny>) -> PyResult<Prepared> {
        let b = self.canonical(b, None)?;
        let factor = with_width!(self.core.width(), T => {
            match (dimensions(&b).len(), slice::<T>(&b, self.core.degree())) {
                (1, Some(b)) => self.core.prepare(b),
                (1, None) => Err(self.length(&b)),
                _ => return Err(error::refused("what is prepared is one element: an array of one dimension")),
            }
        });
        let factor = factor.map_err(|why| raw::refused(&self.core, why))?;
        Ok(Prepared { factor, ring: self.expression() })
    }

    /// Inverses of elements in [0, q), in an array of the ring's type without gaps.
    fn _inverses<'py>(&self, a: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        with_width!(self.core.width(), T => {
            self.unary::<T>(a, |a, out| self.core.inverses(a, out))
        })
    }

    /// Remainders of polynomials in [0, q) of n to 2 n - 1 coefficients, in an array of two dimensions of the
    /// ring's type without gaps.
    fn _remainders<'py>(&self, c: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        with_width!(self.core.width(), T => self.remainders_of::<T>(c))
    }

    /// Transforms modulo q itself.
    fn _ntt(&self) -> PyResult<Ntt> {
        Ntt::of(self.cpu, self.core.expression())
    }

    /// What is known of the ring's methods.
    fn _plan(&self) -> PyResult<Plan> {
        plan::of(&self.core, self.cpu)
    }
}

impl Ring {
    /// An operation on two arrays.
    fn binary<'py>(
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
        let result = match out {
            None => new_like::<T>(a)?,
            Some(out) => {
                let serves = slice::<T>(out, n)
                    .is_some_and(|z| dimensions(a) == dimensions(out) && !overlap(x, z) && !overlap(y, z));
                if !serves {
                    return Ok(None);
                }
                out.clone()
            }
        };
        let Some(z) = slice_mut::<T>(&result, n) else { return Ok(None) };
        let done = detached(py, x.len(), || self.rows(operation, [x, y], z, threads));
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
            let a = if raw::fitting::<T>(a, n, false) { a.clone() } else { self.canonical(a, None)? };
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

    /// What is made of elements that stand one after the other.
    fn unary<'py, T: Word>(
        &self,
        a: &Bound<'py, PyAny>,
        by: impl FnOnce(&[T], &mut [T]) -> Result<(), RingError> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let n = self.core.degree();
        let x = slice::<T>(a, n).ok_or_else(|| error::of_ring(self.length(a)))?;
        let result = new_like::<T>(a)?;
        let z = slice_mut::<T>(&result, n).ok_or_else(|| error::of_ring(RingError::Memory))?;
        let done = detached(a.py(), x.len(), || by(x, z));
        done.map_err(|why| raw::refused(&self.core, why))?;
        Ok(result)
    }

    fn remainders_of<'py, T: Word>(&self, c: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let n = self.core.degree();
        let [rows, length] = match dimensions(c) {
            [rows, length] => [*rows as usize, *length as usize],
            _ => return Err(error::of_ring(RingError::Length { needs: 2 * n - 1, has: 0 })),
        };
        let of = slice::<T>(c, length).ok_or_else(|| error::of_ring(self.length(c)))?;
        let result = PyArray2::<T>::zeros(c.py(), [rows, n], false).into_any();
        let z = slice_mut::<T>(&result, n).ok_or_else(|| error::of_ring(RingError::Memory))?;
        let each = |(c, out): (&[T], &mut [T])| self.core.remainder(c, out);
        let done = of.chunks_exact(length.max(1)).zip(z.chunks_exact_mut(n)).try_for_each(each);
        done.map_err(|why| raw::refused(&self.core, why))?;
        Ok(result)
    }

    /// The error of an array that has another last dimension.
    fn length(&self, a: &Bound<'_, PyAny>) -> RingError {
        let has = dimensions(a).last().map_or(0, |last| *last as usize);
        RingError::Length { needs: self.core.degree(), has }
    }

    /// Calls a universal function.
    fn call<'py>(
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
            "an array of objects is not one of coefficients: `reduce` makes coefficients of integers of any size",
        )),
        _ => {
            let dtype = array.getattr("dtype")?;
            Err(PyTypeError::new_err(format!("an array of {dtype} is not one of integers")))
        }
    }
}
