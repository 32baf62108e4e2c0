//! The seed of a test that draws other inputs in each run.

use std::fmt;
use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// Names the seed in the environment.
const VARIABLE: &str = "RINGSMITH_SEED";

/// The seed of a test that draws other inputs in each run: of the time, or the one that the variable
/// `RINGSMITH_SEED` gives. It is shown where the test begins, and again where it fails, with the command that
/// draws the same inputs once more.
pub struct Seed {
    value: u64,
    /// What runs the test alone.
    command: &'static str,
}

impl Seed {
    /// A seed, shown on standard error. (The test harness keeps what a test prints, but not what it writes.)
    ///
    /// # Panics
    /// Where the variable holds no number below `2^64`.
    ///
    /// ```
    /// use ringsmith_probe::Seed;
    ///
    /// let seed = Seed::new("cargo test -p ringsmith-any --test products random_rings");
    /// assert!(seed.to_string().ends_with(" --test products random_rings"));
    /// ```
    pub fn new(command: &'static str) -> Self {
        let seed = Seed { value: given().unwrap_or_else(of_the_time), command };
        // Where it cannot be shown, a test that fails still says it.
        let _ = writeln!(std::io::stderr(), "seed: {seed}");
        seed
    }

    /// The number.
    pub fn value(&self) -> u64 {
        self.value
    }
}

/// The seed of the environment.
fn given() -> Option<u64> {
    let text = std::env::var(VARIABLE).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{VARIABLE}={text:?} is no number below 2^64")))
}

fn of_the_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}

/// The command that draws the same once more.
impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{VARIABLE}={} {}", self.value, self.command)
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the same inputs once more: {self}");
        }
    }
}
