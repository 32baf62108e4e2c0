//! Reductions modulo `q` in vector lanes: each generic over its modulus, each with the bound of its result as
//! a `const fn` that the planner and the compile-time check both call.
//!
//! | reduction | lanes | result | factor | x86 / NEON instructions |
//! |---|---|---|---|---|
//! | `sign` | 16 | `\|a\| - q` | 1 | 2 / 6 |
//! | `barrett`, one word | 16 | about `q/2 + \|a\| e / 2^15` | 1 | 3 / 4 |
//! | `barrett`, exact | 16 | centred up to `exact_limit` | 1 | 4 / 6 |
//! | `montgomery` | 16 x 16 | `q/2 + \|a z\| / 2^16` | `2^-16` | 4 / 8 |
//! | [`three`], modulo 3 | 16 | -1 to 1, up to `2^13` | 1 | 5 / 5 |
//! | `k_red` | 32, or 32 x 32 | `k 2^m + \|a\| / 2^m` | `k` or `k^2` | 4 to 8 / 8 to 16 |

pub mod barrett;
pub(crate) mod centre;
pub mod k_red;
pub mod montgomery;
pub mod residues;
pub mod sign;
pub(crate) mod sum;
pub mod three;
