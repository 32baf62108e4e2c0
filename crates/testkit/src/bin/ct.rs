//! Runs every case on secrets that valgrind follows and a QEMU plugin observes: the program behind
//! `cargo xtask ct`.
//!
//! `ct [--backend NAME] [--only TEXT] [--seed N] [--seeds COUNT] [--counted] [--leaky] [--list]`; for each
//! case it writes the name, a tab and how many leaks valgrind saw. The cases run one by one, with `COUNT`
//! secrets each, from seed `N` on.
#![forbid(unsafe_code)]

use ringsmith_probe::Repeating;
use ringsmith_probe::valgrind::error_count;
use ringsmith_simd::Cpu;
use ringsmith_testkit::{case, leaky};
use std::process::ExitCode;

/// Traces have addresses in them, which only secrets may change.
#[global_allocator]
static ALLOCATOR: Repeating = Repeating;

/// What to run.
struct Arguments {
    backend: Option<String>,
    only: String,
    seed: u64,
    seeds: u64,
    counted: bool,
    leaky: bool,
    list: bool,
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let (backend, only) = (None, String::new());
    let mut parsed =
        Arguments { backend, only, seed: 1, seeds: 1, counted: false, leaky: false, list: false };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--backend" => parsed.backend = Some(value()?),
            "--only" => parsed.only = value()?,
            "--seed" => parsed.seed = value()?.parse().map_err(|_| "--seed needs a number".to_string())?,
            "--seeds" => parsed.seeds = value()?.parse().map_err(|_| "--seeds needs a number".to_string())?,
            "--counted" => parsed.counted = true,
            "--leaky" => parsed.leaky = true,
            "--list" => parsed.list = true,
            other => return Err(format!("no option `{other}`")),
        }
    }
    Ok(parsed)
}

/// A name and what to run under it with a seed.
type Job = (String, Box<dyn Fn(u64)>);

fn jobs(arguments: &Arguments, cpu: Cpu) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    if arguments.leaky {
        for sample in leaky::ALL {
            jobs.push((sample.name.to_string(), Box::new(move |seed| sample.run(seed))));
        }
    } else {
        for case in case::all().into_iter().filter(|case| case.counted || !arguments.counted) {
            jobs.push((case.name.clone(), Box::new(move |seed| case.run(cpu, seed))));
        }
    }
    jobs.retain(|(name, _)| name.contains(&arguments.only));
    jobs
}

fn run() -> Result<(), String> {
    let arguments = parse(std::env::args().skip(1))?;
    let cpu = arguments.backend.as_deref().map_or_else(Cpu::from_env, Cpu::from_name);
    let cpu = cpu.map_err(|error| error.to_string())?;
    for (name, job) in jobs(&arguments, cpu) {
        if arguments.list {
            println!("{name}");
            continue;
        }
        let before = error_count();
        (0..arguments.seeds).for_each(|i| job(arguments.seed + i));
        println!("{name}\t{}", error_count() - before);
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("ct: {why}");
            ExitCode::from(2)
        }
    }
}
