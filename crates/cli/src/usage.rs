//! What the argument parser has to say: help and version as it writes them, errors in one line.

use crate::error::Error;
use crate::output::stdout_error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Prints help or version; makes an error of anything else.
pub(crate) fn answer(answer: &clap::Error) -> Result<(), Error> {
    match answer.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => answer.print().map_err(stdout_error),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Err(Error::Usage(
            "a command is missing, such as `ringsmith tour`; `ringsmith --help` lists them".into(),
        )),
        ErrorKind::UnknownArgument if is_about(answer, "-p") => Err(Error::Usage(PASSPHRASE.into())),
        _ => Err(Error::Usage(in_one_line(&answer.render().to_string()))),
    }
}

/// What is said of `-p` where there are no passphrases; it named public keys once.
const PASSPHRASE: &str = "unexpected argument '-p': it means a passphrase, in `keygen` and `encrypt`; the \
                          file of a public key is named by --public";

/// Whether an error is about an argument that is written so.
fn is_about(error: &clap::Error, argument: &str) -> bool {
    matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(it)) if it == argument)
}

/// The parser's message without its usage paragraph, its paragraphs joined.
fn in_one_line(message: &str) -> String {
    let message = message.trim().trim_start_matches("error: ");
    let paragraphs = message
        .split("\n\n")
        .filter(|part| !part.starts_with("Usage:") && !part.starts_with("For more information"))
        .map(|part| part.lines().map(str::trim).collect::<Vec<_>>().join(" "));
    paragraphs.collect::<Vec<_>>().join("; ").replace("tip: ", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: the one-line rule, whatever paragraphs the parser writes.
    #[test]
    fn paragraphs_are_joined() {
        let message = "error: unrecognized subcommand 'tuor'\n\n  tip: a similar one exists: 'tour'\n\n\
                       Usage: ringsmith <COMMAND>\n\nFor more information, try '--help'.\n";
        assert_eq!(in_one_line(message), "unrecognized subcommand 'tuor'; a similar one exists: 'tour'");
    }
}
