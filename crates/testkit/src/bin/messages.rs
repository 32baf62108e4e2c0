//! `messages [SET] [--count N] [--seed N]` encrypts and decrypts random messages: the program behind
//! `cargo xtask messages`.
//!
//! The exit code is 1 where a message came out wrong, and 2 where the command line is not understood.
#![forbid(unsafe_code)]

use ringsmith::scheme::PublicKeyEncryption;
use ringsmith_testkit::messages::{self, Plan};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;

/// Removes the line that says how far it is.
const CLEAR: &str = "\r\x1b[K";

/// Runs a set and writes its line; whether all messages came out as they were.
fn line(set: &PublicKeyEncryption, plan: &Plan) -> Result<bool, String> {
    let (start, seen) = (Instant::now(), std::io::stderr().is_terminal());
    let told = |text: &str| {
        if seen {
            eprint!("{CLEAR}{text}");
            _ = std::io::stderr().flush();
        }
    };
    let tally = messages::run(set, plan, |done| told(&format!("{}: {done} of {}", set.name, plan.count)));
    told("");
    let tally = tally.map_err(|why| format!("{}: {why}", set.name))?;
    let seconds = start.elapsed().as_secs_f64();
    let first = tally.first.map_or(String::new(), |first| format!("  {first}"));
    let (count, keys, wrong) = (tally.messages, tally.keys, tally.wrong);
    write(&format!("{:<22} {count:>9} {keys:>7} {wrong:>7} {seconds:>8.1}{first}\n", set.name))?;
    Ok(wrong == 0)
}

fn write(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| error.to_string())
}

/// Runs all sets; whether all messages came out as they were.
fn run(plan: &Plan) -> Result<bool, String> {
    write(&format!("{:<22} {:>9} {:>7} {:>7} {:>8}\n", "set", "messages", "keys", "wrong", "seconds"))?;
    plan.sets().iter().try_fold(true, |good, set| Ok(line(set, plan)? && good))
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let plan = match Plan::parse(&args) {
        Ok(plan) => plan,
        Err(why) => {
            eprintln!("messages: {why}");
            return ExitCode::from(2);
        }
    };
    match run(&plan) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("messages: some came out wrong, with `--seed {}`", plan.seed);
            ExitCode::FAILURE
        }
        Err(why) => {
            eprintln!("messages: {why}");
            ExitCode::FAILURE
        }
    }
}
