//! `ringsmith schemes`: the schemes, their sizes, and whether they are to be used.

use crate::error::Error;
use crate::output::print;
use crate::table::Table;
use ringsmith::scheme::{ALL, Scheme};

/// Runs the command.
pub(crate) fn run() -> Result<(), Error> {
    let headings =
        ["scheme", "status", "source", "identifier", "public", "private", "seed", "ciphertext", "shared"];
    let mut table = Table::new(4, headings);
    ALL.iter().for_each(|scheme| table.push(row(scheme)));
    let text = table.render() + "\nSizes are in bytes; the seed is a private key's short form.\n";
    print(text.as_bytes())
}

fn row(scheme: &Scheme) -> Vec<String> {
    let none = || "-".to_string();
    let sizes = [scheme.public_key, scheme.private_key].map(|size| size.to_string());
    let mut row = vec![scheme.name.into(), scheme.status.to_string(), scheme.source.into()];
    row.push(scheme.encoding.as_ref().map_or_else(none, |encoding| encoding.oid.to_string()));
    row.extend(sizes);
    row.push(scheme.seed.as_ref().map_or_else(none, |seed| seed.bytes.to_string()));
    row.extend([scheme.ciphertext, scheme.shared_key].map(|size| size.to_string()));
    row
}
