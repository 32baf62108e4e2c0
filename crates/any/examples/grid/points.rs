//! What is measured: moduli, degrees and polynomials.

use ringsmith_any::{Polynomial, RingError};
use ringsmith_oracle::Random;
use std::fmt;
use std::str::FromStr;

/// Moduli, each with its name. `2^50 - 27` and `2^60 - 93` are the greatest primes of 50 and 60 bits.
const MODULI: [(&str, u64); 15] = [
    ("2", 2),
    ("3", 3),
    ("7", 7),
    ("257", 257),
    ("2048", 2048),
    ("3329", 3329),
    ("4591", 4591),
    ("12289", 12289),
    ("65537", 65537),
    ("49201153", 49_201_153),
    ("2^31-1", (1 << 31) - 1),
    ("2^32", 1 << 32),
    ("2^50-27", (1 << 50) - 27),
    ("2^60-93", (1 << 60) - 93),
    ("2^61", 1 << 61),
];
const DEGREES: [usize; 7] = [64, 256, 761, 1024, 4096, 16384, 65536];
const FORMS: [(&str, Form); 4] = [
    ("x^n-1", Form::Cyclic),
    ("x^n+1", Form::Negacyclic),
    ("x^n-x-1", Form::Trinomial),
    ("dense", Form::Dense),
];

/// The polynomials of one kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Cyclic,
    Negacyclic,
    Trinomial,
    /// Of random coefficients.
    Dense,
}

/// A ring that is measured.
#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) q: u64,
    pub(crate) n: usize,
    pub(crate) form: Form,
    names: [&'static str; 2],
}

/// All rings, by modulus, degree and polynomial.
pub(crate) fn all() -> impl Iterator<Item = Point> {
    MODULI.into_iter().flat_map(|(name, q)| {
        DEGREES
            .into_iter()
            .flat_map(move |n| FORMS.map(|(form_name, form)| Point { q, n, form, names: [name, form_name] }))
    })
}

impl Point {
    /// The modulus' name.
    pub(crate) fn q_name(&self) -> &'static str {
        self.names[0]
    }

    /// The polynomial's.
    pub(crate) fn form_name(&self) -> &'static str {
        self.names[1]
    }

    /// Random coefficients below `q`.
    pub(crate) fn random(&self, seed: u64) -> Vec<u64> {
        let mut random = Random::new(seed);
        (0..self.n).map(|_| random.word() % self.q).collect()
    }

    /// All coefficients of a polynomial with many terms.
    pub(crate) fn dense(&self) -> Vec<u64> {
        self.random(3).into_iter().chain([1]).collect()
    }

    /// The polynomial.
    pub(crate) fn polynomial(&self) -> Result<Polynomial, RingError> {
        match self.form {
            Form::Cyclic => Polynomial::new(&[(self.n, 1), (0, -1)]),
            Form::Negacyclic => Polynomial::new(&[(self.n, 1), (0, 1)]),
            Form::Trinomial => Polynomial::new(&[(self.n, 1), (1, -1), (0, -1)]),
            Form::Dense => Polynomial::dense(&self.dense()),
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "q={} n={} f={}", self.q_name(), self.n, self.form_name())
    }
}

/// Values that one of a point's parts may have.
#[derive(Clone)]
pub(crate) struct Filter {
    key: Key,
    values: Vec<String>,
}

#[derive(Clone, Copy)]
enum Key {
    Modulus,
    Degree,
    Form,
}

impl Filter {
    /// Whether a point has one of them.
    pub(crate) fn takes(&self, point: &Point) -> bool {
        let has = |value: &String| match self.key {
            Key::Modulus => value == point.q_name() || *value == point.q.to_string(),
            Key::Degree => *value == point.n.to_string(),
            Key::Form => value == point.form_name(),
        };
        self.values.iter().any(has)
    }
}

impl FromStr for Filter {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (key, values) = text.split_once('=').ok_or("expected q=, n= or f= and values")?;
        let key = match key {
            "q" => Key::Modulus,
            "n" => Key::Degree,
            "f" => Key::Form,
            _ => return Err(format!("there is no {key:?}, but q, n and f")),
        };
        let filter = Filter { key, values: values.split(',').map(str::to_owned).collect() };
        if all().any(|point| filter.takes(&point)) {
            Ok(filter)
        } else {
            Err("no point has such a value".into())
        }
    }
}
