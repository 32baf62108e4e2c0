//! Recorded runs of the plugin by hand: `cmd/*.trycmd` say what they protect. What clients say to it is in
//! protocol.rs.

/// Protects: what users see, word for word, and the exit codes.
#[test]
fn recorded_runs() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
}
