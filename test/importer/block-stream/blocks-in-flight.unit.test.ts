import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { BlocksInFlight } from '#src/importer/block-stream/blocks-in-flight.ts'
import type { Proof } from '#src/importer/block-stream/prove-block.ts'
import { blockOf, hash48, sourceOf } from '#test/importer/block/made-blocks.ts'

const block = blockOf([])
const source = sourceOf(Buffer.alloc(0))
const proof: Proof = { rule: 'sixteen', hash: hash48(1), kind: 'SIGNATURE_SCHNORR', generation: 1 }
const size = block.sizeUnpacked

describe('blocks in flight', () => {
  it('have room for so many, and for so many bytes', () => {
    const byCount = new BlocksInFlight({ blocksMax: 2, bytesMax: 1_000 * size })
    const byBytes = new BlocksInFlight({ blocksMax: 100, bytesMax: 2 * size })
    for (const flight of [byCount, byBytes]) {
      expect(flight.hasRoom).toBe(true)
      flight.add(source, block, undefined, undefined)
      expect(flight.hasRoom).toBe(true)
      flight.add(source, block, undefined, undefined)
      expect(flight.hasRoom).toBe(false)
      expect(flight.shift()?.block).toBe(block)
      expect(flight.hasRoom).toBe(true)
    }
  })

  it('have room for one that is larger than all may be', () => {
    const flight = new BlocksInFlight({ blocksMax: 5, bytesMax: 1 })
    expect(flight.hasRoom).toBe(true)
    flight.add(source, block, undefined, undefined)
    expect(flight.hasRoom).toBe(false)
  })

  it('go out in the order in which they came, each once its own proof is settled', async () => {
    const flight = new BlocksInFlight({ blocksMax: 5, bytesMax: 1 << 20 })
    const [first, second] = [Promise.withResolvers<Proof>(), Promise.withResolvers<Proof>()]
    expect([flight.head, flight.isHeadSettled]).toEqual([undefined, false])
    flight.add(source, block, undefined, first.promise)
    flight.add(source, block, undefined, second.promise)
    second.resolve(proof)
    await second.promise
    expect(flight.isHeadSettled).toBe(false)
    first.resolve(proof)
    await flight.head?.proof
    await Promise.resolve()
    expect(flight.isHeadSettled).toBe(true)
    expect(await flight.shift()?.proof).toBe(proof)
    expect(flight.isHeadSettled).toBe(true)
  })

  it('need not wait where the nodes themselves prove them', () => {
    const flight = new BlocksInFlight({ blocksMax: 5, bytesMax: 1 << 20 })
    flight.add(source, block, undefined, undefined)
    expect(flight.isHeadSettled).toBe(true)
  })

  it('have what was wrong with a proof as its outcome, and a fault of ours as a fault', async () => {
    const flight = new BlocksInFlight({ blocksMax: 5, bytesMax: 1 << 20 })
    const wrong = new LedgerError('proof_invalid', 'it is wrong', {})
    flight.add(source, block, undefined, Promise.reject(wrong))
    flight.add(source, block, undefined, Promise.reject(new RangeError('a bug')))
    expect(await flight.shift()?.proof).toBe(wrong)
    const { head } = flight
    await expect(head?.proof).rejects.toThrow(RangeError)
    await Promise.resolve()
    expect(flight.isHeadSettled).toBe(true)
  })
})
