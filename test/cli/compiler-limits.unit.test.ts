import { expect, it } from 'vitest'
import { defaultCompilerLimits } from '#src/adapters/solc/limits.ts'
import { compilerLimits } from '#src/cli/compiler-limits.ts'
import { loadConfig } from '#src/config/load.ts'

const limitsOf = (flags: Record<string, string>) =>
  compilerLimits(loadConfig({ flags, environment: {}, file: undefined }).config.verification)

it('takes what a compilation may take from the settings, whose defaults are those of the compilers', () => {
  expect(defaultCompilerLimits).toMatchObject(limitsOf({}))
  const flags = {
    'verification-compile-ms': '2000',
    'verification-compiler-memory-mib': '512',
    'verification-compilers-at-once': '3',
    'verification-compilers-waiting-max': '0',
    'verification-compilers-loaded': '2',
  }
  expect(limitsOf(flags)).toEqual({ compileMs: 2_000, residentBytes: 512 << 20, atOnce: 3, waiting: 0, spares: 2 })
})
