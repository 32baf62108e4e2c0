//! The backend without intrinsics: the definition of every operation, written out lane by lane.
//!
//! Compilers vectorise most of it with the target's baseline; where a machine has no backend of its own, this
//! one runs.

use crate::{
    ByteLanes, Enter, I16Lanes, I32Lanes, Kernel, LazyReduction, Row, Row32, Row64, Simd, U64Lanes, Watched,
};

/// The token that every machine has.
#[derive(Clone, Copy)]
pub struct Scalar;

/// 16 lanes in an array.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Lanes16([i16; 16]);

/// 8 lanes in an array.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Lanes32([i32; 8]);

/// 4 lanes in an array.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct Lanes64([u64; 4]);

/// The lanes `$i`, each computed by `$value`: written out, because a compiler takes far longer over a loop.
macro_rules! lanes {
    ($wrap:ident, 4, |$i:ident| $value:expr) => { lanes!(@ $wrap $i [$value] 0 1 2 3) };
    ($wrap:ident, 8, |$i:ident| $value:expr) => { lanes!(@ $wrap $i [$value] 0 1 2 3 4 5 6 7) };
    ($wrap:ident, 16, |$i:ident| $value:expr) => {
        lanes!(@ $wrap $i [$value] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $wrap:ident $i:ident $value:tt $($lane:literal)*) => {
        $wrap([$({ let $i: usize = $lane; lanes!(@ $value) }),*])
    };
    (@ [$value:expr]) => { $value };
}

/// Adds the products of pairs of words by one pair.
#[inline(always)]
fn madd_pair(sums: &mut [i32; 8], words: &Row, pair: [i16; 2]) {
    let mut i = 0;
    while i < 8 {
        let (even, odd) = (words[2 * i] as i32 * pair[0] as i32, words[2 * i + 1] as i32 * pair[1] as i32);
        sums[i] = sums[i].wrapping_add(even.wrapping_add(odd));
        i += 1;
    }
}

impl I16Lanes for Scalar {
    type I16 = Lanes16;
    type Acc = Lanes32;
    type Pairs = ();
    const HAS_ROUNDED_PRODUCT: bool = false;
    const STEP: LazyReduction = LazyReduction::Sign;
    const SIDE_BY_SIDE: bool = false;

    #[inline(always)]
    fn splat(self, x: i16) -> Lanes16 {
        Lanes16([x; 16])
    }
    #[inline(always)]
    fn load(self, row: &Row) -> Lanes16 {
        Lanes16(*row)
    }
    #[inline(always)]
    fn store(self, row: &mut Row, v: Lanes16) {
        *row = v.0;
    }
    #[inline(always)]
    fn keep_scalar(self, v: &mut Lanes16) {
        core::hint::black_box(v);
    }
    #[inline(never)]
    fn outlined<T>(self, part: impl FnOnce() -> T) -> T {
        part()
    }
    #[inline(always)]
    fn add(self, a: Lanes16, b: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| a.0[i].wrapping_add(b.0[i]))
    }
    #[inline(always)]
    fn sub(self, a: Lanes16, b: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| a.0[i].wrapping_sub(b.0[i]))
    }
    #[inline(always)]
    fn and(self, a: Lanes16, b: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| a.0[i] & b.0[i])
    }
    #[inline(always)]
    fn or(self, a: Lanes16, b: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| a.0[i] | b.0[i])
    }
    #[inline(always)]
    fn xor(self, a: Lanes16, b: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| a.0[i] ^ b.0[i])
    }
    #[inline(always)]
    fn eq(self, a: Lanes16, b: Lanes16) -> Lanes16 {
        // Of a difference less one, of 17 bits, the sign: see `gt`.
        lanes!(Lanes16, 16, |i| ((i32::from((a.0[i] ^ b.0[i]) as u16) - 1) >> 16) as i16)
    }
    #[inline(always)]
    fn gt(self, a: Lanes16, b: Lanes16) -> Lanes16 {
        // The difference has 17 bits, so what is above 16 is its sign: no comparison that a compiler may make
        // a branch of, as it does where it is asked for small code.
        lanes!(Lanes16, 16, |i| ((b.0[i] as i32 - a.0[i] as i32) >> 16) as i16)
    }
    #[inline(always)]
    fn mul_lo(self, a: Lanes16, b: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| a.0[i].wrapping_mul(b.0[i]))
    }
    #[inline(always)]
    fn mul_hi(self, a: Lanes16, b: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| ((a.0[i] as i32 * b.0[i] as i32) >> 16) as i16)
    }
    #[inline(always)]
    fn mul_hi_rounded(self, a: Lanes16, b: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| ((a.0[i] as i32 * b.0[i] as i32 + (1 << 14)) >> 15) as i16)
    }
    #[inline(always)]
    fn round_shift<const K: i32>(self, a: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| a.0[i].wrapping_add(1 << (K - 1)) >> K)
    }
    #[inline(always)]
    fn shift_right<const K: i32>(self, a: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| a.0[i] >> K)
    }
    #[inline(always)]
    fn apply_sign(self, a: Lanes16, s: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| {
            let mask = s.0[i] >> 15;
            (a.0[i] ^ mask).wrapping_sub(mask)
        })
    }
    #[inline(always)]
    fn zip<const B: usize>(self, a: Lanes16, b: Lanes16) -> (Lanes16, Lanes16) {
        // Lane i of result `part`: block (i mod half) / B, from a or b in turn.
        let lane = |part: usize, i: usize| {
            let (half, at) = if B == 8 { (0, i) } else { (i / 8 * 8, i % 8) };
            let (block, within) = (at / B, at % B);
            let from = half + part * if B == 8 { 8 } else { 4 } + block / 2 * B + within;
            if block % 2 == 0 { a.0[from] } else { b.0[from] }
        };
        (lanes!(Lanes16, 16, |i| lane(0, i)), lanes!(Lanes16, 16, |i| lane(1, i)))
    }
    #[inline(always)]
    fn load_twice(self, half: &[i16; 8]) -> Lanes16 {
        lanes!(Lanes16, 16, |i| half[i % 8])
    }
    #[inline(always)]
    fn half_window<const AT: usize>(self, low: Lanes16, high: Lanes16) -> Lanes16 {
        const { assert!(1 <= AT && AT <= 8) };
        lanes!(Lanes16, 16, |i| if i % 8 + AT < 8 { low.0[i + AT] } else { high.0[i + AT - 8] })
    }
    #[inline(always)]
    fn half_pair<const K: usize>(self, a: Lanes16) -> Lanes16 {
        const { assert!(K < 4) };
        lanes!(Lanes16, 16, |i| a.0[i / 8 * 8 + 2 * K + i % 2])
    }
    #[inline(always)]
    fn swap_pairs(self, a: Lanes16) -> Lanes16 {
        lanes!(Lanes16, 16, |i| a.0[i ^ 1])
    }
    #[inline(always)]
    fn acc_zero(self) -> Lanes32 {
        Lanes32([0; 8])
    }
    #[inline(always)]
    fn madd_pairs(self, c: Lanes32, a: Lanes16, b: Lanes16) -> Lanes32 {
        lanes!(Lanes32, 8, |i| {
            let even = a.0[2 * i] as i32 * b.0[2 * i] as i32;
            let odd = a.0[2 * i + 1] as i32 * b.0[2 * i + 1] as i32;
            c.0[i].wrapping_add(even.wrapping_add(odd))
        })
    }
    #[inline(never)]
    fn madd_windows(self, sums: &mut [Lanes32; 2], a: &Row, rows: &[Row; 2]) {
        let words: &[i16; 32] = rows.as_flattened().first_chunk().expect("32 words");
        let mut p = 0;
        while p < 8 {
            // Hidden from the compiler, which would take pairs apart that its vectors multiply and add at
            // once.
            let pair = core::hint::black_box([a[2 * p], a[2 * p + 1]]);
            let first = 15 - 2 * p;
            madd_pair(&mut sums[0].0, words[first..first + 16].first_chunk().expect("16 words"), pair);
            madd_pair(&mut sums[1].0, words[first + 1..first + 17].first_chunk().expect("16 words"), pair);
            p += 1;
        }
    }
    #[inline(always)]
    fn madd_windows_n<const K: usize>(self, sums: &mut [[Lanes32; 2]; K], a: &Row, rows: &[[Row; 2]; K]) {
        let mut k = 0;
        while k < K {
            self.madd_windows(&mut sums[k], a, &rows[k]);
            k += 1;
        }
    }
    #[inline(always)]
    fn even_odd(self, e: Lanes32, o: Lanes32) -> (Lanes16, Lanes16) {
        let sum = |i: usize| if i & 1 == 0 { e.0[i / 2] } else { o.0[i / 2] };
        (lanes!(Lanes16, 16, |i| sum(i) as i16), lanes!(Lanes16, 16, |i| (sum(i) >> 16) as i16))
    }
    #[inline(always)]
    fn splat_pair(self, p: &[i16; 2]) -> Lanes16 {
        lanes!(Lanes16, 16, |i| p[i % 2])
    }
    #[inline(always)]
    fn pairs(self, _: &Row) {}
    #[inline(always)]
    fn pair<const K: usize>(self, row: &Row, (): ()) -> Lanes16 {
        self.splat_pair(&[row[2 * K], row[2 * K + 1]])
    }
}

impl I32Lanes for Scalar {
    type I32 = Lanes32;

    #[inline(always)]
    fn splat32(self, x: i32) -> Lanes32 {
        Lanes32([x; 8])
    }
    #[inline(always)]
    fn load32(self, row: &Row32) -> Lanes32 {
        Lanes32(*row)
    }
    #[inline(always)]
    fn store32(self, row: &mut Row32, v: Lanes32) {
        *row = v.0;
    }
    #[inline(always)]
    fn add32(self, a: Lanes32, b: Lanes32) -> Lanes32 {
        lanes!(Lanes32, 8, |i| a.0[i].wrapping_add(b.0[i]))
    }
    #[inline(always)]
    fn sub32(self, a: Lanes32, b: Lanes32) -> Lanes32 {
        lanes!(Lanes32, 8, |i| a.0[i].wrapping_sub(b.0[i]))
    }
    #[inline(always)]
    fn xor32(self, a: Lanes32, b: Lanes32) -> Lanes32 {
        lanes!(Lanes32, 8, |i| a.0[i] ^ b.0[i])
    }
    #[inline(always)]
    fn rotate_left32<const LEFT: i32, const RIGHT: i32>(self, a: Lanes32) -> Lanes32 {
        const { assert!(0 < LEFT && 0 < RIGHT && LEFT + RIGHT == 32) };
        lanes!(Lanes32, 8, |i| a.0[i].rotate_left(LEFT as u32))
    }
    #[inline(always)]
    fn min_max32(self, a: Lanes32, b: Lanes32) -> (Lanes32, Lanes32) {
        // All ones where a > b; no comparison that a compiler may make a branch of. The shift is hidden from
        // it: it takes one by 31 and the product with it for a question of the sign, and asks that in a
        // branch. By reference: a constant in memory needs no copy first.
        let sign = *core::hint::black_box(&(i32::BITS - 1));
        let change = lanes!(Lanes32, 8, |i| {
            // The sign of b - a, but where the difference overflows.
            let (differ, less) = (a.0[i] ^ b.0[i], b.0[i].wrapping_sub(a.0[i]));
            (less ^ (differ & (less ^ b.0[i]))).wrapping_shr(sign) & differ
        });
        (lanes!(Lanes32, 8, |i| a.0[i] ^ change.0[i]), lanes!(Lanes32, 8, |i| b.0[i] ^ change.0[i]))
    }
    #[inline(always)]
    fn and32(self, a: Lanes32, b: Lanes32) -> Lanes32 {
        lanes!(Lanes32, 8, |i| a.0[i] & b.0[i])
    }
    #[inline(always)]
    fn shift_right32<const K: i32>(self, a: Lanes32) -> Lanes32 {
        // A mask of the sign is hidden from the compiler, as in `min_max32`: with what it selects it would
        // become a branch.
        let by = if K == i32::BITS as i32 - 1 { *core::hint::black_box(&(i32::BITS - 1)) } else { K as u32 };
        lanes!(Lanes32, 8, |i| a.0[i].wrapping_shr(by))
    }
    #[inline(always)]
    fn mul_lo32(self, a: Lanes32, b: Lanes32) -> Lanes32 {
        lanes!(Lanes32, 8, |i| a.0[i].wrapping_mul(b.0[i]))
    }
    #[inline(always)]
    fn mul_word32(self, a: Lanes32, b: Lanes32) -> Lanes32 {
        lanes!(Lanes32, 8, |i| (a.0[i] as i16 as i32).wrapping_mul(b.0[i] as i16 as i32))
    }
    #[inline(always)]
    fn mul_split32<const K: i32>(self, a: Lanes32, b: Lanes32) -> (Lanes32, Lanes32) {
        let product = |i: usize| a.0[i] as i64 * b.0[i] as i64;
        (lanes!(Lanes32, 8, |i| product(i) as i32), lanes!(Lanes32, 8, |i| (product(i) >> K) as i32))
    }
    #[inline(always)]
    fn zip32<const B: usize>(self, a: Lanes32, b: Lanes32) -> (Lanes32, Lanes32) {
        let lane = |part: usize, i: usize| {
            let (half, at) = if B == 4 { (0, i) } else { (i / 4 * 4, i % 4) };
            let (block, within) = (at / B, at % B);
            let from = half + part * if B == 4 { 4 } else { 2 } + block / 2 * B + within;
            if block % 2 == 0 { a.0[from] } else { b.0[from] }
        };
        (lanes!(Lanes32, 8, |i| lane(0, i)), lanes!(Lanes32, 8, |i| lane(1, i)))
    }
    #[inline(always)]
    fn madd32(self, a: Lanes16, b: Lanes16) -> Lanes32 {
        self.madd_pairs(Lanes32([0; 8]), a, b)
    }
    #[inline(always)]
    fn words(self, a: Lanes32) -> Lanes16 {
        lanes!(Lanes16, 16, |i| (a.0[i / 2] >> (16 * (i % 2))) as i16)
    }
    #[inline(always)]
    fn double_words(self, a: Lanes16) -> Lanes32 {
        lanes!(Lanes32, 8, |i| a.0[2 * i] as u16 as i32 | (a.0[2 * i + 1] as i32) << 16)
    }
    #[inline(always)]
    fn widen(self, a: Lanes16) -> (Lanes32, Lanes32) {
        (lanes!(Lanes32, 8, |i| a.0[i] as i32), lanes!(Lanes32, 8, |i| a.0[i + 8] as i32))
    }
    #[inline(always)]
    fn narrow(self, low: Lanes32, high: Lanes32) -> Lanes16 {
        lanes!(Lanes16, 16, |i| (if i < 8 { low.0[i] } else { high.0[i - 8] }) as i16)
    }
}

impl U64Lanes for Scalar {
    type U64 = Lanes64;
    const REGISTERS_64: usize = 4;

    #[inline(always)]
    fn splat64(self, x: u64) -> Lanes64 {
        Lanes64([x; 4])
    }
    #[inline(always)]
    fn load64(self, row: &Row64) -> Lanes64 {
        Lanes64(*row)
    }
    #[inline(always)]
    fn store64(self, row: &mut Row64, v: Lanes64) {
        *row = v.0;
    }
    #[inline(always)]
    fn add64(self, a: Lanes64, b: Lanes64) -> Lanes64 {
        lanes!(Lanes64, 4, |i| a.0[i].wrapping_add(b.0[i]))
    }
    #[inline(always)]
    fn xor64(self, a: Lanes64, b: Lanes64) -> Lanes64 {
        lanes!(Lanes64, 4, |i| a.0[i] ^ b.0[i])
    }
    #[inline(always)]
    fn and64(self, a: Lanes64, b: Lanes64) -> Lanes64 {
        lanes!(Lanes64, 4, |i| a.0[i] & b.0[i])
    }
    #[inline(always)]
    fn or64(self, a: Lanes64, b: Lanes64) -> Lanes64 {
        lanes!(Lanes64, 4, |i| a.0[i] | b.0[i])
    }
    #[inline(always)]
    fn shift_right64<const K: i32>(self, a: Lanes64) -> Lanes64 {
        lanes!(Lanes64, 4, |i| a.0[i] >> K)
    }
    #[inline(always)]
    fn shift_left64<const K: i32>(self, a: Lanes64) -> Lanes64 {
        lanes!(Lanes64, 4, |i| a.0[i] << K)
    }
    #[inline(always)]
    fn across64(self, a: Lanes64, b: Lanes64) -> Lanes64 {
        let two = [a.0, b.0];
        lanes!(Lanes64, 4, |i| two[i % 2][i ^ 1])
    }
    #[inline(always)]
    fn rotate_lanes64<const K: usize>(self, a: Lanes64) -> Lanes64 {
        const { assert!(1 <= K && K <= 3) };
        lanes!(Lanes64, 4, |i| a.0[(i + K) % 4])
    }
    #[inline(always)]
    fn and_not64(self, a: Lanes64, b: Lanes64) -> Lanes64 {
        lanes!(Lanes64, 4, |i| !a.0[i] & b.0[i])
    }
    #[inline(always)]
    fn rotate_left64<const LEFT: i32, const RIGHT: i32>(self, a: Lanes64) -> Lanes64 {
        const { assert!(0 < LEFT && 0 < RIGHT && LEFT + RIGHT == 64) };
        lanes!(Lanes64, 4, |i| a.0[i].rotate_left(LEFT as u32))
    }
}

impl ByteLanes for Scalar {}

impl Watched for Scalar {}

impl Simd for Scalar {
    const NAME: &'static str = "scalar";
    const VECTORS: bool = false;
    #[inline]
    fn vectorize<K: Kernel>(self, kernel: K) -> K::Out {
        // SAFETY: `enter` needs no instruction that not every CPU has.
        unsafe { kernel.enter(self) }
    }
}

impl<K: Kernel> Enter<Scalar> for K {
    #[inline(never)]
    unsafe fn enter(self, token: Scalar) -> K::Out {
        self.run(token)
    }
}
