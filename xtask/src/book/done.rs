//! Pages that are done: in a copy of the workspace, as their reader would.

use super::folder;
use super::steps::{self, Step};
use crate::cost::compiling;
use crate::shell;
use crate::suite::{Options, Verdict};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages, by their names in `docs`.
const PAGES: [&str; 4] = ["add-a-backend", "add-a-ring", "add-an-algorithm", "add-a-scheme"];

/// Does every page, each in a fresh copy.
///
/// # Errors
/// Where a change does not fit, a command fails, or does not print what the page says.
pub(crate) fn run(options: &Options) -> Verdict {
    let copy = folder().join("copy");
    for page in PAGES {
        println!("\ndocs/{page}.md");
        renew(shell::root(), &copy).map_err(|why| format!("{}: {why}", copy.display()))?;
        let text = fs::read_to_string(shell::root().join(format!("docs/{page}.md")))
            .map_err(|why| format!("{page}: {why}"))?;
        let steps = steps::of(&text).map_err(|why| format!("docs/{page}.md: {why}"))?;
        if steps.is_empty() {
            return Err(format!("docs/{page}.md: nothing is done on this page"));
        }
        for step in &steps {
            done(step, &copy, options).map_err(|why| format!("docs/{page}.md: {why}"))?;
        }
    }
    Ok(())
}

fn done(step: &Step, copy: &Path, options: &Options) -> Verdict {
    match step {
        Step::Change { path, places } => {
            println!("change {path}");
            change(&copy.join(path), places).map_err(|why| format!("{path}: {why}"))
        }
        Step::Commands { long: true, commands } if !options.exhaustive => {
            commands.iter().for_each(|(command, _)| println!("left to --exhaustive: {command}"));
            Ok(())
        }
        Step::Commands { commands, .. } => {
            commands.iter().try_for_each(|(command, printed)| runs(command, printed, copy))
        }
    }
}

/// Changes a file; where a place replaces nothing, it is a new one.
fn change(path: &Path, places: &[(String, String)]) -> Verdict {
    let failed = |why: io::Error| why.to_string();
    let mut text = if path.exists() { fs::read_to_string(path).map_err(failed)? } else { String::new() };
    for (old, new) in places {
        text = match (old.is_empty(), text.is_empty()) {
            (true, true) => new.clone(),
            (true, false) => return Err("a change without a line that stands there".into()),
            _ => steps::replace(&text, old, new)?,
        };
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}

/// Runs a command of a page in the copy, as a user has it: with none of the flags of a suite.
fn runs(command: &str, printed: &[String], copy: &Path) -> Verdict {
    println!("$ {command}");
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(copy).env("CARGO_TARGET_DIR", folder().join("build"));
    ["RUSTFLAGS", "RUSTDOCFLAGS", "RINGSMITH_CPU"].iter().for_each(|name| _ = shell.env_remove(name));
    let finished = compiling(|| shell::finish(&mut shell))?;
    let all = format!("{}{}", finished.stdout, finished.stderr);
    if finished.code != Some(0) {
        return Err(format!("`{command}` fails:\n{all}"));
    }
    match steps::missing(&all, printed) {
        Some(line) => Err(format!("`{command}` does not print `{line}`, but:\n{all}")),
        None => Ok(()),
    }
}

/// Makes the copy as the workspace is. What is the same is not written, so that it is not compiled again.
fn renew(root: &Path, copy: &Path) -> Result<(), String> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let text = shell::capture(Command::new("git").args(list).current_dir(root))?;
    let files = text.lines().map(PathBuf::from).filter(|file| root.join(file).is_file());
    let files: BTreeSet<PathBuf> = files.collect();
    let failed = |why: io::Error| why.to_string();
    fs::create_dir_all(copy).map_err(failed)?;
    prune(copy, Path::new(""), &files).map_err(failed)?;
    for file in &files {
        let (from, to) = (fs::read(root.join(file)).map_err(failed)?, copy.join(file));
        if fs::read(&to).ok().as_ref() != Some(&from) {
            fs::create_dir_all(to.parent().unwrap_or(copy)).map_err(failed)?;
            fs::write(&to, from).map_err(failed)?;
        }
    }
    Ok(())
}

/// Removes what the workspace does not have.
fn prune(copy: &Path, folder: &Path, files: &BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(copy.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            prune(copy, &path, files)?;
        } else if !files.contains(&path) {
            fs::remove_file(copy.join(path))?;
        }
    }
    Ok(())
}
