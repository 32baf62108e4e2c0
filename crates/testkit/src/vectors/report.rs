//! The program: files in, a page and complaints out.

use super::{FileError, Run, Selection, Tally, read, table};
use ringsmith_simd::Cpu;
use std::path::Path;

const USAGE: &str = "usage: vectors SCHEME FILE...   (SCHEME: a scheme or `all`; FILE: a path, a folder for \
     all files in it, or `-` for standard input)";

/// What the program says.
pub struct Report {
    /// The backend and the table, for the standard output; empty where no file could be checked.
    pub page: String,
    /// What failed and which files are malformed, for the standard error; empty where all is well.
    pub complaints: Vec<String>,
}

/// Checks files; the arguments are those of the command line, a scheme and paths.
///
/// # Errors
/// Where the arguments are none for the program.
pub fn report(cpu: Cpu, args: &[String]) -> Result<Report, String> {
    let [scheme, paths @ ..] = args else { return Err(USAGE.into()) };
    if paths.is_empty() || paths.iter().filter(|path| *path == "-").count() > 1 {
        return Err(USAGE.into());
    }
    let run = Run { cpu, selection: Selection::parse(scheme)? };
    let files = paths.iter().flat_map(|path| files(path));
    let checked = files.map(|path| {
        let outcome = read(&path).and_then(|bytes| run.check_named(&name(&path), &bytes));
        (path, outcome)
    });
    Ok(Report::of(cpu, checked.collect()))
}

/// The files of a path: those of a folder, in the order of their names, or the path itself.
fn files(path: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_string()] };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut files: Vec<_> =
        paths.filter(|path| path.is_file()).map(|path| path.to_string_lossy().into_owned()).collect();
    files.sort();
    files
}

impl Report {
    fn of(cpu: Cpu, files: Vec<(String, Result<Tally, FileError>)>) -> Self {
        let (mut checked, mut complaints) = (Vec::new(), Vec::new());
        for (path, outcome) in files {
            match outcome {
                Ok(tally) => {
                    complaints.extend(failures(&path, &tally));
                    checked.push((name(&path), tally));
                }
                Err(error) => complaints.push(format!("{path}: {error}")),
            }
        }
        let page = match checked.is_empty() {
            true => String::new(),
            false => format!("CPU backend: {}\n\n{}", cpu.name(), table(&checked)),
        };
        Report { page, complaints }
    }
}

/// What the table calls a file.
fn name(path: &str) -> String {
    match Path::new(path).file_name() {
        Some(name) if path != "-" => name.to_string_lossy().into_owned(),
        _ => "standard input".into(),
    }
}

/// A line for each kind of case that failed.
fn failures(path: &str, tally: &Tally) -> impl Iterator<Item = String> {
    tally.rows.iter().filter_map(move |row| {
        let first = row.first_failure.as_ref()?;
        Some(format!("{path}: {}, {}: {} failed, first {first}", row.set, row.kind, row.failed))
    })
}
