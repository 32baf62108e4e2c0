//! The programs of the test kit, for tools that look into them.

use super::disassembly;
use crate::builds::Build;
use crate::shell;
use std::path::PathBuf;
use std::process::Command;

/// A test of the test kit.
const OF_THE_TEST_KIT: &str = "known_answers";

/// A machine whose programs are looked into.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    /// This one.
    X86_64,
    /// Emulated.
    Aarch64,
}

impl Machine {
    fn build(self) -> Build {
        match self {
            Machine::X86_64 => Build::Checked,
            Machine::Aarch64 => Build::Aarch64,
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

    /// Compiles the programs of the test kit.
    ///
    /// # Errors
    /// Where that fails.
    pub(crate) fn programs(self) -> Result<Programs, String> {
        self.build().compile(OF_THE_TEST_KIT)?;
        Ok(Programs { machine: self, dir: self.build().programs() })
    }
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
        let text = shell::capture(command.arg(self.path(name)))?;
        // Programs without slots have no such section.
        let slots = self.tool("objdump", &["--full-contents", "--section=.got"], name).unwrap_or_default();
        let others = self.tool("objdump", &["--dynamic-reloc"], name).unwrap_or_default();
        Ok(disassembly::with_names(&text, &disassembly::slots(&slots, &self.tool("nm", &[], name)?, &others)))
    }

    /// What one of the binary utilities says of a program.
    fn tool(&self, tool: &str, args: &[&str], name: &str) -> Result<String, String> {
        shell::capture(Command::new(self.machine.tool(tool)).args(args).arg(self.path(name)))
    }

    /// The address of the function with this demangled name.
    ///
    /// # Errors
    /// Where the program has no such function.
    pub(crate) fn address(&self, program: &str, function: &str) -> Result<u64, String> {
        let table = self.tool("nm", &[], program)?;
        let found = table.lines().find_map(|line| {
            let (address, rest) = line.split_once(' ')?;
            let symbol = rest.split_once(' ')?.1;
            (crate::demangle::name(symbol) == function).then_some(u64::from_str_radix(address, 16).ok()?)
        });
        found.ok_or(format!("{program} has no function {function}"))
    }
}
