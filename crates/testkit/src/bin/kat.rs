//! `kat SCHEME [COUNT] [--bulk-rng]` writes the response file of NIST's known-answer tests: the program
//! behind `cargo xtask kat`.
#![forbid(unsafe_code)]

use ringsmith::scheme;
use ringsmith_simd::Cpu;
use ringsmith_testkit::nist::Draws;
use ringsmith_testkit::{SIGNATURES, response_file};
use std::io::Write;
use std::process::ExitCode;

/// The response file of a scheme or of signatures.
fn file(cpu: Cpu, name: &str, count: usize, draws: Draws) -> Result<String, String> {
    if let Some((_, make)) = SIGNATURES.iter().find(|(set, _)| set.eq_ignore_ascii_case(name)) {
        return make(cpu, count).map_err(|error| error.to_string());
    }
    let names = || scheme::ALL.iter().map(|scheme| scheme.name).chain(SIGNATURES.map(|(set, _)| set));
    let none = || format!("no scheme `{name}`; there are: {}", names().collect::<Vec<_>>().join(", "));
    let scheme = scheme::by_name(name).ok_or_else(none)?;
    response_file(cpu, scheme, count, draws).map_err(|error| error.to_string())
}

fn run() -> Result<(), String> {
    let (options, words): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|arg| arg == "--bulk-rng");
    let draws = if options.is_empty() { Draws::AsSubmitted } else { Draws::AtOnce };
    let mut args = words.into_iter();
    let name = args.next().ok_or("usage: kat SCHEME [COUNT] [--bulk-rng]")?;
    let count =
        args.next().map_or(Ok(100), |count| count.parse().map_err(|_| format!("`{count}` is no number")))?;
    let cpu = Cpu::from_env().map_err(|error| error.to_string())?;
    let file = file(cpu, &name, count, draws)?;
    std::io::stdout().write_all(file.as_bytes()).map_err(|error| error.to_string())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("kat: {why}");
            ExitCode::FAILURE
        }
    }
}
