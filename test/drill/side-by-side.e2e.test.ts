import { describe, expect, it } from 'vitest'
import type { Program } from '#test/cli/support.ts'
import { type Answer, answersAll, isReady, keepAsking } from '#test/drill/asking.ts'
import { type LiveDrill, until, withDrill } from '#test/drill/live.ts'
import { findKafka, findMongoServers, whyMissing } from '#test/support/services.ts'
import { freePorts } from '../../scripts/services/ports.ts'

const kafka = findKafka()
/** One is enough here, and the fastest one leaves most of the machine to the processes. */
const [mongo] = findMongoServers()
const missing = [
  ...(kafka ? [] : [whyMissing('Kafka', 'LEDGER_TEST_KAFKA')]),
  ...(mongo ? [] : [whyMissing('server of the MongoDB protocol', 'LEDGER_TEST_MONGODB')]),
]
const settings = { 'mongodb-lease-ms': '2000' }
const reason = missing.length === 0 ? '' : ` (skipped: ${missing.join('; ')})`

/** One after the other in all seats with LEDGER_TEST_SEATS=all; else in one of each kind, of two importers in both. */
const inAllSeats = process.env['LEDGER_TEST_SEATS'] === 'all'

interface Seat {
  readonly port?: number
  readonly start: () => Program
  program: Program
}

describe.skipIf(missing.length > 0)(
  `two processes of each kind on Kafka and ${mongo?.name ?? 'MongoDB'}${reason}`,
  () => {
    it('take each other over when one after the other is killed and started again, and no request to the others fails', async () => {
      const ports = await freePorts(2)
      const placeOf = (data: string, run: string) => ({
        data,
        kafka: { brokers: kafka!.brokers.join(','), prefix: `drill-${run}` },
        mongodb: { uri: mongo!.uri, database: `drill-${run}` },
        settings,
      })
      await withDrill(placeOf, async (drill) => {
        const first = seat(() => drill.startImporter())
        await until('the import begins', async () => (await drill.head()) > 0)
        const seats = [
          first,
          seat(() => drill.startProjector()),
          seat(() => drill.startProjector('transactions')),
          seat(() => drill.startImporter()),
          seat(() => drill.startProjector()),
          seat(() => drill.startProjector('blocks')),
          ...ports.map((port) => seat(() => drill.startServer(port), port)),
        ]
        const allAnswer = async () => (await Promise.all(ports.map((port) => answersAll(port)))).every((all) => all)
        await until('the query processes answer', allAnswer)

        const clients = keepAsking(ports)
        const absences: Absence[] = []
        const killed = inAllSeats ? seats : seats.filter((_, index) => [0, 1, 3, 6].includes(index))
        for (const each of killed) absences.push(...(await killAndRestart(drill, each)))
        await clients.stop()

        expect(clients.answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
        expect(clients.answers.filter((answer) => answer.status !== 200 && !isExcused(answer, absences))).toEqual([])
        const { found, undisturbed, problems } = await drill.finish()
        expect(problems).toEqual([])
        expect(found).toEqual(undisturbed)
        console.log(
          `${clients.answers.length} requests while ${killed.length} of ${seats.length} processes were killed one after the other`,
        )
      })
    }, 600_000)
  },
)

interface Absence {
  readonly port: number
  readonly from: number
  readonly to: number
}

function seat(start: () => Program, port?: number): Seat {
  return { start, program: start(), ...(port === undefined ? {} : { port }) }
}

/** The others go on meanwhile, or one of them takes the work over. Resolves to when a port had nobody behind it. */
async function killAndRestart(drill: LiveDrill, each: Seat): Promise<Absence[]> {
  const { port } = each
  const from = Date.now()
  await drill.kill(each.program)
  await drill.grows()
  each.program = each.start()
  if (port === undefined) return []
  await until(`the query process on port ${port} is back`, () => isReady(port))
  return [{ port, from, to: Date.now() }]
}

function isExcused({ port, beganAt, endedAt }: Answer, absences: readonly Absence[]): boolean {
  return absences.some((absence) => absence.port === port && beganAt < absence.to && endedAt > absence.from)
}
