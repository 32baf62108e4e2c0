//! Recorded runs of the command, one for each behaviour and each error: `cmd/*.trycmd` say what they protect.

/// Protects: what users see, word for word, and the exit codes that scripts rely on.
#[test]
fn recorded_runs() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
