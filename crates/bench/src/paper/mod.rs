//! The tables of the papers that this library follows, row by row: the published figure, this machine on each CPU backend, and the
//! ratio.
//!
//! ```
//! use ringsmith_bench::paper::Paper;
//!
//! let paper = Paper::find("newhope-compact").unwrap();
//! let cpus = [ringsmith_simd::Cpu::detect()];
//! assert!(!paper.cases(&cpus).is_empty());
//! // Without measurements, what is counted and what is known is there all the same.
//! let counted = &paper.tables(&[])[0];
//! assert_eq!(counted.lines[0].published, counted.lines[0].ours);
//! ```

pub mod count;
mod longa_naehrig;
mod newhope_compact;
mod table;

use crate::case::{Case, Id};
use crate::measurement::Measurement;
use crate::{RINGSMITH, cases};
use ringsmith_simd::Cpu;
pub use table::{Line, Table, Unit, text};

/// A paper whose tables can be printed.
pub struct Paper {
    /// What it is called by.
    pub name: &'static str,
    /// Who wrote it, and what was measured there.
    pub source: &'static str,
    /// The tables, in their order.
    blocks: fn() -> Vec<Block>,
}

/// All papers with tables.
pub const PAPERS: [Paper; 2] = [longa_naehrig::PAPER, newhope_compact::PAPER];

/// A table before it has figures of this machine.
struct Block {
    title: &'static str,
    unit: Unit,
    /// What the published columns are called. The first is compared with the scalar backend, the last with vectors.
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
}

/// Operations of a suite.
#[derive(Clone, Copy)]
struct Operations {
    suite: &'static str,
    subject: &'static str,
    names: &'static [&'static str],
    route: &'static str,
}

impl Operations {
    fn contain(&self, id: &Id) -> bool {
        let same = (id.suite.as_str(), id.subject.as_str(), id.route.as_str(), id.implementation.as_str());
        same == (self.suite, self.subject, self.route, RINGSMITH)
            && self.names.contains(&id.operation.as_str())
    }

    /// Thousands of core cycles on a CPU backend, where all were measured.
    fn on(&self, cpu: &str, rows: &[Measurement]) -> Option<f64> {
        let cost = |name: &&str| {
            let is = |row: &&Measurement| row.cpu == cpu && row.operation == *name && self.contain(&row.id());
            rows.iter().find(is).map(|row| row.core_cycles() / 1e3)
        };
        self.names.iter().map(cost).sum()
    }
}

impl Here {
    fn contains(&self, id: &Id) -> bool {
        match self {
            Here::Known(_) => false,
            Here::Sum(of) => of.contain(id),
            Here::Quotient(of, by) => of.contain(id) || by.contain(id),
        }
    }

    fn on(&self, cpu: &str, rows: &[Measurement]) -> Option<f64> {
        match self {
            Here::Known(value) => Some(*value),
            Here::Sum(of) => of.on(cpu, rows),
            Here::Quotient(of, by) => Some(of.on(cpu, rows)? / by.on(cpu, rows)?),
        }
    }
}

impl Paper {
    /// The paper of a name.
    pub fn find(name: &str) -> Option<&'static Paper> {
        const { &PAPERS }.iter().find(|paper| paper.name == name)
    }

    /// What its tables need to be measured on the given CPU backends.
    pub fn cases(&self, cpus: &[Cpu]) -> Vec<Case> {
        let blocks = (self.blocks)();
        let needed = |id: &Id| blocks.iter().flat_map(|block| &block.rows).any(|row| row.here.contains(id));
        cases(cpus).into_iter().filter(|case| needed(case.id())).collect()
    }

    /// The tables, with what was measured; what was not, stays empty.
    pub fn tables(&self, rows: &[Measurement]) -> Vec<Table> {
        let mut cpus: Vec<&str> = Vec::new();
        for row in rows {
            if !cpus.contains(&row.cpu.as_str()) {
                cpus.push(&row.cpu);
            }
        }
        (self.blocks)().into_iter().map(|block| block.filled(&cpus, rows)).collect()
    }
}

impl Block {
    fn filled(self, cpus: &[&str], rows: &[Measurement]) -> Table {
        let known = self.rows.iter().all(|row| matches!(row.here, Here::Known(_)));
        let cpus = if known { &["here"] } else { cpus };
        let lines = self.rows.into_iter().map(|row| Line {
            ours: cpus.iter().map(|cpu| row.here.on(cpu, rows)).collect(),
            subject: row.subject,
            item: row.item,
            route: row.route,
            published: row.published,
        });
        Table {
            title: self.title,
            unit: self.unit,
            published: self.published,
            ours: cpus.iter().map(|cpu| (*cpu).to_owned()).collect(),
            lines: lines.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::try_all;
    use std::collections::BTreeSet;

    /// Protects: every figure that a table has a place for is measured, on every CPU of this machine; a row's published figures are as
    /// many as its columns.
    #[test]
    fn tables_are_full() {
        let cpus: Vec<_> = Cpu::available().collect();
        for paper in PAPERS {
            let rows = try_all(paper.cases(&cpus));
            for table in paper.tables(&rows) {
                for line in &table.lines {
                    assert_eq!(line.published.len(), table.published.len(), "{}", line.item);
                    assert!(line.ours.iter().all(|x| x.is_some_and(|x| x > 0.0)), "{}", line.item);
                    assert!(line.ours.len() == cpus.len() || table.ours == ["here"]);
                }
                let text = text(&table);
                assert!(text.lines().count() > table.lines.len(), "{text}");
            }
        }
    }

    /// Protects: names are found, each once.
    #[test]
    fn names() {
        let names: BTreeSet<_> = PAPERS.iter().map(|paper| paper.name).collect();
        assert_eq!(names.len(), PAPERS.len());
        assert!(names.iter().all(|name| Paper::find(name).is_some_and(|paper| paper.name == *name)));
        assert!(Paper::find("").is_none());
    }
}
