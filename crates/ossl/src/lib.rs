//! x
mod abi;
mod decode;
mod encode;
mod form;
mod groups;
mod handle;
mod kem;
mod key;
mod keymgmt;
mod kind;
mod params;
mod provider;

pub use abi::Dispatch;
pub use provider::OSSL_provider_init;
