//! Points of Curve25519 that carry no secret.

/// The numbers of those of order 8, in two halves.
const OF_ORDER_8: [[u128; 2]; 2] = [
    [0x00b8495f16056286fdb1329ceb8d09da, 0x6ac49ff1fae35616aeb8413b7c7aebe0],
    [0x57119fd0dd4e22d8868e1c58c45c4404, 0x5bef839c55b1d0b1248c50a3bc959c5f],
];

/// The points of small order of X25519 and of its twist, encoded: 0, 1, two of order 8, and -1, 0 and 1
/// again, not reduced; each with and without its highest bit, which is not looked at.
///
/// ```
/// assert!(ringsmith_oracle::small_points().any(|point| point == [0; 32]));
/// ```
pub fn small_points() -> impl Iterator<Item = [u8; 32]> {
    let number = |[high, low]: [u128; 2]| {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&low.to_le_bytes());
        bytes[16..].copy_from_slice(&high.to_le_bytes());
        bytes
    };
    // 2^255 - 19 and its neighbours.
    let near_the_prime = |more: u128| number([u128::MAX >> 1, u128::MAX - 19 + more]);
    let points = [
        number([0, 0]),
        number([0, 1]),
        number(OF_ORDER_8[0]),
        number(OF_ORDER_8[1]),
        near_the_prime(0),
        near_the_prime(1),
        near_the_prime(2),
    ];
    points.into_iter().flat_map(|point| {
        [0, 0x80].map(|bit| {
            let mut point = point;
            point[31] ^= bit;
            point
        })
    })
}
