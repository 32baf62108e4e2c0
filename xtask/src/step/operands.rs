//! The memory that an instruction uses: how its addresses are made of registers, and what they are.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
    UsedMemory,
};
use nix::libc::user_regs_struct;

/// The longest instruction.
pub(super) const LONGEST: usize = 15;

/// Instructions that name memory and do not use it.
const NAME_ONLY: [Mnemonic; 2] = [Mnemonic::Lea, Mnemonic::Nop];

/// Whose address has the number of a bit in it, if that is in a register.
const BITS: [Mnemonic; 4] = [Mnemonic::Bt, Mnemonic::Btc, Mnemonic::Btr, Mnemonic::Bts];

/// Which use as much memory as a mask in a vector says.
const MASKED: [Mnemonic; 6] = [
    Mnemonic::Maskmovdqu,
    Mnemonic::Vmaskmovdqu,
    Mnemonic::Vmaskmovpd,
    Mnemonic::Vmaskmovps,
    Mnemonic::Vpmaskmovd,
    Mnemonic::Vpmaskmovq,
];

/// An instruction as far as its memory goes.
pub(super) struct Instruction {
    /// Where it is.
    pub(super) address: u64,
    /// Where the next one is.
    pub(super) next: u64,
    /// Whether another one may follow.
    branches: bool,
    memory: Vec<UsedMemory>,
    written: Vec<Register>,
    /// Whether it does what it does as often as a register says.
    repeats: bool,
}

impl Instruction {
    /// Decodes the instruction that stands at an address and that `code` begins with.
    ///
    /// # Errors
    /// Where it is none, or uses memory that not only its general registers choose: gathers and scatters,
    /// elements under a mask, bits by their number.
    pub(super) fn decode(code: &[u8], address: u64) -> Result<Self, String> {
        let instruction = Decoder::with_ip(64, code, address, DecoderOptions::NONE).decode();
        let refused = |why: &str| Err(format!("the instruction at {address:#x}, {code:02x?}, {why}"));
        if instruction.is_invalid() {
            return refused("is not known");
        }
        let mut factory = InstructionInfoFactory::new();
        let info = factory.info(&instruction);
        let (mut memory, mnemonic) = (info.used_memory().to_vec(), instruction.mnemonic());
        let named = (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Memory);
        if named && memory.is_empty() && !NAME_ONLY.contains(&mnemonic) {
            memory.push(named_memory(&instruction));
        }
        if instruction.is_vsib() {
            return refused("gathers or scatters: its addresses are in a vector");
        }
        if MASKED.contains(&mnemonic) || instruction.has_op_mask() && named {
            return refused("uses as much memory as a mask says");
        }
        if BITS.contains(&mnemonic) && named && instruction.op1_kind() == OpKind::Register {
            return refused("finds a bit in memory by its number");
        }
        let written = info.used_registers().iter().filter(|used| writes(used.access()));
        let written = written.map(|used| used.register().full_register()).collect();
        let prefixed = instruction.has_rep_prefix() || instruction.has_repne_prefix();
        let repeats = prefixed && instruction.is_string_instruction();
        let branches = instruction.flow_control() != FlowControl::Next;
        Ok(Instruction { address, next: instruction.next_ip(), branches, memory, written, repeats })
    }

    /// Whether it is run by itself, because something else than the next one may follow.
    pub(super) fn is_alone(&self) -> bool {
        self.branches || self.repeats
    }

    /// Whether its addresses are made of a register that the other writes.
    pub(super) fn depends_on(&self, other: &Instruction) -> bool {
        let registers = self.memory.iter().flat_map(|memory| [memory.base(), memory.index()]);
        registers.into_iter().any(|register| other.written.contains(&register.full_register()))
    }

    /// Passes on all addresses that it uses with these registers; and how often it is still to be repeated.
    ///
    /// # Errors
    /// Where an address is made of something else.
    pub(super) fn addresses(
        &self,
        registers: &user_regs_struct,
        mut to: impl FnMut(u64),
    ) -> Result<(), String> {
        if self.repeats {
            to(registers.rcx);
        }
        for memory in &self.memory {
            let address = memory.virtual_address(0, |register, _, _| value(register, registers));
            to(address.ok_or_else(|| format!("no address of {memory:?} at {:#x}", self.address))?);
        }
        Ok(())
    }
}

/// Whether something is written, at least sometimes.
fn writes(access: OpAccess) -> bool {
    !matches!(access, OpAccess::None | OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess)
}

/// What the operand in memory names. Of instructions that only announce a use, nothing is listed as used.
fn named_memory(instruction: &iced_x86::Instruction) -> UsedMemory {
    let base = match instruction.memory_base() {
        // The displacement is the address.
        Register::RIP | Register::EIP => Register::None,
        base => base,
    };
    UsedMemory::new(
        instruction.memory_segment(),
        base,
        instruction.memory_index(),
        instruction.memory_index_scale(),
        instruction.memory_displacement64(),
        instruction.memory_size(),
        OpAccess::Read,
    )
}

/// The value of a general register, or the base of a segment.
fn value(register: Register, registers: &user_regs_struct) -> Option<u64> {
    let whole = match register.full_register() {
        Register::RAX => registers.rax,
        Register::RBX => registers.rbx,
        Register::RCX => registers.rcx,
        Register::RDX => registers.rdx,
        Register::RSI => registers.rsi,
        Register::RDI => registers.rdi,
        Register::RBP => registers.rbp,
        Register::RSP => registers.rsp,
        Register::R8 => registers.r8,
        Register::R9 => registers.r9,
        Register::R10 => registers.r10,
        Register::R11 => registers.r11,
        Register::R12 => registers.r12,
        Register::R13 => registers.r13,
        Register::R14 => registers.r14,
        Register::R15 => registers.r15,
        Register::FS => return Some(registers.fs_base),
        Register::GS => return Some(registers.gs_base),
        Register::CS | Register::DS | Register::ES | Register::SS => return Some(0),
        _ => return None,
    };
    match register.size() {
        8 => Some(whole),
        4 => Some(whole & 0xffff_ffff),
        // As a table's index, in `xlat`.
        1 if register == Register::AL => Some(whole & 0xff),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every register tells itself from the others.
    const REGISTERS: user_regs_struct = user_regs_struct {
        r15: 0xf000_0000,
        r14: 0xe000_0000,
        r13: 0xd000_0000,
        r12: 0xc000_0000,
        rbp: 0x5000_0000,
        rbx: 0xb000_0000,
        r11: 0,
        r10: 0,
        r9: 0x0900_0000,
        r8: 0x0800_0000,
        rax: 0xffff_ffff_0000_0042,
        rcx: 3,
        rdx: 0xd00,
        rsi: 0x1000,
        rdi: 0x2000,
        orig_rax: 0,
        rip: 0x40_0000,
        cs: 0x33,
        eflags: 0,
        rsp: 0x7000_0000,
        ss: 0x2b,
        fs_base: 0x10_0000_0000,
        gs_base: 0x20_0000_0000,
        ds: 0,
        es: 0,
        fs: 0,
        gs: 0,
    };

    fn addresses(code: &[u8]) -> Vec<u64> {
        let (mut all, instruction) = (Vec::new(), Instruction::decode(code, REGISTERS.rip).expect("decodes"));
        instruction.addresses(&REGISTERS, |address| all.push(address)).expect("general registers");
        all
    }

    /// Protects: addresses are those that the CPU uses, with base, index, scale, displacement and segment.
    #[test]
    fn named_operands() {
        // add [rdi+r12*8-0x10], esi
        assert_eq!(addresses(b"\x42\x01\x74\xe7\xf0"), [0x2000 + 8 * 0xc000_0000 - 0x10]);
        // mov rax, fs:[rcx*4]
        assert_eq!(addresses(b"\x64\x48\x8b\x04\x8d\0\0\0\0"), [0x10_0000_0000 + 12]);
        // mov rax, [rip+0x10]: from the end of the instruction on
        assert_eq!(addresses(b"\x48\x8b\x05\x10\0\0\0"), [0x40_0017]);
        // mov eax, [eax]: 32 bits of the register
        assert_eq!(addresses(b"\x67\x8b\x00"), [0x42]);
        // vmovdqu8 ymm16, [rsi+rdx+0x20]: the displacement counts vectors
        assert_eq!(addresses(b"\x62\xe1\x7f\x28\x6f\x44\x16\x01"), [0x1000 + 0xd00 + 0x20]);
    }

    /// Protects: what is used without being named is seen, and what is only announced.
    #[test]
    fn operands_that_are_not_named() {
        assert_eq!(addresses(b"\x50"), [0x7000_0000 - 8], "push rax");
        assert_eq!(addresses(b"\xc3"), [0x7000_0000], "ret");
        let mut call = addresses(b"\xff\x15\x10\0\0\0");
        call.sort_unstable();
        assert_eq!(call, [0x40_0016, 0x7000_0000 - 8], "call [rip+0x10]");
        assert_eq!(addresses(b"\x0f\x18\x09"), [3], "prefetcht0 [rcx]");
        assert_eq!(addresses(b"\x0f\x18\x0d\x10\0\0\0"), [0x40_0017], "prefetcht0 [rip+0x10]");
        assert_eq!(addresses(b"\xd7"), [0xb000_0000 + 0x42], "xlat");
    }

    /// Protects: a step of a repeated instruction has its addresses and how many are left.
    #[test]
    fn repeated_instructions() {
        let mut movs = addresses(b"\xf3\xa4");
        assert_eq!(movs.remove(0), 3);
        movs.sort_unstable();
        assert_eq!(movs, [0x1000, 0x2000], "rep movsb");
        assert_eq!(addresses(b"\xaa"), [0x2000], "stosb");
    }

    /// Protects: no access is seen where there is none; its registers may hold secrets.
    #[test]
    fn no_operands() {
        for code in [&b"\x48\x8d\x04\x8f"[..], b"\x0f\x1f\x04\x00", b"\x48\x01\xd8", b"\xf3\x90"] {
            assert!(addresses(code).is_empty(), "{code:02x?}");
        }
    }

    /// Protects: an instruction is run together with those before it only where its addresses are known
    /// before them.
    #[test]
    fn runs_of_instructions() {
        let decode = |code: &[u8]| Instruction::decode(code, 0x1000).expect("decodes");
        // mov rax, [rdi]; vpxorq ymm0, ymm0, [rax]; add [rsi+rax], ecx; push rbx; mov [rsp], rdx; pop rdi
        let load = decode(b"\x48\x8b\x07");
        let of_rax = decode(b"\x62\xf1\xfd\x28\xef\x00");
        let indexed = decode(b"\x01\x0c\x06");
        let (push, of_rsp, pop) = (decode(b"\x53"), decode(b"\x48\x89\x14\x24"), decode(b"\x5f"));
        assert!(of_rax.depends_on(&load) && indexed.depends_on(&load));
        assert!(of_rsp.depends_on(&push) && of_rsp.depends_on(&pop) && push.depends_on(&push));
        assert!(load.depends_on(&pop) && !load.depends_on(&of_rax));
        assert!(!of_rax.depends_on(&indexed) && !of_rsp.depends_on(&load) && !indexed.depends_on(&of_rsp));
        // mov eax, 1 writes all of rax
        assert!(of_rax.depends_on(&decode(b"\xb8\x01\0\0\0")));
        // jne, call, ret, syscall, rep movsb; not movsb
        for code in [&b"\x75\x05"[..], b"\xe8\0\0\0\0", b"\xc3", b"\x0f\x05", b"\xf3\xa4"] {
            assert!(decode(code).is_alone(), "{code:02x?}");
        }
        assert!(!decode(b"\xa4").is_alone());
        assert_eq!(load.next, 0x1003);
    }

    /// Protects: an instruction whose addresses general registers do not tell is not passed over.
    #[test]
    fn refused() {
        let refused = [
            (&b"\xc4\xe2\x75\x90\x04\x97"[..], "gathers"), // vpgatherdd ymm0, [rdi+ymm2*4], ymm1
            (b"\x62\xf2\x7d\x29\xa0\x04\x97", "gathers"),  // vpscatterdd [rdi+ymm2*4]{k1}, ymm0
            (b"\x62\xf1\x7f\x29\x7f\x07", "mask"),         // vmovdqu8 [rdi]{k1}, ymm0
            (b"\xc4\xe2\x75\x8e\x07", "mask"),             // vpmaskmovd [rdi], ymm1, ymm0
            (b"\x48\x0f\xa3\x07", "number"),               // bt [rdi], rax
            (b"\x06", "not known"),                        // push es, which 64 bits have no more
        ];
        for (code, why) in refused {
            let error = Instruction::decode(code, 0).err().expect("it is refused");
            assert!(error.contains(why), "{error}");
        }
        // The same with registers alone, and with a bit whose number is constant.
        for code in [&b"\x62\xf1\x7f\x29\x7f\xc1"[..], b"\x48\x0f\xa3\xc1", b"\x48\x0f\xba\x27\x05"] {
            assert!(Instruction::decode(code, 0).is_ok(), "{code:02x?}");
        }
    }
}
