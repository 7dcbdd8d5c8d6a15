import { blockItem } from '#src/domain/block-items.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import {
  bytesFieldOf,
  type Item,
  item,
  readFields,
  readItems,
  writeBlock,
  writeFields,
} from '#test/drill/blocks/block-items.ts'
import { type SmallBlocks, smallBlocks } from '#test/importer/block/small-blocks.ts'
import { bytesField, varintField } from '#test/support/protobuf-writer.ts'

/**
 * What fills a block: so many transactions, or one item of so many changes of the state, which comes in a message of its own.
 */
export type Filling = 'transactions' | 'state changes'

export interface LargeBlocksOptions {
  readonly count: number
  /** Of each, unpacked, but for block 0. A tenth less, or more, but no more than 200,000 transactions. */
  readonly bytes: number
  readonly filling: Filling
}

/** Blocks that are signed and chained like others. */
export function largeBlocks({ count, bytes, filling }: LargeBlocksOptions): Promise<SmallBlocks> {
  return filling === 'transactions' ? manyTransactions(count, bytes) : manyStateChanges(count, bytes)
}

/** Of a transfer with all its items, as they come here behind block 0. */
const bytesOfTransfer = 720
/** More than any network has in a block. */
const transfersMax = 200_000

async function manyTransactions(count: number, bytes: number): Promise<SmallBlocks> {
  const blockSeconds = 2
  const transactionsPerSecond = Math.floor(Math.min(transfersMax, bytes / bytesOfTransfer) / blockSeconds)
  return smallBlocks(count, { blockSeconds, transactionsPerSecond })
}

async function manyStateChanges(count: number, bytes: number): Promise<SmallBlocks> {
  const { blocks, ledger } = await smallBlocks(count)
  let previousRoot: Buffer | undefined
  const filled = blocks.map((block, number) => {
    const signed = signedAgain(number === 0 ? readItems(block) : withFilledState(readItems(block), bytes), previousRoot)
    const hash = hashOf(signed)
    previousRoot = hash
    const proof = bytesField(2, bytesField(1, ledger.sign(hash)))
    return signed(item(blockItem.proof, Buffer.concat([varintField(1, number), proof])))
  })
  return { blocks: filled, ledger }
}

/** What the last transaction changed, over and over. */
function withFilledState(items: readonly Item[], bytes: number): Item[] {
  const at = items.findLastIndex(({ number }) => number === blockItem.stateChanges)
  const { content } = items[at]!
  const changes = readFields(content).filter(({ number }) => number === 2)
  const pattern = writeFields(changes)
  const filling = Buffer.alloc(Math.floor((bytes * 0.99) / pattern.length) * pattern.length, pattern)
  return items.with(at, item(blockItem.stateChanges, Buffer.concat([content, filling])))
}

/** The block but for its proof, which follows from its hash. */
function signedAgain(items: readonly Item[], previousRoot: Buffer | undefined): (proof: Item) => Buffer {
  const rest = items
    .filter(({ number }) => number !== blockItem.proof)
    .map((one) => {
      if (one.number !== blockItem.footer || previousRoot === undefined) return one
      const fields = readFields(one.content).filter(({ number }) => number !== 1)
      return item(blockItem.footer, writeFields([bytesFieldOf(1, previousRoot), ...fields]))
    })
  return (proof) => writeBlock([...rest, proof])
}

function hashOf(block: (proof: Item) => Buffer): Buffer {
  const nothing = item(blockItem.proof, bytesField(2, bytesField(1, Buffer.alloc(1))))
  const source = { number: 0n, name: 'a block', size: undefined, origin: 'here', headerAt: 0, completeAt: 0 }
  return readBlock({ ...source, pieces: [block(nothing)] }).hashes.sixteen
}
