import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { until, withDrill } from '#test/drill/live.ts'
import { createRandom, seed } from '#test/drill/random.ts'
import { describeWithOwn, type LocalKafka, startKafka } from '#test/support/own-services.ts'

/** How often a broker is killed; more with LEDGER_TEST_BROKER_KILLS=20. */
const kills = Number(process.env['LEDGER_TEST_BROKER_KILLS'] ?? 1)
const wantsThree = process.env['LEDGER_TEST_THREE_BROKERS'] === '1'
const killWithinMs = 1_500
const testMs = 120_000 + kills * 60_000

/** Which broker leads the one partition of a topic, counted from 1. */
async function leaderOf(kafka: LocalKafka, topic: string): Promise<number> {
  const { Kafka, logLevel } = (await import('kafkajs')).default
  const admin = new Kafka({ brokers: kafka.bootstrap.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
  await admin.disconnect()
  const leader = topics[0]?.partitions[0]?.leader
  if (leader === undefined) throw new Error(`topic ${topic} has no leader`)
  return leader
}

describeWithOwn(['kafka'], 'a broker that is killed', () => {
  const random = createRandom(seed)

  it(
    `delays import and projection, and changes nothing of what they write, ${kills} kills (seed ${seed})`,
    async () => {
      const kafka = await startKafka({ heapMb: 384 })
      try {
        const placeOf = (folder: string) => ({ data: folder, kafka: { brokers: kafka.bootstrap, prefix: 'drill' } })
        await withDrill(placeOf, async (drill) => {
          drill.startImporter()
          await until('the import begins', async () => (await drill.head()) > 0)
          drill.startProjector()
          await drill.grows()
          for (let kill = 0; kill < kills; kill++) {
            await sleep(random() * killWithinMs)
            await kafka.kill()
            await sleep(random() * killWithinMs)
            await kafka.restart()
            const restartedAt = Date.now()
            await drill.grows()
            console.log(`import and projection went on ${Date.now() - restartedAt} ms after the broker was back`)
          }
          const { found, undisturbed, problems } = await drill.finish()
          expect(problems).toEqual([])
          expect(found).toEqual(undisturbed)
        })
      } finally {
        await kafka.stop()
      }
    },
    testMs,
  )

  it.skipIf(!wantsThree)(
    `hands its topic to another one of three and delays nothing else, ${kills} kills${wantsThree ? '' : ' (skipped: LEDGER_TEST_THREE_BROKERS is not 1)'}`,
    async () => {
      const kafka = await startKafka({ brokers: 3, heapMb: 384 })
      try {
        const settings = { 'kafka-replication-factor': '3', 'kafka-min-insync-replicas': '2' }
        const { bootstrap: brokers } = kafka
        await withDrill(
          (data) => ({ data, kafka: { brokers, prefix: 'drill' }, settings }),
          async (drill) => {
            drill.startImporter()
            await until('the import begins', async () => (await drill.head()) > 0)
            drill.startProjector()
            await drill.grows()
            for (let kill = 0; kill < kills; kill++) {
              await sleep(random() * killWithinMs)
              const leader = await leaderOf(kafka, 'drill.transactions')
              await kafka.kill(leader)
              const killedAt = Date.now()
              await drill.grows()
              const now = await leaderOf(kafka, 'drill.transactions')
              console.log(
                `broker ${now} leads instead of ${leader}; all went on ${Date.now() - killedAt} ms after the kill`,
              )
              expect(now).not.toBe(leader)
              await kafka.restart(leader)
            }
            const { found, undisturbed, problems } = await drill.finish()
            expect(problems).toEqual([])
            expect(found).toEqual(undisturbed)
          },
        )
      } finally {
        await kafka.stop()
      }
    },
    testMs + 60_000,
  )
})
