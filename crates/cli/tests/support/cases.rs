//! Cases in files: what is typed into a shell, and what comes of it.
//!
//! A case is a few lines, and an empty line ends it:
//!
//! ```text
//! # what the case is
//! $ a command for sh, which may go on
//! $ on the next line
//! CODE the error's one line, without the program's name; * for any text
//! > a line of standard output
//! + a file that appears
//! ```
//!
//! Standard output is empty where no line of it is named, and no other file appears, changes or goes. What
//! appeared is removed. Commands find the programs that are tested, the functions of [`FUNCTIONS`] and the
//! files that the test put into the directory.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What cases are written with, beside what every system has.
const FUNCTIONS: &str = r#"
export LC_ALL=C
# A text so many times, each with a line end.
lines() { yes -- "$2" | head -n "$1"; }
# So many bytes of one kind.
bytes() { head -c "$1" /dev/zero | tr '\0' "$2"; }
# A file's first bytes, and its others.
first() { head -c "$1" "$2"; }
after() { tail -c "+$(($1 + 1))" "$2"; }
size() { wc -c < "$1"; }
# An age file's header, and what comes after it.
header() { sed '/^--- /q' "$1"; }
body() { after "$(header "$1" | wc -c)" "$1"; }
# Bytes in hexadecimal digits: of a file, and as bytes.
digits() { od -An -v -tx1 "$1" | tr -d ' \n'; }
raw() {
    echo "$1" | awk '{ d = "0123456789abcdef"
        for (i = 1; i < length($0); i += 2)
            printf "%c", 16 * index(d, substr($0, i, 1)) + index(d, substr($0, i + 1, 1)) - 17 }'
}
# In digits: a tag, the length of what follows, and that.
tag() {
    length=$((${#2} / 2))
    if [ $length -lt 128 ]; then form=%s%02x%s; else form=%s82%04x%s; fi
    printf $form "$1" $length "$2"
}
# A private key: its version, its algorithm, what it holds, and what comes after; a public key likewise.
private() { tag 30 "0201$1$2$(tag 04 "$3")$4"; }
public() { tag 30 "$1$(tag 03 "$2")"; }
# The algorithm of an object identifier, and ML-KEM-768's.
algorithm() { tag 30 "$(tag 06 "$1")$2"; }
kem=$(algorithm 608648016503040402)
# ML-DSA-44's.
dsa=$(algorithm 608648016503040311)
# So many zeros.
zeros() { bytes $((2 * $1)) 0; }
# Reads a private key; of a public key, encapsulates for it.
reads() { raw "$1" > new.der; ringsmith kem public -i new.der --format raw > new.ek; }
takes() { raw "$1" > new.der; ringsmith kem encapsulate -R new.der -s new.secret > new.ct; }
# Signs with a private key; with a public key, verifies.
signs() { raw "$1" > new.der; ringsmith sign -i new.der -o new.sig small; }
verifies() { raw "$1" > new.der; bytes 2420 a > new.sig; ringsmith verify --public new.der -s new.sig small; }
# What these leave.
gone() { code=$?; rm -f new.*; return $code; }
# A command on a terminal of its own, what it shows, and its exit code.
on_terminal() {
    script -qec "$1" /dev/null < /dev/null > new.shown; code=$?
    tr -d '\r' < new.shown; rm new.shown; return $code
}
# A command on a terminal where lines are typed, each when the last thing that is shown is a question, or
# after a minute.
typed() {
    mkfifo new.typed; : > new.shown; command=$1; shift
    SHELL=/bin/sh script -qec "$command" /dev/null < new.typed > new.shown & process=$!
    exec 3> new.typed
    for line; do
        tries=0
        until tail -c 2 new.shown | grep -q ': $' && [ "$(wc -c < new.shown)" != "$shown" ]; do
            sleep 0.02; tries=$((tries + 1)); [ $tries -lt 3000 ] || break
        done
        shown=$(wc -c < new.shown); printf "$line" >&3
    done
    wait $process; code=$?; exec 3>&-
    tr -d '\r' < new.shown; rm new.typed new.shown; return $code
}
# A client's answers to all that a plugin says, and to its stanzas without meaning.
answers() { lines 100 '-> ok' | sed 'a\\'; }
"#;

/// The longest that a case may take. What is refused in time proportional to its length takes a second.
const PATIENCE: Duration = Duration::from_secs(20);

struct Case {
    name: String,
    command: String,
    code: i32,
    says: String,
    prints: String,
    makes: Vec<String>,
}

impl Case {
    fn parse(text: &str) -> Case {
        let mut case = Case {
            name: String::new(),
            command: String::new(),
            code: -1,
            says: String::new(),
            prints: String::new(),
            makes: Vec::new(),
        };
        for line in text.lines() {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("#", name) => case.name += name,
                ("$", command) => case.command += &format!("{command}\n"),
                (">", text) => case.prints += &format!("{text}\n"),
                ("+", name) => case.makes.push(name.into()),
                (code, says) => {
                    case.code = code.parse().unwrap_or_else(|_| panic!("no case: {line}"));
                    case.says = says.into();
                }
            }
        }
        assert!(case.code >= 0 && !case.command.is_empty() && !case.name.is_empty(), "no case: {text}");
        case
    }

    /// What is wrong, if anything is.
    fn run(&self, dir: &Path, program: &str) -> Option<String> {
        let before = state(dir);
        let (code, stdout, stderr) = shell(dir, program, &self.command);
        let after = state(dir);
        let appeared: Vec<&String> = after.keys().filter(|name| !before.contains_key(*name)).collect();
        for name in &appeared {
            let path = dir.join(name);
            fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)).unwrap();
        }
        let name = Path::new(program).file_name().unwrap().to_str().unwrap();
        let expected = if self.says.is_empty() { String::new() } else { format!("{name}: {}\n", self.says) };
        let says = match expected.split_once('*') {
            Some((start, end)) => {
                stderr.starts_with(start) && stderr.ends_with(end) && stderr.lines().count() == 1
            }
            None => stderr == expected,
        };
        let prints = match self.prints.strip_suffix("*\n") {
            Some(start) => stdout.starts_with(start),
            None => stdout == self.prints,
        };
        let kept = before.iter().all(|(name, state)| after.get(name) == Some(state));
        let good =
            code == Some(self.code) && says && prints && kept && appeared.iter().copied().eq(&self.makes);
        (!good).then(|| {
            let stdout: String = stdout.chars().take(200).collect();
            format!("{}: {code:?}, {stderr:?}, printed {stdout:?}, made {appeared:?}", self.name)
        })
    }
}

/// Files by their names; what tells whether they were written.
fn state(dir: &Path) -> BTreeMap<String, (u64, i64, i64)> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| {
        let entry = entry.unwrap();
        let metadata = fs::symlink_metadata(entry.path()).unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, (metadata.len(), metadata.mtime(), metadata.mtime_nsec()))
    });
    entries.collect()
}

/// Exit code, standard output and standard error.
fn shell(dir: &Path, program: &str, command: &str) -> (Option<i32>, String, String) {
    let programs = Path::new(program).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{FUNCTIONS}{command}")).current_dir(dir).env("PATH", path);
    shell.env_remove("RINGSMITH_CPU").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that all of it can be ended.
    let mut child = shell.process_group(0).spawn().unwrap();
    let (stdout, stderr) = (all(child.stdout.take().unwrap()), all(child.stderr.take().unwrap()));
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            let group = format!("-{}", child.id());
            Command::new("kill").args(["-KILL", "--", &group]).status().unwrap();
            panic!("more than {PATIENCE:?}: {command}");
        }
        thread::sleep(Duration::from_millis(2));
    };
    (status.code(), stdout.join().unwrap(), stderr.join().unwrap())
}

fn all(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Runs all cases of a text in a directory, and says which of them went otherwise.
pub(crate) fn check(dir: &Path, program: &str, cases: &str) {
    let cases: Vec<Case> =
        cases.split("\n\n").filter(|text| !text.trim().is_empty()).map(Case::parse).collect();
    let wrong: Vec<String> = cases.iter().filter_map(|case| case.run(dir, program)).collect();
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
