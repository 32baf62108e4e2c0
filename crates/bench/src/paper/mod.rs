//! The tables of the papers that this library follows, row by row: the published figure, this machine on each
//! CPU backend, and the ratio.
//!
//! ```
//! use ringsmith_bench::paper::Paper;
//! use ringsmith_bench::peers::Peers;
//!
//! let paper = Paper::find("newhope-compact").unwrap();
//! let cpus = [ringsmith_simd::Cpu::detect()];
//! assert!(!paper.cases(&cpus, &Peers::NONE).is_empty());
//! // Without measurements, what is counted and what is known is there all the same.
//! let counted = &paper.tables(&[])[0];
//! assert_eq!(counted.lines[0].published, counted.lines[0].ours);
//! ```

mod akleylek_tok;
pub mod count;
mod gorbenko;
mod longa_naehrig;
pub(crate) mod ml_dsa;
mod newhope_compact;
mod ntru;
mod ntru_prime;
mod rows;
mod table;

use crate::case::{Case, Id};
use crate::measurement::Measurement;
use crate::peers::Peers;
use crate::{RINGSMITH, cases};
use ringsmith_simd::{Cpu, Scalar, Simd};
pub use table::{Line, Table, Unit, text};

#[cfg(feature = "gpu")]
pub(crate) use akleylek_tok::{DOUBLES, SETS, STEPS, TENSOR_CORES};

/// A paper whose tables can be printed, or a standard whose implementations are compared.
pub struct Paper {
    /// What it is called by.
    pub name: &'static str,
    /// Who wrote it, and what was measured there.
    pub source: &'static str,
    /// The tables, in their order.
    blocks: fn() -> Vec<Block>,
    /// Operations that are measured for these tables alone.
    own_cases: fn(&[Cpu]) -> Vec<Case>,
    /// Tables of libraries beside each other.
    beside: Option<Beside>,
    /// Whether its operations run on a GPU, too.
    on_gpu: bool,
}

/// The columns of an NVIDIA GPU, as backends: of operands that are on it to results that stay there, and with
/// all copies.
pub const ON_GPU: [&str; 2] = ["cuda", "cuda+copies"];

/// How to fill them.
const NO_GPU: &str = "- cuda was not measured: `cargo xtask bench --table NAME --gpu` does so where there is \
                      an NVIDIA GPU";
/// Of rows that no CPU has.
const GPU_ALONE: &str = "- routes without figures of CPUs are kernels of GPUs alone";

/// Tables that compare libraries with each other, not with what was published.
struct Beside {
    /// All of this suite is measured.
    suite: &'static str,
    /// What the columns are.
    legend: &'static str,
    /// The tables.
    tables: fn(&[Measurement]) -> Vec<Table>,
}

/// All papers with tables.
pub const PAPERS: [Paper; 7] = [
    longa_naehrig::PAPER,
    akleylek_tok::PAPER,
    newhope_compact::PAPER,
    gorbenko::PAPER,
    ntru::PAPER,
    ntru_prime::PAPER,
    ml_dsa::PAPER,
];

/// None beside those of all suites.
fn no_cases(_: &[Cpu]) -> Vec<Case> {
    Vec::new()
}

/// A table before it has figures of this machine.
struct Block {
    title: &'static str,
    unit: Unit,
    /// What the published columns are called. The first is compared with the scalar backend, the last with
    /// vectors.
    published: &'static [&'static str],
    rows: Vec<Row>,
}

/// One row of it.
struct Row {
    subject: &'static str,
    item: String,
    route: &'static str,
    published: Vec<Option<f64>>,
    here: Here,
}

/// Where the figures of this machine come from.
enum Here {
    /// Known without measuring.
    Known(f64),
    /// The sum of what operations of a suite take.
    Sum(Operations),
    /// The quotient of two sums.
    Quotient(Operations, Operations),
    /// What operations take on a GPU; no CPU has them.
    OnGpu(Operations),
}

/// Operations of a suite.
#[derive(Clone, Copy)]
struct Operations {
    suite: &'static str,
    subject: &'static str,
    names: &'static [&'static str],
    route: &'static str,
    by: Library,
}

/// Whose code is measured.
#[derive(Clone, Copy)]
enum Library {
    /// This library's, on each CPU backend.
    Ours,
    /// A peer's, on one CPU backend.
    Peer(&'static Peer),
}

/// Code of a peer that stands in for what a paper compares with.
#[derive(PartialEq, Eq)]
struct Peer {
    /// Its name without a version.
    name: &'static str,
    /// What it runs on.
    cpu: &'static str,
}

impl Peer {
    /// Whether it was measured.
    fn is_in(&'static self, rows: &[Measurement]) -> bool {
        rows.iter().any(|row| Library::Peer(self).wrote(&row.id()))
    }

    /// How to fill the places that it leaves empty.
    fn note(&self) -> String {
        let Peer { name, cpu } = self;
        format!(
            "- {name} ({cpu}) was not measured: \
             `cargo xtask bench --peers --table NAME` does so where it runs"
        )
    }
}

impl Operations {
    fn contain(&self, id: &Id) -> bool {
        let same = (id.suite.as_str(), id.subject.as_str(), id.route.as_str());
        same == (self.suite, self.subject, self.route)
            && self.by.wrote(id)
            && self.names.contains(&id.operation.as_str())
    }

    /// Thousands of core cycles on a CPU backend, where all were measured.
    fn on(&self, cpu: &str, rows: &[Measurement]) -> Option<f64> {
        self.sum(cpu, rows, |row| row.core_cycles() / 1e3)
    }

    /// The same in seconds.
    fn seconds_on(&self, cpu: &str, rows: &[Measurement]) -> Option<f64> {
        self.sum(cpu, rows, |row| row.ns_min / 1e9)
    }

    fn sum(&self, cpu: &str, rows: &[Measurement], cost: fn(&Measurement) -> f64) -> Option<f64> {
        let cpu = self.by.peer().map_or(cpu, |peer| peer.cpu);
        let cost_of = |name: &&str| {
            let is = |row: &&Measurement| row.cpu == cpu && row.operation == *name && self.contain(&row.id());
            rows.iter().find(is).map(cost)
        };
        self.names.iter().map(cost_of).sum()
    }
}

impl Library {
    fn peer(self) -> Option<&'static Peer> {
        match self {
            Library::Ours => None,
            Library::Peer(peer) => Some(peer),
        }
    }

    fn wrote(self, id: &Id) -> bool {
        match self {
            Library::Ours => id.implementation == RINGSMITH,
            // A name, and a version.
            Library::Peer(peer) => {
                id.implementation.split(' ').next() == Some(peer.name) && id.cpu == peer.cpu
            }
        }
    }
}

impl Here {
    /// All operations that it is made of.
    fn operations(&self) -> impl Iterator<Item = &Operations> {
        let (one, another) = match self {
            Here::Known(_) => (None, None),
            Here::Sum(of) | Here::OnGpu(of) => (Some(of), None),
            Here::Quotient(of, by) => (Some(of), Some(by)),
        };
        one.into_iter().chain(another)
    }

    fn contains(&self, id: &Id) -> bool {
        self.operations().any(|operations| operations.contain(id))
    }

    /// The peer without which it is not known.
    fn lacks(&self, rows: &[Measurement]) -> Option<&'static Peer> {
        self.operations().filter_map(|operations| operations.by.peer()).find(|peer| !peer.is_in(rows))
    }

    fn on(&self, unit: Unit, cpu: &str, rows: &[Measurement]) -> Option<f64> {
        match (self, unit) {
            (Here::Known(value), _) => Some(*value),
            (Here::Sum(of) | Here::OnGpu(of), Unit::PerSecond) => {
                of.seconds_on(cpu, rows).map(|seconds| 1.0 / seconds)
            }
            (Here::Sum(of) | Here::OnGpu(of), Unit::Seconds) => {
                of.seconds_on(cpu, rows).map(|seconds| 1e3 * seconds)
            }
            (Here::Sum(of) | Here::OnGpu(of), Unit::Microseconds) => {
                of.seconds_on(cpu, rows).map(|seconds| 1e6 * seconds)
            }
            (Here::Sum(of) | Here::OnGpu(of), _) => of.on(cpu, rows),
            (Here::Quotient(of, by), _) => Some(of.on(cpu, rows)? / by.on(cpu, rows)?),
        }
    }
}

impl Paper {
    /// The paper of a name.
    pub fn find(name: &str) -> Option<&'static Paper> {
        const { &PAPERS }.iter().find(|paper| paper.name == name)
    }

    /// What its tables need to be measured on the given CPU backends, and of the peers that there are.
    pub fn cases(&self, cpus: &[Cpu], peers: &Peers) -> Vec<Case> {
        let blocks = (self.blocks)();
        let beside = |id: &Id| self.beside.as_ref().is_some_and(|beside| beside.suite == id.suite);
        let needed = |id: &Id| {
            beside(id) || blocks.iter().flat_map(|block| &block.rows).any(|row| row.here.contains(id))
        };
        let all = cases(cpus).into_iter().chain((peers.cases)()).chain((self.own_cases)(cpus));
        all.filter(|case| needed(case.id())).collect()
    }

    /// Whether its tables have columns of a GPU.
    pub fn is_on_gpu(&self) -> bool {
        self.on_gpu
    }

    /// What its tables have of a GPU, measured.
    ///
    /// # Errors
    /// What goes wrong with the GPU, and where it computes something wrong.
    #[cfg(feature = "gpu")]
    pub fn measure_on(
        &self,
        device: &ringsmith_gpu::Device,
        effort: &crate::gpu::Effort,
        wanted: &dyn Fn(&Id) -> bool,
    ) -> Result<Vec<Measurement>, ringsmith_gpu::GpuError> {
        let blocks = (self.blocks)();
        let is_here = |id: &Id| blocks.iter().flat_map(|block| &block.rows).any(|row| row.here.contains(id));
        crate::gpu::measure(device, effort, &|id| self.on_gpu && is_here(id) && wanted(id))
    }

    /// The tables as a page of text.
    pub fn page(&self, tables: &[Table]) -> String {
        let texts: String = tables.iter().map(|table| format!("\n{}", text(table))).collect();
        if let Some(Beside { legend, .. }) = &self.beside {
            return format!("{}\n{legend}{texts}", self.source);
        }
        format!(
            "published by {}\n\
             ratios   this machine's figure in the published one: below 1 it is less\n{texts}",
            self.source
        )
    }

    /// The tables, with what was measured; what was not, stays empty.
    pub fn tables(&self, rows: &[Measurement]) -> Vec<Table> {
        let mut cpus: Vec<&str> = Vec::new();
        for row in rows.iter().filter(|row| row.implementation == RINGSMITH) {
            let cpu = row.cpu.as_str();
            if !cpus.contains(&cpu) && !ON_GPU.contains(&cpu) {
                cpus.push(cpu);
            }
        }
        if self.on_gpu {
            cpus.extend(ON_GPU);
        }
        let beside = self.beside.iter().flat_map(|beside| (beside.tables)(rows));
        (self.blocks)().into_iter().map(|block| block.filled(&cpus, rows)).chain(beside).collect()
    }
}

/// The published column of portable code, which the scalar backend is compared with.
const PORTABLE: &str = "C";

impl Block {
    /// Where the published code is portable and this build has no kernels in plain Rust to compare with: how
    /// to get them.
    fn lacks_plain_rust(&self) -> Option<String> {
        let compared = self.published.first() == Some(&PORTABLE);
        let why = Cpu::from_name(Scalar::NAME).err().filter(|_| compared)?;
        Some(format!(
            "- {PORTABLE} has no column to compare with: {why}; `cargo xtask bench --table NAME` does so"
        ))
    }

    fn filled(self, cpus: &[&str], rows: &[Measurement]) -> Table {
        let known = self.rows.iter().all(|row| matches!(row.here, Here::Known(_)));
        let cpus = if known { &["here"] } else { cpus };
        let mut notes: Vec<String> = self.lacks_plain_rust().filter(|_| !known).into_iter().collect();
        for peer in self.rows.iter().filter_map(|row| row.here.lacks(rows)).filter(|_| !cpus.is_empty()) {
            if !notes.contains(&peer.note()) {
                notes.push(peer.note());
            }
        }
        let is_on_gpu = |row: &Row| matches!(row.here, Here::OnGpu(_));
        if cpus.ends_with(&ON_GPU) && !rows.iter().any(|row| ON_GPU.contains(&row.cpu.as_str())) {
            notes.push(NO_GPU.into());
        }
        notes.extend(self.rows.iter().any(is_on_gpu).then(|| GPU_ALONE.into()));
        let lines = self.rows.into_iter().map(|row| Line {
            ours: cpus.iter().map(|cpu| row.here.on(self.unit, cpu, rows)).collect(),
            lacks: row.here.lacks(rows).map(Peer::note).or_else(|| is_on_gpu(&row).then(|| GPU_ALONE.into())),
            subject: row.subject.into(),
            item: row.item,
            route: row.route,
            published: row.published,
        });
        Table {
            title: self.title.into(),
            unit: self.unit,
            texts: ["of", "what"],
            published: self.published,
            ours: cpus.iter().map(|cpu| (*cpu).to_owned()).collect(),
            lines: lines.collect(),
            notes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Protects: names are found, each once.
    #[test]
    fn names() {
        let names: BTreeSet<_> = PAPERS.iter().map(|paper| paper.name).collect();
        assert_eq!(names.len(), PAPERS.len());
        assert!(names.iter().all(|name| Paper::find(name).is_some_and(|paper| paper.name == *name)));
        assert!(Paper::find("").is_none());
    }
}
