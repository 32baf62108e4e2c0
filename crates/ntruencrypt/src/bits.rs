//! Numbers of a few bits in bytes, for indices. Constant time in the numbers.

/// Which end numbers begin with, and bits of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// The most significant bit first.
    Most,
    /// The least significant bit first.
    Least,
}

/// Writes numbers of so many bits one behind the other; bits behind the last are 0.
pub(crate) fn write(order: Order, bits: usize, numbers: &[u16], out: &mut [u8]) {
    let (mut left, mut count, mut bytes) = (0_u32, 0, out.iter_mut());
    for number in numbers.iter().map(|number| u32::from(*number)) {
        left = match order {
            Order::Most => left << bits | number,
            Order::Least => left | number << count,
        };
        count += bits;
        while count >= 8 {
            let byte = match order {
                Order::Most => left >> (count - 8),
                Order::Least => left,
            };
            bytes.next().into_iter().for_each(|place| *place = byte as u8);
            count -= 8;
            left = match order {
                Order::Most => left & ((1 << count) - 1),
                Order::Least => left >> 8,
            };
        }
    }
    let last = if order == Order::Most { left << (8 - count) } else { left };
    bytes.next().into_iter().for_each(|place| *place = last as u8);
}

/// Reads such numbers; what it gives is not 0 where bits behind the last are not.
pub(crate) fn read(order: Order, bits: usize, bytes: &[u8], numbers: &mut [u16]) -> u16 {
    let (mut left, mut count, mut places) = (0_u32, 0, numbers.iter_mut());
    for byte in bytes.iter().map(|byte| u32::from(*byte)) {
        left = match order {
            Order::Most => left << 8 | byte,
            Order::Least => left | byte << count,
        };
        count += 8;
        if count < bits {
            continue;
        }
        let Some(place) = places.next() else { break };
        count -= bits;
        (*place, left) = match order {
            Order::Most => ((left >> count) as u16, left & ((1 << count) - 1)),
            Order::Least => (left as u16 & ((1 << bits) - 1), left >> bits),
        };
    }
    left as u16
}
