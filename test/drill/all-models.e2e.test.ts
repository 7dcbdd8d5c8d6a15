import { expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { ask, keepAsking } from '#test/drill/asking.ts'
import { type PlaceMaker, until, withDrill } from '#test/drill/live.ts'
import { describeWithMongo, findKafka, findMongoServers, whyMissing } from '#test/support/services.ts'
import { freePorts } from '../../scripts/services/ports.ts'

const names = allProjections.map(({ schema }) => schema.name)
const kafka = findKafka()
const [first] = findMongoServers()

/** Requests that every read model takes part in answering, about an account that is there. */
const pathsAbout = (account: string): string[] => [
  '/api/v1/transactions?limit=5',
  '/api/v1/blocks?limit=5',
  '/api/v1/accounts?limit=5',
  `/api/v1/accounts/${account}`,
  `/api/v1/accounts/${account}/hooks`,
  `/api/v1/accounts/${account}/allowances/crypto`,
  `/api/v1/accounts/${account}/airdrops/pending`,
  `/api/v1/accounts/${account}/nfts`,
  `/api/v1/accounts/${account}/rewards`,
  `/api/v1/accounts/${account}/tokens`,
  '/api/v1/balances?limit=5',
  '/api/v1/contracts?limit=5',
  '/api/v1/contracts/results?limit=5',
  '/api/v1/contracts/results/logs?limit=5',
  '/api/v1/network/exchangerate',
  '/api/v1/network/nodes',
  '/api/v1/schedules?limit=5',
  '/api/v1/tokens?limit=5',
  '/api/v1/topics/0.0.1/messages',
]

async function rebuildAndPromoteAll(placeOf: PlaceMaker): Promise<void> {
  const [port = 0] = await freePorts(1)
  await withDrill(placeOf, async (drill) => {
    const succeed = async (verb: string, output: RegExp): Promise<void> => {
      const { code, out, err } = await drill.verb('projections', verb, ...names)
      expect(code, `${out}${err}`).toBe(0)
      for (const name of names) expect(out, verb).toMatch(new RegExp(output.source.replace('NAME', name)))
    }
    drill.startImporter()
    await until('the import begins', async () => (await drill.head()) > 0)
    drill.startProjector()
    drill.startServer(port)
    let paths: string[] = []
    await until('every read model answers', async () => {
      const { status, body } = await ask(port, '/api/v1/accounts?limit=1&order=desc')
      if (status !== 200) return false
      paths = pathsAbout(JSON.parse(body).accounts[0].account)
      return (await Promise.all(paths.map((path) => ask(port, path)))).every((answer) => answer.status === 200)
    })

    const clients = keepAsking([port], paths)
    await succeed('rebuild', /NAME v\d+\.2 .*built/)
    await succeed('promote', /NAME v\d+\.2/)
    await succeed('prune', /Removed NAME v\d+;/)
    drill.build = 2
    await drill.grows()
    const before = clients.answers.length
    await until('every path was asked again', () => clients.answers.length >= before + paths.length)
    await clients.stop()

    expect(clients.answers.filter(({ status }) => status !== 200)).toEqual([])
    const { found, undisturbed, problems } = await drill.finish()
    expect(problems).toEqual([])
    expect(found).toEqual(undisturbed)
  })
}

const title = 'are rebuilt, promoted and pruned at once while the network goes on, and no request fails'

describeWithMongo(
  'all read models',
  ({ uri }) => {
    it.skipIf(!kafka)(
      `on Kafka and MongoDB ${title}${kafka ? '' : ` (skipped: ${whyMissing('Kafka', 'LEDGER_TEST_KAFKA')})`}`,
      () =>
        rebuildAndPromoteAll((data, run) => ({
          data,
          kafka: { brokers: kafka!.brokers.join(','), prefix: `drill-${run}` },
          mongodb: { uri, database: `drill-${run}` },
        })),
      600_000,
    )
  },
  ({ name }) => name === first?.name,
)

it(`all read models on the embedded engines ${title}`, () => rebuildAndPromoteAll((data) => ({ data })), 600_000)
