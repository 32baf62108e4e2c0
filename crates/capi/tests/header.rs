//! The headers: made of the sources by cbindgen, and of the lists of schemes.
//!
//! They are in the tree, as users read them. Where they differ from what is made, the tests say so;
//! `RINGSMITH_BLESS=1 cargo test -p ringsmith-capi --features all --test header` writes them anew.
#![cfg(feature = "all")]

use ringsmith::scheme;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a file with what is made, or writes it.
fn compare(file: &str, made: &str) {
    let path = folder().join(file);
    if std::env::var_os("RINGSMITH_BLESS").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == made, "{file} is not what the sources make: RINGSMITH_BLESS=1 writes it anew");
}

/// The modules that are sections of the header. They stand in it in the order of `src/lib.rs`.
const SECTIONS: [&str; 5] = ["kem", "signature", "pke", "exchange", "ring"];

/// What a module says of all that it has, as a comment of C.
fn introduction(module: &str) -> String {
    let text = std::fs::read_to_string(folder().join(format!("src/{module}.rs"))).unwrap();
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let lines = lines.filter(|line| !line.contains("include/ringsmith.h"));
    let lines = lines.map(|line| format!(" *{}", line.replace(" # ", " ")));
    format!("/*\n{}\n */", plain(&lines.collect::<Vec<_>>().join("\n")))
}

/// Words of Rust's documentation, and of cbindgen's, in those of C.
const WORDS: [(&str, &str); 7] = [
    ("[`Error`]", "`ringsmith_error`"),
    ("[`", "`"),
    ("`]", "`"),
    (" * # Safety\n", " * Pointers:\n"),
    ("RINGSMITH_ERROR_OK", "RINGSMITH_OK"),
    ("// __cplusplus", "/* __cplusplus */"),
    ("// extern \"C\"", "/* extern \"C\" */"),
];

fn plain(text: &str) -> String {
    WORDS.iter().fold(text.to_string(), |text, (theirs, ours)| text.replace(theirs, ours))
}

/// Comments of one line on one line, where it is not too long.
fn short(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        lines.push(line.to_string());
        if let [.., begin, middle, end] = &lines[..]
            && (begin.trim(), end.trim()) == ("/**", "*/")
        {
            let one = format!("{begin} {} */", middle.trim_start().trim_start_matches("* "));
            if one.len() <= 110 {
                lines.truncate(lines.len() - 3);
                lines.push(one);
            }
        }
    }
    lines.join("\n") + "\n"
}

/// Each section's introduction before its first function.
fn with_introductions(text: &str) -> String {
    let mut parts: Vec<String> = text.split("\n\n").map(String::from).collect();
    for module in SECTIONS {
        let prefix = format!("ringsmith_{module}_");
        let first =
            parts.iter().position(|part| functions(part).iter().any(|name| name.starts_with(&prefix)));
        parts.insert(first.unwrap(), introduction(module));
    }
    parts.join("\n\n")
}

/// What cbindgen makes of the sources, in C's words.
fn header() -> String {
    let mut config = cbindgen::Config::from_file(folder().join("cbindgen.toml")).unwrap();
    config.header = Some(introduction("lib"));
    // It follows `mod` from there: another source would be declared twice.
    let builder = cbindgen::Builder::new().with_src(folder().join("src/lib.rs"));
    let mut text = Vec::new();
    builder.with_config(config).generate().unwrap().write(&mut text);
    let text = String::from_utf8(text).unwrap();
    let text = text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    short(&with_introductions(&plain(&text)))
}

/// A name as it is in constants.
fn constant(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect()
}

/// Constants of one scheme.
fn constants(name: &str, lengths: &[(&str, usize)]) -> String {
    let scheme = constant(name);
    let mut text = format!("\n#define RINGSMITH_{scheme}_NAME \"{name}\"\n");
    for (what, bytes) in lengths {
        writeln!(text, "#define RINGSMITH_{scheme}_{what}_BYTES {bytes}").unwrap();
    }
    text
}

fn of_kems() -> String {
    let of = |it: &&scheme::Scheme| {
        let lengths = [
            ("PUBLIC_KEY", it.public_key),
            ("PRIVATE_KEY", it.private_key),
            ("CIPHERTEXT", it.ciphertext),
            ("SHARED_KEY", it.shared_key),
            ("SEED", it.seed.as_ref().map_or(0, |seed| seed.bytes)),
        ];
        constants(it.name, if it.seed.is_some() { &lengths } else { &lengths[..4] })
    };
    scheme::ALL.iter().map(of).collect()
}

fn of_pkes() -> String {
    let of = |it: &&scheme::PublicKeyEncryption| {
        let lengths = [
            ("PUBLIC_KEY", it.public_key),
            ("PRIVATE_KEY", it.private_key),
            ("CIPHERTEXT", it.ciphertext),
            ("MESSAGE", it.message),
        ];
        constants(it.name, &lengths)
    };
    scheme::ENCRYPTIONS.iter().map(of).collect()
}

fn of_exchanges() -> String {
    let of = |it: &&scheme::KeyExchange| {
        let lengths = [
            ("SECRET", it.secret),
            ("OFFER", it.offer),
            ("RESPONSE", it.response),
            ("SHARED_KEY", it.shared_key),
        ];
        constants(it.name, &lengths)
    };
    scheme::EXCHANGES.iter().map(of).collect()
}

fn of_signatures() -> String {
    let of = |it: &&scheme::SignatureScheme| {
        let lengths = [
            ("PUBLIC_KEY", it.public_key),
            ("PRIVATE_KEY", it.private_key),
            ("SEED", it.seed),
            ("SIGNATURE", it.signature),
        ];
        constants(it.name, &lengths)
    };
    scheme::SIGNATURES.iter().map(of).collect()
}

/// The header of constants.
fn lengths() -> String {
    format!(
        "/* Names and lengths in bytes, as constants for arrays: of every scheme, whether a library was\n \
         * built with it or not.\n */\n\
         #ifndef RINGSMITH_SCHEMES_H\n#define RINGSMITH_SCHEMES_H\n\n\
         /* Key encapsulation. */\n{}\n/* Signatures. */\n{}\n/* Public-key encryption. */\n{}\n\
         /* Key exchanges. */\n{}\n#endif\n",
        of_kems(),
        of_signatures(),
        of_pkes(),
        of_exchanges()
    )
}

/// The functions that a header declares, in its order.
fn functions(header: &str) -> Vec<&str> {
    let names = header.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '(');
    names
        .filter_map(|name| name.split_once('('))
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("ringsmith_"))
        .collect()
}

/// Protects: the headers are those of the library.
#[test]
fn headers() {
    compare("include/ringsmith.h", &header());
    compare("include/ringsmith_schemes.h", &lengths());
}

/// Protects: a function is declared once.
#[test]
fn once() {
    let (header, mut seen) = (header(), BTreeSet::new());
    let twice: Vec<_> = functions(&header).into_iter().filter(|name| !seen.insert(*name)).collect();
    assert!(twice.is_empty(), "declared twice: {twice:?}");
}

/// Protects: every function of the library is declared, and no other one is; nobody else's names are among
/// what the shared library exports; and the manual page has them all.
#[cfg(target_os = "linux")]
#[test]
fn symbols() {
    let library = std::env::current_exe().unwrap().with_file_name("libringsmith_capi.so");
    let nm = std::process::Command::new("nm").args(["-D", "--defined-only"]).arg(library).output().unwrap();
    let (exported, header) = (String::from_utf8(nm.stdout).unwrap(), header());
    let exported: BTreeSet<&str> = exported.lines().filter_map(|line| line.split(' ').next_back()).collect();
    assert_eq!(exported, functions(&header).into_iter().collect());
    assert!(exported.len() > 50, "{exported:?}");
    let page = std::fs::read_to_string(folder().join("man/libringsmith.3")).unwrap();
    let words: BTreeSet<&str> = page.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let missing: Vec<_> = exported.difference(&words).collect();
    assert!(missing.is_empty(), "the manual page does not have {missing:?}");
}
