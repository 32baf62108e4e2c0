//! How much work of each kind a method does.

use super::method::{Division, How, Moduli, Transforms};
use crate::cost::facts::Facts;
use crate::divisor::BLOCK;
use crate::exact::Bounds;
use crate::lanes;
use ringsmith_word::LaneKind;

/// A kind of work. A unit of one kind costs about the same in every method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A product, whatever it multiplies.
    Product,
    /// A transformed piece of a product, whatever its length.
    Piece,
    /// A kernel that is entered for something else.
    Call,
    /// A coefficient of an element, which is read and checked, twice, and written.
    Number,
    /// `S lg S` of a product of length `S` in lanes of 32 bits.
    NarrowLayers,
    /// `S` of the same.
    NarrowLength,
    /// `S lg S` in lanes of 52 bits, integers or doubles.
    MiddleLayers,
    /// `S` of the same.
    MiddleLength,
    /// `S lg S` in lanes of 64 bits.
    LongLayers,
    /// `S` of the same.
    LongLength,
    /// `S` times the doublings of all memory beyond the nearest caches.
    Far,
    /// A number that is reduced modulo a prime.
    Reduced,
    /// A number times a constant, in lanes.
    Term,
    /// A sum of those, reduced.
    Sum,
    /// A number times a constant, in lanes of 64 bits, added to a sum.
    LongTerm,
    /// A number times a constant, word by word, added to a sum.
    Word,
    /// A number that is added to another one or taken off.
    Added,
    /// A coefficient that is packed with another one, or half of one that is told from a product's digits.
    Packed,
    /// A product of two coefficients by the definition.
    Square,
    /// A number that is added to another one or taken off, where both are alone.
    Step,
}

/// How many kinds there are.
pub(crate) const KINDS: usize = 20;

impl Kind {
    /// All, in the order of [`Work::units`].
    pub const ALL: [Kind; KINDS] = [
        Kind::Product,
        Kind::Piece,
        Kind::Call,
        Kind::Number,
        Kind::NarrowLayers,
        Kind::NarrowLength,
        Kind::MiddleLayers,
        Kind::MiddleLength,
        Kind::LongLayers,
        Kind::LongLength,
        Kind::Far,
        Kind::Reduced,
        Kind::Term,
        Kind::Sum,
        Kind::LongTerm,
        Kind::Word,
        Kind::Added,
        Kind::Packed,
        Kind::Square,
        Kind::Step,
    ];

    /// The name in files of costs.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Product => "product",
            Kind::Piece => "piece",
            Kind::Call => "call",
            Kind::Number => "number",
            Kind::NarrowLayers => "narrow-layers",
            Kind::NarrowLength => "narrow-length",
            Kind::MiddleLayers => "middle-layers",
            Kind::MiddleLength => "middle-length",
            Kind::LongLayers => "long-layers",
            Kind::LongLength => "long-length",
            Kind::Far => "far",
            Kind::Reduced => "reduced",
            Kind::Term => "term",
            Kind::Sum => "sum",
            Kind::LongTerm => "long-term",
            Kind::Word => "word",
            Kind::Added => "added",
            Kind::Packed => "packed",
            Kind::Square => "square",
            Kind::Step => "step",
        }
    }
}

/// Units of each kind of work, of a product of two elements.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Work([f64; KINDS]);

/// The transforms of a product, of which each side and the way back are one.
const PRODUCT: f64 = 3.0;
/// Those of a product by a prepared factor.
const PREPARED: f64 = 2.0;
/// How many steps take as long as one that waits for another.
const WAIT: f64 = 3.2;
/// How many bytes are near.
const NEAR: f64 = 524_288.0;
/// How many numbers a coefficient of transforms takes: two factors, and tables.
const COPIES: f64 = 4.0;
/// The residues of a product that is not given chunk by chunk.
const RESIDUES: f64 = 1.0;

/// What is multiplied, and by what.
struct Product<'a> {
    facts: &'a Facts<'a>,
    by: Transforms,
    transforms: f64,
    /// The doublings of memory beyond what is near.
    far: f64,
    /// The absolute values of factors that are read with signs.
    signed: [Option<u64>; 2],
    /// How many coefficients a factor has, and the result.
    lengths: [usize; 2],
}

impl Work {
    /// How much of each kind, in the order of [`Kind::ALL`].
    pub fn units(&self) -> &[f64; KINDS] {
        &self.0
    }

    /// More of a kind.
    fn add(&mut self, kind: Kind, units: f64) {
        self.0[kind as usize] += units;
    }

    /// That of a product by a method.
    pub(crate) fn of(facts: &Facts<'_>, how: How) -> Self {
        let (n, mut work) = (facts.n, Work([0.0; KINDS]));
        work.add(Kind::Product, 1.0);
        work.add(Kind::Number, n as f64);
        let small = facts.operands.bound().is_some();
        work.add(Kind::Added, if small { n as f64 } else { 0.0 });
        let far = doublings(memory_of(facts, how) / NEAR);
        let product = |by, bounds, out| {
            let signed = signed(facts, by, bounds);
            Product { facts, by, transforms: PRODUCT, far, signed, lengths: [n, out] }
        };
        let whole = facts.bounds(false);
        let folded = facts.fold.as_ref().and_then(|fold| fold.bounds(whole)).unwrap_or(whole);
        match how {
            How::Schoolbook { .. } => work.add(Kind::Square, (n * n) as f64),
            How::Wrapped { by } => work.product(&product(by, facts.shortest_bounds(), n), false),
            How::Folded { by } => work.product(&product(by, folded, n), true),
            How::Whole { by, .. } => work.product(&product(by, whole, 2 * n - 1), false),
        }
        if let Some(division) = how.division() {
            work.divide(facts, division, far);
        }
        work
    }

    /// That of what is around whole products of kernels: reading, writing, and the remainder.
    pub(crate) fn of_division(facts: &Facts<'_>, division: Division) -> Self {
        let (n, mut work) = (facts.n as f64, Work([0.0; KINDS]));
        work.add(Kind::Product, 1.0);
        work.add(Kind::Number, n);
        // Numbers of 16 bits there and back.
        work.add(Kind::Added, 4.0 * n);
        work.divide(facts, division, 0.0);
        work
    }

    /// The remainder by `f`.
    fn divide(&mut self, facts: &Facts<'_>, division: Division, far: f64) {
        match division {
            Division::Terms => self.terms(facts),
            Division::Products { quotients, remainders } => {
                self.division(facts, [quotients, remainders], far);
            }
        }
    }

    /// A product by transforms.
    fn product(&mut self, product: &Product<'_>, folded: bool) {
        let Product { facts, by, .. } = product;
        for p in by.moduli.primes(&facts.q()) {
            self.residues(product, *p);
            if folded {
                self.terms(facts);
            }
        }
        self.digits(product);
    }

    /// The part of a product that is done modulo a prime.
    fn residues(&mut self, product: &Product<'_>, p: u64) {
        let Product { facts, by, transforms, far, .. } = product;
        let factors = transforms - 1.0;
        self.reads(product, p);
        let mut at = 0;
        for (degree, before) in by.length.pieces() {
            let units = degree as f64 * transforms / PRODUCT;
            self.piece(LaneKind::of(facts.cpu, degree, p), degree.ilog2(), units);
            self.add(Kind::Piece, transforms / PRODUCT);
            self.add(Kind::Far, units * far);
            if at > 0 {
                self.beside(p, [by.length.first(), at, degree, before], factors);
            }
            at += degree;
        }
    }

    /// Factors as residues modulo a prime. A factor that was prepared is the second one.
    fn reads(&mut self, product: &Product<'_>, p: u64) {
        let Product { facts, by, transforms, signed, lengths: [count, _], .. } = product;
        let (factors, count) = (transforms - 1.0, *count as f64);
        if by.packed {
            self.add(Kind::Call, factors);
            return self.add(Kind::Packed, factors * count);
        }
        for bound in signed.iter().take(factors as usize) {
            let reduced = if bound.unwrap_or(facts.q() - 1) >= p { 1.0 } else { 0.0 };
            let signs = if bound.is_some() { 1.0 } else { 0.0 };
            self.add(Kind::Call, reduced + signs);
            self.add(Kind::Reduced, reduced * count);
            self.add(Kind::Added, 2.0 * signs * count);
        }
    }

    /// A piece beside others: apart for each factor, and together.
    fn beside(&mut self, p: u64, [first, at, degree, before]: [usize; 4], factors: f64) {
        let out = degree as f64;
        self.sums(p, factors, out, (first / degree) as f64);
        self.sums(p, 1.0, out, (at / degree + 1) as f64);
        // Two of the three terms of a product of two binomials have a constant.
        self.sums(p, before as f64 - 1.0, out, 1.0);
        self.add(Kind::Added, before as f64 * out);
        self.add(Kind::Call, before as f64);
    }

    /// Transforms of a length, and what is done to their values.
    fn piece(&mut self, lanes: LaneKind, log: u32, units: f64) {
        let (layers, linear) = match lanes {
            LaneKind::Narrow => (Kind::NarrowLayers, Kind::NarrowLength),
            LaneKind::Long => (Kind::LongLayers, Kind::LongLength),
            _ => (Kind::MiddleLayers, Kind::MiddleLength),
        };
        self.add(layers, units * f64::from(log));
        self.add(linear, units);
    }

    /// `count` times `out` sums of so many terms.
    fn sums(&mut self, modulus: u64, count: f64, out: f64, terms: f64) {
        if modulus >> lanes::LONG_BITS != 0 {
            return self.add(Kind::Word, count * out * terms);
        }
        self.add(Kind::Call, count);
        if modulus >> lanes::BITS != 0 {
            return self.add(Kind::LongTerm, count * out * terms);
        }
        self.add(Kind::Sum, count * out);
        self.add(Kind::Term, count * out * terms);
    }

    /// Residues to digits, and their sums modulo `q`.
    fn digits(&mut self, product: &Product<'_>) {
        let Product { facts, by, lengths: [_, out], .. } = product;
        if by.moduli == Moduli::Q {
            return;
        }
        let (q, out) = (facts.q(), *out as f64);
        if by.packed {
            self.add(Kind::Call, 2.0);
            return self.add(Kind::Packed, 2.0 * out);
        }
        let count = by.moduli.primes(&q).len();
        (1..count).for_each(|i| self.sums(0, 1.0, out, i as f64 + 1.0));
        self.sums(q, 1.0, out, count as f64);
    }

    /// The remainder by `f`, term by term: in lanes, block by block, where blocks are long enough.
    fn terms(&mut self, facts: &Facts<'_>) {
        let (high, gap) = (facts.n - 1, facts.gap());
        let (added, words) = facts.terms();
        self.add(Kind::Word, high as f64 * words);
        if gap < BLOCK {
            // The terms of a power at once, but each power waits for the one `gap` above it.
            return self.add(Kind::Step, high as f64 * added.max(WAIT / gap as f64));
        }
        let blocks = high / gap * kernels(gap) + kernels(high % gap);
        self.add(Kind::Call, blocks as f64 * added);
        self.add(Kind::Added, high as f64 * added);
    }

    /// The remainder by two products.
    fn division(&mut self, facts: &Facts<'_>, [quotients, remainders]: [Transforms; 2], far: f64) {
        let (n, wrapped) = (facts.n, remainders.length.degree());
        for (by, lengths) in [(quotients, [n - 1, n - 1]), (remainders, [n - 1, wrapped])] {
            let signed = signed(facts, by, facts.division_bounds());
            self.product(&Product { facts, by, transforms: PREPARED, far, signed, lengths }, false);
        }
        self.add(Kind::Added, 2.0 * n as f64);
        self.add(Kind::Call, 2.0);
    }
}

/// The absolute values of factors that transforms read with signs.
fn signed(facts: &Facts<'_>, by: Transforms, bounds: Bounds) -> [Option<u64>; 2] {
    bounds.within(by.moduli.primes(&facts.q())).unwrap_or(bounds).signed_factors()
}

/// How often a kernel is entered for a block of numbers: for its rows, and for a row that is not full.
fn kernels(block: usize) -> usize {
    if block == 0 { 0 } else { 1 + usize::from(!block.is_multiple_of(8)) }
}

/// About how many bytes the transforms of a method take. Quotients that are made as whole products are have
/// no memory of their own.
fn memory_of(facts: &Facts<'_>, how: How) -> f64 {
    let shared = match how {
        How::Whole { by, division: Division::Products { quotients, .. } } if by == quotients => {
            memory(facts, by, COPIES)
        }
        _ => 0.0,
    };
    let copies = if let How::Folded { .. } = how { COPIES + RESIDUES } else { COPIES };
    how.transforms().map(|by| memory(facts, by, copies)).sum::<f64>() - shared
}

/// About how many bytes transforms take, of so many numbers a coefficient.
fn memory(facts: &Facts<'_>, by: Transforms, copies: f64) -> f64 {
    let of = |p: &u64| match LaneKind::of(facts.cpu, by.length.first(), *p) {
        LaneKind::Narrow => 4.0,
        _ => 8.0,
    };
    let width: f64 = by.moduli.primes(&facts.q()).iter().map(of).sum();
    copies * width * by.length.degree() as f64
}

/// About the logarithm in base 2, and 0 below 1: right at powers of two, straight between them.
fn doublings(x: f64) -> f64 {
    let whole = (x as u64).checked_ilog2().unwrap_or(0);
    if x < 1.0 { 0.0 } else { f64::from(whole) + x / (1_u64 << whole) as f64 - 1.0 }
}
