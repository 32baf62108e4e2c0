//! Text in aligned columns.

use ringsmith_probe::aligned;

/// A table whose first columns are left-aligned and whose others are right-aligned.
pub(crate) struct Table {
    left: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings; the first `left` columns are text, the others numbers.
    pub(crate) fn new<T: ToString>(left: usize, headings: impl IntoIterator<Item = T>) -> Self {
        Table { left, rows: vec![headings.into_iter().map(|heading| heading.to_string()).collect()] }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The table's lines, two spaces between columns.
    pub(crate) fn render(&self) -> String {
        aligned(&self.rows, self.left..).concat()
    }
}

/// A time with four digits at most and its unit.
pub(crate) fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        t if t < 999.5 => format!("{t:.0} ns"),
        t if t < 9_995.0 => format!("{:.2} us", t / 1e3),
        t if t < 99_950.0 => format!("{:.1} us", t / 1e3),
        t if t < 9_999_500.0 => format!("{:.0} us", t / 1e3),
        t => format!("{:.0} ms", t / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: no time is rounded into five digits or the wrong unit.
    #[test]
    fn units() {
        let times = [843.2, 999.6, 9_994.0, 9_996.0, 99_949.0, 99_951.0, 1_234_567.0, 12_345_678.0].map(time);
        assert_eq!(
            times,
            ["843 ns", "1.00 us", "9.99 us", "10.0 us", "99.9 us", "100 us", "1235 us", "12 ms"]
        );
    }
}
