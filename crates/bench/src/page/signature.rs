//! The section on signatures: the tables of `--table ml-dsa`.

use super::{Page, distinct, image, is_ours};
use crate::paper::ml_dsa;
use crate::{peers, signature};
use std::fmt::Write;

/// What the columns are, and how to have them alone.
const OPENING: &str = "\
By themselves: `cargo xtask bench --peers --table ml-dsa`, with `--svg FILE` for a picture.

In thousands of core cycles, from encoded bytes to encoded bytes; a private key in its long form was read \
before it signs.
64 keys and messages are signed with randomness zero, so all libraries that allow it do the same attempts; \
that their
signatures are the same, and that ours verifies them, is checked first. Each is timed by itself, many times; \
of the
least times, `first` is the least, which is one of a first attempt, `median` and `mean` are over the list. \
`attempt`: one
more. `p.`: with keys of which the library keeps what follows from them. \
Hedged: it draws its randomness, so its figures are of all
its signatures, and have attempts of their own. Under each set: our time in the other library's, below 1 \
ours is faster.

";

impl Page<'_> {
    /// The section, if signatures were measured.
    pub(super) fn signatures(&self, plot: Option<&str>) -> String {
        let rows = self.suite(signature::SUITE);
        if rows.is_empty() {
            return String::new();
        }
        let mut text = format!("\n## Signatures\n\n{OPENING}");
        let theirs: Vec<_> = rows.iter().copied().filter(|row| !is_ours(row)).collect();
        for peer in distinct(&theirs, |row| row.implementation.as_str()) {
            let note = peers::signature_note(peer).unwrap_or("see its file in `crates/peers/src/signature`");
            let _ = writeln!(text, "* {peer}: {note}");
        }
        text.push_str(&image("The cost of key generation, signing and verifying", plot));
        for table in ml_dsa::tables(self.rows) {
            let _ = write!(text, "\n### {}\n\n{}", table.title, table.markdown());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::page::{Plots, sample, text};

    /// Protects: the section has both tables of a set, a note on a peer, and its picture; other pages have none.
    #[test]
    fn page_of_signatures() {
        let plots = Plots { signatures: Some("page.ml-dsa.svg"), ..Plots::default() };
        let page = text(&sample::signatures(), "a machine", plots);
        let parts = [
            "## Signatures",
            "--table ml-dsa",
            "* peer 1.2.3: see its file",
            "](page.ml-dsa.svg)",
            "### ML-DSA-44: ours / theirs",
            "| library | on | keygen | first | median | mean | attempt | verify |",
            "| ringsmith | avx2 | 5.00 | 10.0 | 30.0 | 40.0 |",
            "| peer 1.2.3 | avx2 / avx2, hedged | - | 0.50 |",
        ];
        for part in parts {
            assert!(page.contains(part), "{part:?} is not in\n{page}");
        }
        assert!(!text(&sample::rows(), "a machine", Plots::default()).contains("Signatures"));
    }
}
