//! What comes with encrypted files: keys as text, and the stanzas of a header.

use age::Identity as _;
use age_core::format::Stanza;
use ringsmith_age::{Identity, PLUGIN, Recipient};
use ringsmith_simd::Cpu;
use std::sync::LazyLock;

/// The plugin's bytes of the kinds.
const KINDS: [u8; 2] = [1, 2];

/// One of each kind, always the same.
static IDENTITIES: LazyLock<[Identity; 2]> = LazyLock::new(|| {
    KINDS.map(|kind| {
        let key = [&[kind][..], &[7; 32]].concat();
        Identity::from_plugin(Cpu::detect(), PLUGIN, &key).expect("bytes of the right length")
    })
});

pub(super) fn key_texts() -> Vec<Vec<u8>> {
    let texts = |identity: &Identity| {
        let recipient = identity.to_recipient();
        let own = [identity.to_text().to_string(), identity.to_plugin_text().to_string()];
        own.into_iter().chain([recipient.to_string(), recipient.to_plugin_text()])
    };
    IDENTITIES.iter().flat_map(texts).map(String::into_bytes).collect()
}

/// A text may be in capitals or not: its key's own text is the same then.
pub(super) fn key_text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let cpu = Cpu::detect();
    if let Ok(recipient) = Recipient::parse(cpu, text) {
        let [native, by_plugin] = [recipient.to_string(), recipient.to_plugin_text()];
        assert!(native.eq_ignore_ascii_case(text) || by_plugin.eq_ignore_ascii_case(text));
        assert!(Recipient::parse(cpu, &native) == Ok(recipient.clone()));
        assert!(Recipient::parse(cpu, &by_plugin) == Ok(recipient));
    }
    if let Ok(identity) = Identity::parse(cpu, text) {
        let [native, by_plugin] = [identity.to_text(), identity.to_plugin_text()];
        assert!(native.eq_ignore_ascii_case(text) || by_plugin.eq_ignore_ascii_case(text));
    }
}

/// A stanza for each of [`IDENTITIES`], as [`stanza`] takes it.
pub(super) fn stanzas() -> Vec<Vec<u8>> {
    use age::Recipient as _;
    let file_key = age_core::format::FileKey::new(Box::new([9; 16]));
    let wrapped = |identity: &Identity| {
        let (stanzas, _) = identity.to_recipient().wrap_file_key(&file_key).expect("randomness");
        stanzas
    };
    let as_bytes = |stanza: Stanza| {
        let line = std::iter::once(stanza.tag).chain(stanza.args).collect::<Vec<_>>().join(" ");
        [line.as_bytes(), b"\n", &stanza.body].concat()
    };
    IDENTITIES.iter().flat_map(wrapped).map(as_bytes).collect()
}

/// The tag and the arguments are a line, the body follows.
pub(super) fn stanza(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |byte| *byte == b'\n');
    let (line, body) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let Ok(line) = std::str::from_utf8(line) else { return };
    let mut words = line.split(' ').map(String::from);
    let tag = words.next().unwrap_or_default();
    let stanza = Stanza { tag, args: words.collect(), body: body.to_vec() };
    // One that is accepted is one that somebody sealed for this key.
    IDENTITIES.iter().for_each(|identity| _ = identity.unwrap_stanza(&stanza));
}
