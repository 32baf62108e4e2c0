//! `vectors SCHEME FILE...` checks files of published test vectors: the program behind `cargo xtask vectors`.
#![forbid(unsafe_code)]

use ringsmith_simd::Cpu;
use ringsmith_testkit::vectors;
use std::io::Write;
use std::process::ExitCode;

/// Whether all is well.
fn run() -> Result<bool, String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let cpu = Cpu::from_env().map_err(|error| error.to_string())?;
    let report = vectors::report(cpu, &args)?;
    std::io::stdout().write_all(report.page.as_bytes()).map_err(|error| error.to_string())?;
    report.complaints.iter().for_each(|complaint| eprintln!("vectors: {complaint}"));
    Ok(report.complaints.is_empty())
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("vectors: {why}");
            ExitCode::FAILURE
        }
    }
}
