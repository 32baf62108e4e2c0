//! The experiment of memory: how well copies and products overlap, what a full GPU does, and what clearing
//! costs.

use crate::Failure;
use crate::experiments::Bench;
use crate::jobs::{self, PRIME};
use ringsmith_gpu::{Batch, GpuError, Operand, Output, Space, Word};
use serde_json::json;
use std::time::Instant;

/// Its number.
const NUMBER: usize = 9;

/// The ring.
const N: usize = 1024;

/// Bytes of a polynomial.
const BYTES: usize = 4 * N;

/// All of it.
pub(crate) fn all(bench: &Bench<'_>) -> Result<(), Failure> {
    streams(bench)?;
    clearing(bench)?;
    full(bench)
}

/// One to three streams, pinned memory of the host and other, and parts of a batch of several sizes.
fn streams(bench: &Bench<'_>) -> Result<(), Failure> {
    let (job, batch) = (jobs::word(N, PRIME), bench.effort.batch(1 << 16));
    for log in [20, 22, 24, 26, 28] {
        let memory = (1 << log) / bench.effort.divisor.min(64);
        for (pinned, streams) in [true, false].into_iter().flat_map(|pinned| [1, 2, 3].map(|s| (pinned, s))) {
            let result = json!({ "what": "streams", "streams": streams, "pinned": pinned, "memory": memory });
            bench.measure(NUMBER, &job, (batch, Space { memory, streams, pinned }), result)?;
        }
    }
    Ok(())
}

/// Sizes of memory that is made, as powers of two; those that the GPU has twice.
const SIZES: [u32; 5] = [16, 20, 24, 28, 32];

/// How often memory is made and given back, of which the least time counts.
const OFTEN: usize = 5;

/// How long it takes to make memory, which is cleared then, and to clear and give it back.
fn clearing(bench: &Bench<'_>) -> Result<(), Failure> {
    let batch = Batch::new(bench.device, Word::new(N, PRIME)?, 1 << 16)?;
    let free = bench.device.free_memory()?;
    let bytes = SIZES.map(|log| (1_usize << log) / bench.effort.divisor);
    for count in bytes.into_iter().filter(|bytes| *bytes <= free / 2).map(|bytes| (bytes / BYTES).max(1)) {
        let mut least = [f64::INFINITY; 2];
        for _ in 0..OFTEN {
            let start = Instant::now();
            let room = batch.room(count)?;
            let (made, start) = (start.elapsed(), Instant::now());
            drop(room);
            least = [least[0].min(made.as_secs_f64()), least[1].min(start.elapsed().as_secs_f64())];
        }
        let [made, given_back] = least;
        let result = json!({
            "what": "cleared", "bytes": count * BYTES, "made": made, "given_back": given_back,
        });
        bench.tell(NUMBER, result)?;
    }
    Ok(())
}

/// Fills nine tenths of the GPU's memory: a batch that asks for all of it is refused, a small one is right,
/// and clearing is measured.
fn full(bench: &Bench<'_>) -> Result<(), Failure> {
    let ring = || Word::new(N, PRIME);
    let free = bench.device.free_memory()?;
    let mut small = Batch::new(bench.device, ring()?, 1 << 16)?;
    let filling = small.room(free / 10 * 9 / BYTES)?;
    let refused = matches!(Batch::new(bench.device, ring()?, free), Err(GpuError::OutOfMemory { .. }));
    let (ones, mut products) = (vec![1; N], vec![0; N]);
    small.multiply(&Operand::Host(&ones), &Operand::Host(&ones), Output::Host(&mut products))?;
    // The sum of i + 1 terms that are 1, and of n - 1 - i that are -1.
    let is_right =
        |(i, c): (usize, &u32)| i64::from(*c) == (2 * i as i64 + 2 - N as i64).rem_euclid(PRIME as i64);
    let right = products.iter().enumerate().all(is_right);
    let (start, bytes) = (Instant::now(), filling.count() * BYTES);
    drop(filling);
    let cleared = bytes as f64 / start.elapsed().as_secs_f64();
    let result = json!({ "what": "full", "refused": refused, "right": right, "cleared": cleared });
    bench.tell(NUMBER, result)?;
    if right && refused {
        Ok(())
    } else {
        Err("a full GPU was not refused, or computed a wrong product".into())
    }
}
