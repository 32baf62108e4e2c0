//! What was checked, as an aligned table.

use super::{Row, Tally};
use ringsmith_probe::aligned;

const TITLES: [&str; 7] = ["file", "format", "set", "checked", "passed", "failed", "not checked"];

/// The columns with numbers, which are aligned at the right.
const NUMBERS: std::ops::Range<usize> = 4..6;

type Cells = [String; TITLES.len()];

/// The table of some files by name: a line of titles, one for each file and kind of case, and the totals.
pub fn table(files: &[(String, Tally)]) -> String {
    let mut lines = vec![TITLES.map(String::from)];
    for (name, tally) in files {
        lines.extend(tally.rows.iter().map(|row| cells(name, tally.format, row)));
    }
    lines.push(totals(files.iter().flat_map(|(_, tally)| &tally.rows)));
    aligned(&lines, NUMBERS).concat()
}

fn cells(name: &str, format: &str, row: &Row) -> Cells {
    let reasons = row.not_checked.iter().map(|(reason, count)| format!("{count} ({reason})"));
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    let reasons = if reasons.is_empty() { "0".to_string() } else { reasons };
    let (passed, failed) = (row.passed.to_string(), row.failed.to_string());
    [name.into(), format.into(), row.set.clone(), row.kind.to_string(), passed, failed, reasons]
}

fn totals<'a>(rows: impl Iterator<Item = &'a Row>) -> Cells {
    let sums = rows.fold([0; 3], |[passed, failed, not_checked], row| {
        let here: usize = row.not_checked.iter().map(|(_, count)| count).sum();
        [passed + row.passed, failed + row.failed, not_checked + here]
    });
    let [passed, failed, not_checked] = sums.map(|sum: usize| sum.to_string());
    ["total".into(), String::new(), String::new(), String::new(), passed, failed, not_checked]
}
