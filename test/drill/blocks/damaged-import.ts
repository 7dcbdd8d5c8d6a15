import { gzipSync, zstdCompressSync } from 'node:zlib'
import { blockName, blockPath } from '#src/domain/block-name.ts'
import { isLedgerError, type LedgerError } from '#src/domain/errors.ts'
import { factBytes } from '#src/events/provenance.ts'
import { BlockNodes } from '#src/importer/block-nodes/block-nodes.ts'
import { BlockSources } from '#src/importer/block-sources/block-sources.ts'
import { BucketBlocks } from '#src/importer/block-sources/bucket-blocks.ts'
import type { ProofChecker } from '#src/importer/block-stream/prove-block.ts'
import type { ImporterSettings } from '#src/importer/settings.ts'
import type { BlockNode, SourceBlock } from '#src/ports/block-node.ts'
import { systemClock } from '#src/ports/clock.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'
import type { StreamSource } from '#src/ports/stream-source.ts'
import { readLedgerPublication } from '#src/tss/ledger.ts'
import { readItems } from '#test/drill/blocks/block-items.ts'
import type { Chain } from '#test/drill/blocks/chains.ts'
import { Dice } from '#test/drill/blocks/damage.ts'
import { noFiles } from '#test/importer/block/folder-blocks.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { bytesField } from '#test/support/protobuf-writer.ts'

const blockBytesMax = 16 << 20

/** An event without what tells of the copy that it was read from. */
export type Fact = string

/** An importer in memory that is given one block of a chain after the other, or what somebody says is one. */
export class DamagedImport {
  readonly #chain: Chain
  readonly #checker: ProofChecker
  readonly #settings: Partial<ImporterSettings>
  readonly #world = new ImportWorld()
  /** The block that comes next. */
  next: bigint

  private constructor(chain: Chain, checker: ProofChecker, settings: Partial<ImporterSettings>) {
    this.#chain = chain
    this.#checker = checker
    this.#settings = settings
    this.next = chain.first
  }

  /** Begins a log. */
  static async begin(
    chain: Chain,
    checker: ProofChecker,
    settings: Partial<ImporterSettings> = {},
  ): Promise<DamagedImport> {
    const importing = new DamagedImport(chain, checker, settings)
    await importing.give(Buffer.alloc(0), new Dice(() => 0))
    return importing
  }

  /** Imports what is said to be the next block, from all sources of one kind; an error is what the import ended with. */
  async give(block: Buffer, dice: Dice): Promise<LedgerError | undefined> {
    const { network, first, addressBook, isWrapped } = this.#chain
    const bucket = dice.chance(0.5) ? this.#bucket(block, dice) : undefined
    const nodes = bucket ? undefined : this.#nodes(block, dice)
    const ledger = this.#chain.ledger && readLedgerPublication(this.#chain.ledger.publication, 'the ledger')
    const supply = new BlockSources({
      type: 'auto',
      nodes,
      bucket,
      failuresMax: 3,
      retryDelayMs: 1_000,
      now: Date.now,
    })
    this.#world.blockInput = { supply, checker: this.#checker, ledger: isWrapped ? undefined : ledger }
    const settings = {
      stream: 'blocks',
      network,
      startBlockNumber: first,
      addressBook,
      sidecarTypes: new Set([1, 2, 3]),
      ...this.#settings,
    } as const
    try {
      await this.#world.import(noFiles, settings)
    } catch (error) {
      if (isLedgerError(error)) return error
      throw error
    } finally {
      await nodes?.close()
    }
    return undefined
  }

  /** What is on the log behind a position, for comparing. */
  async factsAfter(after: number): Promise<Fact[]> {
    const records: StoredRecord[] = []
    for await (const batch of this.#world.log.read({ after, countMax: 10_000, bytesMax: 1 << 26, follow: false }))
      records.push(...batch.records)
    return records.map((record) => {
      const { type, key, time } = record
      return `${type} ${key} ${time} ${Buffer.from(factBytes(record)).toString('hex')}`
    })
  }

  async head(): Promise<number> {
    return (await this.#world.log.head()).sequence
  }

  async close(): Promise<void> {
    await this.#world.log.close()
    await this.#world.store.close()
  }

  #bucket(block: Buffer, dice: Dice): BucketBlocks {
    const { network } = this.#chain
    const [extension, bytes] = dice.pick([
      ['.zstd', zstdCompressSync(block)],
      ['.gz', gzipSync(block)],
      ['', block],
    ] as const)!
    const path = `${network}/block/${blockPath(this.next)}.blk${extension}`
    const source: StreamSource = {
      ...noFiles,
      description: 'a bucket',
      listFolders: async () => [network],
      fetch: async (asked) => (asked === path ? bytes : undefined),
    }
    return new BucketBlocks({ source, network, folder: undefined, blockBytesMax, aheadMax: 4, now: Date.now })
  }

  #nodes(block: Buffer, dice: Dice): BlockNodes {
    const number = this.next
    const pieces = piecesOf(block, dice)
    const nodes = new BlockNodes({ open: ({ stream }) => node(stream.host), clock: systemClock, logger: silentLogger })
    const node = (host: string): BlockNode => {
      const given = (): SourceBlock => ({
        number,
        name: blockName(number),
        pieces,
        size: undefined,
        origin: host,
        headerAt: 0,
        completeAt: 0,
      })
      return {
        name: host,
        status: async () => [{ first: 0n, last: number }],
        subscribe: async function* ({ from }) {
          if (from === number) yield given()
        },
        fetch: async (asked) => (asked === number ? given() : undefined),
        close: async () => undefined,
      }
    }
    const names = ['node-a', 'node-b', 'node-c'].slice(0, 1 + dice.below(3))
    nodes.use(
      names.map((host) => {
        const endpoint = { host, port: 1, tls: false }
        return { endpoints: { status: endpoint, stream: endpoint }, priority: 0, origin: 'configured' }
      }),
    )
    return nodes
  }
}

/** A stream has a block in sets of whole items; what is no block comes in one piece. */
function piecesOf(block: Buffer, dice: Dice): Buffer[] {
  try {
    const pieces: Buffer[] = []
    for (const { bytes } of readItems(block)) {
      const framed = bytesField(1, bytes)
      if (pieces.length === 0 || dice.chance(0.1)) pieces.push(framed)
      else pieces.push(Buffer.concat([pieces.pop()!, framed]))
    }
    return Buffer.concat(pieces).equals(block) ? pieces : [block]
  } catch {
    return [block]
  }
}
