//! Measuring: the costs of units of work, and the methods of a ring.

use super::Asked;
use super::page::Page;
use crate::any;
use crate::bench::measured;
use crate::error::Error;
use ringsmith::Cpu;
use ringsmith::any::{Candidate, Candidates, Costs, Expression, Operands, Ring, Work};
use ringsmith_bench::{Budget, Case, Id, RINGSMITH};
use ringsmith_probe::{CANARY_CYCLES, Counter, chain, pin};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Rings whose fastest methods together have work of every kind, and how many of them are measured.
const SAMPLES: [(&str, usize); 28] = [
    ("Z_4591[x]/(x^16+1)", 1),
    ("Z_3[x]/(x^64-1)", 1),
    ("Z_12289[x]/(x^64+1)", 1),
    ("Z_12289[x]/(x^1024+1)", 1),
    ("Z_12289[x]/(x^761-x-1)", 2),
    ("Z_12289[x]/(x^1024+x^1022+1)", 1),
    ("Z_3[x]/(x^256+1)", 1),
    ("Z_3[x]/(x^4096-x-1)", 2),
    ("Z_7[x]/(x^1024-x-1)", 1),
    ("Z_49201153[x]/(x^8192+1)", 1),
    ("Z_2013265921[x]/(x^64+1)", 1),
    ("Z_49201153[x]/(x^65536+1)", 1),
    ("Z_4591[x]/(x^64-x-1)", 1),
    ("Z_4591[x]/(x^256+1)", 1),
    ("Z_4591[x]/(x^761-x-1)", 2),
    ("Z_4591[x]/(x^1024-5x^3-7)", 1),
    ("Z_4591[x]/(x^16384+1)", 1),
    ("Z_4591[x]/(x^65536+1)", 1),
    ("Z_2^32[x]/(x^64+1)", 1),
    ("Z_2^32[x]/(x^1024-x-1)", 1),
    ("Z_2^32[x]/(x^8192+1)", 1),
    ("Z_(2^60-93)[x]/(x^64-1)", 1),
    ("Z_(2^60-93)[x]/(x^1024+1)", 1),
    ("Z_(2^60-93)[x]/(x^761-x-1)", 1),
    ("Z_(2^60-93)[x]/(x^16384+1)", 1),
    ("Z_1152921504606584833[x]/(x^64+1)", 1),
    ("Z_1152921504606584833[x]/(x^1024+1)", 1),
    ("Z_1152921504606584833[x]/(x^8192+1)", 1),
];
/// The time for each of them.
const SAMPLE: Duration = Duration::from_millis(30);
/// The time for each method of the user's ring.
const METHOD: Duration = Duration::from_millis(60);
/// How many of those are measured, if they are not a multiple of the fastest.
const MOST: usize = 5;
const SLOW: f64 = 4.0;

/// Nanoseconds of a cycle of the core, now.
#[derive(Clone, Copy)]
pub(super) struct Clock(pub(super) f64);

impl Clock {
    /// By additions each of which waits for the one before.
    pub(super) fn look() -> Self {
        let time = || {
            let start = Instant::now();
            (0..20).for_each(|_| _ = black_box(chain()));
            start.elapsed().as_nanos() as f64 / 20.0
        };
        Clock((0..20).map(|_| time()).fold(f64::INFINITY, f64::min) / CANARY_CYCLES as f64)
    }
}

/// Nanoseconds of products by the first methods, by kernels that were compiled for the ring, and by whole
/// products in lanes of 16 bits.
#[derive(Default)]
pub(super) struct Times {
    pub(super) methods: Vec<f64>,
    pub(super) compiled: Option<f64>,
    pub(super) by_rows: Option<f64>,
}

/// A product that can be measured: the same coefficients for all of a ring, any below its modulus.
fn case(subject: &str, number: usize, ring: impl Fn() -> Ring + 'static) -> Case {
    let id = Id::new("plan", subject, "product", RINGSMITH, "", &number.to_string());
    Case::new(id, move || {
        let ring = ring();
        let (n, q) = (ring.degree() as u64, ring.modulus());
        let most = ring.operands().bound().unwrap_or(q - 1);
        let a: Vec<u64> = (1..=n).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % q).collect();
        let b: Vec<u64> = a.iter().map(|x| x % (most + 1)).collect();
        let (mut out, mut room) = (vec![0; a.len()], ring.room().expect("memory"));
        move || ring.product(black_box(&a), black_box(&b), &mut out, &mut room).expect("elements of the ring")
    })
}

/// A ring by one of its methods.
fn by(
    cpu: Cpu,
    expression: &Expression,
    operands: Operands,
    candidate: &Candidate,
) -> impl Fn() -> Ring + use<> {
    let (Expression { q, f }, method) = (expression.clone(), candidate.method());
    move || Ring::by(cpu, q, &f, operands, &method).expect("a method of the ring")
}

/// Measures cases, whose numbers are their places: nanoseconds and cycles of each.
fn times(cases: Vec<Case>, each: Duration) -> Result<Vec<[f64; 2]>, Error> {
    let (_, mut counter) = (pin(), Counter::open());
    let mut times = vec![[f64::INFINITY; 2]; cases.len()];
    for row in measured(cases, &mut counter, &Budget::per_row(each)).map_err(Error::Counter)? {
        if let Some(time) = row.route.parse::<usize>().ok().and_then(|i| times.get_mut(i)) {
            *time = [row.ns_min, row.core_cycles()];
        }
    }
    Ok(times)
}

/// The costs that fit this machine.
pub(super) fn costs(cpu: Cpu) -> Result<Costs, Error> {
    let (shipped, mut cases, mut works) = (Costs::of(cpu), Vec::new(), Vec::<Work>::new());
    for (text, count) in SAMPLES {
        let expression: Expression = text.parse().expect("a ring");
        let Expression { q, f } = &expression;
        let candidates = Candidates::new(cpu, *q, f, Operands::any(), &shipped);
        let candidates = candidates.map_err(|why| any::error(&expression, why))?;
        for candidate in candidates.iter().take(count) {
            cases.push(case(text, cases.len(), by(cpu, &expression, Operands::any(), candidate)));
            works.push(*candidate.work());
        }
    }
    let times = times(cases, SAMPLE)?;
    let products: Vec<_> = works.into_iter().zip(times).map(|(work, [_, cycles])| (work, cycles)).collect();
    Ok(shipped.fitted(&products))
}

impl Times {
    /// Measures the fastest ways of a ring.
    pub(super) fn of(asked: &Asked, page: &Page) -> Result<Self, Error> {
        let Asked { cpu, expression, operands } = asked;
        let best = page.candidates.iter().next().map_or(0.0, Candidate::cycles);
        let chosen = page.candidates.iter().take(MOST).filter(|candidate| candidate.cycles() <= SLOW * best);
        let subject = expression.to_string();
        let methods = chosen.enumerate();
        let mut cases: Vec<_> =
            methods.map(|(i, of)| case(&subject, i, by(*cpu, expression, *operands, of))).collect();
        let methods = cases.len();
        let (compiled, by_rows) = (page.is_compiled(), page.by_rows.is_some());
        if compiled {
            let asked = asked.clone();
            let ring = move || asked.ring(&Costs::of(asked.cpu)).expect("a ring");
            cases.push(case(&subject, cases.len(), ring));
        }
        if by_rows {
            let asked = asked.clone();
            cases.push(case(&subject, cases.len(), move || {
                asked.by_rows(&Costs::of(asked.cpu)).expect("whole products")
            }));
        }
        let mut times = times(cases, METHOD)?.into_iter().map(|[ns, _]| ns);
        let methods = times.by_ref().take(methods).collect();
        let mut next = |is_there: bool| if is_there { times.next() } else { None };
        Ok(Times { methods, compiled: next(compiled), by_rows: next(by_rows) })
    }
}
