//! Each of our crates is compiled once in each build.
//!
//! Cargo compiles a crate again where its features, its flags or those of anything below it differ. The suite
//! asks for the unit graph of what the suites give to cargo in each build, and counts in how many forms it
//! has each of our libraries. (Where a crate's own unit tests are compiled into it, that is another program.)
//! The graph is an unstable output of cargo: the pinned nightly toolchain writes it.

use super::python;
use crate::builds::Build;
use crate::needs::NIGHTLY;
use crate::shell;
use crate::suite::{Options, Verdict};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// A unit with all below it, as text: two that differ in anything are different.
fn form(units: &[Value], at: usize, forms: &mut Vec<Option<String>>) -> String {
    if let Some(form) = &forms[at] {
        return form.clone();
    }
    let unit = &units[at];
    let parts =
        ["pkg_id", "target", "profile", "platform", "mode", "features"].map(|key| unit[key].to_string());
    let below = unit["dependencies"].as_array().into_iter().flatten();
    let mut below: Vec<String> = below
        .filter_map(|dependency| Some(form(units, dependency["index"].as_u64()? as usize, forms)))
        .collect();
    below.sort();
    let text = crate::suites::digest(format!("{parts:?} {below:?}").as_bytes());
    forms[at] = Some(text.clone());
    text
}

/// Our libraries in a graph, each with its form.
fn libraries(graph: &Value) -> Vec<(String, String)> {
    let units = graph["units"].as_array().map_or(&[][..], Vec::as_slice);
    let mut forms = vec![None; units.len()];
    let is_ours = |unit: &Value| unit["pkg_id"].as_str().is_some_and(|id| id.starts_with("path+"));
    let is_library = |unit: &Value| {
        let kinds = unit["target"]["kind"].as_array().into_iter().flatten();
        unit["mode"] == "build" && kinds.clone().any(|kind| kind == "lib")
    };
    let chosen = units.iter().enumerate().filter(|(_, unit)| is_ours(unit) && is_library(unit));
    let chosen: Vec<usize> = chosen.map(|(at, _)| at).collect();
    let name = |at: usize| units[at]["target"]["name"].as_str().unwrap_or_default().to_string();
    chosen.into_iter().map(|at| (name(at), form(units, at, &mut forms))).collect()
}

/// The crates that graphs have in more than one form.
fn repeated(graphs: &[Value]) -> Vec<String> {
    let mut forms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, form) in graphs.iter().flat_map(libraries) {
        forms.entry(name).or_default().insert(form);
    }
    let several = forms.into_iter().filter(|(_, forms)| forms.len() > 1);
    several.map(|(name, forms)| format!("{name}: {} forms", forms.len())).collect()
}

/// What the suites ask cargo for in a build. Which tests of these packages they name makes no difference to
/// the libraries.
fn commands(build: Build) -> Vec<Command> {
    let tests = build.cargo(if build == Build::Thumb { "build" } else { "test" });
    let module = (build == Build::Checked).then(python::module);
    std::iter::once(tests).chain(module).collect()
}

/// The graph of a command of cargo.
fn graph(command: &Command) -> Result<Value, String> {
    let args: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy()).collect();
    let args: Vec<_> = args.iter().map(AsRef::as_ref).collect();
    let mut cargo = shell::cargo_of(NIGHTLY, &args);
    cargo.args(["-Zunstable-options", "--unit-graph"]);
    for (name, value) in command.get_envs().filter(|(name, _)| *name != "RUSTC_WRAPPER") {
        match value {
            Some(value) => cargo.env(name, value),
            None => cargo.env_remove(name),
        };
    }
    serde_json::from_str(&shell::capture(&mut cargo)?).map_err(|error| format!("cargo's unit graph: {error}"))
}

/// The suite; first two sets of features of our crates, which must be told apart.
pub(crate) fn run(_: &Options) -> Verdict {
    let with = |features| graph(&shell::cargo(&["build", "--release", "-p", "ringsmith", features]));
    if repeated(&[with("--no-default-features")?, with("--all-features")?]).is_empty() {
        return Err("the crates of two sets of features were not told apart".to_string());
    }
    println!("sample of a crate that is compiled twice: caught");
    let mut bad = 0;
    for build in Build::ALL {
        let graphs = commands(build).iter().map(graph).collect::<Result<Vec<_>, _>>()?;
        let count = graphs.first().map_or(0, |graph| libraries(graph).len());
        println!("{}: {count} libraries of ours", build.name());
        let repeated = repeated(&graphs);
        repeated.iter().for_each(|what| println!("  {what}"));
        bad += repeated.len();
    }
    if bad == 0 { Ok(()) } else { Err(format!("{bad} crates are compiled more than once")) }
}
