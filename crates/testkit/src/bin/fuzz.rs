//! A target of [`ringsmith_testkit::fuzz`] in libFuzzer; `RINGSMITH_FUZZ` names it. `cargo xtask fuzz` builds
//! and runs this.
#![no_main]

use libfuzzer_sys::fuzz_target;
use ringsmith_testkit::fuzz::{Target, by_name};
use std::sync::LazyLock;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("RINGSMITH_FUZZ").unwrap_or_default();
    by_name(&name).unwrap_or_else(|| panic!("RINGSMITH_FUZZ={name:?} names no target"))
});

fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));
