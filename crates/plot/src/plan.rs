//! The methods for products in a ring, as `ringsmith plan` prints them: predicted and measured times.

use crate::panel::{Of, Page, Panel, Row};

/// Where the methods stand: below the line that ends so.
const HEADING: &str = "predicted  measured  method";

/// Microseconds of a time as `8.82 us`; none of `-`.
fn microseconds(cell: &str) -> Option<f64> {
    let (value, unit) = cell.split_once(' ')?;
    let scale =
        [("ns", 1e-3), ("us", 1.0), ("ms", 1e3), ("s", 1e6)].into_iter().find(|(name, _)| *name == unit)?;
    Some(scale.1 * value.replace(',', "").parse::<f64>().ok()?)
}

/// A line: what it is called, and its times.
fn row(line: &str) -> Option<Row> {
    let cells: Vec<_> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let [.., predicted, measured, method] = cells[..] else { return None };
    let time = |of: Of, cell: &str| microseconds(cell).map(|time| (of, time));
    let marks: Vec<_> =
        [time(Of::Other, predicted), time(Of::Ours, measured)].into_iter().flatten().collect();
    (!marks.is_empty()).then(|| Row { label: method.into(), marks })
}

/// What stands behind a name at the beginning of a line.
fn value<'a>(text: &'a str, name: &str) -> &'a str {
    text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim()
}

/// The picture of a text that has what the command printed; none where it has no methods.
pub fn draw(text: &str) -> Option<String> {
    let rows: Vec<Row> =
        text.lines().skip_while(|line| !line.ends_with(HEADING)).skip(1).map_while(row).collect();
    let title = "One product by each method, the chosen one first".into();
    let heads = ["predicted", "measured"];
    let panel = Panel { title, unit: "microseconds".into(), heads, rows };
    let has = |of: Of| panel.rows.iter().flat_map(|row| &row.marks).any(|mark| mark.0 == of);
    let kinds = [(Of::Ours, "measured"), (Of::Other, "predicted")];
    let legend =
        kinds.into_iter().filter(|(of, _)| has(*of)).map(|(of, text)| (of, text.to_string())).collect();
    let backend = value(text, "backend ");
    let backend = backend.split(';').next().unwrap_or_default();
    let title = format!("{}: {backend}", value(text, "ring "));
    let panels = if panel.rows.is_empty() { Vec::new() } else { vec![panel] };
    Page { title, legend, panels }.draw()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: methods with their times, in one unit, and nothing of what stands below them.
    #[test]
    fn methods_of_a_plan() {
        let text = "ring      Z_2[x]/(x)\nbackend   avx2, costs as shipped for it; a core at 3.2 GHz now\n\n\
                    \x20          predicted  measured  method\n\
                    chosen       1.50 us    900 ns  one way, of two\n\
                    next best    2.00 ms         -  another\n\
                    and 1 more, slower as predicted\n";
        let rows: Vec<_> = text.lines().skip(4).map_while(row).collect();
        assert_eq!(rows[0].marks, [(Of::Other, 1.5), (Of::Ours, 0.9)]);
        assert_eq!((rows[1].label.as_str(), &rows[1].marks[..]), ("another", &[(Of::Other, 2000.0)][..]));
        assert_eq!(rows.len(), 2);
        assert!(
            draw(text).is_some_and(|picture| picture.contains("Z_2[x]/(x): avx2, costs as shipped for it"))
        );
        assert_eq!(draw("ring\n"), None);
    }
}
