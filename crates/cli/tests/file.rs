//! Files through the command: encrypted and decrypted, by files and pipes, and what must not happen.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use support::{BASELINE, directory, names, one_error, piped, ringsmith};

fn run(dir: &Path, args: &[&str]) -> Output {
    ringsmith(dir, args).output().unwrap()
}

/// Runs it, and expects success.
fn done(dir: &Path, args: &[&str]) -> Vec<u8> {
    let output = run(dir, args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    output.stdout
}

/// A directory with a post-quantum key of either kind, a classical one, and a file.
fn with_keys(test: &str) -> PathBuf {
    let dir = directory(test);
    done(&dir, &["keygen", "-o", "key"]);
    done(&dir, &["keygen", "--kind", "sntrup761x25519", "-o", "prime"]);
    done(&dir, &["keygen", "--classical", "-o", "old"]);
    fs::write(dir.join("recipients"), done(&dir, &["keygen", "-y", "key"])).unwrap();
    fs::write(dir.join("letter"), "a letter\n".repeat(20_000)).unwrap();
    dir
}

/// Protects: the main job, over files and over pipes, binary and as text, to keys named in every way.
#[test]
fn encrypted_and_decrypted() {
    let dir = with_keys("encrypted_and_decrypted");
    let letter = fs::read(dir.join("letter")).unwrap();
    let recipient = String::from_utf8(done(&dir, &["keygen", "-y", "key"])).unwrap();
    let to: [(&[&str], &str); 6] = [
        (&["-r", recipient.trim()], "key"),
        (&["-R", "recipients"], "key"),
        (&["-i", "key"], "key"),
        (&["-i", "prime"], "prime"),
        (&["-R", "recipients", "-i", "prime"], "prime"),
        (&["-i", "old"], "old"),
    ];
    for (to, key) in to {
        for armor in [&[][..], &["--armor"]] {
            let encrypt = [&["encrypt"], to, armor].concat();
            done(&dir, &[&encrypt[..], &["-o", "age", "letter"]].concat());
            let file = fs::read(dir.join("age")).unwrap();
            assert_eq!(file.starts_with(b"-----BEGIN AGE ENCRYPTED FILE-----\n"), !armor.is_empty());
            done(&dir, &["decrypt", "-i", key, "-o", "copy", "age"]);
            assert_eq!(fs::read(dir.join("copy")).unwrap(), letter);
            let through = piped(&dir, &encrypt, &letter);
            assert!(through.status.success() && through.stderr.is_empty());
            let back = piped(&dir, &["decrypt", "-i", key, "-i", "key"], &through.stdout);
            assert!(back.stdout == letter && back.stderr.is_empty());
            ["age", "copy"].iter().for_each(|name| fs::remove_file(dir.join(name)).unwrap());
        }
    }
}

/// Protects: a new key says what it is, is readable by its owner only, and its public key is the one that is
/// shown.
#[test]
fn new_keys() {
    let dir = directory("new_keys");
    let kinds: [(&[&str], _); 4] = [
        (&[], ["AGE-SECRET-KEY-PQ-1", "age1pq1"]),
        (&["--kind", "mlkem768x25519"], ["AGE-SECRET-KEY-PQ-1", "age1pq1"]),
        (&["--kind", "sntrup761x25519"], ["AGE-PLUGIN-RINGSMITH-1", "age1ringsmith1"]),
        (&["--classical"], ["AGE-SECRET-KEY-1", "age1"]),
    ];
    for (kind, prefixes) in kinds {
        let output = run(&dir, &[&["keygen", "-o", "key"], kind].concat());
        assert!(output.status.success() && output.stdout.is_empty());
        let text = fs::read_to_string(dir.join("key")).unwrap();
        let (comment, private) = text.split_once('\n').unwrap();
        let public = comment.strip_prefix("# public key: ").unwrap();
        assert!(private.starts_with(prefixes[0]) && public.starts_with(prefixes[1]), "{public}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("Public key: {public}\n"));
        assert_eq!(done(&dir, &["keygen", "-y", "key"]), format!("{public}\n").into_bytes());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(dir.join("key")).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::remove_file(dir.join("key")).unwrap();
    }
}

/// Protects: what is asked wrongly is one line and exit code 2, and nothing appears.
#[test]
fn bad_requests() {
    let dir = with_keys("bad_requests");
    let before = names(&dir);
    fs::write(dir.join("empty"), "# nothing\n\n").unwrap();
    fs::write(dir.join("binary"), [0xff; 100]).unwrap();
    fs::write(dir.join("wrong"), "\nage1pq1qqq\n").unwrap();
    fs::write(dir.join("long"), vec![b'a'; 1 << 17]).unwrap();
    let (key, private) = (fs::read_to_string(dir.join("recipients")).unwrap(), "AGE-SECRET-KEY-PQ-1QQQ");
    let damaged = key.trim().replacen("age1pq1", "age1pq1q", 1);
    let excerpt = damaged.chars().take(40).collect::<String>();
    let no_identity = "recipients, line 1: no private key: none of AGE-SECRET-KEY-PQ-1..., \
                       AGE-PLUGIN-RINGSMITH-1... and AGE-SECRET-KEY-1...";
    let cases: &[(&[&str], &str)] = &[
        (&["encrypt", "letter"], "no recipient: name a public key with -r, or a file of them with -R"),
        (
            &["encrypt", "-r", "bob", "letter"],
            "no recipient: 'bob' is none of age1pq1..., age1ringsmith1... and age1...",
        ),
        (
            &["encrypt", "-r", private, "letter"],
            "no recipient: this is a private key, which decrypts; its public key begins with age1",
        ),
        (
            &["encrypt", "-r", "age-plugin-ringsmith-1qqq", "letter"],
            "no recipient: this is a private key, which decrypts; its public key begins with age1",
        ),
        (
            &["encrypt", "-r", &damaged, "letter"],
            &format!("no recipient: a character is wrong or missing: '{excerpt}...'"),
        ),
        (&["encrypt", "-R", "empty", "letter"], "empty holds no recipient"),
        (&["encrypt", "-R", "binary", "letter"], "binary holds no recipient"),
        (
            &["encrypt", "-R", "wrong", "letter"],
            "wrong, line 2: no recipient: a character is wrong or missing: 'age1pq1qqq'",
        ),
        (
            &["encrypt", "-R", "long", "letter"],
            "long, line 1: longer than 8192 bytes, the most that a line may have",
        ),
        (&["encrypt", "-R", "none", "letter"], "cannot read none: no such file or directory"),
        (&["encrypt", "-R", "recipients", "none"], "cannot read none: no such file or directory"),
        (&["encrypt", "-R", "recipients", "."], "cannot read .: it is a directory"),
        (&["encrypt", "-R", "-", "-"], "standard input is named more than once"),
        (
            &["encrypt", "-i", "old", "-i", "key", "letter"],
            "post-quantum and classical recipients cannot be mixed: the file would be as weak as the weakest",
        ),
        (
            &["encrypt", "-R", "recipients", "-o", "key", "letter"],
            "key exists already, and is not overwritten",
        ),
        (
            &["encrypt", "-R", "recipients", "-o", "no/where", "letter"],
            "cannot write no/where: no such file or directory",
        ),
        (&["decrypt", "-i", "recipients", "letter"], no_identity),
        (&["decrypt", "-i", "-", "-"], "standard input is named more than once"),
        (&["decrypt", "-i", "none", "letter"], "cannot read none: no such file or directory"),
        (&["decrypt", "-i", "key", "."], "cannot read .: it is a directory"),
        (&["keygen", "-o", "key"], "key exists already, and is not overwritten"),
        (
            &["keygen", "--kind", "frodo"],
            "invalid value 'frodo' for '--kind <KIND>' [possible values: mlkem768x25519, sntrup761x25519, \
             ml-dsa-44, ml-dsa-65, ml-dsa-87]",
        ),
        (
            &["keygen", "--kind", "sntrup761x25519", "--classical"],
            "the argument '--kind <KIND>' cannot be used with '--classical'",
        ),
        (&["keygen", "-y", "recipients"], no_identity),
    ];
    for (args, expected) in cases {
        let output = run(&dir, args);
        assert_eq!(one_error(&output, 2), format!("ringsmith: {expected}"), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    ["empty", "binary", "wrong", "long"].iter().for_each(|name| fs::remove_file(dir.join(name)).unwrap());
    assert_eq!(names(&dir), before);
}

/// Protects: a file that is none, is for others, or was altered or cut, is one line and exit code 1, and
/// nothing appears; a pipe gets whole authentic pieces alone.
#[test]
fn refused_files() {
    let dir = with_keys("refused_files");
    done(&dir, &["encrypt", "-R", "recipients", "-o", "age", "letter"]);
    let (file, letter) = (fs::read(dir.join("age")).unwrap(), fs::read(dir.join("letter")).unwrap());
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = file.clone();
        change(&mut file);
        file
    };
    let length = file.len();
    let cases: &[(Vec<u8>, &str, usize)] = &[
        (letter.clone(), "bad is no age file, or its header is damaged", 0),
        (vec![], "bad is cut off, or no age file", 0),
        (with(&|file| file.truncate(100)), "bad is cut off, or no age file", 0),
        (with(&|file| file[19] = b'2'), "bad is of an unknown version of the age format", 0),
        (with(&|file| file[100] ^= 1), "", 0),
        (with(&|file| file.truncate(length - 1)), "bad was altered or is damaged", 1 << 17),
        (with(&|file| file[length - 1] ^= 1), "bad was altered or is damaged", 1 << 17),
        (with(&|file| file[2000] ^= 1), "", 0),
        (with(&|file| file.push(0)), "bad was altered or is damaged", 1 << 17),
    ];
    for (bad, expected, authentic) in cases {
        fs::write(dir.join("bad"), bad).unwrap();
        let output = run(&dir, &["decrypt", "-i", "key", "-o", "copy", "bad"]);
        let line = one_error(&output, 1);
        assert!(expected.is_empty() || line == format!("ringsmith: {expected}"), "{line}");
        let output = run(&dir, &["decrypt", "-i", "key", "bad"]);
        one_error(&output, 1);
        assert_eq!(output.stdout, letter[..*authentic], "{line}");
    }
    let output = run(&dir, &["decrypt", "-i", "old", "age"]);
    assert_eq!(one_error(&output, 1), "ringsmith: age was not encrypted to any of these keys");
    assert_eq!(names(&dir), ["age", "bad", "key", "letter", "old", "prime", "recipients"]);
}

/// Protects: a private key that others may read is complained of, and used.
#[cfg(unix)]
#[test]
fn an_open_key() {
    use std::os::unix::fs::PermissionsExt;
    let dir = with_keys("an_open_key");
    fs::set_permissions(dir.join("key"), fs::Permissions::from_mode(0o644)).unwrap();
    let output = run(&dir, &["encrypt", "-i", "key", "-o", "age", "letter"]);
    assert!(output.status.success());
    let warning = "ringsmith: warning: key holds a private key, and others may read it\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), warning);
}

/// Protects: a full disk and a closed pipe end both commands, with the reason or quietly.
#[cfg(target_os = "linux")]
#[test]
fn outputs_that_fail() {
    let dir = with_keys("outputs_that_fail");
    done(&dir, &["encrypt", "-R", "recipients", "-o", "age", "letter"]);
    for args in [&["encrypt", "-R", "recipients", "letter"][..], &["decrypt", "-i", "key", "age"]] {
        support::refuses_a_full_disk(&dir, args);
        let mut child = ringsmith(&dir, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.stderr.is_empty() && output.status.code() == Some(141), "{args:?}: {output:?}");
    }
}

/// Protects: an interrupted command leaves nothing behind, whoever asked it to end.
#[cfg(target_os = "linux")]
#[test]
fn interrupted() {
    use std::io::Write;
    let dir = with_keys("interrupted");
    let before = names(&dir);
    for signal in ["-INT", "-TERM", "-HUP"] {
        // What starts the tests may ignore signals, and what it starts would too.
        let mut command = std::process::Command::new("env");
        command.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_ringsmith")]);
        command.args(["encrypt", "-R", "recipients", "-o", "age"]).current_dir(&dir);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // More than a pipe holds: when all is written the command has begun, and it waits for more.
        stdin.write_all(&vec![0; 1 << 20]).unwrap();
        assert_eq!(names(&dir).len(), before.len() + 1, "{signal}");
        let kill = std::process::Command::new("kill").arg(signal).arg(child.id().to_string()).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(names(&dir), before, "{signal}");
    }
}

/// Protects: the tour leaves key, encrypted file and copy where it is told, and otherwise nothing; it
/// overwrites nothing.
#[test]
fn the_tour_of_a_file() {
    let dir = with_keys("the_tour_of_a_file");
    let tour = |args: &[&str]| {
        let mut command = ringsmith(&dir, &[&["tour"], args].concat());
        command.env("RINGSMITH_CPU", BASELINE).env("TMPDIR", &dir).output().unwrap()
    };
    let before = names(&dir);
    assert!(tour(&["letter"]).status.success());
    assert_eq!(names(&dir), before);
    assert!(tour(&["--keep", "kept/here", "letter"]).status.success());
    assert_eq!(names(&dir.join("kept/here")), ["key.txt", "letter", "letter.age"]);
    let copy = done(&dir, &["decrypt", "-i", "kept/here/key.txt", "kept/here/letter.age"]);
    assert_eq!(copy, fs::read(dir.join("letter")).unwrap());
    let errors: [(&[&str], &str); 4] = [
        (&["--keep", "kept/here", "letter"], "kept/here/key.txt exists already, and is not overwritten"),
        (&["--keep", "letter"], "cannot write letter: "),
        (&["none"], "cannot read none: no such file or directory"),
        (&["-"], "'-' names no file; the tour reads one twice"),
    ];
    for (args, expected) in errors {
        assert!(one_error(&tour(args), 2).starts_with(&format!("ringsmith: {expected}")), "{args:?}");
    }
}
