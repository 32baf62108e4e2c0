//! How many times as long as this library others take, by scheme: from the page of performance.
//!
//! A row is a library, a mark an operation: `their time / our time`, ours on the backend that is fastest at
//! it. The figures are those of the page, a signature's the mean over its list.

use crate::axis::{Axis, short, tick};
use crate::compare::{Group, Kinds, Row, groups};
use crate::svg::Svg;

/// Operations by the kinds that marks tell apart, and what the legend says.
const KINDS: [&str; 4] =
    ["key generation", "encapsulation, signing (mean)", "decapsulation, verification", "product"];
/// Pixels: the picture's width, a row, a group's heading, what stands above and below the rows.
const WIDTH: f64 = 900.0;
const ROW: f64 = 18.0;
const HEADING: f64 = 23.0;
const TOP: f64 = 74.0;
const BOTTOM: f64 = 58.0;
/// Where marks and figures stand.
const MARKS: [f64; 2] = [275.0, 700.0];
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
    frame(&mut svg, &axis, height - BOTTOM, ours(page));
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

/// How a section begins whose figures were measured on a machine of its own, which is named next.
const ELSEWHERE: &str = "Measured on another machine than the rest of the page: ";

/// Where the page's figures were measured.
fn machine(page: &str) -> String {
    let machine = page.lines().find_map(|line| line.strip_prefix("* machine: ")).unwrap_or_default();
    // Without the compiler's date.
    let machine = machine.rsplit_once(" (").map_or(machine, |(machine, _)| machine);
    let signed = page.lines().find_map(|line| line.strip_prefix(ELSEWHERE)?.split(',').next());
    let signed = signed.map_or(String::new(), |machine| format!("; signatures: {machine}"));
    format!("In parentheses: their backend (scalar: portable). {machine}{signed}")
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

/// What the axis says of our backends: others have no AVX-512, but for those whose parentheses say so.
fn ours(page: &str) -> &'static str {
    match page.contains(" avx512 ") {
        true => "their time / Ringsmith's on its fastest backend: AVX-512 or AVX2 (logarithmic)",
        false => "their time / Ringsmith's on its fastest backend (logarithmic)",
    }
}

fn frame(svg: &mut Svg, axis: &Axis, bottom: f64, ours: &str) {
    for mark in axis.marks(30.0) {
        let (x, class) = (axis.at(mark), if mark == 1.0 { "one" } else { "grid" });
        svg.path(class, [x, TOP - 8.0], [x, bottom]);
        svg.text("s", [x, bottom + 16.0], &tick(mark));
    }
    svg.text("s", [MARKS[0].midpoint(MARKS[1]), bottom + 32.0], ours);
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

/// Cycles as people read them.
fn grouped(cycles: f64) -> String {
    let digits = format!("{cycles:.0}");
    let comma = |i: usize| i > 0 && (digits.len() - i).is_multiple_of(3);
    digits.char_indices().flat_map(|(i, digit)| comma(i).then_some(',').into_iter().chain([digit])).collect()
}

/// Our cycles of a kind of operation, and the least ratio of another library with its name.
fn cell<'a>(
    ours: Option<f64>,
    others: impl Iterator<Item = (Option<f64>, &'a str)>,
) -> (String, Option<&'a str>) {
    let others = others.filter_map(|(ratio, peer)| Some((ratio?, peer)));
    let nearest = others.min_by(|a, b| a.0.total_cmp(&b.0));
    let cycles = ours.map_or(String::new(), grouped);
    match nearest {
        Some((ratio, peer)) => (format!("{cycles} ({ratio:.2})"), Some(peer)),
        None => (cycles, None),
    }
}

/// A line of the table: our cycles, and of each other library its ratios.
fn line(name: &str, ours: Kinds, rows: &[Row], ratios: impl Fn(&Row) -> Kinds) -> String {
    let cells = [0, 1, 2].map(|kind| {
        let others = rows.iter().map(|row| (ratios(row)[kind], row.peer.as_str()));
        cell(ours[kind], others)
    });
    let mut peers: Vec<&str> = cells.iter().filter_map(|cell| cell.1).collect();
    peers.dedup();
    let figures = cells.map(|cell| cell.0).join(" | ");
    format!("| {name} | {figures} | {} |\n", peers.join(", "))
}

/// Both lines of a scheme: by our fastest backend, and where neither side has AVX-512.
fn lines(group: &Group) -> String {
    let fastest = line(&group.name, group.ours, &group.rows, |row| row.ratios);
    let narrower = line("on AVX2", group.with_avx2, &group.rows, |row| row.with_avx2);
    fastest + &narrower
}

/// The same figures as a table in Markdown: our core cycles, in parentheses how many times as long the
/// fastest other library takes; below each line the same where neither side has AVX-512.
pub fn table(page: &str) -> String {
    let heading = String::from(
        "| | key generation | encapsulation, signing | decapsulation, verification | fastest other |\n\
         |---|---:|---:|---:|---|\n",
    );
    let groups = groups(page);
    let schemes = groups.iter().filter(|group| group.ours[3].is_none());
    schemes.fold(heading, |text, group| text + &lines(group))
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
            row("Z_12289[x]/(x^512+1)", "four (avx2)", [None, None, None, Some(4.0)]),
        ];
        assert_eq!(found, expected);
        let row = "| ML-DSA-65 | 90,000 (2.00) | 200,000 (0.50) | 50,000 | three 3.0 (avx2, hedged) |\n";
        assert!(table(PAGE).contains(row), "{}", table(PAGE));
        let narrower = "| on AVX2 | 90,000 (2.00) | 250,000 (0.40) | 60,000 | three 3.0 (avx2, hedged) |\n";
        assert!(table(PAGE).contains(&format!("{row}{narrower}")), "{}", table(PAGE));
        assert!(table(PAGE).contains("| ML-KEM-768 | 1,000 (2.00) |"), "{}", table(PAGE));
        assert!(draw(PAGE).is_some_and(|picture| picture.contains("a machine")));
        assert_eq!(draw("# A page\n"), None);
    }
}
