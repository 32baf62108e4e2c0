//! Files of the parts of NTRU, as they are synthesised here.

use crate::support::{all_counts, first_failure, run};
use ringsmith_testkit::vectors::{FileError, Kind, Tally};

const N: usize = 509;
const PRODUCT: &str = "ntruhps2048509_poly_Rq_mul.txt";
const BYTES: &str = "ntruhps2048509_poly_S3_tobytes.txt.xz";

fn line(name: &str, numbers: impl IntoIterator<Item = u32>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|x| x.to_string()).collect();
    format!("{name} = {}\n", numbers.join(" "))
}

/// `x` times `b`, three times; words above `q` stand for what they are modulo `q`.
fn products() -> String {
    let b = |i: usize| (1000 * i % 65536) as u32;
    let record = |count: usize| {
        let x = line("a", (0..N).map(|i| u32::from(i == 1)));
        let r = line("r", (0..N).map(|i| b((i + N - 1) % N)));
        format!("count = {count}\n{x}{}{r}\n", line("b", (0..N).map(b)))
    };
    (0..3).map(record).collect()
}

/// The bytes of `1 - x + x^5`.
fn encoded() -> String {
    let a = (0..N).map(|i| [(0, 1), (1, 2), (5, 1)].iter().find(|(at, _)| *at == i).map_or(0, |(_, x)| *x));
    let bytes = (0..(N - 1).div_ceil(5)).map(|i| [7, 1].get(i).copied().unwrap_or(0));
    format!("count = 0\n{}{}", line("a", a), line("msg", bytes))
}

fn check(name: &str, text: &str) -> Result<Tally, FileError> {
    run("all").check_named(name, text.as_bytes())
}

/// Protects: a file is of what its name says, and each record of it is checked.
#[test]
fn parts() {
    let tally = check(PRODUCT, &products()).expect("a file");
    assert_eq!(all_counts(&tally), [(Kind::Product, [3, 0, 0])]);
    let tally = check(BYTES, &encoded()).expect("a file");
    assert_eq!(all_counts(&tally), [(Kind::Encoding, [1, 0, 0])]);
    let (before, after) = ("0 1000 2000 3000 ", "0 1000 2000 3001 ");
    let at = products().find(&format!("r = {}", 1000 * 508 % 65536)).expect("a result");
    let changed = products()[..at].to_string() + &products()[at..].replacen(before, after, 1);
    let tally = check(PRODUCT, &changed).expect("a file");
    assert_eq!(all_counts(&tally), [(Kind::Product, [2, 1, 0])]);
    assert_eq!(first_failure(&tally, Kind::Product), "count = 0: number 4 differs");
    let of_another = run("ML-KEM-512").check_named(PRODUCT, products().as_bytes());
    assert_eq!(
        of_another.err().expect("nothing to check").to_string(),
        "has nothing to check for ML-KEM-512 (other set)"
    );
}

/// Protects: a file that is cut short, or has numbers that are none, is refused; a name that is none, too.
#[test]
fn malformed() {
    let (products, encoded) = (products(), encoded());
    let cases = [
        (PRODUCT, "count = 0\n".to_string(), "line 1: the record that starts here has no `a`"),
        (PRODUCT, products.replacen("count = 0\n", "", 1), "line 1: no `count` before this line"),
        (PRODUCT, products.replacen("a = 0 ", "a = ", 1), "line 2: `a` has 508 numbers, not 509"),
        (PRODUCT, products.replacen("a = 0 ", "a = -1 ", 1), "line 2: `-1` is no number from 0 to 65535"),
        (
            PRODUCT,
            products.replacen("a = 0 ", "a = 65536 ", 1),
            "line 2: `65536` is no number from 0 to 65535",
        ),
        (BYTES, encoded.replacen("msg = 7 ", "msg = 256 ", 1), "line 3: `256` is no number from 0 to 255"),
        (BYTES, encoded.replacen("msg = 7 ", "msg = ", 1), "line 3: `msg` has 101 numbers, not 102"),
        ("ntruhps2048509_poly_Rq_add.txt", products.clone(), "line 2: `a` is no field of a response file"),
        ("ntruhps2048510_poly_Rq_mul.txt", products.clone(), "line 2: `a` is no field of a response file"),
    ];
    for (name, text, says) in cases {
        assert_eq!(check(name, &text).err().expect("a file that is malformed").to_string(), says, "{name}");
    }
}
