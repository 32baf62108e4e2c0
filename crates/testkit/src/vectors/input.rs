//! The bytes of a file, decompressed.

use super::FileError;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use std::fs::File;
use std::io::{self, Read};

/// The most that a file may have: the largest that is published has a few MiB.
const MAX: u64 = 256 << 20;
/// The most memory for a dictionary of xz, in KiB: what its highest level takes.
const DICTIONARY: u32 = 80 << 10;
/// How a file starts that `xz` wrote.
const XZ: &[u8] = b"\xfd7zXZ\0";
/// How a file starts that `gzip` wrote.
const GZIP: &[u8] = b"\x1f\x8b";

/// The bytes of the file at a path, or of the standard input where the path is `-`.
///
/// # Errors
/// Where it can't be read, or has too many bytes.
pub fn read(path: &str) -> Result<Vec<u8>, FileError> {
    let all = match path {
        "-" => limited(io::stdin().lock(), MAX),
        path => File::open(path).and_then(|file| limited(file, MAX)),
    };
    all.map_err(FileError::Unreadable)?.ok_or(FileError::TooLong)
}

/// What is in a file: decompressed where `xz` or `gzip` compressed it, otherwise its bytes.
///
/// # Errors
/// Where the compressed bytes are damaged or cut short, or too many come out.
pub fn unpack(contents: &[u8]) -> Result<Vec<u8>, FileError> {
    let (format, unpacked) = if contents.starts_with(XZ) {
        ("xz", limited(XzReader::new_mem_limit(contents, true, DICTIONARY), MAX))
    } else if contents.starts_with(GZIP) {
        ("gzip", limited(MultiGzDecoder::new(contents), MAX))
    } else {
        return Ok(contents.to_vec());
    };
    unpacked.map_err(|why| FileError::Compressed { format, why })?.ok_or(FileError::TooLong)
}

/// All bytes, or none where there are too many.
fn limited(reader: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: an input without an end is given up, and the most that is allowed is taken.
    #[test]
    fn too_many_bytes() {
        assert!(matches!(limited(io::repeat(7), 10), Ok(None)));
        assert_eq!(limited(io::repeat(7).take(10), 10).ok().flatten(), Some(vec![7; 10]));
    }
}
