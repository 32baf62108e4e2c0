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

/// Repeats an operation as often as it is told.
pub(crate) type Batch = Box<dyn FnMut(u32)>;

/// One operation that can be measured. Its operands are made only while it is.
pub struct Case {
    id: Id,
    /// How many of what is measured one call makes.
    many: usize,
    make: Box<dyn Fn() -> Batch>,
}

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
        Case { id, many, make: Box::new(make) }
    }

    /// Its name.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// How many of what is measured one call of the operation makes.
    pub(crate) fn many(&self) -> f64 {
        self.many as f64
    }

    /// Makes the operands; each call makes its own.
    pub(crate) fn prepare(&self) -> Batch {
        (self.make)()
    }
}
