//! A table of a paper as text.

use crate::numbers::grouped;
use crate::table::aligned;
use ringsmith_simd::{Scalar, Simd};

/// What a table counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Thousands of cycles of the core.
    Kilocycles,
    /// Operations.
    Count,
    /// Bytes.
    Bytes,
    /// One time divided by another.
    Quotient,
    /// Operations a second.
    PerSecond,
    /// Seconds for 1000 operations.
    Seconds,
    /// Millionths of a second.
    Microseconds,
}

impl Unit {
    /// What a heading says.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Kilocycles => "thousands of core cycles",
            Unit::Count => "operations",
            Unit::Bytes => "bytes",
            Unit::Quotient => "quotients",
            Unit::PerSecond => "operations a second",
            Unit::Seconds => "seconds",
            Unit::Microseconds => "microseconds",
        }
    }

    fn figure(self, value: f64) -> String {
        match self {
            Unit::Kilocycles if value >= 10.0 => format!("{value:.1}"),
            Unit::Kilocycles | Unit::Quotient | Unit::Microseconds => format!("{value:.2}"),
            Unit::Seconds => format!("{value:.4}"),
            Unit::Count | Unit::Bytes | Unit::PerSecond => grouped(value).replace(".0", ""),
        }
    }
}

/// A table of a paper, with the figures of this machine.
pub struct Table {
    /// What it is of.
    pub title: String,
    /// What it counts.
    pub unit: Unit,
    /// What the columns of [`Line::subject`] and [`Line::item`] are called.
    pub texts: [&'static str; 2],
    /// What the published columns are called. The first is compared with the scalar backend, the last with
    /// vectors.
    pub published: &'static [&'static str],
    /// The CPU backends of the other columns; where nothing was published, what these are.
    pub ours: Vec<String>,
    /// Its lines.
    pub lines: Vec<Line>,
    /// Why lines have no figures of this machine, and how to get them.
    pub notes: Vec<String>,
}

/// A line of a table.
pub struct Line {
    /// The scheme or ring; where libraries are compared, whose code it is.
    pub subject: String,
    /// What is computed or counted; the CPU backend.
    pub item: String,
    /// The route of the ring, if that makes a difference.
    pub route: &'static str,
    /// The published figures.
    pub published: Vec<Option<f64>>,
    /// Those of this machine.
    pub ours: Vec<Option<f64>>,
    /// Why it has none of these: the note on a peer that was not measured.
    pub lacks: Option<String>,
}

impl Table {
    /// The published column that a backend is compared with.
    fn compared(&self, cpu: &str) -> usize {
        if cpu == Scalar::NAME { 0 } else { self.published.len() - 1 }
    }

    /// The table in Markdown, with figures as in [`text`].
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let titles = self.titles();
        let rule = (0..titles.len()).map(|i| if i < self.text_columns() { "---" } else { "---:" });
        let rule = format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
        let lines: String = self.lines.iter().map(|cells| line(self.cells(cells))).collect();
        line(titles) + &rule + &lines
    }

    /// Quotients are compared by eye.
    fn has_ratios(&self) -> bool {
        self.unit != Unit::Quotient && !self.published.is_empty()
    }

    /// Whether a route makes a difference in some line.
    fn has_routes(&self) -> bool {
        self.lines.iter().any(|line| !line.route.is_empty())
    }

    /// How many of the columns are text.
    fn text_columns(&self) -> usize {
        2 + usize::from(self.has_routes())
    }

    fn titles(&self) -> Vec<String> {
        let mut titles: Vec<_> = [self.texts[0], self.texts[1], "route"][..self.text_columns()]
            .iter()
            .map(|&title| title.into())
            .collect();
        titles.extend(self.published.iter().map(|column| match *column {
            "published" => "published".into(),
            column => format!("published, {column}"),
        }));
        titles.extend(self.ours.iter().cloned());
        if self.has_ratios() {
            titles
                .extend(self.ours.iter().map(|cpu| format!("{cpu}/{}", self.published[self.compared(cpu)])));
        }
        titles
    }

    fn cells(&self, line: &Line) -> Vec<String> {
        let figure = |value: &Option<f64>| value.map_or_else(|| "-".into(), |value| self.unit.figure(value));
        let mut cells = vec![line.subject.clone(), line.item.clone(), line.route.to_owned()];
        cells.truncate(self.text_columns());
        cells.extend(line.published.iter().chain(&line.ours).map(figure));
        if self.has_ratios() {
            cells.extend(self.ours.iter().zip(&line.ours).map(|(cpu, ours)| {
                let ratio = ours.zip(line.published[self.compared(cpu)]).map(|(ours, theirs)| ours / theirs);
                ratio.map_or_else(|| "-".into(), |ratio| format!("{ratio:.2}"))
            }));
        }
        cells
    }
}

/// The table with its title, a blank line between subjects. A ratio is the time here in the published one:
/// below 1, this is less.
pub fn text(table: &Table) -> String {
    let cells = table.lines.iter().map(|line| table.cells(line));
    let lines: Vec<_> = std::iter::once(table.titles()).chain(cells).collect();
    let notes: String = table.notes.iter().map(|note| format!("{note}\n")).collect();
    format!("{} ({})\n{}{notes}", table.title, table.unit.name(), aligned(&lines, table.text_columns()))
}
