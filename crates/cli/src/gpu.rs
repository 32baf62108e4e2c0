//! `ringsmith bench --gpu`: which GPU there is, and how many products a second it computes.

use crate::error::Error;
use crate::output::print;
use ringsmith_gpu::rates::{Effort, Rate, rates};
use ringsmith_gpu::{Device, GpuError};
use std::time::Duration;

/// Names the GPU of a number, and prints what it does in so much time for each row.
pub(crate) fn run(number: usize, time: Duration) -> Result<(), Error> {
    let device = Device::cuda(number).map_err(Error::Gpu)?;
    print(header(&device).map_err(Error::Gpu)?.as_bytes())?;
    let rates = rates(&device, &Effort { time, ..Effort::default() }).map_err(Error::Gpu)?;
    print(table(&rates).as_bytes())
}

/// What the figures are of.
fn header(device: &Device) -> Result<String, GpuError> {
    let (info, free) = (device.info(), device.free_memory()?);
    let (major, minor) = info.capability;
    Ok(format!("gpu      {}, compute capability {major}.{minor}, {} MiB free\n\n", info.name, free >> 20))
}

/// Rates as text, in millions of products a second.
fn table(rates: &[Rate]) -> String {
    let titles = ["ring", "kernel", "batch", "on the GPU, M/s", "with copies, M/s"].map(String::from);
    let millions = |rate: f64| format!("{:.2}", rate / 1e6);
    let cells = |rate: &Rate| {
        let Rate { ring, kernel, batch, on_device, from_host } = rate;
        [ring.to_string(), kernel.to_string(), batch.to_string(), millions(*on_device), millions(*from_host)]
    };
    let lines: Vec<_> = std::iter::once(titles).chain(rates.iter().map(cells)).collect();
    ringsmith_probe::aligned(&lines, 2..).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: a row has its figures below their titles.
    #[test]
    fn rows() {
        let rate = Rate { ring: "R", kernel: "k", batch: 65536, on_device: 1.5e8, from_host: 2_340_000. };
        let text = "ring  kernel  batch  on the GPU, M/s  with copies, M/s\n\
                    R     k       65536           150.00              2.34\n";
        assert_eq!(table(&[rate]), text);
    }
}
