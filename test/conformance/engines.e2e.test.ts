import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { listCaseFiles } from '#test/conformance/case-file.ts'
import type { EngineChoice } from '#test/conformance/engines.ts'
import { runFiles } from '#test/conformance/run-files.ts'
import { describeWithMongo, findKafka, whyMissing } from '#test/support/services.ts'

const root = fileURLToPath(new URL('../../../shared/conformance/', import.meta.url))
const folders = [
  'cases/blocks',
  'cases/transactions',
  'cases/route',
  'cases/synthetic',
  'extra/blocks',
  'extra/transactions',
]
/** FerretDB takes 2 ms for each row, so it gets the beginning of each folder; `npm run conformance` runs all. */
const filesMaxOf = (name: string): number => (name === 'ferretdb' ? 5 : Number.POSITIVE_INFINITY)
const served = ['/api/v1/transactions', '/api/v1/blocks', '/api/v1/hedera']
const kafka = findKafka()
if (kafka === undefined) console.warn(`without Kafka: ${whyMissing('Kafka', 'LEDGER_TEST_KAFKA')}`)

/** The recorded answers, from production engines. */
describeWithMongo('recorded answers', ({ name, uri }) => {
  const choice: EngineChoice = {
    log: kafka === undefined ? 'embedded' : 'kafka',
    store: 'mongodb',
    brokers: kafka?.brokers ?? [],
    mongodb: uri,
  }

  it.skipIf(!existsSync(root))(
    `are given from the log in ${choice.log === 'kafka' ? 'Kafka' : 'SQLite, since there is no Kafka'} and rows in MongoDB (skipped without ../shared)`,
    { timeout: 240_000 },
    async () => {
      const files = folders.flatMap((folder) => listCaseFiles([`${root}${folder}`]).slice(0, filesMaxOf(name)))
      const outcomes = await runFiles(files, ({ url }) => served.some((prefix) => url.startsWith(prefix)), choice)
      const wrong = outcomes.flatMap(({ result }) =>
        result.outcomes
          .filter(({ differences }) => differences.length > 0)
          .map(({ request, differences }) => `${request.url}: ${differences.join('; ')}`),
      )
      expect(wrong).toEqual([])
      expect(outcomes.length).toBeGreaterThan(folders.length)
    },
  )
})
