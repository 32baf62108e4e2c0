//! No line of Rust is too long. Rustfmt breaks most lines, but no string and no comment, and little of what
//! stands in macros.

use crate::shell;
use crate::suite::Verdict;
use std::fs;
use std::process::Command;

/// The columns that a line may have, as `rustfmt.toml` has them. A column is a character.
const COLUMNS: usize = 110;

/// A line that must be caught. It has one column too many; its bytes are many more.
fn sample() -> String {
    "é".repeat(COLUMNS + 1)
}

/// The lines of a source that are too long: the number of each, from 1 on, and its columns.
fn too_long(source: &str) -> Vec<(usize, usize)> {
    let lines = source.lines().enumerate().map(|(index, line)| (index + 1, line.chars().count()));
    lines.filter(|(_, columns)| *columns > COLUMNS).collect()
}

/// The sources that git tracks. Those that were deleted since the last commit are left out.
pub(super) fn sources() -> Result<Vec<String>, String> {
    let mut git = Command::new("git");
    let listed = shell::capture(git.args(["ls-files", "*.rs"]).current_dir(shell::root()))?;
    Ok(listed.lines().filter(|file| shell::root().join(file).exists()).map(String::from).collect())
}

/// What is too long in a file, as `FILE:LINE: N columns`.
fn of_file(file: &str) -> Result<Vec<String>, String> {
    let source = fs::read_to_string(shell::root().join(file)).map_err(|error| format!("{file}: {error}"))?;
    let lines = too_long(&source);
    Ok(lines.iter().map(|(line, columns)| format!("{file}:{line}: {columns} columns")).collect())
}

/// The check, of every tracked source; the sample first.
pub(super) fn run(sources: &[String]) -> Verdict {
    if too_long(&sample()).is_empty() || sources.is_empty() {
        return Err("a line that is too long was not seen".to_string());
    }
    println!("sample of a line that is too long: caught");
    let mut found = Vec::new();
    for file in sources {
        found.extend(of_file(file)?);
    }
    found.iter().for_each(|line| println!("{line}"));
    match found.len() {
        0 => Ok(()),
        count => Err(format!("{count} lines have more than {COLUMNS} columns")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a line is measured in characters, without its end; the longest one that is allowed passes.
    #[test]
    fn columns_are_characters() {
        let longest = "é".repeat(COLUMNS);
        assert_eq!(too_long(&format!("{longest}\r\n{longest}\n")), []);
        assert_eq!(too_long(&format!("{longest}\n{}\n", sample())), [(2, COLUMNS + 1)]);
    }

    /// Protects: rustfmt and this check have one limit.
    #[test]
    fn limit_is_that_of_rustfmt() {
        let settings = include_str!("../../../rustfmt.toml");
        assert!(settings.lines().any(|line| line == format!("max_width = {COLUMNS}")), "{settings}");
    }
}
