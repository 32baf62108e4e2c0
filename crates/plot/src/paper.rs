//! The tables of a paper, as the command prints them: what was published beside what was measured.
//!
//! Only what was both published and measured is drawn. Lines that have a subject, an item and the published
//! figures in common and differ by their route are one row, with a mark for each route.

use crate::panel::{LONGEST, Of, Page, Panel, Row};
use crate::table::{Table, number, printed};

/// How the columns of published figures begin.
const PUBLISHED: &str = "published";
/// What stands above the columns of figures.
const HEADS: [&str; 2] = ["published", "here"];
/// The set that is drawn where libraries are compared with each other.
const SIGNED: &str = "ML-DSA-65";
/// What is drawn of it, by its column.
const SIGNATURES: [(&str, &str); 4] = [
    ("keygen", "Key generation"),
    ("first", "Signing, first attempt"),
    ("mean", "Signing, mean"),
    ("verify", "Verification"),
];

/// Where the columns of a table stand.
struct Columns {
    /// How many texts stand before the figures.
    texts: usize,
    /// Those of published figures.
    published: Vec<usize>,
    /// Those of backends that were measured.
    ours: Vec<usize>,
    /// Those of a GPU.
    gpu: Vec<usize>,
}

/// How the columns of a GPU begin.
const GPU: &str = "cuda";

impl Columns {
    /// None where nothing was published or nothing is measured: counts and sizes.
    fn of(table: &Table) -> Option<Columns> {
        let is = |published: bool| {
            let chosen = move |name: &str| name.starts_with(PUBLISHED) == published && !name.contains("/p");
            table.columns.iter().enumerate().filter(move |(_, name)| chosen(name)).map(|(i, _)| i)
        };
        let published: Vec<usize> = is(true).collect();
        let texts = *published.first()?;
        let figures = is(false).filter(|i| *i >= texts && !table.columns[*i].contains('/'));
        let ours = figures.filter(|i| table.columns[*i] != "here");
        let (gpu, ours): (Vec<_>, Vec<_>) = ours.partition(|i| table.columns[*i].starts_with(GPU));
        (ours.len() + gpu.len() > 0).then_some(Columns { texts, published, ours, gpu })
    }
}

/// A line: its texts, what was published, and what was measured on the best backend.
#[derive(Clone, PartialEq)]
struct Line {
    texts: Vec<String>,
    published: Vec<Option<f64>>,
    ours: f64,
}

/// Of these figures that which is best; of quotients that of the best backend, which stands first.
fn best(figures: impl Iterator<Item = f64>, unit: &str) -> Option<f64> {
    let mut figures = figures;
    match unit {
        "quotients" => figures.next(),
        "operations a second" => figures.reduce(f64::max),
        _ => figures.reduce(f64::min),
    }
}

/// The lines of a subject by CPUs, and behind them those by a GPU.
fn lines(table: &Table, columns: &Columns) -> Vec<Line> {
    let line = |cells: &Vec<String>, of: &[usize], item: String| {
        let figures = of.iter().filter_map(|i| number(&cells[*i]));
        let published: Vec<_> = columns.published.iter().map(|i| number(&cells[*i])).collect();
        let ours = best(figures, &table.unit)?;
        let published = published.iter().any(Option::is_some).then_some(published)?;
        let mut texts = cells[..columns.texts].to_vec();
        texts[1] = item;
        Some(Line { texts, published, ours })
    };
    let subjects = table.lines.chunk_by(|a, b| a[0] == b[0]);
    let of = |subject: &[Vec<String>]| {
        let cpu = subject.iter().filter_map(|cells| line(cells, &columns.ours, cells[1].clone()));
        let gpu = subject.iter();
        let gpu = gpu.filter_map(|cells| line(cells, &columns.gpu, format!("on a GPU: {}", cells[1])));
        cpu.chain(gpu).collect::<Vec<_>>()
    };
    subjects.flat_map(of).collect()
}

/// What lines of one row have in common: all but the route and how much a step takes.
fn stem(texts: &[String]) -> [&str; 2] {
    [&texts[0], texts[1].split(", steps of").next().unwrap_or_default()]
}

/// Lines of one row.
fn grouped(lines: &[Line]) -> Vec<Vec<Line>> {
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        let same = |row: &&mut Vec<Line>| {
            stem(&row[0].texts) == stem(&line.texts) && row[0].published == line.published
        };
        match rows.last_mut().filter(same) {
            Some(row) => row.push(line.clone()),
            None => rows.push(vec![line.clone()]),
        }
    }
    rows
}

/// The marks of a row: the best of ours first, and of what was published the last.
fn marks(row: &[Line], unit: &str) -> Vec<(Of, f64)> {
    let ours = best(row.iter().map(|line| line.ours), unit);
    let mut marks: Vec<_> = ours.into_iter().map(|value| (Of::Ours, value)).collect();
    let aside = row.iter().map(|line| line.ours).filter(|value| Some(*value) != ours);
    marks.extend(aside.map(|value| (Of::OursAside, value)));
    let mut published = row[0].published.iter().flatten().rev();
    marks.extend(published.next().map(|value| (Of::Other, *value)));
    marks.extend(published.map(|value| (Of::OtherAside, *value)));
    marks
}

/// What the rows of a table have in common, and each row's other texts. A route is not named where a row has
/// several.
fn labels(rows: &[Vec<Line>]) -> (Vec<String>, Vec<String>) {
    let count = rows.first().map_or(0, |row| row[0].texts.len());
    let routes = rows.iter().any(|row| row.len() > 1);
    let text = |row: &[Line], i: usize| match i {
        2 if routes || row[0].texts[i] == "any" => String::new(),
        1 if row.len() > 1 => stem(&row[0].texts)[1].to_string(),
        _ => row[0].texts[i].clone(),
    };
    let (common, own): (Vec<usize>, Vec<usize>) =
        (0..count).partition(|i| rows.iter().all(|row| text(row, *i) == text(&rows[0], *i)));
    let join = |row: &[Line], which: &[usize]| {
        let texts = which.iter().map(|i| text(row, *i)).filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join(", ")
    };
    let common = rows.first().map(|row| join(row, &common)).filter(|text| !text.is_empty());
    (common.into_iter().collect(), rows.iter().map(|row| join(row, &own)).collect())
}

/// The first sentence of a title.
fn sentence(title: &str) -> &str {
    let ends = [". ", "; ", ", of half "].map(|end| title.find(end).unwrap_or(title.len()));
    &title[..ends.into_iter().min().unwrap_or(title.len())]
}

/// So many rows of a subject have a panel of their own.
const MANY: usize = 8;

/// Rows by their subjects, where there are many or their labels would be too long; else all together.
fn split(rows: &[Vec<Line>]) -> Vec<&[Vec<Line>]> {
    let subjects: Vec<_> = rows.chunk_by(|a, b| a[0].texts[0] == b[0].texts[0]).collect();
    let most = subjects.iter().map(|rows| rows.len()).max().unwrap_or(0);
    let long = labels(rows).1.iter().any(|label| label.chars().count() > LONGEST);
    if most >= MANY || (most > 1 && long) { subjects } else { vec![rows] }
}

fn panels(table: &Table) -> Vec<Panel> {
    let Some(columns) = Columns::of(table) else { return Vec::new() };
    let rows = grouped(&lines(table, &columns));
    let panel = |rows: &[Vec<Line>]| {
        let (mut title, labels) = labels(rows);
        title.insert(0, sentence(&table.title).to_string());
        let rows = rows.iter().zip(labels).map(|(row, label)| Row { label, marks: marks(row, &table.unit) });
        Panel { title: title.join(": "), unit: table.unit.clone(), heads: HEADS, rows: rows.collect() }
    };
    split(&rows).into_iter().filter(|rows| !rows.is_empty()).map(panel).collect()
}

/// Libraries beside each other, in one column of their table.
fn beside(table: &Table, (column, title): (&str, &str)) -> Option<Panel> {
    let column = table.column(column)?;
    let row = |line: &Vec<String>| {
        let of = if line[0] == "ringsmith" { Of::Ours } else { Of::Other };
        Some(Row { label: format!("{} ({})", line[0], line[1]), marks: vec![(of, number(&line[column])?)] })
    };
    let rows: Vec<_> = table.lines.iter().filter_map(row).collect();
    let (title, unit) = (title.into(), table.unit.clone());
    (!rows.is_empty()).then_some(Panel { title, unit, heads: HEADS, rows })
}

/// What a text was published by: who, and where.
fn source(text: &str) -> &str {
    let line = text.lines().find_map(|line| line.strip_prefix("published by ")).unwrap_or_default();
    let ends = [" (", ", abstract", ", table", ", figure"].map(|end| line.find(end).unwrap_or(line.len()));
    &line[..ends.into_iter().min().unwrap_or(line.len())]
}

/// What the first of several columns of published figures is called.
fn aside(tables: &[Table]) -> String {
    let columns = tables.iter().find_map(|table| {
        let columns = Columns::of(table).filter(|columns| columns.published.len() > 1)?;
        Some(table.columns[columns.published[0]].clone())
    });
    columns.unwrap_or_default()
}

/// What kinds of marks there are, and what they are called.
fn legend(panels: &[Panel], aside: &str) -> Vec<(Of, String)> {
    let texts = [
        (Of::Ours, "here, the best backend".to_string()),
        (Of::OursAside, "here, by other routes or steps".to_string()),
        (Of::Other, "published".to_string()),
        (Of::OtherAside, aside.to_string()),
    ];
    let marks = || panels.iter().flat_map(|panel| &panel.rows).flat_map(|row| &row.marks);
    texts.into_iter().filter(|(of, _)| marks().any(|mark| mark.0 == *of)).collect()
}

/// The picture of the tables that the command printed; none where nothing was published or measured.
pub fn draw(text: &str) -> Option<String> {
    let tables = printed(text);
    let signed = |table: &&Table| table.title.starts_with(SIGNED) && table.column("keygen").is_some();
    if let Some(table) = tables.iter().find(signed).filter(|table| table.columns[0] == "library") {
        let panels: Vec<_> = SIGNATURES.iter().filter_map(|column| beside(table, *column)).collect();
        let legend = vec![(Of::Ours, "this library".into()), (Of::Other, "another library".into())];
        return Page { title: table.title.clone(), legend, panels }.draw();
    }
    let panels: Vec<_> = tables.iter().flat_map(panels).collect();
    let title = format!("{}: published, and here", source(text));
    Page { title, legend: legend(&panels, &aside(&tables)), panels }.draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
published by A. Author, CONF 2016 (section 1). A machine

Counts (operations)
of  what      published  here  here/published
a   products          1     1            1.00

The first. More of it (thousands of core cycles)
of  what  route  published, C  published, AVX2  avx2  sse2  avx2/AVX2  sse2/AVX2
a   NTT   ntt            30.0             9.00  3.00  6.00       0.33       0.67
a   NTT   k-red          30.0             9.00  5.00  4.00       0.33       0.67
a   all   ntt            60.0                -  7.00  8.00          -          -
a   none  ntt               -                -  7.00  8.00          -          -
";

    /// Protects: what is drawn: no counts, no line without a published figure, one row for all routes, the
    /// best backend of each.
    #[test]
    fn rows_of_a_paper() {
        let panels: Vec<_> = printed(TEXT).iter().flat_map(panels).collect();
        let [panel] = &panels[..] else { panic!("{panels:?}") };
        assert_eq!(panel.title, "The first: a");
        let marks = [
            vec![(Of::Ours, 3.0), (Of::OursAside, 4.0), (Of::Other, 9.0), (Of::OtherAside, 30.0)],
            vec![(Of::Ours, 7.0), (Of::Other, 60.0)],
        ];
        assert_eq!([&panel.rows[0].marks, &panel.rows[1].marks], [&marks[0], &marks[1]]);
        assert_eq!([&panel.rows[0].label, &panel.rows[1].label], ["NTT", "all"]);
        assert_eq!(source(TEXT), "A. Author, CONF 2016");
        assert!(draw(TEXT).is_some_and(|picture| picture.contains("published, C")));
        assert!(HEADS.iter().all(|head| draw(TEXT).unwrap().contains(&format!(">{head}<"))));
    }

    /// Protects: a GPU's figures are rows of their own, behind those of CPUs.
    #[test]
    fn rows_of_a_gpu() {
        let text = "Products (operations a second)\n\
                    of  what     route  published, GPU  avx2  cuda  cuda+copies  avx2/GPU  cuda/GPU\n\
                    a   product  x:1                20    30   900          800      1.50     45.00\n\
                    a   product  x:8                20    40     -            -      2.00         -\n\
                    a   product  y                   7     -   600          500         -     85.71\n";
        let panels: Vec<_> = printed(text).iter().flat_map(panels).collect();
        let [panel] = &panels[..] else { panic!("{panels:?}") };
        let labels: Vec<_> = panel.rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["product", "on a GPU: product", "on a GPU: product"]);
        let marks = [
            vec![(Of::Ours, 40.0), (Of::OursAside, 30.0), (Of::Other, 20.0)],
            vec![(Of::Ours, 900.0), (Of::Other, 20.0)],
            vec![(Of::Ours, 600.0), (Of::Other, 7.0)],
        ];
        assert_eq!(panel.rows.iter().map(|row| row.marks.clone()).collect::<Vec<_>>(), marks);
    }

    /// Protects: libraries beside each other, where nothing was published.
    #[test]
    fn libraries_beside_each_other() {
        let text = "ML-DSA-65: 5 attempts (thousands of core cycles)\nlibrary    on    keygen  mean\n\
                    ringsmith  avx2  10.0    -\nother 1    avx2  20.0    -\n";
        let picture = draw(text).unwrap();
        assert!(picture.contains("other 1 (avx2)") && !picture.contains("Signing"), "{picture}");
        assert_eq!(draw("nothing\n"), None);
    }
}
