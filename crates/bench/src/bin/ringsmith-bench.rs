//! Measures the schemes, the hash and every route of every ring on each CPU; writes the table, the rows, the
//! page.
#![forbid(unsafe_code)]

use ringsmith_bench::peers::Peers;
use std::process::ExitCode;

fn main() -> ExitCode {
    ringsmith_bench::tool::main(&Peers::NONE)
}
