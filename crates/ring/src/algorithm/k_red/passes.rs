//! The passes over memory and the kernels made of them.
//!
//! Rows hold 8 coefficients. The outer pass widens the input and takes two layers over rows a quarter of all
//! apart (one layer, half apart, for 64 rows), the middle pass two layers over rows eight apart (none for 32
//! rows), the last one tiles of eight rows: three layers across, a transpose in registers, three inside. The
//! inverse goes the other way.

use super::{KRedTransform, Reductions};
use crate::algorithm::choice::{self, Direction};
use crate::algorithm::network::column;
use crate::reduce::barrett;
use crate::reduce::k_red::KRed;
use crate::reduce::montgomery;
use core::marker::PhantomData;
use ringsmith_simd::{Kernel, Row, Row32, Simd, each, transpose32};

/// A kernel of one transform: the parameters, and what it works on.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* } |$self:ident, $s:ident| $body:block) => {
        $(#[$doc])*
        pub(super) struct $name<'a, const Q: i64, const ROWS: usize, const WIDE: usize, P>
        {
            $(pub(super) $field: $type,)*
            pub(super) reductions: PhantomData<P>,
        }
        impl<const Q: i64, const ROWS: usize, const WIDE: usize, P: Reductions> Kernel
            for $name<'_, Q, ROWS, WIDE, P>
        {
            type Out = ();
            #[inline(always)]
            fn run<S: Simd>($self, $s: S) $body
        }
    };
}

kernel! {
    /// Into the domain.
    Forward { input: &'a [Row; ROWS], out: &'a mut [Row32; WIDE] } |self, s| {
        match WIDE {
            64 => KRedTransform::<Q, ROWS, WIDE, P>::forward_outer::<S, 1>(s, self.input, self.out),
            _ => KRedTransform::<Q, ROWS, WIDE, P>::forward_outer::<S, 2>(s, self.input, self.out),
        }
        if WIDE > 32 {
            KRedTransform::<Q, ROWS, WIDE, P>::middle::<S, choice::Forward>(s, self.out);
        }
        KRedTransform::<Q, ROWS, WIDE, P>::forward_tiles(s, self.out);
    }
}

kernel! {
    /// `a = a b`, slot by slot.
    Pointwise { a: &'a mut [Row32; WIDE], b: &'a [Row32; WIDE] } |self, s| {
        let plan = const { KRedTransform::<Q, ROWS, WIDE, P>::PLAN };
        for (a, b) in self.a.iter_mut().zip(self.b) {
            let x = k_red_times::<S, Q>(s, s.load32(a), plan.operands);
            let y = k_red_times::<S, Q>(s, s.load32(b), plan.operands);
            let product = KRedTransform::<Q, ROWS, WIDE, P>::product(s, x, y, plan.product_2x);
            let reduced = if plan.product_2x {
                KRed::<Q>::reduce_2x(s, product)
            } else {
                KRed::<Q>::reduce(s, product)
            };
            s.store32(a, reduced);
        }
    }
}

kernel! {
    /// Out of the domain, to centred coefficients; spoils its input.
    Inverse { domain: &'a mut [Row32; WIDE], out: &'a mut [Row; ROWS] } |self, s| {
        KRedTransform::<Q, ROWS, WIDE, P>::inverse_tiles(s, self.domain);
        if WIDE > 32 {
            KRedTransform::<Q, ROWS, WIDE, P>::middle::<S, choice::Inverse>(s, self.domain);
        }
        match WIDE {
            64 => KRedTransform::<Q, ROWS, WIDE, P>::inverse_outer::<S, 1>(s, self.domain, self.out),
            _ => KRedTransform::<Q, ROWS, WIDE, P>::inverse_outer::<S, 2>(s, self.domain, self.out),
        }
    }
}

/// `times` K-REDs one after the other.
#[inline(always)]
pub(super) fn k_red_times<S: Simd, const Q: i64>(s: S, mut x: S::I32, times: u32) -> S::I32 {
    let mut i = 0;
    while i < times {
        x = KRed::<Q>::reduce(s, x);
        i += 1;
    }
    x
}

/// Register `r` is row `at(r)`.
#[inline(always)]
fn load8<S: Simd>(s: S, rows: &[Row32], at: impl Fn(usize) -> usize) -> [S::I32; 8] {
    each(
        #[inline(always)]
        |r| s.load32(&rows[at(r)]),
    )
}

/// Row `at(r)` is register `r`.
#[inline(always)]
fn store8<S: Simd>(s: S, rows: &mut [Row32], at: impl Fn(usize) -> usize, x: [S::I32; 8]) {
    let mut r = 0;
    while r < 8 {
        s.store32(&mut rows[at(r)], x[r]);
        r += 1;
    }
}

impl<const Q: i64, const ROWS: usize, const WIDE: usize, P: Reductions> KRedTransform<Q, ROWS, WIDE, P> {
    /// Layers of the outer pass.
    const OUTER: usize = if WIDE == 64 { 1 } else { 2 };
    /// Blocks of the middle pass, and its first node.
    const BLOCKS: usize = WIDE / 32;
    /// Layers before the tiles.
    const ABOVE_TILES: usize = WIDE.trailing_zeros() as usize - 3;

    /// Whether each of three forward layers from `first` is reduced.
    const fn forward_codes(first: usize) -> [bool; 3] {
        let f = Self::PLAN.forward;
        [f[first], f[first + 1], f[first + 2]]
    }

    /// The same of three layers of the inverse, `first` counted from its beginning.
    const fn inverse_codes(first: usize) -> [bool; 3] {
        let f = Self::PLAN.inverse;
        [f[first], f[first + 1], f[first + 2]]
    }

    /// Widens the input on the way to the first layers.
    #[inline(always)]
    fn forward_outer<S: Simd, const LAYERS: usize>(s: S, input: &[Row; ROWS], out: &mut [Row32; WIDE]) {
        if LAYERS != Self::OUTER {
            return; // an arm of a match that no one takes
        }
        let (table, reduced) = (const { &Self::FORWARD.0 }, const { Self::forward_codes(0) });
        let mut i = 0;
        while i < WIDE >> LAYERS {
            let at = |r| column(LAYERS, i, r, WIDE >> LAYERS);
            let wide = each::<_, 4>(
                #[inline(always)]
                |j| s.widen(s.load(&input[at(2 * j) / 2])),
            );
            let mut x = each(
                #[inline(always)]
                |r| if r % 2 == 0 { wide[r / 2].0 } else { wide[r / 2].1 },
            );
            Self::forward_network::<S, LAYERS>(s, &mut x, table, 1, reduced);
            store8(s, out, at, x);
            i += 8 >> LAYERS;
        }
    }

    /// Two layers over rows eight apart, forwards or backwards.
    #[inline(always)]
    fn middle<S: Simd, D: Direction>(s: S, rows: &mut [Row32; WIDE]) {
        let forward = const { Self::forward_codes(Self::OUTER) };
        // The first code would be that of a third layer, which the tiles have had.
        let inverse = const { Self::inverse_codes(5) };
        let mut block = 0;
        while block < Self::BLOCKS {
            let (node, mut i) = (Self::BLOCKS + block, 32 * block);
            while i < 32 * block + 8 {
                let at = |r| column(2, i, r, 8);
                let mut x = load8(s, rows, at);
                if D::INVERSE {
                    let table = const { &Self::INVERSE.0 };
                    Self::inverse_network::<S, 2>(s, &mut x, table, node, inverse);
                } else {
                    Self::forward_network::<S, 2>(s, &mut x, const { &Self::FORWARD.0 }, node, forward);
                }
                store8(s, rows, at, x);
                i += 2;
            }
            block += 1;
        }
    }

    /// Six layers on eight neighbouring rows: three across, a transpose, three inside.
    #[inline(always)]
    fn forward_tiles<S: Simd>(s: S, rows: &mut [Row32; WIDE]) {
        let (table, lanes) = (const { &Self::FORWARD.0 }, const { &Self::FORWARD_LANES.0 });
        let across = const { Self::forward_codes(Self::ABOVE_TILES) };
        let inside = const { Self::forward_codes(Self::ABOVE_TILES + 3) };
        let (tiles, tables) = (rows.as_chunks_mut::<8>().0, lanes.as_chunks::<8>().0);
        for (t, (tile, lanes)) in tiles.iter_mut().zip(tables).enumerate() {
            let mut x = load8(s, tile, |r| r);
            Self::forward_network::<S, 3>(s, &mut x, table, WIDE / 8 + t, across);
            let mut x = transpose32(s, x);
            Self::forward_network::<S, 3>(s, &mut x, lanes, 1, inside);
            store8(s, tile, |r| r, x);
        }
    }

    /// The six layers of the tiles backwards.
    #[inline(always)]
    fn inverse_tiles<S: Simd>(s: S, rows: &mut [Row32; WIDE]) {
        let (table, lanes) = (const { &Self::INVERSE.0 }, const { &Self::INVERSE_LANES.0 });
        let (inside, across) = (const { Self::inverse_codes(0) }, const { Self::inverse_codes(3) });
        let (tiles, tables) = (rows.as_chunks_mut::<8>().0, lanes.as_chunks::<8>().0);
        for (t, (tile, lanes)) in tiles.iter_mut().zip(tables).enumerate() {
            let mut x = load8(s, tile, |r| r);
            Self::inverse_network::<S, 3>(s, &mut x, lanes, 1, inside);
            let mut x = transpose32(s, x);
            Self::inverse_network::<S, 3>(s, &mut x, table, WIDE / 8 + t, across);
            store8(s, tile, |r| r, x);
        }
    }

    /// The last layers, narrowed and centred at once.
    #[inline(always)]
    fn inverse_outer<S: Simd, const LAYERS: usize>(s: S, rows: &[Row32; WIDE], out: &mut [Row; ROWS]) {
        if LAYERS != Self::OUTER {
            return; // an arm of a match that no one takes
        }
        let table = const { &Self::INVERSE.0 };
        let reduced = const { Self::inverse_codes(Self::PROBLEM.layers - 3) };
        let mut i = 0;
        while i < WIDE >> LAYERS {
            let at = |r| column(LAYERS, i, r, WIDE >> LAYERS);
            let mut x = load8(s, rows, at);
            Self::last_network::<S, LAYERS>(s, &mut x, table, reduced);
            let mut j = 0;
            while j < 4 {
                s.store(&mut out[at(2 * j) / 2], Self::centre(s, x[2 * j], x[2 * j + 1]));
                j += 1;
            }
            i += 8 >> LAYERS;
        }
    }

    /// Two rows of results as one row of centred coefficients.
    #[inline(always)]
    fn centre<S: Simd>(s: S, low: S::I32, high: S::I32) -> S::I16 {
        let tail = const { Self::PLAN.tail };
        let x = s.narrow(k_red_times::<S, Q>(s, low, tail), k_red_times::<S, Q>(s, high, tail));
        let x = if P::BY_PAPER { montgomery::scale::<S, Q>(s, x, const { Self::UNTAIL }) } else { x };
        barrett::exact::<S, Q>(s, x)
    }
}
