//! The reductions of a row transform, in the codelets that it is made of.

use super::geometry::{BACK, CODELETS, COLUMNS, FIRST, Geometry, LAST, SECOND};
use crate::algorithm::codelet::POINTS;
use crate::algorithm::codelet::chain::{Chain, LANE, NOWHERE, Source, Sources, products, scaled_lane};
use crate::algorithm::plan::threshold;
use crate::bound::Bound;
use crate::reduce::barrett;
use ringsmith_simd::LazyReduction;

/// The codelets of a row transform with their reductions, for one kind of CPU, and where each promises to
/// leave its points.
#[derive(Clone, Copy)]
pub struct Plan {
    pub(super) chain: Chain<CODELETS>,
}

/// Where base products of a first operand in `a` lie, or `None` where their sums overflow. Second operands
/// are any lane after a product by a constant.
const fn products_bound(geometry: &Geometry, a: Bound) -> Option<Bound> {
    products(geometry.q, geometry.terms(), a)
}

/// The greatest first operand of base products that overflow nothing.
const fn first_limit(geometry: &Geometry) -> i64 {
    let (mut low, mut high) = (0, 1 << 15);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if products_bound(geometry, Bound::symmetric(middle)).is_some() {
            low = middle
        } else {
            high = middle
        }
    }
    low
}

/// The greatest coefficient of a product such that three of them and one that wrapped are centred exactly.
const fn last_limit(q: i64) -> i64 {
    (barrett::exact_limit(q) - 1 - scaled_lane(q).magnitude()) / 3
}

/// Whether coefficients that wrapped, or none, are as small as [`last_limit`] takes for granted: one is taken
/// off a coefficient, and up to two of them stand where others would.
pub(super) const fn wrapped_fit(q: i64, wrapped: Bound) -> bool {
    wrapped.within(scaled_lane(q)) && scaled_lane(q).magnitude() <= last_limit(q)
}

/// Whether codelets can be placed: whether what Barrett leaves of any lane can be summed, is a first operand
/// of base products, and is small enough at last.
pub(in crate::algorithm) const fn exist(geometry: &Geometry) -> bool {
    let reduced = barrett::bound(LANE, geometry.q).mirrored();
    reduced.scale(2).fits(16)
        && reduced.magnitude() <= first_limit(geometry)
        && reduced.magnitude() <= last_limit(geometry.q)
}

/// Where the inputs of codelet `i` come from.
const fn sources(geometry: &Geometry, i: usize) -> Sources {
    let (mut sources, mut c) = (NOWHERE, 0);
    while c < POINTS {
        sources[c] = match i {
            FIRST | SECOND if c < geometry.b => Source::Left(COLUMNS + c),
            BACK if c < geometry.b => Source::Products(FIRST, geometry.terms()),
            LAST if c < geometry.a => Source::Left(BACK),
            _ if COLUMNS <= i && c < geometry.a => Source::Outside(Bound::centred(geometry.q)),
            _ => sources[c],
        };
        c += 1;
    }
    sources
}

impl Plan {
    /// No reductions, and no promises.
    const fn new(geometry: &Geometry) -> Plan {
        let (mut from, mut i) = ([NOWHERE; CODELETS], 0);
        while i < CODELETS {
            from[i] = sources(geometry, i);
            i += 1;
        }
        Plan { chain: Chain::new(geometry.codelets(), from) }
    }

    /// Whether every lane holds every value, and the last pass leaves what is centred exactly: the proof.
    const fn hold(&self, geometry: &Geometry, step: LazyReduction) -> bool {
        self.chain.holds(step) && self.chain.promise(LAST).magnitude() <= last_limit(geometry.q)
    }

    /// Whether the sum of two base products, each reduced, is within what the first pass backwards takes.
    const fn sums_hold(&self, geometry: &Geometry) -> bool {
        match products_bound(geometry, self.chain.promise(FIRST)) {
            Some(products) => barrett::bound(products, geometry.q).scale(2).within(products),
            None => false,
        }
    }

    /// With reductions.
    ///
    /// What columns leave is as small as can be where a step costs two instructions and more than four points
    /// are summed, and as large as a lane where not: of the two, these cost less, or as much and run faster,
    /// in every field of NTRU Prime. First operands are as large as base products take: smaller ones saved a
    /// thousandth of one field's product. The first pass backwards leaves values as large as a lane: smaller
    /// ones were never cheaper.
    const fn placed(mut self, geometry: &Geometry, step: LazyReduction) -> Plan {
        let (q, small, mut c) = (geometry.q, matches!(step, LazyReduction::Sign) && geometry.a > 4, COLUMNS);
        let limit = if small { threshold(q, 0) } else { LANE.high };
        while c < COLUMNS + geometry.b {
            self.chain.place_closely(step, c, limit);
            c += 1;
        }
        self.chain.place(step, SECOND, LANE.high);
        self.chain.place_closely(step, FIRST, first_limit(geometry));
        self.chain.place_closely(step, BACK, LANE.high);
        self.chain.place(step, LAST, last_limit(q));
        Plan { chain: self.chain.drop_needless(step) }
    }
}

/// The plans for both kinds of CPU.
#[derive(Clone, Copy)]
pub struct Plans {
    /// For CPUs that prefer the sign step.
    pub sign: Plan,
    /// For CPUs that prefer Barrett.
    pub barrett: Plan,
}

impl Plans {
    /// Plans with few reductions.
    pub const fn find(geometry: &Geometry) -> Plans {
        let plain = Plan::new(geometry);
        Plans {
            sign: plain.placed(geometry, LazyReduction::Sign),
            barrett: plain.placed(geometry, LazyReduction::Barrett),
        }
    }

    /// The plans with reduction `i` of each left out.
    pub const fn without(&self, i: usize) -> Plans {
        Plans {
            sign: Plan { chain: self.sign.chain.without(i) },
            barrett: Plan { chain: self.barrett.chain.without(i) },
        }
    }

    /// The number of reductions: the test of the proof leaves each of them out once.
    pub const fn counts(&self) -> [usize; 2] {
        [self.sign.chain.count(), self.barrett.chain.count()]
    }

    /// Whether every lane holds every value on any CPU: the proof.
    pub const fn hold(&self, geometry: &Geometry) -> bool {
        self.sign.hold(geometry, LazyReduction::Sign) && self.barrett.hold(geometry, LazyReduction::Barrett)
    }

    /// Whether two base products, each reduced, can be summed, and sums are taken backwards as one base
    /// product is.
    pub(super) const fn sums_hold(&self, geometry: &Geometry) -> bool {
        self.sign.sums_hold(geometry) && self.barrett.sums_hold(geometry)
    }
}
