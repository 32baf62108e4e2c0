//! Kernels as compiled: nothing is called from inside, and the vectors stay in registers.
//!
//! A kernel is the method `enter` of the kernel's type for the token of a backend. Whatever it calls was
//! meant to be inlined (a function out of line is compiled without the CPU's instructions). It divides
//! nothing. Of its instructions few read or write the stack frame, unless it is one of the
//! [`EXCEPTIONS`]; and vectors of 32 bytes are only kept there where the frame is aligned to them.

use super::disassembly::{Function, Instruction, functions};
use super::divisions;
use super::harness::Programs;
use crate::builds::Build;
use crate::suite::{Options, Verdict};
use std::collections::BTreeSet;

/// What a kernel may call, each with the reason.
const ALLOWED: &[(&str, &str)] = &[
    ("core::panicking::", "the cold end of a check of a length; no kernel reaches it"),
    ("core::slice::index::", "the cold end of a check of a length; no kernel reaches it"),
    ("core::option::expect_failed", "the cold end of a check of a length; no kernel reaches it"),
    ("core::option::unwrap_failed", "the cold end of a check of a length; no kernel reaches it"),
    ("memset", "clears local memory; it chooses its instructions itself"),
];

/// How many of a hundred instructions of a kernel may touch the stack frame; and so many more, whatever its
/// length: what a kernel keeps there once.
const SHARE: usize = 20;
const FEW: usize = 24;

/// Kernels of which more do.
struct Exception {
    /// A part of their names.
    kernel: &'static str,
    /// How many of a hundred instructions.
    percent: usize,
    /// Why.
    #[allow(dead_code, reason = "for the reader")]
    why: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        kernel: "chacha20::Blocks",
        percent: 37,
        why: "sixteen words of eight blocks, each two registers of SSE2",
    },
    Exception {
        kernel: "choose::Choose",
        percent: 26,
        why: "three sets of up to six rows, each two registers of SSE2",
    },
    Exception {
        kernel: "incomplete::kernels",
        percent: 40,
        why: "two planes of eight registers side by side; products of up to eight by eight",
    },
    Exception {
        kernel: "jumps::Divide",
        percent: 26,
        why: "a matrix of four words, and integer products in place of carry-less ones, in 16 registers",
    },
    Exception {
        kernel: "k_red::passes",
        percent: 30,
        why: "rows of 32-bit lanes are two registers of SSE2, and twiddles four",
    },
    Exception {
        kernel: "long::OnLanes",
        percent: 42,
        why: "eight rows of eight words, which are multiplied one by one with SSE2",
    },
    Exception {
        kernel: "permutation::",
        percent: 40,
        why: "25 words of a state, four of them a register, and 16 registers",
    },
    Exception {
        kernel: "quadratic::Product",
        percent: 22,
        why: "four rows of sums of 64 bits, each four of SSE2's 16 registers",
    },
    Exception {
        kernel: "rejection::Take",
        percent: 33,
        why: "lanes are taken one by one where there is no instruction for it",
    },
    Exception {
        kernel: "rows::cyclic::matrix",
        percent: 38,
        why: "a matrix of two by two and a pair of polynomials",
    },
    Exception {
        kernel: "rows::halves::transform",
        percent: 26,
        why: "codelets of up to 15 rows, each two of SSE2's 16 registers; no planner takes them there",
    },
    Exception { kernel: "schoenhage::nussbaumer", percent: 40, why: "two elements of eight registers" },
    Exception {
        kernel: "sort::LowBits",
        percent: 29,
        why: "two blocks of eight rows side by side, each row two registers of SSE2",
    },
    Exception {
        kernel: "sort::Runs",
        percent: 27,
        why: "runs of up to 20 rows, each two of SSE2's 16 registers",
    },
    Exception {
        kernel: "ternary::steps",
        percent: 26,
        why: "two polynomials of up to five vectors, each four registers of SSE2, and the words that decide",
    },
    Exception {
        kernel: "words::kernels",
        percent: 24,
        why: "eight rows of 32-bit lanes, each two of SSE2's 16 registers, and no product of such lanes",
    },
];

/// The bad kernels of the test kit.
const SAMPLES: [&str; 4] =
    ["bad_kernels::Calls", "bad_kernels::Spills", "bad_kernels::Divides", "bad_kernels::DividesDoubles"];

/// How one kernel was compiled on one backend.
struct Finding {
    kernel: String,
    backend: String,
    calls: Vec<String>,
    divisions: usize,
    /// How many of its instructions touch the stack frame.
    stack: usize,
    /// Whether it keeps vectors where they may lie across two pages.
    splits_pages: bool,
    instructions: usize,
}

/// The backend and the kernel of a function, where it is one.
pub(super) fn kernel_of(name: &str) -> Option<(String, String)> {
    let (kernel, token) = name.strip_suffix(">>::enter")?.split_once(" as ringsmith_simd::Enter<")?;
    let (kernel, backend) = (kernel.strip_prefix('<')?, token.rsplit("::").next()?.to_lowercase());
    // The last argument of a planned kernel says which reduction to leave out: none, outside the test of the
    // bounds.
    let whole = kernel.replace(&format!(", {}", u64::MAX), "");
    let whole = whole.replace("ringsmith_ring::algorithm::", "").replace("ringsmith_ring::", "");
    let whole = whole.replace("ringsmith_hash::", "").replace("ringsmith_word::", "word::");
    Some((backend, whole.replace("ringsmith_any::", "any::")))
}

/// Whether an instruction reads or writes the stack frame (saving registers aside).
fn touches_stack(instruction: &Instruction) -> bool {
    let operands = &instruction.operands;
    (operands.contains("[rsp") || operands.contains("[rbp")) && instruction.operation != "lea"
}

/// Whether a function keeps vectors of 32 or 64 bytes in a frame that is not aligned for them: functions are
/// called with a stack aligned to 16 bytes.
fn splits_pages(function: &Function) -> bool {
    let keeps = |instruction: &Instruction| {
        touches_stack(instruction)
            && ["ymm", "zmm"].iter().any(|register| instruction.operands.contains(register))
            && instruction.operands.contains("rsp")
    };
    let aligns = |instruction: &Instruction| {
        instruction.operation == "and" && instruction.operands.starts_with("rsp,0xffffffffffffff")
    };
    function.instructions.iter().any(keeps) && !function.instructions.iter().any(aligns)
}

fn finding(function: &Function) -> Option<Finding> {
    let (backend, kernel) = kernel_of(&function.name)?;
    let calls = function.instructions.iter().filter_map(|instruction| instruction.leaves(function));
    let allowed = |target: &String| ALLOWED.iter().any(|(part, _)| target.contains(part));
    let calls = calls.filter(|target| !allowed(target)).collect();
    let stack = function.instructions.iter().filter(|instruction| touches_stack(instruction)).count();
    let (divisions, splits_pages) = (divisions::count(function), splits_pages(function));
    let instructions = function.instructions.len();
    Some(Finding { kernel, backend, calls, divisions, stack, splits_pages, instructions })
}

/// Whether the kernel touches its stack frame no more than a kernel in registers does.
fn is_in_registers(finding: &Finding) -> bool {
    let allowed = |exception: &&Exception| finding.kernel.contains(exception.kernel);
    let percent = EXCEPTIONS.iter().filter(allowed).map(|exception| exception.percent).max().unwrap_or(SHARE);
    100 * finding.stack <= percent * finding.instructions + 100 * FEW
}

/// Exceptions that no kernel needs.
fn stale(findings: &[Finding]) -> Vec<&'static str> {
    let needs = |finding: &&Finding| 100 * finding.stack > SHARE * finding.instructions + 100 * FEW;
    let needed = |exception: &&Exception| {
        findings.iter().filter(needs).any(|finding| finding.kernel.contains(exception.kernel))
    };
    EXCEPTIONS.iter().filter(|exception| !needed(exception)).map(|exception| exception.kernel).collect()
}

fn judge(findings: &[Finding]) -> Verdict {
    let stale = stale(findings);
    stale.iter().for_each(|kernel| println!("no kernel needs the exception for {kernel}"));
    let mut bad = stale.len();
    for finding in findings {
        let Finding { kernel, backend, calls, divisions, stack, splits_pages, instructions } = finding;
        calls.iter().for_each(|target| println!("{kernel} ({backend}) calls {target}"));
        if *divisions > 0 {
            println!("{kernel} ({backend}) divides");
        }
        let in_registers = is_in_registers(finding);
        if !in_registers {
            println!("{kernel} ({backend}): {stack} of {instructions} instructions touch the stack");
        }
        if *splits_pages {
            println!("{kernel} ({backend}) keeps vectors on a stack that is not aligned to them");
        }
        bad += (!calls.is_empty() || *divisions > 0 || !in_registers || *splits_pages) as usize;
    }
    println!("{} kernels, {bad} bad", findings.len());
    if bad == 0 { Ok(()) } else { Err(format!("{bad} kernels or exceptions; see above")) }
}

/// The suite `asm`.
pub(crate) fn run(_: &Options) -> Verdict {
    let text = Programs::of(Build::Checked)?.disassemble("ct")?;
    let findings: Vec<Finding> = functions(&text).iter().filter_map(finding).collect();
    let backends: BTreeSet<_> = findings.iter().map(|finding| finding.backend.as_str()).collect();
    println!("kernels of {backends:?}");
    if backends.len() < 2 {
        return Err("the program does not hold kernels of each backend".to_string());
    }
    judge(&findings)
}

/// The suite `asm-samples`: each bad kernel is seen for what it is, on every backend that the program has
/// kernels of.
pub(crate) fn self_test(_: &Options) -> Verdict {
    let functions = functions(&Programs::of(Build::Checked)?.disassemble("bad-kernels")?);
    let findings: Vec<Finding> = functions.iter().filter_map(finding).collect();
    let mut missed = 0;
    for finding in &findings {
        let caught = match finding.kernel.as_str() {
            "bad_kernels::Calls" => !finding.calls.is_empty(),
            "bad_kernels::Spills" => !is_in_registers(finding),
            "bad_kernels::Divides" | "bad_kernels::DividesDoubles" => finding.divisions > 0,
            _ => false,
        };
        let how = if caught { "caught" } else { "NOT caught" };
        println!(
            "{} ({}): {how}; {} calls, stack traffic {} of {}",
            finding.kernel,
            finding.backend,
            finding.calls.len(),
            finding.stack,
            finding.instructions
        );
        missed += !caught as usize;
    }
    for sample in SAMPLES {
        if !findings.iter().any(|finding| finding.kernel == sample) {
            return Err(format!("the program has no kernel {sample}"));
        }
    }
    if missed == 0 { Ok(()) } else { Err(format!("{missed} bad kernels were not caught")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a vector of 32 bytes on the stack is seen, unless the stack is aligned first.
    #[test]
    fn frames_that_split_pages() {
        let keeps = "401000:\tvmovdqu YMMWORD PTR [rsp+0x60],ymm1\n";
        let aligns = "401000:\tand    rsp,0xffffffffffffffe0\n";
        let other = "401000:\tvmovdqu YMMWORD PTR [rdi],ymm1\n401000:\tmov    QWORD PTR [rsp],rax\n";
        let found = |lines: &str| {
            let text = format!("0000000000401000 <kernel>:\n{lines}\n");
            let functions = functions(&text);
            assert_eq!(functions.len(), 1);
            splits_pages(&functions[0])
        };
        assert!(found(keeps));
        assert!(!found(&format!("{aligns}{keeps}")));
        assert!(!found(other));
    }
}
