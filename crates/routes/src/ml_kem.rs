//! The routes of ML-KEM's ring.

use crate::EveryRoute;
use ringsmith_ml_kem::rings::MlKem;
use ringsmith_ring::Entry;
use ringsmith_ring::algorithm::karatsuba::{Karatsuba, WeimerskirchPaar};
use ringsmith_ring::algorithm::ntt::Ntt;
use ringsmith_ring::algorithm::schoolbook::Schoolbook;
use ringsmith_ring::residues::Odd;

static ML_KEM: [Entry<MlKem>; 4] = [
    Entry::transform::<Ntt<3329, 16, 2>>(),
    Entry::product::<Schoolbook<Odd<3329>, 16>>(),
    Entry::product::<Karatsuba<Odd<3329>, 16, 2>>(),
    Entry::product::<WeimerskirchPaar<Odd<3329>, 16, 4>>(),
];

impl EveryRoute for MlKem {
    const OTHERS: &'static [Entry<Self>] = &ML_KEM;
}
