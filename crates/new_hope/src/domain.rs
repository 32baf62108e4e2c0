//! What all forms of NewHope compute in the domain.

use super::parameters::Parameters;
use ringsmith_ring::{Domain, PlainOrder, Ring, Rows, Values};
use zeroize::Zeroizing;

/// The domain of the parameter set `P`: on which CPU, and by which route, its operations are done.
pub(super) type DomainOf<P, const ROWS: usize> =
    Domain<<P as Parameters<ROWS>>::Ring, <P as Parameters<ROWS>>::Order>;

/// A polynomial that may be a secret, all zero.
pub(super) fn zero<const ROWS: usize>() -> Zeroizing<Rows<ROWS>> {
    Zeroizing::new(Rows([[0; 16]; ROWS]))
}

/// Values that may be a secret, all zero.
pub(super) fn no_values<R: Ring, O: PlainOrder>() -> Zeroizing<Values<R, O>> {
    Zeroizing::new(Values::ZERO)
}

/// The values of `a` in `[0, q)`, from coefficients.
pub(super) fn transformed<R: Ring, O: PlainOrder>(
    domain: Domain<R, O>,
    a: &R::Coeffs,
    out: &mut Values<R, O>,
) {
    domain.forward(a, out);
    domain.add(out, &Values::ZERO);
}

/// `out = A a s + B e` in the domain, in `[0, q)`, of `s` in the domain and the coefficients of `e`, `[A, B]`
/// being the factors; without these, the factor of products and 1. Spoils `s`.
pub(super) fn masked<R: Ring, O: PlainOrder>(
    domain: Domain<R, O>,
    (a, s, e): (&Values<R, O>, &mut Values<R, O>, &R::Coeffs),
    factors: Option<[i64; 2]>,
    out: &mut Values<R, O>,
) {
    if let Some([product, _]) = factors {
        domain.scale_to_stay(s, product);
    }
    domain.pointwise(a, s, out);
    domain.forward(e, s);
    if let Some([_, noise]) = factors.filter(|[_, noise]| *noise != 1) {
        domain.scale(s, noise);
    }
    domain.add(out, s);
}

/// `a s` out of the domain, centred, of both in it.
pub(super) fn product<R: Ring, O: PlainOrder>(
    domain: Domain<R, O>,
    a: &Values<R, O>,
    s: &Values<R, O>,
    out: &mut R::Coeffs,
) {
    let mut product = no_values();
    domain.pointwise(a, s, &mut product);
    domain.inverse(&mut product, out);
}
