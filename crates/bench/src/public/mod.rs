//! Products and encryption whose ternary operand is public: they walk the list of its coefficients that
//! are not 0, so their addresses tell what it is. To be measured beside what schemes do; no scheme can
//! reach them, because none knows this crate.

pub mod convolution;
pub mod encryption;

use crate::RINGSMITH;
use crate::case::{Case, Id};
use convolution::{Method, Walk};
use encryption::{Encryption, SETS, Set, Way};
use ringsmith_oracle::Random;
use ringsmith_ring::{Poly, Routes};
use ringsmith_routes::rings::{Ees401, Ees449, Ees653, Ees853};
use ringsmith_routes::{EveryRoute, entries};
use ringsmith_simd::Cpu;
use std::hint::black_box;

/// The suite's name in [`Id::suite`].
pub const SUITE: &str = "public";
/// [`Id::operation`] of a product by a ternary operand.
pub const PRODUCT: &str = "product-small";
/// [`Id::operation`] of an encryption.
pub const ENCRYPT: &str = "encrypt";

/// A value that is no secret: what is done with it may take a time, and addresses, that tell what it is.
#[derive(Clone, Copy, Debug)]
pub struct Public<T>(T);

impl<T> Public<T> {
    /// Whoever calls this says that the value may be known to anybody.
    pub const fn declare(value: T) -> Self {
        Public(value)
    }

    /// The value.
    pub const fn get(&self) -> &T {
        &self.0
    }
}

/// A ternary polynomial by the places of its coefficients 1 and -1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Places {
    /// Those of 1.
    pub plus: Vec<usize>,
    /// Those of -1.
    pub minus: Vec<usize>,
}

/// Products by a public operand, and encryptions with one by every method, of the four sets that the
/// paper has.
pub fn cases(cpus: &[Cpu]) -> Vec<Case> {
    let [first, second, third, fourth] = &SETS;
    let of_cpu = |&cpu: &Cpu| {
        let sets = [of::<Ees401>(cpu, first), of::<Ees449>(cpu, second)];
        sets.into_iter().chain([of::<Ees653>(cpu, third), of::<Ees853>(cpu, fourth)]).flatten()
    };
    cpus.iter().flat_map(of_cpu).collect()
}

fn of<R: EveryRoute>(cpu: Cpu, set: &'static Set) -> Vec<Case> {
    let id =
        |subject, operation, route: &str| Id::new(SUITE, subject, operation, RINGSMITH, cpu.name(), route);
    let products = Method::ALL
        .into_iter()
        .map(|method| Case::new(id(R::NAME, PRODUCT, method.name()), move || product::<R>(cpu, set, method)));
    let walks = Method::ALL.map(|method| (method.name().to_owned(), Way::Walk(method))).into_iter();
    let routes = entries::<R>().map(|entry| (entry.route().to_string(), Way::Route(entry)));
    let encryptions = walks.chain(routes).map(|(name, way)| {
        Case::new(id(set.scheme.name, ENCRYPT, &name), move || encrypt::<R>(cpu, set, way))
    });
    products.chain(encryptions).chain([library(cpu, set)]).collect()
}

fn product<R: Routes>(cpu: Cpu, set: &'static Set, method: Method) -> impl FnMut() {
    let (mut walk, mut out) = (Walk::new::<R>(cpu), Poly::<R>::zero());
    let (h, r) = (crate::ring::operand::<R>(1), Public::declare(set.places(&[1; 32])));
    move || walk.product(method, black_box(&h), black_box(&r), black_box(&mut out))
}

/// The seed of keys and messages.
const SEED: u64 = 1;

fn encrypt<R: Routes>(cpu: Cpu, set: &'static Set, way: Way<R>) -> impl FnMut() {
    let mut random = Random::new(SEED);
    let public = set.public_key(&mut random);
    let (message, mut out) = (vec![7; set.message], vec![0; set.scheme.ciphertext]);
    let mut encryption = Encryption::<R>::new(cpu, set, &public);
    move || encryption.encrypt(way, black_box(&message), &mut random, black_box(&mut out))
}

/// The library's encryption, from bytes to bytes.
fn library(cpu: Cpu, set: &'static Set) -> Case {
    let id = Id::new(SUITE, set.scheme.name, ENCRYPT, RINGSMITH, cpu.name(), LIBRARY);
    Case::new(id, move || {
        let mut random = Random::new(SEED);
        let public = set.public_key(&mut random);
        let (message, mut out) = (vec![7; set.message], vec![0; set.scheme.ciphertext]);
        move || {
            let (public, message, out) = (black_box(&public), black_box(&message), black_box(&mut out));
            (set.scheme.encrypt)(cpu, public, message, &mut random, out).expect("a key of the set");
        }
    })
}

/// [`Id::route`] of the library's encryption.
pub const LIBRARY: &str = "library";
