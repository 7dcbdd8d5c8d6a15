import { expect, it } from 'vitest'
import { statusSchema } from '#projections/status/schema.ts'
import { defaultQuerySettings } from '#queries/common/settings.ts'
import { readBoard } from '#queries/status/find-board.ts'
import type { RowReader } from '#src/ports/read-store.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'

/** A page that moves with every read of it until it has moved so often. */
function movingPage(times: number) {
  let position = 0
  const reader: Pick<RowReader, 'get' | 'find'> = {
    get: async () => [{ timeZone: 'Etc/UTC', position: BigInt(Math.min(position++, times)) }],
    find: async () => [],
  }
  const rows = { status: rowsAt(statusSchema, reader, 0n) }
  const checkpoint = { position: 0, time: 0n }
  return {
    rows,
    checkpoint,
    checkpoints: { status: checkpoint },
    settings: defaultQuerySettings,
    now: 0n,
    instances: 'status',
    stamp: 'status',
    setAside: async () => 0,
    pause: async () => {},
  }
}

it('reads again what changed while it was read', async () => {
  let reads = 0
  const position = await readBoard(movingPage(3), async ({ page }) => {
    reads++
    return page.position
  })
  expect([position, reads]).toEqual([3n, 3])
})

it('does not read for ever a page that never rests', async () => {
  let reads = 0
  await readBoard(movingPage(1_000), async () => ++reads)
  expect(reads).toBe(5)
})
