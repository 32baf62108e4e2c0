//! The ring of ML-KEM, with the planner's route, and the domain of the scheme.
//!
//! The crate `ringsmith-routes` has other routes.

use ringsmith_ring::algorithm::rows::RowTransform;
use ringsmith_ring::{DomainEntry, Entry, InPairs, Ordered, Ring, Routes, Rows, Shape, Space, scratch};

/// ML-KEM's ring (FIPS 203).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MlKem;

impl Ring for MlKem {
    const Q: i64 = 3329;
    const N: usize = 256;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_3329[x]/(x^256+1)";
    const SMALL: i16 = 3;
    type Coeffs = Rows<16>;
    type Scratch = Space<{ scratch(16) }, 0>;
    type Prepared = Space<32, 0>;
}

impl Routes for MlKem {
    const PLANNED: &'static [Entry<Self>] = &ML_KEM;
}

static ML_KEM: [Entry<MlKem>; 1] = [Entry::of::<RowTransform<3329, 16>>()];

/// The domain of ML-KEM's transform in the order of FIPS 203.
pub static ML_KEM_ORDERED: DomainEntry<MlKem, InPairs<16>> = DomainEntry::pairs::<3329>();

impl Ordered<InPairs<16>> for MlKem {
    const DOMAIN: &'static DomainEntry<Self, InPairs<16>> = &ML_KEM_ORDERED;
}

// The compiler proves the bounds of the ring: a lane that could overflow is a build error here.
const _: () = MlKem::CHECK;
