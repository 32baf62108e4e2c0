//! The codelets of a size class with their reductions, and the factors that they take from tables.

use crate::algorithm::codelet::chain::{Chain, LANE, NOWHERE, Source, Sources, pairs};
use crate::algorithm::codelet::dft::{chinese, coprime, exists};
use crate::algorithm::codelet::run::{Factors, Places};
use crate::algorithm::codelet::{Codelet, POINTS};
use crate::bound::Bound;
use crate::number::{inverse, is_prime, power, root_of_unity};
use crate::reduce::montgomery::bound_any;
use ringsmith_simd::LazyReduction;

/// The rows of the first operand, among the codelets.
pub(super) const FIRST: usize = 0;
/// Those of the second.
pub(super) const SECOND: usize = 1;
/// The rows backwards.
pub(super) const BACK: usize = 2;
/// The columns backwards.
pub(super) const LAST: usize = 3;
/// The columns of an operand of any coefficients.
pub(super) const COLUMNS: usize = 4;
/// Those of an operand of coefficients -1, 0 and 1.
pub(super) const TERNARY: usize = 5;
/// How many codelets there are.
pub(super) const CODELETS: usize = 6;

/// Coefficients that a base product is a sum of.
const TERMS: i64 = 8;
/// The greatest order of the roots that the second half is twisted by.
pub(super) const TWISTS: usize = 8;

/// Inputs that are all there.
const ALL: [bool; POINTS] = [true; POINTS];

/// The transform of a size class, as data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The greatest degree.
    pub degree: usize,
    /// The greatest coefficient of an operand, in absolute value.
    pub input: i64,
    /// Points of the columns.
    pub a: usize,
    /// Points of the rows.
    pub b: usize,
    /// Its primes.
    pub primes: &'static [i64],
    /// What codelets may leave: the columns, the rows of the second operand, the rows backwards.
    pub limits: [i64; 3],
    /// Whether the columns are written out, each with its places as constants: faster, and more code.
    pub unrolled: bool,
}

impl Size {
    /// Points of the whole transform.
    pub(super) const fn points(&self) -> usize {
        self.a * self.b
    }

    /// The greatest prime.
    const fn greatest(&self) -> i64 {
        let (mut greatest, mut i) = (self.primes[0], 1);
        while i < self.primes.len() {
            if self.primes[i] > greatest {
                greatest = self.primes[i];
            }
            i += 1;
        }
        greatest
    }

    /// How far a quotient of one word by any of the primes is off.
    const fn error(&self) -> i64 {
        let (mut error, mut i) = (1, 0);
        while i < self.primes.len() {
            let this = (quotient(self.primes[i]) * self.primes[i] - (1 << 15)).abs();
            if this > error {
                error = this;
            }
            i += 1;
        }
        error
    }

    /// Another one.
    const fn other(&self) -> i64 {
        self.primes[if self.primes[0] == self.greatest() { 1 } else { 0 }]
    }

    /// The order of the root `u` with `u^points = -1` that turns the second half into a cyclic one.
    pub(super) const fn order(&self) -> usize {
        2 << self.points().trailing_zeros()
    }

    /// Whether a prime has the roots.
    pub(super) const fn has_roots(&self, q: i64) -> bool {
        is_prime(q)
            && (q - 1) % (2 * self.points() as i64) == 0
            && self.order() <= TWISTS
            && coprime(self.a, self.b)
            && exists(self.a, q)
            && exists(self.b, q)
    }

    /// Which eighth coefficients are point `r` of column `c`.
    pub(super) const fn place(&self, r: usize, c: usize) -> usize {
        chinese(self.a, self.b, r, c)
    }

    /// A root of unity whose order is the number of points.
    pub(super) const fn root(&self, q: i64) -> i64 {
        root_of_unity(self.points() as u64, q)
    }

    /// `u^e`.
    pub(super) const fn twist(&self, e: usize, q: i64) -> i64 {
        power(root_of_unity(self.order() as u64, q), e as u64, q)
    }

    /// How many eighths of an operand are there.
    pub(super) const fn present(&self) -> usize {
        self.degree.div_ceil(8)
    }

    /// How many eighths of an operand are beyond the transform: they are folded.
    pub(super) const fn folded(&self) -> usize {
        self.present().saturating_sub(self.points())
    }

    /// Where inputs of columns lie.
    const fn input(&self, ternary: bool, q: i64) -> Bound {
        let most = if self.folded() > 0 { 2 } else { 1 };
        // What is folded is reduced where it is not multiplied: a quotient of one word is off by less than
        // half.
        let reduced = q / 2 + ((q / 2 * most * self.input) >> 15) + 1;
        match (self.order() > 2, ternary) {
            (false, true) => Bound::symmetric(if most > 1 { reduced } else { 1 }),
            (false, false) if most > 1 && reduced > self.input => Bound::symmetric(reduced),
            (false, false) => Bound::symmetric(self.input),
            (true, true) => Bound::symmetric(most * (q / 2)),
            (true, false) => bound_any(Bound::symmetric(most * self.input), q),
        }
    }

    /// The codelets without reductions.
    const fn codelets(&self, q: i64) -> [Codelet; CODELETS] {
        let (empty, root) = (Codelet::new(q), self.root(q));
        let (row, column) =
            (power(root, self.place(0, 1) as u64, q), power(root, self.place(1, 0) as u64, q));
        let (rows, columns) = (empty.transform(self.b, row, &ALL), empty.transform(self.a, column, &ALL));
        let back = empty.transform(self.b, inverse(row, q), &ALL);
        let last = empty.transform(self.a, inverse(column, q), &ALL);
        // In the order of their numbers.
        [rows, rows, back, last, columns, columns]
    }

    /// Where the inputs of codelet `i` come from, modulo `q`.
    const fn sources(&self, i: usize, q: i64) -> Sources {
        let (mut sources, mut k) = (NOWHERE, 0);
        while k < POINTS {
            sources[k] = match i {
                FIRST if k < self.b => Source::Left(COLUMNS),
                SECOND if k < self.b => Source::Either(COLUMNS, TERNARY),
                BACK if k < self.b => Source::Pairs(FIRST, SECOND, TERMS),
                LAST if k < self.a => Source::Left(BACK),
                COLUMNS | TERNARY if k < self.a => Source::Outside(self.input(i == TERNARY, q)),
                _ => sources[k],
            };
            k += 1;
        }
        sources
    }

    /// The codelets modulo `q` with where their inputs come from, without reductions.
    const fn chain(&self, q: i64) -> Chain<CODELETS> {
        let (mut from, mut i) = ([NOWHERE; CODELETS], 0);
        while i < CODELETS {
            from[i] = self.sources(i, q);
            i += 1;
        }
        Chain::new(self.codelets(q), from)
    }
}

/// `round(2^15 / q)`.
pub(super) const fn quotient(q: i64) -> i64 {
    ((1 << 16) / q + 1) / 2
}

/// The codelets of a size class with their reductions, which serve all of its primes.
#[derive(Clone, Copy)]
pub struct Plan {
    pub(super) chain: Chain<CODELETS>,
    /// Where the factors of each codelet stand in a table.
    pub(super) places: [Places; CODELETS],
    /// How many factors there are.
    pub(super) factors: usize,
}

/// All kinds of CPU reduce alike: a step by a sign would leave more where the prime is smaller.
const STEP: LazyReduction = LazyReduction::Barrett;

impl Plan {
    /// Few reductions.
    pub const fn find(size: &Size) -> Plan {
        let chain = size.chain(size.greatest()).for_moduli(size.error());
        let (mut factors, mut places, mut i) = ([Factors::NONE; 2], [[0; _]; CODELETS], 0);
        let others = size.codelets(size.other());
        while i < CODELETS {
            places[i] = chain.codelets[i].places(&others[i], &mut factors);
            i += 1;
        }
        Plan { chain, places, factors: factors[0].len }.placed(size)
    }

    /// With reductions, and promises that hold for all primes.
    const fn placed(mut self, size: &Size) -> Plan {
        let [column, second, back] = size.limits;
        self.chain.place_closely(STEP, COLUMNS, column);
        self.chain.place_closely(STEP, TERNARY, column);
        self.chain.place_closely(STEP, SECOND, second);
        let first = first_limit(size.greatest(), self.chain.promise(SECOND));
        self.chain.place_closely(STEP, FIRST, first);
        self.chain.place_closely(STEP, BACK, back);
        self.chain.place_closely(STEP, LAST, last_limit(size.greatest()));
        self.chain = self.chain.drop_needless(STEP);
        self
    }

    /// The factors modulo `q`.
    pub(super) const fn table(&self, size: &Size, q: i64) -> Factors {
        let (codelets, mut table, mut i) =
            (size.codelets(q), Factors { len: self.factors, ..Factors::NONE }, 0);
        while i < CODELETS {
            codelets[i].tabulate(&self.places[i], &mut table);
            i += 1;
        }
        table
    }

    /// The chain modulo `q`, whose factors are in a table.
    const fn modulo(&self, size: &Size, q: i64, table: &Factors) -> Chain<CODELETS> {
        let like = Codelet::new(q);
        let (mut codelets, mut from, mut i) = (self.chain.codelets, [NOWHERE; CODELETS], 0);
        while i < CODELETS {
            codelets[i] = codelets[i].modulo(&like, &self.places[i], table);
            from[i] = size.sources(i, q);
            i += 1;
        }
        self.chain.with(codelets, from)
    }

    /// Whether no lane overflows modulo this prime: the proof.
    pub const fn holds(&self, size: &Size, q: i64) -> bool {
        size.has_roots(q) && self.holds_with(size, q, &self.table(size, q))
    }

    /// The same, where its factors are known and it has the roots.
    pub(super) const fn holds_with(&self, size: &Size, q: i64, table: &Factors) -> bool {
        self.modulo(size, q, table).holds(STEP)
    }

    /// Whether it holds by the bounds that serve all primes of its class at once: by these it was made.
    pub const fn holds_for_all(&self) -> bool {
        self.chain.holds(STEP)
    }

    /// Where the last codelet leaves its points.
    pub(super) const fn last(&self) -> Bound {
        self.chain.promise(LAST)
    }

    /// With reduction `i` left out.
    pub const fn without(mut self, i: usize) -> Plan {
        self.chain = self.chain.without(i);
        self
    }

    /// What a product by a ternary operand costs modulo one prime, in instructions: for the choice of limits.
    #[doc(hidden)]
    pub const fn price(&self, size: &Size) -> usize {
        let runs = [size.a, size.a, size.a, size.b, size.b, size.b];
        let (mut price, mut i) = (0, 0);
        while i < CODELETS {
            let count = self.chain.codelets[i].count();
            price += runs[i] * (count.additions + 4 * count.products + 3 * count.reductions);
            i += 1;
        }
        price
    }

    /// How many reductions there are.
    pub const fn count(&self) -> usize {
        self.chain.count()
    }
}

/// The greatest value that the last codelet may leave: residues are twice as great when the halves are
/// joined, and again when they are folded, and the difference of two fits a word.
const fn last_limit(q: i64) -> i64 {
    let mut limit = LANE.high;
    while limit > q && 8 * bound_any(Bound::symmetric(limit), q).magnitude() > LANE.high {
        limit -= 64;
    }
    limit
}

/// The greatest first operand of base products by values in `second` that overflow nothing, and leave what
/// fits a word.
const fn first_limit(q: i64, second: Bound) -> i64 {
    let (mut low, mut high) = (0, 1 << 15);
    while high - low > 1 {
        let middle = (low + high) / 2;
        match pairs(q, TERMS, Bound::symmetric(middle), second) {
            Some(_) => low = middle,
            None => high = middle,
        }
    }
    low
}
