//! What a model predicts beside what was measured: a point for each, on logarithmic axes.

use crate::axis::Axis;
use crate::svg::Svg;

/// Pixels: where the axes begin and end, across and down.
const ACROSS: [f64; 2] = [64.0, 584.0];
const DOWN: [f64; 2] = [580.0, 60.0];
const SIZE: [i32; 2] = [600, 630];

/// The points as a text: a line for each, measured and predicted.
pub fn text(points: &[[f64; 2]]) -> String {
    let line = |[measured, predicted]: &[f64; 2]| format!("{measured:.0} {predicted:.0}\n");
    points.iter().map(line).collect()
}

/// The picture of such a text; none where it has no points.
pub fn draw_text(text: &str) -> Option<String> {
    let point = |line: &str| {
        let (measured, predicted) = line.split_once(' ')?;
        Some([measured.parse().ok()?, predicted.parse().ok()?])
    };
    let points: Vec<[f64; 2]> = text.lines().filter_map(point).collect();
    (!points.is_empty()).then(|| draw(&points))
}

/// The picture of pairs, measured and predicted, in cycles of the core.
pub fn draw(points: &[[f64; 2]]) -> String {
    let all = points.iter().flatten().copied().filter(|value| *value > 0.0);
    let (low, high) = (all.clone().fold(f64::INFINITY, f64::min), all.fold(0.0, f64::max));
    let values = match low < high {
        true => [10f64.powf(low.log10().floor()), 10f64.powf(high.log10().ceil())],
        false => [1.0, 10.0],
    };
    let axes = [ACROSS, DOWN].map(|pixels| Axis { pixels, values, logarithmic: true });
    let mut svg = Svg::of_figures(SIZE[0], SIZE[1], "Predicted cycles of products beside measured ones.");
    frame(&mut svg, axes);
    for [measured, predicted] in points {
        svg.dot("k0", [axes[0].at(*measured), axes[1].at(*predicted)]);
    }
    svg.finish()
}

/// Lines at powers of ten, and where a prediction is right and 20% off.
fn frame(svg: &mut Svg, [across, down]: [Axis; 2]) {
    let [first, last] = across.values.map(|value| value.log10().round() as i32);
    for power in first..=last {
        let (x, y) = (across.at(10f64.powi(power)), down.at(10f64.powi(power)));
        svg.path("grid", [x, DOWN[0]], [x, DOWN[1]]).path("grid", [ACROSS[0], y], [ACROSS[1], y]);
        let text = crate::svg::raised("10", power.into());
        svg.text("s", [x, DOWN[0] + 18.0], &text).text("r s", [ACROSS[0] - 6.0, y + 4.0], &text);
    }
    let [least, most] = across.values;
    for (class, ratio) in [("", 1.0), ("d", 1.2), ("d", 0.8)] {
        let ends = [least.max(least / ratio), most.min(most / ratio)];
        let [from, to] = ends.map(|cycles| [across.at(cycles), down.at(cycles * ratio)]);
        svg.path(class, from, to);
    }
    svg.text("s", [ACROSS[0].midpoint(ACROSS[1]), DOWN[0] + 40.0], "measured, cycles of the core");
    svg.text("l h", [8.0, 20.0], "Cycles of a product: as the model of costs predicts, and as measured");
    svg.text("l s", [8.0, 44.0], "predicted, cycles of the core; dashed: 20% off");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a point for each pair, and axes where there is none.
    #[test]
    fn points() {
        assert_eq!(draw(&[[1500.0, 1600.0], [2e6, 1e6]]).matches("<circle").count(), 2);
        assert!(draw(&[]).contains("</svg>"));
        let points = [[1500.0, 1600.0], [2e6, 1e6]];
        assert_eq!((draw_text(&text(&points)), draw_text("a b\n")), (Some(draw(&points)), None));
    }
}
