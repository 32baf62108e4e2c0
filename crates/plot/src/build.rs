//! What compiling costs, from the table of a page.

use crate::panel::{Of, Page, Panel, Row};
use crate::table::{Table, markdown, number};

/// The columns of the table, as `cargo xtask build-cost` counts.
const COLUMNS: [&str; 3] = ["what", "CPU seconds", "kernels"];

fn panel(table: &Table, column: usize) -> Panel {
    let row = |line: &Vec<String>| {
        Some(Row { label: line[0].clone(), marks: vec![(Of::Ours, number(&line[column])?)] })
    };
    let title = if column == 1 { "Compiling from nothing" } else { "Kernels in it" };
    Panel {
        title: title.into(),
        unit: COLUMNS[column].into(),
        heads: [""; 2],
        rows: table.lines.iter().filter_map(row).collect(),
    }
}

/// The picture, where the page has the table.
pub fn draw(page: &str) -> Option<String> {
    let table = markdown(page).into_iter().find(|table| table.columns == COLUMNS)?;
    let title = "What a program compiles, by what it uses".into();
    Page { title, legend: Vec::new(), panels: [1, 2].map(|column| panel(&table, column)).into() }.draw()
}
