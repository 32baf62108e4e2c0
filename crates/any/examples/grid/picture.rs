//! Predictions beside measurements, as a picture.

use crate::measure::Row;
use ringsmith_any::Costs;
use std::fmt::Write;

const SIDE: f64 = 420.0;
const MARGIN: f64 = 56.0;
/// The powers of ten of the axes.
const FROM: i32 = 3;
const TO: i32 = 9;

/// Where so many cycles are on an axis.
fn at(cycles: f64) -> f64 {
    let share = (cycles.log10() - f64::from(FROM)) / f64::from(TO - FROM);
    MARGIN + share.clamp(0.0, 1.0) * SIDE
}

/// The axes, a line for each power of ten, and the lines where a prediction is right, and 20% off.
fn axes(out: &mut String) {
    let (end, far) = (MARGIN + SIDE, 2.0 * MARGIN + SIDE);
    for power in FROM..=TO {
        let (x, y) = (at(10_f64.powi(power)), far - at(10_f64.powi(power)));
        _ = write!(out, "<path class='grid' d='M{x:.0} {MARGIN}V{end}M{MARGIN} {y:.0}H{end}'/>");
        _ = write!(out, "<text x='{x:.0}' y='{:.0}' text-anchor='middle'>10^{power}</text>", end + 18.0);
        _ = write!(
            out,
            "<text x='{:.0}' y='{:.0}' text-anchor='end'>10^{power}</text>",
            MARGIN - 6.0,
            y + 4.0
        );
    }
    let (least, most) = (10_f64.powi(FROM), 10_f64.powi(TO));
    for (class, ratio) in [("right", 1.0), ("off", 1.2), ("off", 0.8)] {
        let [(x, y), (u, v)] = [least.max(least / ratio), most.min(most / ratio)]
            .map(|cycles| (at(cycles), far - at(cycles * ratio)));
        _ = write!(out, "<path class='{class}' d='M{x:.1} {y:.1}L{u:.1} {v:.1}'/>");
    }
    _ = write!(
        out,
        "<text x='{:.0}' y='{:.0}' text-anchor='middle'>measured cycles</text>",
        far / 2.0,
        far - 12.0
    );
    _ = write!(out, "<text x='{MARGIN}' y='36'>predicted cycles; dashed: 20% off</text>");
}

/// The picture, an SVG text.
pub(crate) fn of(rows: &[Row], costs: &Costs) -> String {
    let far = 2.0 * MARGIN + SIDE;
    let mut out = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {far} {far}' width='{far}' height='{far}'>\
         <style>text{{font:13px sans-serif;fill:#777}}path{{fill:none}}.grid{{stroke:#8884}}\
         .right{{stroke:#777}}.off{{stroke:#777;stroke-dasharray:4 4}}circle{{fill:#1f77b4aa}}</style>"
    );
    axes(&mut out);
    for row in rows {
        let chosen = row.chosen(costs);
        let (x, y) = (at(chosen.cycles), far - at(costs.cycles(&chosen.work)));
        _ = write!(out, "<circle cx='{x:.1}' cy='{y:.1}' r='3'/>");
    }
    out + "</svg>\n"
}
