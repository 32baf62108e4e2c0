//! Inverses in NTRU's rings against published vectors, which are not in this repository.
//!
//! `RINGSMITH_VECTORS` names a folder with a folder `ntru`, in which are `poly_R2_inv.txt` and
//! `poly_S3_inv.txt` of the sets, with their names before and compressed or not, as Bouncy Castle's test data
//! have them.

use ringsmith_ring::Rows;
use ringsmith_ring::inverse::mod_2::{from_rows, inverse, to_rows, unit_modulo_2};
use ringsmith_ring::inverse::newton::modulo_phi;
use ringsmith_ring::inverse::ternary::{self, AllOnes};
use ringsmith_simd::Cpu;
use ringsmith_testkit::vectors::unpack;
use std::path::{Path, PathBuf};

/// The folder, or why there is none.
fn folder() -> Result<PathBuf, String> {
    let root = std::env::var_os("RINGSMITH_VECTORS").ok_or("RINGSMITH_VECTORS is not set")?;
    Ok(Path::new(&root).join("ntru"))
}

/// The polynomials `a` and `r` of each case.
fn cases(set: &str, function: &str) -> Result<Vec<[Vec<u16>; 2]>, String> {
    let path = folder()?.join(format!("{set}_{function}.txt.xz"));
    let contents = std::fs::read(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    let text = String::from_utf8(unpack(&contents).expect("a file of vectors")).expect("text");
    let numbers = |name: &str| -> Vec<Vec<u16>> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(name)?.trim().strip_prefix('='));
        lines.map(|line| line.split_whitespace().map(|x| x.parse().expect("a word")).collect()).collect()
    };
    let (a, r) = (numbers("a"), numbers("r"));
    assert!(a.len() == r.len() && a.len() >= 100, "{} cases", a.len());
    Ok(a.into_iter().zip(r).map(|(a, r)| [a, r]).collect())
}

/// Runs a check on every case of a file and on every backend, or says that there is none.
fn every(set: &str, function: &str, check: impl Fn(Cpu, &[u16]) -> Vec<u16>) {
    match cases(set, function) {
        Ok(cases) => {
            for cpu in Cpu::available() {
                for (i, [a, r]) in cases.iter().enumerate() {
                    assert_eq!(&check(cpu, a), r, "{set} {function}, case {i}, on {cpu:?}");
                }
            }
            println!("{set} {function}: {} cases", cases.len());
        }
        Err(why) => println!("{set} {function}: not run: {why}"),
    }
}

fn rows<const ROWS: usize>(coefficients: impl Iterator<Item = i16>) -> Rows<ROWS> {
    let mut rows = Rows([[0; 16]; ROWS]);
    rows.0.as_flattened_mut().iter_mut().zip(coefficients).for_each(|(x, y)| *x = y);
    rows
}

/// Modulo 2 and `1 + x + .. + x^(n-1)`.
fn modulo_2<const N: usize, const WORDS: usize, const ROWS: usize>(cpu: Cpu, a: &[u16]) -> Vec<u16> {
    let mut a = rows::<ROWS>(a.iter().map(|&x| x as i16));
    unit_modulo_2::<N, ROWS>(&mut a);
    let (out, exists) = inverse::<N, WORDS>(cpu, &from_rows::<N, WORDS, ROWS>(cpu, &a));
    assert!(exists.to_bool());
    to_rows::<N, WORDS, ROWS>(cpu, &out, &mut a);
    modulo_phi::<N, ROWS>(cpu, 1, &mut a);
    a.0.as_flattened()[..N].iter().map(|x| x.rem_euclid(2) as u16).collect()
}

/// Modulo 3 and the same. The reference reads two bits of each coefficient.
fn modulo_3<const N: usize, const V: usize, const ROWS: usize>(cpu: Cpu, a: &[u16]) -> Vec<u16> {
    let mut a = rows::<ROWS>(a.iter().map(|&x| x as i16 & 3));
    ternary::modulo_phi::<N, ROWS>(cpu, &mut a);
    let mut out = a;
    assert!(ternary::inverse::<AllOnes<N>, V, ROWS>(cpu, &a, &mut out).to_bool());
    out.0.as_flattened()[..N].iter().map(|x| x.rem_euclid(3) as u16).collect()
}

/// Protects: the same inverses as the reference's.
#[test]
fn published_inverses() {
    every("ntruhps2048509", "poly_R2_inv", modulo_2::<509, 8, 32>);
    every("ntruhrss701", "poly_R2_inv", modulo_2::<701, 11, 44>);
    every("ntruhps2048509", "poly_S3_inv", modulo_3::<509, 2, 32>);
    every("ntruhrss701", "poly_S3_inv", modulo_3::<701, 3, 44>);
}
