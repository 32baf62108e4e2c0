//! Writes the pictures of the book into `docs`.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (name, draw) in ringsmith_book::PICTURES {
        fs::write(docs.join(format!("algorithms/{name}.svg")), draw())?;
    }
    for (place, picture) in ringsmith_book::figures(&docs)? {
        fs::write(docs.join(place), picture)?;
    }
    Ok(())
}
