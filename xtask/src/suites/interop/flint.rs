//! FLINT: products of long polynomials modulo primes, and products of primes, that are chosen at run time;
//! and products and inverses modulo any number and any polynomial.

use super::{install, scripts};
use crate::builds::Build;
use crate::cost::compiling;
use crate::shell;
use crate::suite::Verdict;
use std::path::Path;
use std::process::Command;

/// Its package for Python, with its version: part of what is shown.
const FLINT: &str = "python-flint==0.9.0";
/// Programs that write products, each with the script that computes them again: examples, in the build for
/// this machine, which has every backend of it but plain Rust.
const PROGRAMS: [(&str, &str); 2] = [("products", "word.py"), ("any_products", "any.py")];

/// All rings.
pub(super) fn run(python: &Path) -> Verdict {
    install(python, FLINT)?;
    let examples = PROGRAMS.iter().flat_map(|(program, _)| ["--example", *program]);
    compiling(|| shell::run(Build::Checked.cargo("build").args(examples)))?;
    for (program, script) in PROGRAMS {
        let program = Build::Checked.programs().join("examples").join(program);
        shell::run(Command::new(python).arg(scripts().join(script)).arg(program))?;
    }
    Ok(())
}
