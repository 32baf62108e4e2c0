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
    /// A ring: the text does not even begin as one.
    Ring,
    Modulus,
    Coefficient,
    Exponent,
    FewerTerms,
    /// Nothing: what is read has no place.
    Memory,
}

impl ParseError {
    /// Where, in bytes from the start of the text; its length where the text ends too early.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether the text does not even begin as a ring expression does: it may be meant as a name.
    ///
    /// ```
    /// use ringsmith_any::Expression;
    ///
    /// let is_name = |text: &str| text.parse::<Expression>().is_err_and(|why| why.is_name());
    /// assert!(is_name("kyber") && !is_name("Z_3329[x]/(x^256+l)"));
    /// ```
    pub fn is_name(&self) -> bool {
        self.expected == Expected::Ring
    }

    /// Whether nothing is wrong with the text, but there is not enough memory to read it.
    pub fn is_memory(&self) -> bool {
        self.expected == Expected::Memory
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
            Expected::Ring => f.write_str("expected a ring, as in Z_3329[x]/(x^256+1)"),
            Expected::Modulus => write!(f, "expected a modulus from 2 to 2^{MAX_BITS}"),
            Expected::Coefficient => write!(f, "expected a number of at most {} bits", u64::BITS),
            Expected::Exponent => write!(f, "expected an exponent from 0 to {MAX_DEGREE}"),
            Expected::FewerTerms => write!(f, "expected at most {MAX_TERMS} terms"),
            Expected::Memory => f.write_str("there is not enough memory"),
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
    reader.expect(b'/', "/ and a polynomial in parentheses, as in Z_3329[x]/(x^256+1)")?;
    reader.expect(b'(', "a polynomial in parentheses, as in Z_3329[x]/(x^256+1)")?;
    let f = reader.polynomial()?;
    let what = if reader.is_behind_x() { "^, a sign and a term, or )" } else { "a sign and a term, or )" };
    reader.expect(b')', what)?;
    reader.end("nothing behind the ring")?;
    Ok(Expression { q, f })
}

/// A ring of polynomials, without a modulus polynomial: `Z_q[x]`.
pub(crate) fn coefficients(text: &str) -> Parsed<u64> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let q = reader.coefficients()?;
    reader.end("nothing behind [x], as the polynomial is given apart")?;
    Ok(q)
}

/// A polynomial.
pub(crate) fn polynomial(text: &str) -> Parsed<Polynomial> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let f = reader.polynomial()?;
    let what = if reader.is_behind_x() { "^, or a sign and a term" } else { "a sign and a term" };
    reader.end(what)?;
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

    fn end(&mut self, what: &'static str) -> Parsed<()> {
        if self.peek().is_none() { Ok(()) } else { self.error(Expected::Text(what)) }
    }

    /// Whether the last thing that was read is an `x`.
    fn is_behind_x(&self) -> bool {
        self.text[..self.at].trim_ascii_end().last().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'x'))
    }

    /// A sign, if there is one.
    fn sign(&mut self) -> Option<i128> {
        if self.take(b'+') { Some(1) } else { self.take(b'-').then_some(-1) }
    }

    /// Digits, as a number of at most so much: what is expected where there are none, or more.
    fn digits(&mut self, limit: u64, none: Expected, large: Expected) -> Parsed<u64> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.error(none);
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

    /// A number or a power of one, at most `limit`: what is expected where there is none, or a greater one.
    fn power(&mut self, limit: u64, none: &'static str, large: Expected) -> Parsed<i128> {
        self.peek();
        let start = self.at;
        let base = self.digits(limit, Expected::Text(none), large)?;
        if !self.take(b'^') {
            return Ok(i128::from(base));
        }
        let exponent = self.digits(limit, Expected::Text("an exponent"), large)?;
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
        if !self.take(b'z') {
            return self.error(Expected::Ring);
        }
        self.expect(b'_', "_ and the modulus, as in Z_3329")?;
        let parenthesis = (b'(', b')', "a sign and a number, or the modulus's closing parenthesis");
        let brace = (b'{', b'}', "a sign and a number, or the modulus's closing brace");
        let close = [parenthesis, brace].into_iter().find(|(open, ..)| self.take(*open));
        let q = self.modulus()?;
        if let Some((_, close, what)) = close {
            self.expect(close, what)?;
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
        let refused = Err(ParseError { at: start, expected: Expected::Modulus });
        let first = self.sign().unwrap_or(1);
        let mut sum = first * self.power(limit, "a modulus, as in 3329 or 2^61-1", Expected::Modulus)?;
        while let Some(sign) = self.sign() {
            sum += sign * self.power(limit, "a number", Expected::Modulus)?;
            if sum.unsigned_abs() > 4 << MAX_BITS {
                return refused;
            }
        }
        match u64::try_from(sum) {
            Ok(q) if q <= 1 << MAX_BITS => Ok(q),
            _ => refused,
        }
    }

    /// Terms and signs, whose sum has coefficients below 2^64.
    fn polynomial(&mut self) -> Parsed<Polynomial> {
        self.peek();
        let (start, mut terms) = (self.at, Vec::new());
        let mut sign = self.sign().unwrap_or(1);
        loop {
            let (exponent, coefficient) = self.term()?;
            if terms.len() == MAX_TERMS {
                return self.error(Expected::FewerTerms);
            }
            terms.try_reserve(1).or_else(|_| self.error(Expected::Memory))?;
            terms.push((exponent, sign * coefficient));
            sign = match self.sign() {
                Some(sign) => sign,
                None => break,
            };
        }
        let large = ParseError { at: start, expected: Expected::Coefficient };
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
        let coefficient = self.power(u64::MAX, "a number", Expected::Coefficient)?;
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
        let exponent = self.digits(MAX_DEGREE as u64, Expected::Exponent, Expected::Exponent)?;
        Ok(exponent as usize)
    }
}
