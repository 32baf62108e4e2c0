//! What a suite is. Which there are stands in [`catalogue`](crate::catalogue).

use crate::builds::Build;
use crate::needs::Need;

/// What the command line asks of a suite.
#[derive(Clone, Copy, Default)]
pub(crate) struct Options {
    /// Exhaustive tests for every modulus.
    pub(crate) exhaustive: bool,
    /// Write committed counts anew.
    pub(crate) bless: bool,
}

impl Options {
    /// From the flags.
    ///
    /// # Errors
    /// At the first unknown flag.
    pub(crate) fn parse(flags: &[&str]) -> Result<Self, String> {
        let mut options = Options::default();
        for flag in flags {
            match *flag {
                "--exhaustive" => options.exhaustive = true,
                "--bless" => options.bless = true,
                other => return Err(format!("no option `{other}`; `cargo xtask help` lists them")),
            }
        }
        Ok(options)
    }

    /// The flags that say this.
    pub(crate) fn flags(&self) -> impl Iterator<Item = &'static str> {
        let flags = [(self.exhaustive, "--exhaustive"), (self.bless, "--bless")];
        flags.into_iter().filter_map(|(set, flag)| set.then_some(flag))
    }
}

/// Passed, or why not.
pub(crate) type Verdict = Result<(), String>;

/// Where a suite builds. Suites of one folder wait for each other; those of different ones run side by side.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folder {
    /// That of a build.
    Of(Build),
    /// Of what is checked and makes no code.
    Lint,
    /// Of the oldest compiler.
    Oldest,
    /// Of the plans that must not compile.
    Bounds,
    /// Of the mutants.
    Mutants,
    /// Of Miri.
    Miri,
    /// Of the sanitizer.
    Sanitizer,
}

/// One check of the project.
pub(crate) struct Suite {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// Where it builds.
    pub(crate) folders: &'static [Folder],
    /// What it protects, in a line.
    pub(crate) about: &'static str,
    /// What it needs besides cargo.
    pub(crate) needs: &'static [Need],
    /// Runs it.
    pub(crate) run: fn(&Options) -> Verdict,
}
