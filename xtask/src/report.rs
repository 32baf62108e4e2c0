//! Runs suites and sums up.

use crate::suite::{Options, Suite};
use std::io::Write;
use std::time::{Duration, Instant};

enum Outcome {
    Passed,
    Failed(String),
    NotRun(String),
}

/// Runs the suites, writes one line for each at the end, and says whether all is well. Where `CI` is `true`, a suite that
/// could not run is a failure.
pub(crate) fn run(suites: &[&Suite], options: &Options) -> bool {
    let strict = std::env::var("CI").is_ok_and(|value| value == "true");
    let mut results = Vec::new();
    for suite in suites {
        println!("\n== {}: {}", suite.name, suite.about);
        let start = Instant::now();
        let outcome = run_one(suite, options);
        let time = start.elapsed();
        println!("-- {}: {} ({})", suite.name, verdict(&outcome), seconds(time));
        results.push((suite.name, outcome, time));
    }
    println!();
    let width = results.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    for (name, outcome, time) in &results {
        println!("{name:<width$}  {:>7}  {}", seconds(*time), verdict(outcome));
    }
    sum_up(&results, strict)
}

fn run_one(suite: &Suite, options: &Options) -> Outcome {
    let _ = std::io::stdout().flush();
    if let Err(why) = suite.needs.iter().try_for_each(|need| need.provide()) {
        return Outcome::NotRun(why);
    }
    match (suite.run)(options) {
        Ok(()) => Outcome::Passed,
        Err(why) => Outcome::Failed(why),
    }
}

fn verdict(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passed".to_string(),
        Outcome::Failed(why) => format!("failed: {}", why.lines().next().unwrap_or_default()),
        Outcome::NotRun(why) => format!("not run here: {why}"),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn sum_up(results: &[(&str, Outcome, Duration)], strict: bool) -> bool {
    let count =
        |wanted: fn(&Outcome) -> bool| results.iter().filter(|(_, outcome, _)| wanted(outcome)).count();
    let passed = count(|outcome| matches!(outcome, Outcome::Passed));
    let not_run = count(|outcome| matches!(outcome, Outcome::NotRun(_)));
    let (failed, skipped) =
        if strict { (results.len() - passed, 0) } else { (results.len() - passed - not_run, not_run) };
    match skipped {
        0 => println!("{passed} passed, {failed} failed"),
        _ => println!("{passed} passed, {failed} failed, {skipped} skipped"),
    }
    failed == 0
}
