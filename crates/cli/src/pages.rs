//! `ringsmith completions` and `ringsmith man`: what a package of the command installs beside it.

use crate::Cli;
use crate::completion::{BASH, with_values};
use crate::error::Error;
use crate::output::{Access, Output, finish_all, print, stdout_error};
use crate::shown;
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
    let mut command = with_values(command(), args.shell);
    clap_complete::generate(args.shell, &mut command, "ringsmith", &mut script);
    if args.shell == Shell::Bash {
        script.extend_from_slice(BASH.as_bytes());
    }
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

/// All pages, or none; none that is there is touched.
fn write_pages(dir: &Path, mut command: clap::Command) -> Result<(), Error> {
    fs::create_dir_all(dir).map_err(|why| Error::Write { name: shown::name(dir), why })?;
    command.build();
    let mut pages = Vec::new();
    page(dir, &command, &mut pages)?;
    finish_all(pages)
}

/// The page of a command, and those of its subcommands.
fn page(dir: &Path, command: &clap::Command, pages: &mut Vec<Output>) -> Result<(), Error> {
    let man = clap_mangen::Man::new(command.clone());
    let mut output = Output::open(Some(&dir.join(man.get_filename())), Access::All)?;
    let mut text = Vec::new();
    man.render(&mut text).map_err(|why| Error::Write { name: output.name(), why })?;
    output.write(&text)?;
    pages.push(output);
    command.get_subcommands().try_for_each(|command| page(dir, command, pages))
}
