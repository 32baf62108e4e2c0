//! Products of operands with rows of zeroes behind them: for rows that cannot be cut.
//!
//! # The map
//! `c = a b` over the integers by another [`Convolution`], of more rows. An operand is copied, and zeroes are
//! put behind it: that changes no coefficient of the product, and those beyond its rows are zeroes.
//!
//! [Karatsuba](super::karatsuba)'s product wants rows that it can halve, as often as it is recursive. Some
//! rings have an odd number of them. With two rows of zeroes behind 54, as polynomials of degree below 857
//! have, there are 56, which are halved three times.
//!
//! # Conditions
//! Those of the other one, of so many rows as there are with zeroes.
//!
//! # Bounds
//! Those of the other one: zeroes are within any bound.
//!
//! # Source
//! Folklore.
//!
//! ```
//! use ringsmith_ring::{Poly, Route};
//! use ringsmith_routes::{multiplier, rings::NtruPrime857};
//! use ringsmith_simd::Cpu;
//!
//! let mut x = [0i16; 857];
//! x[856] = 1;
//! let x = Poly::<NtruPrime857>::new(&x).unwrap();
//! let karatsuba = multiplier(Cpu::detect(), Route::Karatsuba { levels: 3 })?;
//! // x^1712 = x^855 x^857 = x^856 + x^855
//! assert_eq!(karatsuba.multiply(&x, &x, &mut karatsuba.scratch()).centred()[854..], [0, 1, 1]);
//! # Ok::<(), ringsmith_ring::WhyNot>(())
//! ```

use super::choice::Operand;
use super::convolution::{Convolution, lesser};
use crate::bound::Bound;
use crate::route::Route;
use core::marker::PhantomData;
use ringsmith_simd::{Row, Run};

/// Products of operands of `ROWS` rows by `I`, whose operands have `PADDED`.
pub struct WithZeroes<I, const ROWS: usize, const PADDED: usize> {
    inner: PhantomData<I>,
}

/// Panic message for too little memory; it cannot occur, because making an [`Entry`](crate::Entry) proves
/// that the memory is large enough.
const ROOM: &str = "memory for operands with zeroes";

impl<I: Convolution<PADDED>, const ROWS: usize, const PADDED: usize> Convolution<ROWS>
    for WithZeroes<I, ROWS, PADDED>
{
    type Residues = I::Residues;
    type Last = I::Last;
    const ROUTE: Route = I::ROUTE;
    const INPUT: Bound = I::INPUT;
    const LENGTH: usize = lesser(I::LENGTH, 32 * ROWS);
    const BITS: u32 = I::BITS;
    const SCRATCH: usize = 2 * PADDED + I::OUT + I::SCRATCH;
    const PROOF: () = {
        let () = I::PROOF;
        assert!(ROWS <= PADDED && 2 * ROWS <= I::OUT, "fewer rows");
    };

    fn product<B: Operand>(cpu: impl Run, [a, b]: [&[Row; ROWS]; 2], out: &mut [Row], scratch: &mut [Row]) {
        let (x, rest) = scratch.split_first_chunk_mut().expect(ROOM);
        let (y, rest) = rest.split_first_chunk_mut().expect(ROOM);
        put_zeroes_behind(a, x);
        put_zeroes_behind(b, y);
        let (product, rest) = rest.split_at_mut(I::OUT);
        I::product::<B>(cpu, [x, y], product, rest);
        out[..2 * ROWS].copy_from_slice(&product[..2 * ROWS]);
    }
}

/// A copy of rows, and zeroes behind them.
fn put_zeroes_behind(rows: &[Row], to: &mut [Row]) {
    let (there, rest) = to.split_at_mut(rows.len());
    there.copy_from_slice(rows);
    rest.fill([0; 16]);
}
