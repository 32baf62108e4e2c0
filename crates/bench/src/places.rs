//! Whether the cost of a product depends on where its memory lies.
//!
//! A load waits for an earlier store whose address is the same modulo 4096, though they have nothing to do
//! with each other: CPUs compare the low twelve bits first. So a product may be slow in one process and fast
//! in the next, by where the working memory lies relative to the operands. Here each product runs with its
//! working memory at 64 places: every cache line of a page.

use crate::RINGSMITH;
use crate::case::Id;
use crate::numbers::grouped;
use crate::ring::{SUITE, operand};
use crate::table::aligned;
use ringsmith_probe::Counter;
use ringsmith_ring::rings::{Visitor, visit_all};
use ringsmith_ring::{Coefficients, Entry, Ring, Workspace};
use ringsmith_simd::Cpu;
use std::hint::black_box;
use std::io;

/// Bytes of a cache line, and how many of them are a page.
const LINE: usize = 64;
const PLACES: usize = 64;
/// How often a product runs in a batch; how many batches each place has, and how many more those that seem dear:
/// a neighbour on the core makes any place dear for a while.
const REPETITIONS: u32 = 64;
const BATCHES: usize = 16;
const MORE: usize = 128;
/// What seems dear, as a quotient of the cheapest.
const DEAR: f64 = 1.02;

/// What a product cost at the best and the worst place.
pub struct Spread {
    /// Which product.
    pub id: Id,
    /// Ticks at the place where it was cheapest.
    pub least: f64,
    /// Ticks at the place where it was dearest.
    pub greatest: f64,
    /// The place where it was dearest: the cache line in its page.
    pub worst: usize,
}

/// A value and a cache line.
#[repr(C)]
struct Spaced<T>(T, #[allow(dead_code, reason = "moves the next one by a line")] Line);

#[repr(align(64))]
struct Line(#[allow(dead_code, reason = "for its size")] [u8; LINE]);

/// Values one behind the other, of which 64 lie at all places of a page: their distance in lines is odd.
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

fn place<T>(value: &T) -> usize {
    std::ptr::from_ref(value).addr() / LINE % PLACES
}

struct Products<'a> {
    cpus: &'a [Cpu],
    chosen: &'a dyn Fn(&str) -> bool,
    counter: &'a mut Counter,
    progress: &'a mut dyn FnMut(&Id),
    spreads: io::Result<Vec<Spread>>,
}

impl Products<'_> {
    /// The product at all places, these interleaved.
    fn spread<R: Ring>(&mut self, id: Id, entry: &Entry<R>, cpu: Cpu) -> io::Result<Spread> {
        let (a, b) = (operand::<R>(1), operand::<R>(2));
        let (mut out, mut everywhere) = (R::Coeffs::zero(), Everywhere::new(R::Scratch::new));
        let mut spaces = everywhere.values();
        let mut least = vec![f64::INFINITY; spaces.len()];
        for batch in 0..BATCHES + MORE {
            let best = least.iter().copied().fold(f64::INFINITY, f64::min);
            for (space, least) in spaces.iter_mut().zip(&mut least) {
                if batch >= BATCHES && *least <= DEAR * best {
                    continue;
                }
                let mut run = |repetitions| {
                    for _ in 0..repetitions {
                        (entry.multiply)(cpu, black_box(&a), black_box(&b), black_box(&mut out), space);
                    }
                };
                run(1);
                let span = self.counter.span(|| run(REPETITIONS))?.1;
                *least = least.min(span.ticks as f64 / f64::from(REPETITIONS));
            }
        }
        let each = || spaces.iter().zip(&least).map(|(space, least)| (place(&**space), *least));
        let (worst, greatest) = each().max_by(|x, y| x.1.total_cmp(&y.1)).unwrap_or_default();
        let least = each().map(|(_, least)| least).fold(f64::INFINITY, f64::min);
        Ok(Spread { id, least, greatest, worst })
    }
}

impl Visitor for Products<'_> {
    fn visit<R: Ring>(&mut self) {
        for entry in R::ROUTES {
            for &cpu in self.cpus {
                let id = Id::new(SUITE, R::NAME, "product", RINGSMITH, cpu.name(), &entry.route.to_string());
                if self.spreads.is_err() || !(self.chosen)(&id.to_string()) {
                    continue;
                }
                (self.progress)(&id);
                let spread = self.spread(id, entry, cpu);
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

/// A table: for each product the least and the greatest count, the quotient, and where it was dearest.
pub fn text(spreads: &[Spread], unit: &str) -> String {
    let titles =
        ["product", "cpu", "route", &format!("{unit}, best place"), "worst place", "quotient", "line"];
    let cells = spreads.iter().map(|spread| {
        let Spread { id, least, greatest, worst } = spread;
        let quotient = format!("{:.2}", greatest / least);
        let counts = [grouped(*least), grouped(*greatest), quotient, worst.to_string()];
        [id.subject.clone(), id.cpu.clone(), id.route.clone()].into_iter().chain(counts).collect()
    });
    let lines: Vec<Vec<String>> = std::iter::once(titles.map(String::from).into()).chain(cells).collect();
    aligned(&lines, 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Protects: there is memory at every place of a page, whatever the size of a value.
    #[test]
    fn all_places() {
        #[repr(align(64))]
        struct Lines<const N: usize>(#[allow(dead_code, reason = "for its size")] [u8; N]);
        fn places<T>(make: impl Fn() -> T) -> BTreeSet<usize> {
            Everywhere::new(make).values().into_iter().map(|value| place(value)).collect()
        }
        let all: BTreeSet<usize> = (0..PLACES).collect();
        assert_eq!(places(|| Lines([0; 9 * LINE])), all);
        assert_eq!(places(|| Lines([0; 8 * LINE])), all);
    }
}
