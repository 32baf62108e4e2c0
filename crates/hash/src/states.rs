//! The states of streams that run side by side, four or eight at a time.
//!
//! Eight are a vector of eight lanes for each word, or two times four, where a CPU's vectors have four lanes.
//! Two times four take less time than four and four, so both halves run together if both are needed. A half
//! that one stream needs is permuted as one state. A CPU without vectors has its states one behind the other,
//! and permutes them one by one.

use crate::permutation::{Eight, Four, State4, TwiceFour, permute_one, permute_stream};
use ringsmith_simd::{Cpu, wipe};

/// States that are permuted at a time, four or eight. Cleared on drop.
#[repr(C, align(64))]
pub(crate) struct States {
    /// Word `i` of a state is `i` times [`apart`](Self::apart) behind its [`first`](Self::first).
    pub(crate) words: [u64; 200],
    /// The same between two rounds, once two times four states are permuted.
    others: Option<[State4; 2]>,
    count: usize,
    apart: usize,
}

/// Words of four states.
const FOUR: usize = 100;

/// Whether a CPU has vectors of four lanes and runs two times four states in less time than four twice.
#[inline]
fn runs_twice_four(cpu: Cpu) -> bool {
    cpu.registers_64() == 1 && !cpu.multiplies_52()
}

/// Whether states of streams can be permuted eight at a time, and gain by it.
#[inline]
pub(crate) fn runs_eight(cpu: Cpu) -> bool {
    cpu.wide_64() || runs_twice_four(cpu)
}

impl States {
    /// How many at most.
    pub(crate) const MOST: usize = 8;

    /// `count` of them, 4 or, on a CPU that [runs](runs_eight) them, 8, all zero.
    pub(crate) fn new(cpu: Cpu, count: usize) -> Self {
        let apart = match cpu.registers_64() {
            4.. => 1,
            _ if cpu.wide_64() => count,
            _ => 4,
        };
        States { words: [0; 200], others: None, count, apart }
    }

    /// How many there are.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// How far the words of a state are apart: 1, 4 or 8.
    #[inline]
    pub(crate) fn apart(&self) -> usize {
        self.apart
    }

    /// Where the first word of a state is.
    #[inline]
    pub(crate) fn first(&self, stream: usize) -> usize {
        match self.apart {
            1 => 25 * stream,
            4 if stream >= 4 => FOUR + stream - 4,
            _ => stream,
        }
    }

    /// The permutation of those that are still needed; what happens to others is not said. Which these are is
    /// public.
    pub(crate) fn permute(&mut self, cpu: Cpu, needed: [bool; Self::MOST]) {
        match self.apart {
            1 => self.permute_each(cpu, needed),
            8 => self.permute_wide(cpu, needed),
            _ => self.permute_halves(cpu, needed),
        }
    }

    /// The same of states one behind the other.
    fn permute_each(&mut self, cpu: Cpu, needed: [bool; Self::MOST]) {
        let states = self.words.as_chunks_mut().0.iter_mut().zip(needed);
        states.filter(|(_, needed)| *needed).for_each(|(state, _)| permute_one(cpu, state));
    }

    /// The same of four, or two times four.
    fn permute_halves(&mut self, cpu: Cpu, needed: [bool; Self::MOST]) {
        let ([first, second, ..], _) = needed.as_chunks::<4>() else { return };
        let many = |half: &[bool; 4]| count(half) > cpu.registers_64();
        if many(first) && many(second) {
            if let Some(states) = self.words.as_chunks_mut().0.as_chunks_mut().0.first_chunk_mut() {
                if self.others.is_none() {
                    self.others = const { Some([const { State4::new() }; 2]) };
                }
                if let Some(others) = &mut self.others {
                    cpu.run(TwiceFour { states, others });
                }
            }
            return;
        }
        let halves = self.words.as_chunks_mut::<FOUR>().0;
        halves.iter_mut().zip([first, second]).for_each(|(half, needed)| permute_half(cpu, half, needed));
    }

    /// The same of vectors of eight.
    fn permute_wide(&mut self, cpu: Cpu, needed: [bool; Self::MOST]) {
        if count(&needed) <= cpu.registers_64() {
            return permute_few(cpu, &mut self.words, 8, &needed);
        }
        if let Some(eight) = self.words.as_chunks_mut().0.first_chunk_mut() {
            cpu.run(Eight(eight));
        }
    }

    /// Moves streams of the second half to idle places of the first one: a half that is idle takes no time.
    /// Which places are idle is public.
    #[inline]
    pub(crate) fn gather(&mut self, running: &mut [Option<usize>; Self::MOST]) {
        if self.apart == 4 && self.count == 8 {
            self.gather_halves(running);
        }
    }

    fn gather_halves(&mut self, running: &mut [Option<usize>; Self::MOST]) {
        for from in 4..Self::MOST {
            let idle = running[..4].iter().position(Option::is_none);
            if let (Some(to), Some(_)) = (idle, running[from]) {
                running.swap(to, from);
                (0..25).for_each(|i| self.words[4 * i + to] = self.words[FOUR + 4 * i + from - 4]);
            }
        }
    }
}

impl Drop for States {
    fn drop(&mut self) {
        wipe(&mut self.words[..25 * self.count]);
    }
}

/// How many are needed.
fn count(needed: &[bool]) -> usize {
    needed.iter().filter(|needed| **needed).count()
}

/// The permutation of the states of a half that are needed.
fn permute_half(cpu: Cpu, half: &mut [u64; FOUR], needed: &[bool; 4]) {
    if count(needed) <= cpu.registers_64() {
        permute_few(cpu, half, 4, needed);
    } else if let Some(four) = half.as_chunks_mut().0.first_chunk_mut() {
        cpu.run(Four(four));
    }
}

/// The same one by one, of `of` states.
fn permute_few(cpu: Cpu, words: &mut [u64], of: usize, needed: &[bool]) {
    for (stream, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
        permute_stream(cpu, words, of, stream);
    }
}
