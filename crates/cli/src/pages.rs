//! `ringsmith completions` and `ringsmith man`: what a package of the command installs beside it.

use crate::Cli;
use crate::error::Error;
use crate::output::{print, stdout_error};
use clap::{Args, CommandFactory, ValueHint};
use clap_complete::Shell;
use std::fs;
use std::path::{Path, PathBuf};

/// For which shell.
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Where the pages go.
#[derive(Args)]
pub(crate) struct ManPages {
    /// Write a page for each subcommand too, into this directory, which is made if need be
    #[arg(value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

/// The command line's definition, with nothing in it that depends on this machine.
fn command() -> clap::Command {
    Cli::command().version(env!("CARGO_PKG_VERSION"))
}

/// Prints a completion script.
pub(crate) fn completions(args: &Completions) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "ringsmith", &mut script);
    print(&script)
}

/// Prints the manual page, or writes all of them.
pub(crate) fn man(args: &ManPages) -> Result<(), Error> {
    // The command `help` gets no page, so the list of pages must not have it.
    let command = command().disable_help_subcommand(true);
    match &args.dir {
        Some(dir) => write_pages(dir, command),
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).map_err(stdout_error)?;
            print(&page)
        }
    }
}

fn write_pages(dir: &Path, command: clap::Command) -> Result<(), Error> {
    let written = fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(command, dir));
    written.map_err(|why| Error::Write { name: dir.display().to_string(), why })
}
