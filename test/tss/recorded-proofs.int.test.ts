import { describe, expect, it } from 'vitest'
import { openPairings } from '#src/tss/pairings/open.ts'
import { createProofVerifier } from '#src/tss/proof-verifier.ts'
import { rootOfStateProof } from '#src/tss/state-proof.ts'
import { generation2, hasVectors, ledgerOf, provenBlocks, readArtifact } from '#test/tss/vectors.ts'

const blocks = hasVectors ? provenBlocks() : []
const libraries = [await openPairings('fast'), await openPairings('reference')]

describe.skipIf(!hasVectors).each(libraries)('recorded proofs with $name', (pairings) => {
  const verifier = createProofVerifier({ pairings })

  it.each(blocks.map((block) => [block.path, block] as const))('proves %s', (path, block) => {
    const { hash, stateProof, signature } = block
    const root = stateProof ? rootOfStateProof(stateProof, [hash], path).root : hash
    const verdict = verifier.verify(ledgerOf(block.network), { name: path, message: root, signature })
    expect(verdict).toEqual({ form: 'schnorr', generation: 1 })
  })

  it('proves what comes with the library of the network, in both forms', () => {
    const { ledger, message, schnorr, wraps } = readArtifact()
    expect(verifier.verify(ledger, { name: 'it', message, signature: schnorr })).toEqual({
      form: 'schnorr',
      generation: 1,
    })
    expect(verifier.verify(ledger, { name: 'it', message, signature: wraps })).toEqual({ form: 'wraps', generation: 1 })
  })

  it('proves what the next release of the library signed, in both forms', () => {
    const { ledger, message, schnorr, wraps } = generation2()
    expect(verifier.verify(ledger, { name: 'it', message, signature: schnorr })).toEqual({
      form: 'schnorr',
      generation: 2,
    })
    expect(verifier.verify(ledger, { name: 'it', message, signature: wraps })).toEqual({ form: 'wraps', generation: 2 })
  })
})
