//! What rings there are.

/// Moduli are below `2^PRIME_BITS`.
pub(crate) const PRIME_BITS: u32 = crate::long::PRIME_BITS;
/// Degrees go up to `2^MAX_LAYERS`.
pub(crate) const MAX_LAYERS: u32 = 17;
/// The greatest degree.
pub(crate) const MAX_DEGREE: usize = 1 << MAX_LAYERS;
/// The layers of the widest pass.
pub(crate) const PASS: u32 = 3;
