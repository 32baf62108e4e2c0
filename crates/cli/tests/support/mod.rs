//! Running the command in a directory of its own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The CPU backend that every machine of the target has.
#[allow(dead_code, reason = "not every test names one")]
pub(crate) const BASELINE: &str = match () {
    () if cfg!(target_arch = "x86_64") => "sse2",
    () if cfg!(target_arch = "aarch64") => "neon",
    () => "scalar",
};

/// No directory: the user's own cache of costs is none of a test's business.
#[allow(dead_code, reason = "not every test runs the command itself")]
pub(crate) const NO_CACHE: &str = "/nonexistent";

/// The command with these arguments, in this directory, on the machine's best CPU.
pub(crate) fn ringsmith(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringsmith"));
    command.current_dir(dir).args(args).env_remove("RINGSMITH_CPU").stdin(Stdio::null());
    command.env("XDG_CACHE_HOME", NO_CACHE);
    command
}

/// An empty directory of this test's own.
pub(crate) fn directory(test: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir
}

#[allow(dead_code, reason = "not every test asks")]
/// What the directory holds, hidden files too.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[allow(dead_code, reason = "not every test asks")]
/// What `ringsmith inspect` says of a file.
pub(crate) fn inspect(dir: &Path, args: &[&str]) -> String {
    let output = ringsmith(dir, &[&["inspect"], args].concat()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[allow(dead_code, reason = "not every test asks")]
/// Asserts an exit code and exactly one line on standard error, and returns the line.
pub(crate) fn one_error(output: &Output, code: i32) -> String {
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.starts_with("ringsmith: ") && stderr.ends_with('\n'), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr.trim_end().into()
}

/// What a command wrote, without its warnings.
#[allow(dead_code, reason = "not every test warns")]
pub(crate) fn unwarned(mut output: Output) -> Output {
    let stderr = String::from_utf8(output.stderr).unwrap();
    let said = stderr.split_inclusive('\n').filter(|line| !line.starts_with("ringsmith: warning: "));
    output.stderr = said.collect::<String>().into_bytes();
    output
}

/// Asserts that a command says so where its output does not fit, beside its warnings.
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "not every test asks")]
pub(crate) fn refuses_a_full_disk(dir: &Path, args: &[&str]) {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = ringsmith(dir, args).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let output = unwarned(output);
    assert_eq!(one_error(&output, 2), "ringsmith: cannot write standard output: no space left", "{args:?}");
}

/// Gives the command something to read on its standard input.
#[allow(dead_code, reason = "not every test has an input")]
pub(crate) fn piped(dir: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = ringsmith(dir, args);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    let writer = std::thread::spawn(move || _ = stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}
