//! The parts of NTRU's operations against published vectors, which are not in this repository.
//!
//! `RINGSMITH_VECTORS` names a folder with a folder `ntru`, in which are the files `poly_*.txt` of
//! ntruhps2048509, with the set's name before and compressed or not, as Bouncy Castle's test data have them.
//! Their numbers are any words of 16 bits: what the reference makes of them, modulo `q` or modulo 3.

use ringsmith::rings::NtruHps509 as Ring509;
use ringsmith_ntru::internals as parts;
use ringsmith_simd::Cpu;
use ringsmith_testkit::vectors::unpack;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const N: usize = 509;
const Q: u16 = 2048;
const RQ_BYTES: usize = 699;
const S3_BYTES: usize = 102;
/// Cases of each file.
const COUNT: usize = 100;

/// The fields of a case.
type Fields = HashMap<String, Vec<u16>>;

/// The folder, or why there is none.
fn folder() -> Result<PathBuf, String> {
    let root = std::env::var_os("RINGSMITH_VECTORS").ok_or("RINGSMITH_VECTORS is not set")?;
    Ok(Path::new(&root).join("ntru"))
}

/// The cases of a file.
fn cases(function: &str) -> Result<Vec<Fields>, String> {
    let path = folder()?.join(format!("ntruhps2048509_{function}.txt.xz"));
    let contents = std::fs::read(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    let text = String::from_utf8(unpack(&contents).expect("a file of vectors")).expect("text");
    let (mut cases, fields) = (Vec::new(), text.lines().filter_map(|line| line.split_once('=')));
    for (name, numbers) in fields.map(|(name, numbers)| (name.trim(), numbers.split_whitespace())) {
        if name == "count" {
            cases.push(Fields::new());
            continue;
        }
        let numbers = numbers.map(|x| x.parse().expect("a word")).collect();
        cases.last_mut().expect("a case").insert(name.to_string(), numbers);
    }
    assert_eq!(cases.len(), COUNT, "{function}");
    Ok(cases)
}

/// Runs a check on every case of a file and on every backend, or says that there is none.
fn every(function: &str, check: impl Fn(Cpu, &dyn Fn(&str) -> Vec<u16>)) {
    match cases(function) {
        Ok(cases) => {
            for cpu in Cpu::available() {
                for fields in &cases {
                    check(cpu, &|name| fields[name].clone());
                }
            }
            println!("{function}: {} cases", cases.len());
        }
        Err(why) => println!("{function}: not run: {why}"),
    }
}

/// A list of numbers that a function fills.
fn filled<T: Default + Clone>(length: usize, fill: impl FnOnce(&mut [T])) -> Vec<T> {
    let mut out = vec![T::default(); length];
    fill(&mut out);
    out
}

fn bytes(words: Vec<u16>) -> Vec<u8> {
    words.into_iter().map(|x| x as u8).collect()
}

fn modulo_q(words: Vec<u16>) -> Vec<u16> {
    words.into_iter().map(|x| x % Q).collect()
}

/// Protects: products modulo `q`, and `x^n - 1` or `Phi_n`; reduction by `Phi_n`.
#[test]
fn modulo_a_power_of_two() {
    for (function, phi) in [("poly_Rq_mul", false), ("poly_Sq_mul", true)] {
        every(function, |cpu, field| {
            let (a, b) = (field("a"), field("b"));
            let c = filled(N, |out| parts::product::<Ring509>(cpu, [&a, &b], phi, out));
            assert_eq!(c, modulo_q(field("r")), "{function} on {cpu:?}");
        });
    }
    every("poly_mod_q_Phi_n", |cpu, field| {
        let r = filled(N, |out| parts::reduced::<Ring509>(cpu, &field("r"), out));
        assert_eq!(r, modulo_q(field("res")));
    });
}

/// Protects: reduction modulo 3 and `Phi_n`, of numbers modulo `q` and of small ones. The reference adds
/// twice the top word to each, in 16 bits; where that wraps, it is another number.
#[test]
fn modulo_3() {
    every("poly_Rq_to_S3", |cpu, field| {
        let r = filled(N, |out| parts::reduced_modulo_3::<Ring509>(cpu, &field("a"), out));
        assert_eq!(r, field("r"));
    });
    every("poly_mod_3_Phi_n", |cpu, field| {
        let (a, expected) = (field("r"), field("res"));
        let small: Vec<u16> = a.iter().map(|x| x % 3).collect();
        let r = filled(N, |out| parts::reduced_modulo_3::<Ring509>(cpu, &small, out));
        let wraps = |i: &usize| u32::from(a[*i]) + 2 * u32::from(a[N - 1]) > u32::from(u16::MAX);
        (0..N).filter(|i| !wraps(i)).for_each(|i| assert_eq!(r[i], expected[i], "{i} on {cpu:?}"));
    });
    every("poly_S3_inv", |cpu, field| {
        let a: Vec<u16> = field("a").iter().map(|x| x & 3).collect();
        let r = filled(N, |out| assert!(parts::inverse_modulo_3::<Ring509>(cpu, &a, out)));
        assert_eq!(r, field("r"));
    });
}

/// Protects: elements as bytes, and bytes as elements.
#[test]
fn encodings() {
    every("poly_Rq_sum_zero_tobytes", |cpu, field| {
        let out = filled(RQ_BYTES, |out| parts::encoded::<Ring509>(cpu, &field("a"), out));
        assert_eq!(out, bytes(field("r")));
    });
    for (function, sum_zero) in [("poly_Rq_sum_zero_frombytes", true), ("poly_Sq_frombytes", false)] {
        every(function, |cpu, field| {
            let encoded = bytes(field("r"));
            let a = filled(N, |out| parts::decoded::<Ring509>(cpu, &encoded, sum_zero, out));
            assert_eq!(a, modulo_q(field("a")), "{function} on {cpu:?}");
        });
    }
    every("poly_S3_tobytes", |cpu, field| {
        let out = filled(S3_BYTES, |out| parts::encoded_ternary::<Ring509>(cpu, &field("a"), out));
        assert_eq!(out, bytes(field("msg")));
    });
    every("poly_S3_frombytes", |cpu, field| {
        let encoded = bytes(field("msg"));
        let a = filled(N, |out| parts::decoded_ternary::<Ring509>(cpu, &encoded, out));
        assert_eq!(a, field("a"));
    });
}

/// Protects: how -1 is written modulo `q` and modulo 3, of the numbers in the files that are coefficients;
/// the others, as the top one, are taken to be 0.
#[test]
fn representatives() {
    let chosen = |a: Vec<u16>, good: &dyn Fn(u16) -> bool| -> (Vec<u16>, Vec<bool>) {
        let good: Vec<bool> = a.iter().enumerate().map(|(i, x)| i < N - 1 && good(*x)).collect();
        (a.iter().zip(&good).map(|(x, good)| x * u16::from(*good)).collect(), good)
    };
    let of_good = |a: Vec<u16>, good: &[bool]| -> Vec<u16> {
        a.into_iter().zip(good).filter_map(|(x, good)| good.then_some(x)).collect()
    };
    every("poly_Z3_to_Zq", |_, field| {
        let (a, good) = chosen(field("r"), &|x| x < 3);
        let out = filled(N, |out| parts::widened::<Ring509>(&a, out));
        assert_eq!(of_good(out, &good), of_good(field("res"), &good));
    });
    every("poly_trinary_Zq_to_Z3", |cpu, field| {
        let (a, good) = chosen(field("r"), &|x| [0, 1, Q - 1].contains(&(x % Q)));
        let out = filled(N, |out| assert!(parts::narrowed::<Ring509>(cpu, &a, out)));
        assert_eq!(of_good(out, &good), of_good(field("res"), &good));
    });
}
