//! What a CPU can do with a row: the operations that algorithms are written in.
//!
//! Every operation is defined lane by lane in plain arithmetic; the scalar backend is that definition written
//! out, and the tests hold every other backend to it. Lane `i` of a vector is element `i` of the row that it
//! was loaded from.

use crate::{TwoRowLanes, WordLanes, each};

/// Sixteen coefficients of 16 bits: one vector on every backend (one AVX2 register, two of SSE2 or NEON).
pub type Row = [i16; 16];

/// Eight coefficients of 32 bits: the wide vector on every backend.
pub type Row32 = [i32; 8];

/// Four lanes of 64 bits: the same word of four streams.
pub type Row64 = [u64; 4];
/// Eight words of 64 bits.
pub type WideRow = [u64; 8];

/// The step that a CPU takes most cheaply to shrink a value a little; the bounds of either are known at
/// compile time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LazyReduction {
    /// `a - sign(a) q`: no multiplication (x86).
    Sign,
    /// `a - round(a / q) q` with a one-word quotient (NEON has the rounding product and the
    /// multiply-subtract).
    Barrett,
}

/// Vectors of 16 lanes of `i16`.
///
/// All arithmetic wraps; the bounds that make it exact are proved by the algorithms at compile time.
/// Nothing here branches on, or forms an address from, the value of a lane.
pub trait I16Lanes: Copy + Send + Sync + 'static {
    /// 16 lanes of `i16`.
    type I16: Copy;
    /// 8 sums of 32 bits, each of a pair of products; opaque, because NEON keeps the two terms apart until
    /// [`even_odd`](I16Lanes::even_odd).
    type Acc: Copy;
    /// What [`pair`](I16Lanes::pair) wants to know of a row beforehand.
    type Pairs: Copy;
    /// Whether `mul_hi_rounded` is one instruction here.
    const HAS_ROUNDED_PRODUCT: bool;
    /// The cheapest small reduction of this CPU.
    const STEP: LazyReduction;
    /// Whether two lots of work side by side are faster than one after the other where each is a long chain:
    /// on x86 they hide each other's waits, though they need more registers than there are. The scalar
    /// backend's vectors are in memory as it is; on NEON, where nothing was timed, it takes a sixth more
    /// instructions.
    const SIDE_BY_SIDE: bool;

    /// `x` in every lane.
    fn splat(self, x: i16) -> Self::I16;
    /// The lanes of a row.
    fn load(self, row: &Row) -> Self::I16;
    /// Writes the lanes to a row.
    fn store(self, row: &mut Row, v: Self::I16);
    /// Words `AT .. AT + 16` of two rows: a load or a shuffle, as the CPU likes. `AT <= 16`.
    #[inline(always)]
    fn window<const AT: usize>(self, rows: &[Row; 2]) -> Self::I16 {
        const { assert!(AT <= 16) };
        self.load(rows.as_flattened()[AT..AT + 16].first_chunk().expect("16 words"))
    }
    /// A step in a long straight line of operations. A backend whose lanes are numbers to the compiler has
    /// the value in memory here: that keeps what is done to all lanes together, and they are found to be a
    /// vector. Nothing where there are vectors.
    #[inline(always)]
    fn keep_scalar(self, _: &mut Self::I16) {}
    /// A part of a kernel that may be a function of its own: such a backend makes it one, as compilers look
    /// for vectors in short functions only. Nothing where there are vectors, which stay in registers.
    #[inline(always)]
    fn outlined<T>(self, part: impl FnOnce() -> T) -> T {
        part()
    }
    /// `a + b`.
    fn add(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// `a - b`.
    fn sub(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// `a & b`.
    fn and(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// `a | b`.
    fn or(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// `a ^ b`.
    fn xor(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// `a` where `mask` is -1, `b` where it is 0; a mask has no other lanes.
    #[inline(always)]
    fn select(self, mask: Self::I16, a: Self::I16, b: Self::I16) -> Self::I16 {
        self.add(b, self.and(self.sub(a, b), mask))
    }
    /// `-1` where `a = b`, else `0`.
    fn eq(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// `-1` where `a > b`, else `0`.
    fn gt(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// The low word of `a b`.
    fn mul_lo(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// The high word of `a b`: `floor(a b / 2^16)`.
    fn mul_hi(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// `floor((a b + 2^14) / 2^15)`; for `a = b = -2^15` the result is not defined (CPUs differ).
    fn mul_hi_rounded(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// `floor((a + 2^(K-1)) / 2^K)` for `1 <= K <= 14` and `a < 2^15 - 2^(K-1)`.
    fn round_shift<const K: i32>(self, a: Self::I16) -> Self::I16;
    /// `floor(a / 2^K)`, `1 <= K <= 15`.
    fn shift_right<const K: i32>(self, a: Self::I16) -> Self::I16;
    /// `a` where `s > 0`, `-a` where `s < 0`; where `s = 0` either `0` or `a` (CPUs differ, both are as good
    /// to us).
    fn apply_sign(self, a: Self::I16, s: Self::I16) -> Self::I16;
    /// The signed Montgomery product by a constant: `hi(a z) - hi(lo(a zq) q)` with `zq = z q^-1 mod 2^16`.
    ///
    /// Congruent to `a z 2^-16` modulo `q`, and at most `|a z| / 2^16 + q / 2 + 1` in absolute value. `z` is
    /// a centred constant: `a = z = -2^15` is not defined (CPUs differ).
    #[inline(always)]
    fn mul_mont(self, a: Self::I16, z: Self::I16, zq: Self::I16, q: Self::I16) -> Self::I16 {
        let low = self.mul_lo(a, zq);
        self.sub(self.mul_hi(a, z), self.mul_hi(low, q))
    }
    /// `K` Montgomery products, breadth first: all low words, all high words, and so on (10% over depth
    /// first).
    #[inline(always)]
    fn mul_mont_n<const K: usize>(
        self,
        a: [Self::I16; K],
        z: [Self::I16; K],
        zq: [Self::I16; K],
        q: Self::I16,
    ) -> [Self::I16; K] {
        let (mut low, mut high) = (a, a);
        let mut j = 0;
        while j < K {
            low[j] = self.mul_lo(a[j], zq[j]);
            j += 1;
        }
        j = 0;
        while j < K {
            high[j] = self.mul_hi(a[j], z[j]);
            j += 1;
        }
        j = 0;
        while j < K {
            low[j] = self.mul_hi(low[j], q);
            j += 1;
        }
        j = 0;
        while j < K {
            high[j] = self.sub(high[j], low[j]);
            j += 1;
        }
        high
    }
    /// Within each half (8 lanes): blocks of `B` lanes of `a` and `b` in turn, `B` = 1, 2 or 4; the first
    /// result has the low four lanes of each half, the second the high four. `B = 8`: (low half of `a`, low
    /// half of `b`), and the two high halves.
    fn zip<const B: usize>(self, a: Self::I16, b: Self::I16) -> (Self::I16, Self::I16);
    /// `zip::<8>` of two rows in memory.
    #[inline(always)]
    fn load_zip8(self, a: &Row, b: &Row) -> (Self::I16, Self::I16) {
        self.zip::<8>(self.load(a), self.load(b))
    }
    /// The same eight words in both halves.
    fn load_twice(self, half: &[i16; 8]) -> Self::I16;
    /// In each half (8 lanes): words `AT .. AT + 8` of that half of `low` followed by that of `high`;
    /// `1 <= AT <= 8`.
    fn half_window<const AT: usize>(self, low: Self::I16, high: Self::I16) -> Self::I16;
    /// In each half: its pair `K`, `(a[2K], a[2K+1])`, in every pair of lanes; `K < 4`.
    fn half_pair<const K: usize>(self, a: Self::I16) -> Self::I16;
    /// Lanes `2i` and `2i + 1` change places.
    fn swap_pairs(self, a: Self::I16) -> Self::I16;
    /// Eight sums, all zero.
    fn acc_zero(self) -> Self::Acc;
    /// Adds `a[2i] b[2i] + a[2i+1] b[2i+1]` to sum `i`, wrapping in 32 bits.
    fn madd_pairs(self, c: Self::Acc, a: Self::I16, b: Self::I16) -> Self::Acc;
    /// Joins the sums of even places `e` and of odd places `o` in natural order and splits them in words:
    /// `low[2i] = e[i] mod 2^16`, `low[2i+1] = o[i] mod 2^16`; `high` the same of `floor(. / 2^16)`.
    fn even_odd(self, e: Self::Acc, o: Self::Acc) -> (Self::I16, Self::I16);
    /// `(p[0], p[1])` in every pair of lanes.
    fn splat_pair(self, p: &[i16; 2]) -> Self::I16;
    /// Prepares [`pair`](I16Lanes::pair).
    fn pairs(self, row: &Row) -> Self::Pairs;
    /// `(row[2K], row[2K+1])` in every pair of lanes: a shuffle or a load, as the CPU likes. `K < 8`.
    fn pair<const K: usize>(self, row: &Row, prepared: Self::Pairs) -> Self::I16;
    /// Adds the products of a row's pairs with the words `w` of two rows, for every pair `p`:
    /// `a[2p] w[15 - 2p + 2i] + a[2p+1] w[16 - 2p + 2i]` to sum `i` of the even places, and the same one word
    /// later to the odd ones. So a row of a polynomial's coefficients, swapped in pairs, is multiplied by
    /// another's.
    #[inline(always)]
    fn madd_windows(self, sums: &mut [Self::Acc; 2], a: &Row, rows: &[Row; 2]) {
        let prepared = self.pairs(a);
        macro_rules! pairs {
            ($($p:literal)*) => { $(
                let pair = self.pair::<$p>(a, prepared);
                sums[0] = self.madd_pairs(sums[0], pair, self.window::<{ 15 - 2 * $p }>(rows));
                sums[1] = self.madd_pairs(sums[1], pair, self.window::<{ 16 - 2 * $p }>(rows));
            )* };
        }
        pairs!(0 4 1 5 2 6 3 7);
    }
    /// A row of an operand of [`mac_words`](I16Lanes::mac_words), as this CPU takes it.
    #[inline(always)]
    fn word_operand(self, a: Self::I16) -> Self::I16 {
        self.swap_pairs(a)
    }
    /// Adds the products of a row with the words `w` of two: `a[j] w[16 - j + i]` for every `j` to sum `i`,
    /// of which the low words count alone.
    #[inline(always)]
    fn mac_words(self, sums: &mut [Self::Acc; 2], a: &Row, rows: &[Row; 2]) {
        self.madd_windows(sums, a, rows);
    }
    /// `sum + x a` for one word `x`: low words.
    #[inline(always)]
    fn mac_word(self, sum: Self::I16, a: Self::I16, x: i16) -> Self::I16 {
        self.add(sum, self.mul_lo(a, self.splat(x)))
    }
    /// `sum + sign a` where all lanes of `sign` are -1, 0 or 1: `a` is added, left out, or taken off.
    #[inline(always)]
    fn add_signed(self, sum: Self::I16, a: Self::I16, sign: Self::I16) -> Self::I16 {
        self.add(sum, self.mul_lo(a, sign))
    }
    /// The low words of such sums.
    #[inline(always)]
    fn word_sums(self, sums: [Self::Acc; 2]) -> Self::I16 {
        self.even_odd(sums[0], sums[1]).0
    }
    /// `a`, had before what follows begins. Where one product takes the registers, a compiler that begins the
    /// next keeps parts of both in memory.
    #[inline(always)]
    fn before_next(self, a: Self::I16) -> Self::I16 {
        a
    }
    /// [`madd_windows`](I16Lanes::madd_windows) of one row with `K` times two rows, each to its own sums: a
    /// pair is spread once.
    #[inline(always)]
    fn madd_windows_n<const K: usize>(self, sums: &mut [[Self::Acc; 2]; K], a: &Row, rows: &[[Row; 2]; K]) {
        let prepared = self.pairs(a);
        macro_rules! pairs {
            ($($p:literal)*) => { $(
                let pair = self.pair::<$p>(a, prepared);
                let mut k = 0;
                while k < K {
                    sums[k][0] = self.madd_pairs(sums[k][0], pair, self.window::<{ 15 - 2 * $p }>(&rows[k]));
                    sums[k][1] = self.madd_pairs(sums[k][1], pair, self.window::<{ 16 - 2 * $p }>(&rows[k]));
                    k += 1;
                }
            )* };
        }
        pairs!(0 4 1 5 2 6 3 7);
    }
}

/// Vectors of 8 lanes of `i32`.
pub trait I32Lanes: I16Lanes {
    /// 8 lanes of `i32`.
    type I32: Copy;

    /// `x` in every lane.
    fn splat32(self, x: i32) -> Self::I32;
    /// The lanes of a row.
    fn load32(self, row: &Row32) -> Self::I32;
    /// Writes the lanes to a row.
    fn store32(self, row: &mut Row32, v: Self::I32);
    /// `a + b`.
    fn add32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a - b`.
    fn sub32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The lesser and the greater of `a` and `b`: a comparator of a sorting network.
    fn min_max32(self, a: Self::I32, b: Self::I32) -> (Self::I32, Self::I32);
    /// `a & b`.
    fn and32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a ^ b`.
    fn xor32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `floor(a / 2^K)`.
    fn shift_right32<const K: i32>(self, a: Self::I32) -> Self::I32;
    /// The 32 bits of `a` rotated by `LEFT` to the left, which is `RIGHT = 32 - LEFT` to the right;
    /// `1 <= LEFT <= 31`.
    fn rotate_left32<const LEFT: i32, const RIGHT: i32>(self, a: Self::I32) -> Self::I32;
    /// The low 32 bits of `a b`.
    fn mul_lo32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a b` where `0 <= a < 2^15` and `b` is a signed word (`|b| < 2^15`): one multiply-add on every CPU,
    /// where a full 32-bit product costs two to four.
    fn mul_word32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// The exact 64-bit product `p = a b`, as `(p mod 2^32, floor(p / 2^K) mod 2^32)`; `1 <= K <= 31`.
    fn mul_split32<const K: i32>(self, a: Self::I32, b: Self::I32) -> (Self::I32, Self::I32);
    /// Within each half (4 lanes): blocks of `B` lanes of `a` and `b` in turn, `B` = 1 or 2; the first result
    /// has the low two lanes of each half, the second the high two. `B = 4`: the two low halves, and the two
    /// high halves.
    fn zip32<const B: usize>(self, a: Self::I32, b: Self::I32) -> (Self::I32, Self::I32);
    /// `a[2i] b[2i] + a[2i+1] b[2i+1]` in lane `i`, wrapping in 32 bits: the sums of
    /// [`madd_pairs`](I16Lanes::madd_pairs), in order.
    fn madd32(self, a: Self::I16, b: Self::I16) -> Self::I32;
    /// The words of each lane: the low one of lane `i` in lane `2i`, the high one in lane `2i + 1`.
    fn words(self, a: Self::I32) -> Self::I16;
    /// The inverse of [`words`](I32Lanes::words).
    fn double_words(self, a: Self::I16) -> Self::I32;
    /// Lanes 0..8 and 8..16 with their signs.
    fn widen(self, a: Self::I16) -> (Self::I32, Self::I32);
    /// The inverse of [`widen`](I32Lanes::widen) for lanes that fit in 16 bits.
    fn narrow(self, low: Self::I32, high: Self::I32) -> Self::I16;
}

/// An order of bytes: [`ByteLanes::permute8`].
pub trait Places {
    /// Which byte comes to each place: 0 to 31.
    const PLACES: [u8; 32];
}

/// What works on bytes: numbers of `D` bits, one behind the other, the least significant bit first.
pub trait ByteLanes: I16Lanes {
    /// The sixteen numbers of `D` bits in the first `2 D` bytes; `1 <= D <= 14`.
    #[inline(always)]
    fn unpack<const D: usize>(self, bytes: &[u8; 32]) -> Self::I16 {
        const { assert!(1 <= D && D <= 14) };
        let (mut row, mut i) = ([0; 16], 0);
        while i < 16 {
            // Eight numbers fit 128 bits, four 64.
            let eight: &[u8; 16] = bytes[i / 8 * D..].first_chunk().expect("D is at most 14");
            let four = (u128::from_le_bytes(*eight) >> (4 * D * (i / 4 % 2))) as u64;
            let mut j = 0;
            while j < 4 {
                row[i + j] = (four >> (D * j)) as i16 & ((1 << D) - 1);
                j += 1;
            }
            i += 4;
        }
        self.load(&row)
    }

    /// Sixteen numbers below `2^D` in the first `2 D` bytes; what follows them in `out` is of no meaning.
    /// `1 <= D <= 14`.
    #[inline(always)]
    fn pack<const D: usize>(self, numbers: Self::I16, out: &mut [u8; 32]) {
        const { assert!(1 <= D && D <= 14) };
        let mut row = [0; 16];
        self.store(&mut row, numbers);
        let mut i = 0;
        while i < 16 {
            let (mut fours, mut j) = ([0; 2], 0);
            while j < 8 {
                fours[j / 4] |= (row[i + j] as u64) << (D * (j % 4));
                j += 1;
            }
            let eight = fours[0] as u128 | (fours[1] as u128) << (4 * D);
            *out[i / 8 * D..].first_chunk_mut().expect("D is at most 14") = eight.to_le_bytes();
            i += 8;
        }
    }

    /// The lanes whose mask is -1 (of the others it is 0), in their order, at the beginning of `out`; how
    /// many they are. What follows them in `out` is of no meaning.
    ///
    /// **Not constant time**: addresses depend on the mask.
    #[inline(always)]
    fn take(self, numbers: Self::I16, chosen: Self::I16, out: &mut Row) -> usize {
        let (mut words, mut masks, mut count, mut i) = ([0; 16], [0; 16], 0, 0);
        self.store(&mut words, numbers);
        self.store(&mut masks, chosen);
        while i < 16 {
            // At most 15 were taken before each number, so the place is there.
            out[count & 15] = words[i];
            count += (masks[i] & 1) as usize;
            i += 1;
        }
        count
    }

    /// Byte `places[i]`, from 0 to 15, in lane `i`, with zeroes above.
    #[inline(always)]
    fn pick(self, bytes: &[u8; 16], places: &Row) -> Self::I16 {
        self.load(&each(
            #[inline(always)]
            |i| i16::from(bytes[(places[i] & 15) as usize]),
        ))
    }

    /// Lanes from -128 to 127 of two rows as bytes, the first row's in front.
    #[inline(always)]
    fn narrow8(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        let mut rows = [[0; 16]; 2];
        self.store(&mut rows[0], a);
        self.store(&mut rows[1], b);
        self.load8(&each(
            #[inline(always)]
            |i| rows[i / 16][i % 16] as i8,
        ))
    }
    /// Byte `P::PLACES[i]` in place `i`.
    #[inline(always)]
    fn permute8<P: Places>(self, a: Self::I16) -> Self::I16 {
        let mut bytes = [0; 32];
        self.store8(&mut bytes, a);
        self.load8(&each(
            #[inline(always)]
            |i| bytes[P::PLACES[i] as usize % 32],
        ))
    }
    /// Numbers of 8 bits in pairs: lane `i` has bytes `2 i` and `2 i + 1`, the first in its low half.
    #[inline(always)]
    fn load8(self, bytes: &[i8; 32]) -> Self::I16 {
        self.load(&each(
            #[inline(always)]
            |i| i16::from_le_bytes([bytes[2 * i] as u8, bytes[2 * i + 1] as u8]),
        ))
    }
    /// Writes them.
    #[inline(always)]
    fn store8(self, bytes: &mut [i8; 32], v: Self::I16) {
        let (mut row, mut i) = ([0; 16], 0);
        self.store(&mut row, v);
        while i < 16 {
            let [low, high] = row[i].to_le_bytes();
            (bytes[2 * i], bytes[2 * i + 1]) = (low as i8, high as i8);
            i += 1;
        }
    }
    /// `a + b` of each byte. The upper bits are added without a carry.
    #[inline(always)]
    fn add8(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        let (low, top) = (self.splat(0x7f7f), self.splat(-0x7f80));
        let sum = self.add(self.and(a, low), self.and(b, low));
        self.xor(sum, self.and(self.xor(a, b), top))
    }
    /// `a - b` of each byte. Upper bits that are set lend what lower ones borrow.
    #[inline(always)]
    fn sub8(self, a: Self::I16, b: Self::I16) -> Self::I16 {
        let (low, top) = (self.splat(0x7f7f), self.splat(-0x7f80));
        let difference = self.sub(self.or(a, top), self.and(b, low));
        let equal = self.xor(self.xor(a, b), self.splat(-1));
        self.xor(difference, self.and(equal, top))
    }
}

/// Vectors of 4 lanes of `u64`: what hashing takes, and polynomials modulo 3 in planes of bits.
pub trait U64Lanes: Copy {
    /// 4 lanes of `u64`.
    type U64: Copy;
    /// How many registers such a vector takes: so many numbers one after the other are no slower than it.
    const REGISTERS_64: usize;

    /// `x` in every lane.
    fn splat64(self, x: u64) -> Self::U64;
    /// The lanes of a row.
    fn load64(self, row: &Row64) -> Self::U64;
    /// Writes the lanes to a row.
    fn store64(self, row: &mut Row64, v: Self::U64);
    /// `a + b`.
    fn add64(self, a: Self::U64, b: Self::U64) -> Self::U64;
    /// `a ^ b`.
    fn xor64(self, a: Self::U64, b: Self::U64) -> Self::U64;
    /// `a & b`.
    fn and64(self, a: Self::U64, b: Self::U64) -> Self::U64;
    /// `a | b`.
    fn or64(self, a: Self::U64, b: Self::U64) -> Self::U64;
    /// `!a & b`.
    fn and_not64(self, a: Self::U64, b: Self::U64) -> Self::U64;
    /// `a` where `mask` is all ones, `b` where it is 0; a byte of a mask is one or the other.
    #[inline(always)]
    fn select64(self, mask: Self::U64, a: Self::U64, b: Self::U64) -> Self::U64 {
        self.xor64(b, self.and64(self.xor64(a, b), mask))
    }
    /// The second one where `mask` is all ones, and where it is 0 the first, `a`: `differ` is `a` and the
    /// second one by exclusive or, in the first case. A byte of a mask is one or the other.
    #[inline(always)]
    fn replace64(self, mask: Self::U64, a: Self::U64, _: Self::U64, differ: Self::U64) -> Self::U64 {
        self.xor64(a, self.and64(differ, mask))
    }
    /// `a` rotated by `LEFT` bits to the left, which is `RIGHT = 64 - LEFT` to the right; `1 <= LEFT <= 63`.
    fn rotate_left64<const LEFT: i32, const RIGHT: i32>(self, a: Self::U64) -> Self::U64;
    /// Lane `i` rotated by `left[i] < 64` bits to the left.
    #[inline(always)]
    fn rotate_each64(self, a: Self::U64, left: &Row64) -> Self::U64 {
        let mut row = [0; 4];
        self.store64(&mut row, a);
        let rotated = each(
            #[inline(always)]
            |i| row[i].rotate_left(left[i] as u32),
        );
        self.load64(&rotated)
    }
    /// `floor(a / 2^K)`, `1 <= K <= 63`.
    fn shift_right64<const K: i32>(self, a: Self::U64) -> Self::U64;
    /// `2^K a mod 2^64`, `1 <= K <= 63`.
    fn shift_left64<const K: i32>(self, a: Self::U64) -> Self::U64;
    /// In each half (2 lanes): the second lane of `a`, the first of `b`.
    fn across64(self, a: Self::U64, b: Self::U64) -> Self::U64;
    /// Lane `(i + K) mod 4` in lane `i`, `1 <= K <= 3`.
    fn rotate_lanes64<const K: usize>(self, a: Self::U64) -> Self::U64;
    /// Lane `i + 1` in lane `i`, and lane 0 moved down by a bit in the last one.
    #[inline(always)]
    fn down64(self, a: Self::U64) -> Self::U64 {
        let (rotated, last) = (self.rotate_lanes64::<1>(a), self.load64(&[0, 0, 0, u64::MAX]));
        self.select64(last, self.shift_right64::<1>(rotated), rotated)
    }
    /// Lane `i` in lane `i + 1`, and the last one moved up by a bit in lane 0.
    #[inline(always)]
    fn up64(self, a: Self::U64) -> Self::U64 {
        let (rotated, first) = (self.rotate_lanes64::<3>(a), self.load64(&[u64::MAX, 0, 0, 0]));
        self.select64(first, self.shift_left64::<1>(rotated), rotated)
    }
}

/// Vectors of 8 lanes of `u64` in one register, of CPUs that have them, which are two rows of 32-bit lanes
/// too: what hashing takes.
pub trait WideLanes: WordLanes + TwoRowLanes {
    /// `a ^ b`.
    fn xor_wide(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `!a & b`.
    fn and_not_wide(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `a` rotated by `LEFT` bits to the left, `0 <= LEFT <= 63`.
    fn rotate_left_wide<const LEFT: i32>(self, a: Self::Words) -> Self::Words;
}

/// Products of polynomials over `F_2`, whose coefficients are the bits of a number: products without carries.
pub trait CarrylessProducts: Copy {
    /// A product of two polynomials of 64 coefficients, or a sum of such: 128 bits.
    type Product: Copy;

    /// `a b`: bit `k` is the parity of the pairs `a_i b_(k-i)`. Bit 127 is 0.
    fn carryless_multiply64(self, a: u64, b: u64) -> Self::Product;
    /// `a^2`: bit `2 i` is `a_i`, the others are 0.
    fn carryless_square64(self, a: u64) -> Self::Product;
    /// `a + b`, which is `a - b`.
    fn carryless_add(self, a: Self::Product, b: Self::Product) -> Self::Product;
    /// The low and the high word.
    fn carryless_words(self, a: Self::Product) -> [u64; 2];
}
