//! Signatures: ML-DSA of the command and of the library with PyCA's cryptography, with Go's filippo.io/mldsa
//! and with OpenSSL, keys and certificates too.

use super::openssl::Openssl;
use super::{install, place, scripts};
use crate::builds::Build;
use crate::cost::compiling;
use crate::shell;
use crate::suite::Verdict;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All of it; `node` is a Node that has an OpenSSL with ML-DSA inside.
pub(super) fn run(
    command: &Path,
    python: &Path,
    go: &Path,
    node: &Path,
    openssl: Option<&Openssl>,
) -> Verdict {
    let mut build = Build::Checked.cargo("build");
    compiling(|| shell::run(build.args(["--bin", "sign", "--example", "certificate"])))?;
    let programs = Build::Checked.programs();
    let (sign, pair) = (programs.join("sign"), place().join("pair.pem"));
    let made = shell::capture(&mut Command::new(programs.join("examples/certificate")))?;
    fs::write(&pair, made).map_err(|error| format!("{}: {error}", pair.display()))?;
    install(python, super::PYCA)?;
    shell::run(script(python, "signatures.py").arg(&sign).arg(command).arg(&pair).arg(node))?;
    let mut program = Command::new(go);
    shell::run(program.args(["run", "."]).arg(&sign).arg(command).current_dir(scripts().join("mldsa")))?;
    match openssl {
        Some(openssl) => {
            shell::run(script(python, "openssl_signatures.py").arg(openssl.program()).arg(command))
        }
        None => {
            Openssl::missing("keys, signatures and certificates of ML-DSA with the program openssl");
            Ok(())
        }
    }
}

/// A folder with a private key and a certificate of each parameter set, as the command makes them.
pub(super) fn certificates(command: &Path) -> Result<PathBuf, String> {
    let folder = place().join("certificates");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for kind in ["ml-dsa-44", "ml-dsa-65", "ml-dsa-87"] {
        let [key, certificate] = ["key", "crt"].map(|end| folder.join(format!("{kind}.{end}")));
        let key_made = shell::capture(Command::new(command).args(["keygen", "--kind", kind]))?;
        fs::write(&key, key_made).map_err(|error| format!("{}: {error}", key.display()))?;
        let mut certify = Command::new(command);
        certify.arg("certificate").arg("-i").arg(&key).args(["--subject", "CN=Alice", "--days", "2"]);
        let made = shell::capture(&mut certify)?;
        fs::write(&certificate, made).map_err(|error| format!("{}: {error}", certificate.display()))?;
    }
    Ok(folder)
}

/// A script, of which nothing compiled is to be left beside it: it imports another.
fn script(python: &Path, name: &str) -> Command {
    let mut command = Command::new(python);
    command.arg("-B").arg(scripts().join(name));
    command
}
