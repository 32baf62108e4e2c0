//! The times of one point.

use crate::points::Point;
use ringsmith_any::{Candidate, Candidates, Costs, Method, Operands, Ring, Room, Work};
use ringsmith_probe::{CANARY_CYCLES, chain};
use ringsmith_simd::Cpu;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a point is measured: rounds, in each of which every method has its turn, until both are reached.
pub(crate) struct Budget {
    rounds: u32,
    time: Duration,
}

impl Budget {
    pub(crate) const FULL: Budget = Budget { rounds: 12, time: Duration::from_millis(30) };
    pub(crate) const QUICK: Budget = Budget { rounds: 4, time: Duration::from_millis(5) };
}

/// About how many nanoseconds a turn takes: long for the clock, short beside what interrupts.
const TURN: f64 = 30_000.0;
/// Methods that the model takes for so many times slower than the fastest are not measured.
const SLOW: f64 = 2.5;
/// No more of them are.
const MOST: usize = 9;

/// A method that was measured.
pub(crate) struct Timed {
    pub(crate) method: Method,
    pub(crate) work: Work,
    pub(crate) cycles: f64,
}

/// A point, and its methods.
pub(crate) struct Row {
    pub(crate) point: Point,
    pub(crate) operands: Operands,
    pub(crate) timed: Vec<Timed>,
}

/// A method that is measured.
struct Side {
    candidate: Candidate,
    ring: Ring,
    room: Room,
    least: f64,
}

impl Side {
    fn turn(&mut self, a: &[u64], b: &[u64], out: &mut [u64]) -> Result<(), Box<dyn Error>> {
        let calls = if self.least.is_finite() { (TURN / self.least).max(1.0) as u32 } else { 1 };
        let start = Instant::now();
        for _ in 0..calls {
            self.ring.product(black_box(a), black_box(b), out, &mut self.room)?;
        }
        self.least = self.least.min(start.elapsed().as_nanos() as f64 / f64::from(calls));
        Ok(())
    }
}

/// Nanoseconds of a chain of additions, each of which waits for the one before.
fn chain_time() -> f64 {
    let start = Instant::now();
    (0..20).for_each(|_| _ = black_box(chain()));
    start.elapsed().as_nanos() as f64 / 20.0
}

/// Measures a point, once its products agree.
pub(crate) fn measure(
    cpu: Cpu,
    point: Point,
    operands: Operands,
    costs: &Costs,
    budget: &Budget,
) -> Result<Row, Box<dyn Error>> {
    let f = point.polynomial()?;
    let candidates = Candidates::new(cpu, point.q, &f, operands, costs)?;
    let best = candidates.iter().next().ok_or("there is no method")?.cycles();
    let chosen = candidates.iter().filter(|candidate| candidate.cycles() < SLOW * best).take(MOST);
    let (a, mut b) = (point.random(1), point.random(2));
    if let Some(bound) = operands.bound() {
        b.iter_mut().for_each(|x| *x = (*x % (2 * bound + 1) + point.q - bound) % point.q);
    }
    let (mut sides, mut out, mut first) = (Vec::new(), vec![0; point.n], None);
    for candidate in chosen {
        let ring = Ring::by(cpu, point.q, &f, operands, &candidate.method())?;
        let room = ring.room()?;
        let mut side = Side { candidate: *candidate, ring, room, least: f64::INFINITY };
        side.turn(&a, &b, &mut out)?;
        if *first.get_or_insert_with(|| out.clone()) != out {
            return Err(format!("the products differ by {}", candidate.method()).into());
        }
        sides.push(side);
    }
    let (start, mut rounds, mut chain) = (Instant::now(), 0, f64::INFINITY);
    while rounds < budget.rounds || start.elapsed() < budget.time * sides.len() as u32 {
        chain = chain_time().min(chain);
        sides.iter_mut().try_for_each(|side| side.turn(&a, &b, &mut out))?;
        rounds += 1;
    }
    let timed = |side: Side| {
        let cycles = side.least * CANARY_CYCLES as f64 / chain;
        Timed { method: side.candidate.method(), work: *side.candidate.work(), cycles }
    };
    Ok(Row { point, operands, timed: sides.into_iter().map(timed).collect() })
}
