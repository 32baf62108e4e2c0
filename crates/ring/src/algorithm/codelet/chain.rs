//! Chains of codelets: each gets its reductions from the bounds that the codelets before it promise.
//!
//! A codelet promises a bound for its outputs. The inputs of the next codelet are described by data
//! ([`Source`]): they come from outside, or from a promise, unchanged or changed by the kernels in between.
//! The same code places the reductions, removes needless ones, and proves that every codelet stays within its
//! lanes and keeps its promise.

use super::place::{Bounds, NOTHING, Placed, reductions, widest, without};
use super::{Codelet, POINTS};
use crate::bound::Bound;
use crate::reduce::montgomery::{bound_any, bound_wide};
use ringsmith_simd::LazyReduction;

/// Every lane.
pub const LANE: Bound = Bound::symmetric(i16::MAX as i64);

/// Where an input of a codelet comes from, and so its bound.
#[derive(Clone, Copy)]
pub enum Source {
    /// From outside, within a bound.
    Outside(Bound),
    /// A point that a codelet leaves, as it is.
    Left(usize),
    /// The same times a constant, whichever.
    Scaled(usize),
    /// The same of either of two codelets.
    Either(usize, usize),
    /// A sum of so many products of points that a codelet leaves by any words times a constant, reduced.
    Products(usize, i64),
    /// The same by points that another codelet leaves, as they are or times a constant.
    Pairs(usize, usize, i64),
}

/// The sources of all inputs.
pub type Sources = [Source; POINTS];

/// Inputs that do not exist.
pub const NOWHERE: Sources = [Source::Outside(NOTHING); POINTS];

/// Where any word lies after a product by a constant.
pub const fn scaled_lane(q: i64) -> Bound {
    bound_any(LANE, q)
}

/// Where a sum of `terms` products of values in `a` by any words times a constant lies when it is reduced, or
/// `None` where it overflows.
pub const fn products(q: i64, terms: i64, a: Bound) -> Option<Bound> {
    let sum = a.mul(scaled_lane(q)).mirrored().scale(terms);
    let out = bound_wide(sum, q);
    if sum.fits(32) && out.fits(16) { Some(out) } else { None }
}

/// The same by values in `b`, as they are or times a constant.
pub const fn pairs(q: i64, terms: i64, a: Bound, b: Bound) -> Option<Bound> {
    let sum = a.mul(b.join(bound_any(b, q)).mirrored()).mirrored().scale(terms);
    let out = bound_wide(sum, q);
    if sum.fits(32) && out.fits(16) { Some(out) } else { None }
}

/// Codelets modulo one number, the sources of their inputs, and the bound that each promises for its outputs.
#[derive(Clone, Copy)]
pub struct Chain<const N: usize> {
    /// The codelets.
    pub codelets: [Codelet; N],
    sources: [Sources; N],
    promises: [Bound; N],
}

impl<const N: usize> Chain<N> {
    /// No reductions, and no promises.
    pub const fn new(codelets: [Codelet; N], sources: [Sources; N]) -> Chain<N> {
        Chain { codelets, sources, promises: [NOTHING; N] }
    }

    /// The bound that codelet `i` promises for its outputs.
    pub const fn promise(&self, i: usize) -> Bound {
        self.promises[i]
    }

    /// The bound of what comes from a source; `None` if it overflows.
    const fn bound(&self, q: i64, source: Source) -> Option<Bound> {
        match source {
            Source::Outside(bound) => Some(bound),
            Source::Left(i) => Some(self.promises[i]),
            Source::Scaled(i) => Some(bound_any(self.promises[i], q)),
            Source::Either(i, j) => Some(self.promises[i].join(self.promises[j])),
            Source::Products(i, terms) => products(q, terms, self.promises[i]),
            Source::Pairs(i, j, terms) => pairs(q, terms, self.promises[i], self.promises[j]),
        }
    }

    /// Where the inputs of codelet `i` lie by what the others promise, or `None` where one overflows.
    const fn inputs(&self, i: usize) -> Option<Bounds> {
        let (mut inputs, mut k) = ([NOTHING; POINTS], 0);
        while k < POINTS {
            match self.bound(self.codelets[i].q, self.sources[i][k]) {
                Some(bound) => inputs[k] = bound,
                None => return None,
            }
            k += 1;
        }
        Some(inputs)
    }

    const fn placed(&self, step: LazyReduction, i: usize, limit: i64) -> Placed {
        match self.inputs(i) {
            Some(inputs) => self.codelets[i].place(step, &inputs, limit),
            None => panic!("overflow: a sum of products between two codelets"),
        }
    }

    /// Gives codelet `i` the reductions with which it promises to leave at most `limit`.
    pub const fn place(&mut self, step: LazyReduction, i: usize, limit: i64) {
        (self.codelets[i], self.promises[i]) = (self.placed(step, i, limit).codelet, Bound::symmetric(limit));
    }

    /// The same, but promises exactly the bound that its outputs have then.
    pub const fn place_closely(&mut self, step: LazyReduction, i: usize, limit: i64) {
        let placed = self.placed(step, i, limit);
        self.codelets[i] = placed.codelet;
        self.promises[i] = widest(&placed.outputs, placed.codelet.points);
    }

    /// The proof: whether every lane holds every value. Each codelet must stay within its lanes and keep its
    /// promise, given the promises before it.
    pub const fn holds(&self, step: LazyReduction) -> bool {
        let mut i = 0;
        while i < N {
            let Some(inputs) = self.inputs(i) else { return false };
            match self.codelets[i].widest_of(step, &inputs) {
                Some(outputs) if outputs.within(self.promises[i]) => i += 1,
                _ => return false,
            }
        }
        true
    }

    /// Removes every reduction that the proof does not need.
    pub const fn drop_needless(mut self, step: LazyReduction) -> Chain<N> {
        let mut i = 0;
        while i < N {
            let Some(inputs) = self.inputs(i) else {
                panic!("overflow: a sum of products between two codelets")
            };
            self.codelets[i] = self.codelets[i].drop_needless(step, &inputs, self.promises[i]);
            i += 1;
        }
        self
    }

    /// The same codelets, whose bounds are for several moduli: see [`Codelet::for_moduli`].
    pub(in crate::algorithm) const fn for_moduli(mut self, error: i64) -> Chain<N> {
        let mut i = 0;
        while i < N {
            self.codelets[i] = self.codelets[i].for_moduli(error);
            i += 1;
        }
        self
    }

    /// The same promises, of codelets modulo another number whose inputs come from `sources`.
    pub(in crate::algorithm) const fn with(
        mut self,
        codelets: [Codelet; N],
        sources: [Sources; N],
    ) -> Chain<N> {
        (self.codelets, self.sources) = (codelets, sources);
        self
    }

    /// With reduction `i` left out, counted through all codelets.
    pub const fn without(mut self, i: usize) -> Chain<N> {
        self.codelets = without(self.codelets, i);
        self
    }

    /// How many reductions there are.
    pub const fn count(&self) -> usize {
        reductions(&self.codelets)
    }
}
