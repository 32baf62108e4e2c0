//! A program under `ptrace`, in another process.

use nix::errno::Errno;
use nix::libc::user_regs_struct;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use std::ffi::c_void;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The instruction that stops a program.
const BREAKPOINT: u8 = 0xcc;

/// Where an ELF file says what it is, and what it says where it can be put anywhere.
const ELF_TYPE: u64 = 16;
const ELF_MOVABLE: u8 = 3;

/// A program that runs as far as it is told.
pub(super) struct Tracee {
    child: Child,
    id: Pid,
    ended: bool,
}

/// What it says of an error of the system's.
fn failed(what: &str) -> impl Fn(Errno) -> String {
    move |error| format!("{what}: {error}")
}

/// A shell that waits for a line and then becomes the program: so it is traced before that begins.
fn waiting(program: &Path, args: &[&str], environment: &[(&str, &str)]) -> Result<Child, String> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "read line; exec \"$@\"", "sh"]).arg(program).args(args);
    shell.env_clear().envs(environment.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::null());
    shell.spawn().map_err(|error| format!("/bin/sh: {error}"))
}

impl Tracee {
    /// Traces a process, where the system permits it.
    fn seize(child: Child) -> Result<Option<Self>, String> {
        let id = Pid::from_raw(child.id() as i32);
        let tracee = Tracee { child, id, ended: false };
        match ptrace::seize(id, Options::PTRACE_O_TRACEEXEC | Options::PTRACE_O_EXITKILL) {
            Ok(()) => Ok(Some(tracee)),
            Err(Errno::EPERM | Errno::EACCES | Errno::ENOSYS) => Ok(None),
            Err(error) => Err(failed("ptrace")(error)),
        }
    }

    /// Whether the system permits to trace a process of one's own.
    pub(super) fn is_permitted() -> Result<bool, String> {
        Ok(Tracee::seize(waiting(Path::new("true"), &[], &[])?)?.is_some())
    }

    /// Starts a program, and stops it at its very beginning.
    pub(super) fn start(program: &Path, args: &[&str], environment: &[(&str, &str)]) -> Result<Self, String> {
        let tracee = Tracee::seize(waiting(program, args, environment)?)?;
        let mut tracee = tracee.ok_or("no permission to trace a process")?;
        // Its end is the line that the shell waits for.
        drop(tracee.child.stdin.take());
        loop {
            match tracee.wait()? {
                WaitStatus::PtraceEvent(..) if tracee.runs(program) => return Ok(tracee),
                // The shell itself was still about to begin.
                WaitStatus::PtraceEvent(..) => ptrace::cont(tracee.id, None).map_err(failed("ptrace"))?,
                status => return Err(format!("{} does not begin: {status:?}", program.display())),
            }
        }
    }

    /// Whether it is this program by now.
    fn runs(&self, program: &Path) -> bool {
        let running = std::fs::read_link(format!("/proc/{}/exe", self.id));
        running.is_ok_and(|running| program.canonicalize().is_ok_and(|program| program == running))
    }

    fn wait(&mut self) -> Result<WaitStatus, String> {
        let status = waitpid(self.id, None).map_err(failed("waitpid"))?;
        self.ended = matches!(status, WaitStatus::Exited(..) | WaitStatus::Signaled(..));
        Ok(status)
    }

    /// Waits for the stop after a breakpoint or a step; `false` where the program has ended well. Signals of
    /// others are the program's.
    fn stopped(&mut self, go_on: fn(Pid, Option<Signal>) -> nix::Result<()>) -> Result<bool, String> {
        let mut signal = None;
        loop {
            go_on(self.id, signal).map_err(failed("ptrace"))?;
            signal = match self.wait()? {
                WaitStatus::Stopped(_, Signal::SIGTRAP) => return Ok(true),
                WaitStatus::Stopped(_, signal) => Some(signal),
                WaitStatus::PtraceEvent(..) => None,
                WaitStatus::Exited(_, 0) => return Ok(false),
                status => return Err(format!("the program ended: {status:?}")),
            };
        }
    }

    /// Runs one instruction.
    pub(super) fn step(&mut self) -> Result<(), String> {
        match self.stopped(ptrace::step)? {
            true => Ok(()),
            false => Err("the program ended between the marks".to_string()),
        }
    }

    /// Runs to an address that is reached for certain, and is not where the program is.
    pub(super) fn pass_to(&mut self, address: u64) -> Result<(), String> {
        self.run_to(&[address])?.map(drop).ok_or("the program ended between the marks".to_string())
    }

    /// Runs to the first of these addresses, of which it is at none; `None` where the program ends before.
    pub(super) fn run_to(&mut self, addresses: &[u64]) -> Result<Option<u64>, String> {
        let bytes: Vec<u8> =
            addresses.iter().map(|at| self.replace(*at, BREAKPOINT)).collect::<Result<_, _>>()?;
        if !self.stopped(ptrace::cont)? {
            return Ok(None);
        }
        // In reverse, so that an address that is listed twice has its own byte again.
        for (address, byte) in addresses.iter().zip(bytes).rev() {
            self.replace(*address, byte)?;
        }
        let mut registers = self.registers()?;
        registers.rip -= 1;
        ptrace::setregs(self.id, registers).map_err(failed("setting registers"))?;
        match addresses.contains(&registers.rip) {
            true => Ok(Some(registers.rip)),
            false => Err(format!("an unknown stop after {:#x}", registers.rip)),
        }
    }

    /// The general registers.
    pub(super) fn registers(&self) -> Result<user_regs_struct, String> {
        ptrace::getregs(self.id).map_err(failed("reading registers"))
    }

    /// Eight bytes of memory.
    fn word(&self, address: u64) -> Result<[u8; 8], String> {
        let word = ptrace::read(self.id, address as *mut c_void).map_err(failed("reading memory"))?;
        Ok(word.to_le_bytes())
    }

    /// Up to so many bytes of memory, of which at least the first word is there.
    pub(super) fn bytes(&self, address: u64, count: usize) -> Result<Vec<u8>, String> {
        let mut bytes = self.word(address)?.to_vec();
        while bytes.len() < count
            && let Ok(word) = self.word(address + bytes.len() as u64)
        {
            bytes.extend(word);
        }
        bytes.truncate(count);
        Ok(bytes)
    }

    /// Writes a byte and returns the one that was there.
    fn replace(&mut self, address: u64, byte: u8) -> Result<u8, String> {
        let mut word = self.word(address)?;
        let before = std::mem::replace(&mut word[0], byte);
        let (at, word) = (address as *mut c_void, i64::from_le_bytes(word));
        ptrace::write(self.id, at, word).map_err(failed("writing memory"))?;
        Ok(before)
    }

    /// Where the system has put the program: what the addresses in its symbol table are counted from.
    pub(super) fn base(&self, program: &Path) -> Result<u64, String> {
        let file = format!("/proc/{}/maps", self.id);
        let maps = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        let program = program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?;
        // `555555554000-555555580000 r--p 00000000 fd:00 131 /path`
        let first = maps.lines().find(|line| line.ends_with(&*program.to_string_lossy()));
        let base = first.and_then(|line| u64::from_str_radix(line.split_once('-')?.0, 16).ok());
        let base = base.ok_or(format!("{file} does not name the program"))?;
        let kind = self.word(base + ELF_TYPE)?[0];
        Ok(if kind == ELF_MOVABLE { base } else { 0 })
    }
}

impl Drop for Tracee {
    fn drop(&mut self) {
        if !self.ended {
            // Nothing is left to do where the process is gone already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
