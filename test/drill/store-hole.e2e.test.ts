import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { CommitStep } from '#src/adapters/mongodb/options.ts'
import { openMongoStores } from '#src/adapters/mongodb/stores.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { silentLogger } from '#src/ports/logger.ts'
import type { CommitBatch, ProjectionSchema } from '#src/ports/read-store.ts'
import { onSoundServer, serversMax } from '#test/drill/store-broken.ts'
import { describeWithOwn, startMongoJava } from '#test/support/own-services.ts'
import { defaultConfig } from '#test/support/place.ts'

const rounds = 2
/** The H2 file is written to at least once a second; what is older than this survives a kill. */
const flushedAfterMs = 1_500

/** Commits that may fail by themselves before one is disturbed. */
const attemptsMax = 3

const rows = { kind: 'state', fields: { id: 'int64', text: 'text' }, key: ['id'] } as const
const schemas: ProjectionSchema[] = [
  { name: 'added', version: 1, collections: { rows: { ...rows, kind: 'facts', untimed: 'sample' } } },
  { name: 'replaced', version: 1, collections: { rows } },
]

describeWithOwn(['mongo-java'], 'a store that restarts in the middle of a commit and lost its first half', () => {
  for (const schema of schemas) {
    it(
      `never gets the checkpoint of the whole: ${schema.name === 'added' ? 'rows that are only added' : 'rows that change'}`,
      ({ skip }) => onSoundServer(skip, () => loseHalfACommit(schema)),
      120_000 * serversMax,
    )
  }
})

async function loseHalfACommit(schema: ProjectionSchema): Promise<void> {
  const server = await startMongoJava({ backend: 'h2', heapMb: 256 })
  let disturb: (step: CommitStep) => Promise<void> = async () => {}
  const stores = await openMongoStores({
    ...defaultConfig.mongodb,
    uri: server.address,
    database: 'drill',
    owner: { host: hostname(), pid: process.pid, codeVersion: 'drill', process: 'drill' },
    logger: silentLogger,
    beforeStep: (step) => disturb(step),
  })
  const { readStore } = stores
  try {
    for (let round = 0; round < rounds; round++) {
      let writer = await readStore.openWriter(schema)
      await sleep(flushedAfterMs)
      let disturbed = false
      disturb = async (step) => {
        if (disturbed || step !== 'checkpoint') return
        disturbed = true
        await server.kill()
        await server.restart()
      }
      const failures: string[] = []
      // A server that has only just been started again may be late, so that a commit fails before it comes to the step.
      for (let attempt = 0; !disturbed && attempt < attemptsMax; attempt++) {
        await writer.commit(batchFrom(writer.checkpoint?.position ?? 0)).catch((error: unknown) => {
          if (!isLedgerError(error)) throw error
          failures.push(error.message)
        })
        await writer.close()
        writer = await readStore.openWriter(schema)
      }
      const position = writer.checkpoint?.position ?? 0
      const reader = await readStore.openReader(schema)
      const ids = (await reader.scan('rows', undefined, 1_000)).map(({ id }) => Number(id))
      expect(disturbed, failures.join('\n')).toBe(true)
      expect(ids.slice(0, position)).toEqual(Array.from({ length: position }, (_, index) => index + 1))
      await reader.close()
      await writer.close()
    }
  } finally {
    await stores.close()
    await server.stop()
  }
}

function batchFrom(from: number): CommitBatch {
  const puts = Array.from({ length: 20 }, (_, index) => ({
    collection: 'rows',
    row: { id: BigInt(from + index + 1), text: `row ${from + index + 1}` },
  }))
  return { from, to: { position: from + puts.length, time: 1n }, puts, deletes: [] }
}
