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
/// How often a product runs in a batch, and how many batches a place has.
const REPETITIONS: u32 = 64;
const BATCHES: usize = 24;

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

/// Values at all places of a page.
fn everywhere<T>(make: impl Fn() -> T) -> Vec<Box<T>> {
    let (mut found, mut kept, mut spacers) = (Vec::new(), [false; PLACES], Vec::new());
    // Allocators put things one behind the other; what lies between them moves the next one by some lines.
    for i in 0..64 * PLACES {
        let boxed = Box::new(make());
        let place = place(&*boxed);
        if !kept[place] {
            kept[place] = true;
            found.push(boxed);
        }
        spacers.push(Vec::<u8>::with_capacity(LINE * (1 + i % 11)));
    }
    found.sort_by_key(|boxed| place(&**boxed));
    found
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
        let (mut out, mut spaces) = (R::Coeffs::zero(), everywhere(R::Scratch::new));
        let mut least = vec![f64::INFINITY; spaces.len()];
        for _ in 0..BATCHES {
            for (space, least) in spaces.iter_mut().zip(&mut least) {
                let mut batch = |repetitions| {
                    for _ in 0..repetitions {
                        (entry.multiply)(cpu, black_box(&a), black_box(&b), black_box(&mut out), space);
                    }
                };
                batch(1);
                let span = self.counter.span(|| batch(REPETITIONS))?.1;
                *least = least.min(span.ticks as f64 / f64::from(REPETITIONS));
            }
        }
        let worst = (0..least.len()).max_by(|i, j| least[*i].total_cmp(&least[*j])).unwrap_or(0);
        let best = least.iter().copied().fold(f64::INFINITY, f64::min);
        let worst_place = spaces.get(worst).map_or(0, |space| place(&**space));
        let greatest = least.get(worst).copied().unwrap_or(best);
        Ok(Spread { id, least: best, greatest, worst: worst_place })
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

    /// Protects: there is memory at every place of a page, and at most once.
    #[test]
    fn all_places() {
        let boxes = everywhere(|| [0u8; 9 * LINE]);
        let places: Vec<_> = boxes.iter().map(|boxed| place(&**boxed)).collect();
        assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
        assert!(places.len() > PLACES / 2, "{places:?}");
    }
}
