//! A batch on several threads.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread;

/// How many threads are meant: 0 is as many as the machine runs at once.
pub(crate) fn count(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, NonZeroUsize::get),
        asked => asked.min(MOST),
    }
}

/// Threads of a batch, at most.
const MOST: usize = 256;

/// Does something with all rows, in as many parts as there are threads; the first error of a part. A part for
/// which the system has no thread is done by this one.
pub(crate) fn parts<E: Send>(
    rows: usize,
    threads: usize,
    part: impl Fn(Range<usize>) -> Result<(), E> + Sync,
) -> Result<(), E> {
    if threads <= 1 || rows <= 1 {
        return part(0..rows);
    }
    let (length, part) = (rows.div_ceil(threads), &part);
    let bounds = |i: usize| i * length..((i + 1) * length).min(rows);
    thread::scope(|scope| {
        let begun = |i| thread::Builder::new().spawn_scoped(scope, move || part(bounds(i)));
        let others: Vec<_> = (1..rows.div_ceil(length)).map(|i| (i, begun(i))).collect();
        let mut done = part(bounds(0));
        for (i, other) in others {
            done = done.and(match other {
                Ok(other) => other.join().unwrap_or_else(|why| std::panic::resume_unwind(why)),
                Err(_) => part(bounds(i)),
            });
        }
        done
    })
}
