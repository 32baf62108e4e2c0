//! The sets of NTRUEncrypt's standards.

/// Runs a function for each set of EESS#1 and of the draft, and gives what all give.
macro_rules! each_of_the_standards {
    ($run:ident $(, $argument:expr)?) => {
        each_of_the_standards!($run ($($argument)?):
            ees401ep1 Ees401ep1 ees401ep2 Ees401ep2 ees439ep1 Ees439ep1 ees443ep1 Ees443ep1
            ees449ep1 Ees449ep1 ees541ep1 Ees541ep1 ees587ep1 Ees587ep1 ees593ep1 Ees593ep1
            ees613ep1 Ees613ep1 ees653ep1 Ees653ep1 ees659ep1 Ees659ep1 ees677ep1 Ees677ep1
            ees743ep1 Ees743ep1 ees761ep1 Ees761ep1 ees853ep1 Ees853ep1 ees887ep1 Ees887ep1
            ees1087ep1 Ees1087ep1 ees1087ep2 Ees1087ep2 ees1171ep1 Ees1171ep1 ees1499ep1 Ees1499ep1
        )
    };
    ($run:ident $arguments:tt: $($module:ident $set:ident)*) => {
        [$($run::<ringsmith_ntruencrypt::$module::$set> $arguments),*]
    };
}
