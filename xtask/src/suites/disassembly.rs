//! Reads what `objdump` writes.

use crate::demangle;

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
    /// The demangled function that a call or a jump goes to, as far as the disassembler knows; `None` for other
    /// instructions and for a jump within `function`.
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
        } else if let (Some(function), Some(instruction)) = (functions.last_mut(), instruction(line)) {
            function.instructions.push(instruction);
        }
    }
    functions
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
