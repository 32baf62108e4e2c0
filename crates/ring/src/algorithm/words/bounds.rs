//! Where lanes lie, from layer to layer, for either [`Quotient`].
//!
//! Lanes are kept in symmetric intervals: a butterfly makes the sum and the difference. Fractions of `q` are
//! rounded up.

use crate::bound::Bound;
use ringsmith_simd::Quotient;

/// Layers of the longest transform, and the input.
pub(super) const LAYERS: usize = 10;
/// Pairs of layers, a single one, and the input.
pub(super) const STAGES: usize = 6;
/// Bits of a lane.
const LANE: u32 = 32;

/// Both.
const QUOTIENTS: [Quotient; 2] = [Quotient::Floor, Quotient::Rounded];

/// `ceil(size q / 2^bits)`.
const fn share(size: i64, q: i64, bits: u32) -> i64 {
    ((size as i128 * q as i128 + (1 << bits) - 1) >> bits) as i64
}

/// Where `terms` products by constants lie, one reduction for all, of lanes of `size` together: see
/// [`Quotient`].
pub(super) const fn product(quotient: Quotient, size: i64, terms: i64, q: i64) -> Bound {
    match quotient {
        Quotient::Floor => {
            let e = share(size, q, 33);
            Bound::new(-e, q + e)
        }
        Quotient::Rounded => {
            let e = share(size, q, 32);
            Bound::symmetric(terms * (q + 1) / 2 + e)
        }
    }
}

/// The lanes of an operand of products.
const fn lane(bound: Bound, what: &str) -> i64 {
    assert!(bound.fits(LANE), "{}", what);
    bound.magnitude()
}

/// `x + t` and `x - t` for `t` in `product`.
const fn butterfly(x: Bound, product: Bound) -> Bound {
    x.add(product).join(x.sub(product)).mirrored()
}

/// One layer forward: `x_0 +- z x_1`.
const fn layer(quotient: Quotient, x: Bound, q: i64) -> Bound {
    butterfly(x, product(quotient, lane(x, FORWARD), 1, q))
}

/// Two layers forward.
const fn two_layers(quotient: Quotient, x: Bound, q: i64) -> Bound {
    let middle = layer(quotient, x, q);
    lane(middle, FORWARD);
    butterfly(middle, product(quotient, 2 * lane(x, FORWARD), 2, q))
}

const FORWARD: &str = "overflow: a lane of the transform forward";
const BACKWARD: &str = "overflow: a lane of the transform backward";

/// Before the first layer, after each pair, and after the last layer where their number is odd; as often as
/// there is room.
pub(super) const fn forward(q: i64, n: usize, input: Bound) -> [Bound; STAGES] {
    let (mut stages, mut i) = ([input; STAGES], 0);
    while i < 2 {
        let (mut x, mut stage) = (input.mirrored(), 1);
        // Across rows: two pairs, then one layer or two; inside, a pair and a layer.
        let pairs = [true, true, n == 512, true, false];
        while stage < STAGES {
            let quotient = QUOTIENTS[i];
            x = if pairs[stage - 1] { two_layers(quotient, x, q) } else { layer(quotient, x, q) };
            lane(x, FORWARD);
            stages[stage] = stages[stage].join(x);
            stage += 1;
        }
        i += 1;
    }
    stages
}

/// After the last layer.
pub(super) const fn values(q: i64, n: usize, input: Bound) -> Bound {
    forward(q, n, input)[STAGES - 1]
}

/// Where sums of the inverse lie before each layer and after the last; products are smaller, as is shown.
pub(super) const fn inverse(q: i64, n: usize, input: Bound) -> [Bound; LAYERS] {
    assert!(inverse_fits(q, n, input), "{}", BACKWARD);
    sums_of_layers(n, input)
}

/// `2^l` times the input after layer `l`.
const fn sums_of_layers(n: usize, input: Bound) -> [Bound; LAYERS] {
    let (mut sums, mut layer) = ([input.mirrored(); LAYERS], 1);
    while layer < LAYERS {
        let doubled = layer <= n.trailing_zeros() as usize;
        sums[layer] = sums[layer - 1].scale(if doubled { 2 } else { 1 });
        layer += 1;
    }
    sums
}

/// Whether the inverse keeps every lane. What a product becomes in the layers that follow is at most what the
/// sum of the same layer becomes, or it is asked for by itself.
pub(super) const fn inverse_fits(q: i64, n: usize, input: Bound) -> bool {
    let (layers, mut layer) = (n.trailing_zeros() as usize, 0);
    let sums = sums_of_layers(n, input);
    while layer < layers {
        let sum = sums[layer + 1];
        // Two products of differences have one reduction: of the sums of this layer twice.
        let (floor, rounded) = (
            product(Quotient::Floor, 2 * sum.magnitude(), 2, q).magnitude(),
            product(Quotient::Rounded, 2 * sum.magnitude(), 2, q).magnitude(),
        );
        let greatest = if floor > rounded { floor } else { rounded };
        let after = Bound::symmetric(greatest).scale(1 << (layers - layer - 1));
        if !sum.fits(LANE) || !after.fits(LANE) {
            return false;
        }
        layer += 1;
    }
    true
}

/// Where the inverse leaves what it makes residues of: products, of sums of four values of the last pair.
pub(super) const fn results(q: i64, n: usize, input: Bound) -> Bound {
    let sum = sums_of_layers(n, input)[n.trailing_zeros() as usize].magnitude();
    let (floor, rounded) = (product(Quotient::Floor, sum, 2, q), product(Quotient::Rounded, sum, 2, q));
    floor.join(rounded)
}

/// Where Montgomery's reduction leaves sums of so many products of values.
pub(super) const fn sums(q: i64, values: Bound, terms: usize) -> Bound {
    let size = values.magnitude() as i128 * values.magnitude() as i128 * terms as i128;
    assert!(size + ((q as i128) << (LANE - 1)) < 1 << 63, "overflow: 64 bits of a sum of products");
    Bound::symmetric((size >> LANE) as i64 + q / 2 + 1)
}
