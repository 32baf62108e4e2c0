//! Writes the pictures of the book into `docs/algorithms`.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/algorithms");
    for (name, draw) in ringsmith_book::PICTURES {
        fs::write(folder.join(format!("{name}.svg")), draw())?;
    }
    Ok(())
}
