//! FLINT: products of long polynomials modulo primes, and products of primes, that are chosen at run time.

use super::{install, scripts};
use crate::builds::Build;
use crate::cost::compiling;
use crate::shell;
use crate::suite::Verdict;
use std::path::Path;
use std::process::Command;

/// Its package for Python, with its version: part of what is shown.
const FLINT: &str = "python-flint==0.9.0";
/// The program that writes products: an example, in the build for this machine, which has every backend of it
/// but plain Rust.
const PROGRAM: &str = "products";

/// All rings.
pub(super) fn run(python: &Path) -> Verdict {
    install(python, FLINT)?;
    compiling(|| shell::run(Build::Checked.cargo("build").args(["--example", PROGRAM])))?;
    let program = Build::Checked.programs().join("examples").join(PROGRAM);
    shell::run(Command::new(python).arg(scripts().join("word.py")).arg(program))
}
