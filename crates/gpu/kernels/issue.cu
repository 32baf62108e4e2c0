// Loops of instructions of one kind, and of two kinds.
#include "issue.cuh"

ISSUE(issue_multiply, Words<Multiply>, None)
ISSUE(issue_high, Words<High>, None)
ISSUE(issue_wide, Wide, None)
ISSUE(issue_add, Words<Add>, None)
ISSUE(issue_logic, Words<Logic>, None)
ISSUE(issue_double, Double, None)
ISSUE(issue_multiply_logic, Words<Multiply>, Words<Logic>)
ISSUE(issue_multiply_add, Words<Multiply>, Words<Add>)
ISSUE(issue_multiply_high, Words<Multiply>, Words<High>)
ISSUE(issue_high_logic, Words<High>, Words<Logic>)
ISSUE(issue_high_add, Words<High>, Words<Add>)
ISSUE(issue_logic_add, Words<Logic>, Words<Add>)
ISSUE(issue_double_high, Double, Words<High>)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
ISSUE(issue_matrix, Matrix, None)
ISSUE(issue_matrix_high, Matrix, Words<High>)
ISSUE(issue_matrix_logic, Matrix, Words<Logic>)
#endif
