//! Conditions for nested products in parts: each inner product checks its own conditions for the modulus and
//! the length that the outer one leaves.

use super::{karatsuba, toom_cook};
use crate::route::{Inner, Layer};
use crate::why_not::WhyNot;

/// The conditions of an algorithm that cuts operands of `n` coefficients, and of `inner` for products of
/// parts; where that is not known, of the first alone.
pub(crate) const fn serves(q: i64, n: usize, layer: Layer, inner: Option<Inner>) -> Result<(), WhyNot> {
    let (served, (q, part)) = match layer {
        Layer::ToomCook { parts } => {
            (toom_cook::serves(q, parts as usize), toom_cook::inside(q, n, parts as usize))
        }
        Layer::WeimerskirchPaar { parts } => {
            let served = karatsuba::parts_serve(q, n, parts as usize);
            (served, (q, 16 * n.div_ceil(16).div_ceil(if parts > 0 { parts as usize } else { 1 })))
        }
    };
    if let Err(why) = served {
        return Err(why);
    }
    match inner {
        None | Some(Inner::Schoolbook) => Ok(()),
        Some(Inner::Karatsuba { levels }) => karatsuba::serves(q, part, levels),
        Some(Inner::Cut(layers)) => {
            let (layer, inner) = layers.split();
            serves(q, part, layer, Some(inner))
        }
        Some(_) => Err(WhyNot::Inside),
    }
}
