//! What comes with encrypted files: keys as text, and the stanzas of a header.

use age::Identity as _;
use age::armor::{ArmoredReader, ArmoredWriter, Format};
use age::{DecryptError, Decryptor, Encryptor};
use age_core::format::Stanza;
use ringsmith_age::{
    CommandsError, HeaderError, Identity, PLUGIN, Recipient, classical_recipient, decryptor, forward_commands,
};
use std::io::{Read, Write};
use std::sync::LazyLock;

/// The plugin's bytes of the kinds.
const KINDS: [u8; 2] = [1, 2];

/// One of each kind, always the same.
static IDENTITIES: LazyLock<[Identity; 2]> = LazyLock::new(|| {
    KINDS.map(|kind| {
        let key = [&[kind][..], &[7; 32]].concat();
        Identity::from_plugin(PLUGIN, &key).expect("bytes of the right length")
    })
});

pub(super) fn key_texts() -> Vec<Vec<u8>> {
    let texts = |identity: &Identity| {
        let recipient = identity.to_recipient();
        let own = [identity.to_text().to_string(), identity.to_plugin_text().to_string()];
        own.into_iter().chain([recipient.to_string(), recipient.to_plugin_text()])
    };
    IDENTITIES.iter().flat_map(texts).chain([CLASSICAL.into()]).map(String::into_bytes).collect()
}

/// The recipient whose point is nine.
const CLASSICAL: &str = "age1pyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq8r66x";

/// A text may be in capitals or not: its key's own text is the same then.
pub(super) fn key_text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(recipient) = Recipient::parse(text) {
        let [native, by_plugin] = [recipient.to_string(), recipient.to_plugin_text()];
        assert!(native.eq_ignore_ascii_case(text) || by_plugin.eq_ignore_ascii_case(text));
        assert!(Recipient::parse(&native) == Ok(recipient.clone()));
        assert!(Recipient::parse(&by_plugin) == Ok(recipient));
    }
    if let Ok(recipient) = classical_recipient(text) {
        assert!(recipient.to_string().eq_ignore_ascii_case(text));
        // It does not panic for the point.
        let file = Encryptor::with_recipients([&recipient as _].into_iter());
        assert!(file.is_ok());
    }
    if let Ok(identity) = Identity::parse(text) {
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

/// Encrypted files: for each of [`IDENTITIES`], binary and as text.
pub(super) fn whole() -> Vec<Vec<u8>> {
    let file = |identity: &Identity, format| {
        let recipient = identity.to_recipient();
        let encryptor = Encryptor::with_recipients([&recipient as _].into_iter()).expect("randomness");
        let armor = ArmoredWriter::wrap_output(Vec::new(), format).expect("memory");
        let mut writer = encryptor.wrap_output(armor).expect("memory");
        writer.write_all(b"contents").expect("memory");
        writer.finish().and_then(ArmoredWriter::finish).expect("memory")
    };
    let formats = |identity| [Format::Binary, Format::AsciiArmor].map(|format| file(identity, format));
    IDENTITIES.iter().flat_map(formats).collect()
}

/// A header is read, or refused, as the crate `age` does it, within the limits; and what is behind it is the
/// same.
pub(super) fn header(bytes: &[u8]) {
    let own = decryptor(bytes);
    let other = Decryptor::new_buffered(ArmoredReader::new(bytes));
    let identities = || IDENTITIES.iter().map(|identity| identity as &dyn age::Identity);
    match (own, other) {
        (Ok(own), Ok(other)) => match (own.decrypt(identities()), other.decrypt(identities())) {
            (Ok(mut own), Ok(mut other)) => {
                let (mut first, mut second) = (Vec::new(), Vec::new());
                let ends = (own.read_to_end(&mut first).is_ok(), other.read_to_end(&mut second).is_ok());
                assert!(ends.0 == ends.1 && first == second);
            }
            (own, other) => assert_eq!(own.is_ok(), other.is_ok()),
        },
        (Err(HeaderError::Age(_)), Err(_)) => {}
        (Err(HeaderError::LongLine | HeaderError::TooLong | HeaderError::TooManyWords), _) => {}
        (own, other) => panic!("own {:?}, other {:?}", own.err(), other.err().map(described)),
    }
}

fn described(why: DecryptError) -> String {
    why.to_string()
}

/// What clients say.
pub(super) fn sessions() -> Vec<Vec<u8>> {
    let identity = IDENTITIES[0].to_plugin_text();
    let recipient = IDENTITIES[1].to_recipient().to_plugin_text();
    let wrap =
        format!("-> add-recipient {recipient}\n\n-> wrap-file-key\nAAECAwQFBgcICQoLDA0ODw\n-> done\n\n");
    let unwrap = format!("-> add-identity {}\n\n-> recipient-stanza 0 f\n\n-> done\n\n", *identity);
    let answers = "-> ok\n\n-> fail\n\n-> unsupported more\n\n";
    [wrap, unwrap, answers.into()].into_iter().map(String::into_bytes).collect()
}

/// What is handed on is what was sent, line by line, but for two answers; up to where a limit is exceeded.
pub(super) fn commands(bytes: &[u8]) {
    let mut taken = Vec::new();
    let ended = forward_commands(bytes, &mut taken);
    assert!(!matches!(ended, Err(CommandsError::Io(_))));
    let sent = bytes.split_inclusive(|byte| *byte == b'\n');
    let mut taken = taken.split_inclusive(|byte| *byte == b'\n');
    for line in sent {
        match taken.next() {
            Some(same) if same == line => {}
            Some(b"-> ok\n") => assert!(line.starts_with(b"-> fail") || line.starts_with(b"-> unsupported")),
            Some(_) => panic!("another line"),
            None => return assert!(ended.is_err()),
        }
    }
    assert!(taken.next().is_none());
}
