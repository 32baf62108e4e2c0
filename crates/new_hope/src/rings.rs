//! The rings of NewHope and NewHope-Compact, each with the planner's route and with the domain of its
//! schemes.
//!
//! The crate `ringsmith-routes` has other routes. To add a ring, see `docs/add-a-ring.md`.

use ringsmith_ring::algorithm::incomplete::{BySchoolbook, HalfTrinomial, Incomplete, Negacyclic};
use ringsmith_ring::algorithm::ntt::Ntt;
use ringsmith_ring::algorithm::rows::RowTransform;
use ringsmith_ring::scratch;
use ringsmith_ring::{
    ByRoot, DomainEntry, Entry, Exponents, InPlanes, Ordered, Ring, Routes, Rows, Shape, Space,
};

/// NewHope's ring of degree 1024.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewHope1024;

impl Ring for NewHope1024 {
    const Q: i64 = 12289;
    const N: usize = 1024;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_12289[x]/(x^1024+1)";
    const SMALL: i16 = 16;
    type Coeffs = Rows<64>;
    type Scratch = Space<{ scratch(64) }, 256>;
    type Prepared = Space<128, 128>;
}

impl Routes for NewHope1024 {
    const PLANNED: &'static [Entry<Self>] = &NEW_HOPE_1024;
}

static NEW_HOPE_1024: [Entry<NewHope1024>; 1] = [Entry::of::<RowTransform<12289, 64>>()];

/// NewHope's ring of degree 512.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewHope512;

impl Ring for NewHope512 {
    const Q: i64 = 12289;
    const N: usize = 512;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_12289[x]/(x^512+1)";
    const SMALL: i16 = 16;
    type Coeffs = Rows<32>;
    type Scratch = Space<{ scratch(32) }, 128>;
    type Prepared = Space<64, 64>;
}

impl Routes for NewHope512 {
    const PLANNED: &'static [Entry<Self>] = &NEW_HOPE_512;
}

static NEW_HOPE_512: [Entry<NewHope512>; 1] = [Entry::of::<RowTransform<12289, 32>>()];

/// The domain of NewHope's transform of degree 1024 in the order of the exponents of 7, from coefficients in
/// the order of their reversed exponents, by the planner's route.
pub static NEW_HOPE_1024_ORDERED: DomainEntry<NewHope1024, Exponents> =
    DomainEntry::exponents::<Ntt<12289, 64, 1>, 12289>();

impl Ordered<Exponents> for NewHope1024 {
    const DOMAIN: &'static DomainEntry<Self, Exponents> = &NEW_HOPE_1024_ORDERED;
}

/// The domain of NewHope's transform of degree 512 in the order of the exponents of 10968, likewise.
pub static NEW_HOPE_512_ORDERED: DomainEntry<NewHope512, Exponents> =
    DomainEntry::exponents::<Ntt<12289, 32, 1>, 12289>();

impl Ordered<Exponents> for NewHope512 {
    const DOMAIN: &'static DomainEntry<Self, Exponents> = &NEW_HOPE_512_ORDERED;
}

/// The domain of Longa and Naehrig's transform of degree 1024, whose root is 1945, in the order that it
/// leaves.
pub static LONGA_NAEHRIG_ORDERED: DomainEntry<NewHope1024, ByRoot<1945>> =
    DomainEntry::by_root::<Ntt<12289, 64, 1>, 12289>();

impl Ordered<ByRoot<1945>> for NewHope1024 {
    const DOMAIN: &'static DomainEntry<Self, ByRoot<1945>> = &LONGA_NAEHRIG_ORDERED;
}

/// NewHope's modulus at degree 256, for comparison with ML-KEM's ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewHope256;

impl Ring for NewHope256 {
    const Q: i64 = 12289;
    const N: usize = 256;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_12289[x]/(x^256+1)";
    const SMALL: i16 = 16;
    type Coeffs = Rows<16>;
    type Scratch = Space<{ scratch(16) }, 64>;
    type Prepared = Space<32, 32>;
}

impl Routes for NewHope256 {
    const PLANNED: &'static [Entry<Self>] = &NEW_HOPE_256;
}

static NEW_HOPE_256: [Entry<NewHope256>; 1] = [Entry::of::<RowTransform<12289, 16>>()];

/// NewHope-Compact's ring of degree 512: residues of degree 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compact512;

impl Ring for Compact512 {
    const Q: i64 = 3329;
    const N: usize = 512;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_3329[x]/(x^512+1)";
    const SMALL: i16 = 2;
    type Coeffs = Rows<32>;
    type Scratch = Space<{ scratch(32) }, 0>;
    type Prepared = Space<64, 0>;
}

impl Routes for Compact512 {
    const PLANNED: &'static [Entry<Self>] = &COMPACT_512;
}

static COMPACT_512: [Entry<Compact512>; 1] = [Entry::of::<RowTransform<3329, 32>>()];

/// The domain of NewHope-Compact's transform of degree 512, in planes, by the planner's route.
pub static COMPACT_512_ORDERED: DomainEntry<Compact512, InPlanes<4>> =
    DomainEntry::planar::<3329, Negacyclic, BySchoolbook>();

impl Ordered<InPlanes<4>> for Compact512 {
    const DOMAIN: &'static DomainEntry<Self, InPlanes<4>> = &COMPACT_512_ORDERED;
}

/// NewHope-Compact's ring of degree 1024: residues of degree 8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compact1024;

impl Ring for Compact1024 {
    const Q: i64 = 3329;
    const N: usize = 1024;
    const SHAPE: Shape = Shape::Negacyclic;
    const NAME: &'static str = "Z_3329[x]/(x^1024+1)";
    const SMALL: i16 = 2;
    type Coeffs = Rows<64>;
    type Scratch = Space<{ scratch(64) }, 0>;
    type Prepared = Space<128, 0>;
}

impl Routes for Compact1024 {
    const PLANNED: &'static [Entry<Self>] = &COMPACT_1024;
}

static COMPACT_1024: [Entry<Compact1024>; 1] = [Entry::of::<RowTransform<3329, 64>>()];

/// The domain of NewHope-Compact's transform of degree 1024, in planes, by the planner's route.
pub static COMPACT_1024_ORDERED: DomainEntry<Compact1024, InPlanes<8>> =
    DomainEntry::planar::<3329, Negacyclic, BySchoolbook>();

impl Ordered<InPlanes<8>> for Compact1024 {
    const DOMAIN: &'static DomainEntry<Self, InPlanes<8>> = &COMPACT_1024_ORDERED;
}

/// NewHope-Compact's ring of degree 768.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compact768;

impl Ring for Compact768 {
    const Q: i64 = 3457;
    const N: usize = 768;
    const SHAPE: Shape = Shape::HalfTrinomial;
    const NAME: &'static str = "Z_3457[x]/(x^768-x^384+1)";
    const SMALL: i16 = 2;
    type Coeffs = Rows<48>;
    type Scratch = Space<{ scratch(48) }, 0>;
    type Prepared = Space<96, 0>;
}

impl Routes for Compact768 {
    const PLANNED: &'static [Entry<Self>] = &COMPACT_768;
}

static COMPACT_768: [Entry<Compact768>; 1] =
    [Entry::transform::<Incomplete<3457, 48, 6, HalfTrinomial, BySchoolbook>>()];

/// The domain of NewHope-Compact's transform of degree 768, in planes, by the planner's route.
pub static COMPACT_768_ORDERED: DomainEntry<Compact768, InPlanes<6>> =
    DomainEntry::planar::<3457, HalfTrinomial, BySchoolbook>();

impl Ordered<InPlanes<6>> for Compact768 {
    const DOMAIN: &'static DomainEntry<Self, InPlanes<6>> = &COMPACT_768_ORDERED;
}

// The compiler proves the bounds of every ring: a lane that could overflow is a build error here.
const _: () = NewHope1024::CHECK;
const _: () = NewHope512::CHECK;
const _: () = NewHope256::CHECK;
const _: () = Compact512::CHECK;
const _: () = Compact1024::CHECK;
const _: () = Compact768::CHECK;
