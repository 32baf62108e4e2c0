//! The token.

use crate::counts;
use crate::machine::Machine;
use crate::vectors::{Role, Vector16, Vector32, forget};
use ringsmith_simd::{
    ByteLanes, CarrylessProducts, Factor, I16Lanes, I32Lanes, Kernel, LazyReduction, NumberLanes,
    ProductLanes, Quotient, ResidueLanes, Row, Row32, Row64, Scalar, Simd, U64Lanes, Watched, WideRow,
    WordLanes,
};
use std::array::from_fn;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;

/// The token of a kind of CPU.
#[derive(Clone, Copy)]
pub struct Watching<M>(PhantomData<M>);

impl<M> Watching<M> {
    /// A token. Vectors of those before it on this thread are no longer there.
    #[expect(clippy::new_without_default, reason = "it does something")]
    pub fn new() -> Self {
        forget();
        Watching(PhantomData)
    }
}

thread_local! {
    /// Whether sums are looked at: until lanes change places.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static PEAKS: RefCell<[i32; 16]> = const { RefCell::new([0; 16]) };
}

/// The greatest sum in each lane while `run` runs, in absolute value, up to where lanes change places for the
/// first time.
pub fn peaks(run: impl FnOnce()) -> [i32; 16] {
    WATCHED.set(true);
    PEAKS.set([0; 16]);
    run();
    WATCHED.set(false);
    PEAKS.take()
}

/// Lanes of 16 bits, by `f` of a lane's number; all must be in their lanes, the least value apart, as proofs
/// have it, where they don't wrap.
fn sums<M: Machine>(role: Role, f: impl Fn(usize) -> i32) -> Vector16 {
    let wide: [i32; 16] = from_fn(f);
    if WATCHED.get() {
        PEAKS.with_borrow_mut(|peaks| {
            for (peak, x) in peaks.iter_mut().zip(wide) {
                *peak = x.abs().max(*peak);
            }
        });
    }
    for (lane, x) in wide.into_iter().enumerate() {
        assert!(M::WRAPS || x.abs() <= i32::from(i16::MAX), "lane {lane} of 16 bits overflows: {x}");
    }
    Vector16::new(wide.map(|x| x as i16), role)
}

/// The same of 32 bits.
fn wide_sums<M: Machine>(f: impl Fn(usize) -> i64) -> Vector32 {
    Vector32::new(from_fn(|i| {
        let x = f(i);
        assert!(M::WRAPS || x.abs() <= i64::from(i32::MAX), "lane {i} of 32 bits overflows: {x}");
        x as i32
    }))
}

/// Sums of products of pairs, each added to a number.
fn pair_products<M: Machine>(c: Row32, a: Row, b: Row) -> Vector32 {
    wide_sums::<M>(|i| {
        let product = |lane: usize| i64::from(a[lane]) * i64::from(b[lane]);
        i64::from(c[i]) + product(2 * i) + product(2 * i + 1)
    })
}

/// The scalar backend's vector.
fn scalar(v: Vector16) -> <Scalar as I16Lanes>::I16 {
    Scalar.load(&v.lanes())
}

/// The same of 32 bits.
fn wide_scalar(v: Vector32) -> <Scalar as I32Lanes>::I32 {
    Scalar.load32(&v.lanes())
}

/// Of the scalar backend's vector.
fn vector(v: <Scalar as I16Lanes>::I16, role: Role) -> Vector16 {
    let mut row = [0; 16];
    Scalar.store(&mut row, v);
    Vector16::new(row, role)
}

/// The same of 32 bits.
fn wide_vector(v: <Scalar as I32Lanes>::I32) -> Vector32 {
    let mut row = [0; 8];
    Scalar.store32(&mut row, v);
    Vector32::new(row)
}

/// Operations of the scalar backend whose results are something in between.
macro_rules! in_between {
    ($($name:ident $(<$constant:ident>)? ($($argument:ident),*);)*) => { $(
        #[inline(never)]
        fn $name $(<const $constant: i32>)? (self, $($argument: Vector16),*) -> Vector16 {
            vector(Scalar.$name $(::<$constant>)? ($(scalar($argument)),*), Role::Between)
        }
    )* };
}

impl<M: Machine> I16Lanes for Watching<M> {
    type I16 = Vector16;
    type Acc = Vector32;
    type Pairs = ();
    const HAS_ROUNDED_PRODUCT: bool = M::ROUNDED;
    const STEP: LazyReduction = M::STEP;
    const SIDE_BY_SIDE: bool = false;

    in_between! {
        and(a, b);
        or(a, b);
        xor(a, b);
        eq(a, b);
        gt(a, b);
        mul_lo(a, b);
        shift_right<N>(a);
    }
    #[inline(never)]
    fn splat(self, x: i16) -> Vector16 {
        Vector16::new([x; 16], Role::Constant)
    }
    #[inline(never)]
    fn load(self, row: &Row) -> Vector16 {
        Vector16::new(*row, Role::Number)
    }
    #[inline(never)]
    fn store(self, row: &mut Row, v: Vector16) {
        *row = v.lanes();
    }
    #[inline(never)]
    fn add(self, a: Vector16, b: Vector16) -> Vector16 {
        counts::sum(a.role(), b.role());
        let (a, b) = (a.lanes(), b.lanes());
        sums::<M>(Role::Number, |i| i32::from(a[i]) + i32::from(b[i]))
    }
    #[inline(never)]
    fn sub(self, a: Vector16, b: Vector16) -> Vector16 {
        counts::sum(a.role(), b.role());
        let (a, b) = (a.lanes(), b.lanes());
        sums::<M>(Role::Number, |i| i32::from(a[i]) - i32::from(b[i]))
    }
    #[inline(never)]
    fn mul_hi(self, a: Vector16, b: Vector16) -> Vector16 {
        counts::product(a.role(), b.role());
        vector(Scalar.mul_hi(scalar(a), scalar(b)), Role::Between)
    }
    #[inline(never)]
    fn mul_hi_rounded(self, a: Vector16, b: Vector16) -> Vector16 {
        let mut pairs = a.lanes().into_iter().zip(b.lanes());
        assert!(pairs.all(|pair| pair != (i16::MIN, i16::MIN)), "a product that is not defined");
        vector(Scalar.mul_hi_rounded(scalar(a), scalar(b)), Role::Between)
    }
    #[inline(never)]
    fn round_shift<const N: i32>(self, a: Vector16) -> Vector16 {
        let fits = |x: i16| i32::from(x) < (1 << 15) - (1 << (N - 1));
        assert!(a.lanes().into_iter().all(fits), "a shift that overflows");
        vector(Scalar.round_shift::<N>(scalar(a)), Role::Between)
    }
    #[inline(never)]
    fn apply_sign(self, a: Vector16, s: Vector16) -> Vector16 {
        let (a, s) = (a.lanes(), s.lanes());
        let signed = |i: usize| match s[i] {
            0 if !M::SIGN_OF_ZERO => 0,
            x if x < 0 => -i32::from(a[i]),
            _ => i32::from(a[i]),
        };
        let lane = |i| i16::try_from(signed(i)).expect("a number that has a negative");
        Vector16::new(from_fn(lane), Role::Between)
    }
    #[inline(never)]
    fn mul_mont(self, a: Vector16, z: Vector16, zq: Vector16, q: Vector16) -> Vector16 {
        counts::montgomery_product(z.role(), zq.role());
        let [a, z, zq, q] = [a, z, zq, q].map(Vector16::lanes);
        let lane = |i: usize| {
            let low = a[i].wrapping_mul(zq[i]);
            let high = |x: i16, y: i16| (i32::from(x) * i32::from(y)) >> 16;
            i16::try_from(high(a[i], z[i]) - high(low, q[i])).expect("a Montgomery product is a word")
        };
        Vector16::new(from_fn(lane), Role::Number)
    }
    #[inline(never)]
    fn zip<const B: usize>(self, a: Vector16, b: Vector16) -> (Vector16, Vector16) {
        WATCHED.set(false);
        let (x, y) = Scalar.zip::<B>(scalar(a), scalar(b));
        (vector(x, a.role()), vector(y, a.role()))
    }
    #[inline(never)]
    fn load_twice(self, half: &[i16; 8]) -> Vector16 {
        Vector16::new(from_fn(|i| half[i % 8]), Role::Number)
    }
    #[inline(never)]
    fn half_window<const AT: usize>(self, low: Vector16, high: Vector16) -> Vector16 {
        vector(Scalar.half_window::<AT>(scalar(low), scalar(high)), high.role())
    }
    #[inline(never)]
    fn half_pair<const N: usize>(self, a: Vector16) -> Vector16 {
        vector(Scalar.half_pair::<N>(scalar(a)), a.role())
    }
    #[inline(never)]
    fn swap_pairs(self, a: Vector16) -> Vector16 {
        vector(Scalar.swap_pairs(scalar(a)), a.role())
    }
    #[inline(never)]
    fn acc_zero(self) -> Vector32 {
        Vector32::new([0; 8])
    }
    #[inline(never)]
    fn madd_pairs(self, c: Vector32, a: Vector16, b: Vector16) -> Vector32 {
        counts::product(a.role(), b.role());
        pair_products::<M>(c.lanes(), a.lanes(), b.lanes())
    }
    #[inline(never)]
    fn mac_word(self, sum: Vector16, a: Vector16, x: i16) -> Vector16 {
        counts::product(a.role(), Role::Number);
        counts::sum(sum.role(), Role::Number);
        vector(Scalar.mac_word(scalar(sum), scalar(a), x), Role::Number)
    }
    #[inline(never)]
    fn add_signed(self, sum: Vector16, a: Vector16, sign: Vector16) -> Vector16 {
        counts::sum(sum.role(), Role::Number);
        let [sum, a, sign] = [sum, a, sign].map(Vector16::lanes);
        assert!(sign.iter().all(|x| x.abs() <= 1), "a sign that is none");
        sums::<M>(Role::Number, |i| i32::from(sum[i]) + i32::from(sign[i]) * i32::from(a[i]))
    }
    #[inline(never)]
    fn even_odd(self, e: Vector32, o: Vector32) -> (Vector16, Vector16) {
        let (e, o) = (e.lanes(), o.lanes());
        let sum = |i: usize| if i.is_multiple_of(2) { e[i / 2] } else { o[i / 2] };
        let (low, high) = (from_fn(|i| sum(i) as i16), from_fn(|i| (sum(i) >> 16) as i16));
        (Vector16::new(low, Role::Between), Vector16::new(high, Role::Between))
    }
    #[inline(never)]
    fn splat_pair(self, p: &[i16; 2]) -> Vector16 {
        Vector16::new(from_fn(|i| p[i % 2]), Role::Constant)
    }
    fn pairs(self, _: &Row) {}
    #[inline(never)]
    fn pair<const N: usize>(self, row: &Row, (): ()) -> Vector16 {
        Vector16::new(from_fn(|i| row[2 * N + i % 2]), Role::Number)
    }
}

/// Operations on lanes of 32 bits, by `lane` of a lane's operands.
macro_rules! by_lane {
    ($($name:ident $(<$constant:ident>)? ($($argument:ident),*) $lane:expr;)*) => { $(
        #[inline(never)]
        fn $name $(<const $constant: i32>)? (self, $($argument: Vector32),*) -> Vector32 {
            $(let $argument = $argument.lanes();)*
            Vector32::new(from_fn(|i| { let lane: fn([i32; _]) -> i32 = $lane; lane([$($argument[i]),*]) }))
        }
    )* };
}

/// Those whose results must be in their lanes.
macro_rules! wide_sums {
    ($($name:ident($a:ident, $b:ident) $lane:expr;)*) => { $(
        #[inline(never)]
        fn $name(self, $a: Vector32, $b: Vector32) -> Vector32 {
            let ($a, $b) = ($a.lanes(), $b.lanes());
            wide_sums::<M>(|i| { let lane: fn(i64, i64) -> i64 = $lane; lane($a[i].into(), $b[i].into()) })
        }
    )* };
}

impl<M: Machine> I32Lanes for Watching<M> {
    type I32 = Vector32;

    by_lane! {
        and32(a, b) |[a, b]| a & b;
        xor32(a, b) |[a, b]| a ^ b;
        shift_right32<N>(a) |[a]| a >> N;
    }
    wide_sums! {
        add32(a, b) |a, b| a + b;
        sub32(a, b) |a, b| a - b;
        mul_lo32(a, b) |a, b| a * b;
    }
    #[inline(never)]
    fn splat32(self, x: i32) -> Vector32 {
        Vector32::new([x; 8])
    }
    #[inline(never)]
    fn load32(self, row: &Row32) -> Vector32 {
        Vector32::new(*row)
    }
    #[inline(never)]
    fn store32(self, row: &mut Row32, v: Vector32) {
        *row = v.lanes();
    }
    #[inline(never)]
    fn rotate_left32<const LEFT: i32, const RIGHT: i32>(self, a: Vector32) -> Vector32 {
        Vector32::new(a.lanes().map(|x| x.rotate_left(LEFT as u32)))
    }
    #[inline(never)]
    fn min_max32(self, a: Vector32, b: Vector32) -> (Vector32, Vector32) {
        let (x, y) = Scalar.min_max32(wide_scalar(a), wide_scalar(b));
        (wide_vector(x), wide_vector(y))
    }
    #[inline(never)]
    fn mul_word32(self, a: Vector32, b: Vector32) -> Vector32 {
        assert!(a.lanes().iter().all(|x| (0..1 << 15).contains(x)), "a factor that is no word");
        assert!(b.lanes().iter().all(|x| x.abs() < 1 << 15), "a factor that is no word");
        self.mul_lo32(a, b)
    }
    #[inline(never)]
    fn mul_split32<const N: i32>(self, a: Vector32, b: Vector32) -> (Vector32, Vector32) {
        let (a, b) = (a.lanes(), b.lanes());
        let product = |i: usize| i64::from(a[i]) * i64::from(b[i]);
        (Vector32::new(from_fn(|i| product(i) as i32)), wide_sums::<M>(|i| product(i) >> N))
    }
    #[inline(never)]
    fn zip32<const B: usize>(self, a: Vector32, b: Vector32) -> (Vector32, Vector32) {
        let (x, y) = Scalar.zip32::<B>(wide_scalar(a), wide_scalar(b));
        (wide_vector(x), wide_vector(y))
    }
    #[inline(never)]
    fn madd32(self, a: Vector16, b: Vector16) -> Vector32 {
        pair_products::<M>([0; 8], a.lanes(), b.lanes())
    }
    #[inline(never)]
    fn words(self, a: Vector32) -> Vector16 {
        vector(Scalar.words(wide_scalar(a)), Role::Between)
    }
    #[inline(never)]
    fn double_words(self, a: Vector16) -> Vector32 {
        wide_vector(Scalar.double_words(scalar(a)))
    }
    #[inline(never)]
    fn widen(self, a: Vector16) -> (Vector32, Vector32) {
        let half = |first: usize| Vector32::new(from_fn(|i| a.lanes()[first + i].into()));
        (half(0), half(8))
    }
    #[inline(never)]
    fn narrow(self, low: Vector32, high: Vector32) -> Vector16 {
        let (low, high) = (low.lanes(), high.lanes());
        sums::<M>(Role::Between, |i| if i < 8 { low[i] } else { high[i - 8] })
    }
}

/// The quotient of a sum of products: one for all, or one for each.
fn quotient<M: Machine>(products: &[i64]) -> i64 {
    let bits = M::QUOTIENT.bits();
    match M::QUOTIENT {
        Quotient::Floor => products.iter().sum::<i64>() >> bits,
        Quotient::Rounded => products.iter().map(|x| (x + (1 << (bits - 1))) >> bits).sum(),
    }
}

impl<M: Machine> ProductLanes for Watching<M> {
    type Products = [i64; 8];
    const QUOTIENT: Quotient = M::QUOTIENT;

    #[inline(never)]
    fn times32(self, a: Vector32, factor: [Vector32; 2], p: Vector32) -> Vector32 {
        let [a, z, quotients, p] = [a, factor[0], factor[1], p].map(Vector32::lanes);
        let of = |i: usize, by: &Row32| i64::from(a[i]) * i64::from(by[i]);
        wide_sums::<M>(|i| of(i, &z) - quotient::<M>(&[of(i, &quotients)]) * i64::from(p[i]))
    }
    #[inline(never)]
    fn times_sum32(self, operands: [Vector32; 2], factors: [[Vector32; 2]; 2], p: Vector32) -> Vector32 {
        let (operands, p) = (operands.map(Vector32::lanes), p.lanes());
        let factors = factors.map(|factor| factor.map(Vector32::lanes));
        let products = |i: usize, part: usize| -> [i64; 2] {
            from_fn(|j| i64::from(operands[j][i]) * i64::from(factors[j][part][i]))
        };
        wide_sums::<M>(|i| {
            let sum = products(i, 0).iter().sum::<i64>();
            sum - quotient::<M>(&products(i, 1)) * i64::from(p[i])
        })
    }
    #[inline(never)]
    fn add_if_negative32(self, a: Vector32, p: Vector32) -> Vector32 {
        let (a, p) = (a.lanes(), p.lanes());
        assert!((0..8).all(|i| p[i] >= 0 && a[i] >= -p[i]), "a number that is too small");
        Vector32::new(from_fn(|i| if a[i] < 0 { a[i] + p[i] } else { a[i] }))
    }

    #[inline(never)]
    fn products32(self, a: Vector32, b: Vector32) -> [i64; 8] {
        let (a, b) = (a.lanes(), b.lanes());
        from_fn(|i| i64::from(a[i]) * i64::from(b[i]))
    }
    #[inline(never)]
    fn add_products32(self, a: [i64; 8], b: [i64; 8]) -> [i64; 8] {
        from_fn(|i| a[i].checked_add(b[i]).expect("a sum of products overflows"))
    }
    #[inline(never)]
    fn sub_products32(self, a: [i64; 8], b: [i64; 8]) -> [i64; 8] {
        from_fn(|i| a[i].checked_sub(b[i]).expect("a difference of products overflows"))
    }
    #[inline(never)]
    fn montgomery32(self, x: [i64; 8], p: Vector32, inverse: Vector32) -> Vector32 {
        let (p, inverse) = (p.lanes(), inverse.lanes());
        wide_sums::<M>(|i| {
            let m = (x[i] as i32).wrapping_mul(inverse[i]);
            let multiple = i64::from(m) * i64::from(p[i]);
            x[i].checked_sub(multiple).expect("a sum of products overflows") >> i32::BITS
        })
    }
    #[inline(never)]
    fn split_products32<const K: i32>(self, x: [i64; 8]) -> (Vector32, Vector32) {
        (Vector32::new(x.map(|x| x as i32)), wide_sums::<M>(|i| x[i] >> K))
    }
    #[inline(never)]
    fn step32(self, a: Vector32, p: Vector32) -> Vector32 {
        let (a, p) = (a.lanes(), p.lanes());
        wide_sums::<M>(|i| i64::from(a[i]) - i64::from(a[i].signum()) * i64::from(p[i]))
    }
}

/// Methods of the scalar backend, as they are.
macro_rules! as_they_are {
    ($(
        $name:ident $(<$($constant:ident: $type:ty),+>)? ($($argument:ident: $of:ty),*) $(-> $out:ty)?;
    )*) => { $(
        #[inline(never)]
        fn $name $(<$(const $constant: $type),+>)? (self, $($argument: $of),*) $(-> $out)? {
            Scalar.$name $(::<$($constant),+>)? ($($argument),*)
        }
    )* };
}

impl<M: Machine> U64Lanes for Watching<M> {
    type U64 = <Scalar as U64Lanes>::U64;
    const REGISTERS_64: usize = Scalar::REGISTERS_64;

    as_they_are! {
        splat64(x: u64) -> Self::U64;
        load64(row: &Row64) -> Self::U64;
        store64(row: &mut Row64, v: Self::U64);
        add64(a: Self::U64, b: Self::U64) -> Self::U64;
        xor64(a: Self::U64, b: Self::U64) -> Self::U64;
        and64(a: Self::U64, b: Self::U64) -> Self::U64;
        or64(a: Self::U64, b: Self::U64) -> Self::U64;
        and_not64(a: Self::U64, b: Self::U64) -> Self::U64;
        select64(mask: Self::U64, a: Self::U64, b: Self::U64) -> Self::U64;
        replace64(mask: Self::U64, a: Self::U64, b: Self::U64, differ: Self::U64) -> Self::U64;
        rotate_left64<LEFT: i32, RIGHT: i32>(a: Self::U64) -> Self::U64;
        shift_right64<N: i32>(a: Self::U64) -> Self::U64;
        shift_left64<N: i32>(a: Self::U64) -> Self::U64;
        across64(a: Self::U64, b: Self::U64) -> Self::U64;
        rotate_lanes64<N: usize>(a: Self::U64) -> Self::U64;
        down64(a: Self::U64) -> Self::U64;
        up64(a: Self::U64) -> Self::U64;
    }
}

impl<M: Machine> WordLanes for Watching<M> {
    type Words = <Scalar as WordLanes>::Words;
    type Prime = <Scalar as WordLanes>::Prime;
    type LongPrime = <Scalar as WordLanes>::LongPrime;
    const PIECES: usize = Scalar::PIECES;

    fn factor52(w: u64, p: u64) -> Factor {
        Scalar::factor52(w, p)
    }

    as_they_are! {
        splat_words(x: u64) -> Self::Words;
        load_words(row: &WideRow, piece: usize) -> Self::Words;
        store_words(row: &mut WideRow, piece: usize, v: Self::Words);
        add_words(a: Self::Words, b: Self::Words) -> Self::Words;
        sub_words(a: Self::Words, b: Self::Words) -> Self::Words;
        or_words(a: Self::Words, b: Self::Words) -> Self::Words;
        and_words(a: Self::Words, b: Self::Words) -> Self::Words;
        top_words(a: Self::Words) -> Self::Words;
        madd_low32(c: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
        sub_if_words(a: Self::Words, b: Self::Words) -> Self::Words;
        madd_low52(c: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
        madd_high52(c: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
        prime52(p: u64) -> Self::Prime;
        madd_factor52(
            c: Self::Words, b: Self::Words, factors: [Self::Words; 2], p: Self::Prime
        ) -> Self::Words;
        around52(k: u64, p: u64) -> Self::Words;
        reduce52(
            a: Self::Words, one: [Self::Words; 2], around: Self::Words, p: Self::Prime
        ) -> Self::Words;
        low64(a: Self::Words, b: Self::Words) -> Self::Words;
        high64(a: Self::Words, b: Self::Words) -> Self::Words;
        prime64(p: u64) -> Self::LongPrime;
        times64(b: Self::Words, factors: [Self::Words; 2], p: Self::LongPrime) -> Self::Words;
        transpose_words(x: [Self::Words; 8]) -> [Self::Words; 8];
    }
}

impl<M: Machine> ResidueLanes for Watching<M> {
    type Residues = <Scalar as ResidueLanes>::Residues;
    type Modulus = <Scalar as ResidueLanes>::Modulus;

    fn constants49(p: u64) -> [u64; 2] {
        Scalar::constants49(p)
    }
    fn factor49(w: u64, p: u64) -> Factor {
        Scalar::factor49(w, p)
    }

    as_they_are! {
        modulus49(p: u64, constants: [u64; 2]) -> Self::Modulus;
        splat_residues(bits: u64) -> Self::Residues;
        load_residues(row: &WideRow) -> Self::Residues;
        store_residues(row: &mut WideRow, x: Self::Residues);
        residues(numbers: &WideRow) -> Self::Residues;
        numbers(numbers: &mut WideRow, x: Self::Residues, p: Self::Modulus);
        add_residues(a: Self::Residues, b: Self::Residues) -> Self::Residues;
        sub_residues(a: Self::Residues, b: Self::Residues) -> Self::Residues;
        times_residues(
            b: Self::Residues, factors: [Self::Residues; 2], p: Self::Modulus
        ) -> Self::Residues;
        reduce_residues(a: Self::Residues, p: Self::Modulus) -> Self::Residues;
        multiply_residues(a: Self::Residues, b: Self::Residues, p: Self::Modulus) -> Self::Residues;
        transpose_residues(x: [Self::Residues; 8]) -> [Self::Residues; 8];
    }
}

/// Bytes, which must be in their lanes.
fn byte_sums<M: Machine>(a: Vector16, b: Vector16, f: impl Fn(i16, i16) -> i16) -> Vector16 {
    let (a, b) = (a.lanes().map(i16::to_le_bytes), b.lanes().map(i16::to_le_bytes));
    let byte = |i: usize, part: usize| {
        let x = f((a[i][part] as i8).into(), (b[i][part] as i8).into());
        assert!(M::WRAPS || x.abs() <= i8::MAX.into(), "lane {i} of two of 8 bits overflows: {x}");
        x as u8
    };
    Vector16::new(from_fn(|i| i16::from_le_bytes([byte(i, 0), byte(i, 1)])), Role::Number)
}

impl<M: Machine> ByteLanes for Watching<M> {
    #[inline(never)]
    fn add8(self, a: Vector16, b: Vector16) -> Vector16 {
        byte_sums::<M>(a, b, |a, b| a + b)
    }
    #[inline(never)]
    fn sub8(self, a: Vector16, b: Vector16) -> Vector16 {
        byte_sums::<M>(a, b, |a, b| a - b)
    }
}

impl<M: Machine> NumberLanes for Watching<M> {}

impl<M: Machine> CarrylessProducts for Watching<M> {
    type Product = <Scalar as CarrylessProducts>::Product;

    as_they_are! {
        carryless_multiply64(a: u64, b: u64) -> Self::Product;
        carryless_square64(a: u64) -> Self::Product;
        carryless_add(a: Self::Product, b: Self::Product) -> Self::Product;
        carryless_words(a: Self::Product) -> [u64; 2];
    }
}

impl<M: Machine> Simd for Watching<M> {
    const NAME: &'static str = "watching";

    fn vectorize<K: Kernel>(self, kernel: K) -> K::Out {
        kernel.run(self)
    }
}

impl<M: Machine> Watched for Watching<M> {
    fn begin_products(self, size: usize, number: usize) {
        counts::small_products(size, number);
    }
    fn begin_sum(self, size: usize) {
        counts::polynomial_sum(size);
    }
}
