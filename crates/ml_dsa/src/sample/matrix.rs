//! The matrix: FIPS 204, algorithms 30 and 32.
//!
//! `A[row][column]` is an element in the domain: its 256 values are the first numbers below `q` among those
//! of 23 bits, three bytes each, of SHAKE128 on `rho || column || row`. A number is below `q` with the
//! probability `q / 2^23 = 0.999`, so five blocks, which have 280 numbers, are nearly always enough.
//!
//! Elements are streams: several run at a time, in any order. Where the matrix is used once, row by row, it
//! is never in memory as a whole: there are 16 places, and a place is sampled again when its row is consumed.
//!
//! Not constant time: `rho` is public.

use super::BLOCKS;
use super::uniform::take_uniform;
use crate::ring::{N, Values};
use ringsmith_hash::{Lane, RATE_128, Work};
use ringsmith_simd::Cpu;

/// Most elements of a matrix.
const MOST: usize = 56;
/// Places of a matrix that is consumed row by row: enough for a row, and for as many elements as are sampled
/// at a time. A power of two.
pub(crate) const WINDOW: usize = 16;

/// The elements of the matrix, row after row: algorithm 30 on `rho || column || row`. Its time depends on
/// `rho`, which is public.
///
/// There are places for all elements, or [`WINDOW`] of them: then a place is sampled again when its row is
/// [consumed](Self::consume).
pub(crate) struct Matrix<'a> {
    cpu: Cpu,
    rho: &'a [u8; 32],
    columns: usize,
    count: usize,
    /// In the domain, in `[0, q)`.
    places: &'a mut [Values],
    /// Values so far; `None` before the seed is absorbed.
    taken: [Option<u16>; MOST],
    started: usize,
    consumed: usize,
}

impl<'a> Matrix<'a> {
    /// Of so many rows and columns.
    pub(crate) fn new(
        cpu: Cpu,
        rho: &'a [u8; 32],
        [rows, columns]: [usize; 2],
        places: &'a mut [Values],
    ) -> Self {
        let count = rows * columns;
        debug_assert!(places.len() >= count || places.len() == WINDOW);
        Matrix { cpu, rho, columns, count, places, taken: [None; MOST], started: 0, consumed: 0 }
    }

    /// The work of its streams: five blocks mostly hold enough numbers below the modulus.
    pub(crate) fn work(&self) -> Work {
        Self::work_of(self.count)
    }

    /// The same of so many elements.
    pub(crate) fn work_of(count: usize) -> Work {
        Work::new(count, BLOCKS)
    }

    /// Where an element is.
    fn place(&self, element: usize) -> usize {
        if self.places.len() < self.count { element & (WINDOW - 1) } else { element }
    }

    /// The next stream that is ready.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let stream = self.started;
        let ready = stream < self.count && stream - self.consumed < self.places.len();
        self.started += usize::from(ready);
        ready.then_some(stream)
    }

    /// How many streams have not begun.
    pub(crate) fn left(&self) -> usize {
        self.count - self.started
    }

    /// The first row that is not consumed, if it is there.
    pub(crate) fn row(&self) -> Option<usize> {
        let of_row = self.taken.get(self.consumed..self.consumed + self.columns)?;
        of_row.iter().all(|taken| *taken == Some(N as u16)).then_some(self.consumed)
    }

    /// Its element in a column.
    pub(crate) fn element(&self, column: usize) -> &Values {
        &self.places[self.place(self.consumed + column)]
    }

    /// Lets go of it.
    pub(crate) fn consume(&mut self) {
        self.consumed += self.columns;
    }

    /// A step of a stream; see [`Streams`](ringsmith_hash::Streams).
    pub(crate) fn step(&mut self, stream: usize, lane: &mut Lane<'_>) -> bool {
        let Some(taken) = self.taken[stream] else {
            let mut seed = [0; 34];
            seed[..32].copy_from_slice(self.rho);
            (seed[32], seed[33]) = self.coordinates(stream);
            lane.shake::<RATE_128, 34>(&seed);
            self.taken[stream] = Some(0);
            return true;
        };
        let place = self.place(stream);
        let (values, taken) = (self.places[place].rows_mut().as_flattened_mut(), taken.into());
        let taken = take_uniform(self.cpu, lane.words(), values, taken);
        self.taken[stream] = Some(taken as u16);
        taken < N
    }

    /// The column and the row of an element.
    fn coordinates(&self, mut element: usize) -> (u8, u8) {
        let mut row = 0;
        while element >= self.columns {
            (row, element) = (row + 1, element - self.columns);
        }
        (element as u8, row)
    }
}
