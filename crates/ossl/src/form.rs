//! The forms of keys in files, which encoders write and decoders read (RFC 9935).

use crate::abi::selection;
use crate::provider::Provider;
use std::ffi::c_int;

/// What is in a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Structure {
    /// A public key.
    SubjectPublicKeyInfo,
    /// A private key.
    PrivateKeyInfo,
}

impl Structure {
    /// Whether it is for these parts of a key, of which OpenSSL asks as it does of its own: a private key
    /// where one is wanted, else a public one; any, where it says nothing.
    pub(crate) fn serves(self, parts: c_int) -> bool {
        match self {
            _ if parts == 0 => true,
            Structure::PrivateKeyInfo => parts & selection::PRIVATE != 0,
            Structure::SubjectPublicKeyInfo => parts & selection::PAIR == selection::PUBLIC,
        }
    }
}

/// A type that stands for a form, so that C has a function for each.
pub(crate) trait Form: 'static {
    const STRUCTURE: Structure;
    /// Whether it is text.
    const IS_PEM: bool;
}

macro_rules! forms {
    ($($form:ident $structure:ident $is_pem:literal;)*) => { $(
        pub(crate) enum $form {}

        impl Form for $form {
            const STRUCTURE: Structure = Structure::$structure;
            const IS_PEM: bool = $is_pem;
        }
    )* };
}

forms! {
    PublicDer SubjectPublicKeyInfo false;
    PublicPem SubjectPublicKeyInfo true;
    PrivateDer PrivateKeyInfo false;
    PrivatePem PrivateKeyInfo true;
}

/// What an encoder or a decoder keeps: OpenSSL's functions.
pub(crate) type Context = Provider;
