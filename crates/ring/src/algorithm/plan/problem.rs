//! What a plan is for: the modulus, the layers and the twiddles of a transform, and how its inverse is cut into passes.

use crate::bound::Bound;
use crate::number::{bit_reverse, inverse, power, transform_root};
use crate::reduce::montgomery::Factor;

/// The greatest number of blocks that bounds are kept for.
pub(super) const MAX_BLOCKS: usize = 1024;

/// What a pass looks like: registers, and the distances between the two operands of its layers, `2^first .. registers / 2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// How many registers it works on; 0 for a pass that is not there.
    pub registers: usize,
    /// The exponent of the first distance.
    pub first: usize,
}

/// The transform that a plan is for.
#[derive(Clone, Copy)]
pub struct Problem {
    /// The modulus.
    pub q: i64,
    /// How many layers.
    pub layers: usize,
    /// The passes of the inverse transform, in its order.
    pub passes: [Form; 3],
    /// Whether the last layer of the inverse scales both of its results by constants.
    pub scaled: bool,
    /// What the forward transform accepts.
    pub input: Bound,
    /// The root of unity of order `2^(layers + 1)`.
    pub psi: i64,
    /// The twiddle of node `i` of the tree, `1 <= i < 2^layers`, as a Montgomery factor: `psi^bitrev(i) 2^16`, centred.
    pub twiddles: [i16; MAX_BLOCKS],
}

impl Problem {
    /// A transform of so many layers modulo `q` of centred coefficients.
    pub const fn new(q: i64, layers: usize, passes: [Form; 3], scaled: bool) -> Problem {
        let psi = transform_root(2 << layers, q);
        let (mut twiddles, mut i) = ([0; MAX_BLOCKS], 1);
        while i < 1 << layers {
            let turn = power(psi, bit_reverse(i, layers as u32) as u64, q);
            twiddles[i] = Factor::new(turn, q).z;
            i += 1;
        }
        Problem { q, layers, passes, scaled, input: Bound::centred(q), psi, twiddles }
    }

    /// The twiddle of node `i` of the tree, `1 <= i < 2^layers`: `psi^bitrev(i)`, or its inverse.
    pub const fn twiddle(&self, i: usize, inverted: bool) -> Factor {
        let exponent = bit_reverse(i, self.layers as u32) as u64;
        let order = 2u64 << self.layers;
        let exponent = if inverted { order - exponent } else { exponent };
        Factor::new(power(self.psi, exponent, self.q), self.q)
    }

    /// The factors of the last inverse layer: `2^-layers 2^16`, which undoes the sum over the layers and one Montgomery
    /// product in the domain, and the same times the inverse of the first twiddle.
    pub const fn last(&self) -> [Factor; 2] {
        let scale = inverse(1 << self.layers, self.q) * (1 << 16) % self.q;
        let turn = power(self.psi, (2u64 << self.layers) - bit_reverse(1, self.layers as u32) as u64, self.q);
        [Factor::new(scale, self.q), Factor::new(scale * turn, self.q)]
    }
}
