//! Writes the pictures of the book into `docs`, and the table of speed into the first page.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (name, draw) in ringsmith_book::PICTURES {
        fs::write(docs.join(format!("{name}.svg")), draw())?;
    }
    for (place, picture) in ringsmith_book::figures(&docs)? {
        fs::write(docs.join(place), picture)?;
    }
    let (readme, performance) = (docs.join("../README.md"), docs.join("performance.md"));
    let page = ringsmith_book::first_page(&fs::read_to_string(&readme)?, &fs::read_to_string(performance)?);
    page.map_or(Ok(()), |page| fs::write(readme, page))
}
