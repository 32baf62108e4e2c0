//! `cargo xtask gpu`: the kernels of `crates/gpu` compiled by NVIDIA's compilers, and what the compiled
//! kernels take.
//!
//! No suite: the compilers are 250 megabytes of Python wheels. They are NVIDIA's, are installed below
//! `target`, and are part of nothing that is published. What comes of it is committed: binaries for three
//! kinds of GPUs with the hashes of their sources, and the budget.

mod device;
mod taint;

use crate::shell::{self, capture, root, run, target_dir};
use crate::suites::digest;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

/// The compilers, and their versions: counts are those of these.
const WHEELS: [&str; 7] = [
    "nvidia-cuda-nvcc==13.0.88",
    "nvidia-nvvm==13.0.88",
    "nvidia-cuda-crt==13.0.88",
    "nvidia-cuda-runtime==13.0.96",
    "nvidia-cuda-cccl==13.0.85",
    "nvidia-cuda-cuobjdump==13.2.51",
    "nvidia-cuda-nvdisasm==13.2.51",
];

/// The sources, one module each.
const MODULES: [&str; 16] = [
    "ntt_1024",
    "ntt_2048",
    "ntt_4096",
    "prepared_1024",
    "prepared_2048",
    "prepared_4096",
    "transform",
    "cyclic",
    "ntru_prime",
    "interleaved",
    "prime",
    "tensor",
    "window",
    "fourier",
    "issue",
    "hash",
];

/// GPUs that the kernels are compiled for, and whether their binaries are brought along.
const GPUS: [(u32, bool); 4] = [(75, false), (80, true), (90, true), (100, true)];

/// A kernel may have so many per cent more instructions than the budget says.
const MORE: usize = 2;

/// What a kernel takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Cost {
    registers: usize,
    spilled: usize,
    instructions: usize,
}

/// Costs by GPU and kernel.
type Costs = BTreeMap<(u32, String), Cost>;

/// Kernels whose addresses may come of what they load, and why.
const PUBLIC: [(&str, &str); 2] = [
    ("sparse", "the places of an operand that anybody may know are addresses"),
    ("sliding_window", "the windows of an operand that anybody may know are addresses, and end a loop"),
];

/// The kernels of `leak.cu`, and what must be said of each.
const LEAKY: [(&str, &str); 3] = [
    ("leak_address", "an address by a secret"),
    ("leak_branch", "a branch by a secret"),
    ("leak_guard", "a guard by a secret"),
];

fn kernels() -> PathBuf {
    root().join("crates/gpu/kernels")
}

/// The folder with the compilers, installed where they are not there.
fn compilers() -> Result<PathBuf, String> {
    let folder = target_dir().join("cuda");
    let tools = folder.join("nvidia/cu13");
    if !tools.join("bin/nvcc").is_file() || !tools.join("bin/cuobjdump").is_file() {
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--no-deps", "--quiet", "--target"]).arg(&folder).args(WHEELS);
        run(&mut pip)?;
    }
    Ok(tools)
}

/// Compiles a source for a GPU; what the assembler says of its kernels.
fn compile(tools: &Path, source: &Path, gpu: u32, out: &Path) -> Result<String, String> {
    let mut nvcc = Command::new(tools.join("bin/nvcc"));
    nvcc.args(["-std=c++17", "-Xptxas", "-v", "-cubin", &format!("-arch=sm_{gpu}")]);
    nvcc.arg(source).arg("-o").arg(out);
    let finished = shell::finish(&mut nvcc)?;
    match finished.code {
        Some(0) => Ok(finished.stdout + &finished.stderr),
        code => Err(format!("{} for sm_{gpu}: exit code {code:?}\n{}", source.display(), finished.stderr)),
    }
}

/// The code of a binary.
fn disassemble(tools: &Path, cubin: &Path) -> Result<String, String> {
    let mut cuobjdump = Command::new(tools.join("bin/cuobjdump"));
    cuobjdump.env("PATH", tools.join("bin")).arg("-sass").arg(cubin);
    capture(&mut cuobjdump)
}

/// The number before a word in a line.
fn number(line: &str, behind: &str) -> Option<usize> {
    line.split(behind).next()?.split([' ', ',']).rfind(|word| !word.is_empty())?.parse().ok()
}

/// Registers and spilled bytes, as the assembler says them.
fn registers(said: &str) -> BTreeMap<String, Cost> {
    let (mut costs, mut kernel) = (BTreeMap::<String, Cost>::new(), String::new());
    for line in said.lines() {
        if let Some(name) = line.split("entry function '").nth(1) {
            kernel = name.split('\'').next().unwrap_or_default().to_string();
        }
        let cost = costs.entry(kernel.clone()).or_default();
        if line.contains(" bytes spill stores") {
            cost.spilled = number(line, " bytes spill stores").unwrap_or(usize::MAX);
        }
        if line.contains("Used ") && line.contains(" registers") {
            cost.registers = number(line, " registers").unwrap_or(usize::MAX);
        }
    }
    costs.remove("");
    costs
}

/// Instructions of each kernel, as disassembled: lines with an address, without what fills up the end.
fn instructions(sass: &str) -> BTreeMap<String, usize> {
    let (mut counts, mut kernel) = (BTreeMap::new(), String::new());
    for line in sass.lines().map(str::trim_start) {
        if let Some(name) = line.strip_prefix("Function : ") {
            kernel = name.to_string();
        }
        let is_instruction = line.starts_with("/*") && line.contains(';') && !line.contains(" NOP;");
        if is_instruction {
            *counts.entry(kernel.clone()).or_insert(0) += 1;
        }
    }
    counts
}

/// No kernel but those that are listed has an address or a branch by a secret; those that are listed have, or
/// they would not be.
fn constant_time(gpu: u32, sass: &str) -> Result<(), String> {
    let leaks = taint::leaks(sass);
    for (kernel, why) in PUBLIC.iter().filter(|(kernel, _)| sass.contains(&format!("Function : {kernel}\n")))
    {
        let count = leaks.iter().filter(|(of, _)| of == kernel).count();
        println!("sm_{gpu} {kernel}: {count} addresses and branches by what it loads: {why}");
        if count == 0 {
            return Err(format!("sm_{gpu} {kernel}: listed as leaking, and it was not seen to"));
        }
    }
    let is_listed = |kernel: &String| PUBLIC.iter().any(|(listed, _)| listed == kernel);
    let bad: Vec<_> = leaks.iter().filter(|(kernel, _)| !is_listed(kernel)).collect();
    bad.iter().for_each(|(kernel, leak)| println!("sm_{gpu} {kernel}: {leak}"));
    if bad.is_empty() { Ok(()) } else { Err(format!("sm_{gpu}: {} leaks", bad.len())) }
}

/// The leaky kernels of which the leak is not among what was found.
fn missed(leaks: &[(String, String)]) -> Vec<&'static str> {
    let is_caught =
        |kernel: &str, what: &str| leaks.iter().any(|(of, leak)| of == kernel && leak.contains(what));
    LEAKY.iter().filter(|(kernel, what)| !is_caught(kernel, what)).map(|(kernel, _)| *kernel).collect()
}

/// Each leaky kernel is caught, for every GPU: what is looked for is seen in the code of these compilers.
fn leaky(tools: &Path, folder: &Path) -> Result<(), String> {
    let source = root().join("xtask/src/gpu/leak.cu");
    for (gpu, _) in GPUS {
        let cubin = folder.join(format!("leak.{gpu}.cubin"));
        compile(tools, &source, gpu, &cubin)?;
        match &missed(&taint::leaks(&disassemble(tools, &cubin)?))[..] {
            [] => println!("sm_{gpu} {}: caught", LEAKY.map(|(kernel, _)| kernel).join(", ")),
            missed => return Err(format!("sm_{gpu} {}: leaks, and was not caught", missed.join(", "))),
        }
    }
    Ok(())
}

/// Compiles a module for every GPU, and counts.
fn module(tools: &Path, folder: &Path, module: &str) -> Result<Costs, String> {
    let mut costs = Costs::new();
    for (gpu, _) in GPUS {
        let cubin = folder.join(format!("{module}.{gpu}.cubin"));
        let said = compile(tools, &kernels().join(format!("{module}.cu")), gpu, &cubin)?;
        let sass = disassemble(tools, &cubin)?;
        constant_time(gpu, &sass)?;
        let counts = instructions(&sass);
        for (kernel, cost) in registers(&said) {
            let instructions = counts.get(&kernel).copied().unwrap_or(usize::MAX);
            costs.insert((gpu, kernel), Cost { instructions, ..cost });
        }
    }
    Ok(costs)
}

/// These modules, each on a thread.
fn all(tools: &Path, folder: &Path, modules: &[&str]) -> Result<Costs, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    leaky(tools, folder)?;
    let results: Vec<_> = thread::scope(|scope| {
        let started: Vec<_> =
            modules.iter().map(|name| scope.spawn(move || module(tools, folder, name))).collect();
        started.into_iter().map(|thread| thread.join()).collect()
    });
    let mut costs = Costs::new();
    for result in results {
        costs.extend(result.map_err(|_| "a thread ended".to_string())??);
    }
    Ok(costs)
}

/// A line of the budget.
fn line(((gpu, kernel), cost): (&(u32, String), &Cost)) -> String {
    let Cost { registers, spilled, instructions } = cost;
    format!("sm_{gpu} {kernel} registers {registers} spilled {spilled} instructions {instructions}\n")
}

/// The budget of a line.
fn parse(line: &str) -> Option<((u32, String), Cost)> {
    let words: Vec<&str> = line.split(' ').collect();
    let &[gpu, kernel, "registers", registers, "spilled", spilled, "instructions", instructions] = &words[..]
    else {
        return None;
    };
    let number = |text: &str| text.parse().ok();
    let cost = Cost {
        registers: number(registers)?,
        spilled: number(spilled)?,
        instructions: number(instructions)?,
    };
    Some(((gpu.strip_prefix("sm_")?.parse().ok()?, kernel.to_string()), cost))
}

/// What is against the budget.
fn against(costs: &Costs, budget: &Costs) -> Vec<String> {
    let mut found = Vec::new();
    for ((gpu, kernel), cost) in costs {
        let Some(allowed) = budget.get(&(*gpu, kernel.clone())) else {
            found.push(format!("sm_{gpu} {kernel}: not in the budget"));
            continue;
        };
        let most = allowed.instructions + allowed.instructions * MORE / 100;
        if cost.spilled > 0 || cost.registers > allowed.registers || cost.instructions > most {
            found.push(format!("sm_{gpu} {kernel}: {cost:?}, the budget is {allowed:?}"));
        }
    }
    let gone = budget.keys().filter(|key| !costs.contains_key(*key));
    found.extend(gone.map(|(gpu, kernel)| format!("sm_{gpu} {kernel}: in the budget, and gone")));
    found
}

/// Puts a module's binaries into one file.
fn bundle(tools: &Path, folder: &Path, module: &str) -> Result<(), String> {
    let mut fatbinary = Command::new(tools.join("bin/fatbinary"));
    let to = kernels().join(format!("compiled/{module}.fatbin"));
    fatbinary.args(["-64", "--compress-all", &format!("--create={}", to.display())]);
    for (gpu, _) in GPUS.iter().filter(|(_, brought)| *brought) {
        let cubin = folder.join(format!("{module}.{gpu}.cubin"));
        fatbinary.arg(format!("--image3=kind=elf,sm={gpu},file={}", cubin.display()));
    }
    run(&mut fatbinary)
}

/// The files of which the tests hold the hashes: sources and binaries.
fn files() -> Vec<String> {
    let headers = [
        "common.cuh",
        "ntt.cuh",
        "prepared.cuh",
        "transform.cuh",
        "cyclic.cuh",
        "ntru_prime.cuh",
        "interleaved.cuh",
        "prime.cuh",
        "tensor.cuh",
        "window.cuh",
        "fourier.cuh",
        "issue.cuh",
        "hash.cuh",
    ]
    .map(String::from);
    let modules =
        MODULES.into_iter().flat_map(|name| [format!("{name}.cu"), format!("compiled/{name}.fatbin")]);
    headers.map(String::from).into_iter().chain(modules).collect()
}

/// Writes budget, binaries and hashes.
fn bless(tools: &Path, folder: &Path, (costs, modules): (&Costs, &[&str])) -> Result<(), String> {
    let write = |path: &Path, text: String| {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    write(&budget_file(), costs.iter().map(line).collect())?;
    modules.iter().try_for_each(|module| bundle(tools, folder, module))?;
    let mut lines = String::new();
    for file in files() {
        let content = fs::read(kernels().join(&file)).map_err(|error| format!("{file}: {error}"))?;
        lines += &format!("{}  {file}\n", digest(&content));
    }
    write(&kernels().join("compiled/files.txt"), lines)
}

fn budget_file() -> PathBuf {
    root().join("crates/gpu/budget.txt")
}

/// Names of kernels as the source of a module has them: those whose line names one.
fn names(module: &str, known: &Costs) -> Result<Vec<String>, String> {
    let path = kernels().join(format!("{module}.cu"));
    let source = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let words = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let is_named = |name: &str| source.split(words).any(|word| word == name);
    Ok(known.keys().map(|(_, name)| name.clone()).filter(|name| is_named(name)).collect())
}

/// The budget as it is.
fn budget() -> Costs {
    let text = fs::read_to_string(budget_file()).unwrap_or_default();
    text.lines().filter_map(parse).collect()
}

/// Compiles these modules, of which the costs are blessed or held to the budget.
fn compiled(modules: &[&str], blesses: bool) -> Result<bool, String> {
    let (tools, folder) = (compilers()?, target_dir().join("gpu"));
    let costs = all(&tools, &folder, modules)?;
    costs.iter().for_each(|cost| print!("{}", line(cost)));
    let (mut known, mut others) = (budget(), Costs::new());
    for module in MODULES.iter().filter(|module| !modules.contains(module)) {
        let names = names(module, &known)?;
        others
            .extend(known.iter().filter(|((_, name), _)| names.contains(name)).map(|(k, v)| (k.clone(), *v)));
    }
    if blesses {
        others.extend(costs);
        return bless(&tools, &folder, (&others, modules)).map(|()| true);
    }
    known.retain(|key, _| !others.contains_key(key));
    let found = against(&costs, &known);
    found.iter().for_each(|what| println!("{what}"));
    Ok(found.is_empty())
}

/// The command.
pub(crate) fn command(args: &[&str]) -> Result<bool, String> {
    match args {
        ["--device", folder] => device::command(crate::folder_of(folder)?, None),
        ["--device", folder, "--gpu-ntt", sources] => {
            device::command(crate::folder_of(folder)?, Some(crate::folder_of(sources)?))
        }
        ["--report", results] => device::report(crate::folder_of(results)?),
        ["--bless", modules @ ..] if is_known(modules) => compiled(or_all(modules), true),
        modules if is_known(modules) => compiled(or_all(modules), false),
        _ => {
            Err("gpu takes --bless, modules, --device FOLDER [--gpu-ntt FOLDER], or --report RESULTS".into())
        }
    }
}

fn is_known(modules: &[&str]) -> bool {
    modules.iter().all(|module| MODULES.contains(module))
}

/// All modules where none is named.
fn or_all<'a>(modules: &'a [&'a str]) -> &'a [&'a str] {
    if modules.is_empty() { &MODULES } else { modules }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a leaky kernel that is not caught is told, also where another leak of it is.
    #[test]
    fn leaky_kernels() {
        let leak = |(kernel, what): (&str, &str)| (kernel.to_string(), format!("0010: {what}: LDS R5, [R4]"));
        let mut leaks = LEAKY.map(leak);
        assert!(missed(&leaks).is_empty());
        leaks[2].1 = leaks[1].1.clone();
        assert_eq!(missed(&leaks), ["leak_guard"]);
    }

    /// Protects: what the assembler and the disassembler say is read, and a kernel that spills or grew is
    /// seen.
    #[test]
    fn budget() {
        let said = "ptxas info    : Compiling entry function 'k' for 'sm_90'\n    \
                    0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n\
                    ptxas info    : Used 40 registers, used 1 barriers";
        let cost = registers(said)["k"];
        assert_eq!(cost, Cost { registers: 40, spilled: 4, instructions: 0 });
        let sass = "\tFunction : k\n  /*0000*/  LDC R1, c[0x0][0x28] ;\n  /*0010*/  NOP;\n  /* 0x00 */";
        assert_eq!(instructions(sass)["k"], 1);
        let of = |cost| Costs::from([((90, "k".to_string()), cost)]);
        let small = Cost { registers: 40, spilled: 0, instructions: 100 };
        assert_eq!(
            parse(line(of(small).first_key_value().unwrap()).trim_end()),
            of(small).into_iter().next()
        );
        assert!(against(&of(Cost { instructions: 102, ..small }), &of(small)).is_empty());
        for grown in [
            Cost { instructions: 103, ..small },
            Cost { registers: 41, ..small },
            Cost { spilled: 4, ..small },
        ] {
            assert_eq!(against(&of(grown), &of(small)).len(), 1);
        }
        assert_eq!(against(&Costs::new(), &of(small)).len() + against(&of(small), &Costs::new()).len(), 2);
    }
}
