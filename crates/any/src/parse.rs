//! Ring expressions: `Z_q[x]/(f)`.
//!
//! # The grammar
//! Spaces stand anywhere between what is named here; `x` and `Z` are of any case.
//!
//! ```text
//! ring       = "Z_" modulus "[x]" "/" "(" polynomial ")"
//! modulus    = number | "(" number ")" | "{" number "}"
//! number     = [sign] power { sign power }             2^61-1
//! power      = digits [ "^" digits ]
//! polynomial = [sign] term { sign term }               x^761 - x - 1
//! term       = power [ ["*"] x-power ] | x-power       3x^2, 3*x^2, 2^8
//! x-power    = "x" [ "^" digits ]
//! sign       = "+" | "-"
//! ```

use crate::error::{MAX_BITS, MAX_DEGREE};
use crate::{Expression, Polynomial};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The most terms that are read.
const MAX_TERMS: usize = 2 * (MAX_DEGREE + 1);

/// What a ring expression has where something else was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Where, in bytes from the start: at most the text's length.
    at: usize,
    /// What stands there in a ring expression.
    expected: Expected,
}

/// What was expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    Text(&'static str),
    /// A number of at most so many bits.
    Number(u32),
    SmallExponent,
    FewerTerms,
    End,
}

impl ParseError {
    /// Where, in bytes from the start of the text; its length where the text ends too early.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The text around that place, and under it what was expected: two lines, indented, for a terminal. Texts
    /// are made fit to be shown by `shown`.
    ///
    /// ```
    /// use ringsmith_any::Expression;
    ///
    /// let text = "Z_17[x]/(x^4+)";
    /// let why = text.parse::<Expression>().unwrap_err();
    /// let [line, mark] = why.picture(text, str::to_string);
    /// assert_eq!(line, "  Z_17[x]/(x^4+)");
    /// assert_eq!(mark, "               ^ expected a term, as in x^2 or 3x");
    /// ```
    pub fn picture(&self, text: &str, shown: impl Fn(&str) -> String) -> [String; 2] {
        /// How many characters are shown on each side.
        const SIDE: usize = 30;
        let (before, after) = text.split_at_checked(self.at).unwrap_or((text, ""));
        let skipped = before.chars().count().saturating_sub(SIDE);
        let before = shown(&before.chars().skip(skipped).collect::<String>());
        let after = shown(&after.chars().take(SIDE).collect::<String>());
        let column = before.chars().count();
        [format!("  {before}{after}"), format!("  {:column$}^ {self}", "")]
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expected {
            Expected::Text(what) => write!(f, "expected {what}"),
            Expected::Number(bits) => write!(f, "expected a number of at most {bits} bits"),
            Expected::SmallExponent => write!(f, "expected an exponent of at most {MAX_DEGREE}"),
            Expected::FewerTerms => write!(f, "expected at most {MAX_TERMS} terms"),
            Expected::End => f.write_str("expected nothing more"),
        }
    }
}

impl core::error::Error for ParseError {}

/// A text, and how much of it is read.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

type Parsed<T> = Result<T, ParseError>;

/// A ring.
pub(crate) fn expression(text: &str) -> Parsed<Expression> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let q = reader.coefficients()?;
    reader.expect(b'/', "/(f)")?;
    reader.expect(b'(', "(")?;
    let f = reader.polynomial()?;
    reader.expect(b')', "a sign and a term, or )")?;
    reader.end()?;
    Ok(Expression { q, f })
}

/// A ring of polynomials, without a modulus polynomial: `Z_q[x]`.
pub(crate) fn coefficients(text: &str) -> Parsed<u64> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let q = reader.coefficients()?;
    reader.end()?;
    Ok(q)
}

/// A polynomial.
pub(crate) fn polynomial(text: &str) -> Parsed<Polynomial> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let f = reader.polynomial()?;
    reader.end()?;
    Ok(f)
}

impl Reader<'_> {
    /// The next byte that is no space, in lower case.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.get(self.at).map(u8::to_ascii_lowercase)
    }

    /// Reads a byte, if it is this one.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn error<T>(&self, expected: Expected) -> Parsed<T> {
        Err(ParseError { at: self.at, expected })
    }

    fn expect(&mut self, byte: u8, what: &'static str) -> Parsed<()> {
        if self.take(byte) { Ok(()) } else { self.error(Expected::Text(what)) }
    }

    fn end(&mut self) -> Parsed<()> {
        if self.peek().is_none() { Ok(()) } else { self.error(Expected::End) }
    }

    /// A sign, if there is one.
    fn sign(&mut self) -> Option<i128> {
        if self.take(b'+') { Some(1) } else { self.take(b'-').then_some(-1) }
    }

    /// Digits, as a number of at most so much.
    fn digits(&mut self, limit: u64, what: &'static str, large: Expected) -> Parsed<u64> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.error(Expected::Text(what));
        }
        let (start, mut number) = (self.at, 0_u64);
        while let Some(digit) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            number = match number.checked_mul(10).and_then(|x| x.checked_add(u64::from(digit - b'0'))) {
                Some(number) if number <= limit => number,
                _ => return Err(ParseError { at: start, expected: large }),
            };
            self.at += 1;
        }
        Ok(number)
    }

    /// A number or a power of one, at most `limit`; the greatest of what it is part of has so many bits.
    fn power(&mut self, limit: u64, bits: u32) -> Parsed<i128> {
        self.peek();
        let (start, large) = (self.at, Expected::Number(bits));
        let base = self.digits(limit, "a number", large)?;
        if !self.take(b'^') {
            return Ok(i128::from(base));
        }
        let exponent = self.digits(limit, "an exponent", large)?;
        let power = u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent));
        // 0 and 1 have powers of every size.
        let power = if base < 2 { Some(if exponent == 0 { 1 } else { base }) } else { power };
        match power {
            Some(power) if power <= limit => Ok(i128::from(power)),
            _ => Err(ParseError { at: start, expected: large }),
        }
    }

    /// `Z_q[x]`.
    fn coefficients(&mut self) -> Parsed<u64> {
        self.expect(b'z', "Z_")?;
        self.expect(b'_', "_ and the modulus, as in Z_3329")?;
        let close = [(b'(', b')'), (b'{', b'}')].into_iter().find(|(open, _)| self.take(*open));
        let q = self.modulus()?;
        if let Some((_, close)) = close {
            self.expect(close, "the closing parenthesis of the modulus")?;
        }
        for (byte, what) in [(b'[', "[x]"), (b'x', "x"), (b']', "]")] {
            self.expect(byte, what)?;
        }
        Ok(q)
    }

    /// A sum of powers, from 2 to `2^62`.
    fn modulus(&mut self) -> Parsed<u64> {
        self.peek();
        // What is added and taken away may be greater, as in 2^63-2^62.
        let (start, limit) = (self.at, 2 << MAX_BITS);
        let mut sum = self.sign().unwrap_or(1) * self.power(limit, MAX_BITS)?;
        while let Some(sign) = self.sign() {
            sum += sign * self.power(limit, MAX_BITS)?;
            if sum.unsigned_abs() > 4 << MAX_BITS {
                return Err(ParseError { at: start, expected: Expected::Number(MAX_BITS) });
            }
        }
        match u64::try_from(sum) {
            Ok(q) if q <= 1 << MAX_BITS => Ok(q),
            _ => Err(ParseError { at: start, expected: Expected::Number(MAX_BITS) }),
        }
    }

    /// Terms and signs, whose sum has coefficients below 2^64.
    fn polynomial(&mut self) -> Parsed<Polynomial> {
        self.peek();
        let (start, mut terms) = (self.at, Vec::new());
        let mut sign = self.sign().unwrap_or(1);
        loop {
            let (exponent, coefficient) = self.term()?;
            terms.push((exponent, sign * coefficient));
            if terms.len() > MAX_TERMS {
                return self.error(Expected::FewerTerms);
            }
            sign = match self.sign() {
                Some(sign) => sign,
                None => break,
            };
        }
        let large = ParseError { at: start, expected: Expected::Number(u64::BITS) };
        Polynomial::sum(terms).map_err(|_| large)
    }

    /// A coefficient, a power of x, or both.
    fn term(&mut self) -> Parsed<(usize, i128)> {
        if self.take(b'x') {
            return Ok((self.exponent()?, 1));
        }
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.error(Expected::Text("a term, as in x^2 or 3x"));
        }
        let coefficient = self.power(u64::MAX, u64::BITS)?;
        let times = self.take(b'*');
        match self.take(b'x') {
            true => Ok((self.exponent()?, coefficient)),
            false if times => self.error(Expected::Text("x")),
            false => Ok((0, coefficient)),
        }
    }

    /// What stands behind an x.
    fn exponent(&mut self) -> Parsed<usize> {
        if !self.take(b'^') {
            return Ok(1);
        }
        let exponent = self.digits(MAX_DEGREE as u64, "an exponent", Expected::SmallExponent)?;
        Ok(exponent as usize)
    }
}
