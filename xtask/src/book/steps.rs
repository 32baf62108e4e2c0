//! What a page tells its reader to do: changes of files, and commands with what they print.
//!
//! Behind the line [`BEGIN`] of a page each block `diff` is a change, each block `console` are commands.

/// From here on a page is done.
const BEGIN: &str = "<!-- done in a copy -->";
/// The commands behind it take long.
const LONG: &str = "<!-- with --exhaustive -->";

/// A change of a file, or a list of commands.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Places of a file, and what stands there afterwards.
    Change {
        /// The file, from the root of the workspace.
        path: String,
        /// What is replaced, and by what; nothing is replaced in a file that is new.
        places: Vec<(String, String)>,
    },
    /// Commands, and lines of what each prints.
    Commands {
        /// Whether they take long.
        long: bool,
        /// Each with its lines.
        commands: Vec<(String, Vec<String>)>,
    },
}

/// The blocks of code behind [`BEGIN`]: the language, the text, and whether [`LONG`] stands before it.
fn blocks(page: &str) -> Vec<(&str, Vec<&str>, bool)> {
    let Some((_, page)) = page.split_once(BEGIN) else { return Vec::new() };
    let (mut blocks, mut open, mut long) = (Vec::new(), None, false);
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language.trim(), Vec::new(), std::mem::take(&mut long))),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, text, _))) => text.push(line),
            (None, None) => long |= line == LONG,
        }
    }
    blocks
}

/// A place of a change: lines that stay or go, and lines that stay or come.
fn place(lines: &[&str]) -> Result<(String, String), String> {
    let (mut old, mut new) = (String::new(), String::new());
    for line in lines {
        let (sign, text) = line.split_at(line.len().min(1));
        if sign != "+" {
            old += &format!("{text}\n");
        }
        if sign != "-" {
            new += &format!("{text}\n");
        }
        if !["+", "-", " ", ""].contains(&sign) {
            return Err(format!("no line of a change: {line}"));
        }
    }
    Ok((old, new))
}

/// A block `diff`: the path behind `+++`, and places between lines `@@`.
fn change(text: &[&str]) -> Result<Step, String> {
    let (first, rest) = text.split_first().ok_or("an empty change")?;
    let path = first.strip_prefix("+++ ").ok_or_else(|| format!("a change of no file: {first}"))?.to_string();
    let places = rest.split(|line| line.starts_with("@@")).filter(|lines| !lines.is_empty());
    Ok(Step::Change { path, places: places.map(place).collect::<Result<_, _>>()? })
}

/// A block `console`: commands behind `$`, each with what follows.
fn commands(text: &[&str], long: bool) -> Step {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in text {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_string(), Vec::new())),
            (None, Some((_, printed))) if *line != "..." => printed.push(line.to_string()),
            _ => {}
        }
    }
    Step::Commands { long, commands }
}

/// The steps of a page, in its order.
///
/// # Errors
/// At a change that is none.
pub(super) fn of(page: &str) -> Result<Vec<Step>, String> {
    let step = |(language, text, long): &(&str, Vec<&str>, bool)| match *language {
        "diff" => Some(change(text)),
        "console" => Some(Ok(commands(text, *long))),
        _ => None,
    };
    blocks(page).iter().filter_map(step).collect()
}

/// A file with a place replaced.
///
/// # Errors
/// Where the place is not there, or there twice.
pub(super) fn replace(text: &str, old: &str, new: &str) -> Result<String, String> {
    match text.matches(old).count() {
        1 => Ok(text.replacen(old, new, 1)),
        count => Err(format!("stands there {count} times:\n{old}")),
    }
}

/// The first of these lines that a program did not print. They may come in any order, as tests do.
pub(super) fn missing<'a>(printed: &str, lines: &'a [String]) -> Option<&'a String> {
    lines.iter().find(|line| !printed.lines().any(|other| other.trim() == line.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
```console
$ not this
```
<!-- done in a copy -->
```diff
+++ a/b.rs
 one
-two
+three
@@
 four
+five
```
```text
nothing
```
<!-- with --exhaustive -->
```console
$ cargo check
warning
...
$ cargo test
```
";

    /// Protects: what of a page is done.
    #[test]
    fn steps_of_a_page() {
        let text = |text: &str| text.to_string();
        let places = vec![(text("one\ntwo\n"), text("one\nthree\n")), (text("four\n"), text("four\nfive\n"))];
        let commands = vec![(text("cargo check"), vec![text("warning")]), (text("cargo test"), vec![])];
        let expected =
            [Step::Change { path: text("a/b.rs"), places }, Step::Commands { long: true, commands }];
        assert_eq!(of(PAGE).unwrap(), expected);
    }

    /// Protects: a page that does not fit the sources is seen.
    #[test]
    fn places_are_there_once() {
        assert_eq!(replace("a\nb\n", "b\n", "c\n").unwrap(), "a\nc\n");
        assert!(replace("a\nb\n", "d\n", "c\n").is_err() && replace("b\nb\n", "b\n", "c\n").is_err());
        assert!(of("<!-- done in a copy -->\n```diff\n no file\n```\n").is_err());
    }

    /// Protects: what a page says that a command prints is asked for.
    #[test]
    fn lines_are_printed() {
        let lines = ["one", "two"].map(str::to_string);
        assert_eq!(missing("zero\none\n  two\n", &lines), None);
        assert_eq!(missing("two\none\n", &lines), None);
        assert_eq!(missing("one\nthree\n", &lines), Some(&lines[1]));
    }
}
