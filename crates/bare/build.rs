//! Where the program lies in the memory of the board.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=memory.x");
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "none") {
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
        fs::copy("memory.x", out.join("memory.x")).expect("the folder can be written");
        println!("cargo::rustc-link-search={}", out.display());
        // The linker script of cortex-m-rt, which reads the other one.
        println!("cargo::rustc-link-arg-bins=-Tlink.x");
    }
}
