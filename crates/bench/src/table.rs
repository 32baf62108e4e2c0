//! Rows as an aligned table for a terminal.

use crate::measurement::Measurement;
use crate::numbers::grouped;
use ringsmith_probe::Kind;

/// How many of the first columns are text, and so start at the left.
const TEXTS: usize = 5;

/// The table: a line of titles, then a line for each row, a blank line between subjects. Titles say `ticks`,
/// not cycles, where ticks were counted; estimated core cycles then stand beside them.
pub fn text(rows: &[Measurement]) -> String {
    let estimated = rows.iter().any(|row| !row.counts_cycles());
    let lines: Vec<_> = std::iter::once(titles(rows, estimated))
        .chain(rows.iter().map(|row| cells(row, estimated)))
        .collect();
    aligned(&lines, TEXTS)
}

/// Lines of cells in columns, the first of which are `texts`; a blank line between subjects, which are the
/// first column.
pub(crate) fn aligned(lines: &[Vec<String>], texts: usize) -> String {
    let mut text = String::new();
    for (i, line) in ringsmith_probe::aligned(lines, texts..).iter().enumerate() {
        if i > 1 && lines[i][0] != lines[i - 1][0] {
            text.push('\n');
        }
        text.push_str(line);
    }
    text
}

/// What one count is called, if all rows agree.
fn unit(rows: &[Measurement]) -> &'static str {
    let kinds = [Kind::Hardware, Kind::Tsc, Kind::Nanoseconds];
    kinds
        .into_iter()
        .find(|kind| rows.iter().all(|row| row.counter == kind.name()))
        .map_or("counts", Kind::unit)
}

fn titles(rows: &[Measurement], estimated: bool) -> Vec<String> {
    let unit = unit(rows);
    let mut titles: Vec<String> =
        ["subject", "operation", "implementation", "cpu", "route"].map(String::from).into();
    titles.push(format!("{unit} min"));
    titles.push(format!("{unit} median"));
    if estimated {
        titles.push("core cycles (est.)".into());
    }
    titles.extend(["instructions", "ns min", "canary"].map(String::from));
    titles
}

fn cells(row: &Measurement, estimated: bool) -> Vec<String> {
    let texts = [&row.subject, &row.operation, &row.implementation, &row.cpu, &row.route];
    let mut cells: Vec<_> = texts.map(String::clone).into();
    cells.push(grouped(row.cycles_min));
    cells.push(grouped(row.cycles_median));
    if estimated {
        cells.push(grouped(row.core_cycles()));
    }
    cells.push(row.instructions.map_or_else(|| "-".into(), grouped));
    cells.push(grouped(row.ns_min));
    cells.push(format!("{:.1}", row.canary));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::sample::rows;

    /// Protects: columns line up, and estimated cycles are called so.
    #[test]
    fn aligned() {
        let table = text(&rows()[..2]);
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{table}");
        assert!(lines[0].contains("ticks min") && lines[0].contains("core cycles (est.)"), "{table}");
        assert!(lines[1].contains("7,200") && lines[1].contains("10,000"), "{table}");
    }

    /// Protects: counted cycles need no estimate, and an empty table is no crash.
    #[test]
    fn counted() {
        let mut rows = rows();
        rows.iter_mut().for_each(|row| row.counter = "hardware".into());
        let table = text(&rows);
        assert!(table.contains("cycles min") && !table.contains("est."), "{table}");
        assert_eq!(text(&[]).lines().count(), 1);
    }
}
