//! Transforms in which a lane would overflow must not compile.
//!
//! What proofs are worth is tested elsewhere (`crates/ring/tests/plans.rs`: without any one reduction of a
//! plan they fail). This is about the compiler: each case is a program of a throw-away package, whose check
//! must report an overflow. Moduli are too large for any plan. A program of moduli that are not must compile.

use crate::cost::compiling;
use crate::shell::{self, Finished};
use crate::suite::{Options, Verdict};
use std::fs;
use std::path::{Path, PathBuf};

/// Proofs that hold.
const HOLDING: [&str; 9] = [
    "ntt::Ntt::<12289, 64, 1>::PROOF",
    "ntt::Ntt::<15361, 64, 2>::PROOF",
    "incomplete::Incomplete::<3457, 48, 6, HalfTrinomial, ByKaratsuba>::PROOF",
    "rows::RowTransform::<12289, 64>::PROOF",
    "rows::RowsCyclic::<Odd<7879>, 80, 156, 234>::PROOF",
    "rader::Rader::<4591, 48>::PROOF",
    "k_red::KRedTransform::<12289, 64, 128, ByAnalysis>::PROOF",
    "words::WordNtt::<8380417, 32>::PROOF",
    "words::WordNtt::<8380417, 32>::prove_inverse(Bound::symmetric(8380417))",
];

/// Those of the same algorithms that don't.
const OVERFLOWING: [&str; 9] = [
    "ntt::Ntt::<32257, 16, 1>::PROOF",
    "ntt::Ntt::<32257, 16, 2>::PROOF",
    "incomplete::Incomplete::<32257, 32, 4, Negacyclic, ByKaratsuba>::PROOF",
    "rows::RowTransform::<32257, 16>::PROOF",
    "rows::RowsCyclic::<Odd<32257>, 60, 126, 210>::PROOF",
    "rader::Rader::<29173, 48>::PROOF",
    "k_red::KRedTransform::<65537, 16, 32, ByAnalysis>::PROOF",
    // A ninth layer; and products of more than q.
    "words::WordNtt::<8380417, 64>::PROOF",
    "words::WordNtt::<8380417, 32>::prove_inverse(Bound::symmetric(8380418))",
];

/// What programs begin with.
const HEADER: &str = "\
#![allow(long_running_const_eval, unused_imports)]
use ringsmith_ring::{
    algorithm::{incomplete::*, k_red::*},
    bound::Bound,
    residues::*,
};
";

/// A program of the package for each case, and their names.
fn programs() -> Vec<(String, Vec<&'static str>)> {
    let overflowing = OVERFLOWING.iter().enumerate();
    let cases = overflowing.map(|(i, proof)| (format!("overflow-{i}"), vec![*proof]));
    [("control".to_string(), HOLDING.to_vec())].into_iter().chain(cases).collect()
}

/// Writes the package.
fn write(dir: &Path) -> std::io::Result<()> {
    let _ = fs::remove_dir_all(dir.join("src"));
    fs::create_dir_all(dir.join("src/bin"))?;
    let ring = shell::root().join("crates/ring");
    let manifest = format!(
        "[package]\nname = \"bound-cases\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\nringsmith-ring = {{ path = {ring:?} }}\n"
    );
    fs::write(dir.join("Cargo.toml"), manifest)?;
    fs::copy(shell::root().join("Cargo.lock"), dir.join("Cargo.lock"))?;
    for (name, proofs) in programs() {
        let line = |proof| format!("const _: () = ringsmith_ring::algorithm::{proof};\n");
        let lines: String = proofs.into_iter().map(line).collect();
        let text = format!("{HEADER}{lines}fn main() {{}}\n");
        fs::write(dir.join(format!("src/bin/{name}.rs")), text)?;
    }
    Ok(())
}

/// Whether the compiler reports an overflow in a constant (E0080).
fn overflows(check: &Finished) -> bool {
    let of =
        |message: &str| message.contains("\"code\":\"E0080\"") && message.contains("panicked: overflow:");
    check.code != Some(0) && check.stdout.lines().any(of)
}

/// The suite.
pub(crate) fn run(_: &Options) -> Verdict {
    let dir: PathBuf = shell::target_dir().join("bounds");
    write(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    for (name, proofs) in programs() {
        let mut check = shell::cargo(&["check", "--message-format=json", "--bin", &name]);
        check.current_dir(&dir).env("CARGO_TARGET_DIR", dir.join("target"));
        let check = compiling(|| shell::finish(&mut check))?;
        let (right, said) = match name.as_str() {
            "control" => (check.code == Some(0), "proofs hold"),
            _ => (overflows(&check), "an overflow is reported"),
        };
        if !right {
            return Err(format!("{}: not so: {said}; cargo said:\n{}", proofs.join(", "), check.stderr));
        }
        println!("{}: {said}", proofs.join(", "));
    }
    Ok(())
}
