import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type LiveDrill, until, withDrill } from '#test/drill/live.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { onSoundServer, serversMax } from '#test/drill/store-broken.ts'
import { describeWithOwn, type LocalService, startFerretDb, startMongoJava } from '#test/support/own-services.ts'

/** How often a store is killed, once unnoticed and once seen; more with LEDGER_TEST_STORE_KILLS=20. */
const kills = Number(process.env['LEDGER_TEST_STORE_KILLS'] ?? 2)
const killWithinMs = 2_000
const testMs = 120_000 + kills * 60_000
const random = createRandom(seed)

async function drillWith(
  server: LocalService,
  afterRestart: (drill: LiveDrill, before: readonly number[]) => Promise<void>,
): Promise<void> {
  const placeOf = (folder: string, run: string) => ({
    data: folder,
    mongodb: { uri: server.address, database: `drill-${run}` },
  })
  await withDrill(placeOf, async (drill) => {
    const importer = drill.startImporter()
    await until('the import begins', async () => (await drill.head()) > 0)
    const projector = drill.startProjector()
    await drill.grows()
    for (let kill = 0; kill < kills; kill++) {
      await sleep(random() * killWithinMs)
      const [, ...before] = await drill.positions()
      // By turns, nobody notices that the store was away: then it is just another one than before.
      const asleep = kill % 2 === 0 ? [importer, projector] : []
      for (const { child } of asleep) child.kill('SIGSTOP')
      await server.kill()
      await server.restart()
      for (const { child } of asleep) child.kill('SIGCONT')
      await afterRestart(
        drill,
        before.map((position = 0) => position),
      )
      await drill.grows()
    }
    const { found, undisturbed, problems } = await drill.finish()
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
        drillWith(server, async (drill, before) => {
          const [, ...after] = await drill.positions()
          for (const [index, position = 0] of after.entries()) expect(position).toBeGreaterThanOrEqual(before[index]!)
        }),
      ),
    testMs,
  )
})

describeWithOwn(['mongo-java'], 'a store that loses what it confirmed last', () => {
  it(
    `is caught up again from where it stands, without a hole, ${kills} kills (seed ${seed})`,
    ({ skip }) =>
      onSoundServer(skip, () =>
        withServer(startMongoJava({ backend: 'h2', heapMb: 256 }), (server) => drillWith(server, async () => {})),
      ),
    testMs * serversMax,
  )
})
