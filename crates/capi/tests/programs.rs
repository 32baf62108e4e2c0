//! Programs in C and C++ that call every function of the library, compiled and run as users do: with the
//! static library, with the shared one, under valgrind, and with AddressSanitizer in what is theirs.
#![cfg(all(feature = "all", target_os = "linux"))]

#[path = "../../cli/tests/support/randomness.rs"]
mod randomness;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where they are made.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file of the crate.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A file of the library as cargo leaves it: beside the tests.
fn library(name: &str) -> PathBuf {
    std::env::current_exe().unwrap().with_file_name(name)
}

/// What a Rust library in C's programs needs of the system.
const SYSTEM: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];
const STRICT: [&str; 5] = ["-O1", "-g", "-Wall", "-Wextra", "-Werror"];

fn done(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    output
}

/// The compiler of a source.
fn compiler(name: &str) -> Command {
    let (variable, usual, standard) = match name.ends_with(".cpp") {
        true => ("CXX", "c++", "-std=c++11"),
        false => ("CC", "cc", "-std=c99"),
    };
    let mut compiler = Command::new(std::env::var(variable).unwrap_or(usual.into()));
    compiler.args(STRICT).args([standard, "-pedantic"]).arg(source("tests").join(name));
    compiler.arg("-I").arg(source("include"));
    compiler
}

/// The shared library as a distribution links it, with versions of symbols.
fn shared(folder: &Path) -> PathBuf {
    let to = folder.join("libringsmith.so.1");
    let mut link = Command::new(std::env::var("CC").unwrap_or("cc".into()));
    link.args(["-shared", "-Wl,--gc-sections", "-Wl,-soname,libringsmith.so.1", "-o"]).arg(&to);
    link.arg(format!("-Wl,--version-script={}", source("ringsmith.map").display()));
    link.args(["-Wl,--whole-archive"]).arg(library("libringsmith_capi.a")).arg("-Wl,--no-whole-archive");
    done(link.args(SYSTEM));
    to
}

/// A program with the static library.
fn with_static(folder: &Path, name: &str, more: &[&str]) -> PathBuf {
    let program = folder.join(name).with_extension("static");
    let mut compiler = compiler(name);
    compiler.args(more).arg(library("libringsmith_capi.a")).args(SYSTEM).arg("-o").arg(&program);
    done(&mut compiler);
    program
}

/// A program with the shared library.
fn with_shared(folder: &Path, name: &str, shared: &Path) -> PathBuf {
    let program = folder.join(name).with_extension("shared");
    let mut compiler = compiler(name);
    compiler.arg(shared).arg(format!("-Wl,-rpath,{}", folder.display())).arg("-o").arg(&program);
    done(compiler.arg("-lpthread"));
    program
}

/// All is well, and the program said so.
fn well(command: &mut Command) {
    let output = done(command);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "all is well\n", "{command:?}");
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

const PROGRAMS: [&str; 3] = ["schemes.c", "rings.c", "library.cpp"];

/// Protects: every function does what it says and refuses what it must, in C and in C++; programs take the
/// symbols of the library's version.
#[test]
fn shared_library() {
    let folder = folder("shared");
    let shared = shared(&folder);
    for name in PROGRAMS {
        let program = with_shared(&folder, name, &shared);
        let symbols = done(Command::new("nm").arg("-D").arg(&program));
        let symbols = String::from_utf8(symbols.stdout).unwrap();
        let ours = || symbols.lines().filter(|line| line.contains(" ringsmith_"));
        assert!(ours().count() > 5 && ours().all(|line| line.ends_with("@RINGSMITH_1")), "{symbols}");
        well(&mut Command::new(&program));
    }
    exports(&shared);
}

/// The library has our names and no others.
fn exports(shared: &Path) {
    let nm = done(Command::new("nm").args(["-D", "--defined-only"]).arg(shared));
    let names = String::from_utf8(nm.stdout).unwrap();
    let foreign =
        names.lines().filter(|line| !line.contains(" ringsmith_") && !line.contains("A RINGSMITH_"));
    assert_eq!(foreign.collect::<Vec<_>>(), [""; 0]);
}

/// Protects: valgrind sees no invalid access, nothing that is used before it is written, and no leak; and it
/// does see one.
#[test]
fn valgrind() {
    if !is_there("valgrind") {
        println!("not looked at: there is no valgrind");
        return;
    }
    let folder = folder("valgrind");
    let valgrind = || {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["-q", "--leak-check=full", "--errors-for-leak-kinds=definite,possible"]);
        valgrind.args(["--error-exitcode=99", "--show-leak-kinds=definite,possible"]);
        valgrind
    };
    for name in PROGRAMS {
        well(valgrind().arg(with_static(&folder, name, &[])));
    }
    let bad = with_static(&folder, "bad.c", &[]);
    for what in ["leak", "unwritten"] {
        let status = valgrind().arg(&bad).arg(what).output().unwrap().status;
        assert_eq!(status.code(), Some(99), "{what} was not seen");
    }
}

/// Protects: no function goes beyond the memory that it is given; and a program that gives it less is caught.
#[test]
fn address_sanitizer() {
    let folder = folder("sanitizer");
    let sanitized = |name: &str| with_static(&folder, name, &["-fsanitize=address,undefined"]);
    for name in PROGRAMS {
        well(&mut Command::new(sanitized(name)));
    }
    let output = Command::new(sanitized("bad.c")).arg("short").output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("heap-buffer-overflow"), "not caught: {text}");
}

/// Protects: where there is no more memory, at whichever allocation of a call, that is the error: the library
/// ends no program. The program has an allocator of its own in front of glibc's.
#[cfg(target_env = "gnu")]
#[test]
fn no_memory() {
    let folder = folder("memory");
    well(&mut Command::new(with_static(&folder, "memory.c", &[])));
    well(&mut Command::new(with_shared(&folder, "memory.c", &shared(&folder))));
}

/// Protects: where the system fails to give randomness, at whichever call, that is the error, and nothing is
/// written; the program goes on.
#[test]
fn no_randomness() {
    let folder = folder("random");
    let program = with_shared(&folder, "schemes.c", &shared(&folder));
    randomness::at_every_call(&folder, |environment| {
        let mut command = Command::new(&program);
        command.arg("draw").envs(environment.iter().map(|(name, value)| (name, value)));
        let output = done(&mut command);
        let text = String::from_utf8(output.stdout).unwrap();
        let returned: Vec<&str> = text.strip_prefix("returned ").unwrap().trim().split(' ').collect();
        assert!(returned.iter().all(|error| ["0", "7"].contains(error)), "{text}");
        returned.contains(&"7")
    });
}

/// The first text in C of a page.
fn example(page: &str) -> String {
    let page = std::fs::read_to_string(source(page)).unwrap();
    let (_, after) = page.split_once("```c\n").unwrap();
    after.split_once("```").unwrap().0.into()
}

/// What a program of this text prints.
fn printed(folder: &Path, text: &str) -> String {
    let (file, program) = (folder.join("hello.c"), folder.join("hello"));
    std::fs::write(&file, text).unwrap();
    let mut compiler = Command::new(std::env::var("CC").unwrap_or("cc".into()));
    compiler.args(STRICT).arg(&file).arg("-I").arg(source("include"));
    done(compiler.arg(library("libringsmith_capi.a")).args(SYSTEM).arg("-o").arg(&program));
    String::from_utf8(done(&mut Command::new(program)).stdout).unwrap()
}

/// Protects: the program of `docs/c.md` is one.
#[test]
fn the_guide() {
    assert_eq!(printed(&folder("guide"), &example("../../docs/c.md")), "both have the same key\n");
}

/// What the lines of the first page stand between, in a program: memory before them, and behind them whether
/// the other side has the key and the product is right.
const AROUND: [&str; 2] = [
    "#include <ringsmith.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static uint8_t public_key[RINGSMITH_ML_KEM_768_PUBLIC_KEY_BYTES];
    static uint8_t private_key[RINGSMITH_ML_KEM_768_PRIVATE_KEY_BYTES];
    static uint8_t ciphertext[RINGSMITH_ML_KEM_768_CIPHERTEXT_BYTES];
    static uint8_t shared[32], same[32], zero[32];
    static uint16_t product[761], a[761] = {0, 2}, b[761] = {0, 0, 3};
",
    "
    ringsmith_ring_free(ring);
    ringsmith_kem_decaps(kem, same, sizeof same, ciphertext, sizeof ciphertext,
                         private_key, sizeof private_key);
    puts(memcmp(shared, same, sizeof same) == 0 && memcmp(shared, zero, sizeof zero) != 0
             ? \"same key\" : \"no key\");
    printf(\"%d x^3\\n\", product[3]);
    return 0;
}
",
];

/// Protects: the lines of the first page compile, and do what they look like; and so do those of the page of
/// the crate.
#[test]
fn first_pages() {
    for (page, name) in [("../../README.md", "first"), ("README.md", "crate")] {
        let text = [AROUND[0], &example(page), AROUND[1]].concat();
        assert_eq!(printed(&folder(name), &text), "same key\n6 x^3\n", "{page}");
    }
}
