//! `docs/performance.svg`: the cost of a product by each route, on the CPU that is best at it.

use crate::RINGSMITH;
use crate::measurement::Measurement;
use crate::numbers::grouped;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn Error>>;

/// Pixels: the whole width, one bar, the heading of a ring, the margins of the bars.
const WIDTH: i32 = 900;
const LINE: i32 = 20;
const HEADING: i32 = 30;
const LEFT: i32 = 200;
const RIGHT: i32 = 80;
const TOP: i32 = 48;
const BOTTOM: i32 = 52;

/// Colours that stay apart for all kinds of colour vision (Okabe and Ito).
const OURS: RGBColor = RGBColor(0, 114, 178);
const THEIRS: RGBColor = RGBColor(230, 159, 0);
const TEXT: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(222, 222, 222);

/// The rings of the plot, each with its bars.
type Groups<'a> = Vec<(&'a str, Vec<&'a Measurement>)>;

/// The plot as SVG text; `None` where no row is a product.
///
/// # Errors
/// Where the drawing library fails.
pub fn svg(rows: &[Measurement]) -> Result<Option<String>, Box<dyn Error>> {
    let groups = groups(rows);
    if groups.is_empty() {
        return Ok(None);
    }
    let bars: i32 = groups.iter().map(|(_, bars)| HEADING + LINE * bars.len() as i32).sum();
    let height = TOP + bars + BOTTOM;
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (WIDTH as u32, height as u32)).into_drawing_area();
        area.fill(&WHITE)?;
        let scale = Scale::of(&groups);
        frame(&area, &scale, height, axis(rows))?;
        let mut y = TOP;
        for (subject, bars) in &groups {
            label(&area, subject, (10, y + HEADING / 2), 15, HPos::Left)?;
            y += HEADING;
            for row in bars {
                bar(&area, &scale, row, y)?;
                y += LINE;
            }
        }
        area.present()?;
    }
    Ok(Some(text))
}

/// What the axis counts.
fn axis(rows: &[Measurement]) -> &'static str {
    match rows.iter().all(Measurement::counts_cycles) {
        true => "core cycles",
        false => "core cycles, estimated from ticks",
    }
}

/// Products only; ours on one CPU for each ring, the one with the fastest product; the routes sorted by cost.
fn groups(rows: &[Measurement]) -> Groups<'_> {
    let mut groups: Groups = Vec::new();
    for row in rows.iter().filter(|row| row.operation == "product") {
        match groups.iter_mut().find(|(subject, _)| *subject == row.subject) {
            Some((_, bars)) => bars.push(row),
            None => groups.push((&row.subject, vec![row])),
        }
    }
    for (_, bars) in &mut groups {
        bars.sort_by(|a, b| a.core_cycles().total_cmp(&b.core_cycles()));
        let best = bars.iter().find(|row| row.implementation == RINGSMITH).map(|row| row.cpu.clone());
        let Some(best) = best else {
            // A ring that only peers serve: in the page's table, not here.
            bars.clear();
            continue;
        };
        bars.retain(|row| row.implementation != RINGSMITH || row.cpu == best);
    }
    groups.retain(|(_, bars)| !bars.is_empty());
    groups
}

/// Powers of ten from `low` to `high` on the horizontal axis.
struct Scale {
    low: i32,
    high: i32,
}

impl Scale {
    fn of(groups: &Groups) -> Self {
        let logs = groups.iter().flat_map(|(_, bars)| bars).map(|row| row.core_cycles().max(1.0).log10());
        let (low, high) = logs.fold((f64::INFINITY, 0.0f64), |(low, high), x| (low.min(x), high.max(x)));
        // A bar of zero length would say nothing: at least a tenth of a decade.
        let low = (low - 0.1).floor().max(0.0) as i32;
        Scale { low, high: (high.ceil() as i32).max(low + 1) }
    }

    fn x(&self, cycles: f64) -> i32 {
        let part = (cycles.max(1.0).log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        LEFT + (part * f64::from(WIDTH - LEFT - RIGHT)) as i32
    }
}

fn label(area: &Area, text: &str, at: (i32, i32), size: i32, side: HPos) -> Drawn {
    let style = ("sans-serif", size).into_font().color(&TEXT).pos(Pos::new(side, VPos::Center));
    Ok(area.draw(&Text::new(text.to_owned(), at, style))?)
}

/// Title, lines at the powers of ten, and their names.
fn frame(area: &Area, scale: &Scale, height: i32, axis: &str) -> Drawn {
    label(
        area,
        "One product, each route on the best CPU backend (log scale)",
        (10, TOP / 2),
        18,
        HPos::Left,
    )?;
    let bottom = height - BOTTOM + 6;
    for power in scale.low..=scale.high {
        let x = scale.x(10f64.powi(power));
        area.draw(&PathElement::new([(x, TOP), (x, bottom)], GRID))?;
        label(area, &grouped(10f64.powi(power)).replace(".0", ""), (x, bottom + 12), 12, HPos::Center)?;
    }
    label(area, axis, ((LEFT + WIDTH - RIGHT) / 2, bottom + 32), 13, HPos::Center)
}

/// One row: its name, its bar, its figure.
fn bar(area: &Area, scale: &Scale, row: &Measurement, y: i32) -> Drawn {
    let (name, colour) = match row.implementation == RINGSMITH {
        true => (format!("{} ({})", row.route, row.cpu), OURS),
        false => (format!("{} ({})", row.implementation, row.cpu), THEIRS),
    };
    let (middle, end) = (y + LINE / 2, scale.x(row.core_cycles()));
    label(area, &name, (LEFT - 8, middle), 13, HPos::Right)?;
    area.draw(&Rectangle::new([(LEFT, y + 3), (end, y + LINE - 3)], colour.filled()))?;
    label(area, &grouped(row.core_cycles()), (end + 5, middle), 12, HPos::Left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::sample::rows;

    /// Protects: a bar for each route on the best CPU and for each peer, none for the slower CPU.
    #[test]
    fn bars_of_the_sample() {
        let svg = svg(&rows()).unwrap().unwrap();
        for part in
            ["rows (avx2)", "schoolbook (avx2)", "peer 1.2.3 (avx512)", "10,000", "1,000,000", "estimated"]
        {
            assert!(svg.contains(part), "{part:?} is not in\n{svg}");
        }
        assert!(!svg.contains("(scalar)"));
        // Background and three bars.
        assert_eq!(svg.matches("<rect ").count(), 4);
    }

    /// Protects: a ring without a route of ours is left to the table.
    #[test]
    fn peers_alone_are_not_drawn() {
        assert_eq!(svg(&rows()[3..4]).unwrap(), None);
    }

    /// Protects: a file without products has no plot, and no crash.
    #[test]
    fn nothing_to_plot() {
        assert_eq!(svg(&[]).unwrap(), None);
        assert_eq!(svg(&rows()[4..]).unwrap(), None);
    }
}
