//! Products and inverses in rings that are known at run time, of degrees beyond those that the tests compare
//! with the definition, as text for other programs to compute again: the program behind
//! `xtask/interop/any.py`.
//!
//! A line says what follows: `ring`, the modulus; `f`, the coefficients of the modulus polynomial; `first`
//! and `second`, the operands; names of backends with commas between them, the product on each of them;
//! `inverse`, that of the first operand. Numbers are hexadecimal, the constant term first. On each backend
//! the ring is the one that users get; prepared factors give the same products, and so does every other
//! method on the machine's backend, but for the definition; at great degrees, some of them.

use ringsmith::Cpu;
use ringsmith::any::{Candidates, Costs, Inverses, Operands, Polynomial, Ring, RingError};
use ringsmith::compiled::table;
use ringsmith_oracle::{MODULI, Random};
use std::error::Error;
use std::io::{BufWriter, Write};

/// At and around powers of two and what is between them.
const DEGREES: [usize; 23] = [
    1025, 1280, 1528, 2047, 2048, 2049, 3000, 4096, 4097, 8191, 8192, 8193, 10_000, 12_288, 16_383, 16_384,
    16_385, 32_767, 32_768, 32_769, 49_152, 65_535, 65_536,
];
/// Up to this degree all methods are compared.
const ALL_METHODS: usize = 10_000;
/// Beyond, only those are that take at most so many times the fastest one's cycles.
const TIMES: f64 = 8.0;
/// The numbers of moduli, degrees, forms and kinds have no factor in common, so that they meet in all ways.
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
/// Four forms at each degree.
const POINTS: usize = 4 * DEGREES.len();
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

/// Bounds of second factors, from the modulus: ternary ones, those of half the bits, the greatest.
const BOUNDS: [fn(u64) -> u64; 3] = [|_| 1, u64::isqrt, |q| q / 2];

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

/// Done, or why not.
type Done = Result<(), Box<dyn Error>>;

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

/// Rings by other methods than the definition on the machine's backend: for any factors all of them up to
/// `ALL_METHODS` and all that are fast at powers of two; else one, which differs each turn.
fn others(q: u64, f: &Polynomial, of: Operands, turn: usize) -> Result<Vec<Ring>, RingError> {
    let (cpu, n) = (Cpu::detect(), f.degree());
    let all = Candidates::new(cpu, q, f, of, &Costs::of(cpu))?;
    let fastest = all.iter().next().map_or(0.0, |candidate| candidate.cycles());
    let serves = |cycles: f64| n <= ALL_METHODS || cycles <= TIMES * fastest;
    let fast = all.iter().filter(|candidate| serves(candidate.cycles())).map(|candidate| candidate.method());
    let mut methods: Vec<_> = fast.filter(|method| !method.to_string().starts_with("schoolbook")).collect();
    if of.bound().is_some() || n > ALL_METHODS && !n.is_power_of_two() {
        methods = vec![methods[turn % methods.len()]];
    }
    methods.iter().map(|method| Ring::by(cpu, q, f, of, method)).collect()
}

/// Pairs of operands, and their products on all backends.
fn products(out: &mut impl Write, [rings, others]: [&[Ring]; 2], pairs: [[&[u64]; 2]; 2]) -> Done {
    for [a, b] in pairs {
        line(out, "first", a)?;
        line(out, "second", b)?;
        let mut found: Vec<(Vec<&str>, Vec<u64>)> = Vec::new();
        for ring in rings {
            let (name, by) = (ring.cpu().name(), product(ring, a, b)?);
            match found.iter_mut().find(|(_, product)| *product == by) {
                Some((names, _)) => names.push(name),
                None => found.push((vec![name], by)),
            }
        }
        found.iter().try_for_each(|(names, product)| line(out, &names.join(","), product))?;
        for other in others {
            if product(other, a, b)? != found[0].1 {
                return Err(format!("products differ: {other:?} by {}", other.route()).into());
            }
        }
    }
    Ok(())
}

/// A ring; products of any factors and of small second ones, random and the greatest ones.
fn ring(out: &mut impl Write, source: &mut Random, [q, bound]: [u64; 2], f: &[u64], turn: usize) -> Done {
    let (n, polynomial) = (f.len() - 1, Polynomial::dense(f)?);
    writeln!(out, "ring {q:x}")?;
    line(out, "f", f)?;
    let greatest = vec![q - 1; n];
    let [a, b, c] = [q, q, 2 * bound + 1].map(|most| random(source, n, most));
    let small: Vec<u64> = c.iter().map(|x| (x + q - bound) % q).collect();
    let signs: Vec<u64> = (0..n).map(|i| if i % 2 == 0 { bound } else { q - bound }).collect();
    for (of, second) in [(Operands::any(), [&b, &greatest]), (Operands::any().small(bound), [&small, &signs])]
    {
        let on = |cpu| Ring::with_compiled(cpu, q, &polynomial, of, table());
        let rings = Cpu::available().map(on).collect::<Result<Vec<_>, _>>()?;
        let others = others(q, &polynomial, of, turn)?;
        products(out, [&rings, &others], [[&a, second[0]], [&greatest, second[1]]])?;
    }
    Ok(())
}

/// An element that has an inverse, and the inverse.
fn inverse(out: &mut impl Write, source: &mut Random, q: u64, n: usize) -> Done {
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

fn main() -> Done {
    let (mut out, mut source) = (BufWriter::new(std::io::stdout().lock()), Random::new(1));
    for i in 0..POINTS {
        let (q, n) = (MODULI[i % MODULI.len()], DEGREES[i % DEGREES.len()]);
        let f = modulus(FORMS[i % FORMS.len()], &mut source, n, q);
        ring(&mut out, &mut source, [q, BOUNDS[i % BOUNDS.len()](q)], &f, i)?;
    }
    for (q, n) in INVERSES {
        inverse(&mut out, &mut source, q, n)?;
    }
    Ok(out.flush()?)
}
