//! Loops of instructions.

use super::devices;
use ringsmith_gpu::Device;
use ringsmith_gpu::issue::{Issue, MIXES, Mix};
use std::time::Duration;

/// What a loop of instructions computes.
pub(crate) fn issued(mix: Mix, device: &Device) -> bool {
    Issue::new(mix, 9).measure(device, 2, Duration::ZERO).unwrap().right
}

/// Protects: loops of instructions compute what they should, so that none of them is left out.
#[test]
pub(crate) fn instructions() {
    for mix in MIXES {
        assert!(devices(0).iter().all(|device| issued(mix, device)), "{}", mix.name());
    }
}
