//! Tables of routes by backend, and other libraries next to the fastest of them.

use super::{Page, distinct, is_ours};
use crate::measurement::Measurement;
use std::fmt::Write;

impl Page<'_> {
    /// A table for each subject that is ours.
    pub(super) fn tables(&self, rows: &[&Measurement]) -> String {
        let ours: Vec<_> = rows.iter().copied().filter(|row| is_ours(row)).collect();
        let subjects = distinct(&ours, |row| row.subject.as_str());
        subjects.into_iter().map(|subject| self.table(subject, &ours)).collect()
    }

    /// One subject: a line for each operation and route, a column for each CPU.
    fn table(&self, subject: &str, ours: &[&Measurement]) -> String {
        let rows: Vec<_> = ours.iter().copied().filter(|row| row.subject == subject).collect();
        let cpus = distinct(&rows, |row| row.cpu.as_str());
        let mut text = format!("\n### `{subject}`\n\n| operation | route |");
        cpus.iter().for_each(|cpu| _ = write!(text, " {cpu} |"));
        let _ = write!(text, "\n|---|---|{}\n", "---:|".repeat(cpus.len()));
        let lines = distinct(&rows, |row| (row.operation.as_str(), row.route.as_str()));
        for (operation, route) in lines {
            let _ = write!(text, "| {operation} | `{route}` |");
            for cpu in &cpus {
                let cell = rows
                    .iter()
                    .find(|row| row.operation == operation && row.route == route && row.cpu == *cpu);
                let _ = write!(text, " {} |", cell.map_or_else(String::new, |row| self.figure(row)));
            }
            text.push('\n');
        }
        text
    }

    /// Other libraries next to our fastest route for the same operation.
    pub(super) fn peers(&self, rows: &[&Measurement]) -> String {
        let theirs: Vec<_> = rows.iter().filter(|row| !is_ours(row)).collect();
        if theirs.is_empty() {
            return String::new();
        }
        let mut text = String::from(
            "\n### Peers\n\n\
             In the same run, on the same operands. Ratio: the peer's cost over that of our fastest route;\n\
             above 1 ours is faster.\n\n\
             | of | operation | peer | its CPU | cost | ours | our CPU | our route | ratio |\n\
             |---|---|---|---|---:|---:|---|---|---:|\n",
        );
        theirs.iter().for_each(|row| text.push_str(&self.peer(row)));
        text.push_str("\nWhat a peer's rows contain is said in its file in `crates/peers/src`.\n");
        text
    }

    fn peer(&self, row: &Measurement) -> String {
        let Measurement { subject, operation, implementation, cpu, .. } = row;
        let ours = match self.best(row) {
            Some(ours) => {
                let ratio = row.core_cycles() / ours.core_cycles();
                format!("{} | {} | `{}` | {ratio:.2}", self.figure(ours), ours.cpu, ours.route)
            }
            None => "- | - | - | -".into(),
        };
        format!("| `{subject}` | {operation} | {implementation} | {cpu} | {} | {ours} |\n", self.figure(row))
    }
}
