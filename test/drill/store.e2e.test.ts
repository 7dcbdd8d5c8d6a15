import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type LiveDrill, until, withDrill } from '#test/drill/live.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { describeWithOwn, type LocalService, startFerretDb, startMongoJava } from '#test/support/own-services.ts'

/** How often a store is killed, once unnoticed and once seen; more with LEDGER_TEST_STORE_KILLS=20. */
const kills = Number(process.env['LEDGER_TEST_STORE_KILLS'] ?? 2)
const killWithinMs = 2_000
const testMs = 120_000 + kills * 60_000
const random = createRandom(seed)

interface StoreDrill {
  readonly server: LocalService
  /** Begun while nobody writes, before the life that ends with a kill. */
  readonly beforeLife?: () => Promise<void>
  readonly whileDown?: () => void
  readonly afterRestart?: (drill: LiveDrill, before: readonly number[]) => Promise<void>
  /** Whether the importer's state may be older than the log until its next start. */
  readonly importsAgain?: boolean | undefined
}

async function drillWith({ server, beforeLife, whileDown, afterRestart, importsAgain }: StoreDrill): Promise<void> {
  const placeOf = (folder: string, run: string) => ({
    data: folder,
    mongodb: { uri: server.address, database: `drill-${run}` },
  })
  await withDrill(placeOf, async (drill) => {
    const importer = drill.startImporter()
    await until('the import begins', async () => (await drill.head()) > 0)
    const projector = drill.startProjector()
    await drill.grows()
    const members = [importer, projector]
    for (let kill = 0; kill < kills; kill++) {
      if (beforeLife !== undefined) {
        for (const { child } of members) child.kill('SIGSTOP')
        await beforeLife()
        for (const { child } of members) child.kill('SIGCONT')
        await drill.grows()
      }
      await sleep(random() * killWithinMs)
      const [, ...before] = await drill.positions()
      // By turns, nobody notices that the store was away: then it is just another one than before.
      const asleep = kill % 2 === 0 ? members : []
      for (const { child } of asleep) child.kill('SIGSTOP')
      await server.kill()
      whileDown?.()
      await server.restart()
      for (const { child } of asleep) child.kill('SIGCONT')
      await afterRestart?.(
        drill,
        before.map((position = 0) => position),
      )
      await drill.grows()
    }
    const { found, undisturbed, problems } = await drill.finish({ importsAgain })
    expect(problems).toEqual([])
    expect(found).toEqual(undisturbed)
  })
}

async function withServer(start: Promise<LocalService>, use: (server: LocalService) => Promise<void>): Promise<void> {
  const server = await start
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

describeWithOwn(['ferretdb'], 'a durable store that is killed', () => {
  it(
    `has every row that it confirmed, and none twice, ${kills} kills (seed ${seed})`,
    () =>
      withServer(startFerretDb(), (server) =>
        drillWith({
          server,
          afterRestart: async (drill, before) => {
            const [, ...after] = await drill.positions()
            for (const [index, position = 0] of after.entries()) expect(position).toBeGreaterThanOrEqual(before[index]!)
          },
        }),
      ),
    testMs,
  )
})

/** The H2 file is written to at least once a second; while nobody writes, it then holds one state of everything. */
const flushedAfterMs = 1_500

/**
 * A kill alone would leave a file whose collections are of different moments, which no store that confirms by majority or
 * journal does, and which nobody could repair. So it comes back with a copy of an earlier moment, as from a backup.
 */
describeWithOwn(['mongo-java'], 'a store that comes back as it was some time ago', () => {
  it(
    `is caught up again from where it stands, without a hole, ${kills} times (seed ${seed})`,
    () =>
      withServer(startMongoJava({ backend: 'h2', heapMb: 256 }), (server) => {
        const file = join(server.folder, 'rows.h2')
        const copy = `${file}.copy`
        return drillWith({
          server,
          beforeLife: async () => {
            await sleep(flushedAfterMs)
            server.signal('SIGSTOP')
            copyFileSync(file, copy)
            server.signal('SIGCONT')
          },
          whileDown: () => copyFileSync(copy, file),
          importsAgain: true,
        })
      }),
    testMs,
  )
})
