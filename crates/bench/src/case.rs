//! What can be measured.

use std::fmt;

/// Names one row: what was computed, by whom, where, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Id {
    /// The group of benchmarks, as `ring`.
    pub suite: String,
    /// What is computed in: a ring's or a scheme's name.
    pub subject: String,
    /// What is computed, as `product` or `keygen`.
    pub operation: String,
    /// Which library: `ringsmith`, or a peer with its version.
    pub implementation: String,
    /// The CPU backend.
    pub cpu: String,
    /// The algorithm's id; of a scheme, whether keys are checked.
    pub route: String,
}

impl Id {
    /// From its six parts, in the order of the text form.
    pub fn new(
        suite: &str,
        subject: &str,
        operation: &str,
        implementation: &str,
        cpu: &str,
        route: &str,
    ) -> Self {
        let [suite, subject, operation, implementation, cpu, route] =
            [suite, subject, operation, implementation, cpu, route].map(str::to_owned);
        Id { suite, subject, operation, implementation, cpu, route }
    }

    /// Whether both compute the same thing, so that their costs can be compared.
    pub fn comparable(&self, other: &Id) -> bool {
        (&self.suite, &self.subject, &self.operation) == (&other.suite, &other.subject, &other.operation)
    }
}

/// `suite/subject/operation/implementation/cpu/route`: what `--only` matches. A subject may contain slashes
/// itself.
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Id { suite, subject, operation, implementation, cpu, route } = self;
        write!(f, "{suite}/{subject}/{operation}/{implementation}/{cpu}/{route}")
    }
}

/// Repeats an operation as often as it is told; of a [list](Case::of_list), does the one of this index.
pub(crate) type Batch = Box<dyn FnMut(u32)>;

/// What one call of a case's operation makes.
#[derive(Clone, Copy)]
pub(crate) enum Makes {
    /// So many of what is measured.
    Many(usize),
    /// One of a list.
    List(List),
}

/// Operations that each take another time.
#[derive(Clone, Copy)]
pub(crate) struct List {
    /// How many there are.
    pub(crate) length: usize,
    /// Whether each takes the same time whenever it is done.
    pub(crate) alike: bool,
}

/// One operation that can be measured. Its operands are made only while it is.
pub struct Case {
    id: Id,
    makes: Makes,
    make: Box<dyn Fn() -> Batch>,
    check: Option<Check>,
}

/// What must hold before a case is measured.
type Check = Box<dyn Fn() -> Result<(), String>>;

impl Case {
    /// `make` prepares the operands and returns the operation: the part that is measured.
    pub fn new<F: FnMut() + 'static>(id: Id, make: impl Fn() -> F + 'static) -> Self {
        Self::of_many(id, 1, make)
    }

    /// The same of an operation that makes so many of what is measured: the figure is that of one.
    pub fn of_many<F: FnMut() + 'static>(id: Id, many: usize, make: impl Fn() -> F + 'static) -> Self {
        let make = move || {
            let mut operation = make();
            // The loop is inside, so that the call through the box is paid once a batch.
            Box::new(move |repetitions: u32| (0..repetitions).for_each(|_| operation())) as Batch
        };
        Case { id, makes: Makes::Many(many), make: Box::new(make), check: None }
    }

    /// Operations that take different times, as signatures do: the operation is given the index of the one to
    /// do. Each is timed by itself. The row has the least, the median and the mean over the list of the least
    /// times of all; where they are not `alike`, since each call draws randomness, over all times.
    ///
    /// # Panics
    /// Where the length is no multiple of 8, or zero.
    pub fn of_list<F: FnMut(usize) + 'static>(
        id: Id,
        length: usize,
        alike: bool,
        make: impl Fn() -> F + 'static,
    ) -> Self {
        assert!(length > 0 && length.is_multiple_of(Self::SLICE as usize), "{length}");
        let make = move || {
            let mut operation = make();
            Box::new(move |index: u32| operation(index as usize)) as Batch
        };
        Case { id, makes: Makes::List(List { length, alike }), make: Box::new(make), check: None }
    }

    /// So many operations of a list follow each other before another case has its turn.
    pub(crate) const SLICE: u32 = 8;

    /// With something that must hold before it is measured: [`check`] runs it.
    pub fn checked(self, check: impl Fn() -> Result<(), String> + 'static) -> Self {
        Case { check: Some(Box::new(check)), ..self }
    }

    /// Its name.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// What one call of the operation makes.
    pub(crate) fn makes(&self) -> Makes {
        self.makes
    }

    /// Makes the operands; each call makes its own.
    pub(crate) fn prepare(&self) -> Batch {
        (self.make)()
    }
}

/// Runs what must hold before cases are measured: that a peer computes what ours computes.
///
/// # Errors
/// What the first case says that fails.
pub fn check(cases: &[Case]) -> Result<(), String> {
    cases.iter().filter_map(|case| case.check.as_ref()).try_for_each(|check| check())
}
