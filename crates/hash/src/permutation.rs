//! Keccak-f\[1600\] on one state, or on four or eight at a time.
//!
//! # The map
//! Each of 24 rounds is, on lanes `a[x + 5 y]` (FIPS 202, section 3.2):
//! `c[x] = a[x, 0] ^ .. ^ a[x, 4]`, `d[x] = c[x - 1] ^ rot(c[x + 1], 1)` (theta); `b = rot(a ^ d)` at its
//! place (rho and pi); `a[x] = b[x] ^ (!b[x + 1] & b[x + 2])` in each plane (chi); a constant onto `a[0]`
//! (iota).
//!
//! # How
//! One body for all: a value is a lane of one state, or a vector with the same lane of four or eight. A round
//! reads one copy of the state and writes another, plane by plane: the five lanes of a plane of `b` are made,
//! combined and done with, which keeps the number of live values near that of the registers, and no lane has
//! to be moved because a later plane still needs it.
//!
//! Within a round every plane waits for theta, and theta for all planes of the round before. Eight states in
//! vectors of four hide that: planes of one half are computed while theta of the other half is on its way
//! (docs/decisions/0084).

use crate::complemented::permute_complemented;
use crate::constants::{ROTATION, ROUND, ROUNDS, SOURCE};
use crate::pairs::permute_pairs;
use ringsmith_simd::{Cpu, Kernel, Row64, Simd, WideLanes, WideRow, each, wipe};

/// Four states: lane `i` of state `s` is `[i][s]`. Cleared on drop.
#[repr(C, align(32))]
pub struct State4(pub [Row64; 25]);

impl State4 {
    /// All zero.
    pub const fn new() -> Self {
        State4([[0; 4]; 25])
    }
}

impl Default for State4 {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for State4 {
    fn drop(&mut self) {
        wipe(self.0.as_flattened_mut());
    }
}

/// The permutation of four states. Constant time.
pub fn permute(cpu: Cpu, state: &mut State4) {
    if cpu.registers_64() < 4 {
        return cpu.run(Four(&mut state.0));
    }
    (0..4).for_each(|stream| permute_stream(cpu, state.0.as_flattened_mut(), 4, stream));
}

/// The permutation of one of `count` states.
pub(crate) fn permute_stream(cpu: Cpu, words: &mut [u64], count: usize, stream: usize) {
    let mut state: [u64; 25] = core::array::from_fn(|i| words[count * i + stream]);
    permute_one(cpu, &mut state);
    state.iter().enumerate().for_each(|(i, word)| words[count * i + stream] = *word);
    wipe(&mut state);
}

/// The permutation of one state. Constant time.
///
/// It is that of the `keccak` crate, which has AArch64's instructions for it, but on x86-64. CPUs with AVX2
/// combine `!a & b` and rotate into another register in one instruction each, which a crate that is built for
/// every x86-64 can't use (docs/decisions/0022); those without it compute with some lanes complemented.
/// AVX-512 has a body of its own.
pub fn permute_one(cpu: Cpu, state: &mut [u64; 25]) {
    if !cpu.run(One(state)) {
        keccak::Keccak::new().with_f1600(|permutation| permutation(state));
    }
}

pub(crate) struct Four<'a>(pub(crate) &'a mut [Row64; 25]);

impl Kernel for Four<'_> {
    type Out = ();
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        // On the stack: with both copies elsewhere, or one in values, Golden Cove takes 2 to 8% longer.
        let mut other = State4::new();
        if const { S::REGISTERS_64 == 1 } {
            permute_in_turns(s, self.0, &mut other.0);
        } else {
            permute_lanes(s, self.0, &mut other.0);
        }
    }
}

/// Two times four states, planes of the ones beside theta of the others: where four are a vector, and nothing
/// elsewhere.
pub(crate) struct TwiceFour<'a> {
    pub(crate) states: &'a mut [[Row64; 25]; 2],
    /// For the rounds between, of any contents.
    pub(crate) others: &'a mut [State4; 2],
}

impl Kernel for TwiceFour<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        if const { S::REGISTERS_64 == 1 } {
            permute_both(s, self.states, self.others);
        }
    }
}

/// Eight states: on CPUs that have the vectors for them, and nothing elsewhere.
pub(crate) struct Eight<'a>(pub(crate) &'a mut [WideRow; 25]);

/// A copy of them. Cleared on drop.
#[repr(C, align(64))]
struct State8([WideRow; 25]);

impl Drop for State8 {
    fn drop(&mut self) {
        wipe(self.0.as_flattened_mut());
    }
}

impl Kernel for Eight<'_> {
    type Out = ();
    const AVX512: bool = true;
    const SPILLS: bool = false;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {}
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, _: S, wide: W) {
        let mut other = State8([[0; 8]; 25]);
        permute_lanes(Wide(wide), self.0, &mut other.0);
    }
}

struct One<'a>(&'a mut [u64; 25]);

impl Kernel for One<'_> {
    /// Whether it ran, which it does where it gains.
    type Out = bool;
    const AVX512: bool = true;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> bool {
        if const { S::ABOVE_BASELINE } {
            let mut other = [0; 25];
            permute_lanes(Single, self.0, &mut other);
            wipe(&mut other);
        } else if const { cfg!(target_arch = "x86_64") } {
            permute_complemented(self.0);
        }
        const { S::ABOVE_BASELINE || cfg!(target_arch = "x86_64") }
    }
    #[inline(always)]
    fn run_avx512<S: Simd, W: WideLanes>(self, s: S, _: W) -> bool {
        permute_pairs(s, self.0);
        true
    }
}

/// What the rounds do with lanes.
pub(crate) trait Lanes: Copy {
    /// A lane, or as many as are computed at a time, in memory.
    type Memory;
    /// The same in a register.
    type Value: Copy;

    fn splat(self, x: u64) -> Self::Value;
    fn load(self, from: &Self::Memory) -> Self::Value;
    fn store(self, to: &mut Self::Memory, v: Self::Value);
    /// `a ^ b`.
    fn xor(self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `!a & b`.
    fn and_not(self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self, a: Self::Value) -> Self::Value;
}

/// Lanes of four states.
impl<S: Simd> Lanes for S {
    type Memory = Row64;
    type Value = S::U64;

    #[inline(always)]
    fn splat(self, x: u64) -> S::U64 {
        self.splat64(x)
    }
    #[inline(always)]
    fn load(self, from: &Row64) -> S::U64 {
        self.load64(from)
    }
    #[inline(always)]
    fn store(self, to: &mut Row64, v: S::U64) {
        self.store64(to, v);
    }
    #[inline(always)]
    fn xor(self, a: S::U64, b: S::U64) -> S::U64 {
        self.xor64(a, b)
    }
    #[inline(always)]
    fn and_not(self, a: S::U64, b: S::U64) -> S::U64 {
        self.and_not64(a, b)
    }
    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self, a: S::U64) -> S::U64 {
        self.rotate_left64::<LEFT, RIGHT>(a)
    }
}

/// Lanes of eight states.
#[derive(Clone, Copy)]
struct Wide<W>(W);

impl<W: WideLanes> Lanes for Wide<W> {
    type Memory = WideRow;
    type Value = W::Words;

    #[inline(always)]
    fn splat(self, x: u64) -> W::Words {
        self.0.splat_words(x)
    }
    #[inline(always)]
    fn load(self, from: &WideRow) -> W::Words {
        self.0.load_words(from, 0)
    }
    #[inline(always)]
    fn store(self, to: &mut WideRow, v: W::Words) {
        self.0.store_words(to, 0, v);
    }
    #[inline(always)]
    fn xor(self, a: W::Words, b: W::Words) -> W::Words {
        self.0.xor_wide(a, b)
    }
    #[inline(always)]
    fn and_not(self, a: W::Words, b: W::Words) -> W::Words {
        self.0.and_not_wide(a, b)
    }
    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self, a: W::Words) -> W::Words {
        self.0.rotate_left_wide::<LEFT>(a)
    }
}

/// Lanes of one state.
#[derive(Clone, Copy)]
pub(crate) struct Single;

impl Lanes for Single {
    type Memory = u64;
    type Value = u64;

    #[inline(always)]
    fn splat(self, x: u64) -> u64 {
        x
    }
    #[inline(always)]
    fn load(self, from: &u64) -> u64 {
        *from
    }
    #[inline(always)]
    fn store(self, to: &mut u64, v: u64) {
        *to = v;
    }
    #[inline(always)]
    fn xor(self, a: u64, b: u64) -> u64 {
        a ^ b
    }
    #[inline(always)]
    fn and_not(self, a: u64, b: u64) -> u64 {
        !a & b
    }
    #[inline(always)]
    fn rotate_left<const LEFT: i32, const RIGHT: i32>(self, a: u64) -> u64 {
        a.rotate_left(LEFT as u32)
    }
}

/// All rounds, two at a time: from `state` to `other` and back.
#[inline(always)]
fn permute_lanes<L: Lanes>(l: L, state: &mut [L::Memory; 25], other: &mut [L::Memory; 25]) {
    const { assert!(ROUNDS.is_multiple_of(2)) };
    let mut round = 0;
    while round < ROUNDS {
        permute_round(l, state, other, ROUND[round]);
        permute_round(l, other, state, ROUND[round + 1]);
        round += 2;
    }
}

/// The same, one round at a time, which takes the copies in turns. It gains where a state has more vectors
/// than there are registers. Where two rounds are one body, the compiler stores a second time what the second
/// round reads of the first.
#[inline(always)]
fn permute_in_turns<L: Lanes>(l: L, state: &mut [L::Memory; 25], other: &mut [L::Memory; 25]) {
    const { assert!(ROUNDS.is_multiple_of(2)) };
    let (mut from, mut to, mut round) = (state, other, 0);
    while round < ROUNDS {
        permute_round(l, from, to, ROUND[round]);
        (from, to) = (to, from);
        round += 1;
    }
}

/// All rounds of two times four states: planes of the ones, and between them theta of the others.
#[inline(always)]
fn permute_both<S: Simd>(s: S, states: &mut [[Row64; 25]; 2], others: &mut [State4; 2]) {
    let [mut a, mut b] = states.each_mut();
    let [mut c, mut d] = others.each_mut().map(|other| &mut other.0);
    let (mut ahead, mut round) = (theta(s, a), 0);
    while round < ROUNDS {
        let behind = planes_beside_theta(s, (a, ahead, c), ROUND[round], b);
        ahead = planes_beside_theta(s, (b, behind, d), ROUND[round], c);
        (a, b, c, d) = (c, d, a, b);
        round += 1;
    }
}

/// The planes of one round, `(from, what theta adds, to)`, and between them theta of other states.
#[inline(always)]
fn planes_beside_theta<S: Simd>(
    s: S,
    (a, d, out): (&[Row64; 25], [S::U64; 5], &mut [Row64; 25]),
    constant: u64,
    others: &[Row64; 25],
) -> [S::U64; 5] {
    plane_0(s, a, d, out, constant);
    let [first, second] = [column(s, others, 0), column(s, others, 1)];
    plane_1(s, a, d, out, 0);
    let [third, fourth, fifth] = [column(s, others, 2), column(s, others, 3), column(s, others, 4)];
    plane_2(s, a, d, out, 0);
    let of_others = added(s, [first, second, third, fourth, fifth]);
    plane_3(s, a, d, out, 0);
    plane_4(s, a, d, out, 0);
    of_others
}

/// A function that makes a plane of the next state from the five lanes of `b` at its places, which are
/// rotated lanes of `a ^ d`. To the first lane of all a constant is added.
macro_rules! plane {
    ($name:ident: $first:literal $($to:literal)*) => {
        #[inline(always)]
        fn $name<L: Lanes>(
            l: L,
            a: &[L::Memory; 25],
            d: [L::Value; 5],
            out: &mut [L::Memory; 25],
            constant: u64,
        ) {
            let b = [rotated!(l, a, d, $first), $(rotated!(l, a, d, $to)),*];
            let mut plane = chi(l, b);
            if $first == 0 {
                plane[0] = l.xor(plane[0], l.splat(constant));
            }
            let mut i = 0;
            while i < 5 {
                l.store(&mut out[$first + i], plane[i]);
                i += 1;
            }
        }
    };
}

/// The lane of `b` at a place.
macro_rules! rotated {
    ($l:ident, $a:ident, $d:ident, $to:literal) => {{
        const FROM: usize = SOURCE[$to];
        // Lane 0 stays; 32 stands in, so that the rotation that it does not get can be named.
        const LEFT: i32 = if FROM == 0 { 32 } else { ROTATION[FROM] };
        let lane = $l.xor($l.load(&$a[FROM]), $d[FROM % 5]);
        if FROM == 0 { lane } else { $l.rotate_left::<LEFT, { 64 - LEFT }>(lane) }
    }};
}

plane!(plane_0: 0 1 2 3 4);
plane!(plane_1: 5 6 7 8 9);
plane!(plane_2: 10 11 12 13 14);
plane!(plane_3: 15 16 17 18 19);
plane!(plane_4: 20 21 22 23 24);

#[inline(always)]
fn permute_round<L: Lanes>(l: L, a: &[L::Memory; 25], out: &mut [L::Memory; 25], constant: u64) {
    let d = theta(l, a);
    plane_0(l, a, d, out, constant);
    plane_1(l, a, d, out, 0);
    plane_2(l, a, d, out, 0);
    plane_3(l, a, d, out, 0);
    plane_4(l, a, d, out, 0);
}

/// What theta adds to each column.
#[inline(always)]
pub(crate) fn theta<L: Lanes>(l: L, a: &[L::Memory; 25]) -> [L::Value; 5] {
    let sums = each(
        #[inline(always)]
        |x| column(l, a, x),
    );
    added(l, sums)
}

/// The sum of a column.
#[inline(always)]
fn column<L: Lanes>(l: L, a: &[L::Memory; 25], x: usize) -> L::Value {
    let lanes: [_; 5] = each(
        #[inline(always)]
        |y| l.load(&a[x + 5 * y]),
    );
    l.xor(l.xor(l.xor(lanes[0], lanes[1]), l.xor(lanes[2], lanes[3])), lanes[4])
}

/// What theta adds to each column, by the sums of all.
#[inline(always)]
fn added<L: Lanes>(l: L, sums: [L::Value; 5]) -> [L::Value; 5] {
    each(
        #[inline(always)]
        |x| l.xor(sums[(x + 4) % 5], l.rotate_left::<1, 63>(sums[(x + 1) % 5])),
    )
}

#[inline(always)]
fn chi<L: Lanes>(l: L, b: [L::Value; 5]) -> [L::Value; 5] {
    each(
        #[inline(always)]
        |x| l.xor(b[x], l.and_not(b[(x + 1) % 5], b[(x + 2) % 5])),
    )
}
