//! Instruction counts of the planner's choices and of the transforms: they have no spread, so a test can hold
//! them.
//!
//! Counted under emulation, on AVX2 and NEON; the committed table is `xtask/instructions.txt`. A count more
//! than 3% above fails, and so does a missing line. `--bless` writes the table anew.

use super::harness::Programs;
use super::trace;
use crate::builds::Build;
use crate::shell;
use crate::suite::{Options, Verdict};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How far above the committed count a count may be, in percent.
const TOLERANCE: u64 = 3;

/// Operation and backend.
type Key = (String, String);

fn file() -> PathBuf {
    shell::root().join("xtask/instructions.txt")
}

fn committed() -> Result<BTreeMap<Key, u64>, String> {
    let text = std::fs::read_to_string(file()).map_err(|error| format!("xtask/instructions.txt: {error}"))?;
    let parse = |line: &str| {
        let mut columns = line.split('\t');
        let key = (columns.next()?.to_string(), columns.next()?.to_string());
        Some((key, columns.next()?.parse().ok()?))
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| parse(line).ok_or(format!("xtask/instructions.txt: can't read `{line}`"))).collect()
}

/// The counts of one backend.
fn measure(build: Build, backend: &str) -> Result<Vec<(Key, u64)>, String> {
    let (programs, args) = (Programs::of(build)?, ["--counted", "--backend", backend]);
    let names = trace::names(&programs, &args)?;
    let regions = trace::regions(&programs, &args)?;
    if names.is_empty() || regions.len() != names.len() {
        return Err(format!("{} operations, {} counts", names.len(), regions.len()));
    }
    let keys = names.into_iter().map(|name| (name, backend.to_string()));
    Ok(keys.zip(regions.iter().map(|region| region.instructions)).collect())
}

fn bless(counts: &[(Key, u64)]) -> Verdict {
    let head =
        "# operation, backend, instructions; written by `cargo xtask instructions --bless`\n".to_string();
    let lines = counts.iter().map(|((name, backend), count)| format!("{name}\t{backend}\t{count}\n"));
    std::fs::write(file(), head + &lines.collect::<String>()).map_err(|error| error.to_string())
}

/// The suite.
pub(crate) fn run(options: &Options) -> Verdict {
    let counts = [measure(Build::Checked, "avx2")?, measure(Build::Aarch64, "neon")?].concat();
    if options.bless {
        bless(&counts)?;
    }
    let (committed, mut bad) = (committed()?, 0);
    for (key, count) in &counts {
        let (expected, (name, backend)) = (committed.get(key).copied(), key);
        let fine = expected.is_some_and(|expected| 100 * count <= (100 + TOLERANCE) * expected);
        let change = expected.map_or("no committed count".to_string(), |expected| {
            format!("{:+.1}%", 100.0 * (*count as f64 / expected as f64 - 1.0))
        });
        println!("{backend:<5} {count:>10}  {change:>7}  {name}{}", if fine { "" } else { "  TOO MANY" });
        bad += !fine as usize;
    }
    if bad == 0 {
        Ok(())
    } else {
        Err(format!("{bad} counts are too high or missing from xtask/instructions.txt"))
    }
}
