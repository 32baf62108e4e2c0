//! I. Gorbenko, O. Kachko, G. Naumenko, 2016: X9.98's scheme over NTRU Prime's ring, beside NTRUEncrypt's.
//!
//! The paper's product is by signed additions. Of the two columns of its table 2 the first is of NTRU's own
//! library, the second of the paper's code, with AVX2; both of ees677ep1, the second of the field too. The
//! machine is not named.

use super::rows::product;
use super::{Block, Here, Library, Operations, Paper, Row, Unit};
use crate::case::{Case, Id};
use crate::kem::CHECKED;
use crate::{RINGSMITH, pke};
use ringsmith_ring::residues::{Modulus, Odd, Residues, Wrapping};
use ringsmith_ring::{Coefficients, Entry, Multiplier, Poly, Ring, Route};
use ringsmith_routes::rings::{NtruHps677, NtruPrime739};
use ringsmith_routes::{EveryRoute, entries};
use ringsmith_simd::{Cpu, Kernel, Row as Sixteen, Simd};
use std::hint::black_box;

pub(super) const PAPER: Paper = Paper {
    name: "gorbenko",
    source: "I. Gorbenko, O. Kachko, G. Naumenko, 2016, table 2. Machine not named; C with AVX2. \
             Its encryption is X9.98's",
    blocks,
    own_cases,
    beside: None,
    on_gpu: false,
};

/// The suite of what is measured for this table alone.
const SUITE: &str = "gorbenko";
/// A product by `f = 1 + 3 F` of a ternary `F`.
const BY_F: &str = "product-by-f";

/// The routes that are compared: the paper's, and the planner's choices.
const SIGNED: &str = "signed";
const KARATSUBA: &str = "karatsuba:3";
const CLASSIC: &str = "toeplitz:5/3/3";
const FIELD: &str = "rows";

/// The columns of the table.
const BOTH: &[&str] = &["NTRU's library", "the paper"];
const ONE: &[&str] = &["the paper"];

/// Microseconds of table 2: a product, encryption and decryption.
const PUBLISHED_CLASSIC: [[f64; 2]; 3] = [[21.0, 13.2], [54.0, 39.4], [76.0, 23.2]];
const PUBLISHED_FIELD: [f64; 3] = [28.8, 55.0, 40.0];

/// The sets.
const SETS: [&str; 2] = ["ees677ep1", "ntruprime739-x998"];

fn blocks() -> Vec<Block> {
    vec![products(), operations(), quotients()]
}

/// The paper's figures of operation `i`, of the classic set or of the field's.
fn published(classic: bool, i: usize) -> Vec<Option<f64>> {
    match classic {
        true => PUBLISHED_CLASSIC[i].map(Some).to_vec(),
        false => vec![None, Some(PUBLISHED_FIELD[i])],
    }
}

/// A product by `f`.
fn by_f(ring: &'static str, route: &'static str) -> Operations {
    Operations { suite: SUITE, subject: ring, names: &[BY_F], route, by: Library::Ours }
}

/// A product by a ternary operand.
fn ternary(ring: &'static str, route: &'static str) -> Operations {
    product(ring, &["product-small"], route)
}

fn products() -> Block {
    let of = |classic: bool, ring: &'static str, planned: &'static str| {
        let row = move |item: &str, route, published, here| Row {
            subject: ring,
            item: item.into(),
            route,
            published,
            here: Here::Sum(here),
        };
        let none = || vec![None, None];
        let mut rows = vec![
            row("product by -1, 0, 1", SIGNED, published(classic, 0), ternary(ring, SIGNED)),
            row("product by f = 1 + 3 F", SIGNED, none(), by_f(ring, SIGNED)),
            row("product by -1, 0, 1", planned, none(), ternary(ring, planned)),
            row("product by f = 1 + 3 F", planned, none(), by_f(ring, planned)),
        ];
        if !classic {
            rows.push(row("product by -1, 0, 1", KARATSUBA, none(), ternary(ring, KARATSUBA)));
        }
        rows
    };
    let classic = of(true, NtruHps677::NAME, CLASSIC).into_iter();
    Block {
        title: "A product (MUL). The paper's is by signed additions; by f it is 3 (a F) + a, with one \
                reduction for both sums",
        unit: Unit::Microseconds,
        published: BOTH,
        rows: classic.chain(of(false, NtruPrime739::NAME, FIELD)).collect(),
    }
}

/// An operation of a set.
fn operation(set: &'static str, names: &'static [&'static str]) -> Operations {
    Operations { suite: pke::SUITE, subject: set, names, route: CHECKED, by: Library::Ours }
}

fn operations() -> Block {
    const OPERATIONS: [(&str, &[&str], Option<usize>); 4] = [
        ("encryption, key read before", &["encrypt-prepared"], Some(1)),
        ("encryption, from bytes to bytes", &["encrypt"], None),
        ("decryption, key read before", &["decrypt-prepared"], Some(2)),
        ("decryption, from bytes to bytes", &["decrypt"], None),
    ];
    let of = |(i, set): (usize, &'static str)| {
        OPERATIONS.into_iter().map(move |(item, names, figure)| Row {
            subject: set,
            item: item.into(),
            route: "",
            published: figure.map_or_else(|| vec![None, None], |figure| published(i == 0, figure)),
            here: Here::Sum(operation(set, names)),
        })
    };
    Block {
        title: "Encryption and decryption, of half of the longest message here",
        unit: Unit::Microseconds,
        published: BOTH,
        rows: SETS.into_iter().enumerate().flat_map(of).collect(),
    }
}

fn quotients() -> Block {
    let [classic, field] = [NtruHps677::NAME, NtruPrime739::NAME];
    let of_paper = |i: usize| Some(PUBLISHED_FIELD[i] / PUBLISHED_CLASSIC[i][1]);
    let row = |item: &str, published, of, by| Row {
        subject: "",
        item: item.into(),
        route: "",
        published: vec![published],
        here: Here::Quotient(of, by),
    };
    let [encrypts, encrypts_over_a_field] = SETS.map(|set| operation(set, &["encrypt-prepared"]));
    let [decrypts, decrypts_over_a_field] = SETS.map(|set| operation(set, &["decrypt-prepared"]));
    Block {
        title: "What the field costs: its time divided by that of ees677ep1. The paper found a half of the \
                speed, and that Karatsuba's product gains nothing over signed additions",
        unit: Unit::Quotient,
        published: ONE,
        rows: vec![
            row("product, signed", of_paper(0), ternary(field, SIGNED), ternary(classic, SIGNED)),
            row("product, planned", None, ternary(field, FIELD), ternary(classic, CLASSIC)),
            row("encryption", of_paper(1), encrypts_over_a_field, encrypts),
            row("decryption", of_paper(2), decrypts_over_a_field, decrypts),
            row("Karatsuba / signed", None, ternary(field, KARATSUBA), ternary(field, SIGNED)),
            row("rows / signed", None, ternary(field, FIELD), ternary(field, SIGNED)),
        ],
    }
}

/// `3 p + a`, centred.
struct Fused<'a, M> {
    by: M,
    a: &'a [Sixteen],
    product: &'a mut [Sixteen],
}

impl<M: Residues> Kernel for Fused<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for (a, product) in self.a.iter().zip(self.product) {
            let p = s.load(product);
            let sum = s.add(s.load(a), s.add(p, s.add(p, p)));
            let centred = match M::MODULUS {
                Modulus::Odd(_) => self.by.shrink(s, sum),
                Modulus::Wrapping => self.by.finish(s, sum),
            };
            s.store(product, centred);
        }
    }
}

/// Products by `f` of a ring's routes that are compared.
fn of<R: EveryRoute, M: Residues + 'static>(
    cpu: Cpu,
    routes: [&'static str; 2],
) -> impl Iterator<Item = Case> {
    let is = move |entry: &&'static Entry<R>| {
        routes.iter().any(|route| route.parse::<Route>().as_ref() == Ok(&entry.route()))
    };
    entries::<R>().filter(is).map(move |entry| {
        let route = entry.route().to_string();
        let id = Id::new(SUITE, R::NAME, BY_F, RINGSMITH, cpu.name(), &route);
        Case::new(id, move || product_by_f::<R, M>(cpu, entry))
    })
}

fn product_by_f<R: Ring, M: Residues>(cpu: Cpu, entry: &'static Entry<R>) -> impl FnMut() {
    let by = Multiplier::by_on(cpu, entry);
    let (a, f) = (crate::ring::operand::<R>(1), crate::ring::small::<R>(2));
    let (mut out, mut scratch) = (Poly::<R>::zero(), by.scratch());
    move || {
        by.multiply_small_into(black_box(&a), black_box(&f), &mut out, &mut scratch);
        let product = out.coeffs_mut().rows_mut();
        cpu.run(Fused { by: M::modulo(R::Q), a: a.coeffs().rows(), product });
        black_box(&mut out);
    }
}

fn own_cases(cpus: &[Cpu]) -> Vec<Case> {
    let of_cpu = |&cpu: &Cpu| {
        of::<NtruHps677, Wrapping>(cpu, [SIGNED, CLASSIC])
            .chain(of::<NtruPrime739, Odd<{ NtruPrime739::Q }>>(cpu, [SIGNED, FIELD]))
    };
    cpus.iter().flat_map(of_cpu).collect()
}
