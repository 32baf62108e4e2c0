//! No division where secrets are: its time depends on the operands, and neither valgrind nor the trace sees
//! that.
//!
//! Looks at every function of the library that the program `ct` holds, kernels and the code that starts them;
//! first at one that divides, which must be seen on each machine.

use super::disassembly::{Function, functions};
use super::harness::Programs;
use crate::builds::Build;
use crate::suite::{Options, Verdict};

/// Functions that may divide, each with the reason; none may divide a coefficient.
const ALLOWED: &[(&str, &str)] = &[
    ("karatsuba::one_iteration", "the numbers of rows and of parts, which are public, by each other"),
    ("ringsmith_any::ring::Ring>::with_costs", "the constants of a ring, before there is an operand"),
    ("ringsmith_any::ring::Ring>::by_products", "the same"),
    ("ringsmith_any::ring::Ring>::by_method", "the same"),
    ("ringsmith_any::planned::", "the same"),
    ("ringsmith_any::cost::", "the methods of a ring and what they cost, before there is an operand"),
    ("<ringsmith_any::polynomial::Polynomial>::sum", "the order of the terms of a modulus polynomial"),
    ("ringsmith_any::exact::Exact>::by", "the constants of a ring, before there is an operand"),
    ("ringsmith_any::compiled::Kernels>::find", "the same"),
    ("ringsmith_any::compiled::found<", "the same"),
    ("ringsmith_any::compiled::Kernels>::of_whole", "the same"),
    ("halves::whole::Target>::new", "the same"),
    ("ringsmith_cyclic::whole::Products>::target", "the same"),
    ("ringsmith::compiled::whole::Class as", "the same"),
    ("ringsmith_any::inverse::Inverses>::new", "the same"),
    ("ringsmith_any::exact::Exact>::with", "the same"),
    ("ringsmith_any::exact::Residue>::new", "the same"),
    ("ringsmith_any::divisor::Sparse>::new", "the same"),
    ("ringsmith_any::fold::Fold>::modulo", "the same"),
    ("ringsmith_any::packed::Packing>::new", "the same"),
    ("ringsmith_any::packed::Reciprocal>::", "the same"),
    ("ringsmith_any::forest::Forest>::new", "the same"),
    ("ringsmith_any::forest::Piece>::new", "the same"),
    ("ringsmith_any::weights::Weights>::new", "the same"),
    ("ringsmith_any::lanes::Modulus>::new", "the same"),
    ("ringsmith_any::zq::Zq>::new", "the same"),
    ("ringsmith_any::zq::factor", "the same"),
    ("ringsmith_word::number::", "primes and roots of unity, before there is an operand"),
    ("ringsmith_word::tables::", "the twiddles of a prime, before there is an operand"),
    ("ringsmith_word::ring::root", "the same"),
    ("ringsmith_word::ring::WordRing>::new_on", "the same"),
    ("ringsmith_word::rns::constants::", "the constants of a list of primes, before there is an operand"),
    (">>::of_prime", "the same"),
    ("ringsmith_word::wide::Wide<46>>>::new", "the same"),
    ("ringsmith_word::wide::Wide<49>>>::new", "the same"),
    ("ringsmith_word::wide::Wide<50>>>::new", "the same"),
    ("ringsmith_word::wide::Wide<51>>>::new", "the same"),
    ("ringsmith_word::balanced::Balanced>>::new", "the same"),
    ("ringsmith_word::long::Long>>::new", "the same"),
    ("ringsmith_word::long::Long as ringsmith_word::lanes::Kind>::factor", "the same"),
    ("ringsmith_word::long::Prime>::", "the same"),
    ("ringsmith_word::narrow::Narrow>>::new", "the same"),
    ("ringsmith_word::narrow::Prime>::", "the same"),
    ("ringsmith_word::narrow::Narrow as ringsmith_word::lanes32::Reduction>::constant", "the same"),
    ("ringsmith_word::narrow::Narrow as ringsmith_word::lanes32::Reduction>::of_prime", "the same"),
    ("ringsmith_word::narrow::Narrow as ringsmith_word::lanes::Kind>::cross", "the same"),
    ("ringsmith_word::quotient::Quotients>>::new", "the same"),
    ("ringsmith_word::quotient::Prime>::", "the same"),
    ("ringsmith_word::quotient::Quotients as ringsmith_word::lanes::Kind>::factor", "the same"),
    ("ringsmith_word::quotient::Quotients as ringsmith_word::lanes::Kind>::prime", "the same"),
    ("ringsmith_word::k_red::Prime>::", "the same"),
    ("ringsmith_word::k_red::KRed as ringsmith_word::lanes32::Reduction>::constant", "the same"),
    ("ringsmith_word::k_red::KRed as ringsmith_word::lanes32::Reduction>::of_prime", "the same"),
    ("ringsmith_word::k_red::KRed as ringsmith_word::lanes::Kind>::cross", "the same"),
    ("ringsmith_word::plan::Plan<ringsmith_word::k_red::KRed>>::new", "the same"),
    ("ringsmith_ring::algorithm::ordered::scale::<", "a public factor by the modulus"),
    ("ringsmith_word::quadratic::Operands>::product", "what follows from the prime, which is public"),
    ("WordLanes>::factor52", "a twiddle by its prime, before there is an operand"),
    ("ringsmith_simd::word::shoup::factor", "the same"),
    ("ResidueLanes>::factor49", "the same"),
    ("ResidueLanes>::constants49", "what a prime is divided by with, before there is an operand"),
    ("ringsmith_simd::residue::plain::quotient", "of both"),
];

const OPERATIONS: [&str; 5] = ["div", "idiv", "udiv", "sdiv", "divq"];
/// Divisions of the compiler's run-time library.
const ROUTINES: [&str; 5] = ["__div", "__udiv", "__mod", "__umod", "__aeabi_idiv"];

/// Whether the function belongs to the library.
fn of_library(name: &str) -> bool {
    const LIBRARY: [&str; 15] = [
        "any",
        "ring",
        "simd",
        "hash",
        "kem",
        "ml_dsa",
        "ml_kem",
        "new_hope",
        "cyclic",
        "ntru",
        "ntru_prime",
        "ntruencrypt",
        "hybrid",
        "routes",
        "word",
    ];
    let is_of = |krate: &&str| name.contains(&format!("ringsmith_{krate}::"));
    // What draws operands for the library's types is the test kit's.
    let is_kit = name.trim_start_matches('<').starts_with("ringsmith_testkit::");
    !is_kit && LIBRARY.iter().any(is_of) || name.contains("keccak")
}

/// How many divisions a function has.
pub(crate) fn count(function: &Function) -> usize {
    let divides = |instruction: &super::disassembly::Instruction| {
        let routine = instruction.leaves(function).unwrap_or_default();
        OPERATIONS.contains(&instruction.operation.as_str())
            || ROUTINES.iter().any(|start| routine.starts_with(start))
    };
    function.instructions.iter().filter(|instruction| divides(instruction)).count()
}

/// What takes the remainder of a word by a number that is chosen at run time.
const SAMPLE: &str = "bad_kernels::tail";

/// The sample is caught.
fn caught(programs: &Programs) -> Verdict {
    let functions = functions(&programs.disassemble("bad-kernels")?);
    let sample = functions.iter().find(|function| function.name == SAMPLE);
    if sample.is_none_or(|sample| count(sample) == 0) {
        return Err(format!("the division of {SAMPLE} was not seen"));
    }
    println!("{}: sample of a remainder: caught", programs.build());
    Ok(())
}

/// The scan, on each machine.
pub(crate) fn run(_: &Options) -> Verdict {
    let mut bad = 0;
    for build in [Build::Checked, Build::Aarch64, Build::I686] {
        let programs = Programs::of(build)?;
        caught(&programs)?;
        let functions = functions(&programs.disassemble("ct")?);
        let library: Vec<_> = functions.iter().filter(|function| of_library(&function.name)).collect();
        println!("{}: {} functions of the library", build.name(), library.len());
        if library.len() < 10 {
            return Err("the program holds next to nothing of the library".to_string());
        }
        for function in library {
            let (divisions, name) = (count(function), &function.name);
            let allowed = ALLOWED.iter().find(|(allowed, _)| name.contains(allowed));
            match (divisions, allowed) {
                (0, _) => {}
                (_, Some((_, reason))) => println!("{divisions} allowed in {name}: {reason}"),
                (_, None) => {
                    println!("{divisions} divisions in {name}");
                    bad += 1;
                }
            }
        }
    }
    if bad == 0 { Ok(()) } else { Err(format!("{bad} functions divide")) }
}
