//! Products in a few rings, by each route: from the page of performance.

use crate::axis::short;
use crate::panel::{Of, Page, Panel, Row};
use crate::table::{Table, markdown, number};

/// One ring of each kind. If the page has none of these, the first rings of the page are drawn.
const RINGS: [&str; 6] = [
    "Z_12289[x]/(x^1024+1)",
    "Z_3329[x]/(x^256+1)",
    "Z_4591[x]/(x^761-x-1)",
    "Z_2048[x]/(x^677-1)",
    "Z_8192[x]/(x^701-1)",
    "Z_2048[x]/(x^443-1)",
];

/// How many routes of a ring there is room for, beside the definition.
const FASTEST: usize = 9;
const DEFINITION: &str = "schoolbook";

/// The least figure of a line: that of the best backend.
fn best(line: &[String]) -> Option<f64> {
    line.iter().skip(2).filter_map(|cell| number(cell)).reduce(f64::min)
}

/// The products of a ring's table, fastest first.
fn panel(table: &Table, ring: &str) -> Option<Panel> {
    (table.columns.get(..2)? == ["operation", "route"]).then_some(())?;
    let products = table.lines.iter().filter(|line| line[0] == "product");
    let mut rows: Vec<_> = products.filter_map(|line| Some((line[1].clone(), best(line)?))).collect();
    rows.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut place = 0..;
    rows.retain(|(route, _)| place.next().is_some_and(|i| i < FASTEST) || route == DEFINITION);
    let rows = rows.into_iter().map(|(label, cycles)| Row { label, marks: vec![(Of::Ours, cycles)] });
    let (title, unit) = (ring.into(), "core cycles".into());
    let panel = Panel { title, unit, heads: [""; 2], rows: rows.collect() };
    (!panel.rows.is_empty()).then_some(panel)
}

/// Adds the products of other libraries in these rings.
fn add_peers(panels: &mut [Panel], table: &Table) -> Option<()> {
    let [of, operation, peer, cpu, cost] =
        ["of", "operation", "peer", "its CPU", "cost"].map(|name| table.column(name));
    let (of, operation, peer, cpu, cost) = (of?, operation?, peer?, cpu?, cost?);
    for line in table.lines.iter().filter(|line| line[operation] == "product") {
        let panel = panels.iter_mut().find(|panel| panel.title == line[of]);
        if let Some((panel, cycles)) = panel.zip(number(&line[cost])) {
            let label = format!("{} ({})", line[peer], line[cpu]);
            let at = panel.rows.iter().position(|row| row.marks[0].1 > cycles).unwrap_or(panel.rows.len());
            panel.rows.insert(at, Row { label, marks: vec![(Of::Other, cycles)] });
        }
    }
    Some(())
}

/// The picture, where the page has products.
pub fn draw(page: &str) -> Option<String> {
    let tables = markdown(page);
    let of_ring = |table: &Table| {
        let ring = table.title.strip_prefix("Rings / ")?;
        Some((ring.to_string(), panel(table, ring)?))
    };
    let mut panels: Vec<_> = tables.iter().filter_map(of_ring).collect();
    if panels.iter().any(|(ring, _)| RINGS.contains(&ring.as_str())) {
        panels.retain(|(ring, _)| RINGS.contains(&ring.as_str()));
    }
    let mut panels: Vec<_> = panels.into_iter().map(|panel| panel.1).take(RINGS.len()).collect();
    tables.iter().for_each(|table| _ = add_peers(&mut panels, table));
    let has = |of: Of| panels.iter().flat_map(|panel| &panel.rows).any(|row| row.marks[0].0 == of);
    let mut legend = vec![(Of::Ours, "a route, on its best backend".to_string())];
    legend.extend(has(Of::Other).then(|| (Of::Other, "another library".to_string())));
    let fastest = panels.iter().filter_map(|panel| panel.rows.first()).map(|row| row.marks[0].1);
    let title = match fastest.reduce(f64::min) {
        Some(least) => format!(
            "One product by the fastest routes of a ring and by schoolbook: {} core cycles and more",
            short(least)
        ),
        None => String::new(),
    };
    Page { title, legend, panels }.draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: products of the rings alone, by the best backend, with what others take between them.
    #[test]
    fn products_of_a_page() {
        let ring = "Z_3329[x]/(x^256+1)";
        let routes = "| operation | route | avx2 | sse2 |\n|---|---|---:|---:|\n\
                      | product | `schoolbook` | 900 | 1,000 |\n| product | `rows` | 300 | 250 |\n\
                      | ntt | `ntt` | 1 | 2 |\n";
        let peers = "| of | operation | peer | its CPU | cost |\n|---|---|---|---|---:|\n";
        let other = format!("| `{ring}` | product | other | avx2 | 700 |\n");
        let page = format!("## Rings\n\n### `{ring}`\n\n{routes}\n### Peers\n\n{peers}{other}");
        let picture = draw(&page).unwrap();
        let places = [">rows<", ">other (avx2)<", ">schoolbook<"].map(|text| picture.find(text));
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}\n{picture}");
        assert!([">250<", ">700<", ">900<"].iter().all(|text| picture.contains(text)), "{picture}");
        assert_eq!(draw("## Hashing\n"), None);
    }
}
