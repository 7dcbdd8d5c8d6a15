import { describe, expect, it } from 'vitest'
import { blocksProjection } from '#projections/blocks/projection.ts'
import { blocksSchema } from '#projections/blocks/schema.ts'
import type { FoundBlock } from '#queries/blocks/find-blocks.ts'
import { blockObject } from '#queries/blocks/render.ts'
import type { BlockRecorded } from '#schemas/events/types.ts'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { publish, recordOf } from '#test/support/events.ts'

const block = (number: bigint, fields: Partial<BlockRecorded> = {}): LogRecord =>
  recordOf('BlockRecorded', {
    number,
    name: `block-${number}.rcd`,
    hash: Buffer.alloc(48, Number(number)),
    previousHash: Buffer.alloc(48, Number(number) - 1),
    version: 6,
    consensusStart: number * 1_000_000_000n,
    consensusEnd: number * 1_000_000_000n + 5n,
    count: 2n,
    size: 100,
    ...fields,
  })

async function folded(records: readonly LogRecord[]): Promise<RowReader> {
  const log = openSqliteLog({ folder: ':memory:' })
  const store = openSqliteReadStore({ folder: ':memory:' })
  await publish(log, records)
  await runProjections({ log, store, projections: [blocksProjection], follow: false, strict: true })
  return store.openReader(blocksSchema)
}

const fields = Object.keys(blocksSchema.collections.blocks.fields)

/** As they are shown while nothing is known of their receipts. */
async function bodies(reader: RowReader): Promise<Record<string, unknown>[]> {
  const rows = await reader.find({
    collection: 'blocks',
    index: ['epoch', 'number'],
    limit: 100,
    select: fields,
  })
  return rows.map((row) =>
    JSON.parse(blockObject.render({ ...(row as FoundBlock), receipts: { bloom: null, root: null } })),
  )
}

describe('the blocks projection', () => {
  it('keeps what is shown of a block', async () => {
    const reader = await folded([
      block(7n, {
        gasUsed: 12n,
        logsBloom: Buffer.from([1]),
        hapiVersionMajor: 0,
        hapiVersionMinor: 63,
        hapiVersionPatch: 9,
      }),
    ])
    expect(await bodies(reader)).toEqual([
      {
        count: 2,
        gas_used: 12,
        hapi_version: '0.63.9',
        hash: `0x${'07'.repeat(48)}`,
        logs_bloom: `0x${'01'.padStart(512, '0')}`,
        name: 'block-7.rcd',
        number: 7,
        previous_hash: `0x${'06'.repeat(48)}`,
        receipts_root: null,
        size: 100,
        timestamp: { from: '7.000000000', to: '7.000000005' },
      },
    ])
  })

  it('shows what is unknown as null and a block without logs with an empty bloom', async () => {
    const reader = await folded([
      block(1n, { gasUsed: -1n, size: null }),
      block(2n, { gasUsed: null, logsBloom: Buffer.alloc(0) }),
    ])
    expect(await bodies(reader)).toMatchObject([
      { gas_used: null, hapi_version: null, logs_bloom: null, size: null },
      { gas_used: null, logs_bloom: '0x' },
    ])
  })

  it('begins another numbering when the numbering proves wrong, and touches no earlier row', async () => {
    const shifted = recordOf('BlockNumbersShifted', {
      shift: 500n,
      throughNumber: 2n,
      name: 'block-503.rcd',
      consensusTimestamp: 3_000_000_000n,
    })
    const reader = await folded([block(1n), block(2n), shifted, block(503n)])
    const rows = await reader.find({
      collection: 'blocks',
      index: ['epoch', 'number'],
      limit: 9,
      select: ['epoch', 'number'],
    })
    expect(rows.map(({ epoch, number }) => [epoch, number])).toEqual([
      [0, 1n],
      [0, 2n],
      [1, 503n],
    ])
    const [first] = await reader.get('numbering', [[0]], ['shift'])
    expect(first?.['shift']).toBe(500n)
  })
})
