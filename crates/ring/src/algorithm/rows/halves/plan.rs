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
/// Column 0 of an operand of any coefficients; the others follow.
pub(super) const COLUMNS: usize = 4;
/// Column 0 of an operand of coefficients -1, 0 and 1.
pub(super) const TERNARY: usize = COLUMNS + POINTS;
/// How many codelets there are at most.
pub(super) const CODELETS: usize = TERNARY + POINTS;

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

    /// Whether eighth `t` of an operand is twisted by more than a sign.
    pub(super) const fn twisted(&self, t: usize) -> bool {
        t % (self.order() / 2) != 0
    }

    /// Where input `t` of an operand lies.
    const fn input(&self, ternary: bool, t: usize, q: i64) -> Bound {
        if t >= self.present() {
            return Bound::symmetric(0);
        }
        let folded = if t + self.points() < self.present() { 2 } else { 1 };
        let most = if ternary { folded } else { self.input * folded };
        match (self.twisted(t), ternary) {
            (false, _) => Bound::symmetric(most),
            (true, false) => bound_any(Bound::symmetric(most), q),
            (true, true) => Bound::symmetric(most * (q / 2)),
        }
    }

    /// Which inputs of column `c` are there.
    const fn inputs(&self, c: usize) -> [bool; POINTS] {
        let (mut present, mut r) = ([false; POINTS], 0);
        while r < self.a {
            present[r] = self.place(r, c) < self.present();
            r += 1;
        }
        present
    }

    /// The codelets without reductions.
    const fn codelets(&self, q: i64) -> [Codelet; CODELETS] {
        let (empty, root) = (Codelet::new(q), self.root(q));
        let (row, column) =
            (power(root, self.place(0, 1) as u64, q), power(root, self.place(1, 0) as u64, q));
        let (rows, columns) = (empty.transform(self.b, row, &ALL), empty.transform(self.a, column, &ALL));
        let (mut codelets, mut c) = ([empty; CODELETS], 0);
        (codelets[FIRST], codelets[SECOND]) = (rows, rows);
        codelets[BACK] = empty.transform(self.b, inverse(row, q), &ALL);
        codelets[LAST] = empty.transform(self.a, inverse(column, q), &ALL);
        while c < self.b {
            codelets[COLUMNS + c] = columns.with_inputs(&self.inputs(c));
            codelets[TERNARY + c] = codelets[COLUMNS + c];
            c += 1;
        }
        codelets
    }

    /// Where the inputs of codelet `i` come from, modulo `q`.
    const fn sources(&self, i: usize, q: i64) -> Sources {
        let (mut sources, mut k) = (NOWHERE, 0);
        while k < POINTS {
            sources[k] = match i {
                FIRST if k < self.b => Source::Left(COLUMNS + k),
                SECOND if k < self.b => Source::Either(COLUMNS + k, TERNARY + k),
                BACK if k < self.b => Source::Pairs(FIRST, SECOND, TERMS),
                LAST if k < self.a => Source::Left(BACK),
                _ if TERNARY <= i && k < self.a => {
                    Source::Outside(self.input(true, self.place(k, i - TERNARY), q))
                }
                _ if COLUMNS <= i && k < self.a => {
                    Source::Outside(self.input(false, self.place(k, i - COLUMNS), q))
                }
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
        let ([column, second, back], mut c) = (size.limits, 0);
        while c < size.b {
            self.chain.place_closely(STEP, COLUMNS + c, column);
            self.chain.place_closely(STEP, TERNARY + c, column);
            c += 1;
        }
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

    /// The chain modulo `q`.
    const fn modulo(&self, size: &Size, q: i64) -> Chain<CODELETS> {
        let (table, like) = (self.table(size, q), Codelet::new(q));
        let (mut codelets, mut from, mut i) = (self.chain.codelets, [NOWHERE; CODELETS], 0);
        while i < CODELETS {
            codelets[i] = codelets[i].modulo(&like, &self.places[i], &table);
            from[i] = size.sources(i, q);
            i += 1;
        }
        self.chain.with(codelets, from)
    }

    /// Whether no lane overflows modulo this prime: the proof.
    pub const fn holds(&self, size: &Size, q: i64) -> bool {
        size.has_roots(q) && self.modulo(size, q).holds(STEP)
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

    #[doc(hidden)]
    pub fn describe(&self, size: &Size) -> (alloc::string::String, usize) {
        let mut s = alloc::string::String::new();
        let mut tot = 0;
        for (name, i, runs) in [("first", FIRST, size.a), ("second", SECOND, size.a), ("back", BACK, size.a), ("last", LAST, size.b)] {
            let c = self.chain.codelets[i].count();
            s += &alloc::format!(" {name} {c:?} x{runs} promise {:?};", self.chain.promise(i).magnitude());
            tot += runs * (c.additions + 4 * c.products + 3 * c.reductions);
        }
        for (name, f) in [("big", COLUMNS), ("ternary", TERNARY)] {
            let (mut a, mut p, mut r, mut m) = (0, 0, 0, 0);
            for c in 0..size.b { let x = self.chain.codelets[f + c].count(); a += x.additions; p += x.products; r += x.reductions; m = m.max(self.chain.promise(f + c).magnitude()); }
            s += &alloc::format!(" {name}: {a} + {p} * {r} reds, max {m};");
            tot += a + 4 * p + 3 * r;
        }
        s += &alloc::format!(" TOTAL codelet uops {tot}");
        (s, tot)
    }

    /// How many reductions there are.
    pub const fn count(&self) -> usize {
        self.chain.count()
    }
}

/// The greatest value that the last codelet may leave: residues are twice as great when the halves are joined,
/// and again when they are folded, and the difference of two fits a word.
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
