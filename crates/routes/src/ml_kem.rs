//! The routes of ML-KEM's ring.

use crate::EveryRoute;
use ringsmith_ml_kem::rings::MlKem;
use ringsmith_ring::Entry;
use ringsmith_ring::algorithm::karatsuba::{Karatsuba, WeimerskirchPaar};
use ringsmith_ring::algorithm::ntt::Ntt;
use ringsmith_ring::algorithm::schoolbook::Schoolbook;

static ML_KEM: [Entry<MlKem>; 4] = [
    Entry::transform::<Ntt<3329, 16, 2>>(),
    Entry::product::<Schoolbook<3329, 16>>(),
    Entry::product::<Karatsuba<3329, 16, 2>>(),
    Entry::product::<WeimerskirchPaar<3329, 16, 4>>(),
];

impl EveryRoute for MlKem {
    const OTHERS: &'static [Entry<Self>] = &ML_KEM;
}
