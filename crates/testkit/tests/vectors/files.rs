//! Files of any format: compressed, broken, none at all; and the program.

use crate::acvp::acvp_encapsulation;
use crate::cctv::cctv_listings;
use crate::support::{ALL_THREE, Sample, all_counts, check, cpu, error, flipped, given_file, hex};
use crate::wycheproof::wycheproof_file;
use flate2::write::GzEncoder;
use flate2::{Compression, Crc};
use lzma_rust2::{XzOptions, XzWriter};
use ringsmith::scheme;
use ringsmith_testkit::vectors::{Deterministic, report, table};
use std::io::Write;

fn xz(text: &str) -> Vec<u8> {
    let mut writer =
        XzWriter::new(Vec::new(), XzOptions::default()).expect("the options are those of a preset");
    writer.write_all(text.as_bytes()).expect("memory takes what it is given");
    writer.finish().expect("memory takes what it is given")
}

fn gzip(text: &str) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::best());
    writer.write_all(text.as_bytes()).expect("memory takes what it is given");
    writer.finish().expect("memory takes what it is given")
}

/// Protects: compressed files are checked as what is in them, and damage is an error.
#[test]
fn compressed_files() {
    let text = given_file();
    let (first, second) = text.split_at(text.len() / 2);
    for streams in [[xz(first), xz(second)], [gzip(first), gzip(second)]] {
        let tally = check(streams.concat()).expect("a file of two streams");
        assert_eq!(all_counts(&tally), ALL_THREE.map(|kind| (kind, [3, 0, 0])));
    }
    for (format, packed) in [("xz", xz(&text)), ("gzip", gzip(&text))] {
        let tally = check(&packed).expect("a compressed file");
        assert_eq!(all_counts(&tally), ALL_THREE.map(|kind| (kind, [3, 0, 0])), "{format}");
        let mut damaged = packed.clone();
        damaged[packed.len() / 2] ^= 1;
        let trailing = [&packed[..], b"more"].concat();
        // The first cut is within the data, the second within what follows it: index and checksum, or
        // checksum and size.
        let broken = [&packed[..packed.len() / 2], &packed[..packed.len() - 3], &damaged, &trailing];
        for (i, broken) in broken.into_iter().enumerate() {
            let said = error(broken);
            assert!(said.starts_with(&format!("can't be decompressed ({format}): ")), "{i}: {said}");
        }
    }
    assert_eq!(error(xz("")), "is empty");
}

/// Protects: a dictionary of 4 GiB, which a few bytes can ask for, is refused before it is allocated.
#[test]
fn a_huge_dictionary() {
    // XZ file format, section 3.1: after the header of 12 bytes the block's, its size in the first byte, the
    // dictionary's in the fifth, a checksum in the last four.
    const HEADER: usize = 12;
    const DICTIONARY: usize = HEADER + 4;
    let mut packed = xz("some text");
    let end = HEADER + 4 * usize::from(packed[HEADER]);
    assert_eq!(packed[HEADER + 2..DICTIONARY], [0x21, 1], "the LZMA2 filter with one byte");
    packed[DICTIONARY] = 40;
    let mut checksum = Crc::new();
    checksum.update(&packed[HEADER..end]);
    packed[end..end + 4].copy_from_slice(&checksum.sum().to_le_bytes());
    let said = error(packed);
    assert!(said.starts_with("can't be decompressed (xz): ") && said.contains("memory"), "{said}");
}

/// Protects: what is no file of vectors is refused in one line.
#[test]
fn no_vectors() {
    const UNKNOWN: &str = "has none of the formats: NIST response file, ACVP, Wycheproof, CCTV, Botan, \
                           NewHope or NTRUEncrypt in JSON";
    let cases: [(&[u8], &str); 11] = [
        (b"", "is empty"),
        (b"\n \n# a comment\n", "is empty"),
        (b"\xff\xfe", "is no text"),
        (b"some text", UNKNOWN),
        (b"name = value", UNKNOWN),
        (b"seed = 00\ncount = 1", UNKNOWN),
        (b"[dependencies]", UNKNOWN),
        (b"{\"algorithm\": \"ML-KEM\"}", UNKNOWN),
        (b"{}", "algorithm: missing"),
        (b"{\"algorithm\": \"ML-KEM\", ", "EOF while parsing a value at line 1 column 24"),
        (b"{} {}", "trailing characters at line 1 column 4"),
    ];
    for (contents, says) in cases {
        assert_eq!(error(contents), says, "{}", String::from_utf8_lossy(contents));
    }
    let deep = error("{\"algorithm\": ".repeat(100_000));
    assert!(!deep.contains('\n') && deep.len() < 200, "{deep}");
    let deep = error(format!("{{\"other\": {}", "[".repeat(100_000)));
    assert!(!deep.contains('\n') && deep.len() < 200, "{deep}");
}

/// Protects: nothing panics on a file that is cut short or has one wrong byte, and none of these passes as
/// the whole file.
#[test]
fn cut_and_changed_files() {
    const STEP: usize = 97;
    let [_, unlucky, _] = cctv_listings();
    let list = hex(Sample::new(1).bad_ek());
    let (acvp, wycheproof) = (acvp_encapsulation().to_string(), wycheproof_file().to_string());
    for text in [given_file(), unlucky, list, acvp, wycheproof] {
        let whole = check(&text).map(|tally| all_counts(&tally)).expect("a file");
        for end in (0..text.trim_end().len()).step_by(STEP) {
            let cut = check(&text[..end]);
            let passed = cut.is_ok_and(|tally| tally.failed() == 0 && all_counts(&tally) == whole);
            assert!(!passed, "cut at {end}");
        }
        for at in (0..text.len()).step_by(STEP) {
            for byte in [b'"', b'=', b'}', b'\n', b'z', 0xff] {
                let mut changed = text.clone().into_bytes();
                changed[at] = byte;
                let _ = check(changed);
            }
        }
    }
}

/// Protects: the deterministic forms are listed for every scheme that a format gives seeds for.
#[test]
fn deterministic_forms() {
    let names: Vec<_> = Deterministic::all().iter().map(|forms| forms.scheme.name).collect();
    assert_eq!(names, ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"]);
    assert!(names.iter().all(|name| scheme::by_name(name).and_then(Deterministic::of).is_some()));
}

/// Protects: the table has a line for each file and kind, what was not checked with its reason, and the
/// totals.
#[test]
fn the_table() {
    let [_, unlucky, _] = cctv_listings();
    let files = [
        ("a.txt".into(), check(unlucky).expect("a listing")),
        ("b".into(), check(given_file()).expect("a file")),
    ];
    let expected = "\
file   format                set         checked         passed  failed  not checked
a.txt  CCTV unluckysample    ML-KEM-512  key generation       0       0  1 (of the draft, not of FIPS 203)
a.txt  CCTV unluckysample    ML-KEM-512  encapsulation        1       0  0
a.txt  CCTV unluckysample    ML-KEM-512  decapsulation        1       0  0
b      response file, d z m  ML-KEM-512  key generation       3       0  0
b      response file, d z m  ML-KEM-512  encapsulation        3       0  0
b      response file, d z m  ML-KEM-512  decapsulation        3       0  0
total                                                        11       0  1
";
    assert_eq!(table(&files), expected);
}

/// Protects: the program complains of arguments that are none, of files that it can't read, and of what
/// fails, and shows no table where it checked nothing.
#[test]
fn the_program() {
    let args = |args: &[&str]| args.iter().map(|arg| arg.to_string()).collect::<Vec<_>>();
    for wrong in [&[][..], &["all"], &["all", "-", "-"]] {
        assert!(report(cpu(), &args(wrong)).is_err_and(|why| why.starts_with("usage: ")), "{wrong:?}");
    }
    let unknown = report(cpu(), &args(&["Kyber", "x"])).err().expect("no scheme");
    let exchanges = scheme::EXCHANGES.iter().map(|one| one.name);
    let encryptions = scheme::ENCRYPTIONS.iter().map(|one| one.name);
    let signatures = scheme::SIGNATURES.iter().map(|one| one.name);
    let names = scheme::ALL.iter().map(|one| one.name).chain(exchanges).chain(encryptions).chain(signatures);
    let names = names.collect::<Vec<_>>().join(", ");
    assert_eq!(unknown, format!("no scheme `Kyber`; there are: {names}, all"));
    let none = report(cpu(), &args(&["all", "no/such/file"])).expect("a report");
    assert_eq!(none.page, "");
    assert!(none.complaints[0].starts_with("no/such/file: can't be read: "), "{}", none.complaints[0]);

    let dir = std::env::temp_dir().join(format!("ringsmith-vectors-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder for temporary files");
    let write = |name: &str, text: String| {
        let path = dir.join(name);
        std::fs::write(&path, text).expect("a temporary file");
        path.to_str().expect("a path in Unicode").to_string()
    };
    let (good, bad) = (write("good", given_file()), write("bad", flipped(&given_file(), "ss = ", 0)));
    let well = report(cpu(), &args(&["all", &good])).expect("a report");
    let ill = report(cpu(), &args(&["all", &good, &bad])).expect("a report");
    let folder = dir.to_str().expect("a path in Unicode").to_string();
    let all = report(cpu(), &args(&["all", &folder])).expect("a report");
    std::fs::remove_dir_all(&dir).expect("the temporary files");
    assert!(
        well.page.starts_with(&format!("CPU backend: {}\n\nfile ", cpu().name()))
            && well.complaints.is_empty()
    );
    let says = |kind: &str| {
        format!(
            "{bad}: ML-KEM-512, {kind}: 1 failed, first count = 0: \
             the shared key differs from the computed one, first in byte 31"
        )
    };
    assert_eq!(ill.complaints, [says("encapsulation"), says("decapsulation")]);
    assert_eq!(all.complaints.len(), 2, "a folder stands for its files: {:?}", all.complaints);
}
