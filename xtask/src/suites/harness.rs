//! The programs of the test kit, built so that tools can look into them: with names that keep generic arguments, and at
//! fixed addresses.

use crate::shell;
use std::path::PathBuf;
use std::process::Command;

/// A machine whose programs are looked into.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    /// This one.
    X86_64,
    /// Emulated; programs are linked statically, so that the same code is at the same place in every run.
    Aarch64,
}

impl Machine {
    fn triple(self) -> &'static str {
        match self {
            Machine::X86_64 => "x86_64-unknown-linux-gnu",
            Machine::Aarch64 => "aarch64-unknown-linux-gnu",
        }
    }

    /// The prefix of the binary utilities.
    fn tool(self, name: &str) -> String {
        match self {
            Machine::X86_64 => name.to_string(),
            Machine::Aarch64 => format!("aarch64-linux-gnu-{name}"),
        }
    }

    /// The emulator.
    pub(crate) fn emulator(self) -> &'static str {
        match self {
            Machine::X86_64 => "qemu-x86_64",
            Machine::Aarch64 => "qemu-aarch64",
        }
    }

    fn rustflags(self) -> &'static str {
        match self {
            Machine::X86_64 => "-Csymbol-mangling-version=v0 -Crelocation-model=static",
            Machine::Aarch64 => {
                "-Csymbol-mangling-version=v0 -Crelocation-model=static -Ctarget-feature=+crt-static"
            }
        }
    }

    /// This machine, where its programs can be looked into.
    fn here() -> Option<Machine> {
        cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")).then_some(Machine::X86_64)
    }

    fn name(self) -> &'static str {
        match self {
            Machine::X86_64 => "x86_64",
            Machine::Aarch64 => "aarch64",
        }
    }

    /// A folder for each, so that their suites run side by side.
    fn target_dir(self) -> PathBuf {
        shell::target_dir().join("harness").join(self.name())
    }

    /// A cargo command for this machine. Whatever is built with it shares its crates with the programs that are looked into.
    pub(crate) fn cargo(self, command: &str) -> Command {
        let mut cargo = shell::cargo(&[command, "--release", "--target", self.triple()]);
        cargo.env("CARGO_TARGET_DIR", self.target_dir());
        cargo.env("RUSTFLAGS", self.rustflags()).env("RUSTDOCFLAGS", self.rustflags());
        cargo
    }

    /// Builds the programs of the test kit.
    ///
    /// # Errors
    /// Where that fails.
    pub(crate) fn build(self) -> Result<Programs, String> {
        shell::run(self.cargo("build").args(["-p", "ringsmith-testkit", "--bins"]))?;
        Ok(Programs { machine: self, dir: self.target_dir().join(self.triple()).join("release") })
    }
}

/// A cargo command for this machine, by which everything is built once.
pub(crate) fn cargo_here(command: &str) -> Command {
    let plain = || shell::cargo(&[command, "--release"]);
    Machine::here().map_or_else(plain, |machine| machine.cargo(command))
}

/// The programs, built.
pub(crate) struct Programs {
    machine: Machine,
    dir: PathBuf,
}

impl Programs {
    /// Where a program is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The output of `objdump`.
    ///
    /// # Errors
    /// Where the tool fails.
    pub(crate) fn disassemble(&self, name: &str) -> Result<String, String> {
        let mut command = Command::new(self.machine.tool("objdump"));
        command.args(["--disassemble", "--no-show-raw-insn", "--section=.text"]);
        if self.machine == Machine::X86_64 {
            command.arg("--disassembler-options=intel");
        }
        shell::capture(command.arg(self.path(name)))
    }

    /// The address of the function with this demangled name.
    ///
    /// # Errors
    /// Where the program has no such function.
    pub(crate) fn address(&self, program: &str, function: &str) -> Result<u64, String> {
        let table = shell::capture(Command::new(self.machine.tool("nm")).arg(self.path(program)))?;
        let found = table.lines().find_map(|line| {
            let (address, rest) = line.split_once(' ')?;
            let symbol = rest.split_once(' ')?.1;
            (crate::demangle::name(symbol) == function).then_some(u64::from_str_radix(address, 16).ok()?)
        });
        found.ok_or(format!("{program} has no function {function}"))
    }
}
