//! The main job: a file is encrypted to a new key, decrypted, and compared.

use crate::error::Error;
use crate::file::input::Input;
use crate::file::keys::{file_text, identities};
use crate::file::passphrase::Opening;
use crate::file::stream::{self, By};
use crate::output::{Access, Output, print};
use crate::shown;
use crate::table::{Table, time};
use crate::unfinished::Unfinished;
use age::armor::Format;
use ringsmith::Cpu;
use ringsmith_age::{AnyIdentity, Kind, encryptor};
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What is encrypted where the user names no file: the package's own README, wherever that stands.
const README: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/", env!("CARGO_PKG_README")));

/// Runs this part of the tour; with `keep`, key, ciphertext and copy stay there.
pub(super) fn run(cpu: Cpu, file: Option<&Path>, keep: Option<&Path>) -> Result<(), Error> {
    let name = name(file)?;
    let place = Place::new(keep)?;
    let (key, copied) = (place.path.join("key.txt"), place.path.join(name));
    let sealed = place.path.join([name, OsStr::new(".age")].into_iter().collect::<OsString>());
    let mut table = Table::new(2, ["step", "file", "bytes", "time"]);
    let mut step = |what: &str, path: &Path, work: &mut dyn FnMut() -> Result<(), Error>| {
        let start = Instant::now();
        work()?;
        let taken = time(start.elapsed().as_secs_f64() * 1e9);
        let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
        let name = shown::name(path.file_name().unwrap_or_default().as_ref());
        table.push(vec![what.into(), name, bytes.to_string(), taken]);
        Ok::<_, Error>(())
    };
    step("a new key", &key, &mut || new_key(cpu, &key))?;
    step("encrypted to it", &sealed, &mut || {
        let recipients: Vec<_> =
            identities(cpu, &key, &Opening::usual())?.iter().map(AnyIdentity::to_recipient).collect();
        let output = Output::open(Some(&sealed), Access::All)?;
        stream::encrypt(encryptor(&recipients)?, open(file)?, output, Format::Binary)
    })?;
    step("decrypted with it", &copied, &mut || {
        stream::decrypt(By::Keys(&identities(cpu, &key, &Opening::usual())?), Input::open(&sealed)?, || {
            Output::open(Some(&copied), Access::All)
        })
    })?;
    if !same(open(file)?, Input::open(&copied)?)? {
        return Err(Error::Wrong(format!("{} is not what was encrypted", shown::name(&copied))));
    }
    let kept = keep.map_or(String::new(), |path| format!("; all three are in {}", shown::name(path)));
    print(
        format!("{}\nML-KEM-768 and X25519, the age format; the copy is the file{kept}\n\n", table.render())
            .as_bytes(),
    )
}

/// What the copy is called.
fn name(file: Option<&Path>) -> Result<&OsStr, Error> {
    let Some(path) = file else { return Ok(OsStr::new("README.md")) };
    path.file_name().filter(|_| path != Path::new("-")).ok_or_else(|| {
        Error::Usage(format!("'{}' names no file; the tour reads one twice", shown::name(path)))
    })
}

/// Writes a new private key.
fn new_key(cpu: Cpu, path: &Path) -> Result<(), Error> {
    let key = AnyIdentity::generate_on(cpu, Kind::default()).map_err(Error::Random)?;
    let mut output = Output::open(Some(path), Access::Owner)?;
    output.write(file_text(&key).as_bytes())?;
    output.finish()
}

/// What is encrypted.
fn open(file: Option<&Path>) -> Result<Input, Error> {
    match file {
        Some(path) => Input::open(path),
        None => Ok(Input {
            name: "README.md".into(),
            reader: Box::new(README),
            length: Some(README.len() as u64),
        }),
    }
}

/// Whether two inputs have the same bytes.
fn same(a: Input, b: Input) -> Result<bool, Error> {
    let bytes = |input: Input| {
        let name = input.name;
        BufReader::new(input.reader)
            .bytes()
            .map(move |byte| byte.map_err(|why| Error::Read { name: name.clone(), why }))
    };
    let (mut a, mut b) = (bytes(a), bytes(b));
    loop {
        match (a.next().transpose()?, b.next().transpose()?) {
            (None, None) => return Ok(true),
            (x, y) if x != y => return Ok(false),
            _ => {}
        }
    }
}

/// Where files are.
pub(super) struct Place {
    pub(super) path: PathBuf,
    /// Where it is to be removed, also if the command is interrupted.
    ours: Option<Unfinished>,
}

impl Place {
    /// A directory of the user's, or one that is removed on drop and that nobody else can enter.
    pub(super) fn new(keep: Option<&Path>) -> Result<Self, Error> {
        let error = |path: &Path, why| Error::Write { name: shown::name(path), why };
        if let Some(path) = keep {
            fs::create_dir_all(path).map_err(|why| error(path, why))?;
            return Ok(Place { path: path.into(), ours: None });
        }
        let path = std::env::temp_dir().join(format!("ringsmith-tour-{}", std::process::id()));
        match Unfinished::make(path.clone(), private_directory) {
            Ok((ours, ())) => Ok(Place { path, ours: Some(ours) }),
            Err(why) => Err(error(&path, why)),
        }
    }
}

fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.ours.is_some() {
            // A failure can't be told to anybody here.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}
