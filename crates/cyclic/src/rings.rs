//! The catalogue: each ring is one line, its modulus and its degree.
//!
//! The crate `ringsmith-routes` has other routes. To add a ring, see `docs/add-a-ring.md`.

use crate::class;
use crate::class::{ByPrimes, Planned, UpTo};
use crate::{bits, rows};
use ringsmith_ring::{Entry, Ring, Routes, Rows, Shape, Space};

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

/// Rows of memory for a product of elements of so many rows by any route.
const fn scratch(rows: usize) -> usize {
    18 * rows + 64
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
            type Scratch = Space<{ scratch(rows($n)) }, 0>;
            type Prepared = Space<{ 12 * rows($n) }, 0>;
        }

        impl Routes for $ring {
            const PLANNED: &'static [Entry<Self>] = {
                static ROUTES: &[Entry<$ring>] = &[
                    Entry::of::<<UpTo<{ rows($n) }, { bits($n, $q) }> as ByPrimes>::Route>(),
                    Entry::product::<<class::Rows<{ rows($n) }> as Planned>::InWords>(),
                ];
                ROUTES
            };
        }

        // The compiler proves the bounds of the ring: a lane that could overflow is a build error here.
        const _: () = $ring::CHECK;
    )* };
}

each_ring!(rings);
