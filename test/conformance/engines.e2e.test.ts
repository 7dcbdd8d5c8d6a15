import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { listCaseFiles } from '#test/conformance/case-file.ts'
import type { EngineChoice } from '#test/conformance/engines.ts'
import { runFiles } from '#test/conformance/run-files.ts'
import { describeWithMongo, findKafka, whyMissing } from '#test/support/services.ts'

const root = fileURLToPath(new URL('../../../shared/conformance/', import.meta.url))
/** Ledgers with transactions of every kind, and the lists of blocks; all of them run by `npm run conformance`. */
const folders = ['cases/blocks', 'cases/synthetic', 'extra/transactions']
const filesMax = 12
const served = ['/api/v1/transactions', '/api/v1/blocks']
const kafka = findKafka()
if (kafka === undefined) console.warn(`without Kafka: ${whyMissing('Kafka', 'LEDGER_TEST_KAFKA')}`)

/** Some of the recorded answers, from production engines. */
describeWithMongo('recorded answers', ({ uri }) => {
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
      const files = folders.flatMap((folder) => listCaseFiles([`${root}${folder}`]).slice(0, filesMax))
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
