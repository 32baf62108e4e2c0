//! Signatures: ML-DSA with PyCA's cryptography and with Go's filippo.io/mldsa, and a certificate of ours that
//! OpenSSL verifies.

use super::{install, place, scripts};
use crate::builds::Build;
use crate::cost::compiling;
use crate::shell;
use crate::suite::Verdict;
use std::fs;
use std::path::Path;
use std::process::Command;

/// All of it; `node` is a Node that has an OpenSSL with ML-DSA inside.
pub(super) fn run(python: &Path, go: &Path, node: &Path) -> Verdict {
    let mut build = Build::Checked.cargo("build");
    compiling(|| shell::run(build.args(["--bin", "sign", "--example", "certificate"])))?;
    let programs = Build::Checked.programs();
    let (sign, pair) = (programs.join("sign"), place().join("pair.pem"));
    let made = shell::capture(&mut Command::new(programs.join("examples/certificate")))?;
    fs::write(&pair, made).map_err(|error| format!("{}: {error}", pair.display()))?;
    install(python, super::PYCA)?;
    shell::run(Command::new(python).arg(scripts().join("mldsa.py")).arg(&sign).arg(&pair).arg(node))?;
    shell::run(Command::new(go).args(["run", "."]).arg(&sign).current_dir(scripts().join("mldsa")))
}
