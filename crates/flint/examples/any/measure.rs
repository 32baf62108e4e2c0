//! The times of one point.

use crate::points::{Form, Point};
use ringsmith::any::compiled::Table;
use ringsmith::any::{Operands, Ring};
use ringsmith::compiled::table;
use ringsmith_flint::{Division, Element, Modulus, Ring as Flint, has_fft_small};
use ringsmith_simd::Cpu;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a point is measured: rounds, in each of which every side has its turn, until both are reached.
pub(crate) struct Budget {
    pub(crate) rounds: u32,
    pub(crate) time: Duration,
}

impl Budget {
    pub(crate) const FULL: Budget = Budget { rounds: 20, time: Duration::from_millis(400) };
    pub(crate) const QUICK: Budget = Budget { rounds: 4, time: Duration::from_millis(20) };
}

/// About how many nanoseconds a side's turn takes: long for the clock, short beside what interrupts.
const TURN: f64 = 50_000.0;
/// How many products it has at least: the first one finds the other side's memory in the caches.
const CALLS: f64 = 4.0;

/// The least nanoseconds of a product on each side, and how each computes it.
pub(crate) struct Times {
    pub(crate) ours: f64,
    pub(crate) route: String,
    pub(crate) theirs: f64,
    pub(crate) way: &'static str,
}

/// One of FLINT's ways of computing a product.
struct Side {
    name: &'static str,
    ring: Flint,
    operands: [Element; 2],
    least: Least,
}

impl Side {
    fn new(name: &'static str, point: &Point, modulus: Modulus) -> Result<Self, Box<dyn Error>> {
        let ring = Flint::new(point.q, modulus)?;
        let [a, b] = [1, 2].map(|seed| ring.element(&point.random(seed)));
        Ok(Side { name, ring, operands: [a?, b?], least: Least(f64::INFINITY) })
    }

    fn turn(&mut self, out: &mut [u64]) {
        let Side { ring, operands, least, .. } = self;
        least.turn(|| {
            let [a, b] = black_box(&*operands);
            ring.product(a, b, out).expect("it gave a product before");
            black_box(&mut *out);
        });
    }
}

/// FLINT's ways of a point.
fn sides(point: &Point) -> Result<Vec<Side>, Box<dyn Error>> {
    let fold = |modulus| Side::new("mul, fold", point, modulus).map(|side| vec![side]);
    match point.form {
        Form::Cyclic => return fold(Modulus::Cyclic(point.n)),
        Form::Negacyclic => return fold(Modulus::Negacyclic(point.n)),
        Form::Trinomial => return fold(Modulus::Trinomial(point.n)),
        Form::Dense => {}
    }
    let f = point.dense();
    let mut sides = vec![Side::new("mulmod_preinv", point, Modulus::Dense(&f, Division::Inverse))?];
    if has_fft_small() {
        let transforms = Modulus::Dense(&f, Division::Transforms);
        sides.push(Side::new("mul, divrem_precomp", point, transforms)?);
    }
    Ok(sides)
}

/// The least time of a call so far, in nanoseconds, by turns that fit it.
struct Least(f64);

impl Least {
    fn turn(&mut self, mut call: impl FnMut()) {
        let calls = if self.0.is_finite() { (TURN / self.0).max(CALLS) as u32 } else { 1 };
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        self.0 = self.0.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
    }
}

/// Refuses two products that differ.
fn compare(ours: &[u64], theirs: &[u64], way: &str) -> Result<(), Box<dyn Error>> {
    match ours.iter().zip(theirs).position(|(x, y)| x != y) {
        None => Ok(()),
        Some(i) => Err(format!(
            "the products differ: the coefficient of x^{i} is {} by ours, {} by FLINT's ({way})",
            ours[i], theirs[i]
        )
        .into()),
    }
}

/// Measures a point, once its products agree.
pub(crate) fn measure(cpu: Cpu, point: &Point, budget: &Budget) -> Result<Times, Box<dyn Error>> {
    // Kernels that serve any ring; none that was compiled for this one.
    let table = Table { products: table().products, ..Table::default() };
    let ring = Ring::with_compiled(cpu, point.q, &point.polynomial()?, Operands::any(), table)?;
    let [a, b] = [1, 2].map(|seed| point.random(seed));
    let (mut out, mut room) = (vec![0; point.n], ring.room()?);
    ring.product(&a, &b, &mut out, &mut room)?;
    let (mut sides, mut their_out) = (sides(point)?, vec![0; point.n]);
    for side in &mut sides {
        side.ring.product(&side.operands[0], &side.operands[1], &mut their_out)?;
        compare(&out, &their_out, side.name)?;
    }
    let (start, mut rounds, mut ours) = (Instant::now(), 0, Least(f64::INFINITY));
    while rounds < budget.rounds || start.elapsed() < budget.time {
        ours.turn(|| {
            ring.product(black_box(&a), black_box(&b), &mut out, &mut room)
                .expect("it gave a product before");
            black_box(&mut out);
        });
        sides.iter_mut().for_each(|side| side.turn(&mut their_out));
        rounds += 1;
    }
    let fastest = sides.iter().min_by(|x, y| x.least.0.total_cmp(&y.least.0)).ok_or("FLINT has no way")?;
    Ok(Times { ours: ours.0, route: ring.route().to_string(), theirs: fastest.least.0, way: fastest.name })
}
