//! What compiling costs: CPU seconds by crate and build.
//!
//! In place of rustc, cargo runs this very program, which runs rustc and writes down what that took: a line
//! for each compilation, with the build, the crate and, for a library, its file. Cargo does not compile
//! anything again for that.
//!
//! In the suites' builds only what tools look into is optimised as users' builds optimise it: the library and
//! all else that the test kit is made of. Tests, and what is for other programs, do without ThinLTO among the
//! parts of a crate, which takes up to two thirds of a test's time (decision 88).

use crate::builds::Build;
use crate::shell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Where the lines go; this program is a wrapper where it is set.
const LOG: &str = "RINGSMITH_COST_LOG";
/// The build.
const BUILD: &str = "RINGSMITH_COST_BUILD";
/// Where the build is one of the suites': the packages that tools look into, a line each.
const WATCHED: &str = "RINGSMITH_COST_WATCHED";

fn log() -> PathBuf {
    shell::target_dir().join("cost.tsv")
}

/// Has cargo write down what the compilations of a suites' build cost.
pub(crate) fn watch(cargo: &mut Command, build: &str) {
    // Without the list, all is compiled as users' builds are.
    if let Some(packages) = watched() {
        cargo.env(WATCHED, packages);
    }
    watch_in(cargo, build, &log());
}

/// The packages that the test kit is made of, whose program is what tools look into: a line each.
fn watched() -> Option<&'static str> {
    static PACKAGES: OnceLock<Option<String>> = OnceLock::new();
    let list = || {
        let mut tree = shell::cargo(&["tree", "-p", "ringsmith-testkit", "--features", "files,second"]);
        let text = shell::capture(tree.args(["--edges", "normal", "--prefix", "none"])).ok()?;
        let names = text.lines().filter_map(|line| line.split(' ').next());
        Some(names.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("\n"))
    };
    PACKAGES.get_or_init(list).as_deref()
}

fn watch_in(cargo: &mut Command, build: &str, log: &Path) {
    if let Ok(program) = std::env::current_exe() {
        cargo.env("RUSTC_WRAPPER", program).env(LOG, log).env(BUILD, build);
    }
}

/// Forgets what was written down before.
pub(crate) fn forget() {
    let _ = fs::remove_file(log());
}

/// CPU seconds of the processes that this one has waited for.
pub(crate) fn of_children() -> f64 {
    // Linux: the times of waited-for children in ticks of 1/100 s, the 16th and the 17th value; the second is
    // in parentheses.
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let values = rest.split_whitespace().skip(13).take(2).filter_map(|value| value.parse::<f64>().ok());
    values.sum::<f64>() / 100.0
}

/// Milliseconds of compiling in this process.
static COMPILING: AtomicU64 = AtomicU64::new(0);

/// Runs something that compiles, and counts its time as such.
pub(crate) fn compiling<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let out = work();
    COMPILING.fetch_add(start.elapsed().as_millis() as u64, Ordering::Relaxed);
    out
}

/// Seconds that this process waited for compilers.
pub(crate) fn compiled() -> f64 {
    COMPILING.load(Ordering::Relaxed) as f64 / 1e3
}

/// The wrapper: whether this process is one, and then what rustc said.
pub(crate) fn wrapper() -> Option<ExitCode> {
    let log = std::env::var_os(LOG)?;
    let mut args = std::env::args_os().skip(1);
    let mut rustc = Command::new(args.next()?);
    let args: Vec<_> = args.collect();
    let said = |name| std::env::var(name).unwrap_or_default();
    let unit = Unit {
        build: said(BUILD),
        package: said("CARGO_PKG_NAME"),
        krate: said("CARGO_CRATE_NAME"),
        tested: args.iter().any(|arg| arg == "--test"),
    };
    if std::env::var(WATCHED).is_ok_and(|packages| !unit.is_as_users_have_it(&packages)) {
        rustc.arg("-Clto=off");
    }
    let status = match rustc.args(&args).env_remove(LOG).status() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("xtask: {}: {error}", rustc.get_program().to_string_lossy());
            return Some(ExitCode::FAILURE);
        }
    };
    let args: Vec<_> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    if let Some(line) = Compilation::of(&args) {
        // One write: other compilers append, too.
        let text = format!("{}\n", line.text());
        let file = OpenOptions::new().create(true).append(true).open(log);
        let _ = file.and_then(|mut file| file.write_all(text.as_bytes()));
    }
    Some(status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8)))
}

/// Tests of the memory that operations take and leave.
const OF_MEMORY: [&str; 3] = ["cleared", "dead_stack", "stack"];

/// What a suites' build compiles.
#[derive(Clone, Copy)]
struct Unit<T> {
    build: T,
    package: T,
    krate: T,
    /// Whether it is the program of a test.
    tested: bool,
}

impl<T: AsRef<str>> Unit<T> {
    /// Whether it is compiled as in users' builds: what tools look into, and tests that look at what a
    /// compiler does with memory. Of the build that shows the order of bytes nothing is looked into.
    fn is_as_users_have_it(&self, watched: &str) -> bool {
        let looked_into = !self.tested && watched.lines().any(|name| name == self.package.as_ref());
        let of_memory = self.tested && OF_MEMORY.contains(&self.krate.as_ref());
        (looked_into || of_memory) && self.build.as_ref() != Build::S390x.name()
    }
}

/// One run of rustc.
#[derive(Clone, PartialEq, Debug)]
struct Compilation {
    build: String,
    /// Whether the crate is one of ours.
    ours: bool,
    krate: String,
    /// Whether it makes code.
    code: bool,
    seconds: f64,
    /// The file of a library with code.
    library: String,
}

impl Compilation {
    fn of(args: &[String]) -> Option<Compilation> {
        let after = |name: &str| {
            let at = args.iter().position(|arg| arg == name)?;
            args.get(at + 1).map(String::as_str)
        };
        let krate = after("--crate-name").filter(|name| *name != "___")?;
        let tested = args.iter().any(|arg| arg == "--test");
        let code = args.iter().any(|arg| arg.starts_with("--emit") && arg.contains("link"));
        let suffix = args.iter().find_map(|arg| arg.strip_prefix("extra-filename=")).unwrap_or_default();
        let is_library = after("--crate-type") == Some("lib") && code && !tested;
        let library = after("--out-dir").filter(|_| is_library);
        Some(Compilation {
            build: std::env::var(BUILD).unwrap_or_default(),
            ours: std::env::var_os("CARGO_MANIFEST_DIR")
                .is_some_and(|dir| Path::new(&dir).starts_with(shell::root())),
            krate: if tested { format!("{krate} (tests)") } else { krate.to_string() },
            code,
            seconds: of_children(),
            library: library.map_or(String::new(), |dir| format!("{dir}/lib{krate}{suffix}.rlib")),
        })
    }

    fn text(&self) -> String {
        let Compilation { build, ours, krate, code, seconds, library } = self;
        format!("{build}\t{ours}\t{krate}\t{code}\t{seconds:.2}\t{library}")
    }

    fn read(line: &str) -> Option<Compilation> {
        let mut columns = line.split('\t').map(str::to_string);
        Some(Compilation {
            build: columns.next()?,
            ours: columns.next()? == "true",
            krate: columns.next()?,
            code: columns.next()? == "true",
            seconds: columns.next()?.parse().ok()?,
            library: columns.next()?,
        })
    }
}

/// How many kernels a library's file holds: functions by which they are entered. `None` where there is no
/// tool to look.
fn kernels(library: &str) -> Option<usize> {
    let symbols = shell::finish(Command::new("nm").arg("--defined-only").arg(library)).ok()?;
    let is_kernel = |line: &&str| {
        let mut words = line.split_whitespace().skip(1);
        let is_code = words.next().is_some_and(|kind| kind.eq_ignore_ascii_case("t"));
        let name = crate::demangle::name(words.next().unwrap_or_default());
        is_code && name.contains("ringsmith_simd::Enter") && name.ends_with("::enter")
    };
    (symbols.code == Some(0)).then(|| symbols.stdout.lines().filter(is_kernel).count())
}

/// What one crate cost in one build.
#[derive(Default)]
struct Sum {
    seconds: f64,
    times: usize,
    kernels: Option<usize>,
}

/// Crates by build. Those of others are one line, and so are our programs' and tests'.
fn sums(text: &str) -> BTreeMap<String, BTreeMap<String, Sum>> {
    let mut builds: BTreeMap<String, BTreeMap<String, Sum>> = BTreeMap::new();
    for line in text.lines().filter_map(Compilation::read) {
        let library = !line.library.is_empty();
        let name = match (line.ours, line.code) {
            (true, true) if library => line.krate.clone(),
            (true, true) => "(our programs and tests)".to_string(),
            (true, false) => "(our crates, without code)".to_string(),
            (false, _) => "(dependencies)".to_string(),
        };
        let sum = builds.entry(line.build).or_default().entry(name).or_default();
        sum.seconds += line.seconds;
        sum.times += 1;
        if library && line.ours {
            sum.kernels = kernels(&line.library);
        }
    }
    builds
}

/// The table: for each build its crates, the dearest first.
fn table(text: &str) -> String {
    let mut out = String::new();
    for (build, crates) in sums(text) {
        let total: f64 = crates.values().map(|sum| sum.seconds).sum();
        let mut crates: Vec<_> = crates.into_iter().collect();
        crates.sort_by(|a, b| b.1.seconds.total_cmp(&a.1.seconds));
        out += &format!("\n{build:<32} {total:>9.1} CPU s\n");
        for (name, Sum { seconds, times, kernels }) in crates {
            let kernels = kernels.filter(|count| *count > 0).map(|count| format!("{count:>6} kernels"));
            let line = format!("  {name:<30} {seconds:>9.1}  {times:>4} x {}", kernels.unwrap_or_default());
            out += &format!("{}\n", line.trim_end());
        }
    }
    out
}

/// Prints what was written down.
pub(crate) fn print() {
    if let Ok(text) = fs::read_to_string(log()) {
        println!("\nWhat was compiled, by build{}", table(&text));
    }
}

/// What is built cold by `cargo xtask build-cost`, after the program.
const COLD: [(&str, &[&str]); 10] = [
    ("ML-KEM, the default", &["-p", "ringsmith"]),
    ("ML-DSA alone", &["-p", "ringsmith", "--no-default-features", "--features", "std,ml-dsa"]),
    ("NewHope alone", &["-p", "ringsmith", "--no-default-features", "--features", "kem,std,new-hope"]),
    ("NTRU alone", &["-p", "ringsmith", "--no-default-features", "--features", "kem,std,ntru"]),
    ("NTRU Prime alone", &["-p", "ringsmith", "--no-default-features", "--features", "kem,std,ntru-prime"]),
    ("NTRUEncrypt alone", &["-p", "ringsmith", "--no-default-features", "--features", "std,ntruencrypt"]),
    ("any ring alone", &["-p", "ringsmith", "--no-default-features", "--features", "kem,std,any"]),
    ("every family", &["-p", "ringsmith", "--features", "all"]),
    ("every feature", &["-p", "ringsmith", "--all-features"]),
    ("the command", &[]),
];

/// A program as a user writes it, outside of the workspace: ML-KEM-768, and Cargo's own release profile.
const PROGRAM: &str = r#"
use ringsmith::{ml_kem::ml_kem_768::DecapsulationKey, random};

fn main() {
    let alice = random::drawn(|rng| DecapsulationKey::generate(rng)).expect("randomness");
    let (ciphertext, bobs) =
        random::drawn(|rng| alice.encapsulation_key().encapsulate(rng)).expect("randomness");
    assert_eq!(alice.decapsulate(&ciphertext), bobs);
}
"#;

/// The crates of ours that the program may compile: those of no other family.
const OF_THE_PROGRAM: [&str; 6] =
    ["ringsmith", "ringsmith_hash", "ringsmith_kem", "ringsmith_ml_kem", "ringsmith_ring", "ringsmith_simd"];

/// Builds and runs the program in a folder, and checks that it compiles nothing of another family.
fn program(folder: &Path, log: &Path) -> Result<String, String> {
    let source = folder.join("program");
    let dependency = shell::root().join("crates/ringsmith");
    let manifest = format!(
        "[package]\nname = \"program\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         ringsmith = {{ path = {dependency:?}, features = [\"getrandom\"] }}\n"
    );
    let write = |path: PathBuf, text: &str| {
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    fs::create_dir_all(source.join("src")).map_err(|error| format!("{}: {error}", source.display()))?;
    write(source.join("Cargo.toml"), &manifest)?;
    write(source.join("src/main.rs"), PROGRAM)?;
    let mut build = shell::cargo(&["run", "--release", "--manifest-path"]);
    build
        .arg(source.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("RUSTFLAGS");
    watch_in(&mut build, "a program with ML-KEM-768", log);
    shell::run(&mut build)?;
    let text = fs::read_to_string(log).unwrap_or_default();
    for Compilation { krate, library, .. } in text.lines().filter_map(Compilation::read) {
        let ours = krate.starts_with("ringsmith");
        if ours && (!OF_THE_PROGRAM.contains(&&*krate) || krate != "ringsmith_ml_kem" && of_rings(&library)) {
            return Err(format!("a program with ML-KEM-768 compiles kernels of `{krate}`"));
        }
    }
    Ok(text)
}

/// Whether a library holds kernels with a modulus, which belong to a ring.
fn of_rings(library: &str) -> bool {
    !library.contains("ringsmith_hash") && kernels(library).is_some_and(|count| count > GENERIC_KERNELS)
}

/// Kernels of the engine that are of no ring: sorting, one for each length of a run, and reductions modulo 3,
/// on two backends.
const GENERIC_KERNELS: usize = 20;

/// `cargo xtask build-cost`: builds these from nothing, in a folder that is removed again, and says what they
/// cost. `--written` prints what the suites' builds wrote down instead.
///
/// # Errors
/// Where something does not compile, or compiles what it must not.
pub(crate) fn run(args: &[&str]) -> Result<(), String> {
    match args {
        ["--written"] => {
            print();
            return Ok(());
        }
        [] => {}
        _ => return Err("build-cost takes no argument but --written".to_string()),
    }
    let folder = shell::target_dir().join("cost");
    let (target, log) = (folder.join("target"), folder.join("cost.tsv"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    print!("{}", table(&program(&folder, &log)?));
    for (name, selection) in COLD {
        let _ = (fs::remove_dir_all(&target), fs::remove_file(&log));
        let mut build = shell::cargo(&["build", "--release"]);
        build.args(selection).env("CARGO_TARGET_DIR", &target).env_remove("RUSTFLAGS");
        watch_in(&mut build, name, &log);
        shell::run(&mut build)?;
        // Looked at before the libraries are gone.
        print!("{}", table(&fs::read_to_string(&log).unwrap_or_default()));
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_string).collect()
    }

    /// Protects: libraries, tests and mere checks are told apart, and a line is read as it was written.
    #[test]
    fn compilations() {
        let of = |text| Compilation::of(&args(text)).unwrap();
        let library = of("--crate-name ringsmith_ring --crate-type lib --emit=dep-info,metadata,link \
                          -C extra-filename=-0a --out-dir deps");
        assert_eq!((library.library.as_str(), library.code), ("deps/libringsmith_ring-0a.rlib", true));
        let tests = of("--crate-name laws --emit=dep-info,link --test --out-dir deps");
        assert_eq!((tests.krate.as_str(), tests.library.as_str()), ("laws (tests)", ""));
        assert!(!of("--crate-name ringsmith_ring --crate-type lib --emit=dep-info,metadata").code);
        assert_eq!(Compilation::of(&args("-vV")), None);
        let read = Compilation::read(&library.text()).unwrap();
        assert_eq!(read, Compilation { seconds: read.seconds, ..library });
    }

    /// Protects: what tools look into is compiled as users have it, and so are tests of memory; other tests,
    /// other packages and the build of which nothing is looked into are not.
    #[test]
    fn as_users_have_it() {
        let watched = "base64ct\nringsmith-simd";
        let library =
            Unit { build: "checked", package: "ringsmith-simd", krate: "ringsmith_simd", tested: false };
        let stack = Unit { package: "ringsmith-ml-dsa", krate: "stack", tested: true, ..library };
        for unit in [library, stack, Unit { package: "base64ct", krate: "base64ct", ..library }] {
            assert!(unit.is_as_users_have_it(watched), "{}", unit.krate);
            assert!(!Unit { build: "s390x", ..unit }.is_as_users_have_it(watched), "{}", unit.krate);
        }
        for unit in [Unit { tested: true, ..library }, Unit { package: "ringsmith-cli", ..library }] {
            assert!(!unit.is_as_users_have_it(watched), "{}", unit.krate);
        }
    }

    /// Protects: costs are added up by build and crate, the dearest build's crates first.
    #[test]
    fn sums_by_build() {
        let text = "b\ttrue\tringsmith_ring\ttrue\t1.5\tx.rlib\nb\tfalse\tserde\ttrue\t0.5\t\n\
                    b\ttrue\tlaws (tests)\ttrue\t2\t\nb\tfalse\tserde\ttrue\t1.00\t\n";
        let table = table(text);
        let place = |name: &str| table.find(name).unwrap_or_else(|| panic!("{name} is not in\n{table}"));
        assert!(table.contains("5.0 CPU s") && place("(dependencies)") < table.len());
        assert!(place("(dependencies)") > place("b "));
    }
}
