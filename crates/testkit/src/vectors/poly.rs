//! Parts of NTRU's operations on lists of numbers: files `SET_poly_FUNCTION.txt`, as Bouncy Castle's test
//! data (`bcgit/bc-test-data`, `pqc/crypto`) have them.
//!
//! A record is a line `count`, and a line of decimal numbers for each operand and for the result. Operands
//! are any words of 16 bits: what the reference makes of them, modulo `q` or modulo 3. Which function of the
//! reference a file is of stands in its name alone.
//!
//! | function | operands | result |
//! |---|---|---|
//! | `Rq_mul`, `Sq_mul` | `a`, `b` | `r`: the product modulo `q`, and `x^n - 1` or `Phi_n` |
//! | `mod_q_Phi_n`, `mod_3_Phi_n` | `r` | `res`: reduced |
//! | `Rq_to_S3` | `a` | `r`: of numbers modulo `q`, reduced modulo 3 and `Phi_n` |
//! | `R2_inv`, `S3_inv` | `a` | `r`: the inverse modulo 2, or modulo 3, and `Phi_n` |
//! | `Rq_sum_zero_tobytes`, `S3_tobytes` | `a` | `r`, `msg`: bytes |
//! | `Rq_sum_zero_frombytes`, `Sq_frombytes`, `S3_frombytes` | `r`, `r`, `msg`: bytes | `a` |
//! | `Z3_to_Zq`, `trinary_Zq_to_Z3` | `r` | `res`: how -1 is written |
//!
//! Three functions are of use for some words only, and are checked for these: `mod_3_Phi_n` adds twice the
//! top word to each, which may wrap; `Z3_to_Zq` takes coefficients in `[0, 3)`, and `trinary_Zq_to_Z3` those
//! that are ternary modulo `q`, each below the top one.

use super::subject::Outcome;
use super::tally::{Kind, Tally};
use super::text::{self, Line, excerpt, optional};
use super::{FileError, Run};
use ringsmith::rings::{NtruHps509, NtruHps677, NtruHps821, NtruHps1229, NtruHrss701, NtruHrss1373};
use ringsmith_ntru::internals::{self as parts, InverseModulo2};
use ringsmith_simd::Cpu;

/// What the numbers of a list are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// As many words as coefficients.
    Words,
    /// Bytes of an element modulo `q`.
    Bytes,
    /// Bytes of a ternary element.
    TernaryBytes,
}

use List::{Bytes, TernaryBytes, Words};

/// What is computed.
#[derive(Clone, Copy)]
enum Part {
    Product { phi: bool },
    Reduced,
    SmallModulo3,
    Modulo3,
    InverseModulo2,
    InverseModulo3,
    Encoded,
    EncodedTernary,
    Decoded { sum_zero: bool },
    DecodedTernary,
    Widened,
    Narrowed,
}

/// A list by its name in a record.
type Named = (&'static str, List);

/// A function of the reference.
struct Function {
    name: &'static str,
    part: Part,
    kind: Kind,
    operands: &'static [Named],
    result: Named,
}

impl Function {
    const fn new(
        name: &'static str,
        part: Part,
        kind: Kind,
        operands: &'static [Named],
        result: Named,
    ) -> Self {
        Function { name, part, kind, operands, result }
    }
}

const A: &[Named] = &[("a", Words)];
const R: &[Named] = &[("r", Words)];
const OF_BYTES: &[Named] = &[("r", Bytes)];
const BOTH: &[Named] = &[("a", Words), ("b", Words)];

/// All functions.
static FUNCTIONS: [Function; 14] = [
    Function::new("Rq_mul", Part::Product { phi: false }, Kind::Product, BOTH, ("r", Words)),
    Function::new("Sq_mul", Part::Product { phi: true }, Kind::Product, BOTH, ("r", Words)),
    Function::new("mod_q_Phi_n", Part::Reduced, Kind::Reduction, R, ("res", Words)),
    Function::new("mod_3_Phi_n", Part::SmallModulo3, Kind::Reduction, R, ("res", Words)),
    Function::new("Rq_to_S3", Part::Modulo3, Kind::Reduction, A, ("r", Words)),
    Function::new("R2_inv", Part::InverseModulo2, Kind::Inverse, A, ("r", Words)),
    Function::new("S3_inv", Part::InverseModulo3, Kind::Inverse, A, ("r", Words)),
    Function::new("Rq_sum_zero_tobytes", Part::Encoded, Kind::Encoding, A, ("r", Bytes)),
    Function::new("S3_tobytes", Part::EncodedTernary, Kind::Encoding, A, ("msg", TernaryBytes)),
    Function::new(
        "Rq_sum_zero_frombytes",
        Part::Decoded { sum_zero: true },
        Kind::Decoding,
        OF_BYTES,
        ("a", Words),
    ),
    Function::new("Sq_frombytes", Part::Decoded { sum_zero: false }, Kind::Decoding, OF_BYTES, ("a", Words)),
    Function::new(
        "S3_frombytes",
        Part::DecodedTernary,
        Kind::Decoding,
        &[("msg", TernaryBytes)],
        ("a", Words),
    ),
    Function::new("Z3_to_Zq", Part::Widened, Kind::Representatives, R, ("res", Words)),
    Function::new("trinary_Zq_to_Z3", Part::Narrowed, Kind::Representatives, R, ("res", Words)),
];

/// Ours and the file's, of a part of operands: as far as a file's are of use.
type Compare = fn(Cpu, Part, &[Vec<u16>], &[u16]) -> [Vec<u16>; 2];

/// A set.
struct Set {
    name: &'static str,
    n: usize,
    bits: usize,
    compare: Compare,
}

impl Set {
    const fn of<R: InverseModulo2>(name: &'static str) -> Self {
        Set { name, n: R::N, bits: R::Q.ilog2() as usize, compare: compare::<R> }
    }

    /// How many numbers a list has, and the greatest.
    const fn size(&self, list: List) -> (usize, u16) {
        match list {
            Words => (self.n, u16::MAX),
            Bytes => ((self.bits * (self.n - 1)).div_ceil(8), 0xff),
            TernaryBytes => ((self.n - 1).div_ceil(5), 0xff),
        }
    }
}

/// All sets.
static SETS: [Set; 6] = [
    Set::of::<NtruHps509>("ntruhps2048509"),
    Set::of::<NtruHps677>("ntruhps2048677"),
    Set::of::<NtruHps821>("ntruhps4096821"),
    Set::of::<NtruHps1229>("ntruhps40961229"),
    Set::of::<NtruHrss701>("ntruhrss701"),
    Set::of::<NtruHrss1373>("ntruhrss1373"),
];

/// What a file is of.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    set: &'static Set,
    function: &'static Function,
}

impl Subject {
    /// What a file of this name is of, where it is one of these files.
    pub(super) fn named(file: &str) -> Option<Subject> {
        let (set, rest) = file.split_once("_poly_")?;
        let (function, _) = rest.split_once(".txt")?;
        let set = SETS.iter().find(|one| one.name == set)?;
        Some(Subject { set, function: FUNCTIONS.iter().find(|one| one.name == function)? })
    }

    /// Checks a file.
    pub(super) fn check(self, run: Run, text: &str) -> Result<Tally, FileError> {
        let Subject { set, function } = self;
        let mut tally = Tally::new("parts of NTRU");
        let lines = text::lines(text).map(Line::parse).collect::<Result<Vec<_>, _>>()?;
        for record in lines.chunk_by(|_, next| next.name != "count") {
            let list = |named| self.list(record, named);
            let operands = function.operands.iter().map(list).collect::<Result<Vec<_>, _>>()?;
            let (published, case) = (self.list(record, &function.result)?, case(record)?);
            let outcome = if run.selection.takes(set.name) {
                same((set.compare)(run.cpu, function.part, &operands, &published))
            } else {
                Outcome::NotChecked("other set")
            };
            tally.count(set.name, function.kind, case, outcome);
        }
        Ok(tally)
    }

    /// A list of a record.
    fn list(self, record: &[Line], &(name, list): &Named) -> Result<Vec<u16>, FileError> {
        let missing = || format!("the record that starts here has no `{name}`");
        let line = optional(record, name)?.ok_or_else(|| FileError::line(record[0].number, missing()))?;
        let (length, greatest) = self.set.size(list);
        let number = |word: &str| {
            let number = word.parse().ok().filter(|number| *number <= greatest);
            number.ok_or_else(|| {
                let what = format!("`{}` is no number from 0 to {greatest}", excerpt(word));
                FileError::line(line.number, what)
            })
        };
        let numbers = line.value()?.split_whitespace().map(number).collect::<Result<Vec<_>, _>>()?;
        if numbers.len() != length {
            let what = format!("`{name}` has {} numbers, not {length}", numbers.len());
            return Err(FileError::line(line.number, what));
        }
        Ok(numbers)
    }
}

/// How a record is called.
fn case(record: &[Line]) -> Result<String, FileError> {
    let first = &record[0];
    match first.name {
        "count" => Ok(format!("count = {}", excerpt(first.value()?))),
        _ => Err(FileError::line(first.number, "no `count` before this line")),
    }
}

/// Whether our numbers are the file's; if not, the first that differs.
fn same([ours, published]: [Vec<u16>; 2]) -> Outcome {
    match ours.iter().zip(&published).position(|(ours, published)| ours != published) {
        None if ours.len() == published.len() => Outcome::Passed,
        None => Outcome::Failed(format!("has {} numbers, ours {}", published.len(), ours.len())),
        Some(i) => Outcome::Failed(format!("number {i} differs")),
    }
}

/// A list of numbers that a function fills.
fn filled<T: Default + Clone>(length: usize, fill: impl FnOnce(&mut [T])) -> Vec<T> {
    let mut out = vec![T::default(); length];
    fill(&mut out);
    out
}

/// The same, where there is such a list; none otherwise.
fn found(length: usize, fill: impl FnOnce(&mut [u16]) -> bool) -> Vec<u16> {
    let mut out = vec![0; length];
    if fill(&mut out) { out } else { Vec::new() }
}

fn words(bytes: Vec<u8>) -> Vec<u16> {
    bytes.into_iter().map(u16::from).collect()
}

fn bytes(words: &[u16]) -> Vec<u8> {
    words.iter().map(|x| *x as u8).collect()
}

/// The numbers of both lists in places that are of use.
fn of_use(lists: [Vec<u16>; 2], is_of_use: impl Fn(usize) -> bool) -> [Vec<u16>; 2] {
    lists.map(|list| list.into_iter().enumerate().filter(|(i, _)| is_of_use(*i)).map(|(_, x)| x).collect())
}

/// [`Compare`] in a ring.
fn compare<R: InverseModulo2>(
    cpu: Cpu,
    part: Part,
    operands: &[Vec<u16>],
    published: &[u16],
) -> [Vec<u16>; 2] {
    let (n, q, a, length) = (R::N, R::Q as u16, &operands[0], published.len());
    let ours = match part {
        Part::Product { phi } => filled(n, |out| parts::product::<R>(cpu, [a, &operands[1]], phi, out)),
        Part::Reduced => filled(n, |out| parts::reduced::<R>(cpu, a, out)),
        Part::Modulo3 => filled(n, |out| parts::reduced_modulo_3::<R>(cpu, a, out)),
        Part::InverseModulo2 => found(n, |out| R::inverse_modulo_2(cpu, a, out)),
        Part::InverseModulo3 => {
            // The reference reads two bits of each coefficient.
            let a: Vec<_> = a.iter().map(|x| x & 3).collect();
            found(n, |out| parts::inverse_modulo_3::<R>(cpu, &a, out))
        }
        Part::Encoded => words(filled(length, |out| parts::encoded::<R>(cpu, a, out))),
        Part::EncodedTernary => words(filled(length, |out| parts::encoded_ternary::<R>(cpu, a, out))),
        Part::Decoded { sum_zero } => filled(n, |out| parts::decoded::<R>(cpu, &bytes(a), sum_zero, out)),
        Part::DecodedTernary => filled(n, |out| parts::decoded_ternary::<R>(cpu, &bytes(a), out)),
        Part::SmallModulo3 | Part::Widened | Part::Narrowed => {
            return compare_some::<R>(cpu, part, a, published);
        }
    };
    let modulo_q = matches!(part, Part::Product { .. } | Part::Reduced | Part::Decoded { .. });
    let published = published.iter().map(|x| if modulo_q { x % q } else { *x }).collect();
    [ours, published]
}

/// The same of functions that some words are of no use to.
fn compare_some<R: InverseModulo2>(cpu: Cpu, part: Part, a: &[u16], published: &[u16]) -> [Vec<u16>; 2] {
    let (n, q, published) = (R::N, R::Q as u16, published.to_vec());
    let is_ternary = |i: usize| match part {
        Part::Widened => i < n - 1 && a[i] < 3,
        _ => i < n - 1 && [0, 1, q - 1].contains(&(a[i] % q)),
    };
    let ternary: Vec<_> = (0..n).map(|i| if is_ternary(i) { a[i] } else { 0 }).collect();
    match part {
        Part::SmallModulo3 => {
            let small: Vec<_> = a.iter().map(|x| x % 3).collect();
            let ours = filled(n, |out| parts::reduced_modulo_3::<R>(cpu, &small, out));
            let wraps = |i: usize| u32::from(a[i]) + 2 * u32::from(a[n - 1]) > u32::from(u16::MAX);
            of_use([ours, published], |i| !wraps(i))
        }
        Part::Widened => {
            let ours = filled(n, |out| parts::widened::<R>(&ternary, out));
            of_use([ours, published], is_ternary)
        }
        _ => {
            let ours = found(n, |out| parts::narrowed::<R>(cpu, &ternary, out));
            of_use([ours, published], is_ternary)
        }
    }
}
