//! Results: a line for people, and a line of JSON for the report.

use crate::Failure;
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

/// Where results go: to the standard output, and to the end of a file, a line of JSON each.
pub struct Results(pub Option<PathBuf>);

impl Results {
    /// Tells a result.
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn tell(&self, result: &Value) -> Result<(), Failure> {
        println!("{result}");
        let Some(path) = &self.0 else { return Ok(()) };
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(format!("{result}\n").as_bytes())?;
        Ok(())
    }
}
