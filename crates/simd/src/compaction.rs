//! Moving the chosen words of eight to the front, in order: tables for the byte shuffles of CPUs.

/// For each choice of eight words, the bytes that a shuffle moves to the front.
pub(crate) static ORDER: [[u8; 16]; 256] = {
    let (mut table, mut choice) = ([[0; 16]; 256], 0);
    while choice < 256 {
        let (mut word, mut to) = (0, 0);
        while word < 8 {
            if choice >> word & 1 == 1 {
                (table[choice][to], table[choice][to + 1]) = (2 * word as u8, 2 * word as u8 + 1);
                to += 2;
            }
            word += 1;
        }
        choice += 1;
    }
    table
};

/// How many words each choice has.
pub(crate) static COUNT: [u8; 256] = {
    let (mut table, mut choice) = ([0; 256], 0);
    while choice < 256 {
        table[choice] = (choice as u8).count_ones() as u8;
        choice += 1;
    }
    table
};

/// For each choice of eight numbers, the places of those that are chosen, and then 0.
#[cfg(target_arch = "x86_64")]
pub(crate) static PLACES: [[u8; 8]; 256] = {
    let (mut table, mut choice) = ([[0; 8]; 256], 0);
    while choice < 256 {
        let (mut place, mut to) = (0, 0);
        while place < 8 {
            if choice >> place & 1 == 1 {
                table[choice][to] = place;
                to += 1;
            }
            place += 1;
        }
        choice += 1;
    }
    table
};
