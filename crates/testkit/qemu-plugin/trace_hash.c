/* A plugin of QEMU (user mode, plugin API 1): between two marks it counts the instructions that run, and hashes their
 * addresses and the addresses of all memory that they use.
 *
 *   qemu-aarch64 -plugin libtrace_hash.so,begin=0x...,end=0x...,out=FILE program
 *
 * begin and end are the addresses of two functions of the program; each time it enters `end`, one line is written: the
 * number of instructions since `begin`, and the hash. A block of instructions runs from its first to its last, so that its
 * first address and its length stand for all its addresses.
 *
 * The declarations are those of qemu-plugin.h that are needed here; Debian does not package the header. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_RW = 3 };

extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                                  void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *),
                                                 enum qemu_plugin_cb_flags, void *);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *,
                                             void (*)(unsigned, qemu_plugin_meminfo_t, uint64_t, void *),
                                             enum qemu_plugin_cb_flags, enum qemu_plugin_mem_rw, void *);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
extern bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);

EXPORT int qemu_plugin_version = 1;

/* The emulator ends a block before an instruction that lies across two pages, which begins the next block; but it counts
 * what it had read of it, up to the end of the page, as the last of the first block. `cut` is the address of a last
 * instruction that may be such a part, or 0: if the next block begins there, it was one. */
struct block {
    uint64_t address, length, cut;
};

#define PAGE 4096

static uint64_t mark_begin, mark_end, instructions, hash, last_cut;
static bool active;
static FILE *out;

/* splitmix64 on the sum: a change anywhere changes the hash. */
static void absorb(uint64_t x)
{
    hash += x + UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
    hash ^= hash >> 31;
}

static void on_block(unsigned cpu, void *data)
{
    const struct block *block = data;
    (void)cpu;
    if (block->address == mark_begin) {
        active = true;
        instructions = hash = 0;
    } else if (block->address == mark_end && active) {
        active = false;
        fprintf(out, "%" PRIu64 " %016" PRIx64 "\n", instructions, hash);
    }
    if (active) {
        instructions += block->length - (last_cut == block->address);
        absorb(block->address);
        absorb(block->length);
    }
    last_cut = block->cut;
}

static void on_memory(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)cpu, (void)data;
    if (active) {
        absorb(address);
        absorb(qemu_plugin_mem_is_store(info));
    }
}

/* Blocks are translated seldom; what is allocated for one lives as long as the process. */
static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    struct block *block = malloc(sizeof *block);
    (void)id;
    if (!block)
        abort();
    block->address = qemu_plugin_tb_vaddr(tb);
    block->length = qemu_plugin_tb_n_insns(tb);
    block->cut = 0;
    if (block->length > 1) {
        const struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(tb, block->length - 1);
        uint64_t address = qemu_plugin_insn_vaddr(last);
        if ((address + qemu_plugin_insn_size(last)) % PAGE == 0)
            block->cut = address;
    }
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, block);
    for (size_t i = 0; i < block->length; i++)
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), on_memory, QEMU_PLUGIN_CB_NO_REGS,
                                         QEMU_PLUGIN_MEM_RW, NULL);
}

static void on_exit_of_program(qemu_plugin_id_t id, void *data)
{
    (void)id, (void)data;
    if (fclose(out))
        abort();
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "begin=", 6))
            mark_begin = strtoull(argv[i] + 6, NULL, 0);
        else if (!strncmp(argv[i], "end=", 4))
            mark_end = strtoull(argv[i] + 4, NULL, 0);
        else if (!strncmp(argv[i], "out=", 4))
            out = fopen(argv[i] + 4, "w");
    }
    if (!mark_begin || !mark_end || !out) {
        fprintf(stderr, "trace_hash: needs begin=, end= and out=\n");
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_program, NULL);
    return 0;
}
