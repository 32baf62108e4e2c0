//! Constant time in the compiled code: what is loaded from memory is secret, all of it, and no address and no
//! branch may come of it, nor whether memory is read or written. What a kernel takes by value (sizes, steps,
//! primes, constants) is public.
//!
//! The code is walked along its branches until nothing changes. A value is followed through registers, not
//! through memory: everything that is loaded is secret anyway, tables too.

use std::collections::{BTreeSet, HashMap};

/// What is known of registers: `R4`, `P0`, `UR6`, `UP1`.
#[derive(Clone, Default)]
struct State {
    /// Those that may hold something secret.
    secret: BTreeSet<String>,
    /// Under a predicate, those that hold something public where it is true: written under it.
    public: BTreeSet<(String, String)>,
}

impl State {
    /// Whether one of these may be secret, read under a predicate.
    fn any(&self, registers: &[String], guard: &Option<String>) -> bool {
        let is_public = |register: &String| {
            guard.as_ref().is_some_and(|guard| self.public.contains(&(guard.clone(), register.clone())))
        };
        registers.iter().any(|register| self.secret.contains(register) && !is_public(register))
    }

    /// Whether this says nothing that another does not.
    fn is_within(&self, known: &State) -> bool {
        self.secret.is_subset(&known.secret) && known.public.is_subset(&self.public)
    }

    /// What holds on both ways.
    fn merge(&self, other: &State) -> State {
        State {
            secret: self.secret.union(&other.secret).cloned().collect(),
            public: self.public.intersection(&other.public).cloned().collect(),
        }
    }
}

/// An instruction: its address, the predicate that it stands under, its name and its operands.
struct Instruction {
    address: u64,
    guard: Option<String>,
    name: String,
    operands: Vec<String>,
}

/// A line of the disassembler; `None` for all others.
fn parse(line: &str) -> Option<Instruction> {
    let (address, rest) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    let address = u64::from_str_radix(address, 16).ok()?;
    let mut text = rest.split_once(';')?.0.trim();
    let mut guard = None;
    if let Some((predicate, behind)) = text.strip_prefix('@').and_then(|text| text.split_once(' ')) {
        guard = Some(predicate.to_string());
        text = behind.trim_start();
    }
    let (name, operands) = text.split_once(' ').unwrap_or((text, ""));
    let operands = operands.split(',').map(|operand| operand.trim().to_string());
    let operands = operands.filter(|operand| !operand.is_empty()).collect();
    Some(Instruction { address, guard, name: name.to_string(), operands })
}

/// The registers that a text names, without those that hold 0 or 1 always.
fn registers(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_register = |word: &&str| {
        let number = ["UR", "UP", "R", "P"].into_iter().find_map(|kind| word.strip_prefix(kind));
        number.is_some_and(|number| number.parse::<u16>().is_ok())
    };
    let named = words.clone().filter(is_register).map(String::from);
    // `PR` is all predicates at once.
    let all = words.filter(|word| *word == "PR").flat_map(|_| run("P0", 7));
    named.chain(all).collect()
}

/// A register and those behind it.
fn run(register: &str, count: u16) -> Vec<String> {
    let split = register.find(|c: char| c.is_ascii_digit()).unwrap_or(register.len());
    let (kind, number) = register.split_at(split);
    let number: u16 = number.parse().unwrap_or_default();
    (number..number + count).map(|number| format!("{kind}{number}")).collect()
}

/// Instructions of matrix units whose registers are counted here. What such a unit does else is not known.
const MATRICES: [&str; 4] = ["HMMA", "IMMA", "BMMA", "DMMA"];

/// Arithmetic on pairs of registers: doubles, and two floats at once.
const PAIRS: [&str; 8] = ["DADD", "DFMA", "DMUL", "DMNMX", "DSETP", "FADD2", "FFMA2", "FMUL2"];

/// Whether an operand is a place in memory. `c[0x0][0x28]` is an argument of the kernel, or a constant.
fn is_place(operand: &str) -> bool {
    let kind = operand.split('[').next().unwrap_or_default().trim_start_matches(['-', '~', '|', '!']);
    operand.contains('[') && !["c", "cx"].contains(&kind)
}

/// Whether an operand is one predicate.
fn is_predicate(operand: &str) -> bool {
    let name = operand.trim_start_matches('U');
    name.starts_with('P') && name.len() == 2 && name != "PR"
}

impl Instruction {
    /// Its name without what follows the first dot.
    fn base(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }

    fn is(&self, kinds: &[&str]) -> bool {
        kinds.contains(&self.base())
    }

    /// Whether its name has one of these parts between dots.
    fn has(&self, parts: &[&str]) -> bool {
        self.name.split('.').any(|part| parts.contains(&part))
    }

    /// Where its first place in memory stands, if it reads or writes memory.
    fn place(&self) -> Option<usize> {
        self.operands.iter().position(|operand| is_place(operand))
    }

    /// Whether it takes something from memory to registers: then they stand before the place.
    fn loads(&self) -> bool {
        self.place().is_some_and(|at| at > 0)
    }

    /// How many registers each result has.
    fn width(&self) -> u16 {
        match self.base() {
            "DMMA" if !self.has(&["884"]) => 8,
            "HMMA" if !self.has(&["F32"]) => 2,
            "IMMA" | "BMMA" if self.has(&["8816", "8832", "88128"]) => 2,
            "HMMA" | "IMMA" | "BMMA" | "DMMA" => 4,
            "LDSM" if self.has(&["4"]) => 4,
            "LDSM" if self.has(&["2"]) => 2,
            "I2F" if self.has(&["F64"]) => 2,
            "F2I" if self.has(&["S64", "U64"]) => 2,
            "F2F" if self.name.starts_with("F2F.F64") => 2,
            "CS2R" if !self.has(&["32"]) => 2,
            _ if self.has(&["128", "256"]) => 4,
            _ if self.has(&["64", "WIDE"]) || self.is(&PAIRS) => 2,
            _ => 1,
        }
    }

    /// How many of the first operands are results: one, and predicates right behind it.
    fn results(&self) -> usize {
        if let Some(place) = self.place() {
            return place;
        }
        if self.branches() || self.is(&["BSSY"]) {
            return 0;
        }
        let carries = self.operands.iter().skip(1).take_while(|operand| is_predicate(operand)).count();
        match self.operands.first().filter(|operand| is_predicate(operand)) {
            // All but the last, which is voted on.
            _ if self.is(&["VOTE", "VOTEU"]) => self.operands.len().saturating_sub(1),
            // `LOP3.LUT P0, R1, ..` has a predicate before its result.
            Some(_) if self.is(&["LOP3", "ULOP3", "SHFL", "R2UR", "MATCH", "ELECT"]) => 2,
            // `ISETP P0, PT, ..` and `PLOP3 P0, PT, P1, ..` have two results; what follows is read.
            Some(_) => 1 + carries.min(1),
            None if self.is(&["P2R", "UP2UR"]) => 1,
            None => 1 + carries.min(2),
        }
    }

    /// Whether it decides what is done next, or when.
    fn branches(&self) -> bool {
        let jumps = ["BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "CALL", "EXIT", "RET", "KILL"];
        self.is(&jumps) || self.is(&["BREAK", "BAR", "WARPSYNC", "BSYNC", "NANOSLEEP"])
    }

    /// The registers that it writes.
    fn written(&self) -> Vec<String> {
        let results = &self.operands[..self.results().min(self.operands.len())];
        let of = |operand: &String| match operand.as_str() {
            "PR" => run("P0", 7),
            _ if is_predicate(operand) => registers(operand),
            _ => registers(operand).iter().flat_map(|register| run(register, self.width())).collect(),
        };
        results.iter().flat_map(of).collect()
    }

    /// How many registers one of its operands has, at most.
    fn width_of(&self, at: usize) -> u16 {
        let is_last = self.operands[at + 1..].iter().all(|operand| is_predicate(operand.trim_matches('!')));
        // The sum of a wide product, and what the upper half of a product is added to.
        let is_wide_sum =
            is_last && (self.has(&["WIDE"]) || self.has(&["HI"]) && self.is(&["IMAD", "UIMAD"]));
        let is_wide = self.has(&["64", "S64", "U64", "F64"]) && !self.is(&["SHF", "USHF"]);
        match &self.operands[at] {
            _ if self.is(&["DMMA"]) => 16,
            _ if self.is(&MATRICES) => 4,
            operand if operand.contains(".64") || is_wide_sum || self.is(&PAIRS) => 2,
            _ if is_wide && !self.loads() => 2,
            _ => 1,
        }
    }

    /// The registers that it reads.
    fn read(&self) -> Vec<String> {
        let wide = |register: String, count| match register.contains('P') {
            true => vec![register],
            false => run(&register, count),
        };
        let of = |at: usize| registers(&self.operands[at]).into_iter().map(move |register| (register, at));
        let named = (self.results()..self.operands.len()).flat_map(of);
        named.flat_map(|(register, at)| wide(register, self.width_of(at))).chain(self.guards()).collect()
    }

    /// The predicate that it stands under, as a register.
    fn guards(&self) -> Vec<String> {
        self.guard.iter().flat_map(|guard| registers(guard)).collect()
    }

    /// The registers of its addresses, of memory and of constants.
    fn address_registers(&self) -> Vec<String> {
        let brackets = self.operands.iter().filter(|operand| operand.contains('['));
        let pairs = |operand: &String| {
            let is_pair = |register: &String| operand.contains(".64") || register.starts_with("UR");
            let named = registers(operand).into_iter();
            let all = named.flat_map(|register| run(&register, if is_pair(&register) { 2 } else { 1 }));
            all.collect::<Vec<_>>()
        };
        brackets.flat_map(pairs).collect()
    }

    /// What is wrong with it.
    fn leak(&self, state: &State) -> Option<&'static str> {
        if state.any(&self.address_registers(), &self.guard) {
            return Some("an address by a secret");
        }
        // Whether memory is read or written shows as much as where.
        let looks = self.place().is_some() || self.is(&["LDC", "LDCU", "ULDC"]);
        if looks && state.any(&self.guards(), &None) {
            return Some("a guard by a secret");
        }
        if self.base().ends_with("MMA") && !self.is(&MATRICES) {
            return Some("registers that are not known");
        }
        (self.branches() && state.any(&self.read(), &None)).then_some("a branch by a secret")
    }

    /// What is known behind it.
    fn behind(&self, before: &State) -> State {
        let mut state = before.clone();
        let is_secret = self.loads() || before.any(&self.read(), &self.guard);
        for register in self.written() {
            state.public.retain(|(guard, of)| *of != register && guard.trim_start_matches('!') != register);
            match &self.guard {
                _ if is_secret => {
                    state.secret.insert(register);
                }
                None => {
                    state.secret.remove(&register);
                }
                Some(guard) => {
                    state.public.insert((guard.clone(), register));
                }
            }
        }
        state
    }

    /// Where it may go on, as addresses; and whether it may go on behind itself.
    fn targets(&self) -> (Vec<u64>, bool) {
        let last = self.operands.last().map_or("", String::as_str).trim_start_matches('`');
        let to = last.strip_prefix("0x").and_then(|number| u64::from_str_radix(number, 16).ok());
        let is_guarded = self.guard.is_some();
        match self.base() {
            "BRA" => (to.into_iter().collect(), is_guarded || self.operands.len() > 1),
            "CALL" => (to.into_iter().collect(), true),
            "EXIT" | "RET" => (Vec::new(), is_guarded),
            _ => (Vec::new(), true),
        }
    }
}

/// The leaks of one kernel, as lines.
fn of_kernel(code: &[Instruction]) -> Vec<String> {
    let places: HashMap<u64, usize> = code.iter().enumerate().map(|(at, one)| (one.address, at)).collect();
    let mut before: Vec<Option<State>> = code.iter().map(|_| None).collect();
    let (mut waiting, mut found) = (vec![(0, State::default())], BTreeSet::new());
    while let Some((at, arriving)) = waiting.pop() {
        let Some(one) = code.get(at) else { continue };
        let merged = match &before[at] {
            Some(known) if arriving.is_within(known) => continue,
            Some(known) => known.merge(&arriving),
            None => arriving,
        };
        if let Some(what) = one.leak(&merged) {
            found.insert(format!("{:04x}: {what}: {} {}", one.address, one.name, one.operands.join(", ")));
        }
        let behind = one.behind(&merged);
        before[at] = Some(merged);
        let (targets, falls) = one.targets();
        let targets = targets.iter().filter_map(|address| places.get(address).copied());
        waiting.extend(targets.chain(falls.then_some(at + 1)).map(|place| (place, behind.clone())));
    }
    // A kernel ends with an endless loop that nothing leads to. All else must have been looked at.
    let unseen =
        code.iter().zip(&before).filter(|(one, before)| before.is_none() && !one.is(&["BRA", "NOP"]));
    found.extend(unseen.map(|(one, _)| format!("{:04x}: nothing leads to {}", one.address, one.name)));
    found.into_iter().collect()
}

/// The leaks of a disassembled module, with the names of its kernels.
pub(super) fn leaks(sass: &str) -> Vec<(String, String)> {
    let (mut found, mut kernel, mut code) = (Vec::new(), String::new(), Vec::new());
    let mut end = |kernel: &str, code: &mut Vec<Instruction>| {
        found.extend(of_kernel(code).into_iter().map(|leak| (kernel.to_string(), leak)));
        code.clear();
    };
    for line in sass.lines() {
        if let Some(name) = line.trim_start().strip_prefix("Function : ") {
            end(&kernel, &mut code);
            kernel = name.to_string();
        }
        code.extend(parse(line));
    }
    end(&kernel, &mut code);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leaks of some instructions, four bytes each.
    fn of(lines: &[&str]) -> usize {
        let text = |(at, line): (usize, &&str)| format!("  /*{:04x}*/  {line} ;  /* 0x0 */\n", 16 * at);
        leaks(&lines.iter().enumerate().map(text).collect::<String>()).len()
    }

    /// Protects: addresses and branches by what was loaded are seen, through arithmetic, pairs, predicates
    /// and loops; and nothing is said of public ones, or of a register that holds something else meanwhile.
    #[test]
    fn leaks_are_seen() {
        let load = "LDG.E R4, desc[UR4][R2.64]";
        assert_eq!(of(&[load, "IADD3 R5, R4, R6, RZ", "STG.E desc[UR4][R2.64], R5", "EXIT"]), 0);
        assert_eq!(of(&[load, "LDS R5, [R4+0x10]", "EXIT"]), 1);
        assert_eq!(of(&[load, "IMAD.WIDE R8, R4, 0x4, R10", "STG.E desc[UR4][R8.64], R1", "EXIT"]), 1);
        assert_eq!(of(&[load, "ISETP.GE.AND P0, PT, R4, RZ, PT", "@P0 BRA 0x0", "EXIT"]), 1);
        assert_eq!(of(&[load, "MOV R4, R7", "LDS R5, [R4]", "EXIT"]), 0);
        assert_eq!(of(&[load, "@P1 MOV R4, R7", "LDS R5, [R4]", "EXIT"]), 1);
        // A pair is written, or one register.
        assert_eq!(of(&[load, "CS2R R3, SRZ", "LDS R5, [R4]", "EXIT"]), 0);
        assert_eq!(of(&[load, "CS2R.32 R3, SR_CLOCKLO", "LDS R5, [R4]", "EXIT"]), 1);
        // Written and read under one predicate; under another, or when that one changed meanwhile.
        assert_eq!(of(&[load, "@P1 MOV R4, R7", "@P1 LDS R5, [R4]", "EXIT"]), 0);
        assert_eq!(of(&[load, "@P1 MOV R4, R7", "@!P1 LDS R5, [R4]", "EXIT"]), 1);
        let changed = "ISETP.GE.AND P1, PT, R7, RZ, PT";
        assert_eq!(of(&[load, "@P1 MOV R4, R7", changed, "@P1 LDS R5, [R4]", "EXIT"]), 1);
        assert_eq!(of(&[load, "LOP3.LUT P1, R4, R7, 0x3, RZ, 0xc0, !PT", "LDS R5, [R4]", "EXIT"]), 0);
        assert_eq!(of(&[load, "LOP3.LUT P1, RZ, R4, 0x3, RZ, 0xc0, !PT", "@P1 EXIT", "EXIT"]), 1);
        let test = "ISETP.GE.AND P1, PT, R4, RZ, PT";
        assert_eq!(of(&[load, test, "PLOP3.LUT P0, PT, P1, PT, PT, 0x8, 0x0", "@P0 EXIT", "EXIT"]), 1);
        // All predicates at once, to a register and back.
        assert_eq!(of(&[load, test, "P2R R5, PR, RZ, 0x10", "LDS R6, [R5]", "EXIT"]), 1);
        assert_eq!(of(&[load, "R2P PR, R4, 0x7f", "@P2 EXIT", "EXIT"]), 1);
        assert_eq!(of(&[load, "SHFL.IDX PT, R5, R4, R7, 0x1f", "LDS R6, [R5]", "EXIT"]), 1);
        // Code behind a call's target is looked at, and code that nothing leads to is told.
        let call = ["@P0 CALL.REL.NOINC 0x20", "BRA 0x0", load, "LDS R5, [R4]", "EXIT"];
        assert_eq!(of(&call), 1);
        assert_eq!(of(&["EXIT", "MOV R4, R7", "BRA 0x20"]), 1);
        // The register is secret the second time around.
        let round = ["LDS R5, [R4]", load, "ISETP.GE.AND P0, PT, R7, RZ, PT", "@P0 BRA 0x0", "EXIT"];
        assert_eq!(of(&round), 1);
    }

    /// Protects: whether memory is read or written by a secret is seen, whatever reads or writes it; by
    /// something public, as the end of a batch, nothing is said.
    #[test]
    fn guards_are_seen() {
        let load = "LDG.E R4, desc[UR4][R2.64]";
        let secret = "ISETP.GE.AND P0, PT, R4, RZ, PT";
        let public = "ISETP.GE.AND P0, PT, R7, c[0x0][0x160], PT";
        for looks in [
            "LDG.E R5, desc[UR4][R2.64]",
            "STG.E desc[UR4][R2.64], R7",
            "LDS.128 R8, [R7+0x10]",
            "STS [R7], R8",
            "LDGSTS.E.BYPASS.128 [R7], desc[UR4][R2.64]",
            "ATOMS.ADD RZ, [R7], R8",
            "RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R8",
            "LDC R8, c[0x0][0x160]",
        ] {
            for guard in ["@P0", "@!P0"] {
                let guarded = format!("{guard} {looks}");
                assert_eq!(of(&[load, secret, &guarded, "EXIT"]), 1, "{guarded}");
                assert_eq!(of(&[load, public, &guarded, "EXIT"]), 0, "{guarded}");
            }
        }
        // Arithmetic under a secret shows nothing, and its result is secret.
        assert_eq!(of(&[load, secret, "@P0 IADD3 R5, R7, R8, RZ", "EXIT"]), 0);
        assert_eq!(of(&[load, secret, "@P0 IADD3 R5, R7, R8, RZ", "LDS R6, [R5]", "EXIT"]), 1);
    }

    /// The registers from `R8` on that are secret behind an instruction.
    fn secret_behind(line: &str) -> Vec<u16> {
        let load = "LDG.E R4, desc[UR4][R2.64]";
        (8..26).filter(|at| of(&[load, line, &format!("LDS R30, [R{at}]"), "EXIT"]) == 1).collect()
    }

    /// Protects: doubles and matrices take as many registers as they do, as results and as operands.
    #[test]
    fn pairs_and_matrices() {
        for line in
            ["DADD R8, R14, R4", "DMUL R8, R4, R14", "DFMA R8, R14, R16, R4", "FFMA2 R8, R4, R14, R16"]
        {
            assert_eq!(secret_behind(line), [8, 9], "{line}");
        }
        // The upper half of a double is secret.
        assert_eq!(secret_behind("DFMA R8, R14, R16, R3"), [8, 9]);
        assert!(secret_behind("DADD R8, R14, R16").is_empty());
        assert_eq!(secret_behind("I2F.F64 R8, R4"), [8, 9]);
        assert_eq!(secret_behind("F2I.F64.TRUNC R8, R3"), [8]);
        assert_eq!(secret_behind("F2F.F64.F32 R8, R4"), [8, 9]);
        assert_eq!(secret_behind("HMMA.16816.F32 R8, R14, R18, R4"), [8, 9, 10, 11]);
        assert_eq!(secret_behind("HMMA.16816.F16 R8, R4, R18, R20"), [8, 9]);
        assert_eq!(secret_behind("HMMA.16816.F32 R8, R14, R18, R1"), [8, 9, 10, 11]);
        assert_eq!(secret_behind("IMMA.16832.S8.S8 R8, R4.ROW, R18.COL, R20"), [8, 9, 10, 11]);
        assert_eq!(secret_behind("IMMA.8816.S8.S8 R8, R4.ROW, R18.COL, R20"), [8, 9]);
        assert_eq!(secret_behind("DMMA.884 R8, R4, R18, R20"), [8, 9, 10, 11]);
        assert_eq!(secret_behind("DMMA.16816 R8, R4, R32, R40").len(), 8);
        assert_eq!(secret_behind("LDSM.16.M88.4 R8, [R14]"), [8, 9, 10, 11]);
        assert_eq!(secret_behind("ATOMG.E.ADD.64.STRONG.GPU PT, R8, desc[UR4][R14.64], R16"), [8, 9]);
        assert_eq!(secret_behind("IMAD.WIDE.U32.X R8, R14, R15, R3, P0"), [8, 9]);
        assert_eq!(secret_behind("IMAD.HI.U32 R8, R14, R15, R3"), [8]);
        assert_eq!(secret_behind("MATCH.ALL PT, R8, R4"), [8]);
        // Doubles that are compared, and votes.
        let load = "LDG.E R4, desc[UR4][R2.64]";
        assert_eq!(of(&[load, "DSETP.GT.AND P0, PT, R14, R3, PT", "@P0 EXIT", "EXIT"]), 1);
        let test = "ISETP.GE.AND P1, PT, R4, RZ, PT";
        assert_eq!(of(&[load, test, "VOTE.ANY P0, P1", "@P0 EXIT", "EXIT"]), 1);
        // A matrix unit that is not known is told.
        assert_eq!(of(&["HGMMA.64x8x16.F32 R8, gdesc[UR4], R8", "EXIT"]), 1);
        assert_eq!(of(&[load, "LDGSTS.E [R4], desc[UR4][R2.64]", "EXIT"]), 1);
    }
}
