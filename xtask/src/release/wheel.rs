//! The wheel of the Python package, for every CPython from 3.11 on, by maturin as pip calls it.

use super::{Release, binaries, copy, empty, files};
use crate::shell::{root, run};
use crate::suite::Verdict;
use crate::suites::python::environment;
use std::path::Path;
use std::process::Command;

/// The wheel for this machine. pip fetches maturin, so this part needs the network or a folder of wheels.
pub(super) fn make(release: &Release) -> Verdict {
    let place = binaries::builds().join("wheel");
    empty(&place)?;
    let python = environment(Path::new("python3"), &binaries::builds().join("python"))?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "--no-cache-dir"]);
    pip.arg("--wheel-dir").arg(&place).arg(root().join("crates/python"));
    pip.env("CARGO_TARGET_DIR", binaries::builds()).env("CARGO_ENCODED_RUSTFLAGS", binaries::flags(&[])?);
    // The oldest system that the wheel runs on is in its name; PyPI takes no other wheels.
    pip.env("MATURIN_PEP517_ARGS", "--compatibility pypi");
    run(release.timed(&mut pip))?;
    files(&place)?
        .iter()
        .try_for_each(|wheel| copy(wheel, &release.folder.join(wheel.file_name().unwrap_or_default())))
}
