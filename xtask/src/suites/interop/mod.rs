//! `cargo xtask interop`: the command next to other implementations of ML-KEM and of the age format, in both directions.
//!
//! Not among the suites: it takes Python, Go and packages of theirs, which a machine that tests need not have.

mod files;

use crate::shell;
use crate::suite::Verdict;
use std::path::{Path, PathBuf};
use std::process::Command;

/// PyCA's package, with its version: part of what is shown.
const PYCA: &str = "cryptography==50.0.2";

/// Builds the command and runs both.
pub(crate) fn run() -> Verdict {
    let programs = ["-p", "ringsmith-cli", "-p", "age-plugin-ringsmith"];
    shell::run(shell::cargo(&["build", "--release"]).args(programs))?;
    let built = shell::target_dir().join("release");
    let command = built.join("ringsmith");
    pyca(&command)?;
    go(&command)?;
    files::run(&command, &built.join("age-plugin-ringsmith"))
}

fn scripts() -> PathBuf {
    shell::root().join("xtask/interop")
}

/// PyCA's cryptography, in an environment of its own.
fn pyca(command: &Path) -> Verdict {
    let environment = shell::target_dir().join("interop/python");
    let python = environment.join("bin/python");
    if !python.exists() {
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PYCA];
    shell::run(Command::new(&python).args(install))?;
    shell::run(Command::new(&python).arg(scripts().join("pyca.py")).arg(command))
}

/// Go's crypto/mlkem, of Go 1.24 or later.
fn go(command: &Path) -> Verdict {
    shell::run(Command::new("go").args(["run", "."]).arg(command).current_dir(scripts().join("go")))
}
