//! Links of the book as it was built.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::markdown;

/// What a page of HTML refers to, and by what it can be referred to.
struct Page {
    /// The values of `href` and `src`, and whether the second.
    targets: Vec<(String, bool)>,
    ids: BTreeSet<String>,
}

/// The values of an attribute.
fn values<'a>(text: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(attribute).skip(1).filter_map(|rest| rest.split_once('"').map(|(value, _)| value))
}

impl Page {
    fn of(text: &str) -> Page {
        let href = values(text, " href=\"").map(|it| (it.replace("&amp;", "&"), false));
        let src = values(text, " src=\"").map(|it| (it.to_string(), true));
        Page { targets: href.chain(src).collect(), ids: values(text, " id=\"").map(str::to_string).collect() }
    }
}

/// All files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { files(&path, found)? } else { found.push(path) }
    }
    Ok(())
}

/// What is wrong with a target.
fn wrong(pages: &BTreeMap<PathBuf, Page>, page: &Path, (target, loaded): &(String, bool)) -> Option<String> {
    let said = |what: &str| Some(format!("{}: {what}: {target}", page.display()));
    if markdown::is_elsewhere(target) {
        return if *loaded { said("is loaded from another machine") } else { None };
    }
    if target.starts_with("data:") || target.starts_with("javascript:") {
        return None;
    }
    let (path, id) = target.split_once('#').unwrap_or((target, ""));
    let file = match path {
        "" => page.to_path_buf(),
        path => markdown::plain(&page.parent().unwrap_or(Path::new("")).join(path)),
    };
    match pages.get(&file) {
        Some(other) if id.is_empty() || other.ids.contains(id) => None,
        Some(_) => said("no such heading"),
        None if file.is_file() => None,
        None => said("no such file"),
    }
}

/// Looks at all links of all pages below a folder; how many pages there are.
///
/// # Errors
/// The links that lead nowhere, or to what would be loaded from elsewhere.
pub(super) fn check(folder: &Path) -> Result<usize, String> {
    let mut found = Vec::new();
    files(folder, &mut found).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut pages = BTreeMap::new();
    for path in found.into_iter().filter(|path| path.extension().is_some_and(|it| it == "html")) {
        let text = fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
        pages.insert(path, Page::of(&text));
    }
    let all = pages.iter().flat_map(|(path, page)| page.targets.iter().map(move |target| (path, target)));
    let dead: Vec<String> = all.filter_map(|(path, target)| wrong(&pages, path, target)).collect();
    if dead.is_empty() {
        Ok(pages.len())
    } else {
        Err(format!("dead links in the book:\n  {}", dead.join("\n  ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: what leads nowhere in a page of HTML is seen, and what would be loaded from elsewhere.
    #[test]
    fn dead_links_are_seen() {
        let (path, text) = (PathBuf::from("/book/a.html"), "<h1 id=\"x\"><a href=\"#x\"><a href=\"b.html\">");
        let pages = BTreeMap::from([(path.clone(), Page::of(text))]);
        let seen = |target: &str, loaded| wrong(&pages, &path, &(target.to_string(), loaded)).is_some();
        assert!(!seen("#x", false) && !seen("a.html#x", false) && !seen("https://example.org", false));
        assert!(seen("#y", false) && seen("b.html", false) && seen("https://example.org/x.js", true));
    }
}
