//! Requests to valgrind from the program that runs under it.
//!
//! The constant-time harness marks secrets as undefined; memcheck then reports every branch and every address
//! that depends on one (the method of Langley's ctgrind). Outside valgrind, and on machines other than
//! x86-64, every request does nothing.
//!
//! Source: `valgrind.h` and `memcheck.h` of valgrind 3.x. The sequence of instructions and the numbers of the
//! requests are documented there as part of the interface between program and tool.

/// Plain integers: every pattern of bits is a value, and there is no padding.
pub trait Plain: Copy + sealed::Sealed {}

mod sealed {
    /// Only this crate says which types are plain.
    pub trait Sealed {}
}

macro_rules! plain {
    ($($t:ty)*) => { $(impl sealed::Sealed for $t {} impl Plain for $t {})* };
}
plain!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);

/// The requests in use: `VG_USERREQ__*` of the core, then those of memcheck (`'M' << 24 | 'C' << 16`, and
/// upwards).
#[derive(Clone, Copy)]
enum Request {
    RunningOnValgrind = 0x1001,
    CountErrors = 0x1201,
    MakeUndefined = 0x4d43_0001,
    MakeDefined = 0x4d43_0002,
}

/// Whether the program runs under valgrind.
pub fn running_on_valgrind() -> bool {
    request(Request::RunningOnValgrind, 0, 0) != 0
}

/// How many errors the tool has reported so far; 0 outside valgrind. The difference around a call tells
/// whether that call leaked.
pub fn error_count() -> usize {
    request(Request::CountErrors, 0, 0)
}

/// Marks memory as undefined: from here on memcheck treats its value as secret. The value itself stays as it
/// is.
///
/// ```
/// let mut secret = [1i16, -1, 0];
/// ringsmith_probe::valgrind::make_undefined(&mut secret);
/// // ... the function under test ...
/// ringsmith_probe::valgrind::make_defined(&mut secret);
/// assert_eq!(secret, [1, -1, 0]);
/// ```
pub fn make_undefined<T: Plain>(data: &mut [T]) {
    mark(Request::MakeUndefined, data);
}

/// Marks memory as defined: its value may be looked at, as may a result that is published.
pub fn make_defined<T: Plain>(data: &mut [T]) {
    mark(Request::MakeDefined, data);
}

fn mark<T: Plain>(what: Request, data: &mut [T]) {
    let bytes = size_of_val(data);
    request(what, data.as_mut_ptr().expose_provenance(), bytes);
}

/// The result of a request, 0 where nobody answers.
#[cfg(target_arch = "x86_64")]
fn request(what: Request, address: usize, bytes: usize) -> usize {
    let arguments: [usize; 6] = [what as usize, address, bytes, 0, 0, 0];
    let result: usize;
    // SAFETY: outside valgrind the instructions change nothing: rdi is rotated by 3 + 13 + 61 + 51 = 128
    // bits, twice its width, and rbx is exchanged with itself; rdx keeps its default. Inside, valgrind
    // recognises the sequence, reads six words at rax (live: `arguments` is borrowed for the block) and
    // leaves its answer in rdx. No request in `Request` changes a byte of the program's memory; the flags and
    // memory count as clobbered, the stack is not used.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") 0usize => result,
            options(nostack),
        );
    }
    result
}

/// The result of a request: nobody answers on this machine.
#[cfg(not(target_arch = "x86_64"))]
fn request(_: Request, _: usize, _: usize) -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Protects: marking never changes a value, whether anyone listens or not.
    #[test]
    fn marking_keeps_the_values() {
        let mut words = [i32::MIN, -1, 0, i32::MAX];
        make_undefined(&mut words);
        make_defined(&mut words);
        assert_eq!(words, [i32::MIN, -1, 0, i32::MAX]);
        make_undefined::<u8>(&mut []);
    }

    /// Protects: the harness can count errors, and counts none where there are none.
    #[test]
    fn no_errors_without_a_leak() {
        assert_eq!(error_count(), 0);
    }
}
