//! ML-DSA's ring, whose modulus has 23 bits: in lanes of 32.

extern crate alloc;

use crate::Cpu;
use crate::ml_dsa::rings::{Factor as Values, MlDsa, Scratch};
use alloc::boxed::Box;
use core::fmt;
use ringsmith_any::RingError;
use ringsmith_any::compiled::{Compiled, Factor, Multiply, boxed};

/// `Z_8380417[x]/(x^256 + 1)`: the entry of a table.
pub(super) struct Words;

impl Compiled<u32> for Words {
    fn modulus(&self) -> u64 {
        MlDsa::Q.into()
    }

    fn terms(&self) -> &'static [(usize, i64)] {
        &[(MlDsa::N, 1), (0, 1)]
    }

    fn route(&self, _: Cpu, name: &mut dyn fmt::Write) -> fmt::Result {
        name.write_str("words of 32 bits")
    }

    fn argument(&self, text: &mut dyn fmt::Write) -> fmt::Result {
        let [forward, backward] = MlDsa::REACH;
        write!(
            text,
            "the compiler proves the bounds of the ring's kernels: lanes are at most {forward} forward and \
             {backward} backward, less than 2^31"
        )
    }

    fn multiplier(&self, cpu: Cpu) -> Result<Box<dyn Multiply<u32>>, RingError> {
        Ok(boxed(InMemory { cpu, scratch: boxed(Scratch::ZERO)? })?)
    }
}

/// Multiplies on a backend, in this memory.
struct InMemory {
    cpu: Cpu,
    scratch: Box<[Scratch; 1]>,
}

/// The values of a second factor, and on which backend they were made.
struct Prepared {
    cpu: Cpu,
    values: Values,
}

/// The coefficients of an element, of as many as the ring has.
fn element(x: &[u32]) -> Result<&[u32; MlDsa::N], RingError> {
    x.try_into().map_err(|_| RingError::Length { needs: MlDsa::N, has: x.len() })
}

/// The same, to write.
fn element_mut(x: &mut [u32]) -> Result<&mut [u32; MlDsa::N], RingError> {
    let has = x.len();
    x.try_into().map_err(|_| RingError::Length { needs: MlDsa::N, has })
}

impl InMemory {
    fn multiply(&mut self, a: &[u32], b: &[u32], out: &mut [u32]) -> Result<(), RingError> {
        let (factors, out) = ([element(a)?, element(b)?], element_mut(out)?);
        MlDsa::multiply_into(self.cpu, factors, out, &mut self.scratch[0]);
        Ok(())
    }
}

impl Multiply<u32> for InMemory {
    fn product(&mut self, a: &[u32], b: &[u32], out: &mut [u32]) {
        let done = self.multiply(a, b, out);
        debug_assert!(done.is_ok(), "elements of the ring");
    }

    fn prepare(&mut self, b: &[u32]) -> Result<Factor, RingError> {
        let mut prepared = boxed(Prepared { cpu: self.cpu, values: Values::ZERO })?;
        MlDsa::prepare_into(self.cpu, element(b)?, &mut prepared[0].values, &mut self.scratch[0]);
        Ok(prepared)
    }

    fn product_prepared(&mut self, a: &[u32], b: &Factor, out: &mut [u32]) -> Result<(), RingError> {
        let [b] = (**b).downcast_ref::<[Prepared; 1]>().ok_or(RingError::OtherRing)?;
        if b.cpu != self.cpu {
            return Err(RingError::OtherRing);
        }
        let (a, out, scratch) = (element(a)?, element_mut(out)?, &mut self.scratch[0]);
        MlDsa::multiply_prepared_into(self.cpu, a, &b.values, out, scratch);
        Ok(())
    }
}
