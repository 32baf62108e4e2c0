//! E. Alkim, Y. A. Bilgin, M. Cenk, LATINCRYPT 2019, as presented there: NewHope-Compact next to NewHope and
//! Kyber.

use super::count::counts;
use super::{Block, Here, Library, Operations, Paper, Row, Unit, no_cases};
use crate::kem::{CHECKED, DECAPSULATE, ENCAPSULATE, KEYGEN, SUITE};
use crate::ring;
use ringsmith::ml_kem::{ml_kem_512, ml_kem_768, ml_kem_1024};
use ringsmith::new_hope::{cca_512, cca_1024, compact_512, compact_768, compact_1024};
use ringsmith::scheme::Scheme;
use ringsmith_ring::Ring;
use ringsmith_routes::rings::Compact512;

pub(super) const PAPER: Paper = Paper {
    name: "newhope-compact",
    source: "E. Alkim, Y. A. Bilgin, M. Cenk, LATINCRYPT 2019 (slides 13 to 18). \
             Core i7-6500U (Skylake); C reference code",
    blocks,
    own_cases: no_cases,
    beside: None,
    on_gpu: false,
};

/// The routes of Z_3329[x]/(x^512 + 1) that the paper compares.
const ROUTES: [&str; 2] = ["ntt:4", "ntt-karatsuba:4"];
const C: &[&str] = &["C"];
const PUBLISHED: &[&str] = &["published"];

/// Sizes of a public key, a private key and a ciphertext.
type Sizes = [f64; 3];
/// Thousands of cycles of key generation, encapsulation, decapsulation, and of all.
type Costs = [f64; 4];

/// The sets that stand side by side: by Kyber's column, NewHope's and NewHope-Compact's.
static SETS: [(&Scheme, Option<Sizes>, Costs); 8] = [
    (&ml_kem_512::SCHEME, None, [121.6, 164.0, 197.5, 483.1]),
    (&cca_512::SCHEME, Some([928.0, 1888.0, 1120.0]), [119.2, 180.2, 203.4, 502.8]),
    (&compact_512::SCHEME, Some([800.0, 1632.0, 992.0]), [89.3, 147.0, 176.1, 412.4]),
    (&ml_kem_768::SCHEME, None, [208.8, 254.8, 294.7, 758.3]),
    (&compact_768::SCHEME, None, [137.9, 228.9, 277.8, 644.6]),
    (&ml_kem_1024::SCHEME, None, [324.6, 381.4, 431.4, 1137.4]),
    (&cca_1024::SCHEME, Some([1824.0, 3680.0, 2208.0]), [237.8, 365.2, 417.5, 1020.5]),
    (&compact_1024::SCHEME, Some([1568.0, 3168.0, 2080.0]), [186.4, 321.8, 395.0, 902.2]),
];

fn blocks() -> Vec<Block> {
    vec![counted(), multiplication(), sizes(), costs(), claim()]
}

/// The multiplications, by numbers and by twiddles, and the additions of a product.
fn operations_of(route: &str) -> [u64; 2] {
    let counts = counts(Compact512::NAME, route);
    [counts.multiplications + counts.by_tables, counts.additions]
}

fn counted() -> Block {
    let counts = ROUTES.map(operations_of);
    let published = [[7808, 12288], [7040, 14592]];
    let row = |item: &str, route, published: u64, counted: u64| Row {
        subject: Compact512::NAME,
        item: item.into(),
        route,
        published: vec![Some(published as f64)],
        here: Here::Known(counted as f64),
    };
    let rows = [0, 1].map(|i| {
        [
            row("multiplications", ROUTES[i], published[i][0], counts[i][0]),
            row("additions", ROUTES[i], published[i][1], counts[i][1]),
        ]
    });
    Block {
        title: "Operations of a product modulo q, counted by running it",
        unit: Unit::Count,
        published: PUBLISHED,
        rows: rows.into_iter().flatten().collect(),
    }
}

fn multiplication() -> Block {
    let row = |(item, route, published): (&str, _, _)| Row {
        subject: Compact512::NAME,
        item: item.into(),
        route,
        published: vec![Some(published)],
        here: Here::Sum(Operations {
            suite: ring::SUITE,
            subject: Compact512::NAME,
            names: &["product"],
            route,
            by: Library::Ours,
        }),
    };
    Block {
        title: "A product: transforms, with these products of residues",
        unit: Unit::Kilocycles,
        published: C,
        rows: [("product, schoolbook", ROUTES[0], 21.7), ("product, Karatsuba", ROUTES[1], 14.2)]
            .map(row)
            .into(),
    }
}

fn sizes() -> Block {
    let rows = SETS.iter().flat_map(|(scheme, published, _)| {
        let here = [
            ("public key", scheme.public_key),
            ("private key", scheme.private_key),
            ("ciphertext", scheme.ciphertext),
        ];
        here.into_iter().enumerate().map(move |(i, (item, bytes))| Row {
            subject: scheme.name,
            item: item.into(),
            route: "",
            published: vec![published.map(|sizes| sizes[i])],
            here: Here::Known(bytes as f64),
        })
    });
    Block { title: "Sizes", unit: Unit::Bytes, published: PUBLISHED, rows: rows.collect() }
}

/// The operations of a row of [`Costs`].
const OPERATIONS: [(&str, &[&str]); 4] = [
    ("key generation", &[KEYGEN]),
    ("encapsulation", &[ENCAPSULATE]),
    ("decapsulation", &[DECAPSULATE]),
    ("all three", &[KEYGEN, ENCAPSULATE, DECAPSULATE]),
];

fn operations(scheme: &Scheme, names: &'static [&'static str]) -> Operations {
    Operations { suite: SUITE, subject: scheme.name, names, route: CHECKED, by: Library::Ours }
}

fn costs() -> Block {
    let rows = SETS.iter().flat_map(|(scheme, _, published)| {
        OPERATIONS.into_iter().zip(published).map(|((item, names), published)| Row {
            subject: scheme.name,
            item: item.into(),
            route: "",
            published: vec![Some(*published)],
            here: Here::Sum(operations(scheme, names)),
        })
    });
    Block {
        title: "Key encapsulation from bytes to bytes (ML-KEM stands in Kyber's column)",
        unit: Unit::Kilocycles,
        published: C,
        rows: rows.collect(),
    }
}

/// The paper's claim: NewHope-Compact takes less time than the others of its size.
fn claim() -> Block {
    let rows = SETS.iter().filter_map(|(scheme, _, by)| {
        let (compact, _, of) = SETS.iter().find(|(compact, ..)| {
            compact.name.starts_with("NewHope-Compact") && size(compact) == size(scheme)
        })?;
        (compact.name != scheme.name).then(|| quotients(compact, of, scheme, by))
    });
    Block {
        title: "NewHope-Compact's time in that of others of its size, in the same run",
        unit: Unit::Quotient,
        published: C,
        rows: rows.flatten().collect(),
    }
}

/// The degree in a name.
fn size(scheme: &Scheme) -> Option<&str> {
    scheme.name.rsplit('-').next()
}

fn quotients(compact: &'static Scheme, of: &Costs, scheme: &'static Scheme, by: &Costs) -> Vec<Row> {
    let row = |i: usize| Row {
        subject: compact.name,
        item: format!("{} / {}", OPERATIONS[i].0, scheme.name),
        route: "",
        published: vec![Some(of[i] / by[i])],
        here: Here::Quotient(operations(compact, OPERATIONS[i].1), operations(scheme, OPERATIONS[i].1)),
    };
    (0..OPERATIONS.len()).map(row).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::paper::count::tests::{Counted, counts_of};
    use ringsmith_ring::ByTransform;
    use ringsmith_ring::algorithm::incomplete::{
        BaseProduct, ByKaratsuba, BySchoolbook, Incomplete, Negacyclic,
    };

    /// Both routes.
    pub(in crate::paper) fn counted() -> Vec<Counted> {
        fn by<B: BaseProduct>(route: &'static str) -> Counted {
            counts_of::<Compact512, ByTransform<Incomplete<3329, 32, 4, Negacyclic, B>>>(route)
        }
        vec![by::<BySchoolbook>(ROUTES[0]), by::<ByKaratsuba>(ROUTES[1])]
    }

    /// Protects: the counts are those of the paper, section 3.2.
    #[test]
    fn as_published() {
        assert_eq!(ROUTES.map(operations_of), [[7808, 12288], [7040, 14592]]);
        assert!(
            ROUTES.iter().all(|route| counts(Compact512::NAME, route).small_products == [(4, 128)].into())
        );
    }
}
