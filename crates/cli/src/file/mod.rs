//! `ringsmith keygen`, `encrypt`, `decrypt`: files in the age format, to post-quantum recipients or classical
//! ones, or to a passphrase.
//!
//! The format is the crate `age`'s, the post-quantum recipients are `ringsmith-age`'s. Memory is that of a
//! few chunks, whatever the file's length.

mod decrypt;
mod encrypt;
pub(crate) mod input;
mod keygen;
pub(crate) mod keys;
pub(crate) mod passphrase;
pub(crate) mod protected;
pub(crate) mod stream;

pub(crate) use decrypt::Decrypt;
pub(crate) use encrypt::Encrypt;
pub(crate) use keygen::Keygen;
