//! Pictures of the book are those that the program draws.

use ringsmith_book::PICTURES;
use std::fs;
use std::path::Path;

/// Protects: a bound that changes, or a picture that was edited by hand, is seen.
#[test]
fn files_are_what_is_drawn() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/algorithms");
    for (name, draw) in PICTURES {
        let file = fs::read_to_string(folder.join(format!("{name}.svg"))).unwrap_or_default();
        assert!(file == draw(), "{name}.svg: `cargo run -p ringsmith-book` writes it anew");
    }
}
