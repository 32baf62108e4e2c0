//! How often a scheme fails by itself: a bound on the probability that both sides have different keys, or
//! that a ciphertext is not opened.
//!
//! Every bound is Chernoff's, `P(S >= T) <= exp(-t T) E exp(t S)` for every `t > 0`, of a sum `S` that must
//! not reach `T`, and there is one file for each kind of `S`. What is assumed is said there. Where `S` never
//! reaches `T` the scheme never fails.

mod binomial;
mod noise;
mod ternary;

/// The published bound, as a power of two, and where.
pub type Published = Option<(i64, &'static str)>;

/// A scheme that may fail.
pub trait Fails {
    /// Its name.
    fn name(&self) -> &'static str;
    /// What is published of it.
    fn published(&self) -> Published;
    /// The bound, as a power of two; none where it never fails.
    fn failure(&self) -> Option<f64>;
}

/// Every scheme with a bound.
pub fn all() -> impl Iterator<Item = &'static dyn Fails> {
    let noise = noise::ALL.iter().map(|one| one as &dyn Fails);
    let ternary = ternary::EESS.iter().chain(&ternary::LIBNTRU).chain(&ternary::OVER_A_FIELD);
    noise.chain(ternary.map(|one| one as &dyn Fails))
}

/// Where a convex function of positive numbers that falls first is least, and that value: by thirds.
fn least(f: impl Fn(f64) -> f64) -> (f64, f64) {
    let (mut low, mut high) = (1e-6, 4.0);
    for _ in 0..64 {
        let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        // A moment that is infinite is on the right.
        if f(a) < f(b) || !f(b).is_finite() { high = b } else { low = a }
    }
    (low, f(low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringsmith::scheme;

    /// Protects: every scheme that can fail has a bound, under its own name.
    #[test]
    fn every_scheme_that_can_fail() {
        let kems = scheme::ALL.iter().map(|scheme| scheme.name);
        // ML-KEM's bound is the standard's; the parameters of NTRU and NTRU Prime exclude failures.
        let others = ["ML-KEM", "sntrup", "ntrulpr", "ntruh"];
        let names = kems.filter(|name| !others.iter().any(|other| name.starts_with(other)));
        let names: Vec<_> = names.chain(scheme::EXCHANGES.iter().map(|exchange| exchange.name)).collect();
        let encryptions = scheme::ENCRYPTIONS.iter().map(|encryption| encryption.name);
        let names: Vec<_> = names.into_iter().chain(encryptions).collect();
        assert_eq!(all().map(Fails::name).collect::<Vec<_>>(), names);
    }
}
