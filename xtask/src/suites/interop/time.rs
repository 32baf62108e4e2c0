//! How long 1 GiB takes, beside rage in the same run, and how much memory.

use super::files::Exchange;
use crate::suite::Verdict;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Of each program, one after the other; the least time counts.
const ROUNDS: usize = 7;
/// How often the memory is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// What one run took.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    /// The most that was resident, in KiB; none where the system does not say.
    resident: Option<u64>,
}

/// Writes a table: each direction, both programs, with the same key and the same file.
pub(super) fn run(exchange: &Exchange) -> Verdict {
    let [_, key, _] = &exchange.keys()?;
    exchange.write_plain(super::files::LONG)?;
    println!("1 GiB, the least of {ROUNDS} runs that alternate; files on one disk");
    println!(
        "{:<8}  {:>12}  {:>12}  {:>5}  {:>14}  {:>9}",
        "", "ringsmith, s", "rage, s", "ratio", "resident, MiB", "of rage"
    );
    let (ours, rage) = (&exchange.command, &exchange.rage().program);
    let (plain, sealed, copy) = (exchange.at("plain"), exchange.at("sealed"), exchange.at("copy"));
    for (name, arguments, from, to) in
        [("encrypt", ["encrypt", "-e"], &plain, &sealed), ("decrypt", ["decrypt", "-d"], &sealed, &copy)]
    {
        let mut best: [Option<Cost>; 2] = [None; 2];
        for round in 0..2 * ROUNDS {
            let who = round % 2;
            let _ = fs::remove_file(to);
            let mut command = exchange.program([ours, rage][who]);
            command.arg(arguments[who]);
            match name {
                "encrypt" => command.args(["-r", &key.recipient]),
                _ => command.arg("-i").arg(&key.identity),
            };
            let cost = measured(command.arg("-o").arg(to).arg(from))?;
            let least = |old: Cost| Cost {
                seconds: old.seconds.min(cost.seconds),
                resident: old.resident.max(cost.resident),
            };
            best[who] = Some(best[who].map_or(cost, least));
        }
        let [Some(ours), Some(rage)] = best else { return Err("nothing was run".into()) };
        let mebibytes =
            |cost: Cost| cost.resident.map_or("?".into(), |kib| format!("{:.1}", kib as f64 / 1024.0));
        println!(
            "{name:<8}  {:>12.2}  {:>12.2}  {:>5.2}  {:>14}  {:>9}",
            ours.seconds,
            rage.seconds,
            ours.seconds / rage.seconds,
            mebibytes(ours),
            mebibytes(rage)
        );
    }
    Ok(())
}

/// Runs a command quietly.
fn measured(command: &mut Command) -> Result<Cost, String> {
    let start = Instant::now();
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
    let mut child = started.map_err(|error| format!("{command:?}: {error}"))?;
    let mut resident = None;
    let status = loop {
        resident = resident.max(most_resident(child.id()));
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => std::thread::sleep(LOOK),
            Err(error) => return Err(error.to_string()),
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    if status.success() { Ok(Cost { seconds, resident }) } else { Err(format!("{command:?}: {status}")) }
}

/// The most that a process had in memory so far, in KiB, where the system says it.
fn most_resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
