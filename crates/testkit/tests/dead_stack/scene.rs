//! What is secret, and what is found of it.

use ringsmith_oracle::{Generator, Random};
use ringsmith_probe::dead_stack;
use ringsmith_simd::Cpu;
use std::collections::{BTreeSet, HashMap, HashSet};

/// More than any operation takes.
const STACK: usize = 700 << 10;
/// So many bytes of a secret in a row are not there by chance.
const RUN: usize = 32;

/// A secret as it may be in memory.
pub(crate) type Secret = (&'static str, Vec<u8>);
/// A scheme, an operation, and a secret that it left.
pub(crate) type Finding = (&'static str, &'static str, &'static str);

/// What is secret, and what was found of it.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    /// Runs of each secret that are not public.
    runs: HashMap<[u8; RUN], &'static str>,
    /// Whether a run begins with these two bytes.
    begins: Vec<bool>,
    pub(crate) found: BTreeSet<Finding>,
}

/// All runs of bytes.
fn runs(bytes: &[u8]) -> impl Iterator<Item = [u8; RUN]> {
    bytes.windows(RUN).map(|run| run.try_into().expect("as many bytes"))
}

impl Scene {
    pub(crate) fn new(name: &'static str, secrets: &[Secret], public: &[&[u8]]) -> Self {
        let public: HashSet<_> = public.iter().flat_map(|bytes| runs(bytes)).collect();
        let all = secrets.iter().flat_map(|(what, bytes)| runs(bytes).map(|run| (run, *what)));
        let runs: HashMap<_, _> = all.filter(|(run, _)| !public.contains(run)).collect();
        let mut begins = vec![false; 1 << 16];
        runs.keys().for_each(|run| begins[usize::from(u16::from_le_bytes([run[0], run[1]]))] = true);
        Scene { name, runs, begins, found: BTreeSet::new() }
    }

    /// Runs an operation, and looks for secrets in what it leaves.
    pub(crate) fn look(&mut self, operation: &'static str, run: impl FnOnce()) {
        let memory = dead_stack::<STACK>(run);
        let begins = |run: &[u8]| self.begins[usize::from(u16::from_le_bytes([run[0], run[1]]))];
        // Memory that nobody wrote to is skipped.
        let candidates = memory.windows(RUN).filter(|run| run[..8] != [0; 8] && begins(run));
        for what in candidates.filter_map(|run| self.runs.get(run)) {
            self.found.insert((self.name, operation, *what));
        }
    }
}

/// Random bytes, the same for each operation of one kind, and others for each CPU: what one leaves is not
/// taken for what the next leaves.
pub(crate) fn random(cpu: Cpu, of: u64) -> Random {
    Random::new(cpu.name().bytes().fold(of, |seed, byte| seed * 256 + u64::from(byte)))
}

/// A generator that remembers what it gives.
pub(crate) fn recording(mut random: Random, drawn: &mut Vec<u8>) -> Generator<impl FnMut(&mut [u8])> {
    Generator(move |bytes: &mut [u8]| {
        random.fill(bytes);
        drawn.extend_from_slice(bytes);
    })
}
