//! `ringsmith schemes`: the schemes, their sizes, and whether they are to be used.

use crate::error::Error;
use crate::output::print;
use crate::table::Table;
use ringsmith::scheme::{ALL, ENCRYPTIONS, EXCHANGES, SIGNATURES};
use ringsmith::scheme::{KeyExchange, PublicKeyEncryption, Scheme, SignatureScheme};

/// Runs the command.
pub(crate) fn run() -> Result<(), Error> {
    let text = ["scheme", "status", "a key serves", "source", "identifier"];
    let sizes = ["public", "private", "seed", "ciphertext", "shared"];
    let mut table = Table::new(text.len(), text.into_iter().chain(sizes));
    ALL.iter().for_each(|scheme| table.push(row(scheme)));
    let mut exchanges =
        Table::new(3, ["key exchange", "status", "source", "secret", "offer", "response", "shared"]);
    EXCHANGES.iter().for_each(|exchange| exchanges.push(exchange_row(exchange)));
    let text = ["encryption", "status", "source", "identifier"];
    let sizes = ["public", "private", "ciphertext", "message"];
    let mut encryptions = Table::new(text.len(), text.into_iter().chain(sizes));
    ENCRYPTIONS.iter().for_each(|scheme| encryptions.push(encryption_row(scheme)));
    let text = ["signature", "status", "source", "identifier"];
    let sizes = ["public", "private", "seed", "signature"];
    let mut signatures = Table::new(text.len(), text.into_iter().chain(sizes));
    SIGNATURES.iter().for_each(|scheme| signatures.push(signature_row(scheme)));
    let note = "Sizes are in bytes; the seed is a private key's short form; a message may be shorter. A key \
                that serves\nonce is for one ciphertext: more tell about it.\n";
    let tables = [table, exchanges, encryptions, signatures].map(|table| table.render());
    print([tables.join("\n"), note.into()].join("\n").as_bytes())
}

fn encryption_row(scheme: &PublicKeyEncryption) -> Vec<String> {
    let identifier = scheme.encoding.as_ref().map(|encoding| encoding.parameters.to_string());
    let mut row = vec![scheme.name.into(), scheme.status.to_string(), scheme.source.into()];
    row.push(identifier.unwrap_or_else(|| "-".into()));
    let sizes = [scheme.public_key, scheme.private_key, scheme.ciphertext, scheme.message];
    row.extend(sizes.map(|size| size.to_string()));
    row
}

fn signature_row(scheme: &SignatureScheme) -> Vec<String> {
    let identifier = scheme.encoding.as_ref().map(|encoding| encoding.oid.to_string());
    let mut row = vec![scheme.name.into(), scheme.status.to_string(), scheme.source.into()];
    row.push(identifier.unwrap_or_else(|| "-".into()));
    let sizes = [scheme.public_key, scheme.private_key, scheme.seed, scheme.signature];
    row.extend(sizes.map(|size| size.to_string()));
    row
}

fn exchange_row(exchange: &KeyExchange) -> Vec<String> {
    let mut row = vec![exchange.name.into(), exchange.status.to_string(), exchange.source.into()];
    let sizes = [exchange.secret, exchange.offer, exchange.response, exchange.shared_key];
    row.extend(sizes.map(|size| size.to_string()));
    row
}

fn row(scheme: &Scheme) -> Vec<String> {
    let none = || "-".to_string();
    let sizes = [scheme.public_key, scheme.private_key].map(|size| size.to_string());
    let serves = if scheme.cca { "always" } else { "once" };
    let mut row = vec![scheme.name.into(), scheme.status.to_string(), serves.into(), scheme.source.into()];
    row.push(scheme.encoding.as_ref().map_or_else(none, |encoding| encoding.oid.to_string()));
    row.extend(sizes);
    row.push(scheme.seed.as_ref().map_or_else(none, |seed| seed.bytes.to_string()));
    row.extend([scheme.ciphertext, scheme.shared_key].map(|size| size.to_string()));
    row
}
