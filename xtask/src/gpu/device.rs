//! `cargo xtask gpu --device FOLDER`: programs for a machine that has a GPU, and no Rust, no compilers and no
//! network.

use super::{GPUS, compilers};
use crate::shell::{cargo, root, run, target_dir};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crate of the program, which is its name too.
const PROGRAM: &str = "ringsmith-gpu-device";

/// GPU-NTT's sources that its transforms are made of, in its folder.
const GPU_NTT: [&str; 4] = [
    "src/lib/common/common.cu",
    "src/lib/common/nttparameters.cu",
    "src/lib/ntt_merge/ntt.cu",
    "src/lib/ntt_merge/ntt_cpu.cu",
];

fn says(path: &Path) -> impl Fn(std::io::Error) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}

/// The latest version of the C library that a program asks for, as 2.34.
fn c_library(program: &[u8]) -> Option<(u32, u32)> {
    const PREFIX: &[u8] = b"GLIBC_2.";
    let behind = program.windows(PREFIX.len()).enumerate().filter(|(_, window)| *window == PREFIX);
    let digits = |at: usize| {
        let rest = program[at + PREFIX.len()..].iter();
        rest.take_while(|byte| byte.is_ascii_digit()).map(|byte| char::from(*byte)).collect::<String>()
    };
    behind.filter_map(|(at, _)| digits(at).parse().ok()).max().map(|minor| (2, minor))
}

/// The program, in the folder.
fn program(folder: &Path) -> Result<PathBuf, String> {
    run(&mut cargo(&["build", "--release", "-p", PROGRAM, "--features", "cuda"]))?;
    let (from, to) = (target_dir().join("release").join(PROGRAM), folder.join(PROGRAM));
    fs::copy(&from, &to).map_err(says(&from))?;
    let needs = c_library(&fs::read(&to).map_err(says(&to))?);
    match needs {
        Some((major, minor)) => println!("{}: needs glibc {major}.{minor} or later", to.display()),
        None => println!("{}: needs no glibc", to.display()),
    }
    Ok(to)
}

/// GPU-NTT's sources with a program of ours that measures them, beside ours.
fn gpu_ntt(sources: &Path, folder: &Path) -> Result<PathBuf, String> {
    let (tools, to) = (compilers()?, folder.join("gpu-ntt"));
    let mut nvcc = Command::new(tools.join("bin/nvcc"));
    nvcc.args(["-std=c++17", "-O3", "-rdc=true", "-cudart", "static"]);
    nvcc.args(["-Xcompiler", "-static-libstdc++,-static-libgcc"]);
    for (gpu, _) in GPUS.iter().filter(|(_, brought)| *brought) {
        nvcc.args(["-gencode", &format!("arch=compute_{gpu},code=sm_{gpu}")]);
    }
    nvcc.arg("-L").arg(tools.join("lib")).arg("-I").arg(sources.join("src/include"));
    nvcc.arg(root().join("crates/gpu_device/gpu_ntt.cu")).args(GPU_NTT.map(|file| sources.join(file)));
    run(nvcc.arg("-o").arg(&to))?;
    Ok(to)
}

/// The command.
pub(super) fn command(folder: &Path, sources: Option<&Path>) -> Result<bool, String> {
    fs::create_dir_all(folder).map_err(says(folder))?;
    program(folder)?;
    let peer = sources.map(|sources| gpu_ntt(sources, folder)).transpose()?;
    let option = peer.map_or("", |_| "--gpu-ntt ./gpu-ntt ");
    println!("on the machine with the GPU, in this folder: ./{PROGRAM} --results results.jsonl {option}all");
    println!("here, with what came of it: cargo xtask gpu --report results.jsonl");
    Ok(true)
}

/// Writes what was measured into docs/gpu.md.
pub(super) fn report(results: &Path) -> Result<bool, String> {
    let mut command = cargo(&["run", "--quiet", "--release", "-p", PROGRAM, "--", "report"]);
    run(command.arg(results).arg(root().join("docs/gpu.md"))).map(|()| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: of the versions of the C library that a program names, the latest is told, by number and not
    /// as text.
    #[test]
    fn versions() {
        assert_eq!(c_library(b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_2."), Some((2, 34)));
        assert_eq!(c_library(b"static"), None);
    }
}
