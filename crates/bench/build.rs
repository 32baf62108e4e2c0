//! Records the compiler's version: it is part of every figure.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = env::var_os("RUSTC")
        .and_then(|rustc| Command::new(rustc).arg("--version").output().ok())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_else(|| "rustc of an unknown version".into());
    println!("cargo::rustc-env=RINGSMITH_RUSTC={}", version.trim());
}
