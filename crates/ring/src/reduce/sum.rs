//! Sums of residues in rows.

use super::barrett;
use super::centre::Centre;
use super::residues::Odd;
use crate::algorithm::choice::Sign;
use crate::bound::Bound;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Run, Simd};

/// Which representative a sum has.
pub(crate) trait Representative {
    /// Of a centred one.
    fn of<S: Simd, const Q: i64>(s: S, x: S::I16) -> S::I16;
}

/// The centred one.
pub(crate) struct Centred;

impl Representative for Centred {
    #[inline(always)]
    fn of<S: Simd, const Q: i64>(_: S, x: S::I16) -> S::I16 {
        x
    }
}

/// The one in `[0, q)`.
pub(crate) struct Canonical;

impl Representative for Canonical {
    #[inline(always)]
    fn of<S: Simd, const Q: i64>(s: S, x: S::I16) -> S::I16 {
        let negative = s.gt(s.splat(0), x);
        s.add(x, s.and(negative, s.splat(Q as i16)))
    }
}

/// `a = a + b` or `a = a - b`, where both together fit in a word.
pub(crate) struct Sum<'a, G, T, const Q: i64, const ROWS: usize> {
    /// Which of the two, and which representative.
    pub(crate) of: PhantomData<(G, T)>,
    /// `a`, which becomes the sum.
    pub(crate) a: &'a mut [Row; ROWS],
    /// `b`.
    pub(crate) b: &'a [Row; ROWS],
}

impl<G: Sign, T: Representative, const Q: i64, const ROWS: usize> Kernel for Sum<'_, G, T, Q, ROWS> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut r = 0;
        while r < ROWS {
            let sum = G::sum(s, s.load(&self.a[r]), s.load(&self.b[r]));
            s.store(&mut self.a[r], T::of::<S, Q>(s, barrett::exact::<S, Q>(s, sum)));
            r += 1;
        }
    }
}

/// Whether [`centred`] takes these values.
pub(crate) const fn fits(values: Bound, q: i64) -> bool {
    let centred = Bound::centred(q);
    let sums = centred.add(values).join(centred.sub(values));
    sums.fits(16) && sums.magnitude() <= barrett::exact_limit(q) && centred.within(values)
}

/// `a = a + b` or `a = a - b`, centred, of values that [`fits`].
pub(crate) fn centred<G: Sign, const Q: i64, const ROWS: usize>(
    cpu: impl Run,
    a: &mut [Row; ROWS],
    b: &[Row; ROWS],
) {
    cpu.run(Centre { by: Odd::<Q>, rows: &mut *a });
    cpu.run(Sum::<G, Centred, Q, ROWS> { of: PhantomData, a, b });
}
