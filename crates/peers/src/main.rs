//! The program of the benchmarks, with other libraries beside ours; `cargo xtask bench --peers` builds and
//! runs it.
#![forbid(unsafe_code)]

use ringsmith_peers::PEERS;
use std::process::ExitCode;

fn main() -> ExitCode {
    ringsmith_bench::tool::main(&PEERS)
}
