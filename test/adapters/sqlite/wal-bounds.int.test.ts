import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import type { ProjectionSchema, ProjectionWriter } from '#src/ports/read-store.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

const schema = {
  name: 'rows',
  version: 1,
  collections: { rows: { kind: 'state', fields: { id: 'int64', data: 'bytes' }, key: ['id'] } },
} as const satisfies ProjectionSchema

/** Rows over and over: some 80 pages that each commit writes anew, and none more. */
const rows = 200
const rowBytes = 3_000
const MiB = 1 << 20

async function given() {
  const place = await temporaryFolder()
  const store = openSqliteReadStore({ folder: place.path })
  onTestFinished(async () => {
    await store.close()
    await place.remove()
  })
  const writer = await store.openWriter(schema)
  onTestFinished(() => writer.close())
  const file = join(place.path, 'rows@1.sqlite')
  return { store, writer, file, walBytes: () => statSync(`${file}-wal`).size }
}

async function commits(writer: ProjectionWriter, from: number, count: number, events: number): Promise<number> {
  let position = from
  for (let commit = 0; commit < count; commit++) {
    const to = position + events
    const puts = Array.from({ length: rows }, (_, id) => ({
      collection: 'rows',
      row: { id: BigInt(id), data: Buffer.alloc(rowBytes, commit) },
    }))
    await writer.commit({ from: position, to: { position: to, time: BigInt(to) }, puts, deletes: [] })
    position = to
  }
  return position
}

it('keeps the write-ahead log of a read model that follows within some MiB, also beside readers', async () => {
  const { store, writer, walBytes } = await given()
  const reader = await store.openReader(schema, { byTurns: true })
  onTestFinished(() => reader.close())
  let position = 0
  for (let round = 0; round < 60; round++) {
    position = await commits(writer, position, 5, 40)
    expect(await reader.find({ collection: 'rows', index: ['id'], limit: 1, select: ['id'] })).toHaveLength(1)
    await new Promise((resolve) => setImmediate(resolve))
    // Nobody tidies here: a commit does it in the end.
    expect(walBytes()).toBeLessThan(8 * MiB)
  }
})

it('lets it grow while it catches up, and cuts it off once it follows', async () => {
  const { writer, walBytes } = await given()
  const position = await commits(writer, 0, 100, 5_000)
  expect(walBytes()).toBeGreaterThan(30 * MiB)
  await commits(writer, position, 3, 40)
  expect(walBytes()).toBeLessThan(4 * MiB)
})

it('leaves moving it into the file to a moment without work, and has it small again then', async () => {
  const { writer, walBytes } = await given()
  let position = await commits(writer, 0, 1, 40)
  expect(writer.leftOver?.()).toBe(0)
  position = await commits(writer, position, 4, 40)
  expect(writer.leftOver?.()).toBeGreaterThan(300)
  writer.tidy?.()
  expect(writer.leftOver?.()).toBe(0)
  // From its beginning, cut off to what it usually needs.
  position = await commits(writer, position, 1, 40)
  expect(walBytes()).toBeLessThan(2 * MiB)
  for (let round = 0; round < 20; round++) {
    position = await commits(writer, position, 5, 40)
    writer.tidy?.()
    expect(walBytes()).toBeLessThan(6 * MiB)
  }
})
