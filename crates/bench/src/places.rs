//! Whether the cost of a product depends on where its memory lies.
//!
//! Three traps wait at unlucky places:
//! - What a kernel keeps on the stack lies across two pages, where the compiler does not align it.
//! - A load waits for an earlier store whose address is the same modulo 4096, though they have nothing to do
//!   with each other: CPUs compare the low twelve bits first.
//! - Some first-level caches guess the way of a line by a hash of the bits above. Of two lines with the same
//!   low twelve bits and the same hash only one is found at a time, and what is used in turn misses in turn.
//!   Zen's hash has eight bits (M. Lipp et al.: Take A Way, 2020, section 4), which differ within 256
//!   neighbouring pages.
//!
//! So each product runs with its working memory
//! - on the stack, beside its operands and above what kernels keep there, as programs that ask a multiplier
//!   for memory have it, at all 64 cache lines of a page;
//! - on the heap, at 512 places: each of those lines eight times, in other pages. These are more than 256
//!   pages, so that some have the hash of the stack's page.

use crate::RINGSMITH;
use crate::case::Id;
use crate::numbers::grouped;
use crate::ring::{SUITE, operand};
use crate::table::aligned;
use ringsmith_probe::Counter;
use ringsmith_ring::{Multiplier, Poly, Ring, Workspace};
use ringsmith_routes::{EveryRoute, Visitor, entries, visit_all};
use ringsmith_simd::Cpu;
use std::hint::black_box;
use std::io;

/// Bytes of a cache line, and how many of them are a page.
const LINE: usize = 64;
const LINES: usize = 64;
/// Places on the heap.
const PLACES: usize = 8 * LINES;
/// How often a batch goes through the lines of the stack, times these.
const DEPTHS: usize = 5 * LINES;
/// How often a product runs in a batch; how many batches each place has, and how many more those that seem
/// dear: a neighbour on the core makes any place dear for a while.
const REPETITIONS: u32 = 16;
const BATCHES: usize = 6;
const MORE: usize = 48;
/// What seems dear, as a quotient of the cheapest; and what is.
const SEEMS_DEAR: f64 = 1.02;
const DEAR: f64 = 1.1;

/// What a product cost at the best and the worst place.
pub struct Spread {
    /// Which product.
    pub id: Id,
    /// Ticks at the place where it was cheapest.
    pub least: f64,
    /// Ticks at the line on the stack where it was dearest, and this line.
    pub stack: (f64, usize),
    /// Ticks at the place on the heap where it was dearest.
    pub heap: f64,
    /// At how many places on the heap it cost more than 1.1 times the least.
    pub dear: usize,
}

/// A value and a cache line.
#[repr(C)]
struct Spaced<T>(T, #[allow(dead_code, reason = "moves the next one by a line")] Line);

#[repr(align(64))]
struct Line(#[allow(dead_code, reason = "for its size")] [u8; LINE]);

/// Values one behind the other, which lie at all lines of a page, each equally often: their distance in lines
/// is odd.
enum Everywhere<T> {
    Close(Vec<T>),
    Spaced(Vec<Spaced<T>>),
}

impl<T> Everywhere<T> {
    fn new(make: impl Fn() -> T) -> Self {
        match size_of::<T>() / LINE % 2 {
            1 => Everywhere::Close((0..PLACES).map(|_| make()).collect()),
            _ => Everywhere::Spaced((0..PLACES).map(|_| Spaced(make(), Line([0; LINE]))).collect()),
        }
    }

    fn values(&mut self) -> Vec<&mut T> {
        match self {
            Everywhere::Close(values) => values.iter_mut().collect(),
            Everywhere::Spaced(values) => values.iter_mut().map(|spaced| &mut spaced.0).collect(),
        }
    }
}

/// The cache line of its page at which a value begins.
fn line<T>(value: &T) -> usize {
    std::ptr::from_ref(value).addr() / LINE % LINES
}

/// Runs `run` below a frame with so many bytes.
#[inline(never)]
fn below<const BYTES: usize>(run: &mut dyn FnMut()) {
    let frame = [0u8; BYTES];
    black_box(&frame);
    run();
    // So that this frame stays where it is meanwhile.
    black_box(&frame);
}

/// Two frames, of which the second has more: a line for each bit of a number of lines, by its weight.
type Frames = [fn(&mut dyn FnMut()); 2];

/// All so large that the compiler clears them in the same way: their frames differ in their bytes alone.
const FRAMES: [Frames; LINES.ilog2() as usize] = [
    [below::<{ 8 * LINE }>, below::<{ 9 * LINE }>],
    [below::<{ 8 * LINE }>, below::<{ 10 * LINE }>],
    [below::<{ 8 * LINE }>, below::<{ 12 * LINE }>],
    [below::<{ 8 * LINE }>, below::<{ 16 * LINE }>],
    [below::<{ 8 * LINE }>, below::<{ 24 * LINE }>],
    [below::<{ 8 * LINE }>, below::<{ 40 * LINE }>],
];

/// Runs `run` so many lines deeper in the stack than with none: by a frame for each bit of the number.
fn deeper(lines: usize, frames: &[Frames], run: &mut dyn FnMut()) {
    match frames.split_first() {
        None => run(),
        Some((two, rest)) => two[lines % 2](&mut || deeper(lines / 2, rest, run)),
    }
}

struct Products<'a> {
    cpus: &'a [Cpu],
    chosen: &'a dyn Fn(&str) -> bool,
    counter: &'a mut Counter,
    progress: &'a mut dyn FnMut(&Id),
    spreads: io::Result<Vec<Spread>>,
}

/// A product to measure.
struct Run<R: Ring> {
    by: Multiplier<R>,
    operands: [Poly<R>; 2],
    out: Poly<R>,
}

impl<R: Ring> Run<R> {
    /// Ticks of a product with this memory.
    fn ticks(&mut self, counter: &mut Counter, space: &mut R::Scratch) -> io::Result<f64> {
        let [a, b] = &self.operands;
        let mut run = |repetitions| {
            for _ in 0..repetitions {
                self.by.multiply_into(black_box(a), black_box(b), black_box(&mut self.out), space);
            }
        };
        run(1);
        let span = counter.span(|| run(REPETITIONS))?.1;
        Ok(span.ticks as f64 / f64::from(REPETITIONS))
    }
}

/// Whether a place is measured in this batch, where the cheapest took `best`.
fn goes_on(batch: usize, ticks: f64, best: f64) -> bool {
    batch < BATCHES || ticks > SEEMS_DEAR * best
}

/// The least of some numbers.
fn least_of(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The least ticks with memory on the stack, for each line of a page.
fn on_the_stack<R: Ring>(run: &mut Run<R>, counter: &mut Counter) -> io::Result<[f64; LINES]> {
    let mut least = [f64::INFINITY; LINES];
    for batch in 0..BATCHES + MORE {
        let best = least_of(&least);
        for depth in 0..DEPTHS {
            let mut measured = Ok(());
            deeper(depth % LINES, &FRAMES, &mut || {
                let mut space = R::Scratch::new();
                let least = &mut least[line(&space)];
                if goes_on(batch, *least, best) {
                    measured = run.ticks(counter, &mut space).map(|ticks| *least = least.min(ticks));
                }
            });
            measured?;
        }
    }
    Ok(least)
}

/// The least ticks at each place on the heap.
fn on_the_heap<R: Ring>(run: &mut Run<R>, counter: &mut Counter) -> io::Result<Vec<f64>> {
    let mut everywhere = Everywhere::new(R::Scratch::new);
    let mut spaces = everywhere.values();
    let mut least = vec![f64::INFINITY; spaces.len()];
    for batch in 0..BATCHES + MORE {
        let best = least_of(&least);
        for (space, least) in spaces.iter_mut().zip(&mut least) {
            if goes_on(batch, *least, best) {
                *least = least.min(run.ticks(counter, space)?);
            }
        }
    }
    Ok(least)
}

impl Products<'_> {
    fn spread<R: Ring>(&mut self, id: Id, by: Multiplier<R>) -> io::Result<Spread> {
        let operands = [operand::<R>(1), operand::<R>(2)];
        let mut run = Run { by, operands, out: Poly::zero() };
        let lines = on_the_stack(&mut run, self.counter)?;
        let places = on_the_heap(&mut run, self.counter)?;
        let least = least_of(&lines).min(least_of(&places));
        let worst = lines.iter().enumerate().max_by(|x, y| x.1.total_cmp(y.1));
        let stack = worst.map_or((least, 0), |(line, ticks)| (*ticks, line));
        let heap = places.iter().copied().fold(least, f64::max);
        let dear = places.iter().filter(|ticks| **ticks > DEAR * least).count();
        Ok(Spread { id, least, stack, heap, dear })
    }
}

impl Visitor for Products<'_> {
    fn visit<R: EveryRoute>(&mut self) {
        for entry in entries::<R>() {
            for &cpu in self.cpus {
                let id =
                    Id::new(SUITE, R::NAME, "product", RINGSMITH, cpu.name(), &entry.route().to_string());
                if self.spreads.is_err() || !(self.chosen)(&id.to_string()) {
                    continue;
                }
                (self.progress)(&id);
                let spread = self.spread(id, Multiplier::by_on(cpu, entry));
                match (&mut self.spreads, spread) {
                    (Ok(spreads), Ok(spread)) => spreads.push(spread),
                    (spreads, Err(error)) => *spreads = Err(error),
                    (Err(_), Ok(_)) => {}
                }
            }
        }
    }
}

/// The products whose names are `chosen`, on these CPUs. `progress` hears of each before it is measured.
///
/// # Errors
/// Where the kernel takes the hardware's counters away meanwhile.
pub fn spreads(
    cpus: &[Cpu],
    chosen: &dyn Fn(&str) -> bool,
    counter: &mut Counter,
    progress: &mut dyn FnMut(&Id),
) -> io::Result<Vec<Spread>> {
    let mut products = Products { cpus, chosen, counter, progress, spreads: Ok(Vec::new()) };
    visit_all(&mut products);
    products.spreads
}

/// A table: for each product the least count, the greatest on the stack as a quotient of it and where, the
/// greatest on the heap likewise, and how many places there are dear. Then how many products are within 1.1
/// at all places.
pub fn text(spreads: &[Spread], unit: &str) -> String {
    let over = format!("> {DEAR}, of {PLACES}");
    let titles = ["product", "cpu", "route", unit, "stack", "line", "heap", &over];
    let quotient = |ticks: f64, least: f64| format!("{:.2}", ticks / least);
    let cells = spreads.iter().map(|spread| {
        let Spread { id, least, stack: (ticks, line), heap, dear } = spread;
        let counts = [
            grouped(*least),
            quotient(*ticks, *least),
            line.to_string(),
            quotient(*heap, *least),
            dear.to_string(),
        ];
        [id.subject.clone(), id.cpu.clone(), id.route.clone()].into_iter().chain(counts).collect()
    });
    let lines: Vec<Vec<String>> = std::iter::once(titles.map(String::from).into()).chain(cells).collect();
    let stack = spreads.iter().filter(|spread| spread.stack.0 <= DEAR * spread.least).count();
    let dear: usize = spreads.iter().map(|spread| spread.dear).sum();
    format!(
        "{}\nwithin {DEAR} at all {LINES} lines of the stack: {stack} of {} products\n\
         above {DEAR} on the heap: {dear} of {} places\n",
        aligned(&lines, 3),
        spreads.len(),
        PLACES * spreads.len(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Protects: there is memory at every line of a page, whatever the size of a value.
    #[test]
    fn all_lines_of_the_heap() {
        #[repr(align(64))]
        struct Lines<const N: usize>(#[allow(dead_code, reason = "for its size")] [u8; N]);
        fn lines<T>(make: impl Fn() -> T) -> BTreeMap<usize, usize> {
            let mut lines = BTreeMap::new();
            for value in Everywhere::new(make).values() {
                *lines.entry(line(value)).or_default() += 1;
            }
            lines
        }
        let all: BTreeMap<usize, usize> = (0..LINES).map(|line| (line, PLACES / LINES)).collect();
        assert_eq!(lines(|| Lines([0; 9 * LINE])), all);
        assert_eq!(lines(|| Lines([0; 8 * LINE])), all);
    }

    /// Protects: the stack gets so much deeper, in steps so small, that memory lies at every line of a page.
    #[test]
    fn all_lines_of_the_stack() {
        let mut seen = [false; LINES];
        for depth in 0..LINES {
            deeper(depth, &FRAMES, &mut || {
                let value = black_box(Line([0; LINE]));
                seen[line(&value)] = true;
            });
        }
        assert_eq!(seen, [true; LINES]);
    }
}
