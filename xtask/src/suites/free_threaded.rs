//! The Python package for interpreters without a global lock, as far as it goes where there is none.
//!
//! Such an interpreter has objects of another layout and no stable interface, so that the module is compiled
//! for it alone. A file that tells the crate `pyo3` what such an interpreter is takes the interpreter's
//! place: types are checked as they are there, and nothing is linked or run. Where there is one, the suite
//! `python` builds a wheel for it with `--exhaustive`.

use crate::suite::Verdict;
use crate::{cost, shell};
use std::fs;

/// What `pyo3` asks an interpreter, as 3.14t of Linux answers.
const INTERPRETER: &str = "\
implementation=CPython
version=3.14
shared=true
target_abi=CPython-free_threaded-3.14
pointer_width=64
build_flags=Py_GIL_DISABLED
suppress_build_script_link_lines=true
";

/// Checks the module's types; that `Py_GIL_DISABLED` is said to the compiler is looked for.
pub(super) fn run() -> Verdict {
    let folder = shell::target_dir().join("free-threaded");
    let answers = folder.join("interpreter.txt");
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&answers, INTERPRETER));
    written.map_err(|error| format!("{}: {error}", answers.display()))?;
    let mut check =
        shell::cargo(&["check", "-p", "ringsmith-python", "--message-format", "json-render-diagnostics"]);
    check.env("CARGO_TARGET_DIR", &folder).env("PYO3_CONFIG_FILE", &answers);
    let said = cost::compiling(|| shell::capture(&mut check))?;
    match said.lines().any(|line| line.contains("pyo3") && line.contains("\"Py_GIL_DISABLED\"")) {
        true => Ok(()),
        false => Err("the module was checked, but not for an interpreter without a global lock".into()),
    }
}
