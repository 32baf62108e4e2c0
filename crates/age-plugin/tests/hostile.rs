//! Clients that do not keep to the protocol, and systems that fail: `hostile/protocol.cases`.
#![cfg(target_os = "linux")]

#[path = "../../cli/tests/support/cases.rs"]
mod cases;
#[path = "../../cli/tests/support/randomness.rs"]
mod randomness;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PLUGIN: &str = env!("CARGO_BIN_EXE_age-plugin-ringsmith");

/// A directory with a private key and its recipient.
fn with_keys(test: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    let made = Command::new(PLUGIN).arg("--generate").output().unwrap().stdout;
    let text = String::from_utf8(made).unwrap();
    let (comment, identity) = text.trim_end().split_once('\n').unwrap();
    fs::write(dir.join("identity"), identity).unwrap();
    fs::write(dir.join("recipient"), comment.strip_prefix("# public key: ").unwrap()).unwrap();
    dir
}

/// Protects: whatever a client sends, the plugin ends in bounded time and memory, with an error where there
/// is one, and never by a panic; a client that refuses what it is told is told the rest.
#[test]
fn protocol() {
    cases::check(&with_keys("hostile_protocol"), PLUGIN, include_str!("hostile/protocol.cases"));
}

/// Protects: where the system fails to give randomness, at whichever call, the plugin says so, and no stanza
/// or key is given out.
#[test]
fn no_randomness() {
    let dir = with_keys("hostile_no_randomness");
    let recipient = fs::read_to_string(dir.join("recipient")).unwrap();
    let request = format!(
        "-> add-recipient {recipient}\n\n-> wrap-file-key\nAAECAwQFBgcICQoLDA0ODw\n-> extension-labels\n\n\
         -> done\n\n{}",
        "-> ok\n\n".repeat(100)
    );
    for (args, input) in [
        (&["--generate"][..], ""),
        (&["--generate", "--kind", "sntrup761x25519"], ""),
        (&["--age-plugin=recipient-v1"], &request),
    ] {
        randomness::at_every_call(&dir, |environment| {
            let mut command = Command::new(PLUGIN);
            command.args(args).envs(environment.iter().map(|(name, value)| (name, value)));
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            // The plugin may leave before it has read all.
            let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
            let output = child.wait_with_output().unwrap();
            let says = String::from_utf8_lossy(&output.stdout).into_owned();
            let gave = says.contains("-> recipient-stanza") || says.contains("AGE-PLUGIN");
            let failed = !output.status.success() || says.contains("-> error internal");
            assert!(failed != gave, "{args:?} {environment:?}: {output:?}");
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            let said = stderr.contains("the system gives no random bytes") && stderr.lines().count() == 1;
            assert!(
                output.status.success() || output.status.code() == Some(2) && said,
                "{args:?}: {output:?}"
            );
            failed
        });
    }
}
