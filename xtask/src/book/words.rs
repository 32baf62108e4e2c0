//! Words that the glossary forbids: those in italics in the last column of its tables.

use super::markdown;
use crate::shell;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Pages that quote what others wrote, or forbid.
const LEFT_OUT: [&str; 2] = ["docs/glossary.md", "CHANGELOG.md"];

/// The words that stand in italics in the third column, the last.
fn forbidden(glossary: &str) -> Vec<String> {
    let rows = glossary.lines().filter(|line| line.starts_with('|'));
    let last = rows.filter_map(|row| row.split('|').nth(3));
    last.flat_map(|cell| cell.split('*').skip(1).step_by(2)).map(str::to_string).collect()
}

/// A line without what stands in backticks.
fn prose(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a line has a word, or its plural.
fn has(line: &str, word: &str) -> bool {
    let line = prose(line);
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let behind = line[at + word.len()..].trim_start_matches('s').chars().next();
        ![before, behind].into_iter().flatten().any(|c| c.is_alphanumeric() || matches!(c, ':' | '_'))
    })
}

/// What a source documents: its comments for readers.
fn is_documentation(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//!") || line.starts_with("///")
}

/// The lines of a file that have a forbidden word.
fn found(file: &Path, text: &str, words: &[String]) -> Vec<String> {
    let source = file.extension().is_some_and(|extension| extension == "rs");
    let lines = text.lines().enumerate().filter(|(_, line)| !source || is_documentation(line));
    let found = lines.filter_map(|(i, line)| Some((i, words.iter().find(|word| has(line, word))?)));
    found.map(|(i, word)| format!("{}:{}: {word}", file.display(), i + 1)).collect()
}

/// Reads all pages and the documentation of all sources.
///
/// # Errors
/// The lines with a forbidden word.
pub(super) fn check(root: &Path) -> Result<(), String> {
    let read =
        |path: &Path| fs::read_to_string(root.join(path)).map_err(|why| format!("{}: {why}", path.display()));
    let words = forbidden(&read(Path::new("docs/glossary.md"))?);
    if words.is_empty() {
        return Err("docs/glossary.md forbids no word".into());
    }
    let sources = shell::capture(Command::new("git").args(["ls-files", "*.rs"]).current_dir(root))?;
    let sources =
        sources.lines().map(Into::into).filter(|file: &std::path::PathBuf| root.join(file).exists());
    let mut all = markdown::all(root)?;
    all.retain(|page| LEFT_OUT.iter().all(|left_out| page != Path::new(left_out)));
    all.extend(sources);
    let mut lines = Vec::new();
    for file in &all {
        lines.extend(found(file, &read(file)?, &words));
    }
    println!("book: {} words of the glossary are forbidden, in {} files", words.len(), all.len());
    let lines = lines.join("\n  ");
    if lines.is_empty() { Ok(()) } else { Err(format!("words that docs/glossary.md forbids:\n  {lines}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: which words are forbidden, and that they are seen, but not in code, and not in other words.
    #[test]
    fn words_are_seen() {
        let words = forbidden("| word | what | not |\n|---|---|---|\n| a | b *c* | *d e*, f, *gh* |\n");
        assert_eq!(words, ["d e", "gh"]);
        let seen = |line: &str| !found(Path::new("a.rs"), line, &words).is_empty();
        assert!(seen("/// A Gh.") && seen("//! ghs and") && seen("/// the d e"));
        assert!(!seen("/// [`X`](a::gh::X)"));
        assert!(!seen("/// `gh`") && !seen("/// ghost") && !seen("// gh") && !seen("let gh = 1;"));
    }
}
