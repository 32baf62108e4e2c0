//! `failure [SCHEME]` estimates how often schemes fail: the program behind `cargo xtask failure`.
#![forbid(unsafe_code)]

use ringsmith_testkit::failure::{ALL, Parameters};
use std::io::Write;
use std::process::ExitCode;

fn line(parameters: &Parameters) -> String {
    let published = match parameters.published {
        Some((power, source)) => format!("{:>9}  {source}", format!("2^{power}")),
        None => format!("{:>9}", "-"),
    };
    format!("{:<22} {:>9} {published}\n", parameters.name, format!("2^{:.1}", parameters.failure()))
}

fn run() -> Result<(), String> {
    let wanted = std::env::args().nth(1);
    let is_wanted = |parameters: &&Parameters| {
        wanted.as_ref().is_none_or(|wanted| parameters.name.eq_ignore_ascii_case(wanted))
    };
    let mut chosen = ALL.iter().filter(is_wanted).peekable();
    if chosen.peek().is_none() {
        let names: Vec<_> = ALL.iter().map(|parameters| parameters.name).collect();
        return Err(format!("no such scheme; there are: {}", names.join(", ")));
    }
    let mut out = std::io::stdout().lock();
    let mut write = |text: &str| out.write_all(text.as_bytes()).map_err(|error| error.to_string());
    write(&format!("{:<22} {:>9} {:>9}  {}\n", "scheme", "computed", "published", "where"))?;
    chosen.try_for_each(|parameters| write(&line(parameters)))
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
