//! The catalogue of algorithms: which routes there are, and who knows what each needs of a ring.
//!
//! It knows all algorithms; none of them knows it. The conditions stand in each algorithm's file, as
//! `serves`, which its proof asserts too.

use crate::algorithm::rows::{cyclic, halves};
use crate::algorithm::{
    composition, convolution, good_thomas, incomplete, interleaved, k_red, karatsuba, rader, rns, schoenhage,
    signed, size_class, toeplitz, tree,
};
use crate::entry::{Entry, Routes};
use crate::ring::{Ring, Shape};
use crate::route::{Inner, Layer, Montgomery, Parts, Placement, Route};
use crate::why_not::WhyNot;

impl Route {
    /// Whether this route's mathematics serves a ring, and if not, why.
    ///
    /// # Errors
    /// The first condition that fails.
    pub const fn serves(self, q: i64, n: usize, shape: Shape) -> Result<(), WhyNot> {
        if n == 0 {
            return Err(WhyNot::Rows { rows: 0 });
        }
        let stored = size_class::stored(q, n, shape);
        match self {
            Route::Ntt { base: base @ (1 | 2) } => tree::serves(q, n, shape, base),
            Route::Ntt { base } => incomplete::serves(q, n, shape, base, 1),
            Route::NttKaratsuba { base } => incomplete::serves(q, n, shape, base, 4),
            Route::Rows if matches!(shape, Shape::PrimeTrinomial) => cyclic::serves(q, n),
            Route::Rows => tree::serves(q, n, shape, 16),
            Route::Rns { primes: 3, inner: Inner::GoodThomas } => good_thomas::serves(q, n),
            Route::Rns { primes: 3, inner: Inner::Rows } if stored > n => halves::serves(q, n),
            Route::Rns { primes: 3, inner: Inner::Rows } => rns::serves(q, n),
            Route::Rns { .. } => Err(WhyNot::Auxiliary),
            Route::Rader => rader::serves(q, n, shape),
            Route::Schoenhage => schoenhage::serves(q, n, shape),
            Route::KRed(placement) => k_red::serves(q, n, shape, placement),
            Route::Schoolbook => convolution::serves(q),
            Route::Signed => signed::serves(q, stored),
            Route::Karatsuba { levels } => karatsuba::serves(q, stored, levels),
            Route::ToomCook { parts, inner } => match Layer::toom_cook(parts) {
                Some(layer) => composition::serves(q, stored, layer, inner),
                None => Err(WhyNot::Points),
            },
            Route::Toeplitz { parts } => toeplitz::serves(q, n, shape, parts),
            Route::Interleaved { word, .. } => interleaved::serves(q, n, shape, word),
            Route::WeimerskirchPaar { parts, inner } => match Layer::weimerskirch_paar(parts) {
                Some(layer) => composition::serves(q, stored, layer, inner),
                None => Err(WhyNot::Rows { rows: stored.div_ceil(16) }),
            },
        }
    }

    /// The entry of this route among those that are compiled for `R`, and if there is none, why.
    ///
    /// # Errors
    /// The first condition that fails; [`WhyNot::NotCompiled`] where none does.
    pub fn find<R: Ring>(
        self,
        entries: impl IntoIterator<Item = &'static Entry<R>>,
    ) -> Result<&'static Entry<R>, WhyNot> {
        self.serves(R::Q, R::N, R::SHAPE)?;
        entries.into_iter().find(|entry| self.names(entry.route)).ok_or(WhyNot::NotCompiled)
    }

    /// Whether `other` is this route, or one of those that this names.
    fn names(self, other: Route) -> bool {
        match (self, other) {
            (Route::ToomCook { parts, inner: None }, Route::ToomCook { parts: others, .. }) => {
                parts == others
            }
            (Route::Toeplitz { parts }, Route::Toeplitz { parts: others }) if parts.depth() == 1 => {
                others.depth() > 0 && parts.count(0) == others.count(0)
            }
            _ => self == other,
        }
    }

    /// Whether this route is the ring's own, and if not, why.
    ///
    /// # Errors
    /// As [`find`](Self::find) in [`Routes::PLANNED`].
    pub fn applies<R: Routes>(self) -> Result<(), WhyNot> {
        self.find(R::PLANNED).map(|_| ())
    }

    /// The routes that a ring of degree `n` is tried with, for tools that list them all: what applies and
    /// what does not.
    pub fn candidates() -> impl Iterator<Item = Route> {
        let transforms = [1, 2, 4, 6, 8].map(|base| Route::Ntt { base });
        let with_karatsuba = [4, 6, 8].map(|base| Route::NttKaratsuba { base });
        let k_red = [Placement::Analysis, Placement::Paper].map(Route::KRed);
        let karatsuba = [1, 2, 3, 4].map(|levels| Route::Karatsuba { levels });
        let toom_cook = [3, 4, 5].map(|parts| Route::ToomCook { parts, inner: None });
        let parts = [2, 3, 4, 6, 8].map(|parts| Route::WeimerskirchPaar { parts, inner: None });
        let toeplitz = [2, 3, 4, 5].map(|count| Route::Toeplitz { parts: Parts::NONE.inside(count, false) });
        let interleaved = |form| interleaved::WORDS.map(|word| Route::Interleaved { word, form });
        [Route::Rows, Route::Rader, Route::Schoenhage]
            .into_iter()
            .chain(transforms)
            .chain(with_karatsuba)
            .chain(k_red)
            .chain([Route::Schoolbook, Route::Signed, Route::ROWS_BY_PRIMES, Route::GOOD_THOMAS])
            .chain(karatsuba)
            .chain(toom_cook)
            .chain(parts)
            .chain(toeplitz)
            .chain([Montgomery::Proposed, Montgomery::Original].into_iter().flat_map(interleaved))
    }
}
