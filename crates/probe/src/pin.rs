//! Staying on one core.

use std::io;

/// Pins the calling thread, and the threads it starts from now on, to the core that it runs on; returns the
/// core's number.
///
/// # Errors
/// Where the system refuses, or offers no such call (any system but Linux).
#[cfg(target_os = "linux")]
pub fn pin() -> io::Result<usize> {
    use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
    let core = sched_getcpu();
    let mut set = CpuSet::new();
    if core >= CpuSet::MAX_CPU {
        return Err(io::Error::other(format!(
            "core {core} is beyond the system's set of {}",
            CpuSet::MAX_CPU
        )));
    }
    set.set(core);
    sched_setaffinity(None, &set)?;
    Ok(core)
}

/// Pins the calling thread to a core: this system offers no such call.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn pin() -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    /// Protects: the thread really stays where `pin` says.
    #[test]
    fn pinned_to_the_core_it_names() {
        let core = super::pin().expect("Linux can pin");
        assert_eq!(rustix::thread::sched_getcpu(), core);
    }
}
