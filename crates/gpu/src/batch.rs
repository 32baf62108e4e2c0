//! Batches of any size through device memory of a fixed size.

use crate::GpuError;
use crate::array::{Array, Operand, Output, Prepared, step};
use crate::device::Device;
use crate::driver::{Address, Grid};
use crate::lane::{A, B, C, Lane};
use crate::memory::{Buffer, Element, OwnStream, Staging};
use crate::ring::{Choice, Operands, Ring, Shared};
use core::ops::Range;

/// The most products of a launch: kernels count them and their blocks in words.
const LAUNCH: usize = 1 << 30;

/// What a batch takes of a device and of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Space {
    /// Bytes of the device, about, at most, and as many of the host; at least one product's for each stream.
    pub memory: usize,
    /// Streams side by side, each with its share of the memory: one copies while another computes. At least
    /// one.
    pub streams: usize,
    /// Whether the host's memory for copies is pinned: the device reads and writes it by itself, and no other
    /// program can have it. What is not pinned is copied once more by the driver, which waits meanwhile.
    pub pinned: bool,
}

impl Default for Space {
    /// 256 megabytes, two streams, and pinned memory.
    fn default() -> Self {
        Space { memory: 256 << 20, streams: 2, pinned: true }
    }
}

/// Products in a ring on a device. It holds the ring's tables and memory for a part of a batch on the device
/// for each of its streams, of which there are two where nothing else is said ([`Space`]): copies and
/// products overlap.
///
/// Nothing on the device branches on a coefficient or addresses memory by one, but for
/// [`Sparse`](crate::Sparse) and [`SlidingWindow`](crate::SlidingWindow), whose second operands are public.
/// What a batch writes is canonical, and so equal to what the CPU computes. Memory is cleared before it is
/// given back.
pub struct Batch<R: Ring> {
    // Before the memory that they use.
    lanes: Vec<Lane>,
    ones: [Option<Buffer>; 2],
    table: Buffer,
    chunk: usize,
    device: Device,
    ring: R,
}

/// Where one operand of a part is, and its step.
type Place = (Address, u32);

/// Bytes of a polynomial.
fn row<T>(n: usize) -> usize {
    step(n) * size_of::<T>()
}

impl<T: Element> Operand<'_, T> {
    /// How many polynomials there are; `None` for one for all.
    fn count(&self, n: usize) -> Result<Option<usize>, GpuError> {
        match self {
            Operand::Host(all) if n > 0 && all.len() % n == 0 => Ok(Some(all.len() / n)),
            Operand::Host(all) => Err(GpuError::Length { needs: n, has: all.len() }),
            Operand::Device(array) => Ok(Some(array.count())),
            Operand::One(one) if one.len() == n => Ok(None),
            Operand::One(one) => Err(GpuError::Length { needs: n, has: one.len() }),
            Operand::OneOnDevice(array) if array.count() == 1 => Ok(None),
            Operand::OneOnDevice(array) => Err(GpuError::Length { needs: n, has: n * array.count() }),
            Operand::Prepared(prepared) => Ok(Some(prepared.count())),
            Operand::OnePrepared(prepared) => Operand::OneOnDevice(&prepared.0).count(n),
        }
    }
    fn is_one(&self) -> bool {
        matches!(self, Operand::One(_) | Operand::OneOnDevice(_) | Operand::OnePrepared(_))
    }
    fn is_prepared(&self) -> bool {
        matches!(self, Operand::Prepared(_) | Operand::OnePrepared(_))
    }
    /// Its memory on the device, where it stays there.
    fn array(&self) -> Option<&Array<T>> {
        match self {
            Operand::Device(array) | Operand::OneOnDevice(array) => Some(array),
            Operand::Prepared(prepared) | Operand::OnePrepared(prepared) => Some(&prepared.0),
            Operand::Host(_) | Operand::One(_) => None,
        }
    }
    /// Whether parts of it go through a lane's memory.
    fn is_staged(&self) -> bool {
        matches!(self, Operand::Host(_))
    }
}

impl<T: Element> Output<'_, T> {
    fn count(&self, n: usize) -> Result<usize, GpuError> {
        match self {
            Output::Host(all) if all.len() % n == 0 => Ok(all.len() / n),
            Output::Host(all) => Err(GpuError::Length { needs: n, has: all.len() }),
            Output::Device(array) => Ok(array.count()),
        }
    }
}

impl<R: Ring> Batch<R> {
    /// For a ring, with at most about `memory` bytes on the device, and as many of the host; at least one
    /// product's.
    ///
    /// # Errors
    /// Where the device has no kernel or no room.
    pub fn new(device: &Device, ring: R, memory: usize) -> Result<Self, GpuError> {
        Self::with(device, ring, &Space { memory, ..Space::default() })
    }

    /// The same with other memory and streams.
    ///
    /// # Errors
    /// The same.
    ///
    /// ```no_run
    /// # fn f(device: &ringsmith_gpu::Device) -> Result<(), ringsmith_gpu::GpuError> {
    /// use ringsmith_gpu::{Batch, Space, Word};
    /// let space = Space { memory: 64 << 20, streams: 3, pinned: true };
    /// let batch = Batch::with(device, Word::new(1024, 12289)?, &space)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with(device: &Device, ring: R, space: &Space) -> Result<Self, GpuError> {
        ring.choose(device.info(), Shared::Both)?;
        let driver = &device.driver;
        let lengths = ring.lengths();
        let rows = [row::<R::A>(lengths.a), row::<R::B>(lengths.b), row::<R::C>(lengths.c)];
        let streams = space.streams.max(1);
        let chunk = (space.memory / streams / rows.iter().sum::<usize>()).clamp(1, 1 << 20);
        let lane = || Lane::new(driver, rows.map(|row| row * chunk), space.pinned);
        let lanes = (0..streams).map(|_| lane()).collect::<Result<Vec<_>, _>>()?;
        let table = Buffer::new(driver, 4 * ring.table().len())?;
        let batch = Batch { lanes, ones: [None, None], table, chunk, device: device.clone(), ring };
        batch.fill_table()?;
        Ok(batch)
    }

    /// The ring.
    pub fn ring(&self) -> &R {
        &self.ring
    }

    /// How many products go to the device at once.
    pub fn chunk(&self) -> usize {
        self.chunk
    }

    /// The kernel for large batches with such operands, and why.
    ///
    /// # Errors
    /// Where the device has none.
    pub fn explain(&self, shared: Shared) -> Result<Choice, GpuError> {
        self.ring.choose(self.device.info(), shared)
    }

    /// The same for a batch of so many products. Of operands of the host only as many count as go to the
    /// device at once: [`chunk`](Batch::chunk).
    ///
    /// # Errors
    /// The same.
    pub fn explain_for(&self, shared: Shared, count: usize) -> Result<Choice, GpuError> {
        self.ring.choose_for(self.device.info(), shared, count)
    }

    /// How many blocks of a kernel that was chosen a processor has at once.
    ///
    /// # Errors
    /// Where the device can't load the kernel.
    pub fn resident(&self, choice: &Choice) -> Result<u32, GpuError> {
        let grid = Grid { blocks: 1, threads: choice.threads, shared: choice.shared };
        self.device.driver.resident(choice.kernel, grid)
    }

    /// Uploads the table, through memory of its own.
    fn fill_table(&self) -> Result<(), GpuError> {
        let (driver, table) = (&self.device.driver, self.ring.table());
        let mut staging = Staging::new(driver, 4 * table.len(), true)?;
        let stream = OwnStream::new(driver)?;
        // SAFETY: no stream uses the memory yet.
        let words = unsafe { staging.as_mut::<u32>() };
        words[..table.len()].copy_from_slice(table);
        // SAFETY: the stream, which is dropped first, is waited for before both memories are given back.
        unsafe { driver.upload(stream.get(), self.table.at(), staging.pointer(), 4 * table.len())? }
        stream.wait()
    }

    /// First operands that stay on the device.
    ///
    /// # Errors
    /// Where there is no room, or a coefficient is not canonical.
    pub fn upload_first(&mut self, polynomials: &[R::A]) -> Result<Array<R::A>, GpuError> {
        self.upload_to(A, polynomials, self.ring.lengths().a, self.ring.bounds().0)
    }

    /// Second operands that stay on the device.
    ///
    /// # Errors
    /// As for the first.
    pub fn upload_second(&mut self, polynomials: &[R::B]) -> Result<Array<R::B>, GpuError> {
        self.upload_to(B, polynomials, self.ring.lengths().b, self.ring.bounds().1)
    }

    /// Second operands of the host, prepared: their transforms are computed once, and stay on the device. A
    /// product by one takes a transform forward and one back, in place of two and one.
    ///
    /// # Errors
    /// Where there is no room, a coefficient is not canonical, or the ring has no prepared operands: only
    /// [`Word`](crate::Word)'s are.
    pub fn prepare(&mut self, polynomials: &[R::B]) -> Result<Prepared<R::B>, GpuError> {
        let plain = self.upload_second(polynomials)?;
        self.prepare_array(&plain)
    }

    /// The same of the device.
    ///
    /// # Errors
    /// Where there is no room, or the array or the ring does not serve.
    pub fn prepare_array(&mut self, plain: &Array<R::B>) -> Result<Prepared<R::B>, GpuError> {
        let choice = self.ring.choose_forward(self.device.info())?;
        let (driver, n, bound) = (&self.device.driver, self.ring.lengths().b, self.ring.bounds().1);
        plain.serves(driver, n, bound)?;
        let prepared = Array::new(driver, n, plain.count(), bound)?;
        let (grid, lane) =
            (Grid { blocks: 0, threads: choice.threads, shared: choice.shared }, &self.lanes[0]);
        for start in (0..plain.count()).step_by(LAUNCH) {
            let count = (plain.count() - start).min(LAUNCH) as u32;
            let (a, c, every) = (plain.at(start), prepared.at(start), step(n) as u32);
            let of = Operands {
                a,
                b: a,
                c,
                table: self.table.at(),
                count,
                a_step: every,
                b_step: 0,
                c_step: every,
            };
            let (grid, params) =
                (Grid { blocks: count.div_ceil(choice.products), ..grid }, self.ring.params(of));
            // SAFETY: the ring made the structure for its kernel. The memory is of the table and of two
            // arrays that live until the stream was waited for, below.
            let launched = unsafe { driver.launch(lane.stream().get(), choice.kernel, grid, params.bytes()) };
            launched.and(lane.stream().wait())?;
        }
        Ok(Prepared(prepared))
    }

    /// Room on the device for products. Its content is 0.
    ///
    /// # Errors
    /// Where there is no room.
    pub fn room(&self, count: usize) -> Result<Array<R::C>, GpuError> {
        let array = Array::new(&self.device.driver, self.ring.lengths().c, count, self.ring.bounds().0)?;
        array.buffer.clear()?;
        Ok(array)
    }

    /// Uploads part by part, through the host's memory of a port.
    fn upload_to<T: Element>(
        &mut self,
        port: usize,
        polynomials: &[T],
        n: usize,
        bound: u32,
    ) -> Result<Array<T>, GpuError> {
        let count = Operand::Host(polynomials).count(n)?.unwrap_or_default();
        let array = Array::new(&self.device.driver, n, count, bound)?;
        let lane = &mut self.lanes[0];
        for (part, from) in polynomials.chunks(n * self.chunk).enumerate() {
            let to = array.at(part * self.chunk);
            let sent = lane.upload_to(port, to, from, n, bound);
            if let Err(error) = sent.and_then(|()| lane.stream().wait()) {
                lane.abandon();
                return Err(error);
            }
        }
        Ok(array)
    }

    /// Products of the device, written to the host.
    ///
    /// # Errors
    /// Where the array is not of this ring, or `out` has another length.
    pub fn download(&mut self, array: &Array<R::C>, out: &mut [R::C]) -> Result<(), GpuError> {
        let n = self.ring.lengths().c;
        array.serves(&self.device.driver, n, self.ring.bounds().0)?;
        if out.len() != n * array.count() {
            return Err(GpuError::Length { needs: n * array.count(), has: out.len() });
        }
        let lane = &mut self.lanes[0];
        for start in (0..array.count()).step_by(self.chunk) {
            let range = start..array.count().min(start + self.chunk);
            let got = lane.download::<R::C>(array.at(start), n, range);
            if let Err(error) = got.and_then(|()| lane.settle(Some(&mut *out), n)) {
                lane.abandon();
                return Err(error);
            }
        }
        Ok(())
    }

    /// The products of a batch, pair by pair: product `i` of the polynomials `i`. Returns when all are there.
    ///
    /// # Errors
    /// Where numbers of polynomials differ (an operand that is one for all has one), a coefficient is not
    /// canonical, or the device fails. Then products of the host are 0, and those of the device are not to be
    /// read.
    pub fn multiply(
        &mut self,
        a: &Operand<'_, R::A>,
        b: &Operand<'_, R::B>,
        out: Output<'_, R::C>,
    ) -> Result<(), GpuError> {
        let mut out = out;
        let done = self.run(a, b, &mut out);
        if done.is_err() {
            self.lanes.iter_mut().for_each(Lane::abandon);
            if let Output::Host(all) = out {
                all.fill(R::C::default());
            }
        }
        self.ones = [None, None];
        done
    }

    fn run(
        &mut self,
        a: &Operand<'_, R::A>,
        b: &Operand<'_, R::B>,
        out: &mut Output<'_, R::C>,
    ) -> Result<(), GpuError> {
        let count = self.check(a, b, out)?;
        let shared = match (a.is_one(), b.is_one()) {
            (false, false) => Shared::None,
            (true, false) => Shared::First,
            (false, true) => Shared::Second,
            (true, true) => Shared::Both,
        };
        // What passes through a lane's memory comes in parts, which wait for the memory.
        let is_staged = a.is_staged() || b.is_staged() || matches!(out, Output::Host(_));
        let most = if is_staged { self.chunk } else { LAUNCH };
        let choice = match b.is_prepared() {
            true => self.ring.choose_prepared(self.device.info())?,
            false => self.ring.choose_for(self.device.info(), shared, count.min(most))?,
        };
        self.place_ones(a, b)?;
        let n = self.ring.lengths().c;
        for (part, start) in (0..count).step_by(most).enumerate() {
            let lane = part % self.lanes.len();
            if is_staged {
                self.lanes[lane].settle(host(out), n)?;
            }
            self.part(&choice, a, b, out, (lane, start..count.min(start + most)))?;
        }
        self.lanes.iter_mut().try_for_each(|lane| lane.settle(host(out), n))
    }

    /// How many products there are.
    fn check(
        &self,
        a: &Operand<'_, R::A>,
        b: &Operand<'_, R::B>,
        out: &Output<'_, R::C>,
    ) -> Result<usize, GpuError> {
        let (lengths, bounds, driver) = (self.ring.lengths(), self.ring.bounds(), &self.device.driver);
        if a.is_prepared() {
            return Err(GpuError::Route { what: "only second operands are prepared" });
        }
        if let Some(array) = a.array() {
            array.serves(driver, lengths.a, bounds.0)?;
        }
        if let Operand::Prepared(prepared) | Operand::OnePrepared(prepared) = b {
            prepared.serves(driver, lengths.b, bounds.1)?;
        }
        if let Some(array) = b.array() {
            array.serves(driver, lengths.b, bounds.1)?;
        }
        if let Output::Device(array) = out {
            array.serves(driver, lengths.c, bounds.0)?;
        }
        let count = out.count(lengths.c)?;
        for (has, n) in [(a.count(lengths.a)?, lengths.a), (b.count(lengths.b)?, lengths.b)] {
            if let Some(has) = has.filter(|has| *has != count) {
                return Err(GpuError::Length { needs: count * n, has: has * n });
            }
        }
        Ok(count)
    }

    /// Operands that are one for all, in memory of their own.
    fn place_ones(&mut self, a: &Operand<'_, R::A>, b: &Operand<'_, R::B>) -> Result<(), GpuError> {
        let (lengths, bounds) = (self.ring.lengths(), self.ring.bounds());
        if let Operand::One(one) = a {
            self.ones[0] = Some(self.upload_to(A, one, lengths.a, bounds.0)?.buffer);
        }
        if let Operand::One(one) = b {
            self.ones[1] = Some(self.upload_to(B, one, lengths.b, bounds.1)?.buffer);
        }
        Ok(())
    }

    /// One part of a batch, on a lane that has nothing under way in its memory.
    fn part(
        &mut self,
        choice: &Choice,
        a: &Operand<'_, R::A>,
        b: &Operand<'_, R::B>,
        out: &mut Output<'_, R::C>,
        (lane, range): (usize, Range<usize>),
    ) -> Result<(), GpuError> {
        let (lengths, bounds) = (self.ring.lengths(), self.ring.bounds());
        let lane = &mut self.lanes[lane];
        let (a, a_step) = place(lane, A, a, (&self.ones[0], lengths.a, bounds.0), &range)?;
        let (b, b_step) = place(lane, B, b, (&self.ones[1], lengths.b, bounds.1), &range)?;
        let c = match out {
            Output::Host(_) => lane.ports[C].at(),
            Output::Device(array) => array.at(range.start),
        };
        let (count, c_step, table) = (range.len() as u32, step(lengths.c) as u32, self.table.at());
        let params = self.ring.params_for(choice, Operands { a, b, c, table, count, a_step, b_step, c_step });
        let blocks = count.div_ceil(choice.products) * choice.parts;
        let grid = Grid { blocks, threads: choice.threads, shared: choice.shared };
        let driver = &self.device.driver;
        // SAFETY: the ring made the structure for its kernel. Operands lie in ports, in `ones`, in the table
        // and in arrays that the caller lent: all live until the lane was waited for, at the end of
        // `multiply`.
        unsafe { driver.launch(lane.stream().get(), choice.kernel, grid, params.bytes())? }
        match out {
            Output::Host(_) => lane.download::<R::C>(c, lengths.c, range),
            Output::Device(_) => Ok(()),
        }
    }
}

/// The products' memory of the host.
fn host<'a, T>(out: &'a mut Output<'_, T>) -> Option<&'a mut [T]> {
    match out {
        Output::Host(all) => Some(all),
        Output::Device(_) => None,
    }
}

/// Where a part of an operand is; of the host's, uploaded there.
fn place<T: Element>(
    lane: &mut Lane,
    port: usize,
    operand: &Operand<'_, T>,
    (one, n, bound): (&Option<Buffer>, usize, u32),
    range: &Range<usize>,
) -> Result<Place, GpuError> {
    let every = step(n) as u32;
    match (operand, one) {
        (Operand::Host(all), _) => {
            lane.upload(port, &all[range.start * n..range.end * n], n, bound)?;
            Ok((lane.ports[port].at(), every))
        }
        (Operand::Device(array), _) => Ok((array.at(range.start), every)),
        (Operand::OneOnDevice(array), _) => Ok((array.at(0), 0)),
        (Operand::Prepared(prepared), _) => Ok((prepared.0.at(range.start), every)),
        (Operand::OnePrepared(prepared), _) => Ok((prepared.0.at(0), 0)),
        (Operand::One(_), Some(one)) => Ok((one.at(), 0)),
        (Operand::One(_), None) => Err(GpuError::Foreign),
    }
}
