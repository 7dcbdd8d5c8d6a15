import type { Compilers } from '#src/ports/compilers.ts'
import type { ChainCode } from '#src/verification/chain-code.ts'
import type { Outcome } from '#src/verification/outcome.ts'
import type { VerificationInput } from '#src/verification/verification-input.ts'

/**
 * Compiles the input and compares it with the code. Whatever is wrong with the input is an outcome. Rejects with what `Compilers.use`
 * rejects with: `compiler_missing`, `compiler_damaged`, `overloaded`, `compilation_limit`, `compilation_failed`, or the signal's reason.
 */
export type VerifyContract = (
  input: VerificationInput,
  code: ChainCode,
  compilers: Compilers,
  signal: AbortSignal,
) => Promise<Outcome>
