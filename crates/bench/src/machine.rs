//! Where figures come from: the machine, the counter, the compiler.

use crate::peers::Peers;
use ringsmith_probe::{Counter, Kind, canary};
use std::{fmt, fs, io};

/// The compiler that built this program, as `rustc 1.95.0 (...)`.
pub const RUSTC: &str = env!("RINGSMITH_RUSTC");

/// The CPU's model as the system names it, with architecture and system.
pub fn cpu_model() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model_in(&info).unwrap_or_else(|| "CPU of an unknown model".into());
    format!("{model}, {} {}", std::env::consts::ARCH, std::env::consts::OS)
}

/// x86-64 has a model name; AArch64 numbers of its implementer and part.
fn model_in(info: &str) -> Option<String> {
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    field("model name")
        .or_else(|| Some(format!("implementer {} part {}", field("CPU implementer")?, field("CPU part")?)))
}

/// What stands above every table.
pub struct Machine {
    /// The CPU's model.
    pub cpu: String,
    /// What the counter counts.
    pub counter: Kind,
    /// The chain of 1000 cycles in that counter.
    pub canary: f64,
    /// The libraries that are measured beside ours, each with its version.
    pub peers: &'static [&'static str],
}

impl Machine {
    /// Looks at this machine.
    ///
    /// # Errors
    /// As [`Counter::span`].
    pub fn look(counter: &mut Counter, peers: &Peers) -> io::Result<Self> {
        let canary = canary(counter)?;
        Ok(Machine { cpu: cpu_model(), counter: counter.kind(), canary, peers: peers.versions })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "machine  {}", self.cpu)?;
        writeln!(f, "rustc    {}", RUSTC.trim_start_matches("rustc "))?;
        let unit = self.counter.unit();
        writeln!(f, "counter  {}, canary {:.1} {unit} (1000 core cycles)", self.counter, self.canary)?;
        if self.counter != Kind::Hardware {
            writeln!(
                f,
                "         No hardware counters for programs here: {unit} are NOT core cycles. \
                 'Estimated' core"
            )?;
            writeln!(f, "         cycles are {unit} * 1000 / canary, the canary taken beside each batch.")?;
        }
        match self.peers {
            [] => writeln!(f, "peers    none (`cargo xtask bench --peers` has them)"),
            versions => writeln!(f, "peers    {}", versions.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the model is found on both kinds of machine, and its absence is no crash.
    #[test]
    fn models() {
        let intel = "processor\t: 0\nmodel\t\t: 143\nmodel name\t: Fast CPU @ 2.00GHz\nstepping: 8\n";
        assert_eq!(model_in(intel).as_deref(), Some("Fast CPU @ 2.00GHz"));
        let arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n";
        assert_eq!(model_in(arm).as_deref(), Some("implementer 0x41 part 0xd40"));
        assert_eq!(model_in("no: thing"), None);
    }

    /// Protects: ticks are never passed off as cycles.
    #[test]
    fn the_header_says_what_is_counted() {
        let header = |counter| Machine { cpu: "x".into(), counter, canary: 700.0, peers: &[] }.to_string();
        assert!(header(Kind::Tsc).contains("ticks are NOT core cycles"));
        assert!(!header(Kind::Hardware).contains("NOT"));
        assert!(RUSTC.starts_with("rustc 1."));
    }
}
