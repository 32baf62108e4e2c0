//! Signatures: ML-DSA of the command and of the library with PyCA's cryptography, with Go's filippo.io/mldsa,
//! with OpenSSL, with aws-lc-rs and with rustls's reader of certificates, keys and certificates too.

use super::openssl::Openssl;
use super::{install, place, scripts};
use crate::builds::Build;
use crate::cost::compiling;
use crate::shell;
use crate::suite::Verdict;
use std::fs;
use std::path::Path;
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
    crates(command)?;
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

/// The crate aws-lc-rs, and by it the one that rustls reads certificates with, in a test of the package of
/// peers.
fn crates(command: &Path) -> Verdict {
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
    // Beside the packages of the build, so that none of them is compiled again.
    let package = ["-p", "ringsmith-peers", "--features", "ringsmith-peers/dsa"];
    let test = [&package[..], &["--test", "aws_lc_rs", "--", "--include-ignored"]].concat();
    Build::Checked.test(&test, &[("RINGSMITH_CERTIFICATES", &folder.to_string_lossy())])
}

/// A script, of which nothing compiled is to be left beside it: it imports another.
fn script(python: &Path, name: &str) -> Command {
    let mut command = Command::new(python);
    command.arg("-B").arg(scripts().join(name));
    command
}
