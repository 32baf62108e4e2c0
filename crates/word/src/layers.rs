//! Layers of a transform: one to three on rows in registers.
//!
//! # The map
//! `K` rows are those of the `K` descendants of a node. Forward a layer makes two remainders of each
//! polynomial; backward it makes the polynomial of them, times 2. Two layers are done at once on four rows
//! ([`Arithmetic::quad`]), a third on pairs.
//!
//! # Bounds
//! Those of the kind of lanes. Forward, rows may be renewed when they come in. Backward row 0 is the one that
//! takes sums alone; the first half takes a sum last.

use crate::lanes::{Arithmetic, Lanes, TwoRows};
use crate::tables::Table;

/// The factors of a node and its descendants.
#[derive(Clone, Copy)]
pub(crate) struct Descendants<L: Arithmetic, const K: usize> {
    /// `s` of layer `t` at `2^t + s`; there is none at 0.
    pub(crate) factors: [L::Factors; K],
    /// What the first two layers need beside.
    pub(crate) cross: L::Cross,
}

/// Reads them from the table.
#[inline(always)]
pub(crate) fn descendants<L: Lanes, const K: usize>(
    l: L,
    table: &Table<L::Kind>,
    node: usize,
) -> Descendants<L, K> {
    let mut factors = [l.splat(Default::default()); K];
    let mut width = 1;
    while width < K {
        let mut s = 0;
        while s < width {
            factors[width + s] = l.splat(table.nodes[node * width + s]);
            s += 1;
        }
        width *= 2;
    }
    let cross = l.splat_cross(if K > 2 { table.cross[node] } else { Default::default() });
    Descendants { factors, cross }
}

/// The factors of two nodes and their descendants, for two rows at once.
#[inline(always)]
pub(crate) fn descendants_of_two<L: Lanes, const K: usize>(
    two: L::Two,
    table: &Table<L::Kind>,
    [a, b]: [usize; 2],
) -> Descendants<L::Two, K> {
    let mut factors = [two.splat(Default::default()); K];
    let mut width = 1;
    while width < K {
        let mut s = 0;
        while s < width {
            factors[width + s] = two.splat([table.nodes[a * width + s], table.nodes[b * width + s]]);
            s += 1;
        }
        width *= 2;
    }
    let none = Default::default();
    let cross = two.splat_cross(if K > 2 { [table.cross[a], table.cross[b]] } else { [none, none] });
    Descendants { factors, cross }
}

/// Two layers on rows `i`, `i + K / 4`, .. `quad` is told whether a layer between pairs makes them sums.
#[inline(always)]
fn quad_at<L: Arithmetic, const K: usize>(
    i: usize,
    x: &mut [L::Vector; K],
    quad: impl Fn([L::Vector; 4], bool) -> [L::Vector; 4] + Copy,
) {
    let at = [i, i + K / 4, i + K / 2, i + K / 4 * 3];
    [x[at[0]], x[at[1]], x[at[2]], x[at[3]]] =
        quad([x[at[0]], x[at[1]], x[at[2]], x[at[3]]], K == 8 && i == 0);
}

/// Two layers on all rows: written out, because compilers leave a loop of so long a body, and its rows in
/// memory.
#[inline(always)]
fn quads<L: Arithmetic, const K: usize>(
    x: &mut [L::Vector; K],
    quad: impl Fn([L::Vector; 4], bool) -> [L::Vector; 4] + Copy,
) {
    if K > 2 {
        quad_at::<L, K>(0, x, quad);
    }
    if K == 8 {
        quad_at::<L, K>(1, x, quad);
    }
}

/// A layer on rows `2 s` and `2 s + 1`.
#[inline(always)]
fn pair_at<L: Arithmetic, const K: usize>(
    s: usize,
    x: &mut [L::Vector; K],
    pair: impl Fn([L::Vector; 2], usize) -> [L::Vector; 2] + Copy,
) {
    [x[2 * s], x[2 * s + 1]] = pair([x[2 * s], x[2 * s + 1]], K / 2 + s);
}

/// The layer that two layers at once leave, written out likewise. `pair` is told the factor's place.
#[inline(always)]
fn pairs<L: Arithmetic, const K: usize>(
    x: &mut [L::Vector; K],
    pair: impl Fn([L::Vector; 2], usize) -> [L::Vector; 2] + Copy,
) {
    if K != 4 {
        pair_at::<L, K>(0, x, pair);
    }
    if K == 8 {
        pair_at::<L, K>(1, x, pair);
        pair_at::<L, K>(2, x, pair);
        pair_at::<L, K>(3, x, pair);
    }
}

/// Row `r`, where it is one of them.
#[inline(always)]
fn alone_at<L: Arithmetic, const K: usize>(
    r: usize,
    x: &mut [L::Vector; K],
    [first, end]: [usize; 2],
    f: impl Fn(L::Vector) -> L::Vector + Copy,
) {
    if first <= r && r < end {
        x[r] = f(x[r]);
    }
}

/// Rows `first` to `end` each by itself, written out likewise.
#[inline(always)]
pub(crate) fn alone<L: Arithmetic, const K: usize>(
    x: &mut [L::Vector; K],
    rows: [usize; 2],
    f: impl Fn(L::Vector) -> L::Vector + Copy,
) {
    alone_at::<L, K>(0, x, rows, f);
    alone_at::<L, K>(1, x, rows, f);
    alone_at::<L, K>(2, x, rows, f);
    alone_at::<L, K>(3, x, rows, f);
    alone_at::<L, K>(4, x, rows, f);
    alone_at::<L, K>(5, x, rows, f);
    alone_at::<L, K>(6, x, rows, f);
    alone_at::<L, K>(7, x, rows, f);
}

/// `log2 K` layers on `K` rows, of which there are 2, 4 or 8.
#[inline(always)]
pub(crate) fn layers<L: Arithmetic, const K: usize>(l: L, x: &mut [L::Vector; K], of: &Descendants<L, K>) {
    let w = &of.factors;
    alone::<L, K>(
        x,
        [0, K],
        #[inline(always)]
        |x| l.renew(x),
    );
    quads::<L, K>(
        x,
        #[inline(always)]
        |x, _| l.quad(x, [w[1], w[2], w[3]], of.cross),
    );
    pairs::<L, K>(
        x,
        #[inline(always)]
        |[a, b], at| l.butterfly(a, b, w[at]),
    );
}

/// The same layers backward.
#[inline(always)]
pub(crate) fn layers_back<L: Arithmetic, const K: usize>(
    l: L,
    x: &mut [L::Vector; K],
    of: &Descendants<L, K>,
) {
    open_layers_back(l, x, of);
    x[0] = l.end_back(x[0]);
    alone::<L, K>(
        x,
        [1, K / 2],
        #[inline(always)]
        |x| l.end_sum(x),
    );
}

/// The same, before anything is done with the sums at the end.
#[inline(always)]
pub(crate) fn open_layers_back<L: Arithmetic, const K: usize>(
    l: L,
    x: &mut [L::Vector; K],
    of: &Descendants<L, K>,
) {
    let w = &of.factors;
    pairs::<L, K>(
        x,
        #[inline(always)]
        |[a, b], at| l.butterfly_back(a, b, w[at]),
    );
    quads::<L, K>(
        x,
        #[inline(always)]
        |x, sums| l.quad_back(x, [w[1], w[2], w[3]], of.cross, sums),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balanced::Balanced;
    use crate::lanes::{Body, Kind};
    use crate::long::Long;
    use crate::memory::Line64;
    use crate::narrow::Narrow;
    use crate::number::{inverse, multiply};
    use crate::quotient::Quotients;
    use crate::wide::{Bounds, Wide};
    use core::array::from_fn;
    use ringsmith_oracle::Random;
    use ringsmith_simd::{Cpu, Line32, each};

    /// Three layers on eight rows, twice, forward or backward: on both at once where that is faster.
    struct Layers<K: Kind> {
        factors: [K::Factor; 8],
        cross: K::Cross,
        rows: [[K::Line; 8]; 2],
        back: bool,
    }

    /// The layers on both.
    #[inline(always)]
    fn on_two<L: Lanes>(two: L::Two, of: &mut Layers<L::Kind>) {
        let factors = each(
            #[inline(always)]
            |i: usize| two.splat([of.factors[i]; 2]),
        );
        let by = Descendants { factors, cross: two.splat_cross([of.cross; 2]) };
        let [first, second] = &mut of.rows;
        let mut x = each(
            #[inline(always)]
            |i: usize| two.load_apart([&first[i], &second[i]]),
        );
        if of.back {
            layers_back::<_, 8>(two, &mut x, &by)
        } else {
            layers(two, &mut x, &by)
        }
        first.iter_mut().zip(second).zip(x).for_each(|((a, b), x)| two.store_apart([a, b], x));
    }

    impl<K: Kind> Body<K> for Layers<K> {
        type Out = [[K::Line; 8]; 2];
        #[inline(always)]
        fn run<L: Lanes<Kind = K>>(mut self, l: L) -> [[K::Line; 8]; 2] {
            if L::TWO {
                on_two::<L>(l.two(), &mut self);
                return self.rows;
            }
            let factors = each(
                #[inline(always)]
                |i: usize| l.splat(self.factors[i]),
            );
            let of = Descendants { factors, cross: l.splat_cross(self.cross) };
            for rows in &mut self.rows {
                for piece in 0..L::PIECES {
                    let mut x = each(
                        #[inline(always)]
                        |i: usize| l.load(&rows[i], piece),
                    );
                    if self.back {
                        layers_back::<L, 8>(l, &mut x, &of)
                    } else {
                        layers(l, &mut x, &of)
                    }
                    rows.iter_mut().zip(x).for_each(|(row, x)| l.store(row, piece, x));
                }
            }
            self.rows
        }
    }

    /// What they are, modulo `p`.
    fn definition(x: [i128; 8], w: &[u64; 8], p: u64, back: bool) -> [u64; 8] {
        let mut x = x.map(|x| x.rem_euclid(p.into()) as u64);
        for width in if back { [4, 2, 1] } else { [1, 2, 4] } {
            let half = 4 / width;
            for i in 0..4 {
                let (s, at) = (i / half, i / half * 2 * half + i % half);
                let (a, b, w) = (x[at], x[at + half], w[width + s]);
                let t = multiply(b, w, p);
                let (sum, difference) =
                    if back { (a + b, multiply(a + p - b, w, p)) } else { (a + t, a + p - t) };
                (x[at], x[at + half]) = (sum % p, difference % p);
            }
        }
        x
    }

    /// How a kind's numbers are seen: as a line, and from one.
    struct View<K: Kind> {
        line: fn([i128; 8]) -> K::Line,
        numbers: fn(&K::Line) -> [i128; 8],
    }

    /// The least and the greatest number that goes into three layers, and those that may come out.
    struct Ends {
        input: [i128; 2],
        output: [i128; 2],
    }

    /// All combinations of the ends in eight rows, on every backend of the kind.
    fn check<K: Kind>(view: &View<K>, p: u64, back: bool, ends: &Ends) {
        Cpu::available().for_each(|cpu| check_on(cpu, view, p, back, ends));
    }

    /// The same on one.
    fn check_on<K: Kind>(cpu: Cpu, view: &View<K>, p: u64, back: bool, ends: &Ends) {
        let Some(on) = K::on(cpu) else { return };
        // The greatest constants, as they are and as they are kept times 2^32.
        let half = multiply((p - 1) / 2, inverse((1 << 32) % p, p), p);
        let (worst, mut random) = ([p - 1, half, (p - half) % p], Random::new(1));
        for block in 0..32 {
            let w: [u64; 8] = from_fn(|i| {
                let greatest = worst.get((random.word() % 4) as usize);
                if i % 4 == block % 4 { p - 1 } else { greatest.map_or_else(|| random.word() % p, |w| *w) }
            });
            // Those of this block, and the opposite ends.
            let x: [[[i128; 8]; 8]; 2] =
                from_fn(|of| from_fn(|row| from_fn(|lane| ends.input[((8 * block + lane) >> row & 1) ^ of])));
            let prime = K::prime(on, p);
            let factors = w.map(|w| K::factor(&prime, w));
            let cross = K::cross(&prime, [w[1], w[2], w[3]]);
            let rows = x.map(|x| x.map(view.line));
            let got = K::run(on, &prime, Layers { factors, cross, rows, back });
            for (of, lane) in (0..2).flat_map(|of| (0..8).map(move |lane| (of, lane))) {
                let got = got[of].map(|line| (view.numbers)(&line)[lane]);
                let expected = definition(x[of].map(|row| row[lane]), &w, p, back);
                let [least, greatest] = ends.output;
                let inside = got.iter().all(|x| (least..=greatest).contains(x));
                assert!(inside, "{cpu:?} modulo {p}, backward {back}: {got:?}");
                assert_eq!(got.map(|x| x.rem_euclid(p.into()) as u64), expected, "{cpu:?} modulo {p}");
            }
        }
    }

    /// The least and the greatest rows of lanes of 64 bits, for primes below `2^PRIME_BITS`.
    fn wide_passes<const PRIME_BITS: u32>(primes: &[u64]) {
        let view = View::<Wide<PRIME_BITS>> {
            line: |numbers| Line64(numbers.map(|x| x as u64)),
            // Full lanes have nothing above their numbers.
            numbers: |line| {
                let bits = if Bounds::<PRIME_BITS>::FULL { u64::MAX } else { (1 << 52) - 1 };
                line.0.map(|x| (x & bits).into())
            },
        };
        let [start, input] = [Bounds::<PRIME_BITS>::START, Bounds::<PRIME_BITS>::INPUT].map(i128::from);
        let (tight, pass) = (Bounds::<PRIME_BITS>::TIGHT, i128::from(crate::bounds::PASS));
        let reach = i128::from(Bounds::<PRIME_BITS>::LAYERS) + 1;
        for q in primes.iter().map(|p| i128::from(*p)) {
            let before = if tight { reach } else { reach - pass };
            let forward = Ends {
                input: [(start - before) * q, (start + before) * q - 1],
                output: [(start - reach) * q, (start + reach) * q - 1],
            };
            check(&view, q as u64, false, &forward);
            let ends = [0, input * q - 1];
            check(&view, q as u64, true, &Ends { input: ends, output: ends });
        }
    }

    /// Protects: the bounds of lanes of 64 bits, by rows that are the least and the greatest which a pass may
    /// be given, in all combinations, forward and backward.
    #[test]
    fn wide_passes_of_the_worst_rows() {
        wide_passes::<46>(&[3, 12289, 1_073_479_681, 70_368_740_769_793]);
        wide_passes::<49>(&[3, 12289, 70_368_746_799_105, 562_949_950_537_729]);
        wide_passes::<50>(&[3, 12289, 562_949_964_955_649, 1_125_899_902_124_033, (1 << 50) - 27]);
        wide_passes::<51>(&[3, 12289, 562_949_964_955_649, 1_125_899_915_231_233, (1 << 51) - 129]);
    }

    /// Protects: the same of lanes on doubles, with rows that are the greatest which eleven layers may leave,
    /// and of what all backends have in their place.
    #[test]
    fn balanced_passes_of_the_worst_rows() {
        for cpu in Cpu::available() {
            // Integers as the backend keeps them.
            let doubles = cpu.multiplies_doubles();
            let view = View::<Balanced> {
                line: if doubles {
                    |numbers| Line64(numbers.map(|x| (x as f64).to_bits()))
                } else {
                    |numbers| Line64(numbers.map(|x| x as u64))
                },
                numbers: if doubles {
                    |line| line.0.map(|x| f64::from_bits(x) as i128)
                } else {
                    |line| line.0.map(|x| i128::from(x as i64))
                },
            };
            for p in [3, 5, 257, 12289, 1_073_479_681, 70_368_740_769_793, 562_949_950_537_729] {
                let q = i128::from(p);
                // Three layers from 6 p stay below 8 p.
                check_on(cpu, &view, p, false, &Ends { input: [-6 * q, 6 * q], output: [-8 * q, 8 * q] });
                check_on(cpu, &view, p, true, &Ends { input: [-q, q], output: [-q, q] });
            }
        }
    }

    /// Protects: the same of lanes that hold numbers of 64 bits, at both ends of both ranges of primes.
    #[test]
    fn long_passes_of_the_worst_rows() {
        let view = View::<Long> {
            line: |numbers| Line64(numbers.map(|x| x as u64)),
            numbers: |line| line.0.map(i128::from),
        };
        for (p, holds) in LONG_PRIMES {
            let most = holds * i128::from(p);
            check(&view, p, false, &Ends { input: [0, most - 1], output: [0, most - 1] });
            check(&view, p, true, &Ends { input: [0, most / 2 - 1], output: [0, most / 2 - 1] });
        }
    }

    /// Primes at the ends of ranges, and how many times each a lane holds.
    const LONG_PRIMES: [(u64, i128); 7] = [
        (3, 16),
        (70_368_744_701_953, 16),
        (1_152_921_504_606_584_833, 16),
        ((1 << 60) - 93, 16),
        (1_152_921_504_606_847_009, 4),
        (4_611_686_018_425_815_041, 4),
        ((1 << 62) - 57, 4),
    ];

    /// Protects: the same of lanes of 32 bits, from the least to the greatest prime.
    #[test]
    fn narrow_passes_of_the_worst_rows() {
        let view = View::<Narrow> {
            line: |numbers| Line32(numbers.map(|x| x as i32)),
            numbers: |line| line.0.map(i128::from),
        };
        for p in [3, 5, 257, 12289, 49_201_153, 1_073_479_681, (1 << 30) - 35] {
            let q = i128::from(p);
            // Next to the ends, as these are 0 modulo p.
            check(&view, p, false, &Ends { input: [-2 * q + 1, 2 * q - 1], output: [-2 * q, 2 * q] });
            check(&view, p, true, &Ends { input: [-q + 1, q - 1], output: [-q, q] });
        }
    }

    /// Protects: the same of lanes of 32 bits without a sign.
    #[test]
    fn quotient_passes_of_the_worst_rows() {
        let view = View::<Quotients> {
            line: |numbers| Line32(numbers.map(|x| x as u32 as i32)),
            numbers: |line| line.0.map(|x| i128::from(x as u32)),
        };
        for p in [3, 5, 257, 12289, 49_201_153, 1_073_479_681, (1 << 30) - 35] {
            let q = i128::from(p);
            check(&view, p, false, &Ends { input: [0, 4 * q - 1], output: [0, 4 * q - 1] });
            check(&view, p, true, &Ends { input: [0, 2 * q - 1], output: [0, 2 * q - 1] });
        }
    }

    /// Protects: the same of lanes that K-RED reduces, from the least to the greatest prime.
    #[test]
    #[cfg(feature = "k-red")]
    fn k_red_passes_of_the_worst_rows() {
        let view = View::<crate::k_red::KRed> {
            line: |numbers| Line32(numbers.map(|x| x as i32)),
            numbers: |line| line.0.map(i128::from),
        };
        for p in [65_537, 786_433, 49_201_153, 67_043_329] {
            let q = i128::from(p);
            check(&view, p, false, &Ends { input: [-16 * q + 1, 16 * q - 1], output: [-16 * q, 16 * q] });
            check(&view, p, true, &Ends { input: [-2 * q + 1, 2 * q - 1], output: [-2 * q, 2 * q] });
        }
    }
}
