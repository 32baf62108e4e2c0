//! Pictures of the book are those that the program draws.

use ringsmith_book::{PICTURES, figures, first_page};
use std::fs;
use std::path::Path;

/// A picture fits a screen.
fn check_size(place: &str, picture: &str) {
    let size = |name: &str| -> Option<u32> {
        picture.split_once(&format!("{name}='"))?.1.split_once('\'')?.0.parse().ok()
    };
    assert!(size(" width").is_some_and(|width| width <= 900), "{place} is too wide");
    assert!(size(" height").is_some_and(|height| height <= 720), "{place} is too tall");
}

/// Protects: a bound or a length that changes, or a picture that was edited by hand, is seen; each fits a
/// screen.
#[test]
fn files_are_what_is_drawn() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (name, draw) in PICTURES {
        let file = fs::read_to_string(folder.join(format!("{name}.svg"))).unwrap_or_default();
        assert!(file == draw(), "{name}.svg: `cargo run -p ringsmith-book` writes it anew");
        check_size(name, &file);
    }
}

/// Protects: pictures of figures show what their pages say, and each fits a screen.
#[test]
fn figures_are_those_of_the_pages() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (place, picture) in figures(&docs).unwrap() {
        let file = fs::read_to_string(docs.join(place)).unwrap_or_default();
        assert!(file == picture, "{place}: `cargo run -p ringsmith-book` writes it anew");
        check_size(place, &picture);
    }
}

/// Protects: figures of speed on the first page are those of the page of performance, on our fastest backend
/// and on AVX2, and the page says what they are: of which machine, and whether they are estimates.
#[test]
fn speed_on_the_first_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let [page, performance] =
        ["README.md", "docs/performance.md"].map(|page| fs::read_to_string(root.join(page)).unwrap());
    let written = first_page(&page, &performance).expect("a place for the table");
    assert!(page == written, "README.md: `cargo run -p ringsmith-book` writes its table anew");
    for line in ["| ML-KEM-768 | ", "| on AVX2 | "] {
        assert!(written.contains(line), "no figures of {line}");
    }
    let machine = performance.lines().find_map(|line| line.strip_prefix("* machine: ")).unwrap();
    let (machine, _) = machine.split_once(',').unwrap();
    let kind =
        if performance.contains("estimated core cycles") { "Estimated core cycles" } else { "Core cycles" };
    assert!(page.contains(&format!("\n{kind} on an {machine} ")), "README.md: {kind} on an {machine}");
}
