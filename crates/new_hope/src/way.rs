//! How operations are done, and what all forms of NewHope compute in the domain.

use core::marker::PhantomData;
use ringsmith_kem::set;
use ringsmith_ring::algorithm::ordered::OrderedEntry;
use ringsmith_ring::{Route, Rows, WhyNot};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// On which CPU and by which route of its ring something is done. It changes no result.
#[derive(Clone, Copy)]
pub struct Way<const ROWS: usize> {
    pub(super) cpu: Cpu,
    pub(super) domain: &'static OrderedEntry<ROWS>,
}

/// How the operations of the parameter set `P` are done: on which CPU, and by which domain of its ring, whose
/// elements have `ROWS` rows of 16 coefficients. It changes no result.
///
/// The crate `ringsmith-routes` lists the domains.
///
/// ```
/// use ringsmith_kem::set::KemSet;
/// use ringsmith_new_hope::NewHopeCca512;
/// use ringsmith_new_hope::cca_512::EncapsulationKey;
/// use ringsmith_new_hope::rings::NEW_HOPE_512_ORDERED;
/// use ringsmith_simd::Cpu;
///
/// let way = NewHopeCca512::planned(Cpu::detect()).domain(&NEW_HOPE_512_ORDERED)?;
/// let Ok(key) = EncapsulationKey::from_bytes_by(way, &[0; 928]);
/// assert_eq!(key.way().route(), NEW_HOPE_512_ORDERED.route);
/// # Ok::<(), ringsmith_ring::WhyNot>(())
/// ```
pub struct By<P, const ROWS: usize> {
    way: Way<ROWS>,
    set: PhantomData<fn() -> P>,
}

impl<P, const ROWS: usize> Clone for By<P, ROWS> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, const ROWS: usize> Copy for By<P, ROWS> {}

impl<P: 'static, const ROWS: usize> set::Way for By<P, ROWS> {
    fn cpu(self) -> Cpu {
        self.way.cpu
    }
}

impl<P, const ROWS: usize> By<P, ROWS> {
    pub(super) fn of(way: Way<ROWS>) -> Self {
        By { way, set: PhantomData }
    }

    pub(super) fn way(self) -> Way<ROWS> {
        self.way
    }

    /// The same by another domain, as the crate `ringsmith-routes` lists them.
    ///
    /// # Errors
    /// Where the domain has its values in another order.
    pub fn domain(self, domain: &'static OrderedEntry<ROWS>) -> Result<Self, WhyNot> {
        self.way.by(domain).map(Self::of)
    }

    /// The route of the domain.
    pub fn route(self) -> Route {
        self.way.domain.route
    }
}

/// The domain of a key exchange by one route, as a type:
/// [`KeyExchange`](ringsmith_kem::scheme::KeyExchange)s are made of it.
pub trait Domain {
    /// Its functions.
    const ENTRY: &'static OrderedEntry<64>;
}

/// A polynomial that may be a secret, all zero.
pub(super) fn zero<const ROWS: usize>() -> Zeroizing<Rows<ROWS>> {
    Zeroizing::new(Rows([[0; 16]; ROWS]))
}

impl<const ROWS: usize> Way<ROWS> {
    /// The same by another domain, which must have its values in the same order.
    pub(super) fn by(self, domain: &'static OrderedEntry<ROWS>) -> Result<Self, WhyNot> {
        let same = (domain.q, domain.order) == (self.domain.q, self.domain.order);
        if same { Ok(Way { domain, ..self }) } else { Err(WhyNot::Order) }
    }

    /// The values of `a` in `[0, q)`, from coefficients.
    pub(super) fn transformed(self, a: &Rows<ROWS>, out: &mut Rows<ROWS>) {
        (self.domain.forward)(self.cpu, a, out);
        self.canonical(out);
    }

    /// Values or coefficients in `[0, q)`.
    pub(super) fn canonical(self, a: &mut Rows<ROWS>) {
        (self.domain.add)(self.cpu, a, &Rows([[0; 16]; ROWS]));
    }

    /// `out = A a s + B e` in the domain, in `[0, q)`, of `s` in the domain and the coefficients of `e`,
    /// `[A, B]` being the factors; without these, the factor of products and 1. Spoils `s` and `e`.
    pub(super) fn masked(
        self,
        a: &Rows<ROWS>,
        s: &mut Rows<ROWS>,
        e: &mut Rows<ROWS>,
        factors: Option<[i64; 2]>,
        out: &mut Rows<ROWS>,
    ) {
        let Way { cpu, domain } = self;
        if let Some([product, _]) = factors {
            domain.scale_to_stay(cpu, s, product);
        }
        (domain.product)(cpu, a, s, out);
        (domain.forward)(cpu, e, s);
        if let Some([_, noise]) = factors.filter(|[_, noise]| *noise != 1) {
            (domain.scale)(cpu, s, noise);
        }
        (domain.add)(cpu, out, s);
    }

    /// `a s` out of the domain, centred, of both in it; `out` may not be either.
    pub(super) fn product(self, a: &Rows<ROWS>, s: &Rows<ROWS>, out: &mut Rows<ROWS>) {
        let mut product = zero();
        (self.domain.product)(self.cpu, a, s, &mut product);
        (self.domain.inverse)(self.cpu, &product, out);
    }
}
