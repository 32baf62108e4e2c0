//! Sums of numbers times constants, modulo a number: in lanes of 52 bits where it is below `2^46`, of 64
//! where it is below `2^62`, and word by word modulo `2^62`.

use crate::lanes::{self, LongModulus, MAX_TERMS, Modulus};
use crate::zq::{Factor, Zq};
use core::iter::zip;
use ringsmith_simd::{Cpu, Factor as LaneFactor};

/// A modulus of up to 62 bits.
pub(crate) struct Weights {
    zq: Zq,
    lanes: Option<Lanes>,
}

/// Those that hold it.
enum Lanes {
    Words(Modulus),
    Long(LongModulus),
}

/// A constant, made to be multiplied by.
#[derive(Clone, Copy)]
pub(crate) struct Weight {
    word: Factor,
    lanes: LaneFactor,
}

/// Numbers, and what they are multiplied by.
pub(crate) type Term<'a> = (&'a [u64], Weight);

impl Weights {
    /// From 2 to `2^62`.
    pub(crate) fn new(cpu: Cpu, modulus: u64) -> Self {
        let lanes = match modulus >> lanes::BITS {
            0 => Some(Lanes::Words(Modulus::new(cpu, modulus))),
            _ => LongModulus::new(cpu, modulus).map(Lanes::Long),
        };
        Weights { zq: Zq::new(modulus), lanes }
    }

    /// Arithmetic modulo it, of constants.
    pub(crate) fn zq(&self) -> Zq {
        self.zq
    }

    /// A constant below the modulus, which is public.
    pub(crate) fn weight(&self, w: u64) -> Weight {
        let lanes = match &self.lanes {
            Some(Lanes::Words(lanes)) => lanes.factor(w),
            Some(Lanes::Long(lanes)) => lanes.factor(w),
            None => [0; 2],
        };
        Weight { word: self.zq.factor(w), lanes }
    }

    /// The sums of at most [`MAX_TERMS`] terms, whose numbers have 46 bits, or are below the modulus. Each
    /// term has whole rows for `out`.
    pub(crate) fn sum<'a>(&self, terms: impl Iterator<Item = Term<'a>> + Clone, out: &mut [u64]) {
        let Some(lanes) = &self.lanes else { return self.by_words(terms, out) };
        let (mut digits, mut count) = ([(&[][..], [0; 2]); MAX_TERMS], 0);
        for (digit, (numbers, weight)) in zip(&mut digits, terms) {
            *digit = (numbers, weight.lanes);
            count += 1;
        }
        match lanes {
            Lanes::Words(lanes) => lanes.sums(&digits[..count], out),
            Lanes::Long(lanes) => lanes.sums(&digits[..count], out),
        }
    }

    /// The same word by word.
    fn by_words<'a>(&self, terms: impl Iterator<Item = Term<'a>>, out: &mut [u64]) {
        out.fill(0);
        for (numbers, weight) in terms {
            zip(&mut *out, numbers)
                .for_each(|(sum, x)| *sum = self.zq.add(*sum, self.zq.times(*x, weight.word)));
        }
    }
}
