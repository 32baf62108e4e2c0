//! Rings whose `q` and `f` are known at run time: both are public, coefficients are secret.

use super::Case;
use crate::observe;
use crate::operand::make_undefined;
use ringsmith::any::compiled::Table;
use ringsmith::any::{Costs, Inverses, Operands, Polynomial, Prepared, Ring, RingError, Room};
use ringsmith::compiled::table;
use ringsmith_oracle::Random;
use ringsmith_simd::Cpu;
use std::cell::RefCell;
use std::sync::Mutex;

/// A ring, and the bound of second factors, if they have one.
type Of = (&'static str, Option<u64>);

/// Of every engine: by the definition, modulo `q` itself, wrapped modulo primes, residues modulo `f` of one
/// prime and several, whole products modulo `q` in lanes and beyond, divided by few terms and by many; of one
/// piece, two and three; with two coefficients a number; by second factors whose bounds are below the primes
/// and above; by factors that are read as centred. More terms than are folded are written out.
const RINGS: [Of; 13] = [
    ("Z_4096[x]/(x^11-x-1)", None),
    ("Z_12289[x]/(x^1024+1)", None),
    ("Z_2^32[x]/(x^64+1)", None),
    ("Z_4591[x]/(x^761-x-1)", None),
    ("Z_2^40[x]/(x^743-x-1)", Some(1)),
    ("Z_(2^61-1)[x]/(x^100-x-1)", Some(1 << 47)),
    ("Z_(2^61-1)[x]/(x^100+3x-1)", None),
    ("Z_12289[x]/(x^100-x-1)", None),
    ("Z_3[x]/(x^100-x-1)", None),
    ("Z_1152921504606584833[x]/(x^100-x-1)", None),
    ("Z_4096[x]/(x^100-2x^99-1)", None),
    ("Z_600011[x]/(x^100-x-1)", None),
    (
        "Z_8380416[x]/(x^40+x^39+2x^38+3x^37+4x^36+5x^35+6x^34+7x^33+8x^32+9x^31+10x^30+11x^29+12x^28+13x+1)",
        None,
    ),
];

/// By whole products of classes in lanes of 16 bits, of operands that a class takes and of greater ones; a
/// class by its place in the table, and a ring.
const WHOLE: [(usize, Of); 2] = [(0, ("Z_1000[x]/(x^100-x-1)", None)), (3, ("Z_4591[x]/(x^761-2x-1)", None))];

/// By kernels in lanes of 32 bits.
const WORDS: Of = ("Z_8380417[x]/(x^256+1)", None);

/// The kernels that compute products in a ring.
#[derive(Clone, Copy)]
enum By {
    /// The method that the model chooses.
    Model,
    /// Whole products, by their place in the table.
    Class(usize),
    /// The ring's own.
    Compiled,
}

/// A ring and its operands. They are made once, so that they are at the same addresses for every secret.
struct Held {
    cpu: Cpu,
    ring: Ring,
    room: Room,
    a: Vec<u64>,
    b: Vec<u64>,
    out: Vec<u64>,
    prepared: Prepared,
}

impl Held {
    fn new(cpu: Cpu, (text, bound): Of, by: By) -> Result<Self, RingError> {
        let expression: ringsmith::any::Expression = text.parse().expect("a ring");
        let f: &Polynomial = &expression.f;
        let operands = bound.map_or(Operands::any(), |bound| Operands::any().small(bound));
        let (q, operands, costs) = (expression.q, operands.sums(2), Costs::of(cpu));
        let ring = match by {
            By::Model => Ring::new_on(cpu, q, f, operands)?,
            By::Compiled => Ring::with_compiled(cpu, q, f, operands, table())?,
            By::Class(i) => {
                let of_class = Table { products: &table().products[i..][..1], ..Table::default() };
                Ring::by_products(cpu, q, f, operands, of_class, &costs)?
            }
        };
        let (room, zero) = (ring.room()?, vec![0; ring.degree()]);
        let prepared = ring.prepare(&zero)?;
        Ok(Held { cpu, room, a: zero.clone(), b: zero.clone(), out: zero, prepared, ring })
    }

    /// With secret coefficients.
    fn draw(&mut self, seed: u64) {
        let (mut random, q) = (Random::new(seed), self.ring.modulus());
        self.a.fill_with(|| random.word() % q);
        let bound = self.ring.operands().bound();
        self.b.fill_with(|| bound.map_or(random.word(), |b| random.word() % (2 * b + 1) + q - b) % q);
        [&mut self.a, &mut self.b].into_iter().for_each(|x| make_undefined(x));
    }
}

/// What a case does.
type Work = fn(&mut Held) -> Result<(), RingError>;

const OPERATIONS: [(&str, Work); 4] = [
    ("product", |of| of.ring.product(&of.a, &of.b, &mut of.out, &mut of.room)),
    ("product-prepared", |of| of.ring.product_prepared(&of.a, &of.prepared, &mut of.out, &mut of.room)),
    ("sum", |of| {
        let pair = (&of.a[..], &of.b[..]);
        of.ring.sum_of_products(&[pair, pair], &mut of.out, &mut of.room)
    }),
    ("sum-prepared", |of| {
        let pair = (&of.a[..], &of.prepared);
        of.ring.sum_of_products_prepared(&[pair, pair], &mut of.out, &mut of.room)
    }),
];

fn case(by: By, of: Of, (operation, work): (&'static str, Work)) -> Case {
    let held = RefCell::new(None::<Held>);
    let run = move |cpu: Cpu, seed: u64| -> Result<(), RingError> {
        let mut held = held.borrow_mut();
        if held.as_ref().is_none_or(|held| held.cpu.name() != cpu.name()) {
            let mut new = Held::new(cpu, of, by)?;
            // What an allocator or a table does at first, it does not do again.
            work(&mut new)?;
            *held = Some(new);
        }
        let held = held.as_mut().expect("just made");
        held.draw(seed);
        observe::observed(|| work(held))
    };
    Case {
        name: format!("{} any {operation}", shortened(of.0)),
        counted: operation == "product" && of.0.contains("1024"),
        run: Box::new(move |cpu, seed| run(cpu, seed).expect("operands of this ring, and memory")),
    }
}

/// A ring's name without the terms in the middle of a long one.
fn shortened(name: &str) -> String {
    match name.len() {
        0..=40 => name.into(),
        length => format!("{}..{}", &name[..24], &name[length - 6..]),
    }
}

/// A ring modulo the square of a prime, so that inverses are lifted; few elements have none.
const INVERSES: &str = "Z_4591^2[x]/(x^40-x-1)";

/// The rings that inverses are held of: for good, and where tools that look for lost memory find them.
static KEPT: Mutex<Vec<&'static Ring>> = Mutex::new(Vec::new());

/// Inverses, and a place for one.
type HeldInverses = (Cpu, Inverses<'static>, Vec<u64>, Vec<u64>);

fn inverses(cpu: Cpu) -> Result<HeldInverses, RingError> {
    let expression: ringsmith::any::Expression = INVERSES.parse().expect("a ring");
    let ring = Ring::new_on(cpu, expression.q, &expression.f, Operands::any())?;
    let (ring, zero): (&Ring, _) = (Box::leak(Box::new(ring)), vec![0; 40]);
    KEPT.lock().expect("nobody panics with it").push(ring);
    Ok((cpu, Inverses::new(ring)?, zero.clone(), zero))
}

/// Inverses by division steps.
fn inverse() -> Case {
    let held = RefCell::new(None::<HeldInverses>);
    let run = move |cpu: Cpu, seed: u64| -> Result<(), RingError> {
        let mut held = held.borrow_mut();
        if held.as_ref().is_none_or(|held| held.0.name() != cpu.name()) {
            *held = Some(inverses(cpu)?);
        }
        let (_, inverses, a, out) = held.as_mut().expect("just made");
        let mut random = Random::new(seed);
        a.fill_with(|| random.word() % (4591 * 4591));
        make_undefined(a);
        observe::observed(|| inverses.inverse(a, out))
    };
    Case {
        name: format!("{INVERSES} any inverse"),
        counted: true,
        run: Box::new(move |cpu, seed| run(cpu, seed).expect("an element with an inverse")),
    }
}

/// The cases.
pub(super) fn all() -> Vec<Case> {
    let rings = RINGS.into_iter().map(|of| (By::Model, of));
    let rings = rings.chain(WHOLE.map(|(class, of)| (By::Class(class), of))).chain([(By::Compiled, WORDS)]);
    let products = rings.flat_map(|(by, of)| OPERATIONS.map(|operation| case(by, of, operation)));
    products.chain([inverse()]).collect()
}
