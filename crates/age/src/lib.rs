//! Post-quantum recipients of the [age file format](https://age-encryption.org/v1), for the crate `age`.
//!
//! A [`Recipient`] is who a file is encrypted to, an [`Identity`] who decrypts it. Both have a form as text,
//! and both are what the crate `age` takes.
//!
//! ```
//! use age::Encryptor;
//! use ringsmith_age::{Identity, Kind, Recipient, decryptor};
//! use std::io::{Read, Write};
//!
//! let identity = Identity::generate(Kind::default())?;
//! let text = identity.to_recipient().to_string(); // age1pq1...
//!
//! let recipient = Recipient::parse(&text)?;
//! let encryptor = Encryptor::with_recipients([&recipient as _].into_iter())?;
//! let mut file = Vec::new();
//! let mut writer = encryptor.wrap_output(&mut file)?;
//! writer.write_all(b"a file")?;
//! writer.finish()?;
//!
//! let mut contents = Vec::new();
//! let reader = decryptor(&file[..])?.decrypt([&identity as _].into_iter())?;
//! { reader }.read_to_end(&mut contents)?;
//! assert_eq!(contents, b"a file");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Kinds
//! | [`Kind`], and stanza | what it is | recipient | identity |
//! |---|---|---|---|
//! | `mlkem768x25519` | X-Wing: ML-KEM-768 and X25519 | `age1pq1...` | `AGE-SECRET-KEY-PQ-1...` |
//! | `sntrup761x25519` | sntrup761 and X25519 | `age1ringsmith1...` | `AGE-PLUGIN-RINGSMITH-1...` |
//!
//! The first kind, HPKE with X-Wing, is native to age 1.3. The second has a stanza of our own.
//!
//! For programs that know keys by plugins alone, each kind has a form for the plugin `age-plugin-ringsmith`:
//! `age1ringsmith1...` and `AGE-PLUGIN-RINGSMITH-1...`. The stanza is the same. The second kind has no other
//! form.
//!
//! All kinds have the label `postquantum`: a file has recipients that bear it, or others, never both, because
//! a file is as safe as the weakest of its recipients.
//!
//! # Passphrases
//! A [`Passphrase`] opens a file in place of keys: [`passphrase_encryptor`] makes one, [`ClosedFile`] tells
//! whether there is one, before any work is done for it, and opens the file.
//!
//! # Files of others
//! [`decryptor`] reads a header within limits before the crate `age` parses it: whoever sends a file chooses
//! neither the time nor the memory that it takes. [`forward_commands`] does the same for who speaks to the
//! plugin.
//!
//! # Programs
//! [`AnyRecipient`] and [`AnyIdentity`] are of every kind, X25519 alone among them; [`encryptor`] and
//! [`open`] make and open files for them, and their errors are the sentences that a program says.
//!
//! # Constant time
//! As the schemes. The texts of identities are written and read in constant time too, but for those of X25519
//! alone, which the crate `age` reads, and for who looks for the lines of a file.
#![forbid(unsafe_code)]

mod any;
mod bech32;
mod classical;
mod closed;
mod commands;
mod file;
mod header;
mod identity;
mod kind;
mod passphrase;
mod plugin;
mod programs;
mod recipient;
mod text;

pub use any::{AnyIdentity, AnyRecipient, IdentityError, RecipientError};
pub use classical::{CLASSICAL_STANZA_BYTES, classical_identity, classical_recipient};
pub use closed::{ClosedFile, Recipients};
pub use commands::{CommandsError, forward_commands};
pub use file::{MakeError, OpenError, PIECE, encryptor, open};
pub use header::{HEADER_BYTES, HEADER_WORDS, HeaderError, LINE_BYTES, decryptor};
pub use identity::Identity;
pub use kind::{Kind, POSTQUANTUM, UnknownKind};
pub use passphrase::{LAST_WORK_FACTOR, MAX_WORK_FACTOR, Passphrase, WORK_FACTOR, passphrase_encryptor};
pub use plugin::{NATIVE, PLUGIN};
pub use programs::{Reason, caught, excerpt, stdout_is_closed};
pub use recipient::Recipient;
pub use text::TextError;
