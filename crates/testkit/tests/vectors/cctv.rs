//! The listings and lists of keys of CCTV.

use crate::support::{Sample, all_counts, check, error, first_failure, flipped, hex};
use ringsmith_testkit::vectors::Kind;

/// CCTV listings: intermediate values, an unlucky sample, and a comparison that stops at zero.
pub(crate) fn cctv_listings() -> [String; 3] {
    let s = Sample::new(1);
    let [d, z, m, ek, dk, c, k] =
        [&s.d[..], &s.z, &s.m, &s.ek, &s.dk, &s.c, &s.k].map(|bytes| hex(bytes).to_lowercase());
    let unlucky = format!("d = {d}\nz = {z}\nek = {ek}\ndk = {dk}\nm = {m}\nK = {k}\nc = {c}\n");
    let within = format!("{unlucky}A[0, 0] = {{1, 2}}\nr = 01\nr = 02\nH(ek) = 00\n");
    [within, unlucky, format!("dk = {dk}\nc = {c}\nK = {k}\n")]
}

/// Protects: what of CCTV's listings is checked, and that key generation is counted as not checked.
#[test]
pub(crate) fn cctv_listings_pass() {
    let [within, unlucky, strcmp] = cctv_listings().map(|text| check(text).expect("a listing"));
    for (tally, format) in [(&within, "CCTV intermediate"), (&unlucky, "CCTV unluckysample")] {
        assert_eq!(tally.format, format);
        let expected = [
            (Kind::KeyGeneration, [0, 0, 1]),
            (Kind::Encapsulation, [1, 0, 0]),
            (Kind::Decapsulation, [1, 0, 0]),
        ];
        assert_eq!(all_counts(tally), expected);
        assert_eq!(tally.rows[0].not_checked, [("of the draft, not of FIPS 203", 1)]);
    }
    assert_eq!((strcmp.format, all_counts(&strcmp)), ("CCTV strcmp", vec![(Kind::Decapsulation, [1, 0, 0])]));
}

/// Protects: wrong digits fail, and malformed listings are refused with the line.
#[test]
fn broken_cctv_listings() {
    let [_, unlucky, strcmp] = cctv_listings();
    for (start, failed) in [("m = ", 1), ("c = ", 2), ("K = ", 2), ("ek = ", 1)] {
        assert_eq!(
            check(flipped(&unlucky, start, 0)).map(|tally| tally.failed()).ok(),
            Some(failed),
            "{start}"
        );
    }
    assert_eq!(check(flipped(&strcmp, "c = ", 0)).map(|tally| tally.failed()).ok(), Some(1));
    assert_eq!(
        error(strcmp.replace("dk = ", "dk = 00")),
        "line 1: dk: no parameter set has a key of 1633 bytes"
    );
    assert_eq!(
        error(strcmp.replace("c = ", "c = 0")),
        "line 2: `c`: an odd number of hexadecimal digits: 1537"
    );
    assert_eq!(error(unlucky.replace("m = ", "m = 00")), "line 5: `m` has 33 bytes, where the format has 32");
    assert_eq!(error(unlucky.replace("ek = ", "ex = ")), "has no line `ek`");
    assert_eq!(error(format!("{strcmp}c = 00\n")), "line 4: a second `c`");
}

/// Protects: every key of a list must be refused, as no key and not for its length.
#[test]
fn cctv_key_lists() {
    let s = Sample::new(7);
    let (good, bad) = (hex(&s.ek), hex(s.bad_ek()));
    let tally = check(format!("{bad}\n{bad}\n")).expect("a list");
    assert_eq!(all_counts(&tally), [(Kind::EncapsulationKeyRefused, [2, 0, 0])]);
    let tally = check(format!("{bad}\n\n{good}\n{bad}")).expect("a list");
    assert_eq!(all_counts(&tally), [(Kind::EncapsulationKeyRefused, [2, 1, 0])]);
    assert_eq!(first_failure(&tally, Kind::EncapsulationKeyRefused), "line 3: taken, and should be refused");
    assert_eq!(
        error(format!("{bad}\n{}", &bad[2..])),
        "line 2: a key: no parameter set has a key of 799 bytes"
    );
    assert_eq!(error(format!("{bad}\n{}", &bad[1..])), "line 2: an odd number of hexadecimal digits: 1599");
    assert_eq!(
        error(format!("{bad}\n{}", "0".repeat(2368))),
        "line 2: a key of another length than those before"
    );
    assert_eq!(error(format!("{bad}\nkey")), "line 2: character 1 is no hexadecimal digit");
}
