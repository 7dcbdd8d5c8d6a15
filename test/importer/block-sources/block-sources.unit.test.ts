import { describe, expect, it } from 'vitest'
import { LedgerError } from '#src/domain/errors.ts'
import { BlockSources, type NodeSupply } from '#src/importer/block-sources/block-sources.ts'
import type { SourceBlock } from '#src/ports/block-node.ts'

const down = new LedgerError('source_unavailable', 'nobody answers')
const behind = new LedgerError('source_unavailable', 'nobody has it yet', { behind: true })
const lie = new LedgerError('proof_invalid', 'the proof does not hold')

/** Blocks up to a last one, which may change; then it fails, or ends. */
class Supply implements NodeSupply {
  readonly count = 1
  readonly description: string
  last = 99n
  failure: LedgerError | undefined
  newestIs: bigint | LedgerError | undefined
  /** Whether another one of its kind is left for a block that did not hold. */
  hasOthers = false

  constructor(description: string) {
    this.description = description
  }

  async *blocks({ from, through = 99n }: { from: bigint; through?: bigint | undefined }): AsyncGenerator<SourceBlock> {
    for (let number = from; number <= through && number <= this.last; number++) yield this.#block(number)
    if (this.failure && this.last < through) throw this.failure
  }

  async newest(): Promise<bigint | undefined> {
    if (this.newestIs instanceof LedgerError) throw this.newestIs
    return this.newestIs
  }

  async fetch(number: bigint): Promise<SourceBlock | undefined> {
    return number <= this.last ? this.#block(number) : undefined
  }

  refused(): boolean {
    return this.hasOthers
  }

  accepted(): void {}
  async waitForChange(): Promise<void> {}

  #block(number: bigint): SourceBlock {
    const name = `${number}.blk`
    return { number, name, pieces: [], size: undefined, origin: this.description, headerAt: 0, completeAt: 0 }
  }
}

const retryDelayMs = 1_000

function sources() {
  const nodes = new Supply('nodes')
  const bucket = new Supply('bucket')
  const time = { now: 1_000_000 }
  const supply = new BlockSources({
    type: 'auto',
    nodes,
    bucket,
    failuresMax: 3,
    retryDelayMs,
    now: () => time.now,
  })
  return { nodes, bucket, time, supply }
}

type World = ReturnType<typeof sources>

/** Says of each block where it is from, or how it ended. */
async function taken({ supply }: World, from: bigint, through: bigint): Promise<string[]> {
  const blocks: string[] = []
  try {
    for await (const block of supply.blocks({ from, through })) {
      blocks.push(`${block.number} from ${block.origin}`)
      supply.accepted(block)
    }
  } catch (error) {
    blocks.push((error as LedgerError).message)
  }
  return blocks
}

/** The first block that comes, which does not hold. */
async function refuseOne({ supply }: World, from: bigint): Promise<{ origin: string; isElsewhere: boolean }> {
  for await (const block of supply.blocks({ from }))
    return { origin: block.origin, isElsewhere: supply.refused(block, lie) }
  throw new Error('there is no block')
}

describe('block nodes and a bucket', () => {
  it('are asked in this order', async () => {
    const world = sources()
    expect(await taken(world, 5n, 6n)).toEqual(['5 from nodes', '6 from nodes'])
    expect(world.supply.current).toBe('nodes')
  })

  it('take each other’s place where one fails: at once for the first block, at the next look behind one', async () => {
    const world = sources()
    world.nodes.failure = down
    world.nodes.last = 6n
    expect(await taken(world, 6n, 8n)).toEqual(['6 from nodes', 'nobody answers'])
    expect(await taken(world, 7n, 8n)).toEqual(['7 from bucket', '8 from bucket'])
    world.bucket.last = 8n
    world.bucket.failure = down
    expect(await taken(world, 9n, 9n)).toEqual(['nobody answers. The other source, too: nobody answers'])
  })

  it('wait for a block that nobody has yet, and look in the bucket for it when it is long in coming', async () => {
    const world = sources()
    world.nodes.failure = behind
    world.nodes.last = 6n
    expect(await taken(world, 6n, 8n)).toEqual(['6 from nodes'])
    expect(await taken(world, 7n, 8n)).toEqual([])
    world.time.now += 10_000
    expect(await taken(world, 7n, 8n)).toEqual(['7 from bucket', '8 from bucket'])
  })

  it('say which block is the newest where the first of them does not: it is left alone for a while then', async () => {
    for (const newestIs of [undefined, down]) {
      const world = sources()
      world.nodes.newestIs = newestIs
      world.bucket.newestIs = 7n
      expect(await world.supply.newest()).toBe(7n)
      expect(await taken(world, 7n, 7n)).toEqual(['7 from bucket'])
      world.time.now += retryDelayMs
      expect(await taken(world, 8n, 8n)).toEqual(['8 from nodes'])
    }
  })
})

describe('a block that does not hold', () => {
  it('is asked of the other kind once all of one kind have it like that', async () => {
    const world = sources()
    world.nodes.hasOthers = true
    expect(await refuseOne(world, 7n)).toEqual({ origin: 'nodes', isElsewhere: true })
    world.nodes.hasOthers = false
    expect(await refuseOne(world, 7n)).toEqual({ origin: 'nodes', isElsewhere: true })
    expect(await taken(world, 7n, 7n)).toEqual(['7 from bucket'])
  })

  it('is asked of nobody else at once when both have it like that', async () => {
    const world = sources()
    expect(await refuseOne(world, 7n)).toEqual({ origin: 'nodes', isElsewhere: true })
    expect(await refuseOne(world, 7n)).toEqual({ origin: 'bucket', isElsewhere: false })
    expect(await refuseOne(world, 7n)).toMatchObject({ isElsewhere: false })
  })

  it('counts for itself: another one begins anew', async () => {
    const world = sources()
    await refuseOne(world, 7n)
    await refuseOne(world, 7n)
    world.time.now += retryDelayMs
    expect(await refuseOne(world, 8n)).toMatchObject({ isElsewhere: true })
  })
})
