//! The Python package for interpreters without a global lock.
//!
//! Such an interpreter has objects of another layout and no stable interface, so that the module is compiled
//! for it alone. A file that tells the crate `pyo3` what such an interpreter is takes the interpreter's
//! place: types are checked as they are there, and nothing is linked or run. Where there is one, the suite
//! `python` builds a wheel for it with `--exhaustive`, and runs the tests with it.

use crate::suite::Verdict;
use crate::suites::python::{package, pip};
use crate::{cost, shell};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Interpreters by their names.
pub(super) const INTERPRETERS: [&str; 3] = ["python3.13t", "python3.14t", "python3.15t"];

/// The one for which the crate `pyo3` is no longer made: what it knows of its objects is still there.
const OLD: &str = "python3.13t";

/// What has the crate `pyo3` take it: for tests, and for no wheel that others get.
pub(super) fn taken(name: &str) -> Option<(&'static str, &'static str)> {
    (name == OLD).then_some(("UNSAFE_PYO3_SKIP_VERSION_CHECK", "1"))
}

/// The tests, in an environment that has the wheel. Not all that they take is there for the old interpreter:
/// it runs those of threads.
pub(super) fn tests(name: &str, python: &Path) -> Verdict {
    let requirements = package().join("tests/requirements.txt");
    let mut tests = Command::new(python);
    tests.args(["-m", "pytest", "-p", "no:cacheprovider"]);
    if name == OLD {
        let text = fs::read_to_string(&requirements);
        let text = text.map_err(|error| format!("{}: {error}", requirements.display()))?;
        let pytest = text.lines().find(|line| line.starts_with("pytest==")).ok_or("no version of pytest")?;
        pip(python, &[pytest])?;
        tests.arg("tests/test_free_threads.py");
    } else {
        pip(python, &["-r", &requirements.to_string_lossy()])?;
    }
    // Without it a package that asks for the lock has it back, for all that comes after.
    shell::run(tests.current_dir(package()).env("PYTHON_GIL", "0"))
}

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
