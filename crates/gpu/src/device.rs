//! A GPU.

use crate::GpuError;
use crate::driver::{Driver, Info};
use std::sync::Arc;

/// A GPU that batches run on. Clones are the same one.
#[derive(Clone)]
pub struct Device {
    pub(crate) driver: Arc<dyn Driver>,
}

impl Device {
    /// The NVIDIA GPU of a number, from 0 on. It is used by its primary context, which calls make that of the
    /// thread that they are made on.
    ///
    /// # Errors
    /// Where there is no driver or no such GPU. Nothing else is needed of a machine to ask.
    #[cfg(feature = "cuda")]
    pub fn cuda(ordinal: usize) -> Result<Self, GpuError> {
        Ok(Device { driver: Arc::new(crate::cuda::Cuda::new(ordinal)?) })
    }

    /// One that another driver drives.
    pub fn by(driver: Arc<dyn Driver>) -> Self {
        Device { driver }
    }

    /// What it is.
    pub fn info(&self) -> &Info {
        self.driver.info()
    }

    /// Bytes of its memory that are free now; other processes use it, too.
    ///
    /// # Errors
    /// As the driver's.
    pub fn free_memory(&self) -> Result<usize, GpuError> {
        self.driver.free_memory()
    }
}
