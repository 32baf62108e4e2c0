//! What a suite needs of the machine, and how to get it.

use crate::shell;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The nightly toolchain of Miri and the sanitizers, pinned by date.
pub(crate) const NIGHTLY: &str = "nightly-2026-04-01";

/// The oldest Rust that the workspace promises to build with.
pub(crate) const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Something that a suite can't do without.
pub(crate) enum Need {
    /// A machine of this architecture.
    Machine(&'static str),
    /// A program, and the Debian package that has it.
    Program {
        /// Its name in the search path.
        name: &'static str,
        /// The package.
        package: &'static str,
    },
    /// A module of Python's, and the Debian package that has it.
    Module {
        /// Its name in an `import`.
        name: &'static str,
        /// The package.
        package: &'static str,
    },
    /// A file, and the Debian package that has it.
    File {
        /// Where it is.
        path: &'static str,
        /// The package.
        package: &'static str,
    },
    /// A compilation target of the Rust toolchain.
    Target(&'static str),
    /// A toolchain with these components.
    Toolchain(&'static str, &'static [&'static str]),
}

impl Need {
    /// The Debian package that has it, where one does.
    #[cfg(test)]
    pub(crate) fn package(&self) -> Option<&'static str> {
        match *self {
            Need::Program { package, .. } | Need::Module { package, .. } | Need::File { package, .. } => {
                Some(package)
            }
            Need::Machine(_) | Need::Target(_) | Need::Toolchain(..) => None,
        }
    }

    /// Makes sure that it is there, installing what can be installed.
    ///
    /// # Errors
    /// Why it is not, and how to get it.
    pub(crate) fn provide(&self) -> Result<(), String> {
        match *self {
            Need::Machine(arch) if std::env::consts::ARCH == arch => Ok(()),
            Need::Machine(arch) => Err(format!("needs a machine of architecture {arch}")),
            Need::Program { name, package } => package_for(name, package, || shell::program(name).is_some()),
            Need::Module { name, package } => package_for(name, package, || imports(name)),
            Need::File { path, package } => package_for(path, package, || Path::new(path).exists()),
            Need::Target(target) => provide_target(target),
            Need::Toolchain(name, components) => provide_toolchain(name, components),
        }
    }
}

/// Whether Python has a module. The program may be there without: what `venv` installs from is a package of its own.
fn imports(module: &str) -> bool {
    let import = shell::finish(Command::new("python3").args(["-c", &format!("import {module}")]));
    import.is_ok_and(|finished| finished.code == Some(0))
}

/// Installs `package` where `present` finds nothing and this user may.
fn package_for(what: &str, package: &str, present: impl Fn() -> bool) -> Result<(), String> {
    if !present() && may_install() {
        let install = || {
            let mut command = Command::new("apt-get");
            command.args(["install", "-y", "--no-install-recommends", package]);
            shell::run(command.env("DEBIAN_FRONTEND", "noninteractive"))
        };
        if install().is_err() {
            shell::run(Command::new("apt-get").arg("update")).and_then(|()| install())?;
        }
    }
    match present() {
        true => Ok(()),
        false => Err(format!("no {what}; get it with: apt-get install {package}")),
    }
}

/// Whether packages can be installed: the superuser of a Debian system.
fn may_install() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        let user = shell::capture(Command::new("id").arg("-u")).unwrap_or_default();
        user.trim() == "0" && shell::program("apt-get").is_some()
    })
}

fn provide_target(target: &str) -> Result<(), String> {
    let present = || {
        let libraries =
            shell::capture(Command::new("rustc").args(["--print", "target-libdir", "--target", target]));
        libraries.is_ok_and(|path| Path::new(path.trim()).exists())
    };
    if !present() && shell::program("rustup").is_some() {
        shell::run(Command::new("rustup").args(["target", "add", target]))?;
    }
    match present() {
        true => Ok(()),
        false => Err(format!("no target {target}; get it with: rustup target add {target}")),
    }
}

fn provide_toolchain(name: &str, components: &[&str]) -> Result<(), String> {
    let list = ["component", "list", "--installed", "--toolchain", name];
    let present = || {
        let installed = shell::capture(Command::new("rustup").args(list)).unwrap_or_default();
        installed.contains("rustc") && components.iter().all(|component| installed.contains(component))
    };
    let mut install = vec!["toolchain", "install", name, "--profile", "minimal", "--no-self-update"];
    components.iter().for_each(|component| install.extend(["--component", component]));
    if !present() && shell::program("rustup").is_some() {
        shell::run(Command::new("rustup").args(&install))?;
    }
    match present() {
        true => Ok(()),
        false => Err(format!("no toolchain {name}; get it with: rustup {}", install.join(" "))),
    }
}

#[cfg(test)]
mod tests {
    use super::imports;

    /// Protects: a module that is missing is seen, where there is a Python and where there is none.
    #[test]
    fn missing_modules_are_seen() {
        assert!(!imports("no_such_module_of_python"));
    }
}
