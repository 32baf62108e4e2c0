//! Transforms modulo `q` itself, where it has the roots of unity.

use crate::error;
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2, PyReadwriteArray2};
use pyo3::prelude::*;
use ringsmith::Cpu;
use ringsmith::any::Expression;
use ringsmith::word::{Shape, WordError, WordRing};

/// The transform of a ring Z_q[x]/(x^n + 1) or Z_q[x]/(x^n - 1), as `ringsmith.Ntt` has it.
#[pyclass(module = "ringsmith._ringsmith", frozen)]
pub(crate) struct Ntt(WordRing);

type Rows<'py> = PyResult<Bound<'py, PyArray2<u64>>>;

impl Ntt {
    /// That of a ring.
    pub(crate) fn of(cpu: Cpu, of: &Expression) -> PyResult<Self> {
        let n = of.f.degree();
        let low: Vec<_> = of.f.terms().skip(1).collect();
        let q = i128::from(of.q);
        let shape = match low.as_slice() {
            [(0, c)] if c.rem_euclid(q) == 1 => Shape::Negacyclic,
            [(0, c)] if c.rem_euclid(q) == q - 1 => Shape::Cyclic,
            _ => return Err(error::refused("needs f = x^n - 1 or x^n + 1 with a power of two n")),
        };
        WordRing::new_on(cpu, shape, n, of.q).map(Ntt).map_err(error::of_word)
    }

    /// Does something with rows of `n` numbers.
    fn rows<'py>(
        &self,
        a: &PyReadonlyArray2<'py, u64>,
        each: impl Fn(&[u64], &mut [u64]) -> Result<(), WordError> + Sync,
    ) -> Rows<'py> {
        let (py, n) = (a.py(), self.0.degree());
        let result = PyArray2::zeros(py, a.as_array().raw_dim(), false);
        let mut to: PyReadwriteArray2<'_, u64> = result.readwrite();
        let (from, to) = (a.as_slice()?, to.as_slice_mut()?);
        let width = a.as_array().ncols();
        if width != n {
            return Err(error::of_word(WordError::Length { needs: n, has: width }));
        }
        py.detach(|| from.chunks_exact(n).zip(to.chunks_exact_mut(n)).try_for_each(|(x, y)| each(x, y)))
            .map_err(error::of_word)?;
        Ok(result)
    }
}

#[pymethods]
impl Ntt {
    /// The root of unity whose powers values are at.
    #[getter]
    fn root(&self) -> u64 {
        self.0.root()
    }

    /// Whether values are at the odd powers of the root: modulo x^n + 1.
    #[getter]
    fn negacyclic(&self) -> bool {
        self.0.shape() == Shape::Negacyclic
    }

    /// The values of polynomials, rows of coefficients.
    fn forward<'py>(&self, a: PyReadonlyArray2<'py, u64>) -> Rows<'py> {
        self.rows(&a, |a, out| self.0.values(self.0.forward(self.0.polynomial(a)?)?, out))
    }

    /// The coefficients of polynomials, rows of values.
    fn inverse<'py>(&self, a: PyReadonlyArray2<'py, u64>) -> Rows<'py> {
        self.rows(&a, |a, out| self.0.coefficients(&self.0.inverse(self.0.transformed(a)?)?, out))
    }

    /// Products of values: `a` and `b` have the same shape.
    fn pointwise<'py>(&self, a: PyReadonlyArray2<'py, u64>, b: PyReadonlyArray2<'py, u64>) -> Rows<'py> {
        let (py, n) = (a.py(), self.0.degree());
        let result = PyArray2::zeros(py, a.as_array().raw_dim(), false);
        let mut to: PyReadwriteArray2<'_, u64> = result.readwrite();
        let (x, y, to) = (a.as_slice()?, b.as_slice()?, to.as_slice_mut()?);
        if let Some(has) = [&a, &b].map(|of| of.as_array().ncols()).into_iter().find(|has| *has != n) {
            return Err(error::of_word(WordError::Length { needs: n, has }));
        }
        if x.len() != y.len() {
            return Err(error::of_word(WordError::Length { needs: x.len(), has: y.len() }));
        }
        let product = |((x, y), to): ((&[u64], &[u64]), &mut [u64])| {
            let mut values = self.0.transformed(x)?;
            self.0.pointwise(&mut values, &self.0.transformed(y)?)?;
            self.0.values(values, to)
        };
        py.detach(|| {
            x.chunks_exact(n).zip(y.chunks_exact(n)).zip(to.chunks_exact_mut(n)).try_for_each(product)
        })
        .map_err(error::of_word)?;
        Ok(result)
    }
}
