//! Kernels as compiled: nothing is called from inside, and the vectors stay in registers.
//!
//! A kernel is the method `enter` of the kernel's type for the token of a backend. Whatever it calls was meant to be
//! inlined (a function out of line is compiled without the CPU's instructions). Stack traffic, the number of instructions
//! that read or write the stack frame, has a committed budget for each kernel and backend in `xtask/asm-budget.txt`.

use super::disassembly::{Function, Instruction, functions};
use super::divisions;
use super::harness::Machine;
use crate::shell;
use crate::suite::{Options, Verdict};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a kernel may call, each with the reason.
const ALLOWED: &[(&str, &str)] = &[
    ("core::panicking::", "the cold end of a check of a length; no kernel reaches it"),
    ("core::slice::index::", "the cold end of a check of a length; no kernel reaches it"),
    ("core::option::expect_failed", "the cold end of a check of a length; no kernel reaches it"),
    ("core::option::unwrap_failed", "the cold end of a check of a length; no kernel reaches it"),
    ("memset", "clears local memory; it chooses its instructions itself"),
];

/// What a kernel of plain Rust may call beside these. There are no instructions of the CPU's to lose.
const ALLOWED_IN_SCALAR: &[(&str, &str)] = &[
    ("scalar::Scalar as ringsmith_simd::lanes::I16Lanes>::apart", "a part that is a function of its own"),
    ("scalar::Scalar as ringsmith_simd::lanes::I16Lanes>::madd_windows", "the same"),
    ("memcpy", "vectors, which are arrays"),
    ("*r", "one of these by its address in a register"),
];

/// How one kernel was compiled on one backend.
struct Finding {
    kernel: String,
    backend: String,
    calls: Vec<String>,
    stack: usize,
}

/// The backend and the kernel of a function, where it is one.
fn kernel_of(name: &str) -> Option<(String, String)> {
    let (kernel, token) = name.strip_suffix(">>::enter")?.split_once(" as ringsmith_simd::Enter<")?;
    let (kernel, backend) = (kernel.strip_prefix('<')?, token.rsplit("::").next()?.to_lowercase());
    // The last argument of a planned kernel says which reduction to leave out: none, outside the test of the bounds.
    let whole = kernel.replace(&format!(", {}", u64::MAX), "");
    let whole = whole.replace("ringsmith_ring::algorithm::", "").replace("ringsmith_ring::", "");
    Some((backend, whole.replace("ringsmith_hash::", "")))
}

/// Whether an instruction reads or writes the stack frame (saving registers aside).
fn touches_stack(instruction: &Instruction) -> bool {
    let operands = &instruction.operands;
    (operands.contains("[rsp") || operands.contains("[rbp")) && instruction.operation != "lea"
}

fn finding(function: &Function) -> Option<Finding> {
    let (backend, kernel) = kernel_of(&function.name)?;
    let calls = function.instructions.iter().filter_map(|instruction| instruction.leaves(function));
    let more = if backend == "scalar" { ALLOWED_IN_SCALAR } else { &[] };
    let allowed = |target: &String| ALLOWED.iter().chain(more).any(|(part, _)| target.contains(part));
    let calls = calls.filter(|target| !allowed(target)).collect();
    let stack = function.instructions.iter().filter(|instruction| touches_stack(instruction)).count();
    Some(Finding { kernel, backend, calls, stack })
}

fn budget_file() -> PathBuf {
    shell::root().join("xtask/asm-budget.txt")
}

type Budget = BTreeMap<(String, String), usize>;

/// The committed budgets: kernel, backend, budget, separated by tabs.
fn committed() -> Result<Budget, String> {
    let text =
        std::fs::read_to_string(budget_file()).map_err(|error| format!("xtask/asm-budget.txt: {error}"))?;
    let parse = |line: &str| {
        let mut columns = line.split('\t');
        let (kernel, backend) = (columns.next()?, columns.next()?);
        Some(((kernel.to_string(), backend.to_string()), columns.next()?.parse().ok()?))
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| parse(line).ok_or(format!("xtask/asm-budget.txt: can't read `{line}`"))).collect()
}

/// Writes the budgets anew, a tenth above what is measured.
fn bless(findings: &[Finding]) -> Verdict {
    let mut lines: Vec<String> = Vec::new();
    for finding in findings {
        let budget = (finding.stack * 11).div_ceil(10);
        lines.push(format!("{}\t{}\t{budget}\n", finding.kernel, finding.backend));
    }
    lines.sort();
    let head = "# kernel, backend, instructions that touch the stack; written by `cargo xtask asm --bless`\n";
    std::fs::write(budget_file(), head.to_string() + &lines.concat()).map_err(|error| error.to_string())
}

/// Budgets of kernels that are gone.
fn stale<'a>(findings: &[Finding], budget: &'a Budget) -> Vec<&'a (String, String)> {
    let gone = |(kernel, backend): &(String, String)| {
        findings.iter().all(|finding| finding.kernel != *kernel || finding.backend != *backend)
    };
    budget.keys().filter(|key| gone(key)).collect()
}

fn judge(findings: &[Finding], budget: &Budget) -> Verdict {
    let stale = stale(findings, budget);
    stale
        .iter()
        .for_each(|(kernel, backend)| println!("{kernel} ({backend}) has a budget, but is no kernel"));
    let mut bad = stale.len();
    for Finding { kernel, backend, calls, stack } in findings {
        for target in calls {
            println!("{kernel} ({backend}) calls {target}");
        }
        let key = (kernel.clone(), backend.clone());
        let over = match budget.get(&key) {
            Some(budget) if stack <= budget => false,
            Some(budget) => {
                println!("{kernel} ({backend}) touches the stack {stack} times, budget {budget}");
                true
            }
            None => {
                println!("{kernel} ({backend}) has no budget; it touches the stack {stack} times");
                true
            }
        };
        bad += (over || !calls.is_empty()) as usize;
    }
    println!("{} kernels, {bad} bad", findings.len());
    if bad == 0 {
        Ok(())
    } else {
        Err(format!("{bad} kernels; see above, or `cargo xtask asm --bless` for budgets"))
    }
}

/// The suite `asm`.
pub(crate) fn run(options: &Options) -> Verdict {
    let text = Machine::X86_64.build()?.disassemble("ct")?;
    let findings: Vec<Finding> = functions(&text).iter().filter_map(finding).collect();
    if findings.is_empty() {
        return Err("the program holds no kernel".to_string());
    }
    if options.bless {
        bless(&findings)?;
    }
    judge(&findings, &committed()?)
}

/// The suite `asm-samples`: each bad kernel is seen for what it is, on every backend.
pub(crate) fn self_test(_: &Options) -> Verdict {
    /// More stack traffic than any good kernel is meant to have.
    const SPILLS: usize = 50;
    let functions = functions(&Machine::X86_64.build()?.disassemble("bad-kernels")?);
    let mut seen = 0;
    for function in &functions {
        let Some(Finding { kernel, backend, calls, stack }) = finding(function) else { continue };
        let caught = match kernel.as_str() {
            "bad_kernels::Calls" => !calls.is_empty(),
            "bad_kernels::Spills" => stack > SPILLS,
            "bad_kernels::Divides" => divisions::count(function) > 0,
            _ => false,
        };
        let how = if caught { "caught" } else { "NOT caught" };
        println!("{kernel} ({backend}): {how}; {} calls, stack traffic {stack}", calls.len());
        seen += caught as usize;
    }
    // Three kernels on three backends.
    if seen == 9 { Ok(()) } else { Err(format!("{seen} of 9 bad kernels were caught")) }
}
