//! Products and inverses in rings that are known at run time, of degrees beyond those that the tests compare
//! with the definition, as text for other programs to compute again: the program behind
//! `xtask/interop/any.py`.
//!
//! A line says what follows: `ring`, the modulus; `f`, the coefficients of the modulus polynomial; `first`
//! and `second`, the operands; a backend's name, their product; `inverse`, that of the first operand. Numbers
//! are hexadecimal, the constant term first. On each backend the ring is the one that users get; prepared
//! factors give the same products, and so does every other method on the machine's backend, but for the
//! definition.

use ringsmith::Cpu;
use ringsmith::any::{Candidates, Costs, Inverses, Operands, Polynomial, Ring, RingError};
use ringsmith::compiled::table;
use ringsmith_oracle::Random;
use std::error::Error;
use std::io::{BufWriter, Write};

/// At the edges of ranges; the last ones are a prime with roots of unity and a product of two primes.
const MODULI: [u64; 19] = [
    2,
    3,
    4,
    (1 << 14) - 1,
    1 << 14,
    (1 << 14) + 1,
    (1 << 30) - 1,
    1 << 30,
    (1 << 30) + 3,
    (1 << 46) - 1,
    1 << 46,
    (1 << 46) + 1,
    (1 << 49) - 1,
    (1 << 49) + 1,
    (1 << 61) - 1,
    1 << 61,
    (1 << 62) - 1,
    1_152_921_504_606_584_833,
    12289 * 65537,
];
/// At and around powers of two and what is between them.
const DEGREES: [usize; 13] =
    [1025, 1280, 1528, 2047, 2048, 2049, 3000, 4096, 4097, 10_000, 16_384, 32_769, 65_536];
/// The numbers of moduli, degrees and forms have no factor in common, so that they meet in all ways.
const FORMS: [Form; 7] = [
    Form::Terms(&[(At::Start(0), -1)]),
    Form::Terms(&[(At::Start(0), 1)]),
    Form::Terms(&[(At::Start(1), -1), (At::Start(0), -1)]),
    // Its remainders over the integers are as great as 2^n.
    Form::Terms(&[(At::End(1), -2), (At::Start(0), -1)]),
    // One power is folded at once.
    Form::Terms(&[(At::End(1), 1), (At::End(3), 5), (At::Start(2), -7), (At::Start(0), 1)]),
    Form::Terms(&[(At::End(40), 3), (At::Start(9), 1 << 60), (At::Start(0), 1)]),
    Form::Dense,
];
const POINTS: usize = 65;
/// Powers of primes, and how many coefficients an element with an inverse has.
const INVERSES: [(u64, usize); 8] = [
    (2, 1024),
    (3, 1024),
    (12289, 1024),
    ((1 << 61) - 1, 1024),
    (1 << 62, 1024),
    (4_052_555_153_018_976_267, 1024),
    (4591, 4096),
    (1 << 32, 4096),
];

/// Modulus polynomials, but for the leading term.
#[derive(Clone, Copy)]
enum Form {
    Terms(&'static [(At, i64)]),
    Dense,
}

/// An exponent, from 0 up or from the degree down.
#[derive(Clone, Copy)]
enum At {
    Start(usize),
    End(usize),
}

fn random(source: &mut Random, n: usize, q: u64) -> Vec<u64> {
    (0..n).map(|_| source.word() % q).collect()
}

/// All coefficients of a modulus polynomial modulo `q`.
fn modulus(form: Form, source: &mut Random, n: usize, q: u64) -> Vec<u64> {
    let Form::Terms(terms) = form else {
        return random(source, n, q).into_iter().chain([1]).collect();
    };
    let mut f = vec![0; n + 1];
    f[n] = 1;
    for (at, coefficient) in terms {
        let (At::Start(place) | At::End(place)) = *at;
        let place = if matches!(at, At::End(_)) { n - place } else { place };
        f[place] = i128::from(*coefficient).rem_euclid(i128::from(q)) as u64;
    }
    f
}

/// A name and numbers.
fn line(out: &mut impl Write, name: &str, numbers: &[u64]) -> std::io::Result<()> {
    write!(out, "{name}")?;
    numbers.iter().try_for_each(|number| write!(out, " {number:x}"))?;
    writeln!(out)
}

/// The product of a ring, with the second factor as it is and prepared.
fn product(ring: &Ring, a: &[u64], b: &[u64]) -> Result<Vec<u64>, Box<dyn Error>> {
    let (mut room, mut product, mut again) = (ring.room()?, vec![0; a.len()], vec![0; a.len()]);
    ring.product(a, b, &mut product, &mut room)?;
    ring.product_prepared(a, &ring.prepare(b)?, &mut again, &mut room)?;
    if product != again {
        return Err(format!("the product by a prepared factor differs: {}", ring.route()).into());
    }
    Ok(product)
}

/// Whether all methods but the definition give a product.
fn same_by_all(q: u64, f: &Polynomial, [a, b, expected]: [&[u64]; 3]) -> Result<(), Box<dyn Error>> {
    let (cpu, operands) = (Cpu::detect(), Operands::any());
    let all = Candidates::new(cpu, q, f, operands, &Costs::of(cpu))?;
    for method in all.iter().map(|of| of.method()).filter(|of| !of.to_string().starts_with("schoolbook")) {
        if product(&Ring::by(cpu, q, f, operands, &method)?, a, b)? != expected {
            return Err(format!("the product by {method} differs, modulo {q} and degree {}", a.len()).into());
        }
    }
    Ok(())
}

/// Random and greatest operands, and their products on all backends.
fn products(out: &mut impl Write, source: &mut Random, q: u64, f: &[u64]) -> Result<(), Box<dyn Error>> {
    let (n, polynomial) = (f.len() - 1, Polynomial::dense(f)?);
    writeln!(out, "ring {q:x}")?;
    line(out, "f", f)?;
    let random = [random(source, n, q), random(source, n, q)];
    for [a, b] in [random, [vec![q - 1; n], vec![q - 1; n]]] {
        line(out, "first", &a)?;
        line(out, "second", &b)?;
        let mut by_last = Vec::new();
        for cpu in Cpu::available() {
            let ring = Ring::with_compiled(cpu, q, &polynomial, Operands::any(), table())?;
            by_last = product(&ring, &a, &b)?;
            line(out, cpu.name(), &by_last)?;
        }
        same_by_all(q, &polynomial, [&a, &b, &by_last])?;
    }
    Ok(())
}

/// An element that has an inverse, and the inverse.
fn inverse(out: &mut impl Write, source: &mut Random, q: u64, n: usize) -> Result<(), Box<dyn Error>> {
    let f = modulus(FORMS[2], source, n, q);
    writeln!(out, "ring {q:x}")?;
    line(out, "f", &f)?;
    let ring = Ring::new(q, &Polynomial::dense(&f)?)?;
    let (mut inverses, mut found) = (Inverses::new(&ring)?, vec![0; n]);
    loop {
        let a = random(source, n, q);
        match inverses.inverse(&a, &mut found) {
            Ok(()) => {
                line(out, "first", &a)?;
                return Ok(line(out, "inverse", &found)?);
            }
            Err(RingError::NoInverse) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut out, mut source) = (BufWriter::new(std::io::stdout().lock()), Random::new(1));
    for i in 0..POINTS {
        let (q, n) = (MODULI[i % MODULI.len()], DEGREES[i % DEGREES.len()]);
        let f = modulus(FORMS[i % FORMS.len()], &mut source, n, q);
        products(&mut out, &mut source, q, &f)?;
    }
    for (q, n) in INVERSES {
        inverse(&mut out, &mut source, q, n)?;
    }
    Ok(out.flush()?)
}
