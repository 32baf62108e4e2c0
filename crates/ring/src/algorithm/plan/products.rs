//! Products in the domain, between a transform and its inverse.

use crate::bound::Bound;
use crate::reduce::montgomery;

/// How values are multiplied in the domain, for the bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProductRule {
    /// Residues of `degree` coefficients by Montgomery products in 16-bit lanes; both operands as they come.
    Residues {
        /// The degree of the residues.
        degree: usize,
    },
    /// Rows of 16 by pairwise multiply-add on 32-bit sums; the second operand is a Montgomery product.
    Rows,
}

impl ProductRule {
    /// Where products of two operands in `a` lie, or `None` where something overflows.
    pub const fn bound(self, q: i64, a: Bound) -> Option<Bound> {
        match self {
            ProductRule::Residues { degree } => {
                let one = montgomery::bound_wide(a.mul(a), q);
                let mut sum = one;
                let mut terms = 1;
                while terms < degree {
                    sum = sum.add(one);
                    terms += 1;
                }
                // The terms that wrap are summed, twisted by x^degree = w, and added to or taken off the
                // others.
                let twisted = montgomery::bound_any(sum, q).mirrored();
                let out = if degree == 1 { one } else { sum.add(twisted) };
                if sum.fits(16) && out.fits(16) { Some(out) } else { None }
            }
            ProductRule::Rows => {
                let b = montgomery::bound_any(Bound::symmetric(32767), q);
                let sum = a.mul(b).mirrored().scale(16);
                let out = montgomery::bound_wide(sum, q);
                if sum.fits(32) && out.fits(16) { Some(out) } else { None }
            }
        }
    }
}
