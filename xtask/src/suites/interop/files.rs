//! Files: age (Go) and rage, natively and through the plugin, binary and as text, of all lengths around those
//! of a chunk and of many; of 1 GiB with each client once, or always where the suite is exhaustive. Files and
//! keys that a passphrase opens, with each client in both directions.

use crate::shell;
use crate::suite::{Options, Verdict};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Go implementation, with its version: part of what is shown.
const AGE: &str = "filippo.io/age/cmd/age@v1.3.2";
/// The Rust one.
const RAGE: [&str; 2] = ["rage", "0.12.1"];
/// Around the ends of chunks.
const LENGTHS: [u64; 5] = [0, 1, 65535, 65536, 65537];
/// More chunks than any buffer holds.
const MANY: u64 = 1 << 24;
pub(super) const LONG: u64 = 1 << 30;

/// Files of all lengths with each client.
pub(super) fn run(exchange: &Exchange, options: &Options) -> Verdict {
    let [native, by_plugin, prime] = exchange.keys()?;
    let [age, rage] = &exchange.clients;
    for (client, key) in
        [(age, &native), (age, &by_plugin), (rage, &by_plugin), (age, &prime), (rage, &prime)]
    {
        let of_its_own = std::ptr::eq(key, if std::ptr::eq(client, age) { &native } else { &by_plugin });
        for armor in [false, true] {
            let is_long = options.exhaustive || of_its_own && !armor;
            exchange.all(client, key, armor, if is_long { LONG } else { MANY })?;
        }
    }
    exchange.passphrases()
}

/// A program of the age family.
pub(super) struct Client {
    name: String,
    pub(super) program: PathBuf,
}

/// A key, and what it is.
pub(super) struct Key {
    kind: &'static str,
    pub(super) identity: PathBuf,
    pub(super) recipient: String,
}

fn install(place: &Path, go_command: &Path) -> Result<[Client; 2], String> {
    let [name, version] = RAGE;
    // Another version is another folder.
    let (go, rust) = (place.join(AGE.replace('/', "-")), place.join(RAGE.join("-")));
    if !go.join("age").exists() {
        shell::run(Command::new(go_command).args(["install", AGE]).env("GOBIN", &go))?;
    }
    if !rust.join("bin/rage").exists() {
        let install = ["install", "--quiet", "--locked", "--version", version, "--root"];
        let mut cargo = shell::cargo(&install);
        shell::run(cargo.arg(&rust).arg(name).env("CARGO_TARGET_DIR", place.join("build")))?;
    }
    Ok([
        Client { name: AGE.into(), program: go.join("age") },
        Client { name: RAGE.join(" "), program: rust.join("bin/rage") },
    ])
}

/// The plugin in a folder of its own, under both of its names.
fn install_plugin(place: &Path, plugin: &Path) -> Result<PathBuf, String> {
    let folder = place.join("plugins");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for name in ["age-plugin-ringsmith", "age-plugin-pq"] {
        let copy = folder.join(name);
        fs::copy(plugin, &copy).map_err(|error| format!("{}: {error}", copy.display()))?;
    }
    Ok(folder)
}

/// What is exchanged, with whom, and where.
pub(super) struct Exchange {
    pub(super) command: PathBuf,
    plugin: PathBuf,
    /// A folder with the plugin under both of its names.
    plugins: PathBuf,
    clients: [Client; 2],
    files: PathBuf,
}

impl Exchange {
    /// Installs the clients and the plugin; the files are in a folder that is removed in the end.
    pub(super) fn new(command: &Path, plugin: &Path, go: &Path) -> Result<Self, String> {
        let place = super::place();
        let clients = install(&place, go)?;
        let plugins = install_plugin(&place, plugin)?;
        let files = place.join("files");
        let _ = fs::remove_dir_all(&files);
        fs::create_dir_all(&files).map_err(|error| format!("{}: {error}", files.display()))?;
        Ok(Exchange { command: command.into(), plugin: plugin.into(), plugins, clients, files })
    }

    /// The Rust client.
    pub(super) fn rage(&self) -> &Client {
        &self.clients[1]
    }

    /// A file of the exchange.
    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.files.join(name)
    }

    /// A program that finds the plugins.
    pub(super) fn program(&self, program: &Path) -> Command {
        let mut path = OsString::from(&self.plugins);
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new(program);
        command.env("PATH", path);
        command
    }

    /// A native key, the same kind by the plugin, and one of sntrup761x25519, which is the plugin's alone.
    pub(super) fn keys(&self) -> Result<[Key; 3], String> {
        let native = shell::finish(self.program(&self.command).args(["keygen"]))?.stdout;
        let by_plugin = shell::finish(self.program(&self.plugin).arg("--generate"))?.stdout;
        let prime = ["--generate", "--kind", "sntrup761x25519"];
        let prime = shell::finish(self.program(&self.plugin).args(prime))?.stdout;
        let key = |kind, name: &str, text: String| {
            let identity = self.at(name);
            fs::write(&identity, &text).map_err(|error| format!("{}: {error}", identity.display()))?;
            let public = text.lines().find_map(|line| line.strip_prefix("# public key: "));
            let recipient = public.ok_or("a key without its public key")?.to_string();
            restrict(&identity)?;
            Ok::<_, String>(Key { kind, identity, recipient })
        };
        Ok([
            key("native", "native.txt", native)?,
            key("by the plugin", "plugin.txt", by_plugin)?,
            key("sntrup761x25519 by the plugin", "prime.txt", prime)?,
        ])
    }

    /// All lengths up to the greatest, binary or as text, both ways.
    fn all(&self, client: &Client, key: &Key, armor: bool, greatest: u64) -> Verdict {
        for length in LENGTHS.into_iter().chain([greatest]) {
            self.write_plain(length)?;
            self.exchange(&self.command, &["encrypt"], &client.program, &["-d"], key, armor)?;
            self.exchange(&client.program, &["-e"], &self.command, &["decrypt"], key, armor)?;
        }
        println!(
            "{}, keys {}: {} lengths up to {} MiB, {}: agreed both ways",
            client.name,
            key.kind,
            LENGTHS.len() + 1,
            greatest >> 20,
            if armor { "text" } else { "binary" }
        );
        Ok(())
    }

    /// A file of this length, without a pattern.
    pub(super) fn write_plain(&self, length: u64) -> Verdict {
        let path = self.at("plain");
        let write = || {
            let mut file = BufWriter::new(File::create(&path)?);
            let mut state = length | 1;
            let mut left = length;
            while left > 0 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let bytes = state.to_be_bytes();
                let count = left.min(4) as usize;
                file.write_all(&bytes[..count])?;
                left -= count as u64;
            }
            file.flush()
        };
        write().map_err(|error| format!("{}: {error}", path.display()))
    }

    /// One encrypts, the other decrypts.
    fn exchange(
        &self,
        encrypts: &Path,
        encrypt: &[&str],
        decrypts: &Path,
        decrypt: &[&str],
        key: &Key,
        armor: bool,
    ) -> Verdict {
        let [plain, sealed, copy] = ["plain", "sealed", "copy"].map(|name| self.at(name));
        [&sealed, &copy].into_iter().for_each(|path| _ = fs::remove_file(path));
        let mut command = self.program(encrypts);
        command.args(encrypt).args(["-r", &key.recipient]).args(armor.then_some("-a"));
        quietly(command.arg("-o").arg(&sealed).arg(&plain))?;
        let mut command = self.program(decrypts);
        command.args(decrypt).arg("-i").arg(&key.identity);
        quietly(command.arg("-o").arg(&copy).arg(&sealed))?;
        if same(&plain, &copy)? { Ok(()) } else { Err(format!("{}: not the file", copy.display())) }
    }
}

/// A passphrase that needs no quotes anywhere.
const WORDS: &str = "lusab-babad-gutih-tugad-hobab-fijod-kitub";

/// What rage asks for a passphrase (the protocol Assuan, of pinentry), in place of somebody.
const PINENTRY: &str = "#!/bin/sh
echo OK
while read -r line; do
    case $line in
        GETPIN*) echo 'S PIN_REPEATED'; echo \"D $WORDS\"; echo OK ;;
        BYE*) echo OK; exit ;;
        *) echo OK ;;
    esac
done
";

impl Exchange {
    /// Files with a passphrase, both ways, and to keys that one protects.
    fn passphrases(&self) -> Verdict {
        let [words, pinentry] = ["words", "pinentry"].map(|name| self.at(name));
        let write = |path: &Path, text: &str| {
            fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
        };
        write(&words, &format!("{WORDS}\n"))?;
        write(&pinentry, PINENTRY)?;
        quietly(Command::new("chmod").arg("700").args([&words, &pinentry]))?;
        self.write_plain(65537)?;
        for client in &self.clients {
            self.with_passphrase(client)?;
            self.with_protected_key(client)?;
            println!("{}, passphrases: files and keys, agreed both ways", client.name);
        }
        Ok(())
    }

    /// Our command with the passphrase at hand. A client may have chosen a work factor beyond the usual one:
    /// rage chooses it by the machine.
    fn ours(&self, args: &[&str]) -> Command {
        let mut command = self.program(&self.command);
        command.arg(args[0]).arg("--passphrase-file").arg(self.at("words"));
        command.args(["--max-work-factor", "24"]).args(&args[1..]);
        command
    }

    fn with_passphrase(&self, client: &Client) -> Verdict {
        let [plain, sealed, copy] = ["plain", "sealed", "copy"].map(|name| self.at(name));
        let fresh = || [&sealed, &copy].into_iter().for_each(|path| _ = fs::remove_file(path));
        fresh();
        quietly(self.ours(&["encrypt", "-p"]).arg("-o").args([&sealed, &plain]))?;
        self.asked(client, &["-d", "-o"], &[&copy, &sealed], 1)?;
        agree(&plain, &copy)?;
        fresh();
        self.asked(client, &["-p", "-o"], &[&sealed, &plain], 2)?;
        quietly(self.ours(&["decrypt"]).arg("-o").args([&copy, &sealed]))?;
        agree(&plain, &copy)
    }

    /// A key that we protect, and a file to it, which the client decrypts; one that the client protects. The
    /// key is classical: rage has no other of its own.
    fn with_protected_key(&self, client: &Client) -> Verdict {
        let names = ["plain", "sealed", "copy", "protected", "recipient", "key", "theirs"];
        let [plain, sealed, copy, protected, recipient, key, theirs] = names.map(|name| self.at(name));
        for path in [&sealed, &copy, &protected, &recipient, &key, &theirs] {
            let _ = fs::remove_file(path);
        }
        let mut command = self.ours(&["keygen", "-p", "--classical", "--public"]);
        quietly(command.arg(&recipient).arg("-o").arg(&protected))?;
        let mut command = self.program(&self.command);
        quietly(command.args(["encrypt", "-R"]).arg(&recipient).arg("-o").args([&sealed, &plain]))?;
        self.asked(client, &["-d", "-i"], &[&protected, Path::new("-o"), &copy, &sealed], 1)?;
        agree(&plain, &copy)?;
        let _ = fs::remove_file(&copy);
        quietly(self.ours(&["decrypt"]).arg("-o").args([&key, &protected]))?;
        self.asked(client, &["-p", "-a", "-o"], &[&theirs, &key], 2)?;
        quietly(self.ours(&["decrypt"]).arg("-i").arg(&theirs).arg("-o").args([&copy, &sealed]))?;
        agree(&plain, &copy)
    }

    /// Runs a client that asks for the passphrase so many times: age on a terminal, rage by pinentry.
    fn asked(&self, client: &Client, args: &[&str], paths: &[&Path], times: usize) -> Verdict {
        let words = args.iter().map(ToString::to_string);
        let paths = paths.iter().map(|path| format!("'{}'", path.display()));
        let program = format!("'{}'", client.program.display());
        let line = [program].into_iter().chain(words).chain(paths).collect::<Vec<_>>().join(" ");
        let mut shell = self.program(Path::new("sh"));
        shell.env("WORDS", WORDS).env("PINENTRY_PROGRAM", self.at("pinentry"));
        let typed = format!("{WORDS}\\n").repeat(times);
        let on_terminal = format!("printf '{typed}' | script -qec \"{line}\" /dev/null > /dev/null");
        quietly(shell.arg("-c").arg(on_terminal))
    }
}

/// Whether a copy is the file.
fn agree(plain: &Path, copy: &Path) -> Verdict {
    if same(plain, copy)? { Ok(()) } else { Err(format!("{}: not the file", copy.display())) }
}

/// Runs a command quietly.
fn quietly(command: &mut Command) -> Verdict {
    let finished = shell::finish(command)?;
    match finished.code {
        Some(0) => Ok(()),
        _ => Err(format!("{command:?}: {}", finished.stderr)),
    }
}

/// Whether two files have the same bytes. (rage makes no file where there is nothing to write.)
fn same(a: &Path, b: &Path) -> Result<bool, String> {
    if !b.exists() {
        return fs::metadata(a).map(|a| a.len() == 0).map_err(|error| error.to_string());
    }
    let open = |path: &Path| {
        File::open(path).map(BufReader::new).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (mut a, mut b) = (open(a)?, open(b)?);
    let (mut x, mut y) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let count = a.read(&mut x).map_err(|error| error.to_string())?;
        if count == 0 {
            return b.read(&mut y).map(|rest| rest == 0).map_err(|error| error.to_string());
        }
        if b.read_exact(&mut y[..count]).is_err() || x[..count] != y[..count] {
            return Ok(false);
        }
    }
}

/// Readable by its owner alone, as clients want it.
fn restrict(path: &Path) -> Verdict {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = fs::Permissions::from_mode(0o600);
        fs::set_permissions(path, permissions).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

impl Drop for Exchange {
    fn drop(&mut self) {
        // What can't be removed is in the folder of build outputs.
        let _ = fs::remove_dir_all(&self.files);
    }
}
