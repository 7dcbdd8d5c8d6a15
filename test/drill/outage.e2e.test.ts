import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Answer, answersAll, isReady, keepAsking } from '#test/drill/asking.ts'
import { until, withDrill } from '#test/drill/live.ts'
import { describeWithOwn, startFerretDb, startKafka } from '#test/support/own-services.ts'
import { freePorts } from '../../scripts/services/ports.ts'

/** How long broker and store are away; LEDGER_TEST_OUTAGE_SECONDS=60 for the full minute. */
const awaySeconds = Number(process.env['LEDGER_TEST_OUTAGE_SECONDS'] ?? 10)
/** Longest time that a call of the store may take, and a bit more for the answer itself on a busy machine. */
const settings = { 'mongodb-timeout-ms': '8000' }
const answerMsMax = 13_000
/** Where calls take longer than they may, commits are made again and again. */
const movingMsMax = 480_000
/**
 * The server is slow, and has to keep up with all read models: a call that takes longer than it may breaks a connection, and with
 * it every commit that is under way.
 */
const blockSeconds = 4
const unavailable = { _status: { messages: [{ message: 'Service unavailable' }] } }

describeWithOwn(['kafka', 'ferretdb'], 'broker and store away', () => {
  it(
    `for ${awaySeconds} s stop no process, and requests are told so until they are back`,
    async () => {
      const [kafka, store] = await Promise.all([startKafka({ heapMb: 384 }), startFerretDb()])
      const ports = await freePorts(2)
      try {
        const placeOf = (data: string, run: string) => ({
          data,
          kafka: { brokers: kafka.bootstrap, prefix: 'drill' },
          mongodb: { uri: store.address, database: `drill-${run}` },
          settings,
        })
        await withDrill(
          placeOf,
          async (drill) => {
            drill.startImporter()
            await until('the import begins', async () => (await drill.head()) > 0)
            drill.startProjector()
            const servers = ports.map((port) => drill.startServer(port))
            const allAnswer = async () => (await Promise.all(ports.map((port) => answersAll(port)))).every((all) => all)
            const noneReady = async () => !(await Promise.all(ports.map(isReady))).some((ready) => ready)
            await Promise.all(servers.map((program) => program.printed(/API of/)))
            await until('the query processes answer', allAnswer)
            await drill.grows()

            const clients = keepAsking(ports)
            await sleep(1_000)
            const awayFrom = Date.now()
            await Promise.all([kafka.kill(), store.kill()])
            await until('readiness is down', noneReady, answerMsMax + 10_000)
            const downAfterMs = Date.now() - awayFrom
            await sleep(Math.max(0, awayFrom + awaySeconds * 1_000 - Date.now()))
            expect(drill.ended()).toEqual([])
            await Promise.all([kafka.restart(), store.restart()])
            const backAt = Date.now()
            await until('requests are answered again', () => isAnswered(clients.answers, ports, backAt))
            const answeredAfterMs = Date.now() - backAt
            await until('readiness is up', allAnswer)
            const readyAfterMs = Date.now() - backAt
            await drill.grows(movingMsMax)
            const movingAfterMs = Date.now() - backAt
            await clients.stop()

            expectClearAnswers(clients.answers, awayFrom, backAt)
            const { found, undisturbed, problems } = await drill.finish()
            expect(problems).toEqual([])
            expect(found).toEqual(undisturbed)
            console.log(
              `${clients.answers.length} requests; away ${((backAt - awayFrom) / 1_000).toFixed(1)} s; readiness down after ${downAfterMs} ms; back: answered after ${answeredAfterMs} ms, ready after ${readyAfterMs} ms, import and projection moved after ${movingAfterMs} ms; slowest answer ${slowestMs(clients.answers)} ms`,
            )
          },
          blockSeconds,
        )
      } finally {
        await Promise.all([kafka.stop(), store.stop()])
      }
    },
    900_000 + awaySeconds * 1_000,
  )
})

function isAnswered(answers: readonly Answer[], ports: readonly number[], since: number): boolean {
  return ports.every((each) =>
    answers.some(({ port, status, beganAt }) => port === each && status === 200 && beganAt > since),
  )
}

/** Every request is answered, in bounded time: before the outage well, during it perhaps from memory, else in the standard form. */
function expectClearAnswers(answers: readonly Answer[], awayFrom: number, backAt: number): void {
  const before = answers.filter(({ endedAt }) => endedAt < awayFrom)
  expect(before.length).toBeGreaterThan(0)
  expect(before.filter(({ status }) => status !== 200)).toEqual([])
  const failed = answers.filter(({ status }) => status !== 200)
  expect(failed.filter(({ beganAt }) => beganAt < backAt).length).toBeGreaterThan(0)
  for (const { status, body } of failed) expect([status, body]).toEqual([503, JSON.stringify(unavailable)])
  expect(slowestMs(answers)).toBeLessThan(answerMsMax)
}

function slowestMs(answers: readonly Answer[]): number {
  return Math.max(...answers.map(({ beganAt, endedAt }) => endedAt - beganAt))
}
