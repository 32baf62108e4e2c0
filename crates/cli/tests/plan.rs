//! `ringsmith plan`: the user's cache of costs.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use support::{directory, ringsmith};

const RING: &str = "Z_4591[x]/(x^100-x-1)";

/// A run with a cache in this place.
fn plan(dir: &Path, cache: &Path, args: &[&str]) -> Output {
    let args = [&["plan", RING], args].concat();
    let output = ringsmith(dir, &args).env("XDG_CACHE_HOME", cache).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// What a run says of its costs, and its warnings.
fn said(output: &Output) -> (String, String) {
    let [out, warnings] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8(text.clone()).unwrap());
    (out.lines().find(|line| line.starts_with("backend")).unwrap().into(), warnings)
}

/// The only file of a cache.
fn only_file(cache: &Path) -> PathBuf {
    let files: Vec<_> =
        fs::read_dir(cache.join("ringsmith")).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

/// Protects: costs are fitted, kept and used again; a file that is damaged, foreign or none is left out with
/// a line, and the next measurement mends it.
#[test]
fn costs_are_kept() {
    let dir = directory("plan_costs_are_kept");
    let cache = dir.join("cache");
    let measured = plan(&dir, &cache, &["--measure"]);
    let (costs, warnings) = said(&measured);
    assert!(costs.contains("fitted now"), "{costs}");
    assert_eq!(warnings, "");
    let text = String::from_utf8(measured.stdout).unwrap();
    let chosen = text.lines().find(|line| line.starts_with("chosen")).unwrap();
    assert!(!chosen.contains("  -  "), "a time stands there: {chosen}");
    let (costs, warnings) = said(&plan(&dir, &cache, &[]));
    assert!(costs.contains("from the cache"), "{costs}");
    assert_eq!(warnings, "");

    let file = only_file(&cache);
    let good = fs::read_to_string(&file).unwrap();
    let damages = [
        (good[..good.len() / 2].to_string(), "it is damaged"),
        (good.replace("product ", "product -1"), "it is damaged"),
        (good.replace("cpu ", "cpu other "), "another version or another machine"),
        (good.replace("costs 3", "costs 2"), "another version or another machine"),
        (String::new(), "another version or another machine"),
    ];
    for (text, why) in damages {
        fs::write(&file, &text).unwrap();
        let (costs, warnings) = said(&plan(&dir, &cache, &[]));
        assert!(costs.contains("as shipped"), "{costs}");
        assert_eq!(warnings.lines().count(), 1, "{warnings}");
        assert!(warnings.contains(why), "{warnings}");
    }
    fs::write(&file, [0xff; 100]).unwrap();
    let (costs, warnings) = said(&plan(&dir, &cache, &[]));
    assert!(costs.contains("as shipped") && warnings.lines().count() == 1, "{costs} {warnings}");
    plan(&dir, &cache, &["--measure"]);
    assert!(said(&plan(&dir, &cache, &[])).0.contains("from the cache"));
}

/// Protects: a cache that can't be written is no failure: the figures come, and a line says why they are not
/// kept. So for a cache below a file, where nobody can write, and for none.
#[test]
fn a_cache_that_cannot_be_written() {
    let dir = directory("plan_a_cache_that_cannot_be_written");
    fs::write(dir.join("file"), "").unwrap();
    let (costs, warnings) = said(&plan(&dir, &dir.join("file/cache"), &["--measure"]));
    assert!(costs.contains("fitted now"), "{costs}");
    assert_eq!(warnings.lines().count(), 1, "{warnings}");
    assert!(warnings.contains("warning: the costs are not kept in "), "{warnings}");
    let mut command = ringsmith(&dir, &["plan", "--measure", RING]);
    let output = command.env_remove("XDG_CACHE_HOME").env_remove("HOME").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(said(&output).1.contains("neither XDG_CACHE_HOME nor HOME"));
}

/// Protects: products are the same whatever costs a cache has.
#[test]
fn products_by_any_costs() {
    let dir = directory("plan_products_by_any_costs");
    let cache = dir.join("cache");
    plan(&dir, &cache, &["--measure"]);
    let polynomial: String = (0..100).map(|i| format!("{} ", i * 37 % 4591)).collect();
    fs::write(dir.join("a.txt"), polynomial + "\n").unwrap();
    let product = || {
        let args = ["multiply", "--check", "--ring", RING, "a.txt", "a.txt"];
        let output = ringsmith(&dir, &args).env("XDG_CACHE_HOME", &cache).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        output.stdout
    };
    let by_measured = product();
    let file = only_file(&cache);
    let text = fs::read_to_string(&file).unwrap();
    let free = |line: &str| if line.starts_with("square ") { "square 0".into() } else { line.to_string() };
    fs::write(&file, text.lines().map(|line| free(line) + "\n").collect::<String>()).unwrap();
    assert_eq!(product(), by_measured, "by the definition");
}

/// Protects: the picture of the methods is a file of its own, and an old file is safe.
#[test]
fn picture() {
    let dir = directory("plan_picture");
    let args = ["plan", RING, "--svg", "plan.svg"];
    assert!(ringsmith(&dir, &args).output().unwrap().status.success());
    let picture = fs::read_to_string(dir.join("plan.svg")).unwrap();
    assert!(
        picture.starts_with("<svg") && picture.contains(RING) && picture.contains("predicted"),
        "{picture}"
    );
    let again = ringsmith(&dir, &args).output().unwrap();
    assert_eq!(support::one_error(&again, 2), "ringsmith: plan.svg exists already, and is not overwritten");
    assert_eq!(fs::read_to_string(dir.join("plan.svg")).unwrap(), picture);
}
