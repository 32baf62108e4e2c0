//! The programs of the test kit, for tools that look into them.

use super::disassembly;
use crate::builds::Build;
use crate::shell;
use std::path::PathBuf;
use std::process::Command;

/// A test of the test kit.
const OF_THE_TEST_KIT: &str = "known_answers";

/// The programs, built.
pub(crate) struct Programs(Build);

impl Programs {
    /// Compiles them.
    ///
    /// # Errors
    /// Where that fails.
    pub(crate) fn of(build: Build) -> Result<Programs, String> {
        build.compile(OF_THE_TEST_KIT)?;
        Ok(Programs(build))
    }

    /// Where a program is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.programs().join(name)
    }

    /// The build that they are of.
    pub(crate) fn build(&self) -> &'static str {
        self.0.name()
    }

    /// What emulates the machine that they are for.
    pub(crate) fn emulator(&self) -> &'static str {
        match self.0 {
            Build::Aarch64 => "qemu-aarch64",
            Build::I686 => "qemu-i386",
            _ => "qemu-x86_64",
        }
    }

    /// The output of `objdump`.
    ///
    /// # Errors
    /// Where the tool fails.
    pub(crate) fn disassemble(&self, name: &str) -> Result<String, String> {
        let intel = (self.0 != Build::Aarch64).then_some("--disassembler-options=intel");
        let args = ["--disassemble", "--no-show-raw-insn", "--section=.text"].into_iter().chain(intel);
        let text = self.tool("objdump", &args.collect::<Vec<_>>(), name)?;
        // Programs without slots have no such section.
        let slots = self.tool("objdump", &["--full-contents", "--section=.got"], name).unwrap_or_default();
        let others = self.tool("objdump", &["--dynamic-reloc"], name).unwrap_or_default();
        Ok(disassembly::with_names(&text, &disassembly::slots(&slots, &self.tool("nm", &[], name)?, &others)))
    }

    /// What one of the binary utilities says of a program.
    fn tool(&self, tool: &str, args: &[&str], name: &str) -> Result<String, String> {
        let prefix = if self.0 == Build::Aarch64 { "aarch64-linux-gnu-" } else { "" };
        shell::capture(Command::new(format!("{prefix}{tool}")).args(args).arg(self.path(name)))
    }

    /// The functions of a program: addresses and demangled names.
    ///
    /// # Errors
    /// Where the tool fails.
    pub(crate) fn functions(&self, program: &str) -> Result<Vec<(u64, String)>, String> {
        let function = |line: &str| {
            let (address, rest) = line.split_once(' ')?;
            let symbol = rest.split_once(' ')?.1;
            Some((u64::from_str_radix(address, 16).ok()?, crate::demangle::name(symbol)))
        };
        Ok(self.tool("nm", &[], program)?.lines().filter_map(function).collect())
    }

    /// The address of the function with this demangled name.
    ///
    /// # Errors
    /// Where the program has no such function.
    pub(crate) fn address(&self, program: &str, function: &str) -> Result<u64, String> {
        let found = self.functions(program)?.into_iter().find(|(_, name)| name == function);
        found.map(|(address, _)| address).ok_or(format!("{program} has no function {function}"))
    }
}
