//! What coefficients of a product can be, and which primes tell them apart.

use crate::zq::Zq;

/// Which operands products have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    /// Of the first factor, in `[0, q)`.
    pub(crate) q: u64,
    /// The second factor: `None` for one in `[0, q)`, or at most this in absolute value.
    pub(crate) small: Option<u64>,
    /// How many products a coefficient sums, by the weights that `f` gives them.
    pub(crate) terms: u64,
    /// Whether some of them are taken off.
    pub(crate) minus: bool,
    /// Whether factors in `[0, q)` are read as centred: at most `q / 2` in absolute value.
    pub(crate) centred: bool,
}

impl Bounds {
    /// The absolute values that each factor keeps, where it is read with a sign.
    pub(crate) fn signed_factors(self) -> [Option<u64>; 2] {
        let centred = self.centred.then_some(self.q / 2);
        [centred, self.small.or(centred)]
    }

    /// Whether coefficients can be negative.
    pub(crate) fn signed(self) -> bool {
        self.minus || self.signed_factors() != [None; 2]
    }

    /// The factors whose product is no less than the number of values of a coefficient, but for what makes
    /// [offsets](Bounds::rest) multiples of `q`.
    fn values(self) -> [u64; 4] {
        let (signs, [a, b]) = (if self.signed() { 2 } else { 1 }, self.signed_factors());
        [signs, a.unwrap_or(self.q), b.unwrap_or(self.q - 1), self.terms]
    }

    /// As much as is added, at most, so that what makes coefficients positive is a multiple of `q`.
    fn rest(self) -> u64 {
        if self.centred { self.q } else { 0 }
    }

    /// How many bits a coefficient has, its sign among them.
    pub(crate) fn bits(self) -> u32 {
        bits(&self.values())
    }

    /// Whether primes hold a coefficient.
    fn held_by(self, primes: &[u64]) -> bool {
        let values = plus(large(&self.values()), self.rest());
        large(primes).iter().rev().gt(values.iter().rev())
    }

    /// The same bounds of factors that are read as centred.
    pub(crate) fn centred(self) -> Self {
        Bounds { centred: true, ..self }
    }

    /// How factors are read so that primes hold a coefficient, if they do.
    pub(crate) fn within(self, primes: &[u64]) -> Option<Self> {
        [self, self.centred()].into_iter().find(|bounds| bounds.held_by(primes))
    }

    /// A multiple of `q` that makes coefficients positive, modulo a prime.
    pub(super) fn offset(self, zq: Zq, zp: Zq) -> u64 {
        let most = |z: Zq| self.values()[1..].iter().fold(z.word(1), |most, x| z.product(most, z.word(*x)));
        if self.signed() { zp.add(most(zp), zp.word(zq.sub(0, most(zq)))) } else { 0 }
    }
}

/// How many bits a product of numbers has.
pub(crate) fn bits(factors: &[u64]) -> u32 {
    let words = large(factors);
    let top = words.iter().rposition(|word| *word != 0).unwrap_or(0);
    u64::BITS * (top as u32 + 1) - words[top].leading_zeros()
}

/// The product of numbers, in five words.
fn large(factors: &[u64]) -> [u64; 5] {
    factors.iter().fold([1, 0, 0, 0, 0], times)
}

/// A number of five words, the least first, by a word.
fn times(number: [u64; 5], by: &u64) -> [u64; 5] {
    let mut carry = 0;
    number.map(|word| {
        let product = u128::from(word) * u128::from(*by) + carry;
        carry = product >> u64::BITS;
        product as u64
    })
}

/// A number of five words and a word.
fn plus(number: [u64; 5], word: u64) -> [u64; 5] {
    let mut carry = word;
    number.map(|x| {
        let (sum, over) = x.overflowing_add(carry);
        carry = u64::from(over);
        sum
    })
}
