//! The catalogue: each ring is one line, its modulus and its degree.
//!
//! The crate `ringsmith-routes` has other routes. To add a ring, see `docs/add-a-ring.md`.

use crate::class::{Planned, UpTo, primes_win};
use crate::{bits, rows};
use ringsmith_ring::{Entry, Ring, Routes, Rows, Shape, Space};
use ringsmith_simd::Cpu;

/// Calls a macro with every ring: its documentation, its name, its modulus and its degree.
#[macro_export]
macro_rules! each_ring {
    ($each:ident) => {
        $each! {
            /// The ring of ntruhps2048509.
            NtruHps509: 2048, 509;
            /// The ring of ntruhps2048677.
            NtruHps677: 2048, 677;
            /// The ring of ntruhps4096821.
            NtruHps821: 4096, 821;
            /// The ring of ntruhps40961229.
            NtruHps1229: 4096, 1229;
            /// The ring of ntruhrss701.
            NtruHrss701: 8192, 701;
            /// The ring of ntruhrss1373.
            NtruHrss1373: 16384, 1373;
        }
    };
}

/// Rows of memory for a product, and for a prepared operand, of so many rows by any route.
const fn memory<P: Planned>(rows: usize) -> [usize; 2] {
    [greater(18 * rows + 64, P::MEMORY[0]), greater(12 * rows, P::MEMORY[1])]
}

const fn greater(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

macro_rules! rings {
    ($($(#[$doc:meta])* $ring:ident: $q:literal, $n:literal;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $ring;

        impl Ring for $ring {
            const Q: i64 = $q;
            const N: usize = $n;
            const SHAPE: Shape = Shape::Cyclic;
            const NAME: &'static str = concat!("Z_", $q, "[x]/(x^", $n, "-1)");
            const SMALL: i16 = 1;
            type Coeffs = Rows<{ rows($n) }>;
            type Scratch = Space<{ memory::<UpTo<{ rows($n) }, { bits($n, $q) }>>(rows($n))[0] }, 0>;
            type Prepared = Space<{ memory::<UpTo<{ rows($n) }, { bits($n, $q) }>>(rows($n))[1] }, 0>;
        }

        impl Routes for $ring {
            const PLANNED: &'static [Entry<Self>] = {
                type Of = UpTo<{ rows($n) }, { bits($n, $q) }>;
                static ROUTES: &[Entry<$ring>] = &[
                    Entry::of::<<Of as Planned>::ByMatrix>(),
                    Entry::of::<<Of as Planned>::ByPrimes>(),
                ];
                ROUTES
            };

            /// By primes where they are faster, and a row is one register: the 32-bit sums of base products
            /// are cheap there.
            fn planned_small(cpu: Cpu) -> &'static Entry<Self> {
                let by_primes = const { primes_win(rows($n), bits($n, $q)) } && cpu.registers_64() == 1;
                &Self::PLANNED[usize::from(by_primes)]
            }

            /// By one prime on vectors: half of what two cost. On plain Rust a matrix still takes less.
            fn planned_smalls(cpu: Cpu) -> &'static Entry<Self> {
                &Self::PLANNED[usize::from(cpu.registers_64() < 4)]
            }
        }

        // The compiler proves the bounds of the ring: a lane that could overflow is a build error here.
        const _: () = $ring::CHECK;
    )* };
}

each_ring!(rings);
