import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { Rejections } from '#src/importer/record-stream/rejections.ts'
import type { Candidate } from '#src/importer/source/candidates.ts'

const trustVersion = 1
const late = () => new LedgerError('file_missing', 'It is missing', {})

function candidate(dataSize = 10, signers = [0n]): Candidate {
  const signatures = signers.map((nodeId) => ({
    nodeId,
    folder: 'a',
    name: 'x.rcd_sig',
    size: 3,
    dataSize: dataSize || undefined,
  }))
  const holders = signatures.map(({ nodeId }) => nodeId)
  return { stem: 'x_', instant: 0n, signatures, dataSize, holders }
}

function setUp() {
  let now = 0
  const rejections = new Rejections({ delayMs: 500, now: () => now })
  return { rejections, pass: (milliseconds: number) => (now += milliseconds) }
}

describe('a rejected file', () => {
  it('is looked at again after a while, which doubles up to half a minute', () => {
    const { rejections, pass } = setUp()
    const waits: number[] = []
    for (let round = 0; round < 9; round++) {
      rejections.add(candidate(), trustVersion, late())
      let waited = 0
      for (; rejections.find(candidate(), trustVersion); waited += 500) pass(500)
      waits.push(waited)
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  })

  it('is looked at again at once when the listing or the trust is another', () => {
    const { rejections } = setUp()
    const error = late()
    rejections.add(candidate(), trustVersion, error)
    expect(rejections.find(candidate(), trustVersion)).toBe(error)
    expect(rejections.find(candidate(11), trustVersion)).toBeUndefined()
    expect(rejections.find(candidate(0), trustVersion)).toBeUndefined()
    expect(rejections.find(candidate(10, [0n, 1n]), trustVersion)).toBeUndefined()
    expect(rejections.find(candidate(), trustVersion + 1)).toBeUndefined()
  })

  it('is forgotten after progress', () => {
    const { rejections } = setUp()
    rejections.add(candidate(), trustVersion, late())
    rejections.clear()
    expect(rejections.find(candidate(), trustVersion)).toBeUndefined()
  })

  it('that enough nodes signed but does not continue the chain waits longest from the start', () => {
    const { rejections, pass } = setUp()
    rejections.add(candidate(), trustVersion, new LedgerError('chain_broken', 'It does not fit', {}))
    pass(29_999)
    expect(rejections.find(candidate(), trustVersion)).toBeDefined()
    pass(1)
    expect(rejections.find(candidate(), trustVersion)).toBeUndefined()
  })
})
