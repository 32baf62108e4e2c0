//! Horizontal bars in groups, as SVG.

use crate::numbers::grouped;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn Error>>;

/// Pixels: the whole width, one bar, the heading of a group, the margins of the bars.
const WIDTH: i32 = 900;
const LINE: i32 = 20;
const HEADING: i32 = 30;
const RIGHT: i32 = 80;
const TOP: i32 = 48;
const BOTTOM: i32 = 52;
/// Pixels that a character of a bar's name takes at most, on average, and the space around the name.
const CHARACTER: i32 = 7;
const SPACE: i32 = 16;

/// Colours that stay apart for all kinds of colour vision (Okabe and Ito).
const OURS: RGBColor = RGBColor(0, 114, 178);
const THEIRS: RGBColor = RGBColor(230, 159, 0);
const TEXT: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(222, 222, 222);

/// One bar.
pub(super) struct Bar {
    pub(super) name: String,
    pub(super) ours: bool,
    pub(super) cycles: f64,
}

/// A picture.
pub(super) struct Chart {
    pub(super) title: String,
    /// What the axis counts.
    pub(super) axis: &'static str,
    /// Headings, each with its bars.
    pub(super) groups: Vec<(String, Vec<Bar>)>,
}

impl Chart {
    /// The SVG text.
    pub(super) fn draw(&self) -> Result<String, Box<dyn Error>> {
        let bars: i32 = self.groups.iter().map(|(_, bars)| HEADING + LINE * bars.len() as i32).sum();
        let height = TOP + bars + BOTTOM;
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, (WIDTH as u32, height as u32)).into_drawing_area();
            area.fill(&WHITE)?;
            let scale = Scale::of(self);
            self.frame(&area, &scale, height)?;
            let mut y = TOP;
            for (heading, bars) in &self.groups {
                label(&area, heading, (10, y + HEADING / 2), 15, HPos::Left)?;
                y += HEADING;
                for bar in bars {
                    bar.draw(&area, &scale, y)?;
                    y += LINE;
                }
            }
            area.present()?;
        }
        Ok(text)
    }

    /// Title, lines at round numbers, and their names.
    fn frame(&self, area: &Area, scale: &Scale, height: i32) -> Drawn {
        label(area, &self.title, (10, TOP / 2), 18, HPos::Left)?;
        let bottom = height - BOTTOM + 6;
        for mark in scale.marks() {
            let x = scale.x(mark);
            area.draw(&PathElement::new([(x, TOP), (x, bottom)], GRID))?;
            label(area, &grouped(mark).replace(".0", ""), (x, bottom + 12), 12, HPos::Center)?;
        }
        label(area, self.axis, ((scale.left + WIDTH - RIGHT) / 2, bottom + 32), 13, HPos::Center)
    }
}

impl Bar {
    /// Its name, its bar, its figure.
    fn draw(&self, area: &Area, scale: &Scale, y: i32) -> Drawn {
        let colour = if self.ours { OURS } else { THEIRS };
        let (left, middle, end) = (scale.left, y + LINE / 2, scale.x(self.cycles));
        label(area, &self.name, (left - SPACE / 2, middle), 13, HPos::Right)?;
        area.draw(&Rectangle::new([(left, y + 3), (end, y + LINE - 3)], colour.filled()))?;
        label(area, &grouped(self.cycles), (end + 5, middle), 12, HPos::Left)
    }
}

fn label(area: &Area, text: &str, at: (i32, i32), size: i32, side: HPos) -> Drawn {
    let style = ("sans-serif", size).into_font().color(&TEXT).pos(Pos::new(side, VPos::Center));
    Ok(area.draw(&Text::new(text.to_owned(), at, style))?)
}

/// The horizontal axis, logarithmic, with lines at the powers of ten.
struct Scale {
    /// Where the bars begin, in pixels.
    left: i32,
    /// The exponents of the first line and of the last.
    powers: [i32; 2],
}

impl Scale {
    fn of(chart: &Chart) -> Self {
        let bars = || chart.groups.iter().flat_map(|(_, bars)| bars);
        let name = bars().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
        let (low, high) = bars().fold((f64::INFINITY, 1.0f64), |(low, high), bar| {
            (low.min(bar.cycles.max(1.0)), high.max(bar.cycles))
        });
        // A bar of zero length would say nothing: at least a tenth of a decade.
        let first = (low.log10() - 0.1).floor().max(0.0) as i32;
        let last = (high.log10().ceil() as i32).max(first + 1);
        Scale { left: name as i32 * CHARACTER + SPACE, powers: [first, last] }
    }

    fn x(&self, cycles: f64) -> i32 {
        let [first, last] = self.powers.map(f64::from);
        let part = (cycles.max(1.0).log10() - first) / (last - first);
        self.left + (part * f64::from(WIDTH - self.left - RIGHT)) as i32
    }

    fn marks(&self) -> Vec<f64> {
        (self.powers[0]..=self.powers[1]).map(|power| 10f64.powi(power)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(values: [f64; 2]) -> Scale {
        let bars = values.map(|cycles| Bar { name: "b".into(), ours: true, cycles }).into();
        Scale::of(&Chart { title: String::new(), axis: "", groups: vec![("g".into(), bars)] })
    }

    /// Protects: lines at powers of ten, and no bar outside them or without a length.
    #[test]
    fn lines_of_the_axis() {
        assert_eq!(scale([600.0, 20_000.0]).marks(), [100.0, 1e3, 1e4, 1e5]);
        for high in [1.0, 7.9, 10.0, 160.0, 12_345.0, 1e9] {
            let scale = scale([high / 3.0, high]);
            assert!(scale.marks().len() >= 2, "{high}");
            assert!(scale.x(high) <= WIDTH - RIGHT && scale.x(high / 3.0) >= scale.left, "{high}");
            assert!(high <= 10.0 || scale.x(high / 3.0) > scale.left, "{high}");
        }
    }
}
