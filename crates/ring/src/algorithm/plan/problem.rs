//! What a plan is for: the modulus, the layers and the twiddles of a transform, and how its inverse is cut
//! into passes.

use crate::bound::Bound;
use crate::number::{inverse, power, transform_root};
use crate::reduce::montgomery::Factor;

/// The greatest number of blocks that bounds are kept for.
pub(super) const MAX_BLOCKS: usize = 1024;

/// What a pass looks like: registers, and the distances between the two operands of its layers,
/// `2^first .. registers / 2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassForm {
    /// How many registers it works on; 0 for a pass that is not there.
    pub registers: usize,
    /// The exponent of the first distance.
    pub first: usize,
}

/// How a transform splits its ring in two, before it splits binomials.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// `y^m + 1 = (y^(m/2) - i)(y^(m/2) + i)`, `i^2 = -1`.
    Negacyclic,
    /// `y^m - y^(m/2) + 1 = (y^(m/2) - z)(y^(m/2) - (1 - z))`, `z` of order 6.
    HalfTrinomial,
}

impl Split {
    /// The order of the roots of unity that `layers` layers need.
    pub const fn order(self, layers: usize) -> u64 {
        match self {
            Split::Negacyclic => 2 << layers,
            Split::HalfTrinomial => 3 << layers,
        }
    }
}

/// The transform that a plan is for.
#[derive(Clone, Copy)]
pub struct Problem {
    /// The modulus.
    pub q: i64,
    /// How many layers.
    pub layers: usize,
    /// The passes of the inverse transform, in its order.
    pub passes: [PassForm; 3],
    /// Whether the last layer of the inverse scales both of its results by constants.
    pub scaled: bool,
    /// What the forward transform accepts.
    pub input: Bound,
    /// The first layer.
    pub split: Split,
    /// The root of unity of the order of the [`split`](Problem::split).
    pub psi: i64,
    /// The twiddle of node `i` of the tree, `1 <= i < 2^layers`, as a Montgomery factor: times `2^16`,
    /// centred.
    pub twiddles: [i16; MAX_BLOCKS],
}

impl Problem {
    /// A transform of so many layers modulo `q` of centred coefficients.
    pub const fn new(q: i64, layers: usize, passes: [PassForm; 3], scaled: bool) -> Problem {
        Problem::with_split(Split::Negacyclic, q, layers, passes, scaled)
    }

    /// The same with another first layer.
    pub const fn with_split(
        split: Split,
        q: i64,
        layers: usize,
        passes: [PassForm; 3],
        scaled: bool,
    ) -> Problem {
        let psi = transform_root(split.order(layers), q);
        let (input, twiddles) = (Bound::centred(q), [0; MAX_BLOCKS]);
        let (mut problem, mut i) = (Problem { q, layers, passes, scaled, input, split, psi, twiddles }, 1);
        while i < 1 << layers {
            problem.twiddles[i] = problem.twiddle(i, false).z;
            i += 1;
        }
        problem
    }

    /// `e` of node `i` of the tree, the ring modulo `y^m - psi^e`; `1 <= i < 2^(layers + 1)`.
    pub const fn exponent(&self, i: usize) -> u64 {
        let order = self.split.order(self.layers);
        let mut bit = i.ilog2();
        // `-1` of the whole ring; or, after a first layer of its own, `z` and `1 - z = z^-1`.
        let mut e = match self.split {
            Split::Negacyclic => order / 2,
            Split::HalfTrinomial if bit == 0 => order / 3,
            Split::HalfTrinomial => {
                bit -= 1;
                if (i >> bit) & 1 == 0 { order / 6 } else { order - order / 6 }
            }
        };
        while bit > 0 {
            bit -= 1;
            // `y^m - r^2` to `y^(m/2) - r` and `y^(m/2) + r`.
            e = e / 2 + if (i >> bit) & 1 == 0 { 0 } else { order / 2 };
        }
        e
    }

    /// The twiddle of node `i` of the tree, `1 <= i < 2^layers`: the root of its first child, or the inverse
    /// of that.
    pub const fn twiddle(&self, i: usize, inverted: bool) -> Factor {
        Factor::new(self.root(self.exponent(i) / 2, inverted), self.q)
    }

    /// A power of the root of unity, or its inverse.
    const fn root(&self, exponent: u64, inverted: bool) -> i64 {
        let exponent = if inverted { self.split.order(self.layers) - exponent } else { exponent };
        power(self.psi, exponent, self.q)
    }

    /// `w` of leaf `i`, the residues modulo `x^d - w`; `0 <= i < 2^layers`.
    pub const fn leaf(&self, i: usize) -> i64 {
        self.root(self.exponent((1 << self.layers) + i), false)
    }

    /// The factors of the last inverse layer, which undo the sum over the layers and one Montgomery product
    /// in the domain too: of the sums, and of the differences.
    ///
    /// Negacyclic: `2^-layers 2^16`, and the same times the inverse of the first twiddle. Of a half trinomial
    /// the layer before was `(a + z b, a + (1 - z) b)`, whose difference is `(2 z - 1) b` and whose sum is
    /// `2 a + b`: the differences become `b / 2`.
    pub const fn last(&self) -> [Factor; 2] {
        let scale = inverse(1 << self.layers, self.q) * (1 << 16) % self.q;
        let twist = match self.split {
            Split::Negacyclic => self.root(self.exponent(1) / 2, true),
            Split::HalfTrinomial => inverse(2 * self.root(self.exponent(1) / 2, false) - 1, self.q),
        };
        [Factor::new(scale, self.q), Factor::new(scale * twist, self.q)]
    }
}
