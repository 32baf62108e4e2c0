//! The pages that show the command, done as their readers do them: every block `console`, in its order, in a
//! directory of the page's own, by a shell.
#![cfg(unix)]

mod support;

use std::path::Path;
use std::process::Command;
use std::{env, fs};
use support::{NO_CACHE, directory, ringsmith};

/// What stands on the pages in place of the public key that `keygen` prints.
const KEY: &str = "age1pq1...";

/// A command of a page, and what is printed.
struct Shown<'a> {
    command: &'a str,
    printed: Vec<&'a str>,
}

/// The text of a page.
fn read(page: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    fs::read_to_string(path).unwrap()
}

/// The commands of a page.
fn shown(page: &str) -> Vec<Shown<'_>> {
    let (mut all, mut inside) = (Vec::<Shown>::new(), false);
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(language) => inside = !inside && language == "console",
            None if !inside => {}
            None => match (line.strip_prefix("$ "), all.last_mut()) {
                (Some(command), _) => all.push(Shown { command, printed: Vec::new() }),
                (None, last) => last.expect("a command first").printed.push(line),
            },
        }
    }
    all
}

/// Whether a line is as the page has it: `...` stands for anything.
fn agrees(shown: &str, line: &str) -> bool {
    match shown.split_once("...") {
        Some((before, _)) => line.starts_with(before),
        None => shown == line,
    }
}

/// What a reader's shell prints.
fn run(dir: &Path, command: &str) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_ringsmith")).parent().unwrap();
    let path = env::join_paths(
        [programs.into()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())),
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("({command}) 2>&1")]).current_dir(dir).env("PATH", path.unwrap());
    let output = shell.env_remove("RINGSMITH_CPU").env("XDG_CACHE_HOME", NO_CACHE).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{command}\n{text}");
    text
}

/// Does a page, in a directory that has what its reader has.
fn do_page(page: &str) {
    let dir = directory(&page.replace(['/', '.'], "-"));
    fs::write(dir.join("letter.txt"), "Dear Alice,\n").unwrap();
    fs::create_dir(dir.join("papers")).unwrap();
    let (text, mut key) = (read(page), None);
    let commands = shown(&text);
    assert!(!commands.is_empty(), "{page} shows no command");
    for Shown { command, printed } in commands {
        let command = command.replace(KEY, key.as_deref().unwrap_or(KEY));
        let text = run(&dir, &command);
        let lines: Vec<_> = text.lines().collect();
        let same = lines.len() == printed.len() && printed.iter().zip(&lines).all(|(a, b)| agrees(a, b));
        assert!(same, "{page}: `{command}` prints\n{text}where the page has\n{}", printed.join("\n"));
        let public = text.lines().find_map(|line| line.strip_prefix("Public key: "));
        key = public.map(str::to_owned).or(key);
    }
}

/// Protects: what the first page shows is what happens.
#[test]
fn first_page() {
    do_page("README.md");
}

/// Protects: the page of the command's crate, as a registry shows it, shows what happens.
#[test]
fn page_of_the_crate() {
    do_page("crates/cli/README.md");
}

/// Protects: the pages of registries name the version that is published with them.
#[test]
fn version_on_pages_of_crates() {
    let version = env!("CARGO_PKG_VERSION");
    for (page, line) in [
        ("crates/cli/README.md", format!("cargo install ringsmith-cli --version {version}\n")),
        ("crates/ringsmith/README.md", format!("ringsmith = \"{version}\"\n")),
    ] {
        assert!(read(page).contains(&line), "{page} has no line {line}");
    }
}

/// The most routes that a ring of the list has.
fn most_routes(list: &str) -> usize {
    let is_route = |line: &&str| {
        line.strip_prefix("  ").is_some_and(|line| !line.starts_with(' ') && !line.starts_with("not:"))
    };
    list.split("\n\n").map(|ring| ring.lines().filter(is_route).count()).max().unwrap_or_default()
}

/// Protects: the first page says of no ring that it has more routes than the command lists, and of one that
/// it has as many.
#[test]
fn routes_on_the_first_page() {
    let (page, dir) = (read("README.md"), directory("routes"));
    let (_, after) = page.split_once("and up to ").unwrap();
    let said: usize = after.split(' ').next().unwrap().parse().unwrap();
    let output = String::from_utf8(ringsmith(&dir, &["rings"]).output().unwrap().stdout).unwrap();
    assert_eq!(most_routes(&output), said, "{output}");
}

/// Protects: the page of the command shows what happens.
#[test]
fn page_of_the_command() {
    do_page("docs/command.md");
}

/// Protects: the page of the schemes has them all, as the command lists them.
#[test]
fn page_of_the_schemes() {
    do_page("docs/schemes.md");
}

/// What a scheme's family is called in a table: its name before a number.
fn family(name: &str) -> &str {
    let name = name.strip_prefix("libntru-").unwrap_or(name);
    let end = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    name[..end].trim_end_matches('-')
}

/// The first two columns of the lines of tables behind a heading.
fn table<'a>(page: &'a str, heading: &str) -> Vec<[&'a str; 2]> {
    let section = page.split_once(heading).unwrap().1.split("\n## ").next().unwrap();
    let lines = section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| scheme "));
    lines
        .map(|line| line.split('|').skip(1).map(str::trim))
        .map(|mut cells| [(); 2].map(|()| cells.next().unwrap()))
        .collect()
}

/// Protects: the first page has every family of schemes, with the status that the command gives it.
#[test]
fn statuses_on_the_first_page() {
    let (page, dir) = (read("README.md"), directory("statuses"));
    let rows = table(&page, "\n## Which scheme\n");
    let output = String::from_utf8(ringsmith(&dir, &["schemes"]).output().unwrap().stdout).unwrap();
    let mut seen = vec![false; rows.len()];
    for line in output.lines() {
        let mut columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty());
        let (Some(name), Some(status)) = (columns.next(), columns.next()) else { continue };
        if !["standard", "historical", "research only"].contains(&status) {
            continue;
        }
        let row = rows.iter().position(|row| row[0].contains(family(name)));
        let row = row.unwrap_or_else(|| panic!("README.md has no {name}"));
        assert!(rows[row][1].contains(status), "{name} is {status}, where README.md has {}", rows[row][1]);
        seen[row] = true;
    }
    let unseen: Vec<_> = rows.iter().zip(seen).filter(|(_, seen)| !seen).map(|(row, _)| row[0]).collect();
    assert_eq!(unseen, ["X-Wing"], "no scheme of the command");
}
