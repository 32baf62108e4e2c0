//! Small multiples: panels in two columns, each with an axis of its own, and a row for each thing measured.

use crate::axis::{Axis, short, tick};
use crate::svg::Svg;

/// What a mark is of, in the order in which marks are drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Of {
    /// Another's figure that is not compared with.
    OtherAside,
    /// Ours, of another way than the best one.
    OursAside,
    /// Another's figure.
    Other,
    /// Ours.
    Ours,
}

impl Of {
    /// Its class and shape.
    fn look(self) -> (&'static str, usize) {
        match self {
            Of::OtherAside => ("T", 3),
            Of::OursAside => ("O", 0),
            Of::Other => ("t", 3),
            Of::Ours => ("o", 0),
        }
    }
}

/// A line of a panel.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// What was measured.
    pub label: String,
    /// Its figures.
    pub marks: Vec<(Of, f64)>,
}

impl Row {
    /// Another's figure and ours, of those that it has.
    fn figures(&self) -> Vec<f64> {
        let first = |of: Of| self.marks.iter().find(|mark| mark.0 == of).map(|mark| mark.1);
        [Of::Other, Of::Ours].into_iter().filter_map(first).collect()
    }
}

/// Rows on one axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// What it is of.
    pub title: String,
    /// What its axis counts.
    pub unit: String,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// Panels under a title.
pub struct Page {
    /// What all are of.
    pub title: String,
    /// What the kinds of marks are called, of those that there are.
    pub legend: Vec<(Of, String)>,
    /// In the order in which they are read.
    pub panels: Vec<Panel>,
}

/// Pixels: the picture's width and margin, a row, a line of a panel's title, an axis with its numbers.
const WIDTH: f64 = 900.0;
const MARGIN: f64 = 10.0;
const LINE: f64 = 15.0;
const AXIS: f64 = 22.0;
const GAP: f64 = 8.0;
const TOP: f64 = 56.0;
/// The pixels of a picture that a screen has.
const SCREEN: f64 = 700.0;
/// Rows are as far apart as there is room.
const ROWS: [f64; 2] = [12.5, 20.0];
/// Pixels that a character takes: bold, and in a row.
const WIDE: f64 = 7.9;
const NARROW: f64 = 6.1;
/// The part of a panel that labels have at most.
const LABELS: f64 = 0.58;
/// Pixels between the numbers of an axis.
const APART: f64 = 40.0;
/// The width of a panel in two columns.
const HALF: f64 = (WIDTH - 4.0 * MARGIN) / 2.0;
/// Characters of a label that two columns have room for.
pub const LONGEST: usize = (LABELS * HALF / NARROW) as usize;
/// Pixels of a column of figures.
const FIGURE: f64 = 44.0;

/// A text of at most so many characters: what is too long loses its middle.
fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_string();
    }
    let half = most.saturating_sub(1) / 2;
    let (first, last) = (text.chars().take(most - 1 - half), text.chars().skip(count - half));
    first.chain(['…']).chain(last).collect()
}

/// A figure; counts have no fraction.
fn figure(value: f64, counts: bool) -> String {
    if counts && value < 1e3 { format!("{value}") } else { short(value) }
}

/// A text in lines of at most so many characters.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.chars().count() + word.chars().count() < most) {
            Some(line) => *line += &format!(" {word}"),
            None => lines.push(word.into()),
        }
    }
    lines
}

impl Panel {
    fn heading(&self, width: f64) -> Vec<String> {
        wrapped(&format!("{} ({})", self.title, self.unit), (width / WIDE) as usize)
    }

    fn height(&self, width: f64, row: f64) -> f64 {
        LINE * self.heading(width).len() as f64 + row * self.rows.len() as f64 + AXIS + GAP
    }

    /// How many columns of figures stand at the right: another's and ours, or one where no row has both.
    fn figures(&self) -> usize {
        self.rows.iter().map(|row| row.figures().len()).max().unwrap_or(0)
    }

    fn draw(&self, svg: &mut Svg, [left, top]: [f64; 2], width: f64, row: f64) {
        let mut y = top;
        for line in self.heading(width) {
            svg.text("l h s", [left, y + 12.0], &line);
            y += LINE;
        }
        let label = self.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0) as f64;
        let most = LABELS * width;
        let from = left + (label * NARROW).min(most) + 12.0;
        let figures = self.figures();
        let to = left + width - FIGURE * figures as f64;
        let values: Vec<f64> = self.rows.iter().flat_map(|row| &row.marks).map(|mark| mark.1).collect();
        let counts = values.iter().all(|value| value.fract() == 0.0);
        let axis = Axis::of(values.into_iter(), [from, to]);
        let bottom = y + row * self.rows.len() as f64;
        for mark in axis.marks(APART) {
            svg.path("grid", [axis.at(mark), y], [axis.at(mark), bottom]);
            svg.text("x", [axis.at(mark), bottom + 12.0], &tick(mark));
        }
        for (i, line) in self.rows.iter().enumerate() {
            let middle = y + row * (i as f64 + 0.5);
            svg.text("r x", [from - 8.0, middle + 4.0], &shortened(&line.label, (most / NARROW) as usize));
            line.draw(svg, &axis, middle);
            let own = line.figures();
            for (j, value) in own.iter().enumerate() {
                let column = (figures - own.len() + j + 1) as f64;
                svg.text("r x", [to + FIGURE * column, middle + 4.0], &figure(*value, counts));
            }
        }
    }
}

impl Row {
    fn draw(&self, svg: &mut Svg, axis: &Axis, y: f64) {
        let values = || self.marks.iter().map(|mark| mark.1);
        let ends = [values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max)];
        if self.marks.len() > 1 {
            svg.path("join", [axis.at(ends[0]), y], [axis.at(ends[1]), y]);
        }
        let mut marks = self.marks.clone();
        marks.sort_by_key(|mark| mark.0);
        for (of, value) in marks {
            let (class, shape) = of.look();
            svg.mark(class, shape, [axis.at(value), y]);
        }
    }
}

impl Page {
    /// How many panels stand in the first of two columns: those that make the longer one shortest.
    fn split(&self, width: f64) -> usize {
        let height = |panels: &[Panel]| panels.iter().map(|panel| panel.height(width, 15.0)).sum::<f64>();
        let longest = |at: usize| height(&self.panels[..at]).max(height(&self.panels[at..]));
        (1..=self.panels.len()).min_by(|a, b| longest(*a).total_cmp(&longest(*b))).unwrap_or(0)
    }

    /// The picture; nothing where there is no panel.
    pub fn draw(&self) -> Option<String> {
        self.panels.first()?;
        let width = match self.panels.len() {
            1 => WIDTH - 2.0 * MARGIN,
            _ => HALF,
        };
        let split = self.split(width);
        let columns = [&self.panels[..split], &self.panels[split..]];
        let height = |row: f64| {
            let of = |panels: &[Panel]| panels.iter().map(|panel| panel.height(width, row)).sum::<f64>();
            TOP + columns.map(of).into_iter().fold(0.0, f64::max)
        };
        let most = columns.map(|panels| panels.iter().map(|panel| panel.rows.len()).sum::<usize>());
        let room = SCREEN - height(0.0);
        let row = (room / most.into_iter().max().unwrap_or(1) as f64).clamp(ROWS[0], ROWS[1]);
        let mut svg = Svg::of_figures(WIDTH as i32, height(row).ceil() as i32, &self.title);
        self.legend(&mut svg);
        for (column, panels) in columns.into_iter().enumerate() {
            let mut at = [MARGIN + column as f64 * (width + 2.0 * MARGIN), TOP];
            for panel in panels {
                panel.draw(&mut svg, at, width, row);
                at[1] += panel.height(width, row);
            }
        }
        Some(svg.finish())
    }

    fn legend(&self, svg: &mut Svg) {
        svg.text("l h", [MARGIN, 18.0], &self.title);
        let mut x = MARGIN + 6.0;
        for (of, text) in &self.legend {
            let (class, shape) = of.look();
            svg.mark(class, shape, [x, 36.0]).text("l s", [x + 11.0, 40.0], text);
            x += 34.0 + WIDE * text.chars().count() as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: panels stand below each other in two columns, and no text is wider than its column.
    #[test]
    fn columns_of_panels() {
        let panel = |rows: usize| Panel {
            title: "A title that is so long that it does not fit into one line of a column of a picture"
                .into(),
            unit: "bytes".into(),
            rows: (1..=rows)
                .map(|i| Row {
                    label: format!("row {i}"),
                    marks: vec![(Of::Ours, i as f64), (Of::Other, 2.0)],
                })
                .collect(),
        };
        let page = Page { title: "t".into(), legend: vec![], panels: [8, 3, 5].map(panel).into() };
        assert_eq!(page.split(430.0), 1);
        let text = page.draw().unwrap();
        assert!(text.contains("width='900'") && text.matches("row 8").count() == 1);
        assert_eq!(
            (shortened("abcdefgh", 8), shortened("abcdefghi", 5)),
            ("abcdefgh".into(), "ab…hi".into())
        );
        assert!(panel(1).heading(430.0).iter().all(|line| line.len() as f64 * WIDE <= 430.0));
        assert_eq!(Page { panels: vec![], ..page }.draw(), None);
    }
}
