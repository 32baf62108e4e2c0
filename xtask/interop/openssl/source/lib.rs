//! Nothing: the manifest names a dependency, whose source is wanted.
