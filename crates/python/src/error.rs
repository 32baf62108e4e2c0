//! Errors as exceptions, in the sentences of the command.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use ringsmith::Cpu;
use ringsmith::any::{ParseError, RingError};
use ringsmith::encoding::EncodingError;
use ringsmith::scheme::SchemeError;
use ringsmith::word::WordError;
use std::fmt::Display;

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

/// The exceptions of the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("NoInverse", py.get_type::<NoInverse>())?;
    module.add("InvalidCiphertext", py.get_type::<InvalidCiphertext>())
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
        _ => refused(why),
    }
}

/// The same of a ring of transforms.
pub(crate) fn of_word(why: WordError) -> PyErr {
    refused(why)
}

/// Why a text is no ring.
pub(crate) fn of_text(text: &str, why: ParseError) -> PyErr {
    let at = why.position();
    refused(format!("no ring is named '{text}': {why}, at position {at}"))
}

/// Why an operation with keys did not take place.
pub(crate) fn of_scheme(why: SchemeError) -> PyErr {
    match why {
        SchemeError::Decryption => InvalidCiphertext::new_err(why.to_string()),
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
    PyOSError::new_err(format!("the system gives no random bytes: {why}"))
}
