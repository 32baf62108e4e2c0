//! Between elements in rows and in planes.

use super::PLANE;
use crate::algorithm::choice::Direction;
use crate::algorithm::network::zips8;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Simd, each};

/// From elements in rows to planes, or back: what `d` rows hold is row `r` of all planes.
pub(super) struct Interleave<'a, const ROWS: usize, const DEGREE: usize, D> {
    pub(super) way: PhantomData<D>,
    pub(super) from: &'a [Row; ROWS],
    pub(super) to: &'a mut [Row; ROWS],
}

impl<const ROWS: usize, const DEGREE: usize, D: Direction> Interleave<'_, ROWS, DEGREE, D> {
    /// Coefficient by coefficient.
    fn one_by_one(self) {
        let (from, to) = (self.from.as_flattened(), self.to.as_flattened_mut());
        let mut j = 0;
        while j < 16 * PLANE {
            let mut k = 0;
            while k < DEGREE {
                let (element, plane) = (DEGREE * j + k, 16 * PLANE * k + j);
                if D::INVERSE {
                    to[element] = from[plane]
                } else {
                    to[plane] = from[element]
                }
                k += 1;
            }
            j += 1;
        }
    }

    /// Eight rows of elements, which for degree 4 are two rows of each plane.
    #[inline(always)]
    fn eight<S: Simd>(self, s: S) {
        // Row i of eight, and of the planes that it belongs to.
        let element = |r: usize, i: usize| 8 * r + i;
        let plane = |r: usize, i: usize| PLANE * (i % DEGREE) + 8 / DEGREE * r + i / DEGREE;
        let mut r = 0;
        while r < ROWS / 8 {
            let x: [_; 8] = each(
                #[inline(always)]
                |i| s.load(&self.from[if D::INVERSE { plane(r, i) } else { element(r, i) }]),
            );
            let x = match (DEGREE, D::INVERSE) {
                (4, false) => {
                    let x = zips8::<S, 8, 2>(s, zips8::<S, 1, 1>(s, x));
                    zips8::<S, 1, 1>(s, zips8::<S, 1, 2>(s, x))
                }
                (4, true) => zips8::<S, 8, 2>(s, zips8::<S, 2, 2>(s, zips8::<S, 1, 1>(s, x))),
                (_, false) => {
                    let x = zips8::<S, 1, 4>(s, zips8::<S, 8, 4>(s, x));
                    zips8::<S, 2, 1>(s, zips8::<S, 2, 2>(s, x))
                }
                (_, true) => {
                    let x = zips8::<S, 1, 1>(s, zips8::<S, 1, 2>(s, x));
                    zips8::<S, 8, 4>(s, zips8::<S, 4, 4>(s, x))
                }
            };
            let mut i = 0;
            while i < 8 {
                s.store(&mut self.to[if D::INVERSE { element(r, i) } else { plane(r, i) }], x[i]);
                i += 1;
            }
            r += 1;
        }
    }
}

impl<const ROWS: usize, const DEGREE: usize, D: Direction> Kernel for Interleave<'_, ROWS, DEGREE, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if DEGREE == 6 { self.one_by_one() } else { self.eight(s) }
    }
}
