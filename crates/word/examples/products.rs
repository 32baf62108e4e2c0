//! Random products on every backend of this machine, as text for other programs to compute again: the program
//! behind `xtask/interop/word.py`.
//!
//! A line says what follows: `ring`, the sign of `x^n + 1` or `x^n - 1`, `n` and the modulus; `first` and
//! `second`, the operands; a backend's name, its product. Numbers are hexadecimal, the constant term first.

use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use ringsmith_word::{RnsRing, Shape, WordError};
use std::error::Error;
use std::io::{BufWriter, Write};

/// A prime of 30 bits, one of 46, and others to multiply them by; all serve every degree.
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

/// Numbers below the ring's modulus: their top words are below its top word.
fn random(source: &mut Random, ring: &RnsRing) -> Vec<u64> {
    let (words, top) = (ring.words(), ring.modulus()[ring.words() - 1]);
    let word = |i: usize| if i % words == words - 1 { source.word() % top } else { source.word() };
    (0..ring.degree() * words).map(word).collect()
}

fn product(ring: &RnsRing, a: &[u64], b: &[u64]) -> Result<Vec<u64>, WordError> {
    let product = ring.product(ring.polynomial(a)?, ring.polynomial(b)?)?;
    let mut out = vec![0; a.len()];
    ring.coefficients(&product, &mut out)?;
    Ok(out)
}

/// Two operands, and their products on all backends.
fn ring(
    out: &mut impl Write,
    source: &mut Random,
    shape: Shape,
    n: usize,
    primes: &[u64],
) -> Result<(), Box<dyn Error>> {
    let of = |cpu| RnsRing::new_on(cpu, shape, n, primes);
    let ring = of(Cpu::detect())?;
    let (sign, words) = (if shape == Shape::Cyclic { '-' } else { '+' }, ring.words());
    writeln!(out, "ring {sign} {n:x} {}", hexadecimal(ring.modulus()))?;
    let (a, b) = (random(source, &ring), random(source, &ring));
    line(out, "first", &a, words)?;
    line(out, "second", &b, words)?;
    for cpu in Cpu::available() {
        line(out, cpu.name(), &product(&of(cpu)?, &a, &b)?, words)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut out, mut source) = (BufWriter::new(std::io::stdout().lock()), Random::new(1));
    for shape in [Shape::Negacyclic, Shape::Cyclic] {
        for n in DEGREES {
            for primes in MODULI {
                ring(&mut out, &mut source, shape, n, primes)?;
            }
        }
    }
    Ok(out.flush()?)
}
