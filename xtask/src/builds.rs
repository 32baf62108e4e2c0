//! The builds of our crates: one for each machine.
//!
//! A build is a folder, the flags, the packages and the features of all that is compiled there. Suites that
//! need a build share it, so that each crate is compiled once in it; the suite `once` reads cargo's unit
//! graph and fails where one would be compiled again.
//!
//! * [`Build::Checked`] is for this machine: the kernels that users get, what the tools that watch secrets
//!   need, and names that keep generic arguments. Tests, disassembly, counts and the programs are of it.
//! * The others are the library and its tests for another machine, in the form that it has there. Plain Rust
//!   is looked at on 32-bit x86, which has no other kernels and which x86-64 runs as it is.

use crate::{cost, shell};
use std::path::PathBuf;
use std::process::Command;

/// A build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Build {
    /// For this machine, to be looked into.
    Checked,
    /// NEON, emulated; linked statically, so that the same code is at the same place in every run.
    Aarch64,
    /// 32-bit x86, which x86-64 runs as it is: plain Rust.
    I686,
    /// A big-endian machine, emulated.
    S390x,
    /// A microcontroller without an operating system.
    Thumb,
}

/// The library's crates: what others build with features of their choice.
pub(crate) const LIBRARY: &[&str] = &[
    "ringsmith-simd",
    "ringsmith-ring",
    "ringsmith-hash",
    "ringsmith-kem",
    "ringsmith-ml-dsa",
    "ringsmith-ml-kem",
    "ringsmith-new-hope",
    "ringsmith-cyclic",
    "ringsmith-ntru",
    "ringsmith-ntru-prime",
    "ringsmith-ntruencrypt",
    "ringsmith-word",
    "ringsmith-any",
    "ringsmith-hybrid",
    "ringsmith-routes",
    "ringsmith",
];
/// What its tests need.
pub(crate) const KIT: &[&str] = &["ringsmith-oracle", "ringsmith-testkit"];
/// What else is tested and measured on this machine.
const TOOLS: &[&str] = &[
    "ringsmith-bench",
    "ringsmith-book",
    "ringsmith-gpu",
    "ringsmith-gpu-device",
    "ringsmith-laws",
    "ringsmith-plot",
    "ringsmith-pqclean",
    "ringsmith-probe",
    "ringsmith-watch",
    "xtask",
];
/// The library's crates that known answers on a big-endian machine need: where bytes become words.
const BYTES: &[&str] =
    &["ringsmith-simd", "ringsmith-hash", "ringsmith-ntruencrypt", "ringsmith-word", "ringsmith-testkit"];
/// The programs and the shared objects, and what only they have.
const PROGRAMS: &[&str] = &[
    "ringsmith-cli",
    "age-plugin-ringsmith",
    "ringsmith-capi",
    "ringsmith-ossl",
    "ringsmith-rustls",
    "ringsmith-oqs",
    "ringsmith-python",
    "ringsmith-age",
];

/// These packages as arguments of cargo.
pub(crate) fn selected<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    packages.iter().flat_map(|package| ["-p", package]).collect()
}

impl Build {
    /// All of them.
    pub(crate) const ALL: [Build; 5] =
        [Build::Checked, Build::Aarch64, Build::I686, Build::S390x, Build::Thumb];

    /// That of a target; of this machine, the one to be looked into.
    pub(crate) fn of(triple: Option<&str>) -> Build {
        let of_target = |build: &Build| triple.is_some() && build.triple() == triple;
        Build::ALL.into_iter().find(of_target).unwrap_or(Build::Checked)
    }

    /// Its name: that of its folder.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Build::Checked => "checked",
            Build::Aarch64 => "aarch64",
            Build::I686 => "i686",
            Build::S390x => "s390x",
            Build::Thumb => "thumb",
        }
    }

    fn triple(self) -> Option<&'static str> {
        match self {
            Build::Checked => None,
            Build::Aarch64 => Some("aarch64-unknown-linux-gnu"),
            Build::I686 => Some("i686-unknown-linux-gnu"),
            Build::S390x => Some("s390x-unknown-linux-gnu"),
            Build::Thumb => Some("thumbv7em-none-eabi"),
        }
    }

    /// The flags for everything that is compiled; none is what users have. Of them only
    /// `ringsmith_harness` changes code: what it tells valgrind are rotations of a register.
    fn rustflags(self) -> Option<&'static str> {
        match self {
            Build::Checked => {
                Some("-Csymbol-mangling-version=v0 --cfg ringsmith_harness --cfg ringsmith_internals")
            }
            Build::Aarch64 => Some(
                "-Csymbol-mangling-version=v0 -Crelocation-model=static -Ctarget-feature=+crt-static \
                 --cfg ringsmith_internals",
            ),
            // Names alone differ from those of users' builds, since a tool looks for two of them, and what
            // tests see of the engine.
            Build::I686 => Some("-Csymbol-mangling-version=v0 --cfg ringsmith_internals"),
            Build::S390x => Some("--cfg ringsmith_internals"),
            Build::Thumb => None,
        }
    }

    /// The flags of the build for this machine, and kernels in plain Rust.
    pub(crate) fn with_plain_rust() -> String {
        format!("{} --cfg ringsmith_scalar", Build::Checked.rustflags().unwrap_or_default())
    }

    /// The packages, always the same ones: features are those that all of them need together.
    fn packages(self) -> Vec<&'static str> {
        match self {
            Build::Checked => [LIBRARY, KIT, TOOLS, PROGRAMS].concat(),
            Build::Aarch64 | Build::I686 => [LIBRARY, KIT].concat(),
            Build::S390x => BYTES.to_vec(),
            Build::Thumb => vec!["ringsmith", "ringsmith-bare"],
        }
    }

    /// Features beside the default ones.
    fn features(self) -> &'static [&'static str] {
        match self {
            Build::Thumb => {
                &["--no-default-features", "--features", "ringsmith/hazmat,ringsmith/hpke,ringsmith/kem"]
            }
            // The cases of the tools that watch secrets have files among them, what is fuzzed another
            // library; the C library has all schemes; the programs know GPUs, and one that is emulated.
            Build::Checked => &[
                "--features",
                "ringsmith-testkit/files,ringsmith-testkit/second,ringsmith-capi/all,ringsmith-cli/cuda,\
                 ringsmith-bench/emulated,ringsmith-gpu-device/emulated",
            ],
            Build::S390x => &["--no-default-features"],
            _ => &[],
        }
    }

    /// Its folder.
    fn folder(self) -> PathBuf {
        shell::target_dir().join(self.name())
    }

    /// Where its programs are.
    pub(crate) fn programs(self) -> PathBuf {
        let folder = self.triple().map_or(self.folder(), |triple| self.folder().join(triple));
        folder.join("release")
    }

    /// What cargo is asked, but for what of the packages.
    pub(crate) fn arguments(self, verb: &'static str) -> Vec<&'static str> {
        let packages = selected(&self.packages());
        let target = self.triple().into_iter().flat_map(|triple| ["--target", triple]);
        [verb, "--release"]
            .into_iter()
            .chain(packages)
            .chain(target)
            .chain(self.features().iter().copied())
            .collect()
    }

    /// The environment of cargo.
    pub(crate) fn environment(self, cargo: &mut Command) {
        cargo.env("CARGO_TARGET_DIR", self.folder());
        match self.rustflags() {
            Some(flags) => cargo.env("RUSTFLAGS", flags).env("RUSTDOCFLAGS", flags),
            None => cargo.env_remove("RUSTFLAGS").env_remove("RUSTDOCFLAGS"),
        };
        cost::watch(cargo, self.name());
    }

    /// A cargo command in this build.
    pub(crate) fn cargo(self, verb: &'static str) -> Command {
        let mut cargo = shell::cargo(&self.arguments(verb));
        self.environment(&mut cargo);
        cargo
    }

    /// Compiles, and then runs, tests: all of them, or those that `what` names; behind `--` what the tests
    /// are told.
    ///
    /// # Errors
    /// Where something does not compile, or a test fails.
    pub(crate) fn test(self, what: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
        let (targets, told) = what.split_at(what.iter().position(|arg| *arg == "--").unwrap_or(what.len()));
        if !targets.contains(&"--doc") {
            cost::compiling(|| shell::run(self.cargo("test").args(targets).arg("--no-run")))?;
        }
        let mut test = self.cargo("test");
        shell::run(test.args(targets).args(told).envs(environment.iter().copied()))
    }

    /// Compiles, and then runs, the unit tests of one package. It has the features that it asks for alone, so
    /// that cargo compiles what it needs again.
    ///
    /// # Errors
    /// Where something does not compile, or a test fails.
    pub(crate) fn unit(self, package: &str, features: &str) -> Result<(), String> {
        let of = ["test", "--release", "--lib", "-p", package, "--features", features];
        let target = self.triple().into_iter().flat_map(|triple| ["--target", triple]);
        let of: Vec<_> = of.into_iter().chain(target).collect();
        let cargo = || {
            let mut cargo = shell::cargo(&of);
            self.environment(&mut cargo);
            cargo
        };
        cost::compiling(|| shell::run(cargo().arg("--no-run")))?;
        shell::run(&mut cargo())
    }

    /// Compiles the programs whose package has a test of this name, and that test.
    ///
    /// # Errors
    /// Where something does not compile.
    pub(crate) fn compile(self, test: &str) -> Result<(), String> {
        cost::compiling(|| shell::run(self.cargo("test").args(["--no-run", "--test", test])))
    }

    /// Compiles an example, and says where it is.
    ///
    /// # Errors
    /// Where it does not compile.
    pub(crate) fn example(self, name: &str) -> Result<PathBuf, String> {
        // As a program: cargo's `test` would make a test of it.
        cost::compiling(|| shell::run(self.cargo("build").args(["--example", name])))?;
        Ok(self.programs().join("examples").join(name))
    }
}

/// Runs a program of the test kit in the folder of the caller, with its arguments and standard streams; its
/// exit code, or 1 where a signal ended it. If the arguments begin with `--target TRIPLE`, it is built for
/// that machine, and runs as `.cargo/config.toml` says.
///
/// # Errors
/// Where it can't be started.
pub(crate) fn forward(program: &str, args: &[&str]) -> Result<u8, String> {
    let (target, args) = match args {
        ["--target", triple, rest @ ..] => (Some(*triple), rest),
        _ => (None, args),
    };
    let mut command =
        shell::cargo(&["run", "--quiet", "--release", "-p", "ringsmith-testkit", "--bin", program]);
    Build::of(target).environment(&mut command);
    command.args(target.into_iter().flat_map(|triple| ["--target", triple])).arg("--");
    let here = std::env::current_dir().map_err(|error| format!("the current folder: {error}"))?;
    command.args(args).current_dir(here);
    let status = command.status().map_err(|error| format!("`{}`: {error}", shell::display(&command)))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
