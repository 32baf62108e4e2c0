//! Other libraries, measured in the same run on the same operands.
//!
//! To add one: an optional dependency of an exact version behind the feature `peers`, a file here with
//! `VERSION` and `cases`, and a line in each function below. Its subjects are names of rings, its operations
//! those of the ring suite.

#[cfg(feature = "peers-avx2")]
mod tfhe_ntt;

use crate::case::Case;

/// The peers that were compiled in, each with its version.
pub fn versions() -> Vec<&'static str> {
    vec![
        #[cfg(feature = "peers-avx2")]
        tfhe_ntt::VERSION,
    ]
}

/// Everything that the compiled peers offer.
pub fn cases() -> Vec<Case> {
    let peers: Vec<Vec<Case>> = vec![
        #[cfg(feature = "peers-avx2")]
        tfhe_ntt::cases(),
    ];
    peers.into_iter().flatten().collect()
}

#[cfg(all(test, feature = "peers-avx2"))]
mod tests {
    /// Protects: the versions in the figures are the versions in the manifest.
    #[test]
    fn versions_are_those_of_the_manifest() {
        let manifest = include_str!("../../Cargo.toml");
        for version in super::versions() {
            let (name, number) = version.split_once(' ').unwrap();
            assert!(manifest.contains(&format!("{name} = {{ version = \"={number}\"")), "{version}");
        }
    }
}
