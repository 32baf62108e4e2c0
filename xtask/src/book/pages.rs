//! The copy of the pages that mdBook reads.

use super::head;
use super::markdown::{self, Link};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where pages from beside `docs` stand in the book.
const PROJECT: &str = "project";
/// Where sources do that pages link to.
const SOURCES: &str = "sources";
/// What asks for the head of a file.
const HEAD: &str = "<!-- head: ";

/// The copy: what is read from, where it goes, and the sources that pages link to.
struct Copy<'a> {
    root: &'a Path,
    to: PathBuf,
    sources: BTreeSet<PathBuf>,
}

/// Copies `docs`, the pages beside it and what they link to into the folder `to`, which is made anew.
///
/// # Errors
/// Where a file can't be read or written.
pub(super) fn copy(root: &Path, to: &Path) -> io::Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    let mut copy = Copy { root, to: to.join("docs"), sources: BTreeSet::new() };
    fs::create_dir_all(&copy.to)?;
    fs::copy(root.join("book.toml"), to.join("book.toml"))?;
    copy.folder(Path::new("docs"))?;
    for entry in fs::read_dir(root)? {
        let name = PathBuf::from(entry?.file_name());
        if is_page(&name) {
            copy.page(&name)?;
        }
    }
    for source in std::mem::take(&mut copy.sources) {
        let text = fs::read(root.join(&source))?;
        write(&copy.to.join(place(&source)), &text)?;
    }
    copy.chapters()
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// Writes a file, and its folder.
fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

/// Where a file of the workspace stands in the book. The first page of a folder is its index there, because
/// mdBook calls it so and does not change links to it.
fn place(path: &Path) -> PathBuf {
    let indexed = if path.ends_with("README.md") { &path.with_file_name("index.md") } else { path };
    if let Ok(inside) = indexed.strip_prefix("docs") {
        return inside.to_path_buf();
    }
    if is_page(path) && path.components().count() == 1 {
        return Path::new(PROJECT).join(indexed);
    }
    // As text, so that a browser shows it.
    let mut name = Path::new(SOURCES).join(path).into_os_string();
    name.push(".txt");
    name.into()
}

/// The way from the folder of a file to another file.
fn way(from: &Path, to: &Path) -> String {
    let up = from.components().count().saturating_sub(1);
    "../".repeat(up) + &to.to_string_lossy()
}

impl Copy<'_> {
    /// A folder with all that is in it.
    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(self.root.join(folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                self.folder(&path)?;
            } else if is_page(&path) {
                self.page(&path)?;
            } else {
                write(&self.to.join(place(&path)), &fs::read(self.root.join(&path))?)?;
            }
        }
        Ok(())
    }

    /// A page with its links, and the heads that it asks for.
    fn page(&mut self, path: &Path) -> io::Result<()> {
        let text = self.linked(path, &fs::read_to_string(self.root.join(path))?);
        let mut out = String::new();
        for line in text.split_inclusive('\n') {
            match line.trim_end().strip_prefix(HEAD).and_then(|rest| rest.strip_suffix(" -->")) {
                Some(source) => {
                    let head = head::of(&fs::read_to_string(self.root.join(source))?);
                    out.push_str(&format!("\n**{source}**\n\n{head}\n"));
                }
                None => out.push_str(line),
            }
        }
        write(&self.to.join(place(path)), out.as_bytes())
    }

    /// The text of a page with links to where things stand in the book.
    fn linked(&mut self, path: &Path, text: &str) -> String {
        let (mut out, mut done) = (String::new(), 0);
        for Link { start, end } in markdown::links(text) {
            out.push_str(&text[done..start]);
            out.push_str(&self.target(path, &text[start..end]));
            done = end;
        }
        out + &text[done..]
    }

    /// A target in the book.
    fn target(&mut self, page: &Path, target: &str) -> String {
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        if markdown::is_elsewhere(target) || path.is_empty() {
            return target.to_string();
        }
        let mut file = markdown::plain(&page.parent().unwrap_or(Path::new("")).join(path));
        if self.root.join(&file).is_dir() {
            file.push("README.md");
        }
        let placed = place(&file);
        if placed.starts_with(SOURCES) {
            self.sources.insert(file);
        }
        let hash = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
        way(&place(page), &placed) + &hash
    }

    /// The list of chapters: decisions below theirs, and pages that it does not name at the end.
    fn chapters(&self) -> io::Result<()> {
        let path = self.to.join("SUMMARY.md");
        let text = fs::read_to_string(&path)?;
        let mut out = String::new();
        for line in text.split_inclusive('\n') {
            out.push_str(line);
            if line.contains("(decisions/index.md)") {
                for page in self.pages(Path::new("decisions"))? {
                    if !page.ends_with("index.md") {
                        out.push_str(&format!("  - [{}]({})\n", self.title(&page)?, page.display()));
                    }
                }
            }
        }
        let mut more = self.pages(Path::new(""))?;
        for folder in ["algorithms", "papers", PROJECT] {
            more.extend(self.pages(Path::new(folder))?);
        }
        more.retain(|page| !out.contains(&format!("({})", page.display())) && !page.ends_with("SUMMARY.md"));
        if !more.is_empty() {
            out.push_str("\n# Further pages\n\n");
        }
        for page in more {
            out.push_str(&format!("- [{}]({})\n", self.title(&page)?, page.display()));
        }
        fs::write(path, out)
    }

    /// The pages of a folder of the copy, in the order of their names.
    fn pages(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut pages = Vec::new();
        for entry in fs::read_dir(self.to.join(folder))? {
            let page = folder.join(entry?.file_name());
            if is_page(&page) {
                pages.push(page);
            }
        }
        pages.sort();
        Ok(pages)
    }

    /// The first heading of a page.
    fn title(&self, page: &Path) -> io::Result<String> {
        let text = fs::read_to_string(self.to.join(page))?;
        let heading = text.lines().find_map(|line| line.strip_prefix("# ").map(str::to_string));
        Ok(heading.unwrap_or_else(|| page.display().to_string()).replace(['[', ']'], ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: where things stand, and how they are reached.
    #[test]
    fn places() {
        let placed = |path: &str| place(Path::new(path)).display().to_string();
        assert_eq!(placed("docs/papers/ntru.md"), "papers/ntru.md");
        assert_eq!(placed("docs/papers/README.md"), "papers/index.md");
        assert_eq!(placed("README.md"), "project/index.md");
        assert_eq!(placed("SECURITY.md"), "project/SECURITY.md");
        assert_eq!(placed("crates/ring/src/lib.rs"), "sources/crates/ring/src/lib.rs.txt");
        assert_eq!(way(Path::new("papers/ntru.md"), Path::new("bounds.md")), "../bounds.md");
        assert_eq!(way(Path::new("bounds.md"), Path::new("papers/ntru.md")), "papers/ntru.md");
    }
}
