//! Rings modulo a product of primes that are chosen at run time: what they do beyond the rings of the primes.

use super::Case;
use crate::observe;
use crate::operand::make_undefined;
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use ringsmith_word::{RnsPolynomial, RnsRing, RnsTransformed, Shape, WordError};
use std::cell::Cell;
use std::hint::black_box;

/// Primes of 46 and of 30 bits: `Q` has 122 bits, two words.
const PRIMES: [u64; 3] = [70_368_740_769_793, 1_073_479_681, 70_368_738_410_497];
/// The degree whose instructions are counted.
const COUNTED: usize = 1024;

/// A ring and its operands. They are made once, so that they are at the same addresses for every secret.
struct Operands {
    ring: RnsRing,
    a: RnsPolynomial,
    b: RnsPolynomial,
    out: RnsPolynomial,
    scratch: RnsTransformed,
    numbers: Vec<u64>,
    small: Vec<i64>,
    /// Whether a tool looks.
    observed: bool,
}

impl Operands {
    fn new(cpu: Cpu, n: usize) -> Result<Self, WordError> {
        let ring = RnsRing::new_on(cpu, Shape::Negacyclic, n, &PRIMES)?;
        let (numbers, small) = (vec![0; n * ring.words()], vec![0; n]);
        let [a, b, out] =
            [ring.polynomial(&numbers)?, ring.polynomial(&numbers)?, ring.polynomial(&numbers)?];
        Ok(Operands { scratch: ring.zero()?, ring, a, b, out, numbers, small, observed: false })
    }

    /// With secret coefficients.
    fn drawn(mut self, seed: u64) -> Result<Self, WordError> {
        let mut random = Random::new(seed);
        let (words, top) = (self.ring.words(), self.ring.modulus()[self.ring.words() - 1]);
        for polynomial in [&mut self.a, &mut self.b] {
            for number in self.numbers.chunks_exact_mut(words) {
                number.fill_with(|| random.word());
                // Below Q, as its top word is below that of Q.
                number[words - 1] %= top;
            }
            make_undefined(&mut self.numbers);
            self.ring.set(polynomial, &self.numbers)?;
        }
        self.small.fill_with(|| random.word() as i64);
        make_undefined(&mut self.small);
        Ok(self)
    }
}

/// Runs `f`, between the marks where a tool looks.
fn watched<T>(observed: bool, f: impl FnOnce() -> T) -> T {
    if observed { observe::observed(f) } else { f() }
}

/// What a case does: it has operands, and gives them back.
type Work = fn(Operands) -> Result<Operands, WordError>;

/// Residues of numbers.
fn read(mut of: Operands) -> Result<Operands, WordError> {
    watched(of.observed, || of.ring.set(&mut of.a, &of.numbers))?;
    Ok(of)
}

/// Residues of numbers with a sign.
fn read_small(mut of: Operands) -> Result<Operands, WordError> {
    watched(of.observed, || of.ring.set_small(&mut of.a, &of.small))?;
    Ok(of)
}

/// Numbers of residues.
fn write(mut of: Operands) -> Result<Operands, WordError> {
    watched(of.observed, || of.ring.coefficients(&of.a, &mut of.numbers))?;
    Ok(of)
}

fn product(mut of: Operands) -> Result<Operands, WordError> {
    watched(of.observed, || of.ring.product_into(&of.a, &of.b, &mut of.out, &mut of.scratch))?;
    Ok(of)
}

const OPERATIONS: [(&str, Work); 4] =
    [("read", read), ("write", write), ("read-small", read_small), ("product", product)];

/// A case. Before a secret is looked at for the first time the operation runs once: what an allocator does
/// then, it does not do again.
fn case(n: usize, (operation, work): (&str, Work)) -> Case {
    let held = Cell::new(None::<Operands>);
    let run = move |cpu: Cpu, seed: u64| -> Result<(), WordError> {
        let of = match held.take().filter(|of| of.ring.cpu().name() == cpu.name()) {
            Some(of) => of,
            None => Operands { observed: true, ..work(Operands::new(cpu, n)?.drawn(seed)?)? },
        };
        held.set(Some(black_box(work(of.drawn(seed)?)?)));
        Ok(())
    };
    Case {
        name: format!("Z_Q[x]/(x^{n}+1) rns {operation}"),
        counted: n == COUNTED,
        run: Box::new(move |cpu, seed| run(cpu, seed).expect("operands of this ring, and memory")),
    }
}

/// The cases: of a part of a group of vectors, and of several blocks.
pub(super) fn all() -> Vec<Case> {
    let rings = [(8, &OPERATIONS[..3]), (COUNTED, &OPERATIONS[..])];
    rings.into_iter().flat_map(|(n, operations)| operations.iter().map(move |of| case(n, *of))).collect()
}
