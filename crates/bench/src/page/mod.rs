//! `docs/performance.md`: written from rows, never by hand.

mod kem;
mod routes;
mod signature;

use crate::measurement::Measurement;
use crate::numbers::{grouped, least, median};
use crate::{RINGSMITH, exchange, hash, kem as schemes, pke, ring};

/// A canary this far from the others' says that the core's clock moved, or that something else ran on it.
const DISTURBED: f64 = 1.05;
/// A median this far above the minimum says that the row was not left in peace.
const RESTLESS: f64 = 1.25;

/// The paths of the plots as seen from the page, of those that there are.
#[derive(Clone, Copy, Default)]
pub struct Plots<'a> {
    /// Of the schemes.
    pub schemes: Option<&'a str>,
    /// Of the products in rings.
    pub products: Option<&'a str>,
}

/// The page. `machine` says where the rows were measured.
pub fn text(rows: &[Measurement], machine: &str, plots: Plots) -> String {
    let canary = median(&mut rows.iter().map(|row| row.canary).collect::<Vec<_>>()).unwrap_or(0.0);
    let page = Page { rows, canary };
    let schemes = [page.schemes(plots.schemes), page.signatures(), page.exchanges(), page.encryption()];
    let parts = [page.hash(), page.rings(plots.products)];
    page.opening(machine) + &schemes.concat() + &parts.concat()
}

/// The note above figures that no hardware counted.
const ESTIMATED: &str = "\
**The figures are estimated core cycles.** This machine gives programs no hardware counters (`counter: tsc`),
so ticks of the time-stamp counter were taken, which has a rate of its own. The canary, of exactly known cost
and taken beside every batch, converts them: core cycles = ticks * 1000 / canary. Ratios between rows of one
operation are the sounder figure; a single one is as good as the core's clock was steady.

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

    fn suite(&self, suite: &str) -> Vec<&'a Measurement> {
        self.rows.iter().filter(|row| row.suite == suite).collect()
    }

    /// Our fastest row for what a row computes.
    fn best(&self, row: &Measurement) -> Option<&'a Measurement> {
        let comparable = self.rows.iter().filter(|ours| is_ours(ours) && ours.id().comparable(&row.id()));
        comparable.min_by(|a, b| a.core_cycles().total_cmp(&b.core_cycles()))
    }

    /// Whether a row needs a build with the optional peers.
    fn has_peers(&self) -> bool {
        self.rows.iter().any(|row| !is_ours(row) && row.implementation != hash::KECCAK)
    }

    fn opening(&self, machine: &str) -> String {
        let peers = if self.has_peers() { " --peers" } else { "" };
        let counters = distinct(&self.all(), |row| row.counter.as_str()).join(", ");
        let canaries: Vec<_> = self.rows.iter().map(|row| row.canary).collect();
        let (low, high) = (least(&canaries).unwrap_or(0.0), canaries.iter().copied().fold(0.0, f64::max));
        format!(
            "# Performance\n\n\
             Written by a command; edits are lost. To write it again:\n\n    \
             cargo xtask bench{peers} --write-docs docs/performance.md\n\n\
             * machine: {machine}\n\
             * counter: `{counters}`\n\
             * canary (the count of a chain of 1000 additions, 1000 core cycles): {low:.1} to {high:.1}\n\n\
             {}\
             Each figure is the minimum over many batches of one operation in one process pinned to a core;\n\
             what is compared was interleaved batch by batch. Compare figures of one page, not of two \
             machines.\n\
             A `*` marks a row that was not left in peace: its canary was more than {:.0}% off the \
             others', or\n\
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

    /// The section on the key exchanges.
    fn exchanges(&self) -> String {
        let rows = self.suite(exchange::SUITE);
        if rows.is_empty() {
            return String::new();
        }
        format!(
            "\n## Key exchange\n\n\
             From bytes to bytes: `offer` makes a secret and an offer, `respond` reads an offer, `finish` a \
             secret\n\
             and a response. What the steps are made of, from `ntt` to `reconcile`, was measured by \
             itself.\n{}",
            self.tables(&rows)
        )
    }

    /// The section on public-key encryption.
    fn encryption(&self) -> String {
        let rows = self.suite(pke::SUITE);
        if rows.is_empty() {
            return String::new();
        }
        format!(
            "\n## Public-key encryption\n\n\
             From bytes to bytes: `keygen` writes both keys, `encrypt` reads a public key, `decrypt` a \
             private key,\n\
             each with all checks. The prepared forms have a key that was read before. Messages have half \
             of the bytes\n\
             that they may have.\n{}",
            self.tables(&rows)
        )
    }

    /// The section on the hash.
    fn hash(&self) -> String {
        let rows = self.suite(hash::SUITE);
        if rows.is_empty() {
            return String::new();
        }
        format!(
            "\n## Hashing\n\n\
             Four states are one call of ours and four calls of the crate `keccak`, which has no backends.\n\
             Without AVX2, a single stream of ours goes through that crate.\n{}{}",
            self.tables(&rows),
            self.peers(&rows)
        )
    }

    /// The section on the rings.
    fn rings(&self, plot: Option<&str>) -> String {
        let rows = self.suite(ring::SUITE);
        if rows.is_empty() {
            return String::new();
        }
        format!(
            "\n## Rings\n\n\
             `product`: two polynomials in, one out; `product-small`: the second one as small as the \
             schemes' noise;\n\
             `product-smalls`: both, where a route has kernels for that; `product-prepared`: the second one \
             transformed before. `inverse` and `inverse-mod-3`: one over a polynomial,\n\
             modulo `q` and modulo 3. Transforms are compared as each library offers them: orders and \
             factors of the\n\
             domain differ.\n\
             {}{}{}",
            image("The cost of a product by each route", plot),
            self.tables(&rows),
            self.peers(&rows)
        )
    }

    /// Core cycles, marked where the row was not left in peace.
    fn figure(&self, row: &Measurement) -> String {
        let moved = row.canary > self.canary * DISTURBED || row.canary * DISTURBED < self.canary;
        // Signatures of a list differ in what they take.
        let restless = row.cycles_mean.is_none() && row.cycles_median > row.cycles_min * RESTLESS;
        format!("{}{}", grouped(row.core_cycles()), if moved || restless { "*" } else { "" })
    }
}

fn is_ours(row: &Measurement) -> bool {
    row.implementation == RINGSMITH
}

/// A paragraph with an image, where there is one.
fn image(title: &str, path: Option<&str>) -> String {
    path.map_or_else(String::new, |path| format!("\n![{title}]({path})\n"))
}

#[cfg(test)]
pub(crate) mod sample {
    use super::Measurement;
    use crate::case::Id;

    fn row(id: Id, ticks: f64) -> Measurement {
        let Id { suite, subject, operation, implementation, cpu, route } = id;
        Measurement {
            suite,
            subject,
            operation,
            implementation,
            cpu,
            route,
            cycles_min: ticks,
            cycles_median: ticks + 1.0,
            cycles_mean: None,
            instructions: None,
            ns_min: ticks / 2.0,
            counter: "tsc".into(),
            canary: 720.0,
        }
    }

    /// Two routes on two CPUs, and a peer; 720 ticks are 1000 cycles.
    pub(crate) fn rows() -> Vec<Measurement> {
        let id = |operation: &str, implementation: &str, cpu: &str, route: &str| {
            Id::new("ring", "Z_12289[x]/(x^1024+1)", operation, implementation, cpu, route)
        };
        vec![
            row(id("product", "ringsmith", "avx2", "rows"), 7200.0),
            row(id("product", "ringsmith", "scalar", "rows"), 72000.0),
            row(id("product", "ringsmith", "avx2", "schoolbook"), 720_000.0),
            row(id("product", "peer 1.2.3", "avx512", "x"), 14400.0),
            row(id("ntt", "peer 1.2.3", "avx512", "x"), 1440.0),
        ]
    }

    /// Signatures on two CPUs, of a peer that draws its randomness, and of a portable one; 720 ticks are 1000
    /// cycles.
    pub(crate) fn signatures() -> Vec<Measurement> {
        let id = |operation: &str, implementation: &str, cpu: &str, route: &str| {
            Id::new("signature", "ML-DSA-44", operation, implementation, cpu, route)
        };
        let signing = |id: Id, ticks: f64| Measurement {
            cycles_median: 3.0 * ticks,
            cycles_mean: Some(4.0 * ticks),
            ..row(id, ticks)
        };
        vec![
            row(id("keygen", "ringsmith", "avx2", "deterministic"), 3600.0),
            signing(id("sign", "peer 1.2.3", "avx2", "hedged"), 14400.0),
            signing(id("sign", "ringsmith", "avx512", "deterministic"), 3600.0),
            signing(id("sign", "ringsmith", "avx2", "deterministic"), 7200.0),
            signing(id("sign", "other 1.2.3", "scalar", "deterministic"), 72000.0),
        ]
    }

    /// A scheme on two CPUs, a peer with and without checks, one without a note; 720 ticks are 1000 cycles.
    pub(crate) fn schemes() -> Vec<Measurement> {
        let id = |operation: &str, implementation: &str, cpu: &str, route: &str| {
            Id::new("kem", "ML-KEM-768", operation, implementation, cpu, route)
        };
        vec![
            row(id("encapsulate", "ringsmith", "avx2", "checked"), 7200.0),
            row(id("encapsulate", "ringsmith", "scalar", "checked"), 36000.0),
            row(id("encapsulate", "libcrux-ml-kem 1.2.3", "avx2", "checked"), 10800.0),
            row(id("encapsulate", "libcrux-ml-kem 1.2.3", "avx2", "unchecked"), 9000.0),
            row(id("encapsulate-prepared", "ringsmith", "avx2", "checked"), 3600.0),
            row(id("encapsulate-prepared", "peer 1.2.3", "scalar", "checked"), 14400.0),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::sample::{rows, schemes};
    use super::*;

    #[track_caller]
    fn contains(page: &str, parts: &[&str]) {
        for part in parts {
            assert!(page.contains(part), "{part:?} is not in\n{page}");
        }
    }

    /// Protects: the whole page, as a small sample: figures, estimate, ratio, gaps.
    #[test]
    fn page_of_a_sample() {
        let plots = Plots { products: Some("performance.svg"), ..Plots::default() };
        let page = text(&rows(), "a machine", plots);
        contains(
            &page,
            &[
                "cargo xtask bench --peers --write-docs docs/performance.md",
                "* machine: a machine",
                "* counter: `tsc`",
                "**The figures are estimated core cycles.**",
                "](performance.svg)",
                "### `Z_12289[x]/(x^1024+1)`",
                "| operation | route | avx2 | scalar |",
                "| product | `rows` | 10,000 | 100,000 |",
                "| product | `schoolbook` | 1,000,000 |  |",
                "| product | peer 1.2.3 | avx512 | 20,000 | 10,000 | avx2 | `rows` | 2.00 |",
                "| ntt | peer 1.2.3 | avx512 | 2,000 | - | - | - | - |",
            ],
        );
        assert!(!page.contains("Key encapsulation") && !page.contains("Hashing"), "{page}");
    }

    /// Protects: the section on schemes: a column for each backend and peer, the ratio to the fastest of ours
    /// for the same operation, and what a peer checks.
    #[test]
    fn page_of_schemes() {
        let plots = Plots { schemes: Some("kem.svg"), ..Plots::default() };
        let page = text(&schemes(), "a machine", plots);
        contains(
            &page,
            &[
                "## Key encapsulation",
                "* libcrux-ml-kem 1.2.3: checks are separate calls",
                "* peer 1.2.3: see its file",
                "](kem.svg)",
                "### ML-KEM-768",
                "| operation | avx2 | scalar | libcrux-ml-kem 1.2.3 (avx2) \
                 | libcrux-ml-kem 1.2.3, unchecked (avx2) | peer 1.2.3 (scalar) |",
                "| encapsulate | 10,000 | 50,000 | 15,000 (1.50) | 12,500 (1.25) |  |",
                "| encapsulate-prepared | 5,000 |  |  |  | 20,000 (4.00) |",
            ],
        );
        assert!(!page.contains("## Rings") && !page.contains("### Peers"), "{page}");
    }

    /// Protects: counted cycles are not called estimated; without peers there is no table of them.
    #[test]
    fn page_of_counted_cycles() {
        let mut rows = rows()[..3].to_vec();
        rows.iter_mut().for_each(|row| (row.counter, row.canary) = ("hardware".into(), 1000.0));
        let page = text(&rows, "m", Plots::default());
        assert!(
            !page.contains("estimated") && !page.contains("Peers") && !page.contains("--peers"),
            "{page}"
        );
        assert!(page.contains("| product | `rows` | 7,200 | 72,000 |"), "{page}");
    }

    /// Protects: public-key encryption has a section of its own.
    #[test]
    fn page_of_encryption() {
        let mut rows = rows()[2..4].to_vec();
        rows.iter_mut().for_each(|row| row.suite = pke::SUITE.into());
        let page = text(&rows, "m", Plots::default());
        assert!(page.contains("## Public-key encryption") && !page.contains("## Hashing"), "{page}");
        assert!(!text(&rows[..0], "m", Plots::default()).contains("encryption"));
    }

    /// Protects: the crate that our hash is built with needs no other build, but is not called ours.
    #[test]
    fn page_of_the_hash() {
        let mut rows = rows()[2..4].to_vec();
        rows.iter_mut().for_each(|row| row.suite = "hash".into());
        rows[1].implementation = hash::KECCAK.into();
        let page = text(&rows, "m", Plots::default());
        assert!(!page.contains("--peers"), "{page}");
        contains(&page, &["## Hashing", "### Peers", "| keccak 0.2.2 | avx512 | 20,000 | 1,000,000 |"]);
    }

    /// Protects: a row that was disturbed is marked.
    #[test]
    fn a_disturbed_row_is_marked() {
        let mut rows = rows();
        rows[1].canary = 1440.0;
        rows[2].cycles_median = 1e6;
        let page = text(&rows, "m", Plots::default());
        assert!(page.contains("| product | `rows` | 10,000 | 50,000* |"), "{page}");
        assert!(page.contains("| product | `schoolbook` | 1,000,000* |"), "{page}");
    }
}
