import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Compilers } from '#src/ports/compilers.ts'
import type { Outcome } from '#src/verification/outcome.ts'
import { verifyContract } from '#src/verification/verify-contract.ts'
import { keptCompilers } from '#test/verification/kept-compilers.ts'
import { codeOf, inputOf, readVectors } from '#test/verification/vectors.ts'

const vectors = readVectors()
const signal = new AbortController().signal

describe.skipIf(vectors === undefined)('contracts of the reference data, which have to be in ../shared', () => {
  let compilers: Compilers
  beforeAll(async () => {
    compilers = await keptCompilers()
  })
  afterAll(() => compilers.close())

  it.each(vectors ?? [])('$id', async (vector) => {
    expect(summaryOf(await verifyContract(inputOf(vector), codeOf(vector), compilers, signal))).toEqual(vector.expected)
  })

  it.each((vectors ?? []).filter((vector) => vector.expectedIgnoringLibrary))(
    '$id, without the library',
    async (vector) => {
      const input = { ...inputOf(vector), libraries: [] }
      const outcome = await verifyContract(input, codeOf(vector), compilers, signal)
      expect(summaryOf(outcome)).toEqual(vector.expectedIgnoringLibrary)
    },
  )
})

function summaryOf(outcome: Outcome) {
  if (outcome.status === null) return { status: null, error: outcome.code }
  const { status, runtimeMatch, creationMatch, libraryMap, immutables, callProtection, constructorArguments } = outcome
  return { status, runtimeMatch, creationMatch, libraryMap, immutables, callProtection, constructorArguments }
}
