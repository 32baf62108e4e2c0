//! Recorded runs of the command, one for each behaviour and each error: `cmd/*.trycmd` say what they protect.

#[allow(dead_code, reason = "trycmd runs the command itself")]
mod support;

/// Protects: what users see, word for word, and the exit codes that scripts rely on. The runs in
/// `cmd/baseline` are of the backend that every machine of the target has, which is `[CPU]` in what they
/// write.
#[test]
fn recorded_runs() {
    trycmd::TestCases::new().env("XDG_CACHE_HOME", support::NO_CACHE).case("tests/cmd/*.trycmd");
    let cases = trycmd::TestCases::new();
    cases
        .env("RINGSMITH_CPU", support::BASELINE)
        .env("XDG_CACHE_HOME", support::NO_CACHE)
        .case("tests/cmd/baseline/*.trycmd");
    cases.insert_var("[CPU]", support::BASELINE).expect("a name for a variable");
}
