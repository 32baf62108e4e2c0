//! Mutants of ML-DSA: each rule of its decoders and each bound is broken, one after the other, and published
//! vectors must fail. The table says which one does.
//!
//! The crate and what it takes keys from are copied into the folder of build outputs, and every mutant is put
//! into the copy: `original` becomes a choice between `original` and `mutated`, which an environment variable
//! makes. So all mutants are compiled at once, and the crate itself has no hooks for them. Where the text of
//! the crate changes, a mutant does not find its place, and that is an error.
//!
//! The vectors are the crate's test `ml_dsa_vectors`: Wycheproof's, and what `RINGSMITH_VECTORS` has beside
//! them.

use crate::cost::compiling;
use crate::shell;
use crate::suite::{Options, Verdict};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A rule that is broken.
struct Mutant {
    /// What is wrong with it.
    name: &'static str,
    /// The file.
    file: &'static str,
    /// What stands there, once.
    original: &'static str,
    /// What a mutant has in its place: an expression, as the original is one.
    mutated: &'static str,
}

/// A mutant of a file of the crate.
const fn mutant(
    name: &'static str,
    file: &'static str,
    original: &'static str,
    mutated: &'static str,
) -> Mutant {
    Mutant { name, file, original, mutated }
}

const CODEC: &str = "ml_dsa/src/codec.rs";
const ROUND: &str = "ml_dsa/src/round.rs";
const SCHEME: &str = "ml_dsa/src/scheme.rs";
const SIGN: &str = "ml_dsa/src/sign.rs";
const VERIFY: &str = "ml_dsa/src/verify.rs";
const SAMPLE: &str = "ml_dsa/src/sample/uniform.rs";
const FRAME: &str = "kem/src/signature/mod.rs";
const MESSAGE: &str = "kem/src/signature/message.rs";

/// All of them. Those of signing are killed by signatures that are made, the others by what is accepted.
const MUTANTS: &[Mutant] = &[
    // Decoding of hints.
    mutant("hints: positions in any order", CODEC, "of_row.is_sorted_by(|a, b| a < b)", "true"),
    mutant(
        "hints: a position twice",
        CODEC,
        "of_row.is_sorted_by(|a, b| a < b)",
        "of_row.is_sorted_by(|a, b| a <= b)",
    ),
    mutant(
        "hints: counts may fall",
        CODEC,
        "positions.get(from..usize::from(*to))",
        "positions.get(from.min(usize::from(*to))..usize::from(*to))",
    ),
    mutant(
        "hints: counts may exceed omega",
        CODEC,
        "positions.get(from..usize::from(*to))",
        "positions.get(from..usize::from(*to)).or(positions.get(from..))",
    ),
    mutant("hints: padding of any bytes", CODEC, "positions[from..].iter().all(|byte| *byte == 0)", "true"),
    // Use of hints.
    mutant(
        "UseHint: r0 = 0 goes up",
        ROUND,
        "s.shift_right32::<31>(s.sub32(low, one))",
        "s.shift_right32::<31>(low)",
    ),
    mutant(
        "UseHint: no wrap at the top",
        ROUND,
        "s.add_if_negative32(s.sub32(moved, parts), parts)",
        "moved",
    ),
    mutant(
        "UseHint: no wrap at zero",
        ROUND,
        "s.add_if_negative32(s.add32(high, by), parts)",
        "s.add32(high, by)",
    ),
    mutant(
        "Decompose: no case of q - 1",
        ROUND,
        "s.shift_right32::<31>(s.sub32(s.splat32(self.parts - 1), high))",
        "s.splat32(0)",
    ),
    // The bound of the response.
    mutant("verify: z of any size", VERIFY, "P::GAMMA1 - P::BETA", "P::GAMMA1 + 1"),
    mutant("verify: z = gamma1 - beta", VERIFY, "P::GAMMA1 - P::BETA", "P::GAMMA1 - P::BETA + 1"),
    mutant("verify: not z = gamma1 - beta - 1", VERIFY, "P::GAMMA1 - P::BETA", "P::GAMMA1 - P::BETA - 1"),
    mutant("verify: any challenge", VERIFY, "again == ctilde", "true"),
    mutant("verify: half of the challenge", VERIFY, "again == ctilde", "again[..16] == ctilde[..16]"),
    // The bounds of signing.
    mutant("sign: z = gamma1 - beta", SIGN, "P::GAMMA1 - P::BETA", "P::GAMMA1 - P::BETA + 1"),
    mutant("sign: not z = gamma1 - beta - 1", SIGN, "P::GAMMA1 - P::BETA", "P::GAMMA1 - P::BETA - 1"),
    mutant("sign: low part gamma2 - beta", SIGN, "P::GAMMA2 - P::BETA", "P::GAMMA2 - P::BETA + 1"),
    mutant("sign: not low part gamma2 - beta - 1", SIGN, "P::GAMMA2 - P::BETA", "P::GAMMA2 - P::BETA - 1"),
    mutant("sign: c t0 of any size", SIGN, "publish::rejected(Test::Product, exceeding)", "false"),
    mutant("sign: omega + 1 hints", SIGN, "P::OMEGA as i32 - total", "P::OMEGA as i32 + 1 - total"),
    mutant("sign: not omega hints", SIGN, "P::OMEGA as i32 - total", "P::OMEGA as i32 - 1 - total"),
    mutant("sign: no hint at -gamma2", ROUND, "s.add32(s.add32(x, gamma2), not_zero)", "s.add32(x, gamma2)"),
    // Sampling.
    mutant("matrix: q is accepted", SAMPLE, "s.splat32(Q)", "s.splat32(Q + 1)"),
    mutant("matrix: q - 1 is not", SAMPLE, "s.splat32(Q)", "s.splat32(Q - 1)"),
    // Private keys.
    mutant("key: a secret out of range", CODEC, "s.or(invalid, s.gt(least, x))", "invalid"),
    mutant("key: t0 is not compared", SCHEME, "differs |= of_t0", "()"),
    mutant("key: tr is not compared", SCHEME, "parts.tr.ct_ne(hash.as_slice()).to_u8()", "0"),
    // Lengths.
    mutant(
        "signature: bytes behind it",
        FRAME,
        "S::SignatureBytes::of(signature)",
        "S::SignatureBytes::of(&signature[..signature.len().min(S::SignatureBytes::LEN)])",
    ),
    mutant("context: 256 bytes", MESSAGE, "bytes.len() > u8::MAX as usize", "bytes.len() > 256"),
];

/// Functions that are no longer constant in the copy, because a mutant is chosen as they run.
const NOT_CONSTANT: &[(&str, &str)] = &[(MESSAGE, "const fn new(bytes")];

/// The crates that are copied.
const COPIED: [&str; 2] = ["kem", "ml_dsa"];
/// What says which mutant runs; none, where it is 0.
const VARIABLE: &str = "RINGSMITH_MUTANT";
/// The tests that must fail: published vectors, keys in files, and our own bad inputs.
const TESTS: [&str; 3] = ["ml_dsa_vectors", "files", "ml_dsa"];

/// What chooses, in each copied crate.
fn chooser() -> String {
    format!(
        "extern crate std;\n\
         static WHICH: std::sync::LazyLock<usize> = std::sync::LazyLock::new(|| {{\n    \
         std::env::var({VARIABLE:?}).ok().and_then(|text| text.parse().ok()).unwrap_or(0)\n}});\n\
         pub(crate) fn mutant() -> usize {{\n    *WHICH\n}}\n"
    )
}

/// A file with its mutants in it.
///
/// # Errors
/// Where one of them does not find its place.
fn mutated(file: &str, text: &str) -> Result<String, String> {
    // The crate's own unit tests stand in the way, and are not compiled.
    let mut text = text.split("#[cfg(test)]").next().unwrap_or_default().to_string();
    let once = |text: &str, what: &str| match text.matches(what).count() {
        1 => Ok(()),
        count => Err(format!("{file}: `{what}` stands there {count} times, and a mutant wants it once")),
    };
    for (_, function) in NOT_CONSTANT.iter().filter(|(of, _)| *of == file) {
        once(&text, function)?;
        text = text.replace(function, function.trim_start_matches("const "));
    }
    let here: Vec<_> = MUTANTS.iter().enumerate().filter(|(_, mutant)| mutant.file == file).collect();
    for (at, first) in &here {
        let same = here.iter().filter(|(_, mutant)| mutant.original == first.original);
        if same.clone().next().is_some_and(|(of, _)| of != at) {
            continue;
        }
        once(&text, first.original)?;
        let arms: String =
            same.map(|(i, mutant)| format!("{} => {{ {} }} ", i + 1, mutant.mutated)).collect();
        let choice = format!("(match crate::mutant::mutant() {{ {arms}_ => {{ {} }} }})", first.original);
        text = text.replace(first.original, &choice);
    }
    Ok(text)
}

/// Copies a folder, with the mutants of its files.
fn copy(from: &Path, to: &Path, name: &str) -> Verdict {
    let wrong = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(to).map_err(|error| wrong(to, error))?;
    for entry in fs::read_dir(from).map_err(|error| wrong(from, error))?.flatten() {
        let (path, file) = (entry.path(), entry.file_name());
        let name = format!("{name}/{}", file.to_string_lossy());
        if path.is_dir() {
            copy(&path, &to.join(&file), &name)?;
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|error| wrong(&path, error))?;
        let text = match name.ends_with("/src/lib.rs") {
            true => format!("{text}\nmod mutant;\n"),
            false if name.contains("/src/") => mutated(&name, &text)?,
            false => text,
        };
        fs::write(to.join(&file), text).map_err(|error| wrong(to, error))?;
    }
    Ok(())
}

/// A workspace of the copies; what they need beside them is where it was.
fn write(folder: &Path) -> Verdict {
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    let _ = fs::remove_dir_all(folder);
    let crates = shell::root().join("crates");
    for name in COPIED {
        copy(&crates.join(name), &folder.join(name), name)?;
        fs::write(folder.join(name).join("src/mutant.rs"), chooser()).map_err(wrong)?;
    }
    let manifest = fs::read_to_string(shell::root().join("Cargo.toml")).map_err(wrong)?;
    let members = "members = [\"crates/*\", \"xtask\"]";
    let manifest = manifest.replace(members, &format!("members = {COPIED:?}"));
    let manifest = manifest.replace("default-members = [\"crates/cli\"]\n", "");
    let outside = format!("path = \"{}/", crates.display());
    let manifest = COPIED.iter().fold(manifest.replace("path = \"crates/", &outside), |text, name| {
        text.replace(&format!("{outside}{name}\""), &format!("path = \"{name}\""))
    });
    fs::write(folder.join("Cargo.toml"), manifest).map_err(wrong)?;
    fs::copy(shell::root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(wrong)?;
    Ok(())
}

/// Compiles the tests, and returns where they are.
fn build(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut cargo = shell::cargo(&["test", "--release", "--no-run", "--message-format=json", "-p"]);
    cargo.arg("ringsmith-ml-dsa").args(TESTS.iter().flat_map(|test| ["--test", test]));
    cargo.current_dir(folder).env("CARGO_TARGET_DIR", shell::target_dir().join("mutants-built"));
    cargo.env("RUSTFLAGS", "--cfg ringsmith_internals");
    let messages = compiling(|| shell::capture(&mut cargo))?;
    let of = |test: &str| {
        let name = format!("\"name\":\"{test}\"");
        let line =
            messages.lines().find(|line| line.contains(&name) && line.contains("\"executable\":\""))?;
        let path = line.split("\"executable\":\"").nth(1)?.split('"').next()?;
        Some(PathBuf::from(path))
    };
    TESTS.iter().map(|test| of(test).ok_or(format!("cargo does not say where `{test}` is"))).collect()
}

/// What fails with a mutant: of each test that does, the case.
fn failing(program: &Path, folder: &Path, mutant: usize) -> Result<Vec<String>, String> {
    let mut test = Command::new(program);
    test.env(VARIABLE, mutant.to_string()).env("RINGSMITH_CPU", backend());
    let finished = shell::finish(test.current_dir(folder.join("ml_dsa")))?;
    let case = |line: &str| line.strip_prefix("failed: ").map(str::to_string);
    let test = |line: &str| line.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(str::to_string);
    let (cases, tests): (Vec<_>, Vec<_>) = (
        finished.stdout.lines().filter_map(case).collect(),
        finished.stdout.lines().filter_map(test).collect(),
    );
    match (finished.code == Some(0), cases.is_empty()) {
        (true, _) => Ok(Vec::new()),
        (false, false) => Ok(cases),
        (false, true) if !tests.is_empty() => Ok(tests),
        (false, true) => Err(format!("{}: {}", program.display(), finished.stderr)),
    }
}

/// One backend: which one makes no difference to rules.
fn backend() -> &'static str {
    super::workspace::backends_here().last().copied().unwrap_or("scalar")
}

/// The suite: the table.
pub(crate) fn run(_: &Options) -> Verdict {
    let folder = shell::target_dir().join("mutants");
    write(&folder)?;
    let programs = build(&folder)?;
    let all = |mutant: usize| -> Result<Vec<String>, String> {
        for program in &programs {
            match failing(program, &folder, mutant)? {
                nothing if nothing.is_empty() => {}
                cases => return Ok(cases),
            }
        }
        Ok(Vec::new())
    };
    if let [first, ..] = &all(0)?[..] {
        return Err(format!("without a mutant, too: {first}"));
    }
    let mut alive = Vec::new();
    for (i, mutant) in MUTANTS.iter().enumerate() {
        let cases = all(i + 1)?;
        let more = if cases.len() > 1 { ", and others" } else { "" };
        println!("{:<38} {}{more}", mutant.name, cases.first().map_or("nothing", String::as_str));
        alive.extend(cases.is_empty().then_some(mutant.name));
    }
    if alive.is_empty() { Ok(()) } else { Err(format!("no vector sees: {}", alive.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: every mutant finds its place in the sources as they are.
    #[test]
    fn every_mutant_has_a_place() {
        for mutant in MUTANTS {
            let text = fs::read_to_string(shell::root().join("crates").join(mutant.file)).expect("a file");
            mutated(mutant.file, &text).expect("places");
        }
    }

    /// Protects: a mutant whose place is gone is an error.
    #[test]
    fn a_place_that_is_gone() {
        assert!(mutated(MESSAGE, "pub const fn new(bytes: u8) {}").is_err());
    }
}
