//! `failure [SCHEME]` bounds how often schemes fail: the program behind `cargo xtask failure`.
#![forbid(unsafe_code)]

use ringsmith_testkit::failure::{Fails, all};
use std::io::Write;
use std::process::ExitCode;

fn line(scheme: &dyn Fails) -> String {
    let published = match scheme.published() {
        Some((power, source)) => format!("{:>9}  {source}", format!("2^{power}")),
        None => format!("{:>9}", "-"),
    };
    let computed = scheme.failure().map_or("never".to_string(), |power| format!("2^{power:.1}"));
    format!("{:<22} {computed:>9} {published}\n", scheme.name())
}

fn run() -> Result<(), String> {
    let wanted = std::env::args().nth(1);
    let is_wanted =
        |scheme: &&dyn Fails| wanted.as_ref().is_none_or(|wanted| scheme.name().eq_ignore_ascii_case(wanted));
    let mut chosen = all().filter(is_wanted).peekable();
    if chosen.peek().is_none() {
        let names: Vec<_> = all().map(Fails::name).collect();
        return Err(format!("no such scheme; there are: {}", names.join(", ")));
    }
    let mut out = std::io::stdout().lock();
    let mut write = |text: &str| out.write_all(text.as_bytes()).map_err(|error| error.to_string());
    write(&format!("{:<22} {:>9} {:>9}  {}\n", "scheme", "computed", "published", "where"))?;
    chosen.try_for_each(|scheme| write(&line(scheme)))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("failure: {why}");
            ExitCode::FAILURE
        }
    }
}
