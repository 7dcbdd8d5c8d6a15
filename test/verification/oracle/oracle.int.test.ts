import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Compilers } from '#src/ports/compilers.ts'
import type { Outcome } from '#src/verification/outcome.ts'
import type { VerificationInput } from '#src/verification/verification-input.ts'
import { verifyContract } from '#src/verification/verify-contract.ts'
import { keptCompilers } from '#test/verification/kept-compilers.ts'
import { type Deployed, deploy, inputOf } from '#test/verification/oracle/deploy.ts'
import { type Fixture, fixturesFor } from '#test/verification/oracle/fixtures.ts'
import { askOracle } from '#test/verification/oracle/oracle.ts'

/** All 45 contracts over five compilers take minutes (`LEDGER_TEST_ORACLE=full`); every run of the tests has a handful. */
const isFull = process.env['LEDGER_TEST_ORACLE'] === 'full'
const versions = isFull ? ['0.4.26', '0.5.17', '0.7.6', '0.8.19', '0.8.37'] : ['0.8.30']
const usual = new Set(['libraries', 'a constructor that creates', 'no metadata hash', 'no metadata', 'via IR'])

const cases = versions.flatMap((version) =>
  fixturesFor(version)
    .filter(({ name }) => isFull || usual.has(name))
    .map((fixture) => ({ version, fixture, name: `${version}, ${fixture.name}` })),
)

/** Of what is claimed, against what was deployed. */
const claims: readonly {
  readonly claim: string
  readonly of: (fixture: Fixture, version: string) => VerificationInput
}[] = [
  { claim: 'the very sources', of: (fixture, version) => inputOf(fixture, version) },
  { claim: 'another comment', of: (fixture, version) => inputOf(fixture, version, (text) => `${text}\n// note`) },
  { claim: 'other code', of: (fixture, version) => inputOf(fixture, version, otherCode) },
  {
    claim: 'another optimizer',
    of: (fixture, version) =>
      inputOf(
        { ...fixture, settings: { ...fixture.settings, optimizer: { enabled: true, runs: 1_000_000 } } },
        version,
      ),
  },
]

function otherCode(text: string): string {
  return text
    .replace('room -= boxes', 'room += boxes')
    .replaceAll('n * 2', 'n * 3')
    .replace('face = aFace', 'face = ~aFace')
    .replace('laid = 1', 'laid = 2')
    .replace('cap + 1', 'cap + 2')
    .replace('return 4', 'return 5')
}

describe('contracts that were compiled and created', () => {
  let compilers: Compilers
  beforeAll(async () => {
    compilers = await keptCompilers()
  })
  afterAll(() => compilers.close())

  it.each(cases)('are told the same of by the established library: $name', async ({ version, fixture }) => {
    const deployed = await deploy(fixture, version, compilers)
    for (const { claim, of } of claims) {
      const input = of(fixture, version)
      const outcome = await ask(input, deployed)
      const told = explained(fixture, outcome, await askOracle(input, deployed, compilers))
      expect({ claim, ...outcome }).toEqual({ claim, ...told })
      const isProved = fixture.settings['metadata'] === undefined
      if (claim === 'the very sources')
        expect(outcome).toMatchObject({ runtimeMatch: isProved ? 'perfect' : 'partial' })
      if (claim === 'another comment') expect(outcome).toMatchObject({ runtimeMatch: 'partial' })
    }
  })

  async function ask(input: VerificationInput, { runtime, creation }: Deployed) {
    const creations = [{ kind: 'ethereum-transaction' as const, code: creation }]
    return summaryOf(await verifyContract(input, { runtime, creations }, compilers, new AbortController().signal))
  }
})

/**
 * Codes of other lengths of which neither has metadata are no sign of unused files, which equal metadata of different code would be. The
 * library takes none for equal ones.
 */
function explained({ settings }: Fixture, { error }: Told, told: Told): Told {
  const { appendCBOR } = (settings['metadata'] ?? {}) as { readonly appendCBOR?: boolean }
  const isNone = appendCBOR === false && told.error === 'extra_file_input_bug'
  return isNone && error === 'bytecode_length_mismatch' ? { ...told, error } : told
}

type Told = Readonly<Record<string, unknown>>

function summaryOf(outcome: Outcome): Told {
  if (outcome.status === null) return { status: null, error: outcome.code }
  const { runtimeMatch, creationMatch, libraryMap, immutables, callProtection, constructorArguments } = outcome
  return { runtimeMatch, creationMatch, libraryMap, immutables, callProtection, constructorArguments }
}
