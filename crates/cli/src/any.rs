//! `ringsmith multiply` and `rings` in a ring that has no name here: by any modulus and any polynomial.

use crate::error::Error;
use crate::input::{Accepted, Polynomials};
use crate::lookup;
use crate::output::Output;
use crate::plan;
use ringsmith::any::{Expression, MAX_BITS, MAX_DEGREE, Operands, Polynomial, Ring, RingError, Room};
use ringsmith::compiled::table;
use std::fmt::Write;
use std::path::Path;

/// The ring of an expression, by the method that the costs of this machine choose.
pub(crate) fn ring(text: &str, modulus: Option<&Path>, near: Vec<String>) -> Result<Ring, Error> {
    let Expression { q, f } = expression(text, modulus, || near.clone())?;
    let cpu = lookup::cpu()?;
    Ring::with_costs(cpu, q, &f, Operands::any(), table(), &plan::costs(cpu)).map_err(|why| of(text, why))
}

/// An expression, whose polynomial a file may have. Where the text is none, `near` has the names of rings
/// like it.
pub(crate) fn expression(
    text: &str,
    modulus: Option<&Path>,
    near: impl Fn() -> Vec<String>,
) -> Result<Expression, Error> {
    let no_ring = |why| Error::NoRing { text: text.into(), near: near(), why };
    let Some(path) = modulus else { return text.parse().map_err(no_ring) };
    let expression = Expression::modulo(text, Polynomial::dense(&[]).map_err(|why| of(text, why))?);
    let q = expression.map_err(no_ring)?.q;
    Ok(Expression { q, f: polynomial(path, q, text)? })
}

/// The error of a ring.
fn of(text: &str, why: RingError) -> Error {
    Error::Ring { text: text.into(), why }
}

/// The same of an expression.
pub(crate) fn error(expression: &Expression, why: RingError) -> Error {
    of(&expression.to_string(), why)
}

/// The only polynomial of a file, of any degree.
fn polynomial(path: &Path, q: u64, text: &str) -> Result<Polynomial, Error> {
    let mut file = Polynomials::open(path)?;
    let accepted = Accepted::of_any_degree(q.min(1 << MAX_BITS) as i64);
    let terms = |values: &[i64]| values.iter().copied().enumerate().filter(|(_, x)| *x != 0).collect();
    let terms: Option<Vec<(usize, i64)>> = file.next_values(accepted)?.map(terms);
    let terms = terms.ok_or_else(|| Error::Empty { name: file.name().into() })?;
    if file.next_values(accepted)?.is_some() {
        return Err(Error::Second { name: file.name().into(), line: file.line() });
    }
    // Said before memory is asked for.
    match terms.last() {
        Some((n, _)) if *n > MAX_DEGREE => Err(of(text, RingError::Degree { n: *n })),
        _ => Polynomial::new(&terms).map_err(|why| of(text, why)),
    }
}

/// What is multiplied, and how the products are written.
pub(crate) struct Job {
    /// The ring.
    pub(crate) ring: Ring,
    /// Whether coefficients are written centred.
    pub(crate) centred: bool,
    /// Whether each product is compared with the definition.
    pub(crate) check: bool,
}

impl Job {
    /// Which coefficients the ring's polynomials have.
    pub(crate) fn accepted(&self) -> Accepted {
        Accepted::new(self.modulus(), self.ring.degree())
    }

    /// The modulus, which has 63 bits at most.
    fn modulus(&self) -> i64 {
        self.ring.modulus() as i64
    }

    /// The memory that products take.
    pub(crate) fn room(&self) -> Result<Room, Error> {
        self.ring.room().map_err(|why| self.error(why))
    }

    fn error(&self, why: RingError) -> Error {
        of(&format!("{:?}", self.ring), why)
    }

    /// Multiplies two polynomials, and writes the product.
    pub(crate) fn multiply(
        &self,
        [a, b]: [&[i64]; 2],
        room: &mut Room,
        out: &mut Output,
        count: u64,
    ) -> Result<(), Error> {
        let q = self.modulus();
        let canonical = |x: &[i64]| x.iter().map(|x| x.rem_euclid(q) as u64).collect::<Vec<_>>();
        let (a, b, mut product) = (canonical(a), canonical(b), vec![0; a.len()]);
        self.ring.product(&a, &b, &mut product, room).map_err(|why| self.error(why))?;
        if self.check {
            self.compare(&product, &self.definition(&a, &b), count)?;
        }
        out.write(self.line(&product).as_bytes())
    }

    /// The coefficients of a product, separated by spaces.
    fn line(&self, product: &[u64]) -> String {
        let (q, mut line) = (self.ring.modulus(), String::new());
        for x in product {
            let separator = if line.is_empty() { "" } else { " " };
            // Writing to a string can't fail.
            let _ = match self.centred && *x > (q - 1) / 2 {
                true => write!(line, "{separator}-{}", q - x),
                false => write!(line, "{separator}{x}"),
            };
        }
        line + "\n"
    }

    /// The product by the definition.
    fn definition(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let (q, n) = (u128::from(self.ring.modulus()), a.len());
        let mut c = vec![0_u128; 2 * n - 1];
        for (i, x) in a.iter().enumerate() {
            for (sum, y) in c[i..].iter_mut().zip(b) {
                *sum = (*sum + u128::from(*x) * u128::from(*y)) % q;
            }
        }
        for i in (n..2 * n - 1).rev() {
            let top = c[i];
            for (exponent, coefficient) in self.ring.polynomial().terms().skip(1) {
                let to = &mut c[i - n + exponent];
                *to = (*to + (q - top) * coefficient.rem_euclid(q as i128) as u128) % q;
            }
        }
        c[..n].iter().map(|x| *x as u64).collect()
    }

    /// Compares a product with the definition.
    fn compare(&self, product: &[u64], expected: &[u64], count: u64) -> Result<(), Error> {
        match product.iter().zip(expected).position(|(got, want)| got != want) {
            None => Ok(()),
            Some(i) => Err(Error::Wrong(format!(
                "product {count} by {} on {} is wrong: coefficient {} is {} instead of {}",
                self.ring.route(),
                self.ring.cpu().name(),
                i + 1,
                product[i],
                expected[i],
            ))),
        }
    }
}

/// What a ring is called: its polynomial by its degree, where it has many terms.
pub(crate) fn name(ring: &Ring) -> String {
    /// How many terms are printed.
    const TERMS: usize = 12;
    let f = ring.polynomial();
    let f = match f.terms().count() {
        0..=TERMS => f.to_string(),
        count => format!("x^{}+.., {count} terms", f.degree()),
    };
    format!("Z_{}[x]/({f})", ring.modulus())
}

/// What `rings` prints of such a ring.
pub(crate) fn listing(ring: &Ring) -> String {
    let route = ring.route();
    format!("{}\n  {route}\n  {}\n", name(ring), route.argument())
}
