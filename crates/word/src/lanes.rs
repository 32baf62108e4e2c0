//! Kinds of lanes: the arithmetic that transforms need.
//!
//! There are five: [`Narrow`](crate::narrow::Narrow), [`Quotients`](crate::quotient::Quotients),
//! [`Wide`](crate::wide::Wide), [`Balanced`](crate::balanced::Balanced) and [`Long`](crate::long::Long). A
//! [`Kind`] says how numbers and constants are kept; [`Lanes`] are the arithmetic of a kind on a token's
//! vectors. Passes, tails, tables and the walk over them are written once, over all.

use crate::WordError;
use crate::memory::{self, Rows};
use ringsmith_simd::{Cpu, WideRow};

/// A kind of lanes.
pub(crate) trait Kind: Copy + 'static {
    /// The backends that have kernels of this kind.
    type Cpu: Copy;
    /// A row of eight numbers in memory.
    type Line: memory::Line;
    /// A prime and what follows from it.
    type Prime;
    /// A constant, made to be multiplied by.
    type Factor: Copy + Default;
    /// What two layers at once need beside their three factors.
    type Cross: Copy + Default;
    /// A factor for each lane.
    type FactorLines: Copy + Default;
    /// What two layers need beside factors, for each lane.
    type CrossLines: Copy + Default;
    /// How many lines a prepared row takes.
    const PREPARED: usize;
    /// How many rows of an operand take layer after layer as they are; more go depth first.
    const NEAR: usize;
    /// From how many rows on the ends of a transform are passes of their own: where a copy and a walk less
    /// are more than two kernels to enter.
    const ENDS: usize = 1;

    /// A backend, if it is one of these.
    fn on(cpu: Cpu) -> Option<Self::Cpu>;
    /// Of an odd prime that serves this kind.
    fn prime(on: Self::Cpu, p: u64) -> Self::Prime;
    /// The factor of a constant below `p`.
    fn factor(prime: &Self::Prime, w: u64) -> Self::Factor;
    /// What two layers need beside the factors of a node and of its two children.
    fn cross(prime: &Self::Prime, w: [u64; 3]) -> Self::Cross;
    /// Puts a factor into a lane.
    fn put(lines: &mut Self::FactorLines, lane: usize, factor: Self::Factor);
    /// The same.
    fn put_cross(lines: &mut Self::CrossLines, lane: usize, cross: Self::Cross);
    /// A row of the polynomial 0.
    fn zero(prime: &Self::Prime) -> Self::Line;
    /// How many rows the next pass takes together, where `ratio` are left: those of three layers, but two and
    /// two are better than three and one.
    #[inline(always)]
    fn radix(ratio: usize) -> usize {
        if ratio == 16 { 4 } else { ratio.min(8) }
    }
    /// Runs a body.
    fn run<B: Body<Self>>(on: Self::Cpu, prime: &Self::Prime, body: B) -> B::Out;
    /// Rows of zeroes.
    fn rows(count: usize) -> Result<Rows, WordError>;
    /// The lines of rows of this kind.
    fn lines(rows: &Rows) -> Result<&[Self::Line], WordError>;
    /// The same.
    fn lines_mut(rows: &mut Rows) -> Result<&mut [Self::Line], WordError>;
}

/// A kernel's body, on lanes of a kind.
pub(crate) trait Body<K: Kind> {
    /// What it returns.
    type Out;
    /// Runs it.
    fn run<L: Lanes<Kind = K>>(self, l: L) -> Self::Out;
}

/// What runs bodies: a backend, or the lanes of a test.
pub(crate) trait RunBody<K: Kind>: Copy {
    /// Runs one.
    fn run_body<B: Body<K>>(self, prime: &K::Prime, body: B) -> B::Out;
}

/// A backend of a kind.
#[derive(Clone, Copy)]
pub(crate) struct On<K: Kind>(pub(crate) K::Cpu);

impl<K: Kind> RunBody<K> for On<K> {
    fn run_body<B: Body<K>>(self, prime: &K::Prime, body: B) -> B::Out {
        K::run(self.0, prime, body)
    }
}

/// A body as a kernel.
pub(crate) struct OnLanes<'a, K: Kind, B> {
    /// The prime.
    pub(crate) prime: &'a K::Prime,
    /// The body.
    pub(crate) body: B,
}

/// Arithmetic modulo a prime, eight lanes at a time or one, lazily reduced. The bounds are the kind's.
pub(crate) trait Arithmetic: Copy {
    /// A piece of a row.
    type Vector: Copy;
    /// A factor in all lanes, or one in each.
    type Factors: Copy;
    /// What two layers need beside factors.
    type Cross: Copy;
    /// A second factor of products of values.
    type Operand: Copy;
    /// `a + w b` and `a - w b`.
    fn butterfly(self, a: Self::Vector, b: Self::Vector, w: Self::Factors) -> [Self::Vector; 2];
    /// `a + b` and `w (a - b)`.
    fn butterfly_back(self, a: Self::Vector, b: Self::Vector, w: Self::Factors) -> [Self::Vector; 2];
    /// Two layers: butterflies of rows 0 and 2, 1 and 3 by the first factor, then of 0 and 1 by the second, 2
    /// and 3 by the third.
    #[inline(always)]
    fn quad(self, x: [Self::Vector; 4], w: [Self::Factors; 3], cross: Self::Cross) -> [Self::Vector; 4] {
        let _ = cross;
        let ([a, c], [b, d]) = (self.butterfly(x[0], x[2], w[0]), self.butterfly(x[1], x[3], w[0]));
        let ([a, b], [c, d]) = (self.butterfly(a, b, w[1]), self.butterfly(c, d, w[2]));
        [a, b, c, d]
    }
    /// The same backward, of rows that are `sums` of a layer before, or are not.
    #[inline(always)]
    fn quad_back(
        self,
        x: [Self::Vector; 4],
        w: [Self::Factors; 3],
        cross: Self::Cross,
        sums: bool,
    ) -> [Self::Vector; 4] {
        let _ = cross;
        let ([a, b], [c, d]) = (self.butterfly_back(x[0], x[1], w[1]), self.butterfly_back(x[2], x[3], w[2]));
        let (a, c) = if sums { (self.two_sums(a), self.two_sums(c)) } else { (a, c) };
        let ([a, c], [b, d]) = (self.butterfly_back(a, c, w[0]), self.butterfly_back(b, d, w[0]));
        [a, b, c, d]
    }
    /// What is left to do with a row that has taken two sums, before it takes a third.
    #[inline(always)]
    fn two_sums(self, x: Self::Vector) -> Self::Vector {
        x
    }
    /// What is left to do with row 0, which takes sums alone, at the end of a pass backward.
    fn end_back(self, x: Self::Vector) -> Self::Vector;
    /// The same with any other row that took a sum last.
    #[inline(always)]
    fn end_sum(self, x: Self::Vector) -> Self::Vector {
        x
    }
    /// The transpose, where a vector is a row.
    fn transpose(self, x: [Self::Vector; 8]) -> [Self::Vector; 8];
    /// A value of a transform forward, as a pass takes it.
    fn renew(self, x: Self::Vector) -> Self::Vector;
    /// The same, as the last six layers take it.
    #[inline(always)]
    fn renew_before_tail(self, x: Self::Vector) -> Self::Vector {
        x
    }
    /// A value of a transform forward, as a pass backward takes it.
    fn reduce(self, x: Self::Vector) -> Self::Vector;
    /// What a pass backward made, times a factor, as a coefficient of a polynomial.
    fn scale(self, x: Self::Vector, factor: Self::Factors) -> Self::Vector;
    /// A value as a second factor.
    fn operand(self, x: Self::Vector) -> Self::Operand;
    /// The product of values, as a pass backward takes it.
    fn product(self, a: Self::Vector, b: Self::Operand) -> Self::Vector;
}

/// The lanes of a kind: their arithmetic on a row, and how a row stands in memory.
pub(crate) trait Lanes: Arithmetic {
    /// The kind.
    type Kind: Kind;
    /// The same on two rows.
    type Two: TwoRows<Self>;
    /// Whether two rows at once are faster than one after the other.
    const TWO: bool = false;
    /// Whether the last six layers take four blocks at once, two and two.
    const FOUR: bool = false;
    /// How many vectors hold a row: 1, or 8 where a vector is one lane. A body goes over rows piece by piece.
    const PIECES: usize = 1;
    /// Two rows at once.
    fn two(self) -> Self::Two;
    /// A piece of a row.
    fn load(self, line: &Line<Self>, piece: usize) -> Self::Vector;
    /// Writes a piece of a row.
    fn store(self, line: &mut Line<Self>, piece: usize, x: Self::Vector);
    /// A factor in all lanes.
    fn splat(self, factor: Factor<Self>) -> Self::Factors;
    /// The same.
    fn splat_cross(self, cross: <Self::Kind as Kind>::Cross) -> Self::Cross;
    /// A factor for each lane of a piece.
    fn load_factors(self, lines: &<Self::Kind as Kind>::FactorLines, piece: usize) -> Self::Factors;
    /// The same.
    fn load_cross(self, lines: &<Self::Kind as Kind>::CrossLines, piece: usize) -> Self::Cross;
    /// A piece of a prepared row.
    fn load_operand(self, lines: &[Line<Self>], piece: usize) -> Self::Operand;
    /// Writes a piece of a prepared row.
    fn store_operand(self, lines: &mut [Line<Self>], piece: usize, x: Self::Operand);
    /// A sum and a product, as a pass backward takes it.
    fn add_product(self, sum: Self::Vector, product: Self::Vector) -> Self::Vector;
    /// Numbers in `[0, p)` as reduced values.
    fn read(self, numbers: &WideRow, piece: usize) -> Self::Vector;
    /// A reduced value as a coefficient of a polynomial.
    fn begin(self, x: Self::Vector) -> Self::Vector;
    /// Writes coefficients of a polynomial, in `[0, p)`.
    fn write(self, numbers: &mut WideRow, piece: usize, x: Self::Vector);
    /// Writes values, in `[0, p)`.
    fn write_values(self, numbers: &mut WideRow, piece: usize, x: Self::Vector);
}

/// The lanes of a kind on two rows at once. Bodies that take them go over rows of a piece each.
pub(crate) trait TwoRows<L: Lanes>: Arithmetic {
    /// Whether both are in one vector: then passes take two rows that stand together.
    const ONE_VECTOR: bool;

    /// Two rows.
    fn load_apart(self, lines: [&Line<L>; 2]) -> Self::Vector;
    /// Writes them.
    fn store_apart(self, lines: [&mut Line<L>; 2], x: Self::Vector);
    /// Two rows that stand together.
    fn load_together(self, lines: &[Line<L>; 2]) -> Self::Vector;
    /// Writes them.
    fn store_together(self, lines: &mut [Line<L>; 2], x: Self::Vector);
    /// A factor for each row.
    fn splat(self, factors: [Factor<L>; 2]) -> Self::Factors;
    /// The same.
    fn splat_cross(self, cross: [<L::Kind as Kind>::Cross; 2]) -> Self::Cross;
    /// A factor for each lane of each row.
    fn load_factors(self, lines: [&FactorLines<L>; 2]) -> Self::Factors;
    /// The same.
    fn load_cross(self, lines: [&CrossLines<L>; 2]) -> Self::Cross;
    /// Two prepared rows that stand together, where each takes a line.
    fn load_operands(self, lines: &[Line<L>; 2]) -> Self::Operand;
}

/// A factor for each lane, in memory.
pub(crate) type FactorLines<L> = <<L as Lanes>::Kind as Kind>::FactorLines;
/// What two layers need beside factors, for each lane, in memory.
pub(crate) type CrossLines<L> = <<L as Lanes>::Kind as Kind>::CrossLines;
/// A row in memory.
pub(crate) type Line<L> = <<L as Lanes>::Kind as Kind>::Line;
/// A constant in memory.
pub(crate) type Factor<L> = <<L as Lanes>::Kind as Kind>::Factor;
