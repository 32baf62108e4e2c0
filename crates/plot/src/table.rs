//! Tables in texts: Markdown's, and those that programs print in columns.

/// A table, with what it stands under.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The heading or the line above it.
    pub title: String,
    /// What it counts, as the line above it says in parentheses at its end; empty for Markdown.
    pub unit: String,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// Its lines: as many cells as columns.
    pub lines: Vec<Vec<String>>,
}

impl Table {
    /// Where a column of a name stands.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

/// The number that a cell begins with: `1,234`, `1,234*` or `1,234 (2.50)`.
pub fn number(cell: &str) -> Option<f64> {
    let first = cell.split_whitespace().next()?;
    first.trim_end_matches('*').replace(',', "").parse().ok()
}

/// The number in a cell's parentheses.
pub fn ratio(cell: &str) -> Option<f64> {
    cell.split_once('(')?.1.split_once(')')?.0.parse().ok()
}

/// Text without the marks of code.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// The cells of a line of Markdown's tables.
fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(inner.split('|').map(|cell| plain(cell.trim())).collect())
}

/// The tables of a page in Markdown, each with the headings above it: of the second level, and its own,
/// joined by ` / `.
pub fn markdown(page: &str) -> Vec<Table> {
    let (mut tables, mut section, mut heading) = (Vec::<Table>::new(), String::new(), String::new());
    let mut open = false;
    for line in page.lines() {
        if let Some(text) = line.strip_prefix("## ") {
            (section, heading) = (plain(text), String::new());
        } else if let Some(text) = line.strip_prefix("### ") {
            heading = plain(text);
        }
        let cells = cells(line);
        match (&cells, tables.last_mut().filter(|_| open)) {
            (Some(cells), Some(table)) if cells.len() == table.columns.len() => {
                table.lines.push(cells.clone());
            }
            (Some(cells), None) => {
                let title = format!("{section} / {heading}");
                tables.push(Table { title, unit: String::new(), columns: cells.clone(), lines: Vec::new() });
            }
            _ => {}
        }
        open = cells.is_some();
    }
    for table in &mut tables {
        table.lines.retain(|line| !line.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':'))));
    }
    tables
}

/// The units that stand behind the titles of printed tables.
const UNITS: [&str; 7] = [
    "thousands of core cycles",
    "operations",
    "bytes",
    "quotients",
    "operations a second",
    "seconds",
    "microseconds",
];

/// A title and its unit.
fn title(line: &str) -> Option<(&str, &str)> {
    let (title, unit) = line.strip_suffix(')')?.rsplit_once(" (")?;
    UNITS.contains(&unit).then_some((title, unit))
}

/// The cells of a printed line: at least two spaces stand between them.
fn columns(line: &str) -> Vec<String> {
    let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
    cells.map(str::to_string).collect()
}

/// The tables that a program printed: a title with its unit, the names of the columns, and lines.
pub fn printed(text: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut heading = None;
    for line in text.lines() {
        if let Some(found) = title(line) {
            heading = Some(found);
        } else if let Some((title, unit)) = heading.take() {
            let columns = columns(line);
            tables.push(Table { title: title.into(), unit: unit.into(), columns, lines: Vec::new() });
        } else if let Some(table) = tables.last_mut() {
            let mut cells = columns(line);
            // The first cell of a line may be empty.
            if line.starts_with(' ') && cells.len() + 1 == table.columns.len() {
                cells.insert(0, String::new());
            }
            if cells.len() == table.columns.len() {
                table.lines.push(cells);
            }
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: tables of a page are found under their headings, without rules and marks of code.
    #[test]
    fn tables_of_a_page() {
        let page =
            "## A\n\n### `b`\n\n| x | y |\n|---|---:|\n| `c` | 1,234* |\n\n## D\n| z |\n|---|\n| 5 |\n";
        let [first, second] = &markdown(page)[..] else { panic!("{:?}", markdown(page)) };
        assert_eq!((first.title.as_str(), second.title.as_str()), ("A / b", "D / "));
        assert_eq!(first.lines, [["c", "1,234*"]]);
        assert_eq!((first.column("y"), second.column("y")), (Some(1), None));
    }

    /// Protects: printed tables are told from what stands around them.
    #[test]
    fn tables_of_a_program() {
        let text = "machine  a b\n\nA title (of a kind) (bytes)\nof  what a\nb   1\n\n    2\n- a note\n";
        let [table] = &printed(text)[..] else { panic!("{:?}", printed(text)) };
        assert_eq!((table.title.as_str(), table.unit.as_str()), ("A title (of a kind)", "bytes"));
        assert_eq!(table.lines, [["b", "1"], ["", "2"]]);
    }

    /// Protects: numbers as the pages have them.
    #[test]
    fn numbers() {
        assert_eq!((number("1,234*"), number("95.9 (2.5)"), number("-")), (Some(1234.0), Some(95.9), None));
        assert_eq!((ratio("31,259 (1.84)"), ratio("31,259"), ratio("a (b)")), (Some(1.84), None, None));
    }
}
