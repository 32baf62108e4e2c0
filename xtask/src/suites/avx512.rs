//! Constant time of the backend `avx512`, on a CPU that has its instructions: every instruction and every
//! address is the same for every secret.
//!
//! Neither valgrind nor QEMU knows these instructions, so the program runs step by step on the CPU itself.
//! Kernels that are compiled for AVX-512 are few, those of hashing, of word lanes and of inverses modulo 3;
//! all others are AVX2's, which valgrind sees (`constant-time`). So cases that enter such a kernel are looked
//! at, from beginning to end: a sample, which must enter each of these kernels, or by `--exhaustive` all but
//! those of files.

use super::asm::kernel_of;
use super::constant_time::kinds;
use super::harness::Programs;
use super::trace::{self, Region, SECRETS, STEPPED, caught, clean, compare, listed, secrets};
use super::workspace::backends_here;
use crate::builds::Build;
use crate::step::{self, Marked};
use crate::suite::{Options, Verdict};
use std::collections::BTreeSet;
use std::process::Command;
use std::time::Instant;

/// The backend.
const BACKEND: &str = "avx512";

/// What the names of the sample's cases begin with.
const SAMPLE: [&str; 27] = [
    "Keccak",
    "SHA-3",
    "SHAKE256",
    "ML-KEM-768 generate",
    "ML-KEM-768 encapsulate",
    "ML-KEM-768 decapsulate",
    "ML-DSA-65 generate",
    "ML-DSA-65 sign",
    "NewHope-Compact-512",
    "NewHope-ADPS",
    "Z_70368740769793[x]",
    "Z_49201153[x]",
    "Z_1073479681[x]/(x^64-1)",
    "Z_1073479681[x]/(x^512+1)",
    "Z_562949950537729[x]",
    "Z_1125899902124033[x]",
    "Z_2251799807131649[x]",
    "Z_1152921504606584833[x]",
    "Z_4611686018425815041[x]",
    "Z_Q[x]",
    "Z_3[x]",
    "Z_2^32[x]",
    "Z_2^40[x]",
    "Z_(2^61-1)[x]/(x^100-x-1)",
    "Z_4591[x]/(x^761-x-1) inverse-mod-3",
    "Z_5167[x]/(x^857-x-1) inverse-mod-3",
    "Z_7879[x]/(x^1277-x-1) inverse-mod-3",
];

/// What the names of those begin with that traces do not tell anything of: the cases of files always have the
/// same secret, allocate, and draw randomness of their own. Valgrind follows their secrets.
const FILES: [&str; 2] = ["mlkem768x25519", "sntrup761x25519"];

/// Kernels that some CPUs with AVX-512 never choose: those for CPUs that compute 512 bits at once.
const OF_SOME_CPUS: [&str; 1] = ["permutation::Eight"];

/// Kernels that have no secrets: what makes the factors of a ring's tables, before there is an operand.
const OF_NO_SECRETS: [&str; 1] = ["MakeFactor"];

/// Why nothing can be looked at here, if so.
fn why_not() -> Result<Option<&'static str>, String> {
    if !backends_here().contains(&BACKEND) {
        return Ok(Some("this CPU has no AVX-512, or not all that the backend asks for"));
    }
    Ok((!step::is_permitted()?).then_some("the system does not permit to trace a process (`ptrace`)"))
}

/// The suite. Where the CPU or the system has not what it needs, it says so and passes: there is nothing to
/// install.
pub(crate) fn run(options: &Options) -> Verdict {
    if let Some(why) = why_not()? {
        println!("not looked at: {why}");
        return Ok(());
    }
    let programs = Programs::of(Build::Checked)?;
    let [begin, end] = trace::marks(&programs)?;
    let marked = Marked { path: programs.path("ct"), begin, end };
    caught(&traces(&marked, SECRETS, &["--leaky"], |_| true)?, SECRETS)?;
    let cases = Cases::of(&programs, &marked)?;
    let begins = |name: &str, starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
    let chosen = match options.exhaustive {
        true => cases.chosen(|name| !begins(name, &FILES))?,
        false => cases.chosen(|name| begins(name, &SAMPLE))?,
    };
    print!("{}", kinds(chosen.iter().copied()));
    let count = secrets(options, STEPPED);
    clean(&traces(&marked, count, &["--backend", BACKEND], |name| chosen.contains(name))?, count)
}

/// The traces of those cases that are chosen, for so many secrets.
fn traces(
    marked: &Marked,
    secrets: usize,
    args: &[&str],
    chosen: impl Fn(&str) -> bool,
) -> Result<Vec<trace::Compared>, String> {
    let names = listed(Command::new(&marked.path).args(args))?;
    let (seeds, start) = (secrets.to_string(), Instant::now());
    let of_chosen =
        |region: usize| names.get(region / secrets).map(String::as_str).filter(|name| chosen(name));
    let regions = marked.regions(&[args, &["--seeds", &seeds]].concat(), of_chosen)?;
    if regions.len() != secrets * names.len() {
        return Err(format!("{} cases, {} runs", names.len(), regions.len()));
    }
    let seen: Vec<Region> = regions.into_iter().flatten().collect();
    let (steps, seconds) = (seen.iter().map(|region| region.instructions).sum::<u64>(), start.elapsed());
    println!("{steps} instructions in {:.1} s", seconds.as_secs_f64());
    compare(names.into_iter().filter(|name| chosen(name)).collect(), &seen, secrets)
}

/// The cases, each with the kernels for AVX-512 that it enters.
struct Cases {
    entered: Vec<(String, Vec<u64>)>,
    kernels: Vec<(u64, String)>,
}

impl Cases {
    /// Runs each case once.
    fn of(programs: &Programs, marked: &Marked) -> Result<Self, String> {
        let named = |(address, function): (u64, String)| match kernel_of(&function)? {
            (backend, kernel) if backend == BACKEND => Some((address, kernel)),
            _ => None,
        };
        let kernels: Vec<_> = programs.functions("ct")?.into_iter().filter_map(named).collect();
        let addresses: Vec<u64> = kernels.iter().map(|(address, _)| *address).collect();
        let args = ["--backend", BACKEND];
        let names = listed(Command::new(&marked.path).args(args))?;
        let entered = marked.entered(&args, &addresses)?;
        if kernels.is_empty() || names.len() != entered.len() {
            return Err(format!("{} kernels, {} cases, {} runs", kernels.len(), names.len(), entered.len()));
        }
        Ok(Cases { entered: names.into_iter().zip(entered).collect(), kernels })
    }

    /// Those of `wanted` that enter a kernel; together they enter all kernels that this CPU chooses.
    fn chosen(&self, wanted: impl Fn(&str) -> bool) -> Result<BTreeSet<&str>, String> {
        let (all, entering) =
            (self.entered.len(), self.entered.iter().filter(|(_, kernels)| !kernels.is_empty()));
        let chosen: Vec<_> = entering.clone().filter(|(name, _)| wanted(name)).collect();
        let (entering, looked_at) = (entering.count(), chosen.len());
        println!("{entering} of {all} operations enter kernels for AVX-512; {looked_at} are looked at");
        let mut missing = Vec::new();
        for (address, kernel) in &self.kernels {
            let by = chosen.iter().filter(|(_, kernels)| kernels.contains(address)).count();
            let entered = self.entered.iter().any(|(_, kernels)| kernels.contains(address));
            if !entered && OF_SOME_CPUS.contains(&kernel.as_str()) {
                println!("  {kernel}: not chosen on this CPU");
                continue;
            }
            if OF_NO_SECRETS.iter().any(|part| kernel.contains(part)) {
                println!("  {kernel}: has no secrets");
                continue;
            }
            println!("  {kernel}: by {by}");
            if by == 0 {
                missing.push(kernel.as_str());
            }
        }
        if !missing.is_empty() {
            return Err(format!("no operation that is looked at enters {}", missing.join(", ")));
        }
        Ok(chosen.into_iter().map(|(name, _)| name.as_str()).collect())
    }
}
