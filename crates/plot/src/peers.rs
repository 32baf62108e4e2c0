//! How many times as long as this library others take, by scheme: from the page of performance.
//!
//! A row is a library, a mark an operation: `their time / our time`, ours on the backend that is fastest at
//! it. The figures are those of the page, a signature's the mean over its list.

use crate::axis::{Axis, short, tick};
use crate::svg::Svg;
use crate::table::{Table, markdown, number, ratio};

/// Operations by the kinds that marks tell apart, and what the legend says.
const KINDS: [&str; 4] =
    ["key generation", "encapsulation, signing (mean)", "decapsulation, verification", "product"];
/// The name of this library in tables.
const OURS: &str = "ringsmith";
/// One set of each family, in the order of the picture.
const SETS: [&str; 6] =
    ["ML-KEM-768", "ML-DSA-65", "sntrup761", "ntrulpr761", "ntruhps2048677", "ntruhrss701"];
/// The rings whose products are compared.
const RINGS: [&str; 2] = ["Z_12289[x]/(x^1024+1)", "Z_12289[x]/(x^512+1)"];

/// A library beside ours: a ratio for each kind of operation.
struct Row {
    peer: String,
    ratios: [Option<f64>; 4],
}

/// What is compared in a scheme or a ring.
struct Group {
    name: String,
    rows: Vec<Row>,
}

impl Group {
    /// Without rows that compare nothing, and then nothing if there are none.
    fn kept(name: &str, mut rows: Vec<Row>) -> Option<Group> {
        rows.retain(|row| row.ratios.iter().any(Option::is_some));
        (!rows.is_empty()).then(|| Group { name: name.into(), rows })
    }
}

/// The kind of a row of a table of key encapsulations.
fn kind(operation: &str) -> Option<usize> {
    ["keygen", "encapsulate", "decapsulate"].iter().position(|name| *name == operation)
}

/// Key encapsulations: a line for each operation, a column for each library, ratios in parentheses.
fn encapsulations(table: &Table, name: &str) -> Option<Group> {
    let row = |(column, peer): (usize, &String)| {
        let mut ratios = [None; 4];
        for line in &table.lines {
            if let Some(kind) = kind(&line[0]) {
                ratios[kind] = ratio(&line[column]);
            }
        }
        Row { peer: peer.clone(), ratios }
    };
    Group::kept(name, table.columns.iter().enumerate().skip(1).map(row).collect())
}

/// Signatures: a line for each library on a backend, a column for each operation.
fn signatures(table: &Table, name: &str) -> Option<Group> {
    let columns = ["keygen", "mean", "verify"].map(|name| table.column(name));
    let figure = |line: &Vec<String>, column: Option<usize>| number(&line[column?]);
    let ours = columns.map(|column| {
        let lines = table.lines.iter().filter(|line| line[0] == OURS);
        lines.filter_map(|line| figure(line, column)).reduce(f64::min)
    });
    let row = |line: &Vec<String>| {
        let mut ratios = [None; 4];
        for (kind, (column, ours)) in columns.into_iter().zip(ours).enumerate() {
            ratios[kind] = figure(line, column).zip(ours).map(|(theirs, ours)| theirs / ours);
        }
        Row { peer: format!("{} ({})", line[0], line[1]), ratios }
    };
    Group::kept(name, table.lines.iter().filter(|line| line[0] != OURS).map(row).collect())
}

/// Products: a line for each ring, operation and library.
fn products(table: &Table, ring: &str) -> Option<Group> {
    let [of, operation, peer, cpu, ratio] =
        ["of", "operation", "peer", "its CPU", "ratio"].map(|name| table.column(name));
    let (of, operation, peer, cpu, ratio) = (of?, operation?, peer?, cpu?, ratio?);
    let lines = table.lines.iter().filter(|line| line[of] == ring && line[operation] == "product");
    let row = |line: &Vec<String>| Row {
        peer: format!("{} ({})", line[peer], line[cpu]),
        ratios: [None, None, None, number(&line[ratio])],
    };
    Group::kept(&format!("product in {ring}"), lines.map(row).collect())
}

/// The table of a set: that whose title ends with its name, or has it before a colon and counts times.
fn group(tables: &[Table], set: &str) -> Option<Group> {
    let of_set = |table: &&Table| {
        let title = table.title.rsplit(" / ").next().unwrap_or_default();
        title == set || title.starts_with(&format!("{set}: "))
    };
    let mut found = tables.iter().filter(of_set);
    found.find_map(|table| match table.column("verify") {
        Some(_) => signatures(table, set),
        None => encapsulations(table, set),
    })
}

fn groups(page: &str) -> Vec<Group> {
    let tables = markdown(page);
    let schemes = SETS.iter().filter_map(|set| group(&tables, set));
    let of_ring = |ring: &&str| tables.iter().find_map(|table| products(table, ring));
    schemes.chain(RINGS.iter().filter_map(of_ring)).collect()
}

/// Pixels: the picture's width, a row, a group's heading, what stands above and below the rows.
const WIDTH: f64 = 900.0;
const ROW: f64 = 18.0;
const HEADING: f64 = 23.0;
const TOP: f64 = 74.0;
const BOTTOM: f64 = 58.0;
/// Where marks and figures stand.
const MARKS: [f64; 2] = [262.0, 700.0];
const FIGURES: f64 = 742.0;
const APART: f64 = 56.0;

/// The picture, where the page has anything to compare.
pub fn draw(page: &str) -> Option<String> {
    let groups = groups(page);
    let ratios = || groups.iter().flat_map(|group| &group.rows).flat_map(|row| row.ratios).flatten();
    ratios().next()?;
    let axis = Axis::of_ratios(ratios().collect::<Vec<_>>().into_iter(), MARKS);
    let height: f64 =
        groups.iter().map(|group| HEADING + ROW * group.rows.len() as f64).sum::<f64>() + TOP + BOTTOM;
    let about = "How many times as long as Ringsmith other libraries take, by scheme and operation.";
    let mut svg = Svg::of_figures(WIDTH as i32, height as i32, about);
    legend(&mut svg);
    frame(&mut svg, &axis, height - BOTTOM);
    let mut y = TOP;
    for group in &groups {
        svg.text("l h", [10.0, y + 16.0], &group.name);
        y += HEADING;
        for row in &group.rows {
            self::row(&mut svg, &axis, row, y + ROW / 2.0);
            y += ROW;
        }
    }
    svg.text("l s", [10.0, height - 10.0], &machine(page));
    Some(svg.finish())
}

/// Where the page's figures were measured.
fn machine(page: &str) -> String {
    let machine = page.lines().find_map(|line| line.strip_prefix("* machine: ")).unwrap_or_default();
    format!("In parentheses: what the other library runs on; scalar is portable code. {machine}")
}

fn legend(svg: &mut Svg) {
    let title = "How many times as long other libraries take: right of 1 Ringsmith is faster";
    svg.text("l h", [10.0, 20.0], title);
    let mut x = 16.0;
    for (kind, name) in KINDS.iter().enumerate() {
        svg.mark(&format!("k{kind}"), kind, [x, 45.0]).text("l s", [x + 12.0, 49.0], name);
        x += 34.0 + 6.7 * name.len() as f64;
    }
    for kind in 0..3 {
        svg.mark(&format!("k{kind}"), kind, [FIGURES + APART * kind as f64 + 20.0, 45.0]);
    }
}

fn frame(svg: &mut Svg, axis: &Axis, bottom: f64) {
    for mark in axis.marks(30.0) {
        let (x, class) = (axis.at(mark), if mark == 1.0 { "one" } else { "grid" });
        svg.path(class, [x, TOP - 8.0], [x, bottom]);
        svg.text("s", [x, bottom + 16.0], &tick(mark));
    }
    svg.text(
        "s",
        [MARKS[0].midpoint(MARKS[1]), bottom + 32.0],
        "their time / Ringsmith's on its fastest backend (logarithmic)",
    );
}

fn row(svg: &mut Svg, axis: &Axis, row: &Row, y: f64) {
    svg.text("r s", [MARKS[0] - 12.0, y + 4.0], &row.peer);
    let known = || row.ratios.iter().flatten().copied();
    let ends = [known().fold(f64::INFINITY, f64::min), known().fold(0.0, f64::max)];
    svg.path("join", [axis.at(ends[0].min(1.0)), y], [axis.at(ends[1].max(1.0)), y]);
    for (kind, ratio) in row.ratios.iter().enumerate() {
        let Some(ratio) = ratio else { continue };
        svg.mark(&format!("k{kind}"), kind, [axis.at(*ratio), y]);
        let column = if kind == 3 { 1 } else { kind };
        svg.text("r s", [FIGURES + APART * column as f64 + 34.0, y + 4.0], &short(*ratio));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
* machine: a machine

## Key encapsulation

### ML-KEM-768

| operation | avx2 | scalar | one 1.0 (avx2) | two 2.0 (scalar) |
|---|---:|---:|---:|---:|
| keygen | 1,000 | 3,000 | 2,000 (2.00) |  |
| encapsulate-prepared | 1,000 | 3,000 | 9,000 (9.00) |  |

## Signatures

### ML-DSA-65: 5.09 attempts a signature

| library | on | keygen | first | mean | verify |
|---|---|---:|---:|---:|---:|
| ringsmith | avx512 | 100.0 | 1.0 | 200.0 | 50.0 |
| ringsmith | avx2 | 90.0 | 1.0 | 250.0 | 60.0 |
| three 3.0 | avx2, hedged | 180.0 | 1.0 | 100.0 | - |

### ML-DSA-65: ours / theirs

| library | ours / theirs | keygen | first | mean | verify |
|---|---|---:|---:|---:|---:|
| three 3.0 | avx2 / avx2 | 0.5 | 1.0 | 2.0 | - |

## Rings

### Peers

| of | operation | peer | its CPU | cost | ours | our CPU | our route | ratio |
|---|---|---|---|---:|---:|---|---|---:|
| `Z_12289[x]/(x^512+1)` | product | four | avx2 | 8 | 2 | avx2 | `rows` | 4.00 |
";

    /// Protects: what is compared is what the page says, signatures by our fastest backend of each operation.
    #[test]
    fn ratios_of_a_page() {
        let found: Vec<_> = groups(PAGE)
            .into_iter()
            .flat_map(|group| {
                group.rows.into_iter().map(move |row| (group.name.clone(), row.peer, row.ratios))
            })
            .collect();
        let row = |name: &str, peer: &str, ratios| (name.to_string(), peer.to_string(), ratios);
        let expected = [
            row("ML-KEM-768", "one 1.0 (avx2)", [Some(2.0), None, None, None]),
            row("ML-DSA-65", "three 3.0 (avx2, hedged)", [Some(2.0), Some(0.5), None, None]),
            row("product in Z_12289[x]/(x^512+1)", "four (avx2)", [None, None, None, Some(4.0)]),
        ];
        assert_eq!(found, expected);
        assert!(draw(PAGE).is_some_and(|picture| picture.contains("a machine")));
        assert_eq!(draw("# A page\n"), None);
    }
}
