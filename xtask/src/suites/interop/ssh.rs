//! SSH: client libraries and OpenSSH's server. An unmodified one takes the method from the shared object of
//! the crate `oqs`; two take it from the Python package, as the suite `python` has installed it.

use super::{install, place, scripts};
use crate::builds::Build;
use crate::shell;
use crate::suite::Verdict;
use crate::suites::python;
use std::path::Path;
use std::process::Command;

/// The client library, with its version: part of what is shown.
const ASYNCSSH: &str = "asyncssh==2.24.1";
/// OpenSSH's server, which wants to be called by its whole path.
pub(crate) const SERVER: &str = "/usr/sbin/sshd";

/// What it is called by those that load it; the crate's build script gives it that name inside, too.
const NAME: &str = "liboqs.so";

/// Builds the shared object, and puts it in a folder as `liboqs.so`.
///
/// # Errors
/// Where it can't be built, or the folder not be written.
pub(crate) fn object(folder: &Path) -> Verdict {
    Build::Checked.compile("oqs")?;
    // Where cargo leaves what it compiles for something else: here, for the crate's tests.
    let (from, to) = (Build::Checked.programs().join("deps/libringsmith_oqs.so"), folder.join(NAME));
    let copied = std::fs::create_dir_all(folder).and_then(|()| std::fs::copy(&from, &to));
    copied.map(|_| ()).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

/// The client talks to the server with the object, and can't without it.
pub(super) fn run(python: &Path) -> Verdict {
    install(python, ASYNCSSH)?;
    let folder = place().join("oqs");
    object(&folder)?;
    let script = scripts().join("ssh.py");
    shell::run(Command::new(python).arg(&script).arg(SERVER).arg(&folder).env("LD_LIBRARY_PATH", &folder))?;
    let mut without = Command::new(python);
    without.arg(&script).arg(SERVER).env_remove("LD_LIBRARY_PATH");
    let without = shell::finish(&mut without)?;
    // What the library says of a method that it does not have.
    if without.code == Some(0) || !without.stderr.contains("is not a valid key exchange algorithm") {
        return Err(format!("without the object, the client did not refuse the method:\n{}", without.stderr));
    }
    by_package(&script)
}

/// Clients that know the method from the Python package alone. Its environment and its module are those of
/// the suite `python`: whichever suite is first makes them, and the other finds them there.
fn by_package(script: &Path) -> Verdict {
    let with_package = python::installed()?;
    for client in ["--ringsmith", "--paramiko"] {
        let mut talk = Command::new(&with_package);
        shell::run(talk.arg(script).args([SERVER, client]).env_remove("LD_LIBRARY_PATH"))?;
    }
    Ok(())
}
