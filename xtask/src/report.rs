//! Runs suites and sums up.
//!
//! Suites that build in different folders run side by side, each in a process of its own, as many as the
//! machine has cores; what one writes is shown when it has ended. A suite that is alone writes as it goes.

use crate::cost;
use crate::shell;
use crate::suite::{Options, Suite};
use std::fs::File;
use std::io::Write;
use std::process::Command;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

enum Outcome {
    Passed,
    Failed(String),
    NotRun(String),
}

/// How long a suite took.
#[derive(Clone, Copy, Default)]
struct Times {
    all: Duration,
    /// Seconds of waiting for compilers.
    compiling: f64,
    /// CPU seconds of all that it ran.
    cpu: f64,
}

type Results = Vec<(&'static str, Outcome, Times)>;

/// Runs the suites, writes one line for each at the end, and says whether all is well. Where `CI` is `true`,
/// a suite that could not run is a failure.
pub(crate) fn run(suites: &[&'static Suite], options: &Options) -> bool {
    let strict = std::env::var("CI").is_ok_and(|value| value == "true");
    let results = match suites {
        [suite] => vec![run_here(suite, options)],
        _ => side_by_side(suites, options),
    };
    println!();
    let width = results.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    println!("{:<width$}  {:>8} {:>8} {:>8}", "suite", "compiles", "runs", "CPU");
    for (name, outcome, times) in &results {
        let runs = times.all.as_secs_f64() - times.compiling;
        let columns = [times.compiling, runs, times.cpu].map(|time| format!("{time:>6.1} s")).join(" ");
        println!("{name:<width$}  {columns}  {}", verdict(outcome));
    }
    cost::print();
    println!();
    sum_up(&results, strict)
}

/// Before the seconds of compiling and of the CPU, in what a suite writes.
const TOOK: &str = "-- seconds of compiling, and of CPU: ";

/// Runs one suite in this process.
fn run_here(suite: &'static Suite, options: &Options) -> (&'static str, Outcome, Times) {
    println!("\n== {}: {}", suite.name, suite.about);
    let _ = std::io::stdout().flush();
    let start = Instant::now();
    let outcome = match provide(suite) {
        Err(why) => Outcome::NotRun(why),
        Ok(()) => (suite.run)(options).map_or_else(Outcome::Failed, |()| Outcome::Passed),
    };
    let times = Times { all: start.elapsed(), compiling: cost::compiled(), cpu: cost::of_children() };
    println!("{TOOK}{:.2} {:.2}", times.compiling, times.cpu);
    println!("-- {}: {}", suite.name, verdict(&outcome));
    (suite.name, outcome, times)
}

fn provide(suite: &Suite) -> Result<(), String> {
    suite.needs.iter().try_for_each(|need| need.present())
}

/// What the workers share.
struct Queue {
    waiting: Vec<&'static Suite>,
    running: Vec<&'static Suite>,
    results: Results,
}

impl Queue {
    /// The first suite whose folders nobody builds in.
    fn next(&mut self) -> Option<&'static Suite> {
        let free = |suite: &&Suite| {
            self.running.iter().all(|other| suite.folders.iter().all(|f| !other.folders.contains(f)))
        };
        let suite = self.waiting.remove(self.waiting.iter().position(free)?);
        self.running.push(suite);
        Some(suite)
    }
}

/// Runs suites in processes of their own.
fn side_by_side(suites: &[&'static Suite], options: &Options) -> Results {
    cost::forget();
    let mut queue = Queue { waiting: Vec::new(), running: Vec::new(), results: Vec::new() };
    for suite in suites {
        match provide(suite) {
            Ok(()) => queue.waiting.push(suite),
            Err(why) => queue.results.push((suite.name, Outcome::NotRun(why), Times::default())),
        }
    }
    let (queue, ended) = (Mutex::new(queue), Condvar::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(suites.len());
    std::thread::scope(|scope| {
        (0..workers).for_each(|_| drop(scope.spawn(|| work(&queue, &ended, options))));
    });
    let mut results = queue.into_inner().expect("no worker panics").results;
    results.sort_by_key(|(name, ..)| suites.iter().position(|suite| suite.name == *name));
    results
}

/// One worker: takes suites until none is left.
fn work(queue: &Mutex<Queue>, ended: &Condvar, options: &Options) {
    let mut shared = queue.lock().expect("no worker panics");
    loop {
        if let Some(suite) = shared.next() {
            println!("{}: started; {} more to start", suite.name, shared.waiting.len());
            drop(shared);
            let start = Instant::now();
            let (outcome, times) = run_apart(suite, options);
            let times = Times { all: start.elapsed(), ..times };
            shared = queue.lock().expect("no worker panics");
            shared.running.retain(|other| other.name != suite.name);
            shared.results.push((suite.name, outcome, times));
            ended.notify_all();
        } else if shared.waiting.is_empty() {
            return;
        } else {
            shared = ended.wait(shared).expect("no worker panics");
        }
    }
}

/// Runs one suite in a process of its own, and shows what it wrote.
fn run_apart(suite: &Suite, options: &Options) -> (Outcome, Times) {
    let log = shell::target_dir().join("suites").join(suite.name).with_extension("log");
    let failed =
        |error: std::io::Error| (Outcome::Failed(format!("{}: {error}", log.display())), Times::default());
    let started = || {
        std::fs::create_dir_all(log.parent().expect("a file in a folder"))?;
        let out = File::create(&log)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["test", suite.name]).args(options.flags()).stdout(out.try_clone()?).stderr(out).status()
    };
    if let Err(error) = started() {
        return failed(error);
    }
    let text = match std::fs::read(&log) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return failed(error),
    };
    print!("{text}");
    let said = text
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("-- ")?.strip_prefix(suite.name)?.strip_prefix(": "));
    let outcome = match said {
        Some("passed") => Outcome::Passed,
        Some(said) => match said.split_once(": ") {
            Some(("not run here", why)) => Outcome::NotRun(why.to_string()),
            Some((_, why)) => Outcome::Failed(why.to_string()),
            None => Outcome::Failed(said.to_string()),
        },
        None => Outcome::Failed("it broke off".to_string()),
    };
    (outcome, times(&text))
}

/// What a suite says of its times.
fn times(text: &str) -> Times {
    let said = text.lines().rev().find_map(|line| line.strip_prefix(TOOK)).unwrap_or_default();
    let mut seconds = said.split(' ').map(|seconds| seconds.parse().unwrap_or(0.0));
    let mut next = || seconds.next().unwrap_or(0.0);
    Times { compiling: next(), cpu: next(), ..Times::default() }
}

fn verdict(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passed".to_string(),
        Outcome::Failed(why) => format!("failed: {}", why.lines().next().unwrap_or_default()),
        Outcome::NotRun(why) => format!("not run here: {why}"),
    }
}

fn sum_up(results: &[(&str, Outcome, Times)], strict: bool) -> bool {
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
