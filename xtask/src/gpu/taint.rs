//! Constant time in the compiled code: what is loaded from memory is secret, all of it, and no address and no
//! branch may come of it. What a kernel takes by value (sizes, steps, primes, constants) is public.
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

impl Instruction {
    fn is(&self, kinds: &[&str]) -> bool {
        kinds.contains(&self.name.split('.').next().unwrap_or_default())
    }

    fn loads(&self) -> bool {
        self.is(&["LDG", "LDS", "LD", "LDL", "LDSM", "ATOM", "ATOMG", "ATOMS"])
    }

    fn stores(&self) -> bool {
        self.is(&["STG", "STS", "ST", "STL", "RED"])
    }

    /// How many registers the result has.
    fn width(&self) -> u16 {
        match &self.name {
            name if name.starts_with("IMMA") || name.contains(".128") => 4,
            name if name.contains(".64") || name.contains(".WIDE") => 2,
            _ => 1,
        }
    }

    /// How many of the first operands are results: one, and predicates right behind it.
    fn results(&self) -> usize {
        if self.stores() || self.branches() || self.is(&["BSSY"]) {
            return 0;
        }
        let is_predicate = |operand: &&String| {
            let name = operand.trim_start_matches('U');
            name.starts_with('P') && name.len() == 2 && name != "PR"
        };
        let carries = self.operands.iter().skip(1).take_while(is_predicate).count();
        match self.operands.first().filter(|operand| is_predicate(operand)) {
            // `LOP3.LUT P0, R1, ..` has a predicate before its result.
            Some(_) if self.is(&["LOP3", "ULOP3", "SHFL", "R2UR"]) => 2,
            // `ISETP P0, PT, ..` and `PLOP3 P0, PT, P1, ..` have two results; what follows is read.
            Some(_) => 1 + carries.min(1),
            None if self.is(&["P2R", "UP2UR", "VOTE", "VOTEU"]) => 1,
            None => 1 + carries.min(2),
        }
    }

    /// Whether it decides what is done next, or when.
    fn branches(&self) -> bool {
        self.is(&["BRA", "BRX", "BREAK", "CALL", "EXIT", "RET", "BAR", "WARPSYNC", "BSYNC"])
    }

    /// The registers that it writes.
    fn written(&self) -> Vec<String> {
        let (first, others) = match self.operands[..self.results().min(self.operands.len())].split_first() {
            Some(parts) => parts,
            None => return Vec::new(),
        };
        let count = if first == "PR" { 7 } else { 1 };
        let wide = registers(first).into_iter().take(count);
        let wide = wide.flat_map(|register| run(&register, self.width()));
        wide.chain(others.iter().flat_map(|operand| registers(operand))).collect()
    }

    /// How many registers one of its operands has.
    fn width_of(&self, at: usize) -> u16 {
        let wide_sum = self.name.contains(".WIDE") && at + 1 == self.operands.len();
        match &self.operands[at] {
            _ if self.is(&["IMMA"]) => 4,
            operand if operand.contains(".64") || wide_sum => 2,
            _ if self.name.contains(".64") && !self.loads() => 2,
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
        named
            .flat_map(|(register, at)| wide(register, self.width_of(at)))
            .chain(self.guard.iter().flat_map(|guard| registers(guard)))
            .collect()
    }

    /// The registers of its address.
    fn address_registers(&self) -> Vec<String> {
        let brackets = self.operands.iter().filter(|operand| operand.contains('['));
        let pairs = |operand: &String| {
            let count = if operand.contains(".64") { 2 } else { 1 };
            registers(operand).into_iter().flat_map(move |register| run(&register, count)).collect::<Vec<_>>()
        };
        brackets.flat_map(pairs).collect()
    }

    /// What is wrong with it.
    fn leak(&self, state: &State) -> Option<&'static str> {
        let addresses = self.loads() || self.stores() || self.is(&["LDC", "LDCU", "ULDC"]);
        if addresses && state.any(&self.address_registers(), &self.guard) {
            return Some("an address");
        }
        (self.branches() && state.any(&self.read(), &None)).then_some("a branch")
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
        match self.name.split('.').next().unwrap_or_default() {
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
            found.insert(format!(
                "{:04x}: {what} by a secret: {} {}",
                one.address,
                one.name,
                one.operands.join(", ")
            ));
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
}
