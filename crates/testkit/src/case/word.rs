//! Word lanes: rings whose prime and degree are chosen at run time. Both are public, coefficients are secret.

use super::Case;
use crate::observe;
use crate::operand::make_undefined;
use ringsmith_oracle::Random;
use ringsmith_probe::repeated;
use ringsmith_simd::Cpu;
use ringsmith_word::{Form, Method, Polynomial, Shape, Transformed, WordError, WordRing};
use std::cell::Cell;
use std::hint::black_box;

/// A prime of 46 bits, for every degree: lanes of 64 bits.
const WIDE: u64 = 70_368_740_769_793;
/// One of 49, which leaves such lanes little room.
const WIDEST: u64 = 562_949_950_537_729;
/// One of 50, with room for a layer where instructions multiply 52 bits.
const TIGHTER: u64 = 1_125_899_902_124_033;
/// One of 51, with none.
const FULL: u64 = 2_251_799_807_131_649;
/// One of 62, likewise: lanes of 64 bits whose products have 128.
const LONG: u64 = 4_611_686_018_425_815_041;
/// One of 60: the same, with fewer steps.
const LAZY: u64 = 1_152_921_504_606_584_833;
/// One of 30: lanes of 32 bits, but in short rings where instructions multiply 52.
const NARROW: u64 = 1_073_479_681;
/// One of 26, which products without transforms serve.
const SMALL: u64 = 49_201_153;
/// The degree whose instructions are counted.
const COUNTED: usize = 1024;

/// Which ring.
#[derive(Clone, Copy)]
struct Ring {
    p: u64,
    shape: Shape,
    n: usize,
    reduction: Reduction,
}

/// What reduces its products.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reduction {
    /// What its prime is served by.
    Planned,
    KRed,
    /// Montgomery's in lanes of 32 bits, which backends that multiply numbers of 52 bits have for more
    /// coefficients than a tool steps through.
    #[cfg(ringsmith_internals)]
    Montgomery,
    /// Shoup's in lanes of 32 bits, which backends have for more coefficients likewise; what the prime is
    /// served by where a backend has none.
    #[cfg(ringsmith_internals)]
    Quotients,
}

impl Ring {
    /// Made for a CPU.
    fn on(self, cpu: Cpu) -> Result<WordRing, WordError> {
        match self.reduction {
            Reduction::Planned => WordRing::new_on(cpu, self.shape, self.n, self.p),
            Reduction::KRed => WordRing::by_k_red(cpu, self.shape, self.n, self.p),
            #[cfg(ringsmith_internals)]
            Reduction::Montgomery => WordRing::by_montgomery(cpu, self.shape, self.n, self.p),
            #[cfg(ringsmith_internals)]
            Reduction::Quotients => match WordRing::by_quotients(cpu, self.shape, self.n, self.p) {
                Err(WordError::OtherRing) => WordRing::new_on(cpu, self.shape, self.n, self.p),
                ring => ring,
            },
        }
    }

    /// What its cases are named by.
    fn name(self) -> String {
        let Ring { p, shape, n, reduction } = self;
        let sign = if shape == Shape::Cyclic { '-' } else { '+' };
        let by = match reduction {
            Reduction::Planned => "",
            Reduction::KRed => " by K-RED",
            #[cfg(ringsmith_internals)]
            Reduction::Montgomery => " by Montgomery",
            #[cfg(ringsmith_internals)]
            Reduction::Quotients => " by quotients",
        };
        format!("Z_{p}[x]/(x^{n}{sign}1) words{by}")
    }
}

/// A ring and its operands. They are made once, so that they are at the same addresses for every secret.
struct Operands {
    ring: WordRing,
    a: Polynomial,
    b: Polynomial,
    out: Polynomial,
    sum: Transformed,
    numbers: Vec<u64>,
    /// Whether a tool looks.
    observed: bool,
}

impl Operands {
    fn new(cpu: Cpu, ring: Ring) -> Result<Self, WordError> {
        let numbers = vec![0; ring.n];
        let ring = ring.on(cpu)?;
        let [a, b, out] =
            [ring.polynomial(&numbers)?, ring.polynomial(&numbers)?, ring.polynomial(&numbers)?];
        Ok(Operands { sum: ring.zero()?, ring, a, b, out, numbers, observed: false })
    }

    /// With secret coefficients.
    fn drawn(mut self, seed: u64) -> Result<Self, WordError> {
        let (mut random, p) = (Random::new(seed), self.ring.prime());
        for polynomial in [&mut self.a, &mut self.b] {
            self.numbers.fill_with(|| random.word() % p);
            make_undefined(&mut self.numbers);
            self.ring.set(polynomial, &self.numbers)?;
        }
        Ok(self)
    }
}

/// Runs `f`, between the marks where a tool looks.
fn watched<T>(observed: bool, f: impl FnOnce() -> T) -> T {
    if observed { observe::observed(f) } else { f() }
}

/// What a case does: it has operands, and gives them back. What else it makes, looked at or not, has memory
/// of the same place each time ([`repeated`]): an allocator puts it now here, now there, so that addresses
/// differ without a secret.
type Work = fn(Operands) -> Result<Operands, WordError>;

fn read(mut of: Operands) -> Result<Operands, WordError> {
    watched(of.observed, || of.ring.set(&mut of.a, &of.numbers))?;
    Ok(of)
}

fn write(mut of: Operands) -> Result<Operands, WordError> {
    watched(of.observed, || of.ring.coefficients(&of.a, &mut of.numbers))?;
    Ok(of)
}

fn forward(of: Operands) -> Result<Operands, WordError> {
    let x = watched(of.observed, || of.ring.forward(of.a))?;
    Ok(Operands { a: of.ring.inverse(x)?, ..of })
}

fn inverse(of: Operands) -> Result<Operands, WordError> {
    let x = of.ring.forward(of.a)?;
    Ok(Operands { a: watched(of.observed, || of.ring.inverse(x))?, ..of })
}

/// Values written, and read again.
fn values(mut of: Operands) -> Result<Operands, WordError> {
    repeated(|| {
        let x = of.ring.forward(of.a.try_clone()?)?;
        let made = watched(of.observed, || {
            of.ring.values(x, &mut of.numbers)?;
            of.ring.transformed(&of.numbers)
        })?;
        black_box(made);
        Ok(())
    })?;
    Ok(of)
}

fn pointwise(of: Operands) -> Result<Operands, WordError> {
    let (mut x, y) = (of.ring.forward(of.a)?, of.ring.forward(of.b)?);
    watched(of.observed, || of.ring.pointwise(&mut x, &y))?;
    Ok(Operands { a: of.ring.inverse(x)?, b: of.ring.inverse(y)?, ..of })
}

fn accumulate(mut of: Operands) -> Result<Operands, WordError> {
    let (x, y) = (of.ring.forward(of.a)?, of.ring.forward(of.b)?);
    watched(of.observed, || of.ring.accumulate(&mut of.sum, &x, &y))?;
    Ok(Operands { a: of.ring.inverse(x)?, b: of.ring.inverse(y)?, ..of })
}

fn prepare(of: Operands) -> Result<Operands, WordError> {
    repeated(|| {
        let b = of.b.try_clone()?;
        black_box(watched(of.observed, || of.ring.prepare(b))?);
        Ok(of)
    })
}

fn accumulate_prepared(mut of: Operands) -> Result<Operands, WordError> {
    repeated(|| {
        let (x, y) = (of.ring.forward(of.a)?, of.ring.prepare(of.b.try_clone()?)?);
        watched(of.observed, || of.ring.accumulate_prepared(&mut of.sum, &x, &y))?;
        Ok(Operands { a: of.ring.inverse(x)?, ..of })
    })
}

fn product(mut of: Operands) -> Result<Operands, WordError> {
    watched(of.observed, || of.ring.product_into(&of.a, &of.b, &mut of.out, &mut of.sum))?;
    Ok(of)
}

fn product_prepared(of: Operands) -> Result<Operands, WordError> {
    repeated(|| {
        let y = of.ring.prepare(of.b.try_clone()?)?;
        Ok(Operands { a: watched(of.observed, || of.ring.product_prepared(of.a, &y))?, ..of })
    })
}

/// All operations: first what the transforms of another degree are seen by, last what allocates.
const OPERATIONS: [(&str, Work); 11] = [
    ("forward", forward),
    ("inverse", inverse),
    ("product", product),
    ("read", read),
    ("write", write),
    ("pointwise", pointwise),
    ("accumulate", accumulate),
    ("values", values),
    ("prepare", prepare),
    ("accumulate-prepared", accumulate_prepared),
    ("product-prepared", product_prepared),
];

fn product_by(of: Operands, method: Method) -> Result<Operands, WordError> {
    black_box(watched(of.observed, || of.ring.product_by(method, &of.a, &of.b))?);
    Ok(of)
}

/// Products without transforms.
const WITHOUT_TRANSFORMS: [(&str, Work); 3] = [
    ("schoolbook", |of| product_by(of, Method::Schoolbook)),
    ("interleaved", |of| product_by(of, Method::Interleaved { word: 32, form: Form::Proposed })),
    ("interleaved-original", |of| product_by(of, Method::Interleaved { word: 32, form: Form::Original })),
];

/// A case. Before a secret is looked at for the first time the operation runs once: what an allocator does
/// then, it does not do again.
fn case(ring: Ring, (operation, work): (&str, Work)) -> Case {
    let held = Cell::new(None::<Operands>);
    let run = move |cpu: Cpu, seed: u64| -> Result<(), WordError> {
        let of = match held.take().filter(|of| of.ring.cpu().name() == cpu.name()) {
            Some(of) => of,
            None => Operands { observed: true, ..work(Operands::new(cpu, ring)?.drawn(seed)?)? },
        };
        held.set(Some(black_box(work(of.drawn(seed)?)?)));
        Ok(())
    };
    Case {
        name: format!("{} {operation}", ring.name()),
        counted: ring.n == COUNTED,
        run: Box::new(move |cpu, seed| run(cpu, seed).expect("operands of this ring, and memory")),
    }
}

/// A prime, a shape, a degree, and what is done.
type Row<'a> = (u64, Shape, usize, &'a [(&'static str, Work)]);

/// Cases of rings whose products one thing reduces.
fn of(reduction: Reduction, rows: &[Row]) -> Vec<Case> {
    let cases = |(p, shape, n, operations): &Row| {
        let ring = Ring { p: *p, shape: *shape, n: *n, reduction };
        operations.iter().map(|operation| case(ring, *operation)).collect::<Vec<_>>()
    };
    rows.iter().flat_map(cases).collect()
}

/// The cases: of a row for each coefficient, of one block, of several, and of more than a near cache keeps.
/// Small operands an allocator puts now here, now there, so that traces of those differ without a secret.
pub(super) fn all() -> Vec<Case> {
    let (cyclic, negacyclic) = (Shape::Cyclic, Shape::Negacyclic);
    let planned = [
        (WIDE, negacyclic, 8, &OPERATIONS[..7]),
        (WIDE, cyclic, 64, &OPERATIONS[..3]),
        (WIDE, negacyclic, COUNTED, &OPERATIONS[..]),
        (WIDE, negacyclic, 8192, &OPERATIONS[2..3]),
        (WIDE, negacyclic, 65536, &OPERATIONS[..1]),
        (WIDEST, negacyclic, 64, &OPERATIONS[..2]),
        (WIDEST, negacyclic, COUNTED, &OPERATIONS[..]),
        (TIGHTER, negacyclic, 64, &OPERATIONS[..2]),
        (TIGHTER, negacyclic, 512, &OPERATIONS[..]),
        (FULL, negacyclic, 64, &OPERATIONS[..2]),
        (FULL, negacyclic, 512, &OPERATIONS[..]),
        (LONG, negacyclic, 8, &OPERATIONS[..7]),
        (LONG, cyclic, 64, &OPERATIONS[..3]),
        (LONG, negacyclic, COUNTED, &OPERATIONS[..]),
        (LONG, negacyclic, 65536, &OPERATIONS[..1]),
        (LAZY, negacyclic, 64, &OPERATIONS[..2]),
        (LAZY, negacyclic, COUNTED, &OPERATIONS[..]),
        (NARROW, negacyclic, 8, &OPERATIONS[..7]),
        (NARROW, cyclic, 64, &OPERATIONS[..3]),
        (NARROW, negacyclic, COUNTED, &OPERATIONS[..]),
        (NARROW, negacyclic, 32768, &OPERATIONS[2..3]),
        (SMALL, negacyclic, 512, &WITHOUT_TRANSFORMS[..]),
    ];
    let by_k_red = [
        (SMALL, negacyclic, 8, &OPERATIONS[..7]),
        (SMALL, cyclic, 64, &OPERATIONS[..3]),
        (SMALL, negacyclic, COUNTED, &OPERATIONS[..]),
    ];
    #[cfg(ringsmith_internals)]
    let narrow = [(NARROW, cyclic, 64, &OPERATIONS[..3]), (NARROW, negacyclic, 512, &OPERATIONS[..])];
    let mut cases = of(Reduction::Planned, &planned);
    cases.extend(of(Reduction::KRed, &by_k_red));
    #[cfg(ringsmith_internals)]
    cases.extend([Reduction::Montgomery, Reduction::Quotients].into_iter().flat_map(|by| of(by, &narrow)));
    cases
}
