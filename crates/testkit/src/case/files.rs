//! Encrypted files: the texts of private keys, and the stanzas that they open.

use super::Case;
use crate::observe::observed;
use crate::operand::{make_defined, make_undefined};
use age::Identity as _;
use age::secrecy::ExposeSecret;
use age_core::format::{FileKey, Stanza};
use ringsmith_age::{Identity, PLUGIN, Recipient};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// The plugin's bytes of the kinds, with their names.
const KINDS: [(u8, &str); 2] = [(1, "mlkem768x25519"), (2, "sntrup761x25519")];

/// An identity of a kind, always the same; its seed is followed, as far as it is a secret. (It is the seed of
/// what is public too, which a tool that follows secrets is told where it is published.)
fn identity(cpu: Cpu, kind: u8) -> Identity {
    let mut key = [&[kind][..], &[9; 32]].concat();
    make_undefined(&mut key[1..]);
    Identity::from_plugin_on(cpu, PLUGIN, &key).expect("bytes of the right length")
}

/// Its recipient, of which nothing is a secret.
fn recipient(cpu: Cpu, kind: u8) -> Recipient {
    let key = [&[kind][..], &[9; 32]].concat();
    Identity::from_plugin_on(cpu, PLUGIN, &key).expect("bytes of the right length").to_recipient()
}

/// A stanza with a file's key.
fn stanza(cpu: Cpu, kind: u8) -> Stanza {
    let file_key = FileKey::new(Box::new([5; 16]));
    let wrapped = age::Recipient::wrap_file_key(&recipient(cpu, kind), &file_key);
    wrapped.expect("randomness").0.pop().expect("a stanza")
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    let cases = KINDS.map(|(kind, name)| {
        let case = |what: &str, run: Box<dyn Fn(Cpu, u64)>| Case {
            name: format!("{name} {what}"),
            counted: false,
            run,
        };
        [
            case(
                "write and read a private key's text",
                Box::new(move |cpu, _| {
                    let identity = identity(cpu, kind);
                    let read =
                        observed(|| Identity::parse_on(cpu, &identity.to_text()).expect("its own text"));
                    let mut text = read.to_text().as_bytes().to_vec();
                    make_defined(black_box(&mut text));
                }),
            ),
            case(
                "open a stanza",
                Box::new(move |cpu, _| {
                    let (identity, stanza) = (identity(cpu, kind), stanza(cpu, kind));
                    let opened =
                        observed(|| identity.unwrap_stanza(&stanza)).expect("it is for this identity");
                    let mut file_key = *opened.expect("a good stanza").expose_secret();
                    make_defined(black_box(&mut file_key));
                }),
            ),
        ]
    });
    cases.into_iter().flatten().collect()
}
