//! `docs/performance.md`: written from rows, never by hand.

use crate::RINGSMITH;
use crate::measurement::Measurement;
use crate::numbers::{grouped, least, median};
use std::fmt::Write;

/// A canary this far from the others' says that the core's clock moved, or that something else ran on it.
const DISTURBED: f64 = 1.05;
/// A median this far above the minimum says that the row was not left in peace.
const RESTLESS: f64 = 1.25;

/// The page. `machine` says where the rows were measured; `plot` is the path of the plot as seen from the
/// page, if there is one.
pub fn text(rows: &[Measurement], machine: &str, plot: Option<&str>) -> String {
    let canary = median(&mut rows.iter().map(|row| row.canary).collect::<Vec<_>>()).unwrap_or(0.0);
    let page = Page { rows, canary };
    let mut text = page.opening(machine);
    if let Some(plot) = plot {
        let _ = writeln!(text, "\n![The cost of a product by each route]({plot})");
    }
    for subject in distinct(&page.all(), |row| row.subject.as_str()) {
        text.push_str(&page.subject(subject));
    }
    text.push_str(&page.peers());
    text
}

/// The note above figures that no hardware counted.
const ESTIMATED: &str = "\
**The figures are estimated core cycles.** This machine gives programs no hardware counters (`counter: tsc`),
so ticks of the time-stamp counter were taken, which has a rate of its own. The canary, of exactly known cost
and taken beside every batch, converts them: core cycles = ticks * 1000 / canary. Ratios between rows of one
ring and operation are the sounder figure; a single one is as good as the core's clock was steady.

";

struct Page<'a> {
    rows: &'a [Measurement],
    canary: f64,
}

/// The values of a field, in the order of their first row.
fn distinct<'a, T: PartialEq>(rows: &[&'a Measurement], field: impl Fn(&'a Measurement) -> T) -> Vec<T> {
    let mut values = Vec::new();
    for value in rows.iter().map(|row| field(row)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

impl<'a> Page<'a> {
    fn all(&self) -> Vec<&'a Measurement> {
        self.rows.iter().collect()
    }

    fn ours(&self) -> impl Iterator<Item = &'a Measurement> {
        self.rows.iter().filter(|row| row.implementation == RINGSMITH)
    }

    fn theirs(&self) -> impl Iterator<Item = &'a Measurement> {
        self.rows.iter().filter(|row| row.implementation != RINGSMITH)
    }

    fn opening(&self, machine: &str) -> String {
        let features = if self.theirs().next().is_some() { " --features peers" } else { "" };
        let counters = distinct(&self.all(), |row| row.counter.as_str()).join(", ");
        let canaries: Vec<_> = self.rows.iter().map(|row| row.canary).collect();
        let (low, high) = (least(&canaries).unwrap_or(0.0), canaries.iter().copied().fold(0.0, f64::max));
        format!(
            "# Performance\n\n\
             Written by a command; edits are lost. To write it again:\n\n    \
             cargo run --release -p ringsmith-bench{features} -- --write-docs docs/performance.md\n\n\
             * machine: {machine}\n\
             * counter: `{counters}`\n\
             * canary (the count of a chain of 1000 additions, 1000 core cycles): {low:.1} to {high:.1}\n\n\
             {}\
             Each figure is the minimum over many batches of one operation in one process pinned to a core;\n\
             what is compared was interleaved batch by batch. Compare figures of one page, not of two machines.\n\
             A `*` marks a row that was not left in peace: its canary was more than {:.0}% off the others', or\n\
             its median more than {:.0}% above its minimum.\n",
            self.counter_note(),
            (DISTURBED - 1.0) * 100.0,
            (RESTLESS - 1.0) * 100.0,
        )
    }

    /// What the counter means, where it is not the core's own.
    fn counter_note(&self) -> &'static str {
        match self.rows.iter().all(Measurement::counts_cycles) {
            true => "All figures are cycles of the core, counted by the hardware in user mode.\n\n",
            false => ESTIMATED,
        }
    }

    /// One ring: a line for each operation and route, a column for each CPU.
    fn subject(&self, subject: &str) -> String {
        let rows: Vec<_> = self.ours().filter(|row| row.subject == subject).collect();
        if rows.is_empty() {
            return String::new();
        }
        let cpus = distinct(&rows, |row| row.cpu.as_str());
        let mut text = format!("\n## `{subject}`\n\n| operation | route |");
        cpus.iter().for_each(|cpu| _ = write!(text, " {cpu} |"));
        let _ = write!(text, "\n|---|---|{}\n", "---:|".repeat(cpus.len()));
        let lines = distinct(&rows, |row| (row.operation.as_str(), row.route.as_str()));
        for (operation, route) in lines {
            let _ = write!(text, "| {operation} | `{route}` |");
            for cpu in &cpus {
                let cell = rows
                    .iter()
                    .find(|row| row.operation == operation && row.route == route && row.cpu == *cpu);
                let _ = write!(text, " {} |", cell.map_or_else(String::new, |row| self.figure(row)));
            }
            text.push('\n');
        }
        text
    }

    /// Core cycles, marked where the row was not left in peace.
    fn figure(&self, row: &Measurement) -> String {
        let moved = row.canary > self.canary * DISTURBED || row.canary * DISTURBED < self.canary;
        let restless = row.cycles_median > row.cycles_min * RESTLESS;
        format!("{}{}", grouped(row.core_cycles()), if moved || restless { "*" } else { "" })
    }

    /// Other libraries next to our fastest route for the same operation.
    fn peers(&self) -> String {
        if self.theirs().next().is_none() {
            return String::new();
        }
        let mut text = String::from(
            "\n## Peers\n\n\
             In the same run, on the same operands. Ratio: the peer's cost over that of our fastest route;\n\
             above 1 ours is faster.\n\n\
             | ring | operation | peer | its CPU | cost | ours | our CPU | our route | ratio |\n\
             |---|---|---|---|---:|---:|---|---|---:|\n",
        );
        for row in self.theirs() {
            let Measurement { subject, operation, implementation, cpu, .. } = row;
            let _ = write!(
                text,
                "| `{subject}` | {operation} | {implementation} | {cpu} | {} |",
                self.figure(row)
            );
            let comparable = self.ours().filter(|ours| ours.id().comparable(&row.id()));
            let best = comparable.min_by(|a, b| a.core_cycles().total_cmp(&b.core_cycles()));
            let _ = match best {
                Some(ours) => {
                    let ratio = row.core_cycles() / ours.core_cycles();
                    writeln!(text, " {} | {} | `{}` | {ratio:.2} |", self.figure(ours), ours.cpu, ours.route)
                }
                None => writeln!(text, " - | - | - | - |"),
            };
        }
        text.push_str(
            "\nTransforms are compared as each library offers them: orders and factors of the domain differ.\n\
             What a peer's rows contain is said in its file in `crates/bench/src/peers`.\n",
        );
        text
    }
}

#[cfg(test)]
pub(crate) mod sample {
    use super::Measurement;
    use crate::case::Id;

    fn row(operation: &str, implementation: &str, cpu: &str, route: &str, ticks: f64) -> Measurement {
        let Id { suite, subject, operation, implementation, cpu, route } =
            Id::new("ring", "Z_12289[x]/(x^1024+1)", operation, implementation, cpu, route);
        Measurement {
            suite,
            subject,
            operation,
            implementation,
            cpu,
            route,
            cycles_min: ticks,
            cycles_median: ticks + 1.0,
            instructions: None,
            ns_min: ticks / 2.0,
            counter: "tsc".into(),
            canary: 720.0,
        }
    }

    /// Two routes on two CPUs, and a peer; 720 ticks are 1000 cycles.
    pub(crate) fn rows() -> Vec<Measurement> {
        vec![
            row("product", "ringsmith", "avx2", "rows", 7200.0),
            row("product", "ringsmith", "scalar", "rows", 72000.0),
            row("product", "ringsmith", "avx2", "schoolbook", 720_000.0),
            row("product", "peer 1.2.3", "avx512", "x", 14400.0),
            row("ntt", "peer 1.2.3", "avx512", "x", 1440.0),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::sample::rows;
    use super::*;

    /// Protects: the whole page, as a small sample: figures, estimate, ratio, gaps.
    #[test]
    fn page_of_a_sample() {
        let page = text(&rows(), "a machine", Some("performance.svg"));
        let expected = [
            "-p ringsmith-bench --features peers -- --write-docs docs/performance.md",
            "* machine: a machine",
            "* counter: `tsc`",
            "**The figures are estimated core cycles.**",
            "](performance.svg)",
            "## `Z_12289[x]/(x^1024+1)`",
            "| operation | route | avx2 | scalar |",
            "| product | `rows` | 10,000 | 100,000 |",
            "| product | `schoolbook` | 1,000,000 |  |",
            "| product | peer 1.2.3 | avx512 | 20,000 | 10,000 | avx2 | `rows` | 2.00 |",
            "| ntt | peer 1.2.3 | avx512 | 2,000 | - | - | - | - |",
        ];
        for part in expected {
            assert!(page.contains(part), "{part:?} is not in\n{page}");
        }
    }

    /// Protects: counted cycles are not called estimated; without peers there is no table of them.
    #[test]
    fn page_of_counted_cycles() {
        let mut rows = rows()[..3].to_vec();
        rows.iter_mut().for_each(|row| (row.counter, row.canary) = ("hardware".into(), 1000.0));
        let page = text(&rows, "m", None);
        assert!(
            !page.contains("estimated") && !page.contains("Peers") && !page.contains("features peers"),
            "{page}"
        );
        assert!(page.contains("| product | `rows` | 7,200 | 72,000 |"), "{page}");
    }

    /// Protects: a row that was disturbed is marked.
    #[test]
    fn a_disturbed_row_is_marked() {
        let mut rows = rows();
        rows[1].canary = 1440.0;
        rows[2].cycles_median = 1e6;
        let page = text(&rows, "m", None);
        assert!(page.contains("| product | `rows` | 10,000 | 50,000* |"), "{page}");
        assert!(page.contains("| product | `schoolbook` | 1,000,000* |"), "{page}");
    }
}
