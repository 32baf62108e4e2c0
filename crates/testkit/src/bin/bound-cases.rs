//! Plans with one reduction left out, one a line: a name, a tab, and a constant expression that must not
//! compile.
//!
//! The case `control` has nothing left out and must compile; `cargo xtask test bounds` builds what is listed.
//! `--all` lists every reduction of every plan.
#![forbid(unsafe_code)]

use ringsmith_ring::algorithm::incomplete::Incomplete;
use ringsmith_ring::algorithm::k_red::KRedTransform;
use ringsmith_ring::algorithm::ntt::Ntt;
use ringsmith_ring::algorithm::rader::Rader;
use ringsmith_ring::algorithm::rows::{RowTransform, RowsCyclic};

/// A transform with planned reductions.
trait Planned {
    /// How many reductions the longest of its plans has.
    const COUNT: usize;
}

const fn longest(counts: [usize; 2]) -> usize {
    if counts[0] > counts[1] { counts[0] } else { counts[1] }
}

impl<const Q: i64, const ROWS: usize, const BASE: usize> Planned for Ntt<Q, ROWS, BASE> {
    const COUNT: usize = longest(Self::PLANS.counts());
}

impl<const Q: i64, const ROWS: usize, const DEGREE: usize, const HALF: bool> Planned
    for Incomplete<Q, ROWS, DEGREE, HALF, false>
{
    const COUNT: usize = longest(Self::PLANS.counts());
}

impl<const Q: i64, const ROWS: usize> Planned for RowTransform<Q, ROWS> {
    const COUNT: usize = longest(Self::PLANS.counts());
}

impl<const Q: i64, const OPERAND: usize, const ROWS: usize, const PAIRS: usize> Planned
    for RowsCyclic<Q, OPERAND, ROWS, PAIRS>
{
    const COUNT: usize = longest(Self::PLANS.counts());
}

impl<const Q: i64, const OPERAND: usize> Planned for Rader<Q, OPERAND> {
    const COUNT: usize = longest(Self::REDUCTIONS);
}

impl<const Q: i64, const ROWS: usize, const WIDE: usize> Planned for KRedTransform<Q, ROWS, WIDE, false> {
    const COUNT: usize = Self::PLAN.count() as usize;
}

/// Of the paper's reductions only the first is needed (`crates/ring/tests/constants.rs`).
impl<const Q: i64, const ROWS: usize, const WIDE: usize> Planned for KRedTransform<Q, ROWS, WIDE, true> {
    const COUNT: usize = 1;
}

/// The type up to its last argument, which says what to leave out, and the number of reductions.
macro_rules! planned {
    ($($module:ident::$transform:ident<$($argument:literal),*>;)*) => {
        [$((
            concat!(stringify!($module), "::", stringify!($transform), "::<", $(stringify!($argument), ", ",)*),
            <$transform<$($argument),*> as Planned>::COUNT,
        )),*]
    };
}

fn main() {
    let all = planned! {
        ntt::Ntt<12289, 64, 1>;
        ntt::Ntt<12289, 32, 1>;
        ntt::Ntt<12289, 16, 1>;
        ntt::Ntt<3329, 16, 2>;
        ntt::Ntt<7681, 32, 2>;
        ntt::Ntt<10753, 32, 2>;
        ntt::Ntt<15361, 64, 2>;
        incomplete::Incomplete<3329, 32, 4, false, false>;
        incomplete::Incomplete<3329, 64, 8, false, false>;
        incomplete::Incomplete<3457, 48, 6, true, false>;
        incomplete::Incomplete<769, 64, 8, false, false>;
        rows::RowTransform<12289, 64>;
        rows::RowTransform<12289, 32>;
        rows::RowTransform<12289, 16>;
        rows::RowTransform<3329, 16>;
        rows::RowTransform<3329, 32>;
        rows::RowTransform<3329, 64>;
        rows::RowsCyclic<4621, 41, 84, 84>;
        rows::RowsCyclic<4591, 48, 90, 90>;
        rows::RowsCyclic<5167, 54, 126, 126>;
        rows::RowsCyclic<6343, 60, 126, 210>;
        rows::RowsCyclic<7177, 64, 156, 156>;
        rows::RowsCyclic<7879, 80, 156, 234>;
        rader::Rader<4591, 48>;
        k_red::KRedTransform<12289, 64, 128, false>;
        k_red::KRedTransform<12289, 32, 64, false>;
        k_red::KRedTransform<12289, 16, 32, false>;
        k_red::KRedTransform<12289, 64, 128, true>;
    };
    let every = std::env::args().any(|arg| arg == "--all");
    let proof = |name: &str, left_out: usize| format!("ringsmith_ring::algorithm::{name}{left_out}>::PROOF");
    let whole: Vec<String> = all.iter().map(|(name, _)| proof(name, usize::MAX)).collect();
    println!("control\t{{ {} }}", whole.join("; "));
    for (name, count) in all {
        let words: Vec<&str> =
            name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        // The first, the middle and the last reduction of each plan: forward, and both ends of the inverse.
        let some = [0, count / 2, count.saturating_sub(1)];
        for left_out in (0..count).filter(|i| every || some.contains(i)) {
            println!("{}-without-{left_out}\t{}", words.join("-").to_lowercase(), proof(name, left_out));
        }
    }
}
