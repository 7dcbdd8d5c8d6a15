import { describe, expect, it } from 'vitest'
import { blockItem } from '#src/domain/block-items.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { malformedBlock } from '#src/importer/block/malformed-block.ts'
import { readBlock } from '#src/importer/block/read-block.ts'
import { blockRecords } from '#src/importer/block/records/block-records.ts'
import { nothingKnown } from '#src/importer/block/records/known-facts.ts'
import { readTransactions } from '#src/importer/block/records/transactions.ts'
import { type Item, readItems, writeBlock } from '#test/drill/blocks/block-items.ts'
import { simulatedChains } from '#test/drill/blocks/chains.ts'
import { Dice } from '#test/drill/blocks/damage.ts'
import { movedItem } from '#test/drill/blocks/moved-items.ts'
import { createRandom, seed } from '#test/drill/random.ts'

/** More with LEDGER_TEST_MOVED_ITEMS=100000; a failing one is repeated with LEDGER_TEST_SEED. */
const tries = Number(process.env['LEDGER_TEST_MOVED_ITEMS'] ?? 3_000)
const blocksOfChain = 12

/** Items whose place tells whose they are. */
const telling: ReadonlySet<number> = new Set([
  blockItem.signedTransaction,
  blockItem.transactionResult,
  blockItem.traceData,
])

const fail = (reason: string) => malformedBlock('a block', reason)

interface Told {
  readonly hash: string
  readonly records: readonly string[]
}

function told(items: readonly Item[]): Told {
  const source = { number: 0n, name: 'a block', size: undefined, origin: 'here', headerAt: 0, completeAt: 0 }
  const block = readBlock({ ...source, pieces: [writeBlock(items)] })
  const { items: records, sidecarRecords } = blockRecords(readTransactions(block, fail), nothingKnown, fail)
  const bytes = [...records.flatMap(({ transaction, record }) => [transaction, record]), ...sidecarRecords]
  return {
    hash: block.hashes.sixteen.toString('hex'),
    records: bytes.map((one) => Buffer.from(one).toString('base64')),
  }
}

describe('items of a block that stand elsewhere, where its hash does not tell', () => {
  it(
    `are refused or say the same, ${tries} times over (seed ${seed})`,
    async () => {
      const [chain] = await simulatedChains(blocksOfChain, `moved ${seed}`)
      const dice = new Dice(createRandom(seed))
      let [refused, same] = [0, 0]
      for (const [number, block] of chain!.blocks.entries()) {
        const items = readItems(block)
        const expected = told(items)
        for (let count = 0; count < tries / blocksOfChain; count++) {
          const onlyTraces = dice.chance(0.5)
          const isWanted = (one: Item) => (onlyTraces ? one.number === blockItem.traceData : telling.has(one.number))
          let moved: readonly Item[] = items
          for (let moves = 1 + dice.below(3); moves > 0; moves--) moved = movedItem(moved, dice, isWanted) ?? moved
          try {
            const label = `seed ${seed}, block ${number}: ${moved.map((one) => items.indexOf(one)).join(' ')}`
            expect(told(moved), label).toEqual(expected)
            same++
          } catch (error) {
            if (!isLedgerError(error, 'file_malformed')) throw error
            refused++
          }
        }
      }
      console.log(`${tries} blocks with moved items: ${refused} refused, ${same} say the same`)
      expect(refused).toBeGreaterThan(same)
    },
    Math.max(120_000, tries * 60),
  )
})
