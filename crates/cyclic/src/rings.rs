//! The catalogue: each ring is one line, its modulus and its degree.
//!
//! The crate `ringsmith-routes` has other routes. To add a ring, see `docs/add-a-ring.md`.

use crate::class::{self, ByMatrix, ByPrimes, Choice, Length, UpTo, primes_win};
use crate::{bits, rows};
use ringsmith_ring::{Entry, Ring, Routes, Rows, Shape, Space};
use ringsmith_simd::Cpu;

/// Makes three macros of the lists: [`each_ring!`] of all rings, and [`each_ntru_ring!`] and
/// [`each_ntruencrypt_ring!`] of those of a family, which may share some.
macro_rules! lists {
    (
        $d:tt ntru { $($ntru:tt)* } both { $($both:tt)* } ntru { $($more:tt)* }
        ntruencrypt { $($encrypt:tt)* }
    ) => {
        /// Calls a macro with every ring: its documentation, its name, its modulus and its degree.
        #[macro_export]
        macro_rules! each_ring {
            ($d each:ident) => { $d each! { $($ntru)* $($both)* $($more)* $($encrypt)* } };
        }

        /// The same with the rings of NTRU. Of their degrees 2 and 3 are primitive roots.
        #[macro_export]
        macro_rules! each_ntru_ring {
            ($d each:ident) => { $d each! { $($ntru)* $($both)* $($more)* } };
        }

        /// The same with the rings of NTRUEncrypt. Their degrees are primes.
        #[macro_export]
        macro_rules! each_ntruencrypt_ring {
            ($d each:ident) => { $d each! { $($both)* $($encrypt)* } };
        }
    };
}

lists! { $
    ntru {
        /// The ring of ntruhps2048509.
        NtruHps509: 2048, 509;
    }
    both {
        /// The ring of ntruhps2048677, and of ees677ep1.
        NtruHps677: 2048, 677;
    }
    ntru {
        /// The ring of ntruhps4096821.
        NtruHps821: 4096, 821;
        /// The ring of ntruhps40961229.
        NtruHps1229: 4096, 1229;
        /// The ring of ntruhrss701.
        NtruHrss701: 8192, 701;
        /// The ring of ntruhrss1373.
        NtruHrss1373: 16384, 1373;
    }
    ntruencrypt {
        /// The ring of ees401ep1 and ees401ep2.
        Ees401: 2048, 401;
        /// The ring of ees439ep1.
        Ees439: 2048, 439;
        /// The ring of ees443ep1.
        Ees443: 2048, 443;
        /// The ring of ees449ep1.
        Ees449: 2048, 449;
        /// The ring of ees541ep1.
        Ees541: 2048, 541;
        /// The ring of ees587ep1.
        Ees587: 2048, 587;
        /// The ring of ees593ep1.
        Ees593: 2048, 593;
        /// The ring of ees613ep1.
        Ees613: 2048, 613;
        /// The ring of ees653ep1.
        Ees653: 2048, 653;
        /// The ring of ees659ep1.
        Ees659: 2048, 659;
        /// The ring of ees743ep1.
        Ees743: 2048, 743;
        /// The ring of ees761ep1.
        Ees761: 2048, 761;
        /// The ring of ees853ep1.
        Ees853: 2048, 853;
        /// The ring of ees887ep1.
        Ees887: 2048, 887;
        /// The ring of ees1087ep1 and ees1087ep2.
        Ees1087: 2048, 1087;
        /// The ring of ees1171ep1.
        Ees1171: 2048, 1171;
        /// The ring of ees1499ep1.
        Ees1499: 2048, 1499;
    }
}

/// Rows of memory for a product, and for a prepared operand, of so many rows by any route.
const fn memory<M: ByMatrix>(rows: usize) -> [usize; 2] {
    [greater(13 * rows + 16, M::MEMORY[0]), greater(12 * rows, M::MEMORY[1])]
}

/// The matrix of a ring.
const fn matrix(n: usize, q: i64) -> Choice {
    class::matrix(rows(n), n, q.ilog2())
}

/// The same as a type.
macro_rules! length {
    ($q:literal, $n:literal) => {
        Length<{ rows($n) }, { matrix($n, $q).rows }, { matrix($n, $q).bits }>
    };
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
            type Scratch = Space<{ memory::<length!($q, $n)>(rows($n))[0] }, 0>;
            type Prepared = Space<{ memory::<length!($q, $n)>(rows($n))[1] }, 0>;
        }

        impl Routes for $ring {
            const PLANNED: &'static [Entry<Self>] = {
                type Primes = UpTo<{ rows($n) }, { bits($n, $q) }>;
                static ROUTES: [Entry<$ring>; 2] = [
                    Entry::of::<<length!($q, $n) as ByMatrix>::Of>(),
                    Entry::of::<<Primes as ByPrimes>::Of>(),
                ];
                &ROUTES
            };

            /// By primes where they are faster, and a row is one register: the 32-bit sums of base products
            /// are cheap there.
            fn planned_small(cpu: Cpu) -> &'static Entry<Self> {
                let by_primes = const { primes_win(matrix($n, $q)) } && cpu.registers_64() == 1;
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
