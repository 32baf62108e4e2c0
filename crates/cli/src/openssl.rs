//! `ringsmith openssl-config`: the configuration with which OpenSSL 3 loads the provider of the crate
//! `ringsmith-ossl`.

use crate::error::Error;
use crate::output::print;
use clap::{Args, ValueHint};
use std::path::{self, Path, PathBuf};

/// What the configuration says.
#[derive(Args)]
pub(crate) struct OpensslConfig {
    /// The provider, a shared object
    #[arg(value_hint = ValueHint::FilePath)]
    module: PathBuf,
    /// The groups of TLS, the preferred one first: a client sends a share of that one alone
    #[arg(long, default_value = GROUPS)]
    groups: String,
}

/// Ours alone.
pub(crate) const OURS: [&str; 3] = ["X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024"];

/// Ours, and then those that OpenSSL has by default.
const GROUPS: &str = "X25519MLKEM768:SecP256r1MLKEM768:SecP384r1MLKEM1024:X25519:P-256:X448:P-521:P-384";

/// Runs the command.
pub(crate) fn run(args: &OpensslConfig) -> Result<(), Error> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let mut groups = args.groups.split(':');
    if !groups.all(|group| !group.is_empty() && group.chars().all(is_name)) {
        return Err(Error::Usage("--groups takes names of groups with colons between".into()));
    }
    print(configuration(&module(&args.module)?, &args.groups).as_bytes())
}

/// The whole path of the module, as a value of OpenSSL's configurations (config(5)): what means something
/// there stands behind a backslash.
fn module(given: &Path) -> Result<String, Error> {
    let whole = path::absolute(given).map_err(|why| Error::Read { name: crate::shown::name(given), why })?;
    let text = whole.to_str().filter(|text| !text.chars().any(char::is_control));
    let text = text.ok_or(Error::Usage("OpenSSL takes a path of printable characters alone".into()))?;
    Ok(text.chars().fold(String::new(), |mut value, c| {
        if !(c.is_alphanumeric() || "/._-".contains(c)) {
            value.push('\\');
        }
        value.push(c);
        value
    }))
}

fn configuration(module: &str, groups: &str) -> String {
    format!(
        "# OpenSSL 3 with the provider of Ringsmith: OPENSSL_CONF names this file.
openssl_conf = openssl_init

[openssl_init]
providers = providers
ssl_conf = ssl

[providers]
default = default_provider
ringsmith = ringsmith_provider

[default_provider]
activate = 1

[ringsmith_provider]
module = {module}
activate = 1

[ssl]
system_default = tls

[tls]
Groups = {groups}
"
    )
}
