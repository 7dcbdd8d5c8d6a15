import { beforeEach, describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { BlockSources, type SupplyKind } from '#src/importer/block-sources/block-sources.ts'
import type { BlockRequest, BlockSupply } from '#src/importer/block-sources/block-supply.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'
import { sourceOf } from '#test/importer/block/made-blocks.ts'

type Course = 'gives' | 'fails' | 'behind' | 'breaks'

const unavailable = (behind: boolean) => new LedgerError('source_unavailable', 'it has no block', { behind })

/** Gives one block, or does not. */
class FakeSupply implements BlockSupply {
  readonly description: string
  readonly #asked: SupplyKind[]
  count = 1
  course: Course = 'gives'
  readonly told: string[] = []

  constructor(kind: SupplyKind, asked: SupplyKind[]) {
    this.description = kind
    this.#asked = asked
  }

  async *blocks({ from }: BlockRequest): AsyncGenerator<SourceBlock, void, undefined> {
    this.#asked.push(this.description as SupplyKind)
    if (this.course === 'fails') throw unavailable(false)
    if (this.course === 'behind') throw unavailable(true)
    yield sourceOf(Buffer.alloc(0), { number: from, origin: this.description })
    if (this.course === 'breaks') throw unavailable(false)
  }

  async fetch(number: bigint): Promise<SourceBlock | undefined> {
    this.#asked.push(this.description as SupplyKind)
    if (this.course === 'fails') throw unavailable(false)
    return this.course === 'behind' ? undefined : sourceOf(Buffer.alloc(0), { number, origin: this.description })
  }

  readonly newest = async () => 9n
  readonly waitForChange = async () => void this.told.push('waited')
  readonly refused = () => this.told.push('refused') > 0
  readonly accepted = () => void this.told.push('accepted')
}

let asked: SupplyKind[]
let nodes: FakeSupply
let bucket: FakeSupply
let now: number
beforeEach(() => {
  asked = []
  nodes = new FakeSupply('nodes', asked)
  bucket = new FakeSupply('bucket', asked)
  now = 1_000
})

function sources(type: SupplyKind | 'auto' = 'auto'): BlockSources {
  return new BlockSources({ type, nodes, bucket, failuresMax: 3, retryDelayMs: 500, now: () => now })
}

/** One attempt: who gave a block that held, or who was asked in vain. */
async function attempt(supply: BlockSources): Promise<string> {
  asked.length = 0
  let gave: string | undefined
  try {
    for await (const block of supply.blocks({ from: 5n })) {
      gave = block.origin
      supply.accepted(block)
    }
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return `${asked.join(', ')}: ${error.code}`
  }
  return gave ?? `${asked.join(', ')}: nothing yet`
}

describe('sources of blocks', () => {
  it('are block nodes first where any is known, and the bucket after failures in a row', async () => {
    const supply = sources()
    nodes.count = 0
    expect(await attempt(supply)).toBe('bucket')
    nodes.count = 1
    expect(await attempt(supply)).toBe('nodes')
    nodes.course = 'fails'
    for (let time = 0; time < 3; time++) {
      expect(await attempt(supply)).toBe('bucket')
      expect(asked).toEqual(['nodes', 'bucket'])
    }
    await attempt(supply)
    expect(asked).toEqual(['bucket'])
    now += 500
    await attempt(supply)
    expect(asked).toEqual(['nodes', 'bucket'])
    now += 500
    nodes.course = 'gives'
    expect([await attempt(supply), await attempt(supply)]).toEqual(['nodes', 'nodes'])
  })

  it('have their turns where both fail', async () => {
    const supply = sources()
    nodes.course = 'fails'
    bucket.course = 'fails'
    for (let time = 0; time < 3; time++) expect(await attempt(supply)).toBe('nodes, bucket: source_unavailable')
    const first: (string | undefined)[] = []
    for (let time = 0; time < 4; time++) {
      now += 1
      bucket.course = nodes.course = 'breaks'
      await expect(brokenBy(supply)).resolves.toBe(asked[0])
      first.push(asked[0])
    }
    expect(first).toEqual(['nodes', 'bucket', 'nodes', 'bucket'])
  })

  /** Gives a block that does not count, and breaks. */
  async function brokenBy(supply: BlockSources): Promise<string | undefined> {
    asked.length = 0
    let gave: string | undefined
    const reading = (async () => {
      for await (const block of supply.blocks({ from: 5n })) gave = block.origin
    })()
    await expect(reading).rejects.toMatchObject({ code: 'source_unavailable' })
    return gave
  }

  it('that have the next block not yet have not failed, but the other kind is asked after a while', async () => {
    const supply = sources()
    nodes.course = 'behind'
    expect(await attempt(supply)).toBe('nodes: nothing yet')
    now += 9_999
    expect(await attempt(supply)).toBe('nodes: nothing yet')
    now += 1
    expect(await attempt(supply)).toBe('bucket')
    expect(await attempt(supply)).toBe('nodes: nothing yet')
  })

  it('tell the one that gave a block whether it held; one that does not counts as a failure', async () => {
    const supply = sources()
    for (let time = 0; time < 3; time++)
      for await (const block of supply.blocks({ from: 5n }))
        supply.refused(block, new LedgerError('file_malformed', 'it is none', {}))
    expect(nodes.told).toEqual(['refused', 'refused', 'refused'])
    expect(await attempt(supply)).toBe('bucket')
    expect(bucket.told).toEqual(['accepted'])
    supply.refused(sourceOf(Buffer.alloc(0)), new LedgerError('file_malformed', 'it is of nobody', {}))
    expect(nodes.told).toHaveLength(3)
  })

  it('are all asked for a single block', async () => {
    const supply = sources()
    nodes.course = 'behind'
    expect((await supply.fetch(7n))?.origin).toBe('bucket')
    bucket.course = 'behind'
    expect(await supply.fetch(7n)).toBeUndefined()
    nodes.course = 'fails'
    await expect(supply.fetch(7n)).rejects.toMatchObject({ code: 'source_unavailable' })
  })

  it('of one kind alone are no others', async () => {
    bucket.course = 'fails'
    expect(await attempt(sources('bucket'))).toBe('bucket: source_unavailable')
    expect(sources('nodes').description).toBe('nodes')
    nodes.count = 0
    expect(sources('nodes').description).toBe('nowhere: no block node is known, and no bucket')
    expect(await attempt(sources('nodes'))).toBe(': source_unavailable')
  })
})
