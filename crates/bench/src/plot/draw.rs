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

/// How the lengths of bars grow.
#[derive(Clone, Copy)]
pub(super) enum Growth {
    /// From zero, in proportion.
    Linear,
    /// With the logarithm.
    Logarithmic,
}

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
    pub(super) growth: Growth,
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

/// The horizontal axis.
struct Scale {
    /// Where the bars begin, in pixels.
    left: i32,
    marks: Marks,
}

/// Where the axis has lines.
enum Marks {
    /// At the powers of ten from one exponent to another.
    Powers(i32, i32),
    /// At the multiples of a step, from zero to so many.
    Multiples(f64, i32),
}

impl Scale {
    fn of(chart: &Chart) -> Self {
        let bars = || chart.groups.iter().flat_map(|(_, bars)| bars);
        let name = bars().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
        let (low, high) = bars().fold((f64::INFINITY, 1.0f64), |(low, high), bar| {
            (low.min(bar.cycles.max(1.0)), high.max(bar.cycles))
        });
        let marks = match chart.growth {
            Growth::Linear => Marks::multiples(high),
            Growth::Logarithmic => Marks::powers(low, high),
        };
        Scale { left: name as i32 * CHARACTER + SPACE, marks }
    }

    fn x(&self, cycles: f64) -> i32 {
        self.left + (self.marks.part(cycles) * f64::from(WIDTH - self.left - RIGHT)) as i32
    }

    fn marks(&self) -> Vec<f64> {
        match self.marks {
            Marks::Powers(low, high) => (low..=high).map(|power| 10f64.powi(power)).collect(),
            Marks::Multiples(step, count) => (0..=count).map(|i| step * f64::from(i)).collect(),
        }
    }
}

impl Marks {
    fn powers(low: f64, high: f64) -> Self {
        // A bar of zero length would say nothing: at least a tenth of a decade.
        let low = (low.log10() - 0.1).floor().max(0.0) as i32;
        Marks::Powers(low, (high.log10().ceil() as i32).max(low + 1))
    }

    /// The least round step that needs at most eight lines beside the one at zero.
    fn multiples(high: f64) -> Self {
        let decade = 10f64.powf((high / 8.0).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * decade);
        let step = steps.into_iter().find(|step| high <= step * 8.0).unwrap_or(10.0 * decade);
        Marks::Multiples(step, (high / step).ceil() as i32)
    }

    /// Where a value lies between the first line and the last, which are 0 and 1.
    fn part(&self, cycles: f64) -> f64 {
        match *self {
            Marks::Powers(low, high) => (cycles.max(1.0).log10() - f64::from(low)) / f64::from(high - low),
            Marks::Multiples(step, count) => cycles / (step * f64::from(count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(growth: Growth, values: [f64; 2]) -> Scale {
        let bars = values.map(|cycles| Bar { name: "b".into(), ours: true, cycles }).into();
        Scale::of(&Chart { title: String::new(), axis: "", growth, groups: vec![("g".into(), bars)] })
    }

    /// Protects: round lines, few of them, and no bar outside them.
    #[test]
    fn lines_of_the_axis() {
        assert_eq!(scale(Growth::Linear, [1.0, 71_000.0]).marks().last(), Some(&80_000.0));
        assert_eq!(
            scale(Growth::Linear, [0.0, 40.0]).marks(),
            [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0]
        );
        assert_eq!(scale(Growth::Logarithmic, [600.0, 20_000.0]).marks(), [100.0, 1e3, 1e4, 1e5]);
        for high in [1.0, 7.9, 8.1, 160.0, 161.0, 400.0, 12_345.0, 1e9] {
            let scale = scale(Growth::Linear, [0.0, high]);
            assert!((3..=9).contains(&scale.marks().len()), "{high}");
            assert!(scale.x(high) <= WIDTH - RIGHT && scale.x(0.0) == scale.left, "{high}");
        }
    }
}
