import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Program } from '#test/cli/support.ts'
import { type PlaceMaker, until, withDrill } from '#test/drill/live.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { describeWithMongo, type FoundMongo, findKafka, findMongoServers, whyMissing } from '#test/support/services.ts'

/** How often a process is stopped until another has its work; more with LEDGER_TEST_ZOMBIES=20. */
const rounds = Number(process.env['LEDGER_TEST_ZOMBIES'] ?? 1)
/** The shortest lease that is allowed: two signs of life. */
const settings = { 'mongodb-lease-ms': '2000' }
/** A process that is stopped within so long is stopped anywhere: between commits or in one. */
const stopWithinMs = 1_500
const testMs = 90_000 + rounds * 60_000

const standsBy = /another importer is at work/g
const kafka = findKafka()
/**
 * What keeps two processes apart is Kafka and the lease, which are alike on every server: one is enough. That an owner who was
 * stopped changes no row is tried on each by test/adapters/mongodb/processes.e2e.test.ts.
 */
const [firstServer] = findMongoServers()

function placeOf(mongo: FoundMongo, brokers: string | undefined): PlaceMaker {
  return (folder, run) => ({
    data: folder,
    mongodb: { uri: mongo.uri, database: `drill-${run}` },
    ...(brokers === undefined ? {} : { kafka: { brokers, prefix: `drill-${run}` } }),
    settings,
  })
}

describeWithMongo('a process that stood still while another took its work over', (mongo) => {
  const random = createRandom(seed)

  const withoutKafka = kafka ? '' : ` (skipped: ${whyMissing('Kafka', 'LEDGER_TEST_KAFKA')})`
  const elsewhere = mongo.name === firstServer?.name ? '' : ` (skipped: done on ${firstServer?.name})`
  it.skipIf(withoutKafka !== '' || elsewhere !== '')(
    `imports nothing any more (seed ${seed})${withoutKafka || elsewhere}`,
    () =>
      withDrill(placeOf(mongo, kafka!.brokers.join(',')), async (drill) => {
        const turns = (program: Program): number => [...program.err.matchAll(standsBy)].length
        let active = drill.startImporter()
        await until('the import begins', async () => (await drill.head()) > 0)
        let standby = drill.startImporter()
        await until('the second importer stands by', () => turns(standby) > 0)
        drill.startProjector()
        for (let round = 0; round < rounds; round++) {
          await sleep(random() * stopWithinMs)
          active.child.kill('SIGSTOP')
          const stoodBy = turns(active)
          // Longer than what was on its way when it stopped: only the other one can have written it.
          await drill.grows()
          await drill.grows()
          active.child.kill('SIGCONT')
          await until('the one that was stopped stands by', () => turns(active) > stoodBy)
          ;[active, standby] = [standby, active]
        }
        await drill.grows()
        const { found, undisturbed, problems } = await drill.finish()
        expect(problems).toEqual([])
        expect(found).toEqual(undisturbed)
      }),
    testMs,
  )

  it.skipIf(elsewhere !== '')(
    `writes no row any more (seed ${seed})${elsewhere}`,
    () =>
      withDrill(placeOf(mongo, undefined), async (drill) => {
        drill.startImporter()
        await until('the import begins', async () => (await drill.head()) > 0)
        let active = drill.startProjector()
        await drill.grows()
        let standby = drill.startProjector()
        await until('the second projector waits', () => standby.err.includes('owner_busy'))
        for (let round = 0; round < rounds; round++) {
          await sleep(random() * stopWithinMs)
          active.child.kill('SIGSTOP')
          await drill.grows()
          await sleep(random() * stopWithinMs)
          active.child.kill('SIGCONT')
          await drill.grows()
          ;[active, standby] = [standby, active]
        }
        const { found, undisturbed, problems } = await drill.finish()
        expect(problems).toEqual([])
        expect(found).toEqual(undisturbed)
      }),
    testMs,
  )
})
