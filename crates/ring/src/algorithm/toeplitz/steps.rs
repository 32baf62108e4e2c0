//! Linear maps in steps: sums of multiples of pieces, and of sums before them.
//!
//! The matrix side `C'` at points takes few steps. Row `i` of it has the coefficients `c_k` of Lagrange's
//! numerator of point `i`, and the matrix of product `i` is `sum_k c_k T_k`. A numerator is the product of
//! the factors `q y - p z` of all other points `(p : q)`, and a factor is applied to pieces like a
//! polynomial: `q x_(j+1) - p x_j`. Points are 0, infinity, pairs of `p / q` and `-p / q`, and a lone one. So
//! numerators have factors in common: all but one have the lone point's, and a pair's two are
//! `q^2 y^2 - p^2 z^2`. They are applied one after the other:
//! 1. the lone point's factor to all pieces;
//! 2. to what it gives, the factors of all pairs for 0 and infinity, and those of all other pairs for a pair;
//! 3. for each point of a pair the other one's factor.
//!
//! The compiler multiplies the steps out and compares them with Lagrange's matrix.

use super::bilinear::{GIVEN, TAKEN};
use crate::algorithm::toom_cook::{ALL, POINTS, lagrange, twos};
use crate::number::inverse_mod_word;

/// The most sums between pieces and those given: one for each point, three for 0 and infinity, and three for
/// each pair.
pub(super) const BETWEEN: usize = POINTS + 3 + 3 * ((POINTS - 3) / 2);
/// The most values that terms are of: pieces, and sums between.
pub(super) const VALUES: usize = TAKEN + BETWEEN;

/// A multiple of a sum of multiples of values. Value `TAKEN + i` is sum `i` between.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    /// Values and their multiples, none of which is 0.
    pub(super) terms: [(usize, i16); POINTS],
    /// How many terms there are.
    pub(super) count: usize,
    /// The multiple of their sum.
    pub(super) scale: i16,
}

impl Sum {
    /// No terms.
    const NONE: Sum = Sum { terms: [(0, 0); POINTS], count: 0, scale: 1 };

    /// The value that it is, if it is one as it stands.
    pub(super) const fn alone(&self) -> Option<usize> {
        match (self.count, self.terms[0], self.scale) {
            (1, (value, 1), 1) => Some(value),
            _ => None,
        }
    }

    /// One more term, unless it is 0.
    const fn plus(mut self, value: usize, multiple: i16) -> Self {
        if multiple != 0 {
            self.terms[self.count] = (value, multiple);
            self.count += 1;
        }
        self
    }

    /// A polynomial applied to the values from one on.
    const fn applied(polynomial: &[i64; POINTS], first: usize) -> Self {
        let (mut sum, mut k) = (Self::NONE, 0);
        while k < POINTS {
            sum = sum.plus(first + k, polynomial[k] as i16);
            k += 1;
        }
        sum
    }

    /// The multiples of pieces that it has.
    const fn expand(&self, values: &[[i16; TAKEN]; VALUES]) -> [i16; TAKEN] {
        let (mut multiples, mut j) = ([0i16; TAKEN], 0);
        while j < TAKEN {
            let mut k = 0;
            while k < self.count {
                let (value, multiple) = self.terms[k];
                multiples[j] = multiples[j].wrapping_add(values[value][j].wrapping_mul(multiple));
                k += 1;
            }
            multiples[j] = multiples[j].wrapping_mul(self.scale);
            j += 1;
        }
        multiples
    }

    /// A multiple of it.
    const fn scaled(mut self, scale: i64) -> Self {
        self.scale = scale as i16;
        self
    }
}

/// A map in steps.
pub struct Steps {
    /// Sums of pieces and of those before.
    pub(super) between: [Sum; BETWEEN],
    /// How many there are of them.
    pub(super) all_between: usize,
    /// Sums that the map gives.
    pub(super) given: [Sum; GIVEN],
}

impl Steps {
    /// No sums.
    const NONE: Steps = Steps { between: [Sum::NONE; BETWEEN], all_between: 0, given: [Sum::NONE; GIVEN] };

    /// A polynomial applied to the values from one on, so many times: the first of these sums as a value.
    const fn apply(&mut self, polynomial: &[i64; POINTS], first: usize, times: usize) -> usize {
        let (begin, mut i) = (self.all_between, 0);
        while i < times {
            self.between[begin + i] = Sum::applied(polynomial, first + i);
            i += 1;
        }
        self.all_between += times;
        TAKEN + begin
    }

    /// A table, whose rows have the multiples of the pieces, in one step.
    pub(super) const fn of_table(table: &[[i16; TAKEN]; GIVEN]) -> Self {
        let (mut steps, mut i) = (Self::NONE, 0);
        while i < GIVEN {
            let mut j = 0;
            while j < TAKEN {
                steps.given[i] = steps.given[i].plus(j, table[i][j]);
                j += 1;
            }
            i += 1;
        }
        steps
    }

    /// Whether the sums given are those of a table, modulo `2^16`.
    pub(super) const fn are(&self, table: &[[i16; TAKEN]; GIVEN]) -> bool {
        let (mut values, mut i) = ([[0; TAKEN]; VALUES], 0);
        while i < TAKEN {
            values[i][i] = 1;
            i += 1;
        }
        i = 0;
        while i < self.all_between {
            values[TAKEN + i] = self.between[i].expand(&values);
            i += 1;
        }
        i = 0;
        while i < GIVEN {
            let (sum, mut j) = (self.given[i].expand(&values), 0);
            while j < TAKEN {
                if sum[j] != table[i][j] {
                    return false;
                }
                j += 1;
            }
            i += 1;
        }
        true
    }
}

/// The other point of a pair, of so many points.
const fn mirrored(i: usize, count: usize) -> Option<usize> {
    let mut j = 2;
    while j < count {
        if i >= 2 && ALL[j][0] == -ALL[i][0] && ALL[j][1] == ALL[i][1] {
            return Some(j);
        }
        j += 1;
    }
    None
}

/// The point that has no other, beside 0 and infinity, which come first.
const fn lone(count: usize) -> usize {
    let mut i = 2;
    while mirrored(i, count).is_some() {
        i += 1;
    }
    i
}

/// The product of the pairs' factors, but for those of one point's pair; the lone point has none.
const fn pairs(count: usize, but: usize) -> [i64; POINTS] {
    let (mut product, mut i) = ([0; POINTS], 0);
    product[0] = 1;
    while i < count {
        if let Some(other) = mirrored(i, count)
            && i < other
            && i != but
        {
            let ([p, q], mut k) = (ALL[i], POINTS);
            while k > 0 {
                k -= 1;
                let below = if k < 2 { 0 } else { product[k - 2] };
                product[k] = q * q * below - p * p * product[k];
            }
        }
        i += 1;
    }
    product
}

/// `2^loss` over the denominator of a point: its odd part has an inverse modulo `2^16`.
pub(super) const fn scale(denominator: i64, loss: u32) -> i64 {
    let odd = inverse_mod_word(denominator >> twos(denominator)) as i64;
    odd * (1 << (loss - twos(denominator)))
}

/// The steps before those of each point: where the sums for 0 and infinity begin, and those for each pair.
const fn shared(count: usize, lone: usize) -> (Steps, usize, [usize; POINTS]) {
    let (mut steps, mut factor) = (Steps::NONE, [0; POINTS]);
    [factor[0], factor[1]] = [-ALL[lone][0], ALL[lone][1]];
    let first = steps.apply(&factor, 0, count);
    let ends = steps.apply(&pairs(count, lone), first, 3);
    let (mut others, mut i) = ([0; POINTS], 2);
    while i < count {
        if let Some(other) = mirrored(i, count)
            && i < other
        {
            others[i] = steps.apply(&pairs(count, i), first + 1, 3);
            others[other] = others[i];
        }
        i += 1;
    }
    (steps, ends, others)
}

/// The matrix side at so many points.
pub(super) const fn at_points(count: usize, loss: u32) -> Steps {
    let (lone, denominators, mut i) = (lone(count), lagrange(count).denominators, 0);
    let (mut steps, ends, others) = shared(count, lone);
    while i < count {
        let ([p, q], scale, mut half) = (ALL[i], scale(denominators[i], loss), 0);
        while half < 2 {
            // The factor of 0 is `y`, infinity's is `-z`.
            steps.given[2 * i + half] = if i == 0 {
                Sum::NONE.plus(ends + half, 1).scaled(-scale)
            } else if i == 1 {
                Sum::NONE.plus(ends + half + 1, 1).scaled(scale)
            } else if i == lone {
                Sum::applied(&pairs(count, lone), half + 1).scaled(-scale)
            } else {
                let at = others[i] + half;
                Sum::NONE.plus(at, p as i16).plus(at + 1, q as i16).scaled(-scale)
            };
            half += 1;
        }
        i += 1;
    }
    steps
}
