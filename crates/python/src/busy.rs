//! Arrays that calls use at this moment: what a call writes belongs to it.
//!
//! # The rule
//! Products run without Python's lock, and free-threaded interpreters have none. So each call says which
//! memory it reads and which it writes. It is refused where a call of another thread writes what it reads, or
//! uses what it writes. Of two calls that meet, one at least is refused, and no result is a mixture of both.
//!
//! # What is looked at
//! Arrays without gaps, whose memory is one range. Arrays with gaps may share a range and no coefficient, as
//! every eighth row of a batch does: nobody looks at those, nor at what other libraries do with an array.
//!
//! # What it costs
//! One lock for all rings, held as long as a list of the calls of this moment is read.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The addresses of an array.
pub(crate) type Memory = Range<usize>;

/// A call of this moment.
struct Call {
    number: u64,
    thread: usize,
    reads: [Memory; 2],
    writes: Memory,
}

/// The calls of this moment, and how many there were.
struct Calls {
    count: u64,
    now: Vec<Call>,
}

/// Whether nobody looks any more, which is so in a process whose parent was forked at a bad moment.
static BLIND: AtomicBool = AtomicBool::new(false);

static CALLS: Mutex<Calls> = Mutex::new(Calls { count: 0, now: Vec::new() });

fn calls() -> MutexGuard<'static, Calls> {
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number that no other thread has.
fn thread() -> usize {
    thread_local! {
        static HERE: Cell<u8> = const { Cell::new(0) };
    }
    HERE.with(|here| std::ptr::from_ref(here).addr())
}

fn meet(a: &Memory, b: &Memory) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

impl Call {
    /// Whether both calls can't go on at once, and why.
    fn refuses(&self, other: &Call) -> Option<&'static str> {
        if self.thread == other.thread {
            return None;
        }
        let uses = |range: &Memory, of: &Call| of.reads.iter().chain([&of.writes]).any(|of| meet(of, range));
        if uses(&other.writes, self) {
            return Some("the array that is to be written is in use by another thread's call");
        }
        uses(&self.writes, other).then_some("an operand is being written by another thread's call")
    }
}

/// Memory that a call uses, until it is dropped.
pub(crate) struct Use(u64);

impl Use {
    /// Says what a call reads and writes.
    pub(crate) fn of(reads: [Memory; 2], writes: Memory) -> PyResult<Use> {
        if BLIND.load(Ordering::Relaxed) {
            return Ok(Use(u64::MAX));
        }
        let mut calls = calls();
        let number = calls.count;
        let call = Call { number, thread: thread(), reads, writes };
        if let Some(why) = calls.now.iter().find_map(|other| other.refuses(&call)) {
            return Err(PyRuntimeError::new_err(why));
        }
        calls.count += 1;
        calls.now.push(call);
        Ok(Use(number))
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        if !BLIND.load(Ordering::Relaxed) {
            calls().now.retain(|call| call.number != self.0);
        }
    }
}

/// Has a process that was forked forget the calls of its parent's other threads: they go on there, in other
/// memory.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let os = module.py().import("os")?;
    let Some(at_fork) = os.getattr_opt("register_at_fork")? else { return Ok(()) };
    let options = pyo3::types::PyDict::new(module.py());
    options.set_item("after_in_child", wrap_pyfunction!(forget, module)?)?;
    at_fork.call((), Some(&options)).map(|_| ())
}

#[pyfunction(name = "_forget")]
fn forget() {
    let here = thread();
    match CALLS.try_lock() {
        Ok(mut calls) => calls.now.retain(|call| call.thread == here),
        // Another thread had the lock when the process was forked, and is not here to give it back.
        Err(_) => BLIND.store(true, Ordering::Relaxed),
    }
}
