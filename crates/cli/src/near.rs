//! Names near a mistyped one.

use strsim::damerau_levenshtein;

/// At most this many names are offered.
const OFFERS: usize = 3;

/// The names nearest to `wanted`, best first: those that contain it, and those at a small edit distance.
pub(crate) fn nearest(wanted: &str, names: impl IntoIterator<Item = String>) -> Vec<String> {
    let wanted = plain(wanted);
    let limit = (wanted.chars().count() / 3).max(2);
    let mut near: Vec<(usize, String)> = names
        .into_iter()
        .map(|name| (rank(&wanted, &plain(&name)), name))
        .filter(|(rank, _)| *rank <= limit)
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().take(OFFERS).map(|(_, name)| name).collect()
}

/// A name without spaces and differences of case: how names are compared.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// How far `name` is from `wanted`; a name that contains it counts as one edit away.
fn rank(wanted: &str, name: &str) -> usize {
    if wanted.chars().count() >= 3 && name.contains(wanted) { 1 } else { damerau_levenshtein(wanted, name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the best offer comes first, far names are not offered, a part of a name finds it.
    #[test]
    fn offers() {
        let names = || ["ntt", "ntt:2", "karatsuba:3", "rows"].map(String::from);
        assert_eq!(nearest("NTT:3", names()), ["ntt:2", "ntt"]);
        assert_eq!(nearest("karatsuba", names()), ["karatsuba:3"]);
        assert!(nearest("toom-cook-of-great-depth", names()).is_empty());
    }
}
