//! Links in pages of Markdown, and whether they lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// A link: where its target stands in the text.
pub(super) struct Link {
    /// The first byte of the target.
    pub(super) start: usize,
    /// Behind the last.
    pub(super) end: usize,
}

/// Lines that are no code, with where they begin.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut at, mut fenced) = (0, false);
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        let code = fence || fenced || line.starts_with("    ");
        (!code).then_some((start, line))
    })
}

/// All links of a page but those in code.
pub(super) fn links(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (start, line) in lines(text) {
        let (mut at, mut code) = (0, false);
        while let Some(rest) = line.get(at..) {
            let Some(next) = rest.find(['`', ']']) else { break };
            at += next + 1;
            code ^= rest.as_bytes()[next] == b'`';
            let behind = &line[at..];
            if let (false, Some(target)) = (code, behind.strip_prefix('(').and_then(|it| it.split_once(')')))
            {
                links.push(Link { start: start + at + 1, end: start + at + 1 + target.0.len() });
            }
        }
    }
    links
}

/// What a heading is linked by.
pub(super) fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading
        .trim()
        .chars()
        .filter(kept)
        .map(|c| if c == ' ' { '-' } else { c })
        .collect::<String>()
        .to_lowercase()
}

/// The anchors of a page's headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let heading = |line: &str| line.starts_with('#').then(|| anchor(line.trim_start_matches('#')));
    lines(text).filter_map(|(_, line)| heading(line)).collect()
}

/// A path without `.` and `..`.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

/// Whether a target is on another machine.
pub(super) fn is_elsewhere(target: &str) -> bool {
    ["http://", "https://", "mailto:"].iter().any(|scheme| target.starts_with(scheme))
}

/// The targets of a page that lead nowhere where the page stands alone: files.
pub(crate) fn dead_elsewhere(text: &str) -> Vec<&str> {
    let targets = links(text).into_iter().map(|link| &text[link.start..link.end]);
    targets.filter(|target| !is_elsewhere(target) && !target.starts_with('#')).collect()
}

/// What is wrong with a target on a page.
fn wrong(root: &Path, page: &Path, target: &str) -> Option<String> {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = match path {
        "" => page.to_path_buf(),
        path => plain(&page.parent().unwrap_or(Path::new("")).join(path)),
    };
    let on_disk = root.join(&file);
    if !on_disk.exists() {
        return Some(format!("{}: no {}", page.display(), file.display()));
    }
    if anchor.is_empty() {
        return None;
    }
    let text = fs::read_to_string(on_disk).unwrap_or_default();
    let known = anchors(&text).contains(anchor);
    (!known).then(|| format!("{}: {} has no heading #{anchor}", page.display(), file.display()))
}

/// The pages of the workspace that git knows, or would.
pub(super) fn all(root: &Path) -> Result<Vec<PathBuf>, String> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
    let text = crate::shell::capture(Command::new("git").args(list).current_dir(root))?;
    Ok(text.lines().map(PathBuf::from).filter(|page| root.join(page).is_file()).collect())
}

/// Looks at every link of every page to a file or a heading here.
///
/// # Errors
/// The links that lead nowhere.
pub(super) fn check(root: &Path) -> Result<(), String> {
    let (mut dead, mut count) = (Vec::new(), 0);
    let pages = all(root)?;
    for page in &pages {
        let text = fs::read_to_string(root.join(page)).map_err(|why| format!("{}: {why}", page.display()))?;
        for Link { start, end } in links(&text) {
            if !is_elsewhere(&text[start..end]) {
                count += 1;
                dead.extend(wrong(root, page, &text[start..end]));
            }
        }
    }
    println!("book: {count} links in {} pages, {} dead", pages.len(), dead.len());
    if dead.is_empty() { Ok(()) } else { Err(format!("links that lead nowhere:\n  {}", dead.join("\n  "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(text: &str) -> Vec<&str> {
        links(text).into_iter().map(|link| &text[link.start..link.end]).collect()
    }

    /// Protects: links in code are none, pictures are, and several stand in a line.
    #[test]
    fn links_are_found() {
        let text = "[a](b.md), ![c](d.svg)\n    [e](f)\n```\n[g](h)\n```\n`[i](j)` [`k`](l.md#m)\n";
        assert_eq!(targets(text), ["b.md", "d.svg", "l.md#m"]);
    }

    /// Protects: anchors are those of a forge and of mdBook.
    #[test]
    fn anchors_of_headings() {
        assert_eq!(anchor(" K-RED and its ledger"), "k-red-and-its-ledger");
        assert_eq!(anchor(" The worked example: q = 12289, `n`"), "the-worked-example-q--12289-n");
    }

    /// Protects: a dead link is seen, of a file and of a heading.
    #[test]
    fn dead_links_are_seen() {
        let root = crate::shell::root();
        let page = Path::new("docs/bounds.md");
        assert_eq!(wrong(root, page, "../SECURITY.md#scope"), None);
        assert!(wrong(root, page, "no-such-page.md").is_some());
        assert!(wrong(root, page, "architecture.md#no-such-heading").is_some());
    }
}
