//! How operations are done, and what all forms of NewHope compute in the domain.

use ringsmith_ring::algorithm::ordered::OrderedEntry;
use ringsmith_ring::{Rows, WhyNot};
use ringsmith_simd::Cpu;
use zeroize::Zeroizing;

/// On which CPU and by which route of its ring something is done. It changes no result.
#[derive(Clone, Copy)]
pub(super) struct Way<const ROWS: usize> {
    pub(super) cpu: Cpu,
    pub(super) domain: &'static OrderedEntry<ROWS>,
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
