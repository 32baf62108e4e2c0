//! Running programs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Where build outputs go: `target`, or what `CARGO_TARGET_DIR` says.
pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// A cargo command in the root of the workspace.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(args).current_dir(root());
    command
}

/// A cargo command of another toolchain.
pub(crate) fn cargo_of(toolchain: &str, args: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", toolchain, "cargo"]).args(args).current_dir(root());
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("RUSTC").env_remove("CARGO");
    command
}

/// A command as text.
pub(crate) fn display(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Runs a command; its output goes to the terminal.
///
/// # Errors
/// Where it can't be started or fails.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let shown = display(command);
    println!("$ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}`: {status}")),
        Err(error) => Err(format!("`{shown}`: {error}")),
    }
}

/// What a finished command wrote, and whether it succeeded.
pub(crate) struct Finished {
    /// The exit code; none where a signal ended it.
    pub(crate) code: Option<i32>,
    /// What it wrote to the standard output.
    pub(crate) stdout: String,
    /// What it wrote to the standard error.
    pub(crate) stderr: String,
}

/// Runs a command to its end and keeps its output.
///
/// # Errors
/// Where it can't be started.
pub(crate) fn finish(command: &mut Command) -> Result<Finished, String> {
    let output = command.output().map_err(|error| format!("`{}`: {error}", display(command)))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Finished { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) })
}

/// The standard output of a command that succeeds.
///
/// # Errors
/// Where it can't be started or fails; with what it wrote to the standard error.
pub(crate) fn capture(command: &mut Command) -> Result<String, String> {
    let finished = finish(command)?;
    match finished.code {
        Some(0) => Ok(finished.stdout),
        code => Err(format!("`{}`: exit code {code:?}\n{}", display(command), finished.stderr)),
    }
}

/// Where a program is in the search path.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}
