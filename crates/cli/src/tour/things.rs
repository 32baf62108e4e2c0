//! What a user can do, one line for each thing: the command runs itself, in a directory that is removed
//! afterwards, or calls the library where there is no command; results are compared.

use super::files::Place;
use crate::error::Error;
use crate::output::print;
use crate::progress::Progress;
use crate::shown;
use crate::table::{Table, time};
use ringsmith::{random, ssh};
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Something that a user can do.
struct Thing {
    what: &'static str,
    how: How,
}

/// How it is done.
enum How {
    Commands {
        /// What is typed after `ringsmith`, words with one space between. The one before the last is shown,
        /// or the only one.
        commands: &'static [&'static str],
        /// Two files that are the same then.
        same: Option<[&'static str; 2]>,
    },
    /// By the library, which has no command for it.
    Library {
        /// What is called.
        shown: &'static str,
        call: fn() -> Result<(), Error>,
    },
}

const fn thing(
    what: &'static str,
    commands: &'static [&'static str],
    same: Option<[&'static str; 2]>,
) -> Thing {
    Thing { what, how: How::Commands { commands, same } }
}

/// What there is to do, in an order in which files are made before they are read.
const THINGS: [Thing; 16] = [
    thing(
        "encrypt a file to a public key",
        &[
            "keygen -o bob.key --public bob.pub",
            "encrypt -R bob.pub -o letter.age letter",
            "decrypt -i bob.key -o letter.1 letter.age",
        ],
        Some(["letter", "letter.1"]),
    ),
    thing(
        "encrypt a file with a passphrase",
        &[
            "encrypt -p --passphrase-file words -o secret.age letter",
            "decrypt --passphrase-file words -o letter.2 secret.age",
        ],
        Some(["letter", "letter.2"]),
    ),
    thing(
        "protect a key with a passphrase",
        &[
            "keygen -p --passphrase-file words -o safe.key --public safe.pub",
            "keygen -y safe.key --passphrase-file words -o safe.2",
        ],
        Some(["safe.pub", "safe.2"]),
    ),
    thing("say what a file is", &["inspect -i bob.key letter.age"], None),
    thing(
        "sign a file, and verify it",
        &[
            "keygen --kind ml-dsa-65 -o alice.key --public alice.pub",
            "sign -i alice.key -o letter.sig letter",
            "verify --public alice.pub -s letter.sig letter",
        ],
        None,
    ),
    thing(
        "make a certificate",
        &[
            "certificate -i alice.key --subject CN=Alice -o alice.crt",
            "verify --public alice.crt -s letter.sig letter",
        ],
        None,
    ),
    thing(
        "encapsulate a key",
        &[
            "kem keygen -o carl.key --public carl.pub",
            "kem encapsulate -R carl.pub -o to-carl.ct -s key.1",
            "kem decapsulate -i carl.key -o key.2 to-carl.ct",
        ],
        Some(["key.1", "key.2"]),
    ),
    thing(
        "exchange keys in three steps",
        &[
            "exchange offer -s eve.secret -o offer",
            "exchange respond -k key.3 -o response offer",
            "exchange finish -s eve.secret -o key.4 response",
        ],
        Some(["key.3", "key.4"]),
    ),
    thing(
        "encrypt a short message (NTRUEncrypt)",
        &[
            "pke keygen -o dora.key --public dora.pub",
            "pke encrypt -R dora.pub -o to-dora.ct words",
            "pke decrypt -i dora.key -o words.2 to-dora.ct",
        ],
        Some(["words", "words.2"]),
    ),
    thing("multiply in any ring", &["multiply --check --ring Z_97[x]/(x^4-x-1) a.txt b.txt"], None),
    thing("plan the products of any ring", &["plan Z_4096[x]/(x^743-x-1)"], None),
    thing("list rings, schemes and routes", &["schemes", "rings --ring Z_3329[x]/(x^256+1)", "rings"], None),
    thing("measure", &["bench --time 1 --only kem/ML-KEM-768/"], None),
    thing("configure TLS (OpenSSL 3)", &["openssl-config ringsmith.so"], None),
    Thing {
        what: "agree on a key as SSH does",
        how: How::Library { shown: "in Rust: ringsmith::ssh, see docs/ssh.md", call: agree_as_ssh },
    },
    thing("complete words in a shell", &["man", "completions bash", "completions zsh"], None),
];

/// What the commands read.
const FILES: [(&str, &str); 4] = [
    ("letter", "Dear Bob,\nthis letter is for you alone.\nAlice\n"),
    ("words", "rings that are forged in a tour\n"),
    ("a.txt", "1 2 3 4\n"),
    ("b.txt", "0 0 0 1\n"),
];

/// Runs this part of the tour; how many things that were.
pub(super) fn run() -> Result<usize, Error> {
    let place = Place::new(None)?;
    for (name, text) in FILES {
        let path = place.path.join(name);
        let made = fs::write(&path, text).and_then(|()| for_its_owner(&path));
        made.map_err(|why| Error::Write { name: shown::name(&path), why })?;
    }
    let (mut table, progress) =
        (Table::new(2, ["what you can do", "how", "all of it took"]), Progress::new());
    for Thing { what, how } in &THINGS {
        progress.show(what);
        let (start, done) = (Instant::now(), how.run(&place.path));
        progress.clear();
        done?;
        table.push(vec![(*what).into(), how.shown(), taken(start)]);
    }
    print(format!("{}\n{} things, all of which work here\n\n", table.render(), THINGS.len()).as_bytes())?;
    Ok(THINGS.len())
}

impl How {
    fn run(&self, place: &Path) -> Result<(), Error> {
        match self {
            How::Commands { commands, same } => try_all(place, commands, *same),
            How::Library { call, .. } => call(),
        }
    }

    /// What the table shows of it.
    fn shown(&self) -> String {
        match self {
            How::Commands { commands, .. } => {
                format!("ringsmith {}", quoted(commands[commands.len().saturating_sub(2)]))
            }
            How::Library { shown, .. } => (*shown).into(),
        }
    }
}

/// Both sides of the exchange `sntrup761x25519-sha512@openssh.com`, which must have the same secret.
fn agree_as_ssh() -> Result<(), Error> {
    let exchange = random::drawn(|rng| {
        let client = ssh::Client::new(rng);
        let (reply, theirs) = ssh::respond(&client.init(), rng)?;
        let ours = client.finish(&reply)?;
        Ok::<_, ssh::InvalidPoint>(*ours.string() == *theirs.string())
    });
    match exchange.map_err(Error::Random)? {
        Ok(true) => Ok(()),
        Ok(false) => Err(Error::Wrong("the two sides of SSH's exchange have different secrets".into())),
        Err(why) => Err(Error::Wrong(format!("SSH's exchange failed: {why}"))),
    }
}

fn taken(start: Instant) -> String {
    time(start.elapsed().as_secs_f64() * 1e9)
}

/// As a shell takes it.
fn quoted(command: &str) -> String {
    let word = |word: &str| if word.contains('[') { format!("'{word}'") } else { word.into() };
    command.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A passphrase is nobody else's.
fn for_its_owner(path: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    }
    let _ = path;
    Ok(())
}

/// Runs the commands one after the other.
fn try_all(place: &Path, commands: &[&str], same: Option<[&str; 2]>) -> Result<(), Error> {
    commands.iter().try_for_each(|command| try_one(place, command))?;
    let read = |name: &str| {
        let path = place.join(name);
        fs::read(&path).map_err(|why| Error::Read { name: shown::name(&path), why })
    };
    match same {
        Some([one, other]) if read(one)? != read(other)? => {
            Err(Error::Wrong(format!("{one} and {other} are not the same")))
        }
        _ => Ok(()),
    }
}

fn try_one(place: &Path, command: &str) -> Result<(), Error> {
    let run = |why| Error::Read { name: "the program itself".into(), why };
    let mut child = Command::new(env::current_exe().map_err(run)?);
    child.args(command.split(' ')).current_dir(place).stdin(Stdio::null());
    let output = child.output().map_err(run)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Error::Wrong(format!("`ringsmith {command}` failed: {}", said.trim())))
}
