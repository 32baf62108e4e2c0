//! Runs of the command that a recording can't hold: files made and not made, pipes, full disks, random
//! products.

mod support;

use ringsmith_oracle::{Random, Ring, Shape, product};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use support::{BASELINE, directory, names, one_error, ringsmith};

const ML_KEM: &str = "Z_3329[x]/(x^256+1)";

fn multiply(dir: &Path, more: &[&str]) -> Command {
    ringsmith(dir, &[&["multiply", "--ring", ML_KEM], more].concat())
}

/// `x^0` in ML-KEM's ring, a line.
fn one() -> String {
    format!("1{}\n", " 0".repeat(255))
}

/// Writes to the command's standard input from another thread: the command may stop reading.
fn feed(child: &mut Child, text: Vec<u8>) -> std::thread::JoinHandle<()> {
    let mut stdin = child.stdin.take().unwrap();
    std::thread::spawn(move || _ = stdin.write_all(&text))
}

/// Protects: `-o` makes the file, whole, and nothing else; standard output stays silent.
#[test]
fn output_file() {
    let dir = directory("output_file");
    fs::write(dir.join("a"), one()).unwrap();
    let output = multiply(&dir, &["-o", "c", "a", "a"]).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(fs::read_to_string(dir.join("c")).unwrap(), one());
    assert_eq!(names(&dir), ["a", "c"]);
}

/// Protects: a file that exists is not touched, be it an input, a directory or a link to nowhere.
#[test]
fn output_file_exists() {
    let dir = directory("output_file_exists");
    fs::write(dir.join("a"), one()).unwrap();
    fs::create_dir(dir.join("d")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", dir.join("link")).unwrap();
    for target in [
        "a",
        "d",
        #[cfg(unix)]
        "link",
    ] {
        let output = multiply(&dir, &["-o", target, "a", "a"]).output().unwrap();
        assert_eq!(
            one_error(&output, 2),
            format!("ringsmith: {target} exists already, and is not overwritten")
        );
    }
    assert_eq!(fs::read_to_string(dir.join("a")).unwrap(), one());
    assert!(!dir.join("nowhere").exists());
}

/// Protects: after a failure, also one in a late line, nothing is left where `-o` points or beside it.
#[test]
fn output_file_after_failure() {
    let dir = directory("output_file_after_failure");
    fs::write(dir.join("a"), one() + &one() + "1 2 3\n").unwrap();
    fs::write(dir.join("empty"), "").unwrap();
    for (file, reason) in [
        ("a", "a, line 3: 3 coefficients, where the ring has 256"),
        ("empty", "empty holds no polynomial"),
        ("missing", "cannot read missing: no such file or directory"),
    ] {
        let output = multiply(&dir, &["-o", "c", file, "a"]).output().unwrap();
        assert_eq!(one_error(&output, 2), format!("ringsmith: {reason}"));
        assert_eq!(names(&dir), ["a", "empty"]);
    }
}

/// Protects: a message stays one line and sends no control to the terminal, whatever the user typed.
#[test]
fn controls_in_arguments() {
    let dir = directory("controls_in_arguments");
    let output = ringsmith(&dir, &["rings", "--ring", "a\n\u{1b}[2J"]).output().unwrap();
    let expected = [
        r"ringsmith: no ring is named 'a\n\u{1b}[2J'; `ringsmith rings` lists them",
        r"  a\n\u{1b}[2J",
        "  ^ expected a ring, as in Z_3329[x]/(x^256+1)",
    ];
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.lines().collect::<Vec<_>>()), (Some(2), expected.into()));
    let output = ringsmith(&dir, &["rings", "--ri\nng"]).output().unwrap();
    one_error(&output, 2);
}

/// Protects: a place that can't be written is one clear error.
#[test]
fn output_nowhere() {
    let dir = directory("output_nowhere");
    fs::write(dir.join("a"), one()).unwrap();
    let output = multiply(&dir, &["-o", "missing/c", "a", "a"]).output().unwrap();
    assert_eq!(one_error(&output, 2), "ringsmith: cannot write missing/c: no such file or directory");
}

/// Protects: a directory in place of an input is one clear error.
#[cfg(unix)]
#[test]
fn input_directory() {
    let dir = directory("input_directory");
    let output = multiply(&dir, &[".", "."]).output().unwrap();
    assert_eq!(one_error(&output, 2), "ringsmith: cannot read .: it is a directory");
}

/// Protects: a huge line, here without end, is one clear error in bounded memory and time.
#[cfg(target_os = "linux")]
#[test]
fn huge_line() {
    let dir = directory("huge_line");
    let output = multiply(&dir, &["/dev/zero", "/dev/zero"]).output().unwrap();
    let line = one_error(&output, 2);
    assert_eq!(
        line,
        "ringsmith: /dev/zero, line 1: longer than 1572864 bytes, the most that a line may have"
    );
}

/// Protects: a line of just the limit is read, and judged by its contents.
#[test]
fn longest_line() {
    let dir = directory("longest_line");
    let line = one();
    let padded = format!("{}{}\n", line.trim_end(), " ".repeat((3 << 19) + 1 - line.len()));
    assert_eq!(padded.len(), (3 << 19) + 1);
    fs::write(dir.join("a"), &padded).unwrap();
    assert_eq!(multiply(&dir, &["a", "a"]).output().unwrap().stdout, line.as_bytes());
    fs::write(dir.join("a"), padded.replace('\n', " \n")).unwrap();
    assert!(one_error(&multiply(&dir, &["a", "a"]).output().unwrap(), 2).contains("longer than"));
}

/// Protects: standard output to a full disk is one clear error, not a success, for every command that prints.
#[cfg(target_os = "linux")]
#[test]
fn full_disk() {
    let dir = directory("full_disk");
    fs::write(dir.join("a"), one()).unwrap();
    let commands: [&[&str]; 6] = [
        &["multiply", "--ring", ML_KEM, "a", "a"],
        &["rings"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["--version"],
    ];
    commands.into_iter().for_each(|args| support::refuses_a_full_disk(&dir, args));
}

/// Protects: a reader that leaves, as `head` does, ends the command quietly and with a non-zero exit code.
#[cfg(unix)]
#[test]
fn closed_pipe() {
    let dir = directory("closed_pipe");
    // More products than a pipe holds.
    fs::write(dir.join("a"), one().repeat(2000)).unwrap();
    let mut child =
        multiply(&dir, &["a", "a"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 4];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut start).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!((&start, output.status.code()), (b"1 0 ", Some(141)));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

/// Protects: products come out line by line, before the input ends: memory does not grow with it.
#[test]
fn streams() {
    let dir = directory("streams");
    fs::write(dir.join("b"), one().repeat(2)).unwrap();
    let mut command = multiply(&dir, &["-", "b"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for _ in 0..2 {
        stdin.write_all(one().as_bytes()).unwrap();
        let mut product = vec![0; one().len()];
        stdout.read_exact(&mut product).unwrap();
        assert_eq!(product, one().as_bytes());
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// Protects: a failure in a late line of standard output still is a failure, and the lines before it are
/// right.
#[test]
fn late_failure() {
    let dir = directory("late_failure");
    fs::write(dir.join("a"), one() + "1 2 3\n").unwrap();
    let output = multiply(&dir, &["a", "a"]).output().unwrap();
    assert_eq!(output.stdout, one().as_bytes());
    assert_eq!(one_error(&output, 2), "ringsmith: a, line 2: 3 coefficients, where the ring has 256");
}

/// Protects: `man DIR` writes a page for the command and for each subcommand, all that the first page refers
/// to.
#[test]
fn manual_pages() {
    let dir = directory("manual_pages");
    let output = ringsmith(&dir, &["man", "share/man1"]).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let pages = names(&dir.join("share/man1"));
    let first = fs::read_to_string(dir.join("share/man1/ringsmith.1")).unwrap();
    let referred: Vec<_> = first.lines().filter_map(|line| line.strip_suffix("(1)")).collect();
    assert!(referred.contains(&r"ringsmith\-multiply"), "{first}");
    for page in referred {
        assert!(pages.contains(&(page.replace('\\', "") + ".1")), "{page} is not in {pages:?}");
    }
}

/// Protects: the rows that `bench --json` writes are a file of their own, and an old file is safe.
#[test]
fn bench_rows() {
    let dir = directory("bench_rows");
    let args = [
        "bench",
        "--time",
        "1",
        "--only",
        &format!("256+1)/product/ringsmith/{BASELINE}/schoolbook"),
        "--json",
        "rows.json",
    ];
    assert!(ringsmith(&dir, &args).output().unwrap().status.success());
    let rows = fs::read_to_string(dir.join("rows.json")).unwrap();
    assert!(rows.contains("\"route\": \"schoolbook\""), "{rows}");
    let output = ringsmith(&dir, &args).output().unwrap();
    assert_eq!(one_error(&output, 2), "ringsmith: rows.json exists already, and is not overwritten");
    assert_eq!(
        (fs::read_to_string(dir.join("rows.json")).unwrap(), names(&dir)),
        (rows, vec!["rows.json".into()])
    );
}

/// Protects: the picture of a paper's tables is drawn beside the rows, an old file is safe, and then neither
/// file is there.
#[test]
fn bench_picture() {
    let dir = directory("bench_picture");
    let args =
        ["bench", "--time", "1", "--table", "longa-naehrig", "--svg", "table.svg", "--json", "rows.json"];
    let run = || ringsmith(&dir, &args).env("RINGSMITH_CPU", BASELINE).output().unwrap();
    assert!(run().status.success());
    let picture = fs::read_to_string(dir.join("table.svg")).unwrap();
    for part in ["</svg>", "P. Longa, M. Naehrig", "key exchange: NewHope-ADPS", "inverse NTT", ">181<"] {
        assert!(picture.contains(part), "{part:?} is not in\n{picture}");
    }
    fs::remove_file(dir.join("rows.json")).unwrap();
    assert_eq!(one_error(&run(), 2), "ringsmith: table.svg exists already, and is not overwritten");
    assert_eq!(
        (fs::read_to_string(dir.join("table.svg")).unwrap(), names(&dir)),
        (picture, vec!["table.svg".into()])
    );
}

/// Protects: no silent fallback from a backend that this machine can't have.
#[cfg(target_arch = "x86_64")]
#[test]
fn foreign_cpu() {
    let dir = directory("foreign_cpu");
    for command in [&["tour"], &["bench"]] {
        let output = ringsmith(&dir, command).env("RINGSMITH_CPU", "neon").output().unwrap();
        let line = one_error(&output, 2);
        assert!(
            line.starts_with("ringsmith: RINGSMITH_CPU=neon: this machine has no neon; it has: "),
            "{line}"
        );
    }
}

/// Protects: a build for CPUs that all have vectors has no kernels in plain Rust, and says how to get them.
#[cfg(all(target_arch = "x86_64", not(ringsmith_scalar)))]
#[test]
fn no_plain_rust() {
    let dir = directory("no_plain_rust");
    let output = ringsmith(&dir, &["tour"]).env("RINGSMITH_CPU", "scalar").output().unwrap();
    let line = one_error(&output, 2);
    let start = "ringsmith: RINGSMITH_CPU=scalar: this build has no scalar: \
                 all CPUs that it is for have vectors \
                 (RUSTFLAGS='--cfg ringsmith_scalar' adds it); it has: ";
    assert!(line.starts_with(start), "{line}");
}

/// Lines of canonical coefficients.
fn lines(polynomials: &[Vec<i128>]) -> String {
    let line = |p: &Vec<i128>| p.iter().map(i128::to_string).collect::<Vec<_>>().join(" ") + "\n";
    polynomials.iter().map(line).collect()
}

/// Protects: random products through the command are the oracle's, on the machine's best backend and on the
/// one that is always there, from standard input and from a file.
#[test]
fn random_products() {
    let dir = directory("random_products");
    let rings = [
        ("Z_12289[x]/(x^1024+1)", Ring { q: 12289, n: 1024, shape: Shape::Negacyclic }),
        (ML_KEM, Ring { q: 3329, n: 256, shape: Shape::Negacyclic }),
        ("Z_3457[x]/(x^768-x^384+1)", Ring { q: 3457, n: 768, shape: Shape::HalfTrinomial }),
        ("Z_4591[x]/(x^761-x-1)", Ring { q: 4591, n: 761, shape: Shape::PrimeTrinomial }),
        ("Z_2048[x]/(x^509-1)", Ring { q: 2048, n: 509, shape: Shape::Cyclic }),
    ];
    for (name, ring) in rings {
        let polynomials = |seed: u64| -> Vec<Vec<i128>> {
            let (mut random, greatest) = (Random::new(seed), ring.q as i64 - 1);
            let mut polynomial = || (0..ring.n).map(|_| random.within(0, greatest).into()).collect();
            (0..4).map(|_| polynomial()).collect()
        };
        let (a, b) = (polynomials(1), polynomials(2));
        let expected: Vec<_> = a.iter().zip(&b).map(|(a, b)| product(ring, a, b)).collect();
        fs::write(dir.join("b"), lines(&b)).unwrap();
        for cpu in [None, Some(BASELINE)] {
            let mut command = ringsmith(&dir, &["multiply", "--check", "--ring", name, "-", "b"]);
            command.envs(cpu.map(|cpu| ("RINGSMITH_CPU", cpu)));
            let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let writer = feed(&mut child, lines(&a).into_bytes());
            let output = child.wait_with_output().unwrap();
            writer.join().unwrap();
            assert!(output.status.success(), "{name} {cpu:?} {output:?}");
            assert!(output.stdout == lines(&expected).as_bytes(), "{name} {cpu:?}");
        }
    }
}
