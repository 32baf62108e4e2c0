//! The head of a source file as text of a page.

/// The lines `//!` of a source: headings two levels down, and links to items as their names.
pub(super) fn of(source: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in source.lines().take_while(|line| line.starts_with("//!")) {
        let line = line.trim_start_matches("//!");
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line.starts_with("```") {
            // Without a name it is Rust, as rustdoc has it.
            out.push_str(if !fenced && line == "```" { "```rust" } else { line });
            fenced = !fenced;
        } else if fenced {
            out.push_str(line);
        } else {
            if line.starts_with('#') {
                out.push_str("##");
            }
            out.push_str(&without_items(line));
        }
        out.push('\n');
    }
    out
}

/// A line whose links to items are plain names: ``[`a`](super::b)`` and ``[`a`]``.
fn without_items(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some((before, after)) = rest.split_once('[') {
        let Some((text, behind)) = after.split_once(']') else { break };
        let target = behind.strip_prefix('(').and_then(|it| it.split_once(')'));
        out.push_str(before);
        rest = match target {
            Some((target, behind)) if is_item(target) => {
                out.push_str(text);
                behind
            }
            None if text.starts_with('`') && text.ends_with('`') && text.len() > 2 => {
                out.push_str(text);
                behind
            }
            _ => {
                out.push('[');
                after
            }
        };
    }
    out + rest
}

/// Whether a target is a path of Rust's, not one of files.
fn is_item(target: &str) -> bool {
    !target.contains(['/', '.', '#']) && !target.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: what a page shows of a head.
    #[test]
    fn heads() {
        let source = "//! One: [`a`](super::b), [c](Self::d), [`e`], `[w b | b]`, x[1].\n//!\n//! # The map\n\
                      //! ```\n//! let x = [1];\n//! ```\n\nuse x;\n//! no\n";
        let expected = "One: `a`, c, `e`, `[w b | b]`, x[1].\n\n### The map\n```rust\nlet x = [1];\n```\n";
        assert_eq!(of(source), expected);
    }
}
