//! Random products on every backend of this machine, as text for other programs to compute again: the program
//! behind `xtask/interop/word.py`.
//!
//! A line says what follows: `ring`, the sign of `x^n + 1` or `x^n - 1`, `n` and the modulus; `first` and
//! `second`, the operands; a backend's name, its product. Numbers are hexadecimal, the constant term first.

use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use ringsmith_word::{RnsRing, Shape, WordError, WordRing};
use std::error::Error;
use std::io::{BufWriter, Write};

/// Primes of 49, 50, 51, 60 and 62 bits, which serve every degree: lanes that hold numbers of 52 bits, in
/// three ranges, or doubles, and both ranges of lanes that hold numbers of 64.
const PRIMES: [u64; 5] = [
    562_949_950_537_729,
    1_125_899_902_124_033,
    2_251_799_807_131_649,
    1_152_921_504_606_584_833,
    4_611_686_018_425_815_041,
];
/// A prime of 30 bits, one of 46, and others to multiply them by, likewise.
const MODULI: [&[u64]; 3] = [
    &[1_073_479_681],
    &[70_368_740_769_793],
    &[70_368_740_769_793, 1_073_479_681, 70_368_738_410_497, 1_068_236_801],
];
const DEGREES: [usize; 3] = [1024, 4096, 65536];

/// A number of several words, the low one first.
fn hexadecimal(number: &[u64]) -> String {
    number.iter().rev().map(|word| format!("{word:016x}")).collect()
}

/// A name and numbers of so many words.
fn line(out: &mut impl Write, name: &str, numbers: &[u64], words: usize) -> std::io::Result<()> {
    write!(out, "{name}")?;
    numbers.chunks_exact(words).try_for_each(|number| write!(out, " {}", hexadecimal(number)))?;
    writeln!(out)
}

/// Numbers below the modulus: their top words are below its top word.
fn random(source: &mut Random, n: usize, modulus: &[u64]) -> Vec<u64> {
    let (words, top) = (modulus.len(), modulus[modulus.len() - 1]);
    let word = |i: usize| if i % words == words - 1 { source.word() % top } else { source.word() };
    (0..n * words).map(word).collect()
}

/// The product in the ring of a prime.
fn product(ring: &WordRing, a: &[u64], b: &[u64]) -> Result<Vec<u64>, WordError> {
    let product = ring.product(ring.polynomial(a)?, ring.polynomial(b)?)?;
    let mut out = vec![0; a.len()];
    ring.coefficients(&product, &mut out)?;
    Ok(out)
}

/// The product in the ring of several primes, or of one as it has it.
fn product_of_several(ring: &RnsRing, a: &[u64], b: &[u64]) -> Result<Vec<u64>, WordError> {
    let product = ring.product(ring.polynomial(a)?, ring.polynomial(b)?)?;
    let mut out = vec![0; a.len()];
    ring.coefficients(&product, &mut out)?;
    Ok(out)
}

/// The modulus polynomial and the modulus of a ring.
struct Modulus<'a>(Shape, usize, &'a [u64]);

/// Two operands, and their products on all backends.
fn ring(
    out: &mut impl Write,
    source: &mut Random,
    Modulus(shape, n, modulus): Modulus<'_>,
    product: impl Fn(Cpu, &[u64], &[u64]) -> Result<Vec<u64>, WordError>,
) -> Result<(), Box<dyn Error>> {
    let (sign, words) = (if shape == Shape::Cyclic { '-' } else { '+' }, modulus.len());
    writeln!(out, "ring {sign} {n:x} {}", hexadecimal(modulus))?;
    let (a, b) = (random(source, n, modulus), random(source, n, modulus));
    line(out, "first", &a, words)?;
    line(out, "second", &b, words)?;
    for cpu in Cpu::available() {
        line(out, cpu.name(), &product(cpu, &a, &b)?, words)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut out, mut source) = (BufWriter::new(std::io::stdout().lock()), Random::new(1));
    for shape in [Shape::Negacyclic, Shape::Cyclic] {
        for n in DEGREES {
            for p in PRIMES {
                ring(&mut out, &mut source, Modulus(shape, n, &[p]), |cpu, a, b| {
                    product(&WordRing::new_on(cpu, shape, n, p)?, a, b)
                })?;
            }
            for primes in MODULI {
                let of = |cpu| RnsRing::new_on(cpu, shape, n, primes);
                let whole = of(Cpu::detect())?;
                let modulus = Modulus(shape, n, whole.modulus());
                ring(&mut out, &mut source, modulus, |cpu, a, b| product_of_several(&of(cpu)?, a, b))?;
            }
        }
    }
    Ok(out.flush()?)
}
