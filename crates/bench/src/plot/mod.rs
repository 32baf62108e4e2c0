//! Pictures: the cost of a product by each route and of each operation of the schemes, for the page; the
//! tables of a paper.

mod draw;

use crate::measurement::Measurement;
use crate::paper::{Line, Paper, Table, Unit};
use crate::{RINGSMITH, exchange, kem, public, ring, signature};
use draw::{Bar, Chart};
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
        title: "One product, each route on the best CPU backend (log scale)".into(),
        axis: axis(rows),
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

/// One set of each kind, for a picture of one screen: the others are in the page's tables.
const DRAWN: [&str; 5] = ["ML-KEM-768", "sntrup761", "ntrulpr761", "ntruhps2048677", "ntruhrss701"];

/// The operations of each scheme from bytes to bytes, of each library on the CPU backend that is best at it.
/// Where other libraries were measured, those of a few schemes that have another library beside ours.
///
/// # Errors
/// Where the drawing library fails.
pub fn schemes(rows: &[Measurement]) -> Picture {
    let operations = [kem::KEYGEN, kem::ENCAPSULATE, kem::DECAPSULATE];
    let chosen =
        rows.iter().filter(|row| row.suite == kem::SUITE && operations.contains(&row.operation.as_str()));
    let mut groups = groups(
        chosen,
        |row| format!("{}, {}", row.subject, row.operation),
        |row| kem::label(&row.implementation, &row.cpu, &row.route),
    );
    let compared = |group: &(String, Vec<Bar>)| group.1.iter().any(|bar| !bar.ours);
    let drawn = |group: &(String, Vec<Bar>)| {
        compared(group) && DRAWN.iter().any(|name| group.0.split(',').next() == Some(name))
    };
    if groups.iter().any(drawn) {
        groups.retain(drawn);
    } else if groups.iter().any(compared) {
        groups.retain(compared);
    }
    draw(Chart {
        title: "One operation from bytes to bytes, each library on its best CPU backend (log scale)".into(),
        axis: axis(rows),
        groups,
    })
}

/// The times in a paper's tables: what was published, and here each route on the CPU backend that is best at
/// it.
///
/// # Errors
/// Where the drawing library fails.
pub fn paper(paper: &Paper, tables: &[Table], rows: &[Measurement]) -> Picture {
    if tables.iter().any(|table| table.unit == Unit::Seconds) {
        return encryptions(paper, tables);
    }
    if rows.iter().any(|row| row.suite == signature::SUITE) {
        return signatures(rows);
    }
    let mut groups: Vec<(String, Vec<Bar>)> = Vec::new();
    let is_timed = |table: &&Table| matches!(table.unit, Unit::Kilocycles | Unit::Microseconds);
    for table in tables.iter().filter(is_timed) {
        for line in &table.lines {
            let heading = operation(line);
            let at = groups.iter().position(|group| group.0 == heading).unwrap_or(groups.len());
            if at == groups.len() {
                groups.push((heading, Vec::new()));
            }
            add_bars(&mut groups[at].1, table, line);
        }
    }
    // What nobody published has nothing beside it: the table says it.
    let has_published = |(_, bars): &(String, Vec<Bar>)| bars.iter().any(|bar| !bar.ours);
    if groups.iter().any(has_published) {
        groups.retain(has_published);
    }
    draw(Chart {
        title: format!("{}: published, and here on the best CPU backend (log scale)", paper.name),
        axis: match tables.iter().any(|table| table.unit == Unit::Microseconds) {
            true => "microseconds",
            false => axis(rows),
        },
        groups,
    })
}

/// The set whose signatures are drawn: the tables have all.
const SIGNED: &str = "ML-DSA-65";

/// Each operation of signatures, of each library on the CPU backend that is best at it.
///
/// # Errors
/// Where the drawing library fails.
pub fn signatures(rows: &[Measurement]) -> Picture {
    let of = |operation: &'static str, heading: &'static str, figure: fn(&Measurement) -> Option<f64>| {
        let of_operation = move |row: &&Measurement| {
            row.suite == signature::SUITE && row.subject == SIGNED && row.operation == operation
        };
        rows.iter().filter(of_operation).filter_map(move |row| {
            Some(Measurement { operation: heading.into(), cycles_min: figure(row)?, ..row.clone() })
        })
    };
    let least = |row: &Measurement| Some(row.cycles_min);
    let drawn: Vec<_> = of(signature::KEYGEN, "key generation", least)
        .chain(of(signature::SIGN, "signing, first attempt", least))
        .chain(of(signature::SIGN, "signing, mean", |row| row.cycles_mean))
        .chain(of(signature::VERIFY, "verification", least))
        .collect();
    let groups = groups(
        drawn.iter(),
        |row| row.operation.clone(),
        |row| {
            let hedged = if row.route == signature::HEDGED { ", hedged" } else { "" };
            format!("{} ({}{hedged})", row.implementation, row.cpu)
        },
    );
    let title = format!("{SIGNED}, each library on its best CPU backend (log scale)");
    draw(Chart { title, axis: axis(rows), groups })
}

/// The encryptions of a paper's tables that it has a time of, and the library's, in microseconds: a
/// thousandth of the table's 1000.
fn encryptions(paper: &Paper, tables: &[Table]) -> Picture {
    let mut groups: Vec<(String, Vec<Bar>)> = Vec::new();
    let timed = tables.iter().filter(|table| table.unit == Unit::Seconds);
    for line in timed.flat_map(|table| &table.lines) {
        if groups.last().is_none_or(|group| group.0 != line.subject) {
            groups.push((line.subject.clone(), Vec::new()));
        }
        let Some((_, bars)) = groups.last_mut() else { continue };
        let published = line.published.iter().flatten().map(|value| (*value, false)).next();
        let here = line.ours.iter().flatten().copied().min_by(f64::total_cmp).map(|value| (value, true));
        let drawn = published.is_some() || line.route == public::LIBRARY;
        for (seconds, ours) in published.into_iter().chain(here).filter(|_| drawn) {
            let by = if ours { "" } else { ", published" };
            bars.push(Bar { name: format!("{}{by}", line.route), ours, cycles: 1e3 * seconds });
        }
    }
    draw(Chart {
        title: format!("{}: published (GPU), and here on the best CPU backend (log scale)", paper.name),
        axis: "microseconds for one encryption",
        groups,
    })
}

/// What bars are compared in: an operation, of schemes of one size.
fn operation(line: &Line) -> String {
    match line.subject.rsplit_once('-') {
        Some((_, size)) if size.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{}, {size}", line.item)
        }
        _ => line.item.clone(),
    }
}

/// A line's published figures, unless those of another route were the same, and its least one here.
fn add_bars(bars: &mut Vec<Bar>, table: &Table, line: &Line) {
    let scale = if table.unit == Unit::Kilocycles { 1e3 } else { 1.0 };
    let bar = |name: String, ours, value: f64| Bar { name, ours, cycles: scale * value };
    for (column, value) in table.published.iter().zip(&line.published) {
        let drawn = |value| bars.iter().any(|bar| !bar.ours && bar.cycles == scale * value);
        if let Some(value) = value.filter(|value| !drawn(*value)) {
            bars.push(bar(format!("{}, published, {column}", line.subject), false, value));
        }
    }
    let here = table.ours.iter().zip(&line.ours).filter_map(|(cpu, value)| Some((cpu, (*value)?)));
    if let Some((cpu, value)) = here.min_by(|a, b| a.1.total_cmp(&b.1)) {
        let route = if line.route == exchange::ANY { "" } else { line.route };
        bars.push(bar(format!("{} ({})", line.subject, format!("{cpu} {route}").trim_end()), true, value));
    }
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
        let mut alone = sample::schemes()[0].clone();
        alone.subject = "Alone".into();
        assert!(schemes(&[alone.clone()]).unwrap().unwrap().contains("Alone"));
        let rows: Vec<_> = sample::schemes().into_iter().chain([alone]).collect();
        assert_eq!(schemes(&rows).unwrap().unwrap(), svg);
    }

    /// Protects: what a paper published is drawn, and each route on the best CPU alone; where nothing was
    /// measured, what was published.
    #[test]
    fn bars_of_a_paper() {
        let found = Paper::find("newhope-compact").unwrap();
        let mut row = sample::rows()[0].clone();
        (row.subject, row.operation, row.route) =
            ("Z_3329[x]/(x^512+1)".into(), "product".into(), "ntt:4".into());
        (row.cycles_min, row.canary) = (2500.0, 1000.0);
        let rows = [row.clone(), Measurement { cpu: "slow".into(), cycles_min: 2600.0, ..row }];
        let svg = paper(found, &found.tables(&rows), &rows).unwrap().unwrap();
        let bars = svg.matches("<rect ").count();
        contains(&svg, &["(avx2 ntt:4)", "2,500", "published, C", "21,700", "14,200", "key generation, 512"]);
        assert!(!svg.contains("slow") && !svg.contains("2,600"));
        let svg = paper(found, &found.tables(&[]), &[]).unwrap().unwrap();
        assert_eq!(svg.matches("<rect ").count(), bars - 1);
    }

    /// Protects: of a paper that has seconds, published figures and ours are drawn beside each other,
    /// and no route that it has no figure of but the library's.
    #[test]
    fn bars_of_seconds() {
        let found = Paper::find("akleylek-tok").unwrap();
        let row = |route: &str, ns_min| Measurement {
            suite: "public".into(),
            subject: "ees401ep1".into(),
            operation: "encrypt".into(),
            route: route.into(),
            ns_min,
            ..sample::rows()[0].clone()
        };
        let rows = [row("interleaved:32", 12_300.0), row("interleaved:8", 45_600.0), row("library", 9_870.0)];
        let svg = paper(found, &found.tables(&rows), &rows).unwrap().unwrap();
        contains(
            &svg,
            &["interleaved:32, published", "829", "12.3", "9.9", "ees853ep1", "3,037", "microseconds"],
        );
        assert!(!svg.contains("interleaved:8") && !svg.contains("45.6"));
        // Background, four published figures of each set, and two of ours.
        assert_eq!(svg.matches("<rect ").count(), 1 + 16 + 2);
    }

    /// Protects: of signatures, each operation is drawn with the first attempt and the mean, each library
    /// once, and no other set.
    #[test]
    fn bars_of_signatures() {
        let found = Paper::find("ml-dsa").unwrap();
        let of_set = |name: &str| -> Vec<_> {
            let named = |row| Measurement { subject: name.into(), ..row };
            sample::signatures().into_iter().map(named).collect()
        };
        let svg = paper(found, &[], &of_set(SIGNED)).unwrap().unwrap();
        let parts = ["key generation", "signing, first attempt", "signing, mean", "ringsmith (avx512)"];
        contains(&svg, &parts);
        contains(&svg, &["peer 1.2.3 (avx2, hedged)", "5,000", "20,000", "other 1.2.3 (scalar)", "400,000"]);
        // Background, one of key generation, and ours with two peers twice.
        assert_eq!(svg.matches("<rect ").count(), 1 + 1 + 2 * 3);
        assert_eq!(paper(found, &[], &of_set("ML-DSA-44")).unwrap(), None);
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
