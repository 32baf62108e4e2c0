//! `age-plugin-ringsmith`: programs of the age family encrypt to post-quantum recipients, and decrypt,
//! through it.
//!
//! A client finds it in the `PATH` by the recipient's or identity's text, and speaks the plugin protocol
//! (<https://c2sp.org/age-plugin>) with it over standard input and output. Under the name `age-plugin-pq` (a
//! link is enough) it serves `age1pq1...` for clients that do not know such keys natively.
#![forbid(unsafe_code)]

#[cfg(unix)]
mod guard;
mod identity;
mod recipient;

use age_plugin::{PluginHandler, run_state_machine};
use clap::Parser;
use clap::error::ErrorKind;
use ringsmith::Cpu;
use ringsmith_age::{Identity, Kind, caught, stdout_is_closed};
use std::io::{self, Read, Write};
use std::process::ExitCode;
use zeroize::Zeroizing;

/// Encrypts and decrypts for age and rage, to ML-KEM-768 or sntrup761 with X25519
#[derive(Parser)]
#[command(version, after_help = EXAMPLES, arg_required_else_help = true)]
struct Arguments {
    /// Print a new private key for this plugin
    #[arg(long, conflicts_with_all = ["convert", "age_plugin"])]
    generate: bool,
    /// The new key's kind: mlkem768x25519 or sntrup761x25519
    #[arg(long, value_name = "KIND", default_value_t)]
    #[arg(requires = "generate", conflicts_with_all = ["convert", "age_plugin"])]
    kind: Kind,
    /// Read private keys, one a line, from standard input, and print them as keys for this plugin
    #[arg(long, conflicts_with = "age_plugin")]
    convert: bool,
    /// Speak this part of the plugin protocol; clients do that
    #[arg(long, value_name = "STATE_MACHINE", hide = true)]
    age_plugin: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  (umask 077; age-plugin-ringsmith --generate > key.txt)
  (umask 077; age-plugin-ringsmith --generate --kind sntrup761x25519 > key.txt)
  rage -e -i key.txt -o letter.age letter.txt
  rage -d -i key.txt letter.age
  (umask 077; age-plugin-ringsmith --convert < native.txt > key.txt)";

/// Both parts of the protocol.
struct Plugin(Cpu);

impl PluginHandler for Plugin {
    type RecipientV1 = recipient::Recipients;
    type IdentityV1 = identity::Identities;

    fn recipient_v1(self) -> io::Result<recipient::Recipients> {
        Ok(recipient::Recipients::new(self.0))
    }

    fn identity_v1(self) -> io::Result<identity::Identities> {
        Ok(identity::Identities::new(self.0))
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::try_parse() {
        Ok(arguments) => run(&arguments),
        Err(shown)
            if !shown.use_stderr() || shown.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            shown.exit()
        }
        Err(why) => Err(first_paragraph(&why)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // Where standard error is gone, nobody is left to tell.
            let _ = writeln!(io::stderr(), "age-plugin-ringsmith: {why}");
            ExitCode::from(2)
        }
    }
}

/// What is wrong with the arguments, in one line, without the advice that follows.
fn first_paragraph(why: &clap::Error) -> String {
    let text = why.to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let line = paragraph.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).into()
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let cpu = Cpu::from_env().map_err(|why| format!("RINGSMITH_CPU: {why}"))?;
    if let Some(state_machine) = &arguments.age_plugin {
        return speak(state_machine, cpu);
    }
    if stdout_is_closed() {
        return Err("standard output is closed, and the only copy would be lost".into());
    }
    if arguments.convert {
        return convert(cpu);
    }
    let key = Identity::generate_on(cpu, arguments.kind)
        .map_err(|why| format!("the system gives no random bytes: {why}"))?;
    print(&text(&key))
}

/// Speaks a part of the protocol.
#[cfg(unix)]
fn speak(state_machine: &str, cpu: Cpu) -> Result<(), String> {
    guard::stdin().map_err(|why| format!("cannot read standard input: {why}"))?;
    run_machine(state_machine, cpu).map_err(|why| guard::refused().map_or(why, String::from))
}

#[cfg(not(unix))]
fn speak(state_machine: &str, cpu: Cpu) -> Result<(), String> {
    run_machine(state_machine, cpu)
}

fn run_machine(state_machine: &str, cpu: Cpu) -> Result<(), String> {
    match caught(|| run_state_machine(state_machine, Plugin(cpu))) {
        Ok(ended) => ended.map_err(|why| why.to_string()),
        Err(says) => Err(format!("it stopped, as where the system gives no random bytes: {says}")),
    }
}

/// A private key for this plugin, and its recipient.
fn text(key: &Identity) -> Zeroizing<String> {
    let (recipient, private) = (key.to_recipient().to_plugin_text(), key.to_plugin_text());
    // In one piece: a string that grows leaves copies behind.
    Zeroizing::new(["# public key: ", &recipient, "\n", &private, "\n"].concat())
}

fn print(text: &str) -> Result<(), String> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|why| format!("cannot write standard output: {why}"))
}

/// The longest input, in bytes: hundreds of keys.
const LONGEST: usize = 1 << 16;

fn convert(cpu: Cpu) -> Result<(), String> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(LONGEST + 1));
    let read = io::stdin().lock().take(LONGEST as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|why| format!("cannot read standard input: {why}"))?;
    if bytes.len() > LONGEST {
        return Err(format!("standard input is longer than {LONGEST} bytes"));
    }
    let lines = str::from_utf8(&bytes).map_err(|_| "standard input is no text")?.lines();
    // All before any is printed, and each in memory of its own.
    let keys = lines.enumerate().filter_map(|(number, line)| converted(cpu, number + 1, line.trim()));
    let keys = keys.collect::<Result<Vec<_>, _>>()?;
    if keys.is_empty() {
        return Err("standard input holds no private key".into());
    }
    keys.iter().try_for_each(|key| print(key))
}

/// The key in a line, as a key for this plugin; `None` where the line is empty or a comment.
fn converted(cpu: Cpu, number: usize, line: &str) -> Option<Result<Zeroizing<String>, String>> {
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let refused = |why| format!("standard input, line {number}: no post-quantum private key: {why}");
    Some(Identity::parse_on(cpu, line).map(|key| text(&key)).map_err(refused))
}
