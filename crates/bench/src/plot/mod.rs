//! The pictures of the page: the cost of a product by each route, and of each operation of the schemes.

mod draw;

use crate::measurement::Measurement;
use crate::{RINGSMITH, kem, ring};
use draw::{Bar, Chart, Growth};
use std::error::Error;

/// An SVG text; none where no row belongs into it.
type Picture = Result<Option<String>, Box<dyn Error>>;

/// The products in each ring, of each route on the CPU backend that is best at it.
///
/// # Errors
/// Where the drawing library fails.
pub fn products(rows: &[Measurement]) -> Picture {
    let chosen = rows.iter().filter(|row| row.suite == ring::SUITE && row.operation == "product");
    draw(Chart {
        title: "One product, each route on the best CPU backend (log scale)",
        axis: axis(rows),
        growth: Growth::Logarithmic,
        groups: groups(
            chosen,
            |row| row.subject.clone(),
            |row| match is_ours(row) {
                true => format!("{} ({})", row.route, row.cpu),
                false => format!("{} ({})", row.implementation, row.cpu),
            },
        ),
    })
}

/// The operations of each scheme from bytes to bytes, of each library on the CPU backend that is best at it.
///
/// # Errors
/// Where the drawing library fails.
pub fn schemes(rows: &[Measurement]) -> Picture {
    let operations = [kem::KEYGEN, kem::ENCAPSULATE, kem::DECAPSULATE];
    let chosen =
        rows.iter().filter(|row| row.suite == kem::SUITE && operations.contains(&row.operation.as_str()));
    draw(Chart {
        title: "One operation from bytes to bytes, each library on its best CPU backend",
        axis: axis(rows),
        growth: Growth::Linear,
        groups: groups(
            chosen,
            |row| format!("{}, {}", row.subject, row.operation),
            |row| kem::label(&row.implementation, &row.cpu, &row.route),
        ),
    })
}

fn draw(chart: Chart) -> Picture {
    if chart.groups.is_empty() { Ok(None) } else { chart.draw().map(Some) }
}

fn is_ours(row: &Measurement) -> bool {
    row.implementation == RINGSMITH
}

/// What the axis counts.
fn axis(rows: &[Measurement]) -> &'static str {
    match rows.iter().all(Measurement::counts_cycles) {
        true => "core cycles",
        false => "core cycles, estimated from ticks",
    }
}

/// Rows under headings, sorted by cost; ours on one CPU for each heading, the fastest one.
fn groups<'a>(
    rows: impl Iterator<Item = &'a Measurement>,
    heading: impl Fn(&Measurement) -> String,
    name: impl Fn(&Measurement) -> String,
) -> Vec<(String, Vec<Bar>)> {
    let mut groups: Vec<(String, Vec<&Measurement>)> = Vec::new();
    for row in rows {
        let heading = heading(row);
        match groups.iter_mut().find(|group| group.0 == heading) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((heading, vec![row])),
        }
    }
    let bar = |row: &Measurement| Bar { name: name(row), ours: is_ours(row), cycles: row.core_cycles() };
    let bars = |rows| on_the_best_cpu(rows).into_iter().map(bar).collect::<Vec<_>>();
    let groups = groups.into_iter().map(|(heading, rows)| (heading, bars(rows)));
    groups.filter(|(_, bars)| !bars.is_empty()).collect()
}

/// By cost; none where none is ours, since such a group is left to the page's table.
fn on_the_best_cpu(mut rows: Vec<&Measurement>) -> Vec<&Measurement> {
    rows.sort_by(|a, b| a.core_cycles().total_cmp(&b.core_cycles()));
    let best = rows.iter().find(|row| is_ours(row)).map(|row| &row.cpu);
    let drawn = |row: &&Measurement| best.is_some_and(|best| !is_ours(row) || row.cpu == *best);
    rows.iter().copied().filter(drawn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::sample;

    #[track_caller]
    fn contains(svg: &str, parts: &[&str]) {
        for part in parts {
            assert!(svg.contains(part), "{part:?} is not in\n{svg}");
        }
    }

    /// Protects: a bar for each route on the best CPU and for each peer, none for the slower CPU.
    #[test]
    fn bars_of_the_sample() {
        let svg = products(&sample::rows()).unwrap().unwrap();
        let parts =
            ["rows (avx2)", "schoolbook (avx2)", "peer 1.2.3 (avx512)", "10,000", "1,000,000", "estimated"];
        contains(&svg, &parts);
        assert!(!svg.contains("(scalar)"));
        // Background and three bars.
        assert_eq!(svg.matches("<rect ").count(), 4);
    }

    /// Protects: the same for schemes, and that a bar says where a peer checked nothing; no prepared keys.
    #[test]
    fn bars_of_schemes() {
        let svg = schemes(&sample::schemes()).unwrap().unwrap();
        let parts = ["ML-KEM-768, encapsulate", "ringsmith (avx2)", "1.2.3, unchecked (avx2)", "12,500"];
        contains(&svg, &parts);
        assert!(!svg.contains("(scalar)") && !svg.contains("prepared"));
        // Background and three bars.
        assert_eq!(svg.matches("<rect ").count(), 4);
    }

    /// Protects: a ring without a route of ours is left to the table.
    #[test]
    fn peers_alone_are_not_drawn() {
        assert_eq!(products(&sample::rows()[3..4]).unwrap(), None);
        assert_eq!(schemes(&sample::schemes()[2..4]).unwrap(), None);
    }

    /// Protects: a file without products or schemes has no plot of them, and no crash.
    #[test]
    fn nothing_to_plot() {
        assert_eq!(products(&[]).unwrap(), None);
        assert_eq!(products(&sample::rows()[4..]).unwrap(), None);
        assert_eq!(products(&sample::schemes()).unwrap(), None);
        assert_eq!(schemes(&sample::rows()).unwrap(), None);
    }
}
