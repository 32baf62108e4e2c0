//! The subject of a certificate, as users type it (RFC 4514).

use crate::error::Error;
use crate::shown::excerpt;
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::der::asn1::{Ia5StringRef, PrintableStringRef, Utf8StringRef};
use x509_cert::der::oid::db::rfc4519::COUNTRY_NAME;
use x509_cert::der::{Tag, Tagged};
use x509_cert::name::Name;

/// The most characters of a part (RFC 5280, appendix A.1, for the usual ones).
const LONGEST: usize = 64;

/// The name that a text is.
pub(super) fn subject(text: &str) -> Result<Name, Error> {
    let no_name = || {
        Error::Usage(format!(
            "'{}' is no subject: it is written as in 'CN=Alice,O=Example,C=CH', each part of at most \
             {LONGEST} characters, and C of two letters",
            excerpt(text)
        ))
    };
    let name: Name = text.parse().map_err(|_| no_name())?;
    let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
    let is_good = !name.is_empty() && name.iter().all(is_good) && backslashes % 2 == 0;
    if is_good { Ok(name) } else { Err(no_name()) }
}

/// Whether a part is text of its type, and neither empty nor too long.
fn is_good(part: &AttributeTypeAndValue) -> bool {
    let value = &part.value;
    let text = match value.tag() {
        Tag::PrintableString => PrintableStringRef::try_from(value).ok().map(|text| text.as_str()),
        Tag::Ia5String => Ia5StringRef::try_from(value).ok().map(|text| text.as_str()),
        Tag::Utf8String => Utf8StringRef::try_from(value).ok().map(|text| text.as_str()),
        _ => None,
    };
    text.is_some_and(|text| {
        let length = text.chars().count();
        (1..=LONGEST).contains(&length)
            && !text.chars().any(char::is_control)
            && (part.oid != COUNTRY_NAME || length == 2)
    })
}
