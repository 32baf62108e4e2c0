//! H.-T. Chen, Y.-H. Chung, V. Hwang, C.-T. Liu, B.-Y. Yang, eprint 2023/541: products for NTRU Prime from
//! fewer small ones.
//!
//! The code that the paper compares with was written for its CPU. In its place stands what is measured in the
//! same run: for products the [route](Schoenhage) of the same transforms, for the schemes the peer
//! `pqcrypto-ntruprime`, whose portable code is the submission's reference and whose vector code is what was
//! optimized before.

use super::count::counts;
use super::rows::{costs, counted, faster_than, operations, product};
use super::{Block, Here, Library, Paper, Peer, Row, Unit, no_cases};
use crate::kem::KEYGEN_BATCH;
use ringsmith::ntru_prime::{
    ntrulpr653, ntrulpr761, ntrulpr857, ntrulpr953, ntrulpr1013, ntrulpr1277, sntrup653, sntrup761,
    sntrup857, sntrup953, sntrup1013, sntrup1277,
};
use ringsmith::scheme::Scheme;
use ringsmith_ring::Ring;
use ringsmith_routes::rings::{
    NtruPrime653, NtruPrime761, NtruPrime857, NtruPrime953, NtruPrime1013, NtruPrime1277,
};

pub(super) const PAPER: Paper = Paper {
    name: "ntru-prime",
    source: "H.-T. Chen, Y.-H. Chung, V. Hwang, C.-T. Liu, B.-Y. Yang, eprint 2023/541, abstract. \
             Cortex-A72; Neon",
    blocks,
    own_cases: no_cases,
    beside: None,
    on_gpu: false,
};

/// The paper's route, the one that it compares with, and the planner's choice in all six fields.
const PAPERS_OWN: &str = "rader";
const EARLIER: &str = "schoenhage";
const DEFAULT: &str = "rows";

/// The routes of degree 761.
const ROUTES: [&str; 9] = [
    DEFAULT,
    "good-thomas",
    "rns:3/rows",
    PAPERS_OWN,
    EARLIER,
    "toom-cook:4/karatsuba:2",
    "karatsuba:3",
    "weimerskirch-paar:6",
    "schoolbook",
];

/// The other fields.
const FIELDS: [&str; 5] =
    [NtruPrime653::NAME, NtruPrime857::NAME, NtruPrime953::NAME, NtruPrime1013::NAME, NtruPrime1277::NAME];

/// What part of the earlier code's small products is left, as published: "nearly 1/4".
const LEFT: f64 = 0.25;

/// Thousands of cycles of a product of any two elements (eprint 2023/604), and of one by a small element
/// (eprint 2021/826, the least).
const RECORDS: [f64; 2] = [8.63, 10.2];

const PUBLISHED: &[&str] = &["published"];
const NEON: &[&str] = &["Neon"];
const AVX2: &[&str] = &["AVX2"];

static SNTRUP: [&Scheme; 6] = [
    &sntrup653::SCHEME,
    &sntrup761::SCHEME,
    &sntrup857::SCHEME,
    &sntrup953::SCHEME,
    &sntrup1013::SCHEME,
    &sntrup1277::SCHEME,
];
static NTRULPR: [&Scheme; 6] = [
    &ntrulpr653::SCHEME,
    &ntrulpr761::SCHEME,
    &ntrulpr857::SCHEME,
    &ntrulpr953::SCHEME,
    &ntrulpr1013::SCHEME,
    &ntrulpr1277::SCHEME,
];

/// What was optimized before.
static OPTIMIZED: Peer = Peer { name: "pqcrypto-ntruprime", cpu: "avx2" };
/// The reference code.
static REFERENCE: Peer = Peer { name: "pqcrypto-ntruprime", cpu: "scalar" };

fn blocks() -> Vec<Block> {
    vec![all_counted(), fewer(), products(), claimed_of_products(), claimed_of_schemes(), all_costs()]
}

fn all_counted() -> Block {
    Block {
        title: "A product of degree 761, counted by running it",
        unit: Unit::Count,
        published: PUBLISHED,
        rows: counted(NtruPrime761::NAME, &ROUTES),
    }
}

/// How many small products a route takes, whatever their sizes are.
fn small_products(route: &str) -> f64 {
    counts(NtruPrime761::NAME, route).small_products.values().sum::<u64>() as f64
}

/// The paper's claim on small products.
fn fewer() -> Block {
    let row = Row {
        subject: NtruPrime761::NAME,
        item: format!("small products, {PAPERS_OWN} / {EARLIER}"),
        route: "",
        published: vec![Some(LEFT)],
        here: Here::Known(small_products(PAPERS_OWN) / small_products(EARLIER)),
    };
    Block {
        title: "Small products of the paper's route in those of the earlier one (eprint 2021/826); \
                published is \"nearly 1/4\"",
        unit: Unit::Quotient,
        published: PUBLISHED,
        rows: vec![row],
    }
}

fn products() -> Block {
    let row = |subject, item: &str, names, route, published| Row {
        subject,
        item: item.into(),
        route,
        published: vec![published],
        here: Here::Sum(product(subject, names, route)),
    };
    let any = ROUTES
        .into_iter()
        .map(|route| row(NtruPrime761::NAME, "product", &["product"], route, Some(RECORDS[0])));
    let small = ["good-thomas", DEFAULT]
        .into_iter()
        .map(|route| row(NtruPrime761::NAME, "product, small", &["product-small"], route, Some(RECORDS[1])));
    let others = FIELDS.into_iter().map(|field| row(field, "product", &["product"], DEFAULT, None));
    Block {
        title: "A product. Published are records of 761, run on a Zen 3: eprint 2023/604; \
                of a small operand, eprint 2021/826",
        unit: Unit::Kilocycles,
        published: AVX2,
        rows: any.chain(small).chain(others).collect(),
    }
}

/// The paper's claim on products.
fn claimed_of_products() -> Block {
    let row = |route, published| Row {
        subject: NtruPrime761::NAME,
        item: format!("product, {EARLIER} / {route}"),
        route: "",
        published: vec![published],
        here: Here::Quotient(
            product(NtruPrime761::NAME, &["product"], EARLIER),
            product(NtruPrime761::NAME, &["product"], route),
        ),
    };
    Block {
        title: "The earlier route's time divided by that of the paper's, and of ours, in the same run",
        unit: Unit::Quotient,
        published: NEON,
        rows: vec![row(PAPERS_OWN, Some(6.7)), row(DEFAULT, None)],
    }
}

/// The paper's claims on schemes.
fn claimed_of_schemes() -> Block {
    let lprime = faster_than(&OPTIMIZED, &ntrulpr761::SCHEME, [3.0, 2.87, 3.25].map(Some));
    // The paper gives no figure: there was no optimized code for its CPU.
    let streamlined = faster_than(&REFERENCE, &sntrup761::SCHEME, [None; 3]);
    Block {
        title: "The time of other code divided by this library's, in the same run",
        unit: Unit::Quotient,
        published: NEON,
        rows: lprime.chain(streamlined).collect(),
    }
}

/// What the peer's vector code takes, in the order of [`OPERATIONS`], and a key of a batch by OpenSSLNTRU.
const PEERS: [(&Scheme, [f64; 3]); 2] =
    [(&sntrup761::SCHEME, [908.0, 41.3, 46.0]), (&ntrulpr761::SCHEME, [117.0, 227.0, 231.0])];
const BATCHED: (&Scheme, f64) = (&sntrup761::SCHEME, 118.9);

fn all_costs() -> Block {
    let three = |scheme: &'static Scheme| {
        costs(scheme, PEERS.iter().find(|peer| peer.0.name == scheme.name).map(|peer| peer.1))
    };
    let batched = |scheme: &'static Scheme| Row {
        subject: scheme.name,
        item: "key generation, one of 32".into(),
        route: "",
        published: vec![(scheme.name == BATCHED.0.name).then_some(BATCHED.1)],
        here: Here::Sum(operations(scheme, &[KEYGEN_BATCH], Library::Ours)),
    };
    let streamlined = SNTRUP.into_iter().flat_map(|scheme| three(scheme).chain([batched(scheme)]));
    let lprime = NTRULPR.into_iter().flat_map(three);
    Block {
        title: "Key encapsulation from bytes to bytes. Published: pqcrypto-ntruprime on a Zen 3; \
                one of 32, OpenSSLNTRU on a Skylake",
        unit: Unit::Kilocycles,
        published: AVX2,
        rows: streamlined.chain(lprime).collect(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::paper::count::tests::{Counted, counts_of};
    use ringsmith_ring::algorithm::good_thomas::By512;
    use ringsmith_ring::algorithm::karatsuba::{Karatsuba, WeimerskirchPaar};
    use ringsmith_ring::algorithm::rader::Rader;
    use ringsmith_ring::algorithm::rows::RowsCyclic;
    use ringsmith_ring::algorithm::schoenhage::Schoenhage;
    use ringsmith_ring::algorithm::schoolbook::Schoolbook;
    use ringsmith_ring::algorithm::toom_cook::ToomCook;
    use ringsmith_ring::residues::{Odd, widest};
    use ringsmith_ring::{ByProduct, Multiply, Route};
    use ringsmith_routes::entries;
    use ringsmith_routes::ntru_prime::ByPrimes761;

    fn counts_by<M: Multiply<NtruPrime761>>(route: &'static str) -> Counted {
        counts_of::<NtruPrime761, M>(route)
    }

    /// All routes.
    pub(in crate::paper) fn counted() -> Vec<Counted> {
        let counts: [fn(&'static str) -> Counted; 9] = [
            counts_by::<RowsCyclic<Odd<4591>, 48, 90, 90>>,
            counts_by::<ByProduct<By512<Odd<4591>, 48>>>,
            counts_by::<ByProduct<ByPrimes761>>,
            counts_by::<Rader<4591, 48>>,
            counts_by::<ByProduct<Schoenhage<{ widest(4591) }, 48, 64>>>,
            counts_by::<ByProduct<ToomCook<Karatsuba<Odd<4591>, 12, 2>, 48, 4, 12>>>,
            counts_by::<ByProduct<Karatsuba<Odd<4591>, 48, 3>>>,
            counts_by::<ByProduct<WeimerskirchPaar<Odd<4591>, 48, 6>>>,
            counts_by::<ByProduct<Schoolbook<Odd<4591>, 48>>>,
        ];
        ROUTES.iter().zip(counts).map(|(route, counts)| counts(route)).collect()
    }

    /// Protects: all routes of the ring are counted, under their names.
    #[test]
    fn all_routes_are_counted() {
        // Signed additions are another paper's.
        let routes = entries::<NtruPrime761>().filter(|entry| entry.route() != Route::Signed);
        let names: Vec<_> = routes.map(|entry| entry.route().to_string()).collect();
        assert_eq!(names, ROUTES);
    }

    /// Protects: the numbers of small products, and that these are where the multiplications are.
    #[test]
    fn of_what_size() {
        let of = |route| counts(NtruPrime761::NAME, route);
        // Three layers of Karatsuba, and none.
        for (route, small, each) in [(PAPERS_OWN, 192, 27), (EARLIER, 768, 64)] {
            assert_eq!(of(route).small_products, [(8, small)].into());
            assert_eq!(of(route).multiplications, each * small);
        }
        let schoolbook = of("schoolbook");
        // A window of two rows for each row, and one more.
        assert_eq!(schoolbook.small_products, [(768, 1)].into());
        assert_eq!(schoolbook.multiplications, 768 * (768 + 16));
        for route in ROUTES {
            let counts = of(route);
            let take = |each: fn(usize) -> usize| -> u64 {
                counts.small_products.iter().map(|(&size, n)| n * each(size) as u64).sum()
            };
            let range = take(|size| 2 * size - 1)..=take(|size| size * (size + 16));
            assert!(range.contains(&counts.multiplications), "{route}: {counts:?}");
        }
    }
}
