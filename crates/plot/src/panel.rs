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
    /// Another's figure and ours.
    fn figures(&self) -> [Option<f64>; 2] {
        [Of::Other, Of::Ours].map(|of| self.marks.iter().find(|mark| mark.0 == of).map(|mark| mark.1))
    }
}

/// Rows on one axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// What it is of.
    pub title: String,
    /// What its axis counts.
    pub unit: String,
    /// What stands above the columns of figures where rows have two: another's, and ours.
    pub heads: [&'static str; 2],
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
const NARROW: f64 = 6.4;
/// A line of a label that has several, and what stands between it and the next one.
const LABEL: f64 = 12.5;
const APART_LABELS: f64 = 5.0;
/// The part of a panel that labels of one line have at most, and that which they have where one is longer.
const LABELS: [f64; 2] = [0.58, 0.48];
/// Pixels between the numbers of an axis.
const APART: f64 = 40.0;
/// The width of a panel in two columns.
const HALF: f64 = (WIDTH - 4.0 * MARGIN) / 2.0;
/// Characters of a label that stand in one line where there are two columns.
pub const LONGEST: usize = (LABELS[0] * HALF / NARROW) as usize;
/// Pixels of a column of figures, if its head is not wider, and what stands between heads.
const FIGURE: f64 = 47.0;
const BETWEEN: f64 = 10.0;

/// A figure; counts have no fraction.
fn figure(value: f64, counts: bool) -> String {
    if counts && value < 1e3 { format!("{value}") } else { short(value) }
}

/// How many characters a text has.
fn length(text: &str) -> usize {
    text.chars().count()
}

/// A text in lines of at most so many characters, and a slash between words that ends a line.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| word == "/" || length(line) + length(word) < most) {
            Some(line) => *line += &format!(" {word}"),
            None => lines.extend(parts(word, most)),
        }
    }
    lines
}

/// A word in lines: where it is too long for one, it ends behind a slash, or where the line does.
fn parts(word: &str, most: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for piece in word.split_inclusive('/') {
        if !line.is_empty() && length(&line) + length(piece) > most {
            lines.push(std::mem::take(&mut line));
        }
        for character in piece.chars() {
            if length(&line) == most.max(1) {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    lines.push(line);
    lines
}

impl Panel {
    /// Its title in lines; the heads of two columns stand beside the last one.
    fn heading(&self, width: f64) -> Vec<String> {
        let room = if self.figures() > 1 { width - self.room_of_figures(0) } else { width };
        wrapped(&format!("{} ({})", self.title, self.unit), (room / WIDE) as usize)
    }

    /// The labels in lines, and the pixels of the longest line.
    fn labels(&self, width: f64) -> (Vec<Vec<String>>, f64) {
        let longest = self.rows.iter().map(|row| length(&row.label)).max().unwrap_or(0);
        let most = LABELS.map(|part| (part * width / NARROW) as usize);
        let most = if longest <= most[0] { most[0] } else { most[1] };
        let lines: Vec<_> = self.rows.iter().map(|row| wrapped(&row.label, most)).collect();
        let wide = lines.iter().flatten().map(|line| length(line)).max().unwrap_or(0);
        (lines, wide as f64 * NARROW)
    }

    /// The pixels of each row, of which one with a short label has so many.
    fn rows(&self, width: f64, row: f64) -> Vec<f64> {
        let (labels, _) = self.labels(width);
        let tall = |lines: Vec<String>| {
            if lines.len() > 1 { LABEL * lines.len() as f64 + APART_LABELS } else { 0.0 }
        };
        labels.into_iter().map(|lines| row.max(tall(lines))).collect()
    }

    fn height(&self, width: f64, row: f64) -> f64 {
        let rows: f64 = self.rows(width, row).iter().sum();
        LINE * self.heading(width).len() as f64 + rows + AXIS + GAP
    }

    /// How many columns of figures stand at the right: another's and ours, or one where no row has both.
    fn figures(&self) -> usize {
        self.rows.iter().map(|row| row.figures().iter().flatten().count()).max().unwrap_or(0)
    }

    /// The pixels of these columns from one on.
    fn room_of_figures(&self, from: usize) -> f64 {
        let of = |head: &str| (NARROW * length(head) as f64 + BETWEEN).max(FIGURE);
        match self.figures() {
            2 => self.heads[from..].iter().map(|head| of(head)).sum(),
            columns => FIGURE * (columns - from) as f64,
        }
    }

    fn draw(&self, svg: &mut Svg, [left, top]: [f64; 2], width: f64, row: f64) {
        let mut y = top;
        for line in self.heading(width) {
            svg.text("l h s", [left, y + 12.0], &line);
            y += LINE;
        }
        let ((labels, wide), right) = (self.labels(width), left + width);
        if self.figures() > 1 {
            self.write(svg, right, y - 3.0, &self.heads.map(|head| Some(head.into())));
        }
        let from = left + wide + 12.0;
        let rows = self.rows(width, row);
        let axis = self.axis(svg, [from, right - self.room_of_figures(0)], [y, y + rows.iter().sum::<f64>()]);
        let counts = self.values().all(|value| value.fract() == 0.0);
        for ((line, label), tall) in self.rows.iter().zip(labels).zip(rows) {
            let middle = y + 0.5 * tall;
            let first = middle + 4.0 - 0.5 * LABEL * (label.len().max(1) - 1) as f64;
            for (i, text) in label.iter().enumerate() {
                svg.text("r x", [from - 8.0, first + LABEL * i as f64], text);
            }
            line.draw(svg, &axis, middle);
            let figures = line.figures().map(|value| Some(figure(value?, counts)));
            self.write(svg, right, middle + 4.0, &figures);
            y += tall;
        }
    }

    /// Texts in the columns of figures, or the one that there is in the only column.
    fn write(&self, svg: &mut Svg, right: f64, y: f64, texts: &[Option<String>; 2]) {
        let columns = self.figures();
        for (i, text) in texts.iter().enumerate() {
            if let Some(text) = text {
                svg.text("r x", [right - self.room_of_figures((i + 1).min(columns)), y], text);
            }
        }
    }

    /// Every figure.
    fn values(&self) -> impl Iterator<Item = f64> + Clone {
        self.rows.iter().flat_map(|row| &row.marks).map(|mark| mark.1)
    }

    /// The axis, drawn with its marks from the top to the bottom.
    fn axis(&self, svg: &mut Svg, pixels: [f64; 2], [top, bottom]: [f64; 2]) -> Axis {
        let axis = Axis::of(self.values(), pixels);
        for mark in axis.marks(APART) {
            svg.path("grid", [axis.at(mark), top], [axis.at(mark), bottom]);
            svg.text("x", [axis.at(mark), bottom + 12.0], &tick(mark));
        }
        axis
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

    /// A panel of so many rows.
    fn panel(rows: usize) -> Panel {
        let title = "A title that is so long that it does not fit into one line of a column of a picture";
        let row =
            |i: usize| Row { label: format!("row {i}"), marks: vec![(Of::Ours, i as f64), (Of::Other, 2.0)] };
        Panel {
            title: title.into(),
            unit: "bytes".into(),
            heads: ["theirs", "ours"],
            rows: (1..=rows).map(row).collect(),
        }
    }

    fn page(panels: Vec<Panel>) -> Page {
        Page { title: "t".into(), legend: vec![], panels }
    }

    /// Protects: panels stand below each other in two columns, each with the heads of its figures, and no
    /// title is wider than its column.
    #[test]
    fn columns_of_panels() {
        let page = page([8, 3, 5].map(panel).into());
        assert_eq!(page.split(430.0), 1);
        let text = page.draw().unwrap();
        assert!(text.contains("width='900'") && text.matches("row 8").count() == 1);
        assert_eq!(["theirs", "ours"].map(|head| text.matches(head).count()), [3, 3]);
        assert!(panel(1).heading(430.0).iter().all(|line| line.len() as f64 * WIDE <= 430.0 - 90.0));
        assert_eq!(self::page(vec![]).draw(), None);
    }

    /// Protects: nothing of a long label is lost: it has several lines, and its row is as tall.
    #[test]
    fn long_labels() {
        let route = "toom-cook:5/weimerskirch-paar:3/weimerskirch-paar:3";
        let mut panel = panel(2);
        panel.rows[1].label = format!("product, {route}");
        let (lines, wide) = panel.labels(430.0);
        assert_eq!(lines[1], ["product,", "toom-cook:5/weimerskirch-paar:3/", "weimerskirch-paar:3"]);
        assert!(wide <= 0.48 * 430.0, "{wide}");
        assert_eq!(panel.rows(430.0, 15.0), [15.0, 42.5]);
        let text = page(vec![panel.clone(), panel]).draw().unwrap();
        assert!(lines[1].iter().all(|line| text.contains(line)), "{text}");
        assert_eq!(wrapped("abcdefg h / i", 3), ["abc", "def", "g h /", "i"]);
    }

    /// Protects: a figure stands below its head, also where a row has one alone; and where no row has two,
    /// their column has no head.
    #[test]
    fn figures_below_their_heads() {
        let mut panel = panel(3);
        panel.rows[1].marks.remove(0);
        let at = |text: &str, what: &str| -> Option<String> {
            let line = text.lines().find(|line| line.ends_with(&format!(">{what}</text>")))?;
            Some(line.split(" x='").nth(1)?.split('\'').next()?.into())
        };
        panel.rows[1].marks[0].1 = 7.25;
        let text = page(vec![panel.clone()]).draw().unwrap();
        assert!(at(&text, "theirs").is_some() && at(&text, "theirs") == at(&text, "7.25"), "{text}");
        assert!(at(&text, "ours").is_some() && at(&text, "ours") == at(&text, "3.00"), "{text}");
        panel.rows.iter_mut().for_each(|row| row.marks.truncate(1));
        assert!(!page(vec![panel]).draw().unwrap().contains("ours"));
    }
}
