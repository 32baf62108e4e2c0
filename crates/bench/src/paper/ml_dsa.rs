//! FIPS 204: ML-DSA by this library and by others, in one run on the same keys and messages.
//!
//! With `first` and `mean` of the list of signatures, and `attempts` the mean of its attempts, one more
//! takes `(mean - first) / (attempts - 1)`. Of a library that draws its randomness itself the attempts are
//! those that the standard expects.

use super::table::{Line, Table, Unit};
use super::{Beside, Paper, no_cases};
use crate::RINGSMITH;
use crate::measurement::Measurement;
use crate::signature::list::{SETS, Set};
use crate::signature::{HEDGED, KEYGEN, SIGN, SIGN_PREPARED, SUITE, VERIFY, VERIFY_PREPARED};
use ringsmith_simd::{Scalar, Simd};

pub(super) const PAPER: Paper = Paper {
    name: "ml-dsa",
    source: "standard FIPS 204. Signatures of 64 keys and messages with randomness zero: the same attempts",
    blocks: Vec::new,
    own_cases: no_cases,
    beside: Some(Beside { suite: SUITE, legend: LEGEND, tables }),
    on_gpu: false,
};

const LEGEND: &str = "\
first    a signature at the first attempt; median, mean: over the list; attempt: one attempt more
p.       with prepared keys, of which the library keeps what follows from them
ratios   our time in the other library's: below 1 ours is faster
";

/// The columns, each with its operation and its figure.
type Column = (&'static str, &'static str, fn(&Measurement) -> Option<f64>);

/// Those of a table.
const COLUMNS: [Column; 9] = [
    ("keygen", KEYGEN, first),
    ("first", SIGN, first),
    ("median", SIGN, middle),
    ("mean", SIGN, mean),
    ("attempt", SIGN, attempt),
    ("verify", VERIFY, first),
    ("p. first", SIGN_PREPARED, first),
    ("p. mean", SIGN_PREPARED, mean),
    ("p. verify", VERIFY_PREPARED, first),
];

fn first(row: &Measurement) -> Option<f64> {
    Some(row.core_cycles() / 1e3)
}

fn middle(row: &Measurement) -> Option<f64> {
    Some(row.in_core_cycles(row.cycles_median) / 1e3)
}

fn mean(row: &Measurement) -> Option<f64> {
    row.cycles_mean.map(|mean| row.in_core_cycles(mean) / 1e3)
}

fn attempt(row: &Measurement) -> Option<f64> {
    let set = Set::find(&row.subject)?;
    let attempts = if row.route == HEDGED { set.expected_attempts } else { set.attempts() };
    Some((mean(row)? - first(row)?) / (attempts - 1.0))
}

/// A library on a CPU backend, with its figures of a set.
struct Library<'a> {
    name: &'a str,
    cpu: &'a str,
    hedged: bool,
    figures: Vec<Option<f64>>,
}

impl<'a> Library<'a> {
    fn is_ours(&self) -> bool {
        self.name == RINGSMITH
    }

    fn label(&self) -> String {
        let randomness = if self.hedged { ", hedged" } else { "" };
        format!("{}{randomness}", self.cpu)
    }

    /// Those of a set, ours first.
    fn all(set: &Set, rows: &'a [Measurement]) -> Vec<Self> {
        let rows: Vec<_> = rows.iter().filter(|row| row.suite == SUITE && row.subject == set.name).collect();
        let mut libraries: Vec<Library> = Vec::new();
        for row in &rows {
            if !libraries.iter().any(|library| library.made(row)) {
                let (name, cpu, hedged) = (&row.implementation, &row.cpu, row.route == HEDGED);
                libraries.push(Library { name, cpu, hedged, figures: Vec::new() });
            }
        }
        libraries.sort_by_key(|library| !library.is_ours());
        for library in &mut libraries {
            let figure = |(_, operation, figure): Column| {
                figure(rows.iter().find(|row| row.operation == operation && library.made(row))?)
            };
            library.figures = COLUMNS.map(figure).into();
        }
        libraries
    }

    fn made(&self, row: &Measurement) -> bool {
        self.name == row.implementation && self.cpu == row.cpu
    }

    /// Whether a ratio of ours to a peer says something: on the same instructions, or on more than those of
    /// its vector code.
    fn is_compared(&self, peer: &Library) -> bool {
        match (self.cpu, peer.cpu) {
            (ours, theirs) if ours == theirs => true,
            (ours, theirs) => theirs != Scalar::NAME && ours == "avx512",
        }
    }
}

/// Two tables for each set: times, and ratios where a peer was measured.
pub(crate) fn tables(rows: &[Measurement]) -> Vec<Table> {
    let of_set = |set: &'static Set| {
        let libraries = Library::all(set, rows);
        let ratios = ratios(set, &libraries);
        [(!libraries.is_empty()).then(|| times(set, &libraries)), ratios].into_iter().flatten()
    };
    SETS.iter().flat_map(of_set).collect()
}

fn table(title: String, unit: Unit, texts: [&'static str; 2], lines: Vec<Line>) -> Table {
    let ours = COLUMNS.iter().map(|column| column.0.to_owned()).collect();
    Table { title, unit, texts, published: &[], ours, lines, notes: Vec::new() }
}

fn times(set: &Set, libraries: &[Library]) -> Table {
    let line = |library: &Library| Line {
        subject: library.name.into(),
        item: library.label(),
        route: "",
        published: Vec::new(),
        ours: library.figures.clone(),
        lacks: None,
    };
    let title = format!("{}: {:.2} attempts a signature", set.name, set.attempts());
    let mut table = table(title, Unit::Kilocycles, ["library", "on"], libraries.iter().map(line).collect());
    if libraries.iter().all(Library::is_ours) {
        table.notes.push(
            "- no other library was measured: `cargo xtask bench --peers --table ml-dsa` does so".into(),
        );
    }
    table
}

fn ratios(set: &Set, libraries: &[Library]) -> Option<Table> {
    let (ours, peers): (Vec<&Library>, Vec<&Library>) =
        libraries.iter().partition(|library| library.is_ours());
    let line = |ours: &Library, peer: &Library| Line {
        subject: peer.name.into(),
        item: format!("{} / {}", ours.cpu, peer.label()),
        route: "",
        published: Vec::new(),
        ours: ours
            .figures
            .iter()
            .zip(&peer.figures)
            .map(|(ours, theirs)| Some((*ours)? / (*theirs)?))
            .collect(),
        lacks: None,
    };
    let pairs = peers.iter().flat_map(|peer| ours.iter().map(move |ours| (*ours, *peer)));
    let lines: Vec<_> =
        pairs.filter(|(ours, peer)| ours.is_compared(peer)).map(|(ours, peer)| line(ours, peer)).collect();
    let title = format!("{}: ours / theirs", set.name);
    (!lines.is_empty()).then(|| table(title, Unit::Quotient, ["library", "ours / theirs"], lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::sample;
    use crate::paper::text;

    /// Protects: the tables of a sample: what is derived from the row of signatures, ratios to code on the
    /// same instructions and from AVX-512 to vector code, none to portable code; what is not known.
    #[test]
    fn tables_of_a_sample() {
        let tables = tables(&sample::signatures());
        let [times, ratios] = &tables[..] else { panic!("{}", tables.len()) };
        let attempts = SETS[0].attempts();
        assert!(text(times).starts_with(&format!("ML-DSA-44: {attempts:.2} attempts")), "{}", text(times));
        let of = |table: &Table, subject: &str, item: &str| {
            let line = table.lines.iter().find(|line| line.subject == subject && line.item == item);
            line.unwrap_or_else(|| panic!("{subject} {item}")).ours.clone()
        };
        let attempt = Some(30.0 / (attempts - 1.0));
        let expected = [Some(5.0), Some(10.0), Some(30.0), Some(40.0), attempt];
        assert_eq!(of(times, "ringsmith", "avx2")[..5], expected);
        assert_eq!(of(times, "ringsmith", "avx2")[5..], [None; 4]);
        let expected = Some(60.0 / (SETS[0].expected_attempts - 1.0));
        assert_eq!(of(times, "peer 1.2.3", "avx2, hedged")[4], expected);
        assert_eq!(of(ratios, "peer 1.2.3", "avx512 / avx2, hedged")[1], Some(0.25));
        assert_eq!(of(ratios, "peer 1.2.3", "avx2 / avx2, hedged")[1..4], [Some(0.5); 3]);
        assert_eq!(ratios.lines.len(), 2);
        assert!(times.notes.is_empty());
    }
}
