//! How long products take: nanoseconds, the least of many, beside a transform's product of the same degree.
use ringsmith_any::{Operands, Polynomial, Ring};
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::time::Instant;

fn main() {
    let cpu = Cpu::from_env().unwrap();
    println!("{}", cpu.name());
    for (q, n) in [
        (3, 761),
        (12289, 1024),
        (4591, 761),
        (4096, 743),
        (1 << 32, 1024),
        ((1 << 50) - 27, 1024),
        ((1 << 60) - 93, 1024),
        ((1 << 60) - 93, 16384),
        (12289, 16384),
    ] {
        let dense: Vec<u64> = {
            let mut random = Random::new(3);
            (0..n).map(|_| random.word() % q).chain([1]).collect()
        };
        let forms: [(&str, Polynomial); 4] = [
            ("x^n+1", Polynomial::new(&[(n, 1), (0, 1)]).unwrap()),
            ("x^n-1", Polynomial::new(&[(n, 1), (0, -1)]).unwrap()),
            ("x^n-x-1", Polynomial::new(&[(n, 1), (1, -1), (0, -1)]).unwrap()),
            ("dense", Polynomial::dense(&dense).unwrap()),
        ];
        for (name, f) in forms {
            let ring = Ring::new_on(cpu, q, &f, Operands::any()).unwrap();
            let mut random = Random::new(1);
            let [a, b] = [(); 2].map(|()| (0..n).map(|_| random.word() % q).collect::<Vec<u64>>());
            let (mut out, mut room) = (vec![0; n], ring.room().unwrap());
            let mut least = f64::MAX;
            for _ in 0..200 {
                let start = Instant::now();
                ring.product(&a, &b, &mut out, &mut room).unwrap();
                least = least.min(start.elapsed().as_nanos() as f64);
            }
            println!("{q:>20} {n:>6} {name:>8} {least:>10.0} ns  {}", ring.route());
        }
    }
}
