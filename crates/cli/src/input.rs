//! Reading polynomials: one a line, coefficients separated by spaces or commas, the constant term first.
//!
//! Blank lines and lines that start with `#` are skipped. Memory is that of one line, and a line is limited.

use crate::error::{Error, Problem};
use crate::shown::{self, excerpt};
use ringsmith::{Poly, Ring};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::num::IntErrorKind;
use std::path::Path;

/// The longest line accepted, in bytes: a little more than 65536 coefficients of 62 bits need.
const LONGEST_LINE: usize = 3 << 19;

/// The polynomials of a file or of standard input, one after the other.
pub(crate) struct Polynomials {
    name: String,
    reader: Box<dyn BufRead>,
    /// The number of the line read last, from 1.
    line: u64,
    bytes: Vec<u8>,
    values: Vec<i64>,
}

impl Polynomials {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        if path == Path::new("-") {
            return Ok(Self::new("standard input".into(), Box::new(io::stdin().lock())));
        }
        let name = shown::name(path);
        match File::open(path) {
            Ok(file) => Ok(Self::new(name, Box::new(BufReader::new(file)))),
            Err(why) => Err(Error::Read { name, why }),
        }
    }

    fn new(name: String, reader: Box<dyn BufRead>) -> Self {
        Polynomials { name, reader, line: 0, bytes: Vec::new(), values: Vec::new() }
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The number of the line that was read last.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The next polynomial, or `None` at the end.
    pub(crate) fn next<R: Ring>(&mut self) -> Result<Option<Poly<R>>, Error> {
        let accepted = Accepted::of::<R>();
        let Some(values) = self.next_values(accepted)? else { return Ok(None) };
        // Not as many as the ring has is the only reason.
        let count = accepted.count(values);
        Poly::new(values).map(Some).map_err(|_| self.problem(count))
    }

    /// The coefficients of the next polynomial, or `None` at the end.
    pub(crate) fn next_values(&mut self, accepted: Accepted) -> Result<Option<&[i64]>, Error> {
        while self.read_line()? {
            match parse(&self.bytes, accepted, &mut self.values) {
                Ok(false) => {}
                Ok(true) => return Ok(Some(&self.values)),
                Err(problem) => return Err(self.problem(problem)),
            }
        }
        Ok(None)
    }

    /// Reads a line, without its end, into `bytes`; false at the end of the input.
    fn read_line(&mut self) -> Result<bool, Error> {
        self.bytes.clear();
        let mut limited = (&mut self.reader).take(LONGEST_LINE as u64 + 1);
        let read = limited.read_until(b'\n', &mut self.bytes);
        if read.map_err(|why| Error::Read { name: self.name.clone(), why })? == 0 {
            return Ok(false);
        }
        self.line += 1;
        if self.bytes.last() == Some(&b'\n') {
            self.bytes.pop();
        }
        if self.bytes.len() > LONGEST_LINE {
            return Err(self.problem(Problem::TooLong { limit: LONGEST_LINE }));
        }
        Ok(true)
    }

    fn problem(&self, problem: Problem) -> Error {
        Error::Line { name: self.name.clone(), line: self.line, problem }
    }
}

/// Which coefficients, and how many, a ring's polynomials have.
#[derive(Clone, Copy)]
pub(crate) struct Accepted {
    /// The least: `-q / 2`, rounded towards 0.
    low: i64,
    /// The greatest: `q - 1`.
    high: i64,
    /// How many, `None` where any number will do.
    degree: Option<usize>,
}

impl Accepted {
    /// Of `Z_q[x]/(f)`, `f` of this degree.
    pub(crate) fn new(q: i64, degree: usize) -> Self {
        Accepted { degree: Some(degree), ..Accepted::of_any_degree(q) }
    }

    /// Of polynomials modulo `q`.
    pub(crate) fn of_any_degree(q: i64) -> Self {
        Accepted { low: -(q / 2), high: q - 1, degree: None }
    }

    /// Of a ring.
    fn of<R: Ring>() -> Self {
        Accepted::new(R::Q, R::N)
    }

    /// What is wrong with another number of coefficients.
    fn count(self, values: &[i64]) -> Problem {
        Problem::Count { expected: self.degree.unwrap_or(0), given: values.len() }
    }
}

/// Reads the polynomial in a line; false where the line is blank or a comment.
fn parse(line: &[u8], accepted: Accepted, values: &mut Vec<i64>) -> Result<bool, Problem> {
    let text = str::from_utf8(line).map_err(|e| Problem::NotUtf8 { column: e.valid_up_to() + 1 })?;
    // Some editors start a file with this mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() || text.trim_start().starts_with('#') {
        return Ok(false);
    }
    let Accepted { low, high, degree } = accepted;
    values.clear();
    for word in text.split([' ', '\t', '\r', ',']).filter(|word| !word.is_empty()) {
        values.push(coefficient(word, low, high).map_err(|wrong| {
            let column = text[..word.as_ptr() as usize - text.as_ptr() as usize].chars().count() + 1;
            wrong.at(values.len() + 1, column, word, low, high)
        })?);
    }
    match degree {
        Some(degree) if values.len() != degree => Err(accepted.count(values)),
        _ => Ok(true),
    }
}

/// What is wrong with a word.
enum Wrong {
    Text,
    Range,
}

impl Wrong {
    fn at(self, index: usize, column: usize, word: &str, low: i64, high: i64) -> Problem {
        let text = excerpt(word);
        match self {
            Wrong::Text => Problem::NotANumber { index, column, text, low, high },
            Wrong::Range => Problem::OutOfRange { index, column, text, low, high },
        }
    }
}

/// A coefficient in `low..=high`.
fn coefficient(word: &str, low: i64, high: i64) -> Result<i64, Wrong> {
    match word.parse::<i64>() {
        Ok(x) if (low..=high).contains(&x) => Ok(x),
        Ok(_) => Err(Wrong::Range),
        Err(e) if matches!(e.kind(), IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => {
            Err(Wrong::Range)
        }
        Err(_) => Err(Wrong::Text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith::rings::MlKem;
    use ringsmith_oracle::Random;

    fn read(text: &[u8]) -> Result<Option<Poly<MlKem>>, Problem> {
        let mut values = Vec::new();
        let found = parse(text, Accepted::of::<MlKem>(), &mut values)?;
        Ok(found.then(|| Poly::new(values.as_slice()).unwrap()))
    }

    /// Protects: every separator, line end and representative that the help promises.
    #[test]
    fn forms_of_a_line() {
        let expected = |x: i16| [[x; 1].as_slice(), &[0; 255]].concat();
        let zeros = " 0".repeat(255);
        for start in ["3328", "-1", "+3328,", "\t3328 ,", "\u{feff}-1"] {
            let poly = read(format!("{start}{zeros}\r").as_bytes()).unwrap().unwrap();
            assert_eq!(poly.centred(), expected(-1), "{start}");
        }
        for skipped in ["", " \t\r", "# 1 2 3", "  #"] {
            assert!(read(skipped.as_bytes()).unwrap().is_none(), "{skipped}");
        }
    }

    /// Protects: the limits of the accepted range are the ones in the message.
    #[test]
    fn range_of_a_coefficient() {
        for (word, accepted) in [("-1664", true), ("-1665", false), ("3328", true), ("3329", false)] {
            assert_eq!(read(format!("{word}{}", " 0".repeat(255)).as_bytes()).is_ok(), accepted, "{word}");
        }
        let huge = Problem::OutOfRange { index: 2, column: 3, text: "9".repeat(30), low: -1664, high: 3328 };
        assert_eq!(read(format!("0,{}", "9".repeat(30)).as_bytes()).err(), Some(huge));
    }

    /// Protects: the place in a message is counted in characters, from 1.
    #[test]
    fn places() {
        let text = || "µ".to_string();
        let expected = Problem::NotANumber { index: 3, column: 6, text: text(), low: -1664, high: 3328 };
        assert_eq!(read("1, 2 µ".as_bytes()).err(), Some(expected));
        assert_eq!(read(b"1 2\xff").err(), Some(Problem::NotUtf8 { column: 4 }));
        assert_eq!(read(b"1 2").err(), Some(Problem::Count { expected: 256, given: 2 }));
    }

    /// Bytes that a line is changed with.
    const BYTES: &[u8] = b"0123456789+-,# \t\r\n\0x\xef\xbb\xbf\xc2\xb5\xe2\x80\xae\xff";

    /// What holds of a line, whatever is in it: a polynomial is the one that its own coefficients are read
    /// as, and a message quotes what stands at its place.
    fn holds(line: &[u8]) {
        let at = |column: usize, quoted: &str| {
            let text = str::from_utf8(line).unwrap();
            let text: String =
                text.strip_prefix('\u{feff}').unwrap_or(text).chars().skip(column - 1).collect();
            assert!(text.starts_with(quoted.trim_end_matches("...")), "{quoted:?} in {text:?}");
        };
        match read(line) {
            Ok(None) => assert!(line.contains(&b'#') || !line.iter().any(u8::is_ascii_digit)),
            Ok(Some(poly)) => {
                let words: Vec<String> = poly.centred().iter().map(i16::to_string).collect();
                let again = read(words.join(" ").as_bytes()).unwrap().unwrap();
                assert_eq!(again.centred(), poly.centred());
            }
            Err(Problem::NotUtf8 { column }) => assert!(str::from_utf8(&line[..column - 1]).is_ok()),
            Err(Problem::NotANumber { column, text, .. } | Problem::OutOfRange { column, text, .. }) => {
                at(column, &text);
            }
            Err(Problem::Count { given, .. }) => assert!(given != 256 && given <= line.len()),
            Err(Problem::TooLong { .. }) => panic!("a line's length is checked before"),
        }
    }

    /// Protects: no bytes of a line make the reader panic, and its messages are true. `RINGSMITH_LINES` says
    /// how many lines.
    #[test]
    fn any_bytes() {
        let lines = std::env::var("RINGSMITH_LINES").map_or(20_000, |text| text.parse().unwrap());
        let mut random = Random::new(1);
        let whole: Vec<String> = (0..256).map(|_| random.within(-1664, 3328).to_string()).collect();
        let whole = whole.join(",").into_bytes();
        for _ in 0..lines {
            let mut line = whole.clone();
            for _ in 0..random.within(1, 4) {
                let place = random.within(0, line.len() as i64 - 1) as usize;
                line[place] = BYTES[random.within(0, BYTES.len() as i64 - 1) as usize];
            }
            holds(&line);
            // Another start, of few bytes: most of it is none of the alphabet's words.
            let start: Vec<u8> = (0..random.within(0, 12))
                .map(|_| BYTES[random.within(0, BYTES.len() as i64 - 1) as usize])
                .collect();
            holds(&start);
        }
    }
}
