//! The user's cache of costs: a file for each backend and CPU model, of lines of names and numbers.
//!
//! A file that can't be read, is another machine's or is damaged is left out with a warning, and so is one
//! that can't be written.

use crate::shown::{self, warn};
use ringsmith::Cpu;
use ringsmith::any::{Costs, Kind};
use ringsmith_bench::machine::cpu_model;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process;

/// The first line: the version of the form.
const HEADING: &str = "ringsmith costs 3";
/// No file of costs is longer.
const LONGEST: u64 = 1 << 14;

/// `$XDG_CACHE_HOME/ringsmith`, or `~/.cache/ringsmith`. A relative path counts as none, as that standard
/// says.
fn directory() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(cache.join("ringsmith"))
}

/// The lines that say what a file's costs are of.
fn heading(cpu: Cpu) -> String {
    format!("{HEADING}\ncpu {}\nbackend {}\n", cpu_model(), cpu.name())
}

/// A name for each backend and CPU model.
fn file(directory: &Path, cpu: Cpu) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let model: String = cpu_model().chars().map(plain).take(80).collect();
    directory.join(format!("costs-{}-{model}.txt", cpu.name()))
}

/// What the cache has for this machine and backend.
pub(super) fn read(cpu: Cpu) -> Option<Costs> {
    let path = file(&directory()?, cpu);
    let why = match text(&path) {
        Ok(text) => match parse(&text, cpu) {
            Ok(costs) => return Some(costs),
            Err(why) => why.into(),
        },
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return None,
        Err(why) => why.to_string(),
    };
    warn(&format!("{} is left out: {why}; `ringsmith plan --measure` writes a new one", shown::name(&path)));
    None
}

/// A file's text. What is no file is not opened, since it might wait.
fn text(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut text = String::new();
    fs::File::open(path)?.take(LONGEST).read_to_string(&mut text)?;
    Ok(text)
}

/// The costs of a text.
fn parse(text: &str, cpu: Cpu) -> Result<Costs, &'static str> {
    let of_another = "it is of another version or another machine";
    let lines = text.strip_prefix(&heading(cpu)).ok_or(of_another)?.lines();
    let numbers = Kind::ALL
        .iter()
        .zip(lines.clone())
        .map_while(|(kind, line)| line.strip_prefix(kind.name())?.strip_prefix(' ')?.parse().ok());
    let numbers: Vec<f64> = numbers.collect();
    let whole = lines.count() == Kind::ALL.len();
    Costs::new(&numbers).filter(|_| whole).ok_or("it is damaged")
}

/// Puts costs there, or says why not.
pub(super) fn write(cpu: Cpu, costs: &Costs) {
    let Some(directory) = directory() else {
        return warn("the costs are not kept: neither XDG_CACHE_HOME nor HOME names a place");
    };
    let path = file(&directory, cpu);
    let mut text = heading(cpu);
    for (kind, cycles) in Kind::ALL.iter().zip(costs.values()) {
        // Writing to a string can't fail.
        let _ = writeln!(text, "{} {cycles}", kind.name());
    }
    if let Err(why) = replace(&directory, &path, &text) {
        warn(&format!("the costs are not kept in {}: {why}", shown::name(&path)));
    }
}

/// Writes a file beside the one of that name, and gives it the name.
fn replace(directory: &Path, path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let new = path.with_extension(format!("{}.new", process::id()));
    let written = fs::write(&new, text).and_then(|()| fs::rename(&new, path));
    written.inspect_err(|_| _ = fs::remove_file(&new))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: what is written is read again, and nothing that is cut, longer, of another machine or out of
    /// range is.
    #[test]
    fn texts() {
        let cpu = Cpu::detect();
        let costs = Costs::of(cpu);
        let lines: String = Kind::ALL
            .iter()
            .zip(costs.values())
            .map(|(kind, cycles)| format!("{} {cycles}\n", kind.name()))
            .collect();
        let text = heading(cpu) + &lines;
        assert_eq!(parse(&text, cpu), Ok(costs));
        let cut = text.rsplit_once("square").unwrap().0;
        let bad = ["", HEADING, cut, &format!("{text}more 1\n"), &text.replace("product ", "product -")];
        bad.iter().for_each(|bad| assert!(parse(bad, cpu).is_err(), "{bad}"));
        for number in ["NaN", "inf", "1e300", "x"] {
            assert_eq!(parse(&format!("{cut}square {number}\n"), cpu), Err("it is damaged"));
        }
        let other = text.replace("cpu ", "cpu another ");
        assert_eq!(parse(&other, cpu), Err("it is of another version or another machine"));
    }
}
