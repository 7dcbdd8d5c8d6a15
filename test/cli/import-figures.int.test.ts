import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import { readImportFigures } from '#src/cli/import-figures.ts'
import { importStateSchema } from '#src/importer/state/state-schema.ts'
import { recordOf, transactionRecorded } from '#test/support/events.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const start = 1_700_000_000_000_000_000n

function blockOf(number: bigint) {
  const consensusStart = start + number
  return [
    recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: consensusStart })),
    recordOf('BlockRecorded', {
      number,
      name: `block-${number}.rcd`,
      hash: Buffer.alloc(48, Number(number)),
      previousHash: Buffer.alloc(48, Number(number) - 1),
      consensusStart,
      consensusEnd: consensusStart,
      count: 1n,
    }),
  ]
}

it('counts what is on the log beyond the state that an importer left when it ended without order', async () => {
  const { path: root, remove } = await temporaryFolder()
  const folder = { log: join(root, 'log'), store: join(root, 'store') }
  for (const path of Object.values(folder)) mkdirSync(path)
  const log = openSqliteLog({ folder: folder.log })
  const writer = await log.openWriter()
  await writer.append([blockOf(7n), blockOf(8n)])
  const expected = { position: 4, blocks: 2n, transactions: 2n, time: start + 8n }
  const store = openSqliteReadStore({ folder: folder.store })
  const figures = () => readImportFigures({ log, store, generation: 1 })
  expect(await figures()).toMatchObject({ ...expected, lastBlock: { number: 8n, name: 'block-8.rcd' } })

  await leaveState(folder.store)
  expect(await figures()).toMatchObject({
    ...expected,
    blocks: 12n,
    transactions: 101n,
    gapBlocks: 5n,
    lastBlock: { number: 8n },
  })
  await store.close()
  await log.close()
  await remove()
})

/** As of the first block, with counts that only the state can have told. */
async function leaveState(folder: string): Promise<void> {
  const store = openSqliteReadStore({ folder })
  const writer = await store.openWriter(importStateSchema)
  const row = {
    id: 0,
    network: 'test',
    blockName: 'block-7.rcd',
    blockNumber: 7n,
    blockNumberProvisional: 0,
    blockHash: Buffer.alloc(48, 7),
    blockTime: start + 7n,
    blocks: 11n,
    transactions: 100n,
    breaks: 1n,
    gapBlocks: 5n,
  }
  await writer.commit({
    from: 0,
    to: { position: 2, time: start + 7n },
    puts: [{ collection: 'progress', row }],
    deletes: [],
  })
  await writer.close()
  await store.close()
}
