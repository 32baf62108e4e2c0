//! The routes of NewHope's and NewHope-Compact's rings; the domains of their schemes, and the key exchanges,
//! by each route.

use crate::EveryRoute;
use ringsmith_kem::scheme::KeyExchange;
use ringsmith_new_hope::parts::Part;
use ringsmith_new_hope::rings::{
    COMPACT_512_ORDERED, COMPACT_768_ORDERED, COMPACT_1024_ORDERED, Compact512, Compact768, Compact1024,
    LONGA_NAEHRIG_ORDERED, NEW_HOPE_512_ORDERED, NEW_HOPE_1024_ORDERED, NewHope256, NewHope512, NewHope1024,
};
use ringsmith_new_hope::{By, adps, longa_naehrig};
use ringsmith_ring::algorithm::incomplete::{
    ByKaratsuba, BySchoolbook, HalfTrinomial, Incomplete, Negacyclic,
};
use ringsmith_ring::algorithm::k_red::{ByAnalysis, ByPaper, KRedTransform};
use ringsmith_ring::algorithm::karatsuba::{Karatsuba, WeimerskirchPaar};
use ringsmith_ring::algorithm::ntt::Ntt;
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::residues::Odd;
use ringsmith_ring::{ByRoot, DomainEntry, Entry, Exponents, InPlanes, Route, WhyNot};

static NEW_HOPE_1024: [Entry<NewHope1024>; 6] = [
    Entry::transform::<Ntt<12289, 64, 1>>(),
    Entry::transform::<KRedTransform<12289, 64, 128, ByAnalysis>>(),
    Entry::transform::<KRedTransform<12289, 64, 128, ByPaper>>(),
    Entry::product::<Schoolbook<Odd<12289>, 64>>(),
    Entry::product::<Karatsuba<Odd<12289>, 64, 3>>(),
    Entry::product::<WeimerskirchPaar<Odd<12289>, 64, 8>>(),
];

impl EveryRoute for NewHope1024 {
    const OTHERS: &'static [Entry<Self>] = &NEW_HOPE_1024;
}

static NEW_HOPE_512: [Entry<NewHope512>; 6] = [
    Entry::transform::<Ntt<12289, 32, 1>>(),
    Entry::transform::<KRedTransform<12289, 32, 64, ByAnalysis>>(),
    Entry::transform::<KRedTransform<12289, 32, 64, ByPaper>>(),
    Entry::product::<Schoolbook<Odd<12289>, 32>>(),
    Entry::product::<Karatsuba<Odd<12289>, 32, 2>>(),
    Entry::product::<WeimerskirchPaar<Odd<12289>, 32, 4>>(),
];

impl EveryRoute for NewHope512 {
    const OTHERS: &'static [Entry<Self>] = &NEW_HOPE_512;
}

static NEW_HOPE_256: [Entry<NewHope256>; 6] = [
    Entry::transform::<Ntt<12289, 16, 1>>(),
    Entry::transform::<KRedTransform<12289, 16, 32, ByAnalysis>>(),
    Entry::transform::<KRedTransform<12289, 16, 32, ByPaper>>(),
    Entry::product::<Schoolbook<Odd<12289>, 16>>(),
    Entry::product::<Karatsuba<Odd<12289>, 16, 2>>(),
    Entry::product::<WeimerskirchPaar<Odd<12289>, 16, 4>>(),
];

impl EveryRoute for NewHope256 {
    const OTHERS: &'static [Entry<Self>] = &NEW_HOPE_256;
}

static COMPACT_512: [Entry<Compact512>; 5] = [
    Entry::transform::<Incomplete<3329, 32, 4, Negacyclic, BySchoolbook>>(),
    Entry::transform::<Incomplete<3329, 32, 4, Negacyclic, ByKaratsuba>>(),
    Entry::product::<Schoolbook<Odd<3329>, 32>>(),
    Entry::product::<Karatsuba<Odd<3329>, 32, 2>>(),
    Entry::product::<WeimerskirchPaar<Odd<3329>, 32, 4>>(),
];

impl EveryRoute for Compact512 {
    const OTHERS: &'static [Entry<Self>] = &COMPACT_512;
}

static COMPACT_1024: [Entry<Compact1024>; 5] = [
    Entry::transform::<Incomplete<3329, 64, 8, Negacyclic, BySchoolbook>>(),
    Entry::transform::<Incomplete<3329, 64, 8, Negacyclic, ByKaratsuba>>(),
    Entry::product::<Schoolbook<Odd<3329>, 64>>(),
    Entry::product::<Karatsuba<Odd<3329>, 64, 3>>(),
    Entry::product::<WeimerskirchPaar<Odd<3329>, 64, 8>>(),
];

impl EveryRoute for Compact1024 {
    const OTHERS: &'static [Entry<Self>] = &COMPACT_1024;
}

static COMPACT_768: [Entry<Compact768>; 4] = [
    Entry::transform::<Incomplete<3457, 48, 6, HalfTrinomial, ByKaratsuba>>(),
    Entry::product::<Karatsuba<Odd<3457>, 48, 3>>(),
    Entry::product::<WeimerskirchPaar<Odd<3457>, 48, 6>>(),
    Entry::product::<Schoolbook<Odd<3457>, 48>>(),
];

impl EveryRoute for Compact768 {
    const OTHERS: &'static [Entry<Self>] = &COMPACT_768;
}

/// A domain of a scheme in `R` by one route.
type Entries<R, O, const N: usize> = [&'static DomainEntry<R, O>; N];

/// The domain of NewHope's schemes of degree 1024 by each route, the planner's choice first.
pub static NEW_HOPE_1024_DOMAINS: Entries<NewHope1024, Exponents, 3> = [
    &NEW_HOPE_1024_ORDERED,
    &DomainEntry::exponents::<KRedTransform<12289, 64, 128, ByAnalysis>, 12289>(),
    &DomainEntry::exponents::<KRedTransform<12289, 64, 128, ByPaper>, 12289>(),
];
/// The domain of NewHope's schemes of degree 512, likewise.
pub static NEW_HOPE_512_DOMAINS: Entries<NewHope512, Exponents, 3> = [
    &NEW_HOPE_512_ORDERED,
    &DomainEntry::exponents::<KRedTransform<12289, 32, 64, ByAnalysis>, 12289>(),
    &DomainEntry::exponents::<KRedTransform<12289, 32, 64, ByPaper>, 12289>(),
];
/// The domain of Longa and Naehrig's exchange, likewise.
pub static LONGA_NAEHRIG_DOMAINS: Entries<NewHope1024, ByRoot<1945>, 3> = [
    &LONGA_NAEHRIG_ORDERED,
    &DomainEntry::by_root::<KRedTransform<12289, 64, 128, ByAnalysis>, 12289>(),
    &DomainEntry::by_root::<KRedTransform<12289, 64, 128, ByPaper>, 12289>(),
];
/// The domain of NewHope-Compact-512, likewise.
pub static COMPACT_512_DOMAINS: Entries<Compact512, InPlanes<4>, 2> =
    [&COMPACT_512_ORDERED, &DomainEntry::planar::<3329, Negacyclic, ByKaratsuba>()];
/// The domain of NewHope-Compact-768, likewise.
pub static COMPACT_768_DOMAINS: Entries<Compact768, InPlanes<6>, 2> =
    [&COMPACT_768_ORDERED, &DomainEntry::planar::<3457, HalfTrinomial, ByKaratsuba>()];
/// The domain of NewHope-Compact-1024, likewise.
pub static COMPACT_1024_DOMAINS: Entries<Compact1024, InPlanes<8>, 2> =
    [&COMPACT_1024_ORDERED, &DomainEntry::planar::<3329, Negacyclic, ByKaratsuba>()];

/// A domain of [`NEW_HOPE_1024_DOMAINS`], as a type.
struct Adps<const I: usize>;

impl<const I: usize> By<adps::Adps> for Adps<I> {
    const ENTRY: &'static DomainEntry<NewHope1024, Exponents> = NEW_HOPE_1024_DOMAINS[I];
}

/// A domain of [`LONGA_NAEHRIG_DOMAINS`], as a type.
struct LongaNaehrig<const I: usize>;

impl<const I: usize> By<longa_naehrig::LongaNaehrig> for LongaNaehrig<I> {
    const ENTRY: &'static DomainEntry<NewHope1024, ByRoot<1945>> = LONGA_NAEHRIG_DOMAINS[I];
}

/// The key exchanges by each route, the planner's choice first.
pub static EXCHANGES: [[KeyExchange; 3]; 2] = [
    [adps::key_exchange::<Adps<0>>(), adps::key_exchange::<Adps<1>>(), adps::key_exchange::<Adps<2>>()],
    [
        longa_naehrig::key_exchange::<LongaNaehrig<0>>(),
        longa_naehrig::key_exchange::<LongaNaehrig<1>>(),
        longa_naehrig::key_exchange::<LongaNaehrig<2>>(),
    ],
];

/// What each of [`EXCHANGES`] is made of, to measure it.
#[doc(hidden)]
pub static PARTS: [[[Part; 6]; 3]; 2] = [
    [adps::parts::<Adps<0>>(), adps::parts::<Adps<1>>(), adps::parts::<Adps<2>>()],
    [
        longa_naehrig::parts::<LongaNaehrig<0>>(),
        longa_naehrig::parts::<LongaNaehrig<1>>(),
        longa_naehrig::parts::<LongaNaehrig<2>>(),
    ],
];

/// A key exchange by another route of its ring.
///
/// # Errors
/// Where the exchange has no domain by this route.
pub fn exchange_by(exchange: &KeyExchange, route: Route) -> Result<&'static KeyExchange, WhyNot> {
    let mut all = EXCHANGES.as_flattened().iter();
    all.find(|it| it.name == exchange.name && it.route == route).ok_or(WhyNot::NotCompiled)
}
