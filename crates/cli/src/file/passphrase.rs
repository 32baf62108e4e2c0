//! Where passphrases come from: the terminal, or a file that is named; never an argument, which every user of
//! the machine can read, and never the environment, which every program that is started gets.

use crate::error::Error;
use crate::keys::{read_up_to, warn_if_readable};
use crate::terminal::{ask, show};
use clap::{Args, ValueHint, value_parser};
use ringsmith_age::{LAST_WORK_FACTOR, MAX_WORK_FACTOR, Passphrase};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use zeroize::Zeroizing;

/// Where a passphrase is read, in place of a terminal.
#[derive(Args)]
pub(crate) struct Source {
    /// Take passphrases from the first line of this file, which may be /dev/fd/3, in place of the terminal;
    /// - is standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    passphrase_file: Option<PathBuf>,
    /// What the file held, which may be a pipe.
    #[arg(skip)]
    read: OnceCell<Rc<Passphrase>>,
}

/// The same where something is opened.
#[derive(Args)]
pub(crate) struct Opening {
    #[command(flatten)]
    pub(crate) source: Source,
    /// The greatest work factor of a passphrase that is accepted: each one more doubles time and memory, 20
    /// takes 1 GiB
    #[arg(long, value_name = "N", default_value_t = MAX_WORK_FACTOR,
        value_parser = value_parser!(u8).range(1..=i64::from(LAST_WORK_FACTOR)))]
    pub(crate) max_work_factor: u8,
}

/// The longest first line that a file may have, in bytes, and the longest file.
const LONGEST: usize = 1 << 12;

impl Opening {
    /// Of the terminal, with the usual limit.
    pub(crate) fn usual() -> Self {
        let source = Source { passphrase_file: None, read: OnceCell::new() };
        Opening { source, max_work_factor: MAX_WORK_FACTOR }
    }
}

impl Source {
    /// The file, where one is named.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.passphrase_file.as_deref()
    }

    /// A passphrase that opens what messages call `name`.
    pub(crate) fn to_open(&self, name: &str) -> Result<Rc<Passphrase>, Error> {
        let text = match self.path() {
            Some(path) => return self.of_its_file(path),
            None => ask(&format!("Passphrase of {name}: "))?,
        };
        Passphrase::new(&text).map(Rc::new).ok_or(Error::Usage("no passphrase was typed".into()))
    }

    /// A passphrase for something new: typed twice; one is made where nothing is typed, and shown.
    pub(crate) fn for_new(&self) -> Result<Rc<Passphrase>, Error> {
        if let Some(path) = self.path() {
            return self.of_its_file(path);
        }
        let first = ask("New passphrase (leave it empty, and one is made): ")?;
        let Some(passphrase) = Passphrase::new(&first) else { return made() };
        match *ask("The same once more: ")? == *first {
            true => Ok(passphrase.into()),
            false => Err(Error::Usage("the two passphrases are not the same".into())),
        }
    }
}

/// Its file is read once.
impl Source {
    fn of_its_file(&self, path: &Path) -> Result<Rc<Passphrase>, Error> {
        if let Some(read) = self.read.get() {
            return Ok(read.clone());
        }
        let read = first_line(path)?;
        Ok(self.read.get_or_init(|| read.into()).clone())
    }
}

/// A new passphrase, which whoever sits at the terminal can write down.
fn made() -> Result<Rc<Passphrase>, Error> {
    let passphrase = Passphrase::generate().map_err(Error::Random)?;
    let line = Zeroizing::new(["The passphrase is: ", passphrase.text(), "\n"].concat());
    show(&line)?;
    Ok(passphrase.into())
}

/// The first line of a file.
fn first_line(path: &Path) -> Result<Passphrase, Error> {
    let (name, bytes) = read_up_to(LONGEST, path)?;
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let no_text = |_| Error::KeyLine { name: name.clone(), line: 1, problem: "no UTF-8 text".into() };
    let text = str::from_utf8(line).map_err(no_text)?;
    warn_if_readable(path, "a passphrase");
    Passphrase::new(text).ok_or(Error::NoKeys { name, what: "passphrase in its first line" })
}
