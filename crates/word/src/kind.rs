//! Which lanes a prime uses.

use crate::element::Form;
use crate::{balanced, narrow, wide};
use ringsmith_simd::{Cpu, Cpu52};

/// The numbers that a ring's transforms compute with. They determine the speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LaneKind {
    /// Of 32 bits.
    Narrow,
    /// Of 52 bits.
    Wide,
    /// Doubles.
    Balanced,
    /// Of 64 bits.
    Long,
}

impl LaneKind {
    /// The kind of lanes of the ring of degree `n` modulo `p` on a backend. It does not check that the ring
    /// exists.
    ///
    /// ```
    /// use ringsmith_simd::Cpu;
    /// use ringsmith_word::LaneKind;
    ///
    /// assert_eq!(LaneKind::of(Cpu::detect(), 1024, (1 << 60) - 16383), LaneKind::Long);
    /// ```
    pub fn of(cpu: Cpu, n: usize, p: u64) -> Self {
        match form(cpu, n, p) {
            Form::Wide => LaneKind::Wide,
            Form::Balanced => LaneKind::Balanced,
            Form::Long => LaneKind::Long,
            _ => LaneKind::Narrow,
        }
    }
}

/// Up to this degree lanes of 64 bits are chosen for every prime, where instructions multiply numbers of 52
/// bits, and half of a register of 512 bits at once. Beyond, operands and tables leave the second cache, and
/// lanes of 32 bits gain by their half memory: three tenths at `2^17` on a Sapphire Rapids, one row by one.
const WIDE_DEGREE: usize = 1 << 15;

/// From this degree on lanes of 32 bits have quotients of their constants, where 512 bits are computed at
/// once. Below, lanes of 64 bits take as long or less.
const QUOTIENT_DEGREE: usize = 1 << 12;

/// What lanes a ring has.
pub(crate) fn form(cpu: Cpu, n: usize, p: u64) -> Form {
    let narrow = p >> narrow::PRIME_BITS == 0;
    if narrow && cpu.wide_64() && n >= QUOTIENT_DEGREE {
        Form::Quotient
    } else if narrow && (n > WIDE_DEGREE || !cpu.multiplies_52()) {
        Form::Narrow
    } else if p >> wide::PRIME_BITS != 0 {
        Form::Long
    } else if p >> balanced::PRIME_BITS == 0 && cpu.multiplies_doubles() {
        Form::Balanced
    } else if Cpu52::new(cpu).is_some() {
        Form::Wide
    } else {
        Form::Long
    }
}
