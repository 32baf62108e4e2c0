//! The rows of a GPU in a paper's tables, on an emulated one.
#![forbid(unsafe_code)]

use ringsmith_bench::gpu::Effort;
use ringsmith_bench::paper::{self, ON_GPU, Paper};
use ringsmith_bench::{Id, Measurement};
use ringsmith_gpu::{Device, Emulated, Faults, GpuError};
use std::sync::Arc;
use std::time::Duration;

/// Two messages, and one product of each ring.
const EFFORT: Effort = Effort { coefficients: 1, messages: 2, memory: 1 << 16, time: Duration::ZERO };

fn measured_by(
    effort: &Effort,
    faults: Faults,
    wanted: impl Fn(&Id) -> bool,
) -> Result<Vec<Measurement>, GpuError> {
    let device = Device::by(Arc::new(Emulated::new(faults)));
    Paper::find("akleylek-tok").unwrap().measure_on(&device, effort, &wanted)
}

fn measured(faults: Faults, wanted: impl Fn(&Id) -> bool) -> Result<Vec<Measurement>, GpuError> {
    measured_by(&EFFORT, faults, wanted)
}

/// Short steps take thousands of barriers: one length for the great degrees.
fn is_quick(id: &Id) -> bool {
    let small = id.subject.contains("401") || id.subject.contains("1024");
    let has = |words: &[&str]| words.iter().any(|word| id.route.ends_with(word));
    !id.route.starts_with("interleaved") || has(&[":32"]) || (small && has(&[":16", ":64"]))
}

/// Protects: every operation of the tables runs on a GPU by every route, its result is the CPU's, and its
/// figure stands in the tables, and in those of quotients.
#[test]
fn every_row() {
    let rows = measured(Faults::default(), is_quick).unwrap();
    let paper = Paper::find("akleylek-tok").unwrap();
    let mut seen = 0;
    for table in paper.tables(&rows) {
        if table.ours == ["here"] {
            continue;
        }
        assert_eq!(table.ours, ON_GPU);
        for line in &table.lines {
            let [on_gpu, with_copies] = line.ours[..] else { panic!("{}", line.item) };
            assert_eq!(on_gpu.is_some_and(|x| x > 0.), with_copies.is_some_and(|x| x > 0.));
            // What no GPU has: matrices of CPUs, the library's own encryption, schoolbook modulo 2^k.
            let of_cpu = line.route.starts_with("toeplitz")
                || line.route == "library"
                || (line.route == "schoolbook" && !line.subject.contains("49201153"));
            let is_long = !of_cpu && on_gpu.is_none();
            let words = [":1", ":8", ":16", ":64", " 1", " 8", " 16", " 64"];
            let of_word = words.iter().any(|word| line.route.ends_with(word) || line.item.ends_with(word));
            assert!(!is_long || of_word, "{} {} {}", line.subject, line.item, line.route);
            seen += usize::from(on_gpu.is_some());
        }
        assert!(!paper::text(&table).contains("- cuda was not measured"));
    }
    // Both forms by three lengths at the least degree, by one at the others; three other routes each.
    let (of_sets, of_primes) = (6 + 3 * 2 + 4 * 3, 6 + 2 * 2 + 3 * 3);
    assert_eq!(rows.len(), 2 * (2 * of_sets + of_primes));
    assert!(seen > rows.len() / 2, "{seen}");
}

/// Protects: a wrong product, and a wrong ciphertext, is an error and no figure.
#[test]
fn wrong_results() {
    for (mutant, route, kernel) in [
        (13, "fast-convolution", "sparse"),
        (23, "sliding-window", "sliding_window"),
        (25, "doubles", "fourier"),
    ] {
        let found = measured(Faults { mutant, ..Faults::default() }, |id| id.route == route);
        assert_eq!(found, Err(GpuError::Wrong { ring: kernel }), "{route}");
    }
    let wanted = |id: &Id| id.route == "fast-convolution" && id.operation == "encrypt";
    let found = measured(Faults { mutant: 13, ..Faults::default() }, wanted);
    assert_eq!(found, Err(GpuError::Wrong { ring: "sparse" }));
}

/// Protects: messages of a batch that need another try get one: one in twenty does in this set, and every
/// ciphertext is compared with the library's.
#[test]
fn other_tries() {
    let effort = Effort { messages: 100, ..EFFORT };
    let wanted = |id: &Id| id.subject == "ees401ep1" && id.route == "fast-convolution";
    assert_eq!(measured_by(&effort, Faults::default(), wanted).unwrap().len(), 2);
}

/// Protects: what a GPU has no kernel or no room for is left out.
#[test]
fn an_old_gpu() {
    let old = Faults { capability: (7, 5), shared: 64 << 10, ..Faults::default() };
    let rows = measured(old, |id| id.subject.contains("4096") && id.route.ends_with("nal:64")).unwrap();
    assert!(rows.is_empty());
    let rows = measured(old, |id| id.subject.contains("4096") && id.route == "doubles").unwrap();
    assert_eq!(rows.len(), 2);
}
