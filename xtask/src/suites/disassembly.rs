//! Reads what `objdump` writes.

use crate::demangle;
use std::collections::HashMap;

/// A function as compiled.
pub(crate) struct Function {
    /// Its demangled name.
    pub(crate) name: String,
    /// Its instructions in the order of their addresses.
    pub(crate) instructions: Vec<Instruction>,
}

/// One instruction.
pub(crate) struct Instruction {
    /// The operation, as in `vpaddw`.
    pub(crate) operation: String,
    /// Its operands.
    pub(crate) operands: String,
}

impl Instruction {
    /// The demangled function that a call or a jump goes to, as far as the disassembler knows; `None` for
    /// other instructions and for a jump within `function`.
    pub(crate) fn leaves(&self, function: &Function) -> Option<String> {
        const CALLS: [&str; 3] = ["call", "bl", "blr"];
        const JUMPS: [&str; 3] = ["jmp", "b", "br"];
        let is_call = CALLS.contains(&self.operation.as_str());
        if !is_call && !JUMPS.contains(&self.operation.as_str()) {
            return None;
        }
        let Some((_, label)) = self.operands.split_once('<') else {
            // Through a register: a call of who knows what, or a jump by a table.
            return is_call.then(|| format!("*{}", self.operands));
        };
        let symbol = label.trim_end_matches('>');
        let target = demangle::name(symbol.split_once("+0x").map_or(symbol, |(symbol, _)| symbol));
        (is_call || target != function.name).then_some(target)
    }
}

/// The functions of a disassembly.
pub(crate) fn functions(text: &str) -> Vec<Function> {
    let mut functions: Vec<Function> = Vec::new();
    for line in text.lines() {
        if let Some((_, symbol)) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
            functions.push(Function { name: demangle::name(symbol), instructions: Vec::new() });
        } else if let (Some(function), Some(mut instruction)) = (functions.last_mut(), instruction(line)) {
            if let Some(slot) = held(&instruction, &function.instructions) {
                instruction.operands = slot;
            }
            function.instructions.push(instruction);
        }
    }
    functions
}

/// The slot whose function a call by a register goes to: the last instruction before it that writes the
/// register reads it. Compilers do so where they call one function several times.
fn held(call: &Instruction, before: &[Instruction]) -> Option<String> {
    if call.operation != "call" || call.operands.contains('<') {
        return None;
    }
    let register = format!("{},", call.operands);
    let writes = |instruction: &&Instruction| {
        let reads = ["cmp", "test"].contains(&instruction.operation.as_str());
        !reads && instruction.operands.starts_with(&register)
    };
    let last = before.iter().rev().find(writes).filter(|last| last.operation == "mov")?;
    last.operands.strip_prefix(&register).filter(|slot| slot.contains('<')).map(str::to_string)
}

/// Functions by the addresses of the slots that hold theirs. Position-independent code calls by slots, whose
/// addresses are all that the disassembler knows: `call QWORD PTR [rip+0x10] # 973dd8 <_DYNAMIC+0x210>`. Of
/// functions of the program, `contents` has the addresses in the slots (words in the order of memory, the
/// least byte first) and `symbols` the names; of others, `relocations` has a slot and a name a line.
pub(crate) fn slots(contents: &str, symbols: &str, relocations: &str) -> HashMap<u64, String> {
    let address = |word: &str| u64::from_str_radix(word, 16).ok();
    let symbol = |line: &str| {
        let (at, rest) = line.split_once(' ')?;
        Some((address(at)?, rest.split_once(' ')?.1.to_string()))
    };
    let names: HashMap<u64, String> = symbols.lines().filter_map(symbol).collect();
    let mut slots = HashMap::new();
    for line in contents.lines() {
        let mut words = line.split_whitespace();
        let Some(first) = words.next().and_then(address) else { continue };
        // Two slots of two words of four bytes a line, and their text.
        let words: Vec<u32> =
            words.take(4).filter_map(|word| Some(u32::from_str_radix(word, 16).ok()?.swap_bytes())).collect();
        for (i, halves) in words.chunks_exact(2).enumerate() {
            let held = u64::from(halves[1]) << 32 | u64::from(halves[0]);
            if let Some(name) = names.get(&held) {
                slots.insert(first + 8 * i as u64, name.clone());
            }
        }
    }
    for line in relocations.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [at, _, name] = words[..]
            && let Some(at) = address(at)
        {
            slots.insert(at, name.split('@').next().unwrap_or(name).to_string());
        }
    }
    slots
}

/// The text with the names of functions that are called by slots.
pub(crate) fn with_names(text: &str, slots: &HashMap<u64, String>) -> String {
    let named = |line: &str| {
        let (before, comment) = line.split_once("# ")?;
        let address = u64::from_str_radix(comment.split_once(" <")?.0, 16).ok()?;
        Some(format!("{before}# {address:x} <{}>\n", slots.get(&address)?))
    };
    text.lines().map(|line| named(line).unwrap_or_else(|| format!("{line}\n"))).collect()
}

/// `  401000:<tab>push   rbp`
fn instruction(line: &str) -> Option<Instruction> {
    let (address, text) = line.split_once(":\t")?;
    u64::from_str_radix(address.trim(), 16).ok()?;
    let text = text.trim();
    let (operation, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    Some(Instruction { operation: operation.to_string(), operands: operands.trim().to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
0000000000001000 <_RNvC5crate4leaf>:\n    1000:\tret\n
0000000000002000 <_RNvC5crate4root>:
    2000:\tsub    rsp,0x8
    2004:\tcall   1000 <_RNvC5crate4leaf>
    2009:\tjmp    2000 <_RNvC5crate4root>
    200b:\tjmp    1000 <_RNvC5crate4leaf+0x4>
    2010:\tcall   rax
";

    /// Protects: a call by a slot has the name of what it calls, of this program or of another object.
    #[test]
    fn slots_have_names() {
        let text = "    10:\tcall   QWORD PTR [rip+0x6]        # 2000 <_DYNAMIC+0x8>\n\
                        16:\tcall   QWORD PTR [rip+0x6]        # 2008 <_DYNAMIC+0x10>\n";
        let contents =
            "Contents of section .got:\n 2000 00000000 00000000 78563412 00000000  ........xV4.....\n";
        let relocations = "0000000000002000 R_X86_64_GLOB_DAT  memcpy@GLIBC_2.14\n";
        let named = with_names(text, &slots(contents, "0000000012345678 t here\n", relocations));
        let function = Function { name: "f".to_string(), instructions: Vec::new() };
        let calls = named.lines().filter_map(instruction).map(|call| call.leaves(&function));
        assert_eq!(calls.collect::<Vec<_>>(), [Some("memcpy".to_string()), Some("here".to_string())]);
    }

    /// Protects: a call by a register has the name of what the register was read from, and none where it was
    /// written since.
    #[test]
    fn registers_have_names() {
        let text = "\
0000000000001000 <f>:
    1000:\tmov    rbx,QWORD PTR [rip+0x6]        # 2000 <memset>
    1007:\tcmp    rbx,rax
    100a:\tcall   rbx
    100c:\tmov    rbx,rax
    100f:\tcall   rbx
";
        let functions = functions(text);
        let calls = functions[0].instructions.iter().filter_map(|call| call.leaves(&functions[0]));
        assert_eq!(calls.collect::<Vec<_>>(), ["memset", "*rbx"]);
    }

    /// Protects: calls and tail calls are seen, jumps inside a function are not calls.
    #[test]
    fn calls_are_seen() {
        let functions = functions(TEXT);
        assert_eq!(
            functions.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(),
            ["crate::leaf", "crate::root"]
        );
        let root = &functions[1];
        let leaves: Vec<_> = root.instructions.iter().map(|instruction| instruction.leaves(root)).collect();
        let leaf = || Some("crate::leaf".to_string());
        assert_eq!(leaves, [None, leaf(), None, leaf(), Some("*rax".to_string())]);
    }
}
