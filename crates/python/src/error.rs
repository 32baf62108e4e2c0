//! Errors as exceptions, in the sentences of the command.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use ringsmith::Cpu;
use ringsmith::any::{Expression, ParseError, RingError};
use ringsmith::encoding::EncodingError;
use ringsmith::scheme::SchemeError;
use ringsmith::word::WordError;
use ringsmith_age::{Reason, excerpt};
use std::fmt::Display;
use std::io;

create_exception!(
    ringsmith,
    Error,
    PyValueError,
    "What the library refuses: a ring, an operand, a key or a ciphertext."
);
create_exception!(ringsmith, NoInverse, Error, "An element has no inverse.");
create_exception!(
    ringsmith,
    InvalidCiphertext,
    PyException,
    "A ciphertext was not made for the key, or a file was altered. Nothing says what is wrong with it."
);
create_exception!(
    ringsmith,
    InvalidSignature,
    PyException,
    "A signature was not made of the message with the key. Nothing says what is wrong with it."
);

/// The exceptions of the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("NoInverse", py.get_type::<NoInverse>())?;
    module.add("InvalidCiphertext", py.get_type::<InvalidCiphertext>())?;
    module.add("InvalidSignature", py.get_type::<InvalidSignature>())
}

/// Something that the library refuses.
pub(crate) fn refused(why: impl Display) -> PyErr {
    Error::new_err(why.to_string())
}

/// Why there is no such ring, or why it does not take an operand.
pub(crate) fn of_ring(why: RingError) -> PyErr {
    match why {
        RingError::NoInverse => NoInverse::new_err(why.to_string()),
        RingError::Memory => PyMemoryError::new_err(why.to_string()),
        RingError::Length { needs, has } => {
            let s = if has == 1 { "" } else { "s" };
            refused(format!("{has} coefficient{s}, where the ring has {needs}"))
        }
        _ => refused(why),
    }
}

/// The same of a ring of transforms.
pub(crate) fn of_word(why: WordError) -> PyErr {
    refused(why)
}

/// Why there is no ring of an expression.
pub(crate) fn of_expression(of: &Expression, why: RingError) -> PyErr {
    match why {
        RingError::Memory => of_ring(why),
        why => refused(format!("{}: {why}", excerpt(&of.to_string()))),
    }
}

/// Why a text is no ring.
pub(crate) fn of_text(text: &str, why: ParseError) -> PyErr {
    unread("ring", text, why)
}

/// Why a text is no polynomial.
pub(crate) fn of_polynomial(text: &str, why: ParseError) -> PyErr {
    unread("polynomial", text, why)
}

/// Where a text can't be read, in lines under the sentence.
fn unread(what: &str, text: &str, why: ParseError) -> PyErr {
    let ([line, mark], text) = (why.picture(text, str::to_string), excerpt(text));
    let sentence = match why.is_name() {
        true => format!("no {what} is named '{text}'; `ringsmith rings` lists them"),
        false => format!("'{text}' is no {what}"),
    };
    refused(format!("{sentence}\n{line}\n{mark}"))
}

/// Why an operation with keys did not take place.
pub(crate) fn of_scheme(why: SchemeError) -> PyErr {
    match why {
        SchemeError::Decryption => InvalidCiphertext::new_err(why.to_string()),
        SchemeError::Verification => InvalidSignature::new_err(why.to_string()),
        _ => refused(why),
    }
}

/// Why bytes are no key.
pub(crate) fn of_encoding(why: EncodingError) -> PyErr {
    refused(why)
}

/// The machine's best backend, or the one that `RINGSMITH_CPU` names.
pub(crate) fn cpu() -> PyResult<Cpu> {
    Cpu::from_env().map_err(|why| {
        let asked = std::env::var("RINGSMITH_CPU").unwrap_or_default();
        refused(format!("RINGSMITH_CPU={asked}: {why}"))
    })
}

/// The system gives no random bytes.
pub(crate) fn of_random(why: getrandom::Error) -> PyErr {
    let why = match why.raw_os_error() {
        Some(code) => Reason(&io::Error::from_raw_os_error(code)).to_string(),
        None => why.to_string(),
    };
    PyOSError::new_err(format!("the system gives no random bytes: {why}"))
}
