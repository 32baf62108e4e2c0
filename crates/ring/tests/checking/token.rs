//! A token that panics where a lane overflows.
//!
//! Its arithmetic is the scalar backend's, but for sums: lanes of backends wrap, these don't. What a kernel wraps on purpose is none of
//! its sums: halves of products, and residues modulo powers of two, which therefore don't run here.

use ringsmith_simd::{
    ByteLanes, I16Lanes, I32Lanes, Kernel, Row, Row32, Row64, Scalar, Simd, Step, U64Lanes,
};
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

/// What kinds of CPU differ in.
pub(crate) trait Kind: Copy + Send + Sync + 'static {
    /// The cheapest small reduction.
    const STEP: Step;
    /// Whether there is a rounding product.
    const ROUNDED: bool;
    /// Whether a number with the sign of zero is the number, or zero.
    const SIGN_OF_ZERO: bool;
}

/// Plain Rust; SSE2 reduces likewise.
#[derive(Clone, Copy)]
pub(crate) struct Plain;
impl Kind for Plain {
    const STEP: Step = Step::Sign;
    const ROUNDED: bool = false;
    const SIGN_OF_ZERO: bool = true;
}

/// x86 with AVX2.
#[derive(Clone, Copy)]
pub(crate) struct LikeAvx2;
impl Kind for LikeAvx2 {
    const STEP: Step = Step::Sign;
    const ROUNDED: bool = true;
    const SIGN_OF_ZERO: bool = false;
}

/// AArch64.
#[derive(Clone, Copy)]
pub(crate) struct LikeNeon;
impl Kind for LikeNeon {
    const STEP: Step = Step::Barrett;
    const ROUNDED: bool = true;
    const SIGN_OF_ZERO: bool = true;
}

/// The token of a kind of CPU.
#[derive(Clone, Copy)]
pub(crate) struct Checking<K>(PhantomData<K>);

impl<K> Checking<K> {
    pub(crate) const NEW: Checking<K> = Checking(PhantomData);
}

thread_local! {
    /// Whether sums are looked at: until lanes change places.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static PEAKS: RefCell<[i32; 16]> = const { RefCell::new([0; 16]) };
}

/// The greatest sum in each lane, in absolute value, up to where lanes change places for the first time.
pub(crate) fn peaks(run: impl FnOnce()) -> [i32; 16] {
    WATCHED.set(true);
    PEAKS.set([0; 16]);
    run();
    WATCHED.set(false);
    PEAKS.take()
}

/// Lanes of 16 bits, by `f` of a lane's number; all must be in their lanes, the least value apart, as proofs have it.
#[inline(never)]
fn sums(f: impl Fn(usize) -> i32) -> Row {
    let wide: [i32; 16] = std::array::from_fn(f);
    if WATCHED.get() {
        PEAKS.with_borrow_mut(|peaks| {
            for (peak, x) in peaks.iter_mut().zip(wide) {
                *peak = x.abs().max(*peak);
            }
        });
    }
    for (lane, x) in wide.into_iter().enumerate() {
        assert!(x.abs() <= i32::from(i16::MAX), "lane {lane} of 16 bits overflows: {x}");
    }
    wide.map(|x| x as i16)
}

/// The same of 32 bits.
#[inline(never)]
fn wide_sums(f: impl Fn(usize) -> i64) -> Row32 {
    std::array::from_fn(|i| {
        let x = f(i);
        assert!(x.abs() <= i64::from(i32::MAX), "lane {i} of 32 bits overflows: {x}");
        x as i32
    })
}

/// A vector operation of the scalar backend on rows.
macro_rules! by_scalar {
    ($($name:ident $(<$constant:ident: $type:ty>)? ($($argument:ident),*);)*) => { $(
        #[inline(never)]
        fn $name $(<const $constant: $type>)? (self, $($argument: Row),*) -> Row {
            words(Scalar.$name $(::<$constant>)? ($(Scalar.load(&$argument)),*))
        }
    )* };
}

/// The lanes of the scalar backend's vector.
fn words(v: <Scalar as I16Lanes>::I16) -> Row {
    let mut row = [0; 16];
    Scalar.store(&mut row, v);
    row
}

impl<K: Kind> I16Lanes for Checking<K> {
    type I16 = Row;
    type Acc = Row32;
    type Pairs = ();
    const HAS_ROUNDED_PRODUCT: bool = K::ROUNDED;
    const STEP: Step = K::STEP;
    const SIDE_BY_SIDE: bool = false;

    by_scalar! {
        and(a, b);
        xor(a, b);
        gt(a, b);
        mul_lo(a, b);
        mul_hi(a, b);
        shift_right<N: i32>(a);
        swap_pairs(a);
    }
    fn splat(self, x: i16) -> Row {
        [x; 16]
    }
    fn load(self, row: &Row) -> Row {
        *row
    }
    fn store(self, row: &mut Row, v: Row) {
        *row = v;
    }
    fn add(self, a: Row, b: Row) -> Row {
        sums(|i| i32::from(a[i]) + i32::from(b[i]))
    }
    fn sub(self, a: Row, b: Row) -> Row {
        sums(|i| i32::from(a[i]) - i32::from(b[i]))
    }
    fn mul_hi_rounded(self, a: Row, b: Row) -> Row {
        assert!((0..16).all(|i| (a[i], b[i]) != (i16::MIN, i16::MIN)), "a product that is not defined");
        words(Scalar.mul_hi_rounded(Scalar.load(&a), Scalar.load(&b)))
    }
    fn round_shift<const N: i32>(self, a: Row) -> Row {
        assert!(a.iter().all(|x| i32::from(*x) < (1 << 15) - (1 << (N - 1))), "a shift that overflows");
        words(Scalar.round_shift::<N>(Scalar.load(&a)))
    }
    fn apply_sign(self, a: Row, s: Row) -> Row {
        let signed = |i: usize| match s[i] {
            0 if !K::SIGN_OF_ZERO => 0,
            x if x < 0 => -i32::from(a[i]),
            _ => i32::from(a[i]),
        };
        std::array::from_fn(|i| i16::try_from(signed(i)).expect("a number that has a negative"))
    }
    #[inline(never)]
    fn mul_mont(self, a: Row, z: Row, zq: Row, q: Row) -> Row {
        std::array::from_fn(|i| {
            let low = a[i].wrapping_mul(zq[i]);
            let high = |x: i16, y: i16| (i32::from(x) * i32::from(y)) >> 16;
            i16::try_from(high(a[i], z[i]) - high(low, q[i])).expect("a Montgomery product is a word")
        })
    }
    fn zip<const B: usize>(self, a: Row, b: Row) -> (Row, Row) {
        WATCHED.set(false);
        let (x, y) = Scalar.zip::<B>(Scalar.load(&a), Scalar.load(&b));
        (words(x), words(y))
    }
    fn acc_zero(self) -> Row32 {
        [0; 8]
    }
    fn madd_pairs(self, c: Row32, a: Row, b: Row) -> Row32 {
        wide_sums(|i| {
            let product = |lane: usize| i64::from(a[lane]) * i64::from(b[lane]);
            i64::from(c[i]) + product(2 * i) + product(2 * i + 1)
        })
    }
    fn even_odd(self, e: Row32, o: Row32) -> (Row, Row) {
        let sum = |i: usize| if i % 2 == 0 { e[i / 2] } else { o[i / 2] };
        (std::array::from_fn(|i| sum(i) as i16), std::array::from_fn(|i| (sum(i) >> 16) as i16))
    }
    fn splat_pair(self, p: &[i16; 2]) -> Row {
        std::array::from_fn(|i| p[i % 2])
    }
    fn pairs(self, _: &Row) {}
    fn pair<const N: usize>(self, row: &Row, (): ()) -> Row {
        self.splat_pair(&[row[2 * N], row[2 * N + 1]])
    }
}

impl<K: Kind> I32Lanes for Checking<K> {
    type I32 = Row32;

    fn splat32(self, x: i32) -> Row32 {
        [x; 8]
    }
    fn load32(self, row: &Row32) -> Row32 {
        *row
    }
    fn store32(self, row: &mut Row32, v: Row32) {
        *row = v;
    }
    fn add32(self, a: Row32, b: Row32) -> Row32 {
        wide_sums(|i| i64::from(a[i]) + i64::from(b[i]))
    }
    fn sub32(self, a: Row32, b: Row32) -> Row32 {
        wide_sums(|i| i64::from(a[i]) - i64::from(b[i]))
    }
    fn min_max32(self, a: Row32, b: Row32) -> (Row32, Row32) {
        (std::array::from_fn(|i| a[i].min(b[i])), std::array::from_fn(|i| a[i].max(b[i])))
    }
    fn and32(self, a: Row32, b: Row32) -> Row32 {
        std::array::from_fn(|i| a[i] & b[i])
    }
    fn xor32(self, a: Row32, b: Row32) -> Row32 {
        std::array::from_fn(|i| a[i] ^ b[i])
    }
    fn shift_right32<const N: i32>(self, a: Row32) -> Row32 {
        a.map(|x| x >> N)
    }
    fn mul_lo32(self, a: Row32, b: Row32) -> Row32 {
        wide_sums(|i| i64::from(a[i]) * i64::from(b[i]))
    }
    fn mul_word32(self, a: Row32, b: Row32) -> Row32 {
        assert!(a.iter().all(|x| (0..1 << 15).contains(x)), "a factor that is no word");
        assert!(b.iter().all(|x| x.abs() < 1 << 15), "a factor that is no word");
        wide_sums(|i| i64::from(a[i]) * i64::from(b[i]))
    }
    fn mul_split32<const N: i32>(self, a: Row32, b: Row32) -> (Row32, Row32) {
        let product = |i: usize| i64::from(a[i]) * i64::from(b[i]);
        (std::array::from_fn(|i| product(i) as i32), wide_sums(|i| product(i) >> N))
    }
    fn zip32<const B: usize>(self, a: Row32, b: Row32) -> (Row32, Row32) {
        let (x, y) = Scalar.zip32::<B>(Scalar.load32(&a), Scalar.load32(&b));
        (wide(x), wide(y))
    }
    fn madd32(self, a: Row, b: Row) -> Row32 {
        self.madd_pairs([0; 8], a, b)
    }
    fn words(self, a: Row32) -> Row {
        words(Scalar.words(Scalar.load32(&a)))
    }
    fn double_words(self, a: Row) -> Row32 {
        wide(Scalar.double_words(Scalar.load(&a)))
    }
    fn widen(self, a: Row) -> (Row32, Row32) {
        (std::array::from_fn(|i| a[i].into()), std::array::from_fn(|i| a[8 + i].into()))
    }
    fn narrow(self, low: Row32, high: Row32) -> Row {
        sums(|i| if i < 8 { low[i] } else { high[i - 8] })
    }
}

/// The lanes of the scalar backend's wide vector.
fn wide(v: <Scalar as I32Lanes>::I32) -> Row32 {
    let mut row = [0; 8];
    Scalar.store32(&mut row, v);
    row
}

/// Methods of the scalar backend, as they are.
macro_rules! as_they_are {
    ($($name:ident $(<$($constant:ident: $type:ty),+>)? ($($argument:ident: $of:ty),*) $(-> $out:ty)?;)*) => { $(
        fn $name $(<$(const $constant: $type),+>)? (self, $($argument: $of),*) $(-> $out)? {
            Scalar.$name $(::<$($constant),+>)? ($($argument),*)
        }
    )* };
}

impl<K: Kind> U64Lanes for Checking<K> {
    type U64 = <Scalar as U64Lanes>::U64;

    as_they_are! {
        splat64(x: u64) -> Self::U64;
        load64(row: &Row64) -> Self::U64;
        store64(row: &mut Row64, v: Self::U64);
        add64(a: Self::U64, b: Self::U64) -> Self::U64;
        xor64(a: Self::U64, b: Self::U64) -> Self::U64;
        and64(a: Self::U64, b: Self::U64) -> Self::U64;
        or64(a: Self::U64, b: Self::U64) -> Self::U64;
        and_not64(a: Self::U64, b: Self::U64) -> Self::U64;
        rotate_left64<LEFT: i32, RIGHT: i32>(a: Self::U64) -> Self::U64;
        shift_right64<N: i32>(a: Self::U64) -> Self::U64;
        shift_left64<N: i32>(a: Self::U64) -> Self::U64;
        across64(a: Self::U64, b: Self::U64) -> Self::U64;
        rotate_lanes64<N: usize>(a: Self::U64) -> Self::U64;
    }
}

impl<K: Kind> ByteLanes for Checking<K> {}

impl<K: Kind> Simd for Checking<K> {
    const NAME: &'static str = "checking";

    fn vectorize<T: Kernel>(self, kernel: T) -> T::Out {
        kernel.run(self)
    }
}
