//! Programs that run instruction by instruction on the CPU itself, for instructions that no emulator knows.
//!
//! The address of each instruction and the addresses of all memory that it uses go into a hash: those of
//! operands, of prefetches, of the stack. What is compared has run in one process, so it does not matter
//! where the system has put that.
//!
//! The system stops the program (`ptrace`) and tells its registers. It need not stop before each instruction:
//! a [`Stretch`] runs at once. It is a row of instructions without a branch in which none writes a register
//! that the address of a later one is made of, so that all addresses are known before it begins.

mod operands;
mod tracee;

use crate::suites::trace::{NO_REPEATED_MOVES, Region};
use operands::{Instruction, LONGEST};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;
use tracee::Tracee;

/// Settings of the C library: of two instances of a function, the one without AVX-512, which moves
/// elements of memory under a mask.
const NO_MASKS: &str = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW";

/// Whether the system permits it.
///
/// # Errors
/// Where that does not become clear.
pub(crate) fn is_permitted() -> Result<bool, String> {
    Tracee::is_permitted()
}

/// A program with two functions between which it is looked at.
pub(crate) struct Marked {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// The function at which observation begins, as the symbol table has it.
    pub(crate) begin: u64,
    /// The one at which it ends.
    pub(crate) end: u64,
}

/// A run of such a program.
struct Run {
    tracee: Tracee,
    base: u64,
    begin: u64,
    end: u64,
    /// By their addresses.
    stretches: HashMap<u64, Stretch>,
}

/// Instructions that run at once; never none.
struct Stretch(Vec<Instruction>);

impl Stretch {
    /// The longest one at an address.
    fn at(address: u64, tracee: &Tracee) -> Result<Self, String> {
        let decode = |at: u64| Instruction::decode(&tracee.bytes(at, LONGEST)?, at);
        let mut row = vec![decode(address)?];
        while !row[row.len() - 1].is_alone()
            && let next = decode(row[row.len() - 1].next)?
            && !next.is_alone()
            && !row.iter().any(|before| next.depends_on(before))
        {
            row.push(next);
        }
        Ok(Stretch(row))
    }
}

impl Marked {
    fn start(&self, args: &[&str]) -> Result<Run, String> {
        let settings = format!("{NO_REPEATED_MOVES}:{NO_MASKS}");
        let tracee = Tracee::start(&self.path, args, &[("GLIBC_TUNABLES", &settings)])?;
        let base = tracee.base(&self.path)?;
        let (begin, end) = (base + self.begin, base + self.end);
        Ok(Run { tracee, base, begin, end, stretches: HashMap::new() })
    }

    /// Runs the program and says of each pair of marks, in order, which of these functions it went through.
    ///
    /// # Errors
    /// Where the program fails.
    pub(crate) fn entered(&self, args: &[&str], functions: &[u64]) -> Result<Vec<Vec<u64>>, String> {
        let (mut run, mut all) = (self.start(args)?, Vec::new());
        while run.tracee.run_to(&[run.begin])?.is_some() {
            all.push(run.entered(functions)?);
        }
        Ok(all)
    }

    /// Runs the program and returns what was seen between each pair of marks, in order; nothing between those
    /// that `chosen` has no name for.
    ///
    /// # Errors
    /// Where the program fails, or an instruction's addresses can't be told.
    pub(crate) fn regions<'a>(
        &self,
        args: &[&str],
        chosen: impl Fn(usize) -> Option<&'a str>,
    ) -> Result<Vec<Option<Region>>, String> {
        let (mut run, mut all) = (self.start(args)?, Vec::new());
        while run.tracee.run_to(&[run.begin])?.is_some() {
            all.push(match chosen(all.len()) {
                Some(name) => Some(run.region().map_err(|why| format!("{name}: {why}"))?),
                None => run.entered(&[]).map(|_| None)?,
            });
        }
        Ok(all)
    }
}

impl Run {
    /// From `begin` to `end`: which functions are entered.
    fn entered(&mut self, functions: &[u64]) -> Result<Vec<u64>, String> {
        let (mut waiting, mut entered) = (functions.to_vec(), Vec::new());
        loop {
            let stops: Vec<u64> = waiting.iter().map(|at| self.base + at).chain([self.end]).collect();
            match self.tracee.run_to(&stops)? {
                None => return Err("the program ended between the marks".to_string()),
                Some(at) if at == self.end => return Ok(entered),
                Some(at) => {
                    entered.push(at - self.base);
                    waiting.retain(|waits| self.base + waits != at);
                }
            }
        }
    }

    /// From `begin` to `end`, stretch by stretch.
    fn region(&mut self) -> Result<Region, String> {
        let (mut instructions, mut hash) = (0, DefaultHasher::new());
        loop {
            let registers = self.tracee.registers()?;
            if registers.rip == self.end {
                return Ok(Region { instructions, hash: format!("{:016x}", hash.finish()) });
            }
            let stretch = match self.stretches.entry(registers.rip) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(Stretch::at(registers.rip, &self.tracee)?),
            };
            for instruction in &stretch.0 {
                hash.write_u64(instruction.address);
                instruction.addresses(&registers, |address| hash.write_u64(address))?;
            }
            instructions += stretch.0.len() as u64;
            match &stretch.0[..] {
                [_] => self.tracee.step()?,
                [.., last] => self.tracee.pass_to(last.next)?,
                [] => {}
            }
        }
    }
}
