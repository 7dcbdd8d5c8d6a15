import type { CompilerLimits } from '#src/adapters/solc/limits.ts'
import type { Config } from '#src/config/schema.ts'

/** What a compilation may take, as the settings say it. */
export function compilerLimits(settings: Config['verification']): Partial<CompilerLimits> {
  const { compileMs, compilerMemoryMiB, compilersAtOnce, compilersWaitingMax, compilersLoaded } = settings
  return {
    compileMs,
    residentBytes: compilerMemoryMiB * (1 << 20),
    atOnce: compilersAtOnce,
    waiting: compilersWaitingMax,
    spares: compilersLoaded,
  }
}
