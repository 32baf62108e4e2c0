//! A table of compiled rings: which entry is taken, and what else must work. The ring here multiplies by the
//! definition; `ringsmith` tests its own.

use ringsmith_any::compiled::{Compiled, Factor, Multiply, Table};
use ringsmith_any::{Inverses, Operands, Ring, RingError};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::fmt;

/// `Z_q[x]/(x^n - x - 1)`.
struct Fake {
    q: u64,
    terms: [(usize, i64); 3],
}

impl Compiled for Fake {
    fn modulus(&self) -> u64 {
        self.q
    }
    fn terms(&self) -> &'static [(usize, i64)] {
        // Of a table, whose entries are static.
        Box::leak(Box::new(self.terms))
    }
    fn route(&self, cpu: Cpu, name: &mut dyn fmt::Write) -> fmt::Result {
        write!(name, "fake on {}", cpu.name())
    }
    fn multiplier(&self, _: Cpu) -> Result<Box<dyn Multiply>, RingError> {
        Ok(Box::new(ByDefinition { q: self.q, n: self.terms[0].0 }))
    }
}

struct ByDefinition {
    q: u64,
    n: usize,
}

impl Multiply for ByDefinition {
    fn product(&mut self, a: &[u16], b: &[u16], out: &mut [u16]) {
        let mut c = vec![0_u64; 2 * self.n];
        for (i, x) in a.iter().enumerate() {
            b.iter().enumerate().for_each(|(j, y)| c[i + j] += u64::from(*x) * u64::from(*y));
        }
        for i in (self.n..2 * self.n).rev() {
            let top = c[i] % self.q;
            c[i - self.n] += top;
            c[i - self.n + 1] += top;
        }
        out.iter_mut().zip(c).for_each(|(x, c)| *x = (c % self.q) as u16);
    }
    fn prepare(&mut self, b: &[u16]) -> Result<Factor, RingError> {
        Ok(Box::new(b.to_vec()))
    }
    fn product_prepared(&mut self, a: &[u16], b: &Factor, out: &mut [u16]) -> Result<(), RingError> {
        let b = (**b).downcast_ref::<Vec<u16>>().ok_or(RingError::OtherRing)?;
        self.product(a, b, out);
        Ok(())
    }
}

static FAKES: [Fake; 4] = [
    Fake { q: 97, terms: [(40, 1), (1, -1), (0, -1)] },
    Fake { q: 101, terms: [(40, 1), (1, -1), (0, -1)] },
    Fake { q: 8, terms: [(7, 1), (1, -1), (0, -1)] },
    Fake { q: 1 << 15, terms: [(20, 1), (1, -1), (0, -1)] },
];

/// A ring, with these tables and without.
fn rings(q: u64, f: &str, operands: Operands) -> [Ring; 2] {
    let rings: [&dyn Compiled; 4] = [&FAKES[0], &FAKES[1], &FAKES[2], &FAKES[3]];
    let (table, f) = (Table { rings: &rings, ..Table::default() }, f.parse().unwrap());
    let plain = Ring::new_on(Cpu::detect(), q, &f, operands).unwrap();
    [Ring::with_compiled(Cpu::detect(), q, &f, operands, table).unwrap(), plain]
}

/// Protects: an entry is taken where `q` and `f` modulo `q` are the same, and nowhere else; its route says
/// so.
#[test]
fn entries() {
    for (q, f, taken) in [
        (97, "x^40-x-1", true),
        (97, "x^40+96x+96", true),
        (97, "98x^40+97x^5-x-98", true),
        (97, "x^40-x+1", false),
        (97, "x^40-1", false),
        (97, "x^41-x-1", false),
        (89, "x^40-x-1", false),
        // Its modulus is one too great for numbers of 16 bits with a sign.
        (1 << 15, "x^20-x-1", false),
    ] {
        let [ring, plain] = rings(q, f, Operands::any());
        let name = format!("compiled, fake on {}", Cpu::detect().name());
        assert_eq!(ring.route().to_string() == name, taken, "{f}: {}", ring.route());
        assert_eq!(ring.route() == plain.route(), !taken, "{f}");
        let argument = ring.route().argument().to_string();
        assert_eq!(argument.starts_with("the compiler proves"), taken, "{argument}");
    }
}

/// Protects: every operation of a compiled ring gives what that of any ring gives.
#[test]
fn operations() {
    let mut random = Random::new(1);
    for (q, f) in [(97, "x^40-x-1"), (101, "x^40-x-1"), (8, "x^7-x-1")] {
        let [ring, plain] = rings(q, f, Operands::any().sums(3));
        let n = ring.degree();
        let [a, b, long] =
            [n, n, 2 * n - 1].map(|n| (0..n).map(|_| (random.word() % q) as u32).collect::<Vec<_>>());
        let run = |ring: &Ring| {
            let (mut room, mut out) = (ring.room().unwrap(), [(); 6].map(|()| vec![0; n]));
            let prepared = ring.prepare(&b).unwrap();
            ring.product(&a, &b, &mut out[0], &mut room).unwrap();
            ring.product_prepared(&a, &prepared, &mut out[1], &mut room).unwrap();
            ring.sum_of_products(&[(&a, &b), (&b, &b), (&a, &a)], &mut out[2], &mut room).unwrap();
            ring.remainder(&long, &mut out[3], &mut room).unwrap();
            let [pair, other] = [(&a[..], &prepared), (&b[..], &prepared)];
            ring.sum_of_products_prepared(&[pair, other], &mut out[5], &mut room).unwrap();
            let inverse = Inverses::new(ring).unwrap().inverse(&a, &mut out[4]);
            (out, inverse)
        };
        assert_eq!(run(&ring), run(&plain), "{ring:?}");
    }
}

/// Protects: bounds of small factors are checked at both ends, for the least and the greatest bound.
#[test]
fn small_factors() {
    for bound in [1, 2, 47, 48] {
        let [ring, plain] = rings(97, "x^40-x-1", Operands::any().small(bound));
        let (mut room, mut out) = (ring.room().unwrap(), [0_u16; 40]);
        for x in 0..97_u16 {
            let mut b = [0; 40];
            b[39] = x;
            let is_small = u64::from(x) <= bound || u64::from(97 - x) <= bound;
            let done = ring.product(&[96; 40], &b, &mut out, &mut room);
            assert_eq!(done.is_ok(), is_small, "{x} within {bound}");
            assert_eq!(ring.prepare(&b).is_ok(), is_small, "{x} within {bound}");
            let expected = plain.product(&[96; 40], &b, &mut [0; 40], &mut plain.room().unwrap());
            assert_eq!(done, expected, "{x} within {bound}");
        }
    }
}

/// Protects: operands of another length, and coefficients beyond `q`, of every integer, are errors; so are
/// rooms and prepared factors of another ring, or of the same one without the table.
#[test]
fn refused() {
    let [ring, plain] = rings(97, "x^40-x-1", Operands::any());
    let [other, _] = rings(101, "x^40-x-1", Operands::any());
    let (mut room, mut out) = (ring.room().unwrap(), [0_u64; 40]);
    let length = |has| Err(RingError::Length { needs: 40, has });
    assert_eq!(ring.product(&[0; 39], &[0; 40], &mut out, &mut room), length(39));
    assert_eq!(ring.product(&[0; 40], &[0; 41], &mut out, &mut room), length(41));
    assert_eq!(ring.product(&[0; 40], &[0; 40], &mut out[1..], &mut room), length(39));
    for bad in [97, 98, 1 << 15, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1 << 63, u64::MAX] {
        let mut x = [96; 40];
        x[20] = bad;
        assert_eq!(ring.product(&x, &[0; 40], &mut out, &mut room), Err(RingError::Range), "{bad}");
        assert_eq!(ring.product(&[0; 40], &x, &mut out, &mut room), Err(RingError::Range), "{bad}");
    }
    let narrow = [u16::MAX; 40];
    assert_eq!(ring.product(&narrow, &narrow, &mut [0; 40], &mut room), Err(RingError::Range));
    for unlike in [&plain, &other] {
        let mut room = unlike.room().unwrap();
        assert_eq!(ring.product(&[0; 40], &[0; 40], &mut out, &mut room), Err(RingError::OtherRing));
        let prepared = unlike.prepare(&[1_u64; 40]).unwrap();
        let done = ring.product_prepared(&[0; 40], &prepared, &mut out, &mut ring.room().unwrap());
        assert_eq!(done, Err(RingError::OtherRing));
        let prepared = ring.prepare(&[1_u64; 40]).unwrap();
        let done = unlike.product_prepared(&[0; 40], &prepared, &mut out, &mut room);
        assert_eq!(done, Err(RingError::OtherRing));
    }
}
