//! Products of the GPU against those of the CPU's library.

use crate::job::{Job, Task};
use crate::{Effort, Failure, jobs, results::Results};
use ringsmith_gpu::{Device, Space};
use ringsmith_oracle::Random;
use serde_json::json;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Checks so many products of each ring, in batches of so much memory.
///
/// # Errors
/// Where a product is wrong, which is told at the end; where the GPU fails, at once.
pub fn all(
    device: &Device,
    results: &Results,
    jobs: &[Job],
    (batch, memory): (usize, usize),
) -> Result<(), Failure> {
    let mut wrong = 0;
    for (seed, job) in jobs.iter().enumerate() {
        let space = Space { memory, ..Space::default() };
        let task = Task { batch, seed: seed as u64, space, time: None };
        let outcome = job.run(device, &task)?;
        let kernel = outcome.as_ref().map(|outcome| outcome.kernel);
        let right = outcome.map(|outcome| outcome.right);
        wrong += usize::from(right == Some(false));
        results.tell(&json!({
            "what": "check", "ring": job.name, "kernel": kernel, "products": batch, "right": right,
        }))?;
    }
    match wrong {
        0 => Ok(()),
        _ => Err(format!("products of {wrong} rings are wrong").into()),
    }
}

/// Checks batches of random sizes in random rings, with memory of random sizes and one to three streams,
/// until the time is over. Small batches are as frequent as large ones.
///
/// # Errors
/// At the first product that is wrong, or where the GPU fails.
pub fn soak(device: &Device, results: &Results, effort: &Effort, seed: u64) -> Result<(), Failure> {
    let (start, mut random, mut batches, mut products) = (Instant::now(), Random::new(seed), 0, 0);
    while batches == 0 || start.elapsed() < effort.soak {
        let job = jobs::any(&mut random);
        let order = random.within(0, effort.batch(1 << 12).ilog2().into());
        let batch = random.within(1, 1 << order) as usize;
        let memory = 1 << random.within(16, effort.memory.ilog2().into());
        let space = Space { memory, streams: random.within(1, 3) as usize, pinned: random.within(0, 1) == 1 };
        let task = Task { batch, seed: random.word(), space, time: None };
        let outcome = job.run(device, &task)?;
        if outcome.is_some_and(|outcome| !outcome.right) {
            return Err(format!("{}: a wrong product; {task:?}", job.name).into());
        }
        (batches, products) = (batches + 1, products + batch);
    }
    let seconds = start.elapsed().as_secs_f64();
    results.tell(&json!({
        "what": "soak", "seed": seed, "batches": batches, "products": products,
        "seconds": seconds, "right": true,
    }))
}

/// Has two processes check batches at the same time: both must be right. `program` makes a command of this
/// program, to which its arguments are added.
///
/// # Errors
/// Where one is not.
pub fn twice(program: &dyn Fn() -> Command, results: &Results, time: Duration) -> Result<(), Failure> {
    let start = |seed: u64| {
        let mut command = program();
        command.args(["soak", &time.as_secs().to_string(), &seed.to_string()]).spawn()
    };
    let (first, second) = (start(1)?, start(2)?);
    let is_good = |mut child: Child| child.wait().map(|status| status.success());
    let (first, second) = (is_good(first)?, is_good(second)?);
    let right = first && second;
    results.tell(&json!({ "what": "twice", "seconds": time.as_secs(), "right": right }))?;
    if right { Ok(()) } else { Err("of two processes on one GPU one failed".into()) }
}

/// The tools of NVIDIA's `compute-sanitizer`.
const TOOLS: [&str; 3] = ["memcheck", "racecheck", "initcheck"];

/// What that program ends with where a tool found something.
const FOUND: &str = "9";

/// Runs every kernel under each tool of the sanitizer.
///
/// # Errors
/// Where a tool finds something, a product is wrong, or there is no such program.
pub fn sanitize(sanitizer: &str, program: &dyn Fn() -> Command, results: &Results) -> Result<(), Failure> {
    let mut bad = Vec::new();
    for tool in TOOLS {
        let checked = program();
        let mut command = Command::new(sanitizer);
        command.args(["--tool", tool, "--error-exitcode", FOUND]);
        command.arg(checked.get_program()).args(checked.get_args()).args(["check", "64", "kernels"]);
        let Ok(status) = command.status() else {
            let why = format!("{sanitizer} is not on this machine: {} did not run", TOOLS.join(", "));
            results.tell(&json!({ "what": "sanitizer", "ran": false }))?;
            return Err(why.into());
        };
        results
            .tell(&json!({ "what": "sanitizer", "ran": true, "tool": tool, "right": status.success() }))?;
        bad.extend((!status.success()).then_some(tool));
    }
    if bad.is_empty() { Ok(()) } else { Err(format!("{} found errors", bad.join(", ")).into()) }
}
