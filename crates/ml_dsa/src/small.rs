//! Products of the challenge and the secret, whose coefficients are at most `tau eta`: 78, 196 and 120.
//!
//! They are exact over the integers, and need no large modulus ([`small`]). Each backend and set has the
//! fastest of three algorithms (docs/decisions/0066): on x86 sums of bytes for ML-DSA-44 and rows modulo 3329
//! for the others, on AArch64 sums of bytes, in plain Rust sums of words. The secret is prepared once for all
//! attempts, the challenge once for all products of an attempt.
//!
//! Constant time in the secret. Sums read memory at places that follow the challenge, which is
//! [published](crate::publish::challenge).

use crate::ring::{N, Poly, Words, ZERO_WORDS};
use ringsmith_ring::algorithm::small::Sizes;
use ringsmith_ring::algorithm::small::rows::{self, SmallRows};
use ringsmith_ring::algorithm::small::sparse::{Doubled8, Doubled16, Places, Sparse8, Sparse16};
use ringsmith_simd::Cpu;
use zeroize::Zeroize;

/// Which algorithm.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Bytes,
    Words,
    Rows,
}

/// The products of a set's sizes.
trait Products: Sizes {
    /// Whether vectors of bytes are faster than rows.
    const BYTES: bool = !cfg!(target_arch = "x86_64") || Self::PRODUCT <= i8::MAX as i64 && Self::WEIGHT < 50;
    /// The algorithm on this CPU: vectors that take four registers are none.
    fn form(cpu: Cpu) -> Form {
        match cpu.registers_64() {
            4 => Form::Words,
            _ if Self::BYTES => Form::Bytes,
            _ => Form::Rows,
        }
    }
}

impl<C: Sizes> Products for C {}

/// An element of the secret, prepared. [`Zeroize`] clears it. The first kind is that of blank ones, whose
/// bytes are all zero then.
pub(crate) enum Prepared {
    Rows(rows::Small<16>),
    Bytes(Doubled8),
    Words(Doubled16),
}

impl Prepared {
    /// Room for one.
    pub(crate) const BLANK: Self = Prepared::Rows(rows::Small::ZERO);

    /// Prepares an element; spoils the scratch memory, which is secret then.
    pub(crate) fn fill<C: Sizes>(&mut self, cpu: Cpu, s: &Words, scratch: &mut Words) {
        // What was there is longer, maybe.
        self.zeroize();
        *self = match C::form(cpu) {
            Form::Bytes => Prepared::Bytes(Doubled8::ZERO),
            Form::Words => Prepared::Words(Doubled16::ZERO),
            Form::Rows => Self::BLANK,
        };
        match self {
            Prepared::Bytes(doubled) => doubled.fill(s),
            Prepared::Words(doubled) => doubled.fill(s),
            Prepared::Rows(small) if const { !C::BYTES } => {
                SmallRows::<C, 3329, 16>::prepare(cpu, s, small, scratch);
            }
            Prepared::Rows(_) => {}
        }
    }
}

impl Zeroize for Prepared {
    fn zeroize(&mut self) {
        match self {
            Prepared::Bytes(doubled) => doubled.zeroize(),
            Prepared::Words(doubled) => doubled.zeroize(),
            Prepared::Rows(small) => small.zeroize(),
        }
    }
}

/// A challenge of coefficients 0, 1 and -1. It is public.
pub(crate) struct Challenge {
    pub(crate) coefficients: [i8; N],
    /// Where they are not 0, in any order.
    pub(crate) places: [u8; 64],
    /// Prepared for sums, or for rows.
    sums: Option<Places>,
    rows: rows::Challenge<16>,
}

impl Challenge {
    /// Room for one.
    pub(crate) const BLANK: Self =
        Challenge { coefficients: [0; N], places: [0; 64], sums: None, rows: rows::Challenge::ZERO };

    /// The coefficients as words.
    fn words(&self) -> Words {
        let mut words = ZERO_WORDS;
        words.0.as_flattened_mut().iter_mut().zip(self.coefficients).for_each(|(to, x)| *to = x.into());
        words
    }

    /// The coefficients as an element.
    pub(crate) fn widen(&self, poly: &mut Poly) {
        poly.0.as_flattened_mut().iter_mut().zip(self.coefficients).for_each(|(to, x)| *to = x.into());
    }

    /// Prepares products, when the coefficients are there.
    pub(crate) fn prepare<C: Sizes>(&mut self, cpu: Cpu) {
        if C::form(cpu) != Form::Rows {
            self.sums = Places::of(&self.coefficients, &self.places[..C::WEIGHT as usize]);
        } else if const { !C::BYTES } {
            let words = self.words();
            SmallRows::<C, 3329, 16>::transform(cpu, &words, &mut self.rows);
        }
    }

    /// `out = c s`; spoils the scratch memory, which is secret then.
    pub(crate) fn multiply<C: Sizes>(&self, cpu: Cpu, s: &Prepared, out: &mut Words, scratch: &mut Words) {
        match (&self.sums, s) {
            (Some(c), Prepared::Bytes(s)) if const { C::BYTES } => Sparse8::<C>::multiply(cpu, c, s, out),
            (Some(c), Prepared::Words(s)) => Sparse16::<C>::multiply(cpu, c, s, out),
            (None, Prepared::Rows(s)) if const { !C::BYTES } => {
                SmallRows::<C, 3329, 16>::multiply(cpu, &self.rows, s, out, scratch);
            }
            _ => debug_assert!(false, "both are prepared by the same set and CPU"),
        }
    }
}
