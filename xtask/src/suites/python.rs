//! The suite `python`: the Python package, in an environment of its own.
//!
//! Its module is that of the build for this machine, so that nothing but it is compiled. With `--exhaustive`
//! the wheel is built as users build it, and installed for every interpreter that the machine has.

use crate::builds::Build;
use crate::suite::{Options, Verdict};
use crate::suites::free_threaded;
use crate::{cost, shell};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What takes its time to be installed: a scheduler, and a package that products are compared with.
const SLOW: [&str; 2] = ["ray==2.60.0", "galois==0.4.11"];

/// The package's folder.
pub(super) fn package() -> PathBuf {
    shell::root().join("crates/python")
}

/// Where environments are.
fn place() -> PathBuf {
    shell::target_dir().join("python")
}

/// The tests, and with `--exhaustive` the wheel.
pub(crate) fn run(options: &Options) -> Verdict {
    let python = installed()?;
    if options.exhaustive {
        pip(&python, &SLOW)?;
    }
    let mut tests = Command::new(&python);
    tests.args(["-m", "pytest", "-p", "no:cacheprovider"]).args(options.exhaustive.then_some("--exhaustive"));
    // The command, whose sentences the package has.
    tests.env("RINGSMITH_COMMAND", Build::Checked.programs().join("ringsmith"));
    shell::run(tests.current_dir(package()).env("RINGSMITH_PYTHON_SUITE", "1"))?;
    free_threaded::run()?;
    if options.exhaustive { wheels() } else { Ok(()) }
}

/// The interpreter of an environment that has the package, as it is now, and what its tests take. Nothing is
/// compiled or installed that is there.
///
/// # Errors
/// Where something can't be compiled or installed.
pub(crate) fn installed() -> Result<PathBuf, String> {
    let python = environment(Path::new("python3"), &place().join("tests"))?;
    pip(&python, &["-r", &package().join("tests/requirements.txt").to_string_lossy()])?;
    cost::compiling(|| shell::run(&mut module()))?;
    lay_out(&site(&python)?.join("ringsmith"))?;
    Ok(python)
}

/// What compiles the module. With a test among what is asked for, features are those that all suites have,
/// and libraries are shared with them.
pub(crate) fn module() -> Command {
    let mut cargo = Build::Checked.cargo("build");
    cargo.args(["--lib", "--test", "recorded"]);
    cargo
}

/// The interpreter of an environment, which is made if it is missing.
///
/// # Errors
/// Where it can't be made.
pub(crate) fn environment(of: &Path, folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("bin/python");
    if !python.exists() {
        shell::run(Command::new(of).args(["-m", "venv"]).arg(folder))?;
    }
    Ok(python)
}

/// Installs packages into the environment of an interpreter.
///
/// # Errors
/// Where one can't be had.
pub(crate) fn pip(python: &Path, what: &[&str]) -> Verdict {
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    shell::run(Command::new(python).args(install).args(what))
}

/// Where an environment has its packages.
fn site(python: &Path) -> Result<PathBuf, String> {
    let path = "import sysconfig; print(sysconfig.get_path('platlib'))";
    Ok(shell::capture(Command::new(python).args(["-c", path]))?.trim().into())
}

/// Puts the package where an environment looks for it, as a wheel does.
fn lay_out(to: &Path) -> Verdict {
    let failed = |error| format!("{}: {error}", to.display());
    if to.exists() {
        fs::remove_dir_all(to).map_err(failed)?;
    }
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(package().join("python/ringsmith")).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_type().map_err(failed)?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).map_err(failed)?;
        }
    }
    let module = Build::Checked.programs().join("lib_ringsmith.so");
    fs::copy(&module, to.join("_ringsmith.abi3.so"))
        .map_err(|error| format!("{}: {error}", module.display()))?;
    Ok(())
}

/// Interpreters by their names; those [without a global lock](free_threaded) take wheels of their own.
const INTERPRETERS: [&str; 5] = ["python3.11", "python3.12", "python3.13", "python3.14", "python3.15"];

/// An interpreter of a name that runs: of the search path, or else of the versions that pyenv installed.
fn interpreter(name: &str) -> Option<PathBuf> {
    let runs =
        |path: &PathBuf| Command::new(path).args(["-c", ""]).output().is_ok_and(|it| it.status.success());
    let home = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let home = home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".pyenv")));
    let versions = home.and_then(|home| fs::read_dir(home.join("versions")).ok()).into_iter().flatten();
    let installed = versions.flatten().map(|version| version.path().join("bin").join(name));
    shell::program(name).into_iter().chain(installed).find(runs)
}

/// The most bytes of a wheel.
const WHEEL: u64 = 8_000_000;

/// The package in a clean environment of each interpreter that is there.
fn wheels() -> Verdict {
    for name in INTERPRETERS.into_iter().chain(free_threaded::INTERPRETERS) {
        let Some(interpreter) = interpreter(name) else {
            println!("python: {name} is not on this machine; its wheel was not tried");
            continue;
        };
        let python = wheel(name, &interpreter)?;
        if free_threaded::INTERPRETERS.contains(&name) {
            free_threaded::tests(name, &python)?;
        }
    }
    Ok(())
}

/// `pip install ./crates/python` in a new environment, a product, and what the wheel weighs; the
/// environment's interpreter.
fn wheel(name: &str, interpreter: &Path) -> Result<PathBuf, String> {
    const PRODUCT: &str = "from importlib.metadata import version\n\
        from ringsmith import Ring, __version__\n\
        assert __version__ == version('ringsmith')\n\
        ring = Ring('Z_4591[x]/(x^761-x-1)')\n\
        assert ring.inverse(ring.inverse(ring.x.coefficients)).tolist() == ring.x.coefficients.tolist()";
    let folder = place().join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let (python, wheels) = (environment(interpreter, &folder)?, folder.join("wheels"));
    let from_package = |how: &[&str]| {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "--disable-pip-version-check"]).args(how).arg(package());
        pip.envs(free_threaded::taken(name));
        shell::run(pip.env("CARGO_TARGET_DIR", place().join("wheel")))
    };
    from_package(&["install"])?;
    shell::run(Command::new(&python).args(["-c", PRODUCT]).current_dir(&folder))?;
    from_package(&["wheel", "--no-deps", "--wheel-dir", &wheels.to_string_lossy()])?;
    light(&wheels)?;
    Ok(python)
}

/// Refuses a wheel that is too large; pip made one.
fn light(folder: &Path) -> Verdict {
    let failed = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let bytes = entry.and_then(|entry| entry.metadata()).map_err(failed)?.len();
        println!("python: a wheel of {bytes} bytes");
        if bytes > WHEEL {
            return Err(format!(
                "{}: a wheel of {bytes} bytes, where {WHEEL} are the most",
                folder.display()
            ));
        }
    }
    Ok(())
}
