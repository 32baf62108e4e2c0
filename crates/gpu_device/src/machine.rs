//! The machine that results are of.

use crate::{Failure, results::Results};
use ringsmith_gpu::Device;
use serde_json::json;
use std::process::Command;
use std::{fs, thread};

/// What NVIDIA's tool says of the GPUs; `None` where it is not there.
fn smi(query: &str) -> Option<String> {
    let mut command = Command::new("nvidia-smi");
    command.args([&format!("--query-gpu={query}"), "--format=csv,noheader"]);
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// The CPU's name.
fn cpu() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(": ")?.1.to_string())
}

/// Tells the GPU, its driver and the CPU.
///
/// # Errors
/// Where the GPU does not answer, or nothing can be written.
pub fn tell(device: &Device, results: &Results) -> Result<(), Failure> {
    let (info, free) = (device.info(), device.free_memory()?);
    let (major, minor) = info.capability;
    results.tell(&json!({
        "what": "machine", "gpu": info.name, "capability": format!("{major}.{minor}"), "free": free,
        "driver": smi("driver_version,clocks.max.sm,power.limit"), "cpu": cpu(),
        "cores": thread::available_parallelism().map_or(1, |cores| cores.get()),
    }))
}

/// Tells the GPU's clock, power and temperature now, where the driver's tool is there to ask.
///
/// # Errors
/// Where nothing can be written.
pub fn tell_clocks(results: &Results) -> Result<(), Failure> {
    let clocks = smi("clocks.sm,power.draw,temperature.gpu");
    results.tell(&json!({ "what": "clocks", "now": clocks }))
}
