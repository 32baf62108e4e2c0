//! The class `Ring`: products over NumPy's arrays.

use crate::engine::{Core, Operation, Width};
use crate::error;
use crate::ntt::Ntt;
use crate::plan::{self, Plan};
use crate::products::with_width;
use crate::raw::{self, Job, dimensions, slice};
use crate::routes::Choice;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString};
use ringsmith::Cpu;
use ringsmith::any::{Expression, Operands, Polynomial, Prepared as PreparedFactor};
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
    pub(crate) core: Arc<Core>,
    pub(crate) cpu: Cpu,
    pub(crate) route: Option<String>,
    /// In the order of [`JOBS`].
    functions: [PyOnceLock<Py<PyAny>>; JOBS.len()],
}

/// A second factor that is multiplied by often. Products of any number of elements by it are those of the
/// ring that made it.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct Prepared {
    pub(crate) factor: PreparedFactor,
    /// The ring, as text.
    #[pyo3(get)]
    ring: String,
}

/// The universal functions.
pub(crate) const JOBS: [(&str, Job); 5] = [
    ("mul", Job::Binary(Operation::Mul)),
    ("add", Job::Binary(Operation::Add)),
    ("sub", Job::Binary(Operation::Sub)),
    ("matmul", Job::Matmul),
    ("canonical", Job::Canonical),
];

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
        return text.parse().map_err(|why| error::of_polynomial(text, why));
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

/// What is known of second factors.
fn operands(small: Option<u64>, check: bool) -> PyResult<Operands> {
    match (small, check) {
        (None, true) => Ok(Operands::any()),
        (None, false) => {
            Err(error::refused("check=False leaves a promise unchecked, and none is made: small="))
        }
        (Some(bound), true) => Ok(Operands::any().small(bound)),
        (Some(bound), false) => Ok(Operands::any().small(bound).promised()),
    }
}

/// The ring, by the route of a name if there is one.
fn planned(cpu: Cpu, of: Expression, operands: Operands, route: Option<&str>) -> PyResult<Core> {
    let choice = match route {
        Some(name) => Choice::named(cpu, &of, operands, name)?,
        None => Choice::Planned,
    };
    let [again, named] = [of.clone(), of.clone()];
    let make = Box::new(move |operands| choice.ring(cpu, &again, operands));
    Core::new(of, operands, make).map_err(|why| error::of_expression(&named, why))
}

#[pymethods]
impl Ring {
    #[new]
    #[pyo3(signature = (
        expression = None, /, *, q = None, f = None, small = None, check = true, route = None
    ))]
    fn new(
        py: Python<'_>,
        expression: Option<&str>,
        q: Option<u64>,
        f: Option<&Bound<'_, PyAny>>,
        small: Option<u64>,
        check: bool,
        route: Option<String>,
    ) -> PyResult<Self> {
        let (of, cpu) = (self::expression(expression, q, f)?, error::cpu()?);
        let operands = operands(small, check)?;
        // Without Python's lock: a ring of great degree may take seconds.
        let core = py.detach(|| planned(cpu, of, operands, route.as_deref()))?;
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

    /// Whether second factors are looked at for that bound.
    #[getter]
    fn check(&self) -> bool {
        !self.core.ring().operands().is_promised()
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
    ///
    /// >>> from ringsmith import Ring
    /// >>> ring = Ring("Z_17[x]/(x^2+1)")
    /// >>> ring.mul([1, 1], [1, -1]).tolist()  # (1 + x) (1 - x) = 1 - x^2 = 2
    /// [2, 0]
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
    ///
    /// >>> from ringsmith import Ring
    /// >>> Ring("Z_17[x]/(x^2+1)").add([16, 1], [[1, 2], [3, 4]]).tolist()
    /// [[0, 3], [2, 5]]
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
    ///
    /// >>> from ringsmith import Ring
    /// >>> Ring("Z_17[x]/(x^2+1)").sub([0, 1], [1, 1]).tolist()
    /// [16, 0]
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
    ///
    /// >>> import numpy as np
    /// >>> from ringsmith import Ring
    /// >>> row, column = np.array([[[1, 1], [0, 1]]]), np.array([[[1, 0]], [[0, 1]]])
    /// >>> Ring("Z_17[x]/(x^2+1)").matmul(row, column).tolist()  # 1 + x + x x
    /// [[[0, 1]]]
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
    pub(crate) fn canonical<'py>(
        &self,
        a: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.call(a.py(), "canonical", &[a], out, 1)
    }

    /// The universal function of NumPy's behind "mul", "add", "sub", "matmul" or "canonical".
    pub(crate) fn ufunc<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(place) = JOBS.iter().position(|(known, _)| *known == name) else {
            let all = JOBS.map(|(name, _)| name).join(", ");
            return Err(error::refused(format!("no universal function is named '{name}'; there are: {all}")));
        };
        let made = self.functions[place].get_or_try_init(py, || raw::ufunc(py, &self.core, JOBS[place].1))?;
        Ok(made.bind(py).clone())
    }

    /// Prepares a second factor, one element, to be multiplied by often: `mul` takes it.
    ///
    /// >>> from ringsmith import Ring
    /// >>> ring = Ring("Z_17[x]/(x^2+1)")
    /// >>> ring.mul([[1, 1], [2, 0]], ring.prepare([0, 1])).tolist()
    /// [[16, 1], [0, 2]]
    fn prepare(&self, b: &Bound<'_, PyAny>) -> PyResult<Prepared> {
        let (py, b) = (b.py(), self.own_array(b)?);
        let factor = with_width!(self.core.width(), T => {
            match (dimensions(&b).len(), slice::<T>(&b, self.core.degree())) {
                (1, Some(b)) => py.detach(|| self.core.prepare(b)),
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
    fn _ntt(&self, py: Python<'_>) -> PyResult<Ntt> {
        py.detach(|| Ntt::of(self.cpu, self.core.expression()))
    }

    /// What is known of the ring's methods.
    fn _plan(&self, py: Python<'_>) -> PyResult<Plan> {
        py.detach(|| plan::of(&self.core, self.cpu))
    }
}
