//! Fast convolution with a sliding window, modulo `x^n - 1` and `2^k`, by an operand that is public.
//! `kernels/window.cuh` has the mathematics, and this page the windows.

use crate::GpuError;
use crate::driver::Info;
use crate::kernels::{Kernel, Module};
use crate::paper::check;
use crate::ring::{Choice, Lengths, Operands, Params, Ring, Shared};

/// Coefficients of a window.
const WIDTH: usize = 3;
/// Patterns that begin with 1.
const PATTERNS: u16 = 9;

/// A ternary polynomial that **anybody may know**: what is done with it takes times, and uses addresses, that
/// tell what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicTernary {
    coefficients: Vec<i8>,
}

impl PublicTernary {
    /// Whoever calls this says that the polynomial may be known to anybody. It has `n` coefficients: 1 at the
    /// places `plus`, -1 at the places `minus`, and 0 elsewhere.
    ///
    /// # Errors
    /// Where a place is not below `n`, or there twice.
    pub fn declare(
        n: usize,
        plus: impl IntoIterator<Item = usize>,
        minus: impl IntoIterator<Item = usize>,
    ) -> Result<Self, GpuError> {
        let mut coefficients = vec![0; n];
        let signed =
            plus.into_iter().map(|place| (place, 1)).chain(minus.into_iter().map(|place| (place, -1)));
        for (place, sign) in signed {
            match coefficients.get_mut(place) {
                Some(coefficient) if *coefficient == 0 => *coefficient = sign,
                _ => {
                    return Err(GpuError::Route {
                        what: "places of a ternary element are below the degree, and distinct",
                    });
                }
            }
        }
        Ok(PublicTernary { coefficients })
    }

    /// The places of a coefficient.
    pub(crate) fn places(&self, of: i8) -> impl Iterator<Item = u16> + '_ {
        let all = self.coefficients.iter().enumerate();
        all.filter(move |(_, coefficient)| **coefficient == of).map(|(place, _)| place as u16)
    }

    /// How many coefficients it has.
    pub(crate) fn degree(&self) -> usize {
        self.coefficients.len()
    }

    /// Windows from the constant term on, as the kernel takes them: a coefficient that is not 0 begins one,
    /// and others between windows are skipped.
    fn windows(&self) -> Vec<u16> {
        let (n, all) = (self.coefficients.len(), &self.coefficients);
        let (mut windows, mut at) = (Vec::new(), 0);
        while at < n {
            let sign = all[at];
            if sign == 0 {
                at += 1;
                continue;
            }
            let behind = all[(at + 1).min(n)..(at + WIDTH).min(n)].iter().rev();
            let pattern = behind.fold(0, |pattern, d| 3 * pattern + (d * sign).rem_euclid(3) as u16);
            // `new` has n < 2^16 / 18.
            windows.push(at as u16 + n as u16 * (pattern + if sign < 0 { PATTERNS } else { 0 }));
            at += WIDTH;
        }
        windows
    }
}

/// `struct WindowParams` of the kernels.
#[repr(C)]
#[derive(Clone, Copy)]
struct WindowParams {
    of: Operands,
    n: u32,
    mask: u32,
    most: u32,
    unused: u32,
}

/// Products in `Z_(2^k)[x]/(x^n - 1)` by a ternary element that anybody may know ([`PublicTernary`]), three
/// coefficients at a time. The second operand is what [`SlidingWindow::operand`] makes of it.
pub struct SlidingWindow {
    n: usize,
    bits: u32,
    most: usize,
}

impl SlidingWindow {
    /// For operands with at most so many coefficients that are not 0.
    ///
    /// # Errors
    /// Where the ring does not serve, or the number is none from 1 to `n`.
    pub fn new(n: usize, bits: u32, weight: usize) -> Result<Self, GpuError> {
        check(n, bits)?;
        if !(1..=n).contains(&weight) {
            return Err(GpuError::Route {
                what: "a ternary element has one place to as many as coefficients",
            });
        }
        // Windows do not overlap, and each but the last has room for three.
        Ok(SlidingWindow { n, bits, most: weight.min(n.div_ceil(WIDTH)) })
    }

    /// What ends a list of windows.
    fn end(&self) -> u16 {
        2 * PATTERNS * self.n as u16
    }

    /// The second operand of a product by a polynomial: its windows.
    ///
    /// # Errors
    /// Where it is of another degree, or has more coefficients that are not 0.
    pub fn operand(&self, polynomial: &PublicTernary) -> Result<Vec<u16>, GpuError> {
        if polynomial.degree() != self.n {
            return Err(GpuError::Length { needs: self.n, has: polynomial.degree() });
        }
        let mut windows = polynomial.windows();
        if windows.len() > self.most {
            return Err(GpuError::Length { needs: self.most, has: windows.len() });
        }
        windows.resize(self.most, self.end());
        Ok(windows)
    }
}

// SAFETY: the kernel reads n coefficients and all windows, of which it takes none for a place beyond n - 1 or
// a pattern beyond the last; it has nine sums twice, of words of two bytes, and the windows in shared memory,
// together at most 38 n bytes, which every GPU has.
unsafe impl Ring for SlidingWindow {
    type A = u16;
    type B = u16;
    type C = u16;

    fn lengths(&self) -> Lengths {
        Lengths { a: self.n, b: self.most, c: self.n }
    }
    fn bounds(&self) -> (u32, u32) {
        (1 << self.bits, u32::from(self.end()) + 1)
    }
    fn choose(&self, _: &Info, _: Shared) -> Result<Choice, GpuError> {
        Ok(Choice {
            kernel: Kernel { name: "sliding_window", module: Module::Window },
            threads: 256,
            products: 1,
            parts: 1,
            shared: 4 * self.most + 2 * usize::from(2 * PATTERNS) * self.n,
            why: "as asked for: fast convolution with a sliding window by a public operand",
        })
    }
    fn table(&self) -> &[u32] {
        &[]
    }
    fn params(&self, of: Operands) -> Params {
        let (n, mask, most) = (self.n as u32, (1 << self.bits) - 1, self.most as u32);
        // SAFETY: all fields are words of 4 and 8 bytes, and those of 8 stand first.
        unsafe { Params::new(WindowParams { of, n, mask, most, unused: 0 }) }
    }
}
