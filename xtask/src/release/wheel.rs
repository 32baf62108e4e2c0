//! The wheels of the Python package, for every CPython from 3.11 on, by maturin as pip calls it.

use super::{CC_ELSEWHERE, Release, binaries, copy, empty, files};
use crate::shell::{root, run};
use crate::suite::Verdict;
use crate::suites::python::environment;
use binaries::Platform;
use std::path::Path;
use std::process::Command;

/// A wheel for each machine. pip fetches maturin, so this part needs the network or a folder of wheels.
pub(super) fn make(release: &Release) -> Verdict {
    let python = environment(Path::new("python3"), &binaries::builds().join("python"))?;
    release.platforms.iter().try_for_each(|platform| wheel(release, &python, platform))
}

/// The wheel for a machine. The module is linked by the C compiler for it, and needs no Python of it.
fn wheel(release: &Release, python: &Path, platform: &Platform) -> Verdict {
    let place = binaries::builds().join("wheels").join(platform.wheel);
    empty(&place)?;
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "--no-cache-dir"]);
    pip.arg("--wheel-dir").arg(&place).arg(root().join("crates/python"));
    pip.env("CARGO_TARGET_DIR", binaries::builds()).env("CARGO_ENCODED_RUSTFLAGS", binaries::flags(&[])?);
    // The oldest system that the wheel runs on is in its name; PyPI takes no other wheels.
    pip.env("MATURIN_PEP517_ARGS", format!("--compatibility pypi --target {}", platform.wheel));
    if platform.arch != std::env::consts::ARCH {
        let target = platform.wheel.replace('-', "_").to_uppercase();
        pip.env(format!("CARGO_TARGET_{target}_LINKER"), CC_ELSEWHERE.0);
    }
    run(release.timed(&mut pip))?;
    files(&place)?
        .iter()
        .try_for_each(|wheel| copy(wheel, &release.folder.join(wheel.file_name().unwrap_or_default())))
}
