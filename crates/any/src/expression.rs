//! Rings as users write them.

use crate::{ParseError, Polynomial, parse};
use core::fmt;
use core::str::FromStr;

/// What a ring expression says, as in `Z_4591[x]/(x^761-x-1)`.
///
/// ```
/// use ringsmith_any::Expression;
///
/// let ring: Expression = "Z_(2^61-1)[x] / (x^1024 + 3x^2 + 1)".parse()?;
/// assert_eq!(ring.q, 2_305_843_009_213_693_951);
/// assert_eq!(ring.to_string(), "Z_2305843009213693951[x]/(x^1024+3x^2+1)");
/// let error = "Z_17[x]/(x^4+)".parse::<Expression>().unwrap_err();
/// assert_eq!((error.position(), error.to_string()), (13, "expected a term, as in x^2 or 3x".into()));
/// # Ok::<(), ringsmith_any::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    /// The modulus of the coefficients.
    pub q: u64,
    /// The modulus polynomial.
    pub f: Polynomial,
}

impl Expression {
    /// The ring of polynomials of a text, as in `Z_12289[x]`, modulo a polynomial that is given apart.
    ///
    /// # Errors
    /// Where the text is none.
    pub fn modulo(text: &str, f: Polynomial) -> Result<Self, ParseError> {
        Ok(Expression { q: parse::coefficients(text)?, f })
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Z_{}[x]/({})", self.q, self.f)
    }
}

impl FromStr for Expression {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse::expression(text)
    }
}
