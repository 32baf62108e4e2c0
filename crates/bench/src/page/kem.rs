//! The section on the schemes: a column for each backend of ours and for each peer.

use super::{Page, distinct, image, is_ours, schemes};
use crate::measurement::Measurement;
use crate::{RINGSMITH, peers};
use std::fmt::Write;

/// What the operations are.
const OPENING: &str = "\
From encoded bytes to encoded bytes: `encapsulate` reads a public key, checks it and expands it, `decapsulate`
a private key. `-prepared`: with a key that was read before. `keygen-batch-32`: one of 32 key pairs that \
are made together. Randomness comes
from one generator in memory, whose cost is the line `randomness`, but where a note says otherwise. \
In parentheses: the peer's cost over that
of our fastest backend; above 1 ours is faster. The picture shows these ratios, of one set of each kind, and \
those of signatures and products.

";

/// A column: what was measured, by whom and where.
#[derive(PartialEq)]
struct Column<'a> {
    implementation: &'a str,
    cpu: &'a str,
    route: &'a str,
}

impl<'a> Column<'a> {
    fn of(row: &'a Measurement) -> Self {
        Column { implementation: &row.implementation, cpu: &row.cpu, route: &row.route }
    }

    fn title(&self) -> String {
        let Column { implementation, cpu, route } = self;
        match *implementation == RINGSMITH {
            true => (*cpu).into(),
            false => schemes::label(implementation, cpu, route),
        }
    }
}

impl Page<'_> {
    /// The section, if a scheme was measured.
    pub(super) fn schemes(&self, plot: Option<&str>) -> String {
        let rows = self.suite(schemes::SUITE);
        if rows.is_empty() {
            return String::new();
        }
        let mut text = format!("\n## Key encapsulation\n\n{OPENING}");
        text.push_str(
            "* ringsmith: all checks of the standard, and the modulus of the public key in a private key, \
             but NTRU and NTRU Prime ask for none: of the former's private keys it is checked that they are \
             as they are written, of the latter's that small elements are; \
             clears what was secret\n",
        );
        let theirs: Vec<_> = rows.iter().copied().filter(|row| !is_ours(row)).collect();
        for peer in distinct(&theirs, |row| row.implementation.as_str()) {
            let note = peers::note(peer).unwrap_or("see its file in `crates/peers/src`");
            let _ = writeln!(text, "* {peer}: {note}");
        }
        text.push_str(&image("How many times as long other libraries take, by scheme and operation", plot));
        for subject in distinct(&rows, |row| row.subject.as_str()) {
            text.push_str(&self.scheme(subject, &rows));
        }
        text
    }

    /// One scheme: a line for each operation.
    fn scheme(&self, subject: &str, rows: &[&Measurement]) -> String {
        let rows: Vec<_> = rows.iter().copied().filter(|row| row.subject == subject).collect();
        // The columns of a library side by side; the rows of ours come first.
        let mut columns = distinct(&rows, Column::of);
        let libraries = distinct(&rows, |row| row.implementation.as_str());
        columns.sort_by_key(|column| libraries.iter().position(|library| *library == column.implementation));
        let mut text = format!("\n### {subject}\n\n| operation |");
        columns.iter().for_each(|column| _ = write!(text, " {} |", column.title()));
        let _ = write!(text, "\n|---|{}\n", "---:|".repeat(columns.len()));
        for operation in distinct(&rows, |row| row.operation.as_str()) {
            let _ = write!(text, "| {operation} |");
            for column in &columns {
                let cell = rows.iter().find(|row| row.operation == operation && Column::of(row) == *column);
                let _ = write!(text, " {} |", cell.map_or_else(String::new, |row| self.cell(row)));
            }
            text.push('\n');
        }
        text
    }

    /// The cost, and of a peer its ratio to ours; generators are for different uses, so they have none.
    fn cell(&self, row: &Measurement) -> String {
        let has_ratio = !is_ours(row) && row.subject != schemes::RANDOMNESS;
        match self.best(row).filter(|_| has_ratio) {
            Some(ours) => format!("{} ({:.2})", self.figure(row), row.core_cycles() / ours.core_cycles()),
            None => self.figure(row),
        }
    }
}
