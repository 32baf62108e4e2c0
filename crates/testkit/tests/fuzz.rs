//! The targets of the fuzzer, on their seeds and near them: what an engine does for longer.

use ringsmith_oracle::Random;
use ringsmith_testkit::fuzz::{ALL, by_name, neighbours};

/// Protects: every target takes its seeds whole, cut short and with wrong bytes; names are found.
#[test]
fn seeds_and_their_neighbours() {
    for target in ALL {
        assert!(by_name(target.name).is_some_and(|found| found.about == target.about));
        let (seeds, mut random) = ((target.seeds)(), Random::new(1));
        assert!(!seeds.is_empty(), "{}", target.name);
        for seed in seeds {
            (target.run)(&seed);
            for _ in 0..20 {
                neighbours(&seed, &mut random).iter().for_each(|bytes| (target.run)(bytes));
            }
        }
    }
    assert!(by_name("nothing").is_none());
}
