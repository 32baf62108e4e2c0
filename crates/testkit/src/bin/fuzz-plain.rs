//! Runs a target of [`ringsmith_testkit::fuzz`] so often, on its seeds with random changes: fast, and with
//! every backend, where inputs have one form and an engine that watches the flow of control learns nothing.
#![forbid(unsafe_code)]

use ringsmith_oracle::Random;
use ringsmith_testkit::fuzz::{by_name, neighbours};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// How often there is a word on how far it is.
const REPORTS: u64 = 1 << 10;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let target = args.first().and_then(|name| by_name(name));
    let runs = args.get(1).and_then(|text| text.parse::<u64>().ok());
    let (Some(target), Some(runs), 2) = (target, runs, args.len()) else {
        eprintln!("usage: fuzz-plain TARGET RUNS");
        return ExitCode::from(2);
    };
    let (seeds, mut random) = ((target.seeds)(), Random::new(1));
    let (mut done, mut last) = (0, Vec::new());
    while done < runs {
        let seed = &seeds[random.within(0, seeds.len() as i64 - 1) as usize];
        // Half of the time one more change of what was changed before.
        let from = if last.is_empty() || random.word() & 1 == 0 { seed } else { &last };
        let [changed, _] = neighbours(from, &mut random);
        (target.run)(&changed);
        last = changed;
        done += 1;
        if done % REPORTS == 0 && std::io::stderr().is_terminal() {
            eprint!("\r{}: {done} of {runs}", target.name);
            _ = std::io::stderr().flush();
        }
    }
    println!("{}: {done} inputs, every answer as it must be", target.name);
    ExitCode::SUCCESS
}
