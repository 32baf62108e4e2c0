//! What a suite needs of the machine. `cargo xtask install` gets it; nothing else installs anything.

use crate::shell;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

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
    pub(crate) fn package(&self) -> Option<&'static str> {
        match *self {
            Need::Program { package, .. } | Need::Module { package, .. } | Need::File { package, .. } => {
                Some(package)
            }
            Need::Machine(_) | Need::Target(_) | Need::Toolchain(..) => None,
        }
    }

    fn is_here(&self) -> bool {
        match *self {
            Need::Machine(arch) => std::env::consts::ARCH == arch,
            Need::Program { name, .. } => shell::program(name).is_some(),
            Need::Module { name, .. } => imports(name),
            Need::File { path, .. } => Path::new(path).exists(),
            Need::Target(target) => has_target(target),
            Need::Toolchain(name, components) => has_toolchain(name, components),
        }
    }

    /// Whether it is there.
    ///
    /// # Errors
    /// What is missing.
    pub(crate) fn present(&self) -> Result<(), String> {
        let missing = match *self {
            _ if self.is_here() => return Ok(()),
            Need::Machine(arch) => return Err(format!("needs a machine of architecture {arch}")),
            Need::Program { name: what, .. }
            | Need::Module { name: what, .. }
            | Need::File { path: what, .. } => what.to_string(),
            Need::Target(target) => format!("target {target}"),
            Need::Toolchain(name, _) => format!("toolchain {name}, or not all of it"),
        };
        Err(format!("no {missing}; `cargo xtask install` gets it"))
    }
}

/// Installs what is missing of these: packages of Debian all at once, then targets and toolchains of Rust.
///
/// # Errors
/// Where something can't be installed. What needs another machine is left out.
pub(crate) fn install(needs: &[&Need]) -> Result<(), String> {
    let missing: Vec<_> = needs.iter().filter(|need| !need.is_here()).collect();
    let packages: BTreeSet<&str> = missing.iter().filter_map(|need| need.package()).collect();
    if !packages.is_empty() {
        install_packages(&packages)?;
    }
    for need in missing {
        match **need {
            Need::Target(target) => shell::run(Command::new("rustup").args(["target", "add", target]))?,
            Need::Toolchain(name, components) if !need.is_here() => {
                let mut install = Command::new("rustup");
                install.args(["toolchain", "install", name, "--profile", "minimal", "--no-self-update"]);
                shell::run(install.args(components.iter().flat_map(|component| ["--component", component])))?;
            }
            _ => {}
        }
    }
    let mut wanted = needs.iter().filter(|need| !matches!(need, Need::Machine(_)));
    wanted.try_for_each(|need| need.present())
}

/// As the superuser, or by `sudo`.
fn install_packages(packages: &BTreeSet<&str>) -> Result<(), String> {
    let superuser = shell::capture(Command::new("id").arg("-u")).is_ok_and(|user| user.trim() == "0");
    let apt_get = |args: &[&str]| {
        let mut command = Command::new(if superuser { "apt-get" } else { "sudo" });
        command.args((!superuser).then_some("apt-get")).args(args);
        shell::run(command.env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt_get(&["update", "-q"])?;
    let install = ["install", "-q", "-y", "--no-install-recommends"];
    apt_get(&[&install[..], &packages.iter().copied().collect::<Vec<_>>()].concat())
}

/// Whether Python has a module. The program may be there without: what `venv` installs from is a package of
/// its own.
fn imports(module: &str) -> bool {
    let import = shell::finish(Command::new("python3").args(["-c", &format!("import {module}")]));
    import.is_ok_and(|finished| finished.code == Some(0))
}

fn has_target(target: &str) -> bool {
    let mut rustc = Command::new("rustc");
    let libraries = shell::capture(rustc.args(["--print", "target-libdir", "--target", target]));
    libraries.is_ok_and(|path| Path::new(path.trim()).exists())
}

fn has_toolchain(name: &str, components: &[&str]) -> bool {
    let list = ["component", "list", "--installed", "--toolchain", name];
    let installed = shell::capture(Command::new("rustup").args(list)).unwrap_or_default();
    installed.contains("rustc") && components.iter().all(|component| installed.contains(component))
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
