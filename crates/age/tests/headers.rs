//! Headers and commands at the limits, just below and just above.

use age::armor::{ArmoredWriter, Format};
use age::{DecryptError, Encryptor};
use ringsmith_age::{
    CommandsError, HEADER_BYTES, HEADER_WORDS, HeaderError, Identity, Kind, LINE_BYTES, decryptor,
    forward_commands,
};
use std::io::{self, Read, Write};

/// A file of no contents with these stanzas.
fn file(stanzas: &str) -> Vec<u8> {
    let header = format!("age-encryption.org/v1\n{stanzas}--- {}\n", "A".repeat(43));
    [header.as_bytes(), &[0; 16]].concat()
}

/// What is said of a file; nothing where its header is accepted.
fn said(file: &[u8]) -> Option<HeaderError> {
    decryptor(file).err()
}

/// Protects: a line of the greatest length is taken, and no longer one.
#[test]
fn lines() {
    let stanza = |bytes: usize| format!("-> {}\n\n", "a".repeat(bytes - "-> \n".len()));
    assert!(said(&file(&stanza(LINE_BYTES))).is_none());
    assert!(matches!(said(&file(&stanza(LINE_BYTES + 1))), Some(HeaderError::LongLine)));
}

/// Protects: a header of the greatest length is taken, and no longer one.
#[test]
fn headers() {
    let around = file("").len() - 16;
    let header = |bytes: usize| {
        let line = |bytes: usize| format!("-> {}\n\n", "a".repeat(bytes - "-> \n\n".len()));
        let whole = (bytes - around) / LINE_BYTES - 1;
        let rest = bytes - around - whole * LINE_BYTES;
        let [half, other] = [rest / 2, rest - rest / 2];
        file(&(line(LINE_BYTES).repeat(whole) + &line(half) + &line(other)))
    };
    assert_eq!(header(HEADER_BYTES).len(), HEADER_BYTES + 16);
    assert!(said(&header(HEADER_BYTES)).is_none());
    assert!(matches!(said(&header(HEADER_BYTES + 1)), Some(HeaderError::TooLong)));
}

/// Protects: the greatest number of words is taken, and no greater one, whether they are types or arguments.
#[test]
fn words() {
    for stanza in ["-> a\n\n", "-> a b c d\n\n"] {
        let words = stanza.matches(' ').count();
        let most = HEADER_WORDS / words;
        assert!(said(&file(&stanza.repeat(most))).is_none());
        assert!(matches!(said(&file(&stanza.repeat(most + 1))), Some(HeaderError::TooManyWords)));
    }
}

/// Protects: a malformed header is called one, and another version another version; a file that ends too
/// early is cut off.
#[test]
fn other_headers() {
    let age = |why| if let Some(HeaderError::Age(why)) = why { why } else { panic!("a limit") };
    for malformed in ["-> \n\n", "-> a\nA\n", "text\n", ""] {
        assert!(matches!(age(said(&file(malformed))), DecryptError::InvalidHeader), "{malformed}");
    }
    let other = String::from_utf8(file("-> a\n\n")).expect("text").replacen("v1", "v2", 1);
    assert!(matches!(age(said(other.as_bytes())), DecryptError::UnknownFormat));
    let whole = file("-> a\n\n");
    for cut in 0..whole.len() {
        assert!(
            matches!(age(said(&whole[..cut])), DecryptError::Io(_) | DecryptError::InvalidHeader),
            "{cut}"
        );
    }
    assert!(matches!(age(said(&[b'x'; 1000])), DecryptError::InvalidHeader));
}

/// A reader that gives a byte at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let most = bytes.len().min(1);
        self.0.read(&mut bytes[..most])
    }
}

/// Protects: what is behind a header comes out, binary or as text, however the file is read.
#[test]
fn contents() {
    let identity = Identity::generate(Kind::default()).expect("randomness");
    let (recipient, contents) = (identity.to_recipient(), vec![b'c'; 70_000]);
    for format in [Format::Binary, Format::AsciiArmor] {
        let encryptor = Encryptor::with_recipients([&recipient as _].into_iter()).expect("randomness");
        let armor = ArmoredWriter::wrap_output(Vec::new(), format).expect("memory");
        let mut writer = encryptor.wrap_output(armor).expect("memory");
        writer.write_all(&contents).expect("memory");
        let file = writer.finish().and_then(ArmoredWriter::finish).expect("memory");
        let decrypted = |reader: &mut dyn Read| {
            let mut read = Vec::new();
            let decryptor = decryptor(reader).expect("its own header");
            let mut reader = decryptor.decrypt([&identity as _].into_iter()).expect("its own key");
            reader.read_to_end(&mut read).expect("a whole file");
            read
        };
        assert!(decrypted(&mut &file[..]) == contents && decrypted(&mut Slow(&file)) == contents);
    }
}

/// Protects: text with a line above the limit ends with an error, without more than that being read.
#[test]
fn endless_armor() {
    let mut read = 0;
    struct Endless<'a>(&'a mut usize);
    impl Read for Endless<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            bytes.fill(b'A');
            *self.0 += bytes.len();
            Ok(bytes.len())
        }
    }
    let begin = b"-----BEGIN AGE ENCRYPTED FILE-----\n";
    let why = decryptor(begin.chain(Endless(&mut read))).err();
    let Some(HeaderError::Age(DecryptError::Io(why))) = why else { panic!("another error, or none") };
    assert_eq!(why.kind(), io::ErrorKind::InvalidData);
    assert!(read < 2 * LINE_BYTES);
}

/// Protects: commands are handed on as they are, but for two answers, up to each limit.
#[test]
fn commands() {
    let forwarded = |sent: &[u8]| {
        let mut taken = Vec::new();
        forward_commands(sent, &mut taken).map(|()| taken)
    };
    let same = b"-> add-identity A\n\n-> failure\n\nfail\n-> f\nAAAA\n";
    assert_eq!(forwarded(same).expect("few"), same);
    let answers = b"-> fail\n\n-> fail for a reason\n\n-> unsupported\n\n";
    assert_eq!(forwarded(answers).expect("few"), b"-> ok\n\n-> ok\n\n-> ok\n\n");
    assert_eq!(forwarded(b"-> cut").expect("few"), b"-> cut");
    let too_much = |sent: &[u8], of: &str| match forwarded(sent) {
        Err(CommandsError::TooMuch { what, .. }) => assert_eq!(what, of),
        other => panic!("{:?}", other.map(|taken| taken.len())),
    };
    let line = |bytes: usize| [&b"-> "[..], &vec![b'a'; bytes - 4], b"\n"].concat();
    assert!(forwarded(&line(LINE_BYTES)).is_ok());
    too_much(&line(LINE_BYTES + 1), "a line");
    let body = |lines: usize| [&b"-> f\n"[..], &b"AAAA\n".repeat(lines - 1)].concat();
    assert!(forwarded(&body(128)).is_ok());
    too_much(&body(129), "a stanza");
    assert!(forwarded(&b"-> f\n".repeat(HEADER_WORDS)).is_ok());
    too_much(&b"-> f\n".repeat(HEADER_WORDS + 1), "all");
    let whole = 2 * HEADER_BYTES / LINE_BYTES;
    assert!(forwarded(&line(LINE_BYTES).repeat(whole)).is_ok());
    too_much(&line(LINE_BYTES).repeat(whole + 1), "all");
}
