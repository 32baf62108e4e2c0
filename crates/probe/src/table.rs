//! Text in columns, for a terminal.

use std::ops::RangeBounds;

/// The lines of a table, each with its line break. A column is as wide as its widest cell; two spaces stand
/// between columns, none at the end of a line. Cells of the columns `numbers` stand at the right, others at
/// the left. A line may have fewer cells than others.
///
/// ```
/// use ringsmith_probe::aligned;
///
/// let lines = [vec!["ring", "time"], vec!["a long name", "7"], vec!["short"]]
///     .map(|line| line.into_iter().map(String::from).collect::<Vec<_>>());
/// assert_eq!(aligned(&lines, 1..).concat(), "ring         time\na long name     7\nshort\n");
/// ```
pub fn aligned<L: AsRef<[String]>>(lines: &[L], numbers: impl RangeBounds<usize>) -> Vec<String> {
    let widths = widths(lines);
    let line = |line: &L| {
        let cells = line.as_ref().iter().zip(&widths).enumerate();
        let cells = cells.map(|(i, (cell, width))| match numbers.contains(&i) {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string() + "\n"
    };
    lines.iter().map(line).collect()
}

/// The characters of each column's widest cell.
fn widths<L: AsRef<[String]>>(lines: &[L]) -> Vec<usize> {
    let mut widths = Vec::new();
    for line in lines.iter().map(AsRef::as_ref) {
        widths.resize(widths.len().max(line.len()), 0);
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    widths
}
