//! The remainder of a polynomial by `f`.
//!
//! # The maps
//! `f = x^n + f_low` is monic, and `c` has up to `2 n - 1` coefficients.
//!
//! * **Few terms.** `c_i x^i = -c_i x^(i-n) f_low`, from the greatest power down. With `g` the gap between
//!   `n` and the degree of `f_low`, so many powers are folded at once: what they are added to lies below
//!   them.
//! * **Many terms.** The quotient's coefficients, from the greatest down, are those of a product with a power
//!   series: `rev(Q) = rev(c) / rev(f)` modulo `x^(n-1)`, where `rev` turns the order around, and
//!   `1 / rev(f)` is computed once (M. Sieveking, 1972; H. T. Kung, 1974). The remainder is `c - Q f`, of
//!   which `n` coefficients are wanted, so that both are taken modulo `x^M - 1` with `M >= n`: half the
//!   length of a product. `x^M` wraps to 1 on both sides and the difference has a degree below `n`, so it is
//!   the remainder.

use crate::RingError;
use crate::cost::{Division, Facts};
use crate::exact::{Exact, PreparedExact, Room, Source};
use crate::lanes;
use crate::memory::{Words, boxed, reserve};
use crate::zq::{Factor, Zq};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::iter::zip;
use ringsmith_simd::Cpu;

/// A term of `-f_low`.
#[derive(Clone, Copy)]
struct Term {
    exponent: usize,
    kind: Kind,
}

/// What a coefficient is multiplied by.
#[derive(Clone, Copy)]
enum Kind {
    One,
    MinusOne,
    Other(Factor),
}

/// Division by `f`.
pub(crate) enum Divisor {
    /// Term by term.
    Sparse(Sparse),
    /// By two products.
    Dense(Box<[Dense; 1]>),
}

/// Residues modulo primes are folded by so many terms of `f` at most, and more may be divided by products.
pub(crate) const SPARSE: usize = 12;

/// So many powers or more are folded at once, in lanes; fewer one by one.
pub(crate) const BLOCK: usize = 16;

impl Divisor {
    /// By `x^n + f_low`, of the terms of `f_low` that are not 0. Where the whole `product` is made as
    /// quotients are, one has the tables and the room of the other.
    pub(crate) fn by(
        facts: &Facts<'_>,
        division: Division,
        product: Option<&Exact>,
    ) -> Result<Self, RingError> {
        let Facts { cpu, zq, n, low, .. } = *facts;
        let Division::Products { quotients, remainders } = division else {
            return Sparse::new(cpu, zq, n, low).map(Divisor::Sparse);
        };
        let mut f: Vec<u64> = reserve(n + 1)?;
        f.resize(n + 1, 0);
        f[n] = 1;
        low.iter().for_each(|(exponent, coefficient)| f[*exponent] = *coefficient);
        let exact = |by| Exact::by(cpu, by, facts.division_bounds(), None);
        let remainders = exact(remainders)?;
        let dense = match product.filter(|product| product.serves(quotients, n as u64)) {
            Some(product) => Dense::new(cpu, zq, &f, Quotients::Shared(product), remainders)?,
            None => Dense::new(cpu, zq, &f, Quotients::Own(exact(quotients)?), remainders)?,
        };
        Ok(Divisor::Dense(boxed(dense)?))
    }
}

/// Few terms.
pub(crate) struct Sparse {
    cpu: Cpu,
    zq: Zq,
    n: usize,
    terms: Vec<Term>,
    /// How many powers are folded at once.
    gap: usize,
}

impl Sparse {
    /// `x^n + f_low`, of the terms of `f_low` that are not 0.
    pub(crate) fn new(cpu: Cpu, zq: Zq, n: usize, low: &[(usize, u64)]) -> Result<Self, RingError> {
        let (q, mut terms) = (zq.modulus(), reserve(low.len())?);
        terms.extend(low.iter().map(|(exponent, coefficient)| {
            let kind = match zq.sub(0, *coefficient) {
                1 => Kind::One,
                minus if minus == q - 1 => Kind::MinusOne,
                other => Kind::Other(zq.factor(other)),
            };
            Term { exponent: *exponent, kind }
        }));
        let gap = n - low.iter().map(|(exponent, _)| *exponent).max().unwrap_or(0);
        Ok(Sparse { cpu, zq, n, terms, gap })
    }

    /// The remainder, in the first `n` places.
    pub(crate) fn reduce(&self, c: &mut [u64]) {
        if self.gap < BLOCK {
            return self.reduce_by_one(c);
        }
        let mut end = c.len();
        while end > self.n {
            let start = self.n.max(end.saturating_sub(self.gap));
            let (below, block) = c[..end].split_at_mut(start);
            for Term { exponent, kind } in &self.terms {
                let to = start - self.n + exponent;
                self.add(&mut below[to..to + block.len()], block, *kind);
            }
            end = start;
        }
    }

    /// The same, power by power: entering kernels for so few takes longer.
    fn reduce_by_one(&self, c: &mut [u64]) {
        for top in (self.n..c.len()).rev() {
            let (below, above) = c.split_at_mut(top);
            let (to, x) = (&mut below[top - self.n..], above[0]);
            for Term { exponent, kind } in &self.terms {
                let y = to[*exponent];
                to[*exponent] = match kind {
                    Kind::One => self.zq.add(y, x),
                    Kind::MinusOne => self.zq.sub(y, x),
                    Kind::Other(w) => self.zq.add(y, self.zq.times(x, *w)),
                };
            }
        }
    }

    /// The same of a product, which may have places behind it.
    pub(crate) fn reduce_product(&self, c: &mut [u64]) {
        self.reduce(&mut c[..2 * self.n - 1]);
    }

    /// Adds a multiple.
    fn add(&self, to: &mut [u64], from: &[u64], kind: Kind) {
        let zq = self.zq;
        match kind {
            Kind::One => lanes::add(self.cpu, zq.modulus(), false, to, from),
            Kind::MinusOne => lanes::add(self.cpu, zq.modulus(), true, to, from),
            Kind::Other(w) => zip(to, from).for_each(|(x, y)| *x = zq.add(*x, zq.times(*y, w))),
        }
    }
}

/// Many terms.
pub(crate) struct Dense {
    cpu: Cpu,
    zq: Zq,
    n: usize,
    /// Products of quotients, where they are not the whole ones.
    quotients: Option<Exact>,
    /// Those of remainders, half as long.
    remainders: Exact,
    /// `1 / rev(f)` and `f`.
    inverse: PreparedExact,
    divisor: PreparedExact,
}

/// Products of quotients.
enum Quotients<'a> {
    Own(Exact),
    Shared(&'a Exact),
}

/// Room for a division.
pub(crate) struct Between {
    quotients: Option<Room>,
    remainders: Room,
    /// The quotient, from the greatest power down.
    quotient: Words,
    wrapped: Words,
}

impl Dense {
    /// `f` of all its coefficients, the last of which is 1, by products of quotients and of remainders.
    fn new(
        cpu: Cpu,
        zq: Zq,
        f: &[u64],
        quotients: Quotients<'_>,
        remainders: Exact,
    ) -> Result<Self, RingError> {
        let n = f.len() - 1;
        let mut wrapped = Words::zero(remainders.length())?;
        wrap(zq, f, &mut wrapped);
        let divisor = remainders.prepare(&wrapped, &mut remainders.room()?)?;
        let inverse = {
            let products = match &quotients {
                Quotients::Own(own) => own,
                Quotients::Shared(shared) => shared,
            };
            products.prepare(&series(zq, products, f)?, &mut products.room()?)?
        };
        let quotients = if let Quotients::Own(own) = quotients { Some(own) } else { None };
        Ok(Dense { cpu, zq, n, quotients, remainders, inverse, divisor })
    }

    /// Room for a division.
    pub(crate) fn between(&self) -> Result<Between, RingError> {
        let wrapped = Words::zero(self.remainders.length())?;
        let quotients = self.quotients.as_ref().map(Exact::room).transpose()?;
        let remainders = self.remainders.room()?;
        Ok(Between { quotients, remainders, quotient: Words::zero(self.n)?, wrapped })
    }

    /// The remainder of `2 n - 1` coefficients, in the first `n` places. `product` is what makes whole
    /// products, if something does, and its room.
    pub(crate) fn reduce(
        &self,
        c: &mut [u64],
        between: &mut Between,
        product: Option<(&Exact, &mut Room)>,
    ) -> Result<(), RingError> {
        let Between { quotients, remainders, quotient, wrapped } = between;
        let own = self.quotients.as_ref().zip(quotients.as_mut());
        let (quotients, room) = own.or(product).ok_or(RingError::OtherRing)?;
        let quotient = &mut quotient[..c.len() - self.n];
        quotients.product_prepared(Source::Down(&c[self.n..]), &self.inverse, quotient, room)?;
        self.remainders.product_prepared(Source::Down(quotient), &self.divisor, wrapped, remainders)?;
        let length = wrapped.len();
        let (low, high) = c.split_at_mut(length.min(c.len()));
        let (low, q) = (&mut low[..self.n], self.zq.modulus());
        let over = high.len().min(self.n);
        lanes::add(self.cpu, q, false, &mut low[..over], &high[..over]);
        lanes::add(self.cpu, q, true, low, &wrapped[..self.n]);
        Ok(())
    }
}

/// `f` modulo `x^M - 1`.
fn wrap(zq: Zq, f: &[u64], wrapped: &mut [u64]) {
    for part in f.chunks(wrapped.len()) {
        zip(&mut *wrapped, part).for_each(|(x, y)| *x = zq.add(*x, *y));
    }
}

/// The first `n` coefficients of `1 / rev(f)`, by Newton: each step doubles those that are right. Takes a
/// power series `g` to `g (2 - g rev(f))`.
fn series(zq: Zq, products: &Exact, f: &[u64]) -> Result<Vec<u64>, RingError> {
    let n = f.len() - 1;
    let (mut room, mut g) = (products.room()?, reserve(n)?);
    let (mut reversed, mut error) = (Words::zero(n)?, Words::zero(n)?);
    zip(&mut *reversed, f.iter().rev()).for_each(|(x, y)| *x = *y);
    g.resize(n, 0);
    let (mut known, mut next) = (1, Words::zero(n)?);
    g[0] = zq.word(1);
    while known < n {
        let wanted = n.min(2 * known);
        products.product(&g[..known], &reversed[..wanted], &mut error[..wanted], &mut room)?;
        error[..wanted].iter_mut().for_each(|x| *x = zq.sub(0, *x));
        error[0] = zq.add(error[0], zq.word(2));
        products.product(&g[..known], &error[..wanted], &mut next[..wanted], &mut room)?;
        g[..wanted].copy_from_slice(&next[..wanted]);
        known = wanted;
    }
    Ok(g)
}
