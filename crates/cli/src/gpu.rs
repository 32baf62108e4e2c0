//! `ringsmith bench --gpu`: which GPU there is, and how many products a second it computes; and the columns
//! of GPUs in a paper's tables.

use crate::error::Error;
use crate::output::print;
use ringsmith_bench::Measurement;
use ringsmith_bench::gpu::{self, header};
use ringsmith_bench::paper::Paper;
use ringsmith_gpu::Device;
use ringsmith_gpu::rates::{self, Rate, rates};
use ringsmith_gpu::schemes::rates::{self as schemes, BatchTime, times};
use std::time::Duration;

/// Names the GPU of a number, and prints what it does in so much time for each row.
pub(crate) fn run(number: usize, time: Duration) -> Result<(), Error> {
    let device = Device::cuda(number).map_err(Error::Gpu)?;
    print_header(Some(&device))?;
    print(b"\n")?;
    let rates = rates(&device, &rates::Effort { time, ..Default::default() }).map_err(Error::Gpu)?;
    print(table(&rates).as_bytes())?;
    let times = times(&device, &schemes::Effort { time, ..Default::default() }).map_err(Error::Batch)?;
    print(table_of_batches(&times).as_bytes())
}

/// The GPU of a number, for a paper whose tables have columns of one.
pub(crate) fn open(number: usize, paper: &Paper) -> Result<Device, Error> {
    if !paper.is_on_gpu() {
        return Err(Error::Usage(format!("the tables of {} have no columns of GPUs", paper.name)));
    }
    Device::cuda(number).map_err(Error::Gpu)
}

/// What the figures of a GPU are of.
pub(crate) fn print_header(device: Option<&Device>) -> Result<(), Error> {
    device.map_or(Ok(()), |device| print(header(device).map_err(Error::Gpu)?.as_bytes()))
}

/// Rows, and behind them those of a GPU.
pub(crate) fn with_rows(
    mut rows: Vec<Measurement>,
    device: Option<Device>,
    paper: Option<&Paper>,
    time: Duration,
) -> Result<Vec<Measurement>, Error> {
    if let (Some(device), Some(paper)) = (device, paper) {
        let effort = gpu::Effort::per_row(time);
        rows.extend(paper.measure_on(&device, &effort, &|_| true).map_err(Error::Gpu)?);
    }
    Ok(rows)
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

/// Times of whole encryptions as text, in milliseconds.
fn table_of_batches(times: &[BatchTime]) -> String {
    let titles = [
        "set",
        "operation",
        "batch",
        "with the GPU, ms",
        "its products with copies, ms",
        "on the GPU, ms",
        "library, ms",
        "threads",
    ];
    let milliseconds = |time: Duration| format!("{:.3}", time.as_secs_f64() * 1e3);
    let cells = |row: &BatchTime| {
        let BatchTime { set, operation, batch, whole, products, on_device, library, threads } = row;
        let [whole, products, on_device, library] =
            [whole, products, on_device, library].map(|t| milliseconds(*t));
        let (set, operation) = (set.to_string(), operation.to_string());
        [set, operation, batch.to_string(), whole, products, on_device, library, threads.to_string()]
    };
    let lines: Vec<_> = std::iter::once(titles.map(String::from)).chain(times.iter().map(cells)).collect();
    format!("\n{}", ringsmith_probe::aligned(&lines, 2..).concat())
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

    /// Protects: times are milliseconds below their titles.
    #[test]
    fn rows_of_batches() {
        let [whole, products, on_device] = [1_500_400, 20_000, 4_000].map(Duration::from_nanos);
        let library = Duration::from_millis(2);
        let (set, operation, batch, threads) = ("s", "encrypt", 1000, 16);
        let row = BatchTime { set, operation, batch, whole, products, on_device, library, threads };
        let text = table_of_batches(&[row]);
        let lines: Vec<_> =
            text.lines().skip(1).map(|line| line.split("  ").filter(|x| !x.is_empty())).collect();
        let [titles, cells] = &lines[..] else { panic!("{text}") };
        let of: Vec<_> = titles.clone().map(str::trim).zip(cells.clone().map(str::trim)).skip(2).collect();
        let expected = [
            ("batch", "1000"),
            ("with the GPU, ms", "1.500"),
            ("its products with copies, ms", "0.020"),
            ("on the GPU, ms", "0.004"),
            ("library, ms", "2.000"),
            ("threads", "16"),
        ];
        assert_eq!(of, expected);
    }
}
