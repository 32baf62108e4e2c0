//! `cargo xtask vectors SCHEME FILE...`: files of published test vectors against our schemes.

use crate::shell;

/// Forwards the arguments.
pub(crate) fn run(args: &[&str]) -> Result<bool, String> {
    shell::forward("vectors", args)
}
