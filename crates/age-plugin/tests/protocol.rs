//! The plugin as a client sees it: both parts of the protocol, spoken by hand, and keys.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the plugin on an input.
fn plugin(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_age-plugin-ringsmith"))
        .args(args)
        .env_remove("RINGSMITH_CPU")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_string());
    let writer = std::thread::spawn(move || _ = stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// What it wrote, where it succeeded.
fn said(args: &[&str], input: &str) -> String {
    let output = plugin(args, input);
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The kinds of keys, which are the names of their stanzas.
const KINDS: [&str; 2] = ["mlkem768x25519", "sntrup761x25519"];

/// A new key of the usual kind: recipient and identity.
fn key() -> [String; 2] {
    key_of(KINDS[0])
}

fn key_of(kind: &str) -> [String; 2] {
    let text = said(&["--generate", "--kind", kind], "");
    let (comment, identity) = text.trim_end().split_once('\n').unwrap();
    let recipient = comment.strip_prefix("# public key: ").unwrap();
    assert!(recipient.starts_with("age1ringsmith1") && identity.starts_with("AGE-PLUGIN-RINGSMITH-1"));
    [recipient, identity].map(String::from)
}

/// Sixteen bytes of a file's key.
const FILE_KEY: &str = "AAECAwQFBgcICQoLDA0ODw";
/// A client's answers to all that the plugin sends. Among it are stanzas of no meaning, a random number of
/// them, and the plugin waits for an answer to each.
fn answers() -> String {
    "-> ok\n\n".repeat(100)
}

/// The stanzas that wrap the file's key, as a client that knows labels gets them.
fn wrapped(keys: &str) -> String {
    let request =
        format!("{keys}-> wrap-file-key\n{FILE_KEY}\n-> extension-labels\n\n-> done\n\n{}", answers());
    said(&["--age-plugin", "recipient-v1"], &request)
}

/// The tag, arguments and body of the first stanza, as an identity is asked for it.
fn asked(answer: &str) -> &str {
    let (_, stanza) = answer.split_once("-> recipient-stanza 0 ").unwrap();
    stanza.split_once("-> ").map_or(stanza, |(stanza, _)| stanza)
}

fn unwrapped(identity: &str, stanza: &str) -> String {
    let request =
        format!("-> add-identity {identity}\n\n-> recipient-stanza 0 {stanza}-> done\n\n{}", answers());
    said(&["--age-plugin", "identity-v1"], &request)
}

/// Protects: a file's key that was wrapped to a recipient, or to an identity, is unwrapped by that identity
/// and no other; its label is said.
#[test]
fn a_file_key_there_and_back() {
    KINDS.into_iter().for_each(there_and_back);
}

fn there_and_back(kind: &str) {
    let ([recipient, identity], others) = (key_of(kind), KINDS.map(key_of));
    for keys in [format!("-> add-recipient {recipient}\n\n"), format!("-> add-identity {identity}\n\n")] {
        let answer = wrapped(&keys);
        assert!(answer.contains("-> labels postquantum\n"), "{answer}");
        let stanza = asked(&answer);
        assert!(stanza.starts_with(&format!("{kind} ")), "{stanza}");
        let opened = unwrapped(&identity, stanza);
        assert!(opened.contains(&format!("-> file-key 0\n{FILE_KEY}\n")), "{opened}");
        for [_, other] in &others {
            assert!(!unwrapped(other, stanza).contains("file-key"));
        }
        let unknown = stanza.replacen("x25519", "x25520", 1);
        assert!(!unwrapped(&identity, &unknown).contains("-> error"));
        let malformed = stanza.replacen("x25519 ", "x25519 A", 1);
        assert!(unwrapped(&identity, &malformed).contains("-> error stanza 0 0\n"));
    }
}

/// Protects: of several identities, the one that a stanza is for opens it; a malformed stanza is one error,
/// however many there are.
#[test]
fn several_identities() {
    for kind in KINDS {
        let (keys, [_, absent]) = ([(); 3].map(|()| key_of(kind)), key_of(kind));
        let identities = keys.each_ref().map(|[_, identity]| identity.as_str());
        let all = identities.join("\n\n-> add-identity ");
        for [recipient, _] in &keys {
            let answer = wrapped(&format!("-> add-recipient {recipient}\n\n"));
            let stanza = asked(&answer);
            let opened = unwrapped(&all, stanza);
            assert!(opened.contains(&format!("-> file-key 0\n{FILE_KEY}\n")), "{opened}");
            assert!(!unwrapped(&absent, stanza).contains("file-key"));
            let malformed = unwrapped(&all, &stanza.replacen("x25519 ", "x25519 A", 1));
            assert_eq!(malformed.matches("-> error stanza 0 0\n").count(), 1, "{malformed}");
        }
    }
}

/// Protects: a client that knows no labels is refused, because it would let classical recipients in beside
/// ours.
#[test]
fn a_client_without_labels() {
    let [recipient, _] = key();
    let request =
        format!("-> add-recipient {recipient}\n\n-> wrap-file-key\n{FILE_KEY}\n-> done\n\n{}", answers());
    let answer = said(&["--age-plugin", "recipient-v1"], &request);
    assert!(answer.contains("-> error internal\n") && !answer.contains("recipient-stanza"), "{answer}");
}

/// Protects: a key of another plugin, or a damaged one, is an error that names the key.
#[test]
fn keys_that_are_none() {
    let [recipient, identity] = key();
    let damaged = recipient.replacen("ringsmith1", "ringsmith1q", 1);
    let answer = wrapped(&format!("-> add-recipient {recipient}\n\n-> add-recipient {damaged}\n\n"));
    assert!(answer.contains("-> error recipient 1\n"), "{answer}");
    let answer = unwrapped(&identity.replacen("SMITH-1", "SMITH-1Q", 1), "x\n\n");
    assert!(answer.contains("-> error identity 0\n"), "{answer}");
}

/// Protects: keys of age in its native form become keys of the plugin; anything else is one line, and exit
/// code 2.
#[test]
fn converted_keys() {
    let [recipient, identity] = key_of(KINDS[1]);
    let both = said(&["--convert"], &format!("# a comment\n\n{identity}\n{identity}\n"));
    assert_eq!(both, format!("# public key: {recipient}\n{identity}\n").repeat(2));
    let classical = "AGE-SECRET-KEY-1QQQ";
    for (input, expected) in [
        ("", "standard input holds no private key"),
        (classical, "standard input, line 1: no post-quantum private key: a text of another kind"),
        (&"#".repeat(70_000), "standard input is longer than 65536 bytes"),
    ] {
        let output = plugin(&["--convert"], input);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr), (Some(2), format!("age-plugin-ringsmith: {expected}\n")));
        assert!(output.stdout.is_empty());
    }
}

/// Protects: what is no protocol ends with an error, not with a panic.
#[test]
fn no_protocol() {
    for (part, input) in [
        ("recipient-v1", ""),
        ("recipient-v1", "junk\n"),
        ("recipient-v1", "-> done\n\n"),
        ("identity-v1", "-> add-identity\n"),
        ("identity-v1", "\u{0}\n\n"),
        ("another-v1", ""),
    ] {
        let output = plugin(&["--age-plugin", part], input);
        assert_eq!(output.status.code(), Some(2), "{part} {input:?}: {output:?}");
        assert!(output.stderr.starts_with(b"age-plugin-ringsmith: "), "{output:?}");
    }
}
