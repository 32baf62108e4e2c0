//! No division and no square root where secrets are, of integers or of doubles: their time depends on the
//! operands, and neither valgrind nor the trace sees that.
//!
//! Looks at every function of the library that the program `ct` holds, kernels and the code that starts them;
//! first at ones that divide, which must be seen on each machine. A function that may divide, and does on no
//! machine, is a fault too: the list would hide one that begins to.

use super::disassembly::{Function, functions};
use super::harness::Programs;
use crate::builds::Build;
use crate::suite::{Options, Verdict};

/// Functions that may divide, each with the reason; none may divide a coefficient.
const ALLOWED: &[(&str, &str)] = &[
    ("ringsmith_any::ring::Ring>::with_costs", "the constants of a ring, before there is an operand"),
    ("ringsmith_any::ring::Ring>::by_products", "the same"),
    ("ringsmith_any::ring::Ring>::by_method", "the same"),
    ("ringsmith_any::planned::", "the same"),
    ("ringsmith_any::cost::", "the methods of a ring and what they cost, before there is an operand"),
    ("ringsmith_any::exact::Exact>::by", "the constants of a ring, before there is an operand"),
    ("ringsmith_any::compiled::found<", "the same"),
    ("halves::whole::Target>::new", "the same"),
    ("ringsmith_any::inverse::Inverses>::new", "the same"),
    ("ringsmith_any::divisor::Sparse>::new", "the same"),
    ("ringsmith_any::fold::Fold>::modulo", "the same"),
    ("ringsmith_any::packed::Packing>::new", "the same"),
    ("ringsmith_any::packed::Reciprocal>::", "the same"),
    ("ringsmith_any::forest::Forest>::new", "the same"),
    ("ringsmith_any::forest::Piece>::new", "the same"),
    ("ringsmith_word::number::", "primes and roots of unity, before there is an operand"),
    ("ringsmith_word::tables::", "the twiddles of a prime, before there is an operand"),
    ("ringsmith_word::rns::constants::", "the constants of a list of primes, before there is an operand"),
    ("ringsmith_word::wide::Wide<46>>>::new", "the tables of a ring, before there is an operand"),
    ("ringsmith_word::wide::Wide<49>>>::new", "the same"),
    ("ringsmith_word::wide::Wide<50>>>::new", "the same"),
    ("ringsmith_word::wide::Wide<51>>>::new", "the same"),
    ("ringsmith_word::balanced::Balanced>>::new", "the same"),
    ("ringsmith_word::long::Long>>::new", "the same"),
    ("ringsmith_word::narrow::Narrow>>::new", "the same"),
    ("ringsmith_word::quotient::Quotients>>::new", "the same"),
    ("ringsmith_word::k_red::KRed as ringsmith_word::lanes32::Reduction>::constant", "the same"),
    ("ringsmith_word::k_red::KRed as ringsmith_word::lanes32::Reduction>::of_prime", "the same"),
    ("ringsmith_word::plan::Plan<ringsmith_word::k_red::KRed>>::new", "the same"),
    ("ringsmith_ring::algorithm::ordered::scale::<", "a public factor by the modulus"),
    ("ringsmith_word::quadratic::Operands>::product", "what follows from the prime, which is public"),
    ("WordLanes>::factor52", "a twiddle by its prime, before there is an operand"),
    ("ResidueLanes>::factor49", "the same"),
    ("ResidueLanes>::constants49", "what a prime is divided by with, before there is an operand"),
];

/// How operations that divide or take square roots begin, where they do not begin with the `v` of vectors: of
/// integers, of doubles one by one and in vectors, and of the x87's numbers.
const OPERATIONS: [&str; 9] = ["div", "idiv", "udiv", "sdiv", "fdiv", "fidiv", "sqrt", "fsqrt", "fprem"];
/// Divisions of the compiler's run-time library.
const ROUTINES: [&str; 5] = ["__div", "__udiv", "__mod", "__umod", "__aeabi_idiv"];
/// The same of the library of C, whole names.
const OF_DOUBLES: [&str; 4] = ["fmod", "fmodf", "sqrt", "sqrtf"];

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

/// Whether an operation divides, or takes a root.
fn is_division(operation: &str) -> bool {
    let scalar = operation.strip_prefix('v').unwrap_or(operation);
    OPERATIONS.iter().any(|start| scalar.starts_with(start))
}

/// Whether a routine does.
fn is_dividing_routine(name: &str) -> bool {
    // Behind the name there may be how it is reached: `fmod@plt`.
    let name = name.split('@').next().unwrap_or(name);
    ROUTINES.iter().any(|start| name.starts_with(start)) || OF_DOUBLES.contains(&name)
}

/// How many divisions a function has.
pub(crate) fn count(function: &Function) -> usize {
    let divides = |instruction: &&super::disassembly::Instruction| {
        let routine = instruction.leaves(function);
        is_division(&instruction.operation) || routine.is_some_and(|name| is_dividing_routine(&name))
    };
    function.instructions.iter().filter(divides).count()
}

/// What divides: words, whose remainder is taken by a number that is chosen at run time, and doubles; and
/// what takes roots.
const SAMPLES: [&str; 3] = ["bad_kernels::tail", "bad_kernels::quotients", "bad_kernels::roots"];

/// The samples are caught.
fn caught(programs: &Programs) -> Verdict {
    let functions = functions(&programs.disassemble("bad-kernels")?);
    for sample in SAMPLES {
        let found = functions.iter().find(|function| function.name == sample);
        if found.is_none_or(|found| count(found) == 0) {
            return Err(format!("the division of {sample} was not seen"));
        }
        println!("{}: {sample}: caught", programs.build());
    }
    Ok(())
}

/// The functions of the library that divide, and how often.
fn dividing(functions: &[Function]) -> Result<Vec<(&str, usize)>, String> {
    let library: Vec<_> = functions.iter().filter(|function| of_library(&function.name)).collect();
    println!("{} functions of the library", library.len());
    if library.len() < 10 {
        return Err("the program holds next to nothing of the library".to_string());
    }
    let counts = library.into_iter().map(|function| (function.name.as_str(), count(function)));
    Ok(counts.filter(|(_, divisions)| *divisions > 0).collect())
}

/// The places of the list that a function has.
fn places(name: &str) -> impl Iterator<Item = usize> {
    (0..ALLOWED.len()).filter(move |place| name.contains(ALLOWED[*place].0))
}

/// Functions that divide and may not: how many there are. Marks the places of those that may.
fn judge(dividing: &[(&str, usize)], needed: &mut [bool; ALLOWED.len()]) -> usize {
    let mut bad = 0;
    for (name, divisions) in dividing {
        match places(name).next() {
            Some(place) => println!("{divisions} allowed in {name}: {}", ALLOWED[place].1),
            None => println!("{divisions} divisions in {name}"),
        }
        bad += usize::from(places(name).next().is_none());
        places(name).for_each(|place| needed[place] = true);
    }
    bad
}

/// Places of the list that no function needs.
fn stale(needed: &[bool; ALLOWED.len()]) -> usize {
    let stale = ALLOWED.iter().zip(needed).filter(|(_, needed)| !**needed);
    stale.inspect(|((part, _), _)| println!("no function that divides is called {part}")).count()
}

/// The scan, on each machine.
pub(crate) fn run(_: &Options) -> Verdict {
    let (mut bad, mut needed) = (0, [false; ALLOWED.len()]);
    for build in [Build::Checked, Build::Aarch64, Build::I686] {
        let programs = Programs::of(build)?;
        caught(&programs)?;
        let functions = functions(&programs.disassemble("ct")?);
        println!("{}:", build.name());
        bad += judge(&dividing(&functions)?, &mut needed);
    }
    bad += stale(&needed);
    if bad == 0 { Ok(()) } else { Err(format!("{bad} functions or places of the list; see above")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many divisions a function of these instructions has.
    fn count_of(lines: &str) -> usize {
        let functions = functions(&format!("0000000000001000 <f>:\n{lines}"));
        count(&functions[0])
    }

    /// Protects: divisions and roots of integers, of doubles, of vectors of them and by routines are seen;
    /// products, estimates of quotients and calls of others are not.
    #[test]
    fn operations_that_divide() {
        for operation in
            ["div", "idiv", "udiv", "sdiv", "divsd", "divps", "vdivsd", "vdivpd", "fdiv", "fdivrp", "fidiv"]
        {
            assert_eq!(count_of(&format!("    1000:\t{operation} xmm0,xmm1\n")), 1, "{operation}");
        }
        for operation in ["sqrtsd", "vsqrtpd", "fsqrt", "fprem1"] {
            assert_eq!(count_of(&format!("    1000:\t{operation}\n")), 1, "{operation}");
        }
        for routine in ["__udivti3", "__moddi3", "__divdf3", "__aeabi_idivmod", "fmod", "fmod@plt", "sqrt"] {
            assert_eq!(count_of(&format!("    1000:\tcall   1000 <{routine}>\n")), 1, "{routine}");
        }
        assert_eq!(count_of("    1000:\tvmulpd ymm0,ymm1\n    1004:\tvrsqrt14pd zmm0,zmm1\n"), 0);
        assert_eq!(count_of("    1000:\tcall   1000 <fmodule>\n    1004:\tcall   1000 <multiply>\n"), 0);
    }

    /// Protects: a function that may not divide is a fault, and so is a place of the list that none needs.
    #[test]
    fn faults_of_the_list() {
        let mut needed = [false; ALLOWED.len()];
        let all: Vec<_> = ALLOWED.iter().map(|(part, _)| (*part, 1)).collect();
        assert_eq!(judge(&all[1..], &mut needed), 0);
        assert!(!needed[0] && needed[1..].iter().all(|needed| *needed));
        assert_eq!(stale(&needed), 1);
        assert_eq!(judge(&all[..1], &mut needed), 0);
        assert_eq!(stale(&needed), 0);
        assert_eq!(judge(&[("ringsmith_word::pass::divides", 1)], &mut needed), 1);
    }
}
