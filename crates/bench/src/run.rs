//! Running cases and counting what they cost.

use crate::case::{Batch, Case, Id, List, Makes, check};
use crate::measurement::Measurement;
use crate::numbers::{least, mean, median, to_tenths};
use ringsmith_probe::{Counter, Kind, Span, canary_once};
use std::io;
use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The time for one row, shared by its batches.
    pub row: Duration,
    /// The time for one batch, if its operation is not longer by itself.
    pub batch: Duration,
    /// Over how many passes through all rows the time is spread: a neighbour on the core stays for a while.
    pub sweeps: u32,
}

/// The most repetitions in a batch: enough that starting and stopping the counter vanishes for the shortest
/// operation.
const REPETITIONS: u32 = 4096;
/// The fewest batches of a row in a sweep, however long its operation takes.
const BATCHES: u32 = 3;

impl Budget {
    /// A given time for each row, in batches of 1.5 ms and three sweeps.
    pub fn per_row(row: Duration) -> Self {
        let sweeps = 3;
        Budget { row, batch: Duration::from_micros(1500).min(row / (sweeps * BATCHES)), sweeps }
    }

    /// Just enough to see that everything runs: the figures are noise.
    pub fn quick() -> Self {
        Budget { sweeps: 1, ..Self::per_row(Duration::from_micros(500)) }
    }

    /// Seconds of a row in one sweep.
    fn sweep(&self) -> f64 {
        self.row.as_secs_f64() / f64::from(self.sweeps.max(1))
    }
}

impl Default for Budget {
    /// 100 ms a row.
    fn default() -> Self {
        Self::per_row(Duration::from_millis(100))
    }
}

/// The fewest passes through a list in a sweep.
const PASSES: u32 = 2;

/// A case in one sweep.
struct Running {
    batch: Batch,
    turn: Turn,
    /// How many turns are to come.
    turns: u32,
}

/// What is done when it is a case's turn.
enum Turn {
    /// A batch of so many repetitions.
    Batch(u32),
    /// The next slice of a list.
    Slice { length: u32, next: u32 },
}

impl Running {
    /// Warms up, and chooses the number of repetitions and of turns.
    fn start(case: &Case, budget: &Budget) -> Self {
        match case.makes() {
            Makes::Many(_) => Self::start_batches(case.prepare(), budget),
            Makes::List(list) => Self::start_list(case.prepare(), list, budget),
        }
    }

    fn start_batches(mut batch: Batch, budget: &Budget) -> Self {
        batch(1);
        let mut repetitions = 1;
        let one = loop {
            let clock = Instant::now();
            batch(repetitions);
            let time = clock.elapsed();
            if time >= budget.batch / 4 || repetitions >= REPETITIONS {
                break time.as_secs_f64() / f64::from(repetitions);
            }
            repetitions *= 2;
        };
        let one = one.max(1e-10);
        let repetitions = (budget.batch.as_secs_f64() / one).clamp(1.0, f64::from(REPETITIONS));
        let batches = (budget.sweep() / (one * repetitions)).clamp(f64::from(BATCHES), 1e4);
        Running { batch, turn: Turn::Batch(repetitions as u32), turns: batches as u32 }
    }

    /// Whole passes through the list.
    fn start_list(mut batch: Batch, list: List, budget: &Budget) -> Self {
        let length = list.length as u32;
        batch(0);
        let clock = Instant::now();
        (0..Case::SLICE).for_each(&mut batch);
        let slices = length / Case::SLICE;
        let one = clock.elapsed().as_secs_f64().max(1e-9) * f64::from(slices);
        let passes = (budget.sweep() / one).clamp(f64::from(PASSES), 1e4) as u32;
        Running { batch, turn: Turn::Slice { length, next: 0 }, turns: passes * slices }
    }

    /// A batch or a slice, with a canary before it and one operation that brings code and operands back into
    /// the caches.
    fn round(&mut self, counter: &mut Counter, row: &mut Row) -> io::Result<()> {
        row.canary = row.canary.min(canary_once(counter)?);
        let batch = &mut self.batch;
        match &mut self.turn {
            Turn::Batch(repetitions) => {
                batch(1);
                let span = counter.span(|| batch(*repetitions))?.1;
                row.batches.push((span, f64::from(*repetitions)));
            }
            Turn::Slice { length, next } => {
                batch(*next);
                for index in *next..*next + Case::SLICE {
                    row.batches.push((counter.span(|| batch(index))?.1, 1.0));
                }
                *next = (*next + Case::SLICE) % *length;
            }
        }
        self.turns -= 1;
        Ok(())
    }
}

/// What was counted for a case so far: each batch with how often its operation was done. Of a list, each
/// operation is a batch, in whole passes.
struct Row {
    case: Case,
    batches: Vec<(Span, f64)>,
    canary: f64,
}

/// A cost of an operation that draws randomness, in the median, above which another program ran meanwhile:
/// one signature in 30,000 has attempts for that.
const INTERRUPTED: f64 = 10.0;

/// Those costs that no other program is in.
fn in_peace(mut costs: Vec<f64>) -> Vec<f64> {
    let most = median(&mut costs).map_or(0.0, |median| INTERRUPTED * median);
    costs.retain(|cost| *cost <= most);
    costs
}

impl Row {
    fn new(case: Case) -> Self {
        Row { case, batches: Vec::new(), canary: f64::INFINITY }
    }

    /// The cost of what is measured in each batch; of a list of alike operations, the least of each of them.
    fn each(&self, value: fn(&Span) -> Option<f64>) -> Vec<f64> {
        let cost = |(span, repetitions): &(Span, f64)| Some(value(span)? / repetitions);
        let costs: Vec<_> = self.batches.iter().filter_map(cost).collect();
        match self.case.makes() {
            Makes::Many(many) => costs.iter().map(|cost| cost / many as f64).collect(),
            Makes::List(List { length, alike: true }) => {
                let of_entry =
                    |i: usize| least(&costs.iter().skip(i).step_by(length).copied().collect::<Vec<_>>());
                (0..length).filter_map(of_entry).collect()
            }
            Makes::List(List { alike: false, .. }) => in_peace(costs),
        }
    }

    fn finish(self, kind: Kind) -> Measurement {
        let each = |value: fn(&Span) -> Option<f64>| self.each(value);
        let mut ticks = each(|span| Some(span.ticks as f64));
        let is_list = matches!(self.case.makes(), Makes::List(_));
        let Id { suite, subject, operation, implementation, cpu, route } = self.case.id().clone();
        Measurement {
            suite,
            subject,
            operation,
            implementation,
            cpu,
            route,
            cycles_min: to_tenths(least(&ticks).unwrap_or(0.0)),
            cycles_median: to_tenths(median(&mut ticks).unwrap_or(0.0)),
            cycles_mean: mean(&ticks).filter(|_| is_list).map(to_tenths),
            instructions: least(&each(|span| span.instructions.map(|i| i as f64))).map(to_tenths),
            ns_min: to_tenths(least(&each(|span| Some(span.time.as_nanos() as f64))).unwrap_or(0.0)),
            counter: kind.name().into(),
            canary: to_tenths(self.canary),
        }
    }
}

/// Measures all cases, those that compute the same thing interleaved batch by batch. Pin the thread first.
/// `progress` hears of each row when it is done in a sweep: [`Budget::sweeps`] times. The rows come in the
/// order of the cases, comparable ones brought together.
///
/// # Errors
/// Where the kernel takes the hardware's counters away meanwhile.
pub fn measure(
    cases: Vec<Case>,
    counter: &mut Counter,
    budget: &Budget,
    progress: &mut dyn FnMut(&Id),
) -> io::Result<Vec<Measurement>> {
    let mut groups = groups(cases);
    for _ in 0..budget.sweeps.max(1) {
        for group in &mut groups {
            sweep(group, counter, budget)?;
            // One for the group: its rows shared the minutes, so their ratios should not carry two canaries'
            // noise.
            let canary = group.iter().map(|row| row.canary).fold(f64::INFINITY, f64::min);
            group.iter_mut().for_each(|row| row.canary = canary);
            group.iter().for_each(|row| progress(row.case.id()));
        }
    }
    Ok(groups.into_iter().flatten().map(|row| row.finish(counter.kind())).collect())
}

/// One sweep through a group, batch by batch in turn.
fn sweep(group: &mut [Row], counter: &mut Counter, budget: &Budget) -> io::Result<()> {
    let mut running: Vec<_> = group.iter().map(|row| Running::start(&row.case, budget)).collect();
    while running.iter().any(|case| case.turns > 0) {
        for (case, row) in running.iter_mut().zip(group.iter_mut()).filter(|(case, _)| case.turns > 0) {
            case.round(counter, row)?;
        }
    }
    Ok(())
}

/// Brings comparable cases together, in the order of their first.
fn groups(cases: Vec<Case>) -> Vec<Vec<Row>> {
    let mut groups: Vec<Vec<Row>> = Vec::new();
    for case in cases {
        match groups.iter_mut().find(|group| group[0].case.id().comparable(case.id())) {
            Some(group) => group.push(Row::new(case)),
            None => groups.push(vec![Row::new(case)]),
        }
    }
    groups
}

/// Runs every case for a moment: each under a name of its own, what must hold does, and each takes time.
///
/// # Panics
/// Where that is not so.
pub fn try_all(cases: Vec<Case>) -> Vec<Measurement> {
    let names: std::collections::BTreeSet<_> = cases.iter().map(|case| case.id().to_string()).collect();
    assert_eq!(names.len(), cases.len());
    assert_eq!(check(&cases), Ok(()));
    let rows = measure(cases, &mut Counter::open(), &Budget::quick(), &mut |_| ()).expect("a counter");
    assert_eq!(rows.len(), names.len());
    assert!(rows.iter().all(|row| row.cycles_min > 0.0));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    fn case(operation: &str, route: &str, log: &Rc<RefCell<String>>) -> Case {
        let (log, mark) = (log.clone(), route.to_owned());
        Case::new(Id::new("s", "x", operation, "i", "c", route), move || {
            let (log, mark) = (log.clone(), mark.clone());
            move || {
                std::thread::sleep(Duration::from_micros(300));
                log.borrow_mut().push_str(&mark);
            }
        })
    }

    /// Protects: cases to be compared alternate batch by batch, and no operand is made before its group's
    /// turn.
    #[test]
    fn comparable_cases_are_interleaved() {
        let log = Rc::default();
        let cases = vec![case("p", "a", &log), case("q", "c", &log), case("p", "b", &log)];
        let mut seen = 0;
        let rows = measure(cases, &mut Counter::open(), &Budget::quick(), &mut |_| seen += 1).unwrap();
        assert_eq!(rows.iter().map(|row| row.route.as_str()).collect::<String>(), "abc");
        assert_eq!(seen, 3);
        let log = log.borrow();
        assert!(log.contains("aabbaabb") && !log.contains("ca"), "{log}");
    }

    /// Protects: of a list each operation is timed by itself; least, median and mean are over the list, or
    /// over all times where these differ.
    #[test]
    fn lists() {
        let chain = || _ = std::hint::black_box(ringsmith_probe::chain());
        // The operation of an index takes so many chains: seven take one, eight nine, and one 17.
        let chains = |i: usize| [1, 9, 9, 1, 1, 9, 9, 1, 1, 9, 9, 1, 9, 1, 9, 17][i];
        let id = |route| Id::new("s", "x", "list", "i", "c", route);
        let case = |route, alike| {
            Case::of_list(id(route), 16, alike, move || move |i: usize| (0..chains(i)).for_each(|_| chain()))
        };
        let cases = vec![case("alike", true), case("not", false)];
        for row in measure(cases, &mut Counter::open(), &Budget::quick(), &mut |_| ()).unwrap() {
            let quotients = [row.cycles_median, row.cycles_mean.unwrap()].map(|count| count / row.cycles_min);
            // 9 and 6, with room for a machine that is not left in peace.
            assert!(quotients[0] > 4.0 && quotients[1] > 3.0, "{row:?}");
        }
    }

    /// Protects: a cost with another program in it is no part of a mean, and others are.
    #[test]
    fn interrupted() {
        assert_eq!(in_peace(vec![1.0, 50.0, 5.0, 500.0, 5.0]), [1.0, 5.0, 5.0, 50.0]);
        assert!(in_peace(Vec::new()).is_empty());
    }

    /// Protects: what must hold is asked, and what fails is said.
    #[test]
    fn checks() {
        let log = Rc::default();
        let failing = case("p", "a", &log).checked(|| Err("it differs".into()));
        assert_eq!(check(&[case("q", "c", &log).checked(|| Ok(())), failing]), Err("it differs".into()));
    }

    /// Protects: a figure is the cost of one operation, not of a batch.
    #[test]
    fn costs_are_per_operation() {
        let id = |route| Id::new("s", "x", "chain", "i", "c", route);
        let chain = || _ = std::hint::black_box(ringsmith_probe::chain());
        let ten = move || (0..10).for_each(|_| chain());
        let cases = vec![Case::new(id("one"), move || chain), Case::of_many(id("ten"), 10, move || ten)];
        let rows = measure(cases, &mut Counter::open(), &Budget::quick(), &mut |_| ()).unwrap();
        let row = &rows[0];
        let quotient = row.cycles_min / rows[1].cycles_min;
        assert!((0.2..5.0).contains(&quotient), "{quotient}");
        assert!(row.cycles_min <= row.cycles_median && row.ns_min > 0.0 && row.canary > 0.0, "{row:?}");
        // A chain is a canary; the factor leaves room for a machine whose speed changes meanwhile.
        assert!((100.0..10_000.0).contains(&row.core_cycles()), "{row:?}");
    }
}
